"""The power menu: restart, screenshot, lockdown."""

from __future__ import annotations

from mobile_gym.phone.system.app import Context
from mobile_gym.phone.system.surface import Surface
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Icon, Text


class PowerMenu(Surface):
    """Round buttons in a card; a tap beside it closes."""

    name = "power_menu"
    layer = 81
    focusable = True

    def dim(self, ctx: Context) -> int:
        """What is under it is dimmed."""
        return 50

    def build(self, ctx: Context) -> Node:
        """The card with its entries; switching off is shown, with the reason why it is not possible."""
        phone = ctx.phone

        def close() -> None:
            phone.close_surface(self.name)

        def screenshot() -> None:
            phone.close_surfaces()
            phone.take_screenshot()

        def lockdown() -> None:
            phone.close_surfaces()
            phone.state.interface["locked"] = True

        entries = [
            _entry(ctx.tr("power_off"), "power", None, "power_off", ctx.tr("power_off_reason")),
            _entry(ctx.tr("restart"), "restart", phone.reboot, "restart"),
            _entry(ctx.tr("screenshot"), "cellphone-screenshot", screenshot, "screenshot"),
        ]
        if ctx.settings.get("secure", "lockscreen_disabled") != "1":
            entries.append(_entry(ctx.tr("lockdown"), "lock-outline", lockdown, "lockdown"))
        rows = []
        for at in range(0, len(entries), 2):
            pair = entries[at : at + 2]
            if len(pair) < 2:
                pair.append(Node("space", weight=1.0, hidden_from_tree=True))
            rows.append(Node("row", pair, gap=12.0, width=FILL, align="start", hidden_from_tree=True))
        surface = Node(
            "col",
            rows,
            gap=20.0,
            width=300.0,
            pad=(24.0, 28.0, 24.0, 24.0),
            radius=28.0,
            bg="surfaceContainerHigh",
            blocks=True,
            place="center-center",
            id="global_actions_view",
        )
        return Node("box", (surface,), width=FILL, height=FILL, blocks=True, on_tap=close)


def _entry(label: str, icon: str, on_tap: Handler | None, id: str, reason: str = "") -> Node:
    enabled = on_tap is not None
    disc = Node(
        "box",
        (Icon(icon, 28.0, "onSecondaryContainer", place="center-center", hidden_from_tree=True),),
        width=72.0,
        height=72.0,
        radius=36.0,
        bg="secondaryContainer",
        fade=1.0 if enabled else 0.38,
        hidden_from_tree=True,
    )
    texts = [Text(label, "labelLarge", max_lines=1, text_align="center", fade=1.0 if enabled else 0.38)]
    if reason:
        texts.append(Text(reason, "bodySmall", "onSurfaceVariant", text_align="center", id="reason", max_lines=2))
    return Node(
        "col",
        (disc, *texts),
        gap=8.0,
        align="center",
        weight=1.0,
        on_tap=on_tap,
        enabled=enabled,
        cls="android.widget.Button",
        id=id,
        desc=label,
    )
