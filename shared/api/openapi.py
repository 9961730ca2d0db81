"""The OpenAPI 3.1 document, generated from the models that validate requests and the types that answers are built as.

https://spec.openapis.org/oas/v3.1.1.html
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from shared.answers.content_trust import UNTRUSTED
from shared.answers.saved_searches import WebhookPayload
from shared.answers.service import Problem
from shared.api.named_parameters import with_shared_parameters
from shared.api.named_schemas import REF, with_names
from shared.api.openapi_types import (
    Content,
    Header,
    OpenApiDocument,
    OperationObject,
    Parameter,
    PathItem,
    Reference,
    ResponseObject,
    media_type,
)
from shared.api.operation import JSON, AnswerType, Operation
from shared.api.operations import OPERATIONS, TAGS
from shared.api.query_language import QUERY_LANGUAGE
from shared.api.request_schemas import RequestSchemas, ref
from shared.api.saved_search_operations import news_webhook
from shared.field_schema import JsonSchema
from shared.version import SUMMARY, TITLE, VERSION

PROBLEM_JSON = "application/problem+json"
KEY, BEARER = "apiKey", "bearer"
ACCEPTED = 202
_OF_FILES = {"Content-Trust": f"Of files: {UNTRUSTED}, as `content_trust` of JSON."}
_OF_JOBS = {"Location": "The address of the progress.", "Retry-After": "Seconds to wait before it is read."}
EXAMPLES_FILE = Path(__file__).with_name("examples.json")
DESCRIPTION = f"""{SUMMARY}

The request schemas are the canonical form. Text forms are accepted too: "10" for 10, "true" for true, a
comma-separated list for an array. An empty value (an empty string, null, an empty array) is the same as a missing
field. An unknown field or query parameter is rejected with the nearest known name. In responses, null means unknown.
Every error is a problem object (RFC 9457) that says which field is wrong, whether to retry, and when. A method not
listed here returns 405 with `Allow`; an unknown path returns 404. `POST /mcp` offers the same operations as MCP tools
over streamable HTTP.

What a `query` may be:

{QUERY_LANGUAGE}
"""
REFUSALS = {
    400: "The request is malformed; `errors` names the fields.",
    404: "Not found.",
    409: "The Idempotency-Key belongs to another request or to one in progress, the resource has changed, or the "
    "context exists and is not shared.",
    410: "The cursor or result set has expired or never existed.",
    415: "The body is compressed.",
    422: "A value is invalid; `errors` names the fields.",
    500: "Internal error.",
    502: "No provider answered, and nothing was cached.",
    503: "The storage is busy or unavailable.",
    504: "No provider answered in time, and nothing was cached.",
}
# API Gateway itself rejects these requests, before any of our code runs.
GATEWAY = {
    401: "No API key or access token, or an invalid token: `WWW-Authenticate` says how to get one.",
    403: "The API key is not valid.",
    413: "The request is larger than the route accepts (10 MB at most), or its answer than 6 MB (`answer_too_large`).",
    429: "The key's rate limit or quota is used up, or its budget for `fresh: true` (code `fresh_budget_spent`).",
}


class Examples(TypedDict, total=False):
    """The recorded examples of one operation: parameters by name, the request's body, the answer."""

    parameters: Mapping[str, object]
    request: object
    answer: object


def openapi_document(server: str, providers: Collection[str]) -> OpenApiDocument:
    """The document for a deployment at the address `server`, whose searches may name `providers`."""
    requests = RequestSchemas(providers)
    examples: Any = json.loads(EXAMPLES_FILE.read_text(encoding="utf-8"))
    paths: dict[str, PathItem] = {}
    for operation in OPERATIONS:
        described = _operation(operation, requests, examples.get(operation.name, {}))
        paths.setdefault(operation.path, {})[operation.method.lower()] = described
    schemas, paths = with_names({**requests.components(), **_answers()}, paths)
    paths, parameters = with_shared_parameters(paths)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": TITLE, "version": VERSION, "summary": SUMMARY, "description": DESCRIPTION,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": server}],
        "security": [{KEY: []}, {BEARER: []}],
        "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
        "paths": paths,
        "webhooks": {"saved_search_events": {"post": news_webhook(examples.get("saved_search_events"))}},
        "components": {
            "schemas": schemas,
            "parameters": parameters,
            "headers": {name: _described(text) for name, text in sorted(_shared_headers().items())},
            "responses": _refusals(),
            "securitySchemes": {
                KEY: {"type": "apiKey", "in": "header", "name": "x-api-key"},
                BEARER: {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The API key, or an access token of the issuer that a 401 leads to (RFC 9728).",
                },
            },
        },
    }  # fmt: skip


def _answers() -> dict[str, JsonSchema]:
    """The schemas of all answers, by name."""
    types: list[type] = [Problem, WebhookPayload, *(it for operation in OPERATIONS for it in operation.models)]
    mode: Literal["serialization"] = "serialization"
    _, whole = TypeAdapter.json_schemas(
        [(it.__name__, mode, TypeAdapter[Any](it)) for it in dict.fromkeys(types)], ref_template=REF
    )
    return {name: _closed(_untitled(schema)) for name, schema in sorted(whole["$defs"].items())}


def _closed(schema: JsonSchema) -> JsonSchema:
    """An answer has exactly the fields that its type declares."""
    return {**schema, "additionalProperties": False} if "properties" in schema else schema


def _untitled(value: Any) -> Any:
    """Without titles, which only repeat names; a property called title stays."""
    if isinstance(value, Mapping):
        return {name: _untitled(it) for name, it in value.items() if name != "title" or not isinstance(it, str)}
    return [_untitled(it) for it in value] if isinstance(value, list) else value


def _operation(operation: Operation, requests: RequestSchemas, examples: Examples) -> OperationObject:
    parameters = list(operation.parameters)
    described: OperationObject = {
        "operationId": operation.name,
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": operation.description or f"{operation.summary}.",
    }
    if operation.request and operation.method == "GET":
        parameters += requests.query(operation.request, operation.without)
    elif operation.request:
        schema = ref(operation.body or operation.request.__name__)
        described["requestBody"] = {"required": True, "content": {JSON: media_type(schema, examples.get("request"))}}
    if parameters:
        described["parameters"] = [_with_example(it, examples.get("parameters", {})) for it in parameters]
    if operation.open_to_all:
        described["security"] = []
    described["responses"] = _responses(operation, examples)
    return described


def _with_example(parameter: Parameter, examples: Mapping[str, object]) -> Parameter:
    example = examples.get(parameter["name"])
    if example is None:
        return parameter
    is_list = parameter["schema"].get("type") == "array"
    return {**parameter, "example": str(example).split(",") if is_list else example}


def _responses(operation: Operation, examples: Examples) -> dict[str, ResponseObject | Reference]:
    """Every status that the operation can return; open operations never return those of a missing key."""
    answer: ResponseObject = {"description": operation.summary + "."}
    if operation.answers:
        answer["content"] = {
            name: media_type(_schema_of(kind), examples.get("answer") if name == JSON else None)
            for name, kind in operation.answers.items()
        }
    good: dict[int, ResponseObject] = {operation.status: answer}
    for status, (meaning, model) in operation.others.items():
        good[status] = {"description": meaning}
        if model:
            good[status]["content"] = {JSON: {"schema": ref(model.__name__)}}
    for status, response in good.items():
        if headers := _headers(operation, status):
            response["headers"] = headers
    gateway = GATEWAY if not operation.open_to_all else {}
    body = {415} if operation.request and operation.method != "GET" else set()
    statuses = sorted({400, 500, *operation.refusals, *gateway, *body})
    refused: dict[str, Reference] = {str(it): {"$ref": f"#/components/responses/{it}"} for it in statuses}
    return {**{str(status): response for status, response in sorted(good.items())}, **refused}


def _headers(operation: Operation, status: int) -> dict[str, Header | Reference]:
    """The headers of a response: what is declared, and what every file and every job has."""
    is_answer = status == operation.status
    is_file = is_answer and not operation.open_to_all and bool(set(operation.answers) - {JSON})
    declared = operation.headers if is_answer else {}
    named = {**declared, **(_OF_FILES if is_file else {}), **(_OF_JOBS if status == ACCEPTED else {})}
    shared = _shared_headers()
    return {
        name: {"$ref": f"#/components/headers/{name}"} if shared.get(name) == text else _described(text)
        for name, text in named.items()
    }


@cache
def _shared_headers() -> dict[str, str]:
    """The headers that several responses have, with their meaning; of several meanings the most frequent."""
    declared = Counter(it for operation in OPERATIONS for it in operation.headers.items())
    often = {name: text for (name, text), count in reversed(declared.most_common()) if count > 1}
    return {**often, **_OF_FILES, **_OF_JOBS}


def _described(text: str) -> Header:
    return {"description": text, "schema": {"type": "string"}}


def _schema_of(kind: AnswerType) -> JsonSchema:
    if isinstance(kind, tuple):
        return {"anyOf": [ref(each.__name__) for each in kind]}
    return ref(kind.__name__) if isinstance(kind, type) else dict(kind)


def _refusals() -> dict[str, ResponseObject]:
    wait: dict[str, Header | Reference] = {
        "Retry-After": {"description": "Seconds to wait before a retry.", "schema": {"type": "integer"}}
    }
    content: Content = {PROBLEM_JSON: {"schema": ref("Problem")}}
    return {
        str(status): {
            "description": text,
            "headers": wait if status in (409, 429, 502, 503, 504) else {},
            "content": content,
        }
        for status, text in sorted({**REFUSALS, **GATEWAY}.items())
    }
