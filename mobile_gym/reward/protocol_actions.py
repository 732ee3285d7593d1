"""Which kinds of action each protocol allows, by their lower-case words."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from mobile_gym.reward.progress import Protocol

ALL_ACTIONS = frozenset(
    {
        "tap",
        "double_tap",
        "long_press",
        "swipe",
        "drag",
        "type",
        "press_enter",
        "press_back",
        "press_home",
        "press_recents",
        "open_app",
        "wait",
        "call_user",
        "answer",
        "finish",
        "finish_infeasible",
    }
)
_ELDER = frozenset({"tap", "long_press", "swipe", "type", "press_home", "press_back", "finish"})

ALLOWED: Mapping[Protocol, frozenset[str]] = MappingProxyType(
    {
        # ElderBench, section 4.1.
        "online": _ELDER,
        "graph": _ELDER,
        # ProBench's action list.
        "process": frozenset({"tap", "swipe", "type", "press_enter", "press_back", "wait", "finish"}),
        "workflow": ALL_ACTIONS,
        "grounding": frozenset({"tap"}),
    }
)
