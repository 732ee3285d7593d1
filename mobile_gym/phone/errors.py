"""What can go wrong on a phone when a caller asks for something that is not there."""

from __future__ import annotations


class PhoneError(Exception):
    """Base of the phone's own errors; the message says what was wrong."""


class PackageNotFound(PhoneError):
    """No such package is installed."""


class ActivityNotFound(PhoneError):
    """No activity matches an intent."""


class ProviderError(PhoneError):
    """A content URI that no provider serves, or a query that the provider refuses."""


class SnapshotNotFound(PhoneError):
    """No snapshot of that name was saved."""


class InstallError(PhoneError):
    """A file that is not an APK, or one that this phone refuses; `code` is Android's name for the reason."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
