"""`TaskSession`: one task on one device, from its start state to its verdict."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

from mobile_gym.devices.base import Device
from mobile_gym.reward import side_effects
from mobile_gym.reward.criteria import Criterion, Place, judge
from mobile_gym.reward.errors import SetupError, Unverifiable
from mobile_gym.reward.frame import to_pixel
from mobile_gym.reward.leaves import NOTHING, Evidence, Outcome
from mobile_gym.reward.process import (
    Operation,
    ProcessEntry,
    RequiredOperation,
    asked_after,
    asked_before,
    element_at,
    operations_done,
    row_at,
)
from mobile_gym.reward.progress import Verdict, verdict
from mobile_gym.reward.seen import seen
from mobile_gym.reward.start import LOCALES, PROVIDER, ResetMode, Start, StartMaker
from mobile_gym.reward.task_spec import Language, TaskSpec
from mobile_gym.reward.users import Exchange, ScriptedUser, SimulatedUser
from mobile_gym.reward.world import World

__all__ = ["LOCALES", "PROVIDER", "ResetMode", "SetupError", "TaskSession", "Unverifiable", "Verdict"]


@dataclass(frozen=True, slots=True)
class SessionState:
    """What a session knows that its device does not, for one that goes on from there on a fork of the device.

    Attributes:
        start: the start that was made.
        record: the process record, with what was found right after each action.
        conversation: what the user was asked and said.
    """

    start: Start
    record: tuple[ProcessEntry, ...]
    conversation: tuple[Exchange, ...]


class TaskSession:
    """One task on one device.

    Args:
        task: the task.
        device: the device; it stays the caller's.
        language: language of the instruction and of the device.
        reset_mode: `snapshot` restores the task's snapshot; `app_data` clears the data of the task's apps, on devices
            without snapshots; `manual` leaves the device as it stands.
        user: who answers questions in tasks that have a user.
    """

    def __init__(
        self,
        task: TaskSpec,
        device: Device,
        language: Language = "zh",
        reset_mode: ResetMode = "snapshot",
        user: SimulatedUser | None = None,
    ) -> None:
        self.task = task.in_language(language)
        self.device = device
        self.language: Language = language
        self.reset_mode: ResetMode = reset_mode
        self.user: SimulatedUser = user if user is not None else ScriptedUser()
        self._forget()

    def _forget(self) -> None:
        """What there is before an episode."""
        self.answer: str | None = None
        self.ended_by = ""
        self._start: Start | None = None
        self._now: World | None = None
        self._stamps: Mapping[str, Hashable] = {}
        self._changes: tuple[side_effects.Change, ...] = ()
        self._stored: dict[str, Outcome] = {}
        self._record: list[ProcessEntry] = []
        self._last_is_judged = True
        self._conversation: list[Exchange] = []

    @property
    def instruction(self) -> str:
        """What the person asks, in the session's language."""
        return self.task.instruction.zh if self.language == "zh" else self.task.instruction.en

    @property
    def ready(self) -> bool:
        """Whether `setup` has put the task's start on the device."""
        return self._start is not None

    @property
    def unwatched(self) -> tuple[str, ...]:
        """Where this device does not let side effects be looked for, and why."""
        return self._ready().watch.unwatched

    # Set-up.

    def setup(self) -> None:
        """Puts the task's start on the device and verifies that it is there.

        Restores the snapshot, sets language, clock and settings, injects the assets, opens the start screen, lets it
        settle, looks for everything that was injected, and sees to it that no subtask holds that should not: one step,
        which is done wholly or taken back.

        Raises:
            Unverifiable: the device lacks what the task requires.
            SetupError: the start could not be made; names the asset or field. The session is not ready then.
            DeviceError: the device itself failed, as told by one of the errors that are no answer to a command.
        """
        self._forget()
        start = StartMaker(self.task, self.device, self.language, self.reset_mode).make()
        self._stamps = self._stamps_now()
        self._start = start

    def save(self) -> SessionState:
        """What `load` of another session of the same task needs, besides a device in the same state; picklable."""
        start = self._ready()
        self._judge_last()
        return SessionState(start, tuple(self._record), tuple(self._conversation))

    def load(self, state: SessionState) -> None:
        """Goes on from where another session of the same task was, in place of `setup`."""
        self._forget()
        self._start = state.start
        self._record = list(state.record)
        self._conversation = list(state.conversation)

    # The way.

    def note(self, kind: str, point: tuple[int, int] | None = None, text: str = "") -> None:
        """Puts an action on the process record; to be called before the action is carried out.

        Does nothing for tasks that require no operations, so that they cost no look at the screen. What an operation
        states to hold right after it is looked at by the next call that needs it: this one, `check` or `save`.

        Args:
            kind: lower-case word of the action.
            point: where it touches, 0-1000 frame.
            text: what it types, answers or opens.

        Raises:
            HierarchyUnavailable: the screen cannot be read.
        """
        if not self.task.process:
            return
        self._judge_last()
        element: tuple[str, ...] = ()
        row: tuple[str, ...] = ()
        if point is not None:
            tree = self.device.hierarchy()
            at = to_pixel(point, tree.size)
            element, row = element_at(tree, *at), row_at(tree, *at)
        entry = ProcessEntry(kind, element, text, self.device.foreground().package, row)
        already = self._holding(asked_before(self.task.process, [*self._record, entry]))
        self._record.append(replace(entry, already=already))
        self._last_is_judged = False

    def take_back(self) -> None:
        """Takes the last action off the process record: the device refused it, so that nothing was done."""
        if self._record:
            self._record.pop()
            self._last_is_judged = True

    def _judge_last(self) -> None:
        """Notes what holds right after the last action, of what operations state."""
        if self._last_is_judged:
            return
        held = self._holding(asked_after(self.task.process, self._record))
        self._record[-1] = replace(self._record[-1], held=held)
        self._last_is_judged = True

    def _holding(self, criteria: Sequence[Criterion]) -> tuple[Criterion, ...]:
        """Those that hold now. Where none is asked for the device is not looked at, and else only where they look."""
        if not criteria:
            return ()
        start, last = self._ready().world, self._now or self._ready().world
        now = World(self.device, last.kept.still_true(self._stamps, self._stamps_now()))
        evidence = Evidence(now, start, self.answer, self.ended_by, self._told())
        return tuple(one for one in criteria if judge(one, evidence).holds)

    @property
    def record(self) -> tuple[ProcessEntry, ...]:
        """The process record: what was done since the start, for tasks that require operations."""
        return tuple(self._record)

    # The user.

    def ask(self, question: str) -> str | None:
        """Asks the task's user; gives the reply, or None where the task has no user.

        Raises:
            UserFailed: no reply could be had.
        """
        if self.task.user is None:
            return None
        reply = self.user.reply(self.task.user, self.language, self.instruction, question, self._conversation)
        self._conversation.append(Exchange(question, reply))
        return reply.text

    @property
    def conversation(self) -> tuple[Exchange, ...]:
        """What the user was asked and said since the start."""
        return tuple(self._conversation)

    # Verdicts.

    def _ready(self) -> Start:
        if self._start is None:
            raise RuntimeError(f"the session of task {self.task.id} is not set up; call setup() first")
        return self._start

    def _stamps_now(self) -> Mapping[str, Hashable]:
        """The device's own word, by part, for "nothing changed"; empty where it has none."""
        stamps = getattr(self.device, "change_stamps", None)
        found: Mapping[str, Hashable] = stamps() if callable(stamps) else {}
        return found

    def _look(self) -> None:
        """Looks at the device now; what the device says did not change is not read again."""
        start, watch, _ = self._ready()
        stamps, last = self._stamps_now(), self._now or start
        if not stamps or stamps != self._stamps:
            self._now = World(self.device, last.kept.still_true(self._stamps, stamps))
            self._changes = side_effects.changes(start, self._now, watch)
            self._stored = {}
        else:
            self._now = World(self.device, last.kept)
        self._stamps = stamps

    def check(self, answer: str | None = None, ended_by: str = "") -> Verdict:
        """The verdict over the device as it stands now.

        Args:
            answer: what the agent answered; it is kept for later checks.
            ended_by: how the agent ended the episode, `finish`, `answer` or `finish_infeasible`; kept too.

        Raises:
            RuntimeError: the session was not set up.
            DeviceError: the device failed.
        """
        self._ready()
        if answer is not None:
            self.answer = answer
        self.ended_by = ended_by or self.ended_by
        self._judge_last()
        self._look()
        return self.judge_as(self.evidence)

    def judge_as(
        self,
        evidence: Evidence,
        without: tuple[str, Place] | None = None,
        side_effects_count: bool = True,
        operations: Sequence[RequiredOperation] | None = None,
    ) -> Verdict:
        """The verdict over evidence from the last look; the proofs take parts of the task away with it.

        Args:
            evidence: the device now and at the start.
            without: id of a subtask and the place of a criterion in it that is taken away.
            side_effects_count: whether unexpected changes are reported.
            operations: what is required on the way; None for all that the task does.
        """
        outcomes: dict[str, Outcome] = {}
        for subtask in self.task.subtasks:
            if without is not None and without[0] == subtask.id:
                outcomes[subtask.id] = judge(subtask.criterion, evidence, without[1])
                continue
            found = self._stored.get(subtask.id)
            if found is None:
                found = judge(subtask.criterion, evidence)
                if subtask.criterion.stored:
                    self._stored[subtask.id] = found
            outcomes[subtask.id] = found
        claims = NOTHING.union(*(outcome.claims for outcome in outcomes.values()))

        def in_force(operation: Operation) -> bool:
            """Whether it was not taken back; what it brought about and is there still is accounted for."""
            nonlocal claims
            claims = claims.union(*(judge(one, evidence).claims for one in operation.criteria))
            return operation.still_in_force is None or judge(operation.still_in_force, evidence).holds

        done = operations_done(self.task.process if operations is None else operations, self._record, in_force)
        told = side_effects.unexpected(self._changes, self.task.allowed_changes, claims) if side_effects_count else ()
        met = frozenset(name for name, outcome in outcomes.items() if outcome.holds)
        return verdict(
            {name: outcome.holds for name, outcome in outcomes.items()},
            {subtask.id: subtask.weight for subtask in self.task.subtasks},
            tuple(str(change) for change in told),
            done,
            by_event=bool(met - self._ready().met),
        )

    @property
    def evidence(self) -> Evidence:
        """The evidence of the last check."""
        start = self._ready().world
        if self._now is None:
            raise RuntimeError(f"the session of task {self.task.id} was not checked yet; call check() first")
        return Evidence(self._now, start, self.answer, self.ended_by, self._told())

    def _told(self) -> frozenset[str]:
        return NOTHING.union(*(exchange.reply.told for exchange in self._conversation))

    def seen(self) -> dict[str, list[str]]:
        """What there was of each subtask at the last check, in words: one for each leaf of its criterion."""
        evidence = self.evidence
        return {subtask.id: seen(subtask.criterion, evidence) for subtask in self.task.subtasks}

    @property
    def changes(self) -> tuple[side_effects.Change, ...]:
        """All changes since the start, expected or not, as of the last check."""
        return self._changes
