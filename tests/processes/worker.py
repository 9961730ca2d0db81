"""One process of several: a machine of its own, with the real handlers, at a DynamoDB that it shares with the others.

Commands come through a connection, and answers go back through it, in any order:

{"id": 1, "at": [99.5, …], "until": null, "threads": [[["crossref", {event}], …], …]} -> {"id": 1, "result": [calls, …]}
{"id": 2, "outage": true}  ->  {"id": 2, "result": null}, and from then on the budgets' table cannot be reached
{"id": 3, "permits": true}  ->  {"id": 3, "result": [permit, …]}

A command that raises is answered by {"id": 1, "error": traceback}.

Every thread begins at its moment `at` and makes its calls one after the other, none after `until`. Moments are of the
monotonic clock, which is the same in all processes of one machine. The process ends with its connection.
"""

from __future__ import annotations

import json
import os
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from itertools import repeat
from multiprocessing.connection import Connection
from typing import Any
from unittest.mock import patch

from botocore.exceptions import ReadTimeoutError
from botocore.httpsession import URLLib3Session
from moto.core.models import botocore_stubber

from infra.local.machine import Machine, machine
from shared.aws.dynamodb import leg_cache
from shared.errors import LiteratureError
from shared.rate_limits import circuit_breaker as breaker
from shared.rate_limits.permits import Permit
from shared.rate_limits.rate_limiter import RateLimiter
from shared.search.requests.search_request import read_request
from shared.search.sizes.details import RESULT_FIELDS

# Seconds after which a rejected caller sends its next request.
PAUSE_S = 0.2

Calls = Sequence[tuple[str, dict[str, Any]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What is different here: the address of DynamoDB, and how many requests may be on their way to it; times."""

    dynamodb_url: str
    first_open_s: float
    lease_s: float
    at_once: int


class _Worker:
    """Executes commands; `permits` are all permits of this process."""

    def __init__(
        self, local: Machine, permits: list[dict[str, Any]], outage: threading.Event, answers: Connection
    ) -> None:
        self._local, self._permits, self._outage, self._answers = local, permits, outage, answers
        self._lock = threading.Lock()

    def execute(self, command: dict[str, Any]) -> None:
        if command.get("permits"):
            self.reply({"id": command["id"], "result": self._permits})
        elif command.get("outage"):
            self._outage.set()
            self.reply({"id": command["id"], "result": None})
        else:
            threading.Thread(target=self._run, args=(command,), daemon=True).start()

    def reply(self, answer: dict[str, Any]) -> None:
        with self._lock:
            self._answers.send(answer)

    def _run(self, command: dict[str, Any]) -> None:
        threads = command["threads"]
        try:
            with ThreadPoolExecutor(max_workers=len(threads)) as pool:
                results = list(pool.map(self._call, threads, command["at"], repeat(command["until"])))
        except Exception as error:
            self.reply({"id": command["id"], "error": "".join(traceback.format_exception(error))})
            raise
        self.reply({"id": command["id"], "result": results})

    def _call(
        self, calls: Sequence[tuple[str, dict[str, Any]]], at: float, until: float | None
    ) -> list[dict[str, Any]]:
        time.sleep(max(at - time.monotonic(), 0.0))
        calls_made = []
        for function, event in calls:
            began = time.monotonic()
            if until is not None and began >= until:
                break
            answer = _search(event) if function == "search" else self._local.invoke(function, event)
            calls_made.append({"answer": answer, "began": began, "ended": time.monotonic()})
            if answer.get("outcome") in ("skipped_budget", "circuit_open"):
                time.sleep(PAUSE_S)
        return calls_made


def _search(event: dict[str, Any]) -> dict[str, Any]:
    """What the dispatcher does behind its router, which handles one event per process; here there are many threads."""
    names = "functions.dispatcher.routes.search", "shared.aws.rest_api.problem_responses"
    routes, problems = (import_module(name) for name in names)
    try:
        request = read_request(event["request"], routes.DISCIPLINES, RESULT_FIELDS)
        return {"statusCode": 200, "body": routes.search(request, event["request_id"], "local")}
    except LiteratureError as error:
        problem = problems.problem(error, event["request_id"])
        return {"statusCode": problem.status_code, "body": json.loads(problem.body)}


def _recorded(acquire: Callable[..., Permit], permits: list[dict[str, Any]]) -> Callable[..., Permit]:
    """`RateLimiter._acquire` that records its permits: their moments, and when the thread got them.

    One that came too late, in whose place there is another, was not used.
    """

    def recorded(self: RateLimiter, request: Any, late: Permit | None = None) -> Permit:
        since_epoch_s = time.time() - time.monotonic()
        if late:
            permits.remove(next(it for it in permits if (it["title"], it["id"]) == (self.title, late.permit_id)))
        permit = acquire(self, request, late)
        at = permit.at - since_epoch_s
        permits.append({"title": self.title, "id": permit.permit_id, "at": at, "taken": time.monotonic()})
        return permit

    return recorded


def _gated(send: Callable[..., Any], at_once: int, outage: threading.Event) -> Callable[..., Any]:
    """At most `at_once` requests to DynamoDB are in flight; others wait here, where no timeout runs."""
    gates = {reads: threading.Semaphore(at_once) for reads in (True, False)}

    def gated(self: URLLib3Session, request: Any) -> Any:
        if outage.is_set() and b"provider-budgets" in (request.body or b""):
            raise ReadTimeoutError(endpoint_url=request.url)
        # Reads that poll for an answer must not delay the write of that answer.
        with gates["GetItem" in str(request.headers.get("X-Amz-Target"))]:
            return send(self, request)

    return gated


def main(commands: Connection, options: Options) -> None:
    """Execute commands until the connection ends."""
    permits: list[dict[str, Any]] = []
    outage = threading.Event()
    with (
        machine(sandbox=None, dynamodb_url=options.dynamodb_url) as local,
        patch.object(RateLimiter, "_acquire", _recorded(RateLimiter._acquire, permits)),
        patch.object(URLLib3Session, "send", _gated(URLLib3Session.send, options.at_once, outage)),
        patch.object(breaker, "FIRST_OPEN_S", options.first_open_s),
        patch.object(leg_cache, "LEASE_S", options.lease_s),
    ):
        # From here on moto is out of this process: it would look at every request, and answer `invoke` a second time.
        botocore_stubber.enabled = False
        worker = _Worker(local, permits, outage, commands)
        worker.reply({"id": 0, "result": []})
        with suppress(EOFError):
            while True:
                worker.execute(commands.recv())
        os._exit(0)
