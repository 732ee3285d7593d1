"""The screens of the clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mobile_gym.phone.apps.clock import alarms, schedule, stopwatch, timers, world
from mobile_gym.phone.door import Intent
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.system.formats import time_text
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import (
    BottomNav,
    Button,
    Dialog,
    Group,
    Icon,
    IconButton,
    LazyList,
    ListRow,
    Menu,
    MenuItem,
    Radio,
    Scaffold,
    Space,
    Text,
    TopBar,
)
from mobile_gym.phone.ui.widgets.pickers import TimePicker

TABS = ("alarm", "clock", "timer", "stopwatch")
_ICONS = {"alarm": "alarm", "clock": "clock-outline", "timer": "timer-sand", "stopwatch": "timer-outline"}
_SNOOZES = ("5", "10", "15", "20", "30")


class Main(Screen):
    """Four tabs: alarms, world clock, timers, stopwatch."""

    name = "main"
    activity = ".DeskClock"
    single = True

    def on_open(self, ctx: Context) -> None:
        """Opens the tab that was asked for, and sets what an intent asks to set."""
        if "tab" in ctx.args:
            ctx.ui["tab"] = ctx.args["tab"]
        wanted: dict[str, Any] = ctx.args.get("set") or {}
        if "HOUR" in wanted:
            label = str(wanted.get("MESSAGE", ""))
            alarms.add(ctx, int(wanted["HOUR"]) % 24, int(wanted.get("MINUTES", 0)) % 60, label=label)
        elif "LENGTH" in wanted:
            timers.add(ctx, int(wanted["LENGTH"]) * 1000, str(wanted.get("MESSAGE", "")))

    def build(self, ctx: Context) -> Node:
        """The chosen tab."""
        tab = str(ctx.ui.get("tab", "alarm"))
        bodies: dict[str, Callable[[Context], Node]] = {
            "alarm": alarms.body,
            "clock": world.body,
            "timer": timers.body,
            "stopwatch": stopwatch.body,
        }
        buttons: dict[str, Callable[[Context], Node | None]] = {
            "alarm": alarms.add_button,
            "clock": world.button,
            "timer": timers.button,
            "stopwatch": stopwatch.button,
        }
        more = IconButton("dots-vertical", ctx.show("more"), ctx.tr("more_options"), id="menu_more")
        items = [(_ICONS[name], ctx.tr(name), f"tab_menu_{name}", ctx.set_ui("tab", name)) for name in TABS]
        return Scaffold(
            bodies[tab](ctx),
            top=TopBar(ctx, ctx.tr(tab), back=False, actions=[more]),
            bottom=BottomNav(items, TABS.index(tab)),
            fab=buttons[tab](ctx),
            fab_place="bottom-center",
            bg="page",
        )

    def on_back(self, ctx: Context) -> bool:
        """Back leaves the keypad of a new timer first."""
        if ctx.ui.get("tab") == "timer" and ctx.ui.get("new_timer"):
            ctx.ui.update(new_timer=False, digits="")
            return True
        return False

    def on_snackbar(self, ctx: Context, undo: dict[str, Any]) -> None:
        """Brings back what was deleted."""
        if "alarm" in undo:
            alarms.undo_delete(ctx, undo["alarm"])
        elif "city" in undo:
            ctx.db.insert("cities", city=undo["city"])

    def overlay_more(self, ctx: Context) -> Node:
        """The menu at the top right."""
        return Menu(ctx, [MenuItem(ctx.tr("settings"), ctx.then_dismiss(ctx.go, "settings"), id="menu_item_settings")])

    def overlay_new_alarm(self, ctx: Context) -> Node:
        """The time of a new alarm; starts from the present one."""
        return TimePicker(
            ctx,
            ctx.tr("pick_time"),
            ctx.now.hour,
            ctx.now.minute,
            lambda hour, minute: alarms.void(alarms.add(ctx, hour, minute)),
        )

    def overlay_time(self, ctx: Context, alarm: int) -> Node:
        """The time of an alarm."""
        row = ctx.db.row("SELECT hour, minutes FROM alarms WHERE _id = ?", alarm) or {"hour": 0, "minutes": 0}
        return TimePicker(ctx, ctx.tr("pick_time"), row["hour"], row["minutes"], alarms.set_time(ctx, alarm))

    def overlay_label(self, ctx: Context, alarm: int) -> Node:
        """The label of an alarm."""
        return alarms.label_dialog(ctx, alarm)

    def overlay_tone(self, ctx: Context, alarm: int, chosen: str) -> Node:
        """The sound of an alarm."""
        return alarms.tone_dialog(ctx, alarm, chosen)

    def overlay_timer_label(self, ctx: Context, timer: int) -> Node:
        """The label of a timer."""
        return timers.label_dialog(ctx, timer)

    def overlay_remove_city(self, ctx: Context, city: str) -> Node:
        """What can be done with a city."""
        row = ListRow(ctx.tr("delete"), icon="trash-can-outline", on_tap=world.remove(ctx, city), id="remove_city")
        return Dialog(ctx, world.cities()[city][ctx.language], row)


class Cities(Screen):
    """Adds and removes cities."""

    name = "cities"
    activity = ".worldclock.CitySelectionActivity"

    def build(self, ctx: Context) -> Node:
        """Search over a list of cities."""
        bar, rows = world.search_body(ctx)
        return Scaffold(rows, top=bar)


class ClockSettings(Screen):
    """The app's settings."""

    name = "settings"
    activity = ".settings.SettingsActivity"

    def build(self, ctx: Context) -> Node:
        """Snooze length, and the ways to the system's settings."""
        minutes = schedule.pref(ctx.phone, "snooze_minutes", "10")

        rows = [
            ListRow(
                ctx.tr("snooze_length"),
                ctx.tr("minutes_amount", n=minutes),
                on_tap=ctx.show("snooze"),
                id="snooze_duration",
            ),
            ListRow(
                ctx.tr("alarm_volume"),
                on_tap=ctx.launch(Intent(action="android.settings.SOUND_SETTINGS")),
                id="alarm_volume",
            ),
            ListRow(
                ctx.tr("date_and_time"),
                on_tap=ctx.launch(Intent(action="android.settings.DATE_SETTINGS")),
                id="date_time",
            ),
        ]
        return Scaffold(LazyList(Group(rows), id="recycler_view"), top=TopBar(ctx, ctx.tr("settings")), bg="page")

    def overlay_snooze(self, ctx: Context) -> Node:
        """How long a snooze is."""
        current = schedule.pref(ctx.phone, "snooze_minutes", "10")
        rows = [
            ListRow(
                ctx.tr("minutes_amount", n=name),
                leading=Radio(name == current),
                on_tap=ctx.then_dismiss(schedule.set_pref, ctx.phone, "snooze_minutes", name),
                id="choice",
            )
            for name in _SNOOZES
        ]
        return Dialog(ctx, ctx.tr("snooze_length"), Node("col", rows), actions=[(ctx.tr("cancel"), ctx.dismiss)])


class Ringing(Screen):
    """An alarm that rings, over the whole screen."""

    name = "ringing"
    activity = ".alarms.AlarmActivity"
    single = True

    def build(self, ctx: Context) -> Node:
        """Time, label, and the two buttons."""
        key = int(ctx.args.get("alarm", 0))
        row = ctx.db.row("SELECT * FROM alarms WHERE _id = ?", key) or {"label": ""}
        now = ctx.now

        def leave(deed: Callable[[Any, int], None]) -> Callable[[], None]:
            def handle() -> None:
                deed(ctx.phone, key)
                ctx.finish()

            return handle

        parts = (
            Space(weight=1.0),
            Icon("alarm", 56.0, "primary"),
            Text(
                time_text(now.hour, now.minute, ctx.phone.use_24_hours, ctx.language),
                "displayLarge",
                id="digital_clock",
            ),
            Text(
                row["label"] or ctx.tr("alarm"), "titleLarge", "onSurfaceVariant", text_align="center", id="alarm_title"
            ),
            Space(weight=1.0),
            Button(ctx.tr("snooze"), leave(schedule.snooze_alarm), icon="alarm-snooze", tone="tonal", id="snooze"),
            Button(ctx.tr("dismiss"), leave(schedule.stop_alarm), icon="alarm-off", id="dismiss"),
            Space(height=64.0),
        )
        return Scaffold(Node("col", parts, align="center", gap=16.0, width=FILL, height=FILL), bg="primaryContainer")
