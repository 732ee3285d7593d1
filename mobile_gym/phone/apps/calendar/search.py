"""Finding events by title, place, notes or guests."""

from __future__ import annotations

from mobile_gym.phone.apps.calendar import store
from mobile_gym.phone.apps.calendar.month import event_row
from mobile_gym.phone.state.database import Row
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import EmptyState, LazyList, Scaffold, SearchField


class Search(Screen):
    """A field and what it finds; a series shows its next occurrence."""

    name = "search"
    activity = ".SearchActivity"

    def on_open(self, ctx: Context) -> None:
        """Ready to type."""
        ctx.focus("search_src_text")

    def build(self, ctx: Context) -> Node:
        """The field, the results."""
        query = ctx.field("search_src_text").strip()
        found = store.find_events(ctx.phone, query) if query else []

        def row(event: Row) -> Node:
            begin = int(event["dtstart"])
            if event["rrule"]:
                ahead = store.event_starts(ctx.phone, event, ctx.now_ms, ctx.now_ms + 400 * store.DAY_MS)
                begin = ahead[0] if ahead else begin
            return event_row(ctx, store.instance_at(ctx.phone, event, begin))

        empty = (
            EmptyState("calendar-search-outline", ctx.tr("no_matches"))
            if query
            else EmptyState("magnify", ctx.tr("search_events"), ctx.tr("search_hint"))
        )
        bar = SearchField(
            ctx,
            "search_src_text",
            ctx.tr("search_events"),
            on_back=ctx.back(),
            bg="surfaceContainerHigh",
            on_submit=lambda: ctx.focus(None),
        )
        top = Node("box", (bar,), width=FILL, pad=(16.0, 8.0, 16.0, 8.0), hidden_from_tree=True)
        return Scaffold(LazyList(found, row=row, id="search_list", empty=empty), top=top)
