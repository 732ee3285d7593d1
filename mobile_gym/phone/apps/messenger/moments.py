"""Moments: the feed, with likes and comments."""

from __future__ import annotations

from typing import Any

from mobile_gym.phone.apps.messenger import look, overlays, store
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Icon, IconButton, LazyList, Text
from mobile_gym.phone.ui.widgets.fields import field

COMMENT = "comment_field"
LIST = "moment_list"
_FEED = """
SELECT m.*, p.title AS author, p.avatar FROM moments m JOIN people p ON p._id = m.author_id
WHERE (m.author_id = 1 OR (p.status = 'friend' AND p.blacklisted = 0 AND p.hide_their_moments = 0
    AND m.visibility <> 'private'))
ORDER BY m.date DESC, m._id DESC
"""


def cover(ctx: Context, person: store.Row, picture: str) -> Node:
    """The picture over a feed, with name and face at its foot."""
    name = Text(
        person["name"], "titleLarge", "#FFFFFF", text_weight=500, soft_shadow=True, max_lines=1, id="cover_name"
    )
    foot = Node(
        "row",
        (name, look.face(person["title"], person["avatar"], 72.0, id="cover_avatar")),
        gap=16.0,
        align="start",
        place="bottom-end",
        offset=(-14.0, 0.0),
        hidden_from_tree=True,
    )
    back = Node("picture", source=picture, width=FILL, height=260.0, hidden_from_tree=True)
    return Node(
        "col",
        (
            Node(
                "box",
                (Node("box", (back,), width=FILL, height=284.0, hidden_from_tree=True), foot),
                width=FILL,
                height=284.0,
                id="moments_cover",
            ),
            Node("space", height=20.0, hidden_from_tree=True),
        ),
        width=FILL,
        bg=look.tone(ctx).card,
        hidden_from_tree=True,
    )


def pictures(ctx: Context, sources: str) -> Node | None:
    """The pictures of a post: one large, else a grid of three across."""
    found = [source for source in sources.split("|") if source]
    if not found:
        return None
    if len(found) == 1:
        return _picture(ctx, found[0], 180.0)
    columns = 2 if len(found) in (2, 4) else 3
    cells = [_picture(ctx, source, 88.0) for source in found[:9]]
    rows = [
        Node("row", cells[start : start + columns], gap=4.0, hidden_from_tree=True)
        for start in range(0, len(cells), columns)
    ]
    return Node("col", rows, gap=4.0, hidden_from_tree=True)


def _picture(ctx: Context, source: str, size: float) -> Node:
    """A picture of a post; a tap shows it large."""
    return Node(
        "picture",
        source=source,
        width=size,
        height=size,
        id="moment_picture",
        desc=ctx.tr("picture"),
        on_tap=ctx.show("picture", source=source),
    )


class Moments(Screen):
    """The feed of friends."""

    name = "moments"
    activity = ".plugin.sns.ui.SnsTimeLineUI"

    def on_open(self, ctx: Context) -> None:
        """All of it counts as seen."""
        store.put_setting(ctx.phone, "moments_seen", str(ctx.now_ms))

    def on_back(self, ctx: Context) -> bool:
        """Back closes the comment bar first."""
        if ctx.ui.get("comment") is None:
            return False
        self._end(ctx)
        return True

    def _end(self, ctx: Context) -> None:
        """Closes the comment bar."""
        ctx.ui["comment"] = None
        ctx.focus(None)

    def build(self, ctx: Context) -> Node:
        """Cover, posts, the bar in which a comment is written."""
        t = look.tone(ctx)
        me = store.person(ctx.phone, store.ME)
        assert me is not None
        items: list[Any] = [cover(ctx, me, store.setting(ctx.phone, "cover")), *ctx.db.rows(_FEED)]
        listed = LazyList(items, row=lambda row: self._post(ctx, row), id=LIST, bottom_pad=24.0)
        camera = look.bar_button(ctx, "camera-outline", ctx.tr("post_moment"), ctx.open("post"), "post_moment")
        top = look.top_bar(ctx, ctx.tr("moments"), actions=(camera,))
        writing = ctx.ui.get("comment")
        bottom = None if writing is None else self._comment_bar(ctx, writing)
        return look.page(ctx, listed, top=top, bottom=bottom, bg=t.card)

    def _post(self, ctx: Context, row: store.Row) -> Node:
        t = look.tone(ctx)
        key = row["_id"]
        parts: list[Node] = [
            Text(
                row["author"],
                "titleMedium",
                t.blue,
                max_lines=1,
                id="moment_author",
                on_tap=ctx.open("contact", contact=row["author_id"]),
            )
        ]
        if row["body"]:
            parts.append(Text(row["body"], "bodyLarge", t.ink, id="moment_text"))
        grid = pictures(ctx, row["pictures"])
        if grid is not None:
            parts.append(grid)
        if row["location"]:
            parts.append(Text(row["location"], "bodySmall", t.blue, max_lines=1, id="moment_location"))
        foot: list[Node] = [Text(look.stamp(ctx, row["date"]), "bodySmall", t.faint, max_lines=1, id="moment_time")]
        if row["author_id"] == store.ME:
            if row["visibility"] != "public":
                icon = "lock-outline" if row["visibility"] == "private" else "account-multiple-outline"
                foot.append(
                    Icon(icon, 16.0, t.faint, id="visibility_icon", desc=ctx.tr(f"visible_{row['visibility']}"))
                )
            foot.append(
                Text(
                    ctx.tr("delete"),
                    "bodySmall",
                    t.blue,
                    id="moment_delete",
                    pad=(6.0, 4.0, 6.0, 4.0),
                    on_tap=ctx.show("delete", moment=key),
                )
            )
        liked = ctx.db.value("SELECT 1 FROM likes WHERE moment_id = ? AND contact_id = 1", key) is not None
        foot.append(Node("space", weight=1.0, hidden_from_tree=True))
        if ctx.ui.get("menu") == key:
            # The menu lies over what stands in the line.
            foot = [foot[-1], self._menu(ctx, key, liked)]
        dots = Node(
            "box",
            (Icon("dots-horizontal", 20.0, t.blue, place="center-center", hidden_from_tree=True),),
            width=36.0,
            height=26.0,
            radius=4.0,
            bg=t.page if not ctx.phone.dark else t.press,
            id="moment_more",
            desc=ctx.tr("like_or_comment"),
            cls="android.widget.ImageButton",
            on_tap=ctx.set_ui("menu", None if ctx.ui.get("menu") == key else key),
        )
        foot.append(dots)
        parts.append(Node("row", foot, gap=6.0, width=FILL, min_height=34.0, hidden_from_tree=True))
        talk = self._talk(ctx, key)
        if talk is not None:
            parts.append(talk)
        body = Node("col", parts, gap=6.0, weight=1.0, hidden_from_tree=True)
        face = look.face(row["author"], row["avatar"], 42.0, id="moment_avatar")
        face.on_tap = ctx.open("contact", contact=row["author_id"])
        post = Node(
            "row",
            (face, body),
            gap=12.0,
            width=FILL,
            align="start",
            pad=(14.0, 14.0, 14.0, 12.0),
            hidden_from_tree=True,
        )
        return Node("col", (post, look.hairline(ctx)), width=FILL, bg=t.card, id="moment_item")

    def _menu(self, ctx: Context, key: int, liked: bool) -> Node:
        t = look.tone(ctx)

        def like() -> None:
            ctx.ui["menu"] = None
            if liked:
                ctx.db.execute("DELETE FROM likes WHERE moment_id = ? AND contact_id = 1", key)
            else:
                ctx.db.insert("likes", moment_id=key, contact_id=store.ME, date=ctx.now_ms)

        def comment() -> None:
            self._begin(ctx, key, None)

        entries = (
            ("like_button", "heart" if liked else "heart-outline", ctx.tr("unlike" if liked else "like"), like),
            ("comment_button", "comment-outline", ctx.tr("comment"), comment),
        )
        cells = [
            Node(
                "row",
                (
                    Icon(icon, 17.0, "#FFFFFF", hidden_from_tree=True),
                    Text(label, "bodyMedium", "#FFFFFF", max_lines=1, id="title"),
                ),
                gap=5.0,
                min_height=34.0,
                pad=(10.0, 2.0, 12.0, 2.0),
                id=name,
                on_tap=act,
            )
            for name, icon, label, act in entries
        ]
        return Node("row", cells, bg=t.pop, radius=4.0, id="moment_menu")

    def _talk(self, ctx: Context, key: int) -> Node | None:
        """Likes and comments."""
        t = look.tone(ctx)
        likes = ctx.db.rows("SELECT contact FROM view_likes WHERE moment_id = ? ORDER BY date, _id", key)
        comments = ctx.db.rows("SELECT * FROM view_comments WHERE moment_id = ? ORDER BY date, _id", key)
        rows: list[Node] = []
        if likes:
            names = ctx.tr("list_comma").join(str(row["contact"]) for row in likes)
            rows.append(
                Node(
                    "row",
                    (
                        Icon("heart-outline", 16.0, t.blue, hidden_from_tree=True),
                        Text(names, "bodyMedium", t.blue, weight=1.0, id="moment_likes"),
                    ),
                    gap=6.0,
                    width=FILL,
                    align="start",
                    pad=(8.0, 5.0, 8.0, 5.0),
                    hidden_from_tree=True,
                )
            )
        if likes and comments:
            rows.append(look.hairline(ctx))
        for row in comments:
            who = str(row["author"])
            if row["reply_to"]:
                who = ctx.tr("replies", name=who, to=row["reply_to"])
            rows.append(
                Text(
                    ctx.tr("said", name=who, text=row["body"]),
                    "bodyMedium",
                    t.ink,
                    width=FILL,
                    pad=(8.0, 4.0, 8.0, 4.0),
                    id="moment_comment",
                    on_tap=self._on_comment(ctx, key, row),
                )
            )
        if not rows:
            return None
        ground = "#F4F4F6" if not ctx.phone.dark else t.press
        return Node("col", rows, width=FILL, bg=ground, radius=4.0, pad=(0.0, 2.0, 0.0, 2.0), id="moment_talk")

    def _on_comment(self, ctx: Context, key: int, row: store.Row) -> Any:
        if row["author_id"] == store.ME:
            return ctx.show("comment", comment=row["_id"])
        return lambda: self._begin(ctx, key, row["author_id"])

    def _begin(self, ctx: Context, key: int, to: int | None) -> None:
        ctx.ui.update(menu=None, comment=[key, to])
        ctx.set_field(COMMENT, "")
        ctx.focus(COMMENT)

    def _comment_bar(self, ctx: Context, writing: list[Any]) -> Node:
        t = look.tone(ctx)
        key, to = writing

        def send() -> None:
            text = ctx.field(COMMENT).strip()
            if not text:
                return
            ctx.db.insert("comments", moment_id=key, author_id=store.ME, reply_to_id=to, body=text, date=ctx.now_ms)
            self._end(ctx)

        hint = ctx.tr("comment") if to is None else ctx.tr("reply_to", name=store.title_of(ctx.phone, to))
        inner = field(ctx, COMMENT, hint=hint, action="send", on_submit=send, max_length=200, width=FILL, color=t.ink)
        able = bool(inner.text.strip())
        box = Node(
            "row",
            (inner,),
            weight=1.0,
            min_height=40.0,
            radius=5.0,
            bg=t.incoming,
            pad=(10.0, 6.0, 10.0, 6.0),
            hidden_from_tree=True,
        )
        close = IconButton("close", lambda: self._end(ctx), ctx.tr("close"), id="comment_close", size=40.0, color=t.ink)
        button = look.button(ctx, ctx.tr("send"), send, id="comment_send", small=True, enabled=able)
        return Node(
            "row",
            (close, box, button),
            gap=8.0,
            width=FILL,
            min_height=56.0,
            bg=t.bar,
            pad=(4.0, 7.0, 8.0, 7.0),
            id="comment_bar",
        )

    def overlay_picture(self, ctx: Context, source: str) -> Node:
        """A picture over the whole screen."""
        return overlays.picture_viewer(ctx, source)

    def overlay_delete(self, ctx: Context, moment: int) -> Node:
        """Asks before a post is deleted."""
        return overlays.ask(
            ctx, "", ctx.tr("delete_moment_text"), ctx.tr("delete"), lambda: ctx.db.delete("moments", moment)
        )

    def overlay_comment(self, ctx: Context, comment: int) -> Node:
        """What can be done with an own comment."""
        return overlays.sheet(
            ctx, (("comment_delete", ctx.tr("delete_comment"), lambda: ctx.db.delete("comments", comment)),)
        )
