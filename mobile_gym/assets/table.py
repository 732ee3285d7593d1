"""The table of asset types. Other packages add theirs by entry points of the group `mobile_gym.assets`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import Any

from mobile_gym.assets.base import AssetType
from mobile_gym.assets.calendar import EventType
from mobile_gym.assets.chat import ChatMessageType
from mobile_gym.assets.clock import AlarmType, CityType, TimerType
from mobile_gym.assets.contact import ContactType
from mobile_gym.assets.documents import OneKey
from mobile_gym.assets.general import FileType, NotificationType, RowType, SettingType
from mobile_gym.assets.message import ConversationType, MessageType
from mobile_gym.assets.oakridge import OakridgeItemType, OakridgeOrderType
from mobile_gym.assets.phone import BlockedNumberType, CallType
from mobile_gym.assets.shop import CartItemType, OrderType
from mobile_gym.assets.wallet import BillType

BUILT_IN: tuple[type[AssetType], ...] = (
    AlarmType,
    BillType,
    BlockedNumberType,
    CallType,
    CartItemType,
    ChatMessageType,
    CityType,
    ContactType,
    ConversationType,
    EventType,
    FileType,
    MessageType,
    NotificationType,
    OakridgeItemType,
    OakridgeOrderType,
    OrderType,
    RowType,
    SettingType,
    TimerType,
)


@cache
def asset_types() -> Mapping[str, AssetType]:
    """All asset types by name, those of other packages among them.

    Raises:
        ValueError: two packages offer a type of the same name.
    """
    table: dict[str, AssetType] = {kind.name: kind() for kind in BUILT_IN}
    for point in entry_points(group="mobile_gym.assets"):
        asset_type: AssetType = point.load()()
        if asset_type.name in table:
            raise ValueError(f"entry point {point.value}: there is an asset type {asset_type.name!r} already")
        table[asset_type.name] = asset_type
    return MappingProxyType(table)


class Asset(OneKey):
    """A piece of state that a task puts on the device, such as `contact: {name: ..., number: ...}`."""

    what = "asset"

    @classmethod
    def kinds(cls) -> Mapping[str, Any]:
        """Documents by asset type."""
        return {name: asset_type.document for name, asset_type in asset_types().items()}

    @property
    def type(self) -> AssetType:
        """The asset's type."""
        return asset_types()[self.kind]
