"""Digital wellbeing: how long each app was in front, and timers."""

from __future__ import annotations

from datetime import timedelta

from mobile_gym.phone.apps.settings.device.store import DAYS, base
from mobile_gym.phone.apps.settings.notifications import app_icon, app_label
from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.apps.settings.parts import choice_dialog, note
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.system.formats import shared
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import EmptyState, Group, IconButton, ListRow, SectionTitle, Text

TIMERS = (0, 15, 30, 45, 60, 90, 120, 180)
"""Minutes that a timer can be; 0 for none."""
CHART_DP = 120.0


def duration(ctx: Context, minutes: int) -> str:
    """A length of time: `2 hr 5 min`, `40 min`."""
    hours, rest = divmod(minutes, 60)
    if not hours:
        return ctx.tr("minutes_long", minutes=rest)
    return ctx.tr("hours_long", hours=hours) if not rest else ctx.tr("hours_minutes_long", hours=hours, minutes=rest)


def week_chart(ctx: Context, package: str = "") -> Node:
    """A bar a day for the last week: of all apps, or of one."""
    today = ctx.now.date()
    days = [today - timedelta(days=back) for back in range(DAYS - 1, -1, -1)]
    condition = " AND package = ?" if package else ""
    rows = base(ctx).rows(
        f"SELECT day, sum(minutes) AS spent FROM app_usage WHERE day >= ?{condition} GROUP BY day",
        days[0].isoformat(),
        *([package] if package else []),
    )
    spent = {row["day"]: int(row["spent"]) for row in rows}
    most = max([*spent.values(), 1])
    columns = []
    for day in days:
        minutes = spent.get(day.isoformat(), 0)
        bar = Node(
            "space",
            width=24.0,
            height=max(CHART_DP * minutes / most, 2.0),
            radius=4.0,
            bg="primary" if day == today else "secondaryContainer",
            place="bottom-center",
            hidden_from_tree=True,
        )
        letter = shared(f"weekday_letter_{day.weekday()}", ctx.language)
        column = Node(
            "col",
            (
                Node("box", (bar,), width=FILL, height=CHART_DP, hidden_from_tree=True),
                Text(letter, "labelMedium", "onSurfaceVariant", hidden_from_tree=True),
            ),
            gap=6.0,
            weight=1.0,
            align="center",
            id="bar",
            desc=f"{shared(f'weekday_{day.weekday()}', ctx.language)} {duration(ctx, minutes)}",
        )
        columns.append(column)
    return Node("row", columns, width=FILL, pad=(12.0, 16.0, 12.0, 12.0), align="end", id="chart")


def timer_text(ctx: Context, minutes: int | None) -> str:
    """How long an app may be in front."""
    return duration(ctx, minutes) if minutes else ctx.tr("no_timer")


class Timed(Page):
    """A page whose dialog sets an app's timer."""

    def overlay_timer(self, ctx: Context, package: str) -> Node:
        """Lengths to choose from."""
        chosen = base(ctx).value("SELECT minutes FROM app_timers WHERE package = ?", package)

        def put(value: str) -> None:
            base(ctx).execute("DELETE FROM app_timers WHERE package = ?", package)
            if value != "0":
                base(ctx).insert("app_timers", package=package, minutes=int(value))

        lengths = sorted({*TIMERS, int(chosen or 0)})
        choices = [(str(minutes), timer_text(ctx, minutes)) for minutes in lengths]
        title = ctx.tr("timer_for", app=app_label(ctx, package))
        return choice_dialog(ctx, title, choices, str(chosen or 0), put)


class Wellbeing(Timed):
    """Screen time of today by app."""

    name = "wellbeing"
    activity = "com.google.android.apps.wellbeing.home.TopLevelSettingsActivity"
    title = "wellbeing"
    icon, disc = "heart-outline", "Green"
    keywords = "wellbeing_words"
    entries = {"screen_time": "screen_time_words", "app_timers": "app_timers_words"}

    def rows(self, ctx: Context) -> list[Node]:
        """The sum, the week, then the apps."""
        today = ctx.now.date().isoformat()
        rows = base(ctx).rows(
            "SELECT package, minutes FROM app_usage WHERE day = ? ORDER BY minutes DESC, package", today
        )
        known = ctx.phone.packages.names()
        used = {row["package"]: int(row["minutes"]) for row in rows if row["package"] in known}
        head = Node(
            "col",
            (
                Text(ctx.tr("today"), "bodyMedium", "onSurfaceVariant"),
                Text(duration(ctx, sum(used.values())), "headlineMedium", id="screen_time_today"),
            ),
            gap=4.0,
            width=FILL,
            pad=(20.0, 16.0, 20.0, 0.0),
        )
        items = Group([Node("col", (head, week_chart(ctx)), width=FILL)])
        timers = {row["package"]: int(row["minutes"]) for row in base(ctx).rows("SELECT * FROM app_timers")}
        order = [*used, *(package for package in sorted(timers) if package not in used and package in known)]
        if not order:
            empty = EmptyState("timer-sand", ctx.tr("no_screen_time"))
            return [*items, empty.replace(width=FILL, pad=(32.0, 24.0, 32.0, 24.0))]
        items.append(SectionTitle(ctx.tr("app_timers")))
        return [*items, *Group([self._row(ctx, p, used.get(p, 0), timers.get(p)) for p in order])]

    def _row(self, ctx: Context, package: str, minutes: int, timer: int | None) -> Node:
        label = app_label(ctx, package)
        button = IconButton(
            "timer" if timer else "timer-sand-empty",
            ctx.show("timer", package=package),
            ctx.tr("timer_for", app=label),
            id="timer_button",
            color="primary" if timer else "onSurfaceVariant",
        )
        spent = duration(ctx, minutes)
        return ListRow(
            label,
            ctx.tr("spent_and_timer", spent=spent, timer=timer_text(ctx, timer)) if timer else spent,
            leading=app_icon(ctx, package),
            trailing=button,
            on_tap=ctx.open("app_time", package=package),
            min_height=72.0,
            id="app_row",
        )


class AppTime(Timed):
    """Screen time of one app."""

    name = "app_time"
    activity = "com.google.android.apps.wellbeing.appdetails.ui.AppDetailsActivity"
    title = "screen_time"
    parent = "wellbeing"
    searchable = False

    def rows(self, ctx: Context) -> list[Node]:
        """The app, its week, its timer."""
        package = str(ctx.args.get("package") or ctx.app.package)
        if package not in ctx.phone.packages.names():
            return [note(ctx.tr("app_gone"))]
        today = ctx.now.date().isoformat()
        minutes = base(ctx).value("SELECT minutes FROM app_usage WHERE package = ? AND day = ?", package, today)
        timer = base(ctx).value("SELECT minutes FROM app_timers WHERE package = ?", package)
        head = ListRow(
            app_label(ctx, package),
            ctx.tr("spent_today", spent=duration(ctx, int(minutes or 0))),
            leading=app_icon(ctx, package),
            id="app_header",
        )
        rows = [
            ListRow(
                ctx.tr("app_timer"),
                timer_text(ctx, timer),
                icon="timer-sand",
                on_tap=ctx.show("timer", package=package),
                id="app_timer",
            ),
            ListRow(
                ctx.tr("app_notifications"),
                ctx.tr("on" if ctx.phone.packages.notifications_allowed(package) else "off"),
                icon="bell-outline",
                on_tap=ctx.open("app_notification", package=package),
                id="app_notification",
            ),
        ]
        return [*Group([head]), *Group([week_chart(ctx, package)]), *Group(rows), note(ctx.tr("timer_note"))]


SCREENS = (Wellbeing, AppTime)
