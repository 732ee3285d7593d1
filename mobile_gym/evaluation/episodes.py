"""Episodes: one policy plays one task once."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mobile_gym.devices.errors import DeviceError
from mobile_gym.envs.kinds import TaskEnv
from mobile_gym.evaluation.models import ActionError, EpisodeRecord, EpisodeTiming, RunConfig, Status, TurnTiming
from mobile_gym.evaluation.trajectories import Trajectory
from mobile_gym.policies.base import Explained, Metered, Policy, PolicyError, Privileged
from mobile_gym.reward.errors import DemonstrationError, SetupError, Unverifiable, UserFailed
from mobile_gym.task_registry.models import Task


def run_episode(
    env: TaskEnv, policy: Policy, seed: int, config: RunConfig, trajectory: Path | None = None
) -> tuple[EpisodeRecord, EpisodeTiming]:
    """Plays one episode to its end.

    A set-up, device or policy that fails gives a record with the status `not_run`, a device that lacks what the task
    requires one with `unverifiable`: neither is the agent's failure.

    Args:
        env: the environment.
        policy: who acts.
        seed: the seed of the environment and of the policy.
        config: the run that the record belongs to.
        trajectory: the folder for the episode's files, or None for none.

    Returns:
        The record and its timings.

    Raises:
        RecordsError: the trajectory could not be written.
    """
    clock = Stopwatch(env.task.id, seed)
    try:
        observation, info = env.reset(seed=seed)
    except Unverifiable as problem:
        return unplayed(env.task, seed, config, "unverifiable", problem), clock.timing()
    except (SetupError, DeviceError) as problem:
        return unplayed(env.task, seed, config, "not_run", problem), clock.timing()
    clock.begin()
    files = Trajectory(trajectory) if trajectory is not None else None
    totals = _Totals()
    try:
        if isinstance(policy, Privileged):
            policy.attach(env)
        policy.reset(env.task, info, seed)
        while not totals.over:
            if files is not None:
                files.see(observation)
            before = time.monotonic()
            action = policy.act(observation, info)
            between = time.monotonic()
            observation, reward, terminated, truncated, info = env.step(action)
            clock.turn(policy, between - before, time.monotonic() - between)
            totals.add(reward, terminated, truncated, info)
            if files is not None:
                said = policy.explanation() if isinstance(policy, Explained) else {}
                files.act(action, reward, info, said)
        if files is not None:
            files.see(observation)
        if not info["device_error"]:
            totals.seen = env.seen()
    except (PolicyError, DemonstrationError, DeviceError, SetupError, UserFailed) as problem:
        fields = totals.fields(info)
        return _record(env.task, seed, config, status="not_run", error=_told(problem), **fields), clock.timing()
    status = "not_run" if info["device_error"] else "done"
    fields = totals.fields(info)
    return _record(env.task, seed, config, status=status, error=info["device_error"], **fields), clock.timing()


class _Totals:
    """What an episode sums up to."""

    def __init__(self) -> None:
        self.reward = 0.0
        self.terminated = False
        self.truncated = False
        self.errors: list[ActionError] = []
        self.seen: dict[str, list[str]] = {}

    @property
    def over(self) -> bool:
        return self.terminated or self.truncated

    def add(self, reward: float, terminated: bool, truncated: bool, info: dict[str, Any]) -> None:
        self.reward += reward
        self.terminated, self.truncated = terminated, truncated
        if info["action_error"]:
            self.errors.append(ActionError(turn=info["turn"], error=info["action_error"]))

    def fields(self, info: dict[str, Any]) -> dict[str, Any]:
        return {
            "success": info["success"],
            "goal_reached": info["goal_reached"],
            "claimed": info["agent_claimed"],
            "ended_by": info["ended_by"],
            "terminated": self.terminated,
            "truncated": self.truncated,
            "turns": info["turn"],
            "reward": round(self.reward, 9),
            "progress": info["progress"],
            "weighted_progress": info["weighted_progress"],
            "subtasks": info["subtasks"],
            "seen": self.seen,
            "unexpected_changes": info["unexpected_changes"],
            "action_errors": self.errors,
            "strict_success": info.get("strict_success"),
            "mismatches": info.get("mismatches"),
        }


class Stopwatch:
    """Measures an episode by the machine's monotonic clock."""

    def __init__(self, task: str, seed: int) -> None:
        self._task, self._seed = task, seed
        self._started = datetime.now(UTC).isoformat(timespec="seconds")
        self._start = time.monotonic()
        self._reset = 0.0
        self._turns: list[TurnTiming] = []

    def begin(self) -> None:
        self._reset = time.monotonic() - self._start

    def turn(self, policy: Policy, policy_seconds: float, env_seconds: float) -> None:
        usage = policy.usage() if isinstance(policy, Metered) else None
        self._turns.append(
            TurnTiming(
                policy_seconds=policy_seconds,
                env_seconds=env_seconds,
                reasoning_seconds=usage.reasoning_seconds if usage else None,
                parsing_seconds=usage.parsing_seconds if usage else None,
                prompt_tokens=usage.prompt_tokens if usage else None,
                generated_tokens=usage.generated_tokens if usage else None,
                cost=usage.cost if usage else None,
            )
        )

    def timing(self) -> EpisodeTiming:
        return EpisodeTiming(
            task=self._task,
            seed=self._seed,
            started=self._started,
            reset_seconds=self._reset,
            seconds=time.monotonic() - self._start,
            turns=self._turns,
        )


def unplayed(task: Task, seed: int, config: RunConfig, status: Status, problem: Exception) -> EpisodeRecord:
    """The record of an episode that could not begin."""
    return _record(task, seed, config, status=status, error=_told(problem))


def _record(task: Task, seed: int, config: RunConfig, **fields: Any) -> EpisodeRecord:
    return EpisodeRecord(
        suite=config.suite,
        suite_version=config.suite_version,
        task=task.id,
        task_hash=task.content_hash,
        protocol=task.protocol,
        tags=task.tags.model_dump(mode="json", exclude_none=True),
        seed=seed,
        device=config.device,
        policy=config.policy,
        language=config.language,
        instructions=config.instructions,
        **fields,
    )


def _told(problem: Exception) -> str:
    return f"{type(problem).__name__}: {problem}"
