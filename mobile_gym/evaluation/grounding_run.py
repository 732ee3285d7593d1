"""Runs over a grounding set: one point an item, written down as it goes, continued where it stopped."""

from __future__ import annotations

import hashlib
import json
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Protocol

import numpy as np

from mobile_gym.envs.actions import FRAME, Action, ActionType, EncodedAction, MalformedAction, parse_action
from mobile_gym.envs.grounding_env import GroundingEnv, Observation
from mobile_gym.evaluation.models import ActionError, EpisodeRecord, EpisodeTiming, RunConfig, TurnTiming
from mobile_gym.evaluation.records import RecordsError, RunRecords
from mobile_gym.evaluation.run import Played, run_config
from mobile_gym.policies.base import Metered, PolicyError
from mobile_gym.policies.registry import make_policy
from mobile_gym.task_registry.grounding import GroundingItem

SUITE = "trans"
PROTOCOL = "grounding"
SEED = 0
"""An item is asked once: nothing in it is drawn."""


class Pointer(Protocol):
    """Who points. A policy of tasks is one where it does without the task (`ModelPolicy`)."""

    @property
    def name(self) -> str: ...

    def reset(self, task: Any, info: dict[str, Any], seed: int) -> None:
        """Begins an item; `task` is the item, of which nobody but a test may read the box."""

    def act(self, observation: Observation, info: dict[str, Any]) -> EncodedAction:
        """The answer."""


class CenterPointer:
    """Points at the middle of every picture."""

    name = "center"

    def reset(self, task: Any, info: dict[str, Any], seed: int) -> None:
        """Nothing to prepare."""

    def act(self, observation: Observation, info: dict[str, Any]) -> EncodedAction:
        """The middle."""
        return Action.tap(FRAME // 2, FRAME // 2).encode()


class RandomPointer:
    """Points anywhere, drawn by the item's name."""

    name = "random"

    def __init__(self) -> None:
        self._rng = np.random.default_rng(0)

    def reset(self, task: Any, info: dict[str, Any], seed: int) -> None:
        """Seeds the draw."""
        self._rng = np.random.default_rng([seed, zlib.crc32(str(info["item_id"]).encode())])

    def act(self, observation: Observation, info: dict[str, Any]) -> EncodedAction:
        """Any point of the picture."""
        x, y = self._rng.integers(FRAME + 1, size=2)
        return Action.tap(int(x), int(y)).encode()


class NoPointer:
    """Gives no point."""

    name = "noop"

    def reset(self, task: Any, info: dict[str, Any], seed: int) -> None:
        """Nothing to prepare."""

    def act(self, observation: Observation, info: dict[str, Any]) -> EncodedAction:
        """Finish."""
        return Action.finish().encode()


POINTERS: dict[str, Callable[[], Pointer]] = {
    "center": CenterPointer,
    "random": RandomPointer,
    "noop": NoPointer,
}
"""Baselines that need no model."""


def grounding_config(
    items: Sequence[GroundingItem], split: str, dataset: str, policy: str, **settings: object
) -> RunConfig:
    """The configuration of a run over these items; their digest is its suite's version."""
    parts = [f"{item.id} {item.box} {sorted(item.instruction.items())}" for item in items]
    version = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
    source = items[0].source if items else ""
    return run_config(f"{SUITE}-{split}", f"{source}-{version}", policy, f"pictures:{dataset}", **settings)


def point_at(
    records: RunRecords,
    items: Sequence[GroundingItem],
    policy: Pointer,
    started: Callable[[GroundingItem], None] = lambda item: None,
) -> Iterator[Played]:
    """Asks for every item that is not on record yet, and gives each one's record.

    The canvas is each picture's own size, or the configuration's where it has one.

    Raises:
        RecordsError: a record could not be written, or is of an item that has changed since.
    """
    for item in items:
        known = records.get(item.id, SEED)
        if known is not None and known.status == "done":
            check_unchanged(records, known, item)
            yield Played(known, before=True)
            continue
        started(item)
        record, timing = ask(records.config, item, policy)
        records.append(record, timing)
        yield Played(record, before=False)


def check_unchanged(records: RunRecords, known: EpisodeRecord, item: GroundingItem) -> None:
    """Looks whether an item is the same as when its answer was written down.

    Raises:
        RecordsError: it has changed.
    """
    if known.task_hash != item_hash(item):
        raise RecordsError(
            f"the item {item.id} has changed since it was answered in {records.folder}; use another folder "
            "with --out, so that results of two versions don't mix"
        )


def item_hash(item: GroundingItem) -> str:
    """A hash of what an item asks and of its answer."""
    content = [item.id, item.instruction, [item.box.left, item.box.top, item.box.right, item.box.bottom]]
    return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:16]


def make_pointer(name: str, **options: Any) -> Pointer:
    """Who points: `center`, `random`, `noop`, or a policy that does without tasks, such as `openai:MODEL`.

    Raises:
        ValueError: there is none of that name.
    """
    if name in POINTERS:
        return POINTERS[name]()
    if not name.startswith("openai:"):
        raise ValueError(f"--policy for {SUITE} is {', '.join(POINTERS)} or openai:MODEL, not {name!r}")
    return make_policy(name, **options)


def unanswered(config: RunConfig, item: GroundingItem, reason: str) -> EpisodeRecord:
    """The record of an item that got no answer."""
    return EpisodeRecord(**_common(config, item), tags=tags_of(item), status="not_run", error=reason)


def _common(config: RunConfig, item: GroundingItem) -> dict[str, Any]:
    return {
        "suite": config.suite,
        "suite_version": config.suite_version,
        "task": item.id,
        "task_hash": item_hash(item),
        "protocol": PROTOCOL,
        "seed": SEED,
        "device": config.device,
        "policy": config.policy,
        "language": config.language,
    }


def ask(config: RunConfig, item: GroundingItem, policy: Pointer) -> tuple[EpisodeRecord, EpisodeTiming]:
    """Asks for one item and gives its record and timing."""
    began, started = time.monotonic(), datetime.now(UTC).isoformat(timespec="seconds")
    frame = item.load()
    size = config.observation_size or (frame.shape[1], frame.shape[0])
    env = GroundingEnv(dataset=[replace(item, load=lambda: frame)], language=config.language, observation_size=size)
    observation, info = env.reset(seed=SEED, options={"index": 0})
    ready = time.monotonic()
    failure = ""
    action: EncodedAction = {}
    try:
        policy.reset(item, info, SEED)
        action = policy.act(observation, info)
    except PolicyError as problem:
        failure = str(problem)
    answered = time.monotonic()
    tags = tags_of(item)
    if failure:
        record = unanswered(config, item, failure)
    else:
        _, reward, terminated, truncated, after = env.step(action)
        error = str(after["action_error"])
        tags |= {"distance": round(float(after["distance"]), 4), "point": _point(action)}
        record = EpisodeRecord(
            **_common(config, item),
            tags=tags,
            status="done",
            success=bool(after["success"]),
            ended_by="answer",
            terminated=terminated,
            truncated=truncated,
            turns=1,
            reward=reward,
            action_errors=[ActionError(turn=1, error=error)] if error else [],
        )
    turn = _turn(policy, answered - ready, time.monotonic() - answered)
    timing = EpisodeTiming(
        task=item.id,
        seed=SEED,
        started=started,
        reset_seconds=ready - began,
        seconds=time.monotonic() - began,
        turns=[] if failure else [turn],
    )
    env.close()
    return record, timing


def tags_of(item: GroundingItem) -> dict[str, Any]:
    """What results are grouped by."""
    return {
        "platform": item.platform,
        "version": item.version,
        "app": item.app,
        "category": item.category,
        "page": item.page,
        "change": item.change,
        "source": item.source,
    }


def _point(action: EncodedAction) -> list[int] | None:
    try:
        parsed = parse_action(action)
    except MalformedAction:
        return None
    return list(parsed.point) if parsed.kind is ActionType.TAP and parsed.point is not None else None


def _turn(policy: Pointer, policy_seconds: float, env_seconds: float) -> TurnTiming:
    usage = policy.usage() if isinstance(policy, Metered) else None
    return TurnTiming(
        policy_seconds=policy_seconds,
        env_seconds=env_seconds,
        reasoning_seconds=None if usage is None else usage.reasoning_seconds,
        parsing_seconds=None if usage is None else usage.parsing_seconds,
        prompt_tokens=None if usage is None else usage.prompt_tokens,
        generated_tokens=None if usage is None else usage.generated_tokens,
        cost=None if usage is None else usage.cost,
    )
