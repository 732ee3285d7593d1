"""What a session reads of a task. `mobile_gym.task_registry.models.Task` is the one that comes from files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal
from typing import Protocol as TypingProtocol

from mobile_gym.assets.documents import Scalar
from mobile_gym.assets.table import Asset
from mobile_gym.reward.criteria import Criterion
from mobile_gym.reward.process import RequiredOperation
from mobile_gym.reward.progress import Protocol
from mobile_gym.reward.user_facts import User

Language = Literal["zh", "en"]
Instructions = Literal["original", "normalized"]
"""Which of a task's instructions is said: as a person would, or plainly (ElderBench, section 5.3)."""


class Localized(TypingProtocol):
    """A text in both languages."""

    @property
    def zh(self) -> str: ...
    @property
    def en(self) -> str: ...


class SubtaskSpec(TypingProtocol):
    """A part of a task that is met or not."""

    @property
    def id(self) -> str: ...
    @property
    def weight(self) -> float: ...
    @property
    def criterion(self) -> Criterion: ...
    @property
    def holds_at_start(self) -> bool: ...


class ScreenSpec(TypingProtocol):
    """What is on the screen when an episode starts."""

    @property
    def app(self) -> str | None: ...
    @property
    def component(self) -> str | None: ...
    @property
    def action(self) -> str | None: ...
    @property
    def data(self) -> str | None: ...
    @property
    def extras(self) -> Mapping[str, str | int | bool]: ...
    @property
    def shows(self) -> str | None: ...


class StartSpec(TypingProtocol):
    """How a device stands when an episode starts."""

    @property
    def snapshot(self) -> str: ...
    @property
    def clock(self) -> datetime | None: ...
    @property
    def settings(self) -> Mapping[str, Scalar]: ...
    @property
    def screen(self) -> Any: ...
    @property
    def steps(self) -> Sequence[Any]: ...


class TaskSpec(TypingProtocol):
    """A task as a session sees it."""

    @property
    def id(self) -> str: ...
    @property
    def protocol(self) -> Protocol: ...
    @property
    def instruction(self) -> Localized: ...
    @property
    def apps(self) -> Sequence[str]: ...
    @property
    def assets(self) -> Sequence[Asset]: ...
    @property
    def start(self) -> StartSpec: ...
    @property
    def subtasks(self) -> Sequence[Any]: ...
    @property
    def process(self) -> Sequence[RequiredOperation]: ...
    @property
    def user(self) -> User | None: ...
    @property
    def allowed_changes(self) -> Sequence[str]: ...
    @property
    def requirements(self) -> frozenset[str]: ...

    def in_language(self, language: Language) -> TaskSpec:
        """The task with the values that hold for one language."""
        ...
