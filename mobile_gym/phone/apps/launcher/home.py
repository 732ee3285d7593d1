"""The home screen: pages of icons under a clock, the dock, the search bar; and the drawer that covers it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from lunar_python import Solar

from mobile_gym.phone.apps.launcher import arrangement, drawer, menus
from mobile_gym.phone.apps.launcher.arrangement import COLUMNS, DESKTOP, DOCK, DOCK_CELLS, Item, Place
from mobile_gym.phone.apps.launcher.icons import app_icon, folder_icon, notification_counts
from mobile_gym.phone.apps.launcher.starting import package_like, starter
from mobile_gym.phone.door import Intent
from mobile_gym.phone.system.app import Context, Screen
from mobile_gym.phone.system.formats import month_day, weekday
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Icon, IconButton, Text

_WHITE = "#FFFFFF"
_CLOCK_DP, _INDICATOR_DP, _DOCK_DP, _SEARCH_DP = 151.0, 28.0, 74.0, 116.0
Target = tuple[Node, Place]


@lru_cache(maxsize=64)
def _lunar(year: int, month: int, day: int) -> tuple[str, str]:
    """Month and day of the Chinese calendar, in Chinese numerals."""
    lunar = Solar.fromYmd(year, month, day).getLunar()
    return lunar.getMonthInChinese(), lunar.getDayInChinese()


@dataclass(frozen=True, slots=True)
class _Look:
    """How the grid is drawn on this screen: columns, room of a row, size of an icon, whether there is room for all."""

    columns: int
    pitch: float
    icon: float
    tall: bool


def _look(ctx: Context) -> _Look:
    width, height, _ = ctx.phone.screen
    density = ctx.phone.density_dpi / 160
    wide, high = width / density, height / density
    tall = high >= wide
    columns = COLUMNS if tall else 2 * COLUMNS
    rows = arrangement.page_rows(ctx.phone.profile, 0) if tall else 3
    room = high - 45 - _INDICATOR_DP - (_CLOCK_DP + _DOCK_DP + _SEARCH_DP if tall else _DOCK_DP + 52)
    pitch = min(max(room / rows, 40.0), 100.0)
    return _Look(columns, pitch, min(60.0, pitch - 18 * ctx.phone.font_scale - 12), tall)


class Home(Screen):
    """The home screen. Its interface state: `drawer`, whether the list of all apps is up."""

    name = "home"
    activity = ".Launcher"

    def on_open(self, ctx: Context) -> None:
        """Home: the first page, without drawer; icons come and go with their apps."""
        arrangement.sync(ctx.phone)
        drawer.close(ctx)
        ctx.record["scroll"].pop("workspace", None)

    def on_back(self, ctx: Context) -> bool:
        """Closes the drawer, else goes to the first page."""
        if ctx.ui.get("drawer"):
            drawer.close(ctx)
        else:
            ctx.record["scroll"].pop("workspace", None)
        return True

    def build(self, ctx: Context) -> Node:
        """The drawer, or pages, dock and search bar over the wallpaper."""
        if ctx.ui.get("drawer"):
            return drawer.build(ctx)
        look = _look(ctx)
        counts = notification_counts(ctx)
        items = {item.place: item for item in arrangement.load(ctx.phone)}
        pages = 1 + max((place.screen for place in items if place.container == DESKTOP), default=0)
        targets: list[Target] = []
        sheets = [self._page(ctx, look, screen, items, counts, targets) for screen in range(pages)]
        workspace = Node("list", sheets, axis="h", paged=True, id="workspace", width=FILL, weight=1.0)
        parts = [
            Node("space", inset="status", hidden_from_tree=True),
            workspace,
            self._indicator(ctx, pages),
            self._dock(ctx, look, items, counts, targets),
        ]
        if look.tall:
            parts.append(self._search_bar(ctx))
        parts.append(Node("space", height=60.0 if look.tall else 52.0, hidden_from_tree=True))
        body = Node("col", parts, width=FILL, height=FILL, hidden_from_tree=True)
        wallpaper = ctx.settings.get("system", "wallpaper") or "wallpaper/dusk"
        picture = Node("picture", source=wallpaper, width=FILL, height=FILL, hidden_from_tree=True)

        def swiped(direction: str) -> None:
            if direction == "up":
                drawer.open(ctx)
            elif direction == "down":
                ctx.phone.expand_shade(quick_settings=False)

        return Node(
            "box",
            (picture, body),
            width=FILL,
            height=FILL,
            light_glyphs=True,
            blocks=True,
            id="launcher",
            on_swipe=swiped,
            on_long_press=ctx.show("home_menu"),
        )

    # ---- parts

    def _page(
        self,
        ctx: Context,
        look: _Look,
        screen: int,
        items: Mapping[Place, Item],
        counts: Mapping[str, int],
        targets: list[Target],
    ) -> Node:
        cells = arrangement.capacity(ctx.phone.profile, screen)
        rows: list[Node] = []
        for start in range(0, cells, look.columns):
            row = [
                self._cell(ctx, look, Place(DESKTOP, screen, cell), items, counts, targets)
                for cell in range(start, min(start + look.columns, cells))
            ]
            rows.append(Node("row", row, width=FILL, height=look.pitch, align="start", hidden_from_tree=True))
        if screen == 0 and look.tall:
            rows.insert(0, self._clock(ctx))
        grid = Node("col", rows[1:] if screen == 0 and look.tall else rows, width=FILL, pad=(21.0, 0.0, 21.0, 0.0))
        parts = [rows[0], grid] if screen == 0 and look.tall else [Node("space", height=12.0), grid]
        return Node("col", parts, hidden_from_tree=True)

    def _cell(
        self,
        ctx: Context,
        look: _Look,
        place: Place,
        items: Mapping[Place, Item],
        counts: Mapping[str, int],
        targets: list[Target],
        label: bool = True,
    ) -> Node:
        item = items.get(place)
        if item is None:
            node = Node("space", weight=1.0, height=look.pitch if label else look.icon, hidden_from_tree=True)
        elif item.is_folder:
            node = folder_icon(ctx, item, look.icon, counts, menus.opens_folder(ctx, item.key), label)
        else:
            opens = starter(ctx, Intent(package=item.package))
            node = app_icon(ctx, item.package, look.icon, counts.get(item.package, 0), opens, label=label)
        targets.append((node, place))
        if item is not None:
            node.on_long_press = menus.presses(ctx, node, item)
            node.on_drop = self._drops(ctx, item, targets)
        return node

    def _drops(self, ctx: Context, item: Item, targets: list[Target]) -> Any:
        def drop(x: int, y: int) -> None:
            for node, place in targets:
                box = node.visible
                if box is None or not (box[0] <= x < box[2] and box[1] <= y < box[3]):
                    continue
                if place.container == DOCK and item.is_folder:
                    return
                key = item.key
                if not key:
                    arrangement.sync(ctx.phone)
                    key = next(found.key for found in arrangement.load(ctx.phone) if found.place == item.place)
                arrangement.move(ctx.phone, key, place)
                return

        return drop

    def _clock(self, ctx: Context) -> Node:
        now = ctx.now
        date = ctx.tr("date_line", date=month_day(now, ctx.language), weekday=weekday(now, ctx.language))
        dates = [Text(date, "bodyLarge", _WHITE, soft_shadow=True, id="date", on_tap=self._opens(ctx, "calendar"))]
        if ctx.language == "zh":
            month, day = _lunar(now.year, now.month, now.day)
            text = ctx.tr("lunar", month=month, day=day)
            dates.append(Text(text, "bodyLarge", _WHITE, soft_shadow=True, id="lunar_date"))
        time = Text(
            ctx.phone.clock_text(),
            size_sp=76,
            line_sp=84,
            text_weight=300,
            color=_WHITE,
            soft_shadow=True,
            id="clock",
            on_tap=self._opens(ctx, "deskclock"),
        )
        left = Node("col", (time, Node("row", dates, gap=16.0)))
        parts = (left, *self._glance(ctx))
        return Node("box", parts, width=FILL, height=_CLOCK_DP, pad=(28.0, 15.0, 28.0, 0.0), id="smartspace")

    def _glance(self, ctx: Context) -> list[Node]:
        """What the first app that has something to say shows at the right of the clock."""
        for package in ctx.phone.packages.launchable():
            said = ctx.phone.apps[package].glance(ctx.phone)
            if said is None:
                continue
            icon, text, detail = said
            big = Text(text, size_sp=28, line_sp=34, color=_WHITE, soft_shadow=True, max_lines=1, id="glance_title")
            top = Node("row", (Icon(icon, 28.0, _WHITE), big), gap=9.0, hidden_from_tree=True)
            small = Text(detail, "bodyMedium", _WHITE, soft_shadow=True, max_lines=1, id="glance_detail")
            return [
                Node(
                    "col",
                    (top, small),
                    align="end",
                    place="top-end",
                    offset=(0.0, 22.0),
                    on_tap=starter(ctx, Intent(package=package)),
                    id="glance",
                    desc=f"{text} {detail}",
                )
            ]
        return []

    def _opens(self, ctx: Context, part: str) -> Handler | None:
        package = package_like(ctx.phone, part)
        return None if package is None else starter(ctx, Intent(package=package))

    def _indicator(self, ctx: Context, pages: int) -> Node:
        parts = []
        if pages > 1:
            current = min(ctx.record["scroll"].get("workspace", [0, 0])[0], pages - 1)
            dots = [
                Node(
                    "space",
                    width=6.0,
                    height=6.0,
                    radius=3.0,
                    bg=_WHITE if page == current else "#A9BBD2",
                    hidden_from_tree=True,
                )
                for page in range(pages)
            ]
            desc = ctx.tr("page_of", page=current + 1, pages=pages)
            parts.append(Node("row", dots, gap=8.0, place="center-center", id="page_indicator", desc=desc))
        handle = Node(
            "box",
            (Icon("chevron-up", 22.0, _WHITE, place="center-center", hidden_from_tree=True),),
            width=48.0,
            height=_INDICATOR_DP,
            place="center-end" if pages > 1 else "center-center",
            offset=(-22.0, 0.0) if pages > 1 else (0.0, 0.0),
            on_tap=lambda: drawer.open(ctx),
            id="all_apps_handle",
            desc=ctx.tr("open_all_apps"),
        )
        return Node("box", (*parts, handle), width=FILL, height=_INDICATOR_DP, hidden_from_tree=True)

    def _dock(
        self,
        ctx: Context,
        look: _Look,
        items: Mapping[Place, Item],
        counts: Mapping[str, int],
        targets: list[Target],
    ) -> Node:
        size = _Look(look.columns, 60.0, min(60.0, max(look.icon, 48.0)), look.tall)
        cells = [
            self._cell(ctx, size, Place(DOCK, 0, cell), items, counts, targets, label=False)
            for cell in range(DOCK_CELLS)
        ]
        return Node("row", cells, width=FILL, height=_DOCK_DP, align="start", pad=(21.0, 0.0, 21.0, 0.0), id="hotseat")

    def _search_bar(self, ctx: Context) -> Node:
        hint = Text(
            ctx.tr("search_hint"), "bodyLarge", "#43474E", weight=1.0, max_lines=1, id="search_hint", text_weight=400
        )
        voice = IconButton(
            "microphone",
            lambda: ctx.toast(ctx.tr("voice_missing")),
            ctx.tr("voice_search"),
            id="voice_search",
            color="#39608F",
            size=44.0,
        )
        bar = Node(
            "row",
            (Icon("magnify", 26.0, "#43474E"), hint, voice),
            gap=12.0,
            width=FILL,
            height=56.0,
            radius=28.0,
            bg="#ECEDF7",
            pad=(18.0, 0.0, 8.0, 0.0),
            on_tap=lambda: drawer.open(ctx, search=True),
            id="search_bar",
            desc=ctx.tr("search_hint"),
        )
        return Node("box", (bar,), width=FILL, height=56.0, pad=(24.0, 0.0, 24.0, 0.0), hidden_from_tree=True)

    # ---- dialogs and menus

    def overlay_home_menu(self, ctx: Context) -> Node:
        """Long press on the wallpaper."""
        return menus.home_menu(ctx)

    def overlay_icon_menu(self, ctx: Context, **args: Any) -> Node:
        """Long press on an icon."""
        return menus.icon_menu(ctx, **args)

    def overlay_folder(self, ctx: Context, key: int) -> Node:
        """An open folder."""
        return menus.folder(ctx, key)

    def overlay_choose_folder(self, ctx: Context, key: int) -> Node:
        """Where an icon shall go."""
        return menus.choose_folder(ctx, key)

    def overlay_uninstall(self, ctx: Context, package: str) -> Node:
        """Whether an app shall go."""
        return menus.uninstall(ctx, package)

    def overlay_rename(self, ctx: Context, key: int) -> Node:
        """The name of a folder."""
        return menus.rename(ctx, key)
