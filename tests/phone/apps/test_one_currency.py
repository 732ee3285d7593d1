"""What the apps say of money: yuan at home, in either language, and dollars in the store across the sea."""

from __future__ import annotations

import re
from pathlib import Path

import mobile_gym.phone.apps as apps

FOLDER = Path(apps.__file__).parent
DOLLARS, YUAN = re.compile(r"\$|\bdollars?\b"), re.compile(r"¥|(?<!单)元|\byuan\b")


def data_of(app: str) -> dict[str, str]:
    files = [path for path in sorted((FOLDER / app).iterdir()) if path.suffix in (".yaml", ".json", ".sql")]
    return {f"{app}/{path.name}": path.read_text("utf-8") for path in files}


def test_apps_at_home_speak_of_yuan_alone() -> None:
    home = sorted(
        path.name for path in FOLDER.iterdir() if path.is_dir() and path.name not in ("oakridge", "__pycache__")
    )
    texts = {name: text for app in home for name, text in data_of(app).items()}
    assert sum(len(YUAN.findall(text)) for text in texts.values()) > 100
    assert [name for name, text in texts.items() if DOLLARS.search(text)] == []


def test_oakridge_speaks_of_dollars_alone() -> None:
    texts = data_of("oakridge")
    assert any(DOLLARS.search(text) for text in texts.values())
    assert [name for name, text in texts.items() if YUAN.search(text)] == []
