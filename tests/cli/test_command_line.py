"""The command `mobile-gym` as a whole, and the ids that Gymnasium knows."""

import sys

import gymnasium as gym
import pytest
from gymnasium.error import NameNotFound

import mobile_gym  # noqa: F401 - registers the tasks
from mobile_gym.cli import main


def ended(*arguments: str) -> int:
    with pytest.raises(SystemExit) as caught:
        main(list(arguments))
    code = caught.value.code
    assert isinstance(code, int)
    return code


def test_help_lists_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended("--help") == 0
    printed = capsys.readouterr().out
    for command in ("eval", "tasks", "phone"):
        assert command in printed


def test_a_misspelt_command_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended("evla") == 2
    assert "eval" in capsys.readouterr().err


def test_a_command_imports_only_its_own_module(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("mobile_gym.cli.phone", "mobile_gym.cli.tasks"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    assert ended("eval", "--help") == 0
    assert "--policy" in capsys.readouterr().out
    assert "mobile_gym.cli.phone" not in sys.modules
    assert "mobile_gym.cli.tasks" not in sys.modules


def test_a_misspelt_id_is_told() -> None:
    with pytest.raises(NameNotFound, match="Did you mean: `elder-031`"):
        gym.make("MoBench/elder-0031")
