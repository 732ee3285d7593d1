"""Programs that change files: cp, mv, rm, mkdir, touch, chmod, chown, chcon, restorecon, ln, truncate, dd, tee."""

from __future__ import annotations

import posixpath
import re
import stat
from collections.abc import Sequence

from mobile_gym.phone.shell.commands.call import Call, Command, options
from mobile_gym.phone.shell.commands.dates import parse_date
from mobile_gym.phone.shell.shell_files import error_text


def _target(call: Call, operands: Sequence[str]) -> tuple[list[str], str, bool]:
    """Sources, target, and whether the target is a directory that they go into."""
    if len(operands) < 2:
        call.fail("Needs 2 arguments" if operands else f'Needs 1 argument (see "{call.name} --help")')
    sources, target = list(operands[:-1]), operands[-1]
    into = call.files.is_dir(call.path(target))
    if len(sources) > 1 and not into:
        call.fail(f"'{target}' not directory")
    return sources, target, into


def cp(call: Call) -> int:
    """Copies files and trees."""
    parsed = options(call, "adfFiHLlnPpRrsTuv", "t", {"preserve": "p"})
    operands = parsed.operands
    if "t" in parsed:
        operands = (*operands, parsed.values["t"])
    sources, target, into = _target(call, operands)
    deep = bool({"a", "r", "R", "d"} & set(parsed.flags))
    keep = "a" in parsed or "p" in parsed
    status = 0
    for source in sources:
        inside = source.rstrip("/").endswith("/.") or source in (".", "./")
        name = posixpath.basename(source.rstrip("/"))
        place = call.path(target if not into or inside else posixpath.join(target, name))
        try:
            entry = call.files.entry(call.path(source))
        except OSError as error:
            status = call.complain(f"bad '{source}': {error_text(error)}")
            continue
        if entry.is_dir and not deep:
            status = call.complain(f"Skipped dir '{source}'")
            continue
        if "n" in parsed and call.files.exists(place):
            continue
        status |= _copy(call, call.path(source), place, keep, "v" in parsed)
    return status


def _copy(call: Call, source: str, target: str, keep: bool, loud: bool) -> int:
    status = 0
    if source == target:
        return call.complain(f"'{target}' is '{source}'")
    if target.startswith(source.rstrip("/") + "/"):
        return call.complain(f"recursive '{target}'")
    for path, entry in call.files.walk(source):
        place = target + path[len(source) :]
        mode = stat.S_IMODE(entry.mode)
        try:
            if entry.is_dir:
                call.files.make_dir(place, parents=True, mode=mode)
            else:
                if call.files.is_dir(place):
                    status = call.complain(f"dir at '{place}'")
                    continue
                call.files.write(place, entry.data, mode=mode, mtime_ms=entry.mtime_ms if keep else None)
            if keep:
                owner, group = (entry.owner, entry.group) if call.state.root else (None, None)
                call.files.update(place, mode=mode, owner=owner, group=group, mtime_ms=entry.mtime_ms)
        except OSError as error:
            status = call.complain(f"'{place}': {error_text(error)}")
            continue
        if loud:
            call.line(f"cp '{path}'")
    return status


def mv(call: Call) -> int:
    """Moves files and trees."""
    parsed = options(call, "fFinTvx", "t")
    operands = (*parsed.operands, parsed.values["t"]) if "t" in parsed else parsed.operands
    sources, target, into = _target(call, operands)
    status = 0
    for source in sources:
        name = posixpath.basename(source.rstrip("/"))
        place = call.path(posixpath.join(target, name) if into else target)
        full = call.path(source)
        if not call.files.exists(full):
            status = call.complain(f"bad '{source}': No such file or directory")
            continue
        if "n" in parsed and call.files.exists(place):
            continue
        if place == full:
            status = call.complain(f"'{target}' is '{source}'")
            continue
        if place.startswith(full + "/"):
            status = call.complain(f"recursive '{place}'")
            continue
        try:
            call.files.rename(full, place)
        except OSError as error:
            status = call.complain(f"'{place}': {error_text(error)}")
            continue
        if "v" in parsed:
            call.line(f"mv '{source}'")
    return status


def rm(call: Call) -> int:
    """Removes files and trees."""
    parsed = options(call, "fiRrvd")
    if not parsed.operands and "f" not in parsed:
        call.fail('Needs 1 argument (see "rm --help")')
    status = 0
    for operand in parsed.operands:
        path = call.path(operand)
        if posixpath.basename(operand.rstrip("/")) in (".", "..") or path == "/":
            status = call.complain(f"bad path '{operand}'") if path != "/" else call.complain("rm /. is not for here")
            continue
        try:
            if not call.files.exists(path) and "f" in parsed:
                call.files.entry(path)
            call.files.remove(path, recursive="r" in parsed or "R" in parsed)
        except (FileNotFoundError, NotADirectoryError) as error:
            if "f" not in parsed:
                status = call.complain(f"{operand}: {error_text(error)}")
            continue
        except OSError as error:
            status = call.complain(f"{operand}: {error_text(error)}")
            continue
        if "v" in parsed:
            call.line(f"rm '{operand}'")
    return status


def mkdir(call: Call) -> int:
    """Makes directories."""
    parsed = options(call, "pv", "mZ", {"parents": "p"}, least=1)
    mode = _mode(call, parsed.values["m"], 0o777) if "m" in parsed else 0o771
    status = 0
    for operand in parsed.operands:
        try:
            call.files.make_dir(call.path(operand), parents="p" in parsed, mode=mode)
        except OSError as error:
            status = call.complain(f"'{operand}': {error_text(error)}")
    return status


def rmdir(call: Call) -> int:
    """Removes empty directories."""
    parsed = options(call, "p", least=1)
    status = 0
    for operand in parsed.operands:
        path = call.path(operand)
        try:
            if call.files.list(path):
                status = call.complain(f"{operand}: Directory not empty")
                continue
            call.files.remove(path, recursive=True)
        except OSError as error:
            status = call.complain(f"{operand}: {error_text(error)}")
    return status


def touch(call: Call) -> int:
    """Makes files, or sets their times."""
    parsed = options(call, "achm", "dtr", {"no-create": "c"}, least=1)
    when = call.phone.state.clock.now_ms
    if "r" in parsed:
        when = call.files.entry(call.path(parsed.values["r"])).mtime_ms
    elif "t" in parsed or "d" in parsed:
        text = parsed.values.get("t") or parsed.values["d"]
        moment = parse_date(text, call.phone.state.clock, touch="t" in parsed)
        if moment is None:
            call.fail(f"bad date {text}")
        when = moment
    status = 0
    for operand in parsed.operands:
        path = call.path(operand)
        try:
            if call.files.exists(path):
                call.files.update(path, mtime_ms=when)
            elif "c" not in parsed:
                call.files.write(path, b"", mtime_ms=when, mode=0o644)
        except OSError as error:
            status = call.complain(f"'{operand}': {error_text(error)}")
    return status


_CLAUSE = re.compile(r"([ugoa]*)([-+=])([rwxXst]*|[ugo])")


def _mode(call: Call, text: str, old: int, folder: bool = False) -> int:
    if re.fullmatch(r"[0-7]{1,4}", text):
        return int(text, 8)
    mode = old
    for clause in text.split(","):
        found = _CLAUSE.fullmatch(clause)
        if found is None:
            call.fail(f"bad mode '{text}'")
        who, operator, what = found.groups()
        bits = 0
        for letter in what:
            if letter == "X" and not (folder or old & 0o111):
                continue
            bits |= {"r": 4, "w": 2, "x": 1, "X": 1}.get(letter, 0)
        mask = sum(
            bits << shift for name, shift in (("u", 6), ("g", 3), ("o", 0)) if not who or name in who or "a" in who
        )
        whole = sum(
            7 << shift for name, shift in (("u", 6), ("g", 3), ("o", 0)) if not who or name in who or "a" in who
        )
        if operator == "+":
            mode |= mask
        elif operator == "-":
            mode &= ~mask
        else:
            mode = (mode & ~whole) | mask
    return mode


def chmod(call: Call) -> int:
    """Changes permission bits."""
    args = list(call.args)
    flags = [arg for arg in args if re.fullmatch(r"-[Rvf]+", arg)]
    operands = [arg for arg in args if arg not in flags and arg != "--"]
    if len(operands) < 2:
        call.fail('Need 2 arguments (see "chmod --help")')
    _mode(call, operands[0], 0)
    status = 0
    for operand in operands[1:]:
        try:
            path = call.path(operand)
            found = call.files.walk(path) if any("R" in flag for flag in flags) else [(path, call.files.entry(path))]
            for name, entry in found:
                call.files.update(name, mode=_mode(call, operands[0], stat.S_IMODE(entry.mode), entry.is_dir))
        except OSError as error:
            status = call.complain(f"{operand}: {error_text(error)}")
    return status


def chown(call: Call) -> int:
    """Changes owner and group (`chown USER:GROUP`, `chgrp GROUP`)."""
    parsed = options(call, "RHLPfhv")
    if len(parsed.operands) < 2:
        call.fail(f'Need 2 arguments (see "{call.name} --help")')
    owner, _, group = parsed.operands[0].replace(".", ":", 1).partition(":")
    if call.name == "chgrp":
        owner, group = "", parsed.operands[0]
    if parsed.operands[0].endswith(":") and not group:
        group = owner
    if not call.state.root:
        return call.complain(f"'{parsed.operands[1]}' to '{parsed.operands[0]}': Operation not permitted")
    status = 0
    for operand in parsed.operands[1:]:
        try:
            path = call.path(operand)
            found = call.files.walk(path) if "R" in parsed else [(path, call.files.entry(path))]
            for name, _ in found:
                call.files.update(name, owner=owner or None, group=group or None)
        except OSError as error:
            status = call.complain(f"'{operand}': {error_text(error)}")
    return status


def relabel(call: Call) -> int:
    """`chcon` and `restorecon`: the phone keeps no SELinux labels, so only the paths are checked."""
    parsed = options(call, "DFRhnrv")
    operands = parsed.operands[1:] if call.name == "chcon" else parsed.operands
    if not operands:
        call.fail(f'Need {2 if call.name == "chcon" else 1} arguments (see "{call.name} --help")')
    status = 0
    for operand in operands:
        try:
            call.files.entry(call.path(operand))
        except OSError as error:
            status = call.complain(f"{operand}: {error_text(error)}")
    return status


def ln(call: Call) -> int:
    """Links are not part of the phone's file tree."""
    parsed = options(call, "Tfnrsv", "t")
    if not parsed.operands:
        call.fail('Needs 1 argument (see "ln --help")')
    target = parsed.operands[-1]
    kind = "symbolic" if "s" in parsed else "hard"
    return call.complain(
        f"cannot create {kind} link from '{parsed.operands[0]}' to '{target}': Operation not permitted"
    )


def truncate(call: Call) -> int:
    """Sets sizes of files."""
    parsed = options(call, "c", "s", least=1)
    text = parsed.values.get("s", "")
    found = re.fullmatch(r"(\d+)([kKmM]?)", text)
    if found is None:
        call.fail(f"bad size '{text}'")
    size = int(found[1]) * {"": 1, "k": 1024, "m": 1 << 20}[found[2].lower()]
    if size > 1 << 28:
        call.fail("File too large")
    for operand in parsed.operands:
        path = call.path(operand)
        old = call.files.read(path) if call.files.exists(path) else b""
        call.files.write(path, old[:size].ljust(size, b"\0"), mode=0o644)
    return 0


def tee(call: Call) -> int:
    """Copies standard input to files and to standard output."""
    parsed = options(call, "ai")
    data = call.stdin.read()
    call.out(data)
    status = 0
    for operand in parsed.operands:
        try:
            call.write(operand, data, append="a" in parsed)
        except OSError as error:
            status = call.complain(f"{operand}: {error_text(error)}")
    return status


def dd(call: Call) -> int:
    """Copies blocks: if, of, bs, count, skip, seek."""
    table: dict[str, str] = {}
    for arg in call.args:
        name, equals, value = arg.partition("=")
        if not equals or name not in ("if", "of", "bs", "count", "skip", "seek", "conv", "status", "ibs", "obs"):
            call.fail(f"bad arg '{arg}'")
        table[name] = value
    if re.fullmatch(r"0+[ckKmM]?", table.get("bs", "512")):
        call.fail("bs: 0 < 1")
    units = {"": 1, "c": 1, "k": 1024, "K": 1024, "m": 1 << 20, "M": 1 << 20}

    def number(name: str, default: int) -> int:
        found = re.fullmatch(r"(\d+)([ckKmM]?)", table.get(name, str(default)))
        if found is None:
            call.fail(f"bad arg '{name}={table[name]}'")
        return int(found[1]) * units[found[2]]

    size = number("bs", 512)
    source = table.get("if", "-")
    count = number("count", -1) if "count" in table else None
    if source == "/dev/zero":
        if count is None or size * count > 1 << 28:
            call.fail("/dev/zero: No space left on device")
        data = b"\0" * (size * count)
    else:
        data = call.read(source)[number("skip", 0) * size :]
        data = data if count is None else data[: size * count]
    if "of" in table:
        path, seek = call.path(table["of"]), number("seek", 0) * size
        if seek > 1 << 28:
            call.fail(f"{table['of']}: File too large")
        old = call.files.read(path) if call.files.exists(path) and call.files.normal(path) != "/dev/null" else b""
        kept = old[seek + len(data) :] if table.get("conv") == "notrunc" else b""
        call.write(table["of"], old[:seek].ljust(seek, b"\0") + data + kept)
    else:
        call.out(data)
    if table.get("status") not in ("none", "noxfer"):
        whole, part = divmod(len(data), size)
        call.err(f"{whole}+{int(part > 0)} records in\n{whole}+{int(part > 0)} records out\n{len(data)} bytes copied")
    return 0


def mktemp(call: Call) -> int:
    """Makes a temporary file or directory with a name from the phone's own generator."""
    parsed = options(call, "dqtu", "p")
    template = parsed.operands[0] if parsed.operands else "tmp.XXXXXXXXXX"
    folder = parsed.values.get("p") or call.state.get("TMPDIR") or "/data/local/tmp"
    if "/" not in template:
        template = f"{folder}/{template}"
    marks = len(template) - len(template.rstrip("X"))
    if marks < 2:
        call.fail("need XX in template")
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    tail = "".join(letters[int(call.phone.state.random() * len(letters))] for _ in range(marks))
    path = template.rstrip("X") + tail
    if "d" in parsed:
        call.files.make_dir(call.path(path), mode=0o700)
    elif "u" not in parsed:
        call.files.write(call.path(path), b"", mode=0o600)
    call.line(path)
    return 0


COMMANDS: dict[str, Command] = {
    "chcon": relabel,
    "chgrp": chown,
    "chmod": chmod,
    "chown": chown,
    "cp": cp,
    "dd": dd,
    "ln": ln,
    "mkdir": mkdir,
    "mktemp": mktemp,
    "mv": mv,
    "restorecon": relabel,
    "rm": rm,
    "rmdir": rmdir,
    "tee": tee,
    "touch": touch,
    "truncate": truncate,
    "unlink": rm,
}
