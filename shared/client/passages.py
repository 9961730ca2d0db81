"""The sentences of papers that bear on a question: in place of the papers of a search, or of papers by id."""

from __future__ import annotations

from collections.abc import Sequence

from .errors import ToolError, renamed
from .json_types import JsonObject, ToolAnswer
from .transport import call

SEARCH, PATH = "/v1/literature-search", "/v1/passages"
PAPERS_READ = 20
# The API's names of what tools call otherwise.
_NAMES = {"question": "passages", "max_passages": "max_results"}
# What shapes an answer that lists papers, or saves a search: an answer of passages has no use for it.
NOT_TAKEN = (
    "format", "detail", "fields", "include_abstract", "abstract_chars", "cursor", "schedule", "saved_search",
    "max_records",
)  # fmt: skip


def passages_of_search(question: str, searched: JsonObject) -> ToolAnswer:
    """Read the first papers that the search finds. Raises ToolError."""
    found = call(SEARCH, {**searched, "max_results": PAPERS_READ, "max_tokens": None, "fields": "key"})
    read = {"result_set_id": found["result_set_id"], "fresh": searched["fresh"]}
    wanted = {"max_passages": searched["max_results"], "max_tokens": searched["max_tokens"]}
    return _answered({"question": question, **read, **wanted})


def passages_of_papers(question: str, ids: Sequence[str], max_tokens: int | None, *, fresh: bool) -> ToolAnswer:
    """Read these papers. Raises ToolError."""
    return _answered({"question": question, "ids": ids, "max_tokens": max_tokens, "fresh": fresh})


def _answered(request: JsonObject) -> ToolAnswer:
    """The passages. Raises ToolError, which names the fields as the tools do."""
    try:
        return call(PATH, request)
    except ToolError as error:
        for field, argument in _NAMES.items():
            error = renamed(error, field, argument)
        raise error from None
