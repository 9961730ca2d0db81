"""`make serve` under load: `python -m tests.benchmarks.load [--processes 2]`, some minutes, loopback only.

The service runs as a command of its own, in as many processes as it likes; the sandbox runs in another process and
counts what reaches the sources. Progress goes to stderr, Markdown tables to stdout. The figures depend on the machine:
compare those of one run.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

import httpx

from infra.functions import provider_names, provider_spec
from infra.local.sandbox.server import RecordedRequest, Sandbox
from tests.benchmarks.corpus_queries import TOPICS

ROOT = Path(__file__).parents[2]
TIMEOUT_S = 60.0
DIFFERENT = (5, 10, 20, 50)
IDENTICAL = 100
CACHED_CLIENTS, CACHED_S = 8, 5.0
ALONE, SLOWER_MS = 12, 300  # searches of one caller, one after the other; how much slower each source is then
UNLIMITED = {f"{name.upper()}_REQUESTS_PER_SECOND": "500" for name in provider_names()}
JITTER = 0.05  # by so much of a window may requests arrive earlier than they were sent
_SPAWN = get_context("spawn")


@dataclass(frozen=True, slots=True)
class Answered:
    """One request: when it ended and how."""

    seconds: float
    status: int
    complete: bool
    provider_ms: int  # of the slowest source that answered


def main() -> None:
    """Run every case against services of their own, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processes", type=int, default=0, help="of the service; default: its own")
    processes = parser.parse_args().processes
    print("| at once | limits | p50 s | p95 s | failed | complete | requests upstream | over a limit |")
    print("|---|---|---|---|---|---|---|---|")
    for limits, environment in (("kept", {}), ("lifted", UNLIMITED)):
        for count in DIFFERENT:
            _row(f"{count} different", limits, environment, processes, [_query(number) for number in range(count)])
    _row(f"{IDENTICAL} identical", "kept", {}, processes, [_query(0)] * IDENTICAL)
    _cached(processes)
    _alone(processes)


def _row(name: str, limits: str, environment: Mapping[str, str], processes: int, queries: Sequence[str]) -> None:
    print(f"{name}, limits {limits} …", file=sys.stderr)
    with _sandbox() as sandbox, _service(sandbox, environment, processes) as (address, _):
        _warm(address)
        sandbox.requests()
        answers = _at_once(address, queries)
        requests = sandbox.requests()
    seconds = [answer.seconds for answer in answers]
    failed = Counter(answer.status for answer in answers if answer.status != 200)
    p50, p95 = statistics.median(seconds), statistics.quantiles(seconds, n=20)[18]
    failures = ", ".join(f"{count} of {status}" for status, count in failed.items()) or "0"
    over = ", ".join(_over_limits(requests)) if limits == "kept" else "–"
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
    print("cached answers …", file=sys.stderr)
    with _sandbox() as sandbox, _service(sandbox, UNLIMITED, processes) as (address, service):
        _warm(address)
        query = _query(1)
        with httpx.Client(base_url=address, timeout=TIMEOUT_S) as client:
            _ask(client, query)
            _ask(client, query)
        before, end = _cpu_seconds(service), time.monotonic() + CACHED_S

        def repeat(_: int) -> int:
            done = 0
            with httpx.Client(base_url=address, timeout=TIMEOUT_S) as client:
                while time.monotonic() < end:
                    done += _ask(client, query).status == 200
            return done

        with ThreadPoolExecutor(CACHED_CLIENTS) as threads:
            answered = sum(threads.map(repeat, range(CACHED_CLIENTS)))
        spent = _cpu_seconds(service) - before
    print("\n| cached, clients | answers a second | CPU ms of each |\n|---|---|---|")
    print(f"| {CACHED_CLIENTS} | {answered / CACHED_S:.0f} | {1_000 * spent / max(1, answered):.1f} |", flush=True)


def _alone(processes: int) -> None:
    """How much longer than its slowest source a search of one caller takes."""
    print("one caller …", file=sys.stderr)
    with _sandbox(SLOWER_MS) as sandbox, _service(sandbox, UNLIMITED, processes) as (address, _):
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
    """Let every worker import what a search needs; no query of the measurement."""
    with ThreadPoolExecutor(8) as threads, httpx.Client(base_url=address, timeout=TIMEOUT_S) as client:
        list(threads.map(lambda number: _ask(client, f"warm {number % 2}", providers="paperclip"), range(8)))
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


def _over_limits(requests: Sequence[RecordedRequest]) -> Iterator[str]:
    """Sources that got more requests in a window than their declared rate allows."""
    for name in provider_names():
        rate = provider_spec(name).requests_per_second
        times = sorted(request.started for request in requests if request.provider == name)
        if rate >= 1:
            window, allowed = 1.0, round(rate)
            if any(times[at + allowed] - times[at] < window - JITTER for at in range(len(times) - allowed)):
                yield name
        elif any(later - earlier < (1 / rate) * (1 - JITTER) for earlier, later in pairwise(times)):
            yield name


class _CountingSandbox:
    """The sandbox in a process of its own; `requests` returns and forgets those that it got."""

    def __init__(self, urls: Mapping[str, str], connection: Connection) -> None:
        self.urls, self._connection = urls, connection

    def requests(self) -> list[RecordedRequest]:
        """What arrived since the last call."""
        self._connection.send("requests")
        received: list[RecordedRequest] = self._connection.recv()
        return received


@contextmanager
def _sandbox(slower_ms: int = 0) -> Iterator[_CountingSandbox]:
    own, theirs = _SPAWN.Pipe()
    process = _SPAWN.Process(target=_run_sandbox, args=(theirs, slower_ms), daemon=True)
    process.start()
    try:
        yield _CountingSandbox(own.recv(), own)
    finally:
        process.terminate()
        process.join()


def _run_sandbox(connection: Connection, slower_ms: int) -> None:
    faults = {name: {"delay_ms": slower_ms} for name in provider_names()} if slower_ms else {}
    with Sandbox(faults=faults) as sandbox:
        connection.send(sandbox.base_urls)
        while connection.recv():
            received, sandbox.requests = sandbox.requests, []
            connection.send(received)


@contextmanager
def _service(
    sandbox: _CountingSandbox, environment: Mapping[str, str], processes: int
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    keys = {f"{name.upper()}_API_KEY": "a-key" for name in provider_names() if provider_spec(name).needs_key}
    quiet = {"POWERTOOLS_LOG_LEVEL": "CRITICAL", "CONTACT_EMAIL": "load@example.org"}
    command = [sys.executable, "-m", "infra.local", "serve", "--port", "0"]
    command += ["--processes", str(processes)] if processes else []
    with subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, **quiet, **keys, **sandbox.urls, **environment},
        stderr=subprocess.PIPE, text=True,
    ) as service:  # fmt: skip
        assert service.stderr is not None
        announced = next(line for line in service.stderr if "http://" in line)
        drained = ThreadPoolExecutor(1)  # else its access log would fill the pipe
        drained.submit(_drain, service.stderr)
        try:
            yield next(word.rstrip(",;") for word in announced.split() if word.startswith("http://")), service
        finally:
            service.terminate()
            service.wait()
            drained.shutdown()


def _drain(lines: Iterator[str]) -> None:
    for _ in lines:
        pass


def _cpu_seconds(service: subprocess.Popen[str]) -> float:
    """Processor time of the service and its children so far, from /proc (Linux)."""
    stats: dict[int, tuple[int, float]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            pid, _, rest = path.read_text().partition(" (")
        except OSError:  # it ended
            continue
        fields = rest.rpartition(") ")[2].split()
        stats[int(pid)] = int(fields[1]), (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    tree, seen = {service.pid}, 0
    while len(tree) > seen:
        seen = len(tree)
        tree |= {pid for pid, (parent, _) in stats.items() if parent in tree}
    return sum(seconds for pid, (_, seconds) in stats.items() if pid in tree)


if __name__ == "__main__":
    main()
