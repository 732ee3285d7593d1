"""The heads-up: a new notification over the app for some seconds.

Its interface state (`ctx.ui`): `package` and `key` of the notification, and `until` when it shows.
"""

from __future__ import annotations

from mobile_gym.phone.system.app import Context, Record
from mobile_gym.phone.system.surface import Surface
from mobile_gym.phone.system.surfaces.notices import REPLY_FIELD, card, mark
from mobile_gym.phone.ui.display import Clip
from mobile_gym.phone.ui.node import FILL, Node

_TOP_DP, _ROOM_DP = 45.0, 260.0


class HeadsUp(Surface):
    """One notification as a card at the top."""

    name = "heads_up"
    layer = 46
    listed = True

    def _notice(self, ctx: Context) -> Record | None:
        wanted = (ctx.ui.get("package"), ctx.ui.get("key"))
        return next((n for n in ctx.phone.notifier.posted if (n["package"], n["key"]) == wanted), None)

    def visible(self, ctx: Context) -> bool:
        """While it is open, its time is not over, and its notification is still there."""
        if not ctx.ui.get("open") or ctx.ui.get("until", 0) <= ctx.now_ms or ctx.phone.state.interface["locked"]:
            return False
        return self._notice(ctx) is not None

    def box(self, ctx: Context, width: int, height: int) -> Clip:
        """Under the status bar; what the card leaves free lets touches through."""
        density = ctx.phone.density_dpi / 160
        return (0, round(_TOP_DP * density), width, min(round((_TOP_DP + _ROOM_DP) * density), height))

    def build(self, ctx: Context) -> Node:
        """The card."""
        notice = self._notice(ctx)
        assert notice is not None, "a heads-up is visible only while its notification is posted"
        body = card(ctx, notice, True, None, on_reply=lambda: self._reply(ctx, notice))
        swipe = body.on_swipe

        def swiped(direction: str) -> bool:
            if direction == "up":
                ctx.phone.close_surface(self.name)
            elif direction == "down":
                ctx.phone.expand_shade(quick_settings=False)
            elif swipe is not None and swipe(direction):
                ctx.phone.close_surface(self.name)
            return True

        surface = body.replace(bg="surfaceBright", radius=28.0, shadow=3, on_swipe=swiped, blocks=True)
        return Node(
            "box",
            (surface,),
            width=FILL,
            height=FILL,
            pad=(12.0, 4.0, 12.0, 0.0),
            id="heads_up",
        )

    def _reply(self, ctx: Context, notice: Record) -> None:
        """A reply is typed in the shade."""
        phone = ctx.phone
        phone.expand_shade(quick_settings=False)
        shade = phone.surface_context(next(surface for surface in phone.surfaces if surface.name == "shade"))
        shade.ui.update(reply=mark(notice), expanded={mark(notice): True})
        shade.set_field(REPLY_FIELD, "")
        shade.focus(REPLY_FIELD)

    def next_wakeup(self, ctx: Context) -> int | None:
        """When it goes."""
        return int(ctx.ui["until"]) if ctx.ui.get("open") else None

    def on_wakeup(self, ctx: Context) -> None:
        """Goes."""
        ctx.phone.close_surface(self.name)
