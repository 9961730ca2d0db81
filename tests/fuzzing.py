"""schemathesis over the whole document, against the API on loopback: what it sent, and what it found."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from werkzeug import Response
from werkzeug.serving import WSGIRequestHandler

from infra.local.gateway import application, rest_event
from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox
from shared.api.addresses import METADATA
from shared.api.problems import plain_problem
from tests.http_server import serving

ROOT = Path(__file__).parents[1]
# Of a valid request, a paper may be unknown, a key of an earlier request be used again, a cursor's list be gone, and
# the answer be known to who asks.
# No schema says that a paper is not both a seed and one to be unlike.
# The document has the canonical forms; the API accepts others too, so what breaks a schema is not always refused.
CONFIGURATION = """
[checks.negative_data_rejection]
enabled = false

[checks.positive_data_acceptance]
expected-statuses = ["2xx", "304", "404", "409", "410"]

[[operations]]
include-path-regex = "/similar$"
checks.positive_data_acceptance.expected-statuses = ["2xx", "304", "404", "409", "410", "422"]

[auth.openapi.apiKey]
api_key = "any"
"""
# Searches that are there from the beginning, by the Idempotency-Keys that they were saved under; the first stays.
_OWNER = hashlib.sha256(b"any").hexdigest()[:10]
_SAVED = [f"fuzz-{number}" for number in range(5)]
SAVED_SEARCHES = [hashlib.sha256(f"{_OWNER}\n{key}".encode()).hexdigest()[:20] for key in _SAVED]
OPEN_TO_ALL = ("/", "/health", "/openapi.json", "/docs", "/llms.txt", f"/{METADATA}", f"/{METADATA}/mcp")


@dataclass(frozen=True, slots=True)
class Fuzzed:
    """How many requests were made, how many operations they tested, how long it took, and what is wrong."""

    cases: int
    operations: int
    seconds: float
    failures: int
    output: str


class _Quiet(WSGIRequestHandler):
    def log_request(self, *_: Any) -> None:
        """Says nothing."""


def _with_key(serve: Any) -> Any:
    """API Gateway's part: who has no key is refused."""

    def checked(environ: dict[str, Any], start_response: Any) -> Any:
        if environ.get("HTTP_X_API_KEY") != "any" and environ["PATH_INFO"] not in OPEN_TO_ALL:
            problem = plain_problem(403, "forbidden", "Forbidden", title="The request did not reach the service")
            body = json.dumps({**problem, "request_id": "r"})
            return Response(body, status=403, mimetype="application/problem+json")(environ, start_response)
        return serve(environ, start_response)

    return checked


@contextmanager
def served(change: Callable[[Any], Any] = lambda serve: serve) -> Iterator[str]:
    """The API on loopback, as `make serve` has it, with the sandbox; its address. `change` may put itself before it."""
    with (
        machine(sandbox=Sandbox(faults={})) as running,
        running.writing(),
        _without_search_limit(running),
        serving(_with_key(change(application(running))), _Quiet) as address,
    ):
        yield address


@contextmanager
def _without_search_limit(running: Machine) -> Iterator[None]:
    """Some saved searches, room for many more, and an internet in which every host has an address."""
    from functions.dispatcher.routes import saved_searches as saved_routes
    from functions.dispatcher.wiring import saved_searches as saved_wiring

    with (
        patch.object(saved_routes, "MAX_A_CALLER", 10**6),
        patch.object(saved_wiring, "resolve", return_value=["93.184.215.14"]),
    ):
        body = json.dumps({"search": {"query": "TREM2 microglia", "cite_in_kg": False}, "schedule": "rate(1 day)"})
        for key in _SAVED:
            headers = {"x-api-key": "any", "Idempotency-Key": key}
            running.invoke("dispatcher", rest_event("POST", "/v1/saved-searches", headers=headers, body=body))
        running.invoke("saved_search_runner", {"detail": {"owner": _OWNER, "search_id": SAVED_SEARCHES[0]}})
        yield


def fuzz(url: str, *, cases_an_operation: int, seed: int, phases: str, path: str | None = None) -> Fuzzed:
    """Ask everything that the document at `url` describes, rightly and wrongly; the same seed asks the same.

    With `path`, that one alone. Raises AssertionError when it could not do its work.
    """
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "schemathesis.toml").write_text(CONFIGURATION, encoding="utf-8")
        report = Path(folder) / "report.json"
        ran = subprocess.run(
            [
                sys.executable, "-m", "schemathesis.cli", "--config-file", f"{folder}/schemathesis.toml", "run",
                f"{url}/openapi.json", "--checks", "all", "--phases", phases,
                "--max-examples", str(cases_an_operation), "--seed", str(seed), "--continue-on-failure",
                "--no-color", "--suppress-health-check", "all", "--request-timeout", "60",
                "--report", "json", "--report-json-path", str(report),
                *(["--include-path", path] if path else []),
            ],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), "SCHEMATHESIS_HOOKS": "tests.fuzzing_rules"},
            capture_output=True,
            text=True,
            check=False,
        )  # fmt: skip
        results: Any = json.loads(report.read_text(encoding="utf-8")) if report.exists() else {}
    return _read(results, ran, time.monotonic() - started)


def _read(results: Any, ran: subprocess.CompletedProcess[str], seconds: float) -> Fuzzed:
    assert results and results["complete"] and not results["operations"]["errored"], ran.stdout + ran.stderr
    cases = results["test_cases"]
    return Fuzzed(
        cases=cases["generated"],
        operations=results["operations"]["tested"],
        seconds=seconds,
        failures=cases["unique_failures"] + cases["errored"],
        output=ran.stdout,
    )
