"""`mobile-gym trans`: our own grounding set; and the part of `mobile-gym eval` that asks for points on pictures."""

from __future__ import annotations

import difflib
import fnmatch
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NoReturn

import numpy as np
import typer
from PIL import Image, ImageDraw
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from mobile_gym.evaluation.grounding_pointers import SUITE, Pointer, check_pointer, make_pointer
from mobile_gym.evaluation.grounding_run import SEED, check_unchanged, grounding_config, point_at, unanswered
from mobile_gym.evaluation.grounding_summary import print_grounding, shown_name, summarise_grounding
from mobile_gym.evaluation.models import RunConfig
from mobile_gym.evaluation.parallel import ParallelRun
from mobile_gym.evaluation.records import RunRecords
from mobile_gym.evaluation.team import Caps, Team
from mobile_gym.evaluation.worker import GroundingCast
from mobile_gym.policies.base import Stoppable
from mobile_gym.task_registry.grounding import PLATFORM_SPLITS, SPLITS, GroundingItem, GroundingSetError, of_split
from mobile_gym.task_registry.grounding.items import CHANGE_CLASSES
from mobile_gym.task_registry.grounding.own.build import LANGUAGES, PLATFORMS, build, items_of, own_recipes, verbatim
from mobile_gym.task_registry.grounding.own.changes import shares
from mobile_gym.task_registry.grounding.own.crawl import RECORDED, written
from mobile_gym.task_registry.grounding.own.export import export
from mobile_gym.task_registry.grounding.own.pages import studio
from mobile_gym.task_registry.grounding.own.plan import Planner
from mobile_gym.task_registry.grounding.sets import OWN, load_set, read_set, told
from mobile_gym.task_registry.grounding.splits import partition_of

__all__ = ["SUITE", "app", "chosen_items", "config_of", "pointer", "run"]

app = typer.Typer(help="Our own grounding set: synthetic pictures of the embedded phone's apps.", no_args_is_help=True)
_COLUMNS = 6
_SHEET_WIDTH = 320
_MARK = (220, 0, 60)

Split = Annotated[str, typer.Option(help=f"{', '.join(SPLITS)}.")]
Language = Annotated[str, typer.Option(help="Language of pictures and instructions: zh or en.")]


@app.command("build")
def build_set(
    out: Annotated[Path | None, typer.Option(help="Write pictures and rows of the official format there.")] = None,
    split: Split = "all",
    language: Language = "zh",
    apps: Annotated[str, typer.Option(help="Packages, separated by commas; all without.")] = "",
    pages: Annotated[int, typer.Option(min=0, help="Pages of each app at most; 0 for all.")] = 0,
) -> None:
    """Builds the set into the cache; with --out, also writes it to a folder in the official release's format."""
    console = Console()
    try:
        items = _items(split, language, apps, pages)
        _print_counts(console, items)
        if out is not None:
            with _bar(console) as bar:
                line = bar.add_task("writing", total=len(items))
                file = export(items, out, lambda done, total: bar.update(line, completed=done))
            console.print(f"rows: {file}", soft_wrap=True, highlight=False)
    except (GroundingSetError, ValueError) as problem:
        _refuse(problem)


@app.command("stats")
def stats(language: Language = "zh") -> None:
    """Prints how many items there are, by split, category and class of change, and how many name their label."""
    console = Console()
    try:
        _print_counts(console, load_set(OWN, "all", language))
        _print_verbatim(console, verbatim(own_recipes(language)))
    except GroundingSetError as problem:
        _refuse(problem)


@app.command("sheet")
def sheet(
    out: Annotated[Path, typer.Argument(help="The PNG file.")],
    split: Split = "ios",
    language: Language = "zh",
    app_name: Annotated[str, typer.Option("--app", help="A pattern of items' names, such as *settings*.")] = "*",
    count: Annotated[int, typer.Option(help="Pages at most.")] = 24,
) -> None:
    """Writes a contact sheet: pages side by side, with the boxes of their items."""
    try:
        items = [item for item in load_set(OWN, split, language) if fnmatch.fnmatchcase(item.id, app_name)]
    except (GroundingSetError, ValueError) as problem:
        _refuse(problem)
    by_page: dict[str, list[GroundingItem]] = {}
    for item in items:
        by_page.setdefault(item.id.rpartition("-")[0], []).append(item)
    shots = [_marked(group) for group in list(by_page.values())[:count]]
    if not shots:
        _refuse(ValueError(f"no item's name matches {app_name!r}"))
    rows = -(-len(shots) // _COLUMNS)
    width, height = max(shot.width for shot in shots), max(shot.height for shot in shots)
    page = Image.new("RGB", (_COLUMNS * (width + 8), rows * (height + 8)), (90, 90, 90))
    for number, shot in enumerate(shots):
        row, column = divmod(number, _COLUMNS)
        page.paste(shot, (column * (width + 8), row * (height + 8)))
    page.save(out)
    Console().print(f"{len(shots)} pages in {out}", soft_wrap=True, highlight=False)


@app.command("crawl")
def record(
    out: Annotated[Path, typer.Argument(help=f"The file of recorded pages, such as a checkout's {RECORDED}.")],
    apps: Annotated[str, typer.Option(help="Packages, separated by commas; all without.")] = "",
) -> None:
    """Looks for the pages of all apps anew and records how each is reached, and how its older version is drawn."""
    wanted = _names(apps)
    found = {}
    with studio("zh") as place:
        try:
            _check_apps(wanted, [one.package for one in place.apps()])
        except ValueError as problem:
            _refuse(problem)
        planner = Planner(place)
        for one in place.apps():
            if not wanted or one.package in wanted:
                found[one.package] = planner.pages(one.package)
                typer.echo(f"{one.package}: {sum(not page.way for page in found[one.package])} pages")
    out.write_text(written(planner.settled(found)), encoding="utf-8")
    for name, share in shares(planner.counts).items():
        typer.echo(f"{name}: {100 * share:.1f} %")


def _items(split: str, language: str, apps: str, pages: int) -> Sequence[GroundingItem]:
    if not apps and not pages:
        return load_set(OWN, split, language)
    if language not in LANGUAGES:
        raise GroundingSetError(f"our own set is in {' and '.join(LANGUAGES)}, not in {language!r}")
    whole = split == "all" or partition_of(split) is not None
    with studio(language) as place:
        _check_apps(_names(apps), [one.package for one in place.apps()])
    found: list[GroundingItem] = []
    with told() as progress:
        for platform in PLATFORMS:
            if whole or split == platform or split.startswith(f"{platform}-"):
                known, recipes = build(language, platform, _names(apps) or None, pages, progress)
                found += items_of(language, known, recipes)
    return of_split(found, split)


def _check_apps(wanted: Sequence[str], known: Sequence[str]) -> None:
    """Looks whether the phone has the apps; raises ValueError with what is near."""
    for name in wanted:
        if name not in known:
            close = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else "."
            raise ValueError(f"no app {name!r}{hint} There are: {', '.join(known)}.")


def _names(apps: str) -> list[str]:
    return [name.strip() for name in apps.split(",") if name.strip()]


def _marked(items: Sequence[GroundingItem]) -> Image.Image:
    image = Image.fromarray(np.array(items[0].load()))
    pen = ImageDraw.Draw(image)
    width, height = image.size
    for item in items:
        box = item.box
        corners = (box.left * width, box.top * height, box.right * width - 1, box.bottom * height - 1)
        pen.rectangle(corners, outline=_MARK, width=max(1, width // 360))
    wide = _SHEET_WIDTH if height > width else 2 * _SHEET_WIDTH
    return image.resize((wide, round(height * wide / width)), Image.Resampling.LANCZOS)


def _print_counts(console: Console, items: Sequence[GroundingItem]) -> None:
    table = Table(title="Our own grounding set (synthetic)", title_justify="left")
    table.add_column("split")
    for name in ("apps", "pages", "items", "items a page"):
        table.add_column(name, justify="right")
    for split in PLATFORM_SPLITS:
        part = of_split(items, split)
        if part:
            shown = len({item.id.rpartition("-")[0] for item in part})
            table.add_row(
                split, str(len({item.app for item in part})), str(shown), str(len(part)), f"{len(part) / shown:.1f}"
            )
    console.print(table)
    _print_counter(console, "category", Counter(item.category for item in items))
    old, new = of_split(items, "android-old"), of_split(items, "android-new")
    if old and new:
        union = Counter(item.change for item in old) + Counter(item.change for item in new if item.change == "addition")
        # An element of both versions counts once, as in the published analysis.
        _print_changes(console, Counter({c: union[c] for c in CHANGE_CLASSES}))


def _print_verbatim(console: Console, counts: Mapping[str, tuple[int, int]]) -> None:
    table = Table(title="Instructions that hold their element's label verbatim (synthetic)", title_justify="left")
    table.add_column("split")
    for column in ("items", "with the label", "share"):
        table.add_column(column, justify="right")
    every, labelled = (sum(pair[place] for pair in counts.values()) for place in (0, 1))
    for split, (items, held) in {**counts, "all": (every, labelled)}.items():
        table.add_row(split, str(items), str(held), f"{100 * held / max(items, 1):.1f} %")
    console.print(table)


def _print_counter(console: Console, name: str, counts: Counter[str]) -> None:
    table = Table(title=f"By {name} (synthetic)", title_justify="left")
    table.add_column(name)
    for column in ("items", "share"):
        table.add_column(column, justify="right")
    total = max(sum(counts.values()), 1)
    for key, count in counts.items():
        table.add_row(key, str(count), f"{100 * count / total:.1f} %")
    console.print(table)


def _print_changes(console: Console, counts: Counter[str]) -> None:
    title = "Differences between Android's old and new version (classes of table 3; synthetic)"
    table = Table(title=title, title_justify="left")
    table.add_column("Element Type")
    for column in ("items", "Percentage"):
        table.add_column(column, justify="right")
    for name, share in shares(counts).items():
        table.add_row(shown_name("change", name), str(counts[name]), f"{100 * share:.1f} %")
    console.print(table)


# ---- evaluation


def chosen_items(dataset: str, split: str, language: str, patterns: str) -> list[GroundingItem]:
    """The items of a set and split whose names match any of the patterns; says what the set lacks.

    Raises:
        ValueError: no such set or split, no items in it, or a pattern matches nothing.
    """
    release = read_set(dataset, split, language)
    if told := release.told():
        typer.echo(f"{dataset}: {told}", err=True)
    if not release.items:
        raise ValueError(f"the split {split} of the set {dataset} holds no items")
    wanted = _names(patterns)
    for pattern in wanted:
        if not any(fnmatch.fnmatchcase(item.id, pattern) for item in release.items):
            raise ValueError(f"no item of the split {split} matches {pattern!r}; one is {release.items[0].id}")
    chosen = (item for item in release.items if any(fnmatch.fnmatchcase(item.id, one) for one in wanted))
    return list(chosen) if wanted else list(release.items)


def pointer(name: str, options: dict[str, Any], means: dict[str, Any]) -> Pointer:
    """Who points: one of `grounding_pointers.POINTERS`, or a policy that does without tasks, such as `openai:MODEL`.

    Raises:
        ValueError: there is none of that name, or it takes no such option.
    """
    return make_pointer(name, **options, **means)


def config_of(
    items: Sequence[GroundingItem], split: str, dataset: str, player: Pointer, **settings: object
) -> RunConfig:
    """The configuration of a run.

    Raises:
        ValueError: the items lack what the pointer reads.
    """
    check_pointer(player, items, dataset)
    return grounding_config(items, split, dataset, player.name, **settings)


def run(
    console: Console,
    folder: Path,
    config: RunConfig,
    items: Sequence[GroundingItem],
    player: Pointer,
    team: Team,
    cast: GroundingCast,
    caps: Caps,
) -> int:
    """Asks, writes down and reports; 0 where every item was run, else 1."""
    stop = ""
    keys = [(item.id, SEED) for item in items]
    by_id = {item.id: item for item in items}
    with RunRecords(folder, config) as records, _bar(console) as bar:
        line = bar.add_task(config.suite, total=len(items))
        together = ParallelRun(
            records,
            keys,
            cast,
            team,
            caps=caps,
            unchanged=lambda records, known: check_unchanged(records, known, by_id[known.task]),
            lost=lambda records, key, problem: unanswered(records.config, by_id[key[0]], str(problem)),
        )
        for _ in point_at(records, items, player) if team.alone else together.play():
            bar.advance(line)
            if team.alone and (stop := player.stop_reason() if isinstance(player, Stoppable) else ""):
                break
        stop = stop or together.stop_reason()
        records.arrange(keys)
        wanted = {item.id for item in items}
        shown = [record for record in records.all() if record.task in wanted]
    summary = summarise_grounding(shown)
    print_grounding(console, summary)
    console.print(f"records: {folder}", soft_wrap=True, highlight=False)
    if stop:
        console.print(f"stopped: {stop}", markup=False, highlight=False, soft_wrap=True)
        console.print(f"To go on, run the same command with --out {folder}", highlight=False, soft_wrap=True)
    return 1 if summary.not_run or stop else 0


def _bar(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), console=console
    )


def _refuse(problem: Exception) -> NoReturn:
    typer.echo(f"error: {problem}", err=True)
    raise typer.Exit(2) from problem
