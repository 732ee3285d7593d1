"""`dumpsys window`, `display`, `input`, `SurfaceFlinger`: windows and displays."""

from __future__ import annotations

import zlib

from mobile_gym.phone.door import Component, PhoneDoor
from mobile_gym.phone.shell.commands.call import Call
from mobile_gym.phone.shell.commands.screen import DISPLAY_ID

ROTATIONS = ("ROTATION_0", "ROTATION_90", "ROTATION_180", "ROTATION_270")


def token(*parts: object) -> str:
    """The hash that Android prints of an object; the same for the same name."""
    return f"{zlib.crc32(repr(parts).encode()) & 0xFFFFFFF:x}"


def window_name(component: Component, locked: bool) -> str:
    """The title of a window: the activity's full component, or the system window's own name."""
    if component.activity:
        return f"{component.package}/{component.activity}"
    return "NotificationShade" if locked or component.package == "com.android.systemui" else component.package


def focus_lines(phone: PhoneDoor) -> list[str]:
    """Focused window and app."""
    front, resumed = phone.activities.foreground(), phone.activities.resumed()
    name = window_name(front, phone.activities.locked())
    task = task_of(phone, resumed)
    record = f"ActivityRecord{{{token('record', resumed.flat())} u0 {resumed.flat()} t{task}}}"
    return [
        f"  mCurrentFocus=Window{{{token('window', name)} u0 {name}}}",
        f"  mFocusedApp={record}",
    ]


def task_of(phone: PhoneDoor, component: Component) -> int:
    """The task that an activity is in; 0 for the launcher's."""
    return next((task.task_id for task in phone.activities.tasks() if component in task.activities), 0)


def _display_lines(phone: PhoneDoor) -> list[str]:
    width, height, turns = phone.screen
    profile = phone.profile
    return [
        "  Display: mDisplayId=0 (organized)",
        f"    init={profile.width}x{profile.height} {profile.dpi}dpi mMinSizeOfResizeableTaskDp=220"
        f" cur={width}x{height} app={width}x{height} rng={min(width, height)}x{min(width, height)}"
        f"-{max(width, height)}x{max(width, height)}",
        "    deferred=false mLayoutNeeded=false mTouchExcludeRegion=SkRegion()",
        f"    mCurrentAppOrientation=SCREEN_ORIENTATION_UNSPECIFIED mCurrentRotation={ROTATIONS[turns]}",
    ]


def _window_lines(phone: PhoneDoor) -> list[str]:
    front = phone.activities.foreground()
    locked = phone.activities.locked()
    names = ["StatusBar", "NavigationBar0", "NotificationShade"]
    name = window_name(front, locked)
    if name not in names:
        names.append(name)
    names += [
        window_name(task.activities[-1], locked)
        for task in phone.activities.tasks()
        if window_name(task.activities[-1], locked) not in names
    ]
    width, height, _ = phone.screen
    lines: list[str] = []
    for number, title in enumerate(names):
        package = title.partition("/")[0] if "/" in title else "com.android.systemui"
        lines.append(f"  Window #{number} Window{{{token('window', title)} u0 {title}}}:")
        lines.append(
            f"    mDisplayId=0 mSession=Session{{{token(package)}}} mClient=android.os.BinderProxy@{token(title)}"
        )
        lines.append(f"    mOwnerUid=10000 showForAllUsers=false package={package} appop=NONE")
        lines.append(f"    mFrame=[0,0][{width},{height}] isOnScreen=true isVisible={str(title == name).lower()}")
    return lines


def window(call: Call, args: list[str]) -> int:
    """`dumpsys window [windows|displays|policy|lastanr|…]`."""
    phone = call.phone
    parts = [arg for arg in args if not arg.startswith("-")]
    kind = parts[0] if parts else "all"
    screen_on = bool(phone.state.interface.get("screen_on", True))
    if kind in ("all", "policy", "p"):
        call.line("WINDOW MANAGER POLICY STATE (dumpsys window policy)")
        call.line(
            f"    showing={str(phone.activities.locked()).lower()} mIsShowing={str(phone.activities.locked()).lower()}"
        )
        call.line(
            f"    mAwake={str(screen_on).lower()} screenState={'SCREEN_STATE_ON' if screen_on else 'SCREEN_STATE_OFF'}"
        )
        call.line(f"    interactiveState={'INTERACTIVE_STATE_AWAKE' if screen_on else 'INTERACTIVE_STATE_SLEEP'}")
        call.line(f"    isKeyguardShowing={str(phone.activities.locked()).lower()}")
    if kind in ("all", "displays", "d"):
        call.line("WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)")
        for line in [*_display_lines(phone), *focus_lines(phone)]:
            call.line(line)
    if kind in ("all", "windows", "visible", "w"):
        call.line("WINDOW MANAGER WINDOWS (dumpsys window windows)")
        # A whole dump names the focus once, among the displays.
        for line in [*_window_lines(phone), *(focus_lines(phone) if kind != "all" else [])]:
            call.line(line)
    if kind in ("lastanr", "a"):
        call.line("WINDOW MANAGER LAST ANR (dumpsys window lastanr)\n  <no ANR has occurred since boot>")
    if kind in ("all", "displays", "windows"):
        call.line(f"  mRotation={phone.screen[2]}")
    return 0


def display(call: Call, args: list[str]) -> int:
    """`dumpsys display`."""
    phone = call.phone
    width, height, turns = phone.screen
    state = "ON" if phone.state.interface.get("screen_on", True) else "OFF"
    natural = (phone.profile.width, phone.profile.height)
    call.line("DISPLAY MANAGER (dumpsys display)")
    call.line(
        f"  mViewports=[DisplayViewport{{type=INTERNAL, valid=true, isActive=true, displayId=0, "
        f"uniqueId='local:{DISPLAY_ID}', physicalPort=0, orientation={turns}, "
        f"logicalFrame=Rect(0, 0 - {width}, {height}), physicalFrame=Rect(0, 0 - {width}, {height}), "
        f"deviceWidth={width}, deviceHeight={height}}}]"
    )
    call.line("Display States: size=1\n  Display Id=0\n  Display State=" + state)
    call.line("Display Devices: size=1")
    call.line(
        f'  DisplayDeviceInfo{{"Built-in Screen": uniqueId="local:{DISPLAY_ID}", {natural[0]} x {natural[1]}, '
        f"modeId 1, density {phone.profile.dpi}, state {state}, type INTERNAL, FLAG_DEFAULT_DISPLAY}}"
    )
    call.line("Logical Displays: size=1\n  Display 0:")
    info = (
        f'DisplayInfo{{"Built-in Screen", displayId 0, state {state}, FLAG_SECURE, real {width} x {height}, '
        f"largest app {max(width, height)} x {max(width, height)}, smallest app {min(width, height)} x "
        f"{min(width, height)}, appVsyncOff 1000000, rotation {turns}, density {phone.density_dpi}, "
        f'app {width} x {height}, type INTERNAL, uniqueId "local:{DISPLAY_ID}"}}'
    )
    call.line(f"    mBaseDisplayInfo={info}\n    mOverrideDisplayInfo={info}")
    return 0


def input_(call: Call, args: list[str]) -> int:
    """`dumpsys input`."""
    width, height, turns = call.phone.screen
    viewport = (
        f"Viewport INTERNAL: displayId=0, uniqueId=local:{DISPLAY_ID}, port=0, orientation={turns}, "
        f"logicalFrame=[0, 0, {width}, {height}], physicalFrame=[0, 0, {width}, {height}], "
        f"deviceSize=[{width}, {height}], isActive=[1]"
    )
    call.line("INPUT MANAGER (dumpsys input)\n\nInput Reader State (Nums of device: 1):")
    call.line("  Device 1: virtio_input_multi_touch_1\n    Generation: 2\n    IsExternal: false")
    call.line("    Touch Input Mapper (mode - DIRECT):\n      Parameters:\n        GestureMode: single-touch")
    call.line("        DeviceType: touchScreen\n        OrientationAware: true")
    call.line(f"      {viewport}")
    call.line(f"      RawSurfaceWidth: {width}px\n      RawSurfaceHeight: {height}px")
    call.line(
        f"      PhysicalWidth: {width}px\n      PhysicalHeight: {height}px\n      PhysicalLeft: 0\n      PhysicalTop: 0"
    )
    call.line(
        f"      InputDeviceOrientation: Rotation{turns * 90}" if turns else "      InputDeviceOrientation: Rotation0"
    )
    call.line("\nInput Dispatcher State:\n  DispatchEnabled: true\n  DispatchFrozen: false\n  FocusedApplications:")
    resumed = call.phone.activities.resumed()
    call.line(f"    displayId=0, name='ActivityRecord{{{token('record', resumed.flat())} u0 {resumed.flat()}'")
    name = window_name(call.phone.activities.foreground(), call.phone.activities.locked())
    call.line(f"  FocusedWindows:\n    displayId=0, name='{token('window', name)} {name}'")
    return 0


def surface_flinger(call: Call, args: list[str]) -> int:
    """`dumpsys SurfaceFlinger [--display-id]`."""
    if "--display-id" in args:
        call.line(f'Display {DISPLAY_ID} (HWC display 0): port=0 pnpId=GGL displayName="Common Panel"')
        return 0
    width, height, _ = call.phone.screen
    call.line(f"Display {DISPLAY_ID} (HWC display 0)\n  activeConfig=0, resolution={width}x{height}")
    return 0
