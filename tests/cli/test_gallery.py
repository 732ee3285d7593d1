"""The gallery: every picture can be made, is the same each time, and is small."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from mobile_gym.cli import gallery, main
from mobile_gym.phone.apps import BUILT_IN, load_app

GALLERY = Path(__file__).parent.parent.parent / "docs" / "gallery"
SMALL = gallery.Variant("small", "en", True, 1.3)


def test_every_screen_can_be_photographed_and_no_two_are_the_same() -> None:
    shots, montage = gallery.load_shots()
    frames = gallery.photograph(SMALL, shots)
    assert list(frames) == [shot.name for shot in shots]
    assert set(montage) <= set(frames)
    assert len({frame.tobytes() for frame in frames.values()}) == len(frames)


def test_pictures_are_the_same_each_time() -> None:
    shots = [shot for shot in gallery.load_shots()[0] if shot.name in ("launcher", "thread", "shade")]
    first, second = gallery.photograph(SMALL, shots), gallery.photograph(SMALL, shots)
    assert all(np.array_equal(first[name], second[name]) for name in first)


def test_the_command_makes_a_sheet_and_single_pictures(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        main(
            [
                "gallery",
                "--out",
                str(tmp_path),
                "--only",
                "launcher,alarms",
                "--variants",
                "small-zh-light-1.0",
                "--single",
            ]
        )
    assert ended.value.code == 0
    with Image.open(tmp_path / "small-zh-light-1.0" / "alarms.png") as picture:
        assert picture.size == (720, 1280)
    with Image.open(tmp_path / "small-zh-light-1.0.webp") as sheet:
        assert sheet.width == 2 * gallery.SCREEN_WIDTH + 3 * gallery.GAP
    assert not (tmp_path / "README.md").exists()  # of a whole gallery alone


@pytest.mark.parametrize(("option", "value"), [("--only", "lancher"), ("--variants", "zh-light-9.0")])
def test_unknown_names_are_told(option: str, value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["gallery", "--out", str(tmp_path), option, value])
    assert ended.value.code == 2
    assert value in capsys.readouterr().err


def test_a_step_that_finds_nothing_names_picture_and_step() -> None:
    shot = gallery.Shot("lost", "Lost", ({"open": "com.android.deskclock"}, {"tap": "no_such_id"}))
    with pytest.raises(gallery.GalleryError, match=r"lost in small-en-dark-1.3, step 2: .*no_such_id"):
        gallery.photograph(SMALL, [shot])


def test_the_index_of_the_repository_is_that_of_the_screens() -> None:
    shots, _ = gallery.load_shots()
    assert (GALLERY / "README.md").read_text("utf-8") == gallery.index(shots, gallery.VARIANTS)
    for variant in gallery.VARIANTS:
        assert (GALLERY / f"{variant.name}.webp").is_file()
    assert sum(path.stat().st_size for path in GALLERY.iterdir()) < 6_000_000


def test_every_app_of_the_home_screen_has_a_picture() -> None:
    shown = " ".join(str(shot.steps) for shot in gallery.load_shots()[0])
    apps = [load_app(name) for name in BUILT_IN]
    assert [app.package for app in apps if app.icon is not None and app.package not in shown] == []
