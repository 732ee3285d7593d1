"""`ChatClient`: chat completions with pictures over an OpenAI-compatible endpoint."""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import urlsplit

from mobile_gym.models.completion import Answer, Completion, StreamReader, excerpt, lines, read_body
from mobile_gym.models.cost import CostCap
from mobile_gym.models.deadline import Connection, Deadline
from mobile_gym.models.errors import (
    ContextExceeded,
    EmptyAnswer,
    MalformedAnswer,
    MissingExtra,
    MissingKey,
    ModelError,
    ModelRefused,
    ModelTimeout,
    ModelUnreachable,
    RateLimited,
    ServerFailed,
    TruncatedAnswer,
    UncountedTokens,
)
from mobile_gym.models.messages import Message, as_json
from mobile_gym.models.retries import Backoff, retry_after, retryable
from mobile_gym.models.troubles import trouble_of

if TYPE_CHECKING:
    import httpx

_LARGEST_BODY = 16 * 2**20
_HOTTEST = 2


class _Retry(Exception):
    """A try failed in a way that another may mend: the error to raise in the end, and how long it asks to wait."""

    def __init__(self, error: ModelError, wait: float | None = None) -> None:
        super().__init__(str(error))
        self.error = error
        self.wait = wait


class ChatClient:
    """Asks a model. One client may serve several threads.

    Args:
        base_url: where the endpoint is, such as `http://127.0.0.1:8000/v1`; `/chat/completions` is added.
        model: the model's name there.
        api_key_env: the environment variable that holds the key, or None to send none.
        timeout: seconds for one try, from sending to the answer's end.
        backoff: how often and after what waits a request is sent again after 429, 5xx, time-outs and broken
            connections. A Retry-After header goes before the waits.
        cap: counts tokens and money of all requests, and stops them.
        temperature: sent as it is; None sends none, as some models refuse it.
        max_tokens: the longest answer, tokens; None for the endpoint's own.
        stream: whether to ask for a stream; answers of both kinds are read either way.
        extra: further fields of the request's body, such as `seed`.
        transport: an httpx transport, for tests.
        clock: seconds of a monotonic clock.
        now: the date and time, for Retry-After dates.
        sleep: waits seconds.
        environ: environment variables.

    Raises:
        ValueError: the base URL is no http(s) address, or holds a user, a password or a query; or a number is out of
            its range.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key_env: str | None = None,
        timeout: float = 120.0,
        backoff: Backoff | None = None,
        cap: CostCap | None = None,
        temperature: float | None = 0.0,
        max_tokens: int | None = None,
        stream: bool = False,
        extra: Mapping[str, Any] | None = None,
        transport: httpx.BaseTransport | None = None,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        sleep: Callable[[float], None] = time.sleep,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        if not 0 < timeout < math.inf:
            raise ValueError(f"timeout is more than 0 seconds, not {timeout}")
        if temperature is not None and not 0 <= temperature <= _HOTTEST:
            raise ValueError(f"a temperature is from 0 to {_HOTTEST}, not {temperature:g}")
        if max_tokens is not None and max_tokens < 1:
            raise ValueError(f"the longest answer has at least 1 token, not {max_tokens}")
        self.model = model
        self.cap = cap or CostCap()
        self._url = _endpoint(base_url)
        self._key_env = api_key_env
        self._timeout = timeout
        self._backoff = backoff or Backoff()
        self._body: dict[str, Any] = {"model": model, **(extra or {})}
        if temperature is not None:
            self._body["temperature"] = temperature
        if max_tokens is not None:
            self._body["max_tokens"] = max_tokens
        if stream:
            self._body |= {"stream": True, "stream_options": {"include_usage": True}}
        self._transport = transport
        self._clock, self._now, self._sleep = clock, now, sleep
        self._environ = environ
        # Each thread has its own connection, so that a request that takes too long can be ended by shutting it.
        self._own = _Own()
        self._counts = False
        self._opened: list[httpx.Client] = []
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"ChatClient({self._url!r}, {self.model!r})"

    def complete(self, messages: Sequence[Message]) -> Completion:
        """Sends a chat and gives the model's answer.

        Raises:
            BudgetSpent: the cap is reached; nothing was sent.
            EmptyAnswer: the model answered nothing.
            ModelError: one of the other errors of `mobile_gym.models.errors`.
        """
        self.cap.check()
        key = self._key()
        body = {**self._body, "messages": as_json(messages)}
        tries = 0
        while True:
            tries += 1
            try:
                answer, seconds = self._try(body, key)
                break
            except _Retry as failed:
                if tries > self._backoff.retries:
                    raise type(failed.error)(f"{failed.error} ({tries} tries)") from failed
                wait = self._backoff.wait(tries) if failed.wait is None else failed.wait
                if wait > self._backoff.longest:
                    raise type(failed.error)(
                        f"{failed.error}; it asks to wait {wait:.0f} s, more than {self._backoff.longest:g}"
                    ) from failed
                self._sleep(wait)
        return self._counted(answer, seconds)

    def close(self) -> None:
        """Closes the connections; calling it twice is fine."""
        with self._lock:
            opened, self._opened = self._opened, []
        for http in opened:
            http.close()

    def __enter__(self) -> ChatClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _counted(self, answer: Answer, seconds: float) -> Completion:
        tokens = answer.tokens
        if tokens.prompt is not None and tokens.generated is not None:
            self._counts = True
        elif self.cap.capped:
            # One that told before will tell again; of one that never did, each request would be paid for in vain.
            kind = MalformedAnswer if self._counts else UncountedTokens
            raise kind(
                f"{self._url} does not tell how many tokens it used, so that no cap can be held; "
                "run without a cap or let the endpoint report 'usage'"
            )
        cost = self.cap.spend(tokens.prompt, tokens.generated)
        if not answer.text.strip():
            told = f", it stopped for {answer.finish_reason!r}" if answer.finish_reason else ""
            raise EmptyAnswer(f"the model {self.model} answered nothing{told}", tokens, seconds, cost)
        return Completion(
            answer.text,
            tokens.prompt,
            tokens.generated,
            seconds,
            answer.finish_reason,
            answer.reasoning,
            cost,
            answer.raw,
        )

    def _try(self, body: Mapping[str, Any], key: str) -> tuple[Answer, float]:
        http, httpx = self._client()
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        start = self._clock()
        late = ModelTimeout(f"{self._url} did not answer in {self._timeout:g} s")
        try:
            with (
                Deadline(self._timeout, self._own.connection) as deadline,
                http.stream(
                    "POST", self._url, json=body, headers=headers, extensions={"trace": deadline.trace}
                ) as response,
            ):
                try:
                    answer = self._read(response, start, key)
                except (httpx.TransportError, ModelError):
                    if deadline.passed:
                        raise _Retry(late) from None
                    raise
        except httpx.TimeoutException as problem:
            raise _Retry(late) from problem
        except httpx.TransportError as problem:
            if deadline.passed:
                raise _Retry(late) from problem
            if isinstance(problem, httpx.RemoteProtocolError):
                cut = TruncatedAnswer(f"{self._url} broke the connection off: {_clean(str(problem), key)}")
                raise _Retry(cut) from problem
            gone = ModelUnreachable(f"{self._url} cannot be reached: {_clean(str(problem), key)}; is it running?")
            raise _Retry(gone) from problem
        except httpx.DecodingError as problem:
            raise MalformedAnswer(
                f"the answer of {self._url} is packed wrongly: {_clean(str(problem), key)}"
            ) from problem
        except (TruncatedAnswer, ServerFailed) as problem:
            raise _Retry(problem) from problem
        return answer, self._clock() - start

    def _read(self, response: httpx.Response, start: float, key: str) -> Answer:
        """Reads an answer. An endpoint may repeat the key, so it is taken out before anything is cut or shown."""
        chunks = self._chunks(response, start)
        kind = response.headers.get("content-type", "").split(";")[0].strip().lower()
        if response.status_code == 200 and kind == "text/event-stream":
            return self._streamed(_clean(line, key) for line in lines(chunks))
        text = _clean(b"".join(chunks).decode("utf-8", errors="replace"), key)
        if response.status_code != 200:
            self._refuse(response, text)
        if kind not in ("", "application/json") and not kind.endswith("+json"):
            raise MalformedAnswer(
                f"{self._url} answered with {kind}, not JSON; is this the address of a chat endpoint? "
                f"It says: {excerpt(text)}"
            )
        try:
            return read_body(text)
        except MalformedAnswer as problem:
            # Without a length, nothing but the connection's end says where the body ends.
            if not {"content-length", "transfer-encoding"} & response.headers.keys():
                raise TruncatedAnswer(f"{self._url} broke the answer off: {problem}") from problem
            raise MalformedAnswer(f"{self._url}: {problem}") from problem

    def _streamed(self, stream: Iterable[str]) -> Answer:
        reader = StreamReader()
        try:
            for line in stream:
                reader.feed(line)
            return reader.end()
        except MalformedAnswer as problem:
            raise MalformedAnswer(f"{self._url}: {problem}") from problem

    def _chunks(self, response: httpx.Response, start: float) -> Iterator[bytes]:
        """The body in pieces, with bounds on the whole: the time-out of httpx is one of each piece."""
        size = 0
        for chunk in response.iter_bytes():
            if self._clock() - start > self._timeout:
                raise _Retry(ModelTimeout(f"{self._url} did not end its answer in {self._timeout:g} s"))
            size += len(chunk)
            if size > _LARGEST_BODY:
                raise MalformedAnswer(f"the answer of {self._url} is longer than {_LARGEST_BODY} bytes")
            yield chunk

    def _refuse(self, response: httpx.Response, text: str) -> NoReturn:
        status, trouble = response.status_code, trouble_of(text)
        message = f"{self._url} answered {status}: {excerpt(trouble.told) or 'no explanation'}"
        if status == 413 or (not retryable(status) and trouble.too_long):
            raise ContextExceeded(message, status)
        if not retryable(status):
            raise ModelRefused(f"{message}{self._hint(status)}", status)
        error = RateLimited(message) if status == 429 else ServerFailed(message)
        raise _Retry(error, retry_after(response.headers.get("retry-after"), self._now()))

    def _hint(self, status: int) -> str:
        if status in (401, 403):
            return f"; is the key in {self._key_env} right?" if self._key_env else "; no key was sent, name one"
        if status == 404:
            return f"; is the address right, and is there a model {self.model!r}?"
        return ""

    def _key(self) -> str:
        if self._key_env is None:
            return ""
        key = self._environ.get(self._key_env, "").strip()
        if not key:
            raise MissingKey(f"the environment variable {self._key_env} holds no key; set it")
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise MissingKey(f"the environment variable {self._key_env} holds characters that no key has")
        return key

    def _client(self) -> tuple[httpx.Client, Any]:
        try:
            import httpx
        except ImportError as problem:
            raise MissingExtra("models need httpx; install it with: pip install 'mobile-gym[agents]'") from problem
        http = self._own.http
        if http is None or http.is_closed:
            http = self._own.http = httpx.Client(timeout=self._timeout, transport=self._transport)
            self._own.connection = Connection()
            with self._lock:
                self._opened.append(http)
        return http, httpx


class _Own(threading.local):
    """What each thread has for itself."""

    def __init__(self) -> None:
        self.http: httpx.Client | None = None
        self.connection = Connection()


def _endpoint(base_url: str) -> str:
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"a base URL is like http://127.0.0.1:8000/v1, not {excerpt(base_url.rpartition('@')[2])!r}")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError(
            f"the base URL of {parts.hostname} holds a user, a password or a query; keys come from the environment"
        )
    path = base_url.rstrip("/")
    return path if path.endswith("/chat/completions") else f"{path}/chat/completions"


def _clean(text: str, key: str) -> str:
    """A text without the key, which an endpoint may have repeated."""
    return text.replace(key, "[key]") if key else text
