"""Addresses: the list, and the page that adds or edits one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from mobile_gym.phone.apps.shop import look, ordering, store
from mobile_gym.phone.apps.shop.sheets import close_row, gap, overlay_state, wrapped
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import (
    Dialog,
    Icon,
    IconButton,
    LazyList,
    Row,
    Scaffold,
    Sheet,
    SwitchRow,
    Text,
    TextField,
)

TAGS = ("home", "work", "parents")
_PHONE = re.compile(r"\d{7,15}$")


class Addresses(Screen):
    """All addresses. With `pick` a tap chooses one; with `order` it becomes that order's."""

    name = "addresses"
    activity = ".AddressListActivity"

    def on_result(self, ctx: Context, result: Mapping[str, Any]) -> None:
        """An address that was added while one was to be chosen is the one."""
        if "address" in result and self._choosing(ctx):
            self._choose(ctx, int(result["address"]))

    def _choosing(self, ctx: Context) -> bool:
        return bool(ctx.args.get("pick") or ctx.args.get("order"))

    def _choose(self, ctx: Context, key: int) -> None:
        order = ctx.args.get("order")
        if order is not None:
            columns = ordering.address_columns(ctx.phone, key)
            store.database(ctx.phone).update("orders", int(order), **columns)
            ctx.toast(ctx.tr("order_address_changed"))
        ctx.finish({"address": key})

    def build(self, ctx: Context) -> Node:
        """Cards, and a button that adds one."""
        rows = store.addresses(ctx.phone)
        listed = LazyList(
            rows,
            row=lambda row: self._card(ctx, row),
            id="address_list",
            gap=10.0,
            top_pad=2.0,
            empty=look.empty("map-marker-outline", ctx.tr("addresses_none")),
        )
        add = look.pill(ctx.tr("address_add"), ctx.open("address_edit"), "address_add", height=44.0, weight=1.0)
        title = ctx.tr("address_choose" if self._choosing(ctx) else "addresses")
        body = Node("box", (listed,), width=FILL, bg="page")
        return Scaffold(body, top=look.bar(ctx, title), bottom=look.footer(add), bg="card")

    def _card(self, ctx: Context, row: dict[str, Any]) -> Node:
        key = row["_id"]
        edit = ctx.open("address_edit", address=key)
        labels = [look.tag(ctx.tr("default"), True)] if row["is_default"] else []
        if row["tag"]:
            labels.append(look.tag(ctx.tr(f"tag_{row['tag']}")))
        texts = Node(
            "col",
            (
                Row(
                    Text(row["name"], "titleSmall", max_lines=1, id="address_name"),
                    Text(store.shown_phone(row["phone"]), "bodyMedium", "soft", max_lines=1, id="address_phone"),
                    gap=10.0,
                ),
                Text(store.address_text(row, ctx.language), "bodyMedium", "onSurfaceVariant", id="address_text"),
                *((Row(*labels, gap=6.0),) if labels else ()),
            ),
            gap=5.0,
            weight=1.0,
        )
        top = Row(
            texts,
            IconButton("pencil-outline", edit, ctx.tr("edit"), id="address_edit", glyph=20.0, color="soft"),
            width=FILL,
        )

        def set_default() -> None:
            store.database(ctx.phone).update("addresses", key, is_default=1)

        deeds = Row(
            Row(
                look.check(bool(row["is_default"]), None, "address_default_check", size=18.0),
                Text(ctx.tr("default_address"), "bodySmall", "soft", max_lines=1),
                weight=1.0,
                id="address_default",
                min_height=40.0,
                on_tap=set_default,
            ),
            look.pill(ctx.tr("delete"), ctx.show("delete_address", address=key), "address_delete", "line", 30.0),
            width=FILL,
        )
        tap: Handler = (lambda: self._choose(ctx, key)) if self._choosing(ctx) else edit
        return look.card(top, deeds, gap=2.0, id="address_card", on_tap=tap, pad=(16.0, 12.0, 6.0, 8.0))

    def overlay_delete_address(self, ctx: Context, address: int) -> Node:
        """Asks before an address is deleted."""

        def act() -> None:
            store.database(ctx.phone).delete("addresses", address)
            ctx.toast(ctx.tr("address_deleted"))

        return Dialog(
            ctx,
            body=ctx.tr("address_delete_ask"),
            actions=((ctx.tr("cancel"), ctx.dismiss), (ctx.tr("delete"), ctx.then_dismiss(act))),
        )


class AddressEdit(Screen):
    """Adds an address, or edits the one of the argument `address`."""

    name = "address_edit"
    activity = ".AddressEditActivity"

    def on_open(self, ctx: Context) -> None:
        """Fills the form."""
        key = ctx.args.get("address")
        row = None if key is None else store.database(ctx.phone).row("SELECT * FROM addresses WHERE _id = ?", int(key))
        ctx.ui.update(region=[], tag="", default=False, errors={})
        if row is not None:
            for name in ("name", "phone", "detail"):
                ctx.set_field(f"address_{name}", row[name])
            ctx.ui.update(
                region=[row["province"], row["city"], row["district"]],
                tag=row["tag"],
                default=bool(row["is_default"]),
            )

    def build(self, ctx: Context) -> Node:
        """Name, number, region, street, label, whether it is the default."""
        errors = ctx.ui["errors"]
        region = ctx.ui["region"]
        parts = list(dict.fromkeys(region))
        shown = " ".join(parts) if ctx.language == "zh" else ", ".join(reversed(parts))
        area = look.line_row(
            ctx.tr("region"),
            shown or ctx.tr("please_choose"),
            ctx.show("region"),
            "address_region",
            value_color="onSurface" if region else "primary" if errors.get("region") else "soft",
        )
        tags = [
            look.chip(
                ctx.tr(f"tag_{key}"),
                key == ctx.ui["tag"],
                ctx.set_ui("tag", "" if key == ctx.ui["tag"] else key),
                f"tag_{key}",
            )
            for key in TAGS
        ]
        form = look.card(
            TextField(ctx, "address_name", ctx.tr("receiver"), error=errors.get("name", ""), max_length=20),
            TextField(
                ctx,
                "address_phone",
                ctx.tr("phone_number"),
                input_type="phone",
                max_length=15,
                error=errors.get("phone", ""),
            ),
            area,
            TextField(
                ctx,
                "address_detail",
                ctx.tr("address_detail"),
                multiline=True,
                max_length=80,
                error=errors.get("detail", ""),
            ),
            Row(
                Text(ctx.tr("tag"), "bodyMedium", width=56.0),
                Node("col", wrapped(ctx, tags, 120.0), gap=8.0, weight=1.0),
                gap=8.0,
                width=FILL,
                min_height=48.0,
            ),
            gap=10.0,
            pad=(16.0, 16.0, 16.0, 10.0),
        )
        default = look.card(
            SwitchRow(
                ctx.tr("default_address"),
                bool(ctx.ui["default"]),
                lambda on: ctx.ui.update(default=on),
                id="address_default",
            ),
            pad=(0.0, 0.0, 0.0, 0.0),
        )
        key = ctx.args.get("address")
        buttons = [look.pill(ctx.tr("save"), lambda: self._save(ctx), "address_save", height=44.0, weight=1.0)]
        if key is not None:
            buttons.insert(
                0, look.pill(ctx.tr("delete"), ctx.show("delete_address"), "address_delete", "line", 44.0, weight=1.0)
            )
        body = Node("box", (LazyList([gap(), form, gap(), default, gap()], id="address_form"),), width=FILL, bg="page")
        title = ctx.tr("address_add" if key is None else "address_edit")
        return Scaffold(body, top=look.bar(ctx, title), bottom=look.footer(*buttons, gap=10.0), bg="card")

    def _save(self, ctx: Context) -> None:
        values = {name: ctx.field(f"address_{name}").strip() for name in ("name", "phone", "detail")}
        errors = {name: ctx.tr(f"{name}_missing") for name, text in values.items() if not text}
        number = re.sub(r"[\s()+-]", "", values["phone"])
        if values["phone"] and not _PHONE.match(number):
            errors["phone"] = ctx.tr("phone_bad")
        if not ctx.ui["region"]:
            errors["region"] = ctx.tr("please_choose")
        ctx.ui["errors"] = errors
        if errors:
            if "region" in errors:
                ctx.toast(ctx.tr("region_missing"))
            return
        province, city, district = ctx.ui["region"]
        columns = {
            **values,
            "phone": number,
            "province": province,
            "city": city,
            "district": district,
            "tag": ctx.ui["tag"],
            "is_default": int(ctx.ui["default"]),
        }
        data = store.database(ctx.phone)
        key = ctx.args.get("address")
        if key is None:
            key = data.insert("addresses", **columns)
        else:
            data.update("addresses", int(key), **columns)
            if data.value("SELECT 1 FROM addresses WHERE is_default = 1") is None:
                data.update("addresses", int(key), is_default=1)  # one address is always the default
        ctx.focus(None)
        ctx.toast(ctx.tr("address_saved"))
        ctx.finish({"address": int(key)})

    def overlay_delete_address(self, ctx: Context) -> Node:
        """Asks before the address is deleted."""

        def act() -> None:
            store.database(ctx.phone).delete("addresses", int(ctx.args["address"]))
            ctx.toast(ctx.tr("address_deleted"))
            ctx.finish()

        return Dialog(
            ctx,
            body=ctx.tr("address_delete_ask"),
            actions=((ctx.tr("cancel"), ctx.dismiss), (ctx.tr("delete"), ctx.then_dismiss(act))),
        )

    def overlay_region(self, ctx: Context) -> Node:
        """Province, then city, then district."""
        state = overlay_state(ctx)
        chosen: list[int] = state.setdefault("chosen", [])
        level: list[dict[str, Any]] = store.load_data("regions.yaml")
        names = []
        for number, key in enumerate(("cities", "districts")):
            if number < len(chosen):
                entry = level[chosen[number]]
                names.append(entry[ctx.language])
                level = entry[key]

        def choose(number: int) -> None:
            if len(chosen) < 2:
                state["chosen"] = [*chosen, number]
                ctx.record["scroll"].pop("region_list", None)
                return
            ctx.ui["region"] = [*names, level[number][ctx.language]]
            ctx.dismiss()

        def row(number: int) -> Node:
            return Row(
                Text(level[number][ctx.language], "bodyLarge", weight=1.0, id="region_name"),
                width=FILL,
                min_height=50.0,
                pad=(24.0, 0.0, 24.0, 0.0),
                id="region",
                on_tap=lambda: choose(number),
            )

        def back(number: int) -> Handler:
            return lambda: state.update(chosen=chosen[:number])

        crumbs: list[Node] = []
        for number, name in enumerate(names):
            crumbs += [
                Text(name, "titleSmall", "primary", max_lines=1, id="region_crumb", on_tap=back(number)),
                Icon("chevron-right", 18.0, "soft", hidden_from_tree=True),
            ]
        keys = ("region_province", "region_city", "region_district")
        crumbs.append(Text(ctx.tr(keys[len(chosen)]), "titleSmall", "soft", max_lines=1, id="region_step"))
        room = Node("box", (LazyList(list(range(len(level))), row=row, id="region_list"),), width=FILL, height=330.0)
        path = Row(*crumbs, gap=4.0, width=FILL, min_height=40.0, pad=(24.0, 0.0, 24.0, 4.0))
        return Sheet(ctx, close_row(ctx, ctx.tr("region")), path, room)
