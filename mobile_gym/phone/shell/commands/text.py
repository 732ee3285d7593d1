"""Programs that work on lines: cat, head, tail, wc, sort, uniq, cut, tr, rev, tac, nl, paste, cmp, diff."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mobile_gym.phone.shell.commands.call import Call, Command, Options, options
from mobile_gym.phone.shell.language.streams import decode
from mobile_gym.phone.shell.shell_files import error_text


def inputs(call: Call, operands: tuple[str, ...], failures: list[int], code: int = 1) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of each file, or of standard input; failures are complained about and counted."""
    for operand in operands or ("-",):
        try:
            data = call.read(operand)
        except OSError as error:
            call.complain(f"{operand}: {error_text(error)}")
            failures.append(code)
            continue
        yield operand, data


def lines_of(data: bytes) -> list[str]:
    """Lines without their newlines; the last one need not have had one."""
    text = decode(data)
    found = text.split("\n")
    if found[-1] == "":
        found.pop()
    return found


def cat(call: Call) -> int:
    """Prints files."""
    parsed = options(call, "uvte")
    failures: list[int] = []
    for _, data in inputs(call, parsed.operands, failures):
        call.out(data)
    return max(failures, default=0)


def _count(call: Call, text: str) -> int:
    found = re.fullmatch(r"[-+]?(\d+)([kKmMb]?)", text)
    if found is None:
        call.fail(f"not integer: {text}")
    return int(found[1]) * {"": 1, "b": 512, "k": 1024, "m": 1 << 20}[found[2].lower()]


def _legacy(args: list[str]) -> list[str]:
    """`-5` as `-n 5`."""
    return [f"-n{arg[1:]}" if re.fullmatch(r"-\d+", arg) else arg for arg in args]


def head(call: Call) -> int:
    """The first lines or bytes."""
    call.args = _legacy(call.args)
    parsed = options(call, "qv", "nc")
    return _ends(call, parsed, True)


def tail(call: Call) -> int:
    """The last lines or bytes; `-f` follows nothing, as nobody writes meanwhile."""
    call.args = _legacy(call.args)
    parsed = options(call, "fFqv", "nc")
    return _ends(call, parsed, False)


def _ends(call: Call, parsed: Options, first: bool) -> int:
    failures: list[int] = []
    headed = (len(parsed.operands) > 1 and "q" not in parsed) or "v" in parsed
    by_bytes = "c" in parsed
    text = parsed.values.get("c") or parsed.values.get("n", "10")
    count = _count(call, text)
    for index, operand in enumerate(parsed.operands or ("-",)):
        if headed:
            call.out(("\n" if index else "") + f"==> {operand} <==\n")
        for _, data in inputs(call, (operand,), failures):
            pieces: list[bytes] = [data[i : i + 1] for i in range(len(data))] if by_bytes else data.splitlines(True)
            if first:
                kept = pieces[: len(pieces) - count] if text.startswith("-") else pieces[:count]
            else:
                kept = (
                    pieces[count - 1 if count else 0 :]
                    if text.startswith("+")
                    else pieces[max(len(pieces) - count, 0) :]
                )
            call.out(b"".join(kept))
    if "f" in parsed.flags or "F" in parsed.flags:
        call.follow(lambda: b"")
    return max(failures, default=0)


def wc(call: Call) -> int:
    """Counts lines, words, bytes."""
    parsed = options(call, "lwcmL")
    failures: list[int] = []
    shown = [flag for flag in "lwmcL" if flag in parsed.flags] or ["l", "w", "c"]
    rows: list[tuple[list[int], str]] = []
    for name, data in inputs(call, parsed.operands, failures):
        counts = {
            "l": data.count(b"\n"),
            "w": len(data.split()),
            "c": len(data),
            "m": len(decode(data)),
            "L": max((len(line) for line in lines_of(data)), default=0),
        }
        rows.append(([counts[flag] for flag in shown], "" if name == "-" else name))
    if len(parsed.operands) > 1:
        rows.append(([sum(row[0][i] for row in rows) for i in range(len(shown))], "total"))
    width = 7 if len(parsed.operands) > 1 else 0
    for numbers, name in rows:
        text = " ".join(f"{number:>{width}}" for number in numbers)
        call.line(f"{text} {name}".rstrip() if name else text)
    return max(failures, default=0)


def _sort_key(parsed: Options, field: str | None, line: str) -> tuple[float | str, ...]:
    text = line
    flags = set(parsed.flags)
    if field:
        found = re.fullmatch(r"(\d+)(?:\.\d+)?([a-z]*)(?:,(\d+)(?:\.\d+)?([a-z]*))?", field)
        if found:
            separator = parsed.values.get("t")
            columns = line.split(separator) if separator else line.split()
            start = int(found[1]) - 1
            end = int(found[3]) if found[3] else len(columns)
            text = (separator or " ").join(columns[start:end])
            flags |= set((found[2] or "") + (found[4] or ""))
    if "f" in flags:
        text = text.upper()
    if {"n", "g", "h"} & flags:
        number = re.match(r"\s*(-?\d+(?:\.\d+)?)([KMGT]?)", text)
        scale = 1024.0 ** (" KMGT".index(number[2]) if number and number[2] and "h" in flags else 0)
        return (float(number[1]) * scale if number else 0.0,)
    return (text,)


def sort(call: Call) -> int:
    """Sorts lines by code point."""
    parsed = options(call, "bcCdfghimMnrsuVxz", "koSTt")
    failures: list[int] = []
    lines: list[str] = []
    for _, data in inputs(call, parsed.operands, failures, 2):
        lines += lines_of(data)
    if failures:
        return 2
    field = parsed.values.get("k")
    backwards = "r" in parsed or bool(field and "r" in field)
    lines.sort(reverse=backwards)
    lines.sort(key=lambda line: _sort_key(parsed, field, line), reverse=backwards)
    if "u" in parsed:
        seen: set[tuple[float | str, ...]] = set()
        unique: list[str] = []
        for line in lines:
            key = _sort_key(parsed, field, line)
            if key not in seen:
                seen.add(key)
                unique.append(line)
        lines = unique
    text = "".join(line + "\n" for line in lines)
    if "o" in parsed:
        call.write(parsed.values["o"], text.encode("utf-8", "surrogateescape"))
    else:
        call.out(text)
    return 0


def uniq(call: Call) -> int:
    """Joins equal neighbours."""
    parsed = options(call, "cdiuz", "fsw")
    failures: list[int] = []
    groups: list[tuple[str, int]] = []
    for _, data in inputs(call, parsed.operands[:1], failures):
        for line in lines_of(data):
            same = groups and (groups[-1][0] == line or ("i" in parsed and groups[-1][0].lower() == line.lower()))
            if same:
                groups[-1] = (groups[-1][0], groups[-1][1] + 1)
            else:
                groups.append((line, 1))
    for line, count in groups:
        if ("d" in parsed and count < 2) or ("u" in parsed and count > 1):
            continue
        call.line(f"{count:>7} {line}" if "c" in parsed else line)
    return max(failures, default=0)


def _ranges(call: Call, text: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for part in text.split(","):
        match = re.fullmatch(r"(\d*)(-?)(\d*)", part)
        if match is None or not part or part == "-":
            call.fail(f"bad range '{text}'")
        start = int(match[1] or 1)
        end = int(match[3]) if match[3] else (1 << 30 if match[2] else start)
        found.append((start, end))
    return found


def cut(call: Call) -> int:
    """Cuts columns out of lines."""
    parsed = options(call, "Dsnz", "bcCdfFO", {"delimiter": "d", "fields": "f", "output-delimiter": "O"})
    mode = next((letter for letter in "bcCfF" if letter in parsed.values), None)
    if mode is None:
        call.fail('Needs -CFfcb (see "cut --help")')
    ranges = _ranges(call, parsed.values[mode])
    separator = parsed.values.get("d", "\t" if mode == "f" else " ")
    failures: list[int] = []
    for _, data in inputs(call, parsed.operands, failures):
        for line in lines_of(data):
            if mode in "bcC":
                call.line("".join(c for i, c in enumerate(line, 1) if any(a <= i <= b for a, b in ranges)))
                continue
            if mode == "f" and separator not in line:
                if "s" not in parsed:
                    call.line(line)
                continue
            fields = line.split(separator) if mode == "f" else re.split(parsed.values.get("d", r"\s+"), line)
            kept = [field for i, field in enumerate(fields, 1) if any(a <= i <= b for a, b in ranges)]
            call.line(parsed.values.get("O", separator).join(kept))
    return max(failures, default=0)


_TR_CLASSES = {
    "alnum": "[A-Za-z0-9]",
    "alpha": "[A-Za-z]",
    "digit": "[0-9]",
    "lower": "[a-z]",
    "punct": r"[!-/:-@\[-`{-~]",
    "space": r"[ \t\n\r\f\v]",
    "upper": "[A-Z]",
    "blank": r"[ \t]",
    "cntrl": r"[\x00-\x1f\x7f]",
}


def _tr_set(text: str) -> list[str]:
    def expand(found: re.Match[str]) -> str:
        regex = re.compile(_TR_CLASSES.get(found[1], "(?!)"))
        return "".join(chr(code) for code in range(128) if regex.match(chr(code)))

    escapes = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\"}
    chars: list[tuple[str, bool]] = []
    pos = 0
    text = re.sub(r"\[:([a-z]+):\]", lambda found: "\0" + expand(found) + "\0", text)
    raw = False
    while pos < len(text):
        char = text[pos]
        if char == "\0":
            raw = not raw
        elif raw or char != "\\" or pos + 1 >= len(text):
            chars.append((char, raw))
        else:
            octal = re.compile(r"[0-7]{1,3}").match(text, pos + 1)
            if octal:
                chars.append((chr(int(octal[0], 8)), True))
                pos += len(octal[0])
            else:
                chars.append((escapes.get(text[pos + 1], text[pos + 1]), True))
                pos += 1
        pos += 1
    found: list[str] = []
    index = 0
    while index < len(chars):
        if index + 2 < len(chars) and chars[index + 1] == ("-", False) and not chars[index][1]:
            low, high = ord(chars[index][0]), ord(chars[index + 2][0])
            found += [chr(code) for code in range(low, high + 1)]
            index += 3
        else:
            found.append(chars[index][0])
            index += 1
    return found


def tr(call: Call) -> int:
    """Translates, squeezes and deletes characters."""
    parsed = options(call, "cCdst", least=1, stop=True)
    first = _tr_set(parsed.operands[0])
    second = _tr_set(parsed.operands[1]) if len(parsed.operands) > 1 else []
    text = decode(call.stdin.read())
    complement = "c" in parsed or "C" in parsed
    members = set(first)

    def chosen(char: str) -> bool:
        return (char in members) != complement

    if "d" in parsed:
        text = "".join(char for char in text if not chosen(char))
    elif second:
        table = dict(zip(first, second + second[-1:] * max(len(first) - len(second), 0), strict=False))
        text = "".join((second[-1] if complement else table.get(char, char)) if chosen(char) else char for char in text)
    if "s" in parsed:
        squeezed = set(second or first)
        kept: list[str] = []
        for char in text:
            if kept and kept[-1] == char and ((char in squeezed) or (not second and chosen(char))):
                continue
            kept.append(char)
        text = "".join(kept)
    call.out(text)
    return 0


def rev(call: Call) -> int:
    """Lines backwards (`rev`), or files backwards by line (`tac`)."""
    failures: list[int] = []
    for _, data in inputs(call, tuple(call.args), failures):
        lines = lines_of(data)
        for line in reversed(lines) if call.name == "tac" else lines:
            call.line(line if call.name == "tac" else line[::-1])
    return max(failures, default=0)


def nl(call: Call) -> int:
    """Numbers lines."""
    parsed = options(call, "E", "bnsw")
    failures: list[int] = []
    number = 0
    for _, data in inputs(call, parsed.operands, failures):
        for line in lines_of(data):
            if line or parsed.values.get("b") == "a":
                number += 1
                call.line(f"{number:>6}\t{line}")
            else:
                call.line("       ")
    return max(failures, default=0)


def paste(call: Call) -> int:
    """Joins lines."""
    parsed = options(call, "s", "d")
    failures: list[int] = []
    columns = [lines_of(data) for _, data in inputs(call, parsed.operands, failures)]
    separator = parsed.values.get("d", "\t")
    if "s" in parsed:
        for column in columns:
            call.line(separator.join(column))
        return max(failures, default=0)
    for row in range(max((len(column) for column in columns), default=0)):
        call.line(separator.join(column[row] if row < len(column) else "" for column in columns))
    return max(failures, default=0)


def cmp(call: Call) -> int:
    """Compares two files byte by byte."""
    parsed = options(call, "ls", least=1)
    if len(parsed.operands) != 2:
        call.fail('Needs 2 arguments (see "cmp --help")', 2)
    names = parsed.operands
    try:
        first, second = call.read(names[0]), call.read(names[1])
    except OSError as error:
        return call.complain(f"{error.filename}: {error_text(error)}", 2)
    if first == second:
        return 0
    at = next((i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), None)
    if "s" not in parsed:
        if at is None:
            short = names[0] if len(first) < len(second) else names[1]
            call.err(f"cmp: EOF on {short} after byte {min(len(first), len(second))}")
        else:
            call.line(f"{names[0]} {names[1]} differ: char {at + 1}, line {first[:at].count(10) + 1}")
    return 1


COMMANDS: dict[str, Command] = {
    "cat": cat,
    "cmp": cmp,
    "cut": cut,
    "head": head,
    "nl": nl,
    "paste": paste,
    "rev": rev,
    "sort": sort,
    "tac": rev,
    "tail": tail,
    "tr": tr,
    "uniq": uniq,
    "wc": wc,
}
