"""The JSON Schema of a task file, for editors and for people who write tasks elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from mobile_gym.assets.documents import ONE_KEY_MARK, OneKey
from mobile_gym.assets.table import Asset
from mobile_gym.reward.criteria import Criterion
from mobile_gym.reward.steps import Step
from mobile_gym.task_registry.models import Task
from mobile_gym.task_registry.params import Param

SCHEMA_FILE = Path(__file__).parent / "task.schema.json"
_ONE_KEY: tuple[type[OneKey], ...] = (Asset, Criterion, Param, Step)
_OPTIONAL = ("budget",)
_SPOKEN = (
    "Asset",
    "Criterion",
    "Operation",
    "Touched",
    "NumberAnswer",
    "MoneyAnswer",
    "TextAnswer",
    "DateAnswer",
    "TimeAnswer",
    "PhoneAnswer",
    "ChoiceAnswer",
    "ListAnswer",
    "OakridgeLine",
    "OrderItem",
    "Start",
    "Screen",
    "ActivityCheck",
    "AnswerCheck",
    "Comparison",
    "VisibleText",
)
"""Definitions in which a text may be given by language."""


def task_schema() -> dict[str, Any]:
    """The schema of a task file, as plain data."""
    definitions: dict[str, Any] = {}
    task = TypeAdapter(Task).json_schema(ref_template="#/$defs/{model}")
    definitions |= task.pop("$defs", {})
    for owner in _ONE_KEY:
        properties = {}
        for kind, value_type in owner.kinds().items():
            value = TypeAdapter[Any](value_type).json_schema(ref_template="#/$defs/{model}")
            definitions |= {name: part for name, part in value.pop("$defs", {}).items() if ONE_KEY_MARK not in part}
            properties[kind] = value
        definitions[owner.__name__] = {
            "description": (owner.__doc__ or "").strip(),
            "type": "object",
            "properties": properties,
            "minProperties": 1,
            "maxProperties": 1,
            "additionalProperties": False,
        }
    task["required"] = [name for name in task["required"] if name not in _OPTIONAL]
    subtask = definitions["Subtask"]
    subtask["required"] = ["criterion"]
    task["properties"]["subtasks"]["items"] = {"anyOf": [{"$ref": "#/$defs/Subtask"}, {"$ref": "#/$defs/Criterion"}]}
    steps = definitions["Step"]
    bare = [kind for kind, value_type in Step.kinds().items() if value_type is None]
    definitions["Step"] = {"anyOf": [steps, {"enum": bare}], "description": steps.pop("description")}
    screen = definitions["Start"]["properties"]["screen"]
    screen["anyOf"] = [*screen["anyOf"], {"type": "string"}]
    for name in _SPOKEN:
        definitions[name] = _by_language(definitions[name])
    both: dict[str, Any] = {"zh": {}, "en": {}}
    definitions["ByLanguage"] = {
        "description": "A value for each language.",
        "type": "object",
        "properties": both,
        "required": [*both],
        "additionalProperties": False,
    }
    _loosen(task, definitions)
    task["properties"]["allowed_changes"] = _by_language(task["properties"]["allowed_changes"])
    whole = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A task of MoBench", **task}
    whole["$defs"] = dict(sorted(definitions.items()))
    schema: dict[str, Any] = _resolve(whole)
    return schema


def _loosen(task: dict[str, Any], definitions: dict[str, Any]) -> None:
    """Forms that the models take before they check: words of users, units, shared steps, tasks that are infeasible."""
    spoken = [{"type": ["string", "number"]}, {"$ref": "#/$defs/ByLanguage"}]
    text_or_texts = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": ["string", "number"]}}]}
    several = {"anyOf": [*text_or_texts["anyOf"], {"type": "object", "additionalProperties": text_or_texts}]}
    definitions["User"]["properties"]["knows"]["additionalProperties"] = {"anyOf": [{"$ref": "#/$defs/Fact"}, *spoken]}
    fact = definitions["Fact"]["properties"]
    fact["says"] = {"anyOf": [{"$ref": "#/$defs/Said"}, *spoken]}
    fact["asked_by"], fact["gives_away"] = dict(several), dict(several)
    definitions["NumberAnswer"]["properties"]["unit"] = dict(text_or_texts)
    step = {"$ref": "#/$defs/Step"}
    shared = {"anyOf": [step, {"type": "array", "items": step}]}
    definitions["NearMiss"]["properties"]["steps"]["items"] = shared
    task["properties"]["demonstrations"]["items"]["items"] = shared
    task["required"].remove("subtasks")
    hopeless = {"properties": {"infeasible": {"const": True}}, "required": ["infeasible"]}
    task["anyOf"] = [{"required": ["subtasks"]}, hopeless]


def _by_language(part: Any) -> Any:
    """The schema with a value for each language wherever it has a text."""
    if isinstance(part, list):
        return [_by_language(item) for item in part]
    if not isinstance(part, dict):
        return part
    if part.get("type") == "string":
        return {"anyOf": [part, {"$ref": "#/$defs/ByLanguage"}]}
    names = ("propertyNames", "description")
    return {key: value if key in names else _by_language(value) for key, value in part.items()}


def _resolve(part: Any) -> Any:
    """The schema with the placeholders of one-key documents replaced by references."""
    if isinstance(part, dict):
        if ONE_KEY_MARK in part:
            return {"$ref": f"#/$defs/{part[ONE_KEY_MARK]}"}
        return {key: _resolve(value) for key, value in part.items()}
    if isinstance(part, list):
        return [_resolve(item) for item in part]
    return part


def schema_text() -> str:
    """The schema as the committed file holds it."""
    return json.dumps(task_schema(), indent=1, ensure_ascii=False, sort_keys=True) + "\n"
