"""`MobileTaskEnv` on a stub phone: turns, claims, budgets, faults and what each is told."""

import copy
import pickle
import time
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from mobile_gym import devices
from mobile_gym.devices.base import Capability
from mobile_gym.devices.errors import DeviceOffline, DeviceTimeout, HierarchyUnavailable
from mobile_gym.envs.actions import Action, ActionType
from mobile_gym.envs.checks import check_all
from mobile_gym.envs.leases import DeviceInUse
from mobile_gym.envs.protocols import UnsupportedProtocol
from mobile_gym.envs.task_env import MobileTaskEnv
from mobile_gym.reward.session import SetupError, Unverifiable
from tests.envs.conftest import MakeEnv, MakeTask
from tests.support.stub_phone import FIELD_AT, LOUDER_AT, NOWHERE_AT, StubPhone

LOUDER = Action.tap(*LOUDER_AT).encode()
NOWHERE = Action.tap(*NOWHERE_AT).encode()
FIELD = Action.tap(*FIELD_AT).encode()
FINISH = Action.finish().encode()


def test_reset_shows_the_start(make_env: MakeEnv, phone: StubPhone) -> None:
    env = make_env()
    observation, info = env.reset(seed=0)
    assert env.observation_space.contains(observation)
    assert observation["instruction"] == "声音太小了，我听不见"
    assert observation["message"] == ""
    assert np.array_equal(observation["screenshot"], phone.screenshot())
    mask = info.pop("action_mask")
    assert mask.dtype == np.int8
    assert [kind.word for kind in ActionType if mask[kind]] == [
        "tap", "long_press", "swipe", "type", "press_back", "press_home", "finish",
    ]  # fmt: skip
    assert info == {
        "success": False,
        "goal_reached": False,
        "agent_claimed": False,
        "ended_by": "",
        "progress": 0.0,
        "weighted_progress": 0.0,
        "subtasks": {"louder": False},
        "operations": [],
        "unexpected_changes": [],
        "activity": "com.stub/com.stub.Main",
        "turn": 0,
        "action_error": "",
        "device_error": "",
        "screen": (0, 0, 90, 200),
        "screen_size": (90, 200),
        "task_id": "stub-001",
        "task_seed": 0,
    }


def test_goal_and_finish_are_a_success(make_env: MakeEnv) -> None:
    env = make_env()
    env.reset()
    _, reward, terminated, truncated, info = env.step(LOUDER)
    assert (reward, terminated, truncated) == (0.5, False, False)
    assert (info["goal_reached"], info["success"], info["progress"], info["turn"]) == (True, False, 1.0, 1)
    _, reward, terminated, truncated, info = env.step(FINISH)
    assert (reward, terminated, truncated) == (0.5, True, False)
    assert (info["goal_reached"], info["agent_claimed"], info["success"], info["ended_by"]) == (
        True,
        True,
        True,
        "finish",
    )


def test_a_finish_with_nothing_done_is_none(make_env: MakeEnv) -> None:
    for mode in ("progress", "sparse"):
        env = make_env(reward=mode)
        env.reset()
        _, reward, terminated, truncated, info = env.step(FINISH)
        assert (reward, terminated, truncated) == (0.0, True, False)
        assert (info["goal_reached"], info["agent_claimed"], info["success"]) == (False, True, False)
        env.close()


def test_a_goal_without_finish_is_none(make_env: MakeEnv) -> None:
    env = make_env()
    env.reset()
    total = 0.0
    for action in (LOUDER, *[NOWHERE] * 5):
        _, reward, terminated, truncated, info = env.step(action)
        total += reward
    assert (terminated, truncated, info["ended_by"], info["turn"]) == (False, True, "steps", 6)
    assert (info["goal_reached"], info["agent_claimed"], info["success"], total) == (True, False, False, 0.5)


def test_an_unexpected_change_spoils_the_success(make_env: MakeEnv) -> None:
    env = make_env()
    env.reset()
    env.step(FIELD)
    env.step(Action.type("喂").encode())
    env.step(LOUDER)
    _, _, terminated, _, info = env.step(FINISH)
    assert terminated
    assert (info["goal_reached"], info["agent_claimed"], info["success"]) == (True, True, False)
    assert len(info["unexpected_changes"]) == 1
    assert "system/typed" in info["unexpected_changes"][0]


def test_sparse_reward_comes_with_success(make_env: MakeEnv) -> None:
    env = make_env(reward="sparse")
    env.reset()
    assert env.step(LOUDER)[1] == 0.0
    assert env.step(FINISH)[1] == 1.0


def test_progress_that_is_lost_costs(make_env: MakeEnv, phone: StubPhone) -> None:
    env = make_env()
    env.reset()
    assert env.step(LOUDER)[1] == 0.5
    phone.state["system"]["volume_music"] = "2"
    assert env.step(NOWHERE)[1] == -0.5


@pytest.mark.parametrize(
    ("action", "told"),
    [
        (Action.open_app("设置").encode(), "open_app is not allowed in this task; allowed are tap, long_press"),
        ({"action_type": 0}, "malformed action: tap needs a 'touch_point'"),
        (None, "malformed action: an action is a dict"),
        (Action.type("x").encode(), "type failed: no field has the focus"),
    ],
)
def test_a_refused_action_costs_a_turn_and_changes_nothing(
    make_env: MakeEnv, phone: StubPhone, action: Any, told: str
) -> None:
    env = make_env()
    before, _ = env.reset()
    state = copy.deepcopy(phone.state)
    observation, reward, terminated, truncated, info = env.step(action)
    assert (reward, terminated, truncated, info["turn"]) == (0.0, False, False, 1)
    assert phone.state == state
    assert told in info["action_error"]
    assert observation["message"] == info["action_error"]
    assert np.array_equal(observation["screenshot"], before["screenshot"])
    observation, *_, info = env.step(NOWHERE)
    assert (info["action_error"], observation["message"]) == ("", "")


def test_typing_appends_at_the_field(make_env: MakeEnv, phone: StubPhone) -> None:
    env = make_env()
    env.reset()
    for action in (FIELD, Action.type(" 早上").encode(), Action.type("好 ").encode()):
        assert env.step(action)[4]["action_error"] == ""
    assert phone.state["system"]["typed"] == " 早上好 "


def test_one_screenshot_a_step(make_env: MakeEnv, phone: StubPhone) -> None:
    env = make_env(hierarchy=True)
    env.reset()
    before = phone.screenshots
    for action in (LOUDER, None, NOWHERE):
        env.step(action)
    assert phone.screenshots == before + 3


def test_nothing_is_shared_between_steps(make_env: MakeEnv) -> None:
    env = make_env()
    _, first = env.reset()
    *_, second = env.step(NOWHERE)
    for name in ("action_mask", "subtasks", "unexpected_changes"):
        assert first[name] is not second[name]
    first["action_mask"][:] = 0
    first["subtasks"].clear()
    *_, third = env.step(NOWHERE)
    assert third["action_mask"].any()
    assert third["subtasks"] == {"louder": False}


def test_the_episode_must_be_running(make_env: MakeEnv) -> None:
    env = make_env()
    with pytest.raises(ResetNeeded, match="call reset"):
        env.step(NOWHERE)
    with pytest.raises(ResetNeeded, match="call reset"):
        _ = env.session
    env.reset()
    env.step(FINISH)
    with pytest.raises(ResetNeeded, match="call reset"):
        env.step(NOWHERE)
    env.close()
    env.close()
    with pytest.raises(ResetNeeded, match="closed"):
        env.reset()


def test_other_protocols_end_their_own_way(make_env: MakeEnv, make_task: MakeTask) -> None:
    process = make_env(make_task(protocol="process", budget={"steps": 15}))
    process.reset()
    for turn in range(1, 6):
        _, _, terminated, truncated, info = process.step(NOWHERE)
        assert terminated == (turn == 5)
    assert (info["ended_by"], info["success"], truncated) == ("repeated_action", False, False)
    process.reset()
    for action in (NOWHERE, NOWHERE, NOWHERE, NOWHERE, LOUDER, NOWHERE):
        assert not process.step(action)[2]
    process.close()

    workflow = make_env(make_task(protocol="workflow", budget={"steps": 15}))
    workflow.reset()
    observation, _, terminated, _, info = workflow.step(Action.call_user("哪个声音？").encode())
    assert "nobody answers" in observation["message"]
    assert (terminated, info["turn"], info["action_error"]) == (False, 1, "")
    _, reward, terminated, _, info = workflow.step(LOUDER)
    assert (reward, terminated) == (1.0, True)
    assert (info["ended_by"], info["success"], info["agent_claimed"]) == ("goal", True, False)
    workflow.reset()
    _, _, terminated, _, info = workflow.step(Action(kind=ActionType.FINISH_INFEASIBLE).encode())
    assert (terminated, info["ended_by"], info["agent_claimed"]) == (True, "finish_infeasible", False)


def test_a_protocol_without_a_phone_is_refused(make_task: MakeTask, phone: StubPhone) -> None:
    with pytest.raises(UnsupportedProtocol, match="stub-001 has the protocol 'grounding'"):
        MobileTaskEnv(make_task(protocol="grounding"), device=phone)


# Time.


def test_virtual_time_runs_with_the_device(make_env: MakeEnv, make_task: MakeTask, phone: StubPhone) -> None:
    task = make_task(budget={"steps": 6, "seconds": 2.5, "clock": "virtual"})
    env = make_env(task)
    env.reset()
    assert not env.step(NOWHERE)[3]
    assert not env.step(NOWHERE)[3]
    _, _, terminated, truncated, info = env.step(NOWHERE)
    assert (terminated, truncated, info["ended_by"]) == (False, True, "time")
    env.close()
    env = make_env(task, time_budget="none")
    env.reset()
    assert not any(env.step(NOWHERE)[3] for _ in range(5))


def test_wall_time_counts_the_models_own(
    make_env: MakeEnv, make_task: MakeTask, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    env = make_env(make_task(budget={"steps": 6, "seconds": 120, "clock": "wall"}))
    env.reset()
    now[0] += 119
    assert not env.step(NOWHERE)[3]
    now[0] += 2
    observation, _, terminated, truncated, info = env.step(FINISH)
    assert (terminated, truncated, info["ended_by"], info["agent_claimed"]) == (False, True, "time", False)
    assert "not carried out" in observation["message"]
    assert not any("second" in name or "time" in name for name in info)


# Devices that fail.


def test_a_device_that_goes_truncates(make_env: MakeEnv, phone: StubPhone) -> None:
    env = make_env()
    before, _ = env.reset()
    env.step(LOUDER)
    phone.failure = DeviceOffline("the stub was unplugged")
    observation, reward, terminated, truncated, info = env.step(NOWHERE)
    assert (reward, terminated, truncated) == (0.0, False, True)
    assert info["device_error"] == "DeviceOffline: the stub was unplugged"
    assert (info["ended_by"], info["turn"], info["success"]) == ("device", 2, False)
    assert env.observation_space.contains(observation)
    assert "unplugged" in observation["message"]
    with pytest.raises(DeviceOffline, match="unplugged"):
        env.reset()
    with pytest.raises(ResetNeeded):
        env.step(NOWHERE)
    phone.failure = None
    observation, info = env.reset()
    assert info["device_error"] == ""
    assert np.array_equal(observation["screenshot"], before["screenshot"])


def test_a_spec_is_opened_again_once(make_task: MakeTask, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[StubPhone] = []
    broken = [0]

    def connect(spec: str) -> StubPhone:
        assert spec == "stub:again"
        opened.append(StubPhone(spec))
        if broken[0] > 0:
            broken[0] -= 1
            opened[-1].failure = DeviceTimeout("the stub hangs")
        return opened[-1]

    monkeypatch.setattr(devices, "connect", connect, raising=False)
    env = MobileTaskEnv(make_task(), device="stub:again", observation_size=(45, 100))
    assert not opened
    env.reset()
    opened[0].failure = DeviceOffline("gone")
    assert env.step(NOWHERE)[3]
    env.reset()
    assert len(opened) == 2
    assert opened[0].closed == 1
    opened[1].failure = DeviceOffline("gone while nobody looked")
    env.reset()
    assert len(opened) == 3
    opened[2].failure = DeviceOffline("gone for good")
    broken[0] = 1
    with pytest.raises(DeviceTimeout, match="hangs"):
        env.reset()
    assert len(opened) == 4
    env.reset()
    assert not env.step(LOUDER)[3]
    env.close()
    assert [phone.closed for phone in opened] == [1] * len(opened)


def test_an_open_device_stays_open(make_env: MakeEnv, phone: StubPhone) -> None:
    make_env().close()
    assert phone.closed == 0


def test_a_device_serves_one_environment(make_env: MakeEnv, make_task: MakeTask, phone: StubPhone) -> None:
    env = make_env()
    with pytest.raises(DeviceInUse, match="stub:one is in use"):
        MobileTaskEnv(make_task(), device=phone)
    with pytest.raises(DeviceInUse, match="stub:one is in use"):
        MobileTaskEnv(make_task(), device=StubPhone("stub:one"))
    MobileTaskEnv(make_task(), device=StubPhone("stub:two")).close()
    env.close()
    MobileTaskEnv(make_task(), device=phone).close()


def test_an_embedded_serial_is_no_phones_own(make_task: MakeTask) -> None:
    one = MobileTaskEnv(make_task(), device=StubPhone("embedded:pixel_6a"))
    two = MobileTaskEnv(make_task(), device=StubPhone("embedded:pixel_6a"))
    one.close()
    two.close()


def test_a_hierarchy_that_cannot_be_read_is_told(
    make_env: MakeEnv, phone: StubPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = make_env(hierarchy=True)
    observation, _ = env.reset()
    assert 'text="louder 大声"' in observation["hierarchy"]

    def unavailable() -> None:
        raise HierarchyUnavailable("could not get idle state")

    monkeypatch.setattr(phone, "hierarchy", unavailable)
    observation, *_, truncated, _ = env.step(NOWHERE)
    assert (observation["hierarchy"], truncated) == ("", False)
    assert "idle state" in observation["message"]

    def gone() -> None:
        raise DeviceOffline("gone while it was read")

    monkeypatch.setattr(phone, "hierarchy", gone)
    observation, *_, truncated, info = env.step(NOWHERE)
    assert (observation["hierarchy"], truncated) == ("", True)
    assert "gone while it was read" in info["device_error"]
    assert env.observation_space.contains(observation)


# Set-up.


def test_a_missing_snapshot_is_named(make_env: MakeEnv, make_task: MakeTask, phone: StubPhone) -> None:
    env = make_env(make_task(start={"snapshot": "lived_in", "settings": {"system/volume_music": 3}}))
    with pytest.raises(SetupError, match=r"task stub-001, start\.snapshot: there is no snapshot 'lived_in'"):
        env.reset()
    with pytest.raises(ResetNeeded):
        env.step(NOWHERE)
    phone.snapshots.save("lived_in")
    env.reset()
    assert env.step(NOWHERE)[4]["turn"] == 1


def test_what_a_device_lacks_is_named(make_env: MakeEnv, phone: StubPhone) -> None:
    env = make_env()
    phone.can -= {Capability.SETTINGS}
    with pytest.raises(Unverifiable, match="lacks settings"):
        env.reset()


# Gymnasium.


def test_gymnasiums_checks_pass(make_env: MakeEnv) -> None:
    check_env(make_env(hierarchy=True), skip_render_check=True)


def test_our_checks_pass(make_task: MakeTask) -> None:
    serials = iter(("stub:left", "stub:right"))
    check_all(lambda: MobileTaskEnv(make_task(), device=StubPhone(next(serials)), hierarchy=True))


def test_a_parameter_that_is_wrong_is_named(make_task: MakeTask, phone: StubPhone) -> None:
    for name, value in {
        "language": "fr",
        "reward": "dense",
        "render_mode": "ansi",
        "time_budget": "lunar",
        "reset_mode": "hope",
        "observation_size": (0, 4),
    }.items():
        arguments: dict[str, Any] = {name: value}
        with pytest.raises(ValueError, match=name):
            MobileTaskEnv(make_task(), device=phone, **arguments)
    env = MobileTaskEnv(make_task(), device=phone)
    with pytest.raises(ValueError, match="unknown reset options speed"):
        env.reset(options={"speed": 2})
    env.close()


def test_the_language_is_the_instructions_and_the_devices(make_env: MakeEnv, phone: StubPhone) -> None:
    observation, _ = make_env(language="en").reset()
    assert observation["instruction"] == "The sound is too low"
    assert phone.language == "en"


def test_a_turned_screen_keeps_the_canvas(make_env: MakeEnv, phone: StubPhone) -> None:
    env = make_env(observation_size=[45, 100])
    env.reset()
    phone.turned = True
    observation, *_, info = env.step(NOWHERE)
    assert observation["screenshot"].shape == (100, 45, 3)
    assert info["screen"] == (0, 40, 45, 20)
    assert info["screen_size"] == (200, 90)
    env.step(Action.swipe(0, 0, 1000, 1000).encode())
    assert phone.state["system"]["swiped"] == "0,0,199,89"


def test_rendering_gives_the_canvas(make_env: MakeEnv) -> None:
    env = make_env(render_mode="rgb_array")
    observation, _ = env.reset()
    picture = env.render()
    assert picture is not None
    assert np.array_equal(picture, observation["screenshot"])
    picture[:] = 0
    assert observation["screenshot"].any()


def test_the_live_page_follows_the_episode(make_env: MakeEnv) -> None:
    env = make_env(render_mode="human")
    env.reset()
    before = env.live_page.state()
    assert (before["task"], before["turn"], before["steps"], before["action"]) == ("stub-001", 0, 6, None)
    env.step(LOUDER)
    after = env.live_page.state()
    assert after["version"] > before["version"]
    assert (after["turn"], after["goal_reached"]) == (1, True)
    assert after["action"] == {"kind": "tap", "point": LOUDER_AT, "lift": None, "text": ""}
    assert env.render() is None
    env.close()


def test_the_live_page_is_for_people(make_env: MakeEnv) -> None:
    with pytest.raises(ValueError, match='render_mode="human"'):
        _ = make_env().live_page


def test_an_environment_with_a_spec_is_pickled(make_task: MakeTask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "connect", lambda spec: StubPhone("embedded:stub"), raising=False)
    env = MobileTaskEnv(make_task(), device="embedded:stub", language="en")
    env.reset(seed=1)
    twin = pickle.loads(pickle.dumps(env))
    observation, _ = twin.reset(seed=1)
    assert observation["instruction"] == "The sound is too low"
    assert twin.device is not env.device
    env.close()
    twin.close()


def test_an_environment_with_an_open_device_is_not(make_env: MakeEnv) -> None:
    with pytest.raises(TypeError, match="open device"):
        pickle.dumps(make_env())


def test_vector_environments_batch_it(make_task: MakeTask) -> None:
    makers = [
        lambda serial=serial: MobileTaskEnv(make_task(), device=StubPhone(serial)) for serial in ("stub:a", "stub:b")
    ]
    vector = gym.vector.SyncVectorEnv(makers)
    observation, info = vector.reset(seed=[1, 2])
    assert observation["screenshot"].shape == (2, 200, 90, 3)
    assert observation["instruction"] == ("声音太小了，我听不见",) * 2
    assert info["action_mask"].shape == (2, 16)
    batch = {
        "action_type": np.array([0, 14]),
        "touch_point": np.array([LOUDER_AT, (0, 0)]),
        "lift_point": np.zeros((2, 2), np.int64),
        "text": ("", ""),
    }
    _, reward, terminated, _, _ = vector.step(batch)
    assert reward.tolist() == [0.5, 0.0]
    assert terminated.tolist() == [False, True]
    vector.close()
