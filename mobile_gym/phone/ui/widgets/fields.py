"""Text fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets.basics import Icon, Text
from mobile_gym.phone.ui.widgets.controls import IconButton

if TYPE_CHECKING:
    from mobile_gym.phone.system.app import Context


def field(
    ctx: Context,
    id: str,
    *,
    hint: str = "",
    password: bool = False,
    multiline: bool = False,
    max_lines: int = 5,
    input_type: str = "text",
    action: str = "done",
    on_change: Callable[[str], None] | None = None,
    on_submit: Handler | None = None,
    max_length: int = 0,
    select_on_focus: bool = False,
    enabled: bool = True,
    **attributes: Any,
) -> Node:
    """The bare field: text, cursor and selection, without a surface around it.

    Its text lives in the screen's record under `id`: `ctx.field(id)` reads it, `ctx.set_field(id, text)` fills it.

    Args:
        ctx: the screen's context.
        id: the field's name and resource-id.
        hint: what shows while it is empty.
        password: whether dots are shown in place of characters.
        multiline: whether Enter makes a new line.
        max_lines: how many lines a field of many lines shows.
        input_type: text, number, decimal, phone, email or password; which keys show and which characters are taken.
        action: what the keyboard's action key says: done, search, send, next, go.
        on_change: called with the text after each edit.
        on_submit: called by the action key and Enter.
        max_length: most characters that it takes; 0 for no limit.
        select_on_focus: whether a tap that gives it the focus selects its text.
        enabled: whether it can be edited.
        attributes: attributes of the node.
    """
    value = ctx.record["fields"].get(id)
    text = "" if value is None else value["text"]
    focused = ctx.phone.state.interface["focus"] == [ctx.record["uid"], id]
    cursor = (value["cursor"] if value is not None else len(text)) if focused else None
    selection = None
    underline = None
    if focused and value is not None:
        if value["anchor"] != value["cursor"]:
            start, end = sorted((value["anchor"], value["cursor"]))
            selection = (start, end)
        composing = ctx.phone.surface_record("keyboard")["ui"].get("composing", "")
        if composing:
            # The letters that the input method is still composing stand in the text, underlined.
            text = text[: value["cursor"]] + composing + text[value["cursor"] :]
            underline = (value["cursor"], value["cursor"] + len(composing))
            cursor = value["cursor"] + len(composing)
    return Node(
        "field",
        text=text,
        hint=hint,
        id=id,
        field_id=id,
        cursor=cursor,
        selection=selection,
        underline=underline,
        focused=focused,
        focusable=True,
        password=password,
        multiline=multiline,
        max_lines=max_lines if multiline else 1,
        input_type=input_type,
        action=action,
        on_change=on_change,
        on_submit=on_submit,
        max_length=max_length,
        select_on_focus=select_on_focus,
        enabled=enabled,
        **attributes,
    )


def TextField(
    ctx: Context, id: str, label: str, *, error: str = "", helper: str = "", icon: str = "", **options: Any
) -> Node:
    """A filled text field with its label above the text, and an error or helper line under it."""
    hint = options.pop("hint", "")
    inner = field(ctx, id, hint=hint or label, width=FILL, **options)
    if inner.focused and not hint:
        inner.hint = ""  # the label has moved above the text
    ink = "error" if error else "primary" if inner.focused else "onSurfaceVariant"
    above = [Text(label, "bodySmall", ink, max_lines=1)] if inner.text or inner.focused else []
    column = Node("col", (*above, inner), weight=1.0, align="stretch")
    parts = [Icon(icon, 24.0), column] if icon else [column]
    box = Node(
        "row",
        parts,
        gap=16.0,
        width=FILL,
        min_height=56.0,
        pad=(16.0, 8.0, 16.0, 8.0),
        bg="surfaceContainerHighest",
        radius=(4.0, 4.0, 0.0, 0.0),
    )
    line = Node("space", width=FILL, height=2.0 if inner.focused or error else 1.0, bg=ink, hidden_from_tree=True)
    children = [box, line]
    if error or helper:
        note = Text(
            error or helper,
            "bodySmall",
            "error" if error else "onSurfaceVariant",
            pad=(16.0, 4.0, 16.0, 0.0),
            id=f"{id}_note",
        )
        children.append(note)
    return Node("col", children, width=FILL)


def SearchField(
    ctx: Context,
    id: str,
    hint: str,
    *,
    on_back: Handler | None = None,
    trailing: Node | None = None,
    bg: str = "card",
    height: float = 56.0,
    **options: Any,
) -> Node:
    """A search bar: a pill with an icon (or Back), the field, and a button that clears it."""
    inner = field(ctx, id, hint=hint, width=FILL, action="search", **options)
    lead = (
        IconButton("arrow-left", on_back, ctx.tr("back"), id="back", size=40.0)
        if on_back is not None
        else Node("box", (Icon("magnify", 24.0, place="center-center"),), width=40.0, height=40.0)
    )
    tail: list[Node] = []
    if inner.text:

        def clear() -> None:
            ctx.set_field(id, "")
            ctx.focus(id)
            on_change = options.get("on_change")
            if on_change is not None:
                on_change("")

        tail.append(IconButton("close", clear, ctx.tr("clear"), id=f"{id}_clear", size=40.0))
    elif trailing is not None:
        tail.append(trailing)
    return Node(
        "row",
        (lead, inner.replace(weight=1.0), *tail),
        gap=4.0,
        width=FILL,
        min_height=height,
        radius=height / 2,
        bg=bg,
        pad=(8.0, 0.0, 8.0, 0.0),
        id=f"{id}_bar",
    )
