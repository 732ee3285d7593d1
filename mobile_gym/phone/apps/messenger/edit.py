"""One line of text that is changed: names, nicknames, announcements, remarks."""

from __future__ import annotations

from mobile_gym.phone.apps.messenger import look, store
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Column, Text
from mobile_gym.phone.ui.widgets.fields import field

FIELD = "edit_field"

_WHAT = {
    # what: (table, column, most characters, whether it may be empty, whether it has many lines)
    "group_name": ("chats", "name", 32, False, False),
    "announcement": ("chats", "announcement", 500, True, True),
    "my_nickname": ("chats", "my_nickname", 20, True, False),
    "remark": ("contacts", "remark", 24, True, False),
    "note": ("contacts", "note", 200, True, True),
    "tags": ("contacts", "tags", 60, True, False),
    "my_name": ("contacts", "name", 20, False, False),
    "signature": ("contacts", "signature", 60, True, True),
    "region": ("contacts", "region", 24, True, False),
}


class EditText(Screen):
    """A text of a chat or a person. Arguments: `what`, one of the kinds above, and `key`, the `_id` of its row."""

    name = "edit_text"
    activity = ".ui.tools.ModifyTextUI"

    def on_open(self, ctx: Context) -> None:
        """Takes up the text as it is."""
        if ctx.args.get("what") not in _WHAT:
            ctx.args.update(what="my_name")
        table, column, *_ = _WHAT[ctx.args["what"]]
        found = ctx.db.value(f"SELECT {column} FROM {table} WHERE _id = ?", look.number(ctx, "key", store.ME))
        ctx.set_field(FIELD, str(found or ""))
        ctx.focus(FIELD)

    def build(self, ctx: Context) -> Node:
        """Field and the button that saves."""
        t = look.tone(ctx)
        what = str(ctx.args["what"])
        table, column, most, empty, long = _WHAT[what]
        text = ctx.field(FIELD).strip()

        def save() -> None:
            key = look.number(ctx, "key", store.ME)
            gone = ctx.db.value(f"SELECT 1 FROM {table} WHERE _id = ?", key) is None
            if gone or (not text and not empty):
                return
            ctx.db.update(table, key, **{column: text})
            if what == "group_name":
                store.tell(ctx.phone, key, ctx.tr("you_renamed", name=text))
            elif what == "announcement" and text:
                store.send(ctx.phone, key, "text", ctx.tr("announcement_message", text=text), mentions=store.ALL)
            ctx.finish()

        box = field(
            ctx,
            FIELD,
            hint=ctx.tr(f"edit_{what}_hint"),
            multiline=long,
            max_lines=8,
            max_length=most,
            on_submit=save,
            width=FILL,
            color=t.ink,
        )
        card = Node(
            "col",
            (box,),
            width=FILL,
            min_height=156.0 if long else 56.0,
            justify="start" if long else "center",
            bg=t.card,
            pad=(16.0, 12.0, 16.0, 12.0),
            on_tap=lambda: ctx.focus(FIELD),
            hidden_from_tree=True,
        )
        helper = Text(
            ctx.tr(f"edit_{what}_note"), "bodyMedium", t.faint, width=FILL, pad=(16.0, 8.0, 16.0, 8.0), id="edit_note"
        )
        action = look.bar_action(ctx, ctx.tr("done"), save, "save_button", enabled=bool(text) or empty)
        top = look.action_bar(ctx, ctx.tr(f"edit_{what}"), action)
        return look.page(ctx, Column(card, helper, width=FILL), top=top)
