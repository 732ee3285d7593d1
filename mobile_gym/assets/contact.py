"""Contacts, through Android's contacts provider: a raw contact with a row of data for each name, number and address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from mobile_gym.assets.base import AssetType, Entry, Meaning, Reader, as_bool, newest_id, row_path
from mobile_gym.assets.documents import Strict, TextLike
from mobile_gym.devices.base import Device, Row

RAW_CONTACTS = "content://com.android.contacts/raw_contacts"
DATA = "content://com.android.contacts/data"
NAME = "vnd.android.cursor.item/name"
PHONE = "vnd.android.cursor.item/phone_v2"
EMAIL = "vnd.android.cursor.item/email_v2"
NOTE = "vnd.android.cursor.item/note"


class Contact(Strict):
    """A contact.

    Attributes:
        name: the name shown.
        number: a telephone number, or several.
        email: an e-mail address.
        note: the note.
        starred: whether it is a favourite.
    """

    name: str | None = None
    number: TextLike | tuple[TextLike, ...] | None = None
    email: str | None = None
    note: str | None = None
    starred: bool | None = None


class ContactType(AssetType):
    """`contact: {name: ..., number: ...}`."""

    name = "contact"
    document = Contact
    identity = ("name",)
    meanings: ClassVar[Mapping[str, Meaning]] = {
        "name": Meaning.PERSON,
        "number": Meaning.PHONE,
        "email": Meaning.TEXT,
        "note": Meaning.TEXT,
    }

    def inject(self, device: Device, document: Any) -> None:
        """Inserts a raw contact and its data rows."""
        contact: Contact = document
        device.content.insert(
            RAW_CONTACTS, {"account_type": None, "account_name": None, "starred": int(bool(contact.starred))}
        )
        raw_id = newest_id(device.content.query(RAW_CONTACTS))
        numbers = (contact.number,) if isinstance(contact.number, str) else contact.number or ()
        values = [(NAME, contact.name), *((PHONE, number) for number in numbers)]
        values += [(EMAIL, contact.email), (NOTE, contact.note)]
        for mimetype, value in values:
            if value is not None:
                row: dict[str, str | int | float | None] = {
                    "raw_contact_id": raw_id,
                    "mimetype": mimetype,
                    "data1": value,
                }
                if mimetype == PHONE:
                    row["data2"] = 2  # mobile
                device.content.insert(DATA, row)

    def entries(self, reader: Reader) -> list[Entry]:
        """Contacts, one an entry, with all their numbers."""
        groups: dict[str, list[Row]] = {}
        for row in reader.rows(DATA):
            groups.setdefault(str(row.get("raw_contact_id")), []).append(row)
        stars = {str(row.get("_id")): as_bool(row.get("starred")) for row in reader.rows(RAW_CONTACTS)}
        return [self._entry(raw_id, rows, stars.get(raw_id)) for raw_id, rows in groups.items()]

    def _entry(self, raw_id: str, rows: list[Row], starred: bool | None) -> Entry:
        def values(mimetype: str) -> tuple[str, ...]:
            return tuple(
                str(row["data1"]) for row in rows if row.get("mimetype") == mimetype and row.get("data1") is not None
            )

        key = f"{RAW_CONTACTS}/{raw_id}"
        fields = {
            "name": values(NAME) or tuple(str(row["display_name"]) for row in rows[:1] if row.get("display_name")),
            "number": values(PHONE),
            "email": values(EMAIL),
            "note": values(NOTE),
            "starred": bool(starred if starred is not None else as_bool(rows[0].get("starred"))),
        }
        return Entry(key, fields, frozenset({key, *(row_path(DATA, row) for row in rows)}))
