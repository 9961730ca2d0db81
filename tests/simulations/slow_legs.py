"""One leg of a provider against a slow source, through the provider's real handler, each with a fresh rate limiter."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from itertools import count
from typing import Any, cast

import pytest

from infra.functions import PROVIDERS, provider_spec
from shared.aws.lambda_functions import provider_handler
from shared.aws.lambda_functions.provider_handler import Handler, Timing
from shared.providers.connection_pool import new_http
from shared.providers.provider import ProviderSpec
from shared.query.query import Query
from shared.query.question import Citation, Links, Listing, Lookup, Match, Question, Similar, TextOf, question_to_json
from shared.rate_limits.circuit_breaker import FAILURES
from tests.simulations.slow_server import SlowServer
from tests.simulations.slow_ways import WAYS

NAMES = {
    "nct": "nct:NCT0428070{}", "doi": "doi:10.5555/1234{}", "pmid": "pmid:31452104",
    "pmcid": "pmcid:PMC682440{}", "arxiv": "arxiv:1706.0376{}",
    "url": "url:https://host.example.org/{}.pdf",
    "s2": f"s2:{'a' * 40}", "openalex": "openalex:W2741809807", "corpus": "corpus:13756489",
}  # fmt: skip
_numbers = count()
_base = threading.local()


@dataclass(frozen=True, slots=True)
class Leg:
    """One operation of a provider, answered in one way."""

    provider: str
    operation: str
    way: str

    def __str__(self) -> str:
        return f"{self.provider}, {self.operation}, {self.way}"


@dataclass(frozen=True, slots=True)
class Ended:
    """How it ended, and after how many seconds."""

    leg: Leg
    outcome: str
    warning: str
    seconds: float

    def late(self, most_s: float) -> bool:
        return self.seconds > most_s


def every_leg(providers: Sequence[str], ways: Sequence[str]) -> Iterator[Leg]:
    """Ways in the inner loop, so that legs at a time differ in what they cost."""
    for provider in providers:
        for operation in provider_spec(provider).operations:
            for way in ways:
                yield Leg(provider, operation, way)


def is_expected(ended: Ended) -> bool:
    """The way's own outcome; a time-out also where the leg's time is not enough to come to a bound.

    Most operations follow no redirect: for them each is a bad response.
    """
    way = WAYS[ended.leg.way]
    return ended.outcome in (way.outcome, "timeout") or (way.complete and ended.outcome == "bad_response")


def opens_circuit(way: str) -> bool:
    """Whether five legs of five seconds are evidence of an outage. No search follows redirects."""
    return WAYS[way].evidence or (WAYS[way].outcome == "timeout" and not WAYS[way].complete)


def question(provider: str, operation: str, number: int = 0) -> Question:
    """One that makes a request; searches, texts, and questions by DOI, of other numbers are other questions."""
    name = NAMES[next(iter(provider_spec(provider).operations[operation]), "doi")].format(number)
    if operation == "search":
        return Query(text=f"microglia {number}")
    if operation == "listing":
        return Listing(Query(text=f"microglia {number}"))
    if operation == "match":
        return Match((Citation(title="Attention is all you need", authors=("Vaswani",), year=2017),))
    if operation == "full_text":
        return TextOf(name)
    if operation == "similar":
        return Similar((name,))
    return Lookup((name,)) if operation == "lookup" else Links(cast("Any", operation), name)


@contextmanager
def addressed_by_thread() -> Iterator[None]:
    """Inside, each thread's legs go to the address that `run_leg` sets; limits and keys hold nothing up."""

    def base_url(spec: ProviderSpec) -> str:
        return str(_base.url)

    with pytest.MonkeyPatch.context() as patch, new_http("dev@example.org") as http:
        patch.setattr(provider_handler, "base_url", base_url)
        patch.setattr(provider_handler, "provider_key", lambda name: "a-key")
        patch.setattr(provider_handler, "TIMING", Timing())
        patch.setattr(provider_handler, "_http", lambda *_: http)
        patch.setenv("CONTACT_EMAIL", "dev@example.org")
        patch.delenv("PROVIDER_BUDGETS_TABLE", raising=False)
        for path in PROVIDERS.glob("*.py"):
            patch.setenv(f"{path.stem.upper()}_REQUESTS_PER_SECOND", "1000")
            patch.setenv(f"{path.stem.upper()}_CONCURRENCY", "100")
        yield


def fresh_handler(provider: str) -> Handler:
    """The provider's handler with a rate limiter that has seen nothing."""
    name = f"slow_leg_{provider}_{next(_numbers)}"
    spec = spec_from_file_location(name, PROVIDERS / f"{provider}.py")
    assert spec
    assert spec.loader
    module = sys.modules[name] = module_from_spec(spec)  # dataclasses look their module up
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules[name]
    return cast("Handler", module.handler)


def run_leg(server: SlowServer, leg: Leg, seconds: float, handler: Handler | None = None, number: int = 0) -> Ended:
    """Run one leg with a deadline of so many seconds."""
    handler = handler or fresh_handler(leg.provider)
    _base.url = server.url(leg.way)
    asked = question_to_json(question(leg.provider, leg.operation, number))
    began = time.monotonic()
    reply: Any = handler({**asked, "timeout_ms": round(seconds * 1000)}, cast("Any", None))
    return Ended(leg, str(reply["outcome"]), "; ".join(reply["warnings"])[:200], time.monotonic() - began)


def circuit_opens(server: SlowServer, provider: str, way: str, seconds: float) -> bool:
    """Whether a leg after five such legs of other questions is not sent. Those that need no deadline run in turn."""
    handler, operation = fresh_handler(provider), next(iter(provider_spec(provider).operations))
    leg = Leg(provider, operation, way)
    with ThreadPoolExecutor(FAILURES if WAYS[way].outcome == "timeout" else 1) as pool:
        list(pool.map(lambda number: run_leg(server, leg, seconds, handler, number), range(FAILURES)))
    return run_leg(server, leg, seconds, handler, FAILURES).outcome == "circuit_open"
