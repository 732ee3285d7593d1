"""Permissions: of one app, and of all apps by group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from mobile_gym.phone.apps.settings.device.store import load_yaml
from mobile_gym.phone.apps.settings.notifications import app_icon, app_label
from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.apps.settings.parts import choice_rows, note
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.widgets import Group, ListRow, SectionTitle, SwitchRow, Text

_PREFIX = "android.permission."
FINE = _PREFIX + "ACCESS_FINE_LOCATION"
COARSE = _PREFIX + "ACCESS_COARSE_LOCATION"


@dataclass(frozen=True, slots=True)
class PermissionGroup:
    """Permissions that are allowed together; full names."""

    icon: str
    permissions: tuple[str, ...]


@lru_cache(maxsize=1)
def groups() -> Mapping[str, PermissionGroup]:
    """Permission groups by name, in the order in which pages list them."""
    return {
        name: PermissionGroup(found["icon"], tuple(_PREFIX + permission for permission in found["permissions"]))
        for name, found in load_yaml("permissions.yaml").items()
    }


def of_group(ctx: Context, package: str, group: str) -> dict[str, bool]:
    """What an app asks for of a group, and whether each is granted."""
    asked = ctx.phone.packages.entry(package)["permissions"]
    return {name: bool(asked[name]) for name in groups()[group].permissions if name in asked}


def allowed_groups(ctx: Context, package: str) -> tuple[list[str], list[str]]:
    """Groups of which something is allowed to an app, and all groups that it asks for."""
    asked = {group: of_group(ctx, package, group) for group in groups()}
    wanted = [group for group, found in asked.items() if found]
    return [group for group in wanted if any(asked[group].values())], wanted


def askers(ctx: Context, group: str) -> dict[str, bool]:
    """Packages that ask for a group, and whether they have it; by label."""
    found = {}
    for package in sorted(ctx.phone.packages.names(), key=lambda name: (app_label(ctx, name).casefold(), name)):
        permissions = of_group(ctx, package, group)
        app = ctx.phone.apps.get(package)
        if permissions and (app is None or app.icon is not None):
            found[package] = any(permissions.values())
    return found


def allow_group(ctx: Context, package: str, group: str, allowed: bool) -> None:
    """Allows or takes away a group."""
    for permission in of_group(ctx, package, group):
        ctx.phone.packages.set_permission(package, permission, allowed)


def split(ctx: Context, allowed: list[Node], denied: list[Node]) -> list[Node]:
    """Rows under "allowed" and "not allowed"."""
    items: list[Node] = [SectionTitle(ctx.tr("allowed"))]
    items += Group(allowed) if allowed else [note(ctx.tr("none_allowed"))]
    items.append(SectionTitle(ctx.tr("not_allowed")))
    items += Group(denied) if denied else [note(ctx.tr("none_denied"))]
    return items


class AppPermissions(Page):
    """What one app may use."""

    name = "app_permissions"
    activity = "com.android.permissioncontroller.permission.ui.AppPermissionsActivity"
    title = "app_permissions"
    parent = "app_info"
    searchable = False

    def rows(self, ctx: Context) -> list[Node]:
        """Groups that are allowed, then the others."""
        package = str(ctx.args.get("package") or ctx.app.package)
        if package not in ctx.phone.packages.names():
            return [note(ctx.tr("app_gone"))]
        head = ListRow(app_label(ctx, package), leading=app_icon(ctx, package), id="app_header")
        allowed, wanted = allowed_groups(ctx, package)
        if not wanted:
            return [*Group([head]), note(ctx.tr("no_permissions_asked"))]

        def row(group: str) -> Node:
            return ListRow(
                ctx.tr(f"group_{group}"),
                icon=groups()[group].icon,
                on_tap=ctx.open("app_permission", package=package, group=group),
                id=f"permission_{group}",
            )

        denied = [row(group) for group in wanted if group not in allowed]
        return [*Group([head]), *split(ctx, [row(group) for group in allowed], denied)]


class AppPermission(Page):
    """One group of permissions of one app."""

    name = "app_permission"
    activity = "com.android.permissioncontroller.permission.ui.handheld.AppPermissionActivity"
    title = "app_permission"
    parent = "app_permissions"
    searchable = False

    def heading(self, ctx: Context) -> str:
        """The group's name."""
        group = str(ctx.args.get("group", "location"))
        return ctx.tr("permission_of", name=ctx.tr(f"group_{group}")) if group in groups() else ctx.tr(self.title)

    def rows(self, ctx: Context) -> list[Node]:
        """Allow or don't; of the location, how exactly."""
        package, group = str(ctx.args.get("package") or ctx.app.package), str(ctx.args.get("group", "location"))
        if package not in ctx.phone.packages.names() or group not in groups():
            return [note(ctx.tr("app_gone"))]
        found = of_group(ctx, package, group)
        if not found:
            return [note(ctx.tr("no_permissions_asked"))]
        label = app_label(ctx, package)
        choices = [
            ("1", ctx.tr("allow_while_using" if group in ("location", "camera", "microphone") else "allow")),
            ("0", ctx.tr("deny")),
        ]
        allowed = any(found.values())
        question = ctx.tr("permission_question", name=ctx.tr(f"group_{group}"))
        items = [
            *Group([ListRow(label, leading=app_icon(ctx, package), id="app_header")]),
            Text(question, "labelLarge", "primary", pad=(32.0, 4.0, 32.0, 8.0), width=FILL, id="permission_message"),
            *choice_rows(choices, str(int(allowed)), lambda value: allow_group(ctx, package, group, value == "1")),
        ]
        if group == "location" and allowed and FINE in found and COARSE in found:
            items += Group(
                [
                    SwitchRow(
                        ctx.tr("precise_location"),
                        found[FINE],
                        lambda turned: ctx.phone.packages.set_permission(package, FINE, turned),
                        ctx.tr("precise_location_summary"),
                        id="location_accuracy",
                    )
                ]
            )
        return items


class PermissionManager(Page):
    """Groups of permissions, and how many apps have each."""

    name = "permission_manager"
    activity = "com.android.permissioncontroller.permission.ui.ManagePermissionsActivity"
    title = "permission_manager"
    parent = "security"
    keywords = "permission_manager_words"
    actions = ("android.intent.action.MANAGE_PERMISSIONS",)

    def rows(self, ctx: Context) -> list[Node]:
        """Groups that any app asks for."""
        rows = []
        for name, group in groups().items():
            found = askers(ctx, name)
            if found:
                rows.append(
                    ListRow(
                        ctx.tr(f"group_{name}"),
                        ctx.tr("apps_allowed_of", count=sum(found.values()), total=len(found)),
                        icon=group.icon,
                        on_tap=ctx.open("permission_group", group=name),
                        id=f"permission_{name}",
                    )
                )
        return Group(rows)


class GroupApps(Page):
    """Apps that ask for one group."""

    name = "permission_group"
    activity = "com.android.permissioncontroller.permission.ui.ManagePermissionActivity"
    title = "app_permissions"
    parent = "permission_manager"
    searchable = False

    def heading(self, ctx: Context) -> str:
        """The group's name."""
        group = str(ctx.args.get("group", "location"))
        return ctx.tr(f"group_{group}") if group in groups() else ctx.tr(self.title)

    def rows(self, ctx: Context) -> list[Node]:
        """Apps that have it, then the others."""
        group = str(ctx.args.get("group", "location"))
        if group not in groups():
            return [note(ctx.tr("no_permissions_asked"))]
        found = askers(ctx, group)

        def row(package: str) -> Node:
            return ListRow(
                app_label(ctx, package),
                leading=app_icon(ctx, package),
                on_tap=ctx.open("app_permission", package=package, group=group),
                min_height=72.0,
                id="app_row",
            )

        allowed = [row(package) for package, has in found.items() if has]
        denied = [row(package) for package, has in found.items() if not has]
        return split(ctx, allowed, denied)


SCREENS = (AppPermissions, AppPermission, PermissionManager, GroupApps)
