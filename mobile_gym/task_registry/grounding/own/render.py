"""Renderings: the layers of a screen laid out for a platform, and painted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mobile_gym.phone.ui.display import Clip, DisplayList
from mobile_gym.phone.ui.layout import Layouter
from mobile_gym.phone.ui.metrics import metrics_for
from mobile_gym.phone.ui.node import Node
from mobile_gym.phone.ui.paint import Frame, paint
from mobile_gym.phone.ui.theme import Theme
from mobile_gym.task_registry.grounding.own.capture import copied
from mobile_gym.task_registry.grounding.own.elements import Element, elements_of


@dataclass(frozen=True, slots=True)
class Pane:
    """One window of a rendering.

    Attributes:
        root: its tree, not laid out.
        box: its place, pixels.
        scrim: percent of black over what is under it.
        app: whether it is the app's: its elements may be meant, and texts have its size.
        under: the colour that lies under the whole window, where that is known.
    """

    root: Node
    box: Clip
    scrim: int = 0
    app: bool = True
    under: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """A rendering that is not laid out yet.

    Attributes:
        size: width and height, pixels.
        density: pixels of one dp.
        theme: colours.
        panes: windows, bottom first.
        insets: dp that spaces with an inset take.
        font_scale: of the app's windows.
        files: bytes of pictures that lie in files, by source.
    """

    size: tuple[int, int]
    density: float
    theme: Theme
    panes: tuple[Pane, ...]
    insets: Mapping[str, float]
    font_scale: float
    files: Mapping[str, bytes | None] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Rendered:
    """A rendering that is laid out.

    Attributes:
        plan: what was laid out.
        ops: what draws it.
        elements: elements of its topmost window, parents first.
    """

    plan: Plan
    ops: DisplayList = field(repr=False)
    elements: tuple[Element, ...]


def lay_out(plan: Plan) -> Rendered:
    """Lays a rendering out and finds its elements."""
    metrics = metrics_for(plan.density, 1.0), metrics_for(plan.density, plan.font_scale)
    insets = {name: metrics[0].px(size) for name, size in plan.insets.items()}
    ops: DisplayList = []
    top: Node | None = None
    for pane, dim in zip(plan.panes, _dims(plan.panes), strict=True):
        root = copied(pane.root)
        layouter = Layouter(metrics[pane.app], plan.theme, {}, insets)
        layouter.under = None if pane.under is None else plan.theme.color(pane.under)
        ops += layouter.run(root, pane.box, dim)
        if pane.app:
            top = root
    found = () if top is None else tuple(elements_of(top, plan.size, plan.density))
    return Rendered(plan, ops, found)


def draw(rendered: Rendered) -> Frame:
    """The picture of a rendering: uint8[H, W, 3]."""
    plan = rendered.plan
    return paint(rendered.ops, plan.size, pictures=plan.files.get, density=plan.density)


def _dims(panes: Sequence[Pane]) -> list[int]:
    dims: list[int] = []
    dim = 0
    for pane in reversed(panes):
        dims.append(dim)
        dim = max(dim, pane.scrim)
    return dims[::-1]
