"""A chat endpoint in the test's own process: each request gets the next of the answers that a test wrote."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest


@dataclass(frozen=True)
class Reply:
    """One answer of the server. `hang` waits until the test ends; `cut` promises more bytes than it sends;
    `bare` sends no length, so that the connection's end is the body's; `drip` sends headers without end, slowly."""

    status: int = 200
    body: bytes = b""
    kind: str | None = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    hang: bool = False
    cut: bool = False
    bare: bool = False
    drip: bool = False


def good(text: Any = "hello", usage: Any = (10, 3), finish: str = "stop", **message: Any) -> Reply:
    body: dict[str, Any] = {
        "choices": [{"message": {"role": "assistant", "content": text, **message}, "finish_reason": finish}]
    }
    if usage:
        body["usage"] = {"prompt_tokens": usage[0], "completion_tokens": usage[1]}
    return Reply(body=json.dumps(body).encode())


def events(*items: Any, end: str = "data: [DONE]\n\n") -> Reply:
    lines = "".join(f"data: {json.dumps(item, ensure_ascii=False)}\n\n" for item in items)
    return Reply(body=(": hello\n\n" + lines + end).encode(), kind="text/event-stream; charset=utf-8")


def delta(text: str | None = None, finish: str | None = None, **rest: Any) -> dict[str, Any]:
    return {"choices": [{"delta": {"content": text, **rest}, "finish_reason": finish}]}


@dataclass
class Endpoint:
    url: str
    replies: list[Reply] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    state = Endpoint("")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            state.requests.append(json.loads(body))
            state.headers.append({key.lower(): value for key, value in self.headers.items()})
            state.paths.append(self.path)
            reply = state.replies.pop(0)
            if reply.hang:
                state.over.wait(10)
                self.close_connection = True
                return
            self.send_response(reply.status)
            if reply.drip:
                self.close_connection = True
                self.flush_headers()
                with suppress(OSError):
                    while not state.over.wait(0.02):
                        self.wfile.write(b"X-More: 1\r\n")
                return
            for key, value in reply.headers.items():
                self.send_header(key, value)
            if reply.kind is not None:
                self.send_header("Content-Type", reply.kind)
            if not reply.bare:
                self.send_header("Content-Length", str(len(reply.body) + (100 if reply.cut else 0)))
            self.end_headers()
            self.wfile.write(reply.body)
            self.close_connection = reply.cut or reply.bare

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = False
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_port}/v1"
    yield state
    state.over.set()
    server.shutdown()
    thread.join()
    server.server_close()
