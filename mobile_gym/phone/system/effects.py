"""What follows from a setting: radios off in airplane mode, the language of every screen, the time zone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from zoneinfo import available_timezones

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

Effect = Callable[["Phone", str], None]


def _airplane(phone: Phone, value: str) -> None:
    settings = phone.state.settings
    if value == "1":
        for key in ("wifi_on", "bluetooth_on"):
            if settings.get("global", f"saved_{key}") is None:
                settings.put("global", f"saved_{key}", settings.get("global", key) or "0")
                phone.put_setting("global", key, "0")
        settings.put("global", "wifi_ap_on", "0")
    else:
        for key in ("wifi_on", "bluetooth_on"):
            saved = settings.get("global", f"saved_{key}")
            if saved is not None:
                phone.put_setting("global", key, saved)
                settings.delete("global", f"saved_{key}")


def _zone(phone: Phone, value: str) -> None:
    if value not in available_timezones():
        phone.log("W", "TimeZone", f"unknown time zone {value!r}; the clock keeps {phone.state.clock.zone}")
        return
    phone.state.clock.zone = value
    phone.on_time_changed()


def _ring_volume(phone: Phone, value: str) -> None:
    mode = phone.state.settings.get("global", "mode_ringer")
    if value == "0" and mode == "2":
        phone.state.settings.put("global", "mode_ringer", "1")
    elif value != "0" and mode != "2":
        phone.state.settings.put("global", "mode_ringer", "2")


def _ringer(phone: Phone, value: str) -> None:
    settings = phone.state.settings
    if value == "2" and settings.get_int("system", "volume_ring") == 0:
        settings.put("system", "volume_ring", settings.get("system", "saved_volume_ring") or "5")
    elif value != "2" and settings.get_int("system", "volume_ring") > 0:
        settings.put("system", "saved_volume_ring", settings.get("system", "volume_ring") or "5")
        settings.put("system", "volume_ring", "0")


def _hotspot(phone: Phone, value: str) -> None:
    if value == "1" and phone.state.settings.get_int("global", "airplane_mode_on"):
        phone.put_setting("global", "airplane_mode_on", "0")


EFFECTS: dict[str, Effect] = {
    "global/airplane_mode_on": _airplane,
    "global/time_zone": _zone,
    "system/volume_ring": _ring_volume,
    "global/mode_ringer": _ringer,
    "global/wifi_ap_on": _hotspot,
}
