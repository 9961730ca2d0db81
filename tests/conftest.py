"""What all tests share: the machine of one process."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox
from shared.aws.lambda_functions import provider_handler as provider_lambda
from tests.skipped_time import SkippedTime

# On a busy machine examples are slow to make and to run, which says nothing of the code.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")

ROOT = Path(__file__).parents[1]


def pytest_configure() -> None:
    """Keep bytecode, but not beside the sources: each machine imports the functions again."""
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(ROOT / ".build" / "bytecode")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests did not run, in one line for each reason."""
    reports = terminalreporter.stats.get("skipped", [])
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in reports)
    for reason, count in reasons.most_common():
        terminalreporter.write_line(f"{count} tests did not run: {reason}", yellow=True)


@pytest.fixture(scope="session", autouse=True)
def _legs_skip_their_waiting() -> Iterator[None]:
    """No leg of any machine waits for real before it tries again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(provider_lambda, "TIMING", SkippedTime().timing())
        yield


@pytest.fixture
def local() -> Iterator[Machine]:
    """Everything running against the sandbox, fresh for each test: a cold start, without tables or state of another.

    That takes a tenth of a second, since machines share their AWS clients; test_isolation holds that they share no
    more.
    """
    with machine(sandbox=Sandbox(faults={})) as running:
        yield running
