"""The wallet, by taps: payments with their PIN, transfers, top-ups, bills of the household, cards, bills, settings."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mobile_gym.phone.apps.wallet import codes, store
from mobile_gym.phone.apps.wallet.app import WalletApp
from mobile_gym.phone.door import Intent
from mobile_gym.phone.errors import ProviderError
from mobile_gym.phone.phone import Phone
from tests.support.cut_texts import cut_texts
from tests.support.driver import Driver, faults

PACKAGE = "com.mobench.wallet"
ROOT = f"content://{PACKAGE}"
PIN = "135790"


@pytest.fixture
def phone() -> Phone:
    return Phone(snapshot="lived_in", language="zh")


@pytest.fixture
def driver(phone: Phone) -> Driver:
    driver = Driver(phone)
    driver.open(PACKAGE)
    return driver


def rows(phone: Phone, table: str, where: str | None = None) -> list[dict[str, Any]]:
    return phone.providers.query(f"{ROOT}/{table}", None, where)


def account(phone: Phone) -> dict[str, Any]:
    return rows(phone, "accounts")[0]


def newest(phone: Phone, table: str) -> dict[str, Any]:
    return phone.providers.query(f"{ROOT}/{table}", None, None, "_id DESC")[0]


def setting(phone: Phone, name: str) -> str:
    return str(rows(phone, "settings", f"name = '{name}'")[0]["value"])


def put(phone: Phone, name: str, value: str) -> None:
    phone.providers.update(f"{ROOT}/settings", {"value": value}, f"name = '{name}'")


def enter_pin(driver: Driver, pin: str = PIN) -> None:
    for digit in pin:
        driver.tap_id(f"pin_key_{digit}")


def fill(driver: Driver, id: str, text: str) -> None:
    driver.replace_text(id, text)


def activity(driver: Driver) -> str:
    return driver.phone.activities.resumed().flat().removeprefix(f"{PACKAGE}/")


def consistent(phone: Phone) -> None:
    mine, bills = account(phone), rows(phone, "bills")
    assert mine["balance_cents"] == mine["opening_cents"] + sum(bill["balance_change_cents"] for bill in bills)
    assert mine["fund_cents"] == mine["fund_opening_cents"] + sum(bill["fund_change_cents"] for bill in bills)


# ---- what a phone starts with


def test_lived_in_has_the_owners_money(phone: Phone) -> None:
    assert account(phone)["balance_cents"] == 328650
    assert [card["tail"] for card in rows(phone, "cards")] == ["4826", "0937", "5518"]
    assert all(store.valid_card(card["number"]) for card in rows(phone, "cards"))
    assert 65 <= len(rows(phone, "bills")) <= 80
    (power,) = rows(phone, "bills", "amount_cents = 8640")
    assert phone.state.clock.at(power["date"]).strftime("%m-%d") == "03-06"
    assert [row["kind"] for row in rows(phone, "utility_accounts", "arrears_cents > 0")] == ["water"]
    assert len(rows(phone, "coupons")) == 2
    consistent(phone)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_clean_is_set_up_without_history(language: str) -> None:
    phone = Phone(snapshot="clean", language=language)
    assert account(phone)["balance_cents"] == 0
    assert [card["tail"] for card in rows(phone, "cards")] == ["4826"]
    for table in ("bills", "transfers", "messages", "payees", "utility_accounts"):
        assert rows(phone, table) == []
    driver = Driver(phone)
    driver.open(PACKAGE)
    driver.scroll_to_text({"zh": "没有账单", "en": "No bills"}[language])
    phone.packages.clear(PACKAGE)
    assert account(phone)["balance_cents"] == 0


# ---- home


def test_search_finds_services_and_people(driver: Driver) -> None:
    driver.tap_id("search_bar")
    driver.type("huafei")
    driver.tap_text("手机充值")
    assert activity(driver) == ".topup.TopUpActivity"
    driver.back()
    driver.tap_id("query_clear")
    driver.type("xiaoli")
    driver.tap_text("女儿 小丽")
    assert driver.by_id("payee_name").text == "女儿 小丽"
    driver.back()  # the keyboard
    driver.back()
    driver.tap_id("query_clear")
    driver.type("zzzz")
    assert driver.has("没有找到相关内容")


def test_services_are_removed_added_and_moved(driver: Driver, phone: Phone) -> None:
    driver.tap_id("service_all")
    driver.tap_id("edit_button")
    driver.tap_id("remove_topup")
    driver.tap_id("up_utilities")
    driver.scroll_to_id("add_topup")
    driver.tap_id("add_topup")
    names = [row["name"] for row in rows(phone, "services")]
    assert names[:2] == ["utilities", "transfer"]
    assert names[-1] == "topup"
    driver.tap_id("edit_button")
    driver.back()
    driver.tap_id("service_topup")
    assert activity(driver) == ".topup.TopUpActivity"


def test_the_reminder_of_arrears_leads_to_the_bill(driver: Driver) -> None:
    driver.tap_id("arrears_reminder")
    assert driver.by_id("utility_amount").text == "¥46.80"


# ---- codes


def test_the_pay_code_is_renewed_and_hides_the_balance(driver: Driver, phone: Phone) -> None:
    driver.tap_id("home_paycode")
    driver.tap_id("show_digits")
    first = driver.by_id("code_number").text
    assert len(first.replace(" ", "")) == 18
    driver.tap_id("refresh_code")
    second = driver.by_id("code_number").text
    assert second != first
    phone.advance(60_000)
    assert driver.by_id("code_number").text not in (first, second)
    driver.tap_id("hide_balance")
    assert driver.by_id("code_balance").text == "****"
    assert setting(phone, "hide_balance") == "1"


def test_a_collect_code_is_saved_and_its_picture_read(driver: Driver, phone: Phone) -> None:
    driver.tap_id("home_collect")
    driver.tap_id("set_amount")
    driver.tap_text("确定")
    assert driver.has("请输入正确的金额")
    fill(driver, "amount", "25.5")
    fill(driver, "note", "菜钱")
    driver.tap_text("确定")
    assert driver.by_id("collect_amount").text == "¥25.50"
    driver.tap_id("save_picture")
    path = codes.album(phone)[0]
    assert path.startswith("/storage/emulated/0/Pictures/HaoPay/collect_20260312_0826")
    link = codes.parse_link(codes.read_code(phone, path) or "")
    assert link == ("pay", {"to": account(phone)["phone"], "amount": "25.50", "note": "菜钱"})


def test_scanning_a_picture_of_the_album_pays_a_shop(driver: Driver, phone: Phone) -> None:
    driver.tap_id("home_scan")
    driver.tap_id("scan_album")
    driver.tap_text("fruit_shop_code.png")
    assert driver.by_id("payee_name").text == "阿香水果店"
    fill(driver, "amount", "60")
    driver.tap_id("next_button")
    assert driver.by_id("pay_amount").text == "¥55.00", "a coupon of 5 yuan fits"
    driver.tap_id("confirm_button")
    enter_pin(driver)
    assert driver.by_id("result_title").text == "付款成功"
    bill = newest(phone, "bills")
    assert (bill["title"], bill["amount_cents"], bill["category"]) == ("阿香水果店", 5500, "shopping")
    assert rows(phone, "coupons", "kind = 'pay'")[0]["used_date"] is not None
    assert account(phone)["balance_cents"] == 328650 - 5500
    consistent(phone)


def test_a_picture_without_a_code_and_a_typed_number(driver: Driver, phone: Phone) -> None:
    path = "/storage/emulated/0/Pictures/plain.png"
    phone.state.files.write(path, b"no picture", mtime_ms=phone.state.clock.now_ms)
    driver.tap_id("home_scan")
    driver.tap_id("scan_album")
    driver.tap_text("plain.png")
    assert phone.state.interface["toast"]["text"] == "图片中没有找到收款码"
    driver.back()
    driver.tap_id("scan_number")
    fill(driver, "code", "12345")
    driver.tap_text("下一步")
    assert driver.has("账户不存在，请检查手机号")
    fill(driver, "code", "13857102618")
    driver.tap_text("下一步")
    assert driver.by_id("payee_name").text == "儿子 建军"


# ---- transfers


def start_transfer(driver: Driver, who: str, amount: str, note: str = "") -> None:
    driver.tap_id("home_transfer")
    driver.tap_id("to_wallet")
    driver.tap_id("query")
    driver.type(who)
    driver.tap_id("contact_row")
    fill(driver, "amount", amount)
    if note:
        fill(driver, "note", note)
    driver.tap_id("next_button")


def test_a_transfer_to_a_contact(driver: Driver, phone: Phone) -> None:
    start_transfer(driver, "wang yu lan", "88.8", "菜钱")
    assert (driver.by_id("pay_to").text, driver.by_id("pay_amount").text) == ("王玉兰", "¥88.80")
    driver.tap_id("confirm_button")
    assert activity(driver) == ".pay.PinActivity"
    enter_pin(driver)
    assert driver.by_id("result_amount").text == "¥88.80"
    row = newest(phone, "transfers")
    assert (row["account"], row["amount_cents"], row["note"], row["direction"]) == ("13958036617", 8880, "菜钱", "out")
    bill = rows(phone, "bills", f"_id = {row['bill_id']}")[0]
    assert (bill["amount_cents"], bill["category"], bill["method"]) == (8880, "transfer", "balance")
    assert rows(phone, "payees")[0]["account"] == "13958036617"
    assert account(phone)["balance_cents"] == 328650 - 8880
    assert rows(phone, "messages")[0]["kind"] == "payment"
    assert account(phone)["points"] == 1846, "transfers give no points"
    consistent(phone)
    driver.tap_id("done_button")
    assert activity(driver) == ".HomeActivity"


def test_a_stranger_is_warned_of_and_wrong_amounts_are_refused(driver: Driver, phone: Phone) -> None:
    driver.tap_id("home_transfer")
    driver.tap_id("to_wallet")
    driver.tap_id("query")
    driver.type("1380013")
    driver.tap_id("next_button")
    assert driver.by_id("query_error").text == "账户不存在，请检查手机号"
    driver.type("8000")
    driver.tap_id("next_button")
    assert driver.has("对方不是您的联系人，请核实身份，谨防诈骗")
    driver.tap_id("next_button")
    assert driver.by_id("amount_error").text == "请输入正确的金额"
    fill(driver, "amount", "0")
    driver.tap_id("next_button")
    assert driver.by_id("amount_error").text == "请输入正确的金额"
    fill(driver, "amount", "1.5")
    driver.tap_id("next_button")
    assert driver.by_id("stranger_text").text.startswith("对方不是您的联系人")


def test_nobody_pays_himself(driver: Driver, phone: Phone) -> None:
    driver.open(PACKAGE, ".transfer.TransferAmountActivity", to=account(phone)["phone"], amount="5")
    driver.tap_id("next_button")
    assert driver.by_id("amount_error").text == "不能转账给自己"


def test_a_transfer_to_a_card_checks_its_number(driver: Driver, phone: Phone) -> None:
    driver.tap_id("home_transfer")
    driver.tap_id("to_card")
    driver.tap_id("next_button")
    assert driver.has("请输入姓名")
    fill(driver, "name", "周乐")
    fill(driver, "number", "6228480402079197718")
    fill(driver, "amount", "200")
    driver.back()
    driver.tap_id("next_button")
    assert driver.by_id("number_error").text == "卡号不正确，请核对"
    fill(driver, "number", "6228480402079197719")
    assert driver.by_id("bank_name").text == "惠民银行"
    driver.back()
    driver.tap_id("next_button")
    driver.tap_id("confirm_button")
    enter_pin(driver)
    row = newest(phone, "transfers")
    assert (row["kind"], row["account"], row["bank"]) == ("card", "6228480402079197719", "惠民银行")
    driver.open(PACKAGE, ".transfer.TransferCardActivity")
    driver.tap_id("recent_cards")
    driver.tap_text("周乐")
    assert driver.by_id("number").text == "6228480402079197719"


def test_too_little_money_is_said_and_another_way_pays(driver: Driver, phone: Phone) -> None:
    start_transfer(driver, "wang yu lan", "5000")
    assert driver.by_id("value").text == "添利宝", "the balance lacks the money, the fund has it"
    driver.tap_id("pay_method")
    driver.tap_text("账户余额")
    driver.tap_id("confirm_button")
    assert driver.has("所选付款方式的余额不足，请更换付款方式或先充值。")
    driver.tap_text("更换付款方式")
    driver.tap_text("惠民银行(4826)")
    driver.tap_id("confirm_button")
    enter_pin(driver)
    bill = newest(phone, "bills")
    assert (bill["method"], bill["balance_change_cents"], bill["card_change_cents"]) == ("card", 0, -500000)
    assert account(phone)["balance_cents"] == 328650
    assert rows(phone, "cards", "tail = '4826'")[0]["balance_cents"] == 2905716 - 500000


def test_wrong_pins_lock_for_a_while(driver: Driver, phone: Phone) -> None:
    start_transfer(driver, "wang yu lan", "10")
    driver.tap_id("confirm_button")
    for left in (4, 3, 2, 1):
        enter_pin(driver, "000000")
        assert driver.by_id("pin_error").text == f"支付密码错误，还可以输入 {left} 次"
    enter_pin(driver, "000000")
    assert driver.by_id("pin_error").text.startswith("密码错误次数过多")
    enter_pin(driver)
    assert activity(driver) == ".pay.PinActivity", "even the right one is not taken now"
    assert newest(phone, "bills")["title"] != "王玉兰" or newest(phone, "bills")["amount_cents"] != 1000
    phone.advance(181 * 60_000)
    enter_pin(driver)
    assert driver.by_id("result_title").text == "转账成功"
    assert setting(phone, "pin_wrong") == "0"


def test_the_pin_page_erases(driver: Driver) -> None:
    start_transfer(driver, "wang yu lan", "10")
    driver.tap_id("confirm_button")
    enter_pin(driver, "139")
    driver.tap_id("pin_key_delete")
    assert len(driver.by_id("pin_boxes").text) == 2
    enter_pin(driver, "5790")
    assert activity(driver) == ".pay.PayResultActivity"


def test_a_payee_is_forgotten(driver: Driver, phone: Phone) -> None:
    driver.tap_id("home_transfer")
    driver.long_press_text("李桂芬")
    driver.tap_id("delete_payee")
    assert not rows(phone, "payees", "name = '李桂芬'")


def test_deep_link_fills_in_payee_and_amount(phone: Phone) -> None:
    driver = Driver(phone)
    view = "android.intent.action.VIEW"
    phone.activities.start(Intent(action=view, data="mobench-wallet://pay?to=13967104471&amount=66.6&note=hi"))
    phone.settle()
    assert driver.by_id("payee_name").text == "女儿 小丽"
    assert (driver.by_id("amount").text, driver.by_id("note").text) == ("66.6", "hi")
    phone.activities.start(Intent(action=view, data="mobench-wallet://bills?direction=in"))
    phone.settle()
    assert activity(driver) == ".bill.BillListActivity"
    assert not driver.has("阿香水果店")


# ---- top-up and utilities


def test_topping_up_a_contact_with_a_coupon(driver: Driver, phone: Phone) -> None:
    driver.tap_id("service_topup")
    driver.tap_id("pick_contact")
    driver.tap_text("儿子 建军")
    assert driver.by_id("operator").text == "移动 · 儿子 建军"
    driver.tap_id("amount_50")
    assert driver.by_id("pay_amount").text == "¥48.00"
    driver.tap_id("confirm_button")
    enter_pin(driver)
    row = newest(phone, "topups")
    assert (row["phone"], row["operator"], row["amount_cents"], row["paid_cents"]) == (
        "13857102618",
        "移动",
        5000,
        4800,
    )
    assert account(phone)["balance_cents"] == 328650 - 4800
    driver.tap_id("done_button")
    driver.tap_id("service_topup")
    driver.tap_id("amount_30")
    assert driver.by_id("pay_amount").text == "¥30.00", "the coupon is used up"


def test_a_coupon_can_be_left_for_later(driver: Driver, phone: Phone) -> None:
    driver.tap_id("service_topup")
    driver.tap_id("amount_50")
    driver.tap_id("pay_coupon")
    driver.tap_id("coupon_none")
    assert driver.by_id("pay_amount").text == "¥50.00"
    driver.tap_id("confirm_button")
    enter_pin(driver)
    assert newest(phone, "topups")["paid_cents"] == 5000
    assert rows(phone, "coupons", "kind = 'topup'")[0]["used_date"] is None


def test_a_wrong_number_is_not_topped_up(driver: Driver, phone: Phone) -> None:
    driver.tap_id("service_topup")
    fill(driver, "phone", "1385710")
    driver.back()
    driver.tap_id("amount_10")
    assert driver.by_id("operator").text == "请输入正确的手机号"
    assert rows(phone, "topups") == []


def test_paying_the_water_bill(driver: Driver, phone: Phone) -> None:
    driver.tap_id("service_utilities")
    driver.tap_text("水费 · 市自来水公司")
    driver.tap_id("pay_button")
    driver.tap_id("confirm_button")
    enter_pin(driver)
    (water,) = rows(phone, "utility_accounts", "kind = 'water'")
    assert water["arrears_cents"] == 0
    assert newest(phone, "utility_payments")["amount_cents"] == 4680
    assert account(phone)["balance_cents"] == 328650 - 4680
    assert newest(phone, "bills")["title"] == "水费 - 市自来水公司"
    consistent(phone)


def test_paying_gas_in_advance(driver: Driver, phone: Phone) -> None:
    driver.tap_id("service_gas")
    driver.tap_id("utility_row")
    driver.tap_id("pay_button")
    assert driver.by_id("amount_error").text == "请输入正确的金额"
    fill(driver, "amount", "100")
    driver.tap_id("pay_button")
    driver.tap_id("confirm_button")
    enter_pin(driver)
    (gas,) = rows(phone, "utility_accounts", "kind = 'gas'")
    assert gas["credit_cents"] == 6420 + 10000


def test_a_utility_account_is_added_checked_and_removed(driver: Driver, phone: Phone) -> None:
    driver.tap_id("service_utilities")
    driver.tap_id("add_electricity")
    fill(driver, "number", "123")
    fill(driver, "holder", "方芳")
    driver.back()
    driver.tap_id("add_button")
    assert driver.by_id("number_error").text == "户号不正确，应至少 10 位数字"
    fill(driver, "number", "3301882614")
    driver.back()
    driver.tap_id("add_button")
    assert driver.by_id("number_error").text == "该户号已经绑定"
    fill(driver, "number", "9900112233")
    driver.back()
    driver.tap_id("add_button")
    assert rows(phone, "utility_accounts", "number = '9900112233'")[0]["holder"] == "方芳"
    driver.tap_id("unbind_utility")
    driver.tap_text("解绑")
    assert not rows(phone, "utility_accounts", "number = '9900112233'")


def test_a_bill_is_paid_by_itself_on_its_day(driver: Driver, phone: Phone) -> None:
    driver.tap_id("arrears_reminder")
    driver.tap_id("auto_pay")
    (water,) = rows(phone, "utility_accounts", "kind = 'water'")
    assert water["auto_pay"] == 1
    phone.advance(water["due_date"] - phone.state.clock.now_ms + 1000)
    assert rows(phone, "utility_accounts", "kind = 'water'")[0]["arrears_cents"] == 0
    assert newest(phone, "utility_payments")["amount_cents"] == 4680
    consistent(phone)


def test_without_money_nothing_is_paid_by_itself(phone: Phone) -> None:
    phone.providers.update(f"{ROOT}/accounts", {"balance_cents": 0, "fund_cents": 0})
    phone.providers.delete(f"{ROOT}/cards")
    phone.providers.update(f"{ROOT}/utility_accounts", {"auto_pay": 1}, "kind = 'water'")
    phone.advance(7 * 86_400_000)
    (water,) = rows(phone, "utility_accounts", "kind = 'water'")
    assert (water["arrears_cents"], water["auto_pay"]) == (4680, 0)
    assert "自动缴费失败" in [n["title"] for n in phone.notifier.posted if n["package"] == PACKAGE]


# ---- money


def test_adding_and_withdrawing_money(driver: Driver, phone: Phone) -> None:
    driver.tap_id("tab_money")
    driver.tap_id("quick_recharge")
    driver.type("100")
    driver.tap_id("next_button")
    driver.tap_id("confirm_button")
    enter_pin(driver)
    assert account(phone)["balance_cents"] == 338650
    assert rows(phone, "cards", "tail = '4826'")[0]["balance_cents"] == 2905716 - 10000
    driver.tap_id("done_button")
    driver.tap_id("quick_withdraw")
    driver.type("99999")
    driver.tap_id("next_button")
    assert driver.by_id("amount_error").text == "账户余额不足"
    driver.tap_id("all_button")
    driver.tap_id("choose_card")
    driver.tap_text("城乡信用社(5518)")
    driver.tap_id("next_button")
    driver.tap_id("confirm_button")
    enter_pin(driver)
    assert account(phone)["balance_cents"] == 0
    assert rows(phone, "cards", "tail = '5518'")[0]["balance_cents"] == 84360 + 338650
    consistent(phone)


def test_the_fund_takes_gives_and_pays(driver: Driver, phone: Phone) -> None:
    driver.tap_id("tab_money")
    driver.tap_id("row_fund")
    driver.tap_id("fund_in")
    driver.type("1000")
    driver.tap_id("next_button")
    driver.tap_id("confirm_button")
    enter_pin(driver)
    assert (account(phone)["balance_cents"], account(phone)["fund_cents"]) == (228650, 1358042)
    driver.tap_id("done_button")
    driver.tap_id("row_fund")
    driver.tap_id("fund_out")
    driver.type("99999")
    driver.tap_id("next_button")
    assert driver.by_id("amount_error").text == "添利宝余额不足"
    driver.tap_id("amount_clear")
    driver.tap_id("amount")
    driver.type("58.42")
    driver.tap_id("next_button")
    driver.tap_id("confirm_button")
    enter_pin(driver)
    assert (account(phone)["balance_cents"], account(phone)["fund_cents"]) == (234492, 1352200)
    phone.advance(86_400_000)
    assert newest(phone, "fund_records")["amount_cents"] == 54, "40 millionths of 13,522 yuan"
    assert account(phone)["fund_cents"] == 1352254
    consistent(phone)


def test_a_card_is_added_made_default_and_removed(driver: Driver, phone: Phone) -> None:
    driver.tap_id("service_cards")
    driver.tap_id("add_card")
    fill(driver, "number", "6228480402079197710")
    driver.back()
    driver.tap_id("add_button")
    assert driver.by_id("number_error").text == "卡号不正确，请核对"
    fill(driver, "number", "6217001930079194826")
    driver.back()
    driver.tap_id("add_button")
    assert driver.by_id("number_error").text == "这张卡已经添加过"
    fill(driver, "number", "6228480402079197719")
    driver.back()
    driver.tap_id("add_button")
    enter_pin(driver)
    (card,) = rows(phone, "cards", "tail = '7719'")
    assert (card["bank"], card["kind"], card["is_default"]) == ("惠民银行", "debit", 0)
    assert rows(phone, "pay_methods", f"card_id = {card['_id']}")
    driver.tap_text("****  ****  ****  7719")
    driver.tap_id("set_default")
    assert [row["tail"] for row in rows(phone, "cards", "is_default = 1")] == ["7719"]
    driver.tap_id("unbind_card")
    driver.tap_text("解绑")
    enter_pin(driver, "111111")
    assert rows(phone, "cards", "tail = '7719'"), "a wrong PIN removes nothing"
    enter_pin(driver)
    assert not rows(phone, "cards", "tail = '7719'")
    assert not rows(phone, "pay_methods", f"card_id = {card['_id']}")
    assert [row["tail"] for row in rows(phone, "cards", "is_default = 1")] == ["4826"]


# ---- bills


def test_records_of_collecting_hold_what_others_paid(driver: Driver) -> None:
    driver.tap_id("home_collect")
    driver.scroll_to_id("collect_records")
    driver.tap_id("collect_records")
    assert activity(driver) == ".code.ReceivedListActivity"
    assert driver.has("收款记录")
    assert not driver.has("添利宝收益")
    totals = [node.text for node in driver.nodes() if node.id == "month_totals"]
    assert totals[:2] == ["收款 ¥300.00", "收款 ¥1,388.00"]
    driver.tap_text("女儿 小丽")
    assert driver.by_id("bill_amount").text == "+300.00"


def test_bills_are_filtered_and_searched(driver: Driver, phone: Phone) -> None:
    driver.tap_id("service_bills")
    spent = sum(b["amount_cents"] for b in rows(phone, "bills", "direction = 'out'") if month(phone, b) == "2026-03")
    received = sum(b["amount_cents"] for b in rows(phone, "bills", "direction = 'in'") if month(phone, b) == "2026-03")
    assert driver.by_id("month_totals").text == f"支出 {store.yuan(spent)}  收入 {store.yuan(received)}"
    driver.tap_id("direction_in")
    assert driver.by_id("month_totals").text == f"收入 {store.yuan(received)}"
    assert driver.has("女儿 小丽")
    assert not driver.has("阿香水果店")
    driver.tap_id("direction_all")
    driver.tap_id("query")
    driver.type("86.4")
    assert driver.has("电费 - 城市供电公司")
    assert [node.text for node in driver.nodes() if node.id == "bill_amount"] == ["-86.40"]
    driver.tap_id("query_clear")
    driver.type("没有这个")
    assert driver.has("没有账单")


def month(phone: Phone, bill: dict[str, Any]) -> str:
    return phone.state.clock.at(bill["date"]).strftime("%Y-%m")


def test_bills_by_category(driver: Driver) -> None:
    driver.open(PACKAGE, ".bill.BillListActivity", category="health")
    titles = {node.text for node in driver.nodes() if node.id == "title"}
    assert titles == {"康民药店", "社区卫生服务中心"}


def test_a_bills_note_and_category_change_and_it_goes(driver: Driver, phone: Phone) -> None:
    driver.tap_id("service_bills")
    driver.tap_text("阿香水果店")
    (bill,) = rows(phone, "bills", "title = '阿香水果店'")
    driver.tap_id("bill_note")
    fill(driver, "note", "苹果和梨")
    driver.tap_text("保存")
    driver.tap_id("bill_category")
    driver.tap_text("餐饮")
    (bill,) = rows(phone, "bills", f"_id = {bill['_id']}")
    assert (bill["note"], bill["category"]) == ("苹果和梨", "food")
    driver.tap_id("delete_bill")
    driver.tap_text("删除")
    assert not rows(phone, "bills", f"_id = {bill['_id']}")
    assert account(phone)["balance_cents"] == 328650, "deleting a record gives nothing back"
    consistent(phone)


def test_statistics_add_up(driver: Driver, phone: Phone) -> None:
    driver.open(PACKAGE, ".bill.BillStatsActivity")
    driver.tap_id("month_before")
    assert driver.by_id("month_title").text == "2026年2月"
    found = [b for b in rows(phone, "bills", "direction = 'out'") if month(phone, b) == "2026-02"]
    assert driver.by_id("stats_total").text == store.yuan(sum(b["amount_cents"] for b in found))
    food = sum(b["amount_cents"] for b in found if b["category"] == "food")
    assert driver.has(store.yuan(food))
    driver.tap_text("餐饮")
    assert activity(driver) == ".bill.BillListActivity"


# ---- life


def test_bus_code_parcels_and_insurance(driver: Driver, phone: Phone) -> None:
    driver.tap_id("service_bus")
    driver.tap_id("bus_switch")
    assert setting(phone, "bus_on") == "0"
    assert driver.has("乘车码未开启")
    driver.tap_id("bus_open")
    assert setting(phone, "bus_on") == "1"
    driver.back()
    driver.tap_id("service_parcels")
    driver.tap_text("护膝（加绒款）")
    assert driver.by_id("pickup_code").text == "6-2-3017"
    driver.tap_id("mark_collected")
    assert rows(phone, "parcels", "code = '6-2-3017'")[0]["status"] == "signed"
    driver.back()
    driver.back()
    driver.tap_id("service_medical")
    assert driver.by_id("medical_name").text == "方芳"
    driver.tap_id("medical_code")
    assert driver.has("医保码")


def test_points_become_a_coupon(driver: Driver, phone: Phone) -> None:
    driver.open(PACKAGE, ".member.PointsActivity")
    driver.tap_id("exchange_500")
    assert account(phone)["points"] == 1346
    assert newest(phone, "coupons")["amount_cents"] == 300


# ---- messages


def test_notices_are_read_marked_and_cleared(driver: Driver, phone: Phone) -> None:
    driver.tap_id("tab_inbox")
    driver.tap_text("水费待缴")
    assert activity(driver) == ".utility.UtilityAccountActivity"
    driver.back()
    assert rows(phone, "messages", "title = '水费待缴'")[0]["read"] == 1
    driver.long_press_text("安全提醒")
    driver.tap_id("message_delete")
    assert not rows(phone, "messages", "title = '安全提醒'")
    driver.tap_id("mark_all_read")
    assert not rows(phone, "messages", "read = 0")
    assert phone.state.interface["toast"]["text"] == "已全部标为已读"
    driver.tap_id("mark_all_read")
    assert phone.state.interface["toast"]["text"] == "没有未读消息"
    driver.tap_id("inbox_logistics")
    assert not driver.has("水费待缴")
    driver.tap_id("clear_messages")
    driver.tap_text("清除")
    assert rows(phone, "messages") == []
    assert driver.has("没有消息")


def test_money_that_comes_in_is_announced(driver: Driver, phone: Phone) -> None:
    values = {"direction": "in", "name": "儿子 建军", "account": "13857102618", "amount_cents": 20000}
    phone.providers.insert(f"{ROOT}/transfers", values)
    (posted,) = [n for n in phone.notifier.posted if n["package"] == PACKAGE]
    assert (posted["title"], posted["text"]) == ("收到转账", "儿子 建军 向您转账 ¥200.00，已存入账户余额。")
    assert account(phone)["balance_cents"] == 348650
    old = phone.state.clock.now_ms - 86_400_000
    phone.providers.insert(f"{ROOT}/transfers", {**values, "date": old})
    assert len([n for n in phone.notifier.posted if n["package"] == PACKAGE]) == 1
    put(phone, "notify_transfer", "0")
    phone.providers.insert(f"{ROOT}/transfers", values)
    assert len([n for n in phone.notifier.posted if n["package"] == PACKAGE]) == 1
    consistent(phone)


def test_new_bills_and_parcels_are_announced(phone: Phone) -> None:
    phone.providers.update(f"{ROOT}/utility_accounts", {"arrears_cents": 12000}, "kind = 'gas'")
    parcel = {"company": "x", "number": "1", "title": "茶叶", "status": "waiting", "code": "1-1", "place": "驿站"}
    phone.providers.insert(f"{ROOT}/parcels", parcel)
    titles = [n["title"] for n in phone.notifier.posted if n["package"] == PACKAGE]
    assert titles == ["包裹提醒", "新账单待缴"]


# ---- settings


def test_the_pin_is_changed(driver: Driver, phone: Phone) -> None:
    driver.tap_id("tab_me")
    driver.tap_id("me_settings")
    driver.tap_id("pay_settings")
    driver.tap_id("change_pin")
    enter_pin(driver, "222222")
    assert driver.by_id("pin_error").text == "支付密码错误，还可以输入 4 次"
    enter_pin(driver)
    enter_pin(driver, "123456")
    assert driver.by_id("pin_error").text == "密码过于简单，请重新设置"
    enter_pin(driver, "246813")
    enter_pin(driver, "246814")
    assert driver.by_id("pin_error").text == "两次输入不一致，请重新设置"
    enter_pin(driver, "246813")
    enter_pin(driver, "246813")
    assert setting(phone, "pin") == "246813"
    assert activity(driver) == ".setting.PaySettingsActivity"


def test_small_amounts_need_no_pin(driver: Driver, phone: Phone) -> None:
    driver.open(PACKAGE, ".setting.PaySettingsActivity")
    driver.tap_id("nopin")
    assert setting(phone, "nopin") == "0", "not before the PIN"
    enter_pin(driver)
    assert setting(phone, "nopin") == "1"
    driver.tap_id("nopin_limit")
    driver.tap_id("limit_500")
    assert setting(phone, "nopin_limit_cents") == "50000"
    driver.open(PACKAGE, ".HomeActivity", tab="home")
    start_transfer(driver, "wang yu lan", "500")
    driver.tap_id("confirm_button")
    assert activity(driver) == ".pay.PayResultActivity"


def test_the_order_of_payment_counts(driver: Driver, phone: Phone) -> None:
    driver.open(PACKAGE, ".setting.PayOrderActivity")
    driver.tap_id("move_down", 0)
    assert [row["method"] for row in rows(phone, "pay_methods")][:2] == ["fund", "balance"]
    driver.open(PACKAGE, ".HomeActivity", tab="home")
    start_transfer(driver, "wang yu lan", "10")
    driver.tap_id("confirm_button")
    enter_pin(driver)
    assert newest(phone, "transfers")["method"] == "fund"
    assert (account(phone)["balance_cents"], account(phone)["fund_cents"]) == (328650, 1258042 - 1000)


def test_privacy_hides_the_money(driver: Driver) -> None:
    driver.open(PACKAGE, ".setting.PrivacyActivity")
    driver.tap_id("hide_balance")
    driver.open(PACKAGE, ".HomeActivity", tab="money")
    assert driver.by_id("total_amount").text == "****"
    assert not driver.has("¥3,286.50")


def test_notices_are_switched_off(driver: Driver, phone: Phone) -> None:
    driver.open(PACKAGE, ".setting.NotifySettingsActivity")
    driver.tap_id("notify_transfer")
    assert setting(phone, "notify_transfer") == "0"


def test_the_elder_mode_is_another_home_page(driver: Driver, phone: Phone) -> None:
    driver.tap_id("tab_me")
    driver.scroll_to_id("me_elder")
    driver.tap_id("me_elder")
    driver.tap_id("elder_switch")
    assert setting(phone, "elder_mode") == "1"
    driver.back()
    assert driver.by_id("elder_balance").text == "¥3,286.50"
    assert not any(node.id == "tab_bar" for node in driver.nodes())
    driver.tap_id("elder_topup")
    assert activity(driver) == ".topup.TopUpActivity"
    driver.back()
    driver.tap_id("elder_settings")
    driver.tap_id("elder_mode")
    driver.tap_id("elder_switch")
    driver.open(PACKAGE, ".HomeActivity", tab="home")
    assert driver.by_id("tab_bar")


def test_profile_devices_and_about(driver: Driver, phone: Phone) -> None:
    driver.tap_id("tab_me")
    driver.tap_id("profile_name")
    driver.tap_id("nickname")
    fill(driver, "name", "芳姨")
    driver.tap_text("保存")
    assert account(phone)["name"] == "芳姨"
    driver.open(PACKAGE, ".setting.DevicesActivity")
    driver.tap_id("remove_device")
    driver.tap_text("移除")
    assert [row["name"] for row in rows(phone, "devices")] == ["Pixel 6a"]
    driver.open(PACKAGE, ".setting.AboutActivity")
    driver.tap_id("terms")
    assert driver.has("确定")


# ---- the provider


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["bill", "in", "out", "topup", "delete", "set", "amend"]),
            st.integers(0, 500_000),
            st.sampled_from(["balance", "fund", "card"]),
        ),
        max_size=8,
    )
)
def test_the_balance_is_the_sum_of_the_bills_whatever_is_written(
    phone: Phone, steps: list[tuple[str, int, str]]
) -> None:
    fork = phone.fork()
    for deed, cents, method in steps:
        way = {"method": method, "card_id": 1 if method == "card" else None}
        if deed == "bill":
            fork.providers.insert(f"{ROOT}/bills", {"title": "x", "amount_cents": cents, **way})
        elif deed in ("in", "out"):
            values = {"direction": deed, "name": "x", "account": "13857102618", "amount_cents": cents, **way}
            fork.providers.insert(f"{ROOT}/transfers", values)
        elif deed == "topup":
            fork.providers.insert(f"{ROOT}/topups", {"phone": "13857102618", "amount_cents": cents, **way})
        elif deed == "delete":
            fork.providers.delete(f"{ROOT}/bills", f"_id = {cents % 70 + 1}")
        elif deed == "amend":
            fork.providers.update(f"{ROOT}/bills", {"amount_cents": cents}, "title = 'x'")
        else:
            fork.providers.update(f"{ROOT}/accounts", {"balance_cents": cents})
            assert account(fork)["balance_cents"] == cents
        consistent(fork)
    fork.close()


def test_defaults_of_the_provider(phone: Phone) -> None:
    phone.providers.insert(f"{ROOT}/cards", {"number": "6228480402079197719"})
    assert rows(phone, "cards", "tail = '7719'")[0]["bank"] == "惠民银行"
    phone.providers.insert(f"{ROOT}/topups", {"phone": "13012345678", "amount_cents": 3000})
    assert newest(phone, "bills")["title"] == "联通 话费充值"
    (water,) = rows(phone, "utility_accounts", "kind = 'water'")
    phone.providers.insert(f"{ROOT}/utility_payments", {"account_id": water["_id"], "amount_cents": 5000})
    (water,) = rows(phone, "utility_accounts", "kind = 'water'")
    assert (water["arrears_cents"], water["credit_cents"]) == (0, 320)


def test_the_provider_refuses_nonsense(phone: Phone) -> None:
    with pytest.raises(ProviderError, match="CHECK constraint failed"):
        phone.providers.insert(f"{ROOT}/bills", {"title": "x", "amount_cents": 1, "direction": "sideways"})
    with pytest.raises(ProviderError, match="CHECK constraint failed"):
        phone.providers.insert(f"{ROOT}/bills", {"title": "x", "amount_cents": -1})


# ---- numbers


@given(st.text(max_size=12))
def test_amounts_are_cents_or_nothing(text: str) -> None:
    cents = store.parse_amount(text)
    assert cents is None or 0 < cents < 10**9


@given(st.integers(1, 999_999_999))
def test_an_amount_as_it_is_shown_is_read_back(cents: int) -> None:
    assert store.parse_amount(store.plain(cents)) == cents


@given(st.text(alphabet="0123456789", min_size=15, max_size=18))
def test_one_check_digit_fits(digits: str) -> None:
    assert sum(store.valid_card(f"{digits}{last}") for last in range(10)) == 1


@given(st.text(max_size=40))
def test_links_are_parsed_or_refused(text: str) -> None:
    codes.parse_link(text)
    assert codes.parse_link(f"mobench-wallet://pay?to={text.encode().hex()}") is not None


# ---- a walk over everything

ORDER = {
    "kind": "topup",
    "amount": 5000,
    "title": "x",
    "to": "x",
    "account": "13857102618",
    "operator": "x",
    "via": ["balance", "fund", "card"],
}
ARGS: dict[str, dict[str, Any]] = {
    "cashier": {"order": ORDER},
    "transfer_amount": {"to": "13800138000"},
    "result": {"kind": "topup", "amount": 5000, "to": "x", "id": 1},
    "pin": {"amount": 5000, "to": "x"},
    "bill": {"id": 3},
    "card": {"id": 1},
    "utility": {"id": 2},
    "parcel": {"id": 1},
}
OVERLAYS: dict[str, dict[str, dict[str, Any]]] = {
    "main": {"plus": {}, "message": {"id": 1}, "clear_messages": {}},
    "transfer": {"payee": {"id": 1}},
    "search": {"payee": {"id": 1}},
    "cashier": {"short": {}, "ways": {}, "coupons": {}},
    "recharge": {"card": {}},
    "withdraw": {"card": {}},
    "fund_in": {"card": {}},
    "paycode": {"ways": {}},
    "collect": {"amount": {}},
    "scan": {"number": {}},
    "transfer_card": {"recent": {}},
    "utility": {"unbind": {}},
    "card": {"unbind": {}},
    "bills": {"category": {}},
    "bill": {"note": {}, "category": {}, "delete": {}},
    "profile": {"name": {}},
    "pay_settings": {"limit": {}},
    "devices": {"remove": {"id": 2}},
    "about": {"text": {"key": "terms"}},
    "medical": {"bind": {}},
    "notices": {"message": {"id": 1}, "clear_messages": {}},
}
LOOKS = [
    ("zh", "pixel_6a", "lived_in", {}),
    ("en", "pixel_6a", "lived_in", {"system/font_scale": "1.3", "secure/ui_night_mode": "2"}),
    ("zh", "small", "lived_in", {"system/font_scale": "1.3"}),
    ("en", "small", "clean", {}),
]


@pytest.mark.parametrize(("language", "profile", "snapshot", "values"), LOOKS)
def test_every_screen_is_whole(language: str, profile: str, snapshot: str, values: dict[str, str]) -> None:
    phone = Phone(profile, language, snapshot)
    for name, value in values.items():
        phone.put_setting(*name.split("/"), value)
    found: list[str] = []

    def check(where: str) -> None:
        for window in phone.windows.windows:
            found.extend(f"{where}: {fault}" for fault in faults(window.root))

    for screen in WalletApp.screens:
        phone.activities.open_screen(PACKAGE, screen.name, ARGS.get(screen.name, {}))
        phone.settle()
        ctx = phone.activities.context(phone.activities.top())
        check(screen.name)
        states: list[dict[str, Any]] = {
            "main": [{"tab": tab} for tab in ("money", "inbox", "me", "home")],
            "services": [{"edit": True}],
            "parcels": [{"tab": 1}],
            "coupons": [{"tab": 1}],
            "stats": [{"side": 1}, {"back": 1, "side": 0}],
            "change_pin": [{"step": "new"}, {"step": "again", "wrong": "x"}],
            "fund_in": [{"source": 1}],
            "medical": [{"code": True}],
            "paycode": [{"digits": True}],
        }.get(screen.name, [])
        for state in states:
            ctx.ui.update(state)
            phone.invalidate()
            check(f"{screen.name} {state}")
        phone.text_input.focus(None)
        for name, args in OVERLAYS.get(screen.name, {}).items():
            ctx.open_overlay(name, **args)
            phone.invalidate()
            check(f"{screen.name} {name}")
            ctx.dismiss()
    put(phone, "elder_mode", "1")
    put(phone, "bus_on", "0")
    for name in ("main", "bus"):
        phone.activities.open_screen(PACKAGE, name, {})
        check(f"{name}, elder mode")
    assert found == []
    phone.close()


@pytest.mark.parametrize(("language", "scale"), [("zh", "1.5"), ("zh", "2.0"), ("en", "1.5"), ("en", "2.0")])
def test_large_text_is_not_cut(language: str, scale: str) -> None:
    phone = Phone("pixel_6a", language, "lived_in")
    phone.put_setting("system", "font_scale", scale)
    driver = Driver(phone)
    found: list[str] = []

    def check(where: str) -> None:
        while True:
            # What a field asks for may be cut, and a very long name be broken, as on real phones.
            may = {node.desc for node in driver.nodes() if node.id == "search_bar"} | {"Lottie (granddaughter)"}
            found.extend(f"{where}: {text}" for text in cut_texts(phone.windows.focused().root) if text not in may)
            if not driver.scroll():
                return

    for screen in WalletApp.screens:
        phone.activities.open_screen(PACKAGE, screen.name, ARGS.get(screen.name, {}))
        phone.settle()
        ctx = phone.activities.context(phone.activities.top())
        for tab in ("money", "inbox", "me", "home") if screen.name == "main" else ("",):
            ctx.ui.update({"tab": tab} if tab else {})
            phone.invalidate()
            check(f"{screen.name} {tab}")
        phone.text_input.focus(None)
    assert found == []
    phone.close()


def test_the_rows_of_the_payment_code_share_one_edge(driver: Driver) -> None:
    driver.tap_id("home_paycode")
    labels = ("付款方式", "账户余额", "收款码")
    edges = {node.x for node in driver.nodes() if node.id == "title" and node.text in labels}
    assert len(edges) == 1


def test_every_activity_starts_without_extras(phone: Phone) -> None:
    for screen in WalletApp.screens:
        phone.activities.start(Intent(package=PACKAGE, activity=screen.activity))
        phone.settle()
        assert phone.activities.resumed().flat() == f"{PACKAGE}/{screen.activity}"
        phone.hierarchy_xml()


def test_looking_changes_nothing(driver: Driver, phone: Phone) -> None:
    before = phone.digest()
    fork = phone.fork()
    fork.hierarchy_xml()
    assert fork.digest() == before
    fork.close()


def test_arguments_from_outside_are_no_danger(phone: Phone) -> None:
    extras = {"id": "x", "order": "x", "amount": "x", "kind": 5, "to": 7, "card": "x", "tab": 9, "category": 3}
    for screen in WalletApp.screens:
        phone.activities.start(Intent(package=PACKAGE, activity=screen.activity, extras=extras))
        phone.settle()
        phone.hierarchy_xml()
