"""The official MCP client in two major versions, over HTTP and stdio: each searches, opens a paper, reads the graph."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from tests.closed_service import closed_service, machine_with
from tests.local_issuer import Issuer

ROOT = Path(__file__).parents[2]
SESSION = Path(__file__).with_name("mcp_session.py")
FIRST = ROOT / ".build" / "clients" / "mcp-1" / "bin" / "python"
CLIENTS = {"1": FIRST, "2": Path(sys.executable)}
LIMIT_S = 120

every_client = pytest.mark.parametrize("major", CLIENTS)


@pytest.fixture(scope="module")
def closed(issuer: Issuer) -> Iterator[str]:
    """The service where a credential is required, as in AWS."""
    with machine_with(issuer) as running, closed_service(running) as address:
        yield address


def session(major: str, *arguments: str) -> dict[str, Any]:
    python = CLIENTS[major]
    assert python.exists(), f"there is no environment of version {major}: run make clients"
    done = subprocess.run(
        [python, SESSION, *arguments], cwd=ROOT, env={**os.environ, "PYTHONPATH": ""}, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=LIMIT_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3_000:]
    saw: dict[str, Any] = json.loads(done.stdout)
    assert saw["client"].split(".")[0] == major
    assert {"search", "fetch", "literature_search"} <= set(saw["tools"])
    assert saw["found"] and saw["opened"] == saw["found"]
    assert saw["graph"]["papers"] >= 0
    return saw


@every_client
@pytest.mark.parametrize("door", ["key", "bearer"])
def test_a_client_with_a_key(closed: str, major: str, door: str) -> None:
    session(major, closed, door, "a-key")


@every_client
def test_a_client_signs_in_at_the_issuer_that_the_401_leads_to(closed: str, issuer: Issuer, major: str) -> None:
    issuer.requests.clear()
    session(major, closed, "oauth")
    flow = [path for path in issuer.requests if path in ("/register", "/authorize", "/token")]
    assert flow == ["/register", "/authorize", "/token"]


@every_client
def test_a_client_on_this_machine(major: str) -> None:
    session(major, "stdio", sys.executable, "-m", "infra.local.mcp", "--sandbox")


def test_the_two_clients_are_of_two_major_versions() -> None:
    assert version("mcp").startswith("2.")
