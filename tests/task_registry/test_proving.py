"""Proofs: what makes a task real, and each way in which one is not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from typer.testing import CliRunner

from mobile_gym.cli.tasks import app
from mobile_gym.devices.base import Capability
from mobile_gym.task_registry.models import Task
from mobile_gym.task_registry.proofs import Proof, mutants_of, prove, random_actions
from tests.support.fake_device import FakeDevice

TO_SOUND: list[Any] = [{"open_app": "设置"}, {"tap": "声音和振动"}]


def louder(stream: str, to: float = 0.9) -> dict[str, Any]:
    return {"drag": {"slider": stream, "to": to}}


def task(**fields: Any) -> Task:
    document: dict[str, Any] = {
        "id": "test-1",
        "suite": "test",
        "protocol": "online",
        "instruction": {"zh": "测试", "en": "Test"},
        "subtasks": [
            {
                "all": [
                    {"setting": {"key": "system/volume_music", "above": "start"}},
                    {"setting": {"key": "system/volume_ring", "above": "start"}},
                ]
            }
        ],
        "demonstrations": [[*TO_SOUND, louder("媒体音量"), louder("铃声和通知音量"), "finish"]],
        "near_misses": [
            {"steps": [*TO_SOUND, louder("媒体音量"), "finish"]},
            {"steps": [*TO_SOUND, louder("铃声和通知音量"), "finish"], "progress": 0},
        ],
    }
    return Task.model_validate(document | fields)


def proof(device: FakeDevice | None = None, **fields: Any) -> Proof:
    return prove(task(**fields), device or FakeDevice(), random_episodes=0)


def problems(**fields: Any) -> str:
    found = proof(**fields)
    return "\n".join(finding.text for finding in found.findings if finding.severity == "problem")


def test_a_good_task_is_proved() -> None:
    found = proof()
    assert (found.outcome, found.findings, found.episodes) == ("proved", (), 5)


def test_each_leaf_is_a_mutant() -> None:
    assert [mutant.without for mutant in mutants_of(task())] == [("1", (0,)), ("1", (1,))]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"demonstrations": []}, "no demonstration"),
        ({"demonstrations": [[*TO_SOUND, louder("媒体音量"), "finish"]]}, "demonstrations[0] does not solve it"),
        ({"demonstrations": [[*TO_SOUND, louder("媒体音量"), louder("铃声和通知音量")]]}, "not finished"),
        ({"demonstrations": [[{"open_app": "相机"}]]}, "no element with text '相机'"),
        ({"demonstrations": [["home"] * 26]}, "over the budget"),
        ({"demonstrations": [["home", {"type": "x"}]]}, "the device refused"),
        ({"near_misses": []}, "no near miss that fails"),
        ({"near_misses": [{"steps": [*TO_SOUND, louder("媒体音量"), "finish"]}]}, "nothing shows that this criterion"),
        (
            {"near_misses": [{"steps": [*TO_SOUND, louder("媒体音量"), "finish"], "success": True}]},
            "declared success true",
        ),
        ({"near_misses": [{"steps": ["finish"], "progress": 0.5}]}, "declared progress 0.5, got 0"),
        ({"near_misses": [{"steps": ["finish"], "subtasks": {"1": True}}]}, "declared subtask '1' true"),
        ({"near_misses": [{"steps": ["finish"], "unexpected": True}]}, "declared unexpected true"),
        ({"near_misses": [{"steps": ["home", "finish"]}]}, "misses more than one thing"),
        ({"subtasks": [{"setting": {"key": "system/volume_music", "value": 5}}]}, "it holds already at the start"),
        ({"start": {"snapshot": "nowhere"}}, "start.snapshot"),
    ],
)
def test_each_way_in_which_a_task_is_not_real(fields: dict[str, Any], said: str) -> None:
    assert said in problems(**fields)


def test_a_task_that_is_solved_by_doing_nothing() -> None:
    start = {"id": "a", "criterion": {"setting": {"key": "system/volume_music", "value": 5}}, "holds_at_start": True}
    found = problems(subtasks=[start], near_misses=[{"steps": ["home", "finish"]}])
    assert "doing nothing reaches the goal" in found
    assert "finishing at once is a success" in found


def test_a_task_that_is_solved_at_random() -> None:
    airplane = {"setting": {"key": "global/airplane_mode_on", "value": 1}}
    demonstration = [{"open_app": "设置"}, {"tap": "飞行模式"}, "finish"]
    miss = {"steps": [{"open_app": "设置"}, "finish"]}
    fields = {
        "subtasks": [airplane],
        "demonstrations": [demonstration],
        "near_misses": [miss],
        "start": {"screen": "设置"},
    }
    found = prove(task(**fields), FakeDevice(), random_episodes=6)
    assert any("random actions solve it" in finding.text for finding in found.findings)
    assert proof(**fields).outcome == "proved"


def test_random_actions_are_the_same_for_the_same_seed() -> None:
    def drawn(seed: str) -> list[Any]:
        return list(random_actions(FakeDevice(), "online", 12, seed))

    assert drawn("a") == drawn("a") != drawn("b")
    assert drawn("a")[-1].kind == "finish"
    assert len(drawn("a")) == 12


def test_alternatives_and_patterns_that_nothing_shows_are_warned_of() -> None:
    streams = [{"setting": {"key": f"system/volume_{name}", "above": "start"}} for name in ("music", "ring")]
    found = proof(
        subtasks=[{"any": streams}],
        demonstrations=[[*TO_SOUND, louder("媒体音量"), "finish"]],
        near_misses=[{"steps": [*TO_SOUND, "finish"]}],
        allowed_changes=["system/volume_*", "content://sms/*"],
    )
    assert found.outcome == "proved"
    texts = [finding.text for finding in found.findings]
    assert len(texts) == 2
    assert "alternative 1" in texts[0]
    assert "content://sms/*" in texts[1]


def test_a_near_miss_may_be_one_of_a_side_effect() -> None:
    miss = {
        "steps": [
            *TO_SOUND,
            louder("媒体音量"),
            louder("铃声和通知音量"),
            louder("闹钟音量"),
            "finish",
        ],
        "progress": 1,
        "unexpected": True,
    }
    found = proof(near_misses=[*task().model_dump(mode="json", by_alias=True)["near_misses"], miss])
    assert (found.outcome, found.findings) == ("proved", ())


def test_a_device_that_cannot_verify_fails_nobody() -> None:
    device = FakeDevice(capabilities=frozenset(Capability) - {Capability.SETTINGS})
    assert proof(device).outcome == "unverifiable"


@contextmanager
def fake_connect(_: str) -> Iterator[FakeDevice]:
    yield FakeDevice()


class TestCommand:
    """`mobile-gym tasks`."""

    @pytest.fixture(autouse=True)
    def _fake(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("mobile_gym.devices.connect", lambda *_, **__: FakeDevice(), raising=False)
        monkeypatch.setattr("mobile_gym.cli.tasks.console.width", 200)

    def run(self, *arguments: str) -> tuple[int, str]:
        result = CliRunner().invoke(app, list(arguments))
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result.exit_code, result.output

    def test_check_proves_and_fails(self, monkeypatch: pytest.MonkeyPatch) -> None:
        found = task(params={"n": {"integer": {"from": 1, "to": 9}}})
        monkeypatch.setattr("mobile_gym.envs.arguments.find_task", lambda *_, **__: found)
        code, said = self.run("check", "train-settings", "--random-episodes", "0")
        assert (code, "3 proved" in said) == (0, True)
        easy = {"setting": {"key": "system/volume_music", "above": "start"}}
        found = task(subtasks=[easy], allowed_changes=["*"], near_misses=[{"steps": [*TO_SOUND, "finish"]}])
        code, said = self.run("check", "elder-031", "--random-episodes", "20")
        assert code == 1
        assert "random actions solve it" in said

    def test_list_show_and_stats(self) -> None:
        assert "elder-031" in self.run("list", "elder")[1]
        code, said = self.run("show", "elder-031")
        assert code == 0
        assert "content hash" in said
        assert "声音太小了" in said
        code, said = self.run("stats", "elder")
        assert code == 0
        assert "indirect_speech" in said

    @pytest.mark.parametrize("arguments", [("show", "elder-31"), ("check", "nothing"), ("stats", "nothing")])
    def test_unknown_names_fail_in_words(self, arguments: tuple[str, ...]) -> None:
        code, said = self.run(*arguments)
        assert code == 1
        assert "error:" in said

    def test_a_new_task_is_a_good_start(self, tmp_path: Any) -> None:
        from mobile_gym.task_registry.loading import load_file

        folder = tmp_path / "mine"
        folder.mkdir()
        assert self.run("new", "mine-001", "--folder", str(folder))[0] == 0
        assert load_file(folder / "mine-001.yaml").suite == "mine"
        assert self.run("new", "mine-002", "--folder", str(folder), "--protocol", "process")[0] == 0
        assert load_file(folder / "mine-002.yaml").protocol == "process"
        code, said = self.run("new", "mine-003", "--folder", str(folder), "--protocol", "graph")
        assert (code, "--protocol is one of" in said) == (1, True)
        gma = tmp_path / "gma"
        gma.mkdir()
        assert self.run("new", "gma-001", "--folder", str(gma))[0] == 0
        assert load_file(gma / "gma-001.yaml").protocol == "workflow"
        code, said = self.run("new", "mine-001", "--folder", str(folder))
        assert (code, "there already" in said) == (1, True)

    def test_schema_is_written(self, tmp_path: Any) -> None:
        from mobile_gym.task_registry.schema import schema_text

        assert self.run("schema", "--output", str(tmp_path / "s.json"))[0] == 0
        assert (tmp_path / "s.json").read_text(encoding="utf-8") == schema_text()
