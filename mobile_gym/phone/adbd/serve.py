"""A phone on the network: `adbd` on one port and the emulator console on the one before it."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import socket
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from mobile_gym.phone.adbd.auth_token import read_or_make_token, token_path
from mobile_gym.phone.adbd.connection import Connection, Service, banner
from mobile_gym.phone.adbd.console import Console
from mobile_gym.phone.adbd.faults import AdbdFaults
from mobile_gym.phone.adbd.ports import ReverseTable, VirtualPorts
from mobile_gym.phone.adbd.services import resolve
from mobile_gym.phone.adbd.shell_port import MakeShell
from mobile_gym.phone.adbd.sync import MakeFiles
from mobile_gym.phone.adbd.worker import PhoneWorker
from mobile_gym.phone.door import PhoneDoor

LOOPBACK = "127.0.0.1"
_READ_LIMIT = 4 << 20
Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, None]]
T = TypeVar("T")
_LOG = logging.getLogger(__name__)


class ServeError(Exception):
    """A phone that cannot be served; the message says why and what to do."""


class PhoneServer:
    """Serves one phone to ADB clients, from a thread of its own.

    Use it as a context manager, or call `start` and `stop`. With `adb_port` 5555 and `console_port` 5554, an ADB
    server that starts later finds the phone by itself as `emulator-5554`.

    Args:
        phone_factory: makes the phone; called on the phone's own thread.
        adb_port: TCP port of `adbd`; 0 for any free one.
        console_port: TCP port of the emulator console; 0 for any free one, None for no console.
        host: address to listen on. Whoever reaches it controls the phone: `adbd` asks for no key.
        avd_name: what `avd name` answers.
        production: behave like a build for users, where `adb root` is refused.
        console_token: file with the console's token; by default the one in the home folder that `adb emu` reads.
        make_shell: starts a shell on the phone; by default the phone's own.
        make_files: gives the files that push and pull see; by default the phone's own.
    """

    def __init__(
        self,
        phone_factory: Callable[[], PhoneDoor],
        adb_port: int,
        console_port: int | None,
        host: str = LOOPBACK,
        *,
        avd_name: str = "mobile_gym",
        production: bool = False,
        console_token: Path | None = None,
        make_shell: MakeShell | None = None,
        make_files: MakeFiles | None = None,
    ) -> None:
        self.host = host
        self.adb_port = adb_port
        self.console_port = console_port
        self.avd_name = avd_name
        self._production = production
        self.faults = AdbdFaults()
        self.ports = VirtualPorts()
        self.reversed_ports = ReverseTable(self.ports)
        self._given_shell = make_shell
        self._given_files = make_files
        self._phone_factory = phone_factory
        self._console_token = console_token
        self._connections: set[Connection] = set()
        self._clients: set[asyncio.Task[None]] = set()
        self._worker: PhoneWorker | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._started = False
        self._stopping = asyncio.Event()
        self._going = asyncio.Event()
        self._going.set()

    @property
    def serial(self) -> str:
        """The serial under which an ADB server that starts later finds the phone, or that `adb connect` gives."""
        if self.console_port is not None and self.adb_port == self.console_port + 1:
            return f"emulator-{self.console_port}"
        return self.address

    @property
    def address(self) -> str:
        """What `adb connect` takes."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.adb_port}"

    @property
    def worker(self) -> PhoneWorker:
        """The phone's thread; there is one while the server runs."""
        if self._worker is None:
            raise ServeError("the server is not running; call start() first")
        return self._worker

    # The shell with all its commands is read in when the first client asks for it.

    @cached_property
    def make_shell(self) -> MakeShell:
        """Starts shells on the phone."""
        if self._given_shell is not None:
            return self._given_shell
        from mobile_gym.phone.adbd.android_shell import AndroidShells

        return AndroidShells()

    @cached_property
    def make_files(self) -> MakeFiles:
        """Gives the files that push and pull see."""
        if self._given_files is not None:
            return self._given_files
        from mobile_gym.phone.adbd.android_shell import android_files

        return android_files

    @property
    def running(self) -> bool:
        """Whether the phone goes on; False after the console's `avd stop`."""
        return self._going.is_set()

    def start(self) -> Self:
        """Makes the phone, opens the ports and serves in the background.

        Raises:
            ServeError: a port is in use, the address is not this machine's, or the console's token cannot be read.
        """
        if self._started:
            raise ServeError("a server starts once; make another one")
        self._started = True
        console: Console | None = None
        listening = [self._bind("ADB", self.adb_port)]
        try:
            self.adb_port = _port(listening[0])
            if self.console_port is not None:
                listening.append(self._bind("console", self.console_port))
                self.console_port = _port(listening[1])
                console = self._make_console()
            self._worker = PhoneWorker(self._make_phone, f"phone-{self.adb_port}")
        except BaseException:
            for opened in listening:
                opened.close()
            raise
        ready: Future[None] = Future()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._serve(listening, console, ready)),
            name=f"adbd-{self.adb_port}",
            daemon=True,
        )
        self._thread.start()
        ready.result()
        return self

    def stop(self) -> None:
        """Closes ports and connections, and the phone; does nothing where nothing runs."""
        loop = self._loop
        if loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop closed meanwhile: the server ended by itself
                loop.call_soon_threadsafe(self._stopping.set)
        self.wait()
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def wait(self, timeout: float | None = None) -> bool:
        """Waits until the server ends (`stop`, the console's `kill`, `adb reboot -p`); tells whether it did."""
        thread = self._thread
        if thread is None:
            return True
        thread.join(timeout)
        if thread.is_alive():
            return False
        self._thread = None
        return True

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def call(self, work: Callable[[], Coroutine[Any, Any, T]], timeout: float) -> T:
        """Runs a coroutine on the server's loop and waits for it: for `ports`, `reversed_ports` and `restart`.

        Raises:
            TimeoutError: it took longer than `timeout` seconds.
        """
        if self._loop is None:
            raise ServeError("the server is not running; call start() first")
        return asyncio.run_coroutine_threadsafe(work(), self._loop).result(timeout)

    def restart(self) -> None:
        """Cuts all connections, as a daemon that restarts does. On the server's loop."""
        for connection in tuple(self._connections):
            connection.abort()

    def power_off(self) -> None:
        """Ends the server. On the server's loop."""
        self._stopping.set()

    def pause(self) -> None:
        """Lets the phone stand still: what clients send waits."""
        self._going.clear()

    def resume(self) -> None:
        """Lets the phone go on."""
        self._going.set()

    def _make_console(self) -> Console:
        path = self._console_token or token_path()
        try:
            return Console(self, read_or_make_token(path), str(path), self.power_off)
        except (OSError, UnicodeDecodeError) as error:
            raise ServeError(
                f"the emulator console's token in {path} can neither be read nor made: {error}; "
                "make the file readable, or remove it"
            ) from None

    def _make_phone(self) -> PhoneDoor:
        phone = self._phone_factory()
        if self._production:
            phone.props.update({"ro.debuggable": "0", "ro.build.type": "user"})
        return phone

    def _bind(self, what: str, port: int) -> socket.socket:
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        listening = socket.socket(family, socket.SOCK_STREAM)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((self.host, port))
            listening.listen()
        except OSError as error:
            listening.close()
            if error.errno == errno.EADDRINUSE:
                raise ServeError(
                    f"{what} port {port} on {self.host} is in use, by an emulator or another phone; "
                    "end that one, or choose other ports"
                ) from None
            raise ServeError(f"cannot listen on {self.host}:{port} for {what}: {error.strerror}") from None
        return listening

    async def _serve(self, listening: list[socket.socket], console: Console | None, ready: Future[None]) -> None:
        self._loop = asyncio.get_running_loop()
        servers: list[asyncio.Server] = []
        try:
            accept = self._accept(self._talk_adb)
            servers.append(await asyncio.start_server(accept, sock=listening[0], limit=_READ_LIMIT))
            if console is not None:
                servers.append(await asyncio.start_server(self._accept(console.serve), sock=listening[1]))
            ready.set_result(None)
            await self._stopping.wait()
        finally:
            self._loop = None
            for server in servers:
                server.close()
            for opened in listening[len(servers) :]:
                opened.close()
            tasks = tuple(self._clients)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            ready.cancel()  # whoever still waits for it has nothing to wait for

    def _accept(self, talk: Talk) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], None]:
        """Has each client served by a task that the server can end."""

        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.create_task(talk(reader, writer))
            self._clients.add(task)
            task.add_done_callback(self._client_left)

        return accept

    def _client_left(self, task: asyncio.Task[None]) -> None:
        self._clients.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            _LOG.error("a client's connection failed", exc_info=error)

    async def _talk_adb(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection = Connection(reader, writer, self._greet, self._resolve, self.faults, self._going)
        self._connections.add(connection)
        try:
            await connection.run()
        finally:
            self._connections.discard(connection)
            self.reversed_ports.remove_all(connection)

    async def _greet(self) -> bytes:
        return await self.worker.look(lambda phone: banner(phone.props))

    def _resolve(self, connection: Connection, name: str) -> Service | None:
        return resolve(self, connection, name)


def _port(listening: socket.socket) -> int:
    port: int = listening.getsockname()[1]
    return port
