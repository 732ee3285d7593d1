"""Rows that several screens of the messaging app show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mobile_gym.phone.apps.contacts_provider.numbers import shown
from mobile_gym.phone.apps.contacts_provider.people import Person
from mobile_gym.phone.apps.messages import look
from mobile_gym.phone.apps.messages.store import Message, Thread
from mobile_gym.phone.apps.telephony.threads import DRAFT, FAILED, RECEIVED
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Column, Disc, Icon, Row, Text

if TYPE_CHECKING:
    from mobile_gym.phone.system.app import Context


def preview(ctx: Context, kind: int | None, text: str | None) -> str:
    """One line of a message, with a word on whose it is."""
    line = " ".join((text or "").split())
    if kind == DRAFT:
        return ctx.tr("draft_preview", text=line)
    if kind == FAILED:
        return ctx.tr("failed_preview", text=line)
    return line if kind in (None, RECEIVED) else ctx.tr("own_preview", text=line)


def thread_row(
    ctx: Context, thread: Thread, person: Person | None, selected: bool, on_tap: Handler, on_long_press: Handler
) -> Node:
    """A thread in the list: disc, name, time, snippet, how many are unread."""
    unread = thread["unread_count"]
    ink = "onSurface" if unread else "onSurfaceVariant"
    name = look.title(person, thread["address"], ctx.language)
    head = [
        Text(
            name,
            size_sp=17,
            line_sp=24,
            text_weight=600 if unread else 400,
            max_lines=1,
            weight=1.0,
            id="conversation_name",
        ),
    ]
    if thread["pinned"]:
        head.append(Icon("pin", 16.0, id="pinned_icon", desc=ctx.tr("pinned")))
    if thread["muted"]:
        head.append(Icon("bell-off-outline", 16.0, id="muted_icon", desc=ctx.tr("muted")))
    time = look.age(ctx, thread["date"])
    head.append(
        Text(time, "bodySmall", ink, text_weight=600 if unread else 400, max_lines=1, id="conversation_timestamp")
    )
    kind = thread["snippet_type"]
    line = preview(ctx, kind, thread["snippet"])
    tone = "error" if kind == FAILED else "tertiary" if kind == DRAFT else ink
    tail = [
        Text(
            line,
            "bodyMedium",
            tone,
            text_weight=600 if unread else 400,
            max_lines=1,
            weight=1.0,
            id="conversation_snippet",
        ),
    ]
    if unread:
        tail.append(badge(ctx, unread))
    leading = (
        Disc("check", 48.0, "primary", "onPrimary", 24.0, id="conversation_icon", desc=ctx.tr("selected"))
        if selected
        else look.face(person, 48.0, id="conversation_icon")
    )
    texts = Column(
        Row(*head, gap=8.0, width=FILL), Row(*tail, gap=8.0, width=FILL, min_height=20.0), gap=1.0, weight=1.0
    )
    return Node(
        "row",
        (leading, texts),
        gap=16.0,
        width=FILL,
        min_height=80.0,
        pad=(16.0, 8.0, 16.0, 8.0),
        id="conversation_item",
        selected=selected,
        bg="secondaryContainer" if selected else None,
        on_tap=on_tap,
        on_long_press=on_long_press,
    )


def badge(ctx: Context, count: int) -> Node:
    """How many messages are unread."""
    text = Text(
        "99+" if count > 99 else str(count),
        "labelMedium",
        "onPrimary",
        place="center-center",
        max_lines=1,
        id="unread_badge",
        desc=ctx.tr("unread_count", count=count),
    )
    return Node("box", (text,), min_width=20.0, min_height=20.0, radius=10.0, bg="primary", pad=(4.0, 0.0, 4.0, 0.0))


def message_row(ctx: Context, message: Message, person: Person | None, text: str, on_tap: Handler) -> Node:
    """A message that was found or starred: disc, whose it is, time, text."""
    name = look.title(person, message["address"], ctx.language)
    head = Row(
        Text(name, "bodyLarge", max_lines=1, weight=1.0, id="conversation_name"),
        Text(look.age(ctx, message["date"]), "bodySmall", "onSurfaceVariant", max_lines=1, id="conversation_timestamp"),
        gap=8.0,
        width=FILL,
    )
    body = text if message["type"] == RECEIVED else ctx.tr("own_preview", text=text)
    texts = Column(
        head,
        Text(body, "bodyMedium", "onSurfaceVariant", max_lines=2, width=FILL, id="conversation_snippet"),
        weight=1.0,
    )
    return Node(
        "row",
        (look.face(person, 48.0, id="conversation_icon"), texts),
        gap=16.0,
        width=FILL,
        min_height=80.0,
        pad=(16.0, 8.0, 16.0, 8.0),
        id="message_item",
        on_tap=on_tap,
    )


def person_row(ctx: Context, person: Person | None, number: str, on_tap: Handler, note: str = "") -> Node:
    """Somebody to write to: disc, name, number."""
    written = shown(number, ctx.language)
    name = look.title(person, number, ctx.language)
    texts = [Text(note or name, "bodyLarge", max_lines=1, id="contact_name")]
    if person is not None or note:
        texts.append(Text(written, "bodyMedium", "onSurfaceVariant", max_lines=1, id="contact_number"))
    return Node(
        "row",
        (look.face(person, 40.0), Column(*texts, weight=1.0)),
        gap=16.0,
        width=FILL,
        min_height=64.0,
        pad=(16.0, 8.0, 16.0, 8.0),
        id="contact_item",
        on_tap=on_tap,
    )


def around(body: str, query: str, before: int = 12) -> str:
    """The text of a message from shortly before where the query stands in it, so that a short line shows it."""
    line = " ".join(body.split())
    place = line.lower().find(query.lower())
    if place <= before:
        return line
    start = place - before
    space = line.find(" ", start, place)  # words stay whole
    return "\u2026" + line[space + 1 if space >= 0 else start :]
