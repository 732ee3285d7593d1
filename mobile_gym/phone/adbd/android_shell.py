"""The phone's own shell and files, as `adbd` uses them."""

from __future__ import annotations

from mobile_gym.phone.adbd.lifecycle import is_root
from mobile_gym.phone.adbd.stdin_use import reads_stdin
from mobile_gym.phone.door import PhoneDoor
from mobile_gym.phone.shell.session import ShellSession
from mobile_gym.phone.shell.shell import Shell, ShellResult, ShellStream
from mobile_gym.phone.shell.shell_files import ShellFiles


class AndroidShell:
    """One shell process under `adbd`, with its user's rights.

    Args:
        phone: the phone.
        shell: what runs the lines; its faults count.
    """

    def __init__(self, phone: PhoneDoor, shell: Shell) -> None:
        self._shell = shell
        shell.root = is_root(phone)
        self._session = ShellSession(phone, shell)
        self._stream: ShellStream | None = None

    def run(self, line: str, stdin: bytes = b"") -> ShellResult:
        """Runs the one line of a shell that has no more."""
        self._stream = self._shell.stream(line, stdin)
        return self._stream.result

    def feed(self, line: str) -> ShellResult | None:
        """Runs the next line of a shell that goes on; None where nothing ran."""
        self._stream = self._session.stream(line)
        return None if self._stream is None else self._stream.result

    def wants_stdin(self, line: str) -> bool:
        """Whether a line reads its standard input."""
        return reads_stdin(line)

    def poll(self) -> bytes:
        """What the last line printed since the last look."""
        return b"" if self._stream is None else self._stream.poll()

    def interrupt(self) -> None:
        """Ends a line that prints on or is unfinished."""
        self._stream = None
        self._session.interrupt()

    @property
    def prompt(self) -> str:
        """What an interactive shell prints when it is ready."""
        return self._session.prompt

    @property
    def exited(self) -> int | None:
        """The exit status after `exit`."""
        return self._session.exit_code if self._session.closed else None


class AndroidShells:
    """Starts shells on one phone; they share their faults and their history.

    Attributes:
        shell: what runs their lines, once there was one.
    """

    def __init__(self) -> None:
        self.shell: Shell | None = None

    def __call__(self, phone: PhoneDoor) -> AndroidShell:
        """Starts a shell; on the phone's thread."""
        if self.shell is None:
            self.shell = Shell(phone)
        return AndroidShell(phone, self.shell)


def android_files(phone: PhoneDoor) -> ShellFiles:
    """The files that push and pull see, with the rights of the daemon's user."""
    return ShellFiles(phone, root=is_root(phone))
