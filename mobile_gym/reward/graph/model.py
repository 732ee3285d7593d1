"""`TaskGraph`: screens as nodes, recorded actions as edges, ends of solved trajectories marked DONE."""

from __future__ import annotations

import base64
import binascii
import io
import json
import os
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

import networkx as nx
from PIL import Image
from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from mobile_gym.devices.hierarchy_xml import to_xml
from mobile_gym.devices.parse.hierarchy import HierarchyError, parse_hierarchy
from mobile_gym.devices.ui_tree import UiTree
from mobile_gym.reward.protocol_actions import ALL_ACTIONS

FORMAT = 1
"""The version of a graph's file."""

_TOUCHING = frozenset({"tap", "double_tap", "long_press", "swipe", "drag"})
_MOVING = frozenset({"swipe", "drag"})

Pixel = tuple[int, int]
Direction = Literal["up", "down", "left", "right"]


class GraphError(ValueError):
    """Recordings or a file that make no task graph; the message says what is wrong and what to do."""


@dataclass(frozen=True)
class Node:
    """A state of the phone.

    Attributes:
        picture: its screen as a PNG file.
        tree: its hierarchy.
        activity: what is in front, `package/Class`.
        size: (width, height) of the screen, pixels.
        done: whether a solved trajectory ends here.
        seen: which recordings came by, as (recording, step), each from 0.
    """

    picture: bytes = field(repr=False)
    tree: UiTree = field(repr=False)
    activity: str
    size: tuple[int, int]
    done: bool = False
    seen: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """A recorded action that leads from one state to another.

    Attributes:
        source: the node it leaves.
        target: the node it leads to.
        kind: lower-case word of the action's kind, such as `tap`.
        point: where the finger goes down, pixels of the source's screen; None where the kind has no point.
        lift: where the finger lets go, pixels.
        text: what is typed.
    """

    source: int
    target: int
    kind: str
    point: Pixel | None = None
    lift: Pixel | None = None
    text: str = ""

    @property
    def direction(self) -> Direction | None:
        """Where the finger moves; None for actions that don't move it."""
        return None if self.point is None or self.lift is None else direction_of(self.point, self.lift)


def direction_of(start: Pixel, end: Pixel) -> Direction | None:
    """The main direction of a finger's way in pixels; None where it stays."""
    across, down = end[0] - start[0], end[1] - start[1]
    if (across, down) == (0, 0):
        return None
    if abs(across) > abs(down):
        return "right" if across > 0 else "left"
    return "down" if down > 0 else "up"


@dataclass(frozen=True)
class TaskGraph:
    """The ways to solve a task that were shown, merged. The episode starts in node 0.

    Attributes:
        task: the task's id.
        task_hash: hash of the task's content.
        language: language of the screens.
        device: what it was recorded on.
        nodes: the states.
        edges: the actions, in the order in which they were first recorded.
        recordings: what was merged, such as `demonstrations[0]`.
    """

    task: str
    task_hash: str
    language: Literal["zh", "en"]
    device: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    recordings: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.nodes:
            raise GraphError(f"the task graph of {self.task} has no nodes; record the task first")
        if not any(node.done for node in self.nodes):
            raise GraphError(f"no recording of {self.task} ends solved, so its task graph has no DONE node")

    @cached_property
    def network(self) -> nx.MultiDiGraph[int]:
        """The graph for networkx: nodes by number with `done`, edges with their `Edge` as `edge`; don't change it."""
        network: nx.MultiDiGraph[int] = nx.MultiDiGraph()
        network.add_nodes_from((number, {"done": node.done}) for number, node in enumerate(self.nodes))
        network.add_edges_from((edge.source, edge.target, {"edge": edge}) for edge in self.edges)
        return network

    @cached_property
    def leaving(self) -> tuple[tuple[Edge, ...], ...]:
        """The edges that leave each node, in the order in which they were first recorded."""
        places = {edge: place for place, edge in enumerate(self.edges)}
        return tuple(
            tuple(sorted((edge for _, _, edge in self.network.out_edges(number, data="edge")), key=places.__getitem__))
            for number in range(len(self.nodes))
        )

    @cached_property
    def remaining(self) -> tuple[int | None, ...]:
        """How many actions the shortest way from each node to DONE has; None where there is none."""
        done = {number for number, node in enumerate(self.nodes) if node.done}
        found = nx.multi_source_dijkstra_path_length(self.network.reverse(copy=False), done, weight=None)
        return tuple(found.get(number) for number in range(len(self.nodes)))

    @cached_property
    def depths(self) -> tuple[int | None, ...]:
        """How many actions the shortest way from the start to each node has; None where there is none."""
        found = nx.single_source_shortest_path_length(self.network, 0)
        return tuple(found.get(number) for number in range(len(self.nodes)))

    def progress(self, node: int) -> float:
        """The share of the shortest way from the start to DONE that lies behind a node, 0 to 1; detours are 0."""
        whole, left = self.remaining[0], self.remaining[node]
        if left is None or whole is None:
            return 0.0
        if whole == 0:
            return 1.0
        return max(0.0, (whole - left) / whole)


# Files.


class _NodeLine(BaseModel):
    model_config = ConfigDict(extra="forbid")

    activity: str
    size: tuple[int, int]
    done: bool
    seen: tuple[tuple[int, int], ...]
    hierarchy: str
    picture: str


class _EdgeLine(BaseModel):
    model_config = ConfigDict(extra="forbid")

    source: int
    target: int
    kind: str
    point: Pixel | None = None
    lift: Pixel | None = None
    direction: Direction | None = None
    text: str = ""

    @model_validator(mode="after")
    def _whole(self) -> _EdgeLine:
        if self.kind not in ALL_ACTIONS:
            raise ValueError(f"{self.kind!r} is no kind of action; there are {', '.join(sorted(ALL_ACTIONS))}")
        for name, value, kinds in (("point", self.point, _TOUCHING), ("lift", self.lift, _MOVING)):
            if (value is not None) != (self.kind in kinds):
                raise ValueError(f"a {self.kind} {'lacks its' if value is None else 'has no'} {name}")
        return self


class _GraphFile(BaseModel):
    model_config = ConfigDict(extra="forbid")

    format: int
    task: str
    task_hash: str
    language: Literal["zh", "en"]
    device: str
    recordings: tuple[str, ...]
    nodes: tuple[_NodeLine, ...]
    edges: tuple[_EdgeLine, ...]


def to_json(graph: TaskGraph) -> str:
    """The graph as one JSON document, pictures included; equal graphs give equal documents."""
    nodes = [
        {
            "activity": node.activity,
            "size": list(node.size),
            "done": node.done,
            "seen": [list(place) for place in node.seen],
            "hierarchy": to_xml(node.tree),
            "picture": base64.b64encode(node.picture).decode("ascii"),
        }
        for node in graph.nodes
    ]
    edges = [
        {
            "source": edge.source,
            "target": edge.target,
            "kind": edge.kind,
            **({"point": list(edge.point)} if edge.point else {}),
            **({"lift": list(edge.lift)} if edge.lift else {}),
            **({"direction": edge.direction} if edge.direction else {}),
            **({"text": edge.text} if edge.text else {}),
        }
        for edge in graph.edges
    ]
    head = {"format": FORMAT, "task": graph.task, "task_hash": graph.task_hash, "language": graph.language}
    rest = {"device": graph.device, "recordings": list(graph.recordings), "nodes": nodes, "edges": edges}
    return json.dumps(head | rest, ensure_ascii=False, indent=1) + "\n"


def from_json(text: str | bytes, name: str = "<text>") -> TaskGraph:
    """A graph from its JSON document.

    Args:
        text: the document.
        name: what messages call it.

    Raises:
        GraphError: it is none, or of another version.
    """
    try:
        data = _GraphFile.model_validate_json(text)
        if data.format != FORMAT:
            raise GraphError(f"{name} has the format {data.format}; this version reads {FORMAT}. Build it again")
        nodes = tuple(
            Node(
                _picture(line.picture, f"{name}: node {number}"),
                parse_hierarchy(line.hierarchy, line.size),
                line.activity,
                line.size,
                line.done,
                line.seen,
            )
            for number, line in enumerate(data.nodes)
        )
    except (ValidationError, HierarchyError) as problem:
        raise GraphError(f"{name} is no task graph: {problem}") from problem
    edges = tuple(Edge(edge.source, edge.target, edge.kind, edge.point, edge.lift, edge.text) for edge in data.edges)
    for number, edge in enumerate(edges):
        if not (0 <= edge.source < len(nodes) and 0 <= edge.target < len(nodes)):
            raise GraphError(f"{name} has an edge between nodes that are not there: number {number}")
        wide, high = nodes[edge.source].size
        if any(not (0 <= x < wide and 0 <= y < high) for x, y in filter(None, (edge.point, edge.lift))):
            raise GraphError(f"{name} has an edge whose point is not on the screen: number {number}")
    return TaskGraph(data.task, data.task_hash, data.language, data.device, nodes, edges, data.recordings)


def _picture(text: str, name: str) -> bytes:
    """A node's picture from its text; raises GraphError where it is none."""
    try:
        data = base64.b64decode(text, validate=True)
        with Image.open(io.BytesIO(data)) as picture:
            picture.load()
    except (binascii.Error, OSError, SyntaxError, ValueError, Image.DecompressionBombError) as problem:
        raise GraphError(f"{name} has a damaged picture: {problem}") from problem
    return data


def save_graph(graph: TaskGraph, path: Path) -> None:
    """Writes a graph's file so that it is there wholly or not at all; raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    part.write_text(to_json(graph), encoding="utf-8")
    os.replace(part, path)


def load_graph(path: Path) -> TaskGraph:
    """Reads a graph's file.

    Raises:
        GraphError: it is missing or damaged.
    """
    try:
        return from_json(path.read_bytes(), str(path))
    except FileNotFoundError as problem:
        raise GraphError(f"there is no task graph {path}; make one with `mobile-gym graph build`") from problem
