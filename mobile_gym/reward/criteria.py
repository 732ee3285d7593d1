"""Criteria: leaves that look at the device, joined by `all`, `any` and `not`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any

from annotated_types import MinLen

from mobile_gym.assets.documents import OneKey
from mobile_gym.reward.leaves import NOTHING, Evidence, Outcome, leaf_types
from mobile_gym.reward.world import EmptyWorld

_OWN = "content://mobile_gym."
"""Providers that only the embedded phone has."""

Place = tuple[int, ...]
"""Where a criterion lies in a tree of criteria: indices from the root, `()` for the root itself."""


class Criterion(OneKey):
    """What must hold. One key: an asset, `setting`, `row`, `file`, `activity`, …, or `all`, `any`, `not`."""

    what = "criterion"

    @classmethod
    def kinds(cls) -> Mapping[str, Any]:
        """Documents by kind."""
        return _kinds()

    @property
    def children(self) -> tuple[Criterion, ...]:
        """The criteria that this one joins; none for a leaf."""
        if self.kind in ("all", "any"):
            joined: tuple[Criterion, ...] = self.spec
            return joined
        return (self.spec,) if self.kind == "not" else ()

    def walk(self, place: Place = ()) -> Iterator[tuple[Place, Criterion]]:
        """This criterion and all below it, with their places."""
        yield place, self
        for index, child in enumerate(self.children):
            yield from child.walk((*place, index))

    @property
    def stored(self) -> bool:
        """Whether it looks at stored state alone, so that it comes out the same until something is written."""
        return all(leaf_types()[leaf.kind].stored and not _in_passing(leaf) for _, leaf in leaves_of(self))

    def requires(self) -> frozenset[str]:
        """Capabilities and `provider:<authority>` that judging it needs."""
        found: frozenset[str] = NOTHING
        for _, criterion in self.walk():
            if criterion.kind in leaf_types():
                found |= leaf_types()[criterion.kind].requires
            if criterion.kind == "row" and criterion.spec.uri.startswith(_OWN):
                found |= {f"provider:{criterion.spec.uri.removeprefix('content://').partition('/')[0]}"}
            if criterion.kind == "new":
                found |= criterion.spec.type.requires
        return found


@cache
def _kinds() -> Mapping[str, Any]:
    several = Annotated[tuple[Criterion, ...], MinLen(1)]
    leaves = {name: leaf.document for name, leaf in leaf_types().items()}
    return MappingProxyType({**leaves, "all": several, "any": several, "not": Criterion})


def judge(criterion: Criterion, evidence: Evidence, without: Place | None = None) -> Outcome:
    """Whether a criterion holds.

    All parts are looked at, also where the outcome is clear, so that a look at the start leaves nothing out.

    Args:
        criterion: the criterion.
        evidence: the device now and at the start.
        without: place of a criterion that asks nothing: it counts as met, and as met by doing nothing where it stands
            below `not`. The proofs take criteria away like this.
    """
    if without == ():
        return Outcome(True)
    if criterion.kind in ("all", "any"):
        outcomes = [
            judge(child, evidence, without[1:] if without is not None and without[0] == index else None)
            for index, child in enumerate(criterion.children)
        ]
        holds = (all if criterion.kind == "all" else any)(outcome.holds for outcome in outcomes)
        claims = NOTHING.union(*(outcome.claims for outcome in outcomes if outcome.holds))
        return Outcome(holds, claims)
    if criterion.kind == "not":
        if without is not None:
            return Outcome(True)
        child = criterion.children[0]
        inner = judge(child, evidence)
        if inner.holds:
            return Outcome(False)
        return Outcome(True, _gone(child, evidence))
    return leaf_types()[criterion.kind].judge(criterion.spec, evidence)


def _in_passing(leaf: Criterion) -> bool:
    """Whether a leaf reads a provider of interface state."""
    return leaf.kind == "row" and leaf.spec.uri.startswith(_OWN)


def _gone(criterion: Criterion, evidence: Evidence) -> frozenset[str]:
    """What there was at the start of the things described: the changes that take them away are meant."""
    before = replace(evidence, now=evidence.start, start=EmptyWorld(), most_new=None)
    claims = NOTHING
    for _, leaf in criterion.walk():
        if leaf.kind in leaf_types():
            claims |= leaf_types()[leaf.kind].judge(leaf.spec, before).claims
    return claims


def leaves_of(criterion: Criterion) -> Iterator[tuple[Place, Criterion]]:
    """The leaves of a tree of criteria, with their places."""
    for place, part in criterion.walk():
        if not part.children:
            yield place, part
