"""A recurrence of the user's own: how often, on which days, until when."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

from mobile_gym.phone.apps.calendar import store, texts
from mobile_gym.phone.apps.calendar.form import asking
from mobile_gym.phone.apps.calendar.rrule import FREQUENCIES, Rule, RuleError, parse_rule, write_rule
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.system.formats import month_day, shared
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import (
    Button,
    Chip,
    IconButton,
    LazyList,
    Radio,
    Row,
    Scaffold,
    SectionTitle,
    Text,
    TopBar,
)
from mobile_gym.phone.ui.widgets.date_picker import DatePicker
from mobile_gym.phone.ui.widgets.fields import field

_MOST = 99


class Repeat(Screen):
    """Makes a rule and hands it to the screen below as `rrule`. Arguments: `rrule`, `day` (`YYYY-MM-DD`)."""

    name = "repeat"
    activity = ".recurrence.CustomRecurrenceActivity"

    def on_open(self, ctx: Context) -> None:
        """Starts from the rule there is, else from every week."""
        day = self._day(ctx)
        try:
            rule = parse_rule(str(ctx.args.get("rrule") or "FREQ=WEEKLY"))
        except RuleError:
            rule = Rule("WEEKLY")
        until = rule.until
        if until is not None and rule.utc:
            until = store.local(store.to_ms(until, store.zone_of("UTC")), self._zone(ctx))
        ctx.ui.update(
            freq=rule.freq,
            days=list(rule.by_day or (day.weekday(),)),
            nth=bool(rule.nth),
            ends="count" if rule.count else "until" if until else "never",
            until=(until.date() if until else date(day.year + 1, day.month, min(day.day, 28))).isoformat(),
            error="",
        )
        ctx.set_field("interval", str(rule.interval))
        ctx.set_field("count", str(rule.count or 10))

    def _day(self, ctx: Context) -> date:
        text = ctx.args.get("day")
        return date.fromisoformat(str(text)) if text else ctx.now.date()

    def _zone(self, ctx: Context) -> ZoneInfo:
        return store.zone_of(ctx.phone.state.clock.zone)

    def build(self, ctx: Context) -> Node:
        """Frequency, days, end."""
        freq = str(ctx.ui["freq"])
        items = [SectionTitle(ctx.tr("repeat_every"), 16.0), self._every(ctx, freq)]
        if ctx.ui["error"]:
            items.append(
                Text(ctx.tr(ctx.ui["error"]), "bodySmall", "error", pad=(16.0, 4.0, 16.0, 4.0), id="repeat_error")
            )
        if freq == "WEEKLY":
            items += [SectionTitle(ctx.tr("repeat_on"), 16.0), self._days(ctx)]
        if freq == "MONTHLY":
            items += [SectionTitle(ctx.tr("repeat_on"), 16.0), *self._month(ctx)]
        items += [SectionTitle(ctx.tr("ends"), 16.0), *self._ends(ctx)]
        done = Button(ctx.tr("done"), lambda: self._done(ctx), id="repeat_done")
        top = TopBar(ctx, ctx.tr("custom_repeat"), actions=[done]).replace(pad=(4.0, 0.0, 12.0, 0.0))
        return Scaffold(LazyList(items, id="repeat_list", top_pad=8.0, bottom_pad=16.0), top=top)

    def _every(self, ctx: Context, freq: str) -> Node:
        chips = [
            Chip(ctx.tr(f"unit_{name.lower()}"), name == freq, ctx.set_ui("freq", name), id=f"unit_{name.lower()}")
            for name in FREQUENCIES
        ]
        line = Row(self._number(ctx, "interval"), *chips[:4], gap=8.0)
        return Node("list", (line,), axis="h", width=FILL, pad=(16.0, 4.0, 16.0, 12.0), id="interval_row")

    def _number(self, ctx: Context, name: str) -> Node:
        return field(
            ctx,
            name,
            input_type="number",
            max_length=2,
            width=52.0,
            height=44.0,
            bg="surfaceContainerHighest",
            radius=8.0,
            pad=(14.0, 0.0, 8.0, 0.0),
            on_submit=lambda: ctx.focus(None),
        )

    def _days(self, ctx: Context) -> Node:
        chosen: list[int] = ctx.ui["days"]
        first = store.first_weekday(ctx.phone)

        def toggle(day: int) -> Handler:
            def handle() -> None:
                left = [one for one in chosen if one != day] if day in chosen else sorted([*chosen, day])
                ctx.ui["days"] = left or chosen  # at least one day stays

            return handle

        cells = []
        for day in ((first + number) % 7 for number in range(7)):
            on = day in chosen
            letter = Text(
                shared(f"weekday_letter_{day}", ctx.language),
                "labelLarge",
                "onPrimary" if on else "onSurface",
                place="center-center",
                hidden_from_tree=True,
            )
            cells.append(
                Node(
                    "box",
                    (letter,),
                    width=40.0,
                    height=40.0,
                    radius=20.0,
                    bg="primary" if on else "surfaceContainerHighest",
                    on_tap=toggle(day),
                    text=shared(f"weekday_letter_{day}", ctx.language),
                    desc=shared(f"weekday_{day}", ctx.language),
                    checkable=True,
                    checked=on,
                    id=f"day_{day}",
                    cls="android.widget.ToggleButton",
                )
            )
        return Node("row", cells, width=FILL, justify="between", pad=(16.0, 4.0, 16.0, 12.0), hidden_from_tree=True)

    def _month(self, ctx: Context) -> list[Node]:
        day = self._day(ctx)
        name = shared(f"weekday_{day.weekday()}", ctx.language)
        by_nth = bool(ctx.ui["nth"])
        by_date = ctx.tr("month_day_number", day=day.day)
        by_week = ctx.tr(f"nth_{_nth(day)}", day=name)
        return [
            self._choice(ctx, by_date, not by_nth, ctx.set_ui("nth", False), "by_month_day"),
            self._choice(ctx, by_week, by_nth, ctx.set_ui("nth", True), "by_nth_day"),
        ]

    def _choice(
        self, ctx: Context, label: str, chosen: bool, on_tap: Handler, id: str, trailing: Node | None = None
    ) -> Node:
        parts = [Radio(chosen), Text(label, "bodyLarge", weight=1.0, id="text1")]
        if trailing is not None:
            parts.append(trailing)
        return Node(
            "row",
            parts,
            gap=16.0,
            width=FILL,
            min_height=52.0,
            pad=(16.0, 4.0, 16.0, 4.0),
            on_tap=on_tap,
            checkable=True,
            checked=chosen,
            id=id,
        )

    def _ends(self, ctx: Context) -> list[Node]:
        ends = str(ctx.ui["ends"])
        until = texts.midnight(date.fromisoformat(str(ctx.ui["until"])))
        text = ctx.tr("ends_on", date=month_day(until, ctx.language, year=True))
        pick = IconButton("calendar-edit", asking(ctx, "until"), ctx.tr("end_date"), id="pick_until", size=44.0)

        def on_date() -> None:
            ctx.ui["ends"] = "until"
            ctx.focus(None)
            ctx.open_overlay("until")

        return [
            self._choice(ctx, ctx.tr("ends_never"), ends == "never", ctx.set_ui("ends", "never"), "ends_never"),
            self._choice(ctx, text, ends == "until", on_date, "ends_until", pick),
            self._choice(
                ctx,
                ctx.tr("ends_after"),
                ends == "count",
                ctx.set_ui("ends", "count"),
                "ends_count",
                self._number(ctx, "count"),
            ),
        ]

    def overlay_until(self, ctx: Context) -> Node:
        """The last day."""
        until = date.fromisoformat(str(ctx.ui["until"]))

        def take(year: int, month: int, day: int) -> None:
            ctx.ui["until"] = date(year, month, day).isoformat()
            ctx.ui["ends"] = "until"

        start = (until.year, until.month, until.day)
        return DatePicker(ctx, ctx.tr("end_date"), start, take, store.first_weekday(ctx.phone))

    def _done(self, ctx: Context) -> None:
        interval, count = ctx.field("interval"), ctx.field("count")
        ends = str(ctx.ui["ends"])
        day = self._day(ctx)
        until = date.fromisoformat(str(ctx.ui["until"]))
        numbers = [interval, count] if ends == "count" else [interval]
        if not all(text.isdecimal() and 1 <= int(text) <= _MOST for text in numbers):
            ctx.ui["error"] = "interval_bad"
            return
        if ends == "until" and until < day:
            ctx.ui["error"] = "until_before_start"
            return
        rule = Rule(str(ctx.ui["freq"]), interval=int(interval))
        if rule.freq == "WEEKLY":
            rule = replace(rule, by_day=tuple(sorted(int(one) for one in ctx.ui["days"])))
        if rule.freq == "MONTHLY" and ctx.ui["nth"]:
            rule = replace(rule, by_day=(day.weekday(),), nth=_nth(day))
        if ends == "count":
            rule = replace(rule, count=int(count))
        if ends == "until":
            last = datetime.combine(until, time(23, 59, 59), self._zone(ctx)).astimezone(UTC).replace(tzinfo=None)
            rule = replace(rule, until=last, utc=True)
        ctx.finish({"rrule": write_rule(rule)})


def _nth(day: date) -> int:
    """Which of its weekday in the month a day is; the fifth counts as the last."""
    number = (day.day - 1) // 7 + 1
    return -1 if number == 5 else number
