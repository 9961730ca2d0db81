"""Result fields are defined once, in `shared.answers.search.Paper`; a page has its fields in the published order."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from shared.answers import paper_parts
from shared.answers import search as answers
from shared.aws.dynamodb.result_sets import form, form_of
from shared.bibliography import paper as bibliography
from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import MergedPaper
from shared.outcomes import Outcome
from shared.search.page import page_of
from shared.search.ranking.formula import rank
from shared.search.requests.search_request import read_request
from shared.search.result_sets.cursor import Cursor
from shared.search.result_sets.store import SearchSummary
from shared.search.results import converted_fields, unranked
from shared.search.search_terms import result_set_of
from shared.search.sizes.details import COMPACT_FIELDS, RESULT_FIELDS
from tests.unit.records import merge_records, record

(PAPER,) = merge_records([record("Stripes of the zebrafish", "Turing, A.", 1952, doi="10.1/z")])
ATTRIBUTES = {field.name for field in fields(MergedPaper)}
NOT_SHOWN = {"references", "author_parts"}


def test_every_field_of_a_result_is_converted_or_an_attribute_of_the_merged_paper() -> None:
    converted = set(converted_fields(PAPER))
    assert set(RESULT_FIELDS) - converted <= ATTRIBUTES
    assert converted - NOT_SHOWN <= set(RESULT_FIELDS)


def test_a_field_with_the_same_name_and_form_is_copied_without_a_line_of_its_own() -> None:
    copied = [name for name in RESULT_FIELDS if name not in converted_fields(PAPER)]
    result: dict[str, Any] = {**unranked(PAPER)}
    assert {"title", "year", "abstract", "tldr", "key"} <= set(copied)
    assert [result[name] for name in copied] == [getattr(PAPER, name) for name in copied]


def test_a_result_has_the_published_fields_in_their_order() -> None:
    assert [*RESULT_FIELDS, "is_oa"] == [*answers.Paper.__annotations__]
    assert [*unranked(PAPER)] == [*RESULT_FIELDS, "references", "author_parts"]
    assert set(COMPACT_FIELDS) - {"is_oa"} <= set(RESULT_FIELDS)


def test_result_sets_with_other_fields_have_another_form() -> None:
    """A page of a result set that was stored before a field existed would be an internal error."""
    assert form_of(RESULT_FIELDS) == form()
    assert form_of((*RESULT_FIELDS, "funder_count")) != form()
    assert form_of(RESULT_FIELDS[::-1]) != form()


@pytest.mark.parametrize(
    ("answer", "record_type"),
    [
        (answers.ExternalIds, Identifiers),
        (paper_parts.Location, bibliography.Location),
        (paper_parts.OpenAccess, bibliography.OpenAccess),
        (answers.Retraction, bibliography.Retraction),
        (paper_parts.Version, bibliography.Version),
        (answers.Duplicate, bibliography.Duplicate),
        (answers.AuthorParts, bibliography.Author),
    ],
)
def test_the_parts_of_a_result_have_the_fields_of_their_records(answer: Any, record_type: Any) -> None:
    assert [*answer.__annotations__] == [field.name for field in fields(record_type)]


def test_a_page_has_its_fields_in_the_published_order() -> None:
    request = read_request({"query": "zebrafish"}, {"pubmed"})
    summary: SearchSummary = {
        "total_count": 1,
        "providers_searched": ["pubmed"],
        "complete": True,
        "providers": {"pubmed": {"outcome": Outcome.OK, "source": "live", "returned": 1, "warnings": []}},
        "cache": "miss",
        "hints": [],
    }
    result_set = result_set_of(request, rank([PAPER], ["zebrafish"], {}), summary)
    page = page_of(result_set, request, Cursor(result_set["result_set_id"], 0), request)
    assert " ".join(page) == (
        "query total_count returned results providers_searched search_time_ms complete providers cache result_set_id "
        "next_cursor kg hints next_actions truncated request_id content_trust"
    )
    assert [paper["title"] for paper in page["results"]] == ["Stripes of the zebrafish"]


# The same records for all answers: each has ids of its own.
ZEBRAFISH = merge_records(
    [
        record(f"Zebrafish {number}", "Turing, A.", 1952, doi=f"10.1/{number}", abstract=" ".join("words" * 60))
        for number in range(10)
    ]
)


def answer_of(elapsed_ms: int, cache: str, *, warning: str = "", **form: Any) -> Any:
    request = read_request({"query": "zebrafish", **form}, {"pubmed"})
    report: Any = {
        "outcome": Outcome.OK, "source": "cache" if cache == "hit" else "live", "returned": 1, "elapsed_ms": elapsed_ms,
        "warnings": [warning], "effective_query": "zebrafish " * 10,
    }  # fmt: skip
    summary: Any = {
        "total_count": 10, "providers_searched": ["pubmed"], "complete": True, "hints": [], "cache": cache,
        "providers": {f"source {number}": report for number in range(7)},
    }  # fmt: skip
    result_set = result_set_of(request, rank(ZEBRAFISH, ["zebrafish"], {}), summary)
    return page_of(result_set, request, Cursor(result_set["result_set_id"], 0), request)


@pytest.mark.parametrize("chars", range(50))
def test_a_search_and_its_repetition_are_cut_equally(chars: int) -> None:
    """A text was a word shorter where the answer was of another length for a time, or for what the cache had."""
    warning = "w" * chars
    before, after = (answer_of(*it, warning=warning, detail="compact") for it in ((9_000, "miss"), (0, "hit")))
    assert [it["abstract"] for it in before["results"]] == [it["abstract"] for it in after["results"]]
    before, after = (answer_of(*it, warning=warning)["providers"]["source 0"] for it in ((9_000, "miss"), (0, "hit")))
    assert before.get("effective_query") == after.get("effective_query")
    assert before.keys() == after.keys()
