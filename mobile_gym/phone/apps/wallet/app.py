"""The wallet app."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mobile_gym.phone.apps.wallet import (
    benefits,
    bills,
    cards,
    cashier,
    codes,
    elder,
    finding,
    fund,
    inbox,
    ledger,
    life,
    me,
    money,
    paying,
    qr,
    received,
    scan,
    seeding,
    store,
    topup,
    transfer,
    utilities,
)
from mobile_gym.phone.apps.wallet.main import Main
from mobile_gym.phone.apps.wallet.palette import PALETTE
from mobile_gym.phone.system.app import App, LauncherIcon, Target
from mobile_gym.phone.system.providers import Provider, Table, TableProvider, Values

if TYPE_CHECKING:
    from mobile_gym.phone.phone import Phone

_PAGES = {
    "paycode": "paycode",
    "collect": "collect",
    "scan": "scan",
    "topup": "topup",
    "utilities": "utilities",
    "bills": "bills",
    "cards": "cards",
    "fund": "fund",
    "transfer": "transfer",
    "balance": "balance",
    "settings": "settings",
}
"""Host of a link -> the screen that it opens."""


def _changed(phone: Phone) -> None:
    ledger.announce(phone)
    ledger.keep_income_planned(phone)


def _now(phone: Phone, values: Values) -> int:
    return phone.state.clock.now_ms


def _operator(phone: Phone, values: Values) -> str:
    return store.operator_of(str(values.get("phone", "")), phone.language)


def _topup_title(phone: Phone, values: Values) -> str:
    return ledger.tr(phone, "title_topup", operator=_operator(phone, values))


def _bank(phone: Phone, values: Values) -> str:
    return store.bank_of(str(values.get("number", "")), phone.language)


def _utility_title(phone: Phone, values: Values) -> str:
    row = store.database(phone).row("SELECT * FROM utility_accounts WHERE _id = ?", values.get("account_id"))
    return ledger.tr(phone, "service_utilities") if row is None else str(ledger.utility_order(phone, row, 0)["title"])


def _same_amount(phone: Phone, values: Values) -> Any:
    return values.get("amount_cents")


_VIEWS = {"cash_transfers": "view_cash_transfers"}
"""Tables that are read with more beside their numbers."""


class WalletApp(App):
    """A wallet: paying, collecting, transfers, bills, cards, services of daily life."""

    package = store.PACKAGE
    module = store.MODULE
    icon = LauncherIcon("wallet", ("#3D91FF", "#0F5FE0"))
    palette = PALETTE
    system = False
    version_name = "10.6.8"
    version_code = 1068
    screens = (
        Main,
        finding.Search,
        finding.Services,
        qr.PayCode,
        qr.Collect,
        scan.Scan,
        scan.Album,
        transfer.Transfer,
        transfer.TransferTo,
        transfer.TransferAmount,
        transfer.TransferCard,
        cashier.Cashier,
        cashier.Pin,
        cashier.Result,
        topup.TopUp,
        topup.PickContact,
        utilities.Utilities,
        utilities.UtilityPage,
        utilities.UtilityAdd,
        money.Balance,
        money.Recharge,
        money.Withdraw,
        fund.Fund,
        fund.FundIn,
        fund.FundOut,
        cards.Cards,
        cards.Card,
        cards.AddCard,
        bills.Bills,
        bills.Bill,
        bills.Stats,
        received.Received,
        life.Bus,
        life.Parcels,
        life.Parcel,
        life.Medical,
        benefits.Coupons,
        benefits.Points,
        inbox.Notices,
        elder.Elder,
        me.Profile,
        me.Settings,
        paying.PaySettings,
        paying.ChangePin,
        paying.PayOrder,
        me.NotifySettings,
        me.Privacy,
        me.Security,
        me.Devices,
        me.About,
    )
    databases = {"wallet.db": "schema.sql"}
    permissions = {
        "android.permission.POST_NOTIFICATIONS": True,
        "android.permission.READ_CONTACTS": True,
        "android.permission.CAMERA": False,
        "android.permission.READ_MEDIA_IMAGES": True,
    }
    sizes_mb = (168.0, 42.5, 18.3)

    def providers(self) -> Sequence[Provider]:
        """Every table of the wallet; see `schema.sql` for the columns."""

        def table(name: str, sort: str = "_id", **defaults: Any) -> Table:
            return Table(
                store.DATABASE,
                _VIEWS.get(name, name),
                name,
                defaults=defaults,
                sort=sort,
                on_change=_changed,
            )

        tables = {
            "accounts": table("accounts"),
            "cards": table("cards", bank=_bank, date=_now),
            "pay_methods": table("pay_methods", "position"),
            "bills": table("bills", "date DESC, _id DESC", date=_now),
            "transfers": table("transfers", "date DESC, _id DESC", date=_now),
            "payees": table("payees", "last_used DESC, _id DESC", last_used=_now),
            "cash_transfers": table("cash_transfers", date=_now),
            "fund_records": table("fund_records", date=_now),
            "topups": table("topups", date=_now, operator=_operator, paid_cents=_same_amount, title=_topup_title),
            "utility_accounts": table("utility_accounts"),
            "utility_payments": table("utility_payments", date=_now, paid_cents=_same_amount, title=_utility_title),
            "coupons": table("coupons"),
            "messages": table("messages", "date DESC, _id DESC", date=_now),
            "settings": table("settings"),
            "services": table("services", "position, _id"),
            "parcels": table("parcels"),
            "parcel_steps": table("parcel_steps", date=_now),
            "insurance": table("insurance"),
            "devices": table("devices", date=_now),
        }
        return (TableProvider(self.package, tables),)

    def seed(self, phone: Phone, snapshot: str, language: str) -> None:
        """The account; for `lived_in` two months of its use."""
        seeding.seed(phone, snapshot, language)

    def on_data_cleared(self, phone: Phone) -> None:
        """The wallet is as after signing up."""
        seeding.set_up_account(phone, phone.language)

    def on_time_changed(self, phone: Phone) -> None:
        """The fund pays in the next night; nothing is made up for."""
        ledger.plan_income(phone)

    def next_wakeup(self, phone: Phone) -> int | None:
        """When the fund pays or a bill is paid automatically."""
        return ledger.next_due(phone)

    def on_wakeup(self, phone: Phone) -> None:
        """Pays what is due."""
        ledger.run_due(phone)

    def resolve(
        self, action: str | None, data: str | None, mime: str | None, extras: Mapping[str, Any]
    ) -> Target | None:
        """`mobench-wallet://pay?to=…&amount=…&note=…`, and links to pages such as `mobench-wallet://bills`."""
        link = codes.parse_link(data) if action == "android.intent.action.VIEW" and data is not None else None
        if link is None:
            return None
        host, values = link
        if host == "pay" and values.get("to"):
            wanted: dict[str, Any] = {key: values[key] for key in codes.PAY_VALUES if key in values}
            return Target("transfer_amount", wanted, ("main",))
        if host in _PAGES:
            return Target(_PAGES[host], values, ("main",))
        return Target("main", {})
