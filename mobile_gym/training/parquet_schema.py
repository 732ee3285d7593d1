"""Columns of exported trajectories: one row a picture, with the action that followed it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

FORMAT = "1"
"""Version of the columns; files of another one are refused."""

_STRING, _FLOAT, _BOOL = ("string", pa.string()), ("float64", pa.float64()), ("bool", pa.bool_())
_INTEGER = ("int64", pa.int64())

COLUMNS: Mapping[str, tuple[str, Any]] = {
    "run": _STRING,
    "policy": _STRING,
    "language": _STRING,
    "task": _STRING,
    "seed": _INTEGER,
    "turn": _INTEGER,
    "instruction": _STRING,
    "screenshot": ("Image", pa.struct([("bytes", pa.binary()), ("path", pa.string())])),
    "hierarchy": _STRING,
    "action": _STRING,
    "reward": _FLOAT,
    "terminated": _BOOL,
    "truncated": _BOOL,
    "success": _BOOL,
    "progress": _FLOAT,
    "activity": _STRING,
    "action_error": _STRING,
    "ended_by": _STRING,
    "thought": _STRING,
    "answer": _STRING,
    "episode_success": _BOOL,
    "episode_reward": _FLOAT,
    "record": _STRING,
    "step": _STRING,
}
"""Each column's type for `datasets` and for Arrow.

`turn` counts pictures from 0; the last of an episode has no action, so that `action`, `reward` and what follows are
null there. `action` is JSON, as trajectories have it. `record` is the episode's line in `episodes.jsonl`, `step` the
whole file of the turn, from which the other columns come."""

_OWN = b"mobile_gym"


def schema(runs: Mapping[str, str]) -> pa.Schema:
    """The schema of a file.

    Args:
        runs: the text of `run.json` by the run's name; it is kept beside the columns.
    """
    features = {
        name: {"_type": "Image"} if kind == "Image" else {"dtype": kind, "_type": "Value"}
        for name, (kind, _) in COLUMNS.items()
    }
    metadata = {
        b"huggingface": json.dumps({"info": {"features": features}}).encode(),
        _OWN: json.dumps({"format": FORMAT, "runs": dict(runs)}).encode(),
    }
    return pa.schema([pa.field(name, kind) for name, (_, kind) in COLUMNS.items()], metadata=metadata)


def runs_of(found: pa.Schema) -> dict[str, str]:
    """The text of `run.json` of each run in a file.

    Raises:
        ValueError: it is no file of trajectories, or one of another version; says which.
    """
    told = (found.metadata or {}).get(_OWN)
    if told is None:
        raise ValueError("it holds no trajectories of mobile-gym")
    kept = json.loads(told)
    if kept["format"] != FORMAT:
        raise ValueError(f"its columns have version {kept['format']}; this mobile-gym reads version {FORMAT}")
    missing = [name for name in COLUMNS if name not in found.names]
    if missing:
        raise ValueError(f"it lacks the columns {', '.join(missing)}")
    return {str(name): str(text) for name, text in kept["runs"].items()}
