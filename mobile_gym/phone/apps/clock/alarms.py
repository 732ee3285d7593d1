"""The alarms tab: cards that expand, the time picker, label, days, ringtone."""

from __future__ import annotations

from collections.abc import Callable

from mobile_gym.phone.apps.clock import schedule
from mobile_gym.phone.apps.clock.texts import left_text, repeat_text
from mobile_gym.phone.state.database import Row
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.system.formats import clock_text, half_of_day, shared, weekday
from mobile_gym.phone.system.forms import asking_text, leaving
from mobile_gym.phone.system.tones import SILENT, tone_label, tone_names
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import (
    Dialog,
    EmptyState,
    Fab,
    Icon,
    IconButton,
    LazyList,
    Radio,
    Space,
    Switch,
    Text,
    TextField,
)
from mobile_gym.phone.ui.widgets import (
    Row as Line,
)

_PAD = 24.0


def body(ctx: Context) -> Node:
    """The list of alarms."""
    alarms = ctx.db.rows(
        "SELECT a.*, i.due_ms, i.state FROM alarms a LEFT JOIN instances i ON i.alarm_id = a._id"
        " ORDER BY hour, minutes, a._id"
    )
    return LazyList(
        alarms,
        row=lambda alarm: card(ctx, alarm),
        id="alarms_recycler_view",
        gap=8.0,
        bottom_pad=104.0,
        empty=EmptyState("alarm", ctx.tr("no_alarms"), ctx.tr("no_alarms_detail")),
    )


def add_button(ctx: Context) -> Node:
    """The large button that adds an alarm."""
    return Fab("plus", ctx.tr("add_alarm"), ctx.show("new_alarm"), large=True)


def card(ctx: Context, alarm: Row) -> Node:
    """One alarm: closed with label, time and days; open with all that can be set."""
    key = alarm["_id"]
    opened = ctx.ui.get("expanded") == key
    on = bool(alarm["enabled"])
    ink = "onSurface" if on else "onSurfaceVariant"

    def toggle() -> None:
        ctx.ui["expanded"] = None if opened else key

    arrow = IconButton(
        "chevron-up" if opened else "chevron-down",
        toggle,
        ctx.tr("collapse" if opened else "expand"),
        id="arrow",
        color="onSurface",
        bg="surfaceContainerHigh",
        size=40.0,
        glyph=20.0,
    )
    parts: list[Node] = []
    label = alarm["label"] or (ctx.tr("add_label") if opened else "")
    head = [
        Text(
            label,
            "bodyMedium",
            "onSurfaceVariant",
            weight=1.0,
            max_lines=1,
            id="edit_label" if opened else "label",
            on_tap=asking_text(ctx, "label", "label_edit", alarm["label"] or "", typing=False, alarm=key)
            if opened
            else None,
        )
        if label
        else Space(weight=1.0)
    ]
    if opened or label:
        parts.append(Line(*head, *([arrow] if opened else []), width=FILL, min_height=40.0 if opened else 20.0))
    parts.append(_time_line(ctx, alarm, ink, on))
    if opened:
        parts += _details(ctx, alarm)
    else:
        parts.append(Text(_summary(ctx, alarm), "bodyMedium", "onSurfaceVariant", id="days_of_week", max_lines=1))
    surface = Node(
        "col",
        parts,
        width=FILL,
        pad=(_PAD, 12.0 if opened else 16.0, 20.0, 16.0),
        radius=28.0,
        bg="card" if on else "cardOff",
        on_tap=None if opened else toggle,
        id="alarm_card",
        desc="",
        gap=2.0,
    )
    return Node("box", (surface,), width=FILL, pad=(16.0, 0.0, 16.0, 0.0), hidden_from_tree=True)


def _time_line(ctx: Context, alarm: Row, ink: str, on: bool) -> Node:
    key = alarm["_id"]
    time = Text(
        clock_text(alarm["hour"], alarm["minutes"], ctx.phone.use_24_hours),
        "displayLarge",
        ink,
        text_weight=400 if on else 300,
        max_lines=1,
        id="digital_clock",
        on_tap=ctx.show("time", alarm=key),
    )
    half = (
        ()
        if ctx.phone.use_24_hours
        else (Text(half_of_day(alarm["hour"], ctx.language), "titleLarge", ink, size_sp=18.0),)
    )
    left = Node("row", (time, *half), align="baseline", gap=8.0)
    switch = Switch(on, lambda value: turn(ctx, key, value), id="onoff", desc=_name(ctx, alarm))
    return Node("row", (left, Space(weight=1.0), switch), width=FILL)


def _name(ctx: Context, alarm: Row) -> str:
    text = clock_text(alarm["hour"], alarm["minutes"], ctx.phone.use_24_hours)
    return f"{text} {alarm['label']}".strip()


def _summary(ctx: Context, alarm: Row) -> str:
    if alarm["state"] == "ringing":
        return ctx.tr("ringing_now")
    if alarm["state"] == "snoozed":
        at = ctx.phone.state.clock.at(alarm["due_ms"])
        return ctx.tr("snoozed_until", time=clock_text(at.hour, at.minute, ctx.phone.use_24_hours))
    if alarm["daysofweek"]:
        return repeat_text(ctx, alarm["daysofweek"])
    if not alarm["enabled"] or alarm["due_ms"] is None:
        return ctx.tr("not_scheduled")
    due = ctx.phone.state.clock.at(alarm["due_ms"])
    days = (due.date() - ctx.now.date()).days
    if days <= 1:
        return shared("today", ctx.language) if days == 0 else ctx.tr("tomorrow")
    return weekday(due, ctx.language)


def _details(ctx: Context, alarm: Row) -> list[Node]:
    key = alarm["_id"]
    days = alarm["daysofweek"]

    def day_handler(day: int) -> Handler:
        return lambda: change(ctx, key, daysofweek=days ^ 1 << day)

    discs = []
    for day in range(7):
        chosen = bool(days >> day & 1)
        text = Text(
            shared(f"weekday_letter_{day}", ctx.language),
            "bodyMedium",
            "onPrimary" if chosen else "onSurface",
            size_sp=15.0,
            line_sp=20.0,
            text_weight=500,
            place="center-center",
            hidden_from_tree=True,
        )
        discs.append(
            Node(
                "box",
                (text,),
                width=38.0,
                height=38.0,
                radius=19.0,
                bg="primary" if chosen else None,
                border=0.0 if chosen else 1.0,
                border_color="outline",
                cls="android.widget.CheckBox",
                checkable=True,
                checked=chosen,
                desc=shared(f"weekday_{day}", ctx.language),
                text=shared(f"weekday_letter_{day}", ctx.language),
                id=f"day_button_{day}",
                on_tap=day_handler(day),
            )
        )
    tone = alarm["ringtone"] or "morning_birds"
    vibrate = bool(alarm["vibrate"])
    tick = (Icon("check", 24.0, "primary"),) if vibrate else ()
    return [
        Node("row", discs, justify="between", width=FILL, pad=(0.0, 12.0, 4.0, 12.0), id="repeat_days"),
        _detail(
            "bell-ring", tone_label(tone, ctx.language), ctx.show("tone", alarm=key, chosen=tone), "choose_ringtone"
        ),
        _detail(
            "vibrate",
            ctx.tr("vibrate"),
            lambda: change(ctx, key, vibrate=int(not vibrate)),
            "vibrate_onoff",
            *tick,
            cls="android.widget.CheckBox",
            checkable=True,
            checked=vibrate,
        ),
        _detail("trash-can-outline", ctx.tr("delete"), lambda: delete(ctx, alarm), "delete"),
    ]


def _detail(icon: str, text: str, on_tap: Handler, id: str, *trailing: Node, **attributes: object) -> Node:
    parts = (Icon(icon, 24.0), Text(text, "bodyLarge", weight=1.0, max_lines=1, id=f"{id}_text"), *trailing)
    return Node(
        "row",
        parts,
        gap=14.0,
        width=FILL,
        min_height=39.0,
        pad=(0.0, 0.0, 16.0, 0.0),
        id=id,
        on_tap=on_tap,
        **attributes,
    )


# ---- deeds


def turn(ctx: Context, key: int, on: bool) -> None:
    """Turns an alarm on, and tells when it will ring, or off."""
    if on:
        change(ctx, key, enabled=1)
        _tell(ctx, key)
    else:
        ctx.db.update("alarms", key, enabled=0)
        ctx.phone.notifier.cancel(schedule.PACKAGE, f"alarm-{key}")
        ctx.db.execute("DELETE FROM instances WHERE alarm_id = ?", key)
        schedule.reschedule(ctx.phone)


def change(ctx: Context, key: int, **values: int | str) -> None:
    """Changes an alarm."""
    schedule.set_alarm(ctx.phone, key, **values)


def _tell(ctx: Context, key: int) -> None:
    due = ctx.db.value("SELECT due_ms FROM instances WHERE alarm_id = ?", key)
    if due is not None:
        ctx.toast(ctx.tr("rings_in", left=left_text(ctx, due - ctx.now_ms)))


def add(ctx: Context, hour: int, minute: int, **values: int | str) -> int:
    """Adds an alarm, shows it open, and tells when it will ring."""
    row: dict[str, int | str] = {
        "hour": hour,
        "minutes": minute,
        "daysofweek": 0,
        "enabled": 1,
        "vibrate": 1,
        "label": "",
    }
    tone = ctx.settings.get("system", "alarm_alert") or "morning_birds"
    key = ctx.db.insert("alarms", **{**row, "ringtone": tone, **values})
    schedule.reschedule(ctx.phone)
    ctx.ui["expanded"] = key
    before = ctx.db.value("SELECT count(*) FROM alarms WHERE (hour, minutes, _id) < (?, ?, ?)", hour, minute, key)
    ctx.record["scroll"]["alarms_recycler_view"] = [before, 0]
    _tell(ctx, key)
    return key


def set_time(ctx: Context, key: int) -> Callable[[int, int], None]:
    """What the time picker calls: changes the time and turns the alarm on."""

    def take(hour: int, minute: int) -> None:
        change(ctx, key, hour=hour, minutes=minute, enabled=1)
        _tell(ctx, key)

    return take


def delete(ctx: Context, alarm: Row) -> None:
    """Deletes an alarm; the snackbar can bring it back."""
    key = alarm["_id"]
    row = ctx.db.row("SELECT * FROM alarms WHERE _id = ?", key) or {}
    ctx.db.delete("alarms", key)
    ctx.db.execute("DELETE FROM instances WHERE alarm_id = ?", key)
    ctx.phone.notifier.cancel(schedule.PACKAGE, f"alarm-{key}")
    schedule.reschedule(ctx.phone)
    ctx.ui["expanded"] = None
    ctx.snackbar(ctx.tr("alarm_deleted"), ctx.tr("undo"), {"alarm": row})


def undo_delete(ctx: Context, row: Row) -> None:
    """Brings a deleted alarm back."""
    ctx.db.insert("alarms", **row)
    schedule.reschedule(ctx.phone)


# ---- dialogs


def label_dialog(ctx: Context, key: int) -> Node:
    """A dialog that edits an alarm's label."""

    def take() -> None:
        text = ctx.field("label_edit").strip()
        leave()
        ctx.db.update("alarms", key, label=text)

    leave = leaving(ctx)
    inner = TextField(ctx, "label_edit", ctx.tr("label"), on_submit=take)
    body = Node("box", (inner,), pad=(24.0, 0.0, 24.0, 0.0))
    return Dialog(ctx, ctx.tr("add_label"), body, actions=[(ctx.tr("cancel"), leave), (ctx.tr("ok"), take)])


def tone_dialog(ctx: Context, key: int, chosen: str) -> Node:
    """A dialog of alarm sounds."""

    def pick(name: str) -> Handler:
        return ctx.then_dismiss(lambda: void(ctx.db.update("alarms", key, ringtone=name)))

    rows = []
    for name in (SILENT, *tone_names("alarm")):
        label = Text(tone_label(name, ctx.language), weight=1.0, id="title")
        rows.append(
            Node(
                "row",
                (Radio(name == chosen), label),
                gap=16.0,
                width=FILL,
                min_height=56.0,
                pad=(24.0, 4.0, 24.0, 4.0),
                on_tap=pick(name),
                selected=name == chosen,
                id="ringtone_row",
            )
        )
    listed = Node("list", rows, width=FILL, height=400.0, id="ringtone_list", cls="android.widget.ListView")
    return Dialog(ctx, ctx.tr("ringtone"), listed, actions=[(ctx.tr("cancel"), ctx.dismiss)])


def void(value: object) -> None:
    """Drops a value, so that a handler returns nothing."""
