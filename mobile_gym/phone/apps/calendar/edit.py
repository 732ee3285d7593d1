"""The form that makes and changes an event."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any

from mobile_gym.phone.apps.calendar import editing, form, store, texts
from mobile_gym.phone.apps.calendar.dialogs import choice_dialog, scope_dialog
from mobile_gym.phone.apps.calendar.editing import ALL, FOLLOWING, THIS
from mobile_gym.phone.apps.calendar.form import asking
from mobile_gym.phone.apps.calendar.rrule import DAYS
from mobile_gym.phone.apps.contacts_provider.people import EMAIL, contact_data
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import (
    Button,
    Dialog,
    Divider,
    Icon,
    IconButton,
    LazyList,
    ListRow,
    Scaffold,
    Switch,
    Text,
    TopBar,
)
from mobile_gym.phone.ui.widgets.date_picker import DatePicker
from mobile_gym.phone.ui.widgets.fields import field
from mobile_gym.phone.ui.widgets.pickers import TimePicker

CONTACTS = "com.android.contacts"


class Edit(Screen):
    """A new event, or an old one.

    Arguments: `id` (and `occurrence`) of one that is changed, `copy` of one that is copied; of a new one `title`,
    `begin`, `end` (milliseconds), `all_day`, `location`, `description`, `rrule`, `guests` (addresses).
    """

    name = "edit"
    activity = ".event.EditEventActivity"

    def on_open(self, ctx: Context) -> None:
        """Fills the form."""
        ctx.ui["error"] = ""
        key, copy = ctx.args.get("id"), ctx.args.get("copy")
        if key is not None:
            form.fill_from(ctx, int(key), copy=False)
        elif copy is not None:
            form.fill_from(ctx, int(copy), copy=True)
        else:
            form.fill_new(ctx)
        ctx.ui["before"] = repr(form.draft(ctx))
        if not key and not ctx.field("title"):
            ctx.focus("title")

    def build(self, ctx: Context) -> Node:
        """The fields."""
        new = not ctx.args.get("id")
        items: list[Node] = [
            self._title(ctx),
            Divider(),
            *self._times(ctx),
            self._row(ctx, "repeat", self._rule(ctx), "repeat", asking(ctx, "repeat")),
            Divider(),
            *self._reminders(ctx),
            Divider(),
            self._text(ctx, "location", "map-marker-outline", ctx.tr("location")),
            Divider(),
            *self._guests(ctx),
            Divider(),
            *self._choices(ctx),
            Divider(),
            self._text(ctx, "description", "text", ctx.tr("notes")),
        ]
        save = Button(ctx.tr("save"), lambda: self._save(ctx), id="action_done")
        top = TopBar(ctx, ctx.tr("new_event" if new else "edit_event"), actions=[save])
        close = IconButton("close", ctx.back(), ctx.tr("cancel"), id="action_cancel", color="onSurface")
        top = top.replace(children=(close, *top.children[1:]), pad=(4.0, 0.0, 12.0, 0.0))
        return Scaffold(LazyList(items, id="edit_event", bottom_pad=24.0), top=top)

    # ---- rows

    def _lead(self, icon: str) -> Node:
        return Icon(icon, 24.0) if icon else Node("space", width=24.0, height=24.0, hidden_from_tree=True)

    def _row(self, ctx: Context, icon: str, text: str, id: str, on_tap: Handler, **options: Any) -> Node:
        return ListRow(text, leading=self._lead(icon), on_tap=on_tap, id=id, min_height=56.0, **options)

    def _title(self, ctx: Context) -> Node:
        box = field(
            ctx,
            "title",
            hint=ctx.tr("add_title"),
            style="headlineSmall",
            width=FILL,
            action="done",
            on_submit=lambda: ctx.focus(None),
        )
        return Node("box", (box,), width=FILL, pad=(56.0, 8.0, 16.0, 16.0), hidden_from_tree=True)

    def _text(self, ctx: Context, name: str, icon: str, hint: str) -> Node:
        many = name == "description"
        options: dict[str, Any] = {"multiline": True} if many else {"on_submit": lambda: ctx.focus(None)}
        box = field(ctx, name, hint=hint, width=FILL, **options).replace(weight=1.0)
        return Node(
            "row",
            (self._lead(icon), box),
            gap=16.0,
            width=FILL,
            min_height=56.0,
            pad=(16.0, 12.0, 16.0, 12.0),
            hidden_from_tree=True,
        )

    def _times(self, ctx: Context) -> list[Node]:
        whole = bool(ctx.ui["all_day"])
        begin, end = form.moments(ctx)

        def turn() -> None:
            ctx.ui["all_day"] = not whole
            # Reminders of whole days count from their midnight.
            ctx.ui["reminders"] = [900] if not whole and ctx.ui["reminders"] else [10] if ctx.ui["reminders"] else []
            ctx.ui["error"] = "end_before_start" if form.is_reversed(ctx) else ""

        switch = Switch(whole, desc=ctx.tr("all_day"), id="is_all_day")
        rows = [
            ListRow(ctx.tr("all_day"), icon="clock-outline", trailing=switch, on_tap=turn, id="all_day_row"),
            self._time(ctx, "start", begin, whole, False),
            self._time(ctx, "end", end, whole, ctx.ui["error"] == "end_before_start"),
        ]
        if ctx.ui["error"]:
            rows.append(
                Text(ctx.tr(ctx.ui["error"]), "bodySmall", "error", pad=(56.0, 0.0, 16.0, 8.0), id="time_error")
            )
        return rows

    def _time(self, ctx: Context, which: str, moment: datetime, whole: bool, wrong: bool) -> Node:
        ink = "error" if wrong else "onSurface"

        def cell(part: str, text: str, weight: float) -> Node:
            label = Text(text, "bodyLarge", ink, hidden_from_tree=True)
            return Node(
                "row",
                (label,),
                min_height=48.0,
                weight=weight,
                text=text,
                desc=f"{ctx.tr(f'{which}_{part}')} {text}",
                on_tap=asking(ctx, part, which=which),
                id=f"{which}_{part}",
                cls="android.widget.Button",
            )

        parts = [cell("date", texts.day_text(ctx, moment.date(), short=True), 1.0)]
        if not whole:
            parts.append(cell("time", texts.clock(ctx, moment), 0.0))
        return Node("row", parts, gap=8.0, width=FILL, pad=(56.0, 0.0, 16.0, 0.0), hidden_from_tree=True)

    def _rule(self, ctx: Context) -> str:
        return texts.rule_text(ctx, str(ctx.ui["rrule"]), form.first_day(ctx))

    def _reminders(self, ctx: Context) -> list[Node]:
        rows = []
        whole = bool(ctx.ui["all_day"])
        for place, minutes in enumerate(ctx.ui["reminders"]):

            def remove(place: int = place) -> None:
                ctx.ui["reminders"] = [one for number, one in enumerate(ctx.ui["reminders"]) if number != place]

            cross = IconButton("close", remove, ctx.tr("remove_reminder"), id="reminder_remove", size=40.0)
            text = texts.reminder_text(ctx, int(minutes), whole)
            icon = "bell-outline" if place == 0 else ""
            on_tap = asking(ctx, "reminder", place=place)
            rows.append(self._row(ctx, icon, text, "reminder_row", on_tap, trailing=cross))
        if len(rows) < 5:
            icon = "" if rows else "bell-outline"
            add = asking(ctx, "reminder", place=len(rows))
            rows.append(self._row(ctx, icon, ctx.tr("add_reminder"), "reminder_add", add, title_color="primary"))
        return rows

    def _guests(self, ctx: Context) -> list[Node]:
        rows = []
        for place, (name, mail) in enumerate(ctx.ui["guests"]):

            def remove(place: int = place) -> None:
                ctx.ui["guests"] = [one for number, one in enumerate(ctx.ui["guests"]) if number != place]

            text = str(name or mail)
            cross = IconButton("close", remove, ctx.tr("remove_invitee", name=text), id="guest_remove", size=40.0)
            icon = "account-multiple-outline" if place == 0 else ""
            rows.append(ListRow(text, leading=self._lead(icon), trailing=cross, id="guest_row"))
        icon = "" if rows else "account-multiple-outline"
        rows.append(
            self._row(ctx, icon, ctx.tr("add_invitees"), "add_guests", lambda: self._pick(ctx), title_color="primary")
        )
        return rows

    def _pick(self, ctx: Context) -> None:
        args = {"multi": True, "purpose": "guests", "title": ctx.tr("invitees")}
        ctx.phone.activities.open_screen(CONTACTS, "pick", args)

    def on_result(self, ctx: Context, result: Mapping[str, Any]) -> None:
        """Contacts that were picked as guests; a rule that was made."""
        if "rrule" in result:
            ctx.ui["rrule"] = str(result["rrule"])
        there = {str(guest[0]) for guest in ctx.ui["guests"]}
        for key, name in zip(result.get("ids", ()), result.get("names", ()), strict=True):
            if name not in there:
                ctx.ui["guests"] = [*ctx.ui["guests"], [str(name), _mail(ctx, int(key))]]

    def _choices(self, ctx: Context) -> list[Node]:
        row = next((one for one in store.calendars(ctx.phone) if one["_id"] == ctx.ui["calendar"]), None)
        name = str(row["calendar_displayName"] or "") if row is not None else ""
        own = int(row["calendar_color"]) if row is not None else 0
        color = own if ctx.ui["color"] is None else int(ctx.ui["color"])
        shown = ctx.tr("default_color") if ctx.ui["color"] is None else _color_name(ctx, color)
        dot = Node("space", width=20.0, height=20.0, radius=10.0, bg=texts.to_hex(color), hidden_from_tree=True)
        busy = ctx.tr("free" if ctx.ui["availability"] else "busy")

        def turn() -> None:
            ctx.ui["availability"] = 0 if ctx.ui["availability"] else 1

        return [
            self._row(ctx, "calendar-blank-outline", name, "calendar_row", asking(ctx, "calendar")),
            self._row(ctx, "palette-outline", shown, "color_row", asking(ctx, "color"), trailing=dot),
            self._row(ctx, "briefcase-outline", f"{ctx.tr('show_as')} · {busy}", "availability_row", turn),
        ]

    # ---- saving

    def on_back(self, ctx: Context) -> bool:
        """Asks before what was entered is lost."""
        if repr(form.draft(ctx)) == ctx.ui["before"]:
            return False
        ctx.focus(None)
        ctx.open_overlay("discard")
        return True

    def _save(self, ctx: Context) -> None:
        ctx.focus(None)
        if form.is_reversed(ctx):
            ctx.ui["error"] = "end_before_start"
            ctx.record["scroll"].pop("edit_event", None)
            return
        event = store.event(ctx.phone, int(ctx.args["id"])) if ctx.args.get("id") else None
        if event is not None and event["rrule"]:
            ctx.open_overlay("scope", changed=event["rrule"] != ctx.ui["rrule"])
            return
        self._write(ctx, ALL)

    def _write(self, ctx: Context, scope: str) -> None:
        new = form.draft(ctx)
        if ctx.args.get("id"):
            key = editing.update(ctx.phone, int(ctx.args["id"]), int(ctx.args["occurrence"]), new, scope)
        else:
            key = editing.create(ctx.phone, new)
        ctx.toast(ctx.tr("event_saved"))
        ctx.finish({"saved": key, "begin": new.begin, "all_day": new.all_day})

    # ---- overlays

    def overlay_scope(self, ctx: Context, changed: bool) -> Node:
        """Which part of the series changes; one occurrence alone cannot get another rule."""
        scopes = (FOLLOWING, ALL) if changed else (THIS, FOLLOWING, ALL)
        return scope_dialog(ctx, ctx.tr("change_series"), scopes, lambda scope: self._write(ctx, scope))

    def overlay_date(self, ctx: Context, which: str) -> Node:
        """The day of the beginning or the end."""
        moment = form.moments(ctx)[0 if which == "start" else 1]

        def take(year: int, month: int, day: int) -> None:
            put = form.set_begin if which == "start" else form.set_end
            put(ctx, moment.replace(year=year, month=month, day=day))

        start = (moment.year, moment.month, moment.day)
        return DatePicker(ctx, ctx.tr(f"{which}_date"), start, take, store.first_weekday(ctx.phone))

    def overlay_time(self, ctx: Context, which: str) -> Node:
        """The time of the beginning or the end."""
        moment = form.moments(ctx)[0 if which == "start" else 1]

        def take(hour: int, minute: int) -> None:
            put = form.set_begin if which == "start" else form.set_end
            put(ctx, moment.replace(hour=hour, minute=minute))

        return TimePicker(ctx, ctx.tr(f"{which}_time"), moment.hour, moment.minute, take)

    def overlay_repeat(self, ctx: Context) -> Node:
        """The usual rules, and the way to others."""
        day = form.first_day(ctx)
        rules = _rules(day)
        current = str(ctx.ui["rrule"])
        choices: list[tuple[str, bool, Handler, str]] = [
            (
                texts.rule_text(ctx, rule, day),
                rule == current,
                ctx.then_dismiss(ctx.set_ui("rrule", rule)),
                f"repeat_{name}",
            )
            for name, rule in rules.items()
        ]
        if current not in rules.values():
            choices.append((self._rule(ctx), True, ctx.dismiss, "repeat_current"))

        def custom() -> None:
            ctx.go("repeat", rrule=current, day=day.isoformat())

        choices.append((ctx.tr("custom"), False, ctx.then_dismiss(custom), "repeat_custom"))
        return choice_dialog(ctx, ctx.tr("repeat"), choices)

    def overlay_reminder(self, ctx: Context, place: int) -> Node:
        """When it reminds."""
        whole = bool(ctx.ui["all_day"])
        there = [int(minutes) for minutes in ctx.ui["reminders"]]
        current = there[place] if place < len(there) else None

        def take(minutes: int) -> Handler:
            def handle() -> None:
                ctx.dismiss()
                kept = [*there[:place], minutes, *there[place + 1 :]]
                ctx.ui["reminders"] = list(dict.fromkeys(kept))

            return handle

        options = list(texts.ALL_DAY_REMINDERS if whole else texts.REMINDERS)
        if current is not None and current not in options:
            options.append(current)
        choices = [
            (texts.reminder_text(ctx, minutes, whole), minutes == current, take(minutes), f"minutes_{minutes}")
            for minutes in options
        ]
        return choice_dialog(ctx, ctx.tr("reminder"), choices)

    def overlay_calendar(self, ctx: Context) -> Node:
        """The calendars that take events."""
        choices = [
            (
                str(row["calendar_displayName"] or ""),
                row["_id"] == ctx.ui["calendar"],
                ctx.then_dismiss(ctx.set_ui("calendar", int(row["_id"]))),
                f"calendar_{row['_id']}",
            )
            for row in store.calendars(ctx.phone, writable=True)
        ]
        return choice_dialog(ctx, ctx.tr("calendar"), choices)

    def overlay_color(self, ctx: Context) -> Node:
        """The colours."""
        choices = [
            (
                ctx.tr("default_color"),
                ctx.ui["color"] is None,
                ctx.then_dismiss(ctx.set_ui("color", None)),
                "color_none",
            )
        ]
        for number, color in enumerate(texts.COLORS):
            value = texts.to_argb(color)
            take = ctx.then_dismiss(ctx.set_ui("color", value))
            choices.append((ctx.tr(f"color_{number}"), ctx.ui["color"] == value, take, f"color_{number}"))
        row = next((one for one in store.calendars(ctx.phone) if one["_id"] == ctx.ui["calendar"]), None)
        own = texts.to_hex(row["calendar_color"]) if row is not None else texts.COLORS[0]
        return choice_dialog(ctx, ctx.tr("color"), choices, (own, *texts.COLORS))

    def overlay_discard(self, ctx: Context) -> Node:
        """Asks before what was entered is lost."""
        leave: Callable[[], None] = ctx.finish
        actions = ((ctx.tr("keep_editing"), ctx.dismiss), (ctx.tr("discard"), ctx.then_dismiss(leave)))
        return Dialog(ctx, ctx.tr("discard_title"), ctx.tr("discard_text"), actions=actions)


def _rules(day: date) -> dict[str, str]:
    """The usual rules of an event that begins on a day."""
    return {
        "none": "",
        "daily": "FREQ=DAILY",
        "workdays": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
        "weekly": f"FREQ=WEEKLY;BYDAY={DAYS[day.weekday()]}",
        "monthly": "FREQ=MONTHLY",
        "yearly": "FREQ=YEARLY",
    }


def _color_name(ctx: Context, color: int) -> str:
    known = [texts.to_argb(one) for one in texts.COLORS]
    return ctx.tr(f"color_{known.index(color)}") if color in known else texts.to_hex(color)


def _mail(ctx: Context, contact: int) -> str:
    found = contact_data(ctx.phone, contact, EMAIL)
    return found[0] if found else ""
