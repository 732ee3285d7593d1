"""The stopwatch tab."""

from __future__ import annotations

from typing import Any

from mobile_gym.phone.apps.clock.texts import precise_text
from mobile_gym.phone.state.database import Row
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Fab, IconButton, LazyList, Space, Text
from mobile_gym.phone.ui.widgets import Row as Line


def _state(ctx: Context) -> Row:
    found = ctx.db.row("SELECT * FROM stopwatch WHERE _id = 1")
    return found or {"state": "reset", "started_ms": 0, "elapsed_ms": 0}


def elapsed(ctx: Context, watch: Row) -> int:
    """Milliseconds that the stopwatch shows."""
    running = ctx.now_ms - watch["started_ms"] if watch["state"] == "running" else 0
    return int(watch["elapsed_ms"] + running)


def body(ctx: Context) -> Node:
    """The reading, and laps."""
    watch = _state(ctx)
    main, hundredths = precise_text(elapsed(ctx, watch))
    reading = Node(
        "row",
        (
            Text(main, "displayLarge", size_sp=72.0, line_sp=84.0, text_weight=300, id="stopwatch_time_text"),
            Text(hundredths, "headlineLarge", "onSurfaceVariant", id="stopwatch_hundredths_text"),
        ),
        align="baseline",
        gap=8.0,
    )
    totals = [row["total_ms"] for row in ctx.db.rows("SELECT total_ms FROM laps ORDER BY _id")]
    laps = [(n, total - (totals[n - 2] if n > 1 else 0), total) for n, total in enumerate(totals, 1)]
    listed = LazyList(laps[::-1], row=lambda lap: _lap(ctx, lap), id="laps_list", bottom_pad=104.0)
    return Node(
        "col", (Space(height=40.0), reading, Space(height=32.0), listed.replace(weight=1.0)), width=FILL, align="center"
    )


def _lap(ctx: Context, lap: tuple[int, int, int]) -> Node:
    number, own, total = lap
    texts = [".".join(precise_text(ms)) for ms in (own, total)]
    return Line(
        Text(ctx.tr("lap_number", n=number), "bodyLarge", "onSurfaceVariant", weight=1.0, id="lap_number"),
        Text(texts[0], "bodyLarge", weight=1.0, id="lap_time"),
        Text(texts[1], "bodyLarge", "onSurfaceVariant", id="lap_total"),
        width=FILL,
        min_height=48.0,
        pad=(40.0, 0.0, 40.0, 0.0),
    )


def button(ctx: Context) -> Node:
    """Reset, start or pause, lap."""
    watch = _state(ctx)
    running = watch["state"] == "running"

    def toggle() -> None:
        now = ctx.now_ms
        if running:
            ctx.db.update("stopwatch", 1, state="paused", elapsed_ms=elapsed(ctx, watch), started_ms=0)
        else:
            ctx.db.update("stopwatch", 1, state="running", started_ms=now)

    def reset() -> None:
        ctx.db.update("stopwatch", 1, state="reset", started_ms=0, elapsed_ms=0)
        ctx.db.execute("DELETE FROM laps")

    def lap() -> None:
        ctx.db.insert("laps", total_ms=elapsed(ctx, watch))

    side: dict[str, Any] = {"size": 64.0, "glyph": 28.0, "bg": "secondaryContainer", "color": "onSecondaryContainer"}
    left = (
        IconButton("restart", reset, ctx.tr("reset"), id="reset_button", **side)
        if watch["state"] == "paused"
        else Space(width=64.0)
    )
    right = (
        IconButton("timer-plus-outline", lap, ctx.tr("lap"), id="lap_button", **side) if running else Space(width=64.0)
    )
    play = Fab("pause" if running else "play", ctx.tr("pause" if running else "start"), toggle, large=True)
    return Node("row", (left, play, right), gap=24.0)
