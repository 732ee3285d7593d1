"""Fine-tuning of a vision-language policy by group-relative policy optimisation."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from mobile_gym.training.codecs import Codec
from mobile_gym.training.grpo import Objective, group_advantages, grpo_loss
from mobile_gym.training.grpo_run import RunFolder
from mobile_gym.training.rollouts import Episode, Lanes, Start, Turn, play_groups
from mobile_gym.training.vision_policy import VisionPolicy

HELD_OUT = 1_000_000
"""Seeds of evaluations begin here; those of training lie below."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """How a run goes.

    Attributes:
        updates: updates in all.
        groups: starts an update.
        size: episodes a start.
        epochs: how often a batch is gone through.
        minibatches: steps of the optimizer an epoch.
        micro: turns that are computed at once.
        rate: learning rate.
        warmup: updates until the rate is reached.
        norm: the largest norm of a gradient.
        batch: chats that are answered at once.
        evaluate: updates between evaluations; 0 for none.
        evaluations: starts of an evaluation.
        save: updates between checkpoints; 0 for one at the end.
        seed: of all draws.
    """

    updates: int = 100
    groups: int = 4
    size: int = 8
    epochs: int = 1
    minibatches: int = 1
    micro: int = 4
    rate: float = 1e-6
    warmup: int = 0
    norm: float = 1.0
    batch: int = 16
    evaluate: int = 10
    evaluations: int = 16
    save: int = 20
    seed: int = 0


@dataclass(frozen=True, slots=True)
class _Sample:
    """One turn and what it is worth."""

    turn: Turn
    advantage: float


class GrpoTrainer:
    """Plays groups, compares their episodes, and makes what did better than its group likelier.

    Each turn of an episode is a sample with the episode's advantage. Groups whose episodes did equally well have no
    advantages: only the KL term draws them to the reference, which keeps a policy that always fails there trying;
    without a KL term they are left out. Episodes that a device failed are always left out. What is drawn depends on the
    seed and the number of the update alone, so that a run that was stopped goes on as if it had not been.

    Args:
        policy: the policy.
        lanes: where episodes are played.
        codec: makes the codec of an episode.
        tasks: what is played; see `Start.task`.
        objective: clipping and KL.
        schedule: how the run goes.
        folder: where metrics and checkpoints go; None for nowhere.
    """

    def __init__(
        self,
        policy: VisionPolicy,
        lanes: Lanes,
        codec: Callable[[], Codec],
        tasks: Sequence[str],
        objective: Objective,
        schedule: Schedule,
        folder: RunFolder | None = None,
    ) -> None:
        self._policy = policy
        self._lanes = lanes
        self._codec = codec
        self._tasks = tuple(tasks)
        self._objective = objective
        self._schedule = schedule
        self._folder = folder
        self._optimizer = torch.optim.AdamW(policy.parameters(), lr=schedule.rate, weight_decay=0.0)
        self.done = folder.restore(self._optimizer) if folder is not None else 0

    def train(self) -> Iterator[dict[str, Any]]:
        """Makes the missing updates and gives the metrics of each; where it evaluates, also those before the first."""
        schedule = self._schedule
        if self.done == 0 and schedule.evaluate:
            line: dict[str, Any] = {"update": 0, **self.evaluate()}
            if self._folder is not None:
                self._folder.log(line)
            yield line
        while self.done < schedule.updates:
            began = time.monotonic()
            number = self.done + 1
            line = {"update": number, **self.update(number)}
            self.done = number
            last = number == schedule.updates
            if schedule.evaluate and (last or number % schedule.evaluate == 0):
                line |= self.evaluate()
            line["seconds"] = round(time.monotonic() - began, 3)
            if self._folder is not None:
                self._folder.log(line)
                if last or (schedule.save and number % schedule.save == 0):
                    self._folder.save(number, self._policy, self._optimizer)
            yield line

    def evaluate(self) -> dict[str, float]:
        """Plays held-out starts greedily, once each: `eval_reward` and `eval_success`, means."""
        starts = [
            Start(self._tasks[number % len(self._tasks)], HELD_OUT + number)
            for number in range(self._schedule.evaluations)
        ]
        groups = play_groups(self._lanes, starts, 1, self._policy, self._codec, greedy=True, batch=self._schedule.batch)
        episodes = [episode for group in groups for episode in group if not episode.error]
        return {
            "eval_reward": _mean([episode.total for episode in episodes]),
            "eval_success": _mean([float(episode.success) for episode in episodes]),
        }

    def update(self, number: int) -> dict[str, float]:
        """Plays one batch and learns from it.

        Args:
            number: of the update, from 1; all draws come from it and the seed.

        Returns:
            `reward` and `success`, means over the episodes; `turns`; `groups`, those that taught something; `failed`,
            episodes that a device failed; `loss`, `kl`, `clipped` (share of tokens) and `gradient` (norm).
        """
        schedule = self._schedule
        rng = np.random.default_rng([schedule.seed, number])
        torch.manual_seed(int(rng.integers(2**31)))
        starts = [
            Start(self._tasks[int(rng.integers(len(self._tasks)))], int(rng.integers(HELD_OUT)))
            for _ in range(schedule.groups)
        ]
        groups = play_groups(self._lanes, starts, schedule.size, self._policy, self._codec, batch=schedule.batch)
        played = [[episode for episode in group if not episode.error] for group in groups]
        samples, useful = _samples(played, even=self._objective.kl > 0)
        episodes = [episode for group in played for episode in group]
        told = {
            "reward": _mean([episode.total for episode in episodes]),
            "success": _mean([float(episode.success) for episode in episodes]),
            "turns": _mean([float(len(episode.turns)) for episode in episodes]),
            "groups": float(useful),
            "failed": float(sum(len(group) for group in groups) - len(episodes)),
        }
        return told | self._learn(samples, rng, number)

    def _learn(self, samples: Sequence[_Sample], rng: np.random.Generator, number: int) -> dict[str, float]:
        if not samples:
            return {"loss": 0.0, "kl": 0.0, "clipped": 0.0, "gradient": 0.0}
        schedule, policy = self._schedule, self._policy
        for group in self._optimizer.param_groups:
            group["lr"] = schedule.rate * min(1.0, number / max(1, schedule.warmup))
        once = schedule.epochs == 1 and schedule.minibatches == 1
        with torch.no_grad():
            old = None if once else self._told(samples, reference=False)  # else the same as what is trained
            reference = self._told(samples, reference=True) if self._objective.kl else None
        policy.model.train()
        loss = kl = clipped = gradient = 0.0
        seen = steps = 0
        for _ in range(schedule.epochs):
            order = rng.permutation(len(samples))
            for chosen in np.array_split(order, min(schedule.minibatches, len(samples))):
                tokens = sum(len(samples[index].turn.answer.ids) for index in chosen)
                self._optimizer.zero_grad(set_to_none=True)
                for first in range(0, len(chosen), schedule.micro):
                    part = [int(index) for index in chosen[first : first + schedule.micro]]
                    told = self._backward([samples[index] for index in part], part, old, reference, tokens)
                    loss, kl, clipped = loss + told[0], kl + told[1], clipped + told[2]
                norm = torch.nn.utils.clip_grad_norm_(policy.parameters(), schedule.norm)
                self._optimizer.step()
                gradient, seen, steps = gradient + float(norm), seen + tokens, steps + 1
        self._optimizer.zero_grad(set_to_none=True)
        return {"loss": loss / steps, "kl": kl / seen, "clipped": clipped / seen, "gradient": gradient / steps}

    def _backward(
        self,
        samples: Sequence[_Sample],
        numbers: Sequence[int],
        old: Sequence[torch.Tensor] | None,
        reference: Sequence[torch.Tensor] | None,
        tokens: int,
    ) -> tuple[float, float, int]:
        answers = [sample.turn.answer for sample in samples]
        now = self._policy.logprobs([sample.turn.chat for sample in samples], answers)
        _, mask = self._policy.padded(answers)
        advantages = torch.tensor([sample.advantage for sample in samples], device=now.device)
        parts = grpo_loss(
            now,
            now.detach() if old is None else _rows([old[number] for number in numbers], now),
            advantages,
            mask,
            self._objective,
            tokens,
            None if reference is None else _rows([reference[number] for number in numbers], now),
        )
        parts.loss.backward()  # type: ignore[no-untyped-call]
        return float(parts.loss.detach()), parts.kl, parts.clipped

    def _told(self, samples: Sequence[_Sample], reference: bool) -> list[torch.Tensor]:
        """Log-probabilities of each sample's tokens, before the update."""
        micro, found = self._schedule.micro, []
        for first in range(0, len(samples), micro):
            turns = [sample.turn for sample in samples[first : first + micro]]
            answers = [turn.answer for turn in turns]
            told = self._policy.logprobs([turn.chat for turn in turns], answers, reference)
            found += [row[: len(answer.ids)].clone() for row, answer in zip(told, answers, strict=True)]
        return found


def _samples(groups: Sequence[Sequence[Episode]], even: bool) -> tuple[list[_Sample], int]:
    """The turns that something is learned from, and how many groups have differences.

    Args:
        groups: episodes by start.
        even: whether groups without differences are kept, for the KL term alone.
    """
    samples: list[_Sample] = []
    useful = 0
    for group in groups:
        advantages = group_advantages([episode.total for episode in group])
        useful += any(advantages)
        if not any(advantages) and not even:
            continue
        samples += [
            _Sample(turn, advantage)
            for episode, advantage in zip(group, advantages, strict=True)
            for turn in episode.turns
        ]
    return samples, useful


def _rows(rows: Sequence[torch.Tensor], like: torch.Tensor) -> torch.Tensor:
    """Rows of several lengths as one tensor of another's shape; what is missing is taken from that one."""
    out = like.detach().clone()
    for index, row in enumerate(rows):
        out[index, : len(row)] = row
    return out


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
