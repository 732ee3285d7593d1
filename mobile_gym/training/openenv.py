"""Phones as an OpenEnv environment: served over HTTP and WebSocket, a phone for each session.

Frames travel as PNG in base64, actions as JSON: `{"kind": "tap", "point": [500, 120]}`.
"""

from __future__ import annotations

import base64
import uuid
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from openenv.core.env_server.http_server import create_fastapi_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action as BaseAction
from openenv.core.env_server.types import Observation as BaseObservation
from openenv.core.env_server.types import State as BaseState
from pydantic import Field

from mobile_gym.envs.task_env import MobileTaskEnv
from mobile_gym.models.messages import png


class PhoneAction(BaseAction):  # type: ignore[misc,unused-ignore]
    """An action; what is wrong with it costs a turn and is told in the observation's message.

    Attributes:
        kind: a kind's word, such as `tap`, `swipe`, `type`, `press_back`, `finish`.
        point: where the finger goes down, 0-1000 over the screen.
        lift: where the finger lets go.
        text: the text to type, the app to open, the answer.
    """

    kind: str
    point: list[int] | None = None
    lift: list[int] | None = None
    text: str = ""


class PhoneObservation(BaseObservation):  # type: ignore[misc,unused-ignore]
    """What is seen; `done` and `reward` come with it.

    Attributes:
        screenshot: the canvas, a PNG in base64.
        instruction: what the person asks.
        message: the user's reply, or why the last action was not carried out.
        hierarchy: the screen's tree as XML, where it was asked for.
        info: the environment's info as JSON.
    """

    screenshot: str
    instruction: str
    message: str = ""
    hierarchy: str | None = None
    info: dict[str, Any] = Field(default_factory=dict)


class PhoneState(BaseState):  # type: ignore[misc,unused-ignore]
    """Where an episode stands; beside its id and number of steps.

    Attributes:
        task: the task's id.
        seed: the seed of its parameters.
        total: sum of the rewards.
        success: whether it ended with success.
        ended_by: what ended it; empty while it runs.
    """

    task: str = ""
    seed: int = 0
    total: float = 0.0
    success: bool = False
    ended_by: str = ""


class PhoneEnvironment(Environment):  # type: ignore[misc,unused-ignore]
    """One session: a phone that plays a task.

    Args:
        make: makes the environment.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, make: Callable[[], MobileTaskEnv]) -> None:
        super().__init__()
        self._make = make
        self._env: MobileTaskEnv | None = None
        self._state = PhoneState()

    def reset(self, seed: int | None = None, episode_id: str | None = None, **more: Any) -> PhoneObservation:
        """Begins an episode.

        Args:
            seed: draws the task's parameters.
            episode_id: how the client names the episode; a new name where it gives none.
            more: nothing else is read.
        """
        if self._env is None:  # in the thread that will step it: a phone has one owner
            self._env = self._make()
        observation, info = self._env.reset(seed=seed)
        self._state = PhoneState(
            episode_id=episode_id or str(uuid.uuid4()), step_count=0, task=info["task_id"], seed=info["task_seed"]
        )
        return _observation(observation, info, None, False)

    def step(self, action: PhoneAction, timeout_s: float | None = None, **more: Any) -> PhoneObservation:
        """One turn.

        Args:
            action: what to do.
            timeout_s: not read: a step is never broken off half-way, and a device's calls have time-outs of their own.
            more: nothing else is read.

        Raises:
            RuntimeError: no episode is running.
        """
        if self._env is None:
            raise RuntimeError("no episode is running; call reset first")
        encoded = {"action_type": action.kind, "touch_point": action.point, "lift_point": action.lift}
        observation, reward, terminated, truncated, info = self._env.step({**encoded, "text": action.text})
        self._state = self._state.model_copy(
            update={
                "step_count": self._state.step_count + 1,
                "total": self._state.total + reward,
                "success": info["success"],
                "ended_by": info["ended_by"],
            }
        )
        return _observation(observation, info, reward, terminated or truncated)

    @property
    def state(self) -> PhoneState:
        """Where the episode stands."""
        return self._state

    def close(self) -> None:
        """Gives the phone up."""
        if self._env is not None:
            self._env.close()
            self._env = None


def phone_app(make: Callable[[], MobileTaskEnv], sessions: int = 4) -> Any:
    """The server as a FastAPI application; `uvicorn.run(phone_app(...))` serves it.

    Args:
        make: makes the environment of a session.
        sessions: the most sessions at a time; further ones are refused.
    """
    return create_fastapi_app(
        lambda: PhoneEnvironment(make),
        PhoneAction,
        PhoneObservation,
        max_concurrent_envs=sessions,
        env_name="mobile_gym",
        state_cls=PhoneState,
    )


def _observation(
    observation: Mapping[str, Any], info: Mapping[str, Any], reward: float | None, done: bool
) -> PhoneObservation:
    return PhoneObservation(
        screenshot=base64.b64encode(png(observation["screenshot"]).data).decode("ascii"),
        instruction=observation["instruction"],
        message=observation["message"],
        hierarchy=observation.get("hierarchy"),
        info={name: _plain(value) for name, value in info.items()},
        reward=reward,
        done=done,
    )


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value
