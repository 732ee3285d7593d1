"""Pictures drawn by rule: wallpapers, photos, products, maps and codes, each named by a source such as `photo/garden`.

A source is `<kind>/<what>`. Equal sources give equal pictures in every process, at any size:

- `wallpaper/<name>`: `wallpaper_names()` lists them;
- `gradient/#rrggbb/#rrggbb`: two colours, lit from the top left; `fall/#rrggbb/#rrggbb`: from top to bottom;
- `photo/<words>`: a scene chosen by its words (`flower`, `sea`, `food`, ...), else by the words' digest;
- `product/<thing>/#rrggbb`: a thing for sale, one of `drawn_products()` or a Material Design icon, in a soft light;
- `cover/<words>`: an abstract cover of a video, a song or a banner;
- `map/<words>`, `document/<words>`, `qr/<text>`.

Every other source (`file:...`, say) is asked of a `PictureSource`, which gives the bytes of a PNG or JPEG.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Hashable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from mobile_gym.phone.ui.pictures import papers, photos, products, things, wallpapers
from mobile_gym.phone.ui.pictures.scene import Scene
from mobile_gym.phone.ui.tiles import TileCache, shared_tiles

Pixels = NDArray[np.uint8]

_DRAWN: dict[str, Callable[[Scene, str], None]] = {
    "cover": things.cover,
    "document": papers.document,
    "fall": things.fall,
    "gradient": things.gradient,
    "map": papers.street_map,
    "photo": photos.photo,
    "product": products.product,
    "qr": papers.qr_code,
    "wallpaper": wallpapers.wallpaper,
}


class PictureSource(Protocol):
    """Gives the bytes of an image file by its source, or None when there is none of that name (any more)."""

    def __call__(self, source: str, /) -> bytes | None:
        """The bytes of a PNG or JPEG."""


def wallpaper_names() -> tuple[str, ...]:
    """Names of the wallpapers, sorted."""
    return wallpapers.names()


def drawn_products() -> tuple[str, ...]:
    """Names of the products that are drawn by hand, sorted."""
    return products.drawn_products()


def picture_key(source: str, w: int, h: int, files: PictureSource | None = None) -> Hashable:
    """What tells a picture from every other one: its rule, or the bytes of its file, and its size."""
    kind, slash, _ = source.partition("/")
    if slash and kind in _DRAWN:
        return "picture", source, w, h
    if files is None:
        known = ", ".join(sorted(_DRAWN))
        raise ValueError(f"picture source {source!r} is of no known kind ({known}) and no files were given")
    return "file", files(source), w, h


def picture(source: str, w: int, h: int, files: PictureSource | None = None, tiles: TileCache | None = None) -> Pixels:
    """The picture of a source at a size: contiguous uint8[h, w, 3], not writable, cached.

    A file's picture covers the box: it is scaled and its longer side cut. A missing or broken file is a grey
    picture with a mark, as on a real phone.

    Args:
        source: see the module.
        w: width in pixels.
        h: height in pixels.
        files: where sources lie that no rule draws.
        tiles: the cache; by default the one that the process shares.

    Raises:
        ValueError: no rule draws the source and no files were given, or what follows its kind is malformed.
    """
    cache = tiles if tiles is not None else shared_tiles()
    key = picture_key(source, w, h, files)
    found: Any = cache.get(key)
    if found is None:
        found = _file(key) if isinstance(key, tuple) and key[0] == "file" else _drawn(source, w, h)
        found.setflags(write=False)
        cache.put(key, found)
    pixels: Pixels = found
    return pixels


def _drawn(source: str, w: int, h: int) -> Pixels:
    kind, _, what = source.partition("/")
    scene = Scene(w, h)
    _DRAWN[kind](scene, what)
    return scene.finish()


def _file(key: tuple[Any, ...]) -> Pixels:
    _, data, w, h = key
    if data is not None:
        try:
            image = Image.open(io.BytesIO(data)).convert("RGB")
        except (UnidentifiedImageError, OSError):
            pass  # a file that is no image shows as the broken picture below: that is what a phone shows
        else:
            return _covering(image, w, h)
    scene = Scene(w, h)
    things.broken(scene)
    return scene.finish()


def _covering(image: Image.Image, w: int, h: int) -> Pixels:
    if image.size == (w, h):
        return np.array(image)
    ratio = max(w / image.width, h / image.height)
    # Rounding may make the part a hair larger than the image.
    part_w, part_h = min(w / ratio, image.width), min(h / ratio, image.height)
    left, top = (image.width - part_w) / 2, (image.height - part_h) / 2
    box = (left, top, left + part_w, top + part_h)
    return np.array(image.resize((w, h), Image.Resampling.BILINEAR, box=box, reducing_gap=2.0))
