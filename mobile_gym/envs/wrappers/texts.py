"""Texts as arrays of a fixed size, the same in any process: hashed n-grams, codes of characters, bytes."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal
from zlib import crc32

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray

from mobile_gym.envs.spaces import CUT_MARK
from mobile_gym.envs.wrappers.base import AnyEnv, dict_space, replaced

MAX_BYTES = 512
"""Longest encoded text, bytes of UTF-8."""

PADDING, CUT, FIRST_CODE = 0, 1, 2
"""Codes of characters: nothing, a text that was cut, the first that stands for a character."""

_LONGEST_NGRAM = 3
Encoding = Literal["ngrams", "characters", "bytes"]


def text_bytes(text: str, length: int = MAX_BYTES) -> NDArray[np.uint8]:
    """A text as uint8[length]: UTF-8, padded with zeros; a longer one is cut at a whole character and marked."""
    data = text.encode()
    if len(data) > length:
        mark = CUT_MARK.encode()[:length]
        data = data[: length - len(mark)].decode(errors="ignore").encode() + mark
    array = np.zeros(length, np.uint8)
    array[: len(data)] = np.frombuffer(data, np.uint8)
    return array


def character_codes(text: str, length: int, vocabulary: int) -> NDArray[np.int64]:
    """A text as int64[length], a code for each character; for embedding layers.

    0 is padding and 1 in the last place says that the text was cut. Characters are hashed (CRC-32), so that any script
    fits; full-width forms and case make no difference.

    Args:
        text: the text.
        length: how many codes.
        vocabulary: codes are below this number.
    """
    codes = [FIRST_CODE + crc32(char.encode("utf-8", "replace")) % (vocabulary - FIRST_CODE) for char in _plain(text)]
    if len(codes) > length:
        codes[length - 1 :] = [CUT]
    array = np.zeros(length, np.int64)
    array[: len(codes)] = codes
    return array


def ngram_vector(text: str, size: int) -> NDArray[np.float32]:
    """A text as float32[size]: its n-grams of 1 to 3 characters, hashed, signed, of length 1 (or all zeros).

    Texts that share pieces have vectors that point alike, whatever the language, so that an instruction can be compared
    with what stands on the screen. Nothing is cut: a longer text has more n-grams in the same numbers.

    Args:
        text: the text; full-width forms and case make no difference.
        size: how many numbers.

    Returns:
        A new array; each number from -1 to 1.
    """
    return _ngrams(text, size).copy()


@lru_cache(maxsize=4096)
def _ngrams(text: str, size: int) -> NDArray[np.float32]:
    plain = _plain(text)
    vector = np.zeros(size, np.float64)
    for length in range(1, _LONGEST_NGRAM + 1):
        for start in range(len(plain) - length + 1):
            code = crc32(plain[start : start + length].encode("utf-8", "replace"))
            vector[(code >> 1) % size] += 1.0 if code & 1 else -1.0
    norm = float(np.sqrt((vector * vector).sum()))
    result = (vector / norm if norm else vector).astype(np.float32)
    result.flags.writeable = False
    return result


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


class EncodeTexts(gym.ObservationWrapper[Any, Any, Any], RecordConstructorArgs):
    """Replaces texts of the observation by arrays of a fixed size.

    - `ngrams`: float32[size], see `ngram_vector`;
    - `characters`: int64[size] from 0 to `vocabulary` - 1, see `character_codes`;
    - `bytes`: uint8[size], see `text_bytes`.

    The space and its dtype never change with the texts. A text that is cut is marked; n-grams cut nothing.

    Args:
        env: an environment with Dict observations.
        texts: which texts to encode; the other texts of the observation are dropped.
        encoding: how.
        size: how many numbers.
        vocabulary: how many codes there are, for `characters`.
    """

    def __init__(
        self,
        env: AnyEnv,
        texts: Sequence[str] = ("instruction", "message"),
        encoding: Encoding = "ngrams",
        size: int = 256,
        vocabulary: int = 4096,
    ) -> None:
        RecordConstructorArgs.__init__(self, texts=list(texts), encoding=encoding, size=size, vocabulary=vocabulary)
        gym.ObservationWrapper.__init__(self, env)
        if encoding not in ("ngrams", "characters", "bytes"):
            raise ValueError(f"encoding is ngrams, characters or bytes, not {encoding!r}")
        if size < 1 or vocabulary <= FIRST_CODE:
            raise ValueError(f"size is at least 1 and vocabulary above {FIRST_CODE}, not {size} and {vocabulary}")
        space = dict_space("EncodeTexts", env)
        found = [name for name, part in space.spaces.items() if isinstance(part, spaces.Text)]
        missing = [name for name in texts if name not in found]
        if missing:
            raise ValueError(f"the observation has no text {', '.join(missing)}; it has {', '.join(found) or 'none'}")
        self._texts, self._dropped = tuple(texts), tuple(name for name in found if name not in texts)
        self._encoding, self._size, self._vocabulary = encoding, size, vocabulary
        parts = replaced(space, {name: self._space() for name in texts})
        self.observation_space = spaces.Dict(
            {name: part for name, part in parts.spaces.items() if name not in self._dropped}
        )

    def observation(self, observation: dict[str, Any]) -> dict[str, Any]:
        """The observation with encoded texts."""
        kept = {name: part for name, part in observation.items() if name not in self._dropped}
        return {**kept, **{name: self.encoded(observation[name]) for name in self._texts}}

    def encoded(self, text: str) -> NDArray[Any]:
        """A text as this wrapper encodes it."""
        if self._encoding == "ngrams":
            return ngram_vector(text, self._size)
        if self._encoding == "characters":
            return character_codes(text, self._size, self._vocabulary)
        return text_bytes(text, self._size)

    def _space(self) -> spaces.Space[Any]:
        if self._encoding == "ngrams":
            return spaces.Box(-1.0, 1.0, (self._size,), np.float32)
        if self._encoding == "characters":
            return spaces.Box(0, self._vocabulary - 1, (self._size,), np.int64)
        return spaces.Box(0, 255, (self._size,), np.uint8)
