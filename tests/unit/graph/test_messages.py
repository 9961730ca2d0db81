"""Queue messages: small for any result of a search, and validated as strictly as they are written."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.errors import MessageRefused
from shared.graph.message_types import MentionJson, QueuedPapers
from shared.graph.messages import (
    MESSAGE_BYTES,
    PAPERS_IN_A_MESSAGE,
    REFERENCES_IN_A_MESSAGE,
    CitationsMessage,
    PapersMessage,
    citation_messages,
    messages,
)
from shared.graph.received import read_message
from tests.unit.graph.examples import DEBATE, IDS, NOON, citations_body, papers_body, result


def papers_of(queued: list[QueuedPapers]) -> list[PapersMessage]:
    """The messages, validated, after a check of their size."""
    bodies = [json.dumps(message) for message in queued]
    assert all(len(body) <= MESSAGE_BYTES for body in bodies)
    read = [read_message(body) for body in bodies]
    assert all(isinstance(message, PapersMessage) for message in read)
    return [message for message in read if isinstance(message, PapersMessage)]


def test_only_results_with_a_doi_or_pmid_are_sent_in_messages_of_ten() -> None:
    results = [result(doi=f"10.1000/{number}") for number in range(25)]
    sent = list(messages([*results, result(doi=None, arxiv="2011.00931")], DEBATE, NOON))
    assert [len(message.papers) for message in papers_of(sent)] == [PAPERS_IN_A_MESSAGE, PAPERS_IN_A_MESSAGE, 5]
    assert all(message["context"] == DEBATE for message in sent)


def test_a_message_has_no_abstract_and_five_authors() -> None:
    (message,) = papers_of(list(messages([result()], None, NOON)))
    assert "abstract" not in message.papers[0].state
    assert len(message.papers[0].state["authors"]) == 5


def test_invalid_references_are_left_out_and_the_others_sent_once_in_order() -> None:
    references = {"openalex": ["openalex:W2", "doi:10.1/a", "", "isbn:1", "openalex:W2"]}
    (message,) = papers_of(list(messages([result(references=references)], None, NOON)))
    assert message.papers[0].references == {"openalex": ["doi:10.1/a", "openalex:W2"]}


@pytest.mark.parametrize("count", [REFERENCES_IN_A_MESSAGE, REFERENCES_IN_A_MESSAGE + 1, 20_000])
def test_a_paper_with_many_references_is_divided_and_none_is_lost(count: int) -> None:
    references = {
        "crossref": [f"doi:10.1000/{'x' * 80}{number}" for number in range(count)],
        "openalex": [f"openalex:W{number}" for number in range(count)],
    }
    sent = papers_of(list(messages([result(references=references)], None, NOON)))
    for provider, ids in references.items():
        found = [name for message in sent for paper in message.papers for name in paper.references.get(provider, [])]
        assert sorted(found) == sorted(ids)
    sizes = [sum(map(len, paper.references.values())) for message in sent for paper in message.papers]
    assert max(sizes) <= REFERENCES_IN_A_MESSAGE


def test_how_a_providers_list_is_divided_depends_on_that_list_alone() -> None:
    ids = [f"doi:10.1000/{number}" for number in range(2_500)]

    def parts(**others: list[str]) -> set[tuple[str, ...]]:
        sent = messages([result(references={"openalex": ids, **others})], None, NOON)
        return {
            tuple(paper["references"]["openalex"])
            for message in sent
            for paper in message["papers"]
            if "openalex" in paper["references"]
        }

    assert parts() == parts(crossref=ids[:700])


LONG = st.text(max_size=30).map(lambda text: text * 400)
TEXT = st.one_of(st.text(max_size=20), LONG)
SOME = st.one_of(st.none(), TEXT)


@settings(deadline=None, max_examples=100)
@given(st.lists(st.fixed_dictionaries({
    "title": TEXT, "journal": SOME, "type": SOME, "publication_date": SOME, "citation_uri": SOME,
    "authors": st.lists(TEXT, max_size=6),
    "doi": st.one_of(st.none(), TEXT.map(lambda text: f"10.1000/{text}")), "pmid": st.sampled_from((None, "1")),
    "openalex": SOME, "europe_pmc": SOME,
    "references": st.dictionaries(st.sampled_from(("openalex", "crossref")), st.lists(TEXT)),
}), max_size=12))  # fmt: skip
def test_the_messages_for_any_results_are_small_and_valid(results: list[dict[str, Any]]) -> None:
    sent = list(messages([result(**it) for it in results], DEBATE, NOON))
    papers_of(sent)


def test_lone_surrogates_are_left_out() -> None:
    half = result(title="a\ud800b", authors=["\udfff"], references={"openalex": ["doi:10.1/\ud800"]}, openalex="\ud800")
    (message,) = papers_of(list(messages([half], None, NOON)))
    (paper,) = message.papers
    assert (paper.state["title"], paper.state["authors"], paper.references) == ("ab", [""], {})


@settings(deadline=None, max_examples=50)
@given(
    st.lists(st.tuples(st.sampled_from(("doi:10.1/a", "pmid:1")), st.one_of(st.none(), st.integers(0, 10**6)), SOME)),
    SOME,
)
def test_the_messages_for_any_mentions_are_small_and_valid(
    stated: list[tuple[str, int | None, str | None]], by: str | None
) -> None:
    mentions: list[MentionJson] = [{"id": name, "where": where, "text": text} for name, where, text in stated]
    sent = [json.dumps(message) for message in citation_messages(DEBATE, mentions * 30, by, NOON)]
    read = [read_message(body) for body in sent]
    assert all(len(body) <= MESSAGE_BYTES for body in sent)
    assert sum(len(message.mentions) for message in read if isinstance(message, CitationsMessage)) == len(stated) * 30


def test_a_citation_that_the_graph_cannot_store_is_rejected_before_it_is_queued() -> None:
    with pytest.raises(ValueError, match="cannot store"):
        list(citation_messages(DEBATE, [{"id": "isbn:1", "where": None, "text": None}], None, NOON))


def altered(**changes: Any) -> str:
    return json.dumps({**json.loads(papers_body(result())), **changes})


def paper_altered(**changes: Any) -> str:
    message = json.loads(papers_body(result()))
    message["papers"][0] |= changes
    return json.dumps(message)


INVALID = {
    "no JSON": ("{", "body: json_invalid"),
    "a list": ("[]", "body: "),
    "another version": (altered(version=99), "version: literal_error"),
    "an unknown kind": (altered(kind="books"), "union_tag_invalid"),
    "no kind": (json.dumps({"version": 2}), "union_tag_not_found"),
    "an unknown field": (altered(hello=1), "hello: extra_forbidden"),
    "no papers": (altered(papers=[]), "papers: too_short"),
    "eleven papers": (altered(papers=json.loads(papers_body(result()))["papers"] * 11), "papers: too_long"),
    "an impossible timestamp": (altered(seen_at="2026-13-01T00:00:00Z"), "seen_at: value_error"),
    "a timestamp in another format": (altered(seen_at="2026-11-20 12:00:00Z"), "seen_at: value_error"),
    "a context without id": (altered(context={"type": "debate"}), "context.id: missing"),
    "a paper without ids": (paper_altered(external_ids=IDS), "papers.0: value_error"),
    "a key that is not one of its ids": (paper_altered(key="doi:10.1/other"), "papers.0: value_error"),
    "an invalid key": (paper_altered(key="hello"), "papers.0.key: value_error"),
    "a year as text": (paper_altered(year="2016"), "papers.0.year: int_type"),
    "an empty title": (paper_altered(title=""), "papers.0.title: string_too_short"),
    "an unknown field of a paper": (paper_altered(abstract="x"), "papers.0.abstract: extra_forbidden"),
    "an invalid reference": (paper_altered(references={"openalex": ["W1"]}), "value_error"),
    "an invalid provider": (paper_altered(references={"Open Alex": []}), "string_pattern_mismatch"),
    "a lone surrogate": ('{"version": 2, "kind": "papers", "seen_at": "\\ud800"}', "body: json_invalid"),
}  # fmt: skip


@pytest.mark.parametrize(("body", "reason"), INVALID.values(), ids=INVALID.keys())
def test_an_invalid_message_is_rejected_with_the_name_of_the_field(body: str, reason: str) -> None:
    with pytest.raises(MessageRefused, match=r"^invalid message") as refused:
        read_message(body)
    assert reason in refused.value.message


def test_the_error_contains_no_values_of_the_message() -> None:
    with pytest.raises(MessageRefused) as refused:
        read_message(paper_altered(year="a secret", key="a secret"))
    assert "a secret" not in refused.value.message


def test_a_citation_is_read_as_it_was_sent() -> None:
    message = read_message(citations_body("doi:10.1/a", "pmid:1", by="agent", start=5))
    assert isinstance(message, CitationsMessage)
    assert [(mention["id"], mention["where"], mention["text"]) for mention in message.mentions] == [
        ("doi:10.1/a", 5, "doi:10.1/a"),
        ("pmid:1", 6, "pmid:1"),
    ]
    assert (message.context["id"], message.by, message.at) == ("7", "agent", NOON)
