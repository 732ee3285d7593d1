"""`mobile-gym export` and `mobile-gym import`: trajectories as Parquet, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from mobile_gym.evaluation.records import RecordsError
from mobile_gym.training.extras import MissingExtra, need


def export(
    runs: Annotated[list[Path], typer.Argument(help="Folders of runs that were made with --trajectories.")],
    out: Annotated[Path, typer.Option(help="The Parquet file.")],
    successes: Annotated[bool, typer.Option("--successes", help="Successful episodes only.")] = False,
) -> None:
    """Writes trajectories into one Parquet file that `datasets` reads, a row a turn, pictures and all."""
    with _told("episodes") as progress:
        from mobile_gym.training.parquet_export import export as write

        found = write(runs, out, successes, progress)
    said = f", {found.left_out} episodes left out" if found.left_out else ""
    Console().print(f"{out}: {found.episodes} episodes, {found.rows} rows{said}", highlight=False, soft_wrap=True)


def import_(
    source: Annotated[Path, typer.Argument(help="A Parquet file of `mobile-gym export`.")],
    out: Annotated[Path, typer.Option(help="The folder of the runs' folders.")],
) -> None:
    """Writes the runs of a Parquet file as folders again, trajectories byte for byte; timings are not kept."""
    with _told("rows") as progress:
        from mobile_gym.training.parquet_import import import_runs

        folders = import_runs(source, out, progress)
    for folder in folders:
        Console().print(str(folder), highlight=False, soft_wrap=True)


@contextmanager
def _told(what: str) -> Iterator[Callable[[int, int], None]]:
    """Shows progress; errors are told and end the command."""
    errors = Console(stderr=True)
    try:
        need("parquet", "pyarrow")
        with Progress(console=errors, transient=True) as bar:
            task = bar.add_task(what, total=None)
            yield lambda done, total: bar.update(task, completed=done, total=total)
    except (RecordsError, MissingExtra) as problem:
        errors.print(f"error: {problem}", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(2) from problem
