"""Parts of what a task requires on the way, and what is left without one: the proofs take each away in turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from mobile_gym.reward.process import AllOf, AnyOf, Never, Operation, RequiredOperation

Condition = Literal["holds", "makes", "still_in_force", "until"]
_STATED: tuple[Condition, ...] = ("holds", "makes", "still_in_force")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of what a task requires on the way.

    Attributes:
        item: which entry of `process`.
        child: which operation of an `all` or `any`; None for the whole entry.
        condition: the condition that is meant; None for the whole operation.
        stricter: whether the task asks for more without it: the conditions of a ban narrow it.
    """

    item: int
    child: int | None = None
    condition: Condition | None = None
    stricter: bool = False

    def __str__(self) -> str:
        child = "" if self.child is None else f"[{self.child}]"
        return f"process[{self.item}]{child}{'' if self.condition is None else f'.{self.condition}'}"


def parts_of(operations: Sequence[RequiredOperation]) -> list[Part]:
    """The parts that must each be needed: every operation, every ban, and every condition of one."""
    found: list[Part] = []
    for item, required in enumerate(operations):
        if isinstance(required, Never):
            found.append(Part(item))
            found += [Part(item, None, name, True) for name in _stated(required.operation)]
            found += [Part(item, None, "until", True)] if required.until is not None else []
            continue
        children: list[int | None] = [*range(len(required.leaves))] if isinstance(required, AllOf) else [None]
        found += [Part(item, child) for child in children]
        for number, one in enumerate(required.leaves):
            found += [Part(item, None if isinstance(required, Operation) else number, name) for name in _stated(one)]
    return found


def without_part(operations: Sequence[RequiredOperation], part: Part) -> tuple[RequiredOperation, ...]:
    """What is required with one part taken away."""
    return (*operations[: part.item], *_left(operations[part.item], part), *operations[part.item + 1 :])


def without_conditions(required: RequiredOperation) -> RequiredOperation:
    """An entry that asks for the actions alone."""

    def bare(operation: Operation) -> Operation:
        return operation.model_copy(update=dict.fromkeys(_STATED))

    if isinstance(required, Never):
        until = None if required.until is None else bare(required.until)
        return required.model_copy(update={"operation": bare(required.operation), "until": until})
    if isinstance(required, Operation):
        return bare(required)
    return required.model_copy(update={"operations": tuple(map(bare, required.operations))})


def _left(required: RequiredOperation, part: Part) -> list[RequiredOperation]:
    if part.condition is None and part.child is None:
        return []
    if isinstance(required, Never):
        if part.condition == "until":
            return [required.model_copy(update={"until": None})]
        return [required.model_copy(update={"operation": _without(required.operation, part)})]
    if isinstance(required, Operation):
        return [_without(required, part)]
    return _left_of_several(required, part)


def _left_of_several(required: AllOf | AnyOf, part: Part) -> list[RequiredOperation]:
    assert part.child is not None
    inner = list(required.operations)
    if part.condition is None:
        del inner[part.child]
    else:
        inner[part.child] = _without(inner[part.child], part)
    return [inner[0]] if len(inner) == 1 else [required.model_copy(update={"operations": tuple(inner)})]


def _without(operation: Operation, part: Part) -> Operation:
    assert part.condition is not None
    return operation.model_copy(update={part.condition: None})


def _stated(operation: Operation) -> list[Condition]:
    return [name for name in _STATED if getattr(operation, name) is not None]
