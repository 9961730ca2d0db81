"""The tools as agents call them: what is sent to the API, how arguments are read, what a failure says."""

from __future__ import annotations

import inspect
import json
import logging
from typing import Any

import pytest

from shared.api.problems import problem_of
from shared.aws.rest_api.problem_responses import problem
from shared.client.tools import NOT_EXHAUSTIVE, SHAPES, literature_search
from shared.errors import BadRequest, FieldError, LiteratureError, NotFound, Unprocessable
from shared.exhaustive_searches.request import ExhaustiveSearchRequest
from shared.tools import ToolError, cite_in_context, get_papers, run_tool
from tests.unit.mcp.recorded_api import ANSWERS, CALLS, CITED, PAPER, RecordedApi


def refused(name: str, arguments: dict[str, Any], api: RecordedApi) -> dict[str, Any]:
    with pytest.raises(ToolError) as caught:
        run_tool(name, arguments, api)
    assert caught.value.hint == caught.value.problem["hint"]
    assert caught.value.retryable == caught.value.problem["retryable"]
    return {**caught.value.problem}


@pytest.mark.parametrize("name", CALLS)
def test_a_tool_posts_its_arguments_to_its_route(name: str) -> None:
    arguments, path = CALLS[name]
    api = RecordedApi()
    run_tool(name, arguments, api)
    ((called, body, _),) = api.calls
    assert called == path
    expected = {"ids": ["doi:10.1000/x"]} if name == "fetch" else arguments
    assert {**body, **expected} == body


@pytest.mark.parametrize("name", CALLS)
def test_every_answer_says_that_its_words_come_from_outside(name: str) -> None:
    assert run_tool(name, CALLS[name][0], RecordedApi())["content_trust"] == "untrusted_external"


@pytest.mark.parametrize("name", CALLS)
def test_an_unknown_argument_is_named_without_a_request(name: str) -> None:
    api = RecordedApi()
    refusal = refused(name, {**CALLS[name][0], "colour": 3}, api)
    assert (refusal["status"], refusal["code"], refusal["errors"][0]["field"]) == (400, "bad_request", "colour")
    assert "colour: unknown field" in refusal["detail"]
    assert "; " in refusal["errors"][0]["message"]
    assert api.calls == []


def test_empty_values_are_absent_ones() -> None:
    api = RecordedApi()
    nothing: dict[str, Any] = {"providers": "", "journal": "  ", "context": {}, "queries": [], "min_citations": None}
    run_tool("literature_search", {"query": "TREM2", **nothing}, api)
    run_tool("literature_search", {"query": "TREM2"}, api)
    assert api.calls[0] == api.calls[1]


def test_missing_required_fields_are_reported_by_the_api() -> None:
    api = RecordedApi({"detail": "query: required", "code": "unprocessable", "hint": None, "retryable": False}, 422)
    assert refused("literature_search", {"query": ""}, api)["detail"] == "query: required"
    assert "query" not in api.calls[0][1]


@pytest.mark.parametrize(
    "given", [{}, {"reference": ""}, {"reference": " \n", "detail": "full"}, {"references": []}], ids=str
)
def test_a_reference_that_says_nothing_is_refused_by_the_name_of_the_argument(given: dict[str, Any]) -> None:
    api = RecordedApi()
    with pytest.raises(ToolError, match=r"^reference: give a text") as caught:
        run_tool("resolve_reference", given, api)
    assert [it["field"] for it in caught.value.problem["errors"]] == ["reference"]
    assert api.calls == []


def test_an_id_to_fetch_is_required() -> None:
    refusal = refused("fetch", {"id": ""}, RecordedApi())
    assert (refusal["status"], refusal["errors"]) == (400, [{"field": "id", "message": "required"}])


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('["10.1000/x", "PMID:1"]', ["10.1000/x", "PMID:1"]),
        ("10.1000/x, PMID:1", "10.1000/x, PMID:1"),
        ('["10.1000/x', '["10.1000/x'),
        ('{"a": 1}', '{"a": 1}'),
        (7, 7),
    ],
)
def test_an_array_written_as_text_is_an_array(written: Any, read: Any) -> None:
    api = RecordedApi()
    run_tool("get_papers", {"ids": written}, api)
    assert api.calls[0][1]["ids"] == read


def test_an_object_written_as_text_is_an_object_and_a_query_in_brackets_is_text() -> None:
    api = RecordedApi()
    run_tool("literature_search", {"query": '["TREM2"]', "context": '{"type": "debate", "id": "7"}'}, api)
    assert api.calls[0][1]["query"] == '["TREM2"]'
    assert api.calls[0][1]["context"] == {"type": "debate", "id": "7"}


@pytest.mark.parametrize(
    "error", [BadRequest("no", [FieldError("a", "b")], hint="c"), Unprocessable("no"), NotFound("n")]
)
def test_an_error_found_by_a_tool_has_the_form_of_an_api_error(error: LiteratureError) -> None:
    body = problem(error, "r1").body
    assert body is not None
    assert {**problem_of(error), "request_id": "r1"} == json.loads(body)


def test_the_apis_problem_is_returned_completely() -> None:
    body = problem(NotFound("nothing there", hint="look elsewhere"), "r1").body
    assert body is not None
    assert refused("search", {"query": "x"}, RecordedApi(json.loads(body), 404)) == json.loads(body)


@pytest.mark.parametrize(
    ("status", "code", "retryable"),
    [(403, "forbidden", False), (429, "rate_limited", True), (504, "bad_response", True)],
)
def test_an_error_of_api_gateway_becomes_a_problem(status: int, code: str, retryable: bool) -> None:
    refusal = refused("search", {"query": "x"}, RecordedApi({"message": "Limit Exceeded"}, status))
    assert (refusal["status"], refusal["code"], refusal["retryable"]) == (status, code, retryable)
    assert refusal["detail"] == "Limit Exceeded"


@pytest.mark.parametrize(("name", "asked"), [("literature_search", {"query": "TREM2"}), ("get_papers", {"ids": ["a"]})])
def test_fresh_passages_are_of_texts_that_are_read_fresh(name: str, asked: dict[str, Any]) -> None:
    api = RecordedApi({"result_set_id": "0" * 32, "passages": [], "read": []})
    run_tool(name, {**asked, "passages": "Why TREM2?", "fresh": True}, api)
    assert [(path, body["fresh"]) for path, body, _ in api.calls][-1] == ("/v1/passages", True)


@pytest.mark.parametrize(("name", "asked"), [("literature_search", {"query": "TREM2"}), ("get_papers", {"ids": ["a"]})])
def test_no_request_is_sent_for_passages_as_a_file(name: str, asked: dict[str, Any]) -> None:
    api = RecordedApi()
    refusal = refused(name, {**asked, "passages": "Why TREM2?", "format": "bibtex"}, api)
    assert (refusal["status"], [it["field"] for it in refusal["errors"]], api.calls) == (400, ["format"], [])


def test_the_same_citation_has_the_same_idempotency_key() -> None:
    api = RecordedApi()
    for arguments in (CITED, dict(reversed(CITED.items())), {**CITED, "by": ""}, {**CITED, "by": "agent"}):
        run_tool("cite_in_context", arguments, api)
    keys = [headers["Idempotency-Key"] for _, _, headers in api.calls]
    assert keys[0] == keys[1] == keys[2] != keys[3]
    run_tool("cite_in_context", {**CITED, "idempotency_key": "mine"}, api)
    assert api.calls[-1][2] == {"Idempotency-Key": "mine"}
    assert "idempotency_key" not in api.calls[-1][1]


def test_search_lists_what_can_be_fetched() -> None:
    nameless = {**PAPER, "key": "title:0123456789abcdef0123"}
    untitled = {**PAPER, "title": None}
    answer = {**ANSWERS["/v1/literature-search"], "results": [untitled, nameless]}
    found = run_tool("search", {"query": "x"}, RecordedApi(answer))
    url = "https://doi.org/10.1000/x"
    assert found["results"] == [{"id": "doi:10.1000/x", "title": "doi:10.1000/x", "url": url}]
    assert found["left_out"] == 1


def fetched(**paper: Any) -> dict[str, Any]:
    entry = {
        **ANSWERS["/v1/papers"]["papers"][0],
        "paper": {**PAPER, "title": "A title", "abstract": "Words.", **paper},
    }
    return run_tool("fetch", {"id": "10.1000/X"}, RecordedApi({**ANSWERS["/v1/papers"], "papers": [entry]}))


def test_a_document_has_the_papers_text_and_metadata() -> None:
    document = fetched(open_access={"url": "https://example.org/x.pdf"})
    assert (document["id"], document["title"], document["url"]) == ("10.1000/X", "A title", "https://doi.org/10.1000/x")
    assert document["text"] == (
        "A Writer; B Writer (2020)\nA title\nJournal, 7\n\nWords.\n\nFull text: https://example.org/x.pdf"
    )
    assert document["metadata"]["citation_count"] == 3
    assert document["metadata"]["full_text"]["status"] == "not_open"


def test_a_document_without_an_abstract_says_so_and_a_retracted_one_too() -> None:
    assert "No abstract is known." in fetched(abstract=None, year=None, authors=[], journal=None)["text"]
    assert "Status: retracted" in fetched(retraction={"status": "retracted"})["text"]
    assert "Status" not in fetched(retraction={"status": "unknown"})["text"]


SECTION = {"section": "2.1", "path": ["Results", "Dose"], "paragraphs": [{"label": "Table 1", "text": "5 | 10"}]}
OPEN: dict[str, Any] = {
    "status": "available", "reason": None, "source": {"license": "cc-by-4.0"}, "sections": [SECTION],
    "outline": [{"section": "2.1", "path": ["Results", "Dose"]}], "next_start": 900, "complete": True,
}  # fmt: skip


def test_a_document_has_its_open_text_by_sections_and_says_what_follows() -> None:
    api = RecordedApi()
    api.text = OPEN
    document = run_tool("fetch", {"id": "10.1000/x"}, api)
    assert document["text"].endswith("## 2.1 Results / Dose\n\nTable 1 5 | 10")
    assert document["metadata"]["full_text"] == {
        "status": "available",
        "reason": None,
        "source": {"license": "cc-by-4.0"},
        "next_start": 900,
        "sections": ["2.1 Results / Dose"],
    }
    path = "/v1/papers/10.1000%2Fx/fulltext"
    assert api.texts == [(path, {"max_tokens": 6000}), (path, {"outline": "true"})]


def test_one_section_comes_alone() -> None:
    api = RecordedApi()
    api.text = {**OPEN, "next_start": None}
    document = run_tool("fetch", {"id": "10.1000/x", "section": "2.1", "max_tokens": 900}, api)
    assert document["text"] == "## 2.1 Results / Dose\n\nTable 1 5 | 10"
    (sent,) = [parameters for _, parameters in api.texts]
    assert sent["section"] == "2.1"
    assert 300 <= sent["max_tokens"] < 900 - 250  # what is around the text counts as well


@pytest.mark.parametrize(
    ("entry", "status", "code", "retryable"),
    [
        ({"status": "not_found", "answered_by": ["crossref"]}, 404, "not_found", False),
        ({"status": "not_asked", "reason": "this is not an id"}, 404, "not_found", False),
        ({"status": "unanswered", "unanswered": {"crossref": "timeout"}}, 502, "unanswered", True),
    ],
)
def test_a_missing_document_is_a_problem(entry: dict[str, Any], status: int, code: str, retryable: bool) -> None:
    refusal = refused("fetch", {"id": "x"}, RecordedApi({"papers": [entry], "request_id": "r1"}))
    assert (refusal["status"], refusal["code"], refusal["retryable"]) == (status, code, retryable)
    assert entry.get("reason", "") in refusal["detail"]
    assert all(f"{name} ({how})" in refusal["detail"] for name, how in entry.get("unanswered", {}).items())


def test_a_python_caller_needs_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LITERATURE_SEARCH_URL", raising=False)
    with pytest.raises(ToolError, match="LITERATURE_SEARCH_URL"):
        get_papers(["10.1000/x"])


def test_a_refused_connection_may_be_retried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LITERATURE_SEARCH_URL", "http://user:secret@127.0.0.1:9/stage")
    with pytest.raises(ToolError, match=r"the literature search at 127\.0\.0\.1:9 cannot be reached") as caught:
        get_papers(["10.1000/x"])
    assert (caught.value.problem["status"], caught.value.retryable) == (502, True)


def test_the_log_holds_no_idempotency_key_and_no_whole_debate(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="literature_search.tools"), pytest.MonkeyPatch.context() as patch:
        patch.delenv("LITERATURE_SEARCH_URL", raising=False)
        with pytest.raises(ToolError):
            cite_in_context({"type": "debate", "id": "7"}, "x" * 10_000, idempotency_key="secret-of-the-caller")
    (record,) = [record for record in caplog.records if record.name == "literature_search.tools"]
    assert "secret-of-the-caller" not in repr(record.__dict__)
    assert len(record.__dict__["arguments"]["text"]) == 500
    assert record.__dict__["context"] == {"type": "debate", "id": "7"}


def test_the_log_holds_no_address_of_a_webhook(caplog: pytest.LogCaptureFixture) -> None:
    schedule = {"expression": "rate(1 day)", "delivery": {"webhook": {"url": "https://a.example/?key=of-the-caller"}}}
    for given in (schedule, json.dumps(schedule)):
        api = RecordedApi({"id": "0123"})
        with caplog.at_level(logging.INFO, logger="literature_search.tools"):
            run_tool("literature_search", {"query": "TREM2", "schedule": given}, api)
        assert api.calls[-1][1]["delivery"] == schedule["delivery"]
    logged = [record for record in caplog.records if record.name == "literature_search.tools"]
    assert len(logged) == 2
    assert all(record.__dict__["arguments"]["schedule"] == {"expression": "rate(1 day)"} for record in logged)
    misplaced = {"expression": "rate(1 day)", "webhook": {"url": "https://a.example/?key=of-the-caller"}}
    for wrong in (misplaced, json.dumps(schedule)[:-1], json.dumps([schedule])):
        with caplog.at_level(logging.INFO, logger="literature_search.tools"):
            run_tool("literature_search", {"query": "TREM2", "schedule": wrong}, RecordedApi({"id": "0123"}))
    logged = [record for record in caplog.records if record.name == "literature_search.tools"]
    assert len(logged) == 5
    assert "of-the-caller" not in repr([record.__dict__ for record in logged])


def test_the_fields_that_an_exhaustive_search_does_not_take_are_those_of_its_request() -> None:
    """The client imports no request model, so it names them again; its tool has no `format` of the API's."""
    named = {*SHAPES, *NOT_EXHAUSTIVE} - {"format"}
    assert named == ExhaustiveSearchRequest.NOT_TAKEN & inspect.signature(literature_search).parameters.keys()
