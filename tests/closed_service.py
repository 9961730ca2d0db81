"""The service as AWS runs it: every route wants a credential, and access tokens of an issuer on loopback are good."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from infra.local.gateway import application
from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox
from tests.http_server import serving
from tests.local_issuer import Issuer

SCOPE = "literature/search"


@contextmanager
def machine_with(issuer: Issuer, scope: str | None = SCOPE) -> Iterator[Machine]:
    """A machine that trusts this issuer's tokens; with a scope, only those that grant it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OAUTH_ISSUER", issuer.address)
        if scope:
            patch.setenv("OAUTH_SCOPE", scope)
        with machine(sandbox=Sandbox(faults={})) as local:
            yield local


@contextmanager
def closed_service(running: Machine) -> Iterator[str]:
    """The address of the service, which is the audience that a token must name."""
    with serving(application(running, key_required=True)) as address, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OAUTH_AUDIENCE", address)
        yield address
