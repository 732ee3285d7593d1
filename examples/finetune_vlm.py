"""Fine-tunes a vision-language policy by group-relative policy optimisation, with its phones on Ray.

On two cores, with a tiny model that is made on the spot, in minutes:

    python examples/finetune_vlm.py --tiny

With a GPU:

    pip install -c constraints.txt '.[vlm]' torchvision
    python examples/finetune_vlm.py --model Qwen/Qwen2.5-VL-3B-Instruct --task MoBench/train-settings

Metrics, curves and checkpoints go to `--out`; the same command goes on where it was stopped.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import Any

from mobile_gym.envs.actions import ActionType
from mobile_gym.envs.task_env import MobileTaskEnv
from mobile_gym.task_registry.loading import load_file
from mobile_gym.training.extras import need

ONE_TAP = str(Path(__file__).parent / "training" / "one-tap.yaml")
TINY = {
    "updates": 60,
    "groups": 4,
    "size": 12,
    "epochs": 2,
    "minibatches": 2,
    "rate": 2e-3,
    "longest": 1,
    "micro": 48,
    "kl": 0.05,
    "evaluations": 16,
}
"""One word in 10 is right for each wish, so that groups are large and batches are gone through twice."""
LARGE = {
    "updates": 200,
    "groups": 8,
    "size": 8,
    "epochs": 1,
    "minibatches": 1,
    "rate": 1e-6,
    "longest": 256,
    "micro": 2,
    "kl": 0.01,
    "evaluations": 32,
}
PATIENCE = 300.0
"""Seconds that phones may take to start or to answer, on machines that are busy with other things."""


def arguments(given: list[str] | None) -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="Qwen/Qwen2.5-VL-3B-Instruct", help="a name on the hub, or a folder")
    parser.add_argument("--tiny", action="store_true", help="a tiny model in its place, made on the spot")
    parser.add_argument("--task", action="append", help="an id or a task's file; may be given several times")
    parser.add_argument("--language", choices=("zh", "en"), default="en")
    parser.add_argument("--out", type=Path, default=Path("runs/finetune-vlm"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--lora", type=int, default=0, help="rank of adapters; needs peft. 0 trains all weights")
    parser.add_argument("--images", type=int, default=1, help="screenshots in a prompt, the present one among them")
    parser.add_argument("--temperature", type=float, default=1.0)
    parser.add_argument("--address", help="of a Ray cluster; auto for the one that runs here")
    parser.add_argument("--local", action="store_true", help="phones in this process, without Ray")
    for name, what in (
        ("updates", "updates in all"),
        ("groups", "starts an update"),
        ("size", "episodes a start"),
        ("epochs", "how often a batch is gone through"),
        ("minibatches", "steps of the optimizer each time"),
        ("longest", "the most tokens of an answer"),
        ("micro", "turns computed at once"),
        ("evaluations", "held-out starts of an evaluation"),
    ):
        parser.add_argument(f"--{name}", type=int, help=what)
    parser.add_argument("--rate", type=float, help="learning rate")
    parser.add_argument("--kl", type=float, help="weight of the KL term; 0 keeps no reference")
    chosen = parser.parse_args(given)
    for name, value in (TINY if chosen.tiny else LARGE).items():
        if getattr(chosen, name) is None:
            setattr(chosen, name, value)
    chosen.task = chosen.task or [ONE_TAP if chosen.tiny else "MoBench/train-settings"]
    return chosen


def make_env(size: tuple[int, int], language: Any, task: str) -> MobileTaskEnv:
    """An environment for training: no clock, rewards for progress."""
    return MobileTaskEnv(
        task.removeprefix("MoBench/"), language=language, observation_size=size, reward="progress", time_budget="none"
    )


def main(given: list[str] | None = None) -> list[dict[str, Any]]:
    """Trains, and gives the metrics of each update."""
    need("vlm", "torch", "transformers")
    import torch

    from mobile_gym.policies.formats import traits_of
    from mobile_gym.training.codecs import HarnessCodec, WordCodec, grid_words
    from mobile_gym.training.curves import curves_svg
    from mobile_gym.training.grpo import Objective
    from mobile_gym.training.grpo_run import RunFolder
    from mobile_gym.training.grpo_trainer import GrpoTrainer, Schedule
    from mobile_gym.training.loading import Loading, load_policy, make_policy, restore_weights
    from mobile_gym.training.rollouts import LocalLanes
    from mobile_gym.training.tiny_vlm import tiny_model, tiny_processor, tiny_tokenizer
    from mobile_gym.training.vision_policy import Sampling

    chosen = arguments(given)
    kept = {name: value for name, value in vars(chosen).items() if name not in ("out", "address", "local", "updates")}
    folder = RunFolder(chosen.out, kept)
    newest = folder.newest()
    codec: Any
    if chosen.tiny:
        # So small a model gains nothing by threads, and those that wait for each other keep the phones from the cores.
        torch.set_num_threads(1)
        size = (84, 168)
        words = grid_words(1, 9, (ActionType.FINISH,))
        texts = [load_file(Path(ONE_TAP), seed).instruction.en for seed in range(32)]
        tokenizer = tiny_tokenizer(texts, list(words), size=320)
        model: Any = tiny_model(tokenizer, chosen.seed)
        processor: Any = tiny_processor(tokenizer)
        only = tuple(tokenizer.convert_tokens_to_ids(list(words)))
        policy = make_policy(model, processor, Sampling(chosen.longest, chosen.temperature, only), chosen.kl > 0)
        codec = partial(WordCodec, words, size)
    else:
        size = (504, 1120)
        traits = traits_of(chosen.model)
        loading = Loading(lora=chosen.lora, reference=chosen.kl > 0)
        sampling = Sampling(chosen.longest, chosen.temperature)
        policy = load_policy(chosen.model, sampling, loading, newest)
        codec = partial(HarnessCodec, traits, chosen.language, chosen.images)
    if newest is not None and not chosen.lora:
        restore_weights(policy, newest)
    make = partial(make_env, size, chosen.language)
    count = chosen.groups * chosen.size
    if chosen.local:
        lanes: Any = LocalLanes(make, count)
    else:
        need("ray", "ray")
        from mobile_gym.training.ray_lanes import RayLanes

        print(f"starting {count} phones on Ray", flush=True)
        lanes = RayLanes(
            make, chosen.task, count, address=chosen.address, start_timeout=PATIENCE, step_timeout=PATIENCE
        )
    schedule = Schedule(
        updates=chosen.updates,
        groups=chosen.groups,
        size=chosen.size,
        epochs=chosen.epochs,
        minibatches=chosen.minibatches,
        micro=chosen.micro,
        rate=chosen.rate,
        warmup=0 if chosen.tiny else 10,
        batch=count if chosen.tiny else 16,
        evaluations=chosen.evaluations,
        seed=chosen.seed,
    )
    try:
        trainer = GrpoTrainer(policy, lanes, codec, chosen.task, Objective(kl=chosen.kl), schedule, folder)
        for line in trainer.train():
            print("  ".join(f"{name} {value:.4g}" for name, value in line.items()), flush=True)
            every = folder.metrics()
            drawn = {
                name: [(one["update"], one[name]) for one in every if name in one]
                for name in ("reward", "success", "eval_success")
            }
            (chosen.out / "curves.svg").write_text(curves_svg("Group-relative policy optimisation", "updates", drawn))
    finally:
        lanes.close()
    return folder.metrics()


if __name__ == "__main__":
    main()
