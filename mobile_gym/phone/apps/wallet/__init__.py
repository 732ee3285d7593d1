"""The wallet app."""

from mobile_gym.phone.apps.wallet.app import WalletApp

__all__ = ["WalletApp"]
