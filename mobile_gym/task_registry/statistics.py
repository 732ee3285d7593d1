"""How a suite's instructions are made up, beside what a suite of its kind should have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mobile_gym.task_registry.models import Task

SHORT = 20
"""ElderBench counts the instructions of fewer characters than this."""


@dataclass(frozen=True, slots=True)
class Share:
    """How many tasks have a property, beside how many should.

    Attributes:
        name: the property, such as `semantics: indirect_speech`.
        count: how many have it.
        of: how many tasks were counted.
        wanted: the share that should have it, 0 to 1; None where nothing is asked.
    """

    name: str
    count: int
    of: int
    wanted: float | None = None

    @property
    def within_one(self) -> bool:
        """Whether the count is within one task of what it should be."""
        return self.wanted is None or abs(self.count - self.wanted * self.of) <= 1


@dataclass(frozen=True, slots=True)
class Statistics:
    """A suite in numbers.

    Attributes:
        tasks: how many tasks.
        mean_length: mean length of the Chinese instructions, characters.
        mean_verbs: mean number of verbs by the tags; None where no task lists them.
        shares: shares of labels and lengths.
        wanted: the means that a suite of its kind should have, by name.
        paper: the paper's own counts, by name.
        apps: how many apps the tasks are about.
        notes: what else is off, in words.
    """

    tasks: int
    mean_length: float
    mean_verbs: float | None
    shares: tuple[Share, ...]
    wanted: Mapping[str, float]
    paper: Mapping[str, int] = field(default_factory=dict)
    apps: int = 0
    notes: tuple[str, ...] = ()

    @property
    def off(self) -> tuple[Share, ...]:
        """Shares that are not within one task."""
        return tuple(share for share in self.shares if not share.within_one)


def statistics(tasks: Sequence[Task], facts: Mapping[str, Any] | None = None) -> Statistics:
    """The statistics of tasks.

    Args:
        tasks: at least one task.
        facts: what the suite's `suite.yaml` says under `statistics`.

    Raises:
        ValueError: there are no tasks.
    """
    if not tasks:
        raise ValueError("there are no tasks to count")
    facts = facts or {}
    wanted_tags: Mapping[str, Mapping[str, float]] = facts.get("tags", {})
    shares: list[Share] = []
    for label in ("semantics", "syntax", "scenario", "tier", "kind", "app_language"):
        counted = Counter(value for task in tasks if (value := getattr(task.tags, label)) is not None)
        wanted = wanted_tags.get(label, {})
        for name in sorted({*counted, *wanted}):
            count = sum(counted[part] for part in name.split("+"))
            shares.append(Share(f"{label}: {name}", count, len(tasks), wanted.get(name)))
    shares += _dimensions(tasks, facts.get("dimensions", ()))
    lengths = [len(task.instruction.zh) for task in tasks]
    short = sum(length < SHORT for length in lengths)
    shares.append(Share(f"shorter than {SHORT} characters", short, len(tasks), facts.get("shorter_than_20")))
    indirect = [task for task in tasks if task.tags.semantics == "indirect_speech"]
    if indirect:
        silent = sum(task.tags.verbs == () for task in indirect)
        share = facts.get("indirect_speech_without_verb")
        shares.append(Share("indirect speech without a verb", silent, len(indirect), share))
    verbs = [len(task.tags.verbs) for task in tasks if task.tags.verbs is not None]
    return Statistics(
        tasks=len(tasks),
        mean_length=sum(lengths) / len(lengths),
        mean_verbs=sum(verbs) / len(verbs) if verbs else None,
        shares=tuple(shares),
        wanted={name: float(facts[name]) for name in ("mean_length", "mean_verbs") if name in facts},
        paper=facts.get("paper", {}),
        apps=len({app for task in tasks for app in task.apps}),
        notes=tuple(_notes(tasks, facts)),
    )


def _dimensions(tasks: Sequence[Task], known: Sequence[str]) -> list[Share]:
    """How many tasks have each dimension: those that the suite knows, and any other."""
    counted = Counter(name for task in tasks for name in task.tags.dimensions)
    names = [*known, *sorted(counted.keys() - set(known))]
    return [Share(f"dimension: {name}", counted[name], len(tasks)) for name in names]


def _notes(tasks: Sequence[Task], facts: Mapping[str, Any]) -> Iterator[str]:
    """Tasks that are not what their tags say, as far as can be counted."""
    for tier, (least, most) in facts.get("apps_by_tier", {}).items():
        for task in tasks:
            if task.tags.tier == tier and not least <= len(task.apps) <= most:
                yield f"{task.id}: a task of the tier {tier} is about {least} to {most} apps, not {len(task.apps)}"
    for label in facts.get("tags", {}):
        for task in tasks:
            if getattr(task.tags, label) is None:
                yield f"{task.id}: it has no tag '{label}'"
    for task in tasks:
        if task.infeasible and facts.get("dimensions") and "invalid_instruction" not in task.tags.dimensions:
            yield f"{task.id}: it is infeasible and lacks the dimension 'invalid_instruction'"
