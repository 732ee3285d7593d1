CREATE TABLE preferences (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    value INTEGER NOT NULL
);
INSERT INTO preferences (name, value) VALUES ('delivery_reports', 1), ('show_content', 1), ('copy_codes', 1);

-- When the user wants to be reminded of a message.
CREATE TABLE reminders (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    sms_id INTEGER NOT NULL UNIQUE,
    at INTEGER NOT NULL
);
