"""Papers by id over HTTP events: every form of every id, a hundred ids at once, and what is not an id or not there."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

import pytest

from infra.local.machine import Machine, machine
from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact, read_facts
from infra.local.sandbox.semantic_scholar.records import external_ids
from infra.local.sandbox.server import Sandbox
from tests.integration.papers_calls import call, fetch, upstream

SICI = "10.1002/(SICI)1521-3951(199911)216:1<135::AID-PSSB135>3.0.CO;2-#"
ODD = Fact(title="A paper whose identifier holds all signs that an address must not hold", doi=SICI, year=1999,
           openalex_id="W9900009999", s2_paper_id="0" * 16 + "5" * 24)  # fmt: skip
OLD = Fact(title="A paper of the years when arXiv's ids began with a subject", arxiv_id="hep-ex/0307015", year=2003,
           authors=(("Old", "Anne"),), openalex_id="W9900009998", s2_paper_id="0" * 16 + "6" * 24)  # fmt: skip
FACTS = {fact.pmid or fact.arxiv_id or fact.doi: fact for fact in (*read_facts(), ODD, OLD)}
DEEP, ATTENTION = FACTS["29618526"], FACTS["1706.03762"]


@pytest.fixture(scope="module")
def running() -> Iterator[Machine]:
    with machine(sandbox=Sandbox(Corpus(tuple(FACTS.values())), faults={})) as local:
        yield local


def forms(fact: Fact) -> dict[str, list[str]]:
    """Every way to write each id that a paper has."""
    doi, pmid, pmc, arxiv = fact.doi or "", fact.pmid or "", fact.pmcid or "", fact.arxiv_id or ""
    corpus = external_ids(fact)["CorpusId"]
    every = {
        doi: [doi, doi.upper(), f"doi:{doi}", f"DOI: {doi}", f"https://doi.org/{doi}", f"http://dx.doi.org/{doi}",
              f"{doi}.", f"({doi})", quote(doi, safe=""), f"https://doi.org/{quote(doi)}"],
        pmid: [f"PMID:{pmid}", f"pmid: {pmid}", f"PMID {pmid}.", f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/"],
        pmc: [pmc, pmc.lower(), f"PMCID: {pmc}", f"https://www.ncbi.nlm.nih.gov/pmc/articles/{pmc}/"],
        arxiv: [arxiv, f"arXiv:{arxiv}", f"ARXIV:{arxiv}v3", f"https://arxiv.org/abs/{arxiv}v1",
                f"arxiv.org/pdf/{arxiv}.pdf", f"10.48550/arXiv.{arxiv}", quote(arxiv, safe="")],
        fact.s2_paper_id: [f"{fact.s2_paper_id}", f"s2:{fact.s2_paper_id}",
                           f"https://www.semanticscholar.org/paper/A-Title/{fact.s2_paper_id}"],
        str(corpus): [f"CorpusId:{corpus}", f"corpusid: {corpus}"],
        fact.openalex_id: [f"{fact.openalex_id}", f"{fact.openalex_id}".lower(), f"https://openalex.org/{fact.openalex_id}",
                           f"https://api.openalex.org/works/{fact.openalex_id}"],
    }  # fmt: skip
    return {str(name): written for name, written in every.items() if name}


@pytest.mark.parametrize(
    ("fact", "key"),
    [
        pytest.param(DEEP, "doi:10.1098/rsif.2017.0387", id="an article"),
        pytest.param(ATTENTION, "doi:10.48550/arxiv.1706.03762", id="a preprint"),
        pytest.param(OLD, "doi:10.48550/arxiv.hep-ex/0307015", id="an old preprint"),
        pytest.param(ODD, f"doi:{SICI.lower()}", id="a SICI"),
    ],
)
def test_every_form_of_every_id_names_the_same_paper(running: Machine, fact: Fact, key: str) -> None:
    written = [form for forms_of in forms(fact).values() for form in forms_of]
    entries = fetch(running, "POST", "/v1/papers", {"ids": written, "fields": ["key", "title"]})["papers"]
    wrong = {
        entry["id"]: (entry["status"], entry["paper"]) for entry in entries if (entry["paper"] or {}).get("key") != key
    }
    assert wrong == {}
    assert {entry["paper"]["title"] for entry in entries} == {fact.title}


@pytest.mark.parametrize("name", [
    "10.1098/rsif.2017.0387", "10.1098%2Frsif.2017.0387", "DOI:10.1098/RSIF.2017.0387", "https://doi.org/10.1098/rsif.2017.0387",
    "PMID:29618526", "PMC5938574", quote(SICI, safe=""), quote(SICI, safe="/:;()"), f"doi:{quote(SICI, safe='')}.",
    "hep-ex/0307015", "arXiv%3Ahep-ex%2F0307015v2", "W9900009999",
])  # fmt: skip
def test_an_id_in_a_path_is_read_however_it_is_encoded(running: Machine, name: str) -> None:
    answer = fetch(running, "GET", f"/v1/papers/{name}", fields="key,title")
    assert answer["status"] == "found"
    assert answer["paper"]["key"] in (
        "doi:10.1098/rsif.2017.0387",
        f"doi:{SICI.lower()}",
        "doi:10.48550/arxiv.hep-ex/0307015",
    )


def test_one_paper_is_returned_with_the_fields_of_all_its_sources(running: Machine) -> None:
    answer = fetch(running, "GET", "/v1/papers/PMC5938574", fresh="true")
    paper = answer["paper"]
    assert answer["answered_by"] == ["crossref", "europe_pmc", "openalex", "pubmed", "semantic_scholar", "unpaywall"]
    assert paper["external_ids"] == {
        "doi": "10.1098/rsif.2017.0387", "pmid": "29618526", "pmcid": "PMC5938574", "arxiv": None,
        "paper_id": DEEP.s2_paper_id, "openalex": DEEP.openalex_id, "crossref": "10.1098/rsif.2017.0387",
        "europe_pmc": paper["external_ids"]["europe_pmc"], "paperclip": None, "nct": None,
    }  # fmt: skip
    assert (paper["year"], paper["retraction"]["status"], paper["journal"]) == (2018, "none", DEEP.journal)
    assert answer["complete"] is True
    assert answer["content_trust"] == "untrusted_external"
    assert paper["score"] is None


def test_an_invalid_id_is_reported_and_does_not_affect_the_others(running: Machine) -> None:
    ids = ["29618526", "PMID:29618526", "title:0123456789abcdef0123", "Attention is all you need"]
    entries = fetch(running, "POST", "/v1/papers", {"ids": ids})
    assert [entry["status"] for entry in entries["papers"]] == ["not_asked", "found", "not_asked", "not_asked"]
    assert "PMID:" in entries["papers"][0]["reason"]
    assert "search for its title" in entries["papers"][2]["reason"]


@pytest.mark.parametrize(("path", "status", "code"), [
    ("/v1/papers/29618526", 422, "unprocessable"),
    ("/v1/papers/Attention%20is%20all%20you%20need", 422, "unprocessable"),
    ("/v1/papers/10.9999/nobody.knows", 404, "not_found"),
    ("/v1/papers/title:0123456789abcdef0123", 404, "not_found"),
    ("/v1/papers/10.9999/nobody.knows/references", 404, "not_found"),
    ("/v1/papers/29618526/citations", 422, "unprocessable"),
])  # fmt: skip
def test_a_path_that_names_no_paper_is_a_problem_that_says_why(
    running: Machine, path: str, status: int, code: str
) -> None:
    got, problem = call(running, "GET", path)
    assert (got, problem["code"]) == (status, code)
    assert problem["hint"]


@pytest.mark.parametrize(("body", "field"), [
    ({}, "ids"), ({"ids": []}, "ids"), ({"ids": ["10.1000/x"] * 101}, "ids"), ({"ids": True}, "ids"),
    ({"ids": [True]}, "ids.0"), ({"ids": ["10.1000/x"], "idz": 1}, "idz"),
    ({"ids": ["10.1000/x"], "fields": "titel"}, "fields"),
    ({"ids": ["10.1000/x"], "timeout_ms": 1}, "timeout_ms"),
])  # fmt: skip
def test_bad_input_names_the_field_and_sends_no_request(running: Machine, body: dict[str, object], field: str) -> None:
    before = sum(upstream(running).values())
    status, problem = call(running, "POST", "/v1/papers", body)
    assert status in (400, 422)
    assert problem["errors"][0]["field"] == field
    assert sum(upstream(running).values()) == before


def test_ids_may_come_as_one_text(running: Machine) -> None:
    entries = fetch(running, "POST", "/v1/papers", {"ids": "PMID:29618526, 10.1098/rsif.2017.0387\nPMC5938574"})
    assert len({entry["paper"]["key"] for entry in entries["papers"]}) == 1
    assert entries["found"] == 3
