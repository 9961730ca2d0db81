"""Messages: small whatever a search returned, and read as strictly as they are made."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.errors import MessageRefused
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


def papers_of(told: list[dict[str, Any]]) -> list[PapersMessage]:
    """Every message read back, after a look at its size."""
    bodies = [json.dumps(message) for message in told]
    assert all(len(body) <= MESSAGE_BYTES for body in bodies)
    read = [read_message(body) for body in bodies]
    assert all(isinstance(message, PapersMessage) for message in read)
    return [message for message in read if isinstance(message, PapersMessage)]


def test_only_results_with_a_doi_or_pmid_are_told_in_messages_of_ten() -> None:
    results = [result(doi=f"10.1000/{number}") for number in range(25)]
    told = list(messages([*results, result(doi=None, arxiv="2011.00931")], DEBATE, NOON))
    assert [len(message.papers) for message in papers_of(told)] == [PAPERS_IN_A_MESSAGE, PAPERS_IN_A_MESSAGE, 5]
    assert all(message["context"] == DEBATE for message in told)


def test_a_paper_is_told_without_abstract_and_with_five_authors() -> None:
    (message,) = papers_of(list(messages([result()], None, NOON)))
    assert "abstract" not in message.papers[0].state
    assert len(message.papers[0].state["authors"]) == 5


def test_references_that_are_no_ids_are_left_out_and_the_others_told_once_in_order() -> None:
    references = {"openalex": ["openalex:W2", "doi:10.1/a", "", "isbn:1", "openalex:W2"]}
    (message,) = papers_of(list(messages([result(references=references)], None, NOON)))
    assert message.papers[0].references == {"openalex": ["doi:10.1/a", "openalex:W2"]}


@pytest.mark.parametrize("count", [REFERENCES_IN_A_MESSAGE, REFERENCES_IN_A_MESSAGE + 1, 20_000])
def test_a_paper_with_many_references_is_split_and_none_is_lost(count: int) -> None:
    asked = {
        "crossref": [f"doi:10.1000/{'x' * 80}{number}" for number in range(count)],
        "openalex": [f"openalex:W{number}" for number in range(count)],
    }
    told = papers_of(list(messages([result(references=asked)], None, NOON)))
    for provider, ids in asked.items():
        found = [name for message in told for paper in message.papers for name in paper.references.get(provider, [])]
        assert sorted(found) == sorted(ids)
    sizes = [sum(map(len, paper.references.values())) for message in told for paper in message.papers]
    assert max(sizes) <= REFERENCES_IN_A_MESSAGE


def test_one_providers_list_is_split_the_same_whatever_the_others_say() -> None:
    ids = [f"doi:10.1000/{number}" for number in range(2_500)]

    def parts(**others: list[str]) -> set[tuple[str, ...]]:
        told = messages([result(references={"openalex": ids, **others})], None, NOON)
        return {
            tuple(paper["references"]["openalex"])
            for it in told
            for paper in it["papers"]
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
def test_whatever_a_search_returned_its_messages_are_small_and_ours(results: list[dict[str, Any]]) -> None:
    told = list(messages([result(**it) for it in results], DEBATE, NOON))
    papers_of(told)


def test_halves_of_characters_are_left_out() -> None:
    half = result(title="a\ud800b", authors=["\udfff"], references={"openalex": ["doi:10.1/\ud800"]}, openalex="\ud800")
    (message,) = papers_of(list(messages([half], None, NOON)))
    (paper,) = message.papers
    assert (paper.state["title"], paper.state["authors"], paper.references) == ("ab", [""], {})


@settings(deadline=None, max_examples=50)
@given(
    st.lists(st.tuples(st.sampled_from(("doi:10.1/a", "pmid:1")), st.one_of(st.none(), st.integers(0, 10**6)), SOME)),
    SOME,
)
def test_whatever_a_text_says_its_messages_are_small_and_ours(
    said: list[tuple[str, int | None, str | None]], by: str | None
) -> None:
    mentions = [{"id": name, "where": where, "text": text} for name, where, text in said]
    told = [json.dumps(message) for message in citation_messages(DEBATE, mentions * 30, by, NOON)]
    read = [read_message(body) for body in told]
    assert all(len(body) <= MESSAGE_BYTES for body in told)
    assert sum(len(message.mentions) for message in read if isinstance(message, CitationsMessage)) == len(said) * 30


def test_a_citation_that_the_graph_cannot_keep_is_refused_before_it_is_queued() -> None:
    with pytest.raises(ValueError, match="cannot keep"):
        list(citation_messages(DEBATE, [{"id": "isbn:1", "where": None, "text": None}], None, NOON))


def altered(**changes: Any) -> str:
    return json.dumps({**json.loads(papers_body(result())), **changes})


def paper_altered(**changes: Any) -> str:
    message = json.loads(papers_body(result()))
    message["papers"][0] |= changes
    return json.dumps(message)


FOREIGN = {
    "no JSON": ("{", "body: json_invalid"),
    "a list": ("[]", "body: "),
    "another version": (altered(version=99), "version: literal_error"),
    "an unknown kind": (altered(kind="books"), "union_tag_invalid"),
    "no kind": (json.dumps({"version": 2}), "union_tag_not_found"),
    "an unknown field": (altered(hello=1), "hello: extra_forbidden"),
    "no papers": (altered(papers=[]), "papers: too_short"),
    "eleven papers": (altered(papers=json.loads(papers_body(result()))["papers"] * 11), "papers: too_long"),
    "a moment that is none": (altered(seen_at="2026-13-01T00:00:00Z"), "seen_at: value_error"),
    "a moment in another form": (altered(seen_at="2026-11-20 12:00:00Z"), "seen_at: value_error"),
    "a context without id": (altered(context={"type": "debate"}), "context.id: missing"),
    "a paper without ids": (paper_altered(external_ids=IDS), "papers.0: value_error"),
    "a key that is not its ids'": (paper_altered(key="doi:10.1/other"), "papers.0: value_error"),
    "a key that is none": (paper_altered(key="hello"), "papers.0.key: value_error"),
    "a year as text": (paper_altered(year="2016"), "papers.0.year: int_type"),
    "an empty title": (paper_altered(title=""), "papers.0.title: string_too_short"),
    "a field of a paper that is not ours": (paper_altered(abstract="x"), "papers.0.abstract: extra_forbidden"),
    "a reference that is none": (paper_altered(references={"openalex": ["W1"]}), "value_error"),
    "a provider that is none": (paper_altered(references={"Open Alex": []}), "string_pattern_mismatch"),
    "half a character": ('{"version": 2, "kind": "papers", "seen_at": "\\ud800"}', "body: json_invalid"),
}  # fmt: skip


@pytest.mark.parametrize(("body", "reason"), FOREIGN.values(), ids=FOREIGN.keys())
def test_a_foreign_message_is_refused_with_the_field_at_fault(body: str, reason: str) -> None:
    with pytest.raises(MessageRefused, match=r"^not a message of ours") as refused:
        read_message(body)
    assert reason in refused.value.message


def test_a_refusal_tells_nothing_of_what_the_message_held() -> None:
    with pytest.raises(MessageRefused) as refused:
        read_message(paper_altered(year="a secret", key="a secret"))
    assert "a secret" not in refused.value.message


def test_a_citation_is_read_as_it_was_told() -> None:
    message = read_message(citations_body("doi:10.1/a", "pmid:1", by="agent", start=5))
    assert isinstance(message, CitationsMessage)
    assert [(it["id"], it["where"], it["text"]) for it in message.mentions] == [
        ("doi:10.1/a", 5, "doi:10.1/a"),
        ("pmid:1", 6, "pmid:1"),
    ]
    assert (message.context["id"], message.by, message.at) == ("7", "agent", NOON)
