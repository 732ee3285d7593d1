"""Search over threads and messages."""

from __future__ import annotations

from mobile_gym.phone.apps.contacts_provider.numbers import normalise
from mobile_gym.phone.apps.contacts_provider.people import Person
from mobile_gym.phone.apps.messages import look, rows, store
from mobile_gym.phone.apps.messages.options import MessageOptions
from mobile_gym.phone.apps.messages.store import Message
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import EmptyState, LazyList, Row, Scaffold, SearchField, SectionTitle, TopBar

QUERY = "search_src_text"


class Search(Screen):
    """Search. Argument: `address`, where only one thread is searched."""

    name = "search"
    activity = ".ui.search.ZeroStateSearchActivity"

    def on_open(self, ctx: Context) -> None:
        """The field has the focus."""
        ctx.focus(QUERY)

    def build(self, ctx: Context) -> Node:
        """The field, then threads whose name or number holds it, then messages."""
        query = ctx.field(QUERY).strip()
        address = ctx.args.get("address")
        people = store.people_by_number(ctx.phone)

        def reset(text: str) -> None:
            ctx.record["scroll"].pop("search_results", None)

        bar = SearchField(
            ctx,
            QUERY,
            ctx.tr("search_here_hint" if address else "search_hint"),
            on_back=ctx.back(),
            bg="surfaceContainerHigh",
            on_change=reset,
        )
        top = Row(bar, width=FILL, pad=(16.0, 8.0, 16.0, 8.0), hidden_from_tree=True)
        if not query:
            return Scaffold(
                EmptyState("magnify", ctx.tr("search_start"), ctx.tr("search_start_detail")).replace(
                    pad=(32.0, 32.0, 32.0, 0.0)
                ),
                top=top,
            )
        items: list[object] = []
        if not address:
            threads = [
                thread
                for archived in (False, True)
                for thread in store.list_threads(ctx.phone, archived=archived, kind="all", people=people)
                if self._named(thread["address"], people, query)
            ]
            if threads:
                items.append(SectionTitle(ctx.tr("search_threads"), 16.0))
                items += [
                    rows.thread_row(
                        ctx,
                        thread,
                        look.find_person(people, thread["address"]),
                        False,
                        ctx.open("thread", address=thread["address"]),
                        ctx.open("thread", address=thread["address"]),
                    )
                    for thread in threads[:6]
                ]
        found = store.search(ctx.phone, query)
        if address:
            found = [message for message in found if normalise(message["address"]) == normalise(str(address))]
        if found:
            items.append(SectionTitle(ctx.tr("search_messages", count=len(found)), 16.0))
        items += found

        def row(message: Message) -> Node:
            number = message["address"]
            return rows.message_row(
                ctx,
                message,
                look.find_person(people, number),
                rows.around(message["body"] or "", query),
                ctx.open("thread", address=number, hit=message["_id"]),
            )

        empty = EmptyState("magnify-close", ctx.tr("search_none"))
        return Scaffold(LazyList(items, row=row, id="search_results", empty=empty), top=top)

    def _named(self, address: str, people: dict[str, Person], query: str) -> bool:
        person = look.find_person(people, address)
        if person is not None and person.matches(query):
            return True
        digits = normalise(query)
        return digits.isdigit() and digits in normalise(address)


class Starred(MessageOptions, Screen):
    """Starred messages."""

    name = "starred"
    activity = ".ui.starred.StarredMessagesActivity"

    def build(self, ctx: Context) -> Node:
        """The messages, newest first."""
        people = store.people_by_number(ctx.phone)

        def row(message: Message) -> Node:
            number = message["address"]
            node = rows.message_row(
                ctx,
                message,
                look.find_person(people, number),
                message["body"] or "",
                ctx.open("thread", address=number, hit=message["_id"]),
            )
            return node.replace(on_long_press=ctx.show("options", key=message["_id"]))

        empty = EmptyState("star-outline", ctx.tr("empty_starred"), ctx.tr("empty_starred_detail"))
        listed = LazyList(store.starred(ctx.phone), row=row, id="starred_list", empty=empty)
        return Scaffold(listed, top=TopBar(ctx, ctx.tr("starred")))
