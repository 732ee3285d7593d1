"""What each protocol allows, and when it ends an episode; `mobile_gym.reward.progress` says what is a success."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from mobile_gym.envs.actions import ActionType
from mobile_gym.reward.progress import Protocol
from mobile_gym.reward.protocol_actions import ALLOWED


@dataclass(frozen=True, slots=True)
class ProtocolRules:
    """The rules of a protocol.

    Attributes:
        actions: kinds of action that are allowed.
        ends_at_goal: whether reaching the goal ends the episode by itself.
        repeats: how many times running the same parsed action ends the episode; None for never.
    """

    actions: frozenset[ActionType]
    ends_at_goal: bool = False
    repeats: int | None = None

    def mask(self) -> NDArray[np.int8]:
        """1 for each allowed kind, in the order of `ActionType`; a new int8[16], as `Discrete.sample` takes it."""
        return np.array([kind in self.actions for kind in ActionType], dtype=np.int8)

    def words(self) -> str:
        """The allowed kinds, for messages."""
        return ", ".join(kind.word for kind in ActionType if kind in self.actions)


class UnsupportedProtocol(ValueError):
    """A task of this protocol has an environment of another kind."""


def _allowed(protocol: Protocol) -> frozenset[ActionType]:
    return frozenset(kind for kind in ActionType if kind.word in ALLOWED[protocol])


RULES: Mapping[str, ProtocolRules] = MappingProxyType(
    {
        "online": ProtocolRules(_allowed("online")),
        # ProBench: 15 steps, early stop at the fifth equal action running.
        "process": ProtocolRules(_allowed("process"), repeats=5),
        # GMA: every action; subtasks are met by events, so that the last one ends the episode.
        "workflow": ProtocolRules(_allowed("workflow"), ends_at_goal=True),
    }
)
"""Rules of the protocols that run on a live phone; `graph` and `grounding` have environments of their own."""

GRAPH_RULES = ProtocolRules(_allowed("graph"))
"""Rules of the protocol `graph`, which `TaskGraphEnv` plays."""


def rules_of(protocol: str, task_id: str) -> ProtocolRules:
    """The rules of a task's protocol.

    Raises:
        UnsupportedProtocol: the protocol does not run on a live phone.
    """
    rules = RULES.get(protocol)
    if rules is None:
        raise UnsupportedProtocol(
            f"task {task_id} has the protocol {protocol!r}; MobileTaskEnv runs {', '.join(RULES)}, TaskGraphEnv graph"
        )
    return rules
