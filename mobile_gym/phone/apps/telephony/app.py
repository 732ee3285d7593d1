"""The apps without screens that keep text messages and blocked numbers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.apps.contacts_provider.seeding import days_ago
from mobile_gym.phone.apps.telephony import threads
from mobile_gym.phone.door import Intent
from mobile_gym.phone.errors import ProviderError
from mobile_gym.phone.system.app import App
from mobile_gym.phone.system.providers import Provider, Table, TableProvider, Values

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

SMS_DELIVER = "android.provider.Telephony.SMS_DELIVER"


def _now(phone: Phone, values: Values) -> int:
    return phone.state.clock.now_ms


def _thread(phone: Phone, values: Values) -> int:
    if not values.get("address"):
        raise ProviderError("content://sms: a message needs an address")
    return threads.thread_of(phone, str(values["address"]))


def _announce(phone: Phone) -> None:
    """Tells the messaging app of messages that arrived this very moment; each is told of once."""
    database = phone.state.database(threads.DATABASE)
    fresh = database.rows(
        "SELECT _id FROM sms WHERE seen = 0 AND read = 0 AND type = 1 AND date = ? ORDER BY _id",
        phone.state.clock.now_ms,
    )
    package = phone.state.settings.get("secure", "sms_default_application")
    for row in fresh:
        database.update("sms", row["_id"], seen=1)
        phone.activities.broadcast(Intent(action=SMS_DELIVER, package=package, extras={"id": row["_id"]}))


class TelephonyApp(App):
    """Text messages: `content://sms` and `content://mms-sms`."""

    package = "com.android.providers.telephony"
    module = "mobile_gym.phone.apps.telephony"
    databases = {"mmssms.db": "mmssms.sql"}
    sizes_mb = (3.1, 4.8, 0.0)

    def providers(self) -> Sequence[Provider]:
        """Messages by box, and their threads."""

        def box(kind: int | None) -> Table:
            defaults: dict[str, Any] = {"date": _now, "thread_id": _thread, "type": kind or threads.RECEIVED}
            if kind in (threads.SENT, threads.DRAFT):
                defaults["read"] = 1
            condition = "" if kind is None else f"type = {kind}"
            return Table(threads.DATABASE, "sms", "sms", condition, defaults, "date DESC, _id DESC", _announce)

        def view(name: str) -> Table:
            return Table(threads.DATABASE, name, sort="date DESC, _id DESC")

        boxes = {
            "": box(None),
            "inbox": box(threads.RECEIVED),
            "sent": box(threads.SENT),
            "draft": box(threads.DRAFT),
            "outbox": box(threads.OUTBOX),
            "failed": box(threads.FAILED),
            "conversations": view("view_sms_conversations"),
        }
        both = {
            "conversations": view("view_simple_threads"),
            "canonical-addresses": Table(threads.DATABASE, "view_canonical_addresses"),
        }
        return TableProvider("sms", boxes), TableProvider("mms-sms", both)

    def seed(self, phone: Phone, snapshot: str, language: str) -> None:
        """A month of messages where somebody lived with the phone."""
        if snapshot == "lived_in":
            text = files(self.module).joinpath(f"messages_{language}.json").read_text(encoding="utf-8")
            for thread in json.loads(text):
                _insert_thread(phone, thread)


def _insert_thread(phone: Phone, thread: dict[str, Any]) -> None:
    """Messages are `days hh:mm < text`: days before today, `<` for received and `>` for sent, `*` for starred."""
    address = thread["address"]
    key = threads.thread_of(phone, address)
    received = sum(line.split(" ", 3)[2][0] == "<" for line in thread["messages"])
    first_unread = received - thread.get("unread", 0)
    columns = ("thread_id", "address", "date", "date_sent", "read", "seen", "status", "type", "locked", "body")
    rows = []
    number = 0
    for line in thread["messages"]:
        days, time, way, body = line.split(" ", 3)
        date = days_ago(phone, int(days), time)
        mine = way[0] == ">"
        read = int(mine or number < first_unread)
        number += not mine
        kind, status = (threads.SENT, threads.DELIVERED) if mine else (threads.RECEIVED, threads.NO_REPORT)
        sent = date + 2000 if mine else date - 1000
        rows.append((key, address, date, sent, read, 1, status, kind, int("*" in way), body))
    database = phone.state.database(threads.DATABASE)
    database.insert_many("sms", columns, rows)
    flags = {name: 1 for name in ("pinned", "muted", "archived") if thread.get(name)}
    if flags:
        database.update("threads", key, **flags)
    if thread.get("blocked"):
        threads.block(phone, address)


class BlockedNumberApp(App):
    """Blocked numbers: `content://com.android.blockednumber`."""

    package = "com.android.providers.blockednumber"
    module = "mobile_gym.phone.apps.telephony"
    label_key = "blocked_app_name"
    databases = {"blockednumbers.db": "blockednumbers.sql"}
    sizes_mb = (0.8, 0.1, 0.0)

    def providers(self) -> Sequence[Provider]:
        """The blocked numbers."""

        def international(phone: Phone, values: Values) -> str | None:
            number = str(values.get("original_number") or "")
            return number.replace(" ", "").replace("-", "") if number.startswith("+") else None

        table = Table(
            threads.BLOCKED_DATABASE,
            "blocked",
            "blocked",
            defaults={"e164_number": international},
            on_change=threads.flag_blocked_threads,
        )
        return (TableProvider("com.android.blockednumber", {"blocked": table}),)
