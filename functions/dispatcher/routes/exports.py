"""`/v1/exports`: a whole result set, or papers by id, as Markdown, BibTeX, RIS, CSL-JSON or CSV."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from functions.dispatcher.file_responses import Missing, as_file, file_format
from functions.dispatcher.wiring.legs import result_sets
from functions.dispatcher.wiring.papers import paper_dependencies
from shared.aws.rest_api.request_body import json_object, query_object, request_id
from shared.papers.no_id import no_id, none_found
from shared.papers.papers import get_papers
from shared.papers.request import ExportRequest, PapersRequest
from shared.search.filtering.facets import papers_of
from shared.search.result_sets.store import existing
from shared.validation import validated

if TYPE_CHECKING:
    from shared.answers.papers import PaperEntry
    from shared.answers.search import StoredPaper

MAX_BODY_BYTES = 200_000
EXAMPLE = '{"ids": ["10.7554/eLife.20391"], "format": "bibtex"}'
router = APIGatewayRouter()


@router.route("/v1/exports", method=["GET", "POST"])
def exports() -> Response[str]:
    """The file; Markdown by default."""
    event = router.current_event
    body = event.http_method == "POST"
    request = validated(
        ExportRequest, json_object(event, MAX_BODY_BYTES, example=EXAMPLE) if body else query_object(event)
    )
    form = file_format(request.format, event)
    if request.result_set_id:
        hint = "Send the search again and export its new result set."
        result_set = existing(result_sets(), request.result_set_id, hint)
        results = result_set["results"][: request.max_results]
        papers = papers_of(results)
        missing = Missing(unnamed=len(results) - len(papers))
        complete = result_set["summary"]["complete"]
        return as_file(form, papers, complete=complete, missing=missing, max_tokens=request.max_tokens)
    lookup: dict[str, object] = {"ids": list(request.ids), "detail": "full"}
    lookup |= request.model_dump(include={"timeout_ms", "cite_in_kg"})
    dependencies = paper_dependencies(request_id(event))
    answer = get_papers(validated(PapersRequest, lookup), dependencies, whole=True)
    missing = _missing(answer["papers"])
    if len(missing.malformed) == len(request.ids):
        raise no_id("ids", *request.ids)
    found = {entry["paper"]["key"]: entry["paper"] for entry in answer["papers"] if entry["paper"]}
    if not found:
        raise none_found(missing.messages(), unanswered=bool(missing.unanswered))
    papers = [cast("StoredPaper", paper) for paper in found.values()]  # `whole` returns every field
    papers = papers[: request.max_results]
    return as_file(form, papers, complete=answer["complete"], missing=missing, max_tokens=request.max_tokens)


def _missing(entries: Sequence[PaperEntry]) -> Missing:
    """The ids of the entries that have no paper, or that of an entry before."""
    ids: defaultdict[str, list[str]] = defaultdict(list)
    keys: set[str] = set()
    for entry in entries:
        key = entry["paper"]["key"] if entry["paper"] else None
        status = "repeated" if key in keys else entry["status"] if entry["name"] else "malformed"
        keys |= {key} if key else set()
        ids[status].append(entry["id"])
    unanswered = [*ids["unanswered"], *ids["not_asked"]]
    return Missing(ids["not_found"], unanswered, ids["malformed"], ids["repeated"])
