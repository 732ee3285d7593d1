"""The launcher."""

from mobile_gym.phone.apps.launcher.app import LauncherApp

__all__ = ["LauncherApp"]
