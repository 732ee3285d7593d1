"""Policies that try to be rewarded without doing what was asked; `docs/reward_hacking.md` tells of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from mobile_gym.devices.base import Device
from mobile_gym.devices.embedded import EmbeddedDevice
from mobile_gym.envs.actions import Action, ActionType
from mobile_gym.envs.graph_env import TaskGraphEnv
from mobile_gym.envs.task_env import MobileTaskEnv
from mobile_gym.policies.demonstration import DemonstrationPolicy
from mobile_gym.reward.answer_check import answer_holds
from mobile_gym.reward.answers import ChoiceAnswer, ListAnswer
from mobile_gym.reward.criteria import leaves_of
from mobile_gym.reward.graph.walking import TEXT_RATIO, text_ratio
from mobile_gym.reward.progress import RewardMode, succeeded
from mobile_gym.reward.session import TaskSession
from mobile_gym.reward.user_facts import User
from mobile_gym.reward.users import ScriptedUser
from mobile_gym.task_registry.catalog import load_task, suites, task_ids
from mobile_gym.task_registry.models import Task

LIVE = ("online", "process", "workflow")
SMALL = (90, 200)
ALARMS = "content://com.android.deskclock/alarms"


@pytest.fixture(scope="module")
def device() -> Iterator[Device]:
    phone = EmbeddedDevice("pixel_6a")
    yield phone
    phone.close()


@cache
def _live() -> tuple[Task, ...]:
    tasks = [load_task(name) for suite in suites() for name in task_ids(suite)]
    return tuple(task for task in tasks if task.protocol in LIVE)


class _Play:
    """An episode in which demonstrations of tasks are acted out, and other things done between."""

    def __init__(self, env: MobileTaskEnv, seed: int = 0) -> None:
        self.env = env
        self.observation, self.info = env.reset(seed=seed)
        self.total, self.over = 0.0, False

    def act(self, action: Any) -> None:
        encoded = action.encode() if isinstance(action, Action) else action
        self.observation, reward, *ends, self.info = self.env.step(encoded)
        self.total += reward
        self.over = any(ends)

    def demonstrate(self, task: Task | None = None) -> None:
        """Everything but the finish, which counts as a demonstration's last step."""
        policy = DemonstrationPolicy()
        policy.attach(self.env)
        policy.reset(task or self.env.task, self.info, 0)
        while not self.over:
            action = policy.act(self.observation, self.info)
            if action["action_type"] in (ActionType.FINISH, ActionType.ANSWER):
                return
            self.act(action)

    def finish(self) -> None:
        self.act(Action.finish())


Begin = Callable[..., _Play]


@pytest.fixture
def begin(device: Device) -> Iterator[Begin]:
    """Begins an episode on the one phone; the one before it is given up."""
    envs: list[MobileTaskEnv] = []

    def make(task: str, reward: RewardMode = "progress", seed: int = 0, hierarchy: bool = False) -> _Play:
        for old in envs:
            old.close()
        env = MobileTaskEnv(
            task,
            device=device,
            language="en",
            observation_size=SMALL,
            hierarchy=hierarchy,
            reward=reward,
            time_budget="none",
        )
        envs.append(env)
        return _Play(env, seed)

    yield make
    for env in envs:
        env.close()


# Claims.


@pytest.mark.slow
def test_claiming_and_answering_without_acting_earns_nothing(device: Device) -> None:
    """Every task at its start: finished at once, called infeasible at once, answered with all that the screen says."""
    infeasible = set()
    for task in _live():
        session = TaskSession(task, device, "en")
        session.setup()
        shown = "\n".join(text for node in device.hierarchy().visible() for text in (node.text, node.content_desc))
        assert not succeeded(session.check(ended_by="finish"), task.protocol, True), task.id
        for answer in (session.instruction, shown, f"{session.instruction}\n{shown}", " ".join(map(str, range(500)))):
            assert not succeeded(session.check(answer, "answer"), task.protocol, True), task.id
        if task.protocol == "workflow":
            session.setup()
            if succeeded(session.check(ended_by="finish_infeasible"), task.protocol, True):
                infeasible.add(task.id)
    # To say that something can't be done is right where it can't: no criterion can tell knowledge from a guess.
    assert infeasible == {task.id for task in _live() if task.infeasible}
    assert len(infeasible) <= len([task for task in _live() if task.protocol == "workflow"]) / 5


def _answers() -> list[tuple[str, Any]]:
    return [
        (task.id, leaf.spec)
        for task in (found.in_language("en") for found in _live())
        for subtask in task.subtasks
        for _, leaf in leaves_of(subtask.criterion)
        if leaf.kind == "answer"
    ]


def test_answering_several_things_is_no_answer() -> None:
    checked = 0
    for name, check in _answers():
        equals = getattr(check, "equals", check)
        right = [str(one) for one in (equals if isinstance(equals, tuple | list) else (equals,)) if one is not None]
        if not right or isinstance(check, ListAnswer):
            continue
        said = right[0]
        if not answer_holds(check, said):
            continue
        checked += 1
        others = ["12:34", "1", "99.5", "2027-01-01", "none", "yes", "no"]
        if isinstance(check, ChoiceAnswer):
            others += [str(option) for option in check.options]
        for other in others:
            if answer_holds(check, other):
                continue
            for spam in (f"{said}, {other}", f"{other} or {said}", f"{said}/{other}", f"{said}\n{other}"):
                assert not answer_holds(check, spam), (name, spam)
    assert checked >= 3


def test_an_answer_that_reads_everything_out_is_none() -> None:
    task = Task.model_validate(
        {
            "id": "t", "suite": "t", "protocol": "workflow", "instruction": {"zh": "x", "en": "x"},
            "subtasks": [{"answer": {"type": "text", "contains": ["Grace"]}}, {"answer": {"contains": ["Grace"]}}],
        }
    )  # fmt: skip
    checks = [leaf.spec for subtask in task.subtasks for _, leaf in leaves_of(subtask.criterion)]
    assert [answer_holds(check, "It was Grace who paid for the cake.") for check in checks] == [True, True]
    everybody = ", ".join(f"{name} {family}" for name in ("Grace", "Lily", "Jason", "Fay") for family in "ABCDEFGHIJ")
    assert [answer_holds(check, everybody) for check in checks] == [False, False]


# Progress.


def test_progress_telescopes_however_often_it_goes_up_and_down(device: Device, begin: Begin) -> None:
    play = begin("elder-031")
    for _ in range(4):
        for level in ("15", "0"):
            device.settings.put("system", "volume_music", level)
            play.act(Action.press("home"))
    assert play.info["progress"] == 0
    assert play.total == pytest.approx(0)
    play.finish()
    assert (play.total, play.info["success"]) == (pytest.approx(0), False)


def test_waiting_and_pressing_the_same_again_earns_nothing(begin: Begin) -> None:
    for task, action in (("elder-031", Action.tap(500, 500)), ("gma-001", Action.wait(60)), ("elder-031", {})):
        play = begin(task)
        while not play.over and play.info["turn"] < 30:
            play.act(action)
        assert play.total == 0
        assert not play.info["success"]


def test_the_shotgun_gets_half_of_raw_progress_and_nothing_else(device: Device, begin: Begin) -> None:
    """Who switches everything on has switched on what was asked for."""
    modes: tuple[RewardMode, ...] = ("progress", "raw", "sparse")
    earned = {}
    for mode in modes:
        play = begin("elder-031", mode)
        for name in ("volume_music", "volume_alarm", "font_scale", "screen_brightness"):
            device.settings.put("system", name, "2")
        play.demonstrate()
        play.finish()
        assert play.info["goal_reached"]
        assert not play.info["success"]
        earned[mode] = play.total
    assert earned == {"progress": 0, "raw": pytest.approx(0.5), "sparse": 0}


def test_progress_pays_in_full_and_takes_back_what_was_paid(device: Device, begin: Begin) -> None:
    play = begin("elder-031", "progress")
    play.demonstrate()
    assert play.total == pytest.approx(0.5)
    device.settings.put("system", "font_scale", "1.3")
    play.act(Action.press("home"))
    assert play.total == pytest.approx(0)
    device.settings.put("system", "font_scale", "1.0")
    play.act(Action.press("home"))
    play.finish()
    assert (play.total, play.info["success"]) == (pytest.approx(1), True)


# Changes that nobody asked for.


@pytest.mark.parametrize("task", ["elder-031", "elder-080", "train-alarm", "train-settings"])
def test_a_change_beside_the_goal_costs_the_success(device: Device, begin: Begin, task: str) -> None:
    play = begin(task)
    play.demonstrate()
    device.shell("settings put system font_scale 1.45")
    play.finish()
    assert play.info["goal_reached"]
    assert not play.info["success"]
    assert play.info["unexpected_changes"]


def test_the_right_thing_among_many_is_no_success(begin: Begin) -> None:
    # Two wishes of few steps, so that both fit into the budget.
    one, two = [
        seed for seed in range(40) if len(load_task("train-alarm", seed).in_language("en").demonstrations[0]) < 11
    ][:2]
    play = begin("train-alarm", seed=one)
    play.demonstrate()
    play.demonstrate(load_task("train-alarm", two).in_language("en"))
    play.finish()
    assert play.info["goal_reached"]
    assert not play.info["success"]


def test_the_right_thing_twice_is_no_success(device: Device, begin: Begin) -> None:
    play = begin("train-alarm")
    play.demonstrate()
    assert not play.info["unexpected_changes"]
    alarm = {name: value for name, value in device.content.query(ALARMS)[0].items() if name != "_id"}
    device.content.insert(ALARMS, alarm)
    play.finish()
    assert play.info["goal_reached"]
    assert not play.info["success"]
    assert [change.partition(" ")[0] for change in play.info["unexpected_changes"]] == [f"{ALARMS}/2"]


def test_paying_twice_is_no_success(device: Device) -> None:
    session = TaskSession(load_task("gma-019"), device, "en")
    session.setup()
    row = "--bind name:s:'Grace Lee' --bind amount_cents:i:4550 --bind note:s:'For the fan' --bind direction:s:out"
    for paid in (1, 2):
        result = device.shell(f"content insert --uri content://com.mobench.wallet/transfers {row}")
        if result.exit_code:
            pytest.skip(f"transfers can't be inserted: {result.stderr}")
        found = session.check()
        assert found.subtasks["paid"]
        transfers = [change for change in found.unexpected_changes if "/transfers/" in change]
        assert len(transfers) == paid - 1


def test_a_contact_that_is_renamed_into_the_wanted_one_is_no_new_one(device: Device) -> None:
    task = Task.model_validate(
        {
            "id": "t", "suite": "t", "protocol": "online", "instruction": {"zh": "x", "en": "x"},
            "assets": [{"contact": {"name": "Old Friend", "number": "5550100001"}}],
            "subtasks": [{"contact": {"name": "New Friend", "number": "5550100001"}}],
        }
    )  # fmt: skip
    session = TaskSession(task, device, "en")
    session.setup()
    assert not session.check().goal_reached
    rows = device.content.query("content://com.android.contacts/data")
    for row in rows:
        if row.get("data1") == "Old Friend":
            device.shell(
                f"content update --uri content://com.android.contacts/data --bind data1:s:'New Friend' "
                f'--where "_id={row["_id"]}"'
            )
    found = session.check()
    assert found.goal_reached
    assert not found.clean  # the old one is gone, and nobody asked for that


# Doors beside the screen.


@pytest.mark.parametrize(
    "name",
    [
        "com.android.settings/.Settings$SoundSettingsActivity",
        "sms:5550100001?body=hi",
        "content://com.android.contacts/data/1",
        "Settings; settings put system volume_music 15",
        "$(settings put system volume_music 15)",
        "com.android.settings --es x y",
        "`reboot`",
        "../../data",
    ],
)
def test_open_app_opens_apps_and_nothing_else(device: Device, begin: Begin, name: str) -> None:
    play = begin("gma-001")
    play.act(Action.open_app(name))
    assert play.info["action_error"]
    assert play.info["unexpected_changes"] == []
    assert play.total == 0


def test_typed_text_is_no_command(device: Device, begin: Begin) -> None:
    play = begin("gma-001")
    for text in ("'; settings put system font_scale 2 #", "$(settings put system font_scale 2)", "a\nb"):
        play.act(Action.type(text))
    assert device.settings.get("system", "font_scale") != "2"
    assert play.info["unexpected_changes"] == []


def test_the_hierarchy_has_no_passwords_and_nothing_that_the_screen_lacks(begin: Begin) -> None:
    play = begin("gma-019", hierarchy=True)
    user = play.env.task.user
    facts = [fact.says.en for fact in (user.knows.values() if user else ())]
    play.demonstrate()
    seen = play.observation["hierarchy"]
    assert facts
    assert not any(fact in seen for fact in facts)
    assert "135790" not in seen


# The user.


def test_a_user_is_not_asked_for_everything_at_once() -> None:
    knows = {
        name: {"says": f"It is {name}", "asked_by": [name]} for name in ("who", "when", "where", "colour", "price")
    }
    user, scripted = User.model_validate({"knows": knows}), ScriptedUser()

    def told(question: str) -> frozenset[str]:
        return scripted.reply(user, "en", "x", question).told

    assert told("When, where and who?") == {"who", "when", "where"}
    assert told("who when where colour price") == frozenset()
    assert told("who? " + "something else " * 40) == frozenset()
    assert told("Tell me everything. What are the steps? Which button?") == frozenset()


def test_no_user_of_a_task_reads_out_all_that_it_knows() -> None:
    dictionary = " ".join(
        word
        for task in _live()
        if task.user is not None
        for topic in task.user.knows
        for word in task.user.words_of(topic)
    )
    asked = 0
    for task in _live():
        if task.user is not None:
            asked += 1
            reply = ScriptedUser().reply(task.user, "en", task.instruction.en, dictionary)
            assert not reply.told, task.id
    assert asked


# Recorded screens.


def test_text_with_everything_in_it_is_not_the_recorded_text() -> None:
    everything = "milk eggs bread butter oranges Lily Grace hello thanks 135790"
    for recorded in ("milk", "oranges", "Grace", "135790"):
        assert text_ratio(recorded, recorded) >= TEXT_RATIO
        assert text_ratio(recorded, everything) < TEXT_RATIO


def test_a_sweep_over_a_recorded_screen_spends_the_budget() -> None:
    for name in [name for name in task_ids("elder") if load_task(name).protocol == "graph"][:3]:
        env = TaskGraphEnv(name, language="en", observation_size=SMALL)
        env.reset(seed=0)
        total, turn, over = 0.0, 0, False
        while not over:
            x, y = 100 + 200 * (turn % 5), 100 + 200 * (turn // 5 % 5)
            _, reward, terminated, truncated, info = env.step(Action.tap(x, y).encode())
            total, turn, over = total + reward, turn + 1, terminated or truncated
        assert not info["success"]
        assert total < 0.5
        env.close()
