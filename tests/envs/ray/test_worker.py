"""What needs no Ray: workers, batches, messages."""

import os
import pickle
import threading
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.vector.utils import batch_space, concatenate, create_empty_array

from mobile_gym.envs.ray.batches import SharedBatch, array_spaces, batch, blank, join, split
from mobile_gym.envs.ray.messages import Command, Reply, pack, unpack
from mobile_gym.envs.ray.recipes import recipes_of
from mobile_gym.envs.ray.views import LastSeen, actions_of, seeds_of
from mobile_gym.envs.ray.worker import PhoneWorker
from mobile_gym.envs.spaces import FrameBox, UnicodeText
from tests.envs.ray.faulty import GO, RAISE, WAIT, Faulty, faulty, lines

NESTED = spaces.Dict(
    {
        "screenshot": FrameBox((3, 2, 3)),
        "pair": spaces.Tuple((spaces.Discrete(5, start=2), spaces.Box(-1, 1, (2,), np.float32))),
        "message": UnicodeText(10),
    }
)


def worker(log: Path, count: int, threads: bool = False, **arguments: Any) -> PhoneWorker:
    return PhoneWorker(dict(enumerate(recipes_of(faulty(log, count, **arguments)))), threads)


def collected(one: PhoneWorker, count: int) -> dict[int, Reply]:
    found: list[Reply] = []
    while len(found) < count:
        found += one.collect(5.0)
    return {reply.env: reply for reply in found}


def test_observations_are_split_and_joined() -> None:
    NESTED.seed(3)
    observations = [NESTED.sample() for _ in range(4)]
    parts = [split(NESTED, observation) for observation in observations]
    again = join(NESTED, *parts[1])
    assert again["message"] == observations[1]["message"]
    np.testing.assert_array_equal(again["pair"][1], observations[1]["pair"][1])
    arrays = [np.stack([part[0][number] for part in parts]) for number in range(len(array_spaces(NESTED)))]
    ours = batch(NESTED, arrays, [part[1] for part in parts])
    into: Any = create_empty_array(NESTED, 4)
    theirs = concatenate(NESTED, observations, into)
    np.testing.assert_array_equal(ours["screenshot"], theirs["screenshot"])
    np.testing.assert_array_equal(ours["pair"][0], theirs["pair"][0])
    assert ours["message"] == theirs["message"]
    assert batch_space(NESTED, 4).contains(ours)


def test_before_there_is_an_observation() -> None:
    shared = SharedBatch.create(array_spaces(NESTED), 2)
    seen = LastSeen(NESTED, shared)
    assert sorted(blank(NESTED), key=str) == ["", 2]
    assert not seen.one(0)["screenshot"].any()
    shared.close()
    shared.close()


def test_memory_is_shared_with_whoever_knows_it() -> None:
    shared = SharedBatch.create([FrameBox((2, 2, 3)), spaces.Box(0, 1, (), np.float64)], 3)
    other = SharedBatch.attach(shared.handle)
    assert other is not None
    other.banks[1][0][2] = 7
    other.done[1] = 5
    assert (shared.banks[1][0][2] == 7).all()
    assert not shared.banks[0][0].any()
    assert shared.done.tolist() == [0, 5, 0]
    assert SharedBatch.attach(replace(shared.handle, token=b"x" * 32)) is None
    assert SharedBatch.attach(replace(shared.handle, count=99_999)) is None
    assert SharedBatch.attach(replace(shared.handle, descriptor=99_999)) is None
    other.close()
    shared.close()
    assert (shared.banks[1][0][2] == 7).all()  # what somebody still holds stays


def test_commands_are_done_in_order_and_faults_stay_alone(tmp_path: Path) -> None:
    one = worker(tmp_path, 2)
    assert len(one.describe().kinds) == 1
    resets = one.run([Command("reset", 0, seed=1), Command("reset", 1, seed=2)])
    assert [reply.kind for reply in resets] == ["seen", "seen"]
    assert resets[0].plain == ["0: 0"]
    assert resets[0].arrays is not None
    failed, well = one.run([Command("step", 0, action=RAISE), Command("step", 1, action=GO)])
    assert (failed.kind, failed.error) == ("fault", "ZeroDivisionError: told to")
    assert (well.kind, well.reward, well.info["count"]) == ("seen", 1.0, 1)
    one.close()


def test_observations_go_to_the_bank_that_is_named(tmp_path: Path) -> None:
    one = worker(tmp_path, 2)
    one.describe()
    shared = SharedBatch.create([FrameBox((4, 4, 3))], 2)
    assert one.attach(shared.handle)
    one.run([Command("reset", 1, 0), Command("step", 1, 1, action=GO)])
    assert [bank[0][1].max() for bank in shared.banks] == [0, 1]
    assert shared.started.tolist() == shared.done.tolist() == [0, 2]
    shared.close()
    one.close()


def test_each_thread_owns_its_own(tmp_path: Path) -> None:
    one = worker(tmp_path, 3, threads=True)
    one.describe()
    one.submit([Command("reset", env, seed=env) for env in range(3)])
    assert {reply.kind for reply in collected(one, 3).values()} == {"seen"}
    one.submit([Command("step", 0, action=WAIT), Command("step", 1, action=GO), Command("step", 2, action=GO)])
    assert set(collected(one, 2)) == {1, 2}
    one.submit([Command("step", 1, action=RAISE)])
    assert collected(one, 1)[1].kind == "fault"
    assert collected(one, 1)[0].info["count"] == 1
    assert lines(tmp_path, 0) == ["reset", f"step {WAIT}"]
    one.close()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("sub-environment")]


def test_making_one_fails_in_its_thread(tmp_path: Path) -> None:
    one = PhoneWorker(dict(enumerate(recipes_of([partial(Faulty, log=None)]))), threads=True)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        one.describe()
    one.close()


def test_what_cannot_be_sent_is_one_fault() -> None:
    bad = Reply(0, "seen", info={"lock": threading.Lock()})
    good = Reply(1, "seen", plain=["x"], reward=2.0)
    first, second = unpack(pack([bad, good]))
    assert first.kind == "fault"
    assert "cannot be sent between processes" in first.error
    assert second == good


def test_calls_are_told_as_they_are(tmp_path: Path) -> None:
    one = worker(tmp_path, 1)
    (found,) = one.run([Command("call", 0, name="pid", arguments=((), {}))])
    assert pickle.loads(found.value) == os.getpid()
    (raised,) = one.run([Command("call", 0, name="nothing", arguments=((), {}))])
    assert isinstance(raised.value, AttributeError)
    assert "sub-environment 0" in raised.value.__notes__[0]
    one.run([Command("set", 0, name="guard", arguments=(threading.Lock(),))])
    (locked,) = one.run([Command("call", 0, name="guard")])
    assert "cannot be sent" in str(locked.value)
    one.close()


def test_actions_and_seeds_are_dealt_out() -> None:
    space = spaces.Dict({"kind": spaces.Discrete(3), "text": UnicodeText(5)})
    together = {"kind": np.array([1, 2]), "text": ("a", "b")}
    assert actions_of(space, together, 2) == [{"kind": 1, "text": "a"}, {"kind": 2, "text": "b"}]
    assert actions_of(space, [{"kind": 1, "text": "a"}], 1) == [{"kind": 1, "text": "a"}]
    assert seeds_of(np.int64(3), 2) == [3, 4]
    assert seeds_of([7, None], 2) == [7, None]
    assert seeds_of(None, 2) == [None, None]


def test_a_recipe_knows_where_its_device_is() -> None:
    spec = gym.envs.registration.EnvSpec("Some/env", entry_point="some:Env", kwargs={"device": "adb:emulator-5554"})
    near, far, unknown = recipes_of([(spec, {"device": "embedded:pixel_6a"}), spec, lambda: None])  # type: ignore[list-item,return-value]
    assert [recipe.slow for recipe in (near, far, unknown)] == [False, True, False]
    assert far.on_device("embedded:pixel_6a").device == "embedded:pixel_6a"
