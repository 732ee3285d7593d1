"""What goes wrong with phones on Ray beyond what an environment itself raises."""

from __future__ import annotations


class RayNotStarted(RuntimeError):
    """Ray could not be started on this machine, or a cluster not be reached; the message says what to do."""


class ActorsNotPlaced(RuntimeError):
    """The cluster did not start the actors in time; the message says which resource is missing."""


class SubEnvLost(RuntimeError):
    """The actor of a sub-environment died, or hung and was killed, while a `call` was on its way to it."""


class NoPhonesLeft(RuntimeError):
    """Every sub-environment was put aside; the message says why of each."""
