"""MoBench: mobile-agent benchmarks as Gymnasium environments."""

from mobile_gym.task_registry.registration import register_all

__version__ = "0.1.0"

register_all()
