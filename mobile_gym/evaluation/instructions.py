"""What was said to the agent in an episode on record."""

from __future__ import annotations

from mobile_gym.evaluation.models import EpisodeRecord
from mobile_gym.task_registry.catalog import load_task


def instruction_of(record: EpisodeRecord) -> str:
    """The episode's instruction, in its language; the normalised one where that was said.

    Raises:
        UnknownTask: the task is not in the catalogue.
        TaskFileError: its file is wrong.
        ValueError: its normalised instruction is gone.
    """
    task = load_task(record.task, record.seed)
    said = (task.normalized() if record.instructions == "normalized" else task).instruction
    return said.zh if record.language == "zh" else said.en
