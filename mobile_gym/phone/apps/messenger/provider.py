"""The content provider: every table of the app, where people and chats may be given by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mobile_gym.phone.apps.launcher.names import initials
from mobile_gym.phone.apps.messenger import notices, store
from mobile_gym.phone.errors import ProviderError
from mobile_gym.phone.system.providers import Table, TableProvider, Values

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

_PERSON_COLUMNS = {
    "sender": "sender_id",
    "author": "author_id",
    "contact": "contact_id",
    "receiver": "receiver_id",
    "reply_to": "reply_to_id",
}
_WITH_DATE = (
    "chats",
    "messages",
    "moments",
    "comments",
    "likes",
    "favourites",
    "transfers",
    "red_packets",
    "red_packet_shares",
    "polls",
    "votes",
    "wallet_records",
)
_SENDERS = {"messages": "sender_id", "transfers": "sender_id", "red_packets": "sender_id", "polls": "author_id"}


def _now(phone: Phone, values: Values) -> int:
    return phone.state.clock.now_ms


def _named(phone: Phone, name: object, column: str) -> int:
    """The person with a title, name, number or account; `me` is the owner."""
    text = str(name)
    if text == "me":
        return store.ME
    found = store.database(phone).value(
        "SELECT _id FROM people WHERE ? IN (title, name, number, account) ORDER BY status = 'friend' DESC, _id LIMIT 1",
        text,
    )
    if found is None:
        raise ProviderError(f"content://{store.PACKAGE}: {column}={text!r} is nobody that the account knows")
    return int(found)


def _chat(phone: Phone, name: object) -> int:
    """The group with a name, or the chat with a person; made where the person has none yet."""
    found = store.database(phone).value("SELECT _id FROM chats WHERE kind = 'group' AND name = ?", str(name))
    return int(found) if found is not None else store.chat_with(phone, _named(phone, name, "chat"))


def _poll(phone: Phone, question: object) -> int:
    """The newest poll that asks a question."""
    found = store.database(phone).value("SELECT MAX(_id) FROM polls WHERE question = ?", str(question))
    if found is None:
        raise ProviderError(f"content://{store.PACKAGE}/votes: no poll asks {str(question)!r}")
    return int(found)


class MessengerProvider(TableProvider):
    """Tables of the app. Columns `chat`, `sender`, `author`, `contact`, `receiver`, `reply_to` of an insert take names.

    A vote takes the `question` of its poll.

    An insert into `chats` takes `members`, names with | between; the owner is a member of every group.

    Reading shows the same names beside the ids. Left out: the date is now, the sender of a message in a chat with
    one person is that person, and what the owner sends counts as read. A red packet, a transfer and a poll bring their
    message with them.
    """

    def insert(self, phone: Phone, path: str, values: Values) -> str:
        """Inserts a row; returns the path of it."""
        row: dict[str, Any] = dict(values)
        if "chat" in row:
            row["chat_id"] = _chat(phone, row.pop("chat"))
        for name, column in _PERSON_COLUMNS.items():
            if name in row and path not in ("favourites",):
                row[column] = _named(phone, row.pop(name), name)
        if path == "votes" and "question" in row:
            row["poll_id"] = _poll(phone, row.pop("question"))
        if path in _SENDERS:
            self._complete(phone, path, row)
        if path != "chats":
            return super().insert(phone, path, row)
        people = [_named(phone, name, "members") for name in str(row.pop("members", "")).split("|") if name]
        key = super().insert(phone, path, row)
        rows = [(int(key.rpartition("/")[2]), person) for person in people if person != store.ME]
        store.database(phone).insert_many("members", ("chat_id", "contact_id"), rows)
        return key

    def _complete(self, phone: Phone, path: str, row: dict[str, Any]) -> None:
        """Fills in sender, receiver, flags of what is sent in a chat."""
        if "chat_id" not in row:
            raise ProviderError(f"content://{self.authority}/{path}: give chat (a name) or chat_id")
        chat = store.chat(phone, int(row["chat_id"]))
        if chat is None:
            raise ProviderError(f"content://{self.authority}/{path}: no chat has the _id {row['chat_id']}")
        column = _SENDERS[path]
        if column not in row:
            if chat["kind"] == "group":
                raise ProviderError(f"content://{self.authority}/{path}: {column} is needed in a group")
            row[column] = chat["contact_id"]
        mine = int(row[column]) == store.ME
        if path == "messages":
            row.setdefault("read", int(mine))
            row.setdefault("seen", int(mine))
            if chat["kind"] == "group" and "mentions" not in row:
                row["mentions"] = store.mentioned(phone, chat["_id"], str(row.get("body", "")))
            named = str(row.get("mentions", "")).split(",")
            row.setdefault("mentions_me", int(not mine and (str(store.ME) in named or store.ALL in named)))
        if path == "transfers" and "receiver_id" not in row:
            row["receiver_id"] = (chat["contact_id"] or store.ME) if mine else store.ME


def _asked(phone: Phone, values: Values) -> int:
    return phone.state.clock.now_ms if values.get("status") == "request" else 0


def _spelling(phone: Phone, values: Values) -> str:
    return " ".join(initials(str(values.get("remark") or values.get("name") or "")))


def messenger_provider() -> MessengerProvider:
    """The app's provider."""
    views = {
        "contacts": "people",
        "chats": "view_chats",
        "members": "view_members",
        "messages": "view_messages",
        "red_packets": "view_red_packets",
        "red_packet_shares": "view_red_packet_shares",
        "transfers": "view_transfers",
        "polls": "view_polls",
        "votes": "view_votes",
        "moments": "view_moments",
        "likes": "view_likes",
        "comments": "view_comments",
    }
    tables: dict[str, Table] = {}
    for name in (*views, "favourites", "wallet", "wallet_records", "settings"):
        defaults: dict[str, Any] = {"date": _now} if name in _WITH_DATE else {}
        if name == "contacts":
            defaults["phonetic"] = _spelling
            defaults["request_date"] = _asked
        announces = name in ("messages", "red_packets", "transfers", "polls")
        tables[name] = Table(
            store.DATABASE,
            views.get(name, name),
            name,
            defaults=defaults,
            on_change=notices.announce if announces else None,
        )
    return MessengerProvider(store.PACKAGE, tables)
