"""The examples in the API's document: from the sandbox, so that they are true. `python -m tests.interface_examples`
writes them anew.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any
from unittest.mock import patch
from urllib.parse import quote

from infra.local.gateway import rest_event
from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox
from shared.api.openapi import EXAMPLES_FILE
from shared.api.operation import JSON, Operation
from shared.api.operations import OPERATIONS
from shared.aws.dynamodb.saved_searches.searches import SavedSearches
from shared.delivery.webhook import payload
from shared.saved_searches.feed import feed_links

DOI = "10.7554/eLife.20391"
CONTEXT = {"type": "debate", "id": "42"}
KEY = {"Idempotency-Key": "example"}
# What the key makes of the caller `local`, so that the examples name one search.
SEARCH_ID = hashlib.sha256(b"local\nexample").hexdigest()[:20]
_SHORT = {"fields": ["key", "title", "authors", "year", "citation_uri"]}
# Short requests, so that the answers are short as they come.
BODIES: dict[str, Any] = {
    "literature_search": {"query": "TREM2 microglia", "providers": ["crossref", "pubmed"], "max_results": 1,
                          "abstract_chars": 200},
    "pubmed_search": {"query": "TREM2 microglia", "max_results": 1, **_SHORT},
    "get_papers": {"ids": [DOI, "PMID:999999999"], **_SHORT},
    "citation_network": {"seeds": [DOI], "max_nodes": 2, **_SHORT},
    "find_passages": {"question": "What happened to the error without templates?", "ids": ["PMC8371605"],
                      "max_passages": 1},
    "similar": {"seeds": [DOI, "PMID:29618526"], "unlike": ["10.1002/jrsm.1411"], "max_results": 1,
                "fields": ["key", "title", "year"]},
    "resolve_references": {"references": [{"title": "Attention is all you need", "year": 2017}], **_SHORT},
    "check_references": {"document": f"1. Zhao N, et al. J Exp Med. 2017. doi:{DOI}", "max_results": 1},
    "search_exhaustively": {"query": "TREM2 AND microglia", "providers": ["pubmed"], "max_records": 100},
    "cite_in_context": {"context": CONTEXT, "text": f"As shown before (doi:{DOI})."},
    "export": {"ids": [DOI], "format": "bibtex"},
    "save_search": {
        "search": {"query": "TREM2 microglia", "providers": ["crossref"]},
        "schedule": {"expression": "cron(0 7 ? * MON-FRI *)", "timezone": "Europe/Berlin"},
        "delivery": {"webhook": {"url": "https://hooks.example.org/new-papers"}},
    },
    "change_saved_search": {"name": "Microglia", "schedule": {"expression": "rate(1 day)"}},
}  # fmt: skip
PARAMETERS: dict[str, Any] = {
    "search_by_get": {"query": "TREM2 microglia", "providers": "crossref", "max_results": 1, "detail": "compact"},
    "pubmed_search_by_get": {"query": "TREM2 microglia", "max_results": 1, "detail": "compact"},
    "get_result_set": {"type": "journal-article", "max_results": 1, "fields": "key,title,year"},
    "export_by_get": {"ids": DOI, "format": "ris"},
    "get_paper": {"id": DOI, "fields": "key,title,authors,year,citation_uri"},
    "get_references": {"id": DOI, "max_results": 1, "fields": "key,title,year"},
    "get_citations": {"id": DOI, "max_results": 1, "fields": "key,title,year"},
    "get_similar": {"id": DOI, "max_results": 1, "fields": "key,title,year"},
    "get_exhaustive_search": {"max_results": 1, "fields": "key,title,year"},
    "get_full_text": {"id": "PMC8371605", "section": "3"},
    "get_graph_paper": {"id": DOI, "limit": 1},
    "get_graph_context": {**CONTEXT, "limit": 1},
    "export_graph": {"format": "csv", "limit": 1},
    "save_search": KEY,
    "get_saved_search": {"id": SEARCH_ID},
    "change_saved_search": {"id": SEARCH_ID},
    "renew_webhook_secret": {"id": SEARCH_ID},
    "read_feed": {"id": SEARCH_ID, "types": "new_paper,baseline", "limit": 1},
    "delete_saved_search": {"id": SEARCH_ID},
}
# Those whose answers are too long to be read, and change with the service; and those whose answer is of the same type
# as one that is shown.
OMITTED = (
    "list_providers", "list_tools", "openapi", "docs", "llms_text",
    "search_by_get", "pubmed_search_by_get", "pubmed_search", "get_citations", "get_similar", "get_saved_search",
    "change_saved_search", "get_reference_check", "get_search_report", "export_exhaustive_search",
)  # fmt: skip


def parameters_of(operation: Operation, found: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of an operation's example; a result set is that of the example of a search, `found` before."""
    given: dict[str, Any] = PARAMETERS.get(operation.name, {})
    if operation.path.startswith("/v1/result-sets/"):
        return {**given, "id": found["literature_search"]["answer"]["result_set_id"]}
    if operation.path.startswith("/v1/reference-checks/"):
        return {**given, "id": found["check_references"]["answer"]["check_id"]}
    if operation.path.startswith("/v1/exhaustive-searches/"):
        return {**given, "id": found["search_exhaustively"]["answer"]["search_id"]}
    return given


def event_of(operation: Operation, found: Mapping[str, Any]) -> dict[str, Any]:
    """The REST event that an operation's example makes."""
    given = {name: str(value) for name, value in parameters_of(operation, found).items()}
    path = operation.path
    for name in [name for name in given if f"{{{name}}}" in path]:
        path = path.replace(f"{{{name}}}", quote(given.pop(name), safe=""))
    headers = {name: given.pop(name) for name in KEY if name in given}
    body = BODIES.get(operation.name)
    return rest_event(
        operation.method,
        path,
        query={name: [value] for name, value in given.items()},
        headers=headers,
        body=None if body is None else json.dumps(body),
    )


def examples(local: Machine) -> dict[str, Any]:
    """Every example, by its operation's name."""
    found: dict[str, Any] = {}
    for operation in OPERATIONS:
        with _an_internet(), patch.dict(os.environ, {"OAUTH_ISSUER": "https://issuer.example.org"}):
            response = local.request(event_of(operation, found))
        if response["statusCode"] not in (operation.status, 200):  # 200: a job of an earlier time that is done
            raise ValueError(f"{operation.name}: {response['body']}")
        if operation.name == "save_search":
            local.invoke("saved_search_runner", {"detail": {"owner": "local", "search_id": SEARCH_ID}})
        if operation.name == "read_feed":
            found["saved_search_events"] = _short(_sent())
        local.drain_queue()
        local.search_exhaustively()
        example = {"request": BODIES.get(operation.name), "parameters": parameters_of(operation, found) or None}
        if JSON in operation.answers and operation.name not in OMITTED:
            example["answer"] = _short(json.loads(response["body"]))
        found[operation.name] = {name: value for name, value in example.items() if value is not None}
    return found


@contextmanager
def _an_internet() -> Iterator[None]:
    """In which the example's receiver has an address; and a secret that is none."""
    wiring = import_module("functions.dispatcher.wiring.saved_searches")
    fixed_secret = patch.object(wiring, "random_bytes", return_value=bytes(range(32)))
    with fixed_secret, patch.object(wiring, "resolve", return_value=["93.184.215.14"]):
        yield


def _sent() -> Any:
    """What the webhook of the example would be sent."""
    searches: SavedSearches = import_module("functions.dispatcher.wiring.saved_searches").SEARCHES
    saved = searches.get("local", SEARCH_ID)
    assert saved
    events: Any = [{**event, "type": "new_paper"} for event in searches.events(SEARCH_ID, limit=1).events]
    return json.loads(payload({"id": saved["id"], "name": saved["name"], "feed": feed_links(SEARCH_ID)}, events))


def _short(value: Any) -> Any:
    """The same form with less in it: two entries of a list, the beginning of a text."""
    if isinstance(value, Mapping):
        entries = list(value.items())
        by_provider = len(entries) > 2 and all(isinstance(it, Mapping) and "outcome" in it for _, it in entries)
        return {name: _short(it) for name, it in (entries[:2] if by_provider else entries)}
    if isinstance(value, list):
        return [_short(it) for it in value[:2]]
    return value if not isinstance(value, str) or len(value) <= 200 else value[:199] + "…"


def main() -> None:
    """Write the file."""
    with machine(sandbox=Sandbox(faults={})) as local:
        text = json.dumps(examples(local), ensure_ascii=False, indent=1)
    EXAMPLES_FILE.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
