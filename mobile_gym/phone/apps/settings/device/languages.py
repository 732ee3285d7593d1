"""Languages and keyboards."""

from __future__ import annotations

from mobile_gym.phone.apps.settings.device.store import load_yaml
from mobile_gym.phone.apps.settings.notifications import app_label
from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.apps.settings.parts import choice_dialog, note, setting_switch
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import (
    Dialog,
    EmptyState,
    Group,
    IconButton,
    LazyList,
    ListRow,
    Scaffold,
    SearchField,
    SectionTitle,
    SwitchRow,
    Text,
)

PINYIN = "com.android.inputmethod.pinyin/.PinyinIME"


def chosen_locales(ctx: Context) -> list[str]:
    """The user's locales, the preferred one first."""
    return [name for name in (ctx.settings.get("system", "system_locales") or "").split(",") if name]


def locale_name(tag: str) -> str:
    """A locale in its own language."""
    name = load_yaml("locales.yaml").get(tag)
    return str(name) if name else tag


def put_locales(ctx: Context, locales: list[str]) -> None:
    """Sets the user's locales; the phone speaks the first one at once."""
    ctx.put_setting("system", "system_locales", ",".join(locales))


class Languages(Page):
    """The user's languages in order."""

    name = "languages"
    activity = ".Settings$LocalePickerActivity"
    title = "languages"
    parent = "system"
    keywords = "languages_words"
    actions = ("android.settings.LOCALE_SETTINGS",)

    def rows(self, ctx: Context) -> list[Node]:
        """The languages, each with what can be done with it, and the way to one more."""
        locales = chosen_locales(ctx)
        rows = [self._row(ctx, locales, number) for number in range(len(locales))]
        rows.append(ListRow(ctx.tr("add_language"), icon="plus", on_tap=ctx.open("add_language"), id="add_language"))
        return [*Group(rows), note(ctx.tr("languages_note"))]

    def _row(self, ctx: Context, locales: list[str], number: int) -> Node:
        tag = locales[number]
        name = locale_name(tag)

        def move(by: int) -> Handler:
            def handle() -> None:
                order = list(locales)
                order.insert(number + by, order.pop(number))
                put_locales(ctx, order)

            return handle

        first, last = number == 0, number == len(locales) - 1
        buttons = [
            IconButton("arrow-up", move(-1), ctx.tr("move_up", name=name), id="move_up", size=40.0, enabled=not first),
            IconButton(
                "arrow-down", move(1), ctx.tr("move_down", name=name), id="move_down", size=40.0, enabled=not last
            ),
            IconButton(
                "trash-can-outline",
                ctx.show("remove", tag=tag),
                ctx.tr("remove_named", name=name),
                id="remove_language",
                size=40.0,
                enabled=len(locales) > 1,
            ),
        ]
        return ListRow(
            name,
            ctx.tr("device_language") if first else "",
            leading=Text(str(number + 1), "titleMedium", "onSurfaceVariant", width=20.0, text_align="center"),
            trailing=Node("row", buttons if len(locales) > 1 else [], hidden_from_tree=True),
            min_height=72.0,
            id="language",
        )

    def overlay_remove(self, ctx: Context, tag: str) -> Node:
        """Asks before a language goes."""
        rest = [name for name in chosen_locales(ctx) if name != tag]
        return Dialog(
            ctx,
            ctx.tr("remove_language_title"),
            ctx.tr("remove_language_text", name=locale_name(tag)),
            actions=[
                (ctx.tr("cancel"), ctx.dismiss),
                (ctx.tr("remove"), ctx.then_dismiss(put_locales, ctx, rest)),
            ],
        )


class AddLanguage(Page):
    """Languages that the phone speaks and the user hasn't chosen."""

    name = "add_language"
    activity = ".localepicker.LocalePickerWithRegionActivity"
    title = "add_language"
    parent = "languages"
    searchable = False

    def build(self, ctx: Context) -> Node:
        """The search bar over the languages."""
        words = ctx.field("locale_search").casefold().strip()
        left = [
            (tag, name)
            for tag, name in load_yaml("locales.yaml").items()
            if tag not in chosen_locales(ctx) and words in str(name).casefold()
        ]
        field = SearchField(ctx, "locale_search", ctx.tr("search_languages"), on_back=ctx.back())
        top = Node("box", (field,), width=FILL, pad=(16.0, 8.0, 16.0, 12.0), hidden_from_tree=True)
        rows = Group([ListRow(name, on_tap=self._add(ctx, tag), id="locale") for tag, name in left])
        empty = EmptyState("translate", ctx.tr("no_languages"))
        return Scaffold(LazyList(rows, id="locale_list", empty=empty), top=top, bg="page")

    def _add(self, ctx: Context, tag: str) -> Handler:
        def handle() -> None:
            put_locales(ctx, [*chosen_locales(ctx), tag])
            ctx.finish()

        return handle


def input_methods(ctx: Context) -> dict[str, str]:
    """Keyboards that are installed: id and name."""
    found = {PINYIN: ctx.tr("keyboard_pinyin_name")}
    for method in load_yaml("keyboards.yaml"):
        package = method.partition("/")[0]
        if package in ctx.phone.packages.names():
            found[method] = app_label(ctx, package)
    return found


def enabled_methods(ctx: Context) -> list[str]:
    """Keyboards that are on."""
    named = (ctx.settings.get("secure", "enabled_input_methods") or PINYIN).split(":")
    return [method for method in input_methods(ctx) if method in named]


class Keyboards(Page):
    """Which keyboards are on, and which one comes up."""

    name = "keyboards"
    activity = ".Settings$AvailableVirtualKeyboardActivity"
    title = "keyboards"
    parent = "system"
    keywords = "keyboards_words"
    entries = {"default_keyboard": "default_keyboard_words", "spell_checker": ""}
    actions = ("android.settings.INPUT_METHOD_SETTINGS", "android.settings.HARD_KEYBOARD_SETTINGS")

    def rows(self, ctx: Context) -> list[Node]:
        """Keyboards with a switch each, then the default one."""
        methods, on = input_methods(ctx), enabled_methods(ctx)
        default = ctx.settings.get("secure", "default_input_method") or PINYIN
        rows = []
        for method, name in methods.items():
            # The last one stays: without a keyboard nobody could type.
            only = on == [method]
            rows.append(
                SwitchRow(
                    name,
                    method in on,
                    lambda turned, method=method: self._turn(ctx, method, turned),  # type: ignore[misc]
                    ctx.tr("only_keyboard") if only else method.partition("/")[0],
                    icon="keyboard-outline",
                    id="keyboard",
                    enabled=not only,
                )
            )
        more = [
            ListRow(
                ctx.tr("default_keyboard"),
                methods.get(default, default),
                on_tap=ctx.show("default"),
                id="current_input_method",
            ),
            setting_switch(
                ctx,
                "spell_checker",
                "secure",
                "spell_checker_enabled",
                summary=ctx.tr("spell_checker_summary"),
                default="1",
            ),
            setting_switch(
                ctx,
                "hardware_keyboard",
                "secure",
                "show_ime_with_hard_keyboard",
                summary=ctx.tr("hardware_keyboard_summary"),
                default="1",
            ),
        ]
        return [SectionTitle(ctx.tr("on_screen_keyboard")), *Group(rows), *Group(more)]

    def _turn(self, ctx: Context, method: str, turned: bool) -> None:
        on = [name for name in enabled_methods(ctx) if name != method]
        if turned:
            on.append(method)
        ctx.put_setting("secure", "enabled_input_methods", ":".join(on))
        if ctx.settings.get("secure", "default_input_method") not in on:
            ctx.put_setting("secure", "default_input_method", on[0])

    def overlay_default(self, ctx: Context) -> Node:
        """Keyboards that are on."""
        methods = input_methods(ctx)
        choices = [(method, methods[method]) for method in enabled_methods(ctx)]
        return choice_dialog(
            ctx,
            ctx.tr("default_keyboard"),
            choices,
            ctx.settings.get("secure", "default_input_method") or PINYIN,
            lambda method: ctx.put_setting("secure", "default_input_method", method),
        )


SCREENS = (Languages, AddLanguage, Keyboards)
