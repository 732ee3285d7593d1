"""Pictures of goods: what is drawn, how they differ, and that the stores' catalogues name things that there are."""

from __future__ import annotations

import json
from importlib.resources import files
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from mobile_gym.phone.ui.fonts import icon_names
from mobile_gym.phone.ui.pictures import drawn_products, picture
from mobile_gym.phone.ui.tiles import TileCache

SLIPPERS = [name for name in drawn_products() if name.startswith("slippers")]
ASKED_FOR = {
    "blood-pressure-monitor", "dried-mushrooms", "exercise-mat", "flour", "frying-pan", "jacket", "lamp",
    "medicine-box", "oil-bottle", "socks", "stock-pot", "thermos", "towels", "tumbler",
}  # fmt: skip


def goods(app: str) -> list[dict[str, Any]]:
    text = files(f"mobile_gym.phone.apps.{app}").joinpath("catalogue.json").read_text(encoding="utf-8")
    found: Any = json.loads(text)
    products: list[dict[str, Any]] = found["products"] if isinstance(found, dict) else found
    return products


def sources(product: dict[str, Any]) -> set[str]:
    own = {product["picture"]} if "picture" in product else set()
    return own | {variant[-1] for variant in product["variants"]}


@pytest.mark.parametrize("app", ["shop", "oakridge"])
def test_every_product_shows_a_thing_that_there_is(app: str) -> None:
    known = set(drawn_products()) | set(icon_names())
    for product in goods(app):
        for source in sources(product):
            kind, thing, color = source.split("/")
            assert kind == "product"
            assert thing in known, f"product {product['id']}: {thing} would be drawn as a parcel"
            assert color.startswith("#")


def test_what_icons_show_badly_is_drawn() -> None:
    assert set(drawn_products()) >= ASKED_FOR
    used = {source.split("/")[1] for app in ("shop", "oakridge") for one in goods(app) for source in sources(one)}
    assert used >= ASKED_FOR
    assert not used & {"yoga", "layers-triple", "heart-pulse", "jellyfish", "spider", "cactus", "tie", "shoe-print"}


def test_a_things_drawing_depends_on_its_colour_and_on_no_process() -> None:
    for name in drawn_products():
        first = picture(f"product/{name}/#4A6BA8", 60, 60, tiles=TileCache())
        assert np.array_equal(first, picture(f"product/{name}/#4A6BA8", 60, 60, tiles=TileCache()))
        assert not np.array_equal(first, picture(f"product/{name}/#C2483F", 60, 60, tiles=TileCache()))


def test_slippers_of_one_colour_differ_by_their_patterns() -> None:
    assert len(SLIPPERS) >= 4
    for one, other in combinations(SLIPPERS, 2):
        first, second = (picture(f"product/{name}/#4A6BA8", 96, 96).astype(int) for name in (one, other))
        assert (np.abs(first - second).max(axis=2) > 40).mean() > 0.008, f"{one} and {other} look alike"


def test_listings_of_slippers_differ() -> None:
    shown = [product["picture"].split("/")[1] for product in goods("shop") if product["sub"] == "slipper"]
    assert len(shown) == len(set(shown)) == 6
