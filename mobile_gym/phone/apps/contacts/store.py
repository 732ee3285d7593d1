"""Contacts as the app shows and saves them: rows of the contacts provider, brought together by contact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.apps.contacts_provider.numbers import normalise
from mobile_gym.phone.apps.contacts_provider.people import (
    ADDRESS,
    BIRTHDAY,
    DATABASE,
    EMAIL,
    EVENT,
    MEMBERSHIP,
    NAME,
    NOTE,
    NUMBER,
    ORGANISATION,
)
from mobile_gym.phone.apps.launcher.names import initials
from mobile_gym.phone.state import Database
from mobile_gym.phone.state.database import Row

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

PACKAGE = "com.android.contacts"
MODULE = "mobile_gym.phone.apps.contacts"
PREFS = f"{PACKAGE}/contacts_app.db"
PHONE_TYPES = {2: "mobile", 1: "home", 3: "work", 12: "main", 4: "fax_work", 5: "fax_home", 7: "other"}
EMAIL_TYPES = {1: "home", 2: "work", 4: "mobile", 3: "other"}
ADDRESS_TYPES = {1: "home", 2: "work", 3: "other"}
TYPES = {NUMBER: PHONE_TYPES, EMAIL: EMAIL_TYPES, ADDRESS: ADDRESS_TYPES}
"""Types (data2) that a kind of data may have, in the order of the menu; 0 is one with a label of its own (data3)."""
OTHER = "#"
"""The section of names that begin with no letter."""

_ENTRIES = f"""
SELECT c._id, c.display_name, c.phonetic_name, c.starred, c.photo_uri, n.data2 AS given, n.data3 AS family,
    (SELECT data1 FROM data WHERE raw_contact_id = c._id AND mimetype = '{NUMBER}' ORDER BY is_primary DESC, _id
     LIMIT 1) AS number
FROM raw_contacts AS c LEFT JOIN data AS n ON n.raw_contact_id = c._id AND n.mimetype = '{NAME}'
WHERE c.deleted = 0 GROUP BY c._id
"""
_FOUND = f"""
SELECT raw_contact_id, mimetype, data1 FROM data
WHERE mimetype IN ('{NUMBER}', '{EMAIL}', '{ORGANISATION}', '{NOTE}') AND data1 IS NOT NULL
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """A contact in a list.

    Attributes:
        id: the contact's `_id`.
        name: the name shown, by the user's name format.
        photo: see `contact_face`.
        starred: whether it is a favourite.
        number: its first number, or empty.
        key: what it is sorted by.
        letter: the section that it stands in, A to Z or `#`.
        phonetic: the name in Latin letters, words apart; empty where unknown.
    """

    id: int
    name: str
    photo: str
    starred: bool
    number: str
    key: str
    letter: str
    phonetic: str


@dataclass(frozen=True, slots=True)
class Item:
    """A number or an address of a contact, with its type and own label."""

    value: str
    type: int
    label: str = ""


@dataclass(frozen=True, slots=True)
class Contact:
    """All that the app knows of a contact; the birthday is `YYYY-MM-DD` or empty, groups are ids."""

    name: str
    phones: tuple[Item, ...] = ()
    emails: tuple[Item, ...] = ()
    addresses: tuple[Item, ...] = ()
    company: str = ""
    title: str = ""
    birthday: str = ""
    note: str = ""
    groups: tuple[int, ...] = ()
    photo: str = ""
    starred: bool = False
    ringtone: str = ""
    voicemail: bool = False


def database(phone: Phone) -> Database:
    """The provider's database."""
    return phone.state.database(DATABASE)


# ---- lists


def split_name(name: str) -> tuple[str, str]:
    """Given and family name, as far as the name tells: the last word of several, the first sign of a Chinese one."""
    words = name.split()
    if len(words) > 1 and name.isascii() and all(word.replace(".", "").replace("-", "").isalpha() for word in words):
        return " ".join(words[:-1]), words[-1]
    if len(words) == 1 and 2 <= len(name) <= 3 and all("\u4e00" <= char <= "\u9fff" for char in name):
        return name[1:], name[0]
    return name, ""


def entries(phone: Phone) -> list[Entry]:
    """All contacts, in the user's sort order and name format."""
    by_family = pref(phone, "sort_order", "first") == "last"
    family_first = pref(phone, "name_format", "first") == "last"
    found = [_entry(row, by_family, family_first) for row in database(phone).rows(_ENTRIES)]
    return sorted(found, key=lambda entry: (entry.letter == OTHER, entry.key, entry.id))


def _entry(row: Row, by_family: bool, family_first: bool) -> Entry:
    name = row["display_name"] or ""
    given, family = row["given"] or "", row["family"] or ""
    latin = bool(given and family) and name == f"{given} {family}"
    shown = f"{family}, {given}" if latin and family_first else name
    phonetic = row["phonetic_name"] or ""
    key = f"{family} {given}" if latin and by_family else phonetic or initials(name) or name
    key = key.lower()
    letter = key[:1].upper()
    return Entry(
        id=row["_id"],
        name=shown,
        photo=row["photo_uri"] or "",
        starred=bool(row["starred"]),
        number=row["number"] or "",
        key=key,
        letter=letter if "A" <= letter <= "Z" else OTHER,
        phonetic=phonetic,
    )


def search(phone: Phone, query: str) -> list[Entry]:
    """Contacts whose name, its spelling or initials, number, address, company or note hold the query."""
    wanted = query.strip().lower()
    letters, digits = wanted.replace(" ", ""), normalise(wanted)
    by_data: set[int] = set()
    for row in database(phone).rows(_FOUND):
        text = str(row["data1"])
        if row["mimetype"] == NUMBER:
            if digits.isdigit() and digits in normalise(text):
                by_data.add(row["raw_contact_id"])
        elif wanted in text.lower():
            by_data.add(row["raw_contact_id"])
    return [entry for entry in entries(phone) if entry.id in by_data or _named(entry, wanted, letters)]


def _named(entry: Entry, wanted: str, letters: str) -> bool:
    if wanted in entry.name.lower():
        return True
    words = entry.phonetic.lower().split()
    if not words:
        return bool(letters) and letters in initials(entry.name)
    spelt = any("".join(words[place:]).startswith(letters) for place in range(len(words)))
    return bool(letters) and (spelt or letters in "".join(word[0] for word in words))


# ---- one contact


def contact(phone: Phone, key: int) -> Contact | None:
    """A contact, or None where there is none of this id."""
    data = database(phone)
    raw = data.row("SELECT * FROM raw_contacts WHERE _id = ? AND deleted = 0", key)
    if raw is None:
        return None
    rows = data.rows("SELECT * FROM data WHERE raw_contact_id = ? ORDER BY _id", key)

    def items(mimetype: str) -> tuple[Item, ...]:
        kept = [row for row in rows if row["mimetype"] == mimetype and row["data1"]]
        return tuple(Item(row["data1"], _whole(row["data2"]), row["data3"] or "") for row in kept)

    def first(mimetype: str, column: str = "data1") -> str:
        return next((str(row[column]) for row in rows if row["mimetype"] == mimetype and row[column]), "")

    births = [row["data1"] for row in rows if row["mimetype"] == EVENT and _whole(row["data2"]) == BIRTHDAY]
    return Contact(
        name=first(NAME) or raw["display_name"] or "",
        phones=items(NUMBER),
        emails=items(EMAIL),
        addresses=items(ADDRESS),
        company=first(ORGANISATION),
        title=first(ORGANISATION, "data4"),
        birthday=str(births[0] or "") if births else "",
        note=first(NOTE),
        groups=tuple(_whole(row["data1"]) for row in rows if row["mimetype"] == MEMBERSHIP),
        photo=raw["photo_uri"] or "",
        starred=bool(raw["starred"]),
        ringtone=raw["custom_ringtone"] or "",
        voicemail=bool(raw["send_to_voicemail"]),
    )


def _whole(value: Any) -> int:
    """A type or id, which the shell may have written as text; 0 for what is none."""
    text = str(value)
    return int(text) if text.isdigit() else 0


def save(phone: Phone, key: int | None, new: Contact) -> int:
    """Writes a contact; makes it where `key` is None. Rows that stay the same keep their ids. Returns its id."""
    data = database(phone)
    if key is None:
        key = data.insert("raw_contacts", starred=int(new.starred), photo_uri=new.photo or None)
    old = contact(phone, key)
    if new.name and (old is None or old.name != new.name or not data.value(_HAS_NAME, key)):
        given, family = split_name(new.name)
        _sync(data, key, NAME, [{"data1": new.name, "data2": given, "data3": family or None, "data9": None}])
    elif not new.name:
        _sync(data, key, NAME, [])
    for mimetype, items in ((NUMBER, new.phones), (EMAIL, new.emails), (ADDRESS, new.addresses)):
        _sync(data, key, mimetype, [_columns(item) for item in items])
    works = bool(new.company or new.title)
    _sync(data, key, ORGANISATION, [{"data1": new.company, "data4": new.title}] if works else [])
    _sync(data, key, NOTE, [{"data1": new.note}] if new.note else [])
    birth = [{"data1": new.birthday, "data2": str(BIRTHDAY)}] if new.birthday else []
    _sync(data, key, EVENT, birth, f"data2 = '{BIRTHDAY}'")
    _sync(data, key, MEMBERSHIP, [{"data1": str(group)} for group in new.groups])
    phone.invalidate()
    return key


_HAS_NAME = f"SELECT COUNT(*) FROM data WHERE raw_contact_id = ? AND mimetype = '{NAME}'"


def _columns(item: Item) -> dict[str, str | None]:
    return {"data1": item.value, "data2": str(item.type), "data3": item.label or None}


def _sync(
    data: Database, key: int, mimetype: str, wanted: Sequence[Mapping[str, str | None]], condition: str = "1"
) -> None:
    """Makes the rows of one kind say what is wanted, in order, with as few writes as it takes."""
    rows = data.rows(
        f"SELECT * FROM data WHERE raw_contact_id = ? AND mimetype = ? AND {condition} ORDER BY _id", key, mimetype
    )
    for row, values in zip(rows, wanted, strict=False):
        if any(row[name] != value for name, value in values.items()):
            data.update("data", row["_id"], **values)
    for row in rows[len(wanted) :]:
        data.delete("data", row["_id"])
    for values in wanted[len(rows) :]:
        data.insert("data", raw_contact_id=key, mimetype=mimetype, **values)


def set_flags(phone: Phone, key: int, **values: int | str | None) -> None:
    """Sets columns of a contact itself: starred, custom_ringtone, send_to_voicemail."""
    database(phone).update("raw_contacts", key, **values)
    phone.invalidate()


def delete(phone: Phone, keys: Sequence[int]) -> None:
    """Deletes contacts with all that belongs to them."""
    for key in keys:
        database(phone).delete("raw_contacts", key)
    phone.invalidate()


# ---- duplicates


def duplicates(phone: Phone) -> list[list[int]]:
    """Contacts that are most likely one: same name or same number. Ids, oldest first in each set."""
    first: dict[str, int] = {}
    leader: dict[int, int] = {}
    rows = database(phone).rows(
        f"SELECT raw_contact_id AS id, mimetype, data1 FROM data WHERE mimetype IN ('{NAME}', '{NUMBER}')"
        " AND COALESCE(data1, '') <> '' ORDER BY raw_contact_id, _id"
    )

    def find(key: int) -> int:
        while leader[key] != key:
            key = leader[key]
        return key

    for row in rows:
        key = row["id"]
        leader.setdefault(key, key)
        mark = f"n {row['data1'].strip().lower()}" if row["mimetype"] == NAME else f"t {normalise(row['data1'])}"
        other = find(first.setdefault(mark, key))
        mine = find(key)
        leader[max(mine, other)] = min(mine, other)
    sets: dict[int, list[int]] = {}
    for key in leader:
        sets.setdefault(find(key), []).append(key)
    return [keys for _, keys in sorted(sets.items()) if len(keys) > 1]


def merge(phone: Phone, keys: Sequence[int]) -> int:
    """Makes one contact of several: the first keeps its name and gets what only the others have. Returns its id."""
    found = [(key, one) for key in keys if (one := contact(phone, key)) is not None]
    key, kept = found[0]
    others = [one for _, one in found[1:]]

    def united(name: str) -> tuple[Item, ...]:
        items: dict[str, Item] = {}
        for one in (kept, *others):
            for item in getattr(one, name):
                mark = normalise(item.value) if name == "phones" else item.value.strip().lower()
                items.setdefault(mark, item)
        return tuple(items.values())

    def first(name: str) -> str:
        return next((str(value) for one in (kept, *others) if (value := getattr(one, name))), "")

    notes = list(dict.fromkeys(one.note for one in (kept, *others) if one.note))
    groups = tuple(dict.fromkeys(group for one in (kept, *others) for group in one.groups))
    whole = Contact(
        name=kept.name,
        phones=united("phones"),
        emails=united("emails"),
        addresses=united("addresses"),
        company=first("company"),
        title=first("title"),
        birthday=first("birthday"),
        note="\n".join(notes),
        groups=groups,
    )
    save(phone, key, whole)
    starred = int(any(one.starred for one in (kept, *others)))
    set_flags(phone, key, starred=starred, photo_uri=first("photo") or None, custom_ringtone=first("ringtone") or None)
    delete(phone, [other for other, _ in found[1:]])
    return key


# ---- groups


def groups(phone: Phone) -> list[Row]:
    """Groups with their `summ_count`, in the order they were made."""
    return database(phone).rows("SELECT * FROM view_groups ORDER BY _id")


def group_title(phone: Phone, group: int) -> str | None:
    """A group's name; None where it is gone."""
    found: str | None = database(phone).value("SELECT title FROM groups WHERE _id = ? AND deleted = 0", group)
    return found


def members(phone: Phone, group: int) -> list[int]:
    """Ids of the contacts in a group."""
    rows = database(phone).rows(
        f"SELECT DISTINCT raw_contact_id AS id FROM data WHERE mimetype = '{MEMBERSHIP}' AND data1 = ? ORDER BY id",
        str(group),
    )
    return [row["id"] for row in rows]


def name_taken(phone: Phone, title: str, but: int | None = None) -> bool:
    """Whether another group has this name."""
    return any(row["title"] == title and row["_id"] != but for row in groups(phone))


def add_members(phone: Phone, group: int, keys: Sequence[int]) -> None:
    """Puts contacts into a group; those that are in it stay so."""
    there = set(members(phone, group))
    for key in keys:
        if key not in there:
            database(phone).insert("data", raw_contact_id=key, mimetype=MEMBERSHIP, data1=str(group))
    phone.invalidate()


def remove_members(phone: Phone, group: int, keys: Sequence[int]) -> None:
    """Takes contacts out of a group."""
    for key in keys:
        database(phone).execute(
            f"DELETE FROM data WHERE mimetype = '{MEMBERSHIP}' AND data1 = ? AND raw_contact_id = ?", str(group), key
        )
    phone.invalidate()


# ---- preferences


def pref(phone: Phone, name: str, default: str) -> str:
    """A preference of the app."""
    found = phone.state.database(PREFS).value("SELECT value FROM prefs WHERE name = ?", name)
    return default if found is None else str(found)


def set_pref(phone: Phone, name: str, value: str) -> None:
    """Sets a preference of the app."""
    phone.state.database(PREFS).execute(
        "INSERT INTO prefs (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = ?2", name, value
    )
    phone.invalidate()
