"""`mobile-gym eval`: what it plays, prints, refuses and how it ends."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from mobile_gym.cli import build_app
from mobile_gym.cli.eval import chosen_seeds, chosen_size, chosen_tasks
from mobile_gym.devices.errors import DeviceOffline
from mobile_gym.evaluation.records import read_config, read_records
from mobile_gym.policies.noop import NoopPolicy
from tests.support.stub_phone import StubPhone

pytestmark = pytest.mark.usefixtures("stub_suite")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(build_app("eval"), ["eval", *arguments], env={"COLUMNS": "200"})


def test_a_demonstration_run(tmp_path: Path, phones: list[StubPhone]) -> None:
    out = tmp_path / "run"
    result = run(
        "stub", "--policy", "demonstration", "--device", "stub:a", "--tasks", "stub-001", "--seed", "0-1",
        "--observation", "45x100", "--out", str(out),
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    assert "success" in result.output
    assert "2/2" in result.output
    assert "100.0 %" in result.output
    assert "indirect_speech" in result.output
    assert str(out) in result.output
    assert [(record.task, record.seed) for record in read_records(out)] == [("stub-001", 0), ("stub-001", 1)]
    assert read_config(out).observation_size == (45, 100)


def test_what_is_not_counted_is_told(tmp_path: Path, phones: list[StubPhone]) -> None:
    result = run("stub", "--policy", "noop", "--device", "stub:a", "--out", str(tmp_path / "run"))
    assert result.exit_code == 0, result.output
    assert "2 unverifiable on this device" in result.output
    assert "0/1" in result.output


def test_what_was_not_run_gives_one(tmp_path: Path, phones: list[StubPhone]) -> None:
    result = run("stub", "--policy", "noop", "--device", "stub:missing", "--out", str(tmp_path / "r"), "--tasks", "*1")
    assert result.exit_code == 1
    assert "1 not run" in result.output
    assert "plug it in" in result.output


def test_ctrl_c_leaves_a_run_that_goes_on(
    tmp_path: Path, phones: list[StubPhone], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = (
        "stub", "--policy", "noop", "--device", "stub:a", "--tasks", "stub-001", "--seed", "0-2", "--out",
        str(tmp_path / "run"),
    )  # fmt: skip
    act = NoopPolicy.act
    calls: list[int] = []

    def interrupted(self: NoopPolicy, *rest: object) -> object:
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return act(self, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(NoopPolicy, "act", interrupted)
    result = run(*arguments)
    assert result.exit_code == 130
    assert f"--out {tmp_path / 'run'}" in result.output
    assert len(read_records(tmp_path / "run")) == 1
    result = run(*arguments)
    assert result.exit_code == 0
    assert len(calls) == 4
    assert "0/3" in result.output


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("stab", "--policy", "noop"), "no suite 'stab'; did you mean 'stub'?"),
        (("stub", "--policy", "nope"), "no policy 'nope'; did you mean 'noop'?"),
        (("stub", "--policy", "noop", "--tasks", "stub-01"), "'stub-01'; did you mean 'stub-001'?"),
        (("stub", "--policy", "noop", "--seed", "4-1"), "ends before it begins"),
        (("stub", "--policy", "noop", "--seed", "x"), "--seed is a number"),
        (("stub", "--policy", "noop", "--seed", "-1"), "--seed is a number from 0 on"),
        (("stub", "--policy", "noop", "--seed", "0-99999999999"), "--seed takes at most 1,000,000 seeds"),
        (("stub", "--policy", "noop", "--seed", "99999999999999999999"), "each below 2^63"),
        (("stub", "--policy", "noop", "--tasks", ""), "--tasks names no task; leave it out to play all"),
        (("stub", "--policy", "noop", "--split", "ios"), "--split and --dataset are for the suite trans"),
        (("stub", "--policy", "noop", "--tasks", "stub-001", "--tasks", "stub-7"), "stub-7"),
        (("tran", "--policy", "noop"), "did you mean 'trans'?"),
        (("stub", "--policy", "openai:m", "--api-key-env", "NO_SUCH_KEY"), "NO_SUCH_KEY holds no key; set it"),
        (("stub", "--policy", "noop", "--observation", "99999x9"), "each at most 10000"),
        (("stub", "--policy", "noop", "--observation", "big"), "--observation is WIDTHxHEIGHT"),
        (("stub", "--policy", "noop", "--device", "foo"), "'foo' names no device"),
        (("stub", "--policy", "noop", "--device", "adb:"), "'adb:' names no device"),
        (("stub", "--policy", "noop", "--device", "embedded:nokia"), "nokia"),
        (("stub", "--policy", "noop", "--language", "fr"), "--language is one of zh, en"),
        (("stub", "--policy", "noop", "--demonstration", "1"), "policy noop does not take number"),
        (("stub", "--policy", "demonstration", "--demonstration", "-1"), "counted from 0"),
        (("stub", "--policy", "demonstration", "--demonstration", "77"), "none of these tasks has a demonstration 77"),
    ],
)
def test_what_is_wrong_is_told(arguments: tuple[str, ...], told: str, phones: list[StubPhone]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert told in result.output
    assert not phones


def test_a_wrong_file_is_told_before_anything_is_played(stub_suite: Path, phones: list[StubPhone]) -> None:
    path = stub_suite / "stub-002.yaml"
    path.write_text(path.read_text("utf-8").replace("subtasks:", "subtaks:"), "utf-8")
    result = run("stub", "--policy", "noop")
    assert result.exit_code == 2
    assert "stub-002" in result.output
    assert "did you mean 'subtasks'?" in result.output
    assert not phones


def test_two_configurations_do_not_mix(tmp_path: Path, phones: list[StubPhone]) -> None:
    out = ("--out", str(tmp_path / "run"), "--tasks", "stub-001", "--device", "stub:a")
    assert run("stub", "--policy", "noop", *out).exit_code == 0
    result = run("stub", "--policy", "random", *out)
    assert result.exit_code == 2
    assert "another configuration" in result.output


def test_a_device_that_is_not_there_is_told_before_the_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def connect(spec: str) -> None:
        raise DeviceOffline(f"{spec} is not found")

    monkeypatch.setattr("mobile_gym.cli.eval.connect", connect)
    result = run("stub", "--policy", "noop", "--device", "adb:nobody", "--out", str(tmp_path / "run"))
    assert result.exit_code == 2
    assert "error: adb:nobody is not found. 'mobile-gym devices' lists what can be reached" in result.output
    assert not (tmp_path / "run").exists()


def test_a_file_is_no_folder_for_records(tmp_path: Path, phones: list[StubPhone]) -> None:
    (tmp_path / "file").write_text("text")
    only = ("--tasks", "stub-001", "--device", "stub:a")
    result = run("stub", "--policy", "noop", *only, "--out", str(tmp_path / "file"))
    assert result.exit_code == 2
    assert "is a file, or lies in one; a run needs a folder" in result.output


def test_a_broken_configuration_is_told_in_words(tmp_path: Path, phones: list[StubPhone]) -> None:
    (tmp_path / "run.json").write_text("{broken")
    result = run("stub", "--policy", "noop", "--tasks", "stub-001", "--device", "stub:a", "--out", str(tmp_path))
    assert result.exit_code == 2
    assert "put the right file back, or name another folder" in result.output
    assert "pydantic" not in result.output


def test_lists_of_seeds_sizes_and_tasks() -> None:
    assert chosen_seeds("3") == [3]
    assert chosen_seeds("0-2, 7,1") == [0, 1, 2, 7]
    assert chosen_size("") is None
    assert chosen_size("360x800") == (360, 800)
    assert chosen_tasks("stub", "stub-003,*-001") == ["stub-001", "stub-003"]
    assert chosen_tasks("stub", "") == ["stub-001", "stub-002", "stub-003"]
