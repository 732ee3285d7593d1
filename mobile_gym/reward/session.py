"""`TaskSession`: one task on one device, from its start state to its verdict."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from typing import Literal

from mobile_gym.assets.base import Entry
from mobile_gym.assets.general import Setting, SettingType, setting_text
from mobile_gym.assets.table import Asset
from mobile_gym.devices.base import Capability, Device
from mobile_gym.devices.errors import CapabilityMissing, CommandFailed, SnapshotMissing
from mobile_gym.reward import side_effects
from mobile_gym.reward.criteria import Criterion, Place, judge
from mobile_gym.reward.errors import SetupError, Unverifiable
from mobile_gym.reward.frame import to_pixel
from mobile_gym.reward.leaves import NOTHING, Evidence, Outcome
from mobile_gym.reward.matching import differing_fields
from mobile_gym.reward.process import ProcessEntry, element_at, operations_done
from mobile_gym.reward.progress import Verdict, verdict
from mobile_gym.reward.protocol_actions import ALL_ACTIONS
from mobile_gym.reward.task_spec import Language, TaskSpec
from mobile_gym.reward.world import World

ResetMode = Literal["snapshot", "app_data", "manual"]
LOCALES = {"zh": "zh-Hans-CN", "en": "en-US"}
PROVIDER = "provider:"

__all__ = ["ResetMode", "SetupError", "TaskSession", "Unverifiable", "Verdict"]


class TaskSession:
    """One task on one device.

    Args:
        task: the task.
        device: the device; it stays the caller's.
        language: language of the instruction and of the device.
        reset_mode: `snapshot` restores the task's snapshot; `app_data` clears the data of the task's apps, on devices
            without snapshots; `manual` leaves the device as it stands.
    """

    def __init__(
        self,
        task: TaskSpec,
        device: Device,
        language: Language = "zh",
        reset_mode: ResetMode = "snapshot",
    ) -> None:
        self.task = task.in_language(language)
        self.device = device
        self.language: Language = language
        self.reset_mode: ResetMode = reset_mode
        self.answer: str | None = None
        self._start: World | None = None
        self._watch: side_effects.Watch | None = None
        self._now: World | None = None
        self._stamps: Mapping[str, Hashable] = {}
        self._changes: tuple[side_effects.Change, ...] = ()
        self._stored: dict[str, Outcome] = {}
        self._record: list[ProcessEntry] = []

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
        return self._ready()[1].unwatched

    # Set-up.

    def setup(self) -> None:
        """Puts the task's start on the device and verifies that it is there.

        Restores the snapshot, sets language, clock and settings, injects the assets, opens the start screen, lets it
        settle, looks for everything that was injected, and sees to it that no subtask holds that should not.

        Raises:
            Unverifiable: the device lacks what the task requires.
            SetupError: the start could not be made; names the asset or field. The session is not ready then.
            DeviceError: the device itself failed, as told by one of the errors that are no answer to a command.
        """
        self._start = self._watch = self._now = self.answer = None
        self._stamps, self._changes, self._stored, self._record = {}, (), {}, []
        self._check_capabilities()
        self._reset()
        self._check_providers()
        self._set_language()
        self._set_clock()
        for key, value in self.task.start.settings.items():
            with self._blame(f"start.settings['{key}']"):
                SettingType().inject(self.device, Setting(key=key, value=value))
        for index, asset in enumerate(self.task.assets):
            with self._blame(f"assets[{index}].{asset.kind}"):
                asset.type.inject(self.device, asset.spec)
        self._open_screen()
        world = World(self.device)
        self._verify(world)
        watch = side_effects.watch_for(self.device, world, self._row_uris())
        side_effects.look_at(world, watch)
        self._verify_subtasks(world)
        world.freeze()
        self._stamps = self._stamps_now()
        self._start, self._watch = world, watch

    @contextmanager
    def _blame(self, where: str) -> Iterator[None]:
        """Names a field of the task in what goes wrong; a device that is gone stays a device error."""
        try:
            yield
        except (CapabilityMissing, CommandFailed, SnapshotMissing, ValueError) as error:
            raise SetupError(self.task.id, where, str(error)) from error

    def _check_capabilities(self) -> None:
        has = {str(capability) for capability in self.device.capabilities}
        wanted = {name for name in self.task.requirements if not name.startswith(PROVIDER)}
        if self.task.start.clock is not None:
            wanted.add(Capability.CLOCK)
        missing = tuple(sorted(wanted - has))
        if missing:
            raise Unverifiable(self.task.id, self.device.serial, missing)

    def _check_providers(self) -> None:
        authorities = (name for name in self.task.requirements if name.startswith(PROVIDER))
        missing = [name for name in sorted(authorities) if not self._serves(name.removeprefix(PROVIDER))]
        if missing:
            raise Unverifiable(self.task.id, self.device.serial, tuple(missing))

    def _serves(self, authority: str) -> bool:
        probe = _PROBES.get(authority, f"content://{authority}")
        try:
            self.device.content.query(probe, where="0")
        except CommandFailed:
            return False
        return True

    def _reset(self) -> None:
        if self.reset_mode == "snapshot":
            if Capability.SNAPSHOTS not in self.device.capabilities:
                raise SetupError(
                    self.task.id,
                    "start.snapshot",
                    f"{self.device.serial} has no snapshots; choose reset_mode 'app_data' (clears the data of the "
                    "task's apps) or 'manual' (leaves the device as it stands)",
                )
            with self._blame("start.snapshot"):
                self.device.snapshots.load(self._snapshot())
        elif self.reset_mode == "app_data":
            for package in self.task.apps:
                with self._blame(f"apps ('{package}')"):
                    self.device.reset_app(package)

    def _snapshot(self) -> str:
        """The snapshot with the data of the session's language where the device has one, such as `lived_in-en`."""
        name = self.task.start.snapshot
        spoken = f"{name}-{self.language}"
        return spoken if spoken in self.device.snapshots.list() else name

    def _set_language(self) -> None:
        if self.device.info.language == self.language:
            return
        with self._blame("language"):
            self.device.settings.put("system", "system_locales", LOCALES[self.language])
            self.device.settle()
        if self.device.info.language != self.language:
            raise SetupError(
                self.task.id,
                "language",
                f"{self.device.serial} speaks {self.device.info.language!r} and would not change; set its language to "
                f"{LOCALES[self.language]}, or run the task with language={self.device.info.language!r}",
            )

    def _set_clock(self) -> None:
        if self.task.start.clock is not None:
            with self._blame("start.clock"):
                self.device.clock.set(self.task.start.clock)

    def _open_screen(self) -> None:
        screen = self.task.start.screen
        with self._blame("start.screen"):
            if screen is None:
                self.device.press("home")
            elif screen.app is not None:
                self.device.open_app(screen.app)
            else:
                self.device.start_activity(screen.component, screen.action, screen.data, screen.extras or None)
            self.device.settle()
        self._go_on()
        if screen is not None and screen.shows is not None:
            shown = Criterion.of("visible_text", {"contains": screen.shows})
            world = World(self.device)
            if not judge(shown, Evidence(world, world)).holds:
                raise SetupError(self.task.id, "start.screen", f"the screen does not show '{screen.shows}'")

    def _go_on(self) -> None:
        """Does the steps that lead from the opened screen to where the episode starts."""
        # The runner of steps looks at a session, so it lies beside this module and not below it.
        from mobile_gym.reward.demonstration import DemonstrationError, DemonstrationRunner, perform

        try:
            for action in DemonstrationRunner(self.device, self, ALL_ACTIONS).steps(self.task.start.steps):
                perform(self.device, action)
        except (DemonstrationError, CommandFailed) as error:
            raise SetupError(self.task.id, "start.steps", str(error)) from error

    def _verify(self, world: World) -> None:
        evidence = Evidence(world, world)
        for key, value in self.task.start.settings.items():
            namespace, _, name = key.partition("/")
            found = world.setting(namespace, name)
            wanted = None if value is None else setting_text(value)
            if found != wanted:
                raise SetupError(
                    self.task.id, f"start.settings['{key}']", f"the device keeps {found!r} instead of {wanted!r}"
                )
        for index, asset in enumerate(self.task.assets):
            where = f"assets[{index}].{asset.kind}"
            with self._blame(where):
                held = judge(Criterion.of(asset.kind, asset.plain()[asset.kind]), evidence).holds
            if not held:
                raise SetupError(self.task.id, where, _missing(asset, world))

    def _verify_subtasks(self, world: World) -> None:
        for subtask in self.task.subtasks:
            with self._blame(f"subtask '{subtask.id}'"):
                holds = judge(subtask.criterion, Evidence(world, world)).holds
            if holds and not subtask.holds_at_start:
                raise SetupError(
                    self.task.id,
                    f"subtask '{subtask.id}'",
                    "it holds already at the start; change the start, or say 'holds_at_start: true'",
                )

    def _row_uris(self) -> frozenset[str]:
        found = {asset.spec.uri for asset in self.task.assets if asset.kind == "row"}
        for subtask in self.task.subtasks:
            found |= {part.spec.uri for _, part in subtask.criterion.walk() if part.kind == "row"}
        return frozenset(found)

    # The way.

    def note(self, kind: str, point: tuple[int, int] | None = None, text: str = "") -> None:
        """Puts an action on the process record; to be called before the action is carried out.

        Does nothing for tasks that require no operations, so that they cost no look at the screen.

        Args:
            kind: lower-case word of the action.
            point: where it touches, 0-1000 frame.
            text: what it types, answers or opens.

        Raises:
            HierarchyUnavailable: the screen cannot be read.
        """
        if not self.task.process:
            return
        element: tuple[str, ...] = ()
        if point is not None:
            tree = self.device.hierarchy()
            element = element_at(tree, *to_pixel(point, tree.size))
        self._record.append(ProcessEntry(kind, element, text, self.device.foreground().package))

    @property
    def record(self) -> tuple[ProcessEntry, ...]:
        """The process record: what was done since the start, for tasks that require operations."""
        return tuple(self._record)

    # Verdicts.

    def _ready(self) -> tuple[World, side_effects.Watch]:
        if self._start is None or self._watch is None:
            raise RuntimeError(f"the session of task {self.task.id} is not set up; call setup() first")
        return self._start, self._watch

    def _stamps_now(self) -> Mapping[str, Hashable]:
        """The device's own word, by part, for "nothing changed"; empty where it has none."""
        stamps = getattr(self.device, "change_stamps", None)
        found: Mapping[str, Hashable] = stamps() if callable(stamps) else {}
        return found

    def _look(self) -> World:
        """A look at the device now; what the device says did not change is not read again."""
        start, watch = self._ready()
        stamps, last = self._stamps_now(), self._now or start
        if not stamps or stamps != self._stamps:
            self._now = World(self.device, last.kept.still_true(self._stamps, stamps))
            self._changes = side_effects.changes(start, self._now, watch)
            self._stored = {}
        else:
            self._now = World(self.device, last.kept)
        self._stamps = stamps
        return self._now

    def check(self, answer: str | None = None) -> Verdict:
        """The verdict over the device as it stands now.

        Args:
            answer: what the agent answered; it is kept for later checks.

        Raises:
            RuntimeError: the session was not set up.
            DeviceError: the device failed.
        """
        start, _ = self._ready()
        if answer is not None:
            self.answer = answer
        return self.judge_as(Evidence(self._look(), start, self.answer))

    def judge_as(
        self,
        evidence: Evidence,
        without: tuple[str, Place] | None = None,
        side_effects_count: bool = True,
        without_operation: int | None = None,
    ) -> Verdict:
        """The verdict over evidence from the last look; the proofs take parts of the task away with it.

        Args:
            evidence: the device now and at the start.
            without: id of a subtask and the place of a criterion in it that is taken away.
            side_effects_count: whether unexpected changes are reported.
            without_operation: which of the required operations is taken away.
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
        operations = [one for number, one in enumerate(self.task.process) if number != without_operation]
        claims = NOTHING.union(*(outcome.claims for outcome in outcomes.values()))
        told = side_effects.unexpected(self._changes, self.task.allowed_changes, claims) if side_effects_count else ()
        return verdict(
            {name: outcome.holds for name, outcome in outcomes.items()},
            {subtask.id: subtask.weight for subtask in self.task.subtasks},
            tuple(str(change) for change in told),
            operations_done(operations, self._record),
        )

    @property
    def evidence(self) -> Evidence:
        """The evidence of the last check."""
        start, _ = self._ready()
        if self._now is None:
            raise RuntimeError(f"the session of task {self.task.id} was not checked yet; call check() first")
        return Evidence(self._now, start, self.answer)

    @property
    def changes(self) -> tuple[side_effects.Change, ...]:
        """All changes since the start, expected or not, as of the last check."""
        return self._changes


_PROBES = {
    "com.android.deskclock": "content://com.android.deskclock/alarms",
    "com.android.messaging": "content://com.android.messaging/conversations",
    "mobile_gym.notifications": "content://mobile_gym.notifications/active",
    "mobile_gym.storage": "content://mobile_gym.storage/caches",
    "mobile_gym.clipboard": "content://mobile_gym.clipboard/primary",
}
"""Tables by which it is found out whether an authority is served."""


def _missing(asset: Asset, world: World) -> str:
    """What to say of an asset that was injected and is not found."""
    wanted = ", ".join(f"{name}={value!r}" for name, value in asset.type.wanted(asset.spec).items())
    entries = asset.type.entries(world)
    if not entries:
        return f"it was put on the device but is not there ({wanted})"
    nearest: Entry = min(entries, key=lambda entry: len(differing_fields(asset.type, asset.spec, entry)))
    wrong = ", ".join(
        f"{name}={nearest.fields.get(name)!r}" for name in differing_fields(asset.type, asset.spec, nearest)
    )
    return f"it was put on the device but is not there ({wanted}); the nearest entry has {wrong}"
