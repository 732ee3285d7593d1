"""What a pool decides: who gets which device, and which is put aside."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from mobile_gym.envs.ray.pool_state import MOST_FAILURES, PoolError, PoolState, load_plan

A, B, C = "adb:a", "adb:b", "adb:c"


def test_devices_are_lent_in_turn() -> None:
    pool = PoolState((A, B))
    assert pool.lease("one") == A
    pool.give_back(A)
    assert pool.lease("two") == B
    assert pool.lease("three") == A
    assert pool.lease("four") is None
    assert pool.owner_of(A) == "three"


def test_three_failures_running_put_a_device_aside() -> None:
    pool = PoolState((A, B))
    assert pool.lease("one") == A
    assert not pool.report_failure(A, "first")
    pool.report_success(A)
    assert [pool.report_failure(A, reason) for reason in ("second", "third", "no snapshot")] == [False, False, True]
    assert pool.owner_of(A) == ""
    report = pool.report()
    assert [(one.spec, one.status, one.reason) for one in report.aside] == [(A, "aside", "no snapshot")]
    assert "3 failures: no snapshot" in report.to_text()
    assert pool.lease("two") == B
    assert pool.lease("three") is None
    assert not pool.exhausted
    pool.give_back(A)
    pool.put_back(A)
    assert pool.lease("three") == A


def test_a_device_that_failed_is_lent_last() -> None:
    pool = PoolState((A, B, C))
    pool.report_failure(A, "slow")
    assert [pool.lease(name) for name in "123"] == [B, C, A]


def test_what_a_dead_owner_had_is_free() -> None:
    pool = PoolState((A, B, C))
    assert [pool.lease("dead"), pool.lease("alive"), pool.lease("dead")] == [A, B, C]
    assert pool.owner_died("dead") == [A, C]
    assert [one.status for one in pool.report().devices] == ["free", "lent", "free"]


def test_an_exhausted_pool_says_why() -> None:
    pool = PoolState((A,))
    pool.put_aside(A, "unplugged")
    assert pool.exhausted
    assert pool.why_none() == "no device is left in the pool; all were put aside: adb:a: unplugged"


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(PoolError, match="adb:a is in the pool twice"):
        PoolState((A, A))
    with pytest.raises(ValueError, match="names no device"):
        PoolState(("a",))
    with pytest.raises(PoolError, match="no device 'adb:z'; it has adb:a"):
        PoolState((A,)).give_back("adb:z")
    with pytest.raises(ValueError, match="needs an owner"):
        PoolState((A,)).lease("")


class Pool(RuleBasedStateMachine):
    """A pool against what is plainly known of it: who was lent what, and how often each failed."""

    SPECS = (A, B, C)
    specs = st.sampled_from(SPECS)
    owners = st.sampled_from(("one", "two"))

    def __init__(self) -> None:
        super().__init__()
        self.pool = PoolState(self.SPECS)
        self.lent: dict[str, str] = {}
        self.failures = dict.fromkeys(self.SPECS, 0)
        self.aside: set[str] = set()

    @rule(owner=owners)
    def lease(self, owner: str) -> None:
        free = [spec for spec in self.SPECS if spec not in self.lent and spec not in self.aside]
        spec = self.pool.lease(owner)
        if not free:
            assert spec is None
            return
        assert spec in free
        assert self.failures[spec] == min(self.failures[one] for one in free)
        self.lent[spec] = owner

    @rule(spec=specs)
    def give_back(self, spec: str) -> None:
        self.pool.give_back(spec)
        self.lent.pop(spec, None)

    @rule(spec=specs)
    def fail(self, spec: str) -> None:
        self.failures[spec] += 1
        aside = self.pool.report_failure(spec, "why")
        if self.failures[spec] >= MOST_FAILURES:
            self.aside.add(spec)
            self.lent.pop(spec, None)
        assert aside == (spec in self.aside)

    @rule(spec=specs)
    def succeed(self, spec: str) -> None:
        self.pool.report_success(spec)
        self.failures[spec] = 0

    @rule(spec=specs)
    def put_back(self, spec: str) -> None:
        self.pool.put_back(spec)
        self.failures[spec] = 0
        self.aside.discard(spec)

    @rule(owner=owners)
    def die(self, owner: str) -> None:
        had = [spec for spec in self.SPECS if self.lent.get(spec) == owner]
        assert self.pool.owner_died(owner) == had
        for spec in had:
            del self.lent[spec]

    @invariant()
    def is_as_told(self) -> None:
        for one in self.pool.report().devices:
            assert one.owner == self.lent.get(one.spec, "")
            assert one.failures == self.failures[one.spec]
            assert one.status == ("aside" if one.spec in self.aside else "lent" if one.owner else "free")
        assert self.pool.exhausted == (len(self.aside) == len(self.SPECS))


TestPool = Pool.TestCase
TestPool.settings = settings(max_examples=60, stateful_step_count=30)


def test_a_pools_file(tmp_path: Path) -> None:
    file = tmp_path / "pool.yaml"
    file.write_text("name: desk\ndevices: [adb:a, adb:10.0.0.2:5555]\navds: [{name: pixel, port: 5560}]\n")
    plan = load_plan(file)
    assert (plan.name, plan.devices, plan.avds[0].name, plan.avds[0].port) == ("desk", (A, "adb:10.0.0.2:5555"),
                                                                               "pixel", 5560)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("devices: {", "is no YAML"),
        ("devices: adb:a", "is wrong at devices"),
        ("phones: [adb:a]", "is wrong at phones"),
        ("devices: [adb:a, adb:a]", "adb:a is in the pool twice"),
        ("devices: [a]", "'a' names no device"),
        ("name: empty", "names no device"),
        ("avds: [{name: pixel, port: 5555}]", "console port is even, not 5555"),
    ],
)
def test_a_wrong_file_is_told(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "pool.yaml"
    file.write_text(text)
    with pytest.raises(PoolError, match=told) as raised:
        load_plan(file)
    assert str(file) in str(raised.value)
