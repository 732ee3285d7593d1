"""Oakridge: a western department store in English, with departments, wish lists, a checkout in steps and returns."""

from mobile_gym.phone.apps.oakridge.app import OakridgeApp

__all__ = ["OakridgeApp"]
