"""An own task in one short file: written, registered, and solved by its demonstration.

python examples/own_task.py
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import gymnasium as gym

from mobile_gym.policies import make_policy

TASK = """\
id: mine-001
suite: mine
protocol: online
instruction: {zh: 把媒体音量调大一点, en: Turn the media volume up a little}
apps: [com.android.settings]
start: {settings: {system/volume_music: 3}}
subtasks:
  - setting: {key: system/volume_music, above: start}
allowed_changes: [system/volume_*]
demonstrations:
  - [open_app: {zh: 设置, en: Settings}, tap: {zh: 声音和振动, en: Sound & vibration},
     drag: {slider: {zh: 媒体音量, en: Media volume}, to: 0.8}, finish: null]
"""


def main() -> None:
    """Registers the task as Mine/louder and plays its demonstration."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "mine" / "mine-001.yaml"  # the suite's folder, the task's file
        path.parent.mkdir()
        path.write_text(TASK, "utf-8")
        gym.register("Mine/louder", "mobile_gym.envs.task_env:MobileTaskEnv", kwargs={"task": str(path)})
        env = gym.make("Mine/louder")
        observation, info = env.reset(seed=0)
        policy = make_policy("demonstration")
        policy.attach(env.unwrapped)
        policy.reset(env.unwrapped.task, info, 0)
        terminated = truncated = False
        while not (terminated or truncated):
            action = policy.act(observation, info)
            observation, _, terminated, truncated, info = env.step(action)
        print(f"success: {info['success']} after {info['turn']} turns, subtasks {info['subtasks']}")
        env.close()


if __name__ == "__main__":
    main()
