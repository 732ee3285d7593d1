"""A product's page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from mobile_gym.phone.apps.shop import cards, look, store
from mobile_gym.phone.apps.shop.buy_bar import buy_bar
from mobile_gym.phone.apps.shop.reviews import review_row
from mobile_gym.phone.apps.shop.sheets import Buying, close_row, coupons_for, day_text, gap, options_of
from mobile_gym.phone.door import Intent
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Icon, IconButton, LazyList, Row, Scaffold, Sheet, Space, Text, fitting

Product = dict[str, Any]
LINK = "mobench-shop://product/"
BAR = 52.0
NUMBER_ROOM = 40.0
"""Height of the pictures' lower edge where their number stands."""


class Detail(Buying):
    """A product. Argument: `product`."""

    name = "detail"
    activity = ".ProductDetailActivity"
    load_ms = 250

    def on_open(self, ctx: Context) -> None:
        """Leaves a footprint that says which list it was opened from."""
        ctx.ui["product"] = _number(ctx.args.get("product"))
        found = store.product(ctx.phone, ctx.ui["product"])
        if found is None:
            return
        data = store.database(ctx.phone)
        session = data.row("SELECT * FROM session WHERE _id = 1") or {}
        columns = ("query", "category", "sort", "filters", "price_min", "price_max")
        data.insert("footprints", product_id=found["_id"], at=ctx.now_ms, **{key: session[key] for key in columns})
        store.note(ctx, self.name, opened_product=found["_id"])

    def on_resume(self, ctx: Context) -> None:
        """This is the product in front again."""
        store.note(ctx, self.name, opened_product=ctx.ui["product"] or None)

    def on_result(self, ctx: Context, result: Mapping[str, Any]) -> None:
        """An address that was added is where to deliver to."""
        if "address" in result:
            store.database(ctx.phone).update("session", 1, address_id=result["address"])

    def build(self, ctx: Context) -> Node:
        """Pictures, price, choices, reviews, shop, what it is."""
        found = store.product(ctx.phone, int(ctx.ui["product"]))
        if found is None:
            rest = look.empty("package-variant-closed", ctx.tr("off_sale"))
            return Scaffold(Node("box", (rest.replace(place="center-center"),)), top=look.bar(ctx, ""), bg="page")
        rows = store.variants(ctx.phone, found["_id"])
        items = [
            self._pager(ctx, found, rows),
            self._title(ctx, found),
            gap(),
            self._choices(ctx, found, rows),
            gap(),
            self._reviews(ctx, found),
            gap(),
            self._shop(ctx, found),
            gap(),
            self._facts(ctx, found, rows),
            gap(16.0),
        ]
        body = Node(
            "box",
            (LazyList(items, id="detail_list"), self._bar(ctx, found)),
            width=FILL,
            bg="page",
            hidden_from_tree=True,
        )
        return Scaffold(body, bottom=buy_bar(ctx, found, rows), bg="card")

    def _bar(self, ctx: Context, found: Product) -> Node:
        def button(icon: str, on_tap: Handler, desc: str, id: str) -> Node:
            return IconButton(icon, on_tap, desc, id=id, color="onSurface", bg="card", glyph=22.0)

        cart = button("cart-outline", ctx.open("main", tab="cart"), ctx.tr("tab_cart"), "open_cart")
        count = store.cart_count(ctx.phone)
        marks = (cart.replace(place="center-center"), look.badge(count, place="top-end")) if count else (cart,)
        parts = (
            button("arrow-left", ctx.back(), ctx.tr("back"), "back"),
            Space(weight=1.0),
            button("magnify", ctx.open("search"), ctx.tr("search"), "open_search"),
            button("share-variant-outline", ctx.show("share", product=found["_id"]), ctx.tr("share"), "share"),
            Node("box", marks, hidden_from_tree=True),
        )
        # Discs lie over the picture; over text they would hide it, so there the bar has a surface of its own.
        return Row(
            *parts,
            width=FILL,
            height=BAR,
            bg="card" if self._past_picture(ctx) else None,
            pad=(4.0, 2.0, 4.0, 2.0),
            place="top-start",
            hidden_from_tree=True,
        )

    def _past_picture(self, ctx: Context) -> bool:
        """Whether the pictures, down to their number, are scrolled under the bar."""
        row, scrolled = ctx.record["scroll"].get("detail_list", [0, 0])
        left = look.width_dp(ctx) - scrolled * 160 / ctx.phone.density_dpi
        return bool(row > 0 or left < BAR + NUMBER_ROOM)

    def _pager(self, ctx: Context, found: Product, rows: list[Product]) -> Node:
        sources = list(dict.fromkeys([found["picture"], *(row["picture"] for row in rows)]))[:4]
        sources.append(f"photo/{found['category']} {found['_id']}")
        width = look.width_dp(ctx)
        pages = [
            Node(
                "picture",
                source=source,
                width=width,
                height=width,
                id="product_picture",
                desc=ctx.tr("picture_of", number=number, count=len(sources)),
            )
            for number, source in enumerate(sources, 1)
        ]
        at = min(ctx.record["scroll"].get("picture_pager", [0, 0])[0] + 1, len(pages))
        pager = Node(
            "list",
            pages,
            axis="h",
            paged=True,
            width=FILL,
            height=width,
            id="picture_pager",
            cls="androidx.viewpager.widget.ViewPager",
        )
        count = Row(
            Text(f"{at}/{len(pages)}", "bodySmall", "#FFFFFF", max_lines=1, id="picture_number"),
            bg="#5A5A5E",
            radius=10.0,
            pad=(10.0, 2.0, 10.0, 2.0),
            place="bottom-end",
            offset=(-12.0, -12.0),
            hidden_from_tree=True,
        )
        return Node("box", (pager, count), width=FILL, height=width, hidden_from_tree=True)

    def _title(self, ctx: Context, found: Product) -> Node:
        line = Row(
            look.price(found["price_cents"], 28.0),
            look.struck(found["was_cents"], 13.0),
            Space(weight=1.0),
            Text(cards.sold(ctx, found["sales"]), "bodySmall", "soft", max_lines=1, id="sales"),
            gap=8.0,
            width=FILL,
            align="center",
        )
        parts = [line]
        coupons = coupons_for(ctx, found)
        if coupons:
            best = [
                look.tag(
                    ctx.tr("coupon_short", threshold=look.yuan(c["threshold_cents"]), off=look.yuan(c["off_cents"]))
                    if c["threshold_cents"]
                    else ctx.tr("coupon_short_any", off=look.yuan(c["off_cents"]))
                )
                for c in coupons[:2]
            ]
            parts.append(
                Row(
                    *best,
                    Space(weight=1.0),
                    Text(ctx.tr("coupon_get"), "bodySmall", "primary", max_lines=1),
                    Icon("chevron-right", 16.0, "primary", hidden_from_tree=True),
                    gap=6.0,
                    width=FILL,
                    min_height=36.0,
                    id="coupon_entry",
                    on_tap=ctx.show("coupons", product=found["_id"]),
                )
            )
        name = Text(
            store.name(found, ctx.language),
            "titleMedium",
            text_weight=600,
            size_sp=17.0,
            line_sp=25.0,
            id="product_title",
            width=FILL,
        )
        flags = [
            look.tag(ctx.tr(f"flag_{key}"), key == "self_operated")
            for key in ("self_operated", "free_shipping", "next_day", "returns")
            if found[key]
        ]
        lines = fitting.in_rows(ctx, flags, "labelSmall", side=5.0, gap=6.0, room=look.width_dp(ctx) - 32.0)
        return Node(
            "col",
            (*parts, name, *(Row(*line, gap=6.0) for line in lines)),
            gap=6.0,
            width=FILL,
            bg="card",
            pad=(16.0, 10.0, 16.0, 14.0),
        )

    def _choices(self, ctx: Context, found: Product, rows: list[Product]) -> Node:
        where = store.delivery_address(ctx.phone)
        axes = [names[0 if ctx.language == "zh" else 1] for names in json.loads(found["axes"])]
        to = ctx.tr("address_none") if where is None else store.address_text(where, ctx.language)
        shipping = ctx.tr("shipping_free" if found["free_shipping"] else "shipping_fee")
        promise = ctx.tr("flag_next_day" if found["next_day"] else "promise_days")
        service = [ctx.tr(f"flag_{key}") for key in ("returns", "self_operated") if found[key]]
        return look.card(
            look.line_row(
                ctx.tr("choose"),
                ctx.tr("choose_hint", axes=" / ".join(axes), count=len(rows)),
                ctx.show("variant", product=found["_id"], mode="both"),
                "variant_entry",
                value_color="onSurface",
            ),
            look.line_row(ctx.tr("deliver_to"), to, ctx.show("address"), "address_entry", value_color="onSurface"),
            look.line_row(
                ctx.tr("shipping"), f"{shipping} \u00b7 {promise}", id="shipping_row", value_color="onSurface"
            ),
            look.line_row(
                ctx.tr("service"),
                " \u00b7 ".join([*service, ctx.tr("genuine")]),
                ctx.show("service"),
                "service_entry",
                value_color="onSurface",
            ),
            pad=(16.0, 4.0, 12.0, 4.0),
            margin=0.0,
        )

    def _reviews(self, ctx: Context, found: Product) -> Node:
        data = store.database(ctx.phone)
        count = int(data.value("SELECT COUNT(*) FROM reviews WHERE product_id = ?", found["_id"]))
        rows = data.rows(
            "SELECT * FROM reviews WHERE product_id = ? ORDER BY stars DESC, at DESC, _id LIMIT 2", found["_id"]
        )
        head = Row(
            Text(ctx.tr("reviews_count", count=count), "titleSmall", weight=1.0, max_lines=1),
            Text(ctx.tr("rating_of", rating=f"{found['rating']:.1f}"), "bodySmall", "primary", max_lines=1),
            Icon("chevron-right", 18.0, "soft", hidden_from_tree=True),
            gap=4.0,
            width=FILL,
            min_height=44.0,
            id="reviews_entry",
            on_tap=ctx.open("reviews", product=found["_id"]),
        )
        return look.card(head, *(review_row(ctx, row) for row in rows), pad=(16.0, 2.0, 12.0, 8.0), margin=0.0)

    def _shop(self, ctx: Context, found: Product) -> Node:
        brand = store.brand(ctx.phone, found["brand"])
        detail = "" if brand is None else ctx.tr("shop_detail", rating=f"{brand['rating']:.1f}", fans=brand["fans"])
        return look.card(
            Row(
                look.picture(found["picture"], 44.0, 22.0, hidden_from_tree=True),
                Node(
                    "col",
                    (
                        Text(cards.shop_name(ctx, found), "titleSmall", max_lines=1, id="shop_name"),
                        Text(detail, "bodySmall", "soft", max_lines=1),
                    ),
                    weight=1.0,
                ),
                look.pill(ctx.tr("shop_visit"), ctx.open("shop", brand=found["brand"]), "shop_visit", "red", 32.0),
                gap=12.0,
                width=FILL,
            ),
            pad=(16.0, 12.0, 16.0, 12.0),
            margin=0.0,
        )

    def _facts(self, ctx: Context, found: Product, rows: list[Product]) -> Node:
        language = 0 if ctx.language == "zh" else 1
        facts = [
            (ctx.tr("brand"), found[f"brand_{ctx.language}"]),
            (ctx.tr("category"), store.category_name(ctx.language, found["category"], found["sub"])),
            (ctx.tr("listed"), day_text(ctx, found["listed"])),
            (ctx.tr("product_no"), str(found["_id"])),
        ]
        for number, names in enumerate(json.loads(found["axes"])):
            options = dict.fromkeys(options_of(row)[number][language] for row in rows)
            facts.insert(2 + number, (names[language], ", ".join(options)))
        lines = [
            Row(
                Text(label, "bodyMedium", "soft", width=96.0),
                Text(value, "bodyMedium", weight=1.0),
                width=FILL,
                align="start",
                pad=(0.0, 6.0, 0.0, 6.0),
                id="fact",
            )
            for label, value in facts
        ]
        title = Text(ctx.tr("facts"), "titleSmall", pad=(0.0, 6.0, 0.0, 4.0), id="facts_title")
        picture = Node(
            "picture",
            source=found["picture"],
            width=FILL,
            height=look.width_dp(ctx) - 32.0,
            radius=10.0,
            id="detail_picture",
        )
        return look.card(title, *lines, Space(height=8.0), picture, pad=(16.0, 6.0, 16.0, 16.0), margin=0.0)

    def overlay_service(self, ctx: Context) -> Node:
        """What the shop promises."""
        rows = [
            Node(
                "col",
                (
                    Text(ctx.tr(f"promise_{key}"), "titleSmall"),
                    Text(ctx.tr(f"promise_{key}_text"), "bodyMedium", "soft"),
                ),
                gap=2.0,
                width=FILL,
                pad=(20.0, 6.0, 20.0, 10.0),
            )
            for key in ("returns", "shipping", "genuine")
        ]
        return Sheet(ctx, close_row(ctx, ctx.tr("service")), *rows)

    def overlay_share(self, ctx: Context, product: int) -> Node:
        """Copies the link, or sends it as a text message."""
        found = store.product(ctx.phone, product)
        name = "" if found is None else store.name(found, ctx.language)
        text = f"{name} {LINK}{product}"

        def copy() -> None:
            ctx.phone.set_clipboard(text)
            ctx.toast(ctx.tr("link_copied"))

        message = Intent(action="android.intent.action.SENDTO", data="smsto:", extras={"sms_body": text})
        entries = (
            ("link-variant", "copy_link", "share_copy", copy),
            ("message-text-outline", "share_sms", "share_sms", ctx.launch(message)),
        )
        rows = [
            Row(
                Icon(icon, 24.0, hidden_from_tree=True),
                Text(ctx.tr(key), "bodyLarge", weight=1.0),
                gap=16.0,
                width=FILL,
                min_height=56.0,
                pad=(24.0, 0.0, 24.0, 0.0),
                id=id,
                on_tap=ctx.then_dismiss(act),
            )
            for icon, key, id, act in entries
        ]
        return Sheet(ctx, close_row(ctx, ctx.tr("share_to")), *rows)


def _number(value: Any) -> int:
    """A product's number from an argument; 0 for none."""
    text = str(value or "")
    return int(text) if text.isdigit() else 0
