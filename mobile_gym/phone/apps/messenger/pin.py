"""The payment PIN: six digits on a pad of its own."""

from __future__ import annotations

from collections.abc import Callable

from mobile_gym.phone.apps.messenger import look
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import IconButton, Space, Text

LENGTH = 6
TRIES, LOCK_MINUTES = 5, 180
"""Wrong PINs in a row that lock it, and for how long."""


class PayPin(Screen):
    """Asks for the PIN and finishes with `paid` and what it was opened with.

    Arguments: `title` says what is paid, `cents` the amount (0 for none), `result` goes back with the answer. With
    `change` it asks for the old PIN, then twice for the new one.
    """

    name = "pay_pin"
    activity = ".plugin.wallet_core.ui.WalletPayPwdUI"

    def on_open(self, ctx: Context) -> None:
        """Nothing is typed yet."""
        ctx.ui.update(typed="", wrong="", part="old", first="")

    def build(self, ctx: Context) -> Node:
        """Amount, six boxes, pad."""
        t = look.tone(ctx)
        change = bool(ctx.args.get("change"))
        cents = look.number(ctx, "cents")
        title = ctx.tr(f"pin_{ctx.ui['part']}") if change else ctx.tr("pin_enter")
        typed = str(ctx.ui["typed"])
        boxes = [
            Node(
                "box",
                (Node("space", width=12.0, height=12.0, radius=6.0, bg=t.ink, place="center-center"),)
                if place < len(typed)
                else (),
                weight=1.0,
                height=48.0,
                radius=6.0,
                bg=t.card,
                border=1.0,
                border_color=t.faint,
                id=f"pin_box_{place}",
            )
            for place in range(LENGTH)
        ]
        head: list[Node] = [Text(title, "titleMedium", t.ink, text_align="center", width=FILL, id="pin_title")]
        if cents:
            what = str(ctx.args.get("title", ""))
            head.append(Text(what, "bodyLarge", t.ink, text_align="center", width=FILL, max_lines=2, id="pin_what"))
            head.append(
                Text(
                    look.money(ctx, cents),
                    "headlineLarge",
                    t.ink,
                    text_align="center",
                    width=FILL,
                    text_weight=500,
                    id="pin_amount",
                )
            )
        error = Text(self._error(ctx) or " ", "bodyMedium", t.red, text_align="center", width=FILL, id="pin_error")
        body = Node(
            "col",
            (
                Node("col", head, gap=12.0, width=FILL, hidden_from_tree=True),
                Node("row", boxes, gap=8.0, width=FILL, id="pin_boxes"),
                error,
            ),
            gap=18.0,
            width=FILL,
            pad=(28.0, 20.0, 28.0, 0.0),
            hidden_from_tree=True,
        )
        page = look.page(ctx, body, top=look.top_bar(ctx, ctx.tr("pay_pin_title")), bottom=self._pad(ctx))
        return look.edged(page, foot=t.press)

    def _error(self, ctx: Context) -> str:
        minutes = lock_minutes(ctx)
        if minutes:
            return ctx.tr("pin_locked", minutes=minutes)
        wrong = str(ctx.ui["wrong"])
        return ctx.tr(wrong, count=tries_left(ctx)) if wrong else ""

    def _pad(self, ctx: Context) -> Node:
        t = look.tone(ctx)
        able = not lock_minutes(ctx)

        def key(digit: str) -> Node:
            text = Text(digit, "headlineSmall", t.ink, place="center-center", hidden_from_tree=True)
            return Node(
                "box",
                (text,),
                weight=1.0,
                height=52.0,
                radius=5.0,
                bg=t.card,
                id=f"pin_key_{digit}",
                text=digit,
                cls="android.widget.Button",
                enabled=able,
                fade=1.0 if able else 0.4,
                on_tap=self._press(ctx, digit) if able else None,
            )

        rows = [
            Node("row", [key(digit) for digit in line], gap=6.0, width=FILL, hidden_from_tree=True)
            for line in ("123", "456", "789")
        ]
        drop = IconButton(
            "backspace-outline",
            self._drop(ctx),
            ctx.tr("delete"),
            id="pin_key_delete",
            color=t.ink,
            enabled=bool(ctx.ui["typed"]),
        )
        last = Node(
            "row",
            (Space(weight=1.0), key("0"), Node("row", (drop,), weight=1.0, justify="center", hidden_from_tree=True)),
            gap=6.0,
            width=FILL,
            hidden_from_tree=True,
        )
        return Node("col", (*rows, last), gap=6.0, width=FILL, bg=t.press, pad=(6.0, 8.0, 6.0, 6.0), id="pin_pad")

    def _drop(self, ctx: Context) -> Callable[[], None]:
        def act() -> None:
            ctx.ui["typed"] = ctx.ui["typed"][:-1]

        return act

    def _press(self, ctx: Context, digit: str) -> Callable[[], None]:
        def act() -> None:
            ctx.ui["wrong"] = ""
            typed = (ctx.ui["typed"] + digit)[:LENGTH]
            ctx.ui["typed"] = typed
            if len(typed) == LENGTH:
                ctx.ui["typed"] = ""
                self._full(ctx, typed)

        return act

    def _full(self, ctx: Context, typed: str) -> None:
        part = ctx.ui["part"]
        right = part != "old" or is_right(ctx, typed)
        if not ctx.args.get("change"):
            if right:
                given = ctx.args.get("result")
                ctx.finish({**(given if isinstance(given, dict) else {}), "paid": True})
            else:
                ctx.ui["wrong"] = "pin_wrong"
            return
        if not right:
            ctx.ui["wrong"] = "pin_wrong"
        elif part == "old":
            ctx.ui["part"] = "new"
        elif part == "new":
            ctx.ui.update(part="again", first=typed)
        elif typed != ctx.ui["first"]:
            ctx.ui.update(part="new", first="", wrong="pin_differs")
        else:
            ctx.db.execute("UPDATE wallet SET pin = ?", typed)
            ctx.finish()
            ctx.toast(ctx.tr("pin_changed"))


def lock_minutes(ctx: Context) -> int:
    """How many minutes the PIN is still locked; 0 where it is not."""
    until = int(ctx.db.value("SELECT pin_locked_until FROM wallet") or 0)
    return max(0, -(-(until - ctx.now_ms) // 60_000))


def tries_left(ctx: Context) -> int:
    """How many wrong PINs are still allowed."""
    return max(0, TRIES - int(ctx.db.value("SELECT pin_wrong FROM wallet") or 0))


def is_right(ctx: Context, typed: str) -> bool:
    """Compares a PIN, and counts: a right one starts the tries anew, the last wrong one locks the PIN."""
    if lock_minutes(ctx):
        return False
    right = bool(typed == ctx.db.value("SELECT pin FROM wallet"))
    # A lock that is over leaves no try used.
    used = TRIES - tries_left(ctx) if tries_left(ctx) else 0
    wrong = 0 if right else used + 1
    until = ctx.now_ms + LOCK_MINUTES * 60_000 if wrong == TRIES else 0
    ctx.db.execute("UPDATE wallet SET pin_wrong = ?, pin_locked_until = ?", wrong, until)
    return right


def balance(ctx: Context) -> int:
    """The owner's money, cents."""
    return int(ctx.db.value("SELECT balance_cents FROM wallet") or 0)


def cents_of(text: str) -> int:
    """Cents of an amount that was typed; 0 where it is none."""
    whole, _, part = text.strip().partition(".")
    if not (whole or part) or not (whole or "0").isdigit() or not (part or "0").isdigit() or len(part) > 2:
        return 0
    return int(whole or "0") * 100 + int((part or "0").ljust(2, "0"))
