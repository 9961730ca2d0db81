"""`/v1/saved-searches`: searches and watches that run on a schedule, private to their owner, and their feeds."""

from __future__ import annotations

import re
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter
from botocore.exceptions import BotoCoreError, ClientError

from functions.dispatcher.admission import check_readable, claim_context_of
from functions.dispatcher.saved_searches.feed import feed_response
from functions.dispatcher.saved_searches.items import new_item, update_of
from functions.dispatcher.saved_searches.repeated import first_free, ids_of, saved_before
from functions.dispatcher.saved_searches.view import saved_search_answer, saved_search_response, saved_searches_answer
from functions.dispatcher.saved_searches.webhook import (
    redeliver_missed,
    rollback_delivery,
    rotate_secret,
    secret_for,
)
from functions.dispatcher.wiring import saved_searches as wiring
from functions.dispatcher.wiring.legs import DISCIPLINES
from shared.aws.dynamodb.errors import is_condition_failure
from shared.aws.messaging.schedules import Schedules, rejects_expression
from shared.aws.rest_api.list_parameters import budget_of, limit_of
from shared.aws.rest_api.request_body import idempotency_key, json_object, query_value, request_id, tenant_of
from shared.aws.runtime.observability import error_code, logger
from shared.errors import NotFound, StillUnderWay, StorageUnavailable, Unprocessable
from shared.json_types import JsonObject
from shared.saved_searches.feed import PATH
from shared.saved_searches.request import EXAMPLE, MAX_A_CALLER, read_change, read_new
from shared.saved_searches.schedule import rejected
from shared.saved_searches.stored import NewSearch, StoredSearch

if TYPE_CHECKING:
    from shared.answers.graph import ContextRef
    from shared.answers.saved_searches import SavedSearchAnswer, SavedSearchesAnswer, WebhookSecretAnswer

MAX_BODY_BYTES = 64_000
# How long a DELETE waits for the removal of what the runs have stored; the daily reconciliation removes the rest.
PURGE_S = 10.0
QUOTA = f"DELETE one that you no longer need: GET {PATH} lists yours, the oldest first."
_ID = re.compile("[0-9a-f]{20}")
router = APIGatewayRouter()


@router.post(PATH)
def save() -> Response[str]:
    """Save a search or a watch, which first runs within minutes; once, if repeated with one Idempotency-Key.

    A search that was changed since is no longer what the request says: it is saved anew.
    """
    event = router.current_event
    now = wiring.now()
    request = read_new(json_object(event, MAX_BODY_BYTES, example=EXAMPLE), DISCIPLINES, now)
    key, own = idempotency_key(event), wiring.SEARCHES.list_for_owner(_owner())
    ids = [wiring.new_id()] if key is None else ids_of(_owner(), key)
    if existing := saved_before(own, ids, request):
        return saved_search_response(event, 200, existing)
    _require_room(len(own) + 1)
    _check_context(request.search, request.watch)
    search_id = first_free(own, ids)
    saved = new_item(search_id, _owner(), request, wiring.now())
    secret = secret_for(saved["delivery"])
    try:
        wiring.SEARCHES.create(saved, secret)
    except ClientError as error:
        if not is_condition_failure(error):
            raise
        raise StillUnderWay from None
    try:
        # Others may have been saved since they were counted: nobody keeps one above the quota.
        _require_room(len(wiring.SEARCHES.list_for_owner(_owner())))
    except Unprocessable:
        wiring.SEARCHES.delete(_own_search(search_id))
        raise
    _create_schedules(saved)
    return saved_search_response(event, 201, _own_search(search_id), secret)


def _check_context(search: JsonObject | None, watch: ContextRef | None) -> None:
    """Claim the context that a search writes to. Raises NotFound for one that the caller may not write to, or watch."""
    if search is not None:
        claim_context_of(search, _owner())
    if watch is not None:
        check_readable(watch, _owner())


def _require_room(count: int) -> None:
    """Raise Unprocessable if a caller may not have so many searches."""
    if count > MAX_A_CALLER:
        raise Unprocessable(f"there are {MAX_A_CALLER} saved searches already, which is all that a key has", hint=QUOTA)


def _create_schedules(saved: NewSearch) -> None:
    """Create the schedules of a new search. Deletes the search and raises an error if that fails."""
    try:
        _schedules().put(saved)
        if "soon_at" in saved:
            _schedules().soon(saved, wiring.moment(saved["soon_at"]))
    except (ClientError, BotoCoreError) as error:
        logger.error("a schedule cannot be made", error=error_code(error))
        wiring.SEARCHES.delete(_own_search(saved["id"]))
        with suppress(ClientError, BotoCoreError):  # the first of the two may exist
            _schedules().remove(saved["id"])
        if rejects_expression(error):
            raise rejected(saved["schedule"]["expression"]) from error
        raise StorageUnavailable("the schedule could not be made; send it again", retry_after_s=5.0) from error


@router.get(PATH)
def list_own() -> SavedSearchesAnswer:
    """Return the saved searches of the caller in pages, oldest first."""
    event = router.current_event
    limit, max_tokens, cursor = limit_of(event), budget_of(event), query_value(event, "cursor")
    return saved_searches_answer(
        wiring.SEARCHES.list_for_owner(_owner()), cursor, limit, max_tokens, request=_request_id()
    )


@router.get(f"{PATH}/<search_id>")
def get_one(search_id: str) -> SavedSearchAnswer:
    """Return one saved search of the caller, with its last run."""
    return saved_search_answer(_own_search(search_id), _request_id())


@router.patch(f"{PATH}/<search_id>")
def change(search_id: str) -> Response[str]:
    """Change the named fields. Another `search` or `watch` begins with a first run; reported papers stay known."""
    event, saved = router.current_event, _own_search(search_id)
    body = json_object(event, MAX_BODY_BYTES, example=EXAMPLE)
    wanted = read_change(body, DISCIPLINES, wiring.now(), saved)
    _check_context(wanted.search, wanted.watch)
    update = update_of(wanted, saved, wiring.now())
    secret = secret_for(update["delivery"], saved["delivery"]) if "delivery" in update else None
    forget = "delivery" in update and not update["delivery"]["webhook"]
    wiring.SEARCHES.change(saved, update, secret=secret, forget_secret=forget)
    changed = _own_search(search_id)
    try:
        if update.keys() & {"schedule", "enabled"}:
            _schedules().put(changed)
        if "soon_at" in update:
            _schedules().soon(changed, wiring.moment(update["soon_at"]))
        redeliver_missed(saved, changed)
    except (ClientError, BotoCoreError, StorageUnavailable) as error:
        if "delivery" in update:  # its new secret is not shown, or the missed events were not sent
            rollback_delivery(saved, changed)
        if "schedule" in update and rejects_expression(error):
            wiring.SEARCHES.change(_own_search(search_id), {"schedule": saved["schedule"]})
            raise rejected(changed["schedule"]["expression"]) from error
        raise
    return saved_search_response(event, 200, changed, secret)


@router.post(f"{PATH}/<search_id>/webhook-secret")
def renew_webhook_secret(search_id: str) -> WebhookSecretAnswer:
    """Replace the webhook's secret and show it once; the previous one signs as well for a day."""
    rotated = rotate_secret(_own_search(search_id))
    return {
        "secret": rotated["secret"],
        "previous_valid_until": rotated["previous_valid_until"],
        "request_id": _request_id(),
    }


@router.delete(f"{PATH}/<search_id>")
def delete(search_id: str) -> Response[str]:
    """Delete the search, its schedule and its feed."""
    saved = _own_search(search_id)
    _schedules().remove(search_id)
    until = time.monotonic() + PURGE_S
    wiring.SEARCHES.delete(saved, lambda: time.monotonic() < until)
    return Response(204, "application/json", "")


@router.get(f"{PATH}/<search_id>/new")
def read_feed(search_id: str) -> Response[str]:
    """Return the events of the runs, newest first, as JSON or as an Atom feed."""
    return feed_response(router.current_event, _own_search(search_id), wiring.SEARCHES)


def _owner() -> str:
    return tenant_of(router.current_event)


def _own_search(search_id: str) -> StoredSearch:
    """Return a search of the caller. Raises the same NotFound for another owner's as for a missing one."""
    saved = wiring.SEARCHES.get(_owner(), search_id) if _ID.fullmatch(search_id) else None
    if saved is None:
        raise NotFound("there is no such saved search", hint=f"GET {PATH} lists yours.")
    return saved


def _schedules() -> Schedules:
    return wiring.schedules(router.lambda_context.invoked_function_arn)


def _request_id() -> str:
    return request_id(router.current_event)
