"""The live page over HTTP: what it shows, what a person can do, and who is kept out."""

import io
import json
import threading
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import numpy as np
import pytest
from PIL import Image

from mobile_gym.devices.errors import DeviceOffline
from mobile_gym.envs.live_page import LivePage
from tests.support.stub_phone import FIELD_AT, LOUDER_AT, StubPhone


@pytest.fixture
def phone() -> StubPhone:
    return StubPhone()


@pytest.fixture
def page(phone: StubPhone) -> Iterator[LivePage]:
    live = LivePage(lambda: phone, threading.RLock(), lambda: {"instruction": "声音太小", "turn": 2})
    yield live
    live.close()
    live.close()


def get(page: LivePage, path: str, **headers: str) -> tuple[str, bytes]:
    with urlopen(Request(page.url + path, headers=headers), timeout=5) as reply:
        return reply.headers["Content-Type"], reply.read()


def post(page: LivePage, body: Any, path: str = "input", **headers: str) -> dict[str, Any]:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    with urlopen(Request(page.url + path, data=data, headers=headers), timeout=5) as reply:
        answer: dict[str, Any] = json.loads(reply.read())
        return answer


def refused(page: LivePage, status: int, body: Any, path: str = "input", **headers: str) -> str:
    with pytest.raises(HTTPError) as caught:
        post(page, body, path, **headers)
    with caught.value as answer:
        assert answer.code == status
        told: str = json.loads(answer.read())["error"]
        return told


def test_the_page_and_the_state(page: LivePage) -> None:
    kind, html = get(page, "")
    assert kind.startswith("text/html")
    assert b"/screen.jpg" in html
    kind, state = get(page, "state.json")
    assert kind == "application/json"
    assert json.loads(state) == {"instruction": "声音太小", "turn": 2, "version": 0}
    page.refresh()
    assert json.loads(get(page, "state.json")[1])["version"] == 1


def test_the_screen_is_the_devices_own(page: LivePage, phone: StubPhone) -> None:
    kind, data = get(page, "screen.png?1")
    assert kind == "image/png"
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(data))), phone.screenshot())
    assert get(page, "screen.jpg")[0] == "image/jpeg"


def test_a_person_acts_on_the_phone(page: LivePage, phone: StubPhone) -> None:
    answer = post(page, {"action_type": "tap", "touch_point": list(LOUDER_AT)})
    assert phone.state["system"]["volume_music"] == "4"
    assert answer["version"] == 1
    post(page, {"action_type": "tap", "touch_point": list(FIELD_AT)})
    post(page, {"action_type": "type", "text": "你好"})
    assert phone.state["system"]["typed"] == "你好"
    post(page, {"action_type": "swipe", "touch_point": [0, 0], "lift_point": [1000, 1000]})
    assert phone.state["system"]["swiped"] == "0,0,89,199"
    post(page, {"key": "back"})
    assert not phone.state["focus"]


def test_what_a_person_cannot_do_is_told(page: LivePage, phone: StubPhone) -> None:
    assert "no field has the focus" in refused(page, 409, {"action_type": "type", "text": "x"})
    assert "finish does not touch the phone" in refused(page, 400, {"action_type": "finish"})
    assert "two whole numbers" in refused(page, 400, {"action_type": "tap", "touch_point": [2000, 0]})
    assert "unknown key" in refused(page, 400, {"key": "fire"})
    assert "JSON object" in refused(page, 400, [1])
    assert "Expecting" in refused(page, 400, b"{")
    assert "at most" in refused(page, 400, b"x" * 100_001)
    assert "/input" in refused(page, 404, {}, path="other")
    phone.failure = DeviceOffline("the stub is gone")
    assert "the stub is gone" in refused(page, 503, {"action_type": "tap", "touch_point": [0, 0]})


def test_other_pages_of_the_browser_are_kept_out(page: LivePage, phone: StubPhone) -> None:
    tap = {"action_type": "tap", "touch_point": list(LOUDER_AT)}
    assert "only its own host" in refused(page, 403, tap, Origin="http://elsewhere.example")
    assert "only its own host" in refused(page, 403, tap, Host="elsewhere.example")
    assert phone.state["system"]["volume_music"] == "3"
    post(page, tap, Origin=page.url.rstrip("/"))
    assert phone.state["system"]["volume_music"] == "4"


def test_a_person_waits_while_the_agent_acts(phone: StubPhone) -> None:
    lock = threading.Lock()
    live = LivePage(lambda: phone, lock, dict)
    done = threading.Event()

    def touch() -> None:
        post(live, {"action_type": "tap", "touch_point": list(LOUDER_AT)})
        done.set()

    try:
        with lock:
            hand = threading.Thread(target=touch)
            hand.start()
            assert not done.wait(0.05)
            assert phone.state["system"]["volume_music"] == "3"
        assert done.wait(5)
        hand.join()
        assert phone.state["system"]["volume_music"] == "4"
    finally:
        live.close()
