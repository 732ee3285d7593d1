"""The start of an episode: made on a device in one step, verified, and taken back where it cannot be made."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, NamedTuple

from mobile_gym.assets.base import Entry
from mobile_gym.assets.general import Setting, SettingType, setting_text
from mobile_gym.assets.table import Asset
from mobile_gym.devices.base import Capability, Device
from mobile_gym.devices.errors import CapabilityMissing, CommandFailed, DeviceError, SnapshotMissing
from mobile_gym.reward import side_effects
from mobile_gym.reward.criteria import Criterion, judge
from mobile_gym.reward.errors import SetupError, Unverifiable
from mobile_gym.reward.leaves import Evidence
from mobile_gym.reward.matching import differing_fields
from mobile_gym.reward.protocol_actions import ALL_ACTIONS
from mobile_gym.reward.task_spec import Language, TaskSpec
from mobile_gym.reward.world import World

ResetMode = Literal["snapshot", "app_data", "manual"]
LOCALES = {"zh": "zh-Hans-CN", "en": "en-US"}
PROVIDER = "provider:"


class Start(NamedTuple):
    """The start that was made.

    Attributes:
        world: the look at it, frozen.
        watch: where side effects are looked for.
        met: ids of the subtasks that hold already.
    """

    world: World
    watch: side_effects.Watch
    met: frozenset[str]


class StartMaker:
    """Makes the start of one task on one device.

    Args:
        task: the task, in the language.
        device: the device.
        language: language of the device.
        reset_mode: how what was there before is taken away, see `TaskSession`.
    """

    def __init__(self, task: TaskSpec, device: Device, language: Language, reset_mode: ResetMode) -> None:
        self.task = task
        self.device = device
        self.language: Language = language
        self.reset_mode: ResetMode = reset_mode

    def make(self) -> Start:
        """Puts the start on the device, wholly or not at all.

        Restores the snapshot (with it go data, caches, sessions and activity stacks of every app) or clears the data of
        the task's apps, sets language, clock and settings, injects the assets, opens the start screen, and verifies.
        Where a step after the reset fails the device is reset once more, so that no part of the start is left on it.

        Raises:
            Unverifiable: the device lacks what the task requires.
            SetupError: the start could not be made; names the asset or field.
            DeviceError: the device itself failed.
        """
        self._check_capabilities()
        self._reset()
        try:
            self._check_providers()
            return self._put()
        except SetupError as error:
            problem = self._take_back()
            if problem:
                raise SetupError(error.task, error.where, f"{error.problem}; and it {problem}") from error
            raise

    def _take_back(self) -> str:
        """Takes a half-made start away again; says why it could not where it could not."""
        try:
            self._reset()
        except (SetupError, DeviceError) as failure:
            return f"could not be taken back: {failure}"
        return ""

    def _put(self) -> Start:
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
        met = self._verify_subtasks(world)
        world.freeze()
        return Start(world, watch, met)

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
        # The runner of steps lies beside this module and not below it.
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

    def _verify_subtasks(self, world: World) -> frozenset[str]:
        met = set()
        for operation in (one for required in self.task.process for one in required.leaves):
            for criterion in operation.criteria:
                with self._blame("process"):
                    judge(criterion, Evidence(world, world))
        for subtask in self.task.subtasks:
            with self._blame(f"subtask '{subtask.id}'"):
                holds = judge(subtask.criterion, Evidence(world, world)).holds
            if holds and not subtask.holds_at_start:
                raise SetupError(
                    self.task.id,
                    f"subtask '{subtask.id}'",
                    "it holds already at the start; change the start, or say 'holds_at_start: true'",
                )
            if holds:
                met.add(subtask.id)
        return frozenset(met)

    def _row_uris(self) -> frozenset[str]:
        found = {asset.spec.uri for asset in self.task.assets if asset.kind == "row"}
        criteria = [subtask.criterion for subtask in self.task.subtasks]
        for required in self.task.process:
            criteria += [criterion for one in required.leaves for criterion in one.criteria]
        for criterion in criteria:
            found |= {part.spec.uri for _, part in criterion.walk() if part.kind == "row"}
        return frozenset(found)


_PROBES = {
    "com.android.deskclock": "content://com.android.deskclock/alarms",
    "com.android.calendar": "content://com.android.calendar/events",
    "com.mobench.messenger": "content://com.mobench.messenger/chats",
    "com.mobench.oakridge": "content://com.mobench.oakridge/cart",
    "com.mobench.shop": "content://com.mobench.shop/cart",
    "com.mobench.wallet": "content://com.mobench.wallet/bills",
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
