"""Single references over HTTP events: their ids, their forms, and what is reported when a provider does not answer."""

from __future__ import annotations

from typing import Any

import pytest

from infra.functions import providers_for
from infra.local.machine import Machine
from tests.integration.papers_calls import call, fetch, upstream

TITLE = (
    "Neurodegenerative disease mutations in TREM2 reveal a functional surface and distinct loss-of-function mechanisms"
)
KEY = "doi:10.7554/elife.20391"


def resolved(local: Machine, *references: Any) -> list[dict[str, Any]]:
    return list(fetch(local, "POST", "/v1/resolve", {"references": list(references)})["references"])


def test_an_id_alone_is_matched_by_its_paper(local: Machine) -> None:
    (answers,) = resolved(local, {"doi": "https://doi.org/10.7554/eLife.20391"})
    assert (answers["status"], answers["paper"]["key"], answers["agrees"]) == ("matched", KEY, ["id"])


def test_an_id_with_an_unknown_title_is_mismatched(local: Machine) -> None:
    (answers,) = resolved(
        local, {"doi": "10.7554/eLife.20391", "title": "Whales sing in dialects", "authors": "Kober DL"}
    )
    assert (answers["status"], answers["paper"], answers["named_by_id"]["key"]) == ("mismatched", None, KEY)
    assert answers["fields"]["title"] == {"verdict": "differs", "cited": "Whales sing in dialects", "found": TITLE}


def test_a_wrong_id_does_not_hide_the_paper_of_the_title(local: Machine) -> None:
    (answers,) = resolved(local, {"doi": "10.9999/nobody", "title": TITLE, "authors": ["Kober DL"], "year": 2016})
    assert (answers["status"], answers["paper"]["key"]) == ("matched", KEY)


def test_an_id_in_a_raw_line_is_looked_up(local: Machine) -> None:
    line = f"Kober DL, et al. {TITLE}. eLife. 2016;5:e20391. doi:10.7554/eLife.20391"
    (answers,) = resolved(local, line)
    assert (answers["status"], answers["paper"]["key"]) == ("matched", KEY)
    assert "title" in answers["agrees"]


def test_a_pmid_in_a_raw_line_is_looked_up_too(local: Machine) -> None:
    title = "Opportunities and obstacles for deep learning in biology and medicine"
    (answers,) = resolved(local, f"Ching T, et al. {title}. 2018. PMID: 29618526")
    assert (answers["status"], answers["paper"]["key"]) == ("matched", "doi:10.1098/rsif.2017.0387")
    assert "id" in answers["agrees"]


def test_an_id_of_another_paper_is_mismatched_and_both_papers_are_shown(local: Machine) -> None:
    wrong = {"title": TITLE, "authors": ["Kober DL"], "year": 2016, "doi": "10.1038/nature04533"}
    alone = {"title": TITLE, "doi": "nonsense"}
    answers, unsure = resolved(local, wrong, alone)
    assert (answers["status"], answers["paper"]["key"], answers["differs"]) == ("mismatched", KEY, ["id"])
    assert answers["named_by_id"]["key"] == "doi:10.1038/nature04533"
    assert (answers["fields"]["doi"]["cited"], answers["fields"]["doi"]["found"]) == ("10.1038/nature04533", KEY[4:])
    assert unsure["status"] == "ambiguous"


def test_a_matched_paper_that_was_corrected_says_so(local: Machine) -> None:
    titles = ("Initial sequencing and analysis of the human genome", "Deep learning for computational biology")
    answers = resolved(local, *({"title": title} for title in titles))
    statuses = [it["paper"].get("retraction", {"status": "none"})["status"] for it in answers]
    assert statuses == ["corrected", "none"]


def test_a_source_that_cannot_be_queried_counts_as_unanswered(local: Machine) -> None:
    assert local.sandbox is not None
    local.sandbox.faults["crossref"] = {"status": 503}
    (answers,) = resolved(local, {"journal": "Nature", "year": 2006})
    assert (answers["status"], answers["answered_by"], answers["unanswered"]) == (
        "unanswered",
        [],
        {"crossref": "unavailable"},
    )


def test_one_reference_may_be_given_by_its_own_fields(local: Machine) -> None:
    answers = fetch(
        local, "POST", "/v1/resolve", {"title": TITLE, "authors": "Kober DL; Alexander-Brett JM", "year": "2016"}
    )
    assert (answers["matched"], answers["references"][0]["status"]) == (1, "matched")
    assert answers["references"][0]["reference"]["authors"] == ["Kober DL", "Alexander-Brett JM"]


def test_a_wrong_year_is_reported_and_does_not_prevent_a_match(local: Machine) -> None:
    (answers,) = resolved(local, {"title": TITLE, "authors": ["Kober DL"], "year": 1999})
    assert (answers["status"], answers["differs"]) == ("matched", ["year"])


@pytest.mark.parametrize("year", [2015, 2017])
def test_a_year_beside_the_papers_own_is_reported_too(local: Machine, year: int) -> None:
    (answers,) = resolved(local, {"title": TITLE, "authors": ["Kober DL"], "year": year})
    assert (answers["status"], answers["differs"]) == ("matched", ["year"])
    assert "year" not in answers["agrees"]
    (same,) = resolved(local, {"title": TITLE, "authors": ["Kober DL"], "year": 2016})
    assert (same["status"], same["differs"]) == ("matched", [])


def test_a_title_that_means_several_papers_is_ambiguous_with_all_of_them(local: Machine) -> None:
    (answers,) = resolved(local, {"title": "Correction."})
    assert answers["status"] == "ambiguous"
    assert answers["paper"] is None
    assert all(0 <= candidate["score"] <= 1 for candidate in answers["candidates"])


def test_the_same_question_again_sends_no_request(local: Machine) -> None:
    resolved(local, {"title": TITLE, "year": 2016})
    before = sum(upstream(local).values())
    again = fetch(local, "POST", "/v1/resolve", {"references": [{"title": TITLE, "year": 2016}]})
    assert (again["cache"], sum(upstream(local).values())) == ("hit", before)


def test_a_reference_is_unanswered_if_a_source_failed_that_might_hold_it(local: Machine) -> None:
    assert local.sandbox is not None
    local.sandbox.faults["crossref"] = {"status": 503}
    (answers,) = resolved(local, {"title": "Attention is all you want", "authors": ["Vaswani A"], "year": 2017})
    assert (answers["status"], answers["unanswered"]) == ("unanswered", {"crossref": "unavailable"})
    assert "pubmed" in answers["answered_by"]


LITTLE = {
    "Jonsson 1987": "too little to tell: give the title as well",
    "99999999": "if it is a PMID, write PMID:99999999",
    "99999999, 99999998": "if they are PMIDs, write PMID:99999999, PMID:99999998",
}


@pytest.mark.parametrize(("text", "reason"), LITTLE.items())
def test_a_reference_without_candidates_names_what_to_add(local: Machine, text: str, reason: str) -> None:
    (answers,) = resolved(local, text)
    assert (answers["status"], answers["candidates"]) == ("ambiguous", [])
    assert answers["reason"] == reason


@pytest.mark.parametrize("text", [*LITTLE, "PMID:99999999"])
def test_a_reference_of_too_little_is_unanswered_if_no_source_answered(local: Machine, text: str) -> None:
    assert local.sandbox is not None
    asked = {*providers_for("match"), *providers_for("lookup")} - {"datacite"}
    local.sandbox.faults.update({name: {"status": 500} for name in asked})
    (answers, _) = resolved(local, text, "10.5281/zenodo.3509134")
    assert (answers["status"], answers["answered_by"]) == ("unanswered", [])
    assert set(answers["unanswered"].values()) == {"unavailable"}
    assert "reason" not in answers


def test_no_answer_is_a_failure_and_not_a_missing_paper(local: Machine) -> None:
    assert local.sandbox is not None
    local.sandbox.faults.update({name: {"status": 503} for name in providers_for("match")})
    status, problem = call(local, "POST", "/v1/resolve", {"references": [{"title": TITLE}]})
    assert (status, problem["retryable"]) == (502, True)


@pytest.mark.parametrize(("body", "field"), [
    ({}, "references"), ({"references": []}, "references"), ({"references": ["x"] * 51}, "references"),
    ({"references": [{}]}, "references"), ({"references": [{"year": 2016}]}, "references.0"),
    ({"references": [{"titel": TITLE}]}, "references.0.titel"),
    ({"references": [{"title": TITLE, "year": "soon"}]}, "references.0.year"),
    ({"references": [7]}, "references.0"), ({"title": TITLE, "references": [TITLE]}, "title"),
])  # fmt: skip
def test_bad_input_names_the_field_and_sends_no_request(local: Machine, body: dict[str, Any], field: str) -> None:
    status, problem = call(local, "POST", "/v1/resolve", body)
    assert status in (400, 422)
    assert field in [fault["field"] for fault in problem["errors"]]
    assert sum(upstream(local).values()) == 0


ONLY_IN_ARXIV = (
    "Choi E, Bahadori MT, Sun J. RETAIN: An Interpretable Predictive Model for Healthcare using Reverse Time Attention "
    "Mechanism. arXiv. 2017."
)


def test_a_preprint_that_only_arxiv_holds_is_matched(local: Machine) -> None:
    (answers,) = resolved(local, ONLY_IN_ARXIV)
    assert (answers["status"], answers["answered_by"][0]) == ("matched", "arxiv")


@pytest.mark.slow
def test_a_preprint_that_only_arxiv_holds_is_matched_among_many(local: Machine) -> None:
    invented = (f"Nobody A. On the {word} of papers that were never written. 2011." for word in "abcdef")
    answers = resolved(local, *invented, ONLY_IN_ARXIV)
    assert [it["status"] for it in answers] == ["not_found"] * 6 + ["matched"]


def test_arxiv_is_not_queried_for_references_that_others_have_matched(local: Machine) -> None:
    (answers,) = resolved(local, {"title": TITLE, "authors": ["Kober DL"], "year": 2016})
    assert answers["status"] == "matched"
    assert "arxiv" not in answers["answered_by"]
    assert upstream(local)["arxiv"] == 0
