"""The keyboard, by its keys: letters, shift, symbols, Pinyin with candidates, action keys, number pads."""

from __future__ import annotations

import pytest

from mobile_gym.phone.door import Intent
from mobile_gym.phone.phone import Phone
from mobile_gym.phone.system.keyboard.pinyin import candidates, rest_after, split
from mobile_gym.phone.ui.node import Node


class Keys:
    """Taps keys of the keyboard by their resource-id."""

    def __init__(self, phone: Phone) -> None:
        self.phone = phone

    def nodes(self) -> list[Node]:
        return [n for w in self.phone.windows.windows if w.name == "keyboard" for n in w.root.walk() if n.visible]

    def tap(self, name: str) -> None:
        (node,) = [node for node in self.nodes() if node.id == name]
        left, top, right, bottom = node.visible or (0, 0, 0, 0)
        self.phone.input.tap((left + right) // 2, (top + bottom) // 2)

    def type(self, text: str) -> None:
        for char in text:
            self.tap(f"key_{char}")

    def field(self) -> str:
        return next(node.text for node in self.phone.windows.focused().root.walk() if node.kind == "field")


@pytest.fixture
def keys() -> Keys:
    phone = Phone()
    phone.activities.start(Intent(package="com.android.settings"))
    phone.activities.open_screen("com.android.settings", "search", {})
    field = next(node for node in phone.windows.focused().root.walk() if node.kind == "field")
    phone.input.tap(field.x + 30, field.y + 20)
    return Keys(phone)


def test_pinyin_becomes_words(keys: Keys) -> None:
    keys.type("zuochequ")
    assert keys.field() == "zuo che qu", "what is being composed shows in the field"
    keys.tap("space")
    assert keys.field() == "坐车去"
    keys.type("nihao")
    keys.tap("candidate_0")
    assert keys.field() == "坐车去你好"


def test_a_candidate_for_the_first_syllable_leaves_the_rest(keys: Keys) -> None:
    keys.type("zuoche")
    words = [node.text for node in keys.nodes() if node.id.startswith("candidate_")]
    keys.tap(f"candidate_{words.index('做')}")
    assert keys.field() == "做che"
    keys.tap("delete_key")
    assert keys.field() == "做ch"


def test_back_hides_the_keyboard_and_typing_still_works(keys: Keys) -> None:
    keys.phone.input.key("BACK")
    assert keys.nodes() == []
    assert keys.phone.input.text("音量")
    assert keys.field() == "音量"


def test_committed_text_takes_the_place_of_what_was_composed(keys: Keys) -> None:
    keys.type("ni")
    keys.phone.input.text("屏幕")
    assert keys.field() == "屏幕"


def test_english_letters_shift_and_symbols(keys: Keys) -> None:
    keys.tap("language_key")
    keys.tap("shift_key")
    keys.tap("key_w")
    keys.type("ifi")
    keys.tap("symbols_key")
    keys.tap("key_5")
    keys.tap("page_key")
    keys.tap("key_%")
    assert keys.field() == "Wifi5%"
    keys.tap("delete_key")
    assert keys.field() == "Wifi5"


def test_letters_split_into_syllables() -> None:
    assert split("zuochequ") == ("zuo", "che", "qu")
    assert split("xi'an") == ("xi", "an")
    assert split("zh") == ("zh",)
    assert rest_after("zuochequ", 2) == "qu"
    assert rest_after("xi'an", 1) == "an"


@pytest.mark.parametrize(
    ("letters", "word"), [("nihao", "你好"), ("mama", "妈妈"), ("yinliang", "音量"), ("naozhong", "闹钟")]
)
def test_common_words_come_early(letters: str, word: str) -> None:
    assert word in [found for found, _ in candidates(letters)[:3]]
