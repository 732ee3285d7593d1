"""The page itself: everything that is shown, put into one file that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Literal

from mobile_gym import __version__
from mobile_gym.evaluation.grounding_run import PROTOCOL as GROUNDING
from mobile_gym.evaluation.html.comparing import comparisons, warnings_of
from mobile_gym.evaluation.html.costs import cost_tables
from mobile_gym.evaluation.html.episodes import Data, details_of, line_of, task_of
from mobile_gym.evaluation.html.grounding import Items, point_details
from mobile_gym.evaluation.html.loading import LoadedRun, load_runs
from mobile_gym.evaluation.html.pictures import Pictures, width_for
from mobile_gym.evaluation.html.render import card, comparisons_of, listed, table_of
from mobile_gym.evaluation.html.steps import Trail, read_trail
from mobile_gym.evaluation.html.tables import result_tables
from mobile_gym.evaluation.models import EpisodeRecord

PictureChoice = Literal["all", "failures", "none"]
LIMIT = 40_000_000
"""How many bytes pictures may have together where nothing else is said."""


@dataclass(frozen=True, slots=True)
class Report:
    """What was written.

    Attributes:
        path: the page.
        size: its size, bytes.
        episodes: how many episodes it shows.
        pictures: how many different pictures it holds.
        left_out: pictures that the limit left no room for.
        problems: what could not be read of the runs, in words; the page says it too.
    """

    path: Path
    size: int
    episodes: int
    pictures: int
    left_out: int
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Episode:
    """An episode on the page: its run's place, its record, its trajectory."""

    run: int
    record: EpisodeRecord
    trail: Trail


def write_report(
    folders: Sequence[Path],
    path: Path,
    pictures: PictureChoice = "all",
    limit: int = LIMIT,
    told: Callable[[int, int], None] = lambda done, total: None,
) -> Report:
    """Writes the page of some runs.

    What cannot be read of a run (a torn line, a missing picture, a task that has changed) is said on the page.

    Args:
        folders: the runs' folders, as `mobile-gym eval` wrote them.
        path: the page's file; replaced where it is there.
        pictures: of which episodes pictures are shown; `failures` are all that are no success.
        limit: how many bytes pictures may have together; failures come first.
        told: called with how many episodes are done, and of how many.

    Raises:
        RecordsError: a folder holds no run.
        OSError: the page cannot be written.
    """
    runs = load_runs(folders)
    episodes = [
        _Episode(number, record, Trail() if record.protocol == GROUNDING else read_trail(run.folder, record))
        for number, run in enumerate(runs)
        for record in run.records
    ]
    wanted = [number for number, one in enumerate(episodes) if _wanted(one.record, pictures)]
    shots = sum(len(episodes[number].trail.steps) or 1 for number in wanted)
    kept = Pictures(width_for(shots), limit)
    lines: list[Data] = [{} for _ in episodes]
    details: list[Data] = [{} for _ in episodes]
    items: dict[int, Items] = {}
    chosen = set(wanted)
    # Failures first: they are what people look at, should the pictures be too many.
    order = sorted(range(len(episodes)), key=lambda number: episodes[number].record.success)
    for count, number in enumerate(order, 1):
        one = episodes[number]
        own = kept if number in chosen else None
        lines[number], details[number] = _told(runs[one.run], one, own, items)
        told(count, len(order))
    problems = [f"{run.label}: {problem}" for run in runs for problem in run.problems]
    problems += [f"{runs[number].label}: {found.problem}" for number, found in sorted(items.items()) if found.problem]
    broken = sum(bool(one["problems"]) for one in details)
    if broken:
        problems.append(f"{broken} episodes have files or items that cannot be shown; each says which")
    if kept.left_out:
        room = f"{limit / 1e6:.0f} MB"
        problems.append(
            f"{kept.left_out} pictures are left out, since all together may have {room}; give --limit more, "
            "--pictures failures, or fewer runs"
        )
    text = "".join(_parts(runs, episodes, lines, details, kept, problems))
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)
    return Report(path, path.stat().st_size, len(episodes), len(kept.kept), kept.left_out, tuple(problems))


def _wanted(record: EpisodeRecord, choice: PictureChoice) -> bool:
    return choice == "all" or (choice == "failures" and not record.success)


def _told(run: LoadedRun, one: _Episode, pictures: Pictures | None, items: dict[int, Items]) -> tuple[Data, Data]:
    record = one.record
    if record.protocol == GROUNDING:
        if one.run not in items:
            items[one.run] = Items(run)
        item, note = items[one.run].find(record)
        instruction = "" if item is None else item.spoken(record.language)
        return line_of(run, one.run, record, instruction), point_details(record, item, note, pictures)
    task, note = task_of(record)
    details = details_of(record, task, one.trail, pictures)
    if note:
        details["problems"].insert(0, note)
    instruction = ""
    if task is not None:
        instruction = task.instruction.zh if record.language == "zh" else task.instruction.en
    return line_of(run, one.run, record, instruction), details


def _parts(
    runs: Sequence[LoadedRun],
    episodes: Sequence[_Episode],
    lines: Sequence[Data],
    details: Sequence[Data],
    pictures: Pictures,
    problems: Sequence[str],
) -> Iterator[str]:
    """The page, piece by piece: the template with its places filled in one pass, so that no text is filled in again."""
    numbers = {(one.run, one.record.key): number for number, one in enumerate(episodes)}
    pairs = comparisons(runs)
    script = _resource("page.js")
    results = result_tables(runs)
    costs = cost_tables(runs)
    title = "Runs: " + ", ".join(run.label for run in runs) if len(runs) > 1 else f"Run: {runs[0].label}"
    sections = ["results", *(["comparisons"] if pairs else []), *(["costs"] if costs else []), "episodes"]
    filled: dict[str, Callable[[], Iterable[str]]] = {
        "TITLE": lambda: [escape(title)],
        "STYLE": lambda: [_resource("page.css")],
        "SCRIPT": lambda: [script],
        "SCRIPT_HASH": lambda: [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")],
        "NAV": lambda: (f'<a href="#{name}">{name.capitalize()}</a>' for name in sections),
        "RUNS": lambda: ['<div class="cards">', *map(card, runs), "</div>"],
        "WARNINGS": lambda: [*listed("Compare with care", warnings_of(runs)), *listed("Left out", problems)],
        "RESULTS": lambda: map(table_of, results) if results else ["<p>There is no episode to show.</p>"],
        "COMPARISONS": lambda: comparisons_of(pairs, numbers),
        "COSTS": lambda: ['<section id="costs"><h2>Costs</h2>', *map(table_of, costs), "</section>"] if costs else [],
        "FOOTER": lambda: [
            f"mobile-gym {escape(__version__)}. Intervals are 95 %; rates have Wilson's, "
            "differences and averages the percentiles of a bootstrap."
        ],
        "INDEX": lambda: [_json({"runs": [run.label for run in runs], "episodes": lines})],
        "DETAILS": lambda: (
            f'<script type="application/json" id="d{number}">{_json(one)}</script>\n'
            for number, one in enumerate(details)
        ),
        "PICTURES": lambda: (
            f'<script type="text/plain" id="{name}">{uri}</script>\n' for name, uri in pictures.kept.items()
        ),
    }
    for index, piece in enumerate(re.split(r"__([A-Z_]+?)__", _resource("page.html"))):
        if index % 2:
            yield from filled[piece]()
        else:
            yield piece


def _resource(name: str) -> str:
    return files("mobile_gym.evaluation.html").joinpath(name).read_text(encoding="utf-8")


def _json(value: object) -> str:
    """JSON that may stand inside a script element: no `<` in it can end it or begin a comment."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    text = text.encode("utf-8", "replace").decode("utf-8")
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
