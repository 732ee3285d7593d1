"""`TaskGraphEnv`: what counts, what it costs, and that demonstrations and nothing cheaper succeed."""

from __future__ import annotations

import pickle
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from mobile_gym.devices.base import Device
from mobile_gym.envs.actions import Action, from_pixel
from mobile_gym.envs.graph_env import TaskGraphEnv
from mobile_gym.envs.protocols import UnsupportedProtocol
from mobile_gym.evaluation.episodes import run_episode
from mobile_gym.evaluation.models import EpisodeRecord, RunConfig
from mobile_gym.evaluation.summary import summarise
from mobile_gym.policies.demonstration import DemonstrationPolicy
from mobile_gym.policies.noop import NoopPolicy
from mobile_gym.policies.random import RandomPolicy
from mobile_gym.reward.graph.merging import merge
from mobile_gym.reward.graph.model import Edge, GraphError, TaskGraph, save_graph
from mobile_gym.reward.graph.recordings import Recording
from mobile_gym.reward.graph.ways import simple_ways
from mobile_gym.task_registry import graph_proofs, graphs
from mobile_gym.task_registry.graph_proofs import prove_graph
from mobile_gym.task_registry.graphs import cache_file, graph_of
from mobile_gym.task_registry.loading import load_file
from mobile_gym.task_registry.models import Instruction, Task
from mobile_gym.task_registry.proofs import prove
from mobile_gym.task_registry.recording import record_demonstrations
from mobile_gym.task_registry.registration import graph_numbers
from tests.graph.conftest import OWN

SMALL = (180, 400)
CONFIG = RunConfig(package_version="1", suite="own", suite_version="1", policy="p", device="d")


def make(task: Task, graph: TaskGraph, **arguments: Any) -> TaskGraphEnv:
    return TaskGraphEnv(task, graph=graph, **{"observation_size": SMALL, "time_budget": "none", **arguments})


def tap(env: TaskGraphEnv, number: int, right: int = 0, down: int = 0) -> dict[str, Any]:
    """A tap beside the point of the number-th edge that leaves the node."""
    edge = env.graph.leaving[env.device.position.node][number]
    assert edge.point is not None
    point = edge.point[0] + right, edge.point[1] + down
    return Action.tap(*from_pixel(point, env.device.node.size)).encode()


def play(env: TaskGraphEnv, policy: Any) -> EpisodeRecord:
    record, _ = run_episode(env, policy, 0, CONFIG)
    return record


def test_the_normalised_instruction_is_said_over_the_same_graph(reply: Task, reply_graph: TaskGraph) -> None:
    plain = Instruction(zh="回复好的", en="Reply OK")
    task = reply.model_copy(update={"instruction_normalized": plain})
    env = make(task, reply_graph, instructions="normalized", language="en")
    assert env.reset(seed=0)[0]["instruction"] == "Reply OK"
    assert cache_file(env.task, "d", "zh") == cache_file(task, "d", "zh")
    with pytest.raises(ValueError, match="no normalised instruction"):
        make(reply.model_copy(update={"instruction_normalized": None}), reply_graph, instructions="normalized")


@pytest.mark.parametrize("matching", ["lenient", "strict"])
@pytest.mark.parametrize("number", [0, 1])
def test_every_demonstration_reaches_done(reply: Task, reply_graph: TaskGraph, number: int, matching: str) -> None:
    record = play(make(reply, reply_graph, matching=matching), DemonstrationPolicy(number))
    assert (record.success, record.strict_success, record.mismatches) == (True, True, 0)
    assert record.progress == 1
    assert record.reward == pytest.approx(1.0)


@pytest.mark.parametrize("policy", [NoopPolicy(), RandomPolicy(), RandomPolicy(finish_probability=1)])
def test_nothing_cheaper_does(reply: Task, reply_graph: TaskGraph, policy: Any) -> None:
    record = play(make(reply, reply_graph), policy)
    assert record.status == "done"
    assert not record.success
    assert record.reward < 1


def test_a_mismatch_costs_a_turn_or_ends_the_episode(brightness: Task, brightness_graph: TaskGraph) -> None:
    env = make(brightness, brightness_graph)
    before, _ = env.reset(seed=0)
    after, reward, terminated, truncated, info = env.step(Action.press("back").encode())
    assert (reward, terminated, truncated, info["turn"], info["mismatches"]) == (0.0, False, False, 1, 1)
    assert info["action_error"] in after["message"]
    assert np.array_equal(before["screenshot"], after["screenshot"])
    *_, info = env.step({"action_type": 99})
    assert (info["mismatches"], info["turn"]) == (2, 2)

    strict = make(brightness, brightness_graph, matching="strict")
    strict.reset(seed=0)
    _, _, terminated, truncated, info = strict.step(Action.press("back").encode())
    assert (terminated, truncated, info["ended_by"], info["success"]) == (True, False, "mismatch", False)
    with pytest.raises(ResetNeeded):
        strict.step(Action.finish().encode())


def test_one_lenient_run_tells_both_rates(brightness: Task, brightness_graph: TaskGraph) -> None:
    class Clumsy(DemonstrationPolicy):
        """Goes back once, where that leads nowhere, then does it right."""

        slipped = False

        def act(self, observation: dict[str, Any], info: dict[str, Any]) -> dict[str, Any]:
            if not self.slipped:
                self.slipped = True
                return Action.press("back").encode()
            return super().act(observation, info)

    clean = play(make(brightness, brightness_graph), DemonstrationPolicy(0))
    clumsy = play(make(brightness, brightness_graph), Clumsy(0))
    assert (clumsy.success, clumsy.strict_success, clumsy.mismatches) == (True, False, 1)
    assert not play(make(brightness, brightness_graph, matching="strict"), Clumsy(0)).success
    summary = summarise([clean, clumsy.model_copy(update={"seed": 1})])
    assert summary.overall.successes == 2
    assert summary.strict is not None
    assert (summary.strict.successes, summary.strict.episodes) == (1, 2)


@pytest.mark.parametrize(
    ("right", "down", "counts"),
    [(0, 0, True), (45, 0, True), (0, -45, True), (30, 30, True), (40, 40, False), (56, 0, False)],
)
def test_taps_count_within_fifty_pixels_of_the_recording(
    brightness: Task, brightness_graph: TaskGraph, right: int, down: int, counts: bool
) -> None:
    env = make(brightness, brightness_graph)
    env.reset(seed=0)
    number = [edge.kind for edge in env.graph.leaving[0]].index("tap")
    *_, info = env.step(tap(env, number, right, down))
    assert info["matched"] is counts
    assert info["node"] == (1 if counts else 0)


def test_kinds_directions_and_texts_must_match(reply: Task, reply_graph: TaskGraph) -> None:
    env = make(reply, reply_graph)
    env.reset(seed=0)
    number = [edge.kind for edge in env.graph.leaving[0]].index("tap")
    point = tap(env, number)["touch_point"]
    *_, info = env.step(Action.long_press(int(point[0]), int(point[1])).encode())
    assert not info["matched"]
    env.step(tap(env, number))
    for _ in range(2):
        *_, info = env.step(tap(env, 0))
    assert info["progress"] == pytest.approx(3 / 5)
    for text, counts in [("你好", False), ("好的2", False), (" 好的！", True)]:
        *_, info = env.step(Action.type(text).encode())
        assert info["matched"] is counts, text


def test_a_finish_elsewhere_is_no_success_and_budgets_truncate(brightness: Task, brightness_graph: TaskGraph) -> None:
    env = make(brightness, brightness_graph)
    env.reset(seed=0)
    _, reward, terminated, _, info = env.step(Action.finish().encode())
    assert (reward, terminated, info["success"], info["agent_claimed"]) == (0.0, True, False, True)
    env.reset(seed=0)
    for turn in range(1, 26):
        _, _, terminated, truncated, info = env.step(Action.press("back").encode())
        assert (terminated, truncated) == (False, turn == 25)
    assert info["ended_by"] == "steps"
    late = make(
        brightness.model_copy(update={"budget": brightness.budget.model_copy(update={"seconds": 1e-9})}),
        brightness_graph,
        time_budget="wall",
    )
    late.reset(seed=0)
    _, _, _, truncated, info = late.step(Action.press("home").encode())
    assert (truncated, info["ended_by"], info["node"]) == (True, "time", 0)


def test_it_is_a_gymnasium_environment(brightness: Task, brightness_graph: TaskGraph, tmp_path: Path) -> None:
    save_graph(brightness_graph, tmp_path / "graph.json")
    env = TaskGraphEnv(brightness, graph=tmp_path / "graph.json", hierarchy=True, observation_size=SMALL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        check_env(env, skip_render_check=True)
    observation, _ = env.reset(seed=1)
    assert observation["screenshot"].shape == (400, 180, 3)
    assert observation["hierarchy"].startswith("<hierarchy")
    native = TaskGraphEnv(brightness, graph=brightness_graph, render_mode="rgb_array")
    native.reset(seed=1)
    frame = native.render()
    assert frame is not None
    assert frame.shape == (2400, 1080, 3)
    copy = pickle.loads(pickle.dumps(native))
    copy.reset(seed=1)
    assert np.array_equal(copy.render(), frame)


def test_other_protocols_have_other_environments(brightness: Task, brightness_graph: TaskGraph) -> None:
    with pytest.raises(UnsupportedProtocol, match="TaskGraphEnv plays 'graph'"):
        make(brightness.played_as("online"), brightness_graph)


def test_a_graph_is_built_once_and_kept(
    brightness: Task, brightness_graph: TaskGraph, phone: Device, cache: Path
) -> None:
    path = cache_file(brightness, phone.serial, "zh")
    assert path is not None
    assert cache in path.parents
    graph = graph_of(brightness, phone)
    assert [(edge.source, edge.target) for edge in graph.edges] == [
        (edge.source, edge.target) for edge in brightness_graph.edges
    ]
    # a mark in the file shows that it is read the next time, and a damaged one that it is built anew
    path.write_text(path.read_text("utf-8").replace('"device": "', '"device": "kept-'), "utf-8")
    assert graph_of(brightness, phone).device == f"kept-{graph.device}"
    path.write_text("{", "utf-8")
    assert graph_of(brightness, phone).edges == graph.edges
    other = brightness.model_copy(update={"instruction": brightness.instruction.model_copy(update={"zh": "亮一点"})})
    other.__dict__.pop("content_hash", None)
    assert cache_file(other, phone.serial, "zh") != path
    assert cache_file(brightness, phone.serial, "en") != path


def test_the_graph_of_another_task_is_refused(
    brightness: Task, reply: Task, reply_graph: TaskGraph, tmp_path: Path
) -> None:
    with pytest.raises(GraphError, match=r"of the task own-132; this is own-131"):
        make(brightness, reply_graph)
    save_graph(replace(reply_graph, task_hash="0" * 64), tmp_path / "old.json")
    with pytest.raises(GraphError, match="said something else"):
        TaskGraphEnv(reply, graph=tmp_path / "old.json")
    english = replace(reply_graph, language="en", task_hash=reply.in_language("en").content_hash)
    make(reply, english, language="en").reset(seed=0)


def test_a_damaged_picture_is_told(reply: Task, reply_graph: TaskGraph) -> None:
    nodes = (replace(reply_graph.nodes[0], picture=b"no picture"), *reply_graph.nodes[1:])
    with pytest.raises(GraphError, match="node 0 of the graph of own-132 has a damaged picture"):
        make(reply, replace(reply_graph, nodes=nodes)).reset(seed=0)


def test_graphs_of_another_phone_are_others(brightness: Task, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = cache_file(brightness, "d", "zh")
    assert cache_file(brightness, "d", "zh") == path
    monkeypatch.setattr(graphs, "makers", lambda: "an app was changed")
    assert cache_file(brightness, "d", "zh") != path


def test_a_value_that_was_chosen_leaves_no_shortcut(phone: Device) -> None:
    task = load_file(OWN / "own-133.yaml")
    recordings = record_demonstrations(task, phone)
    for chosen in (recordings, recordings[:1], recordings[::-1]):
        # the same without verifiers, whose word would tell the states apart
        for known in (chosen, [_unverified(recording) for recording in chosen]):
            ways = list(simple_ways(merge(known)))
            assert len(ways) == len(known)
            assert min(map(len, ways)) == 7


def _unverified(recording: Recording) -> Recording:
    return replace(recording, steps=tuple(replace(step, met=None) for step in recording.steps))


def test_every_simple_way_is_played_on_the_phone(
    brightness: Task, brightness_graph: TaskGraph, phone: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = next(number for number, node in enumerate(brightness_graph.nodes) if node.done)
    short = replace(brightness_graph, edges=(*brightness_graph.edges, Edge(1, done, "press_back")))

    def falsely(recordings: list[Recording]) -> TaskGraph:
        return short if len(recordings) > 1 else merge(recordings)

    monkeypatch.setattr(graph_proofs, "merge", falsely)
    found = prove_graph(brightness.model_copy(update={"near_misses": ()}), phone, "zh", 0, lambda _: None)
    assert found.outcome == "failed"
    told = [finding.text for finding in found.findings if finding.severity == "problem"]
    assert len(told) == 1
    assert f"the way 0 > 1 > {done} of the graph is no success on the phone: subtasks not met: 1" in told[0]


def test_graph_tasks_are_proved(brightness: Task, reply: Task, phone: Device) -> None:
    found = prove(brightness, phone, random_episodes=1)
    assert found.outcome == "proved"
    assert [finding.text for finding in found.findings if finding.severity == "problem"] == []
    alone = reply.model_copy(update={"demonstrations": reply.demonstrations[:1] * 2})
    told = "\n".join(f.text for f in prove_graph(alone, phone, "zh", 0, lambda _: None).findings)
    assert "demonstrations[1] adds no way to DONE" in told
    assert "the graph has one way to DONE" in told


def test_what_is_wrong_with_a_graph_task_is_told(brightness: Task, phone: Device) -> None:
    data = brightness.model_dump(by_alias=True, mode="json")
    steps = data["demonstrations"][0]
    data |= {"near_misses": [], "demonstrations": [[*steps[:2], {"finish": None}]]}
    told = "\n".join(f.text for f in prove(Task.model_validate(data), phone, random_episodes=0).findings)
    assert "demonstrations[0] does not solve it: subtasks not met: 1" in told


def test_a_suites_manifest_names_its_graph_tasks(tmp_path: Path) -> None:
    assert graph_numbers(tmp_path) == range(0)
    (tmp_path / "suite.yaml").write_text('version: "1"\n# graph: 1-2\ngraph: 131-249  # offline\n')
    assert graph_numbers(tmp_path) == range(131, 250)
