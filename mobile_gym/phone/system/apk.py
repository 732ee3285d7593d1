"""Reads what an APK file says of itself: the package, its version and the permissions that it asks for.

Source of the format: the binary XML of `AndroidManifest.xml` as the Android framework's ResourceTypes defines it.
"""

from __future__ import annotations

import io
import struct
import zipfile
from dataclasses import dataclass

from mobile_gym.phone.errors import InstallError

_STRING_POOL, _START_ELEMENT = 0x0001, 0x0102
_UTF8_FLAG = 0x100
_TYPE_STRING = 0x03


@dataclass(frozen=True, slots=True)
class ApkManifest:
    """The facts of a manifest that an installer needs."""

    package: str
    version_name: str
    version_code: int
    permissions: tuple[str, ...]


def _bad(message: str) -> InstallError:
    return InstallError("INSTALL_PARSE_FAILED_NOT_APK", message)


def read_apk(apk: bytes) -> ApkManifest:
    """Reads the manifest of an APK file.

    Raises:
        InstallError: the bytes are not a zip file, or have no readable manifest.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(apk)) as archive:
            data = archive.read("AndroidManifest.xml")
    except (zipfile.BadZipFile, KeyError, EOFError, RuntimeError) as error:
        raise _bad(f"not an APK: {error}") from error
    try:
        return _read_manifest(data)
    except (struct.error, IndexError, UnicodeDecodeError) as error:
        raise InstallError("INSTALL_PARSE_FAILED_BAD_MANIFEST", f"AndroidManifest.xml: {error}") from error


def _read_manifest(data: bytes) -> ApkManifest:
    strings: list[str] = []
    package, version_name, version_code = "", "", 0
    permissions: list[str] = []
    at = 8
    while at + 8 <= len(data):
        kind, _, size = struct.unpack_from("<HHI", data, at)
        if size < 8:
            break
        if kind == _STRING_POOL:
            strings = _read_strings(data, at)
        elif kind == _START_ELEMENT:
            name, attributes = _read_element(data, at, strings)
            if name == "manifest":
                package = str(attributes.get("package", ""))
                version_name = str(attributes.get("versionName", ""))
                version_code = int(attributes.get("versionCode", 0))
            elif name == "uses-permission":
                permissions.append(str(attributes.get("name", "")))
        at += size
    if not package:
        raise InstallError("INSTALL_PARSE_FAILED_BAD_MANIFEST", "AndroidManifest.xml names no package")
    return ApkManifest(package, version_name, version_code, tuple(permissions))


def _read_strings(data: bytes, at: int) -> list[str]:
    header, _, count, _, flags, start = struct.unpack_from("<HIIIII", data, at + 2)
    offsets = struct.unpack_from(f"<{count}I", data, at + header)
    found = []
    for offset in offsets:
        place = at + start + offset
        if flags & _UTF8_FLAG:
            place += 2 if data[place] & 0x80 else 1
            length = data[place]
            place += 1
            if length & 0x80:
                length = (length & 0x7F) << 8 | data[place]
                place += 1
            found.append(data[place : place + length].decode("utf-8"))
        else:
            (length,) = struct.unpack_from("<H", data, place)
            found.append(data[place + 2 : place + 2 + 2 * length].decode("utf-16-le"))
    return found


def _read_element(data: bytes, at: int, strings: list[str]) -> tuple[str, dict[str, str | int]]:
    (header,) = struct.unpack_from("<H", data, at + 2)
    _, name, start, size, count = struct.unpack_from("<iiHHH", data, at + header)
    attributes: dict[str, str | int] = {}
    for number in range(count):
        place = at + header + start + number * size
        _, key, _, _, _, kind, value = struct.unpack_from("<iiiHBBi", data, place)
        attributes[strings[key]] = strings[value] if kind == _TYPE_STRING else value
    return strings[name], attributes
