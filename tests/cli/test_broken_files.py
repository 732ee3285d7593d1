"""A task file that is wrong is named, and the others go on; files outside of the package are proved by their path."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from mobile_gym.cli import build_app, main
from mobile_gym.envs.task_env import MobileTaskEnv
from mobile_gym.reward.errors import SetupError

OWN = """\
id: own-001
suite: own
protocol: online
instruction: {zh: 把音量调大, en: Turn the volume up}
start: {settings: {system/volume_music: 3}, screen: {action: android.settings.SOUND_SETTINGS}}
subtasks:
  - setting: {key: system/volume_music, above: start}
allowed_changes: [system/volume_*]
"""


@pytest.fixture(params=["apps: 3", "\t- [", "id: {", "subtasks: ["])
def broken(stub_suite: Path, request: pytest.FixtureRequest) -> Path:
    """The file of one task of three, with a line that is wrong."""
    path = stub_suite / "stub-002.yaml"
    path.write_text(f"{path.read_text('utf-8').replace('apps: [com.stub]', request.param)}", "utf-8")
    return path


@pytest.mark.parametrize("command", [("list", "stub"), ("stats", "stub")])
def test_a_broken_file_is_named_and_the_others_go_on(command: tuple[str, ...], broken: Path) -> None:
    result = CliRunner().invoke(build_app("tasks"), ["tasks", *command], env={"COLUMNS": "300"})
    assert result.exit_code == 1
    assert str(broken) in result.output
    assert ("stub-001" in result.output and "stub-003" in result.output) or "2 tasks" in result.output


def test_the_doctor_counts_what_can_be_read(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["device", "doctor", "embedded:pixel_6a"])
    said = capsys.readouterr()
    assert ended.value.code == 1
    assert str(broken) in said.err
    assert "stub" in said.out


def check(*names: object) -> tuple[int, str]:
    words = ["tasks", "check", *map(str, names), "--random-episodes", "0"]
    result = CliRunner().invoke(build_app("tasks"), words, env={"COLUMNS": "300"})
    return result.exit_code, " ".join(result.output.split())


def test_a_file_is_checked_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "own" / "own-001.yaml"
    path.parent.mkdir()
    path.write_text(OWN, "utf-8")
    code, said = check(path)
    assert code == 1
    assert "own-001" in said
    assert "demonstration" in said
    path.write_text(OWN.replace("allowed_changes", "alowed_changes"), "utf-8")
    code, said = check(path)
    assert code == 1
    assert f"{path} line 8: alowed_changes: unknown field; did you mean 'allowed_changes'?" in said
    assert check(tmp_path / "none.yaml")[1] == f"error: there is no file {tmp_path / 'none.yaml'}"


def test_a_missing_snapshot_is_told_once(tmp_path: Path) -> None:
    path = tmp_path / "own" / "own-001.yaml"
    path.parent.mkdir()
    path.write_text(OWN.replace("start: {", "start: {snapshot: gone, "), "utf-8")
    env = MobileTaskEnv(str(path), observation_size=(45, 100))
    with pytest.raises(SetupError) as caught:
        env.reset(seed=0)
    env.close()
    assert str(caught.value).count("no snapshot 'gone'; there are clean") == 1
    assert "taken back" not in str(caught.value)
