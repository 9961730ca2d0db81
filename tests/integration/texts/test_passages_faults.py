"""`POST /v1/passages` where sources fail or are slow: never a text that is wrongly said not to exist."""

from __future__ import annotations

import pytest

from tests.integration.passages import QUESTION, new_machine, passages, send

pytestmark = pytest.mark.slow  # each source failing in each way


def test_a_text_whose_source_fails_is_unanswered_and_never_nothing() -> None:
    with new_machine(europe_pmc_text={"status": 503}, pmc_text={"status": 503}) as failing:
        answer = passages(failing, question=QUESTION, ids=["PMC4965871"])
    assert (answer["complete"], answer["papers_read"]) == (False, {"unanswered": 1})
    (message,) = (it["message"] for it in answer["hints"] if it["reason"] == "unread_texts")
    assert "no answer from europe_pmc_text, pmc_text" in message
    assert "reason" not in answer["read"][0]


@pytest.mark.slow
def test_a_slow_source_costs_its_own_texts_and_not_the_answer() -> None:
    with new_machine(arxiv_text={"delay_ms": 30_000}) as slow:
        answer = passages(slow, question=QUESTION, ids=["PMC12008803", "2303.18223"], timeout_ms=10_000)
    assert {it["key"]: it["full_text"] for it in answer["read"]} == {
        "doi:10.1016/j.xgen.2025.100814": "available", "doi:10.48550/arxiv.2303.18223": "unanswered",
    }  # fmt: skip
    assert answer["complete"] is False


def test_an_id_whose_source_fails_is_named_with_the_source_and_not_called_without_text() -> None:
    with new_machine(crossref={"status": 503}) as failing:
        answer = passages(failing, question=QUESTION, ids=["10.9999/unknown"])
    assert [(it["id"], it["status"]) for it in answer["not_read"]] == [("10.9999/unknown", "unanswered")]
    said = {it["reason"]: it["message"] for it in answer["hints"]}
    assert said["no_text"].startswith("No paper could be read now")
    assert "crossref (unavailable)" in said["providers_failed"]


def test_all_sources_failing_is_no_empty_result() -> None:
    names = ("pubmed", "semantic_scholar", "openalex", "crossref", "arxiv", "europe_pmc", "paperclip", "unpaywall")
    with new_machine(**{name: {"status": 503} for name in names}) as failing:
        status, problem = send(failing, "POST", "/v1/passages", {"question": "Why?", "ids": ["PMID:1"]})
    assert (status, problem["retryable"]) == (502, True)
