"""Text messages and blocked numbers: no screens, only data that other apps and the shell read and write."""

from mobile_gym.phone.apps.telephony.app import BlockedNumberApp, TelephonyApp

__all__ = ["BlockedNumberApp", "TelephonyApp"]
