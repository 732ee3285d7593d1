"""ElderBench's numbers against values that were worked out by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from mobile_gym.evaluation.elder_metrics import (
    FeatureTable,
    correlations,
    feature_table,
    mcnemar_exact,
    metrics,
    paired,
    paired_bootstrap,
    pearson,
    tally_failures,
)
from mobile_gym.evaluation.factorization import fit, gradient, logits, standardized
from mobile_gym.evaluation.models import EpisodeRecord, EpisodeTiming, TurnTiming


def record(task: str, success: bool = False, **fields: Any) -> EpisodeRecord:
    fixed: dict[str, Any] = {"suite": "elder", "suite_version": "1", "task_hash": "x", "protocol": "online", "seed": 0}
    more: dict[str, Any] = {"device": "d", "policy": "p", "language": "zh", "status": "done"}
    return EpisodeRecord.model_validate({**fixed, **more, "task": task, "success": success, **fields})


def timing(task: str, *turns: tuple[float | None, float | None, int | None, int | None]) -> EpisodeTiming:
    return EpisodeTiming(
        task=task,
        seed=0,
        started="",
        reset_seconds=0,
        seconds=0,
        turns=[
            TurnTiming(
                policy_seconds=9,
                env_seconds=9,
                reasoning_seconds=reasoning,
                parsing_seconds=parsing,
                prompt_tokens=prompt,
                generated_tokens=generated,
            )
            for reasoning, parsing, prompt, generated in turns
        ],
    )


def test_success_latency_and_tokens_overall_online_and_offline() -> None:
    records = [
        record("a", success=True),
        record("b"),
        record("c", success=True, protocol="graph"),
        record("d", success=True, status="not_run"),
    ]
    timings = [
        timing("a", (1.0, 0.5, 100, 10), (2.0, 0.5, 200, 20)),
        timing("b", (6.0, 0.0, 50, 5)),
        timing("c", (3.0, 0.0, 1000, 0)),
        timing("d", (99.0, 0.0, 9999, 0)),
    ]
    overall, online, offline = (metrics(records, timings, mode) for mode in ("overall", "online", "offline"))
    assert (overall.tasks, online.tasks, offline.tasks) == (3, 2, 1)
    assert overall.success_rate == pytest.approx(2 / 3)
    assert online.success_rate == pytest.approx(1 / 2)
    # all turns weigh the same, not all tasks: (1.5 + 2.5 + 6) / 3
    assert online.latency == pytest.approx(10 / 3)
    assert overall.latency == pytest.approx(13 / 4)
    assert offline.latency == pytest.approx(3.0)
    # per task: (330 + 55) / 2
    assert online.tokens == pytest.approx(192.5)
    assert overall.tokens == pytest.approx((330 + 55 + 1000) / 3)


def test_nothing_measured_is_no_number() -> None:
    found = metrics([record("a")], [timing("a", (None, None, None, None))])
    assert (found.success_rate, found.latency, found.tokens) == (0.0, None, None)
    assert metrics([], []).success_rate is None


@pytest.mark.parametrize(
    ("gained", "lost", "p"),
    [(0, 0, 1.0), (5, 0, 2 / 32), (0, 5, 2 / 32), (6, 2, 2 * (1 + 8 + 28) / 256), (3, 3, 1.0)],
)
def test_mcnemar_by_hand(gained: int, lost: int, p: float) -> None:
    assert mcnemar_exact(gained, lost) == pytest.approx(p)


def test_bootstrap_holds_the_mean_and_knows_certainty() -> None:
    assert paired_bootstrap([1] * 20) == (1.0, 1.0)
    differences = [1] * 30 + [0] * 64 + [-1] * 6
    low, high = paired_bootstrap(differences, seed=1)
    spread = math.sqrt(np.var(differences) / 100)
    assert low == pytest.approx(0.24 - 1.96 * spread, abs=0.02)
    assert high == pytest.approx(0.24 + 1.96 * spread, abs=0.02)
    assert paired_bootstrap(differences, seed=1) == (low, high)
    with pytest.raises(ValueError, match="no pairs"):
        paired_bootstrap([])


def test_pairs_by_category() -> None:
    def run(successes: str) -> list[EpisodeRecord]:
        tags = ["indirect_speech", "indirect_speech", "clear_and_explicit", "clear_and_explicit"]
        return [
            record(f"t{number}", success=mark == "1", tags={"semantics": tag})
            for number, (mark, tag) in enumerate(zip(successes, tags, strict=True))
        ]

    after = run("1110")
    after[0] = after[0].model_copy(update={"status": "not_run"})
    clear, indirect, overall = paired(run("0010"), after, draws=100)
    assert (clear.group, clear.tasks, clear.original, clear.rewritten, clear.difference) == (
        "clear_and_explicit",
        2,
        1,
        1,
        0,
    )
    assert (indirect.tasks, indirect.gained, indirect.lost, indirect.p_value) == (1, 1, 0, 1.0)
    assert (overall.tasks, overall.original, overall.rewritten) == (3, 1, 2)
    with pytest.raises(ValueError, match="in common"):
        paired(run("0000"), [record("other")])


def test_failures_are_tallied_by_a_persons_labels() -> None:
    records = [record("a"), record("b"), record("c"), record("c", seed=1), record("d", success=True)]
    tally = tally_failures(
        records,
        {
            "a": "planning_or_state_tracking",
            "b": "planning_or_state_tracking",
            "c": "visual_or_action",
            "c/1": "environment_awareness",
        },
    )
    assert tally.counts == {
        "intent_or_capability_boundary": 0,
        "planning_or_state_tracking": 2,
        "environment_awareness": 1,
        "visual_or_action": 1,
    }
    assert tally.share("planning_or_state_tracking") == 0.5
    assert tally_failures(records, {"a": "visual_or_action"}).unlabelled == (("b", 0), ("c", 0), ("c", 1))
    with pytest.raises(ValueError, match="no failure category"):
        tally_failures(records, {"a": "laziness"})
    with pytest.raises(ValueError, match="'d' belongs to no failed episode"):
        tally_failures(records, {"d": "visual_or_action"})


def test_pearson_by_hand() -> None:
    assert pearson([1, 2, 3], [2, 4, 6]) == pytest.approx(1.0)
    # deviations -1, 0, 1 and 1/3, -2/3, 1/3
    assert pearson([1, 2, 3], [1, 0, 1]) == pytest.approx(0.0)
    assert pearson([1, 2, 3, 4], [1, 1, 0, 1]) == pytest.approx(-0.5 / math.sqrt(5 * 0.75))
    assert pearson([1, 1], [0, 1]) is None
    with pytest.raises(ValueError, match="equally long"):
        pearson([1], [])


def test_features_and_their_correlations() -> None:
    records = [
        record("a", success=True, tags={"semantics": "indirect_speech", "verbs": ["听"]}),
        record("b", tags={"semantics": "clear_and_explicit", "syntax": "canonical", "verbs": ["打开", "发"]}),
    ]
    table = feature_table(records, {"a": 10, "b": 30})
    assert table.names == (
        "length",
        "verbs",
        "semantics: clear_and_explicit",
        "semantics: indirect_speech",
        "syntax: canonical",
    )
    assert table.values.tolist() == [[10, 1, 0, 1, 0], [30, 2, 1, 0, 1]]
    found = correlations(table)
    assert found["length"] == pytest.approx(-1.0)
    assert found["semantics: indirect_speech"] == pytest.approx(1.0)


def test_the_machines_pairs_are_those_of_the_definition() -> None:
    rng = np.random.default_rng(0)
    values, weights, factors = rng.normal(size=(3, 4)), rng.normal(size=4), rng.normal(size=(4, 2))
    matrix = factors @ factors.T
    for row, value in zip(values, logits(values, 0.3, weights, factors), strict=True):
        pairs = sum(matrix[i, j] * row[i] * row[j] for i in range(4) for j in range(i + 1, 4))
        assert value == pytest.approx(0.3 + row @ weights + pairs)


def test_the_gradient_is_that_of_the_loss() -> None:
    rng = np.random.default_rng(1)
    values, success = rng.normal(size=(6, 3)), np.array([0.0, 1, 1, 0, 1, 0])
    state = rng.normal(size=1 + 3 + 6)

    def loss(point: np.ndarray[Any, np.dtype[np.float64]]) -> float:
        found = logits(values, float(point[0]), point[1:4], point[4:].reshape(3, 2))
        return float(np.sum(np.log1p(np.exp(found)) - success * found))

    slope = gradient(values, success, state, 2)
    for index in range(len(state)):
        step = np.zeros_like(state)
        step[index] = 1e-6
        assert slope[index] == pytest.approx((loss(state + step) - loss(state - step)) / 2e-6, abs=1e-5)


def test_the_machine_finds_a_clash_of_two_features() -> None:
    # success unless both labels hold: neither label alone explains it
    rng = np.random.default_rng(2)
    labels = rng.integers(0, 2, size=(400, 2)).astype(float)
    lengths = rng.integers(5, 40, size=(400, 1)).astype(float)
    values = np.hstack([lengths, np.ones((400, 1)), labels])
    table = FeatureTable(("length", "verbs", "one", "other"), values, (labels.sum(axis=1) < 2).astype(float))
    scaled = standardized(table)
    assert scaled[:, 0].mean() == pytest.approx(0.0, abs=1e-12)
    assert scaled[:, 0].std() == pytest.approx(1.0)
    assert not scaled[:, 1].any()
    machine = fit(table, steps=600)
    assert machine.factors.shape == (4, 5)
    assert machine.interactions[2, 3] < -1
    right = (machine.logits(scaled) > 0) == (table.success > 0.5)
    assert right.all()
    assert np.array_equal(fit(table, steps=20).factors, fit(table, steps=20).factors)
