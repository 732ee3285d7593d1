"""Quick settings tiles: what they show, what a tap and a long press do, and their order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

import yaml

from mobile_gym.phone.door import Intent
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Icon, Text

ORDER_KEY = "sysui_qs_tiles"
"""Key in `secure`: names of the tiles shown, with commas, in their order."""
PAGE_TILES = 6
TILE_DP, GAP_DP = 68.0, 8.0


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile.

    Attributes:
        name: its name; its label is the text `tile_<name>`.
        icon: the glyph.
        namespace: namespace of the setting that it turns; empty for a tile that only acts.
        key: the setting's key.
        on: the value while it is on.
        off: the value while it is off.
        settings: actions of the settings page, the best first.
    """

    name: str
    icon: str
    namespace: str
    key: str
    on: str
    off: str
    settings: tuple[str, ...]


@lru_cache(maxsize=1)
def catalogue() -> tuple[tuple[str, ...], dict[str, Tile]]:
    """Names of the tiles that a new phone shows, and all tiles by name."""
    text = files("mobile_gym.phone.system.surfaces").joinpath("tiles.yaml").read_text(encoding="utf-8")
    found: dict[str, Any] = yaml.safe_load(text)
    tiles = {}
    for name, facts in found["tiles"].items():
        namespace, _, key = facts["key"].partition("/")
        on, off = facts.get("when_on", "1"), facts.get("when_off", "0")
        tiles[name] = Tile(name, facts["icon"], namespace, key, on, off, tuple(facts["settings"]))
    return tuple(found["shown"]), tiles


def shown_tiles(ctx: Context) -> list[str]:
    """Names of the tiles that the shade shows, in order."""
    first, tiles = catalogue()
    stored = ctx.settings.get("secure", ORDER_KEY)
    if stored is None:
        return list(first)
    return [name for name in stored.split(",") if name in tiles]


def is_on(ctx: Context, tile: Tile) -> bool:
    """Whether a tile is on."""
    if not tile.key:
        return False
    if tile.name == "font_scaling":
        return ctx.phone.font_scale > 1.0
    value = ctx.settings.get(tile.namespace, tile.key)
    return value is not None and value != tile.off and (value == tile.on or tile.on != "2")


def state_text(ctx: Context, tile: Tile) -> str:
    """The second line of a tile."""
    if not tile.key:
        return ctx.tr("take")
    if not is_on(ctx, tile):
        return ctx.tr("off")
    if tile.name == "internet":
        return ctx.settings.get("global", "wifi_connected") or ctx.tr("not_connected")
    if tile.name == "bt":
        device = ctx.settings.get("global", "bluetooth_connected")
        return ctx.tr("connected_to", name=device) if device else ctx.tr("on")
    return ctx.tr("on")


def toggle(ctx: Context, tile: Tile) -> None:
    """What a tap on a tile does."""
    if tile.key:
        value = tile.off if is_on(ctx, tile) else tile.on
        ctx.put_setting(tile.namespace, tile.key, value)
    else:
        ctx.phone.close_surface("shade")
        ctx.phone.take_screenshot()


def open_settings(ctx: Context, tile: Tile) -> None:
    """What a long press on a tile does: opens the page of the settings, where there is one."""
    phone = ctx.phone
    apps = [phone.apps[name] for name in phone.packages.names() if name in phone.apps and phone.packages.enabled(name)]
    for action in tile.settings:
        if any(app.resolve(action, None, None, {}) is not None for app in apps):
            phone.activities.start(Intent(action=action))
            return


def tile_node(ctx: Context, tile: Tile) -> Node:
    """A tile: icon, label, state."""
    on = is_on(ctx, tile)
    ink, faint = ("onPrimary", "onPrimary") if on else ("onSurface", "onSurfaceVariant")
    label, state = ctx.tr(f"tile_{tile.name}"), state_text(ctx, tile)
    texts = Node(
        "col",
        (
            Text(label, size_sp=15, line_sp=19, color=ink, text_weight=500, max_lines=1, id="tile_label"),
            Text(state, size_sp=13, line_sp=18, color=faint, max_lines=1, id="tile_state"),
        ),
        weight=1.0,
        hidden_from_tree=True,
    )
    return Node(
        "row",
        (Icon(tile.icon, 24.0, ink, hidden_from_tree=True), texts),
        gap=12.5,
        weight=1.0,
        height=TILE_DP,
        radius=28.0,
        pad=(18.0, 0.0, 10.0, 0.0),
        bg="primary" if on else "surfaceBright",
        cls="android.widget.Switch" if tile.key else "android.widget.Button",
        id=f"tile_{tile.name}",
        desc=f"{label}, {state}",
        checkable=bool(tile.key),
        checked=on,
        on_tap=lambda: toggle(ctx, tile),
        on_long_press=(lambda: open_settings(ctx, tile)) if tile.settings else None,
    )


def pager(ctx: Context) -> Node:
    """Pages of six tiles, two to a row."""
    _, tiles = catalogue()
    names = shown_tiles(ctx)
    pages = []
    for first in range(0, len(names), PAGE_TILES):
        rows = []
        part = [tile_node(ctx, tiles[name]) for name in names[first : first + PAGE_TILES]]
        for at in range(0, len(part), 2):
            cells = part[at : at + 2]
            if len(cells) < 2:
                cells.append(Node("space", weight=1.0, hidden_from_tree=True))
            rows.append(Node("row", cells, gap=GAP_DP, width=FILL, hidden_from_tree=True))
        pages.append(Node("col", rows, gap=GAP_DP, pad=(16.0, 0.0, 16.0, 0.0), hidden_from_tree=True))
    rows_shown = min((len(names) + 1) // 2, PAGE_TILES // 2)
    height = rows_shown * TILE_DP + max(rows_shown - 1, 0) * GAP_DP
    return Node("list", pages, axis="h", paged=True, id="qs_pager", width=FILL, height=height)


def page_indicator(ctx: Context) -> Node:
    """Dots that tell which page of tiles shows; a tap goes to the next one."""
    pages = -(-len(shown_tiles(ctx)) // PAGE_TILES)
    current = min(ctx.record["scroll"].get("qs_pager", [0, 0])[0], max(pages - 1, 0))
    dots = [
        Node(
            "space",
            width=16.0 if page == current else 6.0,
            height=6.0,
            radius=3.0,
            bg="primary" if page == current else "outlineVariant",
            hidden_from_tree=True,
        )
        for page in range(pages)
    ]

    def turn() -> None:
        ctx.record["scroll"]["qs_pager"] = [(current + 1) % pages, 0]

    return Node(
        "row",
        dots,
        gap=6.0,
        height=40.0,
        pad=(12.0, 0.0, 12.0, 0.0),
        place="center-center",
        id="page_indicator",
        desc=ctx.tr("tile_page", page=current + 1, pages=pages),
        on_tap=turn if pages > 1 else None,
    )


def brightness(ctx: Context) -> Node:
    """The brightness slider: a thick bar that a drag or a tap sets."""
    level = min(max(ctx.settings.get_int("system", "screen_brightness", 128), 1), 255)
    share = max((level - 1) / 254, 0.0)

    def moved(x1: float, y1: float, x2: float, y2: float) -> None:
        ctx.put_setting("system", "screen_brightness", 1 + round(min(max(x2, 0.0), 1.0) * 254))

    icon = Icon("brightness-5", 24.0, "onPrimary", hidden_from_tree=True)
    fill = Node(
        "row",
        (icon,),
        justify="end",
        weight=max(share, 0.001),
        height=FILL,
        min_width=48.0,
        pad=(0.0, 0.0, 12.0, 0.0),
        bg="primary",
        radius=24.0,
        hidden_from_tree=True,
    )
    if share < 0.13:
        fill = fill.replace(weight=0.0, width=48.0)
    rest = Node("space", weight=max(1 - share, 0.001), height=FILL, hidden_from_tree=True)
    track = Node("space", width=FILL, height=48.0, radius=24.0, bg="surfaceContainerHighest", hidden_from_tree=True)
    return Node(
        "box",
        (track, Node("row", (fill, rest), width=FILL, height=48.0, hidden_from_tree=True)),
        width=FILL,
        height=48.0,
        cls="android.widget.SeekBar",
        id="brightness_slider",
        desc=ctx.tr("brightness"),
        focusable=True,
        on_drag=moved,
    )


def round_button(icon: str, on_tap: Handler, desc: str, id: str, strong: bool = False) -> Node:
    """A round button of the shade's footer."""
    ink = "onPrimary" if strong else "onSurface"
    glyph = Icon(icon, 20.0, ink, place="center-center", hidden_from_tree=True)
    return Node(
        "box",
        (glyph,),
        width=40.0,
        height=40.0,
        radius=20.0,
        bg="primary" if strong else "surfaceBright",
        cls="android.widget.ImageButton",
        id=id,
        desc=desc,
        on_tap=on_tap,
    )
