"""Codes as pictures: files that carry what they say, and reading them back."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from PIL import Image, PngImagePlugin

from mobile_gym.phone.ui.pictures import picture

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

SCHEME = "mobench-wallet"
ALBUM = "/storage/emulated/0/Pictures/HaoPay/"
PAY_VALUES: tuple[str, ...] = ("to", "amount", "note", "merchant")
"""What a link that asks for a payment may hold; `merchant` where `to` names a shop."""
_PICTURES = ("/storage/emulated/0/Pictures", "/storage/emulated/0/DCIM", "/storage/emulated/0/Download")
_SIDE = 480
_KEY = "Description"


def write_code(phone: Phone, path: str, payload: str, at_ms: int) -> None:
    """Writes a PNG of a code; its `Description` text holds what the code says."""
    image = Image.fromarray(picture(f"qr/{payload}", _SIDE, _SIDE)).quantize(4)
    about = PngImagePlugin.PngInfo()
    about.add_itxt(_KEY, payload)
    out = io.BytesIO()
    image.save(out, "PNG", pnginfo=about, optimize=False)
    phone.state.files.write(path, out.getvalue(), mtime_ms=at_ms, mode=0o660, owner="u0_a100", parents=True)


def read_code(phone: Phone, path: str) -> str | None:
    """What the code in a picture says; None where the file is gone or no code is in it."""
    if not phone.state.files.exists(path):
        return None
    data = phone.state.files.read(path)
    if not data.startswith(b"\x89PNG"):
        return None
    try:
        with Image.open(io.BytesIO(data)) as image:
            image.load()
            text = image.info.get(_KEY)
    except (OSError, SyntaxError, ValueError):
        return None  # a broken picture holds no code, as on a real phone
    return None if text is None else str(text)


def album(phone: Phone) -> list[str]:
    """Pictures of the phone, the newest first."""
    files = phone.state.files
    found = [
        (entry.mtime_ms, path)
        for folder in _PICTURES
        if files.exists(folder)
        for path, entry in files.walk(folder)
        if not entry.is_dir and path.lower().endswith((".png", ".jpg", ".jpeg"))
    ]
    return [path for _, path in sorted(found, key=lambda pair: (-pair[0], pair[1]))]


def parse_link(text: str) -> tuple[str, dict[str, str]] | None:
    """Host and values of a link of the wallet, such as `mobench-wallet://pay?to=…&amount=…`; None for other texts."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return None
    if parts.scheme != SCHEME or not parts.netloc:
        return None
    return parts.netloc, dict(parse_qsl(parts.query))
