"""`input`: touches, keys and text, as Android's shell command sends them."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources

from mobile_gym.phone.shell.commands.call import Call, Command

_SOURCES = frozenset(
    (
        "dpad",
        "keyboard",
        "gamepad",
        "touchscreen",
        "mouse",
        "rotaryencoder",
        "stylus",
        "touchpad",
        "touchnavigation",
        "joystick",
        "trackball",
    )
)
# A press of this many milliseconds or more is a long one.
_LONG_PRESS_MS = 500
# A finger that moves less than this many pixels has not moved.
_SLOP = 8
_USAGE = """Usage: input [<source>] [-d DISPLAY_ID] <command> [<arg>...]

The sources are: 
      touchnavigation
      touchscreen
      joystick
      stylus
      touchpad
      gamepad
      dpad
      mouse
      keyboard
      trackball
      rotaryencoder

The commands and default sources are:
      text <string> (Default: keyboard)
      keyevent [--longpress|--duration <duration to hold key down in ms>] [--doubletap] [--async] [--delay <duration between keycodes in ms>] <key code number or name> ... (Default: keyboard)
      tap <x> <y> (Default: touchscreen)
      swipe <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)
      draganddrop <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)
      press (Default: trackball)
      roll <dx> <dy> (Default: trackball)
      motionevent <DOWN|UP|MOVE|CANCEL> <x> <y> (Default: touchscreen)
      scroll (Default: rotaryencoder)
      keycombination [-t duration(ms)] <key code 1> <key code 2> ... (Default: keyboard)
"""  # noqa: E501, W291


@cache
def key_names() -> tuple[str, ...]:
    """Android's names of keys without the prefix, by number."""
    text = (resources.files(__package__) / "keycodes.json").read_text(encoding="utf-8")
    return tuple(json.loads(text))


def key_name(text: str) -> str | None:
    """The name of a key given by number or by name, with or without `KEYCODE_`; None for one that is not known."""
    if re.fullmatch(r"\d+|0[xX][0-9a-fA-F]+", text):
        number = int(text, 16) if text[:2].lower() == "0x" else int(text)
        # `input keyevent 1` is key number 1, while the key that types 1 is `KEYCODE_1`.
        return key_names()[number] if number < len(key_names()) else "UNKNOWN"
    name = text.upper().removeprefix("KEYCODE_")
    return name if name in key_names() else None


class _Failure(Exception):
    """An exception of the Java side; the text follows `Error: `."""


def _usage(call: Call) -> int:
    call.out(_USAGE)
    return 255


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise _Failure(f'Invalid float: "{text}"' if text else "empty String") from None


def _points(args: list[str], count: int) -> list[int]:
    return [round(_float(text)) for text in args[:count]]


def input_(call: Call) -> int:
    """Sends touches, keys and text to the window in front."""
    args = list(call.args)
    if args and args[0] in _SOURCES:
        args.pop(0)
    if args[:1] == ["-d"]:
        if args[1:2] not in (["0"], ["INVALID_DISPLAY"], ["DEFAULT_DISPLAY"]):
            call.err("Error: Invalid arguments for display ID.")
            return 255
        args = args[2:]
    if not args:
        return _usage(call)
    command, rest = args[0], args[1:]
    act = _ACTS.get(command)
    if act is None:
        call.err(f"Error: Unknown command: {command}")
        return _usage(call)
    try:
        return act(call, rest)
    except _Failure as error:
        call.err(f"Error: Invalid arguments for command: {command}" if str(error) == "" else _trace(str(error)))
        return 255


def _trace(text: str) -> str:
    return f"\nException occurred while executing 'input':\njava.lang.NumberFormatException: {text}"


def _tap(call: Call, args: list[str]) -> int:
    if len(args) != 2:
        raise _Failure
    x, y = _points(args, 2)
    call.phone.input.tap(x, y)
    return 0


def _swipe(call: Call, args: list[str]) -> int:
    # An empty last word (a duration that the caller left out) counts as none.
    args = args[:-1] if len(args) == 5 and args[4] == "" else args
    if len(args) not in (4, 5):
        raise _Failure
    x1, y1, x2, y2 = _points(args, 4)
    ms = _duration(args[4]) if len(args) == 5 else 300
    if max(abs(x2 - x1), abs(y2 - y1)) <= _SLOP:
        if ms >= _LONG_PRESS_MS:
            call.phone.input.long_press(x1, y1, ms)
        else:
            call.phone.input.tap(x1, y1)
    else:
        call.phone.input.swipe(x1, y1, x2, y2, ms)
    return 0


def _duration(text: str) -> int:
    try:
        ms = int(text)
    except ValueError:
        raise _Failure(f'For input string: "{text}"') from None
    return ms if ms >= 0 else 300


def _drag(call: Call, args: list[str]) -> int:
    args = args[:-1] if len(args) == 5 and args[4] == "" else args
    if len(args) not in (4, 5):
        raise _Failure
    x1, y1, x2, y2 = _points(args, 4)
    call.phone.input.drag(x1, y1, x2, y2, _duration(args[4]) if len(args) == 5 else 300)
    return 0


def _text(call: Call, args: list[str]) -> int:
    if not args:
        raise _Failure
    # Android sends one word; `%s` stands for a blank.
    text = args[0].replace("%s", " ")
    for char in text:
        if ord(char) > 0x7F:
            call.err(
                "\nException occurred while executing 'text':\njava.lang.NullPointerException: Attempt to get length "
                "of null array\n\tat com.android.server.input.InputShellCommand.sendText(InputShellCommand.java:355)"
            )
            return 255
    if text:
        call.phone.input.text(text)
    return 0


def _keyevent(call: Call, args: list[str]) -> int:
    long_press = double = False
    keys: list[str] = []
    rest = list(args)
    while rest:
        arg = rest.pop(0)
        if arg == "--longpress":
            long_press = True
        elif arg == "--doubletap":
            double = True
        elif arg in ("--async", "--press"):
            continue
        elif arg in ("--delay", "--duration"):
            value = _duration(rest.pop(0)) if rest else 0
            long_press |= arg == "--duration" and value >= _LONG_PRESS_MS
        else:
            keys.append(arg)
    if not keys:
        raise _Failure
    for key in keys:
        name = key_name(key)
        if name is None:
            call.err(
                f"\nException occurred while executing 'keyevent':\njava.lang.IllegalArgumentException: "
                f"Argument is not a valid keycode: {key}"
            )
            return 255
        if long_press and name in ("HOME", "POWER"):
            # The long press of these keys is a key of its own to the system.
            call.phone.input.key({"HOME": "ASSIST", "POWER": "POWER_LONG"}[name])
            continue
        for _ in range(2 if double else 1):
            if name != "UNKNOWN":
                call.phone.input.key(name)
    return 0


def _combination(call: Call, args: list[str]) -> int:
    if args[:1] == ["-t"]:
        args = args[2:]
    if len(args) < 2:
        raise _Failure
    names: list[str] = []
    for key in args:
        name = key_name(key)
        if name is None or name == "UNKNOWN":
            call.err(f"Error: Unknown keycode: {key}")
            return 255
        names.append(name)
    call.phone.input.key_combination(names)
    return 0


def _motion(call: Call, args: list[str]) -> int:
    """One finger's event: what DOWN, MOVE and UP make together is known at UP, and then done."""
    actions = ("DOWN", "MOVE", "UP", "CANCEL")
    if len(args) not in (1, 3) or args[0].upper() not in actions:
        raise _Failure
    action = args[0].upper()
    x, y = _points(args[1:], 2) if len(args) == 3 else (0, 0)
    interface = call.phone.state.interface
    now = call.phone.state.clock.now_ms
    if action == "DOWN":
        interface["shell_touch"] = [x, y, now]
        return 0
    if action == "CANCEL":
        interface.pop("shell_touch", None)
        return 0
    down = interface.get("shell_touch")
    if action == "MOVE" or down is None:
        return 0
    del interface["shell_touch"]
    x1, y1, since = down
    held = now - since
    if max(abs(x - x1), abs(y - y1)) > _SLOP:
        call.phone.input.drag(x1, y1, x, y, max(held, 300))
    elif held >= _LONG_PRESS_MS:
        call.phone.input.long_press(x1, y1, held)
    else:
        call.phone.input.tap(x1, y1)
    return 0


def _press(call: Call, args: list[str]) -> int:
    call.phone.input.key("DPAD_CENTER")
    return 0


def _roll(call: Call, args: list[str]) -> int:
    if len(args) != 2:
        raise _Failure
    dx, dy = _points(args, 2)
    for count, names in ((dx, ("DPAD_LEFT", "DPAD_RIGHT")), (dy, ("DPAD_UP", "DPAD_DOWN"))):
        for _ in range(min(abs(count), 50)):
            call.phone.input.key(names[count > 0])
    return 0


_ACTS = {
    "draganddrop": _drag,
    "keycombination": _combination,
    "keyevent": _keyevent,
    "motionevent": _motion,
    "press": _press,
    "roll": _roll,
    "swipe": _swipe,
    "tap": _tap,
    "text": _text,
}

COMMANDS: dict[str, Command] = {"input": input_}
