"""Steps a second of `MobileTaskEnv` on the embedded phone, on one core, with verification on and the hierarchy off.

Prints, for frames of 1080x2400 and of 360x800: a tour of 30 different screens (cold: in a new process, warm: once
they have been seen), a random walk, the restore of a snapshot, `gym.make` with the first reset in a new process, and
the memory of a further phone. Usage: python benchmarks/steps.py [--quick]

MobileGym's figures on such a machine, for comparison: 5.4 and 17.9 steps a second, reset 0.76 s, 450 MB an instance.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

TASK = Path(__file__).parent / "tour" / "tour-001.yaml"
SIZES: dict[str, tuple[int, int] | None] = {"1080x2400": None, "360x800": (360, 800)}
APPS = ("com.android.settings", "com.android.messaging", "com.android.deskclock", "org.mobench.calculator")
SCREENS = 30


def make(size: tuple[int, int] | None) -> Any:
    """An environment over the tour's task."""
    from mobile_gym.envs.task_env import MobileTaskEnv

    return MobileTaskEnv(task=str(TASK), observation_size=size, time_budget="none")


def actions(env: Any) -> list[dict[str, Any]]:
    """Finds a walk over 30 different screens: opens each app, taps what can be tapped, goes back."""
    from mobile_gym.envs.actions import Action

    def frame_point(node: Any) -> tuple[int, int]:
        width, height = env.device.info.width, env.device.info.height
        x, y = node.bounds.center
        return round(x * 1000 / (width - 1)), round(y * 1000 / (height - 1))

    def look() -> tuple[str, ...]:
        return tuple(node.text + node.content_desc for node in env.device.hierarchy().walk())

    walk: list[dict[str, Any]] = []
    seen: set[tuple[str, ...]] = set()
    for app in APPS:
        opened = Action.open_app(app).encode()
        env.step(opened)
        if look() not in seen:
            seen.add(look())
            walk.append(opened)
        home = look()
        targets = [node for node in env.device.hierarchy().visible() if node.clickable and node.class_name != "x"]
        for node in targets[:14]:
            if len(seen) >= SCREENS:
                return walk
            tap = Action.tap(*frame_point(node)).encode()
            env.step(tap)
            if look() not in seen:
                seen.add(look())
                walk.append(tap)
                back = Action.press("back").encode()
                # Once: whoever goes on pressing Back only sees the launcher again and again.
                env.step(back)
                walk.append(back)
            if look() != home:
                env.step(opened)
                walk.append(opened)
    return walk


def rate(env: Any, walk: list[dict[str, Any]], rounds: int) -> float:
    """Steps a second over a walk."""
    start = time.perf_counter()
    for _ in range(rounds):
        for action in walk:
            env.step(action)
    return rounds * len(walk) / (time.perf_counter() - start)


def measure(size: tuple[int, int] | None, quick: bool) -> dict[str, float]:
    """All figures for one size of the frame, in this process."""
    from mobile_gym.envs.actions import Action

    finder = make((36, 80))
    finder.reset(seed=0)
    walk = actions(finder)
    finder.close()
    env = make(size)
    env.reset(seed=0)
    figures: dict[str, float] = {"walk": len(walk), "cold": rate(env, walk, 1)}
    rate(env, walk, 1)
    figures["warm"] = rate(env, walk, 2 if quick else 8)
    chance = random.Random(0)
    steps = []
    for _ in range(200 if quick else 1000):
        point = (chance.randrange(1001), chance.randrange(1001))
        if chance.random() < 0.15:
            steps.append(Action.press("back").encode())
        elif chance.random() < 0.2:
            steps.append(Action.swipe(*point, point[0], (point[1] + 400) % 1001).encode())
        else:
            steps.append(Action.tap(*point).encode())
    figures["random"] = rate(env, steps, 1)
    times = []
    phone = env.device.phone
    phone.save_snapshot("bench")
    for number in range(20 if quick else 60):
        for action in walk[number % 20 : number % 20 + 5]:
            env.step(action)
        phone.put_setting("system", "volume_music", str(number % 20))
        phone.providers.insert("content://com.android.deskclock/alarms", {"hour": 1, "minutes": 2, "label": "x"})
        phone.receive_sms("10086", f"hello {number}")
        start = time.perf_counter()
        phone.load_snapshot("bench")
        phone.windows.windows  # noqa: B018 - the restored screen is laid out
        times.append((time.perf_counter() - start) * 1000)
    figures["restore"] = statistics.median(times)
    resets = []
    for _ in range(5 if quick else 20):
        start = time.perf_counter()
        env.reset(seed=0)
        resets.append((time.perf_counter() - start) * 1000)
    figures["reset"] = statistics.median(resets)
    env.close()
    return figures


def first_reset() -> float:
    """Seconds that a new process takes for import, `gym.make` and the first reset."""
    code = (
        "import time; t = time.perf_counter(); import gymnasium, mobile_gym;"
        "env = gymnasium.make('MoBench/elder-031'); env.reset(seed=0); print(time.perf_counter() - t)"
    )
    times = []
    for _ in range(3):
        found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        times.append(float(found.stdout))
    return statistics.median(times)


def resident_mb() -> float:
    """Resident memory of this process, MB."""
    fields = Path("/proc/self/statm").read_text().split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def memory() -> float:
    """MB that a further phone in the process takes, with the one frame that was handed out last."""
    from mobile_gym.envs.task_env import MobileTaskEnv

    walk_env = make((36, 80))
    walk_env.reset(seed=0)
    walk = actions(walk_env)
    first = MobileTaskEnv(task=str(TASK), time_budget="none")
    first.reset(seed=0)
    rate(first, walk, 2)
    gc.collect()
    before = resident_mb()
    more = []
    for _ in range(8):
        env = MobileTaskEnv(task=str(TASK), time_budget="none")
        env.reset(seed=0)
        for action in walk:
            env.step(action)
        more.append(env)
    gc.collect()
    grown = (resident_mb() - before) / len(more)
    for env in more:
        env.close()
    return grown


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    parser.add_argument("--one", choices=[*SIZES, "memory"], help="measure one thing in this process and print JSON")
    options = parser.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    if options.one == "memory":
        print(json.dumps({"memory": memory()}))
        return
    if options.one:
        print(json.dumps(measure(SIZES[options.one], options.quick)))
        return
    rows = {}
    for name in (*SIZES, "memory"):
        command = [sys.executable, __file__, "--one", name, *(["--quick"] if options.quick else [])]
        found = subprocess.run(command, capture_output=True, text=True, check=True)
        rows[name] = json.loads(found.stdout.splitlines()[-1])
    peers = {"1080x2400": 5.4, "360x800": 17.9}
    heads = (("frame", 10), ("cold/s", 8), ("warm/s", 8), ("random/s", 9), ("restore ms", 11), ("reset ms", 9))
    print(" ".join(f"{head:>{width}}" for head, width in heads))
    for name in SIZES:
        row = rows[name]
        print(
            f"{name:>10} {row['cold']:8.0f} {row['warm']:8.0f} {row['random']:9.0f} {row['restore']:11.1f}"
            f" {row['reset']:9.1f} {row['warm'] / peers[name]:8.1f}x MobileGym"
        )
    steps = rows["360x800"]["walk"]
    print(f"tour: {steps:.0f} steps over {SCREENS} screens, one core, hierarchy off, verification on")
    print(f"import, gym.make and first reset in a new process: {first_reset():.2f} s")
    frame = 1080 * 2400 * 3 / 1e6
    own = rows["memory"]["memory"] - frame
    print(f"a further phone in the process: {own:.1f} MB, and {frame:.1f} MB for the frame that was handed out last")


if __name__ == "__main__":
    main()
