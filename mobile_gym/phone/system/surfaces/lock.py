"""The lock screen: clock, notifications, swipe up; a PIN where `secure/lockscreen_pin` holds one.

Its interface state (`ctx.ui`): `pad`, whether the PIN pad is up; `failed`, wrong PINs in a row; `wait_until`; `wrong`;
`pending`, package and key of the notification that is opened after unlocking. The PIN is typed into the field
`pinEntry`.
"""

from __future__ import annotations

from mobile_gym.phone.system.app import Context, Record
from mobile_gym.phone.system.bars import StatusBar
from mobile_gym.phone.system.formats import month_day, weekday
from mobile_gym.phone.system.surface import Surface
from mobile_gym.phone.system.surfaces.notices import mark, notice_disc, open_notice, texts
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Icon, Text
from mobile_gym.phone.ui.widgets.fields import field

PIN_FIELD = "pinEntry"
_ATTEMPTS, _WAIT_MS = 5, 30_000
_SHOWN_NOTICES = 4


class Lock(Surface):
    """Over everything while the phone is locked and its screen on."""

    name = "lock"
    layer = 75
    focusable = True

    def visible(self, ctx: Context) -> bool:
        """While the phone is locked."""
        return bool(ctx.phone.state.interface["locked"])

    def on_back(self, ctx: Context) -> bool:
        """Leaves the PIN pad; the lock itself stays."""
        self._pad(ctx, False)
        return True

    def _pin(self, ctx: Context) -> str:
        return ctx.settings.get("secure", "lockscreen_pin") or ""

    def _pad(self, ctx: Context, up: bool) -> None:
        ctx.ui.update(pad=up, wrong=False)
        ctx.set_field(PIN_FIELD, "")
        if up:
            ctx.phone.text_input.focus((int(ctx.record["uid"]), PIN_FIELD), keyboard=False)
        else:
            ctx.ui["pending"] = None
            ctx.focus(None)

    def _try(self, ctx: Context) -> None:
        """Swipe up: unlocks, or asks for the PIN."""
        if self._pin(ctx):
            self._pad(ctx, True)
        else:
            self._unlock(ctx)

    def _unlock(self, ctx: Context) -> None:
        phone = ctx.phone
        pending = ctx.ui.get("pending")
        ctx.ui.update(pad=False, failed=0, wrong=False, wait_until=0, pending=None)
        ctx.set_field(PIN_FIELD, "")
        ctx.focus(None)
        phone.state.interface["locked"] = False
        notice = next((n for n in phone.notifier.posted if mark(n) == pending), None)
        if notice is not None:
            open_notice(phone, notice)
        phone.invalidate()

    def _check(self, ctx: Context) -> None:
        if ctx.ui.get("wait_until", 0) > ctx.now_ms:
            ctx.set_field(PIN_FIELD, "")
            return
        if not ctx.field(PIN_FIELD):
            return
        if ctx.field(PIN_FIELD) == self._pin(ctx):
            self._unlock(ctx)
            return
        failed = int(ctx.ui.get("failed", 0)) + 1
        ctx.ui.update(failed=failed, wrong=True)
        if failed % _ATTEMPTS == 0:
            ctx.ui["wait_until"] = ctx.now_ms + _WAIT_MS
        ctx.set_field(PIN_FIELD, "")

    def next_wakeup(self, ctx: Context) -> int | None:
        """The seconds of the wait after too many wrong PINs."""
        if not self.visible(ctx) or ctx.ui.get("wait_until", 0) <= ctx.now_ms:
            return None
        return ctx.now_ms + 1000 - (ctx.now_ms - int(ctx.ui["wait_until"])) % 1000

    def on_wakeup(self, ctx: Context) -> None:
        """A second of the wait is over."""
        if ctx.ui["wait_until"] <= ctx.now_ms:
            ctx.ui["wrong"] = False
            ctx.set_field(PIN_FIELD, "")

    def build(self, ctx: Context) -> Node:
        """Wallpaper, status bar, and clock with notifications, or the PIN pad."""
        wallpaper = ctx.settings.get("system", "wallpaper") or "wallpaper/dusk"
        picture = Node("picture", source=wallpaper, width=FILL, height=FILL, hidden_from_tree=True)
        bar = Node(
            "box",
            (StatusBar().build(ctx.phone, True),),
            width=FILL,
            height=45.0,
            place="top-start",
            id="keyguard_header",
        )
        body = self._pin_pad(ctx) if ctx.ui.get("pad") else self._first(ctx)

        def swiped(direction: str) -> bool:
            if direction == "up" and not ctx.ui.get("pad"):
                self._try(ctx)
            return True

        return Node(
            "box",
            (picture, bar, body),
            width=FILL,
            height=FILL,
            light_glyphs=True,
            blocks=True,
            on_swipe=swiped,
            id="keyguard_root_view",
        )

    def _first(self, ctx: Context) -> Node:
        now = ctx.now
        date = ctx.tr("date_line", date=month_day(now, ctx.language), weekday=weekday(now, ctx.language))
        clock = Text(
            ctx.phone.clock_text(),
            size_sp=88,
            line_sp=98,
            text_weight=300,
            color="#FFFFFF",
            soft_shadow=True,
            id="lockscreen_clock_view",
        )
        parts = [
            Text(date, "titleMedium", "#FFFFFF", soft_shadow=True, id="date", text_weight=400),
            clock,
            Node("space", height=20.0, hidden_from_tree=True),
            *self._notices(ctx),
            Node("space", weight=1.0, hidden_from_tree=True),
            Icon("lock-outline", 22.0, "#FFFFFF", id="lock_icon"),
            Text(
                ctx.tr("swipe_to_unlock"),
                "bodyMedium",
                "#FFFFFF",
                soft_shadow=True,
                id="keyguard_indication_text",
                pad=(0.0, 8.0, 0.0, 0.0),
            ),
        ]
        return Node(
            "col",
            parts,
            align="center",
            width=FILL,
            height=FILL,
            pad=(16.0, 84.0, 16.0, 72.0),
            hidden_from_tree=True,
        )

    def _notices(self, ctx: Context) -> list[Node]:
        high = ctx.phone.screen[1] / (ctx.phone.density_dpi / 160)
        most = min(_SHOWN_NOTICES, max(int((high - 400) / (86 * ctx.phone.font_scale)), 0))
        shown = [notice for notice in ctx.phone.notifier.posted if not notice["silent"]][:most]
        rows = []
        for number, notice in enumerate(shown):
            top = 28.0 if number == 0 else 4.0
            bottom = 28.0 if number == len(shown) - 1 else 4.0
            column = Node("col", texts(ctx, notice, False), weight=1.0, hidden_from_tree=True)
            rows.append(
                Node(
                    "row",
                    (notice_disc(ctx, notice), column),
                    gap=16.0,
                    width=FILL,
                    align="start",
                    pad=(16.0, 12.0, 16.0, 12.0),
                    bg="surfaceBright",
                    radius=(top, top, bottom, bottom),
                    id="expandableNotificationRow",
                    on_tap=self._opener(ctx, notice),
                )
            )
        return [Node("col", rows, gap=2.0, width=FILL, id="notification_stack")] if rows else []

    def _opener(self, ctx: Context, notice: Record) -> Handler:
        def handle() -> None:
            self._try(ctx)
            if ctx.phone.state.interface["locked"]:
                ctx.ui["pending"] = mark(notice)
            else:
                open_notice(ctx.phone, notice)

        return handle

    def _pin_pad(self, ctx: Context) -> Node:
        left = (int(ctx.ui.get("wait_until", 0)) - ctx.now_ms + 999) // 1000
        waiting = left > 0
        said = "enter_pin"
        if waiting:
            title = ctx.tr("pin_wait", seconds=left)
        else:
            said = "wrong_pin" if ctx.ui.get("wrong") else "enter_pin"
            title = ctx.tr(said)
        count = len(ctx.field(PIN_FIELD))
        entry = field(
            ctx,
            PIN_FIELD,
            password=True,
            input_type="number",
            max_length=16,
            enabled=not waiting,
            on_submit=lambda: self._check(ctx),
            style="headlineSmall",
            color="#FFFFFF",
            width=max(24.0, 13.0 * count + 8.0),
            height=40.0,
            desc=ctx.tr("pin_digits", count=count),
        )
        # On the dark pad the hidden caret of an empty field would only disturb.
        entry = entry.replace(cursor=None)

        def digit(number: int) -> Node:
            label = Text(str(number), "headlineMedium", "#FFFFFF", place="center-center", hidden_from_tree=True)
            return _key(label, None if waiting else lambda: self._type(ctx, str(number)), f"key{number}", str(number))

        delete = _key(
            Icon("backspace-outline", 26.0, "#FFFFFF", place="center-center", hidden_from_tree=True),
            ctx.phone.text_input.delete_back,
            "delete_button",
            ctx.tr("delete"),
            None,
        )
        enter = _key(
            Icon("check", 30.0, "#00315B", place="center-center", hidden_from_tree=True),
            None if waiting else lambda: self._check(ctx),
            "key_enter",
            ctx.tr("ok"),
            "#A3C9FE",
        )
        rows = [[digit(1), digit(2), digit(3)], [digit(4), digit(5), digit(6)], [digit(7), digit(8), digit(9)]]
        rows.append([delete, digit(0), enter])
        keys = [Node("row", row, gap=20.0, hidden_from_tree=True) for row in rows]
        return Node(
            "col",
            (
                Node("space", weight=1.0, hidden_from_tree=True),
                Text(
                    title, "titleMedium", "#FFFFFF", soft_shadow=True, id="keyguard_message_area", text_align="center"
                ),
                Node("box", (entry,), height=56.0, pad=(0.0, 8.0, 0.0, 8.0), hidden_from_tree=True),
                Node("col", keys, gap=14.0, id="pin_container"),
                Node("space", height=24.0, hidden_from_tree=True),
            ),
            align="center",
            width=FILL,
            height=FILL,
            pad=(16.0, 60.0, 16.0, 60.0),
            hidden_from_tree=True,
        )

    def _type(self, ctx: Context, digit: str) -> None:
        ctx.ui["wrong"] = False
        ctx.phone.text_input.focus((int(ctx.record["uid"]), PIN_FIELD), keyboard=False)
        ctx.phone.text_input.commit(digit)


def _key(label: Node, on_tap: Handler | None, id: str, desc: str, bg: str | None = "#2B4A70") -> Node:
    return Node(
        "box",
        (label,),
        width=72.0,
        height=72.0,
        radius=36.0,
        bg=bg,
        on_tap=on_tap,
        enabled=on_tap is not None,
        cls="android.widget.Button",
        id=id,
        text=desc if len(desc) == 1 else "",
        desc=desc,
    )
