"""What a person types on the recorder's page: pieces that make up one step, and what Backspace takes off it."""

from __future__ import annotations

from mobile_gym.devices.base import Device
from mobile_gym.devices.errors import HierarchyUnavailable


class Typed:
    """The text of the step that is being typed, as the pieces in which it came."""

    def __init__(self) -> None:
        self._pieces: list[str] = []

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(self._pieces)

    def add(self, piece: str) -> None:
        """Goes on."""
        self._pieces.append(piece)

    def forget(self) -> None:
        """Something else was done: the next text is another step."""
        self._pieces.clear()

    def cut(self, count: int) -> tuple[int, str]:
        """Takes characters off the end; tells how many pieces lost some, and what is left of the last of those."""
        touched, rest = 0, ""
        while count > 0 and self._pieces:
            piece = self._pieces.pop()
            touched, rest = touched + 1, piece[:-count]
            count -= len(piece)
        if rest:
            self._pieces.append(rest)
        return touched, rest


def field_text(device: Device) -> str | None:
    """What the field with the focus holds; None where that cannot be seen."""
    try:
        nodes = device.hierarchy().walk()
        return next((node.text for node in nodes if node.focused and "EditText" in node.class_name), None)
    except HierarchyUnavailable:
        return None


def deleted(typed: str, before: str | None, after: str | None) -> int:
    """How many characters of what was typed a press of Backspace took off its end.

    A character for the keyboard may be several in the text, such as an emoji with a tone of skin, so the field tells.
    Where it doesn't, because it shows dots or, once empty, its hint, it is one.

    Args:
        typed: what was typed.
        before: what the field held before.
        after: what it holds now.
    """
    if before is None or after is None or not before.endswith(typed):
        return 1
    if before == after:
        return 0
    return len(before) - len(after) if before.startswith(after) else 1
