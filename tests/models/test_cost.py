"""Price tables, caps and waits."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from mobile_gym.models.cost import CostCap, Price, PriceTable, load_prices
from mobile_gym.models.errors import PriceError
from mobile_gym.models.retries import Backoff, retry_after, retryable

NOW = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


def test_a_table(tmp_path: Path) -> None:
    path = tmp_path / "prices.yaml"
    path.write_text("currency: CNY\nmodels:\n  m: {prompt: 1, generated: 4.5}\n")
    table = load_prices(path)
    assert table.models["m"] == Price(prompt=1, generated=4.5)
    cap = CostCap.from_table("m", table, max_cost=2)
    assert (cap.currency, cap.spend(1_000_000, 200_000), cap.tokens) == ("CNY", 1.9, 1_200_000)
    assert cap.spend(None, 3) is None
    assert CostCap.from_table("other", table).price is None
    with pytest.raises(PriceError, match="a price of 'other' in the price table; it has m"):
        CostCap.from_table("other", table, max_cost=1)
    with pytest.raises(PriceError, match="there is no table"):
        CostCap.from_table("m", None, max_cost=1)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("models: {m: {prompt: 1}}", r"models\.m\.generated"),
        ("models: {m: {prompt: -1, generated: 1}}", r"models\.m\.prompt"),
        ("models: {m: {prompt: cheap, generated: 1}}", r"models\.m\.prompt"),
        ("- m", "the file"),
        ("", "the file"),
        ("a: [", "no YAML"),
    ],
)
def test_wrong_tables(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "prices.yaml"
    path.write_text(text)
    with pytest.raises(PriceError, match=told) as error:
        load_prices(path)
    assert str(path) in str(error.value)
    with pytest.raises(PriceError, match="cannot be read"):
        load_prices(tmp_path / "none.yaml")


def test_caps_are_positive() -> None:
    for cap in (0, -1, float("nan")):
        with pytest.raises(ValueError, match="more than 0"):
            CostCap(Price(prompt=1, generated=1), max_cost=cap)
    with pytest.raises(PriceError, match="needs the model's price"):
        CostCap(max_cost=1)
    assert PriceTable(models={}).currency == "USD"


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None), ("", None), ("5", 5.0), ("0.5", 0.5), ("-3", 0.0), ("nan", None), ("inf", None), ("later", None),
        ("Sun, 01 Mar 2026 09:00:09 GMT", 9.0), ("Sun, 01 Mar 2026 08:00:00 GMT", 0.0),
        ("Sun, 01 Mar 2026 09:00:09 -0000", 9.0),
    ],
)  # fmt: skip
def test_retry_after(header: str | None, seconds: float | None) -> None:
    assert retry_after(header, NOW) == seconds


def test_backoff() -> None:
    backoff = Backoff(retries=9, first=0.5, longest=3)
    assert [backoff.wait(tries) for tries in (1, 2, 3, 4, 5000)] == [0.5, 1.0, 2.0, 3.0, 3.0]
    assert [status for status in (200, 400, 401, 404, 408, 409, 429, 500, 529) if retryable(status)] == [
        408,
        429,
        500,
        529,
    ]
    with pytest.raises(ValueError, match="not negative"):
        Backoff(retries=-1)
