"""Episodes of all runs with what is known of each: its task or item, its trajectory, where its pictures come from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mobile_gym.evaluation.grounding_run import PROTOCOL as GROUNDING
from mobile_gym.evaluation.html.episodes import Data, details_of, line_of, source_of, task_of
from mobile_gym.evaluation.html.grounding import Items, point_details
from mobile_gym.evaluation.html.loading import LoadedRun
from mobile_gym.evaluation.html.pictures import Pictures, Source
from mobile_gym.evaluation.html.steps import Trail, read_trail
from mobile_gym.evaluation.models import EpisodeRecord
from mobile_gym.task_registry.grounding import GroundingItem
from mobile_gym.task_registry.models import Task


@dataclass(frozen=True, slots=True)
class Episode:
    """An episode on the page.

    Attributes:
        run: the place of its run.
        record: its record.
        task: its task in its language, or its grounding item; None where it is not known any more.
        why: why it is not, in words.
        trail: its trajectory; empty for a grounding item.
        sources: where its pictures come from.
    """

    run: int
    record: EpisodeRecord
    task: Task | GroundingItem | None
    why: str
    trail: Trail
    sources: tuple[Source, ...]

    def told(self, run: LoadedRun, pictures: Pictures) -> tuple[Data, Data]:
        """Its line in the list, and what is shown when it is opened.

        Args:
            run: its run.
            pictures: those that are on the page.
        """
        if isinstance(self.task, GroundingItem) or self.record.protocol == GROUNDING:
            item = self.task if isinstance(self.task, GroundingItem) else None
            instruction = "" if item is None else item.spoken(self.record.language)
            source = self.sources[0] if self.sources else None
            details = point_details(self.record, item, self.why, pictures, source)
        else:
            instruction = ""
            if self.task is not None:
                said = self.task.instruction
                instruction = said.zh if self.record.language == "zh" else said.en
            details = details_of(self.record, self.task, self.trail, pictures)
            if self.why:
                details["problems"].insert(0, self.why)
        line = line_of(run, self.run, self.record, instruction)
        line["seen"] = any(pictures.find(source) is not None for source in self.sources)
        return line, details


@dataclass(frozen=True, slots=True)
class Collected:
    """The episodes of all runs, in the runs' order, and which runs' items cannot be read."""

    episodes: tuple[Episode, ...]
    problems: tuple[str, ...]


def collect(runs: Sequence[LoadedRun], told: Callable[[str, int, int], None]) -> Collected:
    """Finds what is known of every episode; pictures are not read yet.

    Args:
        runs: the runs.
        told: called with what is being done, how much of it is done, and of how much.
    """
    total = sum(len(run.records) for run in runs)
    found: list[Episode] = []
    problems: list[str] = []
    # A task is read once, however many runs played it.
    tasks: dict[tuple[str, int, str, str, str], tuple[Task | None, str]] = {}
    for number, run in enumerate(runs):
        items: Items | None = None
        for record in run.records:
            told("reading episodes", len(found), total)
            if record.protocol == GROUNDING:
                if items is None:
                    items = Items(run)
                    problems += [f"{run.label}: {items.problem}"] if items.problem else []
                item, why = items.find(record)
                sources = () if item is None else (items.source(item),)
                found.append(Episode(number, record, item, why, Trail(), sources))
                continue
            key = (record.task, record.seed, record.instructions, record.language, record.task_hash)
            if key not in tasks:
                tasks[key] = task_of(record)
            trail = read_trail(run.folder, record)
            shots = tuple(source for step in trail.steps if (source := source_of(step)) is not None)
            found.append(Episode(number, record, *tasks[key], trail, shots))
    return Collected(tuple(found), tuple(problems))
