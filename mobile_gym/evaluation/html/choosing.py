"""Of which episodes pictures are shown, where they are more than a page should hold."""

from __future__ import annotations

from collections.abc import Sequence

_GOLDEN = 2_654_435_769
"""2**32 over the golden ratio: its multiples modulo 2**32 fill the range evenly, however many there are."""


def failures_first(good: Sequence[bool]) -> list[int]:
    """The places of all episodes: failures, then the rest.

    The beginning of either part is an even sample of it, however long it is, and the same every time.

    Args:
        good: of each episode, whether it is a success.
    """
    parts = [[number for number, one in enumerate(good) if one is kind] for kind in (False, True)]
    return [part[place] for part in parts for place in _spread(len(part))]


def choose(needs: Sequence[Sequence[str]], order: Sequence[int], most: int | None = None) -> list[int]:
    """The episodes whose pictures are shown, in the order in which they were chosen.

    One whose pictures no longer fit is passed over; one whose pictures are there already costs nothing.

    Args:
        needs: the names of each episode's pictures; equal names are one picture.
        order: the places of episodes, the most wanted first.
        most: how many different pictures there may be; None for all.
    """
    there: set[str] = set()
    found = []
    for number in order:
        new = set(needs[number]) - there
        if most is None or len(there) + len(new) <= most:
            there |= new
            found.append(number)
    return found


def _spread(count: int) -> list[int]:
    return sorted(range(count), key=lambda number: number * _GOLDEN % 2**32)
