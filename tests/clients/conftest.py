"""Independent clients of the real APIs, run against the sandbox in an environment of their own (`make clients`)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from infra.local.sandbox.server import Sandbox


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """The running sandbox; `sandbox.base_urls["PUBMED_BASE_URL"]` is the base URL of one service."""
    with Sandbox() as running:
        yield running
