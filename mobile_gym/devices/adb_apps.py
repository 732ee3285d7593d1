"""Apps of an Android device: which package a label means, and how to start it."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from typing import Final

import yaml

from mobile_gym.devices.adb_link import AdbLink
from mobile_gym.devices.adb_stores import AdbContent, failed
from mobile_gym.devices.errors import CommandFailed
from mobile_gym.devices.parse.common import ParseError
from mobile_gym.devices.parse.packages import parse_launchers, parse_packages

LAUNCHER_APPS: Final = "content://mobile_gym.launcher/apps"
# What a launcher sends: a new task, or the one that is there, as it was left.
_LAUNCH: Final = "am start -a android.intent.action.MAIN -c android.intent.category.LAUNCHER -f 0x10200000 -n"

Labels = Mapping[str, Sequence[str]]


def known_labels() -> dict[str, list[str]]:
    """The labels of well-known apps, by package, in `labels.yaml`."""
    text = resources.files("mobile_gym.devices").joinpath("labels.yaml").read_text("utf-8")
    return {package: [str(label) for label in labels] for package, labels in yaml.safe_load(text).items()}


def package_of(name: str, installed: Iterable[str], labels: Labels) -> str | None:
    """The installed package that a name means: the package itself, or one of its labels in any case; None for none."""
    packages = list(installed)
    wanted = name.strip()
    if wanted in packages:
        return wanted
    folded = wanted.casefold()
    for package in packages:
        if package.casefold() == folded or folded in {label.casefold() for label in labels.get(package, ())}:
            return package
    return None


class AdbApps:
    """Starts apps on one device.

    Args:
        link: the device.
        content: its content providers.
        labels: labels to add to the known ones, by package.
    """

    def __init__(self, link: AdbLink, content: AdbContent, labels: Labels | None = None) -> None:
        self._link = link
        self._content = content
        self._labels = {**known_labels(), **(labels or {})}

    def open(self, name: str) -> None:
        """Opens an app by package or label, as a tap on the launcher does.

        Raises:
            CommandFailed: there is no such app, or it does not start.
        """
        installed = self._installed()
        own = self._own_labels()
        labels = {**self._labels, **own}
        # What the device itself calls its apps comes first: two packages of the table may share a label.
        package = package_of(name, own, own) or package_of(name, installed, labels)
        if package is None:
            known = sorted({label for other in installed for label in labels.get(other, ())})
            raise CommandFailed(
                f"{self._link.serial}: no installed app is called {name!r}. "
                f"Known labels: {', '.join(known) or 'none'}. "
                "Give the package, or add the label with connect(…, labels={'package': ['label']})."
            )
        component = self._launcher_activity(package)
        command = f"{_LAUNCH} {shlex.quote(component)}"
        start(self._link, command)

    def _installed(self) -> list[str]:
        result = self._link.run("pm list packages", repeatable=True)
        try:
            return parse_packages(result.stdout)
        except ParseError as error:
            raise failed(self._link, "pm list packages", result) from error

    def _own_labels(self) -> dict[str, list[str]]:
        """Labels from a device that exports its launcher's apps, such as the embedded phone."""
        try:
            rows = self._content.query(LAUNCHER_APPS)
        except CommandFailed:
            return {}
        return {
            str(row["package"]): [str(value) for column, value in row.items() if column.startswith("label") and value]
            for row in rows
            if row.get("package")
        }

    def _launcher_activity(self, package: str) -> str:
        command = (
            "cmd package resolve-activity --brief -a android.intent.action.MAIN "
            f"-c android.intent.category.LAUNCHER {shlex.quote(package)}"
        )
        result = self._link.run(command, repeatable=True)
        activity = parse_launchers(result.stdout).get(package)
        if activity is None:
            raise CommandFailed(f"{self._link.serial}: {package} has no activity that a launcher could open")
        return f"{package}/{activity}"


def start(link: AdbLink, command: str) -> None:
    """Runs an `am start`; its failures are in what it prints, with or without an exit status.

    Raises:
        CommandFailed: it failed.
    """
    result = link.run(command)
    said = result.stdout + result.stderr
    wrong = ("Error: ", "Error type", "Exception", "Security exception", "unable to resolve Intent")
    if result.exit_code != 0 or any(words in said for words in wrong):
        raise failed(link, command, result)
