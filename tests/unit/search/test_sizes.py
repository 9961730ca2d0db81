"""How large an answer is: what each detail shows, and that ten papers keep within their tokens."""

from __future__ import annotations

from typing import Any

import pytest

from shared.answers.search import StoredPaper
from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Author, Location, OpenAccess, Paper, Retraction, RetractionStatus
from shared.search.requests.search_request import Sized
from shared.search.results import unranked
from shared.search.sizes.abstract_cuts import ABSTRACT_CHARS
from shared.search.sizes.details import (
    COMPACT_FIELDS,
    COMPACT_TOKENS,
    RESULT_FIELDS,
    STANDARD_FIELDS,
    STANDARD_TOKENS,
    cut_fields,
    page_sized,
    sized,
)
from shared.search.sizes.token_budget import tokens, within_budget
from tests.unit.records import merge_records

LONG = "Microglia survey the brain and change their state around amyloid plaques, which depends on a receptor. " * 16


def size(**fields: Any) -> Sized:
    """A request for an answer of some size."""
    return Sized.model_validate(fields)


def result(number: int = 1, abstract: str | None = LONG) -> StoredPaper:
    """A realistic paper: five sources, ten authors, a title of two lines."""
    places = tuple(
        Location(f"https://example.org/{number}/{it}", "publishedVersion", "cc-by", "publisher") for it in "ab"
    )
    ids = Identifiers(
        doi=f"10.1016/j.neuron.2019.{number:06}", pmid=f"3012{number:04}", pmcid=f"PMC612{number:04}",
        paper_id=f"{number:040x}", openalex=f"W2912{number:06}", europe_pmc=f"MED:3012{number:04}",
    )  # fmt: skip
    records = [
        Paper(
            provider=name, rank=number, ids=ids, abstract=abstract, year=2019, publication_date="2019-06-05",
            title=f"A receptor on microglia, and what its loss does to the plaques of {number} mice within a year",
            authors=tuple(Author(f"Familyname{it}", f"Given{it} B.") for it in range(10)), author_count=10,
            journal="Journal of Neuroinflammation", volume="16", issue="1", pages=f"{number}-{number + 12}",
            type="journal-article", language="en", citation_count=1234, tldr="Loss of the receptor changes plaques.",
            open_access=OpenAccess(True, places[0].url, "cc-by", places), retraction=Retraction(RetractionStatus.NONE),
        )
        for name in ("crossref", "europe_pmc", "openalex", "pubmed", "semantic_scholar")
    ]  # fmt: skip
    (paper,) = merge_records(records)
    scores = dict.fromkeys(("crossref", "europe_pmc", "openalex", "pubmed", "semantic_scholar"), 0.912345)
    shown = unranked(paper)
    shown.update(
        {
            "provider_scores": scores,
            "best_provider": "crossref",
            "best_score": 0.912345,
            "score": 0.812345,
            "score_parts": {"votes": 0.1, "text": 0.2, "feedback": 0.3, "title": 0.1, "citations": 0.1},
        }
    )
    return shown


TEN = [result(number) for number in range(1, 11)]


def test_ten_standard_results_stay_under_their_tokens_and_have_the_fields_of_every_paper() -> None:
    shown = page_sized(TEN, size())
    assert all(set(STANDARD_FIELDS) <= set(it) for it in shown)
    assert sum(map(tokens, shown)) <= STANDARD_TOKENS
    assert all(len(it["provider_scores"]) == 5 for it in shown)
    assert [it["citation_counts"] for it in shown] == [it["citation_counts"] for it in TEN]


def test_a_standard_abstract_ends_with_a_sentence() -> None:
    shown = sized(result(), size())
    assert str(shown["abstract"]).endswith("on a receptor.…")
    assert ABSTRACT_CHARS - len(LONG) // 16 < len(shown["abstract"] or "") <= ABSTRACT_CHARS
    assert cut_fields([result()], [shown], size()) == {"abstract": 1, "authors": 1}


def test_a_standard_paper_omits_what_says_nothing() -> None:
    shown = sized(result(), size())
    assert not {"versions", "possible_duplicates", "found_by", "score_parts", "provenance", "retraction"} & set(shown)
    assert shown["external_ids"] == {"pmcid": "PMC6120001"}
    assert shown["open_access"] == {"is_oa": True, "url": "https://example.org/1/a", "license": "cc-by"}
    assert (shown["publication_date"], "language" in shown) == ("2019-06-05", False)


def test_ten_compact_results_stay_under_their_tokens() -> None:
    shown = page_sized(TEN, size(detail="compact"), ["receptor"], envelope=300.0)
    assert all(tuple(it) == COMPACT_FIELDS for it in shown)
    assert sum(map(tokens, shown)) < COMPACT_TOKENS - 300
    assert all(len(it["authors"]) == 1 and it["is_oa"] is True for it in shown)


def test_a_compact_abstract_is_the_sentence_that_fits_best() -> None:
    text = "Microglia survey the brain. Loss of TREM2 changes plaques. We conclude."
    shown = page_sized([result(1, text)], size(detail="compact"), ["trem2", "plaque"])
    assert shown[0]["abstract"] == "…Loss of TREM2 changes plaques.…"


def long_titles(count: int) -> list[StoredPaper]:
    return [{**result(number), "title": f"{result(number)['title']}, in both sexes"} for number in range(count)]


@pytest.mark.parametrize(("count", "max_tokens", "is_whole"), [(3, None, True), (10, None, False), (10, 4_000, True)])
def test_a_compact_title_is_cut_only_where_there_is_no_room(count: int, max_tokens: int | None, is_whole: bool) -> None:
    papers = long_titles(count)
    request = size(detail="compact", max_tokens=max_tokens)
    shown = page_sized(papers, request, ["receptor"], envelope=300.0)
    assert [it["title"] == paper["title"] for it, paper in zip(shown, papers, strict=True)] == [is_whole] * count
    assert ("title" in cut_fields(papers, shown, request)) is not is_whole


def test_full_leaves_nothing_out() -> None:
    shown = page_sized(TEN, size(detail="full"))
    assert cut_fields(TEN, shown, size(detail="full")) == {}
    assert shown == [{name: value for name, value in it.items() if name in RESULT_FIELDS} for it in TEN]


def test_short_abstracts_are_whole_and_unknown_ones_null() -> None:
    shown = page_sized([result(1, "Short."), result(2, None)], size())
    assert [it["abstract"] for it in shown] == ["Short.", None]


def test_a_requested_abstract_length_is_applied() -> None:
    shown = page_sized(TEN, size(abstract_chars=900))
    assert all(800 < len(it["abstract"] or "") <= 901 for it in shown)
    assert [it["abstract"] for it in page_sized(TEN, size(abstract_chars=100_000))] == [it["abstract"] for it in TEN]


@pytest.mark.parametrize("fields", [{"abstract_chars": 300}, {"include_abstract": True}], ids=str)
def test_a_compact_paper_has_its_abstract_on_request(fields: dict[str, Any]) -> None:
    assert len(sized(result(), size(detail="compact", **fields))["abstract"] or "") > 200
    assert sized(result(), size(detail="compact"))["abstract"] is None  # there is no query that a sentence could fit


def test_selected_fields_are_complete() -> None:
    shown = sized(TEN[0], size(fields=("provenance", "abstract", "score_parts")))
    assert list(shown) == ["abstract", "score_parts", "provenance"]
    assert shown["provenance"]["title"] == ["crossref", "europe_pmc", "openalex", "pubmed", "semantic_scholar"]
    assert shown["abstract"] == TEN[0]["abstract"]


def test_without_abstracts_none_is_shown_and_none_counts_as_cut() -> None:
    shown = page_sized(TEN, size(include_abstract=False))
    assert {it["abstract"] for it in shown} == {None}
    assert cut_fields(TEN, shown, size()) == {"authors": 10}


@pytest.mark.parametrize(
    "text", ["微小胶质细胞" * 300, "ميكروغليا " * 200, "🧠🔬" * 600], ids=["Chinese", "Arabic", "emoji"]
)
def test_other_scripts_count_by_their_bytes(text: str) -> None:
    shown = page_sized([result(number, text) for number in range(1, 11)], size())
    assert sum(map(tokens, shown)) <= STANDARD_TOKENS * 1.02


def test_a_budget_cuts_whole_results() -> None:
    shown = page_sized(TEN, size())
    assert 1 <= len(within_budget(shown, 2_500)) < 4
    assert within_budget(shown, 2_500, envelope=2_400.0) == []
    assert within_budget(shown, None) == shown
