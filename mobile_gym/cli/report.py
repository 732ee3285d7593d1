"""`mobile-gym report`: runs as one HTML page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from mobile_gym.evaluation.html import PictureChoice, write_report
from mobile_gym.evaluation.html.page import LIMIT, MOST
from mobile_gym.evaluation.records import RecordsError


def report(
    runs: Annotated[list[Path], typer.Argument(help="Folders of runs, as `mobile-gym eval` wrote them.")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="The page; report.html in the run's folder, or here for several runs."),
    ] = None,
    pictures: Annotated[
        str,
        typer.Option(
            help="How many pictures at most, failures' first, then an even sample; or all, failures (whatever is no "
            "success), none."
        ),
    ] = str(MOST),
    limit: Annotated[int, typer.Option(help="Megabytes that pictures may have together.", min=0)] = LIMIT // 1_000_000,
) -> None:
    """Writes one self-contained page: tables with intervals, comparisons of the runs, every episode step by step."""
    console, errors = Console(), Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    try:
        choice = _choice(pictures)
        path = output or (runs[0] / "report.html" if len(runs) == 1 else Path("report.html"))
        with Progress(*columns, console=errors, transient=True) as bar:
            line = bar.add_task("", total=None)
            written = write_report(
                runs,
                path,
                choice,
                limit * 1_000_000,
                lambda what, done, total: bar.update(line, description=what, completed=done, total=total),
            )
    except (RecordsError, ValueError, OSError) as problem:
        errors.print(f"error: {problem}", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(2) from problem
    for problem_words in written.problems:
        console.print(f"left out: {problem_words}", markup=False, highlight=False, soft_wrap=True)
    if written.note:
        console.print(written.note, markup=False, highlight=False, soft_wrap=True)
    console.print(
        f"wrote {written.path}: {written.episodes} episodes, {written.pictures} pictures, {written.size / 1e6:.1f} MB",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )


def _choice(text: str) -> PictureChoice | int:
    choices: dict[str, PictureChoice] = {"all": "all", "failures": "failures", "none": "none"}
    if text in choices:
        return choices[text]
    if not text.isdecimal():
        raise ValueError(f"--pictures is a number, or one of {', '.join(choices)}, not {text!r}")
    return int(text)
