"""A person's page, what they may see, and finding people to add."""

from __future__ import annotations

from mobile_gym.phone.apps.contacts_provider.numbers import shown
from mobile_gym.phone.apps.messenger import look, overlays, store
from mobile_gym.phone.apps.messenger.contact_list import person_row
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Column, Icon, LazyList, SearchField, Text

QUERY = "friend_query"


class ContactPage(Screen):
    """A person. Argument: `contact`; the owner without."""

    name = "contact"
    activity = ".plugin.profile.ui.ContactInfoUI"

    def build(self, ctx: Context) -> Node:
        """Card, rows, what can be done."""
        t = look.tone(ctx)
        row = store.person(ctx.phone, look.number(ctx, "contact", store.ME))
        if row is None:
            gone = look.empty(ctx, "account-outline", ctx.tr("contact_gone"))
            return look.page(ctx, LazyList((), id="contact_rows", empty=gone), top=look.top_bar(ctx, ""))
        key, status = row["_id"], row["status"]
        friend = status == "friend"
        rows: list[Node] = [self._card(ctx, row)]
        if friend:
            rows.append(
                look.row(
                    ctx,
                    ctx.tr("edit_remark"),
                    id="edit_remark",
                    value=row["remark"],
                    on_tap=ctx.open("edit_text", what="remark", key=key),
                )
            )
            rows.append(
                look.row(
                    ctx,
                    ctx.tr("tags"),
                    id="edit_tags",
                    value=row["tags"].replace(",", " \u00b7 "),
                    on_tap=ctx.open("edit_text", what="tags", key=key),
                )
            )
            rows.append(
                look.row(
                    ctx,
                    ctx.tr("edit_note"),
                    id="edit_note_row",
                    value=row["note"],
                    on_tap=ctx.open("edit_text", what="note", key=key),
                )
            )
            rows.append(
                look.row(
                    ctx,
                    ctx.tr("permissions"),
                    id="permissions",
                    on_tap=ctx.open("permissions", contact=key),
                    line=False,
                )
            )
        rows.append(look.gap())
        if row["number"]:
            number = shown(row["number"], ctx.language)
            rows.append(
                look.row(ctx, ctx.tr("phone_number"), id="phone_number", value=number, on_tap=self._call(ctx, row))
            )
        if row["signature"]:
            rows.append(look.row(ctx, ctx.tr("signature"), id="signature", value=row["signature"]))
        if friend or status == "self":
            rows.append(
                look.row(
                    ctx, ctx.tr("moments"), id="contact_moments", on_tap=ctx.open("album", contact=key), line=False
                )
            )
        if status == "request":
            rows.append(
                look.row(ctx, ctx.tr("request_says"), id="request_text", summary=row["request_text"] or " ", line=False)
            )
        rows.append(look.gap())
        if friend:
            if not row["blacklisted"]:
                rows.append(self._button(ctx, "send_message", "chat-outline", lambda: self._chat(ctx, key)))
            else:
                rows.append(
                    Text(
                        ctx.tr("blacklisted_note"),
                        "bodyMedium",
                        t.faint,
                        text_align="center",
                        width=FILL,
                        pad=(24.0, 12.0, 24.0, 12.0),
                        id="blacklisted_note",
                    )
                )
        elif status == "request":
            rows.append(self._button(ctx, "accept", "check-bold", lambda: accept(ctx, key)))
        elif status == "stranger":
            if row["requested"]:
                rows.append(
                    look.row(ctx, ctx.tr("request_sent"), id="request_sent", center=True, color=t.faint, line=False)
                )
            else:
                rows.append(self._button(ctx, "add_to_contacts", "account-plus", ctx.show("request", contact=key)))
        actions = []
        if friend:
            actions.append(
                look.bar_button(
                    ctx, "dots-horizontal", ctx.tr("more_options"), ctx.show("more", contact=key), "contact_more"
                )
            )
        top = look.top_bar(ctx, "", actions=actions, bg=t.card)
        page = look.page(ctx, LazyList(look.cards(rows), id="contact_rows"), top=top)
        return look.edged(page, head=t.card)

    def _chat(self, ctx: Context, key: int) -> None:
        ctx.go("chat", chat=store.chat_with(ctx.phone, key))

    def _call(self, ctx: Context, row: store.Row) -> Handler:
        return lambda: ctx.open_overlay("call", number=row["number"], title=row["title"])

    def _button(self, ctx: Context, key: str, icon: str, act: Handler) -> Node:
        t = look.tone(ctx)
        return Node(
            "row",
            (
                Icon(icon, 22.0, t.blue, hidden_from_tree=True),
                Text(ctx.tr(key), "titleMedium", t.blue, max_lines=1, hidden_from_tree=True),
            ),
            gap=8.0,
            justify="center",
            width=FILL,
            min_height=56.0,
            bg=t.card,
            cls="android.widget.Button",
            id=key,
            text=ctx.tr(key),
            on_tap=act,
        )

    def _card(self, ctx: Context, row: store.Row) -> Node:
        t = look.tone(ctx)
        name: list[Node] = [
            Text(row["title"], "titleLarge", t.ink, text_weight=500, max_lines=2, id="contact_name", weight=0.0)
        ]
        if row["starred"]:
            name.append(Icon("star", 18.0, "#F0B429", id="star_mark", desc=ctx.tr("starred_friends")))
        lines = [Node("row", name, gap=6.0, hidden_from_tree=True)]
        if row["remark"]:
            lines.append(
                Text(ctx.tr("nickname_line", name=row["name"]), "bodyMedium", t.faint, max_lines=1, id="nickname")
            )
        if row["account"]:
            lines.append(
                Text(ctx.tr("account_line", account=row["account"]), "bodyMedium", t.faint, max_lines=1, id="account")
            )
        if row["region"]:
            lines.append(
                Text(ctx.tr("region_line", region=row["region"]), "bodyMedium", t.faint, max_lines=1, id="region")
            )
        body = Node("col", lines, gap=3.0, weight=1.0, hidden_from_tree=True)
        card = Node(
            "row",
            (look.face(row["title"], row["avatar"], 64.0, id="contact_avatar"), body),
            gap=18.0,
            width=FILL,
            align="start",
            pad=(20.0, 8.0, 16.0, 24.0),
            bg=t.card,
            id="contact_card",
        )
        return Node("col", (card, look.hairline_over(ctx, 16.0)), width=FILL, hidden_from_tree=True)

    def overlay_call(self, ctx: Context, number: str, title: str) -> Node:
        """Calls or copies a number."""

        def call() -> None:
            ctx.phone.place_call(number)

        def copy() -> None:
            ctx.phone.set_clipboard(number)
            ctx.toast(ctx.tr("copied"))

        entries = (("call_number", ctx.tr("call_number"), call), ("copy_number", ctx.tr("copy_number"), copy))
        return overlays.sheet(ctx, entries, f"{title} {shown(number, ctx.language)}")

    def overlay_more(self, ctx: Context, contact: int) -> Node:
        """Star, recommend, blacklist, delete."""
        row = store.person(ctx.phone, contact)
        assert row is not None

        def put(**values: int) -> None:
            ctx.db.update("contacts", contact, **values)

        black = bool(row["blacklisted"])
        return overlays.sheet(
            ctx,
            (
                ("menu_star", ctx.tr("unstar" if row["starred"] else "star"), lambda: put(starred=1 - row["starred"])),
                ("menu_recommend", ctx.tr("recommend_friend"), lambda: ctx.go("pick_chat", card=contact)),
                (
                    "menu_blacklist",
                    ctx.tr("unblacklist" if black else "blacklist_add"),
                    (lambda: put(blacklisted=0)) if black else (lambda: ctx.open_overlay("blacklist", contact=contact)),
                ),
                ("menu_delete", ctx.tr("delete_contact"), lambda: ctx.open_overlay("delete", contact=contact)),
            ),
            row["title"],
        )

    def overlay_blacklist(self, ctx: Context, contact: int) -> Node:
        """Asks before somebody is put on the blacklist."""

        def act() -> None:
            ctx.db.update("contacts", contact, blacklisted=1)

        return overlays.ask(ctx, ctx.tr("blacklist_add"), ctx.tr("blacklist_text"), ctx.tr("ok"), act)

    def overlay_delete(self, ctx: Context, contact: int) -> Node:
        """Asks before a contact goes, with the chat."""

        def act() -> None:
            chat = ctx.db.value("SELECT _id FROM chats WHERE contact_id = ?", contact)
            if chat is not None:
                store.leave_group(ctx.phone, int(chat))
            # Somebody who is in a group stays known there.
            if ctx.db.value("SELECT 1 FROM members WHERE contact_id = ?", contact) is None:
                ctx.db.delete("contacts", contact)
            else:
                ctx.db.update("contacts", contact, status="stranger", remark="", starred=0, tags="", requested=0)
            ctx.go("main", tab="contacts")

        name = store.title_of(ctx.phone, contact)
        return overlays.ask(
            ctx, ctx.tr("delete_contact"), ctx.tr("delete_contact_text", name=name), ctx.tr("delete_contact"), act
        )

    def overlay_request(self, ctx: Context, contact: int) -> Node:
        """Asks to be added, with a greeting."""

        def act() -> None:
            ctx.db.update("contacts", contact, requested=1)
            ctx.toast(ctx.tr("request_sent"))

        me = store.title_of(ctx.phone, store.ME)
        return overlays.ask(ctx, ctx.tr("add_to_contacts"), ctx.tr("i_am", name=me), ctx.tr("send"), act, danger=False)


def accept(ctx: Context, contact: int) -> None:
    """Accepts somebody's request, and opens the way to chat."""
    text = ctx.db.value("SELECT request_text FROM contacts WHERE _id = ?", contact)
    ctx.db.update("contacts", contact, status="friend")
    chat = store.chat_with(ctx.phone, contact)
    if text:
        ctx.db.insert("messages", chat_id=chat, sender_id=contact, body=text, date=ctx.now_ms, read=1, seen=1)
    store.tell(ctx.phone, chat, ctx.tr("now_friends", name=store.title_of(ctx.phone, contact)))
    ctx.toast(ctx.tr("added"))


class Permissions(Screen):
    """What a friend may see. Argument: `contact`."""

    name = "permissions"
    activity = ".plugin.profile.ui.PermissionSettingUI"

    def build(self, ctx: Context) -> Node:
        """Two switches."""
        key = look.number(ctx, "contact")
        row = store.person(ctx.phone, key)
        rows: list[Node] = []
        if row is not None:
            rows.append(look.section(ctx, ctx.tr("moments")))
            for column in ("hide_my_moments", "hide_their_moments"):

                def turn(on: bool, column: str = column) -> None:
                    ctx.db.update("contacts", key, **{column: int(on)})

                rows.append(look.switch_row(ctx, ctx.tr(column), bool(row[column]), turn, id=column))
        gone = look.empty(ctx, "account-outline", ctx.tr("contact_gone"))
        return look.page(
            ctx,
            LazyList(look.cards(rows), id="permission_rows", empty=gone),
            top=look.top_bar(ctx, ctx.tr("permissions")),
        )


class AddFriend(Screen):
    """Finds somebody by number or account."""

    name = "add_friend"
    activity = ".plugin.subapp.ui.pluginapp.AddMoreFriendsUI"

    def on_open(self, ctx: Context) -> None:
        """The cursor stands in the field."""
        ctx.set_field(QUERY, "")
        ctx.focus(QUERY)

    def build(self, ctx: Context) -> Node:
        """Field, then who was found."""
        t = look.tone(ctx)
        me = store.person(ctx.phone, store.ME)
        assert me is not None

        def find() -> None:
            ctx.ui["asked"] = ctx.field(QUERY).strip()
            ctx.focus(None)

        bar = SearchField(
            ctx,
            QUERY,
            ctx.tr("add_friend_hint"),
            bg=t.card,
            height=44.0,
            on_submit=find,
            on_change=lambda _: ctx.ui.pop("asked", None),
        ).replace(radius=6.0)
        rows: list[Node] = [Node("box", (bar,), width=FILL, pad=(12.0, 8.0, 12.0, 8.0), hidden_from_tree=True)]
        asked = ctx.ui.get("asked")
        typed = ctx.field(QUERY).strip()
        if asked:
            found = store.find_person(ctx.phone, asked)
            if found is None:
                rows.append(
                    Text(
                        ctx.tr("no_such_user"),
                        "bodyLarge",
                        t.faint,
                        text_align="center",
                        width=FILL,
                        bg=t.card,
                        pad=(16.0, 24.0, 16.0, 24.0),
                        id="no_such_user",
                    )
                )
            else:
                summary = ctx.tr("region_line", region=found["region"]) if found["region"] else ""
                rows.append(
                    person_row(
                        ctx, found, ctx.open("contact", contact=found["_id"]), summary=summary, id="found_person"
                    )
                )
        elif typed:
            icon = look.face("", "icon/magnify/#07A857", 40.0, hidden_from_tree=True)
            rows.append(
                look.row(
                    ctx, ctx.tr("search_for", text=typed), id="search_person", leading=icon, on_tap=find, line=False
                )
            )
        else:
            own = ctx.tr("my_account", account=me["account"])
            rows.append(
                Text(
                    own,
                    "bodyMedium",
                    t.faint,
                    text_align="center",
                    width=FILL,
                    pad=(16.0, 8.0, 16.0, 8.0),
                    id="own_account",
                )
            )
        return look.page(ctx, Column(*rows, width=FILL), top=look.top_bar(ctx, ctx.tr("add_friend")))
