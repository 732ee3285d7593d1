"""Scanning: a picture of the album in place of the camera, and the owner's own code."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from PIL import Image

from mobile_gym.phone.apps.messenger import look, store
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Icon, LazyList, Space, Text

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

_LINK = "mobench-messenger://contact/"
_DARK, _PALE = "#101214", "#D8DADD"
_CORNER = 26.0
_CORNERS = {
    "top-start": ((2.0, 24.0), (2.0, 2.0), (24.0, 2.0)),
    "top-end": ((2.0, 2.0), (24.0, 2.0), (24.0, 24.0)),
    "bottom-start": ((2.0, 2.0), (2.0, 24.0), (24.0, 24.0)),
    "bottom-end": ((24.0, 2.0), (24.0, 24.0), (2.0, 24.0)),
}


class Scan(Screen):
    """A finder, and the ways on."""

    name = "scan"
    activity = ".plugin.scanner.ui.BaseScanUI"

    def on_result(self, ctx: Context, result: Mapping[str, Any]) -> None:
        """A picture was chosen: the code of a person leads to them."""
        text = _code_in(ctx.phone, str(result.get("picture", "")).removeprefix("file"))
        person = store.find_person(ctx.phone, text.removeprefix(_LINK)) if text and text.startswith(_LINK) else None
        if person is not None:
            ctx.go("contact", contact=person["_id"])
        else:
            ctx.toast(ctx.tr("no_code_found" if text is None else "strange_code"))

    def build(self, ctx: Context) -> Node:
        """The finder in the middle, what can be done under it."""
        corners = [
            Node(
                "stroke",
                width=_CORNER,
                height=_CORNER,
                points=points,
                stroke_width=3.0,
                color=look.tone(ctx).green,
                place=place,
                hidden_from_tree=True,
            )
            for place, points in _CORNERS.items()
        ]
        glyph = Icon("camera-off-outline", 44.0, "#6C7076", place="center-center", hidden_from_tree=True)
        finder = Node("box", (*corners, glyph), width=236.0, height=236.0, id="finder")
        hint = Text(ctx.tr("scan_hint"), "bodyMedium", _PALE, text_align="center", width=FILL, id="scan_hint")
        ways = Node(
            "row",
            (
                self._way("qrcode", ctx.tr("my_code"), ctx.open("my_code"), "scan_my_code"),
                self._way("image-outline", ctx.tr("scan_album"), ctx.open("pick_picture"), "scan_album"),
            ),
            width=FILL,
            align="start",
            hidden_from_tree=True,
        )
        body = Node(
            "col",
            (Space(weight=1.0), finder, hint, Space(weight=1.0), ways),
            gap=20.0,
            align="center",
            width=FILL,
            height=FILL,
            pad=(24.0, 0.0, 24.0, 20.0),
            hidden_from_tree=True,
        )
        return look.page(ctx, body, top=look.top_bar(ctx, ctx.tr("scan"), ink="#FFFFFF"), bg=_DARK)

    def _way(self, icon: str, label: str, on_tap: Handler, id: str) -> Node:
        disc = Node(
            "box",
            (Icon(icon, 26.0, "#FFFFFF", place="center-center", hidden_from_tree=True),),
            width=56.0,
            height=56.0,
            radius=28.0,
            bg="#2B2E32",
            hidden_from_tree=True,
        )
        text = Text(label, "bodyMedium", _PALE, text_align="center", max_lines=2, hidden_from_tree=True)
        return Node(
            "col",
            (disc, text),
            gap=8.0,
            align="center",
            weight=1.0,
            id=id,
            text=label,
            cls="android.widget.Button",
            on_tap=on_tap,
        )


class MyCode(Screen):
    """The code that others scan to add the owner."""

    name = "my_code"
    activity = ".plugin.setting.ui.setting.SelfQRCodeUI"

    def build(self, ctx: Context) -> Node:
        """Face, name and region over the code."""
        t = look.tone(ctx)
        me = store.person(ctx.phone, store.ME)
        assert me is not None
        names = Node(
            "col",
            (
                Text(me["name"], "titleLarge", t.ink, text_weight=500, max_lines=1, id="code_name"),
                Text(me["region"], "bodyMedium", t.faint, max_lines=1, id="code_region"),
            ),
            gap=4.0,
            weight=1.0,
            hidden_from_tree=True,
        )
        face = look.face(me["name"], me["avatar"], 56.0, hidden_from_tree=True)
        head = Node("row", (face, names), gap=14.0, width=FILL, hidden_from_tree=True)
        code = Node(
            "picture",
            source=f"qr/{_LINK}{me['account']}",
            width=240.0,
            height=240.0,
            id="my_code_picture",
            desc=ctx.tr("my_code"),
        )
        note = Text(ctx.tr("my_code_note"), "bodyMedium", t.faint, text_align="center", width=FILL, id="my_code_note")
        card = Node(
            "col",
            (head, code, note),
            gap=24.0,
            align="center",
            width=FILL,
            radius=10.0,
            bg=t.card,
            pad=(28.0, 28.0, 28.0, 28.0),
            hidden_from_tree=True,
        )
        room = Node("box", (card,), width=FILL, pad=(32.0, 40.0, 32.0, 24.0), hidden_from_tree=True)
        return look.page(ctx, LazyList((room,), id="my_code_list"), top=look.top_bar(ctx, ctx.tr("my_code")))


def _code_in(phone: Phone, path: str) -> str | None:
    """What the code in a picture says: the phone's apps write it into a PNG's `Description`. None where none is."""
    files = phone.state.files
    if not files.exists(path) or files.is_dir(path):
        return None
    try:
        with Image.open(io.BytesIO(files.read(path))) as image:
            text = image.info.get("Description")
    except (OSError, SyntaxError, ValueError):
        return None  # a broken picture holds no code
    return None if text is None else str(text)
