"""`logcat` and `log`."""

from __future__ import annotations

import re
from collections.abc import Callable

from mobile_gym.phone.door import LogLine
from mobile_gym.phone.shell.commands.call import Call, Command
from mobile_gym.phone.shell.language.streams import encode
from mobile_gym.phone.state.clock import VirtualClock

_PRIORITIES = "VDIWEFS"
_FORMATS = ("brief", "epoch", "long", "monotonic", "process", "raw", "tag", "thread", "threadtime", "time")
_MODIFIERS = ("UTC", "zone", "year", "usec", "nsec", "color", "descriptive", "printable", "uid")


def format_line(line: LogLine, form: str, clock: VirtualClock) -> str:
    """A line of the log in one of logcat's formats."""
    when = clock.at(line.ms)
    stamp = f"{when:%m-%d %H:%M:%S}.{line.ms % 1000:03d}"
    p, tag, pid, tid = line.priority, line.tag, line.pid, line.tid
    head = {
        "brief": f"{p}/{tag:<8}({pid:>5}): ",
        "epoch": f"{line.ms // 1000:>19}.{line.ms % 1000:03d} {pid:>5} {tid:>5} {p} {tag:<8}: ",
        "monotonic": f"{(line.ms - clock.boot_ms) // 1000:>19}.{line.ms % 1000:03d} {pid:>5} {tid:>5} {p} {tag:<8}: ",
        "process": f"{p}({pid:>5}) ",
        "raw": "",
        "tag": f"{p}/{tag:<8}: ",
        "thread": f"{p}({pid:>5}:{tid:>5}) ",
        "threadtime": f"{stamp} {pid:>5} {tid:>5} {p} {tag:<8}: ",
        "time": f"{stamp} {p}/{tag:<8}({pid:>5}): ",
    }
    if form == "long":
        return f"[ {stamp} {pid:>5}:{tid:>5} {p}/{tag:<8} ]\n{line.message}\n\n"
    tail = f"  ({tag})" if form == "process" else ""
    return "".join(f"{head[form]}{part}{tail}\n" for part in (line.message.split("\n") or [""]))


class _Filters:
    """Filter specs: `TAG:PRIORITY`, `*:S`; the first spec of a tag wins over `*`."""

    def __init__(self, specs: list[str], silent: bool) -> None:
        self.default = "S" if silent else "V"
        self.tags: dict[str, str] = {}
        for spec in specs:
            tag, colon, priority = spec.partition(":")
            priority = priority[:1].upper() if colon else "V"
            if tag == "*":
                self.default = priority or "D"
            else:
                self.tags[tag] = priority or "V"

    def keeps(self, line: LogLine) -> bool:
        least = self.tags.get(line.tag, self.default)
        return least != "S" and _PRIORITIES.index(line.priority) >= _PRIORITIES.index(least)


def logcat(call: Call) -> int:
    """Prints the log; without `-d` and its kin it goes on."""
    args = list(call.args)
    form, dumps, silent, clears, count, limit = "threadtime", False, False, False, None, None
    regex: re.Pattern[str] | None = None
    pid: str | None = None
    specs: list[str] = []
    while args:
        arg = args.pop(0)
        name, equals, inline = arg.partition("=") if arg.startswith("--") else (arg, "", "")
        if not equals and re.match(r"-[vbtTemGfrn].+", arg) and not arg.startswith("--"):
            name, inline, equals = arg[:2], arg[2:], "="

        def value(inline: str = inline, equals: str = equals) -> str:
            return inline if equals else (args.pop(0) if args else "")

        match name:
            case "-d" | "--dump":
                dumps = True
            case "-c" | "--clear":
                clears = True
            case "-s":
                silent = True
            case "-v" | "--format":
                for word in re.split(r"[, ]+", value()):
                    if word in _FORMATS:
                        form = word
                    elif word not in _MODIFIERS:
                        call.err(f'Invalid parameter "{word}" to -v\nlogcat: Unable to parse format')
                        return 1
            case "-b" | "--buffer":
                value()
            case "-t" | "-T" | "--tail":
                dumps |= name == "-t"
                text = value()
                count = int(text) if text.isdecimal() else None
            case "-m" | "--max-count":
                text = value()
                limit = int(text) if text.isdecimal() else None
                dumps = True
            case "-e" | "--regex":
                try:
                    regex = re.compile(value())
                except re.error:
                    call.err("logcat: bad regex")
                    return 1
            case "--pid":
                pid = value()
            case "-g" | "--buffer-size":
                call.line("main: ring buffer is 256 KiB (0 KiB consumed), max entry is 5120 B, max payload is 4068 B")
                return 0
            case "-G" | "-r" | "-n" | "-P" | "--prune":
                value()
                if name == "-G":
                    return 0
            case "-D" | "-L" | "--dividers" | "--last" | "--print" | "-B" | "--binary" | "--wrap" | "-S":
                continue
            case _ if arg.startswith("-"):
                call.err(f"logcat: Unknown option '{arg}'\nUsage: logcat [options] [filterspecs]")
                return 1
            case _:
                specs.append(arg)
    if clears:
        call.phone.clear_log()
        return 0
    tags = call.state.get("ANDROID_LOG_TAGS") or ""
    filters = _Filters(specs or tags.split(), silent)

    def keeps(line: LogLine) -> bool:
        return (
            filters.keeps(line)
            and (regex is None or regex.search(line.message) is not None)
            and (pid is None or str(line.pid) == pid)
        )

    def shown(lines: list[LogLine]) -> bytes:
        return encode("".join(format_line(line, form, call.phone.state.clock) for line in lines if keeps(line)))

    lines = call.phone.log_lines()
    if lines and not silent:
        call.line("--------- beginning of main")
    kept = [line for line in lines if keeps(line)]
    if count is not None:
        kept = kept[max(len(kept) - count, 0) :]
    call.out(shown(kept if limit is None else kept[:limit]))
    if dumps:
        return 0
    call.follow(_follower(call, lines, shown))
    return None


def _follower(call: Call, first: list[LogLine], shown: Callable[[list[LogLine]], bytes]) -> Callable[[], bytes]:
    """Prints what was logged since; the log is a ring, so its end is looked for rather than counted."""
    seen = list(first)

    def poll() -> bytes:
        nonlocal seen
        lines = call.phone.log_lines()
        new = lines
        for start in range(len(seen) + 1):
            overlap = seen[start:]
            if lines[: len(overlap)] == overlap:
                new = lines[len(overlap) :]
                break
        seen = lines
        return shown(new)

    return poll


def log(call: Call) -> int:
    """`log [-p PRIORITY] [-t TAG] MESSAGE`."""
    priority, tag = "I", "log"
    args = list(call.args)
    while len(args) > 1 and args[0] in ("-p", "-t"):
        option, value = args.pop(0), args.pop(0)
        if option == "-p":
            priority = value[:1].upper()
        else:
            tag = value
    if priority not in _PRIORITIES or not priority:
        call.fail(f"bad -p '{priority}' (see \"log --help\")")
    call.phone.log(priority, tag, " ".join(args))
    return 0


COMMANDS: dict[str, Command] = {"log": log, "logcat": logcat}
