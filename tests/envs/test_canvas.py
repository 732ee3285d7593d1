"""Screens of any size and turn on a canvas of fixed size."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mobile_gym.envs.canvas import Rect, capture, fit
from tests.support.stub_phone import StubPhone

sides = st.integers(1, 3000)


@given(st.tuples(sides, sides), st.tuples(sides, sides))
def test_the_screen_lies_on_the_canvas_and_touches_two_sides(size: tuple[int, int], canvas: tuple[int, int]) -> None:
    rect = fit(size, canvas)
    assert rect.left >= 0
    assert rect.top >= 0
    assert rect.width >= 1
    assert rect.height >= 1
    assert rect.left + rect.width <= canvas[0]
    assert rect.top + rect.height <= canvas[1]
    assert rect.width == canvas[0] or rect.height == canvas[1]


@given(st.tuples(st.integers(100, 3000), st.integers(100, 3000)), st.integers(2, 4))
def test_a_scaled_canvas_is_filled(size: tuple[int, int], scale: int) -> None:
    assert fit((size[0] * scale, size[1] * scale), size) == Rect(0, 0, *size)


def test_the_papers_phone() -> None:
    assert fit((1080, 2400), (360, 800)) == Rect(0, 0, 360, 800)
    assert fit((2400, 1080), (1080, 2400)) == Rect(0, 957, 1080, 486)


def test_a_native_canvas_is_the_screenshot_itself() -> None:
    phone = StubPhone()
    view = capture(phone, (90, 200), native=True)
    assert np.array_equal(view.frame, phone.screenshot())
    assert view.screen == Rect(0, 0, 90, 200)
    assert phone.screenshots == 2


def test_a_turned_screen_is_letterboxed() -> None:
    phone = StubPhone()
    phone.turned = True
    colour = phone.screenshot()[0, 0]
    for canvas, native in (((90, 200), True), ((45, 100), False)):
        view = capture(phone, canvas, native)
        assert view.frame.shape == (canvas[1], canvas[0], 3)
        assert view.frame.flags.writeable
        assert view.size == (200, 90)
        left, top, width, height = view.screen
        assert (left, width) == (0, canvas[0])
        assert (view.frame[top : top + height] == colour).all()
        assert not view.frame[:top].any()
        assert not view.frame[top + height :].any()
