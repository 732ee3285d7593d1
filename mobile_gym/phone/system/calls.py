"""Telephone calls: who calls, what follows when time passes, what the call log gets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mobile_gym.phone.errors import ProviderError
from mobile_gym.phone.system.app import Record, translate

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

RING_MS, DIAL_MS = 30_000, 3000
"""How long a call rings before it is missed, and how long the other end takes to answer."""
INCOMING, OUTGOING, MISSED, REJECTED, BLOCKED = 1, 2, 3, 5, 6
DIALER = "com.android.dialer"
_TEXTS = "mobile_gym.phone.system.surfaces"


def _digits(number: str) -> str:
    return "".join(char for char in number if char.isdigit())


def same_number(one: str, other: str) -> bool:
    """Whether two ways to write a number mean the same one: long ones agree in their last ten digits or more."""
    a, b = _digits(one), _digits(other)
    if min(len(a), len(b)) < 10:
        return bool(a) and a == b
    least = min(len(a), len(b), 11)
    return a[-least:] == b[-least:]


def contact_name(phone: Phone, number: str) -> str:
    """The name of the contact with this number; empty where there is none, or no app keeps contacts."""
    try:
        rows = phone.providers.query("content://com.android.contacts/data/phones")
    except ProviderError:
        return ""
    return next((str(row["display_name"]) for row in rows if same_number(str(row["data1"] or ""), number)), "")


def blocked(phone: Phone, number: str) -> bool:
    """Whether the user blocked this number."""
    try:
        rows = phone.providers.query("content://com.android.blockednumber/blocked")
    except ProviderError:
        return False
    return any(same_number(str(row["original_number"]), number) for row in rows)


def _new_call(phone: Phone, number: str, state: str) -> Record:
    return {
        "number": number,
        "name": contact_name(phone, number),
        "state": state,
        "since_ms": phone.state.clock.now_ms,
        "outgoing": state == "dialing",
        "muted": False,
        "speaker": False,
        "digits": "",
    }


def ring(phone: Phone, number: str) -> None:
    """A call comes in; it turns the screen on. While there is a call already it is missed at once.

    A call from a blocked number does not ring; it only stands in the call log.
    """
    if blocked(phone, number):
        _log(phone, _new_call(phone, number, "ringing"), BLOCKED, 0)
        return
    if phone.state.interface["call"] is not None:
        _log(phone, _new_call(phone, number, "ringing"), MISSED, 0)
        return
    phone.state.interface["screen_on"] = True
    _show(phone, _new_call(phone, number, "ringing"))


def place(phone: Phone, number: str) -> None:
    """Dials a number; nothing happens during another call."""
    if phone.state.interface["call"] is None:
        _show(phone, _new_call(phone, number, "dialing"))


def _show(phone: Phone, call: Record) -> None:
    phone.text_input.hide_keyboard()
    phone.close_surfaces()
    phone.state.interface["call"] = call
    phone.open_surface("call", keypad=False)


def answer(phone: Phone) -> None:
    """Answers the call that rings."""
    call = phone.state.interface["call"]
    if call is not None and call["state"] == "ringing":
        call.update(state="active", since_ms=phone.state.clock.now_ms)
        phone.invalidate()


def end(phone: Phone) -> None:
    """Rejects, gives up or ends the call, and writes it into the call log."""
    call = phone.state.interface["call"]
    if call is None:
        return
    active = call["state"] == "active"
    kind = OUTGOING if call.get("outgoing") else INCOMING if active else REJECTED
    seconds = (phone.state.clock.now_ms - call["since_ms"]) // 1000 if active else 0
    _close(phone)
    _log(phone, call, kind, seconds)


def _close(phone: Phone) -> None:
    phone.state.interface["call"] = None
    phone.close_surface("call")


def _log(phone: Phone, call: Record, kind: int, seconds: int) -> None:
    missed = kind == MISSED
    values: dict[str, Any] = {
        "number": call["number"],
        "date": call["since_ms"],
        "duration": seconds,
        "type": kind,
        "new": int(missed),
        "is_read": int(not missed),
        "name": call.get("name") or None,
    }
    try:
        phone.providers.insert("content://call_log/calls", values)
    except ProviderError as error:
        phone.log("W", "Telecom", f"the call with {call['number']} was not logged: {error}")


def next_change(call: Record, now_ms: int, shown: bool) -> int | None:
    """When a call next changes by itself, milliseconds since the epoch."""
    if call["state"] == "ringing":
        return int(call["since_ms"]) + RING_MS
    if call["state"] == "dialing":
        return int(call["since_ms"]) + DIAL_MS
    # The timer counts while it shows.
    return now_ms + 1000 - (now_ms - int(call["since_ms"])) % 1000 if shown else None


def on_time(phone: Phone) -> None:
    """Does what was due: the call is missed, or the other end answers."""
    call = phone.state.interface["call"]
    if call is None:
        return
    passed = phone.state.clock.now_ms - call["since_ms"]
    if call["state"] == "ringing" and passed >= RING_MS:
        _close(phone)
        _log(phone, call, MISSED, 0)
        _tell_missed(phone, call)
    elif call["state"] == "dialing" and passed >= DIAL_MS:
        call.update(state="active", since_ms=phone.state.clock.now_ms)


def _tell_missed(phone: Phone, call: Record) -> None:
    """A notification of the dialer; none where no dialer is installed."""
    if DIALER not in phone.apps or DIALER not in phone.packages.names():
        return
    phone.notifier.post(
        DIALER,
        f"missed_call_{_digits(call['number'])}",
        translate(_TEXTS, "missed_call", phone.language, {}),
        call.get("name") or call["number"],
        channel="missed_calls",
        icon="phone-missed",
        target={"action": "android.intent.action.VIEW", "data": "content://call_log/calls"},
    )
