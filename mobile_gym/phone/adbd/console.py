"""The emulator console: a line of text in, lines of text and `OK` or `KO: why` out."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from mobile_gym.phone.adbd import console_text as text
from mobile_gym.phone.adbd.console_commands import ConsoleCommands, Machine, Refused
from mobile_gym.phone.errors import PhoneError

_LONGEST_LINE = 4096
_LOG = logging.getLogger(__name__)


class Console:
    """The console of one phone; serves any number of connections.

    Args:
        machine: the phone and what it runs in.
        token: what clients must send before anything else; None or empty for no authentication.
        token_path: where the greeting says that the token is.
        kill: ends the phone.
    """

    def __init__(self, machine: Machine, token: str | None, token_path: str, kill: Callable[[], None]) -> None:
        self._commands = ConsoleCommands(machine)
        self._token = token or None
        self._token_path = token_path
        self._kill = kill

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Talks with one client until it quits or goes."""
        session = _Session(self._commands, self._token)
        try:
            _send(writer, text.greeting(None if self._token is None else self._token_path))
            while not session.over:
                line = await reader.readline()
                if not line:
                    return
                _send(writer, await session.answer(line))
                await writer.drain()
        except (ConnectionError, ValueError, asyncio.LimitOverrunError) as error:
            _LOG.debug("console connection ended: %r", error)
        finally:
            writer.close()
            try:
                await writer.wait_closed()
            except ConnectionError as error:
                _LOG.debug("while closing: %r", error)
        if session.killed:
            self._kill()


def _send(writer: asyncio.StreamWriter, lines: str) -> None:
    if lines:
        writer.write((lines + "\n").replace("\n", "\r\n").encode())


class _Session:
    """One client's state: whether it has shown the token, whether it is done."""

    def __init__(self, commands: ConsoleCommands, token: str | None) -> None:
        self._commands = commands
        self._token = token
        self.over = False
        self.killed = False

    async def answer(self, raw: bytes) -> str:
        """What is printed for a line; lines are parted by a bare newline here."""
        try:
            line = raw.decode("utf-8").strip("\r\n")
        except UnicodeDecodeError:
            self.over = True
            return "KO: Forbidden binary request. Aborting"
        if len(line) > _LONGEST_LINE:
            return "KO: line too long"
        if not line:
            return ""  # clients part the token and the command by one
        name, args = text.split_command(line)
        try:
            output = await self._run(name, args.rstrip(" "))
        except Refused as refusal:
            reasons = "\n".join(f"KO: {reason}" for reason in str(refusal).split("\n"))
            return f"{refusal.output}\n{reasons}" if refusal.output else reasons
        except PhoneError as error:
            return f"KO: {error}"
        if self.killed:
            return "OK: killing emulator, bye bye"
        if self.over:
            return ""
        return f"{output}\nOK" if output else "OK"

    async def _run(self, name: str, args: str) -> str:
        if name in ("quit", "exit"):
            self.over = True
            return ""
        if name in ("help", "h", "?"):
            return self._help(args)
        if name == "ping":
            return "I am alive!"
        if name == "auth":
            return self._authenticate(args)
        if self._token is None and name == "kill":
            self.over = self.killed = True
            return ""
        output = await self._commands.run(name, args) if self._token is None else None
        if output is None:
            raise Refused("unknown command, try 'help'")
        return output

    def _authenticate(self, args: str) -> str:
        if not args:
            raise Refused("missing authentication token")
        if self._token is not None and args != self._token:
            raise Refused("authentication token does not match ~/.emulator_console_auth_token")
        self._token = None
        return text.PROMPT

    def _help(self, args: str) -> str:
        names = ["help|h|?", "ping", "auth", "quit|exit"]
        if self._token is None:
            names += ["kill", *self._commands.names]
        listed = text.help_all(names)
        if not args:
            return listed
        found = self._commands.help(args.split()[0]) if self._token is None else None
        if found is None:
            raise Refused("unknown command", f"{listed}\n")
        return found
