"""Polls of groups: making one, voting, results."""

from __future__ import annotations

from mobile_gym.phone.apps.messenger import look, overlays, store
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Icon, IconButton, LazyList, Text
from mobile_gym.phone.ui.widgets.fields import field

QUESTION, OPTION = "poll_question", "poll_option_"
FEWEST, MOST = 2, 8
"""How many choices a poll has."""


class NewPoll(Screen):
    """A new poll of a group. Argument: `chat`."""

    name = "new_poll"
    activity = ".ui.poll.PollCreateUI"

    def on_open(self, ctx: Context) -> None:
        """Two empty choices."""
        ctx.ui.update(count=FEWEST, multiple=False)
        ctx.focus(QUESTION)

    def build(self, ctx: Context) -> Node:
        """Question, choices, switch, button."""
        t = look.tone(ctx)
        count = int(ctx.ui["count"])
        question = ctx.field(QUESTION).strip()
        texts = [ctx.field(f"{OPTION}{place}").strip().replace("|", "/") for place in range(count)]
        options = list(dict.fromkeys(text for text in texts if text))
        chat = look.number(ctx, "chat")
        ready = bool(question) and len(options) >= FEWEST and store.chat(ctx.phone, chat) is not None

        def line(id: str, hint: str, drop: int | None = None) -> Node:
            inner = field(ctx, id, hint=hint, max_length=40, action="next", width=FILL, color=t.ink)
            parts = [inner.replace(weight=1.0)]
            if drop is not None and count > FEWEST:
                parts.append(
                    IconButton(
                        "minus-circle-outline",
                        lambda: remove(drop),
                        ctx.tr("delete"),
                        id=f"drop_{drop}",
                        size=40.0,
                        color=t.red,
                    )
                )
            return Node(
                "row",
                parts,
                gap=8.0,
                width=FILL,
                min_height=56.0,
                bg=t.card,
                pad=(16.0, 6.0, 8.0, 6.0),
                hidden_from_tree=True,
            )

        def remove(place: int) -> None:
            left = [ctx.field(f"{OPTION}{other}") for other in range(count) if other != place]
            for number, text in enumerate([*left, ""]):
                ctx.set_field(f"{OPTION}{number}", text)
            ctx.ui["count"] = count - 1

        def add() -> None:
            ctx.ui["count"] = count + 1
            ctx.focus(f"{OPTION}{count}")

        def make() -> None:
            ctx.focus(None)
            ctx.db.insert(
                "polls",
                chat_id=chat,
                author_id=store.ME,
                question=question,
                options="|".join(options),
                multiple=int(ctx.ui["multiple"]),
                date=ctx.now_ms,
            )
            ctx.finish({"done": True})

        rows: list[Node] = [look.section(ctx, ctx.tr("poll_question")), line(QUESTION, ctx.tr("poll_question_hint"))]
        rows.append(look.section(ctx, ctx.tr("poll_options")))
        for place in range(count):
            if place:
                rows.append(look.hairline_over(ctx, 16.0))
            rows.append(line(f"{OPTION}{place}", ctx.tr("poll_option_hint", number=place + 1), place))
        if count < MOST:
            rows.append(look.hairline_over(ctx, 16.0))
            plus = Icon("plus-circle-outline", 22.0, t.green, hidden_from_tree=True)
            rows.append(
                look.row(
                    ctx,
                    ctx.tr("poll_add_option"),
                    id="add_option",
                    leading=plus,
                    color=t.green,
                    on_tap=add,
                    arrow=False,
                    line=False,
                )
            )
        rows.append(look.gap())
        rows.append(
            look.switch_row(
                ctx,
                ctx.tr("poll_multiple"),
                bool(ctx.ui["multiple"]),
                lambda on: ctx.ui.update(multiple=on),
                id="poll_multiple",
            )
        )
        action = look.bar_action(ctx, ctx.tr("poll_publish"), make, "poll_publish", ready)
        return look.page(
            ctx,
            LazyList(look.cards(rows), id="poll_form", bottom_pad=24.0),
            top=look.action_bar(ctx, ctx.tr("new_poll"), action),
        )


class PollPage(Screen):
    """A poll: voting and results. Argument: `poll`."""

    name = "poll"
    activity = ".ui.poll.PollDetailUI"

    def on_open(self, ctx: Context) -> None:
        """Nothing is chosen yet."""
        ctx.ui["chosen"] = []

    def build(self, ctx: Context) -> Node:
        """Question, choices, button."""
        t = look.tone(ctx)
        key = look.number(ctx, "poll")
        poll = ctx.db.row("SELECT * FROM view_polls WHERE _id = ?", key)
        if poll is None:
            gone = look.empty(ctx, "poll", ctx.tr("quote_gone"))
            return look.page(ctx, LazyList((), id="poll_list", empty=gone), top=look.top_bar(ctx, ctx.tr("poll_foot")))
        votes = ctx.db.rows("SELECT * FROM view_votes WHERE poll_id = ? ORDER BY date, _id", key)
        mine = [vote["choice"] for vote in votes if vote["contact_id"] == store.ME]
        voters = len({vote["contact_id"] for vote in votes})
        results = bool(mine) or bool(poll["closed"])
        chosen: list[str] = ctx.ui["chosen"]

        def choose(option: str) -> None:
            if not poll["multiple"]:
                ctx.ui["chosen"] = [option]
            else:
                ctx.ui["chosen"] = [o for o in chosen if o != option] if option in chosen else [*chosen, option]

        def vote() -> None:
            rows = [(key, store.ME, option, ctx.now_ms) for option in chosen]
            ctx.db.insert_many("votes", ("poll_id", "contact_id", "choice", "date"), rows)
            ctx.ui["chosen"] = []
            ctx.toast(ctx.tr("poll_voted"))

        kind = ctx.tr("poll_many" if poll["multiple"] else "poll_one")
        head = Node(
            "col",
            (
                Text(poll["question"], "titleLarge", t.ink, text_weight=500, id="poll_title"),
                Text(
                    ctx.tr("poll_head", author=poll["author"], kind=kind, count=voters),
                    "bodyMedium",
                    t.faint,
                    id="poll_info",
                ),
            ),
            gap=6.0,
            width=FILL,
            pad=(20.0, 18.0, 20.0, 18.0),
            bg=t.card,
            hidden_from_tree=True,
        )
        rows: list[Node] = [head, look.gap()]
        for option in str(poll["options"]).split("|"):
            who = [vote["contact"] for vote in votes if vote["choice"] == option]
            rows.append(
                self._option(ctx, option, who, len(votes), results, option in (mine if results else chosen), choose)
            )
        if not results:
            button = look.button(ctx, ctx.tr("poll_vote"), vote, id="poll_vote", enabled=bool(chosen))
            rows.append(
                Node(
                    "box",
                    (button.replace(place="center-center"),),
                    width=FILL,
                    pad=(0.0, 24.0, 0.0, 24.0),
                    hidden_from_tree=True,
                )
            )
        elif not poll["closed"]:
            rows.append(look.gap())
            rows.append(
                look.row(ctx, ctx.tr("poll_again"), id="poll_again", center=True, on_tap=lambda: self._again(ctx, key))
            )
        if poll["author_id"] == store.ME and not poll["closed"]:
            rows.append(look.gap())
            rows.append(
                look.row(
                    ctx,
                    ctx.tr("poll_close"),
                    id="poll_close",
                    center=True,
                    color=t.red,
                    on_tap=ctx.show("close", poll=key),
                    line=False,
                )
            )
        return look.page(
            ctx, LazyList(look.cards(rows), id="poll_list", bottom_pad=24.0), top=look.top_bar(ctx, ctx.tr("poll_foot"))
        )

    def _again(self, ctx: Context, key: int) -> None:
        ctx.db.execute("DELETE FROM votes WHERE poll_id = ? AND contact_id = 1", key)

    def _option(
        self, ctx: Context, option: str, who: list[str], votes: int, results: bool, on: bool, choose: object
    ) -> Node:
        t = look.tone(ctx)
        if not results:
            assert callable(choose)
            end = look.mark(ctx, on, option)
            return look.row(ctx, option, id="poll_option", trailing=end, on_tap=lambda: choose(option), selected=on)
        share = len(who) / votes if votes else 0.0
        names = ctx.tr("list_comma").join(who)
        filled = Node("space", weight=max(share, 0.001), height=8.0, radius=4.0, bg=t.green, hidden_from_tree=True)
        rest = Node("space", weight=max(1 - share, 0.001), height=8.0, hidden_from_tree=True)
        bar = Node("row", (filled, rest), width=FILL, height=8.0, radius=4.0, bg=t.press, hidden_from_tree=True)
        title = [Text(option, "bodyLarge", t.ink, weight=1.0, id="option_text")]
        if on:
            title.append(Icon("check-circle", 20.0, t.green, id="my_vote", desc=ctx.tr("poll_mine")))
        title.append(
            Text(
                ctx.tr("vote_count", count=len(who), percent=round(100 * share)),
                "bodyMedium",
                t.faint,
                max_lines=1,
                id="option_count",
            )
        )
        parts = [Node("row", title, gap=8.0, width=FILL, hidden_from_tree=True), bar]
        if names:
            parts.append(Text(names, "bodySmall", t.faint, max_lines=2, id="option_names"))
        return Node("col", parts, gap=8.0, width=FILL, bg=t.card, pad=(20.0, 12.0, 20.0, 12.0), id="poll_result")

    def overlay_close(self, ctx: Context, poll: int) -> Node:
        """Asks before a poll is ended."""
        return overlays.ask(
            ctx, "", ctx.tr("poll_close_text"), ctx.tr("poll_close"), lambda: ctx.db.update("polls", poll, closed=1)
        )
