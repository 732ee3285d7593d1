"""Who a number belongs to, and how contacts are made; for apps that show names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mobile_gym.phone.apps.contacts_provider.numbers import normalise
from mobile_gym.phone.apps.launcher.names import initials

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

PACKAGE = "com.android.providers.contacts"
DATABASE = f"{PACKAGE}/contacts2.db"
CALLS_DATABASE = f"{PACKAGE}/calllog.db"
NAME = "vnd.android.cursor.item/name"
NUMBER = "vnd.android.cursor.item/phone_v2"
EMAIL = "vnd.android.cursor.item/email_v2"
NOTE = "vnd.android.cursor.item/note"
ORGANISATION = "vnd.android.cursor.item/organization"
EVENT = "vnd.android.cursor.item/contact_event"
"""data1 is the date as `YYYY-MM-DD`, data2 its type, such as `BIRTHDAY`."""
BIRTHDAY = 3
MEMBERSHIP = "vnd.android.cursor.item/group_membership"
"""data1 is the `_id` of the group."""
ADDRESS = "vnd.android.cursor.item/postal-address_v2"
"""data1 is the whole address, data2 its type."""

_PHONES = f"""
SELECT contact_id, display_name, data1 AS number, starred, COALESCE(photo_uri, '') AS photo,
    COALESCE(phonetic_name, '') AS phonetic
FROM view_data WHERE mimetype = '{NUMBER}' AND data1 IS NOT NULL
ORDER BY contact_id, _id
"""


@dataclass(frozen=True, slots=True)
class Person:
    """A contact by one of its numbers.

    Attributes:
        contact_id: the contact's `_id`.
        name: the name shown.
        number: the number as it was entered.
        starred: whether it is a favourite.
        photo: `letter/<text>/<colour>` or `icon/<glyph>/<colour>`; empty where the contact has no picture.
        phonetic: the name in Latin letters, words apart; empty where unknown.
    """

    contact_id: int
    name: str
    number: str
    starred: bool
    photo: str
    phonetic: str

    def matches(self, query: str) -> bool:
        """Whether name, number, Latin spelling or its initials hold the query."""
        wanted = query.strip().lower()
        if wanted in self.name.lower():
            return True
        digits = normalise(wanted)
        if digits.isdigit() and digits in normalise(self.number):
            return True
        letters = wanted.replace(" ", "")
        if not self.phonetic:
            return bool(letters) and letters in initials(self.name)
        words = self.phonetic.lower().split()
        spelt = any("".join(words[place:]).startswith(letters) for place in range(len(words)))
        return bool(letters) and (spelt or letters in "".join(word[0] for word in words))


def people(phone: Phone) -> list[Person]:
    """Every number of every contact, sorted by name."""
    found = [
        Person(
            row["contact_id"],
            row["display_name"] or row["number"],
            row["number"],
            bool(row["starred"]),
            row["photo"],
            row["phonetic"],
        )
        for row in phone.state.database(DATABASE).rows(_PHONES)
    ]
    # Names without a spelling stand among the others by their initials.
    return sorted(found, key=lambda person: (person.phonetic or initials(person.name)).lower())


def directory(phone: Phone) -> dict[str, Person]:
    """The owner of each number, by the normalised number; the first contact wins."""
    found: dict[str, Person] = {}
    for person in people(phone):
        found.setdefault(normalise(person.number), person)
    return found


def contact_data(phone: Phone, contact_id: int, mimetype: str) -> list[str]:
    """What a contact has of one kind: its numbers, its e-mail addresses, its notes; oldest first."""
    rows = phone.state.database(DATABASE).rows(
        "SELECT data1 FROM data WHERE raw_contact_id = ? AND mimetype = ? AND data1 IS NOT NULL ORDER BY _id",
        contact_id,
        mimetype,
    )
    return [row["data1"] for row in rows]


def name_of(phone: Phone, number: str) -> str | None:
    """The name of the contact that a number belongs to."""
    person = directory(phone).get(normalise(number))
    return None if person is None else person.name


def add_contact(phone: Phone, name: str, numbers: Sequence[str], email: str = "", note: str = "") -> int:
    """Makes a contact as an app on Android does: a raw contact, then its rows of data. Returns its id."""
    uri = phone.providers.insert("content://com.android.contacts/raw_contacts", {"account_name": None})
    key = int(uri.rpartition("/")[2])
    rows = [(NAME, name), *((NUMBER, number) for number in numbers), (EMAIL, email), (NOTE, note)]
    for mimetype, value in rows:
        if value:
            values: dict[str, str | int] = {"raw_contact_id": key, "mimetype": mimetype, "data1": value}
            if mimetype == NUMBER:
                values["data2"] = 2  # mobile
            phone.providers.insert("content://com.android.contacts/data", values)
    return key


def add_number(phone: Phone, contact_id: int, number: str) -> None:
    """Gives a contact one more number."""
    values = {"raw_contact_id": contact_id, "mimetype": NUMBER, "data1": number, "data2": 2}
    phone.providers.insert("content://com.android.contacts/data", values)
