"""Whom a thread is with, and the page that adds a number to the contacts."""

from __future__ import annotations

from mobile_gym.phone.apps.contacts_provider.numbers import normalise, shown
from mobile_gym.phone.apps.contacts_provider.people import (
    EMAIL,
    NOTE,
    NUMBER,
    Person,
    add_contact,
    add_number,
    contact_data,
    people,
)
from mobile_gym.phone.apps.messages import look, rows, store
from mobile_gym.phone.apps.messages.calls import callable_number, start_call
from mobile_gym.phone.apps.messages.inbox import delete_dialog
from mobile_gym.phone.apps.telephony import threads
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import (
    Button,
    Center,
    Column,
    Dialog,
    Disc,
    EmptyState,
    Group,
    IconButton,
    LazyList,
    ListRow,
    Row,
    Scaffold,
    Sheet,
    SwitchRow,
    Text,
    TextField,
    TopBar,
)


class Details(Screen):
    """The other side of a thread, and what applies to the thread. Argument: `address`."""

    name = "details"
    activity = ".ui.conversationsettings.PeopleAndOptionsActivity"

    def on_open(self, ctx: Context) -> None:
        """Without an address: the newest thread."""
        _default_address(ctx)

    def build(self, ctx: Context) -> Node:
        """Face, name, buttons, switches."""
        address = str(ctx.args["address"])
        if not address:
            nobody = Center(EmptyState("message-text-outline", ctx.tr("empty_all")))
            return Scaffold(nobody, top=TopBar(ctx, ctx.tr("details")))
        person = look.find_person(store.people_by_number(ctx.phone), address)
        found = store.thread(ctx.phone, address)
        name = look.title(person, address, ctx.language)
        able = callable_number(address)
        buttons = Row(
            self._button(
                "phone", ctx.tr("call"), lambda: start_call(ctx, address), "details_call", 1.0 if able else 0.38
            ),
            self._button("message-text", ctx.tr("message"), ctx.open("thread", address=address), "details_message"),
            self._button("content-copy", ctx.tr("copy_number"), lambda: self._copy(ctx, address), "details_copy"),
            gap=24.0,
            width=FILL,
            justify="center",
            align="start",
            pad=(16.0, 16.0, 16.0, 24.0),
        )
        texts = [Text(name, "headlineSmall", text_align="center", width=FILL, id="details_name")]
        number = shown(address, ctx.language)
        if number != name:
            texts.append(
                Text(number, "bodyLarge", "onSurfaceVariant", text_align="center", width=FILL, id="details_number")
            )
        head = Column(
            look.face(person, 96.0, id="details_photo"),
            *texts,
            gap=8.0,
            align="center",
            width=FILL,
            pad=(24.0, 8.0, 24.0, 0.0),
        )
        items: list[Node] = [head, buttons]
        if person is None:
            items += Group(
                [
                    ListRow(
                        ctx.tr("add_contact"),
                        icon="account-plus-outline",
                        on_tap=ctx.open("add_contact", address=address),
                        id="details_add_contact",
                    ),
                    ListRow(
                        ctx.tr("add_to_existing"),
                        icon="account-edit-outline",
                        on_tap=ctx.show("existing"),
                        id="details_add_existing",
                    ),
                ]
            )
        else:
            items += Group(self._facts(ctx, person))
        if found is not None:
            items += Group(self._switches(ctx, found))
        items += Group(self._deeds(ctx, address, found))
        return Scaffold(LazyList(items, id="details_list"), top=TopBar(ctx, ctx.tr("details")), bg="page")

    def _button(self, icon: str, label: str, on_tap: Handler, id: str, fade: float = 1.0) -> Node:
        return Column(
            Disc(icon, 56.0, "secondaryContainer", "onSecondaryContainer", 24.0),
            Text(label, "labelLarge", "onSurfaceVariant", max_lines=2, text_align="center", width=88.0),
            gap=8.0,
            align="center",
            width=88.0,
            id=id,
            desc=label,
            on_tap=on_tap,
            fade=fade,
        )

    def _copy(self, ctx: Context, address: str) -> None:
        ctx.phone.set_clipboard(address)
        ctx.toast(ctx.tr("number_copied"))

    def _facts(self, ctx: Context, person: Person) -> list[Node]:
        """The contact's numbers, each of which opens its thread, its addresses and notes."""
        key = person.contact_id
        rows = [
            ListRow(
                shown(number, ctx.language),
                ctx.tr("contact_phone"),
                icon="phone-outline",
                on_tap=ctx.open("thread", address=number),
                id="details_phone",
            )
            for number in contact_data(ctx.phone, key, NUMBER)
        ]
        for mimetype, label, icon in ((EMAIL, "email", "email-outline"), (NOTE, "contact_note", "note-text-outline")):
            rows += [
                ListRow(value, ctx.tr(label), icon=icon, id=f"details_{label}")
                for value in contact_data(ctx.phone, key, mimetype)
            ]
        return rows

    def _switches(self, ctx: Context, found: store.Thread) -> list[Node]:
        address = found["address"]

        def flag(name: str, value: bool) -> None:
            store.set_flag(ctx.phone, [address], name, value)

        return [
            SwitchRow(
                ctx.tr("thread_notifications"),
                not found["muted"],
                lambda on: flag("muted", not on),
                icon="bell-outline",
                id="switch_notifications",
            ),
            SwitchRow(
                ctx.tr("pin_thread"),
                bool(found["pinned"]),
                lambda on: flag("pinned", on),
                icon="pin-outline",
                id="switch_pinned",
            ),
            SwitchRow(
                ctx.tr("archived"),
                bool(found["archived"]),
                lambda on: flag("archived", on),
                icon="archive-outline",
                id="switch_archived",
            ),
        ]

    def _deeds(self, ctx: Context, address: str, found: store.Thread | None) -> list[Node]:
        blocked = normalise(address) in threads.blocked_keys(ctx.phone)
        rows = [
            ListRow(
                ctx.tr("unblock" if blocked else "block_number"),
                icon="block-helper",
                on_tap=(lambda: threads.unblock(ctx.phone, address)) if blocked else ctx.show("block"),
                id="details_block",
            )
        ]
        if found is not None:
            text = ctx.tr("message_count", count=found["message_count"])
            rows.append(
                ListRow(
                    ctx.tr("delete_chat"),
                    text,
                    icon="trash-can-outline",
                    on_tap=ctx.show("delete"),
                    title_color="error",
                    id="details_delete",
                )
            )
        return rows

    def overlay_block(self, ctx: Context) -> Node:
        """Asks before the number is blocked."""

        def act() -> None:
            ctx.dismiss()
            store.block(ctx.phone, str(ctx.args["address"]))
            ctx.toast(ctx.tr("blocked_toast"))

        return Dialog(
            ctx,
            ctx.tr("block_title"),
            ctx.tr("block_text"),
            icon="block-helper",
            actions=((ctx.tr("cancel"), ctx.dismiss), (ctx.tr("block"), act)),
        )

    def overlay_delete(self, ctx: Context) -> Node:
        """Asks before the thread is deleted, which leads back to the list."""
        return delete_dialog(ctx, [str(ctx.args["address"])], lambda: ctx.go("inbox"))

    def overlay_existing(self, ctx: Context) -> Node:
        """Contacts, one of which gets the number."""
        address = str(ctx.args["address"])

        def give(person: Person) -> None:
            add_number(ctx.phone, person.contact_id, address)
            ctx.toast(ctx.tr("contact_saved"))

        listed = LazyList(
            people(ctx.phone),
            row=lambda person: rows.person_row(ctx, person, person.number, ctx.then_dismiss(give, person)),
            id="existing_list",
        )
        return Sheet(ctx, listed.replace(height=440.0), title=ctx.tr("add_to_existing"))


class AddContact(Screen):
    """A new contact with a number that wrote. Argument: `address`."""

    name = "add_contact"
    activity = ".ui.contact.AddContactActivity"

    def on_open(self, ctx: Context) -> None:
        """The number is filled in; the name waits for the user."""
        ctx.set_field("contact_name", "")
        ctx.set_field("contact_phone", str(ctx.args.get("address", "")))
        ctx.set_field("contact_note", "")
        ctx.focus("contact_name")

    def build(self, ctx: Context) -> Node:
        """The form."""
        error = ctx.ui.get("error", "")

        def save() -> None:
            name, number = ctx.field("contact_name").strip(), ctx.field("contact_phone").strip()
            missing = "name" if not name else "number" if not number else ""
            ctx.ui["error"] = missing
            if missing:
                return
            add_contact(ctx.phone, name, [number], note=ctx.field("contact_note").strip())
            ctx.toast(ctx.tr("contact_saved"))
            ctx.finish()

        def edited(text: str) -> None:
            ctx.ui["error"] = ""

        fields = Column(
            TextField(
                ctx,
                "contact_name",
                ctx.tr("contact_name"),
                icon="account-outline",
                action="next",
                on_change=edited,
                error=ctx.tr("name_missing") if error == "name" else "",
                on_submit=lambda: ctx.focus("contact_phone"),
            ),
            TextField(
                ctx,
                "contact_phone",
                ctx.tr("contact_phone"),
                icon="phone-outline",
                input_type="phone",
                action="next",
                on_change=edited,
                error=ctx.tr("number_missing") if error == "number" else "",
                on_submit=lambda: ctx.focus("contact_note"),
            ),
            TextField(ctx, "contact_note", ctx.tr("contact_note"), icon="note-text-outline", on_submit=save),
            gap=16.0,
            width=FILL,
            pad=(16.0, 16.0, 16.0, 16.0),
        )
        top = TopBar(ctx, ctx.tr("new_contact"), actions=[Button(ctx.tr("save"), save, id="save_contact")])
        close = IconButton("close", ctx.back(), ctx.tr("cancel"), id="cancel_contact", color="onSurface")
        top = top.replace(children=(close, *top.children[1:]))
        return Scaffold(LazyList([fields], id="contact_form"), top=top)


def _default_address(ctx: Context) -> None:
    if not ctx.args.get("address"):
        newest = store.list_threads(ctx.phone, archived=False, kind="all", people={})
        ctx.args["address"] = newest[0]["address"] if newest else ""
