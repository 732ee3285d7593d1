"""Group-relative policy optimisation as pure functions: advantages, the clipped objective, the KL term.

Episodes of one start are compared with each other, so that no value network is needed (DeepSeekMath, section 4.1).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

MOST_KL = 10.0
"""The most that one token's KL estimate counts. A token that the policy hardly ever draws has an estimate, and a
gradient, that grow without bound; one such draw would undo what was learned."""


@dataclass(frozen=True, slots=True)
class Objective:
    """What is optimised.

    Attributes:
        clip_low: how far below 1 a token's ratio of probabilities counts.
        clip_high: how far above 1.
        kl: weight of the KL term against the reference; 0 for none.
    """

    clip_low: float = 0.2
    clip_high: float = 0.2
    kl: float = 0.0


@dataclass(frozen=True, slots=True)
class LossParts:
    """A loss and what it is made of.

    Attributes:
        loss: the scalar to be minimised.
        kl: sum over tokens of the KL estimate; 0 without a reference.
        clipped: number of tokens whose gradient the clipping took away.
        tokens: number of generated tokens.
    """

    loss: Tensor
    kl: float
    clipped: int
    tokens: int


def group_advantages(returns: Sequence[float], epsilon: float = 1e-6) -> list[float]:
    """How much better than its group each episode did, in standard deviations of the group.

    Args:
        returns: the episodes' returns.
        epsilon: a smaller standard deviation is none.

    Returns:
        Advantages that sum to zero; all zero where the episodes did equally well, as there is nothing to learn from
        them then.
    """
    if not returns:
        return []
    mean = math.fsum(returns) / len(returns)
    deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in returns) / len(returns))
    if deviation <= epsilon:
        return [0.0] * len(returns)
    return [(value - mean) / deviation for value in returns]


def clipped_gain(logprobs: Tensor, old: Tensor, advantages: Tensor, low: float, high: float) -> Tensor:
    """The clipped gain of each token (PPO, equation 7).

    Args:
        logprobs: float[B, L], log-probabilities under the policy that is trained.
        old: float[B, L], under the policy that generated.
        advantages: float[B], one an episode's turn.
        low: how far below 1 the ratio counts.
        high: how far above.

    Returns:
        float[B, L].
    """
    ratio = torch.exp(logprobs - old)
    advantage = advantages.unsqueeze(1)
    return torch.minimum(ratio * advantage, torch.clamp(ratio, 1 - low, 1 + high) * advantage)


def kl_estimate(logprobs: Tensor, reference: Tensor) -> Tensor:
    """An unbiased estimate of the KL divergence from the reference, never negative (DeepSeekMath, equation 4).

    Args:
        logprobs: float[B, L], log-probabilities of the generated tokens under the policy.
        reference: float[B, L], under the reference.

    Returns:
        float[B, L].
    """
    difference = reference - logprobs
    return torch.exp(difference) - difference - 1


def grpo_loss(
    logprobs: Tensor,
    old: Tensor,
    advantages: Tensor,
    mask: Tensor,
    objective: Objective,
    tokens: int,
    reference: Tensor | None = None,
) -> LossParts:
    """The loss of a part of a batch; the losses of all parts sum to the batch's.

    Args:
        logprobs: float[B, L], log-probabilities under the policy that is trained.
        old: float[B, L], under the policy that generated.
        advantages: float[B].
        mask: bool[B, L], which tokens were generated.
        objective: clipping and KL.
        tokens: number of generated tokens in the whole batch, over which the mean is taken.
        reference: float[B, L], under the reference; None without a KL term.
    """
    gain = clipped_gain(logprobs, old, advantages, objective.clip_low, objective.clip_high)
    kl = torch.zeros_like(gain)
    if reference is not None:
        kl = kl_estimate(logprobs, reference).clamp(max=MOST_KL)
        gain = gain - objective.kl * kl
    # Tokens of padding may hold anything, so they are replaced, not multiplied by zero.
    loss = -torch.where(mask, gain, torch.zeros_like(gain)).sum() / max(tokens, 1)
    with torch.no_grad():
        ratio, up = torch.exp(logprobs - old), advantages.unsqueeze(1) > 0
        over = torch.where(up, ratio > 1 + objective.clip_high, ratio < 1 - objective.clip_low) & mask
        told = float(torch.where(mask, kl, torch.zeros_like(kl)).sum())
    return LossParts(loss, told, int(over.sum()), int(mask.sum()))
