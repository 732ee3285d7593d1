"""The emulator's console, over a socket of its own: snapshots, text messages, calls.

Its replies must be read: `adb emu` itself exits with 0 whatever the console says.
"""

from __future__ import annotations

import contextlib
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mobile_gym.devices.adb_server import Deadline
from mobile_gym.devices.errors import CapabilityMissing, CommandFailed, DeviceOffline
from mobile_gym.devices.parse.console import ConsoleReply, parse_reply, token_path

TOKEN: Final = ".emulator_console_auth_token"
_MOST: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class EmulatorConsole:
    """The console of one emulator.

    Attributes:
        host: where the emulator runs.
        port: the console's port, 5554 in `emulator-5554`.
        token_file: the file with the token; by default the one that the console names, else the one in the home folder.
    """

    host: str
    port: int
    token_file: Path | None = None

    def command(self, line: str, deadline: Deadline) -> ConsoleReply:
        """Sends one command and gives the reply, `OK` or `KO`.

        Raises:
            CapabilityMissing: the console cannot be reached, or does not take the token.
            DeviceTimeout: no reply in time.
        """
        if "\n" in line or "\r" in line:
            raise CommandFailed(f"a console command has one line: {line!r}")
        try:
            with socket.create_connection((self.host, self.port), timeout=deadline.left(3.0)) as connection:
                return self._talk(connection, line, deadline)
        except TimeoutError as error:
            raise deadline.error() from error
        except ConnectionRefusedError as error:
            raise CapabilityMissing(
                f"no emulator console listens at {self.host}:{self.port}; only emulators have one", "snapshots"
            ) from error
        except OSError as error:
            raise DeviceOffline(f"the emulator console at {self.host}:{self.port} broke off: {error}") from error

    def _talk(self, connection: socket.socket, line: str, deadline: Deadline) -> ConsoleReply:
        greeting = self._reply(connection, deadline)
        said = "\n".join((*greeting.body, greeting.message)) + "\n"
        if "Android Console" not in said:
            raise CapabilityMissing(f"what listens at {self.host}:{self.port} is no emulator console", "snapshots")
        named = token_path(said)
        if named is not None:
            connection.sendall(f"auth {self._token(named)}\r\n".encode())
            reply = self._reply(connection, deadline)
            if not reply.ok:
                raise CapabilityMissing(
                    f"the emulator console at port {self.port} refused the token: {reply.text}. "
                    f"The emulator and this process must share one home folder.",
                    "snapshots",
                )
        connection.sendall(line.encode() + b"\r\n")
        reply = self._reply(connection, deadline)
        with contextlib.suppress(OSError):  # the reply is here; an emulator that stops need not hear more
            connection.sendall(b"quit\r\n")
        return reply

    def _reply(self, connection: socket.socket, deadline: Deadline) -> ConsoleReply:
        data = b""
        while len(data) < _MOST:
            connection.settimeout(deadline.left())
            more = connection.recv(65536)
            data += more
            reply = parse_reply(data.decode("utf-8", "replace"))
            if reply is not None:
                return reply
            if not more:
                break
        raise DeviceOffline(f"the emulator console at port {self.port} gave no reply but {data[:200]!r}")

    def _token(self, named: str) -> str:
        tried = [self.token_file] if self.token_file else [Path(named)] if named else []
        if not self.token_file:
            tried.append(Path.home() / TOKEN)
        for path in tried:
            if path.is_file():
                return path.read_text("utf-8").strip()
        raise CapabilityMissing(
            f"the emulator console at port {self.port} asks for a token, and "
            f"{' and '.join(map(str, tried))} does not exist",
            "snapshots",
        )
