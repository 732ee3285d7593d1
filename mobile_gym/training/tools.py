"""A phone as a class of tools, for trainers that let a model call functions, such as TRL's
`GRPOTrainer(environment_factory=...)`. Nothing of TRL is imported.

Every public method but `reset` and `get_reward` is a tool: typed arguments, a docstring that becomes its description.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal

from PIL import Image

from mobile_gym.devices.errors import HierarchyUnavailable
from mobile_gym.envs.actions import Action, ActionType, MalformedAction, from_pixel, unreadable
from mobile_gym.envs.arguments import find_task
from mobile_gym.envs.protocols import rules_of
from mobile_gym.envs.task_env import MobileTaskEnv

Blocks = list[dict[str, Any]]
"""Blocks of a message: `{"type": "image", "image": PIL.Image}` and `{"type": "text", "text": str}`."""

View = Literal["picture", "elements", "both"]

_OVER = "The episode is over; nothing more can be done."


class PhoneTools:
    """One phone that plays one task; `phone_tools` makes classes of it for a task.

    An instance is made without arguments and used again and again: `reset` begins an episode.
    """

    _arguments: ClassVar[Mapping[str, Any]] = {}
    _task: ClassVar[str] = ""
    _view: ClassVar[View] = "picture"

    def __init__(self) -> None:
        self._envs: dict[str, MobileTaskEnv] = {}
        self._env: MobileTaskEnv | None = None
        self._total = 0.0
        self._over = True
        self._fault = ""
        self._observation: dict[str, Any] = {}
        self._info: dict[str, Any] = {}

    def reset(self, **row: Any) -> Blocks | str:
        """Begins an episode.

        Args:
            row: a row of the data set. `seed` seeds the episode; `task` plays another task than the class's, of the
                same protocol. Whatever else it holds is not read.

        Returns:
            The instruction and what the screen shows, to be put behind the prompt: blocks, or a text where the view is
            of elements alone.
        """
        name = str(row.get("task") or self._task)
        if name not in self._envs:
            self._envs[name] = MobileTaskEnv(name, **self._arguments)
        self._env = self._envs[name]
        seed = row.get("seed")
        self._observation, self._info = self._env.reset(seed=None if seed is None else int(seed))
        self._total, self._over, self._fault = 0.0, False, ""
        return self._shown(str(self._observation["instruction"]))

    def get_reward(self) -> float | None:
        """The sum of the episode's rewards so far; None, which trainers leave out, where the device failed."""
        return None if self._fault else self._total

    # The tools.

    def tap(self, x: int, y: int) -> Blocks | str:
        """
        Touches a point of the screen briefly.

        Args:
            x: How far from the left, 0 to 1000.
            y: How far from the top, 0 to 1000.

        Returns:
            What the screen shows now.
        """
        return self._act(lambda: Action.tap(x, y))

    def double_tap(self, x: int, y: int) -> Blocks | str:
        """
        Touches a point of the screen twice.

        Args:
            x: How far from the left, 0 to 1000.
            y: How far from the top, 0 to 1000.

        Returns:
            What the screen shows now.
        """
        return self._act(lambda: Action(kind=ActionType.DOUBLE_TAP, point=(x, y)))

    def long_press(self, x: int, y: int) -> Blocks | str:
        """
        Touches a point of the screen for a second.

        Args:
            x: How far from the left, 0 to 1000.
            y: How far from the top, 0 to 1000.

        Returns:
            What the screen shows now.
        """
        return self._act(lambda: Action.long_press(x, y))

    def swipe(self, x1: int, y1: int, x2: int, y2: int) -> Blocks | str:
        """
        Moves a finger from one point to another and lets go in motion; moving up shows what is further down.

        Args:
            x1: Where the finger goes down, from the left, 0 to 1000.
            y1: Where the finger goes down, from the top, 0 to 1000.
            x2: Where it lets go, from the left, 0 to 1000.
            y2: Where it lets go, from the top, 0 to 1000.

        Returns:
            What the screen shows now.
        """
        return self._act(lambda: Action.swipe(x1, y1, x2, y2))

    def drag(self, x1: int, y1: int, x2: int, y2: int) -> Blocks | str:
        """
        Takes hold of a point and lets go, at rest, at another; moves sliders and icons.

        Args:
            x1: Where the finger goes down, from the left, 0 to 1000.
            y1: Where the finger goes down, from the top, 0 to 1000.
            x2: Where it lets go, from the left, 0 to 1000.
            y2: Where it lets go, from the top, 0 to 1000.

        Returns:
            What the screen shows now.
        """
        return self._act(lambda: Action.drag(x1, y1, x2, y2))

    def type_text(self, text: str) -> Blocks | str:
        """
        Types at the cursor of the field that has the focus, and presses nothing.

        Args:
            text: What to type.

        Returns:
            What the screen shows now.
        """
        return self._act(lambda: Action.type(text))

    def press(self, key: Literal["enter", "back", "home", "recents"]) -> Blocks | str:
        """
        Presses a key.

        Args:
            key: Which key. (choices: ["enter", "back", "home", "recents"])

        Returns:
            What the screen shows now.
        """
        return self._act(lambda: Action.press(_key(key)))

    def open_app(self, name: str) -> Blocks | str:
        """
        Opens an app.

        Args:
            name: The app's name.

        Returns:
            What the screen shows now.
        """
        return self._act(lambda: Action.open_app(name))

    def wait(self, seconds: float) -> Blocks | str:
        """
        Lets time pass, for pages that are still loading.

        Args:
            seconds: How long, 0 to 60.

        Returns:
            What the screen shows now.
        """
        return self._act(lambda: Action.wait(float(seconds)))

    def call_user(self, question: str) -> Blocks | str:
        """
        Asks the person whose phone this is.

        Args:
            question: What to ask.

        Returns:
            The reply, and what the screen shows now.
        """
        return self._act(lambda: Action.call_user(question))

    def answer(self, text: str) -> Blocks | str:
        """
        Answers what the person asked. Ends the episode.

        Args:
            text: The answer alone, in the form that was asked for.

        Returns:
            That the episode is over.
        """
        return self._act(lambda: Action.answer(text))

    def finish(self) -> Blocks | str:
        """
        Says that the task is done. Ends the episode.

        Returns:
            That the episode is over.
        """
        return self._act(Action.finish)

    def finish_infeasible(self) -> Blocks | str:
        """
        Says that the task cannot be done on this phone. Ends the episode.

        Returns:
            That the episode is over.
        """
        return self._act(lambda: Action(kind=ActionType.FINISH_INFEASIBLE))

    # Behind the tools.

    def _act(self, make: Callable[[], Action]) -> Blocks | str:
        if self._env is None or self._over:
            return _OVER
        try:
            action: Any = make().encode()
        except (MalformedAction, ValueError, TypeError) as problem:
            # What a model filled in wrongly costs a turn, as any malformed action does.
            action = unreadable(" ".join(str(problem).split())[:300])
        self._observation, reward, terminated, truncated, self._info = self._env.step(action)
        self._total += reward
        self._fault = str(self._info["device_error"])
        self._over = terminated or truncated
        if self._over:
            return _OVER
        return self._shown(str(self._observation["message"]))

    def _shown(self, said: str) -> Blocks | str:
        listed = [self._elements()] if self._view != "picture" else []
        text = "\n".join(part for part in (said, *listed) if part)
        if self._view == "elements":
            return text
        left, top, width, height = self._info["screen"]
        frame = self._observation["screenshot"][top : top + height, left : left + width]
        image: dict[str, Any] = {"type": "image", "image": Image.fromarray(frame.copy())}
        return [image, {"type": "text", "text": text}] if text else [image]

    def _elements(self) -> str:
        """The visible texts and touchable elements, one a line with their middle, 0 to 1000."""
        if self._env is None:
            return ""
        try:
            nodes = self._env.device.hierarchy().visible()
        except HierarchyUnavailable as problem:
            return str(problem)
        size = self._info["screen_size"]
        lines = []
        for node in nodes:
            label = node.text or node.content_desc or (node.resource_id.partition(":id/")[2] if node.clickable else "")
            if label:
                x, y = from_pixel(node.bounds.center, size)
                lines.append(f"({x}, {y}) {label}")
        return "\n".join(lines)


def phone_tools(
    task: str,
    view: View = "picture",
    language: Literal["zh", "en"] = "en",
    observation_size: tuple[int, int] | None = (360, 800),
    reward: Literal["progress", "sparse"] = "progress",
    device: str = "embedded:pixel_6a",
    name: str = "PhoneTools",
) -> type[PhoneTools]:
    """A class of tools for a task, for trainers to make instances of: `environment_factory=phone_tools("train-alarm")`.

    It has the tools that the task's protocol allows and no others.

    Args:
        task: the task's id, or the path of its file.
        view: what tools give back: the `picture` of the screen, its `elements` as a text for models without eyes, or
            `both`.
        language: of the instruction and the device.
        observation_size: (width, height) of pictures, pixels; None for the device's screen.
        reward: see `MobileTaskEnv`.
        device: the device's spec; each instance opens one of its own.
        name: of the class; TRL logs the reward under it.

    Raises:
        UnknownTask: there is no such task.
        UnsupportedProtocol: it does not run on a live phone.
    """
    found = find_task(task)
    allowed = rules_of(found.protocol, found.id).actions
    arguments = {
        "device": device,
        "language": language,
        "observation_size": observation_size,
        "reward": reward,
        "time_budget": "none",
    }
    members: dict[str, Any] = {"_task": task, "_view": view, "_arguments": arguments, "__doc__": PhoneTools.__doc__}
    # An attribute that is no function is no tool.
    members |= {tool: None for tool, kinds in TOOLS.items() if not kinds & allowed}
    return type(name, (PhoneTools,), members)


def close(tools: PhoneTools) -> None:
    """Gives an instance's phones up. No method of the class, as that would be a tool."""
    for env in tools._envs.values():
        env.close()
    tools._envs.clear()
    tools._env, tools._over = None, True


TOOLS: Mapping[str, frozenset[ActionType]] = {
    "tap": frozenset({ActionType.TAP}),
    "double_tap": frozenset({ActionType.DOUBLE_TAP}),
    "long_press": frozenset({ActionType.LONG_PRESS}),
    "swipe": frozenset({ActionType.SWIPE}),
    "drag": frozenset({ActionType.DRAG}),
    "type_text": frozenset({ActionType.TYPE}),
    "press": frozenset(
        {ActionType.PRESS_ENTER, ActionType.PRESS_BACK, ActionType.PRESS_HOME, ActionType.PRESS_RECENTS}
    ),
    "open_app": frozenset({ActionType.OPEN_APP}),
    "wait": frozenset({ActionType.WAIT}),
    "call_user": frozenset({ActionType.CALL_USER}),
    "answer": frozenset({ActionType.ANSWER}),
    "finish": frozenset({ActionType.FINISH}),
    "finish_infeasible": frozenset({ActionType.FINISH_INFEASIBLE}),
}
"""The tools, with the kinds of action that each carries out."""


def _key(key: str) -> Literal["enter", "back", "home", "recents"]:
    match key:
        case "enter" | "back" | "home" | "recents":
            return key
    raise MalformedAction(f"a key is enter, back, home or recents, not {key!r}")
