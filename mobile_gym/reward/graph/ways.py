"""The simple ways of a task graph: from the start to a DONE node, no node twice."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from mobile_gym.devices.ui_tree import UiTree
from mobile_gym.reward.demonstration import Looked, PrimitiveAction
from mobile_gym.reward.frame import to_frame
from mobile_gym.reward.graph.elements import carry_over
from mobile_gym.reward.graph.model import Edge, TaskGraph

Way = tuple[Edge, ...]


def simple_ways(graph: TaskGraph) -> Iterator[Way]:
    """All simple ways, the shortest first; of the same length in the order in which their edges were recorded.

    A way may lead over a DONE node to another one, and then both are ends.
    """
    waiting: deque[tuple[Way, frozenset[int]]] = deque([((), frozenset({0}))])
    while waiting:
        way, been = waiting.popleft()
        here = way[-1].target if way else 0
        if graph.nodes[here].done:
            yield way
        for edge in graph.leaving[here]:
            if edge.target not in been and graph.remaining[edge.target] is not None:
                waiting.append(((*way, edge), been | {edge.target}))


def replayed(way: Way, graph: TaskGraph, device: Looked) -> Iterator[PrimitiveAction]:
    """The actions of a way on a live device, and finish; each is made from the screen as it stands when asked for.

    What is touched is sought on the device's own screen: one state may be scrolled otherwise when it is reached
    another way.
    """
    for edge in way:
        node = graph.nodes[edge.source]
        point = edge.point
        if point is not None and edge.lift is None:
            point = _where(point, node.tree, device.hierarchy())
        yield PrimitiveAction(
            edge.kind,
            None if point is None else to_frame(*point, node.size),
            None if edge.lift is None else to_frame(*edge.lift, node.size),
            edge.text,
        )
    yield PrimitiveAction("finish")


def _where(point: tuple[int, int], recorded: UiTree, live: UiTree) -> tuple[int, int]:
    return carry_over(point, recorded, live) or point
