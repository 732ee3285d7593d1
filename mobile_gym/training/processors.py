"""Processors for texts and still pictures, also where torchvision (which transformers needs for video) is missing."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np
import torch
from transformers import AutoImageProcessor, AutoProcessor, AutoTokenizer
from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil
from transformers.models.qwen2_vl.processing_qwen2_vl import Qwen2VLProcessor
from transformers.processing_utils import ProcessorMixin

IMAGE, VIDEO = "<|image_pad|>", "<|video_pad|>"


class ImageTextProcessor(Qwen2VLProcessor):
    """Qwen-VL's processor without video.

    Args:
        image_processor: of Qwen2-VL's kind.
        tokenizer: with the tokens of pictures.
        chat_template: how chats are written.
        kwargs: what transformers passes on when it loads one.
    """

    def __init__(
        self, image_processor: Any = None, tokenizer: Any = None, chat_template: str | None = None, **kwargs: Any
    ) -> None:
        self.image_token, self.video_token = IMAGE, VIDEO
        self.image_token_id = tokenizer.convert_tokens_to_ids(IMAGE)
        self.video_token_id = tokenizer.convert_tokens_to_ids(VIDEO)
        begin: Any = ProcessorMixin.__init__
        begin(self, image_processor, tokenizer, chat_template=chat_template)

    def __call__(self, *given: Any, **options: Any) -> Any:
        """What Qwen-VL's processor gives; what comes of pictures is always tensors, as torchvision's kind has it."""
        ask: Any = super().__call__
        found = ask(*given, **options)
        for name in ("pixel_values", "image_grid_thw"):
            if name in found and not isinstance(found[name], torch.Tensor):
                found[name] = torch.as_tensor(np.asarray(found[name]))
        return found


def image_processor(fewest: int, most: int) -> Any:
    """A processor of pictures of Qwen2-VL's kind, by Pillow alone.

    Args:
        fewest: the fewest pixels of a picture; smaller ones are blown up.
        most: the most pixels; larger ones are shrunk.
    """
    return Qwen2VLImageProcessorPil(size={"shortest_edge": fewest, "longest_edge": most})


def load_processor(source: str) -> Any:
    """The processor of a model of the hub or in a folder.

    With torchvision, what transformers names for the model; without, `ImageTextProcessor`, which fits Qwen-VL models.
    """
    processors: Any = AutoProcessor
    pictures: Any = AutoImageProcessor
    if find_spec("torchvision") is not None:
        return processors.from_pretrained(source)
    tokenizer = AutoTokenizer.from_pretrained(source)
    template = tokenizer.chat_template
    return ImageTextProcessor(pictures.from_pretrained(source, backend="pil"), tokenizer, chat_template=template)
