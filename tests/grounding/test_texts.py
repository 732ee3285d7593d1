"""Texts on the pages of our own set: each item finds the elements of its page, and its own among them."""

from __future__ import annotations

import pytest

from mobile_gym.reward.grounding import Box
from mobile_gym.task_registry.grounding.items import Platform
from mobile_gym.task_registry.grounding.own.build import PLATFORMS, build, items_of
from mobile_gym.task_registry.grounding.texts import with_elements

APP = "com.mobench.messenger"


@pytest.mark.parametrize("platform", PLATFORMS)
def test_items_find_the_elements_of_their_page(platform: Platform) -> None:
    pages, recipes = build("zh", platform, [APP], 2)
    items = [with_elements(item) for item in items_of("zh", pages, recipes)]
    assert items
    for recipe, item in zip(recipes, items, strict=True):
        assert item.elements is not None
        boxes = {element.box: element.texts for element in item.elements()}
        assert recipe.label in boxes[Box(*recipe.box)]
        assert with_elements(item) == item
