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
from mobile_gym.evaluation.html.choosing import choose, failures_first
from mobile_gym.evaluation.html.collecting import Episode, collect
from mobile_gym.evaluation.html.comparing import comparisons, warnings_of
from mobile_gym.evaluation.html.costs import cost_tables
from mobile_gym.evaluation.html.episodes import Data
from mobile_gym.evaluation.html.loading import LoadedRun, load_runs
from mobile_gym.evaluation.html.pictures import Pictures, width_for
from mobile_gym.evaluation.html.render import card, comparisons_of, listed, table_of
from mobile_gym.evaluation.html.tables import result_tables

PictureChoice = Literal["all", "failures", "none"]
LIMIT = 40_000_000
"""How many bytes pictures may have together where nothing else is said."""
MOST = 1500
"""How many pictures are shown where nothing else is said."""
Told = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and of how much."""


@dataclass(frozen=True, slots=True)
class Report:
    """What was written.

    Attributes:
        path: the page.
        size: its size, bytes.
        episodes: how many episodes it shows.
        pictures: how many different pictures it holds.
        left_out: pictures that the limit left no room for.
        note: of which episodes pictures are shown; empty where of all that have some.
        problems: what could not be read of the runs, in words; the page says it too.
    """

    path: Path
    size: int
    episodes: int
    pictures: int
    left_out: int
    note: str
    problems: tuple[str, ...]


def write_report(
    folders: Sequence[Path],
    path: Path,
    pictures: PictureChoice | int = MOST,
    limit: int = LIMIT,
    told: Told = lambda what, done, total: None,
) -> Report:
    """Writes the page of some runs.

    What cannot be read of a run (a torn line, a missing picture, a task that has changed) is said on the page.

    Args:
        folders: the runs' folders, as `mobile-gym eval` wrote them.
        path: the page's file; replaced where it is there.
        pictures: how many different pictures are shown at most: those of failures first, then those of the other
            episodes, of either an even sample. `failures` are all of whatever is no success.
        limit: how many bytes pictures may have together; those of failures come first.
        told: called as the work goes on.

    Raises:
        RecordsError: a folder holds no run.
        OSError: the page cannot be written.
    """
    told("reading the runs", 0, len(folders))
    runs = load_runs(folders)
    collected = collect(runs, told)
    episodes = collected.episodes
    chosen = _chosen(episodes, pictures)
    sources = {source.name: source for number in chosen for source in episodes[number].sources}
    kept = Pictures(width_for(len(sources)), limit)
    for count, source in enumerate(sources.values()):
        told("pictures", count, len(sources))
        kept.add(source)
    lines: list[Data] = []
    details: list[Data] = []
    for count, one in enumerate(episodes):
        told("episodes", count, len(episodes))
        line, detail = one.told(runs[one.run], kept)
        lines.append(line)
        details.append(detail)
    note = _note(episodes, kept, pictures)
    problems = [f"{run.label}: {problem}" for run in runs for problem in run.problems]
    problems += collected.problems
    broken = sum(bool(one["problems"]) for one in details)
    if broken:
        problems.append(f"{broken} episodes have files or items that cannot be shown; each says which")
    if kept.left_out:
        room = f"{limit / 1e6:.0f} MB"
        problems.append(
            f"{kept.left_out} pictures are left out, since all together may have {room}; give --limit more, "
            "--pictures failures, or fewer runs"
        )
    told("tables", 0, 1)
    part = path.with_name(path.name + ".part")
    with part.open("w", encoding="utf-8", newline="\n") as out:
        out.writelines(_parts(runs, episodes, lines, details, kept, note, problems))
    os.replace(part, path)
    return Report(path, path.stat().st_size, len(episodes), len(kept.kept), kept.left_out, note, tuple(problems))


def _chosen(episodes: Sequence[Episode], choice: PictureChoice | int) -> list[int]:
    """The episodes whose pictures are put on the page, the most wanted first."""
    if choice == "none":
        return []
    order = failures_first([one.record.success for one in episodes])
    if choice == "failures":
        return [number for number in order if not episodes[number].record.success]
    names = [[source.name for source in one.sources] for one in episodes]
    return choose(names, order, None if choice == "all" else choice)


def _note(episodes: Sequence[Episode], kept: Pictures, choice: PictureChoice | int) -> str:
    having = [one for one in episodes if one.sources]
    shown = [one for one in having if any(kept.find(source) for source in one.sources)]
    if len(shown) == len(having):
        return ""
    words = {"none": "none was asked for", "failures": "those of failures", "all": "as many as there is room for"}
    which = words.get(str(choice), "failures first, then the others, of either an even sample")
    return (
        f"Pictures are shown of {len(shown):,} of {len(having):,} episodes that have some: {which}. "
        "“mobile-gym report --pictures NUMBER” shows more or fewer."
    )


def _parts(
    runs: Sequence[LoadedRun],
    episodes: Sequence[Episode],
    lines: Sequence[Data],
    details: Sequence[Data],
    pictures: Pictures,
    note: str,
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
        "NOTE": lambda: [f'<p class="soft">{escape(note)}</p>'] if note else [],
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
