"""What a running shell remembers: variables, functions, directory, user; all of it is copied for a subshell."""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass, field, replace

from mobile_gym.phone.shell.language.nodes import Command


@dataclass(slots=True)
class ShellState:
    """The state of one shell process.

    Attributes:
        root: whether the user is root (0) or shell (2000).
        cwd: the current directory.
        variables: all variables.
        exported: names that commands see in their environment.
        readonly: names that cannot be assigned.
        functions: shell functions.
        positional: `$1`, `$2`, …
        name: `$0`.
        status: `$?`.
        errexit: `set -e`.
        nounset: `set -u`.
        noglob: `set -f`.
        trace: `set -x`.
        traps: commands by signal name.
        pid: `$$`.
    """

    root: bool
    cwd: str = "/"
    variables: MutableMapping[str, str] = field(default_factory=dict)
    exported: set[str] = field(default_factory=set)
    readonly: set[str] = field(default_factory=set)
    functions: dict[str, Command] = field(default_factory=dict)
    positional: list[str] = field(default_factory=list)
    name: str = "sh"
    status: int = 0
    errexit: bool = False
    nounset: bool = False
    noglob: bool = False
    trace: bool = False
    traps: dict[str, str] = field(default_factory=dict)
    pid: int = 4321

    def fork(self) -> ShellState:
        """A copy for a subshell."""
        return replace(
            self,
            variables=dict(self.variables),
            exported=set(self.exported),
            readonly=set(self.readonly),
            functions=dict(self.functions),
            positional=list(self.positional),
            traps={},
        )

    def get(self, name: str) -> str | None:
        """A variable, or None where it is not set."""
        return self.variables.get(name)

    def assign(self, name: str, value: str) -> None:
        """Sets a variable."""
        self.variables[name] = value

    def lookup(self, name: str) -> str | None:
        """A variable or special parameter by name; None where it is not set."""
        if name.isdigit():
            index = int(name)
            if index == 0:
                return self.name
            return self.positional[index - 1] if index <= len(self.positional) else None
        match name:
            case "?":
                return str(self.status)
            case "#":
                return str(len(self.positional))
            case "$":
                return str(self.pid)
            case "!":
                return ""
            case "-":
                flags = (("e", self.errexit), ("u", self.nounset), ("x", self.trace), ("f", self.noglob))
                return "".join(flag for flag, on in flags if on)
            case "PWD":
                return self.cwd
            case "UID" | "EUID" | "USER_ID":
                return "0" if self.root else "2000"
        return self.variables.get(name)

    def environment(self) -> dict[str, str]:
        """The exported variables, in the order of their names."""
        return {name: self.variables[name] for name in sorted(self.exported) if name in self.variables}


def initial_state(root: bool, host: str) -> ShellState:
    """The environment that adbd gives to a shell.

    Args:
        root: whether adbd runs as root.
        host: the device's name (`ro.product.device`).
    """
    variables = {
        "ANDROID_ART_ROOT": "/apex/com.android.art",
        "ANDROID_ASSETS": "/system/app",
        "ANDROID_BOOTLOGO": "1",
        "ANDROID_DATA": "/data",
        "ANDROID_I18N_ROOT": "/apex/com.android.i18n",
        "ANDROID_ROOT": "/system",
        "ANDROID_STORAGE": "/storage",
        "ANDROID_TZDATA_ROOT": "/apex/com.android.tzdata",
        "EXTERNAL_STORAGE": "/sdcard",
        "HOME": "/",
        "HOSTNAME": host,
        "LOGNAME": "root" if root else "shell",
        "PATH": "/product/bin:/apex/com.android.runtime/bin:/apex/com.android.art/bin:/system_ext/bin:/system/bin:"
        "/system/xbin:/odm/bin:/vendor/bin:/vendor/xbin",
        "SHELL": "/bin/sh",
        "TERM": "xterm-256color",
        "TMPDIR": "/data/local/tmp",
        "USER": "root" if root else "shell",
    }
    return ShellState(root, name="/system/bin/sh", variables={**variables, "IFS": " \t\n"}, exported=set(variables))
