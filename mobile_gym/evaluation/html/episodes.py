"""Episodes as plain data for the page: a line in the list, and what is shown when one is opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mobile_gym.evaluation.html.loading import LoadedRun
from mobile_gym.evaluation.html.pictures import Pictures, Source
from mobile_gym.evaluation.html.steps import Loss, Step, Trail, doings, first_loss, process_record
from mobile_gym.evaluation.html.words import criterion_words, doing_words, in_one_line, operation_words
from mobile_gym.evaluation.models import EpisodeRecord
from mobile_gym.evaluation.protocol_tables import EARLY_STOP, outcome_of
from mobile_gym.task_registry.catalog import UnknownTask, load_task
from mobile_gym.task_registry.errors import TaskFileError
from mobile_gym.task_registry.models import Task

Data = dict[str, Any]
"""Values of JSON by name."""

_LONGEST_TEXT = 2000


def verdict_of(record: EpisodeRecord) -> str:
    """How an episode came out, in a word or two."""
    if record.status != "done":
        return "not run" if record.status == "not_run" else "unverifiable"
    if record.protocol == "process":
        return outcome_of(record)
    return "success" if record.success else "failure"


def task_of(record: EpisodeRecord) -> tuple[Task | None, str]:
    """The task of an episode as it was played, or None and why it cannot be told any more."""
    try:
        task = load_task(record.task, record.seed)
        if record.instructions == "normalized":
            task = task.normalized()
    except (UnknownTask, TaskFileError, ValueError) as problem:
        return None, f"the task cannot be read here: {problem}"
    if task.content_hash != record.task_hash:
        return None, "the task has changed since this episode was played, so that its text and criteria are not shown"
    return task.in_language(record.language), ""


def line_of(run: LoadedRun, number: int, record: EpisodeRecord, instruction: str) -> Data:
    """An episode's line in the list of all."""
    timing = run.timings.get(record.key)
    return {
        "run": number,
        "task": record.task,
        "seed": record.seed,
        "verdict": verdict_of(record),
        "good": record.status == "done" and record.success,
        "end": record.ended_by,
        "turns": record.turns,
        "progress": None if record.protocol == "grounding" else round(record.progress, 4),
        "distance": record.tags.get("distance"),
        "errors": len(record.action_errors),
        "seconds": None if timing is None else round(timing.seconds, 2),
        "text": cut(instruction, 300),
    }


def details_of(record: EpisodeRecord, task: Task | None, trail: Trail, pictures: Pictures) -> Data:
    """What is shown of an episode that acted: steps, what the verifier saw, where it failed.

    Args:
        record: the episode.
        task: its task, in the episode's language; None where it is not known any more.
        trail: its trajectory.
        pictures: those that are on the page.
    """
    problems = list(trail.problems)
    steps = [_step(step, trail.steps, pictures, problems) for step in trail.steps]
    loss = first_loss(trail.steps)
    return {
        "tags": _tags(record),
        "hash": record.task_hash,
        "reward": record.reward,
        "subtasks": _subtasks(record, task, loss),
        "unexpected": [cut(change) for change in record.unexpected_changes],
        "failed": failure_words(record, loss, task),
        "process": _process(record, task, trail.steps),
        "graph": _graph(record, trail.steps),
        "errors": [{"turn": one.turn, "text": cut(one.error)} for one in record.action_errors],
        "steps": steps,
        "problems": problems,
    }


def cut(text: str, most: int = _LONGEST_TEXT) -> str:
    """A text, shortened where it is very long."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"


def failure_words(record: EpisodeRecord, loss: Loss | None = None, task: Task | None = None) -> list[str]:
    """Why an episode is no success, in sentences; none where it is one.

    A subtask that has no name of its own is told by what it asks for, where the task is known.
    """
    if record.status == "not_run":
        return [f"It was not run: {cut(record.error)}"]
    if record.status == "unverifiable":
        return [f"The device cannot verify it: {cut(record.error)}"]
    if record.success:
        return []
    found = []
    asked = {} if task is None else {subtask.id: subtask.criterion for subtask in task.subtasks}
    missed = [
        in_one_line(criterion_words(asked[name])) if name.isdigit() and name in asked else name
        for name, holds in record.subtasks.items()
        if not holds
    ]
    if record.claimed and missed:
        found.append(f"The agent ended it ({record.ended_by}), but this did not hold: {', '.join(missed)}.")
    elif missed:
        found.append(f"It ended by {record.ended_by or 'nothing'} before this held: {', '.join(missed)}.")
    elif record.subtasks and not record.goal_reached:
        found.append("The end state is right, the way is not: a required operation is missing or no longer in force.")
    elif record.goal_reached and not record.claimed and not record.unexpected_changes:
        found.append(f"Everything held at the end, but the agent never said so; it ended by {record.ended_by}.")
    if record.ended_by == EARLY_STOP:
        found.append("It was stopped at the fifth equal action running.")
    if record.unexpected_changes:
        found.append(f"It changed what the task does not ask for ({len(record.unexpected_changes)} changes).")
    if loss is not None:
        which = f": {', '.join(loss.subtasks)}" if loss.subtasks else ""
        fell = f"{100 * loss.before:.0f} % to {100 * loss.after:.0f} %"
        found.append(f"After turn {loss.turn} something no longer held{which} (progress from {fell}).")
    if record.action_errors:
        last = record.action_errors[-1]
        found.append(
            f"{len(record.action_errors)} actions were not carried out, the last at turn {last.turn}: {cut(last.error)}"
        )
    return found


def _tags(record: EpisodeRecord) -> list[str]:
    shown = []
    for name, value in record.tags.items():
        if name in ("verbs", "distance", "point"):
            continue
        for one in value if isinstance(value, list | tuple) else [value]:
            if one not in (None, ""):
                shown.append(f"{name}: {str(one).replace('_', ' ')}")
    return shown


def _subtasks(record: EpisodeRecord, task: Task | None, loss: Loss | None) -> list[Data]:
    known = {} if task is None else {subtask.id: subtask for subtask in task.subtasks}
    found = []
    for name, holds in record.subtasks.items():
        told: Data = {"id": name, "holds": holds}
        if record.protocol == "graph":
            told["words"] = {"text": "the episode ends on a node that is DONE"}
        elif name in known:
            told["words"] = criterion_words(known[name].criterion, record.seen.get(name, ()))
            told["weight"] = known[name].weight
        if loss is not None and name in loss.subtasks:
            told["lost"] = loss.turn
        found.append(told)
    return found


def _process(record: EpisodeRecord, task: Task | None, steps: Sequence[Step]) -> Data | None:
    if record.protocol != "process" or task is None or not task.process:
        return None
    done = process_record(steps)
    found = doings(task.process, steps) if steps else [None] * len(task.process)
    return {
        "operations": [
            {"words": operation_words(required)}
            | ({} if one is None else {"right": one.right, "turn": one.turn, "when": doing_words(required, one)})
            for required, one in zip(task.process, found, strict=True)
        ],
        "record": [
            {
                "turn": turn,
                "kind": entry.kind,
                "element": cut(" · ".join(entry.element), 120),
                "text": cut(entry.text, 200),
                "app": entry.package,
            }
            for turn, entry in done
        ],
    }


def _graph(record: EpisodeRecord, steps: Sequence[Step]) -> Data | None:
    if record.protocol != "graph":
        return None
    nodes = [step.line["node"] for step in steps if isinstance(step.line.get("node"), int)]
    return {
        "mismatches": record.mismatches,
        "strict": record.strict_success,
        # The start is node 0; each number is where an action led to.
        "path": [0, *nodes] if nodes else [],
        "missed": [step.turn for step in steps if step.line.get("matched") is False and step.action],
    }


def _step(step: Step, steps: Sequence[Step], pictures: Pictures, problems: list[str]) -> Data:
    told: Data = {
        "turn": step.turn,
        "action": _action(step.action),
        "error": cut(str(step.line.get("action_error") or "")),
    }
    progress = step.line.get("progress")
    if isinstance(progress, int | float):
        told["progress"] = round(float(progress), 4)
    said = step.line.get("policy")
    if isinstance(said, Mapping):
        told["thought"] = cut(str(said.get("thought") or ""))
        told["answer"] = cut(str(said.get("answer") or ""))
        flags = said.get("flags")
        told["flags"] = [cut(str(flag), 100) for flag in flags] if isinstance(flags, list) else []
    before = steps[step.turn - 2].line if step.turn >= 2 else {}
    message = str(step.line.get("message") or "")
    if message and message != before.get("action_error"):
        told["message"] = cut(message)
    if step.line.get("matched") is False and step.action:
        told["unmatched"] = True
    source = source_of(step)
    kept = pictures.find(source)
    if kept is not None:
        told["picture"] = kept.name
        told["size"] = list(kept.size)
        told["screen"] = screen_of(step, steps) or [0, 0, *kept.size]
    elif step.picture is not None and source is not None and source.name in pictures.problems:
        problems.append(f"{step.picture.name} {pictures.problems[source.name]}")
    return told


def source_of(step: Step) -> Source | None:
    """Where a step's picture comes from; None where it is missing."""
    return None if step.picture is None else Source(str(step.picture), step.picture)


def screen_of(step: Step, steps: Sequence[Step]) -> list[int] | None:
    """Where the screen lay on a step's canvas, (left, top, right, bottom); None where the trajectory does not tell.

    What a line tells is as after its action: a step's own screen is the one of the line before, and the first step is
    taken to have had that of its own line.
    """
    line = steps[step.turn - 2].line if step.turn >= 2 else step.line
    found = line.get("screen")
    good = isinstance(found, list) and len(found) == 4 and all(isinstance(one, int) for one in found)
    return list(found) if good and found is not None else None


def _action(action: Mapping[str, Any]) -> Data | None:
    if not action:
        return None
    if "malformed" in action:
        return {"kind": "malformed", "text": cut(str(action["malformed"]), 500)}
    told: Data = {"kind": str(action.get("kind", "unknown"))}
    for name in ("point", "lift"):
        value = action.get(name)
        if isinstance(value, list) and len(value) == 2 and all(isinstance(one, int | float) for one in value):
            told[name] = value
    if action.get("text"):
        told["text"] = cut(str(action["text"]), 500)
    return told
