"""What is in front, from `dumpsys window`, `dumpsys activity activities` and `dumpsys activity top`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from mobile_gym.devices.base import Activity
from mobile_gym.devices.parse.common import ParseError, lines

SYSTEM_UI: Final = "com.android.systemui"

_PACKAGE = r"[A-Za-z][\w]*(?:\.[\w]+)+"
_COMPONENT = re.compile(r"([\w.]+)/([\w.$]+)")
_WINDOW = re.compile(r"Window\{\s*([^\s}]+)\s+(?:u\d*\s+)?([^}]*)")
_RECORD = re.compile(r"ActivityRecord\{\s*[^\s}]+\s+(?:u?\d*\s+)?([\w.]+/[\w.$]+)")
_DISPLAY = re.compile(r"^\s*(?:Display: mDisplayId=|Display #|mDisplayId=)(\d+)")
_TOP_DISPLAY = re.compile(r"mTopFocusedDisplayId=(\d+)")
_FLAGS = re.compile(r"(?:\s+(?:EXITING|paused=\w+|type=\w+|mode=\w+))+\s*$")
_RESUMED = re.compile(r"^\s*(topResumedActivity|mResumedActivity|ResumedActivity|mFocusedActivity)\s*[:=]\s*(.*)$")
_TOP = re.compile(r"^\s*ACTIVITY\s+([\w.]+/[\w.$]+)\s+\S+\s+pid=(\d+|\(not running\))")
_LOCKED = re.compile(
    r"\b(?:mShowingLockscreen|mDreamingLockscreen|isStatusBarKeyguard|mIsShowing|mKeyguardShowing|isKeyguardShowing"
    r"|KeyguardShowing|keyguardShowing)=true\b"
)
_LOCK_WINDOWS: Final = ("Keyguard", "KeyguardScrim", "LockScreen", "Bouncer")
_OF_THE_APP: Final = ("PopupWindow:", "SubPanel:", "Panel:", "AtchDlg:", "SurfaceView", "MediaPanel:", "Toast")
_CRASHED = re.compile(rf"Application (?:Not Responding|Error): ({_PACKAGE})")


class ForegroundError(ParseError):
    """The answers do not say what is in front."""


@dataclass(frozen=True, slots=True)
class _Focus:
    display: int | None
    name: str | None


def parse_component(text: str) -> tuple[str, str]:
    """Package and full class name of `package/.Class` or `package/full.Class`.

    Raises:
        ForegroundError: the text holds no component.
    """
    match = _COMPONENT.search(text)
    if match is None:
        raise ForegroundError("expected package/.Class", text)
    package, name = match[1], match[2]
    return package, package + name if name.startswith(".") else name


def parse_foreground(window: str, activities: str = "", top: str = "", sdk: int | None = None) -> Activity:
    """What is in front.

    The focused window decides. The app that has the focus (`mFocusedApp`), then the resumed activity, then the top
    activity count only where no window has the focus. A window of the system interface (lock screen, notification
    shade, volume) gives package `com.android.systemui` with no name, whatever app lies behind.

    Args:
        window: answer of `dumpsys window` (or its lines about focus, displays and the lock screen).
        activities: answer of `dumpsys activity activities`.
        top: answer of `dumpsys activity top`.
        sdk: API level; up to 25 `dumpsys activity top` lists the top activity first, later last.

    Raises:
        ForegroundError: no answer names a window or an activity.
    """
    locked = is_locked(window)
    focus = _focused_window(window)
    app = _focused_app(window)
    if focus is not None:
        found = _of_window(focus, app, locked)
        if found is not None:
            return found
    for component in (app, _resumed(activities), _resumed(window), _top(top, sdk)):
        if component is not None:
            package, name = parse_component(component)
            return Activity(SYSTEM_UI, "", True) if locked else Activity(package, name)
    if locked:
        return Activity(SYSTEM_UI, "", True)
    raise ForegroundError("no answer names a focused window or a resumed activity", window or activities or top)


def is_locked(window: str) -> bool:
    """Whether `dumpsys window` says that the lock screen is up."""
    if _LOCKED.search(window):
        return True
    section = window.partition("KeyguardServiceDelegate")[2]
    return any(line.strip() in {"showing=true", "mShowing=true"} for line in lines(section)[:6])


def _of_window(name: str, app: str | None, locked: bool) -> Activity | None:
    crashed = _CRASHED.search(name)
    if crashed is not None:
        return Activity("android", "", locked)  # the dialog that says so belongs to the system server
    if _COMPONENT.search(name):
        package, activity = parse_component(name)
        return Activity(package, activity, locked)
    if name.startswith(_OF_THE_APP):
        if app is None:
            return None
        package, activity = parse_component(app)
        return Activity(package, activity, locked)
    if re.fullmatch(_PACKAGE, name):
        if app is not None and app.startswith(name + "/"):
            return Activity(*parse_component(app), locked)
        return Activity(name, "", locked)
    return Activity(SYSTEM_UI, "", locked or name.startswith(_LOCK_WINDOWS))


def _by_display(text: str, key: str) -> Iterator[tuple[int | None, str]]:
    display: int | None = None
    for line in lines(text):
        header = _DISPLAY.match(line)
        if header is not None:
            display = int(header[1])
        _, found, value = line.partition(key + "=")
        if found and line.split(key)[0].strip() in {"", "+"}:
            yield display, value.strip()


def _focused_window(text: str) -> str | None:
    candidates: list[_Focus] = []
    for display, value in _by_display(text, "mCurrentFocus"):
        match = _WINDOW.match(value)
        if match is not None:
            name = _FLAGS.sub("", match[2]).strip()
            if name:
                candidates.append(_Focus(display, name))
    chosen = _choose(candidates, text)
    return chosen.name if chosen is not None else None


def _focused_app(text: str) -> str | None:
    candidates = [
        _Focus(display, match[1])
        for display, value in _by_display(text, "mFocusedApp")
        if (match := _RECORD.search(value)) is not None
    ]
    chosen = _choose(candidates, text)
    return chosen.name if chosen is not None else None


def _choose(candidates: list[_Focus], text: str) -> _Focus | None:
    """The one that a person uses: on the display that has the focus, else not a screen of the system interface.

    A cover screen of a folding phone is a display of its own, and runs an activity of the system interface.
    """
    top = _TOP_DISPLAY.search(text)
    if top is not None:
        on_top = [focus for focus in candidates if focus.display == int(top[1])]
        if on_top:
            return on_top[-1]
    others = [focus for focus in candidates if not (focus.name or "").startswith(SYSTEM_UI + "/")]
    found = others or candidates
    return found[0] if found else None


def _resumed(text: str) -> str | None:
    """The resumed activity; `topResumedActivity` and friends in the order of how much they say."""
    found: dict[str, list[_Focus]] = {}
    display: int | None = None
    for line in lines(text):
        header = _DISPLAY.match(line)
        if header is not None:
            display = int(header[1])
        match = _RESUMED.match(line)
        if match is not None:
            record = _RECORD.search(match[2])
            if record is not None:
                found.setdefault(match[1], []).append(_Focus(display, record[1]))
    for key in ("topResumedActivity", "mFocusedActivity", "mResumedActivity", "ResumedActivity"):
        chosen = _choose(found.get(key, []), text)
        if chosen is not None:
            return chosen.name
    return None


def _top(text: str, sdk: int | None) -> str | None:
    """The top activity: a resumed one, else the last one (the first one up to Android 7.1)."""
    names: list[str] = []
    resumed: list[str] = []
    for line in lines(text):
        match = _TOP.match(line)
        if match is not None:
            names.append(match[1])
        elif names and "mResumed=true" in line:
            resumed.append(names[-1])
    names = resumed or names
    if not names:
        return None
    return names[0] if sdk is not None and sdk <= 25 else names[-1]
