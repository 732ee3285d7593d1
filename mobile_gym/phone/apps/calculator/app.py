"""The calculator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mobile_gym.phone.apps.calculator.arithmetic import (
    DIVIDED,
    MINUS,
    OPERATORS,
    PERCENT,
    PLUS,
    TIMES,
    CalculationError,
    calculate,
)
from mobile_gym.phone.system.app import App, Context, LauncherIcon, Screen
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import EmptyState, IconButton, LazyList, Scaffold, Space, Text, TopBar

_KEYS = (
    ("C", "()", PERCENT, DIVIDED),
    ("7", "8", "9", TIMES),
    ("4", "5", "6", MINUS),
    ("1", "2", "3", PLUS),
    ("0", ".", "DEL", "="),
)
_IDS = {
    "C": "clr",
    "()": "parens",
    PERCENT: "op_pct",
    DIVIDED: "op_div",
    TIMES: "op_mul",
    MINUS: "op_sub",
    PLUS: "op_add",
    ".": "dec_point",
    "DEL": "del",
    "=": "eq",
}
_LONGEST = 60


class Calculator(Screen):
    """Display over a pad of keys; `ctx.ui`: expression, result that was asked for, error."""

    name = "main"
    activity = ".Calculator"

    def build(self, ctx: Context) -> Node:
        """The display and the pad."""
        history = IconButton("history", ctx.open("history"), ctx.tr("history"), id="history")
        expression = str(ctx.ui.get("expression", ""))
        shown = Text(
            expression or "0",
            "displayMedium",
            "onSurface",
            text_align="end",
            width=FILL,
            max_lines=3,
            size_sp=52.0 if len(expression) < 12 else 36.0,
            id="formula",
        )
        error = ctx.ui.get("error")
        preview = self._preview(expression)
        result = Text(
            ctx.tr(error) if error else preview,
            "headlineLarge",
            "error" if error else "onSurfaceVariant",
            text_align="end",
            width=FILL,
            max_lines=1,
            id="result",
        )
        display = Node(
            "col", (Space(weight=1.0), shown, result), width=FILL, weight=1.0, gap=12.0, pad=(24.0, 0.0, 24.0, 24.0)
        )
        # What bars, display and gaps leave, up to the height of a key on a tall screen.
        high = ctx.phone.screen[1] * 160 / ctx.phone.density_dpi
        key_high = min(max((high - 380.0) / 5, 32.0), 76.0)
        rows = [
            Node("row", [self._key(ctx, name, key_high) for name in names], gap=10.0, width=FILL) for names in _KEYS
        ]
        pad = Node("col", rows, gap=10.0, width=FILL, pad=(14.0, 0.0, 14.0, 20.0))
        body = Node("col", (display, pad), width=FILL, height=FILL)
        return Scaffold(body, top=TopBar(ctx, "", back=False, actions=[history]))

    def on_result(self, ctx: Context, result: Mapping[str, Any]) -> None:
        """Takes a number from the history."""
        ctx.ui.update(expression=result["value"], done=True, error=None)

    def _preview(self, expression: str) -> str:
        if not any(sign in expression for sign in OPERATORS + PERCENT):
            return ""
        try:
            return calculate(expression)
        except CalculationError:
            return ""

    def _key(self, ctx: Context, name: str, height: float) -> Node:
        tone, ink = "surfaceContainerHigh", "onSurface"
        if name == "=":
            tone, ink = "primary", "onPrimary"
        elif name in OPERATORS or name in ("()", PERCENT):
            tone, ink = "secondaryContainer", "onSecondaryContainer"
        elif name == "C":
            tone, ink = "tertiaryContainer", "onTertiaryContainer"
        attributes: dict[str, Any] = {"place": "center-center", "hidden_from_tree": True}
        if name == "DEL":
            inside = Node("icon", icon="backspace-outline", icon_size=28.0, color=ink, **attributes)
        else:
            inside = Text(name, "headlineMedium" if height > 44 else "titleLarge", ink, **attributes)
        descs = {"C": "clear_all", "DEL": "delete_last", "=": "equals"}
        return Node(
            "box",
            (inside,),
            weight=1.0,
            height=height,
            radius=height / 2,
            bg=tone,
            on_tap=self._press(ctx, name),
            text="" if name == "DEL" else name,
            desc=ctx.tr(descs[name]) if name in descs else "",
            id=_IDS.get(name, f"digit_{name}"),
            cls="android.widget.Button",
        )

    def _press(self, ctx: Context, name: str) -> Handler:
        def handle() -> None:
            expression = str(ctx.ui.get("expression", ""))
            ctx.ui["error"] = None
            if name == "C":
                ctx.ui["expression"] = ""
            elif name == "DEL":
                ctx.ui["expression"] = expression[:-1]
            elif name == "=":
                self._equals(ctx, expression)
            else:
                ctx.ui["expression"] = self._extended(ctx, expression, name)[:_LONGEST]
            if name != "=":
                ctx.ui["done"] = False

        return handle

    def _extended(self, ctx: Context, expression: str, name: str) -> str:
        if name in OPERATORS:
            if not expression:
                return MINUS if name == MINUS else ""
            if expression[-1] in OPERATORS:
                return expression[:-1] + name
            return expression + name
        if name == "()":
            closes = expression.count("(") > expression.count(")") and expression[-1] not in OPERATORS + "("
            return expression + (")" if closes else "(")
        if name == PERCENT:
            return expression + name if expression and expression[-1] in "0123456789)" else expression
        # A digit after a result begins a new number.
        return name if ctx.ui.get("done") else expression + name

    def _equals(self, ctx: Context, expression: str) -> None:
        if not expression:
            return
        try:
            result = calculate(expression)
        except CalculationError as error:
            ctx.ui["error"] = error.args[0]
            return
        if any(sign in expression for sign in OPERATORS + PERCENT):
            ctx.db.insert("history", expression=expression, result=result, date=ctx.now_ms)
        ctx.ui.update(expression=result, done=True)


class History(Screen):
    """What was calculated, the latest first."""

    name = "history"
    activity = ".History"

    def build(self, ctx: Context) -> Node:
        """Expressions with their results; a tap takes the result back."""
        rows = ctx.db.rows("SELECT * FROM history ORDER BY _id DESC")

        def clear() -> None:
            ctx.db.execute("DELETE FROM history")

        actions = [IconButton("trash-can-outline", clear, ctx.tr("clear_history"), id="clear_history")] if rows else []
        body = LazyList(
            rows,
            row=lambda row: self._row(ctx, row),
            id="history_list",
            empty=EmptyState("history", ctx.tr("no_history")),
        )
        return Scaffold(body, top=TopBar(ctx, ctx.tr("history"), actions=actions))

    def _row(self, ctx: Context, row: dict[str, Any]) -> Node:
        texts = (
            Text(row["expression"], "bodyLarge", "onSurfaceVariant", id="history_formula"),
            Text(row["result"], "headlineSmall", id="history_result"),
        )
        return Node(
            "col",
            texts,
            width=FILL,
            pad=(24.0, 12.0, 24.0, 12.0),
            gap=4.0,
            on_tap=lambda: ctx.finish({"value": row["result"]}),
        )


class CalculatorApp(App):
    """A user's app: it can be uninstalled."""

    package = "org.mobench.calculator"
    module = "mobile_gym.phone.apps.calculator"
    icon = LauncherIcon("calculator-variant", ("#FFFFFF", "#F1F3F8"), "#4A5568")
    system = False
    version_name = "2.3.1"
    version_code = 231
    screens = (Calculator, History)
    databases = {"history.db": "schema.sql"}
    sizes_mb = (6.4, 0.2, 3.1)
