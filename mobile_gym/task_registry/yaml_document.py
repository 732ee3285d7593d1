"""Reading a YAML file: safe, strict, and with the line of everything in it.

Plain words are read as YAML 1.2 does: `on`, `yes` and `no` are words, `7:30` is a time of day and not a number of base
sixty, `0571` keeps its zero. Duplicate keys are errors. Anchors, aliases and `<<` work.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

Location = tuple[str | int, ...]
"""Where something lies in a document: keys and indices from the root."""

_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Document:
    """A YAML file.

    Attributes:
        data: its content as plain data.
        lines: the line, from 1, of each location.
    """

    data: Any
    lines: Mapping[Location, int]


class YamlError(ValueError):
    """A file is not the YAML that is read here.

    Args:
        line: the line, from 1; 0 where there is none.
        problem: what is wrong.
    """

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}" if line else problem)
        self.line = line
        self.problem = problem


class _Loader(_Base):  # type: ignore[misc]
    yaml_implicit_resolvers: dict[str, Any] = {}


_TAGS = frozenset(f"tag:yaml.org,2002:{name}" for name in ("str", "null", "bool", "int", "float", "seq", "map"))
_PLAIN = (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("null", r"~|null|Null|NULL|", "~nN\0"),
    ("int", r"-?(0|[1-9][0-9]*)", "-0123456789"),
    ("float", r"-?(0|[1-9][0-9]*)\.[0-9]+([eE][-+]?[0-9]+)?", "-0123456789"),
    ("merge", r"<<", "<"),
)
for _tag, _pattern, _first in _PLAIN:
    _Loader.add_implicit_resolver(
        f"tag:yaml.org,2002:{_tag}", re.compile(rf"^(?:{_pattern})$"), ["" if c == "\0" else c for c in _first]
    )


def read_yaml(path: Path) -> Document:
    """Reads a file.

    Raises:
        YamlError: it is not UTF-8, not YAML, has duplicate keys, or holds tags or several documents.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise YamlError(0, f"the file is not UTF-8: {error}") from error
    return parse_yaml(text)


@lru_cache(maxsize=64)
def parse_yaml(text: str) -> Document:
    """Reads a text; raises YamlError as `read_yaml` does.

    Equal texts give the same document, so nobody may change it.
    """
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        said = ", ".join(part for part in (error.context, error.problem) if part)
        raise YamlError(mark.line + 1 if mark else 0, said or "this is not YAML") from error
    except yaml.YAMLError as error:
        raise YamlError(0, f"this is not YAML: {error}") from error
    finally:
        loader.dispose()
    lines: dict[Location, int] = {(): 1}
    return Document(None if node is None else _build(node, (), lines), lines)


def _build(node: yaml.Node, at: Location, lines: dict[Location, int]) -> Any:
    lines.setdefault(at, node.start_mark.line + 1)
    if node.tag not in _TAGS:
        raise YamlError(node.start_mark.line + 1, f"the tag {node.tag} is not read here")
    if isinstance(node, yaml.ScalarNode):
        return _scalar(node)
    if isinstance(node, yaml.SequenceNode):
        return [_build(item, (*at, index), lines) for index, item in enumerate(node.value)]
    assert isinstance(node, yaml.MappingNode)
    own: dict[str, Any] = {}
    merged: dict[str, Any] = {}
    for key_node, value_node in node.value:
        line = key_node.start_mark.line + 1
        if key_node.tag == "tag:yaml.org,2002:merge":
            parts = value_node.value if isinstance(value_node, yaml.SequenceNode) else [value_node]
            for part in reversed(parts):
                content = _build(part, at, lines)
                if not isinstance(content, dict):
                    raise YamlError(line, "'<<' merges mappings only")
                merged |= content
            continue
        if not isinstance(key_node, yaml.ScalarNode):
            raise YamlError(line, "a key is a word, not a list or a mapping")
        key = str(key_node.value)
        if key in own:
            raise YamlError(line, f"the key '{key}' stands here a second time")
        lines[(*at, key)] = line
        own[key] = _build(value_node, (*at, key), lines)
    return {**merged, **own}


def _scalar(node: yaml.ScalarNode) -> Any:
    text = str(node.value)
    kind = node.tag.removeprefix("tag:yaml.org,2002:")
    if kind == "str":
        return text
    if kind == "null":
        return None
    if kind == "bool":
        return text.lower() == "true"
    try:
        return int(text) if kind == "int" else float(text)
    except ValueError as error:
        raise YamlError(node.start_mark.line + 1, f"'{text}' is no number") from error
