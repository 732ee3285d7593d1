"""Answers in a declared format, judged by what they mean: no model, and no more than the answer itself is read.

GMA (section 3.2) has the instruction say how an answer must be written and judges it deterministically. A criterion
`answer: {type: money, equals: 39.9}` reads "39.9" and "39.90 yuan" as the same, and a sentence around it
as no answer: what is asked for is the deliverable alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from typing import Annotated, Any, Literal

from annotated_types import MinLen
from pydantic import AfterValidator, BeforeValidator, Field, TypeAdapter, model_validator

from mobile_gym.assets.documents import Scalar, Strict, TextLike
from mobile_gym.reward.answer_forms import bare, folded, number_beside, read_date, several, words
from mobile_gym.reward.normal_forms import (
    contains_text,
    minute_of_day,
    normal_phone,
    normal_text,
    same_phone,
    same_text,
)


def _is_date(value: str) -> str:
    if read_date(value) is None:
        raise ValueError(f"'{value}' is no date; write it as 2026-03-02")
    return value


def _is_time(value: str) -> str:
    if minute_of_day(value) is None:
        raise ValueError(f"'{value}' is no time of day; write it as 15:00")
    return value


def _is_phone(value: str) -> str:
    if not normal_phone(value):
        raise ValueError(f"'{value}' is no telephone number")
    return value


def _iso(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


class NumberAnswer(Strict):
    """A number.

    Attributes:
        type: `number`.
        equals: the number.
        tolerance: how far off is still right.
        unit: words that may follow or precede it, such as `[km, kilometres]`.
    """

    type: Literal["number"]
    equals: float
    tolerance: float = Field(default=0, ge=0)
    unit: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _one_unit(cls, data: Any) -> Any:
        if isinstance(data, Mapping) and isinstance(data.get("unit"), str):
            return {**data, "unit": [data["unit"]]}
        return data

    def holds(self, answer: str) -> bool:
        """Whether an answer is this number, with or without a unit."""
        number = number_beside(folded(answer), [folded(word) for word in self.unit])
        return number is not None and abs(number - self.equals) <= self.tolerance + 1e-9


class MoneyAnswer(Strict):
    """A sum of money.

    Attributes:
        type: `money`.
        equals: the amount, in the currency's main unit.
        currency: its code; an answer that names another is wrong, one that names none is not.
        tolerance: how far off is still right.
    """

    type: Literal["money"]
    equals: float
    currency: Literal["CNY", "USD", "EUR", "GBP", "JPY", "HKD"] = "CNY"
    tolerance: float = Field(default=0, ge=0)

    def holds(self, answer: str) -> bool:
        """Whether an answer is this sum."""
        number = number_beside(folded(answer), words().currencies[self.currency])
        return number is not None and abs(number - self.equals) <= self.tolerance + 1e-9


class TextAnswer(Strict):
    """A text, compared by what it reads like.

    Attributes:
        type: `text`.
        equals: the text, or several of which one must be answered.
        contains: texts that must all be part of it.
    """

    type: Literal["text"]
    equals: TextLike | tuple[TextLike, ...] = ()
    contains: TextLike | tuple[TextLike, ...] = ()

    @model_validator(mode="after")
    def _something(self) -> TextAnswer:
        if not self.equals and not self.contains:
            raise ValueError("give 'equals' or 'contains'")
        return self

    def holds(self, answer: str) -> bool:
        """Whether an answer is this text."""
        whole = not self.equals or any(same_text(one, bare(answer)) for one in several(self.equals))
        parts = several(self.contains)
        return whole and brief(answer, parts) and all(contains_text(answer, part) for part in parts)


def brief(answer: str, parts: Sequence[str]) -> bool:
    """Whether an answer is no more than a sentence or two around the parts that it must have: one that reads out all
    that there is has them too, and tells nothing."""
    return not parts or len(answer) <= _SENTENCES + 4 * sum(map(len, parts))


_SENTENCES = 120
"""Characters around the parts of an answer."""


class DateAnswer(Strict):
    """A date, in any usual form; a day of the week beside it must be the right one.

    Attributes:
        type: `date`.
        equals: the date, `2026-03-02`.
        year: whether the answer must name the year.
    """

    type: Literal["date"]
    equals: Annotated[str, BeforeValidator(_iso), AfterValidator(_is_date)]
    year: bool = False

    @model_validator(mode="after")
    def _full(self) -> DateAnswer:
        found = read_date(self.equals)
        if found is None or found.year is None:
            raise ValueError(f"'{self.equals}' has no year; write it as 2026-03-02")
        return self

    def holds(self, answer: str) -> bool:
        """Whether an answer is this date."""
        wanted, found = read_date(self.equals), read_date(answer)
        if wanted is None or wanted.year is None or found is None:
            return False
        day = date(wanted.year, wanted.month, wanted.day)
        if found.weekday is not None and found.weekday != day.weekday():
            return False
        named = found.year == wanted.year or (found.year is None and not self.year)
        return named and (found.month, found.day) == (wanted.month, wanted.day)


class TimeAnswer(Strict):
    """A time of day.

    Attributes:
        type: `time`.
        equals: the time, `15:00`.
    """

    type: Literal["time"]
    equals: Annotated[TextLike, AfterValidator(_is_time)]

    def holds(self, answer: str) -> bool:
        """Whether an answer is this time."""
        found = minute_of_day(bare(answer).rstrip(".\u3002"))
        return found is not None and found == minute_of_day(self.equals)


class PhoneAnswer(Strict):
    """A telephone number.

    Attributes:
        type: `phone`.
        equals: the number.
    """

    type: Literal["phone"]
    equals: Annotated[TextLike, AfterValidator(_is_phone)]

    def holds(self, answer: str) -> bool:
        """Whether an answer is this number and nothing else."""
        plain = bare(answer)
        return re.fullmatch(r"[\d\s()+\-.*#]+", unicodedata.normalize("NFKC", plain)) is not None and same_phone(
            self.equals, plain
        )


class ChoiceAnswer(Strict):
    """One of the choices that the instruction names.

    Attributes:
        type: `choice`.
        options: what may be chosen; by key where the instruction numbers them: `{A: red, B: blue}`.
        equals: the right one, by its text or its key.
    """

    type: Literal["choice"]
    options: Annotated[tuple[TextLike, ...], MinLen(2)] | Annotated[dict[str, TextLike], MinLen(2)]
    equals: TextLike

    @model_validator(mode="after")
    def _known(self) -> ChoiceAnswer:
        if self._chosen(self.equals) is None:
            raise ValueError(f"'{self.equals}' is none of the options; there are {', '.join(self._table())}")
        return self

    def holds(self, answer: str) -> bool:
        """Whether an answer is the right choice: its text, its key, or both."""
        found = self._chosen(answer)
        return found is not None and found == self._chosen(self.equals)

    def _table(self) -> Mapping[str, str]:
        if isinstance(self.options, tuple):
            return {option: option for option in self.options}
        return self.options

    def _chosen(self, said: str) -> str | None:
        plain = normal_text(bare(said))
        for key, text in self._table().items():
            forms = {normal_text(key), normal_text(text)}
            forms |= {normal_text(f"{key}{mark}{text}") for mark in (".", ":", ")", "\u3001", " ", ". ", ": ", ") ")}
            if plain in forms or normal_text(bare(plain.rstrip(").]"))) in forms:
                return key
        return None


class ListAnswer(Strict):
    """Several items, each once.

    Attributes:
        type: `list`.
        equals: the items.
        items: what they are.
        ordered: whether their order counts.
        separator: what parts them; else any usual mark.
        currency: of items that are money.
        unit: of items that are numbers.
    """

    type: Literal["list"]
    equals: Annotated[tuple[Scalar, ...], MinLen(1)]
    items: Literal["text", "number", "money", "date", "time", "phone"] = "text"
    ordered: bool = False
    separator: Annotated[str, MinLen(1)] | None = None
    currency: Literal["CNY", "USD", "EUR", "GBP", "JPY", "HKD"] = "CNY"
    unit: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _readable(self) -> ListAnswer:
        for value in self.equals:
            self._item(value)
        return self

    def _item(self, value: Scalar) -> Any:
        document: dict[str, Any] = {"type": self.items, "equals": value}
        if self.items == "money":
            document["currency"] = self.currency
        if self.items == "number":
            document["unit"] = self.unit
        return _adapter().validate_python(document)

    def holds(self, answer: str) -> bool:
        """Whether an answer lists these items and no others."""
        given = [part for part in self._parts(bare(answer)) if part.strip()]
        wanted = [self._item(value) for value in self.equals]
        if len(given) != len(wanted):
            return False
        if self.ordered:
            return all(item.holds(part) for item, part in zip(wanted, given, strict=True))
        left = list(given)
        for item in wanted:
            found = next((part for part in left if item.holds(part)), None)
            if found is None:
                return False
            left.remove(found)
        return True

    def _parts(self, answer: str) -> Sequence[str]:
        if self.separator is not None:
            return answer.split(self.separator)
        return re.split("|".join(map(re.escape, words().separators)), answer)


Answer = NumberAnswer | MoneyAnswer | TextAnswer | DateAnswer | TimeAnswer | PhoneAnswer | ChoiceAnswer | ListAnswer
_BY_TYPE: Mapping[str, type[Strict]] = {
    "number": NumberAnswer,
    "money": MoneyAnswer,
    "text": TextAnswer,
    "date": DateAnswer,
    "time": TimeAnswer,
    "phone": PhoneAnswer,
    "choice": ChoiceAnswer,
    "list": ListAnswer,
}


def typed_answer(value: Any) -> Any:
    """A mapping with a `type` as the answer of that type, so that errors speak of it alone; anything else as it is.

    Raises:
        ValueError: the type is unknown, or the mapping is no answer of its type.
    """
    if not isinstance(value, Mapping) or "type" not in value:
        return value
    model = _BY_TYPE.get(str(value["type"]))
    if model is None:
        raise ValueError(f"'{value['type']}' is no type of answer; there are {', '.join(_BY_TYPE)}")
    return model.model_validate(value)


@cache
def _adapter() -> TypeAdapter[Any]:
    return TypeAdapter(Annotated[Answer, Field(discriminator="type")])
