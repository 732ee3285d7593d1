"""Faults that tests put into the transport: what clients meet with bad cables, dying daemons and loaded hosts."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class AdbdFaults:
    """What goes wrong from now on; change it at any time, from any thread. Services are named by prefix.

    Attributes:
        drop_after_packets: cut each connection after it received so many packets; None for never.
        offline: take connections and never answer their greeting, so that clients show `offline`.
        unauthorized: ask for a key that no client has, so that clients show `unauthorized`.
        corrupt_packets: answer the next service with bytes that are no packet.
        hang: services that are opened and never say a word.
        refuse: services that are not opened.
        delay_s: services that answer only after so many seconds of the host's time.
        garbage: services that answer these bytes in place of their own.
    """

    drop_after_packets: int | None = None
    offline: bool = False
    unauthorized: bool = False
    corrupt_packets: bool = False
    hang: tuple[str, ...] = ()
    refuse: tuple[str, ...] = ()
    delay_s: dict[str, float] = field(default_factory=dict)
    garbage: dict[str, bytes] = field(default_factory=dict)

    def clear(self) -> None:
        """Mends everything."""
        fresh = AdbdFaults()
        for name in self.__slots__:
            setattr(self, name, getattr(fresh, name))

    def hangs(self, service: str) -> bool:
        """Whether a service is opened and stays silent."""
        return any(service.startswith(prefix) for prefix in self.hang)

    def refuses(self, service: str) -> bool:
        """Whether a service is not opened."""
        return any(service.startswith(prefix) for prefix in self.refuse)

    def delay(self, service: str) -> float:
        """Seconds that a service waits before it answers."""
        return max((seconds for prefix, seconds in self.delay_s.items() if service.startswith(prefix)), default=0.0)

    def garbled(self, service: str) -> bytes | None:
        """What a service answers in place of its own bytes, or None."""
        return next((data for prefix, data in self.garbage.items() if service.startswith(prefix)), None)
