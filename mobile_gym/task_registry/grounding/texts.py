"""Texts on the pages of our own set, for those who read them instead of looking at the picture."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from mobile_gym.reward.grounding import Box
from mobile_gym.task_registry.grounding.items import GroundingItem, PageElement
from mobile_gym.task_registry.grounding.own.build import picture, plan_of
from mobile_gym.task_registry.grounding.own.pages import Page, studio
from mobile_gym.task_registry.grounding.own.render import lay_out

_PAGES = 6
"""Pages whose elements are kept: items of one page come one after the other."""


def with_elements(item: GroundingItem) -> GroundingItem:
    """An item that also finds its page's elements, where its picture is a rendering of a page."""
    load = item.load
    if not isinstance(load, partial) or load.func is not picture:
        return item
    return replace(item, elements=partial(elements_of_page, *load.args))


@lru_cache(maxsize=_PAGES)
def elements_of_page(
    language: str, package: str, pages: tuple[Page, ...], page: str, *rendering: Any
) -> tuple[PageElement, ...]:
    """The elements of a page's rendering for a platform and version, which take what `picture` takes."""
    by_id = {entry.id: entry for entry in pages}
    with studio(language) as place:
        place.go(package, by_id[page], by_id)
        shown = lay_out(plan_of(place.look(), by_id[page], *rendering))
    width, height = shown.plan.size
    return tuple(
        PageElement(
            tuple(dict.fromkeys(text for text in (element.label, *element.texts) if text)),
            Box(element.box[0] / width, element.box[1] / height, element.box[2] / width, element.box[3] / height),
        )
        for element in shown.elements
    )
