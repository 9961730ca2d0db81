"""What all tests share: the machine of one process, and that every answer is as published."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox


@pytest.fixture
def local() -> Iterator[Machine]:
    """Everything running against the sandbox, fresh for each test."""
    with machine(sandbox=Sandbox(faults={})) as running:
        yield running


@pytest.fixture(scope="session", autouse=True)
def _answers_are_as_published() -> Iterator[None]:
    """Every HTTP answer that any test asks a machine for is held against the API's document."""
    invoke = Machine.invoke

    def checked(self: Machine, name: str, event: dict[str, Any]) -> Any:
        answer = invoke(self, name, event)
        if name == "dispatcher" and "httpMethod" in event:
            from tests.published_schemas import validate_response  # for tests of the API alone

            validate_response(event, answer)
        return answer

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Machine, "invoke", checked)
        yield
