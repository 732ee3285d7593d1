"""GUI-Owl and Mobile-Agent-v3: `### Action ###` followed by JSON (github.com/X-PLUG/MobileAgent), or a tool call."""

from __future__ import annotations

import re

from mobile_gym.envs.actions import Action
from mobile_gym.policies.formats import qwen
from mobile_gym.policies.formats.base import Flag, Reader, Unreadable, shown
from mobile_gym.policies.formats.mobile_use import call_of
from mobile_gym.policies.formats.objects import SPOKEN, object_at
from mobile_gym.policies.formats.standing import Tail, tail, unframed

_ACTION = re.compile(
    r"^[ \t]*#{2,4}[ \t]*Action[ \t]*#*[ \t]*[:\uff1a]?[ \t]*(?:$|(?=[{\[`<]))\s*(?:```[\w+-]*\s*)?",
    re.MULTILINE | re.IGNORECASE,
)
_AGAIN = re.compile(r"#{2,4}[ \t]*Action\b", re.IGNORECASE)
_SPOKEN = re.compile(rf"{_AGAIN.pattern}|{SPOKEN.pattern}", re.IGNORECASE)
_HEADING = re.compile(r"^[ \t]*#{2,4}[ \t]*[A-Za-z][\w ]{0,40}#*[ \t]*[:\uff1a]?[ \t]*$", re.MULTILINE)
_HEAD = re.compile(r"^[ \t]*#{2,4}[ \t]*Thought[ \t]*#*[ \t]*[:\uff1a]?[ \t]*\n?", re.MULTILINE | re.IGNORECASE)


def parse(text: str, reader: Reader) -> Action:
    """Reads the JSON right under the action's heading; without a heading, as Qwen's format."""
    heading = _ACTION.search(text)
    if heading is None or text.startswith("<tool_call>", heading.end()):
        return qwen.parse(text, reader)
    reader.note(_HEAD.sub("", text[: heading.start()], count=1))
    following = _HEADING.search(text, heading.end())
    stop = following.start() if following is not None else len(text)
    found = object_at(text, heading.end(), stop)
    following = _HEADING.search(text, found.end)
    after = unframed(text[found.end : following.start() if following is not None else len(text)])
    if tail(text, found.end) is Tail.WORDS:
        raise Unreadable(f"under the action's heading stands more than its object: {shown(text[heading.end() :])}")
    if _AGAIN.search(text, found.end):
        reader.flags.add(Flag.SEVERAL)
    if found.odd:
        reader.flags.add(Flag.REPAIRED)
    reader.found(text, heading.start(), found.end, after, found.whole, _SPOKEN)
    reader.call = text[found.start : found.end]
    reader.exact = True
    return call_of(found.value, reader)
