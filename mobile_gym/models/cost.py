"""What requests cost, and the cap that stops them."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mobile_gym.models.errors import BudgetSpent, PriceError

_MILLION = 1_000_000


class Price(BaseModel):
    """Prices of a million tokens, in the table's currency.

    Attributes:
        prompt: of what is sent.
        generated: of what is received.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    prompt: float = Field(ge=0)
    generated: float = Field(ge=0)


class PriceTable(BaseModel):
    """A table of prices, as the user gives it.

    Attributes:
        currency: in what the prices are; only shown.
        models: prices by the model's name.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    currency: str = "USD"
    models: dict[str, Price]


def load_prices(path: Path) -> PriceTable:
    """Reads a price table from YAML.

    Raises:
        PriceError: the file cannot be read or is no such table.
    """
    try:
        data = yaml.safe_load(path.read_text("utf-8"))
    except OSError as problem:
        raise PriceError(f"the price table {path} cannot be read: {problem.strerror}") from problem
    except (yaml.YAMLError, UnicodeDecodeError) as problem:
        raise PriceError(f"the price table {path} is no YAML: {problem}") from problem
    try:
        return PriceTable.model_validate(data)
    except ValidationError as problem:
        first = problem.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise PriceError(
            f"the price table {path} is wrong at {where}: {first['msg']}; it should read "
            "'models: {NAME: {prompt: 2.5, generated: 10}}', prices of a million tokens"
        ) from problem


@dataclass
class CostCap:
    """Counts tokens and money of all requests of a client, and stops them at a cap.

    The cap is looked at before each request, so that the last one may go over it by its own cost.

    Args:
        price: the model's price, or None where it is not known.
        max_cost: the most money, in the table's currency; needs a price.
        max_tokens: the most tokens, sent and received together.
        currency: for messages.
    """

    price: Price | None = None
    max_cost: float | None = None
    max_tokens: int | None = None
    currency: str = "USD"
    tokens: int = field(default=0, init=False)
    cost: float = field(default=0.0, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.max_cost is not None and self.price is None:
            raise PriceError("a cap of money needs the model's price; give a price table that has the model")
        for name, cap in (("max_cost", self.max_cost), ("max_tokens", self.max_tokens)):
            if cap is not None and not cap > 0:
                raise ValueError(f"{name} is more than 0, not {cap}")

    @classmethod
    def from_table(
        cls, model: str, prices: PriceTable | None, max_cost: float | None = None, max_tokens: int | None = None
    ) -> CostCap:
        """The cap of a model, with its price out of a table.

        Raises:
            PriceError: a cap of money was asked for, and the table has no price of the model.
        """
        price = prices.models.get(model) if prices is not None else None
        if max_cost is not None and price is None:
            known = f"it has {', '.join(sorted(prices.models))}" if prices is not None else "there is no table"
            raise PriceError(f"a cap of money needs a price of {model!r} in the price table; {known}")
        return cls(price, max_cost, max_tokens, prices.currency if prices is not None else "USD")

    @property
    def capped(self) -> bool:
        """Whether there is a cap at all."""
        return self.max_cost is not None or self.max_tokens is not None

    def check(self) -> None:
        """Looks whether another request may be sent.

        Raises:
            BudgetSpent: it may not.
        """
        if self.max_cost is not None and self.cost >= self.max_cost:
            raise BudgetSpent(
                f"the cost cap of {self.max_cost:g} {self.currency} is reached ({self.cost:.4f} spent); "
                "raise the cap to go on"
            )
        if self.max_tokens is not None and self.tokens >= self.max_tokens:
            raise BudgetSpent(
                f"the cap of {self.max_tokens} tokens is reached ({self.tokens} spent); raise the cap to go on"
            )

    def spend(self, prompt: int | None, generated: int | None) -> float | None:
        """Counts a request; gives its cost, or None where the price or the tokens are not known."""
        if prompt is None or generated is None:
            return None
        cost = None
        if self.price is not None:
            cost = (prompt * self.price.prompt + generated * self.price.generated) / _MILLION
        with self._lock:
            self.tokens += prompt + generated
            self.cost += cost or 0.0
        return cost
