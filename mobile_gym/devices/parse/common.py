"""What the parsers share: the one base of their errors, and clean lines."""

from __future__ import annotations


class ParseError(ValueError):
    """A device's answer does not have the form that was asked for.

    Args:
        message: what was expected.
        text: what the device said; the start of it becomes part of the message.
    """

    def __init__(self, message: str, text: str = "") -> None:
        self.text = text
        shown = excerpt(text)
        super().__init__(f"{message}; the device said {shown}" if shown else message)


def excerpt(text: str, limit: int = 300) -> str:
    """The start of a device's answer, quoted for a message; empty for an answer without any sign."""
    text = text.strip()
    if not text:
        return ""
    return repr(text if len(text) <= limit else text[:limit] + "…")


def lines(text: str) -> list[str]:
    """The lines of an answer without their ends, whether the device sent LF, CRLF or CRCRLF."""
    return [line.rstrip("\r") for line in text.split("\n")]


def android_integer(text: str) -> int | None:
    """The number, where the whole text is one in plain digits (ASCII, at most 18 of them), else None."""
    digits = text[1:] if text[:1] in {"-", "+"} else text
    if not digits.isascii() or not digits.isdigit() or len(digits) > 18:
        return None
    return int(text)
