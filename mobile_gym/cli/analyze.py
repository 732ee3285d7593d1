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
from mobile_gym.evaluation.instructions import instruction_of
from mobile_gym.evaluation.models import EpisodeRecord
from mobile_gym.evaluation.records import RecordsError, read_config, read_records, read_timings
from mobile_gym.evaluation.report import METRICS, metric_cells
from mobile_gym.evaluation.subsets import stratified
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
    subset: Annotated[
        int, typer.Option(help="Pair only so many tasks, drawn with the paper's shares of the categories; 0 for all.")
    ] = 0,
    failures: Annotated[
        Path | None, typer.Option(help="A YAML file of a person's labels for the first run's failures: task: category.")
    ] = None,
    features: Annotated[
        bool, typer.Option(help="How the first run's successes go with features of the instructions.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Seeds the subset, the bootstrap and the factorization machine.")] = 0,
) -> None:
    """Success, latency and tokens overall, online and offline; the suite's instructions; pairs, failures, features."""
    console, errors = Console(), Console(stderr=True)
    try:
        for run in runs:
            if read_config(run).suite.startswith("trans"):
                raise ValueError(f"{run} is a grounding run, without latency a task; use mobile-gym report {run}")
        console.print(_metrics(runs))
        records = read_records(runs[0])
        _instructions(console, read_config(runs[0]).suite)
        if normalized is not None:
            _pairs(console, runs[0], normalized, subset, seed)
        elif subset:
            raise ValueError("--subset goes with --normalized: it draws the tasks that are paired")
        if failures is not None:
            _failures(console, records, failures)
        if features:
            _features(console, records, seed)
    except (RecordsError, UnknownTask, TaskFileError, ValueError, OSError) as problem:
        errors.print(f"error: {problem}", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(2) from problem


def _metrics(runs: Sequence[Path]) -> Table:
    table = Table("run", "mode", "tasks", *METRICS, title="Success, latency, tokens")
    for run in runs:
        records, timings = read_records(run), read_timings(run)
        if not records:
            raise RecordsError(f"{run} holds no episodes")
        for mode in elder_metrics.MODES:
            row = elder_metrics.metrics(records, timings, mode)
            table.add_row(escape(run.name), mode, str(row.tasks), *metric_cells(row))
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


def _pairs(console: Console, original: Path, normalized: Path, subset: int, seed: int) -> None:
    _comparable(original, normalized)
    before, after = read_records(original), read_records(normalized)
    if subset:
        shares = suite_facts(read_config(original).suite).get("statistics", {}).get("tags", {}).get("semantics", {})
        both = {record.key for record in after if record.status == "done"}
        before = [record for record in before if record.status == "done" and record.key in both]
        before = stratified(before, shares, subset, seed)
    rows = elder_metrics.paired(before, after, seed=seed)
    title = f"Normalised pairs: {read_config(original).policy}"
    table = Table("category", "share", "tasks", "orig.", "rewr.", "Δ", "p (McNemar)", "95 % of Δ rate", title=title)
    for row in rows:
        low, high = row.interval
        shown = f"{100 * low:+.1f} – {100 * high:+.1f} %"
        counts = (str(row.tasks), str(row.original), str(row.rewritten), f"{row.difference:+d}")
        share = f"{row.tasks / rows[-1].tasks:.2%}"
        table.add_row(row.group.replace("_", " "), share, *counts, f"{row.p_value:.4f}", shown)
    console.print(table)
    alone = {record.key for record in before} ^ {record.key for record in after}
    if alone and not subset:
        console.print(f"{len(alone)} episodes are in one of the two runs alone and not paired", highlight=False)


def _comparable(original: Path, normalized: Path) -> None:
    """Refuses two runs that differ in more than the instructions."""
    one, other = read_config(original), read_config(normalized)
    for folder, config, wanted in ((original, one, "original"), (normalized, other, "normalized")):
        if config.instructions != wanted:
            raise ValueError(
                f"{folder} was played with {config.instructions} instructions, and is needed with {wanted} ones: "
                f"mobile-gym eval {config.suite} --instructions {wanted} …"
            )
    ours, theirs = one.model_dump(mode="json"), other.model_dump(mode="json")
    for name in ours:
        if name != "instructions" and ours[name] != theirs[name]:
            raise ValueError(
                f"the runs differ in {name}: {original} has {ours[name]!r}, {normalized} has {theirs[name]!r}; "
                "pairs differ in their instructions alone"
            )


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
    lengths = {record.task: len(instruction_of(record)) for record in records}
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
