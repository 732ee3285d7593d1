"""Phones served by OpenEnv, asked by its own client over a real WebSocket."""

from __future__ import annotations

import base64
import io
import socket
import threading
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from PIL import Image

pytest.importorskip("openenv")

import uvicorn
from openenv.core.generic_client import GenericEnvClient

from mobile_gym.envs.task_env import MobileTaskEnv
from mobile_gym.training.openenv import PhoneAction, PhoneEnvironment, phone_app

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

make = partial(MobileTaskEnv, "elder-031", language="en", observation_size=(90, 200), time_budget="none")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(phone_app(make, 2), log_level="error", lifespan="on"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join(20)
    listener.close()


def _frame(observation: dict[str, Any]) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(observation["screenshot"])))


def test_an_episode_over_the_wire(url: str) -> None:
    with GenericEnvClient(base_url=url).sync() as client:
        result = client.reset(seed=3, episode_id="mine")
        assert not result.done
        assert _frame(result.observation).size == (90, 200)
        assert result.observation["instruction"]
        assert result.observation["info"]["action_mask"][0] == 1
        result = client.step({"kind": "tap", "point": [500, 500]}, timeout_s=30)
        assert result.reward == 0
        result = client.step({"kind": "swipe", "point": [500, 800]})
        assert "lift_point" in result.observation["message"]
        state = client.state()
        assert (state["episode_id"], state["step_count"], state["task"]) == ("mine", 2, "elder-031")
        result = client.step({"kind": "finish"})
        assert result.done
        assert result.observation["info"]["ended_by"] == "finish"
        assert client.state()["ended_by"] == "finish"
        assert not client.reset(seed=3).done


def test_sessions_have_a_phone_each(url: str) -> None:
    with GenericEnvClient(base_url=url).sync() as one, GenericEnvClient(base_url=url).sync() as two:
        first, second = one.reset(seed=1), two.reset(seed=1)
        assert first.observation["screenshot"] == second.observation["screenshot"]
        moved = one.step({"kind": "swipe", "point": [500, 800], "lift": [500, 300]})
        stays = two.step({"kind": "press_home"})
        assert one.state()["step_count"] == two.state()["step_count"] == 1
        assert moved.observation["screenshot"] != stays.observation["screenshot"]


def test_without_a_server() -> None:
    env = PhoneEnvironment(make)
    with pytest.raises(RuntimeError, match="call reset first"):
        env.step(PhoneAction(kind="finish"))
    env.reset(seed=0)
    assert env.step(PhoneAction(kind="finish")).done
    assert env.state.step_count == 1
    env.close()
    env.close()
