"""Keys, radio, calls, screen: what the phone does that belongs to no app."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import PIL
from PIL import Image, features

from mobile_gym.phone.door import Frame
from mobile_gym.phone.errors import ProviderError
from mobile_gym.phone.profiles import Profile
from mobile_gym.phone.system.app import Record, translate
from mobile_gym.phone.system.windows import NAV_DP
from mobile_gym.phone.ui import effects, paint
from mobile_gym.phone.ui.display import DisplayList
from mobile_gym.phone.ui.tiles import TileCache

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

SURFACE_TEXTS = "mobile_gym.phone.system.surfaces"
"""The package that holds the texts of the system's windows."""

STREAMS = {"music": 25, "voice": 7, "ring": 7, "notification": 7, "alarm": 7}
"""Volume streams and their highest step; `system/volume_<stream>` holds the step."""

MOST_KEPT_PIXELS = 600_000
"""Frames of more pixels are painted anew each time: keeping them would cost more than it saves."""

DALTONIZERS = {"11": "protanomaly", "12": "deuteranomaly", "13": "tritanomaly"}
"""Colour corrections by the value of `secure/accessibility_display_daltonizer`; 0 is grey."""


def first_props(profile: Profile) -> dict[str, str]:
    """System properties of a new phone."""
    return {
        "dev.bootcomplete": "1",
        "init.svc.bootanim": "stopped",
        "persist.sys.timezone": "",
        "ro.build.fingerprint": (
            f"{profile.manufacturer}/{profile.device}/{profile.device}:{profile.release}/MOBENCH/1:userdebug/dev-keys"
        ),
        "ro.build.type": "userdebug",
        "ro.build.version.release": profile.release,
        "ro.build.version.sdk": str(profile.sdk),
        "ro.debuggable": "1",
        "ro.hardware": profile.device,
        "ro.kernel.qemu": "1",
        "ro.product.brand": profile.manufacturer.lower(),
        "ro.product.cpu.abi": "x86_64",
        "ro.product.device": profile.device,
        "ro.product.manufacturer": profile.manufacturer,
        "ro.product.model": profile.model,
        "ro.product.name": profile.device,
        "ro.secure": "1",
        "ro.serialno": "MOBENCH0001",
        "ro.sf.lcd_density": str(profile.dpi),
        "sys.boot_completed": "1",
    }


def status_icons(phone: Phone) -> list[tuple[str, str]]:
    """State of ringer, radios and modes: icon and description, left to right."""
    settings = phone.state.settings
    found: list[tuple[str, str]] = []

    def show(icon: str, key: str) -> None:
        found.append((icon, translate(SURFACE_TEXTS, key, phone.language, {})))

    if settings.get_int("global", "zen_mode"):
        show("minus-circle-outline", "sb_dnd")
    ringer = settings.get_int("global", "mode_ringer", 2)
    if ringer == 1:
        show("vibrate", "sb_vibrate")
    elif ringer == 0:
        show("volume-off", "sb_silent")
    if settings.get_int("global", "low_power"):
        show("leaf", "sb_saver")
    if settings.get_int("global", "bluetooth_on") and settings.get("global", "bluetooth_connected"):
        show("bluetooth", "sb_bluetooth")
    if settings.get_int("global", "wifi_ap_on"):
        show("access-point", "sb_hotspot")
    if settings.get_int("global", "wifi_on") and settings.get("global", "wifi_connected"):
        show("wifi-strength-4", "sb_wifi")
    if settings.get_int("global", "airplane_mode_on"):
        show("airplane", "sb_airplane")
    elif settings.get_int("global", "mobile_data"):
        show("network-strength-4", "sb_signal")
    else:
        show("network-strength-outline", "sb_no_data")
    return found


def frame(phone: Phone, size: tuple[int, int] | None) -> Frame:
    """Paints the screen at the size asked for."""
    width, height, _ = phone.screen
    out = size or (width, height)
    if not phone.state.interface["screen_on"] or phone.windows.focused().root.secure:
        return np.zeros((out[1], out[0], 3), np.uint8)
    scale = out[0] / width
    picture = _painted(phone, out, scale)
    settings = phone.state.settings
    magnifier = phone.state.interface["magnifier"]
    if magnifier is not None and magnifier.get("uid") in (None, phone.activities.top()["uid"]):
        middle = (round(magnifier["x"] * scale), round(magnifier["y"] * scale))
        plain = picture
        picture = paint.magnify(picture, magnifier["scale"], *middle)
        # The navigation bar stays as it is, so that it can be touched.
        bar = out[1] - round(NAV_DP * phone.density_dpi / 160 * scale)
        picture[bar:] = plain[bar:]
    if settings.get_int("secure", "night_display_activated"):
        kelvin = settings.get_int("secure", "night_display_color_temperature", 3488)
        picture = paint.warm(picture, min(max(round(100 * (4082 - kelvin) / 1486), 0), 100))
    if settings.get_int("secure", "accessibility_display_daltonizer_enabled"):
        mode = settings.get("secure", "accessibility_display_daltonizer") or "12"
        if mode == "0":
            picture = paint.grayscale(picture)
        elif mode in DALTONIZERS:
            picture = effects.correct_colors(picture, DALTONIZERS[mode])
    if settings.get_int("secure", "accessibility_display_inversion_enabled"):
        picture = paint.invert(picture)
    return picture


def _painted(phone: Phone, size: tuple[int, int], scale: float) -> Frame:
    """All windows in one picture; small pages are painted once and copied as long as their display list is the same.

    The page in front is the bulk of a frame and comes back often (from a page below, after a look into the shade),
    while the bars over it change with the clock.
    """

    def draw(ops: DisplayList, frame: Frame) -> None:
        paint.paint(
            ops,
            size,
            scale,
            out=frame,
            pictures=lambda source: _file_picture(phone, source),
            density=phone.density_dpi / 160,
        )

    ops = phone.windows.ops
    # The display list covers the screen, so what was in the memory before never shows.
    frame = np.empty((size[1], size[0], 3), np.uint8)
    if size[0] * size[1] > MOST_KEPT_PIXELS:
        draw(ops, frame)
        return frame
    page, above = ops[: phone.windows.page_length], ops[phone.windows.page_length :]
    key = (tuple(page), size, phone.density_dpi, phone.state.files.version)
    pages = shared_pages()
    kept = pages.get(key)
    if kept is None:
        draw(page, frame)
        pages.put(key, frame.copy())
    else:
        frame[...] = kept
    draw(above, frame)
    return frame


@cache
def shared_pages() -> TileCache:
    """The pages that all phones of this process share."""
    return TileCache(48 << 20)


def _file_picture(phone: Phone, source: str) -> bytes | None:
    """The bytes of `file/<path>`; None where the file is gone."""
    path = source.removeprefix("file")
    return phone.state.files.read(path) if phone.state.files.exists(path) else None


def screen_digest(phone: Phone) -> str:
    """A hash of the frame and of what drew it."""
    freetype = features.version("freetype2")
    hasher = hashlib.sha256(f"Pillow {PIL.__version__} FreeType {freetype}".encode())
    hasher.update(phone.frame().tobytes())
    return hasher.hexdigest()


def change_volume(phone: Phone, steps: int) -> None:
    """Changes the stream that sounds now (music, unless a call or an alarm is on) and shows the panel."""
    interface = phone.state.interface
    panel = phone.surface_record("volume")["ui"]
    stream = panel.get("stream") if panel.get("open") else None
    if stream is None:
        stream = "voice" if interface["call"] is not None else "music"
    key = f"volume_{stream}"
    level = phone.state.settings.get_int("system", key)
    phone.put_setting("system", key, str(min(max(level + steps, 0), STREAMS[stream])))
    phone.open_surface("volume", stream=stream, until=phone.state.clock.now_ms + 3000)


def press_home(phone: Phone) -> None:
    """Shows the launcher; a call goes on behind it, and a question for a permission stays unanswered."""
    call = phone.state.interface["call"]
    if phone.activities.locked() or (call is not None and call["state"] == "ringing"):
        return
    phone.close_surface("call")
    phone.surface_record("permission")["ui"]["queue"] = []
    phone.activities.go_home()


def expand_shade(phone: Phone, quick_settings: bool) -> None:
    """Pulls the shade down, at its top; with `quick_settings` as the second pull does."""
    record = phone.surface_record("shade")
    record["scroll"].clear()
    phone.close_surface("heads_up")
    phone.open_surface("shade", page=1 if quick_settings else 0, view="", reply="", expanded={})


def request_permission(phone: Phone, package: str, permission: str) -> bool:
    """Opens the dialog that asks for a permission, or puts the question behind those that are open."""
    permissions = phone.packages.entry(package)["permissions"]
    if permission not in permissions:
        raise ProviderError(f"Package {package} has not requested permission {permission}")
    if permissions[permission]:
        return True
    ui = phone.surface_record("permission")["ui"]
    question = {"package": package, "permission": permission}
    queue = ui.setdefault("queue", [])
    if question not in queue:
        queue.append(question)
    phone.text_input.hide_keyboard()
    phone.invalidate()
    return False


def show_text_menu(phone: Phone) -> None:
    """Shows the menu over the focused field; it goes as soon as the field's text, cursor or selection changes."""
    node, value = phone.text_input.node(), phone.text_input.value()
    if node is None or value is None or node.visible is None:
        return
    place = [node.visible[0], node.visible[1], node.visible[2], node.visible[3]]
    phone.open_surface("text_menu", place=place, seen=text_menu_mark(phone))


def text_menu_mark(phone: Phone) -> list[Any]:
    """What must stay the same for the text menu to stay: screen, field, text, cursor, selection."""
    focus = phone.state.interface["focus"]
    record = None if focus is None else phone.find_record(focus[0])
    value = None if record is None else record["fields"].get(focus[1])
    if value is None:
        return []
    top = phone.activities.top()
    return [list(focus), top["uid"], len(top["overlays"]), value["text"], value["cursor"], value["anchor"]]


def press_power(phone: Phone, key: str) -> None:
    """Turns the screen off, or on to the lock screen where one is set."""
    interface = phone.state.interface
    on = bool(interface["screen_on"])
    if key == "WAKEUP" or (key == "POWER" and not on):
        interface["screen_on"] = True
    elif on:
        interface["screen_on"] = False
        phone.close_surfaces()
        phone.text_input.hide_keyboard()
        if phone.state.settings.get("secure", "lockscreen_disabled") != "1":
            interface["locked"] = True
    phone.invalidate()


def take_screenshot(phone: Phone) -> None:
    """Saves the screen as a file named by the phone's time, and shows it small for some seconds."""
    phone.close_surface("screenshot")
    now = phone.state.clock.now()
    folder = "/storage/emulated/0/Pictures/Screenshots"
    path = f"{folder}/Screenshot_{now:%Y%m%d-%H%M%S}.png"
    buffer = io.BytesIO()
    Image.fromarray(phone.frame()).save(buffer, "PNG", compress_level=1)
    phone.state.files.write(path, buffer.getvalue(), mtime_ms=phone.state.clock.now_ms, parents=True)
    phone.open_surface("screenshot", path=path, until=phone.state.clock.now_ms + 5000)


def on_notification(phone: Phone, notification: Record) -> None:
    """Shows a new notification over the app for a few seconds, unless it is silent or Do Not Disturb is on."""
    settings = phone.state.settings
    quiet = notification["silent"] or settings.get_int("global", "zen_mode")
    if quiet or not settings.get_int("global", "heads_up_notifications_enabled", 1) or phone.surface_open(50):
        return
    if notification["posted_ms"] == phone.state.clock.now_ms:
        until = phone.state.clock.now_ms + 5000
        phone.open_surface("heads_up", package=notification["package"], key=notification["key"], until=until)


def on_broadcast(phone: Phone, action: str, extras: Mapping[str, Any]) -> tuple[int, str | None] | None:
    """Broadcasts that the system answers."""
    prefix = "mobile_gym.intent.action."
    if action == prefix + "EXPAND_SHADE":
        phone.expand_shade(quick_settings=False)
        return 0, None
    if action == prefix + "EXPAND_SETTINGS":
        phone.expand_shade(quick_settings=True)
        return 0, None
    if action == prefix + "COLLAPSE_SHADE":
        phone.close_surface("shade")
        return 0, None
    if action == prefix + "POST_NOTIFICATION":
        phone.notifier.post(
            "com.android.shell", str(extras.get("tag", "")), str(extras.get("title", "")), str(extras.get("text", ""))
        )
        return 0, None
    if action == "android.intent.action.AIRPLANE_MODE" and "state" in extras:
        on = str(extras["state"]).lower() in ("1", "true")
        phone.put_setting("global", "airplane_mode_on", str(int(on)))
        return 0, None
    return None


def receive_sms(phone: Phone, sender: str, body: str) -> None:
    """Puts a message into the inbox; the messaging app notifies."""
    values = {"address": sender, "body": body, "type": 1, "read": 0, "date": phone.state.clock.now_ms}
    phone.providers.insert("content://sms/inbox", values)
