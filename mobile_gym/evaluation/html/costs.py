"""What runs cost: tokens, money, latencies, seconds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean, median

from mobile_gym.evaluation.html.loading import LoadedRun
from mobile_gym.evaluation.html.tables import Table, number
from mobile_gym.evaluation.models import TurnTiming
from mobile_gym.evaluation.summary import summarise


def cost_tables(runs: Sequence[LoadedRun]) -> list[Table]:
    """Tokens and money, then time; only runs that have timings."""
    tokens, times = [], []
    for run in runs:
        keys = {record.key for record in run.done}
        timings = [timing for timing in run.timings.values() if timing.key in keys]
        turns = [turn for timing in timings for turn in timing.turns]
        if not timings:
            continue
        summary = summarise(run.records, timings)
        times.append(
            (
                run.label,
                str(len(timings)),
                number(_mean(len(timing.turns) for timing in timings), 1),
                number(median(timing.seconds for timing in timings)),
                number(sum(timing.seconds for timing in timings), 0),
                number(_mean(timing.reset_seconds for timing in timings)),
                number(_mean(turn.policy_seconds for turn in turns), 3),
                number(_mean(turn.env_seconds for turn in turns), 3),
                number(summary.latency_seconds),
            )
        )
        if summary.tokens is not None or summary.cost is not None:
            sent, received = _sum(turns, "prompt_tokens"), _sum(turns, "generated_tokens")
            spent = sum(turn.cost for turn in turns if turn.cost is not None)
            counts = (f"{sent:,}", f"{received:,}", number(summary.tokens, 0))
            money = ("–", "–") if summary.cost is None else (number(summary.cost, 4), number(spent, 4))
            tokens.append((run.label, *counts, *money))
    columns = ("tokens sent", "tokens received", "tokens a task", "cost a task", "cost of the run")
    seconds = (
        *("episodes", "turns an episode", "s an episode (median)", "s in all", "s a reset"),
        *("s a turn, policy", "s a turn, environment", "model's latency, s a turn"),
    )
    note = "Cost is in the currency of the price table. Times are of the machine that the run was made on."
    found = [
        Table("Tokens and cost", ("run", *columns), tuple(tokens)),
        Table("Time", ("run", *seconds), tuple(times), note),
    ]
    return [table for table in found if table.rows]


def _mean(values: Iterable[float]) -> float | None:
    every = list(values)
    return fmean(every) if every else None


def _sum(turns: Sequence[TurnTiming], name: str) -> int:
    return sum(getattr(turn, name) or 0 for turn in turns)
