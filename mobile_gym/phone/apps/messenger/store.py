"""The app's data: people, chats and their messages, and its settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.apps.launcher.names import initials
from mobile_gym.phone.system.app import translate

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone
    from mobile_gym.phone.state import Database

PACKAGE = "com.mobench.messenger"
MODULE = "mobile_gym.phone.apps.messenger"
DATABASE = f"{PACKAGE}/wetalk.db"
ME = 1
"""`_id` of the owner among the contacts."""
RECALL_MS = 2 * 60_000
"""How long a message can be taken back."""
ALL = "all"
"""In a message's mentions: everybody in the group."""

Row = dict[str, Any]


def database(phone: Phone) -> Database:
    """The app's database."""
    return phone.state.database(DATABASE)


def word(phone: Phone, key: str, **values: Any) -> str:
    """A text of the app, for what is stored or notified outside of a screen."""
    return translate(MODULE, key, phone.language, values)


# ---- settings


def setting(phone: Phone, name: str) -> str:
    """One of the app's settings; empty where it was never put."""
    return str(database(phone).value("SELECT value FROM settings WHERE name = ?", name) or "")


def is_on(phone: Phone, name: str) -> bool:
    """Whether a setting that is a switch is on."""
    return setting(phone, name) == "1"


def put_setting(phone: Phone, name: str, value: str) -> None:
    """Changes one of the app's settings."""
    data = database(phone)
    if not data.execute("UPDATE settings SET value = ? WHERE name = ?", value, name):
        data.insert("settings", name=name, value=value)


# ---- people


def person(phone: Phone, key: int) -> Row | None:
    """A row of `people`: a contact with its `title`."""
    return database(phone).row("SELECT * FROM people WHERE _id = ?", key)


def title_of(phone: Phone, key: int) -> str:
    """The name shown of a person; empty for nobody."""
    return str(database(phone).value("SELECT title FROM people WHERE _id = ?", key) or "")


def spelling(row: Row) -> str:
    """What a person is sorted by: the Latin spelling of the title, in lower case."""
    return (str(row["phonetic"]) or initials(str(row["title"])) or "~").lower()


def letter(row: Row) -> str:
    """The index letter of a person."""
    first = spelling(row)[:1].upper()
    return first if "A" <= first <= "Z" else "#"


def friends(phone: Phone, where: str = "1", *parameters: int | str) -> list[Row]:
    """Friends that are not blacklisted, in the order of the list."""
    found = database(phone).rows(
        f"SELECT * FROM people WHERE status = 'friend' AND blacklisted = 0 AND ({where})", *parameters
    )
    return sorted(found, key=lambda row: (letter(row) == "#", spelling(row), row["_id"]))


def matches(row: Row, query: str) -> bool:
    """Whether a person's names, spelling, number or account hold what was typed."""
    wanted = query.strip().lower()
    if not wanted:
        return False
    spelt = str(row["phonetic"]).lower()
    texts = [row["title"], row["name"], spelt, spelt.replace(" ", ""), initials(str(row["title"])), row["account"]]
    digits = wanted.replace(" ", "")
    return any(wanted in str(text).lower() for text in texts) or (digits.isdigit() and digits in str(row["number"]))


def find_person(phone: Phone, text: str) -> Row | None:
    """Whoever has exactly this number or account, friends or not."""
    key = text.strip().replace(" ", "").replace("-", "")
    return database(phone).row("SELECT * FROM people WHERE _id > 1 AND (number = ? OR account = ?) LIMIT 1", key, key)


# ---- chats


def chat(phone: Phone, key: int) -> Row | None:
    """A row of `view_chats`."""
    return database(phone).row("SELECT * FROM view_chats WHERE _id = ?", key)


def chat_with(phone: Phone, contact: int) -> int:
    """The chat with a person; made, and not listed until somebody writes, where there is none."""
    data = database(phone)
    found = data.value("SELECT _id FROM chats WHERE contact_id = ?", contact)
    return int(found) if found is not None else data.insert("chats", kind="single", contact_id=contact, hidden=1)


def make_group(phone: Phone, contacts: Sequence[int], name: str = "") -> int:
    """Makes a group of the owner and others; its name is made of theirs where none is given. Returns its chat."""
    data = database(phone)
    names = [title_of(phone, key) for key in contacts]
    if not name:
        name = word(phone, "list_comma").join([*names[:3], title_of(phone, ME)])
    key = data.insert("chats", kind="group", name=name, owner_id=ME)
    data.insert_many("members", ("chat_id", "contact_id"), [(key, contact) for contact in contacts])
    tell(phone, key, word(phone, "you_invited", names=word(phone, "list_comma").join(names)))
    return key


def members(phone: Phone, key: int) -> list[Row]:
    """People of a group, with `nickname` and the name `shown` in the group; the owner of the group first."""
    return database(phone).rows(
        """SELECT p.*, m.nickname, CASE m.nickname WHEN '' THEN p.title ELSE m.nickname END AS shown
        FROM members m JOIN people p ON p._id = m.contact_id JOIN chats c ON c._id = m.chat_id
        WHERE m.chat_id = ? ORDER BY p._id <> c.owner_id, m._id""",
        key,
    )


def add_members(phone: Phone, key: int, contacts: Sequence[int]) -> None:
    """Adds people to a group."""
    database(phone).insert_many("members", ("chat_id", "contact_id"), [(key, contact) for contact in contacts])
    names = word(phone, "list_comma").join(title_of(phone, contact) for contact in contacts)
    tell(phone, key, word(phone, "you_invited", names=names))


def remove_members(phone: Phone, key: int, contacts: Sequence[int]) -> None:
    """Takes people out of a group."""
    data = database(phone)
    for contact in contacts:
        data.execute("DELETE FROM members WHERE chat_id = ? AND contact_id = ?", key, contact)
    names = word(phone, "list_comma").join(title_of(phone, contact) for contact in contacts)
    tell(phone, key, word(phone, "you_removed", names=names))


def set_chat(phone: Phone, key: int, **values: int | str) -> None:
    """Changes columns of a chat."""
    database(phone).update("chats", key, **values)


def mark_read(phone: Phone, key: int) -> None:
    """Marks all of a chat as read, and takes its notification away."""
    data = database(phone)
    data.execute("UPDATE messages SET read = 1, seen = 1 WHERE chat_id = ? AND read = 0", key)
    data.execute("UPDATE chats SET marked_unread = 0 WHERE _id = ? AND marked_unread = 1", key)
    phone.notifier.cancel(PACKAGE, notification_key(key))


def clear_history(phone: Phone, key: int) -> None:
    """Deletes a chat's messages; the chat stays."""
    database(phone).execute("DELETE FROM messages WHERE chat_id = ?", key)


def delete_chat(phone: Phone, key: int) -> None:
    """Takes a chat off the list with its messages; a group is not left by that."""
    clear_history(phone, key)
    set_chat(phone, key, hidden=1, pinned=0, draft="", marked_unread=0)
    phone.notifier.cancel(PACKAGE, notification_key(key))


def leave_group(phone: Phone, key: int) -> None:
    """Leaves a group: it goes with all that was said in it."""
    database(phone).delete("chats", key)
    phone.notifier.cancel(PACKAGE, notification_key(key))


def notification_key(key: int) -> str:
    """The key of a chat's notification."""
    return f"chat:{key}"


# ---- messages


def message(phone: Phone, key: int) -> Row | None:
    """A row of `messages`."""
    return database(phone).row("SELECT * FROM messages WHERE _id = ?", key)


def messages(phone: Phone, key: int) -> list[Row]:
    """All messages of a chat, oldest first, each with the time of the one before and its sender's face and name."""
    return database(phone).rows(
        """SELECT m.*, LAG(m.date) OVER (ORDER BY m.date, m._id) AS date_before, p.avatar, p.title AS sender_title,
            CASE COALESCE(g.nickname, '') WHEN '' THEN p.title ELSE g.nickname END AS sender_shown
        FROM messages m LEFT JOIN people p ON p._id = m.sender_id
        LEFT JOIN members g ON g.chat_id = m.chat_id AND g.contact_id = m.sender_id
        WHERE m.chat_id = ? ORDER BY m.date, m._id""",
        key,
    )


def send(phone: Phone, key: int, kind: str, body: str, **values: int | str | None) -> int:
    """Sends a message from the owner; returns its id."""
    return database(phone).insert(
        "messages",
        chat_id=key,
        sender_id=ME,
        kind=kind,
        body=body,
        date=phone.state.clock.now_ms,
        read=1,
        seen=1,
        played=1,
        **values,
    )


def tell(phone: Phone, key: int, text: str) -> None:
    """Puts a grey line into a chat: who came, who went, what was taken."""
    send(phone, key, "system", text)


def mentioned(phone: Phone, key: int, body: str) -> str:
    """Whom a text names with an @: the contacts' ids with commas between, or `all`."""
    if "@" not in body:
        return ""
    if f"@{word(phone, 'everybody')}" in body:
        return ALL
    found = []
    for member in members(phone, key):
        if any(name and f"@{name}" in body for name in (member["shown"], member["title"], member["name"])):
            found.append(str(member["_id"]))
    return ",".join(found)


def send_text(phone: Phone, key: int, text: str, quote: int | None = None) -> int:
    """Sends a text, with a quoted message or without; the draft goes."""
    row = chat(phone, key)
    mentions = mentioned(phone, key, text) if row is not None and row["kind"] == "group" else ""
    if row is not None and row["draft"]:
        set_chat(phone, key, draft="")
    return send(phone, key, "text", text, quote_id=quote, mentions=mentions)


def forward(phone: Phone, keys: Sequence[int], to: int) -> None:
    """Sends copies of messages to a chat; money and polls go as the line that names them."""
    for key in keys:
        row = message(phone, key)
        if row is None:
            continue
        kind, body = row["kind"], row["body"]
        if kind in ("red_packet", "transfer", "poll"):
            kind, body = "text", digest(phone, row)
        send(
            phone, to, kind, body, source=row["source"], ref_id=row["ref_id"], seconds=row["seconds"], size=row["size"]
        )


def can_recall(phone: Phone, row: Row) -> bool:
    """Whether a message can still be taken back."""
    age = phone.state.clock.now_ms - int(row["date"])
    return row["sender_id"] == ME and not row["recalled"] and 0 <= age <= RECALL_MS and row["kind"] != "system"


def recall(phone: Phone, key: int) -> None:
    """Takes a message back."""
    database(phone).update("messages", key, recalled=1)


def delete_messages(phone: Phone, keys: Sequence[int]) -> None:
    """Deletes messages."""
    for key in keys:
        database(phone).delete("messages", key)


def favour(phone: Phone, keys: Sequence[int]) -> None:
    """Keeps messages among the favourites."""
    data = database(phone)
    for key in keys:
        row = data.row("SELECT * FROM view_messages WHERE _id = ?", key)
        if row is None:
            continue
        copied = {name: row[name] for name in ("kind", "body", "source", "ref_id", "size", "seconds")}
        data.insert("favourites", message_id=key, author=row["sender"] or "", date=phone.state.clock.now_ms, **copied)


def digest(phone: Phone, row: Row) -> str:
    """A message in one line, as lists, quotes and notifications have it."""
    kind, body = str(row["kind"]), str(row["body"])
    if row.get("recalled"):
        return word(phone, "recalled_by_you" if row["sender_id"] == ME else "recalled_by_other")
    if kind in ("text", "system"):
        return body
    if kind == "card":
        body = title_of(phone, int(row["ref_id"] or 0))
    if kind == "voice":
        return word(phone, "digest_voice", seconds=row["seconds"])
    if kind == "image":
        return word(phone, "digest_image")
    return word(phone, f"digest_{kind}", body=body).strip()
