"""Process records: what was done on the way, and whether the operations that a task requires are among it.

ProBench judges process-related tasks by the element of each click: the smallest clickable one that holds the point, by
its text and description, else by its resource-id and what lies in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import field_validator, model_validator

from mobile_gym.assets.documents import Strict, TextLike
from mobile_gym.devices.ui_tree import UiNode, UiTree
from mobile_gym.reward.normal_forms import same_text
from mobile_gym.reward.protocol_actions import ALL_ACTIONS


@dataclass(frozen=True, slots=True)
class ProcessEntry:
    """One action of an episode.

    Attributes:
        kind: lower-case word of the action.
        element: texts of the element that was touched, its own first; its resource-id where it has none.
        text: what was typed, answered or opened.
        package: what was in front before the action.
    """

    kind: str
    element: tuple[str, ...] = ()
    text: str = ""
    package: str = ""


class Operation(Strict):
    """An operation that a task requires on the way. Operations must come in the order that the task gives.

    Attributes:
        do: the kind of action.
        target: a text of the element that is touched, compared by meaning, or its resource-id.
        text: what is typed.
        app: package in front.
    """

    do: str
    target: TextLike | None = None
    text: TextLike | None = None
    app: str | None = None

    @field_validator("do")
    @classmethod
    def _known(cls, value: str) -> str:
        if value not in ALL_ACTIONS:
            raise ValueError(f"'{value}' is no action; there are {', '.join(sorted(ALL_ACTIONS))}")
        return value

    @model_validator(mode="after")
    def _something(self) -> Operation:
        if self.target is None and self.text is None and self.app is None:
            raise ValueError("an operation needs a target, a text or an app")
        return self

    def is_done_by(self, entry: ProcessEntry) -> bool:
        """Whether an action is this operation."""
        return (
            entry.kind == self.do
            and (self.target is None or any(same_text(self.target, text) for text in entry.element))
            and (self.text is None or same_text(self.text, entry.text))
            and (self.app is None or self.app == entry.package)
        )


def element_at(tree: UiTree, x: int, y: int) -> tuple[str, ...]:
    """What the element at a pixel is called: texts of the smallest clickable node there, of it and of what lies in it.

    Args:
        tree: the screen before the touch.
        x: pixel from the left.
        y: pixel from the top.
    """
    there = [node for node in tree.walk() if node.bounds.contains(x, y)]
    clickable = [node for node in there if node.clickable]
    if not there:
        return ()
    node = min(clickable or there, key=_area)
    texts = [text for part in node.walk() for text in (part.text, part.content_desc) if text]
    own_id = (node.resource_id,) if node.resource_id else ()
    return (*dict.fromkeys(texts), *own_id)


def _area(node: UiNode) -> int:
    box = node.bounds
    return (box.right - box.left) * (box.bottom - box.top)


def operations_done(operations: Sequence[Operation], record: Sequence[ProcessEntry]) -> tuple[bool, ...]:
    """Which of the required operations were done: each after the one before it."""
    done: list[bool] = []
    at = 0
    for operation in operations:
        found = next((index for index in range(at, len(record)) if operation.is_done_by(record[index])), None)
        done.append(found is not None)
        if found is not None:
            at = found + 1
    return tuple(done)
