"""What the verifier found where it looked, in words: for people who want to know why a criterion did not hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mobile_gym.assets.base import AssetType, Entry
from mobile_gym.assets.table import asset_types
from mobile_gym.reward.criteria import Criterion, leaves_of
from mobile_gym.reward.leaves import Evidence, file_stamps, rows_of
from mobile_gym.reward.matching import differing_fields

_LONGEST = 300
_MOST = 3
"""Rows, files or topics that are named one by one."""


def seen(criterion: Criterion, evidence: Evidence) -> list[str]:
    """What there was of each leaf of a criterion, in the tree's order; empty where a leaf's words say it all."""
    return [_cut(_found(leaf.kind, leaf.spec, evidence)) for _, leaf in leaves_of(criterion)]


def _found(kind: str, spec: Any, evidence: Evidence) -> str:
    now, start = evidence.now, evidence.start
    match kind:
        case "setting":
            namespace, _, name = spec.key.partition("/")
            return _was(now.setting(namespace, name), start.setting(namespace, name), spec.default)
        case "row":
            rows, before = rows_of(spec, now), rows_of(spec, start)
            wanted = list(spec.values or ())
            told = [_fields({name: row.get(name) for name in wanted}) for row in rows[:_MOST]] if wanted else []
            return "; ".join([f"{len(rows)} such rows, {len(before)} at the start", *told])
        case "file":
            paths = sorted(file_stamps(spec, now))
            return (
                ", ".join(paths[:_MOST]) + (f" and {len(paths) - _MOST} more" if len(paths) > _MOST else "") or "none"
            )
        case "package":
            return now.packages().get(spec.name, "not installed")
        case "activity":
            front = now.activity
            return "the lock screen was up" if front.locked else f"{front.package}/{front.name} was in front"
        case "clipboard":
            return _was(now.clipboard, start.clipboard)
        case "answer":
            return "no answer was given" if evidence.answer is None else f"the answer was {_value(evidence.answer)}"
        case "ended":
            return f"it ended by {evidence.ended_by or 'nothing that the agent said'}"
        case "asked":
            return f"the user told of {', '.join(sorted(evidence.asked)) or 'nothing'}"
        case "new":
            entries = _new_first(spec.type, evidence)[0]
            return _nearest(spec.type, spec.spec, entries, "nothing of this kind was new")
        case _ if kind in asset_types():
            new, old = _new_first(asset_types()[kind], evidence)
            return _nearest(asset_types()[kind], spec, [*new, *old], "there was none")
        case _:
            return ""


def _new_first(asset_type: AssetType, evidence: Evidence) -> tuple[list[Entry], list[Entry]]:
    """Entries that were not there at the start, and those that were."""
    known = {entry.key for entry in asset_type.entries(evidence.start)}
    entries = asset_type.entries(evidence.now)
    return [one for one in entries if one.key not in known], [one for one in entries if one.key in known]


def _nearest(asset_type: AssetType, document: Any, entries: Sequence[Entry], none: str) -> str:
    """The entry that is nearest to a document, the first of several, and what is other in it.

    One that has nothing of what makes a thing of its kind what it is, is not near.
    """
    if not entries:
        return none
    best = min(entries, key=lambda entry: len(differing_fields(asset_type, document, entry)))
    other = differing_fields(asset_type, document, best)
    wanted = asset_type.wanted(document)
    own = set(asset_type.identity) & wanted.keys() or wanted.keys()
    if own <= set(other):
        return f"{len(entries)} there, and none like it"
    told = _fields({name: best.fields.get(name) for name in wanted})
    return f"{told} (other: {', '.join(other)})" if other else told


def _was(now: Any, start: Any, default: Any = None) -> str:
    told = f"it was {_value(default if now is None else now)}"
    return told if now == start else f"{told}, at the start {_value(default if start is None else start)}"


def _fields(fields: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {_value(value)}" for name, value in fields.items())


def _value(value: Any) -> str:
    match value:
        case None:
            return "nothing"
        case str():
            return f"“{value}”"
        case Mapping():
            return f"({_fields(value)})"
        case tuple() | list():
            return " / ".join(dict.fromkeys(map(_value, value))) or "nothing"
        case _:
            return str(value)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
