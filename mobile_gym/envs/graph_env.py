"""`TaskGraphEnv`: one task over a graph of recorded screens as a Gymnasium environment (ElderBench, offline)."""

from __future__ import annotations

import io
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import gymnasium as gym
import numpy as np
from gymnasium.error import ResetNeeded
from PIL import Image

from mobile_gym.devices.base import Device, Frame
from mobile_gym.devices.hierarchy_xml import to_xml
from mobile_gym.envs import leases, spaces
from mobile_gym.envs.actions import MalformedAction, ParsedAction, parse_action
from mobile_gym.envs.arguments import canvas_size, find_task, one_of
from mobile_gym.envs.canvas import View, place
from mobile_gym.envs.protocols import GRAPH_RULES, UnsupportedProtocol
from mobile_gym.reward import progress
from mobile_gym.reward.demonstration import PrimitiveAction
from mobile_gym.reward.errors import DemonstrationError, SetupError
from mobile_gym.reward.graph.model import GraphError, TaskGraph, load_graph
from mobile_gym.reward.graph.walking import GraphScreen, Matching, Position, walk
from mobile_gym.reward.task_spec import Instructions, Language
from mobile_gym.task_registry.graphs import graph_of
from mobile_gym.task_registry.models import Task

Observation = dict[str, Any]
_NO_MATCH = "no recorded action from this screen matches; the screen stays as it is"


@dataclass(frozen=True, slots=True)
class GraphSession:
    """An episode's task and language, as demonstrations read them.

    Attributes:
        task: the task, with the values of the session's language.
        language: language of instruction and screens.
    """

    task: Task
    language: Language

    @property
    def instruction(self) -> str:
        """What the person asks."""
        return self.task.instruction.zh if self.language == "zh" else self.task.instruction.en


class TaskGraphEnv(gym.Env[Observation, dict[str, Any]]):
    """A task over recorded screens: what was shown to lead on leads on, everything else does nothing.

    ## Description
    Nodes of the task graph are states of the phone, edges are actions that demonstrations took. An observation is the
    recording of the node (ElderBench, section 4.2.2). Nothing private is touched and nothing depends on a live phone.
    The graph of a task is built from its demonstrations when it is first needed, on `device`, and then kept in a cache.

    ## Action Space
    As `MobileTaskEnv`; allowed are tap, long_press, swipe, type, press_home, press_back and finish. An action counts
    when it matches an edge that leaves the node: the same kind; taps within 50 pixels of the recorded point, pixels of
    the recording; swipes by direction; texts that are the same but for case, width, white space and punctuation, and
    those of 12 characters or more also where they differ in particles and articles alone.

    ## Observation Space
    As `MobileTaskEnv`: `Dict(screenshot, instruction, message[, hierarchy])`.

    ## Rewards
    As `MobileTaskEnv`; `progress` is the share of the shortest way from the start to DONE that lies behind the node.

    ## Episode End
    Terminates at finish, which is a success on a DONE node, and with `matching="strict"` at the first action that
    matches no edge (`ended_by` is `mismatch`). With `lenient` such an action costs the turn. Truncates when the budget
    of steps or time is spent. `info` has `MobileTaskEnv`'s fields and `node`, `matched`, `mismatches` and
    `strict_success`: whether it is a success in strict matching too, so that a lenient run tells both rates.

    ## Arguments
    Args:
        task: a task's id, the path of its file, or a `Task`; its protocol is `graph`.
        device: what the graph is recorded on where it is not in the cache: a device's spec or an open device.
        language: language of the instruction and of the screens, `zh` or `en`.
        observation_size: (width, height) of the canvas, pixels; None for the recorded screen's.
        hierarchy: whether observations carry the hierarchy.
        reward: `progress` or `sparse`.
        render_mode: `rgb_array` or None.
        time_budget: `wall`, `none`, or None for the task's own choice; recordings have no clock for `virtual`.
        matching: `lenient` or `strict`.
        graph: a graph of this task as it stands, or the path of its file, instead of the one of the task's
            demonstrations; a GraphError says where it belongs to another one.
        instructions: which of the task's instructions is said: `original`, or `normalized`, the same asked plainly.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 2}

    def __init__(
        self,
        task: str | Task,
        device: str | Device = "embedded:pixel_6a",
        language: Language = "zh",
        observation_size: Sequence[int] | None = None,
        hierarchy: bool = False,
        reward: progress.RewardMode = "progress",
        render_mode: str | None = None,
        time_budget: Literal["wall", "none"] | None = None,
        matching: Matching = "lenient",
        graph: str | Path | TaskGraph | None = None,
        instructions: Instructions = "original",
    ) -> None:
        one_of("language", language, ("zh", "en"))
        one_of("reward", reward, ("progress", "sparse"))
        one_of("render_mode", render_mode, (None, *self.metadata["render_modes"]))
        one_of("time_budget", time_budget, (None, "wall", "none"))
        one_of("matching", matching, ("lenient", "strict"))
        self.render_mode = render_mode
        self._source = task
        self._instructions: Instructions = instructions
        self._task = find_task(task, instructions=instructions)
        if self._task.protocol != "graph":
            raise UnsupportedProtocol(
                f"task {self._task.id} has the protocol {self._task.protocol!r}; TaskGraphEnv plays 'graph'"
            )
        self._device = device
        self._language: Language = language
        self._hierarchy = hierarchy
        self._reward = reward
        self._time_budget = time_budget
        self._matching = matching
        self._given = load_graph(Path(graph)) if isinstance(graph, str | Path) else graph
        if self._given is not None:
            _must_belong(self._given, find_task(task))
        self._graph: TaskGraph | None = self._given
        self._canvas = canvas_size(observation_size if observation_size is not None else self.graph.nodes[0].size)
        self.observation_space = spaces.observation_space(self._canvas, hierarchy)
        self.action_space = spaces.action_space()
        self._screen: GraphScreen | None = None
        self._view: View | None = None
        self._running = False
        self._task_seed = 0
        self._deadline: float | None = None

    # What others may ask.

    @property
    def task(self) -> Task:
        """The task as it is played, with its parameters filled in."""
        return self._task

    def seen(self) -> dict[str, list[str]]:
        """None: the graph is the verifier, and its DONE is all that there is to see."""
        return {}

    @property
    def graph(self) -> TaskGraph:
        """The task graph, built where it is not there yet.

        Raises:
            SetupError: it cannot be built from the task's demonstrations.
            DeviceError: the device that it is built on failed.
        """
        if self._graph is None:
            self._graph = self._build()
        return self._graph

    @property
    def session(self) -> GraphSession:
        """The task and the language, for policies that follow demonstrations."""
        return GraphSession(self._task.in_language(self._language), self._language)

    @property
    def device(self) -> GraphScreen:
        """The screen of the node where the episode is.

        Raises:
            ResetNeeded: `reset` was not called yet.
        """
        if self._screen is None:
            raise ResetNeeded("the environment shows no screen yet; call reset() first")
        return self._screen

    def _build(self) -> TaskGraph:
        try:
            if isinstance(self._device, str):
                return graph_of(self._task, self._device, self._language)
            leases.take(self._device, self)
            try:
                return graph_of(self._task, self._device, self._language)
            finally:
                leases.give_back(self._device)
        except (GraphError, DemonstrationError) as problem:
            raise SetupError(self._task.id, "demonstrations", str(problem)) from problem

    # Gymnasium's interface.

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Goes to the start of the graph.

        Args:
            seed: seeds the draws of the task's parameters; each draw has a graph of its own.
            options: none are known.

        Raises:
            SetupError: the graph cannot be built.
            DeviceError: the device that it is built on failed.
        """
        super().reset(seed=seed)
        if options:
            raise ValueError(f"unknown reset options {', '.join(sorted(map(str, options)))}; there are none")
        self._running = False
        drawn = int(self.np_random.integers(2**31))
        self._task_seed = seed if seed is not None else drawn
        if self._task.params and self._given is None:
            task = find_task(self._source, self._task_seed, self._instructions)
            if task.content_hash != self._task.content_hash:
                self._task, self._graph = task, None
        self._screen = GraphScreen(self.graph)
        self._view = self._look()
        budget = self._task.budget
        clock = self._time_budget or budget.clock
        timed = clock == "wall" and budget.seconds is not None
        self._deadline = time.monotonic() + (budget.seconds or 0) if timed else None
        self._running = True
        return self._observation(""), self._info("", "")

    def step(self, action: dict[str, Any]) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Takes one action; see the class for what counts.

        Raises:
            ResetNeeded: the episode is over or was never started.
        """
        if not self._running or self._screen is None:
            raise ResetNeeded("the episode is over or was never started; call reset() before step()")
        screen, before = self._screen, self._screen.position
        late = self._deadline is not None and time.monotonic() > self._deadline
        if late:
            error = "the time budget was spent before this action came; it was not carried out"
            screen.position = Position(before.node, before.turns + 1, before.mismatches, before.strict_over)
        else:
            parsed, error = self._accept(action)
            screen.position = walk(self.graph, before, parsed)
            if not screen.position.matched and not error:
                error = _NO_MATCH
        if screen.position.node != before.node:
            self._view = self._look()
        ended_by = self._end(screen.position, late)
        self._running = not ended_by
        truncated = ended_by in ("steps", "time")
        success = screen.position.success
        gained = progress.reward(
            self._reward, self.graph.progress(before.node), self.graph.progress(screen.position.node), success
        )
        info = self._info(error, ended_by)
        return self._observation(error), gained, bool(ended_by) and not truncated, truncated, info

    def render(self) -> Frame | None:
        """The canvas as uint8[H, W, 3] for `rgb_array`, else None."""
        if self.render_mode == "rgb_array" and self._view is not None:
            return self._view.frame.copy()
        return None

    def close(self) -> None:
        """Ends the episode; calling it twice is fine."""
        self._running = False

    def _accept(self, action: object) -> tuple[PrimitiveAction | None, str]:
        """The action where the protocol allows it, else None and why not."""
        try:
            parsed: ParsedAction = parse_action(action)
        except MalformedAction as problem:
            return None, f"malformed action: {problem}"
        if parsed.kind not in GRAPH_RULES.actions:
            return None, f"{parsed.kind.word} is not allowed in this task; allowed are {GRAPH_RULES.words()}"
        return PrimitiveAction(parsed.kind.word, parsed.point, parsed.lift, parsed.text), ""

    def _end(self, position: Position, late: bool) -> str:
        if position.finished:
            return "finish"
        if late:
            return "time"
        if self._matching == "strict" and position.strict_over:
            return "mismatch"
        return "steps" if position.turns >= self._task.budget.steps else ""

    def _look(self) -> View:
        try:
            with Image.open(io.BytesIO(self.device.node.picture)) as picture:
                frame = np.array(picture.convert("RGB"), dtype=np.uint8)
        except (OSError, SyntaxError, ValueError) as problem:
            number = self.device.position.node
            raise GraphError(f"node {number} of the graph of {self._task.id} has a damaged picture") from problem
        return place(frame, self._canvas, self.device.node.size)

    def _observation(self, message: str) -> Observation:
        assert self._view is not None
        observation: Observation = {
            "screenshot": self._view.frame.copy(),
            "instruction": spaces.cut(self.session.instruction, spaces.MAX_INSTRUCTION),
            "message": spaces.cut(message, spaces.MAX_MESSAGE),
        }
        if self._hierarchy:
            observation["hierarchy"] = spaces.cut(to_xml(self.device.hierarchy()), spaces.MAX_HIERARCHY)
        return observation

    def _info(self, error: str, ended_by: str) -> dict[str, Any]:
        assert self._view is not None
        position, node = self.device.position, self.device.node
        share = self.graph.progress(position.node)
        return {
            "success": position.success,
            "strict_success": position.strict_success,
            "goal_reached": node.done,
            "agent_claimed": position.finished,
            "ended_by": ended_by,
            "progress": share,
            "weighted_progress": share,
            "subtasks": {"done": node.done},
            "unexpected_changes": [],
            "activity": node.activity,
            "node": position.node,
            "matched": position.matched,
            "mismatches": position.mismatches,
            "turn": position.turns,
            "action_error": error,
            "device_error": "",
            "action_mask": GRAPH_RULES.mask(),
            "screen": tuple(self._view.screen),
            "screen_size": self._view.size,
            "task_id": self._task.id,
            "task_seed": self._task_seed,
        }


def _must_belong(graph: TaskGraph, task: Task) -> None:
    """Checks that a graph is of a task, and of the task as it stands.

    Raises:
        GraphError: it is not.
    """
    if graph.task != task.id:
        raise GraphError(f"the graph is of the task {graph.task}; this is {task.id}")
    # A recording bears the hash of the task as it is said in the recording's language.
    now = task.in_language(graph.language).content_hash
    if graph.task_hash not in (now, task.content_hash):
        raise GraphError(
            f"the graph was recorded when {task.id} said something else (content hash {graph.task_hash[:12]}, now "
            f"{now[:12]}); record the task as it stands, or build its graph again"
        )
