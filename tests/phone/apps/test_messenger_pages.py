"""Every page, dialog and sheet of the messenger, in both languages, both themes, large text and on a small screen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from mobile_gym.phone.apps.messenger.app import MessengerApp
from mobile_gym.phone.phone import Phone
from tests.support.driver import Driver, faults

PACKAGE = "com.mobench.messenger"
KINDS = {
    "zh": ("zh", "pixel_6a", {}),
    "en": ("en", "pixel_6a", {}),
    "dark": ("zh", "pixel_6a", {("secure", "ui_night_mode"): "2"}),
    "large": ("en", "pixel_6a", {("system", "font_scale"): "1.3"}),
    "small": ("en", "small", {("system", "font_scale"): "1.3"}),
    "small zh": ("zh", "small", {("system", "font_scale"): "1.3"}),
}


@pytest.fixture(params=KINDS)
def phone(request: pytest.FixtureRequest) -> Iterator[Phone]:
    language, profile, settings = KINDS[request.param]
    phone = Phone(snapshot="lived_in", language=language, profile=profile)
    for (namespace, key), value in settings.items():
        phone.put_setting(namespace, key, value)
    yield phone
    phone.close()


def _pages(phone: Phone) -> list[tuple[str, dict[str, Any], list[tuple[str, dict[str, Any]]]]]:
    """Screen, arguments, and its overlays with theirs."""

    def key(table: str, where: str) -> int:
        return int(phone.providers.query(f"content://{PACKAGE}/{table}", ("_id",), where)[0]["_id"])

    def kind(name: str) -> int:
        return key("messages", f"kind = '{name}'")

    lily, request, stranger = 3, key("contacts", "status = 'request'"), key("contacts", "status = 'stranger'")
    family, pending = 2, key("transfers", "state = 'pending'")
    everything = [("message", {"key": kind("text"), "top": 900, "bottom": 1000, "middle": 900})]
    everything += [("message", {"key": kind("voice"), "top": 300, "bottom": 400, "middle": 200})]
    everything += [("delete_messages", {"keys": [1, 2]}), ("picture", {"source": "photo/park"})]
    everything += [("place", {"title": "Park", "address": "Maple Street 26"}), ("file", {"key": kind("file")})]
    everything += [("packet", {"packet": 1}), ("announcement", {"text": "Rehearsal " * 30})]
    chats: list[Any] = [("chat", {"chat": number}, []) for number in range(1, 27)]
    return [
        ("main", {"tab": "chats"}, [("plus", {}), ("chat", {"chat": 1}), ("delete", {"chat": 1})]),
        ("main", {"tab": "contacts"}, []),
        ("main", {"tab": "discover"}, []),
        ("main", {"tab": "me"}, []),
        *chats,
        ("chat", {"chat": 1}, everything),
        ("chat", {"chat": 999}, []),
        ("chat_info", {"chat": family}, [("clear", {}), ("leave", {})]),
        ("chat_info", {"chat": 1}, []),
        (
            "contact",
            {"contact": lily},
            [
                ("more", {"contact": lily}),
                ("delete", {"contact": lily}),
                ("blacklist", {"contact": lily}),
                ("call", {"number": "5550104471", "title": "Lily"}),
            ],
        ),
        ("contact", {"contact": request}, []),
        ("contact", {"contact": stranger}, [("request", {"contact": stranger})]),
        ("contact", {"contact": 1}, []),
        ("contact", {"contact": 999}, []),
        ("permissions", {"contact": lily}, []),
        ("add_friend", {}, []),
        *[("edit_text", {"what": what, "key": family}, []) for what in ("group_name", "announcement", "my_nickname")],
        *[
            ("edit_text", {"what": what, "key": lily}, [])
            for what in ("remark", "note", "tags", "my_name", "signature")
        ],
        ("edit_text", {"what": "region", "key": 1}, []),
        ("new_friends", {}, [("request", {"contact": request})]),
        ("groups", {}, []),
        ("tags", {}, []),
        ("tagged", {"tag": "x"}, []),
        ("blacklist", {}, []),
        ("pick_chat", {"text": "hello " * 40}, [("send", {"chat": 1})]),
        ("pick_chat", {"messages": [1, 2]}, [("send", {"contact": lily})]),
        *[
            ("pick_people", {"purpose": purpose, "chat": family}, [])
            for purpose in ("create_group", "add_members", "remove_members", "card", "mention", "see")
        ],
        ("pick_file", {}, []),
        ("pick_picture", {}, []),
        ("pick_place", {}, []),
        ("pay_pin", {"title": "Red packet", "cents": 8800, "result": {}}, []),
        ("pay_pin", {"change": True}, []),
        ("red_packet", {"chat": family}, []),
        ("red_packet", {"chat": 1}, []),
        ("transfer", {"chat": 1}, []),
        ("transfer", {"purpose": "top_up"}, []),
        ("transfer", {"purpose": "withdraw"}, []),
        ("packet_detail", {"packet": 2}, []),
        ("packet_detail", {"packet": 999}, []),
        ("transfer_detail", {"transfer": pending}, [("give_back", {"transfer": pending})]),
        ("transfer_detail", {"transfer": 1}, []),
        ("wallet", {}, []),
        ("records", {}, []),
        ("new_poll", {"chat": family}, []),
        ("poll", {"poll": 1}, [("close", {"poll": 1})]),
        ("poll", {"poll": 4}, []),
        (
            "moments",
            {},
            [("delete", {"moment": 1}), ("comment", {"comment": 1}), ("picture", {"source": "photo/park"})],
        ),
        ("album", {}, [("delete", {"moment": 1}), ("picture", {"source": "photo/park"})]),
        ("album", {"contact": lily}, []),
        ("post", {}, [("visibility", {}), ("leave", {})]),
        ("search", {"query": "e"}, []),
        ("search", {"chat": 1}, []),
        ("scan", {}, []),
        ("my_code", {}, []),
        (
            "favourites",
            {"chat": 1},
            [(name, {"favourite": 4}) for name in ("open", "menu", "delete", "send")],
        ),
        ("settings", {}, []),
        ("account", {}, [("password", {})]),
        ("notify", {}, []),
        ("privacy", {}, [("range", {})]),
        ("general", {}, []),
        ("storage", {}, [("clean", {}), ("clear_all", {})]),
        ("about", {}, [("news", {})]),
    ]


def test_the_walk_meets_every_screen_and_overlay() -> None:
    phone = Phone(snapshot="lived_in")
    pages = _pages(phone)
    phone.close()
    assert {name for name, _, _ in pages} == {screen.name for screen in MessengerApp.screens}
    met: dict[str, set[str]] = {}
    for name, _, overlays in pages:
        met.setdefault(name, set()).update(overlay for overlay, _ in overlays)
    for screen in MessengerApp.screens:
        named = {method.removeprefix("overlay_") for method in dir(screen) if method.startswith("overlay_")}
        assert named == met[screen.name], screen.name


def test_pages(phone: Phone) -> None:
    driver = Driver(phone)
    driver.open(PACKAGE)
    wrong: list[str] = []

    def look(what: str) -> None:
        phone.invalidate()
        for window in phone.windows.windows:
            wrong.extend(f"{what}: {fault}" for fault in faults(window.root))

    for name, args, overlays in _pages(phone):
        phone.activities.open_screen(PACKAGE, name, args)
        look(f"{name} {args}")
        while driver.scroll():
            look(f"{name} {args}, scrolled")
        record = phone.activities.top()
        for overlay, values in overlays:
            phone.activities.context(record).open_overlay(overlay, **values)
            look(f"{name}/{overlay}")
            record["overlays"].clear()
    assert wrong == []


@pytest.mark.parametrize("extras", [{}, dict.fromkeys(("chat", "contact", "key", "poll", "packet", "transfer"), "x")])
def test_every_activity_starts_from_outside(extras: dict[str, str]) -> None:
    phone = Phone(snapshot="clean")
    driver = Driver(phone)
    more = (
        dict.fromkeys(("what", "purpose", "messages", "chosen", "tab", "hit", "cents", "result"), "x") if extras else {}
    )
    for screen in MessengerApp.screens:
        driver.open(PACKAGE, screen.activity, **extras, **more)
        assert phone.activities.resumed().activity == PACKAGE + screen.activity
        driver.back()
    phone.close()
