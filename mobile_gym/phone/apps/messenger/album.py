"""One person's moments."""

from __future__ import annotations

from typing import Any

from mobile_gym.phone.apps.messenger import look, overlays, store
from mobile_gym.phone.apps.messenger.moments import cover, pictures
from mobile_gym.phone.system import formats
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Icon, LazyList, Text


class Album(Screen):
    """The posts of a person by day. Argument: `contact`; the owner without."""

    name = "album"
    activity = ".plugin.sns.ui.SnsUserUI"

    def build(self, ctx: Context) -> Node:
        """Cover, then the posts."""
        key = look.number(ctx, "contact", store.ME)
        person = store.person(ctx.phone, key)
        top = look.top_bar(ctx, ctx.tr("my_moments") if key == store.ME else "", actions=self._actions(ctx, key))
        if person is None:
            gone = look.empty(ctx, "account-outline", ctx.tr("contact_gone"))
            return look.page(ctx, LazyList((), id="album_list", empty=gone), top=top)
        rows = ctx.db.rows(
            "SELECT * FROM moments WHERE author_id = ? AND (visibility <> 'private' OR author_id = 1)"
            " ORDER BY date DESC, _id DESC",
            key,
        )
        picture = store.setting(ctx.phone, "cover") if key == store.ME else f"photo/landscape {key}"
        items: list[Any] = [cover(ctx, person, picture), *rows]
        if not rows:
            t = look.tone(ctx)
            text = Text(
                ctx.tr("no_moments"),
                "bodyMedium",
                t.faint,
                text_align="center",
                width=FILL,
                pad=(16.0, 32.0, 16.0, 32.0),
                id="empty",
            )
            items.append(text)
        listed = LazyList(items, row=lambda row: self._post(ctx, row), id="album_list", bottom_pad=24.0)
        return look.page(ctx, listed, top=top, bg=look.tone(ctx).card)

    def _actions(self, ctx: Context, key: int) -> tuple[Node, ...]:
        if key != store.ME:
            return ()
        return (look.bar_button(ctx, "camera-outline", ctx.tr("post_moment"), ctx.open("post"), "post_moment"),)

    def _post(self, ctx: Context, row: store.Row) -> Node:
        t = look.tone(ctx)
        day = formats.month_day(look.at(ctx, row["date"]), ctx.language)
        parts = [Text(row["body"], "bodyLarge", t.ink, id="album_text")] if row["body"] else []
        grid = pictures(ctx, row["pictures"])
        if grid is not None:
            parts.append(grid)
        counts = ctx.db.row(
            "SELECT (SELECT COUNT(*) FROM likes WHERE moment_id = ?) AS likes,"
            " (SELECT COUNT(*) FROM comments WHERE moment_id = ?) AS comments",
            row["_id"],
            row["_id"],
        )
        assert counts is not None
        foot: list[Node] = [
            Text(look.clock(ctx, row["date"]), "bodySmall", t.faint, max_lines=1, id="album_time"),
            Icon("heart-outline", 15.0, t.faint, hidden_from_tree=True),
            Text(str(counts["likes"]), "bodySmall", t.faint, id="album_likes"),
            Icon("comment-outline", 15.0, t.faint, hidden_from_tree=True),
            Text(str(counts["comments"]), "bodySmall", t.faint, id="album_comments"),
        ]
        if row["author_id"] == store.ME:
            if row["visibility"] != "public":
                foot.append(
                    Text(ctx.tr(f"visible_{row['visibility']}"), "bodySmall", t.faint, max_lines=1, id="album_visible")
                )
            foot.append(
                Text(
                    ctx.tr("delete"),
                    "bodySmall",
                    t.blue,
                    id="moment_delete",
                    pad=(6.0, 4.0, 6.0, 4.0),
                    on_tap=ctx.show("delete", moment=row["_id"]),
                )
            )
        parts.append(Node("row", foot, gap=6.0, min_height=30.0, hidden_from_tree=True))
        body = Node("col", parts, gap=6.0, weight=1.0, hidden_from_tree=True)
        date = Text(day, "titleMedium", t.ink, width=84.0, id="album_day")
        return Node(
            "row", (date, body), gap=8.0, width=FILL, align="start", pad=(14.0, 12.0, 14.0, 12.0), id="album_item"
        )

    def overlay_picture(self, ctx: Context, source: str) -> Node:
        """A picture over the whole screen."""
        return overlays.picture_viewer(ctx, source)

    def overlay_delete(self, ctx: Context, moment: int) -> Node:
        """Asks before a post is deleted."""
        return overlays.ask(
            ctx, "", ctx.tr("delete_moment_text"), ctx.tr("delete"), lambda: ctx.db.delete("moments", moment)
        )
