"""The policy that asks a model: `openai:MODEL`, behind an OpenAI-compatible endpoint."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from mobile_gym.envs.actions import EncodedAction, unreadable
from mobile_gym.envs.task_env import Observation
from mobile_gym.models.client import ChatClient
from mobile_gym.models.completion import Completion
from mobile_gym.models.cost import CostCap, load_prices
from mobile_gym.models.endpoints import endpoint
from mobile_gym.models.errors import (
    BudgetSpent,
    ContextExceeded,
    EmptyAnswer,
    MissingExtra,
    MissingKey,
    ModelError,
    ModelRefused,
    ModelUnreachable,
    UncountedTokens,
)
from mobile_gym.models.messages import Message
from mobile_gym.models.retries import Backoff
from mobile_gym.policies.base import PolicyError, Usage
from mobile_gym.policies.formats import ModelTraits, Parsed, adapted, parse, traits_of
from mobile_gym.policies.harness.captions import Captioner
from mobile_gym.policies.harness.chat import Harness
from mobile_gym.policies.harness.pictures import MAX_PIXELS, look_of
from mobile_gym.policies.harness.prompts import Language, Prompts
from mobile_gym.policies.harness.state import state_tracking
from mobile_gym.task_registry.models import Task

_FATAL = (401, 402, 403, 404)
"""Statuses that the next episode would get too, whatever went well before."""

_FATAL_AT_FIRST = (400, 405, 415, 422)
"""Statuses that every episode would get where no request went well yet: they are about what all requests share."""

_LOG = logging.getLogger(__name__)


class ModelPolicy:
    """Shows a model the screen and does what it says.

    An answer that holds no action becomes one that the environment refuses, so it costs a turn, and the reason goes
    into the history with the next screen. An endpoint that fails is no answer: `PolicyError`.

    An episode that grows longer than the model's context is the agent's failure, as it would be in every run: it is
    asked no more, each turn that is left costs a turn, and the reason is in the record.

    Args:
        client: the endpoint.
        traits: how the model prints actions.
        language: of the prompts.
        images: how many screenshots are sent, the present one among them.
        thoughts: whether earlier reasoning is sent.
        captions: whether screenshots that are no longer sent are described by the model, at the cost of a call each.
        state: state tracking: `none`, `free` or `structured`.
        max_pixels: the most pixels of a screenshot.
        clock: seconds, for the time of parsing.
    """

    def __init__(
        self,
        client: ChatClient,
        traits: ModelTraits,
        language: Language = "zh",
        images: int = 2,
        thoughts: bool = True,
        captions: bool = False,
        state: str = "none",
        max_pixels: int = MAX_PIXELS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = f"openai:{client.model}"
        self.last: Parsed | None = None
        """What was read from the model's last answer."""
        self._client = client
        self._traits = traits
        self._max_pixels = max_pixels
        self._clock = clock
        self._bill = _Bill()
        self._stop = ""
        self._served = False
        self._outgrown = ""
        captioner = Captioner(self._ask) if captions else None
        self._harness = Harness(Prompts(traits, language), images, thoughts, state_tracking(state), captioner)
        self._began = False

    def reset(self, task: Task, info: dict[str, Any], seed: int) -> None:
        """Begins an episode; of the task nothing is read, the instruction comes with the first observation."""
        self._began = False
        self._outgrown = ""
        self.last = None

    def act(self, observation: Observation, info: dict[str, Any]) -> EncodedAction:
        """Asks the model.

        Raises:
            PolicyError: the endpoint failed, or the budget is spent.
        """
        self._bill = _Bill()
        if not self._began:
            self._harness.begin(observation["instruction"])
            self._began = True
        if self._outgrown:
            return self._unasked()
        look = look_of(observation, info, self._traits.factor, self._max_pixels)
        answer, reasoning, cut_off = "", "", False
        try:
            messages = self._harness.messages(look, observation["message"], info["action_mask"])
            completion = self._ask(messages)
            answer, reasoning, cut_off = completion.text, completion.reasoning, completion.cut_off
        except EmptyAnswer:
            pass  # an answer like any other: the parser says that there is no action in it
        except ModelError as problem:
            if isinstance(problem, ContextExceeded) and self._served:
                self._outgrown = f"the episode is longer than the model's context: {problem}"
                return self._unasked()
            if self._hopeless(problem):
                self._stop = str(problem)
            raise PolicyError(str(problem)) from problem
        start = self._clock()
        rest = self._harness.take_state(answer)
        read = parse(self._traits.format, rest, look.screen, self._traits.space, cut_off)
        parsed = adapted(read, info["action_mask"])
        self._bill.parsing_seconds += self._clock() - start
        self._harness.record(rest, parsed)
        self.last = parsed
        if not parsed.thought and reasoning:
            self.last = Parsed(
                parsed.action, reasoning, parsed.flags, parsed.error, parsed.raw, parsed.call, parsed.pixels
            )
        if parsed.action is None:
            return unreadable(parsed.error, parsed.raw)
        return parsed.action.encode()

    def usage(self) -> Usage:
        """What the last `act` cost, captions and all."""
        return self._bill.usage()

    def explanation(self) -> dict[str, Any]:
        """The model's last answer, cut where it is long, and what was read from it."""
        if self.last is None:
            return {}
        return {"answer": self.last.raw, "thought": self.last.thought, "flags": sorted(self.last.flags)}

    def stop_reason(self) -> str:
        """Why no further episode can be played: a spent budget, a refused key."""
        return self._stop

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()

    def _unasked(self) -> EncodedAction:
        """A turn of an episode that has outgrown the model's context."""
        self.last = Parsed(None, error=self._outgrown)
        return unreadable(self._outgrown)

    def _hopeless(self, problem: ModelError) -> bool:
        """Whether the next episode would meet the same."""
        if isinstance(problem, ContextExceeded):
            return not self._served
        if isinstance(problem, ModelRefused):
            return problem.status in _FATAL or (problem.status in _FATAL_AT_FIRST and not self._served)
        if isinstance(problem, ModelUnreachable):
            return not self._served  # nothing ever answered there: a wrong address, or nobody serves it
        return isinstance(problem, BudgetSpent | MissingExtra | MissingKey | UncountedTokens)

    def _ask(self, messages: Sequence[Message]) -> Completion:
        try:
            completion = self._client.complete(messages)
        except EmptyAnswer as empty:
            self._served = True
            self._bill.add(empty.seconds, empty.tokens.prompt, empty.tokens.generated, empty.cost)
            raise
        self._served = True
        self._bill.add(completion.seconds, completion.prompt_tokens, completion.completion_tokens, completion.cost)
        return completion


class _Bill:
    """Sums up the calls of one turn; what one call does not tell, the sum does not know."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.parsing_seconds = 0.0
        self._prompt: list[int | None] = []
        self._generated: list[int | None] = []
        self._costs: list[float | None] = []

    def add(self, seconds: float, prompt: int | None, generated: int | None, cost: float | None) -> None:
        self.seconds += seconds
        self._prompt.append(prompt)
        self._generated.append(generated)
        self._costs.append(cost)

    def usage(self) -> Usage:
        seconds = self.seconds if self._prompt else None
        return Usage(seconds, self.parsing_seconds, _sum(self._prompt), _sum(self._generated), _sum(self._costs))


def model_policy(
    model: str,
    base_url: str = "",
    api_key_env: str = "",
    format: str | None = None,
    space: str | None = None,
    language: Language = "zh",
    history: int = 2,
    thoughts: bool = True,
    captions: bool = False,
    state: str = "none",
    temperature: float | None = 0.0,
    max_answer: int | None = None,
    max_pixels: int = MAX_PIXELS,
    stream: bool = False,
    timeout: float = 120.0,
    retries: int = 5,
    max_cost: float | None = None,
    max_tokens: int | None = None,
    prices: str | Path | None = None,
) -> ModelPolicy:
    """Makes the policy `openai:MODEL`.

    Args:
        model: the model's name at the endpoint.
        base_url: the endpoint, such as `http://127.0.0.1:8000/v1`; OpenAI's own where it is empty.
        api_key_env: the environment variable that holds the key; for OpenAI's own endpoint `OPENAI_API_KEY` where it
            is empty, for others no key is sent then.
        format: the format of actions; by the model's name where not given.
        space: how the model counts; by the model's name or the format where not given.
        language: of the prompts, zh or en.
        history: how many screenshots are sent, the present one among them.
        thoughts: whether earlier reasoning is sent.
        captions: whether screenshots that are no longer sent are described.
        state: `none`, `free` or `structured`.
        temperature: from 0 to 2; None sends none.
        max_answer: the longest answer, tokens; None for the endpoint's own.
        max_pixels: the most pixels of a screenshot.
        stream: whether to ask for a stream.
        timeout: seconds for one try of a request.
        retries: how often a request is sent again.
        max_cost: the most money of all episodes together; needs prices.
        max_tokens: the most tokens of all episodes together.
        prices: a price table, YAML.

    Raises:
        ValueError: an option is wrong.
        PriceError: the price table is wrong or lacks the model.
    """
    if not model:
        raise ValueError("the policy is openai:MODEL; the model's name is missing")
    traits = traits_of(model, format, space)
    if not traits.known:
        _LOG.warning(
            "no rule knows how the model %s writes actions: it is asked for %s and counts in the space %s; "
            "--format and --space say otherwise",
            model,
            traits.format,
            traits.space,
        )
    table = load_prices(Path(prices)) if prices is not None else None
    url, key = endpoint(base_url, api_key_env)
    client = ChatClient(
        url,
        model,
        api_key_env=key,
        timeout=timeout,
        backoff=Backoff(retries=retries),
        cap=CostCap.from_table(model, table, max_cost, max_tokens),
        temperature=temperature,
        max_tokens=max_answer,
        stream=stream,
    )
    return ModelPolicy(client, traits, language, history, thoughts, captions, state, max_pixels)


def _sum(values: Sequence[Any]) -> Any:
    return None if None in values or not values else sum(values)
