"""What can be done with one message: the sheet of a long press, and its dialogs."""

from __future__ import annotations

from datetime import datetime, timedelta

from mobile_gym.phone.apps.contacts_provider.numbers import shown
from mobile_gym.phone.apps.messages import bubbles, look, store
from mobile_gym.phone.apps.messages.calls import SEND, handlers, share
from mobile_gym.phone.apps.messages.store import Message
from mobile_gym.phone.apps.telephony.threads import RECEIVED
from mobile_gym.phone.door import Intent
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import AppDisc, Column, Dialog, Disc, Divider, ListRow, Row, Sheet, Text

_PAD = (24.0, 8.0, 24.0, 8.0)


def reminder_times(now: datetime) -> list[datetime]:
    """Times to choose from: in an hour, this afternoon if it is to come, tomorrow morning."""
    found = [(now + timedelta(hours=1)).replace(second=0, microsecond=0)]
    evening = now.replace(hour=17, minute=0, second=0, microsecond=0)
    if evening > found[0]:
        found.append(evening)
    found.append((now + timedelta(days=1)).replace(hour=9, minute=0, second=0, microsecond=0))
    return found


class MessageOptions:
    """Overlays of a screen that shows messages."""

    def overlay_options(self, ctx: Context, key: int) -> Node:
        """The sheet: the message, whom to forward it to, and what else."""
        found = store.message(ctx.phone, key)
        if found is None:
            return Sheet(ctx, title=ctx.tr("message_options"))
        body = found["body"] or ""
        preview = Text(
            body,
            "bodyMedium",
            "onSurfaceVariant",
            bg="surfaceContainerHigh",
            radius=12.0,
            width=FILL,
            max_lines=2,
            pad=(16.0, 12.0, 16.0, 12.0),
            id="message_preview",
        )

        def copy() -> None:
            ctx.phone.set_clipboard(body)
            ctx.toast(ctx.tr("copied"))

        def star() -> None:
            store.set_starred(ctx.phone, key, not found["locked"])
            ctx.toast(ctx.tr("unstarred_toast" if found["locked"] else "starred_toast"))

        at = store.reminder(ctx.phone, key)
        times = reminder_times(ctx.now)
        suggested = ctx.phone.state.clock.to_ms(times[1] if len(times) > 2 else times[-1])
        remind = look.stamp(ctx, at if at is not None else suggested)
        rows = [
            self._entry("content-copy", ctx.tr("copy_text"), ctx.then_dismiss(copy), "option_copy"),
            self._entry(
                "star-off-outline" if found["locked"] else "star-outline",
                ctx.tr("unstar" if found["locked"] else "star"),
                ctx.then_dismiss(star),
                "option_star",
            ),
            self._entry(
                "alarm",
                ctx.tr("remind"),
                self._swap(ctx, "remind", key),
                "option_remind",
                ctx.tr("remind_set", time=remind) if at is not None else remind,
            ),
            self._entry(
                "information-outline", ctx.tr("message_details"), self._swap(ctx, "info", key), "option_details"
            ),
            self._entry(
                "trash-can-outline",
                ctx.tr("delete"),
                self._swap(ctx, "delete_message", key),
                "option_delete",
                ink="error",
            ),
        ]
        return Sheet(
            ctx,
            Row(preview, width=FILL, pad=(24.0, 0.0, 24.0, 0.0), hidden_from_tree=True),
            self._targets(ctx, found),
            Divider(24.0),
            Column(*rows, width=FILL, pad=(0.0, 8.0, 0.0, 8.0)),
            title=ctx.tr("message_options"),
        )

    def _entry(self, icon: str, text: str, on_tap: Handler, id: str, detail: str = "", ink: str = "onSurface") -> Node:
        row = ListRow(text, detail, icon=icon, on_tap=on_tap, id=id, title_color=ink)
        if ink != "onSurface":
            glyph, *rest = row.children
            row = row.replace(children=(glyph.replace(color=ink), *rest))
        return row.replace(pad=_PAD)

    def _swap(self, ctx: Context, name: str, key: int) -> Handler:
        def handle() -> None:
            ctx.dismiss()
            ctx.open_overlay(name, key=key)

        return handle

    def _targets(self, ctx: Context, message: Message) -> Node:
        body = message["body"] or ""
        people = store.people_by_number(ctx.phone)
        cells: list[Node] = []
        recent = store.list_threads(ctx.phone, archived=False, kind="contacts", people=people)
        for thread in recent:
            person = look.find_person(people, thread["address"])
            if person is None or person.photo.startswith("icon") or thread["address"] == message["address"]:
                continue
            first, *rest = person.name.split()
            short = rest[-1] if rest and (ctx.language == "zh" or first.endswith(".")) else first
            cells.append(
                self._target(
                    look.face(person, 56.0), short, self._forward(ctx, body, thread["address"]), person.name, ctx
                )
            )
            if len(cells) == 3:
                break
        for package in handlers(ctx.phone, Intent(action=SEND, mime="text/plain"))[: 4 - len(cells)]:
            app = ctx.phone.apps[package]
            if app.icon is not None:
                label = app.label(ctx.language)
                cells.append(self._target(AppDisc(app.icon, 56.0), label, self._share(ctx, package, body), label, ctx))
        more = Disc("dots-horizontal", 56.0, "secondaryContainer", "onSecondaryContainer", 24.0)
        cells.append(self._target(more, ctx.tr("more"), self._forward(ctx, body, ""), ctx.tr("forward_more"), ctx))
        return Row(*cells, width=FILL, pad=(16.0, 20.0, 16.0, 20.0), align="start", id="forward_targets")

    def _target(self, disc: Node, label: str, on_tap: Handler, name: str, ctx: Context) -> Node:
        text = Text(label, "bodySmall", max_lines=1, text_align="center", width=FILL)
        return Column(
            disc,
            text,
            gap=8.0,
            align="center",
            weight=1.0,
            on_tap=on_tap,
            id="forward_target",
            desc=ctx.tr("forward_to", name=name),
            pad=(2.0, 0.0, 2.0, 0.0),
        )

    def _forward(self, ctx: Context, body: str, address: str) -> Handler:
        def handle() -> None:
            ctx.dismiss()
            ctx.go("compose", body=body, addresses=[address] if address else [])

        return handle

    def _share(self, ctx: Context, package: str, body: str) -> Handler:
        def handle() -> None:
            ctx.dismiss()
            share(ctx, package, body)

        return handle

    def overlay_remind(self, ctx: Context, key: int) -> Node:
        """When to be reminded."""
        at = store.reminder(ctx.phone, key)

        def choose(moment: int | None) -> Handler:
            def handle() -> None:
                ctx.dismiss()
                store.set_reminder(ctx.phone, key, moment)
                text = ctx.tr("remind_off") if moment is None else ctx.tr("remind_toast", time=look.stamp(ctx, moment))
                ctx.toast(text)

            return handle

        times = [ctx.phone.state.clock.to_ms(moment) for moment in reminder_times(ctx.now)]
        rows = [
            ListRow(look.stamp(ctx, ms), icon="alarm", on_tap=choose(ms), id="reminder_time").replace(pad=_PAD)
            for ms in times
        ]
        if at is not None:
            text = ctx.tr("remind_cancel", time=look.stamp(ctx, at))
            rows.append(ListRow(text, icon="alarm-off", on_tap=choose(None), id="reminder_cancel").replace(pad=_PAD))
        return Dialog(ctx, ctx.tr("remind"), Column(*rows, width=FILL), actions=((ctx.tr("cancel"), ctx.dismiss),))

    def overlay_info(self, ctx: Context, key: int) -> Node:
        """Who, when, and what became of it."""
        found = store.message(ctx.phone, key)
        lines: list[str] = []
        if found is not None:
            mine = found["type"] != RECEIVED
            number = shown(found["address"], ctx.language)
            lines = [
                ctx.tr("info_type"),
                ctx.tr("info_to" if mine else "info_from", number=number),
                ctx.tr(
                    "info_sent",
                    time=look.full_time(ctx, found["date"] if mine else found["date_sent"] or found["date"]),
                ),
            ]
            if mine:
                lines.append(ctx.tr("info_status", status=bubbles.state_text(ctx, found)))
            else:
                lines.append(ctx.tr("info_received", time=look.full_time(ctx, found["date"])))
        return Dialog(ctx, ctx.tr("message_details"), "\n".join(lines), actions=((ctx.tr("close"), ctx.dismiss),))

    def overlay_delete_message(self, ctx: Context, key: int) -> Node:
        """Asks before a message is deleted."""

        def act() -> None:
            ctx.dismiss()
            store.delete_message(ctx.phone, key)

        return Dialog(
            ctx,
            ctx.tr("delete_message_title"),
            ctx.tr("delete_message_text"),
            icon="trash-can-outline",
            actions=((ctx.tr("cancel"), ctx.dismiss), (ctx.tr("delete"), act)),
        )
