"""The hierarchy as XML that any parser reads back."""

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from mobile_gym.devices.ui_tree import Bounds, UiNode, UiTree
from mobile_gym.envs.hierarchy_xml import to_xml

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@given(texts, texts, st.booleans())
def test_texts_come_back(text: str, description: str, flag: bool) -> None:
    child = UiNode(index=1, content_desc=description, long_clickable=flag, bounds=Bounds(-3, 4, 5, 6))
    xml = to_xml(UiTree((UiNode(text=text, children=(child,)), UiNode()), rotation=1))
    root = ElementTree.fromstring(xml)
    assert root.get("rotation") == "1"
    assert len(root) == 2
    found = root[0].get("text")
    allowed = all(char in "\t\n\r" or (char >= " " and char not in "\ufffe\uffff") for char in text)
    assert found == text if allowed else found is not None and len(found) == len(text)
    inner = root[0][0]
    assert inner.get("long-clickable") == str(flag).lower()
    assert inner.get("bounds") == "[-3,4][5,6]"
    assert inner.get("index") == "1"
