"""TRL's own trainer plays on phones through the class of tools."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

pytest.importorskip("trl")

pytestmark = [
    pytest.mark.filterwarnings("ignore::FutureWarning:transformers.*"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:.*pin_memory.*:UserWarning"),
]

EXAMPLE = Path(__file__).parents[2] / "examples" / "trl_grpo.py"


@pytest.mark.slow
def test_grpo_trainer_calls_the_tools_and_is_rewarded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    torch.set_num_threads(1)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    main = runpy.run_path(str(EXAMPLE), run_name="example")["main"]
    logged = main(
        ["--tiny", "--updates", "1", "--group", "4", "--turns", "1", "--rate", "1e-3", "--out", str(tmp_path)]
    )
    step = logged[0]
    assert step["tools/call_frequency"] > 0
    assert step["tools/failure_frequency"] == 0
    assert 0 < step["rewards/PhoneTools/mean"] == step["reward"] < 1
    assert step["grad_norm"] > 0
