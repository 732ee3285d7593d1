"""Qwen-VL: a call of the tool `mobile_use` as JSON in `<tool_call>` (github.com/QwenLM/Qwen3-VL)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from mobile_gym.envs.actions import Action
from mobile_gym.policies.formats.base import Flag, Reader, Unreadable, shown, split_think
from mobile_gym.policies.formats.mobile_use import action_of
from mobile_gym.policies.formats.objects import find_object, read_object

_TAG = "<tool_call>"
_CLOSE = re.compile(r"\s*</tool_call>")
_THINKING = re.compile(r"^\s*<thinking>(.*?)</thinking>", re.DOTALL)
_LABEL = re.compile(r"^\s*Thought\s*:\s*", re.IGNORECASE)
_TAIL = re.compile(r"[\s`]*(?:</tool_call>)?[\s`]*")


def parse(text: str, reader: Reader) -> Action:
    """Reads the first tool call, or an answer that is nothing but its JSON."""
    thought, rest = split_think(text)
    inner = _THINKING.match(rest)
    if inner is not None:
        thought, rest = inner[1], rest[inner.end() :]
    before, tag, body = rest.partition(_TAG)
    if not tag or rest.lstrip().startswith(("{", "[", "```")):
        return untagged(rest, thought, reader)
    reader.thought = "\n".join(filter(None, (thought.strip(), _LABEL.sub("", before).strip())))
    value, end = _tagged(body, reader)
    if not _CLOSE.match(body, end):
        reader.flags.add(Flag.REPAIRED)
    if _TAG in body[end:]:
        reader.flags.add(Flag.SEVERAL)
    reader.call = f"{_TAG}{body[:end]}</tool_call>"
    return action_of(arguments_of(value), reader)


def untagged(text: str, thought: str, reader: Reader) -> Action:
    """Reads an answer without the tag: one that is JSON as a whole, or ends with it.

    Raises:
        Unreadable: it is neither.
    """
    try:
        value = read_object(text, reader.flags)
        reader.call = text.strip()
        reader.thought = thought
    except Unreadable:
        key = "arguments" if '"arguments"' in text or "'arguments'" in text else "action"
        value, begin, end = find_object(text, key, reader.flags)
        if not _TAIL.fullmatch(text, end):
            raise Unreadable(f"the answer holds no tool call: {shown(text)}") from None
        reader.flags.add(Flag.REPAIRED)
        reader.call = text[begin:end]
        before = text[:begin].rstrip().removesuffix("```json").removesuffix("```")
        reader.thought = "\n".join(filter(None, (thought.strip(), _LABEL.sub("", before).strip())))
    return action_of(arguments_of(value), reader)


def arguments_of(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """The arguments of a tool call, which may be written as a text; or the object itself where it has none."""
    arguments = value.get("arguments", value)
    if isinstance(arguments, str):
        return read_object(arguments, set())
    if not isinstance(arguments, Mapping):
        raise Unreadable(f"'arguments' is an object, not {shown(arguments)}")
    return arguments


def _tagged(body: str, reader: Reader) -> tuple[dict[str, Any], int]:
    """The object after the tag and where it ends; a text in it may itself hold the closing tag."""
    key = "arguments" if '"arguments"' in body or "'arguments'" in body else "action"
    value, _, end = find_object(body, key, reader.flags)
    return value, end
