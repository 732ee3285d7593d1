"""What lies where on the home screen: rows of `favorites`, brought in line with the apps that are installed."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone
    from mobile_gym.phone.profiles import Profile
    from mobile_gym.phone.state import Database

PACKAGE = "com.android.launcher3"
DATABASE = f"{PACKAGE}/launcher.db"
DESKTOP, DOCK = -100, -101
APP, FOLDER = 0, 2
COLUMNS = 4
DOCK_CELLS = 4


@dataclass(frozen=True, slots=True)
class Place:
    """A cell: container, page and number of the cell."""

    container: int
    screen: int
    cell: int


@dataclass(frozen=True, slots=True)
class Item:
    """An icon. An app has a package; a folder has a title and apps. `key` is 0 for an app that has no row yet."""

    key: int
    place: Place
    package: str = ""
    title: str = ""
    apps: tuple[Item, ...] = ()

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder."""
        return not self.package


def page_rows(profile: Profile, screen: int) -> int:
    """Rows of icons on a page; the first one has the clock, and so one row less."""
    high = profile.height / profile.density
    first = min(max(int((high - 362) / 92), 2), 5)
    return first if screen == 0 else first + 1


def capacity(profile: Profile, screen: int) -> int:
    """How many icons fit a page."""
    return COLUMNS * page_rows(profile, screen)


def load(phone: Phone) -> list[Item]:
    """Everything on desktop and dock as it shows now; changes nothing.

    Icons of apps that are gone are left out, and apps that the launcher has not met yet get free cells.
    """
    database = phone.state.database(DATABASE)
    launchable = set(phone.packages.launchable())
    rows = database.rows("SELECT * FROM favorites ORDER BY container, screen, cell, _id")
    inside: dict[int, list[Item]] = {}
    for row in rows:
        if row["container"] >= 0 and row["package"] in launchable:
            place = Place(row["container"], 0, row["cell"])
            inside.setdefault(row["container"], []).append(Item(row["_id"], place, row["package"]))
    items: list[Item] = []
    for row in rows:
        place = Place(row["container"], row["screen"], row["cell"])
        if row["container"] >= 0:
            continue
        if row["itemType"] == FOLDER:
            items.append(Item(row["_id"], place, "", row["title"] or "", tuple(inside.get(row["_id"], ()))))
        elif row["package"] in launchable:
            items.append(Item(row["_id"], place, row["package"]))
    taken = {item.place for item in items}
    for package in _new_packages(phone, database):
        place = free_cell(phone.profile, taken)
        taken.add(place)
        items.append(Item(0, place, package))
    return items


def _new_packages(phone: Phone, database: Database) -> list[str]:
    known = {row["package"] for row in database.rows("SELECT package FROM known")}
    return [package for package in phone.packages.launchable() if package not in known]


def free_cell(profile: Profile, taken: set[Place], screen: int = 0) -> Place:
    """The first free cell of the desktop from a page on."""
    while True:
        for cell in range(capacity(profile, screen)):
            place = Place(DESKTOP, screen, cell)
            if place not in taken:
                return place
        screen += 1


def sync(phone: Phone) -> None:
    """Writes down what `load` shows: rows of apps that are gone go, new apps get rows."""
    database = phone.state.database(DATABASE)
    installed = phone.packages.names()
    marks = ", ".join("?" * len(installed))
    gone = f"package IS NOT NULL AND package NOT IN ({marks})"
    if database.value(f"SELECT count(*) FROM known WHERE {gone}", *installed):
        database.execute(f"DELETE FROM favorites WHERE {gone}", *installed)
        database.execute(f"DELETE FROM known WHERE {gone}", *installed)
        _drop_small_folders(database)
    fresh = _new_packages(phone, database)
    if fresh:
        for item in load(phone):
            if item.key == 0:
                _insert(database, item.place, item.package)
        for package in fresh:
            database.insert("known", package=package)


def _insert(database: Database, place: Place, package: str | None, title: str | None = None) -> int:
    return database.insert(
        "favorites",
        container=place.container,
        screen=place.screen,
        cell=place.cell,
        itemType=FOLDER if package is None else APP,
        package=package,
        title=title,
    )


def _drop_small_folders(database: Database) -> None:
    """A folder of one app becomes that app; an empty one goes."""
    folders = database.rows(
        "SELECT f._id, f.container, f.screen, f.cell,"
        " (SELECT count(*) FROM favorites a WHERE a.container = f._id) AS apps"
        f" FROM favorites f WHERE f.itemType = {FOLDER}"
    )
    for folder in folders:
        if folder["apps"] > 1:
            continue
        last = database.value("SELECT _id FROM favorites WHERE container = ?", folder["_id"])
        database.delete("favorites", folder["_id"])
        if last is not None:
            place = {name: folder[name] for name in ("container", "screen", "cell")}
            database.update("favorites", int(last), **place)


# ---- what the user does


def move(phone: Phone, key: int, target: Place) -> None:
    """Moves an icon to a cell: onto an app makes a folder of both, onto a folder puts it in.

    A folder that is moved onto something changes places with it.
    """
    sync(phone)
    database = phone.state.database(DATABASE)
    moved = database.row("SELECT * FROM favorites WHERE _id = ?", key)
    if moved is None:
        return
    there = database.row(
        "SELECT * FROM favorites WHERE container = ? AND screen = ? AND cell = ?",
        target.container,
        target.screen,
        target.cell,
    )
    if there is not None and there["_id"] == key:
        return
    if there is None:
        _put(database, key, target)
    elif moved["itemType"] == FOLDER:
        _put(database, there["_id"], Place(moved["container"], moved["screen"], moved["cell"]))
        _put(database, key, target)
    elif there["itemType"] == FOLDER:
        put_into(phone, key, there["_id"])
        return
    else:
        folder = _insert(database, target, None, "")
        _put(database, there["_id"], Place(folder, 0, 0))
        _put(database, key, Place(folder, 0, 1))
    _drop_small_folders(database)
    phone.invalidate()


def _put(database: Database, key: int, place: Place) -> None:
    database.update("favorites", key, container=place.container, screen=place.screen, cell=place.cell)


def put_into(phone: Phone, key: int, folder: int) -> None:
    """Puts an app into a folder, as its last one."""
    database = phone.state.database(DATABASE)
    last = database.value("SELECT coalesce(max(cell), -1) FROM favorites WHERE container = ?", folder)
    _put(database, key, Place(folder, 0, int(last) + 1))
    _drop_small_folders(database)
    phone.invalidate()


def make_folder(phone: Phone, key: int, other: int) -> None:
    """Makes a folder of two apps in the place of the first."""
    database = phone.state.database(DATABASE)
    row = database.row("SELECT container, screen, cell FROM favorites WHERE _id = ?", key)
    if row is not None:
        move(phone, other, Place(row["container"], row["screen"], row["cell"]))


def take_out(phone: Phone, key: int) -> None:
    """Puts an app that lies in a folder onto a free cell of the desktop."""
    database = phone.state.database(DATABASE)
    _put(database, key, free_cell(phone.profile, {item.place for item in load(phone)}))
    _drop_small_folders(database)
    phone.invalidate()


def dissolve(phone: Phone, folder: int) -> None:
    """Takes a folder away; its apps go back to the desktop, the first one to the folder's place."""
    database = phone.state.database(DATABASE)
    row = database.row("SELECT container, screen, cell FROM favorites WHERE _id = ?", folder)
    if row is None:
        return
    database.delete("favorites", folder)
    taken = {item.place for item in load(phone)}
    places = [Place(row["container"], row["screen"], row["cell"])]
    for app in database.rows("SELECT _id FROM favorites WHERE container = ? ORDER BY cell", folder):
        place = places.pop() if places else free_cell(phone.profile, taken)
        taken.add(place)
        _put(database, app["_id"], place)
    phone.invalidate()


def rename(phone: Phone, folder: int, title: str) -> None:
    """Names a folder."""
    phone.state.database(DATABASE).update("favorites", folder, title=title)
    phone.invalidate()


def remove(phone: Phone, key: int) -> None:
    """Takes an icon off the home screen; the app stays in the drawer."""
    sync(phone)
    database = phone.state.database(DATABASE)
    database.delete("favorites", key)
    _drop_small_folders(database)
    phone.invalidate()


def add(phone: Phone, package: str) -> None:
    """Puts an app's icon on a free cell of the desktop, even where it has one already."""
    sync(phone)
    place = free_cell(phone.profile, {item.place for item in load(phone)})
    _insert(phone.state.database(DATABASE), place, package)
    phone.invalidate()


def first_layout(phone: Phone) -> None:
    """The icons of a new phone, in the order of `layout.yaml`."""
    text = files("mobile_gym.phone.apps.launcher").joinpath("layout.yaml").read_text(encoding="utf-8")
    wanted: dict[str, Any] = yaml.safe_load(text)
    left = phone.packages.launchable()
    database = phone.state.database(DATABASE)
    for package in left:
        database.insert("known", package=package)

    def take(part: str) -> str | None:
        found = next((package for package in left if part in package), None)
        if found is not None:
            left.remove(found)
        return found

    docked = [found for part in wanted["dock"] if (found := take(part)) is not None]
    for cell, package in enumerate(docked):
        _insert(database, Place(DOCK, 0, cell), package)
    desktop = [found for part in wanted["desktop"] if (found := take(part)) is not None]
    taken: set[Place] = set()
    for package in [*desktop, *left]:
        place = free_cell(phone.profile, taken)
        taken.add(place)
        _insert(database, place, package)
