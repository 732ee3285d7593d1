"""Finding nodes, and never touching where they are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobile_gym.devices.parse.hierarchy import parse_hierarchy
from mobile_gym.devices.selectors import NoPlace, Selector, find, tap_point
from mobile_gym.devices.ui_tree import Bounds, UiNode, UiTree

SCREEN = (1080, 2400)


def tree(*roots: UiNode) -> UiTree:
    return UiTree(roots, 0, SCREEN)


def test_nodes_are_found_by_what_they_say() -> None:
    one = UiNode(text="Save", resource_id="com.a:id/save", class_name="android.widget.Button")
    two = UiNode(text="Save all", content_desc="save everything", class_name="android.widget.TextView")
    both = tree(UiNode(children=(one, two)))
    assert find(both, Selector(text="Save")) == [one]
    assert find(both, Selector(text_contains="Save")) == [one, two]
    assert find(both, Selector(resource_id="save")) == [one]
    assert find(both, Selector(resource_id="com.a:id/save")) == [one]
    assert find(both, Selector(desc="save everything")) == [two]
    assert find(both, Selector(class_name="Button")) == [one]
    assert find(both, Selector(text_contains="Save", class_name="android.widget.TextView")) == [two]
    assert find(both, Selector(text="save")) == []


def test_an_index_counts_from_either_end_and_zero_is_an_index() -> None:
    nodes = tuple(UiNode(index=number, text="x") for number in range(3))
    three = tree(*nodes)
    assert find(three, Selector(text="x", index=0)) == [nodes[0]]
    assert find(three, Selector(text="x", index=-1)) == [nodes[2]]
    assert find(three, Selector(text="x", index=3)) == []


def test_a_selector_must_say_something() -> None:
    with pytest.raises(ValueError, match="says something"):
        Selector(index=1)


def test_a_node_is_touched_in_the_middle_of_what_is_visible() -> None:
    row = UiNode(text="row", bounds=Bounds(0, 2300, 1080, 2600))
    clipped = UiNode(scrollable=True, bounds=Bounds(0, 0, 1080, 2350), children=(row,))
    shown = tree(clipped)
    assert tap_point(shown, row) == (540, 2325)
    assert tap_point(shown, clipped) == (540, 1175)


@pytest.mark.parametrize(
    "bounds",
    [
        Bounds(66, 1777, 1014, 1664),
        Bounds(97, 1682, 983, 1664),
        Bounds(0, 2400, 1080, 2500),
        Bounds(-300, 0, 0, 100),
        Bounds(5, 5, 5, 5),
    ],
)
def test_rows_that_are_scrolled_away_are_refused(bounds: Bounds) -> None:
    row = UiNode(text="Compare all plans", clickable=True, bounds=bounds)
    box = UiNode(scrollable=True, clickable=True, bounds=Bounds(66, 136, 1014, 1664), children=(row,))
    with pytest.raises(NoPlace, match="Compare all plans"):
        tap_point(tree(box), row)


def test_a_row_behind_the_edge_of_its_list_is_refused() -> None:
    row = UiNode(text="below", bounds=Bounds(0, 1700, 1080, 1800))
    box = UiNode(scrollable=True, bounds=Bounds(0, 0, 1080, 1664), children=(row,))
    with pytest.raises(NoPlace):
        tap_point(tree(box), row)


def test_a_label_without_a_box_is_touched_where_its_clickable_parent_is() -> None:
    label = UiNode(text="小游戏", bounds=Bounds(0, 0, 0, 0))
    icon = UiNode(class_name="ImageView", bounds=Bounds(711, 2166, 780, 2190))
    tab = UiNode(clickable=True, bounds=Bounds(648, 2130, 864, 2260), children=(icon, label))
    assert tap_point(tree(UiNode(bounds=Bounds(0, 0, *SCREEN), children=(tab,))), label) == (756, 2195)


def test_a_label_without_a_box_and_without_a_clickable_parent_has_no_place() -> None:
    label = UiNode(text="小游戏")
    with pytest.raises(NoPlace):
        tap_point(tree(UiNode(bounds=Bounds(0, 0, *SCREEN), children=(label,))), label)


def test_a_node_of_another_moment_has_no_place() -> None:
    with pytest.raises(NoPlace, match="another moment"):
        tap_point(tree(UiNode(bounds=Bounds(0, 0, 9, 9))), UiNode(text="gone", bounds=Bounds(0, 0, 9, 9)))


def test_a_wide_screen_is_not_cut_at_the_width_of_a_tall_one() -> None:
    wide = parse_hierarchy(
        '<hierarchy rotation="1"><node text="x" bounds="[1200,200][1344,305]"/></hierarchy>', (2400, 1080)
    )
    assert tap_point(wide, wide.roots[0]) == (1272, 252)


boxes = st.builds(Bounds, *[st.integers(-100, 2600)] * 4)


@given(boxes, boxes, st.booleans())
def test_a_point_is_always_on_the_screen_and_in_a_box(outer: Bounds, inner: Bounds, clickable: bool) -> None:
    node = UiNode(text="x", bounds=inner)
    shown = tree(UiNode(clickable=clickable, bounds=outer, children=(node,)))
    try:
        x, y = tap_point(shown, node)
    except NoPlace:
        return
    assert 0 <= x < SCREEN[0]
    assert 0 <= y < SCREEN[1]
    assert inner.contains(x, y) or (inner == Bounds(0, 0, 0, 0) and outer.contains(x, y))
