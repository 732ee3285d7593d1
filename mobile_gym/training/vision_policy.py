"""`VisionPolicy`: a vision-language model that answers chats and tells how likely its answers are."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import torch
from PIL import Image
from torch import Tensor

from mobile_gym.models.messages import Message
from mobile_gym.training.codecs import Chat


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model generated.

    Attributes:
        text: the answer without special tokens.
        ids: the tokens, the end mark among them where it came.
        logprobs: the log-probability of each token when it was drawn.
        cut_off: whether the longest answer was reached before an end mark came.
    """

    text: str
    ids: tuple[int, ...]
    logprobs: tuple[float, ...]
    cut_off: bool = False


@dataclass(frozen=True, slots=True)
class Sampling:
    """How answers are drawn.

    Attributes:
        longest: the most tokens of an answer.
        temperature: of the draw; log-probabilities are those of the distribution that is drawn from.
        only: the tokens that answers may be made of; None for all.
    """

    longest: int = 128
    temperature: float = 1.0
    only: tuple[int, ...] | None = None


class VisionPolicy:
    """A model of transformers' image-text-to-text kind with its processor.

    Args:
        model: such as `Qwen2_5_VLForConditionalGeneration`; a PEFT model with adapters too.
        processor: its processor.
        sampling: how answers are drawn.
        reference: whether a frozen copy is kept for the KL term; adapters need none, as they can be switched off.
        compute: the type that the model computes in where it is not its weights'; the weights stay as they are, since
            small steps would be lost in those of bfloat16.
    """

    def __init__(
        self,
        model: Any,
        processor: Any,
        sampling: Sampling,
        reference: bool = False,
        compute: torch.dtype | None = None,
    ) -> None:
        self.model = model
        self._compute = compute
        self.processor = processor
        self.sampling = sampling
        self.tokenizer = processor.tokenizer
        self.tokenizer.padding_side = "left"
        self._end = end_tokens(model, self.tokenizer)
        self._has_adapters = hasattr(model, "disable_adapter")
        self._copy: Any = None
        if reference and not self._has_adapters:
            self._copy = deepcopy(model).to(compute or model.dtype).eval().requires_grad_(False)

    @property
    def device(self) -> torch.device:
        """Where the model computes."""
        found: torch.device = next(self.model.parameters()).device
        return found

    def encode(self, chats: Sequence[Chat]) -> dict[str, Tensor]:
        """The processor's tensors of a batch of chats, padded on the left.

        Args:
            chats: what the model is sent.

        Returns:
            `input_ids` and `attention_mask` int64[B, P], and what the processor makes of the pictures.
        """
        encoded = self.processor.apply_chat_template(
            [as_chat(chat) for chat in chats],
            tokenize=True,
            add_generation_prompt=True,
            return_dict=True,
            return_tensors="pt",
            processor_kwargs={"padding": True},
        )
        return {name: value.to(self.device) for name, value in encoded.items() if isinstance(value, Tensor)}

    @torch.no_grad()
    def generate(self, chats: Sequence[Chat], greedy: bool = False) -> list[Answer]:
        """Answers to a batch of chats, drawn by torch's global generator.

        Args:
            chats: what the model is sent.
            greedy: whether the likeliest token is taken each time.
        """
        inputs = self.encode(chats)
        was_training = self.model.training
        self.model.eval()
        drawn = {} if greedy else {"temperature": self.sampling.temperature, "top_k": 0, "top_p": 1.0}
        with self._computing():
            out = self.model.generate(
                **inputs,
                do_sample=not greedy,
                max_new_tokens=self.sampling.longest,
                pad_token_id=self.tokenizer.pad_token_id,
                eos_token_id=sorted(self._end),
                logits_processor=[self._restrict],
                return_dict_in_generate=True,
                output_scores=True,
                use_cache=True,
                **drawn,
            )
        self.model.train(was_training)
        new = out.sequences[:, inputs["input_ids"].shape[1] :]
        # Token by token: the scores of a whole answer over a large vocabulary are gigabytes, and need no copy.
        told = torch.stack([_chosen(scores, ids) for scores, ids in zip(out.scores, new.unbind(1), strict=True)], 1)
        return [self._answer(ids, logprobs) for ids, logprobs in zip(new.tolist(), told.tolist(), strict=True)]

    def logprobs(self, chats: Sequence[Chat], answers: Sequence[Answer], reference: bool = False) -> Tensor:
        """How likely each token of given answers is, by one pass over chat and answer.

        Args:
            chats: what the model was sent.
            answers: what it answered.
            reference: whether the reference is asked.

        Returns:
            float32[B, L], L the longest answer's tokens; what lies behind an answer's end means nothing.
        """
        inputs = self.encode(chats)
        prompt = inputs["input_ids"].shape
        ids, mask = self.padded(answers)
        full = {name: value for name, value in inputs.items() if value.shape != prompt}
        full["input_ids"] = torch.cat([inputs["input_ids"], ids], 1)
        full["attention_mask"] = torch.cat([inputs["attention_mask"], mask.long()], 1)
        for name, value in inputs.items():  # kinds of tokens, one a token of the prompt
            if value.shape == prompt and name not in full:
                full[name] = torch.cat([value, torch.zeros_like(ids, dtype=value.dtype)], 1)
        with self._asked(reference) as model, self._computing():
            logits = model(**full, logits_to_keep=ids.shape[1] + 1, use_cache=False).logits[:, :-1]
        scores = self._restrict(ids, logits.float()) / self.sampling.temperature
        return torch.log_softmax(scores, -1).gather(2, ids.unsqueeze(2)).squeeze(2)

    def padded(self, answers: Sequence[Answer]) -> tuple[Tensor, Tensor]:
        """The answers' tokens as int64[B, L], padded on the right, and which of them were generated, bool[B, L]."""
        longest = max(len(answer.ids) for answer in answers)
        pad = self.sampling.only[0] if self.sampling.only else self.tokenizer.pad_token_id
        rows = [[*answer.ids, *[pad] * (longest - len(answer.ids))] for answer in answers]
        mask = [[index < len(answer.ids) for index in range(longest)] for answer in answers]
        return torch.tensor(rows, device=self.device), torch.tensor(mask, device=self.device)

    def parameters(self) -> list[torch.nn.Parameter]:
        """What is trained."""
        return [parameter for parameter in self.model.parameters() if parameter.requires_grad]

    def _computing(self) -> AbstractContextManager[Any]:
        if self._compute is None:
            return nullcontext()
        return torch.autocast(self.device.type, self._compute)

    @contextmanager
    def _asked(self, reference: bool) -> Iterator[Any]:
        if not reference:
            yield self.model
        elif self._copy is not None:
            yield self._copy
        elif self._has_adapters:
            with self.model.disable_adapter():
                yield self.model
        else:
            raise RuntimeError("the policy was made without a reference")

    def _restrict(self, ids: Tensor, scores: Tensor) -> Tensor:
        if self.sampling.only is None:
            return scores
        allowed = torch.tensor(self.sampling.only, device=scores.device)
        kept = torch.full_like(scores, -torch.inf)
        return kept.index_copy(-1, allowed, scores.index_select(-1, allowed))

    def _answer(self, ids: list[int], logprobs: list[float]) -> Answer:
        ended = next((index + 1 for index, token in enumerate(ids) if token in self._end), None)
        length = ended or len(ids)
        text = self.tokenizer.decode(ids[:length], skip_special_tokens=True)
        return Answer(text, tuple(ids[:length]), tuple(logprobs[:length]), cut_off=ended is None)


def _chosen(scores: Tensor, ids: Tensor) -> Tensor:
    """Log-probabilities float32[B] of tokens int64[B] by scores [B, V]."""
    return torch.log_softmax(scores.float(), -1).gather(1, ids.unsqueeze(1)).squeeze(1)


def end_tokens(model: Any, tokenizer: Any) -> frozenset[int]:
    """The tokens that end an answer: the model's own and the tokenizer's."""
    told = model.generation_config.eos_token_id
    several = told if isinstance(told, list | tuple) else [told]
    return frozenset(int(token) for token in (*several, tokenizer.eos_token_id) if token is not None)


def as_chat(chat: Sequence[Message]) -> list[Mapping[str, Any]]:
    """A chat as transformers' templates take it, with pictures as PIL images."""
    return [{"role": message.role, "content": [_part(part) for part in message.parts]} for message in chat]


def _part(part: Any) -> Mapping[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    return {"type": "image", "image": Image.open(io.BytesIO(part.data)).convert("RGB")}
