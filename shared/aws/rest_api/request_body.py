"""Reads an HTTP request: its id, Idempotency-Key and address, and the JSON object of its body or query string."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEvent

from shared.api.addresses import base_address
from shared.api.credentials import tenant_id
from shared.body_size import TooLarge, UnsupportedEncoding, encoding_of
from shared.errors import BadRequest, FieldError
from shared.idempotency import MAX_KEY_CHARS
from shared.unique_json import REPEATED, Repeated, RepeatedName, read_unique, why_no_json


def request_id(event: APIGatewayProxyEvent) -> str:
    """API Gateway's id of this request."""
    return str(event.request_context.request_id or "")


def tenant_of(event: APIGatewayProxyEvent) -> str:
    """The tenant that sends the request; API Gateway refuses requests without one."""
    return tenant_id(event["requestContext"]) or "local"


def service_address(event: APIGatewayProxyEvent) -> str:
    """The base URL of this service; "" if it is unknown."""
    return base_address(event["requestContext"], event.headers, event.path)


def idempotency_key(event: APIGatewayProxyEvent) -> str | None:
    """The Idempotency-Key of the request, if it has one. Raises BadRequest for an invalid one."""
    key = event.headers.get("Idempotency-Key")
    if key is not None and not (0 < len(key) <= MAX_KEY_CHARS and key.isascii() and key.isprintable()):
        message = f"must have 1 to {MAX_KEY_CHARS} printable ASCII characters"
        raise BadRequest.field("Idempotency-Key", message)
    return key


def json_object(event: APIGatewayProxyEvent, max_bytes: int, *, example: str) -> dict[str, Any]:
    """The JSON object in the body.

    Raises BadRequest or TooLarge for the field `body`, UnsupportedEncoding for one that is compressed.
    """
    if encoding := encoding_of(event.headers.get("Content-Encoding")):
        message = f"must be absent: a body in {encoding} is not read"
        raise UnsupportedEncoding.field("Content-Encoding", message)
    try:
        body = event.decoded_body or ""
    except ValueError as error:
        raise _bad("the body must be JSON in UTF-8", example) from error
    if len(body.encode("utf-8", "surrogatepass")) > max_bytes:
        raise TooLarge.field("body", f"must have at most {max_bytes} bytes")
    if not body.strip():
        raise _bad("the body is empty", example)
    try:
        data = read_unique(body)
    except RepeatedName as error:
        raise BadRequest.field(error.name, REPEATED) from error
    except (ValueError, RecursionError) as error:
        raise _bad(f"the body is not JSON that can be read: {why_no_json(error)}", example) from error
    if not isinstance(data, dict):
        raise _bad("the body must be a JSON object", example)
    return data


def query_object(event: APIGatewayProxyEvent) -> dict[str, Any]:
    """The query string as an object; a repeated name has a list."""
    values: Mapping[str, list[str]] = event.resolved_query_string_parameters
    return {name: texts[0] if len(texts) == 1 else Repeated(texts) for name, texts in values.items()}


def query_value(event: APIGatewayProxyEvent, name: str) -> str | None:
    """One query parameter; None for a blank one. Raises BadRequest for one that is given more than once."""
    texts = event.resolved_query_string_parameters.get(name, [])
    if len(texts) > 1:
        raise BadRequest.field(name, REPEATED)
    return texts[0] if texts and texts[0].strip() else None


def _bad(message: str, example: str) -> BadRequest:
    return BadRequest(message, [FieldError("body", message)], hint=f"Send JSON like {example}.")
