"""Dialogs in which one of several is chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Dialog, Radio, Text


def scope_dialog(ctx: Context, title: str, scopes: tuple[str, ...], act: Callable[[str], None]) -> Node:
    """A dialog that asks which part of a series is meant.

    Args:
        ctx: the overlay's context.
        title: the title.
        scopes: of `this`, `following`, `all`.
        act: called with the scope; the dialog is closed before.
    """
    rows = [
        Node(
            "row",
            (Text(ctx.tr(f"scope_{scope}"), "bodyLarge", weight=1.0, id="text1"),),
            width=FILL,
            min_height=52.0,
            pad=(24.0, 4.0, 24.0, 4.0),
            on_tap=ctx.then_dismiss(act, scope),
            id=f"scope_{scope}",
        )
        for scope in scopes
    ]
    return Dialog(ctx, title, Node("col", rows, width=FILL), actions=((ctx.tr("cancel"), ctx.dismiss),))


def choice_dialog(
    ctx: Context,
    title: str,
    choices: Sequence[tuple[str, bool, Handler, str]],
    colors: Sequence[str] = (),
) -> Node:
    """A dialog in which one of several is chosen.

    Args:
        ctx: the overlay's context.
        title: the title.
        choices: label, whether it is chosen, handler and resource-id each.
        colors: of each choice the colour that it stands for.
    """
    marks = [Node("space", width=20.0, height=20.0, radius=10.0, bg=color, hidden_from_tree=True) for color in colors]
    dots = [[mark] for mark in marks] or [[] for _ in choices]
    rows = [
        Node(
            "row",
            (Radio(chosen), Text(label, "bodyLarge", weight=1.0, id="text1"), *dot),
            gap=16.0,
            width=FILL,
            min_height=48.0,
            pad=(24.0, 4.0, 24.0, 4.0),
            on_tap=on_tap,
            checkable=True,
            checked=chosen,
            id=id,
        )
        for (label, chosen, on_tap, id), dot in zip(choices, dots, strict=True)
    ]
    return Dialog(ctx, title, Node("col", rows, width=FILL), actions=((ctx.tr("cancel"), ctx.dismiss),))
