"""The model as judge: what it is shown, what it says, and how far it agrees with the verifiers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from mobile_gym.evaluation.judging import Agreement, Judged, agreement, judge_run
from mobile_gym.evaluation.models import EpisodeRecord
from mobile_gym.evaluation.records import RecordsError
from mobile_gym.models.messages import Message, Picture
from mobile_gym.reward.judge import Evidence, Judge, JudgeVerdict, MalformedVerdict, parse_verdict, sample


@dataclass
class Reply:
    text: str


@dataclass
class FakeClient:
    answers: list[str]
    asked: list[list[Message]] = field(default_factory=list)

    def complete(self, messages: Sequence[Message]) -> Reply:
        self.asked.append(list(messages))
        return Reply(self.answers.pop(0))


def evidence(frames: int = 9) -> Evidence:
    pictures = tuple(np.full((4, 2, 3), number, np.uint8) for number in range(frames))
    return Evidence("声音太小了", np.full((4, 2, 3), 255, np.uint8), pictures, "com.android.settings/.Sound")


def test_the_judge_sees_final_frames_activity_and_request() -> None:
    client = FakeClient(['{"success": true, "reason": "louder"}'])
    assert Judge(client, frames=4).judge(evidence()) == JudgeVerdict(True, "louder")
    system, user = client.asked[0]
    assert system.role == "system"
    assert "声音太小了" in user.text
    assert "com.android.settings/.Sound" in user.text
    assert len([part for part in user.parts if isinstance(part, Picture)]) == 5


@pytest.mark.parametrize(
    ("text", "passed"),
    [
        ('{"success": false, "reason": "still low"}', False),
        ('```json\n{"success": true}\n```', True),
        ('First {"a": 1}, so: {"success": true, "reason": "x"} Thanks.', True),
        ('{"success": true} on reflection {"success": false}', False),
        ('{"reason": {"success": true}, "success": false}', False),
    ],
)
def test_verdicts_are_read_out_of_text(text: str, passed: bool) -> None:
    assert parse_verdict(text).passed is passed


@pytest.mark.parametrize(
    "text", ["", "Yes, it is done.", '{"success": "true"}', '{"success": 1}', '{"success": tr', "{" * 5000, "[true]"]
)
def test_malformed_verdicts_are_none(text: str) -> None:
    with pytest.raises(MalformedVerdict):
        parse_verdict(text)


def test_a_malformed_verdict_is_asked_for_again_and_then_given_up() -> None:
    client = FakeClient(["It looks fine!", '{"success": true}'])
    assert Judge(client).judge(evidence(1)).passed is True
    assert [message.role for message in client.asked[1]] == ["system", "user", "assistant", "user"]
    found = Judge(FakeClient(["", "no"])).judge(evidence(0))
    assert found.passed is None
    assert not found.success(finished=True)


def test_success_is_finished_and_judged() -> None:
    assert JudgeVerdict(True, "").success(finished=True)
    assert not JudgeVerdict(True, "").success(finished=False)
    assert not JudgeVerdict(False, "").success(finished=True)


@pytest.mark.parametrize(
    ("count", "chosen"), [(0, []), (1, [5]), (2, [0, 9]), (4, [0, 3, 6, 9]), (20, list(range(10)))]
)
def test_frames_are_spread_evenly(count: int, chosen: list[int]) -> None:
    assert sample(list(range(10)), count) == chosen


def record(task: str, **fields: Any) -> EpisodeRecord:
    fixed: dict[str, Any] = {"suite": "elder", "suite_version": "1", "task_hash": "x", "protocol": "online", "seed": 0}
    more: dict[str, Any] = {"device": "d", "policy": "p", "language": "zh", "status": "done", "claimed": True}
    return EpisodeRecord.model_validate({**fixed, **more, "task": task, **fields})


def test_agreement_is_counted_by_hand() -> None:
    def judged(passed: bool | None, **fields: Any) -> Judged:
        return Judged(record("elder-031", **fields), JudgeVerdict(passed, ""))

    found = agreement(
        [judged(True, success=True)] * 4
        + [judged(False)] * 3
        + [judged(True)] * 2
        + [judged(False, success=True)]
        + [judged(None)]
        + [judged(None, claimed=False)]
    )
    assert found == Agreement(both=4, neither=4, judge_only=2, verifier_only=1, unjudged=1)
    assert found.rate == pytest.approx(8 / 11)
    # chance: 6/11 x 5/11 + 5/11 x 6/11 = 60/121
    assert found.kappa == pytest.approx((8 / 11 - 60 / 121) / (1 - 60 / 121))
    assert agreement([]).rate is None


def test_a_run_is_judged_from_its_trajectories(tmp_path: Path) -> None:
    folder = tmp_path / "trajectories" / "elder-031" / "seed-0"
    folder.mkdir(parents=True)
    for number in range(3):
        Image.new("RGB", (2, 4), (number, 0, 0)).save(folder / f"{number:03d}.png")
    (folder / "001.json").write_text(json.dumps({"activity": "com.android.settings/.Sound"}))
    client = FakeClient(['{"success": true}'])
    records = [record("elder-031", success=True), record("elder-031", seed=1, claimed=False)]
    records.append(record("elder-031", seed=2, status="not_run"))
    found = list(judge_run(tmp_path, records, Judge(client)))
    assert [one.success for one in found] == [True, False]
    assert len(client.asked) == 1
    assert "/.Sound" in client.asked[0][1].text
    with pytest.raises(RecordsError, match="--trajectories"):
        list(judge_run(tmp_path, [record("elder-031", seed=9)], Judge(client)))
