-- What the phone knows by itself: the network's time zone, the last check for updates, the last backup.
CREATE TABLE facts (
    _id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    value TEXT NOT NULL
);

-- Emergency information: one row, always there.
CREATE TABLE emergency_info (
    _id INTEGER PRIMARY KEY CHECK (_id = 1),
    name TEXT NOT NULL DEFAULT '',
    birth_date TEXT NOT NULL DEFAULT '',
    blood_type TEXT NOT NULL DEFAULT ''
        CHECK (blood_type IN ('', 'A+', 'A-', 'B+', 'B-', 'AB+', 'AB-', 'O+', 'O-')),
    allergies TEXT NOT NULL DEFAULT '',
    medications TEXT NOT NULL DEFAULT '',
    conditions TEXT NOT NULL DEFAULT '',
    address TEXT NOT NULL DEFAULT '',
    organ_donor TEXT NOT NULL DEFAULT '' CHECK (organ_donor IN ('', 'yes', 'no'))
);
INSERT INTO emergency_info (_id) VALUES (1);

CREATE TABLE emergency_contacts (
    _id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    number TEXT NOT NULL UNIQUE
);

-- Minutes that an app was in front on a day (local date, 2026-03-12), and the most that it may be.
CREATE TABLE app_usage (
    _id INTEGER PRIMARY KEY,
    package TEXT NOT NULL,
    day TEXT NOT NULL,
    minutes INTEGER NOT NULL,
    UNIQUE (package, day)
);
CREATE TABLE app_timers (
    _id INTEGER PRIMARY KEY,
    package TEXT NOT NULL UNIQUE,
    minutes INTEGER NOT NULL CHECK (minutes > 0)
);

-- When an app last used a permission; groups as in permissions.yaml.
CREATE TABLE permission_uses (
    _id INTEGER PRIMARY KEY,
    package TEXT NOT NULL,
    permission_group TEXT NOT NULL,
    used_ms INTEGER NOT NULL
);

CREATE TABLE accounts (
    _id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    address TEXT NOT NULL UNIQUE,
    sync_contacts INTEGER NOT NULL DEFAULT 1,
    sync_calendar INTEGER NOT NULL DEFAULT 1,
    synced_ms INTEGER NOT NULL DEFAULT 0
);
