"""Looks at a device: what its answers become, and what is kept of them."""

from __future__ import annotations

import pytest

from mobile_gym.devices.base import Result
from mobile_gym.devices.errors import CommandFailed, HierarchyUnavailable
from mobile_gym.devices.ui_tree import UiTree
from mobile_gym.reward.world import World
from tests.support.fake_device import FakeDevice


def world_that_answers(answer: Result) -> World:
    device = FakeDevice()
    device.shell = lambda command: answer  # type: ignore[method-assign]
    return World(device)


def test_files_with_spaces_and_directories_that_may_not_be_read() -> None:
    lines = "3 17 /sdcard//a b.txt\nfind: '/sdcard/Android/data': Permission denied\n4 18 /sdcard/c.txt\n"
    expected = {"/sdcard/a b.txt": "3 bytes, changed 17", "/sdcard/c.txt": "4 bytes, changed 18"}
    assert world_that_answers(Result(lines, 1)).file_stamps("/sdcard") == expected
    merged = Result("3 17 /sdcard/a b.txt\n4 18 /sdcard/c.txt\n", 1, "find: /sdcard/Android/obb: Permission denied\n")
    assert world_that_answers(merged).file_stamps("/sdcard") == expected


@pytest.mark.parametrize(
    "answer", [Result("", 127, "sh: find: not found"), Result("find: bad arg '-exec'\n", 1), Result("nonsense\n", 0)]
)
def test_a_listing_that_failed_is_no_empty_listing(answer: Result) -> None:
    with pytest.raises(CommandFailed):
        world_that_answers(answer).file_stamps("/sdcard")


def test_a_screen_that_cannot_be_read_shows_no_text_and_says_why() -> None:
    device = FakeDevice()

    def fail() -> UiTree:
        raise HierarchyUnavailable("no tree within 5 tries")

    device.hierarchy = fail  # type: ignore[method-assign]
    tree = World(device).tree
    assert list(tree.walk()) == []
    assert tree.notes == ("no tree within 5 tries",)


def test_each_door_is_asked_once_a_look() -> None:
    device = FakeDevice()
    world = World(device)
    for _ in range(3):
        world.settings("system")
        world.rows("content://sms")
    assert device.reads == 2


def test_only_what_did_not_change_is_kept() -> None:
    device = FakeDevice()
    world = World(device)
    world.settings("system")
    world.rows("content://sms")
    kept = world.kept.still_true({"settings": 1, "rows": 1}, {"settings": 1, "rows": 2})
    assert (list(kept.settings), list(kept.rows)) == (["system"], [])
    nothing = world.kept.still_true({}, {})
    assert (nothing.settings, nothing.rows, nothing.packages) == ({}, {}, {})
