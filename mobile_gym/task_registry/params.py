"""Parameters of tasks: drawn by a seed, put into the document wherever `{name}` stands."""

from __future__ import annotations

import calendar
import random
import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import cache
from importlib.resources import files
from typing import Annotated, Any

from annotated_types import MinLen
from pydantic import Field, model_validator

from mobile_gym.assets.clock import TimeOfDay
from mobile_gym.assets.documents import OneKey, Scalar, Strict
from mobile_gym.task_registry.yaml_document import parse_yaml

Values = dict[str, Any]
"""A drawn value by parameter; a mapping where it has parts, such as `{when.hour}`."""


class IntegerRange(Strict):
    """Whole numbers.

    Attributes:
        first: the least (`from`).
        last: the greatest (`to`).
        step: how far apart they lie.
    """

    first: int = Field(alias="from")
    last: int = Field(alias="to")
    step: int = Field(default=1, ge=1)

    @model_validator(mode="after")
    def _ordered(self) -> IntegerRange:
        if self.last < self.first:
            raise ValueError(f"'to' ({self.last}) lies below 'from' ({self.first})")
        return self


class TimeRange(Strict):
    """Times of day.

    Attributes:
        first: the earliest (`from`).
        last: the latest (`to`).
        step: minutes between them.
    """

    first: TimeOfDay = Field(alias="from")
    last: TimeOfDay = Field(alias="to")
    step: int = Field(default=5, ge=1)

    @model_validator(mode="after")
    def _ordered(self) -> TimeRange:
        if self.last < self.first:
            raise ValueError(f"'to' ({self.last}) lies before 'from' ({self.first})")
        return self


class DateRange(Strict):
    """Dates, counted in days from the device's clock at the start (`start.clock`), never from the computer's.

    Attributes:
        first: days to the first (`from`).
        last: days to the last (`to`).
    """

    first: int = Field(alias="from")
    last: int = Field(alias="to")

    @model_validator(mode="after")
    def _ordered(self) -> DateRange:
        if self.last < self.first:
            raise ValueError(f"'to' ({self.last}) lies before 'from' ({self.first})")
        return self


class Param(OneKey):
    """How a parameter is drawn: `choice`, `integer`, `time`, `date` or `shuffle`."""

    what = "parameter"

    @classmethod
    def kinds(cls) -> Mapping[str, Any]:
        """Documents by kind."""
        return {
            "choice": Annotated[tuple[dict[str, Any] | Scalar, ...], MinLen(1)],
            "integer": IntegerRange,
            "time": TimeRange,
            "date": DateRange,
            "shuffle": Annotated[tuple[Scalar, ...], MinLen(2)],
        }


class UnknownParameter(ValueError):
    """A text names a parameter that the task does not have."""


@cache
def _forms() -> Mapping[str, Any]:
    data: Mapping[str, Any] = parse_yaml(
        files("mobile_gym.task_registry").joinpath("time_forms.yaml").read_text("utf-8")
    ).data
    return data


def time_value(minutes: int) -> Values:
    """A time of day and the ways it is said.

    `text` (`07:30`), `hour`, `minute`, `zh`, `en`; and as a dial has it: `hour12` (`7`), `minute2` (`30`), `half`
    (`am`) and `other_half` (`pm`).
    """
    hour, minute = divmod(minutes, 60)
    half, other_half = ("am", "pm") if hour < 12 else ("pm", "am")
    said: Values = {
        "text": f"{hour:02d}:{minute:02d}",
        "hour": hour,
        "minute": minute,
        "hour12": str((hour - 1) % 12 + 1),
        "minute2": f"{minute:02d}",
        "half": half,
        "other_half": other_half,
    }
    for language in ("zh", "en"):
        forms = _forms()[language]
        period = [word for first, word in forms["periods"] if first <= hour][-1]
        form = forms["hour" if minute == 0 else "half" if minute == 30 else "minute"]
        said[language] = form.format(period=period, hour=(hour - 1) % 12 + 1, minute=minute)
    return said


def date_value(day: datetime) -> Values:
    """A date and the ways it is said: `text` (`2026-03-02`), `year`, `month`, `day`, `weekday` (mon…), `zh`, `en`."""
    parts = {"month": day.month, "day": day.day, "month_name": calendar.month_name[day.month]}
    weekday = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")[day.weekday()]
    said = {language: form.format(**parts) for language, form in _forms()["dates"].items()}
    return {
        "text": f"{day:%Y-%m-%d}",
        "year": day.year,
        "month": day.month,
        "day": day.day,
        "weekday": weekday,
        **said,
    }


def draw(task_id: str, params: Mapping[str, Param], seed: int, start: datetime | None) -> Values:
    """Draws all parameters; each depends on the task, its own name and the seed alone.

    What is chosen of a `choice` may name parameters that stand above it. A `shuffle` puts its list in another order;
    `{name.1}` is the first of it.

    Raises:
        ValueError: a date is wanted and the task does not fix the device's clock.
    """
    values: Values = {}
    for name, param in params.items():
        generator = random.Random(f"{task_id}/{name}/{seed}")
        spec = param.spec
        if param.kind == "choice":
            values[name] = fill(spec[generator.randrange(len(spec))], values)
        elif param.kind == "shuffle":
            order = generator.sample(spec, len(spec))
            values[name] = {str(place): value for place, value in enumerate(order, 1)}
        elif param.kind == "integer":
            values[name] = generator.randrange(spec.first, spec.last + 1, spec.step)
        elif param.kind == "time":
            first, last = (60 * int(text[:2]) + int(text[3:]) for text in (spec.first, spec.last))
            values[name] = time_value(generator.randrange(first, last + 1, spec.step))
        else:
            if start is None:
                raise ValueError(f"the parameter '{name}' is a date, so the task must fix the clock: give start.clock")
            values[name] = date_value(start + timedelta(days=generator.randint(spec.first, spec.last)))
    return values


_PLACE = re.compile(r"\{\{|\}\}|\{([A-Za-z_][\w]*(?:\.\w+)?)\}")


def fill(data: Any, values: Values) -> Any:
    """The document with every `{name}` and `{name.part}` replaced, in keys too; `{{` and `}}` are braces.

    A text that is nothing but `{name}` becomes the value itself, a number where it is one.

    Raises:
        UnknownParameter: a text names a parameter or a part that there is not.
    """
    if isinstance(data, str):
        whole = _PLACE.fullmatch(data)
        if whole and whole[1]:
            return _value(whole[1], values)
        return _PLACE.sub(_replacer(values), data)
    if isinstance(data, list):
        return [fill(item, values) for item in data]
    if isinstance(data, Mapping):
        return {str(fill(key, values)): fill(value, values) for key, value in data.items()}
    return data


def _replacer(values: Values) -> Callable[[re.Match[str]], str]:
    def replace(match: re.Match[str]) -> str:
        if match[1] is None:
            return match[0][0]
        return str(_value(match[1], values))

    return replace


def _value(name: str, values: Values) -> Any:
    base, _, part = name.partition(".")
    if base not in values:
        raise UnknownParameter(
            f"'{{{name}}}' names no parameter; there are {', '.join(values)}. For a brace in a text write '{{{{'"
        )
    value = values[base]
    if not isinstance(value, Mapping):
        if part:
            raise UnknownParameter(f"'{{{name}}}': the parameter '{base}' has no parts")
        return value
    if (part or "text") not in value:
        raise UnknownParameter(f"'{{{name}}}': the parameter '{base}' has the parts {', '.join(value)}")
    return value[part or "text"]
