"""Pure parsers of what Android and the adb tools print. Each is total: it returns data or raises a `ParseError`."""

from mobile_gym.devices.parse.common import ParseError

__all__ = ["ParseError"]
