"""How large an answer is: what each detail shows, and that ten papers keep within their tokens."""

from __future__ import annotations

from typing import Any

import pytest

from shared.answers.search import StoredPaper
from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Author, Location, OpenAccess, Paper, Retraction, RetractionStatus
from shared.search.page import unranked
from shared.search.request import Sized
from shared.search.sizes import COMPACT_FIELDS, RESULT_FIELDS, STANDARD_TOKENS, page_sized, sized, tokens, within_budget
from tests.unit.records import merge_records

LONG = "Microglia survey the brain and change their state around amyloid plaques, which depends on a receptor. " * 16


def look(**fields: Any) -> Sized:
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


def test_ten_standard_results_stay_under_their_tokens_and_have_every_field() -> None:
    shown, cut = page_sized(TEN, look())
    assert all(list(it) == list(RESULT_FIELDS) for it in shown)
    assert sum(map(tokens, shown)) <= STANDARD_TOKENS
    assert cut == 10
    assert all(str(it["abstract"]).endswith("…") for it in shown)


def test_provider_scores_are_reduced_only_when_abstracts_need_the_space() -> None:
    (alone,), _ = page_sized([result()], look())
    (crowded, *_), _ = page_sized(TEN, look())
    assert (len(alone["provider_scores"]), alone["citation_counts"]) == (5, TEN[0]["citation_counts"])
    assert crowded["provider_scores"] == {"crossref": crowded["best_score"]}
    assert crowded["citation_counts"] == {"crossref": 1234}


def test_ten_compact_results_stay_under_1500_tokens() -> None:
    shown, cut = page_sized(TEN, look(detail="compact"))
    assert all(list(it) == [name for name in RESULT_FIELDS if name in COMPACT_FIELDS] or set(it) == set(COMPACT_FIELDS)
               for it in shown)  # fmt: skip
    assert sum(map(tokens, shown)) < 1_500
    assert cut == 0
    assert {it["abstract"] for it in shown} == {None}


def test_full_leaves_nothing_out() -> None:
    shown, cut = page_sized(TEN, look(detail="full"))
    assert cut == 0
    assert shown == [{name: value for name, value in it.items() if name in RESULT_FIELDS} for it in TEN]


def test_short_abstracts_are_whole_and_long_ones_share_the_rest() -> None:
    mixed = [result(1, "Short."), result(2, None), *(result(number) for number in range(3, 11))]
    shown, cut = page_sized(mixed, look())
    assert (shown[0]["abstract"], shown[1]["abstract"], cut) == ("Short.", None, 8)
    lengths = {len(it["abstract"] or "") for it in shown[2:]}
    assert max(lengths) - min(lengths) < 30
    assert sum(map(tokens, shown)) <= STANDARD_TOKENS


def test_a_short_page_shows_whole_abstracts() -> None:
    (shown,), cut = page_sized([result()], look())
    assert (shown["abstract"], cut) == (TEN[0]["abstract"], 0)


def test_a_requested_abstract_length_is_applied() -> None:
    shown, cut = page_sized(TEN, look(abstract_chars=900))
    assert cut == 10
    assert all(800 < len(it["abstract"] or "") <= 901 for it in shown)
    assert page_sized(TEN, look(abstract_chars=100_000))[1] == 0


def test_a_compact_page_shows_abstracts_only_on_request() -> None:
    (shown,), _ = page_sized([result()], look(detail="compact", abstract_chars=100))
    assert 80 < len(shown["abstract"] or "") <= 101


def test_selected_fields_are_complete() -> None:
    shown = sized(TEN[0], look(fields=("provenance", "abstract", "score_parts")))
    assert list(shown) == ["abstract", "score_parts", "provenance"]
    assert shown["provenance"]["title"] == ["crossref", "europe_pmc", "openalex", "pubmed", "semantic_scholar"]
    assert shown["abstract"] == TEN[0]["abstract"]


def test_without_abstracts_none_is_shown_and_none_counts_as_cut() -> None:
    shown, cut = page_sized(TEN, look(include_abstract=False))
    assert ({it["abstract"] for it in shown}, cut) == ({None}, 0)
    assert shown[0]["tldr"]


@pytest.mark.parametrize(
    "text", ["微小胶质细胞" * 300, "ميكروغليا " * 200, "🧠🔬" * 300], ids=["Chinese", "Arabic", "emoji"]
)
def test_other_scripts_count_by_their_bytes(text: str) -> None:
    shown, _ = page_sized([result(number, text) for number in range(1, 11)], look())
    assert sum(map(tokens, shown)) <= STANDARD_TOKENS * 1.02


def test_a_budget_cuts_whole_results_and_says_so() -> None:
    shown, _ = page_sized(TEN, look())
    within, left_out = within_budget(shown, 1_500)
    assert 1 <= len(within) < 4
    assert left_out is not None
    assert left_out["results"] == 10 - len(within)
    assert within_budget(shown[:1], 1)[0] == shown[:1]
