"""`mobile-gym tasks`: list, show, check, count and begin tasks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import closing
from importlib.resources import files
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

if TYPE_CHECKING:
    from mobile_gym.reward.task_spec import Language
    from mobile_gym.task_registry.errors import TaskFileError
    from mobile_gym.task_registry.proofs import Proof

app = typer.Typer(help="Tasks: list, show, check, count, begin.", no_args_is_help=True)
console = Console()
_TRAIN_SEEDS = 3
"""How many draws of a task's parameters are proved."""
_TEMPLATES = {"online": "template.yaml", "process": "template_process.yaml", "workflow": "template_workflow.yaml"}
"""What a new task of each protocol begins with."""


def _fail(error: Exception) -> typer.Exit:
    console.print(f"[red]error:[/red] {escape(str(error))}", soft_wrap=True)
    return typer.Exit(1)


def _chosen(names: list[str] | None, files_too: bool = False) -> list[str]:
    """Task ids of suites and ids, and paths of files where they may be, in order; all ids where none are named."""
    from mobile_gym.envs.arguments import is_file
    from mobile_gym.task_registry.catalog import UnknownTask, suites, task_file, task_ids

    found: list[str] = []
    try:
        for name in names or suites():
            if name in suites():
                found += task_ids(name)
            elif files_too and is_file(name):
                if not Path(name).is_file():
                    raise _fail(FileNotFoundError(f"there is no file {name}"))
                found.append(name)
            else:
                task_file(name)
                found.append(name)
    except UnknownTask as error:
        raise _fail(error) from error
    return list(dict.fromkeys(found))


@app.command("list")
def list_tasks(names: Annotated[list[str] | None, typer.Argument(help="Suites or ids; all if none.")] = None) -> None:
    """Lists tasks with their instructions."""
    from mobile_gym.task_registry.catalog import load_tasks

    table = Table("id", "protocol", "instruction", "apps")
    tasks, wrong = load_tasks(_chosen(names))
    for task in tasks:
        table.add_row(task.id, task.protocol, escape(task.instruction.zh), ", ".join(task.apps))
    console.print(table)
    _tell_wrong(wrong)


def _tell_wrong(wrong: Sequence[TaskFileError]) -> None:
    """Names files that are wrong, and ends with 1 where there are any."""
    for problem in wrong:
        console.print(f"[red]error:[/red] {escape(str(problem))}", soft_wrap=True)
    if wrong:
        raise typer.Exit(1)


@app.command()
def show(task_id: str, seed: Annotated[int | None, typer.Option(help="Draws the task's parameters.")] = None) -> None:
    """Shows one task on a page."""
    from mobile_gym.task_registry.catalog import UnknownTask, load_task, suite_version
    from mobile_gym.task_registry.errors import TaskFileError

    try:
        task = load_task(task_id, seed)
        version = suite_version(task.suite)
    except (UnknownTask, TaskFileError) as error:
        raise _fail(error) from error
    plain = task.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    console.print(f"[bold]{task.id}[/bold]  suite {task.suite} {version}  protocol {task.protocol}")
    console.print(f"content hash {task.content_hash}")
    console.print(f"requires {', '.join(sorted(task.requirements)) or 'nothing special'}\n")
    for key, value in plain.items():
        if key in ("id", "suite", "protocol"):
            continue
        if isinstance(value, list):
            console.print(f"[bold]{key}[/bold]")
            for item in value:
                console.print(f"  {escape(json.dumps(item, ensure_ascii=False))}", soft_wrap=True)
        else:
            console.print(f"[bold]{key}[/bold] {escape(json.dumps(value, ensure_ascii=False))}", soft_wrap=True)


def prove_one(task_id: str, device: str, language: Language, random_episodes: int) -> list[Proof]:
    """Proves one task, by its id or file, on a device of its own; one proof, or one a draw of its parameters.

    Raises:
        DeviceError: the device cannot be reached.
    """
    from mobile_gym.devices import connect
    from mobile_gym.envs.arguments import find_task
    from mobile_gym.task_registry.errors import TaskFileError
    from mobile_gym.task_registry.proofs import Finding, Proof, prove

    proofs = []
    try:
        seeds = range(_TRAIN_SEEDS if find_task(task_id).params else 1)
        with closing(connect(device)) as phone:
            for seed in seeds:
                proofs.append(prove(find_task(task_id, seed), phone, language, random_episodes))
    except TaskFileError as error:
        problems = tuple(Finding("problem", f"{error.path} {problem}") for problem in error.problems)
        return [Proof(error.task, "failed", problems, 0)]
    return proofs


def _proofs(chosen: list[str], device: str, language: Language, episodes: int, workers: int) -> Iterator[list[Proof]]:
    if workers <= 1:
        for task_id in chosen:
            yield prove_one(task_id, device, language, episodes)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting = [pool.submit(prove_one, task_id, device, language, episodes) for task_id in chosen]
        for done in as_completed(waiting):
            yield done.result()


@app.command()
def check(
    names: Annotated[list[str] | None, typer.Argument(help="Suites, ids or YAML files; all suites if none.")] = None,
    device: Annotated[str, typer.Option(help="The device to prove on.")] = "embedded:pixel_6a",
    language: Annotated[str, typer.Option(help="Language of the screen, zh or en.")] = "zh",
    workers: Annotated[int, typer.Option(min=1, help="Processes, each with a device of its own.")] = 1,
    random_episodes: Annotated[int, typer.Option(min=0, help="Episodes of random actions a task.")] = 2,
    strict: Annotated[bool, typer.Option(help="Warnings fail too.")] = False,
) -> None:
    """Proves tasks: demonstrations solve them, nothing cheaper does, every criterion is needed."""
    from mobile_gym.devices.errors import DeviceError

    if language not in ("zh", "en"):
        raise _fail(ValueError(f"--language is zh or en, not {language!r}"))
    spoken: Language = "zh" if language == "zh" else "en"
    chosen = _chosen(names, files_too=True)
    found: list[Proof] = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    try:
        with Progress(*columns, console=console, transient=True) as progress:
            bar = progress.add_task("proving", total=len(chosen))
            for proofs in _proofs(chosen, device, spoken, random_episodes, workers):
                found += proofs
                progress.advance(bar)
    except (DeviceError, ValueError) as error:
        raise _fail(error) from error
    if not report(found, strict):
        raise typer.Exit(1)


def report(proofs: list[Proof], strict: bool = False) -> bool:
    """Prints what proofs found; tells whether all is well."""
    colours = {"proved": "green", "failed": "red", "unverifiable": "yellow"}
    well = True
    for proof in sorted(proofs, key=lambda proof: proof.task_id):
        colour = colours[proof.outcome]
        console.print(f"[{colour}]{proof.outcome}[/{colour}] {proof.task_id} ({proof.episodes} episodes)")
        for finding in proof.findings:
            console.print(f"  {finding.severity}: {escape(finding.text)}", soft_wrap=True)
        well = well and proof.outcome != "failed" and not (strict and proof.findings)
    counts = {name: sum(proof.outcome == name for proof in proofs) for name in colours}
    console.print(", ".join(f"{count} {name}" for name, count in counts.items()))
    return well


@app.command()
def stats(suite: str) -> None:
    """Counts a suite's labels, lengths and verbs beside what a suite of its kind should have."""
    from mobile_gym.task_registry.catalog import UnknownTask, load_tasks, suite_facts, task_ids
    from mobile_gym.task_registry.errors import TaskFileError
    from mobile_gym.task_registry.statistics import statistics

    try:
        facts = suite_facts(suite)
        tasks, wrong = load_tasks(task_ids(suite))
        wanted_facts = facts.get("statistics") or {}
        numbers = statistics(tasks, wanted_facts) if tasks else None
    except (UnknownTask, TaskFileError, ValueError) as error:
        raise _fail(error) from error
    if numbers is None:
        _print_quotas(f"{suite} {facts['version']}: no tasks yet", wanted_facts)
        _tell_wrong(wrong)
        return
    table = Table("property", "tasks", "share", "should be", "")
    for share in numbers.shares:
        wanted = "" if share.wanted is None else f"{share.wanted * share.of:.1f} ({share.wanted:.2%})"
        verdict = "" if share.wanted is None else "ok" if share.within_one else "off by more than one task"
        table.add_row(share.name, str(share.count), f"{share.count / share.of:.2%}", wanted, verdict)
    console.print(f"{suite} {facts['version']}: {numbers.tasks} tasks")
    console.print(table)
    for name, value in (("mean_length", numbers.mean_length), ("mean_verbs", numbers.mean_verbs)):
        if value is not None:
            beside = f" (should be about {numbers.wanted[name]:g})" if name in numbers.wanted else ""
            console.print(f"{name.replace('_', ' ')}: {value:.2f}{beside}")
    if numbers.paper:
        told = ", ".join(f"{name} {count}" for name, count in numbers.paper.items())
        console.print(f"apps: {numbers.apps}; the paper: {told}")
    for note in numbers.notes:
        console.print(f"[yellow]note:[/yellow] {escape(note)}", soft_wrap=True)
    _tell_wrong(wrong)


def _print_quotas(title: str, facts: dict[str, Any]) -> None:
    """What a suite that has no task yet should be made of."""
    console.print(title)
    table = Table("property", "should be")
    for label, shares in facts.get("tags", {}).items():
        for name, share in shares.items():
            table.add_row(f"{label}: {name}", f"{share:.2%}")
    for name, count in facts.get("paper", {}).items():
        table.add_row(f"the paper: {name}", str(count))
    console.print(table)


@app.command()
def new(
    task_id: str,
    folder: Annotated[Path, typer.Option(help="The suite's folder; its name is the suite.")],
    protocol: Annotated[str, typer.Option(help="online, process or workflow; by the suite if none.")] = "",
) -> None:
    """Writes a commented task to begin with."""
    from mobile_gym.task_registry.ids import is_task_id

    if not is_task_id(task_id):
        wanted = "small letters and digits, in words joined by '-', and no end such as '-v2': for example elder-120"
        raise _fail(ValueError(f"{task_id!r} can be no task's id; write {wanted}"))
    suite = folder.resolve().name
    protocol = protocol or {"probench": "process", "gma": "workflow"}.get(suite, "online")
    if protocol not in _TEMPLATES:
        raise _fail(ValueError(f"--protocol is one of {', '.join(_TEMPLATES)}, not {protocol!r}"))
    path = folder / f"{task_id}.yaml"
    if path.exists():
        raise _fail(FileExistsError(f"{path} is there already; choose another id"))
    if not folder.is_dir():
        raise _fail(FileNotFoundError(f"{folder} is no folder; make the suite's folder first"))
    text = files("mobile_gym.task_registry").joinpath(_TEMPLATES[protocol]).read_text("utf-8")
    for name, value in (("id", task_id), ("suite", suite), ("protocol", protocol)):
        text = text.replace(f"{{{name}}}", value)
    path.write_text(text, encoding="utf-8")
    console.print(f"wrote {path}\nchange it, then prove it: mobile-gym tasks check {path}")


@app.command()
def schema(
    output: Annotated[Path | None, typer.Option(help="File to write; the package's own if none.")] = None,
) -> None:
    """Writes the JSON Schema of a task file."""
    from mobile_gym.task_registry.schema import SCHEMA_FILE, schema_text

    path = output or SCHEMA_FILE
    path.write_text(schema_text(), encoding="utf-8")
    console.print(f"wrote {path}")
