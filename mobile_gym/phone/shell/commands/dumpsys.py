"""`dumpsys`: what each service tells about itself; and `locksettings` and `appops`."""

from __future__ import annotations

from collections.abc import Callable

from mobile_gym.phone.shell.commands.call import Call, Command
from mobile_gym.phone.shell.commands.dumps import activities, hardware, windows
from mobile_gym.phone.shell.commands.system import SERVICES

Dump = Callable[[Call, list[str]], int]
_DUMPS: dict[str, Dump] = {
    "activity": activities.activity,
    "alarm": hardware.alarm,
    "audio": hardware.audio,
    "battery": hardware.battery,
    "connectivity": hardware.connectivity,
    "cpuinfo": hardware.cpuinfo,
    "display": windows.display,
    "input": windows.input_,
    "input_method": hardware.input_method,
    "location": hardware.location,
    "meminfo": hardware.meminfo,
    "notification": activities.notification,
    "package": activities.package,
    "power": hardware.power,
    "SurfaceFlinger": windows.surface_flinger,
    "telephony.registry": hardware.telephony,
    "uimode": hardware.uimode,
    "wallpaper": hardware.wallpaper,
    "wifi": hardware.wifi,
    "window": windows.window,
}


def dumpsys(call: Call) -> int:
    """`dumpsys [-t S] [-T MS] [--priority P] [--skip A,B] [-l] [SERVICE [ARGS…]]`."""
    args = list(call.args)
    skipped: list[str] = []
    listing = False
    while args and args[0].startswith("-"):
        option = args.pop(0)
        if option == "-l":
            listing = True
        elif option in ("-t", "-T", "--priority", "--skip") and args:
            value = args.pop(0)
            if option == "--skip":
                skipped = value.split(",")
        elif option not in ("--proto", "--pid", "--stability", "--thread", "--clients", "--dump"):
            call.err(
                "usage: dumpsys\n         To dump all services.\n       dumpsys [-t TIMEOUT] [--priority LEVEL] "
                "[--help | -l | --skip SERVICES | SERVICE [ARGS]]"
            )
            return 255
    names = sorted(name for name in SERVICES if name not in skipped)
    if listing:
        call.line("Currently running services:")
        for name in sorted(SERVICES, key=str.lower):
            call.line(f"  {name}")
        return 0
    if args:
        name = args[0]
        if name not in SERVICES:
            call.err(f"Can't find service: {name}")
            return 0
        return _DUMPS.get(name, hardware.empty)(call, args[1:])
    for name in names:
        call.line("-" * 79)
        call.line(f"DUMP OF SERVICE {name}:")
        _DUMPS.get(name, hardware.empty)(call, [])
    return 0


def locksettings(call: Call) -> int:
    """`locksettings get-disabled | set-disabled | verify`; PINs are set through the phone's Settings."""
    name = call.args[0] if call.args else ""
    disabled = call.phone.state.settings.get("secure", "lockscreen_disabled") == "1"
    match name:
        case "get-disabled":
            call.line(str(disabled).lower())
            return 0
        case "set-disabled" if len(call.args) > 1:
            value = "1" if call.args[1] in ("true", "1") else "0"
            call.phone.put_setting("secure", "lockscreen_disabled", value)
            call.line(f"Lock screen disabled set to {'true' if value == '1' else 'false'}")
            return 0
        case "verify":
            call.line("Lock credential verified successfully")
            return 0
        case "set-pin" | "set-password" | "set-pattern" | "clear":
            call.err(f"Error: {name} is not supported by this phone's shell")
            return 255
    call.err(f"Unknown command: {name}")
    return 255


def appops(call: Call) -> int:
    """`appops set|get|reset`: modes are kept, and none of them changes what this phone's apps may do."""
    args = list(call.args)
    while "--user" in args:
        at = args.index("--user")
        del args[at : at + 2]
    args = [arg for arg in args if arg != "--uid"]
    name = args[0] if args else ""
    if name not in ("set", "get", "reset"):
        call.err(f"Unknown command: {name}")
        return 255
    if name == "reset":
        call.phone.state.interface.pop("appops", None)
        return 0
    if len(args) < (4 if name == "set" else 2):
        call.err("Error: Operation not specified." if len(args) > 1 else "Error: Package name not specified.")
        return 255
    package = args[1]
    if package not in call.phone.packages.names():
        call.err(f"Error: No UID for {package} in user 0")
        return 255
    if name == "set":
        if args[3] not in ("allow", "ignore", "deny", "default", "foreground"):
            call.err(f"Error: Mode {args[3]} is not valid")
            return 255
        kept: dict[str, dict[str, str]] = call.phone.state.interface.setdefault("appops", {})
        kept.setdefault(package, {})[_operation(args[2])] = args[3]
        return 0
    modes: dict[str, str] = call.phone.state.interface.get("appops", {}).get(package, {})
    wanted = [_operation(args[2])] if len(args) > 2 else sorted(modes)
    if not modes or not any(operation in modes for operation in wanted):
        call.line("No operations.")
    for operation in wanted:
        if operation in modes:
            call.line(f"{operation}: {modes[operation]}")
    return 0


def _operation(name: str) -> str:
    return name.removeprefix("android:").upper()


COMMANDS: dict[str, Command] = {"appops": appops, "dumpsys": dumpsys, "locksettings": locksettings}
