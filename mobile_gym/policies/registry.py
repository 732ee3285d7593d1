"""Policies by name: those of this package, and those that other packages offer in the group `mobile_gym.policies`."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from mobile_gym.policies.base import Policy

ENTRY_POINTS = "mobile_gym.policies"
"""The entry point group: each name leads to a class or function that makes a policy from keyword options."""

_BUILT_IN = {
    "demonstration": "mobile_gym.policies.demonstration:DemonstrationPolicy",
    "noop": "mobile_gym.policies.noop:NoopPolicy",
    "random": "mobile_gym.policies.random:RandomPolicy",
}


class UnknownPolicy(LookupError):
    """No policy has this name; the message lists those that there are."""


def policy_names() -> list[str]:
    """Names of all policies, sorted."""
    return sorted({*_BUILT_IN, *(point.name for point in entry_points(group=ENTRY_POINTS))})


def make_policy(name: str, **options: Any) -> Policy:
    """Makes a policy.

    Args:
        name: one of `policy_names()`.
        **options: what its class or function takes.

    Raises:
        UnknownPolicy: there is none of that name.
        TypeError: it takes no such option.
    """
    policy: Policy = _factory(name)(**options)
    return policy


def _factory(name: str) -> Callable[..., Any]:
    if name in _BUILT_IN:
        module, _, attribute = _BUILT_IN[name].partition(":")
        factory: Callable[..., Any] = getattr(import_module(module), attribute)
        return factory
    for point in entry_points(group=ENTRY_POINTS, name=name):
        loaded: Callable[..., Any] = point.load()
        return loaded
    names = policy_names()
    close = difflib.get_close_matches(name, names, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else "."
    raise UnknownPolicy(f"there is no policy {name!r}{hint} There are: {', '.join(names)}.")
