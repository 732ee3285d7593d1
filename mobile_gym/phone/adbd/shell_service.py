"""`shell:` and `exec:`, the services behind `adb shell`, `adb exec-out` and `adb exec-in`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from mobile_gym.phone.adbd.announced import announced_size
from mobile_gym.phone.adbd.lifecycle import run_and_watch
from mobile_gym.phone.adbd.shell_port import MakeShell, ShellOutput, ShellPort
from mobile_gym.phone.adbd.shell_streams import PacketStreams, PlainStreams, ShellStreams, first_done, read_to_end
from mobile_gym.phone.adbd.shell_wire import ShellRequest
from mobile_gym.phone.adbd.streams import Stream, StreamClosed
from mobile_gym.phone.adbd.terminal import LineEditor, Signal, show
from mobile_gym.phone.adbd.worker import PhoneWorker
from mobile_gym.phone.door import PhoneDoor

_INTERRUPTED = 130


class _Shell:
    """A shell process as the event loop sees it: everything happens on the phone's thread."""

    def __init__(self, worker: PhoneWorker, shell: ShellPort) -> None:
        self._worker = worker
        self._shell = shell

    async def run(self, line: str, stdin: bytes) -> tuple[ShellOutput, bool]:
        return await self._worker.ask(lambda phone: run_and_watch(phone, lambda: self._shell.run(line, stdin)))

    async def feed(self, line: bytes) -> tuple[ShellOutput | None, bool]:
        text = line.decode("utf-8", "surrogateescape")
        return await self._worker.ask(lambda phone: run_and_watch(phone, lambda: self._shell.feed(text)))

    async def poll(self) -> bytes:
        return await self._worker.look(lambda phone: self._shell.poll())

    async def interrupt(self) -> None:
        await self._worker.look(lambda phone: self._shell.interrupt())

    async def prompt(self) -> bytes:
        return (await self._worker.look(lambda phone: self._shell.prompt)).encode()

    async def exited(self) -> int | None:
        return await self._worker.look(lambda phone: self._shell.exited)

    def on_change(self, listener: Callable[[], None]) -> Callable[[], None]:
        return self._worker.on_change(listener)


class ShellService:
    """One stream with one shell behind it.

    Args:
        stream: the stream.
        request: what the client asked for.
        worker: the phone's thread.
        make_shell: starts a shell on the phone.
        restart: cuts all connections, for lines that reboot the phone or whose fate it is.
    """

    def __init__(
        self,
        stream: Stream,
        request: ShellRequest,
        worker: PhoneWorker,
        make_shell: MakeShell,
        restart: Callable[[], None],
    ) -> None:
        self._stream = stream
        self._request = request
        self._worker = worker
        self._make_shell = make_shell
        self._restart = restart
        self._rebooted = False
        self._streams: ShellStreams = PacketStreams(stream) if request.packets else PlainStreams(stream)

    async def serve(self) -> None:
        """Runs the line, or lines as they come, and tells the exit status."""
        try:
            if self._request.line:
                code = await self._run_line(self._request.line)
            else:
                shell = _Shell(self._worker, await self._worker.ask(self._make_shell))
                code = await (self._run_terminal(shell) if self._request.terminal else self._run_script(shell))
            await self._streams.exit(code)
        finally:
            if self._rebooted:
                self._stream.close()
                self._restart()

    async def _run_line(self, line: str) -> int:
        size = announced_size(line)

        def start(phone: PhoneDoor) -> tuple[ShellPort, tuple[ShellOutput, bool] | None]:
            # A line that takes no input must not wait for it: clients may never end theirs. One trip to the phone's
            # thread for most lines.
            started = self._make_shell(phone)
            waits = size is not None or started.wants_stdin(line)
            return started, None if waits else run_and_watch(phone, lambda: started.run(line))

        started, done = await self._worker.ask(start)
        shell = _Shell(self._worker, started)
        if done is None:
            done = await shell.run(line, await self._read_input(size))
        output, self._rebooted = done
        await self._show(shell, output)
        return _INTERRUPTED if output.fate == "following" else output.exit_code

    async def _read_input(self, size: int | None) -> bytes:
        """All input, or as much as was announced."""
        if size is None:
            return await read_to_end(self._streams)
        data = bytearray()
        while len(data) < size and (part := await self._streams.read()):
            data += part
        return bytes(data[:size])

    async def _run_script(self, shell: _Shell) -> int:
        """A shell whose input is no terminal: it runs lines as they come, without prompt and echo."""
        pending, code = b"", 0
        while True:
            data = await self._streams.read()
            *lines, pending = (pending + data).split(b"\n")
            if not data and pending:
                lines = [pending]
            for line in lines:
                output, self._rebooted = await shell.feed(line)
                if output is not None:
                    code = output.exit_code
                    await self._show(shell, output)
                exited = 0 if self._rebooted else await shell.exited()
                if exited is not None:
                    return exited
            if not data:
                return code

    async def _run_terminal(self, shell: _Shell) -> int:
        """An interactive shell: prompt, echo, line editing, Ctrl-C and Ctrl-D."""
        editor = LineEditor()
        code = 0
        await self._streams.write(await shell.prompt())
        while data := await self._streams.read():
            for typed in editor.feed(data):
                await self._streams.write(typed.echo)
                if typed.event is None:
                    continue
                if typed.event is Signal.END:
                    return code
                if isinstance(typed.event, Signal):
                    await shell.interrupt()
                else:
                    output, self._rebooted = await shell.feed(typed.event)
                    if output is not None:
                        code = output.exit_code
                        await self._show(shell, output)
                exited = 0 if self._rebooted else await shell.exited()
                if exited is not None:
                    return exited
                await self._streams.write(await shell.prompt())
        return code

    async def _show(self, shell: _Shell, output: ShellOutput) -> None:
        """Passes on what a line printed and, where it prints on, what follows until the client has enough."""
        if self._request.terminal:
            await self._streams.write(show(output.merged))
        else:
            await self._streams.write_output(output)
        if output.fate == "drop":
            self._restart()
        if output.fate in ("drop", "hang"):
            await self._stream.wait_ended()
            raise StreamClosed("the client left a line that never ends")
        if output.fate == "following":
            await self._follow(shell)

    async def _follow(self, shell: _Shell) -> None:
        loop = asyncio.get_running_loop()
        changed = asyncio.Event()
        changed.set()

        def wake() -> None:
            loop.call_soon_threadsafe(changed.set)

        async def pass_on() -> None:
            while True:
                await changed.wait()
                changed.clear()
                data = await shell.poll()
                if data:
                    await self._streams.write(show(data) if self._request.terminal else data)

        async def watch_input() -> None:
            while data := await self._streams.read():
                if self._request.terminal and b"\x03" in data:
                    await self._streams.write(b"^C\r\n")
                    return
            await self._stream.wait_ended()

        unsubscribe = shell.on_change(wake)
        try:
            await first_done(asyncio.create_task(pass_on()), asyncio.create_task(watch_input()))
        finally:
            unsubscribe()
            await shell.interrupt()
