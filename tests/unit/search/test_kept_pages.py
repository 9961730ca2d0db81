"""Pages are kept by all that can change a word of them; each answer is a copy of its own."""

from __future__ import annotations

from typing import Any

import pytest

from shared.search.requests.form_fields import FORM_FIELDS
from shared.search.requests.search_request import SearchRequest
from shared.search.result_sets.kept_pages import LARGEST_PART, KeptPages, page_name

FOUND: Any = {"version": "v", "summary": {"cache": "hit"}}
CHANGED: dict[str, Any] = {
    "query": "TREM2  Microglia", "queries": ["tau"], "max_results": 5, "providers": "pubmed", "date_from": "2015",
    "date_to": "2020", "journal": "Nature", "author": "Colonna M", "open_access": True, "min_citations": 3,
    "publication_types": "review", "language": "en", "field_of_study": "medicine", "exclude_preprints": True,
    "include_retracted": False, "cite_in_kg": False, "sort": "date", "ranking": "impact", "detail": "compact",
    "fields": "key", "include_abstract": True, "abstract_chars": 100, "max_tokens": 5_000,
}  # fmt: skip
OF_THE_CALL = {
    "context": {"type": "debate", "id": "1"}, "fresh": False, "timeout_ms": 5_000, "patience_ms": 100,
}  # fmt: skip


def name_of(**fields: Any) -> str | None:
    return page_name(FOUND, SearchRequest.model_validate({"query": "TREM2 microglia", **fields}))


def test_every_field_of_a_request_is_in_the_name_or_changes_no_word_of_the_page() -> None:
    assert set(SearchRequest.model_fields) == {*CHANGED, *OF_THE_CALL, "cursor"}
    assert set(OF_THE_CALL) | {"cursor"} <= FORM_FIELDS


@pytest.mark.parametrize("field", sorted(CHANGED))
def test_another_value_is_another_page(field: str) -> None:
    assert name_of(**{field: CHANGED[field]}) != name_of()


def test_fields_of_the_call_alone_name_the_same_page() -> None:
    assert name_of(**OF_THE_CALL) == name_of()


def test_a_default_that_is_written_is_another_page_since_actions_may_repeat_it() -> None:
    assert name_of(sort="relevance") != name_of()


def test_another_version_or_use_of_the_result_set_is_another_page() -> None:
    request = SearchRequest.model_validate({"query": "TREM2 microglia"})
    sets: list[Any] = [FOUND, {**FOUND, "version": "w"}, {**FOUND, "summary": {"cache": "coalesced"}}]
    assert len({page_name(it, request) for it in sets}) == 3


def test_a_page_has_no_name_without_a_version_with_a_cursor_or_with_words_read_as_a_person() -> None:
    assert page_name({"summary": {"cache": "miss"}}, SearchRequest.model_validate({"query": "tau"})) is None  # type: ignore[typeddict-item]
    assert name_of(cursor="c") is None
    assert name_of(query="papers by Marco Colonna") is None


def test_each_answer_is_a_copy_of_the_page() -> None:
    pages = KeptPages()
    made: Any = {"results": [{"key": "a", "score": 0.1}], "hints": []}
    pages.keep("one", made)
    first: Any = pages.get("one")
    first["results"][0]["key"] = "b"
    first["hints"].append("c")
    assert pages.get("one") == made == {"results": [{"key": "a", "score": 0.1}], "hints": []}
    assert pages.get("two") is None


def test_pages_give_way_in_the_order_in_which_they_were_last_used() -> None:
    pages = KeptPages(most_chars=100)
    large: Any = {"query": "x" * (100 // LARGEST_PART)}
    pages.keep("large", large)
    assert pages.get("large") is None
    page: Any = {"q": "abc"}  # eleven characters
    for name in "abcdefghi":
        pages.keep(name, page)
        pages.keep(name, page)
    assert pages.get("a") == page
    pages.keep("j", page)
    assert [name for name in "abcdefghij" if pages.get(name) is None] == ["b"]
