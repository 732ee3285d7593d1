"""The HTML report: numbers, comparisons, what is said of broken runs, and that texts of runs stay texts."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image
from pydantic import TypeAdapter
from typer.testing import CliRunner

from mobile_gym.cli import build_app
from mobile_gym.evaluation.elder_metrics import mcnemar_exact
from mobile_gym.evaluation.grounding_run import item_hash
from mobile_gym.evaluation.html import grounding, write_report
from mobile_gym.evaluation.html.choosing import choose, failures_first
from mobile_gym.evaluation.html.comparing import comparisons, warnings_of
from mobile_gym.evaluation.html.episodes import failure_words, screen_of, task_of
from mobile_gym.evaluation.html.loading import labels_of, load_runs
from mobile_gym.evaluation.html.pictures import Kept, Pictures, Source, width_for
from mobile_gym.evaluation.html.steps import Step, doings, first_loss, operation_turns, read_trail
from mobile_gym.evaluation.html.tables import Interval, Table, result_tables
from mobile_gym.evaluation.html.words import criterion_words, doing_words, in_one_line, operation_words
from mobile_gym.evaluation.models import ActionError, EpisodeRecord, EpisodeTiming, RunConfig, TurnTiming
from mobile_gym.evaluation.records import RecordsError
from mobile_gym.reward.criteria import Criterion
from mobile_gym.reward.grounding import Box
from mobile_gym.reward.process import AllOf, AnyOf, Never, Operation, ProcessEntry, RequiredOperation
from mobile_gym.task_registry.catalog import load_task
from mobile_gym.task_registry.grounding import GroundingItem

Make = Callable[..., EpisodeRecord]
EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>&amp;__TITLE__"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
VOID = {"meta", "link", "input", "img", "br"}


class Page(HTMLParser):
    """A page taken apart: elements in order, texts of scripts by id; open and close tags must match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: dict[str, str] = {}
        self.words: list[str] = []
        self._open: list[str] = []
        self._script = ""
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag == "script":
            self._script = dict(attrs).get("id") or "main"
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag
        self._script = ""

    def handle_data(self, data: str) -> None:
        if self._script:
            self.scripts[self._script] = self.scripts.get(self._script, "") + data
        elif "style" not in self._open:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    @property
    def index(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.scripts["index"])
        return found

    def details(self, number: int) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.scripts[f"d{number}"])
        return found


def write_run(
    folder: Path, config: RunConfig, records: Sequence[EpisodeRecord], timings: Sequence[EpisodeTiming] = ()
) -> Path:
    folder.mkdir(parents=True)
    (folder / "run.json").write_text(config.model_dump_json(), "utf-8")
    (folder / "episodes.jsonl").write_text("".join(one.model_dump_json() + "\n" for one in records), "utf-8")
    (folder / "timings.jsonl").write_text("".join(one.model_dump_json() + "\n" for one in timings), "utf-8")
    return folder


def write_step(run: Path, task: str, turn: int, line: dict[str, Any] | None, shade: int = 0) -> None:
    folder = run / "trajectories" / task / "seed-0"
    folder.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (90, 200), (shade, 40, 90)).save(folder / f"{turn:03d}.png")
    if line is not None:
        (folder / f"{turn:03d}.json").write_text(json.dumps(line), "utf-8")


def page_of(tmp_path: Path, *runs: Path, **options: Any) -> Page:
    report = write_report(runs, tmp_path / "page.html", **options)
    return Page(report.path.read_text("utf-8"))


def tap(progress: float, **more: Any) -> dict[str, Any]:
    action = {"kind": "tap", "point": [500, 250]}
    return {"action": action, "progress": progress, "action_error": "", "activity": "com.stub/.Main", **more}


@pytest.fixture
def run(tmp_path: Path, config: RunConfig, record: Make, timing: Callable[..., EpisodeTiming]) -> Path:
    """Two episodes of tasks that exist, the first with a trajectory of two actions that loses what it had."""
    good = load_task("elder-031")
    records = [
        record(
            "elder-020", task_hash=load_task("elder-020").content_hash, claimed=True, ended_by="finish", turns=2,
            subtasks={"1": False}, unexpected_changes=["system/screen_off_timeout: 1 -> 2"],
            action_errors=[ActionError(turn=2, error="beside the screen")],
        ),
        record("elder-031", task_hash=good.content_hash, success=True, progress=1.0, goal_reached=True, claimed=True),
    ]  # fmt: skip
    folder = write_run(tmp_path / "one", config, records, [timing("elder-020", turns=(turn(),)), timing("elder-031")])
    write_step(folder, "elder-020", 0, tap(1.0, subtasks={"1": True}, policy={"thought": "It is <b>small</b>"}))
    write_step(folder, "elder-020", 1, tap(0.0, subtasks={"1": False}, action_error="beside the screen"), 100)
    write_step(folder, "elder-020", 2, None, 100)
    return folder


def turn() -> TurnTiming:
    return TurnTiming(
        policy_seconds=1, env_seconds=2, reasoning_seconds=3, parsing_seconds=0, prompt_tokens=1000, generated_tokens=50
    )


def test_the_page_stands_alone_and_is_well_formed(run: Path, tmp_path: Path) -> None:
    page = page_of(tmp_path, run)
    for tag, attributes in page.elements:
        for name in ("src", "href", "action"):
            value = attributes.get(name) or ""
            assert not value or value.startswith(("#", "data:")), (tag, value)
    (policy,) = [a["content"] for t, a in page.elements if t == "meta" and "http-equiv" in a]
    digest = base64.b64encode(hashlib.sha256(page.scripts["main"].encode()).digest()).decode()
    assert policy is not None
    assert f"'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    for name in re.findall(r'el\("([\w-]+)"\)', page.scripts["main"]):
        assert any(attributes.get("id") == name for _, attributes in page.elements), name


def test_an_episode_tells_steps_verifier_and_failure(run: Path, tmp_path: Path) -> None:
    page = page_of(tmp_path, run)
    first = page.index["episodes"][0]
    assert first["text"] == load_task("elder-020").instruction.zh
    assert (first["verdict"], first["errors"], first["turns"], first["seconds"]) == ("failure", 1, 2, 1)
    told = page.details(0)
    assert [step["action"] for step in told["steps"]] == [
        {"kind": "tap", "point": [500, 250]}, {"kind": "tap", "point": [500, 250]}, None,
    ]  # fmt: skip
    assert told["steps"][0]["thought"] == "It is <b>small</b>"
    assert told["steps"][1]["error"] == "beside the screen"
    assert told["steps"][0]["screen"] == [0, 0, 90, 200]
    assert told["steps"][1]["picture"] == told["steps"][2]["picture"], "equal pictures are kept once"
    assert told["steps"][0]["picture"] != told["steps"][1]["picture"]
    assert page.scripts[told["steps"][0]["picture"]].startswith("data:image/webp;base64,")
    (subtask,) = told["subtasks"]
    assert (subtask["holds"], subtask["lost"]) == (False, 2)
    assert "setting" in json.dumps(subtask["words"])
    words = " ".join(told["failed"])
    either = "system/font_scale is above its value at the start; the setting secure/display_density_forced is above"
    assert f"this did not hold: one of these (the setting {either} its value at the start)." in words
    assert "After turn 2 something no longer held: 1 (progress from 100 % to 0 %)." in words
    assert "the last at turn 2: beside the screen" in words
    assert page.details(1)["failed"] == []
    assert page.details(1)["steps"] == []


def test_results_and_costs_stand_in_tables(run: Path, tmp_path: Path) -> None:
    text = page_of(tmp_path, run).text
    assert "ElderBench: success, latency, tokens" in text
    assert "overall 1/2 50.0 % 9.5 – 90.5 % 3.00 1,050" in text
    assert "1,000 50 1,050" in text
    assert "elder, version 1" in text


def test_texts_of_runs_stay_texts(tmp_path: Path, config: RunConfig, record: Make) -> None:
    evil = config.model_copy(update={"policy": EVIL, "policy_options": {"prompt": EVIL}})
    one = record("evil", task_hash=EVIL, policy=EVIL, unexpected_changes=[EVIL], ended_by=EVIL, error=EVIL,
                 tags={"semantics": EVIL, EVIL: EVIL}, subtasks={EVIL: False})  # fmt: skip
    folder = write_run(tmp_path / "<img>run", evil, [one])
    write_step(folder, "evil", 0, tap(0, policy={"thought": EVIL, "answer": EVIL, "flags": [EVIL]}, action_error=EVIL))
    page = page_of(tmp_path, folder)
    scripts = [attributes.get("id") for tag, attributes in page.elements if tag == "script"]
    assert scripts == ["index", "d0", "p0", None]
    assert not [tag for tag, _ in page.elements if tag == "img"]
    assert not [a for _, a in page.elements if any(name.startswith("on") for name in a)]
    assert page.details(0)["unexpected"] == [EVIL]
    assert page.details(0)["steps"][0]["thought"] == EVIL
    assert EVIL in page.text, "and nothing is filled into them"


def test_scripts_set_texts_and_never_html(run: Path, tmp_path: Path) -> None:
    script = page_of(tmp_path, run).scripts["main"]
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|fetch\(|XMLHttp", script)


def test_broken_runs_are_shown_with_what_is_left(run: Path, tmp_path: Path, record: Make) -> None:
    with (run / "episodes.jsonl").open("a", encoding="utf-8") as file:
        file.write("{broken\n" + record("gone-001", status="not_run", error="no device").model_dump_json() + '\n{"su')
    (run / "timings.jsonl").unlink()
    (run / "run.json").write_text("{}", "utf-8")
    folder = run / "trajectories" / "elder-020" / "seed-0"
    (folder / "000.png").unlink()
    (folder / "001.png").write_bytes(b"no picture")
    (folder / "001.json").write_text("[", "utf-8")
    page = page_of(tmp_path, run)
    assert "run.json is no run's configuration" in page.text
    assert "episodes.jsonl, line 3 is damaged and left out" in page.text
    assert "ends with a torn line" in page.text
    assert "timings.jsonl is missing" in page.text
    problems = " ".join(page.details(0)["problems"])
    assert "000.png is missing" in problems
    assert "001.png" in problems
    assert "001.json is damaged" in problems
    assert len(page.details(0)["steps"]) == 3
    assert "the task cannot be read here" in page.details(2)["problems"][0]
    assert page.details(2)["failed"] == ["It was not run: no device"]
    assert "2 episodes have files or items that cannot be shown" in page.text


def test_many_damaged_lines_are_counted(tmp_path: Path, config: RunConfig) -> None:
    folder = write_run(tmp_path / "bad", config, [])
    (folder / "episodes.jsonl").write_text("x\n" * 9, "utf-8")
    (loaded,) = load_runs([folder])
    assert len(loaded.problems) == 7
    assert "4 further lines are damaged" in loaded.problems[5]
    assert "There is no episode to show." in page_of(tmp_path, folder).text


def test_folders_that_hold_no_run_are_refused(run: Path, tmp_path: Path) -> None:
    with pytest.raises(RecordsError, match="holds no run"):
        load_runs([tmp_path])
    with pytest.raises(RecordsError, match="given twice"):
        load_runs([run, run])


def test_labels_are_as_short_as_tells_them_apart() -> None:
    assert labels_of([Path("/a/b/run"), Path("/a/c/run"), Path("/a/other")]) == ["b/run", "c/run", "other"]


def test_a_trajectory_outside_of_the_run_is_not_read(run: Path, record: Make) -> None:
    assert read_trail(run / "trajectories", record("../../one/trajectories/elder-020")).steps == ()


@pytest.mark.parametrize(("choice", "kept"), [("all", 2), ("failures", 1), ("none", 0)])
def test_pictures_are_chosen(run: Path, tmp_path: Path, choice: Any, kept: int) -> None:
    write_step(run, "elder-031", 0, None, 200)
    for name in ("000.png", "001.png", "002.png"):
        shutil.copy(
            run / "trajectories" / "elder-031" / "seed-0" / "000.png", run / "trajectories/elder-020/seed-0" / name
        )
    Image.new("RGB", (90, 200), (1, 1, 1)).save(run / "trajectories" / "elder-031" / "seed-0" / "000.png")
    report = write_report([run], tmp_path / "page.html", choice)
    assert report.pictures == kept
    assert len(Page(report.path.read_text("utf-8")).details(0)["steps"]) == 3, "actions are told without pictures too"


def test_a_full_page_leaves_pictures_out_and_says_so(run: Path, tmp_path: Path) -> None:
    report = write_report([run], tmp_path / "page.html", limit=1)
    assert (report.pictures, report.left_out) == (1, 2)
    assert "2 pictures are left out" in Page(report.path.read_text("utf-8")).text


def test_thumbnails_are_small_and_narrower_where_there_are_many() -> None:
    assert width_for(10) > width_for(1000) > width_for(10_000)
    pictures = Pictures(180, 1_000_000)
    frame = np.random.default_rng(0).integers(256, size=(800, 360, 3), dtype=np.uint8)
    one, other = Source("one", lambda: frame), Source("other", frame.copy)
    pictures.add(one)
    pictures.add(other)
    assert pictures.find(one) == pictures.find(other) == Kept("p0", (360, 800))
    (uri,) = pictures.kept.values()
    data = base64.b64decode(uri.partition(",")[2])
    assert data[8:12] == b"WEBP"
    assert Image.open(io.BytesIO(data)).size == (180, 400)


@given(
    needs=st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=4), max_size=20),
    good=st.lists(st.booleans(), min_size=20, max_size=20),
    most=st.integers(0, 9),
)
def test_the_choice_stays_within_its_number(needs: list[list[str]], good: list[bool], most: int) -> None:
    good = good[: len(needs)]
    order = failures_first(good)
    assert sorted(order) == list(range(len(needs)))
    assert [good[number] for number in order] == sorted(good), "failures first"
    chosen = choose(needs, order, most)
    there = {name for number in chosen for name in needs[number]}
    assert len(there) <= most
    assert len(set(chosen)) == len(chosen)
    for number in set(order) - set(chosen):
        assert set(needs[number]) - there, "what costs nothing is never left out"
    assert choose(needs, order) == order


@pytest.mark.parametrize("count", [10, 100, 1000])
def test_every_beginning_of_the_order_is_an_even_sample(count: int) -> None:
    order = failures_first([False] * count)
    for size in range(1, count):
        middle = sum(number < count / 2 for number in order[:size])
        assert abs(middle - size / 2) <= 2, size


def test_films_are_shown_whole_and_those_of_failures_first(tmp_path: Path, config: RunConfig, record: Make) -> None:
    names = [f"t-{number}" for number in range(6)]
    folder = write_run(tmp_path / "one", config, [record(name, success=name > "t-1") for name in names])
    for place, name in enumerate(names):
        for turn_number in range(4):
            write_step(folder, name, turn_number, tap(0.0) if turn_number < 3 else None, 40 * place + 8 * turn_number)
    told: list[str] = []
    report = write_report([folder], tmp_path / "a.html", 13, told=lambda what, done, total: told.append(what))
    assert report.pictures == 12
    page = Page(report.path.read_text("utf-8"))
    seen = [number for number, one in enumerate(page.index["episodes"]) if one["seen"]]
    assert seen[:2] == [0, 1]
    assert len(seen) == 3
    for number in range(6):
        steps = page.details(number)["steps"]
        assert len(steps) == 4, "steps are told without pictures too"
        assert sum("picture" in step for step in steps) == (4 if number in seen else 0)
    assert "Pictures are shown of 3 of 6 episodes" in page.text
    assert "Pictures are shown of 3 of 6 episodes" in report.note
    assert {"reading the runs", "reading episodes", "pictures", "episodes", "tables"} == set(told)
    again = write_report([folder], tmp_path / "b.html", 13)
    assert again.path.read_bytes() == report.path.read_bytes()
    whole = write_report([folder], tmp_path / "c.html")
    assert (whole.pictures, whole.note) == (24, "")
    assert "Pictures are shown" not in Page(whole.path.read_text("utf-8")).text


def cells(tables: Sequence[Table], title: str) -> dict[str, tuple[Any, ...]]:
    (table,) = [one for one in tables if one.title.startswith(title)]
    return {str(row[0]): row[1:] for row in table.rows}


def test_the_table_of_probench(tmp_path: Path, config: RunConfig, record: Make) -> None:
    def one(number: int, kind: str, language: str, **fields: Any) -> EpisodeRecord:
        tags = {"kind": kind, "app_language": language}
        return record(f"probench-{number}", protocol="process", tags=tags, **fields)

    records = [
        one(1, "state", "en", success=True, claimed=True),
        one(2, "process", "zh", claimed=True),
        one(3, "process", "zh", ended_by="repeated_action"),
    ]
    tables = result_tables(load_runs([write_run(tmp_path / "p", config, records)]))
    found = cells(tables, "ProBench: accuracy")
    assert found["state-related, English apps"][:2] == ("1/1", "100.0 %")
    assert found["process-related, all apps"][:2] == ("0/2", "0.0 %")
    assert found["all, all apps"][:2] == ("1/3", "33.3 %")
    assert isinstance(found["all, all apps"][3], Interval)
    assert "state-related, Chinese apps" not in found
    outcomes = cells(tables, "ProBench: how")
    assert outcomes["p"] == ("1", "1", "1", "50.0 %", "1 (100.0 % of the uncompleted)")


def test_the_table_of_gma_has_success_and_average(tmp_path: Path, config: RunConfig, record: Make) -> None:
    records = [
        record("a", protocol="workflow", tags={"tier": "atomic"}, success=True, progress=1.0),
        record("b", protocol="workflow", tags={"tier": "realistic", "dimensions": ["conditional"]}, progress=0.5),
        record("c", protocol="workflow", tags={"tier": "realistic"}, progress=0.0, status="not_run"),
    ]
    found = cells(result_tables(load_runs([write_run(tmp_path / "g", config, records)])), "GMA")
    assert list(found) == ["overall", "tier: atomic", "tier: realistic", "dimension: conditional"]
    assert (found["overall"][0], found["overall"][1], found["overall"][4]) == ("1/2", "50.0 %", "75.0 %")
    assert found["overall"][5] == "50.0 – 100.0 %"
    assert found["tier: realistic"][4] == "50.0 %"


def test_runs_stand_beside_each_other(tmp_path: Path, config: RunConfig, record: Make) -> None:
    names = [f"t-{number}" for number in range(6)]
    one = write_run(tmp_path / "one", config, [record(name, success=name == "t-0") for name in names])
    two = write_run(tmp_path / "two", config, [record(name, success=name != "t-0") for name in names[:5]])
    runs = load_runs([one, two])
    assert warnings_of(runs) == []
    (pair,) = comparisons(runs)
    assert pair.title == "two against one"
    assert pair.gained == tuple((f"t-{number}", 0) for number in range(1, 5))
    assert pair.lost == (("t-0", 0),)
    assert pair.notes == ("Done in one alone: 1; in two alone: 0. They are left out.",)
    (row,) = pair.tables[0].rows
    assert row[:5] == ("overall", "5", "20.0 %", "80.0 %", "+60.0")
    assert row[7:] == ("+4 / −1", f"{mcnemar_exact(4, 1):.4f}")
    page = page_of(tmp_path, one, two)
    links = [a["href"] for tag, a in page.elements if tag == "a" and "t-" not in (a.get("href") or "")]
    assert "#e6" in links, "the second run's t-0"


def test_long_lists_of_flips_are_folded(tmp_path: Path, config: RunConfig, record: Make) -> None:
    names = [f"t-{number:02d}" for number in range(20)]
    one = write_run(tmp_path / "one", config, [record(name, success=name < "t-02") for name in names])
    two = write_run(tmp_path / "two", config, [record(name, success=name >= "t-02") for name in names])
    page = page_of(tmp_path, one, two)
    flips = [tag for tag, attributes in page.elements if attributes.get("class") == "card flips"]
    assert flips == ["details", "div"], "18 gained, 2 lost"
    assert "Solved now, not before (18)" in page.text


def test_what_does_not_compare_is_said_and_left_out(tmp_path: Path, config: RunConfig, record: Make) -> None:
    one = write_run(tmp_path / "one", config, [record("t-0"), record("t-1")])
    newer = config.model_copy(update={"suite_version": "2", "language": "en"})
    two = write_run(tmp_path / "two", newer, [record("t-0", task_hash="other", success=True), record("t-1")])
    runs = load_runs([one, two])
    warnings = " ".join(warnings_of(runs))
    assert "different versions of the suite (1: one; 2: two)" in warnings
    assert "different languages" in warnings
    assert "1 tasks are not the same in all runs (t-0)" in warnings
    (pair,) = comparisons(runs)
    assert pair.gained == ()
    assert "1 episodes are left out, since their tasks are not the same in both." in pair.notes


def test_normalised_instructions_compare_with_the_original_ones(
    tmp_path: Path, config: RunConfig, record: Make
) -> None:
    one = write_run(tmp_path / "one", config, [record("t-0")])
    plain = config.model_copy(update={"instructions": "normalized"})
    two = write_run(tmp_path / "two", plain, [record("t-0", instructions="normalized", success=True)])
    (pair,) = comparisons(load_runs([one, two]))
    assert pair.gained == (("t-0", 0),)


def test_runs_of_other_suites_are_not_compared(tmp_path: Path, config: RunConfig, record: Make) -> None:
    one = write_run(tmp_path / "one", config, [record("t-0")])
    two = write_run(tmp_path / "two", config.model_copy(update={"suite": "gma"}), [record("g-0", suite="gma")])
    assert comparisons(load_runs([one, two])) == []
    assert "different suites" in page_of(tmp_path, one, two).text


def test_averages_and_distances_are_compared(tmp_path: Path, config: RunConfig, record: Make) -> None:
    def flow(progress: float) -> list[EpisodeRecord]:
        return [record(f"g-{n}", protocol="workflow", progress=progress) for n in range(3)]

    one, two = write_run(tmp_path / "one", config, flow(0.25)), write_run(tmp_path / "two", config, flow(0.75))
    (pair,) = comparisons(load_runs([one, two]))
    assert pair.tables[1].rows == (("3", "25.00", "75.00", "+50.00", "+50.00 – +50.00"),)


GROUNDING: dict[str, Any] = {
    "platform": "ios", "version": "", "app": "clock", "category": "tool", "page": "alarms", "change": "", "source": "s",
}  # fmt: skip


def test_grounding_shows_box_and_point(
    tmp_path: Path, config: RunConfig, record: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = np.full((20, 10, 3), 200, dtype=np.uint8)
    shown = {name: GROUNDING[name] for name in ("platform", "version", "app", "category", "page", "change", "source")}
    items = tuple(
        GroundingItem(
            id=name, instruction={"zh": f"find {name}"}, box=Box(0.1, 0.2, 0.3, 0.4), load=lambda: frame, **shown
        )
        for name in ("a", "b")
    )
    asked: list[tuple[str, str, str]] = []

    def load_set(name: str, split: str, language: str) -> tuple[GroundingItem, ...]:
        asked.append((name, split, language))
        return items

    monkeypatch.setattr(grounding, "load_set", load_set)
    trans = config.model_copy(update={"suite": "trans-android-old", "device": "pictures:own"})
    tags = {**GROUNDING, "distance": 12.5, "point": [900, 900]}
    common = {"protocol": "grounding", "tags": tags}
    records = [
        record("a", task_hash=item_hash(items[0]), **common),
        record("b", task_hash="older", **{**common, "tags": {**tags, "point": None}}),
        record("c", **common, success=True),
    ]
    page = page_of(tmp_path, write_run(tmp_path / "t", trans, records))
    assert asked == [("own", "android-old", "zh")]
    first = page.details(0)
    assert (first["box"], first["point"], first["size"]) == ([0.1, 0.2, 0.3, 0.4], [900, 900], [10, 20])
    assert first["failed"] == ["The point lies outside the box, 12.5 from its middle on the 0–100 scale."]
    assert page.index["episodes"][0]["text"] == "find a"
    assert "has changed" in page.details(1)["problems"][0]
    assert "no point" in page.details(1)["failed"][0]
    assert page.details(2)["problems"] == ["the set has no such item any more"]
    assert "TransBench: accuracy and distance (s)" in page.text
    assert "33.33 %" in page.text


@pytest.mark.parametrize(("most", "pictures"), [(1500, 300), (40, 40)])
def test_thousands_of_items_give_a_small_page_with_each_picture_once(
    tmp_path: Path, config: RunConfig, record: Make, monkeypatch: pytest.MonkeyPatch, most: int, pictures: int
) -> None:
    painted: list[int] = []

    def paint(page: int) -> NDArray[np.uint8]:
        painted.append(page)
        frame = np.zeros((20, 10, 3), dtype=np.uint8)
        frame[:] = page % 16 * 16, page // 16 * 12, 90
        return frame

    shown = {name: GROUNDING[name] for name in ("platform", "version", "app", "category", "page", "change", "source")}
    items = [
        GroundingItem(
            id=f"i-{number}", instruction={"zh": f"find {number}"}, box=Box(0.1, 0.2, 0.3, 0.4),
            load=partial(paint, number // 8), picture=f"page {number // 8}", **shown,
        )
        for number in range(2400)
    ]  # fmt: skip
    monkeypatch.setattr(grounding, "load_set", lambda name, split, language: tuple(items))
    trans = config.model_copy(update={"suite": "trans-ios", "device": "pictures:own"})
    hashes = [item_hash(item) for item in items]
    runs = []
    for number, name in enumerate(("one", "two")):
        tags = {**GROUNDING, "distance": 12.5, "point": [900, 100 * number]}
        records = [
            record(item.id, protocol="grounding", tags=tags, task_hash=hashed, success=place % 5 == number)
            for place, (item, hashed) in enumerate(zip(items, hashes, strict=True))
        ]
        runs.append(write_run(tmp_path / name, trans, records))
    report = write_report(runs, tmp_path / "page.html", most)
    text = report.path.read_text("utf-8")
    uris = re.findall(r"data:image/webp;base64,[^<]*", text)
    assert len(uris) == len(set(uris)) == report.pictures == pictures
    assert len(painted) == len(set(painted)) == pictures, "a picture is painted once for all items of both runs"
    assert report.size < 1000 * report.episodes + sum(map(len, uris))
    index = json.loads(text.partition('id="index">')[2].partition("</script>")[0])
    assert len(index["episodes"]) == 4800, "every item has its row"
    assert sum(one["seen"] for one in index["episodes"]) == 16 * pictures, "items of one page share its picture"
    assert text.count('<script type="application/json" id="d') == 4800
    assert ("of 640 of 4,800 episodes" in text) == (pictures == 40)


def test_criteria_are_told_in_words() -> None:
    def told(**document: Any) -> str:
        (kind,) = document
        return str(criterion_words(Criterion.of(kind, document[kind]))["text"])

    assert told(setting={"key": "system/volume_music", "above": "start"}) == (
        "the setting system/volume_music is above its value at the start"
    )
    assert told(row={"uri": "content://a/b", "where": {"_id": 2}, "values": {"on": 1}}) == (
        "a row in content://a/b where _id = 2 has on = 1"
    )
    assert told(row={"uri": "content://a/b", "values": {"on": 1}, "count": {"at_least": {"start": 1}}}) == (
        "the number of rows in content://a/b that has on = 1 is at least +1 from its value at the start"
    )
    assert told(package={"name": "a.b", "installed": False}) == "the app a.b is not installed"
    assert told(visible_text="Done") == "“Done” is on the screen"
    assert told(ended="infeasible") == "the agent says that it cannot be done"
    joined = criterion_words(Criterion.of("any", [{"ended": "finished"}, {"not": {"ended": "answered"}}]))
    assert [part["text"] for part in joined["parts"]] == ["the agent says that it is done", "this does not hold"]


def test_every_criterion_of_the_suites_has_words() -> None:
    for name in ("elder-020", "elder-080", "elder-100", "probench-012", "gma-001"):
        task = load_task(name)
        for subtask in task.subtasks:
            words = json.dumps(criterion_words(subtask.criterion))
            assert "None" not in words, words
        assert all(operation_words(one)["text"] for one in task.process)


def test_operations_are_found_in_their_order() -> None:
    first = Operation(do="type", text="ab")
    later = AllOf(all=(Operation(do="tap", target="one"), Operation(do="tap", target="two")))
    either = AnyOf(any=(Operation(do="tap", target="three"), Operation(do="tap", target="four")))
    done = [
        (1, ProcessEntry("tap", ("four",))), (2, ProcessEntry("type", text="a")), (4, ProcessEntry("type", text="b")),
        (5, ProcessEntry("tap", ("two",))), (7, ProcessEntry("tap", ("one",))),
    ]  # fmt: skip
    assert operation_turns([first, later, either], done) == [4, 7, None]
    banned = Never(never=Operation(do="tap", target="one"), until=Operation(do="tap", target="nine"))
    stated = Operation(do="tap", target="two", holds=Criterion.of("activity", "a"))
    assert operation_turns([banned, stated], done) == [7, 5]


def test_what_became_of_operations_is_the_verifiers_word() -> None:
    sort = Operation(do="tap", target="sort", still_in_force=Criterion.of("activity", "a"))
    search = Never(never=Operation(do="press_enter", holds=Criterion.of("activity", "b")))
    leave = Operation(do="press_back", app="c")
    operations = [sort, search, leave]

    def told(*lines: list[bool] | None) -> list[str]:
        action = {"kind": "press_enter"}
        steps = [Step(at, None, None, {"operations": one, "action": action}) for at, one in enumerate(lines, 1)]
        return [doing_words(one, what) for one, what in zip(operations, doings(operations, steps), strict=True)]

    assert told([False, True, False], [True, True, False], [True, True, True]) == [
        "done, and in force from turn 2 on", "left alone", "done at turn 3",
    ]  # fmt: skip
    assert told([True, False, False], [False, False, False]) == ["taken back at turn 2", "done at turn 1", "not done"]
    # Trajectories of before the verifier's word was kept.
    assert told(None) == ["not done", "an action like it at turn 1", "not done"]


def test_operations_are_told_in_words() -> None:
    def words(**document: Any) -> str:
        return in_one_line(operation_words(TypeAdapter[Any](RequiredOperation).validate_python(document)))

    on = {"setting": {"key": "global/a", "value": 1}}
    assert words(do="tap", target={"id": "add", "beside": "Dog food"}, makes=on) == (
        "tap “add” beside “Dog food” (and by it (the setting global/a is 1))"
    )
    assert words(do=["tap", "press_enter"], holds=on) == (
        "tap or press_enter (and right after it (the setting global/a is 1))"
    )
    assert words(never={"do": "tap", "target": "Search"}, until={"do": "type", "text": "x"}) == (
        "never (tap “Search”; until this is done (type with the text “x”))"
    )


def test_the_first_loss_is_found() -> None:
    def steps(*progress: float) -> list[Step]:
        return [Step(number, None, None, {"progress": one}) for number, one in enumerate(progress, 1)]

    assert first_loss(steps(0, 0.5, 0.5, 1)) is None
    loss = first_loss(steps(0, 0.5, 0.25, 0))
    assert loss is not None
    assert (loss.turn, loss.before, loss.after, loss.subtasks) == (3, 0.5, 0.25, ())


def test_a_point_lies_on_the_screen_of_before_the_action() -> None:
    steps = [
        Step(1, None, None, {"screen": [0, 0, 90, 200]}),
        Step(2, None, None, {"screen": [0, 80, 90, 120]}),
        Step(3, None, None, {}),
    ]
    assert [screen_of(step, steps) for step in steps] == [[0, 0, 90, 200], [0, 0, 90, 200], [0, 80, 90, 120]]


def test_failures_are_told_apart(record: Make) -> None:
    def words(**fields: Any) -> str:
        return " ".join(failure_words(record(**fields)))

    assert words(success=True) == ""
    told = criterion_words(load_task("elder-020").subtasks[0].criterion, ["it was “1.0”", "it was 420"])
    assert [part["seen"] for part in told["parts"]] == ["it was “1.0”", "it was 420"]
    assert "never said so; it ended by steps" in words(subtasks={"1": True}, goal_reached=True, ended_by="steps")
    assert "the way is not" in words(subtasks={"1": True}, claimed=True)
    assert "fifth equal action" in words(ended_by="repeated_action", subtasks={"1": False})
    assert "cannot verify it: lacks sms" in words(status="unverifiable", error="lacks sms")


def test_a_changed_task_is_not_told_as_the_played_one(record: Make) -> None:
    task, why = task_of(record("elder-031", task_hash="older"))
    assert task is None
    assert "has changed since" in why


def test_the_command_writes_beside_the_run(run: Path) -> None:
    result = CliRunner().invoke(build_app("report"), ["report", str(run)])
    assert result.exit_code == 0, result.output
    assert (run / "report.html").exists()
    assert "2 episodes, 2 pictures" in " ".join(result.output.split())
    result = CliRunner().invoke(build_app("report"), ["report", str(run), "--pictures", "0"])
    assert "Pictures are shown of 0 of 1 episodes" in " ".join(result.output.split())


def test_the_command_refuses_what_it_cannot_read(run: Path, tmp_path: Path) -> None:
    for arguments in ([str(tmp_path / "none")], [str(run), "--pictures", "some"], [str(run), "--pictures", "-1"]):
        result = CliRunner().invoke(build_app("report"), ["report", *arguments])
        assert result.exit_code == 2
        assert "error:" in result.output


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
def test_a_browser_shows_the_episode_of_an_address(run: Path, tmp_path: Path) -> None:
    report = write_report([run], tmp_path / "page.html")
    command = [
        str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        f"--user-data-dir={tmp_path / 'browser'}", "--virtual-time-budget=2000", "--dump-dom",
        f"{report.path.as_uri()}#e0",
    ]  # fmt: skip
    shown = subprocess.run(command, capture_output=True, timeout=120, check=True).stdout.decode("utf-8")
    page = Page(shown)
    articles = [a for tag, a in page.elements if tag == "article"]
    assert [a["id"] for a in articles] == ["e0", "e1"]
    assert "open" in (articles[0]["class"] or "")
    assert sum(tag == "figure" for tag, _ in page.elements) == 3
    assert sum(tag == "circle" and a.get("class") == "ink" for tag, a in page.elements) == 2
    assert "It is <b>small</b>" in page.text, "as text"
    assert "What the verifier saw at the end" in page.text
    assert "2 of 2 episodes" in page.text
