"""Telling a running ADB server that there is a new phone, as emulators do when they start."""

from __future__ import annotations

import socket

_TIMEOUT_S = 2.0


def announce(adb_port: int, server_port: int, host: str = "127.0.0.1") -> bool:
    """Tells the ADB server on this machine to look at a port; tells whether there was a server.

    The server then shows the phone as `emulator-<adb_port - 1>`, even where the port is none of those that it looks at
    when it starts (5555 to 5585).

    Args:
        adb_port: where the phone's `adbd` listens.
        server_port: where the ADB server listens, 5037 unless told otherwise.
        host: the server's address.
    """
    request = f"host:emulator:{adb_port}".encode()
    try:
        with socket.create_connection((host, server_port), timeout=_TIMEOUT_S) as connected:
            connected.sendall(b"%04x" % len(request) + request)
    except OSError:
        return False
    return True
