"""A factorization machine of second order over instruction features (ElderBench, appendix E.2), in numpy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mobile_gym.evaluation.elder_metrics import FeatureTable

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FactorizationMachine:
    """`logit = bias + w x + sum over pairs of (V V^T)_ij x_i x_j`.

    Attributes:
        names: the features.
        bias: the constant.
        weights: float64[features].
        factors: V, float64[features, k].
    """

    names: tuple[str, ...]
    bias: float
    weights: Array
    factors: Array

    @property
    def interactions(self) -> Array:
        """M = V V^T, float64[features, features]."""
        return np.asarray(self.factors @ self.factors.T)

    def logits(self, values: Array) -> Array:
        """The logits of rows of features, float64[rows]."""
        return logits(values, self.bias, self.weights, self.factors)


def standardized(table: FeatureTable) -> Array:
    """The table's values with length and verbs at mean 0 and deviation 1; a column that does not vary is 0."""
    values = table.values.copy()
    for column in (0, 1):
        spread = values[:, column].std()
        values[:, column] = (values[:, column] - values[:, column].mean()) / spread if spread > 0 else 0.0
    return values


def logits(values: Array, bias: float, weights: Array, factors: Array) -> Array:
    """The machine's output; pairs by the identity 1/2 ((x V)^2 - x^2 V^2), which costs features times k."""
    crossed = values @ factors
    pairs = 0.5 * (crossed**2 - (values**2) @ (factors**2)).sum(axis=1)
    return np.asarray(bias + values @ weights + pairs)


def fit(
    table: FeatureTable,
    k: int = 5,
    weight_decay: float = 0.001,
    rate: float = 0.01,
    steps: int = 2000,
    seed: int = 0,
) -> FactorizationMachine:
    """Fits a machine to success by logistic loss with Adam over the whole table; the decay is an L2 penalty.

    Args:
        table: features and successes.
        k: the latent dimension.
        weight_decay: times half the square of weights and factors; the bias has none.
        rate: Adam's step.
        steps: how many.
        seed: seeds the first factors.
    """
    values, success = standardized(table), table.success
    rows, columns = values.shape
    generator = np.random.default_rng(seed)
    # Bias, weights and factors as one vector, so that Adam is a few lines.
    state = np.concatenate([np.zeros(1 + columns), generator.normal(0.0, 0.1, columns * k)])
    decay = np.full_like(state, weight_decay)
    decay[0] = 0.0
    first, second = np.zeros_like(state), np.zeros_like(state)
    for step in range(1, steps + 1):
        slope = gradient(values, success, state, k) / rows + decay * state
        first = 0.9 * first + 0.1 * slope
        second = 0.999 * second + 0.001 * slope**2
        state = state - rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    bias, weights, factors = _parts(state, columns, k)
    return FactorizationMachine(table.names, bias, weights, factors)


def gradient(values: Array, success: Array, state: Array, k: int) -> Array:
    """The gradient of the summed logistic loss by bias, weights and factors in one vector."""
    bias, weights, factors = _parts(state, values.shape[1], k)
    error = 1.0 / (1.0 + np.exp(-logits(values, bias, weights, factors))) - success
    crossed = values @ factors
    by_factors = values.T @ (error[:, None] * crossed) - factors * ((values**2).T @ error)[:, None]
    return np.concatenate([[error.sum()], values.T @ error, by_factors.ravel()])


def _parts(state: Array, columns: int, k: int) -> tuple[float, Array, Array]:
    return float(state[0]), state[1 : 1 + columns], state[1 + columns :].reshape(columns, k)
