-- Money is in US cents, times in milliseconds since the epoch.

CREATE TABLE products (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    department TEXT NOT NULL,
    aisle TEXT NOT NULL DEFAULT '',
    name TEXT NOT NULL,
    brand TEXT NOT NULL,
    about TEXT NOT NULL DEFAULT '',
    price_cents INTEGER NOT NULL,            -- of the cheapest variant
    list_cents INTEGER NOT NULL,             -- the maker's price
    rating REAL NOT NULL DEFAULT 0,
    ratings INTEGER NOT NULL DEFAULT 0,      -- how many people rated it
    sold INTEGER NOT NULL DEFAULT 0,
    listed INTEGER NOT NULL,                 -- when it came into the catalogue
    express INTEGER NOT NULL DEFAULT 0,      -- whether express delivery takes it
    deal INTEGER NOT NULL DEFAULT 0,         -- one of today's deals
    gift INTEGER NOT NULL DEFAULT 0,         -- whether it can be gift-wrapped
    picture TEXT NOT NULL DEFAULT 'product/package-variant-closed',
    axes TEXT NOT NULL DEFAULT '[]',         -- names of what a variant differs by: a JSON list
    stock INTEGER NOT NULL DEFAULT 0,        -- of all variants together; kept by triggers
    words TEXT NOT NULL DEFAULT ''           -- what a search looks in
);
CREATE INDEX products_department ON products (department, aisle);

CREATE TABLE variants (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    product_id INTEGER NOT NULL,
    name TEXT NOT NULL DEFAULT '',
    options TEXT NOT NULL DEFAULT '[]',      -- the choice on each axis: a JSON list
    price_cents INTEGER NOT NULL,
    stock INTEGER NOT NULL DEFAULT 0 CHECK (stock >= 0),
    picture TEXT NOT NULL
);
CREATE INDEX variants_product ON variants (product_id);
CREATE TRIGGER variants_added AFTER INSERT ON variants BEGIN
    UPDATE products SET stock = stock + NEW.stock WHERE _id = NEW.product_id;
END;
CREATE TRIGGER variants_changed AFTER UPDATE OF stock ON variants BEGIN
    UPDATE products SET stock = stock + NEW.stock - OLD.stock WHERE _id = NEW.product_id;
END;
CREATE TRIGGER variants_priced AFTER UPDATE OF price_cents ON variants BEGIN
    UPDATE products SET price_cents = (SELECT MIN(price_cents) FROM variants WHERE product_id = NEW.product_id)
    WHERE _id = NEW.product_id;
END;
CREATE TRIGGER variants_removed AFTER DELETE ON variants BEGIN
    UPDATE products SET stock = stock - OLD.stock WHERE _id = OLD.product_id;
    DELETE FROM cart WHERE variant_id = OLD._id;
END;
CREATE TRIGGER products_removed AFTER DELETE ON products BEGIN
    DELETE FROM variants WHERE product_id = OLD._id;
    DELETE FROM list_items WHERE product_id = OLD._id;
    DELETE FROM view_history WHERE product_id = OLD._id;
END;

CREATE TABLE cart (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    product_id INTEGER NOT NULL,
    variant_id INTEGER NOT NULL UNIQUE,
    quantity INTEGER NOT NULL DEFAULT 1 CHECK (quantity > 0),
    saved INTEGER NOT NULL DEFAULT 0,        -- 1: saved for later
    added_at INTEGER NOT NULL
);
CREATE TRIGGER cart_known BEFORE INSERT ON cart
WHEN NOT EXISTS (SELECT 1 FROM variants WHERE _id = NEW.variant_id AND product_id = NEW.product_id) BEGIN
    SELECT RAISE(ABORT, 'cart: variant_id is no variant of product_id');
END;
-- What is in the cart already only becomes more; what was saved for later comes back.
CREATE TRIGGER cart_twice BEFORE INSERT ON cart
WHEN EXISTS (SELECT 1 FROM cart WHERE variant_id = NEW.variant_id) BEGIN
    UPDATE cart SET quantity = CASE saved WHEN 0 THEN quantity + NEW.quantity ELSE NEW.quantity END, saved = 0,
        added_at = NEW.added_at
    WHERE variant_id = NEW.variant_id;
    SELECT RAISE(IGNORE);
END;
-- The promo code that the cart has: one row at most.
CREATE TABLE cart_promo (
    _id INTEGER PRIMARY KEY CHECK (_id = 1),
    code TEXT NOT NULL
);
CREATE TABLE promos (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    code TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('percent', 'amount', 'delivery')),
    value INTEGER NOT NULL DEFAULT 0,        -- percent, or cents
    department TEXT NOT NULL DEFAULT '',     -- the only one that it is good for; empty: all
    min_cents INTEGER NOT NULL DEFAULT 0,
    expires_at INTEGER NOT NULL,
    used INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE addresses (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    line1 TEXT NOT NULL,
    line2 TEXT NOT NULL DEFAULT '',
    city TEXT NOT NULL,
    state TEXT NOT NULL,                     -- code of the state
    zip TEXT NOT NULL,
    phone TEXT NOT NULL DEFAULT '',
    is_default INTEGER NOT NULL DEFAULT 0
);
CREATE TRIGGER addresses_first AFTER INSERT ON addresses
WHEN NEW.is_default = 0 AND NOT EXISTS (SELECT 1 FROM addresses WHERE is_default = 1) BEGIN
    UPDATE addresses SET is_default = 1 WHERE _id = NEW._id;
END;
CREATE TRIGGER addresses_default_added AFTER INSERT ON addresses WHEN NEW.is_default = 1 BEGIN
    UPDATE addresses SET is_default = 0 WHERE is_default = 1 AND _id <> NEW._id;
END;
CREATE TRIGGER addresses_default_set AFTER UPDATE OF is_default ON addresses WHEN NEW.is_default = 1 BEGIN
    UPDATE addresses SET is_default = 0 WHERE is_default = 1 AND _id <> NEW._id;
END;
CREATE TRIGGER addresses_gone AFTER DELETE ON addresses WHEN OLD.is_default = 1 BEGIN
    UPDATE addresses SET is_default = 1 WHERE _id = (SELECT MIN(_id) FROM addresses);
END;

CREATE TABLE cards (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    network TEXT NOT NULL,                   -- Visa, Mastercard, ...
    last4 TEXT NOT NULL,
    holder TEXT NOT NULL DEFAULT '',
    expires TEXT NOT NULL,                   -- MM/YY
    is_default INTEGER NOT NULL DEFAULT 0
);
CREATE TRIGGER cards_first AFTER INSERT ON cards
WHEN NEW.is_default = 0 AND NOT EXISTS (SELECT 1 FROM cards WHERE is_default = 1) BEGIN
    UPDATE cards SET is_default = 1 WHERE _id = NEW._id;
END;
CREATE TRIGGER cards_default_added AFTER INSERT ON cards WHEN NEW.is_default = 1 BEGIN
    UPDATE cards SET is_default = 0 WHERE is_default = 1 AND _id <> NEW._id;
END;
CREATE TRIGGER cards_default_set AFTER UPDATE OF is_default ON cards WHEN NEW.is_default = 1 BEGIN
    UPDATE cards SET is_default = 0 WHERE is_default = 1 AND _id <> NEW._id;
END;
CREATE TRIGGER cards_gone AFTER DELETE ON cards WHEN OLD.is_default = 1 BEGIN
    UPDATE cards SET is_default = 1 WHERE _id = (SELECT MIN(_id) FROM cards);
END;

CREATE TABLE orders (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    number TEXT NOT NULL UNIQUE,
    status TEXT NOT NULL DEFAULT 'placed' CHECK (status IN ('placed', 'shipped', 'delivered', 'cancelled')),
    created_at INTEGER NOT NULL,
    shipped_at INTEGER,
    delivered_at INTEGER,                    -- when the parcel comes or came: known once it is shipped
    closed_at INTEGER,
    cancel_reason TEXT NOT NULL DEFAULT '',
    archived INTEGER NOT NULL DEFAULT 0,
    address_id INTEGER,                      -- of the address book; nothing where the address was given just once
    name TEXT NOT NULL DEFAULT '',
    address TEXT NOT NULL DEFAULT '',        -- street, city, state and zip
    speed TEXT NOT NULL DEFAULT 'standard' CHECK (speed IN ('standard', 'express')),
    gift INTEGER NOT NULL DEFAULT 0,
    gift_message TEXT NOT NULL DEFAULT '',
    payment TEXT NOT NULL DEFAULT 'card' CHECK (payment IN ('card', 'credit')),
    card_id INTEGER,
    promo TEXT NOT NULL DEFAULT '',
    goods_cents INTEGER NOT NULL DEFAULT 0,
    delivery_cents INTEGER NOT NULL DEFAULT 0,
    wrap_cents INTEGER NOT NULL DEFAULT 0,
    discount_cents INTEGER NOT NULL DEFAULT 0,
    tax_cents INTEGER NOT NULL DEFAULT 0,
    total_cents INTEGER NOT NULL DEFAULT 0,
    tracking TEXT NOT NULL DEFAULT ''
);
CREATE TABLE order_items (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id INTEGER NOT NULL,
    product_id INTEGER NOT NULL,
    variant_id INTEGER NOT NULL,
    name TEXT NOT NULL DEFAULT '',
    variant TEXT NOT NULL DEFAULT '',
    picture TEXT NOT NULL DEFAULT '',
    price_cents INTEGER NOT NULL DEFAULT -1, -- -1 is the price of today
    quantity INTEGER NOT NULL DEFAULT 1 CHECK (quantity > 0),
    reviewed INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX order_items_order ON order_items (order_id);
CREATE TRIGGER order_items_filled AFTER INSERT ON order_items BEGIN
    UPDATE order_items SET
        name = (SELECT name FROM products WHERE _id = NEW.product_id),
        (variant, picture) = (SELECT name, picture FROM variants WHERE _id = NEW.variant_id),
        price_cents = CASE WHEN NEW.price_cents >= 0 THEN NEW.price_cents
            ELSE (SELECT price_cents FROM variants WHERE _id = NEW.variant_id) END
    WHERE _id = NEW._id;
    UPDATE orders SET goods_cents = (
        SELECT SUM(price_cents * quantity) FROM order_items WHERE order_id = NEW.order_id) WHERE _id = NEW.order_id;
END;
CREATE TRIGGER orders_summed AFTER UPDATE OF goods_cents, delivery_cents, wrap_cents, discount_cents, tax_cents
ON orders BEGIN
    UPDATE orders SET total_cents = MAX(goods_cents + delivery_cents + wrap_cents - discount_cents, 0) + tax_cents
    WHERE _id = NEW._id;
END;
CREATE TRIGGER orders_removed AFTER DELETE ON orders BEGIN
    DELETE FROM order_items WHERE order_id = OLD._id;
    DELETE FROM returns WHERE order_id = OLD._id;
END;

CREATE TABLE returns (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id INTEGER NOT NULL,
    item_id INTEGER NOT NULL,                -- a row of order_items
    reason TEXT NOT NULL,                    -- key of the reason
    comment TEXT NOT NULL DEFAULT '',
    outcome TEXT NOT NULL DEFAULT 'refund' CHECK (outcome IN ('refund', 'credit', 'replacement')),
    dropoff TEXT NOT NULL DEFAULT 'store' CHECK (dropoff IN ('store', 'carrier', 'pickup')),
    amount_cents INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'sent', 'closed', 'cancelled')),
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL
);

CREATE TABLE lists (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL
);
CREATE TRIGGER lists_removed AFTER DELETE ON lists BEGIN
    DELETE FROM list_items WHERE list_id = OLD._id;
END;
CREATE TABLE list_items (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    list_id INTEGER NOT NULL,
    product_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    UNIQUE (list_id, product_id) ON CONFLICT IGNORE
);

CREATE TABLE reviews (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    product_id INTEGER NOT NULL,
    variant TEXT NOT NULL DEFAULT '',
    author TEXT NOT NULL,
    stars INTEGER NOT NULL CHECK (stars BETWEEN 1 AND 5),
    title TEXT NOT NULL DEFAULT '',
    text TEXT NOT NULL DEFAULT '',
    own INTEGER NOT NULL DEFAULT 0,
    order_item_id INTEGER,
    at INTEGER NOT NULL
);
CREATE INDEX reviews_product ON reviews (product_id);

-- Products that were looked at, and the list that each was opened from last.
CREATE TABLE view_history (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    product_id INTEGER NOT NULL UNIQUE ON CONFLICT REPLACE,
    at INTEGER NOT NULL,
    query TEXT NOT NULL DEFAULT '',
    department TEXT NOT NULL DEFAULT '',
    aisle TEXT NOT NULL DEFAULT '',
    sort TEXT NOT NULL DEFAULT '',
    filters TEXT NOT NULL DEFAULT '',
    price_min INTEGER,
    price_max INTEGER
);
CREATE TABLE search_history (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    query TEXT NOT NULL UNIQUE ON CONFLICT REPLACE,
    at INTEGER NOT NULL
);
CREATE TABLE settings (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE ON CONFLICT REPLACE,
    value TEXT NOT NULL
);

-- What the screen in front shows now: one row.
CREATE TABLE session (
    _id INTEGER PRIMARY KEY CHECK (_id = 1),
    screen TEXT NOT NULL DEFAULT '',
    query TEXT NOT NULL DEFAULT '',
    department TEXT NOT NULL DEFAULT '',
    aisle TEXT NOT NULL DEFAULT '',
    sort TEXT NOT NULL DEFAULT 'featured',   -- featured, best, price_low, price_high, rating, newest
    filters TEXT NOT NULL DEFAULT '',        -- sorted, by commas: brand:<name>, rating:45, express, deal, gift, stock
    price_min INTEGER,
    price_max INTEGER,
    results INTEGER,                         -- how many products the list holds
    opened_product INTEGER
);
