"""Several worker processes at one DynamoDB server and one sandbox: for the tests beside this file."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from pkgutil import walk_packages
from typing import Any
from uuid import uuid4

import shared
from infra.functions import provider_names
from infra.local.sandbox.faults import Fault
from infra.local.sandbox.server import RecordedRequest, Sandbox
from shared.legs.leg import LEASE_S
from shared.rate_limits.circuit_breaker import FIRST_OPEN_S
from tests.processes import dynamodb_server, worker
from tests.source_limits import limited_sources

# Processes are copies of one that has imported everything, has no threads, and has not run anything else. A machine
# then imports the functions alone: 0.24 in place of 0.9 s of each process.
_COPIES = get_context("forkserver")
_SHARED = [it.name for it in walk_packages(shared.__path__, "shared.") if not it.name.endswith("__main__")]
_COPIES.set_forkserver_preload([worker.__name__, dynamodb_server.__name__, *_SHARED])
LONGEST_TEST_S = 60.0  # far more than needed: a loaded machine runs five processes slowly
START_UP_S = 180.0
# From the order to begin until all threads of all processes are ready.
LINE_UP_S = 0.7

Call = tuple[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class CallResult:
    """The answer to one call; moments of the monotonic clock, which all processes share."""

    answer: dict[str, Any]
    began: float
    ended: float


class Worker:
    """A worker process, seen from the test."""

    def __init__(self, process: BaseProcess, commands: Connection) -> None:
        self._process, self._commands = process, commands
        self._ids = count(1)
        self._waiting: dict[int, Future[Any]] = {0: Future()}
        self.ready = self._waiting[0]
        threading.Thread(target=self._read, daemon=True).start()

    def run(self, threads: Sequence[Sequence[Call]], at: Sequence[float], until: float | None = None) -> Future[Any]:
        """Each thread makes its calls from its moment `at` on; the result is a list of calls for each thread."""
        return self._command(at=at, until=until, threads=threads)

    def permits(self) -> Future[Any]:
        """The permits granted to this process so far."""
        return self._command(permits=True)

    def lose_budgets(self) -> Future[Any]:
        """From now on the table of rate limits does not answer this process."""
        return self._command(outage=True)

    def kill(self) -> None:
        """As Lambda, or a machine without memory, ends a process: at once."""
        _end(self._process)

    def _command(self, **command: Any) -> Future[Any]:
        number = next(self._ids)
        self._waiting[number] = Future()
        self._commands.send({"id": number, **command})
        return self._waiting[number]

    def _read(self) -> None:
        with suppress(EOFError, OSError):  # it has ended, or this test has
            while True:
                answer = self._commands.recv()
                if "error" in answer:
                    self._waiting[answer["id"]].set_exception(RuntimeError(answer["error"]))
                else:
                    self._waiting[answer["id"]].set_result(answer["result"])
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(EOFError("the worker has ended"))


@dataclass(slots=True)
class Several:
    """All that runs, and until when this test may take."""

    sandbox: Sandbox
    workers: list[Worker]
    log: Path
    until: float = field(default_factory=lambda: time.monotonic() + LONGEST_TEST_S)

    def result(self, future: Future[Any]) -> Any:
        """Wait, but not beyond the test's time."""
        return future.result(timeout=max(self.until - time.monotonic(), 0.0))

    def run(
        self, threads: Sequence[Sequence[Call]], *, seconds: float | None = None, spread_s: float = 0.0
    ) -> list[list[CallResult]]:
        """Deal the threads out to the workers, let all begin, at the same moment or spread, and wait for the end."""
        start = time.monotonic() + LINE_UP_S
        until = None if seconds is None else start + seconds
        moments = [start + spread_s * number / len(threads) for number in range(len(threads))]
        step = len(self.workers)
        begun = [worker.run(threads[n::step], moments[n::step], until) for n, worker in enumerate(self.workers)]
        return [calls for future in begun for calls in self.results(future)]

    def results(self, future: Future[Any]) -> list[list[CallResult]]:
        """The call results of each thread of one worker."""
        return [[CallResult(**call) for call in calls] for calls in self.result(future)]

    def permits(self, title: str) -> list[float]:
        """The moments of all permits granted for the provider with this title, in order."""
        given = [permit for worker in self.workers for permit in self.result(worker.permits())]
        return sorted(float(permit["at"]) for permit in given if permit["title"] == title)

    def warm_up(self) -> None:
        """One call in each process: a cold one spends its first tenths of a second on a TLS context and clients."""
        self.run([[ask("europe_pmc", "TREM2 R47H")]] * len(self.workers))

    def arrived(self, provider: str) -> list[RecordedRequest]:
        """The requests that a provider received, in their order."""
        return sorted((seen for seen in self.sandbox.requests if seen.provider == provider), key=lambda it: it.started)

    def errors(self) -> str:
        """What the workers logged as errors: what DynamoDB could not do for want of processor time is there."""
        return "\n".join(line for line in self.log.read_text().splitlines() if '"ERROR"' in line)[-4000:]


@contextmanager
def several(
    workers: int,
    log: Path,
    *,
    faults: Mapping[str, Fault] | None = None,
    settings: Mapping[str, str] | None = None,
    first_open_s: float = FIRST_OPEN_S,
    lease_s: float = LEASE_S,
    at_once: int = 100,
) -> Iterator[Several]:
    """All running. Every process is killed at the end, by its own id, whatever happened.

    `settings` are the functions' environment; a provider whose rate is not set there has its declared one. `at_once`:
    so many requests each process may have on their way to DynamoDB.
    """
    with ExitStack() as stack:
        sandbox = stack.enter_context(Sandbox(faults=faults or {}))
        log.touch()
        stack.enter_context(limited_sources())  # this process may run with lifted limits, which others would inherit
        keys = {f"{name.upper()}_API_KEY": "sandbox-key" for name in ("openalex",)}
        environment = {**os.environ, **sandbox.base_urls, **keys, **(settings or {})}
        _, server = _process(stack, dynamodb_server.main, environment, log)
        address = f"http://127.0.0.1:{server.recv()}"
        options = worker.Options(dynamodb_url=address, first_open_s=first_open_s, lease_s=lease_s, at_once=at_once)
        running = [Worker(*_process(stack, worker.main, environment, log, options)) for _ in range(workers)]
        all_of_them = Several(sandbox, running, log)
        for started in running:
            started.ready.result(timeout=START_UP_S)
        all_of_them.until = time.monotonic() + LONGEST_TEST_S  # on a busy machine, processes start slowly
        yield all_of_them


def _process(
    stack: ExitStack, main: Callable[..., None], environment: Mapping[str, str], log: Path, *arguments: object
) -> tuple[BaseProcess, Connection]:
    """A process with this environment, whose output goes to the log, and this end of its connection."""
    ours, theirs = _COPIES.Pipe()
    process = _COPIES.Process(target=_run, args=(main, dict(environment), log, theirs, *arguments), daemon=True)
    process.start()
    theirs.close()
    stack.callback(ours.close)
    stack.callback(_end, process)
    return process, ours


def _run(main: Callable[..., None], environment: Mapping[str, str], log: Path, *arguments: object) -> None:
    os.environ.clear()
    os.environ.update(environment)
    written = os.open(log, os.O_WRONLY | os.O_APPEND)
    for stream in (1, 2):
        os.dup2(written, stream)
    main(*arguments)


def _end(process: BaseProcess) -> None:
    process.kill()
    process.join(5)


def search(**fields: Any) -> Call:
    """A search of one caller, as the API's route begins it."""
    request = {"cite_in_kg": False, "timeout_ms": 25_000, **fields}
    return "search", {"request": request, "request_id": str(uuid4())}


def ask(provider: str, text: str, *, timeout_ms: int = 15_000) -> Call:
    """A call of one provider's function."""
    return provider, {"operation": "search", "query": {"text": text}, "timeout_ms": timeout_ms}


def high_rates() -> dict[str, str]:
    """Settings under which no provider's rate plays a part."""
    return {f"{name.upper()}_REQUESTS_PER_SECOND": "500" for name in provider_names()}
