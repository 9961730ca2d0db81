"""Plumbing that has one home: a second definition of one of these rules, in another module, fails here."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CODE = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for folder in ("functions", "shared")
    for path in sorted((ROOT / folder).rglob("*.py"))
}


@dataclass(frozen=True)
class Rule:
    """Text that reveals a second definition, and the only files in which it may occur."""

    text: str
    homes: frozenset[str]


CANONICAL_JSON = "shared/canonical_json.py"
CLIENT = "shared/client/transport.py"  # it installs alone, so it imports nothing else of shared
POLICY = "shared/api/docs_page.py"  # a Content-Security-Policy has SHA-256 in base64
SIGNED = "shared/delivery/webhook.py"  # its signature is SHA-256, and its canonical payload replaces lone surrogates
CLIENT_SIZE = "shared/client/document_size.py"  # the size of a document, in the client alone
MARKS = "shared/answers/content_trust.py"
RATE_LIMITS = "shared/aws/dynamodb/rate_limit_store.py"  # one request for all providers, never repeated
LEG_TIME = "shared/providers/leg_time.py"  # the time of a leg, which may be shorter than its request's
BINARY = {"shared/aws/lambda_functions/provider_handler.py", "shared/providers/capabilities.py"}  # packed bytes in JSON

RULES = {
    "digest": Rule("sha256", frozenset({CANONICAL_JSON, CLIENT, POLICY, SIGNED})),
    "the form of an id": Rule("[0-9a-f]{32}", frozenset({CANONICAL_JSON})),
    "a URN": Rule("urn:x-literature-search", frozenset({"shared/exports/fields.py"})),
    "canonical JSON": Rule("sort_keys=True", frozenset({CANONICAL_JSON, CLIENT, SIGNED})),
    "compact JSON": Rule('ensure_ascii=False, separators=(",", ":")', frozenset({CANONICAL_JSON, CLIENT_SIZE})),
    "URL-safe base64 of a cursor": Rule("urlsafe_b64", frozenset({"shared/cursors.py"})),
    "base64 of what is not a cursor": Rule("b64encode(", frozenset({"shared/cursors.py", POLICY, SIGNED, *BINARY})),
    "URL-safe base64, read strictly": Rule("altchars=", frozenset({"shared/cursors.py"})),
    "a client's time-outs and attempts": Rule("botocore.config", frozenset({"shared/aws/runtime/boto_configs.py"})),
    "a client's time-outs": Rule("connect_timeout=", frozenset({"shared/aws/runtime/boto_configs.py"})),
    "a condition that did not hold": Rule("ConditionalCheckFailed", frozenset({"shared/aws/dynamodb/errors.py"})),
    "one wrong field": Rule(", message)])", frozenset({"shared/errors.py"})),
    "an Idempotency-Key used again": Rule(
        "another request was sent with this Idempotency-Key", frozenset({"shared/idempotency.py"})
    ),
    "the current time": Rule("datetime.now(", frozenset({"shared/clock.py"})),
    "a timestamp": Rule("%dT%H:%M:%SZ", frozenset({"shared/clock.py"})),
    "the reserve of a request": Rule("RESERVE_SHARE", frozenset({"shared/clock.py"})),
    "a deadline of milliseconds": Rule("timeout_ms / 1000", frozenset({"shared/clock.py", LEG_TIME})),
    "our User-Agent": Rule('f"literature-search/{VERSION}', frozenset({"shared/providers/http_headers.py"})),
    "a time in a header": Rule("parsedate_to_datetime", frozenset({"shared/providers/header_numbers.py"})),
    "consent to the graph": Rule(".cite_in_kg", frozenset({"shared/search/publishing.py"})),
    "a result set shown again": Rule(
        "as_cached(", frozenset({"shared/search/result_sets/store.py", "shared/legs/reports.py"})
    ),
    "a result set that was not stored": Rule('"kept": False', frozenset({"shared/search/result_sets/store.py"})),
    "the marks of an answer": Rule('"request_id": request_id, "content_trust"', frozenset({MARKS})),
    "BatchGetItem": Rule(".batch_get_item(", frozenset({"shared/aws/dynamodb/batches.py", RATE_LIMITS})),
    "BatchWriteItem": Rule(".batch_write_item(", frozenset({"shared/aws/dynamodb/batches.py"})),
    "unprocessed keys of BatchGetItem": Rule(
        "UnprocessedKeys", frozenset({"shared/aws/dynamodb/batches.py", RATE_LIMITS})
    ),
    "unprocessed items of BatchWriteItem": Rule("UnprocessedItems", frozenset({"shared/aws/dynamodb/batches.py"})),
}

# `if size > limit: yield chunk; chunk = []`; the one home compares several sizes at once, and so is not found.
CHUNKER = re.compile(
    r"if [^\n]*>=? [^\n]*:\n\s+(?:yield (?P<yielded>\w+)\n\s+(?P=yielded)|\w+\.append\((?P<added>\w+)\)\n\s+(?P=added))"
    r"\b[^=\n]* = \["
)


@pytest.mark.parametrize("name", RULES)
def test_a_rule_has_one_home(name: str) -> None:
    rule = RULES[name]
    found = {path for path, source in CODE.items() if rule.text in source}
    assert found, f"nothing has {rule.text!r} any more: remove the rule"
    assert found == rule.homes


def test_a_sequence_is_divided_by_size_in_one_place() -> None:
    assert CHUNKER.search("if used > limit:\n    yield chunk\n    chunk, used = [], 0")
    assert CHUNKER.search("if chunk and used + len(item) >= limit:\n    chunks.append(chunk)\n    chunk = [item]")
    assert {path for path, source in CODE.items() if CHUNKER.search(source)} == set()
    assert "def chunked(" in CODE[CANONICAL_JSON]


def imported_with(path: str) -> set[str]:
    """The files that are imported with one: at the top of it, and of each that this imports."""
    found, waiting = set[str](), [path]
    while waiting:
        here = waiting.pop()
        found.add(here)
        for node in ast.parse(CODE[here]).body:
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)]
            else:
                continue
            files = {f"{name.replace('.', '/')}.py" for name in names}
            waiting += (files & CODE.keys()) - found
    return found


# Of the routes of the graph, of citations and of references.
OF_OTHER_ROUTES = {
    "functions/dispatcher/routes/graph.py", "functions/dispatcher/routes/citations.py",
    "functions/dispatcher/routes/references.py", "functions/dispatcher/wiring/graph.py",
    "functions/dispatcher/wiring/papers.py", "shared/bibliography/reference_text.py", "shared/graph/exports.py",
    "shared/papers/papers.py", "shared/references/resolve.py",
}  # fmt: skip


def test_saved_searches_load_neither_the_graphs_routes_nor_references() -> None:
    loaded = imported_with("functions/dispatcher/routes/saved_searches.py") | imported_with(
        "functions/saved_search_runner/handler.py"
    )
    assert "shared/saved_searches/run.py" in loaded
    assert CODE.keys() >= OF_OTHER_ROUTES
    assert not loaded & OF_OTHER_ROUTES


def test_the_client_of_webhooks_is_no_client_of_providers() -> None:
    assert {"shared/providers/http_client.py", "functions/deliverer/handler.py"} <= CODE.keys()
    assert "shared/providers/http_client.py" not in imported_with("functions/deliverer/handler.py")
