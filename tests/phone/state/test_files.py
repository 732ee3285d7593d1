"""The virtual file tree against a plain model, and its errors."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobile_gym.phone.state import VirtualFiles
from mobile_gym.phone.state.files import normalize


def test_fixed_links_lead_to_the_same_entry() -> None:
    files = VirtualFiles()
    files.write("/sdcard/Download/a.txt", b"x", mtime_ms=5, parents=True)
    for path in (
        "/storage/emulated/0/Download/a.txt",
        "/storage/self/primary/Download/a.txt",
        "/sdcard/./Download/../Download/a.txt",
    ):
        assert files.read(path) == b"x"
    assert normalize("/data/user/0/com.x/f") == "/data/data/com.x/f"
    assert normalize("../../../etc/hosts", "/sdcard") == "/system/etc/hosts"


def test_errors_are_the_usual_ones() -> None:
    files = VirtualFiles()
    files.make_dir("/a", mtime_ms=0)
    files.write("/a/f", b"1", mtime_ms=0)
    with pytest.raises(FileNotFoundError):
        files.read("/a/g")
    with pytest.raises(IsADirectoryError):
        files.read("/a")
    with pytest.raises(NotADirectoryError):
        files.read("/a/f/g")
    with pytest.raises(NotADirectoryError):
        files.write("/a/f/g", b"", mtime_ms=0)
    with pytest.raises(FileNotFoundError):
        files.write("/b/c", b"", mtime_ms=0)
    with pytest.raises(FileExistsError):
        files.make_dir("/a", mtime_ms=0)
    with pytest.raises(IsADirectoryError):
        files.remove("/a")
    files.remove("/a", recursive=True)
    assert not files.exists("/a/f")


def test_rewriting_keeps_mode_and_owner() -> None:
    files = VirtualFiles()
    files.write("/f", b"1", mtime_ms=1, mode=0o640, owner="shell")
    files.update("/f", mode=0o600)
    files.write("/f", b"2", mtime_ms=2)
    entry = files.entry("/f")
    assert (entry.data, entry.mtime_ms, entry.mode & 0o777, entry.owner) == (b"2", 2, 0o600, "shell")


def test_rename_moves_all_below() -> None:
    files = VirtualFiles()
    files.write("/a/b/c", b"1", mtime_ms=0, parents=True)
    files.rename("/a", "/z")
    assert files.read("/z/b/c") == b"1"
    assert not files.exists("/a")


NAMES = st.sampled_from(["a", "b", "c"])
PATHS = st.lists(NAMES, min_size=1, max_size=3).map(lambda parts: "/" + "/".join(parts))


@given(st.lists(st.tuples(st.sampled_from(["write", "remove"]), PATHS, st.binary(max_size=3)), max_size=20))
def test_files_agree_with_a_plain_model(steps: list[tuple[str, str, bytes]]) -> None:
    files = VirtualFiles()
    model: dict[str, bytes] = {}
    for verb, path, data in steps:
        try:
            if verb == "write":
                files.write(path, data, mtime_ms=0, parents=True)
                model[path] = data
            else:
                files.remove(path, recursive=True)
                model = {
                    name: value for name, value in model.items() if name != path and not name.startswith(path + "/")
                }
        except OSError:
            continue
    found = {path: entry.data for path, entry in files.walk("/") if not entry.is_dir}
    assert found == model
    for path, entry in files.walk("/"):
        if entry.is_dir:
            for name, child in files.list(path):
                assert files.entry(f"{path}/{name}") == child
