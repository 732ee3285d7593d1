"""Values of `awk`: numbers, text, and text from the input that may count as a number."""

from __future__ import annotations

import re

Value = str | float
_NUMBER = re.compile(r"\s*[-+]?(\d+\.?\d*([eE][-+]?\d+)?|\.\d+([eE][-+]?\d+)?)")
_CONVERSION = re.compile(r"%([-+ #0]*)(\d{0,3})(\.\d{1,3})?([a-zA-Z%])")


class Input(str):
    """Text that came from the input: it compares as a number where it looks like one."""

    __slots__ = ()


def number(value: Value) -> float:
    """A value as a number: the number that a text begins with, else 0."""
    if isinstance(value, float):
        return value
    found = _NUMBER.match(value)
    return float(found[0]) if found else 0.0


def text(value: Value) -> str:
    """A value as text: whole numbers without a point."""
    if isinstance(value, str):
        return str(value)
    return str(int(value)) if value == int(value) and abs(value) < 1e16 else f"{value:.6g}"


def truth(value: Value) -> bool:
    """Whether a value counts as true."""
    if isinstance(value, float):
        return value != 0
    return number(value) != 0 if _numeric(value) else value != ""


def _numeric(value: Value) -> bool:
    return isinstance(value, float) or (isinstance(value, Input) and _NUMBER.fullmatch(value.strip()) is not None)


def compare(first: Value, second: Value) -> int:
    """Less than, equal to or greater than 0; by number where both are numbers, else by text."""
    if _numeric(first) and _numeric(second):
        left, right = number(first), number(second)
        return (left > right) - (left < right)
    one, two = text(first), text(second)
    return (one > two) - (one < two)


def formatted(form: str, values: list[Value]) -> str:
    """`sprintf`."""
    rest = list(values)

    def convert(found: re.Match[str]) -> str:
        flags, width, precision, letter = found[1], found[2], found[3] or "", found[4]
        if letter == "%":
            return "%"
        value: Value = rest.pop(0) if rest else ""
        spec = f"%{flags}{width}{precision}"
        if letter in "di":
            return (spec + "d") % int(number(value))
        if letter in "oxXu":
            return (spec + letter.replace("u", "d")) % max(int(number(value)), 0)
        if letter in "eEfFgG":
            return (spec + letter) % number(value)
        if letter == "c":
            return (spec + "s") % (chr(int(value) % 0x110000) if isinstance(value, float) else value[:1])
        return (spec + "s") % text(value) if letter == "s" else found[0]

    return _CONVERSION.sub(convert, form)
