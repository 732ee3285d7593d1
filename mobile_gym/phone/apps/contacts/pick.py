"""Choosing one contact or several, for a screen of this app or of another."""

from __future__ import annotations

from mobile_gym.phone.apps.contacts import look, store
from mobile_gym.phone.apps.contacts.store import Entry
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import EmptyState, LazyList, Scaffold, SearchField, TextButton, TopBar


class Pick(Screen):
    """A list of contacts. The screen below gets `ids`, `names`, `purpose`, and of a single one `uri`.

    Arguments: `multi` (several), `without` (ids that are left out), `title`, `purpose` (handed back).
    """

    name = "pick"
    activity = ".activities.ContactSelectionActivity"

    def build(self, ctx: Context) -> Node:
        """Search, list, and Done where several can be chosen."""
        multi = bool(ctx.args.get("multi"))
        without = set(ctx.args.get("without") or ())
        query = ctx.field("search_view").strip()
        found = store.search(ctx.phone, query) if query else store.entries(ctx.phone)
        found = [entry for entry in found if entry.id not in without]
        chosen: list[int] = ctx.ui.get("chosen", [])

        def tap(entry: Entry) -> Handler:
            def handle() -> None:
                if not multi:
                    self._finish(ctx, [entry])
                else:
                    ctx.ui["chosen"] = (
                        [key for key in chosen if key != entry.id] if entry.id in chosen else [*chosen, entry.id]
                    )

            return handle

        def row(entry: Entry) -> Node:
            detail = look.number_text(ctx, entry.number)
            return look.contact_row(entry, tap(entry), chosen=entry.id in chosen if multi else None, detail=detail)

        def done() -> None:
            by_id = {entry.id: entry for entry in store.entries(ctx.phone)}
            self._finish(ctx, [by_id[key] for key in chosen if key in by_id])

        actions = [TextButton(ctx.tr("done"), done, id="menu_done", enabled=bool(chosen))] if multi else []
        title = str(ctx.args.get("title") or ctx.tr("pick_many" if multi else "pick_title"))
        if chosen:
            title = ctx.tr("selected_count", count=len(chosen))
        bar = SearchField(
            ctx,
            "search_view",
            ctx.tr("search_contacts"),
            bg="surfaceContainerHigh",
            height=48.0,
            on_submit=lambda: ctx.focus(None),
        )
        top = Node(
            "col",
            (
                TopBar(ctx, title, actions=actions),
                Node("box", (bar,), width=FILL, pad=(16.0, 0.0, 16.0, 8.0), hidden_from_tree=True),
            ),
            width=FILL,
            hidden_from_tree=True,
        )
        empty = EmptyState("account-search-outline", ctx.tr("no_matches" if query else "no_contacts"))
        return Scaffold(LazyList(found, row=row, id="pick_list", bottom_pad=16.0, empty=empty), top=top)

    def _finish(self, ctx: Context, picked: list[Entry]) -> None:
        result = {
            "ids": [entry.id for entry in picked],
            "names": [entry.name for entry in picked],
            "purpose": ctx.args.get("purpose"),
        }
        if len(picked) == 1:
            result["uri"] = f"content://com.android.contacts/contacts/{picked[0].id}"
        ctx.finish(result)
