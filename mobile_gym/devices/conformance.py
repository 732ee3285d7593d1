"""The conformance suite of devices: what every `Device` must do, as importable checks.

Without pytest:

    from mobile_gym.devices.conformance import run

    for outcome in run(device):
        print(outcome.name, outcome.passed, outcome.detail)

With pytest, in a test module of your own:

    from mobile_gym.devices.conformance import DeviceConformance

    class TestMyDevice(DeviceConformance):
        @pytest.fixture
        def device(self):
            with MyDevice() as device:
                yield device

Checks leave behind what they find, apart from the screen that is in front.
"""

from __future__ import annotations

import unittest
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from mobile_gym.devices.base import Device
from mobile_gym.devices.conformance_checks import CHECKS, Check, Stage
from mobile_gym.devices.errors import DeviceError

__all__ = ["CHECKS", "Check", "DeviceConformance", "Outcome", "Stage", "perform", "run"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a check: passed, failed, or skipped (passed is None), and why."""

    name: str
    passed: bool | None
    detail: str = ""


def run(device: Device, stage: Stage | None = None) -> Iterator[Outcome]:
    """Runs all checks on a device, one after the other."""
    for check in CHECKS:
        try:
            perform(check, device, stage or Stage())
        except unittest.SkipTest as reason:
            yield Outcome(check.name, None, str(reason))
        except (AssertionError, DeviceError) as error:
            yield Outcome(check.name, False, f"{type(error).__name__}: {error}")
        else:
            yield Outcome(check.name, True)


def perform(check: Check, device: Device, stage: Stage) -> None:
    """Performs one check.

    Raises:
        AssertionError: the device breaks the rule.
        unittest.SkipTest: the device lacks a capability, or the stage says nothing of what the check needs.
    """
    missing = [name for name in check.needs if name not in device.capabilities]
    if missing:
        raise unittest.SkipTest(f"the device lacks {', '.join(missing)}")
    check.act(device, stage)


class DeviceConformance:
    """A pytest mixin: give a fixture `device` and, where it differs, `stage`."""

    stage: ClassVar[Stage] = Stage()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for check in CHECKS:
            if not hasattr(cls, f"test_{check.name}"):
                setattr(cls, f"test_{check.name}", _test(check))


def _test(check: Check) -> Callable[[DeviceConformance, Device], None]:
    def test(self: DeviceConformance, device: Device) -> None:
        perform(check, device, self.stage)

    test.__name__ = f"test_{check.name}"
    test.__doc__ = check.rule
    return test
