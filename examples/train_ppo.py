"""PPO from pixels and instruction on a family of tasks that is drawn anew every episode.

    pip install 'mobile-gym[sb3]'
    python examples/train_ppo.py                        # taps on a grid, from the screenshot
    python examples/train_ppo.py --actions elements     # taps on elements, from the hierarchy: minutes
    python examples/train_ppo.py --blank screen         # the same with a black screen: must not learn

Training draws its instances from the seeds 0 to 999,999, evaluation from the million after them, so that held-out
arrangements and wishes were never trained on. Curve (JSON and SVG), settings and model are written to `--folder` all
along; `--resume` goes on from there.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import torch
from gymnasium import spaces
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import FilterObservation
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableMultiInputActorCriticPolicy
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.distributions import MultiCategoricalDistribution
from stable_baselines3.common.policies import MultiInputActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

import mobile_gym  # noqa: F401 - registers MoBench/...
from mobile_gym.envs.wrappers import DrawnSeeds, ElementActions, EncodeTexts, FlatActions
from mobile_gym.training.curves import curves_svg
from mobile_gym.training.sb3 import SB3VecEnv

TRAINING, HELD_OUT, SEEDS = 0, 1_000_000, 1_000_000
GRID = (12, 27)
KINDS = ("tap", "press_home")
OTHERS = ("press_home",)
SCREEN = (48, 108)  # four pixels to a cell of the grid
WIDTH = 48


# ---- environments


class Blank(gym.ObservationWrapper):
    """Blanks parts of the observation, to see whether a policy needs them."""

    def __init__(self, env: gym.Env, parts: Sequence[str]) -> None:
        super().__init__(env)
        self.parts = tuple(parts)

    def observation(self, observation: dict[str, Any]) -> dict[str, Any]:
        """The observation with zeros in the blanked parts; elements keep their presence, as the masks tell it."""
        blank = {name: np.zeros_like(observation[name]) for name in self.parts if name in observation}
        if "elements" in blank:
            blank["elements"][:, 0] = observation["elements"][:, 0]
        return {**observation, **blank}


def make_env(task: str, language: str, actions: str, blank: str | None, first_seed: int) -> gym.Env:
    """One environment: instances from `first_seed` on, arrays only."""
    size = SCREEN if actions == "grid" else (9, 20)  # nobody looks at it
    env = gym.make(f"MoBench/{task}", observation_size=size, language=language, disable_env_checker=True)
    env = DrawnSeeds(env, first_seed, SEEDS)
    if actions == "grid":
        env = FlatActions(env, grid=GRID, kinds=KINDS)
        seen = ["screenshot", "instruction"]
    else:
        env = ElementActions(env, most=24, others=OTHERS)
        seen = ["elements", "instruction"]
    env = FilterObservation(EncodeTexts(env, texts=("instruction",)), filter_keys=seen)
    blanked = {"screen": ("screenshot", "elements"), "instruction": ("instruction",)}
    return Blank(env, blanked[blank]) if blank else env


def make_vec(options: argparse.Namespace, first_seed: int, count: int) -> SB3VecEnv:
    """Several environments, each in a process of its own where there are more than one."""
    make = functools.partial(make_env, options.task, options.language, options.actions, options.blank, first_seed)
    kind = AsyncVectorEnv if count > 1 else SyncVectorEnv
    return SB3VecEnv(kind([make] * count, autoreset_mode=AutoresetMode.SAME_STEP))


# ---- the policy: a pointer over places


class GridNet(BaseFeaturesExtractor):
    """Logits of kind, grid point, direction and text, then features for the value.

    A small convolution keeps the map of the screen; the instruction turns into a query, and a point's logit is how well
    the map agrees with the query there. So what is learned of an icon in one place holds in all.
    """

    def __init__(self, space: spaces.Dict, kinds: int, directions: int, texts: int) -> None:
        points = GRID[0] * GRID[1]
        self.logits = kinds + points + directions + texts
        super().__init__(space, self.logits + WIDTH)
        self.rest = directions + texts
        self.see = nn.Sequential(
            nn.Conv2d(3, 16, 4, stride=2, padding=1),
            nn.ReLU(),
            nn.Conv2d(16, 48, 4, stride=2, padding=1),
            nn.ReLU(),
            nn.Conv2d(48, WIDTH, 1),
            nn.ReLU(),
        )
        self.hear = nn.Sequential(nn.Linear(space["instruction"].shape[0], 128), nn.ReLU())
        self.scale, self.shift, self.query = nn.Linear(128, WIDTH), nn.Linear(128, WIDTH), nn.Linear(128, WIDTH)
        self.mix = nn.Conv2d(WIDTH, WIDTH, 1)
        self.salience = nn.Conv2d(WIDTH, 1, 1)
        self.judge = nn.Sequential(nn.Linear(3 * WIDTH + 128, 128), nn.ReLU(), nn.Linear(128, WIDTH), nn.ReLU())
        self.kind = nn.Linear(WIDTH, kinds)
        nn.init.orthogonal_(self.kind.weight, 0.01)
        self.kind.bias.data = 2.0 * torch.tensor([float(kind == "tap") for kind in KINDS])  # taps first, ends later

    def forward(self, observations: dict[str, Tensor]) -> Tensor:
        """float32[batch, logits + WIDTH]."""
        heard = self.hear(5.0 * observations["instruction"])
        seen = self.see(4.0 * observations["screenshot"] - 2.0)  # Stable-Baselines3 gives pixels from 0 to 1
        scale, shift = self.scale(heard)[:, :, None, None], self.shift(heard)[:, :, None, None]
        mixed = torch.relu(self.mix(seen) * (1.0 + scale) + shift)
        agree = (mixed * self.query(heard)[:, :, None, None]).sum(1) / WIDTH**0.5
        points = (agree + self.salience(mixed)[:, 0]).flatten(1)
        looked = (mixed.flatten(2) * torch.softmax(points, 1)[:, None]).sum(2)
        judged = self.judge(torch.cat([seen.mean((2, 3)), mixed.amax((2, 3)), looked, heard], 1))
        rest = torch.zeros(len(points), self.rest, device=points.device)
        return torch.cat([self.kind(judged), points, rest, judged], 1)


class ElementNet(BaseFeaturesExtractor):
    """Logits of the elements and the other actions, then features for the value."""

    def __init__(self, space: spaces.Dict, others: int) -> None:
        most, features = space["elements"].shape
        self.logits = most + others
        super().__init__(space, self.logits + WIDTH)
        self.see = nn.Sequential(nn.Linear(features, WIDTH), nn.ReLU())
        self.hear = nn.Sequential(nn.Linear(space["instruction"].shape[0], WIDTH), nn.ReLU())
        self.text = space["instruction"].shape[0]
        self.point = nn.Sequential(nn.Linear(2 * WIDTH + 1, WIDTH), nn.ReLU(), nn.Linear(WIDTH, 1))
        # Nothing is preferred before training, not even what is alike by chance of the first weights.
        nn.init.zeros_(self.point[-1].weight)
        nn.init.zeros_(self.point[-1].bias)
        self.judge = nn.Sequential(nn.Linear(3 * WIDTH + 1, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU())
        self.other = nn.Linear(WIDTH, others)

    def forward(self, observations: dict[str, Tensor]) -> Tensor:
        """float32[batch, logits + WIDTH]."""
        elements, instruction = observations["elements"], observations["instruction"]
        # Both are n-grams of the same size, so that their product says how much of a text they share.
        alike = 5.0 * elements[:, :, -self.text :] @ instruction[:, :, None]
        heard = self.hear(instruction)
        seen = self.see(elements)
        both = torch.cat([seen, heard[:, None].expand_as(seen), alike], 2)
        points = self.point(both)[:, :, 0]
        judged = self.judge(torch.cat([seen.mean(1), seen.amax(1), heard, alike.amax(1)], 1))
        return torch.cat([points, self.other(judged), judged], 1)


class Split(nn.Module):
    """Hands the extractor's logits to the actor and the rest to the critic."""

    def __init__(self, logits: int) -> None:
        super().__init__()
        self.latent_dim_pi, self.latent_dim_vf = logits, WIDTH

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """Both parts."""
        return self.forward_actor(features), self.forward_critic(features)

    def forward_actor(self, features: Tensor) -> Tensor:
        """The logits."""
        return features[:, : self.latent_dim_pi]

    def forward_critic(self, features: Tensor) -> Tensor:
        """The rest."""
        return features[:, self.latent_dim_pi :]


class Pointing:
    """Mixin: the extractor's logits are the policy's."""

    def _build_mlp_extractor(self) -> None:
        self.mlp_extractor = Split(self.features_extractor.logits)

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.action_net = nn.Identity()
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


class GridDistribution(MultiCategoricalDistribution):
    """Kind, point, direction and text, where a number counts only if the kind reads it: a finish has no point."""

    def __init__(self, sizes: list[int]) -> None:
        super().__init__(sizes)
        self.read = torch.tensor([[1.0, float(kind == "tap"), 0.0, 0.0] for kind in KINDS])

    def log_prob(self, actions: Tensor) -> Tensor:
        """Of what was done, not of the numbers that nobody read."""
        parts = [one.log_prob(part) for one, part in zip(self.distribution, actions.unbind(1), strict=True)]
        return (torch.stack(parts, 1) * self.read[actions[:, 0].long()]).sum(1)

    def entropy(self) -> Tensor:
        """Each number's entropy by how often it is read."""
        parts = torch.stack([one.entropy() for one in self.distribution], 1)
        return (parts * (self.distribution[0].probs.detach() @ self.read)).sum(1)


class GridPolicy(Pointing, MultiInputActorCriticPolicy):
    """Taps on the grid."""

    def _build(self, lr_schedule: Any) -> None:
        self.action_dist = GridDistribution([int(size) for size in self.action_space.nvec])
        super()._build(lr_schedule)


class ElementPolicy(Pointing, MaskableMultiInputActorCriticPolicy):
    """Taps on elements."""


def make_model(options: argparse.Namespace, env: SB3VecEnv) -> PPO | MaskablePPO:
    """PPO for taps on the grid, MaskablePPO for elements."""
    shared = {
        "env": env,
        "n_steps": max(options.batch // env.num_envs, 2),
        "batch_size": min(options.minibatch, options.batch),
        "n_epochs": options.epochs,
        "learning_rate": lambda left: options.rate * max(min(1.0, 3.0 * left), 0.05),
        "gamma": options.gamma,
        "gae_lambda": 0.9,
        "clip_range": options.clip,
        "ent_coef": 0.01,
        "seed": options.seed,
        "device": "cpu",
    }
    if options.actions == "grid":
        kinds, _, directions, texts = (int(size) for size in env.action_space.nvec)
        net = {"features_extractor_class": GridNet, "ortho_init": False}
        net["features_extractor_kwargs"] = {"kinds": kinds, "directions": directions, "texts": texts}
        return PPO(GridPolicy, policy_kwargs=net, **shared)
    net = {"features_extractor_class": ElementNet, "ortho_init": False}
    net["features_extractor_kwargs"] = {"others": len(OTHERS)}
    return MaskablePPO(ElementPolicy, policy_kwargs=net, **shared)


# ---- evaluation, curves


def evaluate(model: PPO | MaskablePPO, env: SB3VecEnv, episodes: int) -> float:
    """Success on held-out instances, the same ones every time, taking the likeliest action."""
    env.seed(0)
    observation = env.reset()
    left = np.full(env.num_envs, -(-episodes // env.num_envs))
    successes: list[bool] = []
    while left.any():
        masks = {"action_masks": np.stack(env.env_method("action_masks"))} if isinstance(model, MaskablePPO) else {}
        actions, _ = model.predict(observation, deterministic=True, **masks)
        observation, _, dones, infos = env.step(actions)
        for index in np.flatnonzero(dones & (left > 0)):
            left[index] -= 1
            successes.append(infos[index]["is_success"])
    return float(np.mean(successes))


class Curve(BaseCallback):
    """Prints a row for each rollout, evaluates now and then, and writes curve and model to the folder."""

    def __init__(self, options: argparse.Namespace, held_out: SB3VecEnv, rows: list[dict[str, Any]]) -> None:
        super().__init__()
        self.options, self.held_out, self.rows = options, held_out, rows
        self.before = rows[-1]["seconds"] if rows else 0.0
        self.start = time.monotonic()
        self.rollouts = 0

    def _on_training_start(self) -> None:
        if not self.rows:
            self.add(self.options.final_episodes)

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        self.rollouts += 1
        due = self.rollouts % self.options.evaluate_every == 0
        self.add(self.options.episodes if due else 0)

    def add(self, episodes: int) -> float | None:
        """Adds a row, with held-out success over so many episodes; returns it."""
        held_out = evaluate(self.model, self.held_out, episodes) if episodes else None
        recent = list(self.model.ep_success_buffer)
        row = {
            "steps": self.num_timesteps,
            "seconds": round(self.before + time.monotonic() - self.start, 1),
            "train_success": round(float(np.mean(recent)), 4) if recent else None,
            "held_out_success": held_out,
            "held_out_episodes": episodes,
        }
        self.rows.append(row)
        done = 100 * self.num_timesteps / self.options.steps
        shown = "" if recent == [] else f"train {100 * row['train_success']:5.1f} %"
        heard = "" if held_out is None else f"  held out {100 * held_out:5.1f} % of {episodes}"
        print(f"{done:5.1f} %  {row['steps']:7d} steps  {row['seconds']:7.1f} s  {shown}{heard}", flush=True)
        self.write()
        return held_out

    def write(self) -> None:
        """Writes curve and model."""
        folder = Path(self.options.folder)
        folder.mkdir(parents=True, exist_ok=True)
        settings = {
            name: value for name, value in vars(self.options).items() if name not in ("folder", "resume", "evaluate")
        }
        text = json.dumps({"settings": settings, "rows": self.rows}, indent=1)
        (folder / "curve.json").write_text(text + "\n", encoding="utf-8")
        curves = {
            name: [(row["steps"], row[key]) for row in self.rows if row[key] is not None]
            for name, key in (("held out", "held_out_success"), ("training", "train_success"))
        }
        (folder / "curve.svg").write_text(curves_svg(f"success: {folder.name}", "turns", curves), encoding="utf-8")
        self.model.save(folder / "model.zip")


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", default="train-launcher", help="a training family (default: %(default)s)")
    parser.add_argument("--language", default="en", choices=("zh", "en"))
    parser.add_argument("--actions", default="grid", choices=("grid", "elements"))
    parser.add_argument("--blank", choices=("screen", "instruction"), help="blank a part, in training and evaluation")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, help="turns to train on (default: 32,000 on the grid, 3,000 on elements)")
    parser.add_argument("--envs", type=int, default=2, help="training environments, a process each")
    parser.add_argument("--batch", type=int, default=256, help="turns between two updates")
    parser.add_argument("--minibatch", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--clip", type=float, default=0.4)
    parser.add_argument(
        "--gamma", type=float, help="default: 0 on the grid, as progress is paid at once; 0.9 on elements"
    )
    parser.add_argument("--rate", type=float, default=1e-3, help="learning rate")
    parser.add_argument("--threads", type=int, default=1, help="torch's threads")
    parser.add_argument("--episodes", type=int, default=100, help="held-out episodes of an evaluation")
    parser.add_argument("--final-episodes", type=int, default=200, help="of the first and the last one")
    parser.add_argument("--evaluate-every", type=int, default=12, help="updates between two evaluations")
    parser.add_argument("--folder", help="where curve and model go (default: runs/ppo-...)")
    parser.add_argument("--resume", action="store_true", help="go on from the folder's model")
    parser.add_argument(
        "--evaluate",
        action="store_true",
        help="only evaluate the folder's model, also with a blank screen or instruction",
    )
    options = parser.parse_args(arguments)
    options.steps = options.steps or (32_000 if options.actions == "grid" else 3_000)
    if options.gamma is None:
        options.gamma = 0.0 if options.actions == "grid" else 0.9
    blank = f"-blank-{options.blank}" if options.blank else ""
    options.folder = options.folder or f"runs/ppo-{options.actions}{blank}-seed-{options.seed}"
    return options


def evaluate_blanked(options: argparse.Namespace) -> dict[str, float]:
    """Held-out success of the folder's model: as it is, with a blank screen, with a blank instruction."""
    found = {}
    for blank in (None, "screen", "instruction"):
        options.blank = blank
        env = make_vec(options, HELD_OUT, min(options.envs, 2))
        torch.set_num_threads(options.threads)
        model = make_model(options, env)
        model.set_parameters(Path(options.folder) / "model.zip", device="cpu")
        found[blank or "nothing"] = evaluate(model, env, options.final_episodes)
        env.close()
        print(f"{blank or 'nothing'} blank: {100 * found[blank or 'nothing']:.1f} % of {options.final_episodes}")
    text = json.dumps({"episodes": options.final_episodes, "success_with_blank": found}, indent=1)
    (Path(options.folder) / "evaluation.json").write_text(text + "\n", encoding="utf-8")
    return found


def main(arguments: Sequence[str] | None = None) -> float:
    """Trains, and returns the held-out success at the end."""
    options = parse(arguments)
    if options.evaluate:
        return evaluate_blanked(options)["nothing"]
    told = signal.signal(signal.SIGINT, signal.SIG_IGN)  # worker processes leave Ctrl-C to this one
    env, held_out = make_vec(options, TRAINING, options.envs), make_vec(options, HELD_OUT, min(options.envs, 2))
    signal.signal(signal.SIGINT, told)
    torch.set_num_threads(options.threads)
    rows: list[dict[str, Any]] = []
    model = make_model(options, env)
    if options.resume:
        folder = Path(options.folder)
        model.set_parameters(folder / "model.zip", device="cpu")
        rows = json.loads((folder / "curve.json").read_text(encoding="utf-8"))["rows"]
        model.num_timesteps = rows[-1]["steps"]
    env.seed(options.seed)
    curve = Curve(options, held_out, rows)
    try:
        left = options.steps - model.num_timesteps
        model.learn(left, callback=curve, reset_num_timesteps=not options.resume)
        success = curve.add(options.final_episodes)
    except KeyboardInterrupt:
        steps = curve.rows[-1]["steps"] if curve.rows else 0
        print(f"stopped; {options.folder} holds {steps} turns. The same command with --resume goes on", flush=True)
        # Closing would wait for the step whose answer Ctrl-C threw away; workers end when their pipes do.
        os._exit(130)
    finally:
        env.close()
        held_out.close()
    first = next(row["held_out_success"] for row in curve.rows if row["held_out_success"] is not None)
    print(f"held-out success from {100 * first:.1f} % to {100 * success:.1f} %; {options.folder}/curve.json")
    return success


if __name__ == "__main__":
    main()
