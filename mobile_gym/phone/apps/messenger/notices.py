"""Notifications of new messages, and what their buttons do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.apps.messenger import store

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

REPLY = f"{store.PACKAGE}.REPLY"
MARK_READ = f"{store.PACKAGE}.MARK_READ"


def announce(phone: Phone) -> None:
    """Notifies of messages that arrived this very moment, each once; those of the chat in front are read at once."""
    data = store.database(phone)
    fresh = data.rows(
        "SELECT * FROM messages WHERE seen = 0 AND read = 0 AND sender_id <> 1 AND date = ? ORDER BY _id",
        phone.state.clock.now_ms,
    )
    for row in fresh:
        data.update("messages", row["_id"], seen=1)
        chat = store.chat(phone, row["chat_id"])
        if chat is None or row["kind"] == "system" or row["recalled"]:
            continue
        sender = store.person(phone, row["sender_id"])
        if sender is not None and sender["blacklisted"] and chat["kind"] == "single":
            # What somebody on the blacklist sends does not arrive.
            data.delete("messages", row["_id"])
        elif _in_front(phone, chat["_id"]):
            store.mark_read(phone, chat["_id"])
        elif not chat["muted"] or row["mentions_me"]:
            post(phone, chat, row)


def _in_front(phone: Phone, chat: int) -> bool:
    top = phone.activities.top()
    if (top["package"], top["screen"]) != (store.PACKAGE, "chat") or phone.activities.locked():
        return False
    return bool(phone.state.interface["screen_on"]) and str(top["args"].get("chat")) == str(chat)


def post(phone: Phone, chat: store.Row, row: store.Row, posted_ms: int | None = None) -> None:
    """Posts a chat's notification with the buttons to answer and to mark as read."""
    if not store.is_on(phone, "notify"):
        return
    text = store.digest(phone, row)
    if chat["kind"] == "group":
        text = store.word(phone, "said", name=store.title_of(phone, row["sender_id"]), text=text)
    if not store.is_on(phone, "notify_preview"):
        text = store.word(phone, "hidden_text")
    extras = {"chat": chat["_id"]}
    phone.notifier.post(
        store.PACKAGE,
        store.notification_key(chat["_id"]),
        chat["title"] or "",
        text,
        channel="messages",
        color="#07C160",
        target={"screen": "chat", "args": {"chat": chat["_id"]}},
        actions=[
            {"label": store.word(phone, "reply"), "broadcast": REPLY, "extras": extras, "reply": True},
            {"label": store.word(phone, "mark_read"), "broadcast": MARK_READ, "extras": extras},
        ],
        silent=not store.is_on(phone, "notify_sound"),
        posted_ms=posted_ms,
    )


def answer(phone: Phone, action: str, extras: Mapping[str, Any]) -> tuple[int, str | None] | None:
    """Does what a notification's button asks for; None where the broadcast is none of them."""
    if action not in (REPLY, MARK_READ):
        return None
    key = int(extras["chat"])
    if store.chat(phone, key) is None:
        return 0, None
    text = str(extras.get("reply", "")).strip()
    if action == REPLY and text:
        store.send_text(phone, key, text)
    store.mark_read(phone, key)
    return -1, None
