"""A task's own demonstration, played through the same door as any agent, with its records and trajectory in a folder.

python examples/demonstration_episode.py [task] [folder]
"""

import sys
from pathlib import Path

from mobile_gym.evaluation.records import RunRecords
from mobile_gym.evaluation.run import play, run_config
from mobile_gym.policies import make_policy
from mobile_gym.task_registry import catalog


def main(task: str = "elder-031", folder: str = "runs/demonstration-example") -> None:
    """Plays the demonstration once; a second call finds the record and plays nothing."""
    suite = catalog.suite_of(task)
    config = run_config(suite, str(catalog.suite_version(suite)), "demonstration", "embedded:pixel_6a")
    with RunRecords(Path(folder), config) as records:
        for played in play(records, [task], [0], make_policy("demonstration"), trajectories=True):
            record = played.record
            print(f"{record.task}: success {record.success} in {record.turns} turns {record.error}")
    print(f"pictures and actions: {folder}/trajectories/{task}/seed-0/")


if __name__ == "__main__":
    main(*sys.argv[1:])
