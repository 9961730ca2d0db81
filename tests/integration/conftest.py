"""What all tests of the whole share: every answer is as published."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from infra.local import handlers
from infra.local.gateway import application
from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox
from tests.http_server import serving
from tests.integration.saved_searches.deliveries import hidden_for, trust_loopback
from tests.integration.saved_searches.faults import Saved, paper, saved_searches
from tests.integration.saved_searches.watching import Watching, watching
from tests.published_schemas import validate_response


@pytest.fixture(scope="session", autouse=True)
def _answers_are_as_published() -> Iterator[None]:
    """Every HTTP answer that any test requests from a machine is validated against the API's document."""
    invoke = Machine.invoke

    def checked(self: Machine, name: str, event: dict[str, Any]) -> Any:
        answer = invoke(self, name, event)
        if name in ("dispatcher", "public_pages") and "httpMethod" in event:
            validate_response(event, answer)
        return answer

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Machine, "invoke", checked)
        yield


@pytest.fixture(scope="module")
def running(request: pytest.FixtureRequest) -> Iterator[Machine]:
    """Everything running, once for the tests of a module; but for the providers that a test says are down."""
    down: tuple[str, ...] = getattr(request, "param", ())
    faults: dict[str, Any] = {name: {"status": 503, "retry_after": 0} for name in down}
    with machine(sandbox=Sandbox(faults=faults)) as local:
        yield local


@pytest.fixture
def as_deployed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    """Everything running, with as many threads for legs as a function has in Lambda."""
    monkeypatch.setattr(handlers, "SEARCHES_AT_ONCE", 1)
    with machine(sandbox=Sandbox(faults={})) as local:
        yield local


@pytest.fixture(scope="module")
def address(running: Machine) -> Iterator[str]:
    """Where the machine is served over HTTP."""
    with serving(application(running)) as served:
        yield served


@pytest.fixture
def saved(monkeypatch: pytest.MonkeyPatch) -> Iterator[Saved]:
    """Saved searches that find two papers, and whose webhooks may be on loopback."""
    with saved_searches(monkeypatch) as made:
        made.papers = [paper(number) for number in range(1, 3)]
        trust_loopback(monkeypatch)
        yield made


@pytest.fixture
def hidden(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """For how many seconds each message that is to be retried was hidden."""
    return hidden_for(monkeypatch)


@pytest.fixture
def debate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Watching]:
    """A debate that cites papers of the sandbox, on the first of several days; webhooks may be on loopback."""
    with watching() as made:
        trust_loopback(monkeypatch)
        yield made
