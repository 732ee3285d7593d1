"""The drawer: all apps by name, and search over apps, contacts and the web."""

from __future__ import annotations

from typing import Any

from mobile_gym.phone.apps.launcher import menus
from mobile_gym.phone.apps.launcher.arrangement import COLUMNS, DESKTOP, Item, Place
from mobile_gym.phone.apps.launcher.icons import app_icon, notification_counts
from mobile_gym.phone.apps.launcher.names import matches, sort_key
from mobile_gym.phone.apps.launcher.starting import VIEW, WEB_SEARCH, handled, start, starter
from mobile_gym.phone.door import Intent
from mobile_gym.phone.errors import ProviderError
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Avatar, EmptyState, LazyList, ListRow, Scaffold, SearchField, SectionTitle

FIELD = "search_box"
_CONTACTS = "content://com.android.contacts"


def open(ctx: Context, search: bool = False) -> None:
    """Brings the drawer up; with `search` the keyboard too."""
    ctx.ui["drawer"] = True
    ctx.record["scroll"].pop("apps_list", None)
    ctx.set_field(FIELD, "")
    if search:
        ctx.focus(FIELD)
    ctx.phone.invalidate()


def close(ctx: Context) -> None:
    """Puts the drawer away."""
    if ctx.ui.get("drawer"):
        ctx.ui["drawer"] = False
        ctx.focus(None)
        ctx.phone.invalidate()


def sorted_apps(ctx: Context) -> list[str]:
    """Packages with an icon in the order of their labels."""
    apps = ctx.phone.apps
    return sorted(
        ctx.phone.packages.launchable(), key=lambda package: (sort_key(apps[package].label(ctx.language)), package)
    )


def build(ctx: Context) -> Node:
    """Search bar, then all apps or what the query finds."""
    query = ctx.field(FIELD).strip()
    bar = SearchField(
        ctx,
        FIELD,
        ctx.tr("search_hint"),
        on_back=lambda: close(ctx),
        on_submit=lambda: _submit(ctx, query),
        on_change=lambda text: ctx.record["scroll"].pop("apps_list", None),
    )
    top = Node("box", (bar,), width=FILL, pad=(16.0, 8.0, 16.0, 8.0), hidden_from_tree=True)
    rows = _results(ctx, query) if query else _grid(ctx, sorted_apps(ctx))
    empty = EmptyState("magnify", ctx.tr("no_results", query=query))
    listing = LazyList(rows, id="apps_list", empty=empty, top_pad=8.0, bottom_pad=16.0)

    def swiped(direction: str) -> bool:
        if direction == "down":
            close(ctx)
        return direction == "down"

    return Scaffold(listing, top=top, bg="surfaceContainer", id="apps_view", on_swipe=swiped)


def _grid(ctx: Context, packages: list[str]) -> list[Node]:
    counts = notification_counts(ctx)
    rows = []
    for first in range(0, len(packages), COLUMNS):
        cells: list[Node] = []
        for package in packages[first : first + COLUMNS]:
            opens = starter(ctx, Intent(package=package))
            node = app_icon(ctx, package, 60.0, counts.get(package, 0), opens, ink="onSurface")
            node.on_long_press = menus.presses(ctx, node, Item(0, Place(DESKTOP, 0, 0), package), drawer=True)
            cells.append(node)
        cells += [Node("space", weight=1.0, hidden_from_tree=True) for _ in range(COLUMNS - len(cells))]
        pad = (21.0, 4.0, 21.0, 12.0)
        rows.append(Node("row", cells, width=FILL, min_height=100.0, align="start", pad=pad, hidden_from_tree=True))
    return rows


def _found_apps(ctx: Context, query: str) -> list[str]:
    apps = ctx.phone.apps
    return [p for p in sorted_apps(ctx) if matches(query, apps[p].label("zh"), apps[p].label("en"))]


def _found_contacts(ctx: Context, query: str) -> list[dict[str, Any]]:
    try:
        rows = ctx.phone.providers.query(f"{_CONTACTS}/data/phones")
    except ProviderError:
        return []
    found: dict[int, dict[str, Any]] = {}
    for row in rows:
        number = str(row["data1"] or "").replace(" ", "").replace("-", "")
        name = str(row["display_name"] or "")
        if matches(query, name) or (query.isdigit() and query in number):
            found.setdefault(row["contact_id"], row)
    return list(found.values())[:6]


def _results(ctx: Context, query: str) -> list[Node]:
    rows: list[Node] = []
    apps = _found_apps(ctx, query)
    if apps:
        rows += [SectionTitle(ctx.tr("results_apps"), 24.0), *_grid(ctx, apps[:8])]
    contacts = _found_contacts(ctx, query)
    if contacts:
        rows.append(SectionTitle(ctx.tr("results_contacts"), 24.0))
        rows += [_contact(ctx, row) for row in contacts]
    if handled(ctx.phone, WEB_SEARCH):
        title = ctx.tr("results_web", query=query)
        rows.append(ListRow(title, icon="web", on_tap=lambda: _web(ctx, query), id="web_result"))
    return rows


def _contact(ctx: Context, row: dict[str, Any]) -> Node:
    uri = f"{_CONTACTS}/contacts/{row['contact_id']}"
    name = str(row["display_name"])
    opens = starter(ctx, Intent(action=VIEW, data=uri)) if handled(ctx.phone, VIEW, uri) else None
    avatar = Avatar(name[-1:] if ctx.language == "zh" else name[:1], 40.0, "secondary", "onSecondary")
    return ListRow(name, str(row["data1"]), leading=avatar, on_tap=opens, id="contact_result")


def _web(ctx: Context, query: str) -> None:
    start(ctx, Intent(action=WEB_SEARCH, extras={"query": query}))


def _submit(ctx: Context, query: str) -> None:
    """Enter opens the first app that was found, else searches the web."""
    if not query:
        return
    apps = _found_apps(ctx, query)
    if apps:
        start(ctx, Intent(package=apps[0]))
    elif handled(ctx.phone, WEB_SEARCH):
        _web(ctx, query)
    else:
        ctx.phone.text_input.hide_keyboard()
