"""A calculator that the owner installed."""

from mobile_gym.phone.apps.calculator.app import CalculatorApp

__all__ = ["CalculatorApp"]
