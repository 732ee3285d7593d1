"""The messaging app."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.apps.contacts_provider.seeding import days_ago
from mobile_gym.phone.apps.messages import notices, store
from mobile_gym.phone.apps.messages.compose import Compose
from mobile_gym.phone.apps.messages.details import AddContact, Details
from mobile_gym.phone.apps.messages.inbox import Archive, Inbox
from mobile_gym.phone.apps.messages.search import Search, Starred
from mobile_gym.phone.apps.messages.settings import Blocked, Settings
from mobile_gym.phone.apps.messages.thread import Conversation, parse_address
from mobile_gym.phone.apps.telephony import threads
from mobile_gym.phone.apps.telephony.app import SMS_DELIVER
from mobile_gym.phone.system.app import App, LauncherIcon, Target
from mobile_gym.phone.system.providers import Provider, Table, TableProvider

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

_WRITE = ("android.intent.action.SENDTO", "android.intent.action.VIEW", "android.intent.action.SEND")


class MessagesApp(App):
    """Text messages."""

    package = store.PACKAGE
    module = notices.MODULE
    icon = LauncherIcon("message-text", ("#5B9BFF", "#2B68D8"))
    version_name = "1.0.001"
    version_code = 10001040
    screens = (Inbox, Conversation, Compose, Search, Details, AddContact, Archive, Starred, Blocked, Settings)
    databases = {"bugle_db": "schema.sql"}
    permissions = {
        "android.permission.POST_NOTIFICATIONS": True,
        "android.permission.READ_CONTACTS": True,
        "android.permission.WRITE_CONTACTS": True,
        "android.permission.READ_SMS": True,
        "android.permission.SEND_SMS": True,
        "android.permission.RECEIVE_SMS": True,
        "android.permission.CALL_PHONE": True,
    }
    sizes_mb = (38.4, 6.2, 2.1)

    def providers(self) -> Sequence[Provider]:
        """Threads with their flags, reminders, and the app's own settings."""
        conversations = Table(
            threads.DATABASE,
            "view_conversations",
            "threads",
            sort="pinned DESC, date DESC, _id DESC",
            on_change=threads.list_blocked_threads,
        )
        tables = {
            "conversations": conversations,
            "reminders": Table(store.DATABASE, "reminders", "reminders"),
            "preferences": Table(store.DATABASE, "preferences", "preferences"),
        }
        return (TableProvider("com.android.messaging", tables),)

    def seed(self, phone: Phone, snapshot: str, language: str) -> None:
        """Notifications of what was not read yet; the messages themselves are the telephony provider's."""
        if snapshot != "lived_in":
            return
        text = files(self.module).joinpath(f"notifications_{language}.json").read_text(encoding="utf-8")
        for entry in json.loads(text):
            at = days_ago(phone, entry["days"], entry["time"])
            notices.post(phone, entry["address"], entry["text"], at)

    def resolve(
        self, action: str | None, data: str | None, mime: str | None, extras: Mapping[str, Any]
    ) -> Target | None:
        """`sms:` and `smsto:` addresses, and texts that other apps share."""
        if action not in _WRITE:
            return None
        if data is not None and data.split(":", 1)[0] in ("sms", "smsto", "mms", "mmsto"):
            numbers, body = parse_address(data)
            body = str(extras.get("sms_body") or extras.get("android.intent.extra.TEXT") or body)
            if len(numbers) == 1:
                return Target("thread", {"address": numbers[0], "body": body}, ("inbox",))
            return Target("compose", {"addresses": numbers, "body": body}, ("inbox",))
        if action == "android.intent.action.SEND" and (mime or "").startswith("text/"):
            return Target("compose", {"body": str(extras.get("android.intent.extra.TEXT") or "")}, ("inbox",))
        return None

    def on_broadcast(self, phone: Phone, action: str, extras: Mapping[str, Any]) -> tuple[int, str | None] | None:
        """A message that arrived, and the buttons of its notification."""
        if action == SMS_DELIVER:
            notices.arrived(phone, int(extras["id"]))
            return -1, None
        return notices.answer(phone, action, extras)

    def next_wakeup(self, phone: Phone) -> int | None:
        """When a delivery report or a reminder is due."""
        due = [store.next_delivery(phone), phone.state.database(store.DATABASE).value("SELECT MIN(at) FROM reminders")]
        return min((moment for moment in due if moment is not None), default=None)

    def on_wakeup(self, phone: Phone) -> None:
        """Delivers, and reminds."""
        store.deliver_due(phone)
        notices.remind_due(phone)
