-- Types: 1 incoming, 2 outgoing, 3 missed, 4 voicemail, 5 rejected, 6 blocked.
CREATE TABLE calls (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    number TEXT,
    presentation INTEGER NOT NULL DEFAULT 1,
    date INTEGER NOT NULL DEFAULT 0,
    duration INTEGER NOT NULL DEFAULT 0,
    type INTEGER NOT NULL DEFAULT 1,
    new INTEGER NOT NULL DEFAULT 0,
    is_read INTEGER,
    name TEXT,
    numbertype INTEGER,
    numberlabel TEXT,
    countryiso TEXT,
    geocoded_location TEXT,
    features INTEGER NOT NULL DEFAULT 0,
    subscription_id INTEGER NOT NULL DEFAULT 1,
    last_modified INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX calls_by_date ON calls (date);
