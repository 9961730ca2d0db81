"""Papers like others, over HTTP events: never the seed itself, who says so, and each source failing in each way."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import boto3
import pytest

from infra.functions import provider_spec, providers_for
from infra.local.gateway import rest_event
from infra.local.machine import Machine, machine
from infra.local.sandbox.corpus import Corpus, default_corpus
from infra.local.sandbox.facts import Fact, read_facts
from infra.local.sandbox.server import Sandbox
from shared.bibliography.paper_ids import read_id
from tests.integration.empty_cache import remove_cached_legs
from tests.integration.enough_time import with_enough_time
from tests.integration.papers_calls import call, fetch, upstream
from tests.integration.sources.test_faults import ENVELOPES, FAULTS
from tests.published_schemas import validate

TREM2, RSIF, RISK = "10.7554/eLife.20391", "10.1098/rsif.2017.0387", "10.1001/jamaneurol.2013.6237"
IN_PUBMED = "PMID:29618526"
SOURCES = providers_for("similar")
# What a source is asked in this operation alone; everything else it answers.
PATHS = {
    "openalex": "/works/W{}", "pubmed": "/entrez/eutils/elink.fcgi",
    "semantic_scholar": "/recommendations/v1/papers/forpaper/{}",
}  # fmt: skip
NOTICE = Fact(
    title="Correction: A paper that was retracted for its many errors", doi="10.5555/correction", year=2024,
    type="erratum", openalex_id="W9900008882", s2_paper_id="0" * 16 + "2" * 24, pmid="99000002",
)  # fmt: skip
RETRACTED = Fact(
    title="A paper that was retracted for its many errors", doi="10.5555/retracted", year=2024,
    openalex_id="W9900008881", s2_paper_id="0" * 16 + "1" * 24, pmid="99000001",
)  # fmt: skip


# Two papers, and two more that cite both.
CITED = tuple(
    Fact(
        title=f"{name} of the whole matter", doi=f"10.5555/cited.{number}", year=2001 + number,
        authors=((f"Author{number}", "A"),), openalex_id=f"W990000889{number}",
        references=("10.5555/cited.0", "10.5555/cited.1") if number > 1 else (),
    )
    for number, name in enumerate(("Foundations", "Principles", "Review", "Survey"))
)  # fmt: skip


@pytest.fixture(scope="module")
def running() -> Iterator[Machine]:
    with machine(sandbox=Sandbox(Corpus((*read_facts(), RETRACTED, NOTICE, *CITED)), faults={})) as local:
        yield local


def path_of(name: str) -> str:
    return f"/v1/papers/{quote(name, safe='')}/similar"


def test_each_source_that_knows_the_paper_is_queried_and_its_votes_are_shown(running: Machine) -> None:
    before = upstream(running)
    answer = fetch(running, "GET", path_of(IN_PUBMED), max_results=100, cite_in_kg="false")
    assert set(answer["providers"]) == set(SOURCES) == {"openalex", "pubmed", "semantic_scholar"}
    assert {report["outcome"] for report in answer["providers"].values()} == {"ok"}
    voters = {name for it in answer["results"] for name in it["votes"]}
    assert voters == set(SOURCES)
    scores = [it["score"] for it in answer["results"]]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == 1.0
    for name in SOURCES:
        ranks = [it["votes"][name]["rank"] for it in answer["results"] if name in it["votes"]]
        assert len(ranks) == len(set(ranks)), name
    assert all(it["votes"]["pubmed"]["score"] for it in answer["results"] if "pubmed" in it["votes"])
    assert max((upstream(running) - before).values()) <= 4
    validate("/v1/papers/{id}/similar", "GET", 200, answer)


def test_an_equal_question_is_answered_from_the_cache(running: Machine) -> None:
    first = fetch(running, "GET", path_of(TREM2), cite_in_kg="false")
    before = upstream(running)
    again = fetch(running, "GET", path_of(f"https://doi.org/{TREM2}"), cite_in_kg="false")
    assert upstream(running) == before
    assert [it["key"] for it in again["results"]] == [it["key"] for it in first["results"]]
    assert again["cache"] == "hit"


def test_several_seeds_and_papers_to_be_unlike(running: Machine) -> None:
    body = {"seeds": [TREM2, IN_PUBMED], "unlike": [RISK], "max_results": 100, "cite_in_kg": False}
    answer = fetch(running, "POST", "/v1/similar", body)
    assert (answer["seeds"], answer["unlike"]) == ([f"doi:{TREM2.lower()}", f"doi:{RSIF}"], [f"doi:{RISK}"])
    assert not {*answer["seeds"], *answer["unlike"]} & {it["key"] for it in answer["results"]}
    without = fetch(running, "POST", "/v1/similar", {**body, "unlike": []})
    assert {it["key"] for it in answer["results"]} < {it["key"] for it in without["results"]}
    validate("/v1/similar", "POST", 200, answer)


def test_a_notice_of_the_paper_is_not_like_it(running: Machine) -> None:
    answer = fetch(running, "GET", path_of(str(RETRACTED.doi)), max_results=100, cite_in_kg="false")
    assert answer["left_out"]["notices"] >= 1
    assert not {"doi:10.5555/correction", "doi:10.5555/retracted"} & {it["key"] for it in answer["results"]}


def test_the_graph_names_papers_that_are_cited_together_and_that_cite_the_same(running: Machine) -> None:
    fetch(running, "POST", "/v1/papers", {"ids": [str(fact.doi) for fact in CITED]})
    running.drain_queue()
    votes: dict[tuple[int, str], Any] = {}
    for number in (0, 2):
        answer = fetch(running, "GET", path_of(str(CITED[number].doi)), max_results=100, cite_in_kg="false")
        assert answer["graph"] == "ok"
        votes |= {(number, it["key"]): it["votes"] for it in answer["results"]}
    assert votes[0, "doi:10.5555/cited.1"]["co_citation"] == {"rank": 1, "score": 2.0}
    assert votes[2, "doi:10.5555/cited.3"]["bibliographic_coupling"] == {"rank": 1, "score": 2.0}


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({"seeds": []}, 400, "seeds"),
        ({"seeds": ["no id"]}, 422, "seeds.0"),
        ({"seeds": [TREM2], "unlike": ["no id"]}, 422, "unlike.0"),
        ({"seeds": [TREM2], "unlike": [TREM2]}, 422, "unlike"),
        ({"seeds": [TREM2], "date_from": "2020", "date_to": "2019"}, 422, "date_from"),
        ({"seeds": [TREM2] * 11}, 422, "seeds"),
        ({"seeds": [TREM2], "limit": 3}, 400, "limit"),
    ],
)
def test_an_invalid_request_names_its_field(running: Machine, body: Any, status: int, field: str) -> None:
    found, problem = call(running, "POST", "/v1/similar", body)
    assert (found, [error["field"] for error in problem["errors"]]) == (status, [field])


def test_an_unknown_paper_is_not_found(running: Machine) -> None:
    status, problem = call(running, "GET", path_of("10.9999/none"))
    assert (status, problem["code"]) == (404, "not_found")


def faults() -> list[Any]:
    """Each source in each way; the fast tier has all ways of one source, and one way of each source."""
    return [
        pytest.param(name, way, id=f"{name} {way}", marks=() if fast else pytest.mark.slow)
        for name in SOURCES
        for way in (*FAULTS, "its own error")
        if not (way == "404" and name == "openalex")  # its 404 is a page, and says that it does not know the work
        for fast in [way == "500" or (name == "semantic_scholar" and way != "silence")]
    ]


@pytest.mark.parametrize(("name", "way"), faults())
def test_a_failing_source_is_named_and_the_others_answer(running: Machine, name: str, way: str) -> None:
    assert running.sandbox is not None
    fault, outcome = FAULTS[way] if way in FAULTS else ({"body": "error"}, ENVELOPES[name])
    budgets = boto3.resource("dynamodb").Table(os.environ["PROVIDER_BUDGETS_TABLE"])
    asked = {"max_results": 100, "cite_in_kg": "false"}

    def ask(timeout_ms: int) -> tuple[int, Any]:
        for provider in SOURCES:  # what a fault before this one taught the budget and the circuit
            budgets.delete_item(Key={"pk": f"provider#{provider}", "sk": "state"})
        remove_cached_legs()
        return call(running, "GET", path_of(IN_PUBMED), **asked, timeout_ms=timeout_ms, fresh="true")

    _, whole = ask(20_000)
    running.sandbox.faults[name] = {**fault, "path": operation_path(running, name)}
    try:
        answer = with_enough_time(ask, name, outcome)
    finally:
        running.sandbox.faults.clear()
    assert answer["providers"][name]["outcome"] == outcome
    assert answer["complete"] is False
    assert name in next(hint["message"] for hint in answer["hints"] if hint["reason"] == "providers_failed")
    others = {it["key"] for it in whole["results"] if set(it["votes"]) - {name}}
    assert {it["key"] for it in answer["results"]} == others
    assert not any(name in it["votes"] for it in answer["results"])


def operation_path(local: Machine, name: str) -> str:
    """The path of the request for papers like the one in PubMed, by the id that the source accepts best."""
    fact = default_corpus().find(name, pmid="29618526")
    assert fact is not None
    return PATHS[name].format({"openalex": str(fact.openalex_id)[1:], "semantic_scholar": fact.s2_paper_id}.get(name))


def names_of(fact: Fact) -> set[str]:
    """Every name of a paper and of its versions."""
    ids = (f"doi:{fact.doi}", f"pmid:{fact.pmid}", f"arxiv:{fact.arxiv_id}", *(f"doi:{it}" for it in fact.versions))
    return {name for it in ids if (name := read_id(it))}


@pytest.mark.slow
def test_similar_papers_of_every_corpus_paper(running: Machine) -> None:
    """Never the paper itself, its versions or its notices; each paper once; each with the votes of its sources."""
    assert running.sandbox is not None
    corpus = running.sandbox.corpus
    by_name = {name: fact for fact in corpus.facts for name in names_of(fact)}
    seen = 0
    for fact in corpus.facts:
        if not fact.doi or not any(corpus.find(name, doi=fact.doi) is fact for name in ("crossref", *SOURCES)):
            continue
        asked = {"max_results": "100", "cite_in_kg": "false", "fields": "key,title,type,external_ids"}
        event = rest_event("GET", path_of(str(fact.doi)), query={name: [value] for name, value in asked.items()})
        response = running.invoke("dispatcher", event)
        answer = json.loads(response["body"])
        assert response["statusCode"] == 200, (fact.doi, answer)
        own = names_of(fact) | {name for it in fact.versions for name in names_of(by_name.get(f"doi:{it}", fact))}
        for it in answer["results"]:
            ids = {
                read_id(f"{scheme}:{value}") for scheme, value in it["paper"].get("external_ids", {}).items() if value
            }
            assert not {it["key"], *ids} & own, (fact.doi, it)
            assert it["paper"].get("type") not in ("erratum", "retraction-notice"), (fact.doi, it)
            assert it["votes"]
            assert set(it["votes"]) <= {*SOURCES, "co_citation", "bibliographic_coupling"}
        keys = [it["key"] for it in answer["results"]]
        assert len(keys) == len(set(keys))
        assert answer["complete"] is True, (fact.doi, answer["providers"])
        held = {name for name in SOURCES if corpus.find(name, doi=fact.doi) is fact and offers(name, fact)}
        assert held <= set(answer["providers"]), fact.doi
        seen += bool(keys)
    assert seen > len(corpus.facts) / 2


def offers(name: str, fact: Fact) -> bool:
    """Whether the source accepts an id of the paper."""
    fields = {"pmid": fact.pmid, "openalex": fact.openalex_id, "doi": fact.doi}
    return any(fields.get(scheme) for scheme in provider_spec(name).operations["similar"])
