"""Merging recordings into one task graph (ElderBench, appendix H.2)."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field

from mobile_gym.reward.demonstration import PrimitiveAction
from mobile_gym.reward.frame import to_pixel
from mobile_gym.reward.graph.elements import carry_over, touched_box
from mobile_gym.reward.graph.features import Features, features_of
from mobile_gym.reward.graph.matching import Likeness, Scroll, likeness
from mobile_gym.reward.graph.model import Edge, GraphError, Node, TaskGraph, direction_of
from mobile_gym.reward.graph.recordings import RecordedStep, Recording

Place = tuple[int, int]
"""A state by recording and step, each from 0."""


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

    Inside one recording states are equal where they show the same, but for clocks and the order of feeds, and badges
    and counts of feeds that changed while the recording was elsewhere: what an action changed is another state. Across
    recordings badges and such counts never matter, and feeds may show other items of the same kind, while what rows
    are set to does; of several equal nodes the one that is most alike is taken, and never two different states of one
    recording become one node. States with different subtasks met are different, and where no verifier looked, an end
    equals ends alone. States that look the same and are led to different ones by the same action are different. Points
    of actions are carried over to where the touched element is on the node's own screen.

    Args:
        recordings: recordings of one task in one language; all begin in the same state.

    Raises:
        GraphError: they don't belong together, don't begin in the same state, or none is solved.
    """
    if not recordings:
        raise GraphError("there are no recordings to merge")
    _belong_together(recordings)
    first = recordings[0]
    states = [_with_places(number, states_of(recording)) for number, recording in enumerate(recordings)]
    nodes, steps = _lay_deterministically(states)
    edges = dict.fromkeys(step.edge for step in steps)
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
        action = step.action
        touch = to_pixel(action.point, step.size) if action is not None and action.point is not None else None
        features = features_of(step.tree, step.activity, step.now, touch)
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


@dataclass(frozen=True, slots=True)
class _Step:
    """A recorded action between two nodes: where it was recorded, and what was touched on the node's own screen."""

    place: Place
    edge: Edge
    touched: object


def _with_places(number: int, states: Sequence[_State]) -> list[tuple[Place, _State]]:
    return [((number, index), state) for index, state in enumerate(states)]


def _lay(
    states: Sequence[Sequence[tuple[Place, _State]]], apart: Set[frozenset[Place]]
) -> tuple[list[_Growing], list[_Step]]:
    """Lays all recordings over each other.

    Raises:
        GraphError: they don't begin in the same state.
    """
    nodes: list[_Growing] = []
    steps: list[_Step] = []
    for recording in states:
        numbers = _place(nodes, recording, apart)
        if numbers[0] != 0:
            raise GraphError(
                f"recording {recording[0][0][0]} (counted from 0) does not begin in the same state as the first one; "
                "set the task up before each"
            )
        for (place, state), here, there in zip(recording, numbers, numbers[1:], strict=False):
            if state.step.action is not None:
                steps.append(_step(place, state.step, state.step.action, here, there, nodes[here]))
    return nodes, steps


def _lay_deterministically(states: Sequence[Sequence[tuple[Place, _State]]]) -> tuple[list[_Growing], list[_Step]]:
    """Lays all recordings over each other and keeps states apart that the same action led to different ones.

    They look the same and are not: where back leads to, or what a dialog is asked for. Keeping two apart can make the
    ones before them conflict, and so on. Where that goes back to the start, which is one state for sure, what followed
    is another picture of the same, such as a feed with other content, and they stay together.
    """
    apart: frozenset[frozenset[Place]] = frozenset()
    accepted: set[frozenset[Place]] = set()
    nodes, steps = _lay(states, apart)
    at_start = len(_conflicts(steps, start=True))
    while found := [pair for pair in _conflicts(steps, start=False) if pair not in accepted]:
        tried = apart | {found[0]}
        new_nodes, new_steps = _lay(states, tried)
        while more := [pair for pair in _conflicts(new_steps, start=False) if pair not in accepted]:
            tried |= {more[0]}
            new_nodes, new_steps = _lay(states, tried)
        if len(_conflicts(new_steps, start=True)) > at_start:
            accepted.add(found[0])
        else:
            apart, nodes, steps = tried, new_nodes, new_steps
    return nodes, steps


def _conflicts(steps: Sequence[_Step], start: bool) -> list[frozenset[Place]]:
    """Pairs of states of one node, the start or another, that the same action led to different nodes."""
    known: dict[object, _Step] = {}
    found = []
    for step in steps:
        edge = step.edge
        if (edge.source == 0) != start:
            continue
        key = (edge.source, edge.kind, step.touched, edge.lift and (edge.point, edge.lift), edge.text)
        other = known.setdefault(key, step)
        if other.edge.target != edge.target:
            found.append(frozenset({other.place, step.place}))
    return found


def _place(nodes: list[_Growing], recording: Sequence[tuple[Place, _State]], apart: Set[frozenset[Place]]) -> list[int]:
    """The node of each state of one recording; new nodes are added."""
    numbers: list[int] = []
    own: dict[int, list[_State]] = {}
    before: _State | None = None
    for place, state in recording:
        barred = {number for number, node in enumerate(nodes) if any(frozenset({place, o}) in apart for o in node.seen)}
        number = _again({key: value for key, value in own.items() if key not in barred}, state, before)
        if number is None:
            number = _equal_node(nodes, state, barred | own.keys())
        if number is None:
            number = len(nodes)
            nodes.append(_Growing(state, done=False))
        own.setdefault(number, []).append(state)
        nodes[number].seen.append(place)
        nodes[number].done = nodes[number].done or (state.final and state.solved)
        numbers.append(number)
        before = state
    return numbers


def _again(own: dict[int, list[_State]], state: _State, before: _State | None) -> int | None:
    """The node where this recording was in the same state before.

    A badge or a count of a feed that changed while the page stayed was changed by the action, so it is another state;
    one that changed while the recording was elsewhere changed by itself. Any other number is a value, and another
    value is another state wherever it was chosen.
    """
    stayed = before is not None and before.features.uncounted == state.features.uncounted
    again = {place: others for place, others in own.items() if all(_compatible(other, state) for other in others)}
    for place, others in again.items():
        if any(other.features.content == state.features.content for other in others):
            return place
    if stayed:
        return None
    for place, others in again.items():
        if any(other.features.uncounted == state.features.uncounted for other in others):
            return place
    return None


def _compatible(one: _State, other: _State) -> bool:
    """Whether what verifiers saw lets two states be equal."""
    if one.step.met is not None and other.step.met is not None:
        return one.step.met == other.step.met
    return (one.final and one.solved) == (other.final and other.solved)


def _equal_node(nodes: Sequence[_Growing], state: _State, taken: Set[int]) -> int | None:
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


def _step(place: Place, step: RecordedStep, action: PrimitiveAction, here: int, there: int, node: _Growing) -> _Step:
    point = None if action.point is None else to_pixel(action.point, step.size)
    lift = None if action.lift is None else to_pixel(action.lift, step.size)
    touched: object = None
    if point is not None and lift is None:
        point = carry_over(point, step.tree, node.first.step.tree) or point
        touched = touched_box(point, node.first.step.tree) or point
    return _Step(place, Edge(here, there, action.kind, point, lift, action.text), touched)
