"""`make serve` under load: `python -m tests.benchmarks.load [--only CASE …]`, some minutes, loopback only.

The service runs as a command of its own, in as many processes as it likes; the sandbox runs in another process and
counts what reaches the sources. Progress goes to stderr, Markdown tables to stdout. The figures depend on the machine:
compare those of one run.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection
from urllib.parse import urlencode, urlsplit

import httpx

from infra.functions import provider_names, provider_spec
from infra.local.sandbox.server import RecordedRequest
from shared.rate_limits.limits import is_light
from tests.benchmarks.corpus_queries import TOPICS
from tests.benchmarks.load_service import cpu_seconds, sandbox_of, service_of

TIMEOUT_S = 60.0
DIFFERENT = (5, 10, 20, 50)
IDENTICAL = 100
CACHED_CLIENTS, CACHED_S = 8, 5.0
WARMING = 64  # requests before a measurement: of eight, one of two workers sometimes got none
ALONE, SLOWER_MS = 12, 300  # searches of one caller, one after the other; how much slower each source is then
UNLIMITED = {f"{name.upper()}_REQUESTS_PER_SECOND": "500" for name in provider_names()}
JITTER = 0.05  # by so much of a window may requests arrive earlier than they were sent


@dataclass(frozen=True, slots=True)
class Answered:
    """One request: when it ended and how."""

    seconds: float
    status: int
    complete: bool
    provider_ms: int  # of the slowest source that answered


@dataclass(frozen=True, slots=True)
class OfSource:
    """The requests that one source got in one case, and its limit."""

    source: str
    requests: int
    allowed: int  # in one window
    window_s: float
    most: int  # in any window


_SEEN: dict[str, list[OfSource]] = {}


def main() -> None:
    """Run every case against services of their own, and print the tables."""
    kept = {f"{count} different": [_query(number) for number in range(count)] for count in DIFFERENT}
    cases: dict[str, Callable[[int], None]] = {
        **{name: partial(_row, name, "kept", {}, queries) for name, queries in kept.items()},
        **{f"{name}, lifted": partial(_row, name, "lifted", UNLIMITED, queries) for name, queries in kept.items()},
        f"{IDENTICAL} identical": partial(_row, f"{IDENTICAL} identical", "kept", {}, [_query(0)] * IDENTICAL),
        "cached": _cached,
        "alone": _alone,
    }
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processes", type=int, default=0, help="of the service; default: its own")
    parser.add_argument(
        "--only", nargs="+", choices=list(cases), default=list(cases), metavar="CASE", help=str(list(cases))
    )
    options = parser.parse_args()
    if set(options.only) - {"cached", "alone"}:
        print("| at once | limits | p50 s | p95 s | failed | complete | requests upstream | over a limit |")
        print("|---|---|---|---|---|---|---|---|")
    for name in options.only:
        print(f"{name} …", file=sys.stderr)
        cases[name](options.processes)
    _print_sources()


def _row(name: str, limits: str, environment: Mapping[str, str], queries: Sequence[str], processes: int) -> None:
    with sandbox_of() as sandbox, service_of(sandbox, environment, processes) as (address, _):
        _warm(address)
        sandbox.requests()
        answers = _at_once(address, queries)
        requests = sandbox.requests()
    seconds = [answer.seconds for answer in answers]
    failed = Counter(answer.status for answer in answers if answer.status != 200)
    p50, p95 = statistics.median(seconds), statistics.quantiles(seconds, n=20)[18]
    failures = ", ".join(f"{count} of {status}" for status, count in failed.items()) or "0"
    if limits == "kept":
        _SEEN[name] = _by_source(requests)
    over = ", ".join(it.source for it in _SEEN[name] if it.most > it.allowed) if limits == "kept" else "–"
    complete = sum(answer.complete for answer in answers)
    row = (
        name,
        limits,
        f"{p50:.1f}",
        f"{p95:.1f}",
        failures,
        f"{complete} of {len(answers)}",
        len(requests),
        over or "none",
    )
    print("| " + " | ".join(map(str, row)) + " |", flush=True)


def _cached(processes: int) -> None:
    """Answers a second from the cache, and the processor time of each."""
    with sandbox_of() as sandbox, service_of(sandbox, UNLIMITED, processes) as (address, service):
        _warm(address)
        query = _query(1)
        with httpx.Client(base_url=address, timeout=TIMEOUT_S) as client:
            _ask(client, query)
            _ask(client, query)
        before, end = cpu_seconds(service), time.monotonic() + CACHED_S

        def repeat(_: int) -> int:
            """By the plainest client: what the client costs, the service does not get."""
            done, path = 0, f"/v1/literature-search?{urlencode({'query': query})}"
            with closing(HTTPConnection(urlsplit(address).netloc, timeout=TIMEOUT_S)) as connection:
                while time.monotonic() < end:
                    connection.request("GET", path)
                    answer = connection.getresponse()
                    done += answer.status == 200 and len(answer.read()) > 0
            return done

        with ThreadPoolExecutor(CACHED_CLIENTS) as threads:
            answered = sum(threads.map(repeat, range(CACHED_CLIENTS)))
        spent = cpu_seconds(service) - before
    print("\n| cached, clients | answers a second | CPU ms of each |\n|---|---|---|")
    print(f"| {CACHED_CLIENTS} | {answered / CACHED_S:.0f} | {1_000 * spent / max(1, answered):.1f} |", flush=True)


def _alone(processes: int) -> None:
    """How much longer than its slowest source a search of one caller takes."""
    with sandbox_of(SLOWER_MS) as sandbox, service_of(sandbox, UNLIMITED, processes) as (address, _):
        _warm(address)
        with httpx.Client(base_url=address, timeout=TIMEOUT_S) as client:
            answers = [_ask(client, _query(number), detail="full") for number in range(ALONE)]
    beyond = [1_000 * answer.seconds - answer.provider_ms for answer in answers]
    whole = [1_000 * answer.seconds for answer in answers]
    print("\n| one caller | whole ms | beyond the slowest source ms |\n|---|---|---|")
    print(f"| median of {ALONE} | {statistics.median(whole):.0f} | {statistics.median(beyond):.0f} |", flush=True)


def _query(number: int) -> str:
    """Questions about the corpus: its topics, and each again with another word."""
    words = [keywords for keywords, *_ in TOPICS.values()]
    more = ("", "patients", "review", "model", "cells", "risk", "mechanism")
    return f"{words[number % len(words)]} {more[number // len(words) % len(more)]}".strip()


def _warm(address: str) -> None:
    """Let every worker import and open what a search needs; no query of the measurement."""
    with ThreadPoolExecutor(8) as threads, httpx.Client(base_url=address, timeout=TIMEOUT_S) as client:
        list(threads.map(lambda number: _ask(client, f"warm {number % 2}", providers="paperclip"), range(WARMING)))
    time.sleep(1.5)  # until the windows of the limits are empty


def _at_once(address: str, queries: Sequence[str]) -> list[Answered]:
    with (
        ThreadPoolExecutor(len(queries)) as threads,
        httpx.Client(base_url=address, timeout=TIMEOUT_S, limits=httpx.Limits(max_connections=None)) as client,
    ):
        return list(threads.map(lambda query: _ask(client, query), queries))


def _ask(client: httpx.Client, query: str, **parameters: str) -> Answered:
    began = time.monotonic()
    answer = client.get("/v1/literature-search", params={"query": query, **parameters})
    seconds = time.monotonic() - began
    if answer.status_code != 200:
        return Answered(seconds, answer.status_code, complete=False, provider_ms=0)
    found = answer.json()
    slowest = max((leg.get("elapsed_ms") or 0 for leg in found["providers"].values()), default=0)
    return Answered(seconds, 200, found["complete"], slowest)


def _by_source(requests: Sequence[RecordedRequest]) -> list[OfSource]:
    """What each source got, and the most in one window of its declared rate: a second, or longer for one request.

    Light requests are a row of their own: their limit is another one.
    """
    sources = []
    for name in provider_names():
        spec = provider_spec(name)
        rate = spec.requests_per_second
        allowed, window_s = (round(rate), 1.0) if rate >= 1 else (1, 1 / rate)
        own = [request for request in requests if request.provider == name]
        for title, light in ((name, False), (f"{name}, light", True)):
            times = sorted(it.started for it in own if is_light(spec, it.path) == light)
            most = max((sum(at <= other < at + window_s * (1 - JITTER) for other in times) for at in times), default=0)
            if times:
                most_allowed = allowed * spec.light_requests if light else allowed
                sources.append(OfSource(title, len(times), most_allowed, window_s, most))
    return sources


def _print_sources() -> None:
    """The requests that arrived at each source, against its limit."""
    if not _SEEN:
        return
    print("\n| limits kept | source | requests | most in a window | allowed |\n|---|---|---|---|---|")
    for name, sources in _SEEN.items():
        for it in sources:
            print(f"| {name} | {it.source} | {it.requests} | {it.most} | {it.allowed} in {it.window_s:g} s |")


if __name__ == "__main__":
    main()
