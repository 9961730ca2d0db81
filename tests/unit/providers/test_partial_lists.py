"""A list that lacks records says so, and is asked for again within the hour; a list without a total is not empty."""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

import pytest

from functions.providers import arxiv, crossref, europe_pmc, openalex, paperclip, pubmed, semantic_scholar
from shared.legs.leg import EMPTY_S, FRESH_S, fresh_for_s
from shared.legs.reports import reports_of
from shared.outcomes import Outcome
from shared.providers.provider import reply_from_json, reply_to_json
from shared.query.query import Query
from tests.replay import OWN_RECORDINGS, replay

SOURCES = {"crossref": crossref, "openalex": openalex, "semantic_scholar": semantic_scholar, "europe_pmc": europe_pmc}
READABLE = {
    "crossref": {"DOI": "10.5555/a", "title": ["A"], "type": "journal-article"},
    "openalex": json.loads((OWN_RECORDINGS / "openalex" / "search.json").read_text(encoding="utf-8"))["results"][0],
    "semantic_scholar": {"paperId": "a" * 40, "title": "A"},
    "europe_pmc": {"id": "1", "source": "MED", "pmid": "1", "title": "A"},
}


def body(name: str, records: list[Any], total: object) -> dict[str, Any]:
    """The envelope of a search; without the total if that is None."""

    def counted(key: str) -> dict[str, object]:
        return {} if total is None else {key: total}

    match name:
        case "crossref":
            message = {"items": records, **counted("total-results")}
            return {"status": "ok", "message-type": "work-list", "message": message}
        case "openalex":
            return {"meta": counted("count"), "results": records}
        case "semantic_scholar":
            return {"offset": 0, "data": records, **counted("total")}
    return {**counted("hitCount"), "resultList": {"result": records}}


def feed(entries: int, total: int) -> str:
    entry = "<entry><id>http://arxiv.org/abs/2001.0000{}v1</id><title>A</title></entry>"
    return (
        '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">'
        f"<opensearch:totalResults>{total}</opensearch:totalResults>"
        f"{''.join(entry.format(number) for number in range(1, entries + 1))}</feed>"
    )


def pubmed_bodies(pmids: int, records: int, count: int) -> tuple[dict[str, Any], str]:
    ids = [str(number) for number in range(1, pmids + 1)]
    article = (
        "<PubmedArticle><MedlineCitation><PMID>{}</PMID><Article><ArticleTitle>A</ArticleTitle></Article>"
        "</MedlineCitation></PubmedArticle>"
    )
    found = "".join(article.format(pmid) for pmid in ids[:records])
    return {"esearchresult": {"count": str(count), "idlist": ids}}, f"<PubmedArticleSet>{found}</PubmedArticleSet>"


def replies(module: ModuleType, *bodies: Any, limit: int = 100) -> Any:
    return replay(module, *bodies, query=Query(text="test", limit=limit))


def shown(output: str) -> dict[str, Any]:
    return {"output": output, "exit_code": 0, "result_data": None}


HIT = "  1. A title of some length\n     A Author\n     PMC1 · PMC · 2013-05-01\n     https://example.org/a\n"


@pytest.mark.parametrize("name", SOURCES)
def test_fewer_records_than_requested_and_announced_are_a_partial_list(name: str) -> None:
    reply = replies(SOURCES[name], body(name, [READABLE[name]], 100))
    assert (reply.outcome, reply.partial, len(reply.papers)) == (Outcome.OK, True, 1)


def test_the_other_sources_report_a_short_list_too() -> None:
    assert replies(arxiv, feed(1, 100)).partial
    assert replies(pubmed, *pubmed_bodies(1, 1, 100)).partial
    assert replies(pubmed, *pubmed_bodies(3, 2, 3)).partial
    assert replies(paperclip, shown("Found 3 papers  [s_1]\n\n" + HIT)).partial


@pytest.mark.parametrize("name", SOURCES)
def test_a_list_with_the_requested_or_the_total_number_is_complete(name: str) -> None:
    records = [READABLE[name]] * 3
    assert not replies(SOURCES[name], body(name, records, 100), limit=3).partial
    assert not replies(SOURCES[name], body(name, records, 3)).partial
    assert not replies(SOURCES[name], body(name, [], 0)).partial


def test_the_other_sources_report_a_complete_list_too() -> None:
    assert not replies(arxiv, feed(3, 100), limit=3).partial
    assert not replies(arxiv, feed(3, 3)).partial
    assert not replies(pubmed, *pubmed_bodies(3, 3, 100), limit=3).partial
    assert not replies(pubmed, *pubmed_bodies(3, 3, 3)).partial
    assert not replies(paperclip, shown("Found 1 papers  [s_1]\n\n" + HIT)).partial


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize(("unreadable", "partial"), [(1, False), (2, False), (10, False), (11, True), (99, True)])
def test_many_unreadable_records_make_a_list_partial_and_a_few_do_not(
    name: str, unreadable: int, partial: bool
) -> None:
    records = [*[READABLE[name]] * (100 - unreadable), *[7] * unreadable]
    reply = replies(SOURCES[name], body(name, records, 100))
    assert (reply.outcome, reply.partial) == (Outcome.OK, partial)


@pytest.mark.parametrize("name", SOURCES)
def test_an_empty_list_without_its_total_is_no_answer(name: str) -> None:
    assert replies(SOURCES[name], body(name, [], None)).outcome is Outcome.BAD_RESPONSE
    assert replies(SOURCES[name], body(name, [], False)).outcome is Outcome.BAD_RESPONSE
    assert replies(SOURCES[name], body(name, [], 100)).outcome is Outcome.BAD_RESPONSE
    assert replies(SOURCES[name], body(name, [], 0)).outcome is Outcome.EMPTY


def test_semantic_scholars_zero_hits_have_no_list() -> None:
    assert replies(semantic_scholar, {"total": 0, "offset": 0}).outcome is Outcome.EMPTY


def test_a_structured_answer_that_counts_papers_and_lists_none_is_no_answer() -> None:
    counted = {"output": "", "exit_code": 0, "result_data": {"count": 20, "papers": []}}
    assert replies(paperclip, counted).outcome is Outcome.BAD_RESPONSE


def test_a_partial_list_is_used_for_an_hour() -> None:
    partial = replies(crossref, body("crossref", [READABLE["crossref"]], 100))
    whole = replies(crossref, body("crossref", [READABLE["crossref"]], 1))
    assert (fresh_for_s(partial), fresh_for_s(whole)) == (EMPTY_S, FRESH_S)


def test_a_stored_leg_keeps_it_and_one_stored_earlier_is_whole() -> None:
    stored = reply_to_json(replies(crossref, body("crossref", [READABLE["crossref"]], 100)))
    assert reply_from_json(stored).partial
    assert not reply_from_json({name: value for name, value in stored.items() if name != "partial"}).partial


def test_the_report_of_several_wordings_is_partial_if_one_of_them_is() -> None:
    partial = replies(crossref, body("crossref", [READABLE["crossref"]], 100))
    whole = replies(crossref, body("crossref", [READABLE["crossref"]], 1))
    reported = [
        reports_of(legs)["crossref"]["partial"] for legs in ([whole, whole], [whole, partial], [partial, whole])
    ]
    assert reported == [False, True, True]
