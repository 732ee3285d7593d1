"""The shell on the real embedded phone."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from mobile_gym.phone.phone import Phone
from mobile_gym.phone.shell.session import ShellSession
from mobile_gym.phone.shell.shell import Shell


@pytest.fixture
def phone() -> Iterator[Phone]:
    phone = Phone(language="en")
    yield phone
    phone.close()


@pytest.fixture
def shell(phone: Phone) -> Shell:
    return Shell(phone, root=True)


def test_looking_changes_nothing(phone: Phone, shell: Shell) -> None:
    before = phone.digest()
    for line in (
        "ls -la / /sdcard /data/data; find /data -type f | head; df; du -s /sdcard; ps -A; id; date; getprop",
        "dumpsys; dumpsys window; dumpsys activity top; am stack list; pm list packages -f; wm size; wm density",
        "settings list system; content query --uri content://sms/; ime list; cmd -l; logcat -d; appops get a.b",
        "screencap -p > /dev/null; uiautomator dump /dev/stdout; uptime; dumpsys battery; locksettings get-disabled",
        "sqlite3 /data/data/com.android.settings/databases/settings.db .tables; media volume --stream 3 --get",
    ):
        assert shell.run(line).exit_code in (0, 255), line
    assert phone.digest() == before


def test_opening_settings_and_reading_its_tree(phone: Phone, shell: Shell) -> None:
    result = shell.run("am start -W -n com.android.settings/.Settings")
    assert b"Status: ok\n" in result.stdout
    assert shell.run("dumpsys window | grep -c 'mCurrentFocus=.*com.android.settings/'").stdout == b"1\n"
    shell.run("uiautomator dump /sdcard/x.xml")
    root = ElementTree.fromstring(shell.run("cat /sdcard/x.xml").stdout)
    assert any(node.get("package") == "com.android.settings" for node in root.iter("node"))
    shell.run("input keyevent HOME")
    assert b"launcher" in shell.run("dumpsys window | grep mCurrentFocus").stdout


def test_a_language_and_a_theme_show(phone: Phone, shell: Shell) -> None:
    shell.run("setprop persist.sys.locale zh-CN; cmd uimode night yes; wm density 320")
    assert (phone.language, phone.dark, phone.density_dpi) == ("zh", True, 320)
    shell.run("wm density reset; setprop ctl.restart zygote")
    assert phone.density_dpi == phone.profile.dpi


def test_databases_survive_being_taken_away_and_brought_back(phone: Phone, shell: Shell) -> None:
    name = phone.state.database_names()[0]
    package, _, file = name.partition("/")
    digest = phone.state.database(name).digest()
    shell.run(
        f"mkdir -p /data/data/saved; cp -a /data/data/{package} /data/data/saved/; am force-stop {package}; "
        f"rm -r /data/data/{package}/*"
    )
    assert name not in phone.state.database_names()
    result = shell.run(
        f"[ -d /data/data/saved/{package} ] && cp -a /data/data/saved/{package}/. /data/data/{package}/; "
        f"restorecon -RD /data/data/{package}; chmod 777 -R /data/data/{package}; ls /data/data/{package}/databases"
    )
    assert file in result.stdout.decode().split()
    assert phone.state.database(name).digest() == digest


def test_the_same_lines_give_the_same_phone(phone: Phone, shell: Shell) -> None:
    other = Phone(language="en")
    for line in ("input tap 500 900", "settings put global x $RANDOM; mktemp", "date 0101120026; echo a > /sdcard/f"):
        results = [Shell(one, root=True).run(line).merged for one in (phone, other)]
        assert results[0] == results[1]
    assert phone.digest() == other.digest()
    other.close()


def test_a_session_prompts_with_the_device(phone: Phone) -> None:
    session = ShellSession(phone)
    assert session.prompt == f"{phone.profile.device}:/ $ "
    assert session.feed("su") == b""
    assert session.feed("id -un") == b"root\n"
