"""`Phone`: the embedded phone. It holds a state and the managers that read and change it."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from mobile_gym.phone.apps import installed_apps
from mobile_gym.phone.door import Frame, LogLine, NotificationInfo, SavedSnapshot
from mobile_gym.phone.errors import SnapshotNotFound
from mobile_gym.phone.profiles import Profile, get_profile
from mobile_gym.phone.state import PhoneState, Snapshot
from mobile_gym.phone.state.database import schema_image
from mobile_gym.phone.state.snapshots import Change, diff
from mobile_gym.phone.system import boot, calls, hardware
from mobile_gym.phone.system.activities import ActivityManager
from mobile_gym.phone.system.app import App, Context, Record, new_record
from mobile_gym.phone.system.effects import EFFECTS
from mobile_gym.phone.system.formats import clock_text
from mobile_gym.phone.system.input import InputController
from mobile_gym.phone.system.notifications import Notifier
from mobile_gym.phone.system.own_providers import system_providers
from mobile_gym.phone.system.packages import PackageManager
from mobile_gym.phone.system.providers import ContentResolver
from mobile_gym.phone.system.surface import Surface
from mobile_gym.phone.system.surfaces import all_surfaces
from mobile_gym.phone.system.text_input import TextInput
from mobile_gym.phone.system.timekeeper import Timekeeper
from mobile_gym.phone.system.windows import WindowManager
from mobile_gym.phone.ui.hierarchy import to_xml

SECURE_LAYER = 60
_FACTORY_NAMES = frozenset(
    f"{name}{ending}" for name in boot.FACTORY_SNAPSHOTS for ending in ("", *(f"-{one}" for one in boot.LANGUAGES))
)


class Phone:
    """A phone that lives in the process. One thread owns it; nothing in it reads the host's clock or files.

    Args:
        profile: hardware and build, by name.
        language: `zh` or `en`.
        snapshot: the factory snapshot to start from: `clean` or `lived_in`.
        seed: seed of the phone's generator.

    Raises:
        ValueError: an unknown profile, language or snapshot.
    """

    def __init__(self, profile: str = "pixel_6a", language: str = "zh", snapshot: str = "clean", seed: int = 0) -> None:
        first = boot.factory_snapshot(profile, language, snapshot)
        self._set_up(get_profile(profile), language)
        self.state.load(first)
        self.state.reseed(seed)

    @classmethod
    def bare(cls, profile: str, language: str) -> Phone:
        """A phone without anything in its state; for making factory snapshots."""
        phone = cls.__new__(cls)
        phone._set_up(get_profile(profile), language)
        return phone

    def _set_up(self, profile: Profile, language: str) -> None:
        self.profile = profile
        self._language = language
        self.apps: Mapping[str, App] = installed_apps()
        self.state = PhoneState(boot.first_clock(language), 0, self._make_database)
        self.surfaces: tuple[Surface, ...] = all_surfaces()
        self.activities = ActivityManager(self)
        self.packages = PackageManager(self)
        self.providers = ContentResolver(self)
        self.notifier = Notifier(self)
        self.text_input = TextInput(self)
        self.windows = WindowManager(self)
        self.input = InputController(self)
        self._time = Timekeeper(self)
        self.props: dict[str, str] = hardware.first_props(profile)
        self._saved: dict[str, tuple[Snapshot, int]] = {}
        self._log: deque[LogLine] = deque(maxlen=2000)
        for provider in system_providers():
            self.providers.add(provider)
        for app in self.apps.values():
            for provider in app.providers():
                self.providers.add(provider)

    def _make_database(self, name: str) -> bytes:
        package, _, database = name.partition("/")
        app = self.apps.get(package)
        if app is None or database not in app.databases:
            return b""
        return schema_image(files(app.module).joinpath(app.databases[database]).read_text(encoding="utf-8"))

    # ---- facts that everything is drawn from

    @property
    def language(self) -> str:
        """`zh` or `en`, from the first of the user's locales that is one of them."""
        locales = self.state.settings.get("system", "system_locales") or self._language
        if locales.startswith(("zh", "en")):
            return locales[:2]
        # The first one may be a language that the phone doesn't speak.
        return next((name[:2] for name in locales.split(",") if name.startswith(("zh", "en"))), "en")

    @property
    def dark(self) -> bool:
        """Whether the dark theme is on."""
        return self.state.settings.get("secure", "ui_night_mode") == "2"

    @property
    def use_24_hours(self) -> bool:
        """Whether times are shown in 24 hours."""
        return self.state.settings.get("system", "time_12_24") == "24"

    @property
    def font_scale(self) -> float:
        """The user's font scale."""
        scale = self.state.settings.get_float("system", "font_scale", 1.0)
        # Anybody may put anything into a setting; what no screen could be drawn with does not count.
        return scale if 0.5 <= scale <= 3.0 else 1.0

    @property
    def density_dpi(self) -> int:
        """Pixels an inch in use."""
        dpi = self.state.settings.get_int("secure", "display_density_forced", self.profile.dpi)
        return dpi if 100 <= dpi <= 1000 else self.profile.dpi

    @property
    def screen(self) -> tuple[int, int, int]:
        """Width, height and quarter turns."""
        width, height = self.profile.width, self.profile.height
        forced = self.state.settings.get("global", "display_size_forced") or ""
        sides = forced.replace(",", "x").split("x")
        if len(sides) == 2 and all(side.isdigit() and 200 <= int(side) <= 8000 for side in sides):
            width, height = int(sides[0]), int(sides[1])
        rotation = self.state.settings.get_int("system", "user_rotation") % 4
        if self.state.settings.get_int("system", "accelerometer_rotation") == 1:
            rotation = 0
        return (height, width, rotation) if rotation % 2 else (width, height, rotation)

    def clock_text(self) -> str:
        """The time as the status bar shows it."""
        now = self.state.clock.now()
        return clock_text(now.hour, now.minute, self.use_24_hours)

    def status_icons(self) -> list[tuple[str, str]]:
        """Icons at the right of the status bar, each with its description."""
        own = [icon for app in self.apps.values() for icon in app.status_icons(self)]
        return own + hardware.status_icons(self)

    # ---- looking

    def invalidate(self) -> None:
        """Something that a screen shows may have changed."""
        self.windows.forget()

    def frame(self, size: tuple[int, int] | None = None) -> Frame:
        """The screen as uint8[H, W, 3], RGB; a new array."""
        return hardware.frame(self, size)

    def hierarchy_xml(self) -> str:
        """The focused window as `uiautomator dump` writes it, and the small ones that lie over it."""
        window = self.windows.focused()
        above = [(small.root, small.package) for small in self.windows.listed_above(window)]
        return to_xml(window.root, window.package, self.screen[2], above)

    def notifications(self) -> list[NotificationInfo]:
        """Posted notifications, newest first."""
        return self.notifier.infos()

    # ---- records of screens and surfaces

    def surface_record(self, name: str) -> Record:
        """The interface state of a surface."""
        surfaces: dict[str, Record] = self.state.interface["surfaces"]
        if name not in surfaces:
            number = next((i for i, surface in enumerate(self.surfaces) if surface.name == name), len(self.surfaces))
            surfaces[name] = new_record(2 + number, "com.android.systemui", name, {})
        return surfaces[name]

    def surface_context(self, surface: Surface) -> Context:
        """A context for a surface; its texts are the system's."""
        return Context(self, _SYSTEM_APP, self.surface_record(surface.name))

    def find_record(self, uid: int) -> Record | None:
        """The record of a screen or surface by its number."""
        for record in (*self.activities.records(), *self.state.interface["surfaces"].values()):
            if record["uid"] == uid:
                found: Record = record
                return found
        return None

    def surface_open(self, layer: int) -> bool:
        """Whether a surface of this layer or above shows."""
        return any(s.layer >= layer and s.visible(self.surface_context(s)) for s in self.surfaces)

    def open_surface(self, name: str, **ui: Any) -> None:
        """Shows a surface, with plain values for its `ctx.ui`."""
        self.surface_record(name)["ui"].update(ui, open=True)
        self.invalidate()

    def close_surface(self, name: str) -> None:
        """Hides a surface; a field of it loses the focus."""
        record = self.surface_record(name)
        record["ui"]["open"] = False
        focus = self.state.interface["focus"]
        if focus is not None and focus[0] == record["uid"]:
            self.text_input.focus(None)
        self.invalidate()

    def close_surfaces(self) -> None:
        """Hides shade, recents, volume panel and menus; what must be answered (permission, call, lock) stays."""
        for name in ("shade", "recents", "volume", "volume_panel", "text_menu", "power_menu"):
            if name in self.state.interface["surfaces"]:
                self.close_surface(name)
        self.invalidate()

    # ---- acting; the small deeds live in `hardware`

    def put_setting(self, namespace: str, key: str, value: str) -> None:
        """Puts a setting and acts on it."""
        self.state.settings.put(namespace, key, value)
        effect = EFFECTS.get(f"{namespace}/{key}")
        if effect is not None:
            effect(self, value)
        for app in self.apps.values():
            app.on_setting(self, f"{namespace}/{key}", value)
        self.invalidate()

    def delete_setting(self, namespace: str, key: str) -> None:
        """Deletes a setting."""
        self.state.settings.delete(namespace, key)
        self.invalidate()

    def show_toast(self, text: str, package: str) -> None:
        """Shows a toast for 3.5 seconds."""
        until = self.state.clock.now_ms + 3500
        self.state.interface["toast"] = {"text": text, "package": package, "until": until}
        self.invalidate()

    def set_clipboard(self, text: str) -> None:
        """Sets the clipboard."""
        self.state.interface["clipboard"] = text

    def show_text_menu(self) -> None:
        """Shows cut, copy, paste and select all over the focused field."""
        hardware.show_text_menu(self)

    def expand_shade(self, quick_settings: bool) -> None:
        """Pulls the notification shade down."""
        self.text_input.hide_keyboard()
        hardware.expand_shade(self, quick_settings)

    def press_home(self) -> None:
        """What the Home key does."""
        hardware.press_home(self)

    def toggle_recents(self) -> None:
        """What the Recents key does."""
        if self.activities.locked():
            return
        self.text_input.hide_keyboard()
        if self.surface_record("recents")["ui"].get("open"):
            self.close_surface("recents")
        else:
            self.close_surfaces()
            self.open_surface("recents")

    def request_permission(self, package: str, permission: str) -> bool:
        """Asks the user for a runtime permission of an app; tells whether it is granted already.

        Raises:
            PackageNotFound: the package is not installed.
            ProviderError: it does not ask for this permission.
        """
        return hardware.request_permission(self, package, permission)

    def change_volume(self, steps: int) -> None:
        """What the volume keys do."""
        hardware.change_volume(self, steps)

    def press_power(self, key: str) -> None:
        """What the power key does; `SLEEP` and `WAKEUP` only turn the screen off and on."""
        hardware.press_power(self, key)

    def place_call(self, number: str) -> None:
        """Dials a number; the screen of the call comes up."""
        calls.place(self, number)

    def answer_call(self) -> None:
        """Answers the call that rings."""
        calls.answer(self)

    def end_call(self) -> None:
        """Rejects or ends the call."""
        calls.end(self)

    def take_screenshot(self) -> None:
        """Saves the screen as a PNG file under Pictures/Screenshots and says so."""
        hardware.take_screenshot(self)

    def on_notification(self, notification: Record) -> None:
        """A notification was posted: lights up the shade's history and the head-up."""
        hardware.on_notification(self, notification)

    def on_broadcast(self, action: str, extras: Mapping[str, Any]) -> tuple[int, str | None] | None:
        """Broadcasts that the system itself answers."""
        return hardware.on_broadcast(self, action, extras)

    def receive_sms(self, sender: str, body: str) -> None:
        """Lets a text message arrive."""
        hardware.receive_sms(self, sender, body)

    def incoming_call(self, number: str) -> None:
        """Lets a call arrive."""
        calls.ring(self, number)

    # ---- time

    def set_time(self, now_ms: int) -> None:
        """Sets the clock."""
        self._time.set_time(now_ms)

    def on_time_changed(self) -> None:
        """Tells the apps that the time or the time zone was set."""
        self._time.tell_apps()

    def advance(self, ms: int) -> None:
        """Lets virtual time pass; what is due on the way happens at its own time."""
        self._time.advance(ms)

    def settle(self) -> None:
        """Lets time pass until no page is loading, for a few virtual seconds at most."""
        self._time.settle()

    def reboot(self) -> None:
        """Restarts: tasks, toasts and dialogs go; data stays."""
        interface = self.state.interface
        for package in self.packages.names():
            self.packages.end_one_time(package)
        interface["tasks"].clear()
        interface["surfaces"].clear()
        for surface in self.surfaces:
            self.surface_record(surface.name)
        interface.update(focus=None, toast=None, call=None, screen_on=True)
        interface["locked"] = self.state.settings.get("secure", "lockscreen_disabled") != "1"
        self.state.clock.boot_ms = self.state.clock.now_ms
        self.activities.go_home()

    # ---- log

    def log_lines(self) -> list[LogLine]:
        """The log, oldest first."""
        return list(self._log)

    def log(self, priority: str, tag: str, message: str) -> None:
        """Writes a line to the log. The log is no part of the state."""
        self._log.append(LogLine(self.state.clock.now_ms, 1000, 1000, priority, tag, message))

    def clear_log(self) -> None:
        """Empties the log."""
        self._log.clear()

    # ---- snapshots

    def save_snapshot(self, name: str) -> None:
        """Saves the state under a name."""
        self._saved[name] = (self.state.save(), self.state.clock.now_ms)

    def load_snapshot(self, name: str) -> None:
        """Restores a state: one that was saved, or a factory snapshot; `lived_in` is the one in the phone's first
        language, `lived_in-en` the English one."""
        saved = self._saved.get(name)
        factory, _, language = name.partition("-")
        if saved is not None:
            snapshot = saved[0]
        elif name in _FACTORY_NAMES:
            snapshot = boot.factory_snapshot(self.profile.name, language or self._language, factory)
        else:
            raise SnapshotNotFound(f"no snapshot {name!r}; there are {', '.join(self.snapshot_names())}")
        self.load_state(snapshot)

    def load_state(self, snapshot: Snapshot) -> None:
        """Makes the phone what a snapshot holds."""
        self.state.load(snapshot)
        self.invalidate()

    def delete_snapshot(self, name: str) -> None:
        """Deletes a saved state; factory snapshots stay."""
        if name not in self._saved:
            raise SnapshotNotFound(f"no snapshot {name!r} was saved")
        del self._saved[name]

    def snapshot_names(self) -> list[str]:
        """Saved and factory snapshots, sorted."""
        return sorted({*self._saved, *_FACTORY_NAMES})

    def list_snapshots(self) -> list[SavedSnapshot]:
        """Saved states, sorted by name."""
        return [SavedSnapshot(name, self._saved[name][0].size, self._saved[name][1]) for name in sorted(self._saved)]

    def fork(self) -> Phone:
        """A phone of its own with the same state; neither affects the other."""
        phone = Phone.bare(self.profile.name, self._language)
        phone.load_state(self.state.save())
        phone._saved.update(self._saved)
        phone.props.update(self.props)
        return phone

    def diff(self, before: Snapshot) -> list[Change]:
        """What changed since a snapshot."""
        return diff(before, self.state.save())

    def digest(self) -> str:
        """A hash of the whole state."""
        return self.state.save().digest()

    def screen_digest(self) -> str:
        """A hash of the frame, with the versions of Pillow and FreeType that it holds for."""
        return hardware.screen_digest(self)

    def close(self) -> None:
        """Closes the databases."""
        self.state.close()


class _SystemApp(App):
    package = "com.android.systemui"
    module = "mobile_gym.phone.system"
    string_modules = (hardware.SURFACE_TEXTS,)
    label_key = "ok"


_SYSTEM_APP = _SystemApp()
