"""Sessions, streams, faults, and arguments of every kind."""

from __future__ import annotations

import shlex

from hypothesis import given, settings
from hypothesis import strategies as st

from mobile_gym.phone.shell.commands.registry import COMMANDS
from mobile_gym.phone.shell.faults import ShellFault
from mobile_gym.phone.shell.language.builtins import BUILTINS
from mobile_gym.phone.shell.session import ShellSession
from mobile_gym.phone.shell.shell import Shell
from tests.support.fake_phone import FakePhone


def test_a_session_remembers() -> None:
    session = ShellSession(FakePhone())
    assert session.prompt == "bluejay:/ $ "
    assert session.feed("x=1; cd /sdcard") == b""
    assert session.prompt == "bluejay:/sdcard $ "
    assert session.feed("echo $x; nope") == b"1\n/system/bin/sh: nope: inaccessible or not found\n"
    assert session.prompt == "127|bluejay:/sdcard $ "
    assert session.feed("echo $?") == b"127\n"


def test_su_opens_a_shell_inside() -> None:
    session = ShellSession(FakePhone())
    session.feed("su")
    assert session.prompt == "bluejay:/ # "
    assert session.feed("whoami") == b"root\n"
    session.feed("exit 3")
    assert (session.prompt, session.closed) == ("3|bluejay:/ $ ", False)
    session.feed("exit 4")
    assert (session.closed, session.exit_code) == (True, 4)
    assert session.feed("echo late") == b""


def test_unfinished_commands_wait_for_their_rest() -> None:
    session = ShellSession(FakePhone())
    for line in ("if true; then", "echo yes"):
        assert session.feed(line) == b""
        assert session.prompt == "> "
    assert session.feed("fi") == b"yes\n"
    assert session.feed("echo 'a") == b""
    assert session.feed("b'") == b"a\nb\n"
    session.feed("echo 'never")
    session.interrupt()
    assert session.prompt == "130|bluejay:/ $ "
    assert session.feed("fi") == b"/system/bin/sh: syntax error: unexpected 'fi'\n"


def test_the_log_streams() -> None:
    phone = FakePhone()
    phone.log("D", "Game", "one")
    stream = Shell(phone).stream("export ANDROID_LOG_TAGS=''; exec logcat -v epoch Game:D *:S")
    first = b"         1697389456.000  5583  5658 D Game    : one\n"
    assert stream.result.stdout == b"--------- beginning of main\n" + first
    assert stream.following
    assert stream.poll() == b""
    phone.log("I", "Other", "no")
    phone.log("I", "Game", "two")
    assert stream.poll() == b"         1697389456.000  5583  5658 I Game    : two\n"
    assert stream.poll() == b""


def test_a_stream_goes_through_a_pipe() -> None:
    phone = FakePhone()
    stream = Shell(phone).stream("logcat -v raw | grep -v skip | tr a-z A-Z; echo never")
    phone.log("I", "T", "keep")
    phone.log("I", "T", "skip")
    assert stream.poll() == b"KEEP\n"
    assert b"never" not in stream.result.stdout
    assert stream.result.fate == "following"


def test_the_log_is_printed_and_cleared() -> None:
    phone = FakePhone()
    shell = Shell(phone)
    shell.run("log -t A -p e one; log -t B two")
    assert shell.run("logcat -d -v brief").stdout == (
        b"--------- beginning of main\nE/A       ( 5583): one\nI/B       ( 5583): two\n"
    )
    assert shell.run("logcat -d -s -v tag B").stdout == b"I/B       : two\n"
    assert shell.run("logcat -t 1 -v raw *:I").stdout.endswith(b"main\ntwo\n")
    assert shell.run("logcat -d *:E -v time").stdout.endswith(b"10-15 17:04:16.000 E/A       ( 5583): one\n")
    assert shell.run("logcat -b all -c; logcat -d").stdout == b""
    assert shell.run("logcat --nope").exit_code == 1


def test_faults_strike_as_often_as_asked() -> None:
    phone = FakePhone()
    shell = Shell(phone)
    text = b"ERROR: null root node returned by UiTestAutomationBridge.\n"
    shell.faults.add(ShellFault("uiautomator dump", times=2, after=1, stderr=text, exit_code=1))
    line = "rm -f /sdcard/x.xml; uiautomator dump /sdcard/x.xml && echo success"
    results = [shell.run(line) for _ in range(4)]
    assert [result.exit_code for result in results] == [0, 1, 1, 0]
    assert [result.stderr for result in results] == [b"", text, text, b""]
    assert b"success" not in results[1].stdout


def test_faults_answer_write_hang_and_drop() -> None:
    shell = Shell(FakePhone())
    shell.faults.add(ShellFault("input ", stderr=b"cmd: Can't find service: input\n", exit_code=20))
    shell.faults.add(
        ShellFault(
            "uiautomator dump",
            stdout=b"UI hierchary dumped to: /storage/emulated/legacy/window_dump.xml\n",
            exit_code=0,
            writes={"/storage/emulated/legacy/window_dump.xml": b"<hierarchy/>"},
        )
    )
    shell.faults.add(ShellFault("screencap", effect="hang", stdout=b"half"))
    shell.faults.add(ShellFault("getprop sys.boot", effect="drop"))
    assert shell.run("input tap 1 1 || echo $?").merged == b"cmd: Can't find service: input\n20\n"
    shell.run("uiautomator dump")
    assert shell.run("cat /storage/emulated/legacy/window_dump.xml").stdout == b"<hierarchy/>"
    result = shell.run("screencap -p; echo never")
    assert (result.fate, result.stdout) == ("hang", b"half")
    assert shell.run("getprop sys.boot_completed").fate == "drop"
    shell.faults.clear()
    assert shell.run("getprop sys.boot_completed").fate == "done"


def test_history_shows_what_ran() -> None:
    shell = Shell(FakePhone())
    shell.run("input text 'a; input keyevent 3'; for i in 1 2; do true $i; done")
    assert list(shell.history) == ["input text 'a; input keyevent 3'", "true 1", "true 2"]


def test_a_time_limit_ends_what_prints_on() -> None:
    phone = FakePhone()
    before = phone.state.clock.now_ms
    result = Shell(phone).run("timeout 5 logcat; echo $?")
    assert (result.fate, result.stdout) == ("done", b"143\n")
    assert phone.state.clock.now_ms - before == 5000


def test_jobs_in_the_background_end_before_the_next_command() -> None:
    phone = FakePhone()
    phone.log("I", "T", "kept")
    result = Shell(phone).run("logcat -v raw > /sdcard/log.txt & echo on; cat /sdcard/log.txt")
    assert (result.fate, result.stdout) == ("done", b"on\n--------- beginning of main\nkept\n")


WORDS = """
a -1 0 7 x= = if= of=/sdcard/o bs=0 count=x -n -c -d -f -k -w -s -m -A -t -e -p -P -i -l -r -R -v -S -o -u -x -z -E
--help --user -- - . .. / /sdcard /sdcard/f /nope /dev/null /dev/stdout /dev/zero /system/bin com.example.app
com.example.app/.Main nope/.x content://notes/1 content://nope --uri --bind a:i:1 a:s: a:q:z --where --sort system
global key value put get list delete set reset enable disable dump start broadcast size density window input battery
level 50 -set ac volume --stream --set --get night yes call alarm s16 UTC tap swipe text keyevent HOME 3 99999 1.5
abc +%Y+%Q @5 @99999999999999 s/a/b/ s/( [ ( ) ! { } * ? -name -type -exec ; + -size +1k -perm 9 -maxdepth -mtime
-delete 644 u+q a:b %s %d %q %5 \\ \\x {} -I -I{} é ² 'q' "w --es --ei -a 99999999999999999999 nan 1e999
"""


@settings(max_examples=500)
@given(
    st.sampled_from(sorted({*COMMANDS, *BUILTINS})),
    st.lists(st.sampled_from(WORDS.split()), max_size=6),
    st.sampled_from([b"", b"a b\nc\n"]),
)
def test_no_arguments_break_a_command(name: str, args: list[str], stdin: bytes) -> None:
    phone = FakePhone()
    phone.packages.add("com.example.app")
    shell = Shell(phone, root=True)
    shell.run("echo content > /sdcard/f; mkdir /sdcard/d")
    line = shlex.join([name, *args])
    result = shell.run(line, stdin)
    assert 0 <= result.exit_code <= 255, line
    for path in phone.state.files.dump():
        assert not path.startswith(("/system/", "/vendor/")), line
