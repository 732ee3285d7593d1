"""The clock: alarms, world clock, timers, stopwatch."""

from mobile_gym.phone.apps.clock.app import ClockApp

__all__ = ["ClockApp"]
