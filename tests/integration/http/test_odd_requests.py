"""Requests that are odd, and that schemathesis came upon: each is answered, or refused by the name of its field."""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any

import pytest

from infra.local.gateway import rest_event
from infra.local.machine import Machine
from tests.integration.mcp_calls import message
from tests.integration.papers_calls import call

CONTEXT = {"type": "debate", "id": "42"}


@pytest.mark.parametrize(("path", "query", "field"), [
    ("/v1/graph/contexts/talk/42", {}, "type"),
    ("/v1/graph/contexts/debate/" + "x" * 257, {}, "id"),
    ("/v1/graph/stats/..", {}, None),
    ("/v1/graph/export", {"kind": "authors"}, "kind"),
    ("/v1/graph/export", {"limit": "9" * 5000}, "limit"),
    ("/v1/graph/export", {"limit": "٥"}, "limit"),
    ("/v1/literature-search", {"query": "a", "max_results": "٥"}, "max_results"),
    ("/v1/literature-search", {"query": "a", "max_results": "1_0"}, "max_results"),
    ("/v1/literature-search", {"query": "a", "nothing": ""}, "nothing"),
    ("/v1/literature-search", {"query": "a", "": "b"}, ""),
    ("/v1/pubmed-search", {"query": "a", "\f": ""}, "\f"),
])  # fmt: skip
def test_an_unexpected_parameter_is_refused_by_name(
    running: Machine, path: str, query: dict[str, str], field: str | None
) -> None:
    status, problem = call(running, "GET", path, **query)
    assert status in ((404,) if field is None else (400, 422))
    assert [fault["field"] for fault in problem["errors"]] == ([] if field is None else [field])


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (r'{"query": "a", "\ud800": 1}', r"\ud800"),
        (r'{"query": "a", "context": {"\udc00": 1}}', r"context.\udc00"),
        (r'{"\ud800": 1, "\ud800": 2}', r"\ud800"),
    ],
)
def test_a_name_that_is_no_text_is_refused_by_itself(running: Machine, body: str, field: str) -> None:
    answer = running.request(rest_event("POST", "/v1/literature-search", body=body))
    (fault,) = json.loads(answer["body"].encode())["errors"]
    assert answer["statusCode"] in (400, 422)
    assert fault["field"] == field
    assert "surrogate" in fault["message"] or "more than once" in fault["message"]


def test_of_a_comma_text_the_parameter_is_named_and_of_a_list_the_item(running: Machine) -> None:
    path = f"/v1/reference-checks/{'0' * 32}"
    status, problem = call(running, "GET", path, status="matched,bogus")
    assert (status, [fault["field"] for fault in problem["errors"]]) == (422, ["status"])
    body = {"references": ["a"], "status": ["matched", "bogus"]}
    status, problem = call(running, "POST", "/v1/reference-checks", body)
    assert (status, [fault["field"] for fault in problem["errors"]]) == (422, ["status.1"])


@pytest.mark.parametrize("path", ["/v1/literature-search", "/mcp"])
def test_a_compressed_body_is_refused_by_the_name_of_its_encoding(running: Machine, path: str) -> None:
    headers = {"Content-Encoding": "gzip", "Content-Type": "application/json"}
    body = base64.b64encode(gzip.compress(b'{"query": "TREM2"}')).decode()
    answer = running.request(rest_event("POST", path, body=body, is_base64=True, headers=headers))
    assert answer["statusCode"] == 415
    assert "gzip" in answer["body"]
    plain = rest_event("POST", path, body="{}", headers={**headers, "Content-Encoding": "identity"})
    assert running.request(plain)["statusCode"] in (400, 422)


def test_a_contexts_name_may_have_lines(running: Machine) -> None:
    named = {"type": "debate", "id": "one\ntwo"}
    assert call(running, "POST", "/v1/citations", {"context": named, "text": "none"})[0] == 200
    assert call(running, "GET", "/v1/graph/contexts/debate/one\ntwo")[1]["context"]["id"] == "one\ntwo"


@pytest.mark.parametrize("listed", [[{}], [[]], [None], [True]])
def test_a_list_of_values_that_are_not_texts_is_refused(running: Machine, listed: list[Any]) -> None:
    status, problem = call(running, "POST", "/v1/citations", {"context": CONTEXT, "papers": listed})
    assert (status, problem["errors"][0]["field"]) == (400, "papers.0")
    status, problem = call(running, "POST", "/v1/literature-search", {"query": "a", "providers": listed})
    assert (status, problem["errors"][0]["field"]) == (400, "providers.0")


def test_a_provider_that_can_hold_no_match_has_answered_that_there_is_none(running: Machine) -> None:
    request = {"query": "TREM2", "providers": "arxiv", "exclude_preprints": True}
    status, answer = call(running, "POST", "/v1/literature-search", request)
    assert (status, answer["returned"], answer["complete"]) == (200, 0, True)
    assert answer["providers"]["arxiv"]["outcome"] == "skipped_unsupported_filter"
    assert answer["hints"]


def test_a_provider_without_matches_beside_a_failed_one_has_not_answered(
    running: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert running.sandbox is not None
    monkeypatch.setitem(running.sandbox.faults, "crossref", {"status": 400})
    request = {"query": "TREM2", "providers": "arxiv,crossref", "exclude_preprints": True, "fresh": True}
    assert call(running, "POST", "/v1/literature-search", request)[0] == 502


def test_a_reference_that_is_only_an_unreadable_id_is_refused_by_its_number(running: Machine) -> None:
    status, problem = call(running, "POST", "/v1/resolve", {"references": [{"title": "a"}, {"id": "no id"}]})
    assert (status, problem["errors"][0]["field"]) == (422, "references.1")


def test_a_blank_provider_list_means_pubmed_alone(running: Machine) -> None:
    request = {"query": "TREM2", "providers": " ", "max_results": 1}
    assert call(running, "POST", "/v1/pubmed-search", request)[1]["providers_searched"] == ["pubmed"]


@pytest.mark.parametrize("name", ["204e3073870fae3d05bcbc2f6a8e263d9b72e776", "W2741809807", "10.1000/a,b"])
def test_every_id_that_the_graph_stores_can_be_cited_and_looked_up(running: Machine, name: str) -> None:
    status, answer = call(running, "POST", "/v1/citations", {"context": CONTEXT, "papers": name})
    assert (status, answer["recorded"]) == (200, 1)
    assert call(running, "GET", f"/v1/graph/papers/{name}")[0] in (200, 404)


@pytest.mark.parametrize("query", [
    "TREM2 2016..2014", "TREM2 AND PY=2016-2014", "TREM2 PUB_YEAR:[2016 TO 2014]", "TREM2 AND 2016:2014[dp]",
    "TREM2 NOT 2016:2014[dp]", "submittedDate:[20160101 TO 20140101] AND ti:attention",
])  # fmt: skip
def test_a_range_that_ends_before_it_begins_is_refused_as_in_the_fields(running: Machine, query: str) -> None:
    by_fields = call(running, "POST", "/v1/literature-search", {"query": "a", "date_from": "2016", "date_to": "2014"})
    assert (by_fields[0], by_fields[1]["code"]) == (422, "unprocessable")
    status, problem = call(running, "POST", "/v1/literature-search", {"query": query})
    assert (status, problem["code"], problem["errors"][0]["field"]) == (422, "unprocessable", "query")
    assert "end before they begin" in problem["errors"][0]["message"]
    refused = message(running, "literature_search", {"query": query})
    assert refused["structuredContent"]["errors"] == problem["errors"]


@pytest.mark.parametrize("query", ["TREM2 2014..2016", "TREM2 AND 2014:2014[dp]", "TREM2 AND 2014/05:2014[dp]"])
def test_a_range_in_order_is_searched_for(running: Machine, query: str) -> None:
    status, answer = call(running, "POST", "/v1/literature-search", {"query": query, "max_results": 100})
    assert status == 200
    assert {paper["year"] for paper in answer["results"]} <= {2014, 2015, 2016} != set()


def test_a_reversed_range_in_words_is_turned_round_and_says_so(running: Machine) -> None:
    asked = {"query": "TREM2 published 2016-2014", "cite_in_kg": False}
    hints = call(running, "POST", "/v1/literature-search", asked)[1]["hints"]
    assert any(
        '`published 2016-2014` was read as `date_from: "2014"`, `date_to: "2016"`' in it["message"] for it in hints
    )
