"""Spaces of the environments: texts of any language, and how they are cut."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np
from gymnasium import spaces
from gymnasium.error import CustomSpaceError
from gymnasium.vector.utils import batch_space
from gymnasium.vector.utils.shared_memory import create_shared_memory
from numpy.typing import NDArray

from mobile_gym.envs.actions import FRAME, MAX_ACTION_TEXT, ActionType

MAX_INSTRUCTION = 4_000
MAX_MESSAGE = 4_000
MAX_HIERARCHY = 400_000

CUT_MARK = "…[cut]"
"""What a text that was too long for its space ends with."""

_SAMPLE_CHARACTERS = "".join(chr(code) for code in (*range(0x20, 0x7F), 0xE9, 0x4E2D, 0x6587, 0x597D, 0x5BF9, 0x1F600))
_SAMPLE_LENGTH = 32


class UnicodeText(spaces.Text):
    """Texts of at most `max_length` characters, of any script.

    Gymnasium's own `Text` lists its characters one by one, which neither holds Chinese by default nor is quick for all
    of Unicode. Samples are short and mix Latin, Chinese and an emoji.

    Args:
        max_length: most characters (code points) of a text; the empty text belongs to the space.
        seed: seed for sampling.
    """

    def __init__(self, max_length: int, *, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(max_length, min_length=0, charset=_SAMPLE_CHARACTERS, seed=seed)

    def contains(self, x: Any) -> bool:
        """Whether `x` is a `str` within the bound, without halves of surrogate pairs."""
        if not isinstance(x, str) or len(x) > self.max_length:
            return False
        return x.isascii() or not any("\ud800" <= char <= "\udfff" for char in x)

    def sample(
        self,
        mask: tuple[int | None, NDArray[np.int8] | None] | None = None,
        probability: tuple[int | None, NDArray[np.float64] | None] | None = None,
    ) -> str:
        """A short random text, or one of the length and characters that a mask asks for (see `Text.sample`)."""
        if mask is None and probability is None:
            length = int(self.np_random.integers(0, min(self.max_length, _SAMPLE_LENGTH) + 1))
            picks = self.np_random.integers(0, len(self.character_list), size=length)
            return "".join(self.character_list[int(pick)] for pick in picks)
        return super().sample(mask=mask, probability=probability)

    def to_jsonable(self, sample_n: Any) -> list[str]:
        """The texts as a list."""
        return list(sample_n)

    def from_jsonable(self, sample_n: Any) -> list[str]:
        """The texts of a list."""
        return [str(text) for text in sample_n]

    @property
    def is_np_flattenable(self) -> bool:
        """False: there is no fixed alphabet to count in."""
        return False

    def __repr__(self) -> str:
        return f"UnicodeText({self.max_length})"

    def __eq__(self, other: object, /) -> bool:
        return isinstance(other, UnicodeText) and self.max_length == other.max_length

    __hash__ = None  # type: ignore[assignment]


class FrameBox(spaces.Box):
    """All uint8 arrays of a shape: `Box(0, 255, shape, uint8)` without its four arrays of bounds.

    Gymnasium's own keeps two bounds and two masks of the full shape, 31 MB for a frame of 1080x2400, and compares each
    pixel with them in `contains`. Here they are views of one value.

    Args:
        shape: the shape, of any number of dimensions.
        seed: seed for sampling.
    """

    def __init__(self, shape: Sequence[int], *, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(0, 255, (1,), np.uint8, seed=seed)
        self._shape = tuple(int(side) for side in shape)
        self.low = np.broadcast_to(np.uint8(0), self._shape)
        self.high = np.broadcast_to(np.uint8(255), self._shape)
        self.bounded_below = np.broadcast_to(np.True_, self._shape)
        self.bounded_above = np.broadcast_to(np.True_, self._shape)

    def contains(self, x: Any) -> bool:
        """Whether `x` is a uint8 array of the shape; every value of it is within the bounds."""
        return isinstance(x, np.ndarray) and x.dtype == np.uint8 and x.shape == self._shape

    def sample(self, mask: None = None, probability: None = None) -> NDArray[np.uint8]:
        """A frame of noise."""
        if mask is not None or probability is not None:
            raise CustomSpaceError("FrameBox.sample takes no mask and no probability")
        return self.np_random.integers(0, 256, self._shape, np.uint8)

    def __eq__(self, other: object, /) -> bool:
        if isinstance(other, FrameBox):
            return self._shape == other._shape
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[FrameBox], tuple[tuple[int, ...]]]:
        # Pickled as its shape: the views would be written out in full.
        return FrameBox, (self._shape,)


@batch_space.register(FrameBox)
def _batch_frames(space: FrameBox, n: int = 1) -> FrameBox:
    return FrameBox((n, *space.shape))


@create_shared_memory.register(UnicodeText)
def _no_shared_memory(space: UnicodeText, n: int = 1, ctx: Any = None) -> NoReturn:
    """Shared memory holds arrays that Gymnasium reads in place; it would read a text once and never again."""
    raise CustomSpaceError(
        "texts of any length do not fit into shared memory; use AsyncVectorEnv(..., shared_memory=False), which is "
        'gym.make_vec(..., vectorization_mode="async", vector_kwargs={"shared_memory": False})'
    )


def cut(text: str, max_length: int) -> str:
    """The text, or its beginning with `CUT_MARK` at the end where it is longer than `max_length`.

    Halves of surrogate pairs, which some devices send, become U+FFFD, so that the result always belongs to a
    `UnicodeText(max_length)`.
    """
    if not text.isascii():
        text = "".join("�" if "\ud800" <= char <= "\udfff" else char for char in text)
    if len(text) <= max_length:
        return text
    return text[: max_length - len(CUT_MARK)] + CUT_MARK


def action_space() -> spaces.Dict:
    """The action space of all environments; see `mobile_gym.envs.actions`."""
    return spaces.Dict(
        {
            "action_type": spaces.Discrete(len(ActionType)),
            "touch_point": spaces.MultiDiscrete([FRAME + 1, FRAME + 1]),
            "lift_point": spaces.MultiDiscrete([FRAME + 1, FRAME + 1]),
            "text": UnicodeText(MAX_ACTION_TEXT),
        }
    )


def observation_space(size: tuple[int, int], hierarchy: bool) -> spaces.Dict:
    """The observation space for a canvas of (width, height) pixels, with or without the hierarchy as XML."""
    width, height = size
    parts: dict[str, spaces.Space[Any]] = {
        "screenshot": FrameBox((height, width, 3)),
        "instruction": UnicodeText(MAX_INSTRUCTION),
        "message": UnicodeText(MAX_MESSAGE),
    }
    if hierarchy:
        parts["hierarchy"] = UnicodeText(MAX_HIERARCHY)
    return spaces.Dict(parts)
