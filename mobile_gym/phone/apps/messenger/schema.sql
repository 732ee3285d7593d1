-- Everybody that the account knows; row 1 is the owner. A name shown is the remark, else the name.
-- Status: self, friend, request (asks to be added), stranger (found by search, or a member of a group).
CREATE TABLE contacts (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    remark TEXT NOT NULL DEFAULT '',
    phonetic TEXT NOT NULL DEFAULT '',
    account TEXT NOT NULL DEFAULT '',
    number TEXT NOT NULL DEFAULT '',
    avatar TEXT NOT NULL DEFAULT '',
    region TEXT NOT NULL DEFAULT '',
    signature TEXT NOT NULL DEFAULT '',
    note TEXT NOT NULL DEFAULT '',
    status TEXT NOT NULL DEFAULT 'friend' CHECK (status IN ('self', 'friend', 'request', 'stranger')),
    tags TEXT NOT NULL DEFAULT '',
    starred INTEGER NOT NULL DEFAULT 0,
    blacklisted INTEGER NOT NULL DEFAULT 0,
    hide_my_moments INTEGER NOT NULL DEFAULT 0,
    hide_their_moments INTEGER NOT NULL DEFAULT 0,
    request_text TEXT NOT NULL DEFAULT '',
    request_date INTEGER NOT NULL DEFAULT 0,
    requested INTEGER NOT NULL DEFAULT 0
);

-- One a person (kind single) or a group. Date, last message and counts follow the messages.
CREATE TABLE chats (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL DEFAULT 'single' CHECK (kind IN ('single', 'group')),
    contact_id INTEGER UNIQUE,
    name TEXT NOT NULL DEFAULT '',
    avatar TEXT NOT NULL DEFAULT '',
    announcement TEXT NOT NULL DEFAULT '',
    my_nickname TEXT NOT NULL DEFAULT '',
    owner_id INTEGER NOT NULL DEFAULT 1,
    pinned INTEGER NOT NULL DEFAULT 0,
    muted INTEGER NOT NULL DEFAULT 0,
    hidden INTEGER NOT NULL DEFAULT 0,
    marked_unread INTEGER NOT NULL DEFAULT 0,
    saved INTEGER NOT NULL DEFAULT 0,
    show_names INTEGER NOT NULL DEFAULT 1,
    draft TEXT NOT NULL DEFAULT '',
    unread_count INTEGER NOT NULL DEFAULT 0,
    mention_count INTEGER NOT NULL DEFAULT 0,
    last_id INTEGER,
    date INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE members (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    chat_id INTEGER NOT NULL,
    contact_id INTEGER NOT NULL,
    nickname TEXT NOT NULL DEFAULT '',
    UNIQUE (chat_id, contact_id)
);

-- The owner is in every group.
CREATE TRIGGER group_inserted AFTER INSERT ON chats WHEN NEW.kind = 'group' BEGIN
    INSERT INTO members (chat_id, contact_id, nickname) VALUES (NEW._id, 1, NEW.my_nickname);
END;
CREATE TRIGGER nickname_updated AFTER UPDATE OF my_nickname ON chats WHEN NEW.kind = 'group' BEGIN
    UPDATE members SET nickname = NEW.my_nickname WHERE chat_id = NEW._id AND contact_id = 1;
END;

-- Kinds: text, image (source), voice (seconds; body is what was said), red_packet, transfer, poll (ref_id is their row),
-- card (ref_id is the contact), location (body is the place, source its address), file (body is the name, source the
-- path, size in bytes), system. `recalled` messages show as a line; `mentions_me` is an @ for the owner.
CREATE TABLE messages (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    chat_id INTEGER NOT NULL,
    sender_id INTEGER NOT NULL,
    kind TEXT NOT NULL DEFAULT 'text',
    body TEXT NOT NULL DEFAULT '',
    source TEXT NOT NULL DEFAULT '',
    ref_id INTEGER,
    quote_id INTEGER,
    seconds INTEGER NOT NULL DEFAULT 0,
    size INTEGER NOT NULL DEFAULT 0,
    mentions TEXT NOT NULL DEFAULT '',
    mentions_me INTEGER NOT NULL DEFAULT 0,
    date INTEGER NOT NULL,
    read INTEGER NOT NULL DEFAULT 0,
    seen INTEGER NOT NULL DEFAULT 0,
    played INTEGER NOT NULL DEFAULT 0,
    recalled INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX messages_of_chat ON messages (chat_id, date);
CREATE INDEX messages_unseen ON messages (date) WHERE seen = 0;

-- A row inserted here brings a chat in line with its messages.
CREATE VIEW chat_refresh AS SELECT 0 AS chat_id;
CREATE TRIGGER chat_refreshed INSTEAD OF INSERT ON chat_refresh BEGIN
    UPDATE chats SET
        unread_count = (SELECT COUNT(*) FROM messages WHERE chat_id = NEW.chat_id AND read = 0 AND sender_id <> 1
            AND kind <> 'system' AND recalled = 0),
        mention_count = (SELECT COUNT(*) FROM messages WHERE chat_id = NEW.chat_id AND read = 0 AND mentions_me = 1
            AND recalled = 0),
        last_id = (SELECT _id FROM messages WHERE chat_id = NEW.chat_id ORDER BY date DESC, _id DESC LIMIT 1),
        date = COALESCE((SELECT MAX(date) FROM messages WHERE chat_id = NEW.chat_id), date)
    WHERE _id = NEW.chat_id;
END;
CREATE TRIGGER message_inserted AFTER INSERT ON messages BEGIN
    UPDATE chats SET hidden = 0 WHERE _id = NEW.chat_id AND hidden = 1;
    INSERT INTO chat_refresh VALUES (NEW.chat_id);
END;
CREATE TRIGGER message_updated AFTER UPDATE OF chat_id, date, read, recalled, mentions_me ON messages BEGIN
    INSERT INTO chat_refresh VALUES (OLD.chat_id);
    INSERT INTO chat_refresh SELECT NEW.chat_id WHERE NEW.chat_id <> OLD.chat_id;
END;
CREATE TRIGGER message_deleted AFTER DELETE ON messages BEGIN
    INSERT INTO chat_refresh VALUES (OLD.chat_id);
END;
CREATE TRIGGER chat_deleted AFTER DELETE ON chats BEGIN
    DELETE FROM messages WHERE chat_id = OLD._id;
    DELETE FROM members WHERE chat_id = OLD._id;
END;
CREATE TRIGGER contact_deleted AFTER DELETE ON contacts BEGIN
    DELETE FROM chats WHERE contact_id = OLD._id;
    DELETE FROM members WHERE contact_id = OLD._id;
    DELETE FROM moments WHERE author_id = OLD._id;
    DELETE FROM likes WHERE contact_id = OLD._id;
    DELETE FROM comments WHERE author_id = OLD._id;
END;

-- The owner's money, in cents; the balance follows the records. `pin_wrong` counts wrong PINs in a row, and after too
-- many of them the PIN is locked until `pin_locked_until`, a moment in milliseconds.
CREATE TABLE wallet (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    balance_cents INTEGER NOT NULL DEFAULT 0,
    pin TEXT NOT NULL DEFAULT '246810',
    pin_wrong INTEGER NOT NULL DEFAULT 0,
    pin_locked_until INTEGER NOT NULL DEFAULT 0
);
-- Kinds: red_packet_out, red_packet_in, transfer_out, transfer_in, refund, top_up, withdraw.
CREATE TABLE wallet_records (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    amount_cents INTEGER NOT NULL,
    contact_id INTEGER,
    chat_id INTEGER,
    ref_id INTEGER,
    date INTEGER NOT NULL
);
CREATE TRIGGER wallet_record_inserted AFTER INSERT ON wallet_records BEGIN
    UPDATE wallet SET balance_cents = balance_cents + NEW.amount_cents;
END;

-- State: open, finished. A red packet makes its message and, if the owner sent it, takes its money.
CREATE TABLE red_packets (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    chat_id INTEGER NOT NULL,
    sender_id INTEGER NOT NULL,
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    count INTEGER NOT NULL DEFAULT 1 CHECK (count > 0),
    greeting TEXT NOT NULL DEFAULT '',
    state TEXT NOT NULL DEFAULT 'open',
    date INTEGER NOT NULL
);
CREATE TABLE red_packet_shares (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    red_packet_id INTEGER NOT NULL,
    contact_id INTEGER NOT NULL,
    amount_cents INTEGER NOT NULL,
    date INTEGER NOT NULL,
    UNIQUE (red_packet_id, contact_id)
);
CREATE TRIGGER red_packet_inserted AFTER INSERT ON red_packets BEGIN
    INSERT INTO messages (chat_id, sender_id, kind, body, ref_id, date, read, seen)
    VALUES (NEW.chat_id, NEW.sender_id, 'red_packet', NEW.greeting, NEW._id, NEW.date,
        NEW.sender_id = 1, NEW.sender_id = 1);
    INSERT INTO wallet_records (kind, amount_cents, chat_id, ref_id, date)
    SELECT 'red_packet_out', -NEW.amount_cents, NEW.chat_id, NEW._id, NEW.date WHERE NEW.sender_id = 1;
END;
CREATE TRIGGER red_packet_shared AFTER INSERT ON red_packet_shares BEGIN
    INSERT INTO wallet_records (kind, amount_cents, contact_id, chat_id, ref_id, date)
    SELECT 'red_packet_in', NEW.amount_cents, sender_id, chat_id, _id, NEW.date FROM red_packets
    WHERE _id = NEW.red_packet_id AND NEW.contact_id = 1;
    UPDATE red_packets SET state = 'finished' WHERE _id = NEW.red_packet_id
        AND count <= (SELECT COUNT(*) FROM red_packet_shares WHERE red_packet_id = NEW.red_packet_id);
END;

-- State: pending, received, returned.
CREATE TABLE transfers (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    chat_id INTEGER NOT NULL,
    sender_id INTEGER NOT NULL,
    receiver_id INTEGER NOT NULL,
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    note TEXT NOT NULL DEFAULT '',
    state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'received', 'returned')),
    date INTEGER NOT NULL,
    settled_date INTEGER
);
CREATE TRIGGER transfer_inserted AFTER INSERT ON transfers BEGIN
    INSERT INTO messages (chat_id, sender_id, kind, body, ref_id, date, read, seen)
    VALUES (NEW.chat_id, NEW.sender_id, 'transfer', NEW.note, NEW._id, NEW.date, NEW.sender_id = 1, NEW.sender_id = 1);
    INSERT INTO wallet_records (kind, amount_cents, contact_id, chat_id, ref_id, date)
    SELECT 'transfer_out', -NEW.amount_cents, NEW.receiver_id, NEW.chat_id, NEW._id, NEW.date WHERE NEW.sender_id = 1;
    INSERT INTO wallet_records (kind, amount_cents, contact_id, chat_id, ref_id, date)
    SELECT 'transfer_in', NEW.amount_cents, NEW.sender_id, NEW.chat_id, NEW._id, NEW.date
    WHERE NEW.receiver_id = 1 AND NEW.state = 'received';
END;
CREATE TRIGGER transfer_settled AFTER UPDATE OF state ON transfers WHEN OLD.state = 'pending' BEGIN
    INSERT INTO wallet_records (kind, amount_cents, contact_id, chat_id, ref_id, date)
    SELECT 'transfer_in', NEW.amount_cents, NEW.sender_id, NEW.chat_id, NEW._id, COALESCE(NEW.settled_date, NEW.date)
    WHERE NEW.state = 'received' AND NEW.receiver_id = 1;
    INSERT INTO wallet_records (kind, amount_cents, contact_id, chat_id, ref_id, date)
    SELECT 'refund', NEW.amount_cents, NEW.receiver_id, NEW.chat_id, NEW._id, COALESCE(NEW.settled_date, NEW.date)
    WHERE NEW.state = 'returned' AND NEW.sender_id = 1;
END;

-- `options` are the choices, with | between them; a vote names one of them. A poll makes its message.
CREATE TABLE polls (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    chat_id INTEGER NOT NULL,
    author_id INTEGER NOT NULL,
    question TEXT NOT NULL,
    options TEXT NOT NULL,
    multiple INTEGER NOT NULL DEFAULT 0,
    closed INTEGER NOT NULL DEFAULT 0,
    date INTEGER NOT NULL
);
CREATE TABLE votes (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    poll_id INTEGER NOT NULL,
    contact_id INTEGER NOT NULL,
    choice TEXT NOT NULL,
    date INTEGER NOT NULL,
    UNIQUE (poll_id, contact_id, choice)
);
CREATE TRIGGER poll_inserted AFTER INSERT ON polls BEGIN
    INSERT INTO messages (chat_id, sender_id, kind, body, ref_id, date, read, seen)
    VALUES (NEW.chat_id, NEW.author_id, 'poll', NEW.question, NEW._id, NEW.date, NEW.author_id = 1, NEW.author_id = 1);
END;
CREATE TRIGGER poll_deleted AFTER DELETE ON polls BEGIN
    DELETE FROM votes WHERE poll_id = OLD._id;
    DELETE FROM messages WHERE kind = 'poll' AND ref_id = OLD._id;
END;

-- Visibility: public, private, some, except; `people` are the contacts' ids of the last two, with commas between.
-- `pictures` are picture sources with | between.
CREATE TABLE moments (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    author_id INTEGER NOT NULL,
    body TEXT NOT NULL DEFAULT '',
    pictures TEXT NOT NULL DEFAULT '',
    location TEXT NOT NULL DEFAULT '',
    visibility TEXT NOT NULL DEFAULT 'public' CHECK (visibility IN ('public', 'private', 'some', 'except')),
    people TEXT NOT NULL DEFAULT '',
    date INTEGER NOT NULL
);
CREATE TABLE likes (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    moment_id INTEGER NOT NULL,
    contact_id INTEGER NOT NULL,
    date INTEGER NOT NULL,
    UNIQUE (moment_id, contact_id)
);
CREATE TABLE comments (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    moment_id INTEGER NOT NULL,
    author_id INTEGER NOT NULL,
    reply_to_id INTEGER,
    body TEXT NOT NULL,
    date INTEGER NOT NULL
);
CREATE TRIGGER moment_deleted AFTER DELETE ON moments BEGIN
    DELETE FROM likes WHERE moment_id = OLD._id;
    DELETE FROM comments WHERE moment_id = OLD._id;
END;

CREATE TABLE favourites (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    message_id INTEGER,
    kind TEXT NOT NULL DEFAULT 'text',
    body TEXT NOT NULL DEFAULT '',
    source TEXT NOT NULL DEFAULT '',
    ref_id INTEGER,
    size INTEGER NOT NULL DEFAULT 0,
    seconds INTEGER NOT NULL DEFAULT 0,
    author TEXT NOT NULL DEFAULT '',
    date INTEGER NOT NULL
);

CREATE TABLE settings (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    value TEXT NOT NULL
);
INSERT INTO settings (name, value) VALUES
    ('notify', '1'), ('notify_preview', '1'), ('notify_sound', '1'), ('notify_vibrate', '1'), ('notify_moments', '1'),
    ('verify_requests', '1'), ('find_by_number', '1'), ('find_by_account', '1'), ('recommend', '0'),
    ('moments_range', 'all'), ('moments_strangers', '0'), ('moments_seen', '0'), ('font_size', '1'),
    ('enter_sends', '0'), ('earpiece', '0'), ('download_wifi', '1'), ('login_check', '1'), ('password', 'fangyi1958'),
    ('cover', 'photo/lake sunrise');

CREATE VIEW people AS
SELECT *, CASE remark WHEN '' THEN name ELSE remark END AS title FROM contacts;

CREATE VIEW view_chats AS
SELECT c.*, CASE c.kind WHEN 'group' THEN c.name ELSE p.title END AS title,
    (SELECT COUNT(*) FROM members WHERE chat_id = c._id) AS member_count,
    (SELECT body FROM messages WHERE _id = c.last_id) AS snippet
FROM chats c LEFT JOIN people p ON p._id = c.contact_id;
CREATE VIEW view_messages AS
SELECT m.*, v.title AS chat, p.title AS sender
FROM messages m JOIN view_chats v ON v._id = m.chat_id LEFT JOIN people p ON p._id = m.sender_id;
CREATE VIEW view_members AS
SELECT m.*, v.title AS chat, p.title AS contact
FROM members m JOIN view_chats v ON v._id = m.chat_id LEFT JOIN people p ON p._id = m.contact_id;
CREATE VIEW view_red_packets AS
SELECT r.*, v.title AS chat, p.title AS sender
FROM red_packets r LEFT JOIN view_chats v ON v._id = r.chat_id LEFT JOIN people p ON p._id = r.sender_id;
CREATE VIEW view_red_packet_shares AS
SELECT s.*, p.title AS contact FROM red_packet_shares s LEFT JOIN people p ON p._id = s.contact_id;
CREATE VIEW view_transfers AS
SELECT t.*, v.title AS chat, p.title AS sender, q.title AS receiver
FROM transfers t LEFT JOIN view_chats v ON v._id = t.chat_id LEFT JOIN people p ON p._id = t.sender_id
LEFT JOIN people q ON q._id = t.receiver_id;
CREATE VIEW view_polls AS
SELECT l.*, v.title AS chat, p.title AS author
FROM polls l LEFT JOIN view_chats v ON v._id = l.chat_id LEFT JOIN people p ON p._id = l.author_id;
CREATE VIEW view_votes AS
SELECT v.*, l.question, p.title AS contact
FROM votes v LEFT JOIN polls l ON l._id = v.poll_id LEFT JOIN people p ON p._id = v.contact_id;
CREATE VIEW view_moments AS
SELECT m.*, p.title AS author, (SELECT COUNT(*) FROM likes WHERE moment_id = m._id) AS like_count
FROM moments m LEFT JOIN people p ON p._id = m.author_id;
CREATE VIEW view_likes AS
SELECT l.*, p.title AS contact, m.body AS moment
FROM likes l LEFT JOIN people p ON p._id = l.contact_id LEFT JOIN moments m ON m._id = l.moment_id;
CREATE VIEW view_comments AS
SELECT c.*, p.title AS author, q.title AS reply_to, m.body AS moment
FROM comments c LEFT JOIN people p ON p._id = c.author_id LEFT JOIN people q ON q._id = c.reply_to_id
LEFT JOIN moments m ON m._id = c.moment_id;
