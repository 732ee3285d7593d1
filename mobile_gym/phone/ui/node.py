"""`Node`: one element of a screen. Every build makes a new tree; picture and hierarchy both come from it.

Sizes are dp unless a name ends in `_px`; the layout turns them into whole pixels of the screen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

FILL = -1.0
"""A width or height that takes all there is."""

Kind = Literal["col", "row", "box", "list", "text", "icon", "picture", "field", "space", "stroke", "miniature"]
Handler = Callable[[], None]
Edges = tuple[float, float, float, float]

_CLASSES = {
    "col": "android.widget.LinearLayout",
    "row": "android.widget.LinearLayout",
    "box": "android.widget.FrameLayout",
    "list": "androidx.recyclerview.widget.RecyclerView",
    "text": "android.widget.TextView",
    "icon": "android.widget.ImageView",
    "picture": "android.widget.ImageView",
    "field": "android.widget.EditText",
    "space": "android.view.View",
    "stroke": "android.view.View",
    "miniature": "android.widget.ImageView",
}


class Node:
    """One element.

    Only what differs from the defaults below is given to the constructor; widgets (`mobile_gym.phone.ui.widgets`) are
    functions that return nodes.

    Args:
        kind: how children are laid out or what the leaf shows.
        children: nodes inside; for a list, nodes or the items that `build_row` turns into nodes.
        attributes: any of the attributes below.
    """

    # What UIAutomator shows.
    cls: str = ""
    id: str = ""
    text: str = ""
    desc: str = ""
    checkable: bool = False
    checked: bool = False
    enabled: bool = True
    focusable: bool = False
    focused: bool = False
    password: bool = False
    selected: bool = False
    hidden_from_tree: bool = False
    """Painted and hit, but no node of the hierarchy (a shadow box, a decoration)."""

    # Layout.
    width: float | None = None
    height: float | None = None
    min_width: float = 0.0
    min_height: float = 0.0
    max_width: float = 0.0
    weight: float = 0.0
    pad: Edges | float = 0.0
    gap: float = 0.0
    align: str = ""
    """Across the axis of a col or row: start, center, end, stretch, baseline."""
    justify: str = "start"
    """Along the axis: start, center, end, between."""
    place: str = "top-start"
    """Where this node lies in a box: (top|center|bottom)-(start|center|end)."""
    offset: tuple[float, float] = (0.0, 0.0)
    """Moves the node from where the layout put it; dp."""

    # Paint.
    bg: str | None = None
    radius: float | tuple[float, float, float, float] = 0.0
    border: float = 0.0
    border_color: str = "outlineVariant"
    shadow: int = 0
    edge: bool = False
    """A darker rim of 1 dp under the surface, as keys have it."""
    clip_children: bool = False
    fade: float = 1.0
    """Strength of this node's and its children's colours over what lies behind; 0.38 where disabled."""

    # Text.
    style: str = "bodyLarge"
    color: str = "onSurface"
    text_weight: int = 0
    max_lines: int = 0
    text_align: str = "start"
    soft_shadow: bool = False
    underline: tuple[int, int] | None = None
    """Of a field: the part that an input method is still composing, as a range of the text."""
    hint: str = ""
    """What a field shows while it is empty."""
    cursor: int | None = None
    selection: tuple[int, int] | None = None
    size_sp: float = 0.0
    line_sp: float = 0.0

    # Icon and picture.
    icon: str = ""
    icon_size: float = 24.0
    icon_scales: bool = False
    """Whether the icon grows with the font (status bar)."""
    turn: int = 0
    source: str = ""
    points: tuple[tuple[float, float], ...] = ()
    """A stroke's points, dp from the node's corner."""
    stroke_width: float = 2.0
    filled: bool = False
    """Whether a stroke's points are the outline of a filled shape; half the stroke's width rounds its corners."""

    # Miniature: a screen drawn small, as a picture. Nobody touches or reads what is in it.
    screen: Node | None = None
    """The screen's tree."""
    zoom: float = 1.0
    """Its size as a share of the true one."""
    scrolls: Mapping[str, list[int]] = {}
    """Where its lists are scrolled to."""
    palette: tuple[tuple[str, str, str], ...] = ()
    """Colour roles in which its app differs from the system: role, light, dark."""
    font_scale: float = 0.0
    """Its app's font scale; 0 for the system's."""

    # List.
    axis: Literal["v", "h"] = "v"
    build_row: Callable[[Any], Node] | None = None
    scrollable: bool = True
    paged: bool = False
    """A horizontal list whose rows are pages: a swipe moves by a whole one."""
    reverse: bool = False
    """Starts at its end (a chat)."""

    # Behaviour.
    on_tap: Handler | None = None
    on_long_press: Handler | None = None
    on_double_tap: Handler | None = None
    on_drag: Callable[[float, float, float, float], None] | None = None
    """Called with start and end as shares (0 to 1) of the node's box; may lie outside it."""
    on_swipe: Callable[[str], bool | None] | None = None
    """Called with `up`, `down`, `left`, `right`: where the finger went. False passes it on to what is around."""
    on_drop: Callable[[int, int], None] | None = None
    """Called where a slow drag that began on this node ended: pixels of the screen (an icon that is moved)."""
    on_position: Callable[[int, int], None] | None = None
    """A tap with its place in pixels within the node; for keys, dials and text."""
    inset: str = ""
    """Of a space: as high as the `status` bar, the `snack` bar, or what covers the `bottom` (navigation, keyboard)."""

    # Text field.
    field_id: str = ""
    on_change: Callable[[str], None] | None = None
    on_submit: Handler | None = None
    """What the keyboard's action key and Enter do in a field of one line."""
    action: str = "done"
    """What the action key says: done, search, send, next, go."""
    multiline: bool = False
    input_type: str = "text"
    """text, number, phone, email, password: which keys the keyboard shows, and which characters are taken."""
    max_length: int = 0
    select_on_focus: bool = False
    """Whether a tap that gives the field the focus selects its text, so that typing replaces it."""

    blocks: bool = False
    """Swallows taps that nothing inside takes (a dialog's surface)."""
    fullscreen: bool = False
    light_glyphs: bool | None = None
    """Of a page: whether the signs of the system's bars are light; None: as its colour asks for."""
    light_keys: bool | None = None
    """Of a page: whether those of the navigation bar are; None: like those of the status bar."""
    secure: bool = False

    # What the layout found: pixels of the screen.
    x: int = 0
    y: int = 0
    w: int = 0
    h: int = 0
    visible: tuple[int, int, int, int] | None = None
    """The part that shows: left, top, right, bottom; None where nothing of it does."""
    lines: Sequence[str] = ()
    line_widths: Sequence[int] = ()
    """Width of each line of a text, pixels."""
    anchor: tuple[int, int] = (0, 0)
    extent: tuple[int, int] = (0, 0)
    """Of a list after layout: viewport size along the axis and number of rows; `anchor` is the first row shown and the
    pixels of it that are scrolled away."""

    def __init__(self, kind: Kind, children: Sequence[Any] = (), **attributes: Any) -> None:
        attributes["kind"] = kind
        attributes["children"] = children
        self.__dict__ = attributes

    kind: Kind
    children: Sequence[Any]
    """Nodes inside; of a list after layout, the rows that show."""
    rows: Any = None
    """Of a list after layout: all its rows, measured when asked for."""
    more: tuple[bool, bool] = (False, False)
    """Of a list after layout: whether it can scroll back and on."""

    @property
    def class_name(self) -> str:
        """The Android class that UIAutomator names."""
        return self.cls or _CLASSES[self.kind]

    def replace(self, **attributes: Any) -> Node:
        """This node with other attributes, as a new one; the children are shared."""
        new = Node.__new__(Node)
        new.__dict__ = {**self.__dict__, **attributes}
        return new

    def walk(self) -> list[Node]:
        """This node and all laid-out nodes below it, parents first."""
        found = [self]
        for node in found:
            found.extend(child for child in node.children if isinstance(child, Node))
        return found

    def unknown_attributes(self) -> list[str]:
        """Names that were given but mean nothing: misspelt ones."""
        return sorted(name for name in self.__dict__ if name not in _KNOWN)


_KNOWN = frozenset(Node.__annotations__)
