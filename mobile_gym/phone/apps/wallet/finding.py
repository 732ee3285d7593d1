"""Search over services and people, and the editor of the home page's services."""

from __future__ import annotations

from typing import Any

from mobile_gym.phone.apps.contacts_provider.numbers import normalise
from mobile_gym.phone.apps.wallet import parts, store
from mobile_gym.phone.apps.wallet.transfer import face, forget_sheet, payee_row
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import (
    EmptyState,
    Icon,
    IconButton,
    LazyList,
    ListRow,
    Scaffold,
    SearchField,
    Text,
    TopBar,
)


class Search(Screen):
    """Finds services, payees and contacts."""

    name = "search"
    activity = ".search.SearchActivity"

    def on_open(self, ctx: Context) -> None:
        """The keyboard comes up."""
        ctx.focus("query")

    def build(self, ctx: Context) -> Node:
        """The bar, then what was found; all services while nothing was typed."""
        query = ctx.field("query").strip().lower()
        known = store.catalogue()["services"]
        bar = SearchField(ctx, "query", ctx.tr("search_hint"), on_back=ctx.back(), height=52.0)
        head = Node("box", (bar,), width=FILL, pad=(12.0, 8.0, 12.0, 8.0), hidden_from_tree=True)
        if not query:
            cells = [parts.service_cell(ctx, name) for name in known]
            rows: list[Any] = [
                parts.panel(parts.heading(ctx.tr("all_services")), parts.cells(ctx, cells, 4), pad=(4.0, 0.0, 4.0, 8.0))
            ]
        else:
            rows = self._found(ctx, query)
        listed = LazyList(
            rows, id="search_results", empty=EmptyState("magnify-close", ctx.tr("nothing_found")), bottom_pad=16.0
        )
        body = Node("col", (head, listed.replace(weight=1.0)), width=FILL, hidden_from_tree=True)
        return Scaffold(body, bg="page")

    def _found(self, ctx: Context, query: str) -> list[Node]:
        known = store.catalogue()["services"]
        rows = []
        for name, service in known.items():
            words = f"{ctx.tr('service_' + name)} {ctx.tr('words_' + name)}".lower()
            if query in words:
                rows.append(
                    parts.panel(
                        ListRow(
                            ctx.tr(f"service_{name}"),
                            leading=parts.glyph(service["icon"], service["ink"]),
                            trailing=Icon("chevron-right", 20.0, hidden_from_tree=True),
                            on_tap=parts.service_tap(ctx, name),
                            id="result_service",
                        ),
                        below=2.0,
                    )
                )
        payees = ctx.db.rows(
            "SELECT * FROM payees WHERE name LIKE ? OR account LIKE ? ORDER BY last_used DESC LIMIT 10",
            f"%{query}%",
            f"%{query}%",
        )
        rows += [payee_row(ctx, payee) for payee in payees]
        have = {payee["account"] for payee in payees}
        for person in store.mobiles(ctx.phone, ctx.language):
            number = normalise(person.number)
            if number not in have and person.matches(query):
                row = ListRow(
                    person.name,
                    store.masked(number),
                    leading=face(person.name),
                    on_tap=ctx.open("transfer_amount", to=number, name=person.name),
                    id="result_contact",
                )
                rows.append(parts.panel(row, below=2.0))
        return rows

    def overlay_payee(self, ctx: Context, id: int) -> Node:
        """Takes a payee off the list."""
        return forget_sheet(ctx, id)


class Services(Screen):
    """All services; in the editor the home page's are added, removed and moved."""

    name = "services"
    activity = ".home.AllServicesActivity"

    def build(self, ctx: Context) -> Node:
        """The home page's services, then the others."""
        edit = bool(ctx.ui.get("edit"))
        shown = store.shown_services(ctx.phone)
        rest = [name for name in store.catalogue()["services"] if name not in shown]
        label = ctx.tr("done" if edit else "edit")
        action = Node(
            "row",
            (Text(label, "labelLarge", "primary", max_lines=1, hidden_from_tree=True),),
            min_height=48.0,
            min_width=56.0,
            justify="center",
            pad=(12.0, 0.0, 12.0, 0.0),
            on_tap=ctx.toggle_ui("edit"),
            id="edit_button",
            text=label,
            cls="android.widget.Button",
        )
        if edit:
            rows = [
                Text(ctx.tr("edit_text"), "bodyMedium", "onSurfaceVariant", pad=(24.0, 4.0, 24.0, 10.0)),
                parts.panel(
                    parts.heading(ctx.tr("home_services")),
                    *(self._mine(ctx, shown, place) for place in range(len(shown))),
                ),
                parts.panel(parts.heading(ctx.tr("other_services")), *(self._other(ctx, name) for name in rest)),
            ]
        else:
            rows = [
                parts.panel(
                    parts.heading(ctx.tr("home_services")),
                    parts.cells(ctx, [parts.service_cell(ctx, name) for name in shown], 4),
                    pad=(4.0, 0.0, 4.0, 8.0),
                ),
                parts.panel(
                    parts.heading(ctx.tr("other_services")),
                    parts.cells(ctx, [parts.service_cell(ctx, name) for name in rest], 4),
                    pad=(4.0, 0.0, 4.0, 8.0),
                ),
            ]
        listed = LazyList(rows, id="services_list", bottom_pad=16.0)
        return Scaffold(listed, top=TopBar(ctx, ctx.tr("all_services"), actions=[action]), bg="page")

    def _save(self, ctx: Context, names: list[str]) -> None:
        ctx.db.execute("DELETE FROM services")
        for place, name in enumerate(names):
            ctx.db.insert("services", name=name, position=place + 1)

    def _mine(self, ctx: Context, shown: list[str], place: int) -> Node:
        name = shown[place]
        service = store.catalogue()["services"][name]
        title = ctx.tr(f"service_{name}")

        def move(by: int) -> None:
            names = list(shown)
            names.insert(place + by, names.pop(place))
            self._save(ctx, names)

        tools = Node(
            "row",
            (
                IconButton(
                    "arrow-up",
                    lambda: move(-1),
                    ctx.tr("move_up_named", name=title),
                    id=f"up_{name}",
                    enabled=place > 0,
                ),
                IconButton(
                    "arrow-down",
                    lambda: move(1),
                    ctx.tr("move_down_named", name=title),
                    id=f"down_{name}",
                    enabled=place < len(shown) - 1,
                ),
                IconButton(
                    "minus-circle-outline",
                    lambda: self._save(ctx, [other for other in shown if other != name]),
                    ctx.tr("remove_named", name=title),
                    id=f"remove_{name}",
                    color="alert",
                ),
            ),
            hidden_from_tree=True,
        )
        row = ListRow(title, leading=parts.glyph(service["icon"], service["ink"]), trailing=tools, id="service_row")
        return row.replace(pad=(16.0, 4.0, 4.0, 4.0), gap=10.0)

    def _other(self, ctx: Context, name: str) -> Node:
        service = store.catalogue()["services"][name]
        title = ctx.tr(f"service_{name}")
        add = IconButton(
            "plus-circle-outline",
            lambda: self._save(ctx, [*store.shown_services(ctx.phone), name]),
            ctx.tr("add_named", name=title),
            id=f"add_{name}",
            color="primary",
        )
        row = ListRow(title, leading=parts.glyph(service["icon"], service["ink"]), trailing=add, id="service_row")
        return row.replace(pad=(16.0, 4.0, 4.0, 4.0))
