"""Threads of text messages: which one a number has, and how threads and blocked numbers agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mobile_gym.phone.apps.contacts_provider.numbers import normalise

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

DATABASE = "com.android.providers.telephony/mmssms.db"
BLOCKED_DATABASE = "com.android.providers.blockednumber/blockednumbers.db"
RECEIVED, SENT, DRAFT, OUTBOX, FAILED = 1, 2, 3, 4, 5
NO_REPORT, DELIVERED, WAITING = -1, 0, 32


def find_thread(phone: Phone, address: str) -> int | None:
    """The thread of a number, or None where there is none yet."""
    key = normalise(address)
    found: int | None = phone.state.database(DATABASE).value("SELECT _id FROM threads WHERE address_key = ?", key)
    return found


def thread_of(phone: Phone, address: str) -> int:
    """The thread of a number; made where there is none yet."""
    found = find_thread(phone, address)
    if found is not None:
        return found
    key = normalise(address)
    blocked = int(key in blocked_keys(phone))
    database = phone.state.database(DATABASE)
    return database.insert("threads", address=address.strip(), address_key=key, blocked=blocked)


def blocked_numbers(phone: Phone) -> list[str]:
    """Blocked numbers as they were entered, oldest first."""
    rows = phone.state.database(BLOCKED_DATABASE).rows("SELECT original_number FROM blocked ORDER BY _id")
    return [row["original_number"] for row in rows]


def blocked_keys(phone: Phone) -> set[str]:
    """Blocked numbers, normalised."""
    return {normalise(number) for number in blocked_numbers(phone)}


def block(phone: Phone, address: str) -> None:
    """Blocks a number: its messages and calls no longer show."""
    if normalise(address) not in blocked_keys(phone):
        phone.state.database(BLOCKED_DATABASE).insert("blocked", original_number=address, e164_number=None)
    flag_blocked_threads(phone)


def unblock(phone: Phone, address: str) -> None:
    """Takes a number off the list of blocked ones, however it was written there."""
    key = normalise(address)
    database = phone.state.database(BLOCKED_DATABASE)
    for row in database.rows("SELECT _id, original_number FROM blocked ORDER BY _id"):
        if normalise(row["original_number"]) == key:
            database.delete("blocked", row["_id"])
    flag_blocked_threads(phone)


def flag_blocked_threads(phone: Phone) -> None:
    """Makes the threads' flags say what the list of blocked numbers says."""
    keys = blocked_keys(phone)
    database = phone.state.database(DATABASE)
    for row in database.rows("SELECT _id, address_key, blocked FROM threads"):
        if (row["address_key"] in keys) != bool(row["blocked"]):
            database.update("threads", row["_id"], blocked=int(row["address_key"] in keys))


def list_blocked_threads(phone: Phone) -> None:
    """Makes the list of blocked numbers say what the threads' flags say."""
    keys = blocked_keys(phone)
    for row in phone.state.database(DATABASE).rows("SELECT address, address_key, blocked FROM threads ORDER BY _id"):
        if row["blocked"] and row["address_key"] not in keys:
            block(phone, row["address"])
        elif not row["blocked"] and row["address_key"] in keys:
            unblock(phone, row["address"])
