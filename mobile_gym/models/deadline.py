"""A bound on a whole request.

httpx bounds each wait for bytes: a server that sends a byte now and then is waited for without end, be it in the
headers or in the body. So a timer shuts the connection itself.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any


class Connection:
    """The socket that the last request went over; the next one may go over it again."""

    def __init__(self) -> None:
        self.socket: socket.socket | None = None


class Deadline:
    """Shuts a connection after some seconds.

    Args:
        seconds: how long the request may take.
        connection: the thread's connection.
    """

    def __init__(self, seconds: float, connection: Connection) -> None:
        self.passed = False
        """Whether the time is over."""
        self._connection = connection
        self._socket = connection.socket
        self._lock = threading.Lock()
        self._timer = threading.Timer(seconds, self._pass)
        self._timer.daemon = True

    def __enter__(self) -> Deadline:
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Hears of new connections; the `trace` extension of an httpx request."""
        if event.endswith(("connect_tcp.complete", "connect_unix_socket.complete", "start_tls.complete")):
            made = info["return_value"].get_extra_info("socket")
            with self._lock:
                self._connection.socket = self._socket = made
                if self.passed:
                    _shut(made)

    def _pass(self) -> None:
        with self._lock:
            self.passed = True
            _shut(self._socket)


def _shut(connection: socket.socket | None) -> None:
    if connection is not None:
        with suppress(OSError):
            # Not the method of TLS sockets: it would take the state away that the reading thread uses.
            socket.socket.shutdown(connection, socket.SHUT_RDWR)
