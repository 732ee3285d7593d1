"""Runs over a grounding set: one point an item, written down as it goes, continued where it stopped."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from mobile_gym.envs.actions import ActionType, EncodedAction, MalformedAction, parse_action
from mobile_gym.envs.grounding_env import GroundingEnv
from mobile_gym.evaluation.grounding_pointers import SUITE, Pointer, make_pointer
from mobile_gym.evaluation.models import ActionError, EpisodeRecord, EpisodeTiming, RunConfig, TurnTiming
from mobile_gym.evaluation.records import RecordsError, RunRecords
from mobile_gym.evaluation.run import Played, run_config
from mobile_gym.policies.base import Metered, PolicyError
from mobile_gym.task_registry.grounding import GroundingItem, GroundingSetError, split_name

__all__ = [
    "PROTOCOL",
    "SEED",
    "SUITE",
    "Pointer",
    "ask",
    "check_unchanged",
    "grounding_config",
    "item_hash",
    "make_pointer",
    "point_at",
    "tags_of",
    "unanswered",
]

PROTOCOL = "grounding"
SEED = 0
"""An item is asked once: nothing in it is drawn."""


def grounding_config(
    items: Sequence[GroundingItem], split: str, dataset: str, policy: str, **settings: object
) -> RunConfig:
    """The configuration of a run over these items; their digest is its suite's version.

    Raises:
        ValueError: no such split.
    """
    parts = [f"{item.id} {item.box} {sorted(item.instruction.items())}" for item in items]
    version = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
    source = items[0].source if items else ""
    return run_config(f"{SUITE}-{split_name(split)}", f"{source}-{version}", policy, f"pictures:{dataset}", **settings)


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
    """Asks for one item and gives its record and timing; an item whose picture cannot be read is not run."""
    began, started = time.monotonic(), datetime.now(UTC).isoformat(timespec="seconds")
    try:
        frame = item.load()
    except GroundingSetError as problem:
        seconds = time.monotonic() - began
        timing = EpisodeTiming(task=item.id, seed=SEED, started=started, reset_seconds=seconds, seconds=seconds)
        return unanswered(config, item, str(problem)), timing
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
        "transfer": item.transfer,
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
