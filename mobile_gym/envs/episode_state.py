"""An episode that is under way, as a value: for those who start several episodes from one state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mobile_gym.devices.base import Capability, Device
from mobile_gym.devices.errors import CapabilityMissing
from mobile_gym.envs.actions import ParsedAction
from mobile_gym.envs.budget import Budget
from mobile_gym.reward.session import SessionState
from mobile_gym.reward.task_spec import Language
from mobile_gym.task_registry.models import Task


@dataclass(frozen=True, slots=True)
class EpisodeState:
    """An episode of `MobileTaskEnv` at one moment. Nothing in it changes, and it can be pickled.

    Attributes:
        task: the task as it is played, with its parameters filled in.
        task_seed: what they were drawn by.
        language: of the instruction and the device.
        phone: all that the phone is.
        session: the start and the process record.
        budget: what may still be spent; its wall clock stands at zero now.
        turn: how many turns were taken.
        last: the last action.
        repeats: how often running it was taken.
        generator: state of the environment's generator.
    """

    task: Task
    task_seed: int
    language: Language
    phone: Any
    session: SessionState
    budget: Budget
    turn: int
    last: ParsedAction | None
    repeats: int
    generator: Mapping[str, Any]


def phone_state(device: Device) -> Any:
    """All that the phone is; raises CapabilityMissing where the device cannot tell."""
    save = getattr(device, "save_state", None)
    if save is None:
        raise CapabilityMissing(
            f"the state of {device.serial} cannot be taken over by another device; start each episode by a reset with "
            "the same seed instead",
            Capability.SNAPSHOTS,
        )
    return save()


def load_phone_state(device: Device, state: Any) -> None:
    """Makes a phone what another one was; raises CapabilityMissing where the device cannot."""
    load = getattr(device, "load_state", None)
    if load is None:
        raise CapabilityMissing(
            f"{device.serial} cannot take over the state of another device; start the episode by a reset with the same "
            "seed instead",
            Capability.SNAPSHOTS,
        )
    load(state)
