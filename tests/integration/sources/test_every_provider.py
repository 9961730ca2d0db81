"""What holds for every provider, whichever file is in the folder: declaration, handler, sandbox, silence on keys."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from itertools import chain
from typing import Any

import pytest

from infra.functions import provider_names, provider_spec
from infra.local.machine import SANDBOX_KEY, Machine, machine
from infra.local.sandbox.corpus import Corpus, default_corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.server import Sandbox
from infra.local.sandbox.services.pmc_text import LATE
from infra.local.sandbox.texts.pdf import COPIES
from shared.bibliography.identifiers import read_doi
from shared.bibliography.paper import PAPER_TYPES
from shared.bibliography.paper_ids import read_id
from shared.providers.provider import LEG_TIMEOUT_S, reply_from_json, reply_to_json
from shared.query.query import FILTERS
from tests.unit.full_texts.written import texts_in

pytestmark = pytest.mark.whole_tables  # the contract of each provider

SEARCHED = [name for name in provider_names() if "search" in provider_spec(name).operations]
every_provider = pytest.mark.parametrize("name", provider_names())
every_searched_provider = pytest.mark.parametrize("name", SEARCHED)
# Each operation but the search, with each scheme that it accepts; a match takes no id.
OPERATIONS = [
    (name, operation, scheme)
    for name in provider_names()
    for operation, schemes in sorted(provider_spec(name).operations.items())
    if operation not in ("search", "listing")
    for scheme in schemes or ("",)
]
# What the corpus has no paper for, and why.
WITHOUT_A_PAPER = {
    ("semantic_scholar", "citations", "corpus"): "a fact holds no Corpus ID",
    ("semantic_scholar", "lookup", "corpus"): "a fact holds no Corpus ID",
    ("semantic_scholar", "references", "corpus"): "a fact holds no Corpus ID",
    ("semantic_scholar", "similar", "corpus"): "a fact holds no Corpus ID",
    ("crossref", "lookup", "pii"): "a fact holds no PII",
    ("semantic_scholar", "references", "arxiv"): "no paper of arXiv has a bibliography there",
}
every_operation = pytest.mark.parametrize(("name", "operation", "scheme"), OPERATIONS)
# Of the papers that a source of texts has, those of which it has the text in the sandbox.
TEXTS = {
    "europe_pmc_text": set(texts_in("jats")) - {LATE},
    "pmc_text": set(texts_in("jats")),
    "arxiv_text": {*texts_in("html"), *texts_in("latex")},
    "open_copy_text": {it.url for it in COPIES},
}
# The index that says which papers a source of texts can have.
INDEXES = {
    "europe_pmc_text": "europe_pmc",
    "pmc_text": "europe_pmc",
    "arxiv_text": "arxiv",
    "open_copy_text": "crossref",
}
# A word that each provider's part of the sandbox's corpus holds.
WORD = {"arxiv": "attention", "dblp": "attention"}
CONTACT = "dev@example.org"
# Scheme of a name -> the field of a fact that holds it, and a name that no paper has.
SCHEMES = {
    "doi": ("doi", "doi:10.9999/none"),
    "pmid": ("pmid", "pmid:999999999"),
    "pmcid": ("pmcid", "pmcid:PMC999999999"),
    "arxiv": ("arxiv_id", "arxiv:9912.99999"),
    "s2": ("s2_paper_id", f"s2:{'f' * 40}"),
    "openalex": ("openalex_id", "openalex:W999999999999"),
    "corpus": (None, "corpus:999999999999"),
    "pii": (None, "pii:S0000000099999990"),
    "nct": ("nct", "nct:NCT99999999"),
    "url": ("oa_url", "url:https://host.example.org/none.pdf"),
}


@pytest.fixture(scope="module")
def running() -> Iterator[Machine]:
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("CONTACT_EMAIL", CONTACT)
        with machine(sandbox=Sandbox(faults={})) as local:
            yield local


def search(local: Machine, name: str, **query: Any) -> dict[str, Any]:
    event = {"operation": "search", "query": {"text": WORD.get(name, "TREM2"), **query}, "timeout_ms": 8000}
    return dict(local.invoke(name, event))


@every_provider
def test_the_declaration_is_whole(name: str) -> None:
    spec = provider_spec(name)
    assert spec.base_url.startswith("https://")
    assert spec.base_url.count("/") == 2, "scheme and host only: the path is the API's own"
    assert spec.manual.startswith("https://")
    assert spec.filters <= set(FILTERS)
    assert spec.sorts <= {"relevance", "citations", "date"}
    assert spec.disciplines <= {"any", "biomedical", "computing", "humanities"}
    assert ("relevance" in spec.sorts) is ("search" in spec.operations)
    assert bool(spec.disciplines) is ("search" in spec.operations and not spec.optional)
    assert spec.operations
    assert set(spec.operations) <= {
        "search", "listing", "lookup", "references", "citations", "similar", "match", "full_text",
    }  # fmt: skip
    assert set(chain.from_iterable(spec.operations.values())) <= set(SCHEMES)
    assert 0 < spec.lookup_names <= 100
    assert 0 < spec.timeout_s <= LEG_TIMEOUT_S
    assert spec.requests_per_second > 0


@every_provider
def test_the_docstring_states_manual_limits_and_oddities(name: str) -> None:
    text = import_module(f"functions.providers.{name}").__doc__ or ""
    assert "https://" in text
    assert "Limits:" in text
    assert "Oddities:" in text


@every_searched_provider
def test_a_search_brings_papers_in_order(running: Machine, name: str) -> None:
    reply = search(running, name)
    assert (reply["outcome"], reply["provider"], reply["family"]) == ("ok", name, provider_spec(name).family)
    papers = reply["papers"]
    assert len(papers) >= 3
    assert [paper["rank"] for paper in papers] == sorted(paper["rank"] for paper in papers)
    for paper in papers:
        assert paper["provider"] == name
        assert paper["title"]
        assert paper["type"] is None or paper["type"] in PAPER_TYPES
        assert all(value != "" for value in [*paper.values(), *paper["ids"].values()])
        assert any(paper["ids"].values())


@every_searched_provider
def test_a_reply_survives_the_cache(running: Machine, name: str) -> None:
    reply = search(running, name)
    assert json.loads(json.dumps(reply_to_json(reply_from_json(reply)))) == reply


@every_searched_provider
def test_at_most_the_requested_number_is_fetched(running: Machine, name: str) -> None:
    assert len(search(running, name, limit=2)["papers"]) <= 2


@every_searched_provider
def test_zero_hits_are_empty(running: Machine, name: str) -> None:
    reply = search(running, name, text="zzyzx quuxology")
    assert (reply["outcome"], reply["papers"]) == ("empty", [])


@every_searched_provider
def test_the_key_is_sent_and_never_reported(running: Machine, name: str, capfd: pytest.CaptureFixture[str]) -> None:
    reply = search(running, name)
    assert SANDBOX_KEY not in json.dumps(reply)
    assert SANDBOX_KEY not in capfd.readouterr().err
    assert running.sandbox is not None
    assert all(SANDBOX_KEY not in seen.path + seen.query for seen in running.sandbox.requests)


def ask(local: Machine, name: str, operation: str, name_or_title: str, fact: Fact | None) -> dict[str, Any]:
    """The leg of an operation: by an id, or, for a match, by a citation of a fact."""
    title = fact.title if fact else "Zzyzx quuxology of the wibble"
    authors = [" ".join(part for part in person[::-1] if part) for person in fact.authors] if fact else ["Qqquux"]
    citation = {"title": title, "authors": authors, "year": fact.year if fact else 1899}
    asked: Any = {
        "lookup": {"names": [name_or_title]},
        "similar": {"names": [name_or_title]},
        "match": {"citations": [citation]},
    }.get(operation, {"name": name_or_title})
    return dict(local.invoke(name, {"operation": operation, **asked, "timeout_ms": 8000}))


def names_held(corpus: Corpus, name: str, scheme: str) -> Iterator[tuple[Fact, str]]:
    """The papers that the provider holds under a name of this scheme, and the name in its normal form."""
    field = SCHEMES[scheme][0] if scheme else "title"
    for fact in corpus.facts:
        value = getattr(fact, field) if field else None
        if name in TEXTS and value not in TEXTS[name]:
            continue
        given = f"url:{value}" if scheme == "url" else read_id(f"{scheme}:{value}") if scheme and value else ""
        if value and given is not None and corpus.find(INDEXES.get(name, name), **{str(field): value}) is fact:
            yield fact, given


def held(corpus: Corpus, name: str, operation: str, scheme: str) -> tuple[Fact, str] | None:
    """A paper that the provider holds under such a name, with the requested links, and the name; or None."""
    links = {"references": corpus.cited, "citations": corpus.citing}.get(operation)
    for fact, given in names_held(corpus, name, scheme):
        if links is None or links(name, fact):
            return fact, given
    return None


def test_the_corpus_has_papers_for_all_operations_but_those_that_are_named() -> None:
    assert {asked for asked in OPERATIONS if held(default_corpus(), *asked) is None} == set(WITHOUT_A_PAPER)


@pytest.mark.parametrize(
    ("name", "operation", "scheme"), [asked for asked in OPERATIONS if asked not in WITHOUT_A_PAPER]
)
def test_every_operation_accepts_every_kind_of_id(running: Machine, name: str, operation: str, scheme: str) -> None:
    assert running.sandbox is not None
    found = held(running.sandbox.corpus, name, operation, scheme)
    assert found is not None
    fact, given = found
    reply = ask(running, name, operation, given, fact)
    assert (reply["outcome"], reply["provider"]) == ("ok", name), reply["warnings"]
    assert reply["effective_query"]
    assert CONTACT not in json.dumps(reply)
    assert SANDBOX_KEY not in json.dumps(reply)
    assert reply["total_estimate"] is None or reply["total_estimate"] >= reply["returned"] > 0
    ranks = [item["rank"] for item in reply["papers"] + reply["pointers"]]
    assert all(rank >= 1 for rank in ranks)
    if operation == "lookup":
        (paper,) = reply["papers"]
        assert (paper["asked"], paper["rank"]) == ([given], 1)
        of_trial = paper["type"] == "clinical-trial-registration"  # of the trial that the paper reports
        assert paper["ids"]["doi"] is None if of_trial else read_doi(fact.doi) in (None, paper["ids"]["doi"])
    assert json.loads(json.dumps(reply_to_json(reply_from_json(reply)))) == reply


@every_operation
def test_an_unknown_name_is_empty(running: Machine, name: str, operation: str, scheme: str) -> None:
    given = SCHEMES[scheme][1] if scheme else ""
    reply = ask(running, name, operation, given, None)
    assert (reply["outcome"], reply["papers"], reply["pointers"]) == ("empty", [], []), reply["warnings"]
    assert operation in ("lookup", "match") or reply["warnings"]


@every_provider
def test_an_unknown_operation_is_an_internal_error(running: Machine, name: str) -> None:
    with pytest.raises(ValueError, match="no operation 'fly'"):
        running.invoke(name, {"operation": "fly"})


@every_provider
def test_a_provider_describes_itself(running: Machine, name: str) -> None:
    described = running.invoke(name, {"operation": "describe"})
    assert described["name"] == name
    assert isinstance(described["has_key"], bool)
    assert SANDBOX_KEY not in json.dumps(described)
