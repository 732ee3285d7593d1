"""What a chat shows of a message: bubble with its tail, picture, voice bar, cards of money, people, places, polls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mobile_gym.phone.apps.messenger import cards, look, store
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Icon, Space, Text

if TYPE_CHECKING:
    from collections.abc import Callable

    from mobile_gym.phone.system.app import Context

PAUSE_MS = 5 * 60_000
"""A pause that a time line marks."""
FONT_SIZES = (15.0, 17.0, 19.0, 22.0, 25.0)
"""Text sizes of the bubbles by the setting `font_size`, sp."""
_WIDE = 265.0
"""Widest bubble of text, dp: fourteen Chinese characters of the usual size, rounded to whole pixels, and its pads."""


@dataclass(frozen=True, slots=True)
class Doing:
    """What touching the parts of a message does.

    Attributes:
        tap: tap on the bubble, where that does something.
        hold: long press on the bubble; gets its top, bottom and middle across, pixels.
        face: tap on the sender's picture.
        hold_face: long press on it, where that does something.
        edit_again: writes what was taken back once more.
        choose: takes the message in or out while several are chosen; None while none are.
    """

    tap: Handler | None
    hold: Callable[[int, int, int], None]
    face: Handler
    hold_face: Handler | None
    edit_again: Handler
    choose: Handler | None


def message_row(
    ctx: Context, row: store.Row, doing: Doing, *, group: bool, size_sp: float, chosen: bool, playing: bool, heard: bool
) -> Node:
    """A message with the time above it.

    Args:
        ctx: the screen's context.
        row: a row of `store.messages`.
        doing: the handlers.
        group: whether the sender's name stands over the bubble.
        size_sp: size of the text.
        chosen: whether it is among the chosen ones.
        playing: whether this voice message plays.
        heard: whether the words of this voice message show.
    """
    t = look.tone(ctx)
    parts: list[Node] = []
    if row["date_before"] is None or row["date"] - row["date_before"] > PAUSE_MS:
        parts.append(
            Text(
                look.stamp(ctx, row["date"]),
                "bodyMedium",
                t.faint,
                size_sp=13,
                line_sp=18,
                text_align="center",
                width=FILL,
                pad=(16.0, 6.0, 16.0, 14.0),
                id="time_line",
            )
        )
    if row["kind"] == "system" or row["recalled"]:
        parts.append(_line(ctx, row, doing))
        return Node("col", parts, width=FILL, pad=(0.0, 0.0, 0.0, 14.0), id="message_item")
    mine = row["sender_id"] == store.ME
    bubble = _content(ctx, row, mine, size_sp, playing)
    bubble.on_tap = doing.choose or doing.tap
    if doing.choose is None:
        bubble.on_long_press = lambda: doing.hold(bubble.y, bubble.y + bubble.h, bubble.x + bubble.w // 2)
    column: list[Node] = []
    if group and not mine:
        name = str(row["sender_shown"] or "")
        column.append(Text(name, "bodySmall", t.faint, max_lines=1, pad=(0.0, 0.0, 0.0, 3.0), id="sender_name"))
    column.append(bubble)
    if heard and row["kind"] == "voice":
        column.append(_words(ctx, row, size_sp))
    if row["quote_id"] is not None:
        column.append(_quote(ctx, int(row["quote_id"])))
    avatar = look.face(
        str(row["sender_title"] or ""),
        str(row["avatar"] or ""),
        42.0,
        id="avatar",
        desc=ctx.tr("avatar_of", name=row["sender_title"] or ""),
    )
    avatar.on_tap = doing.choose or doing.face
    avatar.on_long_press = doing.hold_face if doing.choose is None else None
    plain = row["kind"] in ("image", "location")
    tail = Space(width=10.0) if plain else _tail(_paper(ctx, row, mine), mine, bool(group and not mine))
    body = Node(
        "col",
        column,
        gap=4.0 if len(column) > 1 and not group else 2.0,
        align="end" if mine else "start",
        weight=1.0,
        hidden_from_tree=True,
    )
    order = (Space(52.0), body, tail, avatar) if mine else (avatar, tail, body, Space(52.0))
    line = Node("row", order, width=FILL, weight=1.0, align="start", hidden_from_tree=True)
    if doing.choose is not None:
        tick = Node(
            "box",
            (look.mark(ctx, chosen).replace(place="center-center"),),
            width=36.0,
            height=42.0,
            on_tap=doing.choose,
            hidden_from_tree=True,
        )
        line = Node("row", (tick, line), width=FILL, align="start", hidden_from_tree=True)
    parts.append(Node("row", (line,), width=FILL, pad=(12.0, 0.0, 12.0, 0.0), hidden_from_tree=True))
    return Node("col", parts, width=FILL, pad=(0.0, 0.0, 0.0, 14.0), id="message_item")


def _line(ctx: Context, row: store.Row, doing: Doing) -> Node:
    t = look.tone(ctx)
    if not row["recalled"]:
        text = str(row["body"])
    elif row["sender_id"] == store.ME:
        text = ctx.tr("recalled_by_you")
    else:
        text = ctx.tr("recalled_by", name=row["sender_shown"] or "")
    cells = [Text(text, "bodyMedium", t.faint, size_sp=13, line_sp=18, text_align="center", id="system_line")]
    if row["recalled"] and row["sender_id"] == store.ME and row["kind"] == "text":
        again = Text(ctx.tr("edit_again"), "bodyMedium", t.blue, size_sp=13, line_sp=18, id="edit_again")
        again.on_tap = doing.edit_again
        cells.append(again)
    return Node("row", cells, gap=6.0, width=FILL, justify="center", pad=(40.0, 0.0, 40.0, 0.0), hidden_from_tree=True)


def _tail(color: str, mine: bool, lower: bool) -> Node:
    """The point of a bubble: half of a square of 11 dp that stands on its corner, in the gap of 10."""
    points = ((0.5, 0.5), (6.0, 6.5), (0.5, 12.5)) if mine else ((9.5, 0.5), (4.0, 6.5), (9.5, 12.5))
    shape = Node(
        "stroke",
        width=10.0,
        height=13.0,
        points=points,
        filled=True,
        stroke_width=1.0,
        color=color,
        hidden_from_tree=True,
    )
    return Node("col", (Space(height=33.0 if lower else 15.0), shape), width=10.0, hidden_from_tree=True)


def _paper(ctx: Context, row: store.Row, mine: bool) -> str:
    t = look.tone(ctx)
    if row["kind"] in ("red_packet", "transfer"):
        return cards.paid_color(ctx, row)
    if row["kind"] in ("card", "file", "poll"):
        return t.incoming
    return t.out if mine else t.incoming


def _content(ctx: Context, row: store.Row, mine: bool, size_sp: float, playing: bool) -> Node:
    kind = row["kind"]
    if kind in ("red_packet", "transfer"):
        return cards.money_bubble(ctx, row)
    if kind == "image":
        return Node(
            "picture",
            source=row["source"] or "photo/park",
            width=150.0,
            height=176.0,
            radius=6.0,
            id="message_image",
            desc=ctx.tr("picture"),
        )
    if kind == "voice":
        return _voice(ctx, row, mine, playing)
    if kind == "card":
        return cards.card_bubble(ctx, row)
    if kind == "location":
        return cards.place_bubble(ctx, row)
    if kind == "file":
        return cards.file_bubble(ctx, row)
    if kind == "poll":
        return cards.poll_bubble(ctx, row)
    t = look.tone(ctx)
    return Text(
        row["body"],
        "bodyLarge",
        t.out_ink if mine else t.ink,
        size_sp=size_sp,
        line_sp=size_sp * 24 / 17,
        bg=t.out if mine else t.incoming,
        radius=6.0,
        pad=(12.0, 9.0, 12.0, 9.0),
        max_width=_WIDE,
        id="message_text",
    )


def _voice(ctx: Context, row: store.Row, mine: bool, playing: bool) -> Node:
    t = look.tone(ctx)
    ink = t.out_ink if mine else t.ink
    # The waves of the sound go to the side that the tail is not on.
    icon = Icon("wifi", 20.0, t.blue if playing else ink, turn=270 if mine else 90, hidden_from_tree=True)
    text = Text(f"{row['seconds']}\u2033", "bodyLarge", ink, size_sp=17, line_sp=24, max_lines=1, id="voice_seconds")
    order = (text, icon) if mine else (icon, text)
    return Node(
        "row",
        order,
        gap=10.0,
        width=min(82.0 + 4.8 * float(row["seconds"]), 220.0),
        min_height=42.0,
        justify="end" if mine else "start",
        pad=(12.0, 9.0, 12.0, 9.0),
        bg=t.out if mine else t.incoming,
        radius=6.0,
        id="voice_bar",
        desc=ctx.tr("voice_desc", seconds=row["seconds"]),
    )


def _words(ctx: Context, row: store.Row, size_sp: float) -> Node:
    t = look.tone(ctx)
    return Text(
        row["body"] or ctx.tr("no_words"),
        "bodyLarge",
        t.ink if row["body"] else t.faint,
        size_sp=size_sp,
        line_sp=size_sp * 24 / 17,
        bg=t.incoming,
        radius=6.0,
        pad=(12.0, 9.0, 12.0, 9.0),
        max_width=_WIDE,
        id="voice_text",
    )


def _quote(ctx: Context, key: int) -> Node:
    t = look.tone(ctx)
    quoted = ctx.db.row("SELECT * FROM view_messages WHERE _id = ?", key)
    text = (
        ctx.tr("quote_gone")
        if quoted is None or quoted["recalled"]
        else ctx.tr("said", name=quoted["sender"] or "", text=store.digest(ctx.phone, quoted))
    )
    return Text(
        text,
        "bodySmall",
        t.faint,
        size_sp=13,
        line_sp=18,
        bg=t.press,
        radius=4.0,
        pad=(8.0, 5.0, 8.0, 5.0),
        max_width=_WIDE,
        max_lines=2,
        id="quoted_text",
    )
