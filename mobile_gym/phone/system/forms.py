"""Handlers of dialogs with a text field, shared by apps."""

from __future__ import annotations

from typing import Any

from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import Handler


def asking_text(ctx: Context, name: str, field: str, text: str = "", *, typing: bool = True, **args: Any) -> Handler:
    """A handler that opens a dialog with a text field: filled with a text and, if `typing`, ready to type into."""

    def handle() -> None:
        ctx.set_field(field, text)
        ctx.open_overlay(name, **args)
        if typing:
            ctx.focus(field)

    return handle


def leaving(ctx: Context) -> Handler:
    """A handler that closes a dialog with a text field, and the keyboard with it."""

    def handle() -> None:
        ctx.focus(None)
        ctx.dismiss()

    return handle
