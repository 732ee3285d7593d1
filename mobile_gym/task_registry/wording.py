"""Pydantic's findings in plain words: what a value must be, for people who write YAML."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mobile_gym.task_registry.ids import SUITE_ID, TASK_ID

_PLAIN = {
    "string_type": "must be a text",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "finite_number": "must be a finite number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "tuple_type": "must be a list",
    "list_type": "must be a list",
    "set_type": "must be a list",
    "frozen_set_type": "must be a list",
    "dict_type": "must be a mapping (name: value)",
    "mapping_type": "must be a mapping (name: value)",
    "model_type": "must be a mapping of fields (name: value)",
    "model_attributes_type": "must be a mapping of fields (name: value)",
    "none_required": "must be left empty",
    "datetime_type": "must be a date and time, such as 2026-03-02 09:30",
    "datetime_parsing": "must be a date and time, such as 2026-03-02 09:30",
    "datetime_from_date_parsing": "must be a date and time, such as 2026-03-02 09:30",
    "datetime_object_invalid": "must be a date and time, such as 2026-03-02 09:30",
    "date_type": "must be a date, such as 2026-03-02",
    "date_parsing": "must be a date, such as 2026-03-02",
    "date_from_datetime_parsing": "must be a date, such as 2026-03-02",
    "date_from_datetime_inexact": "must be a date without a time, such as 2026-03-02",
    "time_type": "must be a time, such as 09:30",
    "time_parsing": "must be a time, such as 09:30",
}
_WITH_NUMBERS = {
    "greater_than": "must be more than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be at most {le}",
    "too_short": "must have at least {min_length} of them",
    "too_long": "must have at most {max_length} of them",
    "string_too_short": "must be a text of at least {min_length} characters",
    "string_too_long": "must be a text of at most {max_length} characters",
}
_PATTERNS = {
    TASK_ID: "must be small letters and digits in words joined by '-', such as elder-120",
    SUITE_ID: "must be small letters and digits in words joined by '_', such as own_tasks",
}
_LONGEST = 60


def wanted(entry: Mapping[str, Any]) -> str:
    """What a value must be, of one of pydantic's errors; its own words where there are no plainer ones."""
    kind, context = entry["type"], entry.get("ctx", {})
    if kind in _PLAIN:
        return _PLAIN[kind]
    if context.get("min_length") == 1 and kind in ("too_short", "string_too_short"):
        return "must not be empty"
    if kind in _WITH_NUMBERS:
        numbers = {name: f"{value:g}" if isinstance(value, float) else value for name, value in context.items()}
        return _WITH_NUMBERS[kind].format(**numbers)
    if kind == "string_pattern_mismatch":
        pattern = str(context["pattern"])
        return _PATTERNS.get(pattern, f"must be of the form {pattern}")
    return str(entry["msg"]).replace("Input should be", "must be")


def shown(value: object) -> str:
    """A value as a message shows it: as YAML has it where that is short."""
    if value is None or isinstance(value, bool):
        text = {None: "nothing", True: "true", False: "false"}[value]
    else:
        text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
