"""`/v1/reference-checks`: the references of a whole document, checked at once when they are few, else by a worker."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from functions.dispatcher.admission import admitted
from functions.dispatcher.jobs import Jobs
from functions.dispatcher.wiring.legs import SQS
from functions.dispatcher.wiring.papers import paper_dependencies
from functions.dispatcher.wiring.storage import TABLES
from shared.answers.content_trust import UNTRUSTED
from shared.aws.dynamodb.jobs import job_store
from shared.aws.messaging.job_queue import job_queue
from shared.aws.rest_api.request_body import (
    idempotency_key,
    json_object,
    query_object,
    request_id,
    tenant_of,
)
from shared.canonical_json import canonical
from shared.clock import now
from shared.documents.document import MEDIA_TYPES
from shared.documents.writing import write_document
from shared.errors import AllProvidersFailed
from shared.jobs.job import Job
from shared.json_types import JsonObject
from shared.papers.reference_request import ResolveRequest
from shared.reference_checks.answer import CheckState, check_answer, outline_of, page_numbers
from shared.reference_checks.batch import check_batch
from shared.reference_checks.corrections import correction_of
from shared.reference_checks.progress import BLOCK, started
from shared.reference_checks.request import ReferenceCheckRequest, ReferencePage
from shared.reference_checks.stored_checks import CHECK_JOBS, Check, results_of
from shared.reference_checks.stored_request import (
    digest_of,
    document_to_correct,
    read_content,
    resolve_request,
    stored_request,
)
from shared.references.resolve import resolve
from shared.validation import validated

if TYPE_CHECKING:
    from shared.answers.papers import ResolvedReference
    from shared.answers.reference_checks import CheckedReference, ReferenceCheckAnswer

PATH = "/v1/reference-checks"
MAX_BODY_BYTES = 5_900_000  # Lambda takes 6 MB
EXAMPLE = '{"document": "# References\\n\\n1. Vaswani A. et al. Attention is all you need. 2017"}'
# So many references fit into one request; longer lists are checked by a worker.
FEW = 30
CHECKS, QUEUE = job_store(TABLES, CHECK_JOBS), job_queue(SQS, CHECK_JOBS)
router = APIGatewayRouter()


def _is_long(check: Check) -> bool:
    return check.progress.total > FEW


JOBS = Jobs(path=PATH, noun="reference check", store=CHECKS, enqueue=QUEUE.send, needs_worker=_is_long, now=now)


@router.post(PATH)
def check_references() -> Response[str]:
    """Check a document's references: 200 with the result, or 202 with the address at which its progress is read."""
    event = router.current_event
    request = validated(ReferenceCheckRequest, json_object(event, MAX_BODY_BYTES, example=EXAMPLE))
    owner = tenant_of(event)
    key = idempotency_key(event)
    check = _existing_or_new(admitted(request, owner), owner, key)
    check = JOBS.resumed(check)
    if not _is_long(check):
        check = _worked_through(check)
    return JOBS.started(check, _answer(check, request), event)


@router.get(f"{PATH}/<check_id>")
def read_check(check_id: str) -> Response[str]:
    """The progress of a check, and a page of what has been checked."""
    page = validated(ReferencePage, query_object(router.current_event))
    check = JOBS.of_caller(check_id, router.current_event)
    return JOBS.shown(check, _answer(check, page))


@router.get(f"{PATH}/<check_id>/document")
def corrected_document(check_id: str) -> Response[str]:
    """The document with its references corrected, in its own format. Raises NotEnded while the check is running."""
    check = JOBS.of_caller(check_id, router.current_event)
    if not check.progress.ended:
        raise JOBS.not_ended(check)
    results = [it for block in results_of(check, CHECKS, sorted(check.progress.blocks)).values() for it in block if it]
    corrections = {it["number"] - 1: found for it in results if (found := correction_of(it))}
    written = write_document(document_to_correct(check.request, CHECKS.document(check)), corrections)
    headers = {"Content-Trust": UNTRUSTED}
    return Response(200, f"{MEDIA_TYPES[written.format]}; charset=utf-8", written.text, headers=headers)


def _existing_or_new(request: ReferenceCheckRequest, owner: str, key: str | None) -> Check:
    """The check of this request. Raises Conflict for another request with the same key."""
    request_digest = digest_of(request)
    check_id = JOBS.id_of(owner, request_digest, key, anew=request.fresh)

    def new(now: int) -> tuple[Check, bytes]:
        document = read_content(request.content, request.sent_as, request.format)
        check: Check = Job(
            id=check_id, owner=owner, request=stored_request(request, document.format),
            outline=canonical(outline_of(document)), created_at=now, updated_at=now,
            progress=started(len(document.entries)),
        )  # fmt: skip
        return check, request.content.encode()

    return JOBS.existing_or_new(check_id, request_digest, new)


def _worked_through(check: Check) -> Check:
    """A check of few references, worked through within the request."""
    if check.progress.ended:
        return check
    after = check_batch(check, CHECKS, partial(_resolve, check), time.monotonic, passes=1)
    return after or CHECKS.get(check.id) or check


def _resolve(check: Check, references: Sequence[JsonObject]) -> Sequence[ResolvedReference] | None:
    request = validated(ResolveRequest, resolve_request(check.request, references))
    try:
        return resolve(request, paper_dependencies(request_id(router.current_event)))["references"]
    except AllProvidersFailed:
        return None


def _answer(check: Check, page: ReferencePage) -> ReferenceCheckAnswer:
    """A page of the check's results."""
    passing = page_numbers(check.progress, page)
    wanted, following = passing[: page.max_results], passing[page.max_results :]
    blocks = results_of(check, CHECKS, sorted({number // BLOCK for number in wanted}))
    found: list[CheckedReference] = []
    for number in wanted:
        if result := blocks[number // BLOCK][number % BLOCK]:
            found.append(result)
    state = CheckState(
        id=check.id, progress=check.progress, outline=json.loads(check.outline), created_at=check.created_at,
        expires_at=check.expires_at,
    )  # fmt: skip
    return check_answer(state, page, found, following, request_id(router.current_event))
