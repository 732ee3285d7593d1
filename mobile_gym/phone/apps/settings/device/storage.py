"""Storage: what takes how much, and how to get room back."""

from __future__ import annotations

import posixpath

from mobile_gym.phone.apps.settings.device.store import size_text
from mobile_gym.phone.apps.settings.network import progress_bar
from mobile_gym.phone.apps.settings.notifications import app_icon, app_label
from mobile_gym.phone.apps.settings.page import Page
from mobile_gym.phone.apps.settings.parts import note
from mobile_gym.phone.system.app import Context
from mobile_gym.phone.system.formats import month_day
from mobile_gym.phone.ui.node import FILL, Handler, Node
from mobile_gym.phone.ui.widgets import (
    Button,
    Checkbox,
    Dialog,
    EmptyState,
    Group,
    IconButton,
    ListRow,
    SectionTitle,
    Text,
)

ROOT = "/storage/emulated/0"
DOWNLOADS = f"{ROOT}/Download"
SYSTEM_SHARE = 0.42
"""Part of the storage that the system takes."""
KINDS = {
    "images": ("image-outline", (".png", ".jpg", ".jpeg", ".webp", ".gif", ".heic")),
    "videos": ("movie-open-outline", (".mp4", ".mkv", ".webm", ".3gp", ".mov")),
    "audio": ("music-note-outline", (".mp3", ".m4a", ".ogg", ".wav", ".flac", ".amr")),
    "documents": ("file-document-outline", ()),
}
"""Kinds of files: icon and endings of names; the last one is everything else."""

FileEntry = tuple[str, int, int]
"""Path, size in bytes, and when it was last changed, milliseconds since the epoch."""


def files_of(ctx: Context) -> dict[str, list[FileEntry]]:
    """Files that are the user's, by kind; and once more those that were downloaded."""
    found: dict[str, list[FileEntry]] = {kind: [] for kind in (*KINDS, "downloads")}
    for path, entry in ctx.phone.state.files.walk(ROOT):
        if entry.is_dir:
            continue
        file = (path, len(entry.data), entry.mtime_ms)
        ending = posixpath.splitext(path)[1].lower()
        found[next((kind for kind, (_, endings) in KINDS.items() if ending in endings), "documents")].append(file)
        if path.startswith(DOWNLOADS + "/"):
            found["downloads"].append(file)
    return found


def total_bytes(ctx: Context) -> int:
    """The size of the storage."""
    return ctx.phone.profile.storage_mb * 1024**2


def used_by(ctx: Context) -> dict[str, int]:
    """Bytes by category: apps, kinds of files, the system."""
    packages = ctx.phone.packages
    apps = sum(sum(packages.entry(package)["sizes"]) for package in packages.names())
    found = files_of(ctx)
    kinds = {kind: sum(size for _, size, _ in found[kind]) for kind in KINDS}
    return {"apps": apps, **kinds, "system": round(total_bytes(ctx) * SYSTEM_SHARE)}


class Storage(Page):
    """How full the storage is, and of what."""

    name = "storage"
    activity = ".Settings$StorageDashboardActivity"
    title = "storage"
    icon, disc = "harddisk", "Teal"
    keywords = "storage_words"
    entries = {"downloads": "downloads_words"}
    actions = (
        "android.settings.INTERNAL_STORAGE_SETTINGS",
        "android.os.storage.action.MANAGE_STORAGE",
        "android.settings.MEMORY_CARD_SETTINGS",
    )

    def summary(self, ctx: Context) -> str:
        """How much is used and free."""
        used, total = sum(used_by(ctx).values()), total_bytes(ctx)
        return ctx.tr("storage_used_free", percent=round(100 * used / total), free=size_text(total - used))

    def rows(self, ctx: Context) -> list[Node]:
        """The sum, the way to free space, then the categories."""
        parts, total = used_by(ctx), total_bytes(ctx)
        used = sum(parts.values())
        figure = Text(size_text(used), "headlineLarge", id="used_size")
        of_total = Text(ctx.tr("storage_used_of", total=size_text(total)), "bodyMedium", "onSurfaceVariant", id="total")
        head = Node(
            "col", (figure, of_total, progress_bar(used / total)), gap=8.0, width=FILL, pad=(20.0, 20.0, 20.0, 20.0)
        )
        free = [
            ListRow(
                ctx.tr("free_up_space"),
                ctx.tr("free_up_summary"),
                icon="broom",
                on_tap=ctx.open("free_up_space"),
                id="free_up_space",
            ),
            ListRow(
                ctx.tr("downloads"),
                ctx.tr("files_count", count=len(files_of(ctx)["downloads"])),
                icon="download-outline",
                on_tap=ctx.open("storage_files", kind="downloads"),
                id="downloads",
            ),
        ]
        rows = [
            ListRow(
                ctx.tr("kind_apps"), size_text(parts["apps"]), icon="apps", on_tap=ctx.open("all_apps"), id="pref_apps"
            )
        ]
        for kind, (icon, _) in KINDS.items():
            rows.append(
                ListRow(
                    ctx.tr(f"kind_{kind}"),
                    size_text(parts[kind]),
                    icon=icon,
                    on_tap=ctx.open("storage_files", kind=kind),
                    id=f"pref_{kind}",
                )
            )
        rows.append(ListRow(ctx.tr("kind_system"), size_text(parts["system"]), icon="cellphone-cog", id="pref_system"))
        return [*Group([head]), *Group(free), SectionTitle(ctx.tr("storage_by_category")), *Group(rows)]


class FreeUp(Page):
    """Caches of apps, each with a checkbox, and the button that clears those that are ticked."""

    name = "free_up_space"
    activity = ".Settings$AutomaticStorageManagerSettingsActivity"
    title = "free_up_space"
    parent = "storage"
    keywords = "free_up_words"

    def rows(self, ctx: Context) -> list[Node]:
        """The sum of what is ticked, the button, the caches, and the way to files."""
        packages = ctx.phone.packages
        caches = {package: int(packages.entry(package)["sizes"][2]) for package in packages.names()}
        full = sorted((package for package, size in caches.items() if size), key=lambda p: (-caches[p], p))
        off: list[str] = ctx.ui.get("off", [])
        ticked = [package for package in full if package not in off]
        amount = size_text(sum(caches[package] for package in ticked))
        files = [
            ListRow(
                ctx.tr("downloads"),
                ctx.tr("files_count", count=len(files_of(ctx)["downloads"])),
                icon="download-outline",
                on_tap=ctx.open("storage_files", kind="downloads"),
                id="downloads",
            )
        ]
        if not full:
            done = EmptyState("broom", ctx.tr("nothing_to_free"))
            return [done.replace(width=FILL, pad=(32.0, 48.0, 32.0, 48.0)), *Group(files)]

        def tick(package: str) -> Handler:
            return lambda: ctx.ui.update(off=[p for p in off if p != package] if package in off else [*off, package])

        rows = [
            ListRow(
                app_label(ctx, package),
                size_text(caches[package]),
                leading=app_icon(ctx, package),
                trailing=Checkbox(package not in off, desc=app_label(ctx, package)),
                on_tap=tick(package),
                min_height=72.0,
                id="cache_row",
            )
            for package in full
        ]
        button = Button(
            ctx.tr("free_amount", amount=amount),
            ctx.show("confirm", packages=ticked, amount=amount) if ticked else None,
            id="deletion_helper_button",
            enabled=bool(ticked),
            width=FILL,
        )
        return [
            SectionTitle(ctx.tr("app_caches")),
            *Group(rows),
            Node("box", (button,), width=FILL, pad=(16.0, 0.0, 16.0, 16.0), hidden_from_tree=True),
            SectionTitle(ctx.tr("other_files")),
            *Group(files),
        ]

    def overlay_confirm(self, ctx: Context, packages: list[str], amount: str) -> Node:
        """Asks before caches are cleared."""

        def clear() -> None:
            ctx.dismiss()
            for package in packages:
                ctx.phone.packages.clear_cache(package)
            ctx.toast(ctx.tr("freed", amount=amount))

        return Dialog(
            ctx,
            ctx.tr("free_up_space"),
            ctx.tr("free_ask", amount=amount, count=len(packages)),
            actions=[(ctx.tr("cancel"), ctx.dismiss), (ctx.tr("clear"), clear)],
        )


class Files(Page):
    """Files of one kind, each with a button that deletes it."""

    name = "storage_files"
    activity = ".Settings$StorageUseActivity"
    title = "downloads"
    parent = "storage"
    searchable = False

    def _kind(self, ctx: Context) -> str:
        kind = str(ctx.args.get("kind", "downloads"))
        return kind if kind in KINDS else "downloads"

    def heading(self, ctx: Context) -> str:
        """The kind."""
        kind = self._kind(ctx)
        return ctx.tr("downloads" if kind == "downloads" else f"kind_{kind}")

    def rows(self, ctx: Context) -> list[Node]:
        """The largest first."""
        kind = self._kind(ctx)
        found = sorted(files_of(ctx)[kind], key=lambda file: (-file[1], file[0]))
        if not found:
            empty = EmptyState("file-outline", ctx.tr("no_files"))
            return [empty.replace(width=FILL, pad=(32.0, 96.0, 32.0, 0.0))]
        total = sum(size for _, size, _ in found)
        text = ctx.tr("files_sum", count=len(found), size=size_text(total))
        return [
            SectionTitle(text),
            *Group([self._row(ctx, file) for file in found]),
            note(ctx.tr("files_note")),
        ]

    def _row(self, ctx: Context, file: FileEntry) -> Node:
        path, size, changed = file
        name = posixpath.basename(path)
        ending = posixpath.splitext(path)[1].lower()
        icon = next((icon for icon, endings in KINDS.values() if ending in endings), "file-document-outline")
        moment = ctx.phone.state.clock.at(changed)
        day = month_day(moment, ctx.language, year=moment.year != ctx.now.year)
        delete = IconButton(
            "trash-can-outline",
            ctx.show("delete", path=path),
            ctx.tr("delete_named", name=name),
            id="delete_button",
        )
        return ListRow(name, f"{size_text(size)} · {day}", icon=icon, trailing=delete, id="file_row")

    def overlay_delete(self, ctx: Context, path: str) -> Node:
        """Asks before a file goes."""
        files = ctx.phone.state.files

        def remove() -> None:
            ctx.dismiss()
            if files.exists(path):
                files.remove(path)
                ctx.phone.invalidate()
            ctx.toast(ctx.tr("file_deleted"))

        return Dialog(
            ctx,
            ctx.tr("delete_file_title"),
            ctx.tr("delete_file_ask", name=posixpath.basename(path)),
            actions=[(ctx.tr("cancel"), ctx.dismiss), (ctx.tr("delete"), remove)],
        )


SCREENS = (Storage, FreeUp, Files)
