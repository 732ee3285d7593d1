"""`mobile-gym judge`: a model judges a run's trajectories, beside the state verifiers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from mobile_gym.evaluation.judging import Agreement, Judged, agreement, judge_run
from mobile_gym.evaluation.process_judging import judge_by_process
from mobile_gym.evaluation.records import RecordsError, read_config, read_records
from mobile_gym.models import ChatClient, ModelError
from mobile_gym.reward.judge import FRAMES, Judge
from mobile_gym.reward.process_provider import Evaluator, Summarizer


def judge(
    run: Annotated[Path, typer.Argument(help="The folder of a run that was made with --trajectories.")],
    model: Annotated[str, typer.Option(help="The judge's model.")],
    base_url: Annotated[str, typer.Option(help="Its endpoint, such as http://127.0.0.1:8000/v1.")],
    api_key_env: Annotated[str, typer.Option(help="The environment variable of the key; none without.")] = "",
    frames: Annotated[int, typer.Option(min=0, help="Frames before the last one that it is shown.")] = FRAMES,
    process: Annotated[
        str, typer.Option(help="ProBench's way: structure (clicks told by the tree) or summary (by the model).")
    ] = "",
) -> None:
    """Prints where a judging model and the state verifiers agree (ElderBench, section 4.2.1; ProBench)."""
    console, errors = Console(), Console(stderr=True)
    judged: list[Judged] = []
    try:
        client = ChatClient(base_url, model, api_key_env=api_key_env or None)
        for one in _judged(run, client, frames, process):
            judged.append(one)
            if one.success != one.record.success or (one.record.claimed and one.verdict.passed is None):
                said = {True: "passed", False: "failed", None: "no verdict"}[one.verdict.passed]
                console.print(
                    f"{one.record.task} seed {one.record.seed}: judge {said}, verifiers "
                    f"{'success' if one.record.success else 'failure'}: {escape(one.verdict.reason)}",
                    highlight=False,
                    soft_wrap=True,
                )
    except (RecordsError, ModelError, ValueError) as problem:
        errors.print(f"error: {problem}", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(2) from problem
    print_agreement(console, agreement(judged))


def _judged(run: Path, client: ChatClient, frames: int, process: str) -> Iterator[Judged]:
    if process not in ("", "structure", "summary"):
        raise ValueError(f"--process is structure or summary, not {process!r}")
    records = read_records(run)
    if not records:
        raise RecordsError(f"{run} holds no episodes" if run.is_dir() else f"there is no folder {run}")
    if not process:
        return judge_run(run, records, Judge(client, frames))
    language = read_config(run).language
    summarizer = Summarizer(client, language) if process == "summary" else None
    return judge_by_process(run, records, Evaluator(client, language), summarizer)


def print_agreement(console: Console, found: Agreement) -> None:
    """Prints the counts and the rates."""
    table = Table("", "verifiers: success", "verifiers: failure", title="Judge and verifiers")
    table.add_row("judge: success", str(found.both), str(found.judge_only))
    table.add_row("judge: failure", str(found.verifier_only), str(found.neither))
    console.print(table)
    rate = "–" if found.rate is None else f"{100 * found.rate:.2f} %"
    kappa = "–" if found.kappa is None else f"{found.kappa:.2f}"
    console.print(f"agreement {rate} of {found.judged} episodes, kappa {kappa}, without a verdict {found.unjudged}")
