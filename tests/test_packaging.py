"""The wheel that is built from the sdist holds the whole package, once, and works outside the checkout."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def run(*command: str, cwd: Path) -> str:
    found = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=240, check=False)
    assert found.returncode == 0, found.stdout + found.stderr
    return found.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    # Without isolation, so that the test needs no network: hatchling is part of the dev extra.
    run(sys.executable, "-m", "build", "--no-isolation", "--sdist", "--outdir", str(out), str(ROOT), cwd=out)
    (sdist,) = out.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(out / "sdist", filter="data")
    (source,) = (out / "sdist").iterdir()
    run(sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(out), str(source), cwd=out)
    (found,) = out.glob("*.whl")
    return found


def test_wheel_holds_every_file_of_the_package_once(wheel: Path) -> None:
    tracked = set(run("git", "ls-files", "mobile_gym", cwd=ROOT).split("\n")) - {""}
    tracked = {name for name in tracked if (ROOT / name).exists()}
    names = zipfile.ZipFile(wheel).namelist()
    packed = [name for name in names if ".dist-info/" not in name]
    assert len(packed) == len(set(packed))
    assert tracked <= set(packed)
    assert {name.split("/")[0] for name in packed} == {"mobile_gym"}


def test_wheel_works_outside_the_checkout(wheel: Path, tmp_path: Path) -> None:
    target = tmp_path / "site"
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check")
    run(*pip, "--target", str(target), str(wheel), cwd=tmp_path)
    code = (
        "import gymnasium, mobile_gym, sys; assert 'site' in mobile_gym.__file__, mobile_gym.__file__;"
        "env = gymnasium.make('MoBench/elder-031'); env.reset(seed=0); print(env.render_mode); env.close()"
    )
    # -I keeps the checkout off the path; the wheel's folder goes first.
    prefix = f"import sys; sys.path.insert(0, {str(target)!r});"
    run(sys.executable, "-I", "-c", prefix + code, cwd=tmp_path)


@pytest.mark.parametrize("link", ["envs", "task_registry", "reward"])
def test_the_linked_rooms_refuse_another_name(link: str) -> None:
    assert (ROOT / link).is_symlink()
    assert not (ROOT / link).readlink().is_absolute()
    command = [sys.executable, "-c", f"import {link}"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode != 0
    assert f"mobile_gym.{link}" in found.stderr
