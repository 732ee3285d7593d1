"""What the emulator console can be told: the tree of commands, on the phone's doors."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

from mobile_gym.phone.adbd import console_text as text
from mobile_gym.phone.adbd.worker import PhoneWorker
from mobile_gym.phone.door import PhoneDoor
from mobile_gym.phone.errors import SnapshotNotFound

Handler = Callable[[str], Awaitable[str]]
_CALL_STATES = {"ringing": "incoming", "active": "active"}
_BAD_PHONE_NUMBER = "bad phone number format, use digits, # and + only"


class Refused(Exception):
    """A command that the console refuses; the message is what `KO: ` is followed by.

    Args:
        message: the reason; several lines are several refusals.
        output: what is printed before.
    """

    def __init__(self, message: str, output: str = "") -> None:
        super().__init__(message)
        self.output = output


class Machine(Protocol):
    """What the console may do to the virtual machine that it belongs to."""

    @property
    def worker(self) -> PhoneWorker: ...
    @property
    def avd_name(self) -> str: ...
    @property
    def running(self) -> bool:
        """Whether the phone answers; False after `pause`."""

    def pause(self) -> None:
        """Lets the phone stand still."""

    def resume(self) -> None:
        """Lets it go on."""


@dataclass(frozen=True, slots=True)
class Group:
    """A command with sub-commands: what each does in a few words, and its handler."""

    abstract: str
    subcommands: dict[str, tuple[str, Handler]] = field(default_factory=dict)


class ConsoleCommands:
    """The commands of one phone's console.

    Args:
        machine: the phone and what it runs in.
    """

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._groups = {
            "avd": Group(
                "control virtual device execution",
                {
                    "name": ("query virtual device name", self._avd_name),
                    "status": ("query virtual device status", self._avd_status),
                    "stop": ("stop the virtual device", self._avd_stop),
                    "start": ("start/restart the virtual device", self._avd_start),
                    "snapshot": ("state snapshot commands", self._avd_snapshot),
                },
            ),
            "geo": Group("Geo-location commands", {"fix": ("send a simple GPS fix", self._geo_fix)}),
            "gsm": Group(
                "GSM related commands",
                {
                    "list": ("list current phone calls", self._gsm_list),
                    "call": ("create inbound phone call", self._gsm_call),
                    "accept": ("change the state of an outbound call to 'active'", self._gsm_accept),
                    "cancel": ("disconnect an inbound or outbound phone call", self._gsm_cancel),
                },
            ),
            "network": Group("manage network settings", {"status": ("dump network status", self._network_status)}),
            "power": Group(
                "power related commands",
                {
                    "display": ("display battery and charger state", self._power_display),
                    "ac": ("set AC charging state", self._power_ac),
                    "capacity": ("set battery capacity state", self._power_capacity),
                },
            ),
            "sms": Group("SMS related commands", {"send": ("send inbound SMS text message", self._sms_send)}),
        }
        self._snapshot_group = Group(
            "state snapshot commands",
            {
                "list": ("list available state snapshots", self._snapshot_list),
                "save": ("save state snapshot", self._snapshot_save),
                "load": ("load state snapshot", self._snapshot_load),
                "del": ("delete state snapshot", self._snapshot_delete),
                "delete": ("delete state snapshot", self._snapshot_delete),
            },
        )
        self._singles: dict[str, tuple[str, Handler]] = {"rotate": ("rotate the screen", self._rotate)}

    @property
    def names(self) -> list[str]:
        """The commands, sorted."""
        return sorted({*self._groups, *self._singles})

    def help(self, name: str) -> str | None:
        """Help on one command; None where there is none of that name."""
        if name in self._singles:
            return self._singles[name][0]
        group = self._groups.get(name)
        return None if group is None else _group_help(name, group)

    async def run(self, name: str, args: str) -> str | None:
        """Runs a command and gives what it prints; None where there is none of that name.

        Raises:
            Refused: the console refuses it.
        """
        if name in self._singles:
            return await self._singles[name][1](args)
        group = self._groups.get(name)
        return None if group is None else await _run_group(name, group, args)

    async def _avd_name(self, args: str) -> str:
        return self._machine.avd_name

    async def _avd_status(self, args: str) -> str:
        return f"virtual device is {'running' if self._machine.running else 'stopped'}"

    async def _avd_stop(self, args: str) -> str:
        if not self._machine.running:
            raise Refused("virtual device already stopped")
        self._machine.pause()
        return ""

    async def _avd_start(self, args: str) -> str:
        if self._machine.running:
            raise Refused("virtual device already running")
        self._machine.resume()
        return ""

    async def _avd_snapshot(self, args: str) -> str:
        return await _run_group("avd snapshot", self._snapshot_group, args)

    async def _snapshot_list(self, args: str) -> str:
        def rows(phone: PhoneDoor) -> list[text.SnapshotRow]:
            clock = phone.state.clock
            return [
                text.SnapshotRow(
                    saved.name, saved.size, clock.at(saved.taken_ms), max(0, saved.taken_ms - clock.boot_ms)
                )
                for saved in phone.list_snapshots()
            ]

        return text.snapshot_table(await self._machine.worker.look(rows))

    async def _snapshot_save(self, args: str) -> str:
        if not args:
            raise Refused("Argument missing, try 'avd snapshot save <name>'")
        await self._machine.worker.ask(lambda phone: phone.save_snapshot(args))
        return ""

    async def _snapshot_load(self, args: str) -> str:
        if not args:
            raise Refused("Argument missing, try 'avd snapshot load <name>'")
        try:
            await self._machine.worker.ask(lambda phone: phone.load_snapshot(args))
        except SnapshotNotFound:
            raise Refused(_missing(args, "Snapshot load failure: snapshot doesn't exist")) from None
        return ""

    async def _snapshot_delete(self, args: str) -> str:
        if not args:
            raise Refused("Argument missing, try 'avd snapshot delete <name>'")
        try:
            await self._machine.worker.ask(lambda phone: phone.delete_snapshot(args))
        except SnapshotNotFound:
            raise Refused(_missing(args, "Snapshot delete failure: snapshot doesn't exist")) from None
        return ""

    async def _sms_send(self, args: str) -> str:
        number, blank, message = args.partition(" ")
        if not blank:
            raise Refused("missing argument, try 'sms send <phonenumber> <text message>'")
        if not text.is_phone_number(number):
            raise Refused("bad phone number format, must be [+](0-9)*")
        try:
            body = text.unescape_message(message)
        except ValueError as error:
            raise Refused(str(error)) from None
        await self._machine.worker.ask(lambda phone: phone.receive_sms(number, body))
        return ""

    async def _gsm_call(self, args: str) -> str:
        number = _caller(args, "call")
        await self._machine.worker.ask(lambda phone: phone.incoming_call(number))
        return ""

    async def _gsm_accept(self, args: str) -> str:
        number = _caller(args, "accept")
        if not await self._machine.worker.ask(lambda phone: _press_in_call(phone, number, "CALL")):
            raise Refused(f"no current call to/from number '{number}'")
        return ""

    async def _gsm_cancel(self, args: str) -> str:
        number = _caller(args, "cancel")
        if not await self._machine.worker.ask(lambda phone: _press_in_call(phone, number, "ENDCALL")):
            raise Refused("could not cancel this number")
        return ""

    async def _gsm_list(self, args: str) -> str:
        call = await self._machine.worker.look(lambda phone: phone.state.interface["call"])
        return f"inbound from {call['number']:<10} : {_CALL_STATES[call['state']]}" if call else ""

    async def _geo_fix(self, args: str) -> str:
        values = args.split()
        if len(values) < 2:
            raise Refused("not enough arguments: see 'help geo fix' for details")
        for value in values:
            if not re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)", value):
                raise Refused(f"argument '{value}' is not a number")
        longitude, latitude = float(values[0]), float(values[1])
        if abs(longitude) > 180:
            raise Refused("invalid longitude value. Must be in the [-180,180] range")
        if abs(latitude) > 90:
            raise Refused("invalid latitude value. Must be in the [-90,90] range")
        fix = f"{latitude},{longitude}"
        await self._machine.worker.ask(lambda phone: phone.put_setting("secure", "last_location", fix))
        return ""

    async def _power_display(self, args: str) -> str:
        battery = await self._machine.worker.look(lambda phone: dict(phone.state.interface["battery"]))
        charger, status = ("online", "Charging") if battery["charging"] else ("offline", "Discharging")
        return f"AC: {charger}\nstatus: {status}\nhealth: Good\npresent: true\ncapacity: {battery['level']}"

    async def _power_ac(self, args: str) -> str:
        if args.lower() not in ("on", "off"):
            raise Refused('Usage: "ac on" or "ac off"')
        await self._set_battery("charging", args.lower() == "on")
        return ""

    async def _power_capacity(self, args: str) -> str:
        if not args.isdigit() or int(args) > 100:
            raise Refused('Usage: "capacity <percentage>"')
        await self._set_battery("level", int(args))
        return ""

    async def _set_battery(self, fact: str, value: int | bool) -> None:
        def change(phone: PhoneDoor) -> None:
            phone.state.interface["battery"][fact] = value
            phone.invalidate()

        await self._machine.worker.ask(change)

    async def _network_status(self, args: str) -> str:
        return (
            "Current network status:\n"
            "  download speed:          0 bits/s (0.0 KB/s)\n"
            "  upload speed:            0 bits/s (0.0 KB/s)\n"
            "  minimum latency:  0 ms\n"
            "  maximum latency:  0 ms"
        )

    async def _rotate(self, args: str) -> str:
        def turn(phone: PhoneDoor) -> None:
            phone.put_setting("system", "user_rotation", str((phone.screen[2] + 1) % 4))

        await self._machine.worker.ask(turn)
        return ""


def _press_in_call(phone: PhoneDoor, number: str, key: str) -> bool:
    """Presses a key if there is a call with this number; tells whether there is."""
    call = phone.state.interface["call"]
    if call is None or call["number"] != number:
        return False
    phone.input.key(key)
    return True


def _missing(name: str, then: str) -> str:
    return f"Device 'cache' does not have the requested snapshot '{name}'\n{then}"


def _caller(args: str, verb: str) -> str:
    if not args:
        raise Refused(f"missing argument, try 'gsm {verb} <phonenumber>'")
    if not re.fullmatch(r"[0-9+#]+", args):
        raise Refused(_BAD_PHONE_NUMBER)
    return args


def _group_help(name: str, group: Group) -> str:
    abstracts = {sub: abstract for sub, (abstract, _) in group.subcommands.items()}
    return f"{group.abstract}\n{text.help_group(name, abstracts)}"


async def _run_group(name: str, group: Group, args: str) -> str:
    word, rest = text.split_command(args)
    if not word:
        raise Refused("missing sub-command", _group_help(name, group))
    if word not in group.subcommands:
        raise Refused(" bad sub-command", _group_help(name, group))
    return await group.subcommands[word][1](rest)
