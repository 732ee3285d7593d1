"""The package manager: what is installed, enabled, stopped, permitted, and how much room it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mobile_gym.phone.door import PackageInfo
from mobile_gym.phone.errors import InstallError, PackageNotFound, ProviderError
from mobile_gym.phone.system.activities import full_class
from mobile_gym.phone.system.apk import ApkManifest, read_apk
from mobile_gym.phone.system.app import App, Record

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

MIB = 1024 * 1024
NOTIFY = "android.permission.POST_NOTIFICATIONS"
"""The permission that is the same as the switch of an app's notifications."""


def fresh_entry(app: App, installed_ms: int, uid: int) -> Record:
    """State of a package that was just installed."""
    size, data, cache = (round(mb * MIB) for mb in app.sizes_mb)
    return {
        "system": app.system,
        "enabled": True,
        "stopped": False,
        "permissions": dict(app.permissions),
        "notifications": True,
        "installed_ms": installed_ms,
        "uid": uid,
        "sizes": [size, data, cache],
        "version": [app.version_name, app.version_code],
    }


class PackageManager:
    """Packages in `interface["packages"]`; see `PhoneDoor.packages`."""

    def __init__(self, phone: Phone) -> None:
        self._phone = phone

    @property
    def _entries(self) -> dict[str, Record]:
        entries: dict[str, Record] = self._phone.state.interface["packages"]
        return entries

    def entry(self, package: str) -> Record:
        """The plain state of a package.

        Raises:
            PackageNotFound: it is not installed.
        """
        found = self._entries.get(package)
        if found is None:
            raise PackageNotFound(f"no package {package} is installed")
        return found

    def names(self) -> list[str]:
        """Installed packages, sorted."""
        return sorted(self._entries)

    def enabled(self, package: str) -> bool:
        """Whether a package is installed and enabled."""
        entry = self._entries.get(package)
        return entry is not None and bool(entry["enabled"])

    def launchable(self) -> list[str]:
        """Packages that the launcher shows, sorted by name."""
        apps = self._phone.apps
        return [p for p in self.names() if self.enabled(p) and p in apps and apps[p].icon is not None]

    def info(self, package: str) -> PackageInfo:
        """Facts about one package."""
        entry = self.entry(package)
        app = self._phone.apps.get(package)
        root = "/system/priv-app" if entry["system"] else "/data/app"
        launcher = (
            full_class(package, app.screens[0].activity) if app is not None and app.screens and app.icon else None
        )
        label = {"zh": package, "en": package} if app is None else {lang: app.label(lang) for lang in ("zh", "en")}
        return PackageInfo(
            package=package,
            label=label,
            version_name=entry["version"][0],
            version_code=entry["version"][1],
            system=entry["system"],
            enabled=entry["enabled"],
            launcher=launcher,
            permissions=dict(entry["permissions"]),
            installed_ms=entry["installed_ms"],
            apk_path=f"{root}/{package}/base.apk",
            uid=entry["uid"],
            stopped=entry["stopped"],
            size_bytes=(entry["sizes"][0], entry["sizes"][1], entry["sizes"][2]),
        )

    def install(self, apk: bytes) -> str:
        """Installs an APK file. What the phone has no app for is listed, but has nothing to open."""
        manifest = read_apk(apk)
        old = self._entries.get(manifest.package)
        if old is not None and old["system"]:
            raise InstallError("INSTALL_FAILED_DUPLICATE_PACKAGE", f"{manifest.package} came with the phone")
        self.add(manifest, len(apk))
        return manifest.package

    def add(self, manifest: ApkManifest, size: int) -> None:
        """Lists a package as installed by the user; `size` is that of its file, bytes."""
        app = self._phone.apps.get(manifest.package)
        now = self._phone.state.clock.now_ms
        uid = max((entry["uid"] for entry in self._entries.values()), default=10000) + 1
        entry = fresh_entry(app if app is not None else App(), now, uid)
        entry["system"] = False
        entry["version"] = [manifest.version_name, manifest.version_code]
        entry["sizes"] = [size, 0, 0]
        if app is None:
            entry["permissions"] = dict.fromkeys(manifest.permissions, False)
        self._entries[manifest.package] = entry
        self._phone.invalidate()

    def uninstall(self, package: str) -> None:
        """Removes a package with its data."""
        if self.entry(package)["system"]:
            raise InstallError("DELETE_FAILED_INTERNAL_ERROR", f"{package} came with the phone")
        self._phone.activities.force_stop(package)
        self._drop_data(package)
        del self._entries[package]
        self._phone.invalidate()

    def clear(self, package: str) -> None:
        """Stops an app and clears its data and cache, and takes its permissions back."""
        entry = self.entry(package)
        self._phone.activities.force_stop(package)
        self._drop_data(package)
        app = self._phone.apps.get(package)
        if app is not None:
            entry["permissions"] = dict(app.permissions)
            app.on_data_cleared(self._phone)
        entry["sizes"][1:] = [0, 0]
        self._phone.invalidate()

    def _drop_data(self, package: str) -> None:
        for name in self._phone.state.database_names():
            if name.startswith(package + "/"):
                self._phone.state.drop_database(name)
        app = self._phone.apps.get(package)
        for database in app.databases if app is not None else ():
            self._phone.state.database(f"{package}/{database}")
        root = f"/data/data/{package}"
        if self._phone.state.files.exists(root):
            self._phone.state.files.remove(root, recursive=True)

    def clear_cache(self, package: str) -> None:
        """Clears an app's cache."""
        self.entry(package)["sizes"][2] = 0
        self._phone.invalidate()

    def set_enabled(self, package: str, enabled: bool) -> None:
        """Enables or disables a package."""
        self.entry(package)["enabled"] = enabled
        if not enabled:
            self._phone.activities.force_stop(package)
        self._phone.invalidate()

    def set_permission(self, package: str, permission: str, granted: bool) -> None:
        """Grants or revokes a runtime permission."""
        permissions = self.entry(package)["permissions"]
        if permission not in permissions:
            raise ProviderError(f"Package {package} has not requested permission {permission}")
        permissions[permission] = granted
        if permission == NOTIFY:
            self.set_notifications(package, granted)
        # Whatever is set now is meant to last, also where the permission was granted for once before.
        once = self.entry(package).get("one_time", [])
        if permission in once:
            once.remove(permission)
        self._phone.invalidate()

    def grant_once(self, package: str, permission: str) -> None:
        """Grants a runtime permission until the app is closed or the phone restarts."""
        self.set_permission(package, permission, True)
        once = self.entry(package).setdefault("one_time", [])
        if permission not in once:
            once.append(permission)

    def end_one_time(self, package: str) -> None:
        """Takes back what was granted for once."""
        for permission in self.entry(package).pop("one_time", []):
            self.set_permission(package, permission, False)

    def granted(self, package: str, permission: str) -> bool:
        """Whether a runtime permission is granted."""
        return bool(self.entry(package)["permissions"].get(permission, False))

    def notifications_allowed(self, package: str) -> bool:
        """Whether the user lets a package post notifications."""
        entry = self._entries.get(package)
        return entry is None or bool(entry["notifications"])

    def set_notifications(self, package: str, allowed: bool) -> None:
        """Allows or blocks a package's notifications; blocking takes away those that it posted."""
        entry = self.entry(package)
        entry["notifications"] = allowed
        if NOTIFY in entry["permissions"]:
            entry["permissions"][NOTIFY] = allowed
        if not allowed:
            self._phone.notifier.cancel_package(package)
        self._phone.invalidate()

    def mark_started(self, package: str) -> None:
        """The user opened the app."""
        if package in self._entries:
            self._entries[package]["stopped"] = False

    def mark_stopped(self, package: str) -> None:
        """The app was force-stopped."""
        if package in self._entries:
            self._entries[package]["stopped"] = True
            self.end_one_time(package)
