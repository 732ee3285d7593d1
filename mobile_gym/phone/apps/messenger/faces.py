"""Faces of people and groups, and the badge that counts what is new."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mobile_gym.phone.apps.messenger.tones import tone
from mobile_gym.phone.ui.node import Node
from mobile_gym.phone.ui.theme import mix
from mobile_gym.phone.ui.widgets import Icon, Text

if TYPE_CHECKING:
    from mobile_gym.phone.system.app import Context

_FACES = ("#3F72AF", "#B0703A", "#A8527A", "#3E8A62", "#8565B0", "#2F8F88", "#B0553F", "#66758A")


def face(name: str, avatar: str, size: float, **attributes: Any) -> Node:
    """A person's or a group's square picture.

    Args:
        name: the name shown; gives letter and colour where there is no picture.
        avatar: `letter/<text>/<colour>`, `icon/<glyph>/<colour>`, a picture source such as `photo/cat`, or empty.
        size: width and height, dp.
        attributes: attributes of the node.
    """
    radius = round(size / 7)
    kind, _, rest = avatar.partition("/")
    what, _, color = rest.partition("/")
    if avatar and kind not in ("letter", "icon"):
        return Node("picture", source=avatar, width=size, height=size, radius=radius, **attributes)
    if not avatar:
        kind, what, color = "letter", name[:1].upper(), _FACES[sum(map(ord, name)) % len(_FACES)]
    ground = Node(
        "picture",
        source=f"gradient/{mix('#FFFFFF', color, 0.28)}/{color}",
        width=size,
        height=size,
        radius=radius,
        hidden_from_tree=True,
    )
    if kind == "icon":
        mark = Icon(what, size * 0.6, "#FFFFFF", place="center-center", hidden_from_tree=True)
    else:
        mark = Text(
            what,
            "titleMedium",
            "#FFFFFF",
            size_sp=size * 0.42,
            line_sp=size * 0.5,
            place="center-center",
            max_lines=1,
            hidden_from_tree=True,
        )
    return Node(
        "box", (ground, mark), width=size, height=size, radius=radius, cls="android.widget.ImageView", **attributes
    )


def with_badge(node: Node, ctx: Context, count: int, dot: bool = False, desc: str = "") -> Node:
    """A face or an icon with the red badge at its top right corner, which counts, or is a dot."""
    if not count and not dot:
        return node
    t = tone(ctx)
    if dot:
        mark = Node(
            "space", width=10.0, height=10.0, radius=5.0, bg=t.red, place="top-end", offset=(4.0, -4.0), id="unread_dot"
        )
    else:
        # The number lies in a box of its own, which may stand out over the edge.
        text = str(count) if count < 100 else "99+"
        mark = Node(
            "box",
            (Text(text, "labelMedium", "#FFFFFF", max_lines=1, place="center-center", hidden_from_tree=True),),
            min_width=18.0,
            min_height=18.0,
            pad=(5.0, 1.0, 5.0, 1.0),
            radius=9.0,
            bg=t.red,
            place="top-end",
            offset=(8.0, -6.0),
            id="unread_badge",
            cls="android.widget.TextView",
            text=text,
            desc=desc,
        )
    return Node("box", (node, mark), hidden_from_tree=True)
