"""The sheet of filters: kinds of filters at the left, what each offers at the right."""

from __future__ import annotations

import re
from typing import Any

from mobile_gym.phone.apps.oakridge import look, store
from mobile_gym.phone.system.app import Context, Record, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Checkbox, IconButton, LazyList, Radio, Row, Sheet, Text
from mobile_gym.phone.ui.widgets.fields import field

RANGES = ((None, 2500), (2500, 5000), (5000, 10000), (10000, 20000), (20000, None))
"""Prices that one tap chooses, cents."""
RATINGS = (45, 40)
"""Least ratings that can be asked for, tenths of a star."""
GROUPS = ("price", "rating", "brand", "more")
_NUMBER = re.compile(r"\d{1,6}(?:\.\d{1,2})?$")


def cents(text: str) -> int | None:
    """An amount in dollars as cents; None where it is none."""
    text = text.strip()
    return round(float(text) * 100) if _NUMBER.match(text) else None


def range_text(ctx: Context, low: int | None, high: int | None) -> str:
    """Prices in words: `Under $25`, `$25 to $50`, `$200 & above`."""

    def short(amount: int) -> str:
        return look.money(amount).removesuffix(".00")

    if low is None:
        return ctx.tr("price_under", high=short(high or 0))
    if high is None:
        return ctx.tr("price_above", low=short(low))
    return ctx.tr("price_between", low=short(low), high=short(high))


def overlay_state(ctx: Context) -> Record:
    """The plain values of the overlay that is built."""
    if ctx.overlay is None:
        raise ValueError("only an overlay of a screen has this state")
    state: Record = ctx.overlay["ui"]
    return state


class FilterSheet(Screen):
    """A screen with a list that can be filtered."""

    def change(self, ctx: Context, **state: Any) -> None:
        """Changes the list's state."""
        raise NotImplementedError

    def overlay_filter(self, ctx: Context) -> Node:
        """Filters; they are in force once the results are shown."""
        state = overlay_state(ctx)
        if "filters" not in state:
            state.update(group="price", filters=list(ctx.ui["filters"]))
            self._fill(ctx, ctx.ui["price_min"], ctx.ui["price_max"])
        low, high = self._prices(ctx)
        wanted = {**ctx.ui, "filters": state["filters"], "price_min": low, "price_max": high}
        count = len(store.list_products(ctx.phone, wanted))

        any_chosen = bool(state["filters"]) or any(ctx.field(key) for key in ("price_min", "price_max"))

        def apply() -> None:
            ctx.focus(None)
            ctx.dismiss()
            self.change(ctx, filters=sorted(state["filters"]), price_min=low, price_max=high)

        def clear() -> None:
            state["filters"] = []
            self._fill(ctx, None, None)

        rail = Node("col", [self._group(ctx, state, key) for key in GROUPS], width=122.0, height=FILL, bg="rail")
        pane = {"price": self._price, "rating": self._rating, "brand": self._brand, "more": self._more}
        choices = LazyList(pane[state["group"]](ctx, state), id="filter_list", weight=1.0)
        keyboard = ctx.phone.surface_record("keyboard")["ui"].get("open")
        height = 190.0 if keyboard else min(360.0, look.height_dp(ctx) - 300.0)
        middle = Node("row", (rail, Node("box", (choices,), weight=1.0, height=FILL)), width=FILL, height=height)
        head = Row(
            Text(ctx.tr("filter"), "titleLarge", text_weight=700, weight=1.0, id="sheet_title"),
            IconButton("close", ctx.dismiss, ctx.tr("close"), id="sheet_close", color="onSurface"),
            width=FILL,
            pad=(20.0, 0.0, 8.0, 8.0),
        )
        buttons = Row(
            look.button(ctx.tr("filter_clear"), clear, "filter_clear", "line", enabled=any_chosen, weight=1.0),
            look.button(look.counted(ctx, "filter_show", count), apply, "filter_apply", "filled", weight=1.4),
            gap=10.0,
            width=FILL,
            pad=(16.0, 10.0, 16.0, 12.0),
        )
        return Sheet(ctx, head, look.divider(), middle, look.divider(), buttons)

    def _fill(self, ctx: Context, low: int | None, high: int | None) -> None:
        for key, value in (("price_min", low), ("price_max", high)):
            ctx.set_field(key, "" if value is None else f"{value / 100:.2f}".removesuffix(".00"))

    def _prices(self, ctx: Context) -> tuple[int | None, int | None]:
        low, high = cents(ctx.field("price_min")), cents(ctx.field("price_max"))
        if low is not None and high is not None and low > high:
            return high, low
        return low, high

    def _group(self, ctx: Context, state: Record, key: str) -> Node:
        chosen = state["group"] == key
        chosen_filters = state["filters"]
        count = {
            "price": int(self._prices(ctx) != (None, None)),
            "rating": sum(text.startswith("rating:") for text in chosen_filters),
            "brand": sum(text.startswith("brand:") for text in chosen_filters),
            "more": sum(text in store.FLAGS for text in chosen_filters),
        }[key]

        def choose() -> None:
            ctx.focus(None)
            state["group"] = key
            ctx.record["scroll"].pop("filter_list", None)

        name = ctx.tr(f"filter_{key}")
        parts = [
            Node("space", width=4.0, height=FILL, bg="primary" if chosen else None, hidden_from_tree=True),
            Text(name, "bodyMedium", text_weight=700 if chosen else 0, weight=1.0, max_lines=2, hidden_from_tree=True),
        ]
        if count:
            parts.append(look.badge(count))
        return Row(
            *parts,
            gap=8.0,
            width=FILL,
            min_height=52.0,
            height=64.0 if look.font_scale(ctx) > 1.15 else 52.0,
            bg="card" if chosen else None,
            pad=(0.0, 0.0, 8.0, 0.0),
            id=f"group_{key}",
            text=name,
            selected=chosen,
            on_tap=choose,
        )

    def _price(self, ctx: Context, state: Record) -> list[Node]:
        current = self._prices(ctx)

        def fill(low: int | None, high: int | None) -> Handler:
            def handle() -> None:
                ctx.focus(None)
                self._fill(ctx, *((None, None) if current == (low, high) else (low, high)))

            return handle

        def box(key: str) -> Node:
            return field(
                ctx,
                key,
                hint=ctx.tr(key),
                input_type="decimal",
                max_length=8,
                weight=1.0,
                height=44.0,
                radius=8.0,
                border=1.0,
                border_color="outline",
                pad=(10.0, 0.0, 6.0, 0.0),
                style="bodyMedium",
                on_submit=lambda: ctx.focus("price_max" if key == "price_min" else None),
                action="next" if key == "price_min" else "done",
            )

        rows = [
            _choice(range_text(ctx, low, high), current == (low, high), fill(low, high), "price_range", True)
            for low, high in RANGES
        ]
        own = Row(
            box("price_min"),
            Text("\u2013", "bodyLarge", "soft"),
            box("price_max"),
            gap=8.0,
            width=FILL,
            pad=(12.0, 10.0, 12.0, 12.0),
        )
        return [*rows, own]

    def _rating(self, ctx: Context, state: Record) -> list[Node]:
        def choose(key: str) -> Handler:
            def handle() -> None:
                rest = [text for text in state["filters"] if not text.startswith("rating:")]
                state["filters"] = rest if key in state["filters"] else sorted([*rest, key])

            return handle

        return [
            _choice(
                ctx.tr("rating_from", stars=f"{least / 10:.1f}"),
                f"rating:{least}" in state["filters"],
                choose(f"rating:{least}"),
                f"rating_{least}",
                True,
            )
            for least in RATINGS
        ]

    def _brand(self, ctx: Context, state: Record) -> list[Node]:
        names = store.brands(ctx.phone, ctx.ui)
        return [
            _choice(name, f"brand:{name}" in state["filters"], _toggle(state, f"brand:{name}"), "filter_brand")
            for name in names
        ]

    def _more(self, ctx: Context, state: Record) -> list[Node]:
        return [
            _choice(ctx.tr(f"flag_{key}"), key in state["filters"], _toggle(state, key), f"filter_{key}")
            for key in store.FLAGS
        ]


def _toggle(state: Record, key: str) -> Handler:
    def handle() -> None:
        chosen = state["filters"]
        state["filters"] = [text for text in chosen if text != key] if key in chosen else sorted([*chosen, key])

    return handle


def _choice(label: str, chosen: bool, on_tap: Handler, id: str, single: bool = False) -> Node:
    return Row(
        Radio(chosen) if single else Checkbox(chosen),
        Text(label, "bodyMedium", weight=1.0, hidden_from_tree=True),
        gap=10.0,
        width=FILL,
        min_height=48.0,
        pad=(12.0, 4.0, 12.0, 4.0),
        id=id,
        text=label,
        on_tap=on_tap,
        checkable=True,
        checked=chosen,
        selected=chosen,
    )
