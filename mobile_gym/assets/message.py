"""Text messages and what the messaging app keeps about their threads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import Field, model_validator

from mobile_gym.assets.base import AssetType, Entry, Meaning, Reader, as_bool, as_int, row_path
from mobile_gym.assets.documents import Strict, TextLike
from mobile_gym.devices.base import Capability, Device

SMS = "content://sms"
CONVERSATIONS = "content://com.android.messaging/conversations"
INBOX, SENT = 1, 2


class Message(Strict):
    """A text message that came from, or was sent to, a number.

    Attributes:
        sender: the number that it came from (`from`).
        to: the number that it was sent to.
        body: the text.
        contains: text, or several, that must all be part of it, where it is expected.
        contains_one_of: texts of which one must be part of it, where it is expected.
        read: whether it was read.
        minutes_ago: how long before the device's now it came, when it is injected.
        arrives: whether it is injected as a new message, with its notification, instead of as history.
    """

    sender: TextLike | None = Field(default=None, alias="from")
    to: TextLike | None = None
    body: str | None = None
    contains: tuple[str, ...] | str | None = None
    contains_one_of: tuple[str, ...] | None = None
    read: bool | None = None
    minutes_ago: float | None = Field(default=None, ge=0)
    arrives: bool = False

    @model_validator(mode="after")
    def _one_way(self) -> Message:
        if self.sender is not None and self.to is not None:
            raise ValueError("a message has either 'from' or 'to'")
        return self


class MessageType(AssetType):
    """`message: {from: ..., body: ...}`."""

    name = "message"
    document = Message
    identity = ("sender", "to", "body")
    meanings: ClassVar[Mapping[str, Meaning]] = {
        "sender": Meaning.PHONE,
        "to": Meaning.PHONE,
        "body": Meaning.TEXT,
        "contains": Meaning.PART,
        "contains_one_of": Meaning.PART,
    }

    def inject(self, device: Device, document: Any) -> None:
        """Lets the message arrive, or inserts it as history where the device lets the shell do so."""
        message: Message = document
        address = message.to if message.to is not None else message.sender
        if address is None or message.body is None:
            raise ValueError("a message needs 'body' and either 'from' or 'to' to be put on a device")
        rooted = Capability.ROOT in device.capabilities
        if message.sender is not None and (message.arrives or (not rooted and Capability.SMS in device.capabilities)):
            device.send_sms(message.sender, message.body)
            return
        sent = message.to is not None
        moment = device.clock.now().timestamp() - 60 * (message.minutes_ago or 0)
        device.content.insert(
            SMS,
            {
                "address": address,
                "body": message.body,
                "date": int(moment * 1000),
                "read": int(sent if message.read is None else message.read),
                "type": SENT if sent else INBOX,
            },
        )

    def entries(self, reader: Reader) -> list[Entry]:
        """Messages received and sent; drafts and failed ones are none."""
        found = []
        for row in reader.rows(SMS):
            kind, key = as_int(row.get("type")), row_path(SMS, row)
            if kind not in (INBOX, SENT):
                continue
            body = str(row.get("body") or "")
            fields = {
                "sender" if kind == INBOX else "to": str(row.get("address", "")),
                "body": body,
                "contains": body,
                "contains_one_of": body,
                "read": as_bool(row.get("read")),
            }
            found.append(Entry(key, fields, frozenset({key, f"{CONVERSATIONS}/{row.get('thread_id')}#row"})))
        return found

    def wanted(self, document: Any) -> dict[str, Any]:
        """Sender or addressee, body and whether it was read; not how it is to be injected."""
        fields = super().wanted(document)
        if "contains_one_of" in fields:
            fields["contains_one_of"] = frozenset(fields["contains_one_of"])
        injected = ("minutes_ago", "arrives")
        return {name: value for name, value in fields.items() if name not in injected}


class Conversation(Strict):
    """What the messaging app keeps about a thread; the thread itself comes with its messages.

    Attributes:
        number: whom it is with.
        pinned: whether it is kept at the top.
        muted: whether its messages notify.
        archived: whether it is out of the list.
        blocked: whether the other side is blocked.
    """

    number: TextLike
    pinned: bool | None = None
    muted: bool | None = None
    archived: bool | None = None
    blocked: bool | None = None


class ConversationType(AssetType):
    """`conversation: {number: ..., pinned: true}`."""

    name = "conversation"
    document = Conversation
    identity = ("number",)
    meanings: ClassVar[Mapping[str, Meaning]] = {"number": Meaning.PHONE}
    requires = frozenset({"content", "provider:com.android.messaging"})

    def inject(self, device: Device, document: Any) -> None:
        """Sets a thread's flags."""
        flags = {
            name: int(getattr(document, name))
            for name in ("pinned", "muted", "archived", "blocked")
            if getattr(document, name) is not None
        }
        quoted = document.number.replace("'", "''")
        device.content.update(CONVERSATIONS, flags, where=f"address = '{quoted}'")

    def entries(self, reader: Reader) -> list[Entry]:
        """Threads with their flags."""
        found = []
        for row in reader.rows(CONVERSATIONS):
            key = row_path(CONVERSATIONS, row, "thread_id")
            flags = {name: as_bool(row.get(name)) or False for name in ("pinned", "muted", "archived", "blocked")}
            found.append(Entry(key, {"number": str(row.get("address", "")), **flags}, frozenset({key})))
        return found
