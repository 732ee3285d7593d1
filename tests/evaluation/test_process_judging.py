"""Judging trajectories the way ProBench does."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from mobile_gym.devices.hierarchy_xml import to_xml
from mobile_gym.devices.ui_tree import Bounds, UiNode, UiTree
from mobile_gym.evaluation.judging import agreement
from mobile_gym.evaluation.models import EpisodeRecord
from mobile_gym.evaluation.process_judging import judge_by_process, moments_of
from mobile_gym.evaluation.records import RecordsError
from mobile_gym.models.completion import Completion
from mobile_gym.models.messages import Message
from mobile_gym.reward.process_provider import Evaluator, Summarizer

Make = Callable[..., EpisodeRecord]
TASK = "elder-031"


class Model:
    """Answers in turn, and keeps what it was asked."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.asked: list[Sequence[Message]] = []

    def complete(self, messages: Sequence[Message]) -> Completion:
        self.asked.append(messages)
        return Completion(self.answers.pop(0), None, None, 0.0, "stop")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A tap on the button, an action that was refused, finish."""
    folder = tmp_path / "trajectories" / TASK / "seed-0"
    folder.mkdir(parents=True)
    button = UiNode(
        clickable=True, text="价格", class_name="android.widget.Button", package="a", bounds=Bounds(0, 0, 40, 40)
    )
    root = UiNode(class_name="android.widget.FrameLayout", package="a", bounds=Bounds(0, 0, 40, 80), children=(button,))
    xml = to_xml(UiTree((root,), 0, (40, 80)))
    actions: list[tuple[dict[str, Any], str]] = [
        ({"kind": "tap", "point": [500, 100]}, ""),
        ({"kind": "open_app", "text": "设置"}, "open_app is not allowed"),
        ({"kind": "finish"}, ""),
    ]
    for number in range(4):
        Image.fromarray(np.full((80, 40, 3), 40 * number, np.uint8)).save(folder / f"{number:03d}.png")
        (folder / f"{number:03d}.xml").write_text(xml, encoding="utf-8")
    for number, (action, error) in enumerate(actions):
        line = {"turn": number + 1, "action": action, "action_error": error, "activity": "a/B"}
        (folder / f"{number:03d}.json").write_text(json.dumps(line), encoding="utf-8")
    return tmp_path


def episode(record: Make, kind: str = "process", **fields: Any) -> EpisodeRecord:
    return record(TASK, protocol="process", tags={"kind": kind}, **({"claimed": True} | fields))


def test_a_trajectory_holds_the_actions_and_what_was_seen(run: Path, record: Make) -> None:
    moments, screen = moments_of(run, episode(record))
    assert [moment.action.kind for moment in moments] == ["tap", "finish"]
    assert moments[0].tree is not None
    assert (moments[0].before[0, 0, 0], moments[0].after[0, 0, 0], screen[0, 0, 0]) == (0, 40, 120)


def test_process_related_tasks_are_judged_by_the_way_too(run: Path, record: Make) -> None:
    model = Model('{"success": true, "reason": "ok"}', '{"success": false, "reason": "no"}')
    records = [episode(record, success=True), episode(record, "state"), episode(record, claimed=False)]
    judged = list(judge_by_process(run, records, Evaluator(model)))
    assert "1. 点击“价格”\n2. 表示任务完成" in model.asked[0][1].text
    assert "价格" not in model.asked[1][1].text
    assert [one.success for one in judged] == [True, False, False]
    found = agreement(judged)
    assert (found.both, found.neither, found.unjudged) == (1, 2, 0)


def test_a_summary_tells_the_click(run: Path, record: Make) -> None:
    model = Model("点了价格，列表重新排序", '{"success": true, "reason": "ok"}')
    [one] = judge_by_process(run, [episode(record)], Evaluator(model), Summarizer(model))
    assert one.success
    assert "1. 点了价格，列表重新排序" in model.asked[1][1].text


def test_a_malformed_verdict_is_no_verdict(run: Path, record: Make) -> None:
    [one] = judge_by_process(run, [episode(record, success=True)], Evaluator(Model("yes, success")))
    assert (one.verdict.passed, one.success) == (None, False)
    assert agreement([one]).unjudged == 1


def test_missing_and_damaged_trajectories_are_said(run: Path, record: Make) -> None:
    with pytest.raises(RecordsError, match="--trajectories"):
        moments_of(run, episode(record, seed=7))
    (run / "trajectories" / TASK / "seed-0" / "000.xml").write_text("<hierarchy", encoding="utf-8")
    assert moments_of(run, episode(record))[0][0].tree is None
    (run / "trajectories" / TASK / "seed-0" / "000.json").write_text("{", encoding="utf-8")
    with pytest.raises(RecordsError, match="cannot be read"):
        moments_of(run, episode(record))
