"""ElderBench's numbers: success rate, latency and tokens (4.2.3), normalised pairs (5.3), failures (K), features (E).

Pure functions over records and timings; only episodes with the status `done` count.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mobile_gym.evaluation.models import EpisodeRecord, EpisodeTiming

_ROWS = 500
"""Samples that are drawn at a time."""

Mode = Literal["overall", "online", "offline"]
MODES: tuple[Mode, ...] = ("overall", "online", "offline")


@dataclass(frozen=True, slots=True)
class Metrics:
    """The row of one mode in table 2.

    Attributes:
        mode: which episodes.
        tasks: N, the number of done episodes.
        success_rate: SR, equation (1), 0 to 1; None where nothing was done.
        latency: AIL, equation (2), seconds a turn; None where no episode reports its times.
        tokens: MCM, equation (3), tokens a task; None where no episode reports its tokens.
        timed: episodes that AIL is over.
        metered: episodes that MCM is over.
    """

    mode: Mode
    tasks: int
    success_rate: float | None
    latency: float | None
    tokens: float | None
    timed: int
    metered: int


def metrics(records: Sequence[EpisodeRecord], timings: Sequence[EpisodeTiming], mode: Mode = "overall") -> Metrics:
    """SR, AIL and MCM of one mode.

    Offline episodes are those over task graphs. An episode whose turns report no times or tokens at all is left out of
    AIL or MCM; a single turn that reports none (a device key, an answer without usage) counts as a turn of 0.
    """
    chosen = [record for record in records if record.status == "done" and _in_mode(record, mode)]
    keys = {record.key for record in chosen}
    measured = [timing for timing in timings if timing.key in keys]
    timed = [timing for timing in measured if any(turn.reasoning_seconds is not None for turn in timing.turns)]
    metered = [timing for timing in measured if any(turn.prompt_tokens is not None for turn in timing.turns)]
    turns = [turn for timing in timed for turn in timing.turns]
    seconds = math.fsum((turn.reasoning_seconds or 0.0) + (turn.parsing_seconds or 0.0) for turn in turns)
    tokens = sum(
        (turn.prompt_tokens or 0) + (turn.generated_tokens or 0) for timing in metered for turn in timing.turns
    )
    return Metrics(
        mode,
        len(chosen),
        sum(record.success for record in chosen) / len(chosen) if chosen else None,
        seconds / len(turns) if turns else None,
        tokens / len(metered) if metered else None,
        len(timed),
        len(metered),
    )


def _in_mode(record: EpisodeRecord, mode: Mode) -> bool:
    return mode == "overall" or (record.protocol == "graph") == (mode == "offline")


# Normalised pairs.


@dataclass(frozen=True, slots=True)
class Paired:
    """A row of table 3: the same tasks with the original and the normalised instruction.

    Attributes:
        group: the semantic category, or `overall`.
        tasks: pairs.
        original: successes with the original instruction.
        rewritten: successes with the normalised one.
        gained: pairs that only the normalised instruction solves.
        lost: pairs that only the original one solves.
        p_value: of McNemar's exact test, two-sided.
        interval: 95 % interval of the difference of rates, by paired bootstrap.
    """

    group: str
    tasks: int
    original: int
    rewritten: int
    gained: int
    lost: int
    p_value: float
    interval: tuple[float, float]

    @property
    def difference(self) -> int:
        """Successes won by normalising."""
        return self.rewritten - self.original


def mcnemar_exact(gained: int, lost: int) -> float:
    """McNemar's exact test, two-sided, over the pairs that differ: twice the smaller binomial tail at one half.

    Raises:
        ValueError: a count is negative.
    """
    if gained < 0 or lost < 0:
        raise ValueError(f"counts of pairs are at least 0, not {gained} and {lost}")
    count = gained + lost
    tail = sum(math.comb(count, index) for index in range(min(gained, lost) + 1))
    return min(1.0, float(2 * tail / 2**count))


def paired_bootstrap(
    differences: Sequence[float], draws: int = 10_000, seed: int = 0, level: float = 0.95
) -> tuple[float, float]:
    """The interval of the mean of paired differences, by drawing pairs with replacement (percentiles).

    Args:
        differences: for each pair the difference: 1, 0 or -1 of successes.
        draws: how many samples.
        seed: seeds the draws.
        level: how much the interval holds.

    Raises:
        ValueError: there are no pairs.
    """
    if not differences:
        raise ValueError("there are no pairs to draw from")
    values = np.asarray(differences, dtype=np.float64)
    generator = np.random.default_rng(seed)
    # Some rows at a time: all at once would take hundreds of megabytes for thousands of pairs.
    sizes = [min(_ROWS, draws - first) for first in range(0, draws, _ROWS)]
    means = np.concatenate(
        [values[generator.integers(len(values), size=(rows, len(values)))].mean(axis=1) for rows in sizes]
    )
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def paired(
    original: Sequence[EpisodeRecord], rewritten: Sequence[EpisodeRecord], draws: int = 10_000, seed: int = 0
) -> list[Paired]:
    """Table 3: by semantic category and overall, over episodes that both runs have done (same task and seed).

    Raises:
        ValueError: the runs have no done episode in common, or a task changed between them.
    """
    after = {record.key: record for record in rewritten if record.status == "done"}
    pairs = [(record, after[record.key]) for record in original if record.status == "done" and record.key in after]
    if not pairs:
        raise ValueError("the two runs have no done episode of the same task and seed in common")
    changed = sorted({before.task for before, after in pairs if before.task_hash != after.task_hash})
    if changed:
        raise ValueError(f"the task {changed[0]} changed between the two runs; play both anew")
    groups: dict[str, list[tuple[EpisodeRecord, EpisodeRecord]]] = {}
    for pair in pairs:
        groups.setdefault(str(pair[0].tags.get("semantics", "unlabelled")), []).append(pair)
    rows = [_paired(name, groups[name], draws, seed) for name in sorted(groups)]
    return [*rows, _paired("overall", pairs, draws, seed)]


def _paired(group: str, pairs: Sequence[tuple[EpisodeRecord, EpisodeRecord]], draws: int, seed: int) -> Paired:
    differences = [int(after.success) - int(before.success) for before, after in pairs]
    gained, lost = differences.count(1), differences.count(-1)
    return Paired(
        group,
        len(pairs),
        sum(before.success for before, _ in pairs),
        sum(after.success for _, after in pairs),
        gained,
        lost,
        mcnemar_exact(gained, lost),
        paired_bootstrap(differences, draws, seed),
    )


# Failures.

FAILURES = ("intent_or_capability_boundary", "planning_or_state_tracking", "environment_awareness", "visual_or_action")
"""Categories of table 10, in its order."""


@dataclass(frozen=True, slots=True)
class FailureTally:
    """Table 10.

    Attributes:
        counts: failures by category, in the order of `FAILURES`.
        unlabelled: failed episodes that nobody labelled, as (task, seed).
    """

    counts: Mapping[str, int]
    unlabelled: tuple[tuple[str, int], ...]

    @property
    def labelled(self) -> int:
        """Failures with a label."""
        return sum(self.counts.values())

    def share(self, category: str) -> float:
        """A category's share of the labelled failures, 0 to 1; 0 where there are none."""
        return self.counts[category] / self.labelled if self.labelled else 0.0


def tally_failures(records: Sequence[EpisodeRecord], labels: Mapping[str, str]) -> FailureTally:
    """Counts the failures of a run by a person's labels.

    Args:
        records: the run's records.
        labels: category by task id, or by `<task>/<seed>` where seeds differ.

    Raises:
        ValueError: a category is none, or a label belongs to no failed episode.
    """
    unknown = sorted({name for name in labels.values() if name not in FAILURES})
    if unknown:
        raise ValueError(f"'{unknown[0]}' is no failure category; there are {', '.join(FAILURES)}")
    failed = [record for record in records if record.status == "done" and not record.success]
    names = {record.task for record in failed} | {f"{record.task}/{record.seed}" for record in failed}
    stray = sorted(set(labels) - names)
    if stray:
        raise ValueError(f"the label of '{stray[0]}' belongs to no failed episode of the run")
    counts: Counter[str] = Counter()
    unlabelled = []
    for record in failed:
        label = labels.get(f"{record.task}/{record.seed}", labels.get(record.task))
        if label is None:
            unlabelled.append(record.key)
        else:
            counts[label] += 1
    return FailureTally({name: counts[name] for name in FAILURES}, tuple(unlabelled))


# Features.


def pearson(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Pearson's correlation coefficient; None where one side does not vary.

    Raises:
        ValueError: the two differ in length, or are empty.
    """
    if len(one) != len(other) or not one:
        raise ValueError(f"correlation needs two equally long series with values, not {len(one)} and {len(other)}")
    x = np.asarray(one, dtype=np.float64)
    y = np.asarray(other, dtype=np.float64)
    x, y = x - x.mean(), y - y.mean()
    scale = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / scale if scale > 0 else None


@dataclass(frozen=True, slots=True)
class FeatureTable:
    """Instructions as numbers (appendix E).

    Attributes:
        names: the columns: `length`, `verbs`, then one for each label, such as `semantics: indirect_speech`.
        values: float64[episodes, columns]; labels are 0 or 1, lengths and verbs as they are.
        success: float64[episodes], 0 or 1.
    """

    names: tuple[str, ...]
    values: NDArray[np.float64]
    success: NDArray[np.float64]


def feature_table(records: Sequence[EpisodeRecord], lengths: Mapping[str, int]) -> FeatureTable:
    """The features of the done episodes of a run.

    Args:
        records: the records; labels and verbs are their tasks' tags.
        lengths: characters of each task's instruction.

    Raises:
        ValueError: nothing was done.
    """
    done = [record for record in records if record.status == "done" and record.task in lengths]
    if not done:
        raise ValueError("no done episode has an instruction to look at")
    labels = sorted(
        {
            f"{tag}: {record.tags[tag]}"
            for record in done
            for tag in ("semantics", "syntax", "scenario")
            if tag in record.tags
        }
    )
    rows = [
        [
            float(lengths[record.task]),
            float(len(record.tags.get("verbs") or ())),
            *(float(str(record.tags.get(name.partition(": ")[0])) == name.partition(": ")[2]) for name in labels),
        ]
        for record in done
    ]
    return FeatureTable(
        ("length", "verbs", *labels),
        np.array(rows, dtype=np.float64),
        np.array([float(record.success) for record in done]),
    )


def correlations(table: FeatureTable) -> dict[str, float | None]:
    """Each feature's correlation with success (appendix E.1)."""
    success = table.success.tolist()
    return {name: pearson(table.values[:, index].tolist(), success) for index, name in enumerate(table.names)}
