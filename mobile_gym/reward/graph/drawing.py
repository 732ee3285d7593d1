"""A task graph as one self-contained HTML page: thumbnails in layers, actions as arrows."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from html import escape
from importlib.resources import files

from PIL import Image

from mobile_gym.reward.graph.model import Edge, Node, TaskGraph

_THUMB = 210
"""Height of a thumbnail on the page, CSS pixels; pictures have twice as many for sharp screens."""
_ACROSS, _DOWN, _TOP, _LEFT = 250, 310, 40, 40
_ARROWS = {"up": "↑", "down": "↓", "left": "←", "right": "→"}


def page(graph: TaskGraph) -> str:
    """The page. Nodes stand in columns by how many actions they are from the start; DONE nodes have a thick frame."""
    places = layout(graph)
    wide = max(x for x, _ in places) + _ACROSS
    high = max(y for _, y in places) + _DOWN
    svg = "\n".join(
        (
            f'<svg width="{wide}" height="{high}" viewBox="0 0 {wide} {high}" role="img" aria-label="task graph">',
            '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
            'orient="auto-start-reverse"><path d="M0 0L10 5L0 10z"/></marker></defs>',
            *(_node(number, node, places[number], graph) for number, node in enumerate(graph.nodes)),
            *_edges(graph, places),
            "</svg>",
        )
    )
    rows = "".join(
        f"<tr><td>{edge.source}</td><td>{edge.target}</td><td>{escape(describe(edge))}</td></tr>"
        for edge in graph.edges
    )
    left = graph.remaining[0]
    subtitle = (
        f"{len(graph.nodes)} nodes, {len(graph.edges)} edges, {sum(node.done for node in graph.nodes)} DONE; "
        f"shortest way {'none' if left is None else f'{left} actions'}; from {', '.join(graph.recordings)}; "
        f"{graph.device}, {graph.language}"
    )
    text = files("mobile_gym.reward.graph").joinpath("page.html").read_text(encoding="utf-8")
    parts = {"TITLE": escape(f"Task graph of {graph.task}"), "SUBTITLE": escape(subtitle), "SVG": svg, "ROWS": rows}
    for name, part in parts.items():
        text = text.replace(f"__{name}__", part)
    return text


def describe(edge: Edge) -> str:
    """An action in a few words."""
    if edge.kind == "type":
        return f"type “{edge.text}”"
    if edge.direction is not None:
        return f"{edge.kind} {_ARROWS[edge.direction]} from {edge.point}"
    return edge.kind if edge.point is None else f"{edge.kind} {edge.point}"


def layout(graph: TaskGraph) -> list[tuple[int, int]]:
    """Where each node's thumbnail has its upper left corner: columns by distance from the start, rows near parents."""
    depth = [distance or 0 for distance in graph.depths]
    columns: dict[int, list[int]] = {}
    for number in range(len(graph.nodes)):
        columns.setdefault(depth[number], []).append(number)
    rows: dict[int, int] = {}
    for column in sorted(columns):
        parents = {
            number: min(
                (rows[edge.source] for edge in graph.edges if edge.target == number and edge.source in rows), default=0
            )
            for number in columns[column]
        }
        free = 0
        for number in sorted(columns[column], key=lambda one: (parents[one], one)):
            rows[number] = max(free, parents[number])
            free = rows[number] + 1
    return [(_LEFT + depth[n] * _ACROSS, _TOP + rows[n] * _DOWN) for n in range(len(graph.nodes))]


def _width(node: Node) -> int:
    return max(1, round(node.size[0] * _THUMB / node.size[1])) if node.size[1] else _THUMB


def _node(number: int, node: Node, place: tuple[int, int], graph: TaskGraph) -> str:
    x, y = place
    wide = _width(node)
    name = f"{number} DONE" if node.done else str(number)
    scale = _THUMB / node.size[1]
    marks = "".join(
        f'<circle class="mark" cx="{x + edge.point[0] * scale:.1f}" cy="{y + edge.point[1] * scale:.1f}" r="5"/>'
        for edge in graph.leaving[number]
        if edge.point is not None
    )
    return (
        f'<g class="node{" done" if node.done else ""}"><title>{escape(node.activity)}</title>'
        f'<image x="{x}" y="{y}" width="{wide}" height="{_THUMB}" href="{_thumbnail(node, wide)}"/>'
        f'<rect class="frame" x="{x}" y="{y}" width="{wide}" height="{_THUMB}" rx="6"/>{marks}'
        f'<text class="name" x="{x + wide / 2}" y="{y + _THUMB + 16}">{name}</text>'
        f'<text class="sub" x="{x + wide / 2}" y="{y + _THUMB + 31}">{escape(_screen_name(node))}</text></g>'
    )


def _screen_name(node: Node) -> str:
    return node.activity.rpartition(".")[2].removesuffix("Activity")[:24]


def _thumbnail(node: Node, wide: int) -> str:
    with Image.open(io.BytesIO(node.picture)) as picture:
        small = picture.convert("RGB").resize((2 * wide, 2 * _THUMB), Image.Resampling.BOX)
    out = io.BytesIO()
    small.save(out, "JPEG", quality=85)
    return f"data:image/jpeg;base64,{base64.b64encode(out.getvalue()).decode('ascii')}"


def _edges(graph: TaskGraph, places: list[tuple[int, int]]) -> Iterator[str]:
    drawn: dict[tuple[int, int], list[Edge]] = {}
    for edge in graph.edges:
        drawn.setdefault((edge.source, edge.target), []).append(edge)
    for (source, target), edges in drawn.items():
        path, (x, y) = _path(graph, places, source, target)
        words = [_short(edge) for edge in edges]
        lines = "".join(
            f'<tspan x="{x:.0f}" dy="{0 if index == 0 else 13}">{escape(word)}</tspan>'
            for index, word in enumerate(words[:3] if len(words) <= 3 else [*words[:2], f"{len(words) - 2} more"])
        )
        yield f'<path class="edge" d="{path}" marker-end="url(#tip)"/>'
        yield f'<text class="label" x="{x:.0f}" y="{y:.0f}">{lines}</text>'


def _short(edge: Edge) -> str:
    if edge.kind == "type":
        return f"type “{edge.text[:8]}{'…' if len(edge.text) > 8 else ''}”"
    return f"{edge.kind} {_ARROWS[edge.direction]}" if edge.direction is not None else edge.kind.removeprefix("press_")


def _path(graph: TaskGraph, places: list[tuple[int, int]], source: int, target: int) -> tuple[str, tuple[float, float]]:
    """The curve of an edge and the place of its label."""
    (x1, y1), (x2, y2) = places[source], places[target]
    wide, goal = _width(graph.nodes[source]), _width(graph.nodes[target])
    middle = _THUMB / 2
    if source == target:
        x = x1 + wide / 2
        return f"M{x - 14:.0f} {y1}C{x - 26:.0f} {y1 - 30} {x + 26:.0f} {y1 - 30} {x + 14:.0f} {y1}", (x, y1 - 26.0)
    if x2 > x1:
        start, end = (x1 + wide, y1 + middle), (x2, y2 + middle)
        bend = (end[0] - start[0]) / 2
        curve = f"M{start[0]} {start[1]}C{start[0] + bend} {start[1]} {end[0] - bend} {end[1]} {end[0]} {end[1]}"
        return curve, ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2 - 8)
    # Back, or down the same column: around the pictures' lower ends.
    out, into = (x1 + wide * 0.8, y1 + _THUMB), (x2 + goal * 0.8, y2 + _THUMB)
    low = max(out[1], into[1]) + 75
    curve = f"M{out[0]:.0f} {out[1]}C{out[0]:.0f} {low} {into[0]:.0f} {low} {into[0]:.0f} {into[1]}"
    return curve, ((out[0] + into[0]) / 2, low - 22.0)
