"""`mobile-gym export` and `mobile-gym import`: trajectories as Parquet, and back."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from mobile_gym.cli import build_app
from mobile_gym.evaluation.records import read_config, read_records

pq = pytest.importorskip("pyarrow.parquet")

pytestmark = pytest.mark.usefixtures("stub_suite", "phones")


def command(*arguments: str) -> Result:
    return CliRunner().invoke(build_app(arguments[0]), list(arguments), env={"COLUMNS": "200"})


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Two episodes with their trajectories."""
    out = tmp_path / "runs" / "first"
    result = command(
        "eval", "stub", "--policy", "demonstration", "--device", "stub:a", "--tasks", "stub-001", "--seed", "0-1",
        "--observation", "45x100", "--trajectories", "--out", str(out),
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    return out


def _files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_there_and_back_byte_for_byte(run: Path, tmp_path: Path) -> None:
    file = tmp_path / "all.parquet"
    result = command("export", str(run), "--out", str(file))
    assert result.exit_code == 0, result.output
    assert "2 episodes" in result.output
    result = command("import", str(file), "--out", str(tmp_path / "back"))
    assert result.exit_code == 0, result.output
    back = tmp_path / "back" / "first"
    assert _files(back / "trajectories") == _files(run / "trajectories")
    assert len(_files(back / "trajectories")) > 6
    assert read_config(back) == read_config(run)
    assert read_records(back) == read_records(run)
    assert [path.name for path in (tmp_path / "back").iterdir()] == ["first"]
    # What was imported can be exported again, to the same rows.
    assert command("export", str(back), "--out", str(tmp_path / "again.parquet")).exit_code == 0
    assert pq.read_table(tmp_path / "again.parquet").equals(pq.read_table(file))


def test_datasets_reads_it(run: Path, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    file = tmp_path / "all.parquet"
    assert command("export", str(run), "--out", str(file)).exit_code == 0
    rows = datasets.load_dataset("parquet", data_files=str(file), cache_dir=str(tmp_path / "cache"), split="train")
    assert isinstance(rows.features["screenshot"], datasets.Image)
    first = rows[0]
    assert (first["task"], first["seed"], first["turn"], first["run"]) == ("stub-001", 0, 0, "first")
    record = read_records(run)[0]
    kept = Image.open(run / "trajectories" / "stub-001" / "seed-0" / "000.png")
    assert np.array_equal(np.asarray(first["screenshot"]), np.asarray(kept))
    episode = [row for row in rows if row["seed"] == 0]
    assert [row["turn"] for row in episode] == list(range(record.turns + 1))
    assert json.loads(episode[-2]["action"])["kind"] == "finish"
    assert (episode[-2]["terminated"], episode[-2]["truncated"], episode[-2]["success"]) == (True, False, True)
    assert [row["terminated"] for row in episode[:-2]] == [False] * (record.turns - 1)
    assert episode[-1]["action"] is None
    assert sum(row["reward"] for row in episode[:-1]) == pytest.approx(record.reward)
    assert all(row["instruction"] and row["episode_success"] for row in episode)


def test_episodes_without_a_trajectory_and_failures_are_left_out(tmp_path: Path) -> None:
    out = tmp_path / "noop"
    assert command("eval", "stub", "--policy", "noop", "--device", "stub:a", "--tasks", "stub-001",
                   "--trajectories", "--out", str(out)).exit_code == 0  # fmt: skip
    result = command("export", str(out), "--out", str(tmp_path / "x.parquet"), "--successes")
    assert result.exit_code == 2
    assert "no trajectories to export" in result.output
    assert not (tmp_path / "x.parquet").exists()


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda folder: (folder / "001.png").unlink(), "001.png is missing"),
        (lambda folder: (folder / "000.json").unlink(), "000.json is missing"),
        (lambda folder: (folder / "001.png").write_bytes(b"GIF89a"), "001.png is no PNG"),
        (lambda folder: (folder / "000.json").write_bytes(b'{"turn": 1'), "000.json is damaged"),
        (lambda folder: (folder / "000.json").write_bytes(b'{"turn": 1}'), "000.json is damaged"),
        (lambda folder: (folder / "000.json").write_bytes(b"\xff\xfe"), "000.json is no text"),
        (lambda folder: (folder / "notes.txt").write_text("x"), "notes.txt is no file of a trajectory"),
    ],
)
def test_damaged_trajectories_are_named(run: Path, tmp_path: Path, damage, told: str) -> None:  # type: ignore[no-untyped-def]
    damage(run / "trajectories" / "stub-001" / "seed-1")
    file = tmp_path / "x.parquet"
    result = command("export", str(run), "--out", str(file))
    assert result.exit_code == 2
    assert told in result.output
    assert not list(tmp_path.glob("x.parquet*"))


def test_damaged_records_and_runs_are_named(run: Path, tmp_path: Path) -> None:
    (run / "episodes.jsonl").write_text("{\n")
    assert "line 1 is damaged" in command("export", str(run), "--out", str(tmp_path / "x")).output
    assert "holds no run" in command("export", str(tmp_path), "--out", str(tmp_path / "x")).output


def test_two_runs_of_one_name_are_refused(run: Path, tmp_path: Path) -> None:
    result = command("export", str(run), str(tmp_path / "other" / "first"), "--out", str(tmp_path / "x"))
    assert result.exit_code == 2
    assert "both called 'first'" in result.output


def test_what_is_no_export_is_not_imported(run: Path, tmp_path: Path) -> None:
    file = tmp_path / "all.parquet"
    assert command("export", str(run), "--out", str(file)).exit_code == 0

    def told(source: Path, out: Path = tmp_path / "in") -> str:
        result = command("import", str(source), "--out", str(out))
        assert result.exit_code == 2
        return result.output

    assert "there is no file" in told(tmp_path / "none.parquet")
    (tmp_path / "cut.parquet").write_bytes(file.read_bytes()[:-20])
    assert "damaged or no Parquet" in told(tmp_path / "cut.parquet")
    table = pq.read_table(file)
    pq.write_table(table.replace_schema_metadata({}), tmp_path / "plain.parquet")
    assert "holds no trajectories of mobile-gym" in told(tmp_path / "plain.parquet")
    pq.write_table(table.drop_columns(["step"]), tmp_path / "less.parquet")
    assert "lacks the columns step" in told(tmp_path / "less.parquet")
    pq.write_table(table.slice(1), tmp_path / "later.parquet")
    assert "out of order" in told(tmp_path / "later.parquet")
    assert "is there already" in told(file, run.parent)
    assert not (tmp_path / "in").exists() or not list((tmp_path / "in").iterdir())


def test_names_that_lead_out_of_the_folder_are_refused(run: Path, tmp_path: Path) -> None:
    file = tmp_path / "all.parquet"
    assert command("export", str(run), "--out", str(file)).exit_code == 0
    table = pq.read_table(file)
    rows = table.to_pylist()
    for row in rows:
        row["task"] = "../../../evil"
    pq.write_table(type(table).from_pylist(rows, schema=table.schema), tmp_path / "evil.parquet")
    result = command("import", str(tmp_path / "evil.parquet"), "--out", str(tmp_path / "a" / "b"))
    assert result.exit_code == 2
    assert "no plain name" in result.output
    assert not (tmp_path / "evil").exists()


def test_long_runs_are_written_in_groups(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mobile_gym.training.parquet_export._GROUP_ROWS", 2)
    file = tmp_path / "all.parquet"
    assert command("export", str(run), "--out", str(file)).exit_code == 0
    found = pq.ParquetFile(file)
    assert found.metadata.num_row_groups == -(-found.metadata.num_rows // 2)
    picture = found.read_row_group(0).to_pylist()[0]["screenshot"]["bytes"]
    assert Image.open(io.BytesIO(picture)).size == (45, 100)
    found.close()
