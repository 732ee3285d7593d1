"""A shop's page, the flash sale, customer service, and notices of orders."""

from __future__ import annotations

from typing import Any

from mobile_gym.phone.apps.shop import cards, look, ordering, store
from mobile_gym.phone.apps.shop.home import countdown
from mobile_gym.phone.apps.shop.results import ProductList
from mobile_gym.phone.apps.shop.sheets import claim_button, coupon_card, day_text
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Disc, IconButton, LazyList, Row, Scaffold, Space, Text
from mobile_gym.phone.ui.widgets.fields import field


class Shop(ProductList):
    """A brand's shop. Argument: `brand`, its key."""

    name = "shop"
    activity = ".ShopActivity"

    def on_open(self, ctx: Context) -> None:
        """The list is the shop's."""
        default = store.database(ctx.phone).value("SELECT brand FROM brands ORDER BY _id LIMIT 1")
        self.start(ctx, brand=str(ctx.args.get("brand") or default), sort="sales")

    def build(self, ctx: Context) -> Node:
        """Name and fans, coupons, products."""
        key = ctx.ui["brand"]
        brand = store.brand(ctx.phone, key)
        if brand is None:
            rest = look.empty("storefront-outline", ctx.tr("shop_gone"))
            return Scaffold(Node("box", (rest.replace(place="center-center"),)), top=look.bar(ctx, ""), bg="page")
        data = store.database(ctx.phone)
        followed = data.value("SELECT 1 FROM shop_follows WHERE brand = ?", key) is not None

        def follow() -> None:
            if followed:
                data.execute("DELETE FROM shop_follows WHERE brand = ?", key)
            else:
                data.insert("shop_follows", brand=key, at=ctx.now_ms)
            ctx.toast(ctx.tr("shop_unfollowed" if followed else "shop_followed"))

        detail = ctx.tr("shop_detail", rating=f"{brand['rating']:.1f}", fans=brand["fans"] + int(followed))
        head = Row(
            Disc("storefront", 52.0, "primaryContainer", "primary", 28.0, hidden_from_tree=True),
            Node(
                "col",
                (
                    Text(
                        ctx.tr("brand_shop", brand=brand[f"name_{ctx.language}"]),
                        "titleMedium",
                        max_lines=1,
                        id="shop_name",
                    ),
                    Text(detail, "bodySmall", "soft", max_lines=2, id="shop_detail"),
                ),
                gap=2.0,
                weight=1.0,
            ),
            look.pill(
                ctx.tr("shop_following" if followed else "shop_follow"),
                follow,
                "shop_follow",
                "line" if followed else "filled",
                32.0,
            ),
            gap=12.0,
            width=FILL,
            bg="card",
            pad=(16.0, 8.0, 16.0, 12.0),
        )
        coupons = data.rows(
            "SELECT * FROM coupons WHERE claimable = 1 AND scope = 'shop' AND scope_value = ? ORDER BY _id", key
        )
        top: list[Node] = [Space(height=9.0)]
        top += [
            coupon_card(ctx, row, ctx.tr("coupon_days", days=row["days"]), claim_button(ctx, row)) for row in coupons
        ]
        chat = IconButton(
            "headset", ctx.open("chat", brand=key), ctx.tr("service_chat"), id="shop_service", color="onSurface"
        )
        bars = Node("col", (look.bar(ctx, ctx.tr("shop"), chat), head, self.sort_bar(ctx)), width=FILL)
        body = Node("box", (self.listed(ctx, top),), width=FILL, bg="page", hidden_from_tree=True)
        return Scaffold(body, top=bars, bg="card")


class Flash(Screen):
    """The flash sale."""

    name = "flash"
    activity = ".FlashSaleActivity"

    def build(self, ctx: Context) -> Node:
        """Products with what is left of the time."""
        products = store.list_products(ctx.phone, {"flash": 1, "sort": "sales"})

        def row(product: dict[str, Any]) -> Node:
            key = product["_id"]
            card = cards.list_card(ctx, product)
            inner = card.children[0]
            texts = inner.children[1]
            saved = ctx.tr("flash_saved", amount=look.money(product["was_cents"] - product["price_cents"]))
            note = Row(
                look.struck(product["was_cents"]),
                Text(saved, "bodySmall", "primary", max_lines=1, weight=1.0),
                look.pill(ctx.tr("flash_grab"), ctx.open("detail", product=key), "flash_grab", height=30.0),
                gap=8.0,
                width=FILL,
            )
            texts = texts.replace(children=(*texts.children[:3], note))
            inner = inner.replace(children=(inner.children[0], texts), id="flash_item")
            return card.replace(children=(inner,))

        head = Row(
            Text(ctx.tr("flash_ends"), "bodyMedium", max_lines=1),
            countdown(ctx),
            gap=8.0,
            width=FILL,
            bg="card",
            pad=(16.0, 4.0, 16.0, 12.0),
        )
        top = Node("col", (look.bar(ctx, ctx.tr("flash_title")), head), width=FILL)
        listed = LazyList(products, row=row, id="flash_list", top_pad=9.0)
        return Scaffold(Node("box", (listed,), width=FILL, bg="page"), top=top, bg="card")


class Notices(Screen):
    """What happened to orders."""

    name = "notices"
    activity = ".NoticeListActivity"

    def on_open(self, ctx: Context) -> None:
        """They are read now."""
        store.database(ctx.phone).execute("UPDATE notices SET read = 1 WHERE read = 0")

    def build(self, ctx: Context) -> Node:
        """The newest first; a tap opens the order."""
        rows = store.database(ctx.phone).rows("SELECT * FROM notices ORDER BY at DESC, _id DESC")

        def row(notice: dict[str, Any]) -> Node:
            found = ordering.items(ctx.phone, notice["order_id"])
            parts = [
                Row(
                    Text(ctx.tr(f"notice_{notice['kind']}"), "titleSmall", weight=1.0, id="title"),
                    Text(day_text(ctx, notice["at"], True), "bodySmall", "soft", max_lines=1),
                    width=FILL,
                )
            ]
            if found:
                parts.append(
                    Row(
                        look.picture(found[0]["picture"], 48.0, hidden_from_tree=True),
                        Text(store.name(found[0], ctx.language), "bodyMedium", "soft", max_lines=2, weight=1.0),
                        gap=10.0,
                        width=FILL,
                    )
                )
            return look.card(*parts, gap=8.0, id="notice", on_tap=ctx.open("order", order=notice["order_id"]))

        listed = LazyList(
            rows,
            row=row,
            id="notice_list",
            gap=10.0,
            top_pad=2.0,
            empty=look.empty("bell-outline", ctx.tr("notices_none")),
        )
        return Scaffold(
            Node("box", (listed,), width=FILL, bg="page"), top=look.bar(ctx, ctx.tr("notices_title")), bg="card"
        )


class Chat(Screen):
    """Customer service of a shop, which answers from a script. Arguments: `brand`, `product`."""

    name = "chat"
    activity = ".ServiceChatActivity"

    def on_open(self, ctx: Context) -> None:
        """What the shop wrote is read now."""
        default = store.database(ctx.phone).value("SELECT brand FROM brands ORDER BY _id LIMIT 1")
        ctx.ui["brand"] = str(ctx.args.get("brand") or default)
        store.database(ctx.phone).execute("UPDATE chats SET read = 1 WHERE brand = ?", ctx.ui["brand"])

    def build(self, ctx: Context) -> Node:
        """Bubbles, quick questions, the field."""
        key = ctx.ui["brand"]
        brand = store.brand(ctx.phone, key)
        name = ctx.tr("brand_shop", brand=brand[f"name_{ctx.language}"] if brand else key)
        rows = store.database(ctx.phone).rows("SELECT * FROM chats WHERE brand = ? ORDER BY at, _id", key)
        script = store.load_data("chat.yaml")
        items: list[Any] = [
            {"own": 0, "text": script["greeting"][ctx.language].format(shop=name)},
            *rows,
        ]
        product = store.product(ctx.phone, int(ctx.args.get("product") or 0))
        if product is not None:
            items.insert(0, Node("col", (Space(height=8.0), cards.list_card(ctx, product)), width=FILL))
        listed = LazyList(
            items,
            row=lambda row: _bubble(ctx, row),
            id="chat_list",
            gap=14.0,
            reverse=True,
            top_pad=4.0,
            bottom_pad=4.0,
        )
        quick = [
            look.chip(entry[ctx.language], False, self._ask(ctx, entry[ctx.language]), "quick_question").replace(
                checkable=False
            )
            for entry in script["quick"]
        ]
        chips = Node(
            "list",
            quick,
            axis="h",
            gap=8.0,
            width=FILL,
            pad=(12.0, 8.0, 12.0, 4.0),
            id="quick_questions",
            bg="card",
            cls="android.widget.HorizontalScrollView",
        )
        text = ctx.field("message").strip()
        box = field(
            ctx,
            "message",
            hint=ctx.tr("chat_hint"),
            weight=1.0,
            action="send",
            min_height=40.0,
            radius=20.0,
            bg="pale",
            pad=(16.0, 8.0, 16.0, 8.0),
            on_submit=self._ask(ctx, text),
        )
        send = look.pill(ctx.tr("send"), self._ask(ctx, text), "send", height=38.0, enabled=bool(text))
        bottom = Node("col", (chips, look.footer(box, send)), width=FILL)
        return Scaffold(
            Node("box", (listed,), width=FILL, bg="page"), top=look.bar(ctx, name), bottom=bottom, bg="card"
        )

    def _ask(self, ctx: Context, text: str) -> Handler:
        def handle() -> None:
            if not text:
                return
            data, key = store.database(ctx.phone), ctx.ui["brand"]
            data.insert("chats", brand=key, own=1, text=text, at=ctx.now_ms)
            data.insert("chats", brand=key, own=0, text=answer(text, ctx.language), at=ctx.now_ms + 800)
            ctx.set_field("message", "")
            ctx.record["scroll"].pop("chat_list", None)

        return handle


def answer(text: str, language: str) -> str:
    """What the script answers."""
    script = store.load_data("chat.yaml")
    lower = text.lower()
    for entry in script["answers"]:
        if any(word in lower for word in entry["words"]):
            return str(entry[language])
    return str(script["fallback"][language])


def _bubble(ctx: Context, row: dict[str, Any]) -> Node:
    own = bool(row["own"])
    text = Text(row["text"], "bodyLarge", "#FFFFFF" if own else "onSurface", id="message_text")
    bubble = Node(
        "col",
        (text,),
        bg="primary" if own else "card",
        radius=10.0,
        pad=(12.0, 9.0, 12.0, 9.0),
        max_width=look.width_dp(ctx) - 120.0,
    )
    face = Disc("account" if own else "headset", 38.0, "primaryContainer", "primary", 22.0, hidden_from_tree=True)
    parts = (bubble, face) if own else (face, bubble)
    return Row(
        *parts, gap=10.0, width=FILL, align="start", justify="end" if own else "start", pad=(12.0, 0.0, 12.0, 0.0)
    )
