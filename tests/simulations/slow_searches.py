"""Whole requests in a row while one source after the other is slow or endless; then searches with all of them well.

A source without a search is slow while papers are looked up, or their references or text. No search is `fresh`: each
question here is a new one.
"""

from __future__ import annotations

import json
import os
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from unittest.mock import patch

import boto3
import pytest

from infra.functions import provider_names, provider_spec
from infra.local.gateway import rest_event
from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox
from infra.local.sandbox.services.pmc_text import LATE
from shared.bibliography.paper_ids import value_of
from tests.live.sources import TEXTS
from tests.simulations.slow_server import slow_server
from tests.simulations.slow_ways import WAYS
from tests.simulations.two_callers import UNLIMITED

AT_ONCE = 4
MAX_THREADS = AT_ONCE * len(provider_names())  # of their legs
HEALED_S = 20.0
ENDS = (200, 404, 502, 504)  # 404: the sources that answered do not have the paper
OVERLOADED = "The service is overloaded"  # 503, with when to retry: legs that a busy machine does not get done in time
OWN_S = 6.0  # of a search's time, for all that is not the slow leg: a busy machine needs some, and a permit two seconds
OURS = ("leg", "host look-up")  # names of threads that a leg could leave behind
# A paper of which the source, and none before it, has the text; for other sources the kind of id decides.
PAPERS = {"pmc_text": LATE, "open_copy_text": "10.1073/pnas.1414271111"}


@dataclass(slots=True)
class Row:
    """What the searches left."""

    statuses: Counter[int] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)  # of the slow source
    sent: int = 0  # connections to the slow source
    threads_before: int = 0
    threads_after: int = 0
    failures: list[str] = field(default_factory=list)

    def figures(self) -> dict[str, object]:
        """JSON-ready."""
        return {
            "statuses": dict(self.statuses),
            "outcomes": dict(self.outcomes),
            "connections": self.sent,
            "threads": [self.threads_before, self.threads_after],
        }


def searches_in_a_row(ways: Sequence[str], number: int, seconds: float, say: Callable[[str], None]) -> Row:
    """So many requests, a few at a time; each source in turn is slow in each of the ways."""
    row, providers = Row(), list(provider_names())
    sandbox = Sandbox(faults={})
    with patch.dict(os.environ, UNLIMITED), machine(sandbox=sandbox) as running, slow_server(*ways) as server:
        _search(running, "microglia warming up", HEALED_S)
        row.threads_before = _threads()
        for start in range(0, number, AT_ONCE):
            slow, way = providers[start // AT_ONCE % len(providers)], ways[start // AT_ONCE % len(ways)]
            with pytest.MonkeyPatch.context() as broken, ThreadPoolExecutor(AT_ONCE) as callers:
                broken.setenv(f"{slow.upper()}_BASE_URL", server.url(way))
                asked = range(start, min(start + AT_ONCE, number))
                for status, answer in callers.map(partial(_request, running, slow, seconds + OWN_S), asked):
                    row.statuses[status] += 1
                    row.outcomes[answer.get("providers", {}).get(slow, {}).get("outcome", "none")] += 1
                    if status not in ENDS and answer.get("title") != OVERLOADED:
                        row.failures.append(f"{slow}, {way}: the request ended with {status}")
            if not WAYS[way].complete and not server.all_closed(way):
                row.failures.append(f"{slow}, {way}: a connection was left open")
            _forget_failures(providers)
            if start % 40 == 0:
                say(f"  {start + len(asked)} searches, {_threads()} threads")
        row.sent, row.threads_after = server.connections.total(), _threads()
        if row.sent < number / AT_ONCE:  # a few at a time may share a connection, or open the circuit
            row.failures.append(f"only {row.sent} connections to slow sources")
        if row.threads_after > MAX_THREADS:  # the pool's own, which wait for work
            row.failures.append(f"{row.threads_after} threads of legs were left, of {MAX_THREADS} that were needed")
        _check_healed(row, running)
    return row


def _check_healed(row: Row, running: Machine) -> None:
    """A few searches at once: all are whole."""
    with ThreadPoolExecutor(AT_ONCE) as callers:
        found = list(callers.map(lambda n: _search(running, f"TREM2 healed {n}", HEALED_S), range(AT_ONCE)))
    for status, answer in found:
        if status != 200 or not answer["complete"]:
            row.failures.append(f"after healing: {status}, {_outcomes(answer)}")


def _request(running: Machine, slow: str, seconds: float, number: int) -> tuple[int, dict[str, Any]]:
    """A request for which the slow source is queried."""
    operations = provider_spec(slow).operations
    if "search" in operations:
        return _search(running, f"microglia {number}", seconds)
    if "full_text" in operations:
        return _text(running, PAPERS.get(slow) or value_of(TEXTS[operations["full_text"][0]]), seconds)
    name, timeout = f"10.5555/1234{number}", {"timeout_ms": round(seconds * 1000), "cite_in_kg": False}
    if "lookup" in operations:
        return _sent(running, rest_event("POST", "/v1/papers", body=json.dumps({"ids": [name], **timeout})))
    query = {"timeout_ms": [str(timeout["timeout_ms"])]}
    return _sent(running, rest_event("GET", f"/v1/papers/{name}/references", query=query))


def _text(running: Machine, paper: str, seconds: float) -> tuple[int, dict[str, Any]]:
    """A text; `fresh`, as the sandbox has only a few, and within a lifted budget."""
    query = {"timeout_ms": [str(round(seconds * 1000))], "fresh": ["true"]}
    return _sent(running, rest_event("GET", f"/v1/papers/{paper}/fulltext", query=query))


def _search(running: Machine, query: str, seconds: float) -> tuple[int, dict[str, Any]]:
    body = json.dumps({"query": query, "timeout_ms": round(seconds * 1000), "cite_in_kg": False})
    return _sent(running, rest_event("POST", "/v1/literature-search", body=body))


def _sent(running: Machine, event: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    answer = running.invoke("dispatcher", event)
    return answer["statusCode"], json.loads(answer["body"])


def _outcomes(answer: dict[str, Any]) -> dict[str, str]:
    return {name: report["outcome"] for name, report in answer.get("providers", {}).items()}


def _threads() -> int:
    return sum(thread.name.startswith(OURS) for thread in threading.enumerate())


def _forget_failures(providers: Sequence[str]) -> None:
    """A circuit that has opened would keep the searches that follow from the source."""
    budgets = boto3.resource("dynamodb").Table("local-provider-budgets")
    for name in providers:
        budgets.delete_item(Key={"pk": f"provider#{name}", "sk": "state"})
