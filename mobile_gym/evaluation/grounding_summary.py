"""Accuracy and distance of a grounding run, overall and by what items have in common (TransBench, tables 4 to 6)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from mobile_gym.evaluation.intervals import Z_95, wilson
from mobile_gym.evaluation.models import EpisodeRecord
from mobile_gym.task_registry.grounding.items import CHANGE_CLASSES

NEW_ELEMENTS = "new elements only"
GROUPS = ("split", "version", "category", "app", "page", "change")
"""What results are grouped by, in the order of the tables; `split` is the platform with Android's version."""
_MOST_PAGES = 25


@dataclass(frozen=True, slots=True)
class Score:
    """Results of a group of items.

    Attributes:
        group: what they have in common.
        items: how many there are.
        hits: how many points lay inside.
        low: lower end of the accuracy's 95 % Wilson interval, 0 to 1.
        high: its upper end.
        distance: mean distance to the middle of the box, on the 0-100 scale (equation 1).
        half: half the width of the distance's 95 % interval.
    """

    group: str
    items: int
    hits: int
    low: float
    high: float
    distance: float
    half: float

    @property
    def accuracy(self) -> float:
        """Share of points inside, 0 to 1."""
        return self.hits / self.items if self.items else 0.0


@dataclass(frozen=True, slots=True)
class GroundingSummary:
    """What a grounding run came to.

    Attributes:
        overall: all items.
        groups: results by each of `GROUPS` that the items have; `change` ends with `NEW_ELEMENTS` (table 6).
        sources: names of the sets; one of them `synthetic` says that nothing here compares with published figures.
        no_point: answers that gave no point.
        not_run: items that the policy failed on.
    """

    overall: Score
    groups: dict[str, tuple[Score, ...]]
    sources: tuple[str, ...]
    no_point: int
    not_run: int


def summarise_grounding(records: Iterable[EpisodeRecord]) -> GroundingSummary:
    """Sums a run up; items that were not run count nowhere."""
    every = list(records)
    done = [record for record in every if record.status == "done"]
    groups = {name: found for name in GROUPS if (found := _grouped(name, done))}
    return GroundingSummary(
        overall=score_of("all", done),
        groups=groups,
        sources=tuple(sorted({str(record.tags["source"]) for record in done})),
        no_point=sum(record.tags.get("point") is None for record in done),
        not_run=len(every) - len(done),
    )


def score_of(group: str, records: Sequence[EpisodeRecord]) -> Score:
    """Accuracy and mean distance of done items."""
    hits = sum(record.success for record in records)
    distances = [float(record.tags["distance"]) for record in records]
    count = len(distances)
    mean = math.fsum(distances) / count if count else 0.0
    spread = math.fsum((one - mean) ** 2 for one in distances) / (count - 1) if count > 1 else 0.0
    half = Z_95 * math.sqrt(spread / count) if count else 0.0
    return Score(group, count, hits, *wilson(hits, count), mean, half)


def _grouped(name: str, records: Sequence[EpisodeRecord]) -> tuple[Score, ...]:
    value: dict[str, Callable[[EpisodeRecord], str]] = {
        "split": lambda record: "-".join(filter(None, (record.tags["platform"], record.tags["version"]))),
        "page": lambda record: f"{record.tags['app']}: {record.tags['page']}" if record.tags["page"] else "",
    }
    groups: dict[str, list[EpisodeRecord]] = {}
    for record in records:
        key = value[name](record) if name in value else str(record.tags[name])
        if key:
            groups.setdefault(key, []).append(record)
    order = list(CHANGE_CLASSES) if name == "change" else sorted(groups)
    scores = [score_of(key, groups[key]) for key in order if key in groups]
    if name == "change" and "addition" in groups:
        scores.append(score_of(NEW_ELEMENTS, groups["addition"]))
    return tuple(scores)


def print_grounding(console: Console, summary: GroundingSummary, pages: bool = False) -> None:
    """Prints the tables.

    Args:
        console: where to.
        summary: the results.
        pages: whether all pages are listed; else those with the lowest accuracy.
    """
    label = ", ".join(summary.sources)
    console.print(_table(f"Grounding ({label})", [summary.overall]))
    for name, scores in summary.groups.items():
        shown, title = list(scores), f"By {name} ({label})"
        if name == "page" and not pages and len(shown) > _MOST_PAGES:
            shown = sorted(shown, key=lambda one: (one.accuracy, -one.distance))[:_MOST_PAGES]
            title = f"The {_MOST_PAGES} pages of {len(scores)} with the lowest accuracy ({label})"
        console.print(_table(title, shown))
    if summary.no_point:
        console.print(f"{summary.no_point} answers gave no point")
    if summary.not_run:
        console.print(f"[yellow]{summary.not_run} items were not run (not counted above)[/]")
    if "synthetic" in summary.sources:
        console.print("synthetic pictures: these figures don't compare with TransBench's published ones")


def _table(title: str, scores: Sequence[Score]) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("group")
    for name in ("items", "accuracy", "95 % interval", "distance", "95 % interval"):
        table.add_column(name, justify="right")
    for one in scores:
        table.add_row(
            escape(one.group),
            str(one.items),
            f"{100 * one.accuracy:.2f} %",
            f"{100 * one.low:.2f} – {100 * one.high:.2f} %",
            f"{one.distance:.2f}",
            f"{one.distance - one.half:.2f} – {one.distance + one.half:.2f}",
        )
    return table
