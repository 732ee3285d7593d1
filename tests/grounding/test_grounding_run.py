"""Evaluation of pointing: records, going on, summary, the command."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console
from typer.testing import CliRunner

from mobile_gym.cli import build_app
from mobile_gym.evaluation.grounding_run import (
    POINTERS,
    CenterPointer,
    NoPointer,
    RandomPointer,
    grounding_config,
    point_at,
)
from mobile_gym.evaluation.grounding_summary import NEW_ELEMENTS, print_grounding, summarise_grounding
from mobile_gym.evaluation.records import RecordsError, RunRecords
from mobile_gym.reward.grounding import NO_POINT_DISTANCE, Box
from mobile_gym.task_registry.grounding import GroundingItem
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
    assert set(by["split"]) == {"android-new", "web"}
    assert by["change"][NEW_ELEMENTS].items == 2
    assert by["change"][NEW_ELEMENTS].accuracy == 0.5
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


def test_tables_say_that_pictures_are_synthetic(tmp_path: Path) -> None:
    with RunRecords(tmp_path, grounding_config(ITEMS, "all", "own", "center")) as records:
        list(point_at(records, ITEMS, CenterPointer()))
        console = Console(record=True, width=120, quiet=False)
        with console.capture() as shown:
            print_grounding(console, summarise_grounding(records.all()))
    text = shown.get()
    assert "synthetic" in text
    assert NEW_ELEMENTS in text
    assert "50.00 %" in text


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
    refused = CliRunner().invoke(build_app("eval"), ["eval", "trans", "--policy", "demonstration"])
    assert refused.exit_code == 2
    assert all(name in refused.output for name in POINTERS)
