"""Fixtures of the tests of `adbd`."""

from tests.support.adb import adb

__all__ = ["adb"]
