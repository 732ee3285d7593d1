"""The calendar app and its provider, acted on by what the screen says."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobile_gym.phone.apps.calendar.rrule import (
    FREQUENCIES,
    Rule,
    RuleError,
    occurrences,
    parse_rule,
    write_rule,
)
from mobile_gym.phone.door import Intent
from mobile_gym.phone.errors import ProviderError
from mobile_gym.phone.phone import Phone
from tests.support.cut_texts import cut_texts
from tests.support.driver import Driver, faults

PACKAGE = "com.android.calendar"
EVENTS = "content://com.android.calendar/events"
REMINDERS = "content://com.android.calendar/reminders"
ATTENDEES = "content://com.android.calendar/attendees"
CALENDARS = "content://com.android.calendar/calendars"
HOUR, DAY = 3_600_000, 86_400_000


@pytest.fixture
def phone() -> Iterator[Phone]:
    phone = Phone(snapshot="clean")
    yield phone
    phone.close()


@pytest.fixture
def driver(phone: Phone) -> Driver:
    driver = Driver(phone)
    driver.open(PACKAGE)
    return driver


@pytest.fixture
def lived() -> Iterator[Driver]:
    phone = Phone(snapshot="lived_in")
    driver = Driver(phone)
    driver.open(PACKAGE)
    yield driver
    phone.close()


def ms(phone: Phone, day: int, hour: int = 0, minute: int = 0, month: int = 3) -> int:
    return phone.state.clock.to_ms(datetime(2026, month, day, hour, minute, tzinfo=phone.state.clock.tz))


def events(driver: Driver, where: str | None = None, *columns: str) -> list[dict[str, Any]]:
    return driver.phone.providers.query(EVENTS, columns or None, where)


def instances(driver: Driver, first: int, last: int, month: int = 3) -> list[tuple[str, int]]:
    """Titles and days of what lies between two days of a month of 2026."""
    begin, end = ms(driver.phone, first, month=month), ms(driver.phone, last, 23, 59, month=month)
    rows = driver.phone.providers.query(f"content://com.android.calendar/instances/when/{begin}/{end}")
    return [(row["title"], driver.phone.state.clock.at(row["begin"]).day) for row in rows]


def shown(driver: Driver) -> list[str]:
    return [node.desc for node in driver.nodes() if node.id == "event_row"]


def add(driver: Driver, **values: Any) -> int:
    return int(driver.phone.providers.insert(EVENTS, values).rpartition("/")[2])


def posted(driver: Driver) -> list[dict[str, Any]]:
    return [entry for entry in driver.phone.notifier.posted if entry["package"] == PACKAGE]


def open_event(driver: Driver, key: int, begin: int) -> None:
    extras = {"beginTime": begin}
    driver.phone.activities.start(Intent(action="android.intent.action.VIEW", data=f"{EVENTS}/{key}", extras=extras))
    driver.phone.settle()


# ---- rules

_rules = st.builds(
    Rule,
    freq=st.just("WEEKLY"),
    interval=st.integers(1, 5),
    count=st.integers(0, 30),
    by_day=st.sets(st.integers(0, 6), max_size=7).map(lambda days: tuple(sorted(days))),
) | st.builds(Rule, freq=st.sampled_from(FREQUENCIES), interval=st.integers(1, 5), count=st.integers(0, 30))
_starts = st.datetimes(datetime(2000, 1, 1), datetime(2030, 1, 1)).map(lambda one: one.replace(microsecond=0))  # noqa: DTZ001


def _fits(rule: Rule, start: datetime, moment: datetime) -> bool:
    """Whether a rule falls on a moment, day by day and without cleverness."""
    if moment == start:
        return True
    days = (moment.date() - start.date()).days
    months = (moment.year - start.year) * 12 + moment.month - start.month
    if rule.freq == "DAILY":
        return days % rule.interval == 0
    if rule.freq == "WEEKLY":
        monday = start.date() - timedelta(days=start.weekday())
        weeks = (moment.date() - monday).days // 7
        return weeks % rule.interval == 0 and moment.weekday() in (rule.by_day or (start.weekday(),))
    if rule.freq == "MONTHLY":
        return moment.day == start.day and months % rule.interval == 0
    same = (moment.month, moment.day) == (start.month, start.day)
    return same and (moment.year - start.year) % rule.interval == 0


@given(_rules, _starts, st.integers(0, 900))
def test_occurrences_are_those_of_a_day_by_day_search(rule: Rule, start: datetime, ahead: int) -> None:
    days = [start + timedelta(days=number) for number in range(ahead + 400)]
    wanted = [moment for moment in days if _fits(rule, start, moment)]
    wanted = wanted[: rule.count] if rule.count else wanted
    begin, end = start + timedelta(days=ahead), start + timedelta(days=ahead + 400)
    assert occurrences(rule, start, begin, end) == [moment for moment in wanted if begin <= moment < end]


@given(_rules)
def test_a_written_rule_reads_the_same(rule: Rule) -> None:
    assert parse_rule(write_rule(rule)) == rule


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("FREQ=MONTHLY;BYDAY=2TH", ["2026-03-12", "2026-04-09", "2026-05-14"]),
        ("FREQ=MONTHLY;BYDAY=-1TH", ["2026-03-12", "2026-03-26", "2026-04-30", "2026-05-28"]),
        ("FREQ=MONTHLY;BYMONTHDAY=31", ["2026-03-12", "2026-03-31", "2026-05-31"]),
        ("FREQ=WEEKLY;UNTIL=20260326", ["2026-03-12", "2026-03-19", "2026-03-26"]),
        ("FREQ=DAILY;COUNT=2;WKST=MO", ["2026-03-12", "2026-03-13"]),
    ],
)
def test_rules_that_calendars_write(text: str, days: list[str]) -> None:
    start = datetime(2026, 3, 12, 9)  # noqa: DTZ001
    found = occurrences(parse_rule(text), start, start, datetime(2026, 6, 1))  # noqa: DTZ001
    assert [moment.date().isoformat() for moment in found] == days


@pytest.mark.parametrize("text", ["", "DAILY", "FREQ=HOURLY", "FREQ=DAILY;INTERVAL=0", "FREQ=DAILY;BYSETPOS=1"])
def test_rules_without_sense_are_refused(text: str) -> None:
    with pytest.raises(RuleError):
        parse_rule(text)


@given(st.text(max_size=40))
def test_any_text_is_a_rule_or_refused(text: str) -> None:
    with suppress(RuleError):
        assert parse_rule(text).freq in FREQUENCIES


# ---- the provider


def test_an_inserted_event_gets_what_it_lacks(driver: Driver) -> None:
    start = ms(driver.phone, 13, 9)
    key = add(driver, title="体检", dtstart=start)
    (row,) = events(driver, f"_id = {key}")
    assert (row["dtend"], row["eventTimezone"], row["calendar_id"]) == (start + HOUR, "Asia/Shanghai", 1)
    assert row["calendar_displayName"] == "我的日历"
    driver.tap_text("13")
    assert shown(driver) == ["体检"]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"title": "x"}, "dtstart"),
        ({"title": "x", "dtstart": 2000, "dtend": 1000}, "dtend"),
        ({"title": "x", "dtstart": 2000, "rrule": "FREQ=SOMETIMES"}, "FREQ"),
        ({"title": "x", "dtstart": 2000, "calendar_id": 99}, "calendar"),
        ({"title": "x", "dtstart": "morgen"}, "dtstart"),
    ],
)
def test_the_provider_refuses_what_makes_no_event(driver: Driver, values: dict[str, Any], message: str) -> None:
    with pytest.raises(ProviderError, match=message):
        driver.phone.providers.insert(EVENTS, values)
    assert events(driver) == []


def test_reminders_and_guests_belong_to_events(driver: Driver) -> None:
    key = add(driver, title="体检", dtstart=ms(driver.phone, 13, 9))
    driver.phone.providers.insert(REMINDERS, {"event_id": key, "minutes": 30})
    driver.phone.providers.insert(ATTENDEES, {"event_id": key, "attendeeName": "小丽"})
    (row,) = events(driver, f"_id = {key}", "hasAlarm", "hasAttendeeData")
    assert row == {"hasAlarm": 1, "hasAttendeeData": 1}
    driver.phone.providers.delete(EVENTS, f"_id = {key}")
    assert driver.phone.providers.query(REMINDERS) == driver.phone.providers.query(ATTENDEES) == []
    with pytest.raises(ProviderError, match="event_id"):
        driver.phone.providers.insert(REMINDERS, {"event_id": key, "minutes": 30})


def test_instances_of_a_series_with_a_gap(driver: Driver) -> None:
    start = ms(driver.phone, 2, 9)
    add(driver, title="操", dtstart=start, rrule="FREQ=DAILY;INTERVAL=2", exdate="20260304T090000", duration="P1800S")
    assert instances(driver, 1, 9) == [("操", 2), ("操", 6), ("操", 8)]
    begin, end = ms(driver.phone, 6), ms(driver.phone, 6, 12)
    uri = f"content://com.android.calendar/instances/when/{begin}/{end}"
    (row,) = driver.phone.providers.query(uri, ["begin", "end", "startMinute"], "title = '操'")
    assert row == {"begin": start + 4 * DAY, "end": start + 4 * DAY + HOUR // 2, "startMinute": 540}
    with pytest.raises(ProviderError, match="instances"):
        driver.phone.providers.query("content://com.android.calendar/instances")
    with pytest.raises(ProviderError, match="no such column"):
        driver.phone.providers.query(uri, where="absent = 1")


def test_a_series_keeps_its_hour_when_clocks_change() -> None:
    phone = Phone(language="en")
    start = phone.state.clock.to_ms(datetime(2026, 3, 6, 9, tzinfo=phone.state.clock.tz))
    phone.providers.insert(EVENTS, {"title": "x", "dtstart": start, "rrule": "FREQ=DAILY;COUNT=4"})
    uri = f"content://com.android.calendar/instances/when/{start}/{start + 10 * DAY}"
    rows = phone.providers.query(uri, ["begin"])
    assert [phone.state.clock.at(row["begin"]).hour for row in rows] == [9, 9, 9, 9]
    assert rows[-1]["begin"] - rows[0]["begin"] == 3 * DAY - HOUR
    phone.close()


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_new_phone_has_calendars_and_no_events(language: str) -> None:
    phone = Phone(language=language, snapshot="clean")
    assert phone.providers.query(EVENTS) == []
    assert [row["name"] for row in phone.providers.query(CALENDARS)] == ["personal", "family", "health", "birthdays"]
    phone.close()


# ---- looking


def test_the_check_up_stands_where_the_messages_say(lived: Driver) -> None:
    lived.tap_text("13")
    assert "高血压复诊" in shown(lived)
    assert lived.has("上午9:30 – 上午10:30 · 社区卫生服务中心")


def test_months_are_swiped_and_today_leads_back(driver: Driver) -> None:
    phone = driver.phone
    phone.input.swipe(900, 800, 200, 800)
    phone.settle()
    assert driver.has("2026年4月")
    phone.input.swipe(200, 800, 900, 800)
    phone.input.swipe(200, 800, 900, 800)
    phone.settle()
    assert driver.has("2026年2月")
    driver.tap_id("action_today")
    assert driver.has("2026年3月")


def test_today_leads_back_to_the_days_top_and_the_present_hour(lived: Driver) -> None:
    lived.phone.put_setting("system", "font_scale", "1.5")  # so that there is something to scroll
    top = lived.by_id("month_grid").y
    assert lived.scroll()
    lived.tap_id("action_today")
    assert lived.by_id("month_grid").y == top
    lived.tap_id("tab_2")
    while lived.scroll():
        pass
    assert not lived.has("上午8点")
    lived.tap_id("action_today")
    assert lived.has("上午8点")


@pytest.mark.parametrize(("choice", "first"), [("", "一"), ("星期日", "日"), ("星期六", "六")])
def test_the_date_picker_begins_its_weeks_as_the_calendar_does(driver: Driver, choice: str, first: str) -> None:
    if choice:
        driver.tap_id("menu_more")
        driver.tap_id("menu_settings")
        driver.tap_id("pref_first_day")
        driver.tap_text(choice)
        driver.back()

    def begins() -> tuple[str, int]:
        (grid,) = [node for node in driver.nodes() if node.id == "month_grid"]
        letters = [node.text for node in grid.walk() if node.kind == "text" and node.text in set("一二三四五六日")]
        (one,) = [node for node in grid.walk() if node.id == "day" and node.text == "1"]
        return letters[0], (one.x + one.w // 2 - grid.x) * 7 // grid.w

    driver.tap_id("date_jump")
    # The first of March 2026 is a Sunday.
    assert begins() == (first, {"一": 6, "日": 0, "六": 1}[first])
    driver.back()
    driver.tap_id("floating_action_button")
    driver.back()
    driver.tap_id("start_date")
    assert begins()[0] == first


@pytest.mark.parametrize("scale", ["1.5", "2.0"])
def test_large_text_is_not_cut_in_the_month(scale: str) -> None:
    phone = Phone(snapshot="lived_in")
    phone.put_setting("system", "font_scale", scale)
    driver = Driver(phone)
    driver.open(PACKAGE)
    assert cut_texts(phone.windows.focused().root) == []
    driver.tap_id("tab_1")
    head = [node for node in driver.nodes() if node.id == "week_day"]
    assert [text for node in head for text in cut_texts(node)] == []
    driver.tap_id("tab_2")
    blocks = [node for node in driver.nodes() if node.id == "event_block"]
    assert blocks
    assert all(child.y + child.h <= block.y + block.h + 1 for block in blocks for child in block.children)
    phone.close()


def test_weeks_and_days_are_swiped(driver: Driver) -> None:
    driver.tap_id("tab_1")
    driver.phone.input.swipe(900, 1500, 200, 1500)
    driver.phone.settle()
    assert [node.text for node in driver.nodes() if node.id == "week_day"] == ["16", "17", "18", "19", "20", "21", "22"]
    driver.tap_text("3月18日 星期三")
    assert driver.has("3月18日 周三")
    driver.phone.input.swipe(200, 1500, 900, 1500)
    driver.phone.settle()
    assert driver.has("3月17日 周二")
    driver.back()
    assert next(node.text for node in driver.nodes() if node.id == "week_day") == "16"


def test_jumping_to_a_date_and_lunar_days(driver: Driver) -> None:
    assert driver.has("农历正月廿四 · 植树节")
    driver.tap_id("date_jump")
    driver.tap_id("month_navigation_next")
    driver.tap_text("2026年4月5日")
    driver.tap_text("确定")
    assert driver.has("农历二月十八 · 清明")
    driver.tap_id("menu_more")
    driver.tap_id("menu_settings")
    driver.tap_id("pref_lunar")
    driver.back()
    assert not driver.has("农历二月十八 · 清明")


def test_the_agenda_lists_day_after_day(lived: Driver) -> None:
    lived.tap_id("tab_3")
    headers = [node.text for node in lived.nodes() if node.id == "day_header"]
    assert headers[:3] == ["今天 · 3月12日 周四", "明天 · 3月13日 周五", "3月14日 周六"]
    assert shown(lived)[:3] == ["太极拳", "智能手机课", "接乐乐放学"]


def test_search_finds_places_and_guests(lived: Driver) -> None:
    lived.tap_id("action_search")
    lived.type("牙科")
    assert shown(lived) == ["洗牙"]
    lived.tap_id("search_src_text_clear")
    lived.type("赵淑华")
    assert shown(lived) == ["老同事聚会"]
    lived.tap_text("老同事聚会")
    assert lived.has("西湖边茶馆")
    assert lived.has("提前 1 天")


def test_birthdays_come_from_the_contacts(driver: Driver) -> None:
    driver.phone.input.swipe(900, 800, 200, 800)
    driver.phone.settle()
    driver.tap_text("18")
    assert shown(driver) == ["孙女 乐乐的 10 岁生日"]
    driver.tap_id("event_row")
    driver.tap_id("open_contact")
    assert driver.phone.activities.resumed().package == "com.android.contacts"
    driver.open(PACKAGE)
    driver.back()
    driver.tap_id("menu_more")
    driver.tap_id("menu_calendars")
    driver.tap_text("生日", -1)
    driver.back()
    assert shown(driver) == []


# ---- making


def test_a_new_event_by_the_whole_form(driver: Driver) -> None:
    driver.tap_id("floating_action_button")
    driver.type("打疫苗")
    driver.tap_id("start_date")
    driver.tap_text("2026年3月16日")
    driver.tap_text("确定")
    driver.tap_id("start_time")
    driver.tap_id("material_timepicker_mode_button")
    driver.replace_text("input_hour", "2")
    driver.replace_text("input_minute", "30")
    driver.tap_id("material_clock_period_pm_button")
    driver.tap_text("确定")
    assert driver.has("下午3:30")
    driver.tap_id("reminder_add")
    driver.tap_id("minutes_1440")
    driver.replace_text("location", "社区医院")
    driver.back()
    driver.scroll_to_id("add_guests")
    driver.tap_id("add_guests")
    driver.tap_id("search_view")
    driver.type("小丽")
    driver.tap_id("cliv_root")
    driver.tap_id("menu_done")
    driver.scroll_to_id("calendar_row")
    driver.tap_id("calendar_row")
    driver.tap_text("健康")
    driver.scroll_to_id("color_row")
    driver.tap_id("color_row")
    driver.tap_text("紫色")
    driver.scroll_to_id("description")
    driver.replace_text("description", "带身份证")
    driver.tap_id("action_done")
    (row,) = events(driver)
    start = ms(driver.phone, 16, 14, 30)
    assert (row["title"], row["dtstart"], row["dtend"]) == ("打疫苗", start, start + HOUR)
    assert (row["eventLocation"], row["description"], row["calendar_id"]) == ("社区医院", "带身份证", 3)
    assert row["eventColor"] == 0x7A4BA3 - 0x1000000
    assert [one["minutes"] for one in driver.phone.providers.query(REMINDERS)] == [10, 1440]
    (guest,) = driver.phone.providers.query(ATTENDEES)
    assert (guest["attendeeName"], guest["attendeeEmail"]) == ("女儿 小丽", "xiaoli.zhou@mail.example")
    assert shown(driver)[-1] == "打疫苗"


def test_an_end_before_the_start_is_refused(driver: Driver) -> None:
    driver.tap_id("floating_action_button")
    driver.type("反了")
    driver.tap_id("end_date")
    driver.tap_text("2026年3月11日")
    driver.tap_text("确定")
    driver.tap_id("action_done")
    assert driver.has("结束时间不能早于开始时间")
    assert events(driver) == []
    driver.tap_id("end_date")
    driver.tap_text("2026年3月12日")
    driver.tap_text("确定")
    driver.tap_id("action_done")
    assert len(events(driver)) == 1


def test_an_event_of_whole_days(driver: Driver) -> None:
    driver.tap_id("floating_action_button")
    driver.type("旅行")
    driver.tap_id("all_day_row")
    driver.tap_id("end_date")
    driver.tap_text("2026年3月14日")
    driver.tap_text("确定")
    driver.tap_id("action_done")
    (row,) = events(driver)
    start = round(datetime(2026, 3, 12, tzinfo=UTC).timestamp() * 1000)
    assert (row["dtstart"], row["dtend"], row["allDay"], row["eventTimezone"]) == (start, start + 3 * DAY, 1, "UTC")
    for day in ("12", "13", "14"):
        driver.tap_text(day)
        assert shown(driver) == ["旅行"]
    driver.tap_text("15")
    assert shown(driver) == []


def test_a_free_hour_takes_an_event(driver: Driver) -> None:
    driver.tap_id("tab_2")
    driver.tap_text("上午10:00，点按添加活动")
    driver.tap_text("保存")
    assert driver.has("请输入标题")
    driver.type("买菜")
    driver.tap_text("保存")
    (row,) = events(driver, None, "title", "dtstart")
    assert row == {"title": "买菜", "dtstart": ms(driver.phone, 12, 10)}
    assert driver.has("买菜")


def test_a_recurrence_of_ones_own(driver: Driver) -> None:
    driver.tap_id("floating_action_button")
    driver.type("打针")
    driver.tap_id("repeat")
    driver.tap_id("repeat_custom")
    driver.replace_text("interval", "2")
    driver.key("ENTER")
    driver.tap_text("星期一")
    driver.tap_id("ends_count")
    driver.replace_text("count", "3")
    driver.back()
    driver.tap_id("repeat_done")
    assert driver.has("每 2 周（周一、周四），共 3 次")
    driver.tap_id("action_done")
    assert events(driver, None, "rrule") == [{"rrule": "FREQ=WEEKLY;INTERVAL=2;COUNT=3;BYDAY=MO,TH"}]
    assert instances(driver, 1, 31) == [("打针", 12), ("打针", 23), ("打针", 26)]


def test_leaving_the_form_asks_where_something_was_entered(driver: Driver) -> None:
    driver.tap_id("floating_action_button")
    driver.tap_id("action_cancel")
    assert driver.phone.activities.resumed().activity.endswith("AllInOneActivity")
    driver.tap_id("floating_action_button")
    driver.type("x")
    driver.tap_id("action_cancel")
    driver.tap_text("放弃")
    assert events(driver) == []


def test_insert_and_time_by_intent(driver: Driver) -> None:
    begin = ms(driver.phone, 20, 15)
    extras = {"title": "理发", "beginTime": begin, "endTime": begin + HOUR // 2}
    driver.phone.activities.start(Intent(action="android.intent.action.INSERT", data=EVENTS, extras=extras))
    driver.phone.settle()
    driver.tap_id("action_done")
    assert events(driver, None, "title", "dtend") == [{"title": "理发", "dtend": begin + HOUR // 2}]
    time = f"content://com.android.calendar/time/{ms(driver.phone, 2, month=5)}"
    driver.phone.activities.start(Intent(action="android.intent.action.VIEW", data=time))
    driver.phone.settle()
    assert driver.has("2026年5月")


# ---- changing series


@pytest.fixture
def series(driver: Driver) -> int:
    """A series on each day from the 12th; the page of its occurrence on the 14th is open."""
    start = ms(driver.phone, 12, 9)
    key = add(driver, title="操", dtstart=start, dtend=start + HOUR, rrule="FREQ=DAILY;COUNT=5")
    open_event(driver, key, start + 2 * DAY)
    return key


ALL_DAYS = [12, 13, 14, 15, 16]


@pytest.mark.parametrize(
    ("scope", "left"), [("this", [12, 13, 15, 16]), ("following", [12, 13]), ("all", [])], ids=["this", "rest", "all"]
)
def test_deleting_part_of_a_series(driver: Driver, series: int, scope: str, left: list[int]) -> None:
    assert [day for _, day in instances(driver, 1, 31)] == ALL_DAYS
    driver.tap_id("info_action_delete")
    driver.tap_id(f"scope_{scope}")
    assert [day for _, day in instances(driver, 1, 31)] == left


@pytest.mark.parametrize(
    ("scope", "titles"),
    [("this", "操 操 新 操 操"), ("following", "操 操 新 新 新"), ("all", "新 新 新 新 新")],
    ids=["this", "rest", "all"],
)
def test_changing_part_of_a_series(driver: Driver, series: int, scope: str, titles: str) -> None:
    driver.tap_id("info_action_edit")
    driver.replace_text("title", "新")
    driver.tap_id("action_done")
    driver.tap_id(f"scope_{scope}")
    assert driver.has("新")
    assert instances(driver, 1, 31) == list(zip(titles.split(), ALL_DAYS, strict=True))


def test_moving_one_occurrence_leaves_the_others(driver: Driver, series: int) -> None:
    driver.tap_id("info_action_edit")
    driver.tap_id("start_date")
    driver.tap_text("2026年3月20日")
    driver.tap_text("确定")
    driver.tap_id("action_done")
    driver.tap_id("scope_this")
    assert [day for _, day in instances(driver, 1, 31)] == [12, 13, 15, 16, 20]
    (row,) = events(driver, "original_id IS NOT NULL", "original_id", "originalInstanceTime")
    assert row == {"original_id": series, "originalInstanceTime": ms(driver.phone, 14, 9)}


def test_moving_the_whole_series_moves_its_gaps(driver: Driver, series: int) -> None:
    driver.tap_id("info_action_delete")
    driver.tap_id("scope_this")
    open_event(driver, series, ms(driver.phone, 13, 9))
    driver.tap_id("info_action_edit")
    driver.tap_id("start_date")
    driver.tap_text("2026年3月15日")
    driver.tap_text("确定")
    driver.tap_id("action_done")
    driver.tap_id("scope_all")
    assert [day for _, day in instances(driver, 1, 31)] == [14, 15, 17, 18]


def test_a_single_event_is_deleted_after_asking(driver: Driver) -> None:
    key = add(driver, title="体检", dtstart=ms(driver.phone, 13, 9))
    open_event(driver, key, ms(driver.phone, 13, 9))
    driver.tap_id("info_action_delete")
    driver.tap_text("取消")
    driver.tap_id("info_action_delete")
    driver.tap_text("删除", -1)
    assert events(driver) == []


def test_duplicating_and_sharing(lived: Driver) -> None:
    (row,) = events(lived, "title = '洗牙'", "_id", "dtstart")
    open_event(lived, row["_id"], row["dtstart"])
    lived.tap_id("menu_more")
    lived.tap_id("menu_duplicate")
    lived.replace_text("title", "再洗牙")
    lived.tap_id("action_done")
    (copy,) = events(lived, "title = '再洗牙'", "dtstart", "calendar_id")
    assert copy == {"dtstart": row["dtstart"], "calendar_id": 3}
    lived.tap_id("menu_more")
    lived.tap_id("menu_share")
    assert lived.phone.activities.resumed().package == "com.android.messaging"


# ---- reminders


def test_a_reminder_comes_in_time_and_again_after_a_snooze(driver: Driver) -> None:
    start = driver.phone.state.clock.now_ms + HOUR
    key = add(driver, title="吃药", dtstart=start, rrule="FREQ=DAILY")
    driver.phone.providers.insert(REMINDERS, {"event_id": key, "minutes": 10})
    driver.phone.advance(49 * 60_000)
    assert posted(driver) == []
    driver.phone.advance(60_000)
    (entry,) = posted(driver)
    assert entry["title"] == "吃药"
    assert entry["posted_ms"] == start - 10 * 60_000
    snooze, dismiss = entry["actions"]
    driver.phone.activities.broadcast(Intent(action=snooze["broadcast"], extras=snooze["extras"]))
    assert posted(driver) == []
    driver.phone.advance(5 * 60_000)
    (entry,) = posted(driver)
    driver.phone.activities.broadcast(Intent(action=dismiss["broadcast"], extras=dismiss["extras"]))
    driver.phone.advance(HOUR)
    assert posted(driver) == []
    driver.phone.advance(DAY)
    assert [one["title"] for one in posted(driver)] == ["吃药"]


def test_a_tap_on_a_reminder_opens_the_event_and_is_the_end_of_it(driver: Driver) -> None:
    start = driver.phone.state.clock.now_ms + HOUR
    key = add(driver, title="吃药", dtstart=start, eventLocation="家里")
    driver.phone.providers.insert(REMINDERS, {"event_id": key, "minutes": 0})
    driver.phone.advance(HOUR)
    driver.phone.expand_shade(quick_settings=False)
    driver.phone.settle()
    driver.tap_text("吃药")
    assert driver.phone.activities.resumed().activity.endswith("EventInfoActivity")
    assert driver.has("家里")
    assert posted(driver) == []


def test_a_deleted_event_and_a_hidden_calendar_remind_of_nothing(driver: Driver) -> None:
    start = driver.phone.state.clock.now_ms + HOUR
    gone = add(driver, title="甲", dtstart=start)
    hidden = add(driver, title="乙", dtstart=start, calendar_id=2)
    for key in (gone, hidden):
        driver.phone.providers.insert(REMINDERS, {"event_id": key, "minutes": 10})
    driver.phone.providers.delete(f"{EVENTS}/{gone}")
    driver.phone.providers.update(f"{CALENDARS}/2", {"visible": 0})
    driver.phone.advance(2 * HOUR)
    assert posted(driver) == []


def test_a_reminder_of_a_whole_day_counts_from_its_midnight(driver: Driver) -> None:
    start = round(datetime(2026, 3, 14, tzinfo=UTC).timestamp() * 1000)
    key = add(driver, title="截止", dtstart=start, allDay=1)
    driver.phone.providers.insert(REMINDERS, {"event_id": key, "minutes": 900})
    driver.phone.advance(2 * DAY)
    assert [entry["posted_ms"] for entry in posted(driver)] == [ms(driver.phone, 13, 9)]


# ---- settings


def test_settings_shape_new_events(driver: Driver) -> None:
    driver.tap_id("menu_more")
    driver.tap_id("menu_settings")
    driver.tap_id("pref_default_reminder")
    driver.tap_text("提前 1 小时")
    driver.tap_id("pref_duration")
    driver.tap_text("2 小时")
    driver.tap_id("pref_first_day")
    driver.tap_text("星期日")
    driver.back()
    driver.tap_id("floating_action_button")
    driver.type("x")
    driver.tap_id("action_done")
    (row,) = events(driver)
    assert row["dtend"] - row["dtstart"] == 2 * HOUR
    assert [one["minutes"] for one in driver.phone.providers.query(REMINDERS)] == [60]
    assert next(node for node in driver.nodes() if node.id == "day_cell").desc == "3月1日 星期日"


def test_calendars_come_and_go_with_their_events(driver: Driver) -> None:
    driver.tap_id("menu_more")
    driver.tap_id("menu_calendars")
    driver.tap_id("floating_action_button")
    driver.type("书法")
    driver.tap_text("确定")
    (row,) = driver.phone.providers.query(CALENDARS, ["_id"], "calendar_displayName = '书法'")
    add(driver, title="写字", dtstart=ms(driver.phone, 13, 9), calendar_id=row["_id"])
    driver.tap_id("calendar_delete", -1)
    driver.tap_text("删除", -1)
    assert events(driver) == []


def test_the_same_seed_gives_the_same_bytes() -> None:
    phones = [Phone(snapshot="lived_in") for _ in range(2)]
    rows = [phone.providers.query(EVENTS) for phone in phones]
    assert rows[0] == rows[1]
    assert date(2026, 3, 12) == phones[0].state.clock.now().date()
    for phone in phones:
        phone.close()


# ---- every screen and overlay

_WALK = (
    "menu_more BACK date_jump BACK floating_action_button BACK all_day_row start_date BACK end_date BACK"
    " repeat BACK all_day_row start_time BACK repeat repeat_custom unit_monthly ends_until BACK BACK"
    " reminder_row BACK reminder_add BACK add_guests cliv_root menu_done calendar_row BACK color_row BACK"
    " availability_row action_cancel button1 tab_1 week_day hour_slot BACK BACK tab_1 event_block menu_more"
    " BACK info_action_delete BACK BACK tab_3 event_row info_action_edit action_cancel BACK action_search BACK"
    " BACK menu_more menu_calendars floating_action_button BACK BACK calendar_delete BACK BACK menu_more"
    " menu_settings pref_first_day BACK pref_default_reminder BACK pref_snooze BACK pref_duration BACK"
    " pref_default_calendar BACK"
)


@pytest.mark.parametrize(
    ("language", "dark", "scale", "profile"),
    [("zh", "1", "1.3", "pixel_6a"), ("en", "2", "1.0", "pixel_6a"), ("zh", "1", "1.0", "small")],
)
def test_every_screen_and_overlay(language: str, dark: str, scale: str, profile: str) -> None:
    phone = Phone(profile=profile, language=language, snapshot="lived_in")
    phone.put_setting("secure", "ui_night_mode", dark)
    phone.put_setting("system", "font_scale", scale)
    driver = Driver(phone)
    driver.open(PACKAGE)
    for step in _WALK.split():
        if step == "BACK":
            driver.back()
        else:
            if not any(node.id == step for node in driver.nodes()):
                driver.scroll_to_id(step)
            driver.tap_id(step)
        found = [fault for window in phone.windows.windows for fault in faults(window.root)]
        assert not found, (step, found)
    assert phone.activities.resumed().activity.endswith("CalendarSettingsActivity")
    phone.close()


@pytest.mark.parametrize("snapshot", ["clean", "lived_in"])
def test_every_activity_starts_without_arguments(snapshot: str) -> None:
    phone = Phone(language="en", snapshot=snapshot)
    driver = Driver(phone)
    for screen in phone.apps[PACKAGE].screens:
        driver.open(PACKAGE, screen.activity)
        assert phone.activities.resumed().activity.endswith(screen.activity)
        found = [fault for window in phone.windows.windows for fault in faults(window.root)]
        assert not found, (screen.activity, found)
    phone.close()
