"""From the bytes of an answer to a completion: whole bodies and streams."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from mobile_gym.models.errors import (
    ContextExceeded,
    MalformedAnswer,
    ModelRefused,
    ServerFailed,
    SpentTokens,
    TruncatedAnswer,
)
from mobile_gym.models.troubles import trouble_in

_SHOWN = 300
_LINE_END = re.compile(rb"\r\n|\r|\n")
_SSE_DONE = "[DONE]"
_CUT_OFF = frozenset({"length", "max_tokens", "content_filter", "abort", "error"})


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model answered.

    Attributes:
        text: the answer. Tool calls that the server took out of it are put back as `<tool_call>` blocks.
        prompt_tokens: tokens sent, or None where the endpoint does not tell.
        completion_tokens: tokens received, or None.
        seconds: from sending the request to the answer's end; waits between retries do not count.
        finish_reason: why the model stopped: `stop`, `length` (cut at the limit), `content_filter` …; else empty.
        reasoning: the model's reasoning where the endpoint gives it apart; else empty.
        cost: what the request cost, or None where the price is not known.
        raw: the answer as it came; of a stream, its last event that held anything.
    """

    text: str
    prompt_tokens: int | None
    completion_tokens: int | None
    seconds: float
    finish_reason: str
    reasoning: str = ""
    cost: float | None = None
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def cut_off(self) -> bool:
        """Whether the model was stopped before it was done."""
        return self.finish_reason.lower() in _CUT_OFF


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer before it is timed and priced; the text may be empty."""

    text: str
    reasoning: str
    finish_reason: str
    tokens: SpentTokens
    raw: Mapping[str, Any]


def excerpt(text: str, limit: int = _SHOWN) -> str:
    """The beginning of a text, in one line, for messages."""
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[:limit]}…"


def read_body(text: str) -> Answer:
    """Reads a whole answer.

    Raises:
        MalformedAnswer: it is no JSON, or no chat completion.
        ModelRefused: it holds an error in the place of an answer.
        ServerFailed: it holds one that passes.
    """
    data = _object(text, "the answer")
    choice = _first_choice(data)
    message = choice.get("message")
    if not isinstance(message, dict):
        raise MalformedAnswer(f"the answer's first choice has no 'message': {excerpt(text)}")
    content = _text(message.get("content")) or _tool_calls(message.get("tool_calls"))
    return Answer(content, _reasoning(message), str(choice.get("finish_reason") or ""), _usage(data), data)


class StreamReader:
    """Puts a streamed answer together, line by line."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._reasoning: list[str] = []
        self._calls: dict[int, dict[str, str]] = {}
        self._finish = ""
        self._done = False
        self._tokens = SpentTokens()
        self._last: dict[str, Any] = {}
        self._data: list[str] = []

    def feed(self, line: str) -> None:
        """Takes one line of the event stream, without its end.

        Raises:
            MalformedAnswer: an event is no JSON object.
            ModelRefused: an event holds an error.
            ServerFailed: an event holds one that passes.
        """
        if line == "":
            self._flush()
        elif line.startswith("data:"):
            self._data.append(line[5:].removeprefix(" "))

    def end(self) -> Answer:
        """The whole answer, after the last line.

        Raises:
            TruncatedAnswer: the stream ended before the model did.
            MalformedAnswer: no event held a choice.
        """
        try:
            self._flush()
        except MalformedAnswer as problem:
            if not self._done:
                raise TruncatedAnswer(f"the stream ended in the middle of an event: {problem}") from problem
        if not self._done and not self._finish:
            got = sum(map(len, self._texts))
            raise TruncatedAnswer(f"the stream ended before the answer did, after {got} characters")
        if not self._last:
            raise MalformedAnswer("the stream held no choices")
        text = "".join(self._texts)
        if not text and self._calls:
            text = _tool_calls([{"function": self._calls[index]} for index in sorted(self._calls)])
        return Answer(text, "".join(self._reasoning), self._finish, self._tokens, self._last)

    def _flush(self) -> None:
        data, self._data = "\n".join(self._data), []
        if not data:
            return
        if data.strip() == _SSE_DONE:
            self._done = True
            return
        event = _object(data, "an event of the stream")
        _refuse_error(event)
        usage = _usage(event)
        if usage.prompt is not None or usage.generated is not None:
            self._tokens = usage
        choice = _answering(event.get("choices"))
        if choice is None:
            return
        self._last = event
        self._finish = str(choice.get("finish_reason") or self._finish)
        delta = choice.get("delta")
        if isinstance(delta, dict):
            self._texts.append(_text(delta.get("content")))
            self._reasoning.append(_reasoning(delta))
            self._add_calls(delta.get("tool_calls"))

    def _add_calls(self, deltas: object) -> None:
        for delta in deltas if isinstance(deltas, list) else []:
            if not isinstance(delta, dict) or not isinstance(delta.get("function"), dict):
                continue
            index = delta.get("index")
            call = self._calls.setdefault(index if isinstance(index, int) else 0, {"name": "", "arguments": ""})
            for key in call:
                call[key] += _text(delta["function"].get(key))


def lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """The lines of a stream of bytes; characters and lines may be cut anywhere."""
    rest = b""
    for chunk in chunks:
        data = rest + chunk
        held = b"\r" if data.endswith(b"\r") else b""  # the next chunk may begin with the other half of a line's end
        *whole, rest = _LINE_END.split(data[: len(data) - len(held)])
        rest += held
        for line in whole:
            yield line.decode("utf-8", errors="replace")
    if rest:
        yield rest.removesuffix(b"\r").decode("utf-8", errors="replace")


def _object(text: str, what: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise MalformedAnswer(f"{what} is no JSON: {excerpt(text) or 'it is empty'}") from problem
    if not isinstance(data, dict):
        raise MalformedAnswer(f"{what} is no JSON object: {excerpt(text)}")
    return data


def _first_choice(data: dict[str, Any]) -> dict[str, Any]:
    _refuse_error(data)
    choice = _answering(data.get("choices"))
    if choice is None:
        raise MalformedAnswer(f"the answer has no choices: {excerpt(json.dumps(data, ensure_ascii=False))}")
    return choice


def _answering(choices: object) -> dict[str, Any] | None:
    """The choice that is read: the first one, which others may come between in a stream."""
    every = [choice for choice in choices if isinstance(choice, dict)] if isinstance(choices, list) else []
    return next((choice for choice in every if choice.get("index") in (0, None)), None)


def _refuse_error(data: dict[str, Any]) -> None:
    trouble = trouble_in(data)
    choice = _answering(data.get("choices"))
    if trouble is None or (choice is not None and choice.get("finish_reason") != "error"):
        return
    message = f"the endpoint answered with an error: {excerpt(trouble.told)}"
    if trouble.too_long:
        raise ContextExceeded(message, 200)
    if trouble.passing:
        raise ServerFailed(message)
    raise ModelRefused(message, 200)


def _text(content: object) -> str:
    if isinstance(content, str):
        # JSON may escape halves of surrogate pairs, which are no characters and could not be sent back.
        return content.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(content, list):
        return "".join(_text(part.get("text")) for part in content if isinstance(part, dict))
    return ""


def _reasoning(message: Mapping[str, Any]) -> str:
    return _text(message.get("reasoning_content")) or _text(message.get("reasoning"))


def _tool_calls(calls: object) -> str:
    blocks = []
    for call in calls if isinstance(calls, list) else []:
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(function, dict):
            continue
        arguments = function.get("arguments")
        shown = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
        name = json.dumps(str(function.get("name") or ""), ensure_ascii=False)
        blocks.append(f'<tool_call>\n{{"name": {name}, "arguments": {shown or "{}"}}}\n</tool_call>')
    return "\n".join(blocks)


def _usage(data: Mapping[str, Any]) -> SpentTokens:
    usage = data.get("usage")
    if not isinstance(usage, dict):
        return SpentTokens()
    return SpentTokens(_count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens")))


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
