"""The contacts provider and the call log: no screens, only data that other apps and the shell read and write."""

from mobile_gym.phone.apps.contacts_provider.app import ContactsProviderApp

__all__ = ["ContactsProviderApp"]
