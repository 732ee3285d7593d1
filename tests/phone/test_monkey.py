"""Tens of thousands of random actions: no exception, no place that Home cannot leave, equal bytes in any process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mobile_gym.phone.phone import Phone
from tests.support.monkey import Monkey

ROOT = Path(__file__).parents[2]
RUNS = [
    (0, "zh", "pixel_6a", "lived_in", {}),
    (1, "en", "pixel_6a", "lived_in", {"system/font_scale": "1.3", "secure/ui_night_mode": "2"}),
    (2, "zh", "small", "lived_in", {"system/font_scale": "2.0"}),
    (3, "en", "small", "clean", {"system/time_12_24": "24"}),
    (4, "zh", "pixel_6a", "clean", {"system/user_rotation": "1"}),
]
ACTIONS = 4000


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "language", "profile", "snapshot", "settings"), RUNS)
def test_nothing_breaks(seed: int, language: str, profile: str, snapshot: str, settings: dict[str, str]) -> None:
    phone = Phone(profile, language, snapshot, seed)
    for key, value in settings.items():
        phone.put_setting(*key.split("/"), value)
    monkey = Monkey(phone, seed)
    for number in range(ACTIONS):
        try:
            monkey.act()
            if number % 20 == 0:
                phone.frame((phone.screen[0] // 5, phone.screen[1] // 5))
                ElementTree.fromstring(phone.hierarchy_xml())
                for window in phone.windows.windows:
                    for node in window.root.walk():
                        assert not node.unknown_attributes()
        except Exception as error:
            error.add_note(f"action {number} after {monkey.trail}")
            raise
        if number % 100 == 99:
            if phone.surface_record("call")["ui"].get("open"):
                phone.end_call()
            phone.input.key("WAKEUP")
            phone.input.key("HOME")
            phone.settle()
            foreground = phone.activities.foreground()
            assert foreground.package == "com.android.launcher3", f"Home leads to {foreground} after {monkey.trail}"


def test_two_processes_with_the_same_seed_end_in_the_same_bytes() -> None:
    command = [sys.executable, "-m", "tests.support.monkey", "7", "200"]
    found = [
        subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=120, env={"PYTHONHASHSEED": seed}
        )
        for seed in ("1", "2")
    ]
    assert found[0].stdout == found[1].stdout
    assert len(found[0].stdout.split()) == 2


def test_other_seeds_end_elsewhere() -> None:
    ends = set()
    for seed in (1, 2):
        phone = Phone(snapshot="lived_in")
        monkey = Monkey(phone, seed)
        for _ in range(30):
            monkey.act()
        ends.add(phone.digest())
    assert len(ends) == 2
