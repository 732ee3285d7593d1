"""The dialog that asks for a runtime permission.

Its interface state: `queue`, a list of `{"package", "permission"}`; the first one is asked.
"""

from __future__ import annotations

from mobile_gym.phone.door import Intent
from mobile_gym.phone.system.app import Context, Record
from mobile_gym.phone.system.surface import Surface
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import Icon, Text

PERMISSION_RESULT = "mobile_gym.intent.action.PERMISSION_RESULT"
"""Broadcast to the app with the extras `permission` and `granted`."""

# Part of the permission's name -> key of what is asked, icon, and whether it may be granted for once only.
_KINDS = (
    ("POST_NOTIFICATIONS", "perm_notifications", "bell-outline", False),
    ("CAMERA", "perm_camera", "camera-outline", True),
    ("RECORD_AUDIO", "perm_record", "microphone-outline", True),
    ("LOCATION", "perm_location", "map-marker-outline", True),
    ("CONTACTS", "perm_contacts", "account-box-outline", False),
    ("GET_ACCOUNTS", "perm_contacts", "account-box-outline", False),
    ("CALL_LOG", "perm_call_log", "phone-log-outline", False),
    ("CALL", "perm_phone", "phone-outline", False),
    ("PHONE", "perm_phone", "phone-outline", False),
    ("SMS", "perm_sms", "message-text-outline", False),
    ("CALENDAR", "perm_calendar", "calendar-outline", False),
    ("MEDIA_AUDIO", "perm_music", "music-note-outline", False),
    ("MEDIA", "perm_storage", "folder-outline", False),
    ("STORAGE", "perm_storage", "folder-outline", False),
    ("BODY_SENSORS", "perm_sensors", "heart-pulse", False),
    ("ACTIVITY_RECOGNITION", "perm_activity", "run", False),
    ("BLUETOOTH", "perm_nearby", "bluetooth", False),
    ("NEARBY", "perm_nearby", "bluetooth", False),
)


class PermissionDialog(Surface):
    """Allow, only this time, don't allow."""

    name = "permission"
    layer = 70
    package = "com.android.permissioncontroller"
    activity = "com.android.permissioncontroller.permission.ui.GrantPermissionsActivity"
    focusable = True

    def visible(self, ctx: Context) -> bool:
        """While a question waits."""
        return bool(ctx.ui.get("queue"))

    def dim(self, ctx: Context) -> int:
        """The page under it is dimmed."""
        return 32

    def on_back(self, ctx: Context) -> bool:
        """Back denies."""
        self._answer(ctx, False)
        return True

    def _answer(self, ctx: Context, granted: bool, once: bool = False) -> None:
        question: Record = ctx.ui["queue"].pop(0)
        package, permission = question["package"], question["permission"]
        if package in ctx.phone.packages.names():
            if once:
                ctx.phone.packages.grant_once(package, permission)
            else:
                ctx.phone.packages.set_permission(package, permission, granted)
            extras = {"permission": permission, "granted": granted}
            ctx.phone.activities.broadcast(Intent(package=package, action=PERMISSION_RESULT, extras=extras))
        ctx.phone.invalidate()

    def build(self, ctx: Context) -> Node:
        """Icon, question, buttons."""
        question = ctx.ui["queue"][0]
        app = ctx.phone.apps.get(question["package"])
        label = question["package"] if app is None else app.label(ctx.language)
        short = question["permission"].rpartition(".")[2]
        kind = next((found for found in _KINDS if found[0] in short), None)
        if kind is None:
            what, icon, once = ctx.tr("perm_other", name=short), "shield-outline", False
        else:
            what, icon, once = ctx.tr(kind[1]), kind[2], kind[3]

        def allow() -> None:
            self._answer(ctx, True)

        def allow_once() -> None:
            self._answer(ctx, True, once=True)

        def deny() -> None:
            self._answer(ctx, False)

        if once:
            buttons = [
                _choice(ctx.tr("perm_while_using"), allow, "permission_allow_foreground_only_button", "top"),
                _choice(ctx.tr("perm_once"), allow_once, "permission_allow_one_time_button", ""),
            ]
        else:
            buttons = [_choice(ctx.tr("perm_allow"), allow, "permission_allow_button", "top")]
        buttons.append(_choice(ctx.tr("perm_deny"), deny, "permission_deny_button", "bottom"))
        surface = Node(
            "col",
            (
                Icon(icon, 26.0, "primary", id="permission_icon"),
                Text(
                    ctx.tr("permission_ask", app=label, what=what),
                    size_sp=20,
                    line_sp=28,
                    text_align="center",
                    width=FILL,
                    pad=(0.0, 12.0, 0.0, 24.0),
                    id="permission_message",
                ),
                Node("col", buttons, gap=4.0, width=FILL, hidden_from_tree=True),
            ),
            align="center",
            width=339.0,
            pad=(24.0, 24.0, 24.0, 24.0),
            radius=28.0,
            bg="surfaceContainerHigh",
            blocks=True,
            place="center-center",
            id="grant_dialog",
        )
        return Node("box", (surface,), width=FILL, height=FILL, blocks=True)


def _choice(label: str, on_tap: Handler, id: str, end: str) -> Node:
    """A wide button; the first and the last of a stack have rounder ends."""
    top, bottom = (16.0 if end == "top" else 4.0), (16.0 if end == "bottom" else 4.0)
    return Node(
        "row",
        (Text(label, "labelLarge", "onPrimaryContainer", hidden_from_tree=True, max_lines=2, text_align="center"),),
        justify="center",
        width=FILL,
        min_height=52.0,
        pad=(16.0, 8.0, 16.0, 8.0),
        radius=(top, top, bottom, bottom),
        bg="primaryContainer",
        cls="android.widget.Button",
        text=label,
        id=id,
        on_tap=on_tap,
    )
