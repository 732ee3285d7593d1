"""State of the embedded phone: everything here is data that a snapshot holds."""

from mobile_gym.phone.state.clock import VirtualClock
from mobile_gym.phone.state.database import Database
from mobile_gym.phone.state.files import FileEntry, VirtualFiles
from mobile_gym.phone.state.settings_store import NAMESPACES, SettingsStore
from mobile_gym.phone.state.snapshots import Change, Snapshot
from mobile_gym.phone.state.store import PhoneState

__all__ = [
    "NAMESPACES",
    "Change",
    "Database",
    "FileEntry",
    "PhoneState",
    "SettingsStore",
    "Snapshot",
    "VirtualClock",
    "VirtualFiles",
]
