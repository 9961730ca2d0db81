"""Hints as agents read them: a tool or a resource in place of a route."""

from __future__ import annotations

import pytest

from shared.agent_tools.hints import in_words_of_mcp
from shared.api.operations import OPERATIONS
from shared.api.problems import HINTS
from shared.errors import NotFound
from shared.tools import ToolError, run_tool
from tests.unit.mcp.recorded_api import CALLS, RecordedApi


@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        ("A title goes to POST /v1/resolve.", "A title goes to resolve_reference."),
        ("POST /v1/literature-search takes titles.", "literature_search takes titles."),
        ("GET /v1/saved-searches lists yours.", "literature://saved-searches lists yours."),
        ("Did you mean GET, POST /v1/literature-search?", "Did you mean literature_search?"),
        ("Did you mean GET, POST /v1/saved-searches?", "Did you mean literature://saved-searches?"),
        ("See DELETE, GET, PATCH /v1/saved-searches/{id}.", "See literature://saved-searches/{id}."),
        ("a POST /v1/citations of your API key", "a cite_in_context of your API key"),
        ("/openapi.json describes every field.", "the list of tools describes every field."),
        ("Use another Idempotency-Key.", "Use another idempotency_key."),
        ('PATCH it with {"a": 1}.', 'Call literature_search with its saved_search, and as schedule {"a": 1}.'),
        ("Give fewer providers.", "Give fewer providers."),
    ],
)
def test_a_route_is_named_by_its_tool_or_resource(hint: str, expected: str) -> None:
    assert in_words_of_mcp(hint) == expected


@pytest.mark.parametrize("route", [f"{it.method} {it.path}" for it in OPERATIONS if it.path.startswith("/v1/")])
def test_no_route_of_the_api_is_left(route: str) -> None:
    assert "/v1/" not in in_words_of_mcp(f"See {route}.")


@pytest.mark.parametrize("status", HINTS)
def test_the_hint_of_no_error_names_a_route(status: int) -> None:
    assert "/openapi.json" not in in_words_of_mcp(HINTS[status])


def test_hints_of_an_answer_and_of_a_problem_name_tools() -> None:
    hints = [{"reason": "no_match", "message": "Try POST /v1/resolve."}]
    found = run_tool("literature_search", CALLS["literature_search"][0], RecordedApi({"hints": hints}))
    assert found["hints"] == [{"reason": "no_match", "message": "Try resolve_reference."}]
    problem = {"detail": "none", "hint": "POST /v1/papers gives the reason.", "code": "not_found", "retryable": False}
    for api in (RecordedApi(problem, 404), Refusing()):
        with pytest.raises(ToolError) as caught:
            run_tool("get_papers", CALLS["get_papers"][0], api)
        assert caught.value.hint == caught.value.problem["hint"] == "get_papers gives the reason."


class Refusing(RecordedApi):
    """An API whose call raises an error of the service."""

    def __call__(self, *_: object) -> tuple[int, dict[str, object]]:
        raise NotFound("none", hint="POST /v1/papers gives the reason.")
