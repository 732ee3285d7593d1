"""The wallet's data: names, settings, money, numbers; read by every screen."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import yaml

from mobile_gym.phone.apps.contacts_provider.numbers import normalise
from mobile_gym.phone.apps.contacts_provider.people import Person, people

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone
    from mobile_gym.phone.state import Database

PACKAGE = "com.mobench.wallet"
MODULE = "mobile_gym.phone.apps.wallet"
DATABASE = f"{PACKAGE}/wallet.db"

Row = dict[str, Any]

DEFAULTS: Mapping[str, str] = {
    "pin": "135790",
    "pin_wrong": "0",
    "pin_locked_until": "0",
    "nopin": "0",
    "nopin_limit_cents": "20000",
    "hide_balance": "0",
    "elder_mode": "0",
    "bus_on": "0",
    "notify_payment": "1",
    "notify_transfer": "1",
    "notify_arrears": "1",
    "notify_logistics": "1",
    "find_by_phone": "1",
    "show_real_name": "1",
    "code_turn": "0",
    "fund_day": "0",
}
"""Settings and their first values; a value is text, a switch `0` or `1`."""

_AMOUNT = re.compile(r"\d{1,7}(\.\d{0,2})?")


@lru_cache(maxsize=1)
def catalogue() -> Mapping[str, Any]:
    """What `catalogue.yaml` holds."""
    text = files(MODULE).joinpath("catalogue.yaml").read_text(encoding="utf-8")
    found: Mapping[str, Any] = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return found


def database(phone: Phone) -> Database:
    """The wallet's database."""
    return phone.state.database(DATABASE)


# ---- settings


def pref(phone: Phone, name: str) -> str:
    """A setting's value.

    Raises:
        KeyError: no such setting.
    """
    found = database(phone).value("SELECT value FROM settings WHERE name = ?", name)
    return DEFAULTS[name] if found is None else str(found)


def flag(phone: Phone, name: str) -> bool:
    """Whether a switch is on."""
    return pref(phone, name) == "1"


def number(phone: Phone, name: str) -> int:
    """A setting that is a number; what is none counts as 0."""
    text = pref(phone, name)
    return int(text) if text.isdigit() else 0


def put_pref(phone: Phone, name: str, value: str | int | bool) -> None:
    """Puts a setting."""
    text = str(int(value)) if isinstance(value, bool) else str(value)
    database(phone).execute(
        "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        name,
        text,
    )


# ---- money


def plain(cents: int) -> str:
    """An amount as digits: `3,286.50`."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def yuan(cents: int) -> str:
    """An amount with its currency: `¥3,286.50`."""
    return f"-¥{plain(-cents)}" if cents < 0 else f"¥{plain(cents)}"


def signed(bill: Row) -> str:
    """A bill's amount with the sign of its direction."""
    mark = {"in": "+", "out": "-"}.get(bill["direction"], "")
    return mark + plain(bill["amount_cents"])


def parse_amount(text: str) -> int | None:
    """Cents of an amount as it was typed; None where it is none, zero, or more than seven digits."""
    text = text.strip().replace(",", "")
    if not _AMOUNT.fullmatch(text):
        return None
    whole, _, part = text.partition(".")
    cents = int(whole) * 100 + int((part + "00")[:2])
    return cents or None


def account(phone: Phone) -> Row:
    """The user's account."""
    found = database(phone).row("SELECT * FROM accounts ORDER BY _id LIMIT 1")
    if found is None:
        # Somebody deleted the account through the provider: the wallet shows an empty one.
        return {
            "_id": 0,
            "name": "",
            "real_name": "",
            "phone": "",
            "balance_cents": 0,
            "opening_cents": 0,
            "fund_cents": 0,
            "fund_opening_cents": 0,
            "points": 0,
        }
    return found


def cards(phone: Phone) -> list[Row]:
    """The user's cards, the default one first."""
    return database(phone).rows("SELECT * FROM cards ORDER BY is_default DESC, _id")


def card(phone: Phone, key: int | None) -> Row | None:
    """A card."""
    return None if key is None else database(phone).row("SELECT * FROM cards WHERE _id = ?", key)


def methods(phone: Phone, via: Sequence[str] = ("balance", "fund", "card")) -> list[Row]:
    """Ways to pay in the user's order: `method`, `card_id`, `funds` in cents, `bank`, `tail`."""
    mine = account(phone)
    funds = {"balance": mine["balance_cents"], "fund": mine["fund_cents"]}
    found = database(phone).rows(
        "SELECT m._id, m.method, m.card_id, m.position, c.bank, c.tail, c.kind, c.balance_cents FROM pay_methods m "
        "LEFT JOIN cards c ON c._id = m.card_id ORDER BY m.position, m._id"
    )
    for row in found:
        row["funds"] = row["balance_cents"] if row["method"] == "card" else funds.get(row["method"], 0)
    return [row for row in found if row["method"] in via and (row["method"] != "card" or row["bank"] is not None)]


# ---- numbers and names


def valid_card(text: str) -> bool:
    """Whether digits are a bank card's number: 16 to 19 of them, the last one right (Luhn, ISO/IEC 7812)."""
    if not (text.isascii() and text.isdigit() and 16 <= len(text) <= 19):
        return False
    total = 0
    for place, digit in enumerate(reversed(text)):
        value = int(digit) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def valid_mobile(text: str, language: str) -> bool:
    """Whether a number is a mobile number of the country: 11 digits from 13 on, or ten for English."""
    digits = normalise(text)
    if re.fullmatch(r"1[3-9]\d{9}", digits):
        return True
    return language == "en" and re.fullmatch(r"[2-9]\d{9}", digits) is not None


def bank_of(text: str, language: str) -> str:
    """Name of the bank that a card number belongs to; the longest beginning counts."""
    found = _begins(catalogue()["banks"], text) or catalogue()["other_bank"]
    return str(found[language])


def bank_color(name: str) -> str:
    """Colour of a bank by its name in either language."""
    for bank in catalogue()["banks"]:
        if name in (bank["zh"], bank["en"]):
            return str(bank["color"])
    return str(catalogue()["other_bank"]["color"])


def operator_of(text: str, language: str) -> str:
    """Name of the operator of a mobile number."""
    found = _begins(catalogue()["operators"], normalise(text)) or catalogue()["other_operator"]
    return str(found[language])


def _begins(entries: Sequence[Mapping[str, Any]], text: str) -> Mapping[str, Any] | None:
    fitting = [
        (len(start), place) for place, e in enumerate(entries) for start in e["begins"] if text.startswith(start)
    ]
    return entries[max(fitting, key=lambda pair: (pair[0], -pair[1]))[1]] if fitting else None


def mobiles(phone: Phone, language: str) -> list[Person]:
    """Contacts of the phone that have a mobile number, sorted by name."""
    return [person for person in people(phone) if valid_mobile(person.number, language)]


def owner(phone: Phone, mobile: str) -> str | None:
    """Name of the contact with a mobile number."""
    key = normalise(mobile)
    return next((person.name for person in people(phone) if normalise(person.number) == key), None)


def masked(mobile: str) -> str:
    """A number with its middle hidden: `138****2618`."""
    return f"{mobile[:3]}****{mobile[-4:]}" if len(mobile) >= 8 else mobile


def tail(text: str) -> str:
    """The last four digits."""
    return text[-4:]


def grouped(text: str) -> str:
    """A card number in groups of four."""
    return " ".join(text[start : start + 4] for start in range(0, len(text), 4))


def unread(phone: Phone) -> int:
    """How many service notices were not read."""
    return int(database(phone).value("SELECT COUNT(*) FROM messages WHERE read = 0"))


def shown_services(phone: Phone) -> list[str]:
    """Services of the home page in the user's order."""
    known = catalogue()["services"]
    rows = database(phone).rows("SELECT name FROM services ORDER BY position, _id")
    return [row["name"] for row in rows if row["name"] in known]
