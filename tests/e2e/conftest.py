"""One deployment for all tests of this folder. Only `make e2e` runs them; each leaves the service healthy."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from types import FrameType

import pytest

from infra.local.sandbox.server import Sandbox
from tests.e2e.deployment import (
    LOG,
    STAGE,
    Deployment,
    allow_batches,
    deploy,
    follow_changes,
    make,
    send_to_the_sandbox,
    warm,
)
from tests.e2e.emulated_aws import EmulatedAws, emulated_aws
from tests.e2e.real_aws import NoSandbox, RealAws, skip_what_needs_the_emulator

LIMIT_S = 2_400
# The stage on AWS to test, which is deployed already; without one, an emulated AWS is started.
REAL_STAGE = os.environ.get("E2E_STAGE")


@pytest.fixture(scope="session", autouse=True)
def bounded() -> Iterator[None]:
    """End a run that hangs, and take everything down; also when CI or a person stops the run."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"the tests of the deployment took longer than {LIMIT_S} s")

    handlers = {signal.SIGALRM: ring, signal.SIGTERM: signal.default_int_handler}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    signal.alarm(LIMIT_S)
    yield
    signal.alarm(0)
    for number, handler in before.items():
        signal.signal(number, handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """On AWS itself, leave out what only the emulator can show."""
    if REAL_STAGE:
        skip_what_needs_the_emulator(items)


@pytest.fixture(scope="session")
def aws() -> Iterator[EmulatedAws | RealAws]:
    if REAL_STAGE:
        yield RealAws()
        return
    with emulated_aws() as running:
        yield running


@pytest.fixture(scope="session")
def deployed(aws: EmulatedAws | RealAws) -> Iterator[Deployment]:
    """Deploy the stack, direct it to the sandbox and start every function; at the end, destroy it.

    On AWS itself, the pipeline does this.
    """
    if isinstance(aws, RealAws):
        there = Deployment(aws, NoSandbox(), "", stack=f"literature-search-{REAL_STAGE}")
        yield there
        there.close()
        return
    LOG.unlink(missing_ok=True)
    with Sandbox(faults={}) as sandbox:
        deployment = Deployment(aws, sandbox, deploy(aws).stdout)
        follow_changes(deployment)
        allow_batches(aws)
        send_to_the_sandbox(deployment)
        warm(deployment)
        try:
            yield deployment
        finally:
            deployment.close()
        done = make(aws, "destroy", f"STAGE={STAGE}", "TARGET=local")
        assert done.returncode == 0, done.stdout
        assert aws.client("lambda").list_functions()["Functions"] == []


@pytest.fixture(autouse=True)
def healthy(deployed: Deployment) -> Iterator[None]:
    """Remove injected faults after each test, and the state of rate limiters and circuit breakers."""
    yield
    if REAL_STAGE:
        return
    deployed.sandbox.faults.clear()
    client = deployed.aws.client("dynamodb")
    (table,) = deployed.resources("AWS::DynamoDB::Table", "budgets")
    for item in client.scan(TableName=table)["Items"]:
        client.delete_item(TableName=table, Key={name: item[name] for name in ("pk", "sk")})
