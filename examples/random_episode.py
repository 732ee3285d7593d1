"""One random episode: the random policy plays a task on the embedded phone and tells what it did.

python examples/random_episode.py [task] [seed]
"""

import sys

import gymnasium as gym

import mobile_gym  # noqa: F401 - registers MoBench/...
from mobile_gym.envs.actions import Action
from mobile_gym.policies import make_policy


def main(task: str = "elder-031", seed: int = 0) -> None:
    """Plays one episode with a small observation, as training would."""
    env = gym.make(f"MoBench/{task}", observation_size=(360, 800), time_budget="none")
    observation, info = env.reset(seed=seed)
    print(observation["instruction"])
    policy = make_policy("random")
    policy.attach(env.unwrapped)
    policy.reset(env.unwrapped.task, info, seed)
    terminated = truncated = False
    while not (terminated or truncated):
        action = policy.act(observation, info)
        observation, reward, terminated, truncated, info = env.step(action)
        print(f"{info['turn']:2} {Action.decode(action)} -> reward {reward:+.2f} {observation['message']}")
    print(f"ended by {info['ended_by']}, success: {info['success']}, progress: {info['progress']:.2f}")
    env.close()


if __name__ == "__main__":
    main(*sys.argv[1:2], *map(int, sys.argv[2:3]))
