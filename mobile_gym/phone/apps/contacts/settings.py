"""The app's settings, import and export, blocked numbers."""

from __future__ import annotations

from mobile_gym.phone.apps.contacts import look, store
from mobile_gym.phone.apps.contacts.detail import choice
from mobile_gym.phone.apps.contacts.vcard import read_vcards, write_vcards
from mobile_gym.phone.apps.contacts_provider.numbers import shown
from mobile_gym.phone.apps.telephony import threads
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.system.forms import asking_text, leaving
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import (
    Dialog,
    EmptyState,
    Fab,
    Group,
    IconButton,
    LazyList,
    ListRow,
    Scaffold,
    SectionTitle,
    Sheet,
    TextField,
    TopBar,
)

_CHOICES = {"sort_order": ("sort_first", "sort_last"), "name_format": ("format_first", "format_last")}
_EXPORT_NAME = "contacts"


class Settings(Screen):
    """Order and format of names, and ways to the rest."""

    name = "settings"
    activity = ".activities.ContactsPreferenceActivity"

    def build(self, ctx: Context) -> Node:
        """The rows."""
        rows = []
        for name, labels in _CHOICES.items():
            current = store.pref(ctx.phone, name, "first")
            label = ctx.tr(labels[1] if current == "last" else labels[0])
            rows.append(ListRow(ctx.tr(name), label, on_tap=ctx.show("choice", pref=name), id=name))
        manage = [
            ListRow(ctx.tr("import_export"), on_tap=ctx.open("import_export"), id="import_export"),
            ListRow(ctx.tr("merge_duplicates"), on_tap=ctx.open("merge"), id="merge_duplicates"),
            ListRow(ctx.tr("blocked_numbers"), on_tap=ctx.open("blocked"), id="blocked_numbers"),
        ]
        items = [
            SectionTitle(ctx.tr("display")),
            *Group(rows),
            SectionTitle(ctx.tr("manage")),
            *Group(manage),
        ]
        top = TopBar(ctx, ctx.tr("settings"))
        return Scaffold(LazyList(items, id="settings_list", top_pad=8.0), top=top, bg="page")

    def overlay_choice(self, ctx: Context, pref: str) -> Node:
        """The two ways."""
        current = store.pref(ctx.phone, pref, "first")
        rows = [
            choice(
                ctx.tr(label),
                value == current,
                ctx.then_dismiss(store.set_pref, ctx.phone, pref, value),
                id=label,
            )
            for value, label in zip(("first", "last"), _CHOICES[pref], strict=True)
        ]
        body = Node("col", rows, width=FILL)
        return Dialog(ctx, ctx.tr(pref), body, actions=((ctx.tr("cancel"), ctx.dismiss),))


class ImportExport(Screen):
    """vCard files of the Download folder."""

    name = "import_export"
    activity = ".activities.ImportExportActivity"

    def build(self, ctx: Context) -> Node:
        """Import, export."""
        rows = [
            ListRow(
                ctx.tr("import_vcf"),
                ctx.tr("import_summary"),
                icon="file-import-outline",
                on_tap=ctx.show("import"),
                id="import_vcf",
            ),
            ListRow(
                ctx.tr("export_vcf"),
                ctx.tr("export_summary"),
                icon="file-export-outline",
                on_tap=ctx.show("export"),
                id="export_vcf",
            ),
        ]
        top = TopBar(ctx, ctx.tr("import_export"))
        return Scaffold(LazyList(Group(rows), id="import_export_list", top_pad=8.0), top=top, bg="page")

    def overlay_import(self, ctx: Context) -> Node:
        """The files there are."""
        files = ctx.phone.state.files
        found = files.list(look.DOWNLOADS) if files.is_dir(look.DOWNLOADS) else []
        names = [name for name, entry in found if name.lower().endswith(".vcf") and not entry.is_dir]
        if not names:
            return Dialog(ctx, ctx.tr("import_vcf"), ctx.tr("no_files"), actions=((ctx.tr("ok"), ctx.dismiss),))
        rows = [
            ListRow(name, icon="file-account-outline", on_tap=ctx.then_dismiss(self._read, ctx, name), id="vcf_file")
            for name in names
        ]
        return Sheet(ctx, *rows, title=ctx.tr("import_vcf"))

    def _read(self, ctx: Context, name: str) -> None:
        text = ctx.phone.state.files.read(f"{look.DOWNLOADS}/{name}").decode("utf-8", "replace")
        contacts = read_vcards(text)
        for contact in contacts:
            store.save(ctx.phone, None, contact)
        ctx.toast(ctx.tr("imported", count=len(contacts)) if contacts else ctx.tr("imported_none"))

    def overlay_export(self, ctx: Context) -> Node:
        """Asks before the file is written."""
        entries = store.entries(ctx.phone)
        path = look.free_path(ctx, _EXPORT_NAME)

        def act() -> None:
            ctx.dismiss()
            found = [store.contact(ctx.phone, entry.id) for entry in entries]
            look.write_file(ctx, path, write_vcards([contact for contact in found if contact is not None]))
            ctx.toast(ctx.tr("exported", count=len(entries)))

        text = ctx.tr("export_text", count=len(entries), path=path)
        actions = ((ctx.tr("cancel"), ctx.dismiss), (ctx.tr("export"), act))
        return Dialog(ctx, ctx.tr("export_title"), text, actions=actions)


class Blocked(Screen):
    """Numbers whose calls and messages don't come through."""

    name = "blocked"
    activity = ".activities.BlockedNumbersActivity"

    def build(self, ctx: Context) -> Node:
        """The numbers, each with its way out."""

        def free(number: str) -> Handler:
            def handle() -> None:
                threads.unblock(ctx.phone, number)
                ctx.toast(ctx.tr("unblocked"))

            return handle

        def row(number: str) -> Node:
            button = IconButton("close", free(number), ctx.tr("unblock"), id="delete_button")
            return ListRow(shown(number, ctx.language), icon="block-helper", trailing=button, id="blocked_number")

        empty = EmptyState("block-helper", ctx.tr("no_blocked"))
        listed = LazyList(threads.blocked_numbers(ctx.phone), row=row, id="blocked_list", bottom_pad=88.0, empty=empty)
        fab = Fab(
            "plus",
            ctx.tr("add_blocked"),
            asking_text(ctx, "add", "blocked_number_field"),
            id="floating_action_button",
        )
        return Scaffold(listed, top=TopBar(ctx, ctx.tr("blocked_numbers")), fab=fab)

    def overlay_add(self, ctx: Context) -> Node:
        """Asks for a number to block."""
        if ctx.overlay is None:
            raise ValueError("overlay_add needs its overlay's values")
        state = ctx.overlay["ui"]

        def act() -> None:
            number = ctx.field("blocked_number_field").strip()
            if not any(char.isdigit() for char in number):
                state["error"] = True
                return
            ctx.focus(None)
            ctx.dismiss()
            threads.block(ctx.phone, number)

        box = TextField(
            ctx,
            "blocked_number_field",
            ctx.tr("phone"),
            input_type="phone",
            error=ctx.tr("bad_phone") if state.get("error") else "",
            on_submit=act,
        )
        body = Node("col", (box,), width=FILL, pad=(24.0, 0.0, 24.0, 0.0))
        actions = ((ctx.tr("cancel"), leaving(ctx)), (ctx.tr("block"), act))
        return Dialog(ctx, ctx.tr("add_blocked"), body, actions=actions)
