"""Status bar and navigation bar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mobile_gym.phone.system.app import translate
from mobile_gym.phone.system.glyphs import back_points, fan_points, shape, signal_points
from mobile_gym.phone.ui.node import FILL, Node

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

_WHITE, _PALE, _INK = "#FFFFFF", "#E1E2E8", "#191C20"
_NAV_INK, _NAV_PALE = "#43474E", "#C3C6CF"
_TEXTS = "mobile_gym.phone.system.surfaces"
_MOST_NOTICES = 5
_LOW = 20
"""Percent at and below which the battery is low."""


def icon_scale(phone: Phone) -> float:
    """How much larger than at font scale 1 the status bar's icons are."""
    return min(max(phone.font_scale, 0.85), 1.3)


def battery(phone: Phone, ink: str, paper: str, page_known: bool) -> Node:
    """The battery: a pill that is filled as far as it is charged, with the percentage in it."""
    state = phone.state.interface["battery"]
    level, charging = int(state["level"]), bool(state["charging"])
    settings = phone.state.settings
    scale = icon_scale(phone)
    wide, high = 24.4 * scale, 14.2 * scale
    fill, number = ink, paper
    if charging:
        fill, number = "#2F9E5B", _WHITE
    elif settings.get("global", "low_power") == "1":
        fill, number = "#F2B705", _INK
    elif level <= _LOW:
        fill, number = "#D93A2B", _WHITE
    label: list[Node] = []
    if charging:
        label.append(Node("icon", icon="lightning-bolt", icon_size=9.0 * scale, color=number, hidden_from_tree=True))
    if settings.get("system", "status_bar_show_battery_percent") != "0":
        label.append(
            Node(
                "text",
                text=str(level),
                size_sp=11.0 if level < 100 else 9.5,
                line_sp=14.0,
                style="labelSmall",
                text_weight=700,
                color=number if level > 45 or ink == _INK or charging else _WHITE,
                hidden_from_tree=True,
            )
        )
    # Over a known colour the empty part is a paler ink; over a picture a colour that suits most.
    rest: dict[str, Any] = {"bg": ink, "fade": 0.38} if page_known else {"bg": "#7F9CC4"}
    tip: dict[str, Any] = {"bg": ink, "fade": 0.5} if page_known else {"bg": "#B7C6DD"}
    corner = 4.0 * scale
    share = max(level, 6) / 100
    parts: list[Node] = []
    if level < 100:
        parts.append(Node("space", width=wide, height=high, radius=corner, hidden_from_tree=True, **rest))
    radius = (corner, 0.0, 0.0, corner) if level < 94 else corner
    parts.append(Node("space", width=wide * share, height=high, bg=fill, radius=radius, hidden_from_tree=True))
    parts.append(Node("row", label, place="center-center", hidden_from_tree=True))
    pill = Node("box", parts, width=wide, height=high, hidden_from_tree=True)
    end = Node("space", width=2.0 * scale, height=6.4 * scale, radius=1.0 * scale, hidden_from_tree=True, **tip)
    key = "sb_battery_charging" if charging else "sb_battery"
    desc = translate(_TEXTS, key, phone.language, {"level": level})
    return Node("row", (pill, end), gap=0.8, desc=desc, id="battery")


def status_glyphs(phone: Phone, ink: str, page_known: bool, *, carrier: bool) -> list[Node]:
    """What the right of the status bar shows: apps' icons, modes, radios, battery.

    Args:
        phone: the phone.
        ink: colour of the glyphs.
        page_known: whether the colour under the bar is known.
        carrier: whether the kind of mobile network shows even while Wi-Fi is connected.
    """
    scale = icon_scale(phone)
    found: list[Node] = []
    connected = False
    for name, desc in phone.status_icons():
        if name == "wifi-strength-4":
            connected = True
            found.append(shape(fan_points(scale), 17.0 * scale, 17.0 * scale, ink, desc=desc, id="wifi_signal"))
        elif name == "network-strength-4":
            if carrier or not connected:
                network = Node("text", text="4G", style="labelLarge", color=ink, max_lines=1, id="mobile_type")
                found.insert(len(found) - connected, network)
            found.append(shape(signal_points(scale), 16.0 * scale, 17.0 * scale, ink, desc=desc, id="mobile_signal"))
        else:
            found.append(Node("icon", icon=name, icon_size=17.0 * scale, color=ink, desc=desc))
    paper = _INK if ink in (_WHITE, _PALE) else _WHITE
    found.append(battery(phone, ink, paper, page_known))
    return found


class StatusBar:
    """Clock, notification icons, and the state of radios, ringer, alarms and battery."""

    def build(self, phone: Phone, light: bool, page_known: bool = False) -> Node:
        """The bar.

        Args:
            phone: the phone.
            light: whether its glyphs are white.
            page_known: whether one known colour lies under it.
        """
        ink = _INK if not light else _PALE if page_known and phone.dark else _WHITE
        glyphs = status_glyphs(phone, ink, page_known, carrier=False)
        chip = self._call(phone)
        clock = Node(
            "text",
            text=phone.clock_text(),
            style="labelLarge",
            color=ink,
            max_lines=1,
            id="clock",
            offset=(0.0, 0.8),
        )
        scale = icon_scale(phone)
        # What clock, chip and the glyphs at the right leave, in icons; about, as texts differ.
        free = phone.screen[0] / (phone.density_dpi / 160) - 46 - scale * (22 * len(glyphs) + 50 + 110 * len(chip))
        notices = self._notices(phone, ink, 17.0 * scale, min(int(free / (26 * scale)), _MOST_NOTICES))
        return Node(
            "row",
            (
                Node("row", (clock, *chip, *notices), gap=9.0, id="notification_icons"),
                Node("row", glyphs, gap=5.0, id="statusIcons"),
            ),
            width=FILL,
            height=FILL,
            pad=(24.0, 4.0, 22.0, 0.0),
            justify="between",
            light_glyphs=light,
        )

    def _notices(self, phone: Phone, ink: str, size: float, most: int) -> list[Node]:
        """Icons of those who posted notifications, each once; a dot where there is no room for all."""
        found: list[Node] = []
        seen: list[str] = []
        for notification in phone.notifier.posted:
            if notification["silent"] or notification["package"] in seen:
                continue
            if len(seen) >= most:
                if most > 0:
                    found[-1] = Node("icon", icon="circle-small", icon_size=size, color=ink)
                break
            seen.append(notification["package"])
            app = phone.apps.get(notification["package"])
            glyph = notification["icon"] or (app.icon.glyph if app is not None and app.icon is not None else "bell")
            label = "" if app is None else app.label(phone.language)
            found.append(Node("icon", icon=glyph, icon_size=size, color=ink, desc=label))
        return found

    def _call(self, phone: Phone) -> list[Node]:
        """The chip that leads back to a call whose screen was left."""
        call = phone.state.interface["call"]
        if call is None or call["state"] != "active" or phone.surface_record("call")["ui"].get("open"):
            return []
        label = translate(_TEXTS, "call_ongoing", phone.language, {})
        chip = Node(
            "row",
            (
                Node("icon", icon="phone", icon_size=14.0, color=_WHITE),
                Node("text", text=label, style="labelMedium", color=_WHITE, max_lines=1),
            ),
            gap=4.0,
            pad=(8.0, 3.0, 10.0, 3.0),
            bg="#2F9E5B",
            radius=12.0,
            on_tap=lambda: phone.open_surface("call"),
            id="ongoing_call_chip",
            desc=label,
        )
        return [chip]


class NavigationBar:
    """Back, home and recents."""

    def build(self, phone: Phone, light: bool, keyboard: bool, page_known: bool = False) -> Node:
        """The bar; while the keyboard is up Back hides it and shows a triangle that points down.

        `page_known` says that it lies over the colour of a page, where white glyphs would be too bright."""
        ink = _NAV_INK if not light else _NAV_PALE if page_known and phone.dark else _WHITE
        language = phone.language

        def key(name: str) -> object:
            return lambda: phone.input.key(name)

        back = shape(back_points(keyboard), 24.0, 24.0, ink, hidden_from_tree=True)
        home = Node("space", width=16.4, height=16.4, radius=8.2, bg=ink, hidden_from_tree=True)
        recents = Node("space", width=14.3, height=14.3, radius=2.5, bg=ink, hidden_from_tree=True)
        buttons = [
            Node(
                "box",
                (glyph.replace(place="center-center", offset=(0.0, 0.8)),),
                width=97.5,
                height=FILL,
                cls="android.widget.ImageView",
                on_tap=key(name),
                id=name_id,
                desc=translate(_TEXTS, name_id, language, {}),
            )
            for glyph, name, name_id in (
                (back, "BACK", "back"),
                (home, "HOME", "home"),
                (recents, "APP_SWITCH", "recent_apps"),
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
                    desc=translate(_TEXTS, "hide_keyboard", language, {}),
                )
            )
        return Node("box", children, width=FILL, height=FILL, bg=None, light_glyphs=light)
