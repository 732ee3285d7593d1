"""The painter: properties of frames, not pixels of fonts."""

from __future__ import annotations

import io
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from mobile_gym.phone.ui.display import Fill, Font, Icon, Line, Op, Picture, Round, Shadow, Text
from mobile_gym.phone.ui.paint import Frame, grayscale, invert, magnify, paint, warm
from mobile_gym.phone.ui.pictures import drawn_products, picture, wallpaper_names
from mobile_gym.phone.ui.text import text_width
from mobile_gym.phone.ui.tiles import Opaque, TileCache, flatten, rgb

W, H = 240, 180
ALL = (0, 0, W, H)
BG = "#ECEDF4"
PAGE = Fill(0, 0, W, H, BG, ALL)


def samples(bg: str | None, clip: tuple[int, int, int, int] = ALL, dim: int = 0) -> dict[str, Op]:
    """One operation of every look, over a colour that is known or not."""
    line = ((0.0, 0.0), (40.0, 30.0), (80.0, -10.0))
    return {
        "text": Text(20, 60, 150, "设置 Wi-Fi，8:26", Font(28, 500), "#191C20", clip, bg, dim),
        "text with shadow": Text(20, 60, 150, "星期四 16°", Font(28), "#FFFFFF", clip, bg, dim, shadow=True),
        "underlined": Text(20, 60, 150, "link 链接", Font(28), "#39608F", clip, bg, dim, underline=True),
        "emoji": Text(20, 60, 150, "好😀❤", Font(28), "#191C20", clip, bg, dim),
        "icon": Icon(30, 30, 63, "wifi", "#1E4875", clip, bg, dim),
        "turned icon": Icon(30, 30, 63, "arrow-up-bold", "#1E4875", clip, bg, dim, turn=30),
        "card": Round(10, 12, 200, 150, (40, 40, 6, 6), "#F8F9FF", 0, None, clip, bg, dim),
        "disc": Round(40, 40, 70, 70, (35, 35, 35, 35), "#D3E4FF", 0, None, clip, bg, dim),
        "chip": Round(20, 30, 150, 60, (20, 20, 20, 20), "#FFFFFF", 3, "#73777F", clip, bg, dim),
        "tall outline": Round(20, 20, 90, 150, (9, 9, 9, 9), None, 4, "#BA1A1A", clip, bg, dim),
        "square outline": Round(20, 20, 90, 50, (0, 0, 0, 0), None, 4, "#BA1A1A", clip, bg, dim),
        "round picture": Picture(30, 30, 120, 90, "photo/sea", (20, 0, 20, 20), clip, bg, dim),
        "disc picture": Picture(30, 30, 90, 90, "gradient/#33C4A0/#0F8A78", (45, 45, 45, 45), clip, bg, dim),
        "picture": Picture(30, 30, 90, 90, "map/here", (0, 0, 0, 0), clip, bg, dim),
        "line": Line(60, 70, 80, 40, line, 8.0, "#BA1A1A", clip, bg, dim),
        "shadow": Shadow(60, 50, 110, 70, 28, 3, clip, bg, dim),
    }


KINDS = sorted(samples(None))


def shot(ops: Sequence[Op], scale: float = 1.0) -> Frame:
    return paint(ops, (round(W * scale), round(H * scale)), scale, tiles=TileCache())


def far(first: Frame, second: Frame) -> int:
    return int(np.abs(first.astype(int) - second.astype(int)).max())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dim", [0, 32])
def test_copied_and_blended_tiles_agree(kind: str, dim: int) -> None:
    page = PAGE._replace(dim=dim)
    known = shot([page, samples(BG, dim=dim)[kind]])
    unknown = shot([page, samples(None, dim=dim)[kind]])
    assert far(known, shot([page])) > 8
    inside = np.ones((H, W), bool)
    if kind == "shadow":  # what lies under the shape itself is never seen
        inside[50:120, 60:170] = False
    assert far(known[inside], unknown[inside]) <= 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bg", [BG, None])
def test_nothing_leaves_the_clip(kind: str, bg: str | None) -> None:
    clip = (47, 43, 101, 82)
    whole = shot([PAGE, samples(bg)[kind]])
    cut = shot([PAGE, samples(bg, clip)[kind]])
    page = shot([PAGE])
    left, top, right, bottom = clip
    assert np.array_equal(cut[top:bottom, left:right], whole[top:bottom, left:right])
    cut[top:bottom, left:right] = page[top:bottom, left:right]
    assert np.array_equal(cut, page)


@settings(max_examples=60)
@given(
    kind=st.sampled_from(KINDS),
    bg=st.sampled_from((BG, None)),
    x=st.integers(-300, 300),
    y=st.integers(-250, 250),
    scale=st.sampled_from((1.0, 1 / 3, 0.5, 0.4321)),
)
def test_any_place_and_scale_paints(kind: str, bg: str | None, x: int, y: int, scale: float) -> None:
    op = samples(bg)[kind]
    moved = op._replace(x=op.x + x, y=op.y + y)
    frame = paint([PAGE, moved], (round(W * scale), round(H * scale)), scale)
    again = paint([PAGE, moved], (round(W * scale), round(H * scale)), scale, tiles=TileCache())
    assert np.array_equal(frame, again)


@settings(max_examples=60)
@given(
    w=st.integers(1, 60), h=st.integers(1, 60), radius=st.integers(0, 40), border=st.integers(0, 5),
    filled=st.booleans(), known=st.booleans(), scale=st.sampled_from((1.0, 1 / 3, 0.7)),
)  # fmt: skip
def test_round_rectangles_of_any_shape(
    w: int, h: int, radius: int, border: int, filled: bool, known: bool, scale: float
) -> None:
    color = "#1E4875" if filled else None
    ops: list[Op] = [PAGE, Round(20, 20, w, h, (radius,) * 4, color, border, "#BA1A1A", ALL, BG if known else None)]
    frame = shot(ops, scale)
    x0, y0, x1, y1 = (round(edge * scale) for edge in (20, 20, 20 + w, 20 + h))
    assert np.array_equal(frame[y0:y1, x0:x1], frame[y0:y1, x0:x1][::-1, ::-1])
    frame[y0:y1, x0:x1] = rgb(BG)
    assert (frame == rgb(BG)).all()


@pytest.mark.parametrize("kind", KINDS)
def test_a_third_of_the_scale_is_the_frame_shrunk(kind: str) -> None:
    op = samples(BG)[kind]
    ops = [PAGE, op._replace(x=op.x // 3 * 3, y=op.y // 3 * 3)]
    small = shot(ops, 1 / 3)
    assert small.shape == (60, 80, 3)
    shrunk = np.asarray(Image.fromarray(shot(ops)).reduce(3)).astype(int)
    drawn = (shrunk != shot([PAGE], 1 / 3)).any(axis=2)
    # A quarter of the change is what glyphs and details may differ by; a wrong place or size is more.
    change = np.abs(shrunk - shot([PAGE], 1 / 3))[drawn].mean()
    assert np.abs(shrunk - small)[drawn].mean() < 0.25 * change + 1


def test_borders_that_meet_are_whole() -> None:
    for known in (BG, None):
        frame = shot([PAGE, Round(20, 20, 3, 60, (0, 0, 0, 0), None, 2, "#BA1A1A", ALL, known)])
        assert (frame[20:80, 20:23] == rgb("#BA1A1A")).all()


def test_boxes_that_meet_on_the_phone_meet_in_the_frame() -> None:
    rows: list[Op] = [Fill(0, 7 * row, W, 7, "#39608F", ALL) for row in range(26)]
    frame = shot(rows, 0.4321)
    assert (frame == rgb("#39608F")).all()


def test_text_stays_within_its_width() -> None:
    for text in ("设置网络，电池", "Wi-Fi jumps", "8:26", "fjord ¥29.9", "字iW中j"):
        for size in (12, 28, 42):
            font = Font(size, 400)
            width = text_width(text, font)
            frame = paint(
                [Fill(0, 0, 500, 90, "#FFFFFF", (0, 0, 500, 90)),
                 Text(40, 60, round(width), text, font, "#000000", (0, 0, 500, 90), "#FFFFFF")], (500, 90),
            )  # fmt: skip
            columns = np.flatnonzero((frame < 128).any(axis=(0, 2)))
            assert columns[0] >= 38
            assert columns[-1] <= 40 + width + 2
            assert columns[-1] > 40 + width - 0.35 * size


def test_text_is_drawn_where_the_prefix_says() -> None:
    font = Font(32)
    clip = (0, 0, 300, 60)
    whole = paint([Text(10, 40, 200, "宽a数1", font, "#FFFFFF", clip, "#000000")], (300, 60))
    head = paint([Text(10, 40, 200, "宽a", font, "#FFFFFF", clip, "#000000")], (300, 60))
    pen = 10 + int(text_width("宽a", font))
    assert np.array_equal(whole[:, : pen - 1], head[:, : pen - 1])
    assert whole[:, pen:].any()


def test_dim_is_black_over_the_frame() -> None:
    for kind in KINDS:
        plain = shot([PAGE, samples(BG)[kind]]).astype(int)
        dimmed = shot([PAGE._replace(dim=32), samples(BG, dim=32)[kind]]).astype(int)
        assert np.abs((plain * 68 + 50) // 100 - dimmed).max() <= 2, kind


def test_painting_twice_is_equal_and_out_is_used() -> None:
    ops = [PAGE, *samples(None).values()]
    first = shot(ops)
    out = np.full((H, W, 3), 77, np.uint8)
    assert paint(ops, (W, H), out=out) is out
    assert np.array_equal(first, out)


def test_what_nothing_covers_is_kept_in_out() -> None:
    out = np.full((H, W, 3), 77, np.uint8)
    paint([Fill(10, 10, 20, 20, "#FFFFFF", ALL)], (W, H), out=out)
    assert (out[:10] == 77).all()
    with pytest.raises(ValueError, match="contiguous"):
        paint([], (W, H), out=np.zeros((H, W + 1, 3), np.uint8))


def test_hidden_operations_are_not_drawn() -> None:
    tiles = TileCache()
    hidden = samples(BG)["text"]
    paint([hidden, PAGE], (W, H), tiles=tiles)
    assert len(tiles) == 0
    paint([hidden, PAGE._replace(clip=(0, 0, W, H - 1))], (W, H), tiles=tiles)
    assert len(tiles) > 0


def test_unknown_names_say_what_is_wrong() -> None:
    with pytest.raises(KeyError, match="no-such-icon"):
        shot([samples(BG)["icon"]._replace(name="no-such-icon")])  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="#RRGGBB"):
        shot([PAGE._replace(color="red")])
    with pytest.raises(ValueError, match="no known kind"):
        picture("nothing/here", 10, 10)
    with pytest.raises(ValueError, match="no wallpaper"):
        picture("wallpaper/none", 10, 10)


def test_the_cache_keeps_its_cap_and_the_last_used() -> None:
    tiles = TileCache(cap=20_000)
    for number in range(30):
        tiles.put(number, flatten([(np.full((20, 30), 200, np.uint8), (1, 2, 3))], (0, 0, 0)))
        assert tiles.get(0) is not None or number > 12
        assert tiles.nbytes <= 20_000
    assert tiles.get(29) is not None
    assert tiles.get(1) is None
    tiles.put("large", Opaque(0, 0, 100, 100, np.zeros((100, 300), np.uint8)))
    assert tiles.get("large") is None
    tiles.put(29, Opaque(0, 0, 1, 1, np.zeros((1, 3), np.uint8)))
    before = tiles.nbytes
    tiles.put(29, Opaque(0, 0, 1, 1, np.zeros((1, 3), np.uint8)))
    assert tiles.nbytes == before


@pytest.mark.parametrize(
    "source",
    [
        *(f"wallpaper/{name}" for name in wallpaper_names()),
        *(f"product/{name}/#B8423A" for name in drawn_products()),
        *(f"photo/{name}" for name in ("flower", "food", "street", "sea", "sunset", "forest", "room", "cat", "hill")),
        "photo/收据", "photo/x1", "product/shoe-sneaker/#D9A441", "product/unknown-thing", "cover/a",
        "map/a", "document/a", "qr/https://example.org", "gradient/#FF0000/#00FF00",
    ],
)  # fmt: skip
def test_pictures_are_whole_and_equal_each_time(source: str) -> None:
    for size in ((37, 61), (64, 20), (1, 1)):
        first = picture(source, *size, tiles=TileCache())
        assert first.shape == (size[1], size[0], 3)
        assert np.array_equal(first, picture(source, *size, tiles=TileCache()))
    assert len(np.unique(picture(source, 37, 61).reshape(-1, 3), axis=0)) > 1


def test_photos_differ_by_their_words() -> None:
    assert not np.array_equal(picture("photo/flower 1", 40, 40), picture("photo/flower 2", 40, 40))
    assert not np.array_equal(picture("qr/a", 64, 64), picture("qr/b", 64, 64))


def test_files_are_asked_for_and_told_apart_by_their_bytes() -> None:
    def png(color: str) -> bytes:
        stream = io.BytesIO()
        Image.new("RGB", (20, 10), color).save(stream, "PNG")
        return stream.getvalue()

    red, green = png("#FF0000"), png("#00FF00")
    ops = [Picture(0, 0, W, H, "file:/a.png", (10, 10, 10, 10), ALL, BG)]
    tiles = TileCache()
    first = paint(ops, (W, H), pictures=lambda source: red, tiles=tiles)
    second = paint(ops, (W, H), pictures=lambda source: green, tiles=tiles)
    assert tuple(first[90, 120]) == (255, 0, 0)
    assert tuple(second[90, 120]) == (0, 255, 0)
    gone = paint(ops, (W, H), pictures=lambda source: None, tiles=tiles)
    broken = paint(ops, (W, H), pictures=lambda source: b"no image", tiles=tiles)
    assert np.array_equal(gone, broken)
    assert not np.array_equal(gone, first)


def test_effects() -> None:
    frame = shot([PAGE, *samples(None).values()])
    assert np.array_equal(invert(frame.copy()), 255 - frame)
    gray = grayscale(frame.copy())
    assert np.array_equal(gray[..., 0], gray[..., 2])
    assert np.array_equal(warm(frame.copy(), 0), frame)
    warmed = warm(frame.copy(), 100).astype(int)
    assert np.array_equal(warmed[..., 0], frame[..., 0])
    assert (warmed[..., 2] <= frame[..., 2] * 0.4).all()
    with pytest.raises(ValueError, match="0 to 100"):
        warm(frame, 101)
    assert np.array_equal(magnify(frame, 1, 3, 3), frame)
    big = magnify(frame, 2, 0, 0)
    assert np.abs(big[10:300:2, ::2].astype(int) - frame[5 : 5 + len(big[10:300:2]), : W // 2]).mean() < 8
    with pytest.raises(ValueError, match="at least 1"):
        magnify(frame, 0.5, 0, 0)


@pytest.mark.parametrize("size", [0, 1, 2])
def test_text_and_icons_of_less_than_a_pixel_are_specks(size: int) -> None:
    clip = (0, 0, 100, 100)
    ops = [
        Fill(0, 0, 100, 100, "#FFFFFF", clip),
        Text(5, 50, 30, "a字", Font(size), "#000000", clip, "#FFFFFF"),
        Icon(3, 3, size, "cog", "#000000", clip, "#FFFFFF"),
    ]
    assert (paint(ops, (10, 10), 0.1) < 250).any(axis=2).sum() <= 12
