"""A page that is kept and copied gives the same bytes as one that is painted anew."""

from __future__ import annotations

import numpy as np
import pytest

from mobile_gym.phone.phone import Phone
from mobile_gym.phone.system.hardware import shared_pages
from tests.support.monkey import Monkey


@pytest.mark.parametrize("language", ["zh", "en"])
def test_kept_and_new_pages_are_the_same(language: str) -> None:
    phone = Phone(language=language, snapshot="lived_in")
    monkey = Monkey(phone, 5)
    for _ in range(120):
        monkey.act()
        first = phone.frame((180, 400))
        again = phone.frame((180, 400))
        shared_pages().clear()
        assert np.array_equal(first, again)
        assert np.array_equal(first, phone.frame((180, 400)))
        again[:] = 0
        assert np.array_equal(first, phone.frame((180, 400))), "a frame that was handed out is the caller's own"


def test_pictures_of_files_are_not_kept_beyond_their_files() -> None:
    phone = Phone()
    phone.take_screenshot()
    (path,) = [path for path, entry in phone.state.files.walk("/sdcard/Pictures/Screenshots") if not entry.is_dir]
    phone.put_setting("system", "wallpaper", f"file{path}")
    phone.advance(10_000)
    first = phone.frame((180, 400))
    phone.state.files.remove(path)
    phone.invalidate()
    assert not np.array_equal(first, phone.frame((180, 400)))
