"""What a person sees of the messenger at a second look: the PIN's lock, menus, bubbles, hints, faces, Discover."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from PIL import Image, PngImagePlugin

from mobile_gym.phone.apps.messenger import store
from mobile_gym.phone.door import Intent
from mobile_gym.phone.phone import Phone
from mobile_gym.phone.ui.node import Node
from tests.support.driver import Driver

PACKAGE = "com.mobench.messenger"
DAUGHTER, FAMILY = "小丽（女儿）", "幸福一家人"
LONG = "行，早上八点半南门见，我带保温杯和橘子"


@pytest.fixture(scope="module")
def first() -> Iterator[Phone]:
    phone = Phone(snapshot="lived_in")
    yield phone
    phone.close()


@pytest.fixture
def phone(first: Phone) -> Iterator[Phone]:
    phone = first.fork()
    yield phone
    phone.close()


@pytest.fixture
def driver(phone: Phone) -> Driver:
    driver = Driver(phone)
    driver.open(PACKAGE)
    return driver


def chat(driver: Driver, title: str) -> None:
    key = store.database(driver.phone).value("SELECT _id FROM view_chats WHERE title = ?", title)
    driver.phone.activities.start(Intent(action="android.intent.action.VIEW", data=f"mobench-messenger://chat/{key}"))
    driver.phone.settle()


def screen(phone: Phone, name: str, **args: Any) -> None:
    phone.activities.open_screen(PACKAGE, name, args)
    phone.settle()


def enter(driver: Driver, digits: str) -> None:
    for digit in digits:
        driver.tap_id(f"pin_key_{digit}")


def middle(node: Node) -> float:
    return node.x + node.w / 2


# ---- the PIN


def test_wrong_pins_are_counted_and_lock(driver: Driver, phone: Phone) -> None:
    screen(phone, "pay_pin", title="x", cents=880, result={})
    for left in (4, 3, 2, 1):
        enter(driver, "111111")
        assert driver.has(f"支付密码错误，还可以输入 {left} 次")
    enter(driver, "111111")
    assert driver.has("支付密码错误次数过多，请在 180 分钟后再试")
    assert not driver.by_id("pin_key_2").enabled
    fork = phone.fork()  # the count lies in the database, so a snapshot carries it
    fork.advance(60_000)
    screen(fork, "pay_pin", title="x", cents=880, result={})
    assert Driver(fork).has("支付密码错误次数过多，请在 179 分钟后再试")
    fork.advance(179 * 60_000)
    again = Driver(fork)
    screen(fork, "pay_pin", title="x", cents=880, result={})
    enter(again, "111111")
    assert again.has("支付密码错误，还可以输入 4 次")
    fork.close()


def test_a_right_pin_starts_the_tries_anew(driver: Driver, phone: Phone) -> None:
    screen(phone, "pay_pin", change=True)
    enter(driver, "111111")
    assert store.database(phone).value("SELECT pin_wrong FROM wallet") == 1
    enter(driver, "246810")
    assert driver.has("请输入新的支付密码")
    assert store.database(phone).value("SELECT pin_wrong FROM wallet") == 0


# ---- the chat


def test_only_bubbles_that_a_tap_opens_are_clickable(driver: Driver) -> None:
    chat(driver, DAUGHTER)
    text, picture = driver.by_text(LONG), driver.by_id("message_image")
    assert text.on_tap is None
    assert text.on_long_press is not None
    assert picture.on_tap is not None
    driver.long_press_text(LONG)
    driver.tap_id("message_choose")
    assert driver.by_text(LONG).on_tap is not None
    assert driver.has("已选择 1 条消息")


def test_a_bubble_holds_fourteen_characters_a_line(driver: Driver) -> None:
    chat(driver, DAUGHTER)
    assert driver.by_text(LONG).lines[0] == LONG[:14]


def test_chinese_times_have_twenty_four_hours(driver: Driver) -> None:
    chat(driver, DAUGHTER)
    assert {"昨天 19:42", "8:10"} <= set(driver.texts())


@pytest.mark.parametrize("keyboard", [False, True])
def test_the_menu_stands_at_its_message(driver: Driver, keyboard: bool) -> None:
    chat(driver, DAUGHTER)
    if keyboard:
        driver.tap_id("chat_input")
    driver.long_press_text(LONG)
    menu = driver.by_id("message_menu")
    page = driver.phone.windows.windows[0].root
    bubble = next(node for node in page.walk() if node.text == LONG)
    gap = bubble.y - (menu.y + menu.h)
    assert 0 < gap <= 40
    assert menu.x <= middle(bubble) <= menu.x + menu.w


# ---- texts and pictures


def test_hints_are_paler_than_texts(driver: Driver, phone: Phone) -> None:
    screen(phone, "red_packet", chat=2)

    def darkest() -> int:
        field = driver.by_id("amount")
        assert field.visible is not None
        left, top, right, bottom = field.visible
        return int(phone.frame()[top:bottom, left + 4 : right].max(axis=2).min())

    hint = darkest()
    driver.tap_id("amount")
    driver.type("8.88")
    assert hint > 150 > darkest()


def test_a_found_message_has_the_face_of_its_chat(driver: Driver, phone: Phone) -> None:
    screen(phone, "search", query="体检")
    (row,) = [
        node for node in driver.nodes() if node.id == "found_message" and any(c.text == FAMILY for c in node.walk())
    ]
    chats = store.database(phone)
    avatar = str(chats.value("SELECT avatar FROM chats WHERE name = ?", FAMILY))
    assert next(node.icon for node in row.walk() if node.kind == "icon") == avatar.split("/")[1]


@pytest.mark.parametrize("scale", ["1.0", "1.5"])
def test_names_of_members_are_whole(driver: Driver, phone: Phone, scale: str) -> None:
    phone.put_setting("system", "font_scale", scale)
    screen(phone, "chat_info", chat=2)
    names = [node for node in driver.nodes() if node.id == "member_name"]
    assert names
    assert ["".join(node.lines) for node in names] == [node.text for node in names]


def test_lines_stand_only_between_rows(driver: Driver, phone: Phone) -> None:
    for name, args in (("chat_info", {"chat": 2}), ("new_poll", {"chat": 2}), ("notify", {}), ("groups", {})):
        screen(phone, name, **args)
        (listed,) = [node for node in driver.nodes() if node.kind == "list"]
        shown = [node for node in listed.children if node.visible is not None]
        assert len(shown) > 2, name
        last_of_all = len(shown) == len(listed.children)
        for node, after in pairwise((*shown, None) if last_of_all else shown):
            if node is not None and node.id == "card_row" and len(node.children) == 2:
                assert after is not None, name
                assert after.id == "card_row", (name, node.children[0].id)


def test_the_page_of_a_red_packet(driver: Driver, phone: Phone) -> None:
    screen(phone, "packet_detail", packet=1)
    wide = phone.screen[0]
    for name in ("packet_sender", "packet_from", "packet_greeting"):
        assert abs(middle(driver.by_id(name)) - wide / 2) < 4, name
    frame = phone.frame()
    assert (np.abs(frame[4, 4].astype(int) - (0xE5, 0x47, 0x3D)) < 3).all()
    face = driver.by_id("packet_sender")
    assert (np.abs(frame[face.y + 1, face.x + 1].astype(int) - (255, 255, 255)) > 20).any()


# ---- Discover


def test_every_entry_of_discover_opens_a_page(driver: Driver, phone: Phone) -> None:
    screen(phone, "main", tab="discover")
    entries = [node.id for node in driver.nodes() if node.id.startswith("entry_")]
    assert entries == ["entry_moments", "entry_scan", "entry_search"]
    for entry in entries:
        screen(phone, "main", tab="discover")
        driver.tap_id(entry)
        assert phone.activities.top()["screen"] == entry.removeprefix("entry_")


def save_code(phone: Phone, name: str, text: str) -> None:
    about, out = PngImagePlugin.PngInfo(), io.BytesIO()
    about.add_itxt("Description", text)
    Image.new("L", (8, 8)).save(out, "PNG", pnginfo=about)
    phone.state.files.write(
        f"/storage/emulated/0/Pictures/{name}", out.getvalue(), mtime_ms=0, mode=0o660, owner="u0_a1", parents=True
    )


def test_a_code_of_the_album_is_scanned(driver: Driver, phone: Phone) -> None:
    account = store.database(phone).value("SELECT account FROM people WHERE title = ?", DAUGHTER)
    save_code(phone, "friend.png", f"mobench-messenger://contact/{account}")
    save_code(phone, "other.png", "https://example.com")
    for name, found in (("other.png", "暂不支持识别该二维码"), ("friend.png", DAUGHTER)):
        screen(phone, "scan")
        driver.tap_id("scan_album")
        driver.tap_text(name)
        texts = [node.text for window in phone.windows.windows for node in window.root.walk()]
        assert found in texts
    screen(phone, "scan")
    driver.tap_id("scan_my_code")
    assert driver.has("扫一扫上面的二维码图案，加我为朋友")
