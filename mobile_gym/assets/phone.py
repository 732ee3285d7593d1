"""The call log and the list of blocked numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field

from mobile_gym.assets.base import AssetType, Entry, Meaning, Reader, as_int, row_path
from mobile_gym.assets.documents import Strict, TextLike
from mobile_gym.devices.base import Device

CALLS = "content://call_log/calls"
BLOCKED = "content://com.android.blockednumber/blocked"
CALL_TYPES: Mapping[str, int] = {"incoming": 1, "outgoing": 2, "missed": 3, "rejected": 5}


class Call(Strict):
    """An entry of the call log.

    Attributes:
        number: the other side's number.
        kind: which way it went.
        seconds: how long it lasted.
        minutes_ago: how long before the device's now it was, when it is injected.
    """

    number: TextLike | None = None
    kind: Literal["incoming", "outgoing", "missed", "rejected"] | None = None
    seconds: int | None = None
    minutes_ago: float | None = Field(default=None, ge=0)


class CallType(AssetType):
    """`call: {number: ..., kind: missed}`."""

    name = "call"
    document = Call
    identity = ("number",)
    meanings: ClassVar[Mapping[str, Meaning]] = {"number": Meaning.PHONE}

    def inject(self, device: Device, document: Any) -> None:
        """Inserts an entry of the call log."""
        call: Call = document
        if call.number is None:
            raise ValueError("a call needs 'number' to be put on a device")
        moment = device.clock.now().timestamp() - 60 * (call.minutes_ago or 0)
        device.content.insert(
            CALLS,
            {
                "number": call.number,
                "type": CALL_TYPES[call.kind or "incoming"],
                "date": int(moment * 1000),
                "duration": call.seconds or 0,
                "new": int(call.kind == "missed"),
            },
        )

    def entries(self, reader: Reader) -> list[Entry]:
        """Calls in the log."""
        names = {number: name for name, number in CALL_TYPES.items()}
        found = []
        for row in reader.rows(CALLS):
            key = row_path(CALLS, row)
            fields = {
                "number": str(row.get("number") or ""),
                "kind": names.get(as_int(row.get("type")) or 0),
                "seconds": as_int(row.get("duration")),
            }
            found.append(Entry(key, fields, frozenset({key})))
        return found

    def wanted(self, document: Any) -> dict[str, Any]:
        """Number, kind and length; not how it is to be injected."""
        return {name: value for name, value in super().wanted(document).items() if name != "minutes_ago"}


class BlockedNumber(Strict):
    """A number whose calls and messages are blocked.

    Attributes:
        number: the number.
    """

    number: TextLike


class BlockedNumberType(AssetType):
    """`blocked_number: {number: ...}`."""

    name = "blocked_number"
    document = BlockedNumber
    identity = ("number",)
    meanings: ClassVar[Mapping[str, Meaning]] = {"number": Meaning.PHONE}

    def inject(self, device: Device, document: Any) -> None:
        """Blocks a number."""
        device.content.insert(BLOCKED, {"original_number": document.number})

    def entries(self, reader: Reader) -> list[Entry]:
        """Blocked numbers."""
        found = []
        for row in reader.rows(BLOCKED):
            key = row_path(BLOCKED, row)
            found.append(Entry(key, {"number": str(row.get("original_number") or "")}, frozenset({key})))
        return found
