"""The routes of saved searches, and the request that a webhook is sent."""

from __future__ import annotations

from shared.answers.saved_searches import (
    FeedAnswer,
    NewSavedSearchAnswer,
    SavedSearchAnswer,
    SavedSearchesAnswer,
    WebhookPayload,
    WebhookSecretAnswer,
)
from shared.api.openapi_types import OperationObject, Parameter, media_type
from shared.api.operation import (
    CURSOR,
    IDEMPOTENCY_KEY,
    JSON,
    LEFT_OUT,
    MAX_TOKENS,
    NEXT_CURSOR,
    XML,
    Operation,
    limit_of,
)
from shared.api.request_schemas import ref
from shared.delivery.webhook import ATTEMPTS
from shared.field_schema import JsonSchema
from shared.saved_searches.atom import HEADINGS, MEDIA_TYPE
from shared.saved_searches.feed import PATH
from shared.saved_searches.fields import SavedSearchRequest
from shared.saved_searches.request import MAX_A_CALLER

_ONE = f"{PATH}/{{id}}"
_ID: Parameter = {
    "name": "id", "in": "path", "required": True, "description": "Of a search of yours. Another caller's is a 404.",
    "schema": {"type": "string", "format": "saved-search-id", "pattern": "^[0-9a-f]{20}$"},
}  # fmt: skip
_TYPE = f"({'|'.join(HEADINGS)})"
_TYPES = rf"^[\s,]*{_TYPE}(\s*,[\s,]*{_TYPE})*[\s,]*$"


def _parameter(name: str, description: str, schema: JsonSchema, **more: object) -> Parameter:
    return {"name": name, "in": "query", "description": description, "schema": {**schema, **more}}


_OF_FEED: tuple[Parameter, ...] = (
    _ID,
    _parameter("format", "The form; without it, the header `Accept` may ask for Atom.", {"enum": ["json", "atom"]},
               default="json"),
    limit_of(50),
    MAX_TOKENS,
    _parameter("cursor", "`next_cursor` of an earlier page.", {"type": "string", "pattern": "^0*[1-9][0-9]{0,9}$"}),
    _parameter("after", "Only what came after this event: its id, or its number.",
               {"type": "string", "pattern": "^([0-9a-f]{20}-)?0*[0-9]{1,10}$"}),
    _parameter("types", f"Only these, in a comma text: {', '.join(HEADINGS)}. Without it, all but `baseline`, which "
               "comes when the delivery has it.", {"type": "string", "pattern": _TYPES}),
    {"name": "If-None-Match", "in": "header", "description": "The `ETag` of an earlier answer.",
     "schema": {"type": "string"}},
)  # fmt: skip
SAVED = (
    Operation(
        method="POST", path=PATH, name="save_search", tag="saved", summary="Save a search or a watch",
        description="It runs within minutes, and then by its schedule; what it finds at first is reported as "
        "`baseline`. Each paper is reported once, and again when its preprint is published or it is retracted. With "
        "`watch` in place of `search`, the papers that a context cites are followed: `retracted`, `corrected`, "
        "`expression_of_concern` and `now_published` are each reported once, with `at_start` for what was so already. "
        f"With an Idempotency-Key it is saved once, and anew after a change. A caller may save {MAX_A_CALLER}.",
        request=SavedSearchRequest, parameters=(IDEMPOTENCY_KEY,), status=201, answers={JSON: NewSavedSearchAnswer},
        others={200: (
            "It was saved before, under this Idempotency-Key. A lost secret can be made anew.", SavedSearchAnswer
        )},
        headers={"Location": "The address of the saved search."}, refusals=(400, 404, 409, 422, 503),
    ),
    Operation(
        method="GET", path=PATH, name="list_saved_searches", tag="saved", summary="What you have saved, in pages",
        description="The oldest first.", parameters=(CURSOR, limit_of(20), MAX_TOKENS),
        answers={JSON: SavedSearchesAnswer}, refusals=(422, 503),
    ),
    Operation(
        method="GET", path=_ONE, name="get_saved_search", tag="saved", summary="A saved search, with its last run",
        parameters=(_ID,), answers={JSON: SavedSearchAnswer}, refusals=(404, 503),
    ),
    Operation(
        method="PATCH", path=_ONE, name="change_saved_search", tag="saved", summary="Change a saved search",
        description="A JSON Merge Patch (RFC 7396): what is named is changed, also in `schedule` and `delivery`, the "
        "rest stays; `search` and `watch` are given whole, and one does not become the other. Only "
        "`\"webhook\": null` removes anything, other empty values change nothing. What GET shows can be sent back: its "
        "read-only fields are passed over.",
        request=SavedSearchRequest, body="SavedSearchChange", parameters=(_ID,),
        answers={JSON: NewSavedSearchAnswer}, refusals=(400, 404, 409, 422, 503),
    ),
    Operation(
        method="POST", path=f"{_ONE}/webhook-secret", name="renew_webhook_secret", tag="saved",
        summary="A new secret for its webhook", description="In this answer alone. For 24 hours each delivery has the "
        "signature of the secret before it as well. One whose answer was lost is made anew. Without a webhook, a 409.",
        parameters=(_ID,), answers={JSON: WebhookSecretAnswer}, refusals=(404, 409, 503),
    ),
    Operation(
        method="GET", path=f"{_ONE}/new", name="read_feed", tag="saved", summary="What a saved search has reported",
        description="The newest first, kept for 90 days, as JSON or as an Atom feed. To miss nothing, ask with "
        "`after` and the newest event that you have, and follow `next_cursor` (in Atom the link `next`) to the end.",
        parameters=_OF_FEED, answers={JSON: FeedAnswer, MEDIA_TYPE: XML},
        others={304: ("Nothing has changed since the answer with this ETag.", None)},
        headers={
            "ETag": "Of this answer: send it back in If-None-Match.",
            **NEXT_CURSOR, **LEFT_OUT,
        }, refusals=(404, 422, 503),
    ),
    Operation(
        method="DELETE", path=_ONE, name="delete_saved_search", tag="saved",
        summary="Delete a saved search, its schedule and its feed", parameters=(_ID,), status=204, answers={},
        refusals=(404, 503),
    ),
)  # fmt: skip
_SIGNED = {
    "webhook-id": "The same at every attempt of one delivery.",
    "webhook-timestamp": "When it was sent, in Unix seconds.",
    "webhook-signature": "`v1,` and the base64 of HMAC-SHA256, under the secret, over id.timestamp.body; for a day "
    "after a new secret was made several of them, divided by spaces.",
}


def news_webhook(example: object) -> OperationObject:
    """The request that a receiver of news gets, as OpenAPI tells of webhooks."""
    return {
        "operationId": "saved_search_events",
        "tags": ["saved"],
        "summary": "What a webhook is sent",
        "description": "Signed as Standard Webhooks says; check the signature over the bytes as they came. It may come "
        f"twice, and out of order: go by the events' ids. An attempt that fails is made again, {ATTEMPTS} times in "
        "all within a day, or later where a 429 or 503 has a `Retry-After`; then the webhook is disabled, and the feed "
        "says so.",
        "security": [],
        "parameters": [
            {"name": name, "in": "header", "required": True, "description": text, "schema": {"type": "string"}}
            for name, text in _SIGNED.items()
        ],
        "requestBody": {"required": True, "content": {JSON: media_type(ref(WebhookPayload.__name__), example)}},
        "responses": {
            "2XX": {"description": "Taken."},
            "410": {"description": "No more of this: the webhook is disabled at once."},
            "default": {"description": "Not taken: it is sent again. Redirects are not followed."},
        },
    }
