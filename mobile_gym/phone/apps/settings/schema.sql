-- Networks in reach or saved, and Bluetooth devices in reach or paired.
CREATE TABLE wifi_networks (
    _id INTEGER PRIMARY KEY,
    ssid TEXT NOT NULL UNIQUE,
    security TEXT NOT NULL DEFAULT 'wpa2' CHECK (security IN ('open', 'wpa2', 'wpa3')),
    password TEXT NOT NULL DEFAULT '',
    saved INTEGER NOT NULL DEFAULT 0,
    connected INTEGER NOT NULL DEFAULT 0,
    signal INTEGER NOT NULL DEFAULT 3 CHECK (signal BETWEEN 0 AND 4),
    auto_join INTEGER NOT NULL DEFAULT 1,
    metered INTEGER NOT NULL DEFAULT 0
);
-- `signal` 0: out of reach. Only one network is connected; a connected one is saved.
CREATE TRIGGER wifi_one_insert AFTER INSERT ON wifi_networks WHEN NEW.connected = 1 BEGIN
    UPDATE wifi_networks SET connected = 0 WHERE _id <> NEW._id AND connected = 1;
    UPDATE wifi_networks SET saved = 1 WHERE _id = NEW._id;
END;
CREATE TRIGGER wifi_one_update AFTER UPDATE OF connected ON wifi_networks WHEN NEW.connected = 1 AND OLD.connected = 0 BEGIN
    UPDATE wifi_networks SET connected = 0 WHERE _id <> NEW._id AND connected = 1;
    UPDATE wifi_networks SET saved = 1 WHERE _id = NEW._id;
END;
CREATE TRIGGER wifi_forget AFTER UPDATE OF saved ON wifi_networks WHEN NEW.saved = 0 AND NEW.connected = 1 BEGIN
    UPDATE wifi_networks SET connected = 0 WHERE _id = NEW._id;
END;

CREATE TABLE bluetooth_devices (
    _id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    address TEXT NOT NULL UNIQUE,
    paired INTEGER NOT NULL DEFAULT 0,
    connected INTEGER NOT NULL DEFAULT 0,
    kind TEXT NOT NULL DEFAULT 'other'
        CHECK (kind IN ('hearing_aid', 'headset', 'speaker', 'watch', 'car', 'computer', 'keyboard', 'phone', 'tv', 'other')),
    battery INTEGER,
    code TEXT NOT NULL DEFAULT '',
    in_reach INTEGER NOT NULL DEFAULT 1,
    media INTEGER NOT NULL DEFAULT 1,
    calls INTEGER NOT NULL DEFAULT 1
);
-- `code`: the pairing code that both sides show. A connected device is paired.
CREATE TRIGGER bluetooth_paired_insert AFTER INSERT ON bluetooth_devices WHEN NEW.connected = 1 AND NEW.paired = 0 BEGIN
    UPDATE bluetooth_devices SET paired = 1 WHERE _id = NEW._id;
END;
CREATE TRIGGER bluetooth_paired_update AFTER UPDATE OF connected ON bluetooth_devices
WHEN NEW.connected = 1 AND NEW.paired = 0 BEGIN
    UPDATE bluetooth_devices SET paired = 1 WHERE _id = NEW._id;
END;
CREATE TRIGGER bluetooth_unpaired AFTER UPDATE OF paired ON bluetooth_devices WHEN NEW.paired = 0 AND NEW.connected = 1 BEGIN
    UPDATE bluetooth_devices SET connected = 0 WHERE _id = NEW._id;
END;
