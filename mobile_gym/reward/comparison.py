"""Comparisons of one value: with what the task says, or with what the value was at the start."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from mobile_gym.assets.documents import Scalar, Strict, by_keys
from mobile_gym.reward.normal_forms import contains_text, same_value, to_number


class FromStart(Strict):
    """A number that lies a given way from the value at the start.

    Attributes:
        start: what is added to the start's value.
    """

    start: float


class Near(Strict):
    """A number that may miss by a little.

    Attributes:
        value: the number.
        tolerance: how far off is still right.
    """

    value: float
    tolerance: float = Field(ge=0)


Bound = Annotated[float | Literal["start"] | FromStart, by_keys(FromStart)]


class Comparison(Strict):
    """What a value must be. All of the given ones must hold; numbers are compared as numbers, text by its meaning.

    Attributes:
        equals: the value, or `start`.
        one_of: any of these.
        above: greater than this number, or than `start`.
        below: less than this.
        at_least: this or greater; `{start: 1}` is one more than at the start.
        at_most: this or less.
        near: a number within a tolerance.
        contains: text that is part of it.
        changed: whether it differs from the start.
    """

    equals: Annotated[FromStart | Scalar, by_keys(FromStart)] = None
    one_of: tuple[Scalar, ...] | None = None
    above: Bound | None = None
    below: Bound | None = None
    at_least: Bound | None = None
    at_most: Bound | None = None
    near: Near | None = None
    contains: str | None = None
    changed: bool | None = None

    @model_validator(mode="after")
    def _something(self) -> Comparison:
        if not any(name in Comparison.model_fields for name in self.model_fields_set):
            raise ValueError(f"nothing is compared; give one of {', '.join(Comparison.model_fields)}")
        return self

    def holds(self, value: Any, start: Any) -> bool:
        """Whether a value, given what it was at the start, is what it must be."""
        given = self.model_fields_set
        checks = (
            "equals" not in given or self._equal(value, start),
            self.one_of is None or any(same_value(one, value) for one in self.one_of),
            self.near is None or _within(value, self.near),
            self.contains is None or (value is not None and contains_text(str(value), self.contains)),
            self.changed is None or self.changed != same_value(start, value),
            self.above is None or _ordered(value, self.above, start, lambda one, bound: one > bound),
            self.below is None or _ordered(value, self.below, start, lambda one, bound: one < bound),
            self.at_least is None or _ordered(value, self.at_least, start, lambda one, bound: one >= bound),
            self.at_most is None or _ordered(value, self.at_most, start, lambda one, bound: one <= bound),
        )
        return all(checks)

    def _equal(self, value: Any, start: Any) -> bool:
        if self.equals == "start":
            return same_value(start, value)
        if isinstance(self.equals, FromStart):
            base = to_number(start)
            return base is not None and same_value(base + self.equals.start, value)
        return same_value(_as_kept(self.equals), value)


def _as_kept(value: Scalar) -> Scalar:
    return int(value) if isinstance(value, bool) else value


def _within(value: Any, near: Near) -> bool:
    number = to_number(value)
    return number is not None and abs(number - near.value) <= near.tolerance


def _ordered(value: Any, bound: Bound, start: Any, order: Any) -> bool:
    number = to_number(value)
    if isinstance(bound, FromStart):
        base = to_number(start)
        limit = None if base is None else base + bound.start
    else:
        limit = to_number(start) if bound == "start" else to_number(bound)
    return number is not None and limit is not None and bool(order(number, limit))


ValueCheck = Annotated[Comparison | Scalar, by_keys(Comparison)]
"""A comparison, or a plain value that must be equalled."""


def value_holds(check: ValueCheck, value: Any, start: Any) -> bool:
    """Whether a value passes a comparison or equals a plain value."""
    if isinstance(check, Comparison):
        return check.holds(value, start)
    return same_value(_as_kept(check), value)
