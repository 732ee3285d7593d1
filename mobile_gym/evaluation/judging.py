"""Judging the episodes of a run by a model, and how far it agrees with the state verifiers (ElderBench, 4.2.1)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from mobile_gym.evaluation.instructions import instruction_of
from mobile_gym.evaluation.models import EpisodeRecord
from mobile_gym.evaluation.records import RecordsError
from mobile_gym.reward.judge import Evidence, Judge, JudgeVerdict


@dataclass(frozen=True, slots=True)
class Judged:
    """An episode with both verdicts.

    Attributes:
        record: the episode, judged by state.
        verdict: what the model said.
    """

    record: EpisodeRecord
    verdict: JudgeVerdict

    @property
    def success(self) -> bool:
        """Finished and judged."""
        return self.verdict.success(self.record.claimed)


@dataclass(frozen=True, slots=True)
class Agreement:
    """How a judge's successes lie beside the verifiers'.

    Attributes:
        both: successes by both.
        neither: by neither.
        judge_only: that only the judge sees.
        verifier_only: that only the verifiers see.
        unjudged: episodes without a readable verdict; they are in none of the others.
    """

    both: int
    neither: int
    judge_only: int
    verifier_only: int
    unjudged: int

    @property
    def judged(self) -> int:
        """Episodes with a verdict."""
        return self.both + self.neither + self.judge_only + self.verifier_only

    @property
    def rate(self) -> float | None:
        """The share of judged episodes where both say the same, 0 to 1; None where nothing was judged."""
        return (self.both + self.neither) / self.judged if self.judged else None

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa, agreement beyond chance; None where chance alone agrees fully, or nothing was judged."""
        if not self.judged:
            return None
        count = self.judged
        yes = (self.both + self.judge_only) / count * ((self.both + self.verifier_only) / count)
        no = (self.neither + self.verifier_only) / count * ((self.neither + self.judge_only) / count)
        chance, seen = yes + no, (self.both + self.neither) / count
        return (seen - chance) / (1 - chance) if chance < 1 else None


def agreement(judged: Sequence[Judged]) -> Agreement:
    """Counts agreements; an episode that the agent never finished is a failure for both and needs no verdict."""
    counts = {(True, True): 0, (False, False): 0, (True, False): 0, (False, True): 0}
    unjudged = 0
    for one in judged:
        if one.verdict.passed is None and one.record.claimed:
            unjudged += 1
        else:
            counts[one.success, one.record.success] += 1
    return Agreement(counts[True, True], counts[False, False], counts[True, False], counts[False, True], unjudged)


def evidence_of(run: Path, record: EpisodeRecord) -> Evidence:
    """What an episode's trajectory shows to a judge.

    Raises:
        RecordsError: the run kept no trajectory of this episode, or it is damaged.
    """
    folder = run / "trajectories" / record.task / f"seed-{record.seed}"
    pictures = sorted(folder.glob("[0-9]*.png"))
    if not pictures:
        raise RecordsError(f"{folder} holds no pictures; run the evaluation with --trajectories to judge it")
    try:
        frames = [_read(path) for path in pictures]
        steps = sorted(folder.glob("[0-9]*.json"))
        activity = str(json.loads(steps[-1].read_text(encoding="utf-8"))["activity"]) if steps else ""
    except (OSError, ValueError, KeyError) as problem:
        raise RecordsError(f"the trajectory {folder} cannot be read: {problem}") from problem
    instruction = instruction_of(record)
    return Evidence(instruction, frames[-1], tuple(frames[:-1]), activity)


def judge_run(run: Path, records: Sequence[EpisodeRecord], judge: Judge) -> Iterator[Judged]:
    """Judges the done episodes of a run, one at a time; those that were never finished are not shown to the model.

    Raises:
        RecordsError: a trajectory is missing.
        ModelError: the model could not be asked.
    """
    for record in records:
        if record.status != "done":
            continue
        if record.claimed:
            yield Judged(record, judge.judge(evidence_of(run, record)))
        else:
            yield Judged(record, JudgeVerdict(None, "the agent never finished"))


def _read(path: Path) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    with Image.open(path) as picture:
        return np.array(picture.convert("RGB"), dtype=np.uint8)
