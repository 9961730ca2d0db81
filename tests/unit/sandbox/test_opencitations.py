"""OpenCitations' sandbox, queried by the real provider code."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from werkzeug import Request
from werkzeug.test import EnvironBuilder

from functions.providers import opencitations as provider
from infra.local.sandbox.corpus import Corpus, default_corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.services import opencitations as sandbox
from shared.bibliography.identifiers import Identifiers
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.query.question import Links, Relation
from tests.replay import ask
from tests.unit.sandbox.bridge import over

CITED = Fact(title="Turing patterns", doi="10.9999/Shells", pmid="900001", openalex_id="W9900000001", year=1987)
PREPRINT = Fact(title="Turing machines", arxiv_id="2103.00001", year=2021)
CITING = Fact(
    title="Turing patterns reviewed",
    year=2022,
    publication_date="2022-03",
    doi="10.9999/review",
    references=("10.9999/shells", "arXiv:2103.00001", "10.9999/elsewhere"),
)
FACTS = (CITED, PREPRINT, CITING)
pytestmark = pytest.mark.usefixtures("everything_is_covered")


def request(path: str, **params: str) -> tuple[int, str]:
    """The sandbox's own answer to one request."""
    answer = sandbox.answer(Request(EnvironBuilder(path, query_string=params).get_environ()), Corpus(FACTS))
    return answer.status_code, answer.get_data(as_text=True)


def pairs(path: str) -> list[dict[str, Any]]:
    status, text = request(path)
    assert status == 200
    return list(json.loads(text))


def leg(operation: Relation, name: str) -> ProviderReply:
    """What the provider's code makes of the sandbox's answer."""
    return ask(provider, over(sandbox, Corpus(FACTS)), Links(operation, name))


def test_references_have_all_their_ids() -> None:
    answer = leg("references", "doi:10.9999/review")
    assert [pointer.ids for pointer in answer.pointers] == [
        Identifiers(doi="10.9999/shells", pmid="900001", openalex="W9900000001"),
        Identifiers(arxiv="2103.00001"),
    ]
    assert (answer.total_estimate, answer.warnings) == (2, ())


@pytest.mark.parametrize("name", ["doi:10.9999/shells", "pmid:900001"])
def test_citations_are_found_by_each_id(name: str) -> None:
    assert [pointer.ids.doi for pointer in leg("citations", name).pointers] == ["10.9999/review"]


@pytest.mark.parametrize("name", ["doi:10.9999/none", "doi:10.9999/shells"])
def test_an_unknown_paper_and_one_that_cites_nothing_have_the_same_empty_list(name: str) -> None:
    assert pairs(f"/index/v2/references/{name}") == []
    assert leg("references", name).outcome is Outcome.EMPTY


@pytest.mark.parametrize(
    ("path", "count"),
    [
        ("/index/v2/citation-count/doi:10.9999/Shells", "1"),
        ("/index/v2/citation-count/pmid:900001", "1"),
        ("/index/v2/reference-count/doi:10.9999/review", "2"),
        ("/index/v2/citation-count/doi:10.9999/none", "0"),
    ],
)
def test_counts_are_texts_and_an_unknown_paper_has_none(path: str, count: str) -> None:
    """`index_v2.hf`: the field is `count`; `count_unique_cits` makes 0 of an empty list."""
    assert pairs(path) == [{"count": count}]


def test_a_wrong_operation_is_a_text() -> None:
    assert request("/index/v2/citation-counts/doi:10.9999/x") == (
        404,
        "HTTP status code 404: the operation requested does not exist",
    )


def test_lists_can_be_csv() -> None:
    status, text = request("/index/v2/references/doi:10.9999/review", format="csv")
    assert (status, text.splitlines()[0]) == (200, "oci,citing,cited,creation,timespan,journal_sc,author_sc")


def test_the_error_envelope_is_a_text_about_a_late_database() -> None:
    given = sandbox.error_envelope()
    answer = ask(
        provider,
        lambda sent: httpx.Response(given.status_code, content=given.get_data(), headers=dict(given.headers)),
        Links("references", "doi:10.9999/review"),
    )
    assert (given.content_type, answer.outcome) == ("text/plain", Outcome.UNAVAILABLE)


def test_every_link_of_the_shipped_corpus_can_be_read_from_both_ends() -> None:
    corpus = default_corpus()
    answer = over(sandbox, corpus)
    citing = [fact for fact in corpus.facts if fact.doi and corpus.cited("opencitations", fact)]
    assert citing
    for fact in citing:
        cited = corpus.cited("opencitations", fact)
        forth = ask(provider, answer, Links("references", f"doi:{(fact.doi or '').lower()}"))
        assert [pointer.rank for pointer in forth.pointers] == list(range(1, len(cited) + 1))
        for pointer in forth.pointers[:5]:
            if pointer.ids.doi:
                back = ask(provider, answer, Links("citations", f"doi:{pointer.ids.doi}"))
                assert (fact.doi or "").lower() in [other.ids.doi for other in back.pointers]
