"""The screen of an Android device: its size and turn, its picture, its tree, what is in front."""

from __future__ import annotations

import itertools
import os
import shlex
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from PIL import Image

from mobile_gym.devices.adb_link import AdbLink
from mobile_gym.devices.base import Activity, Frame
from mobile_gym.devices.errors import CommandFailed, DeviceOffline, HierarchyUnavailable, ScreenshotUnavailable
from mobile_gym.devices.parse.common import ParseError
from mobile_gym.devices.parse.foreground import SYSTEM_UI, parse_foreground
from mobile_gym.devices.parse.hierarchy import HierarchyError, dump_failure, dump_path, parse_hierarchy
from mobile_gym.devices.parse.screen import (
    ScreenError,
    choose_display,
    parse_displays,
    parse_physical_displays,
    parse_rotation,
    parse_wm_density,
    parse_wm_size,
)
from mobile_gym.devices.parse.screencap import ScreencapError, is_black, parse_png, parse_raw
from mobile_gym.devices.ui_tree import UiTree

_CUT: Final = "--mobile-gym--"
_FOCUS: Final = (
    "mCurrentFocus|mFocusedApp|mTopFocusedDisplayId|Display: mDisplayId|mShowingLockscreen|mDreamingLockscreen|"
    "isStatusBarKeyguard|mIsShowing|KeyguardShowing|KeyguardServiceDelegate|showing=|Can.t find service"
)
_RESUMED: Final = "ResumedActivity|mFocusedActivity|Display #"
_TURN: Final = "Viewport|SurfaceOrientation|InputDeviceOrientation|PhysicalWidth|SurfaceWidth"
_LOCAL: Final = ("emulator-", "127.0.0.1:", "localhost:")


@dataclass(frozen=True, slots=True)
class ScreenFacts:
    """Size as the screen is turned, pixels an inch, quarter turns."""

    width: int
    height: int
    dpi: int
    rotation: int


@dataclass(slots=True)
class AdbScreen:
    """Reads the screen of one device. Nothing is remembered but which of several displays is looked at.

    Attributes:
        link: the device.
        display: the id that `screencap -d` takes, as text; None to choose the display that is on.
        retries: how often a failing dump or capture is tried again.
        raw: whether pictures come as raw pixels, which is faster on this machine and slower over a cable.
        sdk: API level; 0 while it is not known.
    """

    link: AdbLink
    display: str | None = None
    retries: int = 4
    raw: bool | None = None
    sdk: int = 0
    _chosen: str | None = None
    _looked: bool = False
    _names: Iterator[int] = field(default_factory=itertools.count)

    def facts(self) -> ScreenFacts:
        """Size, density and turn, read now.

        Raises:
            CommandFailed: the device does not tell its size.
        """
        command = f"wm size; echo {_CUT}; wm density; echo {_CUT}; dumpsys input | grep -E {shlex.quote(_TURN)}"
        size, density, turn = self._sections(command, 3)
        try:
            width, height = parse_wm_size(size).used
            dpi = parse_wm_density(density)
            rotation = self._rotation(turn)
        except ParseError as error:
            raise CommandFailed(f"{self.link.serial}: {error}") from error
        if rotation % 2:
            width, height = height, width
        return ScreenFacts(width, height, dpi, rotation)

    def _rotation(self, turn: str) -> int:
        try:
            return parse_rotation(turn)
        except ScreenError:
            return parse_rotation(self.link.run("dumpsys display", repeatable=True).stdout)

    def screenshot(self, size: tuple[int, int] | None) -> Frame:
        """The picture, shrunk where a size is given.

        Raises:
            ScreenshotUnavailable: it failed every time; a secure window is no failure but black.
        """
        error: ScreencapError | None = None
        for attempt in range(self.retries + 1):
            if attempt:
                time.sleep(self.link.pause)
                self._looked = False  # a folded phone has another display in use now
            try:
                frame = self._capture()
            except ScreencapError as caught:
                error = caught
                continue
            if is_black(frame) and self._other_display():
                frame = self._capture()
            return frame if size is None or (frame.shape[1], frame.shape[0]) == size else _shrunk(frame, size)
        raise ScreenshotUnavailable(
            f"{self.link.serial}: no picture after {self.retries + 1} tries: {error}. The screen may be off or the "
            "device short of memory; a secure window would have given a black picture."
        )

    def _capture(self) -> Frame:
        which = f" -d {shlex.quote(display)}" if (display := self._display()) else ""
        raw = self.link.serial.startswith(_LOCAL) if self.raw is None else self.raw
        data = self.link.out(f"screencap{which}" if raw else f"screencap -p{which}")
        return parse_raw(data, 16 if self.sdk >= 28 else None) if raw else parse_png(data)

    def _display(self) -> str | None:
        """The id of the display to capture, where there is a choice."""
        if self.display is not None:
            return self.display
        if not self._looked:
            self._chosen = self._choose()
            self._looked = True
        return self._chosen

    def _other_display(self) -> bool:
        """Whether another display than the captured one is in use now."""
        if self.display is not None:
            return False
        before = self._chosen
        self._chosen = self._choose()
        return self._chosen != before

    def _choose(self) -> str | None:
        physical = [
            display
            for display in parse_physical_displays(
                self.link.run("dumpsys SurfaceFlinger --display-id", repeatable=True).stdout
            )
            if display.hwc is not None
        ]
        if len(physical) < 2:
            return None
        try:
            used = choose_display(parse_displays(self.link.run("dumpsys display", repeatable=True).stdout))
        except ScreenError:
            return None
        known = {display.id for display in physical}
        return used.physical_id if used.physical_id in known else None

    def hierarchy(self) -> UiTree:
        """The tree, with retries; never one of an earlier screen.

        Raises:
            HierarchyUnavailable: every try failed; the message says how the last one did.
        """
        error: HierarchyError | None = None
        for attempt in range(self.retries + 1):
            if attempt:
                time.sleep(self.link.pause)
            try:
                tree = self._dump()
                self._check_focus(tree)
            except HierarchyError as caught:
                error = caught
            else:
                return tree
        raise HierarchyUnavailable(f"{self.link.serial}: no UI hierarchy after {self.retries + 1} tries: {error}")

    def _dump(self) -> UiTree:
        # A name that was never used before, deleted first: what is read is what this dump wrote, or nothing.
        path = f"/data/local/tmp/mobile-gym-{os.getpid():x}-{time.monotonic_ns():x}-{next(self._names)}.xml"
        command = (
            f"rm -f {path}; uiautomator dump {path} 2>&1; echo {_CUT}; cat {path} 2>/dev/null; echo; echo {_CUT}; "
            f"wm size; rm -f {path}"
        )
        said, data, size = self._sections(command, 3)
        written = dump_path(said)
        if written is not None and written != path and not data.strip():
            data = self._elsewhere(written)
        if written is None and "<hierarchy" not in data:
            raise dump_failure(said + data)
        tree = parse_hierarchy(data if data.strip() else said)
        try:
            width, height = parse_wm_size(size).used
        except ScreenError:
            return tree
        if tree.rotation % 2:
            width, height = height, width
        return UiTree(tree.roots, tree.rotation, (width, height), tree.notes)

    def _check_focus(self, tree: UiTree) -> None:
        """Some Android dumps the status bar while a dialog that has just opened has the focus."""
        if not tree.roots or any(root.package != SYSTEM_UI for root in tree.roots):
            return
        front = self.foreground()
        if front.package != SYSTEM_UI and not front.locked:
            raise HierarchyError(f"only bars of the system were read while {front.package} has the focus")

    def _elsewhere(self, path: str) -> str:
        """What a dump wrote to a path of its own choice, as old Android does; the file is taken away."""
        quoted = shlex.quote(path)
        return self.link.run(f"cat {quoted}; rm -f {quoted}").stdout

    def foreground(self) -> Activity:
        """What is in front.

        Raises:
            CommandFailed: no answer of the device tells.
        """
        command = (
            f"dumpsys window 2>&1 | grep -E {shlex.quote(_FOCUS)}; echo {_CUT}; "
            f"dumpsys activity activities | grep -E {shlex.quote(_RESUMED)}"
        )
        window, activities = self._sections(command, 2)
        try:
            return parse_foreground(window, activities, sdk=self.sdk or None)
        except ParseError:
            top = self.link.run("dumpsys activity top", repeatable=True).stdout
        try:
            return parse_foreground(window, activities, top, self.sdk or None)
        except ParseError as error:
            raise CommandFailed(f"{self.link.serial}: {error}") from error

    def _sections(self, command: str, count: int) -> list[str]:
        result = self.link.run(command, repeatable=True)
        if "Can't find service" in result.stdout + result.stderr:
            raise DeviceOffline(f"{self.link.serial}: it is still booting: {result.stderr.strip()[:200]}", "booting")
        sections = result.stdout.replace("\r\n", "\n").split(f"{_CUT}\n")
        if len(sections) != count:
            raise CommandFailed(f"{self.link.serial}: the shell did not run a whole line: {result.stdout[-200:]!r}")
        return sections


def _shrunk(frame: Frame, size: tuple[int, int]) -> Frame:
    """The frame at another size: averaged over whole boxes where it shrinks by whole numbers, else Lanczos."""
    height, width = frame.shape[:2]
    whole = width % size[0] == 0 and height % size[1] == 0
    resampling = Image.Resampling.BOX if whole else Image.Resampling.LANCZOS
    return np.array(Image.fromarray(frame).resize(size, resampling), dtype=np.uint8)
