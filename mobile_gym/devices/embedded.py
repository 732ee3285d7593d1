"""`EmbeddedDevice`: the phone that lives in the process, as a `Device`."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from mobile_gym.devices.base import (
    Activity,
    Capability,
    Clock,
    Content,
    Device,
    DeviceInfo,
    Files,
    Frame,
    Key,
    Result,
    Row,
    Settings,
    Snapshots,
)
from mobile_gym.devices.errors import (
    CommandFailed,
    DeviceOffline,
    SnapshotMissing,
    TextInputUnsupported,
)
from mobile_gym.devices.ui_tree import Bounds, UiNode, UiTree
from mobile_gym.phone.door import Intent
from mobile_gym.phone.errors import PhoneError, ProviderError, SnapshotNotFound
from mobile_gym.phone.phone import Phone
from mobile_gym.phone.state import NAMESPACES, Snapshot
from mobile_gym.phone.state.files import normalize
from mobile_gym.phone.system.activities import full_class
from mobile_gym.phone.ui.hierarchy import children_of, shown_text
from mobile_gym.phone.ui.node import Node

if TYPE_CHECKING:
    from mobile_gym.phone.shell.shell import Shell
    from mobile_gym.phone.shell.shell_files import ShellFiles

_KEYS: dict[str, str] = {
    "home": "HOME",
    "back": "BACK",
    "recents": "APP_SWITCH",
    "enter": "ENTER",
    "delete": "DEL",
    "power": "POWER",
    "volume_up": "VOLUME_UP",
    "volume_down": "VOLUME_DOWN",
    "tab": "TAB",
    "escape": "ESCAPE",
}


@dataclass(frozen=True, slots=True)
class PhoneCopy:
    """All that an embedded phone is.

    Attributes:
        profile: hardware and build, by name.
        snapshot: the state.
        props: system properties.
    """

    profile: str
    snapshot: Snapshot
    props: Mapping[str, str]


class _Settings(Settings):
    def __init__(self, device: EmbeddedDevice) -> None:
        self._device = device

    def get(self, namespace: str, key: str) -> str | None:
        self._check(namespace)
        return self._device.phone.state.settings.get(namespace, key)

    def put(self, namespace: str, key: str, value: str) -> None:
        self._check(namespace)
        self._device.phone.put_setting(namespace, key, value)

    def delete(self, namespace: str, key: str) -> None:
        self._check(namespace)
        self._device.phone.delete_setting(namespace, key)

    def all(self, namespace: str) -> dict[str, str]:
        self._check(namespace)
        return self._device.phone.state.settings.all(namespace)

    def _check(self, namespace: str) -> None:
        if namespace not in NAMESPACES:
            known = ", ".join(NAMESPACES)
            raise CommandFailed(f"{self._device.serial}: no settings namespace {namespace!r}; there are {known}")


class _Content(Content):
    def __init__(self, device: EmbeddedDevice) -> None:
        self._device = device

    def query(self, uri: str, where: str | None = None, sort: str | None = None) -> list[Row]:
        try:
            return self._device.phone.providers.query(uri, None, where, sort)
        except ProviderError as error:
            raise CommandFailed(f"{self._device.serial}: query {uri}: {error}") from error

    def insert(self, uri: str, values: Mapping[str, str | int | float | None]) -> None:
        try:
            self._device.phone.providers.insert(uri, values)
        except ProviderError as error:
            raise CommandFailed(f"{self._device.serial}: insert into {uri}: {error}") from error

    def update(self, uri: str, values: Mapping[str, str | int | float | None], where: str | None = None) -> None:
        try:
            self._device.phone.providers.update(uri, values, where)
        except ProviderError as error:
            raise CommandFailed(f"{self._device.serial}: update {uri}: {error}") from error

    def delete(self, uri: str, where: str | None = None) -> None:
        try:
            self._device.phone.providers.delete(uri, where)
        except ProviderError as error:
            raise CommandFailed(f"{self._device.serial}: delete from {uri}: {error}") from error


class _Files(Files):
    """The files that the shell sees: databases lie in the tree too, and the system's folders are read-only."""

    def __init__(self, device: EmbeddedDevice) -> None:
        self._device = device

    @property
    def _files(self) -> ShellFiles:
        from mobile_gym.phone.shell.shell_files import ShellFiles

        return ShellFiles(self._device.phone)

    def _fail(self, verb: str, path: str, error: OSError) -> CommandFailed:
        return CommandFailed(f"{self._device.serial}: {verb} {path}: {error.strerror}")

    def read(self, path: str) -> bytes:
        try:
            return self._files.read(path)
        except OSError as error:
            raise self._fail("read", path, error) from error

    def write(self, path: str, data: bytes) -> None:
        try:
            self._files.write(path, data, parents=True)
        except OSError as error:
            raise self._fail("write", path, error) from error
        self._device.phone.invalidate()

    def list(self, path: str) -> list[str]:
        try:
            return [name for name, _ in self._files.list(path)]
        except OSError as error:
            raise self._fail("list", path, error) from error

    def exists(self, path: str) -> bool:
        return self._files.exists(path)

    def delete(self, path: str) -> None:
        if not self._files.exists(path):
            return
        try:
            self._files.remove(path, recursive=True)
        except OSError as error:
            raise self._fail("delete", path, error) from error
        self._device.phone.invalidate()


class _Snapshots(Snapshots):
    def __init__(self, device: EmbeddedDevice) -> None:
        self._device = device

    def save(self, name: str) -> None:
        self._device.phone.save_snapshot(name)

    def load(self, name: str) -> None:
        try:
            self._device.phone.load_snapshot(name)
        except SnapshotNotFound as error:
            raise SnapshotMissing(f"{self._device.serial}: {error}") from error

    def list(self) -> list[str]:
        return self._device.phone.snapshot_names()

    def delete(self, name: str) -> None:
        try:
            self._device.phone.delete_snapshot(name)
        except SnapshotNotFound as error:
            raise SnapshotMissing(f"{self._device.serial}: {error}") from error


class _Clock(Clock):
    def __init__(self, device: EmbeddedDevice) -> None:
        self._device = device

    def now(self) -> datetime:
        return self._device.phone.state.clock.now()

    def set(self, moment: datetime) -> None:
        phone = self._device.phone
        phone.set_time(phone.state.clock.to_ms(moment))

    def wait(self, seconds: float) -> None:
        self._device.phone.advance(round(seconds * 1000))


class EmbeddedDevice(Device):
    """The embedded phone as a device: every call is a method call, all time is virtual.

    Args:
        profile: hardware and build, by name.
        language: `zh` or `en`.
        snapshot: the factory snapshot to start from.
        seed: seed of the phone's generator.
        phone: a phone to wrap, in place of a new one.
    """

    def __init__(
        self,
        profile: str = "pixel_6a",
        *,
        language: str = "zh",
        snapshot: str = "clean",
        seed: int = 0,
        phone: Phone | None = None,
        timeout: float = 20.0,
    ) -> None:
        self._phone: Phone | None = phone or Phone(profile, language, snapshot, seed)
        self.serial = f"embedded:{self._phone.profile.name}"
        self.timeout = timeout
        self.settings = _Settings(self)
        self.content = _Content(self)
        self.files = _Files(self)
        self.snapshots = _Snapshots(self)
        self.clock = _Clock(self)
        self._shell: Shell | None = None

    @property
    def phone(self) -> Phone:
        """The phone; raises DeviceOffline once the device is closed."""
        if self._phone is None:
            raise DeviceOffline(f"{self.serial} is closed; connect again", "not found")
        return self._phone

    @property
    def info(self) -> DeviceInfo:
        phone = self.phone
        width, height, rotation = phone.screen
        profile = phone.profile
        return DeviceInfo(
            serial=self.serial,
            model=profile.model,
            sdk=profile.sdk,
            release=profile.release,
            width=width,
            height=height,
            dpi=phone.density_dpi,
            rotation=rotation,
            language=phone.language,
        )

    @property
    def capabilities(self) -> frozenset[Capability]:
        return frozenset(Capability)

    def screenshot(self, size: tuple[int, int] | None = None) -> Frame:
        return self.phone.frame(size)

    def hierarchy(self) -> UiTree:
        phone = self.phone
        window = phone.windows.focused()
        width, height, rotation = phone.screen
        shown = [window, *phone.windows.listed_above(window)]
        roots = [_to_ui(part.root, part.package, 0) for part in shown]
        return UiTree(tuple(root for root in roots if root is not None), rotation, (width, height))

    def foreground(self) -> Activity:
        phone = self.phone
        component = phone.activities.foreground()
        return Activity(component.package, component.activity, phone.activities.locked())

    def tap(self, x: int, y: int) -> None:
        self.phone.input.tap(x, y)

    def double_tap(self, x: int, y: int) -> None:
        self.phone.input.double_tap(x, y)

    def long_press(self, x: int, y: int, seconds: float = 1.0) -> None:
        self.phone.input.long_press(x, y, round(seconds * 1000))

    def swipe(self, x1: int, y1: int, x2: int, y2: int, seconds: float = 0.2) -> None:
        self.phone.input.swipe(x1, y1, x2, y2, round(seconds * 1000))

    def drag(self, x1: int, y1: int, x2: int, y2: int, seconds: float = 1.0) -> None:
        self.phone.input.drag(x1, y1, x2, y2, round(seconds * 1000))

    def type_text(self, text: str) -> None:
        if text and not self.phone.input.text(text):
            raise TextInputUnsupported(f"{self.serial}: no text field has the focus; tap one first")

    def press(self, key: Key) -> None:
        if key not in _KEYS:
            raise CommandFailed(f"{self.serial}: no key {key!r}; there are {', '.join(_KEYS)}")
        self.phone.input.key(_KEYS[key])

    def open_app(self, name: str) -> None:
        phone = self.phone
        wanted = name.strip().casefold()
        for package in phone.packages.launchable():
            labels = {phone.apps[package].label(language).casefold() for language in ("zh", "en")}
            if wanted == package.casefold() or wanted in labels:
                phone.activities.start(Intent(package=package))
                return
        known = ", ".join(phone.apps[package].label(phone.language) for package in phone.packages.launchable())
        raise CommandFailed(f"{self.serial}: no app is called {name!r}; there are {known}")

    def start_activity(
        self,
        component: str | None = None,
        action: str | None = None,
        data: str | None = None,
        extras: Mapping[str, str | int | bool] | None = None,
    ) -> None:
        package, _, name = (component or "").partition("/")
        activity = full_class(package, name) if name else None
        intent = Intent(package or None, activity, action, data, None, dict(extras or {}))
        try:
            self.phone.activities.start(intent)
        except PhoneError as error:
            raise CommandFailed(f"{self.serial}: {error}") from error

    def settle(self) -> None:
        self.phone.settle()

    def shell(self, command: str) -> Result:
        if self._shell is None:
            # The shell and its commands are read in when first needed: most episodes never open it.
            from mobile_gym.phone.shell.shell import Shell

            self._shell = Shell(self.phone, root=True)
        result = self._shell.run(command)
        return Result(
            result.stdout.decode("utf-8", "replace"), result.exit_code, result.stderr.decode("utf-8", "replace")
        )

    def send_sms(self, sender: str, body: str) -> None:
        self.phone.receive_sms(sender, body)

    def incoming_call(self, number: str) -> None:
        self.phone.incoming_call(number)

    def reset_app(self, package: str) -> None:
        try:
            self.phone.packages.clear(package)
        except PhoneError as error:
            raise CommandFailed(f"{self.serial}: {error}") from error

    def digest(self) -> str:
        return self.phone.digest()

    def save_state(self) -> PhoneCopy:
        """All that the phone is, for `load_state` of another embedded device; picklable.

        In the same process it shares its bytes with the phone. Snapshots that were saved by name stay behind.
        """
        return PhoneCopy(self.phone.profile.name, self.phone.state.save(), dict(self.phone.props))

    def load_state(self, copy: PhoneCopy) -> None:
        """Makes this phone what another one was; neither affects the other from then on.

        Raises:
            CommandFailed: the other one was of another profile.
        """
        if copy.profile != self.phone.profile.name:
            raise CommandFailed(f"{self.serial}: the state is of a {copy.profile}; it fits no other phone")
        self.phone.load_state(copy.snapshot)
        self.phone.props = dict(copy.props)

    def stored_tables(self) -> list[str]:
        """URIs of all tables that apps let be written from outside, one each; for those who look for side effects."""
        return self.phone.providers.base_tables()

    def change_stamp(self) -> Hashable:
        """Equal as long as no setting, row or file changed; cheap, for those who cache what they read."""
        return self.phone.state.data_version()

    def change_stamps(self) -> Mapping[str, Hashable]:
        """`change_stamp` by part: `settings`, `files`, `rows`, `packages` (installed and enabled)."""
        phone = self.phone
        settings, files, *rows = phone.state.data_version()
        packages = tuple((name, phone.packages.enabled(name)) for name in phone.packages.names())
        return {"settings": settings, "files": files, "rows": tuple(rows), "packages": packages}

    def file_stamps(self, root: str) -> Mapping[str, str]:
        """Size and time of every file below a folder, by path; what `find` and `stat` tell of other devices."""
        place = normalize(root)
        return {
            root + path[len(place) :]: f"{len(entry.data)} bytes, changed {entry.mtime_ms // 1000}"
            for path, entry in self.phone.state.files.walk(place)
            if not entry.is_dir
        }

    def package_states(self) -> Mapping[str, str]:
        """Installed packages, each `enabled` or `disabled`; what `pm list packages` tells of other devices."""
        packages = self.phone.packages
        return {name: "enabled" if packages.enabled(name) else "disabled" for name in packages.names()}

    def close(self) -> None:
        if self._phone is not None:
            self._phone.close()
            self._phone = None


def _to_ui(node: Node, package: str, index: int) -> UiNode | None:
    if node.visible is None:
        return None
    clickable = node.on_tap is not None or node.on_position is not None or node.kind == "field"
    children = [_to_ui(child, package, number) for number, child in enumerate(children_of(node))]
    return UiNode(
        index=index,
        text=shown_text(node),
        resource_id=f"{package}:id/{node.id}" if node.id and ":" not in node.id else node.id,
        class_name=node.class_name,
        package=package,
        content_desc=node.desc,
        checkable=node.checkable,
        checked=node.checked,
        clickable=clickable,
        enabled=node.enabled,
        focusable=clickable or node.focusable,
        focused=node.focused,
        scrollable=node.kind == "list" and node.scrollable and (node.more[0] or node.more[1]),
        long_clickable=node.on_long_press is not None,
        password=node.password,
        selected=node.selected,
        bounds=Bounds(*node.visible),
        hint=node.hint,
        children=tuple(child for child in children if child is not None),
    )
