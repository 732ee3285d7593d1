"""Virtual time: it passes with actions and waits, and what is due on the way happens at its own moment."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mobile_gym.phone.system.app import App
from mobile_gym.phone.system.surface import Surface

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

SETTLE_STEP_MS = 100
SETTLE_AT_LEAST_MS = 300
SETTLE_AT_MOST_MS = 3000
MINUTE_MS = 60_000


class Timekeeper:
    """Moves a phone's clock.

    Args:
        phone: the phone.
    """

    def __init__(self, phone: Phone) -> None:
        self._phone = phone
        # Only who has something to wait for is asked, however many apps there are.
        self._apps = [app for app in phone.apps.values() if type(app).next_wakeup is not App.next_wakeup]
        self._surfaces = [s for s in phone.surfaces if type(s).next_wakeup is not Surface.next_wakeup]
        self._known: dict[str, tuple[tuple[int, ...], int | None]] = {}

    def set_time(self, now_ms: int) -> None:
        """Sets the time of day."""
        self._phone.state.clock.set_time(now_ms)
        self.tell_apps()

    def tell_apps(self) -> None:
        """Tells the apps that the time or the time zone was set."""
        self._known.clear()
        for app in self._phone.apps.values():
            app.on_time_changed(self._phone)
        self._phone.invalidate()

    def advance(self, ms: int) -> None:
        """Lets virtual time pass."""
        clock = self._phone.state.clock
        target = clock.now_ms + ms
        minute = clock.now_ms // MINUTE_MS
        while True:
            due, act = self._next()
            if due is None or due > target:
                break
            clock.now_ms = max(due, clock.now_ms)
            act()
            self._phone.invalidate()
        clock.now_ms = target
        if target // MINUTE_MS != minute:
            self._phone.invalidate()

    def settle(self) -> None:
        """Lets time pass until no page is loading, for a few virtual seconds at most."""
        phone = self._phone
        self.advance(SETTLE_AT_LEAST_MS)
        passed = SETTLE_AT_LEAST_MS
        while phone.activities.top()["ready_ms"] > phone.state.clock.now_ms and passed < SETTLE_AT_MOST_MS:
            self.advance(SETTLE_STEP_MS)
            passed += SETTLE_STEP_MS

    def _next(self) -> tuple[int | None, Callable[[], None]]:
        phone = self._phone
        first: int | None = None
        act: Callable[[], None] = phone.invalidate
        now = phone.state.clock.now_ms
        version = phone.state.data_version()
        for app in self._apps:
            known = self._known.get(app.package)
            if known is not None and known[0] == version and (known[1] is None or known[1] > now):
                due = known[1]
            else:
                due = app.next_wakeup(phone)
                self._known[app.package] = (version, due)
            if due is not None and not phone.packages.enabled(app.package):
                continue
            if due is not None and (first is None or due < first):
                first, act = due, lambda app=app: app.on_wakeup(phone)  # type: ignore[misc]
        for surface in self._surfaces:
            due = surface.next_wakeup(phone.surface_context(surface))
            if due is not None and (first is None or due < first):
                first, act = due, lambda s=surface: s.on_wakeup(phone.surface_context(s))  # type: ignore[misc]
        for record in phone.activities.records():
            for due in (record["ready_ms"], record["snack"]["until"] if record["snack"] else 0):
                if due > now and (first is None or due < first):
                    first, act = due, phone.invalidate
        return first, act
