"""The clock, by taps: alarms that ring, timers that end, laps, cities."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobile_gym.phone.apps.clock.schedule import next_time
from mobile_gym.phone.door import Intent
from mobile_gym.phone.errors import ProviderError
from mobile_gym.phone.phone import Phone
from tests.support.driver import Driver

ALARMS = "content://com.android.deskclock/alarms"
CLOCK = Intent(package="com.android.deskclock")


@pytest.fixture
def driver() -> Driver:
    phone = Phone(snapshot="lived_in")
    phone.activities.start(CLOCK)
    return Driver(phone)


def alarms(driver: Driver, where: str | None = None) -> list[dict[str, object]]:
    return driver.phone.providers.query(ALARMS, None, where)


def test_a_new_alarm_by_the_dial_rings_and_is_dismissed(driver: Driver) -> None:
    driver.tap_id("fab")
    driver.tap_text("9")
    driver.tap_text("30")
    driver.tap_id("material_timepicker_ok_button")
    (row,) = alarms(driver, "hour = 9")
    assert (row["minutes"], row["enabled"], row["daysofweek"]) == (30, 1, 0)
    assert driver.phone.state.interface["toast"]["text"] == "闹钟将在 1 小时 4 分后响起"
    driver.phone.advance(64 * 60_000)
    (ringing,) = [n for n in driver.phone.notifier.posted if n["key"] == f"alarm-{row['_id']}"]
    dismiss = ringing["actions"][1]
    driver.phone.activities.broadcast(Intent(action=dismiss["broadcast"], extras=dismiss["extras"]))
    (row,) = alarms(driver, "hour = 9")
    assert row["enabled"] == 0, "an alarm without days rings once"
    assert not [n for n in driver.phone.notifier.posted if n["key"].startswith("alarm-")]


def test_afternoon_by_typing(driver: Driver) -> None:
    driver.tap_id("fab")
    driver.tap_id("material_timepicker_mode_button")
    driver.tap_id("input_hour")
    driver.type("3")
    driver.tap_id("input_minute")
    driver.type("05")
    driver.tap_id("material_clock_period_pm_button")
    driver.tap_id("material_timepicker_ok_button")
    assert [(row["hour"], row["minutes"]) for row in alarms(driver, "hour = 15")] == [(15, 5)]


def test_a_time_that_is_none_is_refused(driver: Driver) -> None:
    before = alarms(driver)
    driver.tap_id("fab")
    driver.tap_id("material_timepicker_mode_button")
    driver.tap_id("input_hour")
    driver.phone.text_input.set_text("13")
    driver.tap_id("material_timepicker_ok_button")
    assert driver.has("请输入有效的时间")
    driver.tap_id("material_timepicker_cancel_button")
    assert alarms(driver) == before


def test_twenty_four_hours_by_the_dial(driver: Driver) -> None:
    driver.phone.put_setting("system", "time_12_24", "24")
    driver.tap_id("fab")
    driver.tap_text("15")
    driver.tap_text("45")
    driver.tap_id("material_timepicker_ok_button")
    assert [(row["hour"], row["minutes"]) for row in alarms(driver, "minutes = 45")] == [(15, 45)]
    assert driver.has("15:45")


def test_the_field_of_a_label_holds_the_label_of_its_own_alarm(driver: Driver) -> None:
    for number in ("1", "2"):
        driver.tap_id("fab")
        driver.tap_text(number)
        driver.tap_id("material_timepicker_ok_button")
        driver.tap_id("edit_label")
        assert driver.by_id("label_edit").text in ("", None)
        driver.tap_id("label_edit")
        driver.type(number)
        driver.tap_id("button1")
    assert {"1", "2"} <= {row["label"] for row in alarms(driver)}


def test_days_label_tone_vibration_and_deletion_with_undo(driver: Driver) -> None:
    driver.tap_id("alarm_card", index=0)
    driver.tap_id("day_button_6")
    driver.tap_id("vibrate_onoff")
    driver.tap_id("choose_ringtone")
    driver.tap_text("日出")
    driver.tap_id("edit_label")
    driver.tap_id("label_edit")
    driver.phone.text_input.set_text("晨练")
    driver.tap_text("确定")
    (row,) = alarms(driver, "hour = 6")
    assert (row["daysofweek"], row["vibrate"], row["ringtone"], row["label"]) == (127, 0, "sunrise", "晨练")
    driver.tap_id("delete")
    assert not alarms(driver, "hour = 6")
    window = next(w for w in driver.phone.windows.windows if w.name == "snackbar")
    undo = next(node for node in window.root.walk() if node.id == "snackbar_action")
    driver.tap_node(undo)
    assert alarms(driver, "hour = 6") == [row]


def test_a_switch_turns_an_alarm_off_and_it_stays_silent(driver: Driver) -> None:
    driver.tap_id("onoff", index=1)
    assert [row["enabled"] for row in alarms(driver, "hour = 7")] == [0]
    driver.phone.advance(24 * 3_600_000)
    titles = [n["title"] for n in driver.phone.notifier.posted if n["package"] == "com.android.deskclock"]
    assert "吃降压药（饭后）" not in titles


def test_snooze_rings_again_and_an_unanswered_alarm_is_missed(driver: Driver) -> None:
    driver.phone.providers.insert(ALARMS, {"hour": 8, "minutes": 30, "label": "x"})
    driver.phone.advance(5 * 60_000)
    (ringing,) = [n for n in driver.phone.notifier.posted if n["key"].startswith("alarm-")]
    snooze = ringing["actions"][0]
    driver.phone.activities.broadcast(Intent(action=snooze["broadcast"], extras=snooze["extras"]))
    assert not [n for n in driver.phone.notifier.posted if n["key"].startswith("alarm-")]
    driver.phone.advance(10 * 60_000)
    assert [n for n in driver.phone.notifier.posted if n["key"].startswith("alarm-")]
    driver.phone.advance(11 * 60_000)
    assert [n["title"] for n in driver.phone.notifier.posted if n["key"].startswith("missed-")] == ["错过的闹钟"]


def test_the_ringing_screen_stops_the_alarm(driver: Driver) -> None:
    driver.phone.providers.insert(ALARMS, {"hour": 8, "minutes": 30, "daysofweek": 127, "label": "x"})
    driver.phone.advance(5 * 60_000)
    (row,) = alarms(driver, "hour = 8")
    driver.phone.activities.open_screen("com.android.deskclock", "ringing", {"alarm": row["_id"]})
    driver.tap_id("dismiss")
    assert not [n for n in driver.phone.notifier.posted if n["key"].startswith("alarm-")]
    assert [r["enabled"] for r in alarms(driver, "hour = 8")] == [1]


def test_setting_the_time_does_not_ring_what_it_jumps_over(driver: Driver) -> None:
    driver.phone.set_time(driver.phone.state.clock.now_ms + 9 * 3_600_000)
    driver.phone.advance(1000)
    assert not [n for n in driver.phone.notifier.posted if n["key"].startswith("alarm-")]


def test_a_timer_counts_down_and_rings(driver: Driver) -> None:
    driver.tap_id("tab_menu_timer")
    driver.tap_id("fab")
    for digit in ("1", "3", "0"):
        driver.tap_id(f"timer_setup_digit_{digit}")
    driver.tap_id("fab")
    assert (
        driver.phone.providers.query("content://com.android.deskclock/timers", None, "length_ms = 90000")[0]["state"]
        == "running"
    )
    driver.tap_id("play_pause")
    driver.phone.advance(600_000)
    (timer,) = driver.phone.providers.query("content://com.android.deskclock/timers", None, "length_ms = 90000")
    assert (timer["state"], timer["remaining_ms"] > 88_000) == ("paused", True)
    driver.tap_id("play_pause")
    driver.phone.advance(91_000)
    assert "时间到" in [n["title"] for n in driver.phone.notifier.posted]
    driver.tap_id("play_pause")
    (timer,) = driver.phone.providers.query("content://com.android.deskclock/timers", None, "length_ms = 90000")
    assert (timer["state"], timer["remaining_ms"]) == ("reset", 90_000)
    assert "时间到" not in [n["title"] for n in driver.phone.notifier.posted]


def test_stopwatch_and_laps(driver: Driver) -> None:
    driver.tap_id("tab_menu_stopwatch")
    driver.tap_id("fab")
    driver.phone.advance(10_000)
    driver.tap_id("lap_button")
    driver.tap_id("fab")
    watch = driver.phone.providers.query("content://com.android.deskclock/stopwatch")[0]
    driver.phone.advance(60_000)
    assert driver.phone.providers.query("content://com.android.deskclock/stopwatch")[0] == watch
    assert 10_000 <= watch["elapsed_ms"] < 13_000
    assert len(driver.phone.providers.query("content://com.android.deskclock/laps")) == 1
    driver.tap_id("reset_button")
    assert driver.by_id("stopwatch_time_text").text == "00:00"


def test_cities_are_found_added_and_removed(driver: Driver) -> None:
    driver.tap_id("tab_menu_clock")
    driver.tap_id("fab")
    driver.tap_id("search_src_text")
    driver.type("伦敦")
    driver.tap_id("city_choice")
    driver.back()
    driver.back()
    assert driver.has("伦敦")
    assert driver.has("今天，晚 8 小时")
    driver.long_press_text("伦敦")
    driver.tap_id("remove_city")
    assert not driver.has("伦敦")


def test_intents_set_alarms_and_timers(driver: Driver) -> None:
    extras = {"android.intent.extra.alarm.HOUR": 21, "android.intent.extra.alarm.MINUTES": 15}
    driver.phone.activities.start(Intent(action="android.intent.action.SET_ALARM", extras=extras))
    assert [(row["hour"], row["minutes"]) for row in alarms(driver, "hour = 21")] == [(21, 15)]


def test_the_provider_refuses_what_no_alarm_can_be(driver: Driver) -> None:
    with pytest.raises(ProviderError, match="hour must be a whole number from 0 to 23"):
        driver.phone.providers.insert(ALARMS, {"hour": 24, "minutes": 0})


MOMENTS = st.datetimes(datetime(2026, 1, 1), datetime(2026, 12, 31))  # noqa: DTZ001 - local times


@given(MOMENTS, st.integers(0, 23), st.integers(0, 59), st.integers(0, 127))
def test_the_next_time_is_the_first_that_fits(now: datetime, hour: int, minute: int, days: int) -> None:
    found = next_time(now, hour, minute, days)
    assert now < found <= now + timedelta(days=7)
    assert (found.hour, found.minute) == (hour, minute)
    assert not days or days >> found.weekday() & 1
    earlier = found - timedelta(days=1)
    while earlier > now:
        assert days
        assert not days >> earlier.weekday() & 1
        earlier -= timedelta(days=1)


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize(("dark", "scale"), [("1", "1.0"), ("2", "1.3")])
def test_every_tab_and_dialog_opens(language: str, dark: str, scale: str) -> None:
    phone = Phone(language=language, snapshot="lived_in")
    phone.put_setting("secure", "ui_night_mode", dark)
    phone.put_setting("system", "font_scale", scale)
    phone.activities.start(CLOCK)
    driver = Driver(phone)
    steps = [
        "alarm_card",
        "fab",
        "material_minute_tv",
        "material_timepicker_mode_button",
        "material_timepicker_cancel_button",
    ]
    steps += [
        "choose_ringtone",
        "BACK",
        "edit_label",
        "BACK",
        "menu_more",
        "menu_item_settings",
        "snooze_duration",
        "BACK",
        "BACK",
    ]
    steps += [
        "tab_menu_clock",
        "fab",
        "BACK",
        "tab_menu_timer",
        "timer_label",
        "BACK",
        "fab",
        "timer_cancel",
        "tab_menu_stopwatch",
    ]
    for step in steps:
        driver.back() if step == "BACK" else driver.tap_id(step)
        phone.frame((360, 800))
        for node in phone.windows.focused().root.walk():
            assert not node.unknown_attributes()
