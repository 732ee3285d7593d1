"""The examples run as they stand."""

import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


def example(name: str) -> dict[str, object]:
    return runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="example")


def test_a_random_episode(capsys: pytest.CaptureFixture[str]) -> None:
    main = example("random_episode")["main"]
    assert callable(main)
    main("elder-031", 0)
    printed = capsys.readouterr().out
    assert "声音太小了" in printed
    assert "ended by" in printed
    assert "success: False" in printed


def test_a_demonstration_episode(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    main = example("demonstration_episode")["main"]
    assert callable(main)
    main("train-alarm", str(tmp_path / "run"))
    main("train-alarm", str(tmp_path / "run"))
    assert capsys.readouterr().out.count("train-alarm: success True") == 2
    assert (tmp_path / "run" / "trajectories" / "train-alarm" / "seed-0" / "000.png").exists()


def test_an_own_task(capsys: pytest.CaptureFixture[str]) -> None:
    main = example("own_task")["main"]
    assert callable(main)
    main()
    assert "success: True" in capsys.readouterr().out
