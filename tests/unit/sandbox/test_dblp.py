"""DBLP's sandbox: prefixes, alternatives, what is disabled, both formats; and the provider's code over it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from defusedxml.ElementTree import fromstring
from werkzeug import Request, Response
from werkzeug.test import EnvironBuilder

from functions.providers import dblp as provider
from infra.local.sandbox.corpus import Corpus, default_corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.services import dblp as sandbox
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from shared.query.question import Listing
from tests.replay import ask
from tests.unit.sandbox.bridge import over

GRAPHS = Fact(
    title="Graphs & trees", authors=(("Wang", "Wei"), ("Müller", "Anna")), year=2019, journal="KDD",
    type="conference-paper", doi="10.9999/Graphs.19", pages="1-9",
)  # fmt: skip
GRAPHICS = Fact(title="Graphics in the browser", authors=(("Li", "Na"),), year=2021, doi="10.9999/graphics")
PREPRINT = Fact(title="Is a graph a tree?", authors=(("Li", "Na"),), year=2020, type="preprint", arxiv_id="2003.00001")
FACTS = (GRAPHS, GRAPHICS, PREPRINT)
pytestmark = pytest.mark.usefixtures("everything_is_covered")


def respond(**params: str) -> Response:
    sent = Request(EnvironBuilder("/search/publ/api", query_string=params).get_environ())
    return sandbox.answer(sent, Corpus(FACTS))


def hits(**params: str) -> dict[str, Any]:
    return dict(json.loads(respond(format="json", **params).get_data())["result"]["hits"])


def titles(query: str) -> list[str]:
    found = hits(q=query).get("hit", [])
    return [hit["info"]["title"] for hit in ([found] if isinstance(found, dict) else found)]


def leg(question: Any, corpus: Corpus | None = None) -> ProviderReply:
    return ask(provider, over(sandbox, corpus or Corpus(FACTS)), question)


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("graph", 3), ("graph$", 1), ("GRAPH$", 1), ("graph tree", 2), ("graph tree|browser", 3), ("muller", 1),
        ("wang kdd 2019", 1), ("graph -tree", 2), ("graph.tree", 2), ('"trees graphs"', 1), ("", 0), ("zebra", 0),
    ],
)  # fmt: skip
def test_words_are_prefixes_that_are_all_required(query: str, count: int) -> None:
    assert hits(q=query)["@total"] == str(count)


def test_one_hit_is_an_object_and_no_hit_is_no_list() -> None:
    assert isinstance(hits(q="graph$")["hit"], dict)
    assert isinstance(hits(q="graph")["hit"], list)
    assert "hit" not in hits(q="zebra")


def test_the_best_come_first_and_then_the_newest() -> None:
    assert titles("graph") == ["Graphics in the browser.", "Is a graph a tree?", "Graphs &amp; trees."]


def test_xml_is_the_format_unless_another_is_requested() -> None:
    answer = respond(q="graph tree", h="1")
    tree = fromstring(answer.get_data(as_text=True))
    assert [it.attrib for it in tree.iter("hits")] == [{"total": "2", "computed": "2", "sent": "1", "first": "0"}]
    assert [hit.findtext("info/title") for hit in tree.iter("hit")] == ["Is a graph a tree?"]


def test_pages_are_cut_by_the_first_hit_and_their_number() -> None:
    assert (hits(q="graph", f="2", h="5")["@sent"], hits(q="graph", f="2", h="5")["@first"]) == ("1", "2")


def test_a_search_reads_the_records() -> None:
    (paper,) = leg(Query(text="graphs trees Wang")).papers
    assert (paper.title, paper.type, paper.journal) == ("Graphs & trees", "conference-paper", "KDD")
    assert [author.display for author in paper.authors] == ["Wei Wang", "Anna Müller"]


def test_a_listing_of_many_pages_is_what_one_page_lists() -> None:
    corpus, found, position = default_corpus(), [], ""
    whole = leg(Listing(Query(text="language models"), size=500), corpus)
    while True:
        page = leg(Listing(Query(text="language models"), position=position, size=3), corpus)
        found += [paper.title for paper in page.papers]
        if not page.next_position:
            break
        position = page.next_position
    assert found == [paper.title for paper in whole.papers]
    assert len(found) > 3
