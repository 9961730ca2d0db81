"""What a search says of the sources that did not answer: in its hints and next actions, and in its result set."""

from __future__ import annotations

import re
from typing import Any

import pytest

from shared.errors import KEY_REJECTED, REQUEST_REFUSED, Forbidden, KeyRefused
from shared.legs.reports import Reports, complete, reports_of
from shared.outcomes import Outcome
from shared.papers.links.hints import failure_hints
from shared.papers.papers import unanswered_hints
from shared.providers.provider import ProviderReply, failed
from shared.search.hints.result_hints import Chosen, hints_for
from shared.search.next_actions import next_actions
from shared.search.requests.search_request import SearchRequest
from shared.search.result_sets.pending_state import missing_of, state_of
from shared.search.result_sets.store import result_set_id
from tests.unit.records import merged, record

FOUND = [merged(record("TREM2 in microglia"))]
REQUEST = SearchRequest.model_validate({"query": "TREM2 microglia"})
# docs/api.md: what the same search sent again asks. A key, a filter and a switch are the same when it is sent again.
REPEATED = {
    "rate_limited", "timeout", "unavailable", "bad_response", "circuit_open", "skipped_budget", "skipped_overload"
}  # fmt: skip


def reports(outcome: str, retry_after_s: float | None = None) -> Reports:
    """PubMed's, which ended so, and arXiv's, which has a paper."""
    found = ProviderReply(provider="arxiv", family="arxiv", outcome=Outcome.OK)
    return reports_of([found, failed("pubmed", "pubmed", Outcome(outcome), "as said", retry_after_s=retry_after_s)])


def hint(reports: Reports) -> str | None:
    found = hints_for(REQUEST, reports, Chosen(found=1), FOUND)
    return next((it["message"] for it in found if it["reason"] == "providers_failed"), None)


def summary(reports: Reports) -> Any:
    hints = hints_for(REQUEST, reports, Chosen(found=1), FOUND)
    return {"providers": reports, "hints": hints, "complete": complete(reports, ())}


@pytest.mark.parametrize("outcome", Outcome)
def test_a_source_that_may_answer_the_same_search_later_is_named_and_offered(outcome: Outcome) -> None:
    of_outcome = reports(outcome)
    offered = [it["arguments"]["providers"] for it in next_actions(REQUEST, [], summary(of_outcome))
               if it["why"] == "queries again the providers that did not answer"]  # fmt: skip
    assert offered == ([["pubmed"]] if outcome.value in REPEATED else [])
    message = f"Did not answer: pubmed ({outcome}). Their papers are missing here; search again."
    assert hint(of_outcome) == (message if outcome.value in REPEATED else None)


@pytest.mark.parametrize(("retry_after_s", "is_offered"), [(None, True), (59.0, True), (47_052.0, False)])
def test_a_source_that_allows_no_request_for_long_is_named_and_not_offered(
    retry_after_s: float | None, is_offered: bool
) -> None:
    of_outcome = reports("skipped_budget", retry_after_s)
    offered = [it for it in next_actions(REQUEST, [], summary(of_outcome)) if it["why"].startswith("queries again")]
    assert bool(offered) is is_offered
    assert "pubmed" in str(hint(of_outcome))


@pytest.mark.parametrize("outcome", ["skipped_budget", "skipped_overload", "rate_limited"])
def test_the_hint_says_when_in_whole_seconds_and_not_too_early(outcome: str) -> None:
    said = re.findall(r"again after (\d+) s", hint(reports(outcome, 99.2)) or "")
    assert said == ["100"]


@pytest.mark.parametrize("outcome", Outcome)
def test_a_result_set_is_incomplete_if_and_only_if_it_names_what_is_missing(outcome: Outcome) -> None:
    result_set: Any = {"summary": summary(reports(outcome)), "asked": {"providers": []}}
    missing = [] if outcome.value in ("ok", "empty", "skipped_no_key") else ["pubmed"]
    assert (missing_of(result_set), state_of(result_set) == "complete") == (missing, not missing)


@pytest.mark.parametrize(
    ("outcome", "report", "named", "missing"),
    [
        pytest.param("skipped_no_key", {}, ["arxiv", "pubmed"], ["pubmed"], id="named without a key"),
        pytest.param("skipped_unsupported_filter", {"total_estimate": 0}, [], [], id="holds nothing that can match"),
        pytest.param("ok", {"source": "stale"}, [], ["pubmed"], id="an earlier answer in its place"),
    ],
)
def test_a_name_of_the_caller_an_estimate_and_a_stale_reply_count_beside_the_outcome(
    outcome: str, report: dict[str, Any], named: list[str], missing: list[str]
) -> None:
    providers: Any = reports(outcome)
    providers["pubmed"] |= report
    result_set: Any = {"summary": {"providers": providers}, "asked": {"providers": named}}
    assert (missing_of(result_set), complete(providers, named)) == (missing, not missing)


def test_equal_answers_share_a_result_set_however_long_a_source_wants_to_be_left_alone() -> None:
    ids = {result_set_id("key", [], summary(reports("rate_limited", wait))) for wait in (30.0, 12.0)}
    assert len(ids) == 1
    assert ids != {result_set_id("key", [], summary(reports("timeout")))}


@pytest.mark.parametrize(("error", "says"), [
    (KeyRefused(f"PubMed answered HTTP 401: {KEY_REJECTED}"), "Rejected the operator's key or address: pubmed"),
    (Forbidden(f"PubMed answered HTTP 403: {REQUEST_REFUSED}"), "Refused the request without a reason"),
])  # fmt: skip
def test_a_source_that_refuses_the_key_is_named_as_one_that_only_the_operator_can_help(
    error: KeyRefused | Forbidden, says: str
) -> None:
    refused = reports_of([failed("pubmed", "pubmed", error.outcome, error.message)])
    message = str(hint(refused))
    assert says in message
    assert "does not help" in message
    assert "search again" not in message
    assert not [it for it in next_actions(REQUEST, [], summary(refused)) if it["why"].startswith("queries again")]


def test_a_refused_key_and_a_failure_have_messages_of_their_own() -> None:
    both = reports("timeout") | reports_of([failed("openalex", "openalex", Outcome.UNAVAILABLE, KEY_REJECTED)])
    (repeated,) = [it for it in next_actions(REQUEST, [], summary(both)) if it["why"].startswith("queries again")]
    assert repeated["arguments"]["providers"] == ["pubmed"]
    assert str(hint(both)).startswith("Did not answer: pubmed (timeout). Their papers are missing here; search again. ")
    assert "Rejected the operator's key or address: openalex (unavailable)." in str(hint(both))


def stale(*warnings: str) -> Reports:
    """PubMed's, in whose place an earlier answer stands for this reason."""
    earlier = ProviderReply(provider="pubmed", family="pubmed", outcome=Outcome.OK, source="stale", warnings=warnings)
    return reports_of([earlier])


def test_a_source_in_whose_place_an_earlier_answer_stands_is_named() -> None:
    late = "stale cached answer, because the provider did not answer now: timeout"
    message = "Did not answer now: pubmed. Their papers here are of an earlier answer; ask again for newer papers."
    assert hint(stale(late)) == message
    assert hint(stale(late, KEY_REJECTED)) == "Did not answer now: pubmed. Their papers here are of an earlier answer."
    assert failure_hints(stale(late))[0]["message"] == message


def test_a_lookup_that_was_refused_for_the_key_is_not_to_be_repeated() -> None:
    entry: Any = {"paper": None, "status": "unanswered", "unanswered": {"openalex": "unavailable"}}
    refused = reports_of([failed("openalex", "openalex", Outcome.UNAVAILABLE, KEY_REJECTED)])
    (said,) = unanswered_hints([entry], refused)
    assert "Rejected the operator's key or address: openalex (unavailable)." in said["message"]
    assert "again" not in said["message"]
    both: Any = {**entry, "unanswered": {"openalex": "unavailable", "crossref": "timeout"}}
    (of_both,) = unanswered_hints([both], refused)
    assert of_both["message"].startswith("Did not answer: crossref (timeout). What they know")
    assert said["message"] in of_both["message"]
