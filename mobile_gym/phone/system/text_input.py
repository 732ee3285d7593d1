"""Text fields: focus, cursor, selection, editing. The keyboard, hardware keys and `input text` all end here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mobile_gym.phone.system.app import Record
from mobile_gym.phone.ui.node import Node

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

_ACCEPTS = {"number": "0123456789", "phone": "0123456789+*#() -,;", "decimal": "0123456789."}


class TextInput:
    """Edits the focused field. `interface["focus"]` is `[record uid, field id]` or None."""

    def __init__(self, phone: Phone) -> None:
        self._phone = phone

    def focus(self, target: tuple[int, str] | None, keyboard: bool = True) -> None:
        """Gives a field the focus and shows the keyboard, or takes the focus away and hides it."""
        before = self._phone.state.interface["focus"]
        self._phone.state.interface["focus"] = None if target is None else list(target)
        board = self._phone.surface_record("keyboard")["ui"]
        board["open"] = target is not None and keyboard
        board.update(composing="", letters="", expanded=False, page="letters", shift=0)
        # The keyboard shows the keys and the action that the field wants.
        node = self.node() if target is not None else None
        if target is not None:
            # A field that the same action brought up was not laid out yet, and the keyboard may cover it.
            self._phone.invalidate()
            self._phone.windows.reveal(*target)
            node = self.node()
        if node is not None:
            board["field"] = {"input_type": node.input_type, "action": node.action, "multiline": node.multiline}
            if node.select_on_focus and before != self._phone.state.interface["focus"]:
                self.select_all()
        self._phone.invalidate()

    def node(self) -> Node | None:
        """The focused field's node as it was last laid out."""
        focus = self._phone.state.interface["focus"]
        return None if focus is None else self._phone.windows.field_node(focus[0], focus[1])

    def value(self) -> Record | None:
        """`text`, `cursor` and `anchor` of the focused field; None where none has the focus."""
        focus = self._phone.state.interface["focus"]
        if focus is None:
            return None
        record = self._phone.find_record(focus[0])
        if record is None:
            return None
        node = self.node()
        start = "" if node is None else node.text
        value: Record = record["fields"].setdefault(
            focus[1], {"text": start, "cursor": len(start), "anchor": len(start)}
        )
        return value

    def commit(self, text: str) -> bool:
        """Puts text at the cursor, in place of the selection; False where no field has the focus.

        A newline in a field of one line is its action.
        """
        value, node = self.value(), self.node()
        if value is None or node is None:
            return False
        if not node.multiline and "\n" in text:
            first, *rest = text.split("\n")
            self.commit(first) if first else None
            for part in rest:
                self.enter()
                if part and not self.commit(part):
                    break
            return True
        self._replace(value, node, text)
        return True

    def enter(self) -> None:
        """Enter: a newline in a field of many lines, else the field's action."""
        node = self.node()
        if node is None:
            return
        if node.multiline:
            self.commit("\n")
        else:
            self.act()

    def act(self) -> None:
        """What the keyboard's action key does."""
        node = self.node()
        if node is None:
            return
        submit = node.on_submit
        if submit is not None:
            submit()
        elif node.action in ("done", "search", "go"):
            self.hide_keyboard()
        self._phone.invalidate()

    def delete_back(self) -> None:
        """Deletes the selection, or the character before the cursor."""
        value, node = self.value(), self.node()
        if value is None or node is None:
            return
        if value["cursor"] == value["anchor"]:
            value["anchor"] = max(value["cursor"] - 1, 0)
        self._replace(value, node, "")

    def delete_forward(self) -> None:
        """Deletes the selection, or the character after the cursor."""
        value, node = self.value(), self.node()
        if value is None or node is None:
            return
        if value["cursor"] == value["anchor"]:
            value["anchor"] = min(value["cursor"] + 1, len(value["text"]))
        self._replace(value, node, "")

    def move(self, to: int, select: bool = False) -> None:
        """Puts the cursor at a place in the text; keeps the anchor where a selection is being made."""
        value = self.value()
        if value is None:
            return
        value["cursor"] = min(max(to, 0), len(value["text"]))
        if not select:
            value["anchor"] = value["cursor"]
        self._phone.invalidate()

    def select_all(self) -> None:
        """Selects the whole text."""
        value = self.value()
        if value is not None:
            value["anchor"], value["cursor"] = 0, len(value["text"])
            self._phone.invalidate()

    def selected(self) -> str:
        """The selected text."""
        value = self.value()
        if value is None:
            return ""
        start, end = sorted((value["cursor"], value["anchor"]))
        return str(value["text"][start:end])

    def copy(self, cut: bool = False) -> None:
        """Copies or cuts the selection to the clipboard."""
        text = self.selected()
        if text:
            self._phone.set_clipboard(text)
            if cut:
                self.commit("")

    def paste(self) -> None:
        """Puts the clipboard's text at the cursor."""
        text = self._phone.state.interface["clipboard"]
        if text:
            self.commit(text)

    def set_text(self, text: str) -> None:
        """Replaces the whole text of the focused field."""
        self.select_all()
        self.commit(text)

    def hide_keyboard(self) -> None:
        """Hides the keyboard; the field keeps the focus."""
        self._phone.surface_record("keyboard")["ui"]["open"] = False
        self._phone.invalidate()

    def _replace(self, value: Record, node: Node, text: str) -> None:
        accepted = _ACCEPTS.get(node.input_type)
        if accepted is not None:
            text = "".join(char for char in text if char in accepted)
        start, end = sorted((value["cursor"], value["anchor"]))
        old: str = value["text"]
        if node.max_length:
            text = text[: max(node.max_length - (len(old) - (end - start)), 0)]
        value["text"] = old[:start] + text + old[end:]
        value["cursor"] = value["anchor"] = start + len(text)
        if node.on_change is not None and value["text"] != old:
            node.on_change(value["text"])
        self._phone.invalidate()
