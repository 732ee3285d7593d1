"""The app's settings, and the account."""

from __future__ import annotations

from mobile_gym.phone.apps.shop import look, store
from mobile_gym.phone.apps.shop.sheets import close_row, gap
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Dialog, Disc, LazyList, Scaffold, Sheet, Space, SwitchRow, Text, TextField
from mobile_gym.phone.ui.widgets.date_picker import DatePicker

SWITCHES = (("notify_orders", "notify_offers", "notify_service"), ("large_font",), ("recommend",))


class Settings(Screen):
    """Switches, cache, about."""

    name = "settings"
    activity = ".SettingsActivity"

    def build(self, ctx: Context) -> Node:
        """Groups of rows."""
        items: list[Node] = [gap()]
        items += [
            look.card(
                look.line_row(
                    ctx.tr("account"), store.get_setting(ctx.phone, "nickname"), ctx.open("account"), "settings_account"
                ),
                look.line_row(ctx.tr("addresses"), "", ctx.open("addresses"), "settings_addresses"),
                pad=(16.0, 2.0, 12.0, 2.0),
            ),
            gap(),
        ]
        for group in SWITCHES:
            rows = [self._switch(ctx, key) for key in group]
            items += [look.card(*rows, pad=(0.0, 0.0, 0.0, 0.0)), gap()]
        kilobytes = int(store.get_setting(ctx.phone, "cache_kb", "0"))
        size = f"{kilobytes / 1024:.1f} MB" if kilobytes else "0 MB"
        items.append(
            look.card(
                look.line_row(ctx.tr("clear_cache"), size, ctx.show("cache"), "clear_cache"),
                look.line_row(ctx.tr("about"), f"V{ctx.app.version_name}", ctx.show("about"), "about"),
                pad=(16.0, 2.0, 12.0, 2.0),
            )
        )
        body = Node("box", (LazyList(items, id="settings_list", bottom_pad=16.0),), width=FILL, bg="page")
        return Scaffold(body, top=look.bar(ctx, ctx.tr("settings")), bg="card")

    def _switch(self, ctx: Context, key: str) -> Node:
        on = store.get_setting(ctx.phone, key, "1") == "1"
        return SwitchRow(
            ctx.tr(key),
            on,
            lambda value: store.put_setting(ctx.phone, key, int(value)),
            ctx.tr(f"{key}_detail"),
            id=key,
        )

    def overlay_cache(self, ctx: Context) -> Node:
        """Asks before the cache is cleared."""

        def act() -> None:
            store.put_setting(ctx.phone, "cache_kb", 0)
            ctx.phone.packages.clear_cache(store.PACKAGE)
            ctx.toast(ctx.tr("cache_cleared"))

        return Dialog(
            ctx,
            ctx.tr("clear_cache"),
            ctx.tr("clear_cache_ask"),
            actions=((ctx.tr("cancel"), ctx.dismiss), (ctx.tr("clear"), ctx.then_dismiss(act))),
        )

    def overlay_about(self, ctx: Context) -> Node:
        """Name and version."""
        return Dialog(
            ctx,
            ctx.tr("app_name"),
            ctx.tr("about_text", version=ctx.app.version_name),
            icon="storefront-outline",
            actions=((ctx.tr("ok"), ctx.dismiss),),
        )


class Account(Screen):
    """Name, number, gender, birthday, wallet."""

    name = "account"
    activity = ".AccountActivity"

    def build(self, ctx: Context) -> Node:
        """The rows."""
        phone = ctx.phone
        gender = store.get_setting(phone, "gender")
        head = Node(
            "col",
            (
                Disc("account", 76.0, "primaryContainer", "primary", 42.0, id="avatar"),
                Text(store.get_setting(phone, "nickname"), "titleMedium", id="nickname"),
            ),
            gap=8.0,
            align="center",
            width=FILL,
            pad=(0.0, 20.0, 0.0, 16.0),
        )

        def rename() -> None:
            ctx.set_field("nickname", store.get_setting(phone, "nickname"))
            ctx.open_overlay("nickname")

        rows = look.card(
            look.line_row(ctx.tr("nickname"), store.get_setting(phone, "nickname"), rename, "nickname_row"),
            look.line_row(
                ctx.tr("phone_number"), store.shown_phone(store.get_setting(phone, "phone")), id="account_phone"
            ),
            look.line_row(ctx.tr("gender"), ctx.tr(f"gender_{gender or 'none'}"), ctx.show("gender"), "gender_row"),
            look.line_row(
                ctx.tr("birthday"),
                store.get_setting(phone, "birthday") or ctx.tr("not_set"),
                ctx.show("birthday"),
                "birthday_row",
            ),
            pad=(16.0, 2.0, 12.0, 2.0),
        )
        balance = int(store.get_setting(phone, "balance_cents", "0"))
        money = look.card(
            look.line_row(ctx.tr("wallet"), look.money(balance), id="wallet_row", value_color="primary", strong=True),
            pad=(16.0, 2.0, 16.0, 2.0),
        )
        body = Node("box", (LazyList([head, rows, gap(), money], id="account_list"),), width=FILL, bg="page")
        return Scaffold(body, top=look.bar(ctx, ctx.tr("account")), bg="card")

    def overlay_nickname(self, ctx: Context) -> Node:
        """Changes the name."""

        def save() -> None:
            text = ctx.field("nickname").strip()
            if text:
                store.put_setting(ctx.phone, "nickname", text)
            ctx.focus(None)
            ctx.dismiss()

        body = Node("col", (TextField(ctx, "nickname", ctx.tr("nickname"), max_length=16),), pad=(24.0, 0.0, 24.0, 0.0))
        return Dialog(ctx, ctx.tr("nickname"), body, actions=((ctx.tr("cancel"), ctx.dismiss), (ctx.tr("save"), save)))

    def overlay_gender(self, ctx: Context) -> Node:
        """Chooses the gender."""
        current = store.get_setting(ctx.phone, "gender")

        def choose(key: str) -> Handler:
            return ctx.then_dismiss(store.put_setting, ctx.phone, "gender", key)

        entries = [
            (ctx.tr(f"gender_{key or 'none'}"), f"gender_{key or 'none'}", key == current, choose(key))
            for key in ("female", "male", "")
        ]
        return Sheet(ctx, close_row(ctx, ctx.tr("gender")), *look.choices(ctx, entries), Space(height=8.0))

    def overlay_birthday(self, ctx: Context) -> Node:
        """Chooses the day."""
        text = store.get_setting(ctx.phone, "birthday") or "1958-03-12"
        start = (int(text[:4]), int(text[5:7]), int(text[8:10]))

        def take(year: int, month: int, day: int) -> None:
            store.put_setting(ctx.phone, "birthday", f"{year:04d}-{month:02d}-{day:02d}")

        return DatePicker(ctx, ctx.tr("birthday"), start, take)
