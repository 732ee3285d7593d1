"""Process records: what was done on the way, and whether the operations that a task requires are among it.

ProBench judges process-related tasks by the element of each click: the smallest clickable one that holds the point, by
its text and description, else by its resource-id and what lies in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from annotated_types import MinLen
from pydantic import Field, field_validator, model_validator

from mobile_gym.assets.documents import Strict, TextLike, by_keys
from mobile_gym.devices.ui_tree import UiNode, UiTree
from mobile_gym.reward.answer_forms import several
from mobile_gym.reward.criteria import Criterion
from mobile_gym.reward.normal_forms import contains_text, same_text
from mobile_gym.reward.protocol_actions import ALL_ACTIONS


@dataclass(frozen=True, slots=True)
class ProcessEntry:
    """One action of an episode.

    Attributes:
        kind: lower-case word of the action.
        element: texts of the element that was touched, its own first; its resource-id where it has none.
        text: what was typed, answered or opened.
        package: what was in front before the action.
        row: texts of the row that the element stands in.
        held: of the criteria that operations state, those that held right after it.
        already: of what operations are to bring about, what held before it.
    """

    kind: str
    element: tuple[str, ...] = ()
    text: str = ""
    package: str = ""
    row: tuple[str, ...] = ()
    held: tuple[Criterion, ...] = ()
    already: tuple[Criterion, ...] = ()


class Touched(Strict):
    """An element that an operation touches, told by more than one thing. All that is given must fit.

    Attributes:
        id: its resource-id, with or without the package before `:id/`.
        text: a text of it or of what lies in it, compared by meaning.
        contains: part of such a text.
        beside: a text in its row: in the largest box around it that holds no second element of its kind.
    """

    id: str | None = None
    text: TextLike | None = None
    contains: TextLike | None = None
    beside: TextLike | None = None

    @model_validator(mode="after")
    def _something(self) -> Touched:
        if self.id is None and self.text is None and self.contains is None:
            raise ValueError("a target needs id, text or contains")
        return self

    def fits(self, entry: ProcessEntry) -> bool:
        """Whether an action touched this element."""
        return (
            (self.id is None or any(one == self.id or one.endswith(f":id/{self.id}") for one in entry.element))
            and (self.text is None or _any_same((self.text,), entry.element))
            and (self.contains is None or any(contains_text(one, self.contains) for one in entry.element))
            and (self.beside is None or _any_same((self.beside,), (*entry.element, *entry.row)))
        )


TouchedTarget = Annotated[TextLike | Touched, by_keys(Touched)]
"""An element by a text or its resource-id alone, or by more."""


class Operation(Strict):
    """An operation that a task requires on the way. Operations must come in the order that the task gives.

    Attributes:
        do: the kind of action, or several of which any will do.
        target: a text of the element that is touched, compared by meaning, its resource-id, or more than one thing that
            tells it; of several, any.
        text: what is typed, opened or answered; of several, any. What is typed piece by piece counts as one text.
        app: package in front.
        holds: what must hold right after it for it to count.
        makes: what it must bring about: it holds right after it, and did not right before.
        still_in_force: what must hold at the end of the episode for the operation to count: it was not taken back.
    """

    do: str | tuple[str, ...]
    target: TouchedTarget | tuple[TouchedTarget, ...] | None = None
    text: TextLike | tuple[TextLike, ...] | None = None
    app: str | None = None
    holds: Criterion | None = None
    makes: Criterion | None = None
    still_in_force: Criterion | None = None

    @field_validator("do")
    @classmethod
    def _known(cls, value: str | tuple[str, ...]) -> str | tuple[str, ...]:
        for kind in several(value):
            if kind not in ALL_ACTIONS:
                raise ValueError(f"'{kind}' is no action; there are {', '.join(sorted(ALL_ACTIONS))}")
        return value

    @model_validator(mode="after")
    def _something(self) -> Operation:
        if all(one is None for one in (self.target, self.text, self.app, self.holds, self.makes)):
            raise ValueError("an operation needs a target, a text, an app, or what it 'holds' or 'makes'")
        return self

    @property
    def targets(self) -> tuple[str | Touched, ...]:
        """Its targets, of which any will do; none where it may be on anything."""
        target = self.target
        return () if target is None else target if isinstance(target, tuple) else (target,)

    def fits(self, entry: ProcessEntry) -> bool:
        """Whether an action is of this kind, on this target and with this text, whatever came of it."""
        return (
            entry.kind in several(self.do)
            and (self.target is None or any(_touches(one, entry) for one in self.targets))
            and (self.text is None or _any_same(several(self.text), (entry.text,)))
            and (self.app is None or self.app == entry.package)
        )

    def is_done_by(self, entry: ProcessEntry) -> bool:
        """Whether an action is this operation."""
        return (
            self.fits(entry)
            and (self.holds is None or self.holds in entry.held)
            and (self.makes is None or (self.makes in entry.held and self.makes not in entry.already))
        )

    def end(self, record: Sequence[ProcessEntry], at: int) -> int | None:
        """The place behind the first entry from `at` on that does it; None where none does."""
        return next((index + 1 for index in range(at, len(record)) if self.is_done_by(record[index])), None)

    @property
    def leaves(self) -> tuple[Operation, ...]:
        """Itself."""
        return (self,)

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """All that it states."""
        return tuple(one for one in (self.holds, self.makes, self.still_in_force) if one is not None)


class AllOf(Strict):
    """Operations that must all be done, in any order.

    Attributes:
        operations: the operations (`all`).
    """

    operations: Annotated[tuple[Operation, ...], MinLen(2)] = Field(alias="all")

    def end(self, record: Sequence[ProcessEntry], at: int) -> int | None:
        """The place behind the entry that completes them; None where one is missing."""
        ends = [operation.end(record, at) for operation in self.operations]
        return None if None in ends else max(end for end in ends if end is not None)

    @property
    def leaves(self) -> tuple[Operation, ...]:
        """The operations."""
        return self.operations


class AnyOf(Strict):
    """Operations of which one must be done, where there is more than one right way.

    Attributes:
        operations: the operations (`any`).
    """

    operations: Annotated[tuple[Operation, ...], MinLen(2)] = Field(alias="any")

    def end(self, record: Sequence[ProcessEntry], at: int) -> int | None:
        """The place behind the first entry that does one of them; None where none is done."""
        return min((end for one in self.operations if (end := one.end(record, at)) is not None), default=None)

    @property
    def leaves(self) -> tuple[Operation, ...]:
        """The operations."""
        return self.operations


class Never(Strict):
    """An operation that must not be done: in the whole episode, or until another was done first.

    Attributes:
        operation: what must not be done (`never`).
        until: the operation from which on it may be done.
    """

    operation: Operation = Field(alias="never")
    until: Operation | None = None

    @model_validator(mode="after")
    def _of_the_way(self) -> Never:
        if any(one.still_in_force is not None for one in self.leaves):
            raise ValueError("what is never done cannot be still in force; state what it 'holds' or 'makes'")
        return self

    def broken(self, record: Sequence[ProcessEntry]) -> int | None:
        """The place of the first entry that does what must not be done; None where none does."""
        end = None if self.until is None else self.until.end(record, 0)
        done = self.operation.end(record[:end], 0)
        return None if done is None else done - 1

    @property
    def leaves(self) -> tuple[Operation, ...]:
        """The operation, and the one that ends the ban."""
        return (self.operation,) if self.until is None else (self.operation, self.until)


RequiredOperation = Annotated[
    Operation | AllOf | AnyOf | Never, by_keys(Operation, ("all", AllOf), ("any", AnyOf), ("never", Never))
]
"""One entry of a task's `process`: an operation, `all` of some in any order, `any` of some, or one that is banned."""


def _touches(target: str | Touched, entry: ProcessEntry) -> bool:
    return target.fits(entry) if isinstance(target, Touched) else _any_same((target,), entry.element)


def _any_same(wanted: tuple[str, ...], found: tuple[str, ...]) -> bool:
    return any(same_text(one, text) for one in wanted for text in found)


def node_at(tree: UiTree, x: int, y: int) -> UiNode | None:
    """The smallest clickable node that holds a pixel; where none is clickable the smallest of all; None beside all."""
    there = [node for node in tree.walk() if node.bounds.contains(x, y)]
    clickable = [node for node in there if node.clickable]
    # Of equal ones the last lies on top.
    return min(reversed(clickable or there), key=_area) if there else None


def element_at(tree: UiTree, x: int, y: int) -> tuple[str, ...]:
    """What the element at a pixel is called: texts of the smallest clickable node there, of it and of what lies in it.

    Args:
        tree: the screen before the touch.
        x: pixel from the left.
        y: pixel from the top.
    """
    node = node_at(tree, x, y)
    if node is None:
        return ()
    texts = [text for part in node.walk() for text in (part.text, part.content_desc) if text]
    own_id = (node.resource_id,) if node.resource_id else ()
    return (*dict.fromkeys(texts), *own_id)


def row_at(tree: UiTree, x: int, y: int) -> tuple[str, ...]:
    """Texts of the row that the element at a pixel stands in: what tells it from others of its kind.

    Its row is the largest box around it that holds no second element with its resource-id and class.
    """
    node = node_at(tree, x, y)
    if node is None:
        return ()
    kind = (node.resource_id, node.class_name)
    row = node
    for box in _around(tree, node):
        if sum((part.resource_id, part.class_name) == kind for part in box.walk()) > 1:
            break
        row = box
    return tuple(dict.fromkeys(text for part in row.walk() for text in (part.text, part.content_desc) if text))


def _around(tree: UiTree, wanted: UiNode) -> list[UiNode]:
    """The boxes around a node, the smallest first."""

    def path(node: UiNode) -> list[UiNode] | None:
        if node is wanted:
            return []
        return next(([*found, node] for child in node.children if (found := path(child)) is not None), None)

    return next((found for root in tree.roots if (found := path(root)) is not None), [])


def _area(node: UiNode) -> int:
    box = node.bounds
    return (box.right - box.left) * (box.bottom - box.top)


def operations_done(
    operations: Sequence[RequiredOperation],
    record: Sequence[ProcessEntry],
    in_force: Callable[[Operation], bool] = lambda _: True,
) -> tuple[bool, ...]:
    """Which of the required operations were done, each after the one before it, and hold still.

    What must not be done counts as done where it was left alone.

    Args:
        operations: what is required, in order.
        record: what was done.
        in_force: whether an operation's `still_in_force` holds; of alternatives, only those that were done are asked.
    """
    record = joined(record)
    done: list[bool] = []
    at = 0
    for required in operations:
        if isinstance(required, Never):
            done.append(required.broken(record) is None)
            continue
        if isinstance(required, AnyOf):
            ways = [(end, one) for one in required.operations if (end := one.end(record, at)) is not None]
            end = min((end for end, _ in ways), default=None)
            holds = any(in_force(one) for _, one in ways)
        else:
            end = required.end(record, at)
            holds = end is not None and all(in_force(one) for one in required.leaves)
        done.append(holds)
        at = at if end is None else end
    return tuple(done)


def joined(record: Sequence[ProcessEntry]) -> list[ProcessEntry]:
    """The record with texts that were typed one after another in the same app made one."""
    whole: list[ProcessEntry] = []
    for entry in record:
        last = whole[-1] if whole else None
        if last is not None and entry.kind == last.kind == "type" and entry.package == last.package:
            # What came of it is what came of its last piece.
            whole[-1] = replace(entry, text=last.text + entry.text)
        else:
            whole.append(entry)
    return whole


def asked_after(operations: Sequence[RequiredOperation], record: Sequence[ProcessEntry]) -> tuple[Criterion, ...]:
    """What the last action must be judged by right after it: what those operations state that it may be."""
    stated = (one for operation in _that_fit(operations, record) for one in (operation.holds, operation.makes))
    return _each_once(one for one in stated if one is not None)


def asked_before(operations: Sequence[RequiredOperation], record: Sequence[ProcessEntry]) -> tuple[Criterion, ...]:
    """What the last action must be judged by before it is carried out."""
    return _each_once(one.makes for one in _that_fit(operations, record) if one.makes is not None)


def _that_fit(operations: Sequence[RequiredOperation], record: Sequence[ProcessEntry]) -> Iterator[Operation]:
    """Operations that the last action may be."""
    for entry in joined(record)[-1:]:
        yield from (one for required in operations for one in required.leaves if one.fits(entry))


def _each_once(criteria: Iterable[Criterion]) -> tuple[Criterion, ...]:
    found: list[Criterion] = []
    for one in criteria:
        if one not in found:
            found.append(one)
    return tuple(found)
