"""Arithmetic on decimal numbers: the four operations, percent, powers of sign, parentheses."""

from __future__ import annotations

from decimal import Context, Decimal, DecimalException, DivisionByZero, InvalidOperation, Overflow

PLUS, MINUS, TIMES, DIVIDED, PERCENT = "+", "\u2212", "\u00d7", "\u00f7", "%"
OPERATORS = PLUS + MINUS + TIMES + DIVIDED
_DEEPEST = 40
_EXACT = Context(prec=28, Emax=60, Emin=-60, traps=[DivisionByZero, InvalidOperation, Overflow])


class CalculationError(ValueError):
    """An expression without a value; the argument is the key of its text: `wrong`, `by_zero` or `too_large`."""


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def sum(self) -> Decimal:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise CalculationError("wrong")
        value = self.product()
        while self.peek() and self.peek() in PLUS + MINUS:
            operator = self.peek()
            self.at += 1
            other = self.product()
            value = _EXACT.add(value, other) if operator == PLUS else _EXACT.subtract(value, other)
        self.depth -= 1
        return value

    def product(self) -> Decimal:
        value = self.signed()
        while self.peek() and self.peek() in TIMES + DIVIDED + "(":
            operator = self.peek()
            # A number before a parenthesis is multiplied with it.
            self.at += operator != "("
            other = self.signed()
            value = _EXACT.divide(value, other) if operator == DIVIDED else _EXACT.multiply(value, other)
        return value

    def signed(self) -> Decimal:
        negative = False
        while self.peek() == MINUS:
            self.at += 1
            negative = not negative
        value = self.number()
        while self.peek() == PERCENT:
            self.at += 1
            value = _EXACT.divide(value, Decimal(100))
        return -value if negative else value

    def number(self) -> Decimal:
        if self.peek() == "(":
            self.at += 1
            value = self.sum()
            # What is left open at the end is taken as closed.
            if self.peek() == ")":
                self.at += 1
            elif self.peek():
                raise CalculationError("wrong")
            return value
        start = self.at
        while self.peek() and self.peek() in "0123456789.":
            self.at += 1
        text = self.text[start : self.at]
        if text.count(".") > 1 or not text.strip("."):
            raise CalculationError("wrong")
        return Decimal(text)


def calculate(expression: str) -> str:
    """The value of an expression, as a calculator shows it.

    Raises:
        CalculationError: it has none.
    """
    reader = _Reader(expression)
    try:
        value = reader.sum()
    except DivisionByZero as error:
        raise CalculationError("by_zero") from error
    except Overflow as error:
        raise CalculationError("too_large") from error
    except DecimalException as error:
        # Zero by zero.
        raise CalculationError("by_zero") from error
    if reader.peek():
        raise CalculationError("wrong")
    return show(value)


def show(value: Decimal) -> str:
    """A number with at most twelve digits, without zeros at its end; very long ones with a power of ten."""
    rounded = Context(prec=12).plus(value)
    if rounded and not -9 <= rounded.adjusted() <= 14:
        return f"{rounded.normalize():E}".replace("-", MINUS).replace("E+", "E")
    text = f"{rounded:f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text.replace("-", MINUS)
