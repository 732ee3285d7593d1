"""The first screen: all contacts, favourites, groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mobile_gym.phone.apps.contacts import look, store
from mobile_gym.phone.apps.contacts.group import name_dialog
from mobile_gym.phone.apps.contacts.sharing import share_sheet
from mobile_gym.phone.apps.contacts.store import Entry
from mobile_gym.phone.apps.contacts_provider.faces import contact_face
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.system.forms import asking_text
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import (
    BottomNav,
    Button,
    Column,
    Dialog,
    Disc,
    EmptyState,
    Fab,
    IconButton,
    LazyList,
    ListRow,
    Menu,
    MenuItem,
    Scaffold,
    SearchField,
    Space,
    Text,
    TopBar,
)
from mobile_gym.phone.ui.widgets.fitting import columns, screen_width

_TABS = ("contacts", "favorites", "groups")
_COLUMNS = 3


class Main(Screen):
    """Contacts, favourites and groups; a long press on a contact chooses several. Argument: `tab`."""

    name = "main"
    activity = ".activities.PeopleActivity"

    def on_open(self, ctx: Context) -> None:
        """The tab asked for."""
        tab = ctx.args.get("tab")
        if tab in _TABS:
            ctx.ui["tab"] = _TABS.index(tab)

    def build(self, ctx: Context) -> Node:
        """The chosen tab over the bar of tabs."""
        tab = int(ctx.ui.get("tab", 0))
        body, top, fab = (self._contacts, self._favorites, self._groups)[tab](ctx)
        items = [
            ("account-outline", ctx.tr("tab_contacts"), "nav_contacts", self._show_tab(ctx, 0)),
            ("star-outline", ctx.tr("tab_favorites"), "nav_favorites", self._show_tab(ctx, 1)),
            ("account-group-outline", ctx.tr("tab_groups"), "nav_groups", self._show_tab(ctx, 2)),
        ]
        choosing = bool(ctx.ui.get("choosing"))
        return Scaffold(body, top=top, fab=fab, bottom=None if choosing else BottomNav(items, tab))

    def _show_tab(self, ctx: Context, tab: int) -> Handler:
        def handle() -> None:
            ctx.ui["tab"] = tab
            ctx.focus(None)

        return handle

    # ---- all contacts

    def _contacts(self, ctx: Context) -> tuple[Node, Node, Node | None]:
        query = ctx.field("search_view").strip()
        found = store.search(ctx.phone, query) if query else store.entries(ctx.phone)
        choosing = bool(ctx.ui.get("choosing"))
        chosen: list[int] = ctx.ui.get("chosen", [])
        letters: list[tuple[str, int]] = []
        items: list[Any] = []
        if not query and found:
            items.append(self._count(ctx, len(found)))
        for entry in found:
            if not query and (not letters or letters[-1][0] != entry.letter):
                letters.append((entry.letter, len(items)))
                items.append(look.section(entry.letter))
            items.append(entry)

        def row(entry: Entry) -> Node:
            def tap() -> None:
                if choosing:
                    self._toggle(ctx, entry.id)
                else:
                    ctx.go("contact", id=entry.id)

            return look.contact_row(
                entry,
                tap,
                on_long_press=lambda: self._toggle(ctx, entry.id),
                chosen=entry.id in chosen if choosing else None,
                detail=look.number_text(ctx, entry.number) if query else "",
            )

        empty = (
            EmptyState("account-search-outline", ctx.tr("no_matches"))
            if query
            else EmptyState("account-outline", ctx.tr("no_contacts"), ctx.tr("no_contacts_hint"))
        )
        listed = LazyList(items, row=row, id="contact_list", bottom_pad=88.0, empty=empty)
        parts = [listed.replace(weight=1.0, height=FILL)]
        if len(letters) > 2:
            parts.append(_rail(ctx, letters))
        body = Node("row", parts, width=FILL, height=FILL, align="start", hidden_from_tree=True)
        if choosing:
            return body, self._choosing_bar(ctx, found, chosen), None
        fab = Fab("plus", ctx.tr("new_contact"), ctx.open("edit"), id="floating_action_button")
        return body, self._search_bar(ctx), fab

    def _count(self, ctx: Context, count: int) -> Node:
        key = "contact_count_one" if count == 1 else "contact_count"
        return Text(ctx.tr(key, count=count), "bodyMedium", "onSurfaceVariant", pad=(20, 4, 16, 4), id="contact_count")

    def _search_bar(self, ctx: Context) -> Node:
        more = IconButton("dots-vertical", ctx.show("more"), ctx.tr("more_options"), id="menu_more", size=40.0)
        query = ctx.field("search_view")
        bar = SearchField(
            ctx,
            "search_view",
            ctx.tr("search_contacts"),
            trailing=more,
            bg="surfaceContainerHigh",
            on_back=(lambda: self._end_search(ctx)) if query else None,
            on_change=lambda text: ctx.record["scroll"].pop("contact_list", None),
            on_submit=lambda: ctx.focus(None),
        )
        return Node("box", (bar,), width=FILL, pad=(16.0, 8.0, 16.0, 4.0), hidden_from_tree=True)

    def _end_search(self, ctx: Context) -> None:
        ctx.set_field("search_view", "")
        ctx.focus(None)
        ctx.record["scroll"].pop("contact_list", None)

    def on_back(self, ctx: Context) -> bool:
        """Back first ends choosing, then the search, then leads to the first tab."""
        if ctx.ui.get("choosing"):
            self._end_choosing(ctx)
        elif ctx.field("search_view"):
            self._end_search(ctx)
        elif ctx.ui.get("tab", 0):
            ctx.ui["tab"] = 0
        else:
            return False
        return True

    # ---- choosing several

    def _toggle(self, ctx: Context, key: int) -> None:
        chosen: list[int] = ctx.ui.get("chosen", [])
        ctx.ui["chosen"] = [one for one in chosen if one != key] if key in chosen else [*chosen, key]
        ctx.ui["choosing"] = bool(ctx.ui["chosen"]) or not ctx.ui.get("by_press", True)
        ctx.focus(None)

    def _end_choosing(self, ctx: Context) -> None:
        ctx.ui.update(choosing=False, chosen=[], by_press=True)

    def _choosing_bar(self, ctx: Context, found: list[Entry], chosen: list[int]) -> Node:
        def everything() -> None:
            ctx.ui["chosen"] = [] if len(chosen) == len(found) else [entry.id for entry in found]

        some = bool(chosen)
        actions = (
            IconButton("select-all", everything, ctx.tr("select_all"), id="menu_select_all"),
            IconButton("share-variant-outline", ctx.show("share"), ctx.tr("share"), id="menu_share", enabled=some),
            IconButton("trash-can-outline", ctx.show("delete"), ctx.tr("delete"), id="menu_delete", enabled=some),
        )
        close = IconButton("close", lambda: self._end_choosing(ctx), ctx.tr("cancel"), id="selection_close")
        label = Text(
            ctx.tr("selected_count", count=len(chosen)),
            "titleLarge",
            weight=1.0,
            max_lines=1,
            id="selection_count_text",
        )
        return Node("row", (close, label, *actions), width=FILL, height=68.0, pad=(4.0, 0.0, 4.0, 0.0), id="toolbar")

    def overlay_delete(self, ctx: Context) -> Node:
        """Asks before the chosen contacts are deleted."""
        chosen: list[int] = ctx.ui.get("chosen", [])
        one = store.contact(ctx.phone, chosen[0]) if len(chosen) == 1 else None
        if one is not None:
            title, text = ctx.tr("delete_contact_title", name=one.name), ctx.tr("delete_contact_text")
        else:
            title, text = ctx.tr("delete_contacts_title", count=len(chosen)), ctx.tr("delete_contacts_text")

        def act() -> None:
            ctx.dismiss()
            store.delete(ctx.phone, chosen)
            self._end_choosing(ctx)
            ctx.toast(ctx.tr("deleted_one") if len(chosen) == 1 else ctx.tr("deleted_many", count=len(chosen)))

        return Dialog(ctx, title, text, actions=((ctx.tr("cancel"), ctx.dismiss), (ctx.tr("delete"), act)))

    def overlay_share(self, ctx: Context) -> Node:
        """Where the chosen contacts go."""
        from_ids = [store.contact(ctx.phone, key) for key in ctx.ui.get("chosen", [])]
        return share_sheet(ctx, [one for one in from_ids if one is not None])

    def overlay_more(self, ctx: Context) -> Node:
        """Select, merge, settings."""

        def choose() -> None:
            ctx.ui.update(choosing=True, chosen=[], by_press=False)

        items = [
            MenuItem(ctx.tr("select"), ctx.then_dismiss(choose), id="menu_select"),
            MenuItem(ctx.tr("merge_duplicates"), ctx.then_dismiss(ctx.go, "merge"), id="menu_merge"),
            MenuItem(ctx.tr("import_export"), ctx.then_dismiss(ctx.go, "import_export"), id="menu_import_export"),
            MenuItem(ctx.tr("settings"), ctx.then_dismiss(ctx.go, "settings"), id="menu_settings"),
        ]
        return Menu(ctx, items)

    # ---- favourites

    def _favorites(self, ctx: Context) -> tuple[Node, Node, Node | None]:
        found = [entry for entry in store.entries(ctx.phone) if entry.starred]
        room = screen_width(ctx) - 24.0 - 8.0  # without the sides of the page and of one tile
        names = [entry.name for entry in found]
        count = columns(ctx, names, "bodyMedium", room, _COLUMNS, gap=8.0, lines=2)
        rows = [found[start : start + count] for start in range(0, len(found), count)]

        def cell(entry: Entry) -> Node:
            return Column(
                contact_face(entry.name, entry.photo, 72.0, id="contact_tile_image"),
                Text(entry.name, "bodyMedium", max_lines=2, text_align="center", width=FILL, id="contact_tile_name"),
                gap=8.0,
                align="center",
                weight=1.0,
                pad=(4.0, 12.0, 4.0, 12.0),
                radius=16.0,
                id="contact_tile",
                desc=entry.name,
                on_tap=ctx.open("contact", id=entry.id),
            )

        def row(entries: list[Entry]) -> Node:
            cells = [cell(entry) for entry in entries]
            cells += [Space(weight=1.0) for _ in range(count - len(cells))]
            return Node("row", cells, width=FILL, align="start", pad=(12.0, 0.0, 12.0, 0.0))

        empty = EmptyState("star-outline", ctx.tr("no_favorites"), ctx.tr("no_favorites_hint"))
        listed = LazyList(rows, row=row, id="favorites_list", bottom_pad=88.0, empty=empty)
        starred = [entry.id for entry in found]
        pick = ctx.open("pick", multi=True, without=starred, purpose="star", title=ctx.tr("add_favorites"))
        fab = Fab("star-plus-outline", ctx.tr("add_favorites"), pick, id="floating_action_button")
        return listed, TopBar(ctx, ctx.tr("tab_favorites"), back=False), fab

    def on_result(self, ctx: Context, result: Mapping[str, Any]) -> None:
        """Contacts that were picked as favourites."""
        for key in result.get("ids", []) if result.get("purpose") == "star" else ():
            store.set_flags(ctx.phone, int(key), starred=1)

    # ---- groups

    def _groups(self, ctx: Context) -> tuple[Node, Node, Node | None]:
        def row(group: dict[str, Any]) -> Node:
            count = int(group["summ_count"])
            return ListRow(
                str(group["title"] or ""),
                ctx.tr("contact_count_one" if count == 1 else "contact_count", count=count),
                leading=Disc("account-group-outline", 40.0, "secondaryContainer", "onSecondaryContainer", 22.0),
                on_tap=ctx.open("group", id=int(group["_id"])),
                id="group_row",
            )

        empty = EmptyState("account-group-outline", ctx.tr("no_groups"))
        listed = LazyList(store.groups(ctx.phone), row=row, id="group_list", bottom_pad=88.0, empty=empty)
        fab = Fab("plus", ctx.tr("new_group"), asking_text(ctx, "new_group", "group_name"), id="floating_action_button")
        return listed, TopBar(ctx, ctx.tr("tab_groups"), back=False), fab

    def overlay_new_group(self, ctx: Context) -> Node:
        """Asks for the name of a new group, and opens it."""

        def make(title: str) -> None:
            key = store.database(ctx.phone).insert("groups", title=title)
            ctx.toast(ctx.tr("group_created"))
            ctx.go("group", id=key)

        return name_dialog(ctx, None, make)


def _rail(ctx: Context, letters: list[tuple[str, int]]) -> Node:
    """The letters at the list's right; a tap jumps to the section."""

    def jump(row: int) -> Handler:
        def handle() -> None:
            ctx.record["scroll"]["contact_list"] = [row, 0]
            ctx.focus(None)

        return handle

    cells = [
        Node(
            "box",
            (
                Text(
                    letter,
                    "labelSmall",
                    "onSurfaceVariant",
                    size_sp=11.0,
                    line_sp=13.0,
                    place="center-center",
                    hidden_from_tree=True,
                ),
            ),
            width=28.0,
            weight=1.0,
            id="index_letter",
            text=letter,
            desc=ctx.tr("index", letter=letter),
            on_tap=jump(row),
            cls="android.widget.TextView",
        )
        for letter, row in letters
    ]
    return Node("col", cells, width=28.0, height=FILL, pad=(0.0, 8.0, 0.0, 88.0), id="index_rail")


class Merge(Screen):
    """Contacts that are most likely one, to be merged."""

    name = "merge"
    activity = ".activities.MergeDuplicatesActivity"

    def build(self, ctx: Context) -> Node:
        """One card a set, with its button."""
        entries = {entry.id: entry for entry in store.entries(ctx.phone)}
        sets = store.duplicates(ctx.phone)

        def act(*which: list[int]) -> Handler:
            def handle() -> None:
                for keys in which:
                    store.merge(ctx.phone, keys)
                ctx.toast(ctx.tr("merged"))

            return handle

        def card(keys: list[int]) -> Node:
            rows = [
                look.contact_row(
                    entries[key], ctx.open("contact", id=key), detail=look.number_text(ctx, entries[key].number)
                )
                for key in keys
            ]
            button = Button(ctx.tr("merge"), act(keys), tone="tonal", id="merge_button")
            head = Text(
                ctx.tr("same_person", count=len(keys)), "titleSmall", "onSurfaceVariant", pad=(16.0, 14.0, 16.0, 4.0)
            )
            foot = Node("row", (button,), width=FILL, justify="end", pad=(16.0, 4.0, 16.0, 14.0))
            inner = Column(head, *rows, foot, width=FILL, bg="surfaceContainer", radius=20.0, clip_children=True)
            return Node("box", (inner,), width=FILL, pad=(16.0, 6.0, 16.0, 6.0))

        empty = EmptyState("account-multiple-check-outline", ctx.tr("no_duplicates"))
        listed = LazyList(sets, row=card, id="merge_list", empty=empty)
        everything = Button(ctx.tr("merge_all"), act(*sets), id="merge_all")
        top = TopBar(ctx, ctx.tr("merge_duplicates"), actions=[everything] if len(sets) > 1 else [])
        return Scaffold(listed, top=top)
