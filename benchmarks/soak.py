"""A soak: thousands of short episodes on many phones, with an actor killed every so often.

Prints the memory of all processes of the run over time, and says whether it stays flat (the trend after the first 200
episodes is within 5 %) and whether an episode was lost or counted twice. Exits with 1 where one of them is not so.

    python benchmarks/soak.py                      # 2,000 episodes on 16 phones of RayAsyncEnv
    python benchmarks/soak.py --on eval            # the same by the workers of `mobile-gym eval`
    python benchmarks/soak.py --quick              # 200 episodes on 4 phones
    python benchmarks/soak.py --save docs          # keeps the figures as JSON and PNG
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

SIZE = (360, 800)
TASK = "elder-020"
TURNS = 3
"""Turns of an episode on the vector environment: random taps, then finish."""

EVERY, SETTLED, TOLERANCE = 10, 200, 0.05
"""Episodes between two looks at the memory; episodes after which it must be flat; how flat."""

WINDOW = 100
"""Episodes whose looks are averaged: an actor that was just replaced has not yet warmed up."""


@dataclass
class Ledger:
    """What happened to each episode, counted by the process that gives them out.

    Attributes:
        total: how many there are, numbered from 0.
        finished: how often each was played to its end.
        again: how often one had to be given out again.
        strangers: ends that came from an episode that was not given out there.
    """

    total: int
    finished: Counter[int] = field(default_factory=Counter)
    again: int = 0
    strangers: int = 0

    @property
    def done(self) -> int:
        """How many ends were counted."""
        return self.finished.total()

    @property
    def lost(self) -> list[int]:
        """Episodes that never ended."""
        return [number for number in range(self.total) if not self.finished[number]]

    @property
    def doubled(self) -> list[int]:
        """Episodes that ended more than once."""
        return [number for number, times in self.finished.items() if times > 1]


@dataclass
class Watch:
    """Looks at the memory, and kills.

    Attributes:
        title: what the actors' processes are called.
        kill_every: episodes between two kills; 0 for none.
        looks: episodes done, seconds, MiB and processes at each look.
        kills: episodes done at each kill.
    """

    title: str
    kill_every: int
    looks: list[tuple[int, float, float, int]] = field(default_factory=list)
    kills: list[int] = field(default_factory=list)
    start: float = field(default_factory=time.monotonic)
    _seen: int = 0

    def note(self, ledger: Ledger) -> None:
        """To be called after each episode."""
        done = ledger.done
        if done // EVERY > self._seen // EVERY:
            pids = family(os.getpid())
            self.looks.append((done, time.monotonic() - self.start, sum(map(pss, pids)) / 1024, len(pids)))
        if self.kill_every and done // self.kill_every > self._seen // self.kill_every and done < ledger.total:
            actors = sorted((pid for pid in family(os.getpid()) if titled(pid, self.title)), key=born)
            if actors:  # the oldest, so that each has its turn
                os.kill(actors[0], signal.SIGKILL)
                self.kills.append(done)
        if done // 100 > self._seen // 100 and self.looks:
            _, seconds, memory, processes = self.looks[-1]
            print(
                f"{done:5d} episodes  {seconds:6.1f} s  {memory:7.1f} MiB in {processes} processes  "
                f"{len(self.kills)} killed, {ledger.again} played again",
                flush=True,
            )
        self._seen = done

    def windows(self) -> list[tuple[int, float]]:
        """The average memory of each window after the first episodes: its first episode, MiB."""
        groups: dict[int, list[float]] = {}
        for done, _, memory, _ in self.looks:
            if done > SETTLED:
                groups.setdefault((done - 1) // WINDOW * WINDOW, []).append(memory)
        return [(begin, sum(found) / len(found)) for begin, found in sorted(groups.items())]

    def drift(self) -> float | None:
        """How much memory grew or shrank from the first window to the last, as a share, on the line that fits all looks
        best; None where there are no two windows.

        A single window says less: it depends on how long the actor that was just killed took to come back and to warm
        up, and how many episodes the others played meanwhile.
        """
        looks = [(done, memory) for done, _, memory, _ in self.looks if done > SETTLED]
        if len(self.windows()) < 2:
            return None
        slope, level = np.polyfit(*np.array(looks, dtype=np.float64).T, 1)
        first, last = (level + slope * looks[index][0] for index in (0, -1))
        return float(last / first - 1)

    def scatter(self) -> float:
        """The largest difference of a window from the mean of all, as a share."""
        found = [memory for _, memory in self.windows()]
        return max(abs(memory * len(found) / sum(found) - 1) for memory in found)


def family(root: int) -> list[int]:
    """A process and all that descend from it."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit() and (fields := stat(int(entry))):
            children.setdefault(int(fields[1]), []).append(int(entry))
    found, open_ = [], [root]
    while open_:
        pid = open_.pop()
        found.append(pid)
        open_ += children.get(pid, [])
    return found


def stat(pid: int) -> list[str]:
    """What `/proc/PID/stat` says after the name; nothing for a process that has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def born(pid: int) -> int:
    """When a process began, in ticks; the future for one that has ended."""
    fields = stat(pid)
    return int(fields[19]) if fields else sys.maxsize


def titled(pid: int, title: str) -> bool:
    """Whether a process is an actor of this class."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().startswith(f"ray::{title}".encode())
    except OSError:
        return False


def pss(pid: int) -> int:
    """A process's proportional share of memory, KiB: what several share is counted once."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


def on_vector(ledger: Ledger, watch: Watch, phones: int, phones_per_actor: int | None) -> None:
    """Plays by `RayAsyncEnv`; the seed of each reset is the episode's number, and the environment tells it back."""
    from mobile_gym.envs.ray import RayAsyncEnv

    arguments = {"observation_size": SIZE, "time_budget": "none"}
    envs = RayAsyncEnv([(f"mobile_gym:MoBench/{TASK}", arguments)] * phones, phones_per_actor=phones_per_actor)
    waiting = deque(range(ledger.total))
    plays: dict[int, tuple[int, Iterator[dict[str, Any]]]] = {}

    def begin(env: int) -> None:
        if waiting:
            number = waiting.popleft()
            plays[env] = number, actions(number)
            envs.async_reset(seed=[number], env_ids=[env])

    try:
        for env in range(phones):
            begin(env)
        while plays:
            _, _, terminated, truncated, infos = envs.recv()
            sent: list[tuple[int, dict[str, Any]]] = []
            for row, env in enumerate(int(one) for one in infos["env_id"]):
                number, moves = plays[env]
                if infos["env_error"][row]:
                    ledger.again += 1
                    waiting.appendleft(number)
                elif terminated[row] or truncated[row]:
                    ledger.finished[number] += 1
                    ledger.strangers += int(infos["task_seed"][row]) != number
                    watch.note(ledger)
                else:
                    sent.append((env, next(moves)))
                    continue
                del plays[env]
                begin(env)
            if sent:
                envs.send([action for _, action in sent], [env for env, _ in sent])
    finally:
        envs.close()


def actions(number: int) -> Iterator[dict[str, Any]]:
    """What is done in an episode: random taps, then finish."""
    from mobile_gym.envs.actions import Action

    draws = np.random.default_rng(number)
    for _ in range(TURNS - 1):
        x, y = draws.integers(1001, size=2)
        yield Action.tap(int(x), int(y)).encode()
    while True:
        yield Action.finish().encode()


def on_eval(ledger: Ledger, watch: Watch, phones: int) -> None:
    """Plays by the workers of `mobile-gym eval`; the seed is the episode's number, and the records are counted."""
    from mobile_gym.evaluation.parallel import ParallelRun
    from mobile_gym.evaluation.records import EPISODES, RunRecords
    from mobile_gym.evaluation.run import run_config
    from mobile_gym.evaluation.team import Team
    from mobile_gym.evaluation.worker import SuiteCast

    options = {"finish_probability": 0.4}
    config = run_config("elder", "1", "random", "embedded:pixel_6a", observation_size=SIZE, policy_options=options)
    given: Counter[int] = Counter()
    with tempfile.TemporaryDirectory() as folder, RunRecords(Path(folder), config) as records:
        run = ParallelRun(
            records,
            [(TASK, number) for number in range(ledger.total)],
            SuiteCast(config, "random", options),
            Team(phones),
            started=lambda task, seed: given.update([seed]),
        )
        for played in run.play():
            ledger.finished[played.record.seed] += 1
            ledger.strangers += played.record.status != "done"
            ledger.again = given.total() - ledger.done - sum(not ledger.finished[number] for number in given)
            watch.note(ledger)
        lines = Path(folder, EPISODES).read_bytes().splitlines()
        written = Counter(int(json.loads(line)["seed"]) for line in lines)
        ledger.strangers += sum((written - ledger.finished).values()) + sum((ledger.finished - written).values())


def draw(watch: Watch, path: Path, title: str) -> None:
    """Draws the memory over the episodes; a line marks each kill."""
    width, height, left, top, right, bottom = 960, 420, 70, 40, 940, 370
    picture = Image.new("RGB", (width, height), "white")
    pen = ImageDraw.Draw(picture)
    font = ImageFont.load_default(14)
    most = max(memory for _, _, memory, _ in watch.looks) * 1.1
    last = watch.looks[-1][0]

    def at(done: float, memory: float) -> tuple[float, float]:
        return left + (right - left) * done / last, bottom - (bottom - top) * memory / most

    for done in watch.kills:
        pen.line([at(done, 0), at(done, most)], fill=(240, 205, 205))
    for step in range(5):
        memory = most * step / 4
        pen.line([at(0, memory), at(last, memory)], fill=(225, 225, 225))
        pen.text((8, at(0, memory)[1] - 8), f"{memory:.0f}", fill="black", font=font)
        pen.text((at(last * step / 4, 0)[0] - 12, bottom + 8), f"{last * step / 4:.0f}", fill="black", font=font)
    pen.line([at(done, memory) for done, _, memory, _ in watch.looks], fill=(30, 90, 200), width=2)
    pen.text((left, 12), title, fill="black", font=font)
    pen.text(((left + right) / 2 - 120, height - 22), "episodes (red: an actor was killed)", fill="black", font=font)
    picture.save(path, optimize=True)


def main() -> int:
    """Runs the soak; 0 where all held."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--on", choices=("vector", "eval"), default="vector", help="what plays")
    parser.add_argument("--episodes", type=int, default=2000)
    parser.add_argument("--phones", type=int, default=16)
    parser.add_argument("--kill-every", type=int, default=100, help="episodes between two kills; 0: none")
    parser.add_argument("--phones-per-actor", type=int, default=None, help="vector: about one actor a core without")
    parser.add_argument("--quick", action="store_true", help="200 episodes on 4 phones")
    parser.add_argument("--save", type=Path, default=None, help="a folder for the figures")
    given = parser.parse_args()
    if given.quick:
        given.episodes, given.phones = 200, 4
    ledger = Ledger(given.episodes)
    watch = Watch("PhoneActor" if given.on == "vector" else "Worker", given.kill_every)
    if given.on == "vector":
        on_vector(ledger, watch, given.phones, given.phones_per_actor)
    else:
        on_eval(ledger, watch, given.phones)
    seconds, drift = time.monotonic() - watch.start, watch.drift()
    whole = not ledger.lost and not ledger.doubled and not ledger.strangers
    flat = drift is None or abs(drift) <= TOLERANCE
    flatness = (
        "too few episodes to tell"
        if drift is None
        else f"{drift:+.1%} from first to last; windows of {WINDOW} episodes within {watch.scatter():.1%} of their mean"
    )
    print(
        f"{ledger.done} episodes in {seconds:.0f} s; {len(watch.kills)} actors killed, {ledger.again} episodes played "
        f"again; {len(ledger.lost)} lost, {len(ledger.doubled)} doubled, {ledger.strangers} strange\n"
        f"memory after the first {SETTLED} episodes: {flatness}\n{'passed' if whole and flat else 'FAILED'}"
    )
    if given.save is not None:
        given.save.mkdir(parents=True, exist_ok=True)
        figures = {
            "on": given.on,
            "episodes": given.episodes,
            "phones": given.phones,
            "seconds": round(seconds, 1),
            "killed": len(watch.kills),
            "played_again": ledger.again,
            "lost": len(ledger.lost),
            "doubled": len(ledger.doubled),
            "drift": None if drift is None else round(drift, 4),
            "scatter": None if drift is None else round(watch.scatter(), 4),
            "windows_mib": [[begin, round(memory, 1)] for begin, memory in watch.windows()],
            "looks": [[done, round(at, 1), round(memory, 1)] for done, at, memory, _ in watch.looks],
        }
        (given.save / f"soak-{given.on}.json").write_text(json.dumps(figures) + "\n", "utf-8")
        title = f"Memory (PSS, MiB) of all processes: {given.episodes} episodes on {given.phones} phones, {given.on}"
        draw(watch, given.save / f"soak-{given.on}.png", title)
    return 0 if whole and flat else 1


if __name__ == "__main__":
    sys.exit(main())
