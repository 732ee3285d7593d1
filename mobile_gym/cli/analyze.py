"""`mobile-gym analyze`: ElderBench's tables over runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
import yaml
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from mobile_gym.evaluation import elder_metrics
from mobile_gym.evaluation.factorization import fit
from mobile_gym.evaluation.models import EpisodeRecord
from mobile_gym.evaluation.records import RecordsError, read_config, read_records, read_timings
from mobile_gym.task_registry.catalog import UnknownTask, load_task, suite_facts, task_ids
from mobile_gym.task_registry.errors import TaskFileError
from mobile_gym.task_registry.statistics import statistics

_PAIRS = 10
"""How many feature interactions are shown."""


def analyze(
    runs: Annotated[list[Path], typer.Argument(help="Folders of runs, as `mobile-gym eval` wrote them.")],
    normalized: Annotated[
        Path | None, typer.Option(help="The run of the same tasks with normalised instructions, beside the first run.")
    ] = None,
    failures: Annotated[
        Path | None, typer.Option(help="A YAML file of a person's labels for the first run's failures: task: category.")
    ] = None,
    features: Annotated[
        bool, typer.Option(help="How the first run's successes go with features of the instructions.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Seeds the bootstrap and the factorization machine.")] = 0,
) -> None:
    """Success, latency and tokens overall, online and offline; the suite's instructions; pairs, failures, features."""
    console, errors = Console(), Console(stderr=True)
    try:
        console.print(_metrics(runs))
        records = read_records(runs[0])
        _instructions(console, read_config(runs[0]).suite)
        if normalized is not None:
            console.print(_pairs(records, read_records(normalized), seed))
        if failures is not None:
            _failures(console, records, failures)
        if features:
            _features(console, records, seed)
    except (RecordsError, UnknownTask, TaskFileError, ValueError, OSError) as problem:
        errors.print(f"error: {problem}", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(2) from problem


def _metrics(runs: Sequence[Path]) -> Table:
    table = Table("run", "mode", "tasks", "SR", "AIL (s)", "MCM (tokens)", title="Success, latency, tokens")
    for run in runs:
        records, timings = read_records(run), read_timings(run)
        if not records:
            raise RecordsError(f"{run} holds no episodes")
        for mode in elder_metrics.MODES:
            row = elder_metrics.metrics(records, timings, mode)
            rate = "–" if row.success_rate is None else f"{100 * row.success_rate:.2f}"
            latency = "–" if row.latency is None else f"{row.latency:.2f}"
            tokens = "–" if row.tokens is None else f"{row.tokens:,.0f}"
            table.add_row(escape(run.name), mode, str(row.tasks), rate, latency, tokens)
    return table


def _instructions(console: Console, suite: str) -> None:
    numbers = statistics([load_task(task) for task in task_ids(suite)], suite_facts(suite).get("statistics"))
    table = Table("property", "tasks", "share", "should be", title=f"Instructions of {suite}")
    for share in numbers.shares:
        wanted = "" if share.wanted is None else f"{share.wanted:.2%}"
        table.add_row(share.name, str(share.count), f"{share.count / share.of:.2%}", wanted)
    console.print(table)
    verbs = "–" if numbers.mean_verbs is None else f"{numbers.mean_verbs:.2f}"
    console.print(f"{numbers.tasks} tasks, mean length {numbers.mean_length:.2f} characters, mean verbs {verbs}")


def _pairs(original: Sequence[EpisodeRecord], rewritten: Sequence[EpisodeRecord], seed: int) -> Table:
    table = Table("category", "tasks", "orig.", "rewr.", "Δ", "p (McNemar)", "95 % of Δ rate", title="Normalised pairs")
    for row in elder_metrics.paired(original, rewritten, seed=seed):
        low, high = row.interval
        shown = f"{100 * low:+.1f} – {100 * high:+.1f} %"
        counts = (str(row.tasks), str(row.original), str(row.rewritten), f"{row.difference:+d}")
        table.add_row(row.group, *counts, f"{row.p_value:.4f}", shown)
    return table


def _failures(console: Console, records: Sequence[EpisodeRecord], path: Path) -> None:
    labels = yaml.safe_load(path.read_text(encoding="utf-8"))
    if not isinstance(labels, dict) or not all(isinstance(value, str) for value in labels.values()):
        raise ValueError(
            f"{path} is a mapping of task ids to categories, such as 'elder-031: planning_or_state_tracking'"
        )
    tally = elder_metrics.tally_failures(records, {str(key): value for key, value in labels.items()})
    table = Table("category", "count", "share", title="Failures")
    for category, count in tally.counts.items():
        table.add_row(category, str(count), f"{100 * tally.share(category):.1f} %")
    console.print(table)
    if tally.unlabelled:
        names = ", ".join(f"{task}/{seed}" for task, seed in tally.unlabelled)
        console.print(f"without a label: {names}", highlight=False, soft_wrap=True)


def _features(console: Console, records: Sequence[EpisodeRecord], seed: int) -> None:
    lengths = {record.task: _length(record) for record in records}
    table = elder_metrics.feature_table(records, lengths)
    shown = Table("feature", "r with success", title="Correlations (Pearson)")
    for name, value in elder_metrics.correlations(table).items():
        shown.add_row(name, "–" if value is None else f"{value:+.2f}")
    console.print(shown)
    machine = fit(table, seed=seed)
    matrix = machine.interactions
    pairs = [
        (float(matrix[i, j]), machine.names[i], machine.names[j])
        for i in range(len(machine.names))
        for j in range(i + 1, len(machine.names))
    ]
    crossed = Table("feature", "feature", "interaction", title="Factorization machine, strongest interactions")
    for value, one, other in sorted(pairs, key=lambda pair: -abs(pair[0]))[:_PAIRS]:
        crossed.add_row(one, other, f"{value:+.2f}")
    console.print(crossed)


def _length(record: EpisodeRecord) -> int:
    task = load_task(record.task, record.seed)
    return len(task.instruction.zh if record.language == "zh" else task.instruction.en)
