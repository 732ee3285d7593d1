"""Databases: rows in and out, versions, sharing of images, digests."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobile_gym.phone.state import Database

SCHEMA = "CREATE TABLE note (_id INTEGER PRIMARY KEY, title TEXT, stars INTEGER)"


def make() -> Database:
    database = Database()
    database.script(SCHEMA)
    return database


def test_rows_come_back_as_dicts() -> None:
    database = make()
    key = database.insert("note", title="milk", stars=2)
    assert database.row("SELECT * FROM note WHERE _id = ?", key) == {"_id": key, "title": "milk", "stars": 2}
    assert database.value("SELECT title FROM note") == "milk"
    assert database.row("SELECT * FROM note WHERE stars > 5") is None
    database.connection.close()


def test_version_grows_with_every_write_and_only_then() -> None:
    database = make()
    before = database.version
    database.rows("SELECT * FROM note")
    assert database.version == before
    key = database.insert("note", title="a", stars=0)
    after_insert = database.version
    database.update("note", key, stars=1)
    assert before < after_insert < database.version
    version = database.version
    database.image()
    assert database.version == version, "taking the image is no write"
    database.connection.close()


def test_an_untouched_database_keeps_its_image() -> None:
    database = make()
    image = database.image()
    database.rows("SELECT * FROM note")
    assert database.image() is image
    database.insert("note", title="a", stars=0)
    assert database.image() is not image
    database.connection.close()


def test_restore_brings_the_rows_back_and_changes_the_version() -> None:
    database = make()
    database.insert("note", title="kept", stars=0)
    image = database.image()
    database.insert("note", title="gone", stars=0)
    version = database.version
    database.restore(image)
    assert database.version != version
    assert [row["title"] for row in database.rows("SELECT title FROM note")] == ["kept"]
    database.connection.close()


def test_a_schema_change_alone_is_saved() -> None:
    database = make()
    database.image()
    database.script("CREATE TABLE extra (_id INTEGER PRIMARY KEY)")
    copy = Database(database.image())
    assert copy.tables() == ["extra", "note"]
    database.connection.close()
    copy.connection.close()


def test_digest_depends_on_rows_not_on_the_way_to_them() -> None:
    one, other = make(), make()
    one.insert("note", title="a", stars=1)
    for stars in (5, 1):
        other.execute("DELETE FROM note")
        other.insert("note", _id=1, title="a", stars=stars)
    assert one.digest() == other.digest()
    other.update("note", 1, stars=2)
    assert one.digest() != other.digest()
    one.connection.close()
    other.connection.close()


@given(st.lists(st.tuples(st.text(max_size=8), st.integers(-5, 5)), max_size=8))
def test_image_and_back_keeps_every_row(rows: list[tuple[str, int]]) -> None:
    database = make()
    database.insert_many("note", ("title", "stars"), rows)
    copy = Database(database.image())
    assert copy.dump() == database.dump()
    assert copy.digest() == database.digest()
    database.connection.close()
    copy.connection.close()


def test_unknown_table_is_an_error() -> None:
    database = make()
    with pytest.raises(Exception, match="no such table"):
        database.insert("nothing", title="x")
    database.connection.close()
