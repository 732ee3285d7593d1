"""A draw: how much of an older version differs from the page as it is, drawn by a seed."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from mobile_gym.task_registry.grounding.own import parts
from mobile_gym.task_registry.grounding.own.capture import Capture
from mobile_gym.task_registry.grounding.own.looks import look
from mobile_gym.task_registry.grounding.own.retired import Entry, notices, retired

LOOK = "old"
_ROWS = 3
"""Where there are so many rows, another height of rows moves most of the page."""


@dataclass
class Draw:
    """What a draw does, and what it has still to give out."""

    chance: random.Random
    drop: float
    insert: float
    rename: float
    swap: float
    rows: tuple[float, float | None]
    notice: str
    rises: bool
    language: str
    closed: bool
    """Whether nothing is put in: over the page lies a dialog or a sheet, or it is a form."""
    over: bool
    """Whether a dialog or a sheet lies over the page."""
    rows_left: list[Entry] = field(default_factory=list)
    actions_left: list[Entry] = field(default_factory=list)
    made: int = 0


def drawn(screen: Capture, variant: int, page: str) -> Draw:
    """The draw of a page.

    Args:
        screen: the page as it is.
        variant: the draw's number.
        page: the page's name, which the draw starts from.
    """
    chance = random.Random(f"{screen.package}/{page}/{variant}")
    nodes = [node for layer in screen.layers for node in layer.root.walk()]
    texts = {node.text for node in nodes} | {node.desc for node in nodes}
    language = screen.language
    left = [
        [entry for entry in retired(kind, screen.package, screen.screen) if entry[language] not in texts]
        for kind in ("rows", "actions")
    ]
    for entries in left:
        chance.shuffle(entries)
    heights = look(LOOK)["rows"]
    factor, pad = heights[chance.randrange(len(heights))]
    told = notices(screen.package, language)
    over = len(screen.layers) > 1
    menu = over and any(parts.is_menu(node) for node in screen.layers[-1].root.walk())
    notice = chance.choice(told) if told and not over and chance.random() < 0.5 else ""
    # Elements that are called otherwise and stand where they stood are rare (table 3): names change with the layout.
    moves = bool(notice) or (float(factor) != 1.0 and sum(parts.is_row(node) for node in nodes) >= _ROWS)
    return Draw(
        chance,
        drop=chance.choice((0.2, 0.35, 0.5, 0.6, 0.6)),
        insert=chance.choice((0.3, 0.7, 1.0)),
        rename=chance.choice((0.0, 0.5, 1.0, 1.0)) if moves else 0.0,
        swap=chance.choice((0.0, 0.0, 0.3, 0.6)),
        rows=(float(factor), None if pad is None else float(pad)),
        notice=notice,
        rises=chance.random() < 0.75,
        language=language,
        closed=(over and not menu) or any(node.kind == "field" and node.action != "search" for node in nodes),
        over=over and not menu,
        # What stands among the actions of a bar stands among those of a menu too.
        rows_left=left[menu],
        actions_left=left[True],
    )
