"""The emulator console's token: one file in the home folder, shared by all emulators of a user."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

TOKEN_NAME = ".emulator_console_auth_token"
_BYTES = 12


def token_path() -> Path:
    """Where clients look for the token."""
    return Path.home() / TOKEN_NAME


def read_or_make_token(path: Path) -> str:
    """The token in a file; a new one is put there if there is none. A file that exists is never written.

    An empty file means that its owner wants consoles without authentication.

    Raises:
        OSError: the file can neither be read nor made.
    """
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text("utf-8").strip()
    token = secrets.token_urlsafe(_BYTES)
    with open(handle, "w", encoding="utf-8") as file:
        file.write(token)
    return token
