"""Words of which nothing is left to search for are refused; words of every script, however short, are searched for."""

from __future__ import annotations

from typing import Any

import pytest

from infra.local.machine import Machine
from tests.integration.mcp_calls import message
from tests.integration.papers_calls import call, fetch

SEARCH = "/v1/literature-search"
NOTHING = [
    pytest.param("\u200b", id="zero-width space"),
    pytest.param("\ufeff", id="byte order mark"),
    pytest.param("\u202e\u202c", id="marks of direction"),
    pytest.param("\u00ad\u2060 \u2062", id="soft hyphen, word joiner, invisible operator"),
    pytest.param("\u200d\ufe0f", id="a joiner and a variation selector"),
    pytest.param("\u3164\u115f\uffa0", id="Hangul fillers"),
    pytest.param("\u2800", id="a blank of Braille"),
    pytest.param("\U000e0041", id="a tag character"),
    pytest.param("\x00\x01\x7f", id="control characters"),
    pytest.param("<script></script>", id="an element without text"),
    pytest.param("<b></b> <i/>", id="two elements without text"),
    pytest.param("&nbsp;&#8203;", id="entities of blanks"),
    pytest.param("?!…", id="punctuation"),
    pytest.param('"\u200b"', id="a phrase of nothing"),
]


@pytest.mark.parametrize("text", NOTHING)
@pytest.mark.parametrize("fields", [
    {"query": None}, {"queries": ["TREM2", None]}, {"query": None, "author": "Colonna"},
])  # fmt: skip
def test_a_query_without_a_visible_letter_is_refused(running: Machine, text: str, fields: dict[str, Any]) -> None:
    (name,) = {"query", "queries"} & fields.keys()
    asked = {**fields, name: text if fields[name] is None else [it or text for it in fields[name]]}
    status, problem = call(running, "POST", SEARCH, asked)
    assert (status, [fault["field"] for fault in problem["errors"]]) == (422, [name])
    assert problem["errors"][0]["message"] == "the query holds no letter or digit to search for"
    if len(asked) == 1 and name == "query":
        assert call(running, "GET", SEARCH, query=text)[0] == 422


@pytest.mark.parametrize("tool", ["literature_search", "pubmed_search", "search"])
@pytest.mark.parametrize("text", NOTHING)
def test_the_tools_refuse_it_as_well(running: Machine, tool: str, text: str) -> None:
    refused = message(running, tool, {"query": text})
    assert refused["isError"]
    assert [it["field"] for it in refused["structuredContent"]["errors"]] == ["query"]


@pytest.mark.parametrize("name", ["journal", "author"])
@pytest.mark.parametrize("text", NOTHING)
def test_a_name_without_a_visible_letter_is_refused_since_it_would_filter_nothing(
    running: Machine, name: str, text: str
) -> None:
    status, problem = call(running, "POST", SEARCH, {"query": "TREM2", name: text})
    assert (status, [fault["field"] for fault in problem["errors"]]) == (422, [name])


@pytest.mark.parametrize("text", ["\u200b", "<script></script>", "\u3164"])
def test_a_question_of_nothing_is_refused_by_its_own_name(running: Machine, text: str) -> None:
    status, problem = call(running, "POST", "/v1/passages", {"question": text})
    assert (status, [fault["field"] for fault in problem["errors"]]) == (422, ["question"])


@pytest.mark.parametrize(
    "text", ["癌", "ไทย", "क्\u200dष", "عرب\u200cية", "می\u200cخواهم", "한글", "α", "C", "2", "רפואה"]
)
def test_a_short_query_of_any_script_is_searched_for(running: Machine, text: str) -> None:
    asked = {"query": text, "cite_in_kg": False, "providers": "pubmed"}
    answer = fetch(running, "POST", SEARCH, asked)
    assert answer["query"] == text
    assert answer["results"] or answer["hints"]


@pytest.mark.parametrize("text", ["🧠 TREM2 🧠", "\ufeffTREM2", "TREM2\u200b", "<b>TREM2</b>", "TREM2 👩\u200d⚕\ufe0f"])
def test_words_are_found_beside_characters_that_show_nothing(running: Machine, text: str) -> None:
    plain = fetch(running, "POST", SEARCH, {"query": "TREM2", "cite_in_kg": False, "providers": "pubmed"})
    found = fetch(running, "POST", SEARCH, {"query": text, "cite_in_kg": False, "providers": "pubmed"})
    assert [it["key"] for it in found["results"]] == [it["key"] for it in plain["results"]] != []
