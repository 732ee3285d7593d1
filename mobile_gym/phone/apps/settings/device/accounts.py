"""Passwords and accounts: the owner's account and what it syncs."""

from __future__ import annotations

from mobile_gym.phone.apps.settings.device.store import base
from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.apps.settings.parts import note, setting_switch
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.system.formats import age_text
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Avatar, Button, Dialog, Group, ListRow, SectionTitle, SwitchRow

PARTS = (("sync_contacts", "account-box-outline"), ("sync_calendar", "calendar-outline"))
"""Columns of what is synced, each with its icon."""


def moment_text(ctx: Context, ms: int) -> str:
    """When something was last done, as lists show it."""
    return age_text(ctx.phone.state.clock.at(ms), ctx.now, ctx.phone.use_24_hours, ctx.language)


class Accounts(Page):
    """The accounts, and whether they sync by themselves."""

    name = "accounts"
    activity = ".Settings$AccountDashboardActivity"
    title = "accounts"
    icon, disc = "account-key-outline", "Teal"
    keywords = "accounts_words"
    entries = {"auto_sync": "auto_sync_words"}
    actions = ("android.settings.SYNC_SETTINGS",)

    def rows(self, ctx: Context) -> list[Node]:
        """Accounts, then the switch."""
        rows = [
            ListRow(
                account["name"],
                account["address"],
                leading=Avatar(account["name"][:1], 40.0, "tertiary", "onTertiary"),
                on_tap=ctx.open("account", id=account["_id"]),
                id="account",
            )
            for account in base(ctx).rows("SELECT * FROM accounts ORDER BY _id")
        ]
        sync = setting_switch(ctx, "auto_sync", "global", "auto_sync", summary=ctx.tr("auto_sync_summary"), default="1")
        found = Group(rows) if rows else [note(ctx.tr("no_accounts"))]
        return [SectionTitle(ctx.tr("accounts_of_owner")), *found, *Group([sync])]


class Account(Page):
    """One account."""

    name = "account"
    activity = ".Settings$AccountSyncSettingsActivity"
    title = "account_sync"
    parent = "accounts"
    searchable = False

    def rows(self, ctx: Context) -> list[Node]:
        """What it syncs, and when it last did."""
        account = base(ctx).row("SELECT * FROM accounts WHERE _id = ?", int(ctx.args.get("id", 1)))
        if account is None:
            return [note(ctx.tr("no_accounts"))]
        key = int(account["_id"])
        head = ListRow(
            account["name"],
            account["address"],
            leading=Avatar(account["name"][:1], 40.0, "tertiary", "onTertiary"),
            id="account_header",
        )

        def turn(column: str) -> None:
            base(ctx).update("accounts", key, **{column: int(not account[column])})

        last = ctx.tr("synced_at", when=moment_text(ctx, int(account["synced_ms"])))
        rows = [
            SwitchRow(
                ctx.tr(column),
                bool(account[column]),
                lambda _, column=column: turn(column),  # type: ignore[misc]
                last if account[column] else ctx.tr("sync_off"),
                icon=icon,
                id=column,
            )
            for column, icon in PARTS
        ]

        def sync() -> None:
            base(ctx).update("accounts", key, synced_ms=ctx.now_ms)
            ctx.toast(ctx.tr("synced"))

        some = any(account[column] for column, _ in PARTS)
        now = Button(ctx.tr("sync_now"), sync if some else None, id="sync_now", enabled=some)
        remove = Button(ctx.tr("remove_account"), ctx.show("remove", key=key), tone="outlined", id="remove_account")
        buttons = Node("row", (now, remove), gap=12.0, width=FILL, pad=(16.0, 0.0, 16.0, 16.0))
        return [*Group([head]), *Group(rows), buttons]

    def overlay_remove(self, ctx: Context, key: int) -> Node:
        """Asks before the account goes."""

        def remove() -> None:
            ctx.dismiss()
            base(ctx).delete("accounts", key)
            ctx.finish()

        return Dialog(
            ctx,
            ctx.tr("remove_account_title"),
            ctx.tr("remove_account_text"),
            actions=[(ctx.tr("cancel"), ctx.dismiss), (ctx.tr("remove_account"), remove)],
        )


SCREENS = (Accounts, Account)
