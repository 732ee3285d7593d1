"""Layout: sizes and places of nodes in whole pixels, and the display list that draws them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import ceil

from mobile_gym.phone.ui import lists
from mobile_gym.phone.ui.boxes import intersect, leaves
from mobile_gym.phone.ui.display import Clip, DisplayList, Fill, Font, Icon, Line, Picture, Radii, Round, Shadow, Text
from mobile_gym.phone.ui.field_ink import draw_field
from mobile_gym.phone.ui.metrics import Metrics, metrics_for
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.text import baseline, break_lines, fit, text_width
from mobile_gym.phone.ui.theme import Theme, mix

ENDLESS = 1 << 20
"""Room along an axis in which content may be as long as it likes, pixels."""


@lru_cache(maxsize=8192)
def set_lines(text: str, font: Font, room: int, max_lines: int) -> tuple[Sequence[str], tuple[int, ...], int]:
    """A text in lines that fit a room, the width of each in whole pixels, and the widest; 0 lines for no limit."""
    lines = (fit(text, font, room),) if max_lines == 1 else break_lines(text, font, room, max_lines or None)
    widths = tuple(ceil(text_width(line, font)) for line in lines)
    return lines, widths, max(widths, default=0)


class Layouter:
    """Lays out one window and makes its display list.

    Args:
        metrics: density and fonts.
        theme: colours.
        scroll: for each list's id the first row shown and the pixels of it that are scrolled away.
        insets: pixels that spaces with an inset take: `status`, `bottom`, `snack`.
    """

    def __init__(
        self, metrics: Metrics, theme: Theme, scroll: Mapping[str, list[int]], insets: Mapping[str, int] | None = None
    ) -> None:
        self.metrics = metrics
        self.theme = theme
        self.scroll = scroll
        self.insets = insets or {}
        self.under: str | None = None
        """The one colour that lies under the whole window, where that is known."""
        self.ops: DisplayList = []
        self.dim = 0
        self._curve: tuple[int, int, int, int, Radii] | None = None
        """Place and corners of the rounded surface that lies under what is placed now."""

    def run(self, root: Node, box: Clip, dim: int = 0) -> DisplayList:
        """Lays `root` out in a box of the screen and returns the operations that draw it.

        Args:
            root: the tree; its nodes get their place and visible part.
            box: left, top, right, bottom, pixels.
            dim: percent of black over everything in it.
        """
        self.dim = dim
        self.ops = []
        self.measure(root, box[2] - box[0], box[3] - box[1], box[2] - box[0], box[3] - box[1])
        self._place(root, box[0], box[1], box, self.under, 1.0)
        return self.ops

    # ---- sizes

    def edges(self, node: Node) -> tuple[int, int, int, int]:
        """A node's padding in pixels: left, top, right, bottom."""
        return self.metrics.edges(node.pad)

    def measure(self, node: Node, room_w: int, room_h: int, force_w: int = 0, force_h: int = 0) -> None:
        """Sets the size of a node and of all below it, and the places of children relative to it.

        Args:
            node: the node.
            room_w: width that it may take at most.
            room_h: height that it may take at most.
            force_w: the width that it must have, 0 where it is free.
            force_h: the height that it must have, 0 where it is free.
        """
        px = self.metrics.px
        left, top, right, bottom = self.metrics.edges(node.pad)
        width, height = node.width, node.height
        w = force_w or (0 if width is None else room_w if width == FILL else px(width))
        h = force_h or (0 if height is None else room_h if height == FILL else px(height))
        if not w and node.max_width:
            room_w = min(room_w, px(node.max_width))
        inner_w = (w or room_w) - left - right
        if inner_w < 0:
            inner_w = 0
        inner_h = (h or room_h) - top - bottom
        if inner_h < 0:
            inner_h = 0
        kind = node.kind
        if kind == "text" or kind == "field":
            content_w, content_h = self._measure_text(node, inner_w)
        elif kind == "row":
            force = h - top - bottom if h else 0
            content_w, content_h = self._measure_line(node, inner_w, inner_h, bool(w), force, True)
        elif kind == "col":
            force = w - left - right if w else 0
            content_w, content_h = self._measure_line(node, inner_w, inner_h, bool(h), force, False)
        elif kind == "box":
            content_w = content_h = 0
            for child in node.children:
                self.measure(child, inner_w, inner_h)
                if child.w > content_w:
                    content_w = child.w
                if child.h > content_h:
                    content_h = child.h
        elif kind == "list":
            content_w, content_h = lists.measure(self, node, inner_w, inner_h)
        elif kind == "icon":
            content_w = content_h = self._icon_px(node)
        else:
            content_w = 0
            content_h = self.insets.get(node.inset, 0) if node.inset else 0
        if not w:
            w = content_w + left + right
            if node.min_width and w < px(node.min_width):
                w = px(node.min_width)
        if not h:
            h = content_h + top + bottom
            if node.min_height and h < px(node.min_height):
                h = px(node.min_height)
        node.w, node.h = w, h
        if kind == "box":
            self._align_box(node, left, top, right, bottom)
        elif kind == "col" or kind == "row":
            self._align(node, left, top, right, bottom, content_w, content_h)

    def _icon_px(self, node: Node) -> int:
        return self.metrics.sp_px(node.icon_size) if node.icon_scales else self.metrics.px(node.icon_size)

    def _measure_text(self, node: Node, room: int) -> tuple[int, int]:
        font, line = self.metrics.style(node.style, node.text_weight, node.size_sp, node.line_sp)
        if node.kind == "text":
            lines, node.line_widths, widest = set_lines(node.text, font, room, node.max_lines)
            node.lines = lines
            return (widest if widest < room else room), line * (len(lines) or 1)
        text = ("\u2022" * len(node.text) if node.password else node.text) or node.hint
        node.lines = (text,) if node.max_lines == 1 else break_lines(text, font, room, node.max_lines or None)
        widest = ceil(max((text_width(text, font) for text in node.lines), default=0.0))
        return min(widest, room), line * max(len(node.lines), 1)

    def _measure_line(
        self, node: Node, room_w: int, room_h: int, fixed: bool, force: int, is_row: bool
    ) -> tuple[int, int]:
        """Measures the children of a row or a column; returns the size of all of them together.

        Args:
            node: the row or column.
            room_w: width that the children have.
            room_h: height that they have.
            fixed: whether the node's own size along its axis is given. Where it is not, the node is as long as its
                content, and weights only limit their children.
            force: the size across that children must have where they are stretched.
            is_row: whether it is a row.
        """
        children = node.children
        used = self.metrics.px(node.gap) * (len(children) - 1) if children else 0
        stretch = force if node.align == "stretch" else 0
        shares = 0.0
        across = 0
        for child in children:
            share = child.weight or (1.0 if (child.width if is_row else child.height) == FILL else 0.0)
            if share:
                shares += share
                continue
            if is_row:
                self.measure(child, max(room_w - used, 0), room_h, 0, stretch)
                used += child.w
                across = max(across, child.h)
            else:
                self.measure(child, room_w, max(room_h - used, 0), stretch)
                used += child.h
                across = max(across, child.w)
        if shares:
            rest = max((room_w if is_row else room_h) - used, 0)
            for child in children:
                share = child.weight or (1.0 if (child.width if is_row else child.height) == FILL else 0.0)
                if not share:
                    continue
                part = int(rest * share / shares)
                if is_row:
                    self.measure(child, part, room_h, part if fixed else 0, stretch)
                    used += child.w
                    across = max(across, child.h)
                else:
                    self.measure(child, room_w, part, stretch, part if fixed else 0)
                    used += child.h
                    across = max(across, child.w)
        return (used, across) if is_row else (across, used)

    # ---- places inside the parent

    def _align_box(self, node: Node, left: int, top: int, right: int, bottom: int) -> None:
        for child in node.children:
            vertical, _, horizontal = child.place.partition("-")
            free_w, free_h = node.w - left - right - child.w, node.h - top - bottom - child.h
            child.x = left + (free_w if horizontal == "end" else free_w // 2 if horizontal == "center" else 0)
            child.y = top + (free_h if vertical == "bottom" else free_h // 2 if vertical == "center" else 0)

    def _align(self, node: Node, left: int, top: int, right: int, bottom: int, content_w: int, content_h: int) -> None:
        is_row = node.kind == "row"
        gap = self.metrics.px(node.gap)
        free = (node.w - left - right - content_w) if is_row else (node.h - top - bottom - content_h)
        at = left if is_row else top
        extra = 0
        if free > 0 and node.justify != "start":
            if node.justify == "center":
                at += free // 2
            elif node.justify == "end":
                at += free
            elif len(node.children) > 1:
                extra = free // (len(node.children) - 1)
        align = node.align or ("center" if is_row else "start")
        cross = (node.h - top - bottom) if is_row else (node.w - left - right)
        base = max((self._baseline(child) for child in node.children), default=0) if align == "baseline" else 0
        for child in node.children:
            size = child.h if is_row else child.w
            if align == "center":
                across = (cross - size) // 2
            elif align == "end":
                across = cross - size
            elif align == "baseline":
                across = base - self._baseline(child)
            else:
                across = 0
            if is_row:
                child.x, child.y = at, top + across
                at += child.w + gap + extra
            else:
                child.x, child.y = left + across, at
                at += child.h + gap + extra

    def _baseline(self, node: Node) -> int:
        if node.kind == "row" and node.align == "baseline" and node.children:
            first = node.children[0]  # texts of several sizes on one line, such as a price
            return int(first.y) + self._baseline(first)
        if node.kind != "text":
            return node.h
        font, line = self.metrics.style(node.style, node.text_weight, node.size_sp, node.line_sp)
        return node.h - line + int(baseline(line, font))

    # ---- places on the screen, and drawing

    def _place(self, node: Node, x: int, y: int, clip: Clip, bg: str | None, fade: float) -> None:
        if node.offset != (0.0, 0.0):
            x += self.metrics.px(node.offset[0]) if node.offset[0] >= 0 else -self.metrics.px(-node.offset[0])
            y += self.metrics.px(node.offset[1]) if node.offset[1] >= 0 else -self.metrics.px(-node.offset[1])
        node.x, node.y = x, y
        visible = intersect(clip, (x, y, x + node.w, y + node.h))
        node.visible = visible
        if visible is None:
            return
        fade *= node.fade
        under = bg
        if node.shadow or node.bg is not None or node.border:
            bg = self._surface(node, x, y, clip, bg, fade)
        kind = node.kind
        if kind == "text":
            self._draw_text(node, x, y, clip, bg, fade)
        elif kind == "icon":
            self._draw_icon(node, x, y, clip, bg, fade)
        elif kind == "field":
            draw_field(self, node, x, y, visible, bg, fade)
        elif kind == "picture":
            radii = self._radii(node)
            self.ops.append(Picture(x, y, node.w, node.h, node.source, radii, clip, under, self.dim))
        elif kind == "stroke":
            density = self.metrics.density
            points = tuple((px * density, py * density) for px, py in node.points)
            color = self.ink(node.color, bg, fade)
            width = node.stroke_width * density
            self.ops.append(Line(x, y, node.w, node.h, points, width, color, clip, bg, self.dim, node.filled))
        elif kind == "miniature":
            self._draw_miniature(node, x, y, visible)
        inner = visible if kind == "list" or node.clip_children else clip
        curve = self._curve
        if node.bg is not None:
            self._curve = (x, y, node.w, node.h, self._radii(node)) if node.radius else None
        if kind == "box" and len(node.children) > 1:
            self._place_layers(node, x, y, inner, bg, fade)
        else:
            for child in node.children:
                self._place(child, x + child.x, y + child.y, inner, bg, fade)
        self._curve = curve

    def _place_layers(self, node: Node, x: int, y: int, clip: Clip, bg: str | None, fade: float) -> None:
        """Places children that may lie over each other: what is under a later one is known only beside the others."""
        below: list[Clip] = []
        for child in node.children:
            left, top = x + child.x, y + child.y
            shift_x, shift_y = (int(part * self.metrics.density) for part in child.offset)
            box = (left + shift_x, top + shift_y, left + shift_x + child.w, top + shift_y + child.h)
            covered = any(intersect(box, other) is not None for other in below)
            self._place(child, left, top, clip, None if covered else bg, fade)
            paints = child.bg is not None or child.border or child.shadow or child.kind == "picture" or child.children
            if child.visible is not None and paints:
                below.append((child.x, child.y, child.x + child.w, child.y + child.h))

    def ink(self, role: str, bg: str | None, fade: float) -> str:
        """The colour of a role, faded into what lies behind it."""
        color = self.theme.color(role)
        return color if fade >= 1.0 else mix(color, bg or self.theme.color("surface"), fade)

    def _radii(self, node: Node) -> Radii:
        radius = node.radius
        if isinstance(radius, tuple) or not radius:
            return self.metrics.edges(radius)
        same = min(self.metrics.px(radius), node.w // 2, node.h // 2)
        return same, same, same, same

    def _surface(self, node: Node, x: int, y: int, clip: Clip, bg: str | None, fade: float) -> str | None:
        radii = self._radii(node)
        if node.shadow:
            self.ops.append(Shadow(x, y, node.w, node.h, radii[0], node.shadow, clip, bg, self.dim))
            bg = None
        color = None if node.bg is None else self.ink(node.bg, bg, fade)
        if self._curve is not None and color != bg and leaves(self._curve, x, y, node.w, node.h):
            bg = None
        if node.edge and bg is not None:
            rim = mix("#000000", bg, 0.16)
            self.ops.append(Round(x, y + self.metrics.px(1), node.w, node.h, radii, rim, 0, None, clip, bg, self.dim))
            bg = None
        if node.border:
            border = max(self.metrics.px(node.border), 1)
            line = self.ink(node.border_color, bg, fade)
            self.ops.append(Round(x, y, node.w, node.h, radii, color, border, line, clip, bg, self.dim))
        elif color is not None:
            if radii == (0, 0, 0, 0):
                self.ops.append(Fill(x, y, node.w, node.h, color, clip, self.dim))
            else:
                self.ops.append(Round(x, y, node.w, node.h, radii, color, 0, None, clip, bg, self.dim))
        return color if color is not None else bg

    def _draw_text(self, node: Node, x: int, y: int, clip: Clip, bg: str | None, fade: float) -> None:
        font, line = self.metrics.style(node.style, node.text_weight, node.size_sp, node.line_sp)
        color = self.ink(node.color, bg, fade)
        left, top, right, bottom = self.edges(node)
        room = node.w - left - right
        free = node.h - top - bottom - line * len(node.lines)
        at = y + top + (free // 2 if free > 0 else 0) + int(baseline(line, font))
        align = node.text_align
        for text, width in zip(node.lines, node.line_widths, strict=True):
            shift = 0 if align == "start" else room - width if align == "end" else (room - width) // 2
            if text:
                self.ops.append(
                    Text(x + left + shift, at, width, text, font, color, clip, bg, self.dim, node.soft_shadow)
                )
            at += line

    def _draw_miniature(self, node: Node, x: int, y: int, clip: Clip) -> None:
        """Lays a whole screen out at a smaller density, and draws it."""
        if node.screen is None:
            return
        metrics = self.metrics
        density = metrics.density * node.zoom
        insets = {name: round(size * node.zoom) for name, size in self.insets.items()}
        dark = self.theme.dark
        theme = Theme({**self.theme.roles, **{role: pair[dark] for role, *pair in node.palette}}, dark)
        own = metrics_for(density, node.font_scale or metrics.font_scale, metrics.bolder)
        small = Layouter(own, theme, node.scrolls, insets)
        small.dim = self.dim
        small.measure(node.screen, node.w, node.h, node.w, node.h)
        small._place(node.screen, x, y, clip, None, 1.0)
        self.ops += small.ops

    def _draw_icon(self, node: Node, x: int, y: int, clip: Clip, bg: str | None, fade: float) -> None:
        size = self._icon_px(node)
        color = self.ink(node.color, bg, fade)
        at_x, at_y = x + (node.w - size) // 2, y + (node.h - size) // 2
        self.ops.append(Icon(at_x, at_y, size, node.icon, color, clip, bg, self.dim, node.turn))
