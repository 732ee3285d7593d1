"""Android's settings."""

from mobile_gym.phone.apps.settings.app import SettingsApp

__all__ = ["SettingsApp"]
