"""Runs with normalised instructions through the command line, and their pairs."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from mobile_gym.cli import build_app
from mobile_gym.envs.actions import EncodedAction
from mobile_gym.envs.task_env import MobileTaskEnv, Observation
from mobile_gym.evaluation.instructions import instruction_of
from mobile_gym.evaluation.models import EpisodeRecord
from mobile_gym.evaluation.records import read_config, read_records
from mobile_gym.evaluation.subsets import quotas, stratified
from mobile_gym.policies.noop import NoopPolicy
from mobile_gym.task_registry.catalog import load_task, suite_facts
from tests.evaluation.conftest import record
from tests.support.stub_phone import StubPhone

__all__ = ["record"]

PLAIN = "把音量调大"


@pytest.fixture
def spoken(stub_suite: Path) -> Path:
    """The stub suite, whose first task has a normalised instruction."""
    path = stub_suite / "stub-001.yaml"
    path.write_text(f"{path.read_text('utf-8')}instruction_normalized: {{zh: {PLAIN}, en: Turn it up}}\n", "utf-8")
    return stub_suite


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The instructions that the policy noop is given, in order."""
    told: list[str] = []
    act = NoopPolicy.act

    def listening(self: NoopPolicy, observation: Observation, info: dict[str, Any]) -> EncodedAction:
        told.append(str(observation["instruction"]))
        return act(self, observation, info)

    monkeypatch.setattr(NoopPolicy, "act", listening)
    return told


def run(*arguments: object) -> Result:
    words = [str(argument) for argument in arguments]
    return CliRunner().invoke(build_app(words[0]), words, env={"COLUMNS": "200"})


def evaluate(out: Path, policy: str, *more: str) -> Result:
    return run("eval", "stub", "--policy", policy, "--device", "stub:a", "--out", out, *more)


def test_the_policy_hears_the_normalised_instruction(
    tmp_path: Path, phones: list[StubPhone], spoken: Path, heard: list[str]
) -> None:
    result = evaluate(tmp_path / "run", "noop", "--instructions", "normalized")
    assert result.exit_code == 0, result.output
    assert heard == [PLAIN]
    assert "left out: 2 of 3 tasks have no normalised instruction: stub-002, stub-003" in result.output
    [record] = read_records(tmp_path / "run")
    assert record.instructions == read_config(tmp_path / "run").instructions == "normalized"
    assert record.task_hash == load_task("stub-001").content_hash
    assert instruction_of(record) == PLAIN
    assert instruction_of(record.model_copy(update={"instructions": "original", "language": "en"})) == "It is too low"


def test_the_two_kinds_do_not_mix_in_one_folder(tmp_path: Path, phones: list[StubPhone], spoken: Path) -> None:
    assert evaluate(tmp_path / "run", "noop", "--tasks", "stub-001").exit_code == 0
    result = evaluate(tmp_path / "run", "noop", "--tasks", "stub-001", "--instructions", "normalized")
    assert result.exit_code == 2
    assert "instructions: the records have 'original', this run has 'normalized'" in result.output


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("stub", "--tasks", "stub-002", "--instructions", "normalized"), "none of these tasks has a normalised"),
        (("stub", "--instructions", "plain"), "--instructions is one of original, normalized"),
        (("trans", "--split", "ios", "--instructions", "normalized"), "trans has no normalised instructions"),
    ],
)
def test_what_cannot_be_said_is_told(
    arguments: tuple[str, ...], told: str, phones: list[StubPhone], spoken: Path
) -> None:
    result = run("eval", *arguments, "--policy", "noop")
    assert result.exit_code == 2
    assert told in result.output
    assert not phones


def test_an_environment_refuses_to_say_the_original_instead(phones: list[StubPhone], spoken: Path) -> None:
    with pytest.raises(ValueError, match="stub-002 has no normalised instruction"):
        MobileTaskEnv("stub-002", device="stub:a", instructions="normalized")


def test_pairs_are_of_the_same_tasks_and_settings(tmp_path: Path, phones: list[StubPhone], spoken: Path) -> None:
    before, after, other = (tmp_path / name for name in ("before", "after", "other"))
    evaluate(before, "noop", "--tasks", "stub-001", "--seed", "0-3")
    evaluate(after, "noop", "--tasks", "stub-001", "--seed", "0-2", "--instructions", "normalized")
    evaluate(other, "random", "--tasks", "stub-001", "--instructions", "normalized")
    result = run("analyze", before, "--normalized", after)
    assert result.exit_code == 0, result.output
    assert "Normalised pairs: noop" in result.output
    assert "indirect speech" in result.output
    assert "1 episodes are in one of the two runs alone" in result.output
    for arguments, told in (
        ((before, "--normalized", before), "is needed with normalized ones"),
        ((after, "--normalized", after), "is needed with original ones"),
        ((before, "--normalized", other), "the runs differ in policy"),
        ((before, "--subset", 5), "--subset goes with --normalized"),
    ):
        result = run("analyze", *arguments)
        assert result.exit_code == 2
        assert told in " ".join(result.output.split())


def test_an_elder_task_is_asked_both_ways(tmp_path: Path) -> None:
    runs = []
    for kind in ("original", "normalized"):
        runs.append(tmp_path / kind)
        arguments = ("--policy", "demonstration", "--tasks", "elder-031", "--observation", "108x240")
        result = run("eval", "elder", *arguments, "--instructions", kind, "--out", runs[-1])
        assert result.exit_code == 0, result.output
        assert "ElderBench: success, latency, tokens" in result.output
        assert result.output.count("100.00") == 2  # overall and online
    one, two = (read_records(folder)[0] for folder in runs)
    assert (one.success, two.success) == (True, True)
    assert instruction_of(one) != instruction_of(two)
    result = run("analyze", runs[0], "--normalized", runs[1])
    assert "Normalised pairs: demonstration" in result.output
    assert "1.0000" in result.output


def test_the_papers_subset_has_the_papers_counts() -> None:
    shares = suite_facts("elder")["statistics"]["tags"]["semantics"]
    assert quotas(shares, 100) == {  # table 9
        "clear_and_explicit": 18,
        "disfluency_or_correction": 12,
        "indirect_speech": 19,
        "referential_ambiguity": 13,
        "under_specification": 38,
    }


def test_a_subset_keeps_shares_order_and_seeds(record: Callable[..., EpisodeRecord]) -> None:
    records = [
        record(f"elder-{number:03d}", seed, tags={"semantics": "a" if number < 6 else "b"})
        for number in range(10)
        for seed in (0, 1)
    ]
    shares = {"a": 0.25, "b": 0.75}
    chosen = stratified(records, shares, 4)
    assert [record.key for record in chosen] == [entry.key for entry in records if entry in chosen]
    assert len(chosen) == 8
    assert sum(entry.tags["semantics"] == "a" for entry in chosen) == 2
    assert stratified(records, shares, 4) == chosen
    assert any(stratified(records, shares, 4, seed) != chosen for seed in range(1, 9))
    with pytest.raises(ValueError, match="needs 6 tasks of b, and there are 4; the largest that works is 6"):
        stratified(records, shares, 8)
