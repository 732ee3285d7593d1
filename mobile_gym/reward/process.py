"""Process records: what was done on the way, and whether the operations that a task requires are among it.

ProBench judges process-related tasks by the element of each click: the smallest clickable one that holds the point, by
its text and description, else by its resource-id and what lies in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from annotated_types import MinLen
from pydantic import Field, field_validator, model_validator

from mobile_gym.assets.documents import Strict, TextLike, by_keys
from mobile_gym.devices.ui_tree import UiNode, UiTree
from mobile_gym.reward.answer_forms import several
from mobile_gym.reward.criteria import Criterion
from mobile_gym.reward.normal_forms import same_text
from mobile_gym.reward.protocol_actions import ALL_ACTIONS


@dataclass(frozen=True, slots=True)
class ProcessEntry:
    """One action of an episode.

    Attributes:
        kind: lower-case word of the action.
        element: texts of the element that was touched, its own first; its resource-id where it has none.
        text: what was typed, answered or opened.
        package: what was in front before the action.
    """

    kind: str
    element: tuple[str, ...] = ()
    text: str = ""
    package: str = ""


class Operation(Strict):
    """An operation that a task requires on the way. Operations must come in the order that the task gives.

    Attributes:
        do: the kind of action, or several of which any will do.
        target: a text of the element that is touched, compared by meaning, or its resource-id; of several, any.
        text: what is typed, opened or answered; of several, any. What is typed piece by piece counts as one text.
        app: package in front.
        still_in_force: what must hold at the end of the episode for the operation to count: it was not taken back.
    """

    do: str | tuple[str, ...]
    target: TextLike | tuple[TextLike, ...] | None = None
    text: TextLike | tuple[TextLike, ...] | None = None
    app: str | None = None
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
        if self.target is None and self.text is None and self.app is None:
            raise ValueError("an operation needs a target, a text or an app")
        return self

    def is_done_by(self, entry: ProcessEntry) -> bool:
        """Whether an action is this operation."""
        return (
            entry.kind in several(self.do)
            and (self.target is None or _any_same(several(self.target), entry.element))
            and (self.text is None or _any_same(several(self.text), (entry.text,)))
            and (self.app is None or self.app == entry.package)
        )

    def end(self, record: Sequence[ProcessEntry], at: int) -> int | None:
        """The place behind the first entry from `at` on that does it; None where none does."""
        return next((index + 1 for index in range(at, len(record)) if self.is_done_by(record[index])), None)

    @property
    def leaves(self) -> tuple[Operation, ...]:
        """Itself."""
        return (self,)


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


RequiredOperation = Annotated[Operation | AllOf | AnyOf, by_keys(Operation, ("all", AllOf), ("any", AnyOf))]
"""One entry of a task's `process`: an operation, `all` of some in any order, or `any` of some."""


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


def _area(node: UiNode) -> int:
    box = node.bounds
    return (box.right - box.left) * (box.bottom - box.top)


def operations_done(
    operations: Sequence[Operation | AllOf | AnyOf],
    record: Sequence[ProcessEntry],
    in_force: Callable[[Operation], bool] = lambda _: True,
) -> tuple[bool, ...]:
    """Which of the required operations were done, each after the one before it, and hold still.

    Args:
        operations: what is required, in order.
        record: what was done.
        in_force: whether an operation's `still_in_force` holds; of alternatives, only those that were done are asked.
    """
    record = joined(record)
    done: list[bool] = []
    at = 0
    for required in operations:
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
            whole[-1] = replace(last, text=last.text + entry.text)
        else:
            whole.append(entry)
    return whole


@dataclass(frozen=True, slots=True)
class Part:
    """A part of what a task requires on the way.

    Attributes:
        item: which entry of `process`.
        child: which operation of an `all` or `any`; None for the whole entry.
        in_force_only: whether only `still_in_force` is meant.
    """

    item: int
    child: int | None = None
    in_force_only: bool = False

    def __str__(self) -> str:
        child = "" if self.child is None else f"[{self.child}]"
        return f"process[{self.item}]{child}{'.still_in_force' if self.in_force_only else ''}"


def parts_of(operations: Sequence[Operation | AllOf | AnyOf]) -> list[Part]:
    """The parts that must each be needed: every operation, and every `still_in_force`."""
    found: list[Part] = []
    for item, required in enumerate(operations):
        children: list[int | None] = [*range(len(required.leaves))] if isinstance(required, AllOf) else [None]
        found += [Part(item, child) for child in children]
        for number, one in enumerate(required.leaves):
            if one.still_in_force is not None:
                found.append(Part(item, None if isinstance(required, Operation) else number, True))
    return found


def without_part(operations: Sequence[Operation | AllOf | AnyOf], part: Part) -> tuple[Operation | AllOf | AnyOf, ...]:
    """What is required with one part taken away."""
    required = operations[part.item]
    left: list[Operation | AllOf | AnyOf]
    if isinstance(required, Operation):
        left = [required.model_copy(update={"still_in_force": None})] if part.in_force_only else []
    elif part.child is None:
        left = []
    else:
        inner = list(required.operations)
        if part.in_force_only:
            inner[part.child] = inner[part.child].model_copy(update={"still_in_force": None})
        else:
            del inner[part.child]
        left = [inner[0]] if len(inner) == 1 else [required.model_copy(update={"operations": tuple(inner)})]
    return (*operations[: part.item], *left, *operations[part.item + 1 :])
