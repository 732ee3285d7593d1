"""Snapshots of a whole phone: save, load, fork, diff, digest."""

from __future__ import annotations

import subprocess
import sys

import pytest

from mobile_gym.phone.door import Intent
from mobile_gym.phone.errors import SnapshotNotFound
from mobile_gym.phone.phone import Phone


@pytest.fixture
def phone() -> Phone:
    return Phone(snapshot="lived_in")


def disturb(phone: Phone) -> None:
    phone.put_setting("system", "volume_music", "1")
    phone.state.files.write("/sdcard/Download/x.txt", b"x", mtime_ms=phone.state.clock.now_ms)
    phone.activities.start(Intent(package="com.android.settings"))
    phone.set_clipboard("text")
    phone.advance(60_000)
    phone.state.random()


def test_loading_undoes_everything(phone: Phone) -> None:
    before = phone.digest()
    screen = phone.screen_digest()
    phone.save_snapshot("start")
    disturb(phone)
    assert phone.digest() != before
    assert phone.screen_digest() != screen
    phone.load_snapshot("start")
    assert phone.digest() == before
    assert phone.screen_digest() == screen


def test_a_fork_and_its_parent_do_not_affect_each_other(phone: Phone) -> None:
    fork = phone.fork()
    before = phone.digest()
    assert fork.digest() == before
    disturb(fork)
    assert phone.digest() == before
    changed = fork.digest()
    disturb(phone)
    phone.put_setting("system", "volume_alarm", "0")
    assert fork.digest() == changed


def test_snapshots_share_what_did_not_change(phone: Phone) -> None:
    one = phone.state.save()
    phone.put_setting("system", "volume_music", "1")
    two = phone.state.save()
    assert one.databases
    for name, image in one.databases.items():
        assert two.databases[name] is image


def test_diff_names_what_changed_and_nothing_else(phone: Phone) -> None:
    before = phone.state.save()
    phone.put_setting("system", "volume_music", "1")
    phone.state.files.write("/sdcard/Download/x.txt", b"x", mtime_ms=0)
    changes = {(change.kind, change.path) for change in phone.diff(before)}
    assert changes == {("setting", "system/volume_music"), ("file", "/storage/emulated/0/Download/x.txt")}


def test_a_missing_snapshot_is_named(phone: Phone) -> None:
    with pytest.raises(SnapshotNotFound, match="no snapshot 'nothing'"):
        phone.load_snapshot("nothing")


def test_each_seed_draws_its_own_numbers() -> None:
    draws = [[phone.state.random() for _ in range(3)] for phone in (Phone(seed=0), Phone(seed=0), Phone(seed=1))]
    assert draws[0] == draws[1] != draws[2]


def test_factory_snapshots_are_the_same_in_another_process(phone: Phone) -> None:
    code = "from mobile_gym.phone.phone import Phone; print(Phone(snapshot='lived_in').digest())"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert found.stdout.strip() == phone.digest()


@pytest.mark.parametrize(
    ("profile", "language", "snapshot"), [("nokia", "zh", "clean"), ("small", "fr", "clean"), ("small", "zh", "old")]
)
def test_unknown_names_are_refused(profile: str, language: str, snapshot: str) -> None:
    with pytest.raises(ValueError, match=r"there are|speaks|factory"):
        Phone(profile, language, snapshot)
