"""What an answer says of words that are misspelt, are a person's name, or are left out by one of several filters."""

from __future__ import annotations

from typing import Any

import pytest

from infra.local.machine import Machine
from tests.integration.mcp_calls import both
from tests.integration.papers_calls import fetch

pytestmark = pytest.mark.slow  # each case is a search of its own


def messages(answer: dict[str, Any], reason: str) -> list[str]:
    return [hint["message"] for hint in answer["hints"] if hint["reason"] == reason]


def offered(answer: dict[str, Any], why: str) -> dict[str, Any]:
    (action,) = (it for it in answer["next_actions"] if it["why"] == why)
    return dict(action["arguments"])


@pytest.mark.parametrize(("typed", "meant"), [
    ("Atention is all you ned", "Attention is all you need"),
    ("TREM2 micorglia alzhiemer", "TREM2 microglia alzheimer"),
    ("Mikroglia und TREM2 bei der Alzheimer-Krankheit", "Microglia und TREM2 bei der Alzheimer-Krankheit"),
    ("Highly accurate protein structure predicton with AlphaFold",
     "Highly accurate protein structure prediction with AlphaFold"),
])  # fmt: skip
def test_a_suggested_spelling_is_the_whole_query_and_one_call_away(running: Machine, typed: str, meant: str) -> None:
    for answer in both(running, query=typed):
        assert messages(answer, "spelling") == [f"Did you mean: {meant}"]
        arguments = offered(answer, "searches with the suggested spelling")
        assert arguments["query"] == meant
        assert not messages(fetch(running, "POST", "/v1/literature-search", arguments), "spelling")


def test_words_that_papers_have_and_abbreviations_are_not_misspelt(running: Machine) -> None:
    for query in ("retrieval-augmented generation (RAG)", "Marco Colonna"):
        assert not any(messages(answer, "spelling") for answer in both(running, query=query))
    for answer in both(running, query="RAG"):
        assert (answer["total_count"], len(messages(answer, "no_match")), messages(answer, "spelling")) == (0, 1, [])


@pytest.mark.parametrize(("typed", "author", "subject"), [
    ("Colonna M", "Colonna M", None), ("M. Colonna TREM2", "M. Colonna", "TREM2"),
    ("TREM2 ligands Colonna M", "Colonna M", "TREM2 ligands"), ("Marco Colonna", "Marco Colonna", None),
    ("Jumper J, Evans R", "Jumper J;Evans R", None),
])  # fmt: skip
def test_papers_by_a_named_person_are_one_call_away(
    running: Machine, typed: str, author: str, subject: str | None
) -> None:
    for answer in both(running, query=typed):
        assert len(messages(answer, "author")) == 1
        arguments = offered(answer, "finds papers by this author")
        assert (arguments["author"], arguments.get("query") or None) == (author, subject)
    found = fetch(running, "POST", "/v1/literature-search", {**arguments, "detail": "full"})
    family = "Colonna" if "Colonna" in author else "Jumper"
    assert found["results"]
    assert all(any(family in name for name in paper["authors"]) for paper in found["results"])


@pytest.mark.parametrize("query", [
    "Vitamin D", "Hepatitis B", "Type I interferon", "Alzheimer Disease", "Attention Mechanism", "TREM2 microglia",
    "Colonna M AND TREM2", "10.7554/eLife.20391", "Jumper J, et al. Nature 2021;596:583-589",
])  # fmt: skip
def test_other_words_are_no_name(running: Machine, query: str) -> None:
    answer = fetch(running, "POST", "/v1/literature-search", {"query": query, "cite_in_kg": False})
    assert not messages(answer, "author")


def test_no_author_is_suggested_where_one_is_given(running: Machine) -> None:
    for answer in both(running, query="Colonna M", author="Colonna M"):
        assert not messages(answer, "author")


def test_of_several_filters_the_one_to_blame_is_named(running: Machine) -> None:
    for answer in both(running, query="TREM2", date_from="2015", date_to="2018-06", journal="NEJM"):
        (message,) = messages(answer, "filters_too_narrow")
        found = int(message.split()[0])
        assert answer["total_count"] == 0 < found
        assert f"Of these, {found} pass without journal." in message
    dated = {"query": "TREM2 Alzheimer", "date_from": "2013", "date_to": "2016"}
    for answer in both(running, **dated, journal="Neuron", author="Colonna", open_access=True):
        (message,) = messages(answer, "filters_too_narrow")
        assert "1 passes without journal" in message
    for answer in both(running, query="TREM2", date_from="2015", date_to="2018-06"):
        assert answer["total_count"] > 0
