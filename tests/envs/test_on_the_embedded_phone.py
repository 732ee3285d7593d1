"""Environments on the embedded phone: the same seed and actions give the same bytes, in any process."""

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from urllib.request import Request, urlopen

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from mobile_gym.envs.actions import Action, from_pixel
from mobile_gym.envs.checks import check_all
from mobile_gym.envs.task_env import MobileTaskEnv
from mobile_gym.task_registry.models import Task
from tests.envs.conftest import MakeTask

LOUDER = {"apps": ["com.android.settings"], "budget": {"steps": 30}}
PLAY = """
import hashlib, sys
from mobile_gym.envs.task_env import MobileTaskEnv
from mobile_gym.policies import make_policy

env = MobileTaskEnv(sys.argv[1], observation_size=(90, 200), hierarchy=True)
policy = make_policy("random", finish_probability=0)
policy.attach(env)
observation, info = env.reset(seed=3)
policy.reset(env.task, info, 3)
seen = hashlib.sha256()
for _ in range(12):
    action = policy.act(observation, info)
    observation, reward, terminated, truncated, info = env.step(action)
    seen.update(observation["screenshot"].tobytes() + repr((action, observation["hierarchy"], reward, info)).encode())
print(seen.hexdigest(), env.device.digest())
"""


@pytest.fixture
def task(make_task: MakeTask) -> Task:
    return make_task(**LOUDER)


def test_our_checks_pass(task: Task) -> None:
    check_all(lambda: MobileTaskEnv(task, observation_size=(90, 200), hierarchy=True))


def test_gymnasiums_checks_pass(task: Task) -> None:
    env = MobileTaskEnv(task, observation_size=(180, 400), hierarchy=True)
    check_env(env, skip_render_check=True)
    env.close()


def test_processes_agree_to_the_byte(tmp_path: Path, task: Task) -> None:
    folder = tmp_path / "stub"
    folder.mkdir()
    document = task.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    (folder / "stub-001.yaml").write_text(json.dumps(document, ensure_ascii=False), "utf-8")  # JSON is YAML
    seen = set()
    for hash_seed in ("1", "2"):
        result = subprocess.run(
            [sys.executable, "-c", PLAY, str(folder / "stub-001.yaml")],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        seen.add(result.stdout)
    assert len(seen) == 1


def test_a_pickled_environment_opens_a_phone_of_its_own(task: Task) -> None:
    env = MobileTaskEnv(task, observation_size=(90, 200))
    observation, _ = env.reset(seed=0)
    twin: MobileTaskEnv = pickle.loads(pickle.dumps(env))
    copied, _ = twin.reset(seed=0)
    assert np.array_equal(observation["screenshot"], copied["screenshot"])
    env.step(Action.swipe(500, 800, 500, 200).encode())
    assert twin.device.digest() != env.device.digest()
    env.close()
    twin.close()


def test_a_person_touches_the_phone_from_the_page(task: Task) -> None:
    env = MobileTaskEnv(task, render_mode="human")
    env.reset(seed=0)
    page = env.live_page
    before = page.picture("PNG")
    icon = next(node for node in env.device.hierarchy().visible() if node.text == "设置")
    tap = {"action_type": "tap", "touch_point": from_pixel(icon.bounds.center, (1080, 2400))}
    with urlopen(Request(page.url + "input", data=json.dumps(tap).encode()), timeout=10) as reply:
        assert reply.status == 200
    assert env.device.foreground().package == "com.android.settings"
    assert page.picture("PNG") != before
    with urlopen(Request(page.url + "input", data=b'{"key": "home"}'), timeout=10) as reply:
        assert reply.status == 200
    assert env.device.foreground().package != "com.android.settings"
    env.close()
