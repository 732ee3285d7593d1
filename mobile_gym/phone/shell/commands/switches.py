"""`svc` and `media`: radios, power and volume, bridged to settings."""

from __future__ import annotations

import re
from collections.abc import Callable

from mobile_gym.phone.shell.commands.call import Call, Command

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


def unknown(call: Call, text: str) -> int:
    """A subcommand that a manager does not have."""
    call.err(f"Unknown command: {text}")
    return 255


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
    return media_session(call, call.args)


def media_session(call: Call, args: list[str]) -> int:
    """`cmd media_session`, and what `media` hands on."""
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
    return unknown(call, args[0] if args else "")


COMMANDS: dict[str, Command] = {"media": media, "svc": svc}
