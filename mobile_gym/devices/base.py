"""`Device`: the one interface to a phone, whether it lives in the process, in an emulator or in a hand."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from types import TracebackType
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from mobile_gym.devices.ui_tree import UiTree

Frame = NDArray[np.uint8]
Row = dict[str, Any]
Key = Literal["home", "back", "recents", "enter", "delete", "power", "volume_up", "volume_down", "tab", "escape"]


class Capability(StrEnum):
    """What a device can do beyond showing and touching; tasks name those that they require."""

    SNAPSHOTS = "snapshots"
    HIERARCHY = "hierarchy"
    UNICODE_TEXT = "unicode_text"
    SHELL = "shell"
    SETTINGS = "settings"
    CONTENT = "content"
    ROOT = "root"
    FILES = "files"
    SMS = "sms"
    CALLS = "calls"
    CLOCK = "clock"
    VIRTUAL_TIME = "virtual_time"
    DIGEST = "digest"


@dataclass(frozen=True, slots=True)
class Activity:
    """What is in front. `package` is `com.android.systemui` where the shade or the lock screen covers the app.

    Attributes:
        package: the package's name.
        name: the activity's full class name; empty where a system window has the focus.
        locked: whether the lock screen is up.
    """

    package: str
    name: str
    locked: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """What a shell command gave: standard output, standard error (empty where the device merges them), exit status."""

    stdout: str
    exit_code: int
    stderr: str = ""


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    """Facts about a device.

    Attributes:
        serial: how to reach it again.
        model: the model's name.
        sdk: Android API level.
        release: Android version.
        width: width of the screen as it is turned now, pixels.
        height: height of the screen as it is turned now, pixels.
        dpi: pixels an inch.
        rotation: quarter turns counter-clockwise from the natural orientation, 0 to 3.
        language: the language in use, such as `zh` or `en`; empty where the device does not tell.
    """

    serial: str
    model: str
    sdk: int
    release: str
    width: int
    height: int
    dpi: int
    rotation: int
    language: str


class Settings(ABC):
    """Android's settings by namespace (`system`, `secure`, `global`) and key; all values are text."""

    @abstractmethod
    def get(self, namespace: str, key: str) -> str | None:
        """The value, or None where the key was never put."""

    @abstractmethod
    def put(self, namespace: str, key: str, value: str) -> None:
        """Puts a value and lets the device act on it."""

    @abstractmethod
    def delete(self, namespace: str, key: str) -> None:
        """Deletes a key; no error where it is missing."""

    @abstractmethod
    def all(self, namespace: str) -> dict[str, str]:
        """Everything in a namespace."""


class Content(ABC):
    """Content providers. Rows are dicts of text, numbers or None, by column."""

    @abstractmethod
    def query(self, uri: str, where: str | None = None, sort: str | None = None) -> list[Row]:
        """Rows of a `content://` URI; `where` is the provider's SQL condition.

        Raises:
            CommandFailed: no provider serves the URI, or it refuses the condition.
        """

    @abstractmethod
    def insert(self, uri: str, values: Mapping[str, str | int | float | None]) -> None:
        """Inserts one row."""

    @abstractmethod
    def update(self, uri: str, values: Mapping[str, str | int | float | None], where: str | None = None) -> None:
        """Updates the rows that a condition matches."""

    @abstractmethod
    def delete(self, uri: str, where: str | None = None) -> None:
        """Deletes the rows that a condition matches; all rows without one."""


class Files(ABC):
    """Files of the device. Paths are the device's own."""

    @abstractmethod
    def read(self, path: str) -> bytes:
        """The bytes of a file; raises CommandFailed where it is missing."""

    @abstractmethod
    def write(self, path: str, data: bytes) -> None:
        """Writes a whole file, making directories as needed."""

    @abstractmethod
    def list(self, path: str) -> list[str]:
        """Names in a directory, sorted; raises CommandFailed where it is missing."""

    @abstractmethod
    def exists(self, path: str) -> bool:
        """Whether something is at a path."""

    @abstractmethod
    def delete(self, path: str) -> None:
        """Deletes a file or a directory with all in it; no error where it is missing."""


class Snapshots(ABC):
    """Named snapshots of the whole device."""

    @abstractmethod
    def save(self, name: str) -> None:
        """Saves the state under a name, replacing one that was there."""

    @abstractmethod
    def load(self, name: str) -> None:
        """Restores a state; raises SnapshotMissing where there is none of that name."""

    @abstractmethod
    def list(self) -> list[str]:
        """Names, sorted."""

    @abstractmethod
    def delete(self, name: str) -> None:
        """Deletes one; raises SnapshotMissing where there is none."""


class Clock(ABC):
    """The device's clock."""

    @abstractmethod
    def now(self) -> datetime:
        """The device's local time, with its zone."""

    @abstractmethod
    def set(self, moment: datetime) -> None:
        """Sets the device's time; a naive datetime is local."""

    @abstractmethod
    def wait(self, seconds: float) -> None:
        """Lets the device's time pass: virtual time where it has one, else real time."""


class Device(ABC):
    """One phone.

    Coordinates are pixels of the screen as it is turned now, origin top left. Every call ends within `timeout` seconds
    or raises DeviceTimeout; every failure is a `DeviceError`.

    Attributes:
        serial: how to reach the device again, e.g. `embedded:pixel_6a` or `adb:emulator-5554`.
        timeout: seconds that a call may take.
    """

    serial: str
    timeout: float
    settings: Settings
    content: Content
    files: Files
    snapshots: Snapshots
    clock: Clock

    @property
    @abstractmethod
    def info(self) -> DeviceInfo:
        """Facts about the device, with the screen as it is turned now."""

    @property
    @abstractmethod
    def capabilities(self) -> frozenset[Capability]:
        """What the device can do."""

    @abstractmethod
    def screenshot(self, size: tuple[int, int] | None = None) -> Frame:
        """The screen as uint8[H, W, 3], RGB, a new array each time.

        Args:
            size: (width, height) wanted, pixels; None for the screen's own. A device that paints does so at this
                scale, others shrink.
        """

    @abstractmethod
    def hierarchy(self) -> UiTree:
        """The tree of the focused window; raises HierarchyUnavailable."""

    @abstractmethod
    def foreground(self) -> Activity:
        """What is in front."""

    @abstractmethod
    def tap(self, x: int, y: int) -> None:
        """Touches a point briefly."""

    @abstractmethod
    def double_tap(self, x: int, y: int) -> None:
        """Touches a point twice."""

    @abstractmethod
    def long_press(self, x: int, y: int, seconds: float = 1.0) -> None:
        """Touches a point and holds."""

    @abstractmethod
    def swipe(self, x1: int, y1: int, x2: int, y2: int, seconds: float = 0.2) -> None:
        """Moves a finger and lets go in motion: lists fling on."""

    @abstractmethod
    def drag(self, x1: int, y1: int, x2: int, y2: int, seconds: float = 1.0) -> None:
        """Takes hold of a point, moves it and lets go at rest: nothing flings."""

    @abstractmethod
    def type_text(self, text: str) -> None:
        """Types at the cursor of the focused field and presses nothing.

        A newline stays a newline in a field of many lines and is Enter in a field of one line. Empty text sends
        nothing.

        Raises:
            TextInputUnsupported: no field has the focus, or the device cannot type this text.
        """

    @abstractmethod
    def press(self, key: Key) -> None:
        """Presses a key."""

    @abstractmethod
    def open_app(self, name: str) -> None:
        """Opens an app by package or by the label that the launcher shows, in any language; raises CommandFailed."""

    @abstractmethod
    def start_activity(
        self,
        component: str | None = None,
        action: str | None = None,
        data: str | None = None,
        extras: Mapping[str, str | int | bool] | None = None,
    ) -> None:
        """Starts an activity by component (`package/.Class`) or intent, as `am start` does; raises CommandFailed."""

    @abstractmethod
    def settle(self) -> None:
        """Lets the screen come to rest, for a few seconds at most."""

    @abstractmethod
    def shell(self, command: str) -> Result:
        """Runs a line in the device's shell. An exit status other than 0 is no error."""

    @abstractmethod
    def send_sms(self, sender: str, body: str) -> None:
        """Lets a text message arrive."""

    @abstractmethod
    def incoming_call(self, number: str) -> None:
        """Lets a call arrive."""

    @abstractmethod
    def reset_app(self, package: str) -> None:
        """Stops an app and clears its data."""

    def digest(self) -> str:
        """A hash of the whole state, where the device has the capability `digest`."""
        from mobile_gym.devices.errors import CapabilityMissing

        raise CapabilityMissing(f"{self.serial} cannot hash its state", Capability.DIGEST)

    @abstractmethod
    def close(self) -> None:
        """Gives the device up; calling it twice is fine."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
