"""The app's settings, and the list of blocked numbers."""

from __future__ import annotations

from mobile_gym.phone.apps.contacts_provider.numbers import normalise, shown
from mobile_gym.phone.apps.messages import look, store
from mobile_gym.phone.apps.telephony import threads
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import (
    Column,
    Dialog,
    EmptyState,
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


class Settings(Screen):
    """Settings of the app."""

    name = "settings"
    activity = ".ui.appsettings.ApplicationSettingsActivity"

    def build(self, ctx: Context) -> Node:
        """Notifications, sending, blocked numbers."""
        phone = ctx.phone
        allowed = phone.packages.notifications_allowed(store.PACKAGE)

        def preference(name: str, icon: str, enabled: bool = True) -> Node:
            return SwitchRow(
                ctx.tr(name),
                store.preference(phone, name),
                lambda on: store.set_preference(phone, name, on),
                ctx.tr(f"{name}_detail"),
                icon=icon,
                id=f"pref_{name}",
                enabled=enabled,
            )

        notifications = [
            SwitchRow(
                ctx.tr("notifications"),
                allowed,
                lambda on: phone.packages.set_notifications(store.PACKAGE, on),
                icon="bell-outline",
                id="pref_notifications",
            ),
            preference("show_content", "eye-outline", allowed),
            preference("copy_codes", "content-copy", allowed),
        ]
        count = len(threads.blocked_numbers(phone))
        rest = [
            ListRow(
                ctx.tr("blocked_list"),
                ctx.tr("blocked_count", count=count),
                icon="block-helper",
                on_tap=ctx.open("blocked"),
                id="pref_blocked",
            ),
            ListRow(ctx.tr("archive_list"), icon="archive-outline", on_tap=ctx.open("archive"), id="pref_archive"),
        ]
        items = [
            SectionTitle(ctx.tr("notifications")),
            *Group(notifications),
            SectionTitle(ctx.tr("sending")),
            *Group([preference("delivery_reports", "check-all")]),
            SectionTitle(ctx.tr("lists")),
            *Group(rest),
        ]
        return Scaffold(LazyList(items, id="recycler_view"), top=TopBar(ctx, ctx.tr("settings"), disc=True), bg="page")


class Blocked(Screen):
    """Blocked numbers."""

    name = "blocked"
    activity = ".ui.BlockedParticipantsActivity"

    def build(self, ctx: Context) -> Node:
        """The numbers, each with a button that unblocks it."""
        people = store.people_by_number(ctx.phone)
        numbers = threads.blocked_numbers(ctx.phone)

        def row(number: str) -> Node:
            person = look.find_person(people, number)
            found = store.thread(ctx.phone, number)
            name = look.title(person, number, ctx.language)
            count = found["message_count"] if found is not None else 0
            detail = ctx.tr("message_count", count=count) if person is None else shown(number, ctx.language)
            return ListRow(
                name,
                detail,
                leading=look.face(person, 40.0),
                trailing=IconButton(
                    "close", ctx.show("unblock", number=number), ctx.tr("unblock_name", name=name), id="unblock_button"
                ),
                on_tap=ctx.open("thread", address=number) if found is not None else ctx.show("unblock", number=number),
                id="blocked_item",
            )

        empty = EmptyState("block-helper", ctx.tr("empty_blocked"), ctx.tr("empty_blocked_detail"))

        def add() -> None:
            ctx.ui["error"] = ""
            ctx.open_overlay("add")
            ctx.focus("blocked_number")

        fab = Fab("plus", ctx.tr("add_number"), add, id="add_blocked")
        return Scaffold(
            LazyList(numbers, row=row, id="blocked_list", empty=empty, bottom_pad=88.0),
            top=TopBar(ctx, ctx.tr("blocked_list")),
            fab=fab,
        )

    def overlay_unblock(self, ctx: Context, number: str) -> Node:
        """Asks before a number is unblocked."""

        def act() -> None:
            ctx.dismiss()
            threads.unblock(ctx.phone, number)

        text = ctx.tr("unblock_text", number=shown(number, ctx.language))
        return Dialog(
            ctx,
            ctx.tr("unblock_title"),
            text,
            actions=((ctx.tr("cancel"), ctx.dismiss), (ctx.tr("unblock"), act)),
        )

    def overlay_add(self, ctx: Context) -> Node:
        """Asks for a number to block."""

        def act() -> None:
            number = ctx.field("blocked_number").strip()
            if not normalise(number).isdigit():
                ctx.ui["error"] = ctx.tr("number_missing")
                return
            ctx.dismiss()
            ctx.set_field("blocked_number", "")
            ctx.focus(None)
            store.block(ctx.phone, number)
            ctx.toast(ctx.tr("blocked_toast"))

        line = TextField(
            ctx,
            "blocked_number",
            ctx.tr("contact_phone"),
            input_type="phone",
            on_submit=act,
            error=ctx.ui.get("error", ""),
        )
        return Dialog(
            ctx,
            ctx.tr("add_number"),
            Column(line, width=FILL, pad=(24.0, 0.0, 24.0, 0.0)),
            actions=((ctx.tr("cancel"), ctx.dismiss), (ctx.tr("block"), act)),
        )
