"""Whatever an agent sends as an argument, a tool answers, or says in a problem object what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import pytest

from shared.agent_tools.registry import TOOLS
from shared.tools import ToolError, run_tool
from tests.unit.mcp.recorded_api import ANSWERS, CALLS, RecordedApi

ODD: tuple[Any, ...] = (
    0, -1, 1.5, 10**30, True, "abc", "2020", "\x00", "[1", '{"a":1', "a" * 3_000, [[]], [{}], [None], ["a"] * 30,
    {"a": {"b": 1}}, {"expression": 5},
)  # fmt: skip


@pytest.mark.parametrize(("tool", "argument"), [(name, it) for name in CALLS for it in TOOLS[name].parameters])
def test_an_odd_argument_is_a_problem_of_the_caller(tool: str, argument: str) -> None:
    for value in ODD:
        with suppress(ToolError):  # any other error is a bug
            run_tool(tool, {**CALLS[tool][0], argument: value}, answered)


def answered(
    method: str, path: str, body: Mapping[str, object], headers: Mapping[str, str]
) -> tuple[int, dict[str, Any]]:
    """The answer of the tool's usual route; any other finds nothing."""
    assert all(isinstance(value, str) for value in (method, *headers.values()))
    return (200, {"result_set_id": "a", **ANSWERS[path]}) if path in ANSWERS else (404, {"detail": "nothing is there"})


def refused(tool: str, **given: object) -> list[str]:
    with pytest.raises(ToolError) as error:
        run_tool(tool, {**CALLS[tool][0], **given}, RecordedApi())
    assert error.value.problem["status"] == 400
    return [it["field"] for it in error.value.problem["errors"]]


@pytest.mark.parametrize("value", ["abc", True, 1.5, -1, [1], {"a": 1}, 10**30])
def test_a_budget_that_is_no_whole_number_is_refused(value: object) -> None:
    assert refused("fetch", max_tokens=value) == ["max_tokens"]


@pytest.mark.parametrize("written", ["900", 900.0])
def test_a_whole_budget_may_be_written_as_the_api_reads_it(written: object) -> None:
    first, second = (run_tool("fetch", {**CALLS["fetch"][0], "max_tokens": it}, RecordedApi()) for it in (written, 900))
    assert first == second


@pytest.mark.parametrize("value", [5, True, ["a"], {"a": 1}])
def test_an_idempotency_key_that_is_no_text_is_refused(value: object) -> None:
    assert refused("cite_in_context", idempotency_key=value) == ["idempotency_key"]
