-- Contacts as Android keeps them: a raw contact, and rows of data (name, numbers, addresses) that belong to it.
-- Every raw contact is a contact of its own, with the same number.
CREATE TABLE raw_contacts (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    contact_id INTEGER,
    account_name TEXT,
    account_type TEXT,
    display_name TEXT,
    phonetic_name TEXT,
    starred INTEGER NOT NULL DEFAULT 0,
    photo_uri TEXT,
    custom_ringtone TEXT,
    send_to_voicemail INTEGER NOT NULL DEFAULT 0,
    times_contacted INTEGER NOT NULL DEFAULT 0,
    last_time_contacted INTEGER NOT NULL DEFAULT 0,
    version INTEGER NOT NULL DEFAULT 1,
    dirty INTEGER NOT NULL DEFAULT 1,
    deleted INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE data (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    raw_contact_id INTEGER NOT NULL,
    mimetype TEXT NOT NULL,
    is_primary INTEGER NOT NULL DEFAULT 0,
    is_super_primary INTEGER NOT NULL DEFAULT 0,
    data_version INTEGER NOT NULL DEFAULT 0,
    data1 TEXT, data2 TEXT, data3 TEXT, data4 TEXT, data5 TEXT,
    data6 TEXT, data7 TEXT, data8 TEXT, data9 TEXT, data10 TEXT,
    data11 TEXT, data12 TEXT, data13 TEXT, data14 TEXT, data15 TEXT
);
CREATE INDEX data_of_raw_contact ON data (raw_contact_id, mimetype);

-- A contact belongs to a group through a row of data: mimetype group_membership, data1 the group's _id.
CREATE TABLE groups (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_name TEXT,
    account_type TEXT,
    title TEXT,
    notes TEXT,
    system_id TEXT,
    deleted INTEGER NOT NULL DEFAULT 0,
    group_visible INTEGER NOT NULL DEFAULT 1,
    favorites INTEGER NOT NULL DEFAULT 0
);
CREATE TRIGGER group_deleted AFTER DELETE ON groups BEGIN
    DELETE FROM data WHERE mimetype = 'vnd.android.cursor.item/group_membership' AND data1 = CAST(OLD._id AS TEXT);
END;

CREATE TRIGGER raw_contact_inserted AFTER INSERT ON raw_contacts BEGIN
    UPDATE raw_contacts SET contact_id = _id WHERE _id = NEW._id;
END;

CREATE TRIGGER raw_contact_deleted AFTER DELETE ON raw_contacts BEGIN
    DELETE FROM data WHERE raw_contact_id = OLD._id;
END;

-- The name of a contact is that of its name row, else its organisation, nickname, number or address.
CREATE VIEW name_refresh AS SELECT 0 AS raw_contact_id;
CREATE TRIGGER name_refreshed INSTEAD OF INSERT ON name_refresh BEGIN
    UPDATE raw_contacts SET
        display_name = COALESCE(
            (SELECT COALESCE(NULLIF(data1, ''), NULLIF(TRIM(COALESCE(data2, '') || ' ' || COALESCE(data3, '')), ''))
             FROM data WHERE raw_contact_id = NEW.raw_contact_id AND mimetype = 'vnd.android.cursor.item/name' LIMIT 1),
            (SELECT data1 FROM data WHERE raw_contact_id = NEW.raw_contact_id
             AND mimetype = 'vnd.android.cursor.item/organization' LIMIT 1),
            (SELECT data1 FROM data WHERE raw_contact_id = NEW.raw_contact_id
             AND mimetype = 'vnd.android.cursor.item/nickname' LIMIT 1),
            (SELECT data1 FROM data WHERE raw_contact_id = NEW.raw_contact_id
             AND mimetype = 'vnd.android.cursor.item/phone_v2' ORDER BY _id LIMIT 1),
            (SELECT data1 FROM data WHERE raw_contact_id = NEW.raw_contact_id
             AND mimetype = 'vnd.android.cursor.item/email_v2' ORDER BY _id LIMIT 1)),
        phonetic_name = (
            SELECT NULLIF(TRIM(COALESCE(data9, '') || ' ' || COALESCE(data8, '') || ' ' || COALESCE(data7, '')), '')
            FROM data WHERE raw_contact_id = NEW.raw_contact_id AND mimetype = 'vnd.android.cursor.item/name' LIMIT 1),
        version = version + 1
    WHERE _id = NEW.raw_contact_id;
END;

CREATE TRIGGER data_inserting BEFORE INSERT ON data
WHEN NOT EXISTS (SELECT 1 FROM raw_contacts WHERE _id = NEW.raw_contact_id) BEGIN
    SELECT RAISE(ABORT, 'raw_contact_id names no raw contact');
END;
CREATE TRIGGER data_inserted AFTER INSERT ON data BEGIN
    INSERT INTO name_refresh VALUES (NEW.raw_contact_id);
END;
CREATE TRIGGER data_updated AFTER UPDATE OF raw_contact_id, mimetype, data1, data2, data3, data7, data8, data9 ON data BEGIN
    INSERT INTO name_refresh VALUES (OLD.raw_contact_id);
    INSERT INTO name_refresh VALUES (NEW.raw_contact_id);
END;
CREATE TRIGGER data_deleted AFTER DELETE ON data BEGIN
    INSERT INTO name_refresh VALUES (OLD.raw_contact_id);
END;

CREATE VIEW view_data AS
SELECT data._id, raw_contact_id, contact_id, mimetype, data1, data2, data3, data4, data5, data6, data7, data8, data9,
    data10, data11, data12, data13, data14, data15, is_primary, is_super_primary, data_version,
    display_name, phonetic_name, starred, photo_uri, account_name, account_type, times_contacted, last_time_contacted
FROM data JOIN raw_contacts ON raw_contacts._id = data.raw_contact_id
WHERE raw_contacts.deleted = 0;

CREATE VIEW view_contacts AS
SELECT contact_id AS _id, _id AS name_raw_contact_id, display_name, COALESCE(phonetic_name, display_name) AS sort_key,
    phonetic_name, starred, photo_uri, custom_ringtone, send_to_voicemail, times_contacted, last_time_contacted,
    EXISTS (SELECT 1 FROM data WHERE raw_contact_id = raw_contacts._id
            AND mimetype = 'vnd.android.cursor.item/phone_v2') AS has_phone_number
FROM raw_contacts WHERE deleted = 0;

-- The address of the oldest contacts provider, which the shell still knows.
CREATE VIEW view_phones AS
SELECT _id, contact_id AS person, display_name, data1 AS number, data2 AS type
FROM view_data WHERE mimetype = 'vnd.android.cursor.item/phone_v2';

CREATE VIEW view_groups AS
SELECT groups.*,
    (SELECT COUNT(DISTINCT raw_contact_id) FROM data
     WHERE mimetype = 'vnd.android.cursor.item/group_membership' AND data1 = CAST(groups._id AS TEXT)) AS summ_count
FROM groups WHERE deleted = 0;
