"""The bar in which a message is written, with its panels of emoji and of the plus."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

import yaml

from mobile_gym.phone.apps.messenger import look, store
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Icon, IconButton, LazyList, Space, Text
from mobile_gym.phone.ui.widgets.basics import spread
from mobile_gym.phone.ui.widgets.fields import field

if TYPE_CHECKING:
    from mobile_gym.phone.system.app import Context

FIELD = "chat_input"
_PANEL = 232.0
_COLUMNS = 8
_PLUS = (
    ("image", "photo"),
    ("gift", "red_packet"),
    ("swap-horizontal-bold", "transfer"),
    ("map-marker", "location"),
    ("card-account-details-outline", "card"),
    ("folder", "file"),
    ("poll", "poll"),
    ("cube-outline", "favourite"),
)


@lru_cache(maxsize=1)
def faces() -> str:
    """The characters of the emoji panel, in its order."""
    text = files(store.MODULE).joinpath("emoji.yaml").read_text(encoding="utf-8")
    found: str = yaml.safe_load(text)["faces"]
    return found


def panel_open(ctx: Context, name: str) -> bool:
    """Whether a panel shows: the keyboard takes its place."""
    return ctx.ui.get("panel") == name and ctx.phone.state.interface["focus"] != [ctx.record["uid"], FIELD]


def composer(
    ctx: Context,
    *,
    group: bool,
    on_send: Handler,
    on_change: Callable[[str], None],
    on_voice: Callable[[bool], None],
    on_plus: Callable[[str], None],
) -> Node:
    """Microphone, field, smiley and plus or send, with the panel under them.

    Args:
        ctx: the context of the chat.
        group: whether polls can be made here, and transfers can't.
        on_send: sends what the field holds.
        on_change: called with the text after each edit.
        on_voice: the bar that is held to talk was held (True) or only touched.
        on_plus: called with the name of an entry of the plus.
    """
    t = look.tone(ctx)
    talking = bool(ctx.ui.get("talking"))

    def turn(panel: str) -> Handler:
        def act() -> None:
            shown = panel_open(ctx, panel)
            ctx.ui["talking"] = False
            ctx.focus(FIELD if shown and panel == "emoji" else None)
            ctx.ui["panel"] = "" if shown else panel

        return act

    def talk() -> None:
        ctx.ui["talking"] = not talking
        ctx.ui["panel"] = ""
        ctx.focus(FIELD if talking else None)

    enter = store.is_on(ctx.phone, "enter_sends")
    if talking:
        middle = Node(
            "row",
            (Text(ctx.tr("hold_to_talk"), "titleMedium", t.ink, max_lines=1, hidden_from_tree=True),),
            justify="center",
            weight=1.0,
            min_height=40.0,
            radius=5.0,
            bg=t.incoming,
            cls="android.widget.Button",
            id="hold_to_talk",
            text=ctx.tr("hold_to_talk"),
            on_tap=lambda: on_voice(False),
            on_long_press=lambda: on_voice(True),
        )
        text = ""
    else:
        inner = field(
            ctx,
            FIELD,
            multiline=not enter,
            max_lines=4,
            action="send",
            on_change=on_change,
            on_submit=on_send,
            width=FILL,
            color=t.ink,
            size_sp=17,
            line_sp=24,
        )
        text = inner.text.strip()
        middle = Node(
            "row",
            (inner,),
            weight=1.0,
            min_height=40.0,
            radius=5.0,
            bg=t.incoming,
            pad=(10.0, 6.0, 10.0, 6.0),
            hidden_from_tree=True,
        )
    ring = Node(
        "box",
        (Icon("keyboard-outline" if talking else "microphone-outline", 18.0, t.ink, place="center-center"),),
        width=30.0,
        height=30.0,
        radius=15.0,
        border=1.5,
        border_color=t.ink,
        place="center-center",
        hidden_from_tree=True,
    )
    mic = Node(
        "box",
        (ring,),
        width=42.0,
        height=42.0,
        cls="android.widget.ImageButton",
        id="voice_button",
        desc=ctx.tr("to_keyboard" if talking else "to_voice"),
        on_tap=talk,
    )
    smiley = IconButton(
        "keyboard-outline" if panel_open(ctx, "emoji") else "emoticon-happy-outline",
        turn("emoji"),
        ctx.tr("emoji"),
        id="emoji_button",
        color=t.ink,
        size=42.0,
        glyph=31.0,
    )
    if text:
        last = look.button(ctx, ctx.tr("send"), on_send, id="send_button", small=True)
    else:
        last = IconButton(
            "plus-circle-outline", turn("plus"), ctx.tr("plus"), id="plus_button", color=t.ink, size=42.0, glyph=31.0
        )
    bar = Node(
        "row",
        (mic, middle, smiley, last),
        gap=4.0,
        width=FILL,
        min_height=56.0,
        pad=(4.0, 7.0, 6.0, 7.0),
        id="input_bar",
    )
    parts = [look.hairline(ctx)]
    quote = ctx.ui.get("quote")
    parts.append(bar)
    if quote is not None and not talking:
        parts.append(_quoting(ctx, int(quote)))
    if panel_open(ctx, "emoji"):
        parts += [look.hairline(ctx), _emoji(ctx, on_change, on_send)]
    elif panel_open(ctx, "plus"):
        parts += [look.hairline(ctx), _plus(ctx, group, on_plus)]
    return Node("col", parts, width=FILL, bg=t.bar, id="composer")


def _quoting(ctx: Context, key: int) -> Node:
    """The message that is being answered, with a cross that lets go of it."""
    t = look.tone(ctx)
    row = ctx.db.row("SELECT * FROM view_messages WHERE _id = ?", key)
    text = "" if row is None else ctx.tr("said", name=row["sender"] or "", text=store.digest(ctx.phone, row))
    return Node(
        "row",
        (
            Text(text, "bodyMedium", t.faint, max_lines=1, weight=1.0, id="quote_preview"),
            IconButton(
                "close",
                ctx.set_ui("quote", None),
                ctx.tr("close"),
                id="quote_close",
                size=32.0,
                glyph=18.0,
                color=t.faint,
            ),
        ),
        width=FILL,
        pad=(14.0, 0.0, 6.0, 6.0),
        id="quote_bar",
    )


def _emoji(ctx: Context, on_change: Callable[[str], None], on_send: Handler) -> Node:
    t = look.tone(ctx)

    def put(char: str) -> Handler:
        def act() -> None:
            ctx.set_field(FIELD, ctx.field(FIELD) + char)
            on_change(ctx.field(FIELD))

        return act

    def drop() -> None:
        ctx.set_field(FIELD, ctx.field(FIELD)[:-1])
        on_change(ctx.field(FIELD))

    chars = faces()

    def line(start: int) -> Node:
        part = chars[start : start + _COLUMNS]
        cells = [
            Node(
                "box",
                (Text(char, "titleLarge", t.ink, size_sp=26, line_sp=34, place="center-center", max_lines=1),),
                weight=1.0,
                height=46.0,
                id="emoji",
                desc=char,
                on_tap=put(char),
            )
            for char in part
        ]
        cells += [Space(weight=1.0) for _ in range(_COLUMNS - len(part))]
        return Node("row", cells, width=FILL, pad=(8.0, 0.0, 8.0, 0.0), hidden_from_tree=True)

    listed = LazyList(list(range(0, len(chars), _COLUMNS)), row=line, id="emoji_list", top_pad=6.0, bottom_pad=6.0)
    filled = bool(ctx.field(FIELD))
    keys = Node(
        "row",
        (
            IconButton(
                "backspace-outline", drop, ctx.tr("delete"), id="emoji_delete", color=t.ink, size=44.0, enabled=filled
            ),
            look.button(ctx, ctx.tr("send"), on_send, id="emoji_send", small=True, enabled=filled),
        ),
        gap=8.0,
        width=FILL,
        height=46.0,
        justify="end",
        pad=(12.0, 0.0, 12.0, 4.0),
        hidden_from_tree=True,
    )
    return Node("col", (listed.replace(weight=1.0), keys), width=FILL, height=_PANEL, id="emoji_panel")


def _plus(ctx: Context, group: bool, on_plus: Callable[[str], None]) -> Node:
    t = look.tone(ctx)
    shown = [(icon, name) for icon, name in _PLUS if name != ("transfer" if group else "poll")]
    cells = []
    for icon, name in shown:

        def act(name: str = name) -> None:
            on_plus(name)

        tile = Node(
            "box",
            (Icon(icon, 28.0, t.ink, place="center-center", hidden_from_tree=True),),
            width=58.0,
            height=58.0,
            radius=14.0,
            bg=t.incoming,
            hidden_from_tree=True,
        )
        label = Text(ctx.tr(f"plus_{name}"), "bodySmall", t.faint, max_lines=2, text_align="center", width=FILL)
        cells.append(
            Node(
                "col",
                (tile, label),
                gap=6.0,
                align="center",
                width=FILL,
                id=f"plus_{name}",
                on_tap=act,
                desc=ctx.tr(f"plus_{name}"),
            )
        )
    grid = Node("box", (spread(cells, 4, 8.0, 12.0),), width=FILL, pad=(16.0, 18.0, 16.0, 12.0))
    return Node("col", (grid,), width=FILL, min_height=_PANEL, id="plus_panel")
