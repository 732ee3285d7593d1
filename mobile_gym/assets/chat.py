"""Messages of the embedded phone's messenger, with people and chats by their names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import Field

from mobile_gym.assets.base import AssetType, Entry, Meaning, Reader, as_bool, row_path
from mobile_gym.assets.documents import Strict, TextLike
from mobile_gym.devices.base import Device

MESSAGES = "content://com.mobench.messenger/messages"
CHATS = "content://com.mobench.messenger/chats"
CONTACTS = "content://com.mobench.messenger/contacts"
OWN = "me"
_OWNER = "1"


class ChatMessage(Strict):
    """A message in a chat.

    Attributes:
        chat: the group's name, or who the chat is with: remark, name, number or account.
        sender: who wrote it (`from`); `me` for the owner. That person where it is injected into a
            chat with one without.
        body: the text; of a voice message what was said, of a place its name, of a file its name.
        contains: text, or several, that must all be part of it, where it is expected.
        contains_one_of: texts of which one must be part of it, where it is expected.
        kind: text, image, voice, red_packet, transfer, poll, card, location, file or system.
        recalled: whether it was taken back.
        read: whether it was read, where it is injected.
        minutes_ago: how long before the device's now it came, where it is injected.
    """

    chat: TextLike | None = None
    sender: TextLike | None = Field(default=None, alias="from")
    body: str | None = None
    contains: tuple[str, ...] | str | None = None
    contains_one_of: tuple[str, ...] | None = None
    kind: str | None = None
    recalled: bool | None = None
    read: bool | None = None
    minutes_ago: float | None = Field(default=None, ge=0)


class ChatMessageType(AssetType):
    """`chat_message: {chat: ..., from: me, body: ...}`."""

    name = "chat_message"
    document = ChatMessage
    identity = ("chat", "sender", "body", "kind")
    meanings: ClassVar[Mapping[str, Meaning]] = {
        "chat": Meaning.TEXT,
        "sender": Meaning.TEXT,
        "body": Meaning.TEXT,
        "contains": Meaning.PART,
        "contains_one_of": Meaning.PART,
    }
    requires = frozenset({"content", "provider:com.mobench.messenger"})

    def inject(self, device: Device, document: Any) -> None:
        """Inserts the message into its chat, which is made where the person has none."""
        message: ChatMessage = document
        if message.chat is None or message.body is None:
            raise ValueError("a chat message needs 'chat' and 'body' to be put on a device")
        values: dict[str, str | int | float | None] = {"chat": message.chat, "body": message.body}
        if message.sender is not None:
            values["sender"] = message.sender
        if message.kind is not None:
            values["kind"] = message.kind
        if message.read is not None:
            values |= {"read": int(message.read), "seen": int(message.read)}
        if message.minutes_ago is not None:
            values["date"] = int((device.clock.now().timestamp() - 60 * message.minutes_ago) * 1000)
        device.content.insert(MESSAGES, values)

    def entries(self, reader: Reader) -> list[Entry]:
        """All messages, recalled ones too."""
        people = {
            str(row.get("_id")): tuple(
                dict.fromkeys(str(row[name]) for name in ("remark", "name", "account", "number") if row.get(name))
            )
            for row in reader.rows(CONTACTS)
        }
        chats: dict[str, tuple[str, ...]] = {}
        for row in reader.rows(CHATS):
            title, other = str(row.get("title") or row.get("name") or ""), people.get(str(row.get("contact_id")), ())
            chats[str(row.get("_id"))] = (title, *other)
        found = []
        for row in reader.rows(MESSAGES):
            key, chat, sender = row_path(MESSAGES, row), str(row.get("chat_id")), str(row.get("sender_id"))
            body = str(row.get("body") or "")
            fields = {
                "chat": chats.get(chat, ()),
                "sender": (*people.get(sender, ()), *((OWN,) if sender == _OWNER else ())),
                "body": body,
                "contains": body,
                "contains_one_of": body,
                "kind": str(row.get("kind") or ""),
                "recalled": as_bool(row.get("recalled")) or False,
            }
            found.append(Entry(key, fields, frozenset({key, f"{CHATS}/{chat}#row"})))
        return found

    def wanted(self, document: Any) -> dict[str, Any]:
        """Chat, sender, text and kind; not how it is to be injected."""
        fields = super().wanted(document)
        if "contains_one_of" in fields:
            fields["contains_one_of"] = frozenset(fields["contains_one_of"])
        return {name: value for name, value in fields.items() if name not in ("read", "minutes_ago")}
