"""Touch and keys: finds what a gesture means on the composed screen, and lets virtual time pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from mobile_gym.phone.system.windows import STATUS_DP, Window
from mobile_gym.phone.ui.hit import all_at, contains, touched
from mobile_gym.phone.ui.node import Node
from mobile_gym.phone.ui.text import prefix_widths

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

TAP_MS = 80
DOUBLE_TAP_MS = 300
SLOP_PX = 60
"""How far apart the two touches of a double tap may lie, pixels."""
FLING_BELOW_MS = 500
"""A swipe that is faster than this lets the list glide on."""
_SHIFTED = dict(zip("1234567890-=[];'\\,./`", '!@#$%^&*()_+{}:"|<>?~', strict=True))
_NAMED = {
    "SPACE": " ",
    "COMMA": ",",
    "PERIOD": ".",
    "MINUS": "-",
    "PLUS": "+",
    "AT": "@",
    "SLASH": "/",
    "EQUALS": "=",
    "STAR": "*",
    "POUND": "#",
    "APOSTROPHE": "'",
    "SEMICOLON": ";",
    "BACKSLASH": "\\",
    "GRAVE": "`",
    "LEFT_BRACKET": "[",
    "RIGHT_BRACKET": "]",
}


class InputController:
    """See `PhoneDoor.input`. Coordinates are pixels of the screen as it is turned."""

    def __init__(self, phone: Phone) -> None:
        self._phone = phone

    # ---- touch

    def tap(self, x: int, y: int) -> None:
        """Touches a point briefly; soon after a touch near by it makes that one a double tap."""
        interface = self._phone.state.interface
        now = self._phone.state.clock.now_ms
        last = interface["last_tap"]
        twice = (
            last is not None and now - last[2] < DOUBLE_TAP_MS and max(abs(x - last[0]), abs(y - last[1])) <= SLOP_PX
        )
        interface["last_tap"] = None if twice else [x, y, now]
        if self._awake():
            self._dispatch(x, y, self._tap_again if twice else self._tap_node)
        self._phone.advance(TAP_MS)

    def double_tap(self, x: int, y: int) -> None:
        """Touches a point twice, within the double-tap time."""
        self.tap(x, y)
        self.tap(x, y)

    def _tap_again(self, window: Window, node: Node, x: int, y: int) -> None:
        if node.on_double_tap is not None:
            node.on_double_tap()
            return
        self._tap_node(window, node, x, y)
        if node.kind == "field":
            self._select_word()

    def long_press(self, x: int, y: int, ms: int = 1000) -> None:
        """Touches a point and holds."""
        if self._awake():

            def act(window: Window, node: Node, px: int, py: int) -> None:
                if node.on_long_press is not None:
                    node.on_long_press()
                elif node.kind == "field":
                    self._tap_field(window, node, px, py)
                    self._select_word()
                    self._phone.show_text_menu()
                else:
                    self._tap_node(window, node, px, py)

            wants = [lambda n: n.on_long_press is not None or n.kind == "field", None]
            if not self._dispatch(x, y, act, wants[0]):
                self._dispatch(x, y, self._tap_node)
        self._phone.advance(ms)

    def swipe(self, x1: int, y1: int, x2: int, y2: int, ms: int = 300) -> None:
        """Moves a finger; lists glide on where it was fast."""
        if abs(x2 - x1) < 10 and abs(y2 - y1) < 10:
            self.long_press(x1, y1, ms) if ms >= 500 else self.tap(x1, y1)
            return
        self._move(x1, y1, x2, y2, ms, fling=ms < FLING_BELOW_MS)

    def drag(self, x1: int, y1: int, x2: int, y2: int, ms: int = 1000) -> None:
        """Moves a finger and lets go at rest; what can be carried is picked up first and dropped there."""
        carried = self._carried(x1, y1) if self._awake() else None
        if carried is not None:
            carried(x2, y2)
            self._phone.invalidate()
            self._phone.advance(ms)
            return
        self._move(x1, y1, x2, y2, ms, fling=False)

    def _carried(self, x: int, y: int) -> Callable[[int, int], None] | None:
        """What a drag that begins at a pixel picks up."""
        for window in reversed(self._phone.windows.windows):
            nodes = all_at(window.root, x, y)
            for node in reversed(nodes):
                if node.on_drop is not None and node.enabled:
                    return node.on_drop
            if any(node.blocks for node in nodes):
                return None
        return None

    def _awake(self) -> bool:
        return bool(self._phone.state.interface["screen_on"])

    def _dispatch(
        self,
        x: int,
        y: int,
        act: Callable[[Window, Node, int, int], None],
        wanted: Callable[[Node], bool] | None = None,
    ) -> bool:
        for window in reversed(self._phone.windows.windows):
            node = touched(window.root, x, y) if wanted is None else touched(window.root, x, y, wanted)
            if node is not None:
                if node.enabled:
                    act(window, node, x, y)
                self._phone.invalidate()
                return True
            if window.root.blocks and contains(window.root, x, y):
                return True
        return False

    def _tap_node(self, window: Window, node: Node, x: int, y: int) -> None:
        if node.kind == "field":
            self._tap_field(window, node, x, y)
        elif node.on_position is not None:
            node.on_position(x - node.x, y - node.y)
        elif node.on_tap is not None:
            node.on_tap()
        elif node.on_drag is not None and node.w and node.h:
            share = ((x - node.x) / node.w, (y - node.y) / node.h)
            node.on_drag(*share, *share)

    def _tap_field(self, window: Window, node: Node, x: int, y: int) -> None:
        if not node.enabled:
            return
        text_input = self._phone.text_input
        target = (int(window.record["uid"]), node.field_id)
        had_focus = self._phone.state.interface["focus"] == list(target)
        text_input.focus(target)
        if text_input.value() is not None and (had_focus or not node.select_on_focus):
            text_input.move(self._place_in_field(window, node, x, y))

    def _place_in_field(self, window: Window, node: Node, x: int, y: int) -> int:
        if not node.text:
            return 0
        left, top, _, _ = window.layouter.edges(node)
        font, line = window.layouter.metrics.style(node.style, node.text_weight, node.size_sp, node.line_sp)
        row = min(max((y - node.y - top) // line, 0), len(node.lines) - 1)
        before = 0
        for number in range(row):
            before += len(node.lines[number])
            while node.text[before : before + 1] in ("\n", " ") and not node.lines[number + 1].startswith(
                node.text[before : before + 1]
            ):
                before += 1
        widths = prefix_widths(node.lines[row], font)
        goal = x - node.x - left
        column = min(range(len(widths)), key=lambda number: abs(widths[number] - goal))
        return before + column

    def _select_word(self) -> None:
        value = self._phone.text_input.value()
        if value is None or not value["text"]:
            return
        text, at = value["text"], min(value["cursor"], len(value["text"]) - 1)
        start, end = at, at + 1
        if text[at].isascii() and text[at].isalnum():
            while start > 0 and text[start - 1].isascii() and text[start - 1].isalnum():
                start -= 1
            while end < len(text) and text[end].isascii() and text[end].isalnum():
                end += 1
        value["anchor"], value["cursor"] = start, end

    # ---- movement

    def _move(self, x1: int, y1: int, x2: int, y2: int, ms: int, fling: bool) -> None:
        if self._awake():
            self._move_on(x1, y1, x2, y2, ms, fling)
            self._phone.invalidate()
        self._phone.advance(ms)

    def _move_on(self, x1: int, y1: int, x2: int, y2: int, ms: int, fling: bool) -> None:
        dx, dy = x2 - x1, y2 - y1
        vertical = abs(dy) >= abs(dx)
        direction = ("down" if dy > 0 else "up") if vertical else ("right" if dx > 0 else "left")
        status = round(STATUS_DP * self._phone.density_dpi / 160)
        if y1 < status and direction == "down" and not self._phone.surface_open(50):
            self._phone.expand_shade(quick_settings=False)
            return
        for window in reversed(self._phone.windows.windows):
            nodes = all_at(window.root, x1, y1)
            for node in reversed(nodes):
                if node.on_drag is not None and node.enabled and self._drags(node, vertical):
                    start = ((x1 - node.x) / node.w, (y1 - node.y) / node.h)
                    node.on_drag(*start, (x2 - node.x) / node.w, (y2 - node.y) / node.h)
                    return
                along = node.kind == "list" and node.scrollable and (node.axis == "v") == vertical
                if along and self._scroll(window, node, -dy if vertical else -dx, ms, fling):
                    return
                if node.on_swipe is not None and node.on_swipe(direction) is not False:
                    return
            if any(node.blocks for node in nodes) or (nodes and window.name == "overlay"):
                return

    def _drags(self, node: Node, vertical: bool) -> bool:
        """Sliders take movements along themselves, whatever takes both ways (a dial, a map) takes all."""
        if node.cls == "android.widget.SeekBar":
            return vertical == (node.h > node.w)
        return True

    def _scroll(self, window: Window, node: Node, delta: int, ms: int, fling: bool) -> bool:
        rows = node.rows
        if rows is None or not len(rows) or not node.more[1 if delta > 0 else 0]:
            return False
        if node.paged:
            page = min(max(node.anchor[0] + (1 if delta > 0 else -1), 0), len(rows) - 1)
            window.record["scroll"][node.id] = [page, 0]
            return True
        if fling:
            # A fixed rule in place of physics: the faster the finger, the further; at most 1.5 movements more.
            delta = round(delta * (1 + 1.5 * (1 - ms / FLING_BELOW_MS)))
        position = rows.move(node.anchor, delta)
        window.record["scroll"][node.id] = list(position)
        return True

    # ---- keys and text

    def text(self, text: str) -> bool:
        """Commits text at the cursor of the focused field; False where no field has the focus."""
        # What the keyboard was still composing gives way, as it does to any other committed text.
        self._phone.surface_record("keyboard")["ui"].update(composing="", letters="")
        done = self._phone.text_input.commit(text) if text else True
        self._phone.advance(20 * min(len(text), 100))
        return done

    def key(self, name: str) -> None:
        """Presses a key by Android's name without its prefix; one without a meaning here does nothing."""
        name = name.removeprefix("KEYCODE_")
        if name == "POWER" or name in ("SLEEP", "WAKEUP"):
            self._phone.press_power(name)
        elif self._awake():
            self._key(name)
        self._phone.invalidate()
        self._phone.advance(TAP_MS)

    def _key(self, name: str) -> None:
        phone = self._phone
        system: dict[str, Callable[[], None]] = {
            "BACK": self._back,
            "HOME": phone.press_home,
            "APP_SWITCH": phone.toggle_recents,
            "VOLUME_UP": lambda: phone.change_volume(1),
            "VOLUME_DOWN": lambda: phone.change_volume(-1),
            "VOLUME_MUTE": lambda: phone.change_volume(-100),
            "NOTIFICATION": lambda: phone.expand_shade(quick_settings=False),
            "CALL": phone.answer_call,
            "ENDCALL": phone.end_call,
            "SYSRQ": phone.take_screenshot,
        }
        text = phone.text_input
        value = text.value()
        cursor = 0 if value is None else int(value["cursor"])
        editing: dict[str, Callable[[], None]] = {
            "ENTER": text.enter,
            "NUMPAD_ENTER": text.enter,
            "DEL": text.delete_back,
            "FORWARD_DEL": text.delete_forward,
            "DPAD_LEFT": lambda: text.move(cursor - 1),
            "DPAD_RIGHT": lambda: text.move(cursor + 1),
            "MOVE_HOME": lambda: text.move(0),
            "MOVE_END": lambda: text.move(1 << 30),
            "PASTE": text.paste,
            "COPY": text.copy,
            "CUT": lambda: text.copy(cut=True),
            "ESCAPE": self._back,
            "TAB": self._next_field,
        }
        if name in system:
            system[name]()
        elif name in editing:
            editing[name]()
        elif len(name) == 1 and name.isalnum():
            text.commit(name.lower())
        elif name in _NAMED:
            text.commit(_NAMED[name])
        elif name.startswith("NUMPAD_") and name[7:].isdigit():
            text.commit(name[7:])

    def _back(self) -> None:
        phone = self._phone
        if phone.surface_record("keyboard")["ui"].get("open"):
            phone.text_input.hide_keyboard()
            return
        for surface in reversed(phone.surfaces):
            ctx = phone.surface_context(surface)
            if surface.visible(ctx) and surface.on_back(ctx):
                return
        phone.activities.back()

    def _next_field(self) -> None:
        focus = self._phone.state.interface["focus"]
        if focus is None:
            return
        window = self._phone.windows.focused()
        fields = [node.field_id for node in window.root.walk() if node.kind == "field" and node.visible is not None]
        if focus[1] in fields:
            place = (fields.index(focus[1]) + 1) % len(fields)
            self._phone.text_input.focus((focus[0], fields[place]))

    def key_combination(self, names: Sequence[str]) -> None:
        """Presses keys together."""
        short = [name.removeprefix("KEYCODE_") for name in names]
        control = any(name in ("CTRL_LEFT", "CTRL_RIGHT") for name in short)
        shift = any(name in ("SHIFT_LEFT", "SHIFT_RIGHT") for name in short)
        rest = [name for name in short if not name.startswith(("CTRL_", "SHIFT_", "ALT_", "META_"))]
        text = self._phone.text_input
        commands: dict[str, Callable[[], None]] = {
            "A": text.select_all,
            "C": text.copy,
            "X": lambda: text.copy(cut=True),
            "V": text.paste,
        }
        if control and len(rest) == 1 and rest[0] in commands:
            commands[rest[0]]()
        elif set(short) == {"POWER", "VOLUME_DOWN"}:
            self._phone.take_screenshot()
        elif set(short) == {"POWER", "VOLUME_UP"}:
            self._phone.open_surface("power_menu")
        elif shift and len(rest) == 1 and len(rest[0]) == 1:
            text.commit(_SHIFTED.get(rest[0], rest[0].upper()))
        else:
            for name in rest:
                self._key(name)
        self._phone.invalidate()
        self._phone.advance(TAP_MS)
