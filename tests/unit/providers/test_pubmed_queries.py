"""PubMed: how a query becomes esearch's term, and what the answer says of it."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

import httpx
import pytest

from functions.providers import pubmed
from shared.query.query import Query
from tests.replay import ask, replay, requests_of
from tests.unit.providers.pubmed_replay import OWN, article, article_set, found


def forms(query: Query) -> list[dict[str, str]]:
    """The form of each request that a query causes."""
    sent = requests_of(pubmed, query, [found("2", "1"), article_set(article("1"), article("2"))])
    return [{name: values[0] for name, values in parse_qs(request.content.decode()).items()} for request in sent]


@pytest.mark.parametrize(
    ("fields", "term"),
    [
        ({"text": "trem2 microglia"}, "trem2 microglia"),
        ({"text": '"heart attack"'}, '"heart attack"[tiab:~0]'),
        ({"text": "stroke OR heart attack"}, "stroke OR (heart attack)"),
        ({"text": "(flu OR influenza) AND vaccine NOT mice"}, "(flu OR influenza) AND vaccine NOT mice"),
        ({"text": 'flu "side effect" NOT (mice OR rats)'}, 'flu AND "side effect"[tiab:~0] NOT (mice OR rats)'),
        ({"text": "[2Fe-2S] clusters"}, "2Fe-2S clusters"),
        ({"text": "covid: #1 ~ HLA-A*02"}, "covid 1 HLA-A 02"),
        ({"text": "immuno* IL* *itis"}, "immuno* IL itis"),
        ({"text": 'the "p[ti] value"'}, '"p ti value"[tiab:~0]'),
        ({"text": "10.1371/journal.pone.0000001"}, "10.1371/journal.pone.0000001"),
        ({"text": "x", "date_from": "2020"}, "(x) AND 2020/01/01:3000/12/31[dp]"),
        ({"text": "x", "date_to": "2020-02"}, "(x) AND 1000/01/01:2020/02/29[dp]"),
        ({"text": "x", "date_from": "2019-05", "date_to": "2019-05-03"}, "(x) AND 2019/05/01:2019/05/03[dp]"),
        ({"text": "x OR y", "journal": "J. Biol. Chem."}, '(x OR y) AND "J Biol Chem"[ta]'),
        ({"text": "x", "journal": 'Proc (Bayl) "Cent"'}, '(x) AND "Proc Bayl Cent"[ta]'),
        ({"text": "x", "author": "Doudna JA"}, "(x) AND Doudna JA[au]"),
        ({"text": "x", "author": "J. A. Doudna"}, "(x) AND Doudna JA[au]"),
        ({"text": "x", "author": "Doudna, J. A."}, "(x) AND Doudna JA[au]"),
        ({"text": "x", "author": "Jennifer Doudna"}, "(x) AND (Doudna J[au] OR Jennifer D[au])"),
        ({"text": "x", "author": "Doudna, Jennifer"}, "(x) AND Doudna J[au]"),
        ({"text": "x", "author": "Wu[ta] OR"}, "(x) AND (Wu TAOR[au] OR or WUTA[au])"),
        ({"text": "x", "open_access": True}, "(x) AND free full text[sb]"),
        ({"text": "x", "publication_types": ("review",)},
         '(x) AND ("review"[pt] OR "systematic review"[pt] OR "meta-analysis"[pt])'),
        ({"text": "x", "publication_types": ("letter", "book", "book-chapter")},
         '(x) AND ("letter"[pt] OR pubmed books[filter])'),
        ({"text": "x", "publication_types": ("letter", "other")}, "x"),
        ({"text": "x", "exclude_preprints": True}, '(x) NOT "preprint"[pt]'),
        ({"text": "x", "exclude_retracted": True}, '(x) NOT "retracted publication"[pt]'),
        ({"text": "x", "min_citations": 5}, "x"),
        ({"text": "x", "date_from": "2020", "date_to": "2021", "author": "Li X", "exclude_preprints": True},
         '(x) AND 2020/01/01:2021/12/31[dp] AND (Li X[au] OR X LI[au]) NOT "preprint"[pt]'),
    ],
    ids=[
        "words", "phrase", "words-beside-or", "parentheses", "not-of-several", "brackets", "signs", "truncation",
        "tag-in-phrase", "doi", "from-year", "to-month", "both", "journal", "journal-signs", "author", "initials-first",
        "comma-and-dots", "full-name", "full-name-comma", "author-signs", "open-access", "type", "types",
        "type-without-a-name", "preprints", "retracted", "citations", "several",
    ],
)  # fmt: skip
def test_a_query_becomes_pubmeds_term(fields: dict[str, Any], term: str) -> None:
    assert forms(Query(**fields))[0]["term"] == term


def test_both_steps_are_forms_with_sender_and_key() -> None:
    sent = requests_of(pubmed, Query(text="x", limit=7), [found("2", "1"), article_set(article("1"))])
    assert [(request.method, str(request.url)) for request in sent] == [
        ("POST", "http://provider.test/entrez/eutils/esearch.fcgi"),
        ("POST", "http://provider.test/entrez/eutils/efetch.fcgi"),
    ]
    sender = {"db": "pubmed", "tool": "literature-search", "email": "dev@example.org", "api_key": "secret-key"}
    first, second = forms(Query(text="x", limit=7))
    assert first == {**sender, "term": "x", "retmode": "json", "retmax": "7", "sort": "relevance"}
    assert second == {**sender, "id": "2,1", "retmode": "xml"}


def test_without_a_key_none_is_sent() -> None:
    sent: list[bytes] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request.content)
        return httpx.Response(200, json=found())

    ask(pubmed, answer, key=None)
    assert [b"api_key" in form for form in sent] == [False]


@pytest.mark.parametrize(
    ("sort", "sent"),
    [("relevance", "relevance"), ("date", "pub_date"), ("citations", "relevance")],
    ids=["relevance", "date", "none-for-citations"],
)
def test_the_sort_is_always_sent(sort: str, sent: str) -> None:
    assert forms(Query(text="x", sort=sort))[0]["sort"] == sent


def test_more_ids_than_requested_are_not_fetched() -> None:
    sent = requests_of(pubmed, Query(text="x", limit=2), [found("3", "2", "1"), article_set(article("3"))])
    assert parse_qs(sent[1].content.decode())["id"] == ["3,2"]


def test_citation_counts_are_reported_as_unsupported() -> None:
    reply = replay(pubmed, found("1"), article_set(article("1")), query=Query(text="x OR y", min_citations=5))
    assert reply.unsupported_filters == ("min_citations",)
    assert reply.applied_filters == ("operators",)


def test_a_type_unknown_to_pubmed_is_reported_as_left_to_the_caller() -> None:
    query = Query(text="x", publication_types=("other",))
    reply = replay(pubmed, found("1"), article_set(article("1")), query=query)
    assert reply.warnings == ("PubMed has no type for some of publication_types; all types were searched",)


@pytest.mark.parametrize(
    ("fields", "unknown", "unsupported"),
    [
        ({"journal": "Journal of Nowhere"}, '"Journal of Nowhere"[ta]', ("journal",)),
        ({"journal": "Journal of Nowhere"}, "Journal of Nowhere[Journal]", ("journal",)),
        ({"author": "Nobody XY"}, "Nobody XY[au]", ("author",)),
        ({"journal": "Nature"}, "p.E1317Q", ()),
        ({}, "Journal of Nowhere", ()),
    ],
    ids=["journal", "journal-by-its-full-tag", "author", "another-term", "no-such-filter"],
)
def test_a_filter_that_pubmed_left_out_is_not_called_applied(
    fields: dict[str, str], unknown: str, unsupported: tuple[str, ...]
) -> None:
    hits = found("1", errorlist={"phrasesnotfound": [unknown], "fieldsnotfound": []})
    reply = replay(pubmed, hits, article_set(article("1")), query=Query(text="x", **fields))  # type: ignore[arg-type]
    assert reply.unsupported_filters == unsupported
    assert f"PubMed does not know and left out: {unknown}" in reply.warnings


def test_terms_left_out_are_reported_even_with_many_hits() -> None:
    reply = replay(pubmed, OWN / "esearch-term-left-out.json", OWN / "efetch-references.xml")
    assert reply.total_estimate == 40362
    assert reply.warnings == ("PubMed does not know and left out: p.E1317Q",)
    assert reply.effective_query == '"ann pancreat cancer"[Journal] OR "apc"[All Fields]'


@pytest.mark.parametrize(
    ("lists", "warning"),
    [
        ({"errorlist": {"phrasesnotfound": [], "fieldsnotfound": ["foo"]}}, "PubMed does not know the field: foo"),
        ({"warninglist": {"phrasesignored": ["the"]}}, "PubMed ignored: the"),
        ({"warninglist": {"quotedphrasesnotfound": ['"a b"']}}, 'PubMed finds nothing by: "a b"'),
        ({"warninglist": {"outputmessages": ["Wildcards were cut"]}}, "PubMed remarks: Wildcards were cut"),
    ],
    ids=["field", "ignored", "quoted", "remark"],
)
def test_pubmeds_messages_on_the_query_are_passed_on(lists: dict[str, Any], warning: str) -> None:
    reply = replay(pubmed, found("1", **lists), article_set(article("1")))
    assert reply.warnings == (warning,)


def test_without_a_translation_the_effective_query_is_the_term() -> None:
    reply = replay(pubmed, found("1"), article_set(article("1")), query=Query(text="x", author="Li X"))
    assert reply.effective_query == "(x) AND (Li X[au] OR X LI[au])"


@pytest.mark.parametrize(("sort", "shown"), [("relevance", ""), ("citations", ""), ("date", "&sort=pub_date")])
def test_the_effective_query_has_the_sort_where_it_is_not_by_relevance(sort: str, shown: str) -> None:
    reply = replay(pubmed, found("1"), article_set(article("1")), query=Query(text="x", author="Li X", sort=sort))
    assert reply.effective_query == f"(x) AND (Li X[au] OR X LI[au]){shown}"


def test_the_key_is_in_no_part_of_the_report() -> None:
    reply = replay(pubmed, found("1", "2"), article_set(article("1")), query=Query(text="x", min_citations=1))
    assert "secret-key" not in repr(reply)
    assert "dev@example.org" not in repr(reply)
