"""The live page and the recorder in a real browser: what a person types, in which order, and how a recording ends."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mobile_gym.devices import connect
from mobile_gym.devices.base import Device, Key
from mobile_gym.devices.errors import DeviceOffline
from mobile_gym.devices.ui_tree import UiNode
from mobile_gym.envs.live_page import LivePage
from mobile_gym.envs.live_page.recording import RecordingPage
from mobile_gym.reward.session import TaskSession
from mobile_gym.task_registry.loading import load_file
from mobile_gym.task_registry.recording import Recorder
from tests.support.stub_phone import FIELD_AT, LOUDER_AT, StubPhone

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
REPLY = Path(__file__).parents[1] / "graph" / "own" / "own-132.yaml"


class Diary(StubPhone):
    """A stub phone that takes its time for texts and keeps a diary of what reached it."""

    def __init__(self) -> None:
        super().__init__()
        self.diary: list[str] = []

    def tap(self, x: int, y: int) -> None:
        self.diary.append("tap")
        super().tap(x, y)

    def type_text(self, text: str) -> None:
        threading.Event().wait(0.2)
        super().type_text(text)
        self.diary.append(text)

    def press(self, key: Key) -> None:
        self.diary.append(f"<{key}>")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-quic"]
        )
        yield opened
        opened.close()


class Person:
    """Someone at the page; points are in the 0-1000 frame of the phone's screen."""

    def __init__(self, browser: Any, url: str) -> None:
        self.context = browser.new_context(viewport={"width": 1200, "height": 950})
        self.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=url.rstrip("/"))
        self.page = self.context.new_page()
        self.page.goto(url)
        self.page.wait_for_function("document.getElementById('screen').naturalWidth > 0")
        self.keyboard = self.page.keyboard
        self.wire = self.context.new_cdp_session(self.page)

    def click(self, point: tuple[int, int]) -> None:
        box = self.page.locator("#screen").bounding_box()
        self.page.mouse.click(box["x"] + box["width"] * point[0] / 1000, box["y"] + box["height"] * point[1] / 1000)

    def compose(self, steps: list[str]) -> None:
        """Composes by an input method, as far as its last candidate, which is not taken yet."""
        for text in steps:
            end = {"selectionStart": len(text), "selectionEnd": len(text)}
            self.wire.send("Input.imeSetComposition", {"text": text, **end})

    def commit(self, text: str) -> None:
        self.wire.send("Input.insertText", {"text": text})

    def text(self, name: str) -> str:
        found: str = self.page.locator(f"#{name}").inner_text()
        return found

    def until(self, done: Callable[[], bool]) -> None:
        for _ in range(200):
            if done():
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"not within ten seconds; the page says {self.text('action')!r}, {self.text('error')!r}")


@pytest.fixture
def phone() -> Diary:
    return Diary()


@pytest.fixture
def person(browser: Any, phone: Diary) -> Iterator[Person]:
    with closing(LivePage(lambda: phone, threading.RLock(), dict)) as page:
        someone = Person(browser, page.url)
        yield someone
        someone.context.close()


def test_what_was_typed_before_a_click_reaches_the_phone_before_it(person: Person, phone: Diary) -> None:
    person.click(FIELD_AT)
    person.keyboard.type("ab")
    person.click(LOUDER_AT)
    person.until(lambda: len(phone.diary) == 3)
    assert phone.diary == ["tap", "ab", "tap"]
    person.click(FIELD_AT)
    person.keyboard.type("c")
    person.page.locator("[data-key=home]").click()
    person.keyboard.type("d")
    person.keyboard.press("Enter")
    person.until(lambda: "<enter>" in phone.diary)
    assert phone.diary[3:] == ["tap", "c", "<home>", "d", "<enter>"]


def test_an_input_method_types_what_it_commits_and_nothing_before(person: Person, phone: Diary) -> None:
    person.click(FIELD_AT)
    person.compose(["n", "ni", "ni h", "你好"])
    person.page.wait_for_timeout(400)
    assert phone.diary == ["tap"]
    assert person.page.locator("#keys.composing").count() == 1
    person.commit("你好")
    person.until(lambda: len(phone.diary) == 2)
    person.compose(["ma", "吗"])
    person.commit("吗")
    person.keyboard.insert_text("，妈妈🎂")
    person.until(lambda: "🎂" in phone.state["system"]["typed"])
    assert phone.state["system"]["typed"] == "你好吗，妈妈🎂"
    assert person.text("error") == ""


def test_a_click_ends_what_is_being_composed(person: Person, phone: Diary) -> None:
    person.click(FIELD_AT)
    person.compose(["wan", "晚安"])
    person.click(LOUDER_AT)
    person.until(lambda: len(phone.diary) == 3)
    assert phone.diary == ["tap", "晚安", "tap"]


def test_what_is_pasted_is_typed_once(person: Person, phone: Diary) -> None:
    person.click(FIELD_AT)
    person.page.evaluate("text => navigator.clipboard.writeText(text)", "贴上的 text")
    person.keyboard.press("Control+v")
    person.until(lambda: len(phone.diary) == 2)
    person.page.wait_for_timeout(300)
    assert phone.diary == ["tap", "贴上的 text"]


def test_a_refusal_stays_until_the_person_goes_on(person: Person, phone: Diary) -> None:
    person.click(LOUDER_AT)
    person.keyboard.type("x")
    person.click(LOUDER_AT)
    person.until(lambda: phone.diary == ["tap", "tap"])
    assert "no field has the focus" in person.text("error")
    person.click(LOUDER_AT)
    person.until(lambda: person.text("error") == "")
    phone.failure = DeviceOffline("the stub is gone")
    person.click(LOUDER_AT)
    person.until(lambda: "the stub is gone" in person.text("error"))


@pytest.fixture(scope="module")
def embedded() -> Iterator[Device]:
    with connect("embedded:pixel_6a") as device:
        yield device


def test_a_person_records_chinese_corrects_it_and_sees_the_verdict(browser: Any, embedded: Device) -> None:
    session = TaskSession(load_file(REPLY), embedded)
    session.setup()
    embedded.open_app("短信")
    embedded.settle()

    def at(which: Callable[[UiNode], bool]) -> tuple[int, int]:
        box = next(node for node in embedded.hierarchy().visible() if which(node)).bounds.center
        return box[0] * 1000 // 1080, box[1] * 1000 // 2400

    page = RecordingPage(session, Recorder(session, "person"))
    person = Person(browser, page.url)
    turns = iter(range(1, 99))

    def did(do: Callable[[], None]) -> None:
        do()
        turn = next(turns)
        person.until(lambda: person.text("turn").startswith(f"{turn} of"))

    did(lambda: person.click(at(lambda node: node.text == "儿子 建军")))
    did(lambda: person.click(at(lambda node: node.resource_id.endswith("compose_message_text"))))
    person.keyboard.press("Backspace")
    person.until(lambda: "Backspace corrects what was just typed" in person.text("error"))
    person.compose(["hao de ba", "好的吧"])
    did(lambda: person.commit("好的吧"))
    person.keyboard.press("Backspace")
    person.until(lambda: person.text("action") == "type 好的")
    person.page.locator("[data-finish=done]").click()
    person.until(lambda: person.text("verdict").startswith("Not solved yet: not met: 1"))
    did(lambda: person.click(at(lambda node: node.resource_id.endswith("send_message_button"))))
    person.until(lambda: person.text("verdict") == "")
    person.page.locator("[data-finish='given up']").click()
    person.page.locator("#on").click()
    person.page.locator("[data-finish=done]").click()
    recording = page.wait(10)
    # The page is told before the program goes on and ends.
    closer = threading.Thread(target=page.close)
    closer.start()
    person.until(lambda: person.text("verdict").startswith("Solved."))
    closer.join(10)
    person.page.wait_for_timeout(1000)
    assert person.text("error") == ""
    person.context.close()
    assert recording is not None
    assert recording.solved
    assert [(step.action.kind, step.action.text) for step in recording.steps if step.action] == [
        ("tap", ""),
        ("tap", ""),
        ("type", "好的"),
        ("tap", ""),
        ("finish", "done"),
    ]
