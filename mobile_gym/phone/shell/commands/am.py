"""`am`: activities, tasks and broadcasts; and `monkey`."""

from __future__ import annotations

from mobile_gym.phone.door import Component, Intent, TaskInfo
from mobile_gym.phone.errors import ActivityNotFound, PackageNotFound
from mobile_gym.phone.shell.commands.call import Call, Command
from mobile_gym.phone.shell.commands.intents import ParsedIntent, parse_intent
from mobile_gym.phone.shell.commands.keyboards import keyboard_broadcast

_START_OPTIONS = {
    "-D": False,
    "-N": False,
    "-W": False,
    "-S": False,
    "-R": True,
    "-P": True,
    "--start-profiler": True,
    "--streaming": False,
    "--track-allocation": False,
    "--attach-agent": True,
    "--user": True,
    "--display": True,
    "--windowingMode": True,
    "--activityType": True,
    "--task": True,
    "--splashscreen-show-icon": False,
    "--lock-task": False,
    "--sampling": True,
}
_TASK_FLAG = 0x10000000


def start(call: Call, args: list[str]) -> int:
    """`am start`."""
    # An empty word (an option that the caller left out) is skipped where an option may stand.
    parsed, own = parse_intent([arg for arg in args if arg != ""], _START_OPTIONS)
    if not (parsed.action or parsed.component or parsed.data or parsed.package):
        call.err(
            "\nException occurred while executing 'start':\njava.lang.IllegalArgumentException: No intent supplied"
        )
        return 255
    if parsed.action is None and (parsed.component is not None or parsed.package is not None):
        if parsed.component is None:
            parsed.action, parsed.categories = "android.intent.action.MAIN", ["android.intent.category.LAUNCHER"]
    elif parsed.action is None:
        parsed.action = "android.intent.action.VIEW"
    if "-S" in own:
        package = parsed.intent().package
        if package is not None:
            call.line(f"Stopping: {package}")
            if package in call.phone.packages.names():
                call.phone.activities.force_stop(package)
    shown = parsed.shown()
    call.line(f"Starting: {shown}")
    running = {component.package for task in call.phone.activities.tasks() for component in task.activities}
    parsed.flags |= _TASK_FLAG
    front = call.phone.activities.resumed()
    before = call.phone.state.clock.now_ms
    try:
        started = call.phone.activities.start(parsed.intent())
    except (ActivityNotFound, PackageNotFound):
        return _unresolved(call, parsed)
    if started == front and not parsed.intent().clear and started.package in running and "-S" not in own:
        call.line("Warning: Activity not started, intent has been delivered to currently running top-most instance.")
    if "-W" in own:
        call.phone.settle()
        elapsed = call.phone.state.clock.now_ms - before
        cold = started.package not in running or "-S" in own
        call.line("Status: ok")
        call.line(f"LaunchState: {'COLD' if cold else 'HOT'}")
        call.line(f"Activity: {started.flat()}")
        call.line(f"TotalTime: {elapsed}")
        call.line(f"WaitTime: {elapsed + 3}")
        call.line("Complete")
    return 0


def _unresolved(call: Call, parsed: ParsedIntent) -> int:
    if parsed.component is not None:
        package, _, name = parsed.component.partition("/")
        short = Component(package, name).flat()
        call.err("Error type 3")
        call.err(f"Error: Activity class {{{short}}} does not exist.")
    else:
        call.err(f"Error: Activity not started, unable to resolve {parsed.shown()}")
    return 1


def broadcast(call: Call, args: list[str]) -> int:
    """`am broadcast`."""
    parsed, _ = parse_intent(
        args,
        {"--user": True, "--receiver-permission": True, "--allow-background-activity-starts": False, "--async": False},
    )
    parsed.flags |= 0x400000
    call.line(f"Broadcasting: {parsed.shown()}")
    code, data = 0, None
    if not keyboard_broadcast(call.phone, parsed):
        code, data = call.phone.activities.broadcast(parsed.intent())
    call.line(f"Broadcast completed: result={code}" + ("" if data is None else f', data="{data}"'))
    return 0


def _force_stop(call: Call, args: list[str]) -> int:
    packages = _without_user(args)
    if not packages:
        return _missing(call, "force-stop")
    if packages[0] in call.phone.packages.names():
        call.phone.activities.force_stop(packages[0])
    return 0


def _without_user(args: list[str]) -> list[str]:
    rest = list(args)
    if rest[:1] == ["--user"]:
        rest = rest[2:]
    return rest


def _missing(call: Call, name: str) -> int:
    call.err(
        f"\nException occurred while executing '{name}':\njava.lang.IllegalArgumentException: Argument expected after "
        f'"{name}"'
    )
    return 255


def _kill(call: Call, args: list[str]) -> int:
    """Only processes in the background are killed, and they keep their tasks: nothing that the phone shows changes."""
    return 0 if _without_user(args) else _missing(call, "kill")


def _kill_all(call: Call, args: list[str]) -> int:
    return 0


def tasks_with_home(call: Call) -> list[TaskInfo]:
    """Tasks, the visible one first, with the launcher's (number 0) among them."""
    tasks = call.phone.activities.tasks()
    shown = [task for task in tasks if task.visible]
    rest = [task for task in tasks if not task.visible]
    home = TaskInfo(0, (home_component(call),), not shown)
    return [*shown, home, *rest] if shown else [home, *rest]


def home_component(call: Call) -> Component:
    """The launcher's activity."""
    if not any(task.visible for task in call.phone.activities.tasks()):
        return call.phone.activities.resumed()
    for name in call.phone.packages.names():
        if "launcher" in name:
            return Component(name, call.phone.packages.info(name).launcher or f"{name}.Launcher")
    return Component("com.android.systemui", "com.android.systemui.Home")


def task_lines(call: Call) -> list[str]:
    """Tasks as `am stack list` prints them."""
    width, height, _ = call.phone.screen
    lines: list[str] = []
    for task in tasks_with_home(call):
        base, top = task.activities[0], task.activities[-1]
        bounds = f"[0,0][{width},{height}]"
        lines.append(f"RootTask id={task.task_id} bounds={bounds} displayId=0 userId=0")
        lines.append(
            f"  taskId={task.task_id}: {base.flat()} bounds={bounds} userId=0 visible={str(task.visible).lower()}"
            f" topActivity=ComponentInfo{{{top.package}/{top.activity}}}"
        )
        lines.append("")
    return lines


def _stack(call: Call, args: list[str]) -> int:
    if args[:1] == ["list"]:
        for line in task_lines(call):
            call.line(line)
        return 0
    if args[:1] == ["remove"] and len(args) > 1 and args[1].isdecimal():
        call.phone.activities.remove_task(int(args[1]))
        return 0
    if args[:1] in (["info"], ["move-task"], ["positiontask"]):
        return 0
    call.err(f"Error: unknown command '{args[0] if args else ''}'")
    return 255


def _task(call: Call, args: list[str]) -> int:
    """Tasks cannot be pinned on this phone: `lock` checks the id and says what Android's manager says."""
    if args[:1] == ["lock"]:
        if args[1:2] == ["stop"]:
            return 0
        if len(args) < 2 or not args[1].isdecimal():
            return _missing(call, "lock")
        known = {task.task_id for task in call.phone.activities.tasks()}
        if int(args[1]) in known:
            call.line("Activity manager is in lockTaskMode")
        return 0
    if args[:1] in (["resizeable"], ["resize"], ["focus"]):
        return 0
    call.err(f"Error: unknown command '{args[0] if args else ''}'")
    return 255


def _service(call: Call, args: list[str]) -> int:
    parsed, _ = parse_intent(args, {"--user": True})
    call.line(f"Starting service: {parsed.shown()}")
    package = parsed.intent().package
    if package is None or package not in call.phone.packages.names():
        call.err("Error: Not found; no service started.")
        return 255
    return 0


def _instrument(call: Call, args: list[str]) -> int:
    component = args[-1] if args and "/" in args[-1] else ""
    package, _, name = component.partition("/")
    call.line(
        f"INSTRUMENTATION_STATUS: id=ActivityManagerService\nINSTRUMENTATION_STATUS: Error=Unable to find "
        f"instrumentation info for: ComponentInfo{{{package}/{name}}}\nINSTRUMENTATION_STATUS_CODE: -1"
    )
    call.err(f"android.util.AndroidException: INSTRUMENTATION_FAILED: {component}")
    return 1


def _to_uri(call: Call, args: list[str]) -> int:
    parsed, _ = parse_intent(args)
    call.line(parsed.data or "")
    return 0


def _get_config(call: Call, args: list[str]) -> int:
    width, height, turns = call.phone.screen
    dpi = call.phone.density_dpi
    call.line(f"config: w{width * 160 // dpi}dp-h{height * 160 // dpi}dp-{dpi}dpi-{'land' if turns % 2 else 'port'}")
    call.line("abi: arm64-v8a")
    return 0


_SUBCOMMANDS = {
    "broadcast": broadcast,
    "clear-debug-app": _kill_all,
    "force-stop": _force_stop,
    "get-config": _get_config,
    "instrument": _instrument,
    "kill": _kill,
    "kill-all": _kill_all,
    "set-debug-app": _kill_all,
    "stack": _stack,
    "start": start,
    "start-activity": start,
    "start-foreground-service": _service,
    "start-service": _service,
    "startforegroundservice": _service,
    "startservice": _service,
    "stop-app": _force_stop,
    "stopservice": _service,
    "stop-service": _service,
    "task": _task,
    "to-uri": _to_uri,
}


def am(call: Call) -> int:
    """The activity manager's shell command."""
    args = call.args
    if not args or args[0] in ("help", "-h"):
        call.line("Activity manager (activity) commands:")
        for name in sorted(_SUBCOMMANDS):
            call.line(f"  {name}")
        return 0 if args else 255
    name, rest = args[0], args[1:]
    if name == "get-current-user":
        call.line("0")
        return 0
    if name in ("switch-user", "wait-for-broadcast-idle", "wait-for-broadcast-barrier", "hang", "unlock-user"):
        if name.startswith("wait-for"):
            call.line("All broadcast queues are idle!")
        return 0
    act = _SUBCOMMANDS.get(name)
    if act is None:
        call.err(f"Unknown command: {name}")
        return 255
    return act(call, rest)


def monkey(call: Call) -> int:
    """`monkey -p PACKAGE [-c CATEGORY] COUNT`: opens the package; random events beyond that are not made."""
    package: str | None = None
    categories: list[str] = []
    count: int | None = None
    args = list(call.args)
    plain = ("-v", "--ignore-crashes", "--ignore-timeouts", "--ignore-security-exceptions", "--monitor-native-crashes")
    while args:
        arg = args.pop(0)
        if arg in ("-p", "-c", "-s", "--throttle"):
            if not args:
                call.err(f'** Error: "{arg}" requires an argument.' if arg != "-p" else "** Error: -p needs a package")
                return 251
            value = args.pop(0)
            if arg == "-p":
                package = value
            elif arg == "-c":
                categories.append(value)
        elif arg.startswith("--pct-"):
            args = args[1:]
        elif arg.startswith("-c") and len(arg) > 2:
            categories.append(arg[2:])
        elif arg.startswith("-p") and len(arg) > 2:
            package = arg[2:]
        elif arg in plain or arg.startswith("-v"):
            continue
        elif arg.isdecimal():
            count = int(arg)
        else:
            call.err(f"** Error: Unknown option: {arg}" if arg.startswith("-") else "** Error: Count is not a number")
            return 251
    if count is None:
        call.err("** Error: Count not specified")
        return 251
    if package is None:
        call.err("** No activities found to run, monkey aborted.")
        return 252
    names = call.phone.packages.names()
    info = call.phone.packages.info(package) if package in names else None
    launchable = info is not None and info.launcher is not None and info.enabled
    if any(category != "android.intent.category.LAUNCHER" for category in categories):
        launchable = False
    if not launchable:
        call.err("** No activities found to run, monkey aborted.")
        return 252
    call.phone.activities.start(Intent(package=package))
    call.line(f"Events injected: {count}")
    call.line("## Network stats: elapsed time=14ms (0ms mobile, 0ms wifi, 14ms not connected)")
    return 0


COMMANDS: dict[str, Command] = {"am": am, "monkey": monkey}
