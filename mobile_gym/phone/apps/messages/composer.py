"""The bar in which a message is written, and what its plus and its smiley put into it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mobile_gym.phone.apps.contacts_provider.people import people
from mobile_gym.phone.apps.messages import rows
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import IconButton, LazyList, ListRow, Row, Sheet, Text
from mobile_gym.phone.ui.widgets.basics import spread
from mobile_gym.phone.ui.widgets.fields import field

if TYPE_CHECKING:
    from collections.abc import Callable

    from mobile_gym.phone.system.app import Context

FIELD = "compose_message_text"


def composer(ctx: Context, on_send: Handler, on_change: Callable[[str], None], ready: bool = True) -> Node:
    """The bar: plus, field, smiley, send.

    Args:
        ctx: the context of a screen that is a `Writing`, which has the overlays of plus and smiley.
        on_send: sends what the field holds.
        on_change: called with the text after each edit.
        ready: whether there is somebody to send to.
    """
    inner = field(
        ctx, FIELD, hint=ctx.tr("message_hint"), action="send", on_change=on_change, on_submit=on_send, weight=1.0
    ).replace(max_lines=4)
    able = ready and bool(inner.text.strip())
    pill = Node(
        "row",
        (inner, IconButton("emoticon-outline", ctx.show("faces"), ctx.tr("faces"), id="emoji_button", size=40.0)),
        gap=4.0,
        weight=1.0,
        min_height=52.0,
        radius=26.0,
        bg="surfaceContainerHigh",
        pad=(18.0, 4.0, 4.0, 4.0),
        hidden_from_tree=True,
    )
    send = IconButton(
        "send",
        on_send,
        ctx.tr("send"),
        id="send_message_button",
        color="onPrimary",
        bg="primary",
        size=60.0,
        enabled=able,
    )
    plus = IconButton("plus-circle-outline", ctx.show("attach"), ctx.tr("attach"), id="attach_media_button")
    return Node("row", (plus, pill, send), gap=4.0, width=FILL, pad=(6.0, 6.0, 4.0, 6.0), id="compose_message_view")


class Writing:
    """Overlays of a screen with a composer."""

    def _put(self, ctx: Context, text: str) -> None:
        """Puts text at the end of the message that is being written."""
        ctx.set_field(FIELD, ctx.field(FIELD) + text)
        self.on_written(ctx, ctx.field(FIELD))

    def on_written(self, ctx: Context, text: str) -> None:
        """Called with the text after each edit."""

    def overlay_attach(self, ctx: Context) -> Node:
        """What can be put into a message."""

        def entry(icon: str, key: str, overlay: str) -> Node:
            row = ListRow(
                ctx.tr(key), icon=icon, on_tap=ctx.then_dismiss(ctx.open_overlay, overlay), id=f"attach_{overlay}"
            )
            return row.replace(pad=(24.0, 8.0, 24.0, 8.0))

        return Sheet(
            ctx,
            entry("message-fast-outline", "phrases", "phrases"),
            entry("card-account-details-outline", "contact_card", "card"),
            title=ctx.tr("attach_title"),
        )

    def overlay_phrases(self, ctx: Context) -> Node:
        """Phrases that are used often."""
        entries = [
            ListRow(phrase, on_tap=ctx.then_dismiss(self._put, ctx, phrase), id="phrase").replace(
                pad=(24.0, 8.0, 24.0, 8.0)
            )
            for phrase in ctx.tr("phrase_list").split("|")
        ]
        return Sheet(ctx, *entries, title=ctx.tr("phrases"))

    def overlay_card(self, ctx: Context) -> Node:
        """Contacts, one of which is put into the message with its number."""
        listed = LazyList(
            people(ctx.phone),
            row=lambda person: rows.person_row(
                ctx,
                person,
                person.number,
                ctx.then_dismiss(self._put, ctx, ctx.tr("card_text", name=person.name, number=person.number)),
            ),
            id="card_list",
        )
        return Sheet(ctx, listed.replace(height=440.0), title=ctx.tr("contact_card"))

    def overlay_faces(self, ctx: Context) -> Node:
        """Faces made of letters."""
        cells = [
            Node(
                "box",
                (Text(face, "titleMedium", place="center-center", max_lines=1),),
                height=48.0,
                id="face",
                on_tap=ctx.then_dismiss(self._put, ctx, face),
            )
            for face in ctx.tr("face_list").split("|")
        ]
        grid = Row(spread(cells, 4), width=FILL, pad=(16.0, 0.0, 16.0, 16.0))
        return Sheet(ctx, grid, title=ctx.tr("faces"))
