"""The shop, by taps: search, sort, filter, cart, checkout, orders, what follows them, and how it all looks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mobile_gym.phone.apps.shop import ordering, store
from mobile_gym.phone.apps.shop.filters import cents
from mobile_gym.phone.apps.shop.look import money, yuan
from mobile_gym.phone.door import Intent
from mobile_gym.phone.errors import ProviderError
from mobile_gym.phone.phone import Phone
from tests.support.driver import Driver, faults

PACKAGE = "com.mobench.shop"
URI = f"content://{PACKAGE}/"
HOUR = 3_600_000
PIN = "112233"


def start(snapshot: str = "lived_in", language: str = "zh", profile: str = "pixel_6a") -> Driver:
    driver = Driver(Phone(snapshot=snapshot, language=language, profile=profile))
    driver.open(PACKAGE)
    return driver


@pytest.fixture
def driver() -> Driver:
    return start()


def rows(driver: Driver, table: str, where: str | None = None, sort: str | None = None) -> list[dict[str, Any]]:
    return driver.phone.providers.query(URI + table, None, where, sort)


def one(driver: Driver, table: str, where: str | None = None) -> dict[str, Any]:
    (row,) = rows(driver, table, where)
    return row


def session(driver: Driver) -> dict[str, Any]:
    return one(driver, "session")


def go(driver: Driver, screen: str, **args: object) -> None:
    driver.phone.activities.open_screen(PACKAGE, screen, args)
    driver.phone.invalidate()
    driver.phone.settle()


def enter_pin(driver: Driver, pin: str = PIN) -> None:
    for digit in pin:
        driver.tap_id(f"pin_{digit}")


def search(driver: Driver, query: str) -> None:
    driver.tap_id("search_bar")
    driver.type(query)
    driver.tap_id("search_button")


def titles(driver: Driver) -> list[str]:
    return [node.text for node in driver.nodes() if node.id == "title"]


def toast(driver: Driver) -> str:
    text: str = driver.phone.state.interface["toast"]["text"]
    return text


# ---- amounts


@pytest.mark.parametrize(
    ("amount", "text"), [(0, "0"), (5, "0.05"), (1990, "19.9"), (8900, "89"), (2485, "24.85"), (-300, "-3")]
)
def test_amounts(amount: int, text: str) -> None:
    assert yuan(amount) == text
    assert cents(text.lstrip("-")) == abs(amount)


def test_a_minus_stands_before_the_currency() -> None:
    assert money(-2000) == "-\u00a520"
    assert cents("12.345") is None
    assert cents("") is None


# ---- the catalogue


def test_the_catalogue_is_whole(driver: Driver) -> None:
    products = rows(driver, "products")
    assert len(products) == 166
    assert len({product["category"] for product in products}) == 10
    assert len({product["sales"] for product in products}) == 166, "sorting by sales leaves no choice"
    variants = rows(driver, "variants")
    for product in products:
        own = [variant for variant in variants if variant["product_id"] == product["_id"]]
        assert product["price_cents"] == min(variant["price_cents"] for variant in own)
        assert product["stock"] == sum(variant["stock"] for variant in own)
        assert product["price_cents"] < product["was_cents"]


def test_equal_snapshots_have_equal_states() -> None:
    assert start().phone.digest() == start().phone.digest()


def test_clean_has_an_account_and_no_history() -> None:
    driver = start("clean")
    assert [row["is_default"] for row in rows(driver, "addresses")] == [1, 0]
    for table in ("cart", "orders", "my_coupons", "favourites", "footprints", "search_history", "chats", "notices"):
        assert rows(driver, table) == [], table


# ---- search, sort, filter


def test_a_search_is_remembered_sorted_and_filtered(driver: Driver) -> None:
    search(driver, "拖鞋")
    state = session(driver)
    assert (state["screen"], state["query"], state["sort"], state["filters"]) == ("results", "拖鞋", "default", "")
    assert state["results"] == 6
    assert rows(driver, "search_history", sort="at DESC")[0]["query"] == "拖鞋"
    driver.tap_id("sort_price")
    assert session(driver)["sort"] == "price_asc"
    assert titles(driver)[0].startswith("浴室防滑凉拖"), "the cheapest comes first"
    driver.tap_id("sort_price")
    assert session(driver)["sort"] == "price_desc"
    assert titles(driver)[0].startswith("老年人防滑保暖拖鞋")
    driver.tap_id("sort_sales")
    assert titles(driver)[0].startswith("加绒保暖棉拖鞋")
    driver.tap_id("sort_newest")
    assert titles(driver)[0].startswith("老年人防滑保暖拖鞋")
    driver.tap_id("sort_default")
    driver.tap_text("好评优先")
    assert session(driver)["sort"] == "rating"
    driver.tap_id("chip_free_shipping")
    assert (session(driver)["filters"], session(driver)["results"]) == ("free_shipping", 4)
    driver.back()
    assert session(driver)["query"] == "", "no list is in force on the search page"


def test_the_filter_sheet_sets_prices_brands_and_flags(driver: Driver) -> None:
    search(driver, "拖鞋")
    driver.tap_id("sort_filter")
    driver.tap_id("filter_returns")
    driver.tap_id("price_min")
    driver.type("20")
    driver.tap_id("price_max")
    driver.type("40")
    driver.back()
    driver.tap_text("暖冬")
    driver.tap_text("花漾")
    driver.tap_id("filter_confirm")
    state = session(driver)
    assert (state["price_min"], state["price_max"]) == (2000, 4000)
    assert state["filters"] == "brand:huayang,brand:nuandong,returns"
    assert state["results"] == 2
    driver.tap_id("sort_filter")
    driver.tap_id("filter_reset")
    driver.tap_id("filter_confirm")
    state = session(driver)
    assert (state["filters"], state["price_min"], state["price_max"], state["results"]) == ("", None, None, 6)


def test_filters_without_confirmation_are_not_in_force(driver: Driver) -> None:
    search(driver, "拖鞋")
    driver.tap_id("sort_filter")
    driver.tap_id("filter_next_day")
    driver.tap_id("sheet_close")
    assert session(driver)["filters"] == ""


def test_a_list_in_one_column_and_an_empty_one(driver: Driver) -> None:
    search(driver, "血压计")
    driver.tap_id("view_toggle")
    assert session(driver)["view"] == "list"
    assert driver.has("上臂式电子血压计 大屏语音")
    driver.tap_id("search_clear")
    driver.type("qqqq")
    driver.key("ENTER")
    assert driver.has("没有找到相关商品")
    assert session(driver)["results"] == 0


def test_only_what_is_in_stock(driver: Driver) -> None:
    go(driver, "results", query="大闸蟹")
    before = session(driver)["results"]
    driver.tap_id("chip_in_stock")
    assert session(driver)["results"] == before - 1
    assert driver.has("没有符合筛选条件的商品") or session(driver)["results"] > 0


def test_suggestions_history_and_its_deletion(driver: Driver) -> None:
    driver.tap_id("search_bar")
    driver.type("收音")
    driver.tap_text("便携收音机")
    assert session(driver)["query"] == "便携收音机"
    driver.back()
    driver.tap_id("search_clear")
    driver.tap_id("history_clear")
    driver.tap_text("删除")
    assert rows(driver, "search_history") == []
    assert not driver.has("历史搜索")


def test_categories_have_two_levels(driver: Driver) -> None:
    driver.tap_id("tab_category")
    driver.tap_id("side_wear")
    driver.tap_id("sub_shoes")
    state = session(driver)
    assert (state["category"], state["sub"], state["results"]) == ("wear", "shoes", 3)
    driver.back()
    assert session(driver)["category"] == ""


def test_the_countdown_follows_the_virtual_clock(driver: Driver) -> None:
    before = driver.by_id("flash_countdown").text
    driver.phone.advance(60_000)
    driver.phone.invalidate()
    after = driver.by_id("flash_countdown").text
    assert before != after
    assert after.startswith("01:3")


# ---- a product


def test_a_product_leaves_a_footprint_that_tells_the_list(driver: Driver) -> None:
    go(driver, "results", query="拖鞋", sort="price_asc", filters="free_shipping")
    driver.tap_id("product_card")
    row = rows(driver, "footprints", sort="at DESC")[0]
    assert (row["product_id"], row["query"], row["sort"], row["filters"]) == (805, "拖鞋", "price_asc", "free_shipping")
    assert session(driver)["opened_product"] == 805
    driver.back()
    assert session(driver)["opened_product"] is None
    assert session(driver)["sort"] == "price_asc", "the list below is in force again"


def test_pictures_favourite_coupon_and_service(driver: Driver) -> None:
    go(driver, "detail", product=806)
    assert driver.by_id("picture_number").text.startswith("1/")
    driver.phone.input.swipe(900, 700, 100, 700, 200)
    driver.phone.settle()
    assert driver.by_id("picture_number").text.startswith("2/")
    driver.tap_id("bottom_favourite")
    assert rows(driver, "favourites", "product_id = 806")
    driver.tap_id("bottom_favourite")
    assert not rows(driver, "favourites", "product_id = 806")
    driver.tap_id("coupon_entry")
    before = len(rows(driver, "my_coupons"))
    driver.tap_id("coupon_claim")
    assert len(rows(driver, "my_coupons")) == before + 1
    driver.back()
    driver.tap_id("bottom_service")
    driver.tap_id("message")
    driver.type("多久能发货")
    driver.tap_id("send")
    mine, answer = rows(driver, "chats", "brand = 'fulao'", "_id")[-2:]
    assert (mine["own"], mine["text"], answer["own"]) == (1, "多久能发货", 0)
    assert "3 小时内发货" in answer["text"]


def test_sharing_copies_the_link_which_opens_the_product(driver: Driver) -> None:
    go(driver, "detail", product=601)
    driver.tap_id("share")
    driver.tap_id("share_copy")
    assert driver.phone.state.interface["clipboard"].endswith("mobench-shop://product/601")
    driver.phone.press_home()
    driver.phone.activities.start(Intent(action="android.intent.action.VIEW", data="mobench-shop://product/914"))
    driver.phone.settle()
    assert driver.has("便携收音机 戏曲评书 插卡")


def test_reviews_are_filtered(driver: Driver) -> None:
    go(driver, "reviews", product=601)
    count = len([row for row in rows(driver, "reviews", "product_id = 601") if row["stars"] >= 4])
    driver.tap_text(f"好评 {count}")
    assert len([node for node in driver.nodes() if node.id == "review"]) == count


def test_a_shop_is_followed_and_its_list_is_its_own(driver: Driver) -> None:
    go(driver, "shop", brand="zukang")
    assert session(driver)["brand"] == "zukang"
    assert session(driver)["results"] == 2
    driver.tap_id("shop_follow")
    assert rows(driver, "follows", "brand = 'zukang'")


def test_the_address_to_deliver_to_shows_in_the_session(driver: Driver) -> None:
    driver.tap_id("home_address")
    driver.tap_id("address_row", index=1)
    assert session(driver)["address_id"] == 2
    assert driver.has("江南大道")


# ---- buying


def test_from_the_variant_sheet_into_the_cart(driver: Driver) -> None:
    go(driver, "detail", product=802)
    driver.tap_id("add_to_cart")
    driver.tap_text("黑色")
    driver.tap_text("42-43")
    driver.tap_id("quantity_more")
    driver.tap_id("confirm_cart")
    row = one(driver, "cart", "product_id = 802")
    variant = one(driver, "variants", f"_id = {row['variant_id']}")
    assert (variant["name_zh"], row["quantity"], row["selected"]) == ("黑色 42-43", 2, 1)
    assert toast(driver) == "已加入购物车"


def test_what_is_sold_out_cannot_be_chosen(driver: Driver) -> None:
    driver.phone.providers.update(URI + "variants", {"stock": 0}, "product_id = 802 AND name_zh LIKE '黑色%'")
    go(driver, "detail", product=802)
    driver.tap_id("add_to_cart")
    driver.tap_text("42-43")
    assert not driver.by_text("黑色").enabled
    driver.phone.providers.update(URI + "variants", {"stock": 0}, "product_id = 802")
    driver.back()
    assert driver.by_id("sold_out").text == "暂时缺货"


def test_buy_now_with_slot_note_coupon_and_pin(driver: Driver) -> None:
    go(driver, "detail", product=601)
    stock = one(driver, "variants", "_id = 60101")["stock"]
    driver.tap_id("buy_now")
    driver.tap_id("confirm_buy")
    driver.tap_id("checkout_address")
    driver.tap_id("address_card", index=1)
    assert session(driver)["address_id"] == 2
    driver.tap_id("slot_row")
    driver.tap_text("3月14日 周六")
    driver.tap_id("slot_1")
    driver.tap_id("coupon_row")
    driver.tap_text("会员生日礼券")
    driver.tap_id("note")
    driver.type("放门口")
    driver.back()
    assert driver.by_id("checkout_total").text == "\u00a5179"
    driver.tap_id("order_submit")
    enter_pin(driver, "111111")
    assert driver.has("支付密码错误，还可输入 2 次")
    enter_pin(driver)
    assert driver.has("支付成功")
    order = rows(driver, "orders", sort="_id DESC")[0]
    assert order["status"] == "to_ship"
    assert (order["name"], order["slot"], order["note"]) == ("周建军", "2026-03-14 12:00-15:00", "放门口")
    assert (order["goods_cents"], order["discount_cents"], order["total_cents"]) == (18900, 1000, 17900)
    assert one(driver, "my_coupons", f"order_id = {order['_id']}")["status"] == "used"
    assert one(driver, "variants", "_id = 60101")["stock"] == stock - 1
    assert rows(driver, "cart", "variant_id = 60101"), "what is bought at once leaves the cart alone"


def test_the_cart_is_paid_from_the_wallet(driver: Driver) -> None:
    driver.phone.providers.update(URI + "settings", {"value": "20000"}, "name = 'balance_cents'")
    driver.tap_id("tab_cart")
    assert driver.by_id("cart_total").text == "\u00a5104.7"
    driver.tap_id("cart_checkout")
    driver.scroll_to_id("pay_wallet")
    driver.tap_id("pay_wallet")
    driver.tap_id("order_submit")
    enter_pin(driver)
    order = rows(driver, "orders", sort="_id DESC")[0]
    assert (order["payment"], order["total_cents"], order["status"]) == ("wallet", 10470, "to_ship")
    assert one(driver, "settings", "name = 'balance_cents'")["value"] == "9530"
    assert {row["variant_id"] for row in rows(driver, "cart")} == {60101, 101501}
    items = rows(driver, "order_items", f"order_id = {order['_id']}")
    assert order["goods_cents"] == sum(item["price_cents"] * item["quantity"] for item in items)


def test_the_wallet_must_hold_enough_and_cash_needs_no_pin(driver: Driver) -> None:
    go(driver, "checkout", lines=[{"variant": 60101, "quantity": 1}], from_cart=False)
    driver.scroll_to_id("pay_cod")
    assert not driver.by_id("pay_wallet").enabled
    driver.tap_id("pay_cod")
    driver.tap_id("order_submit")
    assert driver.has("下单成功，货到付款")
    assert rows(driver, "orders", sort="_id DESC")[0]["payment"] == "cod"


def test_leaving_the_cashier_keeps_the_order_for_a_day(driver: Driver) -> None:
    go(driver, "checkout", lines=[{"variant": 10101, "quantity": 1}], from_cart=False)
    driver.tap_id("order_submit")
    driver.tap_id("sheet_close")
    driver.back()
    driver.tap_text("放弃")
    order = rows(driver, "orders", sort="_id DESC")[0]
    stock = one(driver, "variants", "_id = 10101")["stock"]
    assert order["status"] == "to_pay"
    assert driver.has("等待付款")
    driver.phone.advance(24 * HOUR)
    order = one(driver, "orders", f"_id = {order['_id']}")
    assert (order["status"], order["cancel_reason"]) == ("cancelled", "unpaid")
    assert one(driver, "variants", "_id = 10101")["stock"] == stock + 1


def test_three_wrong_pins_close_the_keypad(driver: Driver) -> None:
    key = one(driver, "orders", "status = 'to_pay'")["_id"]
    go(driver, "cashier", order=key)
    driver.tap_id("pay_now")
    for _ in range(3):
        enter_pin(driver, "000000")
    assert toast(driver) == "密码错误次数过多，请稍后再试"
    assert one(driver, "orders", f"_id = {key}")["status"] == "to_pay"


@pytest.mark.parametrize(
    ("lines", "shipping"),
    [
        ([{"price_cents": 1000, "quantity": 2, "free_shipping": 0}], 600),
        ([{"price_cents": 1000, "quantity": 2, "free_shipping": 1}], 0),
        ([{"price_cents": 5900, "quantity": 1, "free_shipping": 0}], 0),
        ([{"price_cents": 100, "quantity": 1, "free_shipping": 1}, {"price_cents": 1, "quantity": 1,
                                                                   "free_shipping": 0}], 600),
        ([], 0),
    ],
)  # fmt: skip
def test_shipping(lines: list[dict[str, int]], shipping: int) -> None:
    assert ordering.total(lines).shipping == shipping


def test_a_coupon_counts_only_what_it_is_for() -> None:
    lines = [
        {"price_cents": 6000, "quantity": 1, "free_shipping": 1, "category": "fruit", "brand": "a", "product_id": 1},
        {"price_cents": 9000, "quantity": 1, "free_shipping": 1, "category": "wear", "brand": "b", "product_id": 2},
    ]
    coupon = {"scope": "category", "scope_value": "fruit", "threshold_cents": 7000, "off_cents": 1200}
    assert ordering.total(lines, coupon).discount == 0
    assert ordering.total(lines, {**coupon, "threshold_cents": 6000}).discount == 1200
    huge = {"scope": "product", "scope_value": "1", "threshold_cents": 0, "off_cents": 9900}
    assert ordering.total(lines, huge).discount == 6000, "no more than what it counts"


# ---- the cart


def test_selection_quantity_variant_and_deletion(driver: Driver) -> None:
    driver.tap_id("tab_cart")
    driver.tap_id("select_all_check")
    assert all(row["selected"] for row in rows(driver, "cart"))
    driver.tap_id("item_check")
    driver.tap_id("quantity_more")
    driver.tap_id("cart_variant")
    driver.tap_text("40-41")
    driver.tap_id("confirm_line")
    row = one(driver, "cart", "product_id = 801")
    assert (row["variant_id"], row["quantity"]) == (80103, 2)
    driver.tap_id("select_all_check")
    driver.tap_id("cart_edit")
    driver.tap_id("cart_delete")
    driver.tap_text("取消")
    assert len(rows(driver, "cart")) == 4
    driver.tap_id("cart_delete")
    driver.tap_text("删除", index=-1)
    assert rows(driver, "cart") == []
    assert driver.has("购物车还是空的")


def test_lines_move_to_the_favourites(driver: Driver) -> None:
    driver.tap_id("tab_cart")
    driver.tap_id("cart_edit")
    driver.tap_id("cart_move")
    assert {row["product_id"] for row in rows(driver, "cart")} == {601, 1015}
    assert rows(driver, "favourites", "product_id = 301")


def test_another_coupon_or_none_changes_the_total(driver: Driver) -> None:
    driver.tap_id("tab_cart")
    driver.tap_id("cart_coupon")
    driver.tap_text("全场通用券")
    assert driver.by_id("cart_total").text == "\u00a5109.7"
    driver.tap_id("cart_coupon")
    driver.tap_id("coupon_none")
    assert driver.by_id("cart_total").text == "\u00a5129.7"
    driver.tap_id("cart_checkout")
    assert driver.by_id("checkout_total").text == "\u00a5129.7", "the choice goes on to the checkout"


# ---- orders


def test_tabs_and_search_of_orders(driver: Driver) -> None:
    driver.tap_id("tab_me")
    driver.tap_id("orders_to_receive")
    assert len(ordering.orders(driver.phone, "to_receive")) == 3
    assert {node.text for node in driver.nodes() if node.id == "order_status"} == {"等待收货"}
    driver.tap_id("tab_all")
    driver.tap_id("order_search")
    driver.type("电饭煲")
    driver.key("ENTER")
    assert titles(driver) == ["电饭煲 4升 智能预约"]


def test_an_order_is_paid_shipped_received_and_reviewed(driver: Driver) -> None:
    key = one(driver, "orders", "status = 'to_pay'")["_id"]
    go(driver, "order", order=key)
    driver.tap_id("do_pay")
    driver.tap_id("pay_now")
    enter_pin(driver)
    driver.tap_id("order_see")
    assert driver.has("等待发货")
    driver.phone.advance(4 * HOUR)
    order = one(driver, "orders", f"_id = {key}")
    assert order["status"] == "to_receive"
    assert order["tracking"].startswith("HL")
    told = [n["title"] for n in driver.phone.notifier.posted if n["key"] == f"order-{key}"]
    assert told == ["您的订单已发货"]
    driver.phone.advance(26 * HOUR)
    driver.phone.invalidate()
    assert rows(driver, "notices", f"order_id = {key} AND kind = 'delivered'")
    driver.tap_id("do_logistics")
    assert driver.has("包裹已送达，放在门口")
    driver.back()
    driver.tap_id("do_receive")
    driver.tap_text("确定")
    driver.tap_id("do_review")
    driver.tap_id("review_send")
    assert driver.has("请先给商品打分")
    driver.tap_id("star_4")
    driver.tap_id("review_text_box")
    driver.type("很暖和")
    driver.back()
    driver.tap_id("review_anonymous")
    driver.tap_id("review_send")
    assert one(driver, "orders", f"_id = {key}")["status"] == "done"
    review = rows(driver, "reviews", "own = 1", "_id DESC")[0]
    assert (review["stars"], review["text_zh"], review["anonymous"], review["product_id"]) == (4, "很暖和", 1, 806)


def test_cancelling_gives_back_stock_coupon_and_money(driver: Driver) -> None:
    driver.phone.providers.update(URI + "settings", {"value": "50000"}, "name = 'balance_cents'")
    go(driver, "checkout", lines=[{"variant": 60101, "quantity": 1}], from_cart=False)
    stock = one(driver, "variants", "_id = 60101")["stock"]
    driver.scroll_to_id("pay_wallet")
    driver.tap_id("pay_wallet")
    driver.tap_id("order_submit")
    enter_pin(driver)
    driver.tap_id("order_see")
    driver.tap_id("do_cancel")
    driver.tap_id("reason_wrong")
    order = rows(driver, "orders", sort="_id DESC")[0]
    assert (order["status"], order["cancel_reason"]) == ("cancelled", "wrong")
    assert one(driver, "settings", "name = 'balance_cents'")["value"] == "50000"
    assert one(driver, "variants", "_id = 60101")["stock"] == stock
    assert one(driver, "my_coupons", f"_id = {order['my_coupon_id']}")["status"] == "available"


def test_the_address_changes_until_it_ships(driver: Driver) -> None:
    key = rows(driver, "orders", "status = 'to_ship'", "_id DESC")[0]["_id"]
    go(driver, "order", order=key)
    driver.tap_id("change_address")
    driver.tap_id("address_card", index=1)
    assert one(driver, "orders", f"_id = {key}")["name"] == "周建军"
    go(driver, "orders", tab="to_ship")
    driver.tap_id("do_address")
    driver.tap_id("address_card", index=0)
    assert one(driver, "orders", f"_id = {key}")["name"] == "方芳"
    driver.phone.advance(4 * HOUR)
    go(driver, "order", order=key)
    assert not [node for node in driver.nodes() if node.id == "change_address"]


def test_a_return_goes_its_way(driver: Driver) -> None:
    order = rows(driver, "orders", "status = 'to_review'", "_id DESC")[0]
    item = rows(driver, "order_items", f"order_id = {order['_id']}")[0]
    go(driver, "order", order=order["_id"])
    driver.tap_id("do_aftersale")
    driver.tap_id("after_return")
    driver.tap_id("after_submit")
    assert toast(driver) == "请选择申请原因"
    driver.tap_id("after_reason")
    driver.tap_id("reason_broken")
    driver.replace_text("after_amount", "9999")
    driver.back()
    driver.tap_id("after_submit")
    assert driver.has("请输入不超过 \u00a559.8 的金额")
    driver.replace_text("after_amount", "50")
    driver.back()
    driver.tap_id("after_submit")
    asked = one(driver, "aftersales", f"item_id = {item['_id']}")
    assert (asked["kind"], asked["reason"], asked["amount_cents"], asked["state"]) == (
        "return", "broken", 5000, "applied",
    )  # fmt: skip
    driver.phone.advance(HOUR)
    driver.phone.invalidate()
    driver.tap_id("after_send_back")
    driver.tap_id("tracking")
    driver.type("SF123456")
    driver.tap_text("提交")
    assert one(driver, "aftersales", f"_id = {asked['_id']}")["state"] == "returning"
    driver.phone.advance(24 * HOUR)
    assert one(driver, "aftersales", f"_id = {asked['_id']}")["state"] == "refunded"
    assert one(driver, "orders", f"_id = {order['_id']}")["status"] == "refunded"


def test_a_request_is_withdrawn(driver: Driver) -> None:
    asked = one(driver, "aftersales", "state = 'applied'")
    go(driver, "orders", tab="aftersale")
    driver.tap_id("after_card")
    driver.tap_id("after_withdraw")
    driver.tap_text("确定")
    assert one(driver, "aftersales", f"_id = {asked['_id']}")["state"] == "withdrawn"
    driver.phone.advance(30 * HOUR)
    assert one(driver, "aftersales", f"_id = {asked['_id']}")["state"] == "withdrawn"


def test_an_order_is_deleted_bought_again_and_invoiced(driver: Driver) -> None:
    gone = one(driver, "orders", "status = 'cancelled'")["_id"]
    go(driver, "order", order=gone)
    driver.tap_id("do_delete")
    driver.tap_text("删除")
    assert not rows(driver, "orders", f"_id = {gone}")
    assert not rows(driver, "order_items", f"order_id = {gone}")
    done = rows(driver, "orders", "status = 'done'", "_id DESC")[0]
    go(driver, "order", order=done["_id"])
    driver.tap_id("do_rebuy")
    bought = {item["variant_id"] for item in rows(driver, "order_items", f"order_id = {done['_id']}")}
    assert bought <= {row["variant_id"] for row in rows(driver, "cart")}
    go(driver, "order", order=done["_id"])
    driver.scroll_to_id("invoice_row")
    driver.tap_id("invoice_row")
    driver.tap_id("invoice_company")
    driver.replace_text("invoice_title", "杭州某某有限公司")
    driver.back()
    driver.tap_id("invoice_submit")
    assert driver.has("请填写税号")
    driver.tap_id("invoice_tax_no")
    driver.type("91330100MA27")
    driver.back()
    driver.tap_id("invoice_submit")
    order = one(driver, "orders", f"_id = {done['_id']}")
    assert (order["invoice_type"], order["invoice_title"], order["invoice_tax_no"]) == (
        "company", "杭州某某有限公司", "91330100MA27",
    )  # fmt: skip


# ---- addresses, coupons, settings


def test_an_address_is_added_edited_and_deleted(driver: Driver) -> None:
    driver.tap_id("tab_me")
    driver.tap_id("me_addresses")
    driver.tap_id("address_add")
    driver.tap_id("address_save")
    assert driver.has("请填写收货人")
    for name, text in (("name", "王小明"), ("phone", "13900001111"), ("detail", "文一路 8 号")):
        driver.tap_id(f"address_{name}")
        driver.type(text)
        driver.back()
    driver.tap_id("address_region")
    for part in ("浙江省", "杭州市", "西湖区"):
        driver.tap_text(part)
    driver.tap_text("父母家")
    driver.tap_id("address_default")
    driver.tap_id("address_save")
    row = one(driver, "addresses", "name = '王小明'")
    assert (row["province"], row["city"], row["district"]) == ("浙江省", "杭州市", "西湖区")
    assert (row["tag"], row["detail"], row["is_default"]) == ("parents", "文一路 8 号", 1)
    assert sum(one["is_default"] for one in rows(driver, "addresses")) == 1
    driver.tap_text("王小明")
    driver.replace_text("address_phone", "123")
    driver.back()
    driver.tap_id("address_save")
    assert driver.has("手机号码格式不正确")
    driver.tap_id("address_delete")
    driver.tap_text("删除", index=-1)
    assert len(rows(driver, "addresses")) == 2
    assert sum(one["is_default"] for one in rows(driver, "addresses")) == 1


def test_coupons_are_claimed_used_up_and_expire(driver: Driver) -> None:
    driver.tap_id("tab_me")
    driver.tap_id("me_coupon_center")
    driver.tap_id("coupon_claim")
    claimed = rows(driver, "my_coupons", sort="_id DESC")[0]
    assert (claimed["coupon_id"], claimed["status"]) == (11, "available")
    driver.tap_id("my_coupons")
    assert driver.has("可使用 5")
    driver.phone.advance(15 * 24 * HOUR)
    assert one(driver, "my_coupons", f"_id = {claimed['_id']}")["status"] == "expired"


def test_favourites_and_footprints_are_deleted(driver: Driver) -> None:
    for screen, left in (("favourites", 5), ("footprints", 7)):
        go(driver, screen)
        driver.tap_id("kept_edit")
        driver.tap_id("product_card")
        driver.tap_id("kept_delete")
        driver.tap_text("删除", index=-1)
        assert len(rows(driver, screen)) == left


def test_settings(driver: Driver) -> None:
    go(driver, "settings")

    def height() -> int:
        return driver.find(lambda node: node.kind == "text" and node.text == "大字模式", "title").h

    before = height()
    driver.tap_id("large_font")
    assert height() > before
    driver.tap_id("large_font")
    driver.tap_id("notify_orders")
    assert one(driver, "settings", "name = 'notify_orders'")["value"] == "0"
    driver.tap_id("clear_cache")
    driver.tap_text("清除")
    assert one(driver, "settings", "name = 'cache_kb'")["value"] == "0"
    driver.phone.advance(4 * HOUR)
    assert not [n for n in driver.phone.notifier.posted if n["package"] == PACKAGE], "notifications are off"
    go(driver, "account")
    driver.tap_id("gender_row")
    driver.tap_id("gender_female")
    driver.tap_id("nickname_row")
    driver.phone.text_input.focus((driver.phone.activities.top()["uid"], "nickname"))
    driver.phone.text_input.set_text("芳芳")
    driver.tap_text("保存")
    assert one(driver, "settings", "name = 'gender'")["value"] == "female"
    assert one(driver, "settings", "name = 'nickname'")["value"] == "芳芳"


def test_recommendations_follow_the_footprints(driver: Driver) -> None:
    def first(d: Driver) -> str:
        return d.scroll_to_id("product_card").children[1].children[0].children[0].text

    personal = first(driver)
    store.put_setting(driver.phone, "recommend", 0)
    driver.phone.invalidate()
    assert first(driver) != personal


# ---- the provider


def test_inserts_leave_the_data_consistent(driver: Driver) -> None:
    insert, update = driver.phone.providers.insert, driver.phone.providers.update
    insert(URI + "cart", {"variant_id": 80102, "quantity": 3})
    assert one(driver, "cart", "variant_id = 80102")["quantity"] == 4, "what is there becomes more"
    key = int(insert(URI + "orders", {"status": "to_receive"}).rpartition("/")[2])
    insert(URI + "order_items", {"order_id": key, "variant_id": 60101, "quantity": 2})
    order = one(driver, "orders", f"_id = {key}")
    assert (order["goods_cents"], order["total_cents"], order["name"]) == (37800, 37800, "方芳")
    assert order["delivered_at"] > order["created_at"]
    insert(URI + "my_coupons", {"coupon_id": 9})
    assert one(driver, "my_coupons", "coupon_id = 9")["expires_at"] > driver.phone.state.clock.now_ms
    update(URI + "variants", {"price_cents": 100}, "_id = 60101")
    assert one(driver, "products", "_id = 601")["price_cents"] == 100
    insert(URI + "addresses", {"name": "a", "phone": "1", "province": "b", "city": "c", "district": "d",
                               "detail": "e", "is_default": 1})  # fmt: skip
    assert sum(row["is_default"] for row in rows(driver, "addresses")) == 1
    driver.phone.providers.delete(URI + "addresses", "name = 'a'")
    assert sum(row["is_default"] for row in rows(driver, "addresses")) == 1
    with pytest.raises(ProviderError):
        insert(URI + "cart", {"variant_id": 999999})
    with pytest.raises(ProviderError):
        update(URI + "session", {"query": "x"}, None)


def test_a_product_from_outside_is_found_and_sold(driver: Driver) -> None:
    product = driver.phone.providers.insert(
        URI + "products",
        {"name_zh": "手工竹蜻蜓", "category": "home", "brand": "fulao", "price_cents": 1250},
    )
    key = int(product.rpartition("/")[2])
    driver.phone.providers.insert(URI + "variants", {"product_id": key, "name_zh": "单只", "stock": 3})
    search(driver, "竹蜻蜓")
    driver.tap_text("手工竹蜻蜓")
    driver.tap_id("buy_now")
    driver.tap_id("confirm_buy")
    assert driver.by_id("checkout_total").text == "\u00a518.5"


# ---- every screen and sheet

LINES = [{"variant": 80102, "quantity": 1}, {"variant": 60101, "quantity": 2}]
SCREENS: tuple[tuple[str, dict[str, object]], ...] = (
    *(("main", {"tab": tab}) for tab in ("home", "category", "messages", "cart", "me")),
    ("search", {}), ("search", {"text": "a"}), ("results", {"query": "拖鞋"}), ("results", {"category": "health"}),
    ("results", {"query": "qqqq"}), ("detail", {"product": 801}), ("detail", {"product": 410}), ("detail", {}),
    ("reviews", {"product": 601}), ("reviews", {}), ("shop", {"brand": "fulao"}), ("shop", {}), ("flash", {}),
    ("chat", {"brand": "fulao", "product": 806}), ("chat", {}), ("notices", {}),
    ("checkout", {"lines": LINES, "from_cart": False}), ("checkout", {}), ("cashier", {"order": 16}), ("cashier", {}),
    ("placed", {"order": 15}), ("placed", {}), ("orders", {}), ("orders", {"tab": "aftersale"}), ("order", {}),
    ("order", {"order": 10}), ("logistics", {"order": 11}), ("invoice", {}), ("review", {"order": 10}),
    ("review", {}), ("apply", {"item": 10}), ("apply", {}), ("aftersale", {}), ("addresses", {}),
    ("addresses", {"pick": True}), ("address_edit", {}), ("address_edit", {"address": 1}), ("coupons", {}),
    ("coupon_center", {}), ("favourites", {}), ("footprints", {}), ("settings", {}), ("account", {}),
)  # fmt: skip
OVERLAYS: tuple[tuple[str, dict[str, object], str, dict[str, object]], ...] = (
    ("main", {"tab": "home"}, "address", {}),
    ("main", {"tab": "cart"}, "cart_delete", {"keys": [1]}),
    ("main", {"tab": "cart"}, "cart_coupon", {}),
    ("main", {"tab": "cart"}, "variant", {"product": 801, "mode": "line", "line": 1, "variant": 80102}),
    ("detail", {"product": 807}, "variant", {"product": 807, "mode": "both"}),
    ("detail", {"product": 801}, "coupons", {"product": 801}),
    ("detail", {"product": 801}, "share", {"product": 801}),
    ("detail", {"product": 801}, "service", {}),
    ("results", {"category": "wear"}, "filter", {}),
    ("results", {"category": "wear"}, "sort", {}),
    ("search", {}, "clear_history", {}),
    ("checkout", {"lines": LINES, "from_cart": False}, "slot", {}),
    ("checkout", {"lines": LINES, "from_cart": False}, "coupon", {}),
    ("cashier", {"order": 16}, "pin", {}),
    ("cashier", {"order": 16}, "leave", {}),
    ("orders", {}, "cancel_order", {"order": 16}),
    ("orders", {}, "receive_order", {"order": 11}),
    ("order", {}, "delete_order", {"order": 1}),
    ("apply", {"item": 10}, "reason", {}),
    ("aftersale", {}, "withdraw", {"request": 1}),
    ("aftersale", {}, "send_back", {"request": 1}),
    ("addresses", {}, "delete_address", {"address": 1}),
    ("address_edit", {"address": 1}, "delete_address", {}),
    ("address_edit", {}, "region", {}),
    ("favourites", {}, "delete_kept", {"keys": [601]}),
    ("settings", {}, "cache", {}),
    ("settings", {}, "about", {}),
    ("account", {}, "nickname", {}),
    ("account", {}, "gender", {}),
    ("account", {}, "birthday", {}),
)


def large(phone: Phone) -> None:
    phone.put_setting("system", "font_scale", "1.3")


def dark(phone: Phone) -> None:
    phone.put_setting("secure", "ui_night_mode", "2")


@pytest.mark.parametrize(
    ("language", "profile", "change"),
    [
        ("zh", "pixel_6a", lambda phone: None),
        ("en", "pixel_6a", dark),
        ("zh", "small", large),
        ("en", "small", large),
    ],
)
def test_every_screen_and_sheet(language: str, profile: str, change: Callable[[Phone], None]) -> None:
    driver = start("lived_in", language, profile)
    change(driver.phone)
    found: list[str] = []

    def look(what: str) -> None:
        driver.phone.invalidate()
        for window in driver.phone.windows.windows:
            if window.package == PACKAGE:
                found.extend(f"{what}: {fault}" for fault in faults(window.root))

    opened = set()
    for screen, args in SCREENS:
        go(driver, screen, **args)
        opened.add(screen)
        look(screen)
        for _ in range(2):
            if not driver.scroll():
                break
            look(f"{screen} further down")
    for screen, args, overlay, values in OVERLAYS:
        go(driver, screen, **args)
        driver.phone.text_input.focus(None)
        context = driver.phone.activities.context(driver.phone.activities.top())
        context.open_overlay(overlay, **values)
        look(f"{screen}: {overlay}")
    assert opened == {screen.name for screen in driver.phone.apps[PACKAGE].screens}
    assert found == []


def test_every_activity_starts_without_extras() -> None:
    driver = start("clean")
    for screen in driver.phone.apps[PACKAGE].screens:
        driver.open(PACKAGE, screen.activity)
        assert driver.phone.activities.resumed().activity.endswith(screen.activity)
        assert driver.nodes()
