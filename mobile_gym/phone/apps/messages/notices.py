"""Notifications of messages: when one is posted, and what its buttons do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.apps.contacts_provider.numbers import normalise, shown
from mobile_gym.phone.apps.messages import look, store
from mobile_gym.phone.apps.messages.codes import find_code
from mobile_gym.phone.system.app import translate

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

MODULE = "mobile_gym.phone.apps.messages"
REPLY = "com.android.messaging.REPLY"
MARK_READ = "com.android.messaging.MARK_READ"
COPY_CODE = "com.android.messaging.COPY_CODE"


def arrived(phone: Phone, key: int) -> None:
    """A message came: reads it where its thread is in front, else posts a notification unless the user wants none."""
    message = store.message(phone, key)
    if message is None:
        return
    address = message["address"]
    thread = store.thread(phone, address)
    if thread is None or thread["blocked"]:
        return
    store.set_flag(phone, [address], "archived", False)
    if _in_front(phone, address):
        store.mark_read(phone, address)
    elif not thread["muted"]:
        post(phone, address, message["body"] or "")


def _in_front(phone: Phone, address: str) -> bool:
    top = phone.activities.top()
    if (top["package"], top["screen"]) != (store.PACKAGE, "thread") or phone.activities.locked():
        return False
    return bool(phone.state.interface["screen_on"]) and normalise(str(top["args"].get("address", ""))) == normalise(
        address
    )


def post(phone: Phone, address: str, body: str, posted_ms: int | None = None) -> None:
    """Posts a thread's notification: name, text, buttons to answer, to mark as read, and to copy a code."""
    person = look.find_person(store.people_by_number(phone), address)
    title = shown(address, phone.language) if person is None else person.name
    kind, _, rest = ("", "", "") if person is None else person.photo.partition("/")
    glyph, _, color = rest.partition("/")
    extras = {"address": address}
    actions: list[dict[str, Any]] = []
    code = find_code(body)
    if code is not None and store.preference(phone, "copy_codes"):
        label = translate(MODULE, "copy_code", phone.language, {"code": code})
        actions.append({"label": label, "broadcast": COPY_CODE, "extras": {"address": address, "code": code}})
    else:
        label = translate(MODULE, "reply", phone.language, {})
        actions.append({"label": label, "broadcast": REPLY, "extras": extras, "reply": True})
    label = translate(MODULE, "mark_read", phone.language, {})
    actions.append({"label": label, "broadcast": MARK_READ, "extras": extras})
    shows = store.preference(phone, "show_content")
    phone.notifier.post(
        store.PACKAGE,
        store.notification_key(address),
        title,
        body if shows else translate(MODULE, "hidden_content", phone.language, {}),
        channel="messages",
        icon=glyph if kind == "icon" else "",
        color=color,
        target={"screen": "thread", "args": {"address": address}},
        actions=actions,
        posted_ms=posted_ms,
    )


def answer(phone: Phone, action: str, extras: Mapping[str, Any]) -> tuple[int, str | None] | None:
    """Does what a notification's button asks for; None where the broadcast is none of them."""
    if action not in (REPLY, MARK_READ, COPY_CODE):
        return None
    address = str(extras.get("address", ""))
    if action == REPLY and str(extras.get("reply", "")).strip():
        store.send(phone, address, str(extras["reply"]).strip())
    if action == COPY_CODE:
        phone.set_clipboard(str(extras.get("code", "")))
        phone.show_toast(translate(MODULE, "code_copied", phone.language, {}), store.PACKAGE)
    store.mark_read(phone, address)
    return -1, None


def remind_due(phone: Phone) -> None:
    """Posts the reminders whose time has come."""
    database = phone.state.database(store.DATABASE)
    for row in database.rows("SELECT * FROM reminders WHERE at <= ? ORDER BY at, _id", phone.state.clock.now_ms):
        database.delete("reminders", row["_id"])
        message = store.message(phone, row["sms_id"])
        if message is None:
            continue
        phone.notifier.post(
            store.PACKAGE,
            f"reminder:{message['_id']}",
            translate(MODULE, "reminder_title", phone.language, {}),
            message["body"] or "",
            channel="reminders",
            icon="alarm",
            target={"screen": "thread", "args": {"address": message["address"], "hit": message["_id"]}},
        )
