-- Money is in cents, times in milliseconds since the epoch.

CREATE TABLE products (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    category TEXT NOT NULL,
    sub TEXT NOT NULL,
    name_zh TEXT NOT NULL,
    name_en TEXT NOT NULL,
    brand TEXT NOT NULL,                     -- key of the brand's shop
    brand_zh TEXT NOT NULL,
    brand_en TEXT NOT NULL,
    price_cents INTEGER NOT NULL,            -- of the cheapest variant
    was_cents INTEGER NOT NULL,
    sales INTEGER NOT NULL DEFAULT 0,
    rating REAL NOT NULL DEFAULT 5.0,
    listed INTEGER NOT NULL,                 -- when it came into the catalogue
    free_shipping INTEGER NOT NULL DEFAULT 0,
    next_day INTEGER NOT NULL DEFAULT 0,
    self_operated INTEGER NOT NULL DEFAULT 0,
    returns INTEGER NOT NULL DEFAULT 1,      -- may be returned within seven days
    flash INTEGER NOT NULL DEFAULT 0,
    picture TEXT NOT NULL DEFAULT 'product/package-variant-closed',
    axes TEXT NOT NULL DEFAULT '[]',         -- names of what a variant differs by: JSON [[zh, en], ...]
    stock INTEGER NOT NULL DEFAULT 0,        -- of all variants together; kept by triggers
    words TEXT NOT NULL DEFAULT ''           -- what a search looks in
);
CREATE INDEX products_category ON products (category, sub);
CREATE INDEX products_brand ON products (brand);

CREATE TABLE variants (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    product_id INTEGER NOT NULL,
    name_zh TEXT NOT NULL,
    name_en TEXT NOT NULL,
    options TEXT NOT NULL DEFAULT '[]',      -- the choice on each axis: JSON [[zh, en], ...]
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
    DELETE FROM favourites WHERE product_id = OLD._id;
    DELETE FROM footprints WHERE product_id = OLD._id;
END;

CREATE TABLE cart (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    product_id INTEGER NOT NULL,
    variant_id INTEGER NOT NULL UNIQUE,
    quantity INTEGER NOT NULL DEFAULT 1 CHECK (quantity > 0),
    selected INTEGER NOT NULL DEFAULT 1,
    added_at INTEGER NOT NULL
);
CREATE TRIGGER cart_known BEFORE INSERT ON cart
WHEN NOT EXISTS (SELECT 1 FROM variants WHERE _id = NEW.variant_id AND product_id = NEW.product_id) BEGIN
    SELECT RAISE(ABORT, 'cart: variant_id is no variant of product_id');
END;
-- What is in the cart already only becomes more.
CREATE TRIGGER cart_twice BEFORE INSERT ON cart
WHEN EXISTS (SELECT 1 FROM cart WHERE variant_id = NEW.variant_id) BEGIN
    UPDATE cart SET quantity = quantity + NEW.quantity, selected = 1, added_at = NEW.added_at
    WHERE variant_id = NEW.variant_id;
    SELECT RAISE(IGNORE);
END;

CREATE TABLE addresses (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    phone TEXT NOT NULL,
    province TEXT NOT NULL,
    city TEXT NOT NULL,
    district TEXT NOT NULL,
    detail TEXT NOT NULL,
    tag TEXT NOT NULL DEFAULT '',            -- home, work, parents or nothing
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

CREATE TABLE coupons (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    title_zh TEXT NOT NULL,
    title_en TEXT NOT NULL,
    scope TEXT NOT NULL DEFAULT 'all' CHECK (scope IN ('all', 'category', 'shop', 'product')),
    scope_value TEXT NOT NULL DEFAULT '',    -- category, key of the brand, or _id of the product
    threshold_cents INTEGER NOT NULL,
    off_cents INTEGER NOT NULL,
    days INTEGER NOT NULL DEFAULT 7,         -- how long it is good for, from the day it is claimed
    claimable INTEGER NOT NULL DEFAULT 1     -- whether the coupon centre and the product pages offer it
);
CREATE TABLE my_coupons (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    coupon_id INTEGER NOT NULL,
    status TEXT NOT NULL DEFAULT 'available' CHECK (status IN ('available', 'used', 'expired')),
    claimed_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    order_id INTEGER
);
CREATE VIEW view_my_coupons AS
SELECT m._id, m.coupon_id, m.status, m.claimed_at, m.expires_at, m.order_id, c.title_zh, c.title_en, c.scope,
    c.scope_value, c.threshold_cents, c.off_cents
FROM my_coupons m JOIN coupons c ON c._id = m.coupon_id;

CREATE TABLE orders (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    order_no TEXT NOT NULL UNIQUE,
    status TEXT NOT NULL CHECK (status IN (
        'to_pay', 'to_ship', 'to_receive', 'to_review', 'done', 'cancelled', 'refunded')),
    created_at INTEGER NOT NULL,
    paid_at INTEGER,
    shipped_at INTEGER,
    delivered_at INTEGER,                    -- when the parcel arrives: known once it is shipped
    received_at INTEGER,
    closed_at INTEGER,
    cancel_reason TEXT NOT NULL DEFAULT '',
    address_id INTEGER,
    name TEXT NOT NULL DEFAULT '',
    phone TEXT NOT NULL DEFAULT '',
    address TEXT NOT NULL DEFAULT '',
    slot TEXT NOT NULL DEFAULT 'soon',       -- soon, or a day and hours such as 2026-03-13 09:00-12:00
    note TEXT NOT NULL DEFAULT '',
    payment TEXT NOT NULL DEFAULT 'card' CHECK (payment IN ('wallet', 'card', 'cod')),
    goods_cents INTEGER NOT NULL DEFAULT 0,
    shipping_cents INTEGER NOT NULL DEFAULT 0,
    discount_cents INTEGER NOT NULL DEFAULT 0,
    total_cents INTEGER NOT NULL DEFAULT 0,
    my_coupon_id INTEGER,
    tracking TEXT NOT NULL DEFAULT '',
    invoice_type TEXT NOT NULL DEFAULT '',   -- personal, company, or nothing
    invoice_title TEXT NOT NULL DEFAULT '',
    invoice_tax_no TEXT NOT NULL DEFAULT '',
    invoice_email TEXT NOT NULL DEFAULT ''
);
CREATE TABLE order_items (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id INTEGER NOT NULL,
    product_id INTEGER NOT NULL,
    variant_id INTEGER NOT NULL,
    name_zh TEXT NOT NULL DEFAULT '',
    name_en TEXT NOT NULL DEFAULT '',
    variant_zh TEXT NOT NULL DEFAULT '',
    variant_en TEXT NOT NULL DEFAULT '',
    picture TEXT NOT NULL DEFAULT '',
    price_cents INTEGER NOT NULL DEFAULT -1, -- -1 is the price of today
    quantity INTEGER NOT NULL DEFAULT 1 CHECK (quantity > 0),
    reviewed INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX order_items_order ON order_items (order_id);
CREATE TRIGGER order_items_filled AFTER INSERT ON order_items BEGIN
    UPDATE order_items SET
        (name_zh, name_en) = (SELECT name_zh, name_en FROM products WHERE _id = NEW.product_id),
        (variant_zh, variant_en, picture) =
            (SELECT name_zh, name_en, picture FROM variants WHERE _id = NEW.variant_id),
        price_cents = CASE WHEN NEW.price_cents >= 0 THEN NEW.price_cents
            ELSE (SELECT price_cents FROM variants WHERE _id = NEW.variant_id) END
    WHERE _id = NEW._id;
    UPDATE orders SET goods_cents = (
        SELECT SUM(price_cents * quantity) FROM order_items WHERE order_id = NEW.order_id) WHERE _id = NEW.order_id;
END;
CREATE TRIGGER orders_summed AFTER UPDATE OF goods_cents, shipping_cents, discount_cents ON orders BEGIN
    UPDATE orders SET total_cents = MAX(goods_cents + shipping_cents - discount_cents, 0) WHERE _id = NEW._id;
END;
CREATE TRIGGER orders_removed AFTER DELETE ON orders BEGIN
    DELETE FROM order_items WHERE order_id = OLD._id;
    DELETE FROM aftersales WHERE order_id = OLD._id;
    DELETE FROM notices WHERE order_id = OLD._id;
END;

CREATE TABLE aftersales (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id INTEGER NOT NULL,
    item_id INTEGER NOT NULL,                -- a row of order_items
    kind TEXT NOT NULL CHECK (kind IN ('refund', 'return')),
    reason TEXT NOT NULL,                    -- key of the reason
    note TEXT NOT NULL DEFAULT '',
    amount_cents INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'applied' CHECK (state IN (
        'applied', 'approved', 'returning', 'refunded', 'withdrawn')),
    tracking TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL
);

CREATE TABLE favourites (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    product_id INTEGER NOT NULL UNIQUE ON CONFLICT IGNORE,
    at INTEGER NOT NULL
);
-- Products that were looked at, and the list that each was opened from.
CREATE TABLE footprints (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    product_id INTEGER NOT NULL UNIQUE ON CONFLICT REPLACE,
    at INTEGER NOT NULL,
    query TEXT NOT NULL DEFAULT '',
    category TEXT NOT NULL DEFAULT '',
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
CREATE TABLE shop_follows (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    brand TEXT NOT NULL UNIQUE ON CONFLICT IGNORE,
    at INTEGER NOT NULL
);

CREATE TABLE reviews (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    product_id INTEGER NOT NULL,
    variant_zh TEXT NOT NULL DEFAULT '',
    variant_en TEXT NOT NULL DEFAULT '',
    author TEXT NOT NULL,
    stars INTEGER NOT NULL CHECK (stars BETWEEN 1 AND 5),
    text_zh TEXT NOT NULL,
    text_en TEXT NOT NULL,
    picture TEXT NOT NULL DEFAULT '',
    anonymous INTEGER NOT NULL DEFAULT 0,
    own INTEGER NOT NULL DEFAULT 0,
    order_item_id INTEGER,
    at INTEGER NOT NULL
);
CREATE INDEX reviews_product ON reviews (product_id);

CREATE TABLE brands (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    brand TEXT NOT NULL UNIQUE,
    name_zh TEXT NOT NULL,
    name_en TEXT NOT NULL,
    fans INTEGER NOT NULL,
    rating REAL NOT NULL
);

-- Talks with the customer service of shops.
CREATE TABLE chats (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    brand TEXT NOT NULL,
    own INTEGER NOT NULL,
    text TEXT NOT NULL,
    at INTEGER NOT NULL,
    read INTEGER NOT NULL DEFAULT 1
);
-- What the app tells about orders.
CREATE TABLE notices (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    read INTEGER NOT NULL DEFAULT 0
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
    category TEXT NOT NULL DEFAULT '',
    sub TEXT NOT NULL DEFAULT '',
    brand TEXT NOT NULL DEFAULT '',          -- the shop whose page the list is of
    sort TEXT NOT NULL DEFAULT 'default',    -- default, sales, price_asc, price_desc, newest, rating
    filters TEXT NOT NULL DEFAULT '',        -- sorted, by commas: brand:<key>, free_shipping, in_stock, ...
    price_min INTEGER,                       -- cents
    price_max INTEGER,
    view TEXT NOT NULL DEFAULT 'grid',       -- grid or list
    results INTEGER,                         -- how many products the list holds
    address_id INTEGER,                      -- where to: of the home page, or of the checkout in front
    opened_product INTEGER
);

-- Rows with the names that a person sees beside the numbers.
CREATE VIEW view_cart AS
SELECT c.*, p.name_zh, p.name_en, v.name_zh AS variant_zh, v.name_en AS variant_en
FROM cart c JOIN products p ON p._id = c.product_id JOIN variants v ON v._id = c.variant_id;
CREATE VIEW view_favourites AS
SELECT f.*, p.name_zh, p.name_en FROM favourites f JOIN products p ON p._id = f.product_id;
CREATE VIEW view_footprints AS
SELECT f.*, p.name_zh, p.name_en FROM footprints f JOIN products p ON p._id = f.product_id;
CREATE VIEW view_orders AS
SELECT o.*,
    (SELECT GROUP_CONCAT(name_zh, ' + ') FROM (SELECT * FROM order_items WHERE order_id = o._id ORDER BY _id)) AS goods_zh,
    (SELECT GROUP_CONCAT(name_en, ' + ') FROM (SELECT * FROM order_items WHERE order_id = o._id ORDER BY _id)) AS goods_en
FROM orders o;
CREATE VIEW view_session AS
SELECT s.*, p.name_zh AS opened_zh, p.name_en AS opened_en, a.name AS address_name
FROM session s LEFT JOIN products p ON p._id = s.opened_product LEFT JOIN addresses a ON a._id = s.address_id;
