"""The phone that is served to ADB clients: with the AdbKeyboard, and its factory snapshots in the console's list."""

from __future__ import annotations

from mobile_gym.phone.phone import Phone
from mobile_gym.phone.system.apk import ApkManifest

ADB_KEYBOARD = ApkManifest("com.android.adbkeyboard", "2.4-dev", 24, ())
_SIZE = 18_000


def served_phone(profile: str, language: str, snapshot: str, seed: int, adb_keyboard: bool = True) -> Phone:
    """Makes a phone whose factory snapshots are saved under their names, so that clients find them.

    Args:
        profile: hardware and build, by name.
        language: `zh` or `en`.
        snapshot: the snapshot to start from.
        seed: seed of the phone's generator.
        adb_keyboard: whether every snapshot has the AdbKeyboard installed, as test devices have.

    Raises:
        ValueError: an unknown profile, language or snapshot.
    """
    phone = Phone(profile, language, snapshot, seed)
    for name in phone.snapshot_names():
        phone.load_snapshot(name)
        if adb_keyboard:
            phone.packages.add(ADB_KEYBOARD, _SIZE)
        phone.save_snapshot(name)
    phone.load_snapshot(snapshot)
    phone.state.reseed(seed)
    return phone
