"""`/v1/exhaustive-searches`: every source read to its end by a worker, with a record of how it was searched."""

from __future__ import annotations

import json

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from functions.dispatcher.admission import admit_new_search, admitted
from functions.dispatcher.file_responses import as_file
from functions.dispatcher.jobs import Jobs
from functions.dispatcher.wiring.legs import DISCIPLINES, SQS
from functions.dispatcher.wiring.storage import TABLES
from shared.answers.content_trust import UNTRUSTED
from shared.aws.dynamodb.jobs import job_store
from shared.aws.messaging.job_queue import job_queue
from shared.aws.rest_api.request_body import idempotency_key, json_object, query_object, request_id, tenant_of
from shared.clock import now
from shared.exhaustive_searches.answer import search_answer
from shared.exhaustive_searches.flow_picture import flow_svg
from shared.exhaustive_searches.merging import papers_of
from shared.exhaustive_searches.progress import EXHAUSTIVE_JOBS, ExhaustiveSearch
from shared.exhaustive_searches.record import is_complete
from shared.exhaustive_searches.report import search_report
from shared.exhaustive_searches.request import (
    ExhaustiveSearchFile,
    ExhaustiveSearchPage,
    ExhaustiveSearchReport,
    digest_of,
    read_exhaustive,
    stored_request,
)
from shared.exhaustive_searches.steps import start
from shared.exports.formats import FORMATS
from shared.jobs.job import Job
from shared.search.requests.search_request import must_exist
from shared.search.sizes.details import RESULT_FIELDS
from shared.validation import validated

PATH = "/v1/exhaustive-searches"
MAX_BODY_BYTES = 64_000
EXAMPLE = '{"query": "TREM2 AND microglia", "providers": ["pubmed", "europe_pmc"], "max_records": 2000}'
SEARCHES = job_store(TABLES, EXHAUSTIVE_JOBS)
JOBS = Jobs(
    path=PATH, noun="exhaustive search", store=SEARCHES, enqueue=job_queue(SQS, EXHAUSTIVE_JOBS).send,
    needs_worker=lambda search: not search.progress.ended, now=now,
)  # fmt: skip
router = APIGatewayRouter()


@router.post(PATH)
def begin_search() -> Response[str]:
    """Begin a search, or resume the one of an equal request: 202 until it has ended, then 200."""
    event = router.current_event
    request = read_exhaustive(json_object(event, MAX_BODY_BYTES, example=EXAMPLE), DISCIPLINES)
    owner, request_digest = tenant_of(event), digest_of(request)
    request = admitted(request, owner)  # takes a token of the caller's budget if the request is `fresh`
    search_id = JOBS.id_of(owner, request_digest, idempotency_key(event), anew=request.fresh)

    def new(now: int) -> tuple[ExhaustiveSearch, bytes]:
        if not request.fresh:
            admit_new_search(owner)
        progress = start(request, DISCIPLINES)
        search: ExhaustiveSearch = Job(
            id=search_id, owner=owner, request=stored_request(request), outline="", created_at=now, updated_at=now,
            progress=progress,
        )  # fmt: skip
        return search, b""

    search = JOBS.existing_or_new(search_id, request_digest, new)
    search = JOBS.resumed(search)
    return JOBS.started(search, _answer(search, validated(ExhaustiveSearchPage, {})), event)


@router.get(f"{PATH}/<search_id>")
def read_search(search_id: str) -> Response[str]:
    """The progress, the record, and a page of the papers."""
    page = validated(ExhaustiveSearchPage, query_object(router.current_event))
    must_exist("fields", page.fields, RESULT_FIELDS)
    search = JOBS.of_caller(search_id, router.current_event)
    return JOBS.shown(search, _answer(search, page))


@router.get(f"{PATH}/<search_id>/report")
def read_report(search_id: str) -> Response[str]:
    """The report of the search, or its flow diagram. Raises NotEnded while it is running."""
    form = validated(ExhaustiveSearchReport, query_object(router.current_event)).format
    search = _ended(search_id)
    headers = {"Content-Trust": UNTRUSTED, "Complete": json.dumps(is_complete(search))}
    if form == "svg":
        return Response(200, "image/svg+xml", flow_svg(search), headers=headers)
    return Response(200, FORMATS["markdown"].media_type, search_report(search), headers=headers)


@router.get(f"{PATH}/<search_id>/papers")
def export_papers(search_id: str) -> Response[str]:
    """The papers as a file, in pages. Raises NotEnded while the search is running."""
    wanted = validated(ExhaustiveSearchFile, query_object(router.current_event))
    search, first = _ended(search_id), int(wanted.cursor or 0)
    papers = papers_of(search, SEARCHES, first, wanted.max_results)
    response = as_file(FORMATS[wanted.format], papers, complete=is_complete(search))
    found = search.progress.found
    if found and first + len(papers) < found.passed:
        response.headers["Next-Cursor"] = str(first + len(papers))
    return response


def _ended(search_id: str) -> ExhaustiveSearch:
    search = JOBS.of_caller(search_id, router.current_event)
    if search.progress.found is None:
        raise JOBS.not_ended(search)
    return search


def _answer(search: ExhaustiveSearch, page: ExhaustiveSearchPage) -> object:
    papers = papers_of(search, SEARCHES, int(page.cursor or 0), page.max_results)
    return search_answer(search, page, papers, request_id(router.current_event))
