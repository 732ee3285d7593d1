"""Lines that tell how many bytes of standard input they take: `cmd package install -S 123`, a streamed install."""

from __future__ import annotations

import shlex

_MANAGERS = (("cmd", "package"), ("pm",))
_TAKERS = ("install", "install-write")


def announced_size(line: str) -> int | None:
    """Bytes of standard input that a line announces; None for a line that announces none.

    Clients keep the stream open after these bytes to read the answer, so waiting for the end would wait for ever.
    """
    try:
        words = shlex.split(line)
    except ValueError:
        return None
    for manager in _MANAGERS:
        rest = words[len(manager) :]
        if tuple(words[: len(manager)]) == manager and rest and rest[0] in _TAKERS:
            break
    else:
        return None
    if "-S" not in rest[:-1] or rest[-1].endswith(".apk"):
        return None
    size = rest[rest.index("-S") + 1]
    return int(size) if size.isdigit() else None
