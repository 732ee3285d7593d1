"""What the shell, `adbd`, the emulator console and the in-process device may ask of a phone.

`mobile_gym.phone.phone.Phone` is the one implementation; the protocols keep its doors from reaching further in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from mobile_gym.phone.profiles import Profile
from mobile_gym.phone.state import PhoneState

Frame = NDArray[np.uint8]
Extras = Mapping[str, str | int | float | bool]


@dataclass(frozen=True, slots=True)
class Intent:
    """What `am start` and the apps start activities with.

    Attributes:
        package: the package asked for, or None for whoever handles the action.
        activity: the full class name asked for, or None for the launcher activity or whoever handles the action.
        action: the action, such as `android.intent.action.VIEW`.
        data: the URI.
        mime: the MIME type.
        extras: named values.
        clear: whether to finish the activities above, and start the task from its root (`FLAG_ACTIVITY_CLEAR_TASK`).
    """

    package: str | None = None
    activity: str | None = None
    action: str | None = None
    data: str | None = None
    mime: str | None = None
    extras: Extras = field(default_factory=dict)
    clear: bool = False


@dataclass(frozen=True, slots=True)
class Component:
    """A package and the full class name of an activity; the name is empty for a system window."""

    package: str
    activity: str

    def flat(self) -> str:
        """`package/.Class` where the class lies in the package, else `package/full.Class`, as Android prints it."""
        name = self.activity
        if name.startswith(self.package + "."):
            name = name[len(self.package) :]
        return f"{self.package}/{name}"


@dataclass(frozen=True, slots=True)
class TaskInfo:
    """One task (stack of activities) in the order of recents, newest first; `activities` from root to top."""

    task_id: int
    activities: tuple[Component, ...]
    visible: bool


@dataclass(frozen=True, slots=True)
class PackageInfo:
    """An installed package.

    Attributes:
        package: its name.
        label: the label by language (`zh`, `en`).
        version_name: e.g. `17.2`.
        version_code: e.g. 172.
        system: whether it came with the phone, so that it can be disabled but not uninstalled.
        enabled: whether it is enabled.
        launcher: full class name of the activity that the launcher opens, or None where it has none.
        permissions: runtime permissions that it asks for, and whether each is granted.
        installed_ms: when it was installed, milliseconds since the epoch.
        apk_path: where `pm path` says that it lies.
        uid: its Linux user id.
        stopped: whether it was force-stopped and not opened since.
        size_bytes: size of the app, of its data and of its cache.
    """

    package: str
    label: Mapping[str, str]
    version_name: str
    version_code: int
    system: bool
    enabled: bool
    launcher: str | None
    permissions: Mapping[str, bool]
    installed_ms: int
    apk_path: str
    uid: int
    stopped: bool
    size_bytes: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class NotificationInfo:
    """A notification that is posted."""

    key: str
    package: str
    channel: str
    title: str
    text: str
    posted_ms: int
    ongoing: bool
    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of logcat."""

    ms: int
    pid: int
    tid: int
    priority: str
    tag: str
    message: str


@dataclass(frozen=True, slots=True)
class SavedSnapshot:
    """A named snapshot as the console lists it."""

    name: str
    size: int
    taken_ms: int


class Packages(Protocol):
    """The package manager. Methods raise PackageNotFound for a name that is not installed."""

    def names(self) -> list[str]:
        """Installed packages, sorted."""

    def info(self, package: str) -> PackageInfo:
        """Facts about one package."""

    def install(self, apk: bytes) -> str:
        """Installs an APK file and returns its package; raises InstallError."""

    def uninstall(self, package: str) -> None:
        """Removes a package with its data; raises InstallError for one that came with the phone."""

    def clear(self, package: str) -> None:
        """Stops an app and clears its data, as `pm clear` does."""

    def clear_cache(self, package: str) -> None:
        """Clears an app's cache."""

    def set_enabled(self, package: str, enabled: bool) -> None:
        """Enables or disables a package."""

    def set_permission(self, package: str, permission: str, granted: bool) -> None:
        """Grants or revokes a runtime permission; raises ProviderError for one that the package does not ask for."""


class Activities(Protocol):
    """The activity manager."""

    def start(self, intent: Intent) -> Component:
        """Starts an activity; raises ActivityNotFound or PackageNotFound."""

    def force_stop(self, package: str) -> None:
        """Removes an app's tasks and notifications."""

    def foreground(self) -> Component:
        """The activity in front, or the system window that covers it (`com.android.systemui`, empty name)."""

    def resumed(self) -> Component:
        """The activity that is resumed, even where a system window covers it."""

    def locked(self) -> bool:
        """Whether the lock screen is up."""

    def tasks(self) -> list[TaskInfo]:
        """Tasks, newest first."""

    def remove_task(self, task_id: int) -> bool:
        """Removes a task, as swiping it away in recents does; tells whether there was one."""

    def broadcast(self, intent: Intent) -> tuple[int, str | None]:
        """Sends a broadcast; returns result code and data (0, None where nobody answered)."""


class Providers(Protocol):
    """The content resolver. Methods raise ProviderError."""

    def query(
        self, uri: str, projection: Sequence[str] | None = None, where: str | None = None, sort: str | None = None
    ) -> list[dict[str, Any]]:
        """Rows of a URI."""

    def insert(self, uri: str, values: Mapping[str, Any]) -> str:
        """Inserts a row; returns its URI."""

    def update(self, uri: str, values: Mapping[str, Any], where: str | None = None) -> int:
        """Updates rows; returns how many."""

    def delete(self, uri: str, where: str | None = None) -> int:
        """Deletes rows; returns how many."""


class InputDoor(Protocol):
    """Touch and keys. Coordinates are pixels of the screen as it is turned. Virtual time moves by what each takes."""

    def tap(self, x: int, y: int) -> None: ...
    def double_tap(self, x: int, y: int) -> None: ...
    def long_press(self, x: int, y: int, ms: int = 1000) -> None: ...
    def swipe(self, x1: int, y1: int, x2: int, y2: int, ms: int = 300) -> None: ...
    def drag(self, x1: int, y1: int, x2: int, y2: int, ms: int = 1000) -> None: ...

    def key(self, name: str) -> None:
        """Presses a key by Android's name without the prefix: `HOME`, `BACK`, `ENTER`, `DEL`, `A`, `VOLUME_UP`, …"""

    def key_combination(self, names: Sequence[str]) -> None:
        """Presses keys together, such as `CTRL_LEFT` and `A`."""

    def text(self, text: str) -> bool:
        """Commits text at the cursor of the focused field; False where no field has the focus."""


class PhoneDoor(Protocol):
    """A phone as its doors see it.

    Attributes:
        profile: hardware and build.
        state: settings, files, databases, clock.
        packages: package manager.
        activities: activity manager.
        providers: content resolver.
        input: touch and keys.
        props: system properties (`getprop`); plain text both ways.
    """

    @property
    def profile(self) -> Profile: ...
    @property
    def state(self) -> PhoneState: ...
    @property
    def packages(self) -> Packages: ...
    @property
    def activities(self) -> Activities: ...
    @property
    def providers(self) -> Providers: ...
    @property
    def input(self) -> InputDoor: ...
    @property
    def props(self) -> dict[str, str]: ...

    @property
    def screen(self) -> tuple[int, int, int]:
        """Width and height in pixels as the screen is turned, and the quarter turns (0 to 3)."""

    @property
    def density_dpi(self) -> int:
        """Pixels an inch in use: the profile's, or what `wm density` or the display size set."""

    def frame(self, size: tuple[int, int] | None = None) -> Frame:
        """The screen as uint8[H, W, 3]; a new array. Black where the window in front is secure."""

    def hierarchy_xml(self) -> str:
        """The focused window as `uiautomator dump` writes it."""

    def put_setting(self, namespace: str, key: str, value: str) -> None:
        """Puts a setting and acts on it."""

    def delete_setting(self, namespace: str, key: str) -> None:
        """Deletes a setting and acts on it."""

    def invalidate(self) -> None:
        """Something that a screen shows may have changed."""

    def notifications(self) -> list[NotificationInfo]:
        """Posted notifications, newest first."""

    def log_lines(self) -> list[LogLine]:
        """The log, oldest first."""

    def log(self, priority: str, tag: str, message: str) -> None:
        """Writes a line to the log."""

    def clear_log(self) -> None:
        """Empties the log."""

    def set_time(self, now_ms: int) -> None:
        """Sets the clock."""

    def advance(self, ms: int) -> None:
        """Lets virtual time pass; alarms ring, pages load, toasts go."""

    def settle(self) -> None:
        """Lets virtual time pass until the screen is at rest, for a few seconds at most."""

    def receive_sms(self, sender: str, body: str) -> None:
        """Lets a text message arrive."""

    def incoming_call(self, number: str) -> None:
        """Lets a call arrive."""

    def save_snapshot(self, name: str) -> None:
        """Saves the state under a name."""

    def load_snapshot(self, name: str) -> None:
        """Restores a state; raises SnapshotNotFound."""

    def delete_snapshot(self, name: str) -> None:
        """Deletes a state; raises SnapshotNotFound."""

    def list_snapshots(self) -> list[SavedSnapshot]:
        """Saved states, sorted by name."""

    def reboot(self) -> None:
        """Restarts: tasks, toasts and dialogs go; data stays."""

    def digest(self) -> str:
        """A hash of the whole state."""
