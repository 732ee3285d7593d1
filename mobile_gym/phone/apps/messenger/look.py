"""How the app looks: its bars, rows and buttons, times and money; colours and faces come from beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.apps.messenger.faces import face as face
from mobile_gym.phone.apps.messenger.faces import with_badge as with_badge
from mobile_gym.phone.apps.messenger.tones import tone as tone
from mobile_gym.phone.system import formats
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Icon, IconButton, Scaffold, Space, Text

if TYPE_CHECKING:
    from mobile_gym.phone.system.app import Context


def number(ctx: Context, name: str, default: int = 0) -> int:
    """An argument that is a row's `_id`; other apps may hand over anything."""
    text = str(ctx.args.get(name, default))
    return int(text) if text.isdecimal() else default


# ---- bars


def top_bar(
    ctx: Context, title: str, *, back: bool = True, actions: Sequence[Node] = (), bg: str | None = None, ink: str = ""
) -> Node:
    """The bar on top, 56 dp: Back, the title in the middle, actions."""
    ink = ink or tone(ctx).ink
    left = IconButton("chevron-left", ctx.back(), ctx.tr("back"), id="back", color=ink, glyph=32.0) if back else None
    width = 48.0 * max(len(actions), 1)
    sides = (
        Node("row", (left,) if left else (), width=width, hidden_from_tree=True),
        Text(
            title,
            "titleMedium",
            ink,
            size_sp=17,
            line_sp=24,
            max_lines=1,
            weight=1.0,
            text_align="center",
            id="toolbar_title",
        ),
        Node("row", tuple(actions), width=width, justify="end", hidden_from_tree=True),
    )
    return Node("row", sides, width=FILL, height=56.0, pad=(4.0, 0.0, 4.0, 0.0), id="toolbar", bg=bg)


def bar_button(ctx: Context, icon: str, desc: str, on_tap: Handler, id: str) -> Node:
    """An icon at the right of the bar."""
    return IconButton(icon, on_tap, desc, id=id, color=tone(ctx).ink)


def bar_action(ctx: Context, label: str, on_tap: Handler, id: str, enabled: bool = True) -> Node:
    """The green button at the right of the bar (send, done), in a box as wide as it needs."""
    return button(ctx, label, on_tap, id=id, enabled=enabled, small=True)


def action_bar(ctx: Context, title: str, action: Node) -> Node:
    """A bar with a wider button at its right."""
    t = tone(ctx)
    return Node(
        "row",
        (
            IconButton("chevron-left", ctx.back(), ctx.tr("back"), id="back", color=t.ink, glyph=32.0),
            Text(title, "titleMedium", t.ink, size_sp=17, line_sp=24, max_lines=1, weight=1.0, id="toolbar_title"),
            action,
        ),
        gap=4.0,
        width=FILL,
        height=56.0,
        pad=(4.0, 0.0, 12.0, 0.0),
        id="toolbar",
    )


def page(ctx: Context, body: Node, *, top: Node | None, bottom: Node | None = None, bg: str = "", **more: Any) -> Node:
    """A page in the app's colours."""
    return Scaffold(body, top=top, bottom=bottom, bg=bg or tone(ctx).page, **more)


def edged(page: Node, *, head: str = "", foot: str = "") -> Node:
    """A page whose status bar or navigation bar continues what lies beside it, in another colour than the page's.

    The root has no colour of its own then, so that the system's bars are drawn over what is really there.
    """
    children = list(page.children)
    if head:
        children[0] = children[0].replace(bg=head, width=FILL)
    if foot:
        children[-1] = children[-1].replace(bg=foot, width=FILL)
    inner = page.replace(children=children)
    return Node("box", (inner,), width=FILL, height=FILL, blocks=True, hidden_from_tree=True)


def hairline(ctx: Context, inset: float = 0.0) -> Node:
    """A thin line."""
    line = Node("space", width=FILL, height=1.0, bg=tone(ctx).line, hidden_from_tree=True)
    return Node("box", (line,), width=FILL, pad=(inset, 0.0, 0.0, 0.0), hidden_from_tree=True)


# ---- rows

_CARD_ROW = "card_row"
"""Name of the wrapper of every row, which no tree shows: it holds the row and the line under it, if there is one."""


def row(
    ctx: Context,
    title: str,
    *,
    id: str,
    value: str = "",
    leading: Node | None = None,
    trailing: Node | None = None,
    summary: str = "",
    on_tap: Handler | None = None,
    arrow: bool = True,
    center: bool = False,
    color: str = "",
    line: bool = True,
    **attributes: Any,
) -> Node:
    """A row of a card: something at its left, title, value, an arrow.

    Args:
        ctx: the screen's context.
        title: the first line.
        id: resource-id.
        value: what stands at the right.
        leading: a node at the left.
        trailing: a node at the right, in place of the arrow.
        summary: a second, grey line.
        on_tap: tap handler.
        arrow: whether a row that can be tapped shows an arrow.
        center: whether the title stands in the middle (buttons).
        color: the title's colour.
        line: whether a hairline is under it.
        attributes: attributes of the row's node.
    """
    t = tone(ctx)
    texts = [
        Text(
            title,
            "bodyLarge",
            color or t.ink,
            id="title",
            width=FILL if center else None,
            text_align="center" if center else "start",
        )
    ]
    if summary:
        texts.append(Text(summary, "bodyMedium", t.faint, id="summary"))
    parts: list[Node] = [] if leading is None else [leading]
    # A short title keeps its width; a long one and the value share it as their lengths do.
    short = bool(value) and len(title) <= (8 if ctx.language == "zh" else 16)
    share = 0.0 if short else len(title) + 2.0 if value else 1.0
    parts.append(Node("col", texts, weight=share, hidden_from_tree=True))
    if value:
        parts.append(
            Text(value, "bodyLarge", t.faint, weight=len(value) + 2.0, max_lines=2, text_align="end", id="value")
        )
    if trailing is not None:
        parts.append(trailing)
    elif arrow and on_tap is not None and not center:
        parts.append(Icon("chevron-right", 20.0, t.faint, hidden_from_tree=True))
    inner = Node(
        "row",
        parts,
        gap=14.0,
        width=FILL,
        min_height=56.0,
        pad=(16.0, 8.0, 14.0, 8.0),
        bg=t.card,
        id=id,
        on_tap=on_tap,
        **attributes,
    )
    under = (hairline_over(ctx, 16.0 if leading is None else 60.0),) if line else ()
    return Node("col", (inner, *under), width=FILL, hidden_from_tree=True, id=_CARD_ROW)


def cards(rows: Sequence[Node]) -> list[Node]:
    """Rows without the line under the last one of each card: lines only stand between rows."""
    found = []
    for node, after in zip(rows, (*rows[1:], None), strict=True):
        last = node.id == _CARD_ROW and (after is None or after.id != _CARD_ROW)
        found.append(node.replace(children=node.children[:1]) if last else node)
    return found


def hairline_over(ctx: Context, inset: float) -> Node:
    """A thin line between rows of a card, which begins where their text does."""
    t = tone(ctx)
    line = Node("space", width=FILL, height=1.0, bg=t.line, hidden_from_tree=True)
    return Node("box", (line,), width=FILL, pad=(inset, 0.0, 0.0, 0.0), bg=t.card, hidden_from_tree=True)


def switch(ctx: Context, on: bool, desc: str) -> Node:
    """A switch that only shows; the row around it takes the tap."""
    t = tone(ctx)
    knob = Node(
        "space",
        width=27.0,
        height=27.0,
        radius=13.5,
        bg="#FFFFFF",
        place="center-start",
        offset=(22.0 if on else 2.0, 0.0),
        hidden_from_tree=True,
    )
    return Node(
        "box",
        (knob,),
        width=51.0,
        height=31.0,
        radius=15.5,
        bg=t.green if on else t.press,
        cls="android.widget.Switch",
        id="switch_widget",
        desc=desc,
        checkable=True,
        checked=on,
    )


def switch_row(
    ctx: Context, title: str, on: bool, on_change: Callable[[bool], None], *, id: str, summary: str = ""
) -> Node:
    """A row whose tap turns a switch."""
    return row(ctx, title, id=id, summary=summary, trailing=switch(ctx, on, title), on_tap=lambda: on_change(not on))


def section(ctx: Context, text: str) -> Node:
    """A grey line over rows."""
    return Text(text, "bodyMedium", tone(ctx).faint, pad=(16.0, 14.0, 16.0, 6.0), width=FILL, id="section_title")


def gap() -> Node:
    """Room between cards."""
    return Space(height=8.0)


def mark(ctx: Context, chosen: bool, desc: str = "") -> Node:
    """A round checkbox; the row around it takes the tap."""
    t = tone(ctx)
    name, color = ("check-circle", t.green) if chosen else ("checkbox-blank-circle-outline", t.faint)
    return Icon(
        name, 24.0, color, cls="android.widget.CheckBox", checkable=True, checked=chosen, id="checkbox", desc=desc
    )


def button(
    ctx: Context,
    label: str,
    on_tap: Handler,
    *,
    id: str,
    enabled: bool = True,
    plain: bool = False,
    small: bool = False,
    bg: str = "",
    width: float | None = None,
) -> Node:
    """A button: green, or grey where `plain`."""
    t = tone(ctx)
    ground, ink = (t.press, t.ink) if plain else (bg or t.green, t.on_green)
    return Node(
        "row",
        (Text(label, "titleSmall" if small else "titleMedium", ink, max_lines=1, hidden_from_tree=True),),
        justify="center",
        width=width,
        min_height=34.0 if small else 48.0,
        min_width=60.0 if small else 184.0,
        pad=(12.0, 4.0, 12.0, 4.0),
        radius=5.0 if small else 8.0,
        bg=ground,
        cls="android.widget.Button",
        id=id,
        text=label,
        enabled=enabled,
        fade=1.0 if enabled else 0.4,
        on_tap=on_tap if enabled else None,
    )


def empty(ctx: Context, icon: str, text: str) -> Node:
    """What a list shows while there is nothing in it."""
    t = tone(ctx)
    return Node(
        "col",
        (Icon(icon, 48.0, t.faint, fade=0.6), Text(text, "bodyLarge", t.faint, text_align="center", id="empty")),
        gap=12.0,
        align="center",
        pad=(32.0, 0.0, 32.0, 0.0),
    )


# ---- times and money


def at(ctx: Context, ms: int) -> datetime:
    """Local time of a moment."""
    return ctx.phone.state.clock.at(ms)


def age(ctx: Context, ms: int) -> str:
    """The time column of a list."""
    moment = at(ctx, ms)
    if moment.date() == ctx.now.date():
        return clock(ctx, ms)
    return formats.age_text(moment, ctx.now, ctx.phone.use_24_hours, ctx.language)


def clock(ctx: Context, ms: int) -> str:
    """The time of day: in twenty-four hours where the language has them so, else as the phone is set."""
    moment = at(ctx, ms)
    if ctx.tr("hours") == "24":
        return f"{moment.hour}:{moment.minute:02d}"
    return formats.time_text(moment.hour, moment.minute, ctx.phone.use_24_hours, ctx.language)


def stamp(ctx: Context, ms: int) -> str:
    """The time between messages: the time today, yesterday or the weekday with the time, else date and time."""
    moment, now = at(ctx, ms), ctx.now
    days = (now.date() - moment.date()).days
    if days == 0:
        return clock(ctx, ms)
    if days == 1:
        day = ctx.tr("yesterday")
    elif 0 < days < 7:
        day = formats.weekday(moment, ctx.language)
    else:
        day = formats.month_day(moment, ctx.language, year=moment.year != now.year)
    return f"{day} {clock(ctx, ms)}"


def money(ctx: Context, cents: int) -> str:
    """An amount with the currency's sign."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{ctx.tr('currency')}{abs(cents) / 100:.2f}"
