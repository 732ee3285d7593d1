"""The messenger app."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.apps.messenger import notices, seeding, store
from mobile_gym.phone.apps.messenger.album import Album
from mobile_gym.phone.apps.messenger.chat import Chat
from mobile_gym.phone.apps.messenger.chat_info import ChatInfo
from mobile_gym.phone.apps.messenger.contact import AddFriend, ContactPage, Permissions
from mobile_gym.phone.apps.messenger.edit import EditText
from mobile_gym.phone.apps.messenger.favourites import Favourites
from mobile_gym.phone.apps.messenger.lists import Blacklist, Groups, NewFriends, Tagged, Tags
from mobile_gym.phone.apps.messenger.main import Main
from mobile_gym.phone.apps.messenger.moments import Moments
from mobile_gym.phone.apps.messenger.packets import PacketDetail, RedPacket
from mobile_gym.phone.apps.messenger.pickers import PickChat, PickFile, PickPeople, PickPicture, PickPlace
from mobile_gym.phone.apps.messenger.pin import PayPin
from mobile_gym.phone.apps.messenger.polls import NewPoll, PollPage
from mobile_gym.phone.apps.messenger.post import Post
from mobile_gym.phone.apps.messenger.provider import messenger_provider
from mobile_gym.phone.apps.messenger.scan import MyCode, Scan
from mobile_gym.phone.apps.messenger.search import Search
from mobile_gym.phone.apps.messenger.settings import About, Account, General, Notify, Privacy, Settings, Storage
from mobile_gym.phone.apps.messenger.transfers import Transfer, TransferDetail
from mobile_gym.phone.apps.messenger.wallet import Records, Wallet
from mobile_gym.phone.system.app import App, LauncherIcon, Target
from mobile_gym.phone.system.providers import Provider

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

SCHEME = "mobench-messenger"


class MessengerApp(App):
    """Chats with people and groups, contacts, moments, money."""

    package = store.PACKAGE
    module = store.MODULE
    system = False
    icon = LauncherIcon("chat", ("#2FD97E", "#06AD56"))
    palette = (
        ("primary", "#07C160", "#07C160"),
        ("primaryContainer", "#B8ECC9", "#1F5C38"),
        ("hint", "#B2B2B6", "#66686C"),
    )
    version_name = "8.0.58"
    version_code = 2860
    screens = (
        Main,
        Chat,
        ChatInfo,
        ContactPage,
        AddFriend,
        Permissions,
        EditText,
        NewFriends,
        Groups,
        Tags,
        Tagged,
        Blacklist,
        PickChat,
        PickPeople,
        PickFile,
        PickPicture,
        PickPlace,
        PayPin,
        RedPacket,
        Transfer,
        PacketDetail,
        TransferDetail,
        Wallet,
        Records,
        NewPoll,
        PollPage,
        Moments,
        Album,
        Post,
        Search,
        Scan,
        MyCode,
        Favourites,
        Settings,
        Account,
        Notify,
        Privacy,
        General,
        Storage,
        About,
    )
    databases = {"wetalk.db": "schema.sql"}
    permissions = {
        "android.permission.POST_NOTIFICATIONS": True,
        "android.permission.READ_CONTACTS": True,
        "android.permission.RECORD_AUDIO": True,
        "android.permission.CAMERA": False,
        "android.permission.READ_MEDIA_IMAGES": True,
        "android.permission.ACCESS_FINE_LOCATION": False,
    }
    sizes_mb = (268.0, 312.4, 86.3)

    def providers(self) -> Sequence[Provider]:
        """Every table of the app."""
        return (messenger_provider(),)

    def seed(self, phone: Phone, snapshot: str, language: str) -> None:
        """An account with its contacts; where somebody lived with the phone, a month of chats and moments."""
        seeding.fill(phone, snapshot == "lived_in", language)

    def on_data_cleared(self, phone: Phone) -> None:
        """The account is set up again and its contacts come from the server; chats were on the phone alone."""
        seeding.fill(phone, False, phone.language)

    def resolve(
        self, action: str | None, data: str | None, mime: str | None, extras: Mapping[str, Any]
    ) -> Target | None:
        """Texts that other apps share, and `mobench-messenger://chat/<id>`."""
        if action == "android.intent.action.SEND" and (mime or "").startswith("text/"):
            text = str(extras.get("android.intent.extra.TEXT") or "")
            return Target("pick_chat", {"text": text}, ("main",))
        if action == "android.intent.action.VIEW" and (data or "").startswith(f"{SCHEME}://chat/"):
            key = (data or "").rpartition("/")[2]
            return Target("chat", {"chat": int(key)}, ("main",)) if key.isdigit() else Target("main", {})
        return None

    def on_broadcast(self, phone: Phone, action: str, extras: Mapping[str, Any]) -> tuple[int, str | None] | None:
        """The buttons of the notifications."""
        return notices.answer(phone, action, extras)
