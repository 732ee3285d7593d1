"""Policies: who acts. `make_policy` gives one by name; packages add their own through entry points."""

from mobile_gym.policies.base import Closable, Explained, Metered, Policy, Privileged, Stoppable, Usage
from mobile_gym.policies.registry import UnknownPolicy, make_policy, policy_names

__all__ = [
    "Closable",
    "Explained",
    "Metered",
    "Policy",
    "Privileged",
    "Stoppable",
    "UnknownPolicy",
    "Usage",
    "make_policy",
    "policy_names",
]
