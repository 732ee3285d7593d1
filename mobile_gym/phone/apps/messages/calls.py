"""Asking the phone who handles an intent: a call, a text to share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mobile_gym.phone.apps.contacts_provider.numbers import normalise
from mobile_gym.phone.apps.messages.store import PACKAGE
from mobile_gym.phone.door import Intent
from mobile_gym.phone.ui.node import Node
from mobile_gym.phone.ui.widgets import IconButton

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone
    from mobile_gym.phone.system.app import Context

CALL = "android.intent.action.CALL"
SEND = "android.intent.action.SEND"


def handlers(phone: Phone, intent: Intent) -> list[str]:
    """Packages of the other apps that handle an intent, sorted."""
    return [
        package
        for package in phone.packages.names()
        if package in phone.apps
        and package != PACKAGE
        and phone.packages.enabled(package)
        and phone.apps[package].resolve(intent.action, intent.data, intent.mime, intent.extras) is not None
    ]


def callable_number(address: str) -> bool:
    """Whether a sender is a number, not a name."""
    return normalise(address).isdigit()


def start_call(ctx: Context, address: str) -> None:
    """Calls a number, with the app that places calls where there is one; says why it cannot."""
    intent = Intent(action=CALL, data=f"tel:{address}")
    if not callable_number(address):
        ctx.toast(ctx.tr("no_number"))
    elif ctx.settings.get_int("global", "airplane_mode_on"):
        ctx.toast(ctx.tr("no_radio"))
    elif handlers(ctx.phone, intent):
        ctx.phone.activities.start(intent)
    else:
        ctx.phone.place_call(address)


def call_button(ctx: Context, address: str) -> Node:
    """The button that calls a number; pale where the sender is none."""
    button = IconButton(
        "phone-outline", lambda: start_call(ctx, address), ctx.tr("call"), id="action_call", color="onSurface"
    )
    return button if callable_number(address) else button.replace(fade=0.38)


def share(ctx: Context, package: str, text: str) -> None:
    """Hands a text to another app."""
    extras: dict[str, str | int | float | bool] = {"android.intent.extra.TEXT": text}
    ctx.phone.activities.start(Intent(package=package, action=SEND, mime="text/plain", extras=extras))
