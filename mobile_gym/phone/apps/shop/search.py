"""The search page: history, popular words, suggestions."""

from __future__ import annotations

from mobile_gym.phone.apps.shop import look, store
from mobile_gym.phone.apps.shop.home import hint
from mobile_gym.phone.apps.shop.sheets import wrapped
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Dialog, Icon, IconButton, LazyList, Row, Scaffold, Text
from mobile_gym.phone.ui.widgets.fields import field

_SHOWN = 12


class Search(Screen):
    """Asks for a query. Argument: `text`, what stands in the field."""

    name = "search"
    activity = ".SearchActivity"

    def on_open(self, ctx: Context) -> None:
        """The field has the focus."""
        store.end_list(ctx, self.name)
        ctx.set_field("search_src_text", str(ctx.args.get("text", "")))
        ctx.focus("search_src_text")

    def on_resume(self, ctx: Context) -> None:
        """The list that was searched is not in force any more."""
        store.end_list(ctx, self.name)

    def build(self, ctx: Context) -> Node:
        """Suggestions while something is typed, else history and popular words."""
        text = ctx.field("search_src_text")
        bar = Row(
            IconButton("arrow-left", ctx.back(), ctx.tr("back"), id="back", color="onSurface"),
            self._field(ctx),
            width=FILL,
            height=62.0,
            pad=(4.0, 0.0, 12.0, 0.0),
            bg="card",
        )
        body = self._suggestions(ctx, text) if text.strip() else self._start(ctx)
        return Scaffold(body, top=bar, bg="card")

    def _field(self, ctx: Context) -> Node:
        inner = field(
            ctx,
            "search_src_text",
            hint=hint(ctx),
            width=FILL,
            action="search",
            on_submit=lambda: self._go(ctx, ctx.field("search_src_text").strip() or hint(ctx)),
        )
        parts = [Icon("magnify", 22.0, "soft", hidden_from_tree=True), inner.replace(weight=1.0)]
        if inner.text:

            def clear() -> None:
                ctx.set_field("search_src_text", "")
                ctx.focus("search_src_text")

            parts.append(
                IconButton(
                    "close-circle", clear, ctx.tr("clear"), id="search_clear", size=36.0, glyph=18.0, color="outline"
                )
            )
        parts.append(
            look.pill(
                ctx.tr("search"),
                lambda: self._go(ctx, ctx.field("search_src_text").strip() or hint(ctx)),
                "search_button",
                height=34.0,
            )
        )
        return Row(
            *parts,
            gap=6.0,
            weight=1.0,
            height=42.0,
            radius=21.0,
            border=1.5,
            border_color="primary",
            bg="card",  # its own surface: what lies in it is cut by its round corners
            pad=(14.0, 0.0, 4.0, 0.0),
            id="search_bar",
        )

    def _go(self, ctx: Context, query: str) -> None:
        ctx.focus(None)
        store.remember_search(ctx.phone, query)
        ctx.set_field("search_src_text", query)
        ctx.go("results", query=query)

    def _ask(self, ctx: Context, query: str) -> Handler:
        return lambda: self._go(ctx, query)

    def _suggestions(self, ctx: Context, text: str) -> Node:
        def row(query: str) -> Node:
            def fill() -> None:
                ctx.set_field("search_src_text", query)
                ctx.focus("search_src_text")

            return Row(
                Icon("magnify", 20.0, "soft", hidden_from_tree=True),
                Text(query, "bodyLarge", max_lines=1, weight=1.0, id="suggestion_text"),
                IconButton(
                    "arrow-top-left",
                    fill,
                    ctx.tr("fill_in", text=query),
                    id="suggestion_fill",
                    glyph=18.0,
                    color="soft",
                ),
                gap=12.0,
                width=FILL,
                min_height=48.0,
                pad=(16.0, 0.0, 4.0, 0.0),
                id="suggestion",
                on_tap=self._ask(ctx, query),
            )

        found = store.suggestions(ctx.phone, text, ctx.language)
        return LazyList(found, row=row, id="suggestion_list", empty=Text(ctx.tr("suggestions_none"), color="soft"))

    def _start(self, ctx: Context) -> Node:
        rows = store.database(ctx.phone).rows(
            "SELECT query FROM search_history ORDER BY at DESC, _id DESC LIMIT ?", _SHOWN
        )
        items: list[Node] = []
        if rows:
            clear = IconButton(
                "trash-can-outline",
                ctx.show("clear_history"),
                ctx.tr("history_clear"),
                id="history_clear",
                glyph=20.0,
                color="soft",
            )
            items.append(self._title(ctx.tr("history"), clear))
            items.append(self._chips(ctx, [row["query"] for row in rows], "history_item"))
        items.append(self._title(ctx.tr("hot")))
        words = [entry[ctx.language] for entry in store.load_data("seed.yaml")["hot"]]
        items.append(self._chips(ctx, words, "hot_item"))
        return LazyList(items, id="search_list")

    def _title(self, text: str, *actions: Node) -> Node:
        return Row(
            Text(text, "titleSmall", weight=1.0, id="section_title"),
            *actions,
            width=FILL,
            min_height=48.0,
            pad=(16.0, 0.0, 4.0, 0.0),
        )

    def _chips(self, ctx: Context, words: list[str], id: str) -> Node:
        chips = [look.chip(word, False, self._ask(ctx, word), id).replace(checkable=False) for word in words]
        return Node("col", wrapped(ctx, chips, 32.0), gap=10.0, pad=(16.0, 0.0, 16.0, 8.0), width=FILL)

    def overlay_clear_history(self, ctx: Context) -> Node:
        """Asks before the history is deleted."""

        def act() -> None:
            store.database(ctx.phone).execute("DELETE FROM search_history")

        return Dialog(
            ctx,
            body=ctx.tr("history_clear_ask"),
            actions=((ctx.tr("cancel"), ctx.dismiss), (ctx.tr("delete"), ctx.then_dismiss(act))),
        )
