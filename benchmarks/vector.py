"""Many phones at once: steps a second of `RayVectorEnv` and `RayAsyncEnv` beside bare processes and Gymnasium's own.

Everything runs on two cores, over a tour of 30 screens (see steps.py), with frames of 360x800 and verification on.

- Throughput: 32 phones on Ray, asynchronously and together, against two bare processes that step 16 phones each in a
  loop. The three take turns of some seconds; the ratio is the median of those of the rounds.
- Memory: 64 phones, PSS of this process, of Ray's own processes and of the actors.
- Latency: SyncVectorEnv, AsyncVectorEnv and ours with 0, 50 and 300 ms of waiting added to each step; the ceiling is
  phones / latency.

Usage: python benchmarks/vector.py [--quick] [--only throughput|memory|latency]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium as gym

sys.path.insert(0, str(Path(__file__).parent))

from steps import TASK, actions, make

SIZE = (360, 800)
CORES = 2
PHONES = 32
MEMORY_PHONES = 64
LATENCY_PHONES = 16
LATENCIES = (0.0, 0.05, 0.3)
TARGETS = {"asynchronous": 0.85, "synchronous": 0.65, "memory GB": 2.5, "ceiling": 0.9}
Walk = list[dict[str, Any]]


class Slow(gym.Wrapper[Any, Any, Any, Any]):
    """Waits before each step, as for a device that is far away."""

    def __init__(self, env: gym.Env[Any, Any], seconds: float) -> None:
        super().__init__(env)
        self._seconds = seconds

    def step(self, action: Any) -> Any:
        if self._seconds:
            time.sleep(self._seconds)
        return self.env.step(action)


def maker(seconds: float = 0.0) -> Callable[[], gym.Env[Any, Any]]:
    """What makes a phone with some latency; actors get it by value."""
    task = str(TASK)

    def made() -> gym.Env[Any, Any]:
        from mobile_gym.envs.task_env import MobileTaskEnv

        env = MobileTaskEnv(task=task, observation_size=SIZE, time_budget="none")
        return Slow(env, seconds) if seconds else env

    return made


def walk_of_tour() -> Walk:
    """The actions of the tour."""
    finder = make((36, 80))
    finder.reset(seed=0)
    walk = [
        {name: getattr(value, "tolist", lambda value=value: value)() for name, value in action.items()}
        for action in actions(finder)
    ]
    finder.close()
    return walk


class Plan:
    """Which action each phone takes next: all go the same way, each from another place of it."""

    def __init__(self, walk: Walk, phones: int) -> None:
        self._walk = walk
        self._at = [phone * 7 for phone in range(phones)]

    def next(self, phone: int) -> dict[str, Any]:
        """The action."""
        self._at[phone] += 1
        return self._walk[self._at[phone] % len(self._walk)]


def batched(single: list[dict[str, Any]]) -> dict[str, Any]:
    """Actions as one batch, as Gymnasium's own vector environments want them."""
    import numpy as np

    return {
        "action_type": np.array([one["action_type"] for one in single]),
        "touch_point": np.array([one["touch_point"] for one in single]),
        "lift_point": np.array([one["lift_point"] for one in single]),
        "text": tuple(one["text"] for one in single),
    }


Turn = Callable[[], int]
"""Does some steps and tells how many."""


def bare(walk: Walk, phones: int, warm: int) -> tuple[Turn, Callable[[], None]]:
    """A loop over phones in this process; and what closes it."""
    plan, envs = Plan(walk, phones), [maker()() for _ in range(phones)]
    for env in envs:
        env.reset(seed=0)

    def turn() -> int:
        for phone, env in enumerate(envs):
            env.step(plan.next(phone))
        return phones

    def close() -> None:
        for env in envs:
            env.close()

    for _ in range(warm):
        turn()
    return turn, close


def together(envs: Any, walk: Walk, warm: int) -> tuple[Turn, Callable[[], None]]:
    """A vector environment that steps all at once."""
    plan = Plan(walk, envs.num_envs)

    def turn() -> int:
        envs.step(batched([plan.next(phone) for phone in range(envs.num_envs)]))
        return int(envs.num_envs)

    envs.reset(seed=0)
    for _ in range(warm):
        turn()
    return turn, envs.close


def apart(envs: Any, walk: Walk, warm: int, at_once: int) -> tuple[Turn, Callable[[], None]]:
    """An environment that steps each on its own."""
    plan = Plan(walk, envs.num_envs)

    def turn() -> int:
        ids = envs.recv(min_envs=at_once)[4]["env_id"].tolist()
        envs.send([plan.next(phone) for phone in ids], ids)
        return len(ids)

    envs.async_reset(seed=0)
    done = 0
    while done < warm * envs.num_envs:
        done += turn()
    return turn, envs.close


def rate(turn: Turn, seconds: float) -> float:
    """Steps a second."""
    turn()  # begins what was idle, and does not count
    count, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        count += turn()
    return count / (time.perf_counter() - start)


def pss(pid: int) -> tuple[float, str]:
    """Proportional memory of a process, MB, and its name."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
        name = Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")[:60]
    except OSError:
        return 0.0, ""
    found = next(line for line in text.splitlines() if line.startswith("Pss:"))
    return int(found.split()[1]) * 1024 / 1e6, name


def family() -> list[int]:
    """This process and all below it."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    found = [os.getpid()]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found


def memory(walk: Walk, warm: int) -> dict[str, float]:
    """MB of everything that belongs to many phones on Ray."""
    from mobile_gym.envs.ray import RayVectorEnv

    envs = RayVectorEnv([maker()] * MEMORY_PHONES)
    plan = Plan(walk, MEMORY_PHONES)
    envs.reset(seed=0)
    for _ in range(warm):
        kept = envs.step([plan.next(phone) for phone in range(MEMORY_PHONES)])
    sizes = [pss(pid) for pid in family()]
    actors = [size for size, name in sizes if name.startswith("ray::PhoneActor")]
    figures = {"all": sum(size for size, _ in sizes), "actors": sum(actors), "driver": sizes[0][0]}
    del kept
    envs.close()
    return figures


def prepared(name: str, walk: Walk, options: argparse.Namespace) -> tuple[Turn, Callable[[], None]]:
    """What is measured, warm."""
    warm, latency = options.warm, options.latency
    if name == "bare":
        return bare(walk, PHONES // CORES, warm)
    if name in ("SyncVectorEnv", "AsyncVectorEnv"):
        makers = [maker(latency)] * LATENCY_PHONES
        kinds: dict[str, Callable[[], Any]] = {
            "SyncVectorEnv": lambda: gym.vector.SyncVectorEnv(makers),
            "AsyncVectorEnv": lambda: gym.vector.AsyncVectorEnv(makers, shared_memory=False),
        }
        return together(kinds[name](), walk, 1 if latency else warm)
    from mobile_gym.envs.ray import RayAsyncEnv, RayVectorEnv

    phones = PHONES if options.phones is None else options.phones
    sources, threads = [maker(latency)] * phones, bool(latency)
    if name == "asynchronous":
        crew = RayAsyncEnv(sources, threads=threads)
        return apart(crew, walk, 2 if latency else warm, 1 if latency else max(1, phones // 4))
    return together(RayVectorEnv(sources, threads=threads), walk, 2 if latency else warm)


def part(name: str, options: argparse.Namespace) -> None:
    """Prepares one thing, then measures it for as many seconds as each line of the input says."""
    walk: Walk = json.loads(sys.stdin.readline())
    if name == "memory":
        print(f"result{json.dumps(memory(walk, options.warm))}", flush=True)
        return
    turn, close = prepared(name, walk, options)
    print("ready", flush=True)
    for line in sys.stdin:
        print(f"result{json.dumps(rate(turn, float(line)))}", flush=True)
    close()


class Part:
    """A measurement in a process of its own, which rests until it is told to go."""

    def __init__(self, walk: Walk, name: str, **arguments: Any) -> None:
        command = [sys.executable, __file__, "--part", name]
        for key, value in arguments.items():
            command += [f"--{key}", str(value)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._tell(json.dumps(walk))

    def _tell(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def _read(self, start: str) -> str:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith(start):
                return line.removeprefix(start)
        raise RuntimeError(f"a part ended with {self._process.wait()} before it was {start!r}")

    def ready(self) -> Part:
        """Waits until it is prepared."""
        self._read("ready")
        return self

    def go(self, seconds: float) -> None:
        """Lets it measure."""
        self._tell(str(seconds))

    def result(self) -> Any:
        """What it measured."""
        return json.loads(self._read("result"))

    def end(self) -> None:
        """Ends it."""
        self._process.communicate()


def verdict(value: float, target: float, least: bool = True) -> str:
    """Whether a figure is as good as wanted."""
    return "ok" if (value >= target if least else value <= target) else "missed"


def throughput(walk: Walk, quick: bool) -> None:
    """Prints steps a second of 32 phones and the ratios.

    All three live side by side and take turns of some seconds, so that a machine whose speed changes from minute to
    minute changes it for all of them.
    """
    warm, rounds, seconds = (40, 4, 3.0) if quick else (120, 12, 4.0)
    kinds = {"bare": [Part(walk, "bare", warm=warm).ready() for _ in range(CORES)]}
    for name in ("asynchronous", "synchronous"):
        kinds[name] = [Part(walk, name, warm=warm).ready()]
    rates: dict[str, list[float]] = {name: [] for name in kinds}
    for _ in range(rounds):
        for name, parts in kinds.items():
            for one in parts:
                one.go(seconds)
            rates[name].append(sum(one.result() for one in parts))
    for parts in kinds.values():
        for one in parts:
            one.end()
    reference = rates["bare"]
    low, high = min(reference), max(reference)
    print(
        f"two bare processes, {PHONES // CORES} phones each: {statistics.median(reference):.0f} steps/s, "
        f"{low:.0f} to {high:.0f} in {rounds} rounds"
    )
    for name in ("asynchronous", "synchronous"):
        ratios = [one / other for one, other in zip(rates[name], reference, strict=True)]
        ratio, target = statistics.median(ratios), TARGETS[name]
        print(
            f"{PHONES} phones on Ray, {name}: {statistics.median(rates[name]):.0f} steps/s, {ratio:.0%} of that "
            f"({min(ratios):.0%} to {max(ratios):.0%}); wanted {target:.0%}: {verdict(ratio, target)}"
        )


def how_much(walk: Walk, quick: bool) -> None:
    """Prints the memory of 64 phones."""
    one = Part(walk, "memory", warm=30 if quick else 100)
    found = one.result()
    one.end()
    whole, target = found["all"] / 1e3, TARGETS["memory GB"]
    print(
        f"{MEMORY_PHONES} phones on Ray: {whole:.2f} GB (actors {found['actors'] / 1e3:.2f}, this process "
        f"{found['driver'] / 1e3:.2f}); wanted at most {target} GB: {verdict(whole, target, least=False)}"
    )


def slow_devices(walk: Walk, quick: bool) -> None:
    """Prints the table of added latencies."""
    names = ("SyncVectorEnv", "AsyncVectorEnv", "synchronous", "asynchronous")
    labels = {"synchronous": "RayVectorEnv", "asynchronous": "RayAsyncEnv"}
    print(
        f"{LATENCY_PHONES} phones, steps/s" + "".join(f"{labels.get(name, name):>16}" for name in names) + "  ceiling"
    )
    for latency in LATENCIES:
        rates = []
        for name in names:
            seconds = (4 if quick else 12) if latency < 0.2 else (6 if quick else 15)
            arguments: dict[str, Any] = {"latency": latency, "warm": 30 if quick else 100}
            if name in labels:
                arguments["phones"] = LATENCY_PHONES
            one = Part(walk, name, **arguments).ready()
            one.go(seconds)
            rates.append(one.result())
            one.end()
        ceiling = LATENCY_PHONES / latency if latency else 0.0
        row = f"{latency * 1000:>8.0f} ms       " + "".join(f"{rate:16.1f}" for rate in rates)
        print(f"{row}  {ceiling:7.1f}" if ceiling else row)
        if latency == LATENCIES[-1]:
            ratio = rates[-1] / ceiling
            print(
                f"at {latency * 1000:.0f} ms RayAsyncEnv gives {ratio:.0%} of the ceiling; wanted "
                f"{TARGETS['ceiling']:.0%}: {verdict(ratio, TARGETS['ceiling'])}"
            )


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="shorter measurements")
    parser.add_argument("--only", choices=["throughput", "memory", "latency"], help="only this table")
    parser.add_argument("--part", help="measure one thing in this process and print it")
    parser.add_argument("--warm", type=int, default=30, help="steps of each phone before that")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds added to each step")
    parser.add_argument("--phones", type=int, help="how many phones")
    options = parser.parse_args()
    if options.part:
        part(options.part, options)
        return
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    walk = walk_of_tour()
    tables = {"throughput": throughput, "memory": how_much, "latency": slow_devices}
    for name, table in tables.items():
        if options.only in (None, name):
            table(walk, options.quick)
            sys.stdout.flush()


if __name__ == "__main__":
    main()
