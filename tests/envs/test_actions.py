"""The action vocabulary: what is read, what is refused and how points become pixels."""

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobile_gym.envs.actions import (
    FRAME,
    LIFT_KINDS,
    MAX_ACTION_TEXT,
    POINT_KINDS,
    TEXT_KINDS,
    Action,
    ActionType,
    MalformedAction,
    ParsedAction,
    from_pixel,
    parse_action,
    to_pixel,
    wait_seconds,
)
from mobile_gym.envs.spaces import action_space

coordinates = st.integers(0, FRAME)
points = st.tuples(coordinates, coordinates)
texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)


@st.composite
def actions(draw: st.DrawFn) -> Action:
    kind = draw(st.sampled_from(ActionType))
    if kind is ActionType.WAIT:
        return Action.wait(draw(st.integers(0, 60)))
    return Action(
        kind=kind,
        point=draw(points) if kind in POINT_KINDS else None,
        lift=draw(points) if kind in LIFT_KINDS else None,
        text=draw(texts) if kind in TEXT_KINDS else "",
    )


def test_the_order_of_kinds_is_fixed() -> None:
    words = (
        "tap double_tap long_press swipe drag type press_enter press_back press_home press_recents open_app wait "
        "call_user answer finish finish_infeasible"
    )
    assert [kind.word for kind in ActionType] == words.split()
    assert [int(kind) for kind in ActionType] == list(range(16))


@given(actions())
def test_an_action_comes_back_from_its_encoding(action: Action) -> None:
    encoded = action.encode()
    assert action_space().contains(encoded)
    assert Action.decode(encoded) == action
    assert parse_action(action) == parse_action(encoded)


@given(actions())
def test_plain_lists_and_numbers_read_the_same_as_arrays(action: Action) -> None:
    encoded = action.encode()
    plain = {
        **encoded,
        "touch_point": encoded["touch_point"].tolist(),
        "lift_point": tuple(map(float, encoded["lift_point"])),
    }
    plain["action_type"] = np.int64(encoded["action_type"])
    assert parse_action(plain) == parse_action(encoded)
    assert parse_action({**encoded, "action_type": action.kind.word}) == parse_action(encoded)
    assert parse_action({**encoded, "action_type": np.array([action.kind])}) == parse_action(encoded)


def test_keys_that_a_kind_does_not_use_may_be_missing() -> None:
    assert parse_action({"action_type": ActionType.FINISH}) == ParsedAction(ActionType.FINISH)
    assert parse_action({"action_type": 0, "touch_point": [1, 2], "lift_point": "unread"}).point == (1, 2)


@pytest.mark.parametrize(
    ("action", "told"),
    [
        (None, "an action is a dict"),
        ([0, 1], "an action is a dict"),
        ({}, "no 'action_type'"),
        ({"action_type": 16}, "0 to 15"),
        ({"action_type": -1}, "0 to 15"),
        ({"action_type": True}, "0 to 15"),
        ({"action_type": "click"}, "unknown 'action_type' 'click'"),
        ({"action_type": np.array([1, 2])}, "0 to 15"),
        ({"action_type": None}, "0 to 15"),
        ({"action_type": 0}, "tap needs a 'touch_point'"),
        ({"action_type": 0, "touch_point": None}, "tap needs a 'touch_point'"),
        ({"action_type": 0, "touch_point": [1]}, "'touch_point' is two numbers"),
        ({"action_type": 0, "touch_point": [1, 2, 3]}, "'touch_point' is two numbers"),
        ({"action_type": 0, "touch_point": [1.5, 2]}, "whole numbers"),
        ({"action_type": 0, "touch_point": [float("nan"), 2]}, "whole numbers"),
        ({"action_type": 0, "touch_point": [float("inf"), 2]}, "whole numbers"),
        ({"action_type": 0, "touch_point": [1001, 0]}, "from 0 to 1000"),
        ({"action_type": 0, "touch_point": [-1, 0]}, "from 0 to 1000"),
        ({"action_type": 0, "touch_point": "12"}, "'touch_point' is two numbers"),
        ({"action_type": 3, "touch_point": [1, 2]}, "swipe needs a 'lift_point'"),
        ({"action_type": 5}, "type needs a 'text'"),
        ({"action_type": 5, "text": ""}, "type needs a 'text'"),
        ({"action_type": 5, "text": 7}, "'text' is a string"),
        ({"action_type": 5, "text": "\ud83d"}, "surrogate"),
        ({"action_type": 5, "text": "x" * (MAX_ACTION_TEXT + 1)}, "at most 10000"),
        ({"action_type": 11, "text": "soon"}, "seconds"),
        ({"action_type": 11, "text": "nan"}, "seconds"),
        ({"action_type": 11, "text": "1e9"}, "seconds"),
        ({"action_type": 14, "touchpoint": [1, 2]}, "unknown key 'touchpoint'"),
    ],
)
def test_a_malformed_action_is_refused_with_a_reason(action: object, told: str) -> None:
    with pytest.raises(MalformedAction, match=told):
        parse_action(action)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(st.sampled_from(["action_type", "touch_point", "lift_point", "text", "x"]), inner)
        ),
    )
)
def test_anything_is_read_or_refused_and_never_breaks(action: object) -> None:
    try:
        parsed = parse_action(action)
    except MalformedAction:
        return
    assert action_space().contains(
        Action(kind=parsed.kind, point=parsed.point, lift=parsed.lift, text=parsed.text).encode()
    )


def test_building_checks_too() -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"kind": 0}, "^tap needs a 'touch_point'$"),
        ({"kind": 8, "point": (1, 1)}, "^press_home takes no point$"),
        ({"kind": 0, "point": (1, 2000)}, r"^'touch_point' is two whole numbers from 0 to 1000, not \(1, 2000\)$"),
        ({"kind": 0, "point": (1, 2), "text": 3}, "^'text' is a string, not 3$"),
        ({"kind": 5}, "^type needs a 'text'$"),
    ]
    for fields, told in wrong:
        with pytest.raises(MalformedAction, match=told):
            Action(**fields)


def test_what_an_action_is_built_of_is_held_as_its_fields_say() -> None:
    built = Action(kind="swipe", point=[1, 2], lift=np.array([3, 4]))  # type: ignore[arg-type]
    assert built == Action.swipe(1, 2, 3, 4)
    assert (built.kind, built.point, built.lift) == (ActionType.SWIPE, (1, 2), (3, 4))
    assert hash(built) == hash(pickle.loads(pickle.dumps(built)))


def test_scroll_moves_the_finger_against_the_way_that_one_looks() -> None:
    down = Action.scroll("down")
    assert down.kind is ActionType.SWIPE
    assert down.point == (500, 700)
    assert down.lift == (500, 300)
    assert Action.scroll("left").lift == (700, 500)
    assert Action.scroll("up", at=(500, 100)).point == (500, 0)


@given(points, st.integers(1, 3000), st.integers(1, 3000))
def test_points_lie_on_the_screen(point: tuple[int, int], width: int, height: int) -> None:
    x, y = to_pixel(point, (width, height))
    assert 0 <= x < width
    assert 0 <= y < height
    assert to_pixel((FRAME, FRAME), (width, height)) == (width - 1, height - 1)
    assert to_pixel((0, 0), (width, height)) == (0, 0)


@given(coordinates, st.integers(FRAME + 1, 4000))
def test_a_point_comes_back_from_its_pixel_on_long_sides(value: int, length: int) -> None:
    size = (length, length)
    assert from_pixel(to_pixel((value, value), size), size) == (value, value)


@given(st.data(), st.integers(1, FRAME + 1))
def test_a_pixel_comes_back_from_its_point_on_short_sides(data: st.DataObject, length: int) -> None:
    pixel = data.draw(st.integers(0, length - 1))
    size = (length, length)
    assert to_pixel(from_pixel((pixel, pixel), size), size) == (pixel, pixel)


@given(st.data(), st.integers(FRAME + 1, 2400))
def test_a_pixel_comes_back_next_to_itself_on_long_sides(data: st.DataObject, length: int) -> None:
    pixel = data.draw(st.integers(0, length - 1))
    back, _ = to_pixel(from_pixel((pixel, pixel), (length, length)), (length, length))
    assert abs(back - pixel) <= 1


def test_pixels_outside_count_as_the_edge() -> None:
    assert from_pixel((-5, 9999), (1080, 2400)) == (0, FRAME)


def test_wait_lasts_a_second_without_a_number() -> None:
    assert wait_seconds("") == 1.0
    assert wait_seconds(" 2.5 ") == 2.5


def test_actions_read_well() -> None:
    assert str(Action.tap(1, 2)) == "tap (1, 2)"
    assert str(Action.swipe(1, 2, 3, 4)) == "swipe (1, 2) to (3, 4)"
    assert str(Action.type("你好")) == "type '你好'"
    assert str(Action.press("home")) == "press_home"
