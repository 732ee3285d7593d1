"""Required operations: which, on what, in which order, in force at the end, and what proofs take away of them."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from mobile_gym.reward.process import (
    Operation,
    Part,
    ProcessEntry,
    RequiredOperation,
    joined,
    operations_done,
    parts_of,
    without_part,
)

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
    assert without_part(operations, Part(0, None, True))[0] == Operation(do="tap", target="价格")
    assert without_part(operations, Part(1, 0))[1] == operations[1].operations[1]
    assert without_part(operations, Part(2, 1, True))[2].operations == (Operation(do="tap", target="价格"),) * 2


@pytest.mark.parametrize(
    "document", [{"all": [SORT]}, {"any": []}, {"do": ["tap", "click"], "target": "x"}, {"do": []}]
)
def test_what_makes_no_sense_is_refused(document: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        required(document)
