"""What the messaging app reads and changes: threads, messages, drafts, stars, reminders, preferences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.apps.contacts_provider.numbers import normalise
from mobile_gym.phone.apps.contacts_provider.people import Person, directory
from mobile_gym.phone.apps.messages.codes import find_code, login_condition
from mobile_gym.phone.apps.telephony import threads
from mobile_gym.phone.state import Database

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

PACKAGE = "com.android.messaging"
DATABASE = f"{PACKAGE}/bugle_db"
DELIVERY_MS = 2500
"""How long a message takes to the other side."""
Message = dict[str, Any]
Thread = dict[str, Any]

_MESSAGES = """
SELECT *, LAG(date) OVER w AS date_before, LAG(type) OVER w AS type_before, LEAD(date) OVER w AS date_after,
    LEAD(type) OVER w AS type_after, MAX(CASE WHEN type <> 1 THEN _id END) OVER () AS last_own
FROM sms WHERE thread_id = ? AND type <> 3 WINDOW w AS (ORDER BY date, _id) ORDER BY date, _id
"""
_ORDER = "ORDER BY pinned DESC, date DESC, _id DESC"


def messages_database(phone: Phone) -> Database:
    """The database of messages and threads."""
    return phone.state.database(threads.DATABASE)


# ---- reading


def list_threads(phone: Phone, *, archived: bool, kind: str, people: Mapping[str, Person]) -> list[Thread]:
    """Threads of the list or of the archive, pinned and then newest first.

    Args:
        phone: the phone.
        archived: whether those of the archive are asked for.
        kind: `all`, `unread`, `contacts` or `codes`.
        people: owner of each number.
    """
    database = messages_database(phone)
    condition, values = "archived = ? AND blocked = 0 AND date > 0", [int(archived)]
    if kind == "codes":
        like, words = login_condition()
        sent = database.rows(f"SELECT thread_id, body FROM sms WHERE type = 1 AND ({like})", *words)
        keys = sorted({row["thread_id"] for row in sent if find_code(row["body"]) is not None})
        condition += f" AND _id IN ({', '.join(map(str, keys))})"
    if kind == "unread":
        condition += " AND unread_count > 0"
    found = database.rows(f"SELECT * FROM threads WHERE {condition} {_ORDER}", *values)
    return [row for row in found if row["address_key"] in people] if kind == "contacts" else found


def thread(phone: Phone, address: str) -> Thread | None:
    """The thread of a number."""
    return messages_database(phone).row("SELECT * FROM threads WHERE address_key = ?", normalise(address))


def messages(phone: Phone, thread_id: int) -> list[Message]:
    """A thread's messages, oldest first, each with date and type of its neighbours; drafts are left out."""
    return messages_database(phone).rows(_MESSAGES, thread_id)


def message(phone: Phone, key: int) -> Message | None:
    """One message."""
    return messages_database(phone).row("SELECT * FROM sms WHERE _id = ?", key)


def search(phone: Phone, query: str) -> list[Message]:
    """Messages whose text holds the query, newest first; those of blocked numbers are left out."""
    escaped = query.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return messages_database(phone).rows(
        "SELECT sms.* FROM sms JOIN threads ON threads._id = sms.thread_id "
        "WHERE sms.type <> 3 AND threads.blocked = 0 AND body LIKE ? ESCAPE '\\' ORDER BY sms.date DESC, sms._id DESC",
        f"%{escaped}%",
    )


def starred(phone: Phone) -> list[Message]:
    """Starred messages, newest first."""
    return messages_database(phone).rows("SELECT * FROM sms WHERE locked = 1 ORDER BY date DESC, _id DESC")


def unread_total(phone: Phone) -> int:
    """How many messages in the list wait to be read."""
    sql = "SELECT COALESCE(SUM(unread_count), 0) FROM threads WHERE blocked = 0"
    return int(messages_database(phone).value(sql))


# ---- reading marks and flags


def notification_key(address: str) -> str:
    """The key under which a thread's notification is posted."""
    return f"sms:{normalise(address)}"


def mark_read(phone: Phone, address: str) -> None:
    """The user saw a thread: its messages are read and its notification goes."""
    key = threads.find_thread(phone, address)
    if key is not None:
        messages_database(phone).execute(
            "UPDATE sms SET read = 1, seen = 1 WHERE thread_id = ? AND type = 1 AND read = 0", key
        )
    phone.notifier.cancel(PACKAGE, notification_key(address))


def mark_unread(phone: Phone, address: str) -> None:
    """Makes the last message received of a thread unread again."""
    key = threads.find_thread(phone, address)
    messages_database(phone).execute(
        "UPDATE sms SET read = 0 WHERE _id = "
        "(SELECT _id FROM sms WHERE thread_id = ? AND type = 1 ORDER BY date DESC, _id DESC LIMIT 1)",
        key,
    )


def mark_all_read(phone: Phone) -> None:
    """Marks every message as read and takes their notifications away."""
    for row in messages_database(phone).rows("SELECT address FROM threads WHERE unread_count > 0"):
        mark_read(phone, row["address"])


def set_flag(phone: Phone, addresses: Iterable[str], flag: str, value: bool) -> None:
    """Pins, mutes, archives threads, or takes that back. `flag` is `pinned`, `muted` or `archived`."""
    for address in addresses:
        key = threads.find_thread(phone, address)
        if key is not None:
            messages_database(phone).update("threads", key, **{flag: int(value)})
        if flag in ("muted", "archived") and value:
            phone.notifier.cancel(PACKAGE, notification_key(address))


def block(phone: Phone, address: str) -> None:
    """Blocks a number; its notification goes."""
    threads.block(phone, address)
    phone.notifier.cancel(PACKAGE, notification_key(address))


def set_starred(phone: Phone, key: int, value: bool) -> None:
    """Stars a message, or takes the star away."""
    messages_database(phone).update("sms", key, locked=int(value))


def delete_message(phone: Phone, key: int) -> None:
    """Deletes a message, with its reminder."""
    messages_database(phone).delete("sms", key)
    phone.state.database(DATABASE).execute("DELETE FROM reminders WHERE sms_id = ?", key)


def delete_thread(phone: Phone, address: str) -> None:
    """Deletes a thread with all its messages."""
    key = threads.find_thread(phone, address)
    if key is None:
        return
    database = messages_database(phone)
    for row in phone.state.database(DATABASE).rows("SELECT _id, sms_id FROM reminders"):
        if database.value("SELECT thread_id FROM sms WHERE _id = ?", row["sms_id"]) == key:
            phone.state.database(DATABASE).delete("reminders", row["_id"])
    database.delete("threads", key)
    phone.notifier.cancel(PACKAGE, notification_key(address))


# ---- writing


def draft(phone: Phone, address: str) -> str:
    """The text that was begun in a thread; empty where none was."""
    key = threads.find_thread(phone, address)
    if key is None:
        return ""
    found = messages_database(phone).value("SELECT body FROM sms WHERE thread_id = ? AND type = 3", key)
    return str(found or "")


def save_draft(phone: Phone, address: str, text: str) -> None:
    """Keeps the text that was begun in a thread; an empty one goes."""
    key = threads.find_thread(phone, address)
    database = messages_database(phone)
    if not text.strip():
        if key is not None:
            database.execute("DELETE FROM sms WHERE thread_id = ? AND type = 3", key)
        return
    key = threads.thread_of(phone, address)
    now = phone.state.clock.now_ms
    if not database.execute("UPDATE sms SET body = ?, date = ? WHERE thread_id = ? AND type = 3", text, now, key):
        database.insert(
            "sms",
            thread_id=key,
            address=address,
            date=now,
            type=threads.DRAFT,
            read=1,
            seen=1,
            body=text,
            creator=PACKAGE,
        )


def send(phone: Phone, address: str, text: str) -> int:
    """Sends a message; without a radio it fails. Returns its id."""
    save_draft(phone, address, "")
    failed = phone.state.settings.get_int("global", "airplane_mode_on") == 1
    status = threads.WAITING if preference(phone, "delivery_reports") and not failed else threads.NO_REPORT
    return messages_database(phone).insert(
        "sms",
        thread_id=threads.thread_of(phone, address),
        address=address,
        date=phone.state.clock.now_ms,
        type=threads.FAILED if failed else threads.SENT,
        status=status,
        read=1,
        seen=1,
        body=text,
        creator=PACKAGE,
    )


def send_again(phone: Phone, key: int) -> int:
    """Sends a message that failed once more; returns the id of the new one."""
    found = message(phone, key)
    if found is None:
        raise KeyError(f"no message {key}")
    delete_message(phone, key)
    return send(phone, found["address"], found["body"])


def next_delivery(phone: Phone) -> int | None:
    """When the next report of a delivery comes, milliseconds since the epoch."""
    date = messages_database(phone).value("SELECT MIN(date) FROM sms WHERE status = 32")
    return None if date is None else int(date) + DELIVERY_MS


def deliver_due(phone: Phone) -> None:
    """Marks what reached the other side by now."""
    now = phone.state.clock.now_ms
    messages_database(phone).execute(
        "UPDATE sms SET status = 0, date_sent = ? WHERE status = 32 AND date <= ?", now, now - DELIVERY_MS
    )


# ---- preferences and reminders


def preference(phone: Phone, name: str) -> bool:
    """One of the app's own settings."""
    return bool(phone.state.database(DATABASE).value("SELECT value FROM preferences WHERE name = ?", name))


def set_preference(phone: Phone, name: str, value: bool) -> None:
    """Changes one of the app's own settings."""
    phone.state.database(DATABASE).execute("UPDATE preferences SET value = ? WHERE name = ?", int(value), name)


def reminder(phone: Phone, key: int) -> int | None:
    """When the user wants to be reminded of a message, milliseconds since the epoch."""
    found: int | None = phone.state.database(DATABASE).value("SELECT at FROM reminders WHERE sms_id = ?", key)
    return found


def set_reminder(phone: Phone, key: int, at: int | None) -> None:
    """Reminds the user of a message at a time; None takes the reminder away."""
    database = phone.state.database(DATABASE)
    database.execute("DELETE FROM reminders WHERE sms_id = ?", key)
    if at is not None:
        database.insert("reminders", sms_id=key, at=at)


# ---- people


def people_by_number(phone: Phone) -> dict[str, Person]:
    """The owner of each number."""
    return directory(phone)
