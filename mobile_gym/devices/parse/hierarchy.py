"""`uiautomator dump`: the XML that it writes, and what it prints instead when it fails."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from typing import Final

from mobile_gym.devices.parse.common import ParseError, android_integer
from mobile_gym.devices.ui_tree import Bounds, UiNode, UiTree

_MAX_DEPTH: Final = 400  # `UiNode.walk` recurses; no screen is nested as deeply
_REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"
_DUMPED = re.compile(r"UI hier(?:archy|chary) dumped to:\s*(\S.*?)\s*$", re.MULTILINE)
_OPEN = re.compile(r"<(?:hierarchy|displays)(?=[\s/>])")
_BOUNDS = re.compile(r"\s*\[\s*(-?\d{1,9})\s*,\s*(-?\d{1,9})\s*\]\s*\[\s*(-?\d{1,9})\s*,\s*(-?\d{1,9})\s*\]\s*")
_REFERENCE = re.compile(r"(?:&#(?:\d{1,9}|[xX][0-9a-fA-F]{1,8});)+")
_ONE_REFERENCE = re.compile(r"&#(?:(\d+)|[xX]([0-9a-fA-F]+));")
_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_FAILURES: Final = (
    ("could not get idle state", "the screen did not come to rest"),
    ("null root node", "no window could be read"),
    ("Illegal character", "this Android cannot write a character of the screen, such as an emoji"),
    ("NullPointerException", "the dump crashed while the screen was changing"),
    ("Killed", "the dump was killed"),
    ("not registered", "another program holds the accessibility connection"),
    ("already registered", "another program holds the accessibility connection"),
)


class HierarchyError(ParseError):
    """There is no readable hierarchy in an answer.

    Args:
        reason: why, in words.
        text: what the device said.
    """

    def __init__(self, reason: str, text: str = "") -> None:
        super().__init__(f"no UI hierarchy: {reason}", text)
        self.reason = reason


def dump_path(answer: str) -> str | None:
    """The path that `uiautomator dump` says it wrote, or None where it says none.

    Old devices write to another path than was asked for, and name it here.
    """
    found = _DUMPED.search(answer.replace("\r", ""))
    return found[1] if found else None


def dump_failure(answer: str) -> HierarchyError:
    """The error for an answer of `uiautomator dump` (standard output and error) that names no file."""
    for words, reason in _FAILURES:
        if words in answer:
            return HierarchyError(reason, answer)
    if not answer.strip():
        return HierarchyError("the dump ended without a word, as it does when it crashes while the screen changes")
    return HierarchyError("the dump failed", answer)


def parse_hierarchy(data: bytes | str, size: tuple[int, int] | None = None) -> UiTree:
    """Reads a hierarchy.

    Text before and after the XML, CRLF, characters that XML forbids (they become U+FFFD), halves of surrogate pairs,
    several roots, several windows (`--windows`; only the focused one is kept where one is) and missing attributes are
    all fine. Empty and inverted bounds stay as they are: `UiTree.visible` leaves such nodes out.

    Args:
        data: what the file or the standard output held.
        size: width and height of the screen as it is turned, pixels; by default as far as the roots reach.

    Raises:
        HierarchyError: there is no whole hierarchy, or it declares a document type (which could define entities).
    """
    text = _decode(data)
    notes: list[str] = []
    roots: list[UiNode] = []
    rotation: int | None = None
    for document in _documents(text):
        for hierarchy in _hierarchies(document, notes):
            if rotation is None:
                rotation = _rotation(hierarchy, notes)
            roots.extend(_node(child, 1, notes) for child in hierarchy)
    if not roots:
        notes.append("the hierarchy has no nodes")
    if size is None:
        size = (max((r.bounds.right for r in roots), default=0), max((r.bounds.bottom for r in roots), default=0))
    return UiTree(tuple(roots), rotation or 0, size, tuple(notes))


def _decode(data: bytes | str) -> str:
    if isinstance(data, bytes):
        try:
            text = data.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            text = data.decode("utf-8", "replace")
    else:
        text = data
    if any("\ud800" <= char <= "\udfff" for char in text):
        # Halves that belong together become one character, and lone ones U+FFFD.
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _documents(text: str) -> list[ElementTree.Element]:
    """The documents in a text, which may hold anything before, between and after them."""
    found: list[ElementTree.Element] = []
    position = 0
    while (opened := _OPEN.search(text, position)) is not None:
        tag = opened[0][1:]
        if _is_declared(text[position : opened.start()]):
            raise HierarchyError("it declares a document type, which no Android writes", text)
        empty = re.compile(r"[^<>]*/>").match(text, opened.end())
        if empty is not None:
            end = empty.end()
        else:
            closing = f"</{tag}>"
            at = text.find(closing, opened.end())
            if at < 0:
                raise HierarchyError("the XML is cut off", text)
            end = at + len(closing)
        found.append(_parse(text[opened.start() : end]))
        position = end
    if not found:
        raise dump_failure(text)
    return found


def _is_declared(text: str) -> bool:
    return "<!DOCTYPE" in text or "<!ENTITY" in text


def _parse(source: str) -> ElementTree.Element:
    if _is_declared(source):
        raise HierarchyError("it declares a document type, which no Android writes", source)
    source = _ILLEGAL.sub(_REPLACEMENT, _REFERENCE.sub(_references, source))
    try:
        return ElementTree.fromstring(source)
    except ElementTree.ParseError as error:
        raise HierarchyError(f"the XML is broken ({error})", source) from error


def _references(match: re.Match[str]) -> str:
    """A run of numeric references with surrogate halves joined and characters that XML forbids replaced."""
    units: list[int] = []
    for one in _ONE_REFERENCE.finditer(match[0]):
        value = int(one[1]) if one[1] else int(one[2], 16)
        if units and 0xD800 <= units[-1] < 0xDC00 and 0xDC00 <= value < 0xE000:
            units[-1] = 0x10000 + ((units[-1] - 0xD800) << 10) + (value - 0xDC00)
        else:
            units.append(value)
    return "".join(f"&#{unit};" if _allowed(unit) else _REPLACEMENT for unit in units)


def _allowed(unit: int) -> bool:
    return unit <= 0x10FFFF and _ILLEGAL.match(chr(unit)) is None


def _hierarchies(document: ElementTree.Element, notes: list[str]) -> list[ElementTree.Element]:
    if document.tag == "hierarchy":
        return [document]
    windows = [window for window in document.iter("window") if window.find("hierarchy") is not None]
    focused = [window for window in windows if window.get("focused") == "true"] or [
        window for window in windows if window.get("active") == "true"
    ]
    if focused:
        if len(windows) > len(focused):
            notes.append(f"{len(windows) - len(focused)} windows without the focus were left out")
        windows = focused
    return [hierarchy for window in windows for hierarchy in window.findall("hierarchy")]


def _rotation(hierarchy: ElementTree.Element, notes: list[str]) -> int:
    value = android_integer(hierarchy.get("rotation", "0").strip())
    if value is None or not 0 <= value <= 3:
        notes.append(f"the rotation {hierarchy.get('rotation')!r} is unknown; 0 was taken")
        return 0
    return value


def _node(element: ElementTree.Element, depth: int, notes: list[str]) -> UiNode:
    if depth > _MAX_DEPTH:
        raise HierarchyError(f"it is nested deeper than {_MAX_DEPTH} nodes")

    def flag(name: str, default: bool = False) -> bool:
        value = element.get(name)
        return default if value is None else value.strip() == "true"

    children: list[UiNode] = []
    for child in element:  # a loop, not a generator: half the stack
        children.append(_node(child, depth + 1, notes))
    class_name = element.get("class", "") or ("" if element.tag == "node" else element.tag)
    return UiNode(
        index=android_integer(element.get("index", "0").strip()) or 0,
        text=element.get("text", ""),
        resource_id=element.get("resource-id", ""),
        class_name=class_name,
        package=element.get("package", ""),
        content_desc=element.get("content-desc", ""),
        checkable=flag("checkable"),
        checked=flag("checked"),
        clickable=flag("clickable"),
        enabled=flag("enabled", True),
        focusable=flag("focusable"),
        focused=flag("focused"),
        scrollable=flag("scrollable"),
        long_clickable=flag("long-clickable"),
        password=flag("password"),
        selected=flag("selected"),
        bounds=_bounds(element, notes),
        hint=element.get("hint", ""),
        children=tuple(children),
    )


def _bounds(element: ElementTree.Element, notes: list[str]) -> Bounds:
    value = element.get("bounds")
    if value is None:
        return Bounds(0, 0, 0, 0)
    match = _BOUNDS.fullmatch(value)
    if match is None:
        notes.append(f"the bounds {value!r} are unreadable; the node has no place")
        return Bounds(0, 0, 0, 0)
    return Bounds(int(match[1]), int(match[2]), int(match[3]), int(match[4]))
