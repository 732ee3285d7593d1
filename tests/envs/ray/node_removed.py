"""Phones on two nodes, one of which is removed; prints what was seen. Run by `test_cluster.py`."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import ray
from ray.cluster_utils import Cluster

from mobile_gym.envs import RayVectorEnv
from tests.envs.ray.faulty import GO, faulty


def frames(observation: Any) -> list[int]:
    return [int(frame[0, 0, 0]) for frame in observation["screenshot"]]


def main() -> None:
    folder = Path(sys.argv[1])
    # For machines that are busy with other things.
    os.environ.setdefault("RAY_raylet_start_wait_time_s", "240")
    cluster = Cluster(
        initialize_head=True, head_node_args={"num_cpus": 2, "resources": {"seat": 1}, "include_dashboard": False}
    )
    second = cluster.add_node(num_cpus=2, resources={"seat": 1})
    ray.init(address=cluster.address, log_to_driver=False)
    # A seat for each actor: one on each node.
    envs = RayVectorEnv(faulty(folder, 4), phones_per_actor=2, actor_resources={"seat": 1}, step_timeout=60)
    envs.reset(seed=0)
    nodes = envs.call("node")
    here = ray.get_runtime_context().get_node_id()
    found: dict[str, Any] = {"nodes": len(set(nodes)), "there": [env for env in range(4) if nodes[env] != here]}
    found["before"] = frames(envs.step([GO] * 4)[0])
    cluster.remove_node(second, allow_graceful=False)
    cluster.add_node(num_cpus=2, resources={"seat": 1})
    observation, rewards, _, truncated, infos = envs.step([GO] * 4)
    found["truncated"], found["rewards"] = truncated.tolist(), rewards.tolist()
    found["frames"], found["errors"] = frames(observation), infos["env_error"].tolist()
    observation, *_, infos = envs.step([GO] * 4)
    found["after"], found["fresh"] = frames(observation), infos["env_error"].tolist()
    envs.close()
    ray.shutdown()
    cluster.shutdown()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
