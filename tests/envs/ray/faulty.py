"""A small environment that fails as it is told to."""

import os
import time
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces

from mobile_gym.envs.spaces import FrameBox, UnicodeText

GO, END, RAISE, HANG, DIE, OFFLINE, WAIT = range(7)
SHORT, LONG = 3, 1_000


class Faulty(gym.Env[dict[str, Any], Any]):
    """Counts its steps; the action says what goes wrong.

    Args:
        log: folder in which every reset and step leaves a line, in a file by name.
        name: of the file.
        bad_resets: how many resets of each name fail, over all processes.
        how: in which way they fail: `raise` or `die`.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 1}

    def __init__(
        self,
        log: str,
        name: str = "0",
        bad_resets: int = 0,
        how: str = "raise",
        side: int = 4,
        render_mode: str | None = "rgb_array",
    ) -> None:
        self.observation_space = spaces.Dict({"screenshot": FrameBox((side, side, 3)), "message": UnicodeText(50)})
        self.action_space = spaces.Discrete(7)
        self.render_mode = render_mode
        self.name = name
        self._log = Path(log) / name
        self._bad_resets, self._how = bad_resets, how
        self.count = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        super().reset(seed=seed)
        if options:
            raise ValueError(f"unknown options {sorted(options)}")
        self._write("reset")
        if self.lines().count("reset") <= self._bad_resets:
            if self._how == "die":
                os._exit(1)
            raise RuntimeError("no start could be made")
        self.count = 0
        return self._see(), {"count": 0, "drawn": int(self.np_random.integers(1000))}

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        self._write(f"step {int(action)}")
        if action == RAISE:
            raise ZeroDivisionError("told to")
        if action == HANG:
            time.sleep(LONG)
        if action == DIE:
            os._exit(1)
        if action == WAIT:
            time.sleep(SHORT)
        self.count += 1
        info = {"count": self.count, "device_error": "DeviceOffline: gone" if action == OFFLINE else ""}
        return self._see(), 1.0, bool(action == END), bool(action == OFFLINE), info

    def render(self) -> Any:
        return self._see()["screenshot"]

    def pid(self) -> int:
        return os.getpid()

    def node(self) -> str:
        import ray

        found: str = ray.get_runtime_context().get_node_id()
        return found

    def lines(self) -> list[str]:
        return self._log.read_text().splitlines() if self._log.exists() else []

    def _write(self, line: str) -> None:
        with self._log.open("a") as file:
            file.write(f"{line}\n")

    def _see(self) -> dict[str, Any]:
        side = self.observation_space["screenshot"].shape[0]
        frame = np.full((side, side, 3), self.count, np.uint8)
        return {"screenshot": frame, "message": f"{self.name}: {self.count}"}


def faulty(log: Path, count: int, **arguments: Any) -> list[partial[Faulty]]:
    """Makers of some, each with a name of its own."""
    return [partial(Faulty, str(log), str(number), **arguments) for number in range(count)]


def lines(log: Path, name: str | int) -> list[str]:
    """What one wrote."""
    path = log / str(name)
    return path.read_text().splitlines() if path.exists() else []
