"""`mobile-gym gallery`: pictures of the embedded phone's screens, the same ones each time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

import typer
import yaml
from PIL import Image

from mobile_gym.devices.base import Frame
from mobile_gym.devices.embedded import EmbeddedDevice
from mobile_gym.devices.errors import DeviceError
from mobile_gym.devices.selectors import Selector, find, tap_point

PACKAGE = "mobile_gym.cli"
SCREEN_WIDTH = 300
"""Width of one screen on a sheet, pixels."""
COLUMNS = 6
GAP = 12
_PAPER = (226, 229, 236)
_QUALITY = 82
_DARK = ("secure", "ui_night_mode", "2")
_WORDS = {"id": "resource_id", "text": "text", "desc": "desc"}


class GalleryError(ValueError):
    """A picture that could not be made; names it and the step."""


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: its name, what the index calls it, and the steps that lead to the screen."""

    name: str
    title: str
    steps: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Variant:
    """How the phone is set: profile, language, theme, size of text."""

    profile: str
    language: str
    dark: bool
    font_scale: float

    @property
    def name(self) -> str:
        """Such as `zh-light-1.0`; another phone than the first goes before."""
        parts = [] if self.profile == "pixel_6a" else [self.profile]
        return "-".join([*parts, self.language, "dark" if self.dark else "light", f"{self.font_scale:.1f}"])

    @property
    def title(self) -> str:
        """The variant in words."""
        language = {"zh": "Chinese", "en": "English"}[self.language]
        theme = "dark" if self.dark else "light"
        size = "" if self.font_scale == 1.0 else f", text at {self.font_scale:g}"
        phone = "" if self.profile == "pixel_6a" else f", on the phone `{self.profile}`"
        return f"{language}, {theme}{size}{phone}"


VARIANTS = (
    *(
        Variant("pixel_6a", lang, dark, scale)
        for scale in (1.0, 1.3)
        for lang in ("zh", "en")
        for dark in (False, True)
    ),
    Variant("small", "zh", False, 1.0),
)


def gallery(
    out: Annotated[Path, typer.Option(help="The folder of the pictures.")] = Path("docs/gallery"),
    only: Annotated[str, typer.Option(help="Screens, separated by commas; all without.")] = "",
    variants: Annotated[str, typer.Option(help="Variants such as zh-light-1.0, by commas; all without.")] = "",
    single: Annotated[bool, typer.Option("--single", help="Also each screen by itself, in full size.")] = False,
) -> None:
    """Makes pictures of the embedded phone: a sheet for each language, theme and size of text, and an index."""
    try:
        shots, montage = load_shots()
        shots = _chosen(shots, only, "screen")
        settings = _chosen(VARIANTS, variants, "variant")
        out.mkdir(parents=True, exist_ok=True)
        for variant in settings:
            frames = photograph(variant, shots)
            save_sheet([frames[shot.name] for shot in shots], out / f"{variant.name}.webp")
            if variant == VARIANTS[0] and all(name in frames for name in montage):
                save_montage([frames[name] for name in montage], out / "phone.png")
            if single:
                folder = out / variant.name
                folder.mkdir(exist_ok=True)
                for name, frame in frames.items():
                    Image.fromarray(frame).save(folder / f"{name}.png")
            typer.echo(f"{variant.name}: {len(frames)} screens")
        if not only and not variants:
            (out / "README.md").write_text(index(shots, settings), encoding="utf-8")
    except GalleryError as problem:
        typer.echo(f"error: {problem}", err=True)
        raise typer.Exit(2) from problem
    typer.echo(f"in {out}")


def load_shots() -> tuple[tuple[Shot, ...], tuple[str, ...]]:
    """The pictures of `gallery.yaml` in order, and the names of those on the montage."""
    data = yaml.safe_load(files(PACKAGE).joinpath("gallery.yaml").read_text(encoding="utf-8"))
    shots = tuple(Shot(entry["name"], entry["title"], tuple(entry["steps"])) for entry in data["screens"])
    return shots, tuple(data["montage"])


def photograph(variant: Variant, shots: Sequence[Shot]) -> dict[str, Frame]:
    """Full-size frames of the screens, by name.

    Raises:
        GalleryError: a step is unknown or finds nothing to touch.
    """
    frames: dict[str, Frame] = {}
    with EmbeddedDevice(variant.profile, language=variant.language, snapshot="lived_in") as device:
        for shot in shots:
            device.snapshots.load("lived_in")
            device.settings.put("system", "font_scale", f"{variant.font_scale:g}")
            if variant.dark:
                device.settings.put(*_DARK)
            for number, step in enumerate(shot.steps, start=1):
                try:
                    _act(device, step, variant.language)
                except (DeviceError, ValueError) as problem:
                    raise GalleryError(f"{shot.name} in {variant.name}, step {number}: {problem}") from problem
                device.settle()
            frames[shot.name] = device.screenshot()
    return frames


def _act(device: EmbeddedDevice, step: Mapping[str, Any], language: str) -> None:
    ((kind, spec),) = step.items()
    deeds: dict[str, Callable[[Any], object]] = {
        "open": device.open_app,
        "start": device.start_activity,
        "tap": lambda element: device.tap(*_place(device, element, language)),
        "long_press": lambda element: device.long_press(*_place(device, element, language)),
        "type": lambda text: device.type_text(_in_language(text, language)),
        "keys": lambda letters: _keys(device, _in_language(letters, language)),
        "press": device.press,
        "swipe": partial(_swipe, device),
        "shell": device.shell,
        "sms": lambda sms: device.send_sms(_in_language(sms["from"], language), _in_language(sms["body"], language)),
        "call": lambda number: device.incoming_call(_in_language(number, language)),
        "ask": lambda question: device.phone.request_permission(question["package"], question["permission"]),
    }
    if kind not in deeds:
        raise GalleryError(f"unknown step {kind!r}; there are {', '.join(deeds)}")
    deeds[kind](spec)


def _place(device: EmbeddedDevice, element: Any, language: str) -> tuple[int, int]:
    """The pixel where an element is touched."""
    spec = dict(element) if isinstance(element, Mapping) else {"id": element}
    number = int(spec.pop("index", 0))
    selector = Selector(**{_WORDS[word]: _in_language(value, language) for word, value in spec.items()}, index=number)
    tree = device.hierarchy()
    found = find(tree, selector)
    if not found:
        shown = ", ".join(node.text or node.content_desc for node in tree.walk() if node.text or node.content_desc)
        raise GalleryError(f"no element {element!r} on the screen, which shows {shown}")
    return tap_point(tree, found[0])


def _swipe(device: EmbeddedDevice, direction: str) -> None:
    """Swipes over the middle of the screen."""
    x, low, high = device.info.width // 2, device.info.height * 7 // 10, device.info.height * 3 // 10
    start, end = (low, high) if direction == "up" else (high, low)
    device.swipe(x, start, x, end)


def _keys(device: EmbeddedDevice, letters: str) -> None:
    """Taps keys of the keyboard on the screen."""
    for letter in letters:
        nodes = (node for window in device.phone.windows.windows for node in window.root.walk())
        box = next((node.visible for node in nodes if node.id == f"key_{letter}" and node.visible is not None), None)
        if box is None:
            raise GalleryError(f"the keyboard has no key {letter!r}, or does not show")
        device.tap((box[0] + box[2]) // 2, (box[1] + box[3]) // 2)


def _in_language(text: Any, language: str) -> str:
    return str(text[language] if isinstance(text, Mapping) else text)


def _small(frame: Frame, width: int) -> Image.Image:
    picture = Image.fromarray(frame)
    return picture.resize((width, round(picture.height * width / picture.width)), Image.Resampling.LANCZOS)


def _arranged(frames: Sequence[Frame], width: int, columns: int) -> Image.Image:
    """Screens side by side, row by row."""
    pictures = [_small(frame, width) for frame in frames]
    height = max(picture.height for picture in pictures)
    rows = -(-len(pictures) // columns)
    across = min(columns, len(pictures))
    sheet = Image.new("RGB", (across * (width + GAP) + GAP, rows * (height + GAP) + GAP), _PAPER)
    for number, picture in enumerate(pictures):
        row, column = divmod(number, columns)
        sheet.paste(picture, (GAP + column * (width + GAP), GAP + row * (height + GAP)))
    return sheet


def save_sheet(frames: Sequence[Frame], path: Path) -> None:
    """Saves screens as one WebP picture, `COLUMNS` a row."""
    _arranged(frames, SCREEN_WIDTH, COLUMNS).save(path, quality=_QUALITY, method=6)


def save_montage(frames: Sequence[Frame], path: Path) -> None:
    """Saves screens in one row as a PNG picture."""
    _arranged(frames, SCREEN_WIDTH, len(frames)).save(path, optimize=True)


def index(shots: Sequence[Shot], variants: Sequence[Variant]) -> str:
    """The index of the sheets as Markdown."""
    lines = [
        "# Gallery",
        "",
        "Screens of the embedded phone with a month of daily life on it. `mobile-gym gallery` makes them anew.",
        "",
        f"On each sheet, {COLUMNS} a row:",
        "",
    ]
    for start in range(0, len(shots), COLUMNS):
        titles = " · ".join(shot.title for shot in shots[start : start + COLUMNS])
        lines.append(f"{start // COLUMNS + 1}. {titles}")
    for variant in variants:
        lines += ["", f"## {variant.title}", "", f"![{variant.title}]({variant.name}.webp)"]
    return "\n".join(lines) + "\n"


def _chosen(entries: Sequence[Any], names: str, what: str) -> tuple[Any, ...]:
    """The entries that are named, in their own order; all where none is.

    Raises:
        GalleryError: there is none of a name.
    """
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    known = [entry.name for entry in entries]
    for name in wanted:
        if name not in known:
            raise GalleryError(f"there is no {what} {name!r}; there are {', '.join(known)}")
    return tuple(entry for entry in entries if not wanted or entry.name in wanted)
