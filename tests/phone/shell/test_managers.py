"""`am`, `pm`, `settings`, `content`, `input` and their kin: what they ask of the phone and what they print."""

from __future__ import annotations

import io
import struct
import zipfile

import pytest
from PIL import Image

from mobile_gym.phone.door import Component
from mobile_gym.phone.shell.commands.pm import install_stream
from mobile_gym.phone.shell.shell import Shell
from tests.support.fake_phone import FakePhone

APP = "com.example.app"


@pytest.fixture
def phone() -> FakePhone:
    phone = FakePhone()
    phone.packages.add(APP, permissions={"android.permission.CAMERA": False})
    phone.packages.add("com.example.launcher3", system=True, launcher=None, uid=10001)
    return phone


@pytest.fixture
def shell(phone: FakePhone) -> Shell:
    return Shell(phone, root=True)


def apk(package: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("package", package)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("line", "event"),
    [
        ("input tap 10 20", ("tap", 10, 20)),
        ("input touchscreen tap 10.4 20.6", ("tap", 10, 21)),
        ("input swipe 1 2 300 4", ("swipe", 1, 2, 300, 4, 300)),
        ("input swipe 1 2 300 4 ''", ("swipe", 1, 2, 300, 4, 300)),
        ("input swipe 1 2 300 4 500", ("swipe", 1, 2, 300, 4, 500)),
        ("input swipe 5 5 5 5 1000", ("long_press", 5, 5, 1000)),
        ("input draganddrop 1 2 300 4 4000", ("drag", 1, 2, 300, 4, 4000)),
        ("input keyevent KEYCODE_HOME", ("key", "HOME")),
        ("input keyevent 4", ("key", "BACK")),
        ("input keyevent BACK", ("key", "BACK")),
        ("input keyevent KEYCODE_1", ("key", "1")),
        ("input keycombination 113 29", ("keys", "CTRL_LEFT", "A")),
        ("input motionevent DOWN 5 5; sleep 1; input motionevent UP 5 5", ("long_press", 5, 5, 1000)),
        (
            "input motionevent DOWN 5 5; input motionevent MOVE 9 9; input motionevent UP 50 5",
            ("drag", 5, 5, 50, 5, 300),
        ),
        ("input roll 0 -1", ("key", "DPAD_UP")),
    ],
)
def test_input_reaches_the_phone(phone: FakePhone, shell: Shell, line: str, event: tuple[object, ...]) -> None:
    assert shell.run(line).merged == b""
    assert phone.input.events == [event]


def test_several_keys_and_text(phone: FakePhone, shell: Shell) -> None:
    shell.run(
        "input keyevent 67 67 KEYCODE_ENTER; input text a%sb; input text 'it'\\''s \"ok\" & (x)'; input text '#1'"
    )
    assert phone.input.events == [("key", "DEL"), ("key", "DEL"), ("key", "ENTER")]
    assert phone.input.typed == 'a bit\'s "ok" & (x)#1'


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("input tap 1", "Error: Invalid arguments for command: tap"),
        ("input tap a b", "NumberFormatException"),
        ("input keyevent NOPE", "Argument is not a valid keycode: NOPE"),
        ("input text 你好", "NullPointerException: Attempt to get length of null array"),
        ("input nope", "Error: Unknown command: nope"),
        ("input -d 3 tap 1 1", "Invalid arguments for display ID"),
    ],
)
def test_wrong_input_does_nothing(phone: FakePhone, shell: Shell, line: str, text: str) -> None:
    result = shell.run(line)
    assert text in result.stderr.decode()
    assert result.exit_code == 255
    assert (phone.input.events, phone.input.typed) == ([], "")


def test_start_prints_what_android_prints(phone: FakePhone, shell: Shell) -> None:
    result = shell.run(f"am start -S '' -W -n {APP}/.Main --es name 'a b' --ei n 3 --ez on true -d content://x/1")
    assert result.stdout.decode() == (
        f"Stopping: {APP}\n"
        f"Starting: Intent {{ dat=content://x/... cmp={APP}/.Main (has extras) }}\n"
        f"Status: ok\nLaunchState: COLD\nActivity: {APP}/.Main\nTotalTime: 300\nWaitTime: 303\nComplete\n"
    )
    intent = phone.activities.started[0]
    assert (intent.package, intent.activity, intent.data) == (APP, f"{APP}.Main", "content://x/1")
    assert intent.extras == {"name": "a b", "n": 3, "on": True}
    assert phone.activities.stopped == [APP]


@pytest.mark.parametrize(
    ("line", "error", "code"),
    [
        (f"am start -n {APP}/.Nope", f"Error type 3\nError: Activity class {{{APP}/.Nope}} does not exist.\n", 1),
        (
            "am start -a foo.BAR",
            "Error: Activity not started, unable to resolve Intent { act=foo.BAR flg=0x10000000 }\n",
            1,
        ),
        ("am start -n nope", "Bad component name: nope", 255),
        ("am start --zz", "Error: Unknown option: --zz", 255),
        ("am start -a", 'Argument expected after "-a"', 255),
        ("am start", "No intent supplied", 255),
        ("am nope", "Unknown command: nope", 255),
    ],
)
def test_start_fails_as_on_android(shell: Shell, line: str, error: str, code: int) -> None:
    result = shell.run(line)
    assert error in result.stderr.decode()
    assert result.exit_code == code


def test_broadcast(phone: FakePhone, shell: Shell) -> None:
    phone.activities.answer = (-1, "clip")
    result = shell.run("am broadcast -a clipper.get -n a.b/.R -f 0x20 --el t 5 --ef f 1.5 --esa l x,y")
    assert result.stdout.decode() == (
        "Broadcasting: Intent { act=clipper.get flg=0x400020 cmp=a.b/.R (has extras) }\n"
        'Broadcast completed: result=-1, data="clip"\n'
    )
    assert phone.activities.broadcasts[0].extras == {"t": 5, "f": 1.5, "l": "x,y"}


def test_a_bare_word_of_a_broadcast_is_a_package(phone: FakePhone, shell: Shell) -> None:
    phone.packages.add("com.android.adbkeyboard")
    shell.run("ime enable com.android.adbkeyboard/.AdbIME; ime set com.android.adbkeyboard/.AdbIME")
    result = shell.run("am broadcast -a ADB_INPUT_TEXT --es msg hello? Hello?")
    assert result.stdout.decode() == (
        "Broadcasting: Intent { act=ADB_INPUT_TEXT flg=0x400000 pkg=Hello? (has extras) }\n"
        "Broadcast completed: result=0\n"
    )
    assert phone.input.typed == ""


def test_adb_keyboard_types_only_when_it_is_chosen(phone: FakePhone, shell: Shell) -> None:
    name = "com.android.adbkeyboard/.AdbIME"
    result = shell.run(f"ime enable {name}; ime set {name}")
    assert result.stderr.decode() == (
        f"Unknown input method {name} cannot be enabled for user #0\n"
        f"Unknown input method {name} cannot be selected for user #0\n"
    )
    phone.packages.add("com.android.adbkeyboard")
    send = "am broadcast -a ADB_INPUT_B64 --es msg '5L2g5aW9'; am broadcast -a ADB_INPUT_TEXT --es msg 'a  b'"
    shell.run(send)
    assert phone.input.typed == ""
    result = shell.run(f"ime enable {name}; ime set {name}; ime list -s; settings get secure default_input_method")
    assert result.stdout.decode().splitlines() == [
        f"Input method {name}: now enabled for user #0",
        f"Input method {name} selected for user #0",
        "com.android.inputmethod.pinyin/.PinyinIME",
        name,
        name,
    ]
    shell.run(send + "; am broadcast -a ADB_CLEAR_TEXT; am broadcast -a ADB_EDITOR_CODE --ei code 2")
    assert phone.input.typed == "你好a  b"
    assert phone.input.events == [("keys", "CTRL_LEFT", "A"), ("key", "DEL"), ("key", "ENTER")]
    shell.run("ime reset")
    assert shell.run("ime list -s").stdout == b"com.android.inputmethod.pinyin/.PinyinIME\n"


def test_stacks(phone: FakePhone, shell: Shell) -> None:
    assert b"visible=true topActivity=ComponentInfo{com.example.launcher3/" in shell.run("am stack list").stdout
    shell.run(f"am start -n {APP}/.Main")
    lines = shell.run("am stack list | grep -E visible=true").stdout.decode()
    assert lines == (
        f"  taskId=1: {APP}/.Main bounds=[0,0][1080,2400] userId=0 visible=true"
        f" topActivity=ComponentInfo{{{APP}/{APP}.Main}}\n"
    )
    assert shell.run("dumpsys activity recents | grep -oE '[^a-zA-Z]id=[0-9]+'").stdout == b" id=1\n"
    shell.run("am stack remove 1")
    assert phone.activities.tasks() == []


def test_monkey(phone: FakePhone, shell: Shell) -> None:
    for line in (f"monkey -p {APP} 1", f"monkey -p {APP} -candroid.intent.category.LAUNCHER 1"):
        assert shell.run(line).stdout.startswith(b"Events injected: 1\n")
    result = shell.run("monkey -p nope -c android.intent.category.LAUNCHER 1")
    assert (result.stderr, result.exit_code) == (b"** No activities found to run, monkey aborted.\n", 252)
    assert len(phone.activities.started) == 2


def test_packages(phone: FakePhone, shell: Shell) -> None:
    assert shell.run("pm list packages").stdout == b"package:com.example.app\npackage:com.example.launcher3\n"
    assert shell.run("pm list packages -3; cmd package list packages launch").stdout == (
        b"package:com.example.app\npackage:com.example.launcher3\n"
    )
    assert shell.run(f"pm path {APP}").stdout == b"package:/data/app/com.example.app/base.apk\n"
    assert shell.run("pm path nope").exit_code == 1
    result = shell.run(f"pm clear {APP}; pm clear nope")
    assert (result.stdout, result.exit_code, phone.packages.cleared) == (b"Success\nFailed\n", 1, [APP])
    assert shell.run(f"pm grant {APP} android.permission.CAMERA").exit_code == 0
    assert phone.packages.info(APP).permissions == {"android.permission.CAMERA": True}
    result = shell.run(f"pm grant {APP} a.b")
    assert f"Package {APP} has not requested permission a.b" in result.stderr.decode()
    assert result.exit_code == 255
    assert shell.run(f"pm disable-user --user 0 {APP}").stdout.decode() == f"Package {APP} new state: disabled-user\n"
    assert shell.run("pm list packages -d").stdout.decode() == f"package:{APP}\n"
    assert (
        shell.run(f"pm enable {APP}; pm resolve-activity --brief {APP}").stdout.decode().splitlines()[-1]
        == f"{APP}/.Main"
    )


def test_installing(phone: FakePhone, shell: Shell) -> None:
    assert install_stream(phone, apk("com.new")) == "Success\n"
    assert install_stream(phone, b"junk") == "Failure [INSTALL_FAILED_INVALID_APK: not an APK]\n"
    data = apk("com.newer")
    result = shell.run(f"cmd package 'install' -S {len(data)}", data)
    assert (result.stdout, result.exit_code) == (b"Success\n", 0)
    phone.state.files.write("/data/local/tmp/a.apk", apk("com.newest"), mtime_ms=0, parents=True)
    assert shell.run("pm install -r -t -g /data/local/tmp/a.apk").stdout == b"Success\n"
    assert shell.run("pm install /nope.apk").exit_code == 255
    assert "com.newest" in phone.packages.names()
    assert shell.run("pm uninstall com.newest").stdout == b"Success\n"
    result = shell.run("pm uninstall com.newest; pm uninstall com.example.launcher3")
    assert result.stdout == b"Failure [DELETE_FAILED_INTERNAL_ERROR]\n" * 2


@pytest.mark.parametrize(
    ("line", "where", "value"),
    [
        ("settings put system screen_brightness 10", "system/screen_brightness", "10"),
        ("settings put global policy_control 'immersive.full=*'", "global/policy_control", "immersive.full=*"),
        ("settings put --user 0 Secure a 'x y'", "secure/a", "x y"),
        ("svc wifi disable", "global/wifi_on", "0"),
        ("svc data enable", "global/mobile_data", "1"),
        ("svc bluetooth disable", "global/bluetooth_on", "0"),
        ("cmd connectivity airplane-mode enable", "global/airplane_mode_on", "1"),
        ("su 0 cmd uimode night yes", "secure/ui_night_mode", "2"),
        ("cmd wifi set-wifi-enabled disabled", "global/wifi_on", "0"),
        ("cmd power set-mode 1", "global/low_power", "1"),
        ("wm density 320", "secure/display_density_forced", "320"),
        ("wm size 720x1280", "global/display_size_forced", "720,1280"),
        ("wm user-rotation lock 1", "system/user_rotation", "1"),
        ("media volume --show --stream 3 --set 7", "system/volume_music", "7"),
        ("cmd media_session volume --stream 4 --set 2", "system/volume_alarm", "2"),
        ("locksettings set-disabled true", "secure/lockscreen_disabled", "1"),
        ("setprop persist.sys.locale zh-CN", "system/system_locales", "zh-CN"),
    ],
)
def test_switches_are_settings(phone: FakePhone, shell: Shell, line: str, where: str, value: str) -> None:
    result = shell.run(line)
    assert (result.exit_code, result.stderr) == (0, b"")
    namespace, key = where.split("/")
    assert phone.state.settings.get(namespace, key) == value


def test_settings_prints(shell: Shell) -> None:
    result = shell.run(
        "settings get system nope; settings put global b 2; settings put global a 'x=y'; settings list global"
    )
    assert result.stdout == b"null\na=x=y\nb=2\n"
    assert shell.run("settings delete global a; settings delete global a").stdout == b"Deleted 1 rows\nDeleted 0 rows\n"
    assert shell.run("settings get nope a").stderr == b"Invalid namespace 'nope'\n"


def test_display_prints(phone: FakePhone, shell: Shell) -> None:
    assert shell.run("wm size; wm density").stdout == b"Physical size: 1080x2400\nPhysical density: 420\n"
    shell.run("wm size 720x1280; wm density 320")
    assert shell.run("wm size; wm density").stdout == (
        b"Physical size: 1080x2400\nOverride size: 720x1280\nPhysical density: 420\nOverride density: 320\n"
    )
    assert shell.run("wm size reset; wm density reset; wm size").stdout == b"Physical size: 1080x2400\n"
    assert shell.run("wm size huge").exit_code == 255
    assert shell.run("wm density 3").exit_code == 255
    phone.state.settings.put("system", "user_rotation", 1)
    assert b"mCurrentRotation=ROTATION_90" in shell.run("dumpsys window | grep mCurrentRotation").stdout


def test_volume_prints(shell: Shell) -> None:
    shell.run("media volume --stream 3 --set 7")
    assert b"volume is 7 in range [0..25]\n" in shell.run("media volume --show --stream 3 --get").stdout
    assert shell.run("media volume --stream 3 --set 99").exit_code == 255
    assert shell.run("media volume --stream 77 --get").exit_code == 255


def test_content(phone: FakePhone, shell: Shell) -> None:
    assert shell.run("content query --uri content://notes").stdout == b"No result found.\n"
    shell.run(
        "content insert --uri content://notes --bind title:s:'a: b, c' --bind n:i:3 --bind f:d:1.5 --bind on:b:true "
        "--bind none:n:"
    )
    assert phone.providers.rows == [{"title": "a: b, c", "n": 3, "f": 1.5, "on": 1, "none": None}]
    assert (
        shell.run("content query --uri content://notes").stdout
        == b"Row: 0 title=a: b, c, n=3, f=1.5, on=1, none=NULL\n"
    )
    result = shell.run("content query --uri content://notes --projection n:title --where \"n='3'\" --sort 'n DESC'")
    assert result.stdout == b"Row: 0 n=3, title=a: b, c\n"
    assert phone.providers.asked[-1] == ("content://notes", ["n", "title"], "n='3'", "n DESC")
    shell.run("content update --uri content://notes --bind n:l:4 --where n=3; content delete --uri content://notes")
    assert phone.providers.rows == []


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("content query --uri content://nope/x", "Error while accessing provider:nope\n"),
        ("content query", "[ERROR] Content provider URI not specified"),
        ("content insert --uri content://notes --bind a", "[ERROR] Binding not well formed: a"),
        ("content insert --uri content://notes --bind a:q:1", "[ERROR] Unsupported type: q"),
        ("content insert --uri content://notes --bind a:i:x", '[ERROR] For input string: "x"'),
        ("content query --url x", "[ERROR] Unsupported argument: --url"),
        ("content nope", "[ERROR] Unsupported operation: nope"),
    ],
)
def test_content_errors(phone: FakePhone, shell: Shell, line: str, text: str) -> None:
    result = shell.run(line)
    assert text in result.stderr.decode()
    assert result.stdout == b""
    assert phone.providers.rows == []


def test_services(shell: Shell) -> None:
    result = shell.run("cmd nope; echo $?; dumpsys nope")
    assert result.merged == b"cmd: Can't find service: nope\n20\nCan't find service: nope\n"
    assert b"  window\n" in shell.run("cmd -l").stdout
    assert b"  window\n" in shell.run("dumpsys -l").stdout


def test_shade_is_asked_for_by_broadcast(phone: FakePhone, shell: Shell) -> None:
    shell.run("cmd statusbar expand-notifications; cmd statusbar expand-settings; cmd statusbar collapse")
    prefix = "mobile_gym.intent.action."
    assert [intent.action for intent in phone.activities.broadcasts] == [
        prefix + "EXPAND_SHADE",
        prefix + "EXPAND_SETTINGS",
        prefix + "COLLAPSE_SHADE",
    ]


def test_window_dump_names_what_has_the_focus(phone: FakePhone, shell: Shell) -> None:
    shell.run(f"am start -n {APP}/.Main")
    text = shell.run("dumpsys window").stdout.decode()
    assert f" u0 {APP}/{APP}.Main}}\n" in next(line for line in text.splitlines(True) if "mCurrentFocus" in line)
    assert f" u0 {APP}/.Main t1}}" in next(line for line in text.splitlines() if "mFocusedApp" in line)
    phone.activities.covering = Component("com.android.systemui", "")
    phone.state.interface["locked"] = True
    text = shell.run("dumpsys window windows").stdout.decode()
    assert " u0 NotificationShade}" in next(line for line in text.splitlines() if "mCurrentFocus" in line)
    assert f"{APP}/.Main" in next(line for line in text.splitlines() if "mFocusedApp" in line)


@pytest.mark.parametrize(
    ("line", "pattern"),
    [
        ("dumpsys activity activities", rf"topResumedActivity=ActivityRecord\{{\w+ u0 {APP}/\.Main t1\}}"),
        ("dumpsys activity top", rf"  ACTIVITY {APP}/\.Main \w+ pid=\d+"),
        (f"dumpsys activity {APP} {APP}", r"^TASK .*\n  ACTIVITY .*\n(    .*\n)+?    View Hierarchy:\n      DecorView"),
        ("dumpsys input", r"\n\s+PhysicalWidth: 1080px\n"),
        ("dumpsys input | grep logicalFrame", r"logicalFrame=\[0, 0, 1080, 2400\], physicalFrame=\[0, 0, 1080, 2400\]"),
        ("dumpsys display", r"orientation=0,.*deviceWidth=1080, deviceHeight=2400"),
        ("dumpsys power", r"mHoldingDisplaySuspendBlocker=true"),
        ("dumpsys battery", r"\n  level: 82\n"),
        (
            f"dumpsys package {APP}",
            r"versionCode=12 .*\n +versionName=1\.2\n +signatures=PackageSignatures\{\w+ .*\[\w+\]",
        ),
        ("dumpsys notification --noredact", r"pkg=com\.example\.app .*\n(.*\n)*.*android\.title=String \(Title\)"),
        ("dumpsys telephony.registry", r"mCallState=0\n"),
        ("dumpsys SurfaceFlinger --display-id", r"^Display \d{19} \(HWC display 0\)"),
        ("dumpsys wallpaper", r"id=1\n(.*\n)*.*mWidth=1080  mHeight=2400"),
        ("ifconfig wlan0", r"inet addr:10\.0\.2\.16 "),
        ("ip addr show dev wlan0", r"inet 10\.0\.2\.16/24"),
    ],
)
def test_dumps(shell: Shell, line: str, pattern: str) -> None:
    import re

    shell.run(f"am start -n {APP}/.Main")
    text = shell.run(line).stdout.decode()
    assert re.search(pattern, text), text


def test_battery_can_be_set(phone: FakePhone, shell: Shell) -> None:
    shell.run("dumpsys battery set level 15; dumpsys battery set ac 1")
    assert phone.state.interface["battery"] == {"level": 15, "charging": True}
    assert b"  level: 15\n" in shell.run("dumpsys battery").stdout


def test_hierarchy_dump(phone: FakePhone, shell: Shell) -> None:
    result = shell.run("uiautomator dump --compressed /sdcard/x.xml && echo success")
    assert result.stdout == b"UI hierchary dumped to: /sdcard/x.xml\nsuccess\n"
    assert shell.run("cat /sdcard/x.xml").stdout == phone.hierarchy_xml().encode()
    assert shell.run("uiautomator dump /dev/stdout").stdout == (
        phone.hierarchy_xml().encode() + b"UI hierchary dumped to: /dev/stdout\n"
    )
    result = shell.run("uiautomator dump /nope/x.xml && echo success")
    assert b"ENOENT" in result.stderr
    assert b"success" not in result.stdout


def test_pictures(shell: Shell) -> None:
    picture = Image.open(io.BytesIO(shell.run("screencap -p").stdout))
    assert (picture.size, picture.getpixel((0, 0))) == ((8, 4), (200, 0, 0))
    raw = shell.run("screencap").stdout
    assert struct.unpack("<4I", raw[:16]) == (8, 4, 1, 1)
    assert raw[16:20] == bytes((200, 0, 0, 255))
    assert len(raw) == 16 + 8 * 4 * 4
    assert shell.run("screencap -p /sdcard/s.png; head -c 4 /sdcard/s.png").stdout == b"\x89PNG"
    assert shell.run("screencap -d 123").exit_code == 1
    assert shell.run("screenrecord /sdcard/x.mp4").exit_code == 1


def test_sqlite(phone: FakePhone, shell: Shell) -> None:
    database = phone.state.database(f"{APP}/notes.db")
    database.script("CREATE TABLE notes (_id INTEGER PRIMARY KEY, title TEXT UNIQUE)")
    database.insert("notes", title="a|b")
    path = f"/data/data/{APP}/databases/notes.db"
    assert shell.run(f"sqlite3 {path} 'SELECT * FROM notes'").stdout == b"1|a|b\n"
    assert (
        shell.run(f'su 0 sqlite3 {path} "INSERT INTO notes VALUES (2, NULL); SELECT count(*) FROM notes"').stdout
        == b"2\n"
    )
    assert shell.run(f"sqlite3 -json {path} 'select * from notes'").stdout == (
        b'[{"_id":1,"title":"a|b"},\n{"_id":2,"title":null}]\n'
    )
    assert shell.run(f"sqlite3 -header -csv {path} 'select * from notes'").stdout == b"_id,title\r\n1,a|b\r\n2,\r\n"
    assert shell.run(f"sqlite3 -separator , {path}", b"select * from notes;\n.tables\n").stdout == b"1,a|b\n2,\nnotes\n"
    assert shell.run(f"sqlite3 {path} 'SELECT nope FROM notes'").stderr == b"Error: in prepare, no such column: nope\n"
    result = shell.run(f"sqlite3 {path} \"INSERT INTO notes VALUES (3, 'a|b')\"")
    assert (result.stderr, result.exit_code) == (b"Error: stepping, UNIQUE constraint failed: notes.title (19)\n", 19)
    assert database.value("SELECT count(*) FROM notes") == 2


def test_sqlite_never_reaches_files_of_the_host(shell: Shell, tmp_path: object) -> None:
    for sql in (f"ATTACH '{tmp_path}/x.db' AS x; CREATE TABLE x.t (a)", f"VACUUM INTO '{tmp_path}/y.db'"):
        result = shell.run(f'sqlite3 /sdcard/a.db "{sql}"')
        assert result.exit_code != 0
    import os

    assert os.listdir(str(tmp_path)) == []


def test_sqlite_makes_files_and_ends_what_never_ends(shell: Shell) -> None:
    shell.run("sqlite3 /sdcard/a.db 'CREATE TABLE t (a); INSERT INTO t VALUES (1)'")
    assert shell.run("sqlite3 /sdcard/a.db 'SELECT * FROM t'; head -c 6 /sdcard/a.db").stdout == b"1\nSQLite"
    assert shell.run("echo junk > /sdcard/b.db; sqlite3 /sdcard/b.db 'SELECT 1'").exit_code == 1
    shell.run("sqlite3 /sdcard/a.db 'BEGIN; INSERT INTO t VALUES (2)'")
    assert shell.run("sqlite3 /sdcard/a.db 'SELECT count(*) FROM t'").stdout == b"1\n"
