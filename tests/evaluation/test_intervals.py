"""Wilson's interval against published values and its own laws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobile_gym.evaluation.intervals import wilson


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(0, 10, 0.0, 0.27753), (10, 10, 0.72247, 1.0), (5, 10, 0.23659, 0.76341), (81, 263, 0.25527, 0.36621)],
)
def test_known_intervals(successes: int, trials: int, low: float, high: float) -> None:
    assert wilson(successes, trials) == pytest.approx((low, high), abs=2e-5)


@given(st.data(), st.integers(1, 500))
def test_the_interval_holds_the_rate_and_mirrors(data: st.DataObject, trials: int) -> None:
    successes = data.draw(st.integers(0, trials))
    low, high = wilson(successes, trials)
    assert 0 <= low <= successes / trials <= high <= 1
    mirrored = wilson(trials - successes, trials)
    assert mirrored == pytest.approx((1 - high, 1 - low))


def test_nothing_tried_says_nothing() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    with pytest.raises(ValueError, match="3 successes of 2"):
        wilson(3, 2)
