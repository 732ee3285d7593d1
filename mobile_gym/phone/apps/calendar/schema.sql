-- Calendars and events as Android's calendar provider keeps them. Times are milliseconds since the epoch; those of
-- all-day events are midnights of UTC, and the end is the midnight after the last day. Colours are signed ARGB.
CREATE TABLE calendars (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_name TEXT NOT NULL DEFAULT 'phone',
    account_type TEXT NOT NULL DEFAULT 'LOCAL',
    name TEXT,
    calendar_displayName TEXT,
    calendar_color INTEGER NOT NULL DEFAULT -12951409,
    calendar_access_level INTEGER NOT NULL DEFAULT 700,
    visible INTEGER NOT NULL DEFAULT 1,
    sync_events INTEGER NOT NULL DEFAULT 1,
    calendar_timezone TEXT,
    ownerAccount TEXT NOT NULL DEFAULT 'phone',
    isPrimary INTEGER NOT NULL DEFAULT 0
);

-- `exdate` holds the beginnings of occurrences that are left out, local times of the event's zone, apart by commas.
-- An event with `original_id` stands in for the occurrence of that event that began at `originalInstanceTime`.
CREATE TABLE events (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    calendar_id INTEGER NOT NULL,
    title TEXT,
    description TEXT,
    eventLocation TEXT,
    dtstart INTEGER NOT NULL,
    dtend INTEGER,
    duration TEXT,
    allDay INTEGER NOT NULL DEFAULT 0,
    rrule TEXT,
    exdate TEXT,
    eventTimezone TEXT,
    eventEndTimezone TEXT,
    eventColor INTEGER,
    eventStatus INTEGER NOT NULL DEFAULT 1,
    availability INTEGER NOT NULL DEFAULT 0,
    accessLevel INTEGER NOT NULL DEFAULT 0,
    hasAlarm INTEGER NOT NULL DEFAULT 0,
    hasAttendeeData INTEGER NOT NULL DEFAULT 0,
    organizer TEXT,
    original_id INTEGER,
    originalInstanceTime INTEGER,
    lastDate INTEGER,
    deleted INTEGER NOT NULL DEFAULT 0,
    dirty INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX events_by_start ON events (dtstart);

-- `method` 1 is a notification.
CREATE TABLE reminders (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id INTEGER NOT NULL,
    minutes INTEGER NOT NULL,
    method INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX reminders_of_event ON reminders (event_id);

-- Status: 0 none, 1 accepted, 2 declined, 3 invited, 4 tentative.
CREATE TABLE attendees (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id INTEGER NOT NULL,
    attendeeName TEXT,
    attendeeEmail TEXT,
    attendeeStatus INTEGER NOT NULL DEFAULT 3,
    attendeeRelationship INTEGER NOT NULL DEFAULT 1,
    attendeeType INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX attendees_of_event ON attendees (event_id);

-- What reminds when. State: 0 scheduled, 1 fired, 2 dismissed. Scheduled ones that nobody snoozed follow from events,
-- reminders and clock.
CREATE TABLE calendar_alerts (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id INTEGER NOT NULL,
    begin INTEGER NOT NULL,
    end INTEGER NOT NULL,
    alarmTime INTEGER NOT NULL,
    minutes INTEGER NOT NULL,
    state INTEGER NOT NULL DEFAULT 0,
    snoozed INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX alerts_due ON calendar_alerts (alarmTime) WHERE state = 0;

CREATE TABLE prefs (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    value TEXT NOT NULL
);

CREATE TRIGGER event_deleted AFTER DELETE ON events BEGIN
    DELETE FROM reminders WHERE event_id IN (SELECT OLD._id UNION SELECT _id FROM events WHERE original_id = OLD._id);
    DELETE FROM attendees WHERE event_id IN (SELECT OLD._id UNION SELECT _id FROM events WHERE original_id = OLD._id);
    DELETE FROM calendar_alerts
    WHERE event_id IN (SELECT OLD._id UNION SELECT _id FROM events WHERE original_id = OLD._id);
    DELETE FROM events WHERE original_id = OLD._id;
END;
CREATE TRIGGER calendar_deleted AFTER DELETE ON calendars BEGIN
    DELETE FROM events WHERE calendar_id = OLD._id;
END;
CREATE TRIGGER event_inserting BEFORE INSERT ON events
WHEN NOT EXISTS (SELECT 1 FROM calendars WHERE _id = NEW.calendar_id) BEGIN
    SELECT RAISE(ABORT, 'calendar_id names no calendar');
END;
CREATE TRIGGER reminder_inserting BEFORE INSERT ON reminders
WHEN NOT EXISTS (SELECT 1 FROM events WHERE _id = NEW.event_id) BEGIN
    SELECT RAISE(ABORT, 'event_id names no event');
END;
CREATE TRIGGER reminder_inserted AFTER INSERT ON reminders BEGIN
    UPDATE events SET hasAlarm = 1 WHERE _id = NEW.event_id;
END;
CREATE TRIGGER reminder_deleted AFTER DELETE ON reminders BEGIN
    UPDATE events SET hasAlarm = EXISTS (SELECT 1 FROM reminders WHERE event_id = OLD.event_id)
    WHERE _id = OLD.event_id;
END;
CREATE TRIGGER attendee_inserting BEFORE INSERT ON attendees
WHEN NOT EXISTS (SELECT 1 FROM events WHERE _id = NEW.event_id) BEGIN
    SELECT RAISE(ABORT, 'event_id names no event');
END;
CREATE TRIGGER attendee_inserted AFTER INSERT ON attendees BEGIN
    UPDATE events SET hasAttendeeData = 1 WHERE _id = NEW.event_id;
END;
CREATE TRIGGER attendee_deleted AFTER DELETE ON attendees BEGIN
    UPDATE events SET hasAttendeeData = EXISTS (SELECT 1 FROM attendees WHERE event_id = OLD.event_id)
    WHERE _id = OLD.event_id;
END;

CREATE VIEW view_events AS
SELECT events.*, calendar_displayName, calendar_color, COALESCE(eventColor, calendar_color) AS displayColor, visible,
    account_name, account_type, ownerAccount
FROM events JOIN calendars ON calendars._id = events.calendar_id WHERE events.deleted = 0;
