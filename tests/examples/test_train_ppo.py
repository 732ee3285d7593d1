"""The training example runs as it stands, for a few turns."""

from __future__ import annotations

import json
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

pytest.importorskip("sb3_contrib")

import torch

EXAMPLES = Path(__file__).parents[2] / "examples"

pytestmark = pytest.mark.filterwarnings("ignore:.*WARN:UserWarning")


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    return runpy.run_path(str(EXAMPLES / "train_ppo.py"), run_name="example")


def short(folder: Path, *more: str) -> list[str]:
    sizes = {"steps": 16, "batch": 8, "envs": 1, "epochs": 1, "episodes": 2, "final-episodes": 2, "evaluate-every": 1}
    return [*(f"--{name}={value}" for name, value in sizes.items()), f"--folder={folder}", *more]


@pytest.mark.parametrize("actions", ["grid", "elements"])
def test_it_trains_writes_its_curve_and_goes_on(
    example: dict[str, Any], actions: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    success = example["main"](short(tmp_path, f"--actions={actions}"))
    assert 0.0 <= success <= 1.0
    curve = json.loads((tmp_path / "curve.json").read_text())
    assert curve["settings"]["actions"] == actions
    assert [row["steps"] for row in curve["rows"]] == [0, 8, 16, 16]
    assert (tmp_path / "model.zip").exists()
    assert "held out" in (tmp_path / "curve.svg").read_text()
    assert "held-out success from" in capsys.readouterr().out
    example["main"](short(tmp_path, f"--actions={actions}", "--resume", "--steps=24"))
    curve = json.loads((tmp_path / "curve.json").read_text())
    assert [row["steps"] for row in curve["rows"]] == [0, 8, 16, 16, 24, 24]
    plot = runpy.run_path(str(EXAMPLES / "plot_curves.py"), run_name="example")
    plot["main"]([str(tmp_path / "curve.json"), "-o", str(tmp_path / "curve.png")])
    with Image.open(tmp_path / "curve.png") as picture:
        assert len(picture.getcolors(1 << 20) or ()) > 10


@pytest.mark.parametrize("actions", ["grid", "elements"])
@pytest.mark.parametrize("blank", ["screen", "instruction"])
def test_blank_parts_tell_nothing(example: dict[str, Any], actions: str, blank: str) -> None:
    env = example["make_env"]("train-launcher", "en", actions, blank, 0)
    looks = [env.reset(seed=seed)[0] for seed in range(3)]
    part = "instruction" if blank == "instruction" else "screenshot" if actions == "grid" else "elements"
    kept = ({"screenshot", "elements", "instruction"} & set(looks[0])) - {part}
    told = [look[part][:, 1:] if part == "elements" else look[part] for look in looks]
    assert not any(look.any() for look in told)
    assert all(not np.array_equal(looks[0][name], looks[1][name]) or name == "instruction" for name in kept)
    env.close()


def test_numbers_that_nobody_reads_do_not_count(example: dict[str, Any]) -> None:
    distribution = example["GridDistribution"]([2, 6, 4, 1])
    logits = torch.randn(5, 13, generator=torch.Generator().manual_seed(0))
    distribution.proba_distribution(logits)
    tap, home = torch.zeros(5, 4), torch.zeros(5, 4)
    tap[:, 1], home[:, 0], home[:, 1] = 2.0, 1.0, 4.0
    kind, point = logits[:, :2].log_softmax(1), logits[:, 2:8].log_softmax(1)
    assert torch.allclose(distribution.log_prob(tap), kind[:, 0] + point[:, 2])
    assert torch.allclose(distribution.log_prob(home), kind[:, 1])
    chances = distribution.log_prob(home).exp() + sum(
        distribution.log_prob(torch.tensor([[0.0, cell, 0.0, 0.0]] * 5)).exp() for cell in range(6)
    )
    assert torch.allclose(chances, torch.ones(5))
