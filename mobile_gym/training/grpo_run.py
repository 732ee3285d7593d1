"""The folder of a fine-tuning run: metrics as JSON lines, checkpoints that are there wholly or not at all."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

METRICS, STATE, OPTIMIZER = "metrics.jsonl", "state.json", "optimizer.pt"
_PREFIX = "checkpoint-"


class RunFolderError(Exception):
    """A run's folder that cannot be used; the message says what to do."""


class RunFolder:
    """Where a run writes.

    Args:
        path: the folder; made where it is missing.
        settings: the run's settings; a run that goes on must have the same.

    Raises:
        RunFolderError: the folder holds a run of other settings.
    """

    def __init__(self, path: Path, settings: Mapping[str, Any]) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        kept = path / "run.json"
        text = json.dumps(settings, indent=1, sort_keys=True) + "\n"
        if kept.exists() and kept.read_text("utf-8") != text:
            raise RunFolderError(
                f"{path} holds a run of other settings (see its run.json); use another folder, or the same settings"
            )
        kept.write_text(text, "utf-8")

    def newest(self) -> Path | None:
        """The newest whole checkpoint; None where there is none."""
        found = [folder for folder in self.path.glob(f"{_PREFIX}*") if (folder / STATE).exists()]
        return max(found, key=lambda folder: int(folder.name.removeprefix(_PREFIX)), default=None)

    def save(self, update: int, policy: Any, optimizer: torch.optim.Optimizer, keep: int = 2) -> Path:
        """Writes a checkpoint and takes older ones away.

        Args:
            update: how many updates were made.
            policy: the policy.
            optimizer: its optimizer.
            keep: how many checkpoints are kept.
        """
        folder = self.path / f"{_PREFIX}{update}"
        part = folder.with_name(f".{folder.name}.part")
        shutil.rmtree(part, ignore_errors=True)
        policy.model.save_pretrained(part)
        policy.processor.save_pretrained(part)
        torch.save(optimizer.state_dict(), part / OPTIMIZER)
        (part / STATE).write_text(json.dumps({"update": update}) + "\n", "utf-8")
        shutil.rmtree(folder, ignore_errors=True)
        os.replace(part, folder)
        whole = sorted(
            (int(path.name.removeprefix(_PREFIX)), path)
            for path in self.path.glob(f"{_PREFIX}*")
            if (path / STATE).exists()
        )
        for _, old in whole[:-keep]:
            shutil.rmtree(old)
        return folder

    def restore(self, optimizer: torch.optim.Optimizer) -> int:
        """Puts the newest checkpoint's optimizer back and drops the metrics of updates that it does not hold.

        The weights are loaded with the model, from `newest()`.

        Returns:
            How many updates were made; 0 without a checkpoint.
        """
        newest = self.newest()
        done = 0
        if newest is not None:
            done = int(json.loads((newest / STATE).read_text("utf-8"))["update"])
            optimizer.load_state_dict(torch.load(newest / OPTIMIZER, weights_only=True))
        kept = [line for line in self.metrics() if line["update"] <= done]
        if (self.path / METRICS).exists():
            (self.path / METRICS).write_text("".join(json.dumps(line) + "\n" for line in kept), "utf-8")
        return done

    def log(self, line: Mapping[str, Any]) -> None:
        """Appends one update's metrics."""
        with open(self.path / METRICS, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def metrics(self) -> list[dict[str, Any]]:
        """The metrics that were written, a torn last line apart."""
        path = self.path / METRICS
        if not path.exists():
            return []
        return [json.loads(line) for line in path.read_text("utf-8").split("\n")[:-1]]
