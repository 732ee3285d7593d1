"""The first screen: a month, a week, a day, or what lies ahead."""

from __future__ import annotations

import calendar
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

from mobile_gym.phone.apps.calendar import editing, store, texts
from mobile_gym.phone.apps.calendar.agenda import agenda, scroll_to_day
from mobile_gym.phone.apps.calendar.month import month_view
from mobile_gym.phone.apps.calendar.timeline import FIRST_HOUR, offset_of, timeline, week_of
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.system.forms import asking_text
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import (
    Dialog,
    Fab,
    Icon,
    IconButton,
    Menu,
    MenuItem,
    Scaffold,
    Tabs,
    Text,
    TextField,
)
from mobile_gym.phone.ui.widgets.date_picker import FIRST_YEAR, LAST_YEAR, DatePicker

VIEWS = ("month", "week", "day", "agenda")


class Main(Screen):
    """The calendar. Arguments: `time` (milliseconds: the day that shows), `view`."""

    name = "main"
    activity = ".AllInOneActivity"

    def on_open(self, ctx: Context) -> None:
        """The day asked for, else today; the month, or the view asked for."""
        time = str(ctx.args.get("time") or "")
        known = time.isdigit() and len(time) < 14
        day = ctx.phone.state.clock.at(int(time)).date() if known else ctx.now.date()
        view = ctx.args.get("view")
        ctx.ui["view"] = view if view in VIEWS else VIEWS[0]
        self._go(ctx, day)
        morning = offset_of(ctx, FIRST_HOUR)
        ctx.record["scroll"].update(day_timeline=morning, week_timeline=morning)

    def build(self, ctx: Context) -> Node:
        """The chosen view under its bar."""
        day = self._day(ctx)
        view = str(ctx.ui["view"])

        def choose(here: date) -> Handler:
            return lambda: self._go(ctx, here)

        def open_day(here: date) -> Handler:
            def handle() -> None:
                self._go(ctx, here)
                ctx.ui.update(view="day", back="week")

            return handle

        def slot(here: date, hour: int) -> Handler:
            return asking_text(ctx, "quick_add", "quick_title", day=here.isoformat(), hour=hour)

        def move(by: int) -> None:
            self._move(ctx, view, by)

        if view == "month":
            body = month_view(ctx, day, choose, move)
        elif view == "agenda":
            body = agenda(ctx, day)
        else:
            days = [day] if view == "day" else week_of(day, store.first_weekday(ctx.phone))
            body = timeline(ctx, days, day, slot, open_day, move)
        tabs = Tabs(
            [ctx.tr(f"view_{name}") for name in VIEWS],
            VIEWS.index(view),
            lambda number: self._show(ctx, VIEWS[number]),
            id="view_tabs",
        )
        top = Node("col", (self._bar(ctx, day), tabs), width=FILL, hidden_from_tree=True)
        new = ctx.open("edit", begin=self._new_begin(ctx, day))
        fab = Fab("plus", ctx.tr("new_event"), new, id="floating_action_button")
        return Scaffold(body, top=top, fab=fab)

    def _bar(self, ctx: Context, day: date) -> Node:
        label = Node(
            "row",
            (
                Text(texts.month_text(ctx, day), "titleLarge", max_lines=1, id="month_title"),
                Icon("menu-down", 24.0, hidden_from_tree=True),
            ),
            min_height=48.0,
            gap=2.0,
            on_tap=ctx.show("jump"),
            desc=ctx.tr("go_to_date"),
            id="date_jump",
        )
        box = Node("box", (label,), weight=1.0, hidden_from_tree=True)
        number = Text(
            str(ctx.now.day),
            "labelSmall",
            "onSurface",
            size_sp=9.0,
            line_sp=11.0,
            text_weight=700,
            place="center-center",
            offset=(0.0, 3.0),
            hidden_from_tree=True,
        )
        sheet = Icon("calendar-blank-outline", 24.0, "onSurface", place="center-center", hidden_from_tree=True)
        today = Node(
            "box",
            (sheet, number),
            width=48.0,
            height=48.0,
            desc=ctx.tr("today"),
            id="action_today",
            on_tap=lambda: self._today(ctx),
            cls="android.widget.ImageButton",
        )
        parts = (
            box,
            IconButton("magnify", ctx.open("search"), ctx.tr("search"), id="action_search", color="onSurface"),
            today,
            IconButton("dots-vertical", ctx.show("more"), ctx.tr("more_options"), id="menu_more", color="onSurface"),
        )
        return Node("row", parts, width=FILL, height=64.0, pad=(20.0, 0.0, 4.0, 0.0), id="toolbar")

    # ---- where it is

    def _day(self, ctx: Context) -> date:
        return date.fromisoformat(str(ctx.ui["day"]))

    def _go(self, ctx: Context, day: date) -> None:
        if not FIRST_YEAR <= day.year <= LAST_YEAR:
            return
        ctx.ui["day"] = day.isoformat()
        if ctx.ui["view"] == "agenda":
            scroll_to_day(ctx, day)

    def _today(self, ctx: Context) -> None:
        """Chooses today and brings it into view: the month's top, the present hour, the day's head."""
        self._go(ctx, ctx.now.date())
        here = offset_of(ctx, ctx.now.hour + ctx.now.minute / 60 - 1.0)
        ctx.record["scroll"].update(month_list=[0, 0], day_timeline=here, week_timeline=here)

    def on_back(self, ctx: Context) -> bool:
        """A day that was opened from its week leads back there."""
        if ctx.ui.get("back") is None:
            return False
        ctx.ui.update(view=ctx.ui["back"], back=None)
        return True

    def _show(self, ctx: Context, view: str) -> None:
        ctx.ui.update(view=view, back=None)
        self._go(ctx, self._day(ctx))

    def _move(self, ctx: Context, view: str, by: int) -> None:
        day = self._day(ctx)
        if view != "month":
            self._go(ctx, day + timedelta(days=by * (7 if view == "week" else 1)))
            return
        months = day.year * 12 + day.month - 1 + by
        year, month = months // 12, months % 12 + 1
        today = ctx.now.date()
        number = today.day if (year, month) == (today.year, today.month) else 1
        self._go(ctx, date(year, month, min(number, calendar.monthrange(year, month)[1])))

    def _new_begin(self, ctx: Context, day: date) -> int:
        """When a new event begins: the next full hour, on the chosen day."""
        hour = min(ctx.now.hour + 1, 23)
        moment = datetime(day.year, day.month, day.day, hour)  # noqa: DTZ001 - local time of the phone
        return store.to_ms(moment, store.zone_of(ctx.phone.state.clock.zone))

    # ---- overlays

    def overlay_jump(self, ctx: Context) -> Node:
        """A date to jump to."""
        day = self._day(ctx)

        def take(year: int, month: int, number: int) -> None:
            self._go(ctx, date(year, month, number))

        start = (day.year, day.month, day.day)
        return DatePicker(ctx, ctx.tr("go_to_date"), start, take, store.first_weekday(ctx.phone))

    def overlay_more(self, ctx: Context) -> Node:
        """Jump, calendars, settings."""
        items = [
            MenuItem(ctx.tr("go_to_date"), ctx.then_dismiss(ctx.open_overlay, "jump"), id="menu_go_to"),
            MenuItem(ctx.tr("calendars_shown"), ctx.then_dismiss(ctx.go, "calendars"), id="menu_calendars"),
            MenuItem(ctx.tr("settings"), ctx.then_dismiss(ctx.go, "settings"), id="menu_settings"),
        ]
        return Menu(ctx, items)

    def overlay_quick_add(self, ctx: Context, day: str, hour: int) -> Node:
        """A title for a new event at a free hour; the whole form is one tap away."""
        if ctx.overlay is None:
            raise ValueError("overlay_quick_add needs its overlay's values")
        state = ctx.overlay["ui"]
        here = date.fromisoformat(day)
        zone = store.zone_of(ctx.phone.state.clock.zone)
        begin = store.to_ms(datetime(here.year, here.month, here.day, hour), zone)  # noqa: DTZ001 - local time
        end = begin + int(store.pref(ctx.phone, "duration", "60")) * store.MINUTE_MS

        def save() -> None:
            title = ctx.field("quick_title").strip()
            state["error"] = not title
            if not title:
                return
            before = store.default_reminder(ctx.phone)
            ctx.focus(None)
            ctx.dismiss()
            draft = editing.Draft(
                title,
                begin,
                end,
                calendar_id=store.default_calendar(ctx.phone),
                reminders=() if before is None else (before,),
            )
            editing.create(ctx.phone, draft)
            ctx.toast(ctx.tr("event_saved"))

        def more() -> None:
            title = ctx.field("quick_title").strip()
            ctx.focus(None)
            ctx.dismiss()
            ctx.go("edit", begin=begin, end=end, title=title)

        at = ctx.phone.state.clock.at
        when = f"{texts.day_text(ctx, here)} {texts.clock(ctx, at(begin))} – {texts.clock(ctx, at(end))}"
        box = TextField(
            ctx,
            "quick_title",
            ctx.tr("event_title"),
            error=ctx.tr("title_missing") if state.get("error") else "",
            on_submit=save,
        )
        line = Text(when, "bodyMedium", "onSurfaceVariant", id="quick_when")
        body = Node("col", (line, box), gap=16.0, width=FILL, pad=(24.0, 0.0, 24.0, 0.0))
        actions = ((ctx.tr("more_choices"), more), (ctx.tr("save"), save))
        return Dialog(ctx, ctx.tr("quick_add"), body, actions=actions)

    def on_result(self, ctx: Context, result: Mapping[str, Any]) -> None:
        """Shows the day of an event that was saved."""
        begin = result.get("begin")
        if isinstance(begin, int):
            zone = store.zone_of("UTC") if result.get("all_day") else store.zone_of(ctx.phone.state.clock.zone)
            self._go(ctx, store.local(begin, zone).date())
