-- What lies where on the home screen. Container -100 is the desktop, -101 the dock, any other number a folder's _id.
-- Type 0 is an app, 2 a folder. Cells count from the top left, row by row.
CREATE TABLE favorites (
    _id INTEGER PRIMARY KEY AUTOINCREMENT,
    container INTEGER NOT NULL DEFAULT -100,
    screen INTEGER NOT NULL DEFAULT 0,
    cell INTEGER NOT NULL DEFAULT 0,
    itemType INTEGER NOT NULL DEFAULT 0,
    package TEXT,
    title TEXT
);
-- Packages that the launcher has met: a new one gets an icon, one whose icon was taken away stays in the drawer only.
CREATE TABLE known (package TEXT PRIMARY KEY);
