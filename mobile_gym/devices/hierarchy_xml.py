"""The hierarchy as text: a `UiTree` in the form that UIAutomator dumps."""

from __future__ import annotations

from xml.sax.saxutils import quoteattr

from mobile_gym.devices.ui_tree import UiNode, UiTree

_FLAGS = (
    "checkable",
    "checked",
    "clickable",
    "enabled",
    "focusable",
    "focused",
    "scrollable",
    "long_clickable",
    "password",
    "selected",
)
_NAMES = {flag: flag.replace("_", "-") for flag in _FLAGS}
_FORBIDDEN = dict.fromkeys((*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), 0xFFFE, 0xFFFF), "�")


def to_xml(tree: UiTree) -> str:
    """The tree as XML, `<hierarchy rotation="0"><node …>`; characters that XML forbids become U+FFFD."""
    parts = [f'<hierarchy rotation="{tree.rotation}">']
    for root in tree.roots:
        _write(root, parts)
    parts.append("</hierarchy>")
    return "".join(parts)


def _write(node: UiNode, parts: list[str]) -> None:
    box = node.bounds
    flags = " ".join(f'{_NAMES[flag]}="{"true" if getattr(node, flag) else "false"}"' for flag in _FLAGS)
    hint = f" hint={_quoted(node.hint)}" if node.hint else ""
    parts.append(
        f'<node index="{node.index}" text={_quoted(node.text)} resource-id={_quoted(node.resource_id)} '
        f"class={_quoted(node.class_name)} package={_quoted(node.package)} content-desc={_quoted(node.content_desc)} "
        f'{flags} bounds="[{box.left},{box.top}][{box.right},{box.bottom}]"{hint}'
    )
    if not node.children:
        parts.append("/>")
        return
    parts.append(">")
    for child in node.children:
        _write(child, parts)
    parts.append("</node>")


def _quoted(text: str) -> str:
    return quoteattr(text.translate(_FORBIDDEN), {"\n": "&#10;", "\t": "&#9;", "\r": "&#13;"})
