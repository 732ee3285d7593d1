"""Typing: every text arrives as it is, or it is said how much of it did. Commands run in a real POSIX shell here."""

from __future__ import annotations

import base64
import subprocess
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobile_gym.devices.adb_text import ADB_KEYBOARD, broadcast_failure, broadcasts, input_calls
from mobile_gym.devices.base import Result
from mobile_gym.devices.errors import TextInputUnsupported
from tests.devices.conftest import MakeDevice
from tests.support.fake_adb_server import Answer, FakeAndroid

CUT = "--mobile-gym--"
ASCII = st.text(
    st.characters(min_codepoint=32, max_codepoint=126, exclude_characters="\x7f") | st.just("\n"), max_size=300
)
PRELUDE = """
set -f
input() { for a in "$@"; do printf '%s\\0' "$a"; done; printf '\\001\\0'; }
am() { printf 'am\\0'; for a in "$@"; do printf '%s\\0' "$a"; done; printf '\\001\\0'; }
"""


def calls(command: str) -> list[list[str]]:
    """The words of each call that a shell makes of a line; the shell finds no other command than `input` and `am`."""
    done = subprocess.run(
        ["/bin/sh", "-c", PRELUDE + command],
        capture_output=True,
        timeout=10,
        env={"PATH": "/nonexistent", "HOME": "/home/someone"},
    )
    assert done.stderr == b""
    found: list[list[str]] = [[]]
    for word in done.stdout.decode().split("\0")[:-1]:
        if word == "\x01":
            found.append([])
        else:
            found[-1].append(word)
    return found[:-1]


def android_text(word: str) -> str:
    """What Android's `input text` makes of its argument, on a device that drops what comes after 90 characters."""
    return word.replace("%s", " ")[:90]


def typed(command: str) -> str:
    """What a field holds after a line."""
    field_text = ""
    for words in calls(command):
        if words == ["keyevent", "KEYCODE_ENTER"]:
            field_text += "\n"
        else:
            assert words[0] == "text"
            assert len(words) == 2
            field_text += android_text(words[1])
    return field_text


@pytest.mark.parametrize(
    "text",
    [
        "#general",
        "~/shared/notes",
        "*#06#",
        "a; input keyevent 3",
        "$(rm /sdcard/x)",
        "`reboot`",
        "a$a",
        'it\'s "ok" & (x)',
        "a|b>c<d",
        "back\\slash\\n",
        "100%s and %%s and %",
        "%s",
        " ",
        "  two  spaces  ",
        "line1\nline2",
        "\n",
        "-n --help",
        "a" * 1000,
        "https://h/p?a=1&udj=uf%28%27a%27" * 30,
    ],
)
def test_every_ascii_text_arrives_unchanged_and_runs_nothing(text: str) -> None:
    assert typed(" && ".join(input_calls(text))) == text


@settings(max_examples=25)
@given(ASCII.filter(bool))
def test_any_ascii_text_arrives_unchanged(text: str) -> None:
    assert typed(" && ".join(input_calls(text))) == text


def test_other_characters_are_refused_by_name() -> None:
    with pytest.raises(TextInputUnsupported, match=r"'你' \(U\+4F60\).*AdbKeyboard"):
        list(input_calls("hi 你好"))


@settings(max_examples=15)
@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=900))
def test_broadcasts_carry_any_unicode_as_one_word(text: str) -> None:
    arrived = ""
    for command in broadcasts(text):
        (words,) = calls(command)
        assert words[:6] == ["am", "broadcast", "-a", "ADB_INPUT_B64", "--es", "msg"]
        assert len(words) == 7
        arrived += base64.b64decode(words[6]).decode()
    assert arrived == text


def test_a_torn_broadcast_is_a_failure_and_result_zero_is_no_proof() -> None:
    end = "Broadcast completed: result=0\n"
    torn = "Broadcasting: Intent { act=ADB_INPUT_TEXT flg=0x400000 pkg=Hello? (has extras) }\n" + end
    assert broadcast_failure(Result(torn, 0)) is not None
    whole = "Broadcasting: Intent { act=ADB_INPUT_B64 flg=0x400000 (has extras) }\n" + end
    assert broadcast_failure(Result(whole, 0)) is None
    assert broadcast_failure(Result("", 1, "Killed")) is not None
    assert broadcast_failure(Result("", 0)) is not None


@dataclass
class Keyboardphone:
    """A phone with an AdbKeyboard that is known only after some polls, and one text field."""

    known_after: int = 0
    never: bool = False
    swallow: bool = False
    keep: int | None = None
    focused: bool = True
    current: str = "com.maker/.Keyboard"
    enabled: list[str] = field(default_factory=lambda: ["com.maker/.Keyboard"])
    text: str = ""
    asked: int = 0

    def run(self, command: str) -> Answer:
        if "uiautomator dump" in command:
            shown = self.text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace("\n", "&#10;")
            node = (
                f'<node text="{shown}" class="android.widget.EditText" focused="{str(self.focused).lower()}" '
                'resource-id="p:id/field" bounds="[0,0][9,9]" />'
            )
            tree = f'<hierarchy rotation="0">{node}</hierarchy>'
            return Answer(f"UI hierchary dumped to: /x\n{CUT}\n{tree}\n{CUT}\nPhysical size: 10x20\n")
        if command.startswith("settings get secure default_input_method"):
            return Answer(self.current + "\n")
        if command.startswith("ime list -a"):
            return Answer("\n".join(["com.maker/.Keyboard", ADB_KEYBOARD]) + "\n")
        if command.startswith("ime list"):
            return Answer("\n".join(self.enabled) + "\n")
        if command.startswith(f"ime enable {ADB_KEYBOARD}"):
            self.asked += 1
            if self.never or self.asked <= self.known_after:
                return Answer(f"Unknown input method {ADB_KEYBOARD} cannot be enabled for user #0\n", code=1)
            self.current = ADB_KEYBOARD
            return Answer(f"Input method {ADB_KEYBOARD} selected for user #0\n")
        if command.startswith("ime set "):
            self.current = command.split()[2].rstrip(";")
            return Answer()
        for words in calls(command) if command.startswith(("input", "am")) else []:
            if words[0] == "am":
                arrived = base64.b64decode(words[-1]).decode()
                self.text += "" if self.swallow else arrived[: self.keep]
            elif words == ["keyevent", "KEYCODE_ENTER"]:
                self.text += "\n"
        if command.startswith("am broadcast"):
            return Answer("Broadcasting: Intent { act=ADB_INPUT_B64 (has extras) }\nBroadcast completed: result=0\n")
        return Answer()


def with_keyboard(phone: FakeAndroid, keyboard: Keyboardphone) -> None:
    phone.rules = [
        rule for rule in phone.rules if rule[0] not in {"ime list", "settings get secure default_input_method"}
    ]
    phone.run = keyboard.run


@pytest.mark.parametrize("text", ["你好，世界 😀", "a b\nc", 'it\'s "ok"; $x', "长" * 1000])
def test_the_keyboard_types_unicode_and_gives_the_own_one_back(phone: FakeAndroid, make: MakeDevice, text: str) -> None:
    keyboard = Keyboardphone()
    with_keyboard(phone, keyboard)
    device = make(verify_text=True)
    device.type_text(text)
    assert keyboard.text == text
    assert keyboard.current == ADB_KEYBOARD
    device.close()
    device.close()
    assert keyboard.current == "com.maker/.Keyboard"
    assert phone.asked(f"ime disable {ADB_KEYBOARD}")


def test_a_keyboard_that_was_just_installed_is_waited_for(phone: FakeAndroid, make: MakeDevice) -> None:
    keyboard = Keyboardphone(known_after=3)
    with_keyboard(phone, keyboard)
    make(verify_text=True).type_text("é")
    assert keyboard.text == "é"


def test_a_keyboard_that_is_never_there_is_an_error_and_nothing_is_sent_blindly(
    phone: FakeAndroid, make: MakeDevice
) -> None:
    keyboard = Keyboardphone(never=True)
    with_keyboard(phone, keyboard)
    device = make(verify_text=True)
    for _ in range(2):
        with pytest.raises(TextInputUnsupported, match="Unknown input method"):
            device.type_text("é")
    assert not phone.asked("am broadcast")
    device.close()
    assert keyboard.current == "com.maker/.Keyboard"


def test_a_keyboard_that_was_changed_back_is_taken_again(phone: FakeAndroid, make: MakeDevice) -> None:
    keyboard = Keyboardphone()
    with_keyboard(phone, keyboard)
    device = make(verify_text=True)
    device.type_text("é")
    keyboard.current = "com.maker/.Keyboard"
    device.type_text("à")
    assert keyboard.text == "éà"


def test_text_that_did_not_arrive_is_told(phone: FakeAndroid, make: MakeDevice) -> None:
    with_keyboard(phone, Keyboardphone(swallow=True))
    with pytest.raises(TextInputUnsupported, match="0 of 5 characters"):
        make(verify_text=True).type_text("héllo")


def test_how_much_of_a_long_text_arrived_is_told(phone: FakeAndroid, make: MakeDevice) -> None:
    with_keyboard(phone, Keyboardphone(keep=90))
    with pytest.raises(TextInputUnsupported, match="90 of 300 characters"):
        make(verify_text=True).type_text("é" * 300)


def test_without_a_focused_field_nothing_is_sent(phone: FakeAndroid, make: MakeDevice) -> None:
    with_keyboard(phone, Keyboardphone(focused=False))
    with pytest.raises(TextInputUnsupported, match="no text field has the focus"):
        make(verify_text=True).type_text("hi")
    assert not phone.asked("am broadcast")
    assert not phone.asked("input text")


def test_empty_text_sends_nothing(phone: FakeAndroid, make: MakeDevice) -> None:
    device = make(verify_text=True)
    before = len(phone.commands)
    device.type_text("")
    assert len(phone.commands) == before


def test_a_failing_input_is_no_success(phone: FakeAndroid, make: MakeDevice) -> None:
    phone.on("input text", Answer(stderr="java.lang.NullPointerException: Attempt to get length of null array", code=0))
    with pytest.raises(TextInputUnsupported, match="NullPointerException"):
        make().type_text("hi")


def test_a_control_character_is_no_text(make: MakeDevice) -> None:
    with pytest.raises(TextInputUnsupported, match=r"U\+0007"):
        make().type_text("a\x07")
