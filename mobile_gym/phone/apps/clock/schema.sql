CREATE TABLE alarms (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    hour INTEGER NOT NULL,
    minutes INTEGER NOT NULL,
    daysofweek INTEGER NOT NULL DEFAULT 0, -- bit 0 is Monday, bit 6 is Sunday
    enabled INTEGER NOT NULL DEFAULT 1,
    vibrate INTEGER NOT NULL DEFAULT 1,
    label TEXT NOT NULL DEFAULT '',
    ringtone TEXT NOT NULL DEFAULT ''
);

-- When alarms ring next: derived from the alarms and the clock.
CREATE TABLE instances (
    alarm_id INTEGER PRIMARY KEY,
    due_ms INTEGER NOT NULL,
    state TEXT NOT NULL -- scheduled, snoozed, ringing
);

CREATE TABLE timers (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    length_ms INTEGER NOT NULL,
    label TEXT NOT NULL DEFAULT '',
    state TEXT NOT NULL DEFAULT 'reset', -- reset, running, paused, expired
    remaining_ms INTEGER NOT NULL,
    end_ms INTEGER NOT NULL DEFAULT 0,
    total_ms INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE stopwatch (
    _id INTEGER PRIMARY KEY,
    state TEXT NOT NULL, -- reset, running, paused
    started_ms INTEGER NOT NULL,
    elapsed_ms INTEGER NOT NULL
);

CREATE TABLE laps (
    _id INTEGER PRIMARY KEY,
    total_ms INTEGER NOT NULL
);

CREATE TABLE cities (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    city TEXT NOT NULL UNIQUE
);

CREATE TABLE prefs (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    value TEXT NOT NULL
);
