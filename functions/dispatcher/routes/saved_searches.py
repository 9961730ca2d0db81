"""`/v1/saved-searches`: searches that run by themselves, each owner's alone, and the feed of what they found."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter
from botocore.exceptions import BotoCoreError, ClientError

from functions.dispatcher.request_body import idempotency_key, json_object, request_id
from functions.dispatcher.saved_searches.feed import feed_response
from functions.dispatcher.saved_searches.view import answered, shown
from functions.dispatcher.saved_searches.webhook import (
    redeliver_missed,
    new_secret_for,
    rollback_delivery,
    secret_for,
    activate_webhook,
)
from functions.dispatcher.wiring import saved_searches as wiring
from functions.dispatcher.wiring.search import DISCIPLINES
from shared.aws.dynamodb.errors import is_condition_failure
from shared.aws.messaging.schedules import rejects_expression, first_run_at
from shared.aws.runtime.observability import code_of, logger
from shared.canonical_json import canonical, digest
from shared.clock import timestamp
from shared.errors import NotFound, StillUnderWay, StorageUnavailable, Unprocessable
from shared.idempotency import key_reused, scoped_key
from shared.saved_searches.feed import PATH
from shared.saved_searches.request import EXAMPLE, MAX_A_CALLER, Change, read_change, read_new
from shared.saved_searches.schedule import rejected
from shared.saved_searches.windows import Window, to_json

MAX_BODY_BYTES = 64_000
# How long a caller waits while what the runs have kept is removed; the daily look removes the rest.
SWEPT_S = 10.0
QUOTA = f"DELETE one that you no longer need: GET {PATH} lists yours, the oldest first."
_ID = re.compile("[0-9a-f]{20}")
router = APIGatewayRouter()


@router.post(PATH)
def save() -> Response[str]:
    """A new saved search; its first run comes within minutes. With an Idempotency-Key, one however often sent."""
    event = router.current_event
    change = read_new(json_object(event, MAX_BODY_BYTES, example=EXAMPLE), DISCIPLINES, wiring.now())
    search_id = _id_for(idempotency_key(event))
    if known := wiring.SEARCHES.get(_owner(), search_id):
        if known["asked"] != _digest(change):
            raise key_reused()
        return answered(event, 200, known)
    if len(wiring.SEARCHES.list_for_owner(_owner())) >= MAX_A_CALLER:
        raise Unprocessable(f"there are {MAX_A_CALLER} saved searches already, which is all that a key has", hint=QUOTA)
    saved = _new(search_id, change)
    secret = secret_for(saved["delivery"])
    try:
        wiring.SEARCHES.create(saved, secret)
    except ClientError as error:
        if not is_condition_failure(error):
            raise
        raise StillUnderWay from None
    try:
        _schedules().put(saved)
        if saved["enabled"]:
            _schedules().soon(saved, wiring.moment(saved["soon_at"]))
    except (ClientError, BotoCoreError) as error:
        logger.error("a schedule cannot be made", error=code_of(error))
        wiring.SEARCHES.delete(_mine(search_id))
        with suppress(ClientError, BotoCoreError):  # the first of the two may be there
            _schedules().remove(search_id)
        if rejects_expression(error):
            raise rejected(saved["schedule"]["expression"]) from error
        raise StorageUnavailable("the schedule could not be made; send it again", retry_after_s=5.0) from error
    return answered(event, 201, _mine(search_id), secret)


def _new(search_id: str, change: Change) -> dict[str, Any]:
    now = wiring.now()
    at = timestamp(now)
    return {
        "id": search_id, "owner": _owner(), "name": change.name, "search": change.search, "schedule": change.schedule,
        "delivery": activate_webhook(change.delivery or {}), "enabled": change.enabled, "created_at": at, "updated_at": at,
        "since": at, "windows": [to_json(Window())], "asked": _digest(change),
        **({"soon_at": timestamp(first_run_at(now))} if change.enabled else {}),
    }  # fmt: skip


@router.get(PATH)
def all_of_mine() -> dict[str, Any]:
    """Every search that this caller has saved, the oldest first."""
    return {"saved_searches": [shown(it) for it in wiring.SEARCHES.list_for_owner(_owner())], **_told()}


@router.get(f"{PATH}/<search_id>")
def one(search_id: str) -> dict[str, Any]:
    """One of this caller's, with its last run."""
    return {**shown(_mine(search_id)), **_told()}


@router.patch(f"{PATH}/<search_id>")
def change(search_id: str) -> Response[str]:
    """What is named is changed. Another search begins with a first run of its own, over what was told before."""
    event, saved = router.current_event, _mine(search_id)
    asked = json_object(event, MAX_BODY_BYTES, example=EXAMPLE)
    sets = _changes(read_change(asked, DISCIPLINES, wiring.now(), saved), saved)
    secret = secret_for(sets["delivery"], saved["delivery"]) if "delivery" in sets else None
    forget = "delivery" in sets and not sets["delivery"]["webhook"]
    wiring.SEARCHES.change(saved, sets, secret=secret, forget_secret=forget)
    changed = _mine(search_id)
    try:
        if sets.keys() & {"schedule", "enabled"}:
            _schedules().put(changed)
        if "soon_at" in sets:
            _schedules().soon(changed, wiring.moment(sets["soon_at"]))
        redeliver_missed(saved, changed)
    except (ClientError, BotoCoreError, StorageUnavailable) as error:
        if "delivery" in sets:  # a secret that nobody was told, a webhook that was not sent what it lacks
            rollback_delivery(saved, changed)
        if "schedule" in sets and rejects_expression(error):
            wiring.SEARCHES.change(_mine(search_id), {"schedule": saved["schedule"]})
            raise rejected(changed["schedule"]["expression"]) from error
        raise
    return answered(event, 200, changed, secret)


def _changes(wanted: Change, saved: Mapping[str, Any]) -> dict[str, Any]:
    """The fields to be written."""
    now = wiring.now()
    sets: dict[str, Any] = {"updated_at": timestamp(now)}
    sets |= {name: it for name in ("name", "schedule", "enabled") if (it := getattr(wanted, name)) is not None}
    if wanted.search is not None and wanted.search != saved["search"]:
        sets |= {"search": wanted.search, "windows": [to_json(Window())], "last_run": None, "since": sets["updated_at"]}
    if wanted.delivery is not None:
        sets["delivery"] = activate_webhook(wanted.delivery)
    begins = "windows" in sets or not saved["enabled"]
    if begins and sets.get("enabled", saved["enabled"]) and _unasked(sets.get("windows", saved["windows"])):
        sets["soon_at"] = timestamp(first_run_at(now))
    return sets


@router.post(f"{PATH}/<search_id>/webhook-secret")
def renew_webhook_secret(search_id: str) -> dict[str, Any]:
    """A new secret for its webhook, told this once; for a day the one before signs too."""
    return {**new_secret_for(_mine(search_id)), **_told()}


@router.delete(f"{PATH}/<search_id>")
def delete(search_id: str) -> Response[str]:
    """The search, its schedule and its feed."""
    saved = _mine(search_id)
    _schedules().remove(search_id)
    until = time.monotonic() + SWEPT_S
    wiring.SEARCHES.delete(saved, lambda: time.monotonic() < until)
    return Response(204, "application/json", "")


@router.get(f"{PATH}/<search_id>/new")
def new(search_id: str) -> Response[str]:
    """What the runs have told, the newest first: as JSON, or as an Atom feed."""
    return feed_response(router.current_event, shown(_mine(search_id)), wiring.SEARCHES)


def _owner() -> str:
    """The caller's key, by its id: API Gateway lets nobody in without one."""
    return router.current_event.request_context.identity.api_key_id or "local"


def _mine(search_id: str) -> dict[str, Any]:
    """Raises NotFound, in the same words for another's as for none."""
    saved = wiring.SEARCHES.get(_owner(), search_id) if _ID.fullmatch(search_id) else None
    if saved is None:
        raise NotFound("there is no such saved search", hint=f"GET {PATH} lists yours.")
    return saved


def _unasked(windows: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the first run is still to come, or not yet through."""
    return any(window["searched_at"] is None for window in windows)


def _schedules() -> Any:
    return wiring.schedules(router.lambda_context.invoked_function_arn)


def _id_for(key: str | None) -> str:
    if key is None:
        return wiring.new_id()
    return scoped_key(_owner(), key)[:20]


def _digest(asked: Change) -> str:
    """What a request under an Idempotency-Key is known again by, whatever became of its search since."""
    return digest(canonical(asdict(asked), spaced=True, ensure_ascii=True))


def _told() -> dict[str, str]:
    return {"request_id": request_id(router.current_event)}
