"""The contacts app: who it is, and the intents that it answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mobile_gym.phone.apps.contacts import store
from mobile_gym.phone.apps.contacts.detail import Details
from mobile_gym.phone.apps.contacts.edit import Edit
from mobile_gym.phone.apps.contacts.group import GroupPage
from mobile_gym.phone.apps.contacts.main import Main, Merge
from mobile_gym.phone.apps.contacts.pick import Pick
from mobile_gym.phone.apps.contacts.settings import Blocked, ImportExport, Settings
from mobile_gym.phone.system.app import App, LauncherIcon, Target
from mobile_gym.phone.system.providers import Provider, Table, TableProvider

_AUTHORITIES = ("content://com.android.contacts/", "content://contacts/")
_EXTRAS = {"name": "name", "phone": "phone", "email": "email", "company": "company", "notes": "note"}
_KINDS = (
    "vnd.android.cursor.dir/contact",
    "vnd.android.cursor.dir/raw_contact",
    "vnd.android.cursor.item/contact",
    "vnd.android.cursor.dir/phone_v2",
)


class ContactsApp(App):
    """Contacts, favourites and groups; the data are the contacts provider's."""

    package = store.PACKAGE
    module = store.MODULE
    icon = LauncherIcon("account", ("#4FB8C4", "#17798C"))
    screens = (Main, Details, Edit, GroupPage, Pick, Merge, Settings, ImportExport, Blocked)
    databases = {"contacts_app.db": "schema.sql"}
    permissions = {
        "android.permission.READ_CONTACTS": True,
        "android.permission.WRITE_CONTACTS": True,
        "android.permission.CALL_PHONE": True,
    }
    sizes_mb = (18.6, 0.8, 0.4)

    def providers(self) -> Sequence[Provider]:
        """The app's own settings."""
        table = Table(store.PREFS, "prefs", "prefs")
        return (TableProvider("com.android.contacts.app", {"prefs": table}),)

    def resolve(
        self, action: str | None, data: str | None, mime: str | None, extras: Mapping[str, Any]
    ) -> Target | None:
        """INSERT with a name and a number, VIEW and EDIT of a contact, PICK of one."""
        ours = data is not None and data.startswith(_AUTHORITIES)
        tail = (data or "").rstrip("/").rpartition("/")[2]
        if not ours and mime not in _KINDS:
            return None
        if action in ("android.intent.action.INSERT", "android.intent.action.INSERT_OR_EDIT"):
            args = {name: str(extras[key]) for key, name in _EXTRAS.items() if extras.get(key)}
            return Target("edit", args, ("main",))
        if action == "android.intent.action.PICK":
            return Target("pick", {}, ("main",))
        if action == "android.intent.action.VIEW" and ours:
            if tail.isdigit():
                return Target("contact", {"id": int(tail)}, ("main",))
            return Target("main", {})
        if action == "android.intent.action.EDIT" and tail.isdigit():
            return Target("edit", {"id": int(tail)}, ("main",))
        return None
