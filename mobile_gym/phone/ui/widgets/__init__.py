"""Widgets: functions that return nodes. Screens are made of these."""

from mobile_gym.phone.ui.widgets.basics import AppDisc, Avatar, Center, Column, Disc, Divider, Icon, Row, Space, Text
from mobile_gym.phone.ui.widgets.controls import (
    Button,
    Checkbox,
    Chip,
    Fab,
    IconButton,
    Radio,
    Slider,
    Switch,
    TextButton,
)
from mobile_gym.phone.ui.widgets.feedback import Dialog, EmptyState, Menu, MenuItem, Sheet, Snackbar
from mobile_gym.phone.ui.widgets.fields import SearchField, TextField
from mobile_gym.phone.ui.widgets.rows import Card, Group, ListRow, SectionTitle, SliderRow, SwitchRow
from mobile_gym.phone.ui.widgets.structure import BottomNav, LargeTitle, LazyList, Loading, Scaffold, Tabs, TopBar

__all__ = [
    "AppDisc",
    "Avatar",
    "BottomNav",
    "Button",
    "Card",
    "Center",
    "Checkbox",
    "Chip",
    "Column",
    "Dialog",
    "Disc",
    "Divider",
    "EmptyState",
    "Fab",
    "Group",
    "Icon",
    "IconButton",
    "LargeTitle",
    "LazyList",
    "ListRow",
    "Loading",
    "Menu",
    "MenuItem",
    "Radio",
    "Row",
    "Scaffold",
    "SearchField",
    "SectionTitle",
    "Sheet",
    "Slider",
    "SliderRow",
    "Snackbar",
    "Space",
    "Switch",
    "SwitchRow",
    "Tabs",
    "Text",
    "TextButton",
    "TextField",
    "TopBar",
]
