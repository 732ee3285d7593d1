"""Oakridge's colours and the pieces that its screens share: prices, stars, buttons, drop-downs, cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mobile_gym.phone.apps.oakridge import store
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.system.formats import month_day, weekday
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.theme import Palette
from mobile_gym.phone.ui.widgets import Icon, IconButton, Radio, Row, Space, Text

PALETTE: Palette = (
    ("primary", "#1B5E4B", "#7FD1B4"),
    ("onPrimary", "#FFFFFF", "#00382A"),
    ("primaryContainer", "#D8EDE4", "#1E4A3C"),
    ("onPrimaryContainer", "#0F4435", "#C3EBDA"),
    ("secondary", "#1B5E4B", "#7FD1B4"),
    ("secondaryContainer", "#D8EDE4", "#1E4A3C"),
    ("onSecondaryContainer", "#0F4435", "#C3EBDA"),
    ("page", "#F2F3F0", "#101312"),
    ("card", "#FFFFFF", "#1B1F1D"),
    ("surface", "#FFFFFF", "#1B1F1D"),
    ("surfaceContainerLow", "#FFFFFF", "#202523"),
    ("surfaceContainer", "#FFFFFF", "#272D2A"),
    ("surfaceContainerHigh", "#FFFFFF", "#272D2A"),
    ("surfaceContainerHighest", "#EEF0EC", "#323936"),
    ("onSurface", "#16201C", "#E6EAE7"),
    ("onSurfaceVariant", "#4F5A55", "#B7C1BC"),
    ("outline", "#8A948F", "#7E8984"),
    ("outlineVariant", "#DCE0DC", "#38403C"),
    ("soft", "#6B7671", "#97A29C"),
    ("header", "#17493B", "#10261F"),
    ("onHeader", "#FFFFFF", "#E6EAE7"),
    ("headerSoft", "#BFD9CE", "#9CB8AC"),
    ("searchBox", "#FFFFFF", "#24302B"),
    ("rail", "#F2F3F0", "#171B19"),
    ("star", "#D98A00", "#F2B23E"),
    ("action", "#F6C445", "#E3B23A"),
    ("onAction", "#2A2000", "#2A2000"),
    ("link", "#0B6B8A", "#79C8E4"),
    ("sale", "#B3261E", "#FF8A80"),
    ("good", "#1B7F3B", "#6FD08C"),
)


def money(cents: int) -> str:
    """An amount in dollars: `$1,299.00`; a minus stands before the sign."""
    text = f"${abs(cents) / 100:,.2f}"
    return f"-{text}" if cents < 0 else text


def price(cents: int, size: float = 22.0, id: str = "price") -> Node:
    """A price with small cents; the tree shows it as one text."""
    whole, _, part = f"{cents / 100:,.2f}".partition(".")
    small = size * 0.6

    def piece(text: str, sp: float) -> Node:
        return Text(
            text,
            "titleSmall",
            "onSurface",
            size_sp=sp,
            line_sp=size * 1.2,
            max_lines=1,
            text_weight=600,
            hidden_from_tree=True,
        )

    pieces = (piece("$", small), piece(whole, size), piece(part, small))
    return Node("row", pieces, gap=1.0, align="start", text=money(cents), id=id, cls="android.widget.TextView")


def stars(rating: float, size: float = 15.0) -> list[Node]:
    """Five stars, full, half and empty ones."""
    halves = round(rating * 2)
    found = []
    for number in range(1, 6):
        name = "star" if halves >= number * 2 else "star-half-full" if halves == number * 2 - 1 else "star-outline"
        found.append(Icon(name, size, "star", hidden_from_tree=True))
    return found


def rating_row(product: Mapping[str, Any], on_tap: Handler | None = None) -> Node:
    """Stars, the rating, how many gave it."""
    text = f"{product['rating']:.1f} ({product['ratings']:,})"
    label = Text(
        text, "bodySmall", "link" if on_tap else "soft", max_lines=1, hidden_from_tree=True, pad=(4.0, 0.0, 0.0, 0.0)
    )
    return Node(
        "row",
        (*stars(product["rating"]), label),
        id="rating",
        text=text,
        on_tap=on_tap,
        min_height=36.0 if on_tap else 0.0,
        cls="android.widget.TextView",
    )


def off(product: Mapping[str, Any]) -> int:
    """How many percent a product is below its maker's price."""
    before, now = product["list_cents"], product["price_cents"]
    return round((before - now) * 100 / before) if before > now else 0


def day(ctx: Context, at_ms: int) -> str:
    """A day with its weekday: `Sat, Mar 14`; today and tomorrow by their names."""
    moment = ctx.phone.state.clock.at(at_ms)
    days = (moment.date() - ctx.now.date()).days
    if days == 0:
        return ctx.tr("day_today")
    if days == 1:
        return ctx.tr("day_tomorrow")
    date = month_day(moment, ctx.language, year=moment.year != ctx.now.year)
    return ctx.tr("day", weekday=weekday(moment, ctx.language, short=True), date=date)


def counted(ctx: Context, key: str, count: int) -> str:
    """A text with a number in it; English has another one for a single thing."""
    return ctx.tr(f"{key}_one" if count == 1 else key, count=count)


def font_scale(ctx: Context) -> float:
    """The scale of the app's text, 1 at least."""
    return max(ctx.app.font_scale(ctx.phone, ctx.phone.font_scale), 1.0)


def width_dp(ctx: Context) -> float:
    """The screen's width."""
    width: int = ctx.phone.screen[0]
    return width * 160 / ctx.phone.density_dpi


def height_dp(ctx: Context) -> float:
    """The screen's height."""
    height: int = ctx.phone.screen[1]
    return height * 160 / ctx.phone.density_dpi


def button(
    label: str,
    on_tap: Handler | None,
    id: str,
    tone: str = "action",
    height: float = 48.0,
    enabled: bool = True,
    **attributes: Any,
) -> Node:
    """A button with slightly round corners; tone is action (yellow), filled (green), line or plain."""
    bg, ink = {
        "action": ("action", "onAction"),
        "filled": ("primary", "onPrimary"),
        "line": (None, "onSurface"),
        "plain": (None, "link"),
    }[tone]
    small = height < 40
    text = Text(
        label,
        "labelMedium" if small else "labelLarge",
        ink,
        text_weight=600,
        max_lines=2,
        text_align="center",
        hidden_from_tree=True,
    )
    side = 12.0 if small else 16.0
    return Node(
        "row",
        (text,),
        min_height=height,
        justify="center",
        radius=8.0,
        pad=(side, 4.0, side, 4.0),
        bg=bg,
        border=1.0 if tone == "line" else 0.0,
        border_color="outline",
        cls="android.widget.Button",
        id=id,
        text=label,
        enabled=enabled,
        fade=1.0 if enabled else 0.38,
        on_tap=on_tap if enabled else None,
        **attributes,
    )


def dropdown(label: str, value: str, on_tap: Handler | None, id: str, height: float = 44.0, **attributes: Any) -> Node:
    """A drop-down: what it is, what is chosen, an arrow."""
    parts = [
        *([Text(label, "bodyMedium", "soft", max_lines=1, hidden_from_tree=True)] if label else []),
        Text(value, "bodyMedium", text_weight=600, max_lines=1, weight=1.0, hidden_from_tree=True),
        Icon("menu-down", 22.0, "onSurface", hidden_from_tree=True),
    ]
    text = f"{label} {value}" if label else value
    return Node(
        "row",
        parts,
        gap=6.0,
        min_height=height,
        radius=8.0,
        pad=(12.0, 0.0, 6.0, 0.0),
        bg="surfaceContainerHighest",
        border=1.0,
        border_color="outlineVariant",
        id=id,
        text=text,
        on_tap=on_tap,
        cls="android.widget.Spinner",
        **attributes,
    )


def radio_row(
    title: str,
    detail: str,
    chosen: bool,
    on_tap: Handler | None,
    id: str,
    trailing: Node | None = None,
    enabled: bool = True,
) -> Node:
    """One of several choices: a radio button, what it is, a line under it."""
    texts = [Text(title, "bodyLarge", text_weight=600 if chosen else 0, id="choice_title")]
    if detail:
        texts.append(Text(detail, "bodyMedium", "soft", id="choice_detail"))
    parts: list[Node] = [Radio(chosen), Node("col", texts, weight=1.0, gap=1.0)]
    if trailing is not None:
        parts.append(trailing)
    return Node(
        "row",
        parts,
        gap=12.0,
        width=FILL,
        min_height=52.0,
        pad=(4.0, 8.0, 4.0, 8.0),
        id=id,
        on_tap=on_tap if enabled else None,
        enabled=enabled,
        fade=1.0 if enabled else 0.45,
        checkable=True,
        checked=chosen,
        selected=chosen,
    )


def section(*children: Node, gap: float = 8.0, **attributes: Any) -> Node:
    """A white band over the whole width."""
    attributes.setdefault("pad", (16.0, 14.0, 16.0, 14.0))
    return Node("col", children, gap=gap, width=FILL, bg="card", **attributes)


def title(text: str, action: Node | None = None) -> Node:
    """A section's heading, with a link at its right."""
    heading = Text(text, "titleMedium", text_weight=700, weight=1.0, size_sp=18.0, line_sp=24.0, id="heading")
    return Row(heading, *((action,) if action is not None else ()), width=FILL, gap=8.0)


def link(text: str, on_tap: Handler, id: str, **attributes: Any) -> Node:
    """A text that leads somewhere."""
    inner = Text(text, "bodyMedium", "link", text_weight=500, max_lines=1, hidden_from_tree=True)
    return Node(
        "row",
        (inner,),
        min_height=40.0,
        id=id,
        text=text,
        on_tap=on_tap,
        cls="android.widget.TextView",
        **attributes,
    )


def divider() -> Node:
    """A thin line."""
    return Node("space", width=FILL, height=1.0, bg="outlineVariant", hidden_from_tree=True)


def gap(height: float = 8.0) -> Node:
    """Room between two sections."""
    return Space(height=height)


def picture(source: str, size: float, **attributes: Any) -> Node:
    """A square picture of a product."""
    return Node("picture", source=source, width=size, height=size, radius=6.0, **attributes)


def badge(count: int, **attributes: Any) -> Node:
    """A yellow number at the corner of an icon."""
    text = Text(
        str(count) if count < 100 else "99+",
        "labelSmall",
        "onAction",
        max_lines=1,
        hidden_from_tree=True,
        line_sp=16.0,
        text_weight=700,
    )
    return Node(
        "row",
        (text,),
        min_width=18.0,
        height=18.0,
        justify="center",
        radius=9.0,
        bg="action",
        pad=(4.0, 0.0, 4.0, 0.0),
        text=str(count),
        id="badge",
        cls="android.widget.TextView",
        **attributes,
    )


def bar(ctx: Context, text: str, *actions: Node, back: Handler | None = None) -> Node:
    """A page's green bar: Back, title, actions."""
    parts = (
        IconButton("arrow-left", back or ctx.back(), ctx.tr("back"), id="back", color="onHeader"),
        Text(text, "titleMedium", "onHeader", max_lines=1, weight=1.0, size_sp=18.0, line_sp=26.0, id="toolbar_title"),
        *actions,
    )
    return Node("row", parts, gap=4.0, width=FILL, height=56.0, pad=(4.0, 0.0, 4.0, 0.0), id="toolbar", bg="header")


def cart_button(ctx: Context) -> Node:
    """The cart in a green bar, with the number of pieces."""
    count = store.cart_count(ctx.phone)
    parts = [Icon("cart-outline", 24.0, "onHeader", place="center-center", hidden_from_tree=True)]
    if count:
        parts.append(badge(count, place="top-end", offset=(-2.0, 3.0)))
    return Node(
        "box",
        parts,
        width=48.0,
        height=48.0,
        cls="android.widget.ImageButton",
        id="open_cart",
        desc=ctx.tr("tab_cart"),
        on_tap=ctx.open("main", tab="cart"),
    )


def search_box(ctx: Context, text: str = "") -> Node:
    """The white box in a green bar that leads to the search."""
    parts = (
        Icon("magnify", 22.0, "soft", hidden_from_tree=True),
        Text(
            text or ctx.tr("search_hint"),
            "bodyLarge",
            "onSurface" if text else "soft",
            max_lines=1,
            weight=1.0,
            hidden_from_tree=True,
        ),
    )
    return Node(
        "row",
        parts,
        gap=8.0,
        weight=1.0,
        height=44.0,
        radius=8.0,
        bg="searchBox",
        pad=(12.0, 0.0, 12.0, 0.0),
        id="search_box",
        text=text or ctx.tr("search_hint"),
        on_tap=ctx.open("search", text=text),
    )


def page(ctx: Context, body: Node, top: Node, bottom: Node | None = None, bg: str = "page") -> Node:
    """A page under a green bar that reaches under the status bar.

    The page itself has no colour: the signs of the status bar lie on the bar's.
    """
    head = Node("col", (Node("space", inset="status", hidden_from_tree=True), top), width=FILL, bg="header")
    parts = [head, body.replace(weight=1.0, width=FILL, bg=bg)]
    if bottom is not None:
        parts.append(bottom)
    foot = "card" if bottom is not None else bg
    parts.append(Node("space", inset="bottom", width=FILL, bg=foot, hidden_from_tree=True))
    return Node(
        "col",
        parts,
        width=FILL,
        height=FILL,
        blocks=True,
        light_glyphs=True,
        light_keys=ctx.phone.dark,
        cls="android.widget.FrameLayout",
    )


def footer(*children: Node, **attributes: Any) -> Node:
    """The bar at the bottom of a page."""
    attributes.setdefault("gap", 10.0)
    inner = Node("row", children, width=FILL, pad=(16.0, 8.0, 16.0, 8.0), bg="card", **attributes)
    return Node("col", (divider(), inner), width=FILL, id="bottom_bar")


def empty(icon: str, text: str, action: Node | None = None) -> Node:
    """What an empty list shows."""
    parts = [
        Icon(icon, 56.0, "outline", hidden_from_tree=True),
        Text(text, "bodyLarge", "soft", text_align="center", id="empty"),
    ]
    if action is not None:
        parts += [Space(height=4.0), action]
    return Node("col", parts, gap=12.0, align="center", pad=(32.0, 56.0, 32.0, 48.0), width=FILL)


def menu_row(ctx: Context, icon: str, label: str, on_tap: Handler, id: str, value: str = "") -> Node:
    """A row that leads to a page."""
    parts = [
        Icon(icon, 24.0, "primary", hidden_from_tree=True),
        Text(label, "bodyLarge", weight=1.0, id="title"),
        *([Text(value, "bodyMedium", "soft", max_lines=1, id="value")] if value else []),
        Icon("chevron-right", 22.0, "outline", hidden_from_tree=True),
    ]
    return Node(
        "row", parts, gap=14.0, width=FILL, min_height=56.0, pad=(16.0, 8.0, 12.0, 8.0), bg="card", id=id, on_tap=on_tap
    )


def sum_row(label: str, amount: str, strong: bool = False, color: str = "onSurface", id: str = "sum") -> Node:
    """A line of an order's bill."""
    style, weight = ("titleMedium", 700) if strong else ("bodyMedium", 0)
    return Row(
        Text(label, style, color, text_weight=weight, weight=1.0),
        Text(amount, style, color, text_weight=weight, max_lines=1, id=id),
        width=FILL,
        gap=12.0,
        min_height=26.0,
    )


def chosen_list(entries: Sequence[Node]) -> Node:
    """Choices one under the other, thin lines between."""
    parts: list[Node] = []
    for number, entry in enumerate(entries):
        if number:
            parts.append(divider())
        parts.append(entry)
    return Node("col", parts, width=FILL)
