"""What an evaluation writes down: its configuration, one record and one timing an episode."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from mobile_gym.reward.task_spec import Instructions

Status = Literal["done", "not_run", "unverifiable"]


class RunConfig(BaseModel):
    """What all episodes of a run have in common; records of different configurations never mix.

    Attributes:
        package_version: version of mobile-gym.
        suite: the suite's name.
        suite_version: the suite's version.
        policy: the policy's name.
        policy_options: what the policy was made with.
        device: the device's spec.
        language: the instruction's and the device's language.
        observation_size: (width, height) of the canvas, or None for the device's screen.
        time_budget: the clock that overrides the tasks' own, or None.
        reset_mode: how start states are restored.
        user: who answers questions, see `MobileTaskEnv`.
        instructions: which of the tasks' instructions is said, see `MobileTaskEnv`.
        painter: versions that pixels depend on, by library.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    package_version: str
    suite: str
    suite_version: str
    policy: str
    policy_options: dict[str, Any] = {}
    device: str
    language: Literal["zh", "en"] = "zh"
    observation_size: tuple[int, int] | None = None
    time_budget: Literal["wall", "virtual", "none"] | None = None
    reset_mode: Literal["snapshot", "app_data", "manual"] = "snapshot"
    user: str = "scripted"
    instructions: Instructions = "original"
    painter: dict[str, str] = {}


class ActionError(BaseModel):
    """An action that was not carried out: the turn (from 1) and why."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    turn: int
    error: str


class EpisodeRecord(BaseModel):
    """One episode. Everything here is the same whenever the same deterministic policy plays again.

    Attributes:
        suite: the suite's name.
        suite_version: the suite's version.
        task: the task's id.
        task_hash: hash of the task's content.
        protocol: the task's protocol.
        tags: the task's tags.
        seed: the episode's seed.
        device: the device's spec.
        policy: the policy's name.
        language: the instruction's language.
        instructions: which of the task's instructions was said.
        status: `done`; `not_run` where the set-up, the device or the policy itself failed; `unverifiable` where the
            device lacks what the task requires. Only `done` counts in rates.
        success: by the protocol's rule.
        goal_reached: whether every subtask held at the end.
        claimed: whether the agent said that it was done.
        ended_by: what ended the episode, see `MobileTaskEnv`.
        terminated: Gymnasium's flag at the end.
        truncated: Gymnasium's flag at the end.
        turns: turns taken.
        reward: sum of the rewards.
        progress: share of subtasks met at the end.
        weighted_progress: the same by weight.
        subtasks: id to whether it held at the end.
        seen: id to what the verifier found of it at the end, in words, one for each leaf of its criterion.
        unexpected_changes: changes that the task does not allow.
        action_errors: actions that were not carried out.
        strict_success: under the protocol graph, whether it is a success in strict matching too; else None.
        mismatches: under the protocol graph, actions that matched no recorded one; else None.
        error: why it was not run or cannot be verified; else empty.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    suite: str
    suite_version: str
    task: str
    task_hash: str
    protocol: str
    tags: dict[str, Any] = {}
    seed: int
    device: str
    policy: str
    language: Literal["zh", "en"]
    instructions: Instructions = "original"
    status: Status
    success: bool = False
    goal_reached: bool = False
    claimed: bool = False
    ended_by: str = ""
    terminated: bool = False
    truncated: bool = False
    turns: int = 0
    reward: float = 0.0
    progress: float = 0.0
    weighted_progress: float = 0.0
    subtasks: dict[str, bool] = {}
    seen: dict[str, list[str]] = {}
    unexpected_changes: list[str] = []
    action_errors: list[ActionError] = []
    strict_success: bool | None = None
    mismatches: int | None = None
    error: str = ""

    @property
    def key(self) -> tuple[str, int]:
        """Task and seed: what a run plays once."""
        return self.task, self.seed


class TurnTiming(BaseModel):
    """What one turn took: the policy's time as measured around `act`, the environment's, and what the policy reported.

    Seconds of the machine's monotonic clock; reasoning, parsing, tokens and cost (in the currency of the
    user's price table) are None where the policy reports none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    policy_seconds: float
    env_seconds: float
    reasoning_seconds: float | None = None
    parsing_seconds: float | None = None
    prompt_tokens: int | None = None
    generated_tokens: int | None = None
    cost: float | None = None


class EpisodeTiming(BaseModel):
    """Timings of one episode; kept apart from the record, since they differ from run to run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    task: str
    seed: int
    started: str = Field(description="UTC time, ISO 8601")
    reset_seconds: float
    seconds: float
    turns: list[TurnTiming] = []

    @property
    def key(self) -> tuple[str, int]:
        """Task and seed."""
        return self.task, self.seed
