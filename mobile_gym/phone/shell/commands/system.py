"""What the system tells and does: properties, users, network, services, the clock's alarm service, reboot."""

from __future__ import annotations

import re
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from mobile_gym.phone.shell.commands.call import Call, Command, options

SERVICES = (
    "accessibility",
    "account",
    "activity",
    "activity_task",
    "alarm",
    "appops",
    "audio",
    "battery",
    "bluetooth_manager",
    "clipboard",
    "connectivity",
    "content",
    "cpuinfo",
    "deviceidle",
    "display",
    "dropbox",
    "gfxinfo",
    "input",
    "input_method",
    "jobscheduler",
    "location",
    "lock_settings",
    "media_session",
    "meminfo",
    "mount",
    "netstats",
    "notification",
    "overlay",
    "package",
    "permissionmgr",
    "phone",
    "power",
    "sensorservice",
    "settings",
    "statusbar",
    "SurfaceFlinger",
    "telecom",
    "telephony.registry",
    "uimode",
    "usagestats",
    "user",
    "vibrator_manager",
    "wallpaper",
    "wifi",
    "window",
)
WLAN_ADDRESS = "10.0.2.16"


def boot_properties(call: Call) -> dict[str, str]:
    """The phone's properties, with time zone and locale as they are now."""
    state = call.phone.state
    locale = (state.settings.get("system", "system_locales") or "").partition(",")[0]
    return {**call.phone.props, "persist.sys.timezone": state.clock.zone, "persist.sys.locale": locale}


def getprop(call: Call) -> int:
    """One property, or all."""
    parsed = options(call, "TZ")
    props = boot_properties(call)
    if parsed.operands:
        default = parsed.operands[1] if len(parsed.operands) > 1 else ""
        call.line(props.get(parsed.operands[0]) or default)
        return 0
    for name in sorted(props):
        call.line(f"[{name}]: [{props[name]}]")
    return 0


def setprop(call: Call) -> int:
    """Sets a property; `persist.sys.locale` and `persist.sys.timezone` act on the phone."""
    if len(call.args) < 2:
        call.fail('Need 2 arguments (see "setprop --help")')
    name, value = call.args[0], call.args[1]
    if name.startswith("ro.") and name in call.phone.props:
        call.fail(f"failed to set property '{name}' to '{value}'")
    if name == "persist.sys.timezone":
        if not _zone(value):
            call.fail(f"failed to set property '{name}' to '{value}'")
        call.phone.put_setting("global", "time_zone", value)
    elif name == "persist.sys.locale":
        call.phone.put_setting("system", "system_locales", value)
    elif name == "ctl.restart" and value == "zygote":
        call.phone.reboot()
        return 0
    call.phone.props[name] = value
    return 0


def _zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def service(call: Call) -> int:
    """`service check|list|call`."""
    args = call.args
    if args[:1] == ["check"] and len(args) > 1:
        call.line(f"Service {args[1]}: {'found' if args[1] in SERVICES else 'not found'}")
        return 0
    if args[:1] == ["list"]:
        call.line(f"Found {len(SERVICES)} services:")
        for index, name in enumerate(SERVICES):
            call.line(f"{index}\t{name}: [android.os.IBinder]")
        return 0
    if args[:1] == ["call"] and len(args) > 2:
        if args[1] not in SERVICES:
            call.err(f"service: Service {args[1]} does not exist")
            return 10
        if args[1] == "alarm" and args[2] == "3" and args[3:4] == ["s16"] and len(args) > 4 and _zone(args[4]):
            call.phone.put_setting("global", "time_zone", args[4])
            call.line("Result: Parcel(00000000    '....')")
            return 0
        call.line("Result: Parcel(")
        call.line("  0x00000000: fffffffd 0000001a 006e0055 006e006b '........U.n.k.n.'")
        call.line("  0x00000010: 0077006f 0020006e 006f0063 00650064 'o.w.n. .c.o.d.e.')")
        return 0
    for line in ("Usage: service [-h|-?]", "       service list", "       service check SERVICE"):
        call.err(line)
    call.err(
        "       service call SERVICE CODE [i32 N | i64 N | f N | d N | s16 STR | null | fd f | nfd n | afd f ] ..."
    )
    return 10


def reboot(call: Call) -> int:
    """Restarts the phone; `-p` too, as nobody could switch it on again."""
    call.phone.reboot()
    return 0


def whoami(call: Call) -> int:
    """The user's name."""
    call.line("root" if call.state.root else "shell")
    return 0


def id_(call: Call) -> int:
    """The user and its groups."""
    parsed = options(call, "nGgruZ")
    root = call.state.root
    if "u" in parsed or "g" in parsed:
        call.line(("root" if root else "shell") if "n" in parsed else ("0" if root else "2000"))
        return 0
    groups = ("input", "log", "adb", "sdcard_rw", "sdcard_r", "ext_data_rw", "ext_obb_rw", "net_bt_admin", "net_bt")
    numbers = (1004, 1007, 1011, 1015, 1028, 1078, 1079, 3001, 3002)
    name, number = ("root", 0) if root else ("shell", 2000)
    text = ",".join([f"{number}({name})", *(f"{n}({g})" for n, g in zip(numbers, groups, strict=True))])
    call.line(f"uid={number}({name}) gid={number}({name}) groups={text} context=u:r:{'su' if root else 'shell'}:s0")
    return 0


def groups(call: Call) -> int:
    """The user's groups by name."""
    call.line(f"{'root' if call.state.root else 'shell'} input log adb sdcard_rw sdcard_r net_bt_admin net_bt inet")
    return 0


def uname(call: Call) -> int:
    """The kernel."""
    parsed = options(call, "aomnprsv")
    host = "localhost"
    table = {"s": "Linux", "n": host, "r": "6.1.99-android14-11", "v": "#1 SMP PREEMPT", "m": "aarch64", "o": "Toybox"}
    if "a" in parsed:
        call.line(" ".join(table[letter] for letter in "snrvmo"))
    else:
        call.line(" ".join(table[letter] for letter in "snrvmo" if letter in parsed.flags) or "Linux")
    return 0


def hostname(call: Call) -> int:
    """The host's name."""
    call.line("localhost")
    return 0


def _wifi_on(call: Call) -> bool:
    return call.phone.state.settings.get_int("global", "wifi_on", 1) == 1


def ifconfig(call: Call) -> int:
    """Network interfaces."""
    names = [arg for arg in call.args if not arg.startswith("-")] or ["lo", "wlan0"]
    for name in names:
        if name not in ("lo", "wlan0"):
            call.fail(f"{name}: No such device")
        if name == "wlan0":
            call.line("wlan0     Link encap:Ethernet  HWaddr 02:15:b2:00:00:00  Driver virtio_net")
            if _wifi_on(call):
                call.line(f"          inet addr:{WLAN_ADDRESS}  Bcast:10.0.2.255  Mask:255.255.255.0 ")
                call.line("          UP BROADCAST RUNNING MULTICAST  MTU:1500  Metric:1")
            else:
                call.line("          BROADCAST MULTICAST  MTU:1500  Metric:1")
        else:
            call.line("lo        Link encap:Local Loopback  ")
            call.line("          inet addr:127.0.0.1  Mask:255.0.0.0 ")
            call.line("          UP LOOPBACK RUNNING  MTU:65536  Metric:1")
        call.line()
    return 0


def ip(call: Call) -> int:
    """`ip addr show [dev NAME]` and `ip route`."""
    args = [arg for arg in call.args if not arg.startswith("-")]
    kind = args[0] if args else ""
    if kind and "route".startswith(kind):
        if _wifi_on(call):
            call.line(f"10.0.2.0/24 dev wlan0 proto kernel scope link src {WLAN_ADDRESS} ")
        return 0
    if not kind or not ("address".startswith(kind) or "link".startswith(kind)):
        call.err(f'Object "{kind}" is unknown, try "ip help".')
        return 1
    wanted = [arg for arg in args[1:] if arg not in ("show", "list", "dev")]
    if any(name not in ("lo", "wlan0") for name in wanted):
        call.err(f'Device "{wanted[0]}" does not exist.')
        return 1
    if not wanted or "lo" in wanted:
        call.line("1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default qlen 1000")
        call.line("    inet 127.0.0.1/8 scope host lo")
    if not wanted or "wlan0" in wanted:
        state = "UP" if _wifi_on(call) else "DOWN"
        call.line(f"2: wlan0: <BROADCAST,MULTICAST,{state}> mtu 1500 qdisc mq state {state} group default qlen 1000")
        call.line("    link/ether 02:15:b2:00:00:00 brd ff:ff:ff:ff:ff:ff")
        if _wifi_on(call):
            call.line(f"    inet {WLAN_ADDRESS}/24 brd 10.0.2.255 scope global wlan0")
    return 0


def getenforce(call: Call) -> int:
    """SELinux' mode."""
    call.line("Enforcing")
    return 0


def setenforce(call: Call) -> int:
    """SELinux is not part of this phone."""
    if not call.state.root:
        call.err("setenforce: Couldn't set enforcing status to '" + " ".join(call.args) + "': Permission denied")
        return 1
    return 0


def ping(call: Call) -> int:
    """There is no network beyond the phone."""
    hosts = [arg for arg in call.args if not arg.startswith("-") and not re.fullmatch(r"[\d.]+", arg)]
    call.err(f"ping: unknown host {hosts[-1]}" if hosts else "connect: Network is unreachable")
    return 2


def nproc(call: Call) -> int:
    """Processor cores."""
    call.line(str(call.phone.profile.cores))
    return 0


def clear(call: Call) -> int:
    """Clears the terminal."""
    call.out("\x1b[2J\x1b[H")
    return 0


def free(call: Call) -> int:
    """Memory in bytes."""
    options(call, "bkmgth")
    total = call.phone.profile.memory_mb << 20
    used = total * 3 // 4
    call.line("\t\ttotal        used        free      shared     buffers")
    call.line(f"Mem:   {total:>16} {used:>11} {total - used:>11} {0:>11} {0:>11}")
    return 0


def getevent(call: Call) -> int:
    """The touch screen's facts (`-p`, `-lp`, `-il`); without such an option it follows and nothing comes."""
    call.line("add device 1: /dev/input/event1")
    call.line('  name:     "virtio_input_multi_touch_1"')
    flags = "".join(arg for arg in call.args if arg.startswith("-"))
    if "p" in flags or "i" in flags:
        width, height = call.phone.profile.width, call.phone.profile.height
        call.line("  events:")
        x, y = ("ABS_MT_POSITION_X    ", "ABS_MT_POSITION_Y    ") if "l" in flags else ("0035 ", "0036 ")
        call.line(f"    ABS (0003): {x} : value 0, min 0, max {width - 1}, fuzz 0, flat 0, resolution 0")
        call.line(f"                {y} : value 0, min 0, max {height - 1}, fuzz 0, flat 0, resolution 0")
        call.line("  input props:")
        call.line("    INPUT_PROP_DIRECT" if "l" in flags else "    <none>")
        return 0
    call.follow(lambda: b"")
    return None


def stop_start(call: Call) -> int:
    """`stop` and `start` restart the system server between them."""
    if not call.state.root:
        call.fail("must be root")
    if call.name == "start" and not call.args:
        call.phone.reboot()
    return 0


def sync(call: Call) -> int:
    """Nothing waits to be written."""
    return 0


COMMANDS: dict[str, Command] = {
    "clear": clear,
    "free": free,
    "getenforce": getenforce,
    "getevent": getevent,
    "getprop": getprop,
    "groups": groups,
    "hostname": hostname,
    "id": id_,
    "ifconfig": ifconfig,
    "ip": ip,
    "nproc": nproc,
    "ping": ping,
    "reboot": reboot,
    "service": service,
    "setenforce": setenforce,
    "setprop": setprop,
    "start": stop_start,
    "stop": stop_start,
    "sync": sync,
    "uname": uname,
    "whoami": whoami,
}
