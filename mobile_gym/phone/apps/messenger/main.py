"""The four tabs: chats, contacts, discover, me."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mobile_gym.phone.apps.messenger import look, overlays, store
from mobile_gym.phone.apps.messenger.chat_list import chat_rows
from mobile_gym.phone.apps.messenger.contact_list import contact_list
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Icon, LazyList, Space, Text

_TABS = (
    ("chats", "chat", "chat-outline"),
    ("contacts", "account-box", "account-box-outline"),
    ("discover", "compass", "compass-outline"),
    ("me", "account", "account-outline"),
)


class Main(Screen):
    """The app's first screen. Argument: `tab` (chats, contacts, discover, me)."""

    name = "main"
    activity = ".ui.LauncherUI"
    single = True

    def on_open(self, ctx: Context) -> None:
        """Shows the tab asked for."""
        tab = str(ctx.args.get("tab") or ctx.ui.get("tab") or "chats")
        ctx.ui["tab"] = tab if tab in [name for name, _, _ in _TABS] else "chats"

    def on_back(self, ctx: Context) -> bool:
        """Back leads to the chats first."""
        if ctx.ui["tab"] == "chats":
            return False
        ctx.ui["tab"] = "chats"
        return True

    def on_result(self, ctx: Context, result: Mapping[str, Any]) -> None:
        """People were chosen for a new group."""
        people = list(result.get("people", ()))
        if len(people) == 1:
            ctx.go("chat", chat=store.chat_with(ctx.phone, people[0]))
        elif people:
            ctx.go("chat", chat=store.make_group(ctx.phone, people))

    def build(self, ctx: Context) -> Node:
        """Bar, tab, tabs."""
        t = look.tone(ctx)
        tab = str(ctx.ui.get("tab", "chats"))
        unread = int(
            ctx.db.value(
                "SELECT SUM(MAX(unread_count, marked_unread)) FROM chats WHERE hidden = 0 AND (muted = 0 OR"
                " mention_count > 0)"
            )
            or 0
        )
        requests = int(ctx.db.value("SELECT COUNT(*) FROM contacts WHERE status = 'request'") or 0)
        moments = store.is_on(ctx.phone, "notify_moments") and bool(_fresh_moments(ctx))
        title = ctx.tr(f"tab_{tab}")
        if tab == "chats" and unread:
            title = ctx.tr("title_count", title=title, count=unread)
        bodies = {"chats": chat_rows, "contacts": contact_list, "discover": _discover, "me": _me}
        actions: list[Node] = []
        if tab in ("chats", "contacts"):
            actions.append(look.bar_button(ctx, "magnify", ctx.tr("search"), ctx.open("search"), "search"))
            actions.append(
                look.bar_button(ctx, "plus-circle-outline", ctx.tr("more_functions"), ctx.show("plus"), "more")
            )
        top = None if tab == "me" else look.top_bar(ctx, title, back=False, actions=actions)
        cells = []
        for name, filled, outline in _TABS:
            chosen = name == tab
            count = {"chats": unread, "contacts": requests}.get(name, 0)
            icon = Icon(filled if chosen else outline, 26.0, t.green if chosen else t.ink)
            badged = look.with_badge(icon, ctx, count, name == "discover" and moments)
            label = Text(ctx.tr(f"tab_{name}"), "labelSmall", t.green if chosen else t.ink, max_lines=1)
            cells.append(
                Node(
                    "col",
                    (badged, label),
                    gap=2.0,
                    align="center",
                    justify="center",
                    weight=1.0,
                    min_height=56.0,
                    id=f"tab_{name}",
                    desc=ctx.tr(f"tab_{name}"),
                    selected=chosen,
                    on_tap=ctx.set_ui("tab", name),
                )
            )
        bar = Node("col", (look.hairline(ctx), Node("row", cells, width=FILL, id="tab_bar")), width=FILL, bg=t.bar)
        page = look.page(ctx, bodies[tab](ctx), top=top, bottom=bar, bg=t.page)
        return look.edged(page, foot=t.bar)

    def overlay_plus(self, ctx: Context) -> Node:
        """The menu of the plus: new group, add a friend, money."""
        t = look.tone(ctx)
        entries = (
            ("menu_new_group", "chat", "new_group", lambda: ctx.go("pick_people", purpose="create_group")),
            ("menu_add_friend", "account-plus", "add_friend", lambda: ctx.go("add_friend")),
            ("menu_wallet", "wallet", "wallet", lambda: ctx.go("wallet")),
        )
        rows = [
            Node(
                "row",
                (
                    Icon(icon, 22.0, "#FFFFFF"),
                    Text(ctx.tr(key), "bodyLarge", "#FFFFFF", max_lines=2, weight=1.0, id="title"),
                ),
                gap=14.0,
                width=FILL,
                min_height=54.0,
                pad=(18.0, 0.0, 24.0, 0.0),
                id=name,
                on_tap=ctx.then_dismiss(act),
            )
            for name, icon, key, act in entries
        ]
        menu = Node("col", rows, width=216.0, bg=t.pop, radius=6.0, blocks=True, cls="android.widget.ListView")
        surface = Node(
            "col",
            (Node("space", inset="status", hidden_from_tree=True), Space(height=56.0), menu),
            place="top-end",
            offset=(-10.0, 0.0),
            hidden_from_tree=True,
        )
        return overlays.over(ctx, surface)

    def overlay_chat(self, ctx: Context, chat: int) -> Node:
        """What can be done with a chat of the list."""
        row = store.chat(ctx.phone, chat)
        if row is None:
            return overlays.dialog(ctx, ctx.tr("chat_gone"), actions=((ctx.tr("ok"), ctx.dismiss),))
        unread = bool(row["unread_count"] or row["marked_unread"])

        def put(**values: int) -> None:
            store.set_chat(ctx.phone, chat, **values)

        def turn_unread() -> None:
            if unread:
                store.mark_read(ctx.phone, chat)
            else:
                put(marked_unread=1)

        return overlays.sheet(
            ctx,
            (
                ("menu_unread", ctx.tr("mark_read" if unread else "mark_unread"), turn_unread),
                ("menu_pin", ctx.tr("unpin" if row["pinned"] else "pin"), lambda: put(pinned=1 - row["pinned"])),
                ("menu_mute", ctx.tr("unmute" if row["muted"] else "mute"), lambda: put(muted=1 - row["muted"])),
                ("menu_hide", ctx.tr("hide_chat"), lambda: put(hidden=1)),
                ("menu_delete", ctx.tr("delete_chat"), lambda: ctx.open_overlay("delete", chat=chat)),
            ),
            row["title"] or "",
        )

    def overlay_delete(self, ctx: Context, chat: int) -> Node:
        """Asks before a chat is deleted."""
        return overlays.ask(
            ctx, "", ctx.tr("delete_chat_text"), ctx.tr("delete"), lambda: store.delete_chat(ctx.phone, chat)
        )


def _fresh_moments(ctx: Context) -> str:
    """The face of whoever posted the newest moment that was not seen yet; empty where all were."""
    row = ctx.db.row(
        "SELECT p.title FROM moments m JOIN people p ON p._id = m.author_id WHERE p.status = 'friend' AND"
        " p.hide_their_moments = 0 AND p.blacklisted = 0 AND m.date > ? ORDER BY m.date DESC LIMIT 1",
        int(store.setting(ctx.phone, "moments_seen") or 0),
    )
    return "" if row is None else str(row["title"])


def _entry(ctx: Context, icon: str, color: str, key: str, screen: str, value: str = "", dot: bool = False) -> Node:
    glyph = Icon(icon, 24.0, color, hidden_from_tree=True)
    leading = look.with_badge(glyph, ctx, 0, dot)
    return look.row(
        ctx, ctx.tr(key), id=f"entry_{screen}", leading=leading, value=value, on_tap=ctx.open(screen), line=False
    )


def _discover(ctx: Context) -> Node:
    fresh = _fresh_moments(ctx) if store.is_on(ctx.phone, "notify_moments") else ""
    entries = [
        look.gap(),
        _entry(
            ctx,
            "camera-iris",
            "#3D83E6",
            "moments",
            "moments",
            ctx.tr("new_of", name=fresh) if fresh else "",
            bool(fresh),
        ),
        look.gap(),
        _entry(ctx, "line-scan", "#3D83E6", "scan", "scan"),
        look.hairline_over(ctx, 60.0),
        _entry(ctx, "magnify", "#E6463C", "search_all", "search"),
    ]
    return LazyList(entries, id="discover_list")


def _me(ctx: Context) -> Node:
    t = look.tone(ctx)
    me = store.person(ctx.phone, store.ME)
    assert me is not None
    texts = Node(
        "col",
        (
            Text(me["name"], "headlineSmall", t.ink, text_weight=500, max_lines=1, id="me_name"),
            Text(ctx.tr("account_line", account=me["account"]), "bodyLarge", t.faint, max_lines=1, id="me_account"),
        ),
        gap=6.0,
        weight=1.0,
        hidden_from_tree=True,
    )
    head = Node(
        "row",
        (
            look.face(me["name"], me["avatar"], 64.0, id="me_avatar"),
            texts,
            Icon("chevron-right", 20.0, t.faint, hidden_from_tree=True),
        ),
        gap=18.0,
        width=FILL,
        pad=(22.0, 44.0, 14.0, 40.0),
        bg=t.card,
        id="me_card",
        on_tap=ctx.open("account"),
    )
    entries = [
        head,
        look.gap(),
        _entry(ctx, "wallet", "#07C160", "wallet", "wallet"),
        look.gap(),
        _entry(ctx, "cube-outline", "#E6463C", "favourites", "favourites"),
        look.hairline_over(ctx, 60.0),
        look.row(
            ctx,
            ctx.tr("my_moments"),
            id="entry_album",
            leading=Icon("image-outline", 24.0, "#3D83E6", hidden_from_tree=True),
            on_tap=ctx.open("album", contact=store.ME),
            line=False,
        ),
        look.gap(),
        _entry(ctx, "cog-outline", "#3D83E6", "settings", "settings"),
    ]
    return LazyList(entries, id="me_list")
