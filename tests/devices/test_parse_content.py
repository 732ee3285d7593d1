"""Rows of content providers, whose values are not quoted."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobile_gym.devices.parse.content import ContentError, guess_columns, missing_column, parse_rows


def printed(rows: list[dict[str, str | None]]) -> str:
    return "".join(
        f"Row: {number} "
        + ", ".join(f"{name}={'NULL' if value is None else value}" for name, value in row.items())
        + "\n"
        for number, row in enumerate(rows)
    )


def test_null_and_empty_values_are_told_apart() -> None:
    assert parse_rows("Row: 0 _id=1, name=NULL, note=\n") == [{"_id": "1", "name": None, "note": ""}]


def test_no_result_is_no_row() -> None:
    assert parse_rows("No result found.\n") == []
    assert parse_rows("No result found.\r\n") == []


@pytest.mark.parametrize(
    "body",
    [
        "Hi, you, there",
        "a\nb\r\nc",
        "x=1, y=2",
        "line\nRow: 5 nothing",
        "trailing, ",
        " , date=yesterday, then",
        "",
        "é, 中=文",
    ],
)
def test_commas_line_ends_and_equals_signs_in_a_value(body: str) -> None:
    rows: list[dict[str, str | None]] = [
        {"_id": "1", "address": "+1111", "body": body, "date": "1693421073675"},
        {"_id": "2", "address": "+1112", "body": "b", "date": "1693421073676"},
    ]
    assert parse_rows(printed(rows), ["_id", "address", "body", "date"]) == rows


def test_a_value_that_looks_like_the_next_column_goes_where_the_numbers_fit() -> None:
    rows: list[dict[str, str | None]] = [{"body": "see, date=5", "date": "17"}]
    assert parse_rows(printed(rows), ["body", "date"]) == rows
    rows = [{"date": "17", "body": "see, date=5, body=6"}]
    assert parse_rows(printed(rows), ["date", "body"]) == rows


def test_columns_that_only_one_row_seems_to_have_are_part_of_a_value() -> None:
    text = "Row: 0 _id=1, body=hello, x=5, read=1\nRow: 1 _id=2, body=b, read=0\n"
    assert guess_columns(text) == ["_id", "body", "read"]
    assert parse_rows(text) == [
        {"_id": "1", "body": "hello, x=5", "read": "1"},
        {"_id": "2", "body": "b", "read": "0"},
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Could not find provider: nothing\n",
        "[ERROR] Unsupported argument: --foo\nusage: adb shell content [subcommand]\n",
        "cmd: Can't find service: content",
        "Row: zero a=1",
        "Row: 0 ",
    ],
)
def test_errors_are_never_rows(text: str) -> None:
    with pytest.raises(ContentError):
        parse_rows(text)


def test_an_answer_with_other_columns_is_an_error() -> None:
    with pytest.raises(ContentError):
        parse_rows("Row: 0 _id=1, name=a\n", ["_id", "number"])


def test_the_column_that_a_provider_lacks_is_named() -> None:
    assert missing_column("SQLiteException: no such column: x5 (code 1 SQLITE_ERROR)") == "x5"
    assert missing_column("java.lang.IllegalArgumentException: Invalid column x5") == "x5"
    assert missing_column("java.lang.SecurityException") is None


@given(st.text(), st.none() | st.lists(st.text(min_size=1), min_size=1, max_size=4))
def test_any_text_gives_rows_or_a_content_error(text: str, columns: list[str] | None) -> None:
    with contextlib.suppress(ContentError):
        parse_rows(text, columns)


@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "_id": st.integers(0, 10**12).map(str),
                "name": st.none() | st.text(max_size=20).filter(lambda value: value != "NULL" and ", " not in value),
                "date": st.integers(0, 10**12).map(str),
            }
        ),
        max_size=5,
    )
)
def test_printed_rows_come_back(rows: list[dict[str, str | None]]) -> None:
    rows = [{name: row[name] for name in ("_id", "name", "date")} for row in rows]
    rows = [row for row in rows if "\nRow: " not in f"\n{row['name']}" and "\r" not in (row["name"] or "")]
    assert parse_rows(printed(rows) or "No result found.", ["_id", "name", "date"]) == rows
