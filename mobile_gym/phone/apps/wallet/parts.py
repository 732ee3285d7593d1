"""Pieces that the wallet's screens are made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.apps.wallet import store
from mobile_gym.phone.apps.wallet.store import Row as Record
from mobile_gym.phone.system import formats
from mobile_gym.phone.ui.node import FILL, Edges, Handler, Node
from mobile_gym.phone.ui.widgets import (
    Button,
    Column,
    Disc,
    Icon,
    IconButton,
    LazyList,
    ListRow,
    Row,
    Scaffold,
    Sheet,
    Space,
    Text,
    TopBar,
    fitting,
)
from mobile_gym.phone.ui.widgets.basics import spread
from mobile_gym.phone.ui.widgets.fields import field

if TYPE_CHECKING:
    from mobile_gym.phone.system.app import Context

_PANEL_SIDES = 24.0
_BETWEEN = 8.0
"""What is left free between the names of two cells."""
_LABEL = 96.0
_LABELS = ("card_number", "utility_number", "address")
"""The longest labels of fields."""


def tint(ink: str) -> str:
    """The pale surface behind a glyph in an ink."""
    return ink.replace("ink", "tint")


def glyph(icon: str, ink: str, size: float = 40.0, **attributes: Any) -> Node:
    """An icon on its pale disc."""
    return Disc(icon, size, tint(ink), ink, size * 0.55, **attributes)


# ---- pages


def page(
    ctx: Context,
    title: str,
    rows: Sequence[Any],
    *,
    row: Callable[[Any], Node] | None = None,
    actions: Sequence[Node] = (),
    bottom: Node | None = None,
    head: Sequence[Node] = (),
    empty: Node | None = None,
    id: str = "recycler_view",
    bg: str = "page",
) -> Node:
    """A page: bar, what stays under it, a list, a button at the bottom."""
    listed = LazyList(rows, row=row, id=id, gap=0.0, empty=empty, top_pad=4.0, bottom_pad=24.0)
    body = Node("col", (*head, listed.replace(weight=1.0)), width=FILL, hidden_from_tree=True) if head else listed
    return Scaffold(body, top=TopBar(ctx, title, actions=actions), bottom=bottom, bg=bg)


def panel(*children: Node, pad: Edges | float = 0.0, gap: float = 0.0, below: float = 10.0, **attributes: Any) -> Node:
    """A white card with round corners, 12 dp from the sides."""
    inner = Node(
        "col",
        children,
        width=FILL,
        bg=attributes.pop("bg", "card"),
        radius=12.0,
        pad=pad,
        gap=gap,
        clip_children=True,
        **attributes,
    )
    return Node("box", (inner,), width=FILL, pad=(12.0, 0.0, 12.0, below), hidden_from_tree=True)


def heading(text: str, more: str = "", on_more: Handler | None = None, id: str = "") -> Node:
    """A panel's title, with a way to all of it at the right."""
    parts = [Text(text, "titleMedium", weight=1.0, max_lines=1, id="section_title")]
    if more:
        parts.append(
            Row(
                Text(more, "bodyMedium", "onSurfaceVariant", max_lines=1),
                Icon("chevron-right", 18.0, hidden_from_tree=True),
                min_height=48.0,
                pad=(12.0, 0.0, 4.0, 0.0),
                on_tap=on_more,
                id=id,
                desc=more,
            )
        )
    return Row(*parts, width=FILL, min_height=48.0, pad=(16.0, 0.0, 8.0, 0.0))


def entry(
    ctx: Context, icon: str, ink: str, title: str, on_tap: Handler, value: str = "", id: str = "", subtitle: str = ""
) -> Node:
    """A row of a menu: icon, title, value, arrow."""
    tail = []
    if value:
        tail.append(
            Text(value, "bodyMedium", "onSurfaceVariant", max_lines=2, id="value", max_width=200.0, text_align="end")
        )
    trailing = Row(*tail, Icon("chevron-right", 20.0, hidden_from_tree=True), gap=4.0, hidden_from_tree=True)
    leading = Icon(icon, 24.0, ink, hidden_from_tree=True) if icon else None
    return ListRow(title, subtitle, leading=leading, trailing=trailing, on_tap=on_tap, id=id)


def topped_row(title: str, tag: Node, text: str, leading: Node) -> Node:
    """A row whose tag stands beside the title alone, so that the numbers below it have the whole width."""
    top = Row(Text(title, "bodyLarge", weight=1.0, id="title"), tag, gap=12.0, width=FILL, hidden_from_tree=True)
    words = Column(top, Text(text, "bodyMedium", "onSurfaceVariant", id="summary"), weight=1.0, hidden_from_tree=True)
    return Row(leading, words, gap=16.0, width=FILL, min_height=72.0, pad=(16.0, 13.0, 16.0, 13.0))


def fact(ctx: Context, label: str, value: str, id: str = "", color: str = "onSurface") -> Node:
    """A line of details: label at the left, value at the right; under it, where a number would break beside it."""
    beside = (fitting.screen_width(ctx) - _PANEL_SIDES - 32.0 - 12.0) * 0.6
    if not fitting.fits(ctx, value, "bodyMedium", beside, lines=9):
        return Column(
            Text(label, "bodyMedium", "onSurfaceVariant"),
            Text(value, "bodyMedium", color, width=FILL, text_align="end", id=id),
            width=FILL,
            pad=(16.0, 6.0, 16.0, 6.0),
        )
    return Row(
        Text(label, "bodyMedium", "onSurfaceVariant", weight=2.0),
        Text(value, "bodyMedium", color, weight=3.0, text_align="end", id=id),
        gap=12.0,
        width=FILL,
        min_height=40.0,
        pad=(16.0, 6.0, 16.0, 6.0),
    )


def amount(cents: int, id: str = "", size: float = 36.0, color: str = "onSurface", hidden: bool = False) -> Node:
    """An amount in big digits."""
    text = "****" if hidden else store.yuan(cents)
    return Text(text, "titleLarge", color, size_sp=size, line_sp=size * 1.2, text_weight=500, max_lines=1, id=id)


def wide_button(label: str, on_tap: Handler | None, id: str, enabled: bool = True, tone: str = "filled") -> Node:
    """A button over the whole width, at the foot of a page."""
    inner = Button(
        label,
        on_tap if enabled else None,
        id=id,
        enabled=enabled,
        tone=tone,
        width=FILL,
    ).replace(min_height=48.0, radius=24.0)
    return Node("box", (inner,), width=FILL, pad=(16.0, 8.0, 16.0, 12.0), hidden_from_tree=True)


def amount_field(
    ctx: Context, id: str, label: str, *, error: str = "", note: str = "", max_tap: Handler | None = None
) -> Node:
    """A big field for an amount, with its currency and what is wrong with it."""
    inner = field(
        ctx,
        id,
        hint="0.00",
        input_type="decimal",
        max_length=10,
        width=FILL,
        style="headlineLarge",
        text_weight=500,
        on_change=lambda _: ctx.ui.pop("wrong", None),
        weight=1.0,
    )
    parts = [Text("¥", "headlineMedium", text_weight=500, hidden_from_tree=True), inner]
    if inner.text:
        parts.append(
            IconButton("close-circle", lambda: ctx.set_field(id, ""), ctx.tr("clear"), id=f"{id}_clear", glyph=20.0)
        )
    if max_tap is not None:
        parts.append(
            Node(
                "row",
                (Text(ctx.tr("all_of_it"), "labelLarge", "primary", max_lines=1, hidden_from_tree=True),),
                min_height=48.0,
                pad=(8.0, 0.0, 4.0, 0.0),
                on_tap=max_tap,
                id="all_button",
                text=ctx.tr("all_of_it"),
                cls="android.widget.Button",
            )
        )
    rows = [
        Text(label, "bodyMedium", "onSurfaceVariant"),
        Row(*parts, gap=8.0, width=FILL, min_height=56.0),
        Node("space", width=FILL, height=1.0, bg="outlineVariant", hidden_from_tree=True),
    ]
    if error:
        rows.append(Text(error, "bodySmall", "alert", id=f"{id}_error", pad=(0.0, 6.0, 0.0, 0.0)))
    elif note:
        rows.append(Text(note, "bodySmall", "onSurfaceVariant", id=f"{id}_note", pad=(0.0, 6.0, 0.0, 0.0)))
    return Column(*rows, width=FILL, pad=(16.0, 16.0, 16.0, 16.0))


def text_row(ctx: Context, id: str, label: str, hint: str, *, error: str = "", **options: Any) -> Node:
    """A field in a row: label at the left, text beside it; above it, where the font is too large for both."""
    trailing = options.pop("trailing", None)
    inner = field(
        ctx,
        id,
        hint=hint,
        width=FILL,
        weight=1.0,
        on_change=options.pop("on_change", None) or (lambda _: ctx.ui.pop("wrong", None)),
        **options,
    )
    tail = (trailing,) if trailing is not None else ()
    above = not all(fitting.fits(ctx, ctx.tr(key), "bodyLarge", _LABEL, lines=2) for key in _LABELS)
    if above:  # in all rows alike, however short their own labels are
        line = Column(
            Text(label, "bodyMedium", "onSurfaceVariant"),
            Row(inner, *tail, gap=8.0, width=FILL, min_height=48.0),
            width=FILL,
            pad=(16.0, 8.0, 8.0, 4.0),
        )
    else:
        line = Row(
            Text(label, "bodyLarge", width=_LABEL),
            inner,
            *tail,
            gap=8.0,
            width=FILL,
            min_height=56.0,
            pad=(16.0, 4.0, 8.0, 4.0),
        )
    if not error:
        return line
    left = 16.0 if above else 16.0 + _LABEL + 8.0
    note = Text(error, "bodySmall", "alert", id=f"{id}_error", pad=(left, 0.0, 16.0, 8.0))
    return Column(line, note, width=FILL)


def cell(icon: str, ink: str, label: str, on_tap: Handler, id: str) -> Node:
    """A service of a grid: an icon on a pale square over its name."""
    tile = Node(
        "box",
        (Icon(icon, 26.0, ink, place="center-center", hidden_from_tree=True),),
        width=44.0,
        height=44.0,
        radius=14.0,
        bg=tint(ink),
        hidden_from_tree=True,
    )
    return Node(
        "col",
        (tile, Text(label, "bodySmall", max_lines=2, text_align="center", hidden_from_tree=True)),
        gap=6.0,
        align="center",
        pad=(2.0, 8.0, 2.0, 8.0),
        on_tap=on_tap,
        id=id,
        text=label,
        cls="android.widget.TextView",
    )


def cells(ctx: Context, found: Sequence[Node], most: int) -> Node:
    """A panel's grid of cells: as many in a row as `most`, fewer where larger names would break or touch.

    Names on one line are worth one column.
    """
    names, room = [one.text for one in found], fitting.screen_width(ctx) - _PANEL_SIDES - 8.0 - _BETWEEN
    count = fitting.columns(ctx, names, "bodySmall", room, most, gap=_BETWEEN)
    if count < most - 1:
        count = fitting.columns(ctx, names, "bodySmall", room, most, gap=_BETWEEN, lines=2)
    return spread(found, count)


def banner(text: str, icon: str = "information-outline", on_tap: Handler | None = None, id: str = "notice") -> Node:
    """A pale strip that warns or reminds."""
    parts = [
        Icon(icon, 20.0, "onNotice", hidden_from_tree=True),
        Text(text, "bodyMedium", "onNotice", weight=1.0, id=f"{id}_text"),
    ]
    if on_tap is not None:
        parts.append(Icon("chevron-right", 18.0, "onNotice", hidden_from_tree=True))
    return Node(
        "row",
        parts,
        gap=10.0,
        width=FILL,
        min_height=48.0,
        pad=(14.0, 8.0, 12.0, 8.0),
        bg="notice",
        radius=12.0,
        on_tap=on_tap,
        id=id,
    )


def sheet(ctx: Context, title: str, rows: Sequence[Node]) -> Node:
    """A sheet of rows; more than seven scroll."""
    wide = [row.replace(pad=(24.0, 8.0, 24.0, 8.0)) for row in rows]
    if len(wide) <= 7:
        return Sheet(ctx, *wide, title=title)
    return Sheet(ctx, Node("list", wide, width=FILL, height=416.0, id="sheet_list"), title=title)


def gap(height: float) -> Node:
    """Room between things."""
    return Space(height=height)


# ---- arguments


def whole(value: object) -> int:
    """A whole number that a screen was opened with; anything else that an intent brought counts as 0."""
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0


def key(ctx: Context) -> int:
    """The `_id` that a screen was opened with."""
    return whole(ctx.args.get("id"))


# ---- words


def moment(ctx: Context, ms: int) -> datetime:
    """Local time of a moment."""
    return ctx.phone.state.clock.at(ms)


def age(ctx: Context, ms: int) -> str:
    """The time column of a list."""
    return formats.age_text(moment(ctx, ms), ctx.now, ctx.phone.use_24_hours, ctx.language)


def day(ctx: Context, ms: int) -> str:
    """Month and day, with the year where it is another one."""
    at = moment(ctx, ms)
    return formats.month_day(at, ctx.language, year=at.year != ctx.now.year)


def stamp(ctx: Context, ms: int) -> str:
    """Date and time: `Mar 6 09:10`."""
    at = moment(ctx, ms)
    return f"{day(ctx, ms)} {at.hour:02d}:{at.minute:02d}"


def full_stamp(ctx: Context, ms: int) -> str:
    """Date and time in figures."""
    return f"{moment(ctx, ms):%Y-%m-%d %H:%M:%S}"


def method_name(ctx: Context, method: str, bank: str | None, tail: str | None) -> str:
    """A way to pay in words."""
    if method != "card":
        return ctx.tr(f"method_{method}")
    return ctx.tr("card_name", bank=bank, tail=tail) if bank else ctx.tr("removed_card")


def bill_method(ctx: Context, bill: Record) -> str:
    """How a bill was paid."""
    card = store.card(ctx.phone, bill["card_id"]) or {"bank": None, "tail": None}
    return method_name(ctx, bill["method"], card["bank"], card["tail"])


def service_tap(ctx: Context, name: str) -> Handler:
    """What a service opens."""
    service = store.catalogue()["services"][name]
    return ctx.open(service["screen"], **service.get("args", {}))


def service_cell(ctx: Context, name: str) -> Node:
    """A service of the home page."""
    service = store.catalogue()["services"][name]
    return cell(service["icon"], service["ink"], ctx.tr(f"service_{name}"), service_tap(ctx, name), f"service_{name}")


def bill_row(ctx: Context, bill: Record) -> Node:
    """A bill in a list."""
    known = store.catalogue()["categories"]
    look = known.get(bill["category"], known["other"])
    color = "moneyIn" if bill["direction"] == "in" else "onSurface"
    right = Text(store.signed(bill), "titleMedium", color, max_lines=1, id="bill_amount")
    return ListRow(
        bill["title"],
        stamp(ctx, bill["date"]) + (f" · {bill['note']}" if bill["note"] else ""),
        leading=glyph(look["icon"], look["ink"], id="bill_icon"),
        trailing=right,
        on_tap=ctx.open("bill", id=bill["_id"]),
        id="bill_row",
    )
