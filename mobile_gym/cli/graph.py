"""`mobile-gym graph`: build task graphs from recordings or demonstrations, and look at them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

if TYPE_CHECKING:
    from mobile_gym.reward.graph.model import TaskGraph
    from mobile_gym.reward.task_spec import Language

app = typer.Typer(help="Task graphs: build, show.", no_args_is_help=True)
console = Console()


def _fail(problem: Exception) -> typer.Exit:
    Console(stderr=True).print(f"error: {problem}", markup=False, highlight=False, soft_wrap=True)
    return typer.Exit(2)


@app.command()
def build(
    recordings: Annotated[list[Path] | None, typer.Argument(help="Folders of recordings, or folders of such.")] = None,
    task: Annotated[str, typer.Option(help="A task's id or file: record its demonstrations anew instead.")] = "",
    output: Annotated[Path, typer.Option("--output", "-o", help="The graph's file.")] = Path("graph.json"),
    device: Annotated[str, typer.Option(help="What demonstrations are recorded on.")] = "embedded:pixel_6a",
    language: Annotated[str, typer.Option(help="Language of the screens, zh or en.")] = "zh",
) -> None:
    """Merges recordings of one task into its graph; those that are not solved lend their ways, and no DONE."""
    from mobile_gym.devices.errors import DeviceError
    from mobile_gym.reward.errors import DemonstrationError, SetupError
    from mobile_gym.reward.graph.merging import merge
    from mobile_gym.reward.graph.model import GraphError, save_graph
    from mobile_gym.reward.graph.recordings import RecordingError, load_recordings
    from mobile_gym.task_registry.catalog import UnknownTask
    from mobile_gym.task_registry.errors import TaskFileError

    try:
        if bool(recordings) == bool(task):
            raise ValueError("give folders of recordings, or --task ID, and not both")
        graph = merge(load_recordings(recordings)) if recordings else _from_task(task, device, language)
        save_graph(graph, output)
    except (
        GraphError,
        RecordingError,
        DemonstrationError,
        SetupError,
        DeviceError,
        UnknownTask,
        TaskFileError,
        ValueError,
        OSError,
    ) as problem:
        raise _fail(problem) from problem
    done = sum(node.done for node in graph.nodes)
    console.print(
        f"{graph.task}: {len(graph.recordings)} recordings, {sum(len(node.seen) for node in graph.nodes)} states, "
        f"{len(graph.nodes)} nodes, {len(graph.edges)} edges, {done} DONE, shortest way {graph.remaining[0]} actions",
        highlight=False,
    )
    console.print(f"wrote {output}", highlight=False, soft_wrap=True)


def _from_task(name: str, device: str, language: str) -> TaskGraph:
    from mobile_gym.devices import connect
    from mobile_gym.envs.arguments import find_task
    from mobile_gym.task_registry.graphs import build_graph

    if language not in ("zh", "en"):
        raise ValueError(f"--language is zh or en, not {language!r}")
    spoken: Language = "en" if language == "en" else "zh"
    with closing(connect(device)) as phone:
        return build_graph(find_task(name), phone, spoken)


@app.command()
def show(
    graph: Annotated[Path, typer.Argument(help="The graph's file.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="The page; beside the graph without.")] = None,
) -> None:
    """Writes one self-contained page with all screens and actions."""
    from mobile_gym.reward.graph.drawing import page
    from mobile_gym.reward.graph.model import GraphError, load_graph

    path = output or graph.with_suffix(".html")
    try:
        path.write_text(page(load_graph(graph)), encoding="utf-8")
    except (GraphError, OSError) as problem:
        raise _fail(problem) from problem
    console.print(f"wrote {path}", highlight=False, soft_wrap=True)
