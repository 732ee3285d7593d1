"""Task files: reading, checking, and what is said of mistakes."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobile_gym.task_registry.errors import TaskFileError
from mobile_gym.task_registry.loading import load_file, parse_task
from mobile_gym.task_registry.yaml_document import YamlError, parse_yaml

GOOD = """\
id: test-1
suite: test
protocol: online
instruction: {zh: 测试, en: Test}
subtasks:
  - any:
      - setting: {key: system/volume_music, above: start}
      - alarm: {time: 7:30}
demonstrations:
  - [open_app: 设置, tap: 声音, finish: null]
near_misses:
  - steps: [home, finish]
"""


class TestYaml:
    """The YAML that is read."""

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("7:30", "7:30"),
            ("0571", "0571"),
            ("+8613800138000", "+8613800138000"),
            ("on", "on"),
            ("yes", "yes"),
            ("2026-03-02", "2026-03-02"),
            ("true", True),
            ("null", None),
            ("~", None),
            ("", None),
            ("12", 12),
            ("-1.5", -1.5),
            ("1_000", "1_000"),
            ("0x1F", "0x1F"),
            ("'12'", "12"),
        ],
    )
    def test_plain_words(self, text: str, value: Any) -> None:
        assert parse_yaml(f"a: {text}").data == {"a": value}

    def test_anchors_and_merges(self) -> None:
        text = "base: &base {a: 1, b: 2}\none: {<<: *base, b: 3}\ntwo: *base\n"
        assert parse_yaml(text).data["one"] == {"a": 1, "b": 3}
        assert parse_yaml(text).data["two"] == {"a": 1, "b": 2}

    @pytest.mark.parametrize(
        ("text", "line", "word"),
        [
            ("a: 1\nb: 2\na: 3\n", 3, "second time"),
            ("a: [1, 2\nb: 3\n", 2, "expected"),
            ("a: !!python/object/apply:os.system ['x']\n", 1, "tag"),
            ("a: !custom x\n", 1, "tag"),
            ("? [a]\n: 1\n", 1, "key"),
            ("a: 1\n---\nb: 2\n", 2, "single document"),
        ],
    )
    def test_what_is_refused_and_where(self, text: str, line: int, word: str) -> None:
        with pytest.raises(YamlError) as caught:
            parse_yaml(text)
        assert word in caught.value.problem
        assert caught.value.line == line

    @given(st.text(max_size=60))
    def test_any_text_is_read_or_refused(self, text: str) -> None:
        with contextlib.suppress(YamlError):
            parse_yaml(text)

    @given(st.dictionaries(st.text("abc", min_size=1, max_size=3), st.lists(st.integers(0, 9), max_size=3), max_size=4))
    def test_every_location_has_a_line(self, data: dict[str, list[int]]) -> None:
        document = parse_yaml("\n".join(f"{key}: {value}" for key, value in data.items()) or "{}")
        for key, values in data.items():
            assert (key,) in document.lines
            assert all((key, index) in document.lines for index in range(len(values)))


class TestTask:
    """What a task's file becomes."""

    def test_defaults(self) -> None:
        task = parse_task(GOOD)
        assert [subtask.id for subtask in task.subtasks] == ["1"]
        assert (task.budget.steps, task.budget.seconds, task.budget.clock) == (25, 120, "wall")
        assert task.start.snapshot == "clean"
        assert task.requirements == {"settings", "content", "provider:com.android.deskclock"}

    def test_the_content_hash_is_of_what_is_said_and_not_of_how(self) -> None:
        one = parse_task(GOOD).content_hash
        lines = GOOD.splitlines()
        moved = "\n".join(["# a comment", *lines[3:], *lines[:3]])
        assert parse_task(moved).content_hash == one
        assert parse_task(GOOD.replace("7:30", "7:31")).content_hash != one
        assert parse_task(GOOD.replace("声音", "声")).content_hash != one

    def test_a_task_is_frozen(self) -> None:
        with pytest.raises(ValueError, match="frozen"):
            parse_task(GOOD).id = "other"  # type: ignore[misc]

    def test_a_file_s_name_and_folder_are_its_id_and_suite(self, tmp_path: Path) -> None:
        path = tmp_path / "other" / "test-2.yaml"
        path.parent.mkdir()
        path.write_text(GOOD, encoding="utf-8")
        with pytest.raises(TaskFileError) as caught:
            load_file(path)
        assert [problem.field for problem in caught.value.problems] == ["id", "suite"]
        path.write_text(GOOD.replace("test-1", "test-2").replace("suite: test", "suite: other"), encoding="utf-8")
        assert load_file(path).id == "test-2"

    @pytest.mark.parametrize(
        ("old", "new", "field", "said"),
        [
            ("above: start", "abov: start", "subtasks[0].any[0].setting.abov", "did you mean 'above'?"),
            ("alarm:", "alarn:", "subtasks[0].any[1]", "did you mean 'alarm'?"),
            ("7:30", "27:30", "subtasks[0].any[1].alarm.time", "07:30"),
            ("system/volume_music", "volume_music", "subtasks[0].any[0].setting.key", "namespace"),
            ("protocol: online", "protocol: offline", "protocol", "'online'"),
            ("instruction: {zh: 测试, en: Test}", "instruction: {zh: 测试}", "instruction.en", "missing"),
            ("near_misses", "near_miss", "near_miss", "did you mean 'near_misses'?"),
            ("tap: 声音", "tip: 声音", "demonstrations[0][1]", "did you mean 'tap'?"),
            ("tap: 声音", "tap: {txt: 声音}", "demonstrations[0][1].tap.txt", "did you mean 'text'?"),
            ("id: test-1", "id: Test 1", "id", "small letters and digits"),
            ("steps: [home, finish]", "steps: [home, finish]\n    subtasks: {x: true}", "", "no subtask 'x'"),
            ("suite: test", "suite: test\nrequires: [magic]", "requires[0]", "no capability"),
            ("suite: test", "suite: test\nbudget: {steps: 0}", "budget.steps", "at least 1"),
            ("suite: test", "suite: test\nstart: {settings: {volume: 1}}", "start.settings.volume", "namespace"),
            ("suite: test", "suite: test\nstart: {clock: yesterday}", "start.clock", "a date and time"),
        ],
    )
    def test_a_mistake_is_told_with_file_task_field_and_hint(self, old: str, new: str, field: str, said: str) -> None:
        with pytest.raises(TaskFileError) as caught:
            parse_task(GOOD.replace(old, new), name="some.yaml")
        assert "some.yaml" in str(caught.value)
        problems = [problem for problem in caught.value.problems if problem.field == field]
        assert len(problems) == 1, caught.value
        assert said in problems[0].text
        assert len(caught.value.problems) == 1, caught.value

    def test_lines_are_those_of_the_file(self) -> None:
        with pytest.raises(TaskFileError) as caught:
            parse_task(GOOD.replace("7:30", "99:00").replace("tap: 声音", "tip: 声音"))
        assert [problem.line for problem in caught.value.problems] == [8, 10]

    @pytest.mark.parametrize("text", ["", "[]", "just words", "a: 1\na: 2"])
    def test_what_is_no_task_at_all(self, text: str) -> None:
        with pytest.raises(TaskFileError):
            parse_task(text)


class TestParams:
    """Parameters drawn by a seed."""

    TEXT = """\
id: train-x
suite: train
protocol: online
params:
  when: {time: {from: "06:00", to: "21:55", step: 5}}
  who: {choice: [{name: 王芳, number: "10086"}, {name: 李强, number: "10010"}]}
  level: {integer: {from: 1, to: 9, step: 2}}
instruction: {zh: "{when.zh}叫{who.name}", en: "{{{who.name}}} at {when.en}"}
start: {settings: {"system/level_{level}": "{level}"}}
subtasks:
  - alarm: {time: "{when}", label: "{who.number}"}
"""

    def test_the_same_seed_gives_the_same_task_and_others_give_others(self) -> None:
        hashes = [parse_task(self.TEXT, seed).content_hash for seed in (*range(20), *range(20))]
        assert hashes[:20] == hashes[20:]
        assert len(set(hashes)) > 15

    def test_a_choice_may_hold_steps_and_name_parameters_above_it(self) -> None:
        goal = "  goal:\n    choice: [{steps: [tap: 'um {when.hour12}', finish: null]}]\n"
        text = self.TEXT.replace("instruction:", f"{goal}instruction:")
        text += 'demonstrations: ["{goal.steps}"]\n'
        task = parse_task(text, 3)
        tap, finish = task.demonstrations[0]
        hour = int(task.subtasks[0].criterion.spec.time[:2])
        assert tap.spec == f"um {(hour - 1) % 12 + 1}"
        assert finish.kind == "finish"

    def test_values_go_everywhere_with_their_types(self) -> None:
        task = parse_task(self.TEXT, 3)
        [[key, level]] = task.start.settings.items()
        assert isinstance(level, int)
        assert level in (1, 3, 5, 7, 9)
        assert key == f"system/level_{level}"
        alarm = task.subtasks[0].criterion.spec
        assert alarm.label in ("10086", "10010")
        assert task.instruction.en.startswith("{")
        from mobile_gym.reward.normal_forms import minute_of_day, same_time

        assert same_time(task.instruction.zh.partition("叫")[0], alarm.time)
        assert same_time(task.instruction.en.partition(" at ")[2], alarm.time)
        assert (minute_of_day(alarm.time) or 1) % 5 == 0

    @given(st.integers(0, 2**31))
    def test_any_seed_gives_a_task(self, seed: int) -> None:
        assert parse_task(self.TEXT, seed).params.keys() == {"when", "who", "level"}

    def test_dates_are_counted_from_the_device_s_clock(self) -> None:
        text = self.TEXT.replace("{integer: {from: 1, to: 9, step: 2}}", "{date: {from: 2, to: 2}}")
        with pytest.raises(TaskFileError, match=r"start\.clock"):
            parse_task(text)
        fixed = text.replace("start: {", "start: {clock: 2024-02-28T09:00:00, ").replace(
            '"{level}"', '"{level.weekday}"'
        )
        assert parse_task(fixed).start.settings == {"system/level_2024-03-01": "fri"}

    @pytest.mark.parametrize(
        ("old", "new", "said"),
        [
            ("{when}", "{whem}", "names no parameter"),
            ("{when}", "{when.hours}", "has the parts"),
            ("{level}", "{level.part}", "has no parts"),
            ('from: "06:00"', 'from: "23:00"', "lies before"),
            ("integer:", "interger:", "did you mean 'integer'?"),
        ],
    )
    def test_mistakes_in_parameters(self, old: str, new: str, said: str) -> None:
        with pytest.raises(TaskFileError) as caught:
            parse_task(self.TEXT.replace(old, new))
        assert said in str(caught.value)

    def test_texts_of_tasks_without_parameters_keep_their_braces(self) -> None:
        assert parse_task(GOOD.replace("测试", '"{name}"')).instruction.zh == "{name}"
