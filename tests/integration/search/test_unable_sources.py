"""A search that a source cannot answer says so where its answer is not complete for lack of it."""

from __future__ import annotations

from infra.local.machine import Machine
from tests.integration.papers_calls import fetch

PATH = "/v1/literature-search"


def test_an_answer_without_a_source_that_cannot_search_names_it_and_why(running: Machine) -> None:
    answer = fetch(running, "POST", PATH, {"author": "Colonna"})
    assert (answer["complete"], answer["providers"]["paperclip"]["outcome"]) == (False, "skipped_unsupported_filter")
    (hint,) = [it for it in answer["hints"] if it["reason"] == "not_queried"]
    assert "paperclip (Paperclip searches in texts" in hint["message"]


def test_a_source_that_has_nothing_to_add_is_not_named(running: Machine) -> None:
    answer = fetch(running, "POST", PATH, {"query": "TREM2", "exclude_preprints": True})
    assert (answer["complete"], answer["providers"]["arxiv"]["outcome"]) == (True, "skipped_unsupported_filter")
    assert "not_queried" not in [it["reason"] for it in answer["hints"]]
