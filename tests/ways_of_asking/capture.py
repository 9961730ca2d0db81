"""Asks the public API over loopback HTTP, with the sandbox as every source, and reads what left for each source."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from werkzeug.serving import WSGIRequestHandler

from infra.local.gateway import application
from infra.local.machine import machine
from infra.local.sandbox.server import RecordedRequest, Sandbox
from shared.aws.lambda_functions import provider_handler
from tests.http_server import serving
from tests.skipped_time import SkippedTime
from tests.ways_of_asking.readers import arxiv, europe_pmc, openalex, pubmed, semantic_scholar
from tests.ways_of_asking.readers.sent import Sent
from tests.ways_of_asking.readers.word_searches import read_crossref, read_lookup, read_paperclip
from tests.ways_of_asking.way import Way

READERS: Mapping[str, Callable[[RecordedRequest], Sent]] = {
    "pubmed": pubmed.read,
    "semantic_scholar": semantic_scholar.read,
    "openalex": openalex.read,
    "crossref": read_crossref,
    "arxiv": arxiv.read,
    "europe_pmc": europe_pmc.read,
    "paperclip": read_paperclip,
}


@dataclass(frozen=True, slots=True)
class Asked:
    """The answer to one way of asking, and the requests to each source in the order in which they were sent."""

    way: Way
    status: int
    answer: Mapping[str, Any]
    sent: Mapping[str, Sequence[Sent]]

    def searches(self, source: str) -> list[Sent]:
        """The requests to a source that search for papers."""
        return [it for it in self.sent.get(source, ()) if it.use in ("search", "title", "meaning")]

    def found(self) -> list[set[str]]:
        """The ids of each paper of the answer, in order, in lower case."""
        return [ids_of_result(result) for result in self.answer.get("results", ())]


def ids_of_result(result: Mapping[str, Any]) -> set[str]:
    """The ids of a paper of an answer and of its versions, in lower case."""
    versions = [ids_of_result(version) for version in result.get("versions") or ()]
    values = [result.get("id"), result.get("doi"), *(result.get("external_ids") or {}).values()]
    own = {str(value).lower().removeprefix("https://doi.org/") for value in values if value}
    return own.union(*versions)


class Service:
    """The running service. `requests` counts what left for the sources so far."""

    def __init__(self, address: str, sandbox: Sandbox) -> None:
        self._client = httpx.Client(base_url=address, timeout=60)
        self._sandbox = sandbox

    def post(self, body: Mapping[str, Any]) -> tuple[httpx.Response, list[RecordedRequest]]:
        """Send a search that no cache answers; the response and the requests that left."""
        before = len(self._sandbox.requests)
        response = self._client.post("/v1/literature-search", json={"fresh": True, "cite_in_kg": False, **body})
        return response, sorted(self._sandbox.requests[before:], key=lambda it: it.started)

    @property
    def requests(self) -> Sequence[RecordedRequest]:
        """What left for the sources so far."""
        return self._sandbox.requests

    def resolve(self, references: Sequence[str]) -> Mapping[str, Any]:
        """The answer about printed references, whole."""
        body = {"references": list(references), "timeout_ms": 25_000, "detail": "full", "cite_in_kg": False}
        response = self._client.post("/v1/resolve", json=body)
        answer: Mapping[str, Any] = response.raise_for_status().json()
        return answer

    def ask(self, way: Way) -> Asked:
        """Send one way of asking."""
        typed = {"query": way.typed} if way.typed else {}
        response, requests = self.post({"detail": "full", **typed, **way.fields})
        sent: dict[str, list[Sent]] = {}
        for request in requests:
            sent.setdefault(request.provider, []).append(READERS.get(request.provider, read_lookup)(request))
        return Asked(way, response.status_code, response.json(), sent)


class _Quiet(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log(self, type: str, message: str, *args: Any) -> None:
        """Write no access log."""


@contextmanager
def service() -> Iterator[Service]:
    """A new machine over HTTP; its legs do not wait in real time before they try again."""
    before, timing = dict(os.environ), provider_handler.TIMING
    os.environ.update({f"FRESH_REQUESTS_PER_{period}": "100000" for period in ("MINUTE", "HOUR")})
    provider_handler.TIMING = SkippedTime().timing()
    try:
        with machine(sandbox=Sandbox(faults={})) as running, serving(application(running), _Quiet) as address:
            assert running.sandbox
            yield Service(address, running.sandbox)
    finally:
        provider_handler.TIMING = timing
        os.environ.clear()
        os.environ.update(before)
