"""The runner of demonstrations: steps by visible text become primitive actions, one at a time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from mobile_gym.devices.base import Device
from mobile_gym.devices.ui_tree import Bounds, UiTree
from mobile_gym.reward.errors import DemonstrationError
from mobile_gym.reward.frame import to_frame, to_pixel
from mobile_gym.reward.protocol_actions import ALLOWED
from mobile_gym.reward.steps import At, DragSpec, ScrollSpec, Step, SwipeSpec, TypeSpec
from mobile_gym.reward.targets import Found, Target, TargetSpec, Words, as_spec, describe, find, visible_texts
from mobile_gym.reward.task_spec import Language, TaskSpec

__all__ = ["DemonstrationError", "DemonstrationRunner", "Looked", "PrimitiveAction", "Spoken", "perform"]

_KEYS = {"enter": "press_enter", "back": "press_back", "home": "press_home", "recents": "press_recents"}
_PAGES = 4
"""How many pages of the home screen, and how many swipes of the drawer, are searched for an app's icon."""


@dataclass(frozen=True, slots=True)
class PrimitiveAction:
    """One action as an agent would give it.

    Attributes:
        kind: lower-case word of the kind, such as `tap`.
        point: where the finger goes down, 0-1000 frame; None where the kind has no point.
        lift: where the finger lets go, 0-1000 frame.
        text: what to type, the app to open, the answer, or the seconds to wait.
    """

    kind: str
    point: tuple[int, int] | None = None
    lift: tuple[int, int] | None = None
    text: str = ""


class Looked(Protocol):
    """What shows a screen: a device, or a node of a task graph."""

    def hierarchy(self) -> UiTree:
        """The tree of what is shown."""


class Spoken(Protocol):
    """A session, as far as a demonstration needs it: the task and the language of the screen."""

    @property
    def task(self) -> TaskSpec: ...
    @property
    def language(self) -> Language: ...


class DemonstrationRunner:
    """Turns demonstrations of one session's task into primitive actions.

    Args:
        device: the device that is looked at; whoever takes the actions carries them out on it.
        session: the session, for its language and its task's protocol.
        allowed: kinds of action that may be used; None for the protocol's. Opening an app without `open_app` goes over
            the home screen, a drag without `drag` is a swipe.
    """

    def __init__(self, device: Looked, session: Spoken, allowed: Collection[str] | None = None) -> None:
        self._device = device
        self._session = session
        self._allowed = frozenset(allowed) if allowed is not None else ALLOWED[session.task.protocol]
        self._step = 0

    def steps(self, demonstration: Sequence[Step]) -> Iterator[PrimitiveAction]:
        """The actions of a demonstration.

        Each is made from the screen as it stands when it is asked for, so the one before must have been carried out.

        Raises:
            DemonstrationError: an element is not on the screen, or the protocol does not allow what a step needs.
        """
        for number, step in enumerate(demonstration, start=1):
            self._step = number
            yield from self._resolve(step)

    def _resolve(self, step: Step) -> Iterator[PrimitiveAction]:
        kind, spec = step.kind, step.spec
        handlers: dict[str, Callable[[Any], Iterator[PrimitiveAction]]] = {
            "swipe": self._swipe,
            "scroll_to": self._scroll_to,
            "drag": self._drag,
            "type": self._type,
            "open_app": self._open_app,
        }
        if kind in handlers:
            yield from handlers[kind](spec)
        elif kind in ("tap", "double_tap", "long_press"):
            yield self._action(kind, self._point(spec))
        elif kind in _KEYS:
            yield self._action(_KEYS[kind])
        elif kind == "wait":
            yield self._action("wait", text=f"{spec:g}")
        else:
            yield self._action(kind, text="" if spec is None else self._words(spec))

    def _action(
        self,
        kind: str,
        point: tuple[int, int] | None = None,
        lift: tuple[int, int] | None = None,
        text: str = "",
    ) -> PrimitiveAction:
        if kind not in self._allowed:
            raise self._error(
                f"the protocol {self._session.task.protocol!r} does not allow {kind}; allowed are "
                f"{', '.join(sorted(self._allowed))}"
            )
        return PrimitiveAction(kind, point, lift, text)

    def _error(self, problem: str, tree: UiTree | None = None) -> DemonstrationError:
        return DemonstrationError(
            self._session.task.id, self._step, problem, visible_texts(tree) if tree is not None else ()
        )

    def _words(self, text: str | Words) -> str:
        return text.in_language(self._session.language) if isinstance(text, Words) else text

    def _seek(self, target: Target) -> tuple[Found | None, UiTree]:
        tree = self._device.hierarchy()
        return find(tree, target, self._session.language), tree

    def _must_find(self, target: Target) -> tuple[Found, UiTree]:
        found, tree = self._seek(target)
        if found is None:
            raise self._error(f"no element with {describe(target, self._session.language)}", tree)
        return found, tree

    def _point(self, target: Target | At) -> tuple[int, int]:
        if isinstance(target, At):
            return target.point
        found, tree = self._must_find(target)
        return to_frame(*found.box.center, tree.size)

    # Movements.

    def _swipe(self, spec: str | SwipeSpec) -> Iterator[PrimitiveAction]:
        direction, on = (spec, None) if isinstance(spec, str) else (spec.direction, spec.on)
        if on is None:
            yield self._swipe_in(direction, None, (1, 1))
        else:
            found, tree = self._must_find(on)
            yield self._swipe_in(direction, found.box, tree.size)

    def _swipe_in(self, direction: str, box: Bounds | None, size: tuple[int, int]) -> PrimitiveAction:
        # Inside the middle of the box, so that neither the system's edges nor a neighbour are touched.
        if box is None:
            left, top, right, bottom = 100, 300, 900, 750
        else:
            left, top = to_frame(box.left, box.top, size)
            right, bottom = to_frame(box.right - 1, box.bottom - 1, size)
            inset_x, inset_y = (right - left) // 5, (bottom - top) // 5
            left, right, top, bottom = left + inset_x, right - inset_x, top + inset_y, bottom - inset_y
        across, down = (left + right) // 2, (top + bottom) // 2
        ends = {
            "up": ((across, bottom), (across, top)),
            "down": ((across, top), (across, bottom)),
            "left": ((right, down), (left, down)),
            "right": ((left, down), (right, down)),
        }
        return self._action("swipe", *ends[direction])

    def _scroll_to(self, spec: Target | ScrollSpec) -> Iterator[PrimitiveAction]:
        scroll = spec if isinstance(spec, ScrollSpec) else ScrollSpec(to=spec)
        before: UiTree | None = None
        for _ in range(scroll.most):
            found, tree = self._seek(scroll.target)
            if found is not None and _well_inside(found, tree.size):
                return
            if before is not None and tree.roots == before.roots:
                break
            before = tree
            yield from self._swipe(SwipeSpec(direction=scroll.direction, on=scroll.on))
        self._must_find(scroll.target)

    def _drag(self, spec: DragSpec) -> Iterator[PrimitiveAction]:
        kind = "drag" if "drag" in self._allowed else "swipe"
        if spec.slider is None:
            assert spec.start is not None
            assert not isinstance(spec.to, float)
            yield self._action(kind, self._point(spec.start), self._point(spec.to))
            return
        assert isinstance(spec.to, float)
        found, tree = self._slider(spec.slider)
        box = found.box
        width, (_, middle) = box.right - 1 - box.left, box.center
        # The finger goes down at the other end, so that it always moves.
        start = 0.1 if spec.to > 0.5 else 0.9
        yield self._action(
            kind,
            to_frame(box.left + round(start * width), middle, tree.size),
            to_frame(box.left + round(spec.to * width), middle, tree.size),
        )

    def _slider(self, target: Target) -> tuple[Found, UiTree]:
        found, tree = self._must_find(target)
        if found.node.class_name.endswith(("SeekBar", "Slider")):
            return found, tree
        return self._must_find(TargetSpec.model_validate({"class": "SeekBar", "beside": as_spec(target)}))

    # Text and apps.

    def _type(self, spec: str | Words | TypeSpec) -> Iterator[PrimitiveAction]:
        if isinstance(spec, TypeSpec):
            if spec.into is not None:
                yield self._action("tap", self._point(spec.into))
            spec = spec.text
        yield self._action("type", text=self._words(spec))

    def _open_app(self, spec: str | Words) -> Iterator[PrimitiveAction]:
        name = self._words(spec)
        if "open_app" in self._allowed:
            yield self._action("open_app", text=name)
            return
        yield self._action("press_home")
        if self._seek(name)[0] is None:
            yield from self._search_launcher(name)
        yield self._action("tap", self._point(name))

    def _search_launcher(self, name: str) -> Iterator[PrimitiveAction]:
        for _ in range(_PAGES):
            before = self._device.hierarchy()
            yield self._swipe_in("left", None, (1, 1))
            found, tree = self._seek(name)
            if found is not None:
                return
            if tree.roots == before.roots:
                break
        yield self._action("press_home")
        for _ in range(_PAGES):
            # The first opens the drawer of all apps, the next ones scroll it.
            yield self._swipe_in("up", None, (1, 1))
            if self._seek(name)[0] is not None:
                return


def _well_inside(found: Found, size: tuple[int, int]) -> bool:
    """Whether an element stands clear of the screen's upper and lower edge, where bars may cover it."""
    _, y = found.box.center
    margin = size[1] // 20
    return found.box.bottom - found.box.top >= 8 and margin <= y <= size[1] - margin


def perform(device: Device, action: PrimitiveAction) -> None:
    """Carries an action out on a device and lets it settle; those that do not touch the device do nothing.

    Raises:
        DeviceError: the device refused or failed.
    """
    info = device.info
    size = (info.width, info.height)
    start = to_pixel(action.point, size) if action.point is not None else (0, 0)
    end = to_pixel(action.lift, size) if action.lift is not None else (0, 0)
    match action.kind:
        case "tap":
            device.tap(*start)
        case "double_tap":
            device.double_tap(*start)
        case "long_press":
            device.long_press(*start)
        case "swipe":
            device.swipe(*start, *end)
        case "drag":
            device.drag(*start, *end)
        case "type":
            device.type_text(action.text)
        case "press_enter":
            device.press("enter")
        case "press_back":
            device.press("back")
        case "press_home":
            device.press("home")
        case "press_recents":
            device.press("recents")
        case "open_app":
            device.open_app(action.text)
        case "wait":
            device.clock.wait(float(action.text or 1))
        case _:
            return
    device.settle()
