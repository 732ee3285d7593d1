CREATE TABLE blocked (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    original_number TEXT NOT NULL UNIQUE,
    e164_number TEXT
);
