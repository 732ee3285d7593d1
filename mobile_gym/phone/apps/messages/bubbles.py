"""Bubbles of a thread: time lines, joined groups, what became of a message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mobile_gym.phone.apps.contacts_provider.people import Person
from mobile_gym.phone.apps.messages import look
from mobile_gym.phone.apps.messages.codes import find_code
from mobile_gym.phone.apps.messages.store import Message
from mobile_gym.phone.apps.telephony.threads import DELIVERED, FAILED, RECEIVED, WAITING
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Icon, Row, Space, Text

if TYPE_CHECKING:
    from mobile_gym.phone.system.app import Context

LINE_MS = 20 * 60_000
"""A pause that a time line marks."""


def state_text(ctx: Context, message: Message) -> str:
    """What became of a message that was sent."""
    if message["type"] == FAILED:
        return ctx.tr("state_failed")
    status = message["status"]
    return ctx.tr("state_sending" if status == WAITING else "state_delivered" if status == DELIVERED else "state_sent")


def bubble(
    ctx: Context,
    message: Message,
    person: Person | None,
    *,
    on_tap: Handler,
    on_long_press: Handler,
    on_copy: Handler,
    hit: bool,
    open: bool,
) -> Node:
    """A message with the time line above it and its footer.

    Args:
        ctx: the screen's context.
        message: a row of `store.messages`.
        person: whom the thread is with.
        on_tap: handler of a tap on the bubble.
        on_long_press: handler of a long press.
        on_copy: copies the code in it.
        hit: whether a search led here.
        open: whether time and state show, wherever the message stands in its group.
    """
    mine = message["type"] != RECEIVED
    before, after = message["date_before"], message["date_after"]
    fresh = before is None or message["date"] - before > LINE_MS
    ends = after is None or after - message["date"] > LINE_MS
    joined_above = not fresh and (message["type_before"] != RECEIVED) == mine
    joined_below = not ends and (message["type_after"] != RECEIVED) == mine
    parts: list[Node] = []
    if fresh:
        line = Text(
            look.stamp(ctx, message["date"]),
            "bodySmall",
            "onSurfaceVariant",
            text_align="center",
            width=FILL,
            pad=(16.0, 20.0, 16.0, 8.0),
            id="message_time_line",
        )
        parts.append(line)
    above, below = 5.0 if joined_above else 20.0, 5.0 if joined_below else 20.0
    failed = message["type"] == FAILED
    paper, ink = _tones(mine, failed, hit)
    text = Text(
        message["body"] or "",
        "bodyLarge",
        ink,
        bg=paper,
        radius=(20.0, above, below, 20.0) if mine else (above, 20.0, 20.0, below),
        pad=(16.0, 10.0, 16.0, 10.0),
        max_width=282.0,
        border=2.0 if hit else 0.0,
        border_color="tertiary",
        id="message_text",
        on_tap=on_tap,
        on_long_press=on_long_press,
    )
    top = 0.0 if fresh else 2.0 if joined_above else 10.0
    if mine:
        parts.append(Row(text, width=FILL, justify="end", pad=(64.0, top, 16.0, 0.0), hidden_from_tree=True))
    else:
        side = Space(32.0) if joined_below else look.face(person, 32.0, hidden_from_tree=True)
        parts.append(
            Row(side, text, gap=8.0, width=FILL, align="end", pad=(12.0, top, 16.0, 0.0), hidden_from_tree=True)
        )
    code = None if mine else find_code(message["body"] or "")
    if code is not None:
        parts.append(_code_button(ctx, code, on_copy))
    last_own = mine and message["_id"] == message["last_own"]
    starred = bool(message["locked"])
    if open or failed or last_own or after is None or starred:
        parts.append(_footer(ctx, message, mine, starred, failed))
    return Node("col", parts, width=FILL, id="message_item")


def _tones(mine: bool, failed: bool, hit: bool) -> tuple[str, str]:
    """Roles of a bubble's surface and text."""
    if hit:
        return "tertiaryContainer", "onTertiaryContainer"
    if failed:
        return "errorContainer", "onErrorContainer"
    return ("primary", "onPrimary") if mine else ("surfaceContainerHigh", "onSurface")


def _code_button(ctx: Context, code: str, on_copy: Handler) -> Node:
    button = Node(
        "row",
        (
            Icon("content-copy", 18.0, "primary"),
            Text(ctx.tr("copy_code", code=code), "labelLarge", "primary", max_lines=1, hidden_from_tree=True),
        ),
        gap=8.0,
        min_height=40.0,
        radius=20.0,
        border=1.0,
        pad=(14.0, 6.0, 16.0, 6.0),
        cls="android.widget.Button",
        id="copy_code",
        text=ctx.tr("copy_code", code=code),
        on_tap=on_copy,
    )
    return Row(button, width=FILL, pad=(52.0, 6.0, 16.0, 2.0), hidden_from_tree=True)


def _footer(ctx: Context, message: Message, mine: bool, starred: bool, failed: bool) -> Node:
    time = look.clock(ctx, message["date"])
    text = f"{time} \u00b7 {state_text(ctx, message)}" if mine else time
    parts = [Text(text, "bodySmall", "error" if failed else "onSurfaceVariant", id="message_status")]
    if starred:
        parts.insert(0, Icon("star", 14.0, "tertiary", id="message_star", desc=ctx.tr("starred_mark")))
    pad = (16.0, 4.0, 16.0, 2.0) if mine else (68.0, 4.0, 16.0, 2.0)
    return Row(*parts, gap=4.0, width=FILL, justify="end" if mine else "start", pad=pad, hidden_from_tree=True)
