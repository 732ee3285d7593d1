"""Runs a format's parser: leaves the reasoning out, and lets nothing end an episode that leaves a doubt."""

from __future__ import annotations

import re
from dataclasses import replace

from mobile_gym.envs.actions import Action, MalformedAction
from mobile_gym.policies.formats.base import (
    ENDINGS,
    Flag,
    Parsed,
    Parser,
    Reader,
    Screen,
    Space,
    Unreadable,
    cut,
    shown,
)
from mobile_gym.policies.formats.thoughts import thoughts_of

_LONGEST_ANSWER = 100_000
_TAG = re.compile(r"</?think(?:ing)?>")


def run(parser: Parser, text: str, screen: Screen, space: Space, cut_off: bool = False) -> Parsed:
    """Runs a parser and gathers what it found; nothing is ever raised for what a model wrote.

    An action that ends the episode has to leave no doubt: its call is closed, unrepaired, the only one, and the answer
    neither goes on after it nor was cut off.

    Args:
        parser: the format's parser.
        text: the answer.
        screen: the screen.
        space: how the model counts.
        cut_off: whether the endpoint cut the answer off.
    """
    raw = cut(text)
    reader, action, error = Reader(screen, space), None, ""
    if not text.strip():
        error = "the answer is empty"
    elif len(text) > _LONGEST_ANSWER:
        error = f"the answer has {len(text)} characters; at most {_LONGEST_ANSWER} are read"
    else:
        reader, action, error = _read(parser, text, screen, space, cut_off)
    if action is None:
        reader.pixels.clear()
    if cut_off:
        reader.flags.add(Flag.CUT_OFF)
    return Parsed(
        action, reader.thought.strip(), frozenset(reader.flags), error, raw, cut(reader.call), tuple(reader.pixels)
    )


def _read(parser: Parser, text: str, screen: Screen, space: Space, cut_off: bool) -> tuple[Reader, Action | None, str]:
    """Reads the first part of an answer that is not the reasoning before a `</think>`."""
    layout = thoughts_of(text)
    reader, action, error = Reader(screen, space), None, ""
    for number, start in enumerate(layout.starts):
        blocks = [(first - start, last - start) for first, last in layout.blocks if first >= start]
        reader, action, error = _part(parser, text[start:], Reader(screen, space, blocks=blocks), cut_off)
        said = reader.thought
        reader.thought = ""
        reader.note(_TAG.sub("", text[:start]), said)
        begin, end = reader.span
        if all(begin < later - start <= end for later in layout.starts[number + 1 :]):
            break
    return reader, action, error


def _part(parser: Parser, text: str, reader: Reader, cut_off: bool) -> tuple[Reader, Action | None, str]:
    """Reads a part, leaving out one `<think>` block after the other until none is left before the call.

    Those that are left stand after it, or in it: a typed text may hold what looks like reasoning.
    """
    blocks = reader.blocks
    rest = text
    for number in range(len(blocks) + 1):
        tried = replace(reader, flags=set(), pixels=[])
        action, error = _attempt(parser, rest, tried, cut_off)
        left = blocks[number:]
        if not left or (tried.span[1] and left[0][0] > tried.span[0]):
            break
        first, last = left[0]
        rest = rest[:first] + " " * (last - first) + rest[last:]
    said = tried.thought
    tried.thought = ""
    tried.note(*(_TAG.sub("", text[first:last]) for first, last in blocks[:number]), said)
    return tried, action, error


def _attempt(parser: Parser, text: str, reader: Reader, cut_off: bool) -> tuple[Action | None, str]:
    try:
        if not text.strip():
            raise Unreadable("the answer holds nothing but reasoning")
        action = parser(text, reader)
        if not reader.whole and cut_off:
            raise Unreadable("the answer was cut off in the middle of its call")
        if not reader.whole and not reader.exact and action.text:
            raise Unreadable(f"the call never closes, so that its text may be cut off: {shown(reader.call)}")
        if action.kind in ENDINGS and (doubt := reader.doubt(cut_off)):
            raise Unreadable(f"{action.kind.word} ends the episode, so its call stands whole and alone; but {doubt}")
    except Unreadable as problem:
        reader.flags |= problem.flags
        return None, str(problem)
    except MalformedAction as problem:
        return None, str(problem)
    return action, ""
