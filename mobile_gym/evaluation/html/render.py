"""Tables, runs and comparisons as HTML. Whatever comes from a run is escaped."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from mobile_gym.evaluation.html.comparing import Comparison
from mobile_gym.evaluation.html.grounding import asks_for_points
from mobile_gym.evaluation.html.loading import Key, LoadedRun
from mobile_gym.evaluation.html.tables import Cell, Interval, Table
from mobile_gym.evaluation.models import RunConfig

_MOST_FLIPS = 200
_MOST_OPEN = 14
"""A table with more rows, or a list with more episodes, is folded."""
_NUMBER = re.compile(r"[\d–+−<-]")


def card(run: LoadedRun) -> str:
    """What a run was made with."""
    config = run.config
    facts = [("folder", str(run.folder))]
    if config is not None:
        size = "the screen's own" if config.observation_size is None else "x".join(map(str, config.observation_size))
        facts += [
            ("suite", f"{config.suite}, version {config.suite_version}"),
            ("policy", config.policy),
            *(
                (name.replace("_", " "), _plain(value))
                for name, value in config.policy_options.items()
                if value not in (None, "")
            ),
            *_setting(config, size),
            ("mobile-gym", config.package_version),
            ("painted by", ", ".join(f"{name} {version}" for name, version in config.painter.items()) or "unknown"),
        ]
    done = len(run.done)
    seeds = len({record.seed for record in run.records})
    apart = f", {len(run.records) - done} of them not done" if done < len(run.records) else ""
    facts.append(("episodes", f"{len(run.records)}{apart}; {seeds} seed{'' if seeds == 1 else 's'}"))
    started = sorted(timing.started for timing in run.timings.values())
    if started:
        facts.append(("played", f"{_when(started[0])} – {_when(started[-1])} UTC"))
    rows = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts)
    return f'<section class="card"><h3>{escape(run.label)}</h3><dl>{rows}</dl></section>'


def _setting(config: RunConfig, size: str) -> list[tuple[str, str]]:
    """How episodes were set up, as far as it means something for them."""
    if asks_for_points(config):
        canvas = "each picture's own" if config.observation_size is None else size
        return [("pictures", config.device.partition(":")[2]), ("language", config.language), ("canvas", canvas)]
    return [
        ("device", config.device),
        ("language", config.language),
        ("instructions", config.instructions),
        ("canvas", size),
        ("time budget", config.time_budget or "each task's own"),
        ("reset by", config.reset_mode),
        ("user", config.user),
    ]


def _when(started: str) -> str:
    return started.removesuffix("+00:00").replace("T", " ")


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def listed(title: str, texts: Sequence[str]) -> list[str]:
    """Warnings; nothing where there are none."""
    if not texts:
        return []
    return [f'<div class="warn"><b>{title}</b><ul>', *(f"<li>{escape(text)}</li>" for text in texts), "</ul></div>"]


def table_of(table: Table, signed: bool = False) -> str:
    """A table.

    Args:
        table: what it shows.
        signed: whether the middle of a bar is a difference of nothing.
    """
    kinds = [_class(index, table) for index in range(len(table.columns))]
    heads = "".join(f"<th{kind}>{escape(name)}</th>" for kind, name in zip(kinds, table.columns, strict=True))
    rows = "".join(
        f"<tr>{''.join(_cell(cell, kind, signed) for cell, kind in zip(row, kinds, strict=True))}</tr>"
        for row in table.rows
    )
    inner = f'<div class="wide"><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'
    if table.note:
        inner += f"<p>{escape(table.note)}</p>"
    if len(table.rows) > _MOST_OPEN and not table.main:
        title = f"{escape(table.title)} ({len(table.rows)} rows)"
        return f'<details class="card"><summary>{title}</summary>{inner}</details>'
    return f'<div class="card"><h3>{escape(table.title)}</h3>{inner}</div>'


def _class(index: int, table: Table) -> str:
    """Columns of numbers stand to the right."""
    cells = [row[index] for row in table.rows]
    numbers = all(isinstance(cell, str) and (not cell or _NUMBER.match(cell)) for cell in cells)
    return ' class="n"' if index and numbers and table.columns[index] != "run" else ""


def _cell(cell: Cell, kind: str, signed: bool) -> str:
    if isinstance(cell, str):
        return f"<td{kind}>{escape(cell)}</td>"
    return f"<td>{_bar(cell, signed)}</td>"


def _bar(cell: Interval, signed: bool) -> str:
    low, value, high = (100 * min(1.0, max(0.0, one)) for one in (cell.low, cell.value, cell.high))
    return (
        f'<span class="bar{" middle" if signed else ""}" aria-hidden="true">'
        f'<i style="left:{low:.1f}%;width:{high - low:.1f}%"></i><b style="left:{value:.1f}%"></b></span>'
    )


def comparisons_of(pairs: Sequence[Comparison], numbers: Mapping[tuple[int, Key], int]) -> Iterator[str]:
    """All comparisons, with links to the episodes that came out otherwise.

    Args:
        pairs: the comparisons.
        numbers: each episode's number on the page, by its run's place and its key.
    """
    if not pairs:
        return
    yield '<section id="comparisons"><h2>Comparisons</h2>'
    yield '<p class="soft">Only episodes of the same task and seed that both runs have done.</p>'
    for pair in pairs:
        yield f"<h3>{escape(pair.title)}</h3>"
        yield from (f'<p class="soft">{escape(note)}</p>' for note in pair.notes)
        yield from (table_of(table, signed=True) for table in pair.tables)
        for words, keys in (("Solved now, not before", pair.gained), ("Solved before, not now", pair.lost)):
            if keys:
                title, links = f"{words} ({len(keys)})", _links(pair, keys, numbers)
                if len(keys) > _MOST_OPEN:
                    yield f'<details class="card flips"><summary>{title}</summary>{links}</details>'
                else:
                    yield f'<div class="card flips"><h3>{title}</h3>{links}</div>'
    yield "</section>"


def _links(pair: Comparison, keys: Sequence[Key], numbers: Mapping[tuple[int, Key], int]) -> str:
    shown = "".join(
        f'<a href="#e{numbers[pair.after, key]}">{escape(key[0])}/{key[1]}</a>' for key in keys[:_MOST_FLIPS]
    )
    more = f"and {len(keys) - _MOST_FLIPS} more" if len(keys) > _MOST_FLIPS else ""
    return shown + more
