"""The parts of `tests.benchmarks.load`: the sandbox in a process that counts requests, and the service as a command."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from infra.functions import provider_names, provider_spec
from infra.local.sandbox.server import RecordedRequest, Sandbox

ROOT = Path(__file__).parents[2]
_SPAWN = get_context("spawn")


class CountingSandbox:
    """The sandbox in a process of its own; `requests` returns and forgets those that it got."""

    def __init__(self, urls: Mapping[str, str], connection: Connection) -> None:
        self.urls, self._connection = urls, connection

    def requests(self) -> list[RecordedRequest]:
        """What arrived since the last call."""
        self._connection.send("requests")
        received: list[RecordedRequest] = self._connection.recv()
        return received


@contextmanager
def sandbox_of(slower_ms: int = 0) -> Iterator[CountingSandbox]:
    """The sandbox, each of whose sources is so much slower."""
    own, theirs = _SPAWN.Pipe()
    process = _SPAWN.Process(target=_run_sandbox, args=(theirs, slower_ms), daemon=True)
    process.start()
    try:
        yield CountingSandbox(own.recv(), own)
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
def service_of(
    sandbox: CountingSandbox, environment: Mapping[str, str], processes: int
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The service as `make serve` starts it: its address and its process. `processes`: 0 for its own number."""
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


def cpu_seconds(service: subprocess.Popen[str]) -> float:
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
