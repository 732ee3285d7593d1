"""Rows and dialogs that several pages of the settings share."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Dialog, Group, Icon, ListRow, Radio, Switch, SwitchRow, Text, TextField

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


def main_switch(title: str, checked: bool, on_change: Callable[[bool], None], *, enabled: bool = True) -> list[Node]:
    """The big switch on top of a page (use Bluetooth, use Battery Saver)."""
    bar = Node(
        "row",
        (Text(title, "titleMedium", "onPrimaryContainer", weight=1.0, id="switch_text"), Switch(checked, desc=title)),
        gap=16.0,
        width=FILL,
        min_height=72.0,
        pad=(20.0, 8.0, 16.0, 8.0),
        radius=28.0,
        bg="primaryContainer",
        id="main_switch_bar",
        enabled=enabled,
        fade=1.0 if enabled else 0.38,
        on_tap=(lambda: on_change(not checked)) if enabled else None,
    )
    return [Node("box", (bar,), width=FILL, pad=(16.0, 0.0, 16.0, 16.0), hidden_from_tree=True)]


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
    return Dialog(
        ctx,
        title,
        Node("col", rows, width=FILL, id="select_dialog_listview"),
        actions=[(ctx.tr("cancel"), ctx.dismiss)],
    )


def text_dialog(
    ctx: Context,
    title: str,
    field: str,
    label: str,
    on_save: Callable[[str], None],
    *,
    action: str = "",
    helper: str = "",
    error: str = "",
    password: bool = False,
    max_length: int = 32,
) -> Node:
    """A dialog with one text field; nothing is saved while it is empty.

    Fill the field with `ctx.set_field(field, text)` before the dialog is shown.
    """

    def save() -> None:
        text = ctx.field(field).strip()
        if text:
            ctx.focus(None)
            ctx.dismiss()
            on_save(text)

    box = TextField(
        ctx,
        field,
        label,
        helper=helper,
        error=error,
        password=password,
        on_submit=save,
        max_length=max_length,
        input_type="password" if password else "text",
    )
    body = Node("box", (box,), width=FILL, pad=(24.0, 0.0, 24.0, 0.0))

    def cancel() -> None:
        ctx.focus(None)
        ctx.dismiss()

    return Dialog(ctx, title, body, actions=[(ctx.tr("cancel"), cancel), (action or ctx.tr("save"), save)])
