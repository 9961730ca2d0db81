"""`/v1/reference-checks`: the references of a whole document, checked at once when they are few, else by a worker."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from functions.dispatcher.admission import admitted
from functions.dispatcher.request_body import (
    idempotency_key,
    json_object,
    query_object,
    request_id,
    service_address,
    tenant_of,
)
from functions.dispatcher.wiring import reference_checks as wiring
from functions.dispatcher.wiring.papers import paper_dependencies
from shared.answers.content_trust import UNTRUSTED
from shared.canonical_json import canonical, compact_json, digest
from shared.documents.document import DocumentFormat
from shared.documents.writing import write_document
from shared.errors import AllProvidersFailed, Conflict, NotFound, StillUnderWay
from shared.idempotency import key_reused, scoped_key
from shared.json_types import JsonObject
from shared.papers.request import ResolveRequest
from shared.reference_checks.answer import CheckState, check_answer, outline_of, page_numbers
from shared.reference_checks.check import Check, check_batch
from shared.reference_checks.corrections import correction_of
from shared.reference_checks.progress import BLOCK, started
from shared.reference_checks.request import ReferenceCheckRequest, ReferencePage
from shared.reference_checks.stored_request import (
    asked_of,
    asked_of_stored,
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
POLL_S = 5
# A check whose worker has been silent for so long is sent to the queue again.
SILENT_S = 900
MEDIA_TYPES = {
    DocumentFormat.TEXT: "text/plain",
    DocumentFormat.MARKDOWN: "text/markdown",
    DocumentFormat.LATEX: "text/x-tex",
    DocumentFormat.BIBTEX: "application/x-bibtex",
    DocumentFormat.RIS: "application/x-research-info-systems",
    DocumentFormat.CSL_JSON: "application/vnd.citationstyles.csl+json",
    DocumentFormat.JATS: "application/xml",
    DocumentFormat.DOCX: "text/markdown",
}
_ID = re.compile("[0-9a-f]{32}")
router = APIGatewayRouter()


@router.post(PATH)
def check_references() -> Response[str]:
    """Check a document's references: 200 with the result, or 202 with the address at which its progress is read."""
    event = router.current_event
    request = validated(ReferenceCheckRequest, json_object(event, MAX_BODY_BYTES, example=EXAMPLE))
    owner = tenant_of(event)
    key = idempotency_key(event)
    check = _taken_up(_started(admitted(request, owner), owner, key))
    if check.progress.total <= FEW:
        check = _finished(check)
    answer = _answer(check, request)
    if check.progress.ended:
        return Response(200, "application/json", compact_json(answer))
    headers = {"Location": f"{service_address(event)}{PATH}/{check.id}", "Retry-After": str(POLL_S)}
    return Response(202, "application/json", compact_json(answer), headers=headers)


@router.get(f"{PATH}/<check_id>")
def read_check(check_id: str) -> Response[str]:
    """The progress of a check, and a page of what has been checked."""
    page = validated(ReferencePage, query_object(router.current_event))
    check = _own(check_id)
    headers = {} if check.progress.ended else {"Retry-After": str(POLL_S)}
    return Response(200, "application/json", compact_json(_answer(check, page)), headers=headers)


@router.get(f"{PATH}/<check_id>/document")
def corrected_document(check_id: str) -> Response[str]:
    """The document with its references corrected, in its own format. Raises Conflict while the check is running."""
    check = _own(check_id)
    if not check.progress.ended:
        hint = f"GET {PATH}/{check.id} shows its progress."
        raise Conflict("the check has not ended yet", hint=hint, retry_after_s=float(POLL_S))
    results = [it for block in wiring.CHECKS.results(check, _all_blocks(check)).values() for it in block if it]
    corrections = {it["number"] - 1: found for it in results if (found := correction_of(it))}
    written = write_document(document_to_correct(check.request, wiring.CHECKS.document(check)), corrections)
    headers = {"Content-Trust": UNTRUSTED}
    return Response(200, f"{MEDIA_TYPES[written.format]}; charset=utf-8", written.text, headers=headers)


def _started(request: ReferenceCheckRequest, owner: str, key: str | None) -> Check:
    """The check of this request, which may exist already. Raises Conflict for another request with the same key."""
    asked = asked_of(request)
    now = round(wiring.now().timestamp())
    again = str(now) if request.fresh and key is None else ""
    check_id = scoped_key(owner, key)[:32] if key else digest(canonical([owner, asked, again]), 32)
    existing = wiring.CHECKS.get(check_id)
    if existing is None:
        document = read_content(request.content, request.sent_as, request.format)
        stored = stored_request(request, document.format)
        check = Check(
            id=check_id, owner=owner, request=stored, outline=canonical(outline_of(document)), created_at=now,
            updated_at=now, progress=started(len(document.entries)),
        )  # fmt: skip
        if wiring.CHECKS.create(check, request.content.encode()):
            if check.progress.total > FEW:
                wiring.enqueue(check.id)
            return check
        existing = wiring.CHECKS.get(check_id)
    if existing is None:
        raise StillUnderWay
    if asked_of_stored(existing.request) != asked:
        raise key_reused()
    return existing


def _taken_up(check: Check) -> Check:
    """A check that failed, or that sources left gaps in, goes on; so does one whose worker is silent."""
    progress = check.progress.again()
    silent = not check.progress.ended and wiring.now().timestamp() - check.updated_at > SILENT_S
    if progress == check.progress and not silent:
        return check
    if wiring.CHECKS.change(check, progress) and check.progress.total > FEW:
        wiring.enqueue(check.id)
    return wiring.CHECKS.get(check.id) or check


def _finished(check: Check) -> Check:
    """A check of few references, worked through within the request."""
    if check.progress.ended:
        return check
    after = check_batch(check, wiring.CHECKS, partial(_resolve, check), wiring.monotonic, passes=1)
    return after or wiring.CHECKS.get(check.id) or check


def _resolve(check: Check, references: Sequence[JsonObject]) -> Sequence[ResolvedReference] | None:
    request = validated(ResolveRequest, resolve_request(check.request, references))
    try:
        return resolve(request, paper_dependencies(request_id(router.current_event)))["references"]
    except AllProvidersFailed:
        return None


def _own(check_id: str) -> Check:
    """The caller's check with this id. Raises NotFound for any other."""
    check = wiring.CHECKS.get(check_id) if _ID.fullmatch(check_id) else None
    if check is None or check.owner != tenant_of(router.current_event):
        raise NotFound(f"there is no reference check {check_id[:40]}", hint=f"POST {PATH} starts one; it lasts a week.")
    return check


def _answer(check: Check, page: ReferencePage) -> ReferenceCheckAnswer:
    """A page of the check's results."""
    passing = page_numbers(check.progress, page)
    wanted, following = passing[: page.max_results], passing[page.max_results :]
    blocks = wiring.CHECKS.results(check, sorted({number // BLOCK for number in wanted}))
    found: list[CheckedReference] = []
    for number in wanted:
        if result := blocks[number // BLOCK][number % BLOCK]:
            found.append(result)
    state = CheckState(
        id=check.id, progress=check.progress, outline=json.loads(check.outline), created_at=check.created_at,
        expires_at=check.expires_at,
    )  # fmt: skip
    return check_answer(state, page, found, following, request_id(router.current_event))


def _all_blocks(check: Check) -> list[int]:
    return sorted(check.progress.blocks)
