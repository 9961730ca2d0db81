"""Lambda's invocation data for a handler, on one machine."""

from __future__ import annotations

import logging
import time
from datetime import UTC, datetime

import pytest
import time_machine

from infra.functions import provider_names, timeout_s
from infra.local.lambda_hook import InvocationContext
from infra.local.machine import Machine, machine
from infra.local.resources import PREFIX
from shared.aws.runtime.observability import logger


@pytest.mark.parametrize("name", ["dispatcher", "mcp_server", "citation_writer", "deliverer", *provider_names()])
def test_a_function_starts_with_the_same_time_as_in_the_cloud(name: str) -> None:
    running = Machine({f"{PREFIX}-{name}": lambda event, context: context.get_remaining_time_in_millis()}, None)
    assert running.invoke(name, {}) == pytest.approx(timeout_s(name) * 1000, abs=1000)


def test_a_run_of_a_saved_search_has_as_long_on_one_machine_as_in_the_cloud(
    local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Begun(Exception):
        """Enough was seen."""

    def begin(*_: object, until: float) -> None:
        raise Begun(until - time.monotonic())

    monkeypatch.setattr("functions.saved_search_runner.runs.run_saved_search", begin)
    detail = {"owner": "a", "search_id": "b", "search": {"query": "TREM2"}}
    local.save(detail)
    with pytest.raises(Begun) as seen:
        local.invoke("saved_search_runner", {"detail-type": "Scheduled Search", "detail": detail})
    assert seen.value.args[0] == pytest.approx(75, abs=2)


def test_the_remaining_time_decreases_and_is_never_negative() -> None:
    began = time.monotonic() - 20
    assert InvocationContext(f"{PREFIX}-dispatcher", began=began).get_remaining_time_in_millis() == pytest.approx(
        40_000, abs=1000
    )
    assert InvocationContext(f"{PREFIX}-citation_writer", began=began - 20).get_remaining_time_in_millis() == 0


def test_a_moved_clock_takes_no_time() -> None:
    context = InvocationContext(f"{PREFIX}-dispatcher")
    with time_machine.travel(datetime(2040, 1, 1, tzinfo=UTC)):
        assert context.get_remaining_time_in_millis() == pytest.approx(60_000, abs=1000)


def test_a_machine_restores_the_log_level(monkeypatch: pytest.MonkeyPatch) -> None:
    before = logger.log_level
    monkeypatch.setenv("POWERTOOLS_LOG_LEVEL", "CRITICAL")
    with machine(sandbox=None):
        assert logger.log_level == logging.CRITICAL
    assert logger.log_level == before != logging.CRITICAL
