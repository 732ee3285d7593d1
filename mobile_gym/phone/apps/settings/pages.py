"""All pages of the settings, and how to add one.

How to add pages. A page is a subclass of `page.Page`; its class attributes declare it once and for all:

    class Storage(Page):
        name = "storage"                                  # ctx.open("storage"); main.GROUPS lists these names
        activity = ".Settings$StorageDashboardActivity"   # am start -n 'com.android.settings/.Settings$…'
        title = "storage"                                 # string key; `storage_summary` is the row's second line,
        icon, disc = "harddisk", "Purple"                 # or override summary(ctx) where the state is told
        parent = "main"                                   # the page that leads here
        keywords = "storage_keywords"                     # string key: further words that find it
        entries = {"free_up_space": "free_up_words"}      # rows that search finds, each with its keywords or ""
        actions = ("android.settings.INTERNAL_STORAGE_SETTINGS",)

        def rows(self, ctx): ...                          # nodes under the title

A page that needs arguments (the details of one network) sets `searchable = False`. A module of pages exports `SCREENS`,
its classes. The part `device` is a package of its own: it exports `SCREENS`, the tables that it adds to the provider
(`TABLES`), its database (`DATABASES`) and `seed(phone, snapshot, language)`; its texts are in `device/strings.yaml`,
its tables in `device/schema.sql` (reached by `ctx.database("com.android.settings/device.db")`; `ctx.db` is the database
`settings.db`).
The first page lists `apps`, `storage`, `location`, `security`, `accessibility`, `accounts`, `system` and `about` as
soon as there are pages of these names. Date & time and language & input have `parent = "system"`. Rows and dialogs that
several pages share are in `parts`.
"""

from __future__ import annotations

from mobile_gym.phone.apps.settings import (
    battery,
    bluetooth,
    device,
    display,
    dnd,
    network,
    notifications,
    sound,
    wallpaper,
    wifi,
)
from mobile_gym.phone.apps.settings.main import Main
from mobile_gym.phone.apps.settings.search import Search
from mobile_gym.phone.system.app import Screen

_PARTS = (network, wifi, bluetooth, notifications, sound, dnd, display, wallpaper, battery, device)

SCREENS: tuple[type[Screen], ...] = (
    Main,
    Search,
    *(screen for part in _PARTS for screen in part.SCREENS),
)
