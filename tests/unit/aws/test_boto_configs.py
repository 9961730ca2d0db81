"""The time-outs of AWS clients: what each caller had when it wrote its own."""

from __future__ import annotations

from typing import Any

import pytest

from shared.aws.runtime.boto_configs import BEST_EFFORT, ESSENTIAL, single_invocation


@pytest.mark.parametrize(
    ("config", "read_timeout_s", "attempts", "connections"),
    [
        (BEST_EFFORT, 1, 2, 10),
        (ESSENTIAL, 2, 2, 10),
        (single_invocation(27), 27, 1, 10),  # the copy of the tools' client named no retry mode
        (single_invocation(16, 35), 16, 1, 35),
    ],
)
def test_a_client_waits_and_tries_as_before(config: Any, read_timeout_s: int, attempts: int, connections: int) -> None:
    assert config.connect_timeout == 1
    assert config.read_timeout == read_timeout_s
    assert config.retries == {"total_max_attempts": attempts, "mode": "standard"}
    assert config.max_pool_connections == connections
