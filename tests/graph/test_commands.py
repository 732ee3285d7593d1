"""The commands record, graph, analyze and judge, and how graph tasks are registered."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import pytest
from typer.testing import CliRunner

from mobile_gym.cli import build_app
from mobile_gym.evaluation.models import EpisodeRecord, EpisodeTiming, RunConfig, TurnTiming
from mobile_gym.evaluation.records import RunRecords
from mobile_gym.reward.graph.drawing import layout, page
from mobile_gym.reward.graph.model import GraphError, TaskGraph, from_json, load_graph, to_json
from mobile_gym.reward.graph.recordings import Recording, save_recording
from mobile_gym.reward.task_spec import Instructions
from mobile_gym.task_registry.catalog import load_task, task_ids
from mobile_gym.task_registry.registration import ENTRY_POINT, GRAPH_ENTRY_POINT
from tests.graph.conftest import OWN


def run(*arguments: object, code: int = 0) -> str:
    result = CliRunner().invoke(build_app(str(arguments[0])), [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output
    return result.output


def test_a_demonstration_is_recorded(tmp_path: Path) -> None:
    folder = tmp_path / "one"
    assert "5 steps, solved" in run("record", "--task", OWN / "own-131.yaml", "--demonstration", 1, "-o", folder)
    meta = json.loads((folder / "recording.json").read_text("utf-8"))
    assert (meta["task"], meta["source"], meta["solved"]) == ("own-131", "demonstrations[1]", True)
    assert "not empty" in run("record", "--task", OWN / "own-131.yaml", "-o", folder, code=2)


def test_what_cannot_be_recorded_is_told(tmp_path: Path) -> None:
    task = ("record", "--task", OWN / "own-131.yaml", "-o", tmp_path / "x")
    assert "there is no number 7" in run(*task, "--demonstration", 7, code=2)
    assert "--unverified goes with --person" in run(*task, "--unverified", code=2)


def test_a_graph_is_built_and_shown(brightness_recordings: list[Recording], tmp_path: Path) -> None:
    for number, recording in enumerate(brightness_recordings):
        save_recording(recording, tmp_path / "recordings" / str(number))
    output = run("graph", "build", tmp_path / "recordings", "-o", tmp_path / "graph.json")
    assert "5 nodes, 5 edges, 2 DONE" in " ".join(output.split())
    run("graph", "show", tmp_path / "graph.json")
    html = (tmp_path / "graph.html").read_text("utf-8")
    assert html.count("<image ") == 5
    assert "http" not in html.replace("http-equiv", "")
    assert "own-131" in html
    assert "--task" in run("graph", "build", "-o", tmp_path / "none.json", code=2)
    assert "holds no recording" in run("graph", "build", tmp_path, "-o", tmp_path / "n.json", code=2)
    assert "there is no task graph" in run("graph", "show", tmp_path / "missing.json", code=2)


def test_the_page_places_nodes_apart_and_escapes_texts(reply_graph: TaskGraph) -> None:
    places = layout(reply_graph)
    assert len(set(places)) == len(reply_graph.nodes)
    assert places[0] == min(places)
    odd = from_json(to_json(reply_graph).replace('"text": "好的"', '"text": "<b>&"'))
    assert "type “&lt;b&gt;&amp;”" in page(odd)
    assert "<b>" not in page(odd)


def test_damaged_graphs_are_told(reply_graph: TaskGraph, tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    for text, said in [
        ("{", "is no task graph"),
        (to_json(reply_graph).replace('"format": 1', '"format": 99'), "Build it again"),
        (to_json(reply_graph).replace('"target": 1,', '"target": 99,', 1), "not there"),
    ]:
        path.write_text(text, "utf-8")
        with pytest.raises(GraphError, match=said):
            load_graph(path)


def test_pictures_and_edges_are_looked_at_when_a_graph_is_read(reply_graph: TaskGraph) -> None:
    def damaged(change: Callable[[dict[str, Any]], object]) -> str:
        data = json.loads(to_json(reply_graph))
        change(data)
        with pytest.raises(GraphError) as caught:
            from_json(json.dumps(data), "it")
        return str(caught.value)

    whole = base64.b64decode(json.loads(to_json(reply_graph))["nodes"][1]["picture"])
    for picture in ("%%", "", "aGVsbG8=", base64.b64encode(whole[: len(whole) // 2]).decode()):
        told = damaged(lambda data, picture=picture: data["nodes"][1].update(picture=picture))  # type: ignore[misc]
        assert "it: node 1 has a damaged picture" in told
    edges = json.loads(to_json(reply_graph))["edges"]
    tap = next(number for number, edge in enumerate(edges) if edge["kind"] == "tap")
    assert "'fly' is no kind of action" in damaged(lambda data: data["edges"][0].update(kind="fly"))
    assert "a tap lacks its point" in damaged(lambda data: data["edges"][tap].pop("point"))
    assert "a tap has no lift" in damaged(lambda data: data["edges"][tap].update(lift=[1, 1]))
    assert "a swipe lacks its lift" in damaged(lambda data: data["edges"][tap].update(kind="swipe"))
    assert "is not on the screen" in damaged(lambda data: data["edges"][tap].update(point=[1080, 5]))


def test_a_task_file_is_found_by_its_bare_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(OWN)
    output = run("graph", "build", "--task", "own-131.yaml", "-o", tmp_path / "graph.json")
    assert "5 nodes" in output
    assert "no number 9" in run("record", "--task", "own-131.yaml", "--demonstration", 9, "-o", tmp_path / "x", code=2)


def test_arguments_out_of_range_are_refused(tmp_path: Path) -> None:
    for port in (-1, 99999):
        told = run("record", "--task", OWN / "own-131.yaml", "--person", "--port", port, "-o", tmp_path / "x", code=2)
        assert "'--port'" in told
    judge = ("--model", "m", "--base-url", "http://127.0.0.1:9/v1")
    assert "there is no folder" in run("judge", tmp_path / "none", *judge, code=2)
    (tmp_path / "empty").mkdir()
    assert "holds no episodes" in run("judge", tmp_path / "empty", *judge, code=2)


def stored_run(folder: Path, successes: str, instructions: Instructions = "original") -> Path:
    config = RunConfig(
        package_version="1", suite="elder", suite_version="1", policy="p", device="d", instructions=instructions
    )
    ids = [name for name in task_ids("elder") if name < "elder-130"][: len(successes)]
    with RunRecords(folder, config) as records:
        for task_id, mark in zip(ids, successes, strict=True):
            task = load_task(task_id)
            fields: dict[str, Any] = {
                "suite": "elder",
                "suite_version": "1",
                "task": task_id,
                "task_hash": task.content_hash,
                "protocol": task.protocol,
                "tags": task.tags.model_dump(mode="json", exclude_none=True),
                "seed": 0,
                "device": "d",
                "policy": "p",
                "language": "zh",
                "instructions": instructions,
                "status": "done",
                "success": mark == "1",
            }
            turn = TurnTiming(policy_seconds=1, env_seconds=1, reasoning_seconds=2, parsing_seconds=0.5)
            turn = turn.model_copy(update={"prompt_tokens": 900, "generated_tokens": 100})
            timing = EpisodeTiming(task=task_id, seed=0, started="", reset_seconds=0, seconds=1, turns=[turn])
            records.append(EpisodeRecord.model_validate(fields), timing)
    return folder


def test_runs_are_analysed(tmp_path: Path) -> None:
    before, after = stored_run(tmp_path / "before", "10100"), stored_run(tmp_path / "after", "11110", "normalized")
    failed = [name for name in task_ids("elder") if name < "elder-130"][1]
    labels = tmp_path / "labels.yaml"
    labels.write_text(f"{failed}: planning_or_state_tracking\n")
    output = run("analyze", before, "--normalized", after, "--failures", labels, "--features")
    for part in (
        "40.00",
        "2.50",
        "1,000",
        "mean length",
        "Normalised pairs",
        "+2",
        "planning_or_state",
        "without a label",
    ):
        assert part in output, part
    assert "Factorization machine" in output
    labels.write_text("nobody: planning_or_state_tracking\n")
    assert "belongs to no failed episode" in run("analyze", before, "--failures", labels, code=2)
    (tmp_path / "none").mkdir()
    assert "run.json" in run("analyze", tmp_path / "none", code=2)
    config = json.loads((before / "run.json").read_text())
    (before / "run.json").write_text(json.dumps(config | {"suite": "trans-web"}))
    assert "is a grounding run" in run("analyze", before, code=2)


def test_graph_tasks_are_registered_with_their_environment() -> None:
    for task_id in task_ids("elder"):
        expected = GRAPH_ENTRY_POINT if 131 <= int(task_id.rpartition("-")[2]) <= 249 else ENTRY_POINT
        assert gymnasium.spec(f"MoBench/{task_id}").entry_point == expected
        assert (load_task(task_id).protocol == "graph") == (expected == GRAPH_ENTRY_POINT)


def test_a_task_can_be_asked_plainly() -> None:
    task = load_task("elder-031")
    plain = task.normalized()
    assert plain.instruction == task.instruction_normalized
    assert plain.content_hash == task.content_hash == load_task("elder-031").normalized().content_hash
    assert plain.in_language("en").instruction.en == plain.instruction.en != task.instruction.en
    assert task.played_as("graph").content_hash != task.content_hash
    with pytest.raises(ValueError, match="no normalised instruction"):
        task.model_copy(update={"instruction_normalized": None}).normalized()
