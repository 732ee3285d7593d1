"""WeTalk: chats, contacts, moments, red packets, transfers and polls."""

from mobile_gym.phone.apps.messenger.app import MessengerApp

__all__ = ["MessengerApp"]
