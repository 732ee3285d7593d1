"""The policy that asks a model, against an endpoint in this process and a stub phone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from mobile_gym.cli import build_app
from mobile_gym.envs.actions import ActionType
from mobile_gym.envs.task_env import MobileTaskEnv
from mobile_gym.evaluation.records import read_config, read_records, read_timings
from mobile_gym.policies import Closable, Metered, Privileged, Stoppable, make_policy
from mobile_gym.policies.base import PolicyError
from mobile_gym.policies.formats import Flag
from mobile_gym.policies.model import ModelPolicy, model_policy
from mobile_gym.task_registry.models import Task
from tests.models.conftest import Endpoint, Reply, good
from tests.support.adb import free_port
from tests.support.stub_phone import StubPhone

TAP = '{"thought": "louder", "action": "tap", "point": [500, 100]}'
FINISH = '{"action": "finish"}'


@pytest.fixture
def env() -> Iterator[MobileTaskEnv]:
    task = Task.model_validate(
        {
            "id": "stub-001",
            "suite": "stub",
            "protocol": "online",
            "instruction": {"zh": "大声", "en": "louder"},
            "budget": {"steps": 10},
            "start": {"settings": {"system/volume_music": 3}},
            "subtasks": [{"setting": {"key": "system/volume_music", "above": "start"}}],
        }
    )
    made = MobileTaskEnv(task, device=StubPhone(), language="en")
    yield made
    made.close()


def play(env: MobileTaskEnv, policy: ModelPolicy, turns: int = 10) -> list[dict[str, Any]]:
    observation, info = env.reset(seed=0)
    policy.reset(env.task, info, 0)
    infos = []
    for _ in range(turns):
        observation, _, terminated, truncated, info = env.step(policy.act(observation, info))
        infos.append(info)
        if terminated or truncated:
            break
    return infos


def sent(request: dict[str, Any]) -> str:
    return json.dumps(request["messages"], ensure_ascii=False)


def test_a_model_solves_a_task(endpoint: Endpoint, env: MobileTaskEnv) -> None:
    endpoint.replies += [good(TAP, usage=(100, 20), reasoning_content="hm"), good(FINISH)]
    policy = make_policy("openai:m", base_url=endpoint.url, language="en")
    assert isinstance(policy, ModelPolicy)
    assert policy.name == "openai:m"
    assert isinstance(policy, Metered)
    assert isinstance(policy, Stoppable)
    assert isinstance(policy, Closable)
    assert not isinstance(policy, Privileged)
    infos = play(env, policy)
    assert infos[-1]["success"]
    usage = policy.usage()
    assert (usage.prompt_tokens, usage.generated_tokens, usage.cost) == (10, 3, None)
    assert usage.reasoning_seconds is not None
    assert usage.reasoning_seconds >= 0
    assert policy.last is not None
    assert policy.last.thought == ""
    system = endpoint.requests[0]["messages"][0]["content"]
    assert '"tap"' in system
    assert "open_app" not in system
    assert "Task: louder" in sent(endpoint.requests[0])
    assert "solve" not in sent(endpoint.requests[0])
    assert policy.stop_reason() == ""
    policy.close()


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (good("I would tap (500, 100)."), "no JSON object with 'action'"),
        (good(""), "the answer is empty"),
        (good('{"action": "tap", "point": [0, 5000]}'), "lies outside the picture"),
        (good("!" * 4000), "no JSON object"),
    ],
)
def test_an_answer_without_an_action_costs_a_turn_and_is_told(
    endpoint: Endpoint, env: MobileTaskEnv, reply: Reply, told: str
) -> None:
    endpoint.replies += [reply, good(FINISH)]
    policy = model_policy("m", base_url=endpoint.url, language="en")
    first, last = play(env, policy)
    policy.close()
    assert told in first["action_error"]
    assert first["turn"] == 1
    assert not last["success"]
    assert "system/volume_music" not in str(last["unexpected_changes"])
    assert told in sent(endpoint.requests[1])
    assert len(sent(endpoint.requests[1])) < 40_000


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("ui_tars", "Action: click(start_box='=')"),
        ("autoglm", "[{'Type': 'Type'}]"),
        ("autoglm", "The task is finished"),
        ("ui_venus", "Finished(content='ok')"),
    ],
)
def test_broken_answers_are_never_a_tap_or_a_finish(
    endpoint: Endpoint, env: MobileTaskEnv, format: str, text: str
) -> None:
    endpoint.replies.append(good(text))
    policy = model_policy("m", base_url=endpoint.url, format=format)
    (info,) = play(env, policy, 1)
    policy.close()
    assert info["action_error"].startswith("malformed action: ")
    assert (info["ended_by"], info["agent_claimed"], info["success"]) == ("", False, False)
    assert env.device.settings.get("system", "volume_music") == "3"


def test_a_drag_is_a_swipe_where_the_task_has_no_drag(endpoint: Endpoint, env: MobileTaskEnv) -> None:
    endpoint.replies.append(good("Action: drag(start_box='(1,2)', end_box='(3,4)')"))
    policy = model_policy("ui-tars-7b", base_url=endpoint.url)
    (info,) = play(env, policy, 1)
    policy.close()
    assert info["action_error"] == ""
    assert policy.last is not None
    assert Flag.SWIPED in policy.last.flags
    assert info["action_mask"][ActionType.DRAG] == 0


def test_reasoning_apart_is_the_thought_and_captions_are_paid_for(endpoint: Endpoint, env: MobileTaskEnv) -> None:
    plain = '{"action": "press_back"}'
    endpoint.replies += [
        good(plain, reasoning_content="hm"),
        good("a button", usage=(7, 1)),
        good(plain, usage=(20, 2)),
    ]
    policy = model_policy("m", base_url=endpoint.url, history=1, captions=True, state="free", language="en")
    observation, info = env.reset(seed=0)
    policy.reset(env.task, info, 0)
    policy.act(observation, info)
    assert policy.last is not None
    assert policy.last.thought == "hm"
    policy.act(observation, info)
    policy.close()
    assert "a button" in sent(endpoint.requests[2])
    assert sent(endpoint.requests[2]).count("image_url") == 2  # one picture: its type and its address
    assert (policy.usage().prompt_tokens, policy.usage().generated_tokens) == (27, 3)


def test_an_endpoint_that_fails_is_no_answer(endpoint: Endpoint, env: MobileTaskEnv) -> None:
    endpoint.replies += [Reply(500), Reply(401, b'{"error": {"message": "bad key"}}')]
    policy = model_policy("m", base_url=endpoint.url, retries=0)
    with pytest.raises(PolicyError, match="500"):
        play(env, policy)
    assert policy.stop_reason() == ""
    with pytest.raises(PolicyError, match="bad key"):
        play(env, policy)
    assert "bad key" in policy.stop_reason()
    policy.close()


TOO_LONG = Reply(400, b'{"error": {"message": "This model\'s maximum context length is 32768 tokens."}}')


def test_an_episode_that_outgrows_the_context_fails_and_no_other(endpoint: Endpoint, env: MobileTaskEnv) -> None:
    back = '{"action": "press_back"}'
    endpoint.replies += [good(back), TOO_LONG, good(TAP), good(FINISH)]
    policy = model_policy("m", base_url=endpoint.url)
    infos = play(env, policy, 30)
    assert len(endpoint.requests) == 2
    assert infos[-1]["ended_by"] == "steps"
    assert policy.usage().reasoning_seconds is None
    assert not infos[-1]["agent_claimed"]
    assert all("maximum context length is 32768" in info["action_error"] for info in infos[1:])
    assert policy.stop_reason() == ""
    assert play(env, policy)[-1]["success"]
    policy.close()


@pytest.mark.parametrize(
    ("reply", "first", "later"),
    [
        (TOO_LONG, True, False),
        (Reply(400, b'{"error": {"message": "unknown field"}}'), True, False),
        (Reply(404), True, True),
        (Reply(body=b'{"error": {"message": "CUDA out of memory"}}'), False, False),
        (good(FINISH, usage=None), True, False),
    ],
)
def test_what_stops_a_run(endpoint: Endpoint, env: MobileTaskEnv, reply: Reply, first: bool, later: bool) -> None:
    endpoint.replies += [reply, good(TAP), reply]
    policy = model_policy("m", base_url=endpoint.url, max_tokens=100_000)
    with pytest.raises(PolicyError):
        play(env, policy, 1)
    assert bool(policy.stop_reason()) is first
    policy.close()
    policy = model_policy("m", base_url=endpoint.url, max_tokens=100_000)
    play(env, policy, 1)
    if reply is TOO_LONG:
        play(env, policy, 1)
    else:
        with pytest.raises(PolicyError):
            play(env, policy, 1)
    assert bool(policy.stop_reason()) is later
    policy.close()


def test_an_address_where_nobody_ever_answered_stops_the_run(endpoint: Endpoint, env: MobileTaskEnv) -> None:
    nobody = model_policy("m", base_url=f"http://127.0.0.1:{free_port()}/v1", retries=0)
    with pytest.raises(PolicyError):
        play(env, nobody, 1)
    assert nobody.stop_reason()
    nobody.close()


@pytest.mark.parametrize("text", ['{"action": "finish"', FINISH])
def test_a_cut_off_answer_is_no_end(endpoint: Endpoint, env: MobileTaskEnv, text: str) -> None:
    endpoint.replies.append(good(text, finish="length"))
    policy = model_policy("m", base_url=endpoint.url)
    (info,) = play(env, policy, 1)
    policy.close()
    assert "cut off" in info["action_error"]
    assert (info["ended_by"], info["agent_claimed"]) == ("", False)
    assert policy.last is not None
    assert Flag.CUT_OFF in policy.last.flags


def test_a_model_that_no_rule_knows_is_said_aloud(caplog: pytest.LogCaptureFixture) -> None:
    for options in ({"model": "qwen2.5vl:7b"}, {"model": "glm-9", "format": "json"}):
        model_policy(**options, base_url="http://127.0.0.1:9/v1").close()
    assert not caplog.records
    model_policy("glm-9", base_url="http://127.0.0.1:9/v1").close()
    assert "no rule knows how the model glm-9 writes actions: it is asked for json" in caplog.text


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"model": "m", "temperature": 5}, "a temperature is from 0 to 2, not 5"),
        ({"model": "m", "max_answer": -5}, "at least 1 token, not -5"),
        ({"model": ""}, "openai:MODEL"),
        ({"model": "m", "format": "x"}, "no format 'x'"),
        ({"model": "m", "space": "x"}, "no space 'x'"),
        ({"model": "m", "state": "x"}, "state tracking"),
        ({"model": "m", "history": 0}, "present screenshot"),
        ({"model": "m", "base_url": "host"}, "base URL"),
    ],
)
def test_wrong_options_are_told(options: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        model_policy(**options)


def test_openai_s_key_goes_to_openai_alone(
    endpoint: Endpoint, env: MobileTaskEnv, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    endpoint.replies += [good(FINISH), good(FINISH)]
    for key in ("", "OPENAI_API_KEY"):
        policy = model_policy("m", base_url=endpoint.url, api_key_env=key)
        play(env, policy)
        policy.close()
    assert "authorization" not in endpoint.headers[0]
    assert endpoint.headers[1]["authorization"] == "Bearer sk-secret"


# The command line.


def run(*arguments: str) -> Result:
    return CliRunner().invoke(build_app("eval"), ["eval", "stub", *arguments], env={"COLUMNS": "200"})


@pytest.mark.usefixtures("stub_suite", "phones")
def test_eval_writes_down_what_it_cost_and_stops_at_the_cap(endpoint: Endpoint, tmp_path: Path) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text("models: {org/m: {prompt: 1000, generated: 1000}}")
    out = tmp_path / "run"
    arguments = (
        "--policy", "openai:org/m", "--device", "stub:a", "--tasks", "stub-001", "--base-url", endpoint.url,
        "--seed", "0-3", "--out", str(out), "--prices", str(prices), "--language", "en",
    )  # fmt: skip
    endpoint.replies += [good(TAP), good(FINISH), good(TAP), good(FINISH), good(TAP)]
    result = run(*arguments, "--max-cost", "0.06")
    assert result.exit_code == 1, result.output
    assert "stopped: the cost cap of 0.06 USD is reached (0.0650 spent)" in result.output
    assert "1 episodes were not begun" in result.output
    assert "2/2" in result.output
    assert "cost: 0.0260 a task" in result.output
    assert [record.status for record in read_records(out)] == ["done", "done", "not_run"]
    turns = read_timings(out)[0].turns
    assert [turn.cost for turn in turns] == pytest.approx([0.013, 0.013])
    config = read_config(out)
    assert config.policy == "openai:org/m"
    assert config.policy_options["history"] == 2
    assert not {"max_cost", "api_key_env"} & set(config.policy_options)
    endpoint.replies += [good(TAP), good(FINISH), good(TAP), good(FINISH)]
    result = run(*arguments, "--max-cost", "5")
    assert result.exit_code == 0, result.output
    assert "4/4" in result.output


@pytest.mark.usefixtures("stub_suite", "phones")
def test_a_run_goes_on_after_an_episode_that_is_too_long(endpoint: Endpoint, tmp_path: Path) -> None:
    arguments = (
        "--policy", "openai:org/m", "--device", "stub:a", "--tasks", "stub-001", "--base-url", endpoint.url,
        "--seed", "0-1", "--out", str(tmp_path / "run"),
    )  # fmt: skip
    endpoint.replies += [good('{"action": "press_back"}'), TOO_LONG, good(TAP), good(FINISH)]
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    long, short = read_records(tmp_path / "run")
    assert (long.status, long.success, long.claimed) == ("done", False, False)
    assert "maximum context length is 32768" in long.action_errors[0].error
    assert (short.status, short.success) == ("done", True)
    # Going on meets nothing again.
    assert run(*arguments).exit_code == 0
    assert len(endpoint.requests) == 4


@pytest.mark.usefixtures("stub_suite", "phones")
def test_trajectories_keep_what_the_model_said(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.replies += [good("I would rather not."), good(TAP), good(FINISH)]
    result = run(
        "--policy", "openai:m", "--device", "stub:a", "--tasks", "stub-001", "--base-url", endpoint.url, "--out",
        str(tmp_path / "run"), "--trajectories",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    folder = tmp_path / "run" / "trajectories" / "stub-001" / "seed-0"
    turns = [json.loads((folder / f"00{turn}.json").read_text("utf-8")) for turn in range(3)]
    assert "I would rather not." in turns[0]["action"]["malformed"]
    assert turns[0]["policy"]["answer"] == "I would rather not."
    assert turns[1]["policy"] == {"answer": TAP, "thought": "louder", "flags": []}


@pytest.mark.usefixtures("stub_suite")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--policy", "noop", "--max-cost", "1"), "noop asks no model"),
        (("--policy", "openai:m", "--base-url", "http://h/v1", "--max-answer", "-5"), "at least 1 token, not -5"),
        (("--policy", "openai:m", "--base-url", "http://h/v1", "--temperature", "5"), "from 0 to 2, not 5"),
        (("--policy", "openai:m", "--base-url", "http://h/v1", "--temperature", "nan"), "from 0 to 2"),
        (("--policy", "openai:"), "model's name is missing"),
        (("--policy", "openai:m", "--format", "x"), "no format 'x'"),
        (("--policy", "openai:m", "--max-cost", "1"), "there is no table"),
        (("--policy", "openai:m", "--prices", "none.yaml"), "none.yaml cannot be read"),
    ],
)
def test_eval_tells_what_is_wrong(arguments: tuple[str, ...], told: str, phones: list[StubPhone]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert told in result.output
    assert not phones
