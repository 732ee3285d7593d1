"""Rollouts of groups: several episodes from one start, side by side, with batched answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Protocol

import gymnasium as gym

from mobile_gym.devices.errors import CapabilityMissing
from mobile_gym.envs.actions import EncodedAction
from mobile_gym.envs.episode_state import EpisodeState
from mobile_gym.envs.task_env import Observation
from mobile_gym.training.codecs import Chat, Codec
from mobile_gym.training.vision_policy import Answer, VisionPolicy

Outcome = tuple[Observation, float, bool, bool, dict[str, Any]]
"""What `gymnasium.Env.step` gives."""


@dataclass(frozen=True, slots=True)
class Start:
    """Where an episode starts: the same start is the same screen, the same task and the same instruction.

    Attributes:
        task: what the lanes make an environment from: an environment's id or a task's file.
        seed: the seed of its reset.
    """

    task: str
    seed: int


@dataclass(frozen=True, slots=True)
class Turn:
    """What was asked and answered in one turn."""

    chat: Chat
    answer: Answer


@dataclass
class Episode:
    """An episode that was played.

    Attributes:
        start: where it started.
        turns: its turns.
        total: sum of its rewards.
        success: as the environment says.
        ended_by: what ended it, as the environment says.
        error: why it does not count (a device that failed); else empty.
    """

    start: Start
    turns: list[Turn] = field(default_factory=list)
    total: float = 0.0
    success: bool = False
    ended_by: str = ""
    error: str = ""


class Lanes(Protocol):
    """Environments side by side."""

    @property
    def count(self) -> int:
        """How many episodes can run at a time."""

    def reset(self, starts: Sequence[Start]) -> list[tuple[Observation, dict[str, Any]]]:
        """Begins an episode in each of the first lanes.

        Equal starts next to each other are a group: its first episode is reset, the others go on from that one's
        state, each on a phone of its own. Where a state cannot be taken over, each is reset with the seed.
        `info["forked"]` tells.
        """

    def step(self, actions: Mapping[int, EncodedAction]) -> dict[int, Outcome]:
        """Carries out an action in some lanes, by lane."""

    def close(self) -> None:
        """Gives all environments up."""


class LocalLanes:
    """Lanes in this process, one after the other; an environment is kept for each lane and task.

    Members of a group begin on forks of one phone where the device can be forked.

    Args:
        make: makes an environment of a task.
        count: how many lanes there are.
    """

    def __init__(self, make: Callable[[str], gym.Env[Observation, EncodedAction]], count: int) -> None:
        self._make = make
        self._count = count
        self._envs: dict[tuple[int, str], gym.Env[Observation, EncodedAction]] = {}
        self._playing: dict[int, gym.Env[Observation, EncodedAction]] = {}

    @property
    def count(self) -> int:
        """See `Lanes`."""
        return self._count

    def reset(self, starts: Sequence[Start]) -> list[tuple[Observation, dict[str, Any]]]:
        """See `Lanes`."""
        found = []
        for group in groups_of(starts):
            state: EpisodeState | None = None
            for lane in group:
                start = starts[lane]
                key = (lane, start.task)
                if key not in self._envs:
                    self._envs[key] = self._make(start.task)
                env = self._playing[lane] = self._envs[key]
                if state is None:
                    observation, info = env.reset(seed=start.seed)
                else:
                    observation, info = env.reset(options={"episode": state})
                found.append((observation, {**info, "forked": state is not None}))
                if lane == group[0] and len(group) > 1:
                    state = saved_episode(env)
        return found

    def step(self, actions: Mapping[int, EncodedAction]) -> dict[int, Outcome]:
        """See `Lanes`."""
        return {lane: _floated(self._playing[lane].step(action)) for lane, action in actions.items()}

    def close(self) -> None:
        """See `Lanes`."""
        for env in self._envs.values():
            env.close()
        self._envs.clear()


def groups_of(starts: Sequence[Start]) -> list[range]:
    """The lanes of equal starts that stand next to each other."""
    heads = [lane for lane, start in enumerate(starts) if lane == 0 or start != starts[lane - 1]]
    return [range(head, end) for head, end in pairwise([*heads, len(starts)])]


def saved_episode(env: gym.Env[Observation, EncodedAction]) -> EpisodeState | None:
    """The running episode, for others to go on from; None where the environment or its device cannot tell it."""
    if not env.has_wrapper_attr("save_episode"):
        return None
    try:
        state: EpisodeState = env.get_wrapper_attr("save_episode")()
    except CapabilityMissing:
        return None
    return state


def _floated(outcome: tuple[Any, Any, bool, bool, dict[str, Any]]) -> Outcome:
    observation, reward, terminated, truncated, info = outcome
    return observation, float(reward), terminated, truncated, info


def play_groups(
    lanes: Lanes,
    starts: Sequence[Start],
    size: int,
    policy: VisionPolicy,
    codec: Callable[[], Codec],
    greedy: bool = False,
    batch: int = 16,
) -> list[list[Episode]]:
    """Plays `size` episodes from each start.

    Args:
        lanes: where they are played; starts that do not fit at once wait for the next round.
        starts: the starts.
        size: episodes a start.
        policy: who answers.
        codec: makes the codec of an episode.
        greedy: whether the likeliest answers are taken.
        batch: the most chats that are answered at once.

    Returns:
        For each start its episodes.
    """
    wanted = [start for start in starts for _ in range(size)]
    played: list[Episode] = []
    for first in range(0, len(wanted), lanes.count):
        played += _play(lanes, wanted[first : first + lanes.count], policy, codec, greedy, batch)
    return [played[first : first + size] for first in range(0, len(played), size)]


def _play(
    lanes: Lanes,
    starts: Sequence[Start],
    policy: VisionPolicy,
    codec: Callable[[], Codec],
    greedy: bool,
    batch: int,
) -> list[Episode]:
    episodes = [Episode(start) for start in starts]
    codecs = [codec() for _ in starts]
    seen = dict(enumerate(lanes.reset(starts)))
    for lane, (observation, info) in list(seen.items()):
        if problem := fault(info):
            episodes[lane].error = problem
            del seen[lane]
            continue
        codecs[lane].begin(observation)
    while seen:
        running = sorted(seen)
        chats = {lane: codecs[lane].chat(*seen[lane]) for lane in running}
        answers: dict[int, Answer] = {}
        for first in range(0, len(running), batch):
            part = running[first : first + batch]
            answers |= zip(part, policy.generate([chats[lane] for lane in part], greedy), strict=True)
        read = {lane: codecs[lane].read(answers[lane].text, answers[lane].cut_off) for lane in running}
        outcomes = lanes.step(read)
        for lane, (observation, reward, terminated, truncated, info) in outcomes.items():
            episode = episodes[lane]
            episode.turns.append(Turn(chats[lane], answers[lane]))
            episode.total += reward
            seen[lane] = observation, info
            if terminated or truncated:
                episode.success = bool(info.get("success", False))
                episode.ended_by = str(info.get("ended_by", ""))
                episode.error = fault(info)
                del seen[lane]
    return episodes


def fault(info: Mapping[str, Any]) -> str:
    """Why an episode was the device's or the worker's failure, not the policy's; empty where it was not."""
    return str(info.get("env_error") or info.get("device_error") or "")
