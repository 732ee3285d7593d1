"""Wi-Fi networks and Bluetooth devices: their tables, their seed, and what the status bar reads of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import yaml

from mobile_gym.phone.errors import ProviderError
from mobile_gym.phone.system.providers import Table

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone
    from mobile_gym.phone.state import Database

DATABASE = "com.android.settings/settings.db"
_ADDRESS = re.compile(r"[0-9A-F]{2}(:[0-9A-F]{2}){5}")


def sync(phone: Phone) -> None:
    """Brings `global/wifi_connected` and `global/bluetooth_connected` in line with the tables and the radios."""
    settings = phone.state.settings
    database = phone.state.database(DATABASE)
    ssid = ""
    if settings.get_int("global", "wifi_on"):
        ssid = str(database.value("SELECT ssid FROM wifi_networks WHERE connected = 1 AND signal > 0") or "")
    name = ""
    if settings.get_int("global", "bluetooth_on"):
        name = str(database.value("SELECT name FROM bluetooth_devices WHERE connected = 1 ORDER BY _id") or "")
    settings.put("global", "wifi_connected", ssid)
    settings.put("global", "bluetooth_connected", name)
    phone.invalidate()


def wifi_switched(phone: Phone) -> None:
    """Wi-Fi went on or off: leaves the network, or joins the strongest saved one."""
    database = phone.state.database(DATABASE)
    if not phone.state.settings.get_int("global", "wifi_on"):
        database.execute("UPDATE wifi_networks SET connected = 0 WHERE connected = 1")
    else:
        join_best(database)
    sync(phone)


def join_best(database: Database) -> None:
    """Joins the strongest saved network in reach that joins by itself, unless one is connected."""
    if database.value("SELECT count(*) FROM wifi_networks WHERE connected = 1"):
        return
    best = database.value(
        "SELECT _id FROM wifi_networks WHERE saved = 1 AND auto_join = 1 AND signal > 0"
        " ORDER BY signal DESC, _id LIMIT 1"
    )
    if best is not None:
        database.update("wifi_networks", int(best), connected=1)


def bluetooth_switched(phone: Phone) -> None:
    """Bluetooth went on or off: drops the links, or takes those with hearing aids, headsets and watches up again."""
    database = phone.state.database(DATABASE)
    if not phone.state.settings.get_int("global", "bluetooth_on"):
        database.execute("UPDATE bluetooth_devices SET connected = 0 WHERE connected = 1")
    else:
        database.execute(
            "UPDATE bluetooth_devices SET connected = 1 WHERE paired = 1 AND in_reach = 1"
            " AND kind IN ('hearing_aid', 'headset', 'watch')"
        )
    sync(phone)


def _next_address(phone: Phone, values: Mapping[str, Any]) -> str:
    number = int(phone.state.database(DATABASE).value("SELECT coalesce(max(_id), 0) + 1 FROM bluetooth_devices"))
    return f"5C:17:CF:00:{number // 256 % 256:02X}:{number % 256:02X}"


def _check_device(values: Mapping[str, Any]) -> None:
    address = values.get("address")
    if address is not None and not _ADDRESS.fullmatch(str(address)):
        raise ProviderError(f"bluetooth_devices: address {address!r} must look like 5C:17:CF:00:00:01")


TABLES: Mapping[str, Table] = {
    "wifi_networks": Table(DATABASE, "wifi_networks", "wifi_networks", on_change=sync),
    "bluetooth_devices": Table(
        DATABASE,
        "bluetooth_devices",
        "bluetooth_devices",
        defaults={"address": _next_address},
        on_change=sync,
        check=_check_device,
    ),
}


def seed_connections(phone: Phone, snapshot: str, language: str) -> None:
    """What is in reach of a new phone, and what a phone that is lived in knows; from `seed.yaml`."""
    text = files("mobile_gym.phone.apps.settings").joinpath("seed.yaml").read_text(encoding="utf-8")
    seed: dict[str, Any] = yaml.safe_load(text)
    database = phone.state.database(DATABASE)
    for table in ("wifi_networks", "bluetooth_devices"):
        for row in seed[table]:
            values = {**row, **row.get(snapshot, {})}
            values.pop("lived_in", None)
            for key, value in values.items():
                if isinstance(value, dict):
                    values[key] = value[language]
            database.insert(table, **values)
    sync(phone)


# ---- deeds


def connect_wifi(phone: Phone, key: int) -> None:
    """Saves a network and connects to it."""
    phone.state.database(DATABASE).update("wifi_networks", key, saved=1, connected=1)
    sync(phone)


def disconnect_wifi(phone: Phone, key: int) -> None:
    """Leaves a network; it stays saved."""
    phone.state.database(DATABASE).update("wifi_networks", key, connected=0)
    sync(phone)


def forget_wifi(phone: Phone, key: int) -> None:
    """Forgets a network and joins the best of the others that are saved."""
    database = phone.state.database(DATABASE)
    database.update("wifi_networks", key, saved=0, connected=0)
    join_best(database)
    sync(phone)


def set_wifi(phone: Phone, key: int, **values: int) -> None:
    """Sets columns of a network."""
    phone.state.database(DATABASE).update("wifi_networks", key, **values)
    sync(phone)


def add_wifi(phone: Phone, ssid: str, security: str, password: str) -> None:
    """Saves a network by its name; one in reach is connected to."""
    database = phone.state.database(DATABASE)
    known = database.row("SELECT _id, signal FROM wifi_networks WHERE ssid = ?", ssid)
    if known is None:
        database.insert("wifi_networks", ssid=ssid, security=security, password=password, saved=1, signal=0)
    else:
        in_reach = int(bool(known["signal"]))
        database.update(
            "wifi_networks", int(known["_id"]), saved=1, connected=in_reach, security=security, password=password
        )
    sync(phone)


def pair(phone: Phone, key: int) -> None:
    """Pairs a Bluetooth device and connects to it."""
    phone.state.database(DATABASE).update("bluetooth_devices", key, paired=1, connected=1)
    sync(phone)


def set_bluetooth(phone: Phone, key: int, **values: int | str) -> None:
    """Sets columns of a Bluetooth device (its name, whether it is connected or paired)."""
    phone.state.database(DATABASE).update("bluetooth_devices", key, **values)
    sync(phone)
