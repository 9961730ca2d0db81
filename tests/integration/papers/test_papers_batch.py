"""A hundred ids at once, and what is reported for an id when a provider does not answer."""

from __future__ import annotations

from infra.local.machine import Machine
from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import read_facts
from tests.integration.papers_calls import call, fetch, upstream


def test_a_hundred_ids_of_all_kinds_get_an_answer_each_for_fourteen_requests_at_most(local: Machine) -> None:
    names, unknown = _a_hundred()
    answer = fetch(local, "POST", "/v1/papers", {"ids": names, "detail": "compact", "timeout_ms": 25000})
    requests = upstream(local)
    assert [entry["id"] for entry in answer["papers"]] == names
    assert {entry["id"] for entry in answer["papers"] if entry["status"] == "not_found"} == unknown
    assert (answer["found"], answer["not_found"], answer["unanswered"], answer["not_asked"]) == (90, 10, 0, 0)
    assert all(entry["answered_by"] for entry in answer["papers"])
    assert requests["unpaywall"] == 5  # the first DOIs, one by one
    # One of the others asks DataCite for the DOIs that nobody has.
    assert sum(requests.values()) <= 9 + 5, requests
    assert answer["hints"][0]["reason"] == "too_many_ids"


def _a_hundred() -> tuple[list[str], set[str]]:
    """Ninety ids of papers that the source of their kind holds, alternating, and ten that no source knows."""
    corpus = Corpus(read_facts())
    kinds = {
        "doi": ("crossref", "{}"), "pmid": ("pubmed", "PMID:{}"), "pmcid": ("europe_pmc", "{}"),
        "arxiv_id": ("arxiv", "arXiv:{}"), "s2_paper_id": ("semantic_scholar", "{}"), "openalex_id": ("openalex", "{}"),
    }  # fmt: skip
    names: list[str] = []
    for field, (provider, form) in kinds.items():
        held = [
            fact for fact in corpus.facts if (value := getattr(fact, field)) and corpus.find(provider, **{field: value})
        ]
        names += [form.format(getattr(fact, field)) for fact in held[:15]]
    unknown = {
        "10.9999/nobody.1", "10.9999/nobody.2", "PMID:999999991", "PMID:999999992", "PMC9999999991", "arXiv:2912.99999",
        "f" * 40, "e" * 40, "W999999999991", "CorpusId:99999999999",
    }  # fmt: skip
    mixed = [name for group in zip(*[names[start::15] for start in range(15)], strict=True) for name in group]
    for place, name in enumerate(sorted(unknown)):
        mixed.insert(place * 10, name)
    return mixed, unknown


def test_not_found_names_the_queried_and_the_unanswering_providers(local: Machine) -> None:
    assert local.sandbox is not None
    local.sandbox.faults["crossref"] = {"status": 503}
    status, problem = call(local, "GET", "/v1/papers/10.9999/nobody.knows")
    assert (status, problem["code"], problem["retryable"]) == (502, "unanswered", True)
    assert "not held by datacite, europe_pmc, openalex, semantic_scholar" in problem["detail"]
    assert "no answer from crossref (unavailable)" in problem["detail"]
    assert problem["hint"].startswith("Send the request again later")
    for path in ("/references", "/citations", "/similar"):
        status, problem = call(local, "GET", f"/v1/papers/10.9999%2Fnobody.knows{path}")
        assert (status, problem["code"], problem["hint"][:16]) == (502, "unanswered", "Send the request")
    status, problem = call(local, "POST", "/v1/exports", {"ids": ["10.9999/nobody.knows"]})
    assert (status, problem["code"], problem["hint"][:16]) == (502, "unanswered", "Send the request")


def test_an_unanswered_paper_says_when_its_source_can_be_queried_again(local: Machine) -> None:
    assert local.sandbox is not None
    local.sandbox.faults["crossref"] = {"status": 429, "retry_after": 7200}
    status, problem = call(local, "GET", "/v1/papers/10.9999/nobody.knows")
    assert (status, problem["code"]) == (502, "unanswered")
    assert 7000 < problem["retry_after_s"] <= 7200


def test_a_source_of_copies_alone_leaves_no_doubt_whether_a_paper_exists(local: Machine) -> None:
    assert local.sandbox is not None
    local.sandbox.faults["unpaywall"] = {"status": 503}
    for path in ("", "/references", "/similar", "/fulltext"):
        status, problem = call(local, "GET", f"/v1/papers/10.9999%2Fnobody.knows{path}")
        assert (status, problem["retryable"], problem["hint"][:12]) == (404, False, "Check the id")
        assert "no answer from unpaywall (unavailable)" in problem["detail"]
