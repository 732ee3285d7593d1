"""The home page's tab: search bar, banner, categories, flash sale, the feed."""

from __future__ import annotations

from typing import Any

from mobile_gym.phone.apps.shop import cards, look, store
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Icon, LazyList, Row, Space, Text, fitting
from mobile_gym.phone.ui.widgets.basics import spread

HEAD_TOP, HEAD_MIDDLE, HEAD_END = "#F4432C", "#FB6643", "#FB6643"
GROUPS = {
    "recommend": "",
    "fresh": "fruit,veg,meat,sea",
    "goods": "home",
    "clothes": "wear",
    "health": "health",
    "electric": "elec",
}
BANNER_LEFT, BANNER_RIGHT = 20.0, 136.0
"""What the banner's texts leave free at the sides; the fruit lies at the right."""
FLASH_MS = 2 * 3_600_000
"""A flash sale runs for two hours, from every even hour on."""


def build(ctx: Context) -> list[Node]:
    """The head and the list under it."""
    tab = str(ctx.ui.get("home_tab", "recommend"))
    feed: list[Any] = cards.pairs(_feed(ctx, tab))

    def row(pair: list[int]) -> Node:
        products = [store.product(ctx.phone, key) for key in pair]
        return cards.grid_row(ctx, [product for product in products if product is not None])

    top: list[Any] = [_banner(ctx), _categories(ctx), _flash(ctx)] if tab == "recommend" else [Space(height=10.0)]
    body = LazyList([*top, *feed], row=row, id=f"feed_{tab}", bottom_pad=8.0)
    return [_head(ctx, tab), Node("box", (body,), width=FILL, weight=1.0, bg="page", hidden_from_tree=True)]


def _feed(ctx: Context, tab: str) -> list[int]:
    """Products of the feed, by number: a row reads the two that it shows."""
    data = store.database(ctx.phone)
    if tab != "recommend":
        keys = GROUPS[tab].split(",")
        marks = ", ".join("?" * len(keys))
        found = data.rows(f"SELECT _id FROM products WHERE category IN ({marks}) ORDER BY sales DESC", *keys)
    elif store.get_setting(ctx.phone, "recommend", "1") == "1":
        # What was looked at lately leads: its kind first.
        found = data.rows(
            "SELECT p._id FROM products p LEFT JOIN (SELECT sub, MAX(at) AS at FROM footprints f JOIN products q ON "
            "q._id = f.product_id GROUP BY sub) s ON s.sub = p.sub ORDER BY s.at IS NULL, s.at DESC, p.sales DESC"
        )
    else:
        found = data.rows("SELECT _id FROM products ORDER BY sales DESC")
    return [row["_id"] for row in found]


def hint(ctx: Context) -> str:
    """The words that the search bar proposes; they change every hour."""
    hints = store.load_data("seed.yaml")["hints"]
    return str(hints[ctx.now.hour % len(hints)][ctx.language])


def _head(ctx: Context, tab: str) -> Node:
    where = store.delivery_address(ctx.phone)
    label = ctx.tr("address_none") if where is None else where["detail"].replace(",", " ").split(" ")[0]
    if where is not None and ctx.language == "en":
        label = where["detail"].split(",")[0]
    unread = int(store.database(ctx.phone).value("SELECT COUNT(*) FROM notices WHERE read = 0"))
    address = Row(
        Icon("map-marker-outline", 22.0, "#FFFFFF", hidden_from_tree=True),
        Text(label, "titleSmall", "#FFFFFF", max_lines=1, id="home_address_text", size_sp=15.0, line_sp=20.0),
        Icon("chevron-down", 20.0, "#FFFFFF", hidden_from_tree=True),
        gap=4.0,
        height=44.0,
        id="home_address",
        desc=ctx.tr("deliver_to"),
        on_tap=ctx.show("address"),
        max_width=look.width_dp(ctx) - 90.0,
    )
    bell = look.counted_icon(
        "bell-outline", unread, ctx.set_ui("tab", "messages"), ctx.tr("tab_messages"), "home_bell", "#FFFFFF"
    )
    field = Row(
        Icon("magnify", 22.0, "#8A8A8A", hidden_from_tree=True),
        Text(hint(ctx), "bodyLarge", "#6E6E6E", max_lines=1, weight=1.0, id="search_hint"),
        look.pill(ctx.tr("search"), _search(ctx), "search_button", height=34.0),
        gap=8.0,
        width=FILL,
        height=42.0,
        radius=21.0,
        bg="#FFFFFF",
        pad=(14.0, 0.0, 4.0, 0.0),
        id="search_bar",
        desc=ctx.tr("search"),
        on_tap=ctx.open("search"),
    )
    inner = Node(
        "col",
        (
            Space(height=45.0),
            Row(address, Space(weight=1.0), bell, width=FILL, pad=(12.0, 0.0, 4.0, 0.0)),
            Node("box", (field,), width=FILL, pad=(12.0, 0.0, 12.0, 0.0), hidden_from_tree=True),
            _tabs(ctx, tab),
        ),
        width=FILL,
    )
    back = Node(
        "picture",
        source=f"fall/{HEAD_TOP}/{HEAD_END}",
        width=FILL,
        height=FILL,
        hidden_from_tree=True,
    )
    return Node("box", (back, inner), width=FILL, height=137.0 + _tab_height(ctx), id="home_head")


def _tab_height(ctx: Context) -> float:
    """Height of the tabs: a line of text over the bar of the chosen one."""
    return max(44.0, fitting.height_of(ctx, "", "bodyLarge", 1.0, size_sp=17.0, line_sp=24.0) + 8.0)


def _search(ctx: Context) -> Handler:
    def handle() -> None:
        query = hint(ctx)
        store.remember_search(ctx.phone, query)
        ctx.go("results", query=query)

    return handle


def _tabs(ctx: Context, tab: str) -> Node:
    cells = []
    for key in GROUPS:
        chosen = key == tab
        bar = Node("space", width=20.0, height=3.0, radius=1.5, bg="#FFFFFF" if chosen else None, hidden_from_tree=True)
        text = Text(
            ctx.tr(f"home_{key}"),
            "bodyLarge",
            "#FFFFFF" if chosen else "#FFEDE8",
            max_lines=1,
            text_weight=700 if chosen else 0,
            size_sp=17.0 if chosen else 16.0,
            line_sp=24.0,
        )
        cells.append(
            Node(
                "col",
                (text, bar),
                gap=2.0,
                align="center",
                justify="center",
                height=_tab_height(ctx),
                min_width=52.0,
                pad=(8.0, 0.0, 8.0, 0.0),
                id=f"home_tab_{key}",
                selected=chosen,
                on_tap=ctx.set_ui("home_tab", key),
            )
        )
    return Node(
        "list",
        cells,
        axis="h",
        gap=6.0,
        width=FILL,
        pad=(6.0, 0.0, 6.0, 0.0),
        id="home_tabs",
        cls="android.widget.HorizontalScrollView",
    )


def _banner(ctx: Context) -> Node:
    page = "#111113" if ctx.phone.dark else "#F5F5F5"
    detail = ctx.tr("banner_detail")
    room = look.width_dp(ctx) - 24.0 - BANNER_LEFT - BANNER_RIGHT
    title_height = fitting.height_of(ctx, "", "headlineSmall", room, size_sp=25.0, line_sp=32.0)
    button_height = max(26.0, fitting.height_of(ctx, "", "titleSmall", room) + 6.0)
    height = 40.0 + title_height + fitting.height_of(ctx, detail, "bodyMedium", room, max_lines=2) + button_height
    back = Node("picture", source=f"fall/{HEAD_END}/{page}", width=FILL, height=height + 20.0, hidden_from_tree=True)
    texts = Node(
        "col",
        (
            Text(
                ctx.tr("banner_title"),
                "headlineSmall",
                "#FFFFFF",
                text_weight=700,
                max_lines=1,
                size_sp=25.0,
                line_sp=32.0,
                id="banner_title",
            ),
            Text(detail, "bodyMedium", "#FFFFFF", max_lines=2, id="banner_detail"),
            Space(height=5.0),
            Row(
                Text(ctx.tr("banner_go"), "titleSmall", "#11854F", max_lines=1, hidden_from_tree=True),
                height=button_height,
                radius=button_height / 2,
                bg="#FFFFFF",
                pad=(20.0, 0.0, 20.0, 0.0),
                text=ctx.tr("banner_go"),
                id="banner_button",
            ),
        ),
        pad=(BANNER_LEFT, 16.0, BANNER_RIGHT, 0.0),
        gap=2.0,
        width=FILL,
    )
    green = Node(
        "picture", source="gradient/#209A6A/#7FC75F", width=FILL, height=height, radius=10.0, hidden_from_tree=True
    )
    fruit = Node(
        "box",
        (_fruit(0.0, 34.0), _fruit(54.0, 34.0), _fruit(27.0, 2.0), _leaf()),
        width=114.0,
        height=94.0,
        place="bottom-end",
        offset=(-14.0, -10.0),
        hidden_from_tree=True,
    )
    card = Node(
        "box",
        (green, fruit, texts),
        width=FILL,
        height=height,
        id="banner",
        desc=ctx.tr("banner_title"),
        on_tap=ctx.open("results", category="fruit"),
    )
    inner = Node("box", (card,), width=FILL, pad=(12.0, 8.0, 12.0, 0.0), hidden_from_tree=True)
    return Node("box", (back, inner), width=FILL, height=height + 17.0, hidden_from_tree=True)


def _fruit(x: float, y: float) -> Node:
    return Node(
        "picture",
        source="gradient/#FFC36A/#EE7D1B",
        width=60.0,
        height=60.0,
        radius=30.0,
        offset=(x, y),
        hidden_from_tree=True,
    )


def _leaf() -> Node:
    return Icon("leaf", 26.0, "#2F7D3B", offset=(56.0, -10.0), hidden_from_tree=True)


def _categories(ctx: Context) -> Node:
    cells = []
    entries = [entry for entry in store.categories() if entry["key"] != "snack"]
    for entry in entries:
        cells.append(
            _cell(
                ctx,
                entry["icon"],
                entry["colors"],
                entry[ctx.language],
                f"category_{entry['key']}",
                ctx.open("results", category=entry["key"]),
            )
        )
    cells.append(
        _cell(
            ctx,
            "ticket-percent",
            ["#FEE7E3", "#F2402A"],
            ctx.tr("coupon_center"),
            "coupon_center",
            ctx.open("coupon_center"),
        )
    )
    # As many columns as keep the names apart.
    widest = max(fitting.widest_word(ctx, cell.desc, "bodySmall") for cell in cells)
    columns = next((count for count in (5, 4) if widest + 6.0 <= (look.width_dp(ctx) - 32.0) / count), 3)
    card = look.card(spread(cells, columns, 0.0, 8.0), gap=8.0, pad=(4.0, 12.0, 4.0, 12.0), id="category_grid")
    return Node("col", (card, Space(height=9.0)), width=FILL, hidden_from_tree=True)


def _cell(ctx: Context, icon: str, colors: list[str], label: str, id: str, on_tap: Handler) -> Node:
    disc = Node(
        "box",
        (Icon(icon, 26.0, colors[1], place="center-center", hidden_from_tree=True),),
        width=44.0,
        height=44.0,
        radius=14.0,
        bg="pale" if ctx.phone.dark else colors[0],
        hidden_from_tree=True,
    )
    text = Text(label, "bodySmall", "onSurface", max_lines=2, text_align="center", width=FILL, id="category_name")
    return Node(
        "col", (disc, text), gap=4.0, align="center", id=id, desc=label, on_tap=on_tap, pad=(1.0, 4.0, 1.0, 2.0)
    )


def flash_left(ctx: Context) -> tuple[int, int, int]:
    """Hours, minutes and seconds until the flash sale that runs ends."""
    moment = ctx.now
    passed = (moment.hour % 2) * 3_600_000 + moment.minute * 60_000 + moment.second * 1000
    left = (FLASH_MS - passed) // 1000
    return left // 3600, left // 60 % 60, left % 60


def countdown(ctx: Context) -> Node:
    """The flash sale's countdown."""
    parts = []
    for number, value in enumerate(flash_left(ctx)):
        if number:
            parts.append(Text(":", "titleSmall", "onSurface", max_lines=1, hidden_from_tree=True))
        text = Text(f"{value:02d}", "labelLarge", "#FFFFFF", max_lines=1, text_align="center", hidden_from_tree=True)
        parts.append(
            Node(
                "row",
                (text,),
                min_width=22.0,
                height=20.0,
                radius=4.0,
                bg="timer",
                justify="center",
                pad=(2.0, 0.0, 2.0, 0.0),
                hidden_from_tree=True,
            )
        )
    whole = ":".join(f"{value:02d}" for value in flash_left(ctx))
    return Row(*parts, gap=4.0, text=whole, id="flash_countdown", cls="android.widget.TextView")


def _flash(ctx: Context) -> Node:
    products = store.list_products(ctx.phone, {"flash": 1, "sort": "sales"})[:4]
    size = (look.width_dp(ctx) - 24.0 - 24.0 - 36.0) / 4
    cells = []
    for product in products:
        cells.append(
            Node(
                "col",
                (
                    look.picture(product["picture"], size, 6.0, hidden_from_tree=True),
                    look.price(product["price_cents"], 17.0),
                    look.struck(product["was_cents"]),
                ),
                gap=1.0,
                align="center",
                weight=1.0,
                id="flash_item",
                desc=store.name(product, ctx.language),
                on_tap=ctx.open("detail", product=product["_id"]),
            )
        )
    head = Row(
        Text(
            ctx.tr("flash_title"),
            "titleMedium",
            max_lines=1,
            text_weight=700,
            id="flash_title",
            size_sp=17.0,
            line_sp=24.0,
        ),
        countdown(ctx),
        Space(weight=1.0),
        Row(
            Text(ctx.tr("more"), "bodyMedium", "soft", max_lines=1),
            Icon("chevron-right", 18.0, "soft", hidden_from_tree=True),
            min_height=36.0,
            id="flash_more",
            on_tap=ctx.open("flash"),
        ),
        gap=8.0,
        width=FILL,
    )
    strip = Node("row", cells, gap=12.0, width=FILL, align="start")
    card = look.card(head, strip, gap=4.0, pad=(12.0, 4.0, 12.0, 10.0), id="flash_card")
    return Node("col", (card, Space(height=9.0)), width=FILL, hidden_from_tree=True)
