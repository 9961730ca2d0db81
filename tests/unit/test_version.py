"""One version for callers, services and package registries."""

from __future__ import annotations

import tomllib
from pathlib import Path

from shared.http_client import USER_AGENT
from shared.interface.openapi import openapi_document
from shared.version import VERSION

PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def test_the_package_the_document_and_the_user_agent_tell_the_same_version() -> None:
    told = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["version"]
    document = openapi_document("/", {})
    assert {told, document["info"]["version"], USER_AGENT.partition("/")[2]} == {VERSION}
