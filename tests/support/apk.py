"""Makes small APK files: a zip with a manifest in Android's binary XML, and nothing else."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Sequence

_ANDROID = "http://schemas.android.com/apk/res/android"
_NONE = 0xFFFFFFFF
_TYPE_STRING, _TYPE_INT = 0x03, 0x10


class _Strings:
    """The string pool of a binary XML."""

    def __init__(self) -> None:
        self._texts: list[str] = []

    def add(self, text: str) -> int:
        if text not in self._texts:
            self._texts.append(text)
        return self._texts.index(text)

    def chunk(self) -> bytes:
        offsets, data = [], b""
        for text in self._texts:
            offsets.append(len(data))
            encoded = text.encode("utf-16-le")
            data += struct.pack("<H", len(text)) + encoded + b"\0\0"
        data += bytes(-len(data) % 4)
        start = 28 + 4 * len(offsets)
        head = struct.pack("<HHIIIIII", 0x0001, 28, start + len(data), len(offsets), 0, 0, start, 0)
        return head + struct.pack(f"<{len(offsets)}I", *offsets) + data


def _element(strings: _Strings, name: str, attributes: Sequence[tuple[str | None, str, str | int]]) -> bytes:
    rows = b""
    for namespace, key, value in attributes:
        space = _NONE if namespace is None else strings.add(namespace)
        if isinstance(value, int):
            raw, kind, data = _NONE, _TYPE_INT, value
        else:
            raw, kind, data = strings.add(value), _TYPE_STRING, strings.add(value)
        rows += struct.pack("<IIIHBBI", space, strings.add(key), raw, 8, 0, kind, data)
    body = struct.pack("<IIHHHHHH", _NONE, strings.add(name), 20, 20, len(attributes), 0, 0, 0) + rows
    return struct.pack("<HHIII", 0x0102, 16, 16 + len(body), 1, _NONE) + body


def _end(strings: _Strings, name: str) -> bytes:
    return struct.pack("<HHIIIII", 0x0103, 16, 24, 1, _NONE, _NONE, strings.add(name))


def make_apk(package: str, version_name: str = "1.0", version_code: int = 1, permissions: Sequence[str] = ()) -> bytes:
    """The bytes of an APK with these facts in its manifest."""
    strings = _Strings()
    elements = _element(
        strings,
        "manifest",
        [(_ANDROID, "versionCode", version_code), (_ANDROID, "versionName", version_name), (None, "package", package)],
    )
    for permission in permissions:
        elements += _element(strings, "uses-permission", [(_ANDROID, "name", permission)])
        elements += _end(strings, "uses-permission")
    elements += _end(strings, "manifest")
    pool = strings.chunk()
    manifest = struct.pack("<HHI", 0x0003, 8, 8 + len(pool) + len(elements)) + pool + elements
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("AndroidManifest.xml", manifest)
        archive.writestr("classes.dex", b"dex\n035\0")
    return buffer.getvalue()
