"""Fills the wallet of a new phone from `seed.yaml`."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import yaml

from mobile_gym.phone.apps.contacts_provider.numbers import normalise
from mobile_gym.phone.apps.contacts_provider.seeding import days_ago
from mobile_gym.phone.apps.wallet import codes, ledger, store

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone
    from mobile_gym.phone.state import Database

_DAY_MS = 86_400_000


@lru_cache(maxsize=1)
def seeds() -> dict[str, Any]:
    """What `seed.yaml` holds."""
    text = files(store.MODULE).joinpath("seed.yaml").read_text(encoding="utf-8")
    found: dict[str, Any] = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return found


def set_up_account(phone: Phone, language: str) -> None:
    """The account as it is right after signing up: nothing in it, the settings at their first values."""
    data = store.database(phone)
    owner = dict(seeds()["owner"][language])
    owner["phone"] = normalise(phone.state.settings.get("global", "line1_number") or owner["phone"])
    data.insert("accounts", _id=1, **owner)
    for name, value in store.DEFAULTS.items():
        data.insert("settings", name=name, value=value)
    for place, name in enumerate(store.catalogue()["home"]):
        data.insert("services", name=name, position=place + 1)
    ledger.plan_income(phone)


def seed(phone: Phone, snapshot: str, language: str) -> None:
    """Fills the wallet for a factory snapshot."""
    set_up_account(phone, language)
    data, wanted = store.database(phone), seeds()[snapshot]
    cards = _cards(phone, wanted["cards"], language)
    if snapshot == "clean":
        now = phone.state.clock.now_ms
        data.insert("devices", name="Pixel 6a", place="", date=now, current=1)
        return
    _money(phone, data, wanted, language, cards)
    for entry in wanted["cards"]:
        data.update("cards", cards[entry["number"][-4:]], balance_cents=entry["balance"][language])
    data.execute(
        "UPDATE accounts SET balance_cents = ?, fund_cents = ?, points = ?",
        wanted["balance"],
        wanted["fund"],
        wanted["points"],
    )
    for name, value in wanted["settings"].items():
        store.put_pref(phone, name, value)
    _life(phone, data, wanted, language)
    for entry in wanted["qr_files"]:
        payload, at = entry["payload"][language], days_ago(phone, entry["days"], "10:30")
        codes.write_code(phone, codes.ALBUM + entry["file"], payload, at)


def _cards(phone: Phone, entries: list[dict[str, Any]], language: str) -> dict[str, int]:
    found = {}
    for entry in entries:
        found[entry["number"][-4:]] = store.database(phone).insert(
            "cards",
            bank=store.bank_of(entry["number"], language),
            kind=entry["kind"],
            number=entry["number"],
            phone=store.account(phone)["phone"],
            balance_cents=entry["balance"][language],
            date=days_ago(phone, entry["days"], "10:00"),
        )
    return found


def _money(phone: Phone, data: Database, wanted: dict[str, Any], language: str, cards: dict[str, int]) -> None:
    zh = language == "zh"
    for days, time, category, cents, way, title_zh, title_en in wanted["bills"]:
        data.insert(
            "bills",
            date=days_ago(phone, days, time),
            amount_cents=cents if isinstance(cents, int) else cents[0 if zh else 1],
            title=title_zh if zh else title_en,
            category=category,
            method="card" if way in cards else way,
            card_id=cards.get(way),
        )
    for days, time, direction, cents, *who in wanted["transfers"]:
        name, account, _, _, note, _ = who if zh else (who[2], who[3], "", "", who[5], "")
        data.insert(
            "transfers",
            date=days_ago(phone, days, time),
            direction=direction,
            name=name,
            account=account,
            amount_cents=cents,
            note=note,
            announced=1,
        )
    for days, time, kind, cents, tail in wanted["cash_transfers"]:
        title = ledger.tr_in(language, f"title_{kind}", card=tail)
        at = days_ago(phone, days, time)
        data.insert("cash_transfers", date=at, kind=kind, amount_cents=cents, card_id=cards[tail], title=title)
    for days, time, kind, cents in wanted["fund_records"]:
        title = ledger.tr_in(language, f"fund_{kind}")
        data.insert("fund_records", date=days_ago(phone, days, time), kind=kind, amount_cents=cents, title=title)


def _life(phone: Phone, data: Database, wanted: dict[str, Any], language: str) -> None:
    owner = store.account(phone)
    for entry in wanted["utility_accounts"]:
        data.insert(
            "utility_accounts",
            kind=entry["kind"],
            company=store.catalogue()["utilities"][entry["kind"]][language],
            number=entry["number"],
            holder=owner["real_name"],
            address=entry["address"][language],
            period=entry["period"],
            arrears_cents=entry["arrears"],
            credit_cents=entry["credit"],
            due_date=days_ago(phone, -entry["due"], "18:00"),
            auto_pay=entry["auto"],
            announced_cents=entry["arrears"],
        )
    for entry in wanted["coupons"]:
        data.insert(
            "coupons",
            title=entry["title"][language],
            kind=entry["kind"],
            amount_cents=entry["amount"],
            min_cents=entry["min"],
            expires=days_ago(phone, -entry["days"], "23:59"),
        )
    for days, time, kind, read, link, *texts in wanted["messages"]:
        title, text = texts[:2] if language == "zh" else texts[2:]
        at = days_ago(phone, days, time)
        data.insert("messages", kind=kind, title=title, text=text, date=at, read=read, link=link)
    for entry in wanted["parcels"]:
        key = data.insert(
            "parcels",
            company=entry["company"][language],
            number=entry["number"],
            title=entry["title"][language],
            status=entry["status"],
            announced=1,
            code=entry["code"],
            place=entry["place"][language],
        )
        for days, time, *texts in entry["steps"]:
            at = days_ago(phone, days, time)
            data.insert("parcel_steps", parcel_id=key, date=at, text=texts[0 if language == "zh" else 1])
    card = wanted["insurance"]
    data.insert(
        "insurance",
        name=owner["real_name"],
        number=card["number"],
        balance_cents=card["balance"],
        **{name: card[name][language] for name in ("city", "kind", "hospital")},
    )
    for entry in wanted["devices"]:
        at = days_ago(phone, entry["days"], "08:00")
        data.insert("devices", name=entry["name"], place=entry["place"][language], date=at, current=entry["current"])
