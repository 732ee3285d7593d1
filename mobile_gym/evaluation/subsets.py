"""Stratified subsets of tasks, as ElderBench's normalisation study draws them (appendix J, table 9)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from mobile_gym.evaluation.models import EpisodeRecord


def quotas(shares: Mapping[str, float], size: int) -> dict[str, int]:
    """How many of `size` fall to each category: shares rounded by largest remainders, so that they sum to `size`.

    Args:
        shares: each category's share, 0 to 1; they are scaled to sum to 1.
        size: how many there are to be, at least 1.

    Raises:
        ValueError: the size is less than 1, or there are no shares.
    """
    total = math.fsum(shares.values())
    if size < 1 or total <= 0:
        raise ValueError(f"a subset needs at least one task and categories with shares, not {size} of {dict(shares)}")
    exact = {name: share / total * size for name, share in shares.items()}
    counts = {name: math.floor(value) for name, value in exact.items()}
    rest = sorted(exact, key=lambda name: (counts[name] - exact[name], name))
    for name in rest[: size - sum(counts.values())]:
        counts[name] += 1
    return counts


def stratified(
    records: Sequence[EpisodeRecord], shares: Mapping[str, float], size: int, seed: int = 0
) -> list[EpisodeRecord]:
    """The episodes of `size` tasks that are drawn so that semantic categories have their shares; in their order.

    Args:
        records: the episodes to draw from; a task stays with all of its seeds.
        shares: each category's share, 0 to 1.
        size: how many tasks.
        seed: seeds the draw.

    Raises:
        ValueError: a category has fewer tasks than its share asks for; tells the largest size that works.
    """
    groups: dict[str, list[str]] = {name: [] for name in shares}
    for record in records:
        group = groups.get(str(record.tags.get("semantics")))
        if group is not None and record.task not in group:
            group.append(record.task)
    wanted = quotas(shares, size)
    short = [name for name, count in wanted.items() if count > len(groups[name])]
    if short:
        fitting = next((less for less in range(size - 1, 0, -1) if _fits(quotas(shares, less), groups)), 0)
        raise ValueError(
            f"a subset of {size} needs {wanted[short[0]]} tasks of {short[0]}, and there are "
            f"{len(groups[short[0]])}; the largest that works is {fitting}"
        )
    generator = np.random.default_rng(seed)
    chosen = {
        name
        for category in sorted(groups)
        for name in generator.permutation(sorted(groups[category]))[: wanted[category]].tolist()
    }
    return [record for record in records if record.task in chosen]


def _fits(wanted: Mapping[str, int], groups: Mapping[str, Sequence[str]]) -> bool:
    return all(count <= len(groups[name]) for name, count in wanted.items())
