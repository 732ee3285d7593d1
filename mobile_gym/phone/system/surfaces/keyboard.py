"""The keyboard: letters, symbols, numbers, emoji, and Pinyin with candidates.

Its interface state (`ctx.ui`): `open`; `page`; `mode`, zh or en; `shift`, 0 off, 1 once, 2 locked; `letters` that are
still being composed, and `composing`, how the field shows them; `expanded`, whether all candidates show.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any

import yaml

from mobile_gym.phone.system.app import Context
from mobile_gym.phone.system.keyboard.pinyin import candidates, rest_after, split
from mobile_gym.phone.system.surface import Surface
from mobile_gym.phone.ui.display import Clip
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Icon

PANEL_DP, NAV_DP, ROW_DP, KEY_DP = 290.0, 48.0, 55.0, 46.0
_WIDE = 55.5 / 35.1
_ICONS = {"DELETE": "backspace-outline", "EMOJI": "emoticon-outline"}
_ACTION_ICONS = {"next": "chevron-right"}
_PADS = ("number", "decimal", "phone")
_LATIN_ONLY = ("password", "email", "url")
_EXPANDED_COLUMNS, _EXPANDED_MOST = 6, 60


@lru_cache(maxsize=1)
def layouts() -> dict[str, Any]:
    """Rows of keys by page."""
    text = files("mobile_gym.phone.system.keyboard").joinpath("layouts.yaml").read_text(encoding="utf-8")
    found: dict[str, Any] = yaml.safe_load(text)
    return found


class Keyboard(Surface):
    """The input method's window; it includes the room of the navigation bar."""

    name = "keyboard"
    scales_text = False
    layer = 20
    package = "com.android.inputmethod.pinyin"

    def box(self, ctx: Context, width: int, height: int) -> Clip:
        """The lower part of the screen."""
        density = ctx.phone.density_dpi / 160
        return (0, height - min(round((PANEL_DP + NAV_DP) * density), height * 2 // 3), width, height)

    def visible(self, ctx: Context) -> bool:
        """While it is open and a field has the focus."""
        return bool(ctx.ui.get("open")) and ctx.phone.state.interface["focus"] is not None

    # ---- what the field wants

    def _field(self, ctx: Context) -> dict[str, Any]:
        wanted: dict[str, Any] = ctx.ui.get("field") or {"input_type": "text", "action": "done", "multiline": False}
        return wanted

    def _chinese(self, ctx: Context) -> bool:
        mode = ctx.ui.get("mode") or ctx.language
        return mode == "zh" and self._field(ctx)["input_type"] not in (*_LATIN_ONLY, *_PADS)

    # ---- building

    def build(self, ctx: Context) -> Node:
        """Candidates over four rows of keys."""
        page = ctx.ui.get("page", "letters")
        if page == "letters" and self._field(ctx)["input_type"] in _PADS:
            rows = self._pad(ctx)
        else:
            rows = self._page(ctx, page)
        if ctx.ui.get("expanded") and self._letters(ctx):
            keys = self._all_candidates(ctx)
        else:
            keys = Node("col", rows, width=FILL, gap=ROW_DP - KEY_DP, pad=(5.0, 5.0, 5.0, 0.0))
        return Node(
            "col",
            (self._strip(ctx), keys),
            width=FILL,
            height=FILL,
            bg="surfaceContainer",
            blocks=True,
            id="keyboard_view",
        )

    def _letters(self, ctx: Context) -> str:
        return str(ctx.ui.get("letters", ""))

    def _strip(self, ctx: Context) -> Node:
        letters = self._letters(ctx)
        if not letters:
            return Node("space", height=66.0, width=FILL)
        reading = Node(
            "text",
            text="'".join(split(letters)),
            style="bodyMedium",
            color="onSurfaceVariant",
            height=22.0,
            pad=(16.0, 0.0, 16.0, 0.0),
            max_lines=1,
            id="pinyin",
        )
        words: list[Node] = []
        for number, (word, size) in enumerate(candidates(letters)[:12]):
            words.append(
                Node(
                    "text",
                    text=word,
                    size_sp=19.0,
                    line_sp=24.0,
                    height=44.0,
                    pad=(13.0, 0.0, 13.0, 0.0),
                    max_lines=1,
                    color="onSurface" if number else "primary",
                    text_weight=400 if number else 500,
                    on_tap=self._choose(ctx, word, size),
                    id=f"candidate_{number}",
                )
            )
        more = Node(
            "box",
            (Node("icon", icon="chevron-up" if ctx.ui.get("expanded") else "chevron-down", place="center-center"),),
            width=48.0,
            height=44.0,
            on_tap=ctx.toggle_ui("expanded"),
            id="more_candidates",
        )
        listed = Node("list", words, axis="h", weight=1.0, height=44.0, id="candidates", pad=(3.0, 0.0, 0.0, 0.0))
        return Node("col", (reading, Node("row", (listed, more), width=FILL, height=44.0)), width=FILL, height=66.0)

    def _all_candidates(self, ctx: Context) -> Node:
        found = candidates(self._letters(ctx))[:_EXPANDED_MOST]
        rows = []
        for start in range(0, len(found), _EXPANDED_COLUMNS):
            cells = [
                Node(
                    "text",
                    text=word,
                    size_sp=19.0,
                    line_sp=24.0,
                    height=48.0,
                    weight=1.0,
                    text_align="center",
                    max_lines=1,
                    on_tap=self._choose(ctx, word, size),
                )
                for word, size in found[start : start + _EXPANDED_COLUMNS]
            ]
            cells += [Node("space", weight=1.0) for _ in range(_EXPANDED_COLUMNS - len(cells))]
            rows.append(Node("row", cells, width=FILL, height=48.0))
        return Node("list", rows, width=FILL, weight=1.0, id="all_candidates", pad=(0.0, 0.0, 0.0, NAV_DP))

    def _page(self, ctx: Context, page: str) -> list[Node]:
        rows = []
        for number, names in enumerate(layouts()[page]):
            keys = [self._key(ctx, name, page) for name in names]
            if page == "letters" and number == 1:
                keys = [Node("space", weight=0.42), *keys, Node("space", weight=0.42)]
            rows.append(Node("row", keys, gap=5.6, width=FILL, height=KEY_DP))
        rows.append(self._last_row(ctx, page))
        return rows

    def _last_row(self, ctx: Context, page: str) -> Node:
        chinese = self._chinese(ctx)
        switch_page = "?123" if page in ("letters", "emoji") else "ABC"
        target = "symbols" if page in ("letters", "emoji") else "letters"
        comma, stop = ("\uff0c", "\u3002") if chinese else (",", ".")
        keys = [
            self._function(switch_page, ctx.set_ui("page", target), _WIDE, "symbols_key", size=16.0),
            self._char_key(ctx, comma, function=True),
            self._function_icon(
                "EMOJI", ctx.set_ui("page", "letters" if page == "emoji" else "emoji"), 1.0, "emoji_key"
            ),
            self._key_node(
                ctx.tr("keyboard_pinyin" if chinese else "keyboard_english"),
                lambda: self._space(ctx),
                116.5 / 35.1,
                "space",
                bg="key",
                size=14.0,
                color="onSurfaceVariant",
            ),
            self._char_key(ctx, stop, function=True),
            self._function(
                ctx.tr("keyboard_language"),
                lambda: self._switch_language(ctx),
                1.0,
                "language_key",
                size=12.0 if ctx.language == "zh" else 10.0,
            ),
            self._action_key(ctx),
        ]
        return Node("row", keys, gap=5.6, width=FILL, height=KEY_DP)

    def _pad(self, ctx: Context) -> list[Node]:
        kind = self._field(ctx)["input_type"]
        rows = [
            Node("row", [self._char_key(ctx, name) for name in names], gap=5.6, width=FILL, height=KEY_DP)
            for names in layouts()["phone" if kind == "phone" else "number"]
        ]
        last = [
            self._char_key(ctx, {"phone": "*", "decimal": "."}.get(kind, "00") if kind != "number" else "00"),
            self._char_key(ctx, "0"),
            self._function_icon("DELETE", lambda: self._delete(ctx), 1.0, "delete_key"),
        ]
        if kind == "phone":
            last.insert(2, self._char_key(ctx, "#"))
        last.append(self._action_key(ctx, 1.0))
        rows.append(Node("row", last, gap=5.6, width=FILL, height=KEY_DP))
        return rows

    def _key(self, ctx: Context, name: str, page: str) -> Node:
        if name == "SHIFT":
            shift = ctx.ui.get("shift", 0)
            icon = ("apple-keyboard-shift", "arrow-up-bold", "arrow-up-bold-box")[shift]
            return self._function_icon(icon, lambda: ctx.ui.update(shift=(shift + 1) % 3), _WIDE, "shift_key")
        if name == "DELETE":
            return self._function_icon("DELETE", lambda: self._delete(ctx), _WIDE, "delete_key")
        pages = {"MORE": ("=\\<", "more"), "FEWER": ("?123", "symbols"), "LETTERS": ("ABC", "letters")}
        if name in pages:
            label, target = pages[name]
            return self._function(label, ctx.set_ui("page", target), _WIDE, "page_key", size=16.0)
        return self._char_key(ctx, name, hint=layouts()["hints"].get(name, "") if page == "letters" else "")

    def _char_key(self, ctx: Context, char: str, function: bool = False, hint: str = "") -> Node:
        shown = char.upper() if ctx.ui.get("shift", 0) and len(char) == 1 and char.isascii() else char
        bg = "keyFunction" if function else "key"
        color = "onSecondaryContainer" if function else "onSurface"
        node = self._key_node(shown, lambda: self._type(ctx, shown), 1.0, f"key_{char}", bg=bg, size=22.0, color=color)
        if not hint:
            return node
        corner = Node(
            "text",
            text=hint,
            size_sp=10.0,
            line_sp=12.0,
            color="onSurfaceVariant",
            place="top-end",
            offset=(-5.0, 3.0),
            hidden_from_tree=True,
        )
        face = node.replace(weight=0.0, width=FILL, height=FILL, on_long_press=lambda: self._type(ctx, hint))
        return Node("box", (face, corner), weight=1.0, height=KEY_DP, hidden_from_tree=True)

    def _key_node(
        self, label: str, on_tap: Handler, weight: float, id: str, *, bg: str, size: float, color: str = "onSurface"
    ) -> Node:
        return Node(
            "text",
            text=label,
            size_sp=size,
            line_sp=size * 1.2,
            weight=weight,
            height=KEY_DP,
            bg=bg,
            radius=8.0,
            edge=True,
            text_align="center",
            max_lines=1,
            color=color,
            on_tap=on_tap,
            id=id,
        )

    def _function(self, label: str, on_tap: Handler, weight: float, id: str, size: float) -> Node:
        return self._key_node(label, on_tap, weight, id, bg="keyFunction", size=size, color="onSecondaryContainer")

    def _function_icon(self, icon: str, on_tap: Handler, weight: float, id: str) -> Node:
        glyph = Icon(_ICONS.get(icon, icon), 22.0, "onSecondaryContainer", place="center-center", hidden_from_tree=True)
        return Node(
            "box",
            (glyph,),
            weight=weight,
            height=KEY_DP,
            bg="keyFunction",
            radius=8.0,
            edge=True,
            on_tap=on_tap,
            id=id,
            desc=id.removesuffix("_key"),
        )

    def _action_key(self, ctx: Context, weight: float = _WIDE) -> Node:
        wanted = self._field(ctx)
        action = "enter" if wanted["multiline"] and not self._letters(ctx) else wanted["action"]
        label = ctx.tr(f"keyboard_{action}")
        key = self._key_node(
            label,
            lambda: self._act(ctx),
            weight,
            "action_key",
            bg="primary",
            size=16.0 if len(label) < (3 if ctx.language == "zh" else 5) else 14.0,
            color="onPrimary",
        )
        return key.replace(edge=False)

    # ---- typing

    def _type(self, ctx: Context, char: str) -> None:
        letters = self._letters(ctx)
        if self._chinese(ctx) and char.isascii() and (char.isalpha() or (char == "'" and letters)):
            self._compose(ctx, letters + char.lower())
        else:
            self._flush(ctx)
            ctx.phone.text_input.commit(char)
        if ctx.ui.get("shift") == 1:
            ctx.ui["shift"] = 0

    def _compose(self, ctx: Context, letters: str) -> None:
        ctx.ui.update(letters=letters, composing=" ".join(split(letters)), expanded=False)
        ctx.record["scroll"].pop("candidates", None)

    def _choose(self, ctx: Context, word: str, syllables: int) -> Handler:
        def handle() -> None:
            left = rest_after(self._letters(ctx), syllables)
            self._compose(ctx, "")
            ctx.phone.text_input.commit(word)
            self._compose(ctx, left)

        return handle

    def _flush(self, ctx: Context) -> None:
        """What was being composed becomes its first candidate."""
        letters = self._letters(ctx)
        if letters:
            found = candidates(letters)
            self._compose(ctx, "")
            ctx.phone.text_input.commit(found[0][0] if found else letters)

    def _space(self, ctx: Context) -> None:
        if self._letters(ctx):
            word, syllables = next(iter(candidates(self._letters(ctx))), (self._letters(ctx), 99))
            self._choose(ctx, word, syllables)()
        else:
            ctx.phone.text_input.commit(" ")

    def _delete(self, ctx: Context) -> None:
        letters = self._letters(ctx)
        if letters:
            self._compose(ctx, letters[:-1])
        else:
            ctx.phone.text_input.delete_back()

    def _act(self, ctx: Context) -> None:
        letters = self._letters(ctx)
        if letters:
            # The action key takes the letters as they are.
            self._compose(ctx, "")
            ctx.phone.text_input.commit(letters)
        elif self._field(ctx)["multiline"]:
            ctx.phone.text_input.commit("\n")
        else:
            ctx.phone.text_input.act()

    def _switch_language(self, ctx: Context) -> None:
        self._flush(ctx)
        ctx.ui["mode"] = "en" if self._chinese(ctx) else "zh"
