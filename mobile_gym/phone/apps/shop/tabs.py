"""The tabs of categories, messages and the user's own things."""

from __future__ import annotations

from typing import Any

from mobile_gym.phone.apps.shop import look, ordering, store
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.system.formats import age_text
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Column, Disc, Icon, LazyList, Row, Space, Text
from mobile_gym.phone.ui.widgets.basics import spread


def title(ctx: Context, text: str, *actions: Node) -> Node:
    """The bar of a tab."""
    return Row(
        Text(
            text,
            "titleLarge",
            "onSurface",
            max_lines=1,
            weight=1.0,
            text_weight=600,
            size_sp=20.0,
            line_sp=28.0,
            id="tab_title",
        ),
        *actions,
        width=FILL,
        height=56.0,
        pad=(16.0, 0.0, 8.0, 0.0),
        bg="card",
    )


# ---- categories


def build_categories(ctx: Context) -> list[Node]:
    """The first level at the left, the second at the right."""
    entries = store.categories()
    current = str(ctx.ui.get("category", entries[0]["key"]))
    side = []
    for entry in entries:
        chosen = entry["key"] == current
        bar = Node("space", width=3.0, height=18.0, radius=1.5, bg="primary" if chosen else None, hidden_from_tree=True)
        text = Text(
            entry[ctx.language],
            "bodyMedium",
            "primary" if chosen else "onSurface",
            max_lines=2,
            weight=1.0,
            text_weight=600 if chosen else 0,
            text_align="center",
            hidden_from_tree=True,
        )
        side.append(
            Node(
                "row",
                (bar, text, Space(width=3.0)),
                width=FILL,
                min_height=54.0,
                bg="card" if chosen else None,
                pad=(0.0, 6.0, 0.0, 6.0),
                id=f"side_{entry['key']}",
                text=entry[ctx.language],
                selected=chosen,
                on_tap=ctx.set_ui("category", entry["key"]),
                cls="android.widget.TextView",
            )
        )
    entry = next(entry for entry in entries if entry["key"] == current)
    right: list[Node] = [
        Row(
            Text(entry[ctx.language], "titleSmall", weight=1.0, id="category_title"),
            Text(ctx.tr("see_all"), "bodySmall", "soft", max_lines=1),
            Icon("chevron-right", 18.0, "soft", hidden_from_tree=True),
            width=FILL,
            min_height=44.0,
            id="category_all",
            on_tap=ctx.open("results", category=current),
        )
    ]
    cells = []
    for sub in entry["subs"]:
        picture = store.database(ctx.phone).value(
            "SELECT picture FROM products WHERE category = ? AND sub = ? ORDER BY sales DESC LIMIT 1",
            current,
            sub["key"],
        )
        size = (look.width_dp(ctx) - 96.0 - 32.0 - 24.0) / 3
        cells.append(
            Column(
                look.picture(picture or "product/package-variant-closed", size, 10.0, hidden_from_tree=True),
                Text(sub[ctx.language], "bodySmall", max_lines=2, text_align="center", width=FILL, id="sub_name"),
                gap=6.0,
                align="center",
                id=f"sub_{sub['key']}",
                desc=sub[ctx.language],
                on_tap=ctx.open("results", category=current, sub=sub["key"]),
            )
        )
    right.append(spread(cells, 3, 12.0, 14.0))
    brands = store.database(ctx.phone).rows(
        "SELECT brand, brand_zh, brand_en, SUM(sales) AS n FROM products WHERE category = ? GROUP BY brand "
        "ORDER BY n DESC LIMIT 6",
        current,
    )
    right.append(Text(ctx.tr("popular_shops"), "titleSmall", pad=(0.0, 18.0, 0.0, 8.0), id="popular_shops"))
    chips = [
        look.chip(brand[f"brand_{ctx.language}"], False, ctx.open("shop", brand=brand["brand"]), "brand_chip").replace(
            checkable=False
        )
        for brand in brands
    ]
    right.append(spread(chips, 2, 10.0, 10.0))
    body = Row(
        Node("box", (LazyList(side, id="side_list"),), width=96.0, height=FILL, bg="pale"),
        Node(
            "box",
            (LazyList(right, id="category_list", bottom_pad=16.0),),
            weight=1.0,
            height=FILL,
            pad=(16.0, 4.0, 16.0, 0.0),
            bg="card",
        ),
        width=FILL,
        weight=1.0,
        align="stretch",
    )
    search = Row(
        Icon("magnify", 20.0, "soft", hidden_from_tree=True),
        Text(ctx.tr("search_products"), "bodyMedium", "soft", max_lines=1, weight=1.0),
        gap=8.0,
        width=FILL,
        height=38.0,
        radius=19.0,
        bg="pale",
        pad=(14.0, 0.0, 14.0, 0.0),
        id="search_bar",
        desc=ctx.tr("search"),
        on_tap=ctx.open("search"),
    )
    head = Node("box", (search,), width=FILL, bg="card", pad=(12.0, 9.0, 12.0, 9.0), hidden_from_tree=True)
    return [head, body]


# ---- messages


def build_messages(ctx: Context) -> list[Node]:
    """Notices of orders, and talks with shops."""
    data = store.database(ctx.phone)
    talks = data.rows(
        "SELECT c.*, b.name_zh, b.name_en, (SELECT COUNT(*) FROM chats u WHERE u.brand = c.brand AND u.read = 0) "
        "AS unread FROM chats c JOIN brands b ON b.brand = c.brand WHERE c._id IN (SELECT MAX(_id) FROM chats GROUP BY "
        "brand) ORDER BY c.at DESC, c._id DESC"
    )
    newest = data.row("SELECT * FROM notices ORDER BY at DESC, _id DESC LIMIT 1")
    unread = int(data.value("SELECT COUNT(*) FROM notices WHERE read = 0"))
    items: list[Any] = [
        _message_row(
            ctx,
            Disc("truck-fast-outline", 48.0, "primaryContainer", "primary", 26.0),
            ctx.tr("notices_title"),
            ctx.tr(f"notice_{newest['kind']}") if newest else ctx.tr("notices_none"),
            newest["at"] if newest else None,
            unread,
            ctx.open("notices"),
            "notices_row",
        )
    ]
    items += talks

    def row(talk: dict[str, Any]) -> Node:
        disc = Disc("storefront-outline", 48.0, "pale", "onSurfaceVariant", 26.0)
        name = ctx.tr("brand_shop", brand=talk[f"name_{ctx.language}"])
        return _message_row(
            ctx, disc, name, talk["text"], talk["at"], talk["unread"], ctx.open("chat", brand=talk["brand"]), "chat_row"
        )

    listed = LazyList(items, row=row, id="message_list")
    return [title(ctx, ctx.tr("tab_messages")), Node("box", (listed,), width=FILL, weight=1.0, bg="card")]


def _message_row(
    ctx: Context, disc: Node, name: str, text: str, at: int | None, unread: int, on_tap: Handler, id: str
) -> Node:
    clock = ctx.phone.state.clock
    when = "" if at is None else age_text(clock.at(at), ctx.now, ctx.phone.use_24_hours, ctx.language)
    return Row(
        disc,
        Node(
            "col",
            (
                Row(
                    Text(name, "bodyLarge", max_lines=1, weight=1.0, id="title"),
                    Text(when, "bodySmall", "soft", max_lines=1, id="time"),
                    width=FILL,
                    gap=8.0,
                ),
                Row(
                    Text(text, "bodyMedium", "soft", max_lines=1, weight=1.0, id="summary"),
                    *((look.badge(unread),) if unread else ()),
                    width=FILL,
                    gap=8.0,
                ),
            ),
            gap=2.0,
            weight=1.0,
        ),
        gap=12.0,
        width=FILL,
        min_height=76.0,
        pad=(16.0, 8.0, 16.0, 8.0),
        id=id,
        on_tap=on_tap,
    )


# ---- me

_TABS = (
    ("to_pay", "wallet-outline"),
    ("to_ship", "package-variant-closed"),
    ("to_receive", "truck-outline"),
    ("to_review", "comment-text-outline"),
    ("aftersale", "cash-refund"),
)


def build_me(ctx: Context) -> list[Node]:
    """Account, orders, coupons, what was kept."""
    data = store.database(ctx.phone)
    counts = ordering.counts(ctx.phone)
    nickname = store.get_setting(ctx.phone, "nickname")
    number = store.shown_phone(store.get_setting(ctx.phone, "phone"))
    head = Row(
        Disc("account", 60.0, "primaryContainer", "primary", 34.0, id="avatar"),
        Column(
            Text(nickname, "titleLarge", max_lines=1, text_weight=600, size_sp=20.0, line_sp=28.0, id="nickname"),
            Text(number, "bodySmall", "soft", max_lines=1, id="account_phone"),
            gap=2.0,
            weight=1.0,
        ),
        Icon("chevron-right", 20.0, "soft", hidden_from_tree=True),
        gap=14.0,
        width=FILL,
        min_height=88.0,
        pad=(20.0, 8.0, 16.0, 8.0),
        id="account_row",
        on_tap=ctx.open("account"),
    )

    def number_cell(value: str, key: str, screen: str) -> Node:
        return Column(
            Text(value, "titleMedium", max_lines=1, text_weight=700, id=f"{key}_value"),
            Text(ctx.tr(key), "bodySmall", "soft", max_lines=2, text_align="center", id="label"),
            gap=2.0,
            align="center",
            weight=1.0,
            min_height=56.0,
            justify="center",
            id=f"me_{key}",
            desc=ctx.tr(key),
            on_tap=ctx.open(screen),
        )

    available = int(data.value("SELECT COUNT(*) FROM my_coupons WHERE status = 'available'"))
    numbers = Row(
        number_cell(str(available), "coupons", "coupons"),
        number_cell(str(data.value("SELECT COUNT(*) FROM favourites")), "favourites", "favourites"),
        number_cell(str(data.value("SELECT COUNT(*) FROM footprints")), "footprints", "footprints"),
        number_cell(look.money(int(store.get_setting(ctx.phone, "balance_cents", "0"))), "wallet", "account"),
        width=FILL,
        align="start",
        pad=(8.0, 0.0, 8.0, 8.0),
    )

    def order_cell(key: str, icon: str) -> Node:
        count = counts.get(key, 0)
        glyph = [Icon(icon, 28.0, "onSurface", place="center-center", hidden_from_tree=True)]
        if count:
            glyph.append(look.badge(count, place="top-end"))
        return Column(
            Node("box", glyph, width=44.0, height=40.0, hidden_from_tree=True),
            Text(ctx.tr(f"orders_{key}"), "bodySmall", max_lines=2, text_align="center", id="label", width=FILL),
            gap=2.0,
            align="center",
            weight=1.0,
            id=f"orders_{key}",
            desc=ctx.tr(f"orders_{key}"),
            on_tap=ctx.open("orders", tab=key),
        )

    orders = look.card(
        Row(
            Text(ctx.tr("my_orders"), "titleSmall", weight=1.0, max_lines=1),
            Text(ctx.tr("orders_all_link"), "bodySmall", "soft", max_lines=1),
            Icon("chevron-right", 18.0, "soft", hidden_from_tree=True),
            width=FILL,
            min_height=44.0,
            id="orders_all",
            on_tap=ctx.open("orders", tab="all"),
        ),
        Row(*(order_cell(key, icon) for key, icon in _TABS), width=FILL, align="start"),
        pad=(12.0, 0.0, 12.0, 12.0),
    )

    def tool(icon: str, key: str, screen: str) -> Node:
        return Row(
            Icon(icon, 24.0, "primary", hidden_from_tree=True),
            Text(ctx.tr(key), "bodyLarge", weight=1.0, id="title"),
            Icon("chevron-right", 18.0, "soft", hidden_from_tree=True),
            gap=14.0,
            width=FILL,
            min_height=54.0,
            id=f"me_{key}",
            on_tap=ctx.open(screen),
        )

    tools = look.card(
        tool("map-marker-outline", "addresses", "addresses"),
        tool("ticket-percent-outline", "coupon_center", "coupon_center"),
        tool("lightning-bolt-outline", "flash_title", "flash"),
        tool("cog-outline", "settings", "settings"),
        pad=(16.0, 4.0, 12.0, 4.0),
    )
    items = [Column(head, numbers, width=FILL, bg="card"), Space(height=10.0), orders, Space(height=10.0), tools]
    listed = LazyList(items, id="me_list", bottom_pad=16.0)
    return [title(ctx, ctx.tr("tab_me")), Node("box", (listed,), width=FILL, weight=1.0, bg="page")]
