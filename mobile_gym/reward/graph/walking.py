"""Walking a task graph: which actions count as recorded ones (ElderBench, section 4.2.2 and appendix H.2)."""

from __future__ import annotations

import math
import unicodedata
from dataclasses import dataclass
from typing import Literal

from rapidfuzz import fuzz

from mobile_gym.devices.ui_tree import UiTree
from mobile_gym.reward.demonstration import PrimitiveAction
from mobile_gym.reward.frame import to_pixel
from mobile_gym.reward.graph import texts
from mobile_gym.reward.graph.model import Edge, Node, TaskGraph, direction_of

TOLERANCE = 50
"""How far from the recorded point a finger may go down, pixels of the recording's screen (appendix H.2)."""
TEXT_RATIO = 90.0
"""How alike a typed text must be to the recorded one, 0 to 100; see `text_ratio`."""
FUZZY_FROM = 12
"""From how many characters on a text may differ in more than case, width, white space and punctuation."""

Matching = Literal["lenient", "strict"]


@dataclass(frozen=True, slots=True)
class Position:
    """Where a walk is.

    Attributes:
        node: the node's number.
        turns: actions taken.
        mismatches: actions that matched no edge.
        strict_over: whether a strict walk would have ended by now.
        finished: whether the agent said that it is done.
        success: whether it said so on a DONE node.
        matched: whether the last action was a recorded one, or finish.
    """

    node: int = 0
    turns: int = 0
    mismatches: int = 0
    strict_over: bool = False
    finished: bool = False
    success: bool = False
    matched: bool = True

    @property
    def strict_success(self) -> bool:
        """Whether it is a success in strict matching too: no action but recorded ones."""
        return self.success and not self.strict_over


class GraphScreen:
    """The screen of the node where a walk is, for whoever looks behind the picture.

    Attributes:
        graph: the graph.
        position: where the walk is.
    """

    def __init__(self, graph: TaskGraph) -> None:
        self.graph = graph
        self.position = Position()

    @property
    def node(self) -> Node:
        """The node where the walk is."""
        return self.graph.nodes[self.position.node]

    def hierarchy(self) -> UiTree:
        """The recorded hierarchy."""
        return self.node.tree


def walk(graph: TaskGraph, position: Position, action: PrimitiveAction | None) -> Position:
    """One turn.

    Args:
        graph: the graph.
        position: where the walk is.
        action: what is done, points in the 0-1000 frame of the node's screen; None for something that is no action.
    """
    turns = position.turns + 1
    strict_over = position.strict_over
    if action is not None and action.kind == "finish":
        done = graph.nodes[position.node].done
        return Position(position.node, turns, position.mismatches, strict_over, True, done, matched=True)
    edge = find_edge(graph, position.node, action) if action is not None else None
    if edge is None:
        return Position(position.node, turns, position.mismatches + 1, strict_over=True, matched=False)
    return Position(edge.target, turns, position.mismatches, strict_over)


def find_edge(graph: TaskGraph, node: int, action: PrimitiveAction) -> Edge | None:
    """The edge that an action takes, or None.

    Of several that match, the nearest or most alike; then the one that leads closest to DONE; then the first recorded.
    """
    far = len(graph.nodes)
    best: tuple[float, int, int] | None = None
    chosen: Edge | None = None
    for number, edge in enumerate(graph.leaving[node]):
        distance = mismatch(edge, graph.nodes[node], action)
        if distance is None:
            continue
        left = graph.remaining[edge.target]
        rank = distance, far if left is None else left, number
        if best is None or rank < best:
            best, chosen = rank, edge
    return chosen


def mismatch(edge: Edge, node: Node, action: PrimitiveAction) -> float | None:
    """How far an action is from a recorded one; None where it does not match, 0 where it is the same.

    Taps and long presses match within `TOLERANCE` pixels; swipes by their main direction; texts where they
    are at least `TEXT_RATIO` alike; keys by their kind.
    """
    if action.kind != edge.kind:
        return None
    if edge.point is None:
        if edge.kind != "type":
            return 0.0
        ratio = text_ratio(edge.text, action.text)
        return None if ratio < TEXT_RATIO else 100.0 - ratio
    if action.point is None:
        return None
    point = to_pixel(action.point, node.size)
    distance = math.dist(point, edge.point)
    if edge.lift is None:
        return distance if distance <= TOLERANCE else None
    if action.lift is None or direction_of(point, to_pixel(action.lift, node.size)) != edge.direction:
        return None
    return distance


def text_ratio(recorded: str, typed: str) -> float:
    """How alike two texts are, 0 to 100, without regard to width, case, white space and punctuation.

    Short texts are the same or not alike at all. Longer ones are as alike as `rapidfuzz.fuzz.ratio` says where they
    differ in nothing but words that mean little, such as particles and articles: a digit makes another telephone
    number, one character another name, and "not" the opposite.
    """
    one, other = _plain(recorded), _plain(typed)
    if one == other:
        return 100.0
    if min(len(one), len(other)) < FUZZY_FROM or _plain(recorded, telling=True) != _plain(typed, telling=True):
        return 0.0
    return float(fuzz.ratio(one, other))


def _plain(text: str, telling: bool = False) -> str:
    """The text in one form; `telling`: without words that mean little."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    if telling:
        folded = texts.words().filler.sub("", folded)
    kept = "".join(char for char in folded if unicodedata.category(char)[0] not in "PZC")
    return kept or folded.strip()
