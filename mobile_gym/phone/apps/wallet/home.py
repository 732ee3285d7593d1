"""The home tab: search, the four ways to pay, services, reminders, what was done lately."""

from __future__ import annotations

from mobile_gym.phone.apps.wallet import parts, store
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Column, Icon, IconButton, LazyList, Row, Text, fitting

_BIG = (
    ("scan", "line-scan"),
    ("paycode", "qrcode"),
    ("collect", "cash-plus"),
    ("transfer", "swap-horizontal-circle-outline"),
)
_COLUMNS = 5


def search_pill(ctx: Context) -> Node:
    """The search bar; it only leads to the search page."""
    return Row(
        Icon("magnify", 22.0, "onBrand", hidden_from_tree=True),
        Text(ctx.tr("search_hint"), "bodyMedium", "onBrand", max_lines=1, weight=1.0, hidden_from_tree=True),
        gap=8.0,
        weight=1.0,
        min_height=40.0,
        radius=20.0,
        bg="brandSoft",
        pad=(14.0, 0.0, 14.0, 0.0),
        on_tap=ctx.open("search"),
        id="search_bar",
        desc=ctx.tr("search_hint"),
    )


def head(ctx: Context) -> Node:
    """Search, and the four ways to pay."""
    top = Row(
        search_pill(ctx),
        IconButton("account-multiple-outline", ctx.open("transfer"), ctx.tr("friends"), id="friends", color="onBrand"),
        IconButton("plus-circle-outline", ctx.show("plus"), ctx.tr("more_options"), id="plus", color="onBrand"),
        gap=0.0,
        width=FILL,
        pad=(12.0, 4.0, 4.0, 4.0),
    )
    room = (fitting.screen_width(ctx) - 16.0) / len(_BIG) - 4.0
    size = fitting.size_to_fit(ctx, [ctx.tr(f"big_{name}") for name, _ in _BIG], "titleSmall", room)
    cells = [big(ctx, name, icon, size) for name, icon in _BIG]
    return Column(top, Row(*cells, width=FILL, pad=(8.0, 4.0, 8.0, 14.0), align="start"), width=FILL, id="home_head")


def big(ctx: Context, name: str, icon: str, size_sp: float) -> Node:
    """One of the four ways to pay."""
    return Node(
        "col",
        (
            Icon(icon, 34.0, "onBrand", hidden_from_tree=True),
            Text(
                ctx.tr(f"big_{name}"),
                "titleSmall",
                "onBrand",
                size_sp=size_sp,
                max_lines=1,
                text_align="center",
                hidden_from_tree=True,
            ),
        ),
        gap=6.0,
        align="center",
        weight=1.0,
        pad=(2.0, 8.0, 2.0, 8.0),
        on_tap=ctx.open(name),
        id=f"home_{name}",
        text=ctx.tr(f"big_{name}"),
        cls="android.widget.TextView",
    )


def body(ctx: Context) -> Node:
    """The page under the head."""
    rows = [parts.gap(10.0), _services(ctx), *_reminders(ctx), _banner(ctx), _life(ctx), *_recent(ctx), parts.gap(14.0)]
    return LazyList(rows, id="home_list")


def _services(ctx: Context) -> Node:
    services = [parts.service_cell(ctx, name) for name in store.shown_services(ctx.phone)]
    services.append(parts.cell("dots-grid", "inkPurple", ctx.tr("all_services"), ctx.open("services"), "service_all"))
    return parts.panel(parts.cells(ctx, services, _COLUMNS), pad=(4.0, 6.0, 4.0, 6.0), id="services_grid")


def _reminders(ctx: Context) -> list[Node]:
    found = ctx.db.rows("SELECT * FROM utility_accounts WHERE arrears_cents > 0 ORDER BY due_date LIMIT 3")
    rows = []
    for row in found:
        text = ctx.tr(
            "home_arrears",
            kind=ctx.tr(f"kind_{row['kind']}"),
            amount=store.yuan(row["arrears_cents"]),
            day=parts.day(ctx, row["due_date"]),
        )
        strip = parts.banner(text, "bell-ring-outline", ctx.open("utility", id=row["_id"]), id="arrears_reminder")
        rows.append(parts.panel(strip))
    return rows


def _banner(ctx: Context) -> Node:
    text = ctx.tr("banner_text")
    room = fitting.screen_width(ctx) - 24.0 - 16.0 - 76.0
    height = 84.0 if fitting.fits(ctx, text, "bodySmall", room) else 112.0
    picture = Node(
        "picture", source="gradient/#2F8BFF/#1257C9", width=FILL, height=height, radius=12.0, hidden_from_tree=True
    )
    words = Column(
        Text(ctx.tr("banner_title"), "titleMedium", "#FFFFFF", max_lines=1),
        Text(text, "bodySmall", "#E3EEFF", max_lines=2),
        gap=2.0,
        place="center-start",
        pad=(16.0, 0.0, 76.0, 0.0),
    )
    mark = Icon("shield-check", 52.0, "#BFD9FF", place="center-end", offset=(-16.0, 0.0), hidden_from_tree=True)
    inner = Node(
        "box", (picture, mark, words), width=FILL, min_height=height, on_tap=ctx.open("security"), id="home_banner"
    )
    return parts.panel(inner)


def _life(ctx: Context) -> Node:
    waiting = int(ctx.db.value("SELECT COUNT(*) FROM parcels WHERE status <> 'signed'"))
    on = store.flag(ctx.phone, "bus_on")
    coupons = int(ctx.db.value("SELECT COUNT(*) FROM coupons WHERE used_date IS NULL AND expires > ?", ctx.now_ms))
    tiles = (
        _tile(
            "bus",
            "inkBlue",
            ctx.tr("service_bus"),
            ctx.tr("bus_on_short" if on else "bus_off_short"),
            ctx.open("bus"),
            "tile_bus",
        ),
        _tile(
            "truck-fast",
            "inkOrange",
            ctx.tr("service_parcels"),
            ctx.tr("parcels_short", n=waiting),
            ctx.open("parcels"),
            "tile_parcels",
        ),
        _tile(
            "ticket-percent",
            "inkRed",
            ctx.tr("service_coupons"),
            ctx.tr("coupons_short", n=coupons),
            ctx.open("coupons"),
            "tile_coupons",
        ),
    )
    # Beside each other, or one below the other where a title would be cut.
    beside = 20.0 + 22.0  # a tile's edges and icon
    names = [ctx.tr(f"service_{name}") for name in ("bus", "parcels", "coupons")]
    room = fitting.screen_width(ctx) - 24.0 - beside
    if fitting.columns(ctx, names, "titleSmall", room, 3, gap=8.0 + beside) < 3:
        wide = [tile.replace(weight=0.0, width=FILL, min_height=0.0) for tile in tiles]
        return Column(*wide, gap=8.0, width=FILL, pad=(12.0, 0.0, 12.0, 10.0), hidden_from_tree=True)
    return Row(*tiles, gap=8.0, width=FILL, pad=(12.0, 0.0, 12.0, 10.0), align="stretch", hidden_from_tree=True)


def _tile(icon: str, ink: str, title: str, text: str, on_tap: Handler, id: str) -> Node:
    return Column(
        Row(
            Text(title, "titleSmall", max_lines=1, weight=1.0, id="title"),
            Icon(icon, 20.0, ink, hidden_from_tree=True),
            width=FILL,
            gap=2.0,
            hidden_from_tree=True,
        ),
        Text(text, "bodySmall", "onSurfaceVariant", max_lines=2, id="summary"),
        gap=4.0,
        weight=1.0,
        min_height=72.0,
        pad=10.0,
        radius=12.0,
        bg="card",
        on_tap=on_tap,
        id=id,
    )


def _recent(ctx: Context) -> list[Node]:
    bills = ctx.db.rows("SELECT * FROM bills ORDER BY date DESC, _id DESC LIMIT 4")
    title = parts.heading(ctx.tr("recent_bills"), ctx.tr("see_all"), ctx.open("bills"), id="recent_all")
    if not bills:
        return [
            parts.panel(title, Text(ctx.tr("no_bills"), "bodyMedium", "onSurfaceVariant", pad=(16.0, 4.0, 16.0, 20.0)))
        ]
    return [parts.panel(title, *(parts.bill_row(ctx, bill) for bill in bills), id="recent_bills")]
