"""Qwen-VL: a call of the tool `mobile_use` as JSON in `<tool_call>` (github.com/QwenLM/Qwen3-VL)."""

from __future__ import annotations

import re

from mobile_gym.envs.actions import Action
from mobile_gym.policies.formats.base import Flag, Reader, Unreadable, shown
from mobile_gym.policies.formats.mobile_use import call_of
from mobile_gym.policies.formats.objects import SPOKEN, answered_object, object_at
from mobile_gym.policies.formats.standing import Place, Tail, place, tail, unframed

_OPEN = re.compile(r"<tool_call>\s*(?:```[\w+-]*\s*)?")
_CLOSE = re.compile(r"\s*(?:```\s*)?</tool_call>")
_ANY_TAG = re.compile(r"</?tool_call>")
_OBJECT = re.compile(r"\s*(?:```[\w+-]*\s*)?[{\[]")
_LABEL = re.compile(r"^\s*Thought\s*[:\uff1a]\s*", re.IGNORECASE)
_MOST_TAGS = 20


def parse(text: str, reader: Reader) -> Action:
    """Reads the first tool call that has its lines for itself, or an answer that is nothing but its JSON."""
    if _OBJECT.match(text) is None:
        for number, tag in enumerate(_OPEN.finditer(text)):
            where = place(text, tag.start())
            if where is Place.INSIDE or number == _MOST_TAGS:
                continue
            action = _tagged(text, tag, where, reader)
            if action is not None:
                return action
    return untagged(text, reader)


def untagged(text: str, reader: Reader) -> Action:
    """Reads an answer without the tag: one that is JSON as a whole, or ends with it.

    Raises:
        Unreadable: it is neither.
    """
    value = answered_object(text, ("arguments", "action"), reader)
    if (tag := _OPEN.search(text)) is not None and tag.start() < reader.span[0]:
        raise Unreadable(f"the tool call stands in a sentence: {shown(text)}")
    if reader.thought and reader.span[0] and _OBJECT.match(text) is None:
        reader.flags.add(Flag.REPAIRED)
        reader.thought = _LABEL.sub("", reader.thought)
    return call_of(value, reader)


def _tagged(text: str, tag: re.Match[str], where: Place, reader: Reader) -> Action | None:
    """The call in a tag; None where its line goes on with words, so that it is a part of a sentence."""
    stop = _ANY_TAG.search(text, tag.end())
    try:
        found = object_at(text, tag.end(), stop.start() if stop is not None else len(text))
    except Unreadable:
        raise Unreadable(f"the tool call holds no whole JSON object: {shown(text[tag.start() :])}") from None
    close = _CLOSE.match(text, found.end)
    end = close.end() if close is not None else found.end
    after = unframed(text[end:])
    another = _OPEN.search(text, end)
    if close is None and after and not after.startswith("<tool_call>"):
        raise Unreadable(f"the tool call goes on after its object: {shown(text[found.end :])}")
    if tail(text, end) is Tail.WORDS and not after.startswith("<tool_call>"):
        reader.flags.add(Flag.REPAIRED)  # what is read after this is less plain for it
        return None
    if where is Place.SENTENCE and after:
        return None
    if another is not None:
        reader.flags.add(Flag.SEVERAL)
    if found.odd or close is None or where is not Place.LINE or tail(text, end) is Tail.ODD:
        reader.flags.add(Flag.REPAIRED)
    reader.note(_LABEL.sub("", text[: tag.start()]))
    reader.found(text, tag.start(), end, after, found.whole, SPOKEN)
    reader.exact = True
    return call_of(found.value, reader)
