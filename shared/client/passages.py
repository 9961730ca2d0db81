"""The sentences of papers that bear on a question: in place of the papers of a search, or of papers by id."""

from __future__ import annotations

from collections.abc import Sequence

from .errors import ToolError
from .json_types import JsonObject, ToolAnswer
from .transport import call

SEARCH, PATH = "/v1/literature-search", "/v1/passages"
PAPERS_READ = 20
MOST = 50


def search_or_passages(searched: JsonObject, question: str) -> ToolAnswer:
    """The search's answer; with a question, the passages of its first papers in its place. Raises ToolError."""
    if not question:
        return call(SEARCH, searched)
    found = call(SEARCH, {**searched, "max_results": PAPERS_READ, "fields": "key", "max_tokens": None})
    wanted = {"max_passages": min(int(str(searched["max_results"])), MOST), "max_tokens": searched["max_tokens"]}
    return _answered({"question": question, "result_set_id": found["result_set_id"], **wanted})


def passages_of_papers(question: str, ids: Sequence[str], max_tokens: int | None) -> ToolAnswer:
    """Read these papers. Raises ToolError."""
    return _answered({"question": question, "ids": ids, "max_tokens": max_tokens})


def _answered(request: JsonObject) -> ToolAnswer:
    """The passages. Raises ToolError, which names the question as the tools do."""
    try:
        return call(PATH, request)
    except ToolError as error:
        for fault in error.problem["errors"]:
            if fault["field"] == "question":
                fault["field"] = "passages"
        raise
