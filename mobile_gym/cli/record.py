"""`mobile-gym record`: record a trajectory of a task, from its own demonstration or from a person."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

if TYPE_CHECKING:
    from mobile_gym.reward.graph.recordings import Recording
    from mobile_gym.reward.session import TaskSession


def record(
    task: Annotated[str, typer.Option(help="The task's id or file.")],
    device: Annotated[str, typer.Option(help="embedded:pixel_6a, adb:emulator-5554, …")] = "embedded:pixel_6a",
    demonstration: Annotated[int, typer.Option(min=0, help="Which of the task's demonstrations, from 0.")] = 0,
    person: Annotated[bool, typer.Option(help="Let a person act on a page instead.")] = False,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="The folder; recordings/ without.")] = None,
    language: Annotated[str, typer.Option(help="zh or en.")] = "zh",
    reset_mode: Annotated[str, typer.Option(help="snapshot, app_data or manual.")] = "snapshot",
    unverified: Annotated[
        bool, typer.Option(help="A person's word is taken for whether it is solved; nothing is set up.")
    ] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The page's port; a free one without.")] = 0,
) -> None:
    """Records screenshots, hierarchies and actions step by step, for `mobile-gym graph build`."""
    from mobile_gym.devices import connect
    from mobile_gym.devices.errors import DeviceError
    from mobile_gym.envs.arguments import find_task, one_of
    from mobile_gym.reward.errors import DemonstrationError, SetupError
    from mobile_gym.reward.graph.recordings import RecordingError, save_recording
    from mobile_gym.reward.session import TaskSession
    from mobile_gym.task_registry.catalog import UnknownTask
    from mobile_gym.task_registry.errors import TaskFileError
    from mobile_gym.task_registry.recording import record_demonstration

    console, errors = Console(), Console(stderr=True)
    try:
        one_of("language", language, ("zh", "en"))
        one_of("reset-mode", reset_mode, ("snapshot", "app_data", "manual"))
        if unverified and not person:
            raise ValueError("--unverified goes with --person: a demonstration is verified by the task's criteria")
        played = find_task(task)
        folder = output or Path("recordings") / played.id / ("person" if person else f"demonstration-{demonstration}")
        if folder.exists() and any(folder.iterdir()):
            raise RecordingError(f"{folder} is not empty; choose another folder with --output")
        with closing(connect(device)) as phone:
            session = TaskSession(played, phone, language, reset_mode)  # type: ignore[arg-type]
            if person:
                recording = _by_person(console, session, verified=not unverified, port=port)
            else:
                recording = record_demonstration(session, demonstration)
        save_recording(recording, folder)
    except (
        DemonstrationError,
        SetupError,
        DeviceError,
        RecordingError,
        UnknownTask,
        TaskFileError,
        ValueError,
        OSError,
    ) as problem:
        errors.print(f"error: {problem}", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(2) from problem
    verdict = "solved" if recording.solved else "not solved"
    console.print(f"{recording.task}: {len(recording.steps)} steps, {verdict}; wrote {folder}", soft_wrap=True)


def _by_person(console: Console, session: TaskSession, verified: bool, port: int) -> Recording:
    from mobile_gym.envs.live_page.recording import RecordingPage
    from mobile_gym.task_registry.recording import Recorder

    if verified:
        session.setup()
    recorder = Recorder(session, "person", verified)
    with closing(RecordingPage(session, recorder, verified, port)) as page:
        console.print(f"{session.instruction}\nopen {page.url} and do it; then press Done (Ctrl-C breaks off)")
        try:
            recording = page.wait()
        except KeyboardInterrupt:
            raise typer.Exit(130) from None
    assert recording is not None
    return recording
