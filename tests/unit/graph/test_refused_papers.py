"""An odd value in one paper costs that value, or that paper, and no other paper of its message."""

from __future__ import annotations

import json
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.errors import MessageRefused
from shared.graph.messages import PapersMessage, is_storable, messages
from shared.graph.received import read_message
from shared.graph.writes import write_message
from tests.unit.graph.examples import DEBATE, NOON, papers_body, result
from tests.unit.graph.memory_table import MemoryTable

LONG = "10.1000/" + "x" * 600


def mixed(**changes: Any) -> str:
    """The body of a message with three papers, of which the second has these fields."""
    message = json.loads(papers_body(*(result(doi=f"10.1000/{number}") for number in range(3)), context=DEBATE))
    message["papers"][1] |= changes
    return json.dumps(message)


def read(body: str) -> PapersMessage:
    message = read_message(body)
    assert isinstance(message, PapersMessage)
    return message


ODD = {
    "a truth value as a number": ({"citation_count": True}, "papers.papers.1.citation_count: int_type"),
    "no number": ({"citation_count": float("nan")}, "papers.papers.1.citation_count: "),
    "a broken year": ({"year": 1.5}, "papers.papers.1.year: "),
    "a number of five thousand digits": ({"author_count": 10**4000}, "papers.papers.1.author_count: "),
    "an unknown field": ({"abstract": "x"}, "papers.papers.1.abstract: extra_forbidden"),
    "another paper's key": ({"key": "doi:10.1/other"}, "papers.papers.1: value_error"),
    "no title": ({"title": ""}, "papers.papers.1.title: string_too_short"),
}


@pytest.mark.parametrize(("changes", "reason"), ODD.values(), ids=ODD.keys())
def test_the_other_papers_of_a_message_are_read_and_the_field_is_named(changes: dict[str, Any], reason: str) -> None:
    message = read(mixed(**changes))
    assert [paper.state["key"] for paper in message.papers] == ["doi:10.1000/0", "doi:10.1000/2"]
    assert any(it.startswith(reason) for it in message.refused)


def test_a_paper_that_is_no_object_costs_no_other() -> None:
    message = json.loads(mixed())
    message["papers"][1] = [1]
    assert len(read(json.dumps(message)).papers) == 2


def test_a_message_of_valid_papers_refuses_none() -> None:
    assert read(mixed()).refused == ()


def test_a_message_without_a_valid_paper_is_refused_with_the_fields() -> None:
    message = json.loads(papers_body(result()))
    message["papers"][0]["year"] = "2016"
    with pytest.raises(MessageRefused, match=r"papers\.0\.year: int_type"):
        read_message(json.dumps(message))


def test_the_effect_is_the_same_in_any_order_and_however_often_it_is_repeated() -> None:
    bodies = [mixed(year=1.5), mixed(title=""), papers_body(result(doi="10.1000/1"), context=DEBATE)]
    tables = []
    for order in permutations(bodies):
        table = MemoryTable()
        for body in (*order, *order):
            write_message(read_message(body), table)
        tables.append(table.items)
    assert all(items == tables[0] for items in tables)
    assert sorted(sk for pk, sk in tables[0] if pk.startswith("paper#")) == ["paper"] * 3


def test_of_a_result_with_odd_values_the_others_are_queued() -> None:
    odd = result(citation_count=True, year=1.5, author_count=float("nan"), publication_date=2016)
    (paper,) = read(papers_body(odd)).papers
    state = paper.state
    assert (state["citation_count"], state["year"], state["author_count"], state["publication_date"]) == (None,) * 4
    assert state["title"] == odd["title"]


@pytest.mark.parametrize(
    "changes",
    [
        {"citation_uri": "https://example.org/" + "x" * 3000},
        {"publication_date": "2016-12-20" * 9},
        {"retraction": {"status": "retracted", "notice_doi": LONG, "date": "2016" * 20, "notice_pmid": None}},
        {"pmid": "1" * 600},
        {"pmid": "12\ud800"},
    ],
    ids=["URI", "date", "notice", "PMID", "half a character"],
)
def test_identifiers_and_addresses_are_never_queued_cut(changes: dict[str, Any]) -> None:
    (paper,) = read(papers_body(result(doi="10.1000/1", **changes))).papers
    state = paper.state
    assert (state["citation_uri"], state["publication_date"]) in {
        ("https://example.org/paper", "2016-12-20"), (None, "2016-12-20"), ("https://example.org/paper", None)
    }  # fmt: skip
    assert state["retraction"]["notice_doi"] is None
    assert state["retraction"]["date"] is None
    assert state["external_ids"]["pmid"] is None


@pytest.mark.parametrize("doi", [LONG, "10.1000/a b", "10.1000/\ud800"], ids=["long", "blank", "half a character"])
def test_a_result_whose_only_id_the_writer_refuses_is_not_queued(doi: str) -> None:
    odd = result(doi=doi, key="s2:" + "a" * 40)
    assert not is_storable(odd)
    assert list(messages([odd], None, NOON)) == []


ANY = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=600), st.just("x\ud800"))
FIELDS = ("title", "journal", "type", "publication_date", "citation_uri", "author_count", "year", "citation_count")


@settings(deadline=None, max_examples=200)
@given(
    st.lists(
        st.tuples(st.sampled_from(FIELDS), ANY, st.lists(ANY, max_size=3), st.sampled_from(("status", "date")), ANY),
        max_size=12,
    )
)
def test_the_writer_accepts_all_queued_papers_of_odd_results(odd: list[Any]) -> None:
    results = [
        result(
            doi=f"10.1000/{number}",
            authors=authors,
            retraction={"status": "none", "notice_doi": None, "date": None, part: notice},
            **{name: value},
        )
        for number, (name, value, authors, part, notice) in enumerate(odd)
    ]
    sent = [read(json.dumps(message)) for message in messages(results, None, NOON)]
    assert [reason for message in sent for reason in message.refused] == []
    assert sum(len(message.papers) for message in sent) == sum(map(is_storable, results))
    assert all(map(is_storable, (it for it, (name, *_) in zip(results, odd, strict=True) if name != "title")))
