"""Equal states and different ones, over trees that hypothesis makes up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mobile_gym.devices.ui_tree import Bounds, UiNode, UiTree
from mobile_gym.reward.demonstration import PrimitiveAction
from mobile_gym.reward.frame import to_frame
from mobile_gym.reward.graph import texts
from mobile_gym.reward.graph.elements import carry_over
from mobile_gym.reward.graph.features import features_of
from mobile_gym.reward.graph.matching import likeness
from mobile_gym.reward.graph.merging import merge
from mobile_gym.reward.graph.model import GraphError, TaskGraph
from mobile_gym.reward.graph.recordings import RecordedStep, Recording
from mobile_gym.reward.graph.walking import TEXT_RATIO, find_edge, text_ratio

SIZE = (1000, 2000)
NOW = datetime(2026, 3, 12, 8, 26, tzinfo=UTC)
APP = "com.example"


def node(
    kind: str, name: str, box: tuple[int, int, int, int], *children: UiNode, text: str = "", **flags: bool
) -> UiNode:
    identifier = f"{APP}:id/{name}" if name else ""
    return UiNode(0, text, identifier, f"android.widget.{kind}", APP, bounds=Bounds(*box), children=children, **flags)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Page:
    """A page of a made-up app: a title, a tab that is selected, a field, a switch, a button with a badge, a feed."""

    title: str
    tab: int = 0
    typed: str = ""
    on: bool = False
    feed: tuple[str, ...] = ("苹果", "香蕉", "葡萄", "西瓜")


@dataclass(frozen=True)
class Noise:
    """What changes by itself."""

    minutes: int = 0
    battery: int = 82
    badge: int | None = None
    comments: int = 5
    order: tuple[int, ...] = field(default=tuple(range(12)))
    banner: bool = False


def tree_of(page: Page, noise: Noise) -> UiTree:
    now = NOW + timedelta(minutes=noise.minutes)
    top = [
        node("TextView", "time", (0, 0, 200, 50), text=f"{now.hour}:{now.minute:02d}"),
        node("TextView", "battery", (800, 0, 1000, 50), text=f"{noise.battery}%"),
        node("TextView", "title", (0, 50, 1000, 150), text=page.title),
        node("TextView", "comments", (0, 150, 1000, 200), text=f"{noise.comments} 条评论"),
        node("EditText", "query", (0, 200, 1000, 300), text=page.typed, clickable=True),
        node("Switch", "switch", (0, 300, 1000, 400), text="提醒", checkable=True, checked=page.on, clickable=True),
    ]
    tabs = [
        node(
            "TextView",
            f"tab{n}",
            (n * 300, 1800, n * 300 + 300, 2000),
            text=f"标签{n}",
            clickable=True,
            selected=n == page.tab,
        )
        for n in range(3)
    ]
    badge = [] if noise.badge is None else [node("TextView", "", (950, 1700, 1000, 1750), text=str(noise.badge))]
    bell = node(
        "FrameLayout",
        "bell",
        (850, 1650, 1000, 1800),
        node("TextView", "", (850, 1750, 1000, 1800), text="消息"),
        *badge,
        clickable=True,
    )
    names = [page.feed[index] for index in noise.order if index < len(page.feed)]
    rows = [
        node(
            "LinearLayout",
            "row",
            (0, 400 + 150 * place, 1000, 550 + 150 * place),
            node("TextView", "name", (0, 400 + 150 * place, 600, 550 + 150 * place), text=name),
            node(
                "TextView",
                "when",
                (600, 400 + 150 * place, 1000, 550 + 150 * place),
                text=f"{place + noise.minutes} 分钟前",
            ),
            clickable=True,
        )
        for place, name in enumerate(names)
    ]
    feed = node("RecyclerView", "feed", (0, 400, 1000, 1650), *rows, scrollable=True)
    roots = [node("FrameLayout", "", (0, 0, *SIZE), *top, feed, bell, *tabs)]
    if noise.banner:
        text = UiNode(
            0, "新通知", "", "android.widget.TextView", "com.android.systemui", bounds=Bounds(0, 0, 1000, 140)
        )
        roots.append(replace(text, children=(), clickable=True))
    return UiTree(tuple(roots), 0, SIZE)


noises = st.builds(
    Noise,
    minutes=st.integers(0, 5000),
    battery=st.integers(1, 100),
    badge=st.none() | st.integers(1, 99),
    comments=st.integers(0, 99999),
    order=st.permutations(range(12)).map(tuple),
    banner=st.booleans(),
)
words = st.text(st.sampled_from("云山水火木金abcd"), min_size=2, max_size=6)
pages = st.builds(
    Page,
    title=words,
    tab=st.integers(0, 2),
    typed=st.sampled_from(["", "打车", "医院 301"]),
    on=st.booleans(),
    feed=st.lists(words, min_size=3, max_size=7, unique=True).map(tuple),
)


def seen(page: Page, noise: Noise) -> tuple[UiTree, datetime]:
    return tree_of(page, noise), NOW + timedelta(minutes=noise.minutes)


@given(pages, noises, noises)
@settings(max_examples=60)
def test_clocks_badges_counters_order_and_banners_split_nothing(page: Page, one: Noise, other: Noise) -> None:
    (first, then), (second, later) = seen(page, one), seen(page, other)
    found = likeness(features_of(first, f"{APP}/.Main", then), features_of(second, f"{APP}/.Main", later))
    assert found is not None
    assert found.same_but_counters
    assert found.items == 1


@given(pages, pages, noises, noises)
@settings(max_examples=60)
def test_different_pages_are_never_equal(page: Page, other: Page, one: Noise, two: Noise) -> None:
    same = replace(page, feed=()) == replace(other, feed=())
    if same:
        other = replace(other, title=f"{other.title}x")
    (first, then), (second, later) = seen(page, one), seen(other, two)
    assert likeness(features_of(first, f"{APP}/.Main", then), features_of(second, f"{APP}/.Main", later)) is None


@given(pages, noises)
@settings(max_examples=20)
def test_another_activity_or_size_is_another_page(page: Page, noise: Noise) -> None:
    tree, now = seen(page, noise)
    main = features_of(tree, f"{APP}/.Main", now)
    assert likeness(main, features_of(tree, f"{APP}/.Other", now)) is None
    assert likeness(main, features_of(replace(tree, size=(2000, 1000)), f"{APP}/.Main", now)) is None


def test_a_feed_may_show_other_content_only_where_it_was_swiped_as_far() -> None:
    page, other = Page("首页"), Page("首页", feed=("桃子", "李子", "杏子", "梨"))
    one, two = (features_of(tree_of(each, Noise()), f"{APP}/.Main", NOW) for each in (page, other))
    assert likeness(one, two) is not None
    assert likeness(one, two, ((0, 0), (0, 1))) is None


def test_menus_with_other_entries_are_other_pages() -> None:
    def menu(*entries: str) -> UiTree:
        rows = [
            node("TextView", "entry", (0, 100 * n, 1000, 100 * n + 100), text=entry, clickable=True)
            for n, entry in enumerate(entries)
        ]
        close = node("TextView", "close", (0, 1000, 1000, 1100), text="取消", clickable=True)
        return UiTree(
            (node("FrameLayout", "", (0, 0, *SIZE), node("ListView", "", (0, 0, 1000, 900), *rows), close),), 0, SIZE
        )

    one, same, other = (
        features_of(menu(*entries), f"{APP}/.Main")
        for entries in (("复制", "转发", "删除"), ("转发", "删除", "复制"), ("拍照", "相册", "文件"))
    )
    assert likeness(one, same) is not None
    assert likeness(one, other) is None


@given(pages, noises, noises, st.integers(0, 2))
@settings(max_examples=40)
def test_points_follow_the_element(page: Page, one: Noise, other: Noise, item: int) -> None:
    source, target = tree_of(page, replace(one, banner=False)), tree_of(page, replace(other, banner=False))

    def row(tree: UiTree, name: str) -> Bounds:
        return next(
            each.bounds for each in tree.walk() if each.resource_id.endswith("row") and each.children[0].text == name
        )

    name = page.feed[item]
    box = row(source, name)
    found = carry_over((box.left + 70, box.top + 20), source, target)
    assert found == (row(target, name).left + 70, row(target, name).top + 20)
    gone = replace(page, feed=tuple(f"{other}!" for other in page.feed))
    assert carry_over(box.center, source, tree_of(gone, other)) is None


# Whole recordings of a made-up app: pages that lead to pages by their tabs.


def recording(way: Sequence[Page], noise: Sequence[Noise], source: str = "way", solved: bool = True) -> Recording:
    steps = []
    for index, page in enumerate(way):
        following = way[index + 1].tab if index + 1 < len(way) else None
        action = (
            PrimitiveAction("finish")
            if following is None
            else PrimitiveAction("tap", to_frame(following * 300 + 150, 1900, SIZE))
        )
        tree, now = seen(page, noise[index])
        steps.append(RecordedStep(b"", tree, f"{APP}/.Main", SIZE, now, None, action))
    return Recording("own-1", "x", "zh", "d", source, solved, tuple(steps))


HOME, SHOP, CART = Page("首页", 0), Page("商店", 1), Page("购物车", 2, typed="苹果")


def ends(graph: TaskGraph) -> list[tuple[int, int]]:
    return [(edge.source, edge.target) for edge in graph.edges]


@given(st.lists(noises, min_size=8, max_size=8))
@settings(max_examples=25)
def test_recordings_under_any_circumstances_are_one_graph(noise: list[Noise]) -> None:
    calm = [replace(each, order=Noise().order) for each in noise]
    ways = [
        recording([HOME, SHOP, CART], calm[:3], "one"),
        recording([HOME, CART], noise[3:5], "two"),
        recording([HOME, SHOP, CART], noise[5:8], "three"),
    ]
    graph = merge(ways)
    assert len(graph.nodes) == 3
    assert [found.done for found in graph.nodes] == [False, False, True]
    assert ends(graph) == [(0, 1), (1, 2), (0, 2)]
    assert graph.remaining == (1, 1, 0)
    assert [graph.progress(number) for number in range(3)] == [0, 0, 1]


def test_a_counter_that_an_action_changed_is_another_state() -> None:
    def quantity(comments: int) -> Noise:
        return Noise(comments=comments)

    stepping = recording([HOME, HOME, HOME, CART], [quantity(1), quantity(2), quantity(3), quantity(3)])
    assert ends(merge([stepping])) == [(0, 1), (1, 2), (2, 3)]
    # it changed while the recording was elsewhere: by itself
    returning = recording([HOME, SHOP, HOME, CART], [quantity(1), quantity(1), quantity(9), quantity(1)])
    assert ends(merge([returning])) == [(0, 1), (1, 0), (0, 2)]


# Rows with a value, as pages of settings have them.

UNITS = (
    "分钟",
    "小时",
    "天",
    "秒",
    "%",
    "件",
    "个",
    "人",
    "次",
    "张",
    "条",
    "首",
    "元",
    "万",
    "GB",
    " minutes",
    " min",
    " h",
    " items",
    "",
)
numbers = st.integers(1, 60)


@dataclass(frozen=True)
class Settings:
    """A page of rows, in a list or not, one of which has a value; a dialog lists what it may be."""

    value: str
    listed: bool
    rows: int
    other: str = "1 分钟"

    def tree(self) -> UiTree:
        names = ["自动关闭", *(f"条目{'甲乙丙丁'[n]}" for n in range(self.rows))]
        rows = [
            node(
                "LinearLayout",
                "row",
                (0, 200 + 150 * n, 1000, 350 + 150 * n),
                node("TextView", "title", (0, 200 + 150 * n, 600, 350 + 150 * n), text=name),
                node(
                    "TextView",
                    "summary",
                    (600, 200 + 150 * n, 1000, 350 + 150 * n),
                    text=self.value if n == 0 else self.other,
                ),
                clickable=True,
            )
            for n, name in enumerate(names)
        ]
        kind = "RecyclerView" if self.listed else "LinearLayout"
        title = node("TextView", "title", (0, 50, 1000, 150), text="设置")
        body = node(kind, "list", (0, 200, 1000, 1800), *rows)
        return UiTree((node("FrameLayout", "", (0, 0, *SIZE), title, body),), 0, SIZE)


def dialog() -> UiTree:
    button = node("TextView", "choice", (0, 900, 1000, 1000), text="选一个", clickable=True)
    return UiTree((node("FrameLayout", "", (0, 0, *SIZE), button),), 0, SIZE)


def chosen(trees: Sequence[UiTree], source: str = "one") -> Recording:
    tap, finish = PrimitiveAction("tap", to_frame(500, 250, SIZE)), PrimitiveAction("finish")
    steps = [RecordedStep(b"", tree, f"{APP}/.Main", SIZE, NOW, None, tap) for tree in trees[:-1]]
    steps.append(RecordedStep(b"", trees[-1], f"{APP}/.Main", SIZE, NOW, None, finish))
    return Recording("own-1", "x", "zh", "d", source, True, tuple(steps))


values = st.one_of(
    st.tuples(numbers, st.sampled_from(UNITS)).map(lambda pair: f"{pair[0]}{pair[1]}"),
    st.tuples(numbers, st.sampled_from(UNITS)).map(lambda pair: f"{pair[0]} {pair[1].strip()}"),
    st.tuples(numbers, st.sampled_from(UNITS)).map(lambda pair: f"最多 {pair[0]} {pair[1].strip()}"),
    st.integers(1, 12).map(lambda month: f"{month}月20日"),
    st.integers(0, 6).map(lambda hour: f"{hour}:30"),
    st.sampled_from(["开启", "关闭", "明天", "周三", "每天", "浅色", "深色"]),
)


@given(values, values, st.booleans(), st.integers(0, 4))
@settings(max_examples=150)
def test_a_row_of_another_value_is_another_state(one: str, other: str, listed: bool, rows: int) -> None:
    before, after = Settings(one, listed, rows).tree(), Settings(other, listed, rows).tree()
    found = likeness(*(features_of(tree, f"{APP}/.Main", NOW) for tree in (before, after)))
    assert (found is not None) is (one == other)
    # chosen in a dialog, so while the recording was elsewhere
    graph = merge([chosen([before, dialog(), after, tree_of(Page("完"), Noise())])])
    assert len(graph.nodes) == (3 if one == other else 4)
    # one recording shows the page before the choice alone, the other one after it alone
    start, end = tree_of(Page("始"), Noise()), tree_of(Page("完"), Noise())
    both = merge([chosen([start, before, end]), chosen([start, after, end], "two")])
    assert len(both.nodes) == (3 if one == other else 4)


def test_options_that_differ_in_a_number_are_told_apart() -> None:
    def options(top: int) -> UiTree:
        rows = [
            node("TextView", "option", (0, top + 100 * n, 1000, top + 100 * n + 100), text=text, clickable=True)
            for n, text in enumerate(("1 分钟", "5 分钟", "10 分钟", "明天"))
        ]
        return UiTree(
            (node("FrameLayout", "", (0, 0, *SIZE), node("ListView", "", (0, 0, 1000, 900), *rows)),), 0, SIZE
        )

    assert carry_over((500, 150), options(0), options(100)) == (500, 250)
    assert carry_over((500, 350), options(0), options(100)) == (500, 450)


def test_a_badge_that_an_action_changed_is_another_state() -> None:
    adding = recording([HOME, HOME, HOME, CART], [Noise(badge=1), Noise(badge=2), Noise(badge=3), Noise()])
    assert ends(merge([adding])) == [(0, 1), (1, 2), (2, 3)]
    returning = recording([HOME, SHOP, HOME, CART], [Noise(badge=1), Noise(), Noise(badge=9), Noise()])
    assert ends(merge([returning])) == [(0, 1), (1, 0), (0, 2)]


def test_a_rows_count_is_its_value_and_a_feeds_is_none() -> None:
    one, other = (Settings(f"{number} 条评论", listed=False, rows=1) for number in (3, 4))
    assert likeness(*(features_of(page.tree(), f"{APP}/.Main", NOW) for page in (one, other))) is None
    feeds = (tree_of(Page("首页"), Noise(comments=number)) for number in (3, 4))
    assert likeness(*(features_of(tree, f"{APP}/.Main", NOW) for tree in feeds)) is not None


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("3 条评论", "# 条评论"),
        ("消息(12)", "消息(#)"),
        ("[2条] 满 39 元免费送货", "[#条] 满 39 元免费送货"),
        ("已售 2.3 万", "已售 # 万"),
        ("1.2k likes", "#k likes"),
        ("3 unread", "# unread"),
        ("5 分钟", "5 分钟"),
        ("82%", "82%"),
        ("共 2 件", "共 2 件"),
        ("惠民银行(4826)", "惠民银行(4826)"),
        ("(555) 013-2618", "(555) 013-2618"),
    ],
)
def test_counts_of_feeds_are_known(text: str, plain: str) -> None:
    assert texts.without_counters(texts.plain(text)) == plain


def test_states_that_look_the_same_and_lead_elsewhere_are_different() -> None:
    # the same dialog, asked for by two pages, leads on to two places by the same tap
    dialog, first, second = Page("确定吗", 1), Page("甲", 1), Page("乙", 1)
    graph = merge(
        [
            recording([HOME, Page("甲前", 2), dialog, first], [Noise()] * 4, "one"),
            recording([HOME, Page("乙前", 0), dialog, second], [Noise()] * 4, "two"),
        ]
    )
    dialogs = [number for number, found in enumerate(graph.nodes) if {2} == {step for _, step in found.seen}]
    assert len(dialogs) == 2
    assert all(len(graph.leaving[number]) == 1 for number in dialogs)


def test_an_end_without_verifiers_is_not_the_start_that_looks_like_it() -> None:
    graph = merge([recording([HOME, SHOP, HOME], [Noise()] * 3)])
    assert [found.done for found in graph.nodes] == [False, False, True]
    assert ends(graph) == [(0, 1), (1, 2)]


@pytest.mark.parametrize(
    ("recordings", "said"),
    [
        ([], "no recordings"),
        ([recording([HOME, CART], [Noise()] * 2, solved=False)], "no DONE"),
        ([recording([HOME, CART], [Noise()] * 2), recording([SHOP, CART], [Noise()] * 2)], "begin in the same state"),
        (
            [recording([HOME, CART], [Noise()] * 2), replace(recording([HOME, CART], [Noise()] * 2), language="en")],
            "language is 'zh' and 'en'",
        ),
    ],
)
def test_what_gives_no_graph_is_told(recordings: list[Recording], said: str) -> None:
    with pytest.raises(GraphError, match=said):
        merge(recordings)


def test_of_edges_that_match_the_nearest_counts() -> None:
    graph = merge([recording([HOME, SHOP, CART], [Noise()] * 3)])
    edge = graph.edges[0]
    assert edge.point is not None
    for right, found in [(0, True), (49, True), (52, False)]:
        action = PrimitiveAction("tap", to_frame(edge.point[0] + right, edge.point[1], SIZE))
        assert (find_edge(graph, 0, action) == edge) is found


@pytest.mark.parametrize(
    ("recorded", "typed", "alike"),
    [
        ("好的", "好的。", True),
        ("OK", "ok!", True),
        ("在哪儿吃饭", " 在哪儿　吃饭？", True),
        ("好的", "好", False),
        ("13800138000", "13800138001", False),
        ("138 0013 8000", "13800138000", True),
        ("妈妈", "爸爸", False),
        ("！", "!", True),
        # short texts are the same: names, negations, what is asked for
        ("给梅玉带的", "给玉梅带的", False),
        ("明天不去", "明天去", False),
        ("给妈转两百", "给爸转两百", False),
        ("我想打车去人民医院", "我要打车去人民医院", False),
        # longer ones may differ in particles and articles, and in nothing else
        ("我们明天下午三点在公园的东门口见", "我们明天下午三点在公园东门口见吧。", True),
        ("Let us meet at the east gate of the park", "let us meet at east gate of the park", True),
        ("我们明天下午三点在公园的东门口见", "我们明天下午四点在公园的东门口见", False),
        ("我们明天下午三点在公园的东门口见", "我们明天下午三点不在公园的东门口见", False),
        ("麻烦给小丽转两百块钱买菜用", "麻烦给小红转两百块钱买菜用", False),
        ("Let us meet at the east gate, Jason", "Let us meet at the east gate, Mason", False),
        ("We can meet at the east gate", "We can't meet at the east gate", False),
    ],
)
def test_texts_are_compared_loosely_and_what_they_tell_is_not(recorded: str, typed: str, alike: bool) -> None:
    assert (text_ratio(recorded, typed) >= TEXT_RATIO) is alike
    assert (text_ratio(typed, recorded) >= TEXT_RATIO) is alike


@pytest.mark.parametrize(
    "text", ["8:26", "昨天", "周二", "3月12日 星期四", "5 分钟前", "Mar 12, 8:26 AM", "2 hours ago", "今天 上午8:17"]
)
def test_stamps_are_known(text: str) -> None:
    assert texts.is_stamp(texts.plain(text))


@pytest.mark.parametrize(
    "text", ["", "13800138000", "5 分钟", "2 hours", "闹钟 8:26 响", "周末去公园", "第 3 章", "marching", "·"]
)
def test_other_texts_are_no_stamps(text: str) -> None:
    assert not texts.is_stamp(texts.plain(text))


@pytest.mark.parametrize(
    ("text", "now"),
    [
        ("8:26", True),
        ("8:25", True),
        ("20:26", False),
        ("7:30", False),
        ("3月12日", True),
        ("mar 13", False),
        ("thu, mar 12", True),
        ("周二", False),
    ],
)
def test_a_clock_tells_now(text: str, now: bool) -> None:
    assert texts.tells_now(text, NOW) is now
    assert not texts.tells_now(text, None)


@given(st.text(max_size=30))
def test_any_text_can_be_read(text: str) -> None:
    plain = texts.plain(text)
    texts.is_stamp(plain)
    texts.tells_now(plain, NOW)
    assert texts.without_counters(texts.without_counters(plain)) == texts.without_counters(plain)
