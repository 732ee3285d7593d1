"""`pm` and `cmd package`: what is installed, installing, clearing, permissions."""

from __future__ import annotations

from collections.abc import Callable

from mobile_gym.phone.door import PackageInfo, PhoneDoor
from mobile_gym.phone.errors import InstallError, PackageNotFound, ProviderError
from mobile_gym.phone.shell.commands.call import Call, Command
from mobile_gym.phone.shell.commands.intents import parse_intent
from mobile_gym.phone.shell.shell_files import error_text

FEATURES = (
    "android.hardware.audio.output",
    "android.hardware.bluetooth",
    "android.hardware.camera.any",
    "android.hardware.faketouch",
    "android.hardware.location",
    "android.hardware.microphone",
    "android.hardware.screen.landscape",
    "android.hardware.screen.portrait",
    "android.hardware.telephony",
    "android.hardware.touchscreen",
    "android.hardware.touchscreen.multitouch",
    "android.hardware.wifi",
    "android.software.home_screen",
    "android.software.input_methods",
    "android.software.webview",
)
LIBRARIES = (
    "android.ext.shared",
    "android.test.base",
    "android.test.mock",
    "android.test.runner",
    "org.apache.http.legacy",
)


def install_stream(phone: PhoneDoor, data: bytes) -> str:
    """Installs an APK that was sent over the wire.

    Returns:
        What `adb install` shows: `Success`, or `Failure [CODE: reason]`, with a newline.
    """
    return _installed(phone, data)[0]


def _installed(phone: PhoneDoor, data: bytes) -> tuple[str, str | None]:
    """The answer, and the package where it was installed."""
    try:
        package = phone.packages.install(data)
    except InstallError as error:
        return f"Failure [{error}]\n", None
    return "Success\n", package


def _exception(call: Call, kind: str, text: str) -> int:
    call.err(f"\nException occurred while executing '{call.args[0]}':\njava.lang.{kind}: {text}")
    return 255


def _operands(args: list[str], valued: tuple[str, ...] = ("--user",)) -> tuple[list[str], dict[str, str]]:
    """Operands, and options with their values."""
    operands: list[str] = []
    found: dict[str, str] = {}
    rest = list(args)
    while rest:
        arg = rest.pop(0)
        if arg in valued:
            found[arg] = rest.pop(0) if rest else ""
        elif arg.startswith("-") and len(arg) > 1:
            found[arg] = ""
        else:
            operands.append(arg)
    return operands, found


def _list(call: Call, args: list[str]) -> int:
    kind, rest = (args[0], args[1:]) if args else ("", [])
    match kind:
        case "packages" | "package":
            return _list_packages(call, rest)
        case "features":
            for name in FEATURES:
                call.line(f"feature:{name}")
            return 0
        case "libraries":
            for name in LIBRARIES:
                call.line(f"library:{name}")
            return 0
        case "permissions" | "permission-groups":
            names = {name for p in call.phone.packages.names() for name in call.phone.packages.info(p).permissions}
            call.line("All Permissions:\n")
            for name in sorted(names):
                call.line(f"permission:{name}")
            return 0
        case "users":
            call.line("Users:\n\tUserInfo{0:Owner:4c13} running")
            return 0
        case "instrumentation":
            return 0
    call.err(f"Error: unknown list type '{kind}'" if kind else "Error: didn't specify type of data to list")
    return 255


def _list_packages(call: Call, args: list[str]) -> int:
    operands, flags = _operands(args, ("--user", "--uid"))
    needle = operands[0] if operands else ""
    for name in call.phone.packages.names():
        info = call.phone.packages.info(name)
        kept = (
            needle in name
            and not ("-3" in flags and info.system)
            and not ("-s" in flags and not info.system)
            and not ("-e" in flags and not info.enabled)
            and not ("-d" in flags and info.enabled)
            and flags.get("--uid", str(info.uid)) == str(info.uid)
        )
        if not kept:
            continue
        text = f"package:{info.apk_path}={name}" if "-f" in flags else f"package:{name}"
        if "--show-versioncode" in flags:
            text += f" versionCode:{info.version_code}"
        if "-i" in flags:
            text += "  installer=null"
        if "-U" in flags:
            text += f" uid:{info.uid}"
        call.line(text)
    return 0


def _info(call: Call, package: str) -> PackageInfo | None:
    try:
        return call.phone.packages.info(package)
    except PackageNotFound:
        return None


def _path(call: Call, args: list[str]) -> int:
    operands, _ = _operands(args)
    if not operands:
        call.err("Error: no package specified")
        return 1
    info = _info(call, operands[0])
    if info is None:
        return 1
    call.line(f"package:{info.apk_path}")
    return 0


def _clear(call: Call, args: list[str]) -> int:
    rest = list(args)
    if rest[:1] == ["-f"]:
        # `pm clear -f USER PACKAGE` is a form that one client sends.
        rest = rest[1:]
        if len(rest) > 1:
            rest = rest[1:]
    operands, flags = _operands(rest)
    if not operands:
        call.err("Error: no package specified")
        return 1
    if operands[0] not in call.phone.packages.names():
        call.out("Failed\n")
        return 1
    if "--cache-only" in flags:
        call.phone.packages.clear_cache(operands[0])
    else:
        call.phone.packages.clear(operands[0])
    call.line("Success")
    return 0


def _permission(call: Call, args: list[str], granted: bool) -> int:
    operands, _ = _operands(args)
    if not operands:
        call.err("Error: no package specified")
        return 1
    if len(operands) < 2:
        call.err("Error: no permission specified")
        return 1
    package, permission = operands[0], operands[1]
    if package not in call.phone.packages.names():
        return _exception(call, "IllegalArgumentException", f"Unknown package: {package}")
    try:
        call.phone.packages.set_permission(package, permission, granted)
    except ProviderError:
        return _exception(call, "SecurityException", f"Package {package} has not requested permission {permission}")
    return 0


def _install(call: Call, args: list[str]) -> int:
    operands, flags = _operands(args, ("--user", "-S", "-i", "--install-location", "--abi", "--originating-uri", "-p"))
    if not operands or operands == ["-"]:
        if "-S" not in flags:
            call.err("Error: must either specify a package size or an APK file")
            return 1
        data = call.stdin.read()
        if flags["-S"].isdecimal():
            data = data[: int(flags["-S"])]
    else:
        path = operands[0]
        try:
            data = call.read(path)
        except OSError as error:
            call.err(f"Error: Unable to open file: {path}\nConsider using a file under /data/local/tmp/")
            call.err(f"Error: Can't open file: {path} ({error_text(error)})")
            return 255
    answer, package = _installed(call.phone, data)
    call.out(answer)
    if package is None:
        return 1
    if "-g" in flags:
        for permission in call.phone.packages.info(package).permissions:
            call.phone.packages.set_permission(package, permission, True)
    return 0


def _uninstall(call: Call, args: list[str]) -> int:
    operands, flags = _operands(args, ("--user", "--versionCode"))
    if not operands:
        call.err("Error: package name not specified")
        return 1
    package = operands[0]
    info = _info(call, package)
    if info is None:
        call.line("Failure [DELETE_FAILED_INTERNAL_ERROR]")
        return 1
    if info.system and "--user" in flags:
        call.phone.packages.set_enabled(package, False)
        call.line("Success")
        return 0
    try:
        call.phone.packages.uninstall(package)
    except InstallError as error:
        call.line(f"Failure [{error.code}]")
        return 1
    call.line("Success")
    return 0


def _enable(call: Call, args: list[str]) -> int:
    operands, _ = _operands(args)
    state = {"disable-user": "disabled-user", "disable": "disabled", "enable": "enabled"}.get(call.args[0], "default")
    if not operands:
        call.err("Error: no package or component specified")
        return 1
    package = operands[0].partition("/")[0]
    if package not in call.phone.packages.names():
        return _exception(call, "IllegalArgumentException", f"Unknown package: {package}")
    call.phone.packages.set_enabled(package, state in ("enabled", "default"))
    call.line(f"Package {package} new state: {state}")
    return 0


def _resolve(call: Call, args: list[str]) -> int:
    parsed, own = parse_intent(args, {"--brief": False, "--components": False, "--user": True, "--query-flags": True})
    package = parsed.intent().package
    names = call.phone.packages.names()
    home = "android.intent.category.HOME" in parsed.categories
    if home:
        found = next((call.phone.packages.info(name) for name in names if "launcher" in name), None)
    else:
        found = call.phone.packages.info(package) if package in names and package is not None else None
    if found is None or (found.launcher is None and not home):
        call.line("No activity found")
        return 1
    launcher = found.launcher or f"{found.package}.Launcher"
    if "--components" not in own:
        call.line("priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false")
    short = launcher[len(found.package) :] if launcher.startswith(found.package + ".") else launcher
    call.line(f"{found.package}/{short}")
    return 0


def _trim(call: Call, args: list[str]) -> int:
    for name in call.phone.packages.names():
        call.phone.packages.clear_cache(name)
    return 0


def _one(text: str) -> Callable[[Call, list[str]], int]:
    def say(call: Call, args: list[str]) -> int:
        call.line(text)
        return 0

    return say


def _dump(call: Call, args: list[str]) -> int:
    return call.run(["dumpsys", "package", *args])


_ACTS: dict[str, Callable[[Call, list[str]], int]] = {
    "clear": _clear,
    "default-state": _enable,
    "disable": _enable,
    "disable-user": _enable,
    "dump": _dump,
    "enable": _enable,
    "get-install-location": _one("0[auto]"),
    "get-max-users": _one("Maximum supported users: 4"),
    "grant": lambda call, args: _permission(call, args, True),
    "install": _install,
    "list": _list,
    "path": _path,
    "query-activities": _resolve,
    "resolve-activity": _resolve,
    "revoke": lambda call, args: _permission(call, args, False),
    "trim-caches": _trim,
    "uninstall": _uninstall,
}


def pm(call: Call) -> int:
    """The package manager's shell command."""
    if not call.args or call.args[0] in ("help", "-h"):
        call.line("Package manager (package) commands:")
        for name in sorted(_ACTS):
            call.line(f"  {name}")
        return 0 if call.args else 255
    act = _ACTS.get(call.args[0])
    if act is None:
        call.err(f"Unknown command: {call.args[0]}")
        return 255
    return act(call, call.args[1:])


COMMANDS: dict[str, Command] = {"pm": pm}
