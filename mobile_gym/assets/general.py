"""Assets that any app's state can be written with: settings, files, provider rows, notifications."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator

from mobile_gym.assets.base import AssetType, Entry, Meaning, Reader, row_path
from mobile_gym.assets.documents import Scalar, Strict, TextLike
from mobile_gym.devices.base import Device
from mobile_gym.devices.errors import CommandFailed

NOTIFICATIONS = "content://mobile_gym.notifications/active"
NAMESPACES = ("system", "secure", "global")


def _check_key(key: str) -> str:
    namespace, slash, name = key.partition("/")
    if namespace not in NAMESPACES or not slash or not name:
        raise ValueError(f"'{key}' is no setting; write namespace/name with system, secure or global before the slash")
    return key


SettingKey = Annotated[str, AfterValidator(_check_key)]
"""A setting by namespace and name, such as `system/volume_music`."""


def _check_uri(uri: str) -> str:
    if not uri.startswith("content://") or len(uri) == len("content://"):
        raise ValueError(f"'{uri}' is no content URI; it starts with content://")
    return uri.rstrip("/")


ContentUri = Annotated[str, AfterValidator(_check_uri)]


def _check_path(path: str) -> str:
    if not path.startswith("/"):
        raise ValueError(f"'{path}' is no path of the device; it starts with /")
    return path


DevicePath = Annotated[str, AfterValidator(_check_path)]


def setting_text(value: Scalar) -> str:
    """A value as the text that Android keeps: booleans as 1 and 0."""
    return str(int(value)) if isinstance(value, bool) else str(value)


class Setting(Strict):
    """A setting's value.

    Attributes:
        key: namespace and name.
        value: the value; null deletes the key.
    """

    key: SettingKey
    value: Scalar


class SettingType(AssetType):
    """`setting: {key: system/volume_music, value: 3}`."""

    name = "setting"
    document = Setting
    meanings: ClassVar[Mapping[str, Meaning]] = {"value": Meaning.TEXT}
    requires = frozenset({"settings"})

    def inject(self, device: Device, document: Any) -> None:
        """Puts the value."""
        namespace, _, name = document.key.partition("/")
        if document.value is None:
            device.settings.delete(namespace, name)
        else:
            device.settings.put(namespace, name, setting_text(document.value))

    def entries(self, reader: Reader) -> list[Entry]:
        """None: settings are looked up by key, see `criterion_of`."""
        return []


class File(Strict):
    """A file.

    Attributes:
        path: where it lies on the device.
        content: its text, UTF-8.
    """

    path: DevicePath
    content: str = ""


class FileType(AssetType):
    """`file: {path: /sdcard/Download/list.txt, content: ...}`."""

    name = "file"
    document = File
    requires = frozenset({"files"})

    def inject(self, device: Device, document: Any) -> None:
        """Writes the file."""
        device.files.write(document.path, document.content.encode())

    def entries(self, reader: Reader) -> list[Entry]:
        """None: files are looked up by path."""
        return []


class RowDocument(Strict):
    """A row of a content provider.

    Attributes:
        uri: the provider's URI.
        values: values by column.
        where: columns that pick rows to change instead of inserting one.
    """

    uri: ContentUri
    values: dict[str, Scalar]
    where: dict[str, Scalar] | None = None


def sql_condition(where: Mapping[str, Scalar]) -> str:
    """A provider's condition from wanted values by column."""
    parts = []
    for column, value in where.items():
        if value is None:
            parts.append(f"{column} IS NULL")
        elif isinstance(value, str):
            quoted = value.replace("'", "''")
            parts.append(f"{column} = '{quoted}'")
        else:
            parts.append(f"{column} = {int(value) if isinstance(value, bool) else value}")
    return " AND ".join(parts)


class RowType(AssetType):
    """`row: {uri: content://..., values: {...}}`."""

    name = "row"
    document = RowDocument

    def inject(self, device: Device, document: Any) -> None:
        """Inserts the row, or changes the rows that `where` picks."""
        row: RowDocument = document
        values = {name: int(value) if isinstance(value, bool) else value for name, value in row.values.items()}
        if row.where is None:
            device.content.insert(row.uri, values)
        else:
            device.content.update(row.uri, values, where=sql_condition(row.where))

    def entries(self, reader: Reader) -> list[Entry]:
        """None: rows are looked up by URI."""
        return []


class Notification(Strict):
    """A notification.

    Attributes:
        package: who posted it.
        title: its title.
        text: its text.
    """

    package: str | None = None
    title: TextLike | None = None
    text: TextLike | None = None


class NotificationType(AssetType):
    """`notification: {title: ..., text: ...}`."""

    name = "notification"
    document = Notification
    identity = ("package", "title")
    meanings: ClassVar[Mapping[str, Meaning]] = {"title": Meaning.TEXT, "text": Meaning.TEXT}
    requires = frozenset({"content", "provider:mobile_gym.notifications"})
    stored = False

    def inject(self, device: Device, document: Any) -> None:
        """Posts it as the shell."""
        title, text = document.title or "", document.text or ""
        command = f"cmd notification post -t {shlex.quote(title)} mobile_gym {shlex.quote(text)}"
        result = device.shell(command)
        if result.exit_code != 0:
            raise CommandFailed(f"{command}: {result.stderr or result.stdout}".strip(), result.exit_code)

    def entries(self, reader: Reader) -> list[Entry]:
        """Notifications that are posted."""
        found = []
        for row in reader.rows(NOTIFICATIONS):
            key = row_path(NOTIFICATIONS, row, "key" if "key" in row else "_id")
            fields = {name: str(row.get(name) or "") for name in ("package", "title", "text")}
            found.append(Entry(key, fields, frozenset({key})))
        return found
