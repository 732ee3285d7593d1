"""Evaluation of pointing: records, going on, summary, the command."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console
from typer.testing import CliRunner

from mobile_gym.cli import build_app
from mobile_gym.evaluation.grounding_pointers import (
    POINTERS,
    CenterPointer,
    DemonstrationPointer,
    NoPointer,
    Pointer,
    RandomPointer,
    TextMatchPointer,
    check_pointer,
)
from mobile_gym.evaluation.grounding_run import grounding_config, point_at
from mobile_gym.evaluation.grounding_summary import NEW_ELEMENTS, print_grounding, summarise_grounding
from mobile_gym.evaluation.html import write_report
from mobile_gym.evaluation.models import EpisodeRecord
from mobile_gym.evaluation.records import RecordsError, RunRecords
from mobile_gym.reward.grounding import NO_POINT_DISTANCE, Box
from mobile_gym.task_registry.grounding import GroundingItem, GroundingSetError, load_official
from mobile_gym.task_registry.grounding.items import PageElement
from mobile_gym.task_registry.grounding.own.export import export

MIDDLE, CORNER = Box(0.4, 0.4, 0.6, 0.6), Box(0.0, 0.0, 0.2, 0.1)


def item(name: str, box: Box, **changes: object) -> GroundingItem:
    made = GroundingItem(
        id=f"own-zh-android-new-app-{name}-0",
        instruction={"zh": f"打开{name}"},
        box=box,
        platform="android",
        version="new",
        app="App",
        category="Shopping",
        page=f"Page {name}",
        change="none",
        source="synthetic",
        load=lambda: np.full((40, 20, 3), 90, np.uint8),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


ITEMS = [
    item("a", MIDDLE),
    item("b", CORNER, change="addition"),
    item("c", MIDDLE, change="addition"),
    item("d", CORNER, platform="web", version="", change=""),
]


def test_the_centre_is_scored_written_down_and_not_asked_again(tmp_path: Path) -> None:
    player = CenterPointer()
    config = grounding_config(ITEMS, "all", "own", player.name)
    with RunRecords(tmp_path, config) as records:
        played = list(point_at(records, ITEMS[:2], player))
    assert [one.record.success for one in played] == [True, False]
    with RunRecords(tmp_path, config) as records:
        again = list(point_at(records, ITEMS, player))
        summary = summarise_grounding(records.all())
    assert [one.before for one in again] == [True, True, False, False]
    assert (summary.overall.items, summary.overall.hits) == (4, 2)
    by = {name: {one.group: one for one in scores} for name, scores in summary.groups.items()}
    assert list(by["split"]) == ["android", "android-new", "web"]
    assert by["new"][NEW_ELEMENTS].items == 2
    assert by["new"][NEW_ELEMENTS].accuracy == 0.5
    assert list(by["change"]) == ["addition", "none"]
    assert by["page"]["App: Page a"].distance == pytest.approx(0.0)
    corner = by["split"]["web"]
    assert corner.distance == pytest.approx(np.hypot(40, 45))
    assert 0 <= corner.low <= corner.accuracy <= corner.high <= 1


def test_records_of_other_boxes_are_not_gone_on_with(tmp_path: Path) -> None:
    player = CenterPointer()
    config = grounding_config(ITEMS, "all", "own", player.name)
    with RunRecords(tmp_path, config) as records:
        list(point_at(records, ITEMS[:1], player))
        with pytest.raises(RecordsError, match="has changed"):
            list(point_at(records, [replace(ITEMS[0], box=CORNER)], player))
    other = grounding_config([replace(ITEMS[0], box=CORNER)], "all", "own", player.name)
    with pytest.raises(RecordsError, match="suite_version"):
        RunRecords(tmp_path, other)


def test_no_point_and_random_points(tmp_path: Path) -> None:
    config = grounding_config(ITEMS, "all", "own", "noop")
    with RunRecords(tmp_path / "noop", config) as records:
        list(point_at(records, ITEMS, NoPointer()))
        summary = summarise_grounding(records.all())
    assert (summary.overall.hits, summary.no_point) == (0, 4)
    assert summary.overall.distance == pytest.approx(NO_POINT_DISTANCE)
    points = []
    for name in ("one", "two"):
        with RunRecords(tmp_path / name, grounding_config(ITEMS, "all", "own", "random")) as records:
            points.append([one.record.tags["point"] for one in point_at(records, ITEMS, RandomPointer())])
    assert points[0] == points[1]
    assert len({tuple(point) for point in points[0]}) == len(ITEMS)


def played(folder: Path, items: list[GroundingItem], player: Pointer, dataset: str = "own") -> list[EpisodeRecord]:
    with RunRecords(folder, grounding_config(items, "all", dataset, player.name)) as records:
        list(point_at(records, items, player))
        return records.all()


def printed(records: list[EpisodeRecord]) -> str:
    console = Console(width=80)
    with console.capture() as shown:
        print_grounding(console, summarise_grounding(records))
    return shown.get()


def test_tables_are_laid_out_as_the_papers(tmp_path: Path) -> None:
    old = [item(f"o{n}", MIDDLE, version="old", change="deletion") for n in range(3)]
    apart = [item("s", MIDDLE, transfer="same category"), item("t", CORNER, transfer="different category")]
    text = printed(played(tmp_path, [*ITEMS, *old, *apart], CenterPointer()))
    assert "synthetic" in text
    table = text[text.index("as in table 4") : text.index("By platform and version")]
    rows = [[cell.strip() for cell in re.split("[│┃]", line)[1:-1]] for line in table.splitlines()]
    upper, lower, accuracies, distances = (row for row in rows if row)
    assert [" ".join(filter(None, pair)) for pair in zip(upper, lower, strict=True)] == [
        "center",
        "General",
        "Android Overall",
        "Android Old",
        "Android New",
        "iOS",
        "Web",
    ]
    assert accuracies == ["acc ↑, %", "66.67", "75.00", "100.00", "60.00", "–", "0.00"]
    assert distances[0] == "dis ↓"
    assert distances[3] == "0.00"
    rest = text[text.index("By platform and version") :]
    for name in ("Android Old", "Android New", "Same CAT", "Different CAT", NEW_ELEMENTS, "Deletion", "figure 3"):
        assert name in rest
    assert printed(played(tmp_path / "all", ITEMS, CenterPointer())).count("CAT") == 0


def test_demonstrations_hit_everything(tmp_path: Path) -> None:
    thin = [item(f"x{n}", Box(n / 997, 0.5, n / 997 + 0.0011, 0.5011)) for n in range(0, 990, 7)]
    records = played(tmp_path, [*ITEMS, *thin], DemonstrationPointer())
    assert all(record.success for record in records)
    assert max(record.tags["distance"] for record in records) <= 0.08


def test_texts_of_the_page_are_matched_with_the_instruction(tmp_path: Path) -> None:
    page = [PageElement(("设置",), CORNER), PageElement(("关闭", "购物车"), MIDDLE), PageElement(("车",), CORNER)]
    asked = [
        item("购物车", MIDDLE, elements=lambda: page),
        item("设置", CORNER, elements=lambda: page),
        item("地图", CORNER, elements=lambda: page),
    ]
    records = played(tmp_path, asked, TextMatchPointer())
    assert [record.success for record in records] == [True, True, False]
    assert records[2].tags["point"] is None, "nothing on the page reads like the instruction"
    with pytest.raises(ValueError, match="text_match reads the texts on a page, and the set somewhere has none"):
        check_pointer(TextMatchPointer(), [*asked, ITEMS[0]], "somewhere")


def test_an_item_without_its_picture_is_not_run_and_stops_nothing(tmp_path: Path) -> None:
    def gone() -> np.ndarray:  # type: ignore[type-arg]
        raise GroundingSetError("rows.jsonl, row 1, screenshot_path: there is no picture a.png")

    records = played(tmp_path, [item("gone", MIDDLE, load=gone), ITEMS[0]], CenterPointer())
    assert [record.status for record in records] == ["not_run", "done"]
    text = printed(records)
    assert "1 items were not run" in text
    assert "row 1, screenshot_path" in text
    assert "table" not in printed(records[:1]), "nothing was run, so there is nothing to show"


def test_the_report_tells_of_a_run_only_what_means_something_for_it(tmp_path: Path) -> None:
    dataset = str(export(ITEMS, tmp_path / "set").parent)
    played(tmp_path / "r", load_official(dataset), CenterPointer(), dataset)
    text = write_report([tmp_path / "r"], tmp_path / "report.html").path.read_text(encoding="utf-8")
    facts = text[text.index("<dl>") : text.index("</dl>")]
    assert f"<dt>pictures</dt><dd>{dataset}</dd>" in facts
    assert "<dd>each picture&#x27;s own</dd>" in facts
    assert not any(
        f"<dt>{name}</dt>" in facts for name in ("time budget", "reset by", "user", "device", "instructions")
    )
    assert "Android Overall acc\N{NO-BREAK SPACE}↑" in text
    assert "TransBench: elements added in the new version (table 6)" in text


def test_the_command_asks_reports_and_goes_on(tmp_path: Path) -> None:
    export(ITEMS[:3], tmp_path / "set")
    arguments = [
        "eval",
        "trans",
        "--policy",
        "center",
        "--dataset",
        str(tmp_path / "set"),
        "--out",
        str(tmp_path / "r"),
    ]
    for split in ("android-new", "android-new"):
        result = CliRunner().invoke(build_app("eval"), [*arguments, "--split", split])
        assert result.exit_code == 0, result.output
        assert "android-new" in result.output
        assert "66.67 %" in result.output
    lines = (tmp_path / "r" / "episodes.jsonl").read_text().splitlines()
    assert len(lines) == 3


def asked(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(build_app("eval"), ["eval", "trans", *arguments])
    return result.exit_code, " ".join(result.output.split())


def test_the_command_refuses_what_cannot_be_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = str(export(ITEMS, tmp_path / "set").parent)
    code, text = asked("--policy", "guess", "--dataset", rows)
    assert code == 2
    assert all(name in text for name in POINTERS)
    code, text = asked("--policy", "text_match", "--dataset", rows)
    assert (code, "has none: its rows hold a picture" in text) == (2, True)
    code, text = asked("--policy", "center", "--dataset", rows, "--split", "ios")
    assert (code, "the split ios of the set" in text, "holds no items" in text) == (2, True, True)
    code, text = asked("--policy", "center", "--dataset", rows, "--split", "web_test")
    assert (code, "web_test.jsonl" in text) == (2, True)
    code, text = asked("--policy", "demonstration", "--demonstration", "1", "--dataset", rows)
    assert (code, "have one answer" in text) == (2, True)
    assert not (tmp_path / "runs").exists(), "nothing refused leaves a folder"


def test_the_command_plays_a_partition_and_counts_wrong_rows_aloud(tmp_path: Path) -> None:
    file = export(ITEMS, tmp_path / "set")
    file.rename(file.with_name("android_low_test.jsonl"))
    with file.with_name("android_low_test.jsonl").open("a", encoding="utf-8") as rows:
        rows.write('{"target_bbox": []}\n')
    out = tmp_path / "r"
    arguments = ("--policy", "demonstration", "--dataset", str(file.parent), "--out", str(out))
    code, text = asked(*arguments, "--split", "android_low")
    assert code == 0, text
    assert "1 row is wrong and left out, 4 are read" in text
    assert "android_low_test.jsonl, row 5" in text
    assert "100.00 %" in text
    code, text = asked(*arguments, "--split", "android_low_test")
    assert code == 0, "the same split by its whole name"
    assert len((out / "episodes.jsonl").read_text().splitlines()) == 4


def test_apps_that_there_are_not_are_named() -> None:
    for command in (["trans", "build", "--apps", "com.nope"], ["trans", "crawl", "x.json", "--apps", "com.nope"]):
        result = CliRunner().invoke(build_app("trans"), command)
        assert result.exit_code == 2, result.output
        assert "no app 'com.nope'" in result.output
    assert CliRunner().invoke(build_app("trans"), ["trans", "build", "--pages", "-1"]).exit_code == 2
