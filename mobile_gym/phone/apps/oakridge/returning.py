"""Returns: asking for one in two steps, and the page of one."""

from __future__ import annotations

from mobile_gym.phone.apps.oakridge import look, ordering, store
from mobile_gym.phone.apps.oakridge.order import number_of
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Dialog, Icon, LazyList, Row, Text
from mobile_gym.phone.ui.widgets.fields import field


class StartReturn(Screen):
    """Why it goes back, then what is wanted for it and how it travels. Argument: `item`, a row of `order_items`."""

    name = "return_start"
    activity = ".ReturnActivity"

    def on_open(self, ctx: Context) -> None:
        """Nothing chosen yet."""
        ctx.ui.update(step=0, reason="", outcome="refund", dropoff="store")

    def on_back(self, ctx: Context) -> bool:
        """Back goes to the step before."""
        if ctx.ui["step"] == 0:
            return False
        ctx.ui["step"] = 0
        return True

    def build(self, ctx: Context) -> Node:
        """The item over the step in front."""
        item = store.database(ctx.phone).row("SELECT * FROM order_items WHERE _id = ?", number_of(ctx, "item"))
        top = look.bar(ctx, ctx.tr("return_start"))
        if item is None:
            return look.page(ctx, Node("box", (look.empty("keyboard-return", ctx.tr("order_gone")),)), top)
        head = Row(
            look.picture(item["picture"], 64.0),
            Node(
                "col",
                (
                    Text(item["name"], "bodyLarge", max_lines=2, id="title"),
                    Text(
                        look.money(item["price_cents"] * item["quantity"]), "bodyMedium", text_weight=600, id="amount"
                    ),
                ),
                weight=1.0,
                gap=2.0,
            ),
            gap=12.0,
            width=FILL,
        )
        step = ctx.ui["step"]
        parts = [look.gap(), look.section(head), look.gap(), *(self._how(ctx) if step else self._why(ctx)), look.gap()]
        if step:
            go = look.button(ctx.tr("return_send"), lambda: self._send(ctx, item), "return_send", weight=1.0)
        else:
            ready = bool(ctx.ui["reason"])
            go = look.button(ctx.tr("continue"), lambda: self._on(ctx), "return_continue", enabled=ready, weight=1.0)
        return look.page(ctx, LazyList(parts, id="return_form"), top, look.footer(go))

    def _on(self, ctx: Context) -> None:
        ctx.focus(None)
        ctx.ui["step"] = 1
        ctx.record["scroll"].pop("return_form", None)

    def _choices(self, ctx: Context, key: str, values: tuple[str, ...], prefix: str) -> list[Node]:
        return [
            look.radio_row(
                ctx.tr(f"{prefix}_{value}"),
                ctx.tr(f"{prefix}_{value}_note") if prefix == "dropoff" else "",
                ctx.ui[key] == value,
                ctx.set_ui(key, value),
                f"{prefix}_{value}",
            )
            for value in values
        ]

    def _why(self, ctx: Context) -> list[Node]:
        comment = field(
            ctx,
            "return_comment",
            hint=ctx.tr("return_comment"),
            multiline=True,
            max_lines=3,
            max_length=200,
            width=FILL,
            min_height=64.0,
            radius=8.0,
            border=1.0,
            border_color="outline",
            pad=(12.0, 10.0, 12.0, 10.0),
        )
        rows = self._choices(ctx, "reason", ordering.RETURN_REASONS, "reason")
        return [look.section(look.title(ctx.tr("return_why")), look.chosen_list(rows), comment, gap=10.0)]

    def _how(self, ctx: Context) -> list[Node]:
        outcomes = self._choices(ctx, "outcome", ordering.OUTCOMES, "outcome")
        ways = self._choices(ctx, "dropoff", ordering.DROPOFFS, "dropoff")
        return [
            look.section(look.title(ctx.tr("return_outcome")), look.chosen_list(outcomes)),
            look.gap(),
            look.section(look.title(ctx.tr("return_dropoff")), look.chosen_list(ways)),
        ]

    def _send(self, ctx: Context, item: store.Row) -> None:
        values = {key: ctx.ui[key] for key in ("reason", "outcome", "dropoff")}
        key = ordering.start_return(ctx.phone, item, {**values, "comment": ctx.field("return_comment").strip()})
        ctx.finish()
        ctx.go("return", request=key)


class ReturnDetail(Screen):
    """A return. Argument: `request`."""

    name = "return"
    activity = ".ReturnDetailActivity"

    def build(self, ctx: Context) -> Node:
        """Its state, the code for the counter, what was asked for."""
        found = store.database(ctx.phone).row(
            "SELECT r.*, i.name, i.picture FROM returns r JOIN order_items i ON i._id = r.item_id WHERE r._id = ?",
            number_of(ctx, "request"),
        )
        top = look.bar(ctx, ctx.tr("return_title"))
        if found is None:
            return look.page(ctx, Node("box", (look.empty("keyboard-return", ctx.tr("returns_none")),)), top)
        state = found["state"]
        head: list[Node] = [Text(ctx.tr(f"return_{state}"), "titleLarge", text_weight=700, id="return_state")]
        if state == "open":
            head += [
                Text(ctx.tr(f"dropoff_{found['dropoff']}_note"), "bodyMedium", "soft", id="return_note"),
                Row(
                    Icon("qrcode", 112.0, "onSurface", desc=ctx.tr("return_code")),
                    width=FILL,
                    justify="center",
                    pad=(0.0, 4.0, 0.0, 4.0),
                ),
                look.button(ctx.tr("return_sent"), self._move(ctx, found, "sent"), "return_sent", "filled", width=FILL),
                look.button(
                    ctx.tr("return_cancel"),
                    ctx.show("cancel_return", request=found["_id"]),
                    "return_cancel",
                    "line",
                    width=FILL,
                ),
            ]
        item = Row(
            look.picture(found["picture"], 64.0),
            Text(found["name"], "bodyLarge", max_lines=2, weight=1.0, id="title"),
            gap=12.0,
            width=FILL,
        )
        facts = [
            (
                ctx.tr("return_why_short"),
                ctx.tr(f"reason_{found['reason']}") if found["reason"] in ordering.RETURN_REASONS else found["reason"],
            ),
            (ctx.tr("return_outcome_short"), ctx.tr(f"outcome_{found['outcome']}")),
            (ctx.tr("return_dropoff_short"), ctx.tr(f"dropoff_{found['dropoff']}")),
            (ctx.tr("return_started"), look.day(ctx, found["created_at"])),
        ]
        if found["amount_cents"]:
            facts.append((ctx.tr("return_amount"), look.money(found["amount_cents"])))
        if found["comment"]:
            facts.append((ctx.tr("return_comment_short"), found["comment"]))
        rows = [
            Row(
                Text(name, "bodyMedium", "soft", width=120.0),
                Text(value, "bodyMedium", weight=1.0, id="fact"),
                gap=8.0,
                width=FILL,
                align="start",
                min_height=28.0,
            )
            for name, value in facts
        ]
        parts = [look.gap(), look.section(*head, gap=10.0), look.gap(), look.section(item, *rows, gap=6.0)]
        return look.page(ctx, LazyList(parts, id="return_detail_list"), top)

    def _move(self, ctx: Context, found: store.Row, state: str) -> Handler:
        return lambda: ordering.set_return(ctx.phone, found["_id"], state)

    def overlay_cancel_return(self, ctx: Context, request: int) -> Node:
        """Asks before a return is cancelled."""
        act = ctx.then_dismiss(ordering.set_return, ctx.phone, request, "cancelled")
        return Dialog(
            ctx,
            body=ctx.tr("return_cancel_ask"),
            actions=((ctx.tr("return_keep"), ctx.dismiss), (ctx.tr("return_cancel"), act)),
        )
