"""The address book, and the form of an address."""

from __future__ import annotations

import re

from mobile_gym.phone.apps.oakridge import look, store
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Checkbox, Dialog, LazyList, Row, Text, TextField

FIELDS = ("name", "line1", "line2", "city", "zip", "phone")
_ZIP = re.compile(r"\d{5}$")
_PHONE = re.compile(r"\d{10}$")


class Addresses(Screen):
    """All addresses of the book."""

    name = "addresses"
    activity = ".AddressBookActivity"

    def build(self, ctx: Context) -> Node:
        """Each address with what can be done with it."""
        add = look.button(ctx.tr("address_add"), ctx.open("address_edit"), "address_add", "filled", weight=1.0)
        parts: list[Node] = [look.gap()]
        for row in store.addresses(ctx.phone):
            parts += [self._card(ctx, row), look.gap()]
        if len(parts) == 1:
            parts.append(look.empty("map-marker-outline", ctx.tr("addresses_none")))
        return look.page(ctx, LazyList(parts, id="address_list"), look.bar(ctx, ctx.tr("addresses")), look.footer(add))

    def _card(self, ctx: Context, row: store.Row) -> Node:
        key = row["_id"]
        lines = [Text(row["name"], "titleMedium", text_weight=700, max_lines=1, id="address_name")]
        if row["is_default"]:
            lines.append(Text(ctx.tr("address_default"), "labelMedium", "good", max_lines=1, id="default_mark"))
        lines.append(Text(store.address_text(row), "bodyLarge", id="address_text"))
        if row["phone"]:
            lines.append(Text(phone_text(row["phone"]), "bodyMedium", "soft", max_lines=1, id="address_phone"))
        deeds = [
            look.button(ctx.tr("edit"), ctx.open("address_edit", address=key), "address_edit", "line", 38.0),
            look.button(ctx.tr("remove"), ctx.show("remove_address", address=key), "address_remove", "line", 38.0),
        ]
        if not row["is_default"]:
            deeds.append(
                look.button(
                    ctx.tr("address_set_default"),
                    lambda: store.set_default(ctx.phone, "addresses", key),
                    "address_set_default",
                    "line",
                    38.0,
                )
            )
        return look.section(
            *lines, Row(*deeds, gap=8.0, width=FILL, pad=(0.0, 6.0, 0.0, 0.0)), gap=3.0, id="address_card"
        )

    def overlay_remove_address(self, ctx: Context, address: int) -> Node:
        """Asks before an address is removed."""
        return _remove(ctx, address, finish=False)


class AddressEdit(Screen):
    """Adds an address, or edits the one of the argument `address`.

    With the argument `once` it is for one order: it finishes with the address itself, and keeps it in the book only if
    asked to.
    """

    name = "address_edit"
    activity = ".AddressEditActivity"

    def on_open(self, ctx: Context) -> None:
        """Fills the form."""
        key = ctx.args.get("address")
        row = None if key is None else store.address(ctx.phone, int(key))
        ctx.ui.update(state="", default=False, keep=False, errors={})
        if row is not None:
            for name in FIELDS:
                ctx.set_field(f"address_{name}", row[name])
            ctx.ui.update(state=row["state"], default=bool(row["is_default"]))

    def build(self, ctx: Context) -> Node:
        """Name, street, city, state, ZIP code, number; what else happens with it."""
        errors = ctx.ui["errors"]

        def text(name: str, most: int, kind: str = "text") -> Node:
            return TextField(
                ctx,
                f"address_{name}",
                ctx.tr(f"field_{name}"),
                max_length=most,
                input_type=kind,
                error=errors.get(name, ""),
                action="next",
            )

        state = ctx.ui["state"]
        name = next((entry[ctx.language] for entry in store.states() if entry["code"] == state), ctx.tr("choose"))
        chooser = look.dropdown(f"{ctx.tr('field_state')}:", name, ctx.show("state"), "address_state", 56.0, width=FILL)
        parts: list[Node] = [text("name", 40), text("line1", 60), text("line2", 40), text("city", 40), chooser]
        if errors.get("state"):
            parts.append(Text(errors["state"], "bodySmall", "error", id="state_note", pad=(16.0, 0.0, 16.0, 0.0)))
        parts += [text("zip", 5, "number"), text("phone", 14, "phone")]
        once = bool(ctx.args.get("once"))
        if once:
            parts.append(self._check(ctx, "keep", ctx.tr("address_keep"), "address_keep"))
        else:
            parts.append(self._check(ctx, "default", ctx.tr("address_make_default"), "address_default"))
        key = ctx.args.get("address")
        save = look.button(
            ctx.tr("address_use" if once else "address_save"),
            lambda: self._save(ctx),
            "address_save",
            "filled",
            weight=1.0,
        )
        buttons = [save]
        if key is not None:
            remove = look.button(
                ctx.tr("remove"), ctx.show("remove_address", address=int(key)), "address_remove", "line"
            )
            buttons.insert(0, remove)
        title = ctx.tr("address_once" if once else "address_add" if key is None else "address_edit")
        body = LazyList([look.section(*parts, gap=12.0)], id="address_form", bottom_pad=12.0)
        return look.page(ctx, body, look.bar(ctx, title), look.footer(*buttons), bg="card")

    def _check(self, ctx: Context, key: str, label: str, id: str) -> Node:
        on = bool(ctx.ui[key])
        return Row(
            Checkbox(on),
            Text(label, "bodyLarge", weight=1.0, hidden_from_tree=True),
            gap=12.0,
            width=FILL,
            min_height=48.0,
            id=id,
            text=label,
            checkable=True,
            checked=on,
            on_tap=ctx.toggle_ui(key),
        )

    def _save(self, ctx: Context) -> None:
        values = {name: ctx.field(f"address_{name}").strip() for name in FIELDS}
        values["phone"] = re.sub(r"\D", "", values["phone"])
        errors = {name: ctx.tr("missing") for name in ("name", "line1", "city", "zip") if not values[name]}
        if values["zip"] and not _ZIP.match(values["zip"]):
            errors["zip"] = ctx.tr("zip_bad")
        if values["phone"] and not _PHONE.match(values["phone"]):
            errors["phone"] = ctx.tr("phone_bad")
        if not ctx.ui["state"]:
            errors["state"] = ctx.tr("state_missing")
        ctx.ui["errors"] = errors
        if errors:
            return
        ctx.focus(None)
        columns = {**values, "state": ctx.ui["state"]}
        data = store.database(ctx.phone)
        if ctx.args.get("once") and not ctx.ui["keep"]:
            ctx.finish({"once": columns})
            return
        key = ctx.args.get("address")
        if key is None:
            key = data.insert("addresses", **columns, is_default=int(ctx.ui["default"]))
        else:
            data.update("addresses", int(key), **columns, is_default=int(ctx.ui["default"]))
            if data.value("SELECT 1 FROM addresses WHERE is_default = 1") is None:
                data.update("addresses", int(key), is_default=1)  # one address is always the default
        ctx.toast(ctx.tr("address_saved"))
        ctx.finish({"address": int(key)})

    def overlay_state(self, ctx: Context) -> Node:
        """All states."""

        def choose(code: str) -> Handler:
            def handle() -> None:
                ctx.ui["state"] = code

            return ctx.then_dismiss(handle)

        def row(entry: store.Row) -> Node:
            chosen = entry["code"] == ctx.ui["state"]
            line = look.radio_row(
                f"{entry[ctx.language]} ({entry['code']})", "", chosen, choose(entry["code"]), "state"
            )
            return Node("col", (line,), width=FILL, pad=(20.0, 0.0, 20.0, 0.0), hidden_from_tree=True)

        return Dialog(ctx, ctx.tr("field_state"), LazyList(store.states(), row=row, id="state_list"))

    def overlay_remove_address(self, ctx: Context, address: int) -> Node:
        """Asks before the address is removed."""
        return _remove(ctx, address, finish=True)


def _remove(ctx: Context, address: int, finish: bool) -> Node:
    row = store.address(ctx.phone, address)

    def act() -> None:
        store.database(ctx.phone).delete("addresses", address)
        ctx.toast(ctx.tr("address_removed"))
        if finish:
            ctx.finish()

    text = "" if row is None else f"{row['name']}, {store.address_text(row)}"
    return Dialog(
        ctx,
        ctx.tr("address_remove_ask"),
        text,
        actions=((ctx.tr("cancel"), ctx.dismiss), (ctx.tr("remove"), ctx.then_dismiss(act))),
    )


def phone_text(number: str) -> str:
    """A number as Americans write it: `(503) 555-0142`."""
    return f"({number[:3]}) {number[3:6]}-{number[6:]}" if len(number) == 10 else number
