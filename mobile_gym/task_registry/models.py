"""`Task`: one task as its YAML file says, parsed and checked."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Annotated, Any, Literal

from annotated_types import MinLen
from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    ModelWrapValidatorHandler,
    PrivateAttr,
    field_validator,
    model_validator,
)

from mobile_gym.assets.documents import Scalar, Strict
from mobile_gym.assets.general import SettingKey
from mobile_gym.assets.table import Asset
from mobile_gym.devices.base import Capability
from mobile_gym.reward.criteria import Criterion
from mobile_gym.reward.process import RequiredOperation
from mobile_gym.reward.progress import Protocol
from mobile_gym.reward.session import PROVIDER
from mobile_gym.reward.steps import Step
from mobile_gym.reward.task_spec import Language
from mobile_gym.reward.user_facts import User
from mobile_gym.task_registry import languages
from mobile_gym.task_registry.ids import SUITE_ID, TASK_ID
from mobile_gym.task_registry.params import Param

NonEmpty = Annotated[str, MinLen(1)]


class Instruction(Strict):
    """What a person asks, in both languages.

    Attributes:
        zh: in Chinese.
        en: in English.
    """

    zh: NonEmpty
    en: NonEmpty


class Tags(Strict):
    """Labels of a task.

    Attributes:
        syntax: ElderBench, appendix D.1.
        semantics: ElderBench, appendix D.2.
        scenario: ElderBench, appendix D.3.
        verbs: the operational verbs of the Chinese instruction; an empty list for none (appendix C.2).
        kind: ProBench: judged by the state alone, or by the way too.
        app_language: ProBench: whether the app is one of its Chinese or of its English ones.
        tier: GMA's levels (section 3.3).
        dimensions: GMA's dimensions, any number of them (section 3.3): `multi_step_workflow`, `selection_optimization`,
            `information_gathering`, `conditional`, `invalid_instruction`; or further labels.
    """

    syntax: Literal["canonical", "narrative", "elliptical", "compound"] | None = None
    semantics: (
        Literal[
            "clear_and_explicit",
            "under_specification",
            "disfluency_or_correction",
            "referential_ambiguity",
            "indirect_speech",
        ]
        | None
    ) = None
    scenario: (
        Literal["life_services", "social_communication", "system_settings", "information_inquiry", "tool_assistance"]
        | None
    ) = None
    verbs: tuple[str, ...] | None = None
    kind: Literal["state", "process"] | None = None
    app_language: Language | None = None
    tier: Literal["atomic", "compositional", "cross_application", "realistic"] | None = None
    dimensions: tuple[str, ...] = ()


class Screen(Strict):
    """What is opened before the episode starts; the bare name of an app opens that app.

    Attributes:
        app: an app, by label or package.
        component: an activity, `package/.Class`.
        action: an intent's action.
        data: an intent's URI.
        extras: an intent's extras.
        shows: text that must then be on the screen.
    """

    app: str | None = None
    component: str | None = None
    action: str | None = None
    data: str | None = None
    extras: dict[str, str | int | bool] = {}
    shows: str | None = None

    @model_validator(mode="after")
    def _one_way(self) -> Screen:
        if (self.app is not None) == (self.component is not None or self.action is not None):
            raise ValueError("a screen is opened by 'app', or by 'component' or 'action'")
        return self


def _screen_of(value: Any) -> Any:
    return {"app": value} if isinstance(value, str) else value


class Start(Strict):
    """How the device stands when the episode starts.

    Attributes:
        snapshot: the snapshot that is restored.
        clock: the device's local time.
        settings: settings that are put; null deletes one.
        screen: what is opened; the home screen where nothing is given.
        steps: what is done from there on to come to where the episode starts.
    """

    snapshot: NonEmpty = "clean"
    clock: datetime | None = None
    settings: dict[SettingKey, Scalar] = {}
    screen: Annotated[Screen | None, BeforeValidator(_screen_of)] = None
    steps: tuple[Step, ...] = ()

    @field_validator("clock")
    @classmethod
    def _local(cls, value: datetime | None) -> datetime | None:
        if value is not None and value.tzinfo is not None:
            raise ValueError("the clock is the device's local time; leave the zone out")
        return value


class Budget(Strict):
    """What an episode may cost.

    Attributes:
        steps: turns.
        seconds: time, or null for no bound.
        clock: what the time is measured by.
    """

    steps: int = Field(ge=1)
    seconds: float | None = Field(default=None, gt=0)
    clock: Literal["wall", "virtual", "none"] = "none"


INFEASIBLE = "infeasible"
"""The subtask of a task that cannot be done as asked."""

_BUDGETS: Mapping[str, Mapping[str, Any]] = {
    "online": {"steps": 25, "seconds": 120, "clock": "wall"},  # ElderBench, section 4.1
    "graph": {"steps": 25, "seconds": 120, "clock": "wall"},
    "process": {"steps": 15},  # ProBench
    "workflow": {"steps": 150},  # GMA
    "grounding": {"steps": 1},  # TransBench
}


class Subtask(Strict):
    """A part of the task that is met or not; a bare criterion is a subtask too.

    Attributes:
        id: its name; its number where none is given.
        weight: how much it counts in the weighted progress.
        criterion: what must hold.
        holds_at_start: whether it may hold before anything was done.
    """

    id: NonEmpty
    weight: float = Field(default=1, gt=0)
    criterion: Criterion
    holds_at_start: bool = False


def _in_a_row(value: Any) -> Any:
    """Steps in a row: a list among them, such as an alias of steps that several ways share, stands for its steps."""
    if not isinstance(value, list | tuple):
        return value
    steps: list[Any] = []
    for item in value:
        steps.extend(_in_a_row(item) if isinstance(item, list | tuple) else (item,))
    return steps


Steps = Annotated[tuple[Step, ...], MinLen(1), BeforeValidator(_in_a_row)]


class NearMiss(Strict):
    """Steps that look right and are not, and the score that they must get; or an unusual way that is right.

    Attributes:
        steps: what is done.
        why: what is wrong with it.
        success: whether it is a success.
        progress: its progress, where it matters.
        subtasks: subtasks that must come out so.
        unexpected: whether it must be told of for an unexpected change.
    """

    steps: Steps
    why: str | None = None
    success: bool = False
    progress: float | None = Field(default=None, ge=0, le=1)
    subtasks: dict[str, bool] = {}
    unexpected: bool | None = None


def _check_requirement(name: str) -> str:
    known = [str(capability) for capability in Capability]
    if name not in known and not re.fullmatch(rf"{PROVIDER}[\w.]+", name):
        raise ValueError(f"'{name}' is no capability; there are {', '.join(known)} and {PROVIDER}<authority>")
    return name


class Task(Strict):
    """One task.

    Attributes:
        id: its id, which is also its file's name.
        suite: the suite, which is also its folder's name.
        protocol: how an episode runs and is judged.
        instruction: what the person asks.
        instruction_normalized: the same said plainly (ElderBench, section 5.3).
        apps: packages of the apps that it is about.
        tags: labels.
        params: parameters that are drawn by a seed; they are filled in already.
        assets: what is put on the device.
        start: how the device stands.
        budget: what an episode may cost; the protocol's where none is given.
        requires: capabilities beyond those that assets and criteria need.
        subtasks: what must be met.
        process: operations that are required on the way, in order (ProBench's process-related tasks).
        infeasible: whether it cannot be done as asked, so that `finish_infeasible` is its right end (GMA's invalid
            instructions); this is the subtask `infeasible`, beside those that the task may have.
        allowed_changes: patterns of changes that are no side effects, beyond those that criteria account for.
        user: what a simulated user knows.
        demonstrations: ways to solve it.
        near_misses: ways that look right.
    """

    id: Annotated[str, Field(pattern=TASK_ID)]
    suite: Annotated[str, Field(pattern=SUITE_ID)]
    protocol: Protocol
    instruction: Instruction
    instruction_normalized: Instruction | None = None
    apps: tuple[str, ...] = ()
    tags: Tags = Tags()
    params: dict[str, Param] = {}
    assets: tuple[Asset, ...] = ()
    start: Start = Start()
    budget: Budget
    requires: tuple[Annotated[str, AfterValidator(_check_requirement)], ...] = ()
    subtasks: Annotated[tuple[Subtask, ...], MinLen(1)]
    process: tuple[RequiredOperation, ...] = ()
    infeasible: bool = False
    allowed_changes: tuple[NonEmpty, ...] = ()
    user: User | None = None
    demonstrations: tuple[Steps, ...] = ()
    near_misses: tuple[NearMiss, ...] = ()

    _english: Task | None = PrivateAttr(default=None)

    @model_validator(mode="wrap")
    @classmethod
    def _both_languages(cls, data: Any, handler: ModelWrapValidatorHandler[Task]) -> Task:
        """Where values are given by language the task holds the Chinese ones, and keeps its English twin."""
        if not isinstance(data, Mapping) or not any(languages.by_language(data.get(name)) for name in languages.FIELDS):
            return handler(data)
        task = handler(languages.task_in(data, "zh"))
        task._english = handler(languages.task_in(data, "en"))
        return task

    def in_language(self, language: Language) -> Task:
        """The task with the values of assets, start and criteria that hold for one language."""
        return self._english if language == "en" and self._english is not None else self

    def normalized(self) -> Task:
        """The same task asked plainly, for comparing the two (ElderBench, section 5.3).

        It keeps the content hash: both instructions are in it, and task graphs and pairs of runs are of the same task.

        Raises:
            ValueError: it has no normalised instruction.
        """
        if self.instruction_normalized is None:
            raise ValueError(
                f"task {self.id} has no normalised instruction; give its file instruction_normalized, or play it with "
                "the original one"
            )
        said = {"instruction": self.instruction_normalized}
        task = self.model_copy(update=said)
        task.__dict__["content_hash"] = self.content_hash
        if self._english is not None:
            task._english = self._english.model_copy(update=said)
        return task

    def played_as(self, protocol: Protocol) -> Task:
        """The same task under another protocol, in both languages; the budget stays."""
        task = self.model_copy(update={"protocol": protocol})
        task.__dict__.pop("content_hash", None)
        if self._english is not None:
            task._english = self._english.model_copy(update={"protocol": protocol})
        return task

    @model_validator(mode="before")
    @classmethod
    def _defaults(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        filled = dict(data)
        subtasks = filled.get("subtasks")
        if filled.get("infeasible") is True and isinstance(subtasks, list | tuple | None):
            subtasks = filled["subtasks"] = _with_infeasible(subtasks or ())
        if isinstance(subtasks, list | tuple):
            filled["subtasks"] = [_subtask(item, number) for number, item in enumerate(subtasks, start=1)]
        if "budget" not in filled:
            # A protocol that is none is told of by its own field.
            filled["budget"] = dict(_BUDGETS.get(str(filled.get("protocol")), _BUDGETS["online"]))
        return filled

    @model_validator(mode="after")
    def _fits(self) -> Task:
        names = [subtask.id for subtask in self.subtasks]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"subtasks: the id '{twice[0]}' is given twice")
        for index, miss in enumerate(self.near_misses):
            unknown = sorted(set(miss.subtasks) - set(names))
            if unknown:
                raise ValueError(
                    f"near_misses[{index}].subtasks: no subtask '{unknown[0]}'; there are {', '.join(names)}"
                )
        if self.infeasible and self.protocol != "workflow":
            raise ValueError(f"infeasible: the protocol {self.protocol!r} has no finish_infeasible; use workflow")
        if self.tags.kind is not None and (self.tags.kind == "process") != bool(self.process):
            raise ValueError(
                "tags.kind is 'process' for tasks that list operations in 'process', and 'state' for others"
            )
        self._questions_are_known()
        return self

    def _questions_are_known(self) -> None:
        known = list(self.user.knows) if self.user is not None else []
        for criterion in self.criteria():
            for _, part in criterion.walk():
                if part.kind == "asked" and part.spec not in known:
                    raise ValueError(
                        f"the criterion 'asked: {part.spec}' names no topic of user.knows; "
                        f"there are {', '.join(known) or 'none'}"
                    )

    def criteria(self) -> Iterator[Criterion]:
        """All criteria: those of the subtasks, and those that operations state."""
        for subtask in self.subtasks:
            yield subtask.criterion
        for required in self.process:
            for operation in required.leaves:
                yield from operation.criteria

    @property
    def requirements(self) -> frozenset[str]:
        """All that a device needs to verify this task: what it `requires`, and what its assets and criteria need."""
        needs = [frozenset(self.requires)]
        needs += [asset.type.requires for asset in self.assets]
        needs += [criterion.requires() for criterion in self.criteria()]
        if any(operation.target is not None for required in self.process for operation in required.leaves):
            needs.append(frozenset({str(Capability.HIERARCHY)}))
        if self.start.settings:
            needs.append(frozenset({str(Capability.SETTINGS)}))
        return frozenset().union(*needs)

    @cached_property
    def content_hash(self) -> str:
        """A hash of all that the task says, equal for files that differ in comments, order of keys and layout alone."""
        twins = (self,) if self._english is None else (self, self._english)
        plain = [twin.model_dump(mode="json", by_alias=True, exclude_defaults=True) for twin in twins]
        text = json.dumps(
            plain if len(plain) > 1 else plain[0], sort_keys=True, ensure_ascii=False, separators=(",", ":")
        )
        return hashlib.sha256(text.encode()).hexdigest()


def _with_infeasible(subtasks: Sequence[Any]) -> list[Any]:
    told = {"id": INFEASIBLE, "criterion": {"ended": "infeasible"}}
    rest = [item for item in subtasks if not (isinstance(item, Mapping) and item.get("id") == INFEASIBLE)]
    return [*rest, told]


def _subtask(item: Any, number: int) -> Any:
    if isinstance(item, Mapping) and len(item) == 1 and next(iter(item)) in Criterion.kinds():
        return {"id": str(number), "criterion": item}
    if isinstance(item, Mapping) and "id" not in item:
        return {"id": str(number), **item}
    return item
