"""`POST /v1/passages` over the sandbox: passages of abstracts and full texts, their offsets, and what was not read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from infra.local.machine import Machine
from shared.bibliography.full_text import BETWEEN
from shared.search.sizes.token_budget import tokens
from tests.integration.mcp_calls import called
from tests.integration.passages import QUESTION, new_machine, passages, send

FOLDING, ATLAS, TRIALS, CLOSED = "PMC8371605", "PMC5762154", "PMC4772787", "1706.03762"
ANSWER = "Removing templates changed the median error by less than 0.1 angstrom"


@pytest.fixture(scope="module")
def local() -> Iterator[Machine]:
    with new_machine() as running:
        yield running


def test_the_sentence_that_answers_is_first_with_its_neighbours_and_licence(local: Machine) -> None:
    answer = passages(local, question=QUESTION, ids=[FOLDING, ATLAS, TRIALS])
    best = answer["passages"][0]
    assert (answer["status"], answer["complete"], answer["content_trust"]) == ("found", True, "untrusted_external")
    assert best["text"].startswith(ANSWER)
    assert (best["of"], best["text_of"], best["license"]) == ("full_text", f"pmcid:{FOLDING}", "cc-by-4.0")
    assert best["path"] == ["Results", "What each part contributes", "Without templates"]
    assert best["citation_uri"] == "https://doi.org/10.1038/s41586-021-03819-2"


def test_every_passage_is_what_the_shown_text_has_between_its_offsets(local: Machine) -> None:
    answer = passages(
        local,
        question="How large are effects on mortality in data, and the median error?",
        ids=[FOLDING, ATLAS, TRIALS, CLOSED],
    )
    assert {it["of"] for it in answer["passages"]} == {"abstract", "full_text"}
    for it in answer["passages"]:
        assert text_behind(local, it)[it["start"] : it["end"]] == it["text"]


def text_behind(local: Machine, passage: dict[str, Any]) -> str:
    """The text of a passage, as its own route shows it."""
    path = f"/v1/papers/{quote(passage['text_of'], safe='')}"
    if passage["of"] == "abstract":
        return str(send(local, "GET", path)[1]["paper"]["abstract"])
    sections = send(local, "GET", f"{path}/fulltext")[1]["sections"]
    return BETWEEN.join(it["text"] for section in sections for it in section["paragraphs"])


def test_a_closed_paper_gives_passages_of_its_abstract_alone_and_says_why(local: Machine) -> None:
    answer = passages(local, question="Is attention enough without recurrence and convolutions?", ids=[CLOSED])
    (paper,) = answer["read"]
    assert (paper["full_text"], paper["abstract"], paper["license"]) == ("not_open", True, "arxiv-nonexclusive")
    assert "lets people read it there" in paper["reason"]
    assert {it["of"] for it in answer["passages"]} <= {"abstract"}
    assert (answer["complete"], answer["papers_read"]) == (True, {"not_open": 1})


def test_an_empty_list_says_whether_texts_were_read(local: Machine) -> None:
    nothing = passages(local, question="Which antibiotics cure resistant tuberculosis?", ids=[FOLDING, ATLAS])
    assert (nothing["status"], nothing["passages"]) == ("nothing_bears_on_it", [])
    assert "of the 2 papers read" in nothing["hints"][0]["message"]
    one = passages(local, question="Which antibiotics cure resistant tuberculosis?", ids=[FOLDING])
    assert "of the paper read" in one["hints"][0]["message"]
    without = passages(local, question=QUESTION, ids=["10.1016/j.jmb.2004.10.009"])
    assert (without["status"], without["passages"]) == ("no_text", [])
    for answer in (nothing, without):
        assert answer["hints"][0]["reason"] == answer["status"]


def test_the_papers_may_be_those_of_a_query_or_of_a_result_set(local: Machine) -> None:
    searched = passages(local, question=QUESTION, query="AlphaFold protein structure prediction")
    assert searched["passages"][0]["text"].startswith(ANSWER)
    again = passages(local, claim=QUESTION, result_set_id=searched["result_set_id"])
    assert again["passages"] == searched["passages"]
    assert len(again["read"]) == 20
    reasons = [it["reason"] for it in again["read"] if "reason" in it]
    assert len(reasons) == len(set(reasons)) < 10  # each is of its paper alone
    assert not any(value is None for it in again["read"] for value in it.values())
    assert "papers_beyond" in [it["reason"] for it in again["hints"]]
    itself = passages(local, question="How do microglia express TREM2?", max_passages=2)
    assert (itself["returned"], itself["status"]) == (2, "found")


def test_only_so_many_passages_of_one_paper_are_shown(local: Machine) -> None:
    for most in (1, 2):
        answer = passages(local, question="median error chains alignment network templates", ids=[FOLDING],
                          max_per_paper=most)  # fmt: skip
        assert answer["returned"] == answer["read"][0]["passages"] == most


def test_abstracts_alone_are_read_without_a_source_of_texts(local: Machine) -> None:
    assert local.sandbox
    before = len([it for it in local.sandbox.requests if it.provider.endswith("_text")])
    answer = passages(local, question="Does the network predict the shape?", ids=["PMC12008803"], full_text=False)
    assert answer["papers_read"] == {"not_requested": 1}
    assert len([it for it in local.sandbox.requests if it.provider.endswith("_text")]) == before


def test_texts_that_were_read_before_come_from_the_cache(local: Machine) -> None:
    assert local.sandbox
    passages(local, question=QUESTION, ids=[FOLDING, ATLAS])
    before = len(local.sandbox.requests)
    answer = passages(local, question="How many cells are needed?", ids=[FOLDING, ATLAS])
    assert (answer["cache"], len(local.sandbox.requests)) == ("hit", before)


def test_an_answer_is_within_its_budget_and_says_what_it_leaves_out(local: Machine) -> None:
    body = {"question": "How large are errors, effects and cells needed?", "ids": [FOLDING, ATLAS, TRIALS]}
    whole = passages(local, **body)
    most = round(0.8 * tokens(whole))
    small = passages(local, **body, max_tokens=most)
    assert tokens(small) <= most
    assert small["passages"] == whole["passages"][: small["returned"]]
    assert small["truncated"]["results"] == whole["returned"] - small["returned"] > 0
    status, problem = send(local, "POST", "/v1/passages", {**body, "max_tokens": 200})
    assert (status, problem["errors"][0]["field"]) == (422, "max_tokens")


def test_more_tokens_never_show_fewer_passages(local: Machine) -> None:
    """What is said around them, as of the papers that were read, is shortened before a passage is left out."""
    body = {"question": "Does TREM2 change microglia in disease?", "query": "TREM2 microglia"}
    whole = round(tokens(passages(local, **body)))
    shown = [passages(local, **body, max_tokens=most)["returned"] for most in range(1_000, whole + 200, 200)]
    assert shown == sorted(shown)


def test_ids_without_a_paper_are_named_with_the_reason(local: Machine) -> None:
    answer = passages(local, question=QUESTION, ids=[FOLDING, "10.9999/none", "no id"])
    assert [(it["id"], it["status"]) for it in answer["not_read"]] == [
        ("10.9999/none", "not_found"), ("no id", "not_asked"),
    ]  # fmt: skip
    none = passages(local, question=QUESTION, ids=["10.9999/none"])
    assert [it["message"] for it in none["hints"]] == ["No paper was found for these ids: see `not_read`."]


@pytest.mark.parametrize("ids", [["foo"], ["foo", "no id"]])
def test_ids_none_of_which_is_one_are_refused(local: Machine, ids: list[str]) -> None:
    status, problem = send(local, "POST", "/v1/passages", {"question": QUESTION, "ids": ids})
    assert (status, problem["code"], problem["errors"][0]["field"]) == (422, "unprocessable", "ids")
    assert "doi" in problem["hint"].casefold()


def test_nothing_is_added_to_the_graph(local: Machine) -> None:
    local.drain_queue()
    passages(local, question=QUESTION, ids=[FOLDING])
    passages(local, question=QUESTION, query="TREM2")
    assert local.drain_queue() == 0


REFUSED: dict[str, tuple[int, str, dict[str, Any]]] = {
    "no question": (422, "question", {"ids": [FOLDING]}),
    "a question and a claim": (422, "claim", {"question": "Why?", "claim": "So.", "ids": [FOLDING]}),
    "a question without words": (422, "question", {"question": "?!", "ids": [FOLDING]}),
    "two places": (422, "query", {"question": "Why?", "ids": [FOLDING], "query": "TREM2"}),
    "too many ids": (422, "ids", {"question": "Why?", "ids": [f"PMID:{n}" for n in range(1, 22)]}),
    "no result set": (422, "result_set_id", {"question": "Why?", "result_set_id": "x"}),
    "an unknown field": (400, "stance", {"question": "Why?", "stance": "contradicts"}),
    "a long question": (422, "question", {"question": "why " * 600}),
    "an open expression": (422, "query", {"question": "Why?", "query": "(TREM2 AND"}),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_request_that_cannot_be_carried_out_names_its_field(local: Machine, case: str) -> None:
    expected, field, body = REFUSED[case]
    status, problem = send(local, "POST", "/v1/passages", body)
    assert (status, problem["errors"][0]["field"]) == (expected, field), problem


def test_an_expired_result_set_is_no_empty_result(local: Machine) -> None:
    status, problem = send(local, "POST", "/v1/passages", {"question": "Why?", "result_set_id": "0" * 32})
    assert (status, problem["code"]) == (410, "expired")


def test_tools_give_the_same_passages(local: Machine) -> None:
    by_id = called(local, "get_papers", ids=[FOLDING, ATLAS], passages=QUESTION)
    assert by_id["passages"][0]["text"].startswith(ANSWER)
    found = called(local, "literature_search", query="AlphaFold", date_from="2021", passages=QUESTION, max_results=2)
    assert found["passages"][0]["text"].startswith(ANSWER)
    assert (found["returned"] <= 2, found["content_trust"]) == (True, "untrusted_external")


def test_a_claim_has_no_operators(local: Machine) -> None:
    claim = "TREM2 variants do NOT increase the risk of Alzheimer disease"
    read = [passages(local, claim=text, full_text=False)["read"] for text in (claim, claim.replace("NOT", "not"))]
    assert [it["key"] for it in read[0]] == [it["key"] for it in read[1]]
