"""Pages of the shade: the editor of tiles and the history of notifications."""

from __future__ import annotations

from collections.abc import Sequence

from mobile_gym.phone.system.app import Context
from mobile_gym.phone.system.bars import StatusBar
from mobile_gym.phone.system.surfaces import tiles
from mobile_gym.phone.system.surfaces.notices import notice_disc, texts
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import (
    EmptyState,
    Group,
    Icon,
    IconButton,
    LazyList,
    Scaffold,
    SectionTitle,
    Text,
    TextButton,
    TopBar,
)

LEAST_TILES = 4


def _leave(ctx: Context) -> Handler:
    return ctx.set_ui("view", "")


def _bar(ctx: Context, title: str, actions: Sequence[Node] = ()) -> Node:
    """A bar whose Back leads to the shade."""
    back = IconButton("arrow-left", _leave(ctx), ctx.tr("back"), id="back", color="onSurface")
    return TopBar(ctx, title, back=False, leading=back, actions=actions)


def history(ctx: Context) -> Node:
    """Dismissed notifications, newest first."""
    kept = ctx.phone.state.interface["dismissed"]
    rows = []
    for notice in kept:
        column = Node("col", texts(ctx, notice, True), weight=1.0, hidden_from_tree=True)
        rows.append(
            Node(
                "row",
                (notice_disc(ctx, notice), column),
                gap=16.0,
                width=FILL,
                align="start",
                pad=(16.0, 14.0, 16.0, 14.0),
                id="notification_history_row",
            )
        )
    empty = EmptyState("history", ctx.tr("history_empty"))
    body = LazyList(Group(rows), id="history_list", empty=empty, top_pad=8.0)
    top = _bar(ctx, ctx.tr("notification_history"))
    return _under_status_bar(ctx, Scaffold(body, top=top, bg="surfaceContainer", id="history_page"))


def edit(ctx: Context) -> Node:
    """Tiles that show, in order, and those that don't: a tap moves one from here to there, a drag changes the order."""
    _, catalogue = tiles.catalogue()
    shown = tiles.shown_tiles(ctx)
    more = [name for name in catalogue if name not in shown]
    cells: list[tuple[Node, str]] = []

    def store(names: list[str]) -> None:
        ctx.put_setting("secure", tiles.ORDER_KEY, ",".join(names))

    def remove(name: str) -> Handler:
        def handle() -> None:
            if len(shown) <= LEAST_TILES:
                ctx.toast(ctx.tr("tile_least", count=LEAST_TILES))
            else:
                store([other for other in shown if other != name])

        return handle

    def add(name: str) -> Handler:
        return lambda: store([*shown, name])

    def dropped(name: str, x: int, y: int) -> None:
        for node, other in cells:
            box = node.visible
            if other != name and box is not None and box[0] <= x < box[2] and box[1] <= y < box[3]:
                place = shown.index(other)
                rest = [found for found in shown if found != name]
                store([*rest[:place], name, *rest[place:]])
                return

    def cell(name: str, handler: Handler, label: str, badge: str) -> Node:
        tile = catalogue[name]
        title = ctx.tr(f"tile_{name}")
        text = Text(title, size_sp=15, line_sp=20, text_weight=500, max_lines=2, weight=1.0, id="tile_label")
        return Node(
            "row",
            (Icon(tile.icon, 24.0, "onSurface"), text, Icon(badge, 20.0, "primary")),
            gap=12.0,
            weight=1.0,
            min_height=tiles.TILE_DP,
            radius=28.0,
            bg="surfaceBright",
            pad=(18.0, 4.0, 14.0, 4.0),
            on_tap=handler,
            id=f"tile_{name}",
            desc=ctx.tr(label, name=title),
            cls="android.widget.Button",
        )

    kept = []
    for name in shown:
        node = cell(name, remove(name), "tile_remove", "minus-circle")
        node.on_drop = lambda x, y, name=name: dropped(name, x, y)
        cells.append((node, name))
        kept.append(node)
    spare = [cell(name, add(name), "tile_add", "plus-circle") for name in more]
    hint = Text(ctx.tr("edit_hint"), "bodyMedium", "onSurfaceVariant", pad=(24.0, 0.0, 24.0, 8.0), id="drag_label")
    rows = [hint, *_pairs(kept)]
    if spare:
        rows += [SectionTitle(ctx.tr("tiles_more"), 24.0), *_pairs(spare)]
    reset = TextButton(ctx.tr("reset"), lambda: ctx.phone.delete_setting("secure", tiles.ORDER_KEY), id="reset")
    top = _bar(ctx, ctx.tr("edit_title"), (reset,))
    listing = LazyList(rows, id="edit_list", bottom_pad=16.0)
    return _under_status_bar(ctx, Scaffold(listing, top=top, bg="surfaceContainer", id="qs_customizer"))


def _under_status_bar(ctx: Context, page: Node) -> Node:
    """A page with the status bar over its top, for a window that covers the system's own."""
    status = StatusBar().build(ctx.phone, ctx.phone.dark, True)
    bar = Node("box", (status,), width=FILL, height=45.0, hidden_from_tree=True)
    return Node("box", (page, bar), width=FILL, height=FILL, bg=page.bg, blocks=True, hidden_from_tree=True)


def _pairs(nodes: list[Node]) -> list[Node]:
    """Two to a row; the nodes themselves stay, so that their handlers know where they lie."""
    rows = []
    for at in range(0, len(nodes), 2):
        pair = nodes[at : at + 2]
        if len(pair) < 2:
            pair.append(Node("space", weight=1.0, hidden_from_tree=True))
        rows.append(Node("row", pair, gap=8.0, width=FILL, pad=(16.0, 0.0, 16.0, 8.0), hidden_from_tree=True))
    return rows
