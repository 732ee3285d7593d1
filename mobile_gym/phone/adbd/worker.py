"""The one thread that owns a phone: databases are bound to it, and a slow frame never holds up packets."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from mobile_gym.phone.door import PhoneDoor

T = TypeVar("T")


class PhoneWorker:
    """Makes a phone on a thread of its own and runs there, one after another, whatever is asked of it.

    Args:
        factory: makes the phone; called on the worker's thread.
        name: the name of the thread.

    Raises:
        Exception: whatever the factory raises.
    """

    def __init__(self, factory: Callable[[], PhoneDoor], name: str = "phone") -> None:
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._listeners: list[Callable[[], None]] = []
        try:
            self._phone = self._executor.submit(factory).result()
        except BaseException:
            self._executor.shutdown()
            raise

    def call(self, action: Callable[[PhoneDoor], T]) -> T:
        """Runs an action on the phone and waits for it; for callers outside the event loop."""
        return self._executor.submit(self._run, action).result()

    async def ask(self, action: Callable[[PhoneDoor], T]) -> T:
        """Runs an action on the phone without holding up the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, self._run, action)

    async def look(self, action: Callable[[PhoneDoor], T]) -> T:
        """Like `ask`, for what changes nothing: listeners are not called."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, action, self._phone)

    def on_change(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Has `listener` called, on the worker's thread, after each action; returns what takes it off again."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def close(self) -> None:
        """Waits for what is under way, closes the phone's databases and ends the thread."""
        self._executor.submit(self._phone.state.close).result()
        self._executor.shutdown()

    def _run(self, action: Callable[[PhoneDoor], T]) -> T:
        try:
            return action(self._phone)
        finally:
            for listener in tuple(self._listeners):
                listener()
