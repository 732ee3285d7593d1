"""Serves phones by OpenEnv's protocol: a phone for each session, frames as PNG.

    pip install . openenv     # in an environment of its own: OpenEnv pins an older Pillow than constraints.txt
    python examples/openenv_server.py --task train-settings --port 8000

A client, in any environment that has openenv:

    from openenv.core.generic_client import GenericEnvClient

    with GenericEnvClient(base_url="http://127.0.0.1:8000").sync() as env:
        result = env.reset(seed=3)
        result = env.step({"kind": "tap", "point": [500, 120]})
"""

from __future__ import annotations

import argparse
from functools import partial

from mobile_gym.envs.task_env import MobileTaskEnv
from mobile_gym.training.extras import need


def main(given: list[str] | None = None) -> None:
    """Serves until it is stopped."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", default="train-settings", help="a task's id or file")
    parser.add_argument("--language", choices=("zh", "en"), default="en")
    parser.add_argument("--device", default="embedded:pixel_6a")
    parser.add_argument("--size", default="360x800", help="of frames, WIDTHxHEIGHT")
    parser.add_argument("--sessions", type=int, default=4, help="the most at a time")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    chosen = parser.parse_args(given)
    need("openenv", "openenv", "uvicorn")
    import uvicorn

    from mobile_gym.training.openenv import phone_app

    width, _, height = chosen.size.partition("x")
    make = partial(
        MobileTaskEnv,
        chosen.task,
        device=chosen.device,
        language=chosen.language,
        observation_size=(int(width), int(height)),
        time_budget="none",
    )
    uvicorn.run(phone_app(make, chosen.sessions), host=chosen.host, port=chosen.port, log_level="info")


if __name__ == "__main__":
    main()
