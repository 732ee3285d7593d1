"""Safety and emergency: facts that helpers need, and people to call."""

from __future__ import annotations

from mobile_gym.phone.apps.settings.device.store import base, carded
from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.apps.settings.parts import choice_dialog, note, setting_switch, text_dialog
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.system.formats import month_day
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import (
    Avatar,
    Dialog,
    EmptyState,
    Group,
    IconButton,
    LazyList,
    ListRow,
    Scaffold,
    SearchField,
    SectionTitle,
)
from mobile_gym.phone.ui.widgets.date_picker import DatePicker

BLOOD_TYPES = ("", "A+", "A-", "B+", "B-", "AB+", "AB-", "O+", "O-")
DONOR = ("", "yes", "no")
TEXTS = ("name", "address", "allergies", "medications", "conditions")
"""Columns of the information that are free text."""
ORDER = ("name", "birth_date", "blood_type", "allergies", "medications", "conditions", "organ_donor", "address")


class Safety(Page):
    """The page that leads to all about emergencies."""

    name = "safety"
    activity = ".Settings$EmergencyDashboardActivity"
    title = "safety"
    icon, disc = "medical-bag", "Orange"
    keywords = "safety_words"
    entries = {"emergency_sos": "emergency_sos_words", "emergency_alerts": "emergency_alerts_words"}

    def rows(self, ctx: Context) -> list[Node]:
        """Information, contacts, calls for help, alerts."""
        count = int(base(ctx).value("SELECT count(*) FROM emergency_contacts"))
        about = [
            ListRow(
                ctx.tr("emergency_info"),
                ctx.tr("emergency_info_summary"),
                icon="card-account-details-outline",
                on_tap=ctx.open("emergency_info"),
                id="emergency_info",
            ),
            ListRow(
                ctx.tr("emergency_contacts"),
                ctx.tr("contacts_count", count=count) if count else ctx.tr("no_contacts_yet"),
                icon="account-multiple-outline",
                on_tap=ctx.open("emergency_contacts"),
                id="emergency_contacts",
            ),
        ]
        help_rows = [
            setting_switch(
                ctx, "emergency_sos", "secure", "emergency_gesture_enabled", summary=ctx.tr("emergency_sos_summary")
            ),
            setting_switch(
                ctx,
                "emergency_alerts",
                "secure",
                "emergency_alerts_enabled",
                summary=ctx.tr("emergency_alerts_summary"),
                default="1",
            ),
        ]
        return [*Group(about), *Group(help_rows), note(ctx.tr("safety_note"))]


class EmergencyInfo(Page):
    """Facts that helpers can read from the locked phone."""

    name = "emergency_info"
    activity = "com.android.emergency.edit.EditInfoActivity"
    title = "emergency_info"
    parent = "safety"
    keywords = "emergency_info_words"
    entries = {
        "info_blood_type": "blood_words",
        "info_allergies": "allergies_words",
        "info_medications": "medications_words",
        "info_conditions": "conditions_words",
    }
    actions = ("android.telephony.action.EMERGENCY_ASSISTANCE", "android.settings.EDIT_EMERGENCY_INFO")

    def rows(self, ctx: Context) -> list[Node]:
        """One row a fact; a tap changes it."""
        info = base(ctx).row("SELECT * FROM emergency_info WHERE _id = 1") or {}
        facts = []
        for column in ORDER:
            value = str(info.get(column) or "")
            if column == "organ_donor":
                value = ctx.tr(f"donor_{value or 'unset'}")
            elif column == "birth_date" and value:
                value = self._date(ctx, value)
            facts.append(
                ListRow(
                    ctx.tr(f"info_{column}"),
                    value or ctx.tr("not_set"),
                    on_tap=self._edit(ctx, column, str(info.get(column) or "")),
                    id=f"info_{column}",
                )
            )
        contacts = ListRow(
            ctx.tr("emergency_contacts"),
            icon="account-multiple-outline",
            on_tap=ctx.open("emergency_contacts"),
            id="emergency_contacts",
        )
        return [
            SectionTitle(ctx.tr("medical_information")),
            *Group(facts),
            *Group([contacts]),
            note(ctx.tr("emergency_info_note")),
        ]

    def _date(self, ctx: Context, value: str) -> str:
        year, month, day = (int(part) for part in value.split("-"))
        return month_day(ctx.now.replace(year=year, month=month, day=day), ctx.language, year=True)

    def _edit(self, ctx: Context, column: str, value: str) -> Handler:
        if column in TEXTS:

            def handle() -> None:
                ctx.set_field("info_text", value)
                ctx.open_overlay("text", column=column)
                ctx.focus("info_text")

            return handle
        if column == "birth_date":
            return ctx.show("date", value=value or "1958-01-01")
        return ctx.show("pick", column=column)

    def _put(self, ctx: Context, column: str, value: str) -> None:
        base(ctx).update("emergency_info", 1, **{column: value})
        ctx.phone.invalidate()

    def overlay_text(self, ctx: Context, column: str) -> Node:
        """A fact as text."""

        def save(text: str) -> str:
            self._put(ctx, column, text)
            return ""

        title = ctx.tr(f"info_{column}")
        return text_dialog(ctx, title, "info_text", title, save, max_length=100, empty=True)

    def overlay_pick(self, ctx: Context, column: str) -> Node:
        """Blood type, or whether organs may be given."""
        chosen = str(base(ctx).value(f"SELECT {column} FROM emergency_info WHERE _id = 1") or "")
        if column == "blood_type":
            choices = [(kind, kind or ctx.tr("unknown")) for kind in BLOOD_TYPES]
        else:
            choices = [(value, ctx.tr(f"donor_{value or 'unset'}")) for value in DONOR]
        return choice_dialog(
            ctx, ctx.tr(f"info_{column}"), choices, chosen, lambda value: self._put(ctx, column, value)
        )

    def overlay_date(self, ctx: Context, value: str) -> Node:
        """The day of birth."""
        year, month, day = (int(part) for part in value.split("-"))
        return DatePicker(
            ctx,
            ctx.tr("info_birth_date"),
            (year, month, day),
            lambda y, m, d: self._put(ctx, "birth_date", f"{y:04d}-{m:02d}-{d:02d}"),
        )


class EmergencyContacts(Page):
    """People to call in an emergency."""

    name = "emergency_contacts"
    activity = "com.android.emergency.edit.EditEmergencyContactsActivity"
    title = "emergency_contacts"
    parent = "safety"
    keywords = "emergency_contacts_words"

    def rows(self, ctx: Context) -> list[Node]:
        """The people, and the way to one more."""
        found = base(ctx).rows("SELECT * FROM emergency_contacts ORDER BY _id")
        rows = [
            ListRow(
                row["name"],
                row["number"],
                leading=Avatar(row["name"][:1], 40.0, "primary", "onPrimary"),
                trailing=IconButton(
                    "close",
                    ctx.show("remove", key=row["_id"], person=row["name"]),
                    ctx.tr("remove_named", name=row["name"]),
                    id="delete_contact",
                ),
                id="emergency_contact",
            )
            for row in found
        ]
        add = ListRow(ctx.tr("add_contact"), icon="plus", on_tap=ctx.open("pick_contact"), id="add_contact")
        return [*Group([*rows, add]), note(ctx.tr("emergency_contacts_note"))]

    def overlay_remove(self, ctx: Context, key: int, person: str) -> Node:
        """Asks before one goes."""
        return Dialog(
            ctx,
            body=ctx.tr("remove_contact_ask", name=person),
            actions=[
                (ctx.tr("cancel"), ctx.dismiss),
                (ctx.tr("remove"), ctx.then_dismiss(base(ctx).delete, "emergency_contacts", key)),
            ],
        )


class PickContact(Page):
    """One of the contacts, to be called in an emergency."""

    name = "pick_contact"
    activity = "com.android.emergency.edit.PickContactActivity"
    title = "add_contact"
    parent = "emergency_contacts"
    searchable = False

    def build(self, ctx: Context) -> Node:
        """The search bar over the numbers."""
        words = ctx.field("contact_search").casefold().strip()
        found = ctx.phone.providers.query("content://com.android.contacts/data/phones", sort="display_name, _id")
        shown = [
            row
            for row in found
            if row["data1"] and (words in str(row["display_name"]).casefold() or words in str(row["data1"]))
        ]
        field = SearchField(ctx, "contact_search", ctx.tr("search_contacts"), on_back=ctx.back())
        top = Node("box", (field,), width=FILL, pad=(16.0, 8.0, 16.0, 12.0), hidden_from_tree=True)
        empty = EmptyState("account-search-outline", ctx.tr("no_contacts_found"))
        last = len(shown) - 1
        items = [
            (str(row["display_name"]), str(row["data1"]), place == 0, place == last) for place, row in enumerate(shown)
        ]
        body = LazyList(items, row=lambda item: self._row(ctx, *item), id="contact_list", empty=empty)
        return Scaffold(body, top=top, bg="page")

    def _row(self, ctx: Context, name: str, number: str, first: bool, last: bool) -> Node:
        def add() -> None:
            if base(ctx).value("SELECT count(*) FROM emergency_contacts WHERE number = ?", number):
                ctx.toast(ctx.tr("contact_there", name=name))
                return
            base(ctx).insert("emergency_contacts", name=name, number=number)
            ctx.finish()

        avatar = Avatar(name[:1], 40.0, "secondaryContainer", "onSecondaryContainer")
        return carded(ListRow(name, number, leading=avatar, on_tap=add, id="contact_row"), first, last)


SCREENS = (Safety, EmergencyInfo, EmergencyContacts, PickContact)
