"""Handing contacts to other apps and to files."""

from __future__ import annotations

from mobile_gym.phone.apps.contacts import look
from mobile_gym.phone.apps.contacts.store import PACKAGE, Contact
from mobile_gym.phone.apps.contacts.vcard import write_vcards
from mobile_gym.phone.door import Intent
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import Node
from mobile_gym.phone.ui.widgets import AppDisc, ListRow, Sheet

SEND = "android.intent.action.SEND"


def takers(ctx: Context) -> list[str]:
    """Packages of apps that take a text, sorted."""
    phone = ctx.phone
    return [
        package
        for package in phone.packages.names()
        if package in phone.apps
        and package != PACKAGE
        and phone.packages.enabled(package)
        and phone.apps[package].resolve(SEND, None, "text/plain", {}) is not None
    ]


def share_sheet(ctx: Context, contacts: list[Contact]) -> Node:
    """A sheet of what can take contacts: each app that takes a text, and a file."""
    extras: dict[str, str | int | float | bool] = {
        "android.intent.extra.TEXT": "\n\n".join(look.as_text(ctx, contact) for contact in contacts)
    }
    rows = []
    for package in takers(ctx):
        app = ctx.phone.apps[package]
        intent = Intent(package=package, action=SEND, mime="text/plain", extras=extras)
        rows.append(
            ListRow(
                ctx.tr("share_as_text", app=app.label(ctx.language)),
                leading=AppDisc(app.icon, 40.0) if app.icon is not None else None,
                icon="application-outline",
                on_tap=ctx.then_dismiss(ctx.launch(intent)),
                id="share_text",
            )
        )

    def save() -> None:
        stem = contacts[0].name if len(contacts) == 1 else "contacts"
        path = look.free_path(ctx, stem)
        look.write_file(ctx, path, write_vcards(contacts))
        ctx.toast(ctx.tr("file_saved", path=path))

    file = ListRow(
        ctx.tr("share_as_file"),
        ctx.tr("share_as_file_detail"),
        icon="file-account-outline",
        disc="Blue",
        on_tap=ctx.then_dismiss(save),
        id="share_file",
    )
    return Sheet(ctx, *rows, file, title=ctx.tr("share_contact"))
