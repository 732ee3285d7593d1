"""Rows, labels and small deeds that the app's screens share."""

from __future__ import annotations

from datetime import date

from mobile_gym.phone.apps.contacts import store
from mobile_gym.phone.apps.contacts.store import Contact, Entry, Item
from mobile_gym.phone.apps.contacts_provider.faces import contact_face
from mobile_gym.phone.apps.contacts_provider.numbers import shown
from mobile_gym.phone.apps.contacts_provider.people import NUMBER
from mobile_gym.phone.door import Intent
from mobile_gym.phone.system import formats
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Icon, Text

SENDTO = "android.intent.action.SENDTO"
DOWNLOADS = "/sdcard/Download"


def contact_row(
    entry: Entry,
    on_tap: Handler,
    *,
    on_long_press: Handler | None = None,
    chosen: bool | None = None,
    detail: str = "",
    trailing: Node | None = None,
) -> Node:
    """A contact's row in a list.

    Args:
        entry: the contact.
        on_tap: tap handler.
        on_long_press: long-press handler.
        chosen: whether it is chosen, where several can be; a chosen one has a tick for its face.
        detail: a second line.
        trailing: a node at the right.
    """
    if chosen:
        tick = Icon("check", 24.0, "onPrimary", place="center-center")
        face = Node("box", (tick,), width=40.0, height=40.0, radius=20.0, bg="primary", id="contact_tick")
    else:
        face = contact_face(entry.name, entry.photo, 40.0, id="contact_photo")
    texts = [Text(entry.name, "bodyLarge", max_lines=2, id="cliv_name_textview")]
    if detail:
        texts.append(Text(detail, "bodyMedium", "onSurfaceVariant", max_lines=1, id="cliv_data_view"))
    parts = [face, Node("col", texts, weight=1.0)]
    if trailing is not None:
        parts.append(trailing)
    return Node(
        "row",
        parts,
        gap=16.0,
        width=FILL,
        min_height=72.0 if detail else 60.0,
        pad=(16.0, 6.0, 16.0, 6.0),
        id="cliv_root",
        desc=entry.name,
        bg="secondaryContainer" if chosen else None,
        checkable=chosen is not None,
        checked=bool(chosen),
        selected=bool(chosen),
        on_tap=on_tap,
        on_long_press=on_long_press,
    )


def section(letter: str) -> Node:
    """The letter over a section of the list."""
    return Text(letter, "titleSmall", "primary", pad=(20.0, 10.0, 16.0, 4.0), width=FILL, id="section_header")


def type_label(ctx: Context, mimetype: str, item: Item) -> str:
    """What the type of a number or address is called."""
    if item.type == 0 and item.label:
        return item.label
    return ctx.tr("type_" + store.TYPES[mimetype].get(item.type, "other"))


def birthday_text(ctx: Context, text: str) -> str:
    """A birthday as the language writes it; what is no date is shown as it is."""
    born = parse_date(text)
    if born is None:
        return text
    return formats.month_day(ctx.now.replace(year=born.year, month=born.month, day=born.day), ctx.language, year=True)


def parse_date(text: str) -> date | None:
    """The date in `YYYY-MM-DD`; None where it is none."""
    parts = text.split("-")
    if len(parts) != 3 or not all(part.isdigit() for part in parts):
        return None
    year, month, day = (int(part) for part in parts)
    try:
        return date(year, month, day)
    except ValueError:
        return None


def number_text(ctx: Context, number: str) -> str:
    """A number in groups."""
    return shown(number, ctx.language)


def call(ctx: Context, number: str) -> None:
    """Calls a number; says why where the phone cannot."""
    if ctx.settings.get_int("global", "airplane_mode_on"):
        ctx.toast(ctx.tr("no_radio"))
    else:
        ctx.phone.place_call(number)


def text_to(ctx: Context, numbers: list[str]) -> Handler:
    """A handler that opens a message to some numbers."""
    return ctx.launch(Intent(action=SENDTO, data="smsto:" + ",".join(numbers)))


def can_mail(ctx: Context, address: str) -> bool:
    """Whether an enabled app takes mail to an address."""
    packages = ctx.phone.packages
    found = (ctx.phone.apps.get(name) for name in packages.names() if packages.enabled(name))
    return any(app is not None and app.resolve(SENDTO, f"mailto:{address}", None, {}) is not None for app in found)


def as_text(ctx: Context, contact: Contact) -> str:
    """A contact as lines of text, to be sent."""
    lines = [contact.name]
    lines += [f"{type_label(ctx, NUMBER, item)}: {item.value}" for item in contact.phones]
    lines += [f"{ctx.tr('email')}: {item.value}" for item in contact.emails]
    lines += [f"{ctx.tr('address')}: {item.value}" for item in contact.addresses]
    return "\n".join(line for line in lines if line)


def free_path(ctx: Context, stem: str) -> str:
    """A path of a new `.vcf` file in the Download folder, with a number where the name is taken."""
    safe = "".join("_" if char in '/\\:*?"<>|' else char for char in stem).strip() or "contact"
    path, number = f"{DOWNLOADS}/{safe}.vcf", 1
    while ctx.phone.state.files.exists(path):
        path, number = f"{DOWNLOADS}/{safe} ({number}).vcf", number + 1
    return path


def write_file(ctx: Context, path: str, text: str) -> None:
    """Writes a file of the user's."""
    ctx.phone.state.files.write(path, text.encode("utf-8"), mtime_ms=ctx.now_ms, owner="media_rw", parents=True)
