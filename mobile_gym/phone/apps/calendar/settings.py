"""The app's settings, and the calendars."""

from __future__ import annotations

from collections.abc import Sequence

from mobile_gym.phone.apps.calendar import alerts, store, texts
from mobile_gym.phone.apps.calendar.dialogs import choice_dialog
from mobile_gym.phone.state.database import Row
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.system.formats import shared
from mobile_gym.phone.system.forms import asking_text, leaving
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import (
    Checkbox,
    Dialog,
    Fab,
    Group,
    IconButton,
    LazyList,
    ListRow,
    Scaffold,
    SectionTitle,
    SwitchRow,
    TextField,
    TopBar,
)

_CHOICES: dict[str, tuple[str, Sequence[str]]] = {
    "first_day": ("", ("0", "5", "6")),
    "default_reminder": ("10", ("none", "0", "5", "10", "15", "30", "60", "1440")),
    "duration": ("60", ("15", "30", "60", "90", "120")),
    "snooze": ("5", ("5", "10", "15", "30")),
}
"""Preferences with a few values: what they are on a new phone, and the values."""


def _label(ctx: Context, pref: str, value: str) -> str:
    if pref == "first_day":
        return shared(f"weekday_{value}", ctx.language)
    if pref == "default_reminder":
        return texts.reminder_text(ctx, int(value), False) if value.isdigit() else ctx.tr("no_reminder")
    minutes = int(value)
    if minutes % 60 or pref == "snooze":
        return ctx.tr("minutes", n=minutes)
    return ctx.tr("hour") if minutes == 60 else ctx.tr("hours", n=minutes // 60)


def _value(ctx: Context, pref: str) -> str:
    if pref == "first_day":
        return str(store.first_weekday(ctx.phone))
    return store.pref(ctx.phone, pref, _CHOICES[pref][0])


class Settings(Screen):
    """First weekday, Chinese calendar, defaults of new events."""

    name = "settings"
    activity = ".CalendarSettingsActivity"

    def build(self, ctx: Context) -> Node:
        """The rows."""

        def row(pref: str, title: str) -> Node:
            label = _label(ctx, pref, _value(ctx, pref))
            return ListRow(ctx.tr(title), label, on_tap=ctx.show("choice", pref=pref, title=title), id=f"pref_{pref}")

        general = [row("first_day", "first_day")]
        if ctx.language == "zh":
            lunar = store.pref(ctx.phone, "lunar", "1") == "1"
            general.append(
                SwitchRow(
                    ctx.tr("lunar"),
                    lunar,
                    lambda on: store.set_pref(ctx.phone, "lunar", "1" if on else "0"),
                    id="pref_lunar",
                )
            )
        general.append(ListRow(ctx.tr("calendars_shown"), on_tap=ctx.open("calendars"), id="pref_calendars"))
        name = next(
            (
                str(one["calendar_displayName"] or "")
                for one in store.calendars(ctx.phone)
                if one["_id"] == store.default_calendar(ctx.phone)
            ),
            "",
        )
        new = [
            ListRow(ctx.tr("default_calendar"), name, on_tap=ctx.show("calendar"), id="pref_default_calendar"),
            row("default_reminder", "default_reminder"),
            row("duration", "default_duration"),
            row("snooze", "snooze"),
        ]
        items = [
            SectionTitle(ctx.tr("general")),
            *Group(general),
            SectionTitle(ctx.tr("new_events")),
            *Group(new),
        ]
        top = TopBar(ctx, ctx.tr("settings"))
        return Scaffold(LazyList(items, id="settings_list", top_pad=8.0), top=top, bg="page")

    def overlay_choice(self, ctx: Context, pref: str, title: str) -> Node:
        """The values of a preference."""
        current = _value(ctx, pref)
        choices = [
            (
                _label(ctx, pref, value),
                value == current,
                ctx.then_dismiss(store.set_pref, ctx.phone, pref, value),
                f"{pref}_{value}",
            )
            for value in _CHOICES[pref][1]
        ]
        return choice_dialog(ctx, ctx.tr(title), choices)

    def overlay_calendar(self, ctx: Context) -> Node:
        """Which calendar new events go to."""
        choices = [
            (
                str(row["calendar_displayName"] or ""),
                row["_id"] == store.default_calendar(ctx.phone),
                ctx.then_dismiss(store.set_pref, ctx.phone, "default_calendar", str(row["_id"])),
                f"calendar_{row['_id']}",
            )
            for row in store.calendars(ctx.phone, writable=True)
        ]
        return choice_dialog(ctx, ctx.tr("default_calendar"), choices)


class Calendars(Screen):
    """The calendars: which show, new ones, old ones."""

    name = "calendars"
    activity = ".selectcalendars.SelectVisibleCalendarsActivity"

    def build(self, ctx: Context) -> Node:
        """One row a calendar."""
        rows = store.calendars(ctx.phone)
        writable = sum(row["calendar_access_level"] >= store.EDITOR for row in rows)

        def toggle(row: Row) -> Handler:
            def handle() -> None:
                store.database(ctx.phone).update("calendars", row["_id"], visible=int(not row["visible"]))
                alerts.reschedule(ctx.phone)

            return handle

        def line(row: Row) -> Node:
            name = str(row["calendar_displayName"] or "")
            dot = Node(
                "space",
                width=18.0,
                height=18.0,
                radius=9.0,
                bg=texts.to_hex(row["calendar_color"]),
                hidden_from_tree=True,
            )
            parts = [Checkbox(bool(row["visible"]), id="visible_check_box", desc=name)]
            if row["calendar_access_level"] >= store.EDITOR and writable > 1 and not row["isPrimary"]:
                parts.insert(
                    0,
                    IconButton(
                        "trash-can-outline", ctx.show("delete", key=row["_id"]), ctx.tr("delete"), id="calendar_delete"
                    ),
                )
            tail = Node("row", parts, gap=4.0, hidden_from_tree=True)
            return ListRow(name, leading=dot, trailing=tail, on_tap=toggle(row), id="calendar_row")

        fab = Fab("plus", ctx.tr("add_calendar"), asking_text(ctx, "add", "calendar_name"), id="floating_action_button")
        listed = LazyList(rows, row=line, id="calendar_list", bottom_pad=88.0)
        return Scaffold(listed, top=TopBar(ctx, ctx.tr("calendars_shown")), fab=fab)

    def overlay_add(self, ctx: Context) -> Node:
        """Asks for the name of a new calendar."""
        if ctx.overlay is None:
            raise ValueError("overlay_add needs its overlay's values")
        state = ctx.overlay["ui"]

        def act() -> None:
            name = ctx.field("calendar_name").strip()
            state["error"] = not name
            if not name:
                return
            ctx.focus(None)
            ctx.dismiss()
            color = texts.COLORS[len(store.calendars(ctx.phone)) % len(texts.COLORS)]
            store.database(ctx.phone).insert(
                "calendars",
                name=name,
                calendar_displayName=name,
                calendar_color=texts.to_argb(color),
                calendar_timezone=ctx.phone.state.clock.zone,
            )

        box = TextField(
            ctx,
            "calendar_name",
            ctx.tr("calendar_name"),
            error=ctx.tr("calendar_name_missing") if state.get("error") else "",
            max_length=30,
            on_submit=act,
        )
        body = Node("col", (box,), width=FILL, pad=(24.0, 0.0, 24.0, 0.0))
        actions = ((ctx.tr("cancel"), leaving(ctx)), (ctx.tr("ok"), act))
        return Dialog(ctx, ctx.tr("add_calendar"), body, actions=actions)

    def overlay_delete(self, ctx: Context, key: int) -> Node:
        """Asks before a calendar goes with its events."""
        row = next((one for one in store.calendars(ctx.phone) if one["_id"] == key), None)
        name = str(row["calendar_displayName"] or "") if row is not None else ""

        def act() -> None:
            store.database(ctx.phone).delete("calendars", key)
            alerts.reschedule(ctx.phone)

        actions = ((ctx.tr("cancel"), ctx.dismiss), (ctx.tr("delete"), ctx.then_dismiss(act)))
        return Dialog(ctx, ctx.tr("delete_calendar", name=name), ctx.tr("delete_calendar_text"), actions=actions)
