"""Recordings: trajectories of (screenshot, hierarchy, action) as files (ElderBench, appendix H.1).

A recording is a folder with `recording.json` (what was recorded), `steps.jsonl` (one line a step: `picture`,
`hierarchy`, `activity`, `package`, `size`, `time`, `met`, `action`) and the files `000.png`, `000.xml` and so on. The
action is what followed the picture; points are in the 0-1000 frame, and `pixel` and `lift_pixel` on the screen.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from mobile_gym.devices.hierarchy_xml import to_xml
from mobile_gym.devices.parse.hierarchy import HierarchyError, parse_hierarchy
from mobile_gym.devices.ui_tree import UiTree
from mobile_gym.reward.demonstration import PrimitiveAction
from mobile_gym.reward.frame import to_pixel

FORMAT = 1
META, STEPS = "recording.json", "steps.jsonl"


class RecordingError(ValueError):
    """A recording that cannot be read; the message says which file and what is wrong."""


@dataclass(frozen=True, slots=True)
class RecordedStep:
    """What was seen and what was then done.

    Attributes:
        picture: the screen as a PNG file.
        tree: the hierarchy.
        activity: what was in front, `package/Class`.
        size: (width, height) of the screen as it was turned, pixels.
        now: the device's local time.
        met: the subtasks, and the criteria in them, that held; None where no verifier looked.
        action: what was done next; None after the last step of a recording that was broken off.
    """

    picture: bytes = field(repr=False)
    tree: UiTree = field(repr=False)
    activity: str
    size: tuple[int, int]
    now: datetime | None
    met: frozenset[str] | None
    action: PrimitiveAction | None


@dataclass(frozen=True, slots=True)
class Recording:
    """One trajectory.

    Attributes:
        task: the task's id.
        task_hash: hash of the task's content.
        language: language of the screens.
        device: what it was recorded on.
        source: who acted, such as `demonstrations[0]` or `person`.
        solved: whether its end solves the task.
        steps: the steps; the last one shows the end.
    """

    task: str
    task_hash: str
    language: Literal["zh", "en"]
    device: str
    source: str
    solved: bool
    steps: tuple[RecordedStep, ...]


class _Meta(BaseModel):
    model_config = ConfigDict(extra="forbid")

    format: int
    task: str
    task_hash: str
    language: Literal["zh", "en"]
    device: str
    source: str
    solved: bool


class _Action(BaseModel):
    model_config = ConfigDict(extra="forbid")

    kind: str
    point: tuple[int, int] | None = None
    lift: tuple[int, int] | None = None
    text: str = ""
    pixel: tuple[int, int] | None = None
    lift_pixel: tuple[int, int] | None = None


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid")

    step: int
    picture: str
    hierarchy: str
    activity: str
    package: str
    size: tuple[int, int]
    time: datetime | None = None
    met: tuple[str, ...] | None = None
    action: _Action | None = None


def save_recording(recording: Recording, folder: Path) -> None:
    """Writes a recording's folder, which must be empty or missing.

    Raises:
        RecordingError: the folder holds something.
        OSError: it cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise RecordingError(f"{folder} is not empty; choose another folder for the recording")
    lines = []
    for number, step in enumerate(recording.steps):
        picture, hierarchy = f"{number:03d}.png", f"{number:03d}.xml"
        (folder / picture).write_bytes(step.picture)
        (folder / hierarchy).write_text(to_xml(step.tree), encoding="utf-8")
        line = {
            "step": number,
            "picture": picture,
            "hierarchy": hierarchy,
            "activity": step.activity,
            "package": step.activity.partition("/")[0],
            "size": step.size,
            "time": step.now.isoformat() if step.now else None,
            "met": sorted(step.met) if step.met is not None else None,
            "action": _plain(step.action, step.size) if step.action else None,
        }
        lines.append(json.dumps(line, ensure_ascii=False))
    (folder / STEPS).write_text("\n".join(lines) + "\n", encoding="utf-8")
    meta = {
        "format": FORMAT,
        "task": recording.task,
        "task_hash": recording.task_hash,
        "language": recording.language,
        "device": recording.device,
        "source": recording.source,
        "solved": recording.solved,
    }
    # Last, so that a folder with this file is whole.
    (folder / META).write_text(json.dumps(meta, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _plain(action: PrimitiveAction, size: tuple[int, int]) -> dict[str, Any]:
    plain: dict[str, Any] = {"kind": action.kind}
    if action.point is not None:
        plain |= {"point": action.point, "pixel": to_pixel(action.point, size)}
    if action.lift is not None:
        plain |= {"lift": action.lift, "lift_pixel": to_pixel(action.lift, size)}
    if action.text:
        plain["text"] = action.text
    return plain


def load_recording(folder: Path) -> Recording:
    """Reads a recording's folder.

    Raises:
        RecordingError: a file is missing or damaged.
    """
    path = folder / META
    try:
        meta = _Meta.model_validate_json(path.read_bytes())
        if meta.format != FORMAT:
            raise RecordingError(f"{path} has the format {meta.format}; this version reads {FORMAT}")
        path = folder / STEPS
        lines = [_Line.model_validate_json(line) for line in path.read_bytes().splitlines() if line.strip()]
        steps = []
        for line in lines:
            path = folder / line.hierarchy
            tree = parse_hierarchy(path.read_bytes(), line.size)
            path = folder / line.picture
            done = line.action
            action = None if done is None else PrimitiveAction(done.kind, done.point, done.lift, done.text)
            met = None if line.met is None else frozenset(line.met)
            steps.append(RecordedStep(path.read_bytes(), tree, line.activity, line.size, line.time, met, action))
    except FileNotFoundError as problem:
        raise RecordingError(f"{folder} holds no whole recording: {path.name} is missing") from problem
    except (ValidationError, HierarchyError) as problem:
        raise RecordingError(f"{path} is damaged: {problem}") from problem
    if not steps:
        raise RecordingError(f"{path} holds no steps")
    return Recording(meta.task, meta.task_hash, meta.language, meta.device, meta.source, meta.solved, tuple(steps))


def load_recordings(folders: Sequence[Path]) -> list[Recording]:
    """Reads recordings: each folder is one, or holds some, which are taken in the order of their names.

    Raises:
        RecordingError: there is none, or one is damaged.
    """
    found: list[Recording] = []
    for folder in folders:
        if (folder / META).exists():
            found.append(load_recording(folder))
            continue
        inner = sorted(path.parent for path in folder.glob(f"*/{META}"))
        if not inner:
            raise RecordingError(f"{folder} holds no recording; make one with `mobile-gym record`")
        found += [load_recording(path) for path in inner]
    return found
