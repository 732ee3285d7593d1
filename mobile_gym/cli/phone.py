"""`mobile-gym phone`: embedded phones on the network, for any ADB client."""

from __future__ import annotations

import os
import signal
from functools import partial
from types import FrameType
from typing import Annotated

import typer

from mobile_gym.phone.adbd.announce import announce
from mobile_gym.phone.adbd.serve import LOOPBACK, PhoneServer, ServeError
from mobile_gym.phone.adbd.served import served_phone

app = typer.Typer(help="Embedded phones on the network.", no_args_is_help=True)

_ADB_SERVER_PORT = 5037
_LARGEST_PORT = 65535
_MOST_PHONES = 64
_POLL_S = 0.5


@app.callback()
def _phone() -> None:
    """Embedded phones on the network."""


@app.command()
def serve(
    profile: Annotated[str, typer.Option(help="The phone's hardware and build.")] = "pixel_6a",
    language: Annotated[str, typer.Option(help="zh or en.")] = "zh",
    snapshot: Annotated[str, typer.Option(help="The snapshot to start from: clean or lived_in.")] = "clean",
    seed: Annotated[int, typer.Option(help="The first phone's seed; each further phone has the next one.")] = 0,
    port: Annotated[int, typer.Option(help="The first phone's ADB port.")] = 5555,
    console: Annotated[int | None, typer.Option(help="The first phone's console port; without, the one below.")] = None,
    count: Annotated[int, typer.Option(help="How many phones; each takes the next two ports.")] = 1,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = LOOPBACK,
    adb_keyboard: Annotated[
        bool, typer.Option(help="Have the AdbKeyboard installed, by which ADB clients type any text.")
    ] = True,
    production: Annotated[bool, typer.Option("--production", help="Refuse adb root, as builds for users do.")] = False,
) -> None:
    """Serves phones until Ctrl-C. ADB clients see emulators: emulator-5554, emulator-5556, …"""
    first_console = port - 1 if console is None else console
    _check_ports(port, first_console, count)
    if host != LOOPBACK:
        typer.echo(
            f"warning: whoever reaches {host} controls these phones; ADB asks them for no key. "
            f"Without --host they listen on {LOOPBACK} only.",
            err=True,
        )
    servers = [
        PhoneServer(
            partial(served_phone, profile, language, snapshot, seed + number, adb_keyboard),
            port + 2 * number,
            first_console + 2 * number,
            host,
            avd_name=f"mobile_gym_{profile}",
            production=production,
        )
        for number in range(count)
    ]
    # A shell script's background jobs begin with SIGINT ignored, so that Python sets up no handler of its own.
    before = {number: signal.signal(number, _interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    started: list[PhoneServer] = []
    try:
        for server in servers:
            started.append(server.start())
            _introduce(server)
        typer.echo("Ctrl-C stops.")
        for server in started:
            while not server.wait(_POLL_S):
                pass
    except KeyboardInterrupt:
        typer.echo("Stopped.")
    except (ServeError, ValueError) as problem:
        typer.echo(f"error: {problem}", err=True)
        raise typer.Exit(2) from problem
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for server in started:
            server.stop()


def _check_ports(port: int, console: int, count: int) -> None:
    problem = ""
    if not 1 <= count <= _MOST_PHONES:
        problem = f"--count {count}: between 1 and {_MOST_PHONES} phones"
    elif min(port, console) < 1 or max(port, console) + 2 * (count - 1) > _LARGEST_PORT:
        problem = f"ports from {port} and {console} for {count} phones do not lie between 1 and {_LARGEST_PORT}"
    elif (port - console) % 2 == 0 and abs(port - console) <= 2 * (count - 1):
        problem = f"--port {port} and --console {console} would meet; choose them one apart, as 5555 and 5554"
    if problem:
        typer.echo(f"error: {problem}", err=True)
        raise typer.Exit(2)


def _introduce(server: PhoneServer) -> None:
    """Says how to reach a phone, after telling an ADB server that runs already."""
    known = False
    if server.serial.startswith("emulator-"):
        known = announce(server.adb_port, int(os.environ.get("ANDROID_ADB_SERVER_PORT", _ADB_SERVER_PORT)))
    way = f"adb -s {server.serial} shell" if known else f"adb connect {server.address}"
    typer.echo(f"{server.serial}  {way}  (console {server.host}:{server.console_port})")


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
