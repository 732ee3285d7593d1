"""The contacts app, on the data of the contacts provider."""

from mobile_gym.phone.apps.contacts.app import ContactsApp

__all__ = ["ContactsApp"]
