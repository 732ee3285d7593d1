"""Conformance checks for environments of tasks, beyond Gymnasium's own `check_env`; for tests of suites and devices.

Each check plays on an environment that the caller made and leaves it open. `check_all` runs them all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded

from mobile_gym.envs.actions import Action, ActionType, EncodedAction
from mobile_gym.envs.task_env import MobileTaskEnv, Observation

MALFORMED: tuple[Any, ...] = (
    None,
    {},
    7,
    {"action_type": 99},
    {"action_type": 0},
    {"action_type": 0, "touch_point": [1001, 0]},
    {"action_type": 0, "touch_point": [float("nan"), 0]},
    {"action_type": 3, "touch_point": [1, 1]},
    {"action_type": 5, "text": 3},
    {"action_type": "click", "touch_point": [1, 1]},
)
"""Actions that nobody can carry out."""


class NonConforming(AssertionError):
    """An environment that breaks a rule; the message says which and where."""


def check_all(make: Callable[[], MobileTaskEnv], seed: int = 0) -> None:
    """Runs every check on environments that `make` gives, each on a device of its own.

    Raises:
        NonConforming: a rule is broken.
    """
    one, two = make(), make()
    try:
        check_determinism(one, two, some_actions(one, seed), seed)
        check_mask(one, seed)
        check_malformed(one, seed)
        check_end(one, seed)
    finally:
        one.close()
        two.close()


def some_actions(env: MobileTaskEnv, seed: int, count: int = 12) -> list[EncodedAction]:
    """Random allowed actions that do not end the episode; texts are short."""
    rng = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    ending = (ActionType.FINISH, ActionType.FINISH_INFEASIBLE, ActionType.ANSWER)
    kinds = [kind for kind in ActionType if info["action_mask"][kind] and kind not in ending]
    actions: list[EncodedAction] = []
    for _ in range(count):
        points = rng.integers(0, 1001, size=(2, 2))
        kind = kinds[int(rng.integers(len(kinds)))]
        text = "1" if kind in (ActionType.TYPE, ActionType.OPEN_APP, ActionType.WAIT) else ""
        actions.append({"action_type": int(kind), "touch_point": points[0], "lift_point": points[1], "text": text})
    return actions


def check_determinism(one: MobileTaskEnv, two: MobileTaskEnv, actions: Sequence[EncodedAction], seed: int) -> None:
    """Two environments with one seed see and earn the same, step by step, and so does one that is reset again.

    Raises:
        NonConforming: they differ; tells in which step and field.
    """
    first, second = _play(one, actions, seed), _play(two, actions, seed)
    again = _play(one, actions, seed)
    for name, other in (("two environments", second), ("an environment that was reset again", again)):
        if len(first) != len(other):
            raise NonConforming(f"{name} with seed {seed} ended after {len(first)} and {len(other)} steps")
        for step, (left, right) in enumerate(zip(first, other, strict=True)):
            difference = _difference(left, right)
            if difference:
                raise NonConforming(f"{name} with seed {seed} differ in step {step}: {difference}")


def check_mask(env: MobileTaskEnv, seed: int = 0) -> None:
    """A kind that the mask forbids costs a turn and changes nothing; one that it allows is not called disallowed.

    Raises:
        NonConforming: the mask is not honest.
    """
    for kind in ActionType:
        observation, info = env.reset(seed=seed)
        text = "1" if kind in (ActionType.TYPE, ActionType.OPEN_APP, ActionType.ANSWER, ActionType.WAIT) else ""
        action = {"action_type": int(kind), "touch_point": (500, 500), "lift_point": (500, 400), "text": text}
        allowed = bool(info["action_mask"][kind])
        after, _, terminated, _, info = env.step(action)
        refused = "not allowed" in info["action_error"]
        if allowed == refused:
            told = "allows" if allowed else "forbids"
            raise NonConforming(f"the mask {told} {kind.word}, but the step said {info['action_error']!r}")
        if refused:
            _untouched(f"the disallowed {kind.word}", observation, after, terminated, info)


def check_malformed(env: MobileTaskEnv, seed: int = 0) -> None:
    """A malformed action costs a turn, changes nothing and says why; none breaks the environment.

    Raises:
        NonConforming: one was taken.
    """
    for action in MALFORMED:
        observation, _ = env.reset(seed=seed)
        after, _, terminated, _, info = env.step(action)
        if not info["action_error"]:
            raise NonConforming(f"the malformed action {action!r} was not reported")
        _untouched(f"the malformed action {action!r}", observation, after, terminated, info)


def check_end(env: MobileTaskEnv, seed: int = 0) -> None:
    """A finish at once ends the episode without success, and a step after the end is refused.

    Raises:
        NonConforming: a rule is broken.
    """
    env.reset(seed=seed)
    _, reward, terminated, truncated, info = env.step(Action.finish().encode())
    if not terminated or truncated or not info["agent_claimed"]:
        raise NonConforming("finish did not terminate the episode as claimed")
    if info["success"] or reward > 0:
        raise NonConforming(f"doing nothing but finish gave success={info['success']} and reward {reward}")
    try:
        env.step(Action.finish().encode())
    except ResetNeeded:
        return
    raise NonConforming("a step after the end was taken")


def _play(env: MobileTaskEnv, actions: Sequence[EncodedAction], seed: int) -> list[tuple[Any, ...]]:
    seen: list[tuple[Any, ...]] = [env.reset(seed=seed)]
    for action in actions:
        outcome = env.step(action)
        seen.append(outcome)
        if not env.observation_space.contains(outcome[0]):
            raise NonConforming("an observation lies outside the observation space")
        if outcome[2] or outcome[3]:
            break
    return seen


def _difference(left: Any, right: Any, where: str = "") -> str:
    """Where two outcomes differ, or an empty text."""
    if type(left) is not type(right):
        return f"{where or 'it'} is a {type(left).__name__} and a {type(right).__name__}"
    if isinstance(left, dict):
        if left.keys() != right.keys():
            return f"{where} has other keys"
        parts = ((f"{where}.{key}", left[key], right[key]) for key in left)
    elif isinstance(left, tuple | list):
        if len(left) != len(right):
            return f"{where} has other lengths"
        parts = ((f"{where}[{index}]", one, two) for index, (one, two) in enumerate(zip(left, right, strict=True)))
    elif isinstance(left, np.ndarray):
        return "" if np.array_equal(left, right) else f"{where} differs"
    else:
        return "" if left == right else f"{where} is {left!r} and {right!r}"
    return next((found for name, one, two in parts if (found := _difference(one, two, name))), "")


def _untouched(what: str, before: Observation, after: Observation, terminated: bool, info: dict[str, Any]) -> None:
    if not np.array_equal(before["screenshot"], after["screenshot"]):
        raise NonConforming(f"{what} changed the screen")
    if terminated or info["turn"] != 1:
        raise NonConforming(f"{what} must cost one turn and not end the episode")
    if info["action_error"] not in after["message"]:
        raise NonConforming(f"the message does not say why {what} was refused")
