"""Tasks of ProBench's and GMA's protocols, proved on the embedded phone; and what their proofs do not let through."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest

from mobile_gym.devices import connect
from mobile_gym.devices.base import Device
from mobile_gym.reward.task_spec import Language
from mobile_gym.task_registry.loading import parse_task
from mobile_gym.task_registry.models import Task
from mobile_gym.task_registry.proofs import Proof, prove
from mobile_gym.task_registry.statistics import statistics


@pytest.fixture(scope="module")
def phone() -> Iterator[Device]:
    with connect("embedded:pixel_6a") as device:
        yield device


def task(**fields: Any) -> Task:
    document: dict[str, Any] = {
        "id": "test-1",
        "suite": "test",
        "instruction": {"zh": "测试", "en": "Test"},
        "apps": ["com.android.settings"],
    }
    return Task.model_validate(document | fields)


def told(proof: Proof) -> str:
    return "\n".join(finding.text for finding in proof.findings if finding.severity == "problem")


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("protocol", ["online", "process", "workflow"])
def test_what_a_new_task_begins_with_is_proved(phone: Device, protocol: str, language: Language) -> None:
    name = "template.yaml" if protocol == "online" else f"template_{protocol}.yaml"
    text = files("mobile_gym.task_registry").joinpath(name).read_text("utf-8")
    for name, value in (("id", "new-1"), ("suite", "new"), ("protocol", protocol)):
        text = text.replace(f"{{{name}}}", value)
    proof = prove(parse_task(text), phone, language, random_episodes=0)
    assert (proof.outcome, told(proof)) == ("proved", "")


UNREAD = {"setting": {"key": "global/airplane_mode_on", "value": 1}}
TO_NETWORK: list[Any] = [{"tap": "网络和互联网"}, {"tap": {"class": "Switch", "beside": "飞行模式"}}]
BY_SEARCH: list[Any] = [
    {"tap": "搜索设置"},
    {"type": "飞行"},
    {"tap": {"id": "title"}},
    {"tap": {"class": "Switch", "beside": "飞行模式"}},
]


def by_search(**fields: Any) -> Task:
    document: dict[str, Any] = {
        "protocol": "process",
        "tags": {"kind": "process"},
        "start": {"screen": "设置", "settings": {"global/airplane_mode_on": 0}},
        "subtasks": [UNREAD],
        "process": [{"do": "type", "text": "飞行"}],
        "allowed_changes": ["global/*_on", "content://com.android.settings/wifi_networks/*"],
        "demonstrations": [[*BY_SEARCH, "finish"]],
        "near_misses": [
            {"steps": [*TO_NETWORK, "finish"], "subtasks": {"1": True}},
            {"steps": [*BY_SEARCH[:2], "finish"], "subtasks": {"1": False}},
        ],
    }
    return task(**document | fields)


def test_the_right_screen_by_the_wrong_way_fails(phone: Device) -> None:
    assert prove(by_search(), phone, random_episodes=1).outcome == "proved"
    careless = by_search(process=[], tags={"kind": "state"})
    assert "declared success false, got true" in told(prove(careless, phone, random_episodes=0))


def test_a_near_miss_by_the_wrong_way_is_asked_for(phone: Device) -> None:
    proof = prove(by_search(near_misses=[{"steps": ["finish"], "progress": 0}]), phone, random_episodes=0)
    assert "nothing shows that this criterion is needed: process[0]" in told(proof)
    # An operation that is taken back shows that the entry is needed, and not that the way is.
    said = told(prove(both_kept(near_misses=[TAKEN_BACK, NOT_LOUD]), phone, random_episodes=0))
    assert "no near miss comes to the right end by the wrong way" in said


LOUDER: list[Any] = [{"tap": "声音和振动"}, {"drag": {"slider": "媒体音量", "to": 0.9}}]
TAKEN_BACK = {"why": "taken back", "steps": [*TO_NETWORK, TO_NETWORK[1], "back", *LOUDER, "finish"]}
NEVER_DONE = {"why": "never done", "steps": [*LOUDER, "finish"]}
NOT_LOUD = {"why": "not loud", "steps": [*TO_NETWORK, "finish"]}


def both_kept(**fields: Any) -> Task:
    """It must be loud, and airplane mode must have been turned on and be on still."""
    document: dict[str, Any] = {
        "subtasks": [{"setting": {"key": "system/volume_music", "above": "start"}}],
        "start": {"screen": "设置", "settings": {"global/airplane_mode_on": 0, "system/volume_music": 1}},
        "process": [{"do": "tap", "target": "飞行模式", "still_in_force": UNREAD}],
        "demonstrations": [[*TO_NETWORK, "back", *LOUDER, "finish"]],
    }
    return by_search(**document | fields)


def test_an_operation_that_is_taken_back_is_not_done(phone: Device) -> None:
    proof = prove(both_kept(near_misses=[TAKEN_BACK, NEVER_DONE, NOT_LOUD]), phone, random_episodes=0)
    assert (proof.outcome, told(proof)) == ("proved", "")


ASK = {"knows": {"when": {"says": {"zh": "早上七点半", "en": "Half past seven"}, "asked_by": ["几点", "什么时候"]}}}


def test_an_infeasible_task_is_proved(phone: Device) -> None:
    look: list[Any] = [{"open_app": "设置"}, {"tap": "声音和振动"}]
    hopeless = task(
        protocol="workflow",
        infeasible=True,
        user=ASK,
        subtasks=[{"id": "asked", "criterion": {"asked": "when"}}],
        tags={"tier": "atomic", "dimensions": ["invalid_instruction"]},
        demonstrations=[[*look, {"call_user": "几点？"}, "finish_infeasible"]],
        near_misses=[
            {"why": "said to be done", "steps": [*look, {"call_user": "几点？"}, "finish"], "progress": 0.5},
            {"why": "not asked", "steps": [*look, "finish_infeasible"], "progress": 0.5},
            {"why": "asked for help", "steps": [{"call_user": "下一步点哪里？"}, "finish_infeasible"], "progress": 0.5},
        ],
    )
    proof = prove(hopeless, phone, random_episodes=1)
    assert (proof.outcome, told(proof)) == ("proved", "")
    easy = hopeless.model_dump(mode="json", by_alias=True) | {"near_misses": [], "demonstrations": [["finish"]]}
    said = told(prove(Task.model_validate(easy), phone, random_episodes=0))
    assert "demonstrations[0] does not solve it" in said
    assert "subtask 'asked'" in said


def test_suites_of_these_protocols_are_counted() -> None:
    facts = {
        "paper": {"tasks": 300},
        "tags": {"tier": {"atomic": 0.5, "realistic": 0.5}},
        "apps_by_tier": {"atomic": [1, 1], "realistic": [4, 7]},
        "dimensions": ["conditional"],
    }
    common: dict[str, Any] = {"protocol": "workflow", "subtasks": [UNREAD]}
    tasks = [
        task(id="t-1", tags={"tier": "atomic", "dimensions": ["conditional", "other"]}, **common),
        task(id="t-2", tags={"tier": "realistic"}, **common),
        task(id="t-3", tags={"tier": "atomic"}, infeasible=True, **common),
        task(id="t-4", **common),
    ]
    found = statistics(tasks, facts)
    counts = {share.name: share.count for share in found.shares}
    assert (counts["tier: atomic"], counts["dimension: conditional"], counts["dimension: other"]) == (2, 1, 1)
    assert (found.apps, found.paper) == (1, {"tasks": 300})
    assert [note.partition(":")[0] for note in found.notes] == ["t-2", "t-4", "t-3"]
