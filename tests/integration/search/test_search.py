"""One search, end to end: gateway event, dispatcher, provider functions, sandbox, merge, cache, queue, graph."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest
from boto3.dynamodb.types import Binary

from infra.functions import searched_by_default
from infra.local.gateway import rest_event
from infra.local.machine import SANDBOX_KEY, Machine
from shared.aws.dynamodb.leg_cache import FAILURE_S
from shared.search.sizes.details import COMPACT_FIELDS, RESULT_FIELDS

ANSWER_FIELDS = {
    "query", "total_count", "returned", "results", "providers_searched", "search_time_ms", "complete", "providers",
    "cache", "result_set_id", "next_cursor", "kg", "hints", "next_actions", "truncated", "request_id", "content_trust",
}  # fmt: skip
REPORT_FIELDS = {
    "outcome", "source", "returned", "total_estimate", "elapsed_ms", "effective_query", "warnings",
    "unsupported_filters", "retry_after_s", "retrieved_at", "partial",
}  # fmt: skip
NESTED_FIELDS = {
    "external_ids": {
        "doi", "pmid", "pmcid", "arxiv", "paper_id", "openalex", "nct", "crossref", "europe_pmc",
        "paperclip",
    },
    "open_access": {"is_oa", "url", "license", "locations"},
    "retraction": {"status", "notice_doi", "notice_pmid", "date"},
}  # fmt: skip


def post(local: Machine, fields: dict[str, Any], path: str = "/v1/literature-search") -> dict[str, Any]:
    response = local.invoke("dispatcher", rest_event("POST", path, body=json.dumps(fields)))
    assert response["statusCode"] == 200, response["body"]
    return dict(json.loads(response["body"]))


def test_a_search_brings_every_field_of_the_contract(local: Machine) -> None:
    answer = post(local, {"query": "TREM2 microglia", "detail": "full"})
    assert set(answer) == ANSWER_FIELDS
    assert answer["content_trust"] == "untrusted_external"
    assert set(answer["providers"]) == set(searched_by_default())
    for report in answer["providers"].values():
        assert set(report) == REPORT_FIELDS
        assert report["partial"] is False
    assert answer["returned"] == len(answer["results"]) == 10
    for result in answer["results"]:
        assert tuple(result) == RESULT_FIELDS
        for name, nested in NESTED_FIELDS.items():
            assert set(result[name]) == nested
        assert all(value != "" for value in result.values())


def test_the_main_search_finds_merges_and_repeats_nothing(local: Machine) -> None:
    answer = post(local, {"query": "TREM2 microglia", "max_results": 50, "detail": "full"})
    results = answer["results"]
    assert answer["complete"] is True
    assert len(results) >= 10
    assert sum(len(result["provider_scores"]) >= 3 for result in results) >= 5
    assert all(result["citation_uri"] == f"https://doi.org/{result['doi']}" for result in results if result["doi"])
    for name in ("key", "doi", "pmid", "title"):
        repeated = [
            value for value, count in Counter(result[name] for result in results).items() if value and count > 1
        ]
        assert not repeated, name
    scores = [result["score"] for result in results]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


def test_merged_fields_name_their_providers(local: Machine) -> None:
    for result in post(local, {"query": "TREM2 microglia", "detail": "full"})["results"]:
        holders = set(result["provider_scores"])
        assert set(result["provenance"]["title"]) <= holders
        assert result["best_provider"] in holders
        assert result["best_score"] == max(result["provider_scores"].values())
        assert set(result["citation_counts"]) <= holders


def test_legs_run_at_the_same_time(local: Machine) -> None:
    assert local.sandbox is not None
    local.sandbox.faults.update({name: {"delay_ms": 400} for name in searched_by_default()})
    answer = post(local, {"query": "TREM2 microglia"})
    assert {report["outcome"] for report in answer["providers"].values()} <= {"ok", "empty"}
    first_requests = {seen.provider: seen for seen in reversed(local.sandbox.requests)}
    assert max(seen.started for seen in first_requests.values()) < min(seen.ended for seen in first_requests.values())


def test_the_same_question_again_sends_no_request(local: Machine) -> None:
    assert local.sandbox is not None
    first = post(local, {"query": "TREM2 microglia"})
    before = len(local.sandbox.requests)
    again = post(local, {"query": "  trem2   MICROGLIA "})
    assert len(local.sandbox.requests) == before
    assert (first["cache"], again["cache"]) == ("miss", "hit")
    assert [result["key"] for result in again["results"]] == [result["key"] for result in first["results"]]
    assert {report["source"] for report in again["providers"].values()} == {"cache"}


@pytest.mark.slow
def test_fresh_requests_again_and_caches_the_answer(local: Machine) -> None:
    assert local.sandbox is not None
    post(local, {"query": "TREM2"})
    before = len(local.sandbox.requests)
    assert post(local, {"query": "TREM2", "fresh": True})["cache"] == "miss"
    assert len(local.sandbox.requests) == 2 * before
    assert post(local, {"query": "TREM2"})["cache"] == "hit"


def test_fresh_shows_the_cached_answer_of_sources_that_fail(local: Machine) -> None:
    assert local.sandbox is not None
    before = post(local, {"query": "TREM2", "detail": "full"})
    local.sandbox.faults.update({name: {"status": 500, "retry_after": 0} for name in before["providers"]})
    after = post(local, {"query": "TREM2", "detail": "full", "fresh": True})
    assert (after["cache"], after["complete"]) == ("stale", False)
    assert [result["key"] for result in after["results"]] == [result["key"] for result in before["results"]]
    for name, report in after["providers"].items():
        assert (report["source"], report["outcome"]) == ("stale", before["providers"][name]["outcome"])
        assert report["retrieved_at"] == before["providers"][name]["retrieved_at"] is not None
    local.sandbox.faults.clear()
    assert post(local, {"query": "TREM2"})["complete"] is True


def test_a_partial_answer_is_completed_by_requesting_only_missing_legs(
    local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    from functions.dispatcher.wiring import legs as wiring

    assert local.sandbox is not None
    local.sandbox.faults["crossref"] = {"status": 400}
    assert post(local, {"query": "TREM2"})["complete"] is False
    local.sandbox.faults.clear()
    local.sandbox.requests.clear()
    monkeypatch.setattr(wiring, "now", lambda: datetime.now(UTC) + timedelta(seconds=FAILURE_S))
    healed = post(local, {"query": "TREM2"})
    assert {seen.provider for seen in local.sandbox.requests} == {"crossref"}
    assert (healed["cache"], healed["complete"]) == ("partial", True)


def test_pages_show_every_result_once_without_a_request(local: Machine) -> None:
    assert local.sandbox is not None
    whole = post(local, {"query": "TREM2", "max_results": 100})
    local.sandbox.requests.clear()
    page = post(local, {"query": "TREM2", "max_results": 7})
    keys = [result["key"] for result in page["results"]]
    while page["next_cursor"]:
        page = post(local, {"cursor": page["next_cursor"], "max_results": 7})
        keys += [result["key"] for result in page["results"]]
    assert keys == [result["key"] for result in whole["results"]]
    assert len(keys) == whole["total_count"]
    assert local.sandbox.requests == []


def test_a_cursor_of_a_missing_list_is_gone(local: Machine) -> None:
    cursor = "MDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDA6MTA"
    body = json.dumps({"cursor": cursor})
    response = local.invoke("dispatcher", rest_event("POST", "/v1/literature-search", body=body))
    assert response["statusCode"] == 410
    assert json.loads(response["body"])["hint"]


def test_pubmed_search_is_the_same_answer_from_pubmed_alone(local: Machine) -> None:
    answer = post(local, {"query": "TREM2"}, "/v1/pubmed-search")
    assert set(answer) == ANSWER_FIELDS
    assert answer["providers_searched"] == ["pubmed"]
    same = post(local, {"query": "TREM2", "providers": "pubmed"})
    assert [result["key"] for result in answer["results"]] == [result["key"] for result in same["results"]]


def test_the_size_of_an_answer_is_the_callers(local: Machine) -> None:
    request = {"query": "TREM2", "max_results": 20}
    whole = post(local, request)
    compact = post(local, {**request, "detail": "compact"})
    assert set(compact["results"][0]) >= set(COMPACT_FIELDS)
    assert set(post(local, {**request, "fields": "doi,title"})["results"][0]) == {"doi", "title"}
    bare = post(local, {**request, "include_abstract": False})
    assert all(result["abstract"] is None for result in bare["results"])
    cut = post(local, {**request, "abstract_chars": 40})
    assert all(len(result["abstract"] or "") <= 41 for result in cut["results"])
    small = post(local, {**request, "max_tokens": 1500})
    assert small["returned"] < whole["returned"]
    assert small["truncated"]["results"] == whole["returned"] - small["returned"]
    following = post(local, {"cursor": small["next_cursor"], "max_results": 1})
    assert following["results"][0]["key"] == whole["results"][small["returned"]]["key"]


def test_shown_papers_are_sent_to_the_graph(local: Machine) -> None:
    answer = post(local, {"query": "TREM2", "max_results": 12})
    identified = [result for result in answer["results"] if result["doi"] or result["pmid"]]
    assert answer["kg"] == {"queued": len(identified), "skipped": len(answer["results"]) - len(identified)}
    local.drain_queue()
    store = local.graph_store()
    assert store.stats()["papers"] == len(identified)
    for result in identified:
        stored = store.paper(result["key"])
        assert stored is not None
        assert stored["paper"]["title"] == result["title"]


def test_a_search_that_cites_nothing_queues_nothing(local: Machine) -> None:
    answer = post(local, {"query": "TREM2", "cite_in_kg": False})
    assert answer["kg"]["queued"] == 0
    assert local.drain_queue() == 0


def test_several_wordings_are_one_answer(local: Machine) -> None:
    answer = post(local, {"queries": ["TREM2", "glacier hydrology"], "max_results": 100})
    titles = " ".join(result["title"].lower() for result in answer["results"])
    assert "trem2" in titles
    assert "glacier" in titles


def test_auto_queries_the_providers_of_the_discipline(local: Machine) -> None:
    biomedical = post(local, {"query": "TREM2 microglia", "providers": "auto"})
    computing = post(local, {"query": "transformer language model", "providers": "auto"})
    unclear = post(local, {"query": "xylophone", "providers": "auto"})
    assert {"pubmed", "europe_pmc", "paperclip"} <= set(biomedical["providers"])
    assert "arxiv" not in biomedical["providers"]
    assert "arxiv" in computing["providers"]
    assert set(unclear["providers"]) == {"openalex", "semantic_scholar"}


def text_in(value: Any) -> str:
    """What an attribute or a file holds; the cache compresses its values."""
    if isinstance(value, dict):
        return " ".join(map(text_in, [*value, *value.values()]))
    if isinstance(value, list | set):
        return " ".join(map(text_in, value))
    binary = isinstance(value, bytes | Binary)
    if not binary:
        return str(value)
    data = bytes(value)
    with suppress(zlib.error):
        data = zlib.decompress(data)
    return data.decode(errors="replace")


def stored() -> dict[str, str]:
    """All that each table and each bucket holds."""
    tables, files = boto3.resource("dynamodb"), boto3.resource("s3")
    held = {it.name: " ".join(text_in(item) for item in it.scan()["Items"]) for it in tables.tables.all()}
    return held | {
        f"bucket {bucket.name}": " ".join(text_in(it.get()["Body"].read()) for it in bucket.objects.all())
        for bucket in files.buckets.all()
    }


def test_no_key_is_stored_in_any_table_or_bucket(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert local.sandbox is not None
    for name in searched_by_default():
        monkeypatch.setenv(f"{name.upper()}_API_KEY", SANDBOX_KEY)
    found = post(local, {"query": "TREM2 microglia"})["results"][0]["title"]
    local.drain_queue()
    assert SANDBOX_KEY in repr(local.sandbox.requests)
    places = stored()
    assert {name for name, text in places.items() if found in text} == {
        "local-search-cache", "bucket local-search-cache", "local-papers",
    }  # fmt: skip
    assert [name for name, text in places.items() if SANDBOX_KEY in text] == []


def test_bad_input_sends_no_request(local: Machine) -> None:
    assert local.sandbox is not None
    for body in ('{"query": ""}', '{"quary": "x"}', "[]", "{", "", '{"query": "a", "date_from": "2020-13"}'):
        response = local.invoke("dispatcher", rest_event("POST", "/v1/literature-search", body=body))
        assert response["statusCode"] in (400, 422)
        problem = json.loads(response["body"])
        assert problem["errors"][0]["field"]
        assert problem["retryable"] is False
    assert local.sandbox.requests == []
