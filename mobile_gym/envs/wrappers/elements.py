"""Actions on what the screen offers: the visible elements that can be acted on, in reading order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray

from mobile_gym.devices.errors import HierarchyUnavailable
from mobile_gym.devices.ui_tree import Bounds, UiNode, UiTree
from mobile_gym.envs.actions import FRAME, ActionType, EncodedAction, Point, from_pixel
from mobile_gym.envs.wrappers.base import AnyEnv, dict_space, replaced
from mobile_gym.envs.wrappers.flat_actions import DIRECTIONS, kinds_of
from mobile_gym.envs.wrappers.texts import ngram_vector
from mobile_gym.envs.wrappers.vocabulary import vocabulary_of

ELEMENTS = "elements"
"""The part of the observation that holds the features."""

FLAGS = ("checkable", "checked", "selected", "focused", "scrollable", "long_clickable", "password")
CLASS_SIZE = 16
FIXED_FEATURES = 1 + 4 + len(FLAGS) + CLASS_SIZE
"""Features of an element before its text: presence, box, flags, class."""

_GESTURES = ("tap", "long_press")
_SWIPE = "swipe_"
_HALF_WAY = 200


@dataclass(frozen=True, slots=True)
class Element:
    """Something that can be acted on.

    Attributes:
        node: its node.
        box: its visible box, pixels of the screen.
        text: what it says: its own text or description, else those of what it holds.
    """

    node: UiNode
    box: Bounds
    text: str

    def takes(self, gesture: ActionType) -> bool:
        """Whether a tap, or a long press, does something on it."""
        if gesture is ActionType.LONG_PRESS:
            return self.node.long_clickable
        return self.node.clickable or self.node.checkable or "EditText" in self.node.class_name


def elements_of(tree: UiTree) -> list[Element]:
    """The visible, enabled elements that take a touch, in reading order: rows from the top, each from the left."""
    width, height = tree.size
    found = []
    for node in tree.visible():
        box = node.bounds
        shown = Bounds(max(box.left, 0), max(box.top, 0), min(box.right, width), min(box.bottom, height))
        element = Element(node, shown, " ".join(_texts(node)))
        if node.enabled and any(element.takes(gesture) for gesture in (ActionType.TAP, ActionType.LONG_PRESS)):
            found.append(element)
    return sorted(found, key=lambda element: (element.box.top, element.box.left))


def _texts(node: UiNode) -> Iterator[str]:
    own = node.text or node.content_desc or node.hint
    if own:
        yield own
        return
    for child in node.children:
        if not child.clickable:
            yield from _texts(child)


class ElementActions(gym.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Actions of `Discrete(n)` on the elements of the hierarchy; their features join the observation.

    The numbers are, in this order: `most` elements for each gesture; the `others`; and, where there is a vocabulary,
    one `type` for each text. `action_masks()` tells which are possible now, as sb3-contrib's `MaskablePPO` takes it; an
    element that is not there costs a turn.

    `observation["elements"]` is float32[most, 28 + text_size], -1 to 1; rows of elements that are not there are zeros:

    - 1: presence;
    - 2-5: left, top, right, bottom of the visible box, as shares of the screen;
    - 6-12: flags: checkable, checked, selected, focused, scrollable, long clickable, password;
    - 13-28: the class, hashed;
    - from 29 on: what it says, by the same encoding as `EncodeTexts(size=text_size)`, so that instruction and elements
      can be compared.

    The hierarchy is read once a step, from the device: at once on the embedded phone, up to a second by adb. Elements
    beyond `most` cannot be reached; `info["elements_left_out"]` counts them.

    Args:
        env: an environment with a device that tells the hierarchy, wrapped or not.
        most: how many elements there may be.
        text_size: how many numbers encode what an element says.
        gestures: among `tap` and `long_press`.
        others: further actions: `swipe_up`, `swipe_down`, `swipe_left`, `swipe_right` (the finger's way, over the
            middle of the screen) and kinds that need neither point nor text, such as `press_back` and `finish`.
        vocabulary: texts that can be typed.
        instruction_texts: how many pieces of the instruction come after them.
    """

    def __init__(
        self,
        env: AnyEnv,
        most: int = 32,
        text_size: int = 256,
        gestures: Sequence[str] = ("tap",),
        others: Sequence[str] = ("swipe_up", "swipe_down", "press_back", "press_home", "finish"),
        vocabulary: Sequence[str] = (),
        instruction_texts: int = 0,
    ) -> None:
        RecordConstructorArgs.__init__(
            self,
            most=most,
            text_size=text_size,
            gestures=list(gestures),
            others=list(others),
            vocabulary=list(vocabulary),
            instruction_texts=instruction_texts,
        )
        gym.Wrapper.__init__(self, env)
        if most < 1 or text_size < 1:
            raise ValueError(f"most and text_size are at least 1, not {most} and {text_size}")
        if not gestures or any(gesture not in _GESTURES for gesture in gestures):
            raise ValueError(f"gestures are among {', '.join(_GESTURES)}, not {tuple(gestures)!r}")
        self._most, self._text_size = most, text_size
        self._gestures = kinds_of(gestures)
        self._others = tuple(_other(word) for word in others)
        self._vocabulary = vocabulary_of(env, vocabulary, instruction_texts)
        self._elements: list[Element] = []
        self._size = (1, 1)
        self._allowed = np.ones(len(ActionType), np.bool_)
        count = most * len(self._gestures) + len(self._others) + len(self._vocabulary)
        self.action_space = spaces.Discrete(count)
        space = dict_space("ElementActions", env)
        features = spaces.Box(-1.0, 1.0, (most, FIXED_FEATURES + text_size), np.float32)
        self.observation_space = replaced(space, {ELEMENTS: features})

    @property
    def elements(self) -> tuple[Element, ...]:
        """The elements of the screen as last seen, in the order of the actions."""
        return tuple(self._elements)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Resets the environment and reads the instruction's texts and the screen."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._vocabulary.read(observation)
        return self._looked(observation, info)

    def step(self, action: int | np.integer[Any]) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Steps the environment with the number of an action."""
        observation, reward, terminated, truncated, info = self.env.step(self.decoded(int(action)))
        observation, info = self._looked(observation, info)
        return observation, reward, terminated, truncated, info

    def action_masks(self) -> NDArray[np.bool_]:
        """bool[n]: which actions are possible now; all where none is."""
        possible: list[bool] = []
        absent = [False] * (self._most - len(self._elements))
        for gesture in self._gestures:
            allowed = bool(self._allowed[gesture])
            possible += [allowed and element.takes(gesture) for element in self._elements] + absent
        possible += [bool(self._allowed[kind]) for kind, _ in self._others]
        possible += [text and bool(self._allowed[ActionType.TYPE]) for text in self._vocabulary.available()]
        return np.array(possible if any(possible) else [True] * len(possible), np.bool_)

    def decoded(self, number: int) -> EncodedAction:
        """The environment's action for a number; one on an element that is not there is malformed."""
        encoded: EncodedAction = {"touch_point": (0, 0), "lift_point": (0, 0), "text": ""}
        gesture, element = divmod(number, self._most)
        if gesture < len(self._gestures):
            kind = self._gestures[gesture]
            there = element < len(self._elements)
            point = self._middle(self._elements[element].box) if there else None
            return {**encoded, "action_type": int(kind), "touch_point": point}
        number -= len(self._gestures) * self._most
        if number < len(self._others):
            kind, direction = self._others[number]
            if direction:
                encoded["touch_point"], encoded["lift_point"] = _way(direction)
            return {**encoded, "action_type": int(kind)}
        text = self._vocabulary.text(number - len(self._others))
        return {**encoded, "action_type": int(ActionType.TYPE), "text": text}

    def _middle(self, box: Bounds) -> Point:
        return from_pixel(box.center, self._size)

    def _looked(self, observation: dict[str, Any], info: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        device = self.env.unwrapped.device  # type: ignore[attr-defined]
        try:
            tree = device.hierarchy()
        except HierarchyUnavailable:
            tree = UiTree(())
        found = elements_of(tree)
        self._elements = found[: self._most]
        self._size = tree.size if all(tree.size) else (1, 1)
        self._allowed = info["action_mask"].astype(np.bool_)
        features = np.zeros((self._most, FIXED_FEATURES + self._text_size), np.float32)
        for row, element in zip(features, self._elements, strict=False):
            row[:] = self._features(element)
        return {**observation, ELEMENTS: features}, {**info, "elements_left_out": len(found) - len(self._elements)}

    def _features(self, element: Element) -> NDArray[np.float32]:
        (width, height), box = self._size, element.box
        shares = (box.left / width, box.top / height, box.right / width, box.bottom / height)
        flags = [float(getattr(element.node, flag)) for flag in FLAGS]
        looks = ngram_vector(element.node.class_name.rpartition(".")[2], CLASS_SIZE)
        said = ngram_vector(element.text, self._text_size)
        return np.concatenate([np.array([1.0, *shares, *flags], np.float32), looks, said])


def _other(word: str) -> tuple[ActionType, str]:
    """A further action as its kind and, for a swipe, its direction."""
    direction = word.removeprefix(_SWIPE)
    if word.startswith(_SWIPE) and direction in DIRECTIONS:
        return ActionType.SWIPE, direction
    (kind,) = kinds_of([word])
    plain = (
        ActionType.PRESS_ENTER,
        ActionType.PRESS_BACK,
        ActionType.PRESS_HOME,
        ActionType.PRESS_RECENTS,
        ActionType.WAIT,
        ActionType.CALL_USER,
        ActionType.FINISH,
        ActionType.FINISH_INFEASIBLE,
    )
    if kind not in plain:
        known = ", ".join([*(f"{_SWIPE}{name}" for name in DIRECTIONS), *(other.word for other in plain)])
        raise ValueError(f"others are among {known}, not {word}")
    return kind, ""


def _way(direction: str) -> tuple[Point, Point]:
    """A finger's way of 400 over the middle of the screen."""
    middle = FRAME // 2
    dx, dy = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}[direction]
    start = (middle - dx * _HALF_WAY, middle - dy * _HALF_WAY)
    return start, (middle + dx * _HALF_WAY, middle + dy * _HALF_WAY)
