"""Vision-language models out of a folder or the hub, ready to be trained."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

import torch
from transformers import AutoModelForImageTextToText, GenerationConfig

from mobile_gym.training.extras import MissingExtra
from mobile_gym.training.processors import load_processor
from mobile_gym.training.vision_policy import Sampling, VisionPolicy, end_tokens

Device = Literal["cpu", "cuda"]


@dataclass(frozen=True, slots=True)
class Loading:
    """How a model is loaded.

    Attributes:
        device: where it computes; None for the GPU where there is one.
        checkpointing: gradient checkpointing, which trades time for memory.
        lora: rank of the adapters that are trained in place of the weights; 0 for none.
        reference: whether a reference is kept for the KL term.
    """

    device: Device | None = None
    checkpointing: bool = True
    lora: int = 0
    reference: bool = True


def load_policy(source: str, sampling: Sampling, loading: Loading, adapters: Path | None = None) -> VisionPolicy:
    """Loads a model with its processor.

    On a GPU it computes in bfloat16. Weights that are trained are float32; those under adapters are bfloat16.

    Args:
        source: a folder, or a name on the hub such as `Qwen/Qwen2.5-VL-3B-Instruct`.
        sampling: how answers are drawn.
        loading: how it is loaded.
        adapters: a folder of adapters that training goes on with.

    Raises:
        MissingExtra: adapters are wanted and peft is not installed.
    """
    device = loading.device or ("cuda" if torch.cuda.is_available() else "cpu")
    compute = torch.bfloat16 if device == "cuda" else None
    dtype = torch.bfloat16 if compute is not None and loading.lora else torch.float32
    model: Any = AutoModelForImageTextToText.from_pretrained(source, dtype=dtype)
    model = model.to(device)
    if loading.checkpointing:
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    if loading.lora:
        model = _with_adapters(model, loading.lora, adapters)
    return make_policy(model, load_processor(source), sampling, loading.reference, compute)


def make_policy(
    model: Any, processor: Any, sampling: Sampling, reference: bool = False, compute: torch.dtype | None = None
) -> VisionPolicy:
    """A policy of a model whose own habits of drawing (top-k, penalties) are put away: they would make
    log-probabilities wrong."""
    ends = sorted(end_tokens(model, processor.tokenizer))
    configure: Any = GenerationConfig
    model.generation_config = configure(eos_token_id=ends, pad_token_id=processor.tokenizer.pad_token_id)
    return VisionPolicy(model, processor, sampling, reference, compute)


def restore_weights(policy: VisionPolicy, checkpoint: Path) -> None:
    """Puts a checkpoint's weights into a policy; its reference stays what it was. Adapters come with `load_policy`."""
    model: Any = type(policy.model)
    policy.model.load_state_dict(model.from_pretrained(checkpoint, dtype=policy.model.dtype).state_dict())


def _with_adapters(model: Any, rank: int, adapters: Path | None) -> Any:
    if find_spec("peft") is None:
        raise MissingExtra("adapters (--lora) need peft; pip install peft, or train all weights with --lora 0")
    peft: Any = import_module("peft")
    model.enable_input_require_grads()
    if adapters is not None:
        return peft.PeftModel.from_pretrained(model, str(adapters), is_trainable=True)
    config = peft.LoraConfig(r=rank, lora_alpha=2 * rank, target_modules="all-linear", task_type="CAUSAL_LM")
    return peft.get_peft_model(model, config)
