"""Programs that run programs, and what `ps` and its kin tell: sh, su, env, xargs, sleep, timeout, toybox, which, ps."""

from __future__ import annotations

import re
import shlex
import zlib

from mobile_gym.phone.shell.commands.call import Call, Command, options
from mobile_gym.phone.shell.language.errors import Following
from mobile_gym.phone.shell.language.streams import decode
from mobile_gym.phone.shell.shell_files import user_name


def sh(call: Call) -> int:
    """`sh -c TEXT`, `sh FILE`, or a script on standard input."""
    args = list(call.args)
    state = call.state.fork()
    state.errexit = state.nounset = state.trace = False
    state.name, state.positional = call.name, []
    command: str | None = None
    while args and args[0].startswith("-") and len(args[0]) > 1:
        option = args.pop(0)
        if option == "--":
            break
        state.errexit |= "e" in option
        state.nounset |= "u" in option
        state.trace |= "x" in option
        if "c" in option:
            if not args:
                call.fail("-c: requires an argument")
            command = args.pop(0)
            break
    if command is not None:
        if args:
            state.name, state.positional = args[0], args[1:]
        return _program(call, command, state.root, state.name, state.positional)
    if args and args[0] != "-":
        try:
            text = decode(call.read(args[0]))
        except OSError as error:
            return call.complain(f"{args[0]}: {error.strerror}", 127)
        return _program(call, text, state.root, args[0], args[1:])
    return _program(call, decode(call.stdin.read()), state.root, state.name, state.positional)


def _program(call: Call, text: str, root: bool, name: str, positional: list[str]) -> int:
    state = call.state.fork()
    state.root, state.name, state.positional = root, name, list(positional)
    return call.runner.run_program(text, state, call.io)


def su(call: Call) -> int:
    """`su [USER] [COMMAND…]`, `su [USER] -c TEXT`; without a command a shell that reads standard input."""
    args = list(call.args)
    users = {"0": True, "root": True, "2000": False, "shell": False}
    root = True
    text: str | None = None
    while args:
        if args[0] in ("-", "-l", "--"):
            args.pop(0)
        elif args[0] in ("-c", "--command") and len(args) > 1:
            text = " ".join(args[1:])
            args = []
        elif args[0].split(",")[0] in users:
            root = users[args.pop(0).split(",")[0]]
            if args[:1] == ["-c"]:
                continue
            break
        elif re.fullmatch(r"\d+|u\d+_a\d+", args[0]):
            args.pop(0)
            root = False
            break
        else:
            call.fail(f"invalid uid/gid '{args[0]}'")
    if text is not None:
        return _program(call, text, root, "sh", [])
    if not args:
        return _program(call, decode(call.stdin.read()), root, "sh", [])
    state = call.state.fork()
    state.root = root
    state.variables["USER"] = state.variables["LOGNAME"] = "root" if root else "shell"
    return call.runner.run_words(args, state, call.io)


def run_as(call: Call) -> int:
    """No package of this phone is debuggable."""
    if not call.args:
        call.err("run-as: usage: run-as <package-name> [--user <uid>] <command> [<args>]")
        return 1
    if call.args[0] not in call.phone.packages.names():
        call.fail(f"unknown package: {call.args[0]}")
    call.fail(f"package not debuggable: {call.args[0]}")
    return None


def env(call: Call) -> int:
    """Prints the environment, or runs a command in another one."""
    parsed = options(call, "i0", "u", stop=True)
    state = call.state.fork()
    if "i" in parsed:
        state.exported = set()
    state.exported.discard(parsed.values.get("u", ""))
    rest = list(parsed.operands)
    while rest and "=" in rest[0]:
        name, _, value = rest.pop(0).partition("=")
        state.assign(name, value)
        state.exported.add(name)
    if rest:
        return call.runner.run_words(rest, state, call.io)
    for name, value in state.environment().items():
        call.line(f"{name}={value}")
    return 0


def printenv(call: Call) -> int:
    """Prints variables of the environment."""
    shown = call.state.environment()
    if not call.args:
        for name, value in shown.items():
            call.line(f"{name}={value}")
        return 0
    for name in call.args:
        if name in shown:
            call.line(shown[name])
    return int(any(name not in shown for name in call.args))


def xargs(call: Call) -> int:
    """Runs a command with words from standard input."""
    parsed = options(call, "0prtx", "EILPns", stop=True)
    text = decode(call.stdin.read())
    if "0" in parsed:
        words = [word for word in text.split("\0") if word]
    elif "I" in parsed:
        words = [line.strip() for line in text.splitlines() if line.strip()]
    else:
        try:
            words = shlex.split(text)
        except ValueError:
            call.fail("unterminated quote")
    command = list(parsed.operands) or ["echo"]
    if "I" in parsed:
        runs = [[part.replace(parsed.values["I"], word) for part in command] for word in words]
    elif not words:
        runs = [] if "r" in parsed else [command]
    else:
        size = parsed.values.get("n", "")
        count = int(size) if size.isdecimal() and int(size) > 0 else len(words)
        runs = [command + words[start : start + count] for start in range(0, len(words), count)]
    status = 0
    for words in runs:
        if call.run(words, b""):
            status = 123
    return status


_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def _seconds(call: Call, text: str) -> float:
    found = re.fullmatch(r"(\d*\.?\d+|\d+\.)([smhd]?)", text)
    if found is None:
        call.fail(f"Not a number '{text}'")
    return float(found[1]) * _UNITS[found[2]]


def sleep(call: Call) -> int:
    """Lets virtual time pass."""
    parsed = options(call, least=1)
    call.phone.advance(round(sum(_seconds(call, text) for text in parsed.operands) * 1000))
    return 0


def usleep(call: Call) -> int:
    """Lets microseconds of virtual time pass."""
    parsed = options(call, least=1)
    call.phone.advance(round(_seconds(call, parsed.operands[0]) / 1000))
    return 0


def timeout(call: Call) -> int:
    """Runs a command; no command of this phone ends late, but one that prints on is ended when its time is over."""
    parsed = options(call, "iv", "ks", stop=True, least=2)
    seconds = _seconds(call, parsed.operands[0])
    try:
        return call.run(parsed.operands[1:])
    except Following as following:
        call.phone.advance(round(seconds * 1000))
        call.out(following.poll())
        return 143


def nohup(call: Call) -> int:
    """Runs a command."""
    parsed = options(call, least=1, stop=True, code=125)
    return call.run(parsed.operands)


def toybox(call: Call) -> int:
    """`toybox COMMAND`, or the list of commands."""
    if not call.args:
        call.line(" ".join(call.runner.names))
        return 0
    if call.args[0] not in call.runner.names:
        return call.complain(f'Unknown command {call.args[0]} (see "toybox --help")', 127)
    return call.run(call.args)


def which(call: Call) -> int:
    """Where programs lie."""
    parsed = options(call, "a")
    status = 0
    for name in parsed.operands:
        if name in call.runner.names:
            call.line(f"/system/bin/{name}")
        elif "/" in name and call.files.exists(call.path(name)):
            call.line(name)
        else:
            status = 1
    return status


def seq(call: Call) -> int:
    """Counts."""
    parsed = options(call, "w", "fs", least=1, stop=True)
    numbers: list[int] = []
    for text in parsed.operands:
        if not re.fullmatch(r"-?\d+", text):
            call.fail(f"bad number '{text}'")
        numbers.append(int(text))
    first = numbers[0] if len(numbers) > 1 else 1
    step = numbers[1] if len(numbers) > 2 else 1
    if step == 0:
        call.fail("increment is 0")
    last = numbers[-1]
    values = range(first, last + (1 if step > 0 else -1), step)
    if len(values) > 1_000_000:
        call.fail("too many numbers")
    if values:
        call.line(parsed.values.get("s", "\n").join(str(value) for value in values))
    return 0


def process_id(package: str) -> int:
    """The pid that a package's process has: made from its name, so that it is the same in every run."""
    return 1000 + zlib.crc32(package.encode()) % 30000


def processes(call: Call) -> list[tuple[str, int, int, str]]:
    """User, pid, parent's pid and name of each process, by pid: the system's, and those of apps with a task."""
    found = [
        ("root", 1, 0, "init"),
        ("root", 221, 1, "zygote64"),
        ("system", 312, 1, "servicemanager"),
        ("system", 327, 1, "surfaceflinger"),
        ("shell" if not call.state.root else "root", 402, 1, "adbd"),
        ("system", 540, 221, "system_server"),
    ]
    running = {component.package for task in call.phone.activities.tasks() for component in task.activities}
    running.add("com.android.systemui")
    for package in sorted(running):
        if package in call.phone.packages.names():
            uid = call.phone.packages.info(package).uid
        elif package == "com.android.systemui":
            uid = 10100
        else:
            continue
        found.append((user_name(uid), process_id(package), 221, package))
    return sorted(found, key=lambda process: process[1])


def ps(call: Call) -> int:
    """Processes."""
    parsed = options(call, "AefTlwZ", "opPuUk")
    rows = processes(call)
    if not {"A", "e", "f"} & set(parsed.flags) and "p" not in parsed:
        rows = [row for row in rows if row[3] == "adbd"]
        user = "root" if call.state.root else "shell"
        rows += [(user, call.state.pid, 402, "sh"), (user, call.state.pid + 1, call.state.pid, "ps")]
    if "p" in parsed:
        rows = [row for row in rows if str(row[1]) in parsed.values["p"].split(",")]
    wanted = parsed.values.get("o")
    if wanted:
        columns = [name.split("=")[0].upper() for name in wanted.split(",")]
        table = {"USER": 0, "UID": 0, "PID": 1, "PPID": 2, "NAME": 3, "CMD": 3, "CMDLINE": 3, "ARGS": 3, "COMM": 3}
        for column in columns:
            if column not in table:
                call.fail(f"bad -o {column.lower()}")
        call.line(" ".join(columns))
        for row in rows:
            call.line(" ".join(str(row[table[column]]) for column in columns))
        return 0
    call.line("USER           PID  PPID        VSZ    RSS WCHAN            ADDR S NAME                       ")
    for user, pid, parent, name in rows:
        call.line(f"{user:<12} {pid:>5} {parent:>5} {14_000_000:>10} {120_000:>6} 0                   0 S {name}")
    return 0


def pidof(call: Call) -> int:
    """Pids by name."""
    parsed = options(call, "s", "o")
    pids = [str(pid) for _, pid, _, name in processes(call) if name in parsed.operands]
    if pids:
        call.line(" ".join(reversed(pids)))
    return int(not pids)


def pgrep(call: Call) -> int:
    """Pids by pattern."""
    parsed = options(call, "flnox", "u", least=1)
    try:
        regex = re.compile(parsed.operands[0])
    except re.error:
        call.fail(f"bad regex '{parsed.operands[0]}'")
    found = [(pid, name) for _, pid, _, name in processes(call) if regex.search(name)]
    for pid, name in found:
        call.line(f"{pid} {name}" if "l" in parsed else str(pid))
    return int(not found)


def kill(call: Call) -> int:
    """Kills an app's process; system processes are refused to the user shell and spared for root."""
    args = [arg for arg in call.args if not re.fullmatch(r"-(\d+|[A-Z]+|s)", arg)]
    if not args:
        call.fail('missing argument (see "kill --help")')
    by_pid = {str(pid): name for _, pid, _, name in processes(call)}
    status = 0
    for text in args:
        name = by_pid.get(text)
        if name is None:
            status = call.complain(f"bad pid '{text}': No such process")
        elif not call.state.root or name not in call.phone.packages.names():
            status = call.complain(f"bad pid '{text}': Operation not permitted")
        else:
            call.phone.activities.force_stop(name)
    return status


def killall(call: Call) -> int:
    """Kills processes by name."""
    parsed = options(call, "ilqvw", "s", least=1)
    running = {name for _, _, _, name in processes(call)}
    status = 0
    for name in parsed.operands:
        if name not in running:
            status = call.complain(f"{name}: No such process")
        elif call.state.root and name in call.phone.packages.names():
            call.phone.activities.force_stop(name)
        else:
            status = call.complain(f"{name}: Operation not permitted")
    return status


def top(call: Call) -> int:
    """One table of processes; it follows without `-n`."""
    rows = processes(call)
    call.line(f"Tasks: {len(rows)} total,   1 running, {len(rows) - 1} sleeping,   0 stopped,   0 zombie")
    call.line("  PID USER         PR  NI VIRT  RES  SHR S[%CPU] %MEM     TIME+ ARGS            ")
    for user, pid, _, name in rows:
        call.line(f"{pid:>5} {user:<12} 20   0  14G 120M  80M S  0.0   2.0   0:00.00 {name}")
    if any(arg.startswith("-n") or (arg.startswith("-b") and "n" in arg) for arg in call.args):
        return 0
    call.follow(lambda: b"")
    return None


COMMANDS: dict[str, Command] = {
    "env": env,
    "kill": kill,
    "killall": killall,
    "nohup": nohup,
    "pgrep": pgrep,
    "pidof": pidof,
    "pkill": killall,
    "printenv": printenv,
    "ps": ps,
    "run-as": run_as,
    "seq": seq,
    "sh": sh,
    "mksh": sh,
    "sleep": sleep,
    "su": su,
    "timeout": timeout,
    "top": top,
    "toybox": toybox,
    "usleep": usleep,
    "which": which,
    "xargs": xargs,
}
