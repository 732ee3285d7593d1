"""Sheets that several screens have: variants, coupons, addresses to deliver to."""

from __future__ import annotations

import json
from collections.abc import Callable

from mobile_gym.phone.apps.shop import look, ordering, store
from mobile_gym.phone.system.app import Context, Record, Screen
from mobile_gym.phone.system.formats import month_day
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Icon, LazyList, Row, Sheet, Space, Text


def overlay_state(ctx: Context) -> Record:
    """The plain values of the overlay that is built."""
    if ctx.overlay is None:
        raise ValueError("only an overlay of a screen has this state")
    state: Record = ctx.overlay["ui"]
    return state


def day_text(ctx: Context, at_ms: int, time: bool = False) -> str:
    """A moment as a date, with its time if asked for: `2026-03-12 08:26`."""
    moment = ctx.phone.state.clock.at(at_ms)
    return moment.strftime("%Y-%m-%d %H:%M" if time else "%Y-%m-%d")


def coupon_scope(ctx: Context, coupon: Record) -> str:
    """What a coupon is good for."""
    scope, value = coupon["scope"], str(coupon["scope_value"])
    if scope == "category":
        return ctx.tr("scope_category", name=store.category_name(ctx.language, value))
    if scope == "shop":
        found = store.brand(ctx.phone, value)
        return ctx.tr("scope_shop", name=found[f"name_{ctx.language}"] if found else value)
    if scope == "product":
        return ctx.tr("scope_product")
    return ctx.tr("scope_all")


def coupon_card(ctx: Context, coupon: Record, until: str, trailing: Node | None, faded: bool = False) -> Node:
    """A coupon: what it takes off at the left, what it is good for, a button."""
    threshold = coupon["threshold_cents"]
    rule = ctx.tr("coupon_from", amount=look.yuan(threshold)) if threshold else ctx.tr("coupon_any")
    left = Node(
        "col",
        (
            look.price(coupon["off_cents"], 26.0, id="coupon_off"),
            Text(rule, "labelSmall", "primary", text_align="center", max_lines=2, width=FILL, id="coupon_rule"),
        ),
        align="center",
        justify="center",
        width=104.0,
        gap=2.0,
        pad=(4.0, 0.0, 4.0, 0.0),
    )
    middle = Node(
        "col",
        (
            Text(coupon[f"title_{ctx.language}"], "titleSmall", "onSurface", max_lines=2, id="coupon_title"),
            Text(coupon_scope(ctx, coupon), "bodySmall", "soft", max_lines=2, id="coupon_scope"),
            Text(until, "labelSmall", "soft", max_lines=1, text_weight=400, id="coupon_until"),
        ),
        gap=2.0,
        weight=1.0,
    )
    parts = [left, middle, *((trailing,) if trailing is not None else ())]
    inner = Node(
        "row",
        parts,
        gap=8.0,
        width=FILL,
        min_height=92.0,
        bg="tint",
        radius=10.0,
        pad=(0.0, 10.0, 12.0, 10.0),
        id="coupon",
        fade=0.5 if faded else 1.0,
    )
    return Node("box", (inner,), width=FILL, pad=(12.0, 0.0, 12.0, 8.0), hidden_from_tree=True)


def claim_button(ctx: Context, coupon: Record) -> Node:
    """Claims a coupon; one that is owned says so."""
    owned = store.database(ctx.phone).value(
        "SELECT 1 FROM my_coupons WHERE coupon_id = ? AND status = 'available'", coupon["_id"]
    )

    def act() -> None:
        ordering.claim(ctx.phone, coupon["_id"])
        ctx.toast(ctx.tr("coupon_claimed_toast"))

    if owned is not None:
        return look.pill(ctx.tr("coupon_claimed"), None, "coupon_claimed", "line", 30.0, enabled=False)
    return look.pill(ctx.tr("coupon_claim"), act, "coupon_claim", height=30.0)


def close_row(ctx: Context, title: str) -> Node:
    """A sheet's title with a button that closes it."""
    return Row(
        Text(title, "titleMedium", weight=1.0, id="sheet_title"),
        Node(
            "box",
            (Icon("close", 22.0, "soft", place="center-center", hidden_from_tree=True),),
            width=44.0,
            height=44.0,
            id="sheet_close",
            desc=ctx.tr("close"),
            on_tap=ctx.dismiss,
            cls="android.widget.ImageButton",
        ),
        width=FILL,
        pad=(20.0, 0.0, 8.0, 4.0),
    )


def options_of(variant: Record) -> list[list[str]]:
    """A variant's choice on each axis: zh and en."""
    found: list[list[str]] = json.loads(variant["options"])
    return found


class Buying(Screen):
    """A screen from which a variant can be chosen, coupons claimed and the address to deliver to set."""

    def overlay_variant(self, ctx: Context, product: int, mode: str, line: int = 0, variant: int = 0) -> Node:
        """Colour, size, pieces. Mode is `cart`, `buy`, `both`, or `line`: that of a line of the cart."""
        found = store.product(ctx.phone, product)
        rows = store.variants(ctx.phone, product)
        state = overlay_state(ctx)
        if found is None or not rows:
            return Sheet(ctx, look.empty("package-variant-closed", ctx.tr("off_sale")))
        if "picked" not in state:
            _first_choice(state, rows, variant)
            if line:
                state["quantity"] = store.database(ctx.phone).value("SELECT quantity FROM cart WHERE _id = ?", line)
        chosen = next((row for row in rows if [o[0] for o in options_of(row)] == state["picked"]), None)
        stock = 0 if chosen is None else chosen["stock"]
        state["quantity"] = max(min(state["quantity"], stock), 1)
        head = Row(
            look.picture(rows[0]["picture"] if chosen is None else chosen["picture"], 92.0, id="variant_picture"),
            Node(
                "col",
                (
                    look.price(
                        found["price_cents"] if chosen is None else chosen["price_cents"], 24.0, id="variant_price"
                    ),
                    Text(
                        ctx.tr("stock_left", count=stock) if stock else ctx.tr("sold_out"),
                        "bodySmall",
                        "soft",
                        id="variant_stock",
                    ),
                    Text(
                        ctx.tr("picked", name=chosen[f"name_{ctx.language}"]) if chosen else ctx.tr("pick_variant"),
                        "bodySmall",
                        "onSurface",
                        max_lines=2,
                        id="variant_picked",
                    ),
                ),
                gap=2.0,
                weight=1.0,
            ),
            gap=12.0,
            width=FILL,
            pad=(20.0, 0.0, 20.0, 8.0),
        )
        groups = [_axis(ctx, state, rows, number, names) for number, names in enumerate(json.loads(found["axes"]))]

        def set_quantity(value: int) -> None:
            state["quantity"] = value

        amount = Row(
            Text(ctx.tr("quantity"), "titleSmall", weight=1.0),
            look.stepper(ctx, state["quantity"], max(stock, 1), set_quantity),
            width=FILL,
            pad=(20.0, 8.0, 20.0, 12.0),
        )

        def act(deed: str) -> Handler:
            def handle() -> None:
                if chosen is None:
                    ctx.toast(ctx.tr("pick_variant"))
                    return
                ctx.dismiss()
                self._bought(ctx, deed, product, chosen["_id"], state["quantity"], line)

            return handle

        deeds = {"both": ("cart", "buy"), "cart": ("cart",), "buy": ("buy",), "line": ("line",)}[mode]
        if stock:
            buttons = [
                look.pill(
                    ctx.tr(f"deed_{deed}"),
                    act(deed),
                    f"confirm_{deed}",
                    "amber" if deed == "cart" else "filled",
                    44.0,
                    weight=1.0,
                )
                for deed in deeds
            ]
        else:
            buttons = [look.pill(ctx.tr("sold_out"), None, "sold_out", height=44.0, enabled=False, weight=1.0)]
        # Many sizes in large type scroll; the price above and the buttons below stay.
        body = Node("list", [*groups, amount], width=FILL, id="variant_list", cls="android.widget.ScrollView")
        room = Node("box", (body,), width=FILL, height=_axes_room(ctx, groups), hidden_from_tree=True)
        return Sheet(ctx, head, room, Row(*buttons, gap=10.0, width=FILL, pad=(16.0, 4.0, 16.0, 12.0)))

    def _bought(self, ctx: Context, deed: str, product: int, variant: int, quantity: int, line: int) -> None:
        if deed == "cart":
            store.add_to_cart(ctx.phone, product, variant, quantity)
            ctx.toast(ctx.tr("added_to_cart"))
        elif deed == "line":
            store.change_variant(ctx.phone, line, variant, quantity)
        else:
            ctx.go("checkout", lines=[{"variant": variant, "quantity": quantity}], from_cart=False)

    def overlay_coupons(self, ctx: Context, product: int) -> Node:
        """Coupons that the product's buyers can claim."""
        found = store.product(ctx.phone, product)
        rows = [] if found is None else coupons_for(ctx, found)
        cards = [coupon_card(ctx, row, ctx.tr("coupon_days", days=row["days"]), claim_button(ctx, row)) for row in rows]
        room = LazyList(cards, id="coupon_list")
        height = min(100.0 * len(cards) + 20.0, 420.0)
        return Sheet(ctx, close_row(ctx, ctx.tr("coupons_title")), Node("box", (room,), width=FILL, height=height))

    def overlay_address(self, ctx: Context) -> Node:
        """Where to deliver to."""
        current = store.delivery_address(ctx.phone)

        def choose(key: int) -> Handler:
            def handle() -> None:
                store.database(ctx.phone).update("session", 1, address_id=key)
                ctx.dismiss()

            return handle

        rows = [
            address_row(ctx, row, choose(row["_id"]), current is not None and row["_id"] == current["_id"])
            for row in store.addresses(ctx.phone)
        ]
        add = look.pill(ctx.tr("address_add"), ctx.then_dismiss(ctx.go, "address_edit"), "address_add", weight=1.0)
        room = LazyList(rows, id="address_list")
        height = min(76.0 * look.font_scale(ctx) * max(len(rows), 1), 380.0)
        return Sheet(
            ctx,
            close_row(ctx, ctx.tr("deliver_to")),
            Node("box", (room,), width=FILL, height=height),
            Row(add, width=FILL, pad=(16.0, 8.0, 16.0, 12.0)),
        )


def address_row(ctx: Context, row: Record, on_tap: Handler, chosen: bool) -> Node:
    """An address to choose."""
    who = f"{row['name']}  {store.shown_phone(row['phone'])}"
    mark = Icon("map-marker" if chosen else "map-marker-outline", 22.0, "primary" if chosen else "soft")
    labels = [look.tag(ctx.tr("default"), True)] if row["is_default"] else []
    texts = Node(
        "col",
        (
            Text(store.address_text(row, ctx.language), "bodyMedium", max_lines=2, id="address_text"),
            Row(*labels, Text(who, "bodySmall", "soft", max_lines=1, id="address_who"), gap=6.0),
        ),
        gap=2.0,
        weight=1.0,
    )
    check = (Icon("check", 20.0, "primary", hidden_from_tree=True),) if chosen else ()
    return Node(
        "row",
        (mark, texts, *check),
        gap=12.0,
        width=FILL,
        min_height=72.0,
        pad=(20.0, 8.0, 20.0, 8.0),
        on_tap=on_tap,
        id="address_row",
        selected=chosen,
    )


def coupons_for(ctx: Context, product: Record) -> list[Record]:
    """Coupons that may be claimed and count the product."""
    rows = store.database(ctx.phone).rows("SELECT * FROM coupons WHERE claimable = 1 ORDER BY off_cents DESC, _id")
    line = {**product, "product_id": product["_id"]}
    return [row for row in rows if ordering.in_scope(line, row)]


def _first_choice(state: Record, rows: list[Record], variant: int) -> None:
    first = next((row for row in rows if row["_id"] == variant), None)
    first = first or next((row for row in rows if row["stock"]), rows[0])
    state["picked"] = [option[0] for option in options_of(first)]
    state["quantity"] = 1


def _axis(ctx: Context, state: Record, rows: list[Record], number: int, names: list[str]) -> Node:
    """One axis: its name over a chip for each choice, in rows as wide as the sheet."""
    language = 0 if ctx.language == "zh" else 1
    seen: dict[str, str] = {}
    for row in rows:
        option = options_of(row)[number]
        seen.setdefault(option[0], option[language])

    def pick(value: str) -> Callable[[], None]:
        def handle() -> None:
            state["picked"] = [*state["picked"][:number], value, *state["picked"][number + 1 :]]

        return handle

    chips = []
    for value, label in seen.items():
        wanted = [*state["picked"][:number], value, *state["picked"][number + 1 :]]
        able = any(row["stock"] for row in rows if [option[0] for option in options_of(row)] == wanted)
        chosen = state["picked"][number] == value
        chips.append(look.chip(label, chosen, pick(value), "variant_option", enabled=able or chosen))
    return Node(
        "col",
        (Text(names[language], "titleSmall", id="variant_axis"), *wrapped(ctx, chips, 40.0)),
        gap=8.0,
        width=FILL,
        pad=(20.0, 4.0, 20.0, 10.0),
        align="start",
    )


def wrapped(ctx: Context, chips: list[Node], margin: float) -> list[Node]:
    """Chips in rows that fit the screen's width less a margin; widths are estimated from the letters."""
    room = look.width_dp(ctx) - margin
    scale = look.font_scale(ctx)
    rows: list[list[Node]] = [[]]
    used = 0.0
    for chip in chips:
        letters = sum(14.2 if ord(char) > 0x2E80 else 8.2 for char in chip.text)
        width = letters * scale + 30.0
        if rows[-1] and used + width > room:
            rows.append([])
            used = 0.0
        rows[-1].append(chip.replace(max_width=room))
        used += width + 8.0
    return [Row(*row, gap=8.0) for row in rows]


def _axes_room(ctx: Context, groups: list[Node]) -> float:
    lines = sum(len(group.children) - 1 for group in groups)
    scale = look.font_scale(ctx)
    height = len(groups) * (46.0 + 20.0 * (scale - 1)) + lines * (34.0 + 8.0 * scale) + 64.0
    most = ctx.phone.screen[1] * 160 / ctx.phone.density_dpi - 330.0
    return float(min(height, most))


def date_text(ctx: Context, at_ms: int) -> str:
    """A moment as month and day."""
    return month_day(ctx.phone.state.clock.at(at_ms), ctx.language)


def gap(height: float = 10.0) -> Node:
    """Room between cards."""
    return Space(height=height)
