"""The phone as a class of tools."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import pytest
from PIL import Image

from mobile_gym.training.tools import TOOLS, PhoneTools, close, phone_tools


@pytest.fixture
def alarm() -> Iterator[PhoneTools]:
    tools = phone_tools("elder-031", observation_size=(90, 200))()
    yield tools
    close(tools)


def _tools(cls: type[PhoneTools]) -> set[str]:
    """What TRL takes for tools."""
    members = {name for name, _ in inspect.getmembers(cls, predicate=inspect.isfunction) if not name.startswith("_")}
    return members - {"reset", "get_reward"}


def test_every_method_is_a_tool_of_the_protocol() -> None:
    assert _tools(PhoneTools) == set(TOOLS)
    assert _tools(phone_tools("gma-001")) == set(TOOLS)
    online = _tools(phone_tools("elder-031"))
    assert "finish" in online
    assert not online & {"answer", "open_app", "wait", "call_user", "double_tap", "drag", "finish_infeasible"}


def test_tools_describe_themselves() -> None:
    utils = pytest.importorskip("transformers.utils")
    cls = phone_tools("gma-001")
    for name in sorted(TOOLS):
        function = utils.get_json_schema(getattr(cls(), name))["function"]
        assert function["name"] == name
        assert function["description"]
        for argument in function["parameters"]["properties"].values():
            assert argument["description"]
    key = utils.get_json_schema(cls().press)["function"]["parameters"]["properties"]["key"]
    assert key["enum"] == ["enter", "back", "home", "recents"]


def test_an_episode(alarm: PhoneTools) -> None:
    assert alarm.finish() == "The episode is over; nothing more can be done."
    shown: Any = alarm.reset(prompt=[{"role": "user", "content": "x"}], seed=3, unknown=1)
    assert [block["type"] for block in shown] == ["image", "text"]
    assert isinstance(shown[0]["image"], Image.Image)
    assert shown[0]["image"].size == (90, 200)
    assert shown[1]["text"].strip()
    shown = alarm.tap(5000, 2)
    assert "1000" in shown[1]["text"]
    assert alarm.get_reward() == 0
    assert [block["type"] for block in alarm.press("home")] == ["image"]  # type: ignore[union-attr]
    assert alarm.finish() == "The episode is over; nothing more can be done."
    assert alarm.tap(1, 1) == "The episode is over; nothing more can be done."
    assert alarm.get_reward() == 0


def test_reward_is_the_episodes(alarm: PhoneTools) -> None:
    alarm.reset(seed=0)
    assert alarm._env is not None
    from mobile_gym.policies.demonstration import DemonstrationPolicy

    policy = DemonstrationPolicy()
    policy.attach(alarm._env)
    policy.reset(alarm._env.task, alarm._info, 0)
    while not alarm._over:
        action = policy.act(alarm._observation, alarm._info)
        alarm._observation, reward, *ends, alarm._info = alarm._env.step(action)
        alarm._total, alarm._over = alarm._total + reward, any(ends)
    assert alarm.get_reward() == pytest.approx(1)
    alarm.reset(seed=0)
    assert alarm.get_reward() == 0


def test_a_device_that_failed_gives_no_reward(alarm: PhoneTools) -> None:
    alarm.reset(seed=0)
    alarm._fault = "DeviceOffline: gone"
    assert alarm.get_reward() is None


def test_elements_for_models_without_eyes() -> None:
    tools = phone_tools("train-settings", view="elements", observation_size=(90, 200))()
    shown = tools.reset(seed=1)
    assert isinstance(shown, str)
    assert ") Settings" in shown
    close(tools)


def test_a_row_may_name_its_task() -> None:
    tools = phone_tools("elder-031", observation_size=(90, 200))()
    first: Any = tools.reset(seed=0)
    second: Any = tools.reset(seed=0, task="elder-030")
    assert first[1]["text"] != second[1]["text"]
    close(tools)
