"""Serves every provider's API on one loopback port, under the provider's name: `http://127.0.0.1:PORT/pubmed/entrez/…`."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

from werkzeug import Request, Response
from werkzeug.serving import make_server

from infra.functions import provider_names
from infra.local.sandbox.arrivals import ARRIVED, StampedRequestHandler, stamp_arrivals
from infra.local.sandbox.corpus import Corpus, default_corpus
from infra.local.sandbox.faults import Fault, apply_fault, is_affected, read_faults


@dataclass(frozen=True, slots=True)
class RecordedRequest:
    """One request that a service received, from its arrival to its answer, in seconds of the monotonic clock."""

    provider: str
    method: str
    path: str
    query: str
    started: float
    ended: float
    body: str = ""


class _QuietHandler(StampedRequestHandler):
    """Writes no access log: dropped connections are expected, whether the client's or injected faults."""

    def log(self, type: str, message: str, *args: Any) -> None:
        """Log nothing."""


class Sandbox:
    """The running services. `faults` may be changed while they run; `requests` records every request."""

    def __init__(self, corpus: Corpus | None = None, faults: Mapping[str, Fault] | None = None, port: int = 0) -> None:
        self.corpus = corpus or default_corpus()
        names = provider_names()
        self.faults = dict(faults if faults is not None else read_faults(os.environ.get("SANDBOX_FAULTS"), names))
        self.requests: list[RecordedRequest] = []
        self._failed_requests: Counter[str] = Counter()
        self._services = {name: import_module(f"infra.local.sandbox.services.{name}") for name in names}
        self._server = make_server("127.0.0.1", port, self._serve, threaded=True, request_handler=_QuietHandler)
        stamp_arrivals(self._server.socket)
        # `shutdown` waits for the next poll, which is half a second away by default.
        poll = {"poll_interval": 0.01}
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs=poll, name="sandbox", daemon=True)

    def __enter__(self) -> Sandbox:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=5)

    @property
    def base_urls(self) -> dict[str, str]:
        """The environment variables that direct the providers here: `<NAME>_BASE_URL`."""
        port = self._server.server_port
        return {f"{name.upper()}_BASE_URL": f"http://127.0.0.1:{port}/{name}" for name in self._services}

    def _serve(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        name, _, path = environ["PATH_INFO"].lstrip("/").partition("/")
        environ["PATH_INFO"] = "/" + path
        environ["SCRIPT_NAME"] = f"/{name}"
        request = Request(environ)
        if name not in self._services:
            return Response(f"unknown service {name!r}", status=404)(environ, start_response)
        body = request.get_data(as_text=True)
        started: float = environ[ARRIVED]
        try:
            response = self._answer(name, request)
        finally:
            query = request.query_string.decode("utf-8", "replace")
            ended = time.monotonic()
            self.requests.append(RecordedRequest(name, request.method, request.path, query, started, ended, body))
        return response(environ, start_response)

    def _answer(self, name: str, request: Request) -> Response:
        service = self._services[name]
        answer: Callable[[], Response] = lambda: service.answer(request, self.corpus)  # noqa: E731
        fault = self.faults.get(name)
        if fault is None or not is_affected(fault, request, self._failed_requests[name]):
            return answer()
        self._failed_requests[name] += 1
        time.sleep(fault.get("delay_ms", 0) / 1000)
        return apply_fault(fault, request, answer, service.error_envelope)
