"""Makes a device ready for tasks: keyboard, language, animations, hours, assets, a snapshot. Each step is reported."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any, Final

import yaml

from mobile_gym.devices.base import Capability, Device
from mobile_gym.devices.errors import CommandFailed, DeviceError, DeviceOffline

_STAGED: Final = "/data/local/tmp/mobile-gym-install.apk"
_LANGUAGE_TRIES: Final = 60


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was done, or could not be.

    Attributes:
        name: what.
        done: whether it is so now.
        detail: what the device said, or what to do by hand.
    """

    name: str
    done: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to prepare; what is None is left alone.

    Attributes:
        keyboard: the APK file of the AdbKeyboard.
        language: `zh` or `en`.
        animations: whether to turn animations off.
        hours: whether to show 24 hours.
        screen: whether to keep the screen on and upright.
        seed: puts assets on the device.
        snapshot: name of the snapshot to save at the end.
        pause: seconds between looks while the language changes.
    """

    keyboard: Path | None = None
    language: str | None = None
    animations: bool = True
    hours: bool = True
    screen: bool = True
    seed: Callable[[Device], None] | None = None
    snapshot: str | None = None
    pause: float = 1.0


def prepare(device: Device, plan: Plan) -> Iterator[Step]:
    """Carries a plan out. A step that fails is reported and the others go on, but nothing is saved after a failure."""
    failed = False
    for name, act in _acts(device, plan):
        try:
            step = Step(name, True, act() or "")
        except (DeviceError, OSError, ValueError) as error:
            step = Step(name, False, str(error))
        failed = failed or not step.done
        yield step
    if plan.snapshot is None:
        return
    name = f"save the snapshot {plan.snapshot}"
    if failed:
        yield Step(name, False, "not saved, for a step before failed")
    elif Capability.SNAPSHOTS not in device.capabilities:
        yield Step(name, False, "this device has no snapshots; reset apps instead")
    else:
        try:
            device.snapshots.save(plan.snapshot)
            yield Step(name, True)
        except DeviceError as error:
            yield Step(name, False, str(error))


def _acts(device: Device, plan: Plan) -> Iterator[tuple[str, Callable[[], str | None]]]:
    table = _table()
    if plan.keyboard is not None:
        keyboard = plan.keyboard
        yield f"install {keyboard.name}", lambda: _install(device, keyboard)
    if plan.language is not None:
        language = plan.language
        yield f"language {language}", lambda: _speak(device, language, table["locales"], plan.pause)
    for wanted, group in ((plan.animations, "animations"), (plan.hours, "hours"), (plan.screen, "screen")):
        for row in table[group] if wanted else []:
            yield f"{row['namespace']}/{row['key']} = {row['value']}", partial(_put, device, **row)
    if plan.seed is not None:
        seed = plan.seed
        yield "put assets on the device", lambda: seed(device)


def _install(device: Device, apk: Path) -> str:
    device.files.write(_STAGED, apk.read_bytes())
    try:
        result = device.shell(f"pm install -r -t {shlex.quote(_STAGED)}")
    finally:
        device.files.delete(_STAGED)
    said = (result.stdout + result.stderr).strip()
    if "Success" not in said:
        raise CommandFailed(f"pm install: {said or 'no answer'}", result.exit_code or 1)
    return said


def _put(device: Device, namespace: str, key: str, value: str) -> None:
    device.settings.put(namespace, key, value)
    found = device.settings.get(namespace, key)
    if found != value:
        raise CommandFailed(f"the device keeps {found!r}")


def _speak(device: Device, language: str, locales: dict[str, str], pause: float) -> str:
    """Chooses the language, which Android lets adb do only as root."""
    if language not in locales:
        raise ValueError(f"there is no language {language!r}; there are {', '.join(locales)}")
    if device.info.language == language:
        return "it was so before"
    locale = locales[language]
    device.settings.put("system", "system_locales", locale)
    if device.info.language == language:
        return locale
    by_hand = f"choose {locale} in the device's settings by hand"
    if Capability.ROOT not in device.capabilities:
        raise CommandFailed(f"without root adb cannot change the language; {by_hand}")
    prefix = "" if device.shell("id -u").stdout.strip() == "0" else "su 0 "
    device.shell(f"{prefix}setprop persist.sys.locale {locale}; {prefix}setprop ctl.restart zygote")
    for _ in range(_LANGUAGE_TRIES):
        time.sleep(pause)
        try:
            if device.info.language == language and device.shell("service check window").stdout.strip().endswith(
                ": found"
            ):
                return f"{locale}, after a restart of the system"
        except (CommandFailed, DeviceOffline):
            continue  # the system restarts
    raise CommandFailed(f"the language did not change; {by_hand}")


def _table() -> dict[str, Any]:
    text = resources.files("mobile_gym.devices").joinpath("prepare.yaml").read_text("utf-8")
    table: dict[str, Any] = yaml.safe_load(text)
    return table
