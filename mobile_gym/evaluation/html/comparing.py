"""Comparisons of runs: over the episodes that both have done, and only where the task was the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from mobile_gym.evaluation.elder_metrics import Paired, paired
from mobile_gym.evaluation.html.loading import Key, LoadedRun
from mobile_gym.evaluation.html.tables import Cell, Interval, Table, draws_for, mean_interval, number, percent
from mobile_gym.evaluation.models import EpisodeRecord, RunConfig

_MOST_RUNS = 4
"""With more runs than this each is compared with the first alone."""

_TOLD_APART: tuple[tuple[str, str], ...] = (
    ("suite", "suites"),
    ("suite_version", "versions of the suite"),
    ("language", "languages"),
    ("instructions", "instructions"),
    ("package_version", "versions of mobile-gym"),
    ("device", "devices"),
    ("observation_size", "canvases"),
    ("time_budget", "time budgets"),
    ("reset_mode", "ways of resetting"),
    ("user", "simulated users"),
    ("painter", "versions of the libraries that paint"),
)
"""Fields of the configuration that results depend on, beside the policy, and what they are called in the plural."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs beside each other.

    Attributes:
        title: which.
        after: the place of the second run among all.
        tables: differences, overall and by category.
        gained: episodes that only the second run solves.
        lost: episodes that only the first solves.
        notes: what was left out, and why.
    """

    title: str
    after: int
    tables: tuple[Table, ...]
    gained: tuple[Key, ...]
    lost: tuple[Key, ...]
    notes: tuple[str, ...]


def warnings_of(runs: Sequence[LoadedRun]) -> list[str]:
    """Why the runs do not compare, or only with care."""
    configs = [(run, run.config) for run in runs if run.config is not None]
    found = []
    for field, name in _TOLD_APART:
        values: dict[str, list[str]] = {}
        for run, config in configs:
            values.setdefault(_shown(config, field), []).append(run.label)
        if len(values) > 1:
            each = "; ".join(f"{value}: {', '.join(labels)}" for value, labels in values.items())
            found.append(f"The runs have different {name} ({each}).")
    changed = {
        one.task
        for before, after in combinations(runs, 2)
        for one, other in _common(before, after)
        if _another_task(one, other)
    }
    if changed:
        names = sorted(changed)
        more = f" and {len(names) - 5} more" if len(names) > 5 else ""
        found.append(
            f"{len(names)} tasks are not the same in all runs ({', '.join(names[:5])}{more}); "
            "their episodes are left out of comparisons."
        )
    return found


def comparisons(runs: Sequence[LoadedRun]) -> list[Comparison]:
    """Each pair of runs, or with many runs each beside the first; runs of different suites are not compared."""
    every = list(combinations(range(len(runs)), 2))
    chosen = every if len(runs) <= _MOST_RUNS else [pair for pair in every if pair[0] == 0]
    return [
        _compare(runs[before], runs[after], after) for before, after in chosen if _related(runs[before], runs[after])
    ]


def _shown(config: RunConfig, field: str) -> str:
    value: Any = getattr(config, field)
    match value:
        case None:
            return "each task's own" if field == "time_budget" else "the screen's own"
        case dict():
            return ", ".join(f"{name} {version}" for name, version in sorted(value.items())) or "unknown"
        case (width, height):
            return f"{width}x{height}"
        case _:
            return str(value)


def _related(before: LoadedRun, after: LoadedRun) -> bool:
    """Whether two runs are of one suite, or have episodes in common anyway."""
    same = before.config is not None and after.config is not None and before.config.suite == after.config.suite
    return same or bool(_common(before, after))


def _common(before: LoadedRun, after: LoadedRun) -> list[tuple[EpisodeRecord, EpisodeRecord]]:
    others = {record.key: record for record in after.done}
    return [(record, others[record.key]) for record in before.done if record.key in others]


def _another_task(one: EpisodeRecord, other: EpisodeRecord) -> bool:
    """Whether two records are of different content; a normalised instruction leaves it the same."""
    return one.suite != other.suite or one.task_hash != other.task_hash


def _compare(before: LoadedRun, after: LoadedRun, place: int) -> Comparison:
    title = f"{after.label} against {before.label}"
    common = _common(before, after)
    pairs = [(one, other) for one, other in common if not _another_task(one, other)]
    notes = []
    alone = len(before.done) - len(common), len(after.done) - len(common)
    if any(alone):
        notes.append(
            f"Done in {before.label} alone: {alone[0]}; in {after.label} alone: {alone[1]}. They are left out."
        )
    if len(pairs) < len(common):
        notes.append(f"{len(common) - len(pairs)} episodes are left out, since their tasks are not the same in both.")
    if not pairs:
        nothing = "The two have no done episode of the same task and seed in common."
        return Comparison(title, place, (), (), (), (*notes, nothing))
    first, second = [one for one, _ in pairs], [other for _, other in pairs]
    rows = paired(first, second, draws_for(len(pairs)))
    if len(rows) == 2:
        rows = rows[1:]
    tables = [_success(before, after, rows)]
    tables += _means(before, after, pairs)
    return Comparison(
        title,
        place,
        tuple(tables),
        tuple(one.key for one, other in pairs if other.success and not one.success),
        tuple(one.key for one, other in pairs if one.success and not other.success),
        tuple(notes),
    )


def _success(before: LoadedRun, after: LoadedRun, rows: Sequence[Paired]) -> Table:
    def row(one: Paired) -> tuple[Cell, ...]:
        low, high = one.interval
        change = one.difference / one.tasks
        # The bar spans differences from -100 to 100 points.
        bar = Interval((low + 1) / 2, (change + 1) / 2, (high + 1) / 2)
        return (
            one.group.replace("_", " "),
            str(one.tasks),
            percent(one.original / one.tasks),
            percent(one.rewritten / one.tasks),
            _signed(100 * change, 1),
            f"{_signed(100 * low, 1)} – {_signed(100 * high, 1)}",
            bar,
            f"+{one.gained} / −{one.lost}",
            "< 0.0001" if one.p_value < 1e-4 else f"{one.p_value:.4f}",
        )

    columns = ("pairs", before.label, after.label, "difference, points", "95 % (paired bootstrap)", "", "flips")
    return Table("Success", ("group", *columns, "p (exact McNemar)"), tuple(map(row, rows)))


def _means(before: LoadedRun, after: LoadedRun, pairs: Sequence[tuple[EpisodeRecord, EpisodeRecord]]) -> list[Table]:
    """Differences of GMA's Average and of TransBench's distance, where both runs have them."""
    kinds: tuple[tuple[str, str, Callable[[EpisodeRecord], float | None]], ...] = (
        ("workflow", "Average (share of subtasks met, GMA), percent", lambda one: 100 * one.progress),
        ("grounding", "Distance (TransBench; less is better)", _distance),
    )
    found = []
    for protocol, name, value in kinds:
        values = [
            (first, second)
            for one, other in pairs
            if one.protocol == protocol
            if (first := value(one)) is not None and (second := value(other)) is not None
        ]
        if not values:
            continue
        differences = [second - first for first, second in values]
        low, high = mean_interval(differences)
        count = len(values)
        row = (
            str(count),
            number(sum(first for first, _ in values) / count),
            number(sum(second for _, second in values) / count),
            _signed(sum(differences) / count, 2),
            f"{_signed(low, 2)} – {_signed(high, 2)}",
        )
        columns = ("pairs", before.label, after.label, "difference", "95 % (paired bootstrap)")
        found.append(Table(name, columns, (row,)))
    return found


def _signed(value: float, digits: int) -> str:
    return f"{value:+.{digits}f}".replace("-", "−")


def _distance(record: EpisodeRecord) -> float | None:
    found = record.tags.get("distance")
    return float(found) if isinstance(found, int | float) else None
