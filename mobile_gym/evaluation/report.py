"""Tables of a run, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from mobile_gym.evaluation.models import EpisodeRecord
from mobile_gym.evaluation.summary import Rate, Summary

_TITLES = {"semantics": "By semantics", "syntax": "By syntax", "scenario": "By scenario"}


def verdict_of(record: EpisodeRecord) -> str:
    """How an episode came out, in a word or two, coloured for rich."""
    if record.status != "done":
        return "[yellow]not run[/]" if record.status == "not_run" else "[yellow]unverifiable[/]"
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
