"""Fine-tuning of a vision-language policy, with a tiny model."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from mobile_gym.models.messages import Message, png  # noqa: E402
from mobile_gym.training.grpo import Objective  # noqa: E402
from mobile_gym.training.grpo_run import RunFolder, RunFolderError  # noqa: E402
from mobile_gym.training.grpo_trainer import GrpoTrainer, Schedule  # noqa: E402
from mobile_gym.training.rollouts import LocalLanes, Start, play_groups  # noqa: E402
from mobile_gym.training.vision_policy import Answer, VisionPolicy  # noqa: E402
from tests.training.tiny_world import ASKED, WORDS, ColourEnv, codec, tiny_policy  # noqa: E402

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning:torch.*"),
    pytest.mark.filterwarnings("ignore::FutureWarning:transformers.*"),
]

SHORT = Schedule(updates=2, groups=2, size=4, micro=3, rate=1e-3, evaluate=0, save=0)


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


def _chats() -> list[tuple[Message, ...]]:
    red, blue = np.zeros((56, 56, 3), np.uint8), np.zeros((112, 84, 3), np.uint8)
    red[..., 0], blue[..., 2] = 255, 255
    return [
        (Message.of("user", png(red), ASKED),),
        (Message.of("system", "Be brief"), Message.of("user", png(blue), "Tap"), Message.of("user", png(red), "!")),
    ]


def _trainer(policy: VisionPolicy, schedule: Schedule, folder: Path | None = None, kl: float = 0.01) -> GrpoTrainer:
    run = RunFolder(folder, {"test": True}) if folder is not None else None
    lanes = LocalLanes(lambda task: ColourEnv(), schedule.groups * schedule.size)
    return GrpoTrainer(policy, lanes, codec, ["colour"], Objective(kl=kl), schedule, run)


def test_generation_and_one_pass_over_the_answer_tell_the_same_logprobs() -> None:
    policy = tiny_policy(longest=6)
    torch.manual_seed(3)
    chats = _chats() * 2
    answers = policy.generate(chats)
    assert len({len(answer.ids) for answer in answers}) > 1  # so that padding on both sides is there
    told = policy.logprobs(chats, answers).detach()
    for row, answer in zip(told, answers, strict=True):
        assert row[: len(answer.ids)].tolist() == pytest.approx(answer.logprobs, abs=1e-4)
        # Alone, without anybody's padding, it is the same.
    alone = policy.logprobs(chats[:1], answers[:1]).detach()
    assert alone[0].tolist() == pytest.approx(told[0, : len(answers[0].ids)].tolist(), abs=1e-4)


def test_temperature_is_part_of_the_logprobs() -> None:
    policy = tiny_policy(longest=3)
    hot = VisionPolicy(policy.model, policy.processor, type(policy.sampling)(3, 2.5, policy.sampling.only))
    torch.manual_seed(0)
    answers = hot.generate(_chats())
    told = hot.logprobs(_chats(), answers).detach()
    assert told[0, : len(answers[0].ids)].tolist() == pytest.approx(answers[0].logprobs, abs=1e-4)
    assert float(policy.logprobs(_chats(), answers)[0, 0].detach()) != pytest.approx(float(told[0, 0]), abs=1e-4)


def test_tokens_of_pictures_line_up_with_the_processor() -> None:
    policy = tiny_policy()
    encoded = policy.encode(_chats())
    grids = encoded["image_grid_thw"]
    merged = [int(grid.prod()) // 4 for grid in grids]
    assert merged == [4, 12, 4]  # 28 x 28 pixels a token
    found = (encoded["input_ids"] == policy.processor.image_token_id).sum(1)
    assert found.tolist() == [4, 16]
    assert len(encoded["pixel_values"]) == 4 * sum(merged)


def test_the_mask_holds_generated_tokens_alone() -> None:
    policy = tiny_policy()
    ids, mask = policy.padded([Answer("", (7, 8, 9), (0, 0, 0)), Answer("", (5,), (0,))])
    assert mask.tolist() == [[True, True, True], [True, False, False]]
    assert ids[0].tolist() == [7, 8, 9]
    assert ids[1, 0] == 5


def test_what_lies_behind_an_answer_does_not_move_the_weights() -> None:
    policy = tiny_policy()
    chats, answers = _chats()[:1] * 2, [Answer("", (7, 8), (0, 0)), Answer("", (7,), (0,))]
    told = policy.logprobs(chats, answers).detach()
    assert float(told[0, 0]) == pytest.approx(float(told[1, 0]), abs=1e-5)


def test_answers_are_made_of_the_allowed_tokens() -> None:
    policy = tiny_policy()
    torch.manual_seed(0)
    assert {answer.text for answer in policy.generate(_chats() * 8)} <= set(WORDS)
    total = sum(
        float(policy.logprobs(_chats()[:1], [Answer("", (token,), (0,))])[0, 0].detach().exp())
        for token in policy.sampling.only or ()
    )
    assert total == pytest.approx(1, abs=1e-4)


def test_groups_share_their_start() -> None:
    policy = tiny_policy()
    lanes = LocalLanes(lambda task: ColourEnv(), 3)  # fewer lanes than episodes: they are played in rounds
    groups = play_groups(lanes, [Start("colour", 4), Start("colour", 5)], 4, policy, codec)
    assert [len(group) for group in groups] == [4, 4]
    for group in groups:
        pictures = {episode.turns[0].chat[0].parts[0] for episode in group}
        assert len(pictures) == 1
    assert groups[0][0].turns[0].chat != groups[1][0].turns[0].chat


class Even(ColourEnv):
    """Whatever is answered is right."""

    def step(self, action):  # type: ignore[no-untyped-def]
        return *super().step(action)[:1], 1.0, True, False, self._info(True)


def _divergence(policy: VisionPolicy) -> float:
    """The exact KL divergence from the reference, over the words."""
    total = 0.0
    for token in policy.sampling.only or ():
        answer = [Answer("", (token,), (0,))]
        now, then = (float(policy.logprobs(_chats()[:1], answer, side)[0, 0].detach()) for side in (False, True))
        total += math.exp(now) * (now - then)
    return total


def test_groups_without_differences_move_nothing() -> None:
    policy = tiny_policy(reference=False)
    lanes = LocalLanes(lambda task: Even(), 8)
    before = [parameter.clone() for parameter in policy.parameters()]
    lines = list(GrpoTrainer(policy, lanes, codec, ["even"], Objective(), SHORT).train())
    assert [line["groups"] for line in lines] == [0, 0]
    assert all(torch.equal(one, two) for one, two in zip(before, policy.parameters(), strict=True))


def test_groups_without_differences_are_drawn_to_the_reference() -> None:
    policy = tiny_policy(reference=True)
    torch.manual_seed(0)
    with torch.no_grad():
        for parameter in policy.parameters():
            parameter += 0.2 * torch.randn_like(parameter)
    away = _divergence(policy)
    lanes = LocalLanes(lambda task: Even(), 8)
    lines = list(GrpoTrainer(policy, lanes, codec, ["even"], Objective(kl=0.1), SHORT).train())
    assert [line["groups"] for line in lines] == [0, 0]
    assert 0 < _divergence(policy) < away


def test_episodes_that_a_device_failed_teach_nothing() -> None:
    class Broken(ColourEnv):
        def step(self, action):  # type: ignore[no-untyped-def]
            info = {**self._info(False), "device_error": "DeviceOffline: gone"}
            return self._seen(), -1.0, False, True, info

    policy = tiny_policy(reference=False)
    lanes = LocalLanes(lambda task: Broken() if task == "broken" else ColourEnv(), 8)
    trainer = GrpoTrainer(policy, lanes, codec, ["broken"], Objective(), SHORT)
    assert trainer.update(1) == {
        "reward": 0, "success": 0, "turns": 0, "groups": 0, "failed": 8, "loss": 0, "kl": 0, "clipped": 0, "gradient": 0
    }  # fmt: skip


def test_small_parts_of_a_batch_give_the_same_update() -> None:
    losses = []
    for micro in (1, 8):
        trainer = _trainer(tiny_policy(), Schedule(groups=2, size=4, micro=micro, rate=1e-3, epochs=2))
        losses.append(trainer.update(1))
    assert losses[0] == pytest.approx(losses[1], abs=1e-4)


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    four = Schedule(updates=4, groups=2, size=4, micro=8, rate=1e-3, evaluate=0, save=2)
    whole = [dict(line) for line in _trainer(tiny_policy(), four, tmp_path / "whole").train()]

    first = _trainer(tiny_policy(), four, tmp_path / "cut").train()
    for _ in range(3):
        next(first)
    folder = RunFolder(tmp_path / "cut", {"test": True})
    newest = folder.newest()
    assert newest is not None
    assert newest.name == "checkpoint-2"
    again = tiny_policy()
    again.model.load_state_dict(type(again.model).from_pretrained(newest).state_dict())
    trainer = _trainer(again, four, tmp_path / "cut")
    assert trainer.done == 2
    rest = list(trainer.train())
    assert [line["update"] for line in rest] == [3, 4]
    for one, two in zip(whole[2:], rest, strict=True):
        assert {**one, "seconds": 0} == pytest.approx({**two, "seconds": 0}, abs=1e-5)
    assert [line["update"] for line in folder.metrics()] == [1, 2, 3, 4]


def test_a_folder_of_another_run_is_refused(tmp_path: Path) -> None:
    RunFolder(tmp_path, {"rate": 1})
    with pytest.raises(RunFolderError, match="other settings"):
        RunFolder(tmp_path, {"rate": 2})


def test_reward_rises() -> None:
    policy = tiny_policy()
    schedule = Schedule(updates=30, groups=4, size=6, micro=24, batch=24, rate=3e-3, evaluate=0, evaluations=8)
    trainer = _trainer(policy, schedule, kl=0.01)
    before = trainer.evaluate()["eval_reward"]
    rewards = [line["reward"] for line in trainer.train()]
    after = trainer.evaluate()["eval_reward"]
    assert before <= 0.5  # one word for everything is right for one colour at most
    assert after == 1.0
    assert sum(rewards[-5:]) / 5 > sum(rewards[:5]) / 5 + 0.3
