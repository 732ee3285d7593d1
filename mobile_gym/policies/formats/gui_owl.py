"""GUI-Owl and Mobile-Agent-v3: `### Action ###` followed by JSON (github.com/X-PLUG/MobileAgent), or a tool call."""

from __future__ import annotations

import re

from mobile_gym.envs.actions import Action
from mobile_gym.policies.formats import qwen
from mobile_gym.policies.formats.base import Reader, split_think
from mobile_gym.policies.formats.mobile_use import action_of
from mobile_gym.policies.formats.objects import find_object

_ACTION = re.compile(r"^[ \t]*#{2,4}[ \t]*Action[ \t]*#*[ \t]*:?[ \t]*$", re.MULTILINE | re.IGNORECASE)
_HEAD = re.compile(r"^[ \t]*#{2,4}[ \t]*Thought[ \t]*#*[ \t]*:?[ \t]*\n?", re.MULTILINE | re.IGNORECASE)


def parse(text: str, reader: Reader) -> Action:
    """Reads the JSON under the action's heading; without a heading, as Qwen's format."""
    thought, rest = split_think(text)
    heading = _ACTION.search(rest)
    if heading is None or rest[heading.end() :].lstrip().startswith("<tool_call>"):
        return qwen.parse(text, reader)
    before = _HEAD.sub("", rest[: heading.start()], count=1)
    reader.thought = "\n".join(filter(None, (thought.strip(), before.strip())))
    value, begin, end = find_object(rest[heading.end() :], "action", reader.flags)
    reader.call = rest[heading.end() :][begin:end]
    return action_of(value, reader)
