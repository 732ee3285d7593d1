"""Messages: text messages with people and services."""

from mobile_gym.phone.apps.messages.app import MessagesApp

__all__ = ["MessagesApp"]
