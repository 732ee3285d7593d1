"""The client of chat endpoints, against a server in this process."""

from __future__ import annotations

import base64
import io
import json
import sys
import time
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import numpy as np
import pytest
from PIL import Image

from mobile_gym.models.client import ChatClient
from mobile_gym.models.completion import lines
from mobile_gym.models.cost import CostCap, Price
from mobile_gym.models.errors import (
    BudgetSpent,
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
from mobile_gym.models.messages import Message, jpeg, png
from mobile_gym.models.retries import Backoff
from tests.models.conftest import Endpoint, Reply, delta, events, good

KEY = "sk-very-secret-0123456789"
NOW = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
HELLO = [Message.of("user", "hi")]


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def make(endpoint: Endpoint, waits: list[float]) -> Iterator[Any]:
    made: list[ChatClient] = []

    def client(**options: Any) -> ChatClient:
        fixed: dict[str, Any] = {
            "backoff": Backoff(retries=2),
            "sleep": waits.append,
            "now": lambda: NOW,
            "environ": {"KEY": KEY},
        }
        made.append(ChatClient(endpoint.url, "m", **{**fixed, **options}))
        return made[-1]

    yield client
    for one in made:
        one.close()


def test_a_good_answer(endpoint: Endpoint, make: Any) -> None:
    endpoint.replies.append(good("hello", reasoning_content="why"))
    times = iter([1.0, 1.5, 3.25])
    client = make(api_key_env="KEY", clock=lambda: next(times), max_tokens=50, extra={"seed": 3})
    frame = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)
    completion = client.complete(
        [Message.of("system", "be brief"), Message.of("user", "look", png(frame), jpeg(frame))]
    )
    assert (completion.text, completion.reasoning, completion.finish_reason) == ("hello", "why", "stop")
    assert (completion.prompt_tokens, completion.completion_tokens, completion.seconds) == (10, 3, 2.25)
    assert completion.raw["choices"][0]["message"]["content"] == "hello"
    assert endpoint.paths == ["/v1/chat/completions"]
    assert endpoint.headers[0]["authorization"] == f"Bearer {KEY}"
    request = endpoint.requests[0]
    assert {key: request[key] for key in ("model", "temperature", "max_tokens", "seed")} == {
        "model": "m", "temperature": 0.0, "max_tokens": 50, "seed": 3,
    }  # fmt: skip
    system, user = request["messages"]
    assert system == {"role": "system", "content": "be brief"}
    assert user["content"][0] == {"type": "text", "text": "look"}
    sent = [part["image_url"]["url"] for part in user["content"][1:]]
    assert [url.partition(",")[0] for url in sent] == ["data:image/png;base64", "data:image/jpeg;base64"]
    picture = Image.open(io.BytesIO(base64.b64decode(sent[0].partition(",")[2])))
    assert np.array_equal(np.array(picture), frame)


def test_no_key_and_no_temperature_where_none_is_wanted(endpoint: Endpoint, make: Any) -> None:
    endpoint.replies.append(good())
    make(temperature=None).complete(HELLO)
    assert "authorization" not in endpoint.headers[0]
    assert "temperature" not in endpoint.requests[0]


@pytest.mark.parametrize(
    ("content", "message", "text"),
    [
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], {}, "ab"),
        (
            None,
            {"tool_calls": [{"function": {"name": "mobile_use", "arguments": '{"action": "click"}'}}]},
            '<tool_call>\n{"name": "mobile_use", "arguments": {"action": "click"}}\n</tool_call>',
        ),
        (
            "",
            {"tool_calls": [{"function": {"name": "x", "arguments": {"a": 1}}}, "?"]},
            '<tool_call>\n{"name": "x", "arguments": {"a": 1}}\n</tool_call>',
        ),
    ],
)
def test_other_shapes_of_content(endpoint: Endpoint, make: Any, content: Any, message: Any, text: str) -> None:
    endpoint.replies.append(good(content, **message))
    assert make().complete(HELLO).text == text


def test_waits_grow_and_retry_after_goes_first(endpoint: Endpoint, make: Any, waits: list[float]) -> None:
    date = format_datetime(NOW + timedelta(seconds=7), usegmt=True)
    endpoint.replies += [
        Reply(429, b'{"error": {"message": "slow down"}}', headers={"Retry-After": "3"}),
        Reply(503, b"busy", "text/plain"),
        Reply(429, headers={"Retry-After": date}),
        Reply(500, headers={"Retry-After": "soon"}),
        Reply(529),
        good("at last"),
    ]
    assert make(backoff=Backoff(retries=5)).complete(HELLO).text == "at last"
    assert waits == [3.0, 2.0, 7.0, 8.0, 16.0]


@pytest.mark.parametrize(
    ("reply", "error", "told"),
    [
        (Reply(500, b"oops", "text/plain"), ServerFailed, r"500: oops \(3 tries\)"),
        (Reply(429, b'{"error": {"message": "slow down"}}'), RateLimited, "429: slow down"),
        (Reply(body=b'{"choices": [', cut=True), TruncatedAnswer, "broke the connection off"),
        (events(delta("hal"), end=""), TruncatedAnswer, "ended before the answer did, after 3 characters"),
        (events(delta("hal"), end='data: {"cho'), TruncatedAnswer, "ended in the middle of an event"),
        (Reply(body=b'{"choices": [', bare=True), TruncatedAnswer, "broke the answer off"),
        (Reply(body=b"", bare=True), TruncatedAnswer, "broke the answer off"),
        (Reply(body=b'{"error": {"message": "model is loading"}}'), ServerFailed, r"loading \(3 tries\)"),
        (Reply(body=b'{"error": {"message": "no", "code": 503}}'), ServerFailed, r"no \(3 tries\)"),
        (events({"error": {"message": "overloaded"}}), ServerFailed, "overloaded"),
        (events(delta("hal"), {"error": {"message": "overloaded"}}), ServerFailed, "overloaded"),
        (
            events({"error": {"code": 502, "message": "x"}, "choices": [{"delta": {}, "finish_reason": "error"}]}),
            ServerFailed,
            "x",
        ),
    ],
)
def test_what_stays_broken_is_told(endpoint: Endpoint, make: Any, reply: Reply, error: type, told: str) -> None:
    endpoint.replies += [reply] * 3
    with pytest.raises(error, match=told):
        make().complete(HELLO)


def test_an_endpoint_that_asks_for_too_much_patience(endpoint: Endpoint, make: Any, waits: list[float]) -> None:
    endpoint.replies.append(Reply(429, headers={"Retry-After": "3600"}))
    with pytest.raises(RateLimited, match="asks to wait 3600 s"):
        make().complete(HELLO)
    assert waits == []


def test_time_outs(endpoint: Endpoint, make: Any) -> None:
    endpoint.replies += [Reply(hang=True)] * 2
    with pytest.raises(ModelTimeout, match=r"did not answer in 0\.05 s \(2 tries\)"):
        make(timeout=0.05, backoff=Backoff(retries=1)).complete(HELLO)


def test_headers_that_never_end_are_a_time_out(endpoint: Endpoint, make: Any) -> None:
    endpoint.replies += [Reply(drip=True), Reply(drip=True), good("on time"), Reply(drip=True)]
    client = make(timeout=0.3, backoff=Backoff(retries=1))
    began = time.monotonic()
    with pytest.raises(ModelTimeout, match=r"did not answer in 0\.3 s \(2 tries\)"):
        client.complete(HELLO)
    assert client.complete(HELLO).text == "on time"
    # The connection that is kept open has the same bound.
    endpoint.replies.append(Reply(drip=True))
    with pytest.raises(ModelTimeout):
        client.complete(HELLO)
    assert time.monotonic() - began < 5


def test_a_stream_that_never_ends_is_a_time_out(endpoint: Endpoint, make: Any) -> None:
    endpoint.replies.append(events(delta("a")))
    times = iter([0.0, 1000.0])
    with pytest.raises(ModelTimeout, match="did not end its answer"):
        make(clock=lambda: next(times), backoff=Backoff(retries=0)).complete(HELLO)


def test_nobody_there(make: Any) -> None:
    with (
        ChatClient("http://127.0.0.1:9/v1", "m", backoff=Backoff(retries=0)) as client,
        pytest.raises(ModelUnreachable, match="is it running"),
    ):
        client.complete(HELLO)


@pytest.mark.parametrize(
    ("reply", "error", "told"),
    [
        (Reply(body=b"{nonsense"), MalformedAnswer, "no JSON: {nonsense"),
        (Reply(body=b""), MalformedAnswer, "it is empty"),
        (Reply(body=b"[1]"), MalformedAnswer, "no JSON object"),
        (Reply(body=b"[" * 100_000), MalformedAnswer, "no JSON"),
        (Reply(body=b'{"id": 1}'), MalformedAnswer, "no choices"),
        (Reply(body=b'{"choices": []}'), MalformedAnswer, "no choices"),
        (Reply(body=b'{"choices": [{}]}'), MalformedAnswer, "no 'message'"),
        (Reply(body=b"<html>Sign in</html>", kind="text/html"), MalformedAnswer, "text/html, not JSON.*Sign in"),
        (Reply(body=b"xx", headers={"Content-Encoding": "gzip"}), MalformedAnswer, "packed wrongly"),
        (Reply(body=b'{"error": {"message": "no credit"}}'), ModelRefused, "no credit"),
        (Reply(401, b'{"error": {"message": "bad key"}}'), ModelRefused, "401: bad key; no key was sent"),
        (Reply(404, b'{"detail": "Not Found"}'), ModelRefused, "is there a model 'm'"),
        (Reply(302, headers={"Location": "/x"}), ModelRefused, "302"),
        (events({"error": {"message": "CUDA out of memory"}}), ModelRefused, "CUDA out of memory"),
        (Reply(400, b'{"error": {"message": "bad", "code": "context_length_exceeded"}}'), ContextExceeded, "bad"),
        (Reply(400, b"This model's maximum context length is 32768 tokens.", "text/plain"), ContextExceeded, "32768"),
        (Reply(400, '{"error": {"code": 1261, "message": "Prompt 超长"}}'.encode()), ContextExceeded, "Prompt"),
        (Reply(413, b"too large", "text/plain"), ContextExceeded, "413"),
        (Reply(body=b'{"error": {"message": "prompt is too long: 3 tokens > 2"}}'), ContextExceeded, "too long"),
        (events(), MalformedAnswer, "held no choices"),
        (good(""), EmptyAnswer, "answered nothing, it stopped for 'stop'"),
        (good("  \n", finish="length"), EmptyAnswer, "'length'"),
        (good(None), EmptyAnswer, "answered nothing"),
    ],
)
def test_what_is_no_answer_is_told_at_once(
    endpoint: Endpoint, make: Any, waits: list[float], reply: Reply, error: type, told: str
) -> None:
    endpoint.replies.append(reply)
    with pytest.raises(error, match=told):
        make().complete(HELLO)
    assert waits == []


def test_streams_are_put_together(endpoint: Endpoint, make: Any) -> None:
    call = {"tool_calls": [{"index": 0, "function": {"name": "f", "arguments": '{"a"'}}]}
    more = {"tool_calls": [{"index": 0, "function": {"arguments": ": 1}"}}]}
    endpoint.replies += [
        events(
            delta(reasoning_content="hm"), delta("声"), delta("音"), delta(finish="stop"),
            {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2}},
        ),
        events(delta("cut by the limit", finish="length"), end=""),
        events(delta(**call), delta(**more), delta(finish="tool_calls")),
    ]  # fmt: skip
    client = make(stream=True)
    first = client.complete(HELLO)
    assert (first.text, first.reasoning, first.prompt_tokens, first.completion_tokens) == ("声音", "hm", 5, 2)
    assert endpoint.requests[0]["stream"] is True
    assert endpoint.requests[0]["stream_options"] == {"include_usage": True}
    second = client.complete(HELLO)
    assert (second.text, second.finish_reason, second.prompt_tokens) == ("cut by the limit", "length", None)
    assert client.complete(HELLO).text == '<tool_call>\n{"name": "f", "arguments": {"a": 1}}\n</tool_call>'


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_lines_may_end_in_three_ways(end: str, size: int) -> None:
    data = end.join(["data: 声", "", "x", ""]).encode()
    chunks = [data[at : at + size] for at in range(0, len(data), size)]
    assert [line for line in lines(chunks) if line] == ["data: 声", "x"]
    assert list(lines(chunks))[:3] == ["data: 声", "", "x"]


def test_only_the_first_of_several_choices_is_read(endpoint: Endpoint, make: Any) -> None:
    def choice(index: int, text: str) -> dict[str, Any]:
        return {"index": index, "delta": {"content": text}, "finish_reason": None}

    endpoint.replies += [
        events({"choices": [choice(1, "b")]}, {"choices": [choice(1, "b"), choice(0, "a")]}, delta("a", "stop")),
        Reply(
            body=json.dumps(
                {"choices": [{"index": 1, "message": {"content": "b"}}, {"index": 0, "message": {"content": "a"}}]}
            ).encode()
        ),
    ]
    client = make()
    assert client.complete(HELLO).text == "aa"
    assert client.complete(HELLO).text == "a"


@pytest.mark.parametrize(("finish", "cut"), [("stop", False), ("", False), ("length", True), ("content_filter", True)])
def test_whether_the_answer_was_cut_off(endpoint: Endpoint, make: Any, finish: str, cut: bool) -> None:
    endpoint.replies.append(good(finish=finish))
    assert make().complete(HELLO).cut_off is cut


def test_caps_stop_before_the_next_request(endpoint: Endpoint, make: Any) -> None:
    endpoint.replies += [good(usage=(1000, 500)), good("", usage=(1000, 500)), good()]
    cap = CostCap(Price(prompt=2, generated=8), max_cost=0.01)
    client = make(cap=cap)
    assert client.complete(HELLO).cost == pytest.approx(0.006)
    with pytest.raises(EmptyAnswer) as empty:
        client.complete(HELLO)
    assert empty.value.cost == pytest.approx(0.006)
    assert (empty.value.tokens.prompt, empty.value.tokens.generated) == (1000, 500)
    with pytest.raises(BudgetSpent, match=r"0\.01 USD is reached \(0\.0120 spent\)"):
        client.complete(HELLO)
    assert len(endpoint.requests) == 2
    by_tokens = make(cap=CostCap(max_tokens=10))
    assert by_tokens.complete(HELLO).cost is None
    with pytest.raises(BudgetSpent, match=r"10 tokens is reached \(13 spent\)"):
        by_tokens.complete(HELLO)


def test_a_cap_needs_an_endpoint_that_counts(endpoint: Endpoint, make: Any) -> None:
    endpoint.replies.append(good(usage=None))
    with pytest.raises(UncountedTokens, match="does not tell how many tokens"):
        make(cap=CostCap(max_tokens=10)).complete(HELLO)
    endpoint.replies += [good(), good(usage=None)]
    client = make(cap=CostCap(max_tokens=100))
    client.complete(HELLO)
    with pytest.raises(MalformedAnswer) as once:
        client.complete(HELLO)
    assert not isinstance(once.value, UncountedTokens)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"temperature": 5}, "from 0 to 2, not 5"),
        ({"temperature": -1}, "from 0 to 2"),
        ({"temperature": float("nan")}, "from 0 to 2"),
        ({"max_tokens": -5}, "at least 1 token, not -5"),
        ({"max_tokens": 0}, "at least 1 token"),
        ({"timeout": 0}, "timeout"),
        ({"timeout": float("nan")}, "timeout"),
    ],
)
def test_numbers_out_of_range(options: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        ChatClient("http://127.0.0.1:9/v1", "m", **options)


@pytest.mark.parametrize(
    "reply",
    [
        Reply(401, json.dumps({"error": {"message": f"wrong key {KEY}"}}).encode()),
        Reply(400, ("x" * 290 + KEY).encode(), "text/plain"),
        Reply(503, f"proxy of {KEY}".encode(), "text/plain"),
        Reply(body=json.dumps({"error": f"Bearer {KEY}"}).encode()),
        Reply(body=f"{{{KEY}".encode()),
        Reply(body=KEY.encode(), kind="text/html"),
        events({"error": {"message": KEY}}),
    ],
)
def test_no_error_tells_the_key(endpoint: Endpoint, make: Any, reply: Reply) -> None:
    endpoint.replies.append(reply)
    client = make(api_key_env="KEY", backoff=Backoff(retries=0))
    with pytest.raises(ModelError) as error:
        client.complete(HELLO)
    shown = "".join(traceback.format_exception(error.value)) + repr(client)
    assert "very-secret" not in shown
    assert len(str(error.value)) < 600


@pytest.mark.parametrize(
    ("value", "told"),
    [(None, "holds no key"), (" ", "holds no key"), ("schlüssel-x", "no key has"), ("a\nb", "no key has")],
)
def test_keys_that_are_none(make: Any, value: str | None, told: str) -> None:
    with pytest.raises(MissingKey, match=told) as error:
        make(api_key_env="KEY", environ={} if value is None else {"KEY": value}).complete(HELLO)
    assert "KEY" in str(error.value)
    assert "schlüssel" not in "".join(traceback.format_exception(error.value))


@pytest.mark.parametrize(
    "url", ["127.0.0.1:8000", "ftp://x/v1", "", "http://", "http://me:pass@host/v1", "http://h/v1?key=pass"]
)
def test_addresses_that_are_none(url: str) -> None:
    with pytest.raises(ValueError, match="base URL") as error:
        ChatClient(url, "m")
    assert "pass" not in str(error.value).replace("password", "")


def test_without_the_library_the_extra_is_named(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(MissingExtra, match=r"mobile-gym\[agents\]"):
        make().complete(HELLO)
