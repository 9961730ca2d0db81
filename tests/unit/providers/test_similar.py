"""Papers like others: what each source is sent, how its list is read, and what its refusals mean."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

import httpx
import pytest

from functions.providers import openalex, pubmed, semantic_scholar
from shared.outcomes import Outcome
from shared.providers.fused_lists import fused_order
from shared.providers.provider import ProviderReply, reply_from_json, reply_to_json
from shared.query.question import Question, Similar, question_from_json, question_to_json
from tests.recorded.every_recording import folder, needs_recordings
from tests.replay import ask, replay, requests_of
from tests.unit.providers.pubmed_replay import OWN, article, article_set

ONE, SEVERAL = Similar(("doi:10.1000/x",)), Similar(("doi:10.1000/x", "pmid:7"), ("arxiv:1706.03762",), 10)
RECOMMENDED = "/recommendations/v1/papers/"
NOT_FOUND: dict[str, Any] = {"error": "Input papers not found"}


def recommended(*titles: str) -> dict[str, Any]:
    return {"recommendedPapers": [{"paperId": f"{n:040d}", "title": title} for n, title in enumerate(titles)]}


def titles(reply: ProviderReply) -> list[str]:
    return [paper.title for paper in reply.papers]


def links(**similar: dict[str, int]) -> str:
    """elink's answer: for each paper the similar ones with scores, in another order than that of the scores."""
    sets = []
    for pmid, scores in similar.items():
        found = "".join(f"<Link><Id>{it.strip('p')}</Id><Score>{score}</Score></Link>" for it, score in scores.items())
        listed = f"<LinkSetDb><LinkName>pubmed_pubmed</LinkName>{found}</LinkSetDb>" if found else ""
        sets.append(f"<LinkSet><IdList><Id>{pmid.strip('p')}</Id></IdList>{listed}</LinkSet>")
    return f"<eLinkResult>{''.join(sets)}</eLinkResult>"


@pytest.mark.parametrize("question", [ONE, SEVERAL])
def test_a_question_survives_its_event_and_has_one_key_in_any_order(question: Similar) -> None:
    assert question_from_json(question_to_json(question)) == question
    turned = Similar(question.names[::-1], question.unlike, question.limit)
    assert turned.cache_key() == question.cache_key() != Similar(question.unlike, question.names).cache_key()


def test_one_paper_is_sent_in_the_path_without_a_field_that_may_be_refused() -> None:
    (request,) = requests_of(semantic_scholar, ONE, [recommended("A")])
    assert (request.method, request.url.path) == ("GET", f"{RECOMMENDED}forpaper/DOI:10.1000/x")
    assert request.url.params["limit"] == "100"
    fields = request.url.params["fields"].split(",")
    assert {"externalIds", "title", "authors", "year"} <= set(fields)
    assert "openAccessPdf" not in fields


def test_an_older_paper_is_compared_with_all_of_computer_science_too() -> None:
    sent = requests_of(semantic_scholar, ONE, [recommended(), recommended("A")])
    assert [request.url.params.get("from") for request in sent] == [None, "all-cs"]
    assert titles(replay(semantic_scholar, recommended(), recommended("A"), query=ONE)) == ["A"]
    none = replay(semantic_scholar, recommended(), query=ONE)
    assert (none.outcome, none.warnings) == (Outcome.EMPTY, ("Semantic Scholar recommends no paper for it",))


def test_several_papers_are_two_lists_in_one_body() -> None:
    (request,) = requests_of(semantic_scholar, SEVERAL, [recommended("A")])
    assert (request.method, request.url.path, request.url.params["limit"]) == ("POST", RECOMMENDED, "10")
    assert request.read() == (
        b'{"positivePaperIds":["DOI:10.1000/x","PMID:7"],"negativePaperIds":["ARXIV:1706.03762"]}'
    )


def test_papers_that_it_does_not_know_are_left_out_of_the_lists() -> None:
    sent: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        if request.url.path.endswith("batch"):
            return httpx.Response(200, json=[{"paperId": "a"}, None, None])
        known = b"PMID:7" not in request.read()
        return httpx.Response(200, json=recommended("A")) if known else httpx.Response(404, json=NOT_FOUND)

    reply = ask(semantic_scholar, answer, SEVERAL)
    assert (reply.outcome, titles(reply)) == (Outcome.OK, ["A"])
    assert reply.warnings == ("Semantic Scholar does not know PMID:7, ARXIV:1706.03762",)
    assert [request.url.path for request in sent] == [RECOMMENDED, "/graph/v1/paper/batch", RECOMMENDED]
    assert sent[2].read() == b'{"positivePaperIds":["DOI:10.1000/x"],"negativePaperIds":[]}'


@pytest.mark.parametrize("question", [ONE, SEVERAL])
def test_only_unknown_papers_are_an_empty_list(question: Question) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("batch"):
            return httpx.Response(400, json={"error": "No valid paper ids given"})
        refused = {"error": "Paper with id DOI:10.1000/x not found"} if request.method == "GET" else NOT_FOUND
        return httpx.Response(404, json=refused)

    reply = ask(semantic_scholar, answer, question)
    assert (reply.outcome, "does not know" in reply.warnings[0]) == (Outcome.EMPTY, True)


@pytest.mark.parametrize("question", [ONE, SEVERAL])
def test_a_404_of_something_on_the_way_is_no_unknown_paper(question: Question) -> None:
    reply = ask(semantic_scholar, lambda _: httpx.Response(404, text="Something went wrong."), question)
    assert reply.outcome is Outcome.BAD_RESPONSE


@pytest.mark.parametrize("body", [{}, {"recommendedPapers": None}, "[]", {"recommendedPapers": {"a": 1}}])
def test_an_answer_without_a_list_is_no_empty_list(body: Any) -> None:
    assert replay(semantic_scholar, body, query=ONE).outcome is Outcome.BAD_RESPONSE
    assert replay(semantic_scholar, body, query=SEVERAL).outcome is Outcome.BAD_RESPONSE


@needs_recordings
@pytest.mark.parametrize(
    ("name", "count", "first"),
    [
        ("recommendations-forpaper.json", 100, None),
        ("recommendations-forpaper-small.json", 10, "10.1007/s12282-026-01886-9"),
    ],
)
def test_recorded_recommendations_are_read_in_order(name: str, count: int, first: str | None) -> None:
    reply = replay(semantic_scholar, folder("semantic_scholar") / name, query=ONE)
    assert (reply.outcome, len(reply.papers), reply.warnings) == (Outcome.OK, count, ())
    assert [paper.rank for paper in reply.papers] == list(range(1, count + 1))
    assert reply.papers[0].ids.doi == first


def test_pubmed_is_sent_each_paper_in_a_field_of_its_own() -> None:
    question = Similar(("pmid:1", "pmid:2"), ("pmid:3",))
    body = links(p1={"p1": 2**31 - 1, "p8": 5}, p2={}, p3={})
    sent = requests_of(pubmed, question, [body, article_set(article("8"))])
    form = parse_qs(sent[0].content.decode())
    assert form["id"] == ["1", "2", "3"]
    assert (form["cmd"], form["linkname"], form["dbfrom"]) == (["neighbor_score"], ["pubmed_pubmed"], ["pubmed"])
    assert parse_qs(sent[1].content.decode())["id"] == ["8"]


def test_pubmeds_papers_have_the_order_of_their_scores_and_not_the_paper_itself() -> None:
    body = links(p1={"p9": 20, "p8": 30, "p1": 2**31 - 1, "p7": 25})
    reply = replay(pubmed, body, article_set(article("9"), article("8")), query=Similar(("pmid:1",)))
    assert [(paper.rank, paper.ids.pmid) for paper in reply.papers] == [(1, "8"), (3, "9")]
    assert [(pointer.rank, pointer.ids.pmid) for pointer in reply.pointers] == [(2, "7")]
    assert reply.scores == (30, 25, 20)
    assert reply_from_json(reply_to_json(reply)) == reply


def test_pubmeds_lists_of_several_papers_are_joined_and_those_of_others_counted_off() -> None:
    body = links(p1={"p7": 9, "p8": 8, "p4": 3}, p2={"p8": 9, "p1": 7, "p6": 5}, p3={"p7": 9, "p6": 8})
    records = article_set(*map(article, ("8", "4", "6", "7")))
    reply = replay(pubmed, body, records, query=Similar(("pmid:1", "pmid:2"), ("pmid:3",)))
    assert [paper.ids.pmid for paper in reply.papers] == ["8", "4"]
    assert reply.scores == ()  # no one measure


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        (links(p1={}), Outcome.EMPTY),
        (links(p1={"p1": 2**31 - 1}), Outcome.EMPTY),
        (links(p5={"p6": 1}), Outcome.BAD_RESPONSE),
        ("<eLinkResult/>", Outcome.BAD_RESPONSE),
        ((OWN / "elink-error-inside.xml").read_text(), Outcome.UNAVAILABLE),
    ],
)
def test_pubmeds_answers_without_similar_papers(body: str, outcome: Outcome) -> None:
    reply = replay(pubmed, body, query=Similar(("pmid:1",)))
    assert (reply.outcome, bool(reply.warnings)) == (outcome, body != links(p1={"p1": 2**31 - 1}))


@needs_recordings
def test_the_recorded_links_without_scores_are_read_without_the_paper_itself() -> None:
    reply = replay(
        pubmed,
        folder("pubmed") / "elink-neighbor-pubmed.xml",
        article_set(article("38997184")),
        query=Similar(("pmid:12242737",)),
    )
    pmids = [*(it.ids.pmid for it in reply.papers), *(it.ids.pmid for it in reply.pointers)]
    assert (len(pmids), "12242737" in pmids, reply.papers[0].ids.pmid) == (100, False, "38997184")


def work(number: int, *related: int) -> dict[str, Any]:
    names = [f"https://openalex.org/W10{it}" for it in related]
    return {"id": f"https://openalex.org/W10{number}", "title": f"Paper {number}", "related_works": names}


def works(*found: dict[str, Any]) -> dict[str, Any]:
    return {"meta": {"count": len(found)}, "results": list(found)}


def test_openalex_is_sent_one_free_request_for_the_list_and_one_for_its_records() -> None:
    bodies = [work(1, 9, 8, 1), works(work(8), work(9))]
    sent = requests_of(openalex, Similar(("openalex:W101",)), bodies)
    assert [it.url.path for it in sent] == ["/works/W101", "/works"]
    assert sent[0].url.params["select"] == "id,related_works"
    assert sent[1].url.params["filter"] == "ids.openalex:W109|W108"
    reply = replay(openalex, *bodies, query=Similar(("openalex:W101",)))
    assert [(paper.rank, paper.title) for paper in reply.papers] == [(1, "Paper 9"), (2, "Paper 8")]


def test_openalex_lists_of_several_works_are_joined_and_unknown_works_named() -> None:
    question = Similar(("openalex:W101", "openalex:W102", "openalex:W105"), ("openalex:W103",))
    bodies = [works(work(2, 7, 6), work(1, 8, 7), work(3, 6)), works(work(7))]
    reply = replay(openalex, *bodies, query=question)
    assert [(paper.rank, paper.title) for paper in reply.papers] == [(1, "Paper 7")]
    assert [(it.rank, it.ids.openalex) for it in reply.pointers] == [(2, "W108")]
    assert reply.warnings == ("OpenAlex does not know W105",)


@pytest.mark.parametrize(
    ("body", "warning"),
    [
        (work(1), "OpenAlex relates no work to W101"),
        ({"id": "https://openalex.org/W101", "related_works": None}, "OpenAlex relates no work to W101"),
    ],
)
def test_a_work_without_related_works_is_an_empty_list_with_the_reason(body: Any, warning: str) -> None:
    reply = replay(openalex, body, query=Similar(("openalex:W101",)))
    assert (reply.outcome, reply.warnings) == (Outcome.EMPTY, (warning,))


@pytest.mark.parametrize("odd", ["", 1, None, [{"id": "https://openalex.org/W108"}]])
def test_entries_that_are_no_works_are_left_out(odd: Any) -> None:
    several = Similar(("openalex:W101", "openalex:W102"))
    reply = replay(openalex, works(odd, work(1, 8), work(2)), works(odd, work(8)), query=several)
    assert titles(reply) == ["Paper 8"]


def test_an_unknown_work_is_an_empty_list_with_the_reason() -> None:
    reply = ask(openalex, lambda _: httpx.Response(404, text="<html>"), Similar(("openalex:W101",)))
    assert (reply.outcome, reply.warnings) == (Outcome.EMPTY, ("OpenAlex does not know W101",))


def test_lists_are_joined_by_rank() -> None:
    assert fused_order(["abc", "bd"]) == ["b", "a", "d", "c"]
    assert fused_order(["abc"], against=["a"]) == ["b", "c"]
    assert fused_order(["abc"], against=["xxa"])[:2] == ["b", "c"]
    assert fused_order([]) == []
