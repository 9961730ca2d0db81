"""`/v1/saved-searches`: searches that run by themselves, each owner's alone, and the feed of what they found."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter
from botocore.exceptions import BotoCoreError, ClientError

from functions.dispatcher import saved_world
from functions.dispatcher.body import json_object, request_id, service_address
from functions.dispatcher.graph_routes import as_json
from functions.dispatcher.saved_feed import feed_response
from functions.dispatcher.world import DISCIPLINES
from shared.aws.observability import code_of, logger
from shared.aws.saved_searches import view
from shared.aws.schedules import shortly
from shared.errors import BadRequest, Conflict, FieldError, NotFound, StorageUnavailable, Undelivered, Unprocessable
from shared.provider import timestamp
from shared.saved.addresses import check_url, permitted
from shared.saved.deliveries import deliveries
from shared.saved.request import EXAMPLE, MAX_A_CALLER, Change, read_change, read_new
from shared.saved.schedule import Schedule, firings
from shared.saved.webhook import new_secret
from shared.saved.windows import Window, to_json

MAX_BODY_BYTES = 64_000
MAX_KEY_CHARS = 255
PATH = "/v1/saved-searches"
_ID = re.compile("[0-9a-f]{20}")
router = APIGatewayRouter()


@router.post(PATH)
def save() -> Response[str]:
    """A new saved search; its first run comes within minutes. With an Idempotency-Key, one however often sent."""
    event = router.current_event
    change = read_new(json_object(event, MAX_BODY_BYTES, example=EXAMPLE), DISCIPLINES, saved_world.now())
    search_id = _id_for(event.headers.get("Idempotency-Key"))
    if known := saved_world.SEARCHES.get(_owner(), search_id):
        if known["asked"] != _digest(change):
            raise Conflict("another request came under this Idempotency-Key", hint="Use a new key for it.")
        return _answered(200, known)
    if len(saved_world.SEARCHES.of_owner(_owner())) >= MAX_A_CALLER:
        message = f"there are {MAX_A_CALLER} saved searches already: delete one first"
        raise Unprocessable(message, [FieldError("search", message)])
    at = timestamp(saved_world.now())
    saved: dict[str, Any] = {
        "id": search_id, "owner": _owner(), "name": change.name, "search": change.search, "schedule": change.schedule,
        "delivery": _with_status(change.delivery or {}), "enabled": change.enabled, "created_at": at, "updated_at": at,
        "windows": [to_json(Window())], "asked": _digest(change),
    }  # fmt: skip
    secret = _new_secret(saved["delivery"])
    try:
        saved_world.SEARCHES.create(saved, secret)
    except ClientError as error:
        if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
            raise
        raise Conflict("the first request under this Idempotency-Key is still under way", retry_after_s=1.0) from None
    try:
        _schedules().put(saved)
        if saved["enabled"]:
            _schedules().soon(saved, shortly(saved_world.now()))
    except (ClientError, BotoCoreError) as error:
        logger.error("a schedule cannot be made", error=code_of(error))
        saved_world.SEARCHES.delete(_mine(search_id))
        with suppress(ClientError, BotoCoreError):  # the first of the two may be there
            _schedules().remove(search_id)
        raise StorageUnavailable("the schedule could not be made; send it again", retry_after_s=5.0) from error
    return _answered(201, _mine(search_id), secret)


@router.get(PATH)
def all_of_mine() -> dict[str, Any]:
    """Every search that this caller has saved, the oldest first."""
    return {"saved_searches": [_shown(it) for it in saved_world.SEARCHES.of_owner(_owner())], **_told()}


@router.get(f"{PATH}/<search_id>")
def one(search_id: str) -> dict[str, Any]:
    """One of this caller's, with its last run."""
    return {**_shown(_mine(search_id)), **_told()}


@router.patch(f"{PATH}/<search_id>")
def change(search_id: str) -> Response[str]:
    """What is named is changed. Another search begins with a first run of its own, over what was told before."""
    saved = _mine(search_id)
    wanted = read_change(
        json_object(router.current_event, MAX_BODY_BYTES, example=EXAMPLE), DISCIPLINES, saved_world.now()
    )
    sets: dict[str, Any] = {"updated_at": timestamp(saved_world.now())}
    sets |= {name: it for name in ("name", "schedule", "enabled") if (it := getattr(wanted, name)) is not None}
    if wanted.search is not None and wanted.search != saved["search"]:
        sets |= {"search": wanted.search, "windows": [to_json(Window())], "last_run": None}
    secret = None
    if wanted.delivery is not None:
        before = saved["delivery"]["webhook"]
        sets["delivery"] = _with_status(wanted.delivery)
        after = sets["delivery"]["webhook"]
        if after and not (before and before["url"] == after["url"]):
            secret = _new_secret(sets["delivery"])
    forget = "delivery" in sets and not sets["delivery"]["webhook"]
    saved_world.SEARCHES.change(saved, sets, secret=secret, forget_secret=forget)
    changed = _mine(search_id)
    try:
        if sets.keys() & {"schedule", "enabled"}:
            _schedules().put(changed)
        begins = "windows" in sets or not saved["enabled"]
        if changed["enabled"] and begins and _unasked(changed):
            _schedules().soon(changed, shortly(saved_world.now()))
        _deliver_what_was_not(saved, changed)
    except (ClientError, BotoCoreError, StorageUnavailable):
        if "delivery" in sets:  # a secret that nobody was told, a webhook that was not sent what it lacks
            _with_delivery_of(saved, changed)
        raise
    return _answered(200, changed, secret)


@router.delete(f"{PATH}/<search_id>")
def delete(search_id: str) -> Response[str]:
    """The search, its schedule and its feed."""
    saved = _mine(search_id)
    _schedules().remove(search_id)
    saved_world.SEARCHES.delete(saved)
    return Response(204, "application/json", "")


@router.get(f"{PATH}/<search_id>/new")
def new(search_id: str) -> Response[str]:
    """What the runs have told, the newest first: as JSON, or as an Atom feed."""
    return feed_response(router.current_event, _shown(_mine(search_id)), saved_world.SEARCHES)


def _owner() -> str:
    """The caller's key, by its id: API Gateway lets nobody in without one."""
    return router.current_event.request_context.identity.api_key_id or "local"


def _mine(search_id: str) -> dict[str, Any]:
    """Raises NotFound, in the same words for another's as for none."""
    saved = saved_world.SEARCHES.get(_owner(), search_id) if _ID.fullmatch(search_id) else None
    if saved is None:
        raise NotFound("there is no such saved search", hint=f"GET {PATH} lists yours.")
    return saved


def _unasked(saved: Mapping[str, Any]) -> bool:
    """Whether its first run is still to come, or not yet through."""
    return any(window["asked_at"] is None for window in saved["windows"])


def _schedules() -> Any:
    return saved_world.schedules(router.lambda_context.invoked_function_arn)


def _id_for(key: str | None) -> str:
    if key is None:
        return saved_world.new_id()
    if not (0 < len(key) <= MAX_KEY_CHARS and key.isascii() and key.isprintable()):
        message = f"must have 1 to {MAX_KEY_CHARS} printable ASCII characters"
        raise BadRequest(f"Idempotency-Key: {message}", [FieldError("Idempotency-Key", message)])
    return hashlib.sha256(f"{_owner()}\n{key}".encode()).hexdigest()[:20]


def _digest(asked: Change) -> str:
    """What a request under an Idempotency-Key is known again by, whatever became of its search since."""
    return hashlib.sha256(json.dumps(asdict(asked), sort_keys=True).encode()).hexdigest()


def _with_status(delivery: Mapping[str, Any]) -> dict[str, Any]:
    """A webhook begins as active, also one that was disabled. Raises Unprocessable for one that leads inward."""
    webhook = delivery["webhook"]
    if not webhook:
        return dict(delivery)
    target = check_url(webhook["url"])
    try:
        permitted(saved_world.resolve(target.host, target.port))
    except (OSError, UnicodeError, Undelivered) as error:
        message = error.message if isinstance(error, Undelivered) else "the host's name leads to no address"
        name = "delivery.webhook.url"
        raise Unprocessable(f"{name}: {message}", [FieldError(name, message)]) from None
    return {**delivery, "webhook": {"url": webhook["url"], "status": "active", "disabled_reason": None}}


def _new_secret(delivery: Mapping[str, Any]) -> str | None:
    return new_secret(saved_world.random_bytes()) if delivery["webhook"] else None


def _deliver_what_was_not(before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """To a webhook that was disabled and is so no longer, everything since its first failure."""
    webhook = before["delivery"]["webhook"]
    if not webhook or webhook["status"] != "disabled" or not after["delivery"]["webhook"]:
        return
    waiting = deliveries(after, webhook["undelivered_from"] - 1, after["next_number"] - 1)
    if saved_world.hand_over([it for it in waiting if it.channel == "webhook"]):
        raise StorageUnavailable("what was not delivered could not be queued; send it again", retry_after_s=5.0)


def _with_delivery_of(before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    secret = before.get("secret")
    delivery = {"delivery": before["delivery"]}
    saved_world.SEARCHES.change(after, delivery, secret=secret, forget_secret=not secret)


def _shown(saved: Mapping[str, Any]) -> dict[str, Any]:
    """The search as its owner sees it, with its next run and where its feed is."""
    schedule = Schedule(saved["schedule"]["expression"], saved["schedule"]["timezone"])
    anchor = saved_world.moment(saved["created_at"])
    following = next(firings(schedule, saved_world.now(), anchor), None) if saved["enabled"] else None
    feed = f"{PATH}/{saved['id']}/new"
    shown = {**view(saved), "next_run_at": timestamp(following) if following else None}
    if webhook := saved["delivery"]["webhook"]:
        told = {name: webhook[name] for name in ("url", "status", "disabled_reason")}
        shown["delivery"] = {**saved["delivery"], "webhook": told}
    return {"last_run": None, **shown, "feed": {"json": feed, "atom": f"{feed}?format=atom"}}


def _answered(status: int, saved: Mapping[str, Any], secret: str | None = None) -> Response[str]:
    shown = _shown(saved)
    if secret:  # told this once
        shown["delivery"] = {**shown["delivery"], "webhook": {**shown["delivery"]["webhook"], "secret": secret}}
    headers = {"Location": f"{service_address(router.current_event)}{PATH}/{saved['id']}"} if status == 201 else {}
    return Response(status, "application/json", as_json({**shown, **_told()}), headers=headers)


def _told() -> dict[str, str]:
    return {"request_id": request_id(router.current_event)}
