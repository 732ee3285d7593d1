"""Icons of the home screen and the drawer: apps, folders, empty cells."""

from __future__ import annotations

from collections.abc import Mapping

from mobile_gym.phone.apps.launcher.arrangement import Item
from mobile_gym.phone.system.app import App, Context
from mobile_gym.phone.ui.node import Handler, Node
from mobile_gym.phone.ui.widgets import AppDisc, Text

_WHITE = "#FFFFFF"


def notification_counts(ctx: Context) -> Mapping[str, int]:
    """How many notifications each package has that may show a dot."""
    counts: dict[str, int] = {}
    for posted in ctx.phone.notifier.posted:
        if not posted["ongoing"]:
            counts[posted["package"]] = counts.get(posted["package"], 0) + 1
    return counts


def _dot(app: App | None) -> Node:
    assert app is None or app.icon is not None
    color = "#7FB0F5" if app is None or app.icon is None else app.icon.colors[0]
    if color.upper() in ("#FFFFFF", "#FFF") and app is not None and app.icon is not None:
        color = app.icon.ink
    return Node(
        "space",
        width=14.0,
        height=14.0,
        radius=7.0,
        bg=color,
        border=2.0,
        border_color=_WHITE,
        place="top-end",
        hidden_from_tree=True,
    )


def app_icon(
    ctx: Context,
    package: str,
    size: float,
    count: int,
    on_tap: Handler,
    *,
    ink: str = _WHITE,
    label: bool = True,
    id: str = "icon",
) -> Node:
    """An app's icon with its label under it."""
    app = ctx.phone.apps[package]
    assert app.icon is not None
    name = app.label(ctx.language)
    disc: Node = AppDisc(app.icon, size, shadow=1, hidden_from_tree=True)
    picture = Node("box", (disc, _dot(app)), hidden_from_tree=True) if count else disc
    desc = ctx.tr("with_notifications", label=name, count=count) if count else name
    return _icon(picture, name, desc, on_tap, ink, label, id)


def folder_icon(
    ctx: Context, item: Item, size: float, counts: Mapping[str, int], on_tap: Handler, label: bool = True
) -> Node:
    """A folder: up to four small icons on a disc."""
    small = size * 0.32
    rows: list[Node] = []
    for start in (0, 2):
        discs = []
        for app_item in item.apps[start : start + 2]:
            icon = ctx.phone.apps[app_item.package].icon
            assert icon is not None
            discs.append(AppDisc(icon, small, hidden_from_tree=True))
        if discs:
            rows.append(Node("row", discs, gap=size * 0.06, hidden_from_tree=True))
    grid = Node("col", rows, gap=size * 0.06, place="center-center", hidden_from_tree=True)
    disc = Node(
        "box",
        (grid,),
        width=size,
        height=size,
        radius=size / 2,
        bg="#DCE6F5",
        shadow=1,
        hidden_from_tree=True,
    )
    count = sum(counts.get(app_item.package, 0) for app_item in item.apps)
    picture = Node("box", (disc, _dot(None)), hidden_from_tree=True) if count else disc
    name = item.title or ctx.tr("folder")
    desc = ctx.tr("folder_desc", name=name, count=len(item.apps))
    return _icon(picture, name, desc, on_tap, _WHITE, label, "folder")


def _icon(picture: Node, name: str, desc: str, on_tap: Handler, ink: str, label: bool, id: str) -> Node:
    parts = [picture]
    if label:
        text = Text(
            name,
            size_sp=13,
            line_sp=18,
            color=ink,
            max_lines=1,
            soft_shadow=ink == _WHITE,
            hidden_from_tree=True,
            pad=(2.0, 0.0, 2.0, 0.0),
        )
        parts.append(text)
    return Node(
        "col",
        parts,
        gap=6.0,
        align="center",
        weight=1.0,
        cls="android.widget.TextView",
        text=name,
        desc=desc,
        id=id,
        on_tap=on_tap,
    )
