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
    "text_match": "mobile_gym.policies.text_match:TextMatchPolicy",
}
_FAMILIES = {"openai": "mobile_gym.policies.model:model_policy"}
"""Policies whose name goes on after a colon: `openai:MODEL` is a model behind an OpenAI-compatible endpoint."""


class UnknownPolicy(LookupError):
    """No policy has this name; the message lists those that there are."""


def policy_names() -> list[str]:
    """Names of all policies, sorted."""
    return sorted({*_BUILT_IN, *(point.name for point in entry_points(group=ENTRY_POINTS))})


def make_policy(name: str, **options: Any) -> Policy:
    """Makes a policy.

    Args:
        name: one of `policy_names()`, or `openai:MODEL`.
        **options: what its class or function takes.

    Raises:
        UnknownPolicy: there is none of that name.
        TypeError: it takes no such option.
    """
    family, colon, member = name.partition(":")
    if colon and family in _FAMILIES:
        made: Policy = _loaded(_FAMILIES[family])(member, **options)
        return made
    policy: Policy = _factory(name)(**options)
    return policy


def _loaded(place: str) -> Callable[..., Any]:
    module, _, attribute = place.partition(":")
    factory: Callable[..., Any] = getattr(import_module(module), attribute)
    return factory


def _factory(name: str) -> Callable[..., Any]:
    if name in _BUILT_IN:
        return _loaded(_BUILT_IN[name])
    for point in entry_points(group=ENTRY_POINTS, name=name):
        loaded: Callable[..., Any] = point.load()
        return loaded
    names = policy_names()
    close = difflib.get_close_matches(name, names, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else "."
    raise UnknownPolicy(f"there is no policy {name!r}{hint} There are: {', '.join(names)}, openai:MODEL.")
