"""Tables of a run, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from mobile_gym.evaluation.elder_metrics import Metrics
from mobile_gym.evaluation.models import EpisodeRecord
from mobile_gym.evaluation.protocol_tables import ProcessSummary, Score, WorkflowSummary, outcome_of
from mobile_gym.evaluation.rates import Rate
from mobile_gym.evaluation.summary import Summary

_TITLES = {"semantics": "By semantics", "syntax": "By syntax", "scenario": "By scenario"}


def verdict_of(record: EpisodeRecord) -> str:
    """How an episode came out, in a word or two, coloured for rich."""
    if record.status != "done":
        return "[yellow]not run[/]" if record.status == "not_run" else "[yellow]unverifiable[/]"
    if record.protocol == "process":
        outcome = outcome_of(record)
        return f"[{'green' if record.success else 'red'}]{outcome}[/]"
    return "[green]success[/]" if record.success else "[red]failure[/]"


def row_of(record: EpisodeRecord) -> str:
    """One line about an episode, marked up for rich."""
    parts = [f"{verdict_of(record):<24} {escape(record.task)}  seed {record.seed}"]
    if record.status == "done":
        parts.append(f"{record.turns} turns, progress {record.progress:.2f}, ended by {record.ended_by}")
        if record.unexpected_changes:
            parts.append(f"unexpected: {escape(', '.join(record.unexpected_changes))}")
    else:
        parts.append(escape(record.error))
    return "  ".join(parts)


def print_summary(console: Console, summary: Summary, folder: Path | None = None) -> None:
    """Prints the rates, the costs where the policy reported any, and what was not played."""
    table = _rates("Success rate", [summary.overall, *([summary.strict] if summary.strict else [])])
    console.print(table)
    for tag, rates in summary.by_tag.items():
        console.print(_rates(_TITLES.get(tag, f"By {tag}"), rates))
    if summary.modes:
        print_modes(console, summary.modes)
    if summary.process is not None:
        print_process(console, summary.process)
    if summary.workflow is not None:
        print_workflow(console, summary.workflow)
    console.print(
        f"goal reached in {summary.goal_reached}, claimed in {summary.claimed} of {summary.overall.episodes} episodes"
    )
    if summary.latency_seconds is not None:
        console.print(f"average inference latency: {summary.latency_seconds:.2f} s a turn")
    if summary.tokens is not None:
        console.print(f"tokens: {summary.tokens:,.0f} a task")
    if summary.cost is not None:
        console.print(f"cost: {summary.cost:.4f} a task, in the price table's currency")
    _apart(console, "not run (not counted above)", summary.not_run)
    _apart(console, "unverifiable on this device (not counted above)", summary.unverifiable)
    if folder is not None:
        console.print(f"records: {folder}", soft_wrap=True, highlight=False)


def print_modes(console: Console, rows: Sequence[Metrics]) -> None:
    """Prints ElderBench's table: success, latency and tokens overall, online and offline."""
    table = Table(title="ElderBench: success, latency, tokens", title_justify="left")
    table.add_column("tasks")
    for name in ("episodes", *METRICS):
        table.add_column(name, justify="right")
    for row in rows:
        table.add_row(row.mode, str(row.tasks), *metric_cells(row))
    console.print(table)


METRICS = ("SR", "AIL (s)", "MCM (tokens)")
"""Columns of ElderBench's table: equations (1) to (3)."""


def metric_cells(row: Metrics) -> tuple[str, str, str]:
    """What stands in the columns `METRICS`; a dash where nothing was done or the policy reports nothing."""
    rate = "–" if row.success_rate is None else f"{100 * row.success_rate:.2f}"
    latency = "–" if row.latency is None else f"{row.latency:.2f}"
    return rate, latency, "–" if row.tokens is None else f"{row.tokens:,.0f}"


_KINDS = {"state": "state-related", "process": "process-related", "all": "average"}


def print_process(console: Console, summary: ProcessSummary) -> None:
    """Prints ProBench's table: accuracy by kind of task and language of the app, and how the rest ended."""
    table = Table(title="ProBench: accuracy", title_justify="left")
    table.add_column("tasks")
    for name in ("English apps", "Chinese apps", "all apps"):
        table.add_column(name, justify="right")
    for kind, name in _KINDS.items():
        table.add_row(name, *(_accuracy(summary.cells[kind, language]) for language in ("en", "zh", "all")))
    console.print(table)
    counts = ", ".join(f"{count} {name}" for name, count in summary.outcomes.items())
    console.print(
        f"{counts}; uncompleted {_percent(summary.uncompleted_ratio)} of those that are no success, "
        f"early stops {_percent(summary.early_stop_ratio)} of the uncompleted"
    )


def print_workflow(console: Console, summary: WorkflowSummary) -> None:
    """Prints GMA's table: Success and Average, overall, by tier and by dimension."""
    table = Table(title="GMA: Success and Average", title_justify="left")
    table.add_column("tasks")
    for name in ("episodes", "Success", "Average"):
        table.add_column(name, justify="right")
    table.add_row("overall", *_scores(summary.overall))
    for group in (summary.tiers, summary.dimensions):
        table.add_section()
        for name, score in group.items():
            table.add_row(escape(name.replace("_", " ")), *_scores(score))
    console.print(table)


def _scores(score: Score) -> tuple[str, str, str]:
    return str(score.success.episodes), _percent(score.success.rate), _percent(score.average)


def _accuracy(rate: Rate) -> str:
    return "–" if rate.rate is None else f"{100 * rate.rate:.1f} % ({rate.successes}/{rate.episodes})"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"


def _rates(title: str, rates: Sequence[Rate]) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("group")
    table.add_column("success", justify="right")
    table.add_column("rate", justify="right")
    table.add_column("95 % interval", justify="right")
    for rate in rates:
        shown = "–" if rate.rate is None else f"{100 * rate.rate:.1f} %"
        interval = "–" if rate.rate is None else f"{100 * rate.low:.1f} – {100 * rate.high:.1f} %"
        table.add_row(escape(rate.group), f"{rate.successes}/{rate.episodes}", shown, interval)
    return table


def _apart(console: Console, title: str, records: Sequence[EpisodeRecord]) -> None:
    if not records:
        return
    console.print(f"[yellow]{len(records)} {title}:[/]")
    for record in records:
        console.print(f"  {escape(record.task)} seed {record.seed}: {escape(record.error)}", soft_wrap=True)
