"""The screen lock: none, swipe, or a PIN; a PIN is asked for before anything is changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.apps.settings.parts import choice_rows, note
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Button, Dialog, Group, Row, Space, TextButton, TextField

KINDS = ("none", "swipe", "pin")
LEAST, MOST = 4, 16
"""How many digits a PIN has."""
TRIES, WAIT_MS = 5, 30_000
"""Wrong PINs that may be entered before one must wait, and how long."""


def lock_kind(ctx: Context) -> str:
    """`none`, `swipe` or `pin`."""
    if ctx.settings.get("secure", "lockscreen_pin"):
        return "pin"
    return "none" if ctx.settings.get("secure", "lockscreen_disabled") == "1" else "swipe"


def after_pin(ctx: Context, what: str, act: Callable[[], None]) -> None:
    """Acts at once, or asks for the PIN first where there is one; the page then gets `{"confirmed": what}`."""
    if lock_kind(ctx) == "pin":
        ctx.go("screen_lock", confirm=what)
    else:
        act()


def pin_form(
    ctx: Context, label: str, error: str, helper: str, action: str, on_submit: Callable[[], None], id: str
) -> list[Node]:
    """A field for a PIN, and the buttons under it."""
    field = TextField(
        ctx,
        "password_entry",
        label,
        error=error,
        helper=helper,
        password=True,
        input_type="number",
        max_length=MOST,
        on_submit=on_submit,
        on_change=lambda _: ctx.ui.pop("error", None),
        action="next",
    )
    buttons = Row(
        TextButton(ctx.tr("cancel"), ctx.back(), id="cancel_button"),
        Space(weight=1.0),
        Button(action, on_submit, id=id),
        width=FILL,
    )
    return [
        Node("box", (field,), width=FILL, pad=(24.0, 8.0, 24.0, 16.0), hidden_from_tree=True),
        Node("box", (buttons,), width=FILL, pad=(24.0, 8.0, 24.0, 16.0), hidden_from_tree=True),
    ]


class ScreenLock(Page):
    """Asks for the PIN where there is one, then lists the kinds of lock."""

    name = "screen_lock"
    activity = ".password.ChooseLockGeneric"
    title = "screen_lock"
    parent = "security"
    keywords = "screen_lock_words"
    actions = ("android.app.action.SET_NEW_PASSWORD",)

    def on_open(self, ctx: Context) -> None:
        """The PIN's field has the focus at once."""
        if lock_kind(ctx) == "pin":
            ctx.set_field("password_entry", "")
            ctx.focus("password_entry")

    def heading(self, ctx: Context) -> str:
        """What is asked for."""
        return ctx.tr("confirm_pin" if self._asks(ctx) else "choose_screen_lock")

    def _asks(self, ctx: Context) -> bool:
        return lock_kind(ctx) == "pin" and not ctx.ui.get("confirmed")

    def rows(self, ctx: Context) -> list[Node]:
        """The field, or the kinds."""
        if self._asks(ctx):
            return pin_form(
                ctx,
                ctx.tr("pin_label"),
                str(ctx.ui.get("error", "")),
                ctx.tr("confirm_pin_helper"),
                ctx.tr("pin_next"),
                lambda: self._confirm(ctx),
                "next_button",
            )
        choices = [(kind, ctx.tr(f"screen_lock_{kind}")) for kind in KINDS]
        return [
            *choice_rows(choices, lock_kind(ctx), lambda kind: self._choose(ctx, kind)),
            note(ctx.tr("screen_lock_note")),
        ]

    def _confirm(self, ctx: Context) -> None:
        if ctx.now_ms < ctx.ui.get("wait_until", 0):
            seconds = -(-(ctx.ui["wait_until"] - ctx.now_ms) // 1000)
            ctx.ui["error"] = ctx.tr("too_many_tries", seconds=seconds)
            return
        if ctx.field("password_entry") == ctx.settings.get("secure", "lockscreen_pin"):
            ctx.ui.update(confirmed=True, tries=0)
            ctx.ui.pop("error", None)
            ctx.focus(None)
            if ctx.args.get("confirm"):
                ctx.finish({"confirmed": ctx.args["confirm"]})
            return
        ctx.set_field("password_entry", "")
        ctx.ui["tries"] = int(ctx.ui.get("tries", 0)) + 1
        ctx.ui["error"] = ctx.tr("wrong_pin_entered")
        if ctx.ui["tries"] % TRIES == 0:
            ctx.ui["wait_until"] = ctx.now_ms + WAIT_MS
            ctx.ui["error"] = ctx.tr("too_many_tries", seconds=WAIT_MS // 1000)

    def _choose(self, ctx: Context, kind: str) -> None:
        if kind == "pin":
            ctx.go("choose_pin")
        elif lock_kind(ctx) == "pin":
            ctx.open_overlay("remove", kind=kind)
        else:
            self._set(ctx, kind)

    def _set(self, ctx: Context, kind: str) -> None:
        ctx.phone.delete_setting("secure", "lockscreen_pin")
        ctx.put_setting("secure", "lockscreen_disabled", kind == "none")
        ctx.finish()

    def overlay_remove(self, ctx: Context, kind: str) -> Node:
        """Asks before the PIN goes."""

        def remove() -> None:
            ctx.dismiss()
            self._set(ctx, kind)

        return Dialog(
            ctx,
            ctx.tr("remove_lock_title"),
            ctx.tr("remove_lock_text"),
            actions=[(ctx.tr("cancel"), ctx.dismiss), (ctx.tr("remove_lock"), remove)],
        )

    def on_result(self, ctx: Context, result: Mapping[str, object]) -> None:
        """A PIN was set: done."""
        ctx.finish()


class ChoosePin(Page):
    """A new PIN, entered twice."""

    name = "choose_pin"
    activity = ".password.ChooseLockPassword"
    title = "set_pin"
    parent = "screen_lock"
    searchable = False

    def on_open(self, ctx: Context) -> None:
        """The field has the focus at once. Where there is a PIN that wasn't asked for, it must be first."""
        if lock_kind(ctx) == "pin" and not self._asked(ctx):
            ctx.ui["locked"] = True
            return
        ctx.set_field("password_entry", "")
        ctx.focus("password_entry")

    def _asked(self, ctx: Context) -> bool:
        return any(
            record["screen"] == "screen_lock" and record["ui"].get("confirmed")
            for record in ctx.phone.activities.records()
        )

    def heading(self, ctx: Context) -> str:
        """Which of the two it is."""
        return ctx.tr("reenter_pin" if ctx.ui.get("first") else "set_pin")

    def rows(self, ctx: Context) -> list[Node]:
        """The field; nothing else."""
        if ctx.ui.get("locked"):
            button = Button(ctx.tr("pin_next"), ctx.open("screen_lock"), id="next_button")
            return [note(ctx.tr("confirm_pin_helper")), *Group([Node("box", (button,), width=FILL, pad=16.0)])]
        first = str(ctx.ui.get("first", ""))
        return pin_form(
            ctx,
            ctx.tr("pin_label"),
            str(ctx.ui.get("error", "")),
            "" if first else ctx.tr("pin_least", count=LEAST),
            ctx.tr("pin_confirm" if first else "pin_next"),
            lambda: self._submit(ctx, first),
            "confirm_button" if first else "next_button",
        )

    def _submit(self, ctx: Context, first: str) -> None:
        entered = ctx.field("password_entry")
        if len(entered) < LEAST:
            ctx.ui["error"] = ctx.tr("pin_too_short", count=LEAST)
            return
        ctx.set_field("password_entry", "")
        if not first:
            ctx.ui["first"] = entered
        elif entered != first:
            ctx.ui.pop("first")
            ctx.ui["error"] = ctx.tr("pins_differ")
        else:
            ctx.put_setting("secure", "lockscreen_pin", entered)
            ctx.put_setting("secure", "lockscreen_disabled", False)
            ctx.toast(ctx.tr("pin_set"))
            ctx.finish({"pin": True})


SCREENS = (ScreenLock, ChoosePin)
