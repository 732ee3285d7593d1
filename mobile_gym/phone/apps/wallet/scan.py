"""Scanning: a picture of the album, or a number that is typed."""

from __future__ import annotations

from typing import Any

from mobile_gym.phone.apps.contacts_provider.numbers import normalise
from mobile_gym.phone.apps.wallet import codes, store
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import (
    Column,
    Dialog,
    EmptyState,
    Icon,
    IconButton,
    LazyList,
    Row,
    Scaffold,
    Text,
    TextField,
    TopBar,
)

_CORNERS = {
    "top-start": ((3.0, 33.0), (3.0, 3.0), (33.0, 3.0)),
    "top-end": ((3.0, 3.0), (33.0, 3.0), (33.0, 33.0)),
    "bottom-start": ((3.0, 3.0), (3.0, 33.0), (33.0, 33.0)),
    "bottom-end": ((33.0, 3.0), (33.0, 33.0), (3.0, 33.0)),
}


class Scan(Screen):
    """Scanning: a picture of the album, or a number that is typed."""

    name = "scan"
    activity = ".code.ScanActivity"

    def build(self, ctx: Context) -> Node:
        """A finder without a camera behind it, and two ways on."""
        corner = [
            Node(
                "stroke",
                width=36.0,
                height=36.0,
                points=points,
                stroke_width=4.0,
                color="#4C9BFF",
                place=place,
                hidden_from_tree=True,
            )
            for place, points in _CORNERS.items()
        ]
        glyph = Icon("camera-off-outline", 48.0, "#8FA3C2", place="center-center", hidden_from_tree=True)
        finder = Node("box", (*corner, glyph), width=240.0, height=240.0, id="finder")
        body = Column(
            Node("space", weight=1.0, hidden_from_tree=True),
            finder,
            Text(ctx.tr("no_camera"), "bodyLarge", "#E6ECF5", text_align="center", id="scan_text"),
            Node("space", weight=1.0, hidden_from_tree=True),
            Row(
                self._way(ctx, "image-multiple-outline", ctx.tr("album"), ctx.open("album"), "scan_album"),
                self._way(ctx, "dialpad", ctx.tr("enter_number"), self._enter(ctx), "scan_number"),
                self._way(ctx, "qrcode", ctx.tr("service_paycode"), ctx.open("paycode"), "scan_paycode"),
                width=FILL,
                align="start",
            ),
            gap=20.0,
            align="center",
            width=FILL,
            pad=(24.0, 0.0, 24.0, 24.0),
        )
        bar = Row(
            IconButton("arrow-left", ctx.back(), ctx.tr("back"), id="back", color="#FFFFFF"),
            Text(ctx.tr("service_scan"), "titleLarge", "#FFFFFF", weight=1.0, max_lines=1, id="toolbar_title"),
            width=FILL,
            height=64.0,
            pad=(4.0, 0.0, 16.0, 0.0),
            id="toolbar",
        )
        return Scaffold(body, top=bar, bg="#10151D")

    def _way(self, ctx: Context, icon: str, label: str, on_tap: Any, id: str) -> Node:
        disc = Node(
            "box",
            (Icon(icon, 26.0, "#FFFFFF", place="center-center", hidden_from_tree=True),),
            width=56.0,
            height=56.0,
            radius=28.0,
            bg="#2A3442",
            hidden_from_tree=True,
        )
        text = Text(label, "bodyMedium", "#E6ECF5", text_align="center", max_lines=2, hidden_from_tree=True)
        return Column(
            disc,
            text,
            gap=8.0,
            align="center",
            weight=1.0,
            on_tap=on_tap,
            id=id,
            text=label,
            cls="android.widget.Button",
        )

    def _enter(self, ctx: Context) -> Any:
        def handle() -> None:
            ctx.set_field("code", "")
            ctx.ui.pop("wrong", None)
            ctx.open_overlay("number")

        return handle

    def overlay_number(self, ctx: Context) -> Node:
        """A phone number in place of a code."""

        def close() -> None:
            ctx.focus(None)
            ctx.dismiss()

        def go() -> None:
            text = ctx.field("code").strip()
            if not store.valid_mobile(text, ctx.language):
                ctx.ui["wrong"] = ctx.tr("no_such_account")
                return
            close()
            ctx.go("transfer_amount", to=normalise(text))

        field = TextField(
            ctx,
            "code",
            ctx.tr("phone_number"),
            input_type="phone",
            max_length=16,
            error=str(ctx.ui.get("wrong", "")),
            on_change=lambda _: ctx.ui.pop("wrong", None),
            on_submit=go,
        )
        body = Node("box", (field,), width=FILL, pad=(24.0, 0.0, 24.0, 0.0))
        return Dialog(ctx, ctx.tr("enter_number"), body, actions=[(ctx.tr("cancel"), close), (ctx.tr("next"), go)])


class Album(Screen):
    """Pictures of the phone; a tap looks for a code in one."""

    name = "album"
    activity = ".code.AlbumActivity"

    def build(self, ctx: Context) -> Node:
        """Three pictures a row."""
        paths = codes.album(ctx.phone)
        lines = [paths[start : start + 3] for start in range(0, len(paths), 3)]
        side = 131.0

        def line(found: list[str]) -> Node:
            cells = [
                Node(
                    "picture",
                    source=f"file{path}",
                    width=FILL,
                    height=side,
                    weight=1.0,
                    radius=4.0,
                    on_tap=self._pick(ctx, path),
                    id="album_picture",
                    desc=path.rpartition("/")[2],
                )
                for path in found
            ]
            cells += [Node("space", weight=1.0, height=side, hidden_from_tree=True) for _ in range(3 - len(found))]
            return Row(*cells, gap=4.0, width=FILL, pad=(6.0, 2.0, 6.0, 2.0), hidden_from_tree=True)

        listed = LazyList(
            lines, row=line, id="album_list", empty=EmptyState("image-off-outline", ctx.tr("no_pictures"))
        )
        return Scaffold(listed, top=TopBar(ctx, ctx.tr("album")), bg="page")

    def _pick(self, ctx: Context, path: str) -> Any:
        def handle() -> None:
            text = codes.read_code(ctx.phone, path)
            link = None if text is None else codes.parse_link(text)
            if link is None or link[0] != "pay" or not link[1].get("to"):
                ctx.toast(ctx.tr("no_code_found"))
                return
            ctx.go(
                "transfer_amount",
                **{key: link[1][key] for key in codes.PAY_VALUES if key in link[1]},
            )

        return handle
