"""Process records: what was touched, and whether the required operations are among it, in order."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from mobile_gym.devices.ui_tree import Bounds, UiNode, UiTree
from mobile_gym.reward.demonstration import DemonstrationRunner, perform
from mobile_gym.reward.process import Operation, ProcessEntry, element_at, operations_done
from mobile_gym.reward.session import TaskSession
from mobile_gym.reward.steps import Step
from mobile_gym.task_registry.models import Task
from mobile_gym.task_registry.proofs import prove
from tests.support.fake_device import FakeDevice


def test_the_element_is_the_smallest_clickable_one_with_what_lies_in_it() -> None:
    label = UiNode(text="价格", bounds=Bounds(10, 10, 50, 50))
    button = UiNode(clickable=True, resource_id="a:id/sort", bounds=Bounds(0, 0, 100, 100), children=(label,))
    page = UiNode(clickable=True, text="页", bounds=Bounds(0, 0, 1000, 1000), children=(button,))
    tree = UiTree((page,), 0, (1000, 1000))
    assert element_at(tree, 20, 20) == ("价格", "a:id/sort")
    assert element_at(tree, 500, 500)[0] == "页"
    assert element_at(tree, 2000, 0) == ()


def test_operations_must_come_in_order() -> None:
    first, second = Operation(do="tap", target="价格"), Operation(do="type", text="100")
    tap, text = ProcessEntry("tap", ("价 格",)), ProcessEntry("type", text="100")
    assert operations_done([first, second], [tap, ProcessEntry("tap", ("x",)), text]) == (True, True)
    assert operations_done([first, second], [text, tap]) == (True, False)
    assert operations_done([first, first], [tap]) == (True, False)


@given(st.lists(st.sampled_from("abc")), st.lists(st.sampled_from("abc"), max_size=4))
def test_what_is_a_part_of_the_record_in_order_is_done(record: list[str], wanted: list[str]) -> None:
    rest = iter(record)
    expected = all(name in rest for name in wanted)
    operations = [Operation(do="tap", target=name) for name in wanted]
    entries = [ProcessEntry("tap", (name,)) for name in record]
    assert all(operations_done(operations, entries)) is expected


@pytest.mark.parametrize("document", [{"do": "tap"}, {"do": "click", "target": "x"}])
def test_operations_that_make_no_sense_are_refused(document: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Operation.model_validate(document)


TO_SOUND: list[Any] = [{"tap": "设置"}, {"tap": "声音和振动"}]
LOUDER: list[Any] = [{"drag": {"slider": "媒体音量", "to": 0.9}}]


def task(**fields: Any) -> Task:
    document: dict[str, Any] = {
        "id": "test-1",
        "suite": "test",
        "protocol": "process",
        "instruction": {"zh": "测试", "en": "Test"},
        "subtasks": [{"setting": {"key": "system/volume_music", "above": "start"}}],
        "process": [{"do": "tap", "target": "声音和振动", "app": "com.android.settings"}],
        "demonstrations": [[*TO_SOUND, *LOUDER, "finish"]],
        "near_misses": [
            {"steps": [*TO_SOUND, "finish"]},
            {"why": "another way", "steps": ["finish"], "subtasks": {"1": False}},
        ],
        "start": {"screen": None},
    }
    return Task.model_validate(document | fields)


def test_the_goal_needs_the_way_too() -> None:
    device = FakeDevice()
    session = TaskSession(task(), device)
    session.setup()
    device.settings.put("system", "volume_music", "15")
    found = session.check()
    assert found.subtasks == {"1": True}
    assert (found.operations, found.goal_reached) == ((False,), False)
    session.setup()
    for action in DemonstrationRunner(device, session).steps(
        [Step.model_validate(step) for step in [*TO_SOUND, *LOUDER]]
    ):
        session.note(action.kind, action.point, action.text)
        perform(device, action)
    assert session.check().goal_reached
    assert [entry.package for entry in session.record] == ["launcher", "com.android.settings", "com.android.settings"]


def test_proofs_take_operations_away_too() -> None:
    found = prove(task(), FakeDevice(), random_episodes=0)
    assert found.outcome == "failed"
    [finding] = found.findings
    assert "process[0]" in finding.text
    shown = task(start={"screen": "设置"}, process=[{"do": "tap", "target": "设置"}])
    misses = [{"steps": [*TO_SOUND, "finish"]}, {"steps": [TO_SOUND[1], *LOUDER, "finish"]}]
    demonstration = [["back", *TO_SOUND, *LOUDER, "finish"]]
    fixed = {"near_misses": [{"steps": ["back", *misses[0]["steps"]]}, misses[1]], "demonstrations": demonstration}
    proved = prove(
        Task.model_validate(shown.model_dump(mode="json", by_alias=True) | fixed), FakeDevice(), random_episodes=0
    )
    assert (proved.outcome, proved.findings) == ("proved", ())
