"""`cmd`: the shell commands of services, bridged to settings, broadcasts and the programs of the same family."""

from __future__ import annotations

import re

from mobile_gym.phone.door import Intent
from mobile_gym.phone.shell.commands.am import am
from mobile_gym.phone.shell.commands.call import Call, Command
from mobile_gym.phone.shell.commands.display import wm
from mobile_gym.phone.shell.commands.keyboards import ime
from mobile_gym.phone.shell.commands.pm import pm
from mobile_gym.phone.shell.commands.settings import settings
from mobile_gym.phone.shell.commands.switches import Act, media_session, unknown
from mobile_gym.phone.shell.commands.system import SERVICES
from mobile_gym.phone.shell.commands.touch_and_keys import input_


def _uimode(call: Call, args: list[str]) -> int:
    if args[:1] != ["night"]:
        return unknown(call, args[0] if args else "")
    values = {"yes": "2", "no": "1", "auto": "0"}
    if len(args) > 1:
        if args[1] not in values:
            call.err("Error: mode must be 'yes', 'no', or 'auto', or 'custom'")
            return 255
        call.phone.put_setting("secure", "ui_night_mode", values[args[1]])
    mode = call.phone.state.settings.get("secure", "ui_night_mode") or "1"
    call.line("Night mode: " + {"2": "yes", "1": "no"}.get(mode, "auto"))
    return 0


def _connectivity(call: Call, args: list[str]) -> int:
    if args[:1] != ["airplane-mode"]:
        return unknown(call, args[0] if args else "")
    if len(args) == 1:
        on = call.phone.state.settings.get_int("global", "airplane_mode_on")
        call.line("enabled" if on else "disabled")
        return 0
    if args[1] not in ("enable", "disable"):
        call.err(f"Unknown command: airplane-mode {args[1]}")
        return 255
    call.phone.put_setting("global", "airplane_mode_on", "1" if args[1] == "enable" else "0")
    return 0


def _broadcast(call: Call, action: str, **extras: str) -> int:
    code, _ = call.phone.activities.broadcast(Intent(action=f"mobile_gym.intent.action.{action}", extras=extras))
    return max(code, 0)


def _statusbar(call: Call, args: list[str]) -> int:
    actions = {
        "expand-notifications": "EXPAND_SHADE",
        "expand-settings": "EXPAND_SETTINGS",
        "collapse": "COLLAPSE_SHADE",
    }
    if args[:1] and args[0] in actions:
        return _broadcast(call, actions[args[0]])
    return unknown(call, args[0] if args else "")


def _notification(call: Call, args: list[str]) -> int:
    match args[:1]:
        case ["list"]:
            for posted in call.phone.notifications():
                call.line(f"0|{posted.package}|0|{posted.key}|10000")
            return 0
        case ["post"]:
            return _post(call, args[1:])
        case ["allow_listener" | "disallow_listener" | "allow_dnd" | "disallow_dnd" | "set_dnd"]:
            if args[0] == "set_dnd" and len(args) > 1:
                modes = {"off": "0", "all": "0", "on": "1", "priority": "1", "none": "2", "alarms": "3"}
                if args[1] in modes:
                    call.phone.put_setting("global", "zen_mode", modes[args[1]])
            return 0
    return unknown(call, args[0] if args else "")


def _post(call: Call, args: list[str]) -> int:
    title, rest = "", list(args)
    while rest and rest[0].startswith("-"):
        option = rest.pop(0)
        value = rest.pop(0) if rest and option not in ("-v", "--verbose") else ""
        if option in ("-t", "--title"):
            title = value
    if len(rest) < 2:
        call.err("usage: cmd notification post [flags] <tag> <text>")
        return 255
    _broadcast(call, "POST_NOTIFICATION", title=title or rest[0], tag=rest[0], text=" ".join(rest[1:]))
    if not any(posted.text == " ".join(rest[1:]) for posted in call.phone.notifications()):
        call.err("Error: nobody posts notifications for the shell on this phone")
        return 1
    call.line(f"posting:\n  Notification(channel=shell_cmd title={title or rest[0]})")
    return 0


def _wifi(call: Call, args: list[str]) -> int:
    on = call.phone.state.settings.get_int("global", "wifi_on", 1)
    match args[:1]:
        case ["set-wifi-enabled"] if args[1:2] in (["enabled"], ["disabled"]):
            call.phone.put_setting("global", "wifi_on", "1" if args[1] == "enabled" else "0")
            return 0
        case ["status"]:
            name = call.phone.state.settings.get("global", "wifi_connected")
            call.line(f"Wifi is {'enabled' if on else 'disabled'}\nWifi scanning is always available")
            if on and name:
                call.line(f'==== ClientModeManager instance: 1 ====\nWifi is connected to "{name}"')
            elif on:
                call.line("==== ClientModeManager instance: 1 ====\nWifi is not connected")
            return 0
    return unknown(call, args[0] if args else "")


def _bluetooth(call: Call, args: list[str]) -> int:
    if args[:1] in (["enable"], ["disable"]):
        call.phone.put_setting("global", "bluetooth_on", "1" if args[0] == "enable" else "0")
        call.line("Success")
        return 0
    if args[:1] and args[0].startswith("wait-for-state"):
        return 0
    return unknown(call, args[0] if args else "")


def _power_service(call: Call, args: list[str]) -> int:
    if args[:1] == ["set-mode"] and args[1:2] in (["0"], ["1"]):
        call.phone.put_setting("global", "low_power", args[1])
        return 0
    return unknown(call, args[0] if args else "")


def _alarm(call: Call, args: list[str]) -> int:
    if args[:1] == ["set-timezone"] and len(args) > 1:
        return call.run(["service", "call", "alarm", "3", "s16", args[1]])
    if args[:1] == ["set-time"] and len(args) > 1 and re.fullmatch(r"\d{1,14}", args[1]):
        call.phone.set_time(int(args[1]))
        return 0
    return unknown(call, args[0] if args else "")


def _locale(call: Call, args: list[str]) -> int:
    if args[:1] == ["get-app-locales"] and len(args) > 1:
        call.line(f"Locales for {args[1]} for user 0 are []")
        return 0
    if args[:1] == ["set-app-locales"]:
        call.err("Error: locales by app are not supported by this phone")
        return 255
    return unknown(call, args[0] if args else "")


def _overlay(call: Call, args: list[str]) -> int:
    if args[:1] == ["list"]:
        call.line("com.android.systemui\n[x] com.android.internal.systemui.navbar.threebutton")
        call.line("[ ] com.android.internal.systemui.navbar.gestural")
        return 0
    call.err(f"Error: overlay {args[0] if args else ''} is not supported by this phone")
    return 1


def _as(name: str, command: Command) -> Act:
    """A service whose subcommands are those of a program of its own."""

    def act(call: Call, args: list[str]) -> int:
        return command(Call(name, args, call.phone, call.files, call.state, call.io, call.runner))

    return act


def _battery(call: Call, args: list[str]) -> int:
    return call.run(["dumpsys", "battery", *args])


def _lock_settings(call: Call, args: list[str]) -> int:
    return call.run(["locksettings", *args])


def _appops(call: Call, args: list[str]) -> int:
    return call.run(["appops", *args])


_SERVICES: dict[str, Act] = {
    "activity": _as("am", am),
    "alarm": _alarm,
    "appops": _appops,
    "battery": _battery,
    "bluetooth_manager": _bluetooth,
    "connectivity": _connectivity,
    "input": _as("input", input_),
    "input_method": _as("ime", ime),
    "locale": _locale,
    "lock_settings": _lock_settings,
    "media_session": media_session,
    "notification": _notification,
    "overlay": _overlay,
    "package": _as("pm", pm),
    "power": _power_service,
    "settings": _as("settings", settings),
    "statusbar": _statusbar,
    "uimode": _uimode,
    "wifi": _wifi,
    "window": _as("wm", wm),
}


def cmd(call: Call) -> int:
    """`cmd SERVICE …`; a service that is there but has no shell command here says so."""
    args = [arg for arg in call.args if arg != "-w"]
    if args[:1] == ["-l"]:
        call.line("Currently running services:")
        for name in sorted({*SERVICES, *_SERVICES}, key=str.lower):
            call.line(f"  {name}")
        return 0
    if not args:
        call.err(
            "cmd: No service specified; use -l to list all running services. Use -w to start and wait for a service."
        )
        return 20
    act = _SERVICES.get(args[0])
    if act is not None:
        return act(call, args[1:])
    if args[0] in SERVICES:
        call.err("No shell command implementation.")
        return 255
    call.err(f"cmd: Can't find service: {args[0]}")
    return 20


COMMANDS: dict[str, Command] = {"cmd": cmd}
