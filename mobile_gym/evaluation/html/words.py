"""Criteria and operations in words, for people who don't read task files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mobile_gym.evaluation.html.steps import Doing
from mobile_gym.reward.answer_forms import several
from mobile_gym.reward.criteria import Criterion
from mobile_gym.reward.process import AllOf, Never, Operation, RequiredOperation, Touched

Told = dict[str, Any]
"""A sentence (`text`), what was found of it (`seen`), and where it joins others, those (`parts`)."""

_JOINS = {"all": "all of these", "any": "one of these", "not": "this does not hold"}
_COMPARISONS = {
    "above": "above",
    "below": "below",
    "at_least": "at least",
    "at_most": "at most",
    "contains": "contains",
    "one_of": "one of",
}
_ENDS = {
    "infeasible": "the agent says that it cannot be done",
    "finished": "the agent says that it is done",
    "answered": "the agent answers",
}


def criterion_words(criterion: Criterion, seen: Sequence[str] = ()) -> Told:
    """A criterion in words; parts that it joins lie below it.

    Args:
        criterion: the criterion.
        seen: what the verifier found of each of its leaves, in the tree's order; empty where that is not known.
    """
    return _told(criterion, iter(seen))


def _told(criterion: Criterion, seen: Iterator[str]) -> Told:
    if criterion.children:
        return {"text": _JOINS[criterion.kind], "parts": [_told(child, seen) for child in criterion.children]}
    told: Told = {"text": _leaf(criterion.kind, criterion.plain()[criterion.kind])}
    found = next(seen, "")
    return {**told, "seen": found} if found else told


def in_one_line(told: Told) -> str:
    """A sentence and all that it joins, without what was found."""
    parts = [in_one_line(part) for part in told.get("parts", ())]
    return f"{told['text']} ({'; '.join(parts)})" if parts else str(told["text"])


def operation_words(required: RequiredOperation) -> Told:
    """An operation that is required on the way, or one that is banned, in words."""
    if isinstance(required, Never):
        ban = {"text": "never", "parts": [operation_words(required.operation)]}
        if required.until is None:
            return ban
        return {
            **ban,
            "parts": [*ban["parts"], {"text": "until this is done", "parts": [operation_words(required.until)]}],
        }
    if not isinstance(required, Operation):
        join = "all of these, in any order" if isinstance(required, AllOf) else "one of these"
        return {"text": join, "parts": [operation_words(one) for one in required.operations]}
    parts = [" or ".join(several(required.do))]
    if required.targets:
        parts.append(" or ".join(map(_target, required.targets)))
    if required.text is not None:
        parts.append(f"with the text {_either(several(required.text))}")
    if required.app is not None:
        parts.append(f"in {required.app}")
    told: Told = {"text": " ".join(parts)}
    stated = [
        {"text": words, "parts": [criterion_words(criterion)]}
        for words, criterion in (
            ("and right after it", required.holds),
            ("and by it", required.makes),
            ("and at the end", required.still_in_force),
        )
        if criterion is not None
    ]
    return {**told, "parts": stated} if stated else told


def doing_words(required: RequiredOperation, doing: Doing) -> str:
    """What became of an operation, in words."""
    turn = doing.turn
    if turn is None:
        return "left alone" if isinstance(required, Never) else "not done"
    if not doing.known:
        return f"an action like it at turn {turn}"
    if isinstance(required, Never):
        return f"done at turn {turn}"
    if not doing.right:
        return f"taken back at turn {turn}"
    lasting = any(one.still_in_force is not None for one in required.leaves)
    return f"done, and in force from turn {turn} on" if lasting else f"done at turn {turn}"


def _target(target: str | Touched) -> str:
    if isinstance(target, str):
        return _value(target)
    told = {
        "": target.id,
        "with the text": target.text,
        "with a text that contains": target.contains,
        "beside": target.beside,
    }
    return " ".join(f"{words} {_value(value)}".strip() for words, value in told.items() if value is not None)


def _leaf(kind: str, spec: Any) -> str:
    match kind, spec:
        case "setting", Mapping():
            return f"the setting {spec.get('key')} is {_comparison(spec, ('key', 'default'))}"
        case "row", Mapping():
            return _rows(spec)
        case "file", Mapping():
            return _file(spec)
        case "package", Mapping():
            enabled = spec.get("enabled")
            state = "" if enabled is None else " and enabled" if enabled else " and disabled"
            return f"the app {spec.get('name')} is {'' if spec.get('installed', True) else 'not '}installed{state}"
        case "activity", Mapping():
            return f"{spec.get('package')} is in front, at {spec.get('name', 'any page')}"
        case "activity", _:
            return f"{spec} is in front"
        case "visible_text", Mapping():
            text = f"“{spec['text']}”" if "text" in spec else f"a text with “{spec.get('contains')}” in it"
            return f"{text} is on the screen{' of ' + spec['package'] if spec.get('package') else ''}"
        case "visible_text", _:
            return f"“{spec}” is on the screen"
        case "clipboard", _:
            return f"the clipboard is {_comparison(spec, ()) if isinstance(spec, Mapping) else _value(spec)}"
        case "answer", _:
            return f"the answer is {_fields(spec) if isinstance(spec, Mapping) else _value(spec)}"
        case "ended", str():
            return _ENDS.get(spec, spec)
        case "asked", _:
            return f"the user was asked about {spec}"
        case "new", Mapping():
            name, inner = next(iter(spec.items()))
            return f"there is a new {_thing(name, inner)}"
        case _:
            return f"there is a {_thing(kind, spec)}"


def _thing(kind: str, spec: Any) -> str:
    return f"{kind.replace('_', ' ')} with {_fields(spec)}" if isinstance(spec, Mapping) else f"{kind} {_value(spec)}"


def _rows(spec: Mapping[str, Any]) -> str:
    """A row of a content provider: `content://a/b` is told as `a, b`."""
    uri = str(spec.get("uri"))
    which = [f"where {_fields(spec['where'])}"] if spec.get("where") else []
    which += [f"where {spec['sql']}"] if spec.get("sql") else []
    wanted = [f"has {_fields(spec['values'])}"] if spec.get("values") else []
    if "count" in spec:
        has = [f"that {part}" for part in wanted]
        return " ".join([f"the number of rows in {uri}", *which, *has, "is", _value(spec["count"])])
    return " ".join([f"a row in {uri}", *which, *(wanted or ["is there"])])


def _file(spec: Mapping[str, Any]) -> str:
    path = spec.get("path")
    if not spec.get("exists", True):
        return f"there is no file {path}"
    told = f"there is a {'new ' if spec.get('new') else ''}file {path}"
    for name, word in (("content", "whose text is"), ("contains", "whose text contains")):
        if name in spec:
            told += f" {word} {_value(spec[name])}"
    return told


def _comparison(spec: Mapping[str, Any], apart: Sequence[str]) -> str:
    told = [
        _value(value) if name in ("equals", "value") else _compared(name, value)
        for name, value in spec.items()
        if name not in apart and value is not None
    ]
    return " and ".join(dict.fromkeys(told)) or "empty"


def _compared(name: str, value: Any) -> str:
    match name, value:
        case "changed", bool():
            return "other than at the start" if value else "as at the start"
        case "near", Mapping():
            return f"{value.get('value')} ± {value.get('tolerance')}"
        case "one_of", [*_]:
            return _either(value)
        case _:
            return f"{_COMPARISONS.get(name, name.replace('_', ' '))} {_value(value)}"


def _value(value: Any) -> str:
    match value:
        case "start":
            return "its value at the start"
        case bool():
            return "yes" if value else "no"
        case str():
            return f"“{value}”"
        case None:
            return "nothing"
        case Mapping() if list(value) == ["start"]:
            return f"{value['start']:+g} from its value at the start"
        case Mapping() if any(name in value for name in (*_COMPARISONS, "near", "changed")):
            return _comparison(value, ())
        case Mapping():
            return f"({_fields(value)})"
        case [*_]:
            return ", ".join(map(_value, value)) or "none"
        case _:
            return str(value)


def _fields(spec: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {_value(value)}" for name, value in spec.items())


def _either(values: Sequence[Any]) -> str:
    return " or ".join(map(_value, values))
