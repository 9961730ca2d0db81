"""What all tests share: the machine of one process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox


@pytest.fixture
def local() -> Iterator[Machine]:
    """Everything running against the sandbox, fresh for each test."""
    with machine(sandbox=Sandbox(faults={})) as running:
        yield running
