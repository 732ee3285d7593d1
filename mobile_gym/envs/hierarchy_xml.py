"""The hierarchy as text, as observations carry it."""

from mobile_gym.devices.hierarchy_xml import to_xml

__all__ = ["to_xml"]
