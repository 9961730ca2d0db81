"""The routes of exhaustive searches, as the OpenAPI document describes them."""

from __future__ import annotations

from shared.answers.exhaustive_searches import ExhaustiveSearchAnswer
from shared.api.openapi_types import Parameter
from shared.api.operation import IDEMPOTENCY_KEY, JSON, NEXT_CURSOR, NOT_FOUND, TEXT, XML, Operation
from shared.canonical_json import ID_FORM
from shared.exhaustive_searches.request import (
    ExhaustiveSearchFile,
    ExhaustiveSearchPage,
    ExhaustiveSearchReport,
    ExhaustiveSearchRequest,
)
from shared.exports.formats import FORMATS

_SEARCH: Parameter = {
    "name": "id", "in": "path", "required": True, "description": "`search_id` of an earlier answer.",
    "schema": {"type": "string", "format": "exhaustive-search-id", "pattern": f"^{ID_FORM}$"},
}  # fmt: skip
_COMPLETE = {"Complete": "Whether every source was read to its end: true or false."}
_TEXT = (
    "Reads every source page by page, to its end or to `max_records`, merges the records, and stores a record with "
    "which the search can be reported and repeated: the requests as sent, dates, counts, and why each source was read "
    "no further. A job: 202 with its `Location`. An equal request within a week is the same search, and resumes it "
    "where a source failed; with `fresh` it begins anew. Its papers do not go to the knowledge graph."
)
EXHAUSTIVE_OPERATIONS = (
    Operation(
        method="POST", path="/v1/exhaustive-searches", name="search_exhaustively", tag="search",
        summary="Search every source to its end", description=_TEXT, request=ExhaustiveSearchRequest,
        parameters=(IDEMPOTENCY_KEY,), status=202, answers={JSON: ExhaustiveSearchAnswer},
        others={200: ("The search has ended.", ExhaustiveSearchAnswer)}, refusals=(400, 409, 422, 429, 503),
    ),
    Operation(
        method="GET", path="/v1/exhaustive-searches/{id}", name="get_exhaustive_search", tag="search",
        summary="The progress of an exhaustive search, its record and its papers",
        description="Results are stored for a week.", request=ExhaustiveSearchPage, parameters=(_SEARCH,),
        answers={JSON: ExhaustiveSearchAnswer}, refusals=(404, 422, 503),
    ),
    Operation(
        method="GET", path="/v1/exhaustive-searches/{id}/report", name="get_search_report", tag="search",
        summary="The report of an exhaustive search", description="By PRISMA-S, or as a PRISMA 2020 flow diagram.",
        request=ExhaustiveSearchReport, parameters=(_SEARCH,),
        answers={"text/markdown": TEXT, "image/svg+xml": XML}, headers=_COMPLETE, refusals=(404, 409, 422, 503),
    ),
    Operation(
        method="GET", path="/v1/exhaustive-searches/{id}/papers", name="export_exhaustive_search", tag="search",
        summary="The papers of an exhaustive search as files", request=ExhaustiveSearchFile, parameters=(_SEARCH,),
        answers={
            it.media_type.partition(";")[0]: {"type": "array"} if it.name == "csl-json" else TEXT
            for it in FORMATS.values()
        },
        headers={**_COMPLETE, **NOT_FOUND, **NEXT_CURSOR},
        refusals=(404, 409, 422, 503),
    ),
)  # fmt: skip
