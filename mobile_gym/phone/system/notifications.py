"""Notifications: posted by apps, kept as plain data in `interface["notifications"]`, newest first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.door import NotificationInfo
from mobile_gym.phone.system.app import Record

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone


class Notifier:
    """Posts, updates and cancels notifications.

    A notification is a dict with `key`, `package`, `channel`, `title`, `text`, `icon`, `color`, `posted_ms`,
    `ongoing`, `silent`, `target` and `actions`. The target is `{"screen", "args"}` of the same package, opened by a
    tap. An action is `{"label", "broadcast", "extras"}` and reaches the app's `on_broadcast`; one with `"reply": true`
    asks for text first, which arrives as the extra `reply`.
    """

    def __init__(self, phone: Phone) -> None:
        self._phone = phone

    @property
    def posted(self) -> list[Record]:
        """Posted notifications, newest first; plain data."""
        posted: list[Record] = self._phone.state.interface["notifications"]
        return posted

    def post(
        self,
        package: str,
        key: str,
        title: str,
        text: str,
        *,
        channel: str = "default",
        icon: str = "",
        target: Record | None = None,
        actions: Sequence[dict[str, Any]] = (),
        ongoing: bool = False,
        silent: bool = False,
        posted_ms: int | None = None,
        color: str = "",
    ) -> None:
        """Posts a notification, in place of one of the same package and key.

        Nothing is posted where the user blocked the package's notifications.
        """
        if not self._phone.packages.notifications_allowed(package):
            return
        self.cancel(package, key)
        entry: Record = {
            "key": key,
            "package": package,
            "channel": channel,
            "title": title,
            "text": text,
            "icon": icon,
            "color": color,
            "posted_ms": self._phone.state.clock.now_ms if posted_ms is None else posted_ms,
            "ongoing": ongoing,
            "silent": silent,
            "target": target,
            "actions": [dict(action) for action in actions],
        }
        self.posted.insert(0, entry)
        self.posted.sort(key=lambda posted: -posted["posted_ms"])
        self._phone.on_notification(entry)
        self._phone.invalidate()

    def cancel(self, package: str, key: str) -> None:
        """Takes a notification away; nothing happens where there is none."""
        self.posted[:] = [n for n in self.posted if (n["package"], n["key"]) != (package, key)]
        self._phone.invalidate()

    def cancel_package(self, package: str) -> None:
        """Takes all notifications of a package away."""
        self.posted[:] = [n for n in self.posted if n["package"] != package]
        self._phone.invalidate()

    def clear(self) -> None:
        """Takes away all that the user may dismiss."""
        self.posted[:] = [n for n in self.posted if n["ongoing"]]
        self._phone.invalidate()

    def infos(self) -> list[NotificationInfo]:
        """Posted notifications as the doors show them."""
        return [
            NotificationInfo(
                key=n["key"],
                package=n["package"],
                channel=n["channel"],
                title=n["title"],
                text=n["text"],
                posted_ms=n["posted_ms"],
                ongoing=n["ongoing"],
                actions=tuple(action["label"] for action in n["actions"]),
            )
            for n in self.posted
        ]
