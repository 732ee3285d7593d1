"""Required operations: which, on what, in which order, in force at the end, and what proofs take away of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from mobile_gym.reward.process import Operation, ProcessEntry, RequiredOperation, joined, operations_done
from mobile_gym.reward.process_parts import Part, parts_of, without_conditions, without_part

_ADAPTER = TypeAdapter[Any](RequiredOperation)


def required(*documents: dict[str, Any]) -> list[Any]:
    return [_ADAPTER.validate_python(document) for document in documents]


def tap(*texts: str, package: str = "") -> ProcessEntry:
    return ProcessEntry("tap", texts, package=package)


SORT: dict[str, Any] = {"do": "tap", "target": "价格"}
BRAND: dict[str, Any] = {"do": "tap", "target": "品牌"}
CHEAP: dict[str, Any] = {"do": "tap", "target": ["从低到高", "low to high"]}


def test_several_texts_and_kinds_are_any_of_them() -> None:
    [operation] = required({"do": ["tap", "long_press"], "target": ["从低到高", "low to high"]})
    assert operation.is_done_by(ProcessEntry("long_press", ("Low to High",)))
    assert not operation.is_done_by(ProcessEntry("swipe", ("从低到高",)))


def test_all_are_in_any_order_and_what_follows_comes_after_them() -> None:
    operations = required({"all": [SORT, BRAND]}, CHEAP)
    assert operations_done(operations, [tap("品牌"), tap("价格"), tap("从低到高")]) == (True, True)
    assert operations_done(operations, [tap("品牌"), tap("从低到高"), tap("价格")]) == (True, False)
    assert operations_done(operations, [tap("品牌"), tap("从低到高")]) == (False, True)


def test_any_needs_one_of_them() -> None:
    operations = required({"any": [SORT, BRAND]}, CHEAP)
    assert operations_done(operations, [tap("品牌"), tap("从低到高")]) == (True, True)
    assert operations_done(operations, [tap("从低到高")]) == (False, True)


def test_text_that_is_typed_piece_by_piece_is_one_text() -> None:
    pieces = [ProcessEntry("type", text="1"), ProcessEntry("type", text="00"), tap("x"), ProcessEntry("type", text="5")]
    assert [entry.text for entry in joined(pieces)] == ["100", "", "5"]
    assert operations_done(required({"do": "type", "text": "100"}), pieces) == (True,)
    assert operations_done(required({"do": "type", "text": "00"}), pieces) == (False,)


def test_an_operation_must_hold_still() -> None:
    kept = {**SORT, "still_in_force": {"setting": {"key": "system/sort", "value": "price"}}}
    [operation] = required(kept)
    assert operations_done([operation], [tap("价格")], lambda one: one.still_in_force is None) == (False,)
    assert operations_done([operation], [tap("价格")], lambda _: True) == (True,)
    [either] = required({"any": [kept, BRAND]})
    gone = operations_done([either], [tap("价格"), tap("品牌")], lambda one: one.still_in_force is None)
    assert gone == (True,), "the other way was taken too"
    assert operations_done([either], [tap("价格")], lambda one: one.still_in_force is None) == (False,)


def test_each_part_can_be_taken_away() -> None:
    kept = {**SORT, "still_in_force": {"activity": "a"}}
    operations = required(kept, {"all": [BRAND, CHEAP]}, {"any": [SORT, kept]})
    parts = parts_of(operations)
    assert [str(part) for part in parts] == [
        "process[0]",
        "process[0].still_in_force",
        "process[1][0]",
        "process[1][1]",
        "process[2]",
        "process[2][1].still_in_force",
    ]
    assert without_part(operations, Part(0)) == tuple(operations[1:])
    assert without_part(operations, Part(0, None, "still_in_force"))[0] == Operation(do="tap", target="价格")
    assert without_part(operations, Part(1, 0))[1] == operations[1].operations[1]
    assert (
        without_part(operations, Part(2, 1, "still_in_force"))[2].operations
        == (Operation(do="tap", target="价格"),) * 2
    )


LOUD: dict[str, Any] = {"setting": {"key": "system/volume_music", "value": 9}}


def held(entry: ProcessEntry, operation: Any, already: bool = False) -> ProcessEntry:
    """The action, after which all holds that an operation states, and before which it did too or not."""
    stated = operation.criteria
    return replace(entry, held=stated, already=stated if already else ())


def test_what_an_operation_states_must_hold_right_after_it() -> None:
    [operation] = required({**SORT, "holds": LOUD})
    assert operations_done([operation], [tap("价格")]) == (False,)
    assert operations_done([operation], [held(tap("品牌"), operation)]) == (False,)
    assert operations_done([operation], [tap("价格"), held(tap("价格"), operation)]) == (True,)
    assert operations_done([operation], [held(tap("价格"), operation, already=True)]) == (True,)


def test_what_an_operation_makes_did_not_hold_before_it() -> None:
    [operation] = required({"do": "tap", "makes": LOUD})
    assert operations_done([operation], [tap("价格")]) == (False,)
    assert operations_done([operation], [held(tap("价格"), operation)]) == (True,)
    assert operations_done([operation], [held(tap("价格"), operation, already=True)]) == (False,)


def test_an_operation_must_come_after_the_one_before_it_with_what_it_states() -> None:
    first, then = required({**SORT, "holds": LOUD}, BRAND)
    late = [tap("价格"), tap("品牌"), held(tap("价格"), first)]
    assert operations_done([first, then], late) == (True, False), "a tap of the same name before it earns nothing"
    assert operations_done([first, then], [*late, tap("品牌")]) == (True, True)


def test_what_is_typed_piece_by_piece_is_judged_after_its_last_piece() -> None:
    [operation] = required({"do": "type", "text": "100", "holds": LOUD})
    first, last = ProcessEntry("type", text="1"), ProcessEntry("type", text="00")
    assert operations_done([operation], [first, held(last, operation)]) == (True,)
    assert operations_done([operation], [held(first, operation), last]) == (False,)


def test_what_is_banned_must_be_left_alone_for_the_whole_episode_or_until_something_is_done() -> None:
    [always] = required({"never": BRAND})
    assert operations_done([always], []) == (True,)
    assert operations_done([always], [tap("价格"), tap("品牌")]) == (False,)
    [first] = required({"never": BRAND, "until": SORT})
    assert operations_done([first], [tap("价格"), tap("品牌")]) == (True,)
    assert operations_done([first], [tap("品牌"), tap("价格")]) == (False,)
    assert operations_done([first], [tap("品牌")]) == (False,), "until it is done, which it never was"
    [loud] = required({"never": {"do": "tap", "holds": LOUD}})
    assert operations_done([loud], [tap("品牌")]) == (True,)
    assert operations_done([loud], [held(tap("品牌"), loud.operation)]) == (False,)


def test_a_ban_has_no_place_in_the_order() -> None:
    operations = required(SORT, {"never": {**BRAND, "text": "x"}}, CHEAP)
    assert operations_done(operations, [tap("价格"), tap("从低到高")]) == (True, True, True)
    assert operations_done(operations, [tap("从低到高"), tap("价格")]) == (True, True, False)


def test_a_target_may_be_bound_to_what_it_acts_on() -> None:
    add = tap("加入购物车", "a.b:id/add")
    first = replace(add, row=("无谷狗粮", "¥59", "加入购物车"))
    for target, fits in (
        ({"id": "add", "beside": "无谷狗粮"}, True),
        ({"id": "a.b:id/add", "text": "加入购物车"}, True),
        ({"id": "add", "beside": "狗粮"}, False),
        ({"id": "dd"}, False),
        ({"id": "add", "contains": "购物"}, True),
        ({"contains": "立即购买"}, False),
        (["x", {"id": "add"}], True),
    ):
        [operation] = required({"do": "tap", "target": target})
        assert operation.is_done_by(first) is fits, target
    [bound] = required({"do": "tap", "target": {"id": "add", "beside": "无谷狗粮"}})
    assert not bound.is_done_by(replace(add, row=("瑜伽垫", "加入购物车")))


def test_bans_and_conditions_can_be_taken_away() -> None:
    operations = required(
        {**SORT, "holds": LOUD, "makes": LOUD}, {"never": {**BRAND, "holds": LOUD}, "until": CHEAP}, {"never": SORT}
    )
    parts = parts_of(operations)
    assert [(str(part), part.stricter) for part in parts] == [
        ("process[0]", False),
        ("process[0].holds", False),
        ("process[0].makes", False),
        ("process[1]", False),
        ("process[1].holds", True),
        ("process[1].until", True),
        ("process[2]", False),
    ]
    left = {str(part): without_part(operations, part) for part in parts}
    assert left["process[0].holds"][0] == required({**SORT, "makes": LOUD})[0]
    assert left["process[1]"] == (operations[0], operations[2])
    assert left["process[1].holds"][1] == required({"never": BRAND, "until": CHEAP})[0]
    assert left["process[1].until"][1] == required({"never": {**BRAND, "holds": LOUD}})[0]


def test_conditions_can_be_left_out_for_records_that_do_not_tell_of_them() -> None:
    kept = {**SORT, "holds": LOUD, "still_in_force": LOUD}
    operations = required(
        kept, {"any": [kept, BRAND]}, {"never": {**BRAND, "makes": LOUD}, "until": {**SORT, "makes": LOUD}}
    )
    bare = required(SORT, {"any": [SORT, BRAND]}, {"never": BRAND, "until": SORT})
    assert [without_conditions(one) for one in operations] == bare


@pytest.mark.parametrize(
    "document",
    [
        {"never": {**SORT, "still_in_force": LOUD}},
        {"never": SORT, "until": {**BRAND, "still_in_force": LOUD}},
        {"never": {"all": [SORT, BRAND]}},
        {"do": "tap"},
        {"do": "tap", "target": {"beside": "x"}},
        {"do": "tap", "target": {"id": "x", "index": 1}},
        {"do": "tap", "target": "x", "holds": {"setting": LOUD["setting"], "row": {"uri": "content://a/b"}}},
    ],
)
def test_conditions_that_make_no_sense_are_refused(document: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        required(document)


@pytest.mark.parametrize(
    "document", [{"all": [SORT]}, {"any": []}, {"do": ["tap", "click"], "target": "x"}, {"do": []}]
)
def test_what_makes_no_sense_is_refused(document: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        required(document)
