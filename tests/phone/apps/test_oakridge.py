"""The English store, by taps: departments, filters, variants, cart, promo codes, checkout, orders, returns, lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mobile_gym.phone.apps.oakridge import ordering, store
from mobile_gym.phone.apps.oakridge.filters import cents
from mobile_gym.phone.apps.oakridge.look import money
from mobile_gym.phone.door import Intent
from mobile_gym.phone.errors import ProviderError
from mobile_gym.phone.phone import Phone
from tests.support.driver import Driver, faults

PACKAGE = "com.mobench.oakridge"
URI = f"content://{PACKAGE}/"
HOUR = 3_600_000


def start(snapshot: str = "lived_in", language: str = "en", profile: str = "pixel_6a") -> Driver:
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


def search(driver: Driver, query: str) -> None:
    driver.tap_id("search_box")
    driver.type(query)
    driver.key("ENTER")


def titles(driver: Driver) -> list[str]:
    return [node.text for node in driver.nodes() if node.id == "title"]


def undo(driver: Driver) -> None:
    window = next(window for window in driver.phone.windows.windows if window.name == "snackbar")
    driver.tap_node(next(node for node in window.root.walk() if node.id == "snackbar_action"))


def advance(driver: Driver, hours: int) -> None:
    driver.phone.advance(hours * HOUR)
    driver.phone.settle()


# ---- amounts and the catalogue


@pytest.mark.parametrize(("amount", "text"), [(0, "$0.00"), (5, "$0.05"), (129900, "$1,299.00"), (-499, "-$4.99")])
def test_amounts(amount: int, text: str) -> None:
    assert money(amount) == text
    assert cents(text.lstrip("-$").replace(",", "")) == abs(amount)


@pytest.mark.parametrize("text", ["", "abc", "12.345", "-3", "1e5"])
def test_what_is_no_amount(text: str) -> None:
    assert cents(text) is None


def test_the_catalogue_is_whole(driver: Driver) -> None:
    products, variants = rows(driver, "products"), rows(driver, "variants")
    assert len(products) == 96
    departments = {entry["key"]: {aisle["key"] for aisle in entry["aisles"]} for entry in store.departments()}
    for product in products:
        own = [variant for variant in variants if variant["product_id"] == product["_id"]]
        assert product["aisle"] in departments[product["department"]]
        assert product["price_cents"] == min(variant["price_cents"] for variant in own)
        assert product["stock"] == sum(variant["stock"] for variant in own)
        assert product["price_cents"] <= product["list_cents"]
        assert all(len(store.options(variant)) == len(store.axes(product)) for variant in own)
    assert {product["aisle"] for product in products} == set().union(*departments.values())


def test_equal_snapshots_have_equal_states() -> None:
    assert start().phone.digest() == start().phone.digest()


def test_clean_has_an_account_and_no_history() -> None:
    driver = start("clean")
    assert [row["is_default"] for row in rows(driver, "addresses")] == [1, 0, 0]
    for table in ("cart", "orders", "lists", "view_history", "search_history", "returns", "cart_promo"):
        assert rows(driver, table) == [], table


def test_seeded_orders_are_where_time_has_brought_them(driver: Driver) -> None:
    now = driver.phone.state.clock.now_ms
    assert [row["status"] for row in rows(driver, "orders")[-3:]] == ["delivered", "shipped", "placed"]
    for row in rows(driver, "orders"):
        if row["status"] == "delivered":
            assert row["delivered_at"] <= now
        elif row["status"] == "shipped":
            assert row["shipped_at"] <= now < row["delivered_at"]
        assert row["total_cents"] == (
            row["goods_cents"] + row["delivery_cents"] + row["wrap_cents"] - row["discount_cents"] + row["tax_cents"]
        )


# ---- finding


def test_a_search_is_remembered_and_sorted(driver: Driver) -> None:
    search(driver, "lamps")
    assert (session(driver)["query"], session(driver)["results"], session(driver)["sort"]) == ("lamps", 5, "featured")
    assert rows(driver, "search_history", sort="at DESC")[0]["query"] == "lamps"
    for key, first in (
        ("price_low", "Bedside touch lamp"),
        ("price_high", "Tripod floor lamp"),
        ("rating", "Outdoor string lights, 48 ft"),
        ("newest", "Smart LED bulbs, pack of 4"),
        ("best", "Smart LED bulbs, pack of 4"),
    ):
        driver.tap_id("sort_button")
        driver.tap_id(f"sort_{key}")
        assert session(driver)["sort"] == key
        assert titles(driver)[0] == first


def test_the_way_through_a_department(driver: Driver) -> None:
    driver.tap_id("tab_departments")
    driver.tap_id("department_garden")
    driver.tap_id("aisle_outdoor")
    state = session(driver)
    assert (state["screen"], state["department"], state["aisle"], state["results"]) == (
        "results", "garden", "outdoor", 4,
    )  # fmt: skip
    driver.back()
    assert session(driver)["department"] == "", "no list is in force on the department's page"
    driver.back()
    driver.back()
    assert session(driver)["screen"] == "home"


def test_the_filter_sheet_sets_price_rating_brand_and_more(driver: Driver) -> None:
    go(driver, "results", department="electronics")
    driver.tap_id("filter_button")
    driver.tap_text("$25 to $50")
    driver.tap_id("group_rating")
    driver.tap_id("rating_45")
    driver.tap_id("group_brand")
    driver.tap_text("Voltgo")
    driver.tap_text("Keyline")
    driver.tap_id("group_more")
    driver.tap_id("filter_express")
    assert session(driver)["filters"] == "", "nothing is in force before the results are shown"
    driver.tap_text("Show 2 results")
    state = session(driver)
    assert state["filters"] == "brand:Keyline,brand:Voltgo,express,rating:45"
    assert (state["price_min"], state["price_max"], state["results"]) == (2500, 5000, 2)
    driver.tap_text("Keyline")
    assert session(driver)["filters"] == "brand:Voltgo,express,rating:45", "a chip takes its filter away"
    driver.tap_id("filter_button")
    driver.tap_id("filter_clear")
    driver.tap_id("filter_apply")
    assert (session(driver)["filters"], session(driver)["price_min"]) == ("", None)


def test_prices_can_be_typed_in_either_order(driver: Driver) -> None:
    go(driver, "results", department="pets")
    driver.tap_id("filter_button")
    driver.tap_id("price_min")
    driver.type("60")
    driver.tap_id("price_max")
    driver.type("20")
    driver.tap_id("filter_apply")
    assert (session(driver)["price_min"], session(driver)["price_max"]) == (2000, 6000)


def test_a_list_that_filters_leave_empty(driver: Driver) -> None:
    go(driver, "results", query="tumbler", filters="rating:49")
    assert driver.has("No products match")
    driver.tap_id("results_clear")
    assert session(driver)["results"] == 1


def test_a_product_tells_which_list_it_was_opened_from(driver: Driver) -> None:
    go(driver, "results", department="decor", aisle="lamps", sort="price_low", filters="express")
    driver.tap_id("product_row")
    row = one(driver, "view_history", "product_id = 404")
    assert (row["department"], row["aisle"], row["sort"], row["filters"]) == ("decor", "lamps", "price_low", "express")
    assert session(driver)["opened_product"] == 404
    driver.back()
    assert (session(driver)["opened_product"], session(driver)["sort"]) == (None, "price_low")


def test_the_history_of_searches_can_be_cleared(driver: Driver) -> None:
    driver.tap_id("search_box")
    driver.tap_id("history_remove")
    assert len(rows(driver, "search_history")) == 2
    driver.tap_id("history_clear")
    driver.tap_text("Clear")
    assert rows(driver, "search_history") == []


def test_suggestions_lead_to_results(driver: Driver) -> None:
    driver.tap_id("search_box")
    driver.type("tum")
    driver.tap_text("insulated travel tumbler")
    assert session(driver)["query"] == "insulated travel tumbler"


# ---- a product


def test_variants_are_chosen_by_drop_downs(driver: Driver) -> None:
    go(driver, "detail", product=111)
    driver.tap_id("option_color")
    driver.tap_text("Rose")
    driver.tap_id("option_size")
    driver.tap_text("24 oz")
    assert driver.by_id("price").text == "$23.99"
    driver.tap_id("quantity")
    driver.tap_id("quantity_3")
    driver.tap_id("add_to_cart")
    assert driver.has("Added to cart")
    assert one(driver, "cart", "variant_id = 11104")["quantity"] == 3
    driver.tap_id("added_cart")
    assert driver.by_id("toolbar_title").text == "Your cart"


def test_what_is_sold_out_cannot_be_bought(driver: Driver) -> None:
    go(driver, "detail", product=302)
    driver.tap_id("option_color")
    driver.tap_text("Rust")
    assert driver.by_id("stock").text == "Out of stock"
    driver.tap_id("add_to_cart")
    assert not rows(driver, "cart", "variant_id = 30203")


def test_reviews_by_stars(driver: Driver) -> None:
    go(driver, "detail", product=401)
    driver.tap_id("rating")
    whole = rows(driver, "reviews", "product_id = 401")
    assert driver.by_id("rating").text == "4.6 (1,930)"
    driver.tap_id("stars_5")
    shown = [node.text for node in driver.nodes() if node.id == "review_title"]
    assert len(shown) == len([row for row in whole if row["stars"] == 5]) == 1
    driver.tap_id("stars_5")
    assert len([node for node in driver.nodes() if node.id == "review_title"]) > 1
    driver.tap_id("stars_3")
    assert driver.has("No reviews with these stars")


def test_lists(driver: Driver) -> None:
    go(driver, "detail", product=406)
    driver.tap_id("add_to_list")
    driver.tap_text("Garden plans")
    assert rows(driver, "list_items", "list_id = 2 AND product_id = 406")
    driver.tap_id("add_to_list")
    driver.tap_id("list_new")
    driver.type("Living room")
    driver.tap_text("Create")
    key = one(driver, "lists", "name = 'Living room'")["_id"]
    assert [row["product_id"] for row in rows(driver, "list_items", f"list_id = {key}")] == [406]
    go(driver, "list", list=key)
    driver.tap_id("list_remove")
    assert rows(driver, "list_items", f"list_id = {key}") == []
    undo(driver)
    assert rows(driver, "list_items", f"list_id = {key}")
    driver.tap_id("list_menu")
    driver.tap_id("list_rename")
    driver.phone.text_input.select_all()
    driver.type("Den")
    driver.tap_text("Save")
    assert one(driver, "lists", f"_id = {key}")["name"] == "Den"
    driver.tap_id("list_menu")
    driver.tap_id("list_delete")
    driver.tap_text("Delete")
    assert rows(driver, "lists", f"_id = {key}") == rows(driver, "list_items", f"list_id = {key}") == []


def test_links_open_products(driver: Driver) -> None:
    go(driver, "detail", product=601)
    driver.scroll_to_id("share")
    driver.tap_id("share")
    assert driver.phone.state.interface["clipboard"].endswith("mobench-oakridge://product/601")
    driver.phone.press_home()
    driver.phone.activities.start(Intent(action="android.intent.action.VIEW", data="mobench-oakridge://product/503"))
    driver.phone.settle()
    assert driver.has("Portable speaker")


# ---- the cart


def test_lines_are_changed_saved_deleted_and_brought_back(driver: Driver) -> None:
    driver.tap_id("tab_cart")
    driver.tap_id("line_quantity", index=1)
    driver.tap_id("quantity_4")
    assert one(driver, "cart", "variant_id = 70201")["quantity"] == 4
    driver.tap_id("line_save")
    assert one(driver, "cart", "variant_id = 11001")["saved"] == 1
    driver.tap_id("line_delete")
    assert not rows(driver, "cart", "variant_id = 70201")
    undo(driver)
    assert one(driver, "cart", "variant_id = 70201")["quantity"] == 4
    driver.scroll_to_id("saved_move")
    driver.tap_id("saved_move")
    assert one(driver, "cart", "variant_id = 11001")["saved"] == 0


def test_a_promo_code_and_why_others_are_refused(driver: Driver) -> None:
    driver.tap_id("tab_cart")
    for code, why in (
        ("NOPE", "We don't know this code"),
        ("winter20", "This code has expired"),
        ("GARDEN15", "Only good for Garden & patio"),
    ):
        driver.scroll_to_id("promo_apply")
        driver.replace_text("promo_field", code)
        driver.key("ENTER")
        assert driver.by_id("promo_error").text == why
        assert rows(driver, "cart_promo") == []
    driver.replace_text("promo_field", "welcome10")
    driver.tap_id("promo_apply")
    assert one(driver, "cart_promo")["code"] == "WELCOME10"
    driver.tap_id("promo_remove")
    assert rows(driver, "cart_promo") == []


def test_a_button_that_has_nothing_to_act_on_says_so(driver: Driver) -> None:
    driver.tap_id("tab_cart")
    driver.scroll_to_id("promo_apply")
    driver.tap_id("promo_apply")
    assert driver.by_id("promo_error").text == "Enter a promo code first"
    assert rows(driver, "cart_promo") == []
    driver.tap_id("tab_home")
    driver.tap_id("search_box")
    driver.tap_id("search_go")
    assert driver.phone.state.interface["toast"]["text"] == "Type what you're looking for"
    driver.type("lamp")
    driver.tap_id("search_go")
    assert session(driver)["query"] == "lamp", "the field has the focus again"


def test_filters_can_be_cleared_once_there_are_any(driver: Driver) -> None:
    go(driver, "results", department="pets")
    driver.tap_id("filter_button")
    assert not driver.by_id("filter_clear").enabled
    driver.tap_id("group_rating")
    driver.tap_id("rating_45")
    assert driver.by_id("filter_clear").enabled
    driver.tap_id("filter_clear")
    assert not driver.by_id("filter_clear").enabled


def test_a_promo_needs_its_sum(driver: Driver) -> None:
    lines = store.cart_lines(driver.phone)
    found = ordering.promo(driver.phone, "TENOFF")
    assert ordering.refusal(driver.phone, lines, found) == ""
    assert ordering.refusal(driver.phone, lines[:1], found) == "promo_min"


def test_totals() -> None:
    line = {"price_cents": 2000, "quantity": 1, "department": "pets", "express": 1}
    assert ordering.total([line]).total == 2599
    assert ordering.total([{**line, "quantity": 2}]).total == 4000
    assert ordering.total([line], "express", True).total == 2000 + 999 + 499
    percent = {"kind": "percent", "value": 10, "department": ""}
    assert ordering.total([{**line, "quantity": 5}], promo=percent, state="WA").tax == 844
    free = {"kind": "delivery", "value": 0, "department": ""}
    assert ordering.total([line], "express", promo=free).total == 2000
    other = {"kind": "amount", "value": 500, "department": "garden"}
    assert ordering.total([line], promo=other).discount == 0


# ---- checkout and orders


def test_an_order_from_the_cart(driver: Driver) -> None:
    stock = one(driver, "variants", "_id = 70201")["stock"]
    ordering.set_cart_promo(driver.phone, "WELCOME10")
    driver.tap_id("tab_cart")
    driver.tap_id("cart_checkout")
    driver.tap_text("Jason Zhou")
    driver.tap_id("gift_toggle")
    driver.scroll_to_id("gift_message")
    driver.tap_id("gift_message")
    driver.type("Enjoy!")
    driver.back()
    driver.tap_id("checkout_continue")
    driver.tap_id("pay_card", index=1)
    driver.tap_id("checkout_continue")
    assert driver.has("-$8.49")
    driver.tap_id("place_order")
    order = rows(driver, "orders")[-1]
    assert (order["address_id"], order["card_id"], order["promo"], order["gift"], order["gift_message"]) == (
        2, 2, "WELCOME10", 1, "Enjoy!",
    )  # fmt: skip
    assert order["total_cents"] == 8497 - 849 + 499 + order["tax_cents"]
    assert order["tax_cents"] == round((8497 - 849) * 0.0938)
    assert {row["variant_id"] for row in rows(driver, "order_items", f"order_id = {order['_id']}")} == {11001, 70201}
    assert one(driver, "variants", "_id = 70201")["stock"] == stock - 2
    assert rows(driver, "cart", "saved = 0") == rows(driver, "cart_promo") == []
    assert one(driver, "promos", "code = 'WELCOME10'")["used"] == 1
    driver.back()
    assert session(driver)["screen"] in ("home", "main", "cart")


def test_buy_now_leaves_the_cart_alone_and_ships_to_an_address_given_once(driver: Driver) -> None:
    before = rows(driver, "cart")
    go(driver, "detail", product=503)
    driver.tap_id("buy_now")
    driver.tap_id("checkout_address_once")
    for name, text in (("name", "Ann Lee"), ("line1", "9 Pine Road"), ("city", "Boston")):
        driver.tap_id(f"address_{name}")
        driver.type(text)
        driver.back()
    driver.tap_id("address_state")
    driver.tap_text("Massachusetts (MA)")
    driver.tap_id("address_zip")
    driver.type("0210")
    driver.back()
    driver.tap_id("address_save")
    assert driver.has("Enter a ZIP code of 5 digits")
    driver.replace_text("address_zip", "02108")
    driver.back()
    driver.tap_id("address_save")
    driver.tap_id("speed_express")
    driver.tap_id("checkout_continue")
    driver.tap_id("checkout_continue")
    driver.tap_id("place_order")
    order = rows(driver, "orders")[-1]
    assert (order["name"], order["address"], order["address_id"]) == ("Ann Lee", "9 Pine Road, Boston, MA 02108", None)
    assert (order["speed"], order["delivery_cents"]) == ("express", 999)
    assert rows(driver, "cart") == before
    assert len(rows(driver, "addresses")) == 3


def test_express_is_not_for_everything_and_credit_must_suffice(driver: Driver) -> None:
    go(driver, "checkout", lines=[{"variant": 60701, "quantity": 1}, {"variant": 60401, "quantity": 1}])
    driver.tap_id("speed_express")
    assert driver.has("Not available for all items")
    driver.tap_id("checkout_continue")
    driver.tap_id("pay_credit")
    assert driver.has("Balance $25.00, not enough for this order")
    driver.back()
    assert driver.has("Delivery speed"), "Back leads to the step before"


def test_an_order_is_paid_by_credit(driver: Driver) -> None:
    go(driver, "checkout", lines=[{"variant": 51101, "quantity": 1}])
    driver.tap_id("checkout_continue")
    driver.tap_id("pay_credit")
    driver.tap_id("checkout_continue")
    driver.tap_id("place_order")
    assert rows(driver, "orders")[-1]["payment"] == "credit"
    assert store.credit(driver.phone) == 2500 - 1299 - 599


def test_orders_move_on_as_time_passes(driver: Driver) -> None:
    advance(driver, 18)
    order = one(driver, "orders", "_id = 10")
    assert order["status"] == "shipped"
    assert order["tracking"].startswith("OKR")
    assert any(note["title"] == "Your order has shipped" for note in driver.phone.notifier.posted)
    advance(driver, 73)
    assert one(driver, "orders", "_id = 10")["status"] == "delivered"


def test_cancelling_gives_all_back(driver: Driver) -> None:
    stock = one(driver, "variants", "_id = 60201")["stock"]
    go(driver, "order", order=10)
    driver.tap_id("order_cancel")
    driver.tap_id("cancel_cheaper")
    order = one(driver, "orders", "_id = 10")
    assert (order["status"], order["cancel_reason"]) == ("cancelled", "cheaper")
    assert one(driver, "variants", "_id = 60201")["stock"] == stock + 1


def test_a_return_in_two_steps(driver: Driver) -> None:
    go(driver, "order", order=6)
    driver.tap_id("return_start")
    driver.tap_id("return_continue")
    assert driver.has("Why are you returning it?"), "a reason is needed"
    driver.tap_id("reason_damaged")
    driver.tap_id("return_continue")
    driver.tap_id("outcome_credit")
    driver.tap_id("dropoff_pickup")
    driver.tap_id("return_send")
    row = one(driver, "returns", "item_id = 8")
    assert (row["reason"], row["outcome"], row["dropoff"], row["state"]) == ("damaged", "credit", "pickup", "open")
    driver.tap_id("return_sent")
    advance(driver, 49)
    assert one(driver, "returns", "item_id = 8")["state"] == "closed"
    assert store.credit(driver.phone) == 2500 + 7999


def test_old_and_returned_things_stay(driver: Driver) -> None:
    go(driver, "order", order=1)
    assert not any(node.id == "return_start" for node in driver.nodes()), "too long ago"
    go(driver, "order", order=4)
    assert any(node.id == "return_see" for node in driver.nodes())


def test_bought_again_archived_and_reviewed(driver: Driver) -> None:
    driver.tap_id("tab_account")
    driver.tap_id("account_again")
    driver.tap_id("again_add", index=1)
    assert one(driver, "cart", "variant_id = 20602")["quantity"] == 1
    go(driver, "order", order=8)
    driver.tap_id("order_archive")
    assert one(driver, "orders", "_id = 8")["archived"] == 1
    driver.tap_id("write_review")
    driver.tap_id("review_send")
    assert not rows(driver, "reviews", "own = 1"), "stars are needed"
    driver.tap_id("star_4")
    driver.tap_id("review_title")
    driver.type("Good food")
    driver.back()
    driver.tap_id("review_send")
    row = one(driver, "reviews", "own = 1")
    assert (row["stars"], row["title"], row["product_id"]) == (4, "Good food", 902)
    go(driver, "orders")
    driver.tap_id("orders_archived")
    assert len([node for node in driver.nodes() if node.id == "order_card"]) == 1


def test_orders_are_searched(driver: Driver) -> None:
    go(driver, "orders")
    driver.tap_id("order_query")
    driver.type("dog food")
    assert len([node for node in driver.nodes() if node.id == "order_card"]) == 2


# ---- the account


def test_addresses_and_cards(driver: Driver) -> None:
    go(driver, "addresses")
    driver.tap_id("address_set_default")
    assert [row["is_default"] for row in rows(driver, "addresses")] == [0, 1, 0]
    driver.tap_id("address_remove")
    driver.tap_text("Remove", index=-1)
    assert [row["is_default"] for row in rows(driver, "addresses")] == [1, 0], "one is always the default"
    go(driver, "card_edit")
    for name, text in (("number", "4012888888881881"), ("holder", "Fay Fang"), ("expires", "01/20")):
        driver.tap_id(f"card_{name}")
        driver.type(text)
        driver.back()
    driver.tap_id("card_save")
    assert driver.has("This card has expired")
    driver.replace_text("card_expires", "11/29")
    driver.back()
    driver.tap_id("card_save")
    row = rows(driver, "cards")[-1]
    assert (row["network"], row["last4"], row["expires"], row["is_default"]) == ("Visa", "1881", "11/29", 0)


def test_settings(driver: Driver) -> None:
    go(driver, "settings")
    driver.tap_id("notify_deals")
    assert one(driver, "settings", "name = 'notify_deals'")["value"] == "1"
    before = driver.by_id("title").h
    driver.tap_id("large_text")
    assert driver.by_id("title").h > before
    driver.tap_id("viewed_clear")
    driver.tap_text("Clear")
    assert rows(driver, "view_history") == []


def test_an_offer_goes_into_the_cart(driver: Driver) -> None:
    go(driver, "offers")
    driver.tap_text("Use in cart", index=1)
    assert one(driver, "cart_promo")["code"] == "TENOFF"


# ---- the provider


def test_the_provider_keeps_things_whole(driver: Driver) -> None:
    phone = driver.phone
    key = int(
        phone.providers.insert(URI + "products", {"name": "Yo-yo", "department": "toys", "price_cents": 500})[-3:]
    )
    phone.providers.insert(URI + "variants", {"product_id": key, "stock": 3})
    assert one(driver, "products", f"_id = {key}")["stock"] == 3
    search(driver, "yo-yo")
    driver.tap_id("row_add")
    assert one(driver, "cart", f"product_id = {key}")["quantity"] == 1
    phone.providers.delete(URI + "products", f"_id = {key}")
    assert not rows(driver, "cart", f"product_id = {key}")
    order = int(phone.providers.insert(URI + "orders", {"status": "delivered"}).rpartition("/")[2])
    phone.providers.insert(URI + "order_items", {"order_id": order, "variant_id": 51101, "quantity": 2})
    row = one(driver, "orders", f"_id = {order}")
    assert (row["total_cents"], row["name"]) == (2598, "Fay Fang")
    assert row["shipped_at"] < row["delivered_at"]
    with pytest.raises(ProviderError, match="no variant"):
        phone.providers.insert(URI + "cart", {"product_id": 101, "variant_id": 11101})
    with pytest.raises(ProviderError, match="must not be empty"):
        phone.providers.insert(URI + "products", {"name": "", "department": "toys", "price_cents": 1})


# ---- every screen and overlay

LINES = [{"variant": 11101, "quantity": 2}, {"variant": 40101, "quantity": 1}]
SCREENS: tuple[tuple[str, dict[str, object]], ...] = (
    *(("main", {"tab": tab}) for tab in ("home", "departments", "cart", "account")),
    ("search", {}), ("search", {"text": "lamp"}), ("results", {"query": "lamp"}), ("results", {"query": "qqqq"}),
    ("results", {"department": "kitchen", "aisle": "coffee", "filters": "express,brand:Volta", "price_max": "60"}),
    ("department", {"department": "decor"}), ("department", {}), ("deals", {}), ("detail", {"product": 111}),
    ("detail", {"product": 302}), ("detail", {}), ("reviews", {"product": 401}), ("reviews", {}),
    ("checkout", {"lines": LINES}), ("checkout", {"from_cart": True}), ("placed", {"order": 10}), ("placed", {}),
    ("orders", {}), ("orders", {"tab": "again"}), ("orders", {"tab": "returns"}), ("order", {"order": 10}),
    ("order", {"order": 3}), ("order", {"order": 5}), ("order", {}), ("tracking", {"order": 9}), ("tracking", {}),
    ("write_review", {"item": 9}), ("write_review", {}), ("return_start", {"item": 9}), ("return_start", {}),
    ("return", {"request": 1}), ("return", {}), ("lists", {}), ("list", {}), ("list", {"list": 99}), ("addresses", {}),
    ("address_edit", {}), ("address_edit", {"address": 1}), ("address_edit", {"once": True}), ("payment", {}),
    ("card_edit", {}), ("offers", {}), ("settings", {}),
)  # fmt: skip
OVERLAYS: tuple[tuple[str, dict[str, object], str, dict[str, object]], ...] = (
    ("results", {"query": "lamp"}, "filter", {}),
    ("results", {"query": "lamp"}, "sort", {}),
    ("detail", {"product": 111}, "option", {"axis": 1}),
    ("detail", {"product": 111}, "quantity", {}),
    ("detail", {"product": 111}, "added", {"variant": 11101, "quantity": 1}),
    ("detail", {"product": 111}, "add_to_list", {"product": 111}),
    ("detail", {"product": 111}, "new_list", {"product": 111}),
    ("main", {"tab": "cart"}, "line", {"line": 1}),
    ("search", {}, "clear_history", {}),
    ("order", {"order": 10}, "cancel_order", {"order": 10}),
    ("return", {"request": 1}, "cancel_return", {"request": 1}),
    ("list", {}, "list_menu", {}),
    ("list", {}, "rename_list", {}),
    ("list", {}, "delete_list", {}),
    ("addresses", {}, "remove_address", {"address": 2}),
    ("address_edit", {}, "state", {}),
    ("payment", {}, "remove_card", {"card": 2}),
    ("settings", {}, "first_name", {}),
    ("settings", {}, "clear_viewed", {}),
)


def large(phone: Phone) -> None:
    phone.put_setting("system", "font_scale", "1.3")


def dark(phone: Phone) -> None:
    phone.put_setting("secure", "ui_night_mode", "2")


@pytest.mark.parametrize(
    ("language", "profile", "change"),
    [("en", "pixel_6a", lambda phone: None), ("zh", "pixel_6a", dark), ("zh", "small", large), ("en", "small", large)],
)
def test_every_screen_and_overlay(language: str, profile: str, change: Callable[[Phone], None]) -> None:
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
        driver.phone.text_input.focus(None)
        opened.add(screen)
        look(screen)
        for _ in range(2):
            if not driver.scroll():
                break
            look(f"{screen} further down")
    for step in range(3):
        go(driver, "checkout", lines=LINES)
        for _ in range(step):
            driver.tap_id("checkout_continue")
        look(f"checkout, step {step}")
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
