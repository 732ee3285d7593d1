"""Typing on Android: the AdbKeyboard's broadcast for all of Unicode, `input text` for ASCII.

Both lose text in their own ways, so what arrived is read back from the field where the tree can be read.
"""

from __future__ import annotations

import base64
import re
import shlex
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Protocol

from mobile_gym.devices.adb_link import AdbLink
from mobile_gym.devices.base import Result
from mobile_gym.devices.errors import HierarchyUnavailable, TextInputUnsupported
from mobile_gym.devices.ui_tree import UiNode, UiTree

ADB_KEYBOARD: Final = "com.android.adbkeyboard/.AdbIME"
_PART: Final = 64  # characters an `input text`: some Android drops what comes after about 90
_CALLS: Final = 8  # `input` commands a line, each of which starts a process
_B64_PART: Final = 400  # characters a broadcast
_FIELDS: Final = ("EditText", "AutoCompleteTextView", "SearchView$SearchAutoComplete", "TextInputEditText")
_RESULT = re.compile(r"Broadcast completed: result=(-?\d+)")


class ReadTree(Protocol):
    """Reads the tree of the focused window."""

    def __call__(self) -> UiTree: ...


def input_calls(text: str) -> Iterator[str]:
    """`input` commands that type printable ASCII and line ends, each quoted for the device's shell.

    `input text` takes `%s` for a space, and there is no way to say `%s` itself: it is cut in two between its signs.

    Raises:
        TextInputUnsupported: a character that `input text` cannot type.
    """
    for line_number, line in enumerate(text.split("\n")):
        if line_number:
            yield "input keyevent KEYCODE_ENTER"
        for part in _parts(line):
            yield f"input text {shlex.quote(part.replace(' ', '%s'))}"


def _parts(line: str) -> Iterator[str]:
    bad = next((char for char in line if not " " <= char <= "~"), None)
    if bad is not None:
        raise TextInputUnsupported(
            f"'input text' cannot type {bad!r} (U+{ord(bad):04X}); install the AdbKeyboard with "
            "'mobile-gym device prepare adb:SERIAL --keyboard ADBKeyboard.apk'"
        )
    start = 0
    while start < len(line):
        end = min(len(line), start + _PART)
        split = line.find("%s", start, end + 1)
        if split >= 0:
            end = split + 1
        yield line[start:end]
        start = end


def broadcasts(text: str) -> Iterator[str]:
    """Broadcasts that let the AdbKeyboard commit a text, each a command for the device's shell."""
    for start in range(0, len(text), _B64_PART):
        data = base64.b64encode(text[start : start + _B64_PART].encode("utf-8")).decode("ascii")
        yield f"am broadcast -a ADB_INPUT_B64 --es msg {shlex.quote(data)}"


def broadcast_failure(result: Result) -> str | None:
    """Why a broadcast certainly typed nothing, or None where it may have.

    `pkg=` in the echoed intent means that the shell tore the text apart. `result=0` says nothing: the keyboard never
    sets a result, and neither does nobody.
    """
    said = f"{result.stdout}\n{result.stderr}"
    intent = re.search(r"Broadcasting: Intent \{([^\n]*)\}", said)
    if intent is not None and re.search(r"\bpkg=", intent[1]):
        return "the device's shell tore the text apart"
    if result.exit_code != 0 or _RESULT.search(said) is None:
        return f"the broadcast failed: {said.strip()[:200] or f'exit status {result.exit_code}'}"
    return None


def focused_field(tree: UiTree) -> UiNode | None:
    """The text field that has the focus, or None."""
    focused = [node for node in tree.walk() if node.focused]
    for node in focused:
        if node.class_name.endswith(_FIELDS):
            return node
    return None


@dataclass(slots=True)
class Typist:
    """Types on one device.

    Attributes:
        link: the device.
        read_tree: reads the tree, to see what arrived.
        verify: whether to read back what arrived.
        polls: how often to look whether the AdbKeyboard is there yet.
    """

    link: AdbLink
    read_tree: ReadTree
    verify: bool = True
    polls: int = 10
    _own_ime: str | None = None
    _was_enabled: bool = True

    def type(self, text: str) -> None:
        """Types at the cursor of the focused field. Empty text sends nothing.

        Raises:
            TextInputUnsupported: no field has the focus, the text cannot be typed, or not all of it arrived; the
                message says how many characters did.
        """
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        if not text:
            return
        bad = next((char for char in text if (char < " " and char != "\n") or "\ud800" <= char <= "\udfff"), None)
        if bad is not None:
            raise TextInputUnsupported(f"{self.link.serial}: U+{ord(bad):04X} is a control character and no text")
        plain = all(" " <= char <= "~" or char == "\n" for char in text)
        keyboard = self._take_keyboard()
        if not keyboard and not plain:
            list(input_calls(text))  # says which character it is
        before = self._field() if self.verify else None
        if keyboard:
            self._by_keyboard(text)
        else:
            calls = list(input_calls(text))
            for start in range(0, len(calls), _CALLS):
                self._send(" && ".join(calls[start : start + _CALLS]))
        if before is not None:
            self._check(before, text)

    def release(self) -> None:
        """Gives the user's own keyboard back."""
        if self._own_ime is None:
            return
        own, self._own_ime = self._own_ime, None
        command = f"ime set {shlex.quote(own)}"
        if not self._was_enabled:
            command += f"; ime disable {ADB_KEYBOARD}"
        self.link.run(command)

    def installed(self) -> bool:
        """Whether the AdbKeyboard is installed, even if so lately that the input method manager has not seen it yet."""
        package = ADB_KEYBOARD.partition("/")[0]
        said = self.link.run(f"ime list -a -s; pm list packages {package}", repeatable=True).stdout.split()
        return _same_ime(ADB_KEYBOARD, said) or f"package:{package}" in said

    def _by_keyboard(self, text: str) -> None:
        for number, line in enumerate(text.split("\n")):
            if number:
                self._send("input keyevent KEYCODE_ENTER")
            for command in broadcasts(line):
                failure = broadcast_failure(self.link.run(command))
                if failure is not None:
                    raise TextInputUnsupported(f"{self.link.serial}: nothing was typed: {failure}")

    def _send(self, command: str) -> None:
        result = self.link.run(command)
        said = (result.stdout + result.stderr).strip()
        if result.exit_code != 0 or "Exception" in said or "Can't find service" in said:
            raise TextInputUnsupported(f"{self.link.serial}: input failed: {said[:300] or result.exit_code}")

    def _take_keyboard(self) -> bool:
        """Makes the AdbKeyboard the keyboard in use; False where it is not installed.

        Every time anew, for a reboot, a snapshot or a person may have changed it back. A keyboard that was just
        installed is not known at once, so this is asked for a while.
        """
        current = self.link.run("settings get secure default_input_method", repeatable=True).stdout.strip()
        if _same_ime(ADB_KEYBOARD, [current]):
            return True
        if not self.installed():
            return False
        enabled = _same_ime(ADB_KEYBOARD, self.link.run("ime list -s", repeatable=True).stdout.split())
        said = ""
        for attempt in range(self.polls):
            if attempt:
                time.sleep(self.link.pause)
            result = self.link.run(f"ime enable {ADB_KEYBOARD} && ime set {ADB_KEYBOARD}")
            said = (result.stdout + result.stderr).strip()
            now = self.link.run("settings get secure default_input_method", repeatable=True).stdout.strip()
            if "Unknown input method" not in said and _same_ime(ADB_KEYBOARD, [now]):
                if self._own_ime is None and current not in {"", "null"}:
                    self._own_ime, self._was_enabled = current, enabled
                return True
        raise TextInputUnsupported(
            f"{self.link.serial}: the AdbKeyboard is installed and cannot be used: {said or 'no answer'}"
        )

    def _field(self) -> UiNode | None:
        """The focused field; None where the tree cannot tell."""
        try:
            tree = self.read_tree()
        except HierarchyUnavailable:
            return None
        field = focused_field(tree)
        if field is not None:
            return field
        shown = self.link.run("dumpsys input_method", repeatable=True).stdout
        if "mInputShown=true" in shown:
            return None
        raise TextInputUnsupported(f"{self.link.serial}: no text field has the focus; tap one first")

    def _check(self, before: UiNode, text: str) -> None:
        try:
            after = focused_field(self.read_tree())
        except HierarchyUnavailable:
            return
        if after is None or (after.resource_id, after.class_name) != (before.resource_id, before.class_name):
            return  # the text moved the focus on, as Enter does in a form
        old = "" if before.text == before.hint else before.text
        new = "" if after.text == after.hint else after.text
        wanted = len(text.replace("\n", ""))
        arrived = len(new.replace("\n", "")) - len(old.replace("\n", ""))
        if text.replace("\n", "") in new.replace("\n", "") or arrived >= wanted or wanted == 0:
            return
        raise TextInputUnsupported(
            f"{self.link.serial}: {max(arrived, 0)} of {wanted} characters arrived in the field {after.resource_id!r}, "
            f"which now holds {new[-60:]!r}"
        )


def _same_ime(wanted: str, names: list[str]) -> bool:
    """Whether an input method is in a list, where its class may be written in full."""
    package, _, name = wanted.partition("/")
    return any(other in {wanted, f"{package}/{package}{name}"} for other in names)
