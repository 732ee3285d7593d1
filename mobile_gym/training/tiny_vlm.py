"""A vision-language model of a few hundred thousand parameters, made from a configuration, with a tokenizer made on the
spot: for machines without a GPU, and for tests. It is of Qwen2-VL's kind, so that the code around it is the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen2VLConfig, Qwen2VLForConditionalGeneration

from mobile_gym.training.processors import ImageTextProcessor, image_processor

PAD, START, END = "<|endoftext|>", "<|im_start|>", "<|im_end|>"
SPECIAL = (PAD, START, END, "<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>")


def tiny_tokenizer(texts: Iterable[str], words: Sequence[str] = (), size: int = 512) -> PreTrainedTokenizerFast:
    """A byte-level tokenizer: any text can be written with it, frequent pieces of `texts` are one token.

    Args:
        texts: what it is trained on, such as instructions.
        words: texts that are one token each, such as the words of actions.
        size: the most tokens, `words` apart; 256 of them are the bytes.
    """
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        special_tokens=list(SPECIAL),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    wrap: Any = PreTrainedTokenizerFast
    fast: PreTrainedTokenizerFast = wrap(tokenizer_object=tokenizer, eos_token=END, pad_token=PAD, padding_side="left")
    fast.add_tokens(list(words))
    return fast


def tiny_processor(tokenizer: PreTrainedTokenizerFast, most_tokens: int = 64) -> ImageTextProcessor:
    """A processor with this tokenizer.

    Args:
        tokenizer: of `tiny_tokenizer`.
        most_tokens: the most tokens of a picture; a token is 28 x 28 pixels.
    """
    template = files(__package__).joinpath("tiny_vlm.jinja").read_text("utf-8")
    return ImageTextProcessor(image_processor(28 * 28, most_tokens * 28 * 28), tokenizer, chat_template=template)


def tiny_model(tokenizer: PreTrainedTokenizerFast, seed: int = 0, width: int = 64, layers: int = 2) -> Any:
    """A model with drawn weights.

    Args:
        tokenizer: of `tiny_tokenizer`.
        seed: of the weights.
        width: of the hidden states; a multiple of 16.
        layers: of the text model; the picture's has as many.
    """
    ids: Any = tokenizer.convert_tokens_to_ids(list(SPECIAL))
    special: dict[str, int] = dict(zip(SPECIAL, ids, strict=True))
    heads = width // 16
    config = Qwen2VLConfig(
        text_config={
            "vocab_size": len(tokenizer),
            "hidden_size": width,
            "intermediate_size": 2 * width,
            "num_hidden_layers": layers,
            "num_attention_heads": heads,
            "num_key_value_heads": max(1, heads // 2),
            "max_position_embeddings": 4096,
            "rope_parameters": {"rope_type": "default", "mrope_section": [2, 3, 3], "rope_theta": 10000.0},
            "bos_token_id": None,
            "eos_token_id": special[END],
            "pad_token_id": special[PAD],
        },
        vision_config={
            "depth": layers,
            "embed_dim": width // 2,
            "num_heads": heads // 2,
            "hidden_size": width,
            "mlp_ratio": 2,
            "patch_size": 14,
            "spatial_merge_size": 2,
            "temporal_patch_size": 2,
        },
        image_token_id=special["<|image_pad|>"],
        video_token_id=special["<|video_pad|>"],
        vision_start_token_id=special["<|vision_start|>"],
        vision_end_token_id=special["<|vision_end|>"],
        tie_word_embeddings=True,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return Qwen2VLForConditionalGeneration(config)
