"""Rows and dialogs that several pages of the settings share."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mobile_gym.phone.system.app import Context
from mobile_gym.phone.system.formats import time_text
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import (
    Dialog,
    Disc,
    Group,
    Icon,
    ListRow,
    Radio,
    SectionTitle,
    Switch,
    SwitchRow,
    Text,
    TextField,
)

Choice = tuple[str, str]
"""A value as it is stored, and the text that names it."""


def setting_switch(
    ctx: Context,
    title: str,
    namespace: str,
    key: str,
    *,
    summary: str = "",
    on: str = "1",
    off: str = "0",
    default: str = "0",
    id: str = "",
    enabled: bool = True,
) -> Node:
    """A row whose switch is one of Android's settings.

    Args:
        ctx: the screen's context.
        title: string key of the title.
        namespace: namespace of the setting.
        key: its key.
        summary: the second line, as text.
        on: the value while the switch is on.
        off: the value while it is off.
        default: the value where the setting was never put.
        id: resource-id; the title's key by default.
        enabled: whether the row reacts.
    """
    checked = (ctx.settings.get(namespace, key) or default) == on
    return SwitchRow(
        ctx.tr(title),
        checked,
        lambda turned: ctx.put_setting(namespace, key, on if turned else off),
        summary,
        id=id or title,
        enabled=enabled,
    )


def setting_choice(
    ctx: Context,
    title: str,
    namespace: str,
    key: str,
    choices: Sequence[Choice],
    default: str,
    *,
    id: str = "",
    enabled: bool = True,
) -> Node:
    """A row that tells which choice of a setting holds and opens a dialog of all; texts are string keys."""
    value = ctx.settings.get(namespace, key) or default
    text = next((text for choice, text in choices if choice == value), "")
    return ListRow(
        ctx.tr(title),
        ctx.tr(text) if text else value,
        on_tap=ctx.show(
            "choose",
            title=title,
            namespace=namespace,
            key=key,
            choices=[list(choice) for choice in choices],
            default=default,
        ),
        id=id or title,
        enabled=enabled,
    )


def setting_time(ctx: Context, title: str, namespace: str, key: str, default: str, *, enabled: bool = True) -> Node:
    """A row with a time of day that a setting holds as milliseconds since midnight."""
    minutes = int(ctx.settings.get(namespace, key) or default) // 60_000
    return ListRow(
        ctx.tr(title),
        time_text(minutes // 60, minutes % 60, ctx.phone.use_24_hours, ctx.language),
        on_tap=ctx.show("time", title=title, namespace=namespace, key=key, default=default),
        id=title,
        enabled=enabled,
    )


def two_target_row(
    title: str,
    summary: str,
    on_tap: Handler,
    checked: bool,
    on_change: Callable[[bool], None],
    *,
    id: str = "",
    leading: Node | None = None,
    enabled: bool = True,
) -> Node:
    """A row that opens a page, with a switch of its own behind a line."""
    line = Node("space", width=1.0, height=32.0, bg="outlineVariant", hidden_from_tree=True)
    switch = Switch(checked, on_change, desc=title)
    trailing = Node("row", (line, switch), gap=16.0, hidden_from_tree=True)
    return ListRow(
        title, summary, leading=leading, trailing=trailing, on_tap=on_tap, id=id, enabled=enabled, min_height=72.0
    )


def main_switch(title: str, checked: bool, on_change: Callable[[bool], None], *, enabled: bool = True) -> list[Node]:
    """The big switch on top of a page (use Bluetooth, use Battery Saver)."""
    surface, ink = ("primaryContainer", "onPrimaryContainer") if checked else ("surfaceContainerHighest", "onSurface")
    bar = Node(
        "row",
        (Text(title, "titleMedium", ink, weight=1.0, id="switch_text"), Switch(checked, desc=title)),
        gap=16.0,
        width=FILL,
        min_height=72.0,
        pad=(20.0, 8.0, 16.0, 8.0),
        radius=28.0,
        bg=surface,
        id="main_switch_bar",
        enabled=enabled,
        fade=1.0 if enabled else 0.38,
        on_tap=(lambda: on_change(not checked)) if enabled else None,
    )
    return [Node("box", (bar,), width=FILL, pad=(16.0, 0.0, 16.0, 16.0), hidden_from_tree=True)]


def sections(ctx: Context, *groups: tuple[str, Sequence[Node]]) -> list[Node]:
    """Groups of rows, each under its title: a key of the app's texts, or nothing for none."""
    shown: list[Node] = []
    for key, rows in groups:
        shown += [SectionTitle(ctx.tr(key))] if key else []
        shown += Group(rows)
    return shown


def note(text: str) -> Node:
    """A line of explanation under a group."""
    return Node(
        "row",
        (Icon("information-outline", 20.0), Text(text, "bodyMedium", "onSurfaceVariant", weight=1.0, id="footer")),
        gap=16.0,
        width=FILL,
        align="start",
        pad=(32.0, 4.0, 32.0, 16.0),
    )


def choice_row(label: str, chosen: bool, on_tap: Callable[[], None], *, pad: float = 16.0, summary: str = "") -> Node:
    """A radio mark and what it stands for."""
    return ListRow(
        label, summary, leading=Radio(chosen), on_tap=on_tap, min_height=56.0, id="choice", selected=chosen
    ).replace(pad=(pad, 8.0, pad, 8.0))


def choice_rows(choices: Sequence[Choice], chosen: str, on_choose: Callable[[str], None]) -> list[Node]:
    """Choices as a group of a page."""

    def pick(value: str) -> Callable[[], None]:
        return lambda: on_choose(value)

    return Group([choice_row(label, value == chosen, pick(value)) for value, label in choices])


def choice_dialog(
    ctx: Context, title: str, choices: Sequence[Choice], chosen: str, on_choose: Callable[[str], None]
) -> Node:
    """A dialog of choices; a tap on one takes it and closes the dialog."""

    def pick(value: str) -> Callable[[], None]:
        return ctx.then_dismiss(on_choose, value)

    rows = [choice_row(label, value == chosen, pick(value), pad=24.0) for value, label in choices]
    body = Node("list", rows, width=FILL, weight=1.0, id="select_dialog_listview", cls="android.widget.ListView")
    return Dialog(ctx, title, body, actions=[(ctx.tr("cancel"), ctx.dismiss)])


def text_dialog(
    ctx: Context,
    title: str,
    field: str,
    label: str,
    on_save: Callable[[str], str],
    *,
    action: str = "",
    max_length: int = 32,
    empty: bool = False,
) -> Node:
    """A dialog with one text field; unless `empty` is on, nothing is saved while it is empty.

    Fill the field with `ctx.set_field(field, text)` before the dialog is shown.

    Args:
        ctx: the screen's context.
        title: the title.
        field: name of the field.
        label: what stands above the field.
        on_save: takes the text and returns what is wrong with it; empty for nothing, which closes the dialog.
        action: the label of the button that saves.
        max_length: most characters.
        empty: whether an empty text is saved too.
    """
    assert ctx.overlay is not None
    state = ctx.overlay["ui"]

    def cancel() -> None:
        ctx.focus(None)
        ctx.dismiss()

    def save() -> None:
        text = ctx.field(field).strip()
        if text or empty:
            state["wrong"] = on_save(text)
            if not state["wrong"]:
                cancel()

    box = TextField(
        ctx,
        field,
        label,
        error=str(state.get("wrong", "")),
        on_change=lambda _: state.pop("wrong", None),
        on_submit=save,
        max_length=max_length,
    )
    body = Node("box", (box,), width=FILL, pad=(24.0, 0.0, 24.0, 0.0))
    return Dialog(ctx, title, body, actions=[(ctx.tr("cancel"), cancel), (action or ctx.tr("save"), save)])


def entity_header(icon: str, title: str, summary: str) -> Node:
    """The head of a page about one device or network: its icon in a disc, its name, its state."""
    parts = (
        Disc(icon, 56.0, "primaryContainer", "onPrimaryContainer", 28.0),
        Text(title, "titleLarge", id="entity_header_title", text_align="center"),
        Text(summary, "bodyMedium", "onSurfaceVariant", id="entity_header_summary"),
    )
    return Node("col", parts, gap=6.0, width=FILL, align="center", pad=(24.0, 0.0, 24.0, 16.0))
