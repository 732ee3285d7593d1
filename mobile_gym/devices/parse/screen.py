"""Sizes, densities, rotations and displays, from `wm`, `dumpsys input`, `dumpsys display` and SurfaceFlinger."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from mobile_gym.devices.parse.common import ParseError, android_integer, lines

_SIZE = re.compile(r"(Physical|Override) size:\s*(\d{1,6})\s*x\s*(\d{1,6})", re.IGNORECASE)
_DENSITY = re.compile(r"(Physical|Override) density:\s*(\d{1,5})", re.IGNORECASE)
_INPUT_VIEWPORT = re.compile(
    r"Viewport (\w+): displayId=(-?\d+), (?:uniqueId=([^,]*), )?(?:port=[^,]*, )?orientation=(\d+|ROTATION_\d+), "
    r"logicalFrame=\[(-?\d+), (-?\d+), (-?\d+), (-?\d+)\](.*)"
)
_ACTIVE = re.compile(r"isActive=\[?(\w+)")
_ROTATION = re.compile(r"^\s+(SurfaceOrientation|InputDeviceOrientation):\s*(?:Rotation|ROTATION_)?(\d+)\s*$")
_WIDTH = re.compile(r"^\s+(?:SurfaceWidth|PhysicalWidth|DisplayWidth):\s*(-?\d+)px")
_DISPLAY_VIEWPORT = re.compile(r"DisplayViewport\{([^}]*)\}")
_RECT = re.compile(r"Rect\((-?\d+), (-?\d+) - (-?\d+), (-?\d+)\)")
_DISPLAY_INFO = re.compile(r"m(Override|Base)DisplayInfo=DisplayInfo\{(.*)")
_PHYSICAL = re.compile(r"^\s*Display (\d+) \((?:HWC display (\d+)|[^)]*)\):?\s*(.*)$")
_TURNS = {"0": 0, "90": 1, "180": 2, "270": 3, "1": 1, "2": 2, "3": 3}


class ScreenError(ParseError):
    """An answer does not tell the size, density, rotation or display that was asked for."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """`wm size`: width and height in the natural orientation, pixels."""

    physical: tuple[int, int] | None
    override: tuple[int, int] | None

    @property
    def used(self) -> tuple[int, int]:
        """The size that touches and screenshots use: the override where there is one."""
        size = self.override or self.physical
        assert size is not None  # `parse_wm_size` never makes one without either
        return size


@dataclass(frozen=True, slots=True)
class Viewport:
    """Where input goes: one display as the input reader or the display manager sees it.

    Attributes:
        kind: `INTERNAL`, `EXTERNAL` or `VIRTUAL`.
        display: the logical display's number.
        unique_id: such as `local:4619827259835644672`.
        rotation: quarter turns.
        size: width and height as the display is turned, pixels.
        active: whether it is in use.
    """

    kind: str
    display: int
    unique_id: str
    rotation: int
    size: tuple[int, int]
    active: bool


@dataclass(frozen=True, slots=True)
class Display:
    """A logical display.

    Attributes:
        number: its number, 0 for the default one.
        unique_id: such as `local:4630946219955703955`; empty where the device does not tell.
        size: width and height as it is turned, pixels.
        rotation: quarter turns.
        state: `ON`, `OFF`, `DOZE`, …; empty where the device does not tell.
        internal: whether it is built in.
    """

    number: int
    unique_id: str
    size: tuple[int, int]
    rotation: int
    state: str
    internal: bool

    @property
    def physical_id(self) -> str | None:
        """The 64-bit id that `screencap -d` takes, as text, or None for a virtual or a small id."""
        kind, _, value = self.unique_id.partition(":")
        return value if kind == "local" and value.isdigit() and len(value) > 4 else None


@dataclass(frozen=True, slots=True)
class PhysicalDisplay:
    """One line of `dumpsys SurfaceFlinger --display-id`. `id` is a 64-bit number as text; `hwc` the small number."""

    id: str
    hwc: int | None
    name: str


def parse_wm_size(text: str) -> Sizes:
    """`wm size`.

    Raises:
        ScreenError: it names no size, or one without pixels.
    """
    found: dict[str, tuple[int, int]] = {}
    for match in _SIZE.finditer(text):
        size = (int(match[2]), int(match[3]))
        if min(size) > 0:
            found.setdefault(match[1].lower(), size)
    if not found:
        raise ScreenError("expected 'Physical size: WxH' from wm size", text)
    return Sizes(found.get("physical"), found.get("override"))


def parse_wm_density(text: str) -> int:
    """Pixels an inch in use, from `wm density`.

    Raises:
        ScreenError: it names no density.
    """
    found = {match[1].lower(): int(match[2]) for match in _DENSITY.finditer(text)}
    density = found.get("override") or found.get("physical")
    if not density:
        raise ScreenError("expected 'Physical density: N' from wm density", text)
    return density


def parse_input_viewports(text: str) -> list[Viewport]:
    """The viewports in `dumpsys input`, without those that no display has (number -1 or no pixels)."""
    found: dict[tuple[str, int], Viewport] = {}
    for match in _INPUT_VIEWPORT.finditer(text):
        active = _ACTIVE.search(match[9])
        width, height = int(match[7]) - int(match[5]), int(match[8]) - int(match[6])
        display = int(match[2])
        if display < 0 or width <= 0 or height <= 0:
            continue
        rotation = _TURNS.get(match[4].removeprefix("ROTATION_"), 0)
        viewport = Viewport(
            match[1], display, match[3] or "", rotation, (width, height), active is None or active[1] in {"1", "true"}
        )
        known = found.get((viewport.kind, display))
        if known is None or (viewport.active and not known.active):
            found[viewport.kind, display] = viewport
    return list(found.values())


def parse_display_viewports(text: str) -> list[Viewport]:
    """The viewports in `dumpsys display` (`mViewports=[DisplayViewport{…}]`, older `mDefaultViewport=…`)."""
    found: dict[int, Viewport] = {}
    for match in _DISPLAY_VIEWPORT.finditer(text):
        viewport = _display_viewport(match[1])
        if viewport is not None:
            known = found.get(viewport.display)
            # A tablet may list a display twice, once for each way it can be mounted: the one in use counts.
            if known is None or (viewport.active and not known.active):
                found[viewport.display] = viewport
    return list(found.values())


def _display_viewport(body: str) -> Viewport | None:
    facts = dict(part.split("=", 1) for part in body.split(", ") if "=" in part)
    number = facts.get("displayId", "")
    frame = _RECT.search(body[body.find("logicalFrame=") :]) if "logicalFrame=" in body else None
    if frame is not None:
        size = (int(frame[3]) - int(frame[1]), int(frame[4]) - int(frame[2]))
    else:
        size = (
            android_integer(facts.get("deviceWidth", "").strip()) or 0,
            android_integer(facts.get("deviceHeight", "").strip()) or 0,
        )
    if not number.isdigit() or facts.get("valid", "true") != "true" or min(size) <= 0:
        return None
    return Viewport(
        facts.get("type", "INTERNAL"),
        int(number),
        facts.get("uniqueId", "").strip("'\""),
        _TURNS.get(facts.get("orientation", "0"), 0),
        size,
        facts.get("isActive", "true") == "true",
    )


def parse_rotation(text: str, display: int = 0) -> int:
    """Quarter turns of a display, from `dumpsys input` or `dumpsys display` in any of their forms.

    Raises:
        ScreenError: no form is there.
    """
    viewports = [v for v in (*parse_input_viewports(text), *parse_display_viewports(text)) if v.display == display]
    if viewports:
        best = max(viewports, key=lambda v: (v.active, v.kind == "INTERNAL"))
        return best.rotation
    # Each touch device prints its own; one that no display uses has a negative width.
    used: list[int] = []
    unused: list[int] = []
    width = 0
    for line in lines(text):
        size = _WIDTH.match(line)
        if size is not None:
            width = int(size[1])
        turned = _ROTATION.match(line)
        if turned is not None:
            (unused if width < 0 else used).append(_TURNS.get(turned[2], 0))
    rotations = used or unused
    if rotations:
        return rotations[0]
    raise ScreenError("no line of the answer tells how the screen is turned", text)


def parse_displays(text: str) -> list[Display]:
    """The logical displays in `dumpsys display`, by number.

    Raises:
        ScreenError: it lists none.
    """
    found: dict[int, Display] = {}
    for match in _DISPLAY_INFO.finditer(text):
        display = _display(match[2], len(found))
        if display is None:
            continue
        base = found.get(display.number)
        if base is None:
            found[display.number] = display
        elif match[1] == "Override":
            # It has the size as it is turned; its state may lag behind that of the base.
            found[display.number] = replace(base, size=display.size, rotation=display.rotation)
    for viewport in parse_display_viewports(text):
        found.setdefault(
            viewport.display,
            Display(
                viewport.display,
                viewport.unique_id,
                viewport.size,
                viewport.rotation,
                _state(text, viewport.display),
                viewport.kind == "INTERNAL",
            ),
        )
    if not found:
        raise ScreenError("dumpsys display lists no display", text)
    return [found[number] for number in sorted(found)]


def _display(body: str, position: int) -> Display | None:
    size = re.search(r"\breal (\d+) x (\d+)", body)
    if size is None:
        return None
    number = re.search(r"displayId (\d+)", body)
    unique = re.search(r'uniqueId "([^"]*)"', body)
    turned = re.search(r"\brotation (\d)", body)
    state = re.search(r"\bstate (\w+)", body)
    kind = re.search(r"\btype (\w+)", body)
    return Display(
        int(number[1]) if number else position,
        unique[1] if unique else "",
        (int(size[1]), int(size[2])),
        int(turned[1]) % 4 if turned else 0,
        state[1] if state else "",
        kind is None or kind[1] in {"INTERNAL", "BUILT_IN"},
    )


def _state(text: str, number: int) -> str:
    match = re.search(rf"Display Id={number}\s*\r?\n\s*Display State=(\w+)", text)
    return match[1] if match else ""


def choose_display(displays: Sequence[Display]) -> Display:
    """The display that a person looks at: one that is on, built in, largest; the lowest number among equals.

    Raises:
        ScreenError: there is none.
    """
    if not displays:
        raise ScreenError("the device has no display")
    return max(displays, key=lambda d: (d.state == "ON", d.internal, d.size[0] * d.size[1], -d.number))


def parse_physical_displays(text: str) -> list[PhysicalDisplay]:
    """`dumpsys SurfaceFlinger --display-id`; empty where it lists none (old Android prints nothing)."""
    found = []
    for line in lines(text):
        match = _PHYSICAL.match(line)
        if match is not None:
            name = re.search(r'displayName="([^"]*)"', match[3])
            found.append(PhysicalDisplay(match[1], int(match[2]) if match[2] else None, name[1] if name else ""))
    return found
