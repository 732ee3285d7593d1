"""What comes up over the home screen: menus of icons and wallpaper, folders, the question before an app goes."""

from __future__ import annotations

from mobile_gym.phone.apps.launcher import arrangement
from mobile_gym.phone.apps.launcher.arrangement import DESKTOP, Item
from mobile_gym.phone.apps.launcher.icons import app_icon, notification_counts
from mobile_gym.phone.apps.launcher.starting import DETAILS, WALLPAPERS, handled, start
from mobile_gym.phone.door import Intent
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Dialog, IconButton, LazyList, ListRow, Menu, MenuItem
from mobile_gym.phone.ui.widgets.fields import TextField, field

_FOLDER_COLUMNS = 3
_MENU_DP = 290.0
"""Room that the longest menu takes; it never begins lower than leaves so much."""


def presses(ctx: Context, node: Node, item: Item, drawer: bool = False) -> Handler:
    """A handler that opens the menu of an icon beside it."""

    def press() -> None:
        width, height, _ = ctx.phone.screen
        density = ctx.phone.density_dpi / 160
        under = (node.y + node.h) / density
        top = min(under, height / density - _MENU_DP)
        end = node.x + node.w // 2 > width // 2
        key, package = item.key, item.package
        if not drawer and not key:
            arrangement.sync(ctx.phone)
            key = next(found.key for found in arrangement.load(ctx.phone) if found.place == item.place)
        ctx.phone.text_input.hide_keyboard()
        ctx.open_overlay("icon_menu", key=key, package=package, top=round(top), end=end)

    return press


def opens_folder(ctx: Context, key: int) -> Handler:
    """A handler that opens a folder."""

    def opens() -> None:
        item = next(item for item in arrangement.load(ctx.phone) if item.key == key)
        ctx.set_field("folder_name", item.title)
        ctx.open_overlay("folder", key=key)

    return opens


def home_menu(ctx: Context) -> Node:
    """The menu of the wallpaper."""
    from mobile_gym.phone.apps.launcher import drawer

    items = []
    action = next((action for action in WALLPAPERS if handled(ctx.phone, action)), None)
    if action is not None:
        opens = ctx.then_dismiss(start, ctx, Intent(action=action))
        items.append(MenuItem(ctx.tr("wallpaper"), opens, "palette-outline", id="wallpaper_button"))
    items.append(
        MenuItem(ctx.tr("all_apps"), ctx.then_dismiss(drawer.open, ctx), "apps", id="all_apps_button"),
    )
    settings = ctx.then_dismiss(start, ctx, Intent(action="android.settings.SETTINGS"))
    items.append(MenuItem(ctx.tr("home_settings"), settings, "cog-outline", id="settings_button"))
    return Menu(ctx, items, top=-40.0, place="center-center")


def icon_menu(ctx: Context, key: int, package: str, top: int, end: bool) -> Node:
    """The menu of an icon: of the home screen (with a key), a folder's app, or in the drawer (without)."""
    items: list[Node] = []

    def entry(label: str, icon: str, handler: Handler, id: str) -> None:
        items.append(MenuItem(ctx.tr(label), handler, icon, id=id))

    phone = ctx.phone
    if package:
        info = Intent(action=DETAILS, data=f"package:{package}", extras={"package": package})
        entry("app_info", "information-outline", ctx.then_dismiss(start, ctx, info), "app_info")
    if not package:
        entry("rename", "pencil-outline", lambda: _rename(ctx, key), "rename")
        entry("dissolve", "folder-remove-outline", ctx.then_dismiss(arrangement.dissolve, phone, key), "dissolve")
    elif not key:
        entry("add_to_home", "home-plus-outline", ctx.then_dismiss(_add, ctx, package), "add_to_home")
    else:
        container = phone.state.database(arrangement.DATABASE).value(
            "SELECT container FROM favorites WHERE _id = ?", key
        )
        if container is not None and int(container) >= 0:
            entry("out_of_folder", "folder-arrow-up-outline", lambda: _take_out(ctx, key), "out_of_folder")
        else:
            entry("to_folder", "folder-plus-outline", lambda: _ask_folder(ctx, key), "to_folder")
        entry("remove_from_home", "minus-circle-outline", lambda: _remove(ctx, key), "remove")
    if package and not phone.packages.entry(package)["system"]:
        entry("uninstall", "delete-outline", lambda: _ask_uninstall(ctx, package), "uninstall")
    return Menu(ctx, items, top=float(top), place="top-end" if end else "top-start")


def _rename(ctx: Context, key: int) -> None:
    item = next(item for item in arrangement.load(ctx.phone) if item.key == key)
    ctx.dismiss()
    ctx.set_field("new_name", item.title)
    ctx.open_overlay("rename", key=key)
    ctx.focus("new_name")


def _add(ctx: Context, package: str) -> None:
    arrangement.add(ctx.phone, package)
    ctx.toast(ctx.tr("added_to_home", name=ctx.phone.apps[package].label(ctx.language)))


def _take_out(ctx: Context, key: int) -> None:
    ctx.record["overlays"].clear()
    arrangement.take_out(ctx.phone, key)


def _remove(ctx: Context, key: int) -> None:
    ctx.record["overlays"].clear()
    arrangement.remove(ctx.phone, key)


def _ask_folder(ctx: Context, key: int) -> None:
    ctx.dismiss()
    ctx.open_overlay("choose_folder", key=key)


def _ask_uninstall(ctx: Context, package: str) -> None:
    ctx.record["overlays"].clear()
    ctx.open_overlay("uninstall", package=package)


def uninstall(ctx: Context, package: str) -> Node:
    """Asks whether an app shall go."""
    name = ctx.phone.apps[package].label(ctx.language)

    def go() -> None:
        ctx.dismiss()
        ctx.phone.packages.uninstall(package)
        arrangement.sync(ctx.phone)
        ctx.toast(ctx.tr("uninstalled", name=name))

    actions = [(ctx.tr("cancel"), ctx.dismiss), (ctx.tr("ok"), go)]
    return Dialog(ctx, ctx.tr("uninstall_ask", name=name), ctx.tr("uninstall_body"), actions=actions)


def choose_folder(ctx: Context, key: int) -> Node:
    """Folders that an app can go to, and apps that it can make a new one with."""
    items = [item for item in arrangement.load(ctx.phone) if item.key != key and item.place.container == DESKTOP]
    apps = ctx.phone.apps
    rows = []
    for item in items:
        if item.is_folder:
            go = ctx.then_dismiss(arrangement.put_into, ctx.phone, key, item.key)
            name = item.title or ctx.tr("folder")
            rows.append(ListRow(name, icon="folder-outline", on_tap=go, id="folder_row"))
    others = [item for item in items if not item.is_folder and item.key]
    for item in others:
        go = ctx.then_dismiss(arrangement.make_folder, ctx.phone, item.key, key)
        name = apps[item.package].label(ctx.language)
        rows.append(ListRow(name, ctx.tr("new_folder"), icon="folder-plus-outline", on_tap=go, id="app_row"))
    body = LazyList(rows, id="folder_choices").replace(height=min(len(rows) * 72.0, 380.0))
    return Dialog(ctx, ctx.tr("to_folder"), body, actions=[(ctx.tr("cancel"), ctx.dismiss)])


def rename(ctx: Context, key: int) -> Node:
    """Asks for a folder's name."""

    def save() -> None:
        arrangement.rename(ctx.phone, key, ctx.field("new_name").strip())
        ctx.focus(None)
        ctx.dismiss()

    entry = TextField(ctx, "new_name", ctx.tr("rename"), on_submit=save, max_length=30)
    body = Node("box", (entry,), pad=(24.0, 0.0, 24.0, 0.0))
    return Dialog(ctx, ctx.tr("rename"), body, actions=[(ctx.tr("cancel"), ctx.dismiss), (ctx.tr("save"), save)])


def folder(ctx: Context, key: int) -> Node:
    """An open folder: its name, which can be edited, and its apps."""
    counts = notification_counts(ctx)
    item = next((item for item in arrangement.load(ctx.phone) if item.key == key), None)
    apps = () if item is None else item.apps
    cells = []
    for app_item in apps:
        opens = ctx.then_dismiss(start, ctx, Intent(package=app_item.package))
        count = counts.get(app_item.package, 0)
        node = app_icon(ctx, app_item.package, 56.0, count, opens, ink="onSurface")
        node.on_long_press = presses(ctx, node, app_item)
        cells.append(node)
    name = field(
        ctx,
        "folder_name",
        hint=ctx.tr("folder_name"),
        style="titleMedium",
        weight=1.0,
        max_length=30,
        on_change=lambda text: arrangement.rename(ctx.phone, key, text.strip()),
    )
    close = IconButton("close", ctx.dismiss, ctx.tr("close"), id="folder_close", size=40.0)
    heading = Node("row", (name, close), width=FILL, gap=8.0, pad=(12.0, 0.0, 4.0, 8.0))
    grid = _rows(cells)
    surface = Node(
        "col",
        (heading, grid),
        width=339.0,
        pad=(8.0, 12.0, 8.0, 20.0),
        radius=28.0,
        bg="surfaceContainer",
        place="center-center",
        blocks=True,
        id="folder_content",
    )
    return Node("box", (surface,), width=FILL, height=FILL, on_tap=ctx.dismiss, blocks=True, id="folder_container")


def _rows(cells: list[Node]) -> Node:
    """Icons three to a row; the nodes themselves stay, so that their handlers know where they lie."""
    rows = []
    for start_at in range(0, len(cells), _FOLDER_COLUMNS):
        part = list(cells[start_at : start_at + _FOLDER_COLUMNS])
        part += [Node("space", weight=1.0, hidden_from_tree=True) for _ in range(_FOLDER_COLUMNS - len(part))]
        rows.append(Node("row", part, width=FILL, align="start", hidden_from_tree=True))
    return Node("col", rows, width=FILL, gap=14.0, hidden_from_tree=True)
