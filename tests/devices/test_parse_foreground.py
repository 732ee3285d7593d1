"""What is in front, where the lines disagree."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobile_gym.devices.base import Activity
from mobile_gym.devices.parse.foreground import ForegroundError, parse_component, parse_foreground

SYSTEM = Activity("com.android.systemui", "")
APP = "mFocusedApp=ActivityRecord{1 u0 com.a/.Main t1}\n"


@pytest.mark.parametrize(
    ("focus", "expected"),
    [
        ("Window{1a2b u0 NotificationShade}", SYSTEM),
        ("Window{1a2b u0 StatusBar}", SYSTEM),
        ("Window{1a2b u0 VolumeDialogImpl}", SYSTEM),
        ("Window{1a2b Keyguard}", Activity("com.android.systemui", "", True)),
        ("Window{1 u0 KeyguardScrim paused=false}", Activity("com.android.systemui", "", True)),
        ("Window{1 u0 com.a/com.a.Main}", Activity("com.a", "com.a.Main")),
        ("Window{1 u10 com.a/com.b.Main EXITING}", Activity("com.a", "com.b.Main")),
        ("Window{1 com.a/.Main$Inner paused=false}", Activity("com.a", "com.a.Main$Inner")),
        ("Window{1 u0 PopupWindow:5b1b1f7}", Activity("com.a", "com.a.Main")),
        ("Window{1 u0 AtchDlg:com.c/com.c.Chat}", Activity("com.c", "com.c.Chat")),
        ("Window{1 u0 SurfaceView - com.d/com.d.Game}", Activity("com.d", "com.d.Game")),
        ("Window{1 u0 com.a}", Activity("com.a", "com.a.Main")),
        ("Window{1 u0 com.other}", Activity("com.other", "")),
        ("Window{1 u0 Application Not Responding: com.a}", Activity("android", "")),
        ("null", Activity("com.a", "com.a.Main")),
    ],
)
def test_the_focused_window_decides(focus: str, expected: Activity) -> None:
    assert parse_foreground(f"  mCurrentFocus={focus}\n  {APP}") == expected


def test_a_locked_phone_is_never_an_app_in_front_by_fallback() -> None:
    window = f"  mCurrentFocus=null\n  {APP}    isStatusBarKeyguard=true\n"
    assert parse_foreground(window) == Activity("com.android.systemui", "", True)
    shade = "  mCurrentFocus=Window{1 u0 NotificationShade}\n  KeyguardServiceDelegate\n    showing=true\n"
    assert parse_foreground(shade) == Activity("com.android.systemui", "", True)


def test_an_activity_over_the_lock_screen_is_in_front_and_the_phone_is_locked() -> None:
    window = "  mCurrentFocus=Window{1 u0 com.clock/.Ringing}\n  mShowingLockscreen=true"
    assert parse_foreground(window) == Activity("com.clock", "com.clock.Ringing", True)


def test_the_display_that_has_the_focus_wins() -> None:
    window = """
  Display: mDisplayId=0
    mCurrentFocus=Window{1 u0 com.left/.Main}
    mFocusedApp=ActivityRecord{1 u0 com.left/.Main t1}
  Display: mDisplayId=2
    mCurrentFocus=Window{2 u0 com.right/.Main}
    mFocusedApp=ActivityRecord{2 u0 com.right/.Main t2}
  mTopFocusedDisplayId=2
"""
    assert parse_foreground(window).package == "com.right"
    assert parse_foreground(window.replace('DisplayId=2\n"', "")).package == "com.right"
    assert parse_foreground(window.replace("mTopFocusedDisplayId=2", "")).package == "com.left"


@pytest.mark.parametrize(
    "key", ["topResumedActivity=", "mResumedActivity: ", "ResumedActivity: ", "mFocusedActivity: "]
)
def test_the_resumed_activity_counts_where_no_window_has_the_focus(key: str) -> None:
    dump = f"  {key}ActivityRecord{{12 u0 com.a/.Main}} t57}}\r\n"
    assert parse_foreground("mCurrentFocus=null\r\nmFocusedApp=null", dump) == Activity("com.a", "com.a.Main")


def test_old_android_lists_the_top_activity_first() -> None:
    top = "  ACTIVITY com.a/.First 1a pid=1\n  ACTIVITY com.b/.Second 2b pid=2\n"
    assert parse_foreground("", top=top, sdk=25).package == "com.a"
    assert parse_foreground("", top=top, sdk=26).package == "com.b"


@pytest.mark.parametrize("window", ["", "mCurrentFocus=null\nmFocusedApp=null", "cmd: Can't find service: window"])
def test_no_answer_is_an_error(window: str) -> None:
    with pytest.raises(ForegroundError):
        parse_foreground(window)


def test_components() -> None:
    assert parse_component("com.a/.Main") == ("com.a", "com.a.Main")
    assert parse_component("com.a/b.Main") == ("com.a", "b.Main")
    with pytest.raises(ForegroundError):
        parse_component("com.a")


@given(st.text(), st.text(), st.text())
def test_any_text_gives_an_activity_or_a_foreground_error(window: str, activities: str, top: str) -> None:
    with contextlib.suppress(ForegroundError):
        parse_foreground(window, activities, top)


@given(st.text(alphabet="mCurentFocsWidw{}=u0 /.ApkKeyguard:\n\r,", max_size=80))
def test_near_windows_give_an_activity_or_a_foreground_error(text: str) -> None:
    with contextlib.suppress(ForegroundError):
        parse_foreground(f"mCurrentFocus=Window{{1 {text}}}\nmFocusedApp=ActivityRecord{{{text}")
