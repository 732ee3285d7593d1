"""The embedded phone keeps the contract of devices, in the process and through real ADB; and a bad device is caught."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from mobile_gym.devices import Capability, Device, connect
from mobile_gym.devices.conformance import CHECKS, DeviceConformance, Stage, run
from mobile_gym.devices.embedded import EmbeddedDevice
from mobile_gym.devices.prepare import Plan, prepare
from mobile_gym.phone.adbd.serve import PhoneServer
from tests.devices.phone_over_adb import LANGUAGE, PROFILE, SEED, focus_search, over_adb, served
from tests.support.adb import Adb, adb
from tests.support.apk import make_apk

__all__ = ["adb"]

STAGE = Stage(
    label="Settings",
    focus_field=focus_search,
    table="content://call_log/calls",
    row={"number": "10086", "date": 1_700_000_000_000, "duration": 60, "type": 1, "name": "it's, a=b\n移动"},
    change={"duration": 61, "name": None},
)


@pytest.fixture(scope="module")
def phone_server(adb: Adb, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PhoneServer]:
    """A phone with the AdbKeyboard."""
    apk = tmp_path_factory.mktemp("apk") / "keyboard.apk"
    apk.write_bytes(make_apk("com.android.adbkeyboard"))
    with served(adb) as running:
        with over_adb(adb, running) as device:
            plan = Plan(keyboard=apk, animations=False, hours=False, screen=False)
            assert [step.done for step in prepare(device, plan)] == [True]
            assert Capability.UNICODE_TEXT in device.capabilities
        yield running


class TestEmbedded(DeviceConformance):
    stage = STAGE

    @pytest.fixture
    def device(self) -> Iterator[Device]:
        with connect(f"embedded:{PROFILE}", language=LANGUAGE, seed=SEED) as device:
            yield device


class TestOverAdb(DeviceConformance):
    stage = STAGE

    @pytest.fixture
    def device(self, adb: Adb, phone_server: PhoneServer) -> Iterator[Device]:
        with over_adb(adb, phone_server) as device:
            yield device


def test_every_check_states_its_rule() -> None:
    assert len(CHECKS) >= 20
    assert all(len(check.rule) > 20 for check in CHECKS)
    assert CHECKS[-1].name == "closing_twice_is_fine"


class Stale(EmbeddedDevice):
    """Hands out the first frame for ever, forgets settings, and takes text without a field."""

    def __init__(self, **options: Any) -> None:
        super().__init__(PROFILE, language=LANGUAGE, **options)
        self._frame = super().screenshot()
        self.settings.put = lambda namespace, key, value: None  # type: ignore[method-assign]

    def screenshot(self, size: tuple[int, int] | None = None) -> np.ndarray:
        return self._frame

    def type_text(self, text: str) -> None:
        return


def test_a_device_that_breaks_the_contract_is_caught_with_reasons() -> None:
    with Stale() as device:
        outcomes = {outcome.name: outcome for outcome in run(device, STAGE)}
    broken = {name for name, outcome in outcomes.items() if outcome.passed is False}
    assert broken >= {
        "a_screenshot_is_an_array_of_its_own",
        "text_needs_a_focused_field",
        "text_arrives_unchanged",
        "settings_come_back",
        "snapshots_restore",
    }
    assert all(outcomes[name].detail for name in broken)
