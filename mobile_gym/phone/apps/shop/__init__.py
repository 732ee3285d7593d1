"""The shopping app."""

from mobile_gym.phone.apps.shop.app import ShopApp

__all__ = ["ShopApp"]
