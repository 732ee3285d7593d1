"""What was kept from chats."""

from __future__ import annotations

from mobile_gym.phone.apps.messenger import look, overlays, store
from mobile_gym.phone.apps.messenger.cards import size_text
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Icon, LazyList, Row, SearchField, Text

QUERY = "favourite_query"
_KINDS = ("all", "text", "image", "location", "file")


class Favourites(Screen):
    """The favourites. Argument: `chat`, to which the chosen one is sent."""

    name = "favourites"
    activity = ".plugin.fav.ui.FavoriteIndexUI"

    def build(self, ctx: Context) -> Node:
        """Search, kinds, list."""
        t = look.tone(ctx)
        kind = str(ctx.ui.get("kind", "all"))
        query = ctx.field(QUERY).strip()
        rows = ctx.db.rows(
            "SELECT * FROM favourites WHERE (? = 'all' OR kind = ?) AND (body LIKE ? OR author LIKE ?)"
            " ORDER BY date DESC, _id DESC",
            kind,
            kind,
            f"%{query}%",
            f"%{query}%",
        )
        bar = SearchField(ctx, QUERY, ctx.tr("search"), bg=t.card, height=40.0).replace(radius=6.0)
        chips = []
        for name in _KINDS:
            on = name == kind
            label = Text(ctx.tr(f"fav_{name}"), "bodyMedium", t.on_green if on else t.ink, max_lines=1)
            chips.append(
                Node(
                    "row",
                    (label,),
                    bg=t.green if on else t.card,
                    radius=15.0,
                    pad=(13.0, 5.0, 13.0, 5.0),
                    id=f"fav_kind_{name}",
                    desc=label.text,
                    selected=on,
                    on_tap=ctx.set_ui("kind", name),
                )
            )
        line = Node("list", chips, axis="h", gap=8.0, width=FILL, height=44.0, id="fav_kinds")
        head = Node(
            "col",
            (
                Node("box", (bar,), width=FILL, pad=(12.0, 4.0, 12.0, 8.0), hidden_from_tree=True),
                Row(line, width=FILL, pad=(12.0, 0.0, 12.0, 0.0), hidden_from_tree=True),
            ),
            width=FILL,
            hidden_from_tree=True,
        )
        listed = LazyList(
            rows,
            row=lambda row: self._row(ctx, row),
            id="favourite_list",
            empty=look.empty(ctx, "cube-outline", ctx.tr("no_favourites")),
        )
        body = Node("col", (head, listed.replace(weight=1.0)), width=FILL, hidden_from_tree=True)
        return look.page(ctx, body, top=look.top_bar(ctx, ctx.tr("favourites")))

    def _row(self, ctx: Context, row: store.Row) -> Node:
        t = look.tone(ctx)
        key = row["_id"]
        parts: list[Node] = []
        if row["kind"] == "image":
            parts.append(
                Node(
                    "picture", source=row["source"] or "photo/park", width=96.0, height=96.0, radius=4.0, id="fav_image"
                )
            )
        elif row["kind"] == "text":
            parts.append(Text(row["body"], "bodyLarge", t.ink, max_lines=4, id="fav_text"))
        else:
            icon = {"location": "map-marker", "file": "file-document", "voice": "microphone", "card": "account"}
            extra = (
                size_text(row["size"]) if row["kind"] == "file" else row["source"] if row["kind"] == "location" else ""
            )
            text = store.digest(ctx.phone, row)
            texts = [Text(text, "bodyLarge", t.ink, max_lines=2, id="fav_text")]
            if extra:
                texts.append(Text(extra, "bodySmall", t.faint, max_lines=1))
            parts.append(
                Node(
                    "row",
                    (
                        Icon(icon.get(row["kind"], "cube-outline"), 32.0, t.blue, hidden_from_tree=True),
                        Node("col", texts, weight=1.0, hidden_from_tree=True),
                    ),
                    gap=12.0,
                    width=FILL,
                    hidden_from_tree=True,
                )
            )
        foot = ctx.tr("fav_foot", author=row["author"], time=look.age(ctx, row["date"]))
        parts.append(Text(foot, "bodySmall", t.faint, max_lines=1, id="fav_author"))
        card = Node(
            "col",
            parts,
            gap=8.0,
            width=FILL,
            bg=t.card,
            radius=8.0,
            pad=(16.0, 14.0, 16.0, 12.0),
            id="favourite_item",
            on_tap=ctx.show("send" if ctx.args.get("chat") else "open", favourite=key),
            on_long_press=ctx.show("menu", favourite=key),
        )
        return Node("box", (card,), width=FILL, pad=(12.0, 4.0, 12.0, 4.0), hidden_from_tree=True)

    def _find(self, ctx: Context, key: int) -> store.Row:
        row = ctx.db.row("SELECT * FROM favourites WHERE _id = ?", key)
        return row or {"kind": "text", "body": "", "source": "", "author": "", "seconds": 0, "ref_id": 0, "size": 0}

    def overlay_open(self, ctx: Context, favourite: int) -> Node:
        """The whole of it."""
        row = self._find(ctx, favourite)
        body: str | Node = store.digest(ctx.phone, row)
        if row["kind"] == "image":
            picture = Node(
                "picture", source=row["source"] or "photo/park", width=262.0, height=262.0, radius=6.0, id="fav_full"
            )
            body = Node("row", (picture,), width=FILL, justify="center", hidden_from_tree=True)
        return overlays.dialog(ctx, row["author"], body, actions=((ctx.tr("ok"), ctx.dismiss),))

    def overlay_menu(self, ctx: Context, favourite: int) -> Node:
        """Sends or deletes it."""
        row = self._find(ctx, favourite)

        def copy() -> None:
            ctx.phone.set_clipboard(row["body"])
            ctx.toast(ctx.tr("copied"))

        entries = [("fav_send", ctx.tr("send_to_friend"), lambda: ctx.go("pick_chat", **self._as_args(ctx, row)))]
        if row["kind"] == "text":
            entries.append(("fav_copy", ctx.tr("copy"), copy))
        entries.append(("fav_delete", ctx.tr("delete"), lambda: ctx.open_overlay("delete", favourite=favourite)))
        return overlays.sheet(ctx, entries)

    def _as_args(self, ctx: Context, row: store.Row) -> dict[str, object]:
        """What the page that chooses a chat is opened with: the message while it is there, else its text."""
        if row.get("message_id") and store.message(ctx.phone, int(row["message_id"])) is not None:
            return {"messages": [int(row["message_id"])]}
        return {"text": row["body"] or store.digest(ctx.phone, row)}

    def overlay_delete(self, ctx: Context, favourite: int) -> Node:
        """Asks before it goes."""
        return overlays.ask(
            ctx, "", ctx.tr("delete_favourite_text"), ctx.tr("delete"), lambda: ctx.db.delete("favourites", favourite)
        )

    def overlay_send(self, ctx: Context, favourite: int) -> Node:
        """Asks before it is sent to the chat that asked for it."""
        row = self._find(ctx, favourite)
        key = look.number(ctx, "chat")
        chat = store.chat(ctx.phone, key)

        def act() -> None:
            kept = {name: row[name] for name in ("source", "ref_id", "size", "seconds")}
            store.send(ctx.phone, key, row["kind"], row["body"], **kept)
            ctx.finish({"sent": True})

        name = "" if chat is None else chat["title"]
        return overlays.ask(
            ctx, ctx.tr("send_to", name=name), store.digest(ctx.phone, row), ctx.tr("send"), act, danger=False
        )
