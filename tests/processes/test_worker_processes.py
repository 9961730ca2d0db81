"""`serve` in several processes: one socket, one set of tables, and no process left behind."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path

import httpx
import pytest

from infra.local.aws_server import answering_other_processes
from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox
from infra.local.worker_processes import SandboxProcess, workers

# Each worker imports everything anew; one process of the tests runs all, since they share a service.
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("worker processes")]

ROOT = Path(__file__).parents[2]
WAIT_S = 90.0  # a process imports all functions, perhaps on a busy machine
CITED = "10.7554/eLife.20391"


@dataclass(frozen=True)
class Service:
    """Two workers, and the process that holds their tables."""

    address: str
    machine: Machine
    running: list[BaseProcess]

    def get(self, path: str, **parameters: str) -> httpx.Response:
        return httpx.get(self.address + path, params=parameters, timeout=30)


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with (
        socket.create_server(("127.0.0.1", 0)) as listening,
        machine(sandbox=Sandbox(faults={})) as local,
        answering_other_processes() as aws,
        workers(listening, aws, 2) as running,
    ):
        yield Service(f"http://127.0.0.1:{listening.getsockname()[1]}", local, running)


def test_a_sandbox_that_dies_is_replaced_at_its_address() -> None:
    sandbox = SandboxProcess()

    def answers() -> bool:
        try:
            return httpx.get(base_urls["CROSSREF_BASE_URL"] + "/works/10.7554/eLife.20391").status_code == 200
        except httpx.HTTPError:
            return False

    with sandbox as base_urls:
        assert answers()
        (first,) = sandbox.running
        first.kill()
        first.join()
        assert waited_for(answers)
    assert not answers()


def waited_for(condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + WAIT_S
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    return condition()


def test_workers_share_the_cache_and_the_claims_on_a_search(service: Service) -> None:
    sandbox = service.machine.sandbox
    assert sandbox
    before = len(sandbox.requests)
    with ThreadPoolExecutor(8) as threads:
        answers = list(
            threads.map(lambda _: service.get("/v1/literature-search", query="copper homeostasis"), range(8))
        )
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json()["result_set_id"] for answer in answers}) == 1
    requests = len(sandbox.requests) - before
    again = [service.get("/v1/literature-search", query="copper homeostasis").json()["cache"] for _ in range(8)]
    assert set(again) == {"hit"}
    assert len(sandbox.requests) - before == requests
    searches = [request for request in sandbox.requests[before:] if request.provider == "openalex"]
    assert len(searches) <= 2  # one, and perhaps a wider one; not one for each caller


def test_workers_read_what_another_has_written(service: Service) -> None:
    saved = {"search": {"query": "tau", "providers": ["crossref"]}, "schedule": "rate(1 day)"}
    made = httpx.post(service.address + "/v1/saved-searches", json=saved, timeout=30)
    assert made.status_code == 201
    for _ in range(6):
        assert service.get(f"/v1/saved-searches/{made.json()['id']}").status_code == 200
    assert service.get(f"/v1/papers/{CITED}").status_code == 200
    assert waited_for(lambda: service.get(f"/v1/graph/papers/{CITED}").status_code == 200)


def test_an_error_of_the_tables_reaches_the_worker_as_botocore_reports_it(service: Service) -> None:
    """A condition that fails is an error with a code: a second claim of a context must be a 404, not a 500."""
    context = {"context": {"type": "debate", "id": "d1"}, "papers": [CITED]}
    own, other = {"x-api-key": "one"}, {"x-api-key": "two"}
    for _ in range(4):
        assert httpx.post(service.address + "/v1/citations", json=context, headers=own, timeout=30).status_code == 200
        refused = httpx.post(service.address + "/v1/citations", json=context, headers=other, timeout=30)
        assert refused.status_code == 404, refused.text


def test_a_worker_that_dies_is_replaced(service: Service) -> None:
    victim = service.running[0]
    victim.kill()
    assert waited_for(lambda: service.running[0] is not victim and service.running[0].is_alive())
    assert {service.get("/health").status_code for _ in range(10)} == {200}


def test_workers_that_replace_all_others_answer(service: Service) -> None:
    for victim in service.running[:2]:
        victim.kill()
        victim.join()

    def answers() -> bool:
        with suppress(httpx.HTTPError):
            return service.get("/health").status_code == 200
        return False

    assert waited_for(answers)


def test_the_process_that_feeds_the_queues_is_replaced_as_well(service: Service) -> None:
    assert len(service.running) == 3
    victim = service.running[-1]
    victim.kill()
    assert waited_for(lambda: service.running[-1] is not victim and service.running[-1].is_alive())


def test_no_worker_outlives_the_command() -> None:
    command = [sys.executable, "-m", "infra.local", "serve", "--port", "0", "--sandbox", "--processes", "2"]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    with process.stderr as lines:
        announced = next(line for line in lines if "http://" in line)
        address = next(word.rstrip(",;") for word in announced.split() if word.startswith("http://"))
        assert httpx.get(f"{address}/health", timeout=10).status_code == 200
        process.kill()
        process.wait()

        def refused() -> bool:
            with suppress(httpx.HTTPError):
                httpx.get(f"{address}/health", timeout=1)
                return False
            return True

        assert waited_for(refused)
