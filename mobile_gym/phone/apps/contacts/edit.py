"""The form that makes and changes a contact."""

from __future__ import annotations

from typing import Any

from mobile_gym.phone.apps.contacts import look, store
from mobile_gym.phone.apps.contacts.store import Contact, Item
from mobile_gym.phone.apps.contacts_provider.faces import contact_face
from mobile_gym.phone.apps.contacts_provider.people import ADDRESS, EMAIL, NUMBER
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.system.forms import asking_text, leaving
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import (
    Button,
    Checkbox,
    Column,
    Dialog,
    Icon,
    IconButton,
    LazyList,
    ListRow,
    Menu,
    MenuItem,
    Scaffold,
    Sheet,
    Text,
    TextButton,
    TextField,
    TopBar,
)
from mobile_gym.phone.ui.widgets.date_picker import DatePicker
from mobile_gym.phone.ui.widgets.fitting import growth

KINDS = {"phone": NUMBER, "email": EMAIL, "address": ADDRESS}
_ICONS = {"phone": "phone-outline", "email": "email-outline", "address": "map-marker-outline"}
_INPUT = {"phone": "phone", "email": "email", "address": "text"}
_DEFAULT_TYPE = {"phone": 2, "email": 1, "address": 1}
_TEXTS = ("name", "company", "title", "note")


def asking(ctx: Context, name: str, **args: Any) -> Handler:
    """A handler that opens a dialog over the form; the field that had the focus loses it, and the keyboard goes."""

    def handle() -> None:
        ctx.focus(None)
        ctx.open_overlay(name, **args)

    return handle


class Edit(Screen):
    """A new contact, or an old one. Arguments: `id`; for a new one `name`, `phone`, `email`, `company`, `note`."""

    name = "edit"
    activity = ".activities.ContactEditorActivity"

    def on_open(self, ctx: Context) -> None:
        """Fills the form."""
        key = ctx.args.get("id")
        old = store.contact(ctx.phone, int(key)) if key else None
        if old is None:
            ctx.args["id"] = None
            given = {name: str(ctx.args.get(name) or "") for name in ("name", "phone", "email", "company", "note")}
            old = Contact(
                given["name"],
                phones=(Item(given["phone"], 2),),
                emails=(Item(given["email"], 1),) if given["email"] else (),
                company=given["company"],
                note=given["note"],
            )
        ctx.ui.update(next=0, birthday=old.birthday, groups=list(old.groups), errors={})
        for kind, items in (("phone", old.phones), ("email", old.emails), ("address", old.addresses)):
            ctx.ui[kind] = []
            for item in items:
                self._add(ctx, kind, item)
        for name in _TEXTS:
            ctx.set_field(name, getattr(old, name))
        before = self._draft(ctx)
        ctx.ui["before"] = repr(Contact("") if ctx.args["id"] is None else before)
        if ctx.args["id"] is None and not old.name:
            ctx.focus("name")

    # ---- what the form holds

    def _add(self, ctx: Context, kind: str, item: Item) -> str:
        key = int(ctx.ui["next"])
        ctx.ui["next"] = key + 1
        ctx.ui[kind].append({"key": key, "type": item.type, "label": item.label})
        ctx.set_field(f"{kind}_{key}", item.value)
        return f"{kind}_{key}"

    def _items(self, ctx: Context, kind: str) -> tuple[Item, ...]:
        found = [
            Item(ctx.field(f"{kind}_{row['key']}").strip(), int(row["type"]), str(row["label"])) for row in ctx.ui[kind]
        ]
        return tuple(item for item in found if item.value)

    def _draft(self, ctx: Context) -> Contact:
        return Contact(
            name=ctx.field("name").strip(),
            phones=self._items(ctx, "phone"),
            emails=self._items(ctx, "email"),
            addresses=self._items(ctx, "address"),
            company=ctx.field("company").strip(),
            title=ctx.field("title").strip(),
            birthday=str(ctx.ui["birthday"]),
            note=ctx.field("note").strip(),
            groups=tuple(int(group) for group in ctx.ui["groups"]),
        )

    def _errors(self, ctx: Context, draft: Contact) -> dict[str, str]:
        errors: dict[str, str] = {}
        if not draft.name and not draft.phones:
            errors["name"] = "nothing_entered"
        for row in ctx.ui["phone"]:
            name = f"phone_{row['key']}"
            number = ctx.field(name).strip()
            if number and not any(char.isdigit() for char in number):
                errors[name] = "bad_phone"
        for row in ctx.ui["email"]:
            name = f"email_{row['key']}"
            address = ctx.field(name).strip()
            user, at, host = address.partition("@")
            if address and not (user and at and "." in host.strip(".") and " " not in address):
                errors[name] = "bad_email"
        born = look.parse_date(draft.birthday)
        if born is not None and born > ctx.now.date():
            errors["birthday"] = "birthday_future"
        return errors

    def _save(self, ctx: Context) -> None:
        draft = self._draft(ctx)
        errors = self._errors(ctx, draft)
        ctx.ui["errors"] = errors
        if errors:
            first = next(iter(errors))
            if first != "birthday":
                ctx.focus(first)
            return
        was = ctx.args["id"]
        key = store.save(ctx.phone, None if was is None else int(was), draft)
        ctx.toast(ctx.tr("saved"))
        ctx.finish({"saved": key})
        if was is None and ctx.args.get("show", True):
            ctx.phone.activities.open_screen(store.PACKAGE, "contact", {"id": key})

    def on_back(self, ctx: Context) -> bool:
        """Asks before what was typed is lost."""
        if repr(self._draft(ctx)) == ctx.ui["before"]:
            return False
        ctx.focus(None)
        ctx.open_overlay("discard")
        return True

    # ---- the form

    def build(self, ctx: Context) -> Node:
        """The fields."""
        new = ctx.args["id"] is None
        photo = "" if new else (store.contact(ctx.phone, int(ctx.args["id"])) or Contact("")).photo
        face = contact_face(ctx.field("name"), photo, 96.0, id="photo")
        items = [
            Node("box", (face.replace(place="center-center"),), width=FILL, height=120.0, hidden_from_tree=True),
            self._text(ctx, "name", "account-outline", "next"),
            self._text(ctx, "company", "domain", "next"),
            self._text(ctx, "title", "briefcase-outline", "next"),
        ]
        for kind in KINDS:
            items += [self._line(ctx, kind, row, place) for place, row in enumerate(ctx.ui[kind])]
            items.append(self._adder(ctx, kind))
        items += [self._birthday(ctx), self._groups(ctx), self._text(ctx, "note", "note-text-outline", "done")]
        save = Button(ctx.tr("save"), lambda: self._save(ctx), id="editor_menu_save_button")
        top = TopBar(ctx, ctx.tr("new_contact" if new else "edit_contact"), actions=[save])
        close = IconButton("close", ctx.back(), ctx.tr("cancel"), id="close", color="onSurface")
        top = top.replace(children=(close, *top.children[1:]), pad=(4.0, 0.0, 12.0, 0.0))
        return Scaffold(LazyList(items, id="editor", gap=12.0, bottom_pad=24.0), top=top)

    def _edited(self, ctx: Context, name: str) -> Any:
        def handle(text: str) -> None:
            errors = ctx.ui["errors"]
            ctx.ui["errors"] = {one: key for one, key in errors.items() if one not in (name, "name")}

        return handle

    def _field(self, ctx: Context, name: str, label: str, **options: Any) -> Node:
        error = ctx.ui["errors"].get(name, "")
        field = TextField(
            ctx,
            name,
            label,
            error=ctx.tr(error) if error else "",
            on_change=self._edited(ctx, name),
            **options,
        )
        return field.replace(weight=1.0)

    def _with_icon(self, icon: str, *parts: Node) -> Node:
        mark = Icon(icon, 24.0) if icon else Node("space", width=24.0, height=24.0, hidden_from_tree=True)
        return Node("row", (mark, *parts), gap=12.0, width=FILL, pad=(16.0, 0.0, 16.0, 0.0))

    def _text(self, ctx: Context, name: str, icon: str, action: str) -> Node:
        order = [*_TEXTS[:3], *(f"phone_{row['key']}" for row in ctx.ui["phone"])]
        following = order[order.index(name) + 1] if name in order[:-1] else None
        options: dict[str, Any] = {"multiline": True} if name == "note" else {}
        if name != "note":
            options["on_submit"] = lambda: ctx.focus(following)
        return self._with_icon(icon, self._field(ctx, name, ctx.tr(name), action=action, **options))

    def _line(self, ctx: Context, kind: str, row: dict[str, Any], place: int) -> Node:
        name = f"{kind}_{row['key']}"
        item = Item("", int(row["type"]), str(row["label"]))
        label = look.type_label(ctx, KINDS[kind], item)

        def remove() -> None:
            ctx.focus(None)
            ctx.ui[kind] = [one for one in ctx.ui[kind] if one["key"] != row["key"]]

        room = 64.0 * min(growth(ctx, 14.0), 1.3)  # the usual types whole; the rest of the width is the field's
        kinds = Node(
            "row",
            (
                Text(label, "labelLarge", "onSurfaceVariant", max_lines=1, max_width=room),
                Icon("menu-down", 20.0, hidden_from_tree=True),
            ),
            min_height=48.0,
            min_width=64.0,
            justify="end",
            id=f"{name}_type",
            desc=ctx.tr("type_of", what=ctx.tr(kind), type=label),
            on_tap=asking(ctx, "types", kind=kind, key=row["key"]),
            cls="android.widget.Spinner",
        )
        cross = IconButton("close", remove, ctx.tr(f"remove_{kind}"), id=f"{name}_delete", size=40.0)
        field = self._field(
            ctx, name, ctx.tr(kind), input_type=_INPUT[kind], action="done", on_submit=lambda: ctx.focus(None)
        )
        pair = Node("row", (kinds, cross), gap=4.0, hidden_from_tree=True)
        icon = _ICONS[kind] if place == 0 else ""
        return self._with_icon(icon, field, pair).replace(pad=(16.0, 0.0, 8.0, 0.0))

    def _adder(self, ctx: Context, kind: str) -> Node:
        def add() -> None:
            ctx.focus(self._add(ctx, kind, Item("", _DEFAULT_TYPE[kind])))

        icon = "" if ctx.ui[kind] else _ICONS[kind]
        return self._with_icon(icon, TextButton(ctx.tr(f"add_{kind}"), add, id=f"add_{kind}")).replace(gap=4.0)

    def _birthday(self, ctx: Context) -> Node:
        text = str(ctx.ui["birthday"])
        if not text:
            button = TextButton(ctx.tr("add_birthday"), asking(ctx, "birthday"), id="add_birthday")
            return self._with_icon("cake-variant-outline", button).replace(gap=4.0)
        error = ctx.ui["errors"].get("birthday", "")
        texts = [
            Text(ctx.tr("birthday"), "bodySmall", "onSurfaceVariant"),
            Text(look.birthday_text(ctx, text), "bodyLarge", id="birthday_text"),
        ]
        if error:
            texts.append(Text(ctx.tr(error), "bodySmall", "error", id="birthday_note"))
        box = Column(
            *texts,
            weight=1.0,
            min_height=56.0,
            pad=(16.0, 8.0, 16.0, 8.0),
            bg="surfaceContainerHighest",
            radius=4.0,
            on_tap=asking(ctx, "birthday"),
            id="birthday",
        )

        def remove() -> None:
            ctx.ui["birthday"] = ""
            ctx.ui["errors"] = {one: key for one, key in ctx.ui["errors"].items() if one != "birthday"}

        cross = IconButton("close", remove, ctx.tr("remove_birthday"), id="birthday_delete", size=40.0)
        return self._with_icon("cake-variant-outline", box, cross).replace(pad=(16.0, 0.0, 8.0, 0.0))

    def _groups(self, ctx: Context) -> Node:
        titles = {int(row["_id"]): str(row["title"]) for row in store.groups(ctx.phone)}
        names = [titles[group] for group in ctx.ui["groups"] if group in titles]
        if not names:
            button = TextButton(ctx.tr("add_to_groups"), asking(ctx, "groups"), id="add_groups")
            return self._with_icon("account-group-outline", button).replace(gap=4.0)
        box = Column(
            Text(ctx.tr("groups"), "bodySmall", "onSurfaceVariant"),
            Text(("\u3001" if ctx.language == "zh" else ", ").join(names), "bodyLarge", id="groups_text"),
            weight=1.0,
            min_height=56.0,
            pad=(16.0, 8.0, 16.0, 8.0),
            bg="surfaceContainerHighest",
            radius=4.0,
            on_tap=asking(ctx, "groups"),
            id="groups",
        )
        return self._with_icon("account-group-outline", box)

    # ---- overlays

    def _row(self, ctx: Context, kind: str, key: int) -> dict[str, Any]:
        found: dict[str, Any] = next(row for row in ctx.ui[kind] if row["key"] == key)
        return found

    def overlay_types(self, ctx: Context, kind: str, key: int) -> Node:
        """The types a number or address may have."""

        def take(number: int) -> Handler:
            def handle() -> None:
                ctx.dismiss()
                self._row(ctx, kind, key).update(type=number, label="")

            return handle

        types = store.TYPES[KINDS[kind]]
        items = [MenuItem(ctx.tr(f"type_{name}"), take(number), id=f"type_{name}") for number, name in types.items()]
        label = str(self._row(ctx, kind, key)["label"])
        custom = ctx.then_dismiss(asking_text(ctx, "label", "label", label, kind=kind, key=key))
        items.append(MenuItem(ctx.tr("type_custom"), custom, id="type_custom"))
        return Menu(ctx, items, top=0.0, place="center-end")

    def overlay_label(self, ctx: Context, kind: str, key: int) -> Node:
        """Asks for a label of the user's own."""
        if ctx.overlay is None:
            raise ValueError("overlay_label needs its overlay's values")
        state = ctx.overlay["ui"]

        def take() -> None:
            label = ctx.field("label").strip()
            state["error"] = not label
            if label:
                ctx.focus(None)
                ctx.dismiss()
                self._row(ctx, kind, key).update(type=0, label=label)

        box = TextField(
            ctx,
            "label",
            ctx.tr("label_name"),
            error=ctx.tr("label_missing") if state.get("error") else "",
            max_length=20,
            on_submit=take,
        )
        body = Node("col", (box,), width=FILL, pad=(24.0, 0.0, 24.0, 0.0))
        actions = ((ctx.tr("cancel"), leaving(ctx)), (ctx.tr("ok"), take))
        return Dialog(ctx, ctx.tr("custom_label"), body, actions=actions)

    def overlay_birthday(self, ctx: Context) -> Node:
        """The calendar."""
        born = look.parse_date(str(ctx.ui["birthday"])) or ctx.now.date()

        def take(year: int, month: int, day: int) -> None:
            ctx.ui["birthday"] = f"{year:04d}-{month:02d}-{day:02d}"
            ctx.ui["errors"] = {one: key for one, key in ctx.ui["errors"].items() if one != "birthday"}

        return DatePicker(ctx, ctx.tr("birthday"), (born.year, born.month, born.day), take)

    def overlay_groups(self, ctx: Context) -> Node:
        """The groups, each with a checkbox."""

        def toggle(group: int) -> Handler:
            def handle() -> None:
                groups = ctx.ui["groups"]
                ctx.ui["groups"] = [one for one in groups if one != group] if group in groups else [*groups, group]

            return handle

        rows = [
            ListRow(
                str(row["title"] or ""),
                trailing=Checkbox(row["_id"] in ctx.ui["groups"]),
                on_tap=toggle(int(row["_id"])),
                id="group_choice",
            )
            for row in store.groups(ctx.phone)
        ]
        if not rows:
            rows = [ListRow(ctx.tr("no_groups"), id="no_groups")]
        done = Node(
            "row",
            (Button(ctx.tr("done"), ctx.dismiss, id="groups_done"),),
            width=FILL,
            justify="end",
            pad=(24.0, 8.0, 24.0, 12.0),
        )
        return Sheet(ctx, *rows, done, title=ctx.tr("add_to_groups"))

    def overlay_discard(self, ctx: Context) -> Node:
        """Asks before what was typed is lost."""

        def leave() -> None:
            ctx.dismiss()
            ctx.finish()

        actions = ((ctx.tr("keep_editing"), ctx.dismiss), (ctx.tr("discard"), leave))
        return Dialog(ctx, ctx.tr("discard_title"), ctx.tr("discard_text"), actions=actions)
