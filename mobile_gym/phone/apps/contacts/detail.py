"""A contact's page."""

from __future__ import annotations

from collections.abc import Sequence

from mobile_gym.phone.apps.contacts import look, store
from mobile_gym.phone.apps.contacts.sharing import share_sheet
from mobile_gym.phone.apps.contacts.store import Contact, Item
from mobile_gym.phone.apps.contacts_provider.faces import contact_face
from mobile_gym.phone.apps.contacts_provider.numbers import normalise
from mobile_gym.phone.apps.contacts_provider.people import ADDRESS, EMAIL, NUMBER
from mobile_gym.phone.apps.telephony import threads
from mobile_gym.phone.door import Intent
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.system.tones import SILENT, tone_label, tone_names
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import (
    Center,
    Chip,
    Column,
    Dialog,
    Disc,
    EmptyState,
    Group,
    IconButton,
    LazyList,
    ListRow,
    Menu,
    MenuItem,
    Radio,
    Row,
    Scaffold,
    SectionTitle,
    Sheet,
    SwitchRow,
    Text,
    TopBar,
)


class Details(Screen):
    """One contact: buttons, numbers, addresses, what else is known, what applies to it. Argument: `id`."""

    name = "contact"
    activity = ".quickcontact.QuickContactActivity"

    def on_open(self, ctx: Context) -> None:
        """Without an id: the first contact of the list."""
        if not ctx.args.get("id"):
            first = store.entries(ctx.phone)
            ctx.args["id"] = first[0].id if first else 0

    def build(self, ctx: Context) -> Node:
        """The page."""
        key = int(ctx.args["id"])
        contact = store.contact(ctx.phone, key)
        if contact is None:
            gone = Center(EmptyState("account-off-outline", ctx.tr("not_found")))
            return Scaffold(gone, top=TopBar(ctx, ""))
        starred = contact.starred

        def star() -> None:
            store.set_flags(ctx.phone, key, starred=int(not starred))
            ctx.toast(ctx.tr("unstarred" if starred else "starred"))

        actions = (
            IconButton("pencil-outline", ctx.open("edit", id=key), ctx.tr("edit"), id="menu_edit", color="onSurface"),
            IconButton(
                "star" if starred else "star-outline",
                star,
                ctx.tr("unstar" if starred else "star"),
                id="menu_star",
                color="primary" if starred else "onSurface",
            ),
            IconButton("dots-vertical", ctx.show("more"), ctx.tr("more_options"), id="menu_more", color="onSurface"),
        )
        items = [self._head(ctx, contact), self._buttons(ctx, contact)]
        info = self._info(ctx, contact)
        if info:
            items += [SectionTitle(ctx.tr("contact_info")), *Group(info)]
        about = self._about(ctx, contact)
        if about:
            items += [SectionTitle(ctx.tr("about")), *Group(about)]
        items += [SectionTitle(ctx.tr("contact_settings")), *Group(self._settings(ctx, key, contact))]
        return Scaffold(
            LazyList(items, id="contact_page", bottom_pad=16.0), top=TopBar(ctx, "", actions=actions), bg="page"
        )

    def _head(self, ctx: Context, contact: Contact) -> Node:
        parts = [
            contact_face(contact.name, contact.photo, 112.0, id="photo"),
            Text(contact.name, "headlineMedium", text_align="center", width=FILL, id="large_title"),
        ]
        work = " · ".join(part for part in (contact.title, contact.company) if part)
        if work:
            parts.append(Text(work, "bodyLarge", "onSurfaceVariant", text_align="center", width=FILL, id="company"))
        titles = [store.group_title(ctx.phone, group) for group in contact.groups]
        chips = [
            Chip(title, on_tap=ctx.open("group", id=group), id="group_chip")
            for group, title in zip(contact.groups, titles, strict=True)
            if title
        ]
        if chips:
            parts.append(Row(*chips, gap=8.0))
        return Column(*parts, gap=8.0, align="center", width=FILL, pad=(24.0, 4.0, 24.0, 4.0))

    def _buttons(self, ctx: Context, contact: Contact) -> Node:
        numbers = [item.value for item in contact.phones]
        emails = [item.value for item in contact.emails]

        def with_number(deed: str) -> Handler:
            if len(numbers) > 1:
                return ctx.show("numbers", deed=deed)
            return self._deed(ctx, deed, numbers[0]) if numbers else (lambda: ctx.toast(ctx.tr("no_number")))

        def button(icon: str, key: str, on_tap: Handler, able: bool) -> Node:
            label = ctx.tr(key)
            return Column(
                Disc(icon, 56.0, "secondaryContainer", "onSecondaryContainer", 24.0),
                Text(label, "labelLarge", "onSurfaceVariant", text_align="center", width=FILL, max_lines=2),
                gap=8.0,
                align="center",
                weight=1.0,
                id=f"quick_{key}",
                desc=label,
                on_tap=on_tap,
                enabled=able,
                fade=1.0 if able else 0.38,
            )

        mail = self._mail(ctx, emails[0]) if emails else ctx.dismiss
        mails = bool(emails) and look.can_mail(ctx, emails[0])
        return Row(
            button("phone", "call", with_number("call"), bool(numbers)),
            button("message-text", "message", with_number("message"), bool(numbers)),
            button("email", "email", mail, mails),
            gap=16.0,
            width=FILL,
            align="start",
            pad=(40.0, 16.0, 40.0, 16.0),
        )

    def _deed(self, ctx: Context, deed: str, number: str) -> Handler:
        return (lambda: look.call(ctx, number)) if deed == "call" else look.text_to(ctx, [number])

    def _mail(self, ctx: Context, address: str) -> Handler:
        return ctx.launch(Intent(action=look.SENDTO, data=f"mailto:{address}"))

    def _copy(self, ctx: Context, text: str) -> Handler:
        def handle() -> None:
            ctx.phone.set_clipboard(text)
            ctx.toast(ctx.tr("copied"))

        return handle

    def _info(self, ctx: Context, contact: Contact) -> list[Node]:
        blocked = threads.blocked_keys(ctx.phone)
        rows = [self._phone(ctx, item, normalise(item.value) in blocked) for item in contact.phones]
        rows += [
            ListRow(
                item.value,
                look.type_label(ctx, EMAIL, item),
                icon="email-outline",
                on_tap=self._mail(ctx, item.value),
                on_long_press=self._copy(ctx, item.value),
                id="email_row",
            )
            for item in contact.emails
        ]
        rows += [
            ListRow(
                item.value,
                look.type_label(ctx, ADDRESS, item),
                icon="map-marker-outline",
                on_tap=ctx.launch(Intent(action="android.intent.action.VIEW", data=f"geo:0,0?q={item.value}")),
                on_long_press=self._copy(ctx, item.value),
                id="address_row",
            )
            for item in contact.addresses
        ]
        return rows

    def _phone(self, ctx: Context, item: Item, blocked: bool) -> Node:
        kind = look.type_label(ctx, NUMBER, item)
        message = IconButton(
            "message-text-outline",
            look.text_to(ctx, [item.value]),
            ctx.tr("message"),
            id="icon_message",
            color="primary",
        )
        return ListRow(
            look.number_text(ctx, item.value),
            f"{kind} · {ctx.tr('blocked')}" if blocked else kind,
            icon="phone-outline",
            trailing=message,
            on_tap=lambda: look.call(ctx, item.value),
            on_long_press=self._copy(ctx, item.value),
            id="phone_row",
        )

    def _about(self, ctx: Context, contact: Contact) -> list[Node]:
        rows = []
        if contact.birthday:
            text = look.birthday_text(ctx, contact.birthday)
            rows.append(ListRow(text, ctx.tr("birthday"), icon="cake-variant-outline", id="birthday_row"))
        if contact.note:
            copy = self._copy(ctx, contact.note)
            rows.append(
                ListRow(contact.note, ctx.tr("note"), icon="note-text-outline", on_long_press=copy, id="note_row")
            )
        return rows

    def _settings(self, ctx: Context, key: int, contact: Contact) -> list[Node]:
        default = ctx.settings.get("system", "ringtone") or SILENT
        tone = (
            tone_label(contact.ringtone, ctx.language)
            if contact.ringtone
            else ctx.tr("default_ringtone", tone=tone_label(default, ctx.language))
        )
        numbers = [item.value for item in contact.phones]
        blocked = _all_blocked(ctx, numbers)

        def unblock() -> None:
            for number in numbers:
                threads.unblock(ctx.phone, number)
            ctx.toast(ctx.tr("unblocked"))

        rows = [
            ListRow(
                ctx.tr("ringtone"), tone, icon="music-note-outline", on_tap=ctx.show("ringtone"), id="ringtone_row"
            ),
            SwitchRow(
                ctx.tr("voicemail"),
                contact.voicemail,
                lambda on: store.set_flags(ctx.phone, key, send_to_voicemail=int(on)),
                ctx.tr("voicemail_on") if contact.voicemail else "",
                icon="voicemail",
                id="voicemail_row",
            ),
            ListRow(ctx.tr("share_contact"), icon="share-variant-outline", on_tap=ctx.show("share"), id="share_row"),
        ]
        if numbers:
            rows.append(
                ListRow(
                    ctx.tr("unblock_numbers" if blocked else "block_numbers"),
                    icon="block-helper",
                    on_tap=unblock if blocked else ctx.show("block"),
                    id="block_row",
                )
            )
        rows.append(
            ListRow(
                ctx.tr("delete"),
                icon="trash-can-outline",
                title_color="error",
                on_tap=ctx.show("delete"),
                id="delete_row",
            )
        )
        return rows

    # ---- overlays

    def overlay_more(self, ctx: Context) -> Node:
        """Share, delete."""
        items = [
            MenuItem(ctx.tr("share"), ctx.then_dismiss(ctx.open_overlay, "share"), id="menu_share"),
            MenuItem(ctx.tr("ringtone"), ctx.then_dismiss(ctx.open_overlay, "ringtone"), id="menu_ringtone"),
            MenuItem(ctx.tr("delete"), ctx.then_dismiss(ctx.open_overlay, "delete"), id="menu_delete"),
        ]
        return Menu(ctx, items)

    def _contact(self, ctx: Context) -> Contact:
        return store.contact(ctx.phone, int(ctx.args["id"])) or Contact("")

    def overlay_numbers(self, ctx: Context, deed: str) -> Node:
        """Which number to call or to write to."""
        rows = [
            ListRow(
                look.number_text(ctx, item.value),
                look.type_label(ctx, NUMBER, item),
                icon="phone-outline" if deed == "call" else "message-text-outline",
                on_tap=ctx.then_dismiss(self._deed(ctx, deed, item.value)),
                id="number_choice",
            )
            for item in self._contact(ctx).phones
        ]
        return Sheet(ctx, *rows, title=ctx.tr("choose_number"))

    def overlay_share(self, ctx: Context) -> Node:
        """Where the contact goes."""
        return share_sheet(ctx, [self._contact(ctx)])

    def overlay_delete(self, ctx: Context) -> Node:
        """Asks before the contact is deleted."""

        def act() -> None:
            ctx.dismiss()
            store.delete(ctx.phone, [int(ctx.args["id"])])
            ctx.toast(ctx.tr("deleted_one"))
            ctx.finish()

        title = ctx.tr("delete_contact_title", name=self._contact(ctx).name)
        actions = ((ctx.tr("cancel"), ctx.dismiss), (ctx.tr("delete"), act))
        return Dialog(ctx, title, ctx.tr("delete_contact_text"), actions=actions)

    def overlay_block(self, ctx: Context) -> Node:
        """Asks before the contact's numbers are blocked."""
        contact = self._contact(ctx)

        def act() -> None:
            ctx.dismiss()
            for item in contact.phones:
                threads.block(ctx.phone, item.value)
            ctx.toast(ctx.tr("blocked"))

        actions = ((ctx.tr("cancel"), ctx.dismiss), (ctx.tr("block"), act))
        title = ctx.tr("block_title", name=contact.name)
        return Dialog(ctx, title, ctx.tr("block_text"), icon="block-helper", actions=actions)

    def overlay_ringtone(self, ctx: Context) -> Node:
        """The ringtones; the first row is that of the phone."""
        key = int(ctx.args["id"])
        current = self._contact(ctx).ringtone
        default = ctx.settings.get("system", "ringtone") or SILENT
        names = ["", SILENT, *tone_names("ringtone")]

        def row(name: str) -> Node:
            label = (
                tone_label(name, ctx.language)
                if name
                else ctx.tr("default_ringtone", tone=tone_label(default, ctx.language))
            )

            def take() -> None:
                store.set_flags(ctx.phone, key, custom_ringtone=name or None)

            return choice(label, name == current, ctx.then_dismiss(take))

        listed = LazyList(names, row=row, id="ringtone_list").replace(height=400.0)
        return Dialog(ctx, ctx.tr("ringtone"), listed, actions=((ctx.tr("cancel"), ctx.dismiss),))


def choice(label: str, chosen: bool, on_tap: Handler, id: str = "choice") -> Node:
    """A row of a dialog in which one of several is chosen."""
    return Node(
        "row",
        (Radio(chosen), Text(label, "bodyLarge", weight=1.0, id="text1")),
        gap=16.0,
        width=FILL,
        min_height=52.0,
        pad=(24.0, 4.0, 24.0, 4.0),
        id=id,
        on_tap=on_tap,
        checkable=True,
        checked=chosen,
    )


def _all_blocked(ctx: Context, numbers: Sequence[str]) -> bool:
    keys = threads.blocked_keys(ctx.phone)
    return bool(numbers) and all(normalise(number) in keys for number in numbers)
