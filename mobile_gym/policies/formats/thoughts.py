"""Where an answer's reasoning is: `<think>…</think>`, or what stands before a `</think>` that the prompt opened."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TAG = re.compile(r"<(/?)think(?:ing)?>")
_MOST = 8


@dataclass(frozen=True, slots=True)
class Thoughts:
    """The reasoning in an answer.

    Attributes:
        starts: where the answer may begin: at its beginning, and after each `</think>` that nothing in it opened.
        blocks: where a `<think>` begins and its `</think>` ends; one that never ends goes to the answer's end.
    """

    starts: tuple[int, ...]
    blocks: tuple[tuple[int, int], ...]


def thoughts_of(text: str) -> Thoughts:
    """The reasoning in an answer."""
    starts: list[int] = [0]
    blocks: list[tuple[int, int]] = []
    opened: int | None = None
    for tag in _TAG.finditer(text):
        if not tag[1]:
            opened = tag.start() if opened is None else opened
        elif opened is None:
            starts.append(tag.end())
        else:
            blocks.append((opened, tag.end()))
            opened = None
    if opened is not None:
        blocks.append((opened, len(text)))
    if len(starts) > _MOST:
        starts[_MOST - 1 : -1] = []
    if len(blocks) > _MOST:
        blocks = [(blocks[0][0], blocks[-1][1])]
    return Thoughts(tuple(starts), tuple(blocks))
