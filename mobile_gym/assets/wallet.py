"""Bills of the embedded phone's wallet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field

from mobile_gym.assets.base import AssetType, Entry, Meaning, Reader, as_int, row_path
from mobile_gym.assets.documents import Strict
from mobile_gym.devices.base import Device

_WALLET = "content://com.mobench.wallet"
BILLS, ACCOUNTS, CARDS = f"{_WALLET}/bills", f"{_WALLET}/accounts", f"{_WALLET}/cards"
MADE_BY = ("transfers", "cash_transfers", "fund_records", "topups", "utility_payments")
"""Tables whose rows make a bill."""


class Bill(Strict):
    """Money that went out or came in.

    Attributes:
        title: who it went to or came from, or what it was for.
        amount: how much, in yuan.
        direction: `out`, `in`, or `move` between the user's own accounts; `out` where it is injected without.
        category: its category, such as `shopping`, `transfer`, `topup`, `utility`.
        method: `balance`, `fund` or `card`.
        note: the note.
        minutes_ago: how long before the device's now it was, where it is injected.
    """

    title: str | None = None
    amount: float | None = Field(default=None, ge=0)
    direction: Literal["out", "in", "move"] | None = None
    category: str | None = None
    method: Literal["balance", "fund", "card"] | None = None
    note: str | None = None
    minutes_ago: float | None = Field(default=None, ge=0)


class BillType(AssetType):
    """`bill: {title: ..., amount: 50, direction: out}`.

    A bill accounts for what comes with it: the account's money, and the transfer, top-up or payment that made it.
    """

    name = "bill"
    document = Bill
    identity = ("title", "amount", "direction")
    meanings: ClassVar[Mapping[str, Meaning]] = {"title": Meaning.TEXT, "note": Meaning.TEXT}
    requires = frozenset({"content", "provider:com.mobench.wallet"})

    def inject(self, device: Device, document: Any) -> None:
        """Inserts the bill; the money of the account follows it."""
        bill: Bill = document
        if bill.title is None or bill.amount is None:
            raise ValueError("a bill needs 'title' and 'amount' to be put on a device")
        values: dict[str, str | int | float | None] = {
            "title": bill.title,
            "amount_cents": round(bill.amount * 100),
            "direction": bill.direction or "out",
        }
        for name in ("category", "method", "note"):
            if getattr(bill, name) is not None:
                values[name] = getattr(bill, name)
        if bill.minutes_ago is not None:
            values["date"] = int((device.clock.now().timestamp() - 60 * bill.minutes_ago) * 1000)
        device.content.insert(BILLS, values)

    def entries(self, reader: Reader) -> list[Entry]:
        """All bills."""
        accounts = {row_path(ACCOUNTS, row) for row in reader.rows(ACCOUNTS)}
        made: dict[str, set[str]] = {}
        for name in MADE_BY:
            for row in reader.rows(f"{_WALLET}/{name}"):
                made.setdefault(str(row.get("bill_id")), set()).add(row_path(f"{_WALLET}/{name}", row))
        found = []
        for row in reader.rows(BILLS):
            key, card = row_path(BILLS, row), row.get("card_id")
            paths = {key, *accounts, *made.get(str(row.get("_id")), ())}
            paths |= {f"{CARDS}/{card}"} if card is not None else set()
            fields = {name: str(row.get(name) or "") for name in ("title", "direction", "category", "method", "note")}
            cents = as_int(row.get("amount_cents")) or 0
            found.append(Entry(key, {**fields, "amount": cents / 100}, frozenset(paths)))
        return found

    def wanted(self, document: Any) -> dict[str, Any]:
        """What the bill must be, to the cent; not when it was."""
        fields = super().wanted(document)
        fields.pop("minutes_ago", None)
        if "amount" in fields:
            fields["amount"] = round(fields["amount"] * 100) / 100
        return fields
