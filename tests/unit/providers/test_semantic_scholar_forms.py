"""The form in which each kind of query reaches Semantic Scholar, and the second request where few papers came.

Evidence: https://api.semanticscholar.org/api-docs/graph (all words required; the bulk search's operators and sorts;
the title search's 404).
"""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from functions.providers import semantic_scholar
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from tests.replay import ask

EMPTY = {"total": 0, "offset": 0}
MISSED = httpx.Response(404, json={"error": "Title match not found"})


def record(title: str, number: int = 0, **fields: Any) -> dict[str, Any]:
    return {"paperId": f"{number:040x}", "title": title, **fields}


def answered(bodies: dict[str, list[Any]], query: Query) -> tuple[ProviderReply, list[str]]:
    """The leg, and its requests as `path?query`, where each path answers with its bodies in turn."""
    sent: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        path = request.url.path.removeprefix("/graph/v1/")
        sent.append(f"{path}?{request.url.params.get('query')}")
        waiting = bodies.get(path, [EMPTY])
        body = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        return body if isinstance(body, httpx.Response) else httpx.Response(200, json=body)

    return ask(semantic_scholar, answer, query), sent


def found(*titles: str, total: int | None = None) -> dict[str, Any]:
    papers = [record(title, number) for number, title in enumerate(titles, 1)]
    return {"total": total or len(papers), "offset": 0, "data": papers}


BULK = "paper/search/bulk?"


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ('"graph neural networks" AND drugs', '"graph neural networks" + drugs'),
        ("heart AND (attack OR infarction)", "heart + (attack | infarction)"),
        ("heart attack OR stroke", "(heart + attack) | stroke"),
        ("turing NOT pattern", "turing -pattern"),
        ("a AND b NOT (c d OR e)", "a + b -((c + d) | e)"),
        ("off-target OR -x", "off-target | x"),
        ("immun* AND C++", "immun* + C"),
        ("tau[tiab]-AND", "(tau | τ) + and"),
        ('"a|b (c)~2" OR d', '"a b c 2" | d'),
        ("Aβ42 AND mice", "(Aβ42 | Abeta42) + mice"),
        ('TREM2[tiab] AND "Alzheimer Disease"[mesh] AND au:colonna', 'TREM2 + "Alzheimer Disease"'),
    ],
)
def test_an_expression_goes_to_the_bulk_search_in_its_own_syntax(text: str, expression: str) -> None:
    """Operators and phrases."""
    _, sent = answered({}, Query(text=text))
    assert sent == [BULK + expression]


def test_the_papers_of_an_expression_are_ordered_by_the_words_that_they_have() -> None:
    body = {**found("Stroke", "A review", "Heart attack and stroke"), "token": None}
    leg, _ = answered({"paper/search/bulk": [body]}, Query(text="heart OR stroke", limit=2))
    assert [paper.title for paper in leg.papers] == ["Heart attack and stroke", "Stroke"]
    assert (leg.applied_filters, leg.total_estimate, leg.partial) == (("operators",), 3, False)


def test_a_sort_by_date_keeps_the_order_of_the_bulk_search() -> None:
    """Orders."""
    body = {**found("Other", "Heart attack"), "token": None}
    leg, sent = answered({"paper/search/bulk": [body, EMPTY]}, Query(text="heart attack", sort="date"))
    assert sent == [f"{BULK}heart + attack"]
    assert [paper.title for paper in leg.papers] == ["Other", "Heart attack"]
    assert leg.warnings == ()


def test_an_expression_that_only_names_an_author_is_not_sent() -> None:
    leg, sent = answered({}, Query(text="au:vaswani"))
    assert (leg.outcome, sent) == (Outcome.SKIPPED_UNSUPPORTED_FILTER, [])


TITLE = "Attention is all you need for the translation of text"


def test_a_long_title_is_matched_and_needs_no_search() -> None:
    leg, sent = answered({"paper/search/match": [found(TITLE)]}, Query(text=TITLE))
    assert sent == [f"paper/search/match?{TITLE}"]
    assert [(paper.title, paper.relaxed) for paper in leg.papers] == [(TITLE, False)]


def test_a_short_title_is_first_and_the_search_follows() -> None:
    bodies = {
        "paper/search/match": [found("Attention is all you need")],
        "paper/search": [found("Attention is all you need", "You need attention")],
    }
    leg, sent = answered(bodies, Query(text="Attention is all you need"))
    assert sent == ["paper/search/match?Attention is all you need", "paper/search?Attention need"]
    assert [(paper.title, paper.relaxed) for paper in leg.papers] == [
        ("Attention is all you need", False),
        ("You need attention", True),
    ]


@pytest.mark.parametrize("nothing", [MISSED, {"data": []}, found("Marketing the maple leaf")])
def test_where_no_such_title_is_known_the_search_follows(nothing: Any) -> None:
    bodies = {"paper/search/match": [nothing], "paper/search": [found(*map(str, range(10)))]}
    leg, sent = answered(bodies, Query(text="The role of microglia in disease"))
    assert [request.partition("?")[0] for request in sent] == ["paper/search/match", "paper/search"]
    assert len(leg.papers) == 10


def test_keywords_and_questions_are_not_matched_with_titles() -> None:
    for text in ("TREM2 microglia Alzheimer", "How does CRISPR-Cas9 cause off-target effects in human cells?"):
        _, sent = answered({"paper/search": [found(*map(str, range(10)))]}, Query(text=text))
        assert [request.partition("?")[0] for request in sent] == ["paper/search"]


def test_few_papers_are_followed_by_a_search_with_fewer_words() -> None:
    bodies = {"paper/search": [found("One"), found("One", "Two")]}
    leg, sent = answered(bodies, Query(text="TREM2 microglia Alzheimer dementia lipids"))
    assert sent[1] == "paper/search?TREM2 microglia Alzheimer"
    assert [(paper.title, paper.relaxed) for paper in leg.papers] == [("One", False), ("Two", True)]


def test_greek_letters_are_searched_by_their_names_as_well() -> None:
    _, sent = answered({"paper/search": [found("One")]}, Query(text="TNF-α microglia"))
    assert sent == ["paper/search?TNF α microglia", "paper/search?TNF alpha microglia"]


def test_where_nothing_is_found_words_that_are_spelled_nearly_the_same_follow() -> None:
    bodies = {"paper/search/bulk": [{**found("NLRP3 inflammasome"), "token": None}]}
    leg, sent = answered(bodies, Query(text="NLRP3 infalmmasome mouse"))
    assert sent == [
        "paper/search?NLRP3 infalmmasome mouse",
        f"{BULK}NLRP3 + (infalmmasome | infalmmasome~2) + (mouse | mouse~1)",
    ]
    assert [(paper.title, paper.relaxed) for paper in leg.papers] == [("NLRP3 inflammasome", True)]


def test_three_words_have_no_wider_form() -> None:
    bodies = {"paper/search": [found("One")]}
    assert len(answered(bodies, Query(text="TREM2 microglia Alzheimer"))[1]) == 1


def test_a_journal_under_which_nothing_is_found_is_checked_afterwards() -> None:
    bodies = {"paper/search": [EMPTY, found(*map(str, range(10)))]}
    leg, sent = answered(bodies, Query(text="microglia", journal="Acad Med"))
    assert (len(sent), len(leg.papers), leg.unsupported_filters) == (2, 10, ("journal",))


def test_a_journal_under_which_papers_are_found_is_applied() -> None:
    bodies = {"paper/search": [found(*map(str, range(10)))]}
    leg, sent = answered(bodies, Query(text="microglia", journal="Nature"))
    assert (len(sent), leg.applied_filters) == (1, ("journal",))


def test_too_large_an_answer_in_bulk_is_requested_without_abstracts() -> None:
    error = httpx.Response(400, json={"error": "Response would exceed maximum size."})
    leg, sent = answered({"paper/search/bulk": [error, {**found("A"), "token": None}]}, Query(text="a OR b"))
    assert (len(sent), leg.outcome) == (2, Outcome.OK)
