"""The shop's colours and the pieces that its screens share: prices, tags, buttons, cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.theme import Palette
from mobile_gym.phone.ui.widgets import Icon, IconButton, Row, Space, Text
from mobile_gym.phone.ui.widgets.controls import checkable_box

PALETTE: Palette = (
    ("primary", "#F2402A", "#FF6A55"),
    ("onPrimary", "#FFFFFF", "#FFFFFF"),
    ("primaryContainer", "#FDE7E3", "#4A2019"),
    ("onPrimaryContainer", "#C2301C", "#FFB4A6"),
    ("secondary", "#F2402A", "#FF6A55"),
    ("secondaryContainer", "#FDE7E3", "#4A2019"),
    ("onSecondaryContainer", "#C2301C", "#FFB4A6"),
    ("page", "#F5F5F5", "#111113"),
    ("card", "#FFFFFF", "#1D1D20"),
    ("surface", "#FFFFFF", "#1D1D20"),
    ("surfaceContainerLow", "#FFFFFF", "#232326"),
    ("surfaceContainer", "#FFFFFF", "#2A2A2E"),
    ("surfaceContainerHigh", "#FFFFFF", "#2A2A2E"),
    ("surfaceContainerHighest", "#F3F3F4", "#34343A"),
    ("onSurface", "#1A1A1A", "#ECECEE"),
    ("onSurfaceVariant", "#5E5E63", "#BDBDC4"),
    ("outline", "#A6A6AB", "#7C7C84"),
    ("outlineVariant", "#E8E8EA", "#3A3A40"),
    ("soft", "#8A8A8A", "#96969E"),
    ("pale", "#F3F3F4", "#2C2C31"),
    ("tint", "#FFF1EE", "#3A1D18"),
    ("tintLine", "#F7B3A9", "#7A3A2F"),
    ("amber", "#FF9500", "#FFA733"),
    ("good", "#16A34A", "#4ADE80"),
    ("timer", "#2B2B2B", "#3A3A40"),
)


def yuan(cents: int) -> str:
    """An amount without the currency's sign: `19.9`, `89`, `24.85`."""
    whole, part = divmod(abs(cents), 100)
    text = f"{whole}.{part:02d}".rstrip("0").rstrip(".")
    return f"-{text}" if cents < 0 else text


def money(cents: int) -> str:
    """An amount with the currency's sign, which stands behind a minus."""
    text = f"\u00a5{yuan(abs(cents))}"
    return f"-{text}" if cents < 0 else text


def price(cents: int, size: float = 20.0, color: str = "primary", id: str = "price") -> Node:
    """A price in three sizes of type on one baseline; the tree shows it as one text."""
    whole, _, part = yuan(cents).partition(".")
    small, mid = size * 0.6, size * 0.65

    def piece(text: str, sp: float) -> Node:
        return Text(
            text,
            "titleSmall",
            color,
            text_weight=700,
            size_sp=sp,
            line_sp=size * 1.25,
            max_lines=1,
            hidden_from_tree=True,
        )

    pieces = [piece("\u00a5", small), piece(whole, size)]
    if part:
        pieces.append(piece(f".{part}", mid))
    return Node("row", pieces, align="baseline", text=money(cents), id=id, cls="android.widget.TextView")


def struck(cents: int, size: float = 12.0) -> Node:
    """An old price, struck through."""
    text = Text(money(cents), "bodySmall", "soft", size_sp=size, line_sp=size * 1.4, max_lines=1, id="was_price")
    line = Node("space", width=FILL, height=1.0, bg="soft", place="center-start", hidden_from_tree=True)
    return Node(
        "box",
        (text, Node("row", (line,), width=size * 0.58 * len(text.text), place="center-start", hidden_from_tree=True)),
        hidden_from_tree=True,
    )


def tag(text: str, solid: bool = False) -> Node:
    """A small label: free shipping, next day."""
    look: dict[str, Any] = {"bg": "primary"} if solid else {"border": 1.0, "border_color": "tintLine"}
    inner = Text(
        text,
        "labelSmall",
        "#FFFFFF" if solid else "primary",
        text_weight=400,
        max_lines=1,
        line_sp=15.0,
        hidden_from_tree=True,
    )
    return Node(
        "row",
        (inner,),
        pad=(5.0, 1.0, 5.0, 1.0),
        radius=3.0,
        text=text,
        id="tag",
        cls="android.widget.TextView",
        **look,
    )


def tags(ctx: Context, product: dict[str, Any], room: float) -> list[Node]:
    """The labels of a product that have room (dp) side by side, the first one solid."""
    found: list[Node] = []
    scale = font_scale(ctx)
    for key in ("self_operated", "free_shipping", "next_day", "returns"):
        if not product[key]:
            continue
        text = ctx.tr(f"flag_{key}")
        room -= sum(11.2 if ord(char) > 0x2E80 else 6.3 for char in text) * scale + 16.0
        if room < 0 and found:
            break
        found.append(tag(text, not found))
    return found


def font_scale(ctx: Context) -> float:
    """The scale of the app's text, 1 at least."""
    return max(ctx.app.font_scale(ctx.phone, ctx.phone.font_scale), 1.0)


def pill(
    label: str,
    on_tap: Handler | None,
    id: str,
    tone: str = "filled",
    height: float = 40.0,
    enabled: bool = True,
    lines: int = 1,
    **attributes: Any,
) -> Node:
    """A round button; tone is filled, amber, line, red or tint. Its label may take several `lines`."""
    bg, ink = {
        "filled": ("primary", "#FFFFFF"),
        "amber": ("amber", "#FFFFFF"),
        "line": (None, "onSurface"),
        "red": (None, "primary"),
        "tint": ("tint", "primary"),
    }[tone]
    small = height < 36
    text = Text(
        label,
        "bodySmall" if small else "labelLarge",
        ink,
        text_weight=500,
        max_lines=lines,
        hidden_from_tree=True,
        text_align="center",
    )
    side = 14.0 if small else 20.0
    return Node(
        "row",
        (text,),
        min_height=height,
        justify="center",
        radius=height / 2,
        pad=(side, 4.0, side, 4.0),
        bg=bg,
        border=1.0 if bg is None else 0.0,
        border_color="primary" if tone == "red" else "outline",
        cls="android.widget.Button",
        id=id,
        text=label,
        enabled=enabled,
        fade=1.0 if enabled else 0.38,
        on_tap=on_tap if enabled else None,
        **attributes,
    )


def check(checked: bool, on_tap: Handler | None, id: str, desc: str = "", size: float = 22.0) -> Node:
    """A round checkbox in a touch box of 44 dp."""
    if checked:
        mark = Icon("check-circle", size, "primary", place="center-center", hidden_from_tree=True)
    else:
        mark = Icon("checkbox-blank-circle-outline", size, "outline", place="center-center", hidden_from_tree=True)
    return checkable_box(mark, (44.0, 44.0), "CheckBox", checked, id, desc, on_tap)


def stepper(ctx: Context, value: int, most: int, on_set: Any, id: str = "quantity") -> Node:
    """Less, the number, more."""

    def button(icon: str, number: int, name: str, desc: str) -> Node:
        able = 1 <= number <= most
        glyph = Icon(icon, 16.0, "onSurface", place="center-center", hidden_from_tree=True)
        return Node(
            "box",
            (glyph,),
            width=36.0,
            height=32.0,
            bg="pale",
            radius=6.0,
            id=name,
            desc=desc,
            enabled=able,
            fade=1.0 if able else 0.38,
            on_tap=(lambda: on_set(number)) if able else None,
            cls="android.widget.ImageButton",
        )

    text = Text(str(value), "titleSmall", text_align="center", min_width=36.0, max_lines=1, id=id)
    return Row(
        button("minus", value - 1, "quantity_less", ctx.tr("quantity_less")),
        text,
        button("plus", value + 1, "quantity_more", ctx.tr("quantity_more")),
        gap=2.0,
    )


def picture(source: str, size: float, radius: float = 8.0, **attributes: Any) -> Node:
    """A square picture of a product."""
    return Node("picture", source=source, width=size, height=size, radius=radius, **attributes)


def card(*children: Node, gap: float = 0.0, margin: float = 12.0, **attributes: Any) -> Node:
    """A white surface with a side margin; parts lie one under the other."""
    pad = attributes.pop("pad", (12.0, 12.0, 12.0, 12.0))
    inner = Node("col", children, gap=gap, width=FILL, bg="card", radius=10.0, pad=pad, **attributes)
    return Node("box", (inner,), width=FILL, pad=(margin, 0.0, margin, 0.0), hidden_from_tree=True)


def line_row(
    title: str,
    value: str = "",
    on_tap: Handler | None = None,
    id: str = "",
    *,
    value_color: str = "soft",
    strong: bool = False,
    arrow: bool = True,
    min_height: float = 48.0,
) -> Node:
    """A row of a form: what it is at the left, its value and an arrow at the right."""
    parts: list[Node] = [Text(title, "bodyMedium", "onSurface", max_width=150.0, id="title")]
    right = Text(
        value,
        "bodyMedium",
        value_color,
        text_align="end",
        weight=1.0,
        max_lines=3,
        id="value",
        text_weight=600 if strong else 0,
    )
    parts.append(right)
    if on_tap is not None and arrow:
        parts.append(Icon("chevron-right", 18.0, "soft", hidden_from_tree=True))
    return Node(
        "row", parts, gap=8.0, width=FILL, min_height=min_height, pad=(0.0, 6.0, 0.0, 6.0), on_tap=on_tap, id=id
    )


def bar(ctx: Context, title: str, *actions: Node, bg: str = "card") -> Node:
    """A page's bar: Back, the title in the middle's left, actions."""
    return Node(
        "row",
        (
            IconButton("arrow-left", ctx.back(), ctx.tr("back"), id="back", color="onSurface"),
            Text(
                title,
                "titleMedium",
                "onSurface",
                max_lines=1,
                weight=1.0,
                size_sp=18.0,
                line_sp=26.0,
                id="toolbar_title",
            ),
            *actions,
        ),
        gap=4.0,
        width=FILL,
        height=56.0,
        pad=(4.0, 0.0, 8.0, 0.0),
        id="toolbar",
        bg=bg,
    )


def badge(count: int, **attributes: Any) -> Node:
    """A red number at the corner of an icon."""
    text = Text(
        str(count) if count < 100 else "99+", "labelSmall", "#FFFFFF", max_lines=1, hidden_from_tree=True, line_sp=16.0
    )
    return Node(
        "row",
        (text,),
        min_width=16.0,
        min_height=16.0,
        justify="center",
        radius=20.0,
        bg="primary",
        pad=(4.0, 0.0, 4.0, 0.0),
        text=str(count),
        id="badge",
        cls="android.widget.TextView",
        **attributes,
    )


def counted_icon(icon: str, count: int, on_tap: Handler, desc: str, id: str, color: str = "onSurface") -> Node:
    """An icon button with a red number."""
    parts = [Icon(icon, 24.0, color, place="center-center", hidden_from_tree=True)]
    if count:
        parts.append(badge(count, place="top-end", offset=(-2.0, 4.0)))
    return Node(
        "box", parts, width=48.0, height=48.0, cls="android.widget.ImageButton", id=id, desc=desc, on_tap=on_tap
    )


def chip(
    label: str, chosen: bool, on_tap: Handler | None, id: str, icon: str = "", enabled: bool = True, desc: str = ""
) -> Node:
    """A filter chip, 32 dp high and round; a chosen one is tinted."""
    ink = "primary" if chosen else "onSurface"
    parts = [Text(label, "bodyMedium", ink, text_weight=500 if chosen else 0, max_lines=1, hidden_from_tree=True)]
    if icon:
        parts.append(Icon(icon, 18.0, ink, hidden_from_tree=True))
    look: dict[str, Any] = (
        {"bg": "primaryContainer", "border": 1.0, "border_color": "tintLine"} if chosen else {"bg": "pale"}
    )
    return Node(
        "row",
        parts,
        gap=2.0,
        min_height=32.0,
        radius=16.0,
        pad=(14.0, 4.0, 14.0 if not icon else 8.0, 4.0),
        id=id,
        text=label,
        desc=desc,
        cls="android.widget.CheckBox",
        checkable=True,
        checked=chosen,
        selected=chosen,
        enabled=enabled,
        fade=1.0 if enabled else 0.4,
        on_tap=on_tap if enabled else None,
        justify="center",
        **look,
    )


def stars(count: int, size: float = 16.0, on_set: Any = None) -> Node:
    """Five stars, `count` of them full; with a handler each can be tapped."""

    def star(number: int) -> Node:
        full = number <= count
        glyph = Icon("star" if full else "star-outline", size, "amber" if full else "outline", hidden_from_tree=True)
        if on_set is None:
            return glyph
        inner = glyph.replace(place="center-center")
        return Node(
            "box",
            (inner,),
            width=44.0,
            height=44.0,
            id=f"star_{number}",
            desc=str(number),
            checked=full,
            checkable=True,
            on_tap=lambda: on_set(number),
            cls="android.widget.ImageButton",
        )

    return Row(*(star(number) for number in range(1, 6)), gap=0.0 if on_set else 1.0, id="rating_bar", desc=str(count))


def footer(*children: Node, **attributes: Any) -> Node:
    """The bar at the bottom of a page."""
    attributes.setdefault("gap", 8.0)
    return Node(
        "row",
        children,
        width=FILL,
        min_height=56.0,
        pad=(12.0, 6.0, 12.0, 6.0),
        bg="card",
        id="bottom_bar",
        **attributes,
    )


def empty(icon: str, text: str, button: Node | None = None) -> Node:
    """What an empty list shows."""
    parts = [
        Icon(icon, 64.0, "outline", hidden_from_tree=True),
        Text(text, "bodyLarge", "soft", text_align="center", id="empty"),
    ]
    if button is not None:
        parts += [Space(height=4.0), button]
    return Node("col", parts, gap=12.0, align="center", pad=(32.0, 48.0, 32.0, 48.0), width=FILL)


def width_dp(ctx: Context) -> float:
    """The screen's width."""
    width: int = ctx.phone.screen[0]
    return width * 160 / ctx.phone.density_dpi


def choices(ctx: Context, entries: Sequence[tuple[str, str, bool, Handler]]) -> list[Node]:
    """Rows to choose one from: `(label, id, chosen, handler)` each."""
    return [
        Node(
            "row",
            (
                Text(label, "bodyLarge", "primary" if chosen else "onSurface", weight=1.0, id="title"),
                *((Icon("check", 22.0, "primary", hidden_from_tree=True),) if chosen else ()),
            ),
            width=FILL,
            min_height=52.0,
            pad=(20.0, 8.0, 20.0, 8.0),
            id=id,
            on_tap=handler,
            selected=chosen,
            checkable=True,
            checked=chosen,
        )
        for label, id, chosen, handler in entries
    ]
