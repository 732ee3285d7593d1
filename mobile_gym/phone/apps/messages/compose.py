"""A new message: whom to, and what."""

from __future__ import annotations

from mobile_gym.phone.apps.contacts_provider.numbers import normalise, shown
from mobile_gym.phone.apps.contacts_provider.people import Person, people
from mobile_gym.phone.apps.messages import look, rows, store
from mobile_gym.phone.apps.messages.composer import FIELD, Writing, composer
from mobile_gym.phone.apps.telephony.threads import thread_of
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import EmptyState, Icon, LazyList, Row, Scaffold, SectionTitle, Text, TopBar
from mobile_gym.phone.ui.widgets.fields import field

TO = "recipient_text_view"


def split_numbers(text: str) -> list[str]:
    """The numbers in what was typed for a recipient: parts between commas that could be dialled."""
    parts = [part.strip() for part in text.replace("\uff0c", ",").replace(";", ",").split(",")]
    return [part for part in parts if len(normalise(part)) >= 3 and normalise(part).isdigit()]


class Compose(Writing, Screen):
    """A new message. Arguments: `addresses` and `body`."""

    name = "compose"
    activity = ".ui.contact.ContactPickerActivity"

    def on_open(self, ctx: Context) -> None:
        """Takes over recipients and text; the cursor goes where something is missing."""
        given = ctx.args.get("addresses") or ctx.args.get("address") or []
        ctx.ui["to"] = [given] if isinstance(given, str) else list(given)
        body = str(ctx.args.get("body") or ctx.args.get("sms_body") or "")
        ctx.set_field(FIELD, body)
        ctx.set_field(TO, "")
        ctx.focus(FIELD if ctx.ui["to"] else TO)

    def on_back(self, ctx: Context) -> bool:
        """Keeps the text as a draft of the one recipient."""
        body = ctx.field(FIELD)
        chosen = self._recipients(ctx)
        if body.strip() and len(chosen) == 1:
            store.save_draft(ctx.phone, chosen[0], body)
            ctx.toast(ctx.tr("draft_saved"))
        return False

    def build(self, ctx: Context) -> Node:
        """Recipients, suggestions, composer."""
        everyone = people(ctx.phone)
        by_number = {normalise(person.number): person for person in reversed(everyone)}
        chosen: list[str] = ctx.ui["to"]
        top = TopBar(ctx, ctx.tr("new_message"))
        chips = [self._chip(ctx, address, look.find_person(by_number, address)) for address in chosen]
        line = field(
            ctx,
            TO,
            hint=ctx.tr("to_hint") if not chosen else ctx.tr("to_more"),
            action="next",
            on_submit=lambda: self._take_typed(ctx),
            width=FILL,
            min_height=48.0,
            pad=(0.0, 12.0, 0.0, 12.0),
        )
        parts: list[Node] = []
        for start in range(0, len(chips), 2):
            parts.append(Row(*chips[start : start + 2], gap=8.0, width=FILL, pad=(0.0, 8.0, 0.0, 0.0)))
        label = Text(ctx.tr("to"), "bodyLarge", "onSurfaceVariant", pad=(0.0, 12.0, 0.0, 12.0), id="to_label")
        recipients = Node(
            "row",
            (label, Node("col", (*parts, line), weight=1.0, hidden_from_tree=True)),
            gap=16.0,
            width=FILL,
            align="start",
            pad=(16.0, 0.0, 16.0, 4.0),
            bg="surfaceContainerLow",
            id="recipients",
        )
        body = Node("col", (recipients, self._suggestions(ctx, everyone, chosen)), width=FILL, hidden_from_tree=True)
        ready = bool(self._recipients(ctx))
        # While somebody is being looked for, the suggestions get all the room.
        looking = line.focused and not chosen and not ctx.field(FIELD)
        bottom = None if looking else composer(ctx, lambda: self._send(ctx), lambda text: None, ready)
        return Scaffold(body, top=top, bottom=bottom)

    def _chip(self, ctx: Context, address: str, person: Person | None) -> Node:
        name = look.title(person, address, ctx.language)

        def drop() -> None:
            ctx.ui["to"] = [other for other in ctx.ui["to"] if other != address]

        return Node(
            "row",
            (
                Text(name, "labelLarge", "onSecondaryContainer", max_lines=1, max_width=120.0),
                Icon("close", 18.0, "onSecondaryContainer", hidden_from_tree=True),
            ),
            gap=6.0,
            min_height=36.0,
            radius=8.0,
            pad=(12.0, 4.0, 8.0, 4.0),
            bg="secondaryContainer",
            id="recipient_chip",
            desc=ctx.tr("remove_recipient", name=name),
            on_tap=drop,
        )

    def _suggestions(self, ctx: Context, everyone: list[Person], chosen: list[str]) -> Node:
        query = ctx.field(TO).strip()
        taken = {normalise(address) for address in chosen}
        if chosen and not query:
            return Node("box", width=FILL, weight=1.0, hidden_from_tree=True)
        found = [p for p in everyone if normalise(p.number) not in taken and (not query or p.matches(query))]

        def add(address: str) -> None:
            ctx.ui["to"] = [*ctx.ui["to"], address]
            ctx.set_field(TO, "")
            ctx.record["scroll"].pop("contact_list", None)
            ctx.focus(FIELD)

        typed = split_numbers(query)
        items: list[Node | Person] = []
        if typed and not any(normalise(p.number) == normalise(typed[-1]) for p in found):
            number = typed[-1]
            note = ctx.tr("send_to", number=shown(number, ctx.language))
            items.append(rows.person_row(ctx, None, number, lambda: add(number), note))
        if not query:
            items.append(SectionTitle(ctx.tr("all_contacts"), 16.0))
        items += found
        empty = EmptyState("account-search-outline", ctx.tr("no_contact_found"))
        if not found and not typed:
            items = []
        return LazyList(
            items,
            row=lambda person: rows.person_row(ctx, person, person.number, lambda: add(person.number)),
            id="contact_list",
            empty=empty,
        ).replace(weight=1.0)

    def _recipients(self, ctx: Context) -> list[str]:
        return [*ctx.ui["to"], *split_numbers(ctx.field(TO))]

    def _take_typed(self, ctx: Context) -> None:
        typed = split_numbers(ctx.field(TO))
        if not typed:
            matches = [person for person in people(ctx.phone) if person.matches(ctx.field(TO))]
            typed = [matches[0].number] if len(matches) == 1 and ctx.field(TO).strip() else []
        if typed:
            ctx.ui["to"] = [*ctx.ui["to"], *typed]
            ctx.set_field(TO, "")
        if ctx.ui["to"]:
            ctx.focus(FIELD)

    def _send(self, ctx: Context) -> None:
        text = ctx.field(FIELD).strip()
        recipients = self._recipients(ctx)
        if not text or not recipients:
            ctx.toast(ctx.tr("no_recipient" if text else "no_text"))
            return
        for address in recipients:
            thread_of(ctx.phone, address)
            store.send(ctx.phone, address, text)
            store.set_flag(ctx.phone, [address], "archived", False)
        ctx.finish()
        if len(recipients) == 1:
            ctx.go("thread", address=recipients[0])
        else:
            ctx.toast(ctx.tr("sent_many", count=len(recipients)))
