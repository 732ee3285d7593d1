"""Models of the Qwen-VL kinds, small ones made on the spot, go the way of those of the hub."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from mobile_gym.models.messages import Message, png  # noqa: E402
from mobile_gym.training.grpo import Objective  # noqa: E402
from mobile_gym.training.grpo_run import RunFolder  # noqa: E402
from mobile_gym.training.grpo_trainer import GrpoTrainer, Schedule  # noqa: E402
from mobile_gym.training.loading import Loading, load_policy, make_policy, restore_weights  # noqa: E402
from mobile_gym.training.processors import ImageTextProcessor  # noqa: E402
from mobile_gym.training.rollouts import LocalLanes  # noqa: E402
from mobile_gym.training.tiny_vlm import SPECIAL, tiny_processor, tiny_tokenizer  # noqa: E402
from mobile_gym.training.vision_policy import Sampling, VisionPolicy  # noqa: E402
from tests.training.tiny_world import ASKED, ColourEnv, codec  # noqa: E402

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning:torch.*"),
    pytest.mark.filterwarnings("ignore::FutureWarning:transformers.*"),
]

TEXT = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "max_position_embeddings": 2048,
    "rope_parameters": {"rope_type": "default", "mrope_section": [2, 3, 3], "rope_theta": 10000.0},
    "bos_token_id": None,
}
LOOK = {"depth": 2, "num_heads": 2, "hidden_size": 32, "intermediate_size": 64, "out_hidden_size": 32}
KINDS: dict[str, tuple[str, int, dict[str, Any], dict[str, Any]]] = {
    "qwen2_vl": (
        "Qwen2VL", 14, {}, {"depth": 2, "embed_dim": 32, "num_heads": 2, "hidden_size": 32, "mlp_ratio": 2}
    ),
    "qwen2_5_vl": ("Qwen2_5_VL", 14, {}, {**LOOK, "window_size": 112, "fullatt_block_indexes": [1]}),
    "qwen3_vl": (
        "Qwen3VL", 16, {"head_dim": 16},
        {**LOOK, "patch_size": 16, "num_position_embeddings": 64, "deepstack_visual_indexes": [0]},
    ),
}  # fmt: skip


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(params=KINDS)
def source(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A folder as the hub has them: the model, its tokenizer, its template, what it does to pictures."""
    name, patch, more, look = KINDS[request.param]
    tokenizer = tiny_tokenizer([ASKED] * 4, size=290)
    special: dict[str, int] = dict(zip(SPECIAL, tokenizer.convert_tokens_to_ids(list(SPECIAL)), strict=True))
    ends = {"eos_token_id": special["<|im_end|>"], "pad_token_id": special["<|endoftext|>"]}
    config = getattr(transformers, f"{name}Config")(
        text_config={"vocab_size": len(tokenizer), **TEXT, **more, **ends},
        vision_config=look,
        image_token_id=special["<|image_pad|>"],
        video_token_id=special["<|video_pad|>"],
        vision_start_token_id=special["<|vision_start|>"],
        vision_end_token_id=special["<|vision_end|>"],
    )
    torch.manual_seed(0)
    model = getattr(transformers, f"{name}ForConditionalGeneration")(config)
    # What models of the hub bring with them, and what would make log-probabilities wrong.
    model.generation_config.update(do_sample=True, top_k=1, repetition_penalty=1.05, temperature=0.1)
    model.save_pretrained(tmp_path / "model")
    processor = tiny_processor(tokenizer)
    processor.image_processor.patch_size = patch
    processor.save_pretrained(tmp_path / "model")
    return str(tmp_path / "model")


def _chats() -> list[tuple[Message, ...]]:
    red, blue = np.zeros((128, 64, 3), np.uint8), np.zeros((64, 128, 3), np.uint8)
    red[..., 0], blue[..., 2] = 255, 255
    return [
        (Message.of("user", png(red), ASKED),),
        (Message.of("system", "Be brief"), Message.of("user", png(blue), "Tap"), Message.of("assistant", "tap(1, 2)"),
         Message.of("user", png(red), "!")),
    ]  # fmt: skip


def _told(policy: VisionPolicy, answers: list[Any], reference: bool = False) -> list[float]:
    """Log-probabilities of all tokens of all answers, one after the other."""
    rows = policy.logprobs(_chats(), answers, reference).detach().tolist()
    return [value for row, answer in zip(rows, answers, strict=True) for value in row[: len(answer.ids)]]


def test_a_model_out_of_a_folder_answers_and_tells_how_likely(source: str) -> None:
    policy = load_policy(source, Sampling(5), Loading(device="cpu"))
    if find_spec("torchvision") is None:
        assert isinstance(policy.processor, ImageTextProcessor)
    torch.manual_seed(1)
    answers = policy.generate(_chats())
    told = _told(policy, answers)
    assert told == pytest.approx([value for answer in answers for value in answer.logprobs], abs=1e-4)
    # Chats with one and with two pictures, padded, are what they are alone.
    alone = policy.logprobs(_chats()[:1], answers[:1]).detach()[0].tolist()
    assert alone == pytest.approx(told[: len(alone)], abs=1e-4)
    # The picture counts.
    red, blue = (np.full((64, 64, 3), colour, np.uint8) for colour in ((255, 0, 0), (0, 0, 255)))
    one, two = (policy.logprobs([(Message.of("user", png(p), ASKED),)], answers[:1]).detach() for p in (red, blue))
    assert not torch.allclose(one, two, atol=1e-6)


def test_it_learns_and_its_checkpoint_goes_on(source: str, tmp_path: Path) -> None:
    policy = load_policy(source, Sampling(1), Loading(device="cpu"))
    before = {name: value.clone() for name, value in policy.model.state_dict().items()}
    folder = RunFolder(tmp_path / "run", {})
    lanes = LocalLanes(lambda task: _Parity(), 8)
    schedule = Schedule(updates=1, groups=1, size=8, micro=3, rate=1e-3, evaluate=0, epochs=2, minibatches=2)
    line = next(GrpoTrainer(policy, lanes, codec, ["x"], Objective(kl=0.01), schedule, folder).train())
    assert line["groups"] == 1
    moved = [name for name, value in policy.model.state_dict().items() if not torch.equal(value, before[name])]
    assert any("visual" in name for name in moved)
    assert any("language_model" in name for name in moved)
    newest = folder.newest()
    assert newest is not None
    again = load_policy(source, Sampling(1), Loading(device="cpu"))
    restore_weights(again, newest)
    assert all(torch.equal(value, policy.model.state_dict()[name]) for name, value in again.model.state_dict().items())
    # The checkpoint is a model of its own.
    alone = load_policy(str(newest), Sampling(1), Loading(device="cpu"))
    torch.manual_seed(1)
    answers = alone.generate(_chats())
    assert _told(alone, answers) == pytest.approx(_told(policy, answers), abs=1e-4)


def test_it_computes_in_bfloat16_over_weights_of_float32(source: str) -> None:
    plain = load_policy(source, Sampling(3), Loading(device="cpu"))
    half = make_policy(plain.model, plain.processor, Sampling(3), reference=True, compute=torch.bfloat16)
    torch.manual_seed(1)
    answers = half.generate(_chats())
    assert _told(half, answers) == pytest.approx(_told(plain, answers), abs=0.1)
    assert half.logprobs(_chats(), answers, reference=True).dtype is torch.float32
    half.logprobs(_chats(), answers).sum().backward()
    assert {parameter.grad.dtype for parameter in half.parameters() if parameter.grad is not None} == {torch.float32}


@pytest.mark.skipif(find_spec("peft") is None, reason="adapters need peft")
def test_adapters_are_trained_alone(source: str, tmp_path: Path) -> None:
    policy = load_policy(source, Sampling(1), Loading(device="cpu", lora=2))
    folder = RunFolder(tmp_path / "run", {})
    schedule = Schedule(updates=1, groups=1, size=8, micro=8, rate=1e-2, evaluate=0)
    lanes = LocalLanes(lambda task: _Parity(), 8)
    before = {name: value.clone() for name, value in policy.model.state_dict().items()}
    next(GrpoTrainer(policy, lanes, codec, ["x"], Objective(kl=0.01), schedule, folder).train())
    moved = [name for name, value in policy.model.state_dict().items() if not torch.equal(value, before[name])]
    assert moved
    assert all("lora_" in name for name in moved)
    torch.manual_seed(1)
    answers = policy.generate(_chats())
    first = load_policy(source, Sampling(1), Loading(device="cpu"))
    assert _told(first, answers) == pytest.approx(_told(policy, answers, reference=True), abs=1e-4)
    again = load_policy(source, Sampling(1), Loading(device="cpu", lora=2), folder.newest())
    assert again.parameters()
    assert _told(again, answers) == pytest.approx(_told(policy, answers), abs=1e-4)


class _Parity(ColourEnv):
    """Every other episode is right, whatever was answered, so that any group teaches something."""

    played = 0

    def step(self, action: dict[str, Any]) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        _Parity.played += 1
        return self._seen(), float(_Parity.played % 2), True, False, self._info(True)
