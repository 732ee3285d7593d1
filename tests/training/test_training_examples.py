"""The training examples run as they stand, small; curves are drawn."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mobile_gym.training.curves import curves_svg

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_the_env_runner_collects_what_gymnasium_gives(capsys: pytest.CaptureFixture[str]) -> None:
    example = runpy.run_path(str(EXAMPLES / "env_runner.py"), run_name="example")
    batch = example["main"](["--mode", "sync", "--envs", "2", "--steps", "12", "--task", "MoBench/elder-031"])
    assert batch.screenshots.shape == (12, 2, 168, 84, 3)
    ends = (batch.terminated | batch.truncated).sum()
    assert ends == len(batch.returns) == len(batch.successes)
    # Each end but those in the last step is followed by a step that only begins an episode.
    assert (~batch.real).sum() == (batch.terminated | batch.truncated)[:-1].sum()
    assert (batch.rewards[~batch.real] == 0).all()
    assert (batch.screenshots.max((2, 3, 4)) > 0).all()
    assert "2 phones" in capsys.readouterr().out


def test_the_smallest_fine_tuning(tmp_path: Path) -> None:
    """The whole way once; that reward rises is told in docs/finetuning.md."""
    pytest.importorskip("torch").set_num_threads(1)
    pytest.importorskip("transformers")
    example = runpy.run_path(str(EXAMPLES / "finetune_vlm.py"), run_name="example")
    given = ["--tiny", "--local", "--updates", "1", "--groups", "1", "--size", "2", "--evaluations", "1"]
    lines = example["main"]([*given, "--out", str(tmp_path / "run")])
    assert [line["update"] for line in lines] == [0, 1]
    assert 0 <= lines[1]["reward"] <= 1
    assert (tmp_path / "run" / "checkpoint-1" / "model.safetensors").exists()
    metrics = tmp_path / "run" / "metrics.jsonl"
    assert [json.loads(line)["update"] for line in metrics.read_text().splitlines()] == [0, 1]
    ElementTree.parse(tmp_path / "run" / "curves.svg")
    # The same command again has nothing left to do.
    assert example["main"]([*given, "--out", str(tmp_path / "run")]) == lines


def test_curves_are_drawn() -> None:
    svg = curves_svg("a < b", "updates", {"reward": [(0, 0.0), (10, 1.0)], "more": [(0, 2.0)]})
    root = ElementTree.fromstring(svg)
    lines = [node for node in root if node.tag.endswith("polyline")]
    assert [line.get("points") for line in lines] == ["56.0,320.0 704.0,32.0", "56.0,32.0"]
    assert any(node.text == "a < b" for node in root)
    ElementTree.fromstring(curves_svg("empty", "x", {}))
