"""Stands in for API Gateway: turns HTTP requests into REST API events, and the functions' results into responses."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import uuid
from collections.abc import Collection, Mapping
from typing import Any
from urllib.parse import parse_qs, quote
from wsgiref.types import WSGIApplication

from werkzeug import Request, Response

from infra.functions import is_public
from infra.local.http_handler import KeepAliveHandler
from infra.local.machine import Machine
from shared.api.addresses import base_address
from shared.api.cors import cors_headers, preflight_headers, read_origins
from shared.api.credentials import CREDENTIAL_HINT, challenge, credential
from shared.api.problems import plain_problem

_LOOPBACK = re.compile(r"(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]{1,5})?", re.IGNORECASE)
READ_TIMEOUT_S = 30
STAGE_VARIABLES = ("OAUTH_ISSUER", "OAUTH_SCOPE")
SAFE_IN_PATH = "/%~:;@!$&'()*+,="  # in addition to letters, digits and `-._`


def rest_event(
    method: str,
    path: str,
    *,
    query: Mapping[str, list[str]] | None = None,
    headers: Mapping[str, str] | None = None,
    body: str | None = None,
    is_base64: bool = False,
) -> dict[str, Any]:
    """Return a REST API proxy event (payload format 1.0)."""
    query = dict(query or {})
    headers = dict(headers or {})
    return {
        "resource": "/{proxy+}",
        "path": path,
        "httpMethod": method,
        "headers": headers,
        "multiValueHeaders": {name: [value] for name, value in headers.items()},
        "queryStringParameters": {name: values[-1] for name, values in query.items()} or None,
        "multiValueQueryStringParameters": query or None,
        "pathParameters": {"proxy": path.lstrip("/")},
        "stageVariables": {name: os.environ[name] for name in STAGE_VARIABLES if os.environ.get(name)} or None,
        "requestContext": {
            "accountId": "000000000000",
            "apiId": "local",
            "httpMethod": method,
            "identity": {
                "apiKeyId": _key_id(credential(headers)),
                "sourceIp": "127.0.0.1",
                "userAgent": headers.get("User-Agent", ""),
            },
            "path": path,
            "protocol": "HTTP/1.1",
            "requestId": str(uuid.uuid4()),
            "resourcePath": "/{proxy+}",
            "stage": "local",
        },
        "body": body,
        "isBase64Encoded": is_base64,
    }


def _key_id(key: str | None) -> str | None:
    """Return an id for the caller's key, as API Gateway would. Here any key is valid."""
    return hashlib.sha256(key.encode()).hexdigest()[:10] if key else None


def _authorize(machine: Machine, event: dict[str, Any], *, required: bool) -> Response | None:
    """Add to the event whose request it is, as the authorizer decides; a 401 if it denies."""
    path, context = event["path"], event["requestContext"]
    if is_public(path) or not (required or credential(event["headers"])):
        return None
    arn = f"arn:aws:execute-api:local:000000000000:local/local/{event['httpMethod']}{path}"
    try:
        decision = machine.invoke("authorizer", {**event, "type": "REQUEST", "methodArn": arn})
    except Exception as error:
        detail = f"the authorizer failed: {type(error).__name__}"
        problem = plain_problem(503, "unavailable", detail, title="Unavailable", hint="Try again after a moment.")
        return _refused(503, {**problem, "retryable": True}, event)
    if decision["policyDocument"]["Statement"][0]["Effect"] != "Allow":
        problem = plain_problem(401, "unauthorized", "Unauthorized", title="Unauthorized", hint=CREDENTIAL_HINT)
        base = base_address(context, event["headers"], path) if os.environ.get("OAUTH_ISSUER") else None
        return _refused(401, problem, event, {"WWW-Authenticate": challenge(base, os.environ.get("OAUTH_SCOPE"))})
    context["authorizer"] = decision.get("context")
    context["identity"]["apiKeyId"] = _key_id(decision["usageIdentifierKey"])
    return None


def _refused(
    status: int, problem: Mapping[str, object], event: dict[str, Any], more: Mapping[str, str] | None = None
) -> Response:
    """What API Gateway answers itself; pages of named origins can read it."""
    readable = cors_headers(event["headers"], read_origins(os.environ.get("CORS_ORIGINS")))
    return Response(
        json.dumps(problem),
        status=status,
        headers={**(more or {}), **readable},
        content_type="application/problem+json",
    )


def _sent_path(request: Request) -> str:
    """The path as it was sent, percent-encoded, as a REST API passes it: there an encoded slash is not a slash."""
    target = request.environ["REQUEST_URI"].encode("latin-1")
    path = re.sub(rb"(?i)^[a-z][a-z0-9+.-]*://[^/?]*", b"", target).partition(b"?")[
        0
    ]  # a proxy sends the whole address
    return quote(path, safe=SAFE_IN_PATH).removeprefix(quote(request.root_path)) or "/"


def _refusal(request: Request, origins: Collection[str]) -> Response | None:
    """A 403 for what a foreign web page sends to this machine (DNS rebinding, cross-site requests); None for others.

    Pages of the `origins` are not foreign.

    https://modelcontextprotocol.io/specification, Transports, Security Warning: servers must validate Origin.
    """
    origin = request.headers.get("Origin")
    hosts = {"Host": request.host, **({"Origin": origin.partition("://")[2]} if origin is not None else {})}
    foreign = [name for name, host in hosts.items() if not _LOOPBACK.fullmatch(host)]
    if origin in origins and "Origin" in foreign:
        foreign.remove("Origin")
    if not foreign:
        return None
    detail = f"{foreign[0]}: must be of this machine, such as http://127.0.0.1:{request.environ['SERVER_PORT']}"
    hint = "Call the service from this machine; web pages of other hosts may not."
    problem = plain_problem(403, "forbidden", detail, title="Forbidden", hint=hint)
    return Response(json.dumps(problem), status=403, content_type="application/problem+json")


def application(machine: Machine, *, key_required: bool = False) -> WSGIApplication:
    """Return a WSGI application for the dispatcher, the public pages and, at /mcp, the MCP server.

    With `key_required`, callers need a key or token as they do in AWS.
    """

    @Request.application
    def serve(request: Request) -> Response:
        origins = read_origins(os.environ.get("CORS_ORIGINS"))
        if refusal := _refusal(request, origins):
            return refusal
        if request.method == "OPTIONS" and origins:
            return Response(status=204, headers=preflight_headers(dict(request.headers.items()), origins))
        raw = request.get_data()
        try:
            body, is_base64 = raw.decode(), False
        except UnicodeDecodeError:
            body, is_base64 = base64.b64encode(raw).decode(), True
        event = rest_event(
            request.method,
            _sent_path(request),
            query=parse_qs(request.query_string.decode("latin-1"), keep_blank_values=True),
            headers=dict(request.headers.items()),
            body=body or None,
            is_base64=is_base64,
        )
        if refusal := _authorize(machine, event, required=key_required):
            return refusal
        answer = machine.request(event)
        headers = {name: values[0] for name, values in answer.get("multiValueHeaders", {}).items()}
        return Response(answer["body"], status=answer["statusCode"], headers=headers)

    return serve


class AccessLog(KeepAliveHandler):
    """One line per request on stderr: method, path and status. The query string may be private and is left out."""

    timeout = READ_TIMEOUT_S  # of each read from a connection, which otherwise holds its thread

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:  # noqa: ARG002  werkzeug's signature
        """Log a request. Control characters are percent-encoded; an unreadable request has `-` as method and path."""
        request_line = (self.command, self.path.partition("?")[0]) if self.command else ("-", "-")
        method, path = (quote(part, safe=SAFE_IN_PATH) for part in request_line)
        self.log("info", '"%s %s" %s', method, path, code)

    def log_error(self, format: str, *args: Any) -> None:
        """Log nothing: the message would quote the whole unreadable request. Its status is logged by log_request."""
