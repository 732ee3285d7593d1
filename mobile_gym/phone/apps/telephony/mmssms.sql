-- Types of a message: 1 received, 2 sent, 3 draft, 4 on its way out, 5 failed.
-- Status: -1 no report asked for, 0 delivered, 32 waiting for the report, 64 failed.
-- `locked` marks a message as starred.
CREATE TABLE sms (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    thread_id INTEGER NOT NULL,
    address TEXT NOT NULL,
    person INTEGER,
    date INTEGER NOT NULL,
    date_sent INTEGER NOT NULL DEFAULT 0,
    protocol INTEGER,
    read INTEGER NOT NULL DEFAULT 0,
    status INTEGER NOT NULL DEFAULT -1,
    type INTEGER NOT NULL DEFAULT 1,
    reply_path_present INTEGER,
    subject TEXT,
    body TEXT,
    service_center TEXT,
    locked INTEGER NOT NULL DEFAULT 0,
    sub_id INTEGER NOT NULL DEFAULT 1,
    error_code INTEGER NOT NULL DEFAULT 0,
    creator TEXT,
    seen INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX sms_of_thread ON sms (thread_id, date);
CREATE INDEX sms_waiting ON sms (date) WHERE status = 32;
CREATE INDEX sms_unseen ON sms (date) WHERE seen = 0 AND read = 0;

-- One thread a number. Counts, date and snippet follow the messages; the flags are the user's.
CREATE TABLE threads (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    address TEXT NOT NULL,
    address_key TEXT NOT NULL UNIQUE,
    date INTEGER NOT NULL DEFAULT 0,
    message_count INTEGER NOT NULL DEFAULT 0,
    unread_count INTEGER NOT NULL DEFAULT 0,
    snippet TEXT,
    snippet_type INTEGER,
    pinned INTEGER NOT NULL DEFAULT 0,
    muted INTEGER NOT NULL DEFAULT 0,
    archived INTEGER NOT NULL DEFAULT 0,
    blocked INTEGER NOT NULL DEFAULT 0
);

-- A row inserted here brings a thread in line with its messages; a thread without messages goes.
CREATE VIEW thread_refresh AS SELECT 0 AS thread_id;
CREATE TRIGGER thread_refreshed INSTEAD OF INSERT ON thread_refresh BEGIN
    UPDATE threads SET
        message_count = (SELECT COUNT(*) FROM sms WHERE thread_id = NEW.thread_id AND type <> 3),
        unread_count = (SELECT COUNT(*) FROM sms WHERE thread_id = NEW.thread_id AND type = 1 AND read = 0),
        (date, snippet, snippet_type) = (
            SELECT date, body, type FROM sms WHERE thread_id = NEW.thread_id ORDER BY date DESC, _id DESC LIMIT 1)
    WHERE _id = NEW.thread_id AND EXISTS (SELECT 1 FROM sms WHERE thread_id = NEW.thread_id);
    DELETE FROM threads
    WHERE _id = NEW.thread_id AND NOT EXISTS (SELECT 1 FROM sms WHERE thread_id = NEW.thread_id);
END;
CREATE TRIGGER sms_inserted AFTER INSERT ON sms BEGIN
    INSERT OR IGNORE INTO threads (_id, address, address_key) VALUES (NEW.thread_id, NEW.address, NEW.address);
    INSERT INTO thread_refresh VALUES (NEW.thread_id);
END;
CREATE TRIGGER sms_updated AFTER UPDATE OF thread_id, date, read, type, body ON sms BEGIN
    INSERT INTO thread_refresh VALUES (OLD.thread_id);
    INSERT INTO thread_refresh SELECT NEW.thread_id WHERE NEW.thread_id <> OLD.thread_id;
END;
CREATE TRIGGER sms_deleted AFTER DELETE ON sms BEGIN
    INSERT INTO thread_refresh VALUES (OLD.thread_id);
END;

CREATE TRIGGER thread_deleted AFTER DELETE ON threads BEGIN
    DELETE FROM sms WHERE thread_id = OLD._id;
END;

CREATE VIEW view_conversations AS
SELECT _id, _id AS thread_id, address, date, message_count, unread_count, snippet, pinned, muted, archived, blocked
FROM threads;

CREATE VIEW view_simple_threads AS
SELECT _id, date, message_count, CAST(_id AS TEXT) AS recipient_ids, snippet, 0 AS snippet_cs, unread_count = 0 AS read,
    archived, 0 AS type, snippet_type = 5 AS error, 0 AS has_attachment
FROM threads;

CREATE VIEW view_sms_conversations AS
SELECT _id, _id AS thread_id, message_count AS msg_count, snippet, date FROM threads;

CREATE VIEW view_canonical_addresses AS SELECT _id, address FROM threads;
