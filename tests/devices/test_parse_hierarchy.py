"""Reading hierarchies: what real devices send, and what must never pass."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobile_gym.devices.parse.hierarchy import HierarchyError, dump_failure, dump_path, parse_hierarchy
from mobile_gym.devices.ui_tree import Bounds

HEAD = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"


def one(attributes: str, **options: tuple[int, int]) -> str:
    return f'{HEAD}<hierarchy rotation="0"><node index="0" {attributes} /></hierarchy>'


def test_missing_attributes_have_the_defaults_of_uiautomator() -> None:
    (node,) = parse_hierarchy(f"{HEAD}<hierarchy><node/></hierarchy>").roots
    assert (node.text, node.enabled, node.clickable, node.bounds, node.index) == (
        "",
        True,
        False,
        Bounds(0, 0, 0, 0),
        0,
    )


def test_all_attributes_are_read() -> None:
    (node,) = parse_hierarchy(
        one(
            'text="a" resource-id="p:id/x" class="c.C" package="p" content-desc="d" checkable="true" checked="true" '
            'clickable="true" enabled="false" focusable="true" focused="true" scrollable="true" long-clickable="true" '
            'password="true" selected="true" bounds="[1,2][3,4]" hint="h" drawing-order="7"'
        )
    ).roots
    assert (node.text, node.resource_id, node.class_name, node.package, node.content_desc, node.hint) == (
        "a",
        "p:id/x",
        "c.C",
        "p",
        "d",
        "h",
    )
    assert all(
        (
            node.checkable,
            node.checked,
            node.clickable,
            not node.enabled,
            node.focusable,
            node.focused,
            node.scrollable,
            node.long_clickable,
            node.password,
            node.selected,
        )
    )
    assert node.bounds == Bounds(1, 2, 3, 4)


def test_several_roots_are_all_read_in_order() -> None:
    tree = parse_hierarchy('<hierarchy rotation="3"><node text="dialog"/><node text="app"/></hierarchy>')
    assert [node.text for node in tree.walk()] == ["dialog", "app"]
    assert tree.rotation == 3


def test_of_several_windows_the_focused_one_is_kept() -> None:
    dump = (
        '<displays><display id="0"><window focused="false" active="false" type="TYPE_SYSTEM">'
        '<hierarchy rotation="0"><node text="12:00" package="com.android.systemui"/></hierarchy></window>'
        '<window focused="true" active="true" type="TYPE_APPLICATION"><hierarchy rotation="0">'
        '<node text="Allow" package="com.android.permissioncontroller"/></hierarchy></window></display></displays>'
    )
    tree = parse_hierarchy(dump)
    assert [node.text for node in tree.walk()] == ["Allow"]
    assert tree.notes == ("1 windows without the focus were left out",)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("&#55357;&#56832;", "😀"),
        ("&#xD83D;&#xDE00;", "😀"),
        ("&#128512;", "😀"),
        ("a&#55357;b", "a\ufffdb"),
        ("&#56832;&#55357;", "\ufffd\ufffd"),
        ("&#0;&#1;&#xFFFE;&#99999999;", "\ufffd\ufffd\ufffd\ufffd"),
        ("line&#10;two", "line\ntwo"),
        ("\x01", "\ufffd"),
        ("\ud83d\ude00", "😀"),
        ("\ud83d", "\ufffd"),
        ("&lt;b&gt; &amp; &quot;&apos;", "<b> & \"'"),
    ],
)
def test_characters_that_xml_forbids_never_lose_the_tree(source: str, text: str) -> None:
    (node,) = parse_hierarchy(one(f'text="{source}"')).roots
    assert node.text == text


def test_halves_of_surrogates_in_bytes_are_joined_or_replaced() -> None:
    data = one('text="X"').encode().replace(b"X", b"\xed\xa0\xbd\xed\xb8\x80 \xed\xa0\xbd")
    assert parse_hierarchy(data).roots[0].text == "😀 \ufffd"
    assert parse_hierarchy(one('text="X"').encode().replace(b"X", b"\xff\xfe")).roots[0].text == "\ufffd\ufffd"


def test_crlf_and_text_around_the_xml_are_left_out() -> None:
    dump = (
        "WARNING: linker: <something>\r\n" + one('text="a"').replace("><", ">\r\n<") + "\r\nUI hierchary dumped to: x"
    )
    assert [node.text for node in parse_hierarchy(dump).walk()] == ["a"]


@pytest.mark.parametrize("bounds", ["[66,1777][1014,1664]", "[0,0][0,0]", "[66,136][66,1664]"])
def test_inverted_and_empty_bounds_stay_but_are_not_visible(bounds: str) -> None:
    tree = parse_hierarchy(one(f'text="Compare all plans" bounds="{bounds}"'), (1080, 2400))
    assert [node.text for node in tree.walk()] == ["Compare all plans"]
    assert list(tree.visible()) == []


def test_unreadable_bounds_are_noted() -> None:
    tree = parse_hierarchy(one('bounds="[a,b]"'))
    assert tree.roots[0].bounds.empty
    assert "unreadable" in tree.notes[0]


def test_size_is_as_far_as_the_roots_reach_unless_given() -> None:
    dump = one('bounds="[0,0][2400,1080]"')
    assert parse_hierarchy(dump).size == (2400, 1080)
    assert parse_hierarchy(dump, (10, 20)).size == (10, 20)


def test_an_empty_hierarchy_says_so() -> None:
    tree = parse_hierarchy(f'{HEAD}<hierarchy rotation="0" />')
    assert tree.roots == ()
    assert tree.notes == ("the hierarchy has no nodes",)


@pytest.mark.parametrize(
    ("dump", "reason"),
    [
        ("", "without a word"),
        ("   \r\n", "without a word"),
        ("ERROR: could not get idle state.", "did not come to rest"),
        ("ERROR: null root node returned by UiTestAutomationBridge.", "no window"),
        ("java.lang.IllegalArgumentException: Illegal character (d83d)\n\tat x", "emoji"),
        ("Killed", "killed"),
        ("UiAutomationService already registered!", "another program"),
        (f'{HEAD}<hierarchy rotation="0"><node', "cut off"),
        ("<hierarchy><node></hierarchy>", "broken"),
        ("<hierarchy><node text='&unknown;'/></hierarchy>", "broken"),
        ("something else", "failed"),
    ],
)
def test_failures_have_a_reason_that_is_never_empty(dump: str, reason: str) -> None:
    with pytest.raises(HierarchyError, match=reason) as caught:
        parse_hierarchy(dump)
    assert caught.value.reason.strip()


@pytest.mark.parametrize(
    "dump",
    [
        '<!DOCTYPE h [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><hierarchy><node text="&b;"/></hierarchy>',
        '<?xml version="1.0"?><!DOCTYPE hierarchy SYSTEM "file:///etc/passwd"><hierarchy/>',
    ],
)
def test_document_types_are_refused(dump: str) -> None:
    with pytest.raises(HierarchyError, match="document type"):
        parse_hierarchy(dump)


def test_absurd_depth_is_refused() -> None:
    with pytest.raises(HierarchyError, match="nested"):
        parse_hierarchy("<hierarchy>" + "<node>" * 5000 + "</node>" * 5000 + "</hierarchy>")


def test_the_path_in_the_message_is_read() -> None:
    assert dump_path("UI hierchary dumped to: /storage/emulated/legacy/window_dump.xml\r\n") == (
        "/storage/emulated/legacy/window_dump.xml"
    )
    assert dump_path("UI hierarchy dumped to: /sdcard/a b.xml") == "/sdcard/a b.xml"
    assert dump_path("ERROR: null root node") is None
    assert "without a word" in str(dump_failure("\n"))


@given(st.one_of(st.text(), st.binary()))
def test_any_input_gives_a_tree_or_a_hierarchy_error(data: str | bytes) -> None:
    with contextlib.suppress(HierarchyError):
        parse_hierarchy(data)


@given(st.text(st.characters(codec=None), max_size=40))
def test_any_text_in_a_node_is_a_tree(text: str) -> None:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    tree = parse_hierarchy(one(f'text="{escaped}"'))
    assert len(tree.roots) == 1
    tree.roots[0].text.encode()


@given(st.text(alphabet="<>/=\"' nodehiracy[]0,&#;x-!DOCTYPE", max_size=120))
def test_near_xml_gives_a_tree_or_a_hierarchy_error(text: str) -> None:
    with contextlib.suppress(HierarchyError):
        parse_hierarchy(f"<hierarchy>{text}</hierarchy>")
