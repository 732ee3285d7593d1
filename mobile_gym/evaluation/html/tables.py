"""Tables of runs as plain data: what each shows, one below the other, with every run in each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from mobile_gym.evaluation.elder_metrics import MODES, metrics, paired_bootstrap
from mobile_gym.evaluation.grounding_summary import (
    GROUPS,
    PLATFORMS,
    TITLES,
    GroundingSummary,
    in_order,
    shown_name,
    summarise_grounding,
)
from mobile_gym.evaluation.grounding_summary import Score as PointScore
from mobile_gym.evaluation.html.loading import LoadedRun
from mobile_gym.evaluation.models import EpisodeRecord
from mobile_gym.evaluation.protocol_tables import KINDS, LANGUAGES, Score, process_summary, score_of, workflow_summary
from mobile_gym.evaluation.rates import Rate, rate_of
from mobile_gym.evaluation.summary import summarise

_MOST_DRAWN = 20_000_000
"""How many values a bootstrap draws at most, so that large runs don't fill the memory."""
_FEWEST_DRAWS = 200
_MOST_PAGES = 25
_ELDER = ("online", "graph")
_KIND_NAMES = {"state": "state-related", "process": "process-related", "all": "all"}
_LANGUAGE_NAMES = {"en": "English apps", "zh": "Chinese apps", "all": "all apps"}


@dataclass(frozen=True, slots=True)
class Interval:
    """A value with its 95 % interval, drawn as a bar; all three as shares of what the bar spans, 0 to 1."""

    low: float
    value: float
    high: float


Cell = str | Interval


@dataclass(frozen=True, slots=True)
class Table:
    """A table.

    Attributes:
        title: what it shows.
        columns: names of the columns.
        rows: the cells.
        note: what must be said to it.
        main: whether it is a table of the paper, never folded.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    main: bool = False


def result_tables(runs: Sequence[LoadedRun]) -> list[Table]:
    """All tables of results: the paper's of each protocol that was played, then by tags, and how episodes ended."""
    protocols = {record.protocol for run in runs for record in run.records}
    if not protocols:
        return []
    found: list[Table] = []
    if protocols & set(_ELDER):
        found.append(_elder(runs))
    if "process" in protocols:
        found += [_probench(runs), _outcomes(runs)]
    if "workflow" in protocols:
        found += [_gma(runs)]
    if "grounding" in protocols:
        found += _trans(runs)
    found += [*_by_tags(runs), _ends(runs)]
    return [table for table in found if table.rows]


def draws_for(count: int) -> int:
    """How many samples a bootstrap over so many values draws."""
    return max(_FEWEST_DRAWS, min(10_000, _MOST_DRAWN // max(count, 1)))


def mean_interval(values: Sequence[float]) -> tuple[float, float]:
    """The 95 % bootstrap interval of a mean.

    Raises:
        ValueError: there are no values.
    """
    return paired_bootstrap(values, draws_for(len(values)))


def percent(share: float | None, digits: int = 1) -> str:
    """A share as text; a dash for None."""
    return "–" if share is None else f"{100 * share:.{digits}f} %"


def number(value: float | None, digits: int = 2) -> str:
    """A number as text; a dash for None."""
    return "–" if value is None else f"{value:,.{digits}f}"


_RATE = ("success", "rate", "95 % interval", "")


def _rate(rate: Rate) -> tuple[Cell, ...]:
    if rate.rate is None:
        return "0/0", "–", "–", ""
    interval = f"{100 * rate.low:.1f} – {100 * rate.high:.1f} %"
    return f"{rate.successes}/{rate.episodes}", percent(rate.rate), interval, Interval(rate.low, rate.rate, rate.high)


def _grouped(
    title: str,
    first: str,
    columns: tuple[str, ...],
    groups: Iterable[tuple[str, Sequence[tuple[LoadedRun, tuple[Cell, ...]]]]],
    runs: Sequence[LoadedRun],
    note: str = "",
    main: bool = False,
) -> Table:
    """A table with a row for each group and run; the run's name is left out where there is one alone."""
    several = len(runs) > 1
    rows: list[tuple[Cell, ...]] = []
    for name, cells in groups:
        for index, (run, row) in enumerate(cells):
            shown = name if index == 0 else ""
            rows.append((shown, run.label, *row) if several else (shown, *row))
    return Table(title, (first, *(("run",) if several else ()), *columns), tuple(rows), note, main)


def _elder(runs: Sequence[LoadedRun]) -> Table:
    groups: list[tuple[str, list[tuple[LoadedRun, tuple[Cell, ...]]]]] = []
    for mode in MODES:
        cells: list[tuple[LoadedRun, tuple[Cell, ...]]] = []
        for run in runs:
            records = [record for record in run.done if record.protocol in _ELDER]
            row = metrics(records, list(run.timings.values()), mode)
            if not row.tasks:
                continue
            chosen = [one for one in records if mode == "overall" or (one.protocol == "graph") == (mode == "offline")]
            cells.append((run, (*_rate(rate_of(mode, chosen)), number(row.latency), number(row.tokens, 0))))
        groups.append((f"{mode}, lenient" if mode == "offline" else mode, cells))
    strict = [(run, (*_rate(found), "", "")) for run in runs if (found := summarise(run.records).strict) is not None]
    groups.append(("offline, strict", strict))
    columns = ("success", "SR", "95 % interval", "", "AIL, s a turn", "MCM, tokens a task")
    return _grouped("ElderBench: success, latency, tokens", "tasks", columns, groups, runs, main=True)


def _probench(runs: Sequence[LoadedRun]) -> Table:
    summaries = [(run, found) for run in runs if (found := process_summary(run.done)) is not None]
    groups = []
    for kind in (*KINDS, "all"):
        for language in (*LANGUAGES, "all"):
            cells = [
                (run, _rate(one.cells[kind, language])) for run, one in summaries if one.cells[kind, language].episodes
            ]
            groups.append((f"{_KIND_NAMES[kind]}, {_LANGUAGE_NAMES[language]}", cells))
    return _grouped("ProBench: accuracy", "tasks", _RATE, groups, runs, main=True)


def _outcomes(runs: Sequence[LoadedRun]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for run in runs:
        found = process_summary(run.done)
        if found is None:
            continue
        counts = (str(found.outcomes[name]) for name in ("success", "failure", "uncompleted"))
        early = f"{found.early_stops} ({percent(found.early_stop_ratio)} of the uncompleted)"
        rows.append((run.label, *counts, percent(found.uncompleted_ratio), early))
    columns = ("run", "success", "failure", "uncompleted", "uncompleted of those that are no success", "early stops")
    note = (
        "Failure: finished wrongly. Uncompleted: never finished, early stops (five equal actions running) among them."
    )
    return Table("ProBench: how episodes came out", columns, tuple(rows), note)


def _gma(runs: Sequence[LoadedRun]) -> Table:
    order: dict[str, list[tuple[LoadedRun, tuple[Cell, ...]]]] = {}
    for run in runs:
        records = [record for record in run.done if record.protocol == "workflow"]
        found = workflow_summary(records)
        if found is None:
            continue
        of_group: dict[str, list[EpisodeRecord]] = {"overall": records}
        of_group |= {f"tier: {name}": [r for r in records if r.tags.get("tier") == name] for name in found.tiers}
        of_group |= {
            f"dimension: {name}": [r for r in records if name in r.tags.get("dimensions", ())]
            for name in found.dimensions
        }
        for name, group in of_group.items():
            if group:
                order.setdefault(name.replace("_", " "), []).append((run, _score(score_of(name, group), group)))
    columns = (*("episodes", "Success", "95 % interval", ""), *("Average", "95 % interval (bootstrap)", ""))
    return _grouped("GMA: Success and Average", "tasks", columns, order.items(), runs, main=True)


def _score(score: Score, records: Sequence[EpisodeRecord]) -> tuple[Cell, ...]:
    low, high = mean_interval([record.progress for record in records])
    count, rate, interval, bar = _rate(score.success)
    average = score.average or 0.0
    shown = f"{100 * low:.1f} – {100 * high:.1f} %"
    return count, rate, interval, bar, percent(score.average), shown, Interval(low, average, high)


def _trans(runs: Sequence[LoadedRun]) -> list[Table]:
    found = []
    summaries = []
    for run in runs:
        records = [record for record in run.records if record.protocol == "grounding" and _measured(record)]
        if records:
            summaries.append((run, summarise_grounding(records)))
    sources = sorted({source for _, one in summaries for source in one.sources})
    synthetic = "Synthetic pictures: these figures don't compare with TransBench's published ones."
    note = f"The columns of table 4. {synthetic if 'synthetic' in sources else ''}".strip()
    columns = ("items", "accuracy", "95 % interval", "", "distance", "95 % interval")
    found.append(_as_in_the_paper(f"TransBench: accuracy and distance ({', '.join(sources)})", summaries, note))
    for group in GROUPS:
        names: dict[str, list[tuple[LoadedRun, tuple[Cell, ...]]]] = {}
        worst: dict[str, float] = {}
        for run, one in summaries:
            for score in one.platforms().values() if group == "split" else one.groups.get(group, ()):
                names.setdefault(score.group, []).append((run, _points(score)))
                worst[score.group] = min(worst.get(score.group, 1.0), score.accuracy)
        title = TITLES.get(group, f"By {group}")
        title = f"TransBench: {title[0].lower()}{title[1:]}"
        chosen = in_order(group, names)
        if group == "page" and len(chosen) > _MOST_PAGES:
            chosen = sorted(chosen, key=lambda name: worst[name])[:_MOST_PAGES]
            title = f"TransBench: the {_MOST_PAGES} pages of {len(names)} with the lowest accuracy"
        found.append(_grouped(title, group, columns, [(shown_name(group, key), names[key]) for key in chosen], runs))
    return found


def _as_in_the_paper(title: str, summaries: Sequence[tuple[LoadedRun, GroundingSummary]], note: str) -> Table:
    """A row for each run, as tables 4, 5 and 7 have one for each model."""
    columns = ["run"]
    for name in PLATFORMS.values():
        columns += [f"{name} acc\N{NO-BREAK SPACE}↑", "dis\N{NO-BREAK SPACE}↓"]
    rows: list[tuple[Cell, ...]] = []
    for run, one in summaries:
        cells = one.platforms()
        row: list[Cell] = [run.label]
        for group in PLATFORMS:
            score = cells.get(group)
            row += ["–", "–"] if score is None else [f"{100 * score.accuracy:.2f}", number(score.distance)]
        rows.append(tuple(row))
    return Table(title, tuple(columns), tuple(rows), note, main=True)


def _measured(record: EpisodeRecord) -> bool:
    return record.status != "done" or "distance" in record.tags


def _points(score: PointScore) -> tuple[Cell, ...]:
    interval = f"{100 * score.low:.2f} – {100 * score.high:.2f} %"
    distance = f"{max(score.distance - score.half, 0.0):.2f} – {score.distance + score.half:.2f}"
    bar = Interval(score.low, score.accuracy, score.high)
    return str(score.items), percent(score.accuracy, 2), interval, bar, number(score.distance), distance


def _by_tags(runs: Sequence[LoadedRun]) -> list[Table]:
    names: dict[str, dict[str, list[tuple[LoadedRun, tuple[Cell, ...]]]]] = {}
    for run in runs:
        for tag, rates in summarise(run.records).by_tag.items():
            for rate in rates:
                names.setdefault(tag, {}).setdefault(rate.group.replace("_", " "), []).append((run, _rate(rate)))
    return [
        _grouped(f"By {tag}", tag, _RATE, sorted(groups.items(), key=lambda group: group[0]), runs)
        for tag, groups in names.items()
    ]


def _ends(runs: Sequence[LoadedRun]) -> Table:
    ends = sorted({record.ended_by or "not ended" for run in runs for record in run.done})
    count: Callable[[Iterable[bool]], str] = lambda values: str(sum(values))  # noqa: E731
    rows: list[tuple[Cell, ...]] = [
        (
            run.label,
            str(len(run.done)),
            *(count((record.ended_by or "not ended") == end for record in run.done) for end in ends),
            count(record.goal_reached for record in run.done),
            count(record.claimed for record in run.done),
            count(bool(record.unexpected_changes) for record in run.done),
            count(bool(record.action_errors) for record in run.done),
            count(record.status == "not_run" for record in run.records),
            count(record.status == "unverifiable" for record in run.records),
        )
        for run in runs
    ]
    apart = ("goal reached", "said to be done", "unexpected changes", "action errors", "not run", "unverifiable")
    note = "Episodes that were not run, or that the device cannot verify, count in no rate."
    named = tuple(f"ended by {end}" if end != "not ended" else end for end in ends)
    return Table("How episodes ended", ("run", "done", *named, *apart), tuple(rows), note)
