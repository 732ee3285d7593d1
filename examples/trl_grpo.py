"""Fine-tunes a model with TRL's `GRPOTrainer`: the model calls tools that touch a phone, and sees its screen.

With a GPU:

    pip install -c constraints.txt '.[trl]' torchvision
    python examples/trl_grpo.py --model Qwen/Qwen3-VL-2B-Instruct --task train-settings

Without one, `--tiny` makes a model of a few hundred thousand parameters and shows that the parts fit together: it knows
four tool calls and has too few updates to learn.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

from mobile_gym.training.extras import need
from mobile_gym.training.tools import TOOLS, PhoneTools, close, phone_tools

PROMPT = "You control a phone by tools. Coordinates are 0 to 1000. Do what is asked, then call finish.\n"
ONE_TAP = Path(__file__).parent / "training" / "one-tap.yaml"


def arguments(given: list[str] | None) -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="Qwen/Qwen3-VL-2B-Instruct", help="a vision-language model that calls tools")
    parser.add_argument("--tiny", action="store_true", help="a tiny model in its place, on the CPU")
    parser.add_argument("--task", default=None, help="a task's id or file (train-settings; the tiny model's: one tap)")
    parser.add_argument("--updates", type=int, default=200)
    parser.add_argument("--group", type=int, default=8, help="episodes a start")
    parser.add_argument("--turns", type=int, default=15, help="the most tool calls of an episode")
    parser.add_argument("--rate", type=float, default=1e-6, help="learning rate")
    parser.add_argument("--out", type=Path, default=Path("runs/trl-grpo"))
    return parser.parse_args(given)


def main(given: list[str] | None = None) -> list[dict[str, Any]]:
    """Trains, and gives what TRL logged."""
    need("trl", "trl", "datasets", "torch")
    os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")  # `environment_factory` says that it may still change
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    chosen = arguments(given)
    task = chosen.task or (str(ONE_TAP) if chosen.tiny else "train-settings")
    tools = phone_tools(task, observation_size=(84, 168) if chosen.tiny else (504, 1120))
    model, processor, drawing = tiny(tools) if chosen.tiny else (chosen.model, None, None)
    # Every row is a start: its seed draws the task anew. The instruction and the screen come from `reset`.
    rows = [{"prompt": [{"role": "user", "content": PROMPT}], "seed": seed} for seed in range(4096)]
    config = GRPOConfig(
        output_dir=str(chosen.out),
        max_steps=chosen.updates,
        learning_rate=chosen.rate,
        num_generations=chosen.group,
        per_device_train_batch_size=chosen.group,
        max_completion_length=8192,  # of a whole episode, screens among it
        max_tool_calling_iterations=chosen.turns,
        generation_kwargs=drawing,
        bf16=not chosen.tiny,
        use_cpu=chosen.tiny,
        beta=0.0,
        logging_steps=1,
        save_strategy="no" if chosen.tiny else "steps",
        save_steps=50,
        report_to=[],
    )
    made: list[PhoneTools] = []

    def factory() -> PhoneTools:
        made.append(tools())
        return made[-1]

    try:
        trainer = GRPOTrainer(
            model=model,
            processing_class=processor,
            args=config,
            train_dataset=Dataset.from_list(rows),
            environment_factory=factory,
        )
        trainer.train()
    finally:
        for phone in made:
            close(phone)
    logged: list[dict[str, Any]] = trainer.state.log_history
    return logged


def tiny(tools: type[PhoneTools]) -> tuple[Any, Any, dict[str, Any]]:
    """A tiny model, its processor, and what keeps it to four tool calls and the end of a turn."""
    from transformers.utils import get_json_schema
    from trl.chat_template_utils import qwen3_vl_chat_template

    from mobile_gym.training.tiny_vlm import tiny_model, tiny_processor, tiny_tokenizer

    calls = [
        f"<tool_call>\n{json.dumps({'name': 'tap', 'arguments': {'x': 750, 'y': y}})}\n</tool_call>"
        for y in (275, 425, 525, 625)
    ]
    schemas = [json.dumps(get_json_schema(getattr(tools(), name))) for name in TOOLS if getattr(tools, name)]
    tokenizer = tiny_tokenizer([PROMPT, *schemas] * 2, calls, size=2048)
    processor = tiny_processor(tokenizer)
    processor.chat_template = qwen3_vl_chat_template
    kept = {*tokenizer.convert_tokens_to_ids(calls), tokenizer.eos_token_id}
    drawing = {"suppress_tokens": [token for token in range(len(tokenizer)) if token not in kept]}
    return tiny_model(tokenizer), processor, drawing


if __name__ == "__main__":
    main()
