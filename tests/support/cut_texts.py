"""What large text does to a screen: texts that end in an ellipsis, and words and numbers broken over two lines."""

from __future__ import annotations

import re
from itertools import pairwise

from mobile_gym.phone.ui.node import Node

ELLIPSIS = "\u2026"
_INSIDE = re.compile(r"[A-Za-z0-9.,][A-Za-z0-9]")


def cut_texts(root: Node) -> list[str]:
    """The texts of a laid-out tree that show but are cut or broken.

    Args:
        root: the root of a window, as `phone.windows.windows` holds it.
    """
    return [
        node.text
        for node in root.walk()
        if node.kind == "text" and node.visible is not None and (_is_cut(node) or _is_broken(node))
    ]


def _is_cut(node: Node) -> bool:
    return bool(node.lines) and node.lines[-1].endswith(ELLIPSIS) and not node.text.endswith(ELLIPSIS)


def _is_broken(node: Node) -> bool:
    return any(
        _INSIDE.fullmatch(one[-1:] + other[:1]) is not None and one + other in node.text
        for one, other in pairwise(node.lines)
    )
