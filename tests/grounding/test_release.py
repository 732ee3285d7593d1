"""TransBench's official release: files of its shape, whole and damaged."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from mobile_gym.envs.grounding_env import GroundingEnv
from mobile_gym.reward.grounding import Box
from mobile_gym.task_registry.grounding import GroundingItem, GroundingSetError, RowsLeftOut, load_official, of_split
from mobile_gym.task_registry.grounding.official import read_release
from mobile_gym.task_registry.grounding.sets import load_set, read_set


def row(**changes: Any) -> dict[str, Any]:
    return {
        "grounding_instruction": "打开购物车",
        "target_bbox": [[0.2, 0.4, 0.4, 0.5], [0.1, 0.3, 0.5, 0.6]],
        "platform_type": "android",
        "app_version_type": "low",
        "screenshot_path": "shots\\a.png",
        "app_name": "Shop",
        "app_type": "Shopping",
        **changes,
    }


ROWS = [
    row(),
    row(app_version_type="high"),
    row(platform_type="iOS", app_version_type="high"),
    row(platform_type="Web", app_version_type=""),
]


def lines(rows: Sequence[Any]) -> str:
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows)


def parquet(file: Path, rows: Sequence[Any], group: int = 1000) -> Path:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet as writer

    file.parent.mkdir(parents=True, exist_ok=True)
    writer.write_table(pyarrow.Table.from_pylist(rows), file, row_group_size=group)
    return file


@pytest.fixture
def release(tmp_path: Path) -> Path:
    (tmp_path / "shots").mkdir()
    Image.fromarray(np.full((120, 60, 3), 90, np.uint8)).save(tmp_path / "shots" / "a.png")
    (tmp_path / "all_test.jsonl").write_text(lines(ROWS), encoding="utf-8")
    (tmp_path / "ios_train.json").write_text(json.dumps(ROWS[2:3]), encoding="utf-8")
    return tmp_path


def test_rows_are_read_and_split(release: Path) -> None:
    items = load_official(release)
    assert [(item.platform, item.version) for item in items] == [
        ("android", "old"),
        ("android", "new"),
        ("ios", ""),
        ("web", ""),
    ]
    assert items[0].box == Box(0.2, 0.4, 0.4, 0.5), "the first box counts"
    assert {item.picture for item in items} == {"shots/a.png"}, "items of one screenshot share its name"
    platforms = ("android-old", "android-new", "ios", "web", "all")
    assert [len(of_split(items, name)) for name in platforms] == [1, 1, 1, 1, 4]
    assert len(load_official(release, "ios", "train")) == 1


@pytest.mark.parametrize(
    "path",
    [
        "shots\\a.png",
        "shots/a.png",
        "./shots/a.png",
        "./transferability_gui_benchmark/shots/a.png",
        "D:\\data\\shots\\a.png",
    ],
)
def test_pictures_are_found_however_their_path_is_written(release: Path, path: str) -> None:
    (release / "all_test.jsonl").write_text(lines([row(screenshot_path=path)]), encoding="utf-8")
    assert load_official(release)[0].load().shape == (120, 60, 3)


@pytest.mark.parametrize("path", ["gone.png", "/etc/hostname", "../../shots", "shots", "a\0.png"])
def test_pictures_that_are_not_there_are_named(release: Path, path: str) -> None:
    (release / "all_test.jsonl").write_text(lines([row(screenshot_path=path)]), encoding="utf-8")
    with pytest.raises(GroundingSetError, match=r"all_test\.jsonl, row 1, screenshot_path: there is no picture"):
        load_official(release)[0].load()


def test_a_damaged_picture_is_named(release: Path) -> None:
    picture = release / "shots" / "a.png"
    for damaged in (b"no picture", picture.read_bytes()[:60]):
        picture.write_bytes(damaged)
        with pytest.raises(GroundingSetError, match=r"row 1, screenshot_path: .*a\.png cannot be read as a picture"):
            load_official(release)[0].load()


@pytest.mark.parametrize(
    "name",
    [
        "{split}_{part}.parquet",
        "data/{split}_{part}.parquet",
        "{split}/{part}.parquet",
        "data/{split}-{part}.parquet",
        "data/{split}_{part}-00000-of-00001.parquet",
        "{split}/{part}-00000-of-00001.parquet",
    ],
)
def test_parquet_is_found_where_the_hub_puts_it(release: Path, name: str) -> None:
    parquet(release / name.format(split="android_low", part="train"), ROWS)
    items = load_official(release, "android_low", "train")
    assert [item.id for item in items] == [f"android_low_train-{number}" for number in (1, 2, 3, 4)]
    assert items[0].instruction == {"zh": "打开购物车"}


def test_shards_are_one_set_and_none_may_be_missing(release: Path) -> None:
    (release / "all_test.jsonl").unlink()
    shards = [parquet(release / "data" / f"all_test-{n:05}-of-00003.parquet", ROWS[n : n + 1]) for n in range(3)]
    assert [item.id for item in load_official(release)] == ["all_test-1", "all_test-2", "all_test-3"]
    assert [item.version for item in load_official(release)] == ["old", "new", ""]
    shards[1].unlink()
    with pytest.raises(GroundingSetError, match=r"all_test-00000-of-00003.*of 3 shards 1 are missing \(00001\)"):
        load_official(release)


def test_parquet_that_is_none_is_named(release: Path) -> None:
    pytest.importorskip("pyarrow")
    (release / "web_test.parquet").write_bytes(b"junk")
    with pytest.raises(GroundingSetError, match=r"web_test\.parquet: not readable as Parquet"):
        load_official(release, "web")


def test_damage_in_one_group_of_rows_leaves_the_others(release: Path) -> None:
    reader = pytest.importorskip("pyarrow.parquet")
    file = parquet(release / "web_test.parquet", [row(app_name=f"App {n}") for n in range(6)], group=2)
    chunk = reader.ParquetFile(file).metadata.row_group(1).column(0)
    start = chunk.dictionary_page_offset or chunk.data_page_offset
    data = bytearray(file.read_bytes())
    data[start : start + chunk.total_compressed_size] = b"\xff" * chunk.total_compressed_size
    file.write_bytes(bytes(data))
    found = read_release(release, "web")
    assert [item.id for item in found.items] == ["web_test-1", "web_test-2", "web_test-5", "web_test-6"]
    assert [one.partition(": ")[0] for one in found.left_out] == [f"{file}, row {number}" for number in (3, 4)]


@pytest.mark.parametrize("name", ["web_test.jsonl", "web_test.json"])
def test_marks_and_separators_of_unicode_are_text(release: Path, name: str) -> None:
    rows = [row(grounding_instruction="甲\u2028乙\u0085丙"), row()]
    text = lines(rows).replace("\n", "\r\n\r\n") if name.endswith("l") else json.dumps(rows, ensure_ascii=False)
    (release / name).write_text("\ufeff" + text, encoding="utf-8")
    assert [item.spoken("zh") for item in load_official(release, "web")] == ["甲\u2028乙\u0085丙", "打开购物车"]


@pytest.mark.parametrize(
    ("box", "expected"),
    [
        ([0.9, 0.9, 1.0000001, 1.0], Box(0.9, 0.9, 1.0, 1.0)),
        ([-0.0001, 0.1, 0.2, 0.2], Box(0.0, 0.1, 0.2, 0.2)),
        ([0, 0.1, 1, 0.2], Box(0.0, 0.1, 1.0, 0.2)),
    ],
)
def test_rounding_does_not_carry_a_box_out_of_the_screen(release: Path, box: list[float], expected: Box) -> None:
    (release / "all_test.jsonl").write_text(lines([row(target_bbox=[box])]), encoding="utf-8")
    assert load_official(release)[0].box == expected


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"target_bbox": []}, "target_bbox"),
        ({"target_bbox": [[0.1, 0.2, 0.3]]}, "target_bbox"),
        ({"target_bbox": [[10, 20, 30, 40]]}, "target_bbox"),
        ({"target_bbox": [[0.1, 0.2, 0.1, 0.4]]}, "target_bbox"),
        ({"target_bbox": [[0.3, 0.4, 0.1, 0.2]]}, "target_bbox"),
        ({"target_bbox": [[10**400, 0.4, 0.1, 0.2]]}, "target_bbox"),
        ({"target_bbox": "nonsense"}, "target_bbox"),
        ({"grounding_instruction": ""}, "grounding_instruction"),
        ({"platform_type": "symbian"}, "platform_type"),
        ({"app_version_type": "middle"}, "app_version_type"),
        ({"app_name": None}, "app_name"),
    ],
)
def test_a_wrong_row_is_left_out_aloud_and_the_rest_is_read(release: Path, changes: dict[str, Any], field: str) -> None:
    (release / "web_test.jsonl").write_text(lines([row(), row(**changes), row()]), encoding="utf-8")
    with pytest.warns(RowsLeftOut, match=rf"^1 row is wrong and left out, 2 are read: .*jsonl, row 2, {field}: "):
        items = load_official(release, "web")
    assert [item.id for item in items] == ["web_test-1", "web_test-3"], "a wrong row renames none"


def test_lines_that_are_no_json_are_counted_and_named(release: Path) -> None:
    text = lines([row()]).encode() + b'{oops\n\n"\xff"\n[1]\nnull\n' + lines([row()]).encode()
    (release / "web_test.jsonl").write_bytes(text)
    found = read_release(release, "web")
    assert len(found.items) == 2
    begins = ["row 2: not readable", "row 4: not readable", "row 5: an object", "row 6: an object"]
    assert all(begin in told for begin, told in zip(begins, found.left_out, strict=True))
    assert found.told().endswith("; and 1 more")


def test_files_of_which_nothing_can_be_read_are_refused(release: Path) -> None:
    with pytest.raises(GroundingSetError, match=r"normal_test\.jsonl.*data/normal_test-00000-of"):
        load_official(release, "normal")
    with pytest.raises(GroundingSetError, match="no split"):
        load_official(release, "symbian")
    (release / "app_train.jsonl").write_text("{\n{\n", encoding="utf-8")
    with pytest.raises(GroundingSetError, match=r"none of 2 rows can be read; the first: .*jsonl, row 1: not readable"):
        load_official(release, "app", "train")
    for text in ("[{", '{"a": 1}', lines(ROWS)):
        (release / "web_train.json").write_text(text, encoding="utf-8")
        with pytest.raises(GroundingSetError, match=r"web_train\.json: "):
            load_official(release, "web", "train")


def test_partitions_have_files_of_their_own(release: Path) -> None:
    train = [row(app_name="Shop"), row(app_name="Shop", platform_type="web")]
    test = [row(app_name="Shop"), row(app_name="Mall"), row(app_name="Maps", app_type="Maps")]
    (release / "app_train.jsonl").write_text(lines(train), encoding="utf-8")
    (release / "app_test.jsonl").write_text(lines(test), encoding="utf-8")
    assert [item.id for item in load_set(str(release), "app_train")] == ["app_train-1", "app_train-2"]
    assert [item.transfer for item in load_set(str(release), "app_test")] == ["", "same category", "different category"]
    assert load_set(str(release), "app") == load_set(str(release), "app_test")
    assert [item.id for item in load_set(str(release), "ios_train")] == ["ios_train-1"]
    assert [item.id for item in load_set(str(release), "ios")] == ["all_test-3"], "the platform, not the partition"


def test_without_the_training_part_figure_3_is_said_to_be_out_of_reach(release: Path) -> None:
    (release / "app_test.jsonl").write_text(lines([row(), row()]), encoding="utf-8")
    found = read_set(str(release), "app_test")
    assert {item.transfer for item in found.items} == {""}
    assert "cannot be told apart: " in found.told()
    assert "app_train.jsonl" in found.told()


def test_the_release_is_an_environment(release: Path) -> None:
    env = GroundingEnv("ios", str(release), observation_size=(60, 120))
    _, info = env.reset(seed=0)
    assert (info["platform"], info["source"]) == ("ios", "transbench")
    parted = GroundingEnv("ios_train", str(release), observation_size=(60, 120))
    items: Sequence[GroundingItem] = parted.items
    assert [item.id for item in items] == ["ios_train-1"]
