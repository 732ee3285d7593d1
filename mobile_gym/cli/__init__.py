"""The command `mobile-gym`. Each command's module is imported only when it is asked for."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec

import typer

_COMMANDS = {
    "tasks": ("mobile_gym.cli.tasks", "app"),
    "phone": ("mobile_gym.cli.phone", "app"),
    "device": ("mobile_gym.cli.device", "app"),
    "devices": ("mobile_gym.cli.device", "devices"),
    "eval": ("mobile_gym.cli.eval", "evaluate"),
    "trans": ("mobile_gym.cli.trans", "app"),
    "record": ("mobile_gym.cli.record", "record"),
    "graph": ("mobile_gym.cli.graph", "app"),
    "judge": ("mobile_gym.cli.judge", "judge"),
    "analyze": ("mobile_gym.cli.analyze", "analyze"),
    "report": ("mobile_gym.cli.report", "report"),
    "export": ("mobile_gym.cli.export", "export"),
    "import": ("mobile_gym.cli.export", "import_"),
    "gallery": ("mobile_gym.cli.gallery", "gallery"),
}
"""Command to where it is: a Typer app, or a function that is the command itself."""


def build_app(wanted: str | None = None) -> typer.Typer:
    """The Typer application, with one command or, for help and unknown ones, all of them."""
    app = typer.Typer(
        name="mobile-gym",
        help="Mobile-agent benchmarks on a phone that lives in the process, an emulator or a handset.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    app.callback()(_root)
    for name in [wanted] if wanted in _COMMANDS else list(_COMMANDS):
        module, attribute = _COMMANDS[name]
        if find_spec(module) is None:
            continue
        command = getattr(import_module(module), attribute)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)
    return app


def _root() -> None:
    """Mobile-agent benchmarks on a phone that lives in the process, an emulator or a handset."""


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line; exits with the command's status."""
    given = sys.argv[1:] if arguments is None else arguments
    wanted = next((word for word in given if not word.startswith("-")), None)
    build_app(wanted)(args=given, prog_name="mobile-gym")
