"""Layout: sizes, places, weights, and lists that build only what shows."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mobile_gym.phone.ui.layout import Layouter
from mobile_gym.phone.ui.metrics import Metrics, scaled_sp
from mobile_gym.phone.ui.node import FILL, Node
from mobile_gym.phone.ui.theme import theme_for

BOX = (0, 0, 400, 800)


def lay_out(root: Node, scroll: dict[str, list[int]] | None = None) -> Layouter:
    layouter = Layouter(Metrics(1.0, 1.0), theme_for(False), scroll or {})
    layouter.run(root, BOX)
    return layouter


def leaf(width: float, height: float, **attributes: Any) -> Node:
    return Node("space", width=width, height=height, **attributes)


def test_a_row_shares_the_rest_by_weight() -> None:
    parts = (leaf(100, 10), Node("space", weight=1.0, height=10), Node("space", weight=2.0, height=10))
    lay_out(Node("row", parts, width=FILL))
    assert [(part.x, part.w) for part in parts] == [(0, 100), (100, 100), (200, 200)]


def test_padding_gap_and_alignment() -> None:
    small, tall = leaf(10, 10), leaf(10, 50)
    lay_out(Node("col", (Node("row", (small, tall), pad=(5.0, 6.0, 7.0, 8.0), gap=3.0),)))
    assert (small.x, small.y, tall.x, tall.y) == (5, 26, 18, 6)


def test_a_box_places_each_child() -> None:
    corners = {name: leaf(10, 10, place=name) for name in ("top-start", "center-center", "bottom-end")}
    lay_out(Node("col", (Node("box", tuple(corners.values()), width=100.0, height=60.0),)))
    assert [(node.x, node.y) for node in corners.values()] == [(0, 0), (45, 25), (90, 50)]


def test_text_wraps_within_its_room_and_one_line_is_cut() -> None:
    text = "a rather long sentence that does not fit into one line at all, whatever one does"
    wrapped, cut = Node("text", text=text, width=200.0), Node("text", text=text, width=200.0, max_lines=1)
    lay_out(Node("col", (wrapped, cut)))
    assert len(wrapped.lines) > 1
    assert len(cut.lines) == 1
    assert cut.lines[0].endswith("…")
    assert cut.h == wrapped.h // len(wrapped.lines)


def test_font_scale_follows_androids_table() -> None:
    assert [scaled_sp(sp, 1.3) for sp in (8, 14, 24, 30, 100)] == [10.4, 18.8, 26.4, 30.0, 100.0]
    assert round(scaled_sp(16, 1.3), 1) == 20.2
    assert scaled_sp(16, 0.85) == 16 * 0.85
    assert scaled_sp(14, 1.0) == 14


def rows_of(heights: list[int], built: list[int]) -> Node:
    def build(number: int) -> Node:
        built.append(number)
        return leaf(100, heights[number], id=f"row{number}")

    return Node("list", list(range(len(heights))), build_row=build, id="list", width=FILL, height=FILL)


def test_a_list_builds_only_the_rows_that_show() -> None:
    built: list[int] = []
    lay_out(rows_of([100] * 1000, built))
    assert built == list(range(8))
    built.clear()
    lay_out(rows_of([100] * 1000, built), {"list": [500, 30]})
    assert built == list(range(500, 509))


def test_a_list_that_shrank_shows_its_end() -> None:
    node = rows_of([100] * 10, [])
    lay_out(node, {"list": [50, 0]})
    assert node.anchor == (2, 0)


@given(
    st.lists(st.integers(1, 300), min_size=1, max_size=30),
    st.lists(st.integers(-900, 900), max_size=8),
)
def test_scrolling_stays_within_the_list_and_fills_the_viewport(heights: list[int], moves: list[int]) -> None:
    position = [0, 0]
    for move in moves:
        node = rows_of(heights, [])
        lay_out(node, {"list": position})
        position = list(node.rows.move(node.anchor, move))
        assert 0 <= position[0] < len(heights)
        assert 0 <= position[1] < heights[position[0]] or position[1] == 0
    node = rows_of(heights, [])
    lay_out(node, {"list": position})
    at = node.y - node.anchor[1]
    for row in node.children:
        assert row.y == at
        at += row.h
    assert at >= min(sum(heights), 800), "no hole at the end of the viewport"
    assert sum(heights[: node.anchor[0]]) + node.anchor[1] <= max(sum(heights) - 800, 0)


@given(st.lists(st.integers(1, 200), min_size=2, max_size=20), st.integers(1, 600))
def test_scrolling_on_and_back_ends_where_it_began(heights: list[int], move: int) -> None:
    node = rows_of(heights, [])
    lay_out(node)
    there = node.rows.move((0, 0), move)
    gone = sum(heights[: there[0]]) + there[1]
    assert gone == min(move, max(sum(heights) - 800, 0))
    assert node.rows.move(there, -gone) == (0, 0)


TREES = st.recursive(
    st.builds(lambda w, h: Node("space", width=float(w), height=float(h)), st.integers(0, 90), st.integers(0, 90)),
    lambda children: st.builds(
        lambda kind, parts, pad, gap: Node(kind, parts, pad=float(pad), gap=float(gap)),
        st.sampled_from(["row", "col", "box"]),
        st.lists(children, max_size=3).map(tuple),
        st.integers(0, 5),
        st.integers(0, 5),
    ),
    max_leaves=12,
)


@given(TREES)
def test_children_lie_within_parents_that_wrap_them(root: Node) -> None:
    layouter = Layouter(Metrics(1.0, 1.0), theme_for(False), {})
    layouter.run(Node("col", (root,)), (0, 0, 10_000, 10_000))
    for node in root.walk():
        # What shows no pixel has no place.
        for child in node.children if node.visible else ():
            assert node.x <= child.x
            assert node.y <= child.y
            assert child.x + child.w <= node.x + node.w
            assert child.y + child.h <= node.y + node.h


def test_misspelt_attributes_are_found() -> None:
    assert Node("space", widht=3.0, height=2.0).unknown_attributes() == ["widht"]
