"""Merging recordings into one task graph (ElderBench, appendix H.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from mobile_gym.reward.demonstration import PrimitiveAction
from mobile_gym.reward.frame import to_pixel
from mobile_gym.reward.graph.features import Features, features_of
from mobile_gym.reward.graph.matching import Likeness, Scroll, carry_over, likeness
from mobile_gym.reward.graph.model import Edge, GraphError, Node, TaskGraph, direction_of
from mobile_gym.reward.graph.recordings import RecordedStep, Recording

ENDS = ("finish", "answer", "finish_infeasible")


@dataclass(frozen=True, slots=True)
class _State:
    """A step with what it is known by."""

    step: RecordedStep
    features: Features
    scroll: Scroll
    final: bool
    solved: bool


@dataclass(slots=True)
class _Growing:
    """A node while recordings are merged into it; its first state is what it shows."""

    first: _State
    done: bool
    seen: list[tuple[int, int]] = field(default_factory=list)


def merge(recordings: Sequence[Recording]) -> TaskGraph:
    """One graph of all recordings of a task. The same recordings in the same order give the same graph.

    Inside one recording states are equal where they show the same, but for clocks, badges and the order of feeds: what
    an action changed is another state. Across recordings counters don't matter either, and feeds may show other items
    of the same kind; of several equal nodes the one that is most alike is taken, and never two different states of one
    recording become one node. States with different subtasks met are different, and where no verifier looked, an end
    equals ends alone. Points of actions are carried over to where the touched element is on the node's own screen.

    Args:
        recordings: recordings of one task in one language; all begin in the same state.

    Raises:
        GraphError: they don't belong together, don't begin in the same state, or none is solved.
    """
    if not recordings:
        raise GraphError("there are no recordings to merge")
    _belong_together(recordings)
    first = recordings[0]
    nodes: list[_Growing] = []
    edges: dict[Edge, None] = {}
    for number, recording in enumerate(recordings):
        places = _place(nodes, number, states_of(recording))
        if places[0] != 0:
            raise GraphError(
                f"recordings {first.source} and {recording.source} of {first.task} don't begin in the same state; "
                "set the task up before each"
            )
        for step, here, there in zip(recording.steps, places, places[1:], strict=False):
            if step.action is not None:
                edges.setdefault(_edge(step, step.action, here, there, nodes[here]), None)
    return TaskGraph(
        first.task,
        first.task_hash,
        first.language,
        first.device,
        tuple(
            Node(
                node.first.step.picture,
                node.first.step.tree,
                node.first.step.activity,
                node.first.step.size,
                node.done,
                tuple(node.seen),
            )
            for node in nodes
        ),
        tuple(edges),
        tuple(recording.source for recording in recordings),
    )


def _belong_together(recordings: Sequence[Recording]) -> None:
    first = recordings[0]
    for other in recordings[1:]:
        for name in ("task", "task_hash", "language"):
            ours, theirs = getattr(first, name), getattr(other, name)
            if ours != theirs:
                raise GraphError(
                    f"recordings {first.source} and {other.source} don't belong to one graph: their {name} is {ours!r} "
                    f"and {theirs!r}"
                )


def states_of(recording: Recording) -> list[_State]:
    """The recording's states with their features and scroll positions."""
    found: list[_State] = []
    scrolls: dict[tuple[str, frozenset[str]], Scroll] = {}
    last = len(recording.steps) - 1
    for number, step in enumerate(recording.steps):
        features = features_of(step.tree, step.activity, step.now)
        before = found[-1] if found else None
        page = features.activity, features.anchors
        scroll = scrolls.get(page, (0, 0))
        if before is not None and before.step.action is not None and before.features.content != features.content:
            moved = _swiped(before.step.action)
            if (before.features.activity, before.features.anchors) == page:
                scroll = (scroll[0] + moved[0], scroll[1] + moved[1])
            elif moved != (0, 0):
                # The page lost or won anchors by being swiped, such as a large title: its way goes on.
                scroll = (before.scroll[0] + moved[0], before.scroll[1] + moved[1])
        scrolls[page] = scroll
        found.append(_State(step, features, scroll, number == last, recording.solved))
    return found


def _swiped(action: PrimitiveAction) -> Scroll:
    if action.kind != "swipe" or action.point is None or action.lift is None:
        return 0, 0
    steps: dict[str | None, Scroll] = {"left": (1, 0), "right": (-1, 0), "up": (0, 1), "down": (0, -1), None: (0, 0)}
    return steps[direction_of(action.point, action.lift)]


def _place(nodes: list[_Growing], number: int, states: Sequence[_State]) -> list[int]:
    """The node of each state of one recording; new nodes are added."""
    places: list[int] = []
    own: dict[int, list[_State]] = {}
    for index, state in enumerate(states):
        place = _again(own, state, states[index - 1] if index else None)
        if place is None:
            place = _equal_node(nodes, state, set(own))
        if place is None:
            place = len(nodes)
            nodes.append(_Growing(state, done=False))
        own.setdefault(place, []).append(state)
        nodes[place].seen.append((number, index))
        nodes[place].done = nodes[place].done or (state.final and state.solved)
        places.append(place)
    return places


def _again(own: dict[int, list[_State]], state: _State, before: _State | None) -> int | None:
    """The node where this recording was in the same state before.

    A counter that changed while the page stayed was changed by the action, so it is another state; one that changed
    while the recording was elsewhere changed by itself.
    """
    stayed = before is not None and before.features.uncounted == state.features.uncounted
    for place, others in own.items():
        if not all(_compatible(other, state) for other in others):
            continue
        if any(other.features.content == state.features.content for other in others):
            return place
    if stayed:
        return None
    for place, others in own.items():
        if all(_compatible(other, state) for other in others) and any(
            other.features.uncounted == state.features.uncounted for other in others
        ):
            return place
    return None


def _compatible(one: _State, other: _State) -> bool:
    """Whether what verifiers saw lets two states be equal."""
    if one.step.met is not None and other.step.met is not None:
        return one.step.met == other.step.met
    return (one.final and one.solved) == (other.final and other.solved)


def _equal_node(nodes: Sequence[_Growing], state: _State, taken: set[int]) -> int | None:
    best: tuple[Likeness, int] | None = None
    for place, node in enumerate(nodes):
        if place in taken or not _compatible(node.first, state):
            continue
        found = likeness(node.first.features, state.features, (node.first.scroll, state.scroll))
        if found is None or not _offers(node.first.step, state.step):
            continue
        if best is None or (found, -place) > best:
            best = found, -place
    return None if best is None else -best[1]


def _offers(node: RecordedStep, step: RecordedStep) -> bool:
    """Whether the element that a step touches is on a node's screen too."""
    action = step.action
    if action is None or action.point is None or action.lift is not None:
        return True
    return carry_over(to_pixel(action.point, step.size), step.tree, node.tree) is not None


def _edge(step: RecordedStep, action: PrimitiveAction, here: int, there: int, node: _Growing) -> Edge:
    point = None if action.point is None else to_pixel(action.point, step.size)
    lift = None if action.lift is None else to_pixel(action.lift, step.size)
    if point is not None and lift is None:
        point = carry_over(point, step.tree, node.first.step.tree) or point
    return Edge(here, there, action.kind, point, lift, action.text)
