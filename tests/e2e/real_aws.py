"""The AWS account of the environment's credentials, with a stage that is deployed: `make e2e TARGET=aws STAGE=…`.

Its providers ask the real sources, so the tests that inject faults or count requests stay with the emulated AWS.
"""

from __future__ import annotations

import os
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import urlsplit

import boto3
import pytest

# What needs neither the sandbox nor a change of functions and roles, which take AWS some seconds to spread.
ON_AWS = frozenset({"test_agents", "test_graph", "test_observability", "test_reference_checks"})


@dataclass(frozen=True, slots=True)
class RealAws:
    """As `EmulatedAws`, for what the tests in `ON_AWS` use."""

    clients: dict[str, Any] = field(default_factory=dict)

    def client(self, service: str) -> Any:
        """The boto3 client with the environment's credentials."""
        if service not in self.clients:
            self.clients[service] = boto3.client(service)  # type: ignore[call-overload]  # any service
        return self.clients[service]

    @property
    def trust(self) -> ssl.SSLContext:
        """The TLS context for HTTPS requests to it."""
        return ssl.create_default_context()

    @property
    def environment(self) -> Mapping[str, str]:
        """The environment of a program that uses it."""
        return dict(os.environ)

    def address(self, url: str) -> tuple[str, dict[str, str]]:
        """Return the base URL of the service, given the output `Url`, and the headers that lead there."""
        assert urlsplit(url).scheme == "https", url
        return url, {}


class NoSandbox:
    """Skips the test that asks for the sandbox."""

    def __getattr__(self, name: str) -> NoReturn:
        pytest.skip(f"functions on AWS cannot reach the sandbox of this machine ({name})")


def skip_what_needs_the_emulator(items: list[pytest.Item]) -> None:
    """Mark every test of another module of the suite."""
    here = Path(__file__).parent
    for item in items:
        if item.path.parent == here and item.path.stem not in ON_AWS:
            item.add_marker(pytest.mark.skip(reason="it changes functions, or needs the sandbox: on the emulated AWS"))
