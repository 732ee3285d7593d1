"""Measuring and breaking text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobile_gym.phone.ui.display import Font
from mobile_gym.phone.ui.fonts import emoji_of, face_of, icon_char, icon_names
from mobile_gym.phone.ui.text import baseline, break_lines, fit, prefix_widths, text_width

BODY = Font(42)
WORDS = st.text(alphabet="网络设置声音，。？！（）「」abc WXYZ019-/¥…“” \n😀é①", max_size=60)
FONTS = st.builds(Font, st.integers(8, 90), st.sampled_from((300, 400, 500, 700)), st.sampled_from(("sans", "mono")))


def test_chinese_is_one_em_wide_and_emoji_a_little_more() -> None:
    assert text_width("设置，。（）", BODY) == pytest.approx(6 * 42)
    assert text_width("😀", BODY) == pytest.approx(1.2 * 42)


def test_latin_is_linear_in_the_size_and_grows_with_the_weight() -> None:
    small, large = text_width("Settings 12:30", Font(20)), text_width("Settings 12:30", Font(80))
    assert large == pytest.approx(4 * small)
    assert text_width("Settings", Font(40, 700)) > text_width("Settings", Font(40, 400))


def test_faces_of_characters() -> None:
    assert {face_of(char) for char in "Ab09¥·…“”éЖ"} == {"roboto"}
    assert {face_of(char) for char in "设，。：？！（）《》【】、①"} == {"sc"}
    assert face_of("😀") == "icons"
    assert face_of("\u200d") is None
    assert face_of("\ufe0f") is None
    assert text_width("❤\ufe0f", BODY) == text_width("❤", BODY)


def test_every_emoji_has_shapes_and_icons_that_exist() -> None:
    for point in [*range(0x1F300, 0x1FB00), *range(0x2600, 0x27C0)]:
        emoji = emoji_of(chr(point))
        if emoji is not None:
            assert emoji.shapes
            assert {shape.icon for shape in emoji.shapes if shape.kind == "icon"} <= icon_names()


def test_icons_by_name() -> None:
    assert icon_char("wifi") != icon_char("wifi-off")
    assert {"import", "battery-charging-80", "chevron-right"} <= icon_names()
    with pytest.raises(KeyError, match="wifi-of"):
        icon_char("wifi-of")


def test_mono_has_one_pitch() -> None:
    font = Font(40, 400, "mono")
    assert text_width("iiii", font) == text_width("WWWW", font) == pytest.approx(4 * 24)


def test_baseline_of_look() -> None:
    assert baseline(24, Font(16)) == pytest.approx(17.5, abs=0.05)


@given(WORDS, FONTS)
def test_prefixes_end_at_the_width(text: str, font: Font) -> None:
    pens = prefix_widths(text, font)
    assert len(pens) == len(text) + 1
    assert pens[0] == 0
    assert pens == sorted(pens)
    assert pens[-1] == pytest.approx(text_width(text, font))


@given(WORDS, FONTS, st.integers(0, 900))
def test_fit_fits_and_keeps_a_beginning(text: str, font: Font, width: int) -> None:
    line = fit(text, font, width)
    if line != text:
        assert line.endswith("…")
        assert text.startswith(line[:-1])
        assert text_width(text, font) > width
        assert line == "…" or text_width(line, font) <= width + 0.01


@given(WORDS, FONTS, st.integers(1, 900))
def test_lines_fit_and_lose_only_break_spaces(text: str, font: Font, width: int) -> None:
    lines = break_lines(text, font, width)
    for line in lines:
        assert len(line.rstrip()) <= 1 or text_width(line.rstrip(), font) <= width + 0.01
    bare = str.maketrans("", "", " \n")
    assert "".join(lines).translate(bare) == text.translate(bare)
    assert len(lines) > text.count("\n")


@given(WORDS, FONTS, st.integers(50, 900), st.integers(1, 4))
def test_cut_lines_are_a_beginning_of_all_lines(text: str, font: Font, width: int, most: int) -> None:
    lines = break_lines(text, font, width)
    cut = break_lines(text, font, width, most)
    if len(lines) <= most:
        assert cut == lines
    else:
        assert len(cut) == most
        assert cut[:-1] == lines[: most - 1]
        assert cut[-1].endswith("…")


def test_no_line_starts_with_closing_punctuation() -> None:
    lines = break_lines("网络和互联网，声音（振动）显示。", BODY, 42 * 6)
    assert "".join(lines) == "网络和互联网，声音（振动）显示。"
    assert all(line[0] not in "，。）" and line[-1] != "（" for line in lines)


def test_latin_breaks_between_words_and_long_words_anywhere() -> None:
    assert break_lines("Turn on the sound", BODY, 200) == ["Turn on", "the sound"]
    pieces = break_lines("Donaudampfschiffahrt", BODY, 120)
    assert len(pieces) > 2
    assert "".join(pieces) == "Donaudampfschiffahrt"


def test_newlines_and_the_empty_text() -> None:
    assert break_lines("", BODY, 100) == [""]
    assert break_lines("a\n\nb", BODY, 100) == ["a", "", "b"]
    assert break_lines("a\n\nb", BODY, 100, 2) == ["a", "…"]
