"""Judging a run the way ProBench does: trajectories told in words, and a model's verdict over words and last screen."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from mobile_gym.devices.base import Frame
from mobile_gym.devices.parse.hierarchy import HierarchyError, parse_hierarchy
from mobile_gym.devices.ui_tree import UiTree
from mobile_gym.evaluation.instructions import instruction_of
from mobile_gym.evaluation.judging import Judged
from mobile_gym.evaluation.models import EpisodeRecord
from mobile_gym.evaluation.records import RecordsError
from mobile_gym.reward.demonstration import PrimitiveAction
from mobile_gym.reward.errors import JudgementError
from mobile_gym.reward.judge import JudgeVerdict
from mobile_gym.reward.process_provider import Evaluator, Moment, Summarizer, action_sequence


def moments_of(run: Path, record: EpisodeRecord) -> tuple[list[Moment], Frame]:
    """What an episode's trajectory holds: its actions with what was seen around them, and the last screen.

    Actions that could not be read, or that the environment refused, are left out: they changed nothing.

    Raises:
        RecordsError: the run kept no trajectory of this episode, or it is damaged.
    """
    folder = run / "trajectories" / record.task / f"seed-{record.seed}"
    steps = sorted(folder.glob("[0-9]*.json"))
    pictures = sorted(folder.glob("[0-9]*.png"))
    if not pictures:
        raise RecordsError(f"{folder} holds no pictures; run the evaluation with --trajectories to judge it")
    moments = []
    try:
        for step in steps:
            line = json.loads(step.read_text(encoding="utf-8"))
            if "malformed" in line["action"] or line["action_error"]:
                continue
            after = folder / f"{int(step.stem) + 1:03d}.png"
            moments.append(
                Moment(_action(line["action"]), _frame(step.with_suffix(".png")), _frame(after), _tree(step))
            )
        return moments, _frame(pictures[-1])
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise RecordsError(f"the trajectory {folder} cannot be read: {problem}") from problem


def judge_by_process(
    run: Path, records: Sequence[EpisodeRecord], evaluator: Evaluator, summarizer: Summarizer | None = None
) -> Iterator[Judged]:
    """Judges the done episodes of a run, one at a time; those that were never finished are not shown to the model.

    A task without the tag `kind: process` is judged by its last screen alone.

    Args:
        run: the run's folder.
        records: its records.
        evaluator: gives the verdicts.
        summarizer: describes clicks; the trees do without one.

    Raises:
        RecordsError: a trajectory is missing or damaged.
        ModelError: the model could not be asked.
    """
    for record in records:
        if record.status != "done":
            continue
        if not record.claimed:
            yield Judged(record, JudgeVerdict(None, "the agent never finished"))
            continue
        moments, screen = moments_of(run, record)
        instruction = instruction_of(record)
        whole = record.tags.get("kind") == "process"
        sequence = action_sequence(moments, record.language, summarizer) if whole else None
        try:
            judgement = evaluator.judge(instruction, sequence, screen)
        except JudgementError as problem:
            yield Judged(record, JudgeVerdict(None, str(problem)))
        else:
            yield Judged(record, JudgeVerdict(judgement.success, judgement.reason))


def _action(described: dict[str, object]) -> PrimitiveAction:
    def point(name: str) -> tuple[int, int] | None:
        value = described.get(name)
        if value is None:
            return None
        if not isinstance(value, list) or len(value) != 2:
            raise ValueError(f"{name} is no point: {value!r}")
        return int(value[0]), int(value[1])

    return PrimitiveAction(str(described["kind"]), point("point"), point("lift"), str(described.get("text", "")))


def _frame(path: Path) -> Frame:
    with Image.open(path) as picture:
        return np.array(picture.convert("RGB"), dtype=np.uint8)


def _tree(step: Path) -> UiTree | None:
    path = step.with_suffix(".xml")
    if not path.exists():
        return None
    try:
        return parse_hierarchy(path.read_bytes())
    except HierarchyError:
        return None
