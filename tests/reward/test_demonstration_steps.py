"""Demonstrations: targets found by what a person sees, steps turned into primitive actions."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from mobile_gym.devices.ui_tree import Bounds, UiNode, UiTree
from mobile_gym.envs.actions import ActionType
from mobile_gym.envs.protocols import RULES
from mobile_gym.reward.demonstration import (
    DemonstrationError,
    DemonstrationRunner,
    PrimitiveAction,
    perform,
)
from mobile_gym.reward.frame import to_frame, to_pixel
from mobile_gym.reward.protocol_actions import ALL_ACTIONS, ALLOWED
from mobile_gym.reward.session import TaskSession
from mobile_gym.reward.steps import Step
from mobile_gym.reward.targets import TargetSpec, as_spec, find
from mobile_gym.task_registry.models import Task
from tests.support.fake_device import FakeDevice

SIZE = (1080, 2400)


def tree(*nodes: UiNode) -> UiTree:
    return UiTree((UiNode(bounds=Bounds(0, 0, *SIZE), children=nodes),), 0, SIZE)


def box(target: Any, *nodes: UiNode) -> Bounds | None:
    spec = TargetSpec.model_validate(target) if isinstance(target, dict) else as_spec(target)
    found = find(tree(*nodes), spec, "zh")
    return None if found is None else found.box


def runner(device: FakeDevice, protocol: str = "online", **fields: Any) -> DemonstrationRunner:
    document = {
        "id": "test-1",
        "suite": "test",
        "protocol": protocol,
        "instruction": {"zh": "测试", "en": "Test"},
        "subtasks": [{"setting": {"key": "system/volume_music", "above": "start"}}],
    }
    session = TaskSession(Task.model_validate(document | fields), device)
    session.setup()
    return DemonstrationRunner(device, session)


def played(device: FakeDevice, steps: list[Any], protocol: str = "online") -> list[PrimitiveAction]:
    taken = []
    for action in runner(device, protocol).steps([Step.model_validate(step) for step in steps]):
        taken.append(action)
        perform(device, action)
    return taken


class TestTargets:
    """Which element a target names, and where it is touched."""

    def test_whole_texts_match_and_parts_do_not(self) -> None:
        long, short = (
            UiNode(text="声音和振动", bounds=Bounds(0, 0, 10, 10)),
            UiNode(text="声音", bounds=Bounds(0, 20, 10, 30)),
        )
        assert box("声音", long, short) == short.bounds
        assert box({"contains": "振动"}, long, short) == long.bounds
        assert box("声", long, short) is None

    def test_resource_ids_with_and_without_their_package(self) -> None:
        node = UiNode(resource_id="com.example:id/send", bounds=Bounds(0, 0, 10, 10))
        assert box("com.example:id/send", node) == box({"id": "send"}, node) == node.bounds
        assert box({"id": "end"}, node) is None

    def test_an_element_that_was_never_laid_out_is_touched_through_its_clickable_ancestor(self) -> None:
        label = UiNode(text="小游戏", bounds=Bounds(0, 0, 0, 0))
        tab = UiNode(clickable=True, bounds=Bounds(700, 2100, 900, 2200), children=(label,))
        assert box("小游戏", tab) == tab.bounds
        assert box("小游戏", UiNode(bounds=Bounds(700, 2100, 900, 2200), children=(label,))) is None

    def test_an_element_that_was_scrolled_away_is_not_on_the_screen(self) -> None:
        inverted = UiNode(text="比较", bounds=Bounds(66, 1811, 1014, 1664))
        row = UiNode(clickable=True, bounds=Bounds(66, 1777, 1014, 1664), children=(inverted,))
        assert box("比较", UiNode(bounds=Bounds(66, 136, 1014, 1664), clickable=True, children=(row,))) is None

    def test_a_box_that_runs_off_the_screen_is_touched_inside_it(self) -> None:
        assert box("a", UiNode(text="a", bounds=Bounds(-50, 2300, 50, 2500))) == Bounds(0, 2300, 50, 2400)

    def test_beside_takes_the_element_of_the_same_row(self) -> None:
        def row(top: int, text: str) -> UiNode:
            label = UiNode(text=text, bounds=Bounds(0, top, 500, top + 100))
            switch = UiNode(class_name="android.widget.Switch", bounds=Bounds(900, top, 1000, top + 100))
            own = f"com.example:id/row_{top}"
            return UiNode(resource_id=own, bounds=Bounds(0, top, 1080, top + 100), children=(label, switch))

        rows = (row(0, "06:00"), row(100, "07:30"), row(200, "08:00"))
        assert box({"class": "Switch", "beside": "07:30"}, *rows) == Bounds(900, 100, 1000, 200)
        assert box({"class": "Switch", "beside": {"id": "row_100"}}, *rows) == Bounds(900, 100, 1000, 200)
        assert box({"class": "Switch", "index": -1}, *rows) == Bounds(900, 200, 1000, 300)
        assert box({"class": "Switch", "index": 3}, *rows) is None

    def test_texts_in_the_language_of_the_screen(self) -> None:
        node = UiNode(content_desc="Sound", bounds=Bounds(0, 0, 10, 10))
        target = as_spec(Step.model_validate({"tap": {"zh": "声音", "en": "Sound"}}).spec)
        assert find(tree(node), target, "en") is not None
        assert find(tree(node), target, "zh") is None


class TestSteps:
    """What steps become."""

    def test_opening_an_app_goes_over_the_home_screen_where_it_must(self) -> None:
        assert [a.kind for a in played(FakeDevice(), [{"open_app": "设置"}])] == ["press_home", "tap"]
        assert [a.kind for a in played(FakeDevice(), [{"open_app": "设置"}], "workflow")] == ["open_app"]

    def test_a_slider_is_drawn_to_a_share_of_its_length(self) -> None:
        device = FakeDevice()
        steps = [{"open_app": "设置"}, {"tap": "声音和振动"}, {"drag": {"slider": "铃声和通知音量", "to": 0.8}}]
        assert played(device, steps)[-1].kind == "swipe"
        assert device.state.settings["system"]["volume_ring"] == "12"
        assert played(device, steps, "workflow")[-1].kind == "drag"

    def test_bare_words_and_the_rest_of_the_vocabulary(self) -> None:
        steps: list[Any] = ["home", "back", {"wait": 2}, {"answer": 25}, "finish"]
        taken = played(FakeDevice(), steps, "workflow")
        assert [(a.kind, a.text) for a in taken] == [
            ("press_home", ""),
            ("press_back", ""),
            ("wait", "2"),
            ("answer", "25"),
            ("finish", ""),
        ]

    def test_points_swipes_and_drags(self) -> None:
        steps: list[Any] = [
            {"tap": {"point": [10, 20]}},
            {"swipe": "up"},
            {"drag": {"from": "设置", "to": {"point": [9, 9]}}},
        ]
        tap, swipe, drag = played(FakeDevice(), steps, "workflow")
        assert tap.point == (10, 20)
        assert swipe.point is not None
        assert swipe.lift is not None
        assert swipe.lift[1] < swipe.point[1]
        assert (drag.point, drag.lift) == ((200, 150), (9, 9))

    def test_a_step_that_matches_nothing_says_what_it_saw(self) -> None:
        with pytest.raises(DemonstrationError) as caught:
            played(FakeDevice(), ["home", {"tap": "相机"}])
        error = caught.value
        assert (error.task, error.step, error.visible) == ("test-1", 2, ("设置", "时钟"))
        assert "相机" in str(error)

    @pytest.mark.parametrize("step", ["enter", "recents", {"wait": 1}, {"answer": "x"}, {"double_tap": "设置"}])
    def test_what_the_protocol_does_not_allow_is_refused(self, step: Any) -> None:
        with pytest.raises(DemonstrationError, match="does not allow"):
            played(FakeDevice(), [step])

    def test_scrolling_stops_where_nothing_moves(self) -> None:
        with pytest.raises(DemonstrationError, match="没有"):
            played(FakeDevice(), [{"scroll_to": "没有"}])
        assert played(FakeDevice(), [{"scroll_to": "设置"}]) == []

    @pytest.mark.parametrize(
        "step",
        [
            {"drag": {"slider": "x", "to": 1.5}},
            {"drag": {"slider": "x", "to": "y"}},
            {"drag": {"to": 0.5}},
            {"swipe": "sideways"},
            {"tap": {"point": [0, 1001]}},
            {"tap": {"index": 1}},
            {"press": "home"},
            {"wait": -1},
        ],
    )
    def test_steps_that_make_no_sense_are_refused(self, step: Any) -> None:
        with pytest.raises(ValidationError):
            Step.model_validate(step)


@given(st.integers(0, 1079), st.integers(0, 2399))
def test_pixels_survive_the_frame_to_within_what_it_resolves(x: int, y: int) -> None:
    back = to_pixel(to_frame(x, y, SIZE), SIZE)
    assert abs(back[0] - x) <= 1
    assert abs(back[1] - y) <= 2


def test_the_frame_s_ends_are_the_first_and_the_last_pixel() -> None:
    assert to_frame(0, 0, SIZE) == (0, 0)
    assert to_frame(1079, 2399, SIZE) == (1000, 1000)
    assert to_pixel((1000, 1000), SIZE) == (1079, 2399)


def test_the_table_of_allowed_actions_is_the_environment_s() -> None:
    assert {kind.word for kind in ActionType} == ALL_ACTIONS
    for protocol, rules in RULES.items():
        assert {kind.word for kind in rules.actions} == ALLOWED[protocol]  # type: ignore[index]
