"""How property tests search: the same examples in every run, and no clock, so that a busy machine changes nothing.

`pytest --hypothesis-profile=search` looks for new examples.
"""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("search", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", settings.get_profile("search"), derandomize=True, database=None)
settings.load_profile("same")
