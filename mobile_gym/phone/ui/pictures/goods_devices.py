"""Devices and what helps one to stay well."""

from __future__ import annotations

import math
from collections.abc import Callable

from mobile_gym.phone.ui.pictures.drawing import arc, dark, ground, label, light, mirrored, oval, placed, ribbon, smooth
from mobile_gym.phone.ui.pictures.scene import Point, Scene, mixed

_SEGMENTS = {
    " ": "", "0": "abcdef", "1": "bc", "2": "abged", "5": "acdfg", "6": "acdefg", "7": "abc", "8": "abcdefg",
}  # fmt: skip
"""Which parts of a digit of seven segments are dark."""


def _digits(scene: Scene, text: str, x: float, y: float, w: float, h: float, step: float) -> None:
    """Digits of seven segments."""
    pen = w * 0.24
    places = {
        "a": (0, 0, w, pen), "b": (w - pen, 0, w, h / 2), "c": (w - pen, h / 2, w, h), "d": (0, h - pen, w, h),
        "e": (0, h / 2, pen, h), "f": (0, 0, pen, h / 2), "g": (0, h / 2 - pen / 2, w, h / 2 + pen / 2),
    }  # fmt: skip
    for column, digit in enumerate(text):
        left = x + step * column
        for segment in _SEGMENTS[digit]:
            ax, ay, bx, by = places[segment]
            scene.rect(left + ax, y + ay, left + bx, y + by, "#2A3A33")


def _display(scene: Scene, left: float, top: float, right: float, bottom: float) -> None:
    """Numbers on a grey screen, as a monitor of blood pressure shows them."""
    scene.rect(left, top, right, bottom, "#C9D6CC", "#B4C4B9", radius=0.014)
    wide, high = right - left, bottom - top
    for row, text in enumerate(("121", " 78", " 70")):
        y = top + high * (0.09 + 0.3 * row)
        _digits(scene, text, left + wide * 0.2, y, wide * 0.13, high * 0.235, wide * 0.24)


def _monitor(scene: Scene, color: str) -> None:
    """A monitor of blood pressure with the cuff for an arm."""
    ground(scene, 0.84, 0.38)
    ribbon(scene, [(0.56, 0.42), (0.66, 0.24), (0.76, 0.26), (0.8, 0.4)], 0.02, "#4A5058")
    cuff: list[Point] = [(0.63, 0.36), (0.95, 0.3), (0.98, 0.7), (0.66, 0.78)]
    scene.lit(cuff, light(color), dark(color))
    scene.polygon(oval(0.805, 0.335, 0.16, 0.05, -0.18), dark(color), mixed(color, "#15171C", 0.6))
    scene.polygon([(0.72, 0.5), (0.86, 0.475), (0.868, 0.6), (0.727, 0.627)], "#FFFFFF", alpha=0.75)
    scene.rect(0.08, 0.38, 0.64, 0.84, "#FFFFFF", "#D3D9E0", radius=0.06)
    scene.rect(0.08, 0.8, 0.64, 0.84, "#B9C0C9", radius=0.02)
    _display(scene, 0.12, 0.43, 0.42, 0.77)
    scene.ellipse(0.53, 0.52, 0.065, 0.065, light(color), dark(color))
    scene.icon("power", 0.53, 0.52, 0.06, "#FFFFFF")
    for y in (0.65, 0.72):
        scene.rect(0.47, y, 0.59, y + 0.04, "#C3CAD3", radius=0.02)


def _wrist_monitor(scene: Scene, color: str) -> None:
    """A monitor of blood pressure on a band for the wrist."""
    ground(scene, 0.86, 0.28)
    scene.polygon(oval(0.5, 0.56, 0.3, 0.3), light(color), dark(color))
    scene.polygon(oval(0.5, 0.6, 0.22, 0.22), mixed(color, "#15171C", 0.62), mixed(color, "#15171C", 0.4))
    scene.rect(0.24, 0.16, 0.76, 0.56, "#FFFFFF", "#CDD4DC", radius=0.07)
    _display(scene, 0.29, 0.205, 0.6, 0.515)
    scene.ellipse(0.68, 0.36, 0.045, 0.045, light(color), dark(color))


def _medicine(scene: Scene, color: str) -> None:
    """A box, and a sheet of pills before it."""
    ground(scene, 0.84, 0.36)
    scene.polygon([(0.16, 0.3), (0.24, 0.22), (0.86, 0.22), (0.78, 0.3)], "#FFFFFF", "#E4E8ED")
    scene.polygon([(0.78, 0.3), (0.86, 0.22), (0.86, 0.68), (0.78, 0.76)], "#C3CAD3", "#AEB6C0")
    scene.polygon([(0.16, 0.3), (0.78, 0.3), (0.78, 0.76), (0.16, 0.76)], "#FDFEFF", "#E9EDF1")
    scene.polygon([(0.16, 0.58), (0.78, 0.5), (0.78, 0.76), (0.16, 0.76)], light(color), color)
    scene.rect(0.21, 0.37, 0.25, 0.51, color)
    scene.rect(0.16, 0.42, 0.3, 0.46, color)
    for y, right in ((0.36, 0.7), (0.41, 0.6), (0.455, 0.52)):
        scene.rect(0.35, y, right, y + 0.022, mixed(color, "#3A3F47", 0.5), radius=0.008)
    sheet: list[Point] = [(0.36, 0.68), (0.88, 0.68), (0.84, 0.88), (0.3, 0.88)]
    scene.polygon(sheet, "#F4F6F8", "#B6BEC8")
    for row in range(2):
        for column in range(5):
            scene.ball(
                0.405 + 0.1 * column - 0.025 * row,
                0.735 + 0.09 * row,
                0.036,
                0.028,
                "#FFFFFF",
                mixed(color, "#FFFFFF", 0.2),
            )


def _pills(scene: Scene, color: str) -> None:
    """A bottle of pills, some of them before it."""
    ground(scene, 0.87, 0.28)
    scene.turned([(0.34, 0.12), (0.66, 0.12), (0.66, 0.25), (0.34, 0.25)], "#FFFFFF", "#B4BCC6")
    body: list[Point] = [
        (0.33, 0.26), (0.67, 0.26), (0.72, 0.33), (0.72, 0.83), (0.69, 0.87), (0.31, 0.87), (0.28, 0.83), (0.28, 0.33),
    ]  # fmt: skip
    scene.turned(body, light(color), dark(color))
    scene.turned([(0.28, 0.4), (0.72, 0.4), (0.72, 0.76), (0.28, 0.76)], "#FFFFFF", "#D3D9E0")
    label(scene, 0.35, 0.46, 0.65, 0.62, color)
    for y in (0.66, 0.7):
        scene.rect(0.38, y, 0.62, y + 0.015, "#8A919B", radius=0.006)
    for x, y in ((0.2, 0.84), (0.79, 0.86), (0.86, 0.82)):
        scene.ball(x, y, 0.045, 0.032, "#FFFFFF", mixed(color, "#FFFFFF", 0.15))


def _rice_cooker(scene: Scene, color: str) -> None:
    ground(scene, 0.84, 0.33)
    body: list[Point] = [
        (0.2, 0.38), (0.8, 0.38), (0.85, 0.52), (0.83, 0.74), (0.74, 0.84), (0.26, 0.84), (0.17, 0.74), (0.15, 0.52),
    ]  # fmt: skip
    scene.turned(smooth(body, 4), "#FFFFFF", mixed(color, "#8A9099", 0.4))
    lid = [(0.17, 0.42), *arc(0.5, 0.4, 0.33, 0.17, math.pi, 2 * math.pi), (0.83, 0.42)]
    scene.turned(lid, mixed(color, "#FFFFFF", 0.3), dark(color))
    scene.rect(0.16, 0.405, 0.84, 0.432, "#5C6169", "#33373D", radius=0.012)
    scene.rect(0.43, 0.26, 0.57, 0.29, "#33373D", radius=0.015)
    scene.rect(0.33, 0.52, 0.67, 0.75, "#30343A", "#1D2024", radius=0.035)
    scene.rect(0.38, 0.555, 0.62, 0.63, "#9FE0C0", radius=0.01)
    for x in (0.41, 0.5, 0.59):
        scene.ellipse(x, 0.69, 0.022, 0.022, "#E8EAEE")


def _glucose_meter(scene: Scene, color: str) -> None:
    """A meter of blood sugar with its strip and a pot of strips."""
    ground(scene, 0.86, 0.34)
    scene.turned([(0.66, 0.5), (0.88, 0.5), (0.88, 0.85), (0.66, 0.85)], "#FFFFFF", "#B4BCC6")
    scene.turned([(0.66, 0.58), (0.88, 0.58), (0.88, 0.76), (0.66, 0.76)], light(color), dark(color))
    scene.turned([(0.645, 0.42), (0.895, 0.42), (0.895, 0.5), (0.645, 0.5)], light(color), dark(color))
    scene.rect(0.345, 0.08, 0.415, 0.24, "#F4F6F8", "#C9CFD7", radius=0.01)
    scene.rect(0.365, 0.08, 0.395, 0.13, color)
    body: list[Point] = [(-0.13, -0.33), (-0.21, -0.26), (-0.23, 0.0), (-0.19, 0.28), (-0.1, 0.34)]
    scene.lit(placed(smooth(mirrored(body), 5), 0.38, 0.52), "#FFFFFF", "#BAC3CD")
    scene.rect(0.24, 0.28, 0.52, 0.56, "#C9D6CC", "#B4C4B9", radius=0.014)
    _digits(scene, "56", 0.29, 0.34, 0.075, 0.16, 0.115)
    scene.ellipse(0.385, 0.495, 0.012, 0.012, "#2A3A33")
    for x, tone in ((0.3, "#C3CAD3"), (0.46, "#C3CAD3"), (0.38, color)):
        scene.ellipse(x, 0.7, 0.04, 0.04, light(tone), dark(tone))


def _oximeter(scene: Scene, color: str) -> None:
    """A clip for a finger."""
    ground(scene, 0.78, 0.34)
    scene.rect(0.7, 0.5, 0.95, 0.66, "#F3D3BC", "#D9A98A", radius=0.075)
    scene.rect(0.16, 0.56, 0.78, 0.78, mixed(color, "#FFFFFF", 0.5), dark(color), radius=0.07)
    scene.rect(0.16, 0.33, 0.8, 0.57, "#FFFFFF", "#C9CFD8", radius=0.09)
    scene.rect(0.25, 0.375, 0.62, 0.525, "#22262C", radius=0.02)
    scene.icon("pulse", 0.34, 0.45, 0.12, "#6FE0A0")
    for x in (0.44, 0.52):
        scene.rect(x, 0.405, x + 0.05, 0.495, "#7FE3FF", radius=0.008)
        scene.rect(x + 0.013, 0.42, x + 0.037, 0.445, "#22262C")
        scene.rect(x + 0.013, 0.458, x + 0.037, 0.482, "#22262C")
    scene.ellipse(0.71, 0.45, 0.04, 0.04, light(color), dark(color))


def _cane(scene: Scene, color: str) -> None:
    """A stick with four feet."""
    ground(scene, 0.9, 0.26)
    for x in (0.3, 0.42, 0.62, 0.72):
        ribbon(scene, [(0.51, 0.74), (x, 0.88)], 0.024, "#9AA3AD")
        scene.rect(x - 0.032, 0.87, x + 0.032, 0.91, "#33373D", radius=0.012)
    ribbon(scene, [(0.51, 0.2), (0.51, 0.76)], 0.05, "#B9C1CB")
    ribbon(scene, [(0.502, 0.2), (0.502, 0.76)], 0.014, "#FFFFFF", 0.7)
    scene.rect(0.478, 0.42, 0.542, 0.5, light(color), dark(color), radius=0.012)
    grip = [(0.51, 0.22), (0.5, 0.13), (0.42, 0.1), (0.28, 0.115)]
    ribbon(scene, grip, 0.07, dark(color))
    ribbon(scene, [(x, y - 0.012) for x, y in grip], 0.02, light(color), 0.8)


def _bath_chair(scene: Scene, color: str) -> None:
    ground(scene, 0.88, 0.34)
    for x, lean in ((0.27, -0.05), (0.73, 0.05), (0.35, -0.02), (0.65, 0.02)):
        bottom = 0.9 if lean in (-0.05, 0.05) else 0.82
        ribbon(scene, [(x, 0.52), (x + lean, bottom)], 0.034, "#AEB6C0")
        scene.rect(x + lean - 0.03, bottom - 0.03, x + lean + 0.03, bottom + 0.012, "#33373D", radius=0.012)
    for x in (0.27, 0.73):
        ribbon(scene, [(x, 0.16), (x, 0.54)], 0.036, "#AEB6C0")
    scene.rect(0.24, 0.14, 0.76, 0.31, light(color), dark(color), radius=0.05)
    seat: list[Point] = [(0.24, 0.46), (0.76, 0.46), (0.83, 0.58), (0.17, 0.58)]
    scene.polygon(seat, mixed(color, "#FFFFFF", 0.55), color)
    scene.rect(0.165, 0.575, 0.835, 0.62, dark(color), radius=0.02)
    for x in (0.36, 0.45, 0.55, 0.64):
        scene.ellipse(x, 0.52, 0.016, 0.012, dark(color), alpha=0.6)


def _kettle(scene: Scene, color: str) -> None:
    ground(scene, 0.89, 0.28)
    ribbon(scene, [(0.6, 0.27), (0.82, 0.29), (0.84, 0.4), (0.79, 0.68), (0.7, 0.72)], 0.056, "#2C3036")
    scene.polygon([(0.35, 0.3), (0.2, 0.3), (0.29, 0.46)], light(color), dark(color))
    scene.turned([(0.34, 0.28), (0.64, 0.28), (0.73, 0.82), (0.27, 0.82)], mixed(color, "#FFFFFF", 0.6), dark(color))
    scene.turned([(0.26, 0.82), (0.74, 0.82), (0.76, 0.89), (0.24, 0.89)], "#54585F", "#26292E")
    scene.turned([(0.35, 0.22), (0.63, 0.22), (0.645, 0.29), (0.335, 0.29)], "#54585F", "#26292E")
    scene.rect(0.46, 0.17, 0.52, 0.225, "#33373D", radius=0.015)
    scene.rect(0.36, 0.42, 0.39, 0.74, "#DDF0FA", alpha=0.7, radius=0.012)


def _phone(scene: Scene, color: str) -> None:
    """A smartphone from before and, behind it, from the back."""
    ground(scene, 0.9, 0.3)
    scene.rect(0.46, 0.12, 0.8, 0.86, light(color), dark(color), radius=0.055)
    scene.rect(0.49, 0.15, 0.6, 0.32, mixed(color, "#15171C", 0.2), radius=0.035)
    for y in (0.19, 0.27):
        scene.ellipse(0.545, y, 0.03, 0.03, "#4A4E55", "#101216")
    scene.rect(0.2, 0.16, 0.56, 0.9, "#15171C", radius=0.055)
    scene.rect(0.212, 0.172, 0.548, 0.888, mixed(color, "#FFFFFF", 0.4), mixed(color, "#2A1A4A", 0.3), radius=0.045)
    scene.ellipse(0.38, 0.205, 0.012, 0.012, "#15171C")
    for row in range(2):
        for column in range(4):
            x, y = 0.265 + 0.078 * column, 0.7 + 0.09 * row
            scene.rect(x - 0.024, y, x + 0.024, y + 0.048, "#FFFFFF", radius=0.014, alpha=0.85)


def _keypad_phone(scene: Scene, color: str) -> None:
    """A telephone with large keys."""
    ground(scene, 0.92, 0.22)
    scene.rect(0.3, 0.07, 0.7, 0.93, light(color), dark(color), radius=0.08)
    scene.rect(0.345, 0.13, 0.655, 0.4, "#15171C", radius=0.02)
    scene.rect(0.36, 0.145, 0.64, 0.385, "#BFE3F5", "#7FB6DA")
    for x in (0.42, 0.5, 0.58):
        scene.rect(x - 0.022, 0.2, x + 0.022, 0.29, "#22262C", radius=0.008)
    for row in range(4):
        for column in range(3):
            x, y = 0.345 + 0.108 * column, 0.51 + 0.096 * row
            scene.rect(x, y, x + 0.094, y + 0.074, "#FFFFFF", "#D5D9E0", radius=0.02)
            scene.rect(x + 0.036, y + 0.022, x + 0.058, y + 0.052, "#3A3F47", radius=0.004)
    for x, tone in ((0.345, "#3E9B5A"), (0.561, "#C2352B")):
        scene.rect(x, 0.43, x + 0.094, 0.485, tone, radius=0.02)


def _television(scene: Scene, color: str) -> None:
    ground(scene, 0.83, 0.34)
    scene.polygon([(0.43, 0.7), (0.57, 0.7), (0.62, 0.82), (0.38, 0.82)], "#54585F", "#26292E")
    scene.rect(0.3, 0.81, 0.7, 0.835, "#33373D", radius=0.01)
    scene.rect(0.06, 0.18, 0.94, 0.72, "#15171C", radius=0.018)
    scene.rect(0.075, 0.195, 0.925, 0.7, mixed(color, "#4FA8E0", 0.6), mixed(color, "#F7C98A", 0.6))
    scene.ellipse(0.68, 0.36, 0.06, 0.06, "#FFF3C4")
    scene.polygon(
        [(0.075, 0.7), (0.075, 0.56), (0.28, 0.4), (0.46, 0.56), (0.62, 0.46), (0.925, 0.63), (0.925, 0.7)],
        mixed(color, "#1B3A4A", 0.6),
    )
    scene.polygon([(0.075, 0.195), (0.42, 0.195), (0.22, 0.7), (0.075, 0.7)], "#FFFFFF", alpha=0.1)


def _sunrise_clock(scene: Scene, color: str) -> None:
    """A round lamp that wakes with light, the time in its middle."""
    ground(scene, 0.86, 0.26)
    scene.glow(0.5, 0.48, 0.48, 0.48, "#FFE3A0", 0.7)
    scene.rect(0.34, 0.8, 0.66, 0.87, "#F4F6F8", "#B4BCC6", radius=0.03)
    scene.ellipse(0.5, 0.48, 0.36, 0.36, "#FFFFFF", "#D5D9E0")
    scene.ellipse(0.5, 0.48, 0.32, 0.32, "#FFD98A", mixed("#F08A4B", color, 0.3))
    scene.ellipse(0.5, 0.48, 0.2, 0.2, "#FFF6E0", "#FFE6B8")
    _digits(scene, "0710", 0.365, 0.435, 0.045, 0.09, 0.063)
    for y in (0.46, 0.5):
        scene.ellipse(0.5, y, 0.008, 0.008, "#2A3A33")


DRAWN: dict[str, Callable[[Scene, str], None]] = {
    "bath-chair": _bath_chair,
    "blood-pressure-monitor": _monitor,
    "electric-kettle": _kettle,
    "flat-screen": _television,
    "glucose-meter": _glucose_meter,
    "keypad-phone": _keypad_phone,
    "medicine-box": _medicine,
    "oximeter": _oximeter,
    "pill-bottle": _pills,
    "rice-cooker": _rice_cooker,
    "smartphone": _phone,
    "sunrise-clock": _sunrise_clock,
    "walking-cane": _cane,
    "wrist-monitor": _wrist_monitor,
}
