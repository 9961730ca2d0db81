"""What all tests share: the machine of one process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox

# On a busy machine examples are slow to make and to run, which says nothing of the code.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


@pytest.fixture
def local() -> Iterator[Machine]:
    """Everything running against the sandbox, fresh for each test."""
    with machine(sandbox=Sandbox(faults={})) as running:
        yield running
