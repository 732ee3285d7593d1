"""`ime`, and the broadcasts that type through the ADB keyboard once it is installed and chosen."""

from __future__ import annotations

import base64
import binascii

from mobile_gym.phone.door import PhoneDoor
from mobile_gym.phone.shell.commands.call import Call, Command
from mobile_gym.phone.shell.commands.intents import ParsedIntent
from mobile_gym.phone.shell.commands.touch_and_keys import key_name

ADB_KEYBOARD_PACKAGE = "com.android.adbkeyboard"
ADB_KEYBOARD = f"{ADB_KEYBOARD_PACKAGE}/.AdbIME"
SYSTEM_KEYBOARD = "com.android.inputmethod.pinyin/.PinyinIME"


def input_methods(phone: PhoneDoor) -> list[str]:
    """Ids of the input methods that are installed."""
    found = [SYSTEM_KEYBOARD]
    if ADB_KEYBOARD_PACKAGE in phone.packages.names():
        found.append(ADB_KEYBOARD)
    return found


def current(phone: PhoneDoor) -> str:
    """The input method in use: the one chosen, or the system's where that one is gone."""
    chosen = phone.state.settings.get("secure", "default_input_method")
    return chosen if chosen in input_methods(phone) else SYSTEM_KEYBOARD


def enabled(phone: PhoneDoor) -> list[str]:
    """Ids of the input methods that are enabled."""
    listed = (phone.state.settings.get("secure", "enabled_input_methods") or SYSTEM_KEYBOARD).split(":")
    return [name for name in input_methods(phone) if name in listed]


def _put_enabled(phone: PhoneDoor, names: list[str]) -> None:
    phone.put_setting("secure", "enabled_input_methods", ":".join(names))


def _list(call: Call, args: list[str]) -> int:
    names = input_methods(call.phone) if "-a" in args else enabled(call.phone)
    for name in names:
        if "-s" in args:
            call.line(name)
            continue
        package = name.partition("/")[0]
        call.line(f"{name}:")
        call.line(f"  mId={name} mSettingsActivityName=null mIsVrOnly=false mSupportsSwitchingToNextInputMethod=false")
        call.line(f"  mIsDefaultResId=0x0\n  Service:\n    packageName={package}")
    return 0


def _canonical(name: str) -> str:
    package, _, activity = name.partition("/")
    return f"{package}/{activity[len(package) :] if activity.startswith(package + '.') else activity}"


def _enable(call: Call, args: list[str], on: bool) -> int:
    name = _canonical(args[0]) if args else ""
    word = "enabled" if on else "disabled"
    if name not in input_methods(call.phone):
        call.err(f"Unknown input method {args[0] if args else 'null'} cannot be {word} for user #0")
        return 255
    names = enabled(call.phone)
    if (name in names) == on:
        call.line(f"Input method {name}: already {word} for user #0")
        return 0
    _put_enabled(call.phone, [*names, name] if on else [other for other in names if other != name])
    if not on and current(call.phone) == name:
        call.phone.put_setting("secure", "default_input_method", SYSTEM_KEYBOARD)
    call.line(f"Input method {name}: now {word} for user #0")
    return 0


def _set(call: Call, args: list[str]) -> int:
    name = _canonical(args[0]) if args else ""
    if name not in input_methods(call.phone) or name not in enabled(call.phone):
        call.err(f"Unknown input method {args[0] if args else 'null'} cannot be selected for user #0")
        return 255
    call.phone.put_setting("secure", "default_input_method", name)
    call.line(f"Input method {name} selected for user #0")
    return 0


def _reset(call: Call) -> int:
    _put_enabled(call.phone, [SYSTEM_KEYBOARD])
    call.phone.put_setting("secure", "default_input_method", SYSTEM_KEYBOARD)
    call.line("Reset current and enabled IMEs for user #0")
    call.line(f"  Newly selected: {SYSTEM_KEYBOARD}\n  Newly enabled: {SYSTEM_KEYBOARD}")
    return 0


def ime(call: Call) -> int:
    """The input method manager's shell command."""
    args = list(call.args)
    name = args.pop(0) if args else ""
    if args[:1] == ["--user"]:
        args = args[2:]
    match name:
        case "list":
            return _list(call, args)
        case "enable" | "disable":
            return _enable(call, args, name == "enable")
        case "set":
            return _set(call, args)
        case "reset":
            return _reset(call)
    call.out(
        "ime <command>:\n  list [-a] [-s]\n  enable [--user <USER_ID>] <ID>\n  disable [--user <USER_ID>] <ID>\n"
        "  set [--user <USER_ID>] <ID>\n  reset [--user <USER_ID>]\n"
    )
    return 0 if name in ("", "help", "-h") else 255


def keyboard_broadcast(phone: PhoneDoor, intent: ParsedIntent) -> bool:
    """Lets the ADB keyboard act on a broadcast; tells whether it was one of its own and it was there to hear it.

    The keyboard hears only while it is the input method in use and no other package was named. It answers nothing, so
    the result of such a broadcast is 0 whether or not anything was typed.
    """
    action = intent.action or ""
    if not action.startswith("ADB_") or current(phone) != ADB_KEYBOARD:
        return False
    if intent.intent().package not in (None, ADB_KEYBOARD_PACKAGE):
        return False
    message = intent.extras.get("msg")
    match action:
        case "ADB_INPUT_TEXT":
            if isinstance(message, str) and message:
                phone.input.text(message)
        case "ADB_INPUT_B64":
            if isinstance(message, str) and message:
                try:
                    phone.input.text(base64.b64decode(message).decode("utf-8", "replace"))
                except binascii.Error:
                    phone.log("W", "AdbIME", "bad base64 in ADB_INPUT_B64")
        case "ADB_INPUT_CHARS":
            codes = str(intent.extras.get("chars", "")).split(",")
            phone.input.text("".join(chr(int(code)) for code in codes if code.isdecimal() and int(code) < 0x110000))
        case "ADB_CLEAR_TEXT":
            phone.input.key_combination(("CTRL_LEFT", "A"))
            phone.input.key("DEL")
        case "ADB_EDITOR_CODE":
            phone.input.key("ENTER")
        case "ADB_INPUT_CODE":
            name = key_name(str(intent.extras.get("code", "")))
            if name not in (None, "UNKNOWN"):
                phone.input.key(name or "")
        case _:
            return False
    return True


COMMANDS: dict[str, Command] = {"ime": ime}
