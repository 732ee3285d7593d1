"""What touching messages does: opening what they hold, the dark menu over them, choosing several."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mobile_gym.phone.apps.messenger import bubbles, cards, look, overlays, store
from mobile_gym.phone.apps.messenger.composer import FIELD
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Icon, Space, Text
from mobile_gym.phone.ui.widgets.basics import spread

if TYPE_CHECKING:
    from mobile_gym.phone.system.app import Context

_CELL = 62.0
_POINT, _MARGIN = 8.0, 10.0
_BARS = 96.0
"""What the status bar and the chat's bar take, dp: the menu stays under them."""


class TapsMessages:
    """Taps on messages and faces of a chat."""

    def doing(self, ctx: Context, chat: store.Row, message: store.Row, chosen: list[int] | None) -> bubbles.Doing:
        """The handlers of one message."""
        key = int(message["_id"])

        def choose() -> None:
            assert chosen is not None
            ctx.ui["chosen"] = [other for other in chosen if other != key] if key in chosen else [*chosen, key]

        def hold(top: int, bottom: int, middle: int) -> None:
            # The field keeps the focus: were the keyboard to go, the message would move away under its menu.
            ctx.open_overlay("message", key=key, top=top, bottom=bottom, middle=middle)

        def mention() -> None:
            name = message["sender_shown"]
            ctx.set_field(FIELD, f"{ctx.field(FIELD)}@{name} ")
            ctx.focus(FIELD)

        def again() -> None:
            ctx.set_field(FIELD, message["body"])
            ctx.focus(FIELD)

        others = chat["kind"] == "group" and message["sender_id"] != store.ME
        return bubbles.Doing(
            tap=None if message["kind"] == "text" else lambda: self._tap(ctx, message),
            hold=hold,
            face=ctx.open("contact", contact=message["sender_id"]),
            hold_face=mention if others else None,
            edit_again=again,
            choose=choose if chosen is not None else None,
        )

    def _tap(self, ctx: Context, message: store.Row) -> None:
        kind, key = message["kind"], int(message["_id"])
        if kind == "voice":
            ctx.ui["playing"] = None if ctx.ui.get("playing") == key else key
            ctx.db.update("messages", key, played=1)
        elif kind == "image":
            ctx.open_overlay("picture", source=message["source"])
        elif kind == "card":
            ctx.go("contact", contact=int(message["ref_id"] or 0))
        elif kind == "location":
            ctx.open_overlay("place", title=message["body"], address=message["source"])
        elif kind == "file":
            ctx.open_overlay("file", key=key)
        elif kind == "poll":
            ctx.go("poll", poll=message["ref_id"])
        elif kind == "transfer":
            ctx.go("transfer_detail", transfer=message["ref_id"])
        elif kind == "red_packet":
            taken = cards.money_state(ctx, message)[1]
            single = ctx.db.value("SELECT kind FROM chats WHERE _id = ?", message["chat_id"]) == "single"
            if taken or (single and message["sender_id"] == store.ME):
                ctx.go("packet_detail", packet=message["ref_id"])
            else:
                ctx.open_overlay("packet", packet=message["ref_id"])

    def overlay_picture(self, ctx: Context, source: str) -> Node:
        """A picture over the whole screen."""
        return overlays.picture_viewer(ctx, source)

    def overlay_place(self, ctx: Context, title: str, address: str) -> Node:
        """Where a place is."""
        t = look.tone(ctx)
        picture = Node("picture", source=f"map/{title}", width=FILL, height=200.0, hidden_from_tree=True)
        pin = Icon("map-marker", 40.0, t.red, place="center-center", hidden_from_tree=True)
        texts = (
            Text(title, "titleMedium", t.ink, id="place_title"),
            Text(address, "bodyMedium", t.faint, id="place_detail"),
        )
        body = Node(
            "col",
            (
                Node("box", (picture, pin), width=FILL, height=200.0, hidden_from_tree=True),
                Node("col", texts, gap=4.0, width=FILL, pad=(20.0, 4.0, 20.0, 0.0), hidden_from_tree=True),
            ),
            gap=8.0,
            width=FILL,
            hidden_from_tree=True,
        )
        return overlays.dialog(ctx, "", body, actions=((ctx.tr("ok"), ctx.dismiss),))

    def overlay_file(self, ctx: Context, key: int) -> Node:
        """A file that was sent: its name, size and beginning."""
        row = store.message(ctx.phone, key)
        if row is None:
            return overlays.dialog(ctx, ctx.tr("quote_gone"), actions=((ctx.tr("ok"), ctx.dismiss),))
        files = ctx.phone.state.files
        text = ctx.tr("file_gone")
        if row["source"] and files.exists(row["source"]) and not files.is_dir(row["source"]):
            text = files.read(row["source"])[:400].decode("utf-8", "replace")
            if "\ufffd" in text or "\x00" in text:
                text = row["source"]
        return overlays.dialog(
            ctx, f"{row['body']}\n{cards.size_text(int(row['size']))}", text, actions=((ctx.tr("ok"), ctx.dismiss),)
        )

    def overlay_packet(self, ctx: Context, packet: int) -> Node:
        """A red packet that was not opened yet."""
        from mobile_gym.phone.apps.messenger.packets import closed_packet

        return closed_packet(ctx, packet)


class MessageMenu:
    """The menu over a message, and the bar while several are chosen."""

    def overlay_message(self, ctx: Context, key: int, top: int, bottom: int, middle: int) -> Node:
        """The dark menu: above the message where there is room, else under it, with a point towards it."""
        t = look.tone(ctx)
        row = store.message(ctx.phone, key)
        if row is None:
            return overlays.dialog(ctx, ctx.tr("quote_gone"), actions=((ctx.tr("ok"), ctx.dismiss),))

        def heard() -> None:
            ctx.ui["heard"] = [*ctx.ui.get("heard", ()), key]

        def copy() -> None:
            ctx.phone.set_clipboard(row["body"])
            ctx.toast(ctx.tr("copied"))

        def favour() -> None:
            store.favour(ctx.phone, [key])
            ctx.toast(ctx.tr("favoured"))

        def quote() -> None:
            ctx.ui["quote"] = key
            ctx.ui["panel"] = ""
            ctx.ui["talking"] = False
            ctx.focus(FIELD)

        def choose() -> None:
            ctx.focus(None)
            ctx.ui["chosen"] = [key]

        entries: list[tuple[str, str, Callable[[], object]]] = []
        if row["kind"] == "text":
            entries.append(("copy", "content-copy", copy))
        if row["kind"] == "voice":
            entries.append(("to_text", "text-recognition", heard))
        if row["kind"] not in ("red_packet", "transfer"):
            entries.append(("forward", "share-outline", lambda: ctx.go("pick_chat", messages=[key])))
            entries.append(("favour", "cube-outline", favour))
        entries.append(("delete", "delete-outline", lambda: ctx.open_overlay("delete_messages", keys=[key])))
        entries.append(("choose", "format-list-checks", choose))
        entries.append(("quote", "format-quote-close", quote))
        if store.can_recall(ctx.phone, row) and row["kind"] not in ("red_packet", "transfer", "poll"):
            entries.append(("recall", "undo-variant", lambda: store.recall(ctx.phone, key)))
        cells = [
            Node(
                "col",
                (
                    Icon(icon, 22.0, "#FFFFFF", hidden_from_tree=True),
                    Text(ctx.tr(f"menu_{name}"), "bodySmall", "#FFFFFF", max_lines=1, text_align="center", id="title"),
                ),
                gap=4.0,
                align="center",
                justify="center",
                height=_CELL,
                width=FILL,
                id=f"message_{name}",
                desc=ctx.tr(f"menu_{name}"),
                on_tap=ctx.then_dismiss(act),
            )
            for name, icon, act in entries
        ]
        unit = ctx.phone.density_dpi / 160
        across, down = ctx.phone.screen[0] / unit, ctx.phone.screen[1] / unit
        # Larger letters need broader cells, so fewer of them stand in a line.
        columns, wide = (5, 66.0) if ctx.phone.font_scale < 1.3 else (4, 88.0)
        columns = min(columns, len(cells))
        panel = Node(
            "box",
            (spread(cells, columns),),
            width=columns * min(wide, (across - 2 * _MARGIN) / columns),
            radius=8.0,
            bg=t.pop,
            pad=(4.0, 4.0, 4.0, 4.0),
            blocks=True,
            id="message_menu",
        )
        height = -(-len(cells) // columns) * _CELL + 8.0
        return _anchored(ctx, panel, height, (top / unit, bottom / unit, middle / unit), (across, down))

    def overlay_delete_messages(self, ctx: Context, keys: list[int]) -> Node:
        """Asks before messages are deleted."""

        def act() -> None:
            store.delete_messages(ctx.phone, keys)
            ctx.ui["chosen"] = None

        return overlays.ask(ctx, "", ctx.tr("delete_messages_text", count=len(keys)), ctx.tr("delete"), act)

    def chosen_bar(self, ctx: Context, chosen: list[int]) -> Node:
        """What can be done with the chosen messages."""
        t = look.tone(ctx)

        def forward() -> None:
            ordered = sorted(chosen)
            ctx.ui["chosen"] = None
            ctx.go("pick_chat", messages=ordered)

        def favour() -> None:
            store.favour(ctx.phone, sorted(chosen))
            ctx.ui["chosen"] = None
            ctx.toast(ctx.tr("favoured"))

        entries = (
            ("forward", "share-outline", forward),
            ("favour", "cube-outline", favour),
            ("delete", "delete-outline", lambda: ctx.open_overlay("delete_messages", keys=sorted(chosen))),
            ("cancel", "close", ctx.set_ui("chosen", None)),
        )
        cells = []
        for name, icon, act in entries:
            able = bool(chosen) or name == "cancel"
            cells.append(
                Node(
                    "box",
                    (Icon(icon, 26.0, t.ink, place="center-center", hidden_from_tree=True),),
                    weight=1.0,
                    height=58.0,
                    id=f"chosen_{name}",
                    desc=ctx.tr("cancel" if name == "cancel" else f"menu_{name}"),
                    enabled=able,
                    fade=1.0 if able else 0.38,
                    on_tap=act if able else None,
                    cls="android.widget.ImageButton",
                )
            )
        count = Text(
            ctx.tr("chosen_count", count=len(chosen)),
            "bodySmall",
            t.faint,
            text_align="center",
            width=FILL,
            pad=(0.0, 6.0, 0.0, 0.0),
            id="chosen_count",
        )
        return Node(
            "col",
            (look.hairline(ctx), count, Node("row", cells, width=FILL, hidden_from_tree=True), Space(height=2.0)),
            width=FILL,
            bg=t.bar,
            id="chosen_bar",
        )


def _anchored(
    ctx: Context, panel: Node, height: float, place: tuple[float, float, float], screen: tuple[float, float]
) -> Node:
    """A menu beside what it belongs to, with a point towards it.

    Args:
        ctx: the screen's context.
        panel: the menu; its width is known.
        height: of the menu, dp.
        place: top, bottom and middle of what it belongs to, dp.
        screen: width and height of the screen, dp.
    """
    top, bottom, middle = place
    assert panel.width is not None
    left = min(max(middle - panel.width / 2, _MARGIN), screen[0] - panel.width - _MARGIN)
    above = top - height - _POINT - 2.0 > _BARS
    high = _POINT if above else 0.0
    outline = ((0.5, 0.5), (15.5, 0.5), (8.0, 7.5)) if above else ((0.5, 7.5), (15.5, 7.5), (8.0, 0.5))
    point = Node(
        "stroke",
        width=16.0,
        height=_POINT,
        points=outline,
        filled=True,
        stroke_width=1.0,
        color=look.tone(ctx).pop,
        hidden_from_tree=True,
    )
    inset = min(max(middle - left - 8.0, 8.0), panel.width - 24.0)
    tip = Node("box", (point,), pad=(inset, 0.0, 0.0, 0.0), hidden_from_tree=True)
    at = top - height - _POINT - 2.0 if above else min(bottom + 2.0, screen[1] - height - 72.0)
    column = Node(
        "col",
        (panel, tip) if above else (tip, panel),
        place="top-start",
        offset=(left, max(at, _BARS - high)),
        hidden_from_tree=True,
    )
    # A menu of this name does not dim the page.
    return overlays.over(ctx, column).replace(id="menu_window")
