"""A new post of the moments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mobile_gym.phone.apps.messenger import look, overlays, store
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Icon, LazyList
from mobile_gym.phone.ui.widgets.fields import field

FIELD = "moment_field"
_MOST = 9
_SEES = ("public", "private", "some", "except")


class Post(Screen):
    """Writes a post: text, pictures, place, who sees it."""

    name = "post"
    activity = ".plugin.sns.ui.SnsUploadUI"

    def on_open(self, ctx: Context) -> None:
        """Empty, for everybody."""
        ctx.ui.update(pictures=[], location="", sees="public", people=[])
        ctx.focus(FIELD)

    def on_result(self, ctx: Context, result: Mapping[str, Any]) -> None:
        """A picture, a place or people were chosen."""
        if "picture" in result:
            ctx.ui["pictures"] = [*ctx.ui["pictures"], result["picture"]]
        elif "place" in result:
            ctx.ui["location"] = result["place"]
        elif "people" in result:
            ctx.ui["people"] = list(result["people"])

    def on_back(self, ctx: Context) -> bool:
        """Asks before something written is thrown away."""
        if ctx.field(FIELD).strip() or ctx.ui["pictures"]:
            ctx.focus(None)
            ctx.open_overlay("leave")
            return True
        return False

    def build(self, ctx: Context) -> Node:
        """Text, pictures, rows, button."""
        t = look.tone(ctx)
        pictures: list[str] = ctx.ui["pictures"]
        text = ctx.field(FIELD).strip()
        sees = str(ctx.ui["sees"])
        ready = bool(text or pictures) and (sees in ("public", "private") or bool(ctx.ui["people"]))

        def publish() -> None:
            ctx.focus(None)
            ctx.db.insert(
                "moments",
                author_id=store.ME,
                body=text,
                pictures="|".join(pictures),
                location=ctx.ui["location"],
                visibility=sees,
                people=",".join(str(key) for key in ctx.ui["people"]) if sees in ("some", "except") else "",
                date=ctx.now_ms,
            )
            ctx.finish({"done": True})
            ctx.toast(ctx.tr("posted"))

        box = field(
            ctx,
            FIELD,
            hint=ctx.tr("moment_hint"),
            multiline=True,
            max_lines=6,
            max_length=500,
            width=FILL,
            color=t.ink,
        )
        cells: list[Node] = [self._picture(ctx, place, source) for place, source in enumerate(pictures)]
        if len(pictures) < _MOST:
            cells.append(
                Node(
                    "box",
                    (Icon("plus", 36.0, t.faint, place="center-center", hidden_from_tree=True),),
                    width=92.0,
                    height=92.0,
                    bg=t.page if not ctx.phone.dark else t.press,
                    id="add_picture",
                    desc=ctx.tr("add_picture"),
                    on_tap=ctx.open("pick_picture"),
                )
            )
        lines = [
            Node("row", cells[start : start + 3], gap=6.0, hidden_from_tree=True) for start in range(0, len(cells), 3)
        ]
        area = Node("col", (box,), width=FILL, min_height=110.0, on_tap=lambda: ctx.focus(FIELD), hidden_from_tree=True)
        head = Node(
            "col",
            (area, Node("col", lines, gap=6.0, hidden_from_tree=True)),
            gap=16.0,
            width=FILL,
            bg=t.card,
            pad=(20.0, 16.0, 20.0, 24.0),
            hidden_from_tree=True,
        )
        value = ctx.tr(f"visible_{sees}")
        if sees in ("some", "except"):
            value = ctx.tr("visible_count", text=value, count=len(ctx.ui["people"]))
        rows = [
            head,
            look.row(
                ctx,
                ctx.tr("place"),
                id="moment_place",
                value=ctx.ui["location"],
                leading=Icon("map-marker", 22.0, t.ink, hidden_from_tree=True),
                on_tap=ctx.open("pick_place"),
            ),
            look.row(
                ctx,
                ctx.tr("who_sees"),
                id="moment_visibility",
                value=value,
                leading=Icon("account-outline", 22.0, t.ink, hidden_from_tree=True),
                on_tap=ctx.show("visibility"),
                line=False,
            ),
        ]
        action = look.bar_action(ctx, ctx.tr("publish"), publish, "publish", ready)
        return look.page(
            ctx, LazyList(rows, id="post_form"), top=look.action_bar(ctx, ctx.tr("new_moment"), action), bg=t.card
        )

    def _picture(self, ctx: Context, place: int, source: str) -> Node:
        def drop() -> None:
            ctx.ui["pictures"] = [other for number, other in enumerate(ctx.ui["pictures"]) if number != place]

        return Node(
            "picture",
            source=source,
            width=92.0,
            height=92.0,
            id="chosen_picture",
            desc=ctx.tr("remove_picture"),
            on_tap=drop,
        )

    def overlay_visibility(self, ctx: Context) -> Node:
        """Who sees the post."""

        def choose(name: str) -> None:
            ctx.ui["sees"] = name
            if name in ("some", "except"):
                ctx.go("pick_people", purpose="see", chosen=list(ctx.ui["people"]))

        def entry(name: str) -> tuple[str, str, Any]:
            return f"visible_{name}", ctx.tr(f"visible_{name}"), lambda: choose(name)

        return overlays.sheet(ctx, [entry(name) for name in _SEES], ctx.tr("who_sees"))

    def overlay_leave(self, ctx: Context) -> Node:
        """Asks before the post is thrown away."""
        return overlays.ask(ctx, "", ctx.tr("leave_post_text"), ctx.tr("leave_post"), ctx.finish)
