"""Recordings as files, and recordings of a person on the live page."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mobile_gym.devices.base import Device
from mobile_gym.envs.live_page.recording import RecordingPage
from mobile_gym.reward.graph.merging import merge
from mobile_gym.reward.graph.model import TaskGraph
from mobile_gym.reward.graph.recordings import (
    Recording,
    RecordingError,
    load_recording,
    load_recordings,
    save_recording,
)
from mobile_gym.reward.session import TaskSession
from mobile_gym.task_registry.models import Task
from mobile_gym.task_registry.recording import Recorder


def test_a_recording_holds_picture_tree_and_action_of_each_step(
    reply_recordings: list[Recording], tmp_path: Path
) -> None:
    recording = reply_recordings[0]
    save_recording(recording, tmp_path / "one")
    lines = [json.loads(line) for line in (tmp_path / "one" / "steps.jsonl").read_text("utf-8").splitlines()]
    assert [line["action"]["kind"] for line in lines] == [
        "press_home",
        "tap",
        "tap",
        "tap",
        "type",
        "tap",
        "finish",
    ]
    for number, line in enumerate(lines):
        assert line["picture"] == f"{number:03d}.png"
        assert (tmp_path / "one" / line["picture"]).read_bytes().startswith(b"\x89PNG")
        assert (tmp_path / "one" / line["hierarchy"]).read_text("utf-8").startswith("<hierarchy")
        assert line["activity"].startswith(line["package"] + "/")
        assert line["size"] == [1080, 2400]
    assert [line["met"] for line in lines] == [[]] * 6 + [["1"]]
    again = load_recording(tmp_path / "one")
    assert again.solved
    assert [step.action for step in again.steps] == [step.action for step in recording.steps]


def test_files_give_the_same_graph(reply_recordings: list[Recording], reply_graph: TaskGraph, tmp_path: Path) -> None:
    for number, recording in enumerate(reply_recordings):
        save_recording(recording, tmp_path / str(number))
    graph = merge(load_recordings([tmp_path]))
    assert graph.edges == reply_graph.edges
    assert [node.seen for node in graph.nodes] == [node.seen for node in reply_graph.nodes]


def test_what_is_no_recording_is_told(reply_recordings: list[Recording], tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="holds no recording"):
        load_recordings([tmp_path])
    save_recording(reply_recordings[0], tmp_path / "one")
    with pytest.raises(RecordingError, match="not empty"):
        save_recording(reply_recordings[0], tmp_path / "one")
    (tmp_path / "one" / "002.xml").unlink()
    with pytest.raises(RecordingError, match=r"002\.xml is missing"):
        load_recording(tmp_path / "one")
    (tmp_path / "one" / "steps.jsonl").write_text("{}\n")
    with pytest.raises(RecordingError, match="damaged"):
        load_recording(tmp_path / "one")


def post(url: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    request = urllib.request.Request(
        url + "input", json.dumps(body).encode(), {"Content-Type": "application/json"}, method="POST"
    )
    try:
        with urllib.request.urlopen(request) as reply:
            return reply.status, json.load(reply)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


def test_a_person_records_on_the_page(phone: Device, brightness: Task) -> None:
    session = TaskSession(brightness, phone)
    session.setup()
    with closing(RecordingPage(session, Recorder(session, "person"))) as page:
        # 设置 on the home screen, 显示 in the list, the switch
        tree = phone.hierarchy()
        icon = next(node for node in tree.walk() if node.text == "设置").bounds.center
        assert (
            post(page.url, {"action_type": "tap", "touch_point": [icon[0] * 1000 // 1080, icon[1] * 1000 // 2400]})[0]
            == 200
        )
        # typing with no field, and keys that no agent has, are refused and not recorded
        assert post(page.url, {"action_type": "type", "text": "x"})[0] == 409
        assert post(page.url, {"key": "delete"})[0] == 400
        assert post(page.url, {"action_type": "press_enter"})[0] == 400
        row = next(
            node for node in phone.hierarchy().walk() if node.resource_id.endswith("top_level_display")
        ).bounds.center
        post(page.url, {"action_type": "tap", "touch_point": [500, row[1] * 1000 // 2400]})
        switch = next(
            node for node in phone.hierarchy().walk() if node.resource_id.endswith("adaptive_brightness")
        ).bounds
        status, state = post(page.url, {"action_type": "tap", "touch_point": [500, switch.center[1] * 1000 // 2400]})
        assert (status, state["turn"], state["recording"]) == (200, 3, True)
        assert page.wait(0) is None
        status, state = post(page.url, {"action_type": "finish", "text": "done"})
        assert (status, state["recording"]) == (200, False)
        recording = page.wait(5)
    assert recording is not None
    assert recording.solved
    assert [step.action.kind for step in recording.steps if step.action] == ["tap", "tap", "tap", "finish"]


def test_a_persons_way_joins_the_graph_and_typing_goes_on(phone: Device, reply: Task) -> None:
    session = TaskSession(reply, phone)
    session.setup()
    phone.open_app("短信")
    phone.settle()
    recorder = Recorder(session, "person", verified=False)
    with closing(RecordingPage(session, recorder, verified=False)) as page:
        search = next(node for node in phone.hierarchy().walk() if node.resource_id.endswith("action_search")).bounds
        page.touch(
            {"action_type": "tap", "touch_point": [search.center[0] * 1000 // 1080, search.center[1] * 1000 // 2400]}
        )
        page.touch({"action_type": "type", "text": "建"})
        page.touch({"action_type": "type", "text": "军"})
        page.touch({"action_type": "finish", "text": "given up"})
        recording = page.wait(5)
    assert recording is not None
    assert not recording.solved
    assert [(step.action.kind, step.action.text) for step in recording.steps if step.action] == [
        ("tap", ""),
        ("type", "建军"),
        ("finish", "given up"),
    ]
