"""The window manager: composes the app, its dialogs, the bars and the system surfaces into one screen."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mobile_gym.phone.system.app import Context, Record
from mobile_gym.phone.system.bars import NavigationBar, StatusBar
from mobile_gym.phone.system.surface import Surface
from mobile_gym.phone.ui.display import Clip, DisplayList
from mobile_gym.phone.ui.layout import ENDLESS, Layouter
from mobile_gym.phone.ui.metrics import Metrics, metrics_for
from mobile_gym.phone.ui.node import Node
from mobile_gym.phone.ui.theme import Theme, is_light, theme_for
from mobile_gym.phone.ui.widgets.feedback import Snackbar
from mobile_gym.phone.ui.widgets.structure import Loading

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

STATUS_DP = 45
NAV_DP = 48
SCRIM = 32
_MOST_REMEMBERED = 32
_APP_WINDOWS = frozenset({"app", "overlay", "snackbar"})
"""Windows that have the front app's colours."""


@dataclass(slots=True)
class Window:
    """One window of the composed screen.

    Attributes:
        name: `app`, `overlay`, or the surface's name.
        package: whose it is.
        root: the laid-out tree.
        layouter: what laid it out; lists are scrolled through it.
        record: the interface state that scroll offsets and fields of its nodes live in.
        surface: the surface, where it is one.
        focusable: whether the hierarchy may show it.
    """

    name: str
    package: str
    root: Node
    layouter: Layouter
    record: Record
    surface: Surface | None
    focusable: bool


@dataclass(slots=True)
class _Plan:
    name: str
    package: str
    root: Node | Callable[[], Node]
    box: Clip
    record: Record
    surface: Surface | None
    focusable: bool
    dim_below: int
    under: str | None = None
    """Role of the one colour that lies under the whole window, where that is known."""
    memo: Hashable = None
    """What the window is drawn from: while it is equal, the window that was laid out serves again. None: build it."""
    own_dim: int = 0
    """Percent of black over this window itself."""


def _holds(root: Node, field_id: str) -> bool:
    return any(node.kind == "field" and node.field_id == field_id for node in root.walk())


def _whole(node: Node) -> bool:
    return node.visible is not None and node.visible[3] - node.visible[1] >= node.h


def _bottom_of(node: Node, field_id: str) -> int | None:
    """How far below the top of a measured node, not yet placed, a field in it ends."""
    if node.kind == "field" and node.field_id == field_id:
        return node.h
    for child in node.children:
        found = _bottom_of(child, field_id) if isinstance(child, Node) else None
        if found is not None:
            return int(child.y) + found
    return None


def _bottom_sheet(root: Node) -> Node | None:
    """The sheet at the bottom of a window, on which the navigation bar lies."""
    return next((child for child in root.children if isinstance(child, Node) and child.place[:6] == "bottom"), None)


class WindowManager:
    """Composes the screen when something changed, and remembers it until the next change."""

    def __init__(self, phone: Phone) -> None:
        self._phone = phone
        self._windows: list[Window] | None = None
        self._memo: dict[Hashable, tuple[Node, Layouter, DisplayList]] = {}
        self._ops: DisplayList = []
        self._page_length = 0
        self._status = StatusBar()
        self._navigation = NavigationBar()

    def forget(self) -> None:
        """Something changed: compose anew when asked."""
        self._windows = None

    @property
    def windows(self) -> list[Window]:
        """All windows, bottom first."""
        if self._windows is None:
            self._windows = self._compose()
        return self._windows

    @property
    def ops(self) -> DisplayList:
        """What draws the whole screen, back to front."""
        return self._ops if self.windows else []

    @property
    def page_length(self) -> int:
        """How many of `ops` draw the page in front; the others lie over it."""
        return self._page_length if self.windows else 0

    def focused(self) -> Window:
        """The window that has the focus: the topmost focusable one."""
        return next(window for window in reversed(self.windows) if window.focusable)

    def listed_above(self, window: Window) -> list[Window]:
        """Small windows over one that are worth reading beside it (snackbar, text menu, volume), bottom first."""
        above = self.windows[self.windows.index(window) + 1 :]
        return [
            small for small in above if small.name == "snackbar" or (small.surface is not None and small.surface.listed)
        ]

    def focused_surface(self) -> Surface | None:
        """The surface that has the focus; None where an app has it. Does not compose."""
        for surface in reversed(self._phone.surfaces):
            if surface.focusable and surface.visible(self._phone.surface_context(surface)):
                return surface
        return None

    def field_node(self, uid: int, field_id: str) -> Node | None:
        """The node of a text field as it was last laid out."""
        for window in reversed(self.windows):
            if window.record["uid"] == uid:
                for node in window.root.walk():
                    if node.kind == "field" and node.field_id == field_id:
                        return node
        return None

    def reveal(self, uid: int, field_id: str) -> None:
        """Scrolls the list that a text field is in so that its row, or as much as fits, shows above the keyboard."""
        node = self.field_node(uid, field_id)
        for window in reversed(self.windows):
            lists = [one for one in window.root.walk() if one.kind == "list" and one.axis == "v" and one.id]
            for listed in lists if window.record["uid"] == uid else ():
                shown = next((row for row in listed.children if _holds(row, field_id)), None)
                rows = listed.rows
                if rows is None or (shown is None and node is not None) or (shown is not None and _whole(shown)):
                    continue
                if shown is not None and shown.h > rows.viewport and node is not None and _whole(node):
                    continue
                for number in range(len(rows)):
                    row = rows.row(number)
                    if _holds(row, field_id):
                        end = row.h
                        if end > rows.viewport:
                            window.layouter.measure(row, rows.across, ENDLESS, rows.across)
                            end = _bottom_of(row, field_id) or end
                        window.record["scroll"][listed.id] = list(rows.move((number, 0), end - rows.viewport))
                        self.forget()
                        return

    # ---- composing

    def _compose(self) -> list[Window]:
        phone = self._phone
        width, height, _ = phone.screen
        settings = phone.state.settings
        bolder = min(max(settings.get_int("secure", "font_weight_adjustment"), 0), 500)
        record = phone.activities.top()
        ctx = phone.activities.context(record)
        scale = phone.font_scale
        scales = (scale, ctx.app.font_scale(phone, scale))
        metrics, app_metrics = (metrics_for(phone.density_dpi / 160, one, bolder) for one in scales)
        contrast = bool(settings.get_int("secure", "high_text_contrast_enabled"))
        full = (0, 0, width, height)
        insets = {"status": metrics.px(STATUS_DP), "bottom": metrics.px(NAV_DP), "snack": 0}

        over: list[_Plan] = []
        keyboard: _Plan | None = None
        for surface in phone.surfaces:
            own = phone.surface_context(surface)
            if surface.visible(own):
                box = surface.box(own, width, height)
                root = surface.build(own)
                plan = _Plan(
                    surface.name, surface.package, root, box, own.record, surface, surface.focusable, surface.dim(own)
                )
                if surface.name == "keyboard":
                    keyboard = plan
                    insets["bottom"] = box[3] - box[1]
                else:
                    over.append(plan)

        themes = theme_for(phone.dark, contrast), theme_for(phone.dark, contrast, ctx.app.palette)
        theme = themes[1]
        screen = phone.activities.screen(record)
        snack = record["snack"]
        if snack is not None and snack["until"] > phone.state.clock.now_ms:
            insets["snack"] = metrics.px(64)
        else:
            snack = None
        loading = record["ready_ms"] > phone.state.clock.now_ms
        root = Loading() if loading else screen.build(ctx)
        plans = [_Plan("app", record["package"], root, full, record, None, True, 0)]
        page = root.bg
        light = root.light_glyphs if root.light_glyphs is not None else not is_light(theme.color(page or "surface"))

        def status_bar() -> Node:
            return Node("box", (self._status.build(phone, light, page is not None),), width=-1.0, height=-1.0, bg=None)

        status_box = (0, 0, width, insets["status"])
        plans.append(
            _Plan(
                "status_bar",
                "com.android.systemui",
                status_bar,
                status_box,
                record,
                None,
                False,
                0,
                page,
                self._shown(light),
            )
        )
        nav_box = (0, height - metrics.px(NAV_DP), width, height)
        lower = [plan for plan in over if plan.surface is not None and plan.surface.layer < 50]
        upper = [plan for plan in over if plan.surface is not None and plan.surface.layer >= 50]
        # A window that dims what is below leaves the bars where they are; one that covers all has them on itself.
        cover = next((plan for plan in reversed(upper) if not plan.dim_below), None)
        focus = phone.state.interface["focus"]
        typing = keyboard is not None and focus is not None and any(plan.record["uid"] == focus[0] for plan in over)

        def navigation(light: bool, under: str | None, keyboard_up: bool, dim: int = 0) -> _Plan:
            def build() -> Node:
                return self._navigation.build(phone, light, keyboard_up, keyboard_up or under is not None)

            memo = (light, keyboard_up, phone.language)
            return _Plan(
                "navigation_bar", "com.android.systemui", build, nav_box, record, None, False, 0, under, memo, dim
            )

        if snack is not None:
            plans.append(
                _Plan(
                    "snackbar",
                    record["package"],
                    Snackbar(ctx, snack),
                    self._snack_box(insets, full),
                    record,
                    None,
                    False,
                    0,
                )
            )
        if not loading:
            for overlay in record["overlays"]:
                overlay_ctx = Context(phone, ctx.app, record, overlay)
                node = getattr(screen, f"overlay_{overlay['name']}")(overlay_ctx, **overlay["args"])
                scrim = SCRIM if node.id != "menu_window" else 0
                plans.append(_Plan("overlay", record["package"], node, full, record, None, True, scrim))
        if keyboard is not None and not typing:
            plans.append(keyboard)
        # The menu of a field in a system window lies over that window.
        plans.extend(plan for plan in lower if not (typing and plan.name == "text_menu"))
        if keyboard is not None and not typing and cover is None:
            plans.append(navigation(phone.dark, None, True))
        plans.extend(upper)
        if keyboard is not None and typing:
            plans += [keyboard, navigation(phone.dark, None, True)]
            plans.extend(plan for plan in lower if plan.name == "text_menu")
        elif cover is not None:
            top = cover.root if isinstance(cover.root, Node) else cover.root()
            plans.append(
                navigation(self._glyphs_over(top, light), None if top.bg is None else themes[0].color(top.bg), False)
            )
        elif keyboard is None:
            # Above dialogs too: the keys work while one is up.
            last = next((plan.root for plan in reversed(plans) if plan.dim_below), None)
            sheet = _bottom_sheet(last) if isinstance(last, Node) else None
            if sheet is not None and sheet.bg is not None:
                plans.append(navigation(not is_light(theme.color(sheet.bg)), sheet.bg, False))
            else:
                keys = light if root.light_keys is None else root.light_keys
                plans.append(navigation(keys, page, False, max(plan.dim_below for plan in plans)))
        return self._lay_out(plans, (metrics, app_metrics), themes, insets)

    def _shown(self, light: bool) -> Hashable:
        """All that the status bar is drawn from: as long as it is equal, the bar that was laid out serves again."""
        phone = self._phone
        state = phone.state
        interface = state.interface
        return (
            light,
            state.settings.version,
            state.clock.now_ms // 60_000,
            tuple(phone.status_icons()),
            interface["battery"]["level"],
            interface["battery"]["charging"],
            None if interface["call"] is None else (interface["call"]["state"], phone.surface_open(80)),
            tuple((posted["package"], posted["silent"], posted["icon"]) for posted in phone.notifier.posted),
        )

    def _glyphs_over(self, root: Node, light: bool) -> bool:
        theme = theme_for(self._phone.dark)
        if root.light_glyphs is not None:
            return root.light_glyphs
        return light if root.bg is None else not is_light(theme.color(root.bg))

    def _snack_box(self, insets: dict[str, int], full: Clip) -> Clip:
        bottom = full[3] - insets["bottom"]
        return (0, bottom - insets["snack"], full[2], bottom)

    def _lay_out(
        self,
        plans: list[_Plan],
        metrics: tuple[Metrics, Metrics],
        themes: tuple[Theme, Theme],
        insets: dict[str, int],
    ) -> list[Window]:
        """Lays the windows out; of `metrics` and `themes` the first is the system's, the second the front app's."""
        dims: list[int] = []
        dim = 0
        for plan in reversed(plans):
            dims.append(dim)
            dim = max(dim, plan.dim_below)
        dims.reverse()
        windows: list[Window] = []
        ops: DisplayList = []
        for plan, plan_dim in zip(plans, dims, strict=True):
            plan_dim = max(plan_dim, plan.own_dim)
            theme, own = themes[plan.name in _APP_WINDOWS], metrics[plan.name in _APP_WINDOWS]
            under = None if plan.under is None else themes[1].color(plan.under)
            if plan.surface is not None and not plan.surface.scales_text:
                own = metrics_for(own.density, 1.0, own.bolder)
            key = (plan.name, plan.memo, plan.box, under, plan_dim, own, theme)
            laid = None if plan.memo is None else self._memo.get(key)
            if laid is None:
                layouter = Layouter(own, theme, plan.record["scroll"], insets)
                layouter.under = under
                root = plan.root if isinstance(plan.root, Node) else plan.root()
                laid = (root, layouter, layouter.run(root, plan.box, plan_dim))
                if plan.memo is not None:
                    if len(self._memo) >= _MOST_REMEMBERED:
                        self._memo.clear()
                    self._memo[key] = laid
            root, layouter, drawn = laid
            ops += drawn
            windows.append(Window(plan.name, plan.package, root, layouter, plan.record, plan.surface, plan.focusable))
            if plan is plans[0]:
                self._page_length = len(ops)
        self._ops = ops
        return windows
