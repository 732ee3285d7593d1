"""`wm`, `svc`, `media` and `cmd`: the managers' own shell commands, bridged to settings and broadcasts."""

from __future__ import annotations

import re
from collections.abc import Callable

from mobile_gym.phone.door import Intent
from mobile_gym.phone.shell.commands.am import am
from mobile_gym.phone.shell.commands.call import Call, Command
from mobile_gym.phone.shell.commands.keyboards import ime
from mobile_gym.phone.shell.commands.pm import pm
from mobile_gym.phone.shell.commands.settings import settings
from mobile_gym.phone.shell.commands.system import SERVICES
from mobile_gym.phone.shell.commands.touch_and_keys import input_

Act = Callable[[Call, list[str]], int]
# Highest step of each stream, and what Android numbers and calls it.
STREAMS: dict[int, tuple[str, str, int]] = {
    0: ("voice", "STREAM_VOICE_CALL", 7),
    1: ("ring", "STREAM_SYSTEM", 7),
    2: ("ring", "STREAM_RING", 7),
    3: ("music", "STREAM_MUSIC", 25),
    4: ("alarm", "STREAM_ALARM", 7),
    5: ("notification", "STREAM_NOTIFICATION", 7),
}


def _unknown(call: Call, text: str) -> int:
    call.err(f"Unknown command: {text}")
    return 255


def wm(call: Call) -> int:
    """Size, density and rotation of the display."""
    args = list(call.args)
    if "-d" in args:
        at = args.index("-d")
        del args[at : at + 2]
    name, rest = (args[0], args[1:]) if args else ("", [])
    match name:
        case "size":
            return _size(call, rest)
        case "density":
            return _density(call, rest)
        case "user-rotation" | "set-user-rotation":
            return _rotation(call, rest)
        case "dismiss-keyguard":
            return _dismiss_keyguard(call)
        case "reset":
            call.phone.delete_setting("global", "display_size_forced")
            call.phone.delete_setting("secure", "display_density_forced")
            return 0
        case "fixed-to-user-rotation" | "set-fix-to-user-rotation" | "overscan" | "scaling" | "set-multi-window-config":
            call.err(f"Error: {name} is not supported by this phone")
            return 255
    return _unknown(call, name)


def _size(call: Call, args: list[str]) -> int:
    profile = call.phone.profile
    if not args:
        call.line(f"Physical size: {profile.width}x{profile.height}")
        forced = (call.phone.state.settings.get("global", "display_size_forced") or "").split(",")
        if len(forced) == 2:
            call.line(f"Override size: {forced[0]}x{forced[1]}")
        return 0
    if args[0] == "reset":
        call.phone.delete_setting("global", "display_size_forced")
        return 0
    found = re.fullmatch(r"(\d+)(dp)?x(\d+)(dp)?", args[0])
    if found is None:
        call.err(f"Error: bad size {args[0]}" if "x" in args[0] else f"Error: size should be WxH, not {args[0]}")
        return 255
    scale = [call.phone.density_dpi / 160 if found[group] else 1.0 for group in (2, 4)]
    width, height = round(int(found[1]) * scale[0]), round(int(found[3]) * scale[1])
    if min(width, height) < 200 or max(width, height) > 2 * max(profile.width, profile.height):
        call.err(f"Error: invalid size {width}x{height}: sides lie between 200 and twice the screen's longer one")
        return 255
    call.phone.put_setting("global", "display_size_forced", f"{width},{height}")
    return 0


def _density(call: Call, args: list[str]) -> int:
    if not args:
        call.line(f"Physical density: {call.phone.profile.dpi}")
        forced = call.phone.state.settings.get("secure", "display_density_forced")
        if forced:
            call.line(f"Override density: {forced}")
        return 0
    if args[0] == "reset":
        call.phone.delete_setting("secure", "display_density_forced")
        return 0
    if not re.fullmatch(r"\d+", args[0]):
        call.err(f"Error: bad number {args[0]}")
        return 255
    if int(args[0]) < 72:
        call.err("Error: density must be >= 72")
        return 255
    call.phone.put_setting("secure", "display_density_forced", args[0])
    return 0


def _rotation(call: Call, args: list[str]) -> int:
    store = call.phone.state.settings
    if not args:
        free = store.get_int("system", "accelerometer_rotation")
        call.line("free" if free else f"lock {store.get_int('system', 'user_rotation')}")
        return 0
    if args[0] == "free":
        call.phone.put_setting("system", "accelerometer_rotation", "1")
        return 0
    if args[0] != "lock" or (len(args) > 1 and args[1] not in ("0", "1", "2", "3")):
        call.err(f"Error: expecting true, 1, false, 0, but we get {args[0]}")
        return 255
    call.phone.put_setting("system", "accelerometer_rotation", "0")
    call.phone.put_setting("system", "user_rotation", args[1] if len(args) > 1 else "0")
    return 0


def _dismiss_keyguard(call: Call) -> int:
    """Opens a lock screen that asks for nothing; one with a PIN stays."""
    if call.phone.activities.locked() and not call.phone.state.settings.get("secure", "lock_pin"):
        call.phone.state.interface["locked"] = False
        call.phone.invalidate()
    return 0


def _switch(namespace: str, key: str, name: str) -> Act:
    def act(call: Call, args: list[str]) -> int:
        if args[:1] not in (["enable"], ["disable"]):
            call.line(f"Control the {name} manager\n\nusage: svc {name} [enable|disable]")
            return 0 if not args else 255
        call.phone.put_setting(namespace, key, "1" if args[0] == "enable" else "0")
        return 0

    return act


def _power(call: Call, args: list[str]) -> int:
    if args[:1] == ["stayon"] and len(args) > 1:
        value = {"true": "7", "false": "0", "ac": "1", "usb": "2", "wireless": "4", "dock": "8"}.get(args[1])
        if value is not None:
            call.phone.put_setting("global", "stay_on_while_plugged_in", value)
            return 0
    if args[:1] in (["reboot"], ["shutdown"]):
        call.phone.reboot()
        return 0
    call.line("Control the power manager\n\nusage: svc power stayon [true|false|usb|ac|wireless|dock]")
    return 0 if not args else 255


_SVC: dict[str, Act] = {
    "bluetooth": _switch("global", "bluetooth_on", "bluetooth"),
    "data": _switch("global", "mobile_data", "data"),
    "nfc": _switch("global", "nfc_on", "nfc"),
    "power": _power,
    "wifi": _switch("global", "wifi_on", "wifi"),
}


def svc(call: Call) -> int:
    """Turns radios on and off."""
    act = _SVC.get(call.args[0]) if call.args else None
    if act is None:
        call.line("Available commands:\n    help     Show information about the subcommands")
        for name in sorted(_SVC):
            call.line(f"    {name:<9}Control the {name} manager")
        return 0 if not call.args or call.args[0] == "help" else 255
    return act(call, call.args[1:])


def _volume(call: Call, args: list[str]) -> int:
    stream, value, step, get = 3, None, None, False
    rest = list(args)
    while rest:
        option = rest.pop(0)
        if option in ("--show", "--ui"):
            continue
        if option == "--get":
            get = True
        elif option in ("--stream", "--set", "--adj") and rest:
            text = rest.pop(0)
            if option == "--adj":
                step = {"raise": 1, "lower": -1, "same": 0}.get(text)
                continue
            if not re.fullmatch(r"\d+", text):
                call.err(f'Error: Invalid number "{text}"')
                return 255
            if option == "--stream":
                stream = int(text)
            else:
                value = int(text)
        else:
            call.err(f"Error: Unknown option: {option}")
            return 255
    if stream not in STREAMS:
        call.err(f"Error: Invalid stream {stream}")
        return 255
    key, name, most = STREAMS[stream]
    call.line(f"[V] will control stream={stream} ({name})")
    level = call.phone.state.settings.get_int("system", f"volume_{key}")
    if value is not None:
        call.line(f"[V] will set volume to index={value}")
        if value > most:
            call.err(f"[E] Volume index {value} is out of range [0..{most}]")
            return 255
        call.phone.put_setting("system", f"volume_{key}", str(value))
    if step is not None:
        call.line("[V] will adjust volume")
        call.phone.put_setting("system", f"volume_{key}", str(min(max(level + step, 0), most)))
    if get:
        level = call.phone.state.settings.get_int("system", f"volume_{key}")
        call.line(f"[V] volume is {level} in range [0..{most}]")
    return 0


def media(call: Call) -> int:
    """`media volume`, and `media dispatch KEY`."""
    return _media(call, call.args)


def _media(call: Call, args: list[str]) -> int:
    if args[:1] == ["volume"]:
        return _volume(call, args[1:])
    keys = {
        "play": "MEDIA_PLAY",
        "pause": "MEDIA_PAUSE",
        "play-pause": "MEDIA_PLAY_PAUSE",
        "next": "MEDIA_NEXT",
        "previous": "MEDIA_PREVIOUS",
        "stop": "MEDIA_STOP",
        "mute": "VOLUME_MUTE",
    }
    if args[:1] == ["dispatch"] and len(args) > 1 and args[1] in keys:
        call.phone.input.key(keys[args[1]])
        return 0
    return _unknown(call, args[0] if args else "")


def _uimode(call: Call, args: list[str]) -> int:
    if args[:1] != ["night"]:
        return _unknown(call, args[0] if args else "")
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
        return _unknown(call, args[0] if args else "")
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
    return _unknown(call, args[0] if args else "")


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
    return _unknown(call, args[0] if args else "")


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
    return _unknown(call, args[0] if args else "")


def _bluetooth(call: Call, args: list[str]) -> int:
    if args[:1] in (["enable"], ["disable"]):
        call.phone.put_setting("global", "bluetooth_on", "1" if args[0] == "enable" else "0")
        call.line("Success")
        return 0
    if args[:1] and args[0].startswith("wait-for-state"):
        return 0
    return _unknown(call, args[0] if args else "")


def _power_service(call: Call, args: list[str]) -> int:
    if args[:1] == ["set-mode"] and args[1:2] in (["0"], ["1"]):
        call.phone.put_setting("global", "low_power", args[1])
        return 0
    return _unknown(call, args[0] if args else "")


def _alarm(call: Call, args: list[str]) -> int:
    if args[:1] == ["set-timezone"] and len(args) > 1:
        return call.run(["service", "call", "alarm", "3", "s16", args[1]])
    if args[:1] == ["set-time"] and len(args) > 1 and args[1].isdigit():
        call.phone.set_time(int(args[1]))
        return 0
    return _unknown(call, args[0] if args else "")


def _locale(call: Call, args: list[str]) -> int:
    if args[:1] == ["get-app-locales"] and len(args) > 1:
        call.line(f"Locales for {args[1]} for user 0 are []")
        return 0
    if args[:1] == ["set-app-locales"]:
        call.err("Error: locales by app are not supported by this phone")
        return 255
    return _unknown(call, args[0] if args else "")


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
    "media_session": _media,
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


COMMANDS: dict[str, Command] = {"cmd": cmd, "media": media, "svc": svc, "wm": wm}
