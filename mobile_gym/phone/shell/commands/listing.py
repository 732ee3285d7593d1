"""Programs that look at files: ls, stat, du, df, readlink, realpath."""

from __future__ import annotations

import posixpath
import re
import stat as modes
import zlib
from collections.abc import Callable

from mobile_gym.phone.shell.commands.call import Call, Command, Options, options, whole_number
from mobile_gym.phone.shell.shell_files import error_text, user_id
from mobile_gym.phone.state.files import FileEntry


def blocks(entry: FileEntry) -> int:
    """Size on the disk in units of 1 KiB."""
    return 4 if entry.is_dir else (len(entry.data) + 4095) // 4096 * 4


def size_of(entry: FileEntry) -> int:
    """Size in bytes; a directory's is 4096."""
    return 4096 if entry.is_dir else len(entry.data)


def human(size: int) -> str:
    """A size as toybox's `-h` prints it: `4.0K`, `12M`."""
    value = float(size)
    for unit in ("", "K", "M", "G", "T"):
        if value < 1000 or unit == "T":
            break
        value /= 1024
    if unit and value < 9.95:
        return f"{value:.1f}{unit}"
    return f"{round(value)}{unit}"


def _moment(call: Call, ms: int, long: bool) -> str:
    at = call.phone.state.clock.at(ms)
    if long:
        return at.strftime(f"%Y-%m-%d %H:%M:%S.{ms % 1000:03d}000000 %z")
    return at.strftime("%Y-%m-%d %H:%M")


def _shown(name: str, entry: FileEntry, marks: bool) -> str:
    return name + "/" if marks and entry.is_dir else name


def _escape(name: str) -> str:
    return "".join(char if char.isprintable() or ord(char) > 0x7F else f"\\{ord(char):03o}" for char in name)


def ls(call: Call) -> int:
    """Lists files."""
    parsed = options(call, "1ACFHLNRSUZabcdfhiklmnopqrstuwxg", long={"color": "1"})
    operands = list(parsed.operands) or ["."]
    status = 0
    files: list[tuple[str, FileEntry]] = []
    folders: list[str] = []
    for operand in operands:
        try:
            entry = call.files.entry(call.path(operand))
        except OSError as error:
            status = call.complain(f"{operand}: {error_text(error)}")
            continue
        if entry.is_dir and "d" not in parsed:
            folders.append(operand)
        else:
            files.append((operand, entry))
    if files:
        _rows(call, parsed, _sorted(parsed, files), total=False)
    headed = len(operands) > 1 or "R" in parsed
    first = not files
    for folder in sorted(folders) if "U" not in parsed and "f" not in parsed else folders:
        if headed:
            call.out(("" if first else "\n") + f"{folder}:\n")
        first = False
        status |= _folder(call, parsed, folder)
    return status


def _folder(call: Call, parsed: Options, folder: str) -> int:
    path = call.path(folder)
    try:
        found = call.files.list(path)
    except OSError as error:
        return call.complain(f"{folder}: {error_text(error)}")
    if "a" in parsed or "f" in parsed:
        above = call.files.entry(posixpath.dirname(path))
        found = [(".", call.files.entry(path)), ("..", above), *found]
    elif "A" not in parsed:
        found = [(name, entry) for name, entry in found if not name.startswith(".")]
    found = _sorted(parsed, found)
    _rows(call, parsed, found, total=True)
    status = 0
    if "R" in parsed:
        for name, entry in found:
            if entry.is_dir and name not in (".", ".."):
                below = f"{folder.rstrip('/')}/{name}"
                call.out(f"\n{below}:\n")
                status |= _folder(call, parsed, below)
    return status


def _sorted(parsed: Options, found: list[tuple[str, FileEntry]]) -> list[tuple[str, FileEntry]]:
    if "U" in parsed or "f" in parsed:
        return found
    found = sorted(found)
    # `-u` with `-l` only shows access times, which this phone takes to be those of the last change.
    if "t" in parsed:
        found.sort(key=lambda item: -item[1].mtime_ms)
    elif "S" in parsed:
        found.sort(key=lambda item: -size_of(item[1]))
    return found[::-1] if "r" in parsed else found


def _rows(call: Call, parsed: Options, found: list[tuple[str, FileEntry]], total: bool) -> None:
    marks = "F" in parsed or "p" in parsed
    long = "l" in parsed or "o" in parsed or "g" in parsed or "n" in parsed
    if total and (long or "s" in parsed):
        whole = sum(blocks(entry) for _, entry in found)
        call.line(f"total {human(whole * 1024) if 'h' in parsed else whole}")
    if not long:
        width = max((len(str(blocks(entry))) for _, entry in found), default=0)
        for name, entry in found:
            prefix = f"{blocks(entry):>{width}} " if "s" in parsed else ""
            prefix += "? " if "Z" in parsed else ""
            call.line(prefix + _shown(_escape(name) if "b" in parsed else name, entry, marks))
        return
    seconds = parsed.flags.count("l") > 1
    rows = [_columns(call, parsed, entry, seconds) for _, entry in found]
    widths = [max((len(row[index]) for row in rows), default=0) for index in range(5)]
    for (name, entry), row in zip(found, rows, strict=True):
        owner = "" if "g" in parsed else f"{row[2]:<{widths[2]}} "
        group = "" if "o" in parsed else f"{row[3]:<{widths[3]}} "
        text = f"{row[0]} {row[1]:>{widths[1]}} {owner}{group}{row[4]:>{widths[4]}} {row[5]} "
        prefix = f"{blocks(entry)} " if "s" in parsed else ""
        call.line(prefix + text + _shown(name, entry, marks))


def _columns(call: Call, parsed: Options, entry: FileEntry, seconds: bool) -> list[str]:
    size = size_of(entry)
    numeric = "n" in parsed
    return [
        modes.filemode(entry.mode),
        "2" if entry.is_dir else "1",
        str(user_id(entry.owner)) if numeric else entry.owner,
        str(user_id(entry.group)) if numeric else entry.group,
        human(size) if "h" in parsed else str(size),
        _moment(call, entry.mtime_ms, seconds),
    ]


def _kind(entry: FileEntry) -> str:
    if entry.is_dir:
        return "directory"
    if modes.S_ISCHR(entry.mode):
        return "character device"
    return "regular file" if entry.data else "regular empty file"


def stat(call: Call) -> int:
    """Facts about files."""
    parsed = options(call, "fLt", "c", {"format": "c"}, least=1)
    status = 0
    for operand in parsed.operands:
        try:
            entry = call.files.entry(call.path(operand))
        except OSError as error:
            status = call.complain(f"'{operand}': {error_text(error)}")
            continue
        if "c" in parsed:
            call.line(_formatted(call, parsed.values["c"], operand, entry))
            continue
        bits = f"{modes.S_IMODE(entry.mode):04o}/{modes.filemode(entry.mode)}"
        when = _moment(call, entry.mtime_ms, True)
        call.line(f"  File: {operand}")
        call.line(f"  Size: {size_of(entry)}\t Blocks: {blocks(entry) * 2}\t IO Blocks: 512\t {_kind(entry)}")
        call.line(
            f"Device: fe00h/65024d\t Inode: {_inode(call, operand)}\t Links: {1 + entry.is_dir}\t Device type: 0,0"
        )
        call.line(
            f"Access: ({bits})\tUid: ({user_id(entry.owner):>5}/{entry.owner:>8})\t"
            f"Gid: ({user_id(entry.group):>5}/{entry.group:>8})"
        )
        call.out(f"Access: {when}\nModify: {when}\nChange: {when}\n")
    return status


def _formatted(call: Call, form: str, name: str, entry: FileEntry) -> str:
    return re.sub(r"%(.)", lambda found: _field(call, name, entry, found[1]), form)


def _inode(call: Call, path: str) -> int:
    return zlib.crc32(call.files.normal(call.path(path)).encode("utf-8", "surrogateescape")) % 1_000_000 + 1


def _field(call: Call, name: str, entry: FileEntry, letter: str) -> str:
    seconds, full = str(entry.mtime_ms // 1000), _moment(call, entry.mtime_ms, True)
    table: dict[str, Callable[[], str]] = {
        "%": lambda: "%",
        "A": lambda: modes.filemode(entry.mode),
        "B": lambda: "512",
        "F": lambda: _kind(entry),
        "G": lambda: entry.group,
        "N": lambda: name,
        "U": lambda: entry.owner,
        "W": lambda: "0",
        "X": lambda: seconds,
        "Y": lambda: seconds,
        "Z": lambda: seconds,
        "a": lambda: f"{modes.S_IMODE(entry.mode):o}",
        "b": lambda: str(blocks(entry) * 2),
        "d": lambda: "65024",
        "f": lambda: f"{entry.mode:x}",
        "g": lambda: str(user_id(entry.group)),
        "h": lambda: "2" if entry.is_dir else "1",
        "i": lambda: str(_inode(call, name)),
        "n": lambda: name,
        "o": lambda: "4096",
        "s": lambda: str(size_of(entry)),
        "u": lambda: str(user_id(entry.owner)),
        "x": lambda: full,
        "y": lambda: full,
        "z": lambda: full,
    }
    make = table.get(letter)
    return make() if make else "?" + letter


def du(call: Call) -> int:
    """Sizes of trees."""
    parsed = options(call, "HLabchksmx", "d", {"max-depth": "d"})
    depth = whole_number(call, parsed.values.get("d", "0" if "s" in parsed else str(1 << 30)))
    status = total = 0

    def shown(size: int) -> str:
        return human(size * 1024) if "h" in parsed else str(size // 1024 if "m" in parsed else size)

    for operand in parsed.operands or (".",):
        try:
            walked = call.files.walk(call.path(operand))
        except OSError as error:
            status = call.complain(f"{operand}: {error_text(error)}")
            continue
        base = walked[0][0]
        for path, entry in reversed(walked):
            if not entry.is_dir and path != base and "a" not in parsed:
                continue
            if path[len(base) :].count("/") > depth:
                continue
            inside = [e for name, e in walked if name == path or name.startswith(path.rstrip("/") + "/")]
            size = sum(len(e.data) if "b" in parsed else blocks(e) for e in inside)
            call.line(f"{shown(size)}\t{operand + path[len(base) :] if path != base else operand}")
        total += sum(blocks(entry) for _, entry in walked)
    if "c" in parsed:
        call.line(f"{shown(total)}\ttotal")
    return status


def df(call: Call) -> int:
    """Free space: the data partition, of which the shared storage is a part."""
    parsed = options(call, "HPaehikt")
    used = sum(sum(call.phone.packages.info(name).size_bytes) for name in call.phone.packages.names())
    used += sum(len(entry.data) for _, entry in call.phone.state.files.walk("/"))
    size = call.phone.profile.storage_mb * 1024
    taken = used // 1024
    rows = [("/dev/block/dm-5", "/data"), ("/dev/fuse", "/storage/emulated")]
    if parsed.operands:
        for operand in parsed.operands:
            if not call.files.exists(call.path(operand)):
                call.fail(f"'{operand}': No such file or directory")
        shared = call.path(parsed.operands[0]).startswith("/storage/emulated")
        rows = rows[1:] if shared else rows[:1]
    free = max(size - taken, 0)
    share = -(-taken * 100 // size)
    if "h" in parsed:
        call.line("Filesystem      Size Used Avail Use% Mounted on")
        for device, place in rows:
            columns = f"{human(size * 1024):>4} {human(taken * 1024):>4} {human(free * 1024):>5} {share:>3}%"
            call.line(f"{device:<15} {columns} {place}")
        return 0
    call.line("Filesystem     1K-blocks    Used Available Use% Mounted on")
    for device, place in rows:
        call.line(f"{device:<15}{size:>9} {taken:>7} {free:>9} {share:>3}% {place}")
    return 0


def readlink(call: Call) -> int:
    """The target of a link: only the fixed links of the phone are ones."""
    parsed = options(call, "efmnqz", least=1)
    end = "" if "n" in parsed else "\n"
    for operand in parsed.operands:
        path = call.path(operand)
        plain = posixpath.normpath(posixpath.join(call.state.cwd, operand))
        if "f" in parsed or "e" in parsed or "m" in parsed or (plain != path and call.files.exists(path)):
            call.out(path + end)
        else:
            return 1
    return 0


def realpath(call: Call) -> int:
    """Absolute paths with links resolved."""
    parsed = options(call, "LPemqsz", least=1)
    status = 0
    for operand in parsed.operands:
        path = call.path(operand)
        if not call.files.exists(posixpath.dirname(path)) or ("e" in parsed and not call.files.exists(path)):
            status = call.complain(f"{operand}: No such file or directory")
        else:
            call.line(path)
    return status


COMMANDS: dict[str, Command] = {
    "df": df,
    "du": du,
    "ls": ls,
    "readlink": readlink,
    "realpath": realpath,
    "stat": stat,
}
