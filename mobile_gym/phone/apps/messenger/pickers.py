"""Choosing: a chat to send to, people, a file, a picture, a place."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import Any

from mobile_gym.phone.apps.messenger import look, overlays, store
from mobile_gym.phone.apps.messenger.cards import size_text
from mobile_gym.phone.apps.messenger.chat_list import group_face
from mobile_gym.phone.apps.messenger.contact_list import letter_row, person_row, with_letters
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Icon, LazyList, SearchField

QUERY = "pick_query"
_SHARED = "/storage/emulated/0"
_FILE_FOLDERS = ("Download", "Documents", "Music", "Movies")
_PICTURE_FOLDERS = ("DCIM", "Pictures")
_PURPOSES = ("create_group", "add_members", "remove_members", "see", "card", "mention")


def _search(ctx: Context) -> Node:
    bar = SearchField(ctx, QUERY, ctx.tr("search"), bg=look.tone(ctx).card, height=40.0).replace(radius=6.0)
    return Node("box", (bar,), width=FILL, pad=(12.0, 4.0, 12.0, 8.0), hidden_from_tree=True)


class PickChat(Screen):
    """Chooses a chat and sends to it. Arguments: `messages` (ids), `text`, or `card` (a contact's id)."""

    name = "pick_chat"
    activity = ".ui.transmit.SelectConversationUI"

    def build(self, ctx: Context) -> Node:
        """Search, recent chats, then friends."""
        query = ctx.field(QUERY).strip()
        chats = ctx.db.rows(
            "SELECT v.*, p.avatar AS face FROM view_chats v LEFT JOIN people p ON p._id = v.contact_id"
            " WHERE v.hidden = 0 ORDER BY v.date DESC, v._id DESC"
        )
        items: list[Any] = [look.section(ctx, ctx.tr("recent_chats"))]
        items += [chat for chat in chats if query.lower() in str(chat["title"]).lower()]
        if query:
            known = {chat["contact_id"] for chat in chats}
            more = [row for row in store.friends(ctx.phone) if store.matches(row, query) and row["_id"] not in known]
            if more:
                items += [look.section(ctx, ctx.tr("tab_contacts")), *more]
        else:
            items += [look.section(ctx, ctx.tr("tab_contacts")), *store.friends(ctx.phone)]

        def row(item: store.Row) -> Node:
            if "kind" not in item:
                return person_row(ctx, item, ctx.show("send", contact=item["_id"]), id="pick_item")
            if item["kind"] == "group":
                face = group_face(item["title"], item["avatar"], 40.0, hidden_from_tree=True)
            else:
                face = look.face(item["title"] or "", item["face"] or "", 40.0, hidden_from_tree=True)
            return look.row(
                ctx,
                item["title"] or "",
                id="pick_item",
                leading=face,
                on_tap=ctx.show("send", chat=item["_id"]),
                arrow=False,
            )

        body = Node(
            "col",
            (_search(ctx), LazyList(items, row=row, id="pick_list").replace(weight=1.0)),
            width=FILL,
            hidden_from_tree=True,
        )
        return look.page(ctx, body, top=look.top_bar(ctx, ctx.tr("pick_chat")))

    def overlay_send(self, ctx: Context, chat: int = 0, contact: int = 0) -> Node:
        """Shows what goes to whom."""
        row = store.chat(ctx.phone, chat) if chat else store.person(ctx.phone, contact)
        name = "" if row is None else str(row["title"])
        given = ctx.args.get("messages", ())
        messages: list[int] = list(given) if isinstance(given, list) else []
        if messages:
            first = store.message(ctx.phone, messages[0])
            text = "" if first is None else store.digest(ctx.phone, first)
            if len(messages) > 1:
                text = ctx.tr("and_more", text=text, count=len(messages))
        elif "card" in ctx.args:
            text = ctx.tr("digest_card", body=store.title_of(ctx.phone, look.number(ctx, "card")))
        else:
            text = str(ctx.args.get("text", ""))

        def act() -> None:
            key = chat or store.chat_with(ctx.phone, contact)
            if messages:
                store.forward(ctx.phone, messages, key)
            elif "card" in ctx.args:
                person = look.number(ctx, "card")
                store.send(ctx.phone, key, "card", store.title_of(ctx.phone, person), ref_id=person)
            elif text:
                store.send_text(ctx.phone, key, text)
            if "text" in ctx.args:
                # A text from another app: the chat shows it.
                ctx.finish()
                ctx.go("chat", chat=key)
            else:
                ctx.finish({"sent": True})
                ctx.toast(ctx.tr("sent"))

        return overlays.ask(ctx, ctx.tr("send_to", name=name), text or " ", ctx.tr("send"), act, danger=False)


class PickPeople(Screen):
    """Chooses people. Arguments: `purpose` and, for some, `chat`.

    Purposes: create_group, add_members, remove_members, see (moments) choose several and finish with `people`; card and
    mention choose one.
    """

    name = "pick_people"
    activity = ".ui.contact.SelectContactUI"

    def on_open(self, ctx: Context) -> None:
        """Nobody is chosen yet, or who was before."""
        chosen = ctx.args.get("chosen", ())
        ctx.ui["chosen"] = list(chosen) if isinstance(chosen, list) else []
        if ctx.args.get("purpose") not in _PURPOSES:
            ctx.args["purpose"] = "create_group"

    def _people(self, ctx: Context, purpose: str) -> Sequence[store.Row]:
        key = look.number(ctx, "chat")
        if purpose in ("remove_members", "mention"):
            return [row for row in store.members(ctx.phone, key) if row["_id"] != store.ME]
        found = store.friends(ctx.phone)
        if purpose == "add_members":
            chat = store.chat(ctx.phone, key)
            inside = {row["_id"] for row in store.members(ctx.phone, key)}
            if chat is not None and chat["contact_id"]:
                inside.add(chat["contact_id"])
            found = [row for row in found if row["_id"] not in inside]
        return found

    def build(self, ctx: Context) -> Node:
        """Search and the list."""
        purpose = str(ctx.args["purpose"])
        several = purpose not in ("card", "mention")
        query = ctx.field(QUERY).strip()
        chosen: list[int] = ctx.ui["chosen"]
        people = self._people(ctx, purpose)
        if query:
            people = [row for row in people if store.matches(row, query)]
        items: list[Any] = list(people) if query or purpose in ("mention", "remove_members") else with_letters(people)

        def take(row: store.Row) -> None:
            key = row["_id"]
            if purpose == "mention":
                ctx.finish({"mention": row.get("shown") or row["title"]})
            elif not several:
                ctx.finish({"card": [key]})
            else:
                ctx.ui["chosen"] = [other for other in chosen if other != key] if key in chosen else [*chosen, key]

        def build(item: Any) -> Node:
            if isinstance(item, str):
                return letter_row(ctx, item)
            on = item["_id"] in chosen
            end = look.mark(ctx, on, item["title"]) if several else None
            return person_row(ctx, item, lambda: take(item), trailing=end, id="pick_item", selected=on)

        if purpose == "mention" and not query:
            everyone = look.row(
                ctx,
                ctx.tr("everybody"),
                id="pick_everybody",
                leading=look.face("", "icon/account-group/#07A857", 40.0, hidden_from_tree=True),
                on_tap=lambda: ctx.finish({"mention": ctx.tr("everybody")}),
                arrow=False,
            )
            items.insert(0, everyone)
        empty = look.empty(ctx, "account-outline", ctx.tr("nobody"))
        listed = LazyList(items, row=build, id="pick_list", empty=empty)
        body = Node("col", (_search(ctx), listed.replace(weight=1.0)), width=FILL, hidden_from_tree=True)
        title = ctx.tr(f"pick_{purpose}")
        if not several:
            return look.page(ctx, body, top=look.top_bar(ctx, title))
        label = ctx.tr("done") if not chosen else ctx.tr("done_count", count=len(chosen))
        if purpose == "remove_members" and chosen:
            label = ctx.tr("delete_count", count=len(chosen))
        finish = look.bar_action(
            ctx, label, lambda: ctx.finish({"people": sorted(chosen), "purpose": purpose}), "pick_done", bool(chosen)
        )
        return look.page(ctx, body, top=look.action_bar(ctx, title, finish))


def _files(ctx: Context, folders: Sequence[str], endings: tuple[str, ...] = ()) -> list[tuple[str, int, int]]:
    """Path, size and time of the files below folders of the shared storage, newest first."""
    found = []
    files = ctx.phone.state.files
    for folder in folders:
        root = f"{_SHARED}/{folder}"
        if files.is_dir(root):
            for path, entry in files.walk(root):
                if not entry.is_dir and (not endings or path.lower().endswith(endings)):
                    found.append((path, len(entry.data), entry.mtime_ms))
    return sorted(found, key=lambda file: (-file[2], file[0]))


class PickFile(Screen):
    """Chooses a file of the phone."""

    name = "pick_file"
    activity = ".pluginsdk.ui.tools.FileSelectorUI"

    def build(self, ctx: Context) -> Node:
        """Files of the shared storage."""
        t = look.tone(ctx)

        def row(file: tuple[str, int, int]) -> Node:
            path, size, ms = file
            name = posixpath.basename(path)
            return look.row(
                ctx,
                name,
                id="file_item",
                summary=f"{size_text(size)} \u00b7 {look.age(ctx, ms)}",
                leading=Icon("file-document", 36.0, t.blue, hidden_from_tree=True),
                on_tap=lambda: ctx.finish({"file": path, "name": name, "size": size}),
                arrow=False,
                line=file is not found[-1],
            )

        found = _files(ctx, _FILE_FOLDERS)
        empty = look.empty(ctx, "folder-outline", ctx.tr("no_files"))
        return look.page(
            ctx, LazyList(found, row=row, id="file_list", empty=empty), top=look.top_bar(ctx, ctx.tr("plus_file"))
        )


class PickPicture(Screen):
    """Chooses a picture of the phone."""

    name = "pick_picture"
    activity = ".plugin.gallery.ui.AlbumPreviewUI"

    def build(self, ctx: Context) -> Node:
        """Pictures, three in a row."""
        found = _files(ctx, _PICTURE_FOLDERS, (".png", ".jpg", ".jpeg"))

        def row(start: int) -> Node:
            cells: list[Node] = []
            for path, _, _ in found[start : start + 3]:
                cells.append(self._cell(ctx, path))
            while len(cells) < 3:
                cells.append(Node("space", weight=1.0, hidden_from_tree=True))
            return Node("row", cells, gap=3.0, width=FILL, pad=(0.0, 0.0, 0.0, 3.0), hidden_from_tree=True)

        empty = look.empty(ctx, "image-outline", ctx.tr("no_pictures"))
        listed = LazyList(list(range(0, len(found), 3)), row=row, id="picture_list", empty=empty)
        return look.page(ctx, listed, top=look.top_bar(ctx, ctx.tr("plus_photo")))

    def _cell(self, ctx: Context, path: str) -> Node:
        def take() -> None:
            ctx.finish({"picture": f"file{path}"})

        return Node(
            "picture",
            source=f"file{path}",
            weight=1.0,
            height=130.0,
            id="picture_item",
            desc=posixpath.basename(path),
            on_tap=take,
        )


class PickPlace(Screen):
    """Chooses a place."""

    name = "pick_place"
    activity = ".plugin.location.ui.SendLocationUI"

    def build(self, ctx: Context) -> Node:
        """A map, and the places around."""
        t = look.tone(ctx)
        places = [tuple(line.split(" @ ")) for line in ctx.tr("places").split("|")]

        def row(place: Sequence[str]) -> Node:
            name, address = place
            return look.row(
                ctx,
                name,
                id="place_item",
                summary=address,
                leading=Icon("map-marker", 24.0, t.green, hidden_from_tree=True),
                on_tap=lambda: ctx.finish({"place": name, "address": address}),
                arrow=False,
                line=place is not places[-1],
            )

        picture = Node("picture", source=f"map/{places[0][0]}", width=FILL, height=220.0, hidden_from_tree=True)
        pin = Icon("map-marker", 40.0, t.red, place="center-center", hidden_from_tree=True)
        head = Node("box", (picture, pin), width=FILL, height=220.0, id="map")
        listed = LazyList(places, row=row, id="place_list")
        body = Node("col", (head, listed.replace(weight=1.0)), width=FILL, hidden_from_tree=True)
        return look.page(ctx, body, top=look.top_bar(ctx, ctx.tr("plus_location")))
