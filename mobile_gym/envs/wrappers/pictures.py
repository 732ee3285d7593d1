"""Screenshots made smaller, grey, or stacked."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from PIL import Image

from mobile_gym.envs.arguments import canvas_size
from mobile_gym.envs.spaces import FrameBox
from mobile_gym.envs.wrappers.base import AnyEnv, PartWrapper

SCREENSHOT = "screenshot"
_LUMA = np.array([299, 587, 114], np.uint32)
Frame = NDArray[np.uint8]


def _frame_shape(wrapper: str, space: spaces.Space[Any]) -> tuple[int, int, int]:
    if not isinstance(space, spaces.Box) or space.dtype != np.uint8 or len(space.shape) != 3:
        raise TypeError(f"{wrapper} wraps screenshots of uint8[height, width, channels], not {space}")
    height, width, channels = space.shape
    return height, width, channels


class ResizeScreenshot(PartWrapper):
    """Shrinks the screenshot to a fixed size, each pixel the mean of those that it stands for.

    The environment's own `observation_size` is quicker, as the embedded phone then paints at that scale, and keeps
    small marks sharper; this wrapper is for devices that only have full frames, and for other environments.

    Args:
        env: the environment.
        size: (width, height) in pixels.
    """

    def __init__(self, env: AnyEnv, size: Sequence[int]) -> None:
        self._size = canvas_size(size)
        super().__init__(env, SCREENSHOT, size=[int(side) for side in size])

    def part_space(self, space: spaces.Space[Any]) -> spaces.Space[Any]:
        """uint8[height, width, channels]."""
        _, _, channels = _frame_shape("ResizeScreenshot", space)
        return FrameBox((self._size[1], self._size[0], channels))

    def part_of(self, value: Frame) -> Frame:
        """The frame, smaller (or larger)."""
        if (value.shape[1], value.shape[0]) == self._size:
            return value
        planes = [
            np.asarray(Image.fromarray(value[:, :, index]).resize(self._size, Image.Resampling.BOX))
            for index in range(value.shape[2])
        ]
        return np.stack(planes, axis=2)


class GreyScreenshot(PartWrapper):
    """Makes the screenshot grey (ITU-R 601 luma): uint8[height, width, 1].

    Args:
        env: the environment, with RGB screenshots.
    """

    def __init__(self, env: AnyEnv) -> None:
        super().__init__(env, SCREENSHOT)

    def part_space(self, space: spaces.Space[Any]) -> spaces.Space[Any]:
        """uint8[height, width, 1]."""
        height, width, channels = _frame_shape("GreyScreenshot", space)
        if channels != 3:
            raise TypeError(f"GreyScreenshot wraps RGB screenshots, not ones of {channels} channels")
        return FrameBox((height, width, 1))

    def part_of(self, value: Frame) -> Frame:
        """The frame's brightness."""
        grey: Frame = ((value @ _LUMA + 500) // 1000).astype(np.uint8)[:, :, None]
        return grey


class StackScreenshots(PartWrapper):
    """Stacks the last screenshots along the channels, the oldest first; a reset fills all with the first.

    Args:
        env: the environment.
        count: how many, at least 2.
    """

    def __init__(self, env: AnyEnv, count: int) -> None:
        if count < 2:
            raise ValueError(f"StackScreenshots stacks at least 2 frames, not {count}")
        self._frames: deque[Frame] = deque(maxlen=count)
        self._count = count
        super().__init__(env, SCREENSHOT, count=count)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Resets the environment and forgets the frames of the last episode."""
        self._frames.clear()
        return super().reset(seed=seed, options=options)

    def part_space(self, space: spaces.Space[Any]) -> spaces.Space[Any]:
        """uint8[height, width, channels * count]."""
        height, width, channels = _frame_shape("StackScreenshots", space)
        return FrameBox((height, width, channels * self._count))

    def part_of(self, value: Frame) -> Frame:
        """The last frames, this one at the end."""
        self._frames.append(value)
        while len(self._frames) < self._count:
            self._frames.append(value)
        return np.concatenate(list(self._frames), axis=2)
