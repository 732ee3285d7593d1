"""What a device lacks, and for which suites, in plain words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from importlib import resources

import yaml

from mobile_gym.devices.base import Capability, Device


@dataclass(frozen=True, slots=True)
class Finding:
    """One capability of a device.

    Attributes:
        capability: its name.
        present: whether the device has it.
        what: what it is.
        without: what cannot be done without it.
        how: how a device gets it.
        needed_by: the suites that need it, with how many of their tasks do.
    """

    capability: str
    present: bool
    what: str
    without: str
    how: str
    needed_by: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Report:
    """What was found on a device.

    Attributes:
        serial: the device.
        model: its model and Android version.
        findings: one for each capability.
        tasks: by suite, how many tasks it has and how many the device can verify.
    """

    serial: str
    model: str
    findings: tuple[Finding, ...]
    tasks: Mapping[str, tuple[int, int]]

    @property
    def lacking(self) -> tuple[Finding, ...]:
        """Capabilities that the device lacks, those that suites need first."""
        missing = [finding for finding in self.findings if not finding.present]
        return tuple(sorted(missing, key=lambda finding: -sum(finding.needed_by.values())))

    @property
    def sound(self) -> bool:
        """Whether the device lacks nothing that a suite needs."""
        return not any(finding.needed_by for finding in self.lacking)

    def to_json(self) -> str:
        """The report as a JSON object."""
        return json.dumps({**asdict(self), "sound": self.sound}, ensure_ascii=False, indent=2)

    def to_text(self) -> str:
        """The report for people."""
        lines = [f"{self.serial}: {self.model}"]
        for finding in self.findings:
            lines.append(f"  {'yes' if finding.present else 'NO '}  {finding.capability:<13} {finding.what}")
        for finding in self.lacking:
            lines.append(f"Without {finding.capability}: {finding.without}.")
            if finding.needed_by:
                needed = ", ".join(f"{suite} ({count} tasks)" for suite, count in finding.needed_by.items())
                lines.append(f"  Needed by {needed}.")
            lines.append(f"  To get it: {finding.how}.")
        for suite, (total, able) in self.tasks.items():
            lines.append(f"Suite {suite}: {able} of {total} tasks can be verified on this device.")
        return "\n".join(lines)


def lacks(device: Device, requires: Iterable[str]) -> tuple[str, ...]:
    """The capabilities of `requires` that a device lacks, in the order given.

    Raises:
        ValueError: a name that is no capability.
    """
    wanted = list(dict.fromkeys(requires))
    unknown = [name for name in wanted if name not in set(Capability)]
    if unknown:
        raise ValueError(f"no such capability: {', '.join(unknown)}; there are {', '.join(Capability)}")
    return tuple(name for name in wanted if name not in device.capabilities)


def examine(device: Device, requires: Mapping[str, Mapping[str, Iterable[str]]] | None = None) -> Report:
    """Examines a device.

    Args:
        device: the device.
        requires: by suite and task, the capabilities that the task requires.

    Raises:
        ValueError: a task requires what is no capability; the message names it.
    """
    words = _words()
    present = device.capabilities
    needed: dict[str, dict[str, int]] = {capability: {} for capability in Capability}
    tasks: dict[str, tuple[int, int]] = {}
    for suite, by_task in (requires or {}).items():
        able = 0
        for task, names in by_task.items():
            try:
                missing = lacks(device, names)
            except ValueError as error:
                raise ValueError(f"task {task}: {error}") from error
            able += not missing
            for name in dict.fromkeys(names):
                needed[name][suite] = needed[name].get(suite, 0) + 1
        tasks[suite] = (len(by_task), able)
    info = device.info
    findings = tuple(
        Finding(
            str(capability),
            capability in present,
            words[capability]["what"],
            words[capability]["without"],
            words[capability]["how"],
            needed[capability],
        )
        for capability in Capability
    )
    return Report(
        device.serial,
        f"{info.model}, Android {info.release}, {info.width}x{info.height}, {info.language}",
        findings,
        tasks,
    )


def _words() -> dict[str, dict[str, str]]:
    text = resources.files("mobile_gym.devices").joinpath("doctor.yaml").read_text("utf-8")
    words: dict[str, dict[str, str]] = yaml.safe_load(text)
    return words
