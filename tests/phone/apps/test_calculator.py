"""The calculator: arithmetic against Python's fractions, and the keys."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobile_gym.phone.apps.calculator.arithmetic import CalculationError, calculate
from mobile_gym.phone.door import Intent
from mobile_gym.phone.phone import Phone
from tests.support.driver import Driver


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1+2×3", "7"),
        ("(1+2)×3", "9"),
        ("10÷4", "2.5"),
        ("200×15%", "30"),
        ("−5+2", "−3"),
        ("2(3+4", "14"),
        ("1÷3", "0.333333333333"),
        ("0.1+0.2", "0.3"),
        ("99999999999999×10", "1E15"),
    ],
)
def test_values(expression: str, value: str) -> None:
    assert calculate(expression) == value


@pytest.mark.parametrize(
    ("expression", "reason"),
    [("1÷0", "by_zero"), ("0÷0", "by_zero"), ("1+", "wrong"), ("1.2.3", "wrong"), ("2)", "wrong"), ("", "wrong")],
)
def test_expressions_without_a_value(expression: str, reason: str) -> None:
    with pytest.raises(CalculationError, match=reason):
        calculate(expression)


@given(st.lists(st.tuples(st.sampled_from("+−×"), st.integers(0, 999)), min_size=1, max_size=4), st.integers(0, 999))
def test_whole_numbers_agree_with_python(rest: list[tuple[str, int]], first: int) -> None:
    text = str(first) + "".join(sign + str(number) for sign, number in rest)
    expected = eval(text.replace("−", "-").replace("×", "*"))
    shown = calculate(text).replace("−", "-")
    assert abs(Fraction(shown) - expected) <= Fraction(abs(expected), 10**11)


@given(st.text(alphabet="0123456789.+−×÷%()", max_size=30))
def test_any_keys_give_a_number_or_a_named_reason(text: str) -> None:
    try:
        found = calculate(text)
    except CalculationError as error:
        found = error.args[0]
    assert found in ("wrong", "by_zero", "too_large") or Fraction(found.replace("−", "-")) is not None


def test_keys_history_and_uninstall() -> None:
    phone = Phone()
    phone.activities.start(Intent(package="org.mobench.calculator"))
    driver = Driver(phone)
    for key in ("digit_1", "digit_2", "op_add", "op_mul", "digit_3"):
        driver.tap_id(key)
    assert driver.by_id("formula").text == "12×3", "a second operator replaces the first"
    assert driver.by_id("result").text == "36"
    driver.tap_id("eq")
    driver.tap_id("digit_5")
    assert driver.by_id("formula").text == "5", "a digit after a result begins anew"
    driver.tap_id("history")
    driver.tap_text("36")
    assert driver.by_id("formula").text == "36"
    phone.packages.uninstall("org.mobench.calculator")
    assert "org.mobench.calculator" not in phone.packages.launchable()
    assert phone.activities.foreground().package == "com.android.launcher3"
