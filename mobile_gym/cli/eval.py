"""`mobile-gym eval`: a policy plays a suite, and every episode is written down."""

from __future__ import annotations

import difflib
import fnmatch
import os
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from mobile_gym.cli import trans
from mobile_gym.devices import connect
from mobile_gym.devices.errors import DeviceError
from mobile_gym.envs.arguments import canvas_size
from mobile_gym.envs.ray.pool_state import FILE_PREFIX, PoolError, PoolPlan, chosen_pool
from mobile_gym.evaluation.grounding_pointers import POINTERS, Pointer
from mobile_gym.evaluation.models import RunConfig
from mobile_gym.evaluation.parallel import ParallelRun
from mobile_gym.evaluation.records import RecordsError, RunRecords, read_timings
from mobile_gym.evaluation.report import print_summary, row_of
from mobile_gym.evaluation.run import episodes_of, play, run_config, without_demonstration, without_normalized
from mobile_gym.evaluation.summary import summarise
from mobile_gym.evaluation.team import EPISODE_SECONDS, Caps, ParallelError, Team, need_ray
from mobile_gym.evaluation.worker import GroundingCast, SuiteCast
from mobile_gym.models.endpoints import endpoint
from mobile_gym.models.errors import PriceError
from mobile_gym.policies.base import Closable, Policy, Stoppable
from mobile_gym.policies.demonstration import DemonstrationPolicy
from mobile_gym.policies.registry import UnknownPolicy, make_policy
from mobile_gym.reward.user_clients import make_user
from mobile_gym.task_registry import catalog
from mobile_gym.task_registry.grounding import SPLITS, GroundingItem

MOST_SEEDS = 1_000_000
_MODELS = "Models (openai:MODEL)"
_WORKERS = "Workers (with the extra ray)"
_GROUNDING = f"Grounding (trans: --policy {', '.join(POINTERS)} or openai:MODEL)"


def evaluate(
    suite: Annotated[str, typer.Argument(help="The suite, such as elder; trans asks for points on pictures.")],
    policy: Annotated[
        str,
        typer.Option(help="Who plays: demonstration, random, noop, text_match, openai:MODEL, or another package's."),
    ],
    device: Annotated[
        str, typer.Option(help="embedded:pixel_6a, adb:emulator-5554, several with commas, or pool:FILE.")
    ] = "embedded:pixel_6a",
    tasks: Annotated[
        list[str] | None, typer.Option(help="Task ids or patterns, by commas or several times; all without.")
    ] = None,
    seed: Annotated[str, typer.Option(help="A seed, a list (0,2) or a range with both ends (0-4).")] = "0",
    language: Annotated[str, typer.Option(help="zh or en.")] = "zh",
    out: Annotated[Path | None, typer.Option(help="The folder of the records; a new one in runs/ without.")] = None,
    trajectories: Annotated[bool, typer.Option(help="Whether to keep each step's picture, tree and action.")] = False,
    observation: Annotated[str, typer.Option(help="The canvas as WIDTHxHEIGHT; the device's own without.")] = "",
    demonstration: Annotated[int | None, typer.Option(help="Which of a task's demonstrations, from 0.")] = None,
    time_budget: Annotated[str, typer.Option(help="wall, virtual or none; each task's own without.")] = "",
    reset_mode: Annotated[str, typer.Option(help="snapshot, app_data or manual.")] = "snapshot",
    instructions: Annotated[str, typer.Option(help="original, or normalized: the same asked plainly.")] = "original",
    user: Annotated[
        str, typer.Option(help="Who answers questions: scripted, openai:MODEL or openai:MODEL@URL.")
    ] = "scripted",
    workers: Annotated[
        int, typer.Option(help="How many play at once, each on its own device.", rich_help_panel=_WORKERS)
    ] = 1,
    ray_address: Annotated[
        str, typer.Option(help="A Ray cluster: auto or HOST:PORT; this machine without.", rich_help_panel=_WORKERS)
    ] = "",
    episode_timeout: Annotated[
        float, typer.Option(help="Seconds after which a worker that hangs is replaced.", rich_help_panel=_WORKERS)
    ] = EPISODE_SECONDS,
    split: Annotated[str, typer.Option(help=f"{', '.join(SPLITS)}.", rich_help_panel=_GROUNDING)] = "all",
    dataset: Annotated[
        str, typer.Option(help="own, or the folder of TransBench's release.", rich_help_panel=_GROUNDING)
    ] = "own",
    base_url: Annotated[
        str, typer.Option(help="The model's endpoint; OpenAI's own without.", rich_help_panel=_MODELS)
    ] = "",
    api_key_env: Annotated[str, typer.Option(help="The variable that holds the key.", rich_help_panel=_MODELS)] = "",
    format: Annotated[
        str, typer.Option(help="How it writes actions; by its name without.", rich_help_panel=_MODELS)
    ] = "",
    space: Annotated[str, typer.Option(help="pixels, thousand, frame or unit.", rich_help_panel=_MODELS)] = "",
    history: Annotated[int, typer.Option(help="Screenshots sent, with the present one.", rich_help_panel=_MODELS)] = 2,
    thoughts: Annotated[bool, typer.Option(help="Earlier reasoning is sent.", rich_help_panel=_MODELS)] = True,
    captions: Annotated[bool, typer.Option(help="Old screenshots are described.", rich_help_panel=_MODELS)] = False,
    state: Annotated[str, typer.Option(help="none, free or structured.", rich_help_panel=_MODELS)] = "none",
    temperature: Annotated[float, typer.Option(help="0 to 2; below 0, none is sent.", rich_help_panel=_MODELS)] = 0.0,
    max_answer: Annotated[int, typer.Option(help="The longest answer, tokens; 0: any.", rich_help_panel=_MODELS)] = 0,
    stream: Annotated[bool, typer.Option(help="Ask for streams.", rich_help_panel=_MODELS)] = False,
    timeout: Annotated[float, typer.Option(help="Seconds for one request.", rich_help_panel=_MODELS)] = 120.0,
    retries: Annotated[int, typer.Option(help="How often one is sent again.", rich_help_panel=_MODELS)] = 5,
    max_cost: Annotated[
        float, typer.Option(help="The run stops at it; needs --prices.", rich_help_panel=_MODELS)
    ] = 0.0,
    max_tokens: Annotated[int, typer.Option(help="The run stops at so many.", rich_help_panel=_MODELS)] = 0,
    prices: Annotated[Path | None, typer.Option(help="A price table, YAML.", rich_help_panel=_MODELS)] = None,
) -> None:
    """Lets a policy play a suite. Stopping it (Ctrl-C) loses nothing: the same command with the same --out goes on."""
    console, errors = Console(), Console(stderr=True)
    grounding = suite == trans.SUITE
    player: Policy | Pointer
    try:
        items: list[GroundingItem] = []
        patterns = ",".join(tasks or ())
        if tasks and not patterns.strip(" ,"):
            raise ValueError("--tasks names no task; leave it out to play all")
        if not grounding and (split, dataset) != ("all", "own"):
            raise ValueError(f"--split and --dataset are for the suite trans; {suite} has --tasks")
        ids = [] if grounding else chosen_tasks(suite, patterns)
        for task in ids:  # a wrong file is told before anything is played
            catalog.load_task(task)
        seeds = chosen_seeds(seed)
        ids, *left_out = _said(ids, _one_of("instructions", instructions, ("original", "normalized")), grounding)
        if demonstration and demonstration > 0 and policy == DemonstrationPolicy.name and not grounding:
            ids, shorter = _kept(ids, without_demonstration(ids, demonstration), f"demonstration {demonstration}")
            left_out.append(shorter)
        for sentence in filter(None, left_out):
            console.print(sentence, markup=False, highlight=False, soft_wrap=True)
        options: dict[str, Any] = {} if demonstration is None else {"number": demonstration}
        means: dict[str, Any] = {}
        if policy.startswith("openai:"):
            options |= {
                "base_url": base_url,
                "format": format or None,
                "space": space or None,
                "history": history,
                "thoughts": thoughts,
                "captions": captions,
                "state": state,
                "temperature": None if temperature < 0 else temperature,
                "max_answer": max_answer or None,
                "language": language,
            }
            # How the same answers are got: a run may go on with others.
            means = {
                "api_key_env": api_key_env,
                "stream": stream,
                "timeout": timeout,
                "retries": retries,
                "max_cost": max_cost or None,
                "max_tokens": max_tokens or None,
                "prices": prices,
            }
        elif base_url or api_key_env or format or max_cost or max_tokens:
            raise ValueError(f"the policy {policy} asks no model; the options of models are for --policy openai:MODEL")
        settings: dict[str, Any] = {
            "policy_options": options,
            "language": _one_of("language", language, ("zh", "en")),
            "observation_size": chosen_size(observation),
            "time_budget": _one_of("time-budget", time_budget, ("wall", "virtual", "none")) if time_budget else None,
            "reset_mode": _one_of("reset-mode", reset_mode, ("snapshot", "app_data", "manual")),
            "user": _known_user(user),
            "instructions": instructions,
        }
        named, plan = ("", None) if grounding else chosen_devices(device)
        team = Team(workers, ray_address, episode_timeout, plan)
        _check_team(team, named)
        if plan is None and named.startswith("adb:"):
            _check_device(named)
        caps = Caps(max_cost or None, max_tokens or None)
        if grounding:
            player = pointer = trans.pointer(policy, options, means)
            items = trans.chosen_items(dataset, split, language, patterns)
            config = trans.config_of(items, split, dataset, player, **settings)
        else:
            player = acting = _policy(policy, options, means)
            config = run_config(suite, str(catalog.suite_version(suite)), player.name, named, **settings)
        if policy.startswith("openai:"):
            _check_key(endpoint(base_url, api_key_env)[1])
    except (ValueError, PriceError, PoolError, ParallelError) as problem:
        errors.print(f"error: {problem}", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(2) from problem
    who = re.sub(r"[^\w.-]+", "-", player.name)
    folder = out or Path("runs") / f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{suite}-{who}"
    try:
        if grounding:
            points = GroundingCast(config, dataset, split, policy, {**options, **means})
            status = trans.run(console, folder, config, items, pointer, team, points, caps)
        else:
            cast = SuiteCast(config, policy, {**options, **means})
            status = _run(console, folder, config, ids, seeds, acting, trajectories, team, cast, caps)
    except (RecordsError, ParallelError) as problem:
        errors.print(f"error: {problem}", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(2) from problem
    except KeyboardInterrupt:
        console.print(
            f"stopped; what was played is in {folder}. To go on, run the same command with --out {folder}",
            highlight=False,
            soft_wrap=True,
        )
        raise typer.Exit(130) from None
    finally:
        if isinstance(player, Closable):
            player.close()
    raise typer.Exit(status)


def _run(
    console: Console,
    folder: Path,
    config: RunConfig,
    ids: list[str],
    seeds: list[int],
    player: Policy,
    trajectories: bool,
    team: Team,
    cast: SuiteCast,
    caps: Caps,
) -> int:
    """Plays and reports; 0 where every episode was run, else 1."""
    stop = ""
    episodes = episodes_of(ids, seeds)
    bar = Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), console=console
    )
    with RunRecords(folder, config) as records, bar:
        line = bar.add_task(config.suite, total=len(episodes))

        def started(task: str, seed: int) -> None:
            bar.update(line, description=f"{task} seed {seed}")

        together = ParallelRun(records, episodes, cast, team, trajectories=trajectories, caps=caps, started=started)
        playing = play(records, ids, seeds, player, trajectories, started=started) if team.alone else together.play()
        for played in playing:
            bar.advance(line)
            if not played.before:
                console.print(row_of(played.record), highlight=False, soft_wrap=True)
            if team.alone and (stop := player.stop_reason() if isinstance(player, Stoppable) else ""):
                break
        stop = stop or together.stop_reason()
        records.arrange(episodes)
        wanted = set(episodes)
        shown = [record for record in records.all() if record.key in wanted]
        timings = read_timings(folder)
    summary = summarise(shown, timings)
    print_summary(console, summary, folder)
    for one in together.aside:
        console.print(f"put aside: {one.spec}: {one.reason}", markup=False, highlight=False, soft_wrap=True)
    if stop:
        left = len(wanted) - len(shown)
        console.print(f"stopped: {stop}", markup=False, highlight=False, soft_wrap=True)
        console.print(
            f"{left} episodes were not begun. To go on, run the same command with --out {folder}",
            highlight=False,
            soft_wrap=True,
        )
    return 1 if summary.not_run or stop else 0


def chosen_devices(text: str) -> tuple[str, PoolPlan | None]:
    """What records call the device, and the pool where it is a list or a pool's file (`pool:FILE`).

    Raises:
        ValueError: one of them names no device.
        PoolError: the file is wrong, or a device is named twice.
    """
    plan = chosen_pool(text)
    if text.startswith(FILE_PREFIX):
        return f"{FILE_PREFIX}{plan.name}", plan
    return ",".join(plan.devices), plan if len(plan.devices) > 1 else None


def _check_key(name: str | None) -> None:
    """Looks whether the variable of the key is set; raises ValueError. An endpoint of one's own may need none."""
    if name and not os.environ.get(name, "").strip():
        raise ValueError(f"the environment variable {name} holds no key; set it, or name another with --api-key-env")


def _check_device(spec: str) -> None:
    """Looks whether a device can be reached before a whole run finds that it cannot; raises ValueError."""
    try:
        connect(spec).close()
    except DeviceError as problem:
        told = str(problem).rstrip(".")
        raise ValueError(f"{told}. 'mobile-gym devices' lists what can be reached") from problem


def _check_team(team: Team, device: str) -> None:
    """Looks whether every worker can have a device of its own, and whether Ray is there.

    Raises:
        ValueError: they can't.
        ParallelError: Ray is not installed.
    """
    if team.devices is not None:
        there = len(team.devices.devices) + len(team.devices.avds)
    else:
        # A phone that lives in the process is made anew for each worker; others are what they are.
        there = 1 if device.startswith("adb:") else team.workers
    if team.workers > there:
        raise ValueError(
            f"--workers {team.workers} need as many devices, and --device names {there}; name several with commas or "
            "give a pool's file (pool:FILE)"
        )
    if not team.alone:
        need_ray()


def chosen_tasks(suite: str, patterns: str) -> list[str]:
    """The suite's tasks that the patterns name, in the suite's order.

    Raises:
        ValueError: there is no such suite, or a pattern matches nothing; says what is near.
    """
    suites = catalog.suites()
    if suite not in suites:
        every = [*suites, trans.SUITE]
        raise ValueError(f"there is no suite {suite!r}{_near(suite, every)} There are: {', '.join(every)}.")
    ids = catalog.task_ids(suite)
    wanted = [pattern.strip() for pattern in patterns.split(",") if pattern.strip()]
    for pattern in wanted:
        if not fnmatch.filter(ids, pattern):
            raise ValueError(f"no task of the suite {suite} matches {pattern!r}{_near(pattern, ids)}")
    return [task for task in ids if not wanted or any(fnmatch.fnmatchcase(task, pattern) for pattern in wanted)]


def _said(ids: list[str], instructions: str, grounding: bool) -> tuple[list[str], str]:
    """The tasks that have an instruction of this kind, and a sentence about those that are left out.

    Raises:
        ValueError: none has one.
    """
    if instructions == "original":
        return ids, ""
    if grounding:
        raise ValueError("the suite trans has no normalised instructions; --instructions normalized is for tasks")
    return _kept(ids, without_normalized(ids), "normalised instruction")


def _kept(ids: list[str], lacking: list[str], what: str) -> tuple[list[str], str]:
    """The tasks that do not lack something, and a sentence about those that do.

    Raises:
        ValueError: all lack it.
    """
    kept = [task for task in ids if task not in lacking]
    if not kept:
        raise ValueError(f"none of these tasks has a {what}")
    if not lacking:
        return kept, ""
    return kept, f"left out: {len(lacking)} of {len(ids)} tasks have no {what}: {', '.join(lacking)}"


def chosen_seeds(text: str) -> list[int]:
    """Seeds of a list with ranges, such as `0`, `0-4` or `0,2,5-7`; each once, in order.

    Raises:
        ValueError: it is no such list.
    """
    seeds: dict[int, None] = {}
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d+)\s*(?:-\s*(\d+)\s*)?", part, re.ASCII)
        if match is None:
            raise ValueError(f"--seed is a number from 0 on, a list (0,2) or a range (0-4), not {text!r}")
        first, last = int(match[1]), int(match[2] or match[1])
        if last >= 2**63 or last - first >= MOST_SEEDS:
            raise ValueError(f"--seed takes at most {MOST_SEEDS:,} seeds, each below 2^63, not {text!r}")
        if last < first:
            raise ValueError(f"the range {part.strip()} in --seed ends before it begins")
        seeds.update(dict.fromkeys(range(first, last + 1)))
    return list(seeds)


def chosen_size(text: str) -> tuple[int, int] | None:
    """A size such as `360x800`, or None for an empty text.

    Raises:
        ValueError: it is no size.
    """
    if not text:
        return None
    match = re.fullmatch(r"([1-9]\d*)[x×]([1-9]\d*)", text, re.ASCII)
    if match is None:
        raise ValueError(f"--observation is WIDTHxHEIGHT, such as 360x800, not {text!r}")
    return canvas_size((int(match[1]), int(match[2])))


def _policy(name: str, options: dict[str, Any], means: dict[str, Any]) -> Policy:
    try:
        return make_policy(name, **options, **means)
    except UnknownPolicy as problem:
        raise ValueError(str(problem)) from problem
    except TypeError as problem:
        raise ValueError(f"the policy {name} does not take {', '.join(options)}: {problem}") from problem


def _known_user(name: str) -> str:
    make_user(name).close()
    return name


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise ValueError(f"--{name} is one of {', '.join(allowed)}, not {value!r}")
    return value


def _near(word: str, names: list[str]) -> str:
    close = difflib.get_close_matches(word, names, n=1)
    return f"; did you mean {close[0]!r}?" if close else "."
