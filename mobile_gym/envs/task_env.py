"""`MobileTaskEnv`: one task on one phone as a Gymnasium environment."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import gymnasium as gym
from gymnasium.error import ResetNeeded

from mobile_gym.devices.base import Device, Frame
from mobile_gym.devices.errors import DeviceError
from mobile_gym.envs import hands, spaces
from mobile_gym.envs.actions import ActionType, MalformedAction, ParsedAction, parse_action
from mobile_gym.envs.arguments import canvas_size, find_task, one_of
from mobile_gym.envs.budget import Budget
from mobile_gym.envs.connection import Connection
from mobile_gym.envs.episode_state import EpisodeState, load_phone_state, phone_state
from mobile_gym.envs.looking import Look, look_at, nothing_seen
from mobile_gym.envs.protocols import rules_of
from mobile_gym.reward import progress
from mobile_gym.reward.errors import UserFailed
from mobile_gym.reward.session import SetupError, TaskSession, Verdict
from mobile_gym.reward.task_spec import Instructions
from mobile_gym.reward.user_clients import make_user
from mobile_gym.reward.users import SimulatedUser
from mobile_gym.task_registry.models import Task

if TYPE_CHECKING:
    from mobile_gym.envs.live_page import LivePage

Observation = dict[str, Any]
Language = Literal["zh", "en"]
TimeBudget = Literal["wall", "virtual", "none"]

_CLAIMS = {
    ActionType.FINISH: "finish",
    ActionType.ANSWER: "answer",
    ActionType.FINISH_INFEASIBLE: "finish_infeasible",
}
_NO_USER = "nobody answers: this task has no user to ask"


class MobileTaskEnv(gym.Env[Observation, dict[str, Any]]):
    """A task on a phone: an instruction in a person's words, a screen to look at, and fingers to touch it with.

    ## Description
    The environment restores the task's start on the device, shows the screen, carries out one action a step and checks
    after each how far the task is. Checks read the device's state (settings, content providers, files), not pixels.
    It runs the same way on the embedded phone, an emulator and a handset.

    ## Action Space
    `Dict(action_type, touch_point, lift_point, text)`; `mobile_gym.envs.actions.Action` builds and reads it.

    - `action_type`, Discrete(16): tap, double_tap, long_press, swipe, drag, type, press_enter, press_back, press_home,
      press_recents, open_app, wait, call_user, answer, finish, finish_infeasible, in this order.
    - `touch_point`, MultiDiscrete([1001, 1001]): x, y where the finger goes down, 0-1000 over the screen as last shown
      (not over the canvas); 1000 is the last pixel.
    - `lift_point`, MultiDiscrete([1001, 1001]): x, y where a swipe or drag lets go.
    - `text`, UnicodeText(10000): what to type, which app to open, the answer; seconds for wait.

    Each protocol allows a subset, `info["action_mask"]` (int8[16]). A disallowed or malformed action, and one that the
    device refuses (typing where no field has the focus), costs a turn, changes nothing and says why in
    `observation["message"]` and `info["action_error"]`. `type` appends at the cursor and presses nothing. Every turn
    counts.

    ## Observation Space
    `Dict(screenshot, instruction, message[, hierarchy])`.

    - `screenshot`, Box(0, 255, (H, W, 3), uint8): the canvas, RGB. A screen that is turned or of another size is
      letterboxed in black; `info["screen"]` is its rectangle.
    - `instruction`, UnicodeText(4000): what the person asks, in the environment's language.
    - `message`, UnicodeText(4000): the user's reply to `call_user` or the last action's error; else empty.
    - `hierarchy`, UnicodeText(400000): the focused window as UIAutomator's XML, where `hierarchy=True`; empty, and the
      message says so, where it could not be read.

    A text that is longer than its bound is cut and ends with `…[cut]`.

    ## Rewards
    - `reward="progress"`: the change of progress, times a half, plus a half at success; an episode sums to at most 1.
      Progress counts as 0 while anything unexpected is changed.
    - `reward="raw"`: the same, where it counts whatever else is changed.
    - `reward="sparse"`: 1 at success, else 0.

    ## Starting State
    The task's snapshot, start settings and assets, set up anew by every `reset`; parameters of a training task are
    drawn by the seed. The same seed and actions give the same observations on the embedded phone.

    ## Episode End
    Terminates at finish, answer and finish_infeasible, when the goal is reached by something that happened (protocols
    with early success; a goal that holds from the start must be claimed) and at the fifth equal action running
    (ProBench's early stop). Truncates when the budget of steps or time is spent and when the device fails
    (`info["device_error"]`). An action that comes after the time is up is not carried out.

    `info` keeps three things apart: `goal_reached` (every subtask holds now), `agent_claimed` (the agent said finish or
    answered) and `success`. Under the protocol `online`, success is claimed, and goal reached, and no unexpected
    changes (ElderBench, 4.2.1): a right end state without finish is no success, and neither is finish with a wrong
    one. The fields: `success`, `goal_reached`, `agent_claimed`, `ended_by` (`""`, `finish`, `answer`,
    `finish_infeasible`, `goal`, `repeated_action`, `steps`, `time`, `device`), `progress`, `weighted_progress`,
    `subtasks` (id to bool), `operations` (which of the task's `process` are done and hold), `unexpected_changes`,
    `activity` (`package/Class`), `turn`, `action_error`, `device_error`, `action_mask`, `screen` (left, top, width,
    height on the canvas), `screen_size` (width, height of the device's screen), `task_id`, `task_seed`. Errors are
    empty strings where there are none.

    ## Arguments
    Args:
        task: a task's id, such as `elder-031`, the path of a task's file (`.yaml`), or a `Task`.
        device: a device's spec, such as `embedded:pixel_6a` or `adb:emulator-5554`, or an open `Device`, which stays
            open when the environment closes. An environment with a spec can be pickled; its copy opens a device of its
            own.
        language: the instruction's and the device's language, `zh` or `en`.
        observation_size: (width, height) of the canvas, pixels; None for the device's own screen. Small ones are
            painted at their own scale by the embedded phone.
        hierarchy: whether observations carry the hierarchy.
        reward: `progress`, `raw` or `sparse`.
        render_mode: `rgb_array` (the canvas), `human` (a page on a loopback port, `env.unwrapped.live_page.url`, which
            shows the phone live and lets a person touch it), or None.
        time_budget: which clock the task's seconds are measured by: `wall` (model time included), `virtual` (the
            device's) or `none`; None for the task's own choice.
        reset_mode: how the start state is restored: `snapshot`, or on devices without snapshots `app_data` or `manual`.
        instructions: which of the task's instructions is said: `original`, or `normalized`, the same asked plainly.
        user: who answers `call_user` in tasks that have a user: `scripted` (the same question always has the same
            reply), `openai:MODEL` or `openai:MODEL@URL` (a model, held to the task's contract), or an object like
            `mobile_gym.reward.users.SimulatedUser`.
    """

    metadata = {"render_modes": ["rgb_array", "human"], "render_fps": 2}

    def __init__(
        self,
        task: str | Task,
        device: str | Device = "embedded:pixel_6a",
        language: Language = "zh",
        observation_size: Sequence[int] | None = None,
        hierarchy: bool = False,
        reward: progress.RewardMode = "progress",
        render_mode: str | None = None,
        time_budget: TimeBudget | None = None,
        reset_mode: Literal["snapshot", "app_data", "manual"] = "snapshot",
        user: str | SimulatedUser = "scripted",
        instructions: Instructions = "original",
    ) -> None:
        one_of("language", language, ("zh", "en"))
        one_of("reward", reward, ("progress", "raw", "sparse"))
        one_of("render_mode", render_mode, (None, *self.metadata["render_modes"]))
        one_of("time_budget", time_budget, (None, "wall", "virtual", "none"))
        one_of("reset_mode", reset_mode, ("snapshot", "app_data", "manual"))
        self._arguments = {
            "task": task,
            "device": device,
            "language": language,
            "observation_size": observation_size,
            "hierarchy": hierarchy,
            "reward": reward,
            "render_mode": render_mode,
            "time_budget": time_budget,
            "reset_mode": reset_mode,
            "user": user,
            "instructions": instructions,
        }
        self._user = make_user(user) if isinstance(user, str) else user
        self.render_mode = render_mode
        self._source = task
        self._instructions: Instructions = instructions
        self._task = find_task(task, instructions=instructions)
        self._rules = rules_of(self._task.protocol, self._task.id)
        self._language = language
        self._reward = reward
        self._reset_mode = reset_mode
        self._time_budget = time_budget
        self._hierarchy = hierarchy
        self._connection = Connection(device, self)
        self._native = observation_size is None
        self._canvas = canvas_size(observation_size) if observation_size is not None else self._natural_size()
        self.observation_space = spaces.observation_space(self._canvas, hierarchy)
        self.action_space = spaces.action_space()
        # One caller at a time acts on the phone: `step`, or a person through the live page.
        self._lock = threading.RLock()
        self._page: LivePage | None = None
        self._closed = False
        self._running = False
        self._fault = ""
        self._session: TaskSession | None = None
        self._budget = Budget(self._task.budget.steps, None, "none")
        self._verdict = Verdict({}, 0.0, 0.0, False, ())
        self._look = nothing_seen(self._canvas)
        self._instruction = ""
        self._turn = 0
        self._task_seed = 0
        self._last: ParsedAction | None = None
        self._repeats = 0

    # What others may ask.

    @property
    def task(self) -> Task:
        """The task as it is played, with its parameters filled in."""
        return self._task

    @property
    def session(self) -> TaskSession:
        """The running session; policies that look behind the screen (demonstrations) use it.

        Raises:
            ResetNeeded: `reset` was not called yet.
        """
        if self._session is None:
            raise ResetNeeded("the environment has no session yet; call reset() first")
        return self._session

    def seen(self) -> dict[str, list[str]]:
        """What the verifier found of each subtask at the last check, in words; raises ResetNeeded before a reset."""
        return self.session.seen()

    @property
    def device(self) -> Device:
        """The device, opened where it is not yet."""
        return self._connection.device()

    @property
    def live_page(self) -> LivePage:
        """The page of `render_mode="human"`, served from the first `reset` or use on.

        Raises:
            ValueError: the environment has another render mode.
        """
        if self.render_mode != "human":
            raise ValueError(f'the live page needs render_mode="human"; this environment has {self.render_mode!r}')
        if self._page is None:
            from mobile_gym.envs.live_page import LivePage

            self._page = LivePage(self._connection.device, self._lock, self._status)
            print(f"live page of {self._task.id}: {self._page.url}", file=sys.stderr)
        return self._page

    # Gymnasium's interface.

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Sets the task's start up on the device.

        After a device fault, or where the device fails now, it is opened anew once.

        Args:
            seed: seeds the draws of the task's parameters; None goes on with the generator.
            options: `episode`, an `EpisodeState` that `save_episode` of an environment of this task gave: the episode
                goes on from there, with its turns and its process record, on a fork of its phone.

        Raises:
            CapabilityMissing: an episode was given and the device cannot take a state over.
            SetupError: the task's start could not be made; names the task and the asset or field. The next `reset`
                starts over.
            DeviceError: the device cannot be reached, even after opening it anew.
        """
        super().reset(seed=seed)
        if self._closed:
            raise ResetNeeded("the environment is closed; make a new one")
        unknown = sorted(map(str, set(options or {}) - {"episode"}))
        if unknown:
            raise ValueError(f"unknown reset options {', '.join(unknown)}; there is episode")
        with self._lock:
            self._running = False
            if options:
                self._go_on(options["episode"], seed)
            else:
                drawn = int(self.np_random.integers(2**31))
                self._task_seed = seed if seed is not None else drawn
                self._task = self._drawn_task(self._task_seed)
                self._set_up()
                self._turn = 0
                self._last, self._repeats = None, 0
            self._fault = ""
            self._running = True
            if self.render_mode == "human":
                self.live_page.refresh()
            return self._observation(""), self._info("", "", claimed=False, success=False)

    def step(self, action: dict[str, Any]) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Carries out one action; see the class for what it holds.

        Raises:
            ResetNeeded: the episode is over or was never started.
            UserFailed: the simulated user's model did not answer; the episode is over.
        """
        if not self._running:
            raise ResetNeeded("the episode is over or was never started; call reset() before step()")
        with self._lock:
            return self._step(action)

    def render(self) -> Frame | None:
        """The canvas as uint8[H, W, 3] for `rgb_array`; None otherwise, as the live page shows it."""
        if self.render_mode == "rgb_array":
            return self._look.view.frame.copy()
        return None

    def close(self) -> None:
        """Gives the device up and ends the live page; calling it twice is fine."""
        self._closed = True
        self._running = False
        page, self._page = self._page, None
        if page is not None:
            page.close()
        self._connection.drop()
        if isinstance(self._arguments["user"], str):  # a user that was given stays its giver's
            self._user.close()

    def __getstate__(self) -> dict[str, Any]:
        if self._connection.spec is None:
            raise TypeError(
                f"an environment that was given an open device ({self._connection.name}) cannot be pickled; give it "
                'the device\'s spec, such as "embedded:pixel_6a", or send the function that makes it'
            )
        return {"arguments": self._arguments, "spec": self.spec}

    def __setstate__(self, state: dict[str, Any]) -> None:
        # The copy opens a device of its own and needs a reset, like any new environment.
        self.__init__(**state["arguments"])  # type: ignore[misc]
        self.spec = state["spec"]

    def save_episode(self) -> EpisodeState:
        """The episode as it stands, for `reset(options={"episode": …})` of any environment of the same task; picklable.

        Raises:
            ResetNeeded: no episode is running.
            CapabilityMissing: the device's state cannot be taken over by another one; only embedded phones' can.
        """
        if not self._running:
            raise ResetNeeded("no episode is running; call reset() first")
        with self._lock:
            return EpisodeState(
                task=self._task,
                task_seed=self._task_seed,
                language=self._language,
                phone=phone_state(self.device),
                session=self.session.save(),
                budget=self._budget.shifted(-time.monotonic()),
                turn=self._turn,
                last=self._last,
                repeats=self._repeats,
                generator=self.np_random.bit_generator.state,
            )

    # The start.

    def _go_on(self, state: EpisodeState, seed: int | None) -> None:
        """Takes an episode over; the generator too, where no seed was given."""
        if (state.task.id, state.language) != (self._task.id, self._language):
            raise ValueError(
                f"the episode is of task {state.task.id} in {state.language!r}; this environment plays {self._task.id} "
                f"in {self._language!r}"
            )
        device = self._connection.device()
        load_phone_state(device, state.phone)
        session = TaskSession(state.task, device, self._language, reset_mode=self._reset_mode, user=self._user)
        session.load(state.session)
        self._task, self._task_seed = state.task, state.task_seed
        self._budget = state.budget.shifted(time.monotonic())
        self._turn, self._last, self._repeats = state.turn, state.last, state.repeats
        if seed is None:
            self.np_random.bit_generator.state = state.generator
        self._begin(session, device)

    def _natural_size(self) -> tuple[int, int]:
        info = self.device.info
        return (info.height, info.width) if info.rotation % 2 else (info.width, info.height)

    def _drawn_task(self, seed: int) -> Task:
        if not self._task.params:
            return self._task
        return find_task(self._source, seed, self._instructions)

    def _set_up(self) -> None:
        fresh = bool(self._fault) and self._connection.spec is not None
        if fresh:
            self._connection.drop()
        try:
            self._start_session()
        except (DeviceError, SetupError) as error:
            if fresh or self._connection.spec is None or not hands.device_failed(error):
                raise
            self._connection.drop()
            self._start_session()

    def _start_session(self) -> None:
        device = self._connection.device()
        session = TaskSession(self._task, device, self._language, reset_mode=self._reset_mode, user=self._user)
        session.setup()
        self._begin(session, device)
        budget = self._task.budget
        clock = self._time_budget or budget.clock
        self._budget = Budget(budget.steps, budget.seconds, clock)
        self._budget.start(device, time.monotonic())

    def _begin(self, session: TaskSession, device: Device) -> None:
        self._session = session
        self._verdict = session.check()
        self._instruction = spaces.cut(session.instruction, spaces.MAX_INSTRUCTION)
        self._look = self._looked(device)

    # A step.

    def _step(self, action: object) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        self._turn += 1
        before = progress.credited(self._reward, self._verdict)
        claim = error = message = ""
        try:
            device = self._connection.device()
            if self._budget.time_is_up(device, time.monotonic()):
                error = "the time budget was spent before this action came; it was not carried out"
            else:
                parsed, error = self._accept(action)
                if parsed is not None:
                    claim = _CLAIMS.get(parsed.kind, "")
                    message, error = self._act(device, parsed)
                    self._verdict = self.session.check(parsed.text if claim and parsed.text else None, claim)
                else:
                    self._verdict = self.session.check()
                self._look = self._looked(device)
            late = self._budget.time_is_up(device, time.monotonic())
        except DeviceError as failure:
            return self._fail(failure)
        except UserFailed:
            self._running = False
            raise
        claimed = claim in ("finish", "answer")
        verdict = self._verdict
        success = progress.succeeded(verdict, self._task.protocol, claimed)
        ended_by = self._end(claim, success, late)
        truncated = ended_by in ("steps", "time")
        terminated = bool(ended_by) and not truncated
        success = success and terminated
        reward = progress.reward(self._reward, before, progress.credited(self._reward, verdict), success)
        self._running = not ended_by
        observation = self._observation(error or message)
        if self._page is not None:
            self._page.refresh()
        return observation, reward, terminated, truncated, self._info(error, ended_by, claimed, success)

    def _accept(self, action: object) -> tuple[ParsedAction | None, str]:
        """The action where it may be carried out, else None and why not."""
        try:
            parsed = parse_action(action)
        except MalformedAction as problem:
            self._repeats, self._last = 0, None
            return None, f"malformed action: {problem}"
        self._repeats = self._repeats + 1 if parsed == self._last else 1
        self._last = parsed
        if parsed.kind not in self._rules.actions:
            return None, f"{parsed.kind.word} is not allowed in this task; allowed are {self._rules.words()}"
        return parsed, ""

    def _act(self, device: Device, action: ParsedAction) -> tuple[str, str]:
        """Carries an accepted action out; gives the message and the error, mostly empty."""
        self.session.note(action.kind.word, action.point, action.text)
        if action.kind is ActionType.CALL_USER:
            reply = self.session.ask(action.text)
            return (_NO_USER if reply is None else reply), ""
        try:
            hands.perform(device, action, self._look.view.size)
        except hands.REFUSALS as refusal:
            self.session.take_back()
            return "", f"{action.kind.word} failed: {refusal}"
        return "", ""

    def _end(self, claim: str, success: bool, late: bool) -> str:
        if claim:
            return claim
        if success and self._rules.ends_at_goal:
            return "goal"
        if self._rules.repeats is not None and self._repeats >= self._rules.repeats:
            return "repeated_action"
        if late:
            return "time"
        return "steps" if self._turn >= self._budget.steps else ""

    def _fail(self, failure: DeviceError) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """The last step of an episode whose device failed: truncated, with the last view that there was."""
        self._running = False
        self._fault = f"{type(failure).__name__}: {failure}"
        view = self._look.view
        self._look = Look(view._replace(frame=view.frame.copy()), self._look.activity)
        info = self._info("", "device", claimed=False, success=False)
        return self._observation(f"the device failed: {failure}"), 0.0, False, True, info

    def _looked(self, device: Device) -> Look:
        return look_at(device, self._canvas, self._native, self._hierarchy)

    def _observation(self, message: str) -> Observation:
        look = self._look
        observation: Observation = {"screenshot": look.view.frame, "instruction": self._instruction}
        if self._hierarchy:
            observation["hierarchy"] = spaces.cut(look.xml, spaces.MAX_HIERARCHY)
            message = f"{message}\n{look.problem}".strip()
        observation["message"] = spaces.cut(message, spaces.MAX_MESSAGE)
        return observation

    def _info(self, error: str, ended_by: str, claimed: bool, success: bool) -> dict[str, Any]:
        verdict, look = self._verdict, self._look
        return {
            "success": success,
            "goal_reached": verdict.goal_reached,
            "agent_claimed": claimed,
            "ended_by": ended_by,
            "progress": verdict.progress,
            "weighted_progress": verdict.weighted_progress,
            "subtasks": dict(verdict.subtasks),
            "operations": list(verdict.operations),
            "unexpected_changes": list(verdict.unexpected_changes),
            "activity": look.activity,
            "turn": self._turn,
            "action_error": error,
            "device_error": self._fault,
            "action_mask": self._rules.mask(),
            "screen": tuple(look.view.screen),
            "screen_size": look.view.size,
            "task_id": self._task.id,
            "task_seed": self._task_seed,
        }

    def _status(self) -> dict[str, Any]:
        """What the live page tells beside the picture."""
        last = self._last
        return {
            "task": self._task.id,
            "instruction": self._instruction,
            "turn": self._turn,
            "steps": self._budget.steps,
            "running": self._running,
            "progress": self._verdict.progress,
            "goal_reached": self._verdict.goal_reached,
            "action": None
            if last is None
            else {"kind": last.kind.word, "point": last.point, "lift": last.lift, "text": last.text},
        }
