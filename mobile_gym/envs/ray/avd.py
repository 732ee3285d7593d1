"""Android virtual devices: found in an installed SDK, started without a window, stopped when done."""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, field_validator

from mobile_gym.devices.adb_console import EmulatorConsole
from mobile_gym.devices.adb_server import Deadline
from mobile_gym.devices.errors import DeviceError

FIRST_PORT: Final = 5554
LAST_PORT: Final = 5682
"""Console ports that the emulator takes; the ADB port is the next one."""

_HEADLESS: Final = ("-no-window", "-no-audio", "-no-boot-anim", "-no-snapshot-save")
_POLL_SECONDS: Final = 0.5
_STOP_SECONDS: Final = 20.0
_TOLD_LINES: Final = 5
_PR_SET_PDEATHSIG: Final = 1


class AvdError(RuntimeError):
    """A virtual device that cannot be started; the message says why and what to do."""


class SdkMissing(AvdError):
    """No Android SDK with an emulator is installed here."""


class Avd(BaseModel):
    """A virtual device to start.

    Attributes:
        name: its name, as `emulator -list-avds` tells it.
        port: its console's port, even; None for the first that is free.
        options: further options of the emulator, such as `-gpu swiftshader_indirect`.
        boot_seconds: how long it may take to boot.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(min_length=1)
    port: int | None = Field(default=None, ge=FIRST_PORT, le=LAST_PORT)
    options: tuple[str, ...] = ()
    boot_seconds: float = Field(default=300.0, gt=0)

    @field_validator("port")
    @classmethod
    def _even(cls, port: int | None) -> int | None:
        if port is not None and port % 2:
            raise ValueError(f"an emulator's console port is even, not {port}")
        return port


@dataclass(frozen=True, slots=True)
class Sdk:
    """The tools of an Android SDK.

    Attributes:
        emulator: the emulator.
        avdmanager: what makes virtual devices; None where it is not installed.
    """

    emulator: Path
    avdmanager: Path | None


def find_sdk(environment: Mapping[str, str] | None = None) -> Sdk:
    """Looks for the emulator in `ANDROID_HOME`, `ANDROID_SDK_ROOT` and `PATH`, in this order.

    Raises:
        SdkMissing: it is in none of them; says where was looked.
    """
    given = os.environ if environment is None else environment
    roots = [Path(given[name]) for name in ("ANDROID_HOME", "ANDROID_SDK_ROOT") if given.get(name)]
    path = given.get("PATH", "")
    emulator = _tool("emulator", [root / "emulator" for root in roots], path)
    if emulator is None:
        places = ", ".join(str(root / "emulator") for root in roots) or "ANDROID_HOME and ANDROID_SDK_ROOT are not set"
        raise SdkMissing(
            f"no Android emulator is installed here ({places}; PATH has none either). Install the SDK's package "
            "'emulator' and set ANDROID_HOME, or name running devices, such as adb:emulator-5554"
        )
    tools = [root / "cmdline-tools" / "latest" / "bin" for root in roots]
    return Sdk(emulator, _tool("avdmanager", tools, path))


def avd_names(sdk: Sdk, seconds: float = 30.0) -> list[str]:
    """Names of the virtual devices that there are.

    Raises:
        AvdError: the emulator does not tell.
    """
    try:
        told = subprocess.run(
            [sdk.emulator, "-list-avds"], capture_output=True, text=True, timeout=seconds, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError) as problem:
        raise AvdError(f"{sdk.emulator} -list-avds failed: {problem}") from problem
    return [line.strip() for line in told.splitlines() if line.strip() and not line.startswith(("INFO", "WARN"))]


def command_line(sdk: Sdk, avd: Avd, port: int) -> list[str]:
    """How the emulator is called: without window and sound, and leaving its saved state as it is."""
    return [str(sdk.emulator), "-avd", avd.name, "-port", str(port), *_HEADLESS, *avd.options]


class RunningAvd:
    """A virtual device that this process started; `stop` ends it.

    Attributes:
        avd: which one.
        port: its console's port.
        spec: what its device is opened with, such as `adb:emulator-5554`.
    """

    def __init__(self, avd: Avd, port: int, process: subprocess.Popen[bytes], log: Path) -> None:
        self.avd = avd
        self.port = port
        self.spec = f"adb:emulator-{port}"
        self._process = process
        self._log = log

    def wait_booted(self) -> None:
        """Waits until Android has booted.

        Raises:
            AvdError: it ended, or did not boot in time; with the last lines that it printed.
        """
        from mobile_gym.devices.adb import AdbDevice

        end = time.monotonic() + self.avd.boot_seconds
        problem = "it did not answer"
        while (left := end - time.monotonic()) > 0:
            if self._process.poll() is not None:
                raise AvdError(f"the emulator of {self.avd.name} ended with {self._process.returncode}{self._told()}")
            try:
                # `AdbDevice` waits for sys.boot_completed; a short wait each time, to see an emulator that ended.
                AdbDevice(f"emulator-{self.port}", timeout=min(left, 10.0), boot_timeout=min(left, 5.0)).close()
            except DeviceError as error:
                problem = str(error)
                time.sleep(min(left, _POLL_SECONDS))
            else:
                return
        raise AvdError(
            f"the emulator of {self.avd.name} did not boot within {self.avd.boot_seconds:g} s: {problem}{self._told()}"
        )

    def stop(self) -> None:
        """Asks the emulator to end, and ends it where it does not; calling it twice is fine."""
        if self._process.poll() is None:
            try:
                EmulatorConsole("127.0.0.1", self.port).command("kill", Deadline(_STOP_SECONDS, "emu kill"))
                self._process.wait(_STOP_SECONDS)
            except (DeviceError, subprocess.TimeoutExpired):
                self._process.kill()
        self._process.wait()
        self._log.unlink(missing_ok=True)

    def _told(self) -> str:
        lines = self._log.read_text("utf-8", "replace").splitlines()[-_TOLD_LINES:]
        return f". It printed last: {' | '.join(lines)}" if lines else ""


def start_avd(avd: Avd, sdk: Sdk, taken: Sequence[int] = ()) -> RunningAvd:
    """Starts a virtual device; it boots while the caller goes on, see `RunningAvd.wait_booted`.

    Args:
        avd: which one.
        sdk: the tools.
        taken: console ports that are not to be used.

    Raises:
        AvdError: there is no such virtual device, or no port is left.
    """
    names = avd_names(sdk)
    if avd.name not in names:
        how = f"; {sdk.avdmanager} create avd makes one" if sdk.avdmanager is not None else ""
        raise AvdError(f"there is no virtual device {avd.name!r}; there are: {', '.join(names) or 'none'}{how}")
    port = avd.port if avd.port is not None else _free_port(taken)
    handle, name = tempfile.mkstemp(prefix="mobile-gym-emulator-", suffix=".log")
    with open(handle, "wb") as log:
        try:
            process = subprocess.Popen(
                command_line(sdk, avd, port),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                preexec_fn=_end_with_parent,
            )
        except OSError as problem:
            Path(name).unlink()
            raise AvdError(f"the emulator {sdk.emulator} cannot be started: {problem.strerror}") from problem
    return RunningAvd(avd, port, process, Path(name))


def _end_with_parent() -> None:
    """Has Linux end the emulator when what started it is killed, which leaves no time to call `stop`."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _free_port(taken: Sequence[int]) -> int:
    for port in range(FIRST_PORT, LAST_PORT + 1, 2):
        if port in taken:
            continue
        try:
            with socket.socket() as one, socket.socket() as two:
                one.bind(("127.0.0.1", port))
                two.bind(("127.0.0.1", port + 1))
        except OSError:
            continue
        return port
    raise AvdError(f"no pair of ports between {FIRST_PORT} and {LAST_PORT + 1} is free for another emulator")


def _tool(name: str, folders: Sequence[Path], path: str) -> Path | None:
    for folder in folders:
        found = shutil.which(name, path=str(folder))
        if found is not None:
            return Path(found)
    found = shutil.which(name, path=path) if path else None
    return Path(found) if found is not None else None
