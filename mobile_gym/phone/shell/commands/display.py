"""`wm`: size, density and rotation of the display, kept as settings."""

from __future__ import annotations

import re

from mobile_gym.phone.shell.commands.call import Call, Command


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
    call.err(f"Unknown command: {name}")
    return 255


def _size(call: Call, args: list[str]) -> int:
    profile = call.phone.profile
    if not args:
        call.line(f"Physical size: {profile.width}x{profile.height}")
        forced = (call.phone.state.settings.get("global", "display_size_forced") or "").replace("x", ",").split(",")
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
    if int(args[0]) > 4 * call.phone.profile.dpi:
        call.err(f"Error: density must be <= {4 * call.phone.profile.dpi}, four times the screen's own")
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


COMMANDS: dict[str, Command] = {"wm": wm}
