"""The examples in the API's document: asked of the sandbox, so that they are true. `python -m tests.interface_examples`
writes them anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from infra.local.gateway import rest_event
from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox
from shared.interface.openapi import EXAMPLES_FILE
from shared.interface.operations import JSON, OPERATIONS, Operation

DOI = "10.7554/eLife.20391"
CONTEXT = {"type": "debate", "id": "42"}
_SHORT = {"fields": ["key", "title", "authors", "year", "citation_uri"]}
# Short requests, so that the answers are short as they come.
BODIES: dict[str, Any] = {
    "literature_search": {"query": "TREM2 microglia", "providers": ["crossref", "pubmed"], "max_results": 1,
                          "abstract_chars": 200},
    "pubmed_search": {"query": "TREM2 microglia", "max_results": 1, **_SHORT},
    "get_papers": {"ids": [DOI, "PMID:999999999"], **_SHORT},
    "citation_network": {"seeds": [DOI], "max_nodes": 2, **_SHORT},
    "resolve_references": {"title": "Attention is all you need", "year": 2017, **_SHORT},
    "cite_in_context": {"context": CONTEXT, "text": f"As shown before (doi:{DOI})."},
    "export": {"ids": [DOI], "format": "bibtex"},
}  # fmt: skip
PARAMETERS: dict[str, Any] = {
    "search_by_get": {"query": "TREM2 microglia", "providers": "crossref", "max_results": 1, "detail": "compact"},
    "pubmed_search_by_get": {"query": "TREM2 microglia", "max_results": 1, "detail": "compact"},
    "export_by_get": {"ids": DOI, "format": "ris"},
    "get_paper": {"id": DOI, "fields": "key,title,authors,year,citation_uri"},
    "get_references": {"id": DOI, "max_results": 1, "fields": "key,title,year"},
    "get_citations": {"id": DOI, "max_results": 1, "fields": "key,title,year"},
    "get_graph_paper": {"id": DOI, "limit": 1},
    "get_graph_context": {**CONTEXT, "limit": 1},
    "export_graph": {"format": "csv", "limit": 1},
}
# Those whose answers are too long to be read, and change with the service.
UNTOLD = ("list_providers", "list_tools", "openapi", "docs", "llms_text")


def asked(operation: Operation) -> dict[str, Any]:
    """The REST event that an operation's example makes."""
    given = {name: str(value) for name, value in PARAMETERS.get(operation.name, {}).items()}
    path = operation.path
    for name in [name for name in given if f"{{{name}}}" in path]:
        path = path.replace(f"{{{name}}}", quote(given.pop(name), safe=""))
    body = BODIES.get(operation.name)
    return rest_event(
        operation.method,
        path,
        query={name: [value] for name, value in given.items()},
        body=None if body is None else json.dumps(body),
    )


def examples(local: Machine) -> dict[str, Any]:
    """Every example, by its operation's name."""
    told: dict[str, Any] = {}
    for operation in OPERATIONS:
        response = local.invoke("dispatcher", asked(operation))
        if response["statusCode"] != 200:
            raise ValueError(f"{operation.name}: {response['body']}")
        local.drain_queue()
        example = {"request": BODIES.get(operation.name), "parameters": PARAMETERS.get(operation.name)}
        if JSON in response["multiValueHeaders"]["Content-Type"][0] and operation.name not in UNTOLD:
            example["answer"] = _short(json.loads(response["body"]))
        told[operation.name] = {name: value for name, value in example.items() if value is not None}
    return told


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
