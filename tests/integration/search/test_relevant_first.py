"""The order of results as a reader would have it, over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from infra.local.machine import Machine
from tests.integration.papers_calls import fetch

pytestmark = pytest.mark.slow  # many searches, whose kinds tests/ways_of_asking samples


def search(local: Machine, query: str, **fields: Any) -> dict[str, Any]:
    return dict(fetch(local, "POST", "/v1/literature-search", {"query": query, "cite_in_kg": False, **fields}))


def titles(answer: dict[str, Any]) -> list[str]:
    return [result["title"] for result in answer["results"]]


def hints(answer: dict[str, Any]) -> dict[str, str]:
    return {hint["reason"]: hint["message"] for hint in answer["hints"]}


def test_the_paper_on_the_named_drug_comes_first(running: Machine) -> None:
    assert "ydroxychloroquine" in titles(search(running, "hydroxychloroquine COVID-19 mortality"))[0]


@pytest.mark.parametrize("title", ["Attention is not Explanation", "Attention is not not Explanation"])
def test_an_exact_title_comes_before_one_that_repeats_a_word(running: Machine, title: str) -> None:
    assert titles(search(running, title))[0].casefold() == title.casefold()


def test_function_words_of_a_sentence_decide_nothing(running: Machine) -> None:
    answer = search(running, "Reconnaissance de formes par TREM2 dans la maladie d'Alzheimer")
    assert "TREM2" in titles(answer)[0]


def test_a_subject_that_no_paper_has_is_named_in_a_hint(running: Machine) -> None:
    assert "metformin" in hints(search(running, "does metformin reduce cancer risk?"))["absent_words"]


def test_a_capitalised_word_that_no_paper_has_may_be_a_name(running: Machine) -> None:
    assert "`author`" in hints(search(running, "Jennifer Zyzzyxen CRISPR"))["absent_words"]
    assert "`author`" not in hints(search(running, "zyzzyxen CRISPR"))["absent_words"]


def test_names_and_years_that_papers_have_are_not_called_absent(running: Machine) -> None:
    absent = hints(search(running, "colonna TREM2 2016 zzyzx"))["absent_words"]
    assert "zzyzx" in absent
    assert "colonna" not in absent and "2016" not in absent


@pytest.mark.parametrize(
    ("reference", "title"),
    [
        ("Jumper J, et al. Nature 2021;596:583-589", "Highly accurate protein structure prediction with AlphaFold"),
        (
            "@article{vaswani2017attention, title={Attention is all you need}, "
            "author={Vaswani, Ashish and Shazeer, Noam}, journal={NeurIPS}, year={2017}}",
            "Attention is All you Need",
        ),
    ],
)
def test_a_pasted_reference_is_one_call_away_from_its_paper(running: Machine, reference: str, title: str) -> None:
    answer = search(running, reference)
    assert "/v1/resolve" in hints(answer)["reference"]
    (action,) = (it for it in answer["next_actions"] if it["tool"] == "resolve_references")
    (found,) = fetch(running, "POST", "/v1/resolve", action["arguments"])["references"]
    assert (found["status"], found["paper"]["title"]) == ("matched", title)


@pytest.mark.parametrize("query", ["TREM2 microglia", "10.1038/s41586-021-03819-2", "IL-6 (2020) trial: outcomes"])
def test_other_queries_get_no_hint_on_references(running: Machine, query: str) -> None:
    assert "reference" not in hints(search(running, query))


def test_papers_that_hardly_fit_have_low_scores_and_are_not_queued(running: Machine) -> None:
    answer = search(running, "blockchain governance of fisheries in TREM2", cite_in_kg=True)
    if answer["results"]:
        assert max(result["score"] for result in answer["results"]) < 0.3
        assert "weak_match" in hints(answer)
        assert answer["kg"]["queued"] == 0


def test_greek_letters_and_their_names_find_the_same(running: Machine) -> None:
    one, other = search(running, "amyloid β plaques microglia"), search(running, "amyloid-beta plaques microglia")
    assert len({*titles(one)[:5]} & {*titles(other)[:5]}) >= 3


def test_an_unknown_citation_count_is_no_zero_in_the_impact_ranking(running: Machine) -> None:
    answer = search(running, "TREM2 microglia", ranking="impact")
    scores = [result["score"] for result in answer["results"]]
    assert len({*scores}) > 1
    assert "TREM2" in titles(answer)[0]


@pytest.mark.parametrize("query", ["meta-analysis AND systematic[sb]", "attention AND OPEN_ACCESS:y"])
def test_a_source_that_leaves_out_a_filter_by_tag_is_not_trusted_with_it(running: Machine, query: str) -> None:
    """Only its owner may vouch for it, or a record that says so itself: that a copy is open."""
    owner = "pubmed" if "[sb]" in query else "europe_pmc"
    answer = search(running, query, detail="full")
    assert answer["results"]
    for result in answer["results"]:
        says_so = "OPEN_ACCESS" in query and result["open_access"]["is_oa"]
        assert owner in result["provider_scores"] or says_so
