"""A small HTTP server on a loopback port that shows a device and passes touches, keys and texts on to it.

- `GET /`: the page.
- `GET /state.json`: what the environment tells (instruction, turn, last action, …), and `version`, which grows with
  every change.
- `GET /screen.jpg`, `GET /screen.png`: the screen now, at its own size.
- `POST /input`: one touch or text as an action of the shared vocabulary, such as
  `{"action_type": "tap", "touch_point": [500, 200]}`, or a key, `{"key": "delete"}`.

It answers only requests that were addressed to the loopback host itself, so that no other page in the browser can
reach the phone.
"""

from __future__ import annotations

import io
import json
import sys
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any, get_args
from urllib.parse import urlsplit

from PIL import Image

from mobile_gym.devices.base import Device, Key
from mobile_gym.devices.errors import DeviceError
from mobile_gym.envs import hands
from mobile_gym.envs.actions import ActionType, MalformedAction, parse_action

_TOUCHES = frozenset(ActionType) - {
    ActionType.CALL_USER,
    ActionType.ANSWER,
    ActionType.FINISH,
    ActionType.FINISH_INFEASIBLE,
}
_MAX_BODY = 100_000


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away in the middle of an answer is no error of this program."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class LivePage:
    """Serves the page until it is closed.

    Args:
        device: gives the device; called anew for each request, since a device may be opened again.
        lock: held while the device is used, so that a person and an agent never act at once.
        status: what `state.json` tells; JSON values.
        port: the loopback port, 0 for a free one.
    """

    def __init__(
        self,
        device: Callable[[], Device],
        lock: AbstractContextManager[Any],
        status: Callable[[], dict[str, Any]],
        port: int = 0,
    ) -> None:
        self._device = device
        self._lock = lock
        self._status = status
        self._version = 0
        self._server = _Server(("127.0.0.1", port), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """The page's address."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/"

    def refresh(self) -> None:
        """Tells the page that something changed."""
        self._version += 1

    def close(self) -> None:
        """Ends the server; calling it twice is fine."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def state(self) -> dict[str, Any]:
        """What `state.json` holds."""
        return {**self._status(), "version": self._version}

    def told(self, state: dict[str, Any]) -> None:
        """Called when a browser was told the state; for pages that must know."""

    def picture(self, kind: str) -> bytes:
        """The screen now, as `JPEG` or `PNG`.

        Raises:
            DeviceError: it cannot be captured.
        """
        with self._lock:
            frame = self._device().screenshot()
        out = io.BytesIO()
        Image.fromarray(frame).save(out, kind, **({"quality": 90} if kind == "JPEG" else {"compress_level": 1}))
        return out.getvalue()

    def touch(self, request: dict[str, Any]) -> None:
        """Does what a person did on the page.

        Raises:
            MalformedAction: the request is no touch, text or key.
            DeviceError: the device refused it or failed.
        """
        with self._lock:
            device = self._device()
            if "key" in request:
                key = request["key"]
                if key not in get_args(Key):
                    raise MalformedAction(f"unknown key {key!r}; there are {', '.join(get_args(Key))}")
                device.press(key)
                device.settle()
            else:
                action = parse_action(request)
                if action.kind not in _TOUCHES:
                    raise MalformedAction(f"{action.kind.word} does not touch the phone")
                info = device.info
                hands.perform(device, action, (info.width, info.height))
        self.refresh()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        page = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if not self._from_here():
                    return
                path = urlsplit(self.path).path
                try:
                    if path == "/":
                        self._send(HTTPStatus.OK, "text/html; charset=utf-8", _html())
                    elif path == "/state.json":
                        self._send_state()
                    elif path in ("/screen.jpg", "/screen.png"):
                        kind = "JPEG" if path.endswith("jpg") else "PNG"
                        self._send(HTTPStatus.OK, f"image/{kind.lower()}", page.picture(kind))
                    else:
                        self._send_json(HTTPStatus.NOT_FOUND, {"error": f"there is nothing at {path}"})
                except DeviceError as problem:
                    self._send_json(HTTPStatus.SERVICE_UNAVAILABLE, {"error": str(problem)})

            def do_POST(self) -> None:
                if not self._from_here():
                    return
                if urlsplit(self.path).path != "/input":
                    self._send_json(HTTPStatus.NOT_FOUND, {"error": "input goes to /input"})
                    return
                try:
                    page.touch(self._body())
                except (MalformedAction, json.JSONDecodeError, UnicodeDecodeError) as problem:
                    self._send_json(HTTPStatus.BAD_REQUEST, {"error": str(problem)})
                except hands.REFUSALS as problem:
                    self._send_json(HTTPStatus.CONFLICT, {"error": str(problem)})
                except DeviceError as problem:
                    self._send_json(HTTPStatus.SERVICE_UNAVAILABLE, {"error": str(problem)})
                else:
                    self._send_state()

            def log_message(self, format: str, *args: Any) -> None:
                """Requests are not logged: the terminal belongs to the program that runs the environment."""

            def _body(self) -> dict[str, Any]:
                length = self.headers.get("Content-Length", "")
                if not length.isascii() or not length.isdigit() or int(length) > _MAX_BODY:
                    raise MalformedAction(f"an input is a JSON object of at most {_MAX_BODY} bytes")
                body = json.loads(self.rfile.read(int(length)))
                if not isinstance(body, dict):
                    raise MalformedAction("an input is a JSON object")
                return body

            def _from_here(self) -> bool:
                port = self.server.server_address[1]  # type: ignore[index]
                hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
                origin = self.headers.get("Origin")
                if self.headers.get("Host") in hosts and (origin is None or urlsplit(origin).netloc in hosts):
                    return True
                self._send_json(HTTPStatus.FORBIDDEN, {"error": "this page answers only its own host"})
                return False

            def _send_state(self) -> None:
                state = page.state()
                self._send_json(HTTPStatus.OK, state)
                page.told(state)

            def _send_json(self, status: HTTPStatus, value: dict[str, Any]) -> None:
                self._send(status, "application/json", json.dumps(value, ensure_ascii=False).encode())

            def _send(self, status: HTTPStatus, kind: str, body: bytes) -> None:
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.send_header("Cache-Control", "no-store")
                self.end_headers()
                self.wfile.write(body)

        return Handler


def _html() -> bytes:
    return files("mobile_gym.envs.live_page").joinpath("page.html").read_bytes()
