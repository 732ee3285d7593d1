"""`AdbDevice`: an Android emulator or handset behind an adb server, as a `Device`."""

from __future__ import annotations

import contextlib
import re
import shlex
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NoReturn

from mobile_gym.devices.adb_apps import AdbApps, Labels, start
from mobile_gym.devices.adb_console import EmulatorConsole
from mobile_gym.devices.adb_link import AdbLink
from mobile_gym.devices.adb_screen import AdbScreen
from mobile_gym.devices.adb_server import AdbServer, Deadline
from mobile_gym.devices.adb_stores import AdbClock, AdbContent, AdbFiles, AdbSettings, AdbSnapshots, failed
from mobile_gym.devices.adb_text import Typist
from mobile_gym.devices.base import Activity, Capability, Device, DeviceInfo, Frame, Key, Result
from mobile_gym.devices.errors import (
    CapabilityMissing,
    CommandFailed,
    DeviceError,
    DeviceOffline,
    DeviceTimeout,
    HierarchyUnavailable,
)
from mobile_gym.devices.parse.common import android_integer
from mobile_gym.devices.parse.devices_list import ListedDevice
from mobile_gym.devices.ui_tree import UiTree

_KEYS: Final[Mapping[Key, str]] = {
    "home": "KEYCODE_HOME",
    "back": "KEYCODE_BACK",
    "recents": "KEYCODE_APP_SWITCH",
    "enter": "KEYCODE_ENTER",
    "delete": "KEYCODE_DEL",
    "power": "KEYCODE_POWER",
    "volume_up": "KEYCODE_VOLUME_UP",
    "volume_down": "KEYCODE_VOLUME_DOWN",
    "tab": "KEYCODE_TAB",
    "escape": "KEYCODE_ESCAPE",
}
_PROPS: Final = ("ro.product.model", "ro.build.version.sdk", "ro.build.version.release", "persist.sys.locale")
_READY: Final = "getprop sys.boot_completed; for s in input window activity package settings; do service check $s; done"
ADB_OPTIONS: Final = (
    "server",
    "boot_timeout",
    "pause",
    "retries",
    "display",
    "raw",
    "verify_text",
    "console_port",
    "console_token",
    "labels",
)
_SETTLE_SECONDS: Final = 4.0
_EMULATOR = re.compile(r"emulator-(\d{4,5})")


class AdbDevice(Device):
    """An Android device behind an adb server.

    It keeps no connection open, so it may be used after a fork; it refuses to be pickled (send its `serial` and call
    `connect` there).

    Args:
        serial: the serial in `adb devices`, such as `emulator-5554` or `10.0.0.2:5555`.
        timeout: seconds that a call may take.
        server: the adb server; by default the one that adb itself uses, started where none runs.
        boot_timeout: seconds to wait until the device has booted, here and after a snapshot was loaded.
        pause: seconds between tries.
        retries: how often a failing dump or capture is tried again.
        display: id of the display to capture; by default the one that is on.
        raw: capture raw pixels (faster on one machine) or PNG (faster over a cable); by default what fits the serial.
        verify_text: read back what was typed, which costs two dumps.
        console_port: the emulator console's port where the serial does not tell.
        console_token: the file with the console's token.
        labels: labels of apps to add to the known ones, by package.

    Raises:
        DeviceOffline: the device cannot be reached or does not boot in time; `state` says which.
    """

    def __init__(
        self,
        serial: str,
        timeout: float = 20.0,
        *,
        server: AdbServer | None = None,
        boot_timeout: float = 120.0,
        pause: float = 0.3,
        retries: int = 4,
        display: str | None = None,
        raw: bool | None = None,
        verify_text: bool = True,
        console_port: int | None = None,
        console_token: Path | None = None,
        labels: Labels | None = None,
    ) -> None:
        server = server or AdbServer.from_environment()
        self.serial = f"adb:{serial}"
        self.timeout = timeout
        self._link = AdbLink(server, serial, timeout, pause)
        self._boot_timeout = boot_timeout
        self._console = self._find_console(serial, console_port, console_token)
        self._capabilities: frozenset[Capability] | None = None
        self._su: bool | None = None
        self._closed = False
        self._screen = AdbScreen(self._link, display, retries, raw)
        self._typist = Typist(self._link, self._screen.hierarchy, verify_text)
        self.settings = AdbSettings(self._link)
        self.content = content = AdbContent(self._link)
        self.files = AdbFiles(self._link, self._has_su)
        self.snapshots = AdbSnapshots(self._link, self._need_console, self._after_load)
        self.clock = AdbClock(self._link, self._has_su)
        self._apps = AdbApps(self._link, content, labels)
        self._link.connect()
        self.wait_ready()
        self._screen.sdk = android_integer(self._props()[1]) or 0

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            f"a device cannot be pickled: send its serial {self.serial!r} and call mobile_gym.devices.connect() there"
        )

    def _find_console(self, serial: str, port: int | None, token: Path | None) -> EmulatorConsole | None:
        named = _EMULATOR.fullmatch(serial)
        number = port if port is not None else int(named[1]) if named else None
        return None if number is None else EmulatorConsole(self._link.server.host, number, token)

    def wait_ready(self, seconds: float | None = None) -> None:
        """Waits until Android has booted and its services are there.

        Raises:
            DeviceOffline: it does not within `seconds` (state `booting` or `offline`), or it never will without a
                person (unauthorized, no permissions).
        """
        deadline = Deadline(self._boot_timeout if seconds is None else seconds, f"{self._link.serial}: boot")
        last: DeviceError | str = "no answer"
        while True:
            try:
                result = self._link.run(_READY, repeatable=True)
            except DeviceOffline as error:
                if error.state not in {"offline", "booting"}:
                    raise
                last = error
            except DeviceTimeout as error:
                last = error
            else:
                booted, _, services = result.stdout.replace("\r\n", "\n").partition("\n")
                missing = [line for line in services.splitlines() if line.endswith(": not found")]
                if booted.strip() == "1" and not missing:
                    return
                last = f"sys.boot_completed is {booted.strip()!r}; {'; '.join(missing) or 'all services are there'}"
            if deadline.over():
                state = last.state if isinstance(last, DeviceOffline) else "booting"
                raise DeviceOffline(f"{deadline.error()}: {last}", state)
            time.sleep(self._link.pause)

    @property
    def info(self) -> DeviceInfo:
        facts = self._screen.facts()
        model, sdk, release, locale = self._props()
        return DeviceInfo(
            serial=self.serial,
            model=model,
            sdk=android_integer(sdk) or 0,
            release=release,
            width=facts.width,
            height=facts.height,
            dpi=facts.dpi,
            rotation=facts.rotation,
            language=locale.partition("-")[0].lower(),
        )

    def _props(self) -> tuple[str, str, str, str]:
        # The user's list of languages comes first; the property is empty until one was chosen, and then the build's
        # own is in use.
        commands = [f"getprop {name}" for name in _PROPS]
        commands += ["getprop ro.product.locale", "settings get system system_locales"]
        result = self._link.run("; ".join(commands), repeatable=True)
        values = [line.strip() for line in result.stdout.replace("\r\n", "\n").split("\n")]
        if len(values) < len(commands):
            raise failed(self._link, "getprop", result)
        chosen = "" if values[5] == "null" else values[5]
        return values[0], values[1], values[2], chosen or values[3] or values[4]

    @property
    def capabilities(self) -> frozenset[Capability]:
        if self._capabilities is None:
            self._capabilities = self._detect()
        return self._capabilities

    def _detect(self) -> frozenset[Capability]:
        """What was tried and worked, once."""
        found = {Capability.SHELL}
        if self._succeeds("command -v uiautomator || which uiautomator"):
            found.add(Capability.HIERARCHY)
        if self._succeeds("command -v content || which content"):
            found.add(Capability.CONTENT)
        # Some makers let adb read settings and not write them.
        probe = "global mobile_gym_probe"
        put = self._link.run(f"settings put {probe} 1 && settings get {probe}; settings delete {probe}")
        if put.stdout.startswith("1"):
            found.add(Capability.SETTINGS)
        if self._link.stat("/data/local/tmp").exists:
            found.add(Capability.FILES)
        if self._is_root() or self._has_su():
            found |= {Capability.ROOT, Capability.CLOCK}
        if self._typist.installed():
            found.add(Capability.UNICODE_TEXT)
        if self._console is not None:
            try:
                if self._console.command("ping", self._link.deadline("console ping")).ok:
                    found |= {Capability.SNAPSHOTS, Capability.SMS, Capability.CALLS}
            except CapabilityMissing:
                pass  # said in words by whatever needs it
        return frozenset(found)

    def _succeeds(self, command: str) -> bool:
        return self._link.run(command).exit_code == 0

    def _is_root(self) -> bool:
        return self._link.run("id -u", repeatable=True).stdout.strip() == "0"

    def _has_su(self) -> bool:
        """Whether `su 0` works where adb itself is not root."""
        if self._su is None:
            self._su = not self._is_root() and (self._link.run("su 0 id -u", repeatable=True).stdout.strip() == "0")
        return self._su

    def root(self) -> None:
        """Restarts adb as root, as `adb root` does.

        Raises:
            CapabilityMissing: the build does not allow it; the message holds the device's words.
        """
        if self._is_root():
            return
        said = self._link.service("root:").strip()
        if "cannot run as root" not in said:
            self.wait_ready()
            self._su = self._capabilities = None
            if self._is_root():
                return
        raise CapabilityMissing(
            f"{self.serial}: adb cannot be root: {said or 'the daemon said nothing'}. Use an emulator image without "
            "Google Play, or a userdebug build.",
            Capability.ROOT,
        )

    def screenshot(self, size: tuple[int, int] | None = None) -> Frame:
        return self._screen.screenshot(size)

    def hierarchy(self) -> UiTree:
        return self._screen.hierarchy()

    def foreground(self) -> Activity:
        return self._screen.foreground()

    def tap(self, x: int, y: int) -> None:
        self._input(f"tap {x} {y}")

    def double_tap(self, x: int, y: int) -> None:
        # Both in one line: between two calls the double-tap time could pass.
        self._input(f"tap {x} {y} && input tap {x} {y}")

    def long_press(self, x: int, y: int, seconds: float = 1.0) -> None:
        self._input(f"swipe {x} {y} {x} {y} {round(seconds * 1000)}", seconds)

    def swipe(self, x1: int, y1: int, x2: int, y2: int, seconds: float = 0.2) -> None:
        self._input(f"swipe {x1} {y1} {x2} {y2} {round(seconds * 1000)}", seconds)

    def drag(self, x1: int, y1: int, x2: int, y2: int, seconds: float = 1.0) -> None:
        self._input(f"draganddrop {x1} {y1} {x2} {y2} {round(seconds * 1000)}", seconds)

    def _input(self, what: str, seconds: float = 0.0) -> None:
        result = self._link.run(f"input {what}", seconds=self.timeout + seconds)
        said = result.stdout + result.stderr
        if "Can't find service" in said:
            raise DeviceOffline(f"{self.serial}: it is still booting: {said.strip()}", "booting")
        if result.exit_code != 0 or "Exception" in said or said.lstrip().startswith(("Error", "Usage")):
            raise failed(self._link, f"input {what}", result)

    def type_text(self, text: str) -> None:
        self._typist.type(text)

    def press(self, key: Key) -> None:
        if key not in _KEYS:
            raise CommandFailed(f"{self.serial}: there is no key {key!r}; there are {', '.join(_KEYS)}")
        self._input(f"keyevent {_KEYS[key]}")

    def open_app(self, name: str) -> None:
        self._apps.open(name)

    def start_activity(
        self,
        component: str | None = None,
        action: str | None = None,
        data: str | None = None,
        extras: Mapping[str, str | int | bool] | None = None,
    ) -> None:
        words = ["am", "start"]
        for option, value in (("-n", component), ("-a", action), ("-d", data)):
            if value is not None:
                words += [option, value]
        for name, extra in (extras or {}).items():
            if isinstance(extra, bool):
                words += ["--ez", name, str(extra).lower()]
            elif isinstance(extra, int):
                words += ["--ei" if -(2**31) <= extra < 2**31 else "--el", name, str(extra)]
            else:
                words += ["--es", name, extra]
        start(self._link, shlex.join(words))

    def settle(self) -> None:
        """Waits until two trees in a row are equal, or four seconds of the device have passed."""
        before: object = None
        left = _SETTLE_SECONDS
        while left > 0:
            try:
                tree = self._screen.hierarchy()
            except HierarchyUnavailable:
                return  # it never rests, as with a video; a screenshot is still possible
            if tree == before:
                return
            before = tree
            step = min(max(self._link.pause, 0.1), left)
            self.clock.wait(step)
            left -= step

    def shell(self, command: str) -> Result:
        return self._link.run(command)

    def send_sms(self, sender: str, body: str) -> None:
        number = re.sub(r"[\s()-]", "", sender)
        text = body.replace("\\", "\\\\").replace("\r\n", "\n").replace("\n", "\\n")
        self._emulate(f"sms send {number} {text}", "send_sms", Capability.SMS)

    def incoming_call(self, number: str) -> None:
        self._emulate(f"gsm call {re.sub(r'[^0-9+#*]', '', number)}", "incoming_call", Capability.CALLS)

    def _emulate(self, command: str, what: str, capability: Capability) -> None:
        if self._console is None:
            raise CapabilityMissing(f"{self.serial}: {what} needs an emulator's console", capability)
        reply = self._console.command(command, self._link.deadline(command))
        if not reply.ok:
            raise CommandFailed(f"{self.serial}: {command}: {reply.text}")

    def _need_console(self) -> EmulatorConsole:
        if self._console is None:
            raise CapabilityMissing(
                f"{self.serial} has no snapshots, for it has no emulator console; reset apps instead",
                Capability.SNAPSHOTS,
            )
        return self._console

    def _after_load(self) -> None:
        self._capabilities = self._su = None
        self.wait_ready()

    def reset_app(self, package: str) -> None:
        result = self._link.run(f"pm clear {shlex.quote(package)}")
        if "Success" not in result.stdout:
            raise failed(self._link, f"pm clear {package}", result)

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        with contextlib.suppress(DeviceOffline, DeviceTimeout):  # it is gone, and its keyboard with it
            self._typist.release()


def listed(server: AdbServer | None = None, timeout: float = 20.0) -> list[ListedDevice]:
    """The devices that an adb server knows, usable or not."""
    return (server or AdbServer.from_environment()).devices(Deadline(timeout, "list of devices"))
