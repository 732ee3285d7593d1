"""`dumpsys battery`, `power`, `wifi`, `telephony.registry`, `audio`, `alarm`, `wallpaper`, `meminfo`, …"""

from __future__ import annotations

from mobile_gym.phone.shell.commands.call import Call
from mobile_gym.phone.shell.commands.processes import processes
from mobile_gym.phone.shell.commands.switches import STREAMS


def _battery_state(call: Call) -> dict[str, int | bool]:
    found: dict[str, int | bool] = call.phone.state.interface.setdefault("battery", {"level": 100, "charging": False})
    return found


def battery(call: Call, args: list[str]) -> int:
    """`dumpsys battery [set level N | set ac 0|1 | unplug | reset]`."""
    state = _battery_state(call)
    match args[:1]:
        case ["set"] if len(args) > 2 and args[2].lstrip("-").isdecimal():
            if args[1] == "level":
                state["level"] = min(max(int(args[2]), 0), 100)
            elif args[1] in ("ac", "usb", "wireless"):
                state["charging"] = args[2] != "0"
            elif args[1] == "status":
                state["charging"] = args[2] in ("2", "5")
            elif args[1] not in ("present", "temp", "counter", "health", "invalid"):
                call.line(f"Unknown set option: {args[1]}")
                return 0
            call.phone.invalidate()
            return 0
        case ["unplug"]:
            state["charging"] = False
            call.phone.invalidate()
            return 0
        case ["reset"] | ["suspend_input"]:
            return 0
        case ["set"]:
            call.line("Bad value: " + " ".join(args[1:]))
            return 0
    charging, level = bool(state["charging"]), int(state["level"])
    status = 5 if charging and level == 100 else 2 if charging else 3
    call.line("Current Battery Service state:")
    for name, value in (
        ("AC powered", str(charging).lower()),
        ("USB powered", "false"),
        ("Wireless powered", "false"),
        ("Dock powered", "false"),
        ("Max charging current", "0"),
        ("Max charging voltage", "0"),
        ("Charge counter", str(level * 44_100)),
        ("status", str(status)),
        ("health", "2"),
        ("present", "true"),
        ("level", str(level)),
        ("scale", "100"),
        ("voltage", "4100"),
        ("temperature", "250"),
        ("technology", "Li-ion"),
    ):
        call.line(f"  {name}: {value}")
    return 0


def power(call: Call, args: list[str]) -> int:
    """`dumpsys power`."""
    on = bool(call.phone.state.interface.get("screen_on", True))
    saver = bool(call.phone.state.settings.get_int("global", "low_power"))
    call.line("POWER MANAGER (dumpsys power)\n\nPower Manager State:")
    call.line(f"  mWakefulness={'Awake' if on else 'Asleep'}\n  mWakefulnessChanging=false")
    call.line(f"  mIsPowered={str(bool(_battery_state(call)['charging'])).lower()}")
    call.line(f"  mStayOn=false\n  mBatteryLevel={_battery_state(call)['level']}")
    call.line(f"  mHoldingWakeLockSuspendBlocker={str(on).lower()}\n  mHoldingDisplaySuspendBlocker={str(on).lower()}")
    call.line(f"  mLowPowerModeEnabled={str(saver).lower()}")
    call.line(f"Display Power: state={'ON' if on else 'OFF'}")
    return 0


def wifi(call: Call, args: list[str]) -> int:
    """`dumpsys wifi`."""
    settings = call.phone.state.settings
    on = settings.get_int("global", "wifi_on", 1)
    name = settings.get("global", "wifi_connected")
    call.line(f"Wi-Fi is {'enabled' if on else 'disabled'}")
    call.line(
        f'mWifiInfo SSID: "{name}", Supplicant state: COMPLETED'
        if on and name
        else "mWifiInfo SSID: <unknown ssid>, Supplicant state: DISCONNECTED"
    )
    return 0


def telephony(call: Call, args: list[str]) -> int:
    """`dumpsys telephony.registry`: 0 idle, 1 rings, 2 in a call."""
    ringing = call.phone.state.interface.get("call")
    state = 0 if ringing is None else 1 if ringing["state"] == "ringing" else 2
    number = ringing["number"] if ringing is not None else ""
    plane = call.phone.state.settings.get_int("global", "airplane_mode_on")
    call.line("last known state:\n  Phone Id=0")
    call.line(f"    mCallState={state}\n    mRingingCallState={int(state == 1)}\n    mCallIncomingNumber={number}")
    call.line(f"    mServiceState={{mVoiceRegState={3 if plane else 0}, mDataRegState={3 if plane else 0}}}")
    call.line(f"    mDataActivity=0\n    mDataConnectionState={0 if plane else 2}")
    return 0


def audio(call: Call, args: list[str]) -> int:
    """`dumpsys audio`."""
    modes = {0: "SILENT", 1: "VIBRATE", 2: "NORMAL"}
    settings = call.phone.state.settings
    call.line("Stream volumes (device: index)")
    for key, name, most in STREAMS.values():
        level = settings.get_int("system", f"volume_{key}")
        call.line(f"- {name}:\n   Muted: {str(level == 0).lower()}\n   Min: 0\n   Max: {most}\n   streamVolume:{level}")
        call.line(f"   Current: 2 (speaker): {level}\n   Devices: speaker(2)")
    call.line(
        f"\nRinger mode: \n- mode (internal) = {modes.get(settings.get_int('global', 'mode_ringer', 2), 'NORMAL')}"
    )
    return 0


def alarm(call: Call, args: list[str]) -> int:
    """`dumpsys alarm`."""
    clock = call.phone.state.clock
    following = call.phone.state.settings.get("system", "next_alarm_formatted") or ""
    call.line("Current Alarm Manager state:")
    now = f"{clock.now():%Y-%m-%d %H:%M:%S}.{clock.now_ms % 1000:03d}"
    call.line(f"  nowRTC={clock.now_ms}={now} nowELAPSED={clock.uptime_ms}")
    call.line(f"  Time zone: {clock.zone}\n  Next alarm clock information: {following or '(none)'}")
    return 0


def wallpaper(call: Call, args: list[str]) -> int:
    """`dumpsys wallpaper`."""
    width, height, _ = call.phone.screen
    name = call.phone.state.settings.get("system", "wallpaper") or ""
    call.line("System wallpaper state:")
    call.line(f" User 0: id=1\n Display state:\n  displayId=0\n  mWidth={width}  mHeight={height}")
    call.line(f"  mCropHint=Rect(0, 0 - 0, 0)\n  mName={name}\n  mWallpaperComponent=null")
    return 0


def meminfo(call: Call, args: list[str]) -> int:
    """`dumpsys meminfo`."""
    total = call.phone.profile.memory_mb * 1024
    call.line(
        f"Applications Memory Usage (in Kilobytes):\nUptime: {call.phone.state.clock.uptime_ms} Realtime: "
        f"{call.phone.state.clock.uptime_ms}\n\nTotal PSS by process:"
    )
    for _, pid, _, name in processes(call):
        call.line(f"    120,000K: {name} (pid {pid})")
    call.line(f"\nTotal RAM: {total:,}K (status normal)\n Free RAM: {total // 4:,}K\n Used RAM: {total * 3 // 4:,}K")
    return 0


def cpuinfo(call: Call, args: list[str]) -> int:
    """`dumpsys cpuinfo`."""
    call.line("Load: 0.0 / 0.0 / 0.0\nCPU usage from 0ms to 0ms ago:")
    for _, pid, _, name in processes(call):
        call.line(f"  0% {pid}/{name}: 0% user + 0% kernel")
    return 0


def connectivity(call: Call, args: list[str]) -> int:
    """`dumpsys connectivity`."""
    settings = call.phone.state.settings
    wifi_on = settings.get_int("global", "wifi_on", 1) and settings.get("global", "wifi_connected")
    data = settings.get_int("global", "mobile_data") and not settings.get_int("global", "airplane_mode_on")
    active = "WIFI CONNECTED" if wifi_on else "MOBILE CONNECTED" if data else "none"
    call.line(f"Active default network: {active}")
    return 0


def input_method(call: Call, args: list[str]) -> int:
    """`dumpsys input_method`."""
    shown = bool(call.phone.state.interface.get("surfaces", {}).get("keyboard", {}).get("ui", {}).get("open"))
    name = call.phone.state.settings.get("secure", "default_input_method") or "null"
    call.line("Current Input Method Manager state:")
    call.line(f"  mCurMethodId={name}\n  mInputShown={str(shown).lower()}\n  mSelectedMethodId={name}")
    return 0


def uimode(call: Call, args: list[str]) -> int:
    """`dumpsys uimode`."""
    night = call.phone.state.settings.get("secure", "ui_night_mode") or "1"
    names = {"0": "auto", "1": "no", "2": "yes"}
    call.line(f"Current UI Mode Service state:\n  mNightMode={night} ({names.get(night, 'custom')})")
    return 0


def location(call: Call, args: list[str]) -> int:
    """`dumpsys location`."""
    mode = call.phone.state.settings.get_int("secure", "location_mode")
    call.line(f"Location Manager State:\n  Location Setting: {str(mode > 0).lower()}")
    return 0


def empty(call: Call, args: list[str]) -> int:
    """A service that is there and has nothing to tell."""
    return 0
