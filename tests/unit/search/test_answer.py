"""Small parts of the answer: cursors, hints, disciplines, the tools' registry."""

from __future__ import annotations

import logging
from types import SimpleNamespace
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from shared.errors import Unprocessable
from shared.search.disciplines import disciplines_of
from shared.search.result_sets.cursor import Cursor, read_cursor
from shared.tools import ToolError, literature_search, log_tool_call, pubmed_search


def test_a_cursor_is_decoded_to_its_original_value() -> None:
    cursor = Cursor("0123456789abcdef" * 2, 30)
    assert read_cursor(str(cursor)) == cursor


@pytest.mark.parametrize("text", ["", "abc", "é", "====", "MDA6MQ", "../../etc", "A" * 400])
def test_a_forged_cursor_is_unprocessable(text: str) -> None:
    with pytest.raises(Unprocessable) as caught:
        read_cursor(text)
    assert caught.value.errors[0].field == "cursor"


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ("TREM2 microglia in Alzheimer's disease", {"biomedical"}),
        ("transformer language model", {"computing"}),
        ("election policy and inequality", {"humanities"}),
        ("quantum algorithms for protein folding", {"biomedical", "computing"}),
        ("xylophone", set()),
    ],
)
def test_a_question_implies_its_discipline(query: str, fields: set[str]) -> None:
    assert disciplines_of([query]) == fields


@pytest.fixture
def api(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> HTTPServer:
    monkeypatch.setenv("LITERATURE_SEARCH_URL", httpserver.url_for(""))
    monkeypatch.setenv("LITERATURE_SEARCH_API_KEY", "caller-key")
    return httpserver


def test_the_tool_posts_its_arguments_and_returns_the_answer(api: HTTPServer) -> None:
    api.expect_request("/v1/literature-search", method="POST").respond_with_json({"complete": True, "results": []})
    assert literature_search("TREM2", 5, "pubmed", "2020") == {"complete": True, "results": []}
    request, _ = api.log[0]
    assert request.headers["x-api-key"] == "caller-key"
    assert request.get_json()["query"] == "TREM2"
    assert request.get_json()["date_from"] == "2020"
    assert "date_to" not in request.get_json()


def test_pubmed_search_has_its_own_route(api: HTTPServer) -> None:
    api.expect_request("/v1/pubmed-search").respond_with_json({"complete": True})
    assert pubmed_search("TREM2") == {"complete": True}


def test_a_problem_reaches_the_caller_as_it_is(api: HTTPServer) -> None:
    problem = {"detail": "no provider answered", "retryable": True, "retry_after_s": 30, "hint": "wait"}
    api.expect_request("/v1/literature-search").respond_with_json(problem, status=502)
    with pytest.raises(ToolError, match="502: no provider answered") as caught:
        literature_search("TREM2")
    assert (caught.value.retryable, caught.value.retry_after_s, caught.value.hint) == (True, 30, "wait")


def test_a_tool_without_an_address_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LITERATURE_SEARCH_URL", raising=False)
    with pytest.raises(ToolError, match="LITERATURE_SEARCH_URL"):
        literature_search("TREM2")


def test_every_call_is_logged_once_without_the_key(api: HTTPServer, caplog: pytest.LogCaptureFixture) -> None:
    api.expect_request("/v1/literature-search").respond_with_json({"complete": False})
    with caplog.at_level(logging.INFO, logger="literature_search.tools"):
        literature_search("TREM2", context={"type": "debate", "id": "7"})
    (record,) = [record for record in caplog.records if record.name == "literature_search.tools"]
    logged: dict[str, Any] = record.__dict__
    assert logged["tool"] == "literature_search"
    assert logged["arguments"] == {"query": "TREM2"}
    assert logged["context"] == {"type": "debate", "id": "7"}
    assert logged["outcome"] == "incomplete"
    assert "caller-key" not in repr(logged)


def test_a_failing_call_is_logged_with_its_fault_and_its_duration(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    @log_tool_call
    def broken(query: str) -> dict[str, Any]:
        raise ToolError(f"nothing for {query}")

    ticks = iter((10.0, 10.25))
    monkeypatch.setattr("shared.client.tool_calls.time", SimpleNamespace(monotonic=lambda: next(ticks)))
    with caplog.at_level(logging.INFO, logger="literature_search.tools"), pytest.raises(ToolError):
        broken("x")
    assert caplog.records[0].__dict__["outcome"] == "tool_error"
    assert caplog.records[0].__dict__["duration_ms"] == 250
