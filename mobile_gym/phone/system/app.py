"""What an application is: `App`, its `Screen`s, and the `Context` that a screen builds from and acts through."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, ClassVar

import yaml

from mobile_gym.phone.door import Intent
from mobile_gym.phone.errors import ActivityNotFound, PackageNotFound
from mobile_gym.phone.state import Database, SettingsStore
from mobile_gym.phone.ui.node import Handler, Node
from mobile_gym.phone.ui.theme import Palette

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone
    from mobile_gym.phone.system.providers import Provider

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class LauncherIcon:
    """An app's icon: a glyph on a round disc.

    Attributes:
        glyph: name of the Material Design icon.
        colors: the disc's colours at top left and bottom right.
        ink: the glyph's colour.
    """

    glyph: str
    colors: tuple[str, str]
    ink: str = "#FFFFFF"


@lru_cache(maxsize=128)
def load_strings(module: str) -> Mapping[str, Mapping[str, str]]:
    """The texts of a package's `strings.yaml`: key -> language -> text.

    Raises:
        ValueError: a key lacks a language; the message names file and key.
    """
    text = files(module).joinpath("strings.yaml").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)) or {}
    for key, by_language in found.items():
        if not isinstance(by_language, dict) or set(by_language) != {"zh", "en"}:
            raise ValueError(f"{module}/strings.yaml: {key!r} must have a zh and an en text, nothing else")
    return found


class App:
    """One application. Subclasses hold facts as class attributes and behaviour as methods; they hold no state.

    The folder of the subclass's module holds `strings.yaml`, and the SQL schemas that `databases` names.
    """

    package: ClassVar[str]
    module: ClassVar[str]
    """The package that holds the data files, such as `mobile_gym.phone.apps.clock`."""
    string_modules: ClassVar[tuple[str, ...]] = ()
    """Further packages whose `strings.yaml` holds texts of the app; a big app keeps those of each part by the part."""
    label_key: ClassVar[str] = "app_name"
    icon: ClassVar[LauncherIcon | None] = None
    """None: the launcher does not show the app."""
    palette: ClassVar[Palette] = ()
    """Colour roles in which the app's windows differ from the system's, or that only they have."""
    system: ClassVar[bool] = True
    version_name: ClassVar[str] = "17"
    version_code: ClassVar[int] = 170
    screens: ClassVar[tuple[type[Screen], ...]] = ()
    """The first one is what the launcher opens."""
    databases: ClassVar[Mapping[str, str]] = {}
    """Database name -> file of its schema. Every table has a rowid: snapshots and diffs tell rows apart by it."""
    permissions: ClassVar[Mapping[str, bool]] = {}
    """Runtime permissions that the app asks for, and whether they are granted on a new phone."""
    sizes_mb: ClassVar[tuple[float, float, float]] = (20.0, 1.0, 0.5)
    """Size of the app, of its data and of its cache on a new phone."""

    def providers(self) -> Sequence[Provider]:
        """Content providers that the app exports."""
        return ()

    def seed(self, phone: Phone, snapshot: str, language: str) -> None:
        """Fills the app's state for a factory snapshot (`clean`, `lived_in`) in a language."""

    def resolve(
        self, action: str | None, data: str | None, mime: str | None, extras: Mapping[str, Any]
    ) -> Target | None:
        """The screen that handles an implicit intent, or None where the app doesn't handle it."""
        return None

    def next_wakeup(self, phone: Phone) -> int | None:
        """When the app next has something to do (an alarm rings), milliseconds since the epoch; None: never.

        It depends on rows, settings, files and the time alone: it is asked again once any of them changed.
        """
        return None

    def on_wakeup(self, phone: Phone) -> None:
        """Does what was due; `next_wakeup` must then be later, or None."""

    def on_time_changed(self, phone: Phone) -> None:
        """Called after the time or the time zone was set."""

    def status_icons(self, phone: Phone) -> Sequence[tuple[str, str]]:
        """Icons that the app has in the status bar (an alarm is set), each with its description."""
        return ()

    def glance(self, phone: Phone) -> tuple[str, str, str] | None:
        """What the home screen shows beside its clock (the weather): icon, a short text, the line under it."""
        return None

    def on_broadcast(self, phone: Phone, action: str, extras: Mapping[str, Any]) -> tuple[int, str | None] | None:
        """Answers a broadcast with result code and data; None where it isn't for this app."""
        return None

    def on_setting(self, phone: Phone, name: str, value: str) -> None:
        """Called after one of Android's settings was put; `name` is `namespace/key`, such as `global/wifi_on`."""

    def on_data_cleared(self, phone: Phone) -> None:
        """Called after the app's databases were dropped."""

    def font_scale(self, phone: Phone, scale: float) -> float:
        """The font scale of the app's windows, from the user's; some apps have a setting for larger text."""
        return scale

    def label(self, language: str) -> str:
        """The name under the icon."""
        return load_strings(self.module)[self.label_key][language]

    def screen(self, name: str) -> Screen:
        """The screen called `name`."""
        for screen in self.screens:
            if screen.name == name:
                return screen()
        raise KeyError(f"{self.package} has no screen {name!r}")


@dataclass(frozen=True, slots=True)
class Target:
    """Where an intent leads: a screen and its arguments; `above` are screens to put under it."""

    screen: str
    args: Mapping[str, Any]
    above: tuple[str, ...] = ()


class Screen:
    """One screen (activity). Stateless: everything comes from the context, so that state stays data.

    Dialogs, sheets and menus are methods `overlay_<name>(ctx, **args) -> Node`; `ctx.show("<name>", …)` opens one.
    """

    name: ClassVar[str]
    activity: ClassVar[str]
    """The class name, such as `.SoundSettings`, relative to the package, or full."""
    load_ms: ClassVar[int] = 0
    """Virtual time that opening takes; a spinner shows meanwhile."""
    single: ClassVar[bool] = False
    """Opening it while it is in the stack goes back to it."""

    def build(self, ctx: Context) -> Node:
        """The screen as it is now."""
        raise NotImplementedError

    def on_open(self, ctx: Context) -> None:
        """Called once, when the screen is opened: fills fields, marks things as read."""

    def on_resume(self, ctx: Context) -> None:
        """Called when the screen comes to the front again: its task was brought back, or what covered it was closed."""

    def on_back(self, ctx: Context) -> bool:
        """Called before the screen is left by Back; True means that it dealt with Back itself."""
        return False

    def on_result(self, ctx: Context, result: Mapping[str, Any]) -> None:
        """Called when a screen that this one opened finished with a result."""


def new_record(uid: int, package: str, screen: str, args: Mapping[str, Any]) -> Record:
    """Interface state of a screen that was just opened."""
    return {
        "uid": uid,
        "package": package,
        "screen": screen,
        "args": dict(args),
        "ui": {},
        "fields": {},
        "scroll": {},
        "overlays": [],
        "ready_ms": 0,
        "snack": None,
    }


class Context:
    """What a screen sees of the phone. Made anew for every build; handlers may keep it until the next one.

    Args:
        phone: the phone.
        app: the app, or the system surface's owner.
        record: the interface state of the screen or surface; plain data.
    """

    __slots__ = ("app", "overlay", "phone", "record")

    def __init__(self, phone: Phone, app: App, record: Record, overlay: Record | None = None) -> None:
        self.phone = phone
        self.app = app
        self.record = record
        self.overlay = overlay

    # ---- reading

    @property
    def ui(self) -> Record:
        """The screen's own plain values (chosen tab, expanded row); a dialog sees its screen's."""
        ui: Record = self.record["ui"]
        return ui

    @property
    def args(self) -> Record:
        """What the screen was opened with."""
        args: Record = self.record["args"]
        return args

    @property
    def db(self) -> Database:
        """The app's first database."""
        return self.database(f"{self.app.package}/{next(iter(self.app.databases))}")

    def database(self, name: str) -> Database:
        """Any database, by `package/name`."""
        return self.phone.state.database(name)

    @property
    def settings(self) -> SettingsStore:
        """Android's settings; change them through `put_setting` so that the phone acts on them."""
        return self.phone.state.settings

    def put_setting(self, namespace: str, key: str, value: str | int | float | bool) -> None:
        """Puts a setting and acts on it."""
        text = str(int(value)) if isinstance(value, bool) else str(value)
        self.phone.put_setting(namespace, key, text)

    @property
    def now(self) -> datetime:
        """The phone's local time."""
        return self.phone.state.clock.now()

    @property
    def now_ms(self) -> int:
        """Milliseconds since the epoch."""
        return self.phone.state.clock.now_ms

    @property
    def language(self) -> str:
        """`zh` or `en`."""
        return self.phone.language

    def tr(self, key: str, **values: Any) -> str:
        """The text of a key in the phone's language, with `{name}` filled in.

        Looked up in the app's strings, then in those that all apps share.

        Raises:
            KeyError: no such key.
        """
        for module in self.app.string_modules:
            if key in load_strings(module):
                return translate(module, key, self.phone.language, values)
        return translate(self.app.module, key, self.phone.language, values)

    def field(self, name: str) -> str:
        """The text in a text field of this screen."""
        found = self.record["fields"].get(name)
        return "" if found is None else str(found["text"])

    # ---- acting at once

    def set_field(self, name: str, text: str) -> None:
        """Sets a field's text, with the cursor at its end."""
        self.record["fields"][name] = {"text": text, "cursor": len(text), "anchor": len(text)}

    def focus(self, name: str | None) -> None:
        """Gives a text field the focus, which brings the keyboard up; None takes it away."""
        self.phone.text_input.focus(None if name is None else (int(self.record["uid"]), name))

    def go(self, screen: str, **args: Any) -> None:
        """Opens a screen of this app on top."""
        self.phone.activities.open_screen(self.app.package, screen, args)

    def finish(self, result: Mapping[str, Any] | None = None) -> None:
        """Closes this screen, with a result for the one below."""
        self.phone.activities.finish(int(self.record["uid"]), result)

    def open_overlay(self, name: str, **args: Any) -> None:
        """Opens the dialog, sheet or menu that `overlay_<name>` builds."""
        self.record["overlays"].append({"name": name, "args": args, "ui": {}})

    def dismiss(self) -> None:
        """Closes the topmost dialog, sheet or menu."""
        if self.record["overlays"]:
            self.record["overlays"].pop()

    def toast(self, text: str, icon: str | None = None) -> None:
        """Shows a toast for 3.5 seconds of virtual time."""
        self.phone.show_toast(text, self.app.package if icon is None else icon)

    def snackbar(self, text: str, action: str | None = None, undo: Mapping[str, Any] | None = None) -> None:
        """Shows a snackbar for 4 seconds; its action calls the screen's `on_snackbar(ctx, undo)` with plain data."""
        until = self.now_ms + 4000
        self.record["snack"] = {"text": text, "action": action, "undo": dict(undo or {}), "until": until}

    # ---- handlers

    def open(self, screen: str, **args: Any) -> Handler:
        """A handler that opens a screen of this app."""
        return lambda: self.go(screen, **args)

    def launch(self, intent: Intent) -> Handler:
        """A handler that starts an activity of any app; a toast says so where no app can do it."""

        def handle() -> None:
            try:
                self.phone.activities.start(intent)
            except (ActivityNotFound, PackageNotFound):
                self.toast(self.tr("no_app_for_this"))

        return handle

    def back(self) -> Handler:
        """A handler that does what the Back key does once the keyboard is down."""

        def handle() -> None:
            self.focus(None)
            self.phone.input.key("BACK")

        return handle

    def show(self, name: str, **args: Any) -> Handler:
        """A handler that opens a dialog, sheet or menu."""
        return lambda: self.open_overlay(name, **args)

    def then_dismiss(self, action: Callable[..., object], *args: Any) -> Handler:
        """A handler that closes the topmost overlay, then acts."""

        def handle() -> None:
            self.dismiss()
            action(*args)

        return handle

    def set_ui(self, key: str, value: Any) -> Handler:
        """A handler that sets one of the screen's plain values."""

        def handle() -> None:
            self.ui[key] = value

        return handle

    def toggle_ui(self, key: str) -> Handler:
        """A handler that turns one of the screen's plain values round."""

        def handle() -> None:
            self.ui[key] = not self.ui.get(key, False)

        return handle


SHARED_STRINGS = "mobile_gym.phone.system"


def translate(module: str, key: str, language: str, values: Mapping[str, Any]) -> str:
    """A text by key: the module's own, else the shared one, with `{name}` filled in."""
    found = load_strings(module).get(key) or load_strings(SHARED_STRINGS).get(key)
    if found is None:
        raise KeyError(f"no text {key!r} in {module}/strings.yaml or {SHARED_STRINGS}/strings.yaml")
    text = found[language]
    return text.format(**values) if values else text
