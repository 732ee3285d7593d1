"""Status bar and navigation bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mobile_gym.phone.ui.node import FILL, Node

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

_WHITE, _INK, _NAV_INK = "#FFFFFF", "#191C20", "#43474E"


def battery(level: int, charging: bool, ink: str, paper: str, show_percent: bool) -> Node:
    """The battery: a pill that is filled as far as it is charged, with the percentage in it."""
    label: list[Node] = []
    if charging:
        label.append(Node("icon", icon="lightning-bolt", icon_size=10.0, color=paper))
    if show_percent:
        label.append(
            Node("text", text=str(level), size_sp=11.0, line_sp=14.0, style="labelSmall", text_weight=700, color=paper)
        )
    pill = Node(
        "box",
        (
            Node(
                "box",
                width=25.0 * max(level, 4) / 100,
                height=15.0,
                bg=ink,
                radius=(4.0, 0.0, 0.0, 4.0) if level < 92 else 4.0,
            ),
            Node("row", label, place="center-center"),
        ),
        width=25.0,
        height=15.0,
        bg="#9A9DA3" if ink != _WHITE else "#7F9CC4",
        radius=4.0,
    )
    return Node(
        "row",
        (pill, Node("box", width=2.0, height=5.0, bg="#8F9196" if ink != _WHITE else "#B7C6DD", radius=1.0)),
        gap=1.0,
        desc=f"{level}%",
        id="battery",
    )


class StatusBar:
    """Clock, notification icons, and the state of radios, ringer, alarms and battery."""

    def build(self, phone: Phone, light: bool) -> Node:
        """The bar; `light` is whether its glyphs are white."""
        ink = _WHITE if light else _INK
        paper = _INK if light else _WHITE
        left: list[Node] = [
            Node(
                "text", text=phone.clock_text(), style="labelLarge", text_weight=500, color=ink, max_lines=1, id="clock"
            )
        ]
        seen: list[str] = []
        for notification in phone.notifier.posted:
            if notification["silent"] or notification["package"] in seen:
                continue
            seen.append(notification["package"])
            app = phone.apps.get(notification["package"])
            glyph = notification["icon"] or (app.icon.glyph if app is not None and app.icon is not None else "bell")
            left.append(Node("icon", icon=glyph, icon_size=16.0, color=ink))
            if len(seen) == 4:
                break
        right = [Node("icon", icon=name, icon_size=18.0, color=ink, desc=desc) for name, desc in phone.status_icons()]
        level = int(phone.state.interface["battery"]["level"])
        charging = bool(phone.state.interface["battery"]["charging"])
        percent = phone.state.settings.get_int("system", "status_bar_show_battery_percent", 1) == 1
        right.append(battery(level, charging, ink, paper, percent))
        return Node(
            "row",
            (
                Node("row", left, gap=9.0),
                Node("row", right, gap=4.0),
            ),
            width=FILL,
            height=FILL,
            pad=(24.0, 4.0, 22.0, 0.0),
            justify="between",
            light_glyphs=light,
        )


class NavigationBar:
    """Back, home and recents."""

    def build(self, phone: Phone, light: bool, keyboard: bool) -> Node:
        """The bar; while the keyboard is up Back hides it and shows a triangle that points down."""
        ink = _WHITE if light else _NAV_INK

        def key(name: str) -> object:
            return lambda: phone.input.key(name)

        back = Node("icon", icon="triangle", icon_size=18.0, color=ink, turn=180 if keyboard else 270)
        home = Node("icon", icon="circle", icon_size=19.0, color=ink)
        recents = Node("icon", icon="square-rounded", icon_size=19.0, color=ink)
        buttons = [
            Node(
                "box",
                (glyph.replace(place="center-center"),),
                width=97.5,
                height=FILL,
                on_tap=key(name),
                id=name_id,
                desc=desc,
            )
            for glyph, name, name_id, desc in (
                (back, "BACK", "back", "Back"),
                (home, "HOME", "home", "Home"),
                (recents, "APP_SWITCH", "recent_apps", "Recents"),
            )
        ]
        children: list[Node] = [Node("row", buttons, place="center-center", height=FILL)]
        if keyboard:
            children.append(
                Node(
                    "box",
                    (Node("icon", icon="keyboard-outline", icon_size=22.0, color=ink, place="center-center"),),
                    width=48.0,
                    height=FILL,
                    place="center-end",
                    offset=(-10.0, 0.0),
                    on_tap=phone.text_input.hide_keyboard,
                    id="ime_switcher",
                )
            )
        return Node("box", children, width=FILL, height=FILL, bg=None, light_glyphs=light)
