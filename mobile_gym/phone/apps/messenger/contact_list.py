"""The list of contacts with its index letters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.apps.messenger import look, store
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import LazyList, Text

if TYPE_CHECKING:
    from mobile_gym.phone.system.app import Context

LIST = "contact_list"


def person_row(
    ctx: Context,
    row: store.Row,
    on_tap: Handler | None,
    *,
    trailing: Node | None = None,
    summary: str = "",
    **more: Any,
) -> Node:
    """A person: face and name."""
    return look.row(
        ctx,
        row["title"],
        id=more.pop("id", "contact_item"),
        summary=summary,
        leading=look.face(row["title"], row["avatar"], 40.0, hidden_from_tree=True),
        trailing=trailing,
        on_tap=on_tap,
        arrow=False,
        **more,
    )


def with_letters(people: Sequence[store.Row]) -> list[store.Row | str]:
    """People with the letter before the first of each; the starred ones once more on top, under `*`."""
    items: list[store.Row | str] = []
    starred = [row for row in people if row["starred"]]
    if starred:
        items += ["*", *starred]
    last = ""
    for row in people:
        letter = store.letter(row)
        if letter != last:
            items.append(letter)
            last = letter
        items.append(row)
    return items


def letter_row(ctx: Context, letter: str) -> Node:
    """The grey line with an index letter."""
    text = ctx.tr("starred_friends") if letter == "*" else letter
    return Text(text, "bodyMedium", look.tone(ctx).faint, width=FILL, pad=(16.0, 6.0, 16.0, 6.0), id="index_header")


def index_bar(ctx: Context, items: Sequence[Any], list_id: str) -> Node:
    """The letters at the right edge; a tap scrolls the list to theirs."""
    t = look.tone(ctx)

    def jump(place: int) -> Callable[[], None]:
        def act() -> None:
            ctx.record["scroll"][list_id] = [place, 0]

        return act

    marks = [(place, item) for place, item in enumerate(items) if isinstance(item, str)]
    cells = [
        Text(
            "\u2606" if letter == "*" else letter,
            "labelSmall",
            t.faint,
            text_align="center",
            width=28.0,
            pad=(0.0, 1.0, 0.0, 1.0),
            max_lines=1,
            id="index_letter",
            desc=ctx.tr("jump_to", letter=letter),
            on_tap=jump(place),
        )
        for place, letter in marks
    ]
    return Node("col", cells, place="center-end", align="center", id="index_bar")


def contact_list(ctx: Context) -> Node:
    """New friends, groups, tags, blacklisted ones left out, then everybody by letter."""
    requests = int(ctx.db.value("SELECT COUNT(*) FROM contacts WHERE status = 'request'") or 0)
    people = store.friends(ctx.phone)

    def entry(icon: str, color: str, key: str, screen: str, count: int = 0, line: bool = True) -> Node:
        picture = look.face("", f"icon/{icon}/{color}", 40.0, hidden_from_tree=True)
        return look.row(
            ctx,
            ctx.tr(key),
            id=f"entry_{screen}",
            leading=look.with_badge(picture, ctx, count),
            on_tap=ctx.open(screen),
            arrow=False,
            line=line,
        )

    items: list[Any] = [
        entry("account-plus", "#F08C2E", "new_friends", "new_friends", requests),
        entry("account-group", "#07A857", "group_chats", "groups"),
        entry("tag", "#3D83E6", "tags", "tags", line=False),
        *with_letters(people),
        Text(
            ctx.tr("friend_count", count=len(people)),
            "bodyMedium",
            look.tone(ctx).faint,
            width=FILL,
            text_align="center",
            pad=(16.0, 16.0, 16.0, 16.0),
            id="friend_count",
        ).replace(cls="android.widget.TextView"),
    ]

    def build(place: int) -> Node:
        item = items[place]
        if isinstance(item, Node):
            return item
        if isinstance(item, str):
            return letter_row(ctx, item)
        # Lines only stand between rows: a letter, and the count at the end, have none above them.
        between = isinstance(items[place + 1], dict)
        return person_row(ctx, item, ctx.open("contact", contact=item["_id"]), line=between)

    return Node(
        "box",
        (LazyList(list(range(len(items))), row=build, id=LIST), index_bar(ctx, items, LIST)),
        width=FILL,
        height=FILL,
        hidden_from_tree=True,
    )
