"""The arithmetic of group-relative policy optimisation."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

torch = pytest.importorskip("torch")

from mobile_gym.training.grpo import (  # noqa: E402
    MOST_KL,
    Objective,
    clipped_gain,
    group_advantages,
    grpo_loss,
    kl_estimate,
)


@given(st.lists(st.floats(-10, 10), min_size=2, max_size=16))
def test_advantages_of_a_group_sum_to_zero_and_keep_the_order(returns: list[float]) -> None:
    advantages = group_advantages(returns)
    assert sum(advantages) == pytest.approx(0, abs=1e-6)
    for (one, first), (two, second) in zip(zip(returns, advantages), zip(returns[1:], advantages[1:])):  # noqa: B905
        assert first <= second if one <= two else first >= second


def test_advantages_are_in_standard_deviations() -> None:
    assert group_advantages([1, 0, 0, 1]) == pytest.approx([1, -1, -1, 1])
    assert group_advantages([0.5, 0.5, 0.5]) == [0, 0, 0]
    assert group_advantages([]) == []


def test_the_clipped_objective_is_the_one_computed_by_hand() -> None:
    old = torch.log(torch.tensor([[0.5, 0.5, 0.5], [0.5, 0.5, 0.5]]))
    now = torch.log(torch.tensor([[0.9, 0.55, 0.3], [0.9, 0.55, 0.3]]))
    gain = clipped_gain(now, old, torch.tensor([2.0, -1.0]), 0.2, 0.3)
    # Ratios 1.8, 1.1, 0.6. A gain counts up to 1.3; a loss is never made smaller than it is, down to 0.8.
    assert gain[0].tolist() == pytest.approx([2 * 1.3, 2 * 1.1, 2 * 0.6])
    assert gain[1].tolist() == pytest.approx([-1.8, -1.1, -0.8])


def test_the_loss_is_the_mean_over_generated_tokens() -> None:
    old = torch.log(torch.tensor([[0.5, 0.5], [0.5, 0.5]]))
    now = torch.log(torch.tensor([[0.9, 0.55], [0.3, 0.3]])).requires_grad_()
    reference = torch.log(torch.tensor([[0.9, 0.5], [0.3, 0.3]]))
    mask = torch.tensor([[True, True], [True, False]])
    parts = grpo_loss(now, old, torch.tensor([1.0, -1.0]), mask, Objective(0.2, 0.2, 0.1), 3, reference)
    kl = 0.5 / 0.55 - math.log(0.5 / 0.55) - 1
    assert float(parts.loss.detach()) == pytest.approx(-(1.2 + 1.1 - 0.1 * kl - 0.8) / 3)
    assert parts.kl == pytest.approx(kl)
    assert (parts.tokens, parts.clipped) == (3, 2)
    parts.loss.backward()
    assert now.grad is not None
    # Clipped tokens and those of the padding move nothing.
    assert now.grad[0, 0] == 0
    assert now.grad[1].tolist() == [0, 0]
    assert now.grad[0, 1] != 0


def test_padding_that_holds_no_number_does_no_harm() -> None:
    now = torch.tensor([[-1.0, -math.inf]], requires_grad=True)
    mask = torch.tensor([[True, False]])
    parts = grpo_loss(now, now.detach(), torch.tensor([1.0]), mask, Objective(), 1)
    assert float(parts.loss.detach()) == pytest.approx(-1)


@given(st.lists(st.tuples(st.floats(-20, 0), st.floats(-20, 0)), min_size=1, max_size=20))
def test_the_kl_estimate_is_never_negative(pairs: list[tuple[float, float]]) -> None:
    now, reference = (torch.tensor([list(side)], dtype=torch.float64) for side in zip(*pairs, strict=True))
    estimate = kl_estimate(now, reference)
    assert bool((estimate >= -1e-12).all())
    assert torch.allclose(kl_estimate(now, now), torch.zeros_like(now))


def test_one_unlikely_token_does_not_outweigh_all_others() -> None:
    now = torch.tensor([[-12.0, -2.0]], requires_grad=True)
    reference = torch.tensor([[-2.0, -3.0]])
    mask = torch.tensor([[True, True]])
    parts = grpo_loss(now, now.detach(), torch.tensor([0.0]), mask, Objective(kl=1.0), 2, reference)
    parts.loss.backward()
    assert now.grad is not None
    assert now.grad.abs().max() < 1
    assert parts.kl == pytest.approx(MOST_KL + math.exp(-1))


def test_the_kl_estimate_is_unbiased() -> None:
    now, reference = torch.tensor([0.7, 0.2, 0.1]), torch.tensor([0.4, 0.4, 0.2])
    exact = float((now * (now / reference).log()).sum())
    estimate = float((now * kl_estimate(now.log().unsqueeze(0), reference.log().unsqueeze(0))[0]).sum())
    assert estimate == pytest.approx(exact, abs=1e-6)
