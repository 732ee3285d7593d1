"""The search page: the field, what was searched for, what a search might go on to."""

from __future__ import annotations

from mobile_gym.phone.apps.oakridge import look, store
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Dialog, Icon, IconButton, LazyList, Row, Text
from mobile_gym.phone.ui.widgets.fields import field


class Search(Screen):
    """Where a search is typed. Argument: `text`."""

    name = "search"
    activity = ".SearchActivity"

    def on_open(self, ctx: Context) -> None:
        """The field has the focus."""
        ctx.set_field("query", str(ctx.args.get("text") or ""))
        ctx.focus("query")
        store.end_list(ctx, self.name)

    def on_resume(self, ctx: Context) -> None:
        """No list is in force here."""
        store.end_list(ctx, self.name)

    def build(self, ctx: Context) -> Node:
        """The field over the history, or over suggestions while something is typed."""
        text = ctx.field("query")

        def clear() -> None:
            ctx.set_field("query", "")
            ctx.focus("query")

        tail = [IconButton("close", clear, ctx.tr("clear"), id="query_clear", size=40.0, color="soft")] if text else []
        box = Row(
            field(
                ctx,
                "query",
                hint=ctx.tr("search_hint"),
                action="search",
                on_submit=lambda: self._search(ctx, ctx.field("query")),
                weight=1.0,
            ),
            *tail,
            weight=1.0,
            height=44.0,
            radius=8.0,
            bg="searchBox",
            pad=(12.0, 0.0, 2.0, 0.0),
            id="query_box",
        )
        go = IconButton(
            "magnify", lambda: self._search(ctx, ctx.field("query")), ctx.tr("search"), id="search_go", color="onHeader"
        )
        back = IconButton("arrow-left", ctx.back(), ctx.tr("back"), id="back", color="onHeader")
        top = Row(back, box, go, width=FILL, height=58.0, bg="header", pad=(4.0, 0.0, 4.0, 0.0))
        rows = self._suggestions(ctx, text) if text.strip() else self._history(ctx)
        body = Node("box", (LazyList(rows, id="search_list"),), width=FILL, bg="card", hidden_from_tree=True)
        return look.page(ctx, body, top, bg="card")

    def _search(self, ctx: Context, text: str) -> None:
        query = text.strip()
        if not query:
            ctx.focus("query")
            ctx.toast(ctx.tr("search_ask"))
            return
        store.remember_search(ctx.phone, query)
        ctx.focus(None)
        ctx.go("results", query=query)

    def _row(self, ctx: Context, icon: str, text: str, id: str, trailing: Node | None = None) -> Node:
        act: Handler = lambda: self._search(ctx, text)  # noqa: E731
        parts = [
            Icon(icon, 22.0, "soft", hidden_from_tree=True),
            Text(text, "bodyLarge", max_lines=1, weight=1.0, id="search_text"),
        ]
        if trailing is not None:
            parts.append(trailing)
        return Row(*parts, gap=16.0, width=FILL, min_height=50.0, pad=(16.0, 0.0, 8.0, 0.0), id=id, on_tap=act)

    def _suggestions(self, ctx: Context, text: str) -> list[Node]:
        found = store.suggestions(ctx.phone, text, ctx.language)
        return [self._row(ctx, "magnify", one, "suggestion") for one in found]

    def _history(self, ctx: Context) -> list[Node]:
        found = store.database(ctx.phone).rows("SELECT * FROM search_history ORDER BY at DESC, _id DESC LIMIT 12")
        if not found:
            return [look.empty("magnify", ctx.tr("search_empty"))]

        def drop(key: int) -> Handler:
            return lambda: store.forget_search(ctx.phone, key)

        clear = look.link(ctx.tr("history_clear"), ctx.show("clear_history"), "history_clear")
        rows: list[Node] = [
            Node("col", (look.title(ctx.tr("history_title"), clear),), width=FILL, pad=(16.0, 8.0, 16.0, 0.0))
        ]
        for row in found:
            remove = IconButton(
                "close", drop(row["_id"]), ctx.tr("history_remove", query=row["query"]), id="history_remove", glyph=20.0
            )
            rows.append(self._row(ctx, "history", row["query"], "history_row", remove))
        return rows

    def overlay_clear_history(self, ctx: Context) -> Node:
        """Asks before the history is cleared."""
        act = ctx.then_dismiss(lambda: store.database(ctx.phone).execute("DELETE FROM search_history"))
        return Dialog(
            ctx,
            body=ctx.tr("history_ask"),
            actions=((ctx.tr("cancel"), ctx.dismiss), (ctx.tr("clear"), act)),
        )
