"""Notifications as cards, and what the user does with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mobile_gym.phone.door import Intent
from mobile_gym.phone.errors import ActivityNotFound, PackageNotFound
from mobile_gym.phone.system.activities import full_class
from mobile_gym.phone.system.app import Context, Record
from mobile_gym.phone.system.formats import age_text
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Disc, Icon, IconButton, Text, TextButton
from mobile_gym.phone.ui.widgets.fields import field

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

HISTORY_MOST = 50
REPLY_FIELD = "remote_input_text"


def mark(notice: Record) -> str:
    """What tells a notification from all others."""
    return f"{notice['package']}|{notice['key']}"


def dismiss(phone: Phone, notice: Record) -> None:
    """Takes a notification away and keeps it in the history."""
    phone.notifier.cancel(notice["package"], notice["key"])
    kept: list[Record] = phone.state.interface["dismissed"]
    kept.insert(0, {**notice, "dismissed_ms": phone.state.clock.now_ms})
    del kept[HISTORY_MOST:]


def clear_all(phone: Phone) -> None:
    """Dismisses all that the user may dismiss; the newest comes first in the history."""
    for notice in [posted for posted in reversed(phone.notifier.posted) if not posted["ongoing"]]:
        dismiss(phone, notice)


def open_notice(phone: Phone, notice: Record) -> None:
    """What a tap on a notification does: opens its target, or its app, and dismisses it.

    A target is `{"screen", "args"}` of the same package, or `{"action", "data"}` for whoever handles it.
    """
    package, target = notice["package"], notice["target"]
    if not notice["ongoing"]:
        dismiss(phone, notice)
    try:
        if target is not None and "action" in target:
            phone.activities.start(Intent(action=target["action"], data=target.get("data")))
            return
        app = phone.apps.get(package)
        if app is None or not app.screens:
            return
        if not any(task["stack"][0]["package"] == package for task in phone.state.interface["tasks"]):
            # The app's first screen lies under the one that is opened, so that Back leads there.
            phone.activities.start(Intent(package=package))
        if target is not None:
            activity = full_class(package, app.screen(target["screen"]).activity)
            phone.activities.start(Intent(package=package, activity=activity, extras=target.get("args") or {}))
        else:
            phone.activities.start(Intent(package=package))
    except (ActivityNotFound, PackageNotFound) as error:
        phone.log("W", "SystemUI", f"notification {mark(notice)} opens nothing: {error}")
    finally:
        phone.close_surfaces()


def act(phone: Phone, notice: Record, action: Record, reply: str | None = None) -> None:
    """What an action's button does: tells the app, with the text of a reply."""
    extras = dict(action.get("extras") or {})
    if reply is not None:
        extras["reply"] = reply
    phone.activities.broadcast(Intent(package=notice["package"], action=action["broadcast"], extras=extras))
    phone.invalidate()


def app_label(ctx: Context, package: str) -> str:
    """The name of the app that posted a notification."""
    app = ctx.phone.apps.get(package)
    return package if app is None else app.label(ctx.language)


def when(ctx: Context, ms: int) -> str:
    """How old a notification is: now, the time, yesterday, the weekday, the date."""
    if 0 <= ctx.now_ms - ms < 60_000:
        return ctx.tr("now")
    return age_text(ctx.phone.state.clock.at(ms), ctx.now, ctx.phone.use_24_hours, ctx.language)


def notice_disc(ctx: Context, notice: Record) -> Node:
    """The round icon of the app, or that of the notification on its own colour."""
    app = ctx.phone.apps.get(notice["package"])
    icon = None if app is None else app.icon
    glyph = notice["icon"] or (icon.glyph if icon is not None else "bell")
    color = notice["color"] or (icon.colors[1] if icon is not None else "#545F70")
    ink = "#FFFFFF"
    if color.upper() == "#FFFFFF" and icon is not None:
        color = icon.ink
    return Disc(glyph, 36.0, color, ink, 20.0, id="icon", desc=app_label(ctx, notice["package"]))


def texts(ctx: Context, notice: Record, expanded: bool) -> list[Node]:
    """Header, title and text."""
    header = f"{app_label(ctx, notice['package'])} · {when(ctx, notice['posted_ms'])}"
    found = [Text(header, size_sp=12, line_sp=16, color="onSurfaceVariant", max_lines=1, id="header_text")]
    if notice["title"]:
        found.append(
            Text(notice["title"], size_sp=15, line_sp=22, text_weight=600, max_lines=2 if expanded else 1, id="title")
        )
    if notice["text"]:
        lines = 8 if expanded else 1
        found.append(Text(notice["text"], "bodyMedium", "onSurfaceVariant", max_lines=lines, id="text"))
    return found


def card(
    ctx: Context,
    notice: Record,
    expanded: bool,
    on_expand: Handler | None,
    reply_to: str = "",
    on_reply: Handler | None = None,
) -> Node:
    """A notification: disc, header, title, text, and its actions while it is expanded.

    Args:
        ctx: the surface's context; a reply is typed into its field `remote_input_text`.
        notice: the notification.
        expanded: whether all of it shows.
        on_expand: what the expander does; None for none.
        reply_to: `mark` of the notification whose reply is being typed.
        on_reply: what an action that asks for text does, where the text is not typed in the card itself.
    """
    phone = ctx.phone
    column = texts(ctx, notice, expanded)
    actions = notice["actions"] if expanded else []
    replying = next((action for action in actions if action.get("reply")), None)
    if replying is not None and reply_to == mark(notice):
        column.append(_reply_row(ctx, notice, replying))
    elif actions:
        buttons = [
            TextButton(str(action["label"]), _actor(ctx, notice, action, on_reply), id="action0").replace(
                pad=(0.0, 4.0, 28.0, 4.0), min_width=0.0, justify="start"
            )
            for action in actions
        ]
        column.append(Node("row", buttons, width=FILL, min_height=48.0, id="actions"))
    disc = Node("box", (notice_disc(ctx, notice),), pad=(0.0, 2.0, 16.0, 0.0), hidden_from_tree=True)
    parts = [disc, Node("col", column, weight=1.0, hidden_from_tree=True)]
    if on_expand is not None:
        arrow = "chevron-up" if expanded else "chevron-down"
        glyph = Icon(arrow, 20.0, "onSurface", place="center-center", hidden_from_tree=True)
        pill = Node(
            "box",
            (glyph,),
            width=32.0,
            height=24.0,
            radius=12.0,
            bg="surfaceContainerHighest",
            place="top-end",
            hidden_from_tree=True,
        )
        parts.append(
            Node(
                "box",
                (pill,),
                width=44.0,
                height=44.0,
                on_tap=on_expand,
                cls="android.widget.Button",
                id="expand_button",
                desc=ctx.tr("collapse" if expanded else "expand"),
            )
        )

    def swiped(direction: str) -> bool:
        if direction in ("up", "down") or notice["ongoing"]:
            return False
        dismiss(phone, notice)
        return True

    return Node(
        "row",
        parts,
        width=FILL,
        align="start",
        pad=(16.0, 14.0, 16.0, 14.0 if not actions else 0.0),
        on_tap=lambda: open_notice(phone, notice),
        on_swipe=swiped,
        id="expandableNotificationRow",
    )


def _actor(ctx: Context, notice: Record, action: Record, on_reply: Handler | None) -> Handler:
    def handle() -> None:
        if action.get("reply") and on_reply is not None:
            on_reply()
        elif action.get("reply"):
            ctx.ui["reply"] = mark(notice)
            ctx.set_field(REPLY_FIELD, "")
            ctx.focus(REPLY_FIELD)
        else:
            act(ctx.phone, notice, action)

    return handle


def _reply_row(ctx: Context, notice: Record, action: Record) -> Node:
    def send() -> None:
        text = ctx.field(REPLY_FIELD).strip()
        if not text:
            return
        ctx.ui["reply"] = ""
        ctx.focus(None)
        act(ctx.phone, notice, action, reply=text)

    entry = field(
        ctx, REPLY_FIELD, hint=str(action["label"]), action="send", on_submit=send, weight=1.0, style="bodyMedium"
    )
    button = IconButton("send", send, ctx.tr("send"), id="remote_input_send", color="primary", size=40.0, glyph=20.0)
    return Node(
        "row",
        (entry, button),
        width=FILL,
        min_height=48.0,
        bg="surfaceContainerHigh",
        radius=24.0,
        pad=(16.0, 0.0, 4.0, 0.0),
        id="remote_input",
    )
