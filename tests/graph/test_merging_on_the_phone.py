"""Recordings of the embedded phone under other circumstances give the same graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from mobile_gym.devices.base import Device
from mobile_gym.reward.demonstration import DemonstrationRunner, PrimitiveAction
from mobile_gym.reward.graph.merging import merge
from mobile_gym.reward.graph.model import TaskGraph, from_json, to_json
from mobile_gym.reward.graph.recordings import Recording
from mobile_gym.reward.session import TaskSession
from mobile_gym.task_registry.models import Task
from mobile_gym.task_registry.recording import record

Vary = Callable[[Device], None]


def another_day(device: Device) -> None:
    """Another time of day and date, another battery level, a notification that slides in."""
    device.clock.set(device.clock.now() + timedelta(days=3, hours=9, minutes=41))
    assert device.shell("dumpsys battery set level 31").exit_code == 0
    assert device.shell("cmd notification post -t 天气 weather 明天有雨").exit_code == 0


def more_mail(device: Device) -> None:
    """The list of conversations is in another order, with other counts of unread ones."""
    for number in ("13800137725", "95000", "13800137725"):
        device.send_sms(number, "您好")
    device.press("home")
    device.settle()


def record_varied(task: Task, device: Device, number: int, vary: Vary) -> Recording:
    session = TaskSession(task, device)

    def actions() -> Iterator[PrimitiveAction]:
        vary(device)
        yield from DemonstrationRunner(device, session).steps(task.demonstrations[number])

    # What the circumstances changed is unexpected to the task, and not what this is about.
    return replace(record(session, f"demonstrations[{number}]", actions), solved=True)


def shape(graph: TaskGraph) -> tuple[list[bool], list[tuple[int, int, str]]]:
    return [node.done for node in graph.nodes], [(edge.source, edge.target, edge.kind) for edge in graph.edges]


def test_demonstrations_give_one_graph(brightness_graph: TaskGraph, reply_graph: TaskGraph) -> None:
    for graph in (brightness_graph, reply_graph):
        steps = [place for node in graph.nodes for place in node.seen]
        assert len(graph.nodes) < len(steps)
        assert {recording for recording, _ in graph.nodes[0].seen} == {0, 1}
        assert None not in graph.remaining
    # home, settings, display; brighter, adaptive
    assert shape(brightness_graph) == (
        [False, False, False, True, True],
        [(0, 0, "press_home"), (0, 1, "tap"), (1, 2, "tap"), (2, 3, "swipe"), (2, 4, "tap")],
    )


def test_circumstances_split_no_node_of_settings(
    phone: Device, brightness: Task, brightness_recordings: list[Recording]
) -> None:
    varied = [record_varied(brightness, phone, number, another_day) for number in range(2)]
    assert shape(merge([*brightness_recordings, *varied])) == shape(merge(brightness_recordings))
    assert shape(merge([*varied, *brightness_recordings])) == shape(merge(varied))


@pytest.mark.parametrize("vary", [another_day, more_mail])
def test_circumstances_split_no_node_of_messages(
    phone: Device, reply: Task, reply_recordings: list[Recording], vary: Vary
) -> None:
    varied = [record_varied(reply, phone, number, vary) for number in range(2)]
    assert shape(merge([*reply_recordings, *varied])) == shape(merge(reply_recordings))


def test_other_conversations_are_other_nodes(phone: Device, reply: Task, reply_recordings: list[Recording]) -> None:
    other = reply.model_copy(
        update={"demonstrations": (_to_daughter(reply),)},
    )
    wrong = record_varied(other, phone, 0, lambda device: None)
    wrong = replace(wrong, task_hash=reply.content_hash)
    graph = merge([*reply_recordings, wrong])
    shared = [place for node in graph.nodes for place in node.seen if node.seen and place[0] == 2]
    alone = [node for node in graph.nodes if {place[0] for place in node.seen} == {2}]
    # home, home and the list are shared; her conversation, the typed text and the sent message are not
    assert len(shared) == len(wrong.steps)
    assert len(alone) == len(wrong.steps) - 3


def _to_daughter(task: Task) -> tuple[object, ...]:
    data = task.model_dump(by_alias=True, mode="json")
    steps = data["demonstrations"][0]
    steps[1] = {"tap": "女儿 小丽"}
    return Task.model_validate({**data, "demonstrations": [steps]}).demonstrations[0]


def test_the_same_demonstrations_give_the_same_file(reply_recordings: list[Recording], reply_graph: TaskGraph) -> None:
    text = to_json(reply_graph)
    assert to_json(merge(reply_recordings)) == text
    assert to_json(from_json(text)) == text
