"""The app without screens that keeps contacts and calls."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import yaml

from mobile_gym.phone.apps.contacts_provider import people
from mobile_gym.phone.apps.contacts_provider.seeding import days_ago
from mobile_gym.phone.system.app import App
from mobile_gym.phone.system.providers import Provider, Table, TableProvider, Values

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone


def _now(phone: Phone, values: Values) -> int:
    return phone.state.clock.now_ms


def _caller(phone: Phone, values: Values) -> str | None:
    return people.name_of(phone, str(values.get("number") or ""))


class ContactsProviderApp(App):
    """Contacts (`content://com.android.contacts`, `content://contacts`) and the call log (`content://call_log`)."""

    package = people.PACKAGE
    module = "mobile_gym.phone.apps.contacts_provider"
    databases = {"contacts2.db": "contacts.sql", "calllog.db": "calllog.sql"}
    sizes_mb = (4.2, 2.6, 0.1)

    def providers(self) -> Sequence[Provider]:
        """Contacts and calls."""

        def data(condition: str = "", source: str = "view_data") -> Table:
            return Table(people.DATABASE, source, "data", condition)

        contacts = {
            "raw_contacts": Table(people.DATABASE, "raw_contacts", "raw_contacts", "deleted = 0"),
            "data": data(),
            "data/phones": data(f"mimetype = '{people.NUMBER}'"),
            "data/emails": data(f"mimetype = '{people.EMAIL}'"),
            "contacts": Table(people.DATABASE, "view_contacts", "raw_contacts"),
            "groups": Table(people.DATABASE, "groups", "groups", "deleted = 0"),
            "groups_summary": Table(people.DATABASE, "view_groups"),
        }
        calls = Table(
            people.CALLS_DATABASE,
            "calls",
            "calls",
            defaults={"date": _now, "last_modified": _now, "name": _caller},
            sort="date DESC",
        )
        return (
            TableProvider("com.android.contacts", contacts),
            TableProvider("contacts", {"phones": data(source="view_phones")}),
            TableProvider("call_log", {"calls": calls}),
        )

    def seed(self, phone: Phone, snapshot: str, language: str) -> None:
        """Contacts on every phone; calls where somebody lived with it."""
        content = _load(f"contacts_{language}.json")
        database = phone.state.database(people.DATABASE)
        titles = yaml.safe_load(files(self.module).joinpath("groups.yaml").read_text(encoding="utf-8"))
        groups = {name: database.insert("groups", title=title[language]) for name, title in titles.items()}
        for contact in content:
            _insert_contact(database, contact, groups)
        if snapshot == "lived_in":
            _insert_calls(phone, _load(f"calls_{language}.json"), {c["numbers"][0]: c["name"] for c in content})


def _load(name: str) -> Any:
    return json.loads(files(ContactsProviderApp.module).joinpath(name).read_text(encoding="utf-8"))


def _insert_contact(database: Any, contact: dict[str, Any], groups: Mapping[str, int]) -> None:
    key = database.insert(
        "raw_contacts", photo_uri=contact.get("photo"), starred=int(contact.get("starred", False)), dirty=0
    )
    database.insert(
        "data",
        raw_contact_id=key,
        mimetype=people.NAME,
        data1=contact["name"],
        data2=contact.get("given"),
        data3=contact.get("family"),
        data9=contact.get("phonetic"),
    )
    for place, number in enumerate(contact["numbers"]):
        # Services have numbers at work; of people the first number is a mobile one, further ones are at home.
        service = contact.get("photo", "").startswith("icon/")
        database.insert(
            "data",
            raw_contact_id=key,
            mimetype=people.NUMBER,
            data1=number,
            data2=3 if service else 2 if place == 0 else 1,
            is_primary=int(place == 0),
        )
    for mimetype, name in ((people.EMAIL, "email"), (people.NOTE, "note"), (people.ORGANISATION, "organisation")):
        if name in contact:
            database.insert("data", raw_contact_id=key, mimetype=mimetype, data1=contact[name])
    if "birthday" in contact:
        database.insert(
            "data", raw_contact_id=key, mimetype=people.EVENT, data1=contact["birthday"], data2=people.BIRTHDAY
        )
    for group in contact.get("groups", ()):
        database.insert("data", raw_contact_id=key, mimetype=people.MEMBERSHIP, data1=groups[group])


def _insert_calls(phone: Phone, calls: list[list[Any]], names: dict[str, str]) -> None:
    """Calls are `[days before today, "hh:mm", number, type, seconds]`."""
    columns = ("number", "date", "duration", "type", "new", "is_read", "name", "last_modified")
    rows = []
    for days, time, number, kind, seconds in calls:
        date = days_ago(phone, days, time)
        fresh = int(kind == 3 and days == 0)
        rows.append((number, date, seconds, kind, fresh, 1 - fresh, names.get(number), date))
    phone.state.database(people.CALLS_DATABASE).insert_many("calls", columns, rows)
