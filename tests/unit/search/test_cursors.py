"""Cursors: those already given out stay readable, and both kinds refuse the same texts."""

from __future__ import annotations

import pytest

from shared import cursors
from shared.cursors import decode_cursor, encode_cursor
from shared.errors import Unprocessable
from shared.search.result_sets.cursor import Cursor, read_cursor, read_filtered_cursor

RESULT_SET = "0123456789abcdef" * 2
# As earlier versions gave them out.
OF_A_RESULT_SET = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY6MjA"
OF_THE_GRAPH = "Y2l0ZXMgZG9pOjEwLjEvw6k_Pw"


def test_cursors_that_were_given_out_stay_readable() -> None:
    assert read_cursor(OF_A_RESULT_SET) == Cursor(RESULT_SET, 20)
    assert str(Cursor(RESULT_SET, 20)) == OF_A_RESULT_SET
    assert cursors.read_cursor("cites", OF_THE_GRAPH) == "doi:10.1/é??"
    assert cursors.write_cursor("cites", "doi:10.1/é??") == OF_THE_GRAPH


def test_a_cursor_of_a_filtered_result_set_is_of_one_route_alone() -> None:
    cursor = Cursor("f" * 32, 20, RESULT_SET)
    assert read_filtered_cursor(str(cursor), "f" * 32, RESULT_SET) == cursor
    with pytest.raises(Unprocessable) as refused:
        read_cursor(str(cursor))
    assert f"/v1/result-sets/{RESULT_SET}" in (refused.value.hint or "")


@pytest.mark.parametrize(
    ("cursor", "said", "hint"),
    [
        (Cursor(RESULT_SET, 20), "of another route", "the route it came from"),
        (Cursor("f" * 32, 20, "e" * 32), "of another result set", f"/v1/result-sets/{'e' * 32}"),
        (Cursor("e" * 32, 20, RESULT_SET), "other filters", ""),
    ],
)
def test_a_result_set_says_where_the_cursor_of_another_list_belongs(cursor: Cursor, said: str, hint: str) -> None:
    with pytest.raises(Unprocessable) as refused:
        read_filtered_cursor(str(cursor), "f" * 32, RESULT_SET)
    assert said in refused.value.message and hint in (refused.value.hint or "")


@pytest.mark.parametrize("position", ["", "a", "ab", "abc", "abcd", "é“", "\x00 ~", "?" * 900])
def test_a_token_is_url_safe_and_decodes_to_its_value(position: str) -> None:
    token = encode_cursor(position)
    assert not set(token) & set("+/= ")
    assert decode_cursor(token) == position


@pytest.mark.parametrize(
    "token",
    [
        "a",  # no whole byte
        "é",
        "_w",  # a byte that is not UTF-8
        # A result set's cursor was read without these, the graph's was refused.
        f"{OF_A_RESULT_SET[:4]}!{OF_A_RESULT_SET[4:]}",
        f"{OF_A_RESULT_SET} ",
        f"{OF_A_RESULT_SET}\n",
    ],
)
def test_an_invalid_token_is_refused_by_both(token: str) -> None:
    assert decode_cursor(token) is None
    with pytest.raises(Unprocessable):
        read_cursor(token)
    with pytest.raises(Unprocessable):
        cursors.read_cursor("cites", token)


def test_digits_of_other_scripts_are_no_offset() -> None:
    with pytest.raises(Unprocessable):
        read_cursor(encode_cursor(f"{RESULT_SET}:٢٠"))
