"""The screen of a call: ringing, dialling, active.

The call itself is `interface["call"]`: `number`, `name`, `state` (`ringing`, `dialing`, `active`), `since_ms`,
`outgoing`, `muted`, `speaker`, `digits`. Interface state: `open`, and `keypad` while the keypad is up.
"""

from __future__ import annotations

from mobile_gym.phone.system import calls
from mobile_gym.phone.system.app import Context, Record
from mobile_gym.phone.system.surface import Surface
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Avatar, Icon, Text

_BG = "#16232F"
_WHITE, _PALE = "#FFFFFF", "#B9C6D3"
_KEYS = ("123", "456", "789", "*0#")


class Call(Surface):
    """Covers the screen while a call rings or its screen was not left."""

    name = "call"
    layer = 80
    package = "com.android.dialer"
    activity = "com.android.incallui.InCallActivity"
    focusable = True

    def visible(self, ctx: Context) -> bool:
        """While there is a call and its screen is up."""
        return ctx.phone.state.interface["call"] is not None and bool(ctx.ui.get("open"))

    def on_back(self, ctx: Context) -> bool:
        """A call that rings stays; one that is active goes on behind."""
        if ctx.ui.get("keypad"):
            ctx.ui["keypad"] = False
        elif ctx.phone.state.interface["call"]["state"] != "ringing":
            ctx.phone.close_surface(self.name)
        return True

    def next_wakeup(self, ctx: Context) -> int | None:
        """When the call is missed, is answered at the other end, or the timer shows the next second."""
        call = ctx.phone.state.interface["call"]
        return None if call is None else calls.next_change(call, ctx.now_ms, bool(ctx.ui.get("open")))

    def on_wakeup(self, ctx: Context) -> None:
        """Misses or connects the call, or shows the next second."""
        calls.on_time(ctx.phone)

    def build(self, ctx: Context) -> Node:
        """Who calls, and the buttons of the call's state."""
        call: Record = ctx.phone.state.interface["call"]
        name = call.get("name") or ""
        state = call["state"]
        title = name or call["number"] or ctx.tr("call_unknown")
        if state == "active":
            seconds = (ctx.now_ms - call["since_ms"]) // 1000
            status = f"{seconds // 60:02d}:{seconds % 60:02d}"
        else:
            status = ctx.tr("call_incoming" if state == "ringing" else "call_dialing")
        letter = name[-1:] if ctx.language == "zh" else name[:1]
        tall = ctx.phone.screen[1] / (ctx.phone.density_dpi / 160) > 720
        avatar = Avatar(letter, 104.0 if tall else 72.0, "#3F6C9E", icon="" if name else "account")
        heading = [
            Text(status, "titleMedium", _PALE, id="call_timer" if state == "active" else "call_status"),
            Text(
                title,
                size_sp=32,
                line_sp=42,
                color=_WHITE,
                text_align="center",
                max_lines=2,
                id="contactgrid_contact_name",
            ),
        ]
        if name and (tall or not ctx.ui.get("keypad")):
            heading.append(Text(call["number"], "bodyLarge", _PALE, id="contactgrid_number"))
        middle = (
            [avatar] if not ctx.ui.get("keypad") else [self._digits(call), self._keypad(call, 56.0 if tall else 40.0)]
        )
        buttons = self._ringing(ctx) if state == "ringing" else self._active(ctx, call, tall)
        column = Node(
            "col",
            (
                *heading,
                Node("space", weight=1.0, hidden_from_tree=True),
                *middle,
                Node("space", weight=1.0, hidden_from_tree=True),
                *buttons,
            ),
            align="center",
            gap=6.0,
            width=FILL,
            height=FILL,
            pad=(24.0, 96.0, 24.0, 92.0) if tall else (24.0, 52.0, 24.0, 60.0),
            hidden_from_tree=True,
        )
        return Node("box", (column,), width=FILL, height=FILL, bg=_BG, light_glyphs=True, blocks=True, id="incall_root")

    def _ringing(self, ctx: Context) -> list[Node]:
        decline = _round("phone-hangup", "#D93A2B", ctx.phone.end_call, ctx.tr("decline"), "call_decline")
        answer = _round("phone", "#2F9E5B", ctx.phone.answer_call, ctx.tr("answer"), "call_answer")
        return [Node("row", (decline, answer), width=FILL, justify="between", pad=(28.0, 0.0, 28.0, 0.0))]

    def _active(self, ctx: Context, call: Record, tall: bool) -> list[Node]:
        def turn(key: str) -> Handler:
            def handle() -> None:
                call[key] = not call.get(key, False)

            return handle

        keypad = bool(ctx.ui.get("keypad"))
        toggles = Node(
            "row",
            (
                _toggle("microphone-off", ctx.tr("mute"), bool(call.get("muted")), turn("muted"), "mute_button"),
                _toggle("dialpad", ctx.tr("keypad"), keypad, ctx.toggle_ui("keypad"), "keypad_button"),
                _toggle("volume-high", ctx.tr("speaker"), bool(call.get("speaker")), turn("speaker"), "speaker_button"),
            ),
            width=FILL,
            justify="between",
            pad=(12.0, 0.0, 12.0, 32.0 if tall else 8.0),
            hidden_from_tree=True,
        )
        end = _round("phone-hangup", "#D93A2B", ctx.phone.end_call, ctx.tr("end_call"), "incall_end_call", label=False)
        return [toggles, end]

    def _digits(self, call: Record) -> Node:
        return Text(call.get("digits") or " ", "headlineSmall", _WHITE, id="dtmf_digits", max_lines=1)

    def _keypad(self, call: Record, high: float) -> Node:
        def press(key: str) -> Handler:
            def handle() -> None:
                call["digits"] = (call.get("digits") or "") + key

            return handle

        rows = []
        for keys in _KEYS:
            cells = [
                Node(
                    "box",
                    (Text(key, "headlineSmall", _WHITE, place="center-center", hidden_from_tree=True),),
                    width=76.0,
                    height=high,
                    radius=high / 2,
                    bg="#24384A",
                    text=key,
                    cls="android.widget.Button",
                    id=f"dialpad_{key}",
                    on_tap=press(key),
                )
                for key in keys
            ]
            rows.append(Node("row", cells, gap=14.0, hidden_from_tree=True))
        return Node("col", rows, gap=10.0, id="dialpad_view")


def _round(icon: str, bg: str, on_tap: Handler, name: str, id: str, label: bool = True) -> Node:
    disc = Node(
        "box",
        (Icon(icon, 32.0, _WHITE, place="center-center", hidden_from_tree=True),),
        width=72.0,
        height=72.0,
        radius=36.0,
        bg=bg,
        hidden_from_tree=True,
    )
    parts = [disc, Text(name, "labelLarge", _WHITE, hidden_from_tree=True)] if label else [disc]
    return Node(
        "col",
        parts,
        gap=8.0,
        align="center",
        on_tap=on_tap,
        cls="android.widget.Button",
        id=id,
        desc=name,
        text=name if label else "",
    )


def _toggle(icon: str, name: str, on: bool, on_tap: Handler, id: str) -> Node:
    disc = Node(
        "box",
        (Icon(icon, 28.0, _BG if on else _WHITE, place="center-center", hidden_from_tree=True),),
        width=64.0,
        height=64.0,
        radius=32.0,
        bg=_WHITE if on else "#24384A",
        hidden_from_tree=True,
    )
    return Node(
        "col",
        (disc, Text(name, "labelMedium", _PALE, max_lines=1, hidden_from_tree=True)),
        gap=8.0,
        align="center",
        min_width=84.0,
        on_tap=on_tap,
        cls="android.widget.ToggleButton",
        checkable=True,
        checked=on,
        id=id,
        desc=name,
        text=name,
    )
