"""The Me tab and the settings."""

from __future__ import annotations

from mobile_gym.phone.apps.wallet import ledger, parts, store
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import (
    Avatar,
    Column,
    Dialog,
    Icon,
    IconButton,
    LazyList,
    ListRow,
    Row,
    SwitchRow,
    Text,
    TextField,
)


def head(ctx: Context) -> Node:
    """Who the user is."""
    mine = store.account(ctx.phone)
    return Row(
        Avatar(mine["name"][:1], 56.0, "#FFFFFF", "#1677FF", hidden_from_tree=True),
        Column(
            Text(mine["name"], "titleLarge", "onBrand", max_lines=1, id="profile_name"),
            Text(store.masked(mine["phone"]), "bodyMedium", "onBrand", max_lines=1, id="profile_phone"),
            weight=1.0,
            gap=2.0,
        ),
        IconButton("cog-outline", ctx.open("settings"), ctx.tr("settings"), id="open_settings", color="onBrand"),
        gap=16.0,
        width=FILL,
        min_height=88.0,
        pad=(16.0, 8.0, 4.0, 14.0),
        on_tap=ctx.open("profile"),
        id="profile",
    )


def body(ctx: Context) -> Node:
    """Points, money, settings."""
    mine = store.account(ctx.phone)
    cards = int(ctx.db.value("SELECT COUNT(*) FROM cards"))
    rows = [
        parts.gap(10.0),
        parts.panel(
            parts.entry(
                ctx, "star-circle", "inkOrange", ctx.tr("points"), ctx.open("points"), str(mine["points"]), "me_points"
            ),
            parts.entry(
                ctx, "ticket-percent", "inkRed", ctx.tr("service_coupons"), ctx.open("coupons"), "", "me_coupons"
            ),
        ),
        parts.panel(
            parts.entry(ctx, "receipt-text", "inkPurple", ctx.tr("service_bills"), ctx.open("bills"), "", "me_bills"),
            parts.entry(
                ctx,
                "credit-card-multiple",
                "inkTeal",
                ctx.tr("service_cards"),
                ctx.open("cards"),
                ctx.tr("cards_count", n=cards),
                "me_cards",
            ),
            parts.entry(
                ctx,
                "home-lightning-bolt",
                "inkOrange",
                ctx.tr("service_utilities"),
                ctx.open("utilities"),
                "",
                "me_utilities",
            ),
            parts.entry(ctx, "truck-fast", "inkBlue", ctx.tr("service_parcels"), ctx.open("parcels"), "", "me_parcels"),
        ),
        parts.panel(
            parts.entry(ctx, "human-cane", "inkGreen", ctx.tr("service_elder"), ctx.open("elder"), "", "me_elder"),
            parts.entry(ctx, "shield-check", "inkBlue", ctx.tr("security"), ctx.open("security"), "", "me_security"),
            parts.entry(ctx, "cog", "inkTeal", ctx.tr("settings"), ctx.open("settings"), "", "me_settings"),
            parts.entry(ctx, "information", "inkPurple", ctx.tr("about"), ctx.open("about"), "", "me_about"),
        ),
        parts.gap(12.0),
    ]
    return LazyList(rows, id="me_list")


class Profile(Screen):
    """The user's facts."""

    name = "profile"
    activity = ".me.ProfileActivity"

    def build(self, ctx: Context) -> Node:
        """Name, number, verification, code."""
        mine = store.account(ctx.phone)
        real = (
            mine["real_name"]
            if store.flag(ctx.phone, "show_real_name")
            else "*" * max(len(mine["real_name"]) - 1, 1) + mine["real_name"][-1:]
        )

        def edit() -> None:
            ctx.set_field("name", mine["name"])
            ctx.open_overlay("name")

        rows = [
            parts.panel(
                parts.entry(ctx, "", "inkBlue", ctx.tr("nickname"), edit, mine["name"], "nickname"),
                parts.fact(ctx, ctx.tr("real_name"), real, "real_name"),
                parts.fact(ctx, ctx.tr("phone_number"), store.masked(mine["phone"]), "phone"),
                parts.fact(ctx, ctx.tr("verification"), ctx.tr("verified")),
            ),
            parts.panel(
                parts.entry(
                    ctx, "qrcode", "inkTeal", ctx.tr("service_collect"), ctx.open("collect"), "", "profile_code"
                )
            ),
        ]
        return parts.page(ctx, ctx.tr("profile"), rows)

    def overlay_name(self, ctx: Context) -> Node:
        """The name that others see."""

        def close() -> None:
            ctx.focus(None)
            ctx.dismiss()

        def save() -> None:
            text = ctx.field("name").strip()
            if text:
                ctx.db.update("accounts", store.account(ctx.phone)["_id"], name=text)
                close()

        body = Node(
            "box",
            (TextField(ctx, "name", ctx.tr("nickname"), max_length=16, on_submit=save),),
            width=FILL,
            pad=(24.0, 0.0, 24.0, 0.0),
        )
        return Dialog(ctx, ctx.tr("nickname"), body, actions=[(ctx.tr("cancel"), close), (ctx.tr("save"), save)])


def switch(ctx: Context, name: str, text: str = "") -> Node:
    """A row whose switch is one of the wallet's settings."""
    return SwitchRow(
        ctx.tr(name),
        store.flag(ctx.phone, name),
        lambda on: store.put_pref(ctx.phone, name, on),
        ctx.tr(text) if text else "",
        id=name,
    )


class Settings(Screen):
    """The settings' first page."""

    name = "settings"
    activity = ".setting.SettingsActivity"

    def build(self, ctx: Context) -> Node:
        """What can be set."""
        rows = [
            parts.panel(
                parts.entry(
                    ctx, "lock", "inkBlue", ctx.tr("pay_settings"), ctx.open("pay_settings"), "", "pay_settings"
                ),
                parts.entry(ctx, "shield-check", "inkGreen", ctx.tr("security"), ctx.open("security"), "", "security"),
                parts.entry(ctx, "eye-off", "inkPurple", ctx.tr("privacy"), ctx.open("privacy"), "", "privacy"),
            ),
            parts.panel(
                parts.entry(
                    ctx,
                    "bell",
                    "inkOrange",
                    ctx.tr("notify_settings"),
                    ctx.open("notify_settings"),
                    "",
                    "notify_settings",
                ),
                parts.entry(
                    ctx,
                    "human-cane",
                    "inkGreen",
                    ctx.tr("service_elder"),
                    ctx.open("elder"),
                    ctx.tr("on" if store.flag(ctx.phone, "elder_mode") else "off"),
                    "elder_mode",
                ),
                parts.entry(
                    ctx, "view-grid", "inkTeal", ctx.tr("edit_services"), ctx.open("services"), "", "edit_services"
                ),
            ),
            parts.panel(parts.entry(ctx, "information", "inkBlue", ctx.tr("about"), ctx.open("about"), "", "about")),
        ]
        return parts.page(ctx, ctx.tr("settings"), rows)


class NotifySettings(Screen):
    """Which notices are posted."""

    name = "notify_settings"
    activity = ".setting.NotifySettingsActivity"

    def build(self, ctx: Context) -> Node:
        """Four switches."""
        rows = [
            switch(ctx, f"notify_{kind}", f"notify_{kind}_text")
            for kind in ("payment", "transfer", "arrears", "logistics")
        ]
        return parts.page(ctx, ctx.tr("notify_settings"), [parts.panel(*rows)])


class Privacy(Screen):
    """What is shown to whom."""

    name = "privacy"
    activity = ".setting.PrivacyActivity"

    def build(self, ctx: Context) -> Node:
        """Three switches."""
        return parts.page(
            ctx,
            ctx.tr("privacy"),
            [
                parts.panel(
                    switch(ctx, "hide_balance", "hide_balance_text"),
                    switch(ctx, "find_by_phone", "find_by_phone_text"),
                    switch(ctx, "show_real_name", "show_real_name_text"),
                )
            ],
        )


class Security(Screen):
    """How safe the account is."""

    name = "security"
    activity = ".setting.SecurityActivity"

    def build(self, ctx: Context) -> Node:
        """A verdict, and the ways to change things."""
        minutes = ledger.lock_minutes(ctx.phone)
        devices = int(ctx.db.value("SELECT COUNT(*) FROM devices"))
        top = parts.panel(
            Icon(
                "shield-lock" if minutes else "shield-check",
                56.0,
                "alert" if minutes else "inkGreen",
                hidden_from_tree=True,
            ),
            Text(
                ctx.tr("security_locked" if minutes else "security_good"),
                "titleMedium",
                text_align="center",
                id="security_state",
            ),
            align="center",
            gap=10.0,
            pad=(16.0, 20.0, 16.0, 20.0),
        )
        tips = [
            Row(
                Icon("check", 20.0, "inkGreen", hidden_from_tree=True),
                Text(ctx.tr(key), "bodyMedium", weight=1.0),
                gap=12.0,
                width=FILL,
                align="start",
                pad=(16.0, 6.0, 16.0, 6.0),
            )
            for key in ("tip_code", "tip_stranger", "tip_link")
        ]
        rows = [
            top,
            parts.panel(
                parts.entry(
                    ctx, "lock-reset", "inkBlue", ctx.tr("change_pin"), ctx.open("change_pin"), "", "change_pin"
                ),
                parts.entry(
                    ctx,
                    "devices",
                    "inkTeal",
                    ctx.tr("devices"),
                    ctx.open("devices"),
                    ctx.tr("devices_count", n=devices),
                    "devices",
                ),
            ),
            parts.panel(parts.heading(ctx.tr("tips")), *tips, pad=(0.0, 0.0, 0.0, 12.0)),
        ]
        return parts.page(ctx, ctx.tr("security"), rows)


class Devices(Screen):
    """Where the account is signed in."""

    name = "devices"
    activity = ".setting.DevicesActivity"

    def build(self, ctx: Context) -> Node:
        """This phone, and others that can be removed."""
        rows = []
        for device in ctx.db.rows("SELECT * FROM devices ORDER BY current DESC, date DESC"):
            tail = (
                Text(ctx.tr("this_device"), "labelMedium", "primary", max_lines=1)
                if device["current"]
                else IconButton(
                    "close", ctx.show("remove", id=device["_id"]), ctx.tr("remove_device"), id="remove_device"
                )
            )
            detail = " · ".join(text for text in (device["place"], parts.stamp(ctx, device["date"])) if text)
            rows.append(
                ListRow(
                    device["name"], detail, leading=parts.glyph("cellphone", "inkBlue"), trailing=tail, id="device_row"
                )
            )
        return parts.page(ctx, ctx.tr("devices"), [parts.panel(*rows)] if rows else [])

    def overlay_remove(self, ctx: Context, id: int) -> Node:
        """Asks before a device is signed out."""

        def remove() -> None:
            ctx.db.delete("devices", id)
            ctx.toast(ctx.tr("device_removed"))

        return Dialog(
            ctx,
            ctx.tr("remove_device"),
            ctx.tr("remove_device_text"),
            actions=[(ctx.tr("cancel"), ctx.dismiss), (ctx.tr("remove"), ctx.then_dismiss(remove))],
        )


class About(Screen):
    """Name and version."""

    name = "about"
    activity = ".setting.AboutActivity"

    def build(self, ctx: Context) -> Node:
        """Logo, version, terms."""
        version = ctx.phone.packages.info(store.PACKAGE).version_name
        logo = Node(
            "box",
            (Icon("wallet", 40.0, "#FFFFFF", place="center-center", hidden_from_tree=True),),
            width=72.0,
            height=72.0,
            radius=20.0,
            bg="#1677FF",
            hidden_from_tree=True,
        )
        top = Column(
            logo,
            Text(ctx.tr("app_name"), "titleLarge"),
            Text(ctx.tr("version", version=version), "bodyMedium", "onSurfaceVariant", id="version"),
            align="center",
            gap=8.0,
            width=FILL,
            pad=(16.0, 24.0, 16.0, 24.0),
        )
        menu = parts.panel(
            parts.entry(
                ctx, "file-document-outline", "inkBlue", ctx.tr("terms"), ctx.show("text", key="terms"), "", "terms"
            ),
            parts.entry(
                ctx,
                "shield-account-outline",
                "inkGreen",
                ctx.tr("privacy_policy"),
                ctx.show("text", key="privacy_policy"),
                "",
                "privacy_policy",
            ),
            parts.entry(
                ctx,
                "update",
                "inkTeal",
                ctx.tr("check_update"),
                lambda: ctx.toast(ctx.tr("up_to_date")),
                "",
                "check_update",
            ),
        )
        return parts.page(ctx, ctx.tr("about"), [top, menu])

    def overlay_text(self, ctx: Context, key: str) -> Node:
        """Terms or policy."""
        return Dialog(ctx, ctx.tr(key), ctx.tr(f"{key}_text"), actions=[(ctx.tr("ok"), ctx.dismiss)])
