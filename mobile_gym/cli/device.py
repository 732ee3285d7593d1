"""`mobile-gym devices` lists devices; `mobile-gym device doctor|prepare|pool` examines them and makes them ready."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mobile_gym.devices import Device, connect
from mobile_gym.devices.errors import DeviceError

if TYPE_CHECKING:
    from mobile_gym.task_registry.errors import TaskFileError

app = typer.Typer(help="Examines a device and makes it ready for tasks.", no_args_is_help=True)

Spec = Annotated[str, typer.Argument(help="The device, e.g. adb:emulator-5554 or embedded:pixel_6a.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Timeout = Annotated[float, typer.Option(help="Seconds that a call may take.")]


def devices(as_json: Json = False, timeout: Timeout = 10.0) -> None:
    """Lists the embedded phones and the devices that the adb server knows, usable or not."""
    from mobile_gym.devices.adb import listed
    from mobile_gym.phone.profiles import PROFILES

    rows = [
        {"device": f"embedded:{name}", "state": "device", "detail": f"{profile.width}x{profile.height}"}
        for name, profile in sorted(PROFILES.items())
    ]
    problem = ""
    try:
        rows += [
            {
                "device": f"adb:{found.serial}",
                "state": found.state,
                "detail": found.detail or found.properties.get("model", ""),
            }
            for found in listed(timeout=timeout)
        ]
    except DeviceError as error:
        problem = str(error)
    if as_json:
        typer.echo(json.dumps({"devices": rows, "problem": problem}, ensure_ascii=False, indent=2))
    else:
        for row in rows:
            typer.echo(f"{row['device']:<32} {row['state']:<15} {row['detail']}".rstrip())
    if problem:
        typer.echo(f"adb: {problem}", err=True)
        raise typer.Exit(1)


@app.command()
def doctor(spec: Spec, as_json: Json = False, timeout: Timeout = 20.0) -> None:
    """Says what a device can do, what it lacks for which suites, and how it gets that. Exits with 1 where it lacks."""
    from mobile_gym.devices.doctor import examine

    required, wrong = _requirements()
    with _device(spec, timeout) as device:
        report = examine(device, required)
    typer.echo(report.to_json() if as_json else report.to_text())
    for problem in wrong:
        typer.echo(f"error: {problem}", err=True)
    if wrong or not report.sound:
        raise typer.Exit(1)


@app.command()
def prepare(
    spec: Spec,
    keyboard: Annotated[
        Path | None, typer.Option(help="APK file of the AdbKeyboard.", exists=True, dir_okay=False)
    ] = None,
    language: Annotated[str | None, typer.Option(help="zh or en.")] = None,
    snapshot: Annotated[str | None, typer.Option(help="Name of a snapshot to save at the end.")] = None,
    animations: Annotated[bool, typer.Option(help="Turn animations off.")] = True,
    hours: Annotated[bool, typer.Option(help="Show 24 hours.")] = True,
    screen: Annotated[bool, typer.Option(help="Keep the screen on and upright.")] = True,
    as_json: Json = False,
    timeout: Timeout = 20.0,
) -> None:
    """Makes a device ready and reports each step. Exits with 1 where one failed."""
    from mobile_gym.devices.prepare import Plan
    from mobile_gym.devices.prepare import prepare as carry_out

    plan = Plan(keyboard, language, animations, hours, screen, snapshot=snapshot)
    steps = []
    with _device(spec, timeout) as device:
        for step in carry_out(device, plan):
            steps.append(step)
            if not as_json:
                typer.echo(
                    f"{'done  ' if step.done else 'FAILED'}  {step.name}{f': {step.detail}' if step.detail else ''}"
                )
    if as_json:
        typer.echo(json.dumps([asdict(step) for step in steps], ensure_ascii=False, indent=2))
    if not all(step.done for step in steps):
        raise typer.Exit(1)


@app.command()
def pool(
    devices: Annotated[str, typer.Argument(help="Devices with commas, or the pool's file (pool:FILE).")],
    as_json: Json = False,
    timeout: Timeout = 20.0,
) -> None:
    """Looks at the devices of a pool as it does before lending them, and lists them. Exits with 1 where one is ill."""
    from mobile_gym.envs.ray.health import ailment
    from mobile_gym.envs.ray.pool_state import PoolError, PoolState, chosen_pool

    try:
        plan = chosen_pool(devices)
        state = PoolState(plan.devices)
    except (PoolError, ValueError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from error
    for spec in plan.devices:
        problem = ailment(spec, timeout)
        if problem:
            state.put_aside(spec, problem)
    report = state.report()
    typer.echo(report.model_dump_json(indent=2) if as_json else report.to_text())
    for avd in () if as_json else plan.avds:
        typer.echo(f"avd:{avd.name:<28} started when it is needed")
    if report.aside:
        raise typer.Exit(1)


@contextmanager
def _device(spec: str, timeout: float) -> Iterator[Device]:
    """The device; what is wrong with it goes to standard error."""
    try:
        with connect(spec, timeout=timeout) as device:
            yield device
    except (DeviceError, ValueError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from error


def _requirements() -> tuple[dict[str, dict[str, tuple[str, ...]]], list[TaskFileError]]:
    """By suite and task, what tasks require; and what is wrong with files that cannot be loaded."""
    from mobile_gym.task_registry.catalog import load_tasks, suites, task_ids

    required, wrong = {}, []
    for suite in suites():
        tasks, problems = load_tasks(task_ids(suite))
        required[suite] = {task.id: tuple(task.requires) for task in tasks}
        wrong += problems
    return required, wrong
