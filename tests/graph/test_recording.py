"""Recordings as files, and recordings of a person on the live page."""

from __future__ import annotations

import json
import socket
import struct
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mobile_gym.devices.base import Device
from mobile_gym.devices.errors import DeviceOffline
from mobile_gym.envs.actions import MalformedAction
from mobile_gym.envs.live_page.recording import RecordingPage
from mobile_gym.envs.live_page.typed import deleted
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


def field_and_send(phone: Device) -> tuple[dict[str, Any], dict[str, Any]]:
    def tap(name: str) -> dict[str, Any]:
        box = next(node for node in phone.hierarchy().walk() if node.resource_id.endswith(name)).bounds.center
        return {"action_type": "tap", "touch_point": [box[0] * 1000 // 1080, box[1] * 1000 // 2400]}

    return tap("compose_message_text"), tap("send_message_button")


@pytest.fixture
def writing(phone: Device, reply: Task) -> Iterator[RecordingPage]:
    """A recorder whose person has the son's conversation open and the field in focus."""
    session = TaskSession(reply, phone)
    session.setup()
    with closing(RecordingPage(session, Recorder(session, "person"))) as page:
        page.touch({"action_type": "press_home"})
        phone.open_app("短信")
        phone.settle()
        son = next(node for node in phone.hierarchy().walk() if node.text == "儿子 建军").bounds.center
        page.touch({"action_type": "tap", "touch_point": [son[0] * 1000 // 1080, son[1] * 1000 // 2400]})
        page.touch(field_and_send(phone)[0])
        yield page


def actions(recording: Recording | None) -> list[tuple[str, str]]:
    assert recording is not None
    return [(step.action.kind, step.action.text) for step in recording.steps if step.action]


def test_backspace_corrects_what_was_just_typed(writing: RecordingPage, phone: Device) -> None:
    with pytest.raises(MalformedAction, match="what was just typed"):
        writing.touch({"key": "delete"})
    for text in ("好", "的呀", "🎂"):
        writing.touch({"action_type": "type", "text": text})
    for left in ("好的呀", "好的", "好"):
        writing.touch({"key": "delete"})
        assert writing.state()["action"] == {"kind": "type", "point": None, "lift": None, "text": left}
    turn = writing.state()["turn"]
    writing.touch({"key": "delete"})
    assert (writing.state()["turn"], writing.state()["action"]) == (turn - 1, None)
    writing.touch({"action_type": "type", "text": "好的"})
    writing.touch(field_and_send(phone)[1])
    with pytest.raises(MalformedAction, match="what was just typed"):
        writing.touch({"key": "delete"})
    writing.touch({"action_type": "finish", "text": "done"})
    recording = writing.wait(5)
    assert actions(recording)[-4:] == [("tap", ""), ("type", "好的"), ("tap", ""), ("finish", "done")]
    assert recording is not None
    assert recording.solved


def test_done_too_early_ends_nothing(writing: RecordingPage, phone: Device) -> None:
    writing.touch({"action_type": "type", "text": "好的"})
    before = writing.state()["turn"]
    status, state = post(writing.url, {"action_type": "finish", "text": "done"})
    assert (status, state["ended"], state["turn"]) == (200, False, before)
    assert (state["verdict"]["solved"], state["verdict"]["missing"]) == (False, ["1"])
    assert writing.wait(0) is None
    status, state = post(writing.url, field_and_send(phone)[1])
    assert state["verdict"] is None
    status, state = post(writing.url, {"action_type": "finish", "text": "done"})
    assert (state["ended"], state["verdict"]["solved"]) == (True, True)
    assert [action for action in actions(writing.wait(5)) if action[0] == "finish"] == [("finish", "done")]


def test_what_was_recorded_before_the_device_was_lost_is_kept(
    writing: RecordingPage, phone: Device, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = writing.state()["turn"]

    def lost(*_: object) -> None:
        raise DeviceOffline("the cable is out")

    monkeypatch.setattr(phone, "screenshot", lost)
    for request in ({"action_type": "press_back"}, {"action_type": "finish", "text": "done"}):
        status, answer = post(writing.url, request)
        assert (status, answer["error"]) == (503, "the cable is out")
    assert writing.wait(0) is None
    assert post(writing.url, {"action_type": "finish", "text": "given up"})[0] == 200
    recording = writing.wait(5)
    assert recording is not None
    assert (len(recording.steps), recording.solved) == (before, False)
    save_recording(recording, tmp_path / "kept")
    assert actions(load_recording(tmp_path / "kept")) == actions(recording)


def test_a_browser_that_goes_away_is_no_error(writing: RecordingPage, capfd: pytest.CaptureFixture[str]) -> None:
    host, port = "127.0.0.1", int(writing.url.rstrip("/").rpartition(":")[2])
    for _ in range(5):
        with socket.create_connection((host, port)) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.sendall(f"GET /screen.png HTTP/1.0\r\nHost: {host}:{port}\r\n\r\n".encode())
    assert post(writing.url, {"action_type": "press_home"})[0] == 200
    writing.close()
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("typed", "before", "after", "count"),
    [
        ("好的", "好的", "好", 1),
        ("hi👍🏽", "hi👍🏽", "hi", 2),
        ("x", "x", "搜索", 1),
        ("x", "••••", "•••", 1),
        ("x", None, None, 1),
        ("x", "x", "x", 0),
    ],
)
def test_the_field_tells_what_backspace_took(typed: str, before: str | None, after: str | None, count: int) -> None:
    assert deleted(typed, before, after) == count
