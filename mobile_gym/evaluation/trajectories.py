"""Trajectories: what was seen and done, step by step, as files.

`trajectories/<task>/seed-<n>/` holds for each turn `000.png` (the canvas), `000.xml` (the hierarchy, where it is
observed) and, where an action followed, `000.json` (the action and what came of it). The last number has no action.
`subtasks`, `operations` (of `process`), `screen` (its rectangle on the canvas) and, over task graphs, `node` and
`matched` are as after the action; `message` is what the agent had been told before it.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PIL import Image

from mobile_gym.envs.actions import MalformedAction, parse_action
from mobile_gym.envs.task_env import Observation
from mobile_gym.evaluation.records import RecordsError

_KEPT = ("activity", "progress", "action_error", "success", "ended_by")
_KEPT_WHERE_TOLD = ("subtasks", "operations", "screen", "node", "matched")


class Trajectory:
    """The files of one episode; an earlier try of the same episode is replaced.

    Args:
        folder: the folder of the episode.

    Raises:
        RecordsError: it cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._turn = 0
        self._message = ""
        try:
            if folder.exists():
                shutil.rmtree(folder)
            folder.mkdir(parents=True)
        except OSError as problem:
            raise _failed(folder, problem) from problem

    def see(self, observation: Observation) -> None:
        """Writes what is seen before the next action."""
        stem = self._folder / f"{self._turn:03d}"
        self._message = str(observation.get("message", ""))
        try:
            Image.fromarray(observation["screenshot"]).save(stem.with_suffix(".png"), compress_level=1)
            if observation.get("hierarchy"):
                stem.with_suffix(".xml").write_text(observation["hierarchy"], encoding="utf-8")
        except OSError as problem:
            raise _failed(stem, problem) from problem

    def act(
        self,
        action: Mapping[str, Any],
        reward: float,
        info: Mapping[str, Any],
        explanation: Mapping[str, Any] | None = None,
    ) -> None:
        """Writes an action, what came of it, and what the policy told about it."""
        stem = self._folder / f"{self._turn:03d}"
        outcome = {name: info[name] for name in _KEPT}
        outcome |= {name: info[name] for name in _KEPT_WHERE_TOLD if name in info}
        line = {"turn": self._turn + 1, "action": describe(action), "reward": reward, **outcome}
        if self._message:
            line["message"] = self._message
        if explanation:
            line["policy"] = dict(explanation)
        try:
            stem.with_suffix(".json").write_text(json.dumps(line, ensure_ascii=False, indent=1) + "\n", "utf-8")
        except OSError as problem:
            raise _failed(stem, problem) from problem
        self._turn += 1


def describe(action: object) -> dict[str, Any]:
    """An action as JSON, with only what its kind uses; a malformed one as Python shows it."""
    try:
        parsed = parse_action(action)
    except MalformedAction:
        return {"malformed": repr(action)[:500]}
    described: dict[str, Any] = {"kind": parsed.kind.word}
    if parsed.point is not None:
        described["point"] = list(parsed.point)
    if parsed.lift is not None:
        described["lift"] = list(parsed.lift)
    if parsed.text:
        described["text"] = parsed.text
    return described


def _failed(path: Path, problem: OSError) -> RecordsError:
    return RecordsError(
        f"the trajectory {path} could not be written: {problem.strerror}; free some space or turn it off"
    )
