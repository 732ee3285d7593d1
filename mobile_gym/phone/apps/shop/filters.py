"""The sheet of filters: prices, brands, what a product must have."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.apps.shop import look, store
from mobile_gym.phone.apps.shop.sheets import close_row, overlay_state, wrapped
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import LazyList, Row, Sheet, Text
from mobile_gym.phone.ui.widgets.fields import field

if TYPE_CHECKING:
    from mobile_gym.phone.system.app import Record

RANGES = ((None, 2000), (2000, 5000), (5000, 10000), (10000, 20000), (20000, None))
"""Prices that one tap fills in, cents."""
_NUMBER = re.compile(r"\d{1,7}(?:\.\d{1,2})?$")


def cents(text: str) -> int | None:
    """An amount in yuan as cents; None where it is none."""
    text = text.strip()
    return round(float(text) * 100) if _NUMBER.match(text) else None


class FilterSheet(Screen):
    """A screen with a list that can be filtered."""

    def change(self, ctx: Context, **state: Any) -> None:
        """Changes the list's state."""
        raise NotImplementedError

    def overlay_filter(self, ctx: Context) -> Node:
        """Filters; they are in force once they are confirmed."""
        state = overlay_state(ctx)
        if "filters" not in state:
            state["filters"] = list(ctx.ui["filters"])
            for key in ("price_min", "price_max"):
                value = ctx.ui[key]
                ctx.set_field(key, "" if value is None else look.yuan(value))

        def toggle(key: str) -> Handler:
            def handle() -> None:
                chosen = state["filters"]
                state["filters"] = [f for f in chosen if f != key] if key in chosen else sorted([*chosen, key])

            return handle

        def reset() -> None:
            state["filters"] = []
            for key in ("price_min", "price_max"):
                ctx.set_field(key, "")

        def confirm() -> None:
            low, high = cents(ctx.field("price_min")), cents(ctx.field("price_max"))
            if low is not None and high is not None and low > high:
                low, high = high, low
            ctx.focus(None)
            ctx.dismiss()
            self.change(ctx, filters=sorted(state["filters"]), price_min=low, price_max=high)

        flags = [
            look.chip(ctx.tr(f"flag_{key}"), key in state["filters"], toggle(key), f"filter_{key}")
            for key in store.FLAGS
        ]
        sections = [
            _section(ctx, ctx.tr("filter_service"), flags),
            self._prices(ctx),
            _section(ctx, ctx.tr("brand"), self._brands(ctx, state, toggle)),
        ]
        room = LazyList(sections, id="filter_list")
        height = min(430.0, ctx.phone.screen[1] * 160 / ctx.phone.density_dpi - 400.0)
        keyboard = ctx.phone.surface_record("keyboard")["ui"].get("open")
        if keyboard:
            height = min(height, 180.0)
        buttons = Row(
            look.pill(ctx.tr("filter_reset"), reset, "filter_reset", "line", 44.0, weight=1.0),
            look.pill(ctx.tr("ok"), confirm, "filter_confirm", height=44.0, weight=1.0),
            gap=10.0,
            width=FILL,
            pad=(16.0, 8.0, 16.0, 12.0),
        )
        box = Node("box", (room,), width=FILL, height=height, hidden_from_tree=True)
        return Sheet(ctx, close_row(ctx, ctx.tr("filter")), box, buttons)

    def _prices(self, ctx: Context) -> Node:
        def box(key: str, hint: str) -> Node:
            return field(
                ctx,
                key,
                hint=hint,
                input_type="decimal",
                max_length=8,
                weight=1.0,
                height=38.0,
                radius=19.0,
                bg="pale",
                pad=(14.0, 0.0, 14.0, 0.0),
                text_align="center",
                style="bodyMedium",
                on_submit=lambda: ctx.focus("price_max" if key == "price_min" else None),
                action="next" if key == "price_min" else "done",
            )

        fields = Row(
            box("price_min", ctx.tr("price_lowest")),
            Text("\u2013", "bodyLarge", "soft"),
            box("price_max", ctx.tr("price_highest")),
            gap=10.0,
            width=FILL,
        )

        def fill(low: int | None, high: int | None) -> Handler:
            def handle() -> None:
                ctx.set_field("price_min", "" if low is None else look.yuan(low))
                ctx.set_field("price_max", "" if high is None else look.yuan(high))

            return handle

        current = cents(ctx.field("price_min")), cents(ctx.field("price_max"))
        chips = []
        for low, high in RANGES:
            text = f"{look.yuan(low or 0)}\u2013{look.yuan(high)}" if high is not None else f"{look.yuan(low or 0)}+"
            chips.append(look.chip(text, current == (low, high), fill(low, high), "price_range"))
        return Node(
            "col",
            (Text(ctx.tr("filter_price"), "titleSmall", id="filter_title"), fields, *wrapped(ctx, chips, 40.0)),
            gap=10.0,
            width=FILL,
            pad=(20.0, 6.0, 20.0, 10.0),
        )

    def _brands(self, ctx: Context, state: Record, toggle: Any) -> list[Node]:
        found = store.list_products(ctx.phone, {**ctx.ui, "filters": [], "price_min": None, "price_max": None})
        brands = {row["brand"]: row[f"brand_{ctx.language}"] for row in found}
        for text in state["filters"]:
            key = text.removeprefix("brand:")
            if text.startswith("brand:") and key not in brands:
                row = store.brand(ctx.phone, key)
                brands[key] = row[f"name_{ctx.language}"] if row else key
        return [
            look.chip(label, f"brand:{key}" in state["filters"], toggle(f"brand:{key}"), "filter_brand")
            for key, label in brands.items()
        ]


def _section(ctx: Context, title: str, chips: list[Node]) -> Node:
    return Node(
        "col",
        (Text(title, "titleSmall", id="filter_title"), *wrapped(ctx, chips, 40.0)),
        gap=10.0,
        width=FILL,
        pad=(20.0, 6.0, 20.0, 10.0),
    )
