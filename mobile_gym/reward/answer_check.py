"""The criterion `answer`: a plain value, a comparison, or an answer of a declared type."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator

from mobile_gym.assets.documents import Scalar, Strict, by_keys
from mobile_gym.reward.answers import Answer, brief, typed_answer
from mobile_gym.reward.comparison import ValueCheck, value_holds
from mobile_gym.reward.normal_forms import contains_text, same_value, to_number


class AnswerCheck(Strict):
    """What the agent must answer. One of the given ways must fit.

    Attributes:
        equals: the answer, compared by meaning: as a number, a time or text.
        one_of: any of these.
        contains: all of these are part of it.
        near: it is a number about this.
    """

    equals: Scalar = None
    one_of: tuple[Scalar, ...] = ()
    contains: tuple[str, ...] | str = ()
    near: ValueCheck = None

    def holds(self, answer: str) -> bool:
        """Whether an answer fits."""
        values = (*self.one_of, *(() if self.equals is None else (self.equals,)))
        parts = (self.contains,) if isinstance(self.contains, str) else self.contains
        near = self.near is not None and to_number(answer) is not None and value_holds(self.near, answer, None)
        return (
            any(same_value(int(value) if isinstance(value, bool) else value, answer) for value in values)
            or (bool(parts) and brief(answer, parts) and all(contains_text(answer, part) for part in parts))
            or near
        )


def _plain_answer(value: Any) -> Any:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else typed_answer(value)


AnswerDocument = Annotated[AnswerCheck | Answer | str, by_keys(AnswerCheck), BeforeValidator(_plain_answer)]
"""What must be answered."""


def answer_holds(check: AnswerCheck | Answer | str, answer: str) -> bool:
    """Whether an answer is the one that a criterion asks for."""
    return same_value(check, answer) if isinstance(check, str) else check.holds(answer)
