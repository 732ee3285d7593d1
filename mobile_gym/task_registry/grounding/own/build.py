"""Builds our own set: items from recorded pages, kept as recipes; pictures are painted when they are looked at."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from hashlib import sha256
from importlib import import_module
from importlib.resources import files
from pathlib import Path

import numpy as np
import PIL
from numpy.typing import NDArray
from PIL import features

from mobile_gym.phone.apps import installed_apps
from mobile_gym.reward.grounding import Box
from mobile_gym.task_registry.grounding.items import GroundingItem, GroundingSetError, Platform, Version
from mobile_gym.task_registry.grounding.own.android import new_version
from mobile_gym.task_registry.grounding.own.apps import kind_of, place_of
from mobile_gym.task_registry.grounding.own.capture import Capture
from mobile_gym.task_registry.grounding.own.changes import compare
from mobile_gym.task_registry.grounding.own.crawl import recorded
from mobile_gym.task_registry.grounding.own.instructions import instructions_for, is_worth_asking
from mobile_gym.task_registry.grounding.own.ios import ios_like
from mobile_gym.task_registry.grounding.own.naming import holds
from mobile_gym.task_registry.grounding.own.old import old_version
from mobile_gym.task_registry.grounding.own.pages import Page, PageLost, Studio, studio
from mobile_gym.task_registry.grounding.own.plan import Planner
from mobile_gym.task_registry.grounding.own.render import Plan, Rendered, draw, lay_out
from mobile_gym.task_registry.grounding.own.web import web_like

SOURCE = "synthetic"
"""What items of this set are called everywhere, so that nobody takes them for TransBench's."""
LANGUAGES = ("zh", "en")
PLATFORMS: tuple[Platform, ...] = ("android", "ios", "web")
CACHE_VARIABLE = "MOBILE_GYM_CACHE"
_FRAMES = 6
"""Pictures that are kept: items of one page come one after the other."""
_MOST_LOST = 0.1
"""Where more than this share of an app's recorded pages are lost, the app has changed, and is crawled anew."""
Progress = Callable[[str, int, int], None]
"""Called with an app's package, how many apps are done and how many there are."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """One item without its picture: all that is kept of it.

    Attributes:
        package: the app.
        page: the page, as recorded.
        platform: android, ios or web.
        version: old or new for Android, else empty.
        number: of the item on its page.
        text: the instruction.
        box: the element, in shares of the screen.
        role: how the element is spoken of.
        label: the element's title or description.
        change: its class of change between the versions.
        app: the app's name.
        title: the page's title.
    """

    package: str
    page: str
    platform: Platform
    version: Version
    number: int
    text: str
    box: tuple[float, float, float, float]
    role: str
    label: str
    change: str
    app: str
    title: str


def own_items(
    language: str, platforms: Sequence[Platform] = PLATFORMS, progress: Progress | None = None
) -> list[GroundingItem]:
    """Items of our own set: Android old, Android new, iOS-like, web-like, in this order.

    They are built when first asked for and then read from the cache folder (`MOBILE_GYM_CACHE`, else the user's).

    Args:
        language: of the pictures and instructions: zh or en.
        platforms: which ones.
        progress: told how far the building is.

    Raises:
        GroundingSetError: no such language.
    """
    _check_language(language)
    found: list[GroundingItem] = []
    for platform in platforms:
        pages, recipes = _cached(language, platform, progress)
        found += items_of(language, pages, recipes)
    return found


def own_recipes(language: str) -> list[Recipe]:
    """The recipes of all items of our own set, as `own_items` gives the items.

    Raises:
        GroundingSetError: no such language.
    """
    _check_language(language)
    return [recipe for platform in PLATFORMS for recipe in _cached(language, platform, None)[1]]


def verbatim(recipes: Iterable[Recipe]) -> dict[str, tuple[int, int]]:
    """How many items there are by split, and how many of them have their label verbatim in the instruction."""
    counts: dict[str, tuple[int, int]] = {}
    for recipe in recipes:
        every, labelled = counts.get(_split(recipe), (0, 0))
        counts[_split(recipe)] = every + 1, labelled + holds(recipe.text, recipe.label)
    return counts


def _check_language(language: str) -> None:
    if language not in LANGUAGES:
        raise GroundingSetError(f"our own set is in {' and '.join(LANGUAGES)}, not in {language!r}")


def _split(recipe: Recipe) -> str:
    return f"{recipe.platform}-{recipe.version}" if recipe.version else recipe.platform


def items_of(language: str, pages: Mapping[str, Sequence[Page]], recipes: Iterable[Recipe]) -> list[GroundingItem]:
    """The items of recipes; `pages` are those of each app."""
    ways = {package: tuple(entries) for package, entries in pages.items()}
    return [_item(language, recipe, ways[recipe.package]) for recipe in recipes]


def build(
    language: str,
    platform: Platform,
    packages: Iterable[str] | None = None,
    most: int = 0,
    progress: Progress | None = None,
) -> tuple[dict[str, list[Page]], list[Recipe]]:
    """Makes the recipes of a platform anew.

    Args:
        language: zh or en.
        platform: android (both versions), ios or web.
        packages: the apps; all that the phone has by default.
        most: pages of each app at most; 0 for all.
        progress: told how far it is.

    Returns:
        The pages by app, and the recipes; those of Android's older version come first.
    """
    known = recorded()
    found: list[Recipe] = []
    pages: dict[str, list[Page]] = {}
    with studio(language) as place:
        names = [app.package for app in place.apps()]
        wanted = sorted(packages) if packages is not None else names
        wanted = [name for name in wanted if platform in list(_platforms(name))]
        for number, package in enumerate(wanted):
            if progress is not None:
                progress(package, number, len(wanted))
            pages[package], recipes = _app_recipes(place, package, known.get(package), platform, most)
            found += recipes
    if progress is not None:
        progress("", len(wanted), len(wanted))
    return pages, sorted(found, key=lambda recipe: recipe.version != "old")


def _platforms(package: str) -> list[str]:
    platforms: list[str] = kind_of(package)["platforms"]
    return platforms


def _app_recipes(
    place: Studio, package: str, pages: list[Page] | None, platform: Platform, most: int
) -> tuple[list[Page], list[Recipe]]:
    """Recipes of one app; where its record no longer leads to its pages, the app is crawled anew."""
    if pages is not None:
        try:
            return pages, list(_recipes(place, package, pages, platform, most))
        except PageLost:
            pass  # the app has changed since it was recorded: its pages are looked for again, below
    planner = Planner(place)
    pages = planner.settled({package: planner.pages(package)})[package]
    return pages, list(_recipes(place, package, pages, platform, most))


def _recipes(place: Studio, package: str, pages: list[Page], platform: Platform, most: int) -> Iterator[Recipe]:
    by_id = {page.id: page for page in pages}
    shown = [page for page in pages if not page.way]
    lost = 0
    for page in shown[:most] if most else shown:
        try:
            place.go(package, page, by_id)
        except PageLost:
            # In another language a page may have other contents, and a tap that led on may not be there.
            lost += 1
            if lost > _MOST_LOST * len(shown):
                raise
            continue
        screen = place.look()
        if platform == "android":
            old, new = lay_out(old_version(screen, page.variant, page.id)), lay_out(new_version(screen))
            changes = compare(old.elements, new.elements, screen.size)
            yield from _of_page(screen, page, platform, "old", old, changes.old)
            yield from _of_page(screen, page, platform, "new", new, changes.new)
        else:
            yield from _of_page(screen, page, platform, "", lay_out(plan_of(screen, page, platform, "")), {})


def plan_of(screen: Capture, page: Page, platform: Platform, version: Version) -> Plan:
    """A page's rendering for a platform and version, not laid out yet."""
    if platform == "ios":
        return ios_like(screen)
    if platform == "web":
        return web_like(screen)
    return old_version(screen, page.variant, page.id) if version == "old" else new_version(screen)


def _of_page(
    screen: Capture, page: Page, platform: Platform, version: Version, shown: Rendered, classes: Mapping[str, str]
) -> Iterator[Recipe]:
    width, height = shown.plan.size
    said_here = instructions_for(shown.elements, place_of(screen))
    if not is_worth_asking(said_here):
        return
    for number, said in enumerate(said_here):
        left, top, right, bottom = said.element.box
        yield Recipe(
            package=screen.package,
            page=page.id,
            platform=platform,
            version=version,
            number=number,
            text=said.text,
            box=(left / width, top / height, right / width, bottom / height),
            role=said.role,
            label=said.element.label,
            change=classes.get(said.element.origin, ""),
            app=screen.label,
            title=screen.title,
        )


# ---- items and pictures


def _item(language: str, recipe: Recipe, pages: tuple[Page, ...]) -> GroundingItem:
    split = _split(recipe)
    return GroundingItem(
        id=f"own-{language}-{split}-{recipe.package}-{recipe.page}-{recipe.number}",
        instruction={language: recipe.text},
        box=Box(*recipe.box),
        platform=recipe.platform,
        version=recipe.version,
        app=recipe.app,
        category=str(kind_of(recipe.package)["category"]),
        page=recipe.title,
        change=recipe.change,
        source=SOURCE,
        picture=f"{split} {recipe.package} {recipe.page}",
        load=partial(picture, language, recipe.package, pages, recipe.page, recipe.platform, recipe.version),
    )


@lru_cache(maxsize=_FRAMES)
def picture(
    language: str, package: str, pages: tuple[Page, ...], page: str, platform: Platform, version: Version
) -> NDArray[np.uint8]:
    """Paints a page: uint8[H, W, 3], not writable."""
    by_id = {entry.id: entry for entry in pages}
    with studio(language) as place:
        place.go(package, by_id[page], by_id)
        frame = draw(lay_out(plan_of(place.look(), by_id[page], platform, version)))
    frame.setflags(write=False)
    return frame


# ---- the cache


def cache_folder() -> Path:
    """Where recipes are kept."""
    chosen = os.environ.get(CACHE_VARIABLE)
    base = Path(chosen) if chosen else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mobile-gym"
    return base / "grounding"


@lru_cache(maxsize=1)
def code_digest() -> str:
    """A hash of all that pictures and boxes depend on: the phone, its apps, this package, the libraries that paint."""
    hasher = sha256(f"{PIL.__version__} {features.version('freetype2')}".encode())
    modules = {"mobile_gym.phone", __package__, *(type(app).__module__ for app in installed_apps().values())}
    for name in sorted(modules):
        file = getattr(import_module(name), "__file__", None)
        folder = Path(str(files(name))) if file is None or Path(file).name == "__init__.py" else Path(file).parent
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                hasher.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return hasher.hexdigest()[:20]


def _cached(
    language: str, platform: Platform, progress: Progress | None
) -> tuple[dict[str, tuple[Page, ...]], list[Recipe]]:
    file = cache_folder() / f"{platform}-{language}-{code_digest()}.json"
    if file.is_file():
        data = json.loads(file.read_text(encoding="utf-8"))
        pages = {name: tuple(Page.read(entry) for entry in entries) for name, entries in data["pages"].items()}
        return pages, [Recipe(**{**entry, "box": tuple(entry["box"])}) for entry in data["recipes"]]
    found, recipes = build(language, platform, progress=progress)
    data = {
        "pages": {name: [page.data() for page in entries] for name, entries in found.items()},
        "recipes": [asdict(recipe) for recipe in recipes],
    }
    file.parent.mkdir(parents=True, exist_ok=True)
    for stale in file.parent.glob(f"{platform}-{language}-*.json"):
        stale.unlink(missing_ok=True)
    part = file.with_name(f"{file.name}.{os.getpid()}.part")
    part.write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    os.replace(part, file)
    return {name: tuple(entries) for name, entries in found.items()}, recipes
