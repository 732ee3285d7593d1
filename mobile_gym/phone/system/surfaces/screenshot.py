"""What shows after a screenshot: the picture, small, with the ways to look at it and to delete it.

Its interface state (`ctx.ui`): `path` of the file, and `until` when it shows.
"""

from __future__ import annotations

from mobile_gym.phone.door import Intent
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.system.surface import Surface
from mobile_gym.phone.ui.display import Clip
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Text, TextButton

_WIDE_DP, _HIGH_DP, _BOTTOM_DP, _THUMB_DP = 300.0, 190.0, 48.0, 60.0
_VIEW, _MIME = "android.intent.action.VIEW", "image/png"


class Screenshot(Surface):
    """A card at the bottom left that goes by itself."""

    name = "screenshot"
    layer = 35
    listed = True

    def visible(self, ctx: Context) -> bool:
        """While it is open and the file is there."""
        return bool(ctx.ui.get("open")) and ctx.phone.state.files.exists(ctx.ui["path"])

    def box(self, ctx: Context, width: int, height: int) -> Clip:
        """The lower left corner above the navigation bar."""
        density = ctx.phone.density_dpi / 160
        bottom = height - round(_BOTTOM_DP * density)
        return (0, max(bottom - round(_HIGH_DP * density), 0), min(round(_WIDE_DP * density), width), bottom)

    def build(self, ctx: Context) -> Node:
        """The card."""
        phone, path = ctx.phone, str(ctx.ui["path"])
        width, height, _ = phone.screen
        high = min(_THUMB_DP * height / width, 140.0)
        uri = f"file://{path}"

        def close() -> None:
            phone.close_surface(self.name)

        def view() -> None:
            close()
            phone.activities.start(Intent(action=_VIEW, data=uri, mime=_MIME))

        def delete() -> None:
            close()
            phone.state.files.remove(path)
            phone.show_toast(ctx.tr("screenshot_deleted"), "com.android.systemui")

        apps = [phone.apps[name] for name in phone.packages.names() if name in phone.apps]
        viewable = any(app.resolve(_VIEW, uri, _MIME, {}) is not None for app in apps)
        picture = Node(
            "picture",
            source=f"file{path}",
            width=high * width / height,
            height=high,
            radius=8.0,
            id="screenshot_preview",
            desc=ctx.tr("screenshot_preview"),
            on_tap=view if viewable else None,
        )
        texts: list[Node] = [Text(ctx.tr("screenshot_saved"), "titleSmall", id="message", max_lines=2)]
        if viewable:
            texts.append(TextButton(ctx.tr("screenshot_view"), view, id="screenshot_view"))
        texts.append(TextButton(ctx.tr("delete"), delete, id="screenshot_delete"))
        card = Node(
            "row",
            (picture, Node("col", texts, gap=2.0, hidden_from_tree=True)),
            gap=16.0,
            pad=(10.0, 10.0, 18.0, 10.0),
            radius=18.0,
            bg="surfaceContainerHigh",
            shadow=2,
            blocks=True,
            place="bottom-start",
            offset=(16.0, -16.0),
            on_swipe=lambda direction: close(),
            id="screenshot_static",
        )
        return Node("box", (card,), width=FILL, height=FILL)

    def next_wakeup(self, ctx: Context) -> int | None:
        """When it goes."""
        return int(ctx.ui["until"]) if ctx.ui.get("open") else None

    def on_wakeup(self, ctx: Context) -> None:
        """Goes."""
        ctx.phone.close_surface(self.name)
