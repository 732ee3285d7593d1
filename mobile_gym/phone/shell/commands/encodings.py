"""Sums and encodings: md5sum and its kin, base64, xxd, unzip, printf, basename, dirname."""

from __future__ import annotations

import base64 as base64_codec
import binascii
import hashlib
import io
import posixpath
import re
import zipfile
from datetime import datetime

from mobile_gym.phone.shell.commands.call import Call, Command, options, whole_number
from mobile_gym.phone.shell.commands.text import inputs
from mobile_gym.phone.shell.language.builtins import unescape
from mobile_gym.phone.shell.shell_files import error_text


def checksum(call: Call) -> int:
    """`md5sum`, `sha1sum`, `sha256sum`, …"""
    parsed = options(call, "bcs")
    failures: list[int] = []
    for name, data in inputs(call, parsed.operands, failures):
        digest = hashlib.new(call.name.removesuffix("sum"), data).hexdigest()
        call.line(digest if "b" in parsed else f"{digest}  {name}")
    return max(failures, default=0)


def base64(call: Call) -> int:
    """Encodes, or decodes with `-d`."""
    parsed = options(call, "di", "w", {"decode": "d"})
    failures: list[int] = []
    for _, data in inputs(call, parsed.operands[:1], failures):
        if "d" in parsed:
            kept = re.sub(rb"[^A-Za-z0-9+/=]", b"", data)
            try:
                call.out(base64_codec.b64decode(kept + b"=" * (-len(kept) % 4)))
            except binascii.Error:
                return call.complain("bad input")
            continue
        width = whole_number(call, parsed.values.get("w", "76"))
        text = base64_codec.b64encode(data).decode()
        if width == 0:
            call.out(text)
        else:
            for start in range(0, len(text), width):
                call.line(text[start : start + width])
    return max(failures, default=0)


def xxd(call: Call) -> int:
    """Hexadecimal dump; `-p` plain, `-r` back."""
    parsed = options(call, "pri", "cglos")
    failures: list[int] = []
    for _, data in inputs(call, parsed.operands[:1], failures):
        if "r" in parsed:
            text = data.decode("ascii", "replace")
            if "p" not in parsed:
                text = "".join(re.sub(r"^[0-9a-fA-F]+:|  .*$", "", line) for line in text.splitlines())
            digits = re.sub(r"[^0-9a-fA-F]", "", text)
            call.out(bytes.fromhex(digits[: len(digits) // 2 * 2]))
            continue
        data = data[whole_number(call, parsed.values.get("s", "0"), 0) :]
        if "l" in parsed:
            data = data[: whole_number(call, parsed.values["l"], 0)]
        width = whole_number(call, parsed.values.get("c", "30" if "p" in parsed else "16"), least=1)
        for start in range(0, len(data), width):
            row = data[start : start + width]
            if "p" in parsed:
                call.line(row.hex())
                continue
            pairs = [row[i : i + 2].hex() for i in range(0, len(row), 2)]
            shown = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)
            call.line(f"{start:08x}: {' '.join(pairs):<{width // 2 * 5 - 1}}  {shown}")
    return max(failures, default=0)


def unzip(call: Call) -> int:
    """Lists (`-l`), prints (`-p`) or extracts archives."""
    parsed = options(call, "lpqonv", "dx")
    if not parsed.operands:
        call.fail("missing archive filename")
    name = parsed.operands[0]
    try:
        archive = zipfile.ZipFile(io.BytesIO(call.read(name)))
    except OSError:
        call.fail(f"couldn't open {name}: No such file or directory", 9)
    except zipfile.BadZipFile:
        call.fail(f"couldn't open {name}: Invalid file", 9)
    with archive:
        members = [
            info for info in archive.infolist() if not parsed.operands[1:] or info.filename in parsed.operands[1:]
        ]
        if "l" in parsed:
            call.line(f"Archive:  {name}")
            call.line("  Length      Date    Time    Name")
            call.line("---------  ---------- -----   ----")
            for info in members:
                moment = datetime(*info.date_time)  # noqa: DTZ001 - archives hold local times
                call.line(f"{info.file_size:>9}  {moment:%Y-%m-%d %H:%M}   {info.filename}")
            total = sum(info.file_size for info in members)
            call.line("---------                     -------")
            call.line(f"{total:>9}                     {len(members)} file{'' if len(members) == 1 else 's'}")
            return 0
        if "p" not in parsed and "q" not in parsed:
            call.line(f"Archive:  {name}")
        folder = parsed.values.get("d", ".")
        for info in members:
            if "p" in parsed:
                call.out(archive.read(info))
                continue
            # A member named `../x` stays below the folder.
            inner = posixpath.normpath("/" + info.filename).lstrip("/")
            place = call.path(posixpath.join(folder, inner))
            try:
                if info.is_dir():
                    call.files.make_dir(place, parents=True)
                else:
                    call.files.write(place, archive.read(info), parents=True, mode=0o644)
            except OSError as error:
                return call.complain(f"{inner}: {error_text(error)}")
            if "q" not in parsed:
                call.line(f"   {'creating' if info.is_dir() else 'inflating'}: {posixpath.join(folder, inner)}")
    return 0


def printf(call: Call) -> int:
    """Prints by a format, which is used again while arguments are left."""
    if not call.args:
        call.fail('Needs 1 argument (see "printf --help")')
    form, args = call.args[0], call.args[1:]
    status = 0
    pattern = re.compile(r"%(?:%|([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+))?([a-zA-Z])?)")
    while True:
        pos, used = 0, False
        for found in pattern.finditer(form):
            literal, stopped = unescape(form[pos : found.start()], zero_octal=False)
            call.out(literal)
            if stopped:
                return status
            pos = found.end()
            if found[0] == "%%":
                call.out("%")
                continue
            letter = found[4]
            if letter is None or letter not in "diouxXeEfgGcsbq":
                call.fail(f"bad {form}@{found.start() + 1}")
            sizes: list[str] = []
            for size in (found[2], found[3]):
                if size == "*":
                    sizes.append(args.pop(0) if args else "0")
                else:
                    sizes.append(size or "")
                if len(sizes[-1]) > 4:
                    call.fail(f"bad {form}@{found.start() + 1}")
            used |= bool(args)
            value = args.pop(0) if args else ""
            spec = "%" + found[1] + sizes[0] + (f".{sizes[1]}" if found[3] is not None else "")
            text, bad, stop = _converted(spec, letter, value)
            if bad:
                call.err(f"printf: bad %{letter} {value}")
                status = 1
            call.out(text)
            if stop:
                return status
        literal, stopped = unescape(form[pos:], zero_octal=False)
        call.out(literal)
        if stopped or not args or not used:
            return status


def _converted(spec: str, letter: str, value: str) -> tuple[str, bool, bool]:
    """The text of one conversion, whether the value was wrong, and whether output ends (`\\c` in `%b`)."""
    if letter in "sqc":
        return (spec + "s") % (value[:1] if letter == "c" else value), False, False
    if letter == "b":
        text, stop = unescape(value)
        return (spec + "s") % text, False, stop
    if letter in "eEfgG":
        try:
            return (spec + letter) % float(value or "0"), False, False
        except ValueError:
            return (spec + letter) % 0.0, True, False
    if value[:1] in ("'", '"') and len(value) > 1:
        number, bad = ord(value[1]), False
    else:
        found = re.fullmatch(r"\s*([-+]?)(0[xX][0-9a-fA-F]+|0[0-7]+|\d+)\s*", value)
        bad = found is None and value != ""
        digits = found[2] if found else "0"
        base = 16 if digits[:2].lower() == "0x" else 8 if digits.startswith("0") else 10
        number = int(digits, base) * (-1 if found and found[1] == "-" else 1)
    if letter in "ouxX" and number < 0:
        number += 1 << 64
    return (spec + ("d" if letter in "iu" else letter)) % number, bad, False


def basename(call: Call) -> int:
    """The last part of a path."""
    parsed = options(call, "a", "s", least=1)
    many = "a" in parsed or "s" in parsed
    suffix = parsed.values.get("s", "" if many or len(parsed.operands) < 2 else parsed.operands[1])
    for operand in parsed.operands if many else parsed.operands[:1]:
        name = operand.rstrip("/").rsplit("/", 1)[-1] or "/"
        if suffix and name != suffix:
            name = name.removesuffix(suffix)
        call.line(name)
    return 0


def dirname(call: Call) -> int:
    """A path without its last part."""
    parsed = options(call, least=1)
    for operand in parsed.operands:
        call.line(posixpath.dirname(operand.rstrip("/")) or ("/" if operand.startswith("/") else "."))
    return 0


COMMANDS: dict[str, Command] = {
    "base64": base64,
    "basename": basename,
    "dirname": dirname,
    "md5sum": checksum,
    "printf": printf,
    "sha1sum": checksum,
    "sha224sum": checksum,
    "sha256sum": checksum,
    "sha512sum": checksum,
    "unzip": unzip,
    "xxd": xxd,
}
