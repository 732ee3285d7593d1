"""The menu over a text field: cut, copy, paste, select all.

Its interface state: `place`, the field's visible box in pixels, and `seen`, what must stay the same for it to stay.
"""

from __future__ import annotations

from mobile_gym.phone.system.app import Context
from mobile_gym.phone.system.hardware import text_menu_mark
from mobile_gym.phone.system.surface import Surface
from mobile_gym.phone.ui.display import Clip
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Text

_HIGH_DP = 64.0


class TextMenu(Surface):
    """A pill above the field, or below it where there is no room above."""

    name = "text_menu"
    layer = 45
    listed = True

    def visible(self, ctx: Context) -> bool:
        """Until the field's text, cursor or selection changes, or another screen comes."""
        return bool(ctx.ui.get("open")) and ctx.ui.get("seen") == text_menu_mark(ctx.phone)

    def dim(self, ctx: Context) -> int:
        """It dims nothing."""
        return 0

    def box(self, ctx: Context, width: int, height: int) -> Clip:
        """Above the field, as wide as the screen; what the pill leaves free lets touches through."""
        density = ctx.phone.density_dpi / 160
        high = round(_HIGH_DP * density)
        _, top, _, bottom = ctx.ui["place"]
        start = top - high if top - high >= round(40 * density) else min(bottom, height - high)
        return (0, start, width, start + high)

    def build(self, ctx: Context) -> Node:
        """The entries that make sense now."""
        text_input = ctx.phone.text_input
        _, _, _, text, cursor, anchor = ctx.ui["seen"]
        entries: list[tuple[str, Handler]] = []

        def entry(key: str, act: Handler, stay: bool = False) -> None:
            def handle() -> None:
                act()
                ctx.phone.close_surface(self.name)
                if stay:
                    ctx.phone.show_text_menu()

            entries.append((key, handle))

        if cursor != anchor:
            entry("cut", lambda: text_input.copy(cut=True))
            entry("copy", text_input.copy)
        if ctx.phone.state.interface["clipboard"]:
            entry("paste", text_input.paste)
        if text and abs(cursor - anchor) < len(text):
            entry("select_all", text_input.select_all, stay=True)
        buttons = [
            Node(
                "row",
                (Text(ctx.tr(key), "labelLarge", max_lines=1, hidden_from_tree=True),),
                min_height=44.0,
                justify="center",
                pad=(14.0, 0.0, 14.0, 0.0),
                cls="android.widget.Button",
                text=ctx.tr(key),
                id=f"floating_toolbar_{key}",
                on_tap=handler,
            )
            for key, handler in entries
        ]
        if not buttons:
            return Node("box", (), width=FILL, height=FILL)
        left, _, right, _ = ctx.ui["place"]
        density = ctx.phone.density_dpi / 160
        screen = ctx.phone.screen[0]
        place = "center-start" if (left + right) / 2 < screen * 0.4 else "center-end"
        if (right - left) > screen * 0.6 or (place == "center-end" and (left + right) / 2 < screen * 0.6):
            place = "center-center"
        edge = max(min(left, screen - right) / density, 8.0)
        pill = Node(
            "row",
            buttons,
            radius=22.0,
            bg="surfaceContainerHigh",
            shadow=2,
            pad=(4.0, 0.0, 4.0, 0.0),
            blocks=True,
            place=place,
            id="floating_popup_container",
        )
        return Node("box", (pill,), width=FILL, height=FILL, pad=(edge, 0.0, edge, 0.0))
