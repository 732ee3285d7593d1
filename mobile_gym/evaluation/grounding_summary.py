"""Accuracy and distance of a grounding run, overall and by what items have in common (TransBench, tables 4 to 7)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from mobile_gym.evaluation.intervals import Z_95, wilson
from mobile_gym.evaluation.models import EpisodeRecord

NEW_ELEMENTS = "New Element"
GROUPS = ("split", "transfer", "new", "category", "app", "page", "change")
"""What results are grouped by, in the order of the tables.

`split` is the platform, and Android's versions; `transfer` has apps of the same and of other categories than those
trained on (figure 3), in the app partition alone; `new` has the elements that only the newer version has (table 6).
"""
GENERAL = "general"
PLATFORMS = {
    GENERAL: "General",
    "android": "Android Overall",
    "android-old": "Android Old",
    "android-new": "Android New",
    "ios": "iOS",
    "web": "Web",
}
"""The columns of table 4, by the group of `split` that each shows; tables 5 and 7 have some of them."""
TITLES = {
    "split": "By platform and version",
    "transfer": "Apps that were not trained on, by category (figure 3)",
    "new": "Elements added in the new version (table 6)",
    "change": "By difference between the versions (classes of table 3)",
}
_NAMES: Mapping[str, Mapping[str, str]] = {
    "split": PLATFORMS,
    "transfer": {"same category": "Same CAT", "different category": "Different CAT"},
    "change": {
        "layout": "Layout Change",
        "text_or_icon": "Text/Icon Change",
        "both": "Layout and Text/Icon Change",
        "addition": "Addition",
        "deletion": "Deletion",
        "none": "No Change",
    },
}
"""What the paper calls groups, in its order."""
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
        groups: results by each of `GROUPS` that the items have.
        sources: names of the sets; one of them `synthetic` says that nothing here compares with published figures.
        no_point: answers that gave no point.
        not_run: items that the policy failed on, or whose pictures cannot be read.
        policies: who pointed.
        problem: why the first of them was not run.
    """

    overall: Score
    groups: dict[str, tuple[Score, ...]]
    sources: tuple[str, ...]
    no_point: int
    not_run: int
    policies: tuple[str, ...]
    problem: str

    def platforms(self) -> dict[str, Score]:
        """The cells of table 4, by `PLATFORMS`; of those that have items."""
        return {GENERAL: self.overall} | {score.group: score for score in self.groups.get("split", ())}


def summarise_grounding(records: Iterable[EpisodeRecord]) -> GroundingSummary:
    """Sums a run up; items that were not run count nowhere."""
    every = list(records)
    done = [record for record in every if record.status == "done"]
    groups = {name: found for name in GROUPS if (found := _grouped(name, done))}
    return GroundingSummary(
        overall=score_of(GENERAL, done),
        groups=groups,
        sources=tuple(sorted({str(record.tags["source"]) for record in done})),
        no_point=sum(record.tags.get("point") is None for record in done),
        not_run=len(every) - len(done),
        policies=tuple(sorted({record.policy for record in every})),
        problem=next((record.error for record in every if record.status != "done"), ""),
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
    groups: dict[str, list[EpisodeRecord]] = {}
    for record in records:
        for key in _keys(name, record.tags):
            groups.setdefault(key, []).append(record)
    return tuple(score_of(key, groups[key]) for key in in_order(name, groups))


def in_order(name: str, keys: Iterable[str]) -> list[str]:
    """Groups in the paper's order, else sorted.

    Args:
        name: one of `GROUPS`.
        keys: the groups.
    """
    order = list(_NAMES.get(name, ()))
    return sorted(keys, key=lambda key: (order.index(key) if key in order else len(order), key))


def shown_name(name: str, key: str) -> str:
    """What the paper calls a group of one of `GROUPS`."""
    return _NAMES.get(name, {}).get(key, key)


def _keys(name: str, tags: Mapping[str, Any]) -> list[str]:
    """The groups that an item is in."""
    match name:
        case "split":
            platform, version = tags["platform"], tags["version"]
            return [platform, f"{platform}-{version}"] if version else [platform]
        case "page":
            return [f"{tags['app']}: {tags['page']}"] if tags["page"] else []
        case "new":
            return [NEW_ELEMENTS] if tags["change"] == "addition" else []
        case _:
            value = str(tags.get(name, ""))
            return [value] if value else []


def print_grounding(console: Console, summary: GroundingSummary, pages: bool = False) -> None:
    """Prints the tables.

    Args:
        console: where to.
        summary: the results.
        pages: whether all pages are listed; else those with the lowest accuracy.
    """
    label = ", ".join(summary.sources)
    if summary.overall.items:
        console.print(_platform_table(f"TransBench, as in table 4 ({label})", summary))
    for name, scores in summary.groups.items():
        shown, title = list(scores), f"{TITLES.get(name, f'By {name}')} ({label})"
        if name == "split":
            shown.insert(0, summary.overall)
        if name == "page" and not pages and len(shown) > _MOST_PAGES:
            shown = sorted(shown, key=lambda one: (one.accuracy, -one.distance))[:_MOST_PAGES]
            title = f"The {_MOST_PAGES} pages of {len(scores)} with the lowest accuracy ({label})"
        console.print(_table(title, name, shown))
    if summary.no_point:
        console.print(f"{summary.no_point} answers gave no point")
    if summary.not_run:
        console.print(f"[yellow]{summary.not_run} items were not run (not counted above)[/]")
        console.print(f"the first of them: {summary.problem}", markup=False, highlight=False, soft_wrap=True)
    if "synthetic" in summary.sources:
        console.print("synthetic pictures: these figures don't compare with TransBench's published ones")


def _platform_table(title: str, summary: GroundingSummary) -> Table:
    """Table 4's row of a run, its accuracies above its distances so that it fits a terminal."""
    table = Table(title=title, title_justify="left")
    table.add_column(escape(", ".join(summary.policies)))
    for column in PLATFORMS.values():
        table.add_column(column.replace(" ", "\n"), justify="right")
    cells = summary.platforms()
    found = [cells.get(group) for group in PLATFORMS]
    table.add_row("acc ↑, %", *("–" if one is None else f"{100 * one.accuracy:.2f}" for one in found))
    table.add_row("dis ↓", *("–" if one is None else f"{one.distance:.2f}" for one in found))
    return table


def _table(title: str, name: str, scores: Sequence[Score]) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("group")
    for column in ("items", "accuracy", "95 % interval", "distance", "95 % interval"):
        table.add_column(column, justify="right", no_wrap=True)
    for one in scores:
        table.add_row(
            escape(shown_name(name, one.group)),
            str(one.items),
            f"{100 * one.accuracy:.2f} %",
            f"{100 * one.low:.2f} – {100 * one.high:.2f}",
            f"{one.distance:.2f}",
            f"{max(one.distance - one.half, 0.0):.2f} – {one.distance + one.half:.2f}",
        )
    return table
