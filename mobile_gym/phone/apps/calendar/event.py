"""An event's page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mobile_gym.phone.apps.calendar import alerts, editing, store, texts
from mobile_gym.phone.apps.calendar.dialogs import scope_dialog
from mobile_gym.phone.apps.calendar.editing import ALL, FOLLOWING, THIS
from mobile_gym.phone.apps.contacts_provider.faces import contact_face
from mobile_gym.phone.apps.contacts_provider.people import people
from mobile_gym.phone.door import Intent
from mobile_gym.phone.state.database import Row
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import (
    Center,
    Dialog,
    EmptyState,
    IconButton,
    LazyList,
    ListRow,
    Menu,
    MenuItem,
    Scaffold,
    Text,
    TopBar,
)

SENDTO, VIEW = "android.intent.action.SENDTO", "android.intent.action.VIEW"


class EventPage(Screen):
    """One occurrence. Arguments: `id` and `begin` of an event, or `contact` and `begin` of a birthday; `alert`."""

    name = "event"
    activity = ".EventInfoActivity"

    def on_open(self, ctx: Context) -> None:
        """A reminder that led here is done with. Without an id: the next event."""
        alert = ctx.args.get("alert")
        if alert is not None:
            alerts.dismiss(ctx.phone, int(alert))
        if not ctx.args.get("id") and not ctx.args.get("contact"):
            today = ctx.now.date()
            ahead = store.instances(ctx.phone, today, today.replace(year=today.year + 1))
            found = next((one for one in ahead if one.event_id), None)
            ctx.args.update(id=found.event_id if found else 0, begin=found.begin if found else None)

    def on_result(self, ctx: Context, result: Mapping[str, Any]) -> None:
        """Shows what the edited occurrence became."""
        if "saved" in result:
            ctx.args.update(id=result["saved"], begin=result["begin"])

    def _instance(self, ctx: Context, event: Row) -> store.Instance:
        begin = ctx.args.get("begin")
        given = str(begin or "")
        start = int(given) if given.isdigit() and event["rrule"] else int(event["dtstart"])
        return store.instance_at(ctx.phone, event, start)

    def build(self, ctx: Context) -> Node:
        """The page."""
        if ctx.args.get("contact"):
            return self._birthday(ctx, int(ctx.args["contact"]))
        event = store.event(ctx.phone, int(ctx.args["id"] or 0))
        if event is None:
            return Scaffold(Center(EmptyState("calendar-remove-outline", ctx.tr("event_gone"))), top=TopBar(ctx, ""))
        one = self._instance(ctx, event)
        actions = (
            IconButton(
                "pencil-outline",
                ctx.open("edit", id=event["_id"], occurrence=one.begin),
                ctx.tr("edit"),
                id="info_action_edit",
                color="onSurface",
            ),
            IconButton(
                "trash-can-outline", ctx.show("delete"), ctx.tr("delete"), id="info_action_delete", color="onSurface"
            ),
            IconButton("dots-vertical", ctx.show("more"), ctx.tr("more_options"), id="menu_more", color="onSurface"),
        )
        items = [self._head(ctx, one, event["title"] or ctx.tr("no_title"), texts.when_lines(ctx, one))]
        if event["rrule"]:
            start = store.instance_at(ctx.phone, event, int(event["dtstart"])).first
            items.append(self._row("repeat", texts.rule_text(ctx, event["rrule"], start), "repeat"))
        place = event["eventLocation"]
        if place:
            where = ctx.launch(Intent(action=VIEW, data=f"geo:0,0?q={place}"))
            items.append(self._row("map-marker-outline", place, "where", on_tap=where))
        for number, minutes in enumerate(store.reminders(ctx.phone, event["_id"])):
            icon = "bell-outline" if number == 0 else ""
            items.append(self._row(icon, texts.reminder_text(ctx, minutes, one.all_day), "reminder"))
        items += self._guests(ctx, event)
        if event["description"]:
            items.append(self._row("text", event["description"], "description"))
        items.append(self._row("calendar-blank-outline", event["calendar_displayName"] or "", "calendar_name"))
        show = ctx.tr("free" if event["availability"] else "busy")
        items.append(self._row("briefcase-outline", show, "availability"))
        return Scaffold(LazyList(items, id="event_info", bottom_pad=16.0), top=TopBar(ctx, "", actions=actions))

    def _head(self, ctx: Context, one: store.Instance, title: str, lines: list[str]) -> Node:
        mark = Node("space", width=18.0, height=18.0, radius=5.0, bg=texts.to_hex(one.color), hidden_from_tree=True)
        box = Node("box", (mark,), width=24.0, pad=(3.0, 8.0, 3.0, 0.0), hidden_from_tree=True)
        parts = [Text(title, "headlineSmall", id="title")]
        parts += [Text(line, "bodyLarge", "onSurfaceVariant", id="when_datetime") for line in lines]
        if store.shows_lunar(ctx.phone):
            lunar = texts.lunar_text(ctx, one.first, full=True)
            parts.append(Text(lunar, "bodyMedium", "onSurfaceVariant", id="when_lunar"))
        column = Node("col", parts, gap=4.0, weight=1.0, hidden_from_tree=True)
        return Node("row", (box, column), gap=16.0, width=FILL, align="start", pad=(16.0, 4.0, 16.0, 16.0))

    def _row(self, icon: str, text: str, id: str, on_tap: Handler | None = None) -> Node:
        empty = Node("space", width=24.0, height=24.0, hidden_from_tree=True)
        leading = None if icon else empty
        return ListRow(text, icon=icon, leading=leading, on_tap=on_tap, id=id, min_height=48.0)

    def _guests(self, ctx: Context, event: Row) -> list[Node]:
        found = store.attendees(ctx.phone, event["_id"])
        if not found:
            return []
        photos = {person.name: person for person in people(ctx.phone)}
        rows = [self._row("account-multiple-outline", ctx.tr("invitees"), "attendees_title")]
        for row in found:
            name = row["attendeeName"] or row["attendeeEmail"] or ""
            person = photos.get(name)
            status = row["attendeeStatus"] if row["attendeeStatus"] in range(5) else 0
            rows.append(
                ListRow(
                    name,
                    ctx.tr(f"status_{status}"),
                    leading=contact_face(name, person.photo if person else "", 36.0),
                    id="attendee",
                    on_tap=self._contact(ctx, person.contact_id) if person else None,
                ).replace(pad=(50.0, 6.0, 16.0, 6.0), min_height=60.0)
            )
        return rows

    def _contact(self, ctx: Context, key: int) -> Handler:
        return ctx.launch(Intent(action=VIEW, data=f"content://com.android.contacts/contacts/{key}"))

    def _birthday(self, ctx: Context, contact: int) -> Node:
        begin = int(ctx.args["begin"])
        day = store.local(begin, store.zone_of("UTC")).date()
        found = [one for one in store.birthdays(ctx.phone, day, day, hidden=True) if one.contact_id == contact]
        if not found:
            return Scaffold(Center(EmptyState("calendar-remove-outline", ctx.tr("event_gone"))), top=TopBar(ctx, ""))
        one = found[0]
        items = [
            self._head(ctx, one, one.title, texts.when_lines(ctx, one)),
            self._row("cake-variant-outline", ctx.tr("birthday_note"), "birthday_note"),
            self._row("account-outline", ctx.tr("open_contact"), "open_contact", on_tap=self._contact(ctx, contact)),
        ]
        return Scaffold(LazyList(items, id="event_info"), top=TopBar(ctx, ""))

    # ---- overlays

    def overlay_more(self, ctx: Context) -> Node:
        """Share, duplicate."""
        event = store.event(ctx.phone, int(ctx.args["id"]))
        if event is None:
            return Menu(ctx, [MenuItem(ctx.tr("event_gone"), ctx.dismiss, enabled=False)])
        one = self._instance(ctx, event)
        text = "\n".join([event["title"] or ctx.tr("no_title"), *texts.when_lines(ctx, one)])
        if event["eventLocation"]:
            text += f"\n{event['eventLocation']}"
        extras: dict[str, str | int | float | bool] = {"android.intent.extra.TEXT": text}
        package = ctx.settings.get("secure", "sms_default_application")
        share = Intent(package=package, action="android.intent.action.SEND", mime="text/plain", extras=extras)
        copy = ctx.then_dismiss(lambda: ctx.go("edit", copy=event["_id"], occurrence=one.begin))
        items = [
            MenuItem(ctx.tr("share_event"), ctx.then_dismiss(ctx.launch(share)), id="menu_share"),
            MenuItem(ctx.tr("duplicate"), copy, id="menu_duplicate"),
        ]
        return Menu(ctx, items)

    def overlay_delete(self, ctx: Context) -> Node:
        """Asks before the event is deleted; of a series, which part of it."""
        event = store.event(ctx.phone, int(ctx.args["id"]))
        occurrence = self._instance(ctx, event).begin if event is not None else 0

        def act(scope: str) -> None:
            editing.delete(ctx.phone, int(ctx.args["id"]), occurrence, scope)
            ctx.toast(ctx.tr("event_deleted"))
            ctx.finish()

        if event is not None and event["rrule"]:
            return scope_dialog(ctx, ctx.tr("delete_series"), (THIS, FOLLOWING, ALL), act)
        actions = ((ctx.tr("cancel"), ctx.dismiss), (ctx.tr("delete"), ctx.then_dismiss(act, ALL)))
        text = event["title"] or ctx.tr("no_title") if event is not None else ""
        return Dialog(ctx, ctx.tr("delete_event_title"), text, actions=actions)
