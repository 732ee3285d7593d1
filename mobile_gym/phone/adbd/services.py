"""What a client can open a stream for: the table of services."""

from __future__ import annotations

from typing import Protocol

from mobile_gym.phone.adbd.connection import Connection, Service
from mobile_gym.phone.adbd.framebuffer import serve_framebuffer
from mobile_gym.phone.adbd.lifecycle import Daemon, lifecycle_service
from mobile_gym.phone.adbd.ports import ReverseTable, VirtualPorts, reverse_reply
from mobile_gym.phone.adbd.shell_port import MakeShell
from mobile_gym.phone.adbd.shell_service import ShellService
from mobile_gym.phone.adbd.shell_wire import parse_request
from mobile_gym.phone.adbd.sync import MakeFiles, SyncService


class Host(Daemon, Protocol):
    """What services need of the server that they run in."""

    @property
    def ports(self) -> VirtualPorts: ...
    @property
    def reversed_ports(self) -> ReverseTable: ...
    @property
    def make_shell(self) -> MakeShell: ...
    @property
    def make_files(self) -> MakeFiles: ...


def resolve(host: Host, connection: Connection, name: str) -> Service | None:
    """The service that `name` stands for; None for one that this phone does not have (`jdwp:`, `abb_exec:`, …)."""
    if name == "sync:":
        return lambda stream: SyncService(stream, host.worker, host.make_files).serve()
    if name == "framebuffer:":
        return lambda stream: serve_framebuffer(stream, host.worker)
    if name.startswith(("tcp:", "localabstract:")):
        return host.ports.find(name)
    if name.startswith("reverse:"):
        return lambda stream: stream.write(
            reverse_reply(host.reversed_ports, host.ports, connection, name.removeprefix("reverse:"))
        )
    request = parse_request(name)
    if request is not None:
        return lambda stream: ShellService(stream, request, host.worker, host.make_shell, host.restart).serve()
    return lifecycle_service(host, name)
