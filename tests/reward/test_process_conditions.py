"""What operations state, judged on a device: right after an action, over forks, at no cost for tasks without it."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import pytest

from mobile_gym.devices import connect
from mobile_gym.devices.base import Device
from mobile_gym.devices.ui_tree import Bounds, UiNode, UiTree
from mobile_gym.reward.demonstration import DemonstrationRunner, perform
from mobile_gym.reward.process import row_at
from mobile_gym.reward.session import TaskSession
from mobile_gym.reward.steps import Step
from mobile_gym.task_registry.catalog import load_task
from mobile_gym.task_registry.models import Task
from mobile_gym.task_registry.proofs import prove
from tests.support.fake_device import FakeDevice

MUSIC: dict[str, Any] = {"key": "system/volume_music"}
LOUD: dict[str, Any] = {"setting": {**MUSIC, "above": "start"}}
TAP: dict[str, Any] = {"do": "tap", "target": "声音和振动"}


def task(*process: dict[str, Any], **fields: Any) -> Task:
    document: dict[str, Any] = {
        "id": "test-1",
        "suite": "test",
        "protocol": "process",
        "instruction": {"zh": "测试", "en": "Test"},
        "start": {"screen": "设置"},
        "subtasks": [{"setting": {"key": "system/volume_alarm", "above": "start"}}],
        "process": process,
    }
    return Task.model_validate(document | fields)


def begun(*process: dict[str, Any], device: FakeDevice | None = None) -> TaskSession:
    session = TaskSession(task(*process), device or FakeDevice())
    session.setup()
    return session


def act(session: TaskSession, music: int) -> None:
    """A tap on the first row of the settings, after which the music is so loud."""
    session.note("tap", (500, 125))
    session.device.settings.put("system", "volume_music", str(music))


def done(session: TaskSession) -> tuple[bool, ...]:
    return session.check().operations


def test_it_is_judged_right_after_the_action_and_not_at_the_end() -> None:
    session = begun({**TAP, "holds": LOUD})
    assert done(session) == (False,)
    act(session, 3)
    assert done(session) == (False,)
    act(session, 9)
    act(session, 3)
    assert done(session) == (True,), "it held after the second tap, whatever came later"


def test_what_comes_about_later_does_not_count() -> None:
    session = begun({**TAP, "holds": LOUD})
    act(session, 3)
    session.note("press_back")
    session.device.settings.put("system", "volume_music", "9")
    assert done(session) == (False,)


@pytest.mark.parametrize("stamps", [True, False])
def test_what_it_makes_did_not_hold_right_before(stamps: bool) -> None:
    session = begun({**TAP, "makes": LOUD}, device=FakeDevice(stamps=stamps))
    session.note("press_back")
    session.device.settings.put("system", "volume_music", "9")
    act(session, 9)
    assert done(session) == (False,), "it was so already"
    act(session, 3)
    act(session, 9)
    assert done(session) == (True,)


def test_what_an_operation_made_and_is_there_still_is_no_side_effect() -> None:
    session = begun({**TAP, "makes": LOUD})
    act(session, 9)
    assert session.check().unexpected_changes == ()
    session = begun(TAP)
    act(session, 9)
    assert len(session.check().unexpected_changes) == 1


def test_a_ban_is_judged_after_each_action() -> None:
    session = begun({"never": {"do": ["tap", "press_back"], "holds": LOUD}})
    act(session, 3)
    assert done(session) == (True,)
    act(session, 9)
    act(session, 3)
    assert done(session) == (False,)


@pytest.mark.parametrize("judged", [True, False])
def test_a_session_that_goes_on_elsewhere_knows_what_was_judged(judged: bool) -> None:
    session = begun({**TAP, "makes": LOUD})
    act(session, 9)
    if judged:
        session.check()
    state = pickle.loads(pickle.dumps(session.save()))
    other = FakeDevice()
    other.state = session.device.state  # type: ignore[attr-defined]
    going_on = TaskSession(session.task, other)
    going_on.load(state)
    act(going_on, 3)
    assert done(going_on) == (True,)
    assert done(session) == (True,), "and the one it came from is as it was"


def test_what_the_device_refused_is_not_judged() -> None:
    session = begun({**TAP, "holds": LOUD})
    session.device.settings.put("system", "volume_music", "9")
    session.note("tap", (500, 125))
    session.take_back()
    assert done(session) == (False,)
    act(session, 9)
    assert done(session) == (True,)


def test_only_actions_that_may_be_the_operation_cost_a_look() -> None:
    def reads(*process: dict[str, Any], taps: int = 3) -> int:
        session = begun(*process, device=FakeDevice(stamps=False))
        device: Any = session.device
        before = device.reads
        for _ in range(taps):
            session.note("tap", (500, 125))
        session.note("press_back")
        return int(device.reads) - before

    assert reads(TAP) == 0
    assert reads({**TAP, "still_in_force": LOUD}) == 0
    assert reads({"do": "long_press", "target": "声音和振动", "holds": LOUD}) == 0
    assert reads({**TAP, "holds": LOUD}) == 3
    assert reads({**TAP, "makes": LOUD}) == 6


def test_what_is_stated_must_be_something_that_the_device_can_be_asked() -> None:
    unknown = {"row": {"uri": "content://nowhere.at.all/rows"}}
    with pytest.raises(Exception, match="nowhere"):
        begun({**TAP, "holds": unknown})
    assert "settings" in {str(one) for one in task({"never": {**TAP, "makes": LOUD}}).requirements}


def test_the_row_of_an_element_is_what_tells_it_from_others_of_its_kind() -> None:
    def item(name: str, top: int) -> UiNode:
        button = UiNode(text="加入", clickable=True, resource_id="a:id/add", bounds=Bounds(800, top, 1000, top + 100))
        label = UiNode(text=name, bounds=Bounds(0, top, 700, top + 100))
        return UiNode(clickable=True, bounds=Bounds(0, top, 1000, top + 100), children=(label, button))

    title = UiNode(text="再次购买", bounds=Bounds(0, 0, 1000, 100))
    page = UiNode(bounds=Bounds(0, 0, 1000, 1000), children=(title, item("狗粮", 100), item("瑜伽垫", 200)))
    tree = UiTree((page,), 0, (1000, 1000))
    assert row_at(tree, 900, 150) == ("狗粮", "加入")
    assert row_at(tree, 900, 250) == ("瑜伽垫", "加入")
    alone = UiTree((UiNode(bounds=Bounds(0, 0, 1000, 1000), children=(title, item("狗粮", 100))),), 0, (1000, 1000))
    assert row_at(alone, 900, 150) == ("再次购买", "狗粮", "加入")
    assert row_at(alone, 2000, 0) == ()


SOUND: list[Any] = [{"tap": "声音和振动"}]


def slide(stream: str, to: float) -> dict[str, Any]:
    return {"drag": {"slider": stream, "to": to}}


DONE = [*SOUND, slide("媒体音量", 0.9), slide("闹钟音量", 0.9), "finish"]
STEP_BACK: dict[str, Any] = {"never": {"do": "press_back", "holds": LOUD}}


def problems(*process: dict[str, Any], **fields: Any) -> list[str]:
    document = {
        "allowed_changes": ["system/volume_music"],
        "demonstrations": [DONE],
        "near_misses": [{"steps": [*DONE[:-1], "back", "finish"]}, {"steps": [*DONE[:2], "finish"]}],
    }
    found = prove(task(*process, **document | fields), FakeDevice(), random_episodes=0)
    return [finding.text for finding in found.findings]


def test_proofs_take_bans_away_and_what_narrows_them() -> None:
    found = problems(STEP_BACK)
    assert ["process[0].holds" in text for text in found] == [True], found
    quietly = ["back", {"tap": "设置"}, *DONE]
    assert problems(STEP_BACK, demonstrations=[DONE, quietly]) == []
    [text] = problems(STEP_BACK, demonstrations=[DONE, quietly], near_misses=[{"steps": [*DONE[:2], "finish"]}])
    assert "this criterion is needed: process[0]." in text


def test_proofs_ask_for_each_alternative_of_an_operation() -> None:
    either = {"any": [{"do": "tap", "target": "声音和振动"}, {"do": "tap", "target": "飞行模式"}]}
    found = problems(either)
    assert any("alternative 1 of 'any' is taken by no stored way" in text for text in found), found
    assert not any("alternative 0 of 'any'" in text for text in found)


@pytest.fixture(scope="module")
def phone() -> Iterator[Device]:
    with connect("embedded:pixel_6a") as device:
        yield device


@pytest.mark.parametrize("name", ["probench-010", "probench-019", "probench-024"])
def test_the_right_end_by_a_wrong_way_fails_and_each_right_way_passes(phone: Device, name: str) -> None:
    session = TaskSession(load_task(name), phone)
    written: Any = session.task
    assert isinstance(written, Task)
    wrong = [miss for miss in written.near_misses if not miss.success and miss.progress is None]
    ways = [(steps, True) for steps in written.demonstrations] + [(miss.steps, False) for miss in wrong]
    for steps, right in ways:
        session.setup()
        runner = DemonstrationRunner(phone, session)
        moves: list[Step] = list(steps)
        for action in runner.steps(moves):
            session.note(action.kind, action.point, action.text)
            if action.kind == "finish":
                verdict = session.check(None, action.kind)
                assert all(verdict.operations) and verdict.clean if right else not verdict.clean
            else:
                perform(phone, action)
