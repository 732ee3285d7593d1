"""The catalogue, the schema, the registration."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import gymnasium
import pytest
from typer.testing import CliRunner

from mobile_gym.cli.tasks import app
from mobile_gym.task_registry import registration
from mobile_gym.task_registry.catalog import (
    UnknownTask,
    load_task,
    suite_of,
    suite_version,
    suites,
    task_file,
    task_ids,
)
from mobile_gym.task_registry.errors import TaskFileError
from mobile_gym.task_registry.ids import is_task_id
from mobile_gym.task_registry.loading import load_file
from mobile_gym.task_registry.registration import register_all
from mobile_gym.task_registry.schema import SCHEMA_FILE, schema_text, task_schema


def test_every_task_loads_and_lies_in_its_suite() -> None:
    assert {"elder", "train"} <= set(suites())
    for suite in suites():
        assert suite_version(suite)
        for task_id in task_ids(suite):
            task = load_task(task_id)
            assert (task.id, task.suite, suite_of(task_id)) == (task_id, suite, suite)


def test_all_ids_are_those_of_the_suites() -> None:
    assert task_ids() == sorted(task_id for suite in suites() for task_id in task_ids(suite))
    assert "suite" not in task_ids()


def test_unknown_names_are_said_with_what_there_is() -> None:
    with pytest.raises(UnknownTask, match="did you mean 'elder-031'"):
        load_task("elder-0031")
    with pytest.raises(UnknownTask, match=r"elder, .*train"):
        task_ids("elders")


def test_training_families_are_drawn_by_seed_and_the_benchmark_is_not() -> None:
    assert load_task("elder-031", 1).content_hash == load_task("elder-031", 2).content_hash
    assert len({load_task("train-alarm", seed).content_hash for seed in range(5)}) > 1


def test_every_task_is_registered_once_with_plain_arguments() -> None:
    register_all()
    for task_id in task_ids():
        spec = gymnasium.spec(f"MoBench/{task_id}")
        assert spec.kwargs == {"task": task_id}
        env = "graph_env:TaskGraphEnv" if load_task(task_id, 0).protocol == "graph" else "task_env:MobileTaskEnv"
        assert json.loads(spec.to_json())["entry_point"] == f"mobile_gym.envs.{env}"


def test_importing_the_package_loads_nothing_heavy() -> None:
    heavy = ("yaml", "pydantic", "PIL", "adbutils", "rich", "typer", "mobile_gym.phone", "mobile_gym.envs")
    code = f"import sys, mobile_gym; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("package", ["reward", "task_registry"])
def test_a_room_refuses_another_name(package: str) -> None:
    path = task_file("elder-031").parents[3].parent
    code = f"import sys; sys.path.insert(0, {str(path)!r}); import {package}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=path)
    assert done.returncode != 0
    assert f"Write `from mobile_gym.{package} import" in done.stderr


def test_the_committed_schema_is_current() -> None:
    assert SCHEMA_FILE.read_text(encoding="utf-8") == schema_text(), "run: mobile-gym tasks schema"


def test_the_schema_knows_every_kind_and_refers_to_nothing_missing() -> None:
    schema = task_schema()
    definitions = schema["$defs"]
    assert {"setting", "all", "not", "contact"} <= definitions["Criterion"]["properties"].keys()

    def references(part: object) -> set[str]:
        if isinstance(part, dict):
            own = {part["$ref"]} if isinstance(part.get("$ref"), str) else set()
            return own.union(*(references(value) for value in part.values()))
        if isinstance(part, list):
            return set().union(*(references(item) for item in part))
        return set()

    assert {reference.removeprefix("#/$defs/") for reference in references(schema)} <= definitions.keys()
    assert "x-one-key" not in schema_text()


@pytest.mark.parametrize("name", ["bad id", "../x", "foo.bar", "elder-031-v2", "Elder-1", "", "a--b"])
def test_a_name_that_gymnasium_would_refuse_begins_no_task(name: str, tmp_path: Path) -> None:
    assert not is_task_id(name)
    folder = tmp_path / "elder"
    folder.mkdir()
    result = CliRunner().invoke(app, ["new", name, "--folder", str(folder)])
    assert result.exit_code == 1
    assert "can be no task's id" in result.output
    assert [path.name for path in tmp_path.rglob("*")] == ["elder"]


def test_the_names_of_all_tasks_are_ids() -> None:
    assert all(is_task_id(task_id) for task_id in task_ids())


def test_a_file_with_a_bad_name_does_not_break_the_registration(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    files = {name: tmp_path / f"{name}.yaml" for name in ("bad id", "own-901-v2", "own-901")}
    monkeypatch.setattr(registration, "task_files", lambda: files)
    register_all()
    try:
        assert {name for name in gymnasium.registry if "own-901" in name or "bad" in name} == {"MoBench/own-901"}
    finally:
        gymnasium.registry.pop("MoBench/own-901")


def test_a_file_with_a_bad_name_is_said(tmp_path: Path) -> None:
    text = task_file("elder-031").read_text(encoding="utf-8")
    path = tmp_path / "elder" / "elder-991-v2.yaml"
    path.parent.mkdir()
    path.write_text(text.replace("id: elder-031", "id: elder-991-v2"), encoding="utf-8")
    with pytest.raises(TaskFileError, match="ends like a version"):
        load_file(path)
