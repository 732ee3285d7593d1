"""Targets of demonstration steps: an element on the screen by what a person or a developer would call it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field, model_validator

from mobile_gym.assets.documents import Strict, TextLike, by_keys
from mobile_gym.devices.ui_tree import Bounds, UiNode, UiTree
from mobile_gym.reward.normal_forms import contains_text, same_text
from mobile_gym.reward.task_spec import Language


class Words(Strict):
    """A text in both languages.

    Attributes:
        zh: in Chinese.
        en: in English.
    """

    zh: str
    en: str

    def in_language(self, language: Language) -> str:
        """The text in a language."""
        return self.zh if language == "zh" else self.en


TextOrWords = Annotated[TextLike | Words, by_keys(Words)]
"""A text that is the same in both languages, or one a language."""


class TargetSpec(Strict):
    """An element. All that is given must fit; of several elements that fit, the first on the screen is taken.

    Attributes:
        text: its text or content description, compared by meaning.
        contains: part of its text or content description.
        desc: its content description.
        id: its resource-id, with or without the package before `:id/`.
        class_name: the end of its class, such as `SeekBar` (`class`).
        beside: an element that stands with it: that one is searched, then the smallest box of the tree that holds it.
        index: which of the elements that fit, from 0; negative from the end.
    """

    text: TextOrWords | None = None
    contains: TextOrWords | None = None
    desc: TextOrWords | None = None
    id: str | None = None
    class_name: str | None = Field(default=None, alias="class")
    beside: Target | None = None
    index: int = 0

    @model_validator(mode="after")
    def _something(self) -> TargetSpec:
        if not (self.text or self.contains or self.desc or self.id or self.class_name):
            raise ValueError("a target needs text, contains, desc, id or class")
        return self


Target = Annotated[str | Words | TargetSpec, by_keys(TargetSpec, ("zh", Words), ("en", Words))]
"""An element by its text alone, or by more. Text with `:id/` in it is a resource-id."""

TargetSpec.model_rebuild()


@dataclass(frozen=True, slots=True)
class Found:
    """An element that can be touched.

    Attributes:
        node: the element.
        box: where it can be touched, pixels, inside the screen.
    """

    node: UiNode
    box: Bounds


def as_spec(target: Target) -> TargetSpec:
    """A target in its long form."""
    if isinstance(target, TargetSpec):
        return target
    if isinstance(target, str) and ":id/" in target:
        return TargetSpec(id=target)
    return TargetSpec(text=target)


def describe(target: Target, language: Language) -> str:
    """A target in words, for messages."""
    spec = as_spec(target)
    given = {name: getattr(spec, name) for name in type(spec).model_fields if name in spec.model_fields_set}
    parts = []
    for name, value in given.items():
        shown = value.in_language(language) if isinstance(value, Words) else value
        shown = f"({describe(value, language)})" if isinstance(value, TargetSpec) else repr(shown)
        parts.append(f"{'class' if name == 'class_name' else name} {shown}")
    return ", ".join(parts)


def find(tree: UiTree, target: Target, language: Language) -> Found | None:
    """The element that a target names, where it is on the screen and can be touched.

    An element that was never laid out is touched where its nearest clickable ancestor stands; one that was scrolled
    away is not found.
    """
    spec = as_spec(target)
    scopes: Iterable[tuple[UiNode, ...]] = ((*tree.roots,),)
    if spec.beside is not None:
        scopes = _surroundings(tree, spec.beside, language)
    for scope in scopes:
        found = [hit for root in scope for hit in _hits(root, (), spec, tree.size, language)]
        if found and -len(found) <= spec.index < len(found):
            return found[spec.index]
    return None


def _surroundings(tree: UiTree, anchor: Target, language: Language) -> Iterator[tuple[UiNode, ...]]:
    """An anchor itself, which may be a row, then the boxes around it from the smallest out."""
    wanted = as_spec(anchor)
    for root in tree.roots:
        for path in _paths(root, ()):
            if _fits(path[-1], wanted, language) and _box(path, tree.size) is not None:
                for node in reversed(path):
                    yield (node,)


def _paths(node: UiNode, above: tuple[UiNode, ...]) -> Iterator[tuple[UiNode, ...]]:
    path = (*above, node)
    yield path
    for child in node.children:
        yield from _paths(child, path)


def _hits(
    node: UiNode, above: tuple[UiNode, ...], spec: TargetSpec, size: tuple[int, int], language: Language
) -> Iterator[Found]:
    for path in _paths(node, above):
        if _fits(path[-1], spec, language):
            box = _box(path, size)
            if box is not None:
                yield Found(path[-1], box)


def _fits(node: UiNode, spec: TargetSpec, language: Language) -> bool:
    def words(value: str | Words) -> str:
        return value.in_language(language) if isinstance(value, Words) else value

    shown = [text for text in (node.text, node.content_desc) if text]
    return (
        (spec.text is None or any(same_text(words(spec.text), text) for text in shown))
        and (spec.contains is None or any(contains_text(text, words(spec.contains)) for text in shown))
        and (spec.desc is None or same_text(words(spec.desc), node.content_desc))
        and (spec.id is None or node.resource_id in (spec.id,) or node.resource_id.endswith(f":id/{spec.id}"))
        and (spec.class_name is None or node.class_name.endswith(spec.class_name))
    )


def _box(path: tuple[UiNode, ...], size: tuple[int, int]) -> Bounds | None:
    own = _on_screen(path, size)
    if own is not None or path[-1].bounds != Bounds(0, 0, 0, 0):
        return own
    for depth in range(len(path) - 1, 0, -1):
        if path[depth - 1].clickable:
            return _on_screen(path[:depth], size)
    return None


def _on_screen(path: tuple[UiNode, ...], size: tuple[int, int]) -> Bounds | None:
    """What is visible of the last node of a path; parents without a box do not clip it."""
    if path[-1].bounds.empty:
        return None
    cut = Bounds(0, 0, *size)
    for node in path:
        if not node.bounds.empty:
            box = node.bounds
            cut = Bounds(
                max(cut.left, box.left), max(cut.top, box.top), min(cut.right, box.right), min(cut.bottom, box.bottom)
            )
    return None if cut.empty else cut


def visible_texts(tree: UiTree, limit: int = 40) -> tuple[str, ...]:
    """Texts on the screen, each once, for messages."""
    seen: dict[str, None] = {}
    for node in tree.visible():
        for text in (node.text, node.content_desc):
            if text.strip():
                seen.setdefault(text.strip(), None)
    return tuple(seen)[:limit]
