"""Whether an answer is what the API's own document promises of it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from jsonschema_rs import Draft202012Validator

from infra.functions import providers_for
from shared.api.openapi import openapi_document


@cache
def document() -> dict[str, Any]:
    """The published document."""
    return {**openapi_document("http://127.0.0.1", providers_for("search"))}


def validate(path: str, method: str, status: int, body: Any, media_type: str = "application/json") -> None:
    """Raises AssertionError, naming each place, when the document does not allow this answer.

    A path or method that is not in it must be refused, as a problem, with 404 or 405.
    """
    where = f"{method} {path} {status}"
    operation = _operation(path, method)
    if operation is None:
        assert status in (404, 405), f"{where} is not in the document"
        promised = document()["components"]["responses"]["404"]
    else:
        promised = operation["responses"].get(str(status))
        assert promised, f"{where} is a status that the document does not name"
        if "$ref" in promised:
            promised = document()["components"]["responses"][promised["$ref"].rpartition("/")[2]]
    if "content" not in promised:
        assert not body, f"{where}: an answer of this status has no content"
        return
    kind = media_type.partition(";")[0].strip()
    assert kind in promised["content"], f"{where}: {kind} is a media type that the document does not name"
    faults = sorted(_faults(promised["content"][kind]["schema"], body))
    assert not faults, f"{where} is not as published:\n" + "\n".join(faults[:10])


def validate_response(event: Mapping[str, Any], response: Mapping[str, Any]) -> None:
    """The same for a REST event and what the dispatcher returned for it."""
    media_type = response["multiValueHeaders"]["Content-Type"][0]
    if (media_type.startswith("text/html") and event["path"] == "/") or event["path"].startswith("/assets/"):
        return  # the page for people, which the document of the API does not describe
    body = json.loads(response["body"]) if "json" in media_type and response["body"] else response["body"]
    method = event["httpMethod"]
    if method == "HEAD" and response["statusCode"] != 405:  # answered as GET (RFC 9110, 9.3.2)
        method = "GET"
    validate(event["path"], method, response["statusCode"], body, media_type)


def _operation(path: str, method: str) -> dict[str, Any] | None:
    """The longest template wins: `/v1/papers/{id}/references` before `/v1/papers/{id}`."""
    for template, operations in sorted(document()["paths"].items(), key=lambda it: -len(it[0])):
        parts = re.split(r"\{(\w+)\}", template)
        pattern = "".join(
            (r"[^/]+" if part == "type" else r"[\s\S]+") if number % 2 else re.escape(part)
            for number, part in enumerate(parts)
        )
        if re.fullmatch(pattern, path):
            found: dict[str, Any] | None = operations.get(method.lower())
            return found
    return None


def _faults(schema: Any, value: Any) -> list[str]:
    whole = _validator(json.dumps(schema, sort_keys=True))
    return [f"{[*error.instance_path]}: {error.message[:300]}" for error in whole.iter_errors(value)]


@cache
def _validator(schema: str) -> Draft202012Validator:
    return Draft202012Validator({**json.loads(schema), "components": document()["components"]})
