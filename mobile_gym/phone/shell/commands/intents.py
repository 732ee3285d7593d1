"""Intent arguments of `am` and `cmd activity`, parsed and printed as Android does."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from mobile_gym.phone.door import Intent
from mobile_gym.phone.shell.language.errors import CommandError

Extra = str | int | float | bool


@dataclass(slots=True)
class ParsedIntent:
    """What the arguments of an intent say.

    Attributes:
        action: `-a`.
        data: `-d`.
        mime: `-t`.
        categories: `-c`.
        component: `-n`, as `package/full.Class`.
        package: `-p`, or a bare word at the end.
        flags: `-f` and what the named flags stand for.
        extras: values by name; arrays are joined by commas.
    """

    action: str | None = None
    data: str | None = None
    mime: str | None = None
    categories: list[str] = field(default_factory=list)
    component: str | None = None
    package: str | None = None
    flags: int = 0
    extras: dict[str, Extra] = field(default_factory=dict)

    def shown(self) -> str:
        """As `Intent.toString` prints it."""
        parts: list[str] = []
        if self.action is not None:
            parts.append(f"act={self.action}")
        if self.categories:
            parts.append(f"cat=[{','.join(self.categories)}]")
        if self.data is not None:
            parts.append(f"dat={_hidden(self.data)}")
        if self.mime is not None:
            parts.append(f"typ={self.mime}")
        if self.flags:
            parts.append(f"flg={self.flags:#x}")
        if self.package is not None:
            parts.append(f"pkg={self.package}")
        if self.component is not None:
            package, _, name = self.component.partition("/")
            short = name[len(package) :] if name.startswith(package + ".") else name
            parts.append(f"cmp={package}/{short}")
        if self.extras:
            parts.append("(has extras)")
        return " ".join(["Intent {", *parts, "}"])

    def intent(self) -> Intent:
        """As the phone takes it."""
        package, activity = self.package, None
        if self.component is not None:
            package, _, activity = self.component.partition("/")
        clear = bool(self.flags & (_CLEAR_TASK | _CLEAR_TOP))
        return Intent(package, activity, self.action, self.data, self.mime, dict(self.extras), clear)


def _hidden(uri: str) -> str:
    """A URI as Android prints it in logs: what follows scheme and host is private."""
    scheme, colon, rest = uri.partition(":")
    if not colon:
        return uri
    if scheme.lower() in ("tel", "sip", "sms", "smsto", "mailto", "nfc"):
        return scheme + ":" + "".join("x" if char.isalnum() else char for char in rest)
    if rest.startswith("//"):
        host, slash, tail = rest[2:].partition("/")
        return f"{scheme}://{host}/..." if tail else f"{scheme}://{host}{slash}"
    return uri


_CLEAR_TASK = 0x00008000
_CLEAR_TOP = 0x04000000
_FLAGS = {
    "--grant-read-uri-permission": 0x1,
    "--grant-write-uri-permission": 0x2,
    "--exclude-stopped-packages": 0x10,
    "--include-stopped-packages": 0x20,
    "--debug-log-resolution": 0x8,
    "--activity-brought-to-front": 0x00400000,
    "--activity-clear-top": _CLEAR_TOP,
    "--activity-clear-when-task-reset": 0x00080000,
    "--activity-exclude-from-recents": 0x00800000,
    "--activity-launched-from-history": 0x00100000,
    "--activity-multiple-task": 0x08000000,
    "--activity-no-animation": 0x00010000,
    "--activity-no-history": 0x40000000,
    "--activity-no-user-action": 0x00040000,
    "--activity-previous-is-top": 0x01000000,
    "--activity-reorder-to-front": 0x00020000,
    "--activity-reset-task-if-needed": 0x00200000,
    "--activity-single-top": 0x20000000,
    "--activity-clear-task": _CLEAR_TASK,
    "--activity-task-on-home": 0x00004000,
    "--activity-match-external": 0x00000800,
    "--receiver-registered-only": 0x40000000,
    "--receiver-replace-pending": 0x20000000,
    "--receiver-foreground": 0x10000000,
    "--receiver-no-abort": 0x08000000,
    "--receiver-include-background": 0x01000000,
    "--selector": 0,
}
_TEXT = ("-e", "--es", "--esa", "--esal", "--eu", "--ecn")
_NUMBERS = ("--ei", "--el", "--eia", "--eial", "--ela", "--elal")
_FLOATS = ("--ef", "--ed", "--efa", "--efal")


class IntentError(CommandError):
    """Arguments that are no intent; the message is the Java exception's."""


def component_name(text: str) -> str:
    """`package/full.Class` from `package/.Class`.

    Raises:
        IntentError: there is no slash, or nothing after it.
    """
    package, slash, name = text.partition("/")
    if not slash or not name:
        raise IntentError(
            f"\nException occurred while executing:\njava.lang.IllegalArgumentException: Bad component name: {text}",
            255,
        )
    return f"{package}/{package + name if name.startswith('.') else name}"


def parse_intent(args: list[str], specials: dict[str, bool] | None = None) -> tuple[ParsedIntent, dict[str, str]]:
    """Parses intent arguments.

    Args:
        args: words after the subcommand.
        specials: options of the subcommand itself, and whether each takes a value.

    Returns:
        The intent, and the subcommand's own options with their values (empty for those without).

    Raises:
        IntentError: an unknown option, a missing or malformed value.
    """
    found = ParsedIntent()
    own: dict[str, str] = {}
    rest = list(args)

    def value(name: str) -> str:
        if not rest:
            raise IntentError(
                f"\nException occurred while executing:\njava.lang.IllegalArgumentException: "
                f'Argument expected after "{name}"',
                255,
            )
        return rest.pop(0)

    while rest:
        arg = rest.pop(0)
        if specials and arg in specials:
            own[arg] = value(arg) if specials[arg] else ""
        elif arg == "-a":
            found.action = value(arg)
        elif arg == "-d":
            found.data = value(arg)
        elif arg == "-t":
            found.mime = value(arg)
        elif arg == "-c":
            found.categories.append(value(arg))
        elif arg == "-n":
            found.component = component_name(value(arg))
        elif arg == "-p":
            found.package = value(arg)
        elif arg == "-i":
            value(arg)
        elif arg == "-f":
            found.flags |= _integer(value(arg))
        elif arg == "--esn":
            found.extras[value(arg)] = ""
        elif arg == "--ez":
            name = value(arg)
            found.extras[name] = _boolean(value(name))
        elif arg in _TEXT:
            name = value(arg)
            found.extras[name] = value(name)
        elif arg in _NUMBERS:
            name = value(arg)
            text = value(name)
            found.extras[name] = text if arg.endswith(("a", "al")) and "," in text else _integer(text)
        elif arg in _FLOATS:
            name = value(arg)
            text = value(name)
            found.extras[name] = text if "," in text else _real(text)
        elif arg in _FLAGS:
            found.flags |= _FLAGS[arg]
        elif arg.startswith("-") and len(arg) > 1:
            raise IntentError(f"Error: Unknown option: {arg}", 255)
        else:
            # A word on its own is a URI, a component, or a package; only the last one counts, as on Android.
            if re.match(r"[a-zA-Z][\w+.-]*:", arg):
                found.data = arg
            elif "/" in arg and found.component is None:
                found.component = component_name(arg)
            else:
                found.package = arg
            break
    return found, own


def _integer(text: str) -> int:
    if not re.fullmatch(r"[-+]?(\d+|0[xX][0-9a-fA-F]+)", text):
        raise IntentError(
            f'\nException occurred while executing:\njava.lang.NumberFormatException: For input string: "{text}"', 255
        )
    return int(text, 16) if "x" in text.lower() else int(text)


def _real(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise IntentError(
            f'\nException occurred while executing:\njava.lang.NumberFormatException: For input string: "{text}"', 255
        ) from None


def _boolean(text: str) -> bool:
    lowered = text.lower()
    if lowered in ("true", "t", "1"):
        return True
    if lowered in ("false", "f", "0"):
        return False
    if re.fullmatch(r"-?\d+", text):
        return int(text) != 0
    raise IntentError(
        f"\nException occurred while executing:\njava.lang.IllegalArgumentException: Invalid boolean value: {text}", 255
    )
