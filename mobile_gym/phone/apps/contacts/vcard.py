"""vCard files: contacts as other phones read them (RFC 2426, and what vCard 2.1 writes otherwise)."""

from __future__ import annotations

import quopri
import re
from collections.abc import Sequence

from mobile_gym.phone.apps.contacts.store import Contact, Item, split_name

_PHONES = {2: "CELL", 1: "HOME", 3: "WORK", 12: "PREF", 4: "WORK,FAX", 5: "HOME,FAX", 7: "VOICE"}
_PLACES = {1: "HOME", 2: "WORK", 3: "OTHER", 4: "CELL"}
_ESCAPES = {"n": "\n", "N": "\n"}


def write_vcards(contacts: Sequence[Contact]) -> str:
    """Contacts as the text of a `.vcf` file."""
    return "".join(_card(contact) for contact in contacts)


def _escape(text: str) -> str:
    return re.sub(r"([\\;,])", r"\\\1", text).replace("\n", "\\n")


def _card(contact: Contact) -> str:
    given, family = split_name(contact.name)
    lines = [
        "BEGIN:VCARD",
        "VERSION:3.0",
        f"N:{_escape(family)};{_escape(given)};;;",
        f"FN:{_escape(contact.name)}",
    ]
    lines += [f"TEL;TYPE={_PHONES.get(item.type, 'VOICE')}:{_escape(item.value)}" for item in contact.phones]
    lines += [f"EMAIL;TYPE={_PLACES.get(item.type, 'OTHER')}:{_escape(item.value)}" for item in contact.emails]
    lines += [f"ADR;TYPE={_PLACES.get(item.type, 'OTHER')}:;;{_escape(item.value)};;;;" for item in contact.addresses]
    pairs = (
        ("ORG", contact.company),
        ("TITLE", contact.title),
        ("BDAY", contact.birthday),
        ("NOTE", contact.note),
    )
    lines += [f"{name}:{_escape(value)}" for name, value in pairs if value]
    return "\r\n".join((*lines, "END:VCARD", ""))


def read_vcards(text: str) -> list[Contact]:
    """The contacts of a `.vcf` file; cards without a name and a number are left out, unknown lines too."""
    found: list[Contact] = []
    card: list[tuple[str, frozenset[str], str]] | None = None
    for line in _unfold(text):
        name, marks, value = _property(line)
        if name == "BEGIN" and value.upper() == "VCARD":
            card = []
        elif name == "END" and card is not None:
            contact = _contact(card)
            if contact.name or contact.phones:
                found.append(contact)
            card = None
        elif card is not None and name:
            card.append((name, marks, value))
    return found


def _unfold(text: str) -> list[str]:
    """Lines with those that go on in the next one joined."""
    lines: list[str] = []
    soft = False
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        if soft:
            lines[-1] += "\n" + line
        elif line[:1] in (" ", "\t") and lines:
            lines[-1] += line[1:]
        else:
            lines.append(line)
        quoted = "QUOTED-PRINTABLE" in lines[-1].upper().partition(":")[0]
        soft = quoted and lines[-1].endswith("=")
    return lines


def _property(line: str) -> tuple[str, frozenset[str], str]:
    """Name, parameters in capitals, and value of a line; an empty name where it is none."""
    head, colon, value = line.partition(":")
    if not colon:
        return "", frozenset(), ""
    name, *parameters = head.split(";")
    marks: set[str] = set()
    for parameter in parameters:
        key, equals, right = parameter.partition("=")
        values = right if equals and key.upper() in ("TYPE", "ENCODING") else "" if equals else parameter
        marks |= {part.strip().upper() for part in values.split(",") if part.strip()}
    if "QUOTED-PRINTABLE" in marks:
        value = quopri.decodestring(value.encode("utf-8")).decode("utf-8", "replace")
    return name.rpartition(".")[2].strip().upper(), frozenset(marks), value


def _parts(value: str) -> list[str]:
    """The parts of a value between semicolons, without their escapes."""
    parts = [""]
    escaped = False
    for char in value:
        if escaped:
            parts[-1] += _ESCAPES.get(char, char)
            escaped = False
        elif char == "\\":
            escaped = True
        elif char == ";":
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts]


def _type(marks: frozenset[str], kinds: dict[int, str], default: int) -> int:
    """The type whose words are all among the parameters; the one with most words wins."""
    fitting = [(len(words.split(",")), -key) for key, words in kinds.items() if set(words.split(",")) <= marks]
    return -max(fitting)[1] if fitting else default


def _contact(card: list[tuple[str, frozenset[str], str]]) -> Contact:
    def texts(name: str) -> list[str]:
        return [";".join(_parts(value)).strip() for found, _, value in card if found == name]

    def first(name: str) -> str:
        return next((text for text in texts(name) if text), "")

    name = first("FN")
    if not name:
        structured = next((_parts(value) for found, _, value in card if found == "N"), [])
        family, given = [*structured, "", ""][:2]
        chinese = any("\u4e00" <= char <= "\u9fff" for char in family + given)
        name = f"{family}{given}" if chinese else f"{given} {family}".strip()
    phones, emails, addresses = [], [], []
    for found, marks, value in card:
        if found == "TEL":
            phones.append(Item(" ".join(_parts(value)), _type(marks, _PHONES, 7)))
        elif found == "EMAIL":
            emails.append(Item(" ".join(_parts(value)), _type(marks, _PLACES, 3)))
        elif found == "ADR":
            addresses.append(Item(" ".join(part for part in _parts(value) if part), _type(marks, _PLACES, 3)))
    return Contact(
        name=name,
        phones=tuple(item for item in phones if item.value),
        emails=tuple(item for item in emails if item.value),
        addresses=tuple(item for item in addresses if item.value),
        company=next((_parts(value)[0] for found, _, value in card if found == "ORG"), ""),
        title=first("TITLE"),
        birthday=_date(first("BDAY")),
        note=first("NOTE"),
    )


def _date(text: str) -> str:
    """A date as `YYYY-MM-DD`; empty where it is none."""
    match = re.match(r"(\d{4})-?(\d\d)-?(\d\d)", text)
    return "-".join(match.groups()) if match else ""
