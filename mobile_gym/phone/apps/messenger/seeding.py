"""Fills the app from its seed files: the account, people, chats, moments, money."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import yaml

from mobile_gym.phone.apps.contacts_provider.seeding import days_ago
from mobile_gym.phone.apps.messenger import notices, store

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

_FIRST_FRIENDS = 12
"""So many of the friends a new account knows already."""
_FLAGS = ("pinned", "muted", "saved", "announcement", "my_nickname", "avatar", "draft", "show_names")


@lru_cache(maxsize=2)
def _read(language: str) -> Mapping[str, Any]:
    text = files(store.MODULE).joinpath(f"seed_{language}.yaml").read_text(encoding="utf-8")
    found: Mapping[str, Any] = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return found


class _Filling:
    """One filling of the app's database.

    Args:
        phone: the phone.
        language: the language of the seed.
    """

    def __init__(self, phone: Phone, language: str) -> None:
        self.phone = phone
        self.data = store.database(phone)
        self.seeds = _read(language)
        self.keys: dict[str, int] = {"me": store.ME}

    def when(self, days: int | str, time: str) -> int:
        """Milliseconds of a local time some days before today."""
        return days_ago(self.phone, int(days), time)

    def people(self, lived: bool) -> None:
        """The owner, friends, strangers and who asks to be added."""
        me = self.seeds["me"]
        self.data.insert("contacts", _id=store.ME, status="self", **me)
        self.data.insert("wallet", balance_cents=int(self.seeds["clean_balance_cents"]), pin=str(self.seeds["pin"]))
        store.put_setting(self.phone, "password", str(self.seeds["password"]))
        friends = self.seeds["friends"]
        for row in friends if lived else friends[:_FIRST_FRIENDS]:
            self._person(row, "friend")
        for row in self.seeds["strangers"]:
            self._person(row, "stranger")
        for row in self.seeds["requests"] if lived else ():
            values = dict(row)
            day, time = str(values.pop("asked")).split(" ")
            self._person(values, "request", request_date=self.when(day, time))

    def _person(self, row: Mapping[str, Any], status: str, **more: int) -> None:
        values = {
            name: int(value) if isinstance(value, bool) else value for name, value in row.items() if name != "key"
        }
        self.keys[str(row["key"])] = self.data.insert("contacts", status=status, **values, **more)

    def chats(self) -> None:
        """Chats with their members and messages."""
        for entry in self.seeds["chats"]:
            flags = {name: entry[name] for name in _FLAGS if name in entry}
            if "with" in entry:
                key = self.data.insert("chats", kind="single", contact_id=self.keys[entry["with"]], **flags)
            else:
                owner = self.keys[entry["members"][0]]
                key = self.data.insert("chats", kind="group", name=entry["name"], owner_id=owner, **flags)
                self.keys[entry["key"]] = -key
                people = [(key, self.keys[name]) for name in entry["members"] if name != "me"]
                self.data.insert_many("members", ("chat_id", "contact_id"), people)
            self._messages(key, entry)

    def _messages(self, chat: int, entry: Mapping[str, Any]) -> None:
        """Lines are `days hh:mm sender text`; `>` is the owner, `<` the other one, `[kind] …` more than text."""
        lines = entry["messages"]
        unread = int(entry.get("unread", 0))
        incoming = sum(1 for line in lines if line.split(" ", 3)[2] not in (">", "--"))
        number = 0
        for line in lines:
            day, time, who, text = line.split(" ", 3)
            mine = who in (">", "--")
            sender = store.ME if mine else self.keys[entry["with"] if who == "<" else who]
            number += not mine
            fresh = not mine and number > incoming - unread
            date = self.when(day, time)
            self._message(chat, sender, date, "system" if who == "--" else "", text, int(not fresh))
        self.data.execute("UPDATE messages SET seen = 1 WHERE chat_id = ?", chat)

    def _message(self, chat: int, sender: int, date: int, kind: str, text: str, read: int) -> None:
        values: dict[str, Any] = {}
        if not kind:
            kind = "text"
            if text.startswith("[") and "]" in text:
                kind, _, text = text[1:].partition("]")
                kind, text = kind.strip(), text.strip()
        parts = [part.strip() for part in text.split("|")]
        if kind in ("red_packet", "transfer", "poll"):
            getattr(self, f"_{kind}")(chat, sender, date, parts)
            self.data.execute(
                "UPDATE messages SET read = ? WHERE chat_id = ? AND date = ? AND sender_id > 1", read, chat, date
            )
            return
        if kind == "image":
            values["source"], text = parts[0], ""
        elif kind == "voice":
            values.update(seconds=int(parts[0]), played=read)
            text = parts[1]
        elif kind == "card":
            values["ref_id"] = self.keys[parts[0]]
            text = store.title_of(self.phone, values["ref_id"])
        elif kind == "location":
            text, values["source"] = parts
        elif kind == "file":
            text, values["size"] = parts[0], int(parts[1])
        elif kind == "recalled":
            kind, values["recalled"] = "text", 1
        if kind == "text" and "@" in text:
            values["mentions"] = store.mentioned(self.phone, chat, text)
            named = values["mentions"].split(",")
            values["mentions_me"] = int(sender != store.ME and (str(store.ME) in named or store.ALL in named))
        self.data.insert(
            "messages", chat_id=chat, sender_id=sender, kind=kind, body=text, date=date, read=read, seen=1, **values
        )

    def _red_packet(self, chat: int, sender: int, date: int, parts: list[str]) -> None:
        """`cents | count | greeting | who: cents, …`."""
        key = self.data.insert(
            "red_packets",
            chat_id=chat,
            sender_id=sender,
            amount_cents=int(parts[0]),
            count=int(parts[1]),
            greeting=parts[2],
            date=date,
        )
        for number, share in enumerate(filter(None, parts[3].split(",")) if len(parts) > 3 else (), 1):
            who, cents = share.split(":")
            self.data.insert(
                "red_packet_shares",
                red_packet_id=key,
                contact_id=self.keys[who.strip()],
                amount_cents=int(cents),
                date=date + number * 60_000,
            )

    def _transfer(self, chat: int, sender: int, date: int, parts: list[str]) -> None:
        """`cents | note | state`."""
        other = self.data.value("SELECT contact_id FROM chats WHERE _id = ?", chat)
        state = parts[2]
        self.data.insert(
            "transfers",
            chat_id=chat,
            sender_id=sender,
            receiver_id=other if sender == store.ME else store.ME,
            amount_cents=int(parts[0]),
            note=parts[1],
            state=state,
            date=date,
            settled_date=None if state == "pending" else date + 240_000,
        )

    def _poll(self, chat: int, sender: int, date: int, parts: list[str]) -> None:
        """`question | option: who who | option: …`, `+` before the question where several may be chosen."""
        options = [part.partition(":") for part in parts[1:]]
        question = parts[0].removeprefix("+").strip()
        key = self.data.insert(
            "polls",
            chat_id=chat,
            author_id=sender,
            question=question,
            options="|".join(option.strip() for option, _, _ in options),
            multiple=int(parts[0].startswith("+")),
            date=date,
        )
        for option, _, who in options:
            for name in who.split():
                self.data.insert(
                    "votes", poll_id=key, contact_id=self.keys[name], choice=option.strip(), date=date + 300_000
                )

    def moments(self) -> None:
        """Posts with their likes and comments."""
        for entry in self.seeds["moments"]:
            day, time = str(entry["at"]).split(" ")
            date = self.when(day, time)
            key = self.data.insert(
                "moments",
                author_id=self.keys[entry["by"]],
                body=entry.get("text", ""),
                pictures="|".join(entry.get("pictures", ())),
                location=entry.get("location", ""),
                visibility=entry.get("visibility", "public"),
                date=date,
            )
            for number, who in enumerate(str(entry.get("likes", "")).split(), 1):
                self.data.insert("likes", moment_id=key, contact_id=self.keys[who], date=date + number * 120_000)
            for number, line in enumerate(entry.get("comments", ()), 1):
                who, text = line.split(" ", 1)
                author, _, to = who.partition(">")
                self.data.insert(
                    "comments",
                    moment_id=key,
                    author_id=self.keys[author],
                    reply_to_id=self.keys[to] if to else None,
                    body=text,
                    date=date + number * 420_000,
                )

    def rest(self) -> None:
        """Favourites, the balance, settings, notifications of what was not read."""
        for entry in self.seeds["favourites"]:
            day, time = str(entry["at"]).split(" ")
            values = {name: value for name, value in entry.items() if name != "at"}
            found = self.data.row("SELECT _id FROM messages WHERE body = ? AND body <> ''", str(entry.get("body", "")))
            self.data.insert(
                "favourites", date=self.when(day, time), message_id=None if found is None else found["_id"], **values
            )
        self.data.execute("UPDATE wallet SET balance_cents = ?", int(self.seeds["balance_cents"]))
        store.put_setting(self.phone, "moments_seen", str(self.when(1, "21:00")))
        for chat in self.data.rows("SELECT * FROM view_chats WHERE unread_count > 0 AND muted = 0 ORDER BY date"):
            row = store.message(self.phone, chat["last_id"])
            if row is not None and chat["date"] >= self.when(0, "00:00"):
                notices.post(self.phone, chat, row, chat["date"])


def fill(phone: Phone, lived: bool, language: str) -> None:
    """Fills the app for a factory snapshot.

    Args:
        phone: the phone.
        lived: whether somebody lived with it for a month; else it has an account with contacts and nothing more.
        language: `zh` or `en`.
    """
    filling = _Filling(phone, language)
    filling.people(lived)
    if lived:
        filling.chats()
        filling.moments()
        filling.rest()
