"""The calendar app and its provider."""

from mobile_gym.phone.apps.calendar.app import CalendarApp

__all__ = ["CalendarApp"]
