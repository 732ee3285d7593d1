-- All amounts are integer cents. `date` columns are milliseconds since the epoch.

-- One row. The balance is `opening_cents` plus the sum of `balance_change_cents` of all bills, and the fund likewise:
-- triggers keep both so, whatever is written.
CREATE TABLE accounts (
    _id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    real_name TEXT NOT NULL DEFAULT '',
    phone TEXT NOT NULL,
    balance_cents INTEGER NOT NULL DEFAULT 0,
    opening_cents INTEGER NOT NULL DEFAULT 0,
    fund_cents INTEGER NOT NULL DEFAULT 0,
    fund_opening_cents INTEGER NOT NULL DEFAULT 0,
    points INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE cards (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    bank TEXT NOT NULL,
    kind TEXT NOT NULL DEFAULT 'debit' CHECK (kind IN ('debit', 'credit')),
    number TEXT NOT NULL UNIQUE,
    tail TEXT GENERATED ALWAYS AS (substr(number, -4)) VIRTUAL,
    phone TEXT NOT NULL DEFAULT '',
    is_default INTEGER NOT NULL DEFAULT 0,
    balance_cents INTEGER NOT NULL DEFAULT 500000,
    date INTEGER NOT NULL DEFAULT 0
);

-- The order in which ways to pay are tried.
CREATE TABLE pay_methods (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    method TEXT NOT NULL CHECK (method IN ('balance', 'fund', 'card')),
    card_id INTEGER UNIQUE,
    position INTEGER NOT NULL
);
INSERT INTO pay_methods (method, position) VALUES ('balance', 1), ('fund', 2);

CREATE TABLE bills (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    date INTEGER NOT NULL,
    -- `move` is between the user's own accounts.
    direction TEXT NOT NULL DEFAULT 'out' CHECK (direction IN ('out', 'in', 'move')),
    amount_cents INTEGER NOT NULL CHECK (typeof(amount_cents) = 'integer' AND amount_cents >= 0),
    title TEXT NOT NULL,
    category TEXT NOT NULL DEFAULT 'shopping',   -- see catalogue.yaml
    method TEXT NOT NULL DEFAULT 'balance' CHECK (method IN ('balance', 'fund', 'card')),
    card_id INTEGER,
    note TEXT NOT NULL DEFAULT '',
    order_no TEXT,
    balance_change_cents INTEGER,                -- by direction and method where left out
    fund_change_cents INTEGER,
    card_change_cents INTEGER
);
CREATE INDEX bills_by_date ON bills (date);

CREATE TABLE transfers (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    date INTEGER NOT NULL,
    direction TEXT NOT NULL DEFAULT 'out' CHECK (direction IN ('out', 'in')),
    kind TEXT NOT NULL DEFAULT 'wallet' CHECK (kind IN ('wallet', 'card')),
    name TEXT NOT NULL DEFAULT '',
    account TEXT NOT NULL DEFAULT '',            -- phone number or card number
    bank TEXT NOT NULL DEFAULT '',
    amount_cents INTEGER NOT NULL CHECK (typeof(amount_cents) = 'integer' AND amount_cents >= 0),
    note TEXT NOT NULL DEFAULT '',
    method TEXT NOT NULL DEFAULT 'balance' CHECK (method IN ('balance', 'fund', 'card')),
    card_id INTEGER,
    bill_id INTEGER,
    announced INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE payees (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL DEFAULT 'wallet' CHECK (kind IN ('wallet', 'card')),
    name TEXT NOT NULL,
    account TEXT NOT NULL,
    bank TEXT NOT NULL DEFAULT '',
    last_used INTEGER NOT NULL DEFAULT 0,
    UNIQUE (kind, account)
);

CREATE TABLE cash_transfers (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    date INTEGER NOT NULL,
    -- `recharge` is from card to balance, `withdraw` from balance to card.
    kind TEXT NOT NULL CHECK (kind IN ('recharge', 'withdraw')),
    amount_cents INTEGER NOT NULL CHECK (typeof(amount_cents) = 'integer' AND amount_cents >= 0),
    card_id INTEGER NOT NULL,
    title TEXT NOT NULL DEFAULT '',
    bill_id INTEGER
);

CREATE TABLE fund_records (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    date INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('in', 'out', 'income')),
    amount_cents INTEGER NOT NULL CHECK (typeof(amount_cents) = 'integer' AND amount_cents >= 0),
    method TEXT NOT NULL DEFAULT 'balance' CHECK (method IN ('balance', 'fund', 'card')),
    card_id INTEGER,
    title TEXT NOT NULL DEFAULT '',
    bill_id INTEGER
);

CREATE TABLE topups (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    date INTEGER NOT NULL,
    phone TEXT NOT NULL,
    operator TEXT NOT NULL DEFAULT '',
    amount_cents INTEGER NOT NULL CHECK (typeof(amount_cents) = 'integer' AND amount_cents >= 0),
    paid_cents INTEGER NOT NULL CHECK (typeof(paid_cents) = 'integer' AND paid_cents >= 0),
    coupon_id INTEGER,
    method TEXT NOT NULL DEFAULT 'balance' CHECK (method IN ('balance', 'fund', 'card')),
    card_id INTEGER,
    title TEXT NOT NULL DEFAULT '',
    bill_id INTEGER
);

CREATE TABLE utility_accounts (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL CHECK (kind IN ('electricity', 'water', 'gas', 'broadband')),
    company TEXT NOT NULL,
    number TEXT NOT NULL,
    holder TEXT NOT NULL DEFAULT '',
    address TEXT NOT NULL DEFAULT '',
    period TEXT NOT NULL DEFAULT '',             -- 2026-02
    arrears_cents INTEGER NOT NULL DEFAULT 0 CHECK (typeof(arrears_cents) = 'integer' AND arrears_cents >= 0),
    credit_cents INTEGER NOT NULL DEFAULT 0 CHECK (typeof(credit_cents) = 'integer' AND credit_cents >= 0),
    due_date INTEGER NOT NULL DEFAULT 0,
    auto_pay INTEGER NOT NULL DEFAULT 0,
    announced_cents INTEGER NOT NULL DEFAULT 0,  -- the arrears that a notice told of
    UNIQUE (kind, number)
);

CREATE TABLE utility_payments (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    date INTEGER NOT NULL,
    account_id INTEGER NOT NULL,
    amount_cents INTEGER NOT NULL CHECK (typeof(amount_cents) = 'integer' AND amount_cents >= 0),
    paid_cents INTEGER NOT NULL CHECK (typeof(paid_cents) = 'integer' AND paid_cents >= 0),
    coupon_id INTEGER,
    method TEXT NOT NULL DEFAULT 'balance' CHECK (method IN ('balance', 'fund', 'card')),
    card_id INTEGER,
    title TEXT NOT NULL DEFAULT '',
    bill_id INTEGER
);

CREATE TABLE coupons (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('topup', 'utility', 'pay')),
    amount_cents INTEGER NOT NULL CHECK (typeof(amount_cents) = 'integer' AND amount_cents >= 0),
    min_cents INTEGER NOT NULL DEFAULT 0 CHECK (typeof(min_cents) = 'integer' AND min_cents >= 0),
    expires INTEGER NOT NULL,
    used_date INTEGER
);

CREATE TABLE messages (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,                          -- payment, transfer, arrears, logistics, system
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    date INTEGER NOT NULL,
    read INTEGER NOT NULL DEFAULT 0,
    link TEXT NOT NULL DEFAULT ''                -- screen/_id, such as bill/12
);

CREATE TABLE settings (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    value TEXT NOT NULL
);

CREATE TABLE services (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    position INTEGER NOT NULL
);

CREATE TABLE parcels (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    company TEXT NOT NULL,
    number TEXT NOT NULL,
    title TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('moving', 'waiting', 'signed')),
    code TEXT NOT NULL DEFAULT '',
    place TEXT NOT NULL DEFAULT '',
    announced INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE parcel_steps (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    parcel_id INTEGER NOT NULL,
    date INTEGER NOT NULL,
    text TEXT NOT NULL
);

CREATE TABLE insurance (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    number TEXT NOT NULL,
    city TEXT NOT NULL,
    kind TEXT NOT NULL,
    hospital TEXT NOT NULL,
    balance_cents INTEGER NOT NULL
);

CREATE TABLE devices (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    place TEXT NOT NULL DEFAULT '',
    date INTEGER NOT NULL,
    current INTEGER NOT NULL DEFAULT 0
);

-- ---- money follows the bills

CREATE TRIGGER bill_added AFTER INSERT ON bills BEGIN
    UPDATE accounts SET
        balance_cents = balance_cents + COALESCE(NEW.balance_change_cents, 0),
        fund_cents = fund_cents + COALESCE(NEW.fund_change_cents, 0);
    UPDATE cards SET balance_cents = balance_cents + COALESCE(NEW.card_change_cents, 0) WHERE _id = NEW.card_id;
    UPDATE bills SET
        order_no = COALESCE(NEW.order_no, printf('%d%08d', NEW.date / 1000, NEW._id)),
        balance_change_cents = COALESCE(NEW.balance_change_cents, CASE WHEN NEW.method = 'balance' THEN
            CASE NEW.direction WHEN 'in' THEN NEW.amount_cents WHEN 'out' THEN -NEW.amount_cents ELSE 0 END ELSE 0 END),
        fund_change_cents = COALESCE(NEW.fund_change_cents, CASE WHEN NEW.method = 'fund' THEN
            CASE NEW.direction WHEN 'in' THEN NEW.amount_cents WHEN 'out' THEN -NEW.amount_cents ELSE 0 END ELSE 0 END),
        card_change_cents = COALESCE(NEW.card_change_cents, CASE WHEN NEW.method = 'card' THEN
            CASE NEW.direction WHEN 'in' THEN NEW.amount_cents WHEN 'out' THEN -NEW.amount_cents ELSE 0 END ELSE 0 END)
    WHERE _id = NEW._id;
END;

CREATE TRIGGER bill_changed AFTER UPDATE OF balance_change_cents, fund_change_cents, card_change_cents ON bills BEGIN
    UPDATE accounts SET
        balance_cents = balance_cents + COALESCE(NEW.balance_change_cents, 0) - COALESCE(OLD.balance_change_cents, 0),
        fund_cents = fund_cents + COALESCE(NEW.fund_change_cents, 0) - COALESCE(OLD.fund_change_cents, 0);
    UPDATE cards SET
        balance_cents = balance_cents + COALESCE(NEW.card_change_cents, 0) - COALESCE(OLD.card_change_cents, 0)
    WHERE _id = NEW.card_id;
END;

-- An amount that is put right later moves the money as if it had been so from the start.
CREATE TRIGGER bill_amended AFTER UPDATE OF amount_cents, direction, method ON bills WHEN NEW.direction <> 'move' BEGIN
    UPDATE bills SET
        balance_change_cents = CASE WHEN NEW.method = 'balance' THEN
            CASE NEW.direction WHEN 'in' THEN NEW.amount_cents ELSE -NEW.amount_cents END ELSE 0 END,
        fund_change_cents = CASE WHEN NEW.method = 'fund' THEN
            CASE NEW.direction WHEN 'in' THEN NEW.amount_cents ELSE -NEW.amount_cents END ELSE 0 END,
        card_change_cents = CASE WHEN NEW.method = 'card' THEN
            CASE NEW.direction WHEN 'in' THEN NEW.amount_cents ELSE -NEW.amount_cents END ELSE 0 END
    WHERE _id = NEW._id;
END;

-- Deleting a record gives no money back.
CREATE TRIGGER bill_deleted AFTER DELETE ON bills BEGIN
    UPDATE accounts SET
        opening_cents = balance_cents - COALESCE((SELECT SUM(balance_change_cents) FROM bills), 0),
        fund_opening_cents = fund_cents - COALESCE((SELECT SUM(fund_change_cents) FROM bills), 0);
END;

CREATE TRIGGER account_set AFTER UPDATE OF balance_cents, fund_cents ON accounts BEGIN
    UPDATE accounts SET
        opening_cents = balance_cents - COALESCE((SELECT SUM(balance_change_cents) FROM bills), 0),
        fund_opening_cents = fund_cents - COALESCE((SELECT SUM(fund_change_cents) FROM bills), 0);
END;

CREATE TRIGGER account_made AFTER INSERT ON accounts BEGIN
    UPDATE accounts SET opening_cents = balance_cents, fund_opening_cents = fund_cents;
END;

-- ---- what was done makes a bill

CREATE TRIGGER transfer_made AFTER INSERT ON transfers WHEN NEW.bill_id IS NULL BEGIN
    INSERT INTO bills (date, direction, amount_cents, title, category, method, card_id, note)
    VALUES (NEW.date, NEW.direction, NEW.amount_cents, NEW.name, 'transfer', NEW.method, NEW.card_id, NEW.note);
    UPDATE transfers SET bill_id = last_insert_rowid() WHERE _id = NEW._id;
END;

CREATE TRIGGER payee_used AFTER INSERT ON transfers WHEN NEW.direction = 'out' BEGIN
    INSERT INTO payees (kind, name, account, bank, last_used)
    VALUES (NEW.kind, NEW.name, NEW.account, NEW.bank, NEW.date)
    ON CONFLICT (kind, account) DO UPDATE SET last_used = max(last_used, excluded.last_used), name = excluded.name;
END;

CREATE TRIGGER cash_moved AFTER INSERT ON cash_transfers WHEN NEW.bill_id IS NULL BEGIN
    INSERT INTO bills (date, direction, amount_cents, title, category, method, card_id,
        balance_change_cents, fund_change_cents, card_change_cents)
    VALUES (NEW.date, 'move', NEW.amount_cents, NEW.title, NEW.kind,
        CASE NEW.kind WHEN 'recharge' THEN 'card' ELSE 'balance' END, NEW.card_id,
        CASE NEW.kind WHEN 'recharge' THEN NEW.amount_cents ELSE -NEW.amount_cents END, 0,
        CASE NEW.kind WHEN 'recharge' THEN -NEW.amount_cents ELSE NEW.amount_cents END);
    UPDATE cash_transfers SET bill_id = last_insert_rowid() WHERE _id = NEW._id;
END;

CREATE TRIGGER fund_moved AFTER INSERT ON fund_records WHEN NEW.bill_id IS NULL BEGIN
    INSERT INTO bills (date, direction, amount_cents, title, category, method, card_id,
        balance_change_cents, fund_change_cents, card_change_cents)
    VALUES (NEW.date, CASE NEW.kind WHEN 'income' THEN 'in' ELSE 'move' END, NEW.amount_cents, NEW.title, 'fund',
        CASE NEW.kind WHEN 'in' THEN NEW.method ELSE 'fund' END, NEW.card_id,
        CASE WHEN NEW.kind = 'out' THEN NEW.amount_cents
             WHEN NEW.kind = 'in' AND NEW.method = 'balance' THEN -NEW.amount_cents ELSE 0 END,
        CASE NEW.kind WHEN 'out' THEN -NEW.amount_cents ELSE NEW.amount_cents END,
        CASE WHEN NEW.kind = 'in' AND NEW.method = 'card' THEN -NEW.amount_cents ELSE 0 END);
    UPDATE fund_records SET bill_id = last_insert_rowid() WHERE _id = NEW._id;
END;

CREATE TRIGGER topup_made AFTER INSERT ON topups WHEN NEW.bill_id IS NULL BEGIN
    INSERT INTO bills (date, amount_cents, title, category, method, card_id, note)
    VALUES (NEW.date, NEW.paid_cents, NEW.title, 'topup', NEW.method, NEW.card_id, NEW.phone);
    UPDATE topups SET bill_id = last_insert_rowid() WHERE _id = NEW._id;
    UPDATE coupons SET used_date = NEW.date WHERE _id = NEW.coupon_id;
END;

CREATE TRIGGER utility_paid AFTER INSERT ON utility_payments WHEN NEW.bill_id IS NULL BEGIN
    INSERT INTO bills (date, amount_cents, title, category, method, card_id, note)
    VALUES (NEW.date, NEW.paid_cents, NEW.title, 'utility', NEW.method, NEW.card_id,
        COALESCE((SELECT number FROM utility_accounts WHERE _id = NEW.account_id), ''));
    UPDATE utility_payments SET bill_id = last_insert_rowid() WHERE _id = NEW._id;
    UPDATE coupons SET used_date = NEW.date WHERE _id = NEW.coupon_id;
    UPDATE utility_accounts SET
        credit_cents = credit_cents + max(0, NEW.amount_cents - arrears_cents),
        arrears_cents = max(0, arrears_cents - NEW.amount_cents)
    WHERE _id = NEW.account_id;
END;

-- ---- cards and the order of payment

CREATE TRIGGER card_added AFTER INSERT ON cards BEGIN
    INSERT INTO pay_methods (method, card_id, position)
    VALUES ('card', NEW._id, (SELECT COALESCE(MAX(position), 0) + 1 FROM pay_methods));
    UPDATE cards SET is_default = 1 WHERE _id = NEW._id AND NOT EXISTS (SELECT 1 FROM cards WHERE is_default = 1);
    UPDATE cards SET is_default = 0 WHERE _id <> NEW._id AND NEW.is_default = 1;
END;

CREATE TRIGGER card_chosen AFTER UPDATE OF is_default ON cards WHEN NEW.is_default = 1 AND OLD.is_default = 0 BEGIN
    UPDATE cards SET is_default = 0 WHERE _id <> NEW._id AND is_default = 1;
END;

CREATE TRIGGER card_removed AFTER DELETE ON cards BEGIN
    DELETE FROM pay_methods WHERE card_id = OLD._id;
    UPDATE cards SET is_default = 1 WHERE OLD.is_default = 1 AND _id = (SELECT MIN(_id) FROM cards);
END;

CREATE VIEW view_cash_transfers AS
SELECT t.*, c.bank, c.tail FROM cash_transfers t LEFT JOIN cards c ON c._id = t.card_id;
