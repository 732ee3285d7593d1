"""Lists behind the contacts: requests, groups, tags, the blacklist."""

from __future__ import annotations

from mobile_gym.phone.apps.messenger import look, overlays, store
from mobile_gym.phone.apps.messenger.chat_list import group_face
from mobile_gym.phone.apps.messenger.contact import accept
from mobile_gym.phone.apps.messenger.contact_list import person_row
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import Node
from mobile_gym.phone.ui.widgets import Icon, LazyList, Text


class NewFriends(Screen):
    """Who asks to be added, and who was added."""

    name = "new_friends"
    activity = ".plugin.subapp.ui.friend.FMessageConversationUI"

    def build(self, ctx: Context) -> Node:
        """Requests, newest first."""
        t = look.tone(ctx)
        rows = ctx.db.rows("SELECT * FROM people WHERE request_date > 0 ORDER BY request_date DESC, _id DESC")

        def row(person: store.Row) -> Node:
            key = person["_id"]
            if person["status"] == "request":
                end = look.button(ctx, ctx.tr("accept_short"), lambda: accept(ctx, key), id="accept_button", small=True)
            else:
                end = Text(ctx.tr("added"), "bodyMedium", t.faint, max_lines=1, id="added_mark")
            return person_row(
                ctx,
                person,
                ctx.open("contact", contact=key),
                trailing=end,
                summary=person["request_text"],
                id="request_item",
                line=person is not rows[-1],
                on_long_press=ctx.show("request", contact=key),
            )

        listed = LazyList(
            rows, row=row, id="request_list", empty=look.empty(ctx, "account-plus", ctx.tr("no_requests"))
        )
        add = look.bar_button(ctx, "account-plus", ctx.tr("add_friend"), ctx.open("add_friend"), "add_friend")
        return look.page(ctx, listed, top=look.top_bar(ctx, ctx.tr("new_friends"), actions=(add,)))

    def overlay_request(self, ctx: Context, contact: int) -> Node:
        """Takes a request off the list."""
        row = store.person(ctx.phone, contact)

        def act() -> None:
            if row is not None and row["status"] == "request":
                ctx.db.update("contacts", contact, status="stranger")
            ctx.db.update("contacts", contact, request_date=0)

        return overlays.sheet(ctx, (("request_delete", ctx.tr("delete"), act),), "" if row is None else row["title"])


class Groups(Screen):
    """Groups that were saved to the contacts."""

    name = "groups"
    activity = ".ui.contact.ChatroomContactUI"

    def build(self, ctx: Context) -> Node:
        """The groups by name."""
        rows = ctx.db.rows("SELECT * FROM view_chats WHERE kind = 'group' AND saved = 1 ORDER BY _id")

        def row(chat: store.Row) -> Node:
            return look.row(
                ctx,
                ctx.tr("title_count", title=chat["title"], count=chat["member_count"]),
                id="group_item",
                leading=group_face(chat["title"], chat["avatar"], 40.0, hidden_from_tree=True),
                on_tap=ctx.open("chat", chat=chat["_id"]),
                arrow=False,
                line=chat is not rows[-1],
            )

        listed = LazyList(rows, row=row, id="group_list", empty=look.empty(ctx, "account-group", ctx.tr("no_groups")))
        return look.page(ctx, listed, top=look.top_bar(ctx, ctx.tr("group_chats")))


def all_tags(ctx: Context) -> dict[str, int]:
    """Every tag with the number of friends who have it, in the order of the friends."""
    found: dict[str, int] = {}
    for row in store.friends(ctx.phone):
        for tag in filter(None, (part.strip() for part in row["tags"].split(","))):
            found[tag] = found.get(tag, 0) + 1
    return found


class Tags(Screen):
    """The tags of friends."""

    name = "tags"
    activity = ".plugin.label.ui.ContactLabelManagerUI"

    def build(self, ctx: Context) -> Node:
        """Tags with how many have them."""
        t = look.tone(ctx)
        rows = [
            look.row(
                ctx,
                tag,
                id="tag_item",
                summary=ctx.tr("person_count", count=count),
                leading=Icon("tag-outline", 24.0, t.faint, hidden_from_tree=True),
                on_tap=ctx.open("tagged", tag=tag),
            )
            for tag, count in all_tags(ctx).items()
        ]
        listed = LazyList(look.cards(rows), id="tag_list", empty=look.empty(ctx, "tag-outline", ctx.tr("no_tags")))
        return look.page(ctx, listed, top=look.top_bar(ctx, ctx.tr("tags")))


class Tagged(Screen):
    """Friends with one tag. Argument: `tag`."""

    name = "tagged"
    activity = ".plugin.label.ui.ContactLabelMemberListUI"

    def build(self, ctx: Context) -> Node:
        """The friends."""
        tag = str(ctx.args.get("tag", ""))
        rows = [row for row in store.friends(ctx.phone) if tag in [part.strip() for part in row["tags"].split(",")]]
        listed = LazyList(
            rows,
            row=lambda row: person_row(ctx, row, ctx.open("contact", contact=row["_id"]), line=row is not rows[-1]),
            id="tagged_list",
            empty=look.empty(ctx, "tag-outline", ctx.tr("nobody")),
        )
        return look.page(ctx, listed, top=look.top_bar(ctx, tag))


class Blacklist(Screen):
    """Who is on the blacklist."""

    name = "blacklist"
    activity = ".plugin.setting.ui.setting.BlacklistUI"

    def build(self, ctx: Context) -> Node:
        """The people, each with the way off the list."""
        rows = ctx.db.rows("SELECT * FROM people WHERE blacklisted = 1 ORDER BY _id")

        def row(person: store.Row) -> Node:
            key = person["_id"]

            def free() -> None:
                ctx.db.update("contacts", key, blacklisted=0)

            end = look.button(ctx, ctx.tr("remove_short"), free, id="unblacklist_button", small=True, plain=True)
            line = person is not rows[-1]
            return person_row(
                ctx, person, ctx.open("contact", contact=key), trailing=end, id="blacklist_item", line=line
            )

        listed = LazyList(rows, row=row, id="blacklist_rows", empty=look.empty(ctx, "cancel", ctx.tr("no_blacklisted")))
        return look.page(ctx, listed, top=look.top_bar(ctx, ctx.tr("blacklist")))
