"""The app's settings."""

from __future__ import annotations

from collections.abc import Sequence

from mobile_gym.phone.apps.contacts_provider.numbers import shown
from mobile_gym.phone.apps.messenger import look, overlays, store
from mobile_gym.phone.apps.messenger.bubbles import FONT_SIZES
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Icon, LazyList, Slider, Text, TextField

_RANGES = ("all", "half_year", "month", "three_days")
_OLD, _NEW = "old_password", "new_password"
_SHORTEST = 8


def _switch(ctx: Context, name: str, summary: str = "") -> Node:
    """A row whose switch is one of the app's settings."""

    def turn(on: bool) -> None:
        store.put_setting(ctx.phone, name, str(int(on)))

    return look.switch_row(
        ctx,
        ctx.tr(f"set_{name}"),
        store.is_on(ctx.phone, name),
        turn,
        id=name,
        summary=ctx.tr(summary) if summary else "",
    )


def _page(ctx: Context, title: str, rows: Sequence[Node]) -> Node:
    return look.page(
        ctx, LazyList(look.cards(rows), id="settings_list", bottom_pad=24.0), top=look.top_bar(ctx, ctx.tr(title))
    )


def _entry(ctx: Context, key: str, screen: str, value: str = "", line: bool = True) -> Node:
    return look.row(ctx, ctx.tr(key), id=f"entry_{screen}", value=value, on_tap=ctx.open(screen), line=line)


class Settings(Screen):
    """All settings."""

    name = "settings"
    activity = ".plugin.setting.ui.setting.SettingsUI"

    def build(self, ctx: Context) -> Node:
        """Entries."""
        return _page(
            ctx,
            "settings",
            [
                look.gap(),
                _entry(ctx, "account_security", "account", line=False),
                look.gap(),
                _entry(ctx, "notify_settings", "notify"),
                _entry(ctx, "privacy", "privacy"),
                _entry(ctx, "general", "general"),
                _entry(ctx, "storage", "storage", line=False),
                look.gap(),
                _entry(ctx, "about", "about", ctx.tr("version", version="8.0.58"), line=False),
            ],
        )


class Account(Screen):
    """Account and security."""

    name = "account"
    activity = ".plugin.setting.ui.setting.SettingsAccountInfoUI"

    def build(self, ctx: Context) -> Node:
        """The account's facts, password and PIN."""
        me = store.person(ctx.phone, store.ME)
        assert me is not None

        def edit(what: str, value: str) -> Node:
            return look.row(
                ctx, ctx.tr(f"edit_{what}"), id=what, value=value, on_tap=ctx.open("edit_text", what=what, key=store.ME)
            )

        picture = look.face(me["name"], me["avatar"], 48.0, id="my_avatar")
        return _page(
            ctx,
            "account_security",
            [
                look.gap(),
                look.row(ctx, ctx.tr("avatar"), id="avatar_row", trailing=picture),
                edit("my_name", me["name"]),
                look.row(ctx, ctx.tr("my_code"), id="my_code", on_tap=ctx.open("my_code")),
                edit("region", me["region"]),
                edit("signature", me["signature"]),
                look.row(ctx, ctx.tr("account_id"), id="account_id", value=me["account"]),
                look.row(
                    ctx, ctx.tr("phone_number"), id="phone_number", value=shown(me["number"], ctx.language), line=False
                ),
                look.gap(),
                look.row(ctx, ctx.tr("change_password"), id="change_password", on_tap=ctx.show("password")),
                look.row(ctx, ctx.tr("change_pin"), id="change_pin", on_tap=ctx.open("pay_pin", change=True)),
                _switch(ctx, "login_check", "login_check_note"),
            ],
        )

    def overlay_password(self, ctx: Context) -> Node:
        """Asks for the old password and a new one."""
        assert ctx.overlay is not None
        state = ctx.overlay["ui"]

        def close() -> None:
            ctx.set_field(_OLD, "")
            ctx.set_field(_NEW, "")
            ctx.focus(None)
            ctx.dismiss()

        def save() -> None:
            if ctx.field(_OLD) != store.setting(ctx.phone, "password"):
                state["wrong"] = "password_wrong"
            elif len(ctx.field(_NEW)) < _SHORTEST:
                state["wrong"] = "password_short"
            else:
                store.put_setting(ctx.phone, "password", ctx.field(_NEW))
                close()
                ctx.toast(ctx.tr("password_changed"))

        wrong = str(state.get("wrong", ""))
        old = TextField(ctx, _OLD, ctx.tr("password_old"), password=True, input_type="password", action="next")
        new = TextField(
            ctx,
            _NEW,
            ctx.tr("password_new"),
            password=True,
            input_type="password",
            error=ctx.tr(wrong) if wrong else "",
            on_submit=save,
        )
        body = Node("col", (old, new), gap=12.0, width=FILL, pad=(20.0, 0.0, 20.0, 0.0), hidden_from_tree=True)
        return overlays.dialog(
            ctx, ctx.tr("change_password"), body, actions=((ctx.tr("cancel"), close), (ctx.tr("save"), save))
        )


class Notify(Screen):
    """Notifications of new messages."""

    name = "notify"
    activity = ".plugin.setting.ui.setting.SettingsNotificationUI"

    def build(self, ctx: Context) -> Node:
        """Switches."""
        rows = [look.gap(), _switch(ctx, "notify", "notify_note")]
        if store.is_on(ctx.phone, "notify"):
            rows += [
                _switch(ctx, "notify_preview", "notify_preview_note"),
                look.gap(),
                _switch(ctx, "notify_sound"),
                _switch(ctx, "notify_vibrate"),
            ]
        rows += [look.gap(), _switch(ctx, "notify_moments", "notify_moments_note")]
        return _page(ctx, "notify_settings", rows)


class Privacy(Screen):
    """Who may find the owner and see the moments."""

    name = "privacy"
    activity = ".plugin.setting.ui.setting.SettingsPrivacyUI"

    def build(self, ctx: Context) -> Node:
        """Switches, blacklist, range of moments."""
        count = ctx.db.value("SELECT COUNT(*) FROM contacts WHERE blacklisted = 1")
        value = ctx.tr("person_count", count=count) if count else ""
        return _page(
            ctx,
            "privacy",
            [
                look.section(ctx, ctx.tr("friends_part")),
                _switch(ctx, "verify_requests"),
                _switch(ctx, "find_by_number"),
                _switch(ctx, "find_by_account"),
                _switch(ctx, "recommend", "recommend_note"),
                look.gap(),
                _entry(ctx, "blacklist", "blacklist", value, line=False),
                look.section(ctx, ctx.tr("moments")),
                look.row(
                    ctx,
                    ctx.tr("moments_range"),
                    id="moments_range",
                    value=ctx.tr(f"range_{store.setting(ctx.phone, 'moments_range')}"),
                    on_tap=ctx.show("range"),
                ),
                _switch(ctx, "moments_strangers"),
            ],
        )

    def overlay_range(self, ctx: Context) -> Node:
        """How far back friends see the moments."""

        def entry(name: str) -> tuple[str, str, object]:
            return f"range_{name}", ctx.tr(f"range_{name}"), lambda: store.put_setting(ctx.phone, "moments_range", name)

        return overlays.sheet(ctx, [entry(name) for name in _RANGES], ctx.tr("moments_range"))  # type: ignore[misc]


class General(Screen):
    """Size of the text, and how chats behave."""

    name = "general"
    activity = ".plugin.setting.ui.setting.SettingsGeneralUI"

    def build(self, ctx: Context) -> Node:
        """Sample, slider, switches."""
        t = look.tone(ctx)
        place = int(store.setting(ctx.phone, "font_size") or 1)
        size = FONT_SIZES[min(max(place, 0), len(FONT_SIZES) - 1)]

        def put(share: float) -> None:
            store.put_setting(ctx.phone, "font_size", str(round(share * (len(FONT_SIZES) - 1))))

        sample = Text(
            ctx.tr("font_sample"),
            "bodyLarge",
            t.out_ink,
            size_sp=size,
            line_sp=size * 24 / 17,
            bg=t.out,
            radius=6.0,
            pad=(12.0, 9.0, 12.0, 9.0),
            max_width=262.0,
            id="font_sample",
        )
        slider = Slider(
            place / (len(FONT_SIZES) - 1), put, id="font_slider", desc=ctx.tr("font_size"), steps=len(FONT_SIZES) - 1
        )
        ends = Node(
            "row",
            (
                Text("A", "bodyMedium", t.ink),
                slider.replace(weight=1.0),
                Text("A", "titleLarge", t.ink),
            ),
            gap=12.0,
            width=FILL,
            hidden_from_tree=True,
        )
        card = Node(
            "col",
            (
                Text(ctx.tr("font_size"), "bodyLarge", t.ink, id="title"),
                Node("row", (sample,), width=FILL, justify="end", hidden_from_tree=True),
                ends,
                Text(ctx.tr(f"font_{place}"), "bodyMedium", t.faint, text_align="center", width=FILL, id="font_name"),
            ),
            gap=12.0,
            width=FILL,
            bg=t.card,
            pad=(16.0, 16.0, 16.0, 16.0),
            id="font_card",
        )
        rows = [
            look.gap(),
            card,
            look.gap(),
            _switch(ctx, "enter_sends"),
            _switch(ctx, "earpiece"),
            _switch(ctx, "download_wifi"),
        ]
        return _page(ctx, "general", rows)


class Storage(Screen):
    """How much room the app takes."""

    name = "storage"
    activity = ".plugin.clean.ui.CleanUI"

    def build(self, ctx: Context) -> Node:
        """Sizes, and the way to make room."""
        t = look.tone(ctx)
        size, data, cache = ctx.phone.packages.info(store.PACKAGE).size_bytes
        mib = 1024 * 1024

        def text(value: int) -> str:
            return f"{value / mib:.1f} MB"

        head = Node(
            "col",
            (
                Text(text(size + data + cache), "displaySmall", t.ink, text_weight=500, id="storage_total"),
                Text(ctx.tr("storage_used"), "bodyMedium", t.faint),
            ),
            gap=4.0,
            align="center",
            width=FILL,
            pad=(16.0, 28.0, 16.0, 28.0),
            bg=t.card,
            hidden_from_tree=True,
        )
        clear = look.button(ctx, ctx.tr("clean"), ctx.show("clean"), id="clean_cache", small=True, enabled=cache > 0)
        messages = ctx.db.value("SELECT COUNT(*) FROM messages")
        rows = [
            head,
            look.gap(),
            look.row(ctx, ctx.tr("storage_cache"), id="storage_cache", summary=text(cache), trailing=clear),
            look.row(
                ctx,
                ctx.tr("storage_chats"),
                id="storage_chats",
                summary=ctx.tr("storage_chats_note", size=text(data), count=messages),
                trailing=look.button(
                    ctx,
                    ctx.tr("clean_all"),
                    ctx.show("clear_all"),
                    id="clear_all",
                    small=True,
                    plain=True,
                    enabled=messages > 0,
                ),
            ),
            look.row(ctx, ctx.tr("storage_app"), id="storage_app", value=text(size), line=False),
        ]
        return _page(ctx, "storage", rows)

    def overlay_clean(self, ctx: Context) -> Node:
        """Asks before the cache goes."""

        def act() -> None:
            ctx.phone.packages.clear_cache(store.PACKAGE)
            ctx.toast(ctx.tr("cleaned"))

        return overlays.ask(ctx, "", ctx.tr("clean_text"), ctx.tr("clean"), act, danger=False)

    def overlay_clear_all(self, ctx: Context) -> Node:
        """Asks before every chat's history goes."""

        def act() -> None:
            ctx.db.execute("DELETE FROM messages")
            ctx.toast(ctx.tr("cleaned"))

        return overlays.ask(ctx, "", ctx.tr("clear_all_text"), ctx.tr("clear_do"), act)


class About(Screen):
    """About the app."""

    name = "about"
    activity = ".plugin.setting.ui.setting.SettingsAboutMicroMsgUI"

    def build(self, ctx: Context) -> Node:
        """Icon, version, rows."""
        t = look.tone(ctx)
        icon = Node(
            "box",
            (Icon("chat", 44.0, "#FFFFFF", place="center-center"),),
            width=76.0,
            height=76.0,
            radius=18.0,
            bg=t.green,
            hidden_from_tree=True,
        )
        head = Node(
            "col",
            (
                icon,
                Text(ctx.tr("app_name"), "headlineSmall", t.ink, id="about_name"),
                Text(ctx.tr("version", version="8.0.58"), "bodyLarge", t.faint, id="about_version"),
            ),
            gap=10.0,
            align="center",
            width=FILL,
            pad=(16.0, 40.0, 16.0, 40.0),
            hidden_from_tree=True,
        )
        rows = [
            head,
            look.row(ctx, ctx.tr("check_update"), id="check_update", on_tap=lambda: ctx.toast(ctx.tr("newest"))),
            look.row(ctx, ctx.tr("what_is_new"), id="what_is_new", on_tap=ctx.show("news"), line=False),
        ]
        return _page(ctx, "about", rows)

    def overlay_news(self, ctx: Context) -> Node:
        """What this version brought."""
        return overlays.dialog(ctx, ctx.tr("what_is_new"), ctx.tr("news_text"), actions=((ctx.tr("ok"), ctx.dismiss),))
