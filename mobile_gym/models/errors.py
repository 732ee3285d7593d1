"""What can go wrong with a model's endpoint. No message ever holds a key."""

from __future__ import annotations

from dataclasses import dataclass


class ModelError(Exception):
    """Something failed at the endpoint; the message says what, where and what to do."""


class MissingExtra(ModelError):
    """A library is not installed; the message names the extra that brings it."""


class MissingKey(ModelError):
    """The environment variable of the key is not set, or holds what cannot be a key."""


class ModelUnreachable(ModelError):
    """No connection to the endpoint, after all retries."""


class ModelTimeout(ModelError):
    """The endpoint did not answer in time, after all retries."""


class ModelRefused(ModelError):
    """The endpoint refused the request and would refuse it again (4xx, redirects).

    Attributes:
        status: the HTTP status; 200 where an error came in the place of an answer.
    """

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class ContextExceeded(ModelRefused):
    """The chat is longer than the model's context: this chat gets no answer, others may."""


class RateLimited(ModelError):
    """Too many requests (429), after all retries, or with a waiting time that is too long."""


class ServerFailed(ModelError):
    """The endpoint failed (5xx), after all retries."""


class MalformedAnswer(ModelError):
    """The answer is no chat completion: wrong content type, broken JSON, missing fields."""


class UncountedTokens(MalformedAnswer):
    """The endpoint does not tell how many tokens it used, so that no cap can be held."""


class TruncatedAnswer(ModelError):
    """The answer ended before its end, after all retries."""


@dataclass(frozen=True, slots=True)
class SpentTokens:
    """What a request used, as far as the endpoint told: tokens, or None."""

    prompt: int | None = None
    generated: int | None = None


class EmptyAnswer(ModelError):
    """The model answered nothing, though the request went well and was paid for.

    Attributes:
        tokens: what it used.
        seconds: how long it took.
        cost: what it cost, or None where no price is known.
    """

    def __init__(
        self, message: str, tokens: SpentTokens | None = None, seconds: float = 0.0, cost: float | None = None
    ) -> None:
        super().__init__(message)
        self.tokens = tokens or SpentTokens()
        self.seconds = seconds
        self.cost = cost


class BudgetSpent(ModelError):
    """The cap of tokens or money is reached; nothing more is sent."""


class PriceError(ModelError):
    """A price table that cannot be read or lacks a model; names the file and the field."""
