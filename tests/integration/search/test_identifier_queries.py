"""A query that is an identifier is looked up; its paper comes first, and nothing is searched for its digits."""

from __future__ import annotations

from typing import Any

import pytest

from infra.local.machine import Machine
from tests.integration.papers_calls import call, fetch

pytestmark = pytest.mark.slow  # many searches, whose kinds tests/ways_of_asking samples

ALPHAFOLD = "10.1038/s41586-021-03819-2"


def search(local: Machine, **fields: Any) -> dict[str, Any]:
    return dict(fetch(local, "POST", "/v1/literature-search", {"cite_in_kg": False, **fields}))


def reasons(answer: dict[str, Any]) -> list[str]:
    return [hint["reason"] for hint in answer["hints"]]


@pytest.mark.parametrize(("query", "doi"), [
    (ALPHAFOLD, ALPHAFOLD),
    (f"https://doi.org/{ALPHAFOLD}", ALPHAFOLD),
    ("PMID:36107206", "10.1084/jem.20212479"),
    ("arXiv:1706.03762", None),
    ("https://arxiv.org/abs/1706.03762v5", None),
])  # fmt: skip
def test_the_paper_that_an_identifier_names_is_the_only_result(running: Machine, query: str, doi: str | None) -> None:
    answer = search(running, query=query)
    assert answer["total_count"] == 1
    assert "identifier" in reasons(answer)
    (result,) = answer["results"]
    assert result["score"] == 1.0
    if query.startswith("PMID"):
        assert result["pmid"] == "36107206"
    elif doi:
        assert result["doi"] == doi
    else:
        assert (
            result["title"].startswith("Attention is all you need") or result["external_ids"]["arxiv"] == "1706.03762"
        )


def test_a_number_alone_is_read_as_a_pmid_with_a_hint(running: Machine) -> None:
    answer = search(running, query="36107206")
    assert [result["pmid"] for result in answer["results"]] == ["36107206"]
    assert "number" in reasons(answer)


def test_a_year_alone_gets_a_hint_instead_of_noise(running: Machine) -> None:
    answer = search(running, query="2020")
    assert (answer["results"], answer["providers_searched"]) == ([], [])
    assert "number" in reasons(answer)


def test_an_identifier_that_no_source_has_finds_nothing_and_says_so(running: Machine) -> None:
    answer = search(running, query="10.9999/does.not.exist")
    assert answer["results"] == []
    assert "not_found" in reasons(answer)
    (hint,) = [hint for hint in answer["hints"] if hint["reason"] == "not_found"]
    assert "doi:10.9999/does.not.exist" in hint["message"]


def test_several_identifiers_come_in_the_order_of_the_query(running: Machine) -> None:
    answer = search(running, query=f"PMID:36107206, {ALPHAFOLD}")
    assert [result["pmid"] == "36107206" for result in answer["results"]] == [True, False]
    assert answer["results"][1]["doi"] == ALPHAFOLD


def test_an_identifier_among_words_comes_before_what_the_words_find(running: Machine) -> None:
    answer = search(running, query=f"TREM2 microglia {ALPHAFOLD}", detail="full")
    assert answer["results"][0]["doi"] == ALPHAFOLD
    assert answer["results"][0]["score_parts"]["identifier"] == 1000.0
    assert "TREM2" in answer["results"][1]["title"]


def test_the_next_page_and_a_file_have_the_same_first_paper(running: Machine) -> None:
    first = search(running, query=f"TREM2 {ALPHAFOLD}", max_results=1)
    second = search(running, cursor=first["next_cursor"], max_results=1)
    assert first["results"][0]["doi"] == ALPHAFOLD != second["results"][0]["doi"]


def test_an_author_alone_is_a_search(running: Machine) -> None:
    answer = search(running, author="Colonna M")
    assert answer["results"]
    assert all(any("Colonna" in name for name in result["authors"]) or result["author_count"] > 5
               for result in answer["results"])  # fmt: skip


@pytest.mark.parametrize("query", [
    "retrieval-augmented generation (RAG)",
    "large language models (LLMs) for chemistry",
    "role of triggering receptor expressed on myeloid cells 2 (TREM2) in Alzheimer's disease",
])  # fmt: skip
def test_an_abbreviation_in_parentheses_empties_no_search(running: Machine, query: str) -> None:
    assert search(running, query=query)["total_count"] > 5


@pytest.mark.parametrize("query", [
    "36107206[pmid]", "EXT_ID:36107206 AND SRC:MED", 'DOI:"10.1084/jem.20212479"', "PMID 36107206",
    "https://europepmc.org/article/MED/36107206", "10.1084/jem.20212479 OR 36107206[uid]",
])  # fmt: skip
def test_an_identifier_in_the_language_of_a_source_is_looked_up(running: Machine, query: str) -> None:
    answer = search(running, query=query)
    assert answer["results"][0]["doi"] == "10.1084/jem.20212479"
    assert "weak_match" not in reasons(answer)


def test_a_filter_that_excludes_the_paper_is_blamed_and_not_the_identifier(running: Machine) -> None:
    answer = search(running, query="10.1084/jem.20212479", date_from="2024")
    assert answer["results"] == []
    assert "filters_too_narrow" in reasons(answer)
    assert "not_found" not in reasons(answer)


def test_a_source_that_cannot_look_an_identifier_up_leaves_the_answer_incomplete(running: Machine) -> None:
    answer = search(running, query="10.1084/jem.20212479", providers=["arxiv"])
    assert (answer["complete"], answer["results"]) == (False, [])
    assert answer["providers"]["arxiv"]["outcome"] == "skipped_unsupported_filter"
    assert "not_found" not in reasons(answer)


def test_more_identifiers_than_a_query_may_have_are_refused(running: Machine) -> None:
    query = " ".join(f"PMID:{number}" for number in range(36107200, 36107230))
    status, problem = call(running, "POST", "/v1/literature-search", {"query": query})
    assert status == 422
    assert "more than 20" in problem["errors"][0]["message"]


def test_an_identifier_with_an_author_is_looked_up_alone(running: Machine) -> None:
    answer = search(running, query="10.1084/jem.20212479", author="Colonna M")
    assert answer["total_count"] <= 1
    assert all(report["returned"] <= 1 for report in answer["providers"].values())


def test_filters_that_admit_nothing_of_a_source_leave_the_answer_complete(running: Machine) -> None:
    answer = search(running, query="COVID-19", exclude_preprints=True)
    assert answer["providers"]["arxiv"]["outcome"] == "skipped_unsupported_filter"
    assert answer["complete"] is True


def test_an_operator_of_another_search_engine_gets_a_hint(running: Machine) -> None:
    assert "operators" in reasons(search(running, query="TNF -alpha"))
    assert "syntax" in reasons(search(running, query="attention -vision"))
