"""Verdicts, progress and the two rewards, as pure functions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Protocol = Literal["online", "graph", "process", "workflow", "grounding"]
RewardMode = Literal["progress", "raw", "sparse"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a look at the device says about a task. Whether the agent said that it is done is not part of it.

    Attributes:
        subtasks: whether each subtask is met, by id.
        progress: share of subtasks met, each counting the same, 0 to 1.
        weighted_progress: share of the subtasks' weight that is met, 0 to 1.
        goal_reached: whether all subtasks are met, and all operations done that the task requires on the way.
        unexpected_changes: side effects, in words.
        operations: which of the required operations were done and hold still, in the task's order.
        by_event: whether something happened for it: a subtask is met that was not at the start.
    """

    subtasks: Mapping[str, bool]
    progress: float
    weighted_progress: float
    goal_reached: bool
    unexpected_changes: tuple[str, ...] = ()
    operations: tuple[bool, ...] = ()
    by_event: bool = True

    @property
    def clean(self) -> bool:
        """Whether the goal is reached and nothing else was changed."""
        return self.goal_reached and not self.unexpected_changes


def verdict(
    subtasks: Mapping[str, bool],
    weights: Mapping[str, float],
    side_effects: tuple[str, ...] = (),
    operations: tuple[bool, ...] = (),
    by_event: bool = True,
) -> Verdict:
    """The verdict over subtasks; a task without any has no progress and is never reached."""
    if not subtasks:
        return Verdict({}, 0.0, 0.0, False, side_effects, operations, by_event)
    met = [name for name, done in subtasks.items() if done]
    whole = sum(weights[name] for name in subtasks)
    return Verdict(
        dict(subtasks),
        len(met) / len(subtasks),
        sum(weights[name] for name in met) / whole,
        len(met) == len(subtasks) and all(operations),
        side_effects,
        operations,
        by_event,
    )


def succeeded(result: Verdict, protocol: Protocol, finished: bool) -> bool:
    """Whether an episode is a success.

    Online and process: the agent finished, the goal is reached and nothing unexpected changed (ElderBench, section
    4.2.1).
    Workflow: the same without having to finish where something happened for it, as meeting all subtasks ends the
    episode (GMA, section 4.1); a goal that held from the start must be claimed.

    Raises:
        ValueError: the protocol does not judge by subtasks.
    """
    if protocol in ("online", "process"):
        return finished and result.clean
    if protocol == "workflow":
        return result.clean and (finished or result.by_event)
    raise ValueError(f"success under the protocol {protocol!r} is not decided by subtasks")


def credited(mode: RewardMode, result: Verdict) -> float:
    """The progress that a reward counts: none while anything unexpected is changed, or under `raw` always all of it."""
    return 0.0 if mode != "raw" and result.unexpected_changes else result.progress


def reward(mode: RewardMode, before: float, after: float, success: bool) -> float:
    """The reward of one turn.

    Args:
        mode: `progress` and `raw`: half the change of progress, and a half at success, so that an episode sums to 1
            at most; `sparse`: 1 at success.
        before: credited progress before the turn, 0 to 1; see `credited`.
        after: credited progress after the turn, 0 to 1.
        success: whether the turn ended the episode with success.
    """
    if mode == "sparse":
        return 1.0 if success else 0.0
    return 0.5 * (after - before) + (0.5 if success else 0.0)
