"""One deployment for all tests of this folder. They run by `make e2e` only, and each leaves the service healthy."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from types import FrameType

import pytest

from infra.local.sandbox.server import Sandbox
from tests.e2e.deployment import LOG, STAGE, Deployment, allow_batches, deploy, make, send_to_the_sandbox, warm
from tests.e2e.emulated_aws import EmulatedAws, emulated_aws

LIMIT_S = 2_400


@pytest.fixture(scope="session", autouse=True)
def bounded() -> Iterator[None]:
    """Whatever hangs, all is stopped and taken down after a while; as well when a CI ends it, as when a person does."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"the tests of the deployment took longer than {LIMIT_S} s")

    handlers = {signal.SIGALRM: ring, signal.SIGTERM: signal.default_int_handler}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    signal.alarm(LIMIT_S)
    yield
    signal.alarm(0)
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture(scope="session")
def aws() -> Iterator[EmulatedAws]:
    with emulated_aws() as running:
        yield running


@pytest.fixture(scope="session")
def deployed(aws: EmulatedAws) -> Iterator[Deployment]:
    """Deployed, pointed at the sandbox, every function started; at the end it must be possible to take it down."""
    LOG.unlink(missing_ok=True)
    with Sandbox(faults={}) as sandbox:
        deployment = Deployment(aws, sandbox, deploy(aws).stdout)
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
    """What a test does to the services, and what that taught budgets and circuits, ends with it."""
    yield
    deployed.sandbox.faults.clear()
    client = deployed.aws.client("dynamodb")
    (table,) = deployed.resources("AWS::DynamoDB::Table", "budgets")
    for item in client.scan(TableName=table)["Items"]:
        client.delete_item(TableName=table, Key={name: item[name] for name in ("pk", "sk")})
