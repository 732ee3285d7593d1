"""Whether a call stands as one, on its own line, or is only spoken of in a sentence.

Models write about calls as well as calling: "I must not write finished() yet". What counts is the place: a call has its
line for itself, apart from what chat templates and Markdown put around it.
"""

from __future__ import annotations

import re
from enum import Enum

# What templates and Markdown leave around a call: end-of-turn tokens, closing tags, fences, emphasis.
_FRAME = re.compile(
    r"<\|[^|<>\n]{1,40}\|>|</(?:s|answer|action|tool_call|box)>|^[ \t]*```[\w+-]*[ \t]*$|[`*]", re.MULTILINE
)
_OPEN_FENCE = re.compile(r"\n?[ \t]*```[\w+-]*\s*\Z")
_INDENT = re.compile(r"(?:[ \t`*]|<\|[^|<>\n]{1,40}\|>|</\w{1,20}>)*")
# The end of a sentence; "e.g." is none.
_SENTENCE_END = re.compile(r"(?:\w\w[.!?]|[\u3002\uff01\uff1f\u2026])[ \t`*]*\Z")
_ENDED = re.compile(r"(?:[.!?)\]>\"'\u3002\uff01\uff1f\u2026\uff09\u201d\u300d\u300f]|\n[ \t]*\n)\s*\Z")
_LEADS_IN = re.compile(r"[:,;\uff1a\uff0c\uff1b\u3001]\s*\Z")
_LABEL = re.compile(
    r"(?:^|\n)[ \t*#]*(?:next |final )?(?:action|answer|output)[ \t*]*[:\uff1a][ \t*]*\Z", re.IGNORECASE
)
_ODD_END = re.compile(r"[.;,\u3002\uff1b\uff0c]+\Z|(?:#|//).*\Z")


class Place(Enum):
    """Where something begins: on a line of its own, after the end of a sentence, or in the middle of one."""

    LINE = "line"
    SENTENCE = "sentence"
    INSIDE = "inside"


class Tail(Enum):
    """What follows a call on its line: nothing, a full stop or a comment, or words."""

    CLEAN = "clean"
    ODD = "odd"
    WORDS = "words"


def place(text: str, at: int) -> Place:
    """Where a call begins; a label such as `Action:` belongs to the call."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    if _INDENT.fullmatch(line) or _LABEL.search(line):
        return Place.LINE
    return Place.SENTENCE if _SENTENCE_END.search(line) else Place.INSIDE


def tail(text: str, end: int) -> Tail:
    """What follows a call that ends here on its line."""
    line = unframed(text[end:].split("\n", 1)[0])
    if not line:
        return Tail.CLEAN
    return Tail.ODD if _ODD_END.match(line) else Tail.WORDS


def unframed(text: str) -> str:
    """A text without the frame of templates and Markdown; empty where it says nothing."""
    return _FRAME.sub("", text).strip()


def introduces(before: str) -> bool:
    """Whether a text leads into what follows it ("I would write:"), so that this may be a quotation."""
    said = _FRAME.sub("", _OPEN_FENCE.sub("", before))
    if not said.strip() or _LABEL.search(said.rstrip(" \t\r\n")):
        return False
    return _LEADS_IN.search(said) is not None or _ENDED.search(said) is None
