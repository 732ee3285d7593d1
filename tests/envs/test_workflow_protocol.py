"""GMA's protocol in the environment: the user, answers, infeasible tasks, early success by an event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium as gym
import pytest

from mobile_gym.envs.actions import Action, ActionType
from mobile_gym.envs.task_env import MobileTaskEnv
from mobile_gym.reward.errors import UserFailed
from mobile_gym.reward.users import Reply
from mobile_gym.task_registry.models import Task
from tests.support.stub_phone import LOUDER_AT, NOWHERE_AT

MakeTask = Callable[..., Task]
MakeEnv = Callable[..., MobileTaskEnv]
FINISH, INFEASIBLE = Action.finish().encode(), Action(kind=ActionType.FINISH_INFEASIBLE).encode()
LOUDER, NOWHERE = Action.tap(*LOUDER_AT).encode(), Action.tap(*NOWHERE_AT).encode()
USER = {"knows": {"stream": {"says": {"zh": "媒体声音", "en": "The media volume"}, "asked_by": ["哪个", "which"]}}}


@pytest.fixture
def workflow(make_task: MakeTask) -> MakeTask:
    def make(**fields: Any) -> Task:
        return make_task(**({"protocol": "workflow", "budget": {"steps": 150}} | fields))

    return make


def test_the_user_s_reply_is_the_next_message(make_env: MakeEnv, workflow: MakeTask) -> None:
    env = make_env(workflow(user=USER))
    env.reset()
    observation, _, terminated, _, info = env.step(Action.call_user("调哪个声音？").encode())
    assert observation["message"] == "好的，媒体声音。"
    assert (terminated, info["turn"], info["action_error"]) == (False, 1, "")
    assert env.step(Action.call_user("怎么调？").encode())[0]["message"]
    assert env.step(NOWHERE)[0]["message"] == ""
    assert [exchange.question for exchange in env.session.conversation] == ["调哪个声音？", "怎么调？"]
    env.reset()
    assert env.session.conversation == ()


def test_the_user_speaks_the_instruction_s_language(make_env: MakeEnv, workflow: MakeTask) -> None:
    env = make_env(workflow(user=USER), language="en")
    env.reset()
    assert env.step(Action.call_user("Which volume?").encode())[0]["message"] == "Sure. The media volume."


class Silent:
    """A user whose model never answers, or says one thing."""

    name = "silent"
    closed = 0

    def __init__(self, text: str = "") -> None:
        self.text = text

    def reply(self, *_: object) -> Reply:
        if not self.text:
            raise UserFailed("no answer")
        return Reply(self.text)

    def close(self) -> None:
        self.closed += 1


def test_another_user_may_be_given(make_env: MakeEnv, workflow: MakeTask) -> None:
    user = Silent("随便")
    env = make_env(workflow(user=USER), user=user)
    env.reset()
    assert env.step(Action.call_user("哪个？").encode())[0]["message"] == "随便"
    env.close()
    assert user.closed == 0, "a user that was given stays its giver's"
    with pytest.raises(ValueError, match="no simulated user"):
        make_env(workflow(user=USER), user="nobody")


def test_a_user_that_fails_ends_the_episode(make_env: MakeEnv, workflow: MakeTask) -> None:
    env = make_env(workflow(user=USER), user=Silent())
    env.reset()
    with pytest.raises(UserFailed):
        env.step(Action.call_user("哪个？").encode())
    with pytest.raises(gym.error.ResetNeeded):
        env.step(FINISH)


def test_an_answer_ends_it_and_is_judged_by_its_type(make_env: MakeEnv, workflow: MakeTask) -> None:
    env = make_env(workflow(subtasks=[{"answer": {"type": "money", "equals": 39.9}}], allowed_changes=[]))
    for answer, success in (("¥39.90", True), ("40", False), ("大概39.9", False)):
        env.reset()
        _, reward, terminated, _, info = env.step(Action.answer(answer).encode())
        assert (terminated, info["ended_by"], info["success"]) == (True, "answer", success)
        assert reward == float(success)
    env.reset()
    assert not env.step(FINISH)[4]["success"]


def test_infeasible_tasks_end_by_saying_so(make_env: MakeEnv, workflow: MakeTask) -> None:
    env = make_env(workflow(subtasks=[], infeasible=True, allowed_changes=[]))
    env.reset()
    _, reward, terminated, _, info = env.step(INFEASIBLE)
    assert (terminated, info["ended_by"], info["success"], reward) == (True, "finish_infeasible", True, 1.0)
    assert info["subtasks"] == {"infeasible": True}
    env.reset()
    assert not env.step(FINISH)[4]["success"]
    env.reset()
    env.step(LOUDER)
    info = env.step(INFEASIBLE)[4]
    assert (info["goal_reached"], info["success"]) == (True, False), "what was done in vain is a side effect"


def test_the_user_must_be_asked_first_where_the_task_says_so(make_env: MakeEnv, workflow: MakeTask) -> None:
    env = make_env(workflow(user=USER, infeasible=True, subtasks=[{"id": "ask", "criterion": {"asked": "stream"}}]))
    env.reset()
    info = env.step(INFEASIBLE)[4]
    assert (info["success"], info["progress"]) == (False, 0.5)
    env.reset()
    assert not env.step(Action.call_user("今天几号？").encode())[4]["subtasks"]["ask"]
    assert env.step(Action.call_user("哪个声音？").encode())[4]["subtasks"]["ask"]
    assert env.step(INFEASIBLE)[4]["success"]


def test_feasible_tasks_are_not_met_by_giving_up(make_env: MakeEnv, workflow: MakeTask) -> None:
    env = make_env(workflow())
    env.reset()
    assert not env.step(INFEASIBLE)[4]["success"]


def test_a_goal_that_holds_from_the_start_is_reached_by_claiming_it_alone(
    make_env: MakeEnv, workflow: MakeTask
) -> None:
    kept = {"id": "quiet", "criterion": {"setting": {"key": "system/volume_music", "value": 3}}, "holds_at_start": True}
    env = make_env(workflow(subtasks=[kept]))
    env.reset()
    for _ in range(7):
        _, _, terminated, _, info = env.step(NOWHERE)
        assert not terminated
    assert (info["goal_reached"], info["success"]) == (True, False)
    assert env.step(FINISH)[4]["success"]
    louder = {"id": "louder", "criterion": {"setting": {"key": "system/volume_music", "above": "start"}}}
    held = {
        "id": "typed",
        "criterion": {"not": {"setting": {"key": "system/typed", "value": "x"}}},
        "holds_at_start": True,
    }
    env.close()
    both = make_env(workflow(subtasks=[louder, held]))
    both.reset()
    assert not both.step(NOWHERE)[2]
    _, _, terminated, _, info = both.step(LOUDER)
    assert (terminated, info["ended_by"], info["success"]) == (True, "goal", True)


def test_what_the_device_refused_is_no_operation(make_env: MakeEnv, make_task: MakeTask) -> None:
    env = make_env(make_task(protocol="process", process=[{"do": "type", "text": "面包"}]))
    env.reset()
    info = env.step(Action.type("面包").encode())[4]
    assert "type failed" in info["action_error"]
    assert env.session.record == ()
    info = env.step(LOUDER)[4]
    assert (info["subtasks"], info["goal_reached"]) == ({"louder": True}, False)


def test_it_is_vision_only_unless_asked_for_otherwise(make_env: MakeEnv, workflow: MakeTask) -> None:
    env = make_env(workflow())
    observation, info = env.reset()
    assert set(observation) == {"screenshot", "instruction", "message"}
    assert not any("hierarchy" in name for name in info)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"protocol": "online", "infeasible": True}, "finish_infeasible"),
        ({"subtasks": [{"asked": "stream"}]}, "names no topic"),
        ({"user": USER, "subtasks": [{"asked": "streams"}]}, "there are stream"),
        ({"subtasks": []}, "at least 1"),
        ({"protocol": "process", "tags": {"kind": "process"}}, "tags.kind"),
        ({"protocol": "process", "tags": {"kind": "state"}, "process": [{"do": "tap", "target": "x"}]}, "tags.kind"),
    ],
)
def test_tasks_that_make_no_sense_are_refused(workflow: MakeTask, fields: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        workflow(**fields)


def test_an_infeasible_task_is_read_back_from_its_own_words(workflow: MakeTask) -> None:
    task = workflow(subtasks=[], infeasible=True)
    again = Task.model_validate(task.model_dump(mode="json", by_alias=True))
    assert again.content_hash == task.content_hash
