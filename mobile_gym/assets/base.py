"""What every type of asset offers: a document, a way in, a way to look."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, Protocol

from mobile_gym.assets.documents import Strict
from mobile_gym.devices.base import Device, Row


class Meaning(StrEnum):
    """How a field of an entry is compared with a document's: by what it means, not by how it is written."""

    EXACT = "exact"
    TEXT = "text"
    PERSON = "person"
    PHONE = "phone"
    PART = "part"
    """Text that must be part of the entry's; a set: one of them must."""


class Reader(Protocol):
    """One look at a device; what was read once is not asked again."""

    def rows(self, uri: str, where: str | None = None) -> Sequence[Row]:
        """Rows of a content provider."""

    def setting(self, namespace: str, key: str) -> str | None:
        """A setting's value, or None where it was never put."""

    def file(self, path: str) -> bytes | None:
        """A file's bytes, or None where it is missing."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that a device holds, such as a contact, whatever number of provider rows it is made of.

    Attributes:
        key: path of the row that stands for it, such as `content://sms/7`.
        fields: its values under the names of the asset's document; a tuple holds alternatives (all numbers of a
            contact).
        paths: paths of all rows that it is made of, `key` among them. `<path>#row` is a row that comes and goes with it
            and is otherwise a thing of its own, such as the thread of a message.
    """

    key: str
    fields: Mapping[str, Any]
    paths: frozenset[str] = field(default_factory=frozenset)


def row_path(uri: str, row: Row, id_column: str = "_id") -> str:
    """The path of a provider's row in reports and in `allowed_changes`: `content://sms/7`.

    A row without the column that tells rows apart goes by all its values.
    """
    key = row[id_column] if id_column in row else "|".join(map(str, row.values()))
    return f"{uri.rstrip('/')}/{key}"


class AssetType(ABC):
    """One type of asset.

    Class attributes:
        name: the key of its documents.
        document: the model of its documents.
        meanings: how fields are compared; fields that are not named are compared exactly.
        identity: the fields that make an entry the thing that it is; with others it is another thing, even where the
            provider gave it the row of one that was deleted.
        requires: capabilities and `provider:<authority>` that a device needs for it.
        stored: whether it is stored state, which changes only when a row, setting or file is written.
    """

    name: ClassVar[str]
    document: ClassVar[type[Strict]]
    meanings: ClassVar[Mapping[str, Meaning]] = {}
    identity: ClassVar[tuple[str, ...]] = ()
    requires: ClassVar[frozenset[str]] = frozenset({"content"})
    stored: ClassVar[bool] = True

    @abstractmethod
    def inject(self, device: Device, document: Any) -> None:
        """Puts the asset on a device.

        Raises:
            DeviceError: the device refused.
        """

    @abstractmethod
    def entries(self, reader: Reader) -> list[Entry]:
        """All entries of this type that a device holds, in the provider's order."""

    def wanted(self, document: Any) -> dict[str, Any]:
        """The fields that an entry must have to be the one described; those left out may be anything."""
        fields = {name: getattr(document, name) for name in type(document).model_fields}
        return {name: value for name, value in fields.items() if value is not None}


def as_bool(value: Any) -> bool | None:
    """A provider's 0, 1, `0`, `1`, `true` or `false` as a boolean; None for anything else."""
    return {"0": False, "1": True, "false": False, "true": True}.get(str(value).lower())


def as_int(value: Any) -> int | None:
    """A provider's number, also where it came as text; None for anything else."""
    try:
        return int(str(value))
    except ValueError:
        return None


def newest_id(rows: Iterable[Row], id_column: str = "_id") -> int:
    """The highest id among rows; 0 where there are none."""
    return max((as_int(row.get(id_column)) or 0 for row in rows), default=0)
